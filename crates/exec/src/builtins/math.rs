//! Floating-point functions of OpenCL C (6.15.2, 6.15.4) and those that CUDA adds, element by element.
//!
//! Each is a function on binary64 whose result is rounded to the format of the call. For the basic operations on smaller formats that is as
//! exact as rounding once; [`fma`] takes care of itself.

use super::call::Call;
use super::demangle::Number;
use super::pure::{Elementwise, Pure, cheap1, cheap2, cheap3, costly};
use super::special;
use crate::arithmetic::float::{decode, encode, fma, fma32, infinity, sign_bit};
use crate::value::Scalar;

/// A function of numbers of one format.
pub(super) enum Math {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// One that depends on the format.
    OneOf(fn(Scalar, f64) -> f64),
    TwoOf(fn(Scalar, f64, f64) -> f64),
    /// One of the bits of three numbers.
    ThreeBits(fn(Scalar, u64, u64, u64) -> u64),
    /// A number and a signed integer.
    WithInteger(fn(f64, i32) -> f64),
    /// A signed integer and a number.
    IntegerWith(fn(i32, f64) -> f64),
    Four(fn(f64, f64, f64, f64) -> f64),
    /// The result is a signed integer of 32 bits.
    ToInteger(fn(f64) -> i32),
}

impl Math {
    /// Applied to numbers of a format, given and returned as bits.
    pub(super) fn elementwise(self, format: Scalar) -> Elementwise {
        let decode = move |bits| decode(format, bits);
        let encode = move |value| encode(format, value);
        match self {
            Math::One(f) => costly(move |[a]| encode(f(decode(a)))),
            Math::Two(f) => costly(move |[a, b]| encode(f(decode(a), decode(b)))),
            Math::Three(f) => costly(move |[a, b, c]| encode(f(decode(a), decode(b), decode(c)))),
            Math::OneOf(f) => costly(move |[a]| encode(f(format, decode(a)))),
            Math::TwoOf(f) => costly(move |[a, b]| encode(f(format, decode(a), decode(b)))),
            Math::ThreeBits(f) => costly(move |[a, b, c]| f(format, a, b, c)),
            Math::WithInteger(f) => costly(move |[a, n]| encode(f(decode(a), n as i32))),
            Math::IntegerWith(f) => costly(move |[n, a]| encode(f(n as i32, decode(a)))),
            Math::Four(f) => costly(move |[a, b, c, d]| encode(f(decode(a), decode(b), decode(c), decode(d)))),
            Math::ToInteger(f) => costly(move |[a]| u64::from(f(decode(a)) as u32)),
        }
    }

    fn operands(&self) -> usize {
        match self {
            Math::One(_) | Math::OneOf(_) | Math::ToInteger(_) => 1,
            Math::Two(_) | Math::TwoOf(_) | Math::WithInteger(_) | Math::IntegerWith(_) => 2,
            Math::Three(_) | Math::ThreeBits(_) => 3,
            Math::Four(_) => 4,
        }
    }
}

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    let (first, _) = call.first()?;
    let count = call.result.len();
    if let Some(function) = by_bits(&call.name, first, call) {
        return function;
    }
    let name = call.name.strip_prefix("native_").or(call.name.strip_prefix("half_")).unwrap_or(&call.name);
    let math = named(name)?;
    // Which operand is an integer.
    let integer = match math {
        Math::WithInteger(_) => Some(1),
        Math::IntegerWith(_) => Some(0),
        _ => None,
    };
    let (number, _) = call.value(usize::from(integer == Some(0)))?;
    let format = number.float()?;
    let bits = if matches!(math, Math::ToInteger(_)) { 32 } else { format.bits() };
    let types = (0..call.operands.len()).map(|operand| call.value(operand).map(|(number, _)| number));
    let expected =
        (0..math.operands()).map(|operand| Some(if integer == Some(operand) { Number::Signed(32) } else { number }));
    let function = || frequent(name, format).unwrap_or_else(|| math.elementwise(format));
    types.eq(expected).then(|| call.elementwise(bits, count, function()))?
}

