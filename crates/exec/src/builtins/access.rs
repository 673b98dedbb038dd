//! `vloadN`, `vstoreN` and their forms for `half` (OpenCL C 6.15.8), and functions that return some results through pointers
//! (6.15.2): `fract`, `frexp`, `lgamma_r`, `modf`, `remquo`, `sincos`.

use super::call::{Call, Operand};
use super::conversion::{convert, rounding_named};
use super::demangle::Number;
use super::math::{Math, named};
use super::memory::{MemoryBuiltin, ResultStore, VectorAccess};
use super::pure::{Compute, Part, Pure, costly};
use crate::arithmetic::float::{Rounding, decode};
use crate::value::Scalar;

/// What a call does to memory.
pub(super) fn recognise(call: &Call) -> Option<MemoryBuiltin> {
    if call.name.starts_with("vload") {
        load(call)
    } else if call.name.starts_with("vstore") {
        store(call)
    } else {
        results(call)
    }
}

/// What is behind `vload` or `vstore`: the number of elements, and of `half` its alignment as a vector and the rounding mode.
enum Form {
    Plain { count: usize },
    Half { count: usize, aligned: bool, rounding: Rounding },
}

fn form(name: &str) -> Option<Form> {
    let count = |text: &str| {
        let count = if text.is_empty() { Some(1) } else { text.parse().ok() };
        count.filter(|count| matches!(count, 1 | 2 | 3 | 4 | 8 | 16))
    };
    let (aligned, half) = match name.strip_prefix("a_half") {
        Some(rest) => (true, Some(rest)),
        None => (false, name.strip_prefix("_half")),
    };
    let Some(rest) = half else { return Some(Form::Plain { count: count(name)? }) };
    let (number, mode) = rest.split_once('_').unwrap_or((rest, "rte"));
    Some(Form::Half { count: count(number)?, aligned, rounding: rounding_named(mode)? })
}

fn load(call: &Call) -> Option<MemoryBuiltin> {
    let [
        Operand::Value { number: Number::Unsigned(_), count: 1 },
        Operand::Pointer { pointee: Some((element, 1)), .. },
    ] = call.operands[..]
    else {
        return None;
    };
    let access = match form(call.name.strip_prefix("vload")?)? {
        Form::Plain { count } => access(1, 0, element, count),
        Form::Half { count, aligned, .. } => {
            let widen =
                elementwise(&call.name, Number::Float, count, convert(Number::Half, Number::Float, false, None));
            half_access(1, 0, count, aligned, widen)
        }
    };
    let bits = if access.conversion.is_some() { 32 } else { element.bits() };
    (element.scalar() == access.element && call.returns(bits, access.count)).then_some(MemoryBuiltin::Load(access))
}

fn store(call: &Call) -> Option<MemoryBuiltin> {
    let [
        Operand::Value { number, count: value_count },
        Operand::Value { number: Number::Unsigned(_), count: 1 },
        Operand::Pointer { pointee: Some((element, 1)), .. },
    ] = call.operands[..]
    else {
        return None;
    };
    let access = match form(call.name.strip_prefix("vstore")?)? {
        Form::Plain { count } if number.bits() == element.bits() => access(2, 1, element, count),
        Form::Plain { .. } => return None,
        Form::Half { count, aligned, rounding } => {
            number.float()?;
            let narrow = convert(number, Number::Half, false, Some(rounding));
            half_access(2, 1, count, aligned, elementwise(&call.name, Number::Half, count, narrow))
        }
    };
    let fits = access.count == value_count && element.scalar() == access.element && call.result.is_empty();
    fits.then_some(MemoryBuiltin::Store { value: 0, access })
}

fn access(pointer: usize, offset: usize, element: Number, count: usize) -> VectorAccess {
    let bytes = u64::from(element.bits() / 8);
    VectorAccess {
        pointer,
        offset: Some(offset),
        stride: bytes * count as u64,
        element: element.scalar(),
        count,
        alignment: bytes,
        conversion: None,
    }
}

fn half_access(pointer: usize, offset: usize, count: usize, aligned: bool, conversion: Pure) -> VectorAccess {
    let room = 2 * if aligned { count.next_power_of_two() } else { count } as u64;
    VectorAccess {
        stride: room,
        alignment: if aligned { room } else { 2 },
        conversion: Some(conversion),
        ..access(pointer, offset, Number::Half, count)
    }
}

