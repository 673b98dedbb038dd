//! Functions that no signature describes: they take any type, any number of arguments, or constants.

use super::device::call_declared;
use super::opencl::variadic;
use crate::diagnostic::Diagnostic;
use crate::options::{Dialect, LowerTarget};
use crate::source::Location;
use crate::typed::{
    Atomic, AtomicOperation, AtomicUpdate, Builder, Conversion, Expression, ExpressionKind, FloatKind, MemoryEffects,
    MemoryOrder, MemoryScope, Shape, TypeKind,
};

/// A result, or what is wrong.
type Made = Result<Expression, Diagnostic>;

/// A call of such a function; none if it is none.
pub(super) fn call(build: &mut Builder, name: &str, arguments: &[Expression], location: Location) -> Option<Made> {
    let is_gpu_cpp = matches!(build.dialect(), Dialect::Cuda | Dialect::Hip);
    match name {
        "__builtin_assume_aligned" => Some(assume_aligned(build, arguments, location)),
        "__builtin_unreachable" => Some(unreachable(build, arguments, location)),
        "__builtin_memcpy" | "__builtin_memmove" | "__builtin_memset" => Some(memory(build, name, arguments, location)),
        "atomicAdd" | "unsafeAtomicAdd" if is_gpu_cpp => {
            atomic_add_of_parts(build, arguments, location).or_else(|| match name {
                "atomicAdd" => None,
                // It need not be right for memory of the host: the same for threads.
                _ => super::device::call(build, "atomicAdd", arguments, location),
            })
        }
        "memcpy" | "memset" | "memmove" if is_gpu_cpp => Some(memory(build, name, arguments, location)),
        "printf" if is_gpu_cpp => Some(print(build, arguments, location)),
        "assert" if is_gpu_cpp => Some(assert(build, arguments, location)),
        "__ldg" | "__ldca" | "__ldcg" | "__ldcs" | "__ldcv" | "__ldlu" if is_gpu_cpp => {
            Some(hinted_load(build, name, arguments, location))
        }
        "__stwb" | "__stcg" | "__stcs" | "__stwt" if is_gpu_cpp => {
            Some(hinted_store(build, name, "void (T *, T)", arguments, location))
        }
        "__builtin_nontemporal_load" => Some(hinted_load(build, name, arguments, location)),
        "__builtin_nontemporal_store" => {
            let swapped: Vec<Expression> = arguments.iter().rev().copied().collect();
            Some(hinted_store(build, name, "void (T, T *)", &swapped, location))
        }
        "__builtin_constant_p" => Some(constant_p(build, arguments, location)),
        "__builtin_nanf" | "__builtin_nan" | "nanf" | "nan" if name.starts_with("__") || is_gpu_cpp => {
            Some(not_a_number(build, name, location))
        }
        _ => {
            let operation = name.strip_prefix("__hip_atomic_").or_else(|| name.strip_prefix("__scoped_atomic_"));
            if let Some(operation) = operation {
                return atomic(build, name, operation, true, arguments, location);
            }
            let operation = name.strip_prefix("__atomic_")?;
            atomic(build, name, operation, false, arguments, location)
        }
    }
}

/// That there are so many arguments.
fn expect(
    name: &str,
    signature: &str,
    count: usize,
    arguments: &[Expression],
    location: Location,
) -> Result<(), Diagnostic> {
    if arguments.len() == count {
        return Ok(());
    }
    let message = format!("`{name}` takes {count} arguments, not {}: `{signature}`", arguments.len());
    Err(Diagnostic::error(location, message))
}

/// `__builtin_unreachable()`: what is assumed is false.
fn unreachable(build: &mut Builder, arguments: &[Expression], location: Location) -> Made {
    expect("__builtin_unreachable", "void __builtin_unreachable(void)", 0, arguments, location)?;
    let (never, void) = (build.bool(false, location), build.program.types.void());
    Ok(call_declared(build, "llvm.assume", void, vec![never], location))
}

