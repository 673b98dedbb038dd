//! Parts of things: elements, members, lanes of vectors.

use super::names::{Meaning, NameSpace};
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, ExprKind};
use crate::typed::{Expression, Shape, TypeKind};

impl<'a> Checker<'a> {
    /// `a[b]`; a chain of them (`a[i][j]`) is followed in a loop, as is one of members.
    pub(super) fn index(&mut self, base: Expr, index: Expr, location: Location) -> Outcome<Operand> {
        let base = self.expression(base)?;
        let index = self.operand(index)?;
        if let Some(made) = self.overloaded("[]", &[base, index], location) {
            return made;
        }
        if let Shape::Vector { .. } = self.build().shape_of(base.expression) {
            let index = self.arithmetic_value(index)?;
            let expression = self.build().index(base.expression, index, location)?;
            return Ok(self.part(expression, base.written));
        }
        let (base, index) = (self.as_number(base, location)?, self.as_number(index, location)?);
        let (base, index) = (self.value(base), self.value(index));
        let (pointer, number) = match self.form(index.written) {
            FormKind::Pointer(_) => (index, base),
            _ => (base, index),
        };
        let FormKind::Pointer(to) = *self.form(pointer.written) else {
            let name = self.name_of(pointer.written);
            return Err(Diagnostic::error(location, format!("`[]` does not take `{name}`")));
        };
        self.complete(to, location)?;
        // Whatever it is, it becomes a number.
        let number = if self.is_unknown(number.written) {
            let long = self.program.types.integer(64, true);
            self.computed_as(number, long, location)
        } else {
            self.arithmetic_value(number)?
        };
        let expression = self.build().index(pointer.expression, number, location)?;
        Ok(Operand { expression, written: to })
    }

    /// A part of something plain, with the qualifiers of the whole.
    fn part(&mut self, expression: Expression, whole: Written) -> Operand {
        let of = self.build().type_of(expression);
        let written = match self.build().is_place(expression) {
            true => self.written_of(of).within(whole),
            false => self.written_of(of),
        };
        Operand { expression, written }
    }

    /// `a.name`, `a->name`.
    pub(super) fn member_access(
        &mut self,
        base: Expr,
        name: Symbol,
        arrow: bool,
        location: Location,
    ) -> Outcome<Operand> {
        let tree = self.tree;
        if let ExprKind::Name(variable) = tree.expressions[base].kind
            && !arrow
            && self.find(variable, super::NameSpace::Ordinary).is_none()
            && let Some(found) = self.language_member(&self.name_text(variable), self.text(name), location)
        {
            return found;
        }
        let base = self.object(base, arrow, self.text(name), location)?;
        self.member_operand(base, name, location)
    }

    /// A member of a struct, or lanes of a vector.
    pub(super) fn member_operand(&mut self, base: Operand, name: Symbol, location: Location) -> Outcome<Operand> {
        if let FormKind::Struct(number) = *self.form(base.written) {
            if let Some((meaning @ Meaning::Constant(..), _)) = self.class_name(number, name, NameSpace::Ordinary) {
                let meaning = meaning.clone();
                return self.named_thing(meaning, name.into(), location);
            }
            let member = self.member(number, name, location)?;
            return Ok(self.member_of(base, &member, location));
        }
        if let Shape::Vector { lanes, .. } = self.build().shape_of(base.expression) {
            let chosen = lanes_of(self.text(name), lanes).map_err(|message| Diagnostic::error(location, message))?;
            return Ok(self.lanes(base, chosen, location));
        }
        let (of, member) = (self.name_of(base.written), self.text(name));
        let hint = match self.form(base.written) {
            FormKind::Pointer(_) => format!("; did you mean `->{member}`?"),
            _ => String::new(),
        };
        Err(Diagnostic::error(location, format!("`{of}` has no members, so no `{member}`{hint}")))
    }

    /// Lanes of a vector. Those of chosen lanes are chosen from the vector itself.
    fn lanes(&mut self, base: Operand, chosen: Vec<u8>, location: Location) -> Operand {
        use crate::typed::ExpressionKind;
        let (from, chosen) = match self.build().kind(base.expression).clone() {
            ExpressionKind::Lanes { base: inner, lanes } if lanes.len() > 1 => {
                (inner, chosen.iter().map(|&lane| lanes[usize::from(lane)]).collect())
            }
            _ => (base.expression, chosen),
        };
        let expression = self.build().lanes(from, &chosen, location);
        self.part(expression, base.written)
    }

    /// `f.x` of what the language itself declares, such as `threadIdx.x`.
    fn language_member(&mut self, base: &str, member: &str, location: Location) -> Option<Outcome<Operand>> {
        let made = crate::builtins::member(&mut self.build(), base, member, location)?;
        Some(made.map(|expression| self.plain(expression)))
    }

    /// A name that the language itself declares: `warpSize`, `CLK_LOCAL_MEM_FENCE`.
    pub(super) fn language_value(&mut self, name: &str, location: Location) -> Option<Outcome<Operand>> {
        let made = match crate::builtins::variable(&mut self.build(), name, location) {
            Some(made) => made,
            None => Ok(crate::builtins::constant(&mut self.build(), name, location)?),
        };
        Some(made.map(|expression| self.plain(expression)))
    }

    /// Whether a type is a struct.
    pub(super) fn is_struct(&mut self, of: Written) -> bool {
        let of = self.type_of(of);
        matches!(self.program.types.kind(of), TypeKind::Struct(_))
    }
}

/// The lanes that a name stands for: `xyzw`, `rgba`, `s0…sF`, `lo`, `hi`, `even`, `odd`.
fn lanes_of(name: &str, lanes: u8) -> Result<Vec<u8>, String> {
    // A vector of 3 has the halves of a vector of 4; the last lane of those is one of nothing, and is not allowed here.
    let whole = if lanes == 3 { 4 } else { lanes };
    let chosen: Option<Vec<u8>> = match name {
        "lo" => Some((0..whole / 2).collect()),
        "hi" => Some((whole / 2..whole).collect()),
        "even" => Some((0..whole).step_by(2).collect()),
        "odd" => Some((1..whole).step_by(2).collect()),
        _ => match name.strip_prefix(['s', 'S']).filter(|digits| !digits.is_empty()) {
            Some(digits) => digits.chars().map(|digit| digit.to_digit(16).map(|lane| lane as u8)).collect(),
            None => letters(name, "xyzw").or_else(|| letters(name, "rgba")),
        },
    };
    let chosen = chosen.ok_or_else(|| format!("a vector has no lanes `{name}`"))?;
    if let Some(beyond) = chosen.iter().find(|&&lane| lane >= lanes) {
        return Err(format!("a vector of {lanes} has no lane {beyond}, which `{name}` names"));
    }
    match chosen.len() {
        1 | 2 | 3 | 4 | 8 | 16 => Ok(chosen),
        count => Err(format!("`{name}` names {count} lanes, and there is no vector of {count}")),
    }
}

fn letters(name: &str, order: &str) -> Option<Vec<u8>> {
    name.chars().map(|letter| order.find(letter).map(|lane| lane as u8)).collect()
}
