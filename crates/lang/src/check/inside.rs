//! Statements in expressions: `({ …; x; })`.
//!
//! **Definition.** The value is that of the last statement, if that is an expression. Declarations, expressions and `if`s are expressions themselves, one after the other: of an
//! `if` one of two. Loops and jumps in an expression are not supported, nor are objects that end there.

use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Condition, Stmt, StmtKind};
use crate::typed::{Conversion, Expression, ExpressionKind, Shape, Statement, StatementKind};

impl<'a> Checker<'a> {
    /// `({ …; x; })`.
    pub(super) fn statements_in_expression(&mut self, block: Stmt, location: Location) -> Outcome<Operand> {
        if self.state.function.is_empty() {
            return Err(Diagnostic::unsupported(location, "statements in an expression outside of a function"));
        }
        let mut parts = Vec::new();
        let last = self.evaluated(block, &mut parts)?;
        let Some(last) = last else {
            let made = self.discarded(&parts, location);
            return Ok(self.plain(made));
        };
        let value = self.value(last);
        parts.push(value.expression);
        Ok(Operand { expression: self.sequence(&parts, location), written: value.written })
    }

    /// What is evaluated for a statement; the operand is what its value would be, where it is an expression.
    fn evaluated(&mut self, stmt: Stmt, parts: &mut Vec<Expression>) -> Outcome<Option<Operand>> {
        let tree = self.tree;
        let data = &tree.statements[stmt];
        self.deeper(data.location)?;
        let live = self.state.live.len();
        let made = match &data.kind {
            _ if !tree.attributes(stmt).is_empty() => Err(Diagnostic::unsupported(
                data.location,
                "an attribute on a statement in an expression is not supported by the built-in front end",
            )),
            StmtKind::Empty => Ok(None),
            StmtKind::Expression(value) => self.expression(*value).map(Some),
            StmtKind::Declaration(declaration) => {
                self.declared_inside_of(&tree.declarations[*declaration], data.end, parts).map(|()| None)
            }
            StmtKind::Compound(inner) => {
                self.state.names.enter();
                let made = self.evaluated_all(inner.as_slice(&tree.parts), parts);
                self.state.names.leave();
                made
            }
            StmtKind::If { init, condition: Condition::Expression(asked), then, otherwise, is_constexpr: false }
                if init.is_none() =>
            {
                self.evaluated_if(*asked, *then, otherwise.expand(), data.location, parts).map(|()| None)
            }
            StmtKind::StaticAssert(condition) => self.static_assert(*condition, data.location).map(|()| None),
            _ => Err(Diagnostic::unsupported(
                data.location,
                "a loop, a jump or a label in an expression is not supported by the built-in front end",
            )),
        };
        self.state.depth -= 1;
        if self.state.live.len() > live {
            self.state.live.truncate(live);
            let message = "an object with a destructor in a block that is an expression";
            return Err(Diagnostic::unsupported(data.location, message));
        }
        made
    }

    fn evaluated_all(&mut self, all: &'a [Stmt], parts: &mut Vec<Expression>) -> Outcome<Option<Operand>> {
        let mut last: Option<Operand> = None;
        for &stmt in all {
            parts.extend(last.take().map(|operand| operand.expression));
            last = self.evaluated(stmt, parts)?;
        }
        Ok(last)
    }

    /// A declaration: what its variables start with.
    fn declared_inside_of(
        &mut self,
        declaration: &'a crate::tree::Declaration,
        end: Location,
        parts: &mut Vec<Expression>,
    ) -> Outcome<()> {
        let mut statements: Vec<Statement> = Vec::new();
        self.local_declaration(declaration, end, &mut statements)?;
        for statement in statements {
            let kind = std::mem::replace(&mut self.state.body.statements[statement].kind, StatementKind::Empty);
            match kind {
                StatementKind::Declare(_, made) => parts.extend(made),
                StatementKind::Expression(made) => parts.push(made),
                _ => {}
            }
        }
        Ok(())
    }

    fn evaluated_if(
        &mut self,
        asked: crate::tree::Expr,
        then: Stmt,
        otherwise: Option<Stmt>,
        location: Location,
        parts: &mut Vec<Expression>,
    ) -> Outcome<()> {
        let operand = self.operand(asked)?;
        let condition = self.condition(operand)?;
        let made = self.state.temporaries.len();
        let then = self.branch(Some(then), location)?;
        let otherwise = self.branch(otherwise, location)?;
        self.check_unconditional(made, location)?;
        let void = self.program.types.void();
        parts.push(self.build().push(ExpressionKind::Conditional(condition, then, otherwise), void, location));
        Ok(())
    }

    /// One of the two statements of an `if`, as an expression without a value.
    fn branch(&mut self, stmt: Option<Stmt>, location: Location) -> Outcome<Expression> {
        let mut parts = Vec::new();
        if let Some(stmt) = stmt {
            self.state.names.enter();
            let last = self.evaluated(stmt, &mut parts);
            self.state.names.leave();
            parts.extend(last?.map(|operand| operand.expression));
        }
        Ok(self.discarded(&parts, location))
    }

    /// Expressions one after the other, without a value.
    fn discarded(&mut self, parts: &[Expression], location: Location) -> Expression {
        let made = match parts {
            [] => self.build().int(0, location),
            _ => self.sequence(parts, location),
        };
        let void = self.program.types.void();
        match self.build().shape_of(made) {
            Shape::Void => made,
            _ => self.build().convert_to(Conversion::Discard, made, void),
        }
    }
}
