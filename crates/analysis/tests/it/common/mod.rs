//! A notation for functions as the convergence rules see them, so that a test shows its whole input.
//!
//! One block per line: `name: operations -> successors`. Operations are separated by `;`:
//!
//! ```text
//! convergent                       optional first line
//! a: E = entry; call E -> h        an entry intrinsic named E; a call with one bundle of one token
//! h: L = loop E; nop; call -> h x  `nop`: any other instruction; `call` alone is uncontrolled
//! x: call [E] [L]; call [E L]; call []; call poison
//! ```
//!
//! Words after a kind are bundles of one operand, `[…]` are bundles of any number. Operands are names, which may
//! come later, or `poison`, `undef`, `none`, `argument`, `phi`, `select`, `instruction`.

use std::collections::HashMap;
use std::fmt::Write;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{
    ConvergentOperation, FlowFunction, NotAToken, OperationKind, TokenBundle, TokenSource,
};
use reconverge_graph::{Digraph, Node};

const NOT_TOKENS: [(&str, NotAToken); 7] = [
    ("poison", NotAToken::Poison),
    ("undef", NotAToken::Undef),
    ("none", NotAToken::Constant),
    ("argument", NotAToken::Argument),
    ("phi", NotAToken::Phi),
    ("select", NotAToken::Select),
    ("instruction", NotAToken::Instruction),
];

const KINDS: [(&str, OperationKind); 4] = [
    ("entry", OperationKind::Entry),
    ("loop", OperationKind::Loop),
    ("anchor", OperationKind::Anchor),
    ("call", OperationKind::Call),
];

/// Reads the notation. Panics on what it does not understand.
pub(crate) fn function(text: &str) -> FlowFunction {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_convergent = lines.first() == Some(&"convergent");
    if is_convergent {
        lines.remove(0);
    }
    let mut block_names = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        let name = line.split(':').next().expect("split gives one part").trim();
        assert!(block_names.insert(name, Node::new(index)).is_none(), "block {name} occurs twice");
    }
    let mut edges = Vec::new();
    let mut names = HashMap::new();
    let mut texts = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (_, rest) = line.split_once(':').expect("a block is `name: …`");
        let (body, successors) = rest.split_once("->").unwrap_or((rest, ""));
        for successor in successors.split_whitespace() {
            edges.push((Node::new(index), *block_names.get(successor).expect("a successor is a block")));
        }
        for (position, operation) in (0..).zip(body.split(';').map(str::trim)) {
            if operation.is_empty() || operation == "nop" {
                continue;
            }
            let (name, operation) = match operation.split_once('=') {
                Some((name, operation)) => (Some(name.trim()), operation.trim()),
                None => (None, operation),
            };
            if let Some(name) = name {
                assert!(names.insert(name, texts.len() as u32).is_none(), "name {name} occurs twice");
            }
            texts.push((Node::new(index), position, operation));
        }
    }
    let source = |word: &str| match NOT_TOKENS.iter().find(|(name, _)| *name == word) {
        Some(&(_, not_a_token)) => TokenSource::Other(not_a_token),
        None => TokenSource::Operation(*names.get(word).unwrap_or_else(|| panic!("{word} is no name"))),
    };
    let operations = texts.iter().map(|&(block, position, text)| {
        let (kind, bundles) = text.split_once(' ').unwrap_or((text, ""));
        let kind = KINDS.iter().find(|(name, _)| *name == kind).unwrap_or_else(|| panic!("{kind} is no kind")).1;
        ConvergentOperation { block, position, kind, bundles: split_bundles(bundles, &source).into_iter().collect() }
    });
    FlowFunction {
        operations: operations.collect(),
        graph: Digraph::from_edges(lines.len(), Node::new(0), &edges),
        is_convergent,
    }
}

fn split_bundles(text: &str, source: &dyn Fn(&str) -> TokenSource) -> Vec<TokenBundle> {
    let mut bundles = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (operands, after) = match rest.strip_prefix('[') {
            Some(inside) => inside.split_once(']').expect("a bundle ends"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        bundles.push(operands.split_whitespace().map(source).collect());
        rest = after.trim();
    }
    bundles
}

/// Writes the notation: blocks are `b0`, `b1`, …, operations `t0`, `t1`, ….
pub(crate) fn show(function: &FlowFunction) -> String {
    let mut text = String::new();
    if function.is_convergent {
        text.push_str("convergent\n");
    }
    for block in function.graph.nodes() {
        write!(text, "b{}:", block.index()).unwrap();
        let mut separator = " ";
        for (index, operation) in
            function.operations.iter().enumerate().filter(|(_, operation)| operation.block == block)
        {
            let kind = KINDS.iter().find(|(_, kind)| *kind == operation.kind).unwrap().0;
            write!(text, "{separator}t{index} = {kind}").unwrap();
            separator = "; ";
            for bundle in &operation.bundles {
                let operands = bundle.iter().map(|&source| match source {
                    TokenSource::Operation(producer) => format!("t{producer}"),
                    TokenSource::Other(other) => NOT_TOKENS.iter().find(|(_, kind)| *kind == other).unwrap().0.into(),
                });
                write!(text, " [{}]", operands.collect::<Vec<_>>().join(" ")).unwrap();
            }
        }
        let successors = function.graph.successors(block);
        if !successors.is_empty() {
            text.push_str(" ->");
            for successor in successors {
                write!(text, " b{}", successor.index()).unwrap();
            }
        }
        text.push('\n');
    }
    text
}
