//! The outline of a typed body.

use cranelift_entity::EntityRef;
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::outline::of_body;
use reconverge_lang::source::Location;
use reconverge_lang::typed::{
    Body, Expression, ExpressionData, ExpressionKind, Function, FunctionData, LabelData, LaunchBounds, MemoryEffects,
    Program, Statement, StatementData, StatementKind, Type,
};
use reconverge_outline::{Node, NodeData, NodeKind, Outline, sketch};

/// Makes a body; a location is the number of what was made before it.
struct Maker {
    program: Program,
    body: Body,
    void: Type,
}

impl Maker {
    fn new() -> Maker {
        let mut program = Program::new(Dialect::OpenCl, LowerTarget::Spirv);
        let void = program.types.void();
        Maker { program, body: Body::default(), void }
    }

    fn function(&mut self, name: &str, is_convergent: bool) -> Function {
        self.program.functions.push(FunctionData {
            name: name.to_owned(),
            linkage_name: name.to_owned(),
            of: self.void,
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
        })
    }

    fn location(&self) -> Location {
        Location((self.body.statements.len() + self.body.expressions.len()) as u32 + 1)
    }

    fn expression(&mut self, kind: ExpressionKind) -> Expression {
        let data = ExpressionData { kind, of: self.void, location: self.location() };
        self.body.push(data)
    }

    fn call(&mut self, function: Function, arguments: Vec<Expression>, convergent: Option<bool>) -> Expression {
        self.expression(ExpressionKind::Call { function, convergent, arguments: arguments.into() })
    }

    fn named(&mut self, name: &str) -> Expression {
        let function = self.function(name, true);
        self.call(function, Vec::new(), None)
    }

    /// A statement whose parts come later.
    fn statement(&mut self) -> Statement {
        let location = self.location();
        let data = StatementData { kind: StatementKind::Empty, is_noconvergent: false, location, end: location };
        self.body.statements.push(data)
    }

    fn set(&mut self, statement: Statement, kind: StatementKind) {
        self.body.statements[statement].kind = kind;
    }

    fn simple(&mut self, name: &str) -> Statement {
        let statement = self.statement();
        let call = self.named(name);
        self.set(statement, StatementKind::Expression(call));
        statement
    }
}

/// What two nodes have in common when only places differ.
type Shape<'a> = (NodeKind<'a>, Option<Node>, Node, bool, Vec<String>);

fn shape(outline: &Outline) -> Vec<Shape<'_>> {
    let names = |node: Node| outline.operation(node).iter().map(|operation| operation.name.clone()).collect();
    let node = |(node, data): (Node, &NodeData)| {
        (outline.kind(node), data.parent(), data.end, data.is_noconvergent, names(node))
    };
    outline.nodes.iter().map(node).collect()
}

#[test]
fn a_body_with_every_jump_has_the_outline_of_its_sketch() {
    let mut make = Maker::new();
    let root = make.statement();
    let label = make.statement();
    let number = make.body.labels.push(LabelData { name: "again".to_owned(), statement: label });
    let first = make.simple("first");
    make.set(label, StatementKind::Label { label: number, body: first });

    let repeat = make.statement();
    let (init, turn, step) = (make.simple("start"), make.named("turn"), make.named("step"));
    let block = make.statement();
    let branch = make.statement();
    let flag = make.named("flag");
    let leave = make.statement();
    make.set(leave, StatementKind::Break);
    let other = make.statement();
    make.set(other, StatementKind::Continue);
    make.set(branch, StatementKind::If { condition: flag, then: leave, otherwise: Some(other) });
    make.set(block, StatementKind::Compound(vec![branch]));
    make.set(repeat, StatementKind::For { init: Some(init), condition: Some(turn), step: Some(step), body: block });

    let tail = make.statement();
    make.body.statements[tail].is_noconvergent = true;
    let inner = make.statement();
    let (body, condition) = (make.simple("work"), make.named("more"));
    make.set(inner, StatementKind::DoWhile { body, condition });
    make.set(tail, StatementKind::Compound(vec![inner]));

    let choice = make.statement();
    let way = make.named("way");
    let cases = make.statement();
    let (one, two) = (make.statement(), make.simple("one"));
    make.set(one, StatementKind::Case { values: Box::new((1, 1)), body: two });
    let (other, goto) = (make.statement(), make.statement());
    make.set(goto, StatementKind::Goto(number));
    make.set(other, StatementKind::Default { body: goto });
    make.set(cases, StatementKind::Compound(vec![one, other]));
    make.set(choice, StatementKind::Switch { condition: way, body: cases, labels: vec![one, other].into() });

    let end = make.statement();
    let value = make.named("value");
    make.set(end, StatementKind::Return(Some(value)));
    make.set(root, StatementKind::Compound(vec![label, repeat, tail, choice, end]));
    make.body.root = Some(root);

    let (outline, map) = of_body(&make.program, &make.body);
    let expected = sketch::parse(
        "again: first; for (start; turn; step) { if (flag) break; else continue; } \
         noconvergent { do work; while (more); } switch (way) { case 1: one; default: goto again; } return value;",
    )
    .expect("a sketch");
    assert_eq!(shape(&outline), shape(&expected));
    assert_eq!(map.node_of_statement(root), Some(outline.body()));
    assert_eq!(map.node_of(value), sketch::find(&outline, "value"));
    for statement in make.body.statements.keys() {
        let node = map.node_of_statement(statement).expect("a node");
        assert_eq!(outline.nodes[node].location, make.body.statements[statement].location);
    }
}

