//! Statements.
//!
//! **Invariant.** A statement gets its number before its parts do, so that numbers go by first tokens.

use super::names::{Meaning, NameSpace};
use super::state::{SwitchState, Target};
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Condition, Declaration, Expr, LargeKind, Stmt, StmtKind};
use crate::typed::{Expression, ExpressionKind, Shape, Statement, StatementData, StatementKind};

impl<'a> Checker<'a> {
    /// A statement that nothing is known of yet.
    pub(super) fn new_statement(&mut self, location: Location, end: Location) -> Statement {
        let data = StatementData { kind: StatementKind::Empty, is_noconvergent: false, location, end };
        self.state.body.statements.push(data)
    }

    pub(super) fn set(&mut self, statement: Statement, kind: StatementKind) {
        self.state.body.statements[statement].kind = kind;
    }

    /// A statement. What is wrong is reported, and it is empty then.
    pub(super) fn statement(&mut self, stmt: Stmt) -> Statement {
        let tree = self.tree;
        let data = &tree.statements[stmt];
        if let StmtKind::Declaration(declaration) = data.kind {
            return self.declaration_statement(&tree.declarations[declaration], data.location, data.end);
        }
        let statement = self.new_statement(data.location, data.end);
        if self.has_given_up {
            return statement;
        }
        self.state.finished.clear();
        let is_noconvergent = self.has(tree.attributes(stmt), "noconvergent");
        if is_noconvergent {
            self.state.body.statements[statement].is_noconvergent = true;
            self.state.noconvergent.push(statement);
        }
        let (live, outer) = (self.state.live.len(), std::mem::take(&mut self.state.temporaries));
        let outcome = self.deeper(data.location).and_then(|()| {
            let kind = self.statement_kind(statement, &data.kind, data.location, data.end);
            self.state.depth -= 1;
            match kind? {
                // What a label stands before is a part of the block around it.
                kind @ (StatementKind::Label { .. } | StatementKind::Case { .. } | StatementKind::Default { .. }) => {
                    Ok(kind)
                }
                kind => self.end_around(live, kind, data.location, data.end),
            }
        });
        if outcome.is_err() {
            self.state.live.truncate(live);
        }
        let outcome = match outcome {
            Ok(kind) => self.end_statement(kind, outer, data.location),
            Err(wrong) => {
                self.state.temporaries = outer;
                Err(wrong)
            }
        };
        match self.reported(outcome) {
            Ok(kind) => self.set(statement, kind),
            Err(wrong) if self.goes_on(&wrong) => {
                let kind = self.unknown_statement(&wrong, data.location);
                self.set(statement, kind);
            }
            Err(_) => {}
        }
        // What was evaluated in it is no operand of what follows, such as the condition of a `do`.
        self.state.finished.clear();
        if is_noconvergent {
            self.state.noconvergent.pop();
            let end = self.state.body.statements.next_key();
            self.state.closed.insert(statement, end);
        }
        statement
    }

    /// A declaration where one statement is wanted.
    fn declaration_statement(&mut self, declaration: &'a Declaration, location: Location, end: Location) -> Statement {
        let mut parts = Vec::new();
        // Several variables are several statements: one around them comes first.
        let around = (declaration.declarators.len() != 1).then(|| self.new_statement(location, end));
        let outcome = self.local_declaration(declaration, end, &mut parts);
        self.report(outcome);
        match around {
            Some(around) => {
                if !parts.is_empty() {
                    self.set(around, StatementKind::Compound(parts));
                }
                around
            }
            None => match parts.first() {
                Some(&only) => only,
                None => self.new_statement(location, end),
            },
        }
    }

