//! Which calls are inlined.
//!
//! Functions are looked at callees first, so that what a callee is after its own calls were inlined is known: how long it is, whether it splits
//! the block of its call, what convergent operations it has. A call that nothing forbids is inlined.

use std::collections::BTreeMap;

use cranelift_entity::PrimaryMap;
use reconverge_ir::{FunctionId, Module};
use rustc_hash::FxHashSet;

use super::InlineOptions;
use super::facts::Facts;
use crate::Refusal;

/// Copies nest at most so deep.
const DEEPEST: usize = 200;

/// The decisions.
pub(super) struct Plan {
    /// For each function, of each of its calls of functions with a body, in the order of the text, whether it is inlined.
    pub(super) inlined: PrimaryMap<FunctionId, Vec<bool>>,
    /// What is not, and why: by the place in the text.
    refusals: BTreeMap<usize, Refusal>,
    /// A caller and a callee are named once.
    refused: FxHashSet<(FunctionId, FunctionId)>,
}

/// What a function is when its calls are inlined.
#[derive(Debug, Clone, Copy, Default)]
struct Whole {
    size: usize,
    depth: usize,
    /// Whether an uncontrolled convergent operation is where no return can be reached.
    dead_end: bool,
    /// Whether there are convergent operations.
    operations: bool,
}

impl Plan {
    /// Decides for all functions but what convergence has to say. O(functions + calls).
    pub(super) fn new(module: &Module<'_>, facts: &PrimaryMap<FunctionId, Facts>, options: &InlineOptions) -> Plan {
        let inlined = facts.values().map(|facts| vec![false; facts.calls.len()]).collect();
        let mut plan = Plan { inlined, refusals: BTreeMap::new(), refused: FxHashSet::default() };
        let (order, recursive) = callees_first(facts);
        let wanted = |id: FunctionId| {
            let name = module.function_name(id);
            options.functions.is_empty()
                || options.functions.iter().any(|wanted| name.trim_start_matches('@') == wanted.trim_start_matches('@'))
        };
        let wanted: PrimaryMap<FunctionId, bool> = facts.keys().map(wanted).collect();
        let mut wholes: PrimaryMap<FunctionId, Whole> = facts.keys().map(|_| Whole::default()).collect();
        let total: usize = facts.values().map(|facts| facts.size).sum();
        let mut room = total.saturating_mul(options.growth).saturating_add(options.function_limit);
        for id in order {
            let mine = &facts[id];
            let mut whole = Whole {
                size: mine.size,
                depth: 0,
                dead_end: mine.dead_end,
                operations: mine.uncontrolled || mine.tokens,
            };
            for (index, call) in mine.calls.iter().enumerate() {
                let callee = wholes[call.callee];
                let theirs = &facts[call.callee];
                let rule = if !wanted[call.callee] {
                    None
                } else if recursive[call.callee] {
                    Some("it is recursive, and there would be no end to it".to_owned())
                } else if options.functions.is_empty() && (theirs.noinline || call.noinline) {
                    Some("it is `noinline` (name it with --function if you want it all the same)".to_owned())
                } else if let Some(obstacle) = theirs.obstacle.as_ref().or(call.obstacle.as_ref()) {
                    Some(obstacle.clone())
                } else if theirs.environment != mine.environment {
                    Some("attributes that say what instructions mean, or for which processor they are, are not those of the caller".to_owned())
                } else if callee.dead_end && call.in_cycle {
                    Some("the call is in a cycle, and a convergent operation from which the function does not return would not be in it".to_owned())
                } else if callee.depth >= DEEPEST {
                    Some(format!("calls that are inlined nest at most {DEEPEST} deep"))
                } else if whole.size + callee.size > options.function_limit {
                    Some(format!("the caller would have more than {} instructions", options.function_limit))
                } else if callee.size > room {
                    Some("the module would have too many more instructions than before".to_owned())
                } else {
                    plan.inlined[id][index] = true;
                    room -= callee.size;
                    whole.size += callee.size;
                    whole.depth = whole.depth.max(callee.depth + 1);
                    whole.dead_end |= callee.dead_end || (call.dead_end && callee.operations);
                    whole.operations |= callee.operations;
                    None
                };
                if !plan.inlined[id][index] {
                    whole.operations |= call.convergent;
                    whole.dead_end |= call.dead_end && call.convergent && !call.controlled;
                }
                if let Some(rule) = rule {
                    plan.refuse(module, facts, id, index, &rule);
                }
            }
            wholes[id] = whole;
        }
        plan
    }

    /// Says why a call is not inlined.
    pub(super) fn refuse(
        &mut self,
        module: &Module<'_>,
        facts: &PrimaryMap<FunctionId, Facts>,
        caller: FunctionId,
        index: usize,
        rule: &str,
    ) {
        self.inlined[caller][index] = false;
        let call = &facts[caller].calls[index];
        if self.refused.insert((caller, call.callee)) {
            let rule = format!("{} is not inlined here: {rule}", module.function_name(call.callee));
            let refusal = Refusal { function: module.function_name(caller), rule, span: call.span };
            self.refusals.insert(call.span.range().start, refusal);
        }
    }

    /// Whether calls are inlined in a function.
    pub(super) fn changes(&self, id: FunctionId) -> bool {
        self.inlined.get(id).is_some_and(|calls| calls.contains(&true))
    }

    /// The refusals, in the order of the text.
    pub(super) fn into_refusals(self) -> Vec<Refusal> {
        self.refusals.into_values().collect()
    }
}

