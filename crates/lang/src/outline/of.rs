//! The outline of a typed body. Without recursion over statements or expressions; linear in their number.

use super::{Builder, Node, NodeKind, Operation, Outline, OutlineMap};
use crate::builtins::mangle::as_written;
use crate::options::Dialect;
use crate::typed::{AtomicOperation, Body, Expression, ExpressionKind, Program, Statement, StatementKind as Typed};

/// How deep most bodies are, and how wide.
const ROOM: usize = 32;

/// The outline of a body, and which node each statement and full expression is. The body of a function without statements is an empty compound.
pub fn of_body(program: &Program, body: &Body) -> (Outline, OutlineMap) {
    let mut walk = Walk {
        program,
        body,
        // A statement has one full expression, or none.
        builder: Builder::with_capacity(2 * body.statements.len() + 1),
        map: OutlineMap::default(),
        breakable: Vec::new(),
        loops: Vec::new(),
        visits: Vec::with_capacity(ROOM),
        found: Vec::new(),
        previous: None,
    };
    walk.map.statements.resize(body.statements.len());
    walk.map.expressions.resize(body.expressions.len());
    match body.root {
        Some(root) => walk.statements(root),
        None => {
            walk.builder.open(Default::default());
            walk.builder.close(NodeKind::Compound(Box::default()));
        }
    }
    walk.jumps();
    (walk.builder.finish(), walk.map)
}

enum Task {
    Open(Statement),
    FullExpression(Expression),
    Close(Statement),
}

/// A part of a full expression, before its own parts are visited, or a call after they are.
enum Visit {
    Part(Expression),
    Call(Expression),
}

struct Walk<'a> {
    program: &'a Program,
    body: &'a Body,
    builder: Builder,
    map: OutlineMap,
    breakable: Vec<Node>,
    loops: Vec<Node>,
    /// For [`Walk::operations`]: empty, but with room.
    visits: Vec<Visit>,
    found: Vec<Operation>,
    /// For [`Walk::has_call`]: the full expression before.
    previous: Option<Expression>,
}

