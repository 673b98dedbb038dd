//! Intrinsics of LLVM's backends for SPIR-V and DXIL (`llvm.spv.*`, `llvm.dx.*`), and the operations of DXIL itself
//! (`dx.op.*`), whose first operand is the operation's number ("HLSL Specification", "Wave Intrinsics"; "DXIL
//! Specification", "Operations").

use super::{
    Action, Axis, Barrier, Combine, Extent, GpuFunction, Item, Known, Predicate, Scope, Source, combine_named,
};
use crate::operations::{Direction, Stop};

/// An intrinsic by what is behind the name of its target.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    match name {
        "group.memory.barrier" | "device.memory.barrier" | "all.memory.barrier" => {
            return known.has_no_result().then_some(GpuFunction::Fence);
        }
        "abort" => return Some(GpuFunction::Stop(Stop::Trap)),
        _ => {}
    }
    if name.starts_with("resource.sample") || name.starts_with("resource.calculate.lod") {
        return Some(GpuFunction::Unsupported("an access to a texture"));
    }
    known.crosslane(match name {
        "quad.read.across.x" => Action::Fetch(Source::QuadAcross { value: 0, xor: 1 }),
        "quad.read.across.y" => Action::Fetch(Source::QuadAcross { value: 0, xor: 2 }),
        "quad.read.across.diagonal" => Action::Fetch(Source::QuadAcross { value: 0, xor: 3 }),
        "ddx" | "ddx.fine" => derivative(0, Direction::X, true),
        "ddx.coarse" => derivative(0, Direction::X, false),
        "ddy" | "ddy.fine" => derivative(0, Direction::Y, true),
        "ddy.coarse" => derivative(0, Direction::Y, false),
        "fwidth" => derivative(0, Direction::Both, true),
        _ => return None,
    })
}

fn derivative(value: u8, direction: Direction, fine: bool) -> Action {
    Action::Derivative { value, direction, fine }
}

fn group_barrier(known: &Known) -> Option<GpuFunction> {
    let barrier = Barrier { textual: Some(Scope::Workgroup), ..known.barrier(Scope::Workgroup) };
    known.has_no_result().then_some(GpuFunction::Barrier(barrier))
}

/// An operation of DXIL by its name without `dx.op.`; what is behind a dot is the type.
pub(super) fn recognise_operation(known: &Known, name: &str) -> Option<GpuFunction> {
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    let along = |item| (known.arity() == 2).then(|| known.query_about(item, Axis::Operand(1))).flatten();
    let alone = |item| (known.arity() == 1).then(|| known.query_about(item, Axis::None)).flatten();
    match name {
        "threadId" => return along(Item::GlobalId),
        "threadIdInGroup" => return along(Item::LocalId),
        "groupId" => return along(Item::GroupId),
        "flattenedThreadIdInGroup" => return alone(Item::LocalLinearId),
        "waveGetLaneIndex" => return alone(Item::Lane),
        "waveGetLaneCount" => return alone(Item::SubgroupMaxSize),
        // Bit 0 of the second operand: threads wait.
        "barrier" => {
            return match known.constant(1)? & 1 {
                1 => group_barrier(known),
                _ => Some(GpuFunction::Fence),
            };
        }
        "sample" | "sampleBias" | "sampleCmp" | "calculateLOD" => {
            return Some(GpuFunction::Unsupported("an access to a texture"));
        }
        _ => {}
    }
    known.crosslane(match name {
        "waveIsFirstLane" => Action::IsFirst,
        "waveAnyTrue" => Action::Any(Predicate::NonZero(1)),
        "waveAllTrue" => Action::All(Predicate::NonZero(1)),
        "waveActiveAllEqual" => Action::AllEqual(1),
        "waveActiveBallot" => Action::Ballot(Predicate::NonZero(1)),
        "waveAllOp" => Action::Count(Predicate::NonZero(1)),
        "waveReadLaneAt" => known.lane(1, 2, false),
        "waveReadLaneFirst" => Action::Fetch(Source::First { value: 1 }),
        "waveActiveOp" => known.folded(1, wave_operation(known)?, Extent::Reduce),
        "wavePrefixOp" if known.arity() == 2 => Action::CountBefore(Predicate::NonZero(1)),
        "wavePrefixOp" => known.folded(1, wave_operation(known)?, Extent::Exclusive),
        "waveActiveBit" => {
            let combine = match known.constant(2)? {
                0 => Combine::And,
                1 => Combine::Or,
                2 => Combine::Xor,
                _ => return None,
            };
            known.folded(1, combine, Extent::Reduce)
        }
        "quadReadLaneAt" => Action::Fetch(Source::QuadLane { value: 1, lane: 2 }),
        "quadOp" => match known.constant(2)? {
            direction @ 0..3 => Action::Fetch(Source::QuadAcross { value: 1, xor: direction as u8 + 1 }),
            _ => return None,
        },
        "derivCoarseX" => derivative(1, Direction::X, false),
        "derivCoarseY" => derivative(1, Direction::Y, false),
        "derivFineX" => derivative(1, Direction::X, true),
        "derivFineY" => derivative(1, Direction::Y, true),
        _ => return None,
    })
}

/// The kind of a reduction, and whether integers have no sign.
fn wave_operation(known: &Known) -> Option<Combine> {
    let name = match known.constant(2)? {
        0 => "add",
        1 => "mul",
        2 => "min",
        3 => "max",
        _ => return None,
    };
    combine_named(name, known.constant(3)? == 1)
}
