//! Packs: parameters that stand for any number of types, values or variables, and what is repeated for each of them.
//!
//! **Definition.** What stands before `...` is a *pattern*. It is evaluated once for each element of the packs in it, with their names meaning that element; packs in one pattern
//! are equally long. A fold joins the values of a pattern by an operator, from the left if its `...` stands before the pattern. Where nothing says what a pack stands for, nothing says how often, and what is repeated is
//! unknown.

use std::rc::Rc;

use thin_vec::ThinVec;

use super::names::{Meaning, NameSpace};
use super::written::{Argument, FormKind};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{
    BinaryOperator, Designator, Expr, Fold, Initializer, LargeKind, Name, Pattern, TemplateArgument, TemplateParameter,
};
use crate::typed::Expression;

/// What names mean in one repetition.
pub(super) type Element = Vec<(Name, Meaning)>;

/// How often a pattern is repeated.
pub(super) enum Expansion {
    /// Once for each of these.
    Elements(Vec<Element>),
    /// The packs are those of a template whose arguments are to be found.
    Pattern,
    /// Nothing says it.
    Unknown,
}

/// An argument that is written for a template.
pub(super) struct Given<'a> {
    pub(super) argument: &'a TemplateArgument,
    /// What packs in it mean.
    pub(super) elements: Element,
    /// Whether it stands for any number of arguments, being of a template whose arguments are to be found.
    pub(super) is_rest: bool,
}

impl<'a> Checker<'a> {
    /// How often a pattern with some names is repeated.
    pub(super) fn expansion(&mut self, names: &[Name], location: Location) -> Outcome<Expansion> {
        if self.is_pattern(names) {
            return Ok(Expansion::Pattern);
        }
        let mut packs: Vec<(Name, Rc<[Meaning]>)> = Vec::new();
        for &name in names {
            if let Some((Meaning::Pack(elements), _)) = self.find(name, NameSpace::Ordinary) {
                packs.push((name, elements.clone()));
            }
        }
        let Some((first, elements)) = packs.first() else { return Ok(Expansion::Unknown) };
        if let Some((other, _)) = packs.iter().find(|(_, other)| other.len() != elements.len()) {
            let (first, other) = (self.name_text(*first), self.name_text(*other));
            let message = format!("`{first}` and `{other}` stand for different numbers of things");
            return Err(Diagnostic::error(location, message));
        }
        // What is repeated twice for each element is a pack of twice as many, and so on.
        self.spent.pack_elements += elements.len();
        let most = self.limits().pack_elements;
        if self.spent.pack_elements > most {
            let name = self.name_text(*first);
            let message = format!("`{name}` is repeated after packs of more than {most} elements");
            return Err(self.limit_of_function(message, "pack-elements", location));
        }
        let element = |index: usize| packs.iter().map(|(name, all)| (*name, all[index].clone())).collect();
        Ok(Expansion::Elements((0..elements.len()).map(element).collect()))
    }

