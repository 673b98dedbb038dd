//! Typed programs from outlines: a full expression is a chain of calls, of `op` for each operation, else of `quiet`.

use cranelift_entity::SecondaryMap;
use reconverge_lang::lower::FunctionPlan;
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::outline;
use reconverge_lang::source::Location;
use reconverge_lang::typed::{
    BinaryOperator, Body, Builder, Expression, Function, FunctionData, Label, LabelData, LaunchBounds, MemoryEffects,
    Program, Statement, StatementData, StatementKind, Type, TypeKind,
};
use reconverge_outline::convergence;
use reconverge_outline::{Node, NodeKind, Outline};

struct Converter<'a> {
    program: &'a mut Program,
    body: Body,
    outline: &'a Outline,
    op: Function,
    quiet: Function,
    labels: SecondaryMap<Node, Option<Label>>,
}

/// A program with the kernel `k`, whose body has an outline, and its plan.
pub(crate) fn program(outline: &Outline, dialect: Dialect, target: LowerTarget) -> Program {
    let mut program = Program::new(dialect, target);
    let int = program.types.integer(32, true);
    let void = program.types.void();
    let of = program.types.intern(TypeKind::Function { result: int, parameters: vec![int], variadic: false });
    let op = program.functions.push(declared("op", of, true));
    let quiet = program.functions.push(declared("quiet", of, false));
    let kernel = program.types.intern(TypeKind::Function { result: void, parameters: vec![], variadic: false });
    let mut converter =
        Converter { program: &mut program, body: Body::default(), outline, op, quiet, labels: SecondaryMap::new() };
    let root = converter.statement(outline.body());
    converter.body.root = Some(root);
    let body = converter.body;
    program.functions.push(FunctionData { is_kernel: true, body: Some(body), ..declared("k", kernel, true) });
    program
}

/// A function without a body.
pub(crate) fn declared(name: &str, of: Type, is_convergent: bool) -> FunctionData {
    FunctionData {
        name: name.to_owned(),
        linkage_name: name.to_owned(),
        of,
        is_kernel: false,
        is_internal: false,
        is_convergent,
        memory: MemoryEffects::Unknown,
        bounds: LaunchBounds::default(),
        is_noinline: false,
        is_expanded: false,
        unknown: Vec::new(),
        open: Vec::new(),
        body: None,
        location: Location::NONE,
    }
}

/// The plans of all functions with bodies.
pub(crate) fn plans(program: &Program) -> SecondaryMap<Function, Option<FunctionPlan>> {
    let mut plans = SecondaryMap::new();
    for (function, data) in &program.functions {
        if let Some(body) = &data.body {
            let (outline, map) = outline::of_body(program, body);
            let plan = convergence::plan(&outline);
            plans[function] = Some(FunctionPlan { outline, map, plan });
        }
    }
    plans
}