/// A function of one argument, element by element.
fn elementwise(name: &str, to: Number, count: usize, function: super::pure::Elementwise) -> Pure {
    let compute = Compute::Elementwise(function);
    Pure::new(name, vec![Part { arguments: vec![0], count, bits: to.bits(), compute }])
}

fn results(call: &Call) -> Option<MemoryBuiltin> {
    let (number, count) = call.first()?;
    let format = number.float()?;
    if call.result.is_empty() {
        return sine_and_cosine(call, format);
    }
    // The function for the result, and that for what goes to memory through the last argument, which is `int` where it is
    // an integer.
    let (result, stored) = match &*call.name {
        "fract" => (named("fract")?, Math::One(f64::floor)),
        "modf" => (Math::One(|x| libm::modf(x).0), Math::One(|x| libm::modf(x).1)),
        "sincos" => (Math::One(libm::sin), Math::One(libm::cos)),
        "sincospi" => (named("sinpi")?, named("cospi")?),
        "frexp" => (
            Math::One(|x| if x.is_finite() { libm::frexp(x).0 } else { x }),
            Math::ToInteger(|x| if x.is_finite() { libm::frexp(x).1 } else { 0 }),
        ),
        "lgamma_r" => (Math::One(libm::lgamma), Math::ToInteger(|x| libm::lgamma_r(x).1)),
        "remquo" => (Math::Two(libm::remainder), Math::ToInteger(|_| 0)),
        _ => return None,
    };
    let operands = if call.name == "remquo" { 2 } else { 1 };
    let integer = matches!(stored, Math::ToInteger(_));
    let element = if integer { Number::Signed(32) } else { number };
    let same = (1..operands).all(|operand| call.value(operand) == call.value(0));
    if !same
        || call.pointee(operands)? != (element, count)
        || call.operands.len() != operands + 1
        || !call.returns(number.bits(), count)
    {
        return None;
    }
    let stored = match &*call.name {
        "remquo" => costly(move |[x, y]| u64::from(quotient(decode(format, x), decode(format, y)) as u32)),
        _ => stored.elementwise(format),
    };
    let arguments: Vec<usize> = (0..operands).collect();
    let part =
        |bits, function| Part { arguments: arguments.clone(), count, bits, compute: Compute::Elementwise(function) };
    let values =
        Pure::new(&call.name, vec![part(number.bits(), result.elementwise(format)), part(element.bits(), stored)]);
    Some(MemoryBuiltin::Results { values, stores: vec![result_store(operands, element, count)] })
}

fn result_store(pointer: usize, element: Number, count: usize) -> ResultStore {
    let alignment = u64::from(element.bits() / 8) * count.next_power_of_two() as u64;
    ResultStore { pointer, element: element.scalar(), count, alignment }
}

/// C's `sincos` and CUDA's `sincospi`, which return nothing.
fn sine_and_cosine(call: &Call, format: Scalar) -> Option<MemoryBuiltin> {
    let (sine, cosine) = match &*call.name {
        "sincos" => ("sin", "cos"),
        "sincospi" => ("sinpi", "cospi"),
        _ => return None,
    };
    let value = call.first()?;
    let pointers = call.operands.len() == 3 && call.pointee(1)? == value && call.pointee(2)? == value;
    let part = |function| {
        let compute = Compute::Elementwise(named(function)?.elementwise(format));
        Some(Part { arguments: vec![0], count: value.1, bits: value.0.bits(), compute })
    };
    let values = Pure::new(&call.name, vec![part(sine)?, part(cosine)?]);
    let stores = vec![result_store(1, value.0, value.1), result_store(2, value.0, value.1)];
    pointers.then_some(MemoryBuiltin::Results { values, stores })
}

/// The low seven bits of the quotient of which [`libm::remainder`] is the rest, with its sign.
pub(super) fn quotient(x: f64, y: f64) -> i32 {
    if !x.is_finite() || y.is_nan() || y == 0.0 {
        return 0;
    }
    let quotient = libm::remquo(x, y).1;
    quotient.signum() * (quotient.abs() & 0x7f)
}
