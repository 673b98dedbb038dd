//! Tokens for IR that a compiler of the caller's made, by the statements that our front end has read.
//!
//! **Definition.** The operations of the two IRs are matched by function and place. Of the compiler's IR the [inferred tokens](reconverge_transform::infer_tokens) say what its cycles say:
//! an operation has the hearts of the cycles that it is in. Of ours, the hearts around an operation are those of the statements that it is in. Where these are as many, the *n*-th of the
//! one is the *n*-th of the other; and an operation that the compiler has put behind a loop though its statement is inside (before a `break`) gets the heart that its statement has. A loop without one
//! gets a heart for that: it is the cycle in which the same is written.
//!
//! What does not fit is *unmatched*, and no token is made up for it: an operation without a counterpart, loops that are not the same on both sides, a heart that does not dominate the operation,
//! what breaks a static rule, and operations that are apart by an `anchor`.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use cranelift_entity::EntityRef;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_findings::Severity;
use reconverge_graph::{Cycle, CycleForest, Dominators, Node, SuccessorOrder};
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::origin::{self as ir, Extent, Origins, What};
use reconverge_ir::{ConvergenceIntrinsic, Function, Module, Span};
use reconverge_lang::builtins::mangle::BODY_OF_KERNEL;
use reconverge_lang::lower::Lowered;
use reconverge_transform::{Edits, infer_tokens};
use reconverge_valid::read_functions;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compiled;

/// IR with tokens, as far as they are known.
pub(super) struct Controlled {
    pub(super) ir: Vec<u8>,
    pub(super) unmatched: Vec<Unmatched>,
    /// The functions that have operations, and that our front end does not know: their tokens are those of their cycles.
    pub(super) unknown: Vec<String>,
}

/// An operation of the source whose token is not known.
pub(super) struct Unmatched {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) name: String,
}

/// A call that has a token.
struct Operation {
    at: Place,
    path: String,
    name: String,
    position: (u32, u32),
    /// Where it stands in the text.
    span: Span,
    block: Node,
    /// The token that its own comes from.
    root: String,
    /// The hearts between, the outermost first.
    hearts: Vec<Heart>,
    has_anchor: bool,
}

/// The file, by the address of the one that both tables have, and where an expression is in it.
type Place = (usize, Extent);

fn place_of(place: &ir::Place) -> Place {
    (Arc::as_ptr(&place.file).addr(), place.extent.clone())
}

/// A heart: the name of its token, and the header that it is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Heart {
    token: String,
    header: Node,
}

/// A cycle.
struct Loop {
    header: Node,
    size: usize,
    /// The line of the text where a heart goes.
    start: usize,
    /// What is written in it.
    places: FxHashSet<Place>,
}

/// The operations and cycles of a function.
struct Body {
    operations: Vec<Operation>,
    loops: Vec<Loop>,
    places: FxHashSet<Place>,
    dominators: Dominators,
}

/// What a text gets.
struct Change<'b> {
    function: &'b str,
    operation: &'b Operation,
    token: String,
    /// Hearts that it does not have, each with where it goes and the token that it comes from.
    hearts: Vec<(usize, String, String)>,
}

/// Gives IR the tokens that the statements have. `ours` is what our front end made of the same file, with tokens and origins. O(both texts), but for sorting.
pub(super) fn with_tokens(ir: &[u8], ours: &Lowered) -> Controlled {
    let inferred = match infer_tokens(ir) {
        Ok(inferred) => inferred.edits.apply(ir),
        Err(_) => ir.to_vec(),
    };
    let origins = compiled::matched(&inferred, ours.origins.clone());
    let (ours, theirs) = (bodies(&ours.text, &ours.origins), bodies(&inferred, &origins));
    let mut found = Controlled { ir: Vec::new(), unmatched: Vec::new(), unknown: Vec::new() };
    let mut changes: Vec<Change<'_>> = Vec::new();
    let mut names: Vec<&String> = theirs.keys().collect();
    names.sort_unstable();
    for name in names {
        let body_of = |name: &str| format!("@{BODY_OF_KERNEL}{}", name.trim_start_matches('@'));
        // A kernel of OpenCL that has a body of its own does nothing but call it.
        if theirs.contains_key(&body_of(name)) {
            continue;
        }
        let theirs = &theirs[name];
        let kernel = name.strip_prefix('@').and_then(|name| name.strip_prefix(BODY_OF_KERNEL));
        match ours.get(&kernel.map_or_else(|| name.clone(), |kernel| format!("@{kernel}"))) {
            Some(ours) => changes.extend(retarget(name, ours, theirs, &mut found.unmatched)),
            None if theirs.operations.is_empty() => {}
            None => found.unknown.push(name.clone()),
        }
    }
    found.ir = apply(&inferred, &changes, &FxHashSet::default());
    let broken = broken(&found.ir);
    if changes.iter().any(|change| broken.contains(change.function)) {
        let lost = changes.iter().filter(|change| broken.contains(change.function));
        found.unmatched.extend(lost.map(|change| change.operation.unmatched()));
        found.ir = apply(&inferred, &changes, &broken);
    }
    found.unmatched.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    found.unmatched.dedup_by(|a, b| (&a.path, a.line, a.column) == (&b.path, b.line, b.column));
    found
}

