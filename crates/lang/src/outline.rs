//! The outline of a typed body. Without recursion over statements or expressions; linear in their number.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

use reconverge_outline::{Builder, Node, Operation, Outline, Shape};

use crate::builtins::mangle::as_written;
use crate::options::Dialect;
use crate::typed::{
    AtomicOperation, Body, Expression, ExpressionKind, Label, Program, Statement, StatementKind as Typed,
};

/// Which nodes the parts of a typed body are.
#[derive(Debug, Clone, Default)]
pub struct OutlineMap {
    statements: SecondaryMap<Statement, PackedOption<Node>>,
    /// The full expressions with their nodes, in the order of expressions.
    expressions: Box<[(Expression, Node)]>,
}

impl OutlineMap {
    /// The node of a statement.
    pub fn node_of_statement(&self, statement: Statement) -> Option<Node> {
        self.statements[statement].expand()
    }

    /// The node of a full expression; none for a part of one. O(log n).
    pub fn node_of(&self, expression: Expression) -> Option<Node> {
        let at = self.expressions.binary_search_by_key(&expression, |&(expression, _)| expression).ok()?;
        Some(self.expressions[at].1)
    }
}

/// The outline of a body, and which node each statement and full expression is. The body of a function without statements is an empty compound.
pub fn of_body(program: &Program, body: &Body) -> (Outline, OutlineMap) {
    Outliner::default().of_body(program, body)
}

/// Makes the outlines of many bodies in the same room.
#[derive(Debug, Default)]
pub struct Outliner {
    builder: Builder,
    tasks: Vec<Task>,
    breakable: Vec<Node>,
    loops: Vec<Node>,
    gotos: Vec<(Node, Label)>,
    expressions: Vec<(Expression, Node)>,
    /// For [`Walk::operations`]: empty, but with room.
    visits: Vec<Visit>,
    found: Vec<Operation>,
}

impl Outliner {
    /// [`of_body`]
    pub fn of_body(&mut self, program: &Program, body: &Body) -> (Outline, OutlineMap) {
        let mut statements = SecondaryMap::new();
        statements.resize(body.statements.len());
        let mut walk = Walk { program, body, room: self, statements, previous: None, calls: 0 };
        match body.root {
            Some(root) => walk.statements(root),
            None => {
                walk.room.builder.open(Default::default());
                walk.room.builder.close(Shape::Compound);
            }
        }
        walk.jumps();
        let statements = walk.statements;
        if !self.expressions.is_sorted() {
            self.expressions.sort_unstable();
        }
        let expressions = self.expressions.as_slice().into();
        self.expressions.clear();
        (self.builder.finish(), OutlineMap { statements, expressions })
    }
}

#[derive(Debug)]
enum Task {
    Open(Statement),
    FullExpression(Expression),
    Close(Statement),
}

/// A part of a full expression, before its own parts are visited, or a call after they are.
#[derive(Debug)]
enum Visit {
    Part(Expression),
    Call(Expression),
}

struct Walk<'a> {
    program: &'a Program,
    body: &'a Body,
    room: &'a mut Outliner,
    statements: SecondaryMap<Statement, PackedOption<Node>>,
    /// The full expression before.
    previous: Option<Expression>,
    /// How many of the body's calls have numbers up to it.
    calls: usize,
}

