//! What is done with objects of classes: calls of their functions, operators, conversions.

use super::function::Definition;
use super::names::{Meaning, NameSpace};
use super::overload::Chosen;
use super::record::Member;
use super::state::This;
use super::template::Pending;
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{self, Expr, Name, TemplateArgument, TypeName, TypeSpecifier};
use crate::typed::{AddressSpace, Expression, Shape, Struct, Type};

/// What is called, by a name.
#[derive(Clone, Copy)]
pub(super) struct Callee<'a> {
    pub(super) set: usize,
    /// What is written in `<…>`.
    pub(super) explicit: Option<&'a [TemplateArgument]>,
    /// Of which object, where that is said.
    pub(super) object: Option<Operand>,
    /// Whether the class is named, too: `A::f()`.
    pub(super) is_qualified: bool,
    /// Whether nobody writes the call: `explicit` constructors are not meant.
    pub(super) is_implicit: bool,
}

impl Callee<'_> {
    /// A function of a set, with the object that it is called with.
    pub(super) fn of(set: usize, object: Option<Operand>) -> Self {
        Callee { set, explicit: None, object, is_qualified: false, is_implicit: false }
    }
}

/// So many conversions by constructors stand in each other, as in default arguments of constructors. One that takes more goes on for ever.
const MOST_CONVERSIONS: u32 = 8;

impl<'a> Checker<'a> {
    /// The class of an operand, if it is an object of one.
    pub(super) fn class_of(&self, of: Written) -> Option<Struct> {
        match *self.form(of) {
            FormKind::Struct(number) => Some(number),
            _ => None,
        }
    }

    /// The functions of a name of a class.
    pub(super) fn member_functions(&self, class: Struct, name: Symbol) -> Option<usize> {
        match self.class_name(class, name, NameSpace::Ordinary) {
            Some((&Meaning::Functions(set), _)) => Some(set),
            _ => None,
        }
    }

    /// The object that the function at hand is called with; in a lambda, the one that it has captured.
    pub(super) fn this_object(&mut self, location: Location) -> Option<Operand> {
        self.object_that(|checker, class| !checker.is_lambda(class), location)
    }

    /// The object that the function at hand is called with.
    fn own_object(&mut self, location: Location) -> Option<Operand> {
        match self.state.this? {
            This::Pointer(variable, written) => {
                let pointer = self.build().variable(variable, location);
                let pointer = self.build().load(pointer);
                let expression = self.build().dereference(pointer, location).ok()?;
                Some(Operand { expression, written })
            }
            // As a whole, so that each part is known to be what was captured.
            This::Value(variable, written) => {
                let place = self.build().variable(variable, location);
                let expression = self.build().load(place);
                Some(Operand { expression, written })
            }
        }
    }

    /// `this`.
    pub(super) fn this_pointer(&mut self, location: Location) -> Outcome<Operand> {
        let Some(object) = self.this_object(location) else {
            return Err(Diagnostic::error(location, "`this` is only known in functions of objects"));
        };
        let expression = self.build().address_of(object.expression, location)?;
        let (space, _) = self.build().space_of_place(object.expression);
        let written = self.written.pointer(&mut self.program.types, object.written.in_space(space));
        Ok(Operand { expression, written })
    }

    /// A member of the object at hand, by its name alone.
    pub(super) fn implicit_member(&mut self, name: Symbol, location: Location) -> Outcome<Operand> {
        let has_it =
            |checker: &Self, class: Struct| !checker.is_lambda(class) || checker.members.contains_key(&(class, name));
        let Some(at) = self.object_that(has_it, location) else {
            let message = format!("`{}` is a member of objects, and there is none here", self.text(name));
            return Err(Diagnostic::error(location, message));
        };
        let Some(class) = self.class_of(at.written) else { return Ok(at) };
        let member = self.member(class, name, location)?;
        Ok(self.member_at_hand(at, class, &member, location))
    }

    /// The innermost of the object that the function at hand is called with, and of those that lambdas have captured as `this`, whose class is the right one, or is not known.
    pub(super) fn object_that(
        &mut self,
        is_right: impl Fn(&Self, Struct) -> bool,
        location: Location,
    ) -> Option<Operand> {
        let mut object = self.own_object(location)?;
        while self.class_of(object.written).is_some_and(|class| !is_right(self, class)) {
            object = self.captured_this(object, location)?;
        }
        Some(object)
    }

