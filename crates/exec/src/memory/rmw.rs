//! What `atomicrmw` stores, of a scalar and an operand.

use reconverge_ir::opcode::RmwOperation;

use crate::value::{Scalar, low_bits};

/// What an `atomicrmw` of this type, which has at most 64 bits, stores where it found `old`. Of an operation that the type does not
/// have, the operand.
///
/// Results of floating-point operations are those of the type: rounded to nearest, ties to even. `fmax` and `fmin` prefer a number to a
/// NaN, `fmaximum` and `fminimum` the NaN; −0 is less than +0.
pub fn read_modify_write(operation: RmwOperation, scalar: Scalar, old: u64, operand: u64) -> u64 {
    use RmwOperation::{FAdd, FMax, FMaximum, FMin, FMinimum, FSub, Xchg};
    if operation == Xchg {
        return operand;
    }
    if !scalar.is_float() {
        return integer(operation, scalar.bits(), old, operand);
    }
    // Rounding a sum to binary64 and then to the type is rounding it once, because binary64 has more than twice as many digits.
    let (one, other) = (to_double(scalar, old), to_double(scalar, operand));
    let pick = |least: bool| if (total_order(one) <= total_order(other)) == least { old } else { operand };
    match operation {
        FAdd => from_double(scalar, one + other),
        FSub => from_double(scalar, one - other),
        FMaximum | FMinimum if one.is_nan() || other.is_nan() => from_double(scalar, f64::NAN),
        FMax | FMin if one.is_nan() && other.is_nan() => from_double(scalar, f64::NAN),
        FMax | FMin if one.is_nan() => operand,
        FMax | FMin if other.is_nan() => old,
        FMax | FMaximum => pick(false),
        FMin | FMinimum => pick(true),
        _ => operand,
    }
}

fn integer(operation: RmwOperation, bits: u32, old: u64, operand: u64) -> u64 {
    let signed = |value: u64| (value << (64 - bits)) as i64;
    let result = match operation {
        RmwOperation::Add => old.wrapping_add(operand),
        RmwOperation::Sub => old.wrapping_sub(operand),
        RmwOperation::And => old & operand,
        RmwOperation::Nand => !(old & operand),
        RmwOperation::Or => old | operand,
        RmwOperation::Xor => old ^ operand,
        RmwOperation::Max if signed(old) > signed(operand) => old,
        RmwOperation::Min if signed(old) <= signed(operand) => old,
        RmwOperation::UMax => old.max(operand),
        RmwOperation::UMin => old.min(operand),
        RmwOperation::UIncWrap => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        RmwOperation::UDecWrap => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        RmwOperation::USubCond => {
            if old >= operand {
                old - operand
            } else {
                old
            }
        }
        RmwOperation::USubSat => old.saturating_sub(operand),
        _ => operand,
    };
    result & low_bits(bits)
}

/// A number whose order is that of the numbers, with −0 before +0. Not for NaN.
fn total_order(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// How many bits of the exponent and of the fraction a type has.
fn format(scalar: Scalar) -> (u32, u32) {
    match scalar {
        Scalar::Half => (5, 10),
        Scalar::BFloat => (8, 7),
        Scalar::Float => (8, 23),
        _ => (11, 52),
    }
}

/// The value of a floating-point number, which binary64 holds exactly.
fn to_double(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::Double => f64::from_bits(bits),
        Scalar::Float => f64::from(f32::from_bits(bits as u32)),
        Scalar::BFloat => f64::from(f32::from_bits((bits as u32) << 16)),
        _ => {
            let (fraction, exponent) = (bits & 0x3ff, bits >> 10 & 0x1f);
            let magnitude = match exponent {
                0 => fraction as f64 * f64::from_bits((1023 - 24) << 52),
                0x1f if fraction == 0 => f64::INFINITY,
                0x1f => f64::NAN,
                _ => f64::from_bits((exponent + 1023 - 15) << 52 | fraction << 42),
            };
            if bits >> 15 & 1 != 0 { -magnitude } else { magnitude }
        }
    }
}

/// The number of a type that is nearest to a value, the even one of two.
fn from_double(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::Double => return value.to_bits(),
        Scalar::Float => return u64::from((value as f32).to_bits()),
        _ => {}
    }
    let (exponent_bits, fraction_bits) = format(scalar);
    let sign = (value.to_bits() >> 63) << (exponent_bits + fraction_bits);
    let infinity = ((1u64 << exponent_bits) - 1) << fraction_bits;
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | infinity | 1 << (fraction_bits - 1);
    }
    // The distance of neighbouring numbers of the type around the value, as a power of two, and how many of them the value is. Scaling by
    // a power of two is exact, and so is adding 2⁵² but for the rounding of what is behind the point.
    let least = 2 - (1i64 << (exponent_bits - 1));
    let exponent = ((magnitude.to_bits() >> 52) as i64 - 1023).max(least);
    let step = exponent - i64::from(fraction_bits);
    let scaled = magnitude * f64::from_bits(((1023 - step) as u64) << 52);
    let round = f64::from_bits((1023 + 52) << 52);
    let steps = if scaled < round { ((scaled + round) - round) as u64 } else { return sign | infinity };
    // Numbers of the type are in the order of their bits, so a carry into the exponent is right.
    let bits = (((exponent - least) as u64) << fraction_bits) + steps;
    sign | bits.min(infinity)
}
