//! The functions of OpenCL C, on every target under the names that the Itanium ABI gives their overloads.
//!
//! What threads do together, and what they can ask, is in the table of operations (`reconverge-operations`), the others are in tables here.
//! What has no overload to choose is not here in tables: `as_T` and plain `convert_T` are conversions, `printf` takes anything.

use std::sync::{LazyLock, OnceLock};

use reconverge_operations::Known;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::mangle::mangle;
use super::overload::{Argument, CallKey, NoOverload, argument, choose, program_type};
use super::signature::{Base, Overload, Ty, expand, expand_operation, text};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{
    AddressSpace, Builder, Conversion, Expression, ExpressionKind, FloatKind, MemoryEffects, Shape, Type, TypeKind,
};

/// The tables.
pub(super) const TABLES: [&str; 8] = [
    include_str!("opencl/synchronisation.txt"),
    include_str!("opencl/pipes.txt"),
    include_str!("opencl/math.txt"),
    include_str!("opencl/integers.txt"),
    include_str!("opencl/relations.txt"),
    include_str!("opencl/memory.txt"),
    include_str!("opencl/atomics.txt"),
    include_str!("opencl/images.txt"),
];

/// A function: the lines of the tables that name it, and its row in the table of operations, expanded when it is called first.
#[derive(Default)]
struct Entry {
    lines: SmallVec<[&'static str; 2]>,
    operation: Option<Known>,
    overloads: OnceLock<Vec<Overload>>,
}

/// The functions by name.
static FUNCTIONS: LazyLock<FxHashMap<&'static str, Entry>> = LazyLock::new(|| {
    let mut functions: FxHashMap<&'static str, Entry> = FxHashMap::default();
    let lines = TABLES.iter().flat_map(|table| table.lines());
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let names = line.rsplit('|').next().unwrap_or_default();
        for name in names.split_whitespace() {
            functions.entry(name).or_default().lines.push(line);
        }
    }
    for operation in reconverge_operations::spellings().filter(|known| known.spelling.signature.is_some()) {
        functions.entry(operation.spelling.name).or_default().operation = Some(operation);
    }
    functions
});

/// The names of all functions in the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.keys().copied()
}

/// All overloads of a function; none for a name that is not in the tables.
pub fn overloads(name: &str) -> Option<&'static [Overload]> {
    let entry = FUNCTIONS.get(name)?;
    Some(entry.overloads.get_or_init(|| {
        let mut overloads = Vec::new();
        for line in &entry.lines {
            expand(line, |other, overload| {
                if other == name && !overloads.contains(&overload) {
                    overloads.push(overload);
                }
            });
        }
        if let Some(operation) = &entry.operation {
            expand_operation(operation, |overload| overloads.push(overload));
        }
        overloads
    }))
}

/// A call of a function of OpenCL C; none if it has no function of that name.
pub fn call(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    if let Some(overloads) = overloads(name) {
        return Some(call_overload(build, name, overloads, arguments, location));
    }
    if name == "printf" {
        return Some(print(build, arguments, location));
    }
    if let Some(space) = name.strip_prefix("to_").and_then(named_space) {
        return Some(to_space(build, name, space, arguments, location));
    }
    if UNSUPPORTED.iter().any(|start| name.starts_with(start)) {
        return Some(Err(Diagnostic::unsupported(location, format!("`{name}` is not supported: device queues"))));
    }
    if let Some(of) = name.strip_prefix("as_").and_then(named_type) {
        return Some(reinterpret(build, name, of, arguments, location));
    }
    let (of, modifiers) = conversion(name)?;
    Some(convert(build, name, of, modifiers, arguments, location))
}

/// How the names of functions for device queues begin.
const UNSUPPORTED: [&str; 7] =
    ["enqueue_", "ndrange_", "get_kernel_", "get_default_queue", "create_user_event", "retain_event", "release_event"];

