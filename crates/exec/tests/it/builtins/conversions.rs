//! Conversions, against the definition of each rounding mode.
//!
//! Whatever is converted here is exactly a multiple of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴; [`Exact`] compares such numbers without rounding. A
//! result is right iff it is what the mode asks for among itself and its two neighbours.

use std::cmp::Ordering;

use reconverge_exec::value::Scalar;
use reconverge_testing::rounds::{first_seed, times};

use crate::builtins::common::{Random, Scalars, low_bits};

/// ±m·2^e.
#[derive(Debug, Clone, Copy)]
struct Exact {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Exact {
    fn of_integer(value: i128) -> Exact {
        Exact { negative: value < 0, magnitude: value.unsigned_abs(), exponent: 0 }
    }

    /// Without common factors of two.
    fn reduced(self) -> Exact {
        if self.magnitude == 0 {
            return Exact { negative: false, magnitude: 0, exponent: 0 };
        }
        let zeros = self.magnitude.trailing_zeros();
        Exact { magnitude: self.magnitude >> zeros, exponent: self.exponent + zeros as i32, ..self }
    }

    fn compare(self, other: Exact) -> Ordering {
        let (a, b) = (self.reduced(), other.reduced());
        let sign = |x: Exact| {
            if x.magnitude == 0 {
                0
            } else if x.negative {
                -1
            } else {
                1
            }
        };
        if sign(a) != sign(b) || sign(a) == 0 {
            return sign(a).cmp(&sign(b));
        }
        // By the leading bit, then by the bits below it, both moved to the top.
        let leading = |x: Exact| 128 - x.magnitude.leading_zeros() as i32 + x.exponent;
        let bits = |x: Exact| x.magnitude << x.magnitude.leading_zeros();
        let magnitudes = leading(a).cmp(&leading(b)).then(bits(a).cmp(&bits(b)));
        if a.negative { magnitudes.reverse() } else { magnitudes }
    }

    /// Half the sum of two numbers that are neighbours in a format.
    fn middle(self, other: Exact) -> Exact {
        let exponent = if self.magnitude == 0 {
            other.exponent
        } else {
            self.exponent.min(other.exponent.max(self.exponent - 60))
        };
        let exponent = exponent.min(if other.magnitude == 0 { exponent } else { other.exponent });
        let at = |x: Exact| {
            let magnitude = if x.magnitude == 0 { 0 } else { (x.magnitude << (x.exponent - exponent)) as i128 };
            if x.negative { -magnitude } else { magnitude }
        };
        let sum = at(self) + at(other);
        Exact { negative: sum < 0, magnitude: sum.unsigned_abs(), exponent: exponent - 1 }
    }
}

#[derive(Debug, Clone, Copy)]
struct Format {
    name: &'static str,
    letter: &'static str,
    scalar: Scalar,
    bits: u32,
    precision: u32,
}

const HALF: Format = Format { name: "half", letter: "Dh", scalar: Scalar::Half, bits: 16, precision: 11 };
const FLOAT: Format = Format { name: "float", letter: "f", scalar: Scalar::Float, bits: 32, precision: 24 };
const DOUBLE: Format = Format { name: "double", letter: "d", scalar: Scalar::Double, bits: 64, precision: 53 };
const FORMATS: [Format; 3] = [HALF, FLOAT, DOUBLE];

impl Format {
    /// The number that is this many steps of the format away from 0; infinity counts as the next power of two.
    fn step(self, steps: i128) -> Exact {
        let fraction_bits = self.precision - 1;
        let magnitude = steps.unsigned_abs();
        let field = (magnitude >> fraction_bits) as i32;
        let fraction = magnitude & ((1 << fraction_bits) - 1);
        let bias = (1 << (self.bits - self.precision - 1)) - 1;
        let significand = if field == 0 { fraction } else { fraction | 1 << fraction_bits };
        Exact { negative: steps < 0, magnitude: significand, exponent: field.max(1) - bias - fraction_bits as i32 }
    }

