//! `inline`: bodies of functions in the place of their calls.
//!
//! A call of a function with a body is inlined unless a rule forbids it, callees first, so that what is inlined has nothing left in it
//! to inline. By default that is each such call but those of `noinline` functions; with names, the calls of
//! these functions only. Functions stay where they are, called or not.
//!
//! # Convergence
//!
//! *Tokens.* The callee's `entry` goes, and its token is that of the call's bundle, `T`. A function has controlled or uncontrolled convergent
//! operations, not both; where a callee with the one kind comes into a caller with the other, both get tokens by the procedure
//! of `infer-tokens` first, and so do all functions that are inlined into one of them. What that refuses is not inlined.
//!
//! *The static rules hold after it if they did before.* The callee is entered at one place and left to one place, so a closed path through the
//! copy lies in it, or is one of the caller through the call with paths from the callee's entry to a return in it.
//! A closed path in the copy has no `entry` of the callee in it, so it uses `T` at most once, in a heart that dominates it, as it
//! did in the callee. One through the copy was one through the call, which used `T` and so contained the definition of `T`; and if it
//! uses a token of the callee, it has passed the definition, which dominates the use. Regions: that of a token of the callee is in
//! the copy and used `T` nowhere, since it would have had to contain the callee's `entry`; that of a token of the caller
//! contains the callee's definitions if it contains their uses, since these are dominated by it and on the way to its own use.
//! Where the callee does not use its `entry` regions shrink, and what remains of them is nested as before. An `entry` and a `loop` come first
//! among the convergent operations of their block, the entry block or a header: a call that stands before one of them is refused.
//!
//! *Cycles stay what they are*, and so do the sets of threads of uncontrolled operations under maximal convergence: a cycle of the caller through the
//! call has the blocks of the callee in it from which a return is reached, and keeps its header; the callee's cycles are entered
//! and nested as in the callee. That is not so where the callee never returns (the cycle would be cut), nor for an uncontrolled operation from which the
//! callee does not return (which would be outside of the cycle): these are refused. The threads of an `anchor` are up to
//! the implementation, before and after.
//!
//! A caller that is not `convergent` may get uncontrolled operations of its callee: the document has no rule against them, and the call was one
//! itself, or the callee had them without the attribute.

mod expand;
mod facts;
mod locations;
mod plan;
mod slots;

use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};
use reconverge_ir::function::{Block, Inst, LocalName};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, Module, ReadError};
use reconverge_valid::{read_functions, read_functions_with};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Names;
use crate::tokens::infer_tokens_of;
use crate::{Edits, Refusal, Transformed};
use expand::{Expansion, Frame, inlined_calls};
use facts::{Facts, facts};
use locations::Locations;
use plan::{Linked, Plan};
use slots::Slots;

/// What to inline, and how much of it.
#[derive(Debug, Clone)]
pub struct InlineOptions {
    /// The functions whose calls are inlined, `noinline` or not; all that are not `noinline` if there are no names here.
    pub functions: Vec<String>,
    /// How many instructions a function may have in the end.
    pub function_limit: usize,
    /// How many instructions may be added to the module, besides [`InlineOptions::function_limit`], as a multiple of those it has.
    pub growth: usize,
    /// Whether what is inlined is there to be analysed as one operation: it is at the place of the call, its own place is lost, and parameters are not kept in memory.
    pub at_call: bool,
}

impl Default for InlineOptions {
    fn default() -> InlineOptions {
        InlineOptions { functions: Vec::new(), function_limit: 50_000, growth: 4, at_call: false }
    }
}