impl Walk<'_> {
    fn statements(&mut self, root: Statement) {
        let mut tasks = Vec::with_capacity(ROOM);
        tasks.push(Task::Open(root));
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(statement) => {
                    self.open(statement);
                    tasks.push(Task::Close(statement));
                    let first = tasks.len();
                    self.parts(statement, &mut tasks);
                    tasks[first..].reverse();
                }
                Task::FullExpression(expression) => {
                    let operations = match self.has_call(expression) {
                        true => self.operations(expression),
                        false => Box::default(),
                    };
                    let location = self.body.expressions[expression].location;
                    let node = self.builder.expression(operations, location);
                    self.map.expressions[expression] = node.into();
                }
                Task::Close(statement) => self.close(statement),
            }
        }
    }

    fn open(&mut self, statement: Statement) {
        let data = &self.body.statements[statement];
        let node = self.builder.open(data.location);
        self.builder.data(node).is_noconvergent = data.is_noconvergent;
        self.map.statements[statement] = Some(node);
        match data.kind {
            Typed::While { .. } | Typed::DoWhile { .. } | Typed::For { .. } => {
                self.breakable.push(node);
                self.loops.push(node);
            }
            Typed::Switch { .. } => self.breakable.push(node),
            _ => {}
        }
    }

    /// The parts of a statement in the order of their first tokens.
    fn parts(&self, statement: Statement, tasks: &mut Vec<Task>) {
        let full = |expression: &Expression| Task::FullExpression(*expression);
        match &self.body.statements[statement].kind {
            Typed::Empty | Typed::Goto(_) | Typed::Break | Typed::Continue => {}
            Typed::Compound(parts) => tasks.extend(parts.iter().map(|&part| Task::Open(part))),
            Typed::Expression(expression) => tasks.push(full(expression)),
            Typed::Declare(_, expression) | Typed::Return(expression) => tasks.extend(expression.iter().map(full)),
            Typed::If { condition, then, otherwise } => {
                tasks.extend([full(condition), Task::Open(*then)]);
                tasks.extend(otherwise.map(Task::Open));
            }
            Typed::Switch { condition, body, .. } | Typed::While { condition, body } => {
                tasks.extend([full(condition), Task::Open(*body)]);
            }
            Typed::Case { body, .. } | Typed::Default { body } | Typed::Label { body, .. } => {
                tasks.push(Task::Open(*body));
            }
            Typed::DoWhile { body, condition } => tasks.extend([Task::Open(*body), full(condition)]),
            Typed::For { init, condition, step, body } => {
                tasks.extend(init.map(Task::Open));
                tasks.extend(condition.iter().chain(step).map(full));
                tasks.push(Task::Open(*body));
            }
        }
    }

    fn close(&mut self, statement: Statement) {
        // Every part was opened before; one that is missing would be a defect of the typed program, and is left out.
        let node = |part: &Statement| self.map.statements[*part];
        let full = |part: &Expression| self.map.expressions[*part].expand();
        let own = self.map.statements[statement].unwrap_or(Node::from_u32(0));
        let or_own = |node: Option<Node>| node.unwrap_or(own);
        let kind = match &self.body.statements[statement].kind {
            Typed::Empty => NodeKind::Simple(None),
            Typed::Expression(expression) => NodeKind::Simple(full(expression)),
            Typed::Declare(_, expression) => NodeKind::Simple(expression.as_ref().and_then(full)),
            Typed::Compound(parts) => NodeKind::Compound(gathered(parts, node)),
            Typed::If { condition, then, otherwise } => NodeKind::If {
                condition: or_own(full(condition)),
                then: or_own(node(then)),
                otherwise: otherwise.as_ref().and_then(node),
            },
            Typed::Switch { condition, body, labels } => {
                self.breakable.pop();
                NodeKind::Switch {
                    condition: or_own(full(condition)),
                    body: or_own(node(body)),
                    labels: gathered(labels, node),
                    has_default: labels
                        .iter()
                        .any(|&label| matches!(self.body.statements[label].kind, Typed::Default { .. })),
                }
            }
            Typed::Case { body, .. } | Typed::Default { body } => NodeKind::Case(or_own(node(body))),
            Typed::Label { label, body } => {
                NodeKind::Label { name: self.body.labels[*label].name.as_str().into(), body: or_own(node(body)) }
            }
            Typed::While { condition, body } => {
                NodeKind::While { condition: or_own(full(condition)), body: or_own(node(body)) }
            }
            Typed::DoWhile { body, condition } => {
                NodeKind::DoWhile { body: or_own(node(body)), condition: or_own(full(condition)) }
            }
            Typed::For { init, condition, step, body } => NodeKind::For {
                init: init.as_ref().and_then(node),
                condition: condition.as_ref().and_then(full),
                step: step.as_ref().and_then(full),
                body: or_own(node(body)),
            },
            Typed::Goto(_) => NodeKind::Goto(own),
            Typed::Break => NodeKind::Break(or_own(self.breakable.last().copied())),
            Typed::Continue => NodeKind::Continue(or_own(self.loops.last().copied())),
            Typed::Return(expression) => NodeKind::Return(expression.as_ref().and_then(full)),
        };
        if kind.is_iteration() {
            self.breakable.pop();
            self.loops.pop();
        }
        self.builder.close(kind);
    }

    /// Gives every `goto` its label, which may come after it.
    fn jumps(&mut self) {
        for (statement, data) in &self.body.statements {
            if let Typed::Goto(label) = data.kind
                && let Some(node) = self.map.statements[statement]
                && let Some(target) = self.map.statements[self.body.labels[label].statement]
            {
                self.builder.data(node).kind = NodeKind::Goto(target);
            }
        }
    }

    /// Whether there may be a call in a full expression. Its parts have numbers from after the full expression before it, as both were made in the order
    /// of the text; most have none, and need not be walked through.
    fn has_call(&mut self, root: Expression) -> bool {
        let previous = self.previous.replace(root);
        let after = self.body.calls.partition_point(|&call| Some(call) <= previous);
        let has_call = previous.is_some_and(|previous| root < previous)
            || self.body.calls.get(after).is_some_and(|&call| call <= root);
        debug_assert!(has_call || self.operations(root).is_empty(), "a call in {root} is not found");
        has_call
    }

    /// The convergent operations of a full expression: operands before what they are operands of, in the order in which they are written; what
    /// is assigned before the place.
    fn operations(&mut self, root: Expression) -> Box<[Operation]> {
        let mut found = std::mem::take(&mut self.found);
        let mut visits = std::mem::take(&mut self.visits);
        visits.push(Visit::Part(root));
        while let Some(visit) = visits.pop() {
            let mut next = match visit {
                Visit::Part(expression) => Some(expression),
                Visit::Call(call) => {
                    found.extend(self.operation(call));
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
        let operations = found.drain(..).collect();
        (self.visits, self.found) = (visits, found);
        operations
    }

    fn operation(&self, call: Expression) -> Option<Operation> {
        let data = &self.body.expressions[call];
        let (is_convergent, name) = match data.kind {
            ExpressionKind::Call { function, convergent, .. } => {
                let function = &self.program.functions[function];
                (convergent.unwrap_or(function.is_convergent), as_written(&function.name))
            }
            ExpressionKind::CallPointer { .. } => {
                (!matches!(self.program.dialect, Dialect::C | Dialect::Cpp), "a function by its address")
            }
            _ => return None,
        };
        is_convergent.then(|| Operation { name: name.to_owned(), location: data.location })
    }
}

/// The nodes of some statements.
fn gathered(statements: &[Statement], node: impl Fn(&Statement) -> Option<Node>) -> Box<[Node]> {
    let mut nodes = Vec::with_capacity(statements.len());
    nodes.extend(statements.iter().filter_map(node));
    nodes.into()
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
