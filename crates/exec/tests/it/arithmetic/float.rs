use reconverge_exec::arithmetic::float::{Rounding, class, decode, encode, fma, infinity, is_nan, sign_bit};
use reconverge_exec::arithmetic::{binary as compute, exact, fneg};
use reconverge_exec::value::{Scalar, Slot, WIDTH, low_bits};
use reconverge_ir::opcode::{Flags, Opcode};

use crate::arithmetic::cast::{fraction, is_nearest};
use crate::arithmetic::harness::{FORMATS, numbers, random_float, randomly};

/// The operation of Rust's own types.
fn native(opcode: Opcode, scalar: Scalar, a: u64, b: u64) -> u64 {
    macro_rules! with {
        ($a:expr, $b:expr) => {
            match opcode {
                Opcode::FAdd => $a + $b,
                Opcode::FSub => $a - $b,
                Opcode::FMul => $a * $b,
                Opcode::FDiv => $a / $b,
                _ => $a % $b,
            }
        };
    }
    match scalar {
        Scalar::Float => with!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
        _ => with!(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    }
}

pub(crate) fn binary(opcode: Opcode) {
    randomly(8, |random| {
        for scalar in FORMATS {
            let operands = || -> Vec<u64> { (0..WIDTH).map(|_| 0).collect() };
            let (mut a, mut b) = (operands(), operands());
            for lane in 0..WIDTH {
                a[lane] = random_float(random, scalar);
                b[lane] = random_float(random, scalar);
            }
            let mut out = [Slot::default()];
            compute(opcode, Flags::default(), scalar, &[numbers(&a)], &[numbers(&b)], u64::MAX, &mut out);
            assert_eq!(out[0].poison, 0);
            for lane in 0..WIDTH {
                let (x, y, result) = (decode(scalar, a[lane]), decode(scalar, b[lane]), out[0].bits[lane]);
                if matches!(scalar, Scalar::Float | Scalar::Double) {
                    let expected = native(opcode, scalar, a[lane], b[lane]);
                    let same = result == expected || is_nan(scalar, result) && is_nan(scalar, expected);
                    assert!(same, "{opcode:?} {x:e} {y:e}: {result:x}");
                }
                let quotient = if opcode == Opcode::FDiv { x / y } else { 0.0 };
                let rough = decode(Scalar::Double, native(opcode, Scalar::Double, x.to_bits(), y.to_bits()));
                if !x.is_finite() || !y.is_finite() || rough.is_nan() || quotient.is_infinite() {
                    // No rounding: what doubles give is right in every format.
                    let value = decode(scalar, result);
                    assert!(value == rough || value.is_nan() && rough.is_nan(), "{opcode:?} {x:e} {y:e}: {value:e}");
                    continue;
                }
                let ((n, d), (m, e)) = (fraction(x), fraction(y));
                let exactly = match opcode {
                    Opcode::FAdd => (n * &e + m * &d, d * e),
                    Opcode::FSub => (n * &e - m * &d, d * e),
                    Opcode::FMul => (n * m, d * e),
                    Opcode::FDiv if y < 0.0 => (-(n * e), -(m * d)),
                    Opcode::FDiv => (n * e, m * d),
                    _ => (n * &e % (m * &d), d * e),
                };
                assert!(is_nearest(scalar, result, &exactly), "{opcode:?} {scalar:?} {x:e} {y:e}: {result:x}");
                // The sign of a result that is not zero, and of zero, is that of the rough result.
                assert_eq!(result & sign_bit(scalar) != 0, rough.is_sign_negative(), "{opcode:?} {x:e} {y:e}");
            }
        }
    });
}

pub(crate) fn negation() {
    for scalar in FORMATS {
        let signalling = infinity(scalar) | 1;
        let all = [0, 1, sign_bit(scalar), infinity(scalar), signalling];
        let mut out = Slot::default();
        fneg(Flags::default(), scalar, &numbers(&all), &mut out);
        assert_eq!(out.bits[..all.len()], all.map(|bits| bits ^ sign_bit(scalar)));
        fneg(Flags::NNAN, scalar, &numbers(&all), &mut out);
        assert_eq!(out.poison, 0b10000);
    }
}

#[test]
fn fast_math_flags_that_are_violated_give_poison() {
    let values = [1.0, f64::INFINITY, f64::NAN, f64::MAX];
    for scalar in FORMATS {
        let a = numbers(
            &values.map(|value| encode(scalar, value.clamp(-decode(scalar, infinity(scalar) - 1), f64::INFINITY))),
        );
        let mut out = [Slot::default()];
        let mut poison = |flags, opcode| {
            compute(opcode, flags, scalar, std::slice::from_ref(&a), std::slice::from_ref(&a), u64::MAX, &mut out);
            out[0].poison & 0b1111
        };
        // The largest number plus itself is infinite, and infinity minus itself no number.
        let largest = if scalar == Scalar::Double { 0b1000 } else { 0 };
        assert_eq!(poison(Flags::NINF, Opcode::FAdd) & 0b0111, 0b0010);
        assert_eq!(poison(Flags::NNAN, Opcode::FAdd), 0b0100);
        assert_eq!(poison(Flags::NNAN, Opcode::FSub) & 0b0111, 0b0110);
        assert_eq!(poison(Flags::FAST, Opcode::FAdd) & (0b0111 | largest), 0b0110 | largest);
        let mut others = Flags::REASSOC;
        [Flags::NSZ, Flags::ARCP, Flags::CONTRACT, Flags::AFN].into_iter().for_each(|flag| others.insert(flag));
        assert_eq!(poison(others, Opcode::FSub), 0);
    }
}

#[test]
fn every_half_and_bfloat_survives_being_a_double() {
    for scalar in [Scalar::Half, Scalar::BFloat] {
        for bits in 0..1 << 16 {
            let value = decode(scalar, bits);
            let expected = if is_nan(scalar, bits) {
                bits | (infinity(scalar) & infinity(scalar).wrapping_neg()) >> 1
            } else {
                bits
            };
            assert_eq!(encode(scalar, value), expected, "{scalar:?} {bits:x}");
        }
    }
    // A bfloat is the upper half of a float.
    for bits in 0..1u32 << 16 {
        let (value, float) = (decode(Scalar::BFloat, bits.into()), f32::from_bits(bits << 16));
        assert!(value == f64::from(float) || value.is_nan() && float.is_nan());
    }
    for (value, bits) in [(1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (65520.0, 0x7c00), (65519.9, 0x7bff)] {
        assert_eq!(encode(Scalar::Half, value), bits);
    }
    for (value, bits) in
        [(5.960464477539063e-8, 1), (2.980232238769531e-8, 0), (2.980_232_238_769_532e-8, 1), (0.1, 0x2e66)]
    {
        assert_eq!(encode(Scalar::Half, value), bits);
    }
}

#[test]
fn a_fused_multiply_add_is_rounded_once() {
    randomly(40, |random| {
        for scalar in FORMATS {
            for _ in 0..30 {
                let [a, b, mut c] = [0; 3].map(|_| random_float(random, scalar));
                if random.percent(50) {
                    // Something that nearly cancels the product or lies near half of its last place.
                    let product = decode(scalar, a) * decode(scalar, b);
                    let factor =
                        [-1.0, 1.0, f64::powi(2.0, -24), f64::powi(2.0, 24), -f64::powi(2.0, -11)][random.below(5)];
                    c = encode(scalar, product * factor);
                }
                let [x, y, z] = [a, b, c].map(|bits| decode(scalar, bits));
                let result = fma(scalar, a, b, c);
                assert_eq!(result & !low_bits(scalar.bits()), 0);
                if ![x, y, z].iter().all(|value| value.is_finite()) {
                    let expected = if x.is_finite() && y.is_finite() { z } else { x * y + z };
                    assert!(expected.is_nan() || result == exact::fma(scalar, Rounding::Zero, a, b, c));
                    let value = decode(scalar, result);
                    assert!(value == expected || value.is_nan() && expected.is_nan());
                    continue;
                }
                if scalar == Scalar::Float {
                    let expected = f32::mul_add(x as f32, y as f32, z as f32);
                    assert_eq!(result, u64::from(expected.to_bits()), "{x:e} {y:e} {z:e}");
                }
                let ((n, d), (m, e), (p, f)) = (fraction(x), fraction(y), fraction(z));
                let exactly = (n * m * &f + p * &d * &e, d * e * f);
                assert!(is_nearest(scalar, result, &exactly), "{scalar:?} {x:e} {y:e} {z:e}");
                assert_eq!(result, exact::fma(scalar, Rounding::Nearest, a, b, c), "{scalar:?} {x:e} {y:e} {z:e}");
            }
        }
    });
}

/// The number of a format next to one, towards an infinity.
fn step(scalar: Scalar, bits: u64, up: bool) -> u64 {
    let sign = sign_bit(scalar);
    match (bits & !sign, bits & sign != 0) {
        (0, _) => 1 | if up { 0 } else { sign },
        (_, negative) => {
            if negative == up {
                bits - 1
            } else {
                bits + 1
            }
        }
    }
}

/// What rounding does to the nearest number, if the exact one is less, equal or greater.
pub(crate) fn rounded(scalar: Scalar, rounding: Rounding, nearest: u64, exactly: std::cmp::Ordering) -> u64 {
    let value = decode(scalar, nearest);
    let down = rounding == Rounding::Down || rounding == Rounding::Zero && value > 0.0;
    let up = rounding == Rounding::Up || rounding == Rounding::Zero && value < 0.0;
    if down && exactly.is_lt() {
        step(scalar, nearest, false)
    } else if up && exactly.is_gt() {
        step(scalar, nearest, true)
    } else {
        nearest
    }
}

#[test]
fn directed_rounding_takes_a_neighbour() {
    randomly(40, |random| {
        for scalar in FORMATS {
            for rounding in [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up] {
                let [a, b, c] = [0; 3].map(|_| random_float(random, scalar));
                let [x, y, z] = [a, b, c].map(|bits| decode(scalar, bits));
                if ![x, y, z].iter().all(|value| value.is_finite()) || x == 0.0 || y == 0.0 {
                    continue;
                }
                let ((n, d), (m, e), (p, f)) = (fraction(x), fraction(y), fraction(z));
                let check = |result: u64, n: num_bigint::BigInt, d: num_bigint::BigInt| {
                    let value = decode(scalar, result);
                    let side = |bits: u64| {
                        let (m, e) = fraction(decode(scalar, bits));
                        (&n * e).cmp(&(m * &d))
                    };
                    if rounding == Rounding::Nearest {
                        return assert!(is_nearest(scalar, result, &(n.clone(), d.clone())));
                    }
                    let toward_up = match rounding {
                        Rounding::Zero => n.sign() == num_bigint::Sign::Minus,
                        Rounding::Up => true,
                        _ => false,
                    };
                    // The result is on its side of the exact number, and what is before it is not.
                    let beyond = if value.is_infinite() { if toward_up { -1 } else { 1 } } else { side(result) as i32 };
                    assert!(if toward_up { beyond <= 0 } else { beyond >= 0 }, "{rounding:?} {x:e} {y:e} {z:e}");
                    let before = step(scalar, result, !toward_up);
                    if beyond != 0
                        && decode(scalar, before).is_finite()
                        && (value != 0.0 || n.sign() != num_bigint::Sign::NoSign)
                    {
                        let before = side(before) as i32;
                        assert!(
                            if toward_up { before > 0 } else { before < 0 },
                            "{rounding:?} {scalar:?} {x:e} {y:e} {z:e}"
                        );
                    }
                };
                check(exact::add(scalar, rounding, a, b), &n * &e + &m * &d, &d * &e);
                check(exact::mul(scalar, rounding, a, b), &n * &m, &d * &e);
                check(exact::fma(scalar, rounding, a, b, c), &n * &m * &f + &p * &d * &e, &d * &e * &f);
                let (top, bottom) = (&n * &e, &m * &d);
                let negative = bottom.sign() == num_bigint::Sign::Minus;
                check(
                    exact::div(scalar, rounding, a, b),
                    if negative { -top } else { top },
                    if negative { -bottom } else { bottom },
                );
                let root = exact::sqrt(scalar, rounding, a & !sign_bit(scalar));
                let nearest = encode(scalar, x.abs().sqrt());
                let (r, s) = fraction(decode(scalar, nearest));
                let (n, d) = fraction(x.abs());
                assert_eq!(root, rounded(scalar, rounding, nearest, (n * &s * &s).cmp(&(&r * &r * d))), "√{x:e}");
            }
        }
    });
    // Cancelling gives the zero on the side to which is rounded.
    let one = encode(Scalar::Float, 1.0);
    let minus = encode(Scalar::Float, -1.0);
    assert_eq!(exact::add(Scalar::Float, Rounding::Down, one, minus), 0x8000_0000);
    assert_eq!(exact::add(Scalar::Float, Rounding::Up, one, minus), 0);
    assert_eq!(exact::add(Scalar::Float, Rounding::Nearest, 0x8000_0000, 0x8000_0000), 0x8000_0000);
}

#[test]
fn classes_of_numbers() {
    for scalar in FORMATS {
        let (infinity, sign) = (infinity(scalar), sign_bit(scalar));
        let smallest_normal = infinity & infinity.wrapping_neg();
        let quiet = infinity | smallest_normal >> 1;
        let all = [
            infinity | 1,
            quiet,
            sign | infinity,
            sign | (infinity - 1),
            sign | (smallest_normal - 1),
            sign,
            0,
            1,
            smallest_normal,
            infinity,
        ];
        assert_eq!(all.map(|bits| class(scalar, bits)), std::array::from_fn(|bit| 1 << bit));
    }
}
