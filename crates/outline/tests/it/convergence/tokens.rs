//! A plan of tokens as LLVM sees it: the control flow of the outline, with a call for each operation.

use reconverge_analysis::flow::{ConvergentOperation, FlowFunction, OperationKind, TokenSource as Source};
use reconverge_analysis::rules::{self, Violation};
use reconverge_outline::flow::{Point, graph};
use reconverge_outline::{Outline, TokenPlan, TokenSource};
use reconverge_testing::verdicts::STRIDE;

/// What is executed at a point, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Executed {
    point: Point,
    kind: OperationKind,
    defines: Option<TokenSource>,
    uses: Option<TokenSource>,
}

/// What is wrong with a plan.
pub(crate) fn violations(outline: &Outline, plan: &TokenPlan) -> Vec<Violation> {
    rules::check(&flow(outline, plan))
}

/// An anchor is executed where its node starts, also when a jump leads there.
pub(crate) fn flow(outline: &Outline, plan: &TokenPlan) -> FlowFunction {
    let mut executed = Vec::new();
    for node in outline.nodes.keys() {
        let start = Point::Start(node);
        let mut add = |point, kind, defines, uses| executed.push(Executed { point, kind, defines, uses });
        if node == outline.body() {
            add(start, OperationKind::Entry, Some(TokenSource::Body), None);
        }
        if plan.anchor[node] {
            add(start, OperationKind::Anchor, Some(TokenSource::Anchor(node)), None);
        }
        if let Some(parent) = plan.heart[node] {
            add(Point::Head(node), OperationKind::Loop, Some(TokenSource::Heart(node)), Some(parent));
        }
        if outline.operation(node).is_some() {
            add(start, OperationKind::Call, None, Some(plan.token[node]));
        }
    }
    executed.sort_by_key(|operation| operation.point.place());
    let definition = |token: TokenSource| {
        let index = executed.iter().position(|operation| operation.defines == Some(token));
        index.unwrap_or_else(|| panic!("{token:?} is used and not defined")) as u32
    };
    let operations = executed.iter().zip(0..).map(|(operation, position)| ConvergentOperation {
        block: operation.point.place(),
        position,
        kind: operation.kind,
        bundles: operation
            .uses
            .iter()
            .map(|&token| [Source::Operation(definition(token))].into_iter().collect())
            .collect(),
    });
    FlowFunction { graph: graph(outline), is_convergent: true, operations: operations.collect() }
}

/// The same as LLVM assembly, in the convention of [`reconverge_testing::verdicts`].
pub(crate) fn assembly(outline: &Outline, plan: &TokenPlan, index: usize) -> String {
    let flow = flow(outline, plan);
    let mut text = format!("define void @f{index}(i1 %f{index}_c, i32 %f{index}_v) convergent {{\n");
    let mut operations = flow.operations.iter().zip(0..).peekable();
    let block = |place: reconverge_graph::Node| format!("%f{index}_b{}", place.as_u32());
    for number in 0..flow.graph.node_count() {
        let place = reconverge_graph::Node::from_u32(number as u32);
        text += &format!("f{index}_b{number}:\n");
        while let Some((operation, position)) = operations.next_if(|(operation, _)| operation.block == place) {
            let bundle = operation.bundles.iter().flatten().map(|source| match source {
                Source::Operation(definition) => format!(" [ \"convergencectrl\"(token %f{index}_t{definition}) ]"),
                Source::Other(other) => unreachable!("{other:?}"),
            });
            let bundle: String = bundle.collect();
            let intrinsic = match operation.kind {
                OperationKind::Entry => "entry",
                OperationKind::Loop => "loop",
                OperationKind::Anchor => "anchor",
                OperationKind::Call => {
                    text += &format!("  call void @op(i32 {}){bundle}\n", index * STRIDE + position % STRIDE);
                    continue;
                }
            };
            text +=
                &format!("  %f{index}_t{position} = call token @llvm.experimental.convergence.{intrinsic}(){bundle}\n");
        }
        text += &match flow.graph.successors(place) {
            [] => "  ret void\n".to_owned(),
            [next] => format!("  br label {}\n", block(*next)),
            [first, second] => format!("  br i1 %f{index}_c, label {}, label {}\n", block(*first), block(*second)),
            [first, others @ ..] => {
                let cases = others.iter().enumerate().map(|(value, &to)| format!("i32 {value}, label {} ", block(to)));
                format!("  switch i32 %f{index}_v, label {} [ {}]\n", block(*first), cases.collect::<String>())
            }
        };
    }
    text + "}\n"
}
