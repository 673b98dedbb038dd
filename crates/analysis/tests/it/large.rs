//! Large functions take about as long as they are long.
//!
//! The limits are far above what an almost linear algorithm needs on a slow machine, and far below what
//! a quadratic one takes.

use std::time::Duration;

use cpu_time::ThreadTime;
use cranelift_entity::EntityRef;
use reconverge_analysis::check::{CheckOptions, check as check_module};
use reconverge_analysis::flow::{ConvergentOperation, FlowFunction, OperationKind, TokenSource};
use reconverge_analysis::rules::{Violation, check};
use reconverge_findings::Code;
use reconverge_graph::{Digraph, Node};
use smallvec::smallvec;

const SIZE: u32 = 100_000;
const LIMIT: Duration = Duration::from_secs(20);

fn operation(block: u32, position: u32, kind: OperationKind, token: Option<u32>) -> ConvergentOperation {
    let bundles = token.into_iter().map(|token| smallvec![TokenSource::Operation(token)]).collect();
    ConvergentOperation { block: Node::new(block as usize), position, kind, bundles }
}

fn timed(name: &str, blocks: u32, edges: &[(u32, u32)], operations: Vec<ConvergentOperation>) -> Vec<Violation> {
    let edges: Vec<_> = edges.iter().map(|&(from, to)| (Node::new(from as usize), Node::new(to as usize))).collect();
    let graph = Digraph::from_edges(blocks as usize, Node::new(0), &edges);
    let function = FlowFunction { graph, is_convergent: true, operations };
    let start = ThreadTime::now();
    let violations = check(&function);
    let taken = start.elapsed();
    println!("{name}: {taken:?}, {} violations", violations.len());
    assert!(taken < LIMIT, "{name} took {taken:?}");
    violations
}

/// Block 0, then headers 1 … n, each inside the one before, then their latches n + 1 … 2n, innermost first.
fn nest() -> (u32, Vec<(u32, u32)>) {
    let mut edges: Vec<_> = (0..SIZE).map(|block| (block, block + 1)).collect();
    for header in 1..=SIZE {
        let latch = 2 * SIZE + 1 - header;
        edges.extend([(latch - 1, latch), (latch, header)]);
    }
    edges.dedup();
    (2 * SIZE + 1, edges)
}

#[test]
fn nested_hearts() {
    let (blocks, edges) = nest();
    let mut operations = vec![operation(0, 0, OperationKind::Entry, None)];
    operations.extend((1..=SIZE).map(|header| operation(header, 0, OperationKind::Loop, Some(header - 1))));
    // Each latch uses the token of its cycle, so that all regions of the outer ones contain it.
    operations
        .extend((1..=SIZE).rev().map(|header| operation(2 * SIZE + 1 - header, 0, OperationKind::Call, Some(header))));
    assert_eq!(timed("nested hearts", blocks, &edges, operations), []);
}

#[test]
fn uses_of_the_outermost_token_in_every_cycle() {
    let (blocks, edges) = nest();
    let mut operations = vec![operation(0, 0, OperationKind::Entry, None)];
    operations.extend((1..=SIZE).map(|header| operation(header, 0, OperationKind::Call, Some(0))));
    let violations = timed("uses of the outermost token", blocks, &edges, operations);
    let count = |rule| violations.iter().filter(|violation| violation.rule == rule).count();
    assert_eq!(count(Code::RC0113), SIZE as usize);
    assert_eq!(count(Code::RC0116), SIZE as usize - 1);
}

#[test]
fn many_uses_in_one_block() {
    let mut operations = vec![operation(0, 0, OperationKind::Entry, None)];
    operations.extend((1..=SIZE).map(|index| operation(1, index, OperationKind::Call, Some(0))));
    let violations = timed("many uses in one block", 2, &[(0, 1), (1, 1)], operations);
    let count = |rule| violations.iter().filter(|violation| violation.rule == rule).count();
    assert_eq!(count(Code::RC0113), SIZE as usize);
    assert_eq!(count(Code::RC0114), SIZE as usize - 1);
}

#[test]
fn regions_that_all_cross() {
    // Anchors in sequence, then their uses in the same order: each use but the last is inside all later regions.
    let mut operations: Vec<_> = (0..SIZE).map(|block| operation(block, 0, OperationKind::Anchor, None)).collect();
    operations.extend((0..SIZE).map(|index| operation(SIZE + index, 0, OperationKind::Call, Some(index))));
    let edges: Vec<_> = (1..2 * SIZE).map(|block| (block - 1, block)).collect();
    let violations = timed("regions that all cross", 2 * SIZE, &edges, operations);
    assert_eq!(violations.len(), SIZE as usize - 1);
    assert!(violations.iter().all(|violation| violation.rule == Code::RC0117));
}

#[test]
fn uses_without_a_dominating_definition() {
    // A ring entered in two places; each block uses a token defined on the other way in.
    let edges: Vec<_> =
        (0..SIZE).map(|index| (index + 2, (index + 1) % SIZE + 2)).chain([(0, 1), (1, 2), (0, 3)]).collect();
    let mut operations = vec![operation(1, 0, OperationKind::Anchor, None)];
    operations.extend((0..SIZE).map(|index| operation(index + 2, 0, OperationKind::Loop, Some(0))));
    let violations = timed("uses without a dominating definition", SIZE + 2, &edges, operations);
    let count = |rule| violations.iter().filter(|violation| violation.rule == rule).count();
    assert_eq!(count(Code::RC0111), SIZE as usize);
}

#[test]
fn nothing_to_check() {
    let (blocks, edges) = nest();
    let operations = (1..=SIZE).map(|header| operation(header, 0, OperationKind::Call, None)).collect();
    assert_eq!(timed("nothing to check", blocks, &edges, operations), []);
}

/// The findings of a module, in time.
fn timed_module(name: &str, text: &str) -> usize {
    let start = ThreadTime::now();
    let one =
        rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("a pool of this thread");
    let report = one.install(|| check_module(text.as_bytes(), &CheckOptions::default())).expect("it is IR");
    let taken = start.elapsed();
    println!("{name}: {taken:?}, {} findings", report.findings.len());
    assert!(taken < LIMIT, "{name} took {taken:?}");
    report.findings.len()
}

const NVPTX: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
@s = internal addrspace(3) global [1024 x i32] undef
define ptx_kernel void @k() convergent {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
";

#[test]
fn a_loop_with_many_divergent_exits_and_a_barrier_at_each() {
    const EXITS: usize = 20_000;
    let exit = |index: usize| {
        let next = if index + 1 < EXITS { index + 1 } else { 0 };
        format!(
            "b{index}:\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  %c{index} = icmp eq i32 %t, {index}\n  br i1 %c{index}, label %out, label %b{next}\n"
        )
    };
    let exits: String = (0..EXITS).map(exit).collect();
    let text = format!("{NVPTX}  br label %b0\n{exits}out:\n  ret void\n}}\n");
    assert_eq!(timed_module("exits", &text), EXITS);
}

#[test]
fn many_accesses_to_shared_memory_in_one_block() {
    let access = |index: usize| {
        format!(
            "  %i{index} = add i32 %t, {index}\n  %p{index} = getelementptr [1024 x i32], ptr addrspace(3) @s, i32 0, i32 %i{index}\n  store i32 0, ptr addrspace(3) %p{index}\n"
        )
    };
    let accesses: String = (0..60_000).map(access).collect();
    assert_eq!(timed_module("accesses", &format!("{NVPTX}{accesses}  ret void\n}}\n")), 0);
}