#[test]
fn parts_follow_from_numbers() {
    let outline = sketch::parse(
        "if (a) b; else { c; } if (d) e; while (f) { g; } do { h; ; } while (i); for (j; k; l) m; for (;;) { break; } for (; n;) continue; \
         switch (o) { default: p; case 1: { q; } } again: r; goto again; return s; return;",
    )
    .expect("a sketch");
    let name = |node: Node| match outline.operation(node) {
        Some(operation) => operation.name.clone(),
        None => {
            let parts: Vec<Node> = outline.parts(node).collect();
            let first = outline.operations(node).first().map_or("", |operation| &operation.name);
            format!("{first}*{}", parts.len())
        }
    };
    let optional = |node: Option<Node>| node.map_or("none".to_owned(), name);
    let described = outline.parts(outline.body()).map(|node| match outline.kind(node) {
        NodeKind::If { condition, then, otherwise } => {
            format!("if {} {} {}", name(condition), name(then), optional(otherwise))
        }
        NodeKind::While { condition, body } => format!("while {} {}", name(condition), name(body)),
        NodeKind::DoWhile { body, condition } => format!("do {} {}", name(body), name(condition)),
        NodeKind::For { init, condition, step, body } => {
            format!("for {} {} {} {}", optional(init), optional(condition), optional(step), name(body))
        }
        NodeKind::Switch { condition, body, labels, has_default } => {
            let labels: Vec<String> = labels.iter().map(|&label| name(label)).collect();
            format!("switch {} {} {labels:?} {has_default}", name(condition), name(body))
        }
        NodeKind::Label { name: label, body } => format!("{label}: {}", name(body)),
        NodeKind::Goto(label) => format!("goto {}", name(label)),
        NodeKind::Return(value) => format!("return {}", optional(value)),
        kind => format!("{kind:?}"),
    });
    let expected = [
        "if a b*1 c*1",
        "if d e*1 none",
        "while f g*1",
        "do h*2 i",
        "for j*1 k l m*1",
        "for none none none *1",
        "for none n none *0",
        "switch o p*2 [\"p*1\", \"q*1\"] true",
        "again: r*1",
        "goto r*1",
        "return s",
        "return none",
    ];
    assert_eq!(described.collect::<Vec<_>>(), expected);
    let compound = outline.parts(outline.body()).next().and_then(|first| outline.parts(first).last());
    assert_eq!(compound.map(|node| outline.kind(node)), Some(NodeKind::Compound));
    assert!(outline.nodes.keys().skip(1).all(|node| {
        let parent = outline.parent(node).expect("a statement");
        outline.ancestors(node).last() == Some(outline.body()) && outline.parts(parent).any(|part| part == node)
    }));
}

#[test]
fn operations_are_convergent_calls_in_the_order_of_evaluation() {
    let mut make = Maker::new();
    let root = make.statement();
    let statement = make.statement();
    let (vote, plain) = (make.function("vote", true), make.function("plain", false));
    let inner = make.call(vote, Vec::new(), None);
    let quiet = make.call(vote, Vec::new(), Some(false));
    let loud = make.call(plain, Vec::new(), Some(true));
    let pointer = make.expression(ExpressionKind::Function(plain));
    let indirect = make.expression(ExpressionKind::CallPointer { pointer, arguments: [loud].into() });
    let outer = make.call(vote, vec![inner, quiet, indirect], None);
    let ignored = make.call(plain, vec![outer], None);
    make.set(statement, StatementKind::Expression(ignored));
    make.set(root, StatementKind::Compound(vec![statement]));
    make.body.root = Some(root);
    let (outline, map) = of_body(&make.program, &make.body);
    let node = map.node_of(ignored).expect("a full expression");
    let operations = outline.operations(node);
    let names: Vec<&str> = operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["vote", "plain", "a function by its address", "vote"]);
    let places: Vec<Location> = operations.iter().map(|operation| operation.location).collect();
    let of = |call: Expression| make.body.expressions[call].location;
    assert_eq!(places, [of(inner), of(loud), of(indirect), of(outer)]);
    assert_eq!(map.node_of(inner), None);
}

#[test]
fn a_body_without_statements_and_a_deep_one() {
    let mut make = Maker::new();
    let (outline, _) = of_body(&make.program, &make.body);
    assert_eq!(outline.nodes.len(), 1);
    assert_eq!(outline.nodes[Node::new(0)].end, Node::new(1));

    let blocks: Vec<Statement> = (0..50_000).map(|_| make.statement()).collect();
    for pair in blocks.windows(2) {
        make.set(pair[0], StatementKind::Compound(vec![pair[1]]));
    }
    make.body.root = Some(blocks[0]);
    let (outline, _) = of_body(&make.program, &make.body);
    assert_eq!(outline.nodes.len(), 50_000);
    assert!(outline.nodes.values().all(|data| data.end == Node::new(50_000)));
}
