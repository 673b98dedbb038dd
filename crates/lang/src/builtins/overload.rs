//! Which overload a call means: the one whose parameters need the least conversions, as C++ chooses ("over.match.best").
//!
//! **Invariant.** An overload is chosen only if for no argument another one fits better, and for some argument it fits better than each other one.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::signature::{Access, Base, Overload, Ty};
use crate::typed::{AddressSpace, Builder, Expression, Function, Shape, Type, TypeKind};

/// An argument of a call as far as overloads care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Argument {
    /// Its type.
    pub of: Ty,
    /// Whether it is a literal 0.
    pub is_null: bool,
}

/// Why no overload is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOverload {
    /// None takes these arguments.
    None,
    /// Two take them equally well: these.
    Ambiguous(usize, usize),
}

/// The address of a list of overloads, which lives as long as the process, and for each argument its type, and whether it is a literal 0: all that a
/// choice depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct CallKey(usize, SmallVec<[(Type, bool); 4]>);

impl CallKey {
    /// A call of one of a list of overloads.
    pub(super) fn new<T>(build: &mut Builder, list: &'static [T], arguments: &[Expression]) -> CallKey {
        let arguments = arguments.iter().map(|&value| (build.value_type(value), build.is_null(value)));
        CallKey(list.as_ptr() as usize, arguments.collect())
    }
}

/// The overloads that were chosen for a program's calls.
#[derive(Debug, Default)]
pub struct Chosen {
    /// The place in the list, and the function that was declared for it, if there is one.
    known: FxHashMap<CallKey, (usize, Option<Function>)>,
}

impl Chosen {
    /// What was chosen before.
    pub(super) fn get(&self, call: &CallKey) -> Option<(usize, Option<Function>)> {
        self.known.get(call).copied()
    }

    /// Remembers a choice.
    pub(super) fn put(&mut self, call: CallKey, index: usize, function: Option<Function>) {
        self.known.insert(call, (index, function));
    }
}

/// The overload that takes the arguments best, by its place in the list.
pub fn choose(overloads: &[Overload], arguments: &[Argument]) -> Result<usize, NoOverload> {
    let mut best: Option<usize> = None;
    let ranks = |index: usize| ranks(&overloads[index], arguments);
    let fitting = |overload: &&Overload| fits(overload, arguments);
    for (index, _) in overloads.iter().enumerate().filter(|(_, overload)| fitting(overload)) {
        match best {
            Some(champion) if !is_better(ranks(index), ranks(champion)) => {}
            _ => best = Some(index),
        }
    }
    let champion = best.ok_or(NoOverload::None)?;
    let rival = (0..overloads.len()).find(|&index| {
        index != champion && fits(&overloads[index], arguments) && !is_better(ranks(champion), ranks(index))
    });
    match rival {
        Some(rival) => Err(NoOverload::Ambiguous(champion, rival)),
        None => Ok(champion),
    }
}

/// Whether an overload takes the arguments at all.
fn fits(overload: &Overload, arguments: &[Argument]) -> bool {
    overload.parameters.len() == arguments.len()
        && overload.parameters.iter().zip(arguments).all(|(&parameter, argument)| rank(argument, parameter).is_some())
}

/// How well each argument fits.
fn ranks<'a>(overload: &'a Overload, arguments: &'a [Argument]) -> impl Iterator<Item = Option<u8>> + 'a {
    overload.parameters.iter().zip(arguments).map(|(&parameter, argument)| rank(argument, parameter))
}

/// Whether ranks are nowhere worse, and somewhere better.
fn is_better(left: impl Iterator<Item = Option<u8>>, right: impl Iterator<Item = Option<u8>>) -> bool {
    let mut is_better = false;
    for (left, right) in left.zip(right) {
        if left > right {
            return false;
        }
        is_better |= left < right;
    }
    is_better
}

/// How well an argument fits a parameter: 0 as it is, 1 promoted or with a qualifier more, 2 and more converted; none if not at all.
fn rank(argument: &Argument, parameter: Ty) -> Option<u8> {
    let of = argument.of;
    match (of.pointer, parameter.pointer) {
        (Some(space), Some(wanted)) => {
            let pointee = match parameter.base {
                Base::Void => Some(2),
                _ => (of.base == parameter.base && of.lanes == parameter.lanes).then_some(0),
            }?;
            let space = match (space, wanted) {
                _ if space == wanted => 0,
                (AddressSpace::Constant, _) => return None,
                (_, AddressSpace::Generic) => 1,
                _ => return None,
            };
            Some(pointee + space + u8::from(of.is_volatile && !parameter.is_volatile))
        }
        (None, Some(_)) => argument.is_null.then_some(2),
        (Some(_), None) => None,
        (None, None) => rank_value(argument, parameter),
    }
}

