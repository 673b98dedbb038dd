//! The intrinsics of LLVM that are for all targets.

use reconverge_ir::opcode::Opcode;

use crate::arithmetic::cast::{integer_from_float, saturate};
use crate::arithmetic::float::{class, decode, encode, sign_bit};
use crate::arithmetic::integer::{Integer, Narrow};
use crate::value::{Scalar, low_bits};

use super::Function::{
    Absolute, Bits, Compare, Extreme, False, First, Fma, Fold, FoldBy, Integers, Pair, Real1, Real2,
};
use super::integer::Operation::*;
use super::{Row, Types};

pub(super) const ROWS: &[Row] = &[
    ("abs", "Nb=N", Integers(Abs)),
    ("smax", "NN=N", Integers(SMax)),
    ("smin", "NN=N", Integers(SMin)),
    ("umax", "NN=N", Integers(UMax)),
    ("umin", "NN=N", Integers(UMin)),
    ("ctpop", "N=N", Integers(CountOnes)),
    ("ctlz", "Nb=N", Integers(LeadingZeros)),
    ("cttz", "Nb=N", Integers(TrailingZeros)),
    ("bswap", "N=N", Integers(ByteSwap)),
    ("bitreverse", "N=N", Integers(BitReverse)),
    ("fshl", "NNN=N", Integers(FunnelLeft)),
    ("fshr", "NNN=N", Integers(FunnelRight)),
    ("sadd.sat", "NN=N", Integers(AddSaturate { signed: true })),
    ("uadd.sat", "NN=N", Integers(AddSaturate { signed: false })),
    ("ssub.sat", "NN=N", Integers(SubSaturate { signed: true })),
    ("usub.sat", "NN=N", Integers(SubSaturate { signed: false })),
    ("sshl.sat", "NN=N", Integers(ShlSaturate { signed: true })),
    ("ushl.sat", "NN=N", Integers(ShlSaturate { signed: false })),
    ("smul.fix", "NNi=N", Integers(MulFix { signed: true, saturate: false })),
    ("umul.fix", "NNi=N", Integers(MulFix { signed: false, saturate: false })),
    ("smul.fix.sat", "NNi=N", Integers(MulFix { signed: true, saturate: true })),
    ("umul.fix.sat", "NNi=N", Integers(MulFix { signed: false, saturate: true })),
    ("sdiv.fix", "NNi=N", Integers(DivFix { signed: true, saturate: false })),
    ("udiv.fix", "NNi=N", Integers(DivFix { signed: false, saturate: false })),
    ("sdiv.fix.sat", "NNi=N", Integers(DivFix { signed: true, saturate: true })),
    ("udiv.fix.sat", "NNi=N", Integers(DivFix { signed: false, saturate: true })),
    ("sadd.with.overflow", "NN=Nb", Integers(AddOverflow { signed: true })),
    ("uadd.with.overflow", "NN=Nb", Integers(AddOverflow { signed: false })),
    ("ssub.with.overflow", "NN=Nb", Integers(SubOverflow { signed: true })),
    ("usub.with.overflow", "NN=Nb", Integers(SubOverflow { signed: false })),
    ("smul.with.overflow", "NN=Nb", Integers(MulOverflow { signed: true })),
    ("umul.with.overflow", "NN=Nb", Integers(MulOverflow { signed: false })),
    ("scmp", "NN=m", Compare { signed: true }),
    ("ucmp", "NN=m", Compare { signed: false }),
    ("sqrt", "F=F", Real1(f64::sqrt)),
    ("sin", "F=F", Real1(libm::sin)),
    ("cos", "F=F", Real1(libm::cos)),
    ("tan", "F=F", Real1(libm::tan)),
    ("asin", "F=F", Real1(libm::asin)),
    ("acos", "F=F", Real1(libm::acos)),
    ("atan", "F=F", Real1(libm::atan)),
    ("atan2", "FF=F", Real2(libm::atan2)),
    ("sinh", "F=F", Real1(libm::sinh)),
    ("cosh", "F=F", Real1(libm::cosh)),
    ("tanh", "F=F", Real1(libm::tanh)),
    ("exp", "F=F", Real1(libm::exp)),
    ("exp2", "F=F", Real1(libm::exp2)),
    ("exp10", "F=F", Real1(libm::exp10)),
    ("log", "F=F", Real1(libm::log)),
    ("log2", "F=F", Real1(libm::log2)),
    ("log10", "F=F", Real1(libm::log10)),
    ("pow", "FF=F", Real2(libm::pow)),
    ("powi", "Fm=F", Bits(power)),
    ("ldexp", "Fm=F", Bits(scale)),
    ("frexp", "F=Fm", Pair(split_exponent)),
    ("modf", "F=FF", Pair(split_integral)),
    ("sincos", "F=FF", Pair(|types, x| [libm::sin, libm::cos].map(|f| real(types, x, f)))),
    ("sincospi", "F=FF", Pair(|types, x| [sin_turns, cos_turns].map(|f| real(types, x, |x| f(x / 2.0))))),
    ("fma", "FFF=F", Fma),
    // Either rounding is allowed; this is the one that GPUs have an instruction for.
    ("fmuladd", "FFF=F", Fma),
    ("fabs", "F=F", Absolute),
    ("copysign", "FF=F", Bits(copy_sign)),
    ("minnum", "FF=F", Extreme { largest: false, propagates: false }),
    ("maxnum", "FF=F", Extreme { largest: true, propagates: false }),
    ("minimumnum", "FF=F", Extreme { largest: false, propagates: false }),
    ("maximumnum", "FF=F", Extreme { largest: true, propagates: false }),
    ("minimum", "FF=F", Extreme { largest: false, propagates: true }),
    ("maximum", "FF=F", Extreme { largest: true, propagates: true }),
    ("floor", "F=F", Real1(f64::floor)),
    ("ceil", "F=F", Real1(f64::ceil)),
    ("trunc", "F=F", Real1(f64::trunc)),
    ("rint", "F=F", Real1(f64::round_ties_even)),
    ("nearbyint", "F=F", Real1(f64::round_ties_even)),
    ("round", "F=F", Real1(f64::round)),
    ("roundeven", "F=F", Real1(f64::round_ties_even)),
    ("lround", "F=m", Bits(|types, x| to_integer(types, x, f64::round))),
    ("llround", "F=m", Bits(|types, x| to_integer(types, x, f64::round))),
    ("lrint", "F=m", Bits(|types, x| to_integer(types, x, f64::round_ties_even))),
    ("llrint", "F=m", Bits(|types, x| to_integer(types, x, f64::round_ties_even))),
    ("canonicalize", "F=F", Real1(|x| x)),
    ("arithmetic.fence", "F=F", First),
    ("is.fpclass", "Fi=b", Bits(|types, x| u64::from(x[1] & class(types.operand(), x[0]) != 0))),
    ("fptosi.sat", "F=n", Bits(|types, x| saturate(types.result().bits(), true, decode(types.operand(), x[0])))),
    ("fptoui.sat", "F=n", Bits(|types, x| saturate(types.result().bits(), false, decode(types.operand(), x[0])))),
    ("convert.to.fp16", "F=s", Bits(|types, x| encode(Scalar::Half, decode(types.operand(), x[0])))),
    ("convert.from.fp16", "s=F", Bits(|types, x| encode(types.result(), decode(Scalar::Half, x[0])))),
    ("expect", "NN=N", First),
    ("expect.with.probability", "NNd=N", First),
    ("is.constant", "*=b", False),
    ("ssa.copy", "*=*", First),
    ("launder.invariant.group", "p=p", First),
    ("strip.invariant.group", "p=p", First),
    ("ptrmask", "pn=p", Bits(|types, x| x[0] & (x[1] | !low_bits(types.operands[1].bits())))),
    ("vector.reduce.add", "N=N", Fold(Opcode::Add)),
    ("vector.reduce.mul", "N=N", Fold(Opcode::Mul)),
    ("vector.reduce.and", "N=N", Fold(Opcode::And)),
    ("vector.reduce.or", "N=N", Fold(Opcode::Or)),
    ("vector.reduce.xor", "N=N", Fold(Opcode::Xor)),
    ("vector.reduce.smax", "N=N", FoldBy(&Integers(SMax))),
    ("vector.reduce.smin", "N=N", FoldBy(&Integers(SMin))),
    ("vector.reduce.umax", "N=N", FoldBy(&Integers(UMax))),
    ("vector.reduce.umin", "N=N", FoldBy(&Integers(UMin))),
    ("vector.reduce.fadd", "FF=F", Fold(Opcode::FAdd)),
    ("vector.reduce.fmul", "FF=F", Fold(Opcode::FMul)),
    ("vector.reduce.fmax", "F=F", FoldBy(&Extreme { largest: true, propagates: false })),
    ("vector.reduce.fmin", "F=F", FoldBy(&Extreme { largest: false, propagates: false })),
    ("vector.reduce.fmaximum", "F=F", FoldBy(&Extreme { largest: true, propagates: true })),
    ("vector.reduce.fminimum", "F=F", FoldBy(&Extreme { largest: false, propagates: true })),
];

