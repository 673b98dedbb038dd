//! Statements: blocks and jumps.

use reconverge_ir::origin::Condition;

use super::function::{Exits, FunctionText, result};
use super::names;
use super::writer::{Block, Of, Pointer, Terminator};
use crate::typed::{
    BinaryOperator, Expression, ExpressionKind, Label, Statement, StatementData, StatementKind, TypeKind,
};

impl<'c> FunctionText<'c> {
    /// Writes a statement. What stands behind a jump and has no label is written, too, but nothing goes there.
    pub(super) fn statement(&mut self, statement: Statement) {
        let data = &self.body.statements[statement];
        self.location = data.location;
        self.text.origin = None;
        match &data.kind {
            StatementKind::Compound(parts) => {
                self.begin_statement(statement);
                for &part in parts {
                    self.statement(part);
                }
            }
            StatementKind::Case { body, .. } | StatementKind::Default { body } => {
                let block = self.case_block(statement);
                self.enter(block);
                self.begin_statement(statement);
                self.statement(*body);
            }
            &StatementKind::Label { label, body } => {
                let block = self.label_block(label);
                self.enter(block);
                self.begin_statement(statement);
                self.statement(body);
            }
            _ => {
                self.begin_statement(statement);
                self.inner(statement, data);
            }
        }
    }