/// Inlines calls. O(text + output), but for sorting edits.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn inline(text: &[u8], options: &InlineOptions) -> Result<Transformed, ReadError> {
    let prepare = |_: &Module<'_>| Ok(block_addresses(text));
    let visit = |module: &Module<'_>, addressed: &FxHashSet<Vec<u8>>, (): &mut (), id, function: &Function| {
        (id, facts(module, addressed, id, function))
    };
    let (module, read) = read_functions_with(text, prepare, visit)?;
    let mut facts: PrimaryMap<FunctionId, Facts> = module.functions.keys().map(|_| Facts::default()).collect();
    read.into_iter().for_each(|(id, read)| facts[id] = read);
    let mut plan = Plan::new(&module, &facts, options);
    let mut unknown = Refusal::of_missing(&module, &options.functions);
    // A function that cannot have tokens is not inlined where it would need some, and the others may then need none.
    let mut control = Linked::new(&plan, &facts).need_tokens(&facts);
    let mut inferred = Transformed::default();
    if !control.is_empty() {
        let (first, refused) = infer_tokens_of(text, |id| control.contains(&id))?;
        inferred = first;
        if !refused.is_empty() {
            let linked = Linked::new(&plan, &facts);
            for (id, refusal) in refused {
                for (caller, index) in linked.links_of(id, &facts) {
                    let rule = format!("{} would need tokens, and {}", refusal.function, refusal.rule);
                    plan.refuse(&module, &facts, caller, index, &rule);
                }
            }
            control = Linked::new(&plan, &facts).need_tokens(&facts);
            inferred = infer_tokens_of(text, |id| control.contains(&id))?.0;
        }
    }
    let mut transformed = if inferred.edits.is_empty() {
        let edits = splice(text, &plan, options)?;
        Transformed { edits, ..Transformed::default() }
    } else {
        let middle = inferred.edits.clone().apply(text);
        let edits = splice(&middle, &plan, options)?;
        Transformed { edits: inferred.edits.then(&middle, edits), ..Transformed::default() }
    };
    transformed.functions = facts.keys().filter(|&id| plan.changes(id) || control.contains(&id)).count();
    unknown.extend(plan.into_refusals());
    transformed.refusals = unknown;
    Ok(transformed)
}

/// The names of functions of whose blocks an address is taken. O(text).
fn block_addresses(text: &[u8]) -> FxHashSet<Vec<u8>> {
    let after = |at: usize| {
        text[at + "blockaddress".len()..].trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b"@")
    };
    let name = |rest: &[u8]| {
        let end = match rest {
            [b'"', inner @ ..] => memchr::memchr(b'"', inner).map_or(rest.len(), |end| end + 2),
            _ => memchr::memchr2(b',', b' ', rest).unwrap_or(rest.len()),
        };
        reconverge_ir::text::unquote(&rest[..end]).into_owned()
    };
    memchr::memmem::find_iter(text, b"blockaddress").filter_map(after).map(name).collect()
}

/// Puts copies in the place of the calls of a plan.
fn splice(text: &[u8], plan: &Plan, options: &InlineOptions) -> Result<Edits, ReadError> {
    // Callees are kept, callers too.
    let keep = |module: &Module<'_>, id: FunctionId, function: &Function| {
        let calls = inlined_calls(module, plan, id, function);
        let callees: Vec<FunctionId> = calls.iter().map(|&(_, callee)| callee).collect();
        (id, function.blocks.len(), callees)
    };
    let (_, called) = read_functions(text, keep)?;
    let mut kept: FxHashSet<FunctionId> = FxHashSet::default();
    for (id, _, callees) in &called {
        kept.extend((!callees.is_empty()).then_some(*id).into_iter().chain(callees.iter().copied()));
    }
    let (module, bodies) = read_functions(text, |_, id, function| kept.contains(&id).then(|| (id, function.clone())))?;
    let bodies: FxHashMap<FunctionId, Function> = bodies.into_iter().flatten().collect();
    let splits = splitting(&called);
    let mut edits = Edits::default();
    let mut locations = Locations::new(&module, options.at_call);
    let mut callers: Vec<FunctionId> = kept.into_iter().filter(|&id| plan.changes(id)).collect();
    callers.sort_unstable();
    for &id in &callers {
        let function = &bodies[&id];
        let expansion = Expansion {
            module: &module,
            bodies: &bodies,
            splits: &splits,
            plan,
            names: Names::new(&module, function),
            locations: &mut locations,
            text: String::new(),
            allocas: Vec::new(),
        };
        splice_into(expansion, id, function, &mut edits);
    }
    if !callers.is_empty() {
        use_list_orders(&module, &mut edits);
    }
    if !locations.nodes.is_empty() {
        let newline = if text.last() == Some(&b'\n') { "" } else { "\n" };
        edits.insert(text.len(), format!("{newline}{}", locations.nodes));
    }
    Ok(edits)
}

/// Which functions take several blocks: by themselves, or for what is inlined into them.
fn splitting(called: &[(FunctionId, usize, Vec<FunctionId>)]) -> FxHashMap<FunctionId, bool> {
    let mut result: FxHashMap<FunctionId, bool> = called.iter().map(|&(id, blocks, _)| (id, blocks > 1)).collect();
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (id, _, callees) in called {
        callees.iter().for_each(|&callee| callers.entry(callee).or_default().push(*id));
    }
    let mut found: Vec<FunctionId> = result.iter().filter(|&(_, &splits)| splits).map(|(&id, _)| id).collect();
    while let Some(id) = found.pop() {
        for caller in callers.get(&id).into_iter().flatten() {
            if !std::mem::replace(result.entry(*caller).or_default(), true) {
                found.push(*caller);
            }
        }
    }
    result
}

