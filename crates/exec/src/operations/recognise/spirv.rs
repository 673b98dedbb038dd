//! Functions that stand for instructions and built-in variables of SPIR-V ("SPIR-V Specification", "BuiltIn", "Group and
//! Subgroup Instructions", "Non-Uniform Instructions"), by the names that translators to and from LLVM IR give them.

use super::{Action, Axis, Barrier, Combine, Extent, GpuFunction, Item, Known, MaskFunction, Predicate, Scope, Source};
use crate::operations::{Comparison, Direction};

/// A function by what is behind `__spirv_` in its plain name.
pub(super) fn recognise(known: &Known, name: &str) -> Option<GpuFunction> {
    // Some names end in the type of the result: `_Rint4`.
    let name = name.split_once("_R").map_or(name, |(name, _)| name);
    if let Some(function) = recognise_builtin(known, name.strip_prefix("BuiltIn").unwrap_or(name)) {
        return Some(function);
    }
    match name {
        "ControlBarrier" => return barrier(known),
        "MemoryBarrier" => return known.has_no_result().then_some(GpuFunction::Fence),
        "GroupAsyncCopy" | "GroupWaitEvents" => {
            return Some(GpuFunction::Unsupported("a copy that a workgroup does in the background"));
        }
        _ if name.starts_with("ImageSampleImplicit") => {
            return Some(GpuFunction::Unsupported("an access to a texture"));
        }
        _ => {}
    }
    if let Some(direction) = name.strip_prefix("DPd").or(name.strip_prefix("Fwidth").map(|_| name)) {
        return derivative(known, direction);
    }
    if let Some(name) = name.strip_prefix("GroupNonUniform") {
        return non_uniform(known, name.strip_suffix("KHR").unwrap_or(name));
    }
    if let Some(name) = name.strip_prefix("Group") {
        return group(known, name.strip_suffix("KHR").unwrap_or(name));
    }
    subgroup(known, name.strip_prefix("Subgroup")?)
}

/// A built-in variable, as a function of no operand, of the number of a dimension, or with the dimension in its name.
pub(super) fn recognise_builtin(known: &Known, name: &str) -> Option<GpuFunction> {
    let axes = [("_x", 0), ("_y", 1), ("_z", 2)];
    let with_axis = axes.iter().find_map(|&(end, axis)| name.strip_suffix(end).map(|name| (name, Axis::Fixed(axis))));
    let (name, axis) = with_axis.unwrap_or((name, if known.arity() == 1 { Axis::Operand(0) } else { Axis::None }));
    let comparison = match name.strip_prefix("Subgroup").map(|name| name.strip_suffix("KHR").unwrap_or(name)) {
        Some("EqMask") => Some(Comparison::Equal),
        Some("GeMask") => Some(Comparison::GreaterOrEqual),
        Some("GtMask") => Some(Comparison::Greater),
        Some("LeMask") => Some(Comparison::LessOrEqual),
        Some("LtMask") => Some(Comparison::Less),
        _ => None,
    };
    let item = match (name, comparison) {
        (_, Some(comparison)) => Item::LaneMask(comparison),
        ("GlobalInvocationId", _) => Item::GlobalId,
        ("LocalInvocationId", _) => Item::LocalId,
        ("WorkgroupId", _) => Item::GroupId,
        ("GlobalSize", _) => Item::GlobalSize,
        ("WorkgroupSize" | "EnqueuedWorkgroupSize", _) => Item::LocalSize,
        ("NumWorkgroups", _) => Item::GroupCount,
        ("GlobalOffset", _) => Item::GlobalOffset,
        ("GlobalLinearId", _) => Item::GlobalLinearId,
        ("LocalInvocationIndex", _) => Item::LocalLinearId,
        ("WorkDim", _) => Item::Dimensions,
        ("SubgroupSize", _) => Item::SubgroupSize,
        ("SubgroupMaxSize", _) => Item::SubgroupMaxSize,
        ("NumSubgroups" | "NumEnqueuedSubgroups", _) => Item::SubgroupCount,
        ("SubgroupId", _) => Item::SubgroupId,
        ("SubgroupLocalInvocationId", _) => Item::Lane,
        _ => return None,
    };
    (known.arity() <= 1).then(|| known.query_about(item, axis)).flatten()
}

