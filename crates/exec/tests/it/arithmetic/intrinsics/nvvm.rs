//! The NVPTX intrinsics whose names are put together from parts, against their parts.

use reconverge_exec::arithmetic::exact;
use reconverge_exec::arithmetic::float::{Rounding, decode, encode, infinity, is_nan, sign_bit};
use reconverge_exec::value::{Scalar, low_bits};

use super::call;
use crate::arithmetic::harness::{random_float, randomly};

/// What a name says.
struct Parts<'a> {
    operation: &'a str,
    rounding: Rounding,
    flushes: bool,
    saturates: bool,
    relu: bool,
    nan: bool,
    xorsign: bool,
    letter: char,
}

fn parse(name: &str) -> Option<Parts<'_>> {
    let mut parts = name.strip_prefix("nvvm.")?.split('.');
    let operation = parts.next()?;
    let parts: Vec<&str> = parts.collect();
    let has = |part: &str| parts.contains(&part);
    let rounding = match () {
        () if has("rz") => Rounding::Zero,
        () if has("rm") => Rounding::Down,
        () if has("rp") => Rounding::Up,
        () => Rounding::Nearest,
    };
    let letter = match *parts.last().unwrap_or(&"") {
        "d" => 'd',
        "f16" | "f16x2" | "v2f16" => 'h',
        "bf16" | "bf16x2" => 'k',
        _ => 'f',
    };
    let (flushes, saturates, relu) = (has("ftz"), has("sat") || operation == "saturate", has("relu"));
    Some(Parts { operation, rounding, flushes, saturates, relu, nan: has("nan"), xorsign: has("xorsign"), letter })
}

fn format(letter: char) -> Scalar {
    super::scalar_of(letter)
}

impl Parts<'_> {
    fn flushed(&self, scalar: Scalar, bits: u64) -> u64 {
        let subnormal = bits & infinity(scalar) == 0 && bits & low_bits(scalar.bits() - 1) != 0;
        if self.flushes && subnormal { bits & sign_bit(scalar) } else { bits }
    }

    /// What the modifiers make of a result.
    fn finished(&self, scalar: Scalar, bits: u64) -> u64 {
        let bits = self.flushed(scalar, bits);
        let value = decode(scalar, bits);
        if self.saturates && (value.is_nan() || value <= 0.0) || self.relu && value <= 0.0 {
            0
        } else if self.saturates && value > 1.0 {
            encode(scalar, 1.0)
        } else {
            bits
        }
    }
}

pub(super) fn check(name: &str) -> bool {
    let Some(parts) = parse(name) else { return false };
    arithmetic(name, &parts) || conversion(name, &parts)
}

fn arithmetic(name: &str, parts: &Parts) -> bool {
    let scalar = format(parts.letter);
    let one = encode(scalar, 1.0);
    let sign = sign_bit(scalar);
    let rounding = parts.rounding;
    let real = |bits: u64, f: fn(f64) -> f64| encode(scalar, f(decode(scalar, bits)));
    let count = match parts.operation {
        "fma" => 3,
        "add" | "sub" | "mul" | "div" | "fmin" | "fmax" => 2,
        "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "ceil" | "floor" | "round" | "trunc"
        | "saturate" | "neg" | "abs" | "fabs" => 1,
        _ => return false,
    };
    // These are about integers.
    if name == "nvvm.abs.i" || name == "nvvm.abs.ll" {
        return false;
    }
    let types = format!("{}={}", parts.letter.to_string().repeat(count), parts.letter);
    randomly(24, |random| {
        let operands: Vec<u64> = (0..count).map(|_| random_float(random, scalar)).collect();
        let mut x = [0; 3];
        x.iter_mut().zip(&operands).for_each(|(x, &bits)| *x = parts.flushed(scalar, bits));
        let [a, b, c] = x;
        // The exact operations have tests of their own against fractions.
        let result = match parts.operation {
            "fma" => exact::fma(scalar, rounding, a, b, c),
            "add" => exact::add(scalar, rounding, a, b),
            "sub" => exact::add(scalar, rounding, a, b ^ sign),
            "mul" => exact::mul(scalar, rounding, a, b),
            "div" => exact::div(scalar, rounding, a, b),
            "rcp" => exact::div(scalar, rounding, one, a),
            "sqrt" => exact::sqrt(scalar, rounding, a),
            "rsqrt" => real(a, |x| x.sqrt().recip()),
            "ex2" => real(a, libm::exp2),
            "lg2" => real(a, libm::log2),
            "sin" => real(a, libm::sin),
            "cos" => real(a, libm::cos),
            "tanh" => real(a, libm::tanh),
            "ceil" => real(a, f64::ceil),
            "floor" => real(a, f64::floor),
            "round" => real(a, f64::round_ties_even),
            "trunc" => real(a, f64::trunc),
            "saturate" => a,
            "neg" => a ^ sign,
            "abs" | "fabs" => a & !sign,
            _ => {
                let (p, q) = if parts.xorsign { (a & !sign, b & !sign) } else { (a, b) };
                let (x, y) = (decode(scalar, p), decode(scalar, q));
                let chosen = match (x.is_nan(), y.is_nan()) {
                    (true, true) => p,
                    (true, false) => {
                        if parts.nan {
                            p
                        } else {
                            q
                        }
                    }
                    (false, true) => {
                        if parts.nan {
                            q
                        } else {
                            p
                        }
                    }
                    // Zeroes are ordered by their signs.
                    _ => {
                        let first_less = x < y || x == y && x.is_sign_negative();
                        if first_less == (parts.operation == "fmin") { p } else { q }
                    }
                };
                chosen | if parts.xorsign { (a ^ b) & sign } else { 0 }
            }
        };
        let expected = parts.finished(scalar, result);
        let got = call(name, &types, &operands)[0];
        let same = got == expected || is_nan(scalar, got) && is_nan(scalar, expected);
        assert!(same, "{name} {operands:x?}: {got:x}, not {expected:x}");
    });
    true
}

