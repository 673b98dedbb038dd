//! `hoist-anchors` and `sink-anchors`.

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Inst};
use rustc_hash::FxHashSet;

use super::Mover;

pub(super) fn hoist(mover: &mut Mover<'_>) {
    let mut refused = FxHashSet::default();
    for block in mover.bottom_up() {
        let sides = mover.sides(block);
        if sides.len() < 2 {
            continue;
        }
        let own: Vec<Block> = sides.iter().filter(|(_, is_only_way)| *is_only_way).map(|&(side, _)| side).collect();
        if own.len() == sides.len() {
            hoist_from_all(mover, block, &own);
        }
        for side in own {
            for anchor in mover.operations_of(side, OperationKind::Anchor) {
                hoist_one(mover, anchor, block, &mut refused);
            }
        }
    }
    // Out of a cycle: refused by a rule that users ask about.
    let anchors: Vec<Inst> =
        mover.legality.operations().filter(|&(_, kind)| kind == OperationKind::Anchor).map(|(inst, _)| inst).collect();
    for anchor in anchors {
        let layout = mover.legality.layout();
        let block = Node::new(layout.block_of(anchor).index());
        let is_candidate = !layout.is_merged(anchor) && mover.legality.cycles().is_header(block);
        if let Some(above) = mover.legality.dominators().immediate_dominator(block).filter(|_| is_candidate) {
            hoist_one(mover, anchor, Block::new(above.index()), &mut refused);
        }
    }
}

/// One anchor for the first, the second, … of each side.
fn hoist_from_all(mover: &mut Mover<'_>, block: Block, sides: &[Block]) {
    loop {
        let first = |&side: &Block| mover.operations_of(side, OperationKind::Anchor).first().copied();
        let Some(anchors) = sides.iter().map(first).collect::<Option<Vec<Inst>>>() else { return };
        let verdict = mover.legality.may_merge(&anchors, block);
        if !verdict.is_yes() {
            // Each on its own may still go.
            return;
        }
        let from: Vec<String> = sides.iter().map(|&side| mover.block_name(side)).collect();
        let what = format!("hoist the anchors of {} to {}, as one", from.join(" and "), mover.block_name(block));
        mover.legality.take_merge(&anchors, block);
        mover.report(anchors[0], what, verdict);
    }
}

fn hoist_one(mover: &mut Mover<'_>, anchor: Inst, to: Block, refused: &mut FxHashSet<Inst>) {
    let verdict = mover.legality.may_hoist(anchor, to);
    let what = format!("hoist {} to {}", mover.name(anchor), mover.block_name(to));
    if verdict.is_yes() {
        mover.legality.take_merge(&[anchor], to);
    } else if !refused.insert(anchor) {
        return;
    }
    mover.report(anchor, what, verdict);
}

pub(super) fn sink(mover: &mut Mover<'_>) {
    let anchors: Vec<Inst> =
        mover.legality.operations().filter(|&(_, kind)| kind == OperationKind::Anchor).map(|(inst, _)| inst).collect();
    // From the bottom up, so that an anchor does not wait for one below it.
    for anchor in anchors.into_iter().rev() {
        sink_alone(mover, anchor);
        sink_together(mover, anchor);
    }
}

fn sink_alone(mover: &mut Mover<'_>, anchor: Inst) {
    let layout = mover.legality.layout();
    let from = layout.block_of(anchor);
    let targets = mover.targets(from, layout.use_blocks(anchor));
    let name = mover.name(anchor);
    if let Some((verdict, to)) = mover.sink_to(&targets, |_, _| vec![anchor]) {
        mover.report(anchor, format!("sink {name} to {}", mover.block_name(to)), verdict);
    }
}

fn sink_together(mover: &mut Mover<'_>, anchor: Inst) {
    let layout = mover.legality.layout();
    let from = layout.block_of(anchor);
    let all: FxHashSet<Inst> = layout.uses(anchor).iter().map(|one| one.user).collect();
    let mut places = Vec::new();
    for &operation in &all {
        let is_inside = layout.only_used_by(operation, &all);
        let outside = layout.uses(operation).iter().filter(|one| !all.contains(&one.user));
        match is_inside {
            // Nobody needs its result anywhere else: it is what keeps the others.
            true if layout.uses(operation).is_empty() => places.push(layout.block_of(operation)),
            true => {}
            false => places.extend(outside.map(|one| one.edge.unwrap_or_else(|| layout.block_of(one.user)))),
        }
    }
    let targets = mover.targets(from, places.into_iter());
    // Where some are above the new place that do more than give a result, nobody would expect it.
    let is_pure = |mover: &Mover<'_>, to: Block| {
        let above = mover.legality.above(anchor, to);
        !above.is_empty() && above.iter().all(|&inst| mover.legality.operation(inst).motion.result_only)
    };
    let targets: Vec<Block> = targets.into_iter().filter(|&to| is_pure(mover, to)).collect();
    let name = mover.name(anchor);
    let group = |mover: &Mover<'_>, to: Block| {
        let mut group = vec![anchor];
        group.extend(mover.legality.above(anchor, to));
        group
    };
    if let Some((verdict, to)) = mover.sink_to(&targets, group) {
        let what = format!("sink {name} to {} with the operations on its token", mover.block_name(to));
        mover.report(anchor, what, verdict);
    }
}
