//! The outline of a typed body. A computed `goto` is a `switch` on the address whose labels have a `goto` each, to the labels whose addresses are taken. Without recursion over statements or expressions; linear in their number.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

use reconverge_outline::{Builder, Evaluations, Node, Operation, Outline, Shape};

use crate::builtins::mangle::as_written;
use crate::options::Dialect;
use crate::source::Location;
use crate::typed::{
    AtomicOperation, Body, Expression, ExpressionKind, Label, Program, Statement, StatementKind as Typed,
};

/// Which nodes the parts of a typed body are.
#[derive(Debug, Clone, Default)]
pub struct OutlineMap {
    statements: SecondaryMap<Statement, PackedOption<Node>>,
    /// The full expressions with their nodes, in the order of expressions.
    expressions: Box<[(Expression, Node)]>,
    /// The calls that are evaluations in a full expression behind the first one, likewise.
    calls: Box<[(Expression, Node)]>,
}

impl OutlineMap {
    /// The node of a statement.
    pub fn node_of_statement(&self, statement: Statement) -> Option<Node> {
        self.statements[statement].expand()
    }

    /// The node of a full expression; none for a part of one. O(log n).
    pub fn node_of(&self, expression: Expression) -> Option<Node> {
        find(&self.expressions, expression)
    }

    /// The node of a call that is an evaluation behind the first one of its full expression. O(log n).
    pub fn evaluation_of(&self, call: Expression) -> Option<Node> {
        find(&self.calls, call)
    }
}

fn find(all: &[(Expression, Node)], expression: Expression) -> Option<Node> {
    let at = all.binary_search_by_key(&expression, |&(expression, _)| expression).ok()?;
    Some(all[at].1)
}

/// In the order of expressions; the room stays.
fn sorted(all: &mut Vec<(Expression, Node)>) -> Box<[(Expression, Node)]> {
    if !all.is_sorted() {
        all.sort_unstable();
    }
    all.drain(..).collect()
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
    calls: Vec<(Expression, Node)>,
    /// For [`Walk::evaluate`]: empty, but with room.
    visits: Vec<Visit>,
    evaluations: Evaluations,
    /// The calls of the full expression at hand that are operations.
    found: Vec<Expression>,
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
        let (expressions, calls) = (sorted(&mut self.expressions), sorted(&mut self.calls));
        (self.builder.finish(), OutlineMap { statements, expressions, calls })
    }
}

#[derive(Debug)]
enum Task {
    Open(Statement),
    FullExpression(Expression),
    Condition(Expression),
    Close(Statement),
}