/// The group that an operand says, which must be a constant.
fn scope_of(known: &Known) -> Option<Scope> {
    match known.constant(0)? {
        2 => Some(Scope::Workgroup),
        3 => Some(Scope::Subgroup),
        _ => None,
    }
}

const OTHER_SCOPE: GpuFunction =
    GpuFunction::Unsupported("an operation whose scope is not a constant that means a workgroup or a subgroup");

/// Who waits, whose memory is ordered, and how: not at all, if that is 0.
fn barrier(known: &Known) -> Option<GpuFunction> {
    let fits = known.has_no_result() && known.arity() == 3 && (0..3).all(|operand| known.is_integer(operand));
    let orders_memory = known.constant(2) != Some(0);
    fits.then(|| match scope_of(known) {
        Some(scope) => GpuFunction::Barrier(Barrier { textual: Some(scope), orders_memory, ..known.barrier(scope) }),
        None => OTHER_SCOPE,
    })
}

/// What is combined, by the name of the instruction.
fn combine_named(name: &str) -> Option<Combine> {
    Some(match name {
        "IAdd" | "FAdd" => Combine::Add,
        "IMul" | "FMul" => Combine::Multiply,
        "SMin" | "FMin" => Combine::Minimum,
        "SMax" | "FMax" => Combine::Maximum,
        "UMin" => Combine::UnsignedMinimum,
        "UMax" => Combine::UnsignedMaximum,
        "BitwiseAnd" => Combine::And,
        "BitwiseOr" => Combine::Or,
        "BitwiseXor" => Combine::Xor,
        "LogicalAnd" => Combine::LogicalAnd,
        "LogicalOr" => Combine::LogicalOr,
        "LogicalXor" => Combine::LogicalXor,
        _ => return None,
    })
}

/// Scope, kind, value, and the size of clusters if the kind says so.
fn fold(known: &Known, combine: Combine) -> Option<Action> {
    let (extent, cluster) = match known.constant(1)? {
        0 => (Extent::Reduce, None),
        1 => (Extent::Inclusive, None),
        2 => (Extent::Exclusive, None),
        3 => (Extent::Reduce, Some(3)),
        _ => return None,
    };
    Some(Action::Fold { value: 2, combine, extent, cluster })
}

/// Operations that need all threads of the group.
fn group(known: &Known, name: &str) -> Option<GpuFunction> {
    let combine = combine_named(name);
    if combine.is_none() && !matches!(name, "All" | "Any" | "Broadcast") {
        return None;
    }
    let Some(scope) = scope_of(known) else { return Some(OTHER_SCOPE) };
    let action = match (name, scope) {
        ("All", _) => Action::All(Predicate::NonZero(1)),
        ("Any", _) => Action::Any(Predicate::NonZero(1)),
        ("Broadcast", Scope::Subgroup) => known.lane(1, 2, true),
        ("Broadcast", _) => {
            let components = known.operand(2)?.len().min(3) as u8;
            Action::Fetch(Source::Thread { value: 1, id: (0..components).map(|component| (2, component)).collect() })
        }
        _ => fold(known, combine?)?,
    };
    known.crosslane_with(scope, false, None, action)
}