    /// A member of an object of a class, for a function that is called with it.
    pub(super) fn member_at_hand(
        &mut self,
        at: Operand,
        class: Struct,
        member: &Member,
        location: Location,
    ) -> Operand {
        let made = self.member_of(at, member, location);
        // A copy that a lambda has captured does not change, be it a place or not.
        let is_copy = self.is_lambda(class) && !matches!(self.form(member.of), FormKind::Reference(..));
        let is_const = made.written.is_const || is_copy && at.written.is_const;
        Operand { written: Written { is_const, ..made.written }, ..made }
    }

    /// An object as a place: a value gets a variable.
    pub(super) fn object_place(&mut self, object: Operand, location: Location) -> Operand {
        if self.build().is_place(object.expression) {
            return object;
        }
        let variable = self.temporary(object.written, location);
        let place = self.build().variable(variable, location);
        let filled = self.push_assign(place, object.expression, location);
        let place = self.build().variable(variable, location);
        let expression = self.build().comma(filled, place, location);
        Operand { expression, written: object.written.unqualified().in_space(AddressSpace::Private) }
    }

    /// What stands before a `.` or `->`, as a place or a value.
    pub(super) fn object(&mut self, base: Expr, arrow: bool, name: &str, location: Location) -> Outcome<Operand> {
        let base = self.expression(base)?;
        if !arrow {
            return Ok(base);
        }
        let mut base = self.value(base);
        while let Some(made) = self.overloaded("->", &[base], location) {
            let pointer = made?;
            base = self.value(pointer);
        }
        if !matches!(self.form(base.written), FormKind::Pointer(_)) {
            let of = self.name_of(base.written);
            let message = format!("`->{name}` needs a pointer, not `{of}`; did you mean `.{name}`?");
            return Err(Diagnostic::error(location, message));
        }
        self.dereference(base, location)
    }

    /// `a.f(x)`, `a->f(x)`: none where `f` is no function of a class.
    pub(super) fn call_member(
        &mut self,
        (base, name, arrow): (Expr, Symbol, bool),
        explicit: Option<&'a [TemplateArgument]>,
        arguments: &'a [Expr],
        location: Location,
    ) -> Option<Outcome<Operand>> {
        let tree = self.tree;
        if let tree::ExprKind::Name(variable) = tree.expressions[base].kind
            && self.find(variable, NameSpace::Ordinary).is_none()
            && !self.is_this(variable)
        {
            return None;
        }
        let text = self.text(name);
        let object = match self.object(base, arrow, text, location) {
            Ok(object) => object,
            Err(wrong) => return Some(Err(wrong)),
        };
        let set = self.class_of(object.written).and_then(|class| self.member_functions(class, name));
        Some(match set {
            Some(set) => {
                let object = self.place_of_choice(object);
                let object = self.object_place(object, location);
                let callee = Callee { explicit, ..Callee::of(set, Some(object)) };
                self.call_named(callee, arguments, None, location)
            }
            None => match self.member_operand(object, name, location) {
                Ok(called) => self.call_value(called, None, arguments, location),
                Err(wrong) => {
                    if self.is_tolerant()
                        && let Err(wrong) = self.arguments(arguments)
                    {
                        return Some(Err(wrong));
                    }
                    Err(wrong)
                }
            },
        })
    }

    /// `A<int>::f(x)` and `A<int>::x`.
    pub(super) fn member_of_type(
        &mut self,
        of: &'a TypeSpecifier,
        name: Symbol,
        location: Location,
    ) -> Outcome<(Struct, Meaning)> {
        let of = self.written_specifier(of)?;
        self.require_class(of)?;
        let found = self.class_of(of).and_then(|class| {
            let (meaning, _) = self.class_name(class, name, NameSpace::Ordinary)?;
            Some((class, meaning.clone()))
        });
        found.ok_or_else(|| {
            let (of, name) = (self.name_of(of), self.text(name));
            Diagnostic::error(location, format!("`{of}` has no member `{name}`"))
        })
    }

