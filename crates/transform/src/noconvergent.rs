//! `infer-noconvergent`: takes `convergent` and tokens away where they say nothing ("Inferring non-convergence").
//!
//! What goes is the greatest choice that the text allows, over the whole call graph:
//!
//! 1. a call of a function that is not convergent, or no longer is, loses the attribute and the `convergencectrl` bundle;
//! 2. the definition of a token whose last use went so goes, too: it does nothing else. One that nobody ever used stays; somebody may be about to use it;
//! 3. a function loses the attribute if neither an `entry` nor an uncontrolled convergent operation is left in it. Not one that is only declared, or that the
//!    linker may replace: the other definition may be another one.
//!
//! Functions that only call each other lose it together: 3 is assumed of all functions, and taken back where it turns out wrong, until nothing changes.
//!
//! A function in which something else uses a token stays as it is.
//!
//! For a CPU, where threads never communicate convergently, all of it goes; and wherever the caller says that threads never diverge.
//!
//! Attribute groups are shared, so what loses the attribute gets a group of its own, a new one for each old one; others keep theirs.

mod attributes;

use std::ops::Range;

use cranelift_entity::SecondaryMap;
use reconverge_analysis::flow::{OperationKind, TokenSource};
use reconverge_analysis::lints::is_cpu;
use reconverge_analysis::lower::lower;
use reconverge_ir::function::Extra;
use reconverge_ir::{Function, FunctionId, Module, ReadError, Span};
use reconverge_valid::read_functions;

use crate::edit::line_of;
use crate::tokens::{other_use, without_tokens};
use crate::{Edits, Refusal, Transformed};
use attributes::Groups;

/// Drops `convergent` attributes, bundles and tokens that say nothing: all of them, if threads are said never to diverge (or communicate). O(text), times the length of the longest chain of calls.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn infer_noconvergent(text: &[u8], never_diverge: bool) -> Result<Transformed, ReadError> {
    let (module, bodies) = read_functions(text, Body::read)?;
    let everything = never_diverge || is_cpu(&module.target_triple());
    let convergent = convergent_functions(&module, &bodies, everything);
    let mut transformed = Transformed::default();
    let mut groups = Groups::new(&module);
    for body in &bodies {
        if let Some(refusal) = &body.refusal {
            transformed.refusals.push(refusal.clone());
            continue;
        }
        let mut edits = body.edits(&module, &convergent, everything, &mut groups);
        if module.functions[body.id].convergent && !convergent[body.id] {
            groups.drop_from(&module, module.functions[body.id].suffix, &mut edits);
        }
        transformed.functions += usize::from(!edits.is_empty());
        transformed.edits.extend(edits);
    }
    if everything {
        let declared = module.functions.iter().filter(|(_, function)| function.body.is_none() && function.convergent);
        for (_, function) in declared.filter(|(_, function)| !module.symbol_name(function.symbol).starts_with(b"llvm."))
        {
            groups.drop_from(&module, function.suffix, &mut transformed.edits);
        }
    }
    groups.define(&module, &mut transformed.edits);
    Ok(transformed)
}

/// What matters of a function: its convergent operations.
struct Body {
    id: FunctionId,
    operations: Vec<Operation>,
    /// Why it stays as it is, if it has to.
    refusal: Option<Refusal>,
}

struct Operation {
    kind: OperationKind,
    /// The function that it calls, if that is known.
    callee: Option<FunctionId>,
    is_controlled: bool,
    /// The operations that define its tokens.
    tokens: Vec<usize>,
    span: Span,
    attributes: Span,
    /// Its bundles, and what they are without tokens.
    bundles: Option<(Range<usize>, String)>,
}