/// Which operations of the compiler's get another token.
fn retarget<'b>(function: &'b str, ours: &Body, theirs: &'b Body, unmatched: &mut Vec<Unmatched>) -> Vec<Change<'b>> {
    let mut at: FxHashMap<&Place, Vec<&Operation>> = FxHashMap::default();
    for one in &theirs.operations {
        at.entry(&one.at).or_default().push(one);
    }
    let mut known: FxHashMap<&Place, usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for one in &ours.operations {
        let index = known.entry(&one.at).or_default();
        match at.get(&one.at).and_then(|others| others.get(*index)) {
            Some(&other) => pairs.push((one, other)),
            None => unmatched.push(one.unmatched()),
        }
        *index += 1;
    }
    // What is nothing is not one and the same for all operations.
    let mut same: FxHashMap<&Heart, Option<Heart>> = FxHashMap::default();
    for (one, other) in pairs.iter().filter(|(one, other)| one.hearts.len() == other.hearts.len()) {
        for (heart, its) in one.hearts.iter().zip(&other.hearts) {
            match same.entry(heart) {
                Entry::Vacant(vacant) => drop(vacant.insert(Some(its.clone()))),
                Entry::Occupied(mut known) if known.get().as_ref() != Some(its) => drop(known.insert(None)),
                Entry::Occupied(_) => {}
            }
        }
    }
    let mut changes = Vec::new();
    let mut made = 0;
    for (one, other) in pairs {
        let mut wanted: Vec<Heart> = Vec::new();
        let mut hearts = Vec::new();
        for heart in &one.hearts {
            let mut new = || {
                made += 1;
                Some((ours.loop_at(heart.header)?, format!("reconverge.loop.{made}")))
            };
            if let Entry::Vacant(vacant) = same.entry(heart)
                && let Some((of_ours, token)) = new()
                && let Some(its) = theirs.counterpart(ours, of_ours)
            {
                let from = wanted.last().map_or(&other.root, |outer| &outer.token);
                hearts.push((its.start, token.clone(), from.clone()));
                vacant.insert(Some(Heart { token, header: its.header }));
            }
            wanted.extend(same.get(heart).cloned().flatten());
        }
        let is_reached = |heart: &Heart| theirs.dominators.dominates(heart.header, other.block);
        match wanted.last() {
            _ if wanted.len() < one.hearts.len() || one.has_anchor != other.has_anchor => {
                unmatched.push(one.unmatched());
            }
            _ if wanted == other.hearts => {}
            // It is behind loops that its statement is in.
            Some(last) if wanted.starts_with(&other.hearts) && is_reached(last) => {
                changes.push(Change { function, operation: other, token: last.token.clone(), hearts });
            }
            _ => unmatched.push(one.unmatched()),
        }
    }
    changes
}

impl Operation {
    fn unmatched(&self) -> Unmatched {
        let (line, column) = self.position;
        Unmatched { path: self.path.clone(), line, column, name: self.name.clone() }
    }
}

impl Body {
    fn new(module: &Module<'_>, function: &Function, origins: &Origins) -> Body {
        let graph = function.control_flow_graph();
        let dominators = Dominators::compute(&graph);
        let forest = CycleForest::compute(&graph, SuccessorOrder::Forward);
        let is_phi = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Phi;
        let of_cycle = |cycle: Cycle| {
            let header = forest.cycles[cycle].header;
            let first = function.block_instructions(Block::new(header.index())).find(|inst| !is_phi(inst));
            let at = first.map_or(0, |inst| function.instructions[inst].span.start as usize);
            let start = memchr::memrchr(b'\n', &module.text[..at]).map_or(0, |newline| newline + 1);
            Loop { header, size: 0, start, places: FxHashSet::default() }
        };
        let mut loops: Vec<Loop> = forest.cycles.keys().map(of_cycle).collect();
        let mut places = FxHashSet::default();
        for block in function.blocks.keys() {
            for cycle in forest.containing(Node::new(block.index())) {
                loops[cycle.index()].size += 1;
            }
        }
        for data in function.instructions.values() {
            let Some(origin) = origins.at(data.span.start) else { continue };
            let place = place_of(&origin.place);
            for cycle in forest.containing(Node::new(data.block.index())) {
                loops[cycle.index()].places.insert(place.clone());
            }
            places.insert(place);
        }
        let operations = function.instructions.keys().filter_map(|inst| operation(module, function, origins, inst));
        Body { operations: operations.collect(), loops, places, dominators }
    }