    /// What a statement does that has no label.
    fn inner(&mut self, statement: Statement, data: &'c StatementData) {
        match &data.kind {
            &StatementKind::Expression(expression) => self.full_effect(expression),
            &StatementKind::Declare(variable, Some(expression)) => {
                self.text.origin = self.declared(variable);
                self.full_effect(expression);
                self.text.origin = None;
            }
            &StatementKind::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise),
            StatementKind::Switch { condition, body, labels } => {
                self.switch(*condition, labels);
                self.switch_body(*body);
            }
            &StatementKind::While { condition, body } => self.while_statement(statement, condition, body),
            &StatementKind::DoWhile { body, condition } => self.do_statement(statement, body, condition),
            &StatementKind::For { init, condition, step, body } => {
                self.for_statement(statement, init, (condition, step), body);
            }
            &StatementKind::Goto(label) => {
                let block = self.label_block(label);
                self.branch_to(block);
            }
            &StatementKind::ComputedGoto(address) => self.computed_goto(address),
            StatementKind::Break => {
                if let Some(exits) = self.exits.last() {
                    self.branch_to(exits.leave);
                }
            }
            StatementKind::Continue => {
                if let Some(block) = self.exits.iter().rev().find_map(|exits| exits.again) {
                    self.branch_to(block);
                }
            }
            StatementKind::Return(value) => self.return_statement(*value, data),
            StatementKind::Empty | StatementKind::Declare(_, None) => {}
            StatementKind::Compound(_)
            | StatementKind::Case { .. }
            | StatementKind::Default { .. }
            | StatementKind::Label { .. } => {}
        }
    }

    /// A full expression whose value is not used.
    fn full_effect(&mut self, expression: Expression) {
        self.begin_expression(expression);
        self.effect(expression);
    }

    /// The block of a label.
    fn label_block(&mut self, label: Label) -> Block {
        if let Some(block) = self.labels[label] {
            return block;
        }
        let block = self.text.create(names::LABEL);
        self.labels[label] = Some(block);
        block
    }

    /// Goes to one of the labels whose addresses are taken.
    fn computed_goto(&mut self, address: Expression) {
        self.begin_expression(address);
        let value = self.value(address);
        let space = self.space_of(self.body.expressions[address].of);
        let value = match space {
            0 => value,
            _ => result!(self, "addrspacecast ", Pointer(space), value, " to ptr"),
        };
        let blocks: Vec<(i128, Block)> =
            self.body.addressed.iter().map(|&label| (0, self.label_block(label))).collect();
        let blocks = self.text.cases(blocks);
        let decision = self.decision(Condition::Goto, address);
        self.decide(Terminator::Indirect(value, blocks), decision);
    }

    /// The blocks of labels whose addresses are taken: they have the names by which [`names::label`] knows them.
    pub(super) fn addressed_labels(&mut self) {
        if self.body.addressed.is_empty() {
            return;
        }
        for label in self.body.labels.keys() {
            self.label_block(label);
        }
        for &label in &self.body.addressed {
            let block = self.label_block(label);
            self.text.keep(block);
        }
    }

    /// The block of a `case` or `default`.
    pub(super) fn case_block(&mut self, statement: Statement) -> Block {
        if let Some(block) = self.cases[statement] {
            return block;
        }
        let is_default = matches!(self.body.statements[statement].kind, StatementKind::Default { .. });
        let block = self.text.create(if is_default { "switch.default" } else { "switch.case" });
        self.cases[statement] = Some(block);
        block
    }

    fn open(&mut self, block: Block) {
        self.text.open(block);
    }

    fn if_statement(&mut self, condition: Expression, then: Statement, otherwise: Option<Statement>) {
        let yes = self.text.create("if.then");
        let no = otherwise.map(|_| self.text.create("if.else"));
        let end = self.text.create("if.end");
        self.begin_expression(condition);
        self.branch(Condition::If, condition, yes, no.unwrap_or(end));
        self.open(yes);
        self.statement(then);
        self.branch_to(end);
        if let (Some(no), Some(otherwise)) = (no, otherwise) {
            self.open(no);
            self.statement(otherwise);
            self.branch_to(end);
        }
        self.open(end);
    }

    fn switch_body(&mut self, body: Statement) {
        let end = self.exits.last().map(|exits| exits.leave);
        self.statement(body);
        self.exits.pop();
        if let Some(end) = end {
            self.enter(end);
        }
    }

    fn while_statement(&mut self, statement: Statement, condition: Expression, body: Statement) {
        let again = self.text.create("while.cond");
        let inside = self.text.create("while.body");
        let leave = self.text.create("while.end");
        self.enter(again);
        self.heart(statement);
        self.begin_expression(condition);
        self.branch(Condition::While, condition, inside, leave);
        self.open(inside);
        self.exits.push(Exits { leave, again: Some(again) });
        self.statement(body);
        self.exits.pop();
        self.branch_to(again);
        self.open(leave);
    }

    fn do_statement(&mut self, statement: Statement, body: Statement, condition: Expression) {
        let inside = self.text.create("do.body");
        let again = self.text.create("do.cond");
        let leave = self.text.create("do.end");
        self.enter(inside);
        self.heart(statement);
        self.exits.push(Exits { leave, again: Some(again) });
        self.statement(body);
        self.exits.pop();
        self.enter(again);
        self.location = self.body.expressions[condition].location;
        self.begin_expression(condition);
        self.branch(Condition::Do, condition, inside, leave);
        self.open(leave);
    }

    fn for_statement(
        &mut self,
        statement: Statement,
        init: Option<Statement>,
        (condition, step): (Option<Expression>, Option<Expression>),
        body: Statement,
    ) {
        if let Some(init) = init {
            self.statement(init);
        }
        let head = self.text.create("for.cond");
        let inside = condition.map(|_| self.text.create("for.body"));
        let again = step.map(|_| self.text.create("for.step"));
        let leave = self.text.create("for.end");
        self.enter(head);
        self.heart(statement);
        if let (Some(condition), Some(inside)) = (condition, inside) {
            self.begin_expression(condition);
            self.branch(Condition::For, condition, inside, leave);
            self.open(inside);
        }
        self.exits.push(Exits { leave, again: Some(again.unwrap_or(head)) });
        self.statement(body);
        self.exits.pop();
        if let (Some(step), Some(again)) = (step, again) {
            self.enter(again);
            self.location = self.body.expressions[step].location;
            self.full_effect(step);
        }
        self.branch_to(head);
        self.open(leave);
    }

    fn return_statement(&mut self, value: Option<Expression>, data: &'c StatementData) {
        let mut terminator = Terminator::ReturnVoid;
        if let Some(value) = value {
            self.begin_expression(value);
            let of = self.body.expressions[value].of;
            if matches!(self.context.program.types.kind(of), TypeKind::Void) {
                self.effect(value);
            } else {
                terminator = Terminator::Return(Of(of), self.value(value));
            }
        }
        self.location = data.location;
        self.close(terminator);
    }

    /// A condition for which `asks` asks: goes on to `yes` or `no`. Only what is needed is evaluated.
    pub(super) fn branch(&mut self, asks: Condition, condition: Expression, yes: Block, no: Block) {
        let data = &self.body.expressions[condition];
        match data.kind {
            ExpressionKind::Integer(value) => self.branch_to(if value == 0 { no } else { yes }),
            ExpressionKind::Not(inner) => self.branch(asks, inner, no, yes),
            ExpressionKind::And(first, second) => {
                let between = self.text.create("if.and");
                self.branch(Condition::And, first, between, no);
                self.second(between, asks, second, yes, no);
            }
            ExpressionKind::Or(first, second) => {
                let between = self.text.create("if.or");
                self.branch(Condition::Or, first, yes, between);
                self.second(between, asks, second, yes, no);
            }
            ExpressionKind::Comma(first, second) => {
                self.effect(first);
                self.branch(asks, second, yes, no);
            }
            _ => {
                let saved = std::mem::replace(&mut self.location, data.location);
                let value = self.value(condition);
                let decision = self.decision(asks, condition);
                self.decide(Terminator::Conditional(value, yes, no), decision);
                self.location = saved;
            }
        }
    }

    /// The second operand of `&&` and `||`, if anything goes there.
    fn second(&mut self, block: Block, asks: Condition, second: Expression, yes: Block, no: Block) {
        if self.text.is_referenced(block) {
            self.open(block);
            self.branch(asks, second, yes, no);
        }
    }

    /// Whether an operator is one of the shifts.
    pub(super) fn is_shift(operator: BinaryOperator) -> bool {
        matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight)
    }
}
