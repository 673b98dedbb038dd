//! Statements and declarations of what is not known.

use super::super::names::{Meaning, NameSpace};
use super::super::{Checker, Operand};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Declaration, InitDeclarator, Name, Stmt};
use crate::typed::{AddressSpace, Expression, Shape, StatementKind, Variable};

impl<'a> Checker<'a> {
    /// A statement that is not understood: something unknown is done there.
    pub(in crate::check) fn unknown_statement(&mut self, reason: &Diagnostic, location: Location) -> StatementKind {
        self.note_unknown(reason);
        let made = self.called("a statement", &[], location);
        StatementKind::Expression(made.expression)
    }

    /// `return` of something that cannot be returned.
    pub(in crate::check) fn unknown_return(
        &mut self,
        wrong: &Diagnostic,
        has_value: bool,
        location: Location,
    ) -> StatementKind {
        self.note_unknown(wrong);
        let result = match self.state.result {
            Some(result) => result,
            None if has_value => {
                // What an `auto` function returns nothing says then.
                let unknown = self.unknown_type();
                self.returns(unknown);
                unknown
            }
            None => return StatementKind::Return(None),
        };
        let of = self.type_of(result);
        match self.build().shape(of) {
            Shape::Void => StatementKind::Return(None),
            _ => StatementKind::Return(Some(self.build().found("a result", of, location))),
        }
    }

    /// A variable whose declaration is not understood.
    pub(in crate::check) fn unknown_variable(
        &mut self,
        declarator: &'a InitDeclarator,
        location: Location,
    ) -> StatementKind {
        let bound = declarator.bindings.iter().map(|&(name, _)| name);
        let names: Vec<Name> = declarator.declarator.name.into_iter().chain(bound).collect();
        let mut first = None;
        let mut parts = Vec::with_capacity(names.len());
        for name in names {
            if self.state.names.find_here(name, NameSpace::Ordinary).is_none() {
                let (variable, filled) = self.unknown_variable_named(name, location);
                first.get_or_insert(variable);
                parts.push(filled);
            }
        }
        match first {
            Some(first) => StatementKind::Declare(first, Some(self.sequence(&parts, location))),
            None => StatementKind::Empty,
        }
    }

    /// A variable of which nothing is known, and what fills it.
    fn unknown_variable_named(&mut self, name: Name, location: Location) -> (Variable, Expression) {
        let written = self.unknown_type();
        let of = self.type_of(written);
        let variable = self.new_variable(&self.name_text(name), of, None, location);
        let place = self.build().variable(variable, location);
        let place = Operand { expression: place, written: written.in_space(AddressSpace::Private) };
        self.state.names.declare(name, NameSpace::Ordinary, Meaning::Variable(variable, place.written), location);
        let filled = self.unknown_initializer(place, None, location);
        (variable, filled)
    }

    /// A `for` over something unknown: it goes on for as long as nobody knows, each time with an unknown element.
    pub(in crate::check) fn unknown_range(
        &mut self,
        variable: &'a Declaration,
        range: Operand,
        body: Stmt,
        location: Location,
        end: Location,
    ) -> StatementKind {
        if !self.is_unknown(range.written) {
            let message = format!("a `for` over a `{}`", self.name_of(range.written));
            self.note_unknown(&Diagnostic::unsupported(location, message));
        }
        let bool = self.program.types.bool();
        let condition = self.build().found("a range", bool, location);
        let around = self.new_statement(location, end);
        let mut parts = Vec::new();
        for declarator in &variable.declarators {
            let declare = self.new_statement(location, end);
            self.state.body.statements[declare].kind =
                self.unknown_variable(declarator, declarator.declarator.location);
            parts.push(declare);
        }
        parts.push(self.loop_body(body));
        self.state.body.statements[around].kind = StatementKind::Compound(parts);
        StatementKind::For { init: None, condition: Some(condition), step: None, body: around }
    }
}
