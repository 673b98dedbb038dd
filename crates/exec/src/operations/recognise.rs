//! What a function is, by its name and types.
//!
//! What is in the table of operations is taken from there (`table`). Every other family of functions is a file that maps
//! plain names to what they are. A name alone is not enough: a function that
//! is called with other operands than the one that has this name is another one, and is not recognised.

mod amdgpu;
mod cuda;
mod nvptx;
mod opencl;
mod shader;
mod spirv;
mod subgroup;
mod table;

use super::names::Name;
use super::{
    Action, Axis, Barrier, Call, Combine, Crosslane, Extent, GpuFunction, Item, MaskFunction, Phase, Predicate, Query,
    Scope, SegmentMode, Segments, Source,
};
use crate::value::{Scalar, Shape};

/// What a called function is, as far as it is one of a GPU that is known here.
pub fn recognise(call: &Call) -> Option<GpuFunction> {
    let known = Known { call, name: Name::of(call.name) };
    if let Some(row) = reconverge_operations::find(call.name) {
        return table::recognise(&known, &row);
    }
    let plain = known.name.plain;
    if let Some(rest) = plain.strip_prefix("llvm.") {
        return match rest.split_once('.') {
            Some(("amdgcn", rest)) => amdgpu::recognise(&known, rest),
            Some(("r600", rest)) => amdgpu::recognise_r600(&known, rest),
            Some(("nvvm", rest)) => nvptx::recognise(&known, rest),
            Some(("spv" | "dx", rest)) => shader::recognise(&known, rest),
            _ => recognise_common(rest),
        };
    }
    if let Some(rest) = plain.strip_prefix("dx.op.") {
        return shader::recognise_operation(&known, rest);
    }
    if let Some(rest) = plain.strip_prefix("__spirv_") {
        return spirv::recognise(&known, rest);
    }
    if let Some(rest) = plain.strip_prefix("__ockl_") {
        return amdgpu::recognise_library(&known, rest);
    }
    cuda::recognise(&known, plain)
        .or_else(|| opencl::recognise(&known, plain))
        .or_else(|| subgroup::recognise(&known, plain))
}

/// What a global variable that stands for a built-in variable of SPIR-V (`__spirv_BuiltInGlobalInvocationId`) holds when
/// a value of a type is loaded from its start.
pub fn recognise_variable(name: &str, result: &[Scalar]) -> Option<Query> {
    let call = Call { name, result, arguments: &[], constants: &[] };
    match spirv::recognise_builtin(&Known { call: &call, name: Name::of(name) }, name.strip_prefix("__spirv_BuiltIn")?)?
    {
        GpuFunction::Query(query) => Some(query),
        _ => None,
    }
}

/// Intrinsics of no target.
fn recognise_common(rest: &str) -> Option<GpuFunction> {
    Some(match rest {
        "readcyclecounter" | "readsteadycounter" => GpuFunction::Clock,
        "trap" | "ubsantrap" => GpuFunction::Stop(super::Stop::Trap),
        "debugtrap" => GpuFunction::Nothing,
        _ => return None,
    })
}

/// A call of a function whose name is taken apart.
struct Known<'k> {
    call: &'k Call<'k>,
    name: Name<'k>,
}