impl Walk<'_> {
    fn statements(&mut self, root: Statement) {
        let mut tasks = std::mem::take(&mut self.room.tasks);
        tasks.push(Task::Open(root));
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(statement) => self.open(statement, &mut tasks),
                Task::FullExpression(expression) => self.full_expression(expression),
                Task::Close(statement) => self.close(statement),
            }
        }
        self.room.tasks = tasks;
    }

    /// Begins a statement. What has no statements in it ends, too; else, its parts are to be done.
    fn open(&mut self, statement: Statement, tasks: &mut Vec<Task>) {
        let data = &self.body.statements[statement];
        let node = self.room.builder.open(data.location);
        if data.is_noconvergent {
            self.room.builder.mark_noconvergent(node);
        }
        self.statements[statement] = node.into();
        let or_own = |target: Option<&Node>| target.copied().unwrap_or(node);
        let (expression, shape) = match data.kind {
            Typed::Empty => (None, Shape::Simple),
            Typed::Expression(expression) => (Some(expression), Shape::Simple),
            Typed::Declare(_, expression) => (expression, Shape::Simple),
            Typed::Return(expression) => (expression, Shape::Return),
            Typed::Break => (None, Shape::Break(or_own(self.room.breakable.last()))),
            Typed::Continue => (None, Shape::Continue(or_own(self.room.loops.last()))),
            Typed::Goto(label) => {
                self.room.gotos.push((node, label));
                (None, Shape::Goto(node))
            }
            Typed::While { .. } | Typed::DoWhile { .. } | Typed::For { .. } => {
                self.room.breakable.push(node);
                self.room.loops.push(node);
                return self.parts(statement, tasks);
            }
            Typed::Switch { .. } => {
                self.room.breakable.push(node);
                return self.parts(statement, tasks);
            }
            _ => return self.parts(statement, tasks),
        };
        if let Some(expression) = expression {
            self.full_expression(expression);
        }
        self.room.builder.close(shape);
    }

    /// What is to be done for the parts of a statement: the last one first.
    fn parts(&self, statement: Statement, tasks: &mut Vec<Task>) {
        use Task::{FullExpression, Open};
        tasks.push(Task::Close(statement));
        match self.body.statements[statement].kind {
            Typed::Compound(ref parts) => tasks.extend(parts.iter().rev().map(|&part| Open(part))),
            Typed::If { condition, then, otherwise } => {
                tasks.extend(otherwise.map(Open));
                tasks.extend([Open(then), FullExpression(condition)]);
            }
            Typed::Switch { condition, body, .. } | Typed::While { condition, body } => {
                tasks.extend([Open(body), FullExpression(condition)]);
            }
            Typed::Case { body, .. } | Typed::Default { body } | Typed::Label { body, .. } => tasks.push(Open(body)),
            Typed::DoWhile { body, condition } => tasks.extend([FullExpression(condition), Open(body)]),
            Typed::For { init, condition, step, body } => {
                tasks.push(Open(body));
                tasks.extend(step.into_iter().chain(condition).map(FullExpression));
                tasks.extend(init.map(Open));
            }
            // They were done at once.
            Typed::Empty
            | Typed::Expression(_)
            | Typed::Declare(..)
            | Typed::Return(_)
            | Typed::Goto(_)
            | Typed::Break
            | Typed::Continue => {}
        }
    }

    fn full_expression(&mut self, expression: Expression) {
        if self.may_have_operations(expression) {
            self.operations(expression);
        }
        let location = self.body.expressions[expression].location;
        let node = self.room.builder.expression(self.room.found.drain(..), location);
        self.room.expressions.push((expression, node));
    }

    fn close(&mut self, statement: Statement) {
        let builder = &mut self.room.builder;
        let shape = match &self.body.statements[statement].kind {
            Typed::If { .. } => Shape::If,
            Typed::Switch { labels, .. } => {
                self.room.breakable.pop();
                let is_default = |label: &Statement| matches!(self.body.statements[*label].kind, Typed::Default { .. });
                let mut nodes = Vec::with_capacity(labels.len());
                nodes.extend(labels.iter().filter_map(|&label| self.statements[label].expand()));
                builder.labels(nodes, labels.iter().any(is_default))
            }
            Typed::Case { .. } | Typed::Default { .. } => Shape::Case,
            Typed::Label { label, .. } => builder.name(&self.body.labels[*label].name),
            Typed::While { .. } => Shape::While,
            Typed::DoWhile { .. } => Shape::DoWhile,
            Typed::For { init, condition, step, .. } => {
                Shape::For { has_init: init.is_some(), has_condition: condition.is_some(), has_step: step.is_some() }
            }
            _ => Shape::Compound,
        };
        if matches!(shape, Shape::While | Shape::DoWhile | Shape::For { .. }) {
            self.room.breakable.pop();
            self.room.loops.pop();
        }
        builder.close(shape);
    }

    /// Gives every `goto` its label, which may come after it.
    fn jumps(&mut self) {
        for (goto, label) in self.room.gotos.drain(..) {
            if let Some(target) = self.statements[self.body.labels[label].statement].expand() {
                self.room.builder.set_label(goto, target);
            }
        }
    }

    /// Whether there may be a convergent operation in a full expression. Its parts have numbers from after the full expression before it, as both were made
    /// in the order of the text; most have no call that is one, and need not be walked through.
    fn may_have_operations(&mut self, root: Expression) -> bool {
        let body = self.body;
        let is_behind = self.previous.replace(root).is_none_or(|previous| previous < root);
        if !is_behind {
            self.calls = body.calls.partition_point(|&call| call <= root);
            return true;
        }
        let calls = body.calls[self.calls..].iter().take_while(|&&call| call <= root);
        let (count, has_operation) = calls
            .fold((0, false), |(count, has_operation), &call| (count + 1, has_operation || self.is_operation(call)));
        self.calls += count;
        debug_assert!(
            has_operation || {
                self.operations(root);
                self.room.found.is_empty()
            },
            "an operation in {root} is not found"
        );
        has_operation
    }

    /// Finds the convergent operations of a full expression: operands before what they are operands of, in the order in which they are written; what
    /// is assigned before the place.
    fn operations(&mut self, root: Expression) {
        let mut visits = std::mem::take(&mut self.room.visits);
        visits.push(Visit::Part(root));
        while let Some(visit) = visits.pop() {
            let mut next = match visit {
                Visit::Part(expression) => Some(expression),
                Visit::Call(call) => {
                    let operation = self.operation(call);
                    self.room.found.extend(operation);
                    None
                }
            };
            while let Some(expression) = next {
                let kind = &self.body.expressions[expression].kind;
                if let ExpressionKind::Call { .. } | ExpressionKind::CallPointer { .. } = kind {
                    visits.push(Visit::Call(expression));
                }
                next = first_operand(kind, &mut visits);
            }
        }
        self.room.visits = visits;
    }

    fn is_operation(&self, call: Expression) -> bool {
        match self.body.expressions[call].kind {
            ExpressionKind::Call { function, convergent, .. } => {
                convergent.unwrap_or_else(|| self.program.functions[function].is_convergent)
            }
            ExpressionKind::CallPointer { .. } => !matches!(self.program.dialect, Dialect::C | Dialect::Cpp),
            _ => false,
        }
    }

    fn operation(&self, call: Expression) -> Option<Operation> {
        let data = &self.body.expressions[call];
        let name = match data.kind {
            ExpressionKind::Call { function, .. } => as_written(&self.program.functions[function].name),
            _ => "a function by its address",
        };
        self.is_operation(call).then(|| Operation { name: name.to_owned(), location: data.location })
    }
}