impl Body {
    fn read(module: &Module<'_>, id: FunctionId, function: &Function) -> Body {
        let lowered = lower(module, id, function);
        let flow = &lowered.flow;
        let operation = |(index, operation): (usize, &reconverge_analysis::flow::ConvergentOperation)| {
            let data = &function.instructions[lowered.instructions[index]];
            let call = match data.extra {
                Extra::Call(call) => Some(&function.calls[call]),
                _ => None,
            };
            let sources = operation.bundles.iter().flatten();
            let token = |source: &TokenSource| flow.token_definition(*source).map(|index| index as usize);
            Operation {
                kind: operation.kind,
                callee: call.and_then(|call| module.function_of(call.callee.expand()?)),
                is_controlled: operation.is_controlled(),
                tokens: sources.filter_map(token).collect(),
                span: data.span,
                attributes: call.map(|call| call.attributes).unwrap_or_default(),
                bundles: call
                    .and_then(|call| Some((call.bundle_list.range(), without_tokens(module, function, call)?))),
            }
        };
        let operations = flow.operations.iter().enumerate().map(operation).collect();
        Body { id, operations, refusal: other_use(module, id, function) }
    }

    /// Which operations are convergent no longer, or are not needed any more.
    fn dropped(&self, convergent: &SecondaryMap<FunctionId, bool>, everything: bool) -> Vec<bool> {
        let is_plain = |operation: &Operation| {
            operation.kind == OperationKind::Call && operation.callee.is_some_and(|callee| !convergent[callee])
        };
        let mut dropped: Vec<bool> =
            self.operations.iter().map(|operation| everything || is_plain(operation)).collect();
        loop {
            // Definitions that were used, and are used no longer.
            let mut used = vec![false; dropped.len()];
            let mut still = vec![false; dropped.len()];
            for (operation, &is_dropped) in self.operations.iter().zip(&dropped) {
                for &token in &operation.tokens {
                    used[token] = true;
                    still[token] |= !is_dropped;
                }
            }
            let mut changed = false;
            for index in 0..dropped.len() {
                let is_idle = self.operations[index].kind.defines_token() && used[index] && !still[index];
                changed |= is_idle && !dropped[index];
                dropped[index] |= is_idle;
            }
            if !changed {
                return dropped;
            }
        }
    }

    /// Whether what is left of it depends on the threads that entered.
    fn needs_attribute(&self, convergent: &SecondaryMap<FunctionId, bool>, everything: bool) -> bool {
        let dropped = self.dropped(convergent, everything);
        let left = self.operations.iter().zip(dropped).filter(|(_, is_dropped)| !is_dropped);
        left.into_iter().any(|(operation, _)| match operation.kind {
            OperationKind::Entry => true,
            OperationKind::Call => !operation.is_controlled,
            OperationKind::Loop | OperationKind::Anchor => false,
        })
    }

    fn edits(
        &self,
        module: &Module<'_>,
        convergent: &SecondaryMap<FunctionId, bool>,
        everything: bool,
        groups: &mut Groups,
    ) -> Edits {
        let mut edits = Edits::default();
        let dropped = self.dropped(convergent, everything);
        for (operation, _) in self.operations.iter().zip(dropped).filter(|(_, is_dropped)| *is_dropped) {
            if operation.kind.defines_token() {
                edits.delete(line_of(module.text, operation.span));
                continue;
            }
            groups.drop_from(module, operation.attributes, &mut edits);
            if let Some((range, bundles)) = &operation.bundles {
                edits.replace(range.clone(), bundles.clone());
            }
        }
        edits
    }
}

/// The functions that are convergent in the end.
fn convergent_functions(module: &Module<'_>, bodies: &[Body], everything: bool) -> SecondaryMap<FunctionId, bool> {
    let mut convergent = SecondaryMap::new();
    for body in bodies.iter().filter(|body| body.refusal.is_some()) {
        convergent[body.id] = module.functions[body.id].convergent;
    }
    if everything {
        return convergent;
    }
    for (id, function) in &module.functions {
        convergent[id] |= function.convergent && !function.has_exact_definition();
    }
    let is_open = |body: &&Body| module.functions[body.id].convergent;
    loop {
        let mut changed = false;
        for body in bodies.iter().filter(is_open) {
            if !convergent[body.id] && body.needs_attribute(&convergent, everything) {
                convergent[body.id] = true;
                changed = true;
            }
        }
        if !changed {
            return convergent;
        }
    }
}