impl Converter<'_> {
    fn call(&mut self, function: Function, number: u32, location: Location) -> Expression {
        let mut build = Builder { program: self.program, body: &mut self.body };
        let argument = build.int(number as i32, location);
        build.call(function, vec![argument], location)
    }

    /// A full expression: an int.
    fn expression(&mut self, node: Node) -> Expression {
        let data = &self.outline.nodes[node];
        let location = data.location;
        let mut whole = None;
        for number in 0..self.outline.operations(node).len() as u32 {
            let call = self.call(self.op, 100 * node.as_u32() + number, location);
            let mut build = Builder { program: self.program, body: &mut self.body };
            whole = Some(match whole {
                // Both are evaluated, or the second one only where the first is not zero.
                Some(before) if node.as_u32().is_multiple_of(2) => build.comma(before, call, location),
                Some(before) => {
                    let both = build.logical(BinaryOperator::LogicalAnd, before, call, location).unwrap();
                    let int = build.program.types.integer(32, true);
                    build.convert(both, int).unwrap()
                }
                None => call,
            });
        }
        whole.unwrap_or_else(|| self.call(self.quiet, node.as_u32(), location))
    }

    /// A full expression: a bool.
    fn condition(&mut self, node: Node) -> Expression {
        let value = self.expression(node);
        let mut build = Builder { program: self.program, body: &mut self.body };
        build.condition(value).unwrap()
    }

    fn label(&mut self, node: Node) -> Label {
        if let Some(label) = self.labels[node] {
            return label;
        }
        let statement = Statement::from_u32(0);
        let label = self.body.labels.push(LabelData { name: format!("l{node}"), statement });
        self.labels[node] = Some(label);
        label
    }

    fn statement(&mut self, node: Node) -> Statement {
        let data = &self.outline.nodes[node];
        let statement = self.body.statements.push(StatementData {
            kind: StatementKind::Empty,
            is_noconvergent: data.is_noconvergent,
            location: data.location,
            end: data.location,
        });
        let kind = self.kind(node, statement);
        self.body.statements[statement].kind = kind;
        statement
    }

    fn kind(&mut self, node: Node, statement: Statement) -> StatementKind {
        match &self.outline.kind(node) {
            NodeKind::Expression | NodeKind::Evaluation => unreachable!("an expression is no statement"),
            NodeKind::Simple(None) => StatementKind::Empty,
            NodeKind::Simple(Some(part)) => StatementKind::Expression(self.expression(*part)),
            NodeKind::Compound => {
                StatementKind::Compound(self.outline.parts(node).map(|part| self.statement(part)).collect())
            }
            &NodeKind::If { condition, then, otherwise } => StatementKind::If {
                condition: self.condition(condition),
                then: self.statement(then),
                otherwise: otherwise.map(|part| self.statement(part)),
            },
            NodeKind::Switch { condition, body, labels, .. } => {
                let condition = self.expression(*condition);
                let first = self.body.statements.len();
                let body = self.statement(*body);
                // The labels are cases of this switch in the order of the outline; their values are their places in it.
                let found: Vec<Statement> = self.cases(first, labels);
                StatementKind::Switch { condition, body, labels: found.into() }
            }
            &NodeKind::Case(part) => {
                let (value, is_default) = self.case_value(node);
                let body = self.statement(part);
                if is_default {
                    StatementKind::Default { body }
                } else {
                    StatementKind::Case { values: Box::new((value, value)), body }
                }
            }
            NodeKind::Label { body, .. } => {
                let label = self.label(node);
                self.body.labels[label].statement = statement;
                StatementKind::Label { label, body: self.statement(*body) }
            }
            &NodeKind::While { condition, body } => {
                StatementKind::While { condition: self.condition(condition), body: self.statement(body) }
            }
            &NodeKind::DoWhile { body, condition } => {
                let body = self.statement(body);
                StatementKind::DoWhile { body, condition: self.condition(condition) }
            }
            &NodeKind::For { init, condition, step, body } => StatementKind::For {
                init: init.map(|part| self.statement(part)),
                condition: condition.map(|part| self.condition(part)),
                step: step.map(|part| self.expression(part)),
                body: self.statement(body),
            },
            &NodeKind::Goto(target) => StatementKind::Goto(self.label(target)),
            NodeKind::Break(_) => StatementKind::Break,
            NodeKind::Continue(_) => StatementKind::Continue,
            &NodeKind::Return(value) => {
                // The kernel returns nothing: the value is evaluated as one of type void.
                let value = value.map(|part| {
                    let value = self.expression(part);
                    let mut build = Builder { program: self.program, body: &mut self.body };
                    let void = build.program.types.void();
                    build.convert_to(reconverge_lang::typed::Conversion::Discard, value, void)
                });
                StatementKind::Return(value)
            }
        }
    }

    /// The switch that a case belongs to.
    fn case_value(&self, case: Node) -> (i128, bool) {
        let mut at = self.outline.parent(case);
        while let Some(node) = at {
            if let NodeKind::Switch { labels, has_default, .. } = &self.outline.kind(node)
                && let Some(position) = labels.iter().position(|&label| label == case)
            {
                return (position as i128, *has_default && position + 1 == labels.len());
            }
            at = self.outline.parent(node);
        }
        unreachable!("a case is in a switch")
    }

    /// The statements of cases, which were made behind `first` in the order of their nodes.
    fn cases(&self, first: usize, labels: &[Node]) -> Vec<Statement> {
        let mut statements = self
            .body
            .statements
            .iter()
            .skip(first)
            .filter(|(_, data)| matches!(data.kind, StatementKind::Case { .. } | StatementKind::Default { .. }))
            .map(|(statement, data)| (statement, data.location));
        labels
            .iter()
            .map(|&label| {
                let location = self.outline.nodes[label].location;
                statements.find(|&(_, at)| at == location).expect("each case is a statement").0
            })
            .collect()
    }
}
