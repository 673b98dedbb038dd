//! Arithmetic with a rounding mode in its name: CUDA's `__fadd_rz`, OCML's `add_rtz_f32`.
//!
//! A finite operand is ±s·2^x with s < 2⁵³. The exact result, or one with the last bit set in place of a rest (*sticky*) that lies below
//! at least two bits more than any format has, is handed to [`Format::round`].

use super::call::Call;
use super::format::{Format, Rounding};
use super::pure::{Pure, costly};

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    let (name, mode) = call.name.rsplit_once('_')?;
    let (number, _) = call.first()?;
    let (rounding, format) = (Rounding::named(mode)?, Format::of(number)?);
    let same = (1..call.operands.len()).all(|operand| call.value(operand) == call.value(0));
    let decode = move |bits| format.decode(bits);
    let fused = move |x: f64, y: f64, z: f64| encode(format, rounding, x.mul_add(y, z), || product_and_sum(x, y, z));
    let quotient = move |x: f64, y: f64| encode(format, rounding, x / y, || quotient(x, y));
    let root = move |x: f64| encode(format, rounding, x.sqrt(), || root(x));
    let function = match (name, call.operands.len()) {
        ("add", 2) => costly(move |[x, y]| fused(decode(x), 1.0, decode(y))),
        ("sub", 2) => costly(move |[x, y]| fused(decode(x), 1.0, -decode(y))),
        ("mul", 2) => costly(move |[x, y]| {
            let (x, y) = (decode(x), decode(y));
            // The sign of a product that is zero is not lost in this sum.
            fused(x, y, 0.0f64.copysign(x) * 1.0f64.copysign(y))
        }),
        ("divide", 2) => costly(move |[x, y]| quotient(decode(x), decode(y))),
        ("recip", 1) => costly(move |[x]| quotient(1.0, decode(x))),
        ("sqrt", 1) => costly(move |[x]| root(decode(x))),
        ("fma", 3) => costly(move |[x, y, z]| fused(decode(x), decode(y), decode(z))),
        _ => return None,
    };
    same.then(|| call.elementwise(format.bits(), call.result.len(), function))?
}

/// ±significand·2^exponent.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
}

impl Exact {
    fn of(value: f64) -> Exact {
        let (fraction, field) = (value.to_bits() & ((1 << 52) - 1), (value.to_bits() >> 52 & 0x7ff) as i32);
        let significand = if field == 0 { fraction } else { fraction | 1 << 52 };
        Exact { negative: value.is_sign_negative(), significand: significand.into(), exponent: field.max(1) - 1075 }
    }

    /// The same number with its leading bit in this place.
    fn with_leading_bit(self, place: u32) -> Exact {
        let shift = self.significand.leading_zeros() as i32 - (127 - place as i32);
        Exact { significand: self.significand << shift, exponent: self.exponent - shift, ..self }
    }
}

/// The bits of an exact result; where the one in binary64 is no number, or comes from such, it stands.
fn encode(format: Format, rounding: Rounding, nearest: f64, exact: impl FnOnce() -> Option<Exact>) -> u64 {
    match exact() {
        Some(exact) if exact.significand != 0 => {
            format.round(exact.negative, exact.significand, exact.exponent, rounding)
        }
        // Of two opposite numbers the sum is −0 when rounding down, else +0, as it is to nearest.
        Some(exact) if exact.negative && rounding == Rounding::Downward => format.sign_bit(),
        _ => format.encode(nearest),
    }
}

/// x·y + z. A result of zero is marked as negative where it is the sum of opposite numbers.
fn product_and_sum(x: f64, y: f64, z: f64) -> Option<Exact> {
    if ![x, y, z].iter().all(|operand| operand.is_finite()) {
        return None;
    }
    let (a, b, c) = (Exact::of(x), Exact::of(y), Exact::of(z));
    let product = Exact {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
    };
    if product.significand == 0 || c.significand == 0 {
        let mut sum = if product.significand == 0 { c } else { product };
        sum.negative = if sum.significand == 0 { product.negative != c.negative } else { sum.negative };
        return Some(sum);
    }
    // One bit is left for a carry.
    let (product, c) = (product.with_leading_bit(126), c.with_leading_bit(126));
    let product_is_greater = (product.exponent, product.significand) >= (c.exponent, c.significand);
    let (greater, lesser) = if product_is_greater { (product, c) } else { (c, product) };
    let shift = (greater.exponent - lesser.exponent) as u32;
    let kept = lesser.significand.checked_shr(shift).unwrap_or(0);
    let lost = kept.checked_shl(shift).unwrap_or(0) != lesser.significand;
    let aligned = kept | u128::from(lost);
    if greater.negative == lesser.negative {
        return Some(Exact { significand: greater.significand + aligned, ..greater });
    }
    let significand = greater.significand - aligned;
    Some(Exact { significand, negative: significand == 0 || greater.negative, ..greater })
}

fn quotient(x: f64, y: f64) -> Option<Exact> {
    if !x.is_finite() || !y.is_finite() || x == 0.0 || y == 0.0 {
        return None;
    }
    let (a, b) = (Exact::of(x).with_leading_bit(126), Exact::of(y).with_leading_bit(52));
    let (quotient, rest) = (a.significand / b.significand, a.significand % b.significand);
    Some(Exact {
        negative: a.negative != b.negative,
        significand: quotient << 1 | u128::from(rest != 0),
        exponent: a.exponent - b.exponent - 1,
    })
}

fn root(x: f64) -> Option<Exact> {
    if !x.is_finite() || x <= 0.0 {
        return None;
    }
    let mut a = Exact::of(x).with_leading_bit(126);
    if a.exponent % 2 != 0 {
        a = a.with_leading_bit(125);
    }
    let root = a.significand.isqrt();
    Some(Exact {
        negative: false,
        significand: root << 1 | u128::from(root * root != a.significand),
        exponent: a.exponent / 2 - 1,
    })
}