impl Known<'_> {
    /// How many operands there are.
    fn arity(&self) -> usize {
        self.call.arguments.len()
    }

    /// An operand that is a constant integer.
    fn constant(&self, operand: usize) -> Option<u64> {
        self.call.constants.get(operand).copied().flatten()
    }

    fn operand(&self, index: u8) -> Option<&Shape> {
        self.call.arguments.get(usize::from(index))
    }

    /// Whether an operand is one integer.
    fn is_integer(&self, index: u8) -> bool {
        self.operand(index).is_some_and(|shape| is_integer(shape))
    }

    /// The shape of an operand is that of the first results.
    fn gives(&self, index: u8) -> bool {
        self.operand(index).is_some_and(|shape| !shape.is_empty() && *shape == self.call.result)
    }

    fn has_no_result(&self) -> bool {
        self.call.result.is_empty()
    }

    /// A query without operands about something that has no dimensions, or about all three.
    fn query(&self, item: Item) -> Option<GpuFunction> {
        (self.arity() == 0).then(|| self.query_about(item, Axis::None)).flatten()
    }

    fn query_about(&self, item: Item, axis: Axis) -> Option<GpuFunction> {
        let axis_fits = match axis {
            Axis::None => !self.call.result.is_empty() && self.call.result.len() <= 4,
            Axis::Fixed(_) => self.call.result.len() == 1,
            Axis::Operand(operand) => self.is_integer(operand) && self.call.result.len() == 1,
        };
        let is_number = |scalar: &Scalar| matches!(scalar, Scalar::Integer(1..=64));
        let fits = axis_fits && self.call.result.iter().all(is_number);
        fits.then(|| GpuFunction::Query(Query { item, axis, result: self.call.result.to_vec() }))
    }

    /// A barrier that all threads of a group wait at, and that orders their accesses to memory.
    fn barrier(&self, scope: Scope) -> Barrier {
        Barrier {
            scope,
            textual: None,
            partial: false,
            phase: Phase::Full,
            cluster: false,
            id: None,
            count: None,
            mask: None,
            reduction: None,
            flags: None,
            orders_memory: true,
        }
    }

    /// A communication of those that are there.
    fn crosslane(&self, action: Action) -> Option<GpuFunction> {
        self.crosslane_with(Scope::Subgroup, true, None, action)
    }

    fn crosslane_with(&self, scope: Scope, partial: bool, mask: Option<u8>, action: Action) -> Option<GpuFunction> {
        if !self.fits(&action) || mask.is_some_and(|mask| !self.is_integer(mask)) {
            return None;
        }
        if scope == Scope::Workgroup && !Crosslane::has_workgroup_form(&action) || scope == Scope::Grid {
            return None;
        }
        let (arguments, result) = (self.call.arguments.to_vec(), self.call.result.to_vec());
        Some(GpuFunction::Crosslane(Crosslane { scope, partial, mask, action, arguments, result }))
    }

    /// Whether operands and result are those of an action.
    fn fits(&self, action: &Action) -> bool {
        let result = self.call.result;
        let number = is_integer(result);
        match action {
            Action::Ballot(predicate) => {
                self.has(*predicate) && !result.is_empty() && result.iter().all(|&scalar| is_integer(&[scalar]))
            }
            Action::Count(predicate)
            | Action::CountBefore(predicate)
            | Action::All(predicate)
            | Action::Any(predicate)
            | Action::Same(predicate)
            | Action::QuadAny(predicate)
            | Action::QuadAll(predicate) => number && self.has(*predicate),
            Action::AllEqual(value) => self.operand(*value).is_some_and(|shape| {
                let narrow = shape.iter().all(|scalar| scalar.components() == 1);
                let flags = result.iter().all(|&scalar| is_integer(&[scalar]));
                narrow && flags && (result.len() == 1 || result.len() == shape.len())
            }),
            Action::MatchAny(value) => number && self.operand(*value).is_some(),
            Action::MatchAll(value) => {
                self.operand(*value).is_some() && matches!(result, [Scalar::Integer(_), Scalar::Integer(_)])
            }
            Action::Elect => matches!(result, [Scalar::Integer(_), Scalar::Integer(_)]),
            Action::IsFirst => number,
            Action::Fetch(source) => self.fits_source(source),
            Action::Push { address, value } => self.is_integer(*address) && self.gives(*value),
            Action::Write { value, lane, old } => self.is_integer(*lane) && self.gives(*value) && self.gives(*old),
            Action::Swap { .. } => {
                let shapes = [0, 1].map(|index| self.operand(index));
                let pair = shapes.iter().all(|shape| shape.is_some_and(|shape| is_integer(shape)));
                pair && result.len() == 2 && self.is_integer(2) && self.is_integer(3)
            }
            Action::Fold { value, cluster, .. } => {
                let narrow = |shape: &Shape| shape.iter().all(|scalar| scalar.components() == 1 && is_number(*scalar));
                self.gives(*value)
                    && self.operand(*value).is_some_and(narrow)
                    && cluster.is_none_or(|cluster| self.is_integer(cluster))
            }
            Action::InverseBallot(mask, _) => number && self.operand(*mask).is_some_and(|shape| is_mask(shape)),
            Action::OfMask(mask, function) => {
                let index = if let MaskFunction::Bit(index) = function { self.is_integer(*index) } else { true };
                number && index && self.operand(*mask).is_some_and(|shape| is_mask(shape))
            }
            Action::Derivative { value, .. } => {
                self.gives(*value) && self.operand(*value).is_some_and(|shape| shape.iter().all(|one| one.is_float()))
            }
            Action::Pass(value) => self.gives(*value),
        }
    }

    fn fits_source(&self, source: &Source) -> bool {
        match *source {
            Source::First { value } | Source::QuadAcross { value, .. } | Source::OtherHalf { value } => {
                self.gives(value)
            }
            Source::Lane { value, lane: operand, .. }
            | Source::Address { value, address: operand, .. }
            | Source::Xor { value, mask: operand }
            | Source::QuadLane { value, lane: operand }
            | Source::Eight { value, selectors: operand }
            | Source::Swizzle { value, pattern: operand } => self.gives(value) && self.is_integer(operand),
            Source::Thread { value, ref id } => {
                let has = |&(operand, component): &(u8, u8)| {
                    self.operand(operand).is_some_and(|shape| {
                        shape.get(usize::from(component)).is_some_and(|&scalar| is_integer(&[scalar]))
                    })
                };
                self.gives(value) && !id.is_empty() && id.len() <= 3 && id.iter().all(has)
            }
            Source::Up { value, delta, before: other } | Source::Down { value, delta, behind: other } => {
                self.gives(value) && self.is_integer(delta) && other.is_none_or(|other| self.gives(other))
            }
            Source::Rotate { value, delta, cluster } => {
                self.gives(value) && self.is_integer(delta) && cluster.is_none_or(|cluster| self.is_integer(cluster))
            }
            Source::Segment { value, lane, segments, flag, .. } => {
                let fits = match segments {
                    Segments::Packed(operand) | Segments::Width(operand) => self.is_integer(operand),
                    Segments::Warp => true,
                };
                let result = self.call.result;
                let value_fits = match (flag, result.split_last()) {
                    (true, Some((&last, values))) => {
                        is_integer(&[last]) && self.operand(value).is_some_and(|shape| shape == values)
                    }
                    (true, None) => false,
                    (false, _) => self.gives(value),
                };
                fits && value_fits && self.is_integer(lane)
            }
            Source::DataParallel { old, value, control } => {
                self.gives(value)
                    && old.is_none_or(|old| self.gives(old))
                    && (control..control + 4).all(|operand| self.is_integer(operand))
            }
            Source::Sixteen { old, value, selectors, own, inactive, .. } => {
                self.gives(value)
                    && self.gives(old)
                    && (selectors..selectors + 2 - u8::from(own)).all(|operand| self.is_integer(operand))
                    && (inactive..inactive + 2).all(|operand| self.is_integer(operand))
            }
        }
    }

    fn has(&self, predicate: Predicate) -> bool {
        match predicate {
            Predicate::Present => true,
            Predicate::NonZero(operand) => self.is_integer(operand),
            Predicate::Compare => {
                let narrow = self.operand(0).is_some_and(|shape| shape.len() == 1 && shape[0].components() == 1);
                narrow && self.operand(0) == self.operand(1) && self.is_integer(2)
            }
        }
    }

    /// A value of a thread that an operand names.
    fn lane(&self, value: u8, lane: u8, uniform: bool) -> Action {
        Action::Fetch(Source::Lane { value, lane, uniform, wraps: false })
    }

    /// A reduction or scan of an operand.
    fn folded(&self, value: u8, combine: Combine, extent: Extent) -> Action {
        Action::Fold { value, combine, extent, cluster: None }
    }
}