/// What is to be done for a full expression.
#[derive(Debug)]
enum Visit {
    /// A part of it, before its own parts are visited.
    Part(Expression),
    /// A call, after they are.
    Call(Expression),
    /// Behind an operand on whose value it depends what comes next.
    Decide(Expression),
    /// Between the first two operands of `&&`, `||` and `?:`.
    OnlyIf(bool),
    /// Between the last two operands of `?:`.
    Otherwise,
    /// Behind the last operand of these.
    Join,
    /// Behind the operand of `!`.
    Negate,
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
                Task::FullExpression(expression) => self.full_expression(expression, false),
                Task::Condition(expression) => self.full_expression(expression, true),
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
            Typed::ComputedGoto(address) => {
                self.full_expression(address, false);
                let shape = self.goto_each(data.location);
                (None, shape)
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
            self.full_expression(expression, false);
        }
        self.room.builder.close(shape);
    }

    /// What stands behind the address of a computed `goto`: each label is that of a `goto` in a `switch` on it.
    fn goto_each(&mut self, location: Location) -> Shape {
        let builder = &mut self.room.builder;
        let mut cases = Vec::with_capacity(self.body.addressed.len());
        builder.open(location);
        for &label in &self.body.addressed {
            cases.push(builder.open(location));
            let goto = builder.open(location);
            self.room.gotos.push((goto, label));
            builder.close(Shape::Goto(goto));
            builder.close(Shape::Case);
        }
        builder.close(Shape::Compound);
        builder.labels(cases, true)
    }

    /// What is to be done for the parts of a statement: the last one first.
    fn parts(&self, statement: Statement, tasks: &mut Vec<Task>) {
        use Task::{Condition, FullExpression, Open};
        tasks.push(Task::Close(statement));
        match self.body.statements[statement].kind {
            Typed::Compound(ref parts) => tasks.extend(parts.iter().rev().map(|&part| Open(part))),
            Typed::If { condition, then, otherwise } => {
                tasks.extend(otherwise.map(Open));
                tasks.extend([Open(then), Condition(condition)]);
            }
            Typed::Switch { condition, body, .. } => tasks.extend([Open(body), FullExpression(condition)]),
            Typed::While { condition, body } => tasks.extend([Open(body), Condition(condition)]),
            Typed::Case { body, .. } | Typed::Default { body } | Typed::Label { body, .. } => tasks.push(Open(body)),
            Typed::DoWhile { body, condition } => tasks.extend([Condition(condition), Open(body)]),
            Typed::For { init, condition, step, body } => {
                tasks.push(Open(body));
                tasks.extend(step.map(FullExpression));
                tasks.extend(condition.map(Condition));
                tasks.extend(init.map(Open));
            }
            // They were done at once.
            Typed::Empty
            | Typed::Expression(_)
            | Typed::Declare(..)
            | Typed::Return(_)
            | Typed::Goto(_)
            | Typed::ComputedGoto(_)
            | Typed::Break
            | Typed::Continue => {}
        }
    }

    fn full_expression(&mut self, expression: Expression, is_condition: bool) {
        let location = self.body.expressions[expression].location;
        if !self.may_have_operations(expression) {
            let node = self.room.builder.expression(None, location);
            self.room.expressions.push((expression, node));
            return;
        }
        self.evaluate(expression);
        let room = &mut *self.room;
        let node = room.builder.evaluations(&mut room.evaluations, is_condition, location);
        room.expressions.push((expression, node));
        let calls = room.found.drain(..).zip(room.builder.operations(node));
        room.calls.extend(calls.filter(|&(_, evaluation)| evaluation != node));
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
                self.evaluate(root);
                self.room.found.is_empty()
            },
            "an operation in {root} is not found"
        );
        has_operation
    }

    /// Puts together the evaluations of a full expression: operands before what they are operands of, in the order in which they are written; what
    /// is assigned before the place.
    fn evaluate(&mut self, root: Expression) {
        let mut visits = std::mem::take(&mut self.room.visits);
        self.room.evaluations.begin(self.body.expressions[root].location);
        visits.extend([Visit::Decide(root), Visit::Part(root)]);
        while let Some(visit) = visits.pop() {
            let mut next = None;
            match visit {
                Visit::Part(expression) => next = Some(expression),
                Visit::Call(call) => {
                    if let Some(operation) = self.operation(call) {
                        self.room.evaluations.operation(operation);
                        self.room.found.push(call);
                    }
                }
                Visit::Decide(operand) => {
                    if !self.has_decided(operand) {
                        self.room.evaluations.decide(self.body.expressions[operand].location);
                    }
                }
                Visit::OnlyIf(value) => self.room.evaluations.only_if(value),
                Visit::Otherwise => self.room.evaluations.otherwise(),
                Visit::Join => self.room.evaluations.join(),
                Visit::Negate => self.room.evaluations.negate(),
            }
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

    /// Whether it is known where threads go on by the value of an expression: one that is made of operands that decide.
    fn has_decided(&self, mut expression: Expression) -> bool {
        use ExpressionKind::{And, Comma, Conditional, Not, Or};
        while let Comma(_, last) = self.body.expressions[expression].kind {
            expression = last;
        }
        matches!(self.body.expressions[expression].kind, And(..) | Or(..) | Not(_) | Conditional(..))
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
        let name = match (&data.kind, self.body.written_call(call)) {
            (_, Some(written)) => written.name.clone(),
            (ExpressionKind::Call { function, .. }, None) => {
                as_written(&self.program.functions[*function].name).into_owned()
            }
            _ => "a function by its address".to_owned(),
        };
        self.is_operation(call).then_some(Operation { name, location: data.location })
    }
}

/// The part of an expression that is evaluated first. The others are pushed, so that the next one is on top.
fn first_operand(kind: &ExpressionKind, rest: &mut Vec<Visit>) -> Option<Expression> {
    use ExpressionKind as Kind;
    let push =
        |rest: &mut Vec<Visit>, parts: &[Expression]| rest.extend(parts.iter().rev().map(|&part| Visit::Part(part)));
    match *kind {
        Kind::Integer(_)
        | Kind::LongInteger(_)
        | Kind::Float(_)
        | Kind::Zero
        | Kind::Variable(_)
        | Kind::Global(_)
        | Kind::Function(_)
        | Kind::LabelAddress(_)
        | Kind::Fence(..) => None,
        Kind::Dereference(a)
        | Kind::Field { base: a, .. }
        | Kind::Lanes { base: a, .. }
        | Kind::Load(a)
        | Kind::AddressOf(a)
        | Kind::Decay(a)
        | Kind::Negate(a)
        | Kind::Complement(a)
        | Kind::Step { place: a, .. }
        | Kind::Convert(_, a)
        | Kind::Splat(a)
        | Kind::InitializeZero(a) => Some(a),
        Kind::Lane(a, b)
        | Kind::PointerOffset(a, b)
        | Kind::PointerDifference(a, b)
        | Kind::Arithmetic(_, a, b)
        | Kind::Compare(_, a, b)
        | Kind::Comma(a, b)
        | Kind::Assign(b, a)
        | Kind::CompoundAssign(_, b, a) => {
            push(rest, &[b]);
            Some(a)
        }
        Kind::Not(a) => {
            rest.extend([Visit::Negate, Visit::Decide(a)]);
            Some(a)
        }
        Kind::And(a, b) | Kind::Or(a, b) => {
            let goes_on = Visit::OnlyIf(matches!(kind, Kind::And(..)));
            rest.extend([Visit::Join, Visit::Decide(b), Visit::Part(b), goes_on, Visit::Decide(a)]);
            Some(a)
        }
        Kind::Conditional(a, b, c) => {
            rest.extend([Visit::Join, Visit::Decide(c), Visit::Part(c), Visit::Otherwise]);
            rest.extend([Visit::Decide(b), Visit::Part(b), Visit::OnlyIf(true), Visit::Decide(a)]);
            Some(a)
        }
        Kind::Select(a, b, c) => {
            push(rest, &[b, c]);
            Some(a)
        }
        Kind::VectorOf(ref parts) | Kind::AggregateOf(ref parts) | Kind::Call { arguments: ref parts, .. } => {
            let (&first, others) = parts.split_first()?;
            push(rest, others);
            Some(first)
        }
        Kind::CallPointer { pointer, ref arguments } => {
            push(rest, arguments);
            Some(pointer)
        }
        Kind::Atomic(ref atomic) => {
            match atomic.operation {
                AtomicOperation::Load => {}
                AtomicOperation::Store(value) | AtomicOperation::Update(_, value) => push(rest, &[value]),
                AtomicOperation::CompareExchange { expected, new } => push(rest, &[expected, new]),
            }
            Some(atomic.pointer)
        }
    }
}