/// The address space of `to_global` and its like.
fn named_space(name: &str) -> Option<AddressSpace> {
    match name {
        "global" => Some(AddressSpace::Global),
        "local" => Some(AddressSpace::Local),
        "private" => Some(AddressSpace::Private),
        _ => None,
    }
}

/// `to_global(p)`: the pointer if it points there, else a null pointer.
fn to_space(
    build: &mut Builder,
    name: &str,
    space: AddressSpace,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let value = single(build, name, arguments, location)?;
    let Shape::Pointer { pointee, space: from, .. } = build.shape_of(value) else {
        let given = build.type_name(build.type_of(value));
        return Err(Diagnostic::error(location, format!("`{name}` takes a pointer, not `{given}`")));
    };
    if from == AddressSpace::Constant {
        return Err(Diagnostic::error(location, format!("`{name}` takes no pointer to constant memory")));
    }
    let types = &mut build.program.types;
    let void = types.void();
    let (generic, result) = (types.pointer(void, AddressSpace::Generic), types.pointer(void, space));
    let to = types.pointer(pointee, space);
    let value = build.convert_or_say(value, generic)?;
    let of = build.program.types.intern(TypeKind::Function { result, parameters: vec![generic], variadic: false });
    let function = build.declare(&format!("__{name}"), of, false, MemoryEffects::Unknown);
    let pointer = build.call(function, vec![value], location);
    Ok(if to == result { pointer } else { build.convert_to(Conversion::Pointer, pointer, to) })
}

/// A call of the overload that takes the arguments best.
fn call_overload(
    build: &mut Builder,
    name: &str,
    overloads: &'static [Overload],
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let key = CallKey::new(build, overloads, arguments);
    if let Some((_, Some(function))) = build.program.chosen.get(&key) {
        let of = build.program.functions[function].of;
        let mut converted = ThinVec::with_capacity(arguments.len());
        for (index, &value) in arguments.iter().enumerate() {
            let TypeKind::Function { parameters, .. } = build.program.types.kind(of) else { break };
            let to = parameters[index];
            converted.push(build.convert_or_say(value, to)?);
        }
        return Ok(build.call(function, converted, location));
    }
    let types: SmallVec<[Argument; 4]> = arguments.iter().map(|&value| argument(build, value)).collect();
    match choose(overloads, &types) {
        Ok(index) => {
            let overload = &overloads[index];
            let linkage_name = mangle(name, &overload.parameters, build.program.target);
            let made = declared_call(build, &linkage_name, overload, arguments, location)?;
            let function = build.program.declared.get(&linkage_name).copied();
            build.program.chosen.put(key, index, function);
            Ok(made)
        }
        Err(problem) => Err(no_overload(build, name, overloads, arguments, problem, location)),
    }
}

/// A call of a declared function that has the types of an overload.
fn declared_call(
    build: &mut Builder,
    linkage_name: &str,
    overload: &Overload,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let parameters: Vec<Type> = overload.parameters.iter().map(|&of| program_type(build, of)).collect();
    let converted = arguments.iter().zip(&parameters).map(|(&value, &of)| build.convert_or_say(value, of));
    let converted: ThinVec<Expression> = converted.collect::<Result<_, _>>()?;
    let function = match build.program.declared.get(linkage_name) {
        Some(&function) => function,
        None => {
            let result = program_type(build, overload.result);
            let of = build.program.types.intern(TypeKind::Function { result, parameters, variadic: false });
            build.declare(linkage_name, of, overload.is_convergent, overload.memory)
        }
    };
    Ok(build.call(function, converted, location))
}