/// What kernels call in their inner loops, for `float`: the same as what is in the table, but without a detour.
fn frequent(name: &str, format: Scalar) -> Option<Elementwise> {
    let float = |bits: u64| f32::from_bits(bits as u32);
    let bits = |number: f32| u64::from(number.to_bits());
    if format != Scalar::Float {
        return None;
    }
    Some(match name {
        "fma" | "mad" => cheap3(move |a, b, c| bits(fma32(float(a), float(b), float(c)))),
        "sqrt" => cheap1(move |a| bits(float(a).sqrt())),
        "divide" => cheap2(move |a, b| bits(float(a) / float(b))),
        "recip" => cheap1(move |a| bits(1.0 / float(a))),
        "fmax" => cheap2(move |a, b| if float(a) < float(b) || float(a).is_nan() { b } else { a }),
        "fmin" => cheap2(move |a, b| if float(b) < float(a) || float(a).is_nan() { b } else { a }),
        "max" => cheap2(move |a, b| if float(a) < float(b) { b } else { a }),
        "min" => cheap2(move |a, b| if float(b) < float(a) { b } else { a }),
        _ => return None,
    })
}

/// The greater of two numbers, or the one that is no NaN.
fn greater(x: f64, y: f64) -> f64 {
    if x < y || x.is_nan() { y } else { x }
}

fn lesser(x: f64, y: f64) -> f64 {
    if y < x || x.is_nan() { y } else { x }
}

/// Functions of the bits of a number, which also NaNs keep.
fn by_bits(name: &str, first: Number, call: &Call) -> Option<Option<Pure>> {
    let format = first.float();
    let (bits, function) = match (name, format, call.operands.len()) {
        ("fabs", Some(format), 1) => (format.bits(), cheap1(move |a| a & !sign_bit(format))),
        ("copysign", Some(format), 2) => {
            let sign = sign_bit(format);
            (format.bits(), cheap2(move |a, b| a & !sign | b & sign))
        }
        ("nan", None, 1) => {
            let format = match first.bits() {
                16 => Scalar::Half,
                32 => Scalar::Float,
                64 => Scalar::Double,
                _ => return None,
            };
            // A NaN is quiet if the bit below the exponent is set.
            let infinity = infinity(format);
            let quiet = (infinity & infinity.wrapping_neg()) >> 1;
            (format.bits(), cheap1(move |payload| infinity | quiet | payload & (quiet - 1)))
        }
        _ => return None,
    };
    Some(call.elementwise(bits, call.result.len(), function))
}