fn conversion(name: &str, parts: &Parts) -> bool {
    let Some((from, to)) = parts.operation.split_once('2') else { return false };
    let type_of = |text: &str| -> Option<(char, bool)> {
        Some(match text {
            "f" => ('f', true),
            "d" => ('d', true),
            "h" => ('s', true),
            "f16" => ('h', true),
            "bf16" => ('k', true),
            "i" => ('i', true),
            "ui" => ('i', false),
            "ll" => ('l', true),
            "ull" => ('l', false),
            _ => return None,
        })
    };
    let (Some((from, from_signed)), Some((to, to_signed))) = (type_of(from), type_of(to)) else { return false };
    if name == "nvvm.d2i.lo" || name == "nvvm.d2i.hi" {
        return false;
    }
    let types = format!("{from}={to}");
    let (source, target) = (format(from), format(to));
    randomly(24, |random| {
        let operand =
            if source.is_float() { random_float(random, source) } else { random.next_u64() & low_bits(source.bits()) };
        let got = call(name, &types, &[operand])[0];
        // Half-precision numbers are once declared as integers.
        let float = if target == Scalar::Integer(16) { Scalar::Half } else { target };
        if !float.is_float() {
            let value = decode(source, parts.flushed(source, operand));
            let integral = match parts.rounding {
                Rounding::Nearest => value.round_ties_even(),
                Rounding::Zero => value.trunc(),
                Rounding::Down => value.floor(),
                Rounding::Up => value.ceil(),
            };
            // Rust's casts saturate, and NaN becomes zero.
            let expected = match (target.bits(), to_signed) {
                (32, true) => integral as i32 as u32 as u64,
                (32, false) => u64::from(integral as u32),
                (_, true) => integral as i64 as u64,
                _ => integral as u64,
            };
            return assert_eq!(got, expected, "{name} {value:e}");
        }
        let flushed = if source.is_float() { parts.flushed(source, operand) } else { operand };
        let number = match (source, from_signed) {
            (Scalar::Integer(32), true) => exact::Exact::integer(i64::from(operand as i32).into()),
            (Scalar::Integer(64), true) => exact::Exact::integer((operand as i64).into()),
            (Scalar::Integer(_), _) => exact::Exact::integer(operand.into()),
            _ => match exact::Exact::new(decode(source, flushed)) {
                Some(number) => number,
                None => {
                    let expected = parts.finished(float, encode(float, decode(source, operand)));
                    assert!(got == expected, "{name} {operand:x}");
                    return;
                }
            },
        };
        let zero_sign = if source.is_float() && flushed == sign_bit(source) { sign_bit(float) } else { 0 };
        let expected = parts.finished(float, number.round(float, parts.rounding) | zero_sign);
        assert_eq!(got, expected, "{name} {operand:x}");
    });
    true
}