/// Whether a type is one integer of at most 64 bits.
fn is_integer(shape: &[Scalar]) -> bool {
    matches!(shape, [Scalar::Integer(1..=64)])
}

/// Whether it is one integer, or several of 32 bits.
fn is_mask(shape: &[Scalar]) -> bool {
    is_integer(shape) || !shape.is_empty() && shape.iter().all(|&scalar| scalar == Scalar::Integer(32))
}

fn is_number(scalar: Scalar) -> bool {
    scalar.is_float() || matches!(scalar, Scalar::Integer(_))
}

/// An operation of OpenCL's reductions by the end of its name, of integers with a sign or without.
fn combine_named(name: &str, unsigned: bool) -> Option<Combine> {
    Some(match name {
        "add" => Combine::Add,
        "mul" => Combine::Multiply,
        "min" if unsigned => Combine::UnsignedMinimum,
        "max" if unsigned => Combine::UnsignedMaximum,
        "min" => Combine::Minimum,
        "max" => Combine::Maximum,
        "and" => Combine::And,
        "or" => Combine::Or,
        "xor" => Combine::Xor,
        "logical_and" => Combine::LogicalAnd,
        "logical_or" => Combine::LogicalOr,
        "logical_xor" => Combine::LogicalXor,
        _ => return None,
    })
}

/// `shfl` and its relatives.
fn segment(mode: SegmentMode, value: u8, segments: Segments, flag: bool) -> Action {
    Action::Fetch(Source::Segment { mode, value, lane: value + 1, segments, flag })
}
