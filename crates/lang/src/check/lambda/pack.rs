//! Packs of variables that a lambda captures.
//!
//! **Definition.** Each element that is a variable is a member of the lambda's object; elements have no names, so that each is known by the number of its member. In the lambda the name
//! of the pack stands for these members.

use super::super::names::{CapturedElement, Meaning, NameSpace};
use super::super::record::Member;
use super::super::{Checker, Operand, Outcome};
use super::{Closure, Start, Way};
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::Name;

impl Checker<'_> {
    /// Declares a name in the class of a lambda, if it is that of a pack with variables around it. Where nothing says how they are captured, their values are not used, and nobody knows them.
    /// Whether it is such a pack.
    pub(super) fn captured_pack(
        &mut self,
        closure: &mut Closure,
        way: Option<Way<'_>>,
        name: Symbol,
        location: Location,
    ) -> Outcome<bool> {
        let Some(elements) = self.pack_around(name) else { return Ok(false) };
        let mut meanings = Vec::with_capacity(elements.len());
        for element in elements {
            let known = match &element {
                Meaning::Variable(variable, of) => self.state.known.get(variable).map(|value| (value.clone(), *of)),
                _ if element.is_variable() => None,
                other => {
                    meanings.push(other.clone());
                    continue;
                }
            };
            if let Some((value, of)) = known {
                meanings.push(Meaning::Constant(value, of));
                continue;
            }
            let operand = self.named_thing(element, Name::plain(name), location)?;
            meanings.push(match way {
                Some(way) => self.capture_element(closure, way, name, operand, location)?,
                None => Meaning::Unknown(operand.written),
            });
        }
        self.declare_in_class(closure.class, name, Meaning::Pack(meanings.into()), location);
        Ok(true)
    }

    /// What a pack with variables around a lambda stands for, or one that a lambda around it has captured.
    fn pack_around(&self, name: Symbol) -> Option<Vec<Meaning>> {
        let in_lambda = || {
            let class = self.state.class.filter(|&class| self.is_lambda(class))?;
            self.class_name(class, name, NameSpace::Ordinary)
        };
        match self.find_in_function(name, NameSpace::Ordinary).or_else(in_lambda) {
            Some((Meaning::Pack(elements), _)) if elements.iter().any(Meaning::is_variable) => Some(elements.to_vec()),
            _ => None,
        }
    }

    fn capture_element(
        &mut self,
        closure: &mut Closure,
        way: Way<'_>,
        pack: Symbol,
        value: Operand,
        location: Location,
    ) -> Outcome<Meaning> {
        let kind = self.kind_of_capture(way, pack, value);
        let of = self.type_of_capture(kind, pack, value, location)?;
        let field = self.push_member(closure.class, pack, of, location)?;
        closure.members.push(Start { of, value });
        Ok(Meaning::Element(CapturedElement { class: closure.class, field, of }))
    }

    /// What an element of a pack is that a lambda has captured, in that lambda.
    pub(in super::super) fn captured_element(
        &mut self,
        element: CapturedElement,
        pack: Name,
        location: Location,
    ) -> Outcome<Operand> {
        let CapturedElement { class, field, of } = element;
        let member = Member { path: smallvec::smallvec![field], of };
        match self.object_that(|_, of| of == class, location) {
            Some(object) if self.class_of(object.written) == Some(class) => {
                Ok(self.member_at_hand(object, class, &member, location))
            }
            _ => Err(self.broken_name(pack, location)),
        }
    }
}
