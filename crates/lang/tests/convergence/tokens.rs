//! A plan of tokens as LLVM sees it: the control flow of the outline, with a call for each operation.

use reconverge_analysis::flow::{ConvergentOperation, FlowFunction, OperationKind, TokenSource as Source};
use reconverge_analysis::rules::{self, Violation};
use reconverge_lang::outline::flow::{Point, graph};
use reconverge_lang::outline::{Outline, TokenPlan, TokenSource};

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
    for (node, data) in &outline.nodes {
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
        for _ in &data.operations {
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
