//! Functions of the table of operations (`reconverge-operations`): operands by their roles.

use reconverge_operations::{Does, Known as Row, MaskFunction as OfMask, Role, Threads};

use super::{
    Action, Axis, Barrier, Combine, Extent, GpuFunction, Known, MaskFunction, Predicate, Scope, Segments, Source,
    is_integer, segment,
};

/// What a row says of a call; nothing where operands or result are others than such an operation has.
pub(super) fn recognise(known: &Known, row: &Row) -> Option<GpuFunction> {
    if let Does::Barrier(barrier) = row.does {
        return self::barrier(known, row, barrier).map(GpuFunction::Barrier);
    }
    if let Does::Query(item, axis) = row.does {
        let axis = match axis {
            reconverge_operations::Axis::None => Axis::None,
            reconverge_operations::Axis::Fixed(axis) => Axis::Fixed(axis),
            reconverge_operations::Axis::Operand => Axis::Operand(row.spelling.operand(Role::Dimension)?),
        };
        let fits = known.arity() == row.spelling.operands.len();
        return fits.then(|| known.query_about(item, axis)).flatten();
    }
    let together = &row.spelling.together;
    let partial = together.threads != Threads::All;
    known.crosslane_with(together.scope, partial, mask(row), action(known, row)?)
}

/// The operand that names the threads.
fn mask(row: &Row) -> Option<u8> {
    row.spelling.operand(Role::Mask).filter(|_| row.spelling.together.threads == Threads::Named)
}

fn action(known: &Known, row: &Row) -> Option<Action> {
    // What is behind the last operand is left out.
    let given = |role| row.spelling.operand(role).filter(|&operand| usize::from(operand) < known.arity());
    let value = row.spelling.operand(Role::Value).unwrap_or(0);
    let lane = row.spelling.operand(Role::Lane);
    let holds = Predicate::NonZero(value);
    let fold = |combine, extent, cluster| {
        let combine = match combine {
            Combine::Minimum if known.name.is_unsigned(value.into()) => Combine::UnsignedMinimum,
            Combine::Maximum if known.name.is_unsigned(value.into()) => Combine::UnsignedMaximum,
            other => other,
        };
        Action::Fold { value, combine, extent, cluster }
    };
    Some(match row.does {
        Does::Fold(combine, extent) => fold(combine, extent, None),
        Does::ClusteredFold(combine) => fold(combine, Extent::Reduce, Some(given(Role::Cluster)?)),
        Does::Ballot => Action::Ballot(holds),
        Does::BallotOfComparison => Action::Ballot(Predicate::Compare),
        Does::ActiveMask => Action::Ballot(Predicate::Present),
        Does::Count => Action::Count(holds),
        Does::CountBefore => Action::CountBefore(holds),
        Does::All => Action::All(holds),
        Does::Any => Action::Any(holds),
        Does::Uniform => Action::Same(holds),
        Does::AllEqual => Action::AllEqual(value),
        Does::MatchAny => Action::MatchAny(value),
        Does::MatchAll => Action::MatchAll(value),
        Does::IsFirst => Action::IsFirst,
        Does::Elect => Action::Elect,
        Does::InverseBallot(uniform) => Action::InverseBallot(value, uniform),
        Does::OfMask(function) => {
            let function = match function {
                OfMask::Bit => MaskFunction::Bit(lane?),
                OfMask::Count => MaskFunction::Count,
                OfMask::CountUpTo => MaskFunction::CountUpTo,
                OfMask::CountBefore => MaskFunction::CountBefore,
                OfMask::Lowest => MaskFunction::Lowest,
                OfMask::Highest => MaskFunction::Highest,
            };
            Action::OfMask(value, function)
        }
        Does::First => Action::Fetch(Source::First { value }),
        Does::Broadcast => known.lane(value, lane?, true),
        Does::ReadLane => Action::Fetch(Source::Lane { value, lane: lane?, uniform: true, wraps: true }),
        Does::FromLane => known.lane(value, lane?, false),
        Does::BroadcastOfThread => {
            let id = (lane?..known.arity().min(4) as u8).map(|operand| (operand, 0)).collect();
            Action::Fetch(Source::Thread { value, id })
        }
        Does::Xor => Action::Fetch(Source::Xor { value, mask: lane? }),
        Does::Up => Action::Fetch(Source::Up { value, delta: lane?, before: given(Role::Other) }),
        Does::Down => Action::Fetch(Source::Down { value, delta: lane?, behind: given(Role::Other) }),
        Does::Rotate => Action::Fetch(Source::Rotate { value, delta: lane?, cluster: given(Role::Cluster) }),
        Does::Shuffle(mode, flag) => {
            let packed = row.spelling.operand(Role::Clamp).map(Segments::Packed);
            let segments = packed.or(given(Role::Width).map(Segments::Width)).unwrap_or(Segments::Warp);
            segment(mode, value, segments, flag)
        }
        Does::Barrier(_) | Does::Query(..) => return None,
    })
}

/// Operands are integers. The mask may be left out, and what says more about memory.
fn barrier(known: &Known, row: &Row, barrier: reconverge_operations::Barrier) -> Option<Barrier> {
    let operands = row.spelling.operands;
    let is_optional = |role: &Role| matches!(role, Role::Mask | Role::Other);
    let needed = operands.iter().take_while(|role| !is_optional(role)).count();
    let fits = (needed..=operands.len()).contains(&known.arity())
        && (0..known.arity() as u8).all(|operand| known.is_integer(operand))
        && if barrier.reduction.is_some() { is_integer(known.call.result) } else { known.has_no_result() };
    if !fits {
        return None;
    }
    let together = &row.spelling.together;
    let operand = |role| row.spelling.operand(role);
    let (id, count, value) = (operand(Role::Id), operand(Role::Count), operand(Role::Value));
    let flags = operand(Role::Flags);
    let orders_nothing = flags.is_some_and(|flags| known.constant(flags.into()) == Some(0));
    // Some warps of a workgroup are threads of the workgroup.
    let scope = if count.is_some() { Scope::Workgroup } else { together.scope };
    Some(Barrier {
        textual: barrier.textual,
        partial: together.threads != Threads::All,
        phase: barrier.phase,
        id,
        count,
        mask: mask(row).filter(|&mask| usize::from(mask) < known.arity()),
        reduction: barrier.reduction.zip(value),
        flags,
        orders_memory: barrier.orders_memory && !orders_nothing,
        ..known.barrier(scope)
    })
}