/// `memcpy`, `memmove`, `memset`: the intrinsics, for the address spaces of the pointers; the value is the first argument.
fn memory(build: &mut Builder, name: &str, arguments: &[Expression], location: Location) -> Made {
    let plain = name.trim_start_matches("__builtin_");
    let is_set = plain == "memset";
    let signature = if is_set { "void *(void *, int, size_t)" } else { "void *(void *, const void *, size_t)" };
    expect(name, signature, 3, arguments, location)?;
    let pointer = |build: &mut Builder, value: Expression| {
        let value = build.rvalue(value);
        match build.shape_of(value) {
            Shape::Pointer { space, .. } => Ok((value, space_number(space, build.program.target))),
            _ => Err(Diagnostic::error(location, format!("`{name}` takes pointers: `{signature}`"))),
        }
    };
    let (to, to_space) = pointer(build, arguments[0])?;
    let types = &mut build.program.types;
    let (byte, size, void) = (types.integer(8, false), types.integer(64, false), types.void());
    let length = build.convert_or_say(arguments[2], size)?;
    let never = build.bool(false, location);
    let (linkage_name, source) = if is_set {
        (format!("llvm.memset.p{to_space}.i64"), build.convert_or_say(arguments[1], byte)?)
    } else {
        let (from, from_space) = pointer(build, arguments[1])?;
        (format!("llvm.{plain}.p{to_space}.p{from_space}.i64"), from)
    };
    // Pointers of one space are one type in IR: the function is declared for pointers to void.
    let (to, source) = (to_any(build, to), to_any(build, source));
    let (kept, keep) = keep(build, to, location);
    let to = build.load(kept);
    let call = call_declared(build, &linkage_name, void, vec![to, source, length, never], location);
    let (to, kept) = (build.load(kept), build.comma(keep, call, location));
    Ok(build.comma(kept, to, location))
}

/// A pointer as one to void in the same space; another value as it is.
fn to_any(build: &mut Builder, value: Expression) -> Expression {
    let Shape::Pointer { space, .. } = build.shape_of(value) else { return value };
    let void = build.program.types.void();
    let of = build.program.types.pointer(void, space);
    if build.type_of(value) == of { value } else { build.convert_to(Conversion::Pointer, value, of) }
}

/// `__builtin_assume_aligned(pointer, alignment)`, perhaps with an offset: the pointer. Nothing here needs what is assumed.
fn assume_aligned(build: &mut Builder, arguments: &[Expression], location: Location) -> Made {
    let signature = "void *__builtin_assume_aligned(const void *, size_t, …)";
    if arguments.len() != 3 {
        expect("__builtin_assume_aligned", signature, 2, arguments, location)?;
    }
    let pointer = build.rvalue(arguments[0]);
    match build.shape_of(pointer) {
        Shape::Pointer { .. } => Ok(to_any(build, pointer)),
        _ => {
            let message = format!("`__builtin_assume_aligned` takes a pointer: `{signature}`");
            Err(Diagnostic::error(location, message))
        }
    }
}

/// The number of an address space in IR.
pub(super) fn space_number(space: crate::typed::AddressSpace, target: LowerTarget) -> u32 {
    use crate::typed::AddressSpace::{Constant, Generic, Global, Local, Private};
    let is_spirv = matches!(target, LowerTarget::Spirv | LowerTarget::Generic);
    match (space, target) {
        (Private, LowerTarget::Amdgpu) => 5,
        (Private, _) => 0,
        (Global, _) => 1,
        (Local, _) => 3,
        (Constant, _) => {
            if is_spirv {
                2
            } else {
                4
            }
        }
        (Generic, _) => {
            if is_spirv {
                4
            } else {
                0
            }
        }
    }
}

