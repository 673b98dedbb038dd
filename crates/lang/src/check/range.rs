//! `for` over a range: an array, or an object of a class with `begin()` and `end()`.

use super::names::{Meaning, NameSpace};
use super::object::Callee;
use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Declaration, Declarator, Expr, InitDeclarator, Stmt, TypeSpecifier};
use crate::typed::{AddressSpace, BinaryOperator, Expression, StatementKind, Variable};

impl<'a> Checker<'a> {
    /// `for (T x : array) body` as a `for` over the numbers of the elements.
    pub(super) fn range_for(
        &mut self,
        variable: &'a Declaration,
        range: Expr,
        body: Stmt,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        let range = self.expression(range)?;
        let [declarator] = &variable.declarators[..] else {
            return Err(Diagnostic::error(location, "a `for` over a range declares one variable"));
        };
        let FormKind::Array(element, Length::Known(length)) = *self.form(range.written) else {
            if let Some((begin, last)) = self.range_functions(range) {
                return self.class_range((variable, declarator), range, (begin, last), body, location, end);
            }
            if self.is_tolerant() {
                return Ok(self.unknown_range(variable, range, body, location, end));
            }
            let name = self.name_of(range.written);
            let message =
                format!("a `for` over a range needs an array or a class with `begin()` and `end()`, not `{name}`");
            return Err(Diagnostic::unsupported(location, message));
        };
        let element = element.within(range.written);
        let at = declarator.declarator.location;
        let int = self.program.types.integer(64, true);
        let index = self.new_variable("", int, None, location);
        // The array's place is found once.
        let start = self.value(range);
        let pointer = self.temporary(start.written, location);
        let before = self.new_statement(location, end);
        let place = self.build().variable(pointer, location);
        let filled = self.push_assign(place, start.expression, location);
        self.set(before, StatementKind::Declare(pointer, Some(filled)));
        let looping = self.new_statement(location, end);
        let init = self.new_statement(location, end);
        let place = self.build().variable(index, location);
        let zero = self.build().integer(0, int, location);
        let filled = self.push_assign(place, zero, location);
        self.set(init, StatementKind::Declare(index, Some(filled)));
        let place = self.build().variable(index, location);
        let last = self.build().integer(i128::from(length), int, location);
        let condition = self.build().compare(BinaryOperator::Less, place, last, location)?;
        let place = self.build().variable(index, location);
        let step = self.build().step(place, true, true, location)?;
        let around = self.new_statement(at, end);
        let declare = self.new_statement(at, end);
        // The variable of one iteration.
        let pointer = self.build().variable(pointer, at);
        let number = self.build().variable(index, at);
        let place = self.build().index(pointer, number, at)?;
        let place = Operand { expression: place, written: element };
        let kind = self.range_variable(variable, declarator, place)?;
        self.set(declare, kind);
        let body = self.loop_body(body);
        self.set(around, StatementKind::Compound(vec![declare, body]));
        let kind = StatementKind::For { init: Some(init), condition: Some(condition), step: Some(step), body: around };
        self.set(looping, kind);
        Ok(StatementKind::Compound(vec![before, looping]))
    }

    /// The variable of one iteration.
    fn range_variable(
        &mut self,
        variable: &'a Declaration,
        declared: &'a InitDeclarator,
        place: Operand,
    ) -> Outcome<StatementKind> {
        let (specifiers, declarator) = (&variable.specifiers, &declared.declarator);
        let at = declarator.location;
        if !declared.bindings.is_empty() {
            self.check_passed(place.written, "copied for each iteration", at)?;
            return self.bind_parts(specifiers, declared, place);
        }
        let Some(name) = declarator.name else {
            return Err(Diagnostic::error(at, "a `for` over a range declares one variable"));
        };
        let of = match specifiers.of {
            Some(TypeSpecifier::Auto) => match &declarator.declarator {
                Declarator::Base => Written { is_const: specifiers.is_const, ..place.written },
                Declarator::Reference(..) => {
                    let to = Written { is_const: place.written.is_const || specifiers.is_const, ..place.written };
                    self.written.reference(&mut self.program.types, to, false)
                }
                _ => return Err(Diagnostic::unsupported(at, "this form of `auto` is not supported")),
            },
            _ => {
                let base = self.specified(specifiers)?;
                self.declared(base, &declarator.declarator, at)?
            }
        };
        let text = self.name_text(name);
        if let FormKind::Reference(to, _) = *self.form(of) {
            let address = self.bind(place, to, at)?;
            let pointer = self.build().type_of(address);
            let variable = self.new_variable(&text, pointer, None, at);
            let meaning = Meaning::Reference(variable, to.within(place.written));
            self.state.names.declare(name, NameSpace::Ordinary, meaning, at);
            let place = self.build().variable(variable, at);
            return Ok(StatementKind::Declare(variable, Some(self.push_assign(place, address, at))));
        }
        self.check_passed(of, "copied for each iteration", at)?;
        let of = of.in_space(AddressSpace::Private);
        let to = self.type_of(of);
        let variable = self.new_variable(&text, to, None, at);
        self.state.names.declare(name, NameSpace::Ordinary, Meaning::Variable(variable, of), at);
        let filled = self.fill(variable, of, place, at)?;
        Ok(StatementKind::Declare(variable, filled))
    }