    fn loop_at(&self, header: Node) -> Option<&Loop> {
        self.loops.iter().find(|one| one.header == header)
    }

    /// The smallest loop of these in which all is written that is in a loop of ours, as far as it is in this function at all.
    fn counterpart(&self, ours: &Body, of_ours: &Loop) -> Option<&Loop> {
        let wanted: Vec<&Place> = of_ours.places.iter().filter(|place| self.places.contains(*place)).collect();
        let has_all = |one: &&Loop| {
            let is_known = |place: &&Place| ours.places.contains(*place);
            wanted.iter().all(|place| one.places.contains(*place))
                && one.places.iter().filter(is_known).all(|place| of_ours.places.contains(place))
        };
        self.loops.iter().filter(has_all).min_by_key(|one| one.size).filter(|_| !wanted.is_empty())
    }
}

/// The operations and cycles of each function, by its name.
fn bodies(text: &[u8], origins: &Origins) -> FxHashMap<String, Body> {
    let read =
        read_functions(text, |module, id, function| (module.function_name(id), Body::new(module, function, origins)));
    read.map(|(_, bodies)| bodies.into_iter().collect()).unwrap_or_default()
}

/// A call of the source that has a token.
fn operation(module: &Module<'_>, function: &Function, origins: &Origins, inst: Inst) -> Option<Operation> {
    let data = &function.instructions[inst];
    if intrinsic(module, function, inst).is_some() {
        return None;
    }
    let mut token = token_of(function, inst)?;
    let origin = origins.at(data.span.start)?;
    let What::Call(name) = origin.what else { return None };
    let (mut hearts, mut has_anchor): (Vec<Heart>, bool) = (Vec::new(), false);
    let root = loop {
        let Definition::Instruction(defined) = function.values[token].definition else { return None };
        let of_token = &function.instructions[defined];
        let token_name = module.local_name(of_token.name);
        match intrinsic(module, function, defined)? {
            ConvergenceIntrinsic::Loop => {
                let heart = Heart { token: token_name, header: Node::new(of_token.block.index()) };
                // A text in which tokens come from each other is none that was made here.
                token = token_of(function, defined).filter(|_| !hearts.contains(&heart))?;
                hearts.push(heart);
            }
            ConvergenceIntrinsic::Anchor => {
                has_anchor = true;
                break token_name;
            }
            ConvergenceIntrinsic::Entry => break token_name,
        }
    };
    hearts.reverse();
    let position = origin.place.line()?;
    Some(Operation {
        at: place_of(&origin.place),
        path: origin.place.file.path.display().to_string(),
        name: name.to_string(),
        position,
        span: data.span,
        block: Node::new(data.block.index()),
        root,
        hearts,
        has_anchor,
    })
}

fn token_of(function: &Function, inst: Inst) -> Option<Value> {
    let Extra::Call(call) = function.instructions[inst].extra else { return None };
    let bundle = function.token_bundles(&function.calls[call]).next()?;
    function.list(bundle.operands).first().copied()
}

fn intrinsic(module: &Module<'_>, function: &Function, inst: Inst) -> Option<ConvergenceIntrinsic> {
    let Extra::Call(call) = function.instructions[inst].extra else { return None };
    module.convergence_intrinsic(function.calls[call].callee.expand()?)
}

/// The IR with these tokens, but in some functions.
fn apply(ir: &[u8], changes: &[Change<'_>], but: &FxHashSet<String>) -> Vec<u8> {
    const BUNDLE: &[u8] = b"\"convergencectrl\"(token ";
    const HEART: &str = "@llvm.experimental.convergence.loop()";
    let mut edits = Edits::default();
    let mut has_heart = memchr::memmem::find(ir, HEART.as_bytes()).is_some();
    for Change { operation, token, hearts, .. } in changes.iter().filter(|change| !but.contains(change.function)) {
        for (start, token, from) in hearts {
            let heart = format!("  %{token} = call token {HEART} [ \"convergencectrl\"(token %{from}) ]\n");
            edits.insert(*start, heart);
            if !std::mem::replace(&mut has_heart, true) {
                edits.insert(ir.len(), format!("\ndeclare token {HEART}\n"));
            }
        }
        let span = operation.span.range();
        let Some(at) = memchr::memmem::find(&ir[span.clone()], BUNDLE) else { continue };
        let start = span.start + at + BUNDLE.len();
        let end = start + memchr::memchr(b')', &ir[start..span.end]).unwrap_or(0);
        edits.replace(start..end, format!("%{token}"));
    }
    edits.apply(ir)
}

/// The functions that break a rule.
fn broken(ir: &[u8]) -> FxHashSet<String> {
    let Ok(report) = check(ir, &CheckOptions::default()) else { return FxHashSet::default() };
    let errors = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error && !finding.code.is_about_threads());
    errors.filter_map(|finding| Some(report.module.function_name(finding.at.function?))).collect()
}
