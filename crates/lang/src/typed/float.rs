//! Floating-point numbers in the precision of their kind.
//!
//! **Invariant.** A number is rounded once, to nearest, ties to even. What makes 16 bits of a binary64 in `half` looks at its upper 32 bits only, so a number goes
//! there as a binary32 that is [rounded to odd](to_odd): that keeps apart what a later rounding to at least two bits fewer has to tell apart (Boldo and
//! Melquiond, "Emulation of FMA and correctly rounded sums").

use half::{bf16, f16};

use super::FloatKind;

/// The nearest number of a kind.
pub(crate) fn round(kind: FloatKind, value: f64) -> f64 {
    match kind {
        FloatKind::Half => half(value).to_f64(),
        FloatKind::BFloat => bfloat(value).to_f64(),
        FloatKind::Single => f64::from(value as f32),
        FloatKind::Double => value,
    }
}

/// The bits of the nearest `half`.
pub(crate) fn half(value: f64) -> f16 {
    f16::from_f32(to_odd(value))
}

/// The bits of the nearest `bfloat`.
pub(crate) fn bfloat(value: f64) -> bf16 {
    bf16::from_f32(to_odd(value))
}

/// The same number; or, where there is none, that of its two neighbours whose last bit is set.
fn to_odd(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) == value || value.is_nan() {
        return near;
    }
    let is_beyond = f64::from(near).abs() > value.abs();
    f32::from_bits((near.to_bits() - u32::from(is_beyond)) | 1)
}
