//! Who is together where statements say it: [`Model::Statements`](crate::launch::Model).
//!
//! Each fragment has the position of its threads in the statements of its frame's function; threads of one fragment have the same. Where the text leaves a choice, the launch's policy for anchors is what the implementation
//! does: nobody is with others (*solo*), or as many as the cycles allow (*maximal*).

use std::cell::RefCell;

use cranelift_entity::EntityRef;
use reconverge_findings::run::Limit;
use reconverge_graph::SuccessorOrder;
use reconverge_outline::dynamics::{Choice, Model as Rule, Position, Positions, Unrelated};
use reconverge_outline::{Node, SourceModel};
use rustc_hash::{FxHashMap, FxHashSet};

use super::frame::{Fragment, Place};
use super::meeting::{Walker, split_by};
use super::workgroup::Workgroup;
use crate::launch::{AnchorPolicy, STEPS};
use crate::program::code::Op;
use crate::program::flow::mix;
use crate::statements::Statements;
use crate::value::Mask;

/// The positions of a workgroup's threads.
pub(super) struct Together<'r> {
    /// Who can come somewhere is asked where nothing else changes.
    positions: RefCell<Positions<'r>>,
    /// By the numbers of functions in markers: the number of the body, and whether a call that says nothing is convergent.
    bodies: FxHashMap<u32, (usize, bool)>,
    shows_markers: bool,
}

impl<'r> Together<'r> {
    pub(super) fn new(statements: &'r Statements<'r>, text: SourceModel, policy: AnchorPolicy) -> Together<'r> {
        let rule = rule(text, policy);
        let mut positions = Positions::new();
        let mut functions: Vec<_> = statements.functions.iter().collect();
        functions.sort_unstable_by_key(|&(&number, _)| number);
        let mut add = |(&number, function): (&u32, &'r crate::statements::SourceFunction<'r>)| {
            let body = positions.add(function.outline, function.analysis, rule, statements.has_marker);
            (number, (body, function.is_convergent))
        };
        let bodies = functions.into_iter().map(&mut add).collect();
        Together { positions: RefCell::new(positions), bodies, shows_markers: statements.shows_markers }
    }
}

/// The rules of a text, and what is done where it leaves a choice.
fn rule(text: SourceModel, policy: AnchorPolicy) -> Rule {
    let is_solo = policy == AnchorPolicy::Solo;
    let choice = if is_solo { Choice::Solo } else { Choice::Maximal(SuccessorOrder::Forward) };
    match text {
        SourceModel::Clang2025_04 => Rule::Clang2025_04(choice),
        SourceModel::Clang2025_08 => Rule::Clang2025_08(choice),
        SourceModel::Tangles2024_10 if is_solo => Rule::Tangles2024_10(Unrelated::Apart),
        SourceModel::Tangles2024_10 => Rule::Tangles2024_10(Unrelated::United(SuccessorOrder::Forward)),
    }
}