/// The function with a name of OpenCL C, or one of CUDA's in the same style.
pub(super) fn named(name: &str) -> Option<Math> {
    use Math::{Four, IntegerWith, One, OneOf, Three, ThreeBits, ToInteger, Two, TwoOf, WithInteger};
    use std::f64::consts::PI;
    Some(match name {
        "acos" => One(libm::acos),
        "acosh" => One(libm::acosh),
        "acospi" => One(|x| libm::acos(x) / PI),
        "asin" => One(libm::asin),
        "asinh" => One(libm::asinh),
        "asinpi" => One(|x| libm::asin(x) / PI),
        "atan" => One(libm::atan),
        "atanh" => One(libm::atanh),
        "atanpi" => One(|x| libm::atan(x) / PI),
        "atan2" => Two(libm::atan2),
        "atan2pi" => Two(|y, x| libm::atan2(y, x) / PI),
        "cbrt" => One(libm::cbrt),
        "ceil" => One(f64::ceil),
        "cos" => One(libm::cos),
        "cosh" => One(libm::cosh),
        "cospi" => One(special::cospi),
        "erf" => One(libm::erf),
        "erfc" => One(libm::erfc),
        "exp" => One(libm::exp),
        "exp2" => One(libm::exp2),
        "exp10" => One(libm::exp10),
        "expm1" => One(libm::expm1),
        "fdim" => Two(libm::fdim),
        "floor" => One(f64::floor),
        "fma" | "mad" => ThreeBits(fma),
        "fmax" => Two(greater),
        "fmin" => Two(lesser),
        "fmod" => Two(libm::fmod),
        "fract" => OneOf(fract),
        "hypot" => Two(libm::hypot),
        "ilogb" => ToInteger(ilogb),
        "ldexp" => WithInteger(libm::ldexp),
        "lgamma" => One(libm::lgamma),
        "log" => One(libm::log),
        "log2" => One(libm::log2),
        "log10" => One(libm::log10),
        "log1p" => One(libm::log1p),
        "logb" => One(logb),
        "maxmag" => Two(|x, y| {
            if x.abs() > y.abs() {
                x
            } else if y.abs() > x.abs() {
                y
            } else {
                greater(x, y)
            }
        }),
        "minmag" => Two(|x, y| {
            if x.abs() < y.abs() {
                x
            } else if y.abs() < x.abs() {
                y
            } else {
                lesser(x, y)
            }
        }),
        "nextafter" => TwoOf(nextafter),
        "pow" => Two(libm::pow),
        "pown" => WithInteger(|x, n| libm::pow(x, f64::from(n))),
        "powr" => Two(special::powr),
        "remainder" => Two(libm::remainder),
        "rint" | "nearbyint" => One(f64::round_ties_even),
        "rootn" => WithInteger(special::rootn),
        "round" => One(f64::round),
        "rsqrt" => One(|x| 1.0 / x.sqrt()),
        "sin" => One(libm::sin),
        "sinh" => One(libm::sinh),
        "sinpi" => One(special::sinpi),
        "sqrt" => One(f64::sqrt),
        "tan" => One(libm::tan),
        "tanh" => One(libm::tanh),
        "tanpi" => One(|x| special::sinpi(x) / special::cospi(x)),
        "tgamma" => One(libm::tgamma),
        "trunc" => One(f64::trunc),
        "divide" => Two(|x, y| x / y),
        "recip" => One(|x| 1.0 / x),

        "clamp" => Three(|x, low, high| lesser(greater(x, low), high)),
        "degrees" => One(|x| x * (180.0 / PI)),
        "max" => Two(|x, y| if x < y { y } else { x }),
        "min" => Two(|x, y| if y < x { y } else { x }),
        "mix" => Three(|x, y, a| x + (y - x) * a),
        "radians" => One(|x| x * (PI / 180.0)),
        "sign" => One(|x| {
            if x.is_nan() {
                0.0
            } else if x == 0.0 {
                x
            } else {
                x.signum()
            }
        }),
        "smoothstep" => Three(smoothstep),
        "step" => Two(|edge, x| if x < edge { 0.0 } else { 1.0 }),

        "add" => Two(|x, y| x + y),
        "sub" => Two(|x, y| x - y),
        "mul" => Two(|x, y| x * y),
        "scalb" => Two(|x, y| if y.fract() == 0.0 { libm::ldexp(x, y as i32) } else { f64::NAN }),
        "saturate" => One(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }),
        "rcbrt" => One(|x| 1.0 / libm::cbrt(x)),
        "rhypot" => Two(|x, y| 1.0 / libm::hypot(x, y)),
        "norm3d" => Three(|x, y, z| libm::hypot(libm::hypot(x, y), z)),
        "rnorm3d" => Three(|x, y, z| 1.0 / libm::hypot(libm::hypot(x, y), z)),
        "norm4d" => Four(|x, y, z, w| libm::hypot(libm::hypot(x, y), libm::hypot(z, w))),
        "rnorm4d" => Four(|x, y, z, w| 1.0 / libm::hypot(libm::hypot(x, y), libm::hypot(z, w))),
        "jn" => IntegerWith(libm::jn),
        "yn" => IntegerWith(libm::yn),
        "erfinv" => One(special::erfinv),
        "erfcinv" => One(special::erfcinv),
        "erfcx" => One(special::erfcx),
        "normcdf" => One(|x| libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0),
        "normcdfinv" => One(|x| -std::f64::consts::SQRT_2 * special::erfcinv(2.0 * x)),
        "j0" => One(libm::j0),
        "j1" => One(libm::j1),
        "y0" => One(libm::y0),
        "y1" => One(libm::y1),
        "cyl_bessel_i0" => One(special::bessel_i0),
        "cyl_bessel_i1" => One(special::bessel_i1),
        _ => return None,
    })
}

/// The distance from the integer below, and less than 1 in its format.
fn fract(format: Scalar, x: f64) -> f64 {
    if x == 0.0 || x.is_infinite() {
        return 0.0f64.copysign(x);
    }
    let below_one = decode(format, encode(format, 1.0) - 1);
    if x.is_nan() { x } else { (x - x.floor()).min(below_one) }
}

fn ilogb(x: f64) -> i32 {
    match x {
        _ if x.is_nan() => i32::MAX,
        _ if x.is_infinite() => i32::MAX,
        0.0 => i32::MIN,
        _ => libm::ilogb(x),
    }
}

fn logb(x: f64) -> f64 {
    match x {
        _ if !x.is_finite() => x.abs(),
        0.0 => f64::NEG_INFINITY,
        _ => f64::from(libm::ilogb(x)),
    }
}

fn nextafter(format: Scalar, x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == y {
        return y;
    }
    let bits = if x == 0.0 {
        1 | encode(format, 0.0f64.copysign(y))
    } else {
        let bits = encode(format, x);
        if (x < y) == (x > 0.0) { bits + 1 } else { bits - 1 }
    };
    decode(format, bits)
}

fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