/// Operations of those that are there. Their scope is that of a subgroup in all known uses.
fn non_uniform(known: &Known, name: &str) -> Option<GpuFunction> {
    let action = match name {
        "Elect" => Action::IsFirst,
        "All" => Action::All(Predicate::NonZero(1)),
        "Any" => Action::Any(Predicate::NonZero(1)),
        "AllEqual" => Action::AllEqual(1),
        "Broadcast" => known.lane(1, 2, true),
        "BroadcastFirst" => Action::Fetch(Source::First { value: 1 }),
        "Ballot" => Action::Ballot(Predicate::NonZero(1)),
        "InverseBallot" => Action::InverseBallot(1, false),
        "BallotBitExtract" => Action::OfMask(1, MaskFunction::Bit(2)),
        "BallotBitCount" => Action::OfMask(
            2,
            match known.constant(1)? {
                0 => MaskFunction::Count,
                1 => MaskFunction::CountUpTo,
                2 => MaskFunction::CountBefore,
                _ => return None,
            },
        ),
        "BallotFindLSB" => Action::OfMask(1, MaskFunction::Lowest),
        "BallotFindMSB" => Action::OfMask(1, MaskFunction::Highest),
        "Shuffle" => known.lane(1, 2, false),
        "ShuffleXor" => Action::Fetch(Source::Xor { value: 1, mask: 2 }),
        "ShuffleUp" => Action::Fetch(Source::Up { value: 1, delta: 2, before: None }),
        "ShuffleDown" => Action::Fetch(Source::Down { value: 1, delta: 2, behind: None }),
        "Rotate" => {
            let cluster = (known.arity() > 3).then_some(3);
            Action::Fetch(Source::Rotate { value: 1, delta: 2, cluster })
        }
        "QuadBroadcast" => Action::Fetch(Source::QuadLane { value: 1, lane: 2 }),
        "QuadSwap" => match known.constant(2)? {
            direction @ 0..3 => Action::Fetch(Source::QuadAcross { value: 1, xor: direction as u8 + 1 }),
            _ => return None,
        },
        "QuadAny" => Action::QuadAny(Predicate::NonZero(0)),
        "QuadAll" => Action::QuadAll(Predicate::NonZero(0)),
        _ => fold(known, combine_named(name)?)?,
    };
    if !name.starts_with("QuadA") && known.constant(0).is_some_and(|scope| scope != 3) {
        return Some(OTHER_SCOPE);
    }
    known.crosslane(action)
}

/// Instructions of extensions that are about the subgroup.
fn subgroup(known: &Known, name: &str) -> Option<GpuFunction> {
    known.crosslane(match name {
        "ShuffleINTEL" | "ReadInvocationKHR" => known.lane(0, 1, name == "ReadInvocationKHR"),
        "ShuffleXorINTEL" => Action::Fetch(Source::Xor { value: 0, mask: 1 }),
        "ShuffleUpINTEL" => Action::Fetch(Source::Up { value: 1, delta: 2, before: Some(0) }),
        "ShuffleDownINTEL" => Action::Fetch(Source::Down { value: 0, delta: 2, behind: Some(1) }),
        "BallotKHR" => Action::Ballot(Predicate::NonZero(0)),
        "FirstInvocationKHR" => Action::Fetch(Source::First { value: 0 }),
        "AllKHR" => Action::All(Predicate::NonZero(0)),
        "AnyKHR" => Action::Any(Predicate::NonZero(0)),
        "AllEqualKHR" => Action::Same(Predicate::NonZero(0)),
        _ if name.starts_with("Block") => {
            return Some(GpuFunction::Unsupported("an access to memory that a subgroup does as a whole"));
        }
        _ => return None,
    })
}

/// `x`, `yFine`, `FwidthCoarse`, …: where the name does not say it, they are fine.
fn derivative(known: &Known, name: &str) -> Option<GpuFunction> {
    let (name, fine) = match name.strip_suffix("Coarse") {
        Some(name) => (name, false),
        None => (name.strip_suffix("Fine").unwrap_or(name), true),
    };
    let direction = match name {
        "x" => Direction::X,
        "y" => Direction::Y,
        "Fwidth" => Direction::Both,
        _ => return None,
    };
    known.crosslane(Action::Derivative { value: 0, direction, fine })
}
