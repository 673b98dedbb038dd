//! Functions on binary64 that `libm` has not.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// sin(π·x), exact where that is 0, ±½ or ±1 apart from the last place. Zeros have the sign of x.
pub(super) fn sinpi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let turn = (x % 2.0).abs();
    let (half_turn, sign) = if turn > 1.0 { (turn - 1.0, -1.0) } else { (turn, 1.0) };
    let distance = half_turn.min(1.0 - half_turn);
    let sine = if distance <= 0.25 { libm::sin(PI * distance) } else { libm::cos(PI * (0.5 - distance)) };
    if sine == 0.0 { 0.0f64.copysign(x) } else { sign * sine * 1.0f64.copysign(x) }
}

/// cos(π·x), with +0 for its zeros.
pub(super) fn cospi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let turn = x.abs() % 2.0;
    let half_turn = turn.min(2.0 - turn);
    match half_turn {
        0.5 => 0.0,
        _ if half_turn <= 0.25 => libm::cos(PI * half_turn),
        _ if half_turn < 0.75 => libm::sin(PI * (0.5 - half_turn)),
        _ => -libm::cos(PI * (1.0 - half_turn)),
    }
}

/// xʸ for x ≥ 0 only, as exp(y·log x): undefined wherever that is.
pub(super) fn powr(x: f64, y: f64) -> f64 {
    let open = x.is_nan() || y.is_nan() || x < 0.0;
    let indeterminate = y == 0.0 && (x == 0.0 || x.is_infinite()) || y.is_infinite() && x == 1.0;
    if open || indeterminate { f64::NAN } else { libm::pow(x.abs(), y) }
}

/// The n-th root.
pub(super) fn rootn(x: f64, n: i32) -> f64 {
    let odd = n % 2 != 0;
    if n == 0 || x.is_nan() || x < 0.0 && !odd {
        return f64::NAN;
    }
    let magnitude = x.abs();
    let root = match n {
        1 => magnitude,
        2 => magnitude.sqrt(),
        3 => libm::cbrt(magnitude),
        _ => {
            let n = f64::from(n);
            let root = libm::pow(magnitude, 1.0 / n);
            // 1/n is rounded, which the logarithm of a large x amplifies: one step of Newton's method corrects that.
            let power = libm::pow(root, n);
            let corrected = root - root * ((power - magnitude) / (n * power));
            if corrected.is_finite() && power.is_normal() { corrected } else { root }
        }
    };
    if odd { root.copysign(x) } else { root }
}

/// The inverse of erf.
pub(super) fn erfinv(y: f64) -> f64 {
    if y.abs() > 0.5 { erfcinv(1.0 - y.abs()).copysign(y) } else { inverse_near_zero(y) }
}

/// The inverse of erfc.
pub(super) fn erfcinv(y: f64) -> f64 {
    match y {
        0.0 => return f64::INFINITY,
        2.0 => return f64::NEG_INFINITY,
        _ if !(0.0..=2.0).contains(&y) => return f64::NAN,
        _ if y > 1.5 => return -erfcinv(2.0 - y),
        _ if y >= 0.5 => return inverse_near_zero(1.0 - y),
        _ => {}
    }
    // Newton's method on log erfc, which is concave and close to a parabola, from a point left of the root.
    let target = libm::log(y);
    let mut x = libm::sqrt((-target - 0.5 * libm::log(-target * PI + 1.0)).max(0.1));
    for _ in 0..60 {
        let value = libm::erfc(x);
        let derivative = -FRAC_2_SQRT_PI * libm::exp(-x * x) / value;
        let step = (libm::log(value) - target) / derivative;
        x -= step;
        if step.abs() <= x.abs() * 1e-16 || !x.is_finite() {
            break;
        }
    }
    x
}

/// The inverse of erf on [-½, ½], by Newton's method.
fn inverse_near_zero(y: f64) -> f64 {
    let mut x = y / FRAC_2_SQRT_PI;
    for _ in 0..20 {
        let step = (libm::erf(x) - y) / (FRAC_2_SQRT_PI * libm::exp(-x * x));
        x -= step;
        if step.abs() <= x.abs() * 1e-16 {
            break;
        }
    }
    x
}

/// exp(x²)·erfc(x).
pub(super) fn erfcx(x: f64) -> f64 {
    if x < 10.0 {
        // The rounding error of x² matters to its exponential.
        let square = x * x;
        return libm::exp(square) * (1.0 + x.mul_add(x, -square)) * libm::erfc(x);
    }
    // The asymptotic series, whose terms fall below the precision before they rise again.
    let factor = 1.0 / (2.0 * x * x);
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..20 {
        term *= -f64::from(2 * k - 1) * factor;
        sum += term;
    }
    sum * FRAC_2_SQRT_PI / 2.0 / x
}

/// The modified Bessel function I₀, by its power series: all terms are positive.
pub(super) fn bessel_i0(x: f64) -> f64 {
    bessel_series(x, 1.0, 0.0)
}

/// The modified Bessel function I₁.
pub(super) fn bessel_i1(x: f64) -> f64 {
    bessel_series(x, x / 2.0, 1.0)
}

fn bessel_series(x: f64, first: f64, order: f64) -> f64 {
    if x.is_infinite() {
        return if order == 0.0 { f64::INFINITY } else { x };
    }
    let square = x * x / 4.0;
    let (mut sum, mut term) = (first, first);
    for k in 1..2000 {
        let k = f64::from(k);
        term *= square / (k * (k + order));
        sum += term;
        if term.abs() <= sum.abs() * 1e-17 || !sum.is_finite() {
            break;
        }
    }
    sum
}