/// `printf` of CUDA and HIP: a declared function with the arguments as C passes them.
fn print(build: &mut Builder, arguments: &[Expression], location: Location) -> Made {
    let Some((&format, rest)) = arguments.split_first() else {
        return Err(Diagnostic::error(location, "`printf` takes a format: `int printf(const char *, ...)`"));
    };
    let character = build.program.types.integer(8, true);
    let pointer = build.program.types.pointer(character, crate::typed::AddressSpace::Generic);
    let mut converted = vec![build.convert_or_say(format, pointer)?];
    for &value in rest {
        converted.push(variadic(build, value)?);
    }
    let result = build.program.types.integer(32, true);
    let of = build.program.types.intern(TypeKind::Function { result, parameters: vec![pointer], variadic: true });
    let function = build.declare("printf", of, false, MemoryEffects::Unknown);
    Ok(build.call(function, converted, location))
}

/// `assert(x)`: a trap where it is false.
fn assert(build: &mut Builder, arguments: &[Expression], location: Location) -> Made {
    expect("assert", "void assert(bool)", 1, arguments, location)?;
    let (condition, void) = (build.condition(arguments[0])?, build.program.types.void());
    let trap = call_declared(build, "llvm.trap", void, Vec::new(), location);
    let nothing = build.int(0, location);
    let nothing = build.convert_to(Conversion::Discard, nothing, void);
    build.conditional(condition, nothing, trap, location)
}

/// `__ldcs(p)`: a load with a hint for the caches, of any type. The hint changes nothing that a program can see.
fn hinted_load(build: &mut Builder, name: &str, arguments: &[Expression], location: Location) -> Made {
    let signature = "T (const T *)";
    expect(name, signature, 1, arguments, location)?;
    let place = target(build, name, signature, arguments[0], location)?;
    Ok(build.rvalue(place))
}

/// `__stcs(p, value)`: a store with a hint for the caches.
fn hinted_store(
    build: &mut Builder,
    name: &str,
    signature: &str,
    arguments: &[Expression],
    location: Location,
) -> Made {
    expect(name, signature, 2, arguments, location)?;
    let place = target(build, name, signature, arguments[0], location)?;
    let value = build.rvalue(arguments[1]);
    let value = build.convert_or_say(value, build.type_of(place))?;
    let (store, void) = (build.assign(place, value, location)?, build.program.types.void());
    Ok(build.convert_to(Conversion::Discard, store, void))
}

/// What a pointer points to.
fn target(build: &mut Builder, name: &str, signature: &str, pointer: Expression, location: Location) -> Made {
    let pointer = build.rvalue(pointer);
    build.dereference(pointer, location).map_err(|_| {
        let of = build.type_name(build.type_of(pointer));
        Diagnostic::error(location, format!("`{name}` takes a pointer, not `{of}`: `{signature}`"))
    })
}

/// `__builtin_constant_p(x)`.
fn constant_p(build: &mut Builder, arguments: &[Expression], location: Location) -> Made {
    expect("__builtin_constant_p", "int __builtin_constant_p(x)", 1, arguments, location)?;
    let is_constant = build.constant_value(arguments[0]).is_some();
    Ok(build.int(i32::from(is_constant), location))
}

/// `nanf("")`.
fn not_a_number(build: &mut Builder, name: &str, location: Location) -> Made {
    let kind = if name.ends_with('f') { FloatKind::Single } else { FloatKind::Double };
    let of = build.program.types.float(kind);
    Ok(build.push(ExpressionKind::Float(f64::NAN), of, location))
}