    fn infinity(self) -> i128 {
        ((1 << (self.bits - self.precision)) - 1) << (self.precision - 1)
    }

    fn sign(self, bits: u64) -> bool {
        bits >> (self.bits - 1) & 1 == 1
    }

    /// How many steps a number is away from 0.
    fn steps(self, bits: u64) -> i128 {
        let magnitude = i128::from(bits & low_bits(self.bits - 1));
        if self.sign(bits) { -magnitude } else { magnitude }
    }
}

/// Whether `result`, in steps of the format, is what the mode makes of `value`.
fn is_rounded(value: Exact, result: i128, format: Format, mode: &str) -> bool {
    let at = |steps| format.step(steps);
    let infinity = format.infinity();
    let below = |steps: i128| at(steps).compare(value).is_le();
    let above = |steps: i128| at(steps).compare(value).is_ge();
    match mode {
        // A finite number only becomes infinity in the direction of the mode.
        "_rtp" => {
            (result == infinity || above(result))
                && (result == 1 - infinity || result > -infinity && !above(result - 1))
        }
        "_rtn" => {
            (result == -infinity || below(result))
                && (result == infinity - 1 || result < infinity && !below(result + 1))
        }
        "_rtz" if value.negative => {
            above(result) && (result == 1 - infinity || result > -infinity && !above(result - 1))
        }
        "_rtz" => below(result) && (result == infinity - 1 || result < infinity && !below(result + 1)),
        _ => {
            let down = at(result - 1).middle(at(result)).compare(value);
            let up = at(result).middle(at(result + 1)).compare(value);
            let even = result % 2 == 0;
            let not_too_low = result == infinity || up.is_gt() || up.is_eq() && even;
            let not_too_high = result == -infinity || down.is_lt() || down.is_eq() && even;
            not_too_low && not_too_high
        }
    }
}

const MODES: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

/// Integer types: name, letter, bits, sign.
const INTEGERS: [(&str, &str, u32, bool); 8] = [
    ("char", "c", 8, true),
    ("uchar", "h", 8, false),
    ("short", "s", 16, true),
    ("ushort", "t", 16, false),
    ("int", "i", 32, true),
    ("uint", "j", 32, false),
    ("long", "l", 64, true),
    ("ulong", "m", 64, false),
];

fn value_of(bits: u64, width: u32, signed: bool) -> i128 {
    let negative = signed && bits >> (width - 1) & 1 == 1;
    i128::from(bits) - if negative { 1 << width } else { 0 }
}

fn function(to: &str, letter: &str, to_scalar: Scalar, from: Scalar, ending: &str) -> Scalars {
    let name = format!("convert_{to}{ending}");
    Scalars::new(&format!("_Z{}{name}{letter}", name.len()), to_scalar, &[from])
}

#[test]
fn integers_to_floating_point() {
    let seed = first_seed();
    let mut random = Random(seed);
    for to in FORMATS {
        for (_, letter, bits, signed) in INTEGERS {
            for mode in MODES {
                let function = function(to.name, letter, to.scalar, Scalar::Integer(bits), mode);
                let inputs = (0..times(3000)).map(|_| [random.interesting(bits)]);
                function.for_each(inputs, |[a], result| {
                    let value = Exact::of_integer(value_of(a, bits, signed));
                    let right = is_rounded(value, to.steps(result), to, mode);
                    assert!(
                        right && to.sign(result) == value.negative,
                        "{letter}{a:x} to {to:?}{mode}: {result:x}, seed {seed}"
                    );
                });
            }
        }
    }
}

/// Bits of numbers around where the formats end or get denser, and of any numbers.
fn floating_input(random: &mut Random, from: Format) -> u64 {
    let any = random.next() & low_bits(from.bits);
    if random.next().is_multiple_of(2) {
        return any;
    }
    // Near the limits of half, float and the integer types, with few bits after the leading ones.
    let exponent = [-150, -149, -127, -126, -25, -24, -15, -14, -1, 0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128]
        [(random.next() % 21) as usize];
    let bias = (1i64 << (from.bits - from.precision - 1)) - 1;
    let field = (exponent + bias).clamp(0, 2 * bias) as u64;
    let fraction_bits = from.precision - 1;
    let fraction = (random.interesting(fraction_bits) << (random.next() % 20)) & low_bits(fraction_bits);
    (random.next() % 2) << (from.bits - 1) | field << fraction_bits | fraction
}

#[test]
fn floating_point_to_floating_point() {
    let seed = first_seed();
    let mut random = Random(seed);
    for from in FORMATS {
        for to in FORMATS {
            for mode in MODES {
                let function = function(to.name, from.letter, to.scalar, from.scalar, mode);
                let inputs = (0..times(20_000)).map(|_| [floating_input(&mut random, from)]);
                function.for_each(inputs, |[a], result| {
                    let steps = from.steps(a);
                    let right = match steps.abs().cmp(&from.infinity()) {
                        Ordering::Less => is_rounded(from.step(steps), to.steps(result), to, mode),
                        Ordering::Equal => to.steps(result).abs() == to.infinity(),
                        Ordering::Greater => to.steps(result).abs() > to.infinity(),
                    };
                    assert!(
                        right && from.sign(a) == to.sign(result),
                        "{a:x} of {from:?} to {to:?}{mode}: {result:x}, seed {seed}"
                    );
                });
            }
        }
    }
}

#[test]
fn every_half_to_float_and_back() {
    let widen = function("float", "Dh", Scalar::Float, Scalar::Half, "");
    let narrow = function("half", "f", Scalar::Half, Scalar::Float, "");
    widen.for_each((0..1 << 16).map(|bits| [bits]), |[half], float| {
        if HALF.steps(half).abs() <= HALF.infinity() {
            assert_eq!(narrow.call([float]), half, "{half:x}");
        }
    });
}

#[test]
fn floating_point_to_integers() {
    let seed = first_seed();
    let mut random = Random(seed);
    for from in FORMATS {
        for (to, _, bits, signed) in INTEGERS {
            let least: i128 = if signed { -(1 << (bits - 1)) } else { 0 };
            let greatest = least + (1i128 << bits) - 1;
            for saturated in ["", "_sat"] {
                for mode in MODES {
                    let function =
                        function(to, from.letter, Scalar::Integer(bits), from.scalar, &format!("{saturated}{mode}"));
                    let inputs = (0..times(2000)).map(|_| [floating_input(&mut random, from)]);
                    function.for_each(inputs, |[a], result| {
                        let (steps, integer) = (from.steps(a), value_of(result, bits, signed));
                        let right = match steps.abs().cmp(&from.infinity()) {
                            Ordering::Greater => integer == 0,
                            Ordering::Equal => integer == if steps < 0 { least } else { greatest },
                            Ordering::Less => is_integral(from.step(steps), integer, least, greatest, mode),
                        };
                        assert!(right, "{a:x} of {from:?} to {to}{saturated}{mode}: {integer}, seed {seed}");
                    });
                }
            }
        }
    }
}

/// Whether `result` is the integer that the mode makes of `value`, or the end of the range in its direction.
fn is_integral(value: Exact, result: i128, least: i128, greatest: i128, mode: &str) -> bool {
    let at = Exact::of_integer;
    let half = |twice: i128| Exact { exponent: -1, ..Exact::of_integer(twice) };
    let below = |integer| at(integer).compare(value).is_le();
    let above = |integer| at(integer).compare(value).is_ge();
    let (not_too_low, not_too_high) = match mode {
        "_rtp" => (above(result), !above(result - 1)),
        "_rtn" => (!below(result + 1), below(result)),
        "_rte" => {
            let (down, up) = (half(2 * result - 1).compare(value), half(2 * result + 1).compare(value));
            let even = result % 2 == 0;
            (up.is_gt() || up.is_eq() && even, down.is_lt() || down.is_eq() && even)
        }
        _ if value.negative => (above(result), !above(result - 1)),
        _ => (!below(result + 1), below(result)),
    };
    (not_too_low || result == greatest) && (not_too_high || result == least)
}

#[test]
fn integers_to_integers() {
    let seed = first_seed();
    let mut random = Random(seed);
    for (_, letter, from_bits, from_signed) in INTEGERS {
        for (to, _, bits, signed) in INTEGERS {
            let least: i128 = if signed { -(1 << (bits - 1)) } else { 0 };
            let greatest = least + (1i128 << bits) - 1;
            let scalars = (Scalar::Integer(bits), Scalar::Integer(from_bits));
            let wrapping = function(to, letter, scalars.0, scalars.1, "");
            let saturating = function(to, letter, scalars.0, scalars.1, "_sat_rte");
            let inputs: Vec<[u64; 1]> = (0..times(2000)).map(|_| [random.interesting(from_bits)]).collect();
            wrapping.for_each(inputs.iter().copied(), |[a], result| {
                assert_eq!(
                    result,
                    value_of(a, from_bits, from_signed) as u64 & low_bits(bits),
                    "{letter}{a:x} to {to}"
                );
            });
            saturating.for_each(inputs.iter().copied(), |[a], result| {
                let expected = value_of(a, from_bits, from_signed).max(least).min(greatest);
                assert_eq!(value_of(result, bits, signed), expected, "{letter}{a:x} to {to}, seed {seed}");
            });
        }
    }
}

#[test]
fn those_of_cuda() {
    let word = Scalar::Integer(32);
    let of = |value: f32| u64::from(value.to_bits());
    for (name, value, expected) in [
        ("__nv_float2int_rn", 2.5, 2),
        ("__nv_float2int_rz", -2.5, -2),
        ("__nv_float2int_ru", 2.25, 3),
        ("__nv_float2int_rd", -2.25, -3),
        ("__nv_float2int_rz", 1e20, i32::MAX),
    ] {
        assert_eq!(Scalars::new(name, word, &[Scalar::Float]).call([of(value)]) as i32, expected, "{name} {value}");
    }
    assert_eq!(Scalars::new("__nv_float2uint_rz", word, &[Scalar::Float]).call([of(-3.0)]), 0);
    assert_eq!(Scalars::new("__nv_int2float_ru", Scalar::Float, &[word]).call([16_777_217]), of(16_777_218.0));
    assert_eq!(
        Scalars::new("__nv_ull2float_rz", Scalar::Float, &[Scalar::Integer(64)]).call([u64::MAX]),
        of(1.844_674_3e19)
    );
    assert_eq!(Scalars::new("__nv_float2half_rn", Scalar::Integer(16), &[Scalar::Float]).call([of(1.5)]), 0x3e00);
    assert_eq!(Scalars::new("__nv_half2float", Scalar::Float, &[Scalar::Integer(16)]).call([0x3e00]), of(1.5));
    assert_eq!(Scalars::new("__nv_float_as_int", word, &[Scalar::Float]).call([of(1.5)]), of(1.5));
    assert_eq!(Scalars::new("__nv_llrintf", Scalar::Integer(64), &[Scalar::Float]).call([of(-3.5)]) as i64, -4);
    assert_eq!(Scalars::new("lroundf", Scalar::Integer(64), &[Scalar::Float]).call([of(-2.5)]) as i64, -3);
    assert_eq!(
        Scalars::new("_Z32__spirv_ConvertFToS_Rint_sat_rtnd", word, &[Scalar::Double]).call([(-2.5f64).to_bits()]),
        0xffff_fffd
    );
}
