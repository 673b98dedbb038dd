//! `hoist-operations` and `sink-operations`.

use reconverge_analysis::flow::OperationKind;
use reconverge_ir::function::{Block, Inst};

use super::Mover;
use crate::identical::is_identical;

pub(super) fn hoist(mover: &mut Mover<'_>) {
    for block in mover.bottom_up() {
        let sides = mover.sides(block);
        if sides.len() < 2 || !sides.iter().all(|(_, is_only_way)| *is_only_way) {
            continue;
        }
        let sides: Vec<Block> = sides.into_iter().map(|(side, _)| side).collect();
        let from: Vec<String> = sides.iter().map(|&side| mover.block_name(side)).collect();
        for first in mover.operations_of(sides[0], OperationKind::Call) {
            let Some(group) = identical(mover, first, &sides[1..]) else { continue };
            let verdict = mover.legality.may_merge(&group, block);
            let name = mover.name(first);
            let name = name.split(" of ").next().unwrap_or(&name);
            let what = format!("hoist {name} of {} to {}, as one", from.join(" and "), mover.block_name(block));
            let is_yes = verdict.is_yes();
            if is_yes {
                mover.legality.take_merge(&group, block);
            }
            mover.report(first, what, verdict);
            if !is_yes {
                // What comes behind it is not moved past it.
                break;
            }
        }
    }
}

/// An operation, and the first that is identical on each of the other sides.
fn identical(mover: &Mover<'_>, first: Inst, others: &[Block]) -> Option<Vec<Inst>> {
    let layout = mover.legality.layout();
    let find = |&side: &Block| {
        let operations = mover.operations_of(side, OperationKind::Call).into_iter();
        operations.into_iter().find(|&other| is_identical(mover.module, mover.function, layout, first, other))
    };
    std::iter::once(Some(first)).chain(others.iter().map(find)).collect()
}

pub(super) fn sink(mover: &mut Mover<'_>) {
    let operations: Vec<Inst> =
        mover.legality.operations().filter(|&(_, kind)| kind == OperationKind::Call).map(|(inst, _)| inst).collect();
    for operation in operations.into_iter().rev() {
        let layout = mover.legality.layout();
        let targets = mover.targets(layout.block_of(operation), layout.use_blocks(operation));
        let name = mover.name(operation);
        if let Some((verdict, to)) = mover.sink_to(&targets, |_, _| vec![operation]) {
            mover.report(operation, format!("sink {name} to {}", mover.block_name(to)), verdict);
        }
    }
}
