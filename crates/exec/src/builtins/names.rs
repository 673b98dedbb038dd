//! Which call a name means: the dialects in which kernels call built-in functions, brought to the names of OpenCL C.
//!
//! | dialect | name | what says the types |
//! |---|---|---|
//! | OpenCL C | `_Z3maxii` | the mangled parameters |
//! | SPIR-V, friendly form | `_Z19__spirv_ocl_s_maxii` | the mangled parameters, and `s_` or `u_` for the sign |
//! | CUDA's libdevice | `__nv_umulhi`, `__nv_sinf` | the name: a table for integers, a final `f` for `float` |
//! | OCML, OCKL (HIP) | `__ocml_sin_f32`, `__ockl_mul_hi_u32` | the ending |
//! | C | `sinf`, `labs` | the name |

use std::borrow::Cow;

use super::call::Call;
use super::demangle::{Number, ParameterType, demangle};
use super::spirv;
use crate::value::{Scalar, Shape};

const I32: Number = Number::Signed(32);
const U32: Number = Number::Unsigned(32);
const I64: Number = Number::Signed(64);
const U64: Number = Number::Unsigned(64);

/// The call that a name means, under its name in OpenCL C.
pub(super) fn call_of<'a>(name: &'a str, result: &'a [Scalar], arguments: &[Shape]) -> Option<Call<'a>> {
    if let Some((name, mut parameters)) = demangle(name) {
        let name = match name.strip_prefix("__spirv_") {
            Some(name) => spirv::canonical(name, &mut parameters, result)?,
            None => Cow::Borrowed(name),
        };
        return Call::new(name, &parameters, result, arguments);
    }
    let (name, parameters) = if let Some(name) = name.strip_prefix("__nv_") {
        libdevice(name, arguments)?
    } else if let Some(name) = name.strip_prefix("__ocml_").or(name.strip_prefix("__ockl_")) {
        with_ending(name, arguments)?
    } else {
        c_library(name, arguments)?
    };
    Call::new(name, &parameters, result, arguments)
}

type Named<'a> = (Cow<'a, str>, Vec<ParameterType>);

/// Integer functions of CUDA's libdevice: name, that of OpenCL C, and the type of all operands.
const LIBDEVICE_INTEGERS: [(&str, &str, Number); 40] = [
    ("abs", "abs", I32),
    ("llabs", "abs", I64),
    ("brev", "bit_reverse", U32),
    ("brevll", "bit_reverse", U64),
    ("byte_perm", "byte_perm", U32),
    ("clz", "clz", U32),
    ("clzll", "clz", U64),
    ("ffs", "ffs", U32),
    ("ffsll", "ffs", U64),
    ("popc", "popcount", U32),
    ("popcll", "popcount", U64),
    ("hadd", "hadd", I32),
    ("uhadd", "hadd", U32),
    ("rhadd", "rhadd", I32),
    ("urhadd", "rhadd", U32),
    ("max", "max", I32),
    ("umax", "max", U32),
    ("llmax", "max", I64),
    ("ullmax", "max", U64),
    ("min", "min", I32),
    ("umin", "min", U32),
    ("llmin", "min", I64),
    ("ullmin", "min", U64),
    ("mul24", "mul24", I32),
    ("umul24", "mul24", U32),
    ("mulhi", "mul_hi", I32),
    ("umulhi", "mul_hi", U32),
    ("mul64hi", "mul_hi", I64),
    ("umul64hi", "mul_hi", U64),
    ("sad", "sad", I32),
    ("usad", "sad", U32),
    ("float_as_int", "as_int", Number::Float),
    ("float_as_uint", "as_uint", Number::Float),
    ("int_as_float", "as_float", I32),
    ("uint_as_float", "as_float", U32),
    ("double_as_longlong", "as_long", Number::Double),
    ("longlong_as_double", "as_double", I64),
    ("hiloint2double", "upsample", U32),
    ("double2hiint", "high_half", U64),
    ("double2loint", "convert_uint", U64),
];

fn libdevice<'a>(name: &'a str, arguments: &[Shape]) -> Option<Named<'a>> {
    if let Some(&(_, name, number)) = LIBDEVICE_INTEGERS.iter().find(|(from, ..)| *from == name) {
        return Some((name.into(), vec![ParameterType::Number(number); arguments.len()]));
    }
    if let Some(conversion) = libdevice_conversion(name) {
        return Some(conversion);
    }
    let name = name.strip_prefix("fast_").unwrap_or(name);
    let single = arguments.iter().any(|shape| shape[..] == [Scalar::Float]);
    // `fadd_rn`, `dadd_rn`, `fmaf_rz`: the rounding mode is named.
    if let Some((base, mode @ ("rn" | "rz" | "ru" | "rd"))) = name.rsplit_once('_') {
        let base = match base {
            "fma" | "fmaf" | "fmaf_ieee" => "fma",
            _ => base.strip_prefix(if single { 'f' } else { 'd' })?,
        };
        let base = match base {
            "div" => "divide",
            "rcp" => "recip",
            other => other,
        };
        let name = if mode == "rn" { base.into() } else { format!("{base}_{mode}").into() };
        return Some((name, inferred(base, arguments)));
    }
    let name = if name.starts_with("is") || name.starts_with("signbit") {
        name.strip_suffix(['f', 'd']).unwrap_or(name)
    } else if single {
        name.strip_suffix('f').unwrap_or(name)
    } else {
        name
    };
    let name = match name {
        "finite" => "isfinite",
        "fdivide" => "divide",
        other => c_name(other),
    };
    Some((name.into(), inferred(name, arguments)))
}

