//! Functions by the names that shading languages give them, as the examples of LLVM's documents do: `subgroupBallot`,
//! `getSubgroupLocalInvocationId` ("GL_KHR_shader_subgroup"). Operands say whether integers have a sign only where the name
//! is mangled.

use super::{Action, Extent, GpuFunction, Item, Known, MaskFunction, Predicate, Scope, Source, combine_named};

/// A function by its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    let item = match name {
        "getSubgroupLocalInvocationId" | "getSubgroupInvocationId" | "__hlsl_wave_get_lane_index" => Some(Item::Lane),
        "getSubgroupSize" => Some(Item::SubgroupSize),
        "getSubgroupId" | "getSubgroupID" => Some(Item::SubgroupId),
        "getNumSubgroups" => Some(Item::SubgroupCount),
        "getLocalInvocationIndex" => Some(Item::LocalLinearId),
        _ => None,
    };
    if let Some(item) = item {
        return known.query(item);
    }
    let is_barrier = known.has_no_result();
    match name {
        "subgroupControlBarrier" | "subgroupBarrier" => return is_barrier.then(|| barrier(known, Scope::Subgroup)),
        "workgroupControlBarrier" | "workgroupBarrier" => return is_barrier.then(|| barrier(known, Scope::Workgroup)),
        "subgroupMemoryBarrier" => return is_barrier.then_some(GpuFunction::Fence),
        _ => {}
    }
    let name = name.strip_prefix("subgroup")?;
    known.crosslane(match name {
        "Elect" => Action::IsFirst,
        "All" => Action::All(Predicate::NonZero(0)),
        "Any" => Action::Any(Predicate::NonZero(0)),
        "AllEqual" => Action::AllEqual(0),
        "Ballot" => Action::Ballot(Predicate::NonZero(0)),
        "InverseBallot" => Action::InverseBallot(0, false),
        "BallotBitExtract" => Action::OfMask(0, MaskFunction::Bit(1)),
        "BallotBitCount" => Action::OfMask(0, MaskFunction::Count),
        "BallotInclusiveBitCount" => Action::OfMask(0, MaskFunction::CountUpTo),
        "BallotExclusiveBitCount" => Action::OfMask(0, MaskFunction::CountBefore),
        "BallotFindLSB" => Action::OfMask(0, MaskFunction::Lowest),
        "BallotFindMSB" => Action::OfMask(0, MaskFunction::Highest),
        "Broadcast" => known.lane(0, 1, true),
        "BroadcastFirst" => Action::Fetch(Source::First { value: 0 }),
        "Shuffle" => known.lane(0, 1, false),
        "ShuffleXor" => Action::Fetch(Source::Xor { value: 0, mask: 1 }),
        "ShuffleUp" => Action::Fetch(Source::Up { value: 0, delta: 1, before: None }),
        "ShuffleDown" => Action::Fetch(Source::Down { value: 0, delta: 1, behind: None }),
        "Rotate" => Action::Fetch(Source::Rotate { value: 0, delta: 1, cluster: None }),
        "QuadBroadcast" => Action::Fetch(Source::QuadLane { value: 0, lane: 1 }),
        "QuadSwapHorizontal" => Action::Fetch(Source::QuadAcross { value: 0, xor: 1 }),
        "QuadSwapVertical" => Action::Fetch(Source::QuadAcross { value: 0, xor: 2 }),
        "QuadSwapDiagonal" => Action::Fetch(Source::QuadAcross { value: 0, xor: 3 }),
        _ => fold(known, name)?,
    })
}

/// Among subgroups, those that are there together wait for each other.
fn barrier(known: &Known, scope: Scope) -> GpuFunction {
    let partial = scope == Scope::Subgroup;
    GpuFunction::Barrier(super::Barrier { textual: Some(scope), partial, ..known.barrier(scope) })
}

fn fold(known: &Known, name: &str) -> Option<Action> {
    let (extent, operation, cluster) = if let Some(operation) = name.strip_prefix("Inclusive") {
        (Extent::Inclusive, operation, None)
    } else if let Some(operation) = name.strip_prefix("Exclusive") {
        (Extent::Exclusive, operation, None)
    } else if let Some(operation) = name.strip_prefix("Clustered") {
        (Extent::Reduce, operation, Some(1))
    } else {
        (Extent::Reduce, name, None)
    };
    let combine = combine_named(&operation.to_ascii_lowercase(), known.name.is_unsigned(0))?;
    Some(Action::Fold { value: 0, combine, extent, cluster })
}