/// A function of the first operand.
pub(super) fn real(types: &Types, operands: &[u64], f: impl Fn(f64) -> f64) -> u64 {
    encode(types.operand(), f(decode(types.operand(), operands[0])))
}

/// A function of an angle in turns, from sine and cosine of an eighth of a turn at the most, and the number of quarter
/// turns that were taken off, modulo 4. Nothing is rounded before.
fn of_turns(x: f64, f: impl Fn(f64, f64, u8) -> f64) -> f64 {
    let quarters = (x * 4.0).round_ties_even();
    let angle = (x - quarters / 4.0) * std::f64::consts::TAU;
    f(libm::sin(angle), libm::cos(angle), quarters.rem_euclid(4.0) as u8)
}

/// The sine of an angle in turns. Zero has the sign of the angle.
pub(super) fn sin_turns(x: f64) -> f64 {
    of_turns(x, |sin, cos, quarters| match quarters {
        0 | 2 if sin == 0.0 => sin.copysign(x),
        0 => sin,
        1 => cos,
        2 => -sin,
        _ => -cos,
    })
}

/// The cosine of an angle in turns. Zero is positive.
pub(super) fn cos_turns(x: f64) -> f64 {
    of_turns(x, |sin, cos, quarters| match quarters {
        1 | 3 if sin == 0.0 => 0.0,
        0 => cos,
        1 => -sin,
        2 => -cos,
        _ => sin,
    })
}