    /// Whether one of some packs is that of a template whose arguments are to be found.
    pub(super) fn is_pattern(&self, names: &[Name]) -> bool {
        names.iter().any(|&name| match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::Type(of), _)) => matches!(self.form(of), FormKind::Parameter(_)),
            Some((Meaning::TemplateValue(..), _)) => true,
            _ => false,
        })
    }

    pub(super) fn declare_elements(&mut self, elements: &Element) {
        for (name, meaning) in elements {
            self.state.names.declare(*name, NameSpace::Ordinary, meaning.clone(), Location::NONE);
        }
    }

    /// Does something once for each element.
    pub(super) fn for_each_element<T>(
        &mut self,
        elements: &[Element],
        mut act: impl FnMut(&mut Self) -> Outcome<T>,
    ) -> Outcome<Vec<T>> {
        let mut all = Vec::with_capacity(elements.len());
        for element in elements {
            self.state.names.enter();
            self.declare_elements(element);
            let made = act(self);
            self.state.names.leave();
            all.push(made?);
        }
        Ok(all)
    }

    /// The arguments that are written for a template, those of packs one by one.
    pub(super) fn repeated(&mut self, written: &'a [TemplateArgument], location: Location) -> Outcome<Vec<Given<'a>>> {
        let mut all = Vec::with_capacity(written.len());
        for argument in written {
            let TemplateArgument::Expansion(pattern, packs) = argument else {
                all.push(Given { argument, elements: Vec::new(), is_rest: false });
                continue;
            };
            match self.expansion(packs, location)? {
                Expansion::Elements(each) => {
                    all.extend(each.into_iter().map(|elements| Given { argument: pattern, elements, is_rest: false }))
                }
                Expansion::Pattern => all.push(Given { argument: pattern, elements: Vec::new(), is_rest: true }),
                Expansion::Unknown => {
                    return Err(Diagnostic::unsupported(location, "nothing says how many arguments the template has"));
                }
            }
        }
        Ok(all)
    }

    /// Packs of which nothing is left are empty.
    pub(super) fn empty_packs(&mut self, parameters: &[TemplateParameter], found: &mut [Option<Argument>]) {
        for (parameter, found) in parameters.iter().zip(found) {
            if parameter.is_pack() && found.is_none() {
                *found = Some(Argument::Pack(self.written.pack(Vec::new())));
            }
        }
    }

    /// The values of a pattern.
    pub(super) fn expanded_pattern(&mut self, whole: Expr, pattern: &'a Pattern) -> Outcome<Vec<Operand>> {
        let location = self.tree.expressions[whole].location;
        match self.expansion(&pattern.packs, location)? {
            Expansion::Elements(elements) => self.for_each_element(&elements, |checker| checker.expression(pattern.of)),
            Expansion::Pattern | Expansion::Unknown => {
                Err(Diagnostic::unsupported(location, "nothing says for how many values the `...` stands"))
            }
        }
    }

    /// What expressions are, those of packs one by one.
    pub(super) fn operands<All: Default + Extend<Operand>>(
        &mut self,
        expressions: &[Expr],
        one: impl Fn(&mut Self, Expr) -> Outcome<Operand>,
    ) -> Outcome<All> {
        let mut all = All::default();
        for &expression in expressions {
            match self.tree.large(expression) {
                Some(LargeKind::Expansion(pattern)) => all.extend(self.expanded_pattern(expression, pattern)?),
                _ => all.extend([one(self, expression)?]),
            }
        }
        Ok(all)
    }

    /// The values of expressions.
    pub(super) fn values(&mut self, expressions: &[Expr]) -> Outcome<Vec<Operand>> {
        self.operands(expressions, Self::operand)
    }

    pub(super) fn is_expansion(&self, item: &Initializer) -> bool {
        matches!(item, Initializer::Expression(value) if matches!(self.tree.large(*value), Some(LargeKind::Expansion(_))))
    }

    /// The values of a list in which packs are repeated.
    pub(super) fn list_values(&mut self, items: &'a [(ThinVec<Designator>, Initializer)]) -> Outcome<Vec<Operand>> {
        let mut values = Vec::with_capacity(items.len());
        for (designators, item) in items {
            match item {
                Initializer::Expression(value) if designators.is_empty() => values.extend(self.values(&[*value])?),
                Initializer::Expression(value) => {
                    let location = self.tree.expressions[*value].location;
                    return Err(Diagnostic::unsupported(location, "designators in a list with `...`"));
                }
                Initializer::List(_, location) => {
                    return Err(Diagnostic::unsupported(*location, "a list in a list with `...`"));
                }
            }
        }
        Ok(values)
    }

    /// Puts the values of a list with `...` into a place.
    pub(super) fn initialize_repeated(
        &mut self,
        place: Operand,
        values: Vec<Operand>,
        location: Location,
    ) -> Outcome<Expression> {
        let element = match (self.form(place.written), &values[..]) {
            (&FormKind::Array(element, _), _) => element,
            (FormKind::Struct(_), _) => {
                let made = self.construct_parts(place.written, values, location)?;
                return Ok(self.push_assign(place.expression, made.expression, location));
            }
            (_, []) => return Ok(self.build().initialize_zero(place.expression, location)),
            (_, &[only]) => {
                let value = self.converted(only, place.written, location)?;
                return self.build().assign(place.expression, value, location);
            }
            _ => return Err(Diagnostic::error(location, "a number starts with one value")),
        };
        let element = element.within(place.written);
        let mut parts = vec![self.build().initialize_zero(place.expression, location)];
        for (index, value) in values.into_iter().enumerate() {
            let at = self.step_into(place.expression, index as u32, location)?;
            if self.has_constructors(element) {
                parts.extend(self.construct_at(Operand { expression: at, written: element }, &[value], location)?);
            } else {
                let value = self.converted(value, element, location)?;
                parts.push(self.push_assign(at, value, location));
            }
        }
        Ok(self.sequence(&parts, location))
    }

    /// `sizeof...(T)`.
    pub(super) fn size_of_pack(&mut self, name: Name, location: Location) -> Outcome<Operand> {
        match self.find(name, NameSpace::Ordinary) {
            Some((Meaning::Pack(elements), _)) => {
                let number = elements.len() as u64;
                Ok(self.size(number, location))
            }
            _ => {
                let message = format!("nothing says for how many things `{}` stands", self.name_text(name));
                Err(Diagnostic::unsupported(location, message))
            }
        }
    }

    /// `(x + ...)`.
    pub(super) fn fold(&mut self, fold: &'a Fold, location: Location) -> Outcome<Operand> {
        let (mut values, mut is_repeated, mut from_right) = (Vec::new(), false, false);
        for (side, is_first) in [(&fold.first, true), (&fold.last, false)] {
            let Some(side) = side else { continue };
            match self.expansion(&side.packs, location)? {
                Expansion::Elements(elements) => {
                    (is_repeated, from_right) = (true, is_first);
                    values.extend(self.for_each_element(&elements, |checker| checker.operand(side.of))?);
                }
                _ => values.push(self.operand(side.of)?),
            }
        }
        if !is_repeated {
            return Err(Diagnostic::unsupported(location, "nothing says for how many values the `...` stands"));
        }
        let Some(operator) = fold.operator else {
            let parts: Vec<Expression> = values.iter().map(|value| value.expression).collect();
            let Some(last) = values.last() else { return self.empty_fold(None, location) };
            return Ok(Operand { expression: self.sequence(&parts, location), written: last.written });
        };
        if from_right {
            values.reverse();
        }
        let mut values = values.into_iter();
        let Some(mut made) = values.next() else { return self.empty_fold(Some(operator), location) };
        for value in values {
            let (left, right) = if from_right { (value, made) } else { (made, value) };
            made = match self.binary(operator, left, right, location) {
                Err(wrong) if self.goes_on(&wrong) => self.unknown_operation(&wrong, &[left, right], location),
                made => made?,
            };
        }
        Ok(made)
    }

    /// What a fold of nothing is.
    fn empty_fold(&mut self, operator: Option<BinaryOperator>, location: Location) -> Outcome<Operand> {
        let made = match operator {
            Some(BinaryOperator::LogicalAnd) => self.build().bool(true, location),
            Some(BinaryOperator::LogicalOr) => self.build().bool(false, location),
            None => {
                let void = self.program.types.void();
                let zero = self.build().int(0, location);
                self.build().convert_or_say(zero, void)?
            }
            Some(_) => return Err(Diagnostic::error(location, "this fold of nothing has no value")),
        };
        Ok(self.plain(made))
    }
}