impl Workgroup<'_> {
    /// Whether markers are among the operations that a run shows.
    pub(super) fn shows_markers(&self) -> bool {
        self.together.as_ref().is_none_or(|together| together.shows_markers)
    }

    /// Threads pass a marker: the parts of their fragment with equal positions.
    pub(super) fn pass_marker(&mut self, wave: usize, fragment: Fragment, function: u32, node: Node) -> Vec<Fragment> {
        let Some(together) = &self.together else { return vec![fragment] };
        let Some(&(body, is_convergent)) = together.bodies.get(&function) else { return vec![fragment] };
        let starts = match fragment.context.position {
            Some(position) => vec![(fragment.mask, position)],
            None => self.starting_positions(wave, &fragment, body, is_convergent),
        };
        let mut positions = together.positions.borrow_mut();
        let way = "a lowered program has only the ways that its statements have";
        let next = |(mask, at)| (mask, positions.pass(at, node).expect(way));
        let parts: Vec<(Mask, Position)> = starts.into_iter().map(next).collect();
        let is_full = positions.len() > self.bound.limits.records;
        drop(positions);
        self.spent.steps += STEPS.communication;
        if is_full {
            self.report(wave, &fragment, fragment.mask, Limit::Records(self.bound.limits.records));
            self.halt = true;
        }
        let part = |(mask, position)| {
            let mut part = Fragment { mask, ..fragment.clone() };
            part.context.position = Some(position);
            part
        };
        parts.into_iter().map(part).collect()
    }

    /// The positions of threads at the start of a function.
    fn starting_positions(
        &self,
        wave: usize,
        fragment: &Fragment,
        body: usize,
        is_convergent: bool,
    ) -> Vec<(Mask, Position)> {
        let Some(together) = &self.together else { return Vec::new() };
        let key = self.waves[wave].frames[fragment.frame as usize].key;
        let is_called = self.waves[wave].frames[fragment.frame as usize].caller.is_some();
        let is_open = is_called && (!is_convergent || self.is_start_open(wave, fragment.frame));
        let policy = if is_open { self.bound.anchors } else { AnchorPolicy::Maximal };
        let mut positions = together.positions.borrow_mut();
        if policy == AnchorPolicy::Maximal && !positions.tells_threads_apart(body) {
            return vec![(fragment.mask, positions.start(body, key, 0))];
        }
        let lanes = split_by(fragment.mask, |lane| lane as u64);
        let start = |(mask, lane): (Mask, u64)| {
            let activation = self.chosen_key(policy, key, wave, lane as usize).0;
            (mask, positions.start(body, activation, self.waves[wave].first + lane as u32))
        };
        lanes.into_iter().map(start).collect()
    }

    /// What of the position of a fragment's threads says with whom they are converged; none where no statements say it.
    pub(super) fn position_key(&self, fragment: &Fragment) -> Option<u64> {
        let key = self.together.as_ref()?.positions.borrow().key(fragment.context.position?)?;
        Some(mix(0x706f_7369_7469_6f6e, u64::from(key.0)))
    }

    /// Whether a thread in the activation of a place comes to the instance there of which the statements say with whom it is converged.
    pub(super) fn comes_by_statements(&self, at: Walker<'_>, lane: usize, to: Place<'_>, wanted: Position) -> bool {
        let Some(together) = &self.together else { return false };
        let mut positions = together.positions.borrow_mut();
        let from = at.place.context.position.unwrap_or_else(|| {
            let key = self.waves[at.wave].frames[at.place.frame as usize].key;
            let body = positions.body(wanted);
            positions.start(body, key, self.waves[at.wave].first + lane as u32)
        });
        if positions.key(from) == positions.key(wanted) {
            // In the same evaluation: it is in front of the operation, or behind it.
            return self.comes_without_marker(at, to);
        }
        positions.can_come(from, wanted)
    }

    /// Whether a thread comes to an operation before it passes another marker.
    fn comes_without_marker(&self, at: Walker<'_>, to: Place<'_>) -> bool {
        let code = self.code(at.wave, at.place.frame);
        let is_free = |from: u32, block: u32| {
            let rest = code.ops[from as usize..].iter().zip(from..).take_while(|&(_, op)| code.block_of(op) == block);
            let mut before = rest.take_while(|&(_, op)| block != to.block || op < to.op);
            before.all(|(op, _)| !matches!(op, Op::Marker { .. }))
        };
        if at.place.block == to.block && at.is_before(to.op) {
            return is_free(at.place.op, to.block);
        }
        let mut seen = FxHashSet::default();
        let mut pending = vec![(at.place.block, at.place.op)];
        while let Some((block, from)) = pending.pop() {
            if block == to.block && from <= to.op && !seen.is_empty() {
                if is_free(from, block) {
                    return true;
                }
            } else if is_free(from, block) {
                let next = code.graph.successors(EntityRef::new(block as usize)).iter().map(|next| next.index() as u32);
                pending.extend(next.filter(|&next| seen.insert(next)).map(|next| (next, code.blocks[next as usize])));
            }
        }
        false
    }
}