/// The functions, callees first, and which are recursive: those in a cycle of the call graph. O(functions + calls).
///
/// This is Tarjan's search for strongly connected components, with a stack of its own.
fn callees_first(facts: &PrimaryMap<FunctionId, Facts>) -> (Vec<FunctionId>, PrimaryMap<FunctionId, bool>) {
    const NEW: usize = usize::MAX;
    let mut number: PrimaryMap<FunctionId, usize> = facts.keys().map(|_| NEW).collect();
    let mut lowest = number.clone();
    let mut recursive: PrimaryMap<FunctionId, bool> = facts.keys().map(|_| false).collect();
    let mut is_open = recursive.clone();
    let (mut order, mut open, mut count) = (Vec::with_capacity(facts.len()), Vec::new(), 0);
    for root in facts.keys() {
        let mut stack = if number[root] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some(&mut (id, ref mut next)) = stack.last_mut() {
            if *next == 0 {
                (number[id], lowest[id], is_open[id]) = (count, count, true);
                count += 1;
                open.push(id);
            }
            let call = facts[id].calls.get(*next);
            *next += 1;
            if let Some(call) = call {
                let callee = call.callee;
                recursive[id] |= callee == id;
                if number[callee] == NEW {
                    stack.push((callee, 0));
                } else if is_open[callee] {
                    lowest[id] = lowest[id].min(number[callee]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(caller, _)) = stack.last() {
                lowest[caller] = lowest[caller].min(lowest[id]);
            }
            if lowest[id] == number[id] {
                let start = open.iter().rposition(|&other| other == id).unwrap_or(0);
                let several = open.len() - start > 1;
                for member in open.drain(start..) {
                    is_open[member] = false;
                    recursive[member] |= several;
                    order.push(member);
                }
            }
        }
    }
    (order, recursive)
}

/// Which functions need tokens of the procedure for that, and which calls are not inlined since a function cannot have them.
///
/// Two functions are *linked* where one is inlined into the other and brings convergent operations. Linked functions have
/// all of them tokens, or none has.
pub(super) struct Linked {
    parents: PrimaryMap<FunctionId, FunctionId>,
    /// What a function has by itself.
    is_uncontrolled: PrimaryMap<FunctionId, bool>,
    /// What the members of a set have, by its root.
    uncontrolled: PrimaryMap<FunctionId, bool>,
    tokens: PrimaryMap<FunctionId, bool>,
    /// Calls that link, as caller and index.
    links: Vec<(FunctionId, usize)>,
}

impl Linked {
    /// Finds out what is linked. O(functions + calls), but for the inverse of Ackermann's function.
    pub(super) fn new(plan: &Plan, facts: &PrimaryMap<FunctionId, Facts>) -> Linked {
        let (order, _) = callees_first(facts);
        let mut linked = Linked {
            parents: facts.keys().collect(),
            is_uncontrolled: PrimaryMap::new(),
            uncontrolled: facts.values().map(|facts| facts.uncontrolled).collect(),
            tokens: facts.values().map(|facts| facts.tokens).collect(),
            links: Vec::new(),
        };
        let mut operations: PrimaryMap<FunctionId, bool> =
            facts.values().map(|facts| facts.uncontrolled || facts.tokens).collect();
        for id in order {
            for (index, (call, &inlined)) in facts[id].calls.iter().zip(&plan.inlined[id]).enumerate() {
                let brings = operations[call.callee];
                if inlined && brings {
                    linked.links.push((id, index));
                    operations[id] = true;
                }
                if call.convergent && (brings || !inlined) {
                    operations[id] = true;
                    let kind = if call.controlled { &mut linked.tokens } else { &mut linked.uncontrolled };
                    kind[id] = true;
                }
            }
        }
        for index in 0..linked.links.len() {
            let (caller, call) = linked.links[index];
            let (caller, callee) = (linked.root(caller), linked.root(facts[caller].calls[call].callee));
            linked.parents[caller] = callee;
        }
        linked.is_uncontrolled = linked.uncontrolled.clone();
        for id in facts.keys() {
            let root = linked.root(id);
            if root != id {
                linked.uncontrolled[root] |= linked.uncontrolled[id];
                linked.tokens[root] |= linked.tokens[id];
            }
        }
        linked
    }

    fn root(&mut self, mut id: FunctionId) -> FunctionId {
        while self.parents[id] != id {
            let above = self.parents[self.parents[id]];
            self.parents[id] = above;
            id = above;
        }
        id
    }

    /// The functions that have to get tokens.
    pub(super) fn need_tokens(&mut self, facts: &PrimaryMap<FunctionId, Facts>) -> FxHashSet<FunctionId> {
        let ends = |&(caller, call): &(FunctionId, usize)| [caller, facts[caller].calls[call].callee];
        let linked: FxHashSet<FunctionId> = self.links.iter().flat_map(ends).collect();
        let mut needed = FxHashSet::default();
        for id in linked {
            let root = self.root(id);
            if self.is_uncontrolled[id] && self.uncontrolled[root] && self.tokens[root] {
                needed.insert(id);
            }
        }
        needed
    }

    /// The calls that link a function with others.
    pub(super) fn links_of(&self, id: FunctionId, facts: &PrimaryMap<FunctionId, Facts>) -> Vec<(FunctionId, usize)> {
        let is_one = |&&(caller, call): &&(FunctionId, usize)| caller == id || facts[caller].calls[call].callee == id;
        self.links.iter().filter(is_one).copied().collect()
    }
}