/// `__atomic_fetch_add(p, x, order)` and those with a scope (`__hip_atomic_…`, `__scoped_atomic_…`): constants say order and scope.
fn atomic(
    build: &mut Builder,
    name: &str,
    operation: &str,
    is_scoped: bool,
    arguments: &[Expression],
    location: Location,
) -> Option<Made> {
    let operation = operation.strip_suffix("_n").unwrap_or(operation);
    let is_compare = operation.starts_with("compare_exchange");
    let update = match operation {
        "exchange" => Some(AtomicUpdate::Exchange),
        "fetch_add" => Some(AtomicUpdate::Add),
        "fetch_sub" => Some(AtomicUpdate::Subtract),
        "fetch_and" => Some(AtomicUpdate::And),
        "fetch_or" => Some(AtomicUpdate::Or),
        "fetch_xor" => Some(AtomicUpdate::Xor),
        "fetch_min" => Some(AtomicUpdate::Minimum),
        "fetch_max" => Some(AtomicUpdate::Maximum),
        "load" | "store" => None,
        _ if is_compare => return Some(compare_exchange(build, name, operation, is_scoped, arguments, location)),
        _ => return None,
    };
    let has_value = operation != "load";
    let count = 2 + usize::from(has_value) + usize::from(is_scoped);
    let made = (|| {
        let signature = match (has_value, is_scoped) {
            (false, false) => "T (T *, int order)",
            (false, true) => "T (T *, int order, int scope)",
            (true, false) => "T (T *, T, int order)",
            (true, true) => "T (T *, T, int order, int scope)",
        };
        expect(name, signature, count, arguments, location)?;
        let (pointer, of) = pointee(build, name, signature, arguments[0], location)?;
        let order = order_of(build, name, arguments[1 + usize::from(has_value)])?;
        let scope = match is_scoped {
            true => scope_of(build, name, arguments[2 + usize::from(has_value)])?,
            false => MemoryScope::System,
        };
        let value = if has_value { Some(build.convert_or_say(arguments[1], of)?) } else { None };
        let (operation, result) = match (update, value) {
            (Some(update), Some(value)) => (AtomicOperation::Update(update, value), of),
            (None, Some(value)) => (AtomicOperation::Store(value), build.program.types.void()),
            _ => (AtomicOperation::Load, of),
        };
        Ok(build.atomic(Atomic { operation, pointer, order, scope }, result, location))
    })();
    Some(made)
}

/// `__atomic_compare_exchange_n(p, expected, new, weak, order, failure)`: whether it was exchanged; what there is goes to `*expected`.
fn compare_exchange(
    build: &mut Builder,
    name: &str,
    operation: &str,
    is_scoped: bool,
    arguments: &[Expression],
    location: Location,
) -> Made {
    // HIP's say `weak` in their names.
    let weak = usize::from(operation == "compare_exchange");
    let count = 5 + weak + usize::from(is_scoped);
    let signature = "bool (T *, T *expected, T new, [bool weak,] int order, int failure_order[, int scope])";
    expect(name, signature, count, arguments, location)?;
    let (pointer, of) = pointee(build, name, signature, arguments[0], location)?;
    let order = order_of(build, name, arguments[3 + weak])?;
    let scope = if is_scoped { scope_of(build, name, arguments[5 + weak])? } else { MemoryScope::System };
    let (expected_pointer, _) = pointee(build, name, signature, arguments[1], location)?;
    let (kept_pointer, keep_pointer) = keep(build, expected_pointer, location);
    let at = build.load(kept_pointer);
    let place = build.dereference(at, location)?;
    let expected = build.load(place);
    let expected = build.convert_or_say(expected, of)?;
    let (kept_expected, keep_expected) = keep(build, expected, location);
    let (expected, new) = (build.load(kept_expected), build.convert_or_say(arguments[2], of)?);
    let operation = AtomicOperation::CompareExchange { expected, new };
    let old = build.atomic(Atomic { operation, pointer, order, scope }, of, location);
    let (kept_old, keep_old) = keep(build, old, location);
    let at = build.load(kept_pointer);
    let (place, old) = (build.dereference(at, location)?, build.load(kept_old));
    let store = build.assign(place, old, location)?;
    let (old, expected) = (build.load(kept_old), build.load(kept_expected));
    let is_same = build.compare(crate::typed::BinaryOperator::Equal, old, expected, location)?;
    Ok([store, keep_old, keep_expected, keep_pointer]
        .into_iter()
        .fold(is_same, |rest, first| build.comma(first, rest, location)))
}