    fn statement_kind(
        &mut self,
        statement: Statement,
        kind: &'a StmtKind,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        Ok(match kind {
            StmtKind::Empty => StatementKind::Empty,
            StmtKind::Compound(parts) => self.compound(parts.as_slice(&self.tree.parts), end),
            StmtKind::Expression(expr) => {
                if let Some(LargeKind::Unknown(parts)) = self.tree.large(*expr)
                    && parts.is_nothing()
                {
                    return Ok(self.unknown_statement(&parts.reason, location));
                }
                let operand = self.expression(*expr)?;
                StatementKind::Expression(operand.expression)
            }
            StmtKind::Declaration(_) => StatementKind::Empty,
            StmtKind::If { init, condition, then, otherwise, is_constexpr } => {
                self.state.names.enter();
                let (init, otherwise) = (init.expand(), otherwise.expand());
                let result = self.if_statement(init, condition, *then, otherwise, *is_constexpr, location, end);
                self.state.names.leave();
                result?
            }
            StmtKind::Switch { init, condition, body } => {
                self.state.names.enter();
                let result = self.switch_statement(init.expand(), condition, *body, location, end);
                self.state.names.leave();
                result?
            }
            StmtKind::Case { low, high, body } => self.case(statement, *low, *high, *body, location)?,
            StmtKind::Default { body } => self.default(statement, *body, location)?,
            StmtKind::Label { name, body } => self.label(statement, *name, *body, location)?,
            StmtKind::While { condition, body } => {
                self.state.names.enter();
                let result = self.while_statement(condition, *body, location, end);
                self.state.names.leave();
                result?
            }
            StmtKind::DoWhile { body, condition } => {
                let body = self.loop_body(*body);
                let condition = self.operand(*condition)?;
                StatementKind::DoWhile { body, condition: self.condition(condition)? }
            }
            StmtKind::For { init, condition, step, body } => {
                self.state.names.enter();
                let result = self.for_statement(init.expand(), condition.as_ref(), step.expand(), *body);
                self.state.names.leave();
                result?
            }
            StmtKind::RangeFor { variable, range, body } => {
                self.state.names.enter();
                let result = self.range_for(&self.tree.declarations[*variable], *range, *body, location, end);
                self.state.names.leave();
                result?
            }
            StmtKind::Goto(name) => self.goto(statement, *name, location),
            StmtKind::ComputedGoto(address) => self.computed_goto(statement, *address, location)?,
            StmtKind::Break => match self.state.targets.last() {
                Some(_) => {
                    let live = self.state.live_around.last().copied().unwrap_or(0);
                    self.leaving(live, StatementKind::Break, location, end)
                }
                None => return Err(Diagnostic::error(location, "`break` outside of a loop or `switch`")),
            },
            StmtKind::Continue => match self.state.targets.iter().rposition(|target| matches!(target, Target::Loop)) {
                Some(index) => {
                    let live = self.state.live_around.get(index).copied().unwrap_or(0);
                    self.leaving(live, StatementKind::Continue, location, end)
                }
                None => return Err(Diagnostic::error(location, "`continue` outside of a loop")),
            },
            StmtKind::Return(value) => match self.return_statement(*value, location) {
                Err(wrong) if self.goes_on(&wrong) => {
                    let kind = self.unknown_return(&wrong, value.is_some(), location);
                    self.returning(kind, location, end)?
                }
                made => self.returning(made?, location, end)?,
            },
            StmtKind::StaticAssert(condition) => {
                self.static_assert(*condition, location)?;
                StatementKind::Empty
            }
        })
    }

    /// `static_assert(condition)`.
    pub(super) fn static_assert(&mut self, condition: Expr, location: Location) -> Outcome<()> {
        let operand = self.operand(condition)?;
        let condition = self.condition(operand)?;
        match self.known_integer(condition, location)? {
            Some(0) => Err(Diagnostic::error(location, "the condition of a static assertion is false")),
            Some(_) => Ok(()),
            // It is about what a template's parameter stands for of which nothing says it, and holds in a program.
            None if !self.state.open.is_empty() => Ok(()),
            None => Err(Diagnostic::error(location, "the condition of a static assertion is not constant")),
        }
    }

    /// The parts of a compound statement, in a scope of their own.
    pub(super) fn compound(&mut self, parts: &'a [Stmt], end: Location) -> StatementKind {
        self.state.names.enter();
        let kind = self.compound_inside(parts, end);
        self.state.names.leave();
        kind
    }

    pub(super) fn compound_inside(&mut self, parts: &'a [Stmt], end: Location) -> StatementKind {
        let (tree, live) = (self.tree, self.state.live.len());
        let mut statements = Vec::with_capacity(parts.len());
        for &part in parts {
            match &tree.statements[part].kind {
                StmtKind::Declaration(declaration) => {
                    let declaration = &tree.declarations[*declaration];
                    let outcome = self.local_declaration(declaration, tree.statements[part].end, &mut statements);
                    self.report(outcome);
                }
                _ => statements.push(self.statement(part)),
            }
        }
        self.end_block(live, end, &mut statements);
        StatementKind::Compound(statements)
    }

    /// A statement that is a scope of its own.
    fn scoped(&mut self, stmt: Stmt) -> Statement {
        self.state.names.enter();
        let (live, data) = (self.state.live.len(), &self.tree.statements[stmt]);
        let statement = self.statement(stmt);
        if self.state.live.len() > live {
            let kind = self.state.body.statements[statement].kind.clone();
            let outcome = self.end_around(live, kind, data.location, data.end);
            if let Ok(kind) = self.reported(outcome) {
                self.set(statement, kind);
            }
        }
        self.state.names.leave();
        statement
    }

    pub(super) fn loop_body(&mut self, body: Stmt) -> Statement {
        self.state.targets.push(Target::Loop);
        self.state.live_around.push(self.state.live.len());
        let body = self.scoped(body);
        self.state.targets.pop();
        self.state.live_around.pop();
        body
    }

    /// What is done before a condition can be asked, in a compound around what asks it.
    fn before(
        &mut self,
        init: Option<Stmt>,
        condition: &'a Condition,
        location: Location,
        end: Location,
    ) -> Outcome<(Vec<Statement>, Option<Statement>, Operand)> {
        let mut first = Vec::new();
        if let Some(init) = init {
            first.push(self.statement(init));
        }
        let operand = match condition {
            Condition::Expression(condition) => {
                let inner = init.is_some().then(|| self.new_statement(location, end));
                return Ok((first, inner, self.operand(*condition)?));
            }
            Condition::Declaration(declaration) => {
                let declaration = &self.tree.declarations[*declaration];
                self.local_declaration(declaration, end, &mut first)?;
                self.declared_condition(declaration)?
            }
        };
        Ok((first, Some(self.new_statement(location, end)), operand))
    }

    /// The variable that a condition declares.
    fn declared_condition(&mut self, declaration: &'a Declaration) -> Outcome<Operand> {
        let named = declaration.declarators.first().and_then(|declarator| declarator.declarator.name);
        let meaning = named.and_then(|name| self.find(name, NameSpace::Ordinary)).map(|(meaning, _)| meaning.clone());
        match meaning {
            Some(Meaning::Variable(variable, written)) => {
                let expression = self.build().variable(variable, declaration.location);
                Ok(Operand { expression, written })
            }
            _ => Err(Diagnostic::error(declaration.location, "a condition declares one variable with a value")),
        }
    }

    /// Puts a statement in a compound after what is done first.
    fn around(&mut self, first: Vec<Statement>, inner: Option<Statement>, kind: StatementKind) -> StatementKind {
        let Some(inner) = inner else { return kind };
        self.set(inner, kind);
        let mut parts = first;
        parts.push(inner);
        StatementKind::Compound(parts)
    }

    #[allow(clippy::too_many_arguments)]
    fn if_statement(
        &mut self,
        init: Option<Stmt>,
        condition: &'a Condition,
        then: Stmt,
        otherwise: Option<Stmt>,
        is_constexpr: bool,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        let asked = self.before(init, condition, location, end);
        let asked = asked.and_then(|(first, inner, operand)| Ok((first, inner, self.condition(operand)?)));
        let known = match &asked {
            Ok((.., condition)) if is_constexpr => self.known_integer(*condition, location)?,
            _ => None,
        };
        if is_constexpr && (known.is_some() || !self.is_tolerant()) {
            let (mut first, inner, _) = asked?;
            return match known {
                None => Err(Diagnostic::error(location, "the condition of `if constexpr` is not constant")),
                Some(value) => {
                    let taken = if value != 0 { Some(then) } else { otherwise };
                    first.extend(inner);
                    if let Some(taken) = taken {
                        first.push(self.scoped(taken));
                    }
                    Ok(StatementKind::Compound(first))
                }
            };
        }
        // The branches are checked even if the condition is wrong.
        self.state.under_open_constants += u32::from(is_constexpr);
        let then = self.scoped(then);
        let otherwise = otherwise.map(|otherwise| self.scoped(otherwise));
        self.state.under_open_constants -= u32::from(is_constexpr);
        let (first, inner, mut condition) = asked?;
        if is_constexpr {
            // Nobody evaluates it in a thread: what it is is not known, and the same for all of them.
            let truth = self.program.types.bool();
            condition = self.build().computed(&[], truth, location);
        }
        Ok(self.around(first, inner, StatementKind::If { condition, then, otherwise }))
    }

    fn while_statement(
        &mut self,
        condition: &'a Condition,
        body: Stmt,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        match condition {
            Condition::Expression(condition) => {
                let operand = self.operand(*condition);
                let condition = operand.and_then(|operand| self.condition(operand));
                let body = self.loop_body(body);
                Ok(StatementKind::While { condition: condition?, body })
            }
            Condition::Declaration(declaration) => {
                // The variable is assigned each time the condition is asked.
                let declaration = &self.tree.declarations[*declaration];
                let mut first = Vec::new();
                self.local_declaration(declaration, end, &mut first)?;
                let operand = self.declared_condition(declaration)?;
                let mut condition = self.condition(operand)?;
                for &part in &first {
                    if let StatementKind::Declare(variable, filled) = self.state.body.statements[part].kind {
                        self.set(part, StatementKind::Declare(variable, None));
                        if let Some(filled) = filled {
                            condition = self.build().comma(filled, condition, location);
                        }
                    }
                }
                let inner = self.new_statement(location, end);
                let body = self.loop_body(body);
                Ok(self.around(first, Some(inner), StatementKind::While { condition, body }))
            }
        }
    }

    fn for_statement(
        &mut self,
        init: Option<Stmt>,
        condition: Option<&'a Condition>,
        step: Option<Expr>,
        body: Stmt,
    ) -> Outcome<StatementKind> {
        let init = init.map(|init| self.statement(init));
        if let Some(init) = init
            && self.is_tolerant()
            && let StatementKind::Declare(variable, _) = self.state.body.statements[init].kind
        {
            self.state.counters.push(variable);
        }
        let condition = match condition {
            None => Ok(None),
            Some(Condition::Expression(condition)) => {
                let operand = self.operand(*condition);
                operand.and_then(|operand| self.condition(operand)).map(Some)
            }
            Some(Condition::Declaration(declaration)) => {
                let message = "a variable in the condition of a `for` is not supported";
                Err(Diagnostic::unsupported(self.tree.declarations[*declaration].location, message))
            }
        };
        let step = step.map(|step| self.expression(step)).transpose();
        if let Ok(Some(step)) = &step
            && self.is_tolerant()
        {
            self.note_stepped(step.expression);
        }
        let body = self.loop_body(body);
        let step = step?.map(|step| step.expression);
        Ok(StatementKind::For { init, condition: condition?, step, body })
    }

    /// Notes the variables that the last part of a `for` steps.
    fn note_stepped(&mut self, step: Expression) {
        let place = match *self.build().kind(step) {
            ExpressionKind::Comma(first, second) => {
                self.note_stepped(first);
                return self.note_stepped(second);
            }
            ExpressionKind::Step { place, .. } | ExpressionKind::CompoundAssign(_, place, _) => place,
            _ => return,
        };
        if let ExpressionKind::Variable(variable) = *self.build().kind(place) {
            self.state.stepped.push(variable);
        }
    }

    fn switch_statement(
        &mut self,
        init: Option<Stmt>,
        condition: &'a Condition,
        body: Stmt,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        let asked = self.before(init, condition, location, end);
        let asked = asked.and_then(|(first, inner, operand)| {
            let (condition, of) = self.switch_value(operand, location)?;
            Ok((first, inner, condition, of))
        });
        // The labels are checked even if the condition is wrong.
        let of = match &asked {
            Ok((.., of)) => *of,
            Err(_) => {
                let int = self.program.types.integer(32, true);
                self.written_of(int)
            }
        };
        self.state.targets.push(Target::Switch(Box::new(SwitchState {
            of,
            labels: Vec::new(),
            values: std::collections::BTreeMap::new(),
            default: None,
            location,
            noconvergent: self.state.noconvergent.last().copied(),
        })));
        self.state.live_around.push(self.state.live.len());
        let body = self.scoped(body);
        self.state.live_around.pop();
        let labels = match self.state.targets.pop() {
            Some(Target::Switch(state)) => state.labels,
            _ => Vec::new(),
        };
        let (first, inner, condition, _) = asked?;
        Ok(self.around(first, inner, StatementKind::Switch { condition, body, labels: labels.into() }))
    }

    /// What a `switch` asks, after integer promotion; the type in which its labels are written.
    fn switch_value(&mut self, operand: Operand, location: Location) -> Outcome<(Expression, Written)> {
        let operand = self.as_number(operand, location)?;
        let value = self.value(operand);
        if self.is_enum_class(value.written) {
            return Ok((value.expression, value.written));
        }
        let promoted = self.arithmetic_value(operand)?;
        let mut expression = self.build().promote(promoted);
        if self.is_unknown(operand.written) {
            let int = self.program.types.integer(32, true);
            expression = self.computed_as(operand, int, location);
        }
        match self.build().shape_of(expression) {
            Shape::Integer { .. } => Ok((expression, self.plain(expression).written)),
            _ => {
                let name = self.name_of(operand.written);
                Err(Diagnostic::error(location, format!("a `switch` asks for an integer, not `{name}`")))
            }
        }
    }

    fn return_statement(&mut self, value: Option<Expr>, location: Location) -> Outcome<StatementKind> {
        let Some(result) = self.state.result else {
            return self.first_return(value, location);
        };
        let of = self.type_of(result);
        let is_void = self.build().shape(of) == Shape::Void;
        let Some(value) = value else {
            return match is_void {
                true => Ok(StatementKind::Return(None)),
                false => {
                    let name = self.name_of(result);
                    let message = format!("`{}` returns `{name}`, so `return` needs a value", self.state.function);
                    Err(Diagnostic::error(location, message))
                }
            };
        };
        if let FormKind::Reference(to, _) = *self.form(result) {
            let operand = self.chosen_place(value)?;
            let value = self.bind_argument(operand, to, of, location)?;
            return Ok(StatementKind::Return(Some(value)));
        }
        if is_void {
            let operand = self.operand(value)?;
            return match self.build().shape_of(operand.expression) {
                Shape::Void => Ok(StatementKind::Return(Some(operand.expression))),
                _ => {
                    let message = format!("`{}` returns nothing, so `return` has no value", self.state.function);
                    Err(Diagnostic::error(location, message))
                }
            };
        }
        let operand = self.operand_for(result, value)?;
        let at = self.tree.expressions[value].location;
        let value = match self.copied_result(operand, result, at) {
            Some(copied) => copied?,
            None => self.converted(operand, result, at)?,
        };
        Ok(StatementKind::Return(Some(value)))
    }

    /// Notes what the first `return` of an `auto` function says that it returns.
    pub(super) fn returns(&mut self, result: Written) {
        self.state.result = Some(result);
        if let Some(said) = self.state.body.function.and_then(|function| self.deducing.get_mut(&function)) {
            *said = Some(result);
        }
    }

    /// The `return` that says what an `auto` function returns.
    fn first_return(&mut self, value: Option<Expr>, location: Location) -> Outcome<StatementKind> {
        let Some(value) = value else {
            let void = self.program.types.void();
            let void = self.written_of(void);
            self.returns(void);
            return Ok(StatementKind::Return(None));
        };
        let operand = self.operand(value)?;
        let value = self.value(operand);
        let of = self.type_of(value.written);
        if self.build().shape(of) == Shape::Void {
            self.returns(value.written);
            return Ok(StatementKind::Return(Some(value.expression)));
        }
        self.complete(value.written, location)?;
        let result = value.written.unqualified();
        self.returns(result);
        let value = match self.copied_result(operand, result, location) {
            Some(copied) => copied?,
            None => value.expression,
        };
        Ok(StatementKind::Return(Some(value)))
    }
}