/// The part of an expression that is evaluated first. The others are pushed, so that the next one is on top.
fn first_operand(kind: &ExpressionKind, rest: &mut Vec<Visit>) -> Option<Expression> {
    use ExpressionKind as Kind;
    let mut push = |parts: &[Expression]| rest.extend(parts.iter().rev().map(|&part| Visit::Part(part)));
    match *kind {
        Kind::Integer(_)
        | Kind::LongInteger(_)
        | Kind::Float(_)
        | Kind::Zero
        | Kind::Variable(_)
        | Kind::Global(_)
        | Kind::Function(_)
        | Kind::Fence(..) => None,
        Kind::Dereference(a)
        | Kind::Field { base: a, .. }
        | Kind::Lanes { base: a, .. }
        | Kind::Load(a)
        | Kind::AddressOf(a)
        | Kind::Decay(a)
        | Kind::Negate(a)
        | Kind::Complement(a)
        | Kind::Not(a)
        | Kind::Step { place: a, .. }
        | Kind::Convert(_, a)
        | Kind::Splat(a)
        | Kind::InitializeZero(a) => Some(a),
        Kind::Lane(a, b)
        | Kind::PointerOffset(a, b)
        | Kind::PointerDifference(a, b)
        | Kind::Arithmetic(_, a, b)
        | Kind::Compare(_, a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Comma(a, b)
        | Kind::Assign(b, a)
        | Kind::CompoundAssign(_, b, a) => {
            push(&[b]);
            Some(a)
        }
        Kind::Conditional(a, b, c) | Kind::Select(a, b, c) => {
            push(&[b, c]);
            Some(a)
        }
        Kind::VectorOf(ref parts) | Kind::AggregateOf(ref parts) | Kind::Call { arguments: ref parts, .. } => {
            let (&first, others) = parts.split_first()?;
            push(others);
            Some(first)
        }
        Kind::CallPointer { pointer, ref arguments } => {
            push(arguments);
            Some(pointer)
        }
        Kind::Atomic(ref atomic) => {
            match atomic.operation {
                AtomicOperation::Load => {}
                AtomicOperation::Store(value) | AtomicOperation::Update(_, value) => push(&[value]),
                AtomicOperation::CompareExchange { expected, new } => push(&[expected, new]),
            }
            Some(atomic.pointer)
        }
    }
}