/// Inlines the calls of one function.
fn splice_into(mut expansion: Expansion<'_, '_>, id: FunctionId, function: &Function, edits: &mut Edits) {
    let module = expansion.module;
    let calls = inlined_calls(module, expansion.plan, id, function);
    let mut frame = Frame {
        function,
        values: FxHashMap::default(),
        blocks: Vec::new(),
        ends: vec![String::new(); function.blocks.len()],
        exits: FxHashMap::default(),
        slots: Slots::default(),
    };
    let mut changed = Vec::new();
    for &(inst, callee) in &calls {
        if expansion.splits[&callee] {
            let exit = expansion.exit_of(callee);
            let block = function.instructions[inst].block;
            frame.ends[block.index()] = format!("%{exit}");
            frame.exits.insert(inst, exit);
            changed.push(block);
        }
    }
    let mut current: Option<(Block, String)> = None;
    for &(inst, callee) in &calls {
        let data = &function.instructions[inst];
        let block = match current.take().filter(|(block, _)| *block == data.block) {
            Some((_, name)) => name,
            None => name_of(module, function, data.block),
        };
        let place = expansion.locations.place(module, id, function, inst);
        let site = expansion.site(&frame, inst, callee, block.clone(), true, place);
        let after = site.exit.as_ref().map_or(block, |exit| format!("%{exit}"));
        current = Some((data.block, after));
        expansion.expand(site);
        let copy = std::mem::take(&mut expansion.text);
        let span = data.span.range();
        edits.replace(if copy.is_empty() { line(module.text, span) } else { span }, copy);
    }
    let mut phis: Vec<Inst> = Vec::new();
    let mut seen = FxHashSet::default();
    for &block in changed.iter().flat_map(|&block| function.successors(block)) {
        if seen.insert(block) {
            let is_phi = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Phi;
            phis.extend(function.block_instructions(block).take_while(is_phi));
        }
    }
    for inst in phis {
        edits.replace(function.instructions[inst].span.range(), frame.print(module, inst, None));
    }
    if !expansion.allocas.is_empty() {
        let entry = function.blocks.keys().next().expect("a body has a block");
        let is_alloca = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Alloca;
        let first =
            function.block_instructions(entry).find(|inst| !is_alloca(inst)).expect("a block ends in a terminator");
        let at = line_start(module.text, function.instructions[first].span.range().start);
        let (before, behind) = if at.is_line { ("  ", "\n") } else { ("", "\n  ") };
        let text: String = expansion.allocas.iter().map(|alloca| format!("{before}{alloca}{behind}")).collect();
        edits.insert(at.place, text);
    }
    if !function.use_list_orders.is_empty() {
        edits.delete(function.use_list_orders.range());
    }
}

/// The name of a block of the text, with its sigil.
fn name_of(module: &Module<'_>, function: &Function, block: Block) -> String {
    match function.blocks[block].name {
        LocalName::Text(span) => format!("%{}", String::from_utf8_lossy(span.of(module.text))),
        LocalName::Number(number) => format!("%{number}"),
    }
}

struct LineStart {
    place: usize,
    is_line: bool,
}

/// The start of the line of an instruction, where nothing else is on it; else the place itself.
fn line_start(text: &[u8], at: usize) -> LineStart {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    let is_line = text[start..at].iter().all(u8::is_ascii_whitespace);
    LineStart { place: if is_line { start } else { at }, is_line }
}

/// The line of an instruction, where nothing else stands on it; else the instruction alone.
fn line(text: &[u8], span: Range<usize>) -> Range<usize> {
    let start = line_start(text, span.start);
    let behind = memchr::memchr(b'\n', &text[span.end..]).map_or(text.len(), |newline| span.end + newline + 1);
    let is_line = start.is_line && text[span.end..behind].iter().all(u8::is_ascii_whitespace);
    if is_line { start.place..behind } else { span }
}

/// Takes out what the module says about the order of uses, of which there are now more.
fn use_list_orders(module: &Module<'_>, edits: &mut Edits) {
    let text = module.text;
    let bodies: Vec<Range<usize>> = module.functions.values().filter_map(|data| Some(data.body?.range())).collect();
    for at in memchr::memmem::find_iter(text, b"\nuselistorder") {
        let before = bodies.partition_point(|body| body.start <= at);
        if before > 0 && bodies[before - 1].contains(&at) {
            continue;
        }
        let end = memchr::memchr(b'\n', &text[at + 1..]).map_or(text.len(), |newline| at + 1 + newline);
        edits.delete(at..end);
    }
}