/// What is wrong with a call that no overload takes.
pub(super) fn no_overload(
    build: &mut Builder,
    name: &str,
    overloads: &[Overload],
    arguments: &[Expression],
    problem: NoOverload,
    location: Location,
) -> Diagnostic {
    let types: Vec<String> = arguments
        .iter()
        .map(|&value| {
            let of = build.value_type(value);
            build.type_name(of)
        })
        .collect();
    let given = types.join(", ");
    let dialect = build.dialect();
    let quoted = |overload: &Overload| format!("`{}`", text(overload, name, dialect));
    let message = match problem {
        NoOverload::Ambiguous(first, second) => {
            let (first, second) = (quoted(&overloads[first]), quoted(&overloads[second]));
            format!("the call of `{name}` with ({given}) is ambiguous: {first} and {second} fit equally well")
        }
        NoOverload::None => {
            let of_count = overloads.iter().filter(|overload| overload.parameters.len() == arguments.len());
            let mut known: Vec<String> = of_count.take(3).map(quoted).collect();
            if known.is_empty() {
                known = overloads.iter().take(3).map(quoted).collect();
            }
            let more = if overloads.len() > known.len() { ", …" } else { "" };
            format!("`{name}` does not take ({given}); it is {}{more}", known.join(", "))
        }
    };
    Diagnostic::error(location, message)
}

/// A type by its name after `as_` and `convert_`: `int`, `uchar4`.
fn named_type(name: &str) -> Option<Ty> {
    let (base, lanes) = name.split_at(name.trim_end_matches(|digit: char| digit.is_ascii_digit()).len());
    let lanes = match lanes {
        "" => 1,
        "2" | "3" | "4" | "8" | "16" => lanes.parse().ok()?,
        _ => return None,
    };
    Base::named(base)
        .filter(|&base| base.bits() != 0 && !matches!(base, Base::Order | Base::Scope))
        .map(|base| Ty::new(base, lanes))
}

/// The type of `convert_T[_sat][_mode]`, and whether there is anything after it.
fn conversion(name: &str) -> Option<(Ty, bool)> {
    let rest = name.strip_prefix("convert_")?;
    let plain = ["_rte", "_rtz", "_rtp", "_rtn"].iter().find_map(|mode| rest.strip_suffix(mode)).unwrap_or(rest);
    let bare = plain.strip_suffix("_sat").unwrap_or(plain);
    let of = named_type(bare)?;
    // A float has no bounds to keep to.
    (bare.len() == plain.len() || of.base.is_integer()).then_some((of, bare.len() < rest.len()))
}

/// The only argument of a function.
fn single(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    match *arguments {
        [value] => Ok(build.rvalue(value)),
        _ => Err(Diagnostic::error(location, format!("`{name}` takes one argument, not {}", arguments.len()))),
    }
}

/// `convert_T`.
fn convert(
    build: &mut Builder,
    name: &str,
    of: Ty,
    is_modified: bool,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let value = single(build, name, arguments, location)?;
    let mut from = argument(build, value).of;
    if from.base == Base::Bool && from.pointer.is_none() {
        from.base = Base::Int;
    }
    if from.pointer.is_some() || from.base.bits() == 0 || from.lanes != of.lanes {
        let given = build.type_name(build.type_of(value));
        let message = format!("`{name}` takes {}, not `{given}`", numbers(of.lanes));
        return Err(Diagnostic::error(location, message));
    }
    if !is_modified {
        let to = program_type(build, of);
        return match build.type_of(value) == to {
            true => Ok(value),
            false => Ok(build.convert_to(Conversion::Arithmetic, value, to)),
        };
    }
    let overload = Overload { result: of, parameters: vec![from], memory: MemoryEffects::None, is_convergent: false };
    let linkage_name = mangle(name, &overload.parameters, build.program.target);
    declared_call(build, &linkage_name, &overload, &[value], location)
}

/// What a conversion takes, in words.
fn numbers(lanes: u8) -> String {
    if lanes == 1 { "a number".to_string() } else { format!("a vector of {lanes} numbers") }
}