/// How well a value that is no pointer fits.
fn rank_value(argument: &Argument, parameter: Ty) -> Option<u8> {
    let of = argument.of;
    if of.base == parameter.base && of.lanes == parameter.lanes {
        return Some(0);
    }
    let is_number = |base: Base| base.bits() != 0 || base == Base::Bool;
    match (of.base, parameter.base) {
        (Base::Image(image, Access::Both), Base::Image(wanted, _)) => (image == wanted).then_some(1),
        (_, Base::Event) => argument.is_null.then_some(2),
        _ if !is_number(of.base) || !is_number(parameter.base) || of.lanes != 1 => None,
        _ if parameter.lanes != 1 => Some(3),
        (Base::Int, Base::Order | Base::Scope) => Some(0),
        (Base::Bool | Base::Char | Base::UChar | Base::Short | Base::UShort, Base::Int) => Some(1),
        (Base::Float, Base::Double) | (Base::Half | Base::BFloat, Base::Float) => Some(1),
        _ => Some(2),
    }
}

/// The type of an argument; what no overload takes is [`Base::Other`].
pub fn argument(build: &mut Builder, value: Expression) -> Argument {
    let of = build.value_type(value);
    Argument { of: ty(build, of), is_null: build.is_null(value) }
}

/// A type of the program as one of signatures.
pub fn ty(build: &Builder, of: Type) -> Ty {
    match build.shape(of) {
        Shape::Pointer { pointee, space, is_volatile } => {
            let inner = ty(build, pointee);
            let base = if inner.pointer.is_some() { Base::Other } else { inner.base };
            Ty { pointer: Some(space), is_volatile, ..Ty::new(base, inner.lanes) }
        }
        Shape::Vector { element, lanes } => Ty::new(ty(build, element).base, lanes),
        Shape::Void => Ty::new(Base::Void, 1),
        Shape::Bool => Ty::new(Base::Bool, 1),
        Shape::Integer { bits, signed } => Ty::new(Base::integer(bits, signed), 1),
        Shape::Float(kind) => Ty::new(float(kind), 1),
        Shape::Opaque => match build.program.types.kind(of) {
            TypeKind::Opaque(name) => Ty::new(opaque(name), 1),
            _ => Ty::new(Base::Other, 1),
        },
        _ => Ty::new(Base::Other, 1),
    }
}

/// A float type.
fn float(kind: crate::typed::FloatKind) -> Base {
    use crate::typed::FloatKind;
    match kind {
        FloatKind::Half => Base::Half,
        FloatKind::Single => Base::Float,
        FloatKind::Double => Base::Double,
        FloatKind::BFloat => Base::BFloat,
    }
}

/// An opaque type by its name, which may begin with how an image is accessed.
fn opaque(name: &str) -> Base {
    let (access, name) = match name.split_once(' ') {
        Some((access, name)) => (access.trim_start_matches('_'), name),
        None => ("", name),
    };
    let suffix = match access {
        "read_only" => "ro",
        "write_only" => "wo",
        _ => "rw",
    };
    let name = name.strip_suffix("_t").unwrap_or(name);
    match name {
        "event" => Base::Event,
        "sampler" => Base::Sampler,
        "reserve_id" => Base::Reservation,
        // `image2d_ro_t` says the access itself.
        _ => Base::named(name).or_else(|| Base::named(&format!("{name}_{suffix}"))).unwrap_or(Base::Other),
    }
}

/// A type of signatures as one of the program.
pub fn program_type(build: &mut Builder, of: Ty) -> Type {
    use crate::typed::FloatKind;
    let types = &mut build.program.types;
    let scalar = match of.base {
        Base::Void | Base::Other => types.void(),
        Base::Bool => types.bool(),
        Base::Half => types.float(FloatKind::Half),
        Base::BFloat => types.float(FloatKind::BFloat),
        Base::Float => types.float(FloatKind::Single),
        Base::Double => types.float(FloatKind::Double),
        Base::Event | Base::Sampler | Base::Pipe | Base::Reservation | Base::Image(..) => {
            types.intern(TypeKind::Opaque(of.base.name()))
        }
        number => types.integer(number.bits(), number.is_signed()),
    };
    let value = if of.lanes > 1 { types.vector(scalar, of.lanes) } else { scalar };
    match of.pointer {
        Some(space) => types.intern(TypeKind::Pointer { pointee: value, space, is_volatile: of.is_volatile }),
        None => value,
    }
}