    /// `A::f<4>` before `(`, which was read as a type, where it is a template of functions of the class.
    pub(super) fn template_of_functions(&mut self, of: &'a TypeName) -> Outcome<Option<Callee<'a>>> {
        let Some(TypeSpecifier::MemberTemplate(named, location)) = &of.specifiers.of else { return Ok(None) };
        let (class, name, explicit) = &**named;
        let class = self.written_specifier(class)?;
        self.require_class(class)?;
        let Some(set) = self.class_of(class).and_then(|class| self.member_functions(class, *name)) else {
            return Ok(None);
        };
        let object = self.this_object(*location);
        Ok(Some(Callee { explicit: Some(explicit), is_qualified: true, ..Callee::of(set, object) }))
    }

    /// Whether a name is `this`.
    pub(super) fn is_this(&self, name: Name) -> bool {
        self.state.this.is_some() && self.symbols.find("this").is_some_and(|this| Name::plain(this) == name)
    }

    /// Whether somebody may have defined operators for operands.
    #[inline]
    pub(super) fn may_be_overloaded(&self, operands: &[Operand]) -> bool {
        let is_object =
            |operand: &Operand| matches!(self.form(operand.written), FormKind::Struct(_) | FormKind::Enum(_));
        self.is_cpp() && operands.iter().any(is_object)
    }

    /// What an operator means that somebody has defined for its operands; none if nobody has.
    pub(super) fn overloaded(
        &mut self,
        operator: &str,
        operands: &[Operand],
        location: Location,
    ) -> Option<Outcome<Operand>> {
        if !self.may_be_overloaded(operands) {
            return None;
        }
        let name = self.symbols.find(&format!("operator{operator}"))?;
        let mut callees: Vec<(Callee, usize)> = Vec::new();
        if let Some(set) = self.class_of(operands[0].written).and_then(|class| self.member_functions(class, name)) {
            let object = self.object_place(operands[0], location);
            callees.push((Callee::of(set, Some(object)), 1));
        }
        let mut free: Vec<usize> = Vec::new();
        free.extend(self.functions_named(Name::plain(name)));
        free.extend(operands.iter().filter_map(|operand| self.functions_beside(operand.written, name)));
        free.sort_unstable();
        free.dedup();
        callees.extend(free.into_iter().map(|set| (Callee::of(set, None), 0)));
        let mut wrong = None;
        for (callee, taken) in callees {
            match self.choose_viable(callee, &operands[taken..], location) {
                // The operators of the language are better than one that takes none of the operands as it is.
                Ok(chosen) if !self.takes_one(&chosen, operands) => {}
                Ok(chosen) => {
                    return Some(self.call_chosen(&chosen, callee.object, &operands[taken..], None, location));
                }
                Err(reason) => wrong = Some(reason),
            }
        }
        match wrong {
            Some(reason) if reason.is_limit() => Some(Err(reason)),
            _ => None,
        }
    }

    /// Whether a function takes an operand that is an object or an enumerator, without a conversion to another class.
    fn takes_one(&self, chosen: &Chosen, operands: &[Operand]) -> bool {
        chosen.of.parameters.iter().zip(operands).any(|(&parameter, operand)| {
            let (to, from) = (self.written.referred(parameter), operand.written);
            let is_base = match (self.class_of(from), self.class_of(to)) {
                (Some(from), Some(to)) => self.is_derived(from, to),
                _ => false,
            };
            self.may_be_overloaded(&[*operand]) && (from.form == to.form || is_base)
        })
    }

    /// The functions of a name in the namespace of a class.
    fn functions_beside(&self, of: Written, name: Symbol) -> Option<usize> {
        let owner = self.written.names[self.class_of(of)?]?;
        let near = self.tree.scopes.find(self.tree.scopes.scope(owner), name)?;
        self.functions_named(near)
    }

    /// The functions that a name which is declared nowhere around means for some arguments: those of the namespace of one of their classes.
    pub(super) fn function_near(&self, name: Name, arguments: &[Operand]) -> Option<usize> {
        let spelling = self.tree.scopes.spelling(name);
        arguments.iter().find_map(|argument| {
            let of = match *self.form(argument.written) {
                FormKind::Pointer(to) => to,
                _ => self.written.referred(argument.written),
            };
            self.functions_beside(of, spelling)
        })
    }

    fn functions_named(&self, name: Name) -> Option<usize> {
        match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::Functions(set), _)) if self.sets[set].class.is_none() => Some(set),
            _ => None,
        }
    }

    /// A value of another type that a class says how to make: by a conversion of its own, or a constructor of the other. None if there is none.
    pub(super) fn converted_object(
        &mut self,
        value: Operand,
        to: Written,
        is_implicit: bool,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        if let Some(pointer) = self.lambda_pointer(value, to, location) {
            return Some(Ok(pointer));
        }
        if let Some((set, index)) = self.conversion_of(value, Some(to), is_implicit) {
            return Some(self.convert_by(set, index, value, to, location));
        }
        if let Err(wrong) = self.require_class(to) {
            return Some(Err(wrong));
        }
        let class = self.class_of(to)?;
        self.classes.get(&class)?.constructors?;
        // What a constructor takes is not made by another one, and so on: two classes may be made of each other.
        if self.state.conversions >= MOST_CONVERSIONS {
            let (from, to) = (self.name_of(value.written), self.name_of(to));
            let message = format!("`{from}` is not converted to `{to}` by a single constructor");
            return Some(Err(Diagnostic::error(location, message)));
        }
        self.state.conversions += 1;
        let made = self.construct_object_by(to, &[value], is_implicit, location);
        self.state.conversions -= 1;
        Some(made.map(|made| self.value(made).expression))
    }

    /// The conversions of a class, or those of the first of its bases that has some.
    fn conversions_of_class(&self, class: Struct) -> Option<usize> {
        let class = self.classes.get(&class)?;
        class.conversions.or_else(|| class.bases.iter().find_map(|base| self.conversions_of_class(base.of)))
    }

    /// The conversion of a class that makes a type of one of its objects: one to just that, or, among numbers and pointers, the only one. Two that differ in `const` alone are one.
    fn conversion_of(&mut self, value: Operand, to: Option<Written>, is_implicit: bool) -> Option<(usize, usize)> {
        let set = self.conversions_of_class(self.class_of(value.written)?)?;
        let candidates = self.sets[set].candidates.iter().enumerate();
        let meant = candidates.filter(|(_, candidate)| !is_implicit || !candidate.facts.is_explicit);
        let all: Vec<(usize, Written)> = meant.map(|(index, candidate)| (index, candidate.of.result)).collect();
        let all: Vec<(usize, Written)> = all.iter().map(|&(index, of)| (index, self.written.referred(of))).collect();
        let wanted = to.map(|to| self.written.referred(to));
        let exact: Vec<usize> =
            all.iter().filter(|(_, of)| wanted.is_some_and(|to| of.form == to.form)).map(|&(index, _)| index).collect();
        let fitting = match (exact.is_empty(), all.first()) {
            (false, _) => exact,
            (true, Some(&(_, first))) if all.iter().all(|(_, of)| of.form == first.form) => {
                let are_scalar = wanted.is_none_or(|to| self.is_scalar(to)) && self.is_scalar(first);
                are_scalar.then(|| all.iter().map(|&(index, _)| index).collect())?
            }
            _ => return None,
        };
        let is_const = |&index: &usize| {
            let object = self.sets[set].candidates[index].of.parameters.first();
            object.is_some_and(|&object| self.written.referred(object).is_const)
        };
        let best = fitting.iter().copied().find(|index| is_const(index) == value.written.is_const);
        Some((set, best.or_else(|| fitting.iter().copied().find(is_const))?))
    }

    /// Whether a class has a conversion to just that type.
    pub(super) fn converts_to(&mut self, value: Operand, to: Written) -> bool {
        let wanted = self.written.referred(to).form;
        match self.conversion_of(value, Some(to), true) {
            Some((set, index)) => self.written.referred(self.sets[set].candidates[index].of.result).form == wanted,
            None => false,
        }
    }

    fn is_scalar(&mut self, of: Written) -> bool {
        let of = self.type_of(of);
        let shape = self.build().shape(of);
        shape.is_scalar() || matches!(shape, Shape::Pointer { .. } | Shape::Unknown)
    }

    /// What a conversion makes of an object: a place if it returns a reference.
    fn convert_as_is(&mut self, set: usize, index: usize, value: Operand, location: Location) -> Outcome<Operand> {
        let object = self.object_place(value, location);
        let chosen = self.chosen_candidate(set, index, location)?;
        self.call_chosen(&chosen, Some(object), &[], None, location)
    }

    fn convert_by(
        &mut self,
        set: usize,
        index: usize,
        value: Operand,
        to: Written,
        location: Location,
    ) -> Outcome<Expression> {
        let made = self.convert_as_is(set, index, value, location)?;
        let made = self.value(made);
        match made.written.form == to.form {
            true => Ok(made.expression),
            false => self.converted(made, to, location),
        }
    }

    /// An operand of an operator of the language: of an object, what its only conversion makes of it.
    pub(super) fn as_number(&mut self, value: Operand, location: Location) -> Outcome<Operand> {
        match self.conversion_of(value, None, false) {
            Some((set, index)) => self.convert_as_is(set, index, value, location),
            None => Ok(value),
        }
    }

    /// Puts the body of a function that is checked when somebody calls it among those that are still to be checked, unless it is there.
    pub(super) fn want_body(&mut self, set: usize, index: usize) {
        let candidate = &mut self.sets[set].candidates[index];
        if candidate.item.is_none() || std::mem::replace(&mut candidate.is_wanted, true) {
            return;
        }
        let pending = Pending::Member { set, index, depth: self.state.instance_depth + 1 };
        let facts = &self.sets[set].candidates[index].facts;
        match facts.is_auto || facts.is_expanded {
            true => self.check_wanted(pending),
            false => self.pending.push(pending),
        }
    }

    /// Checks the body of a function that somebody calls.
    pub(super) fn check_member(&mut self, set: usize, index: usize, depth: usize) {
        let (class, candidate) = (self.sets[set].class, &self.sets[set].candidates[index]);
        let (Some(item), Some(function)) = (candidate.item, candidate.function) else { return };
        let (of, facts, has_object) = (candidate.of.clone(), candidate.facts.clone(), candidate.has_object);
        let name = self.sets[set].name;
        if let Err(exceeded) = self.check_instance_bodies(name, item.declarator.location) {
            self.leave_out_instance(function, exceeded);
            return;
        }
        let mut arguments =
            class.and_then(|class| self.classes.get(&class)).map_or_else(Vec::new, |class| class.arguments.clone());
        let specialised = match self.specialised_member(set, item, &of) {
            Ok(specialised) => specialised,
            Err(reason) => return self.leave_out_instance(function, reason),
        };
        let item = match item.body {
            _ if let Some(specialised) = specialised => {
                arguments = Vec::new();
                specialised
            }
            tree::Body::None => match self.outside_definition(set, item, &of, &arguments) {
                Ok(Some((outside, renamed))) => {
                    arguments = renamed;
                    outside
                }
                Ok(None) => return,
                Err(reason) => return self.leave_out_instance(function, reason),
            },
            _ => item,
        };
        self.program.functions[function].location = item.declarator.location;
        let definition = Definition {
            function,
            of,
            parameters: super::class::parameters_of(item),
            body: self.tree.body(&item.body),
            facts,
            arguments,
            name,
            instance_depth: depth,
            class,
            has_object,
            kind: item.kind,
            macros: &item.specifiers.macros,
            initializers: self.tree.initializers(&item.body),
        };
        let result = self.define(definition);
        let candidate = &mut self.sets[set].candidates[index];
        candidate.is_checked = true;
        if let Some(result) = result {
            candidate.of.result = result;
        }
    }

    /// Whether the type of an expression is one of a class that is to be called: `f(x)` of an object `f`.
    pub(super) fn call_object(
        &mut self,
        object: Operand,
        arguments: &'a [Expr],
        location: Location,
    ) -> Option<Outcome<Operand>> {
        let name = self.symbols.find("operator()")?;
        let set = self.class_of(object.written).and_then(|class| self.member_functions(class, name))?;
        let object = self.object_place(object, location);
        Some(self.call_named(Callee::of(set, Some(object)), arguments, None, location))
    }

    /// A pointer to an object as one to a base of its class; none where there is nothing to convert.
    pub(super) fn base_pointer(
        &mut self,
        value: Operand,
        to: Written,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        let (FormKind::Pointer(from), FormKind::Pointer(into)) = (self.form(value.written), self.form(to)) else {
            return None;
        };
        let (from, into) = (*from, *into);
        let (derived, base) = (self.class_of(from)?, self.class_of(into)?);
        if !self.is_derived(derived, base) || from.is_const && !into.is_const {
            return None;
        }
        let of: Type = self.type_of(to);
        let object = match self.dereference(value, location) {
            Ok(object) => object,
            Err(wrong) => return Some(Err(wrong)),
        };
        let address =
            self.base_part(object, base, location).and_then(|part| self.build().address_of(part.expression, location));
        Some(address.map(|address| match self.build().shape(of) {
            Shape::Pointer { .. } if self.build().type_of(address) != of => {
                self.build().convert_to(crate::typed::Conversion::Pointer, address, of)
            }
            _ => address,
        }))
    }
}