/// The number that the second operand is as a signed integer.
fn signed_exponent(types: &Types, operands: &[u64]) -> i64 {
    let above = 64 - types.operands[1].bits();
    (operands[1] << above) as i64 >> above
}

fn power(types: &Types, operands: &[u64]) -> u64 {
    real(types, operands, |x| libm::pow(x, signed_exponent(types, operands) as f64))
}

/// The first operand times two to the power of the second.
pub(super) fn scale(types: &Types, operands: &[u64]) -> u64 {
    let exponent = signed_exponent(types, operands).clamp(-5000, 5000) as i32;
    real(types, operands, |x| libm::scalbn(x, exponent))
}

fn split_exponent(types: &Types, operands: &[u64]) -> [u64; 2] {
    let value = decode(types.operand(), operands[0]);
    let (fraction, exponent) = if value.is_finite() { libm::frexp(value) } else { (value, 0) };
    [encode(types.operand(), fraction), exponent as u64 & low_bits(types.results[1].bits())]
}

fn split_integral(types: &Types, operands: &[u64]) -> [u64; 2] {
    let value = decode(types.operand(), operands[0]);
    let fraction = if value.is_infinite() { 0.0 } else { value - value.trunc() };
    [fraction.copysign(value), value.trunc()].map(|part| encode(types.operand(), part))
}

fn copy_sign(types: &Types, operands: &[u64]) -> u64 {
    let sign = sign_bit(types.operand());
    operands[0] & !sign | operands[1] & sign
}

/// An integer of the result's type, and the smallest one if there is none.
fn to_integer(types: &Types, operands: &[u64], rounding: fn(f64) -> f64) -> u64 {
    let width = types.result().bits();
    let number = integer_from_float(rounding(decode(types.operand(), operands[0])), width, true);
    number.unwrap_or_else(|| Narrow::signed_min(width)).bits()
}