    /// What puts a value into a variable.
    fn fill(&mut self, variable: Variable, of: Written, value: Operand, at: Location) -> Outcome<Option<Expression>> {
        let place = self.build().variable(variable, at);
        if self.class_of(of).is_some() {
            return self.construct_at(Operand { expression: place, written: of }, &[value], at);
        }
        let value = self.converted(value, of, at)?;
        Ok(Some(self.push_assign(place, value, at)))
    }

    /// The functions `begin` and `end` of a class.
    fn range_functions(&self, range: Operand) -> Option<(usize, usize)> {
        let class = self.class_of(range.written)?;
        let function = |name| self.member_functions(class, self.symbols.find(name)?);
        Some((function("begin")?, function("end")?))
    }

    /// `for (T x : object) body`: a `for` over what `begin()` and `end()` of a class say.
    fn class_range(
        &mut self,
        (variable, declarator): (&'a Declaration, &'a InitDeclarator),
        range: Operand,
        (begin, last): (usize, usize),
        body: Stmt,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        let at = declarator.declarator.location;
        // The object's place is found once.
        let range = self.object_place(range, location);
        self.check_no_temporaries(location)?;
        let first = self.new_statement(location, end);
        let address = self.build().address_of(range.expression, location)?;
        let of = self.build().type_of(address);
        let object = self.new_variable("", of, None, location);
        let place = self.build().variable(object, location);
        let filled = self.push_assign(place, address, location);
        self.set(first, StatementKind::Declare(object, Some(filled)));
        let mut statements = vec![first];
        let mut iterators = Vec::with_capacity(2);
        for set in [begin, last] {
            let statement = self.new_statement(location, end);
            let pointer = self.build().variable(object, location);
            let pointer = self.build().load(pointer);
            let expression = self.build().dereference(pointer, location)?;
            let object = Operand { expression, written: range.written };
            let chosen = self.choose_viable(Callee::of(set, Some(object)), &[], location)?;
            let value = self.call_chosen(&chosen, Some(object), &[], None, location)?;
            self.check_passed(value.written, "returned", location)?;
            let of = self.value(value).written.unqualified().in_space(AddressSpace::Private);
            let variable = self.temporary(of, location);
            let filled = self.fill(variable, of, value, location)?;
            self.set(statement, StatementKind::Declare(variable, filled));
            statements.push(statement);
            iterators.push((variable, of));
        }
        let [now, last] = iterators[..] else { return Ok(StatementKind::Empty) };
        let iterator = |checker: &mut Self, (variable, written): (Variable, Written), at: Location| {
            let expression = checker.build().variable(variable, at);
            Operand { expression, written }
        };
        let looping = self.new_statement(location, end);
        let (left, right) = (iterator(self, now, location), iterator(self, last, location));
        let asked = self.binary(BinaryOperator::NotEqual, left, right, location)?;
        let condition = self.condition(asked)?;
        let place = iterator(self, now, location);
        let step = match self.overloaded("++", &[place], location) {
            Some(made) => made?.expression,
            None => self.build().step(place.expression, true, true, location)?,
        };
        let around = self.new_statement(at, end);
        let declare = self.new_statement(at, end);
        let place = iterator(self, now, at);
        let element = match self.overloaded("*", &[place], at) {
            Some(made) => made?,
            None => {
                let pointer = self.value(place);
                self.dereference(pointer, at)?
            }
        };
        self.check_no_temporaries(location)?;
        let kind = self.range_variable(variable, declarator, element)?;
        self.set(declare, kind);
        let body = self.loop_body(body);
        self.set(around, StatementKind::Compound(vec![declare, body]));
        self.set(
            looping,
            StatementKind::For { init: None, condition: Some(condition), step: Some(step), body: around },
        );
        statements.push(looping);
        Ok(StatementKind::Compound(statements))
    }

    fn check_no_temporaries(&self, location: Location) -> Outcome<()> {
        match self.state.temporaries.is_empty() {
            true => Ok(()),
            false => {
                let message = "an unnamed object with a destructor, made for a `for` over a range";
                Err(Diagnostic::unsupported(location, message))
            }
        }
    }
}