/// `float2int_rn` and its like: CUDA's conversions saturate.
fn libdevice_conversion(name: &str) -> Option<Named<'static>> {
    let (types, mode) = match name.rsplit_once('_') {
        Some((types, mode)) => (types, mode),
        None => (name, ""),
    };
    let (from, to) = types.split_once('2')?;
    let number = |name| {
        Some(match name {
            "half" => (Number::Half, "half"),
            "float" => (Number::Float, "float"),
            "double" => (Number::Double, "double"),
            "int" => (I32, "int"),
            "uint" => (U32, "uint"),
            "ll" => (I64, "long"),
            "ull" => (U64, "ulong"),
            _ => return None,
        })
    };
    let ((from, _), (_, to)) = (number(from)?, number(to)?);
    let mode = match mode {
        "" => "",
        "rn" => "_rte",
        "rz" => "_rtz",
        "ru" => "_rtp",
        "rd" => "_rtn",
        _ => return None,
    };
    Some((format!("convert_{to}{mode}").into(), vec![ParameterType::Number(from)]))
}

/// OCML's and OCKL's names, which end in the type of all operands that are no pointers.
fn with_ending<'a>(name: &'a str, arguments: &[Shape]) -> Option<Named<'a>> {
    let (name, ending) = name.rsplit_once('_')?;
    let number = match ending {
        "f16" | "2f16" => Number::Half,
        "f32" => Number::Float,
        "f64" => Number::Double,
        "i32" => I32,
        "u32" => U32,
        "i64" => I64,
        "u64" => U64,
        _ => return None,
    };
    let name = name.strip_prefix("native_").unwrap_or(name);
    let name = match name {
        "ncdf" => "normcdf",
        "ncdfinv" => "normcdfinv",
        "i0" => "cyl_bessel_i0",
        "i1" => "cyl_bessel_i1",
        "len3" => "norm3d",
        "len4" => "norm4d",
        "rlen3" => "rnorm3d",
        "rlen4" => "rnorm4d",
        other => c_name(other),
    };
    let name: Cow<str> = match name.strip_suffix("_rte").unwrap_or(name).split_once('_') {
        None if name.starts_with("div") => "divide".into(),
        Some(("div", mode)) => format!("divide_{mode}").into(),
        Some((convert, "f16")) => format!("convert_half_{}", convert.strip_prefix("cvt")?).into(),
        _ => name.strip_suffix("_rte").unwrap_or(name).into(),
    };
    let mut parameters = inferred(&name, arguments);
    if !matches!(number, Number::Half | Number::Float | Number::Double) {
        parameters.fill(ParameterType::Number(number));
    }
    Some((name, parameters))
}

/// Functions of the C library, in binary64; those in binary32 have an `f` more.
const C_LIBRARY: [&str; 56] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "modf",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

fn c_library<'a>(name: &'a str, arguments: &[Shape]) -> Option<Named<'a>> {
    if let ("abs" | "labs" | "llabs", [shape]) = (name, arguments)
        && let [Scalar::Integer(bits @ (32 | 64))] = shape[..]
    {
        return Some(("abs".into(), vec![ParameterType::Number(Number::Signed(bits))]));
    }
    let scalar = if C_LIBRARY.contains(&name) { Scalar::Double } else { Scalar::Float };
    let name = if scalar == Scalar::Float { name.strip_suffix('f')? } else { name };
    let float = |shape: &Shape| shape.iter().all(|&operand| operand == scalar || !operand.is_float());
    if !C_LIBRARY.contains(&name) || !arguments.iter().all(float) {
        return None;
    }
    let name = c_name(name);
    Some((name.into(), inferred(name, arguments)))
}

/// The name in OpenCL C of a function of C or CUDA.
fn c_name(name: &str) -> &str {
    match name {
        "powi" => "pown",
        "scalbn" | "scalbln" => "ldexp",
        "llrint" => "lrint",
        "llround" => "lround",
        other => other,
    }
}

/// The parameter types of a floating-point function, from what it is passed: pointers are to the type of the first number, except
/// that some functions store an `int`.
fn inferred(name: &str, arguments: &[Shape]) -> Vec<ParameterType> {
    let number = |scalar: Scalar| match scalar {
        Scalar::Half => Number::Half,
        Scalar::BFloat => Number::BFloat,
        Scalar::Float => Number::Float,
        Scalar::Double => Number::Double,
        other => Number::Signed(other.bits()),
    };
    let first = arguments.iter().filter_map(|shape| shape.first()).find(|scalar| scalar.is_float());
    let stored = match name {
        "frexp" | "lgamma_r" | "remquo" => I32,
        _ => first.map_or(I32, |&scalar| number(scalar)),
    };
    let parameter = |shape: &Shape| match shape[..] {
        [Scalar::Pointer(_)] => {
            ParameterType::Pointer { pointee: Box::new(ParameterType::Number(stored)), space: None }
        }
        [scalar] => ParameterType::Number(number(scalar)),
        [scalar, ..] => ParameterType::Vector(number(scalar), shape.len()),
        [] => ParameterType::Void,
    };
    arguments.iter().map(parameter).collect()
}