/// `as_T`: the same bits; a vector of 3 counts as one of 4.
fn reinterpret(
    build: &mut Builder,
    name: &str,
    of: Ty,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let value = single(build, name, arguments, location)?;
    let from = argument(build, value).of;
    let bits = |of: Ty| u32::from(of.base.bits()) * u32::from(if of.lanes == 3 { 4 } else { of.lanes });
    if from.pointer.is_some() || bits(from) == 0 || bits(from) != bits(of) {
        let given = build.type_name(build.type_of(value));
        let message = format!("`{name}` takes {} bits, not `{given}`", bits(of));
        return Err(Diagnostic::error(location, message));
    }
    let to = program_type(build, of);
    if build.type_of(value) == to {
        return Ok(value);
    }
    if (from.lanes == 3) == (of.lanes == 3) {
        return Ok(build.convert_to(Conversion::Bits, value, to));
    }
    let mut value = value;
    if from.lanes == 3 {
        let (element, four) = (program_type(build, Ty::new(from.base, 1)), Ty { lanes: 4, ..from });
        let (zero, four) = (build.zero_scalar(element, location), program_type(build, four));
        value = build.vector_of(vec![value, zero], four, location);
        return Ok(if four == to { value } else { build.convert_to(Conversion::Bits, value, to) });
    }
    let four = program_type(build, Ty { lanes: 4, ..of });
    if build.type_of(value) != four {
        value = build.convert_to(Conversion::Bits, value, four);
    }
    Ok(build.lanes(value, &[0, 1, 2], location))
}

/// `printf`: the format, and anything.
fn print(build: &mut Builder, arguments: &[Expression], location: Location) -> Result<Expression, Diagnostic> {
    let Some((&format, rest)) = arguments.split_first() else {
        return Err(Diagnostic::error(location, "`printf` takes a format: `int printf(__constant char *, ...)`"));
    };
    let character = build.program.types.integer(8, true);
    let pointer = build.program.types.pointer(character, AddressSpace::Constant);
    let mut converted = vec![build.convert_or_say(format, pointer)?];
    for &value in rest {
        converted.push(variadic(build, value)?);
    }
    let result = build.program.types.integer(32, true);
    let of = build.program.types.intern(TypeKind::Function { result, parameters: vec![pointer], variadic: true });
    let function = build.declare("printf", of, false, MemoryEffects::Unknown);
    Ok(build.call(function, converted, location))
}

/// An argument after `...`: small integers are `int`, floats below double are doubles.
pub(super) fn variadic(build: &mut Builder, value: Expression) -> Result<Expression, Diagnostic> {
    let value = build.promote(value);
    match build.shape_of(value) {
        Shape::Float(FloatKind::Double) => Ok(value),
        Shape::Float(_) => {
            let double = build.program.types.float(FloatKind::Double);
            Ok(build.convert_to(Conversion::Arithmetic, value, double))
        }
        Shape::Void | Shape::Opaque => {
            let of = build.type_name(build.type_of(value));
            Err(Diagnostic::error(build.location(value), format!("a value of type `{of}` cannot be printed")))
        }
        _ => Ok(value),
    }
}

impl Builder<'_> {
    /// A zero of a scalar type.
    pub(super) fn zero_scalar(&mut self, of: Type, location: Location) -> Expression {
        match self.shape(of) {
            Shape::Float(_) => self.float(0.0, of, location),
            _ => self.push(ExpressionKind::Integer(0), of, location),
        }
    }
}

/// The mangled name of a call that the tables have, for the types as written; for tests of the tables.
pub fn linkage_name(name: &str, overload: &Overload, target: crate::options::LowerTarget) -> String {
    mangle(name, &overload.parameters, target)
}

/// A value of the sampler constant that an integer means.
pub fn sampler(build: &mut Builder, value: Expression, location: Location) -> Result<Expression, Diagnostic> {
    let overload = Overload {
        result: Ty::new(Base::Sampler, 1),
        parameters: vec![Ty::new(Base::Int, 1)],
        memory: MemoryEffects::Unknown,
        is_convergent: false,
    };
    declared_call(build, "__translate_sampler_initializer", &overload, &[value], location)
}