/// `atomicAdd(p, v)` of a vector of floats: each of its parts is added by itself. None for anything else.
fn atomic_add_of_parts(build: &mut Builder, arguments: &[Expression], location: Location) -> Option<Made> {
    const VECTORS: [&str; 4] = ["half2", "bfloat162", "float2", "float4"];
    let [pointer, value] = *arguments else { return None };
    let Shape::Pointer { pointee, .. } = build.shape_of(pointer) else { return None };
    let Shape::Struct(number) = build.shape(pointee) else { return None };
    if !VECTORS.contains(&&*build.type_name(pointee)) || build.type_of(value) != pointee {
        return None;
    }
    let (pointer, value) = (build.rvalue(pointer), build.rvalue(value));
    let (kept_pointer, keep_pointer) = keep(build, pointer, location);
    let (kept_value, keep_value) = keep(build, value, location);
    let mut parts = Vec::new();
    for index in 0..build.program.types.structs[number].fields.len() as u32 {
        let at = build.load(kept_pointer);
        let place = match build.dereference(at, location) {
            Ok(place) => build.field(place, index, location),
            Err(wrong) => return Some(Err(wrong)),
        };
        let part = build.field(kept_value, index, location);
        let part = build.rvalue(part);
        let added = match build.address_of(place, location) {
            Ok(address) => super::device::call(build, "atomicAdd", &[address, part], location)?,
            Err(wrong) => Err(wrong),
        };
        match added {
            Ok(old) => parts.push(old),
            Err(wrong) => return Some(Err(wrong)),
        }
    }
    let result = build.aggregate_of(parts, pointee, location);
    let result = build.comma(keep_value, result, location);
    Some(Ok(build.comma(keep_pointer, result, location)))
}

/// A new variable, and the assignment of a value to it.
fn keep(build: &mut Builder, value: Expression, location: Location) -> (Expression, Expression) {
    let of = build.type_of(value);
    let data = crate::typed::VariableData { name: String::new(), of, alignment: None, location };
    let variable = build.body.variables.push(data);
    let place = build.variable(variable, location);
    let assign = build.push(ExpressionKind::Assign(place, value), of, location);
    (build.variable(variable, location), assign)
}

/// A pointer to a number, and the type of that.
fn pointee(
    build: &mut Builder,
    name: &str,
    signature: &str,
    pointer: Expression,
    location: Location,
) -> Result<(Expression, crate::typed::Type), Diagnostic> {
    let pointer = build.rvalue(pointer);
    match build.shape_of(pointer) {
        Shape::Pointer { pointee, .. } if build.shape(pointee).is_scalar() => Ok((pointer, pointee)),
        _ => {
            let of = build.type_name(build.type_of(pointer));
            Err(Diagnostic::error(location, format!("`{name}` takes a pointer to a number, not `{of}`: `{signature}`")))
        }
    }
}

/// An order by the constants of C (`__ATOMIC_RELAXED` …).
fn order_of(build: &mut Builder, name: &str, value: Expression) -> Result<MemoryOrder, Diagnostic> {
    match build.constant_integer(value) {
        Some(0) => Ok(MemoryOrder::Relaxed),
        Some(1 | 2) => Ok(MemoryOrder::Acquire),
        Some(3) => Ok(MemoryOrder::Release),
        Some(4) => Ok(MemoryOrder::AcquireRelease),
        Some(5) => Ok(MemoryOrder::SequentiallyConsistent),
        _ => {
            Err(Diagnostic::unsupported(build.location(value), format!("the order of `{name}` is a constant, 0 to 5")))
        }
    }
}

/// A scope by the constants of HIP (1 to 5: thread, wavefront, workgroup, agent, system).
fn scope_of(build: &mut Builder, name: &str, value: Expression) -> Result<MemoryScope, Diagnostic> {
    let is_scoped = name.starts_with("__scoped");
    match (build.constant_integer(value), is_scoped) {
        (Some(1 | 2), false) | (Some(3 | 4), true) => Ok(MemoryScope::Subgroup),
        (Some(3), false) | (Some(2), true) => Ok(MemoryScope::Workgroup),
        (Some(4), false) | (Some(1), true) => Ok(MemoryScope::Device),
        (Some(5), false) | (Some(0), true) => Ok(MemoryScope::System),
        _ => Err(Diagnostic::unsupported(build.location(value), format!("the scope of `{name}` is a constant"))),
    }
}
