//! Functions of real numbers, against those of Rust's standard library.

use reconverge_exec::arithmetic::float::{decode, encode, is_nan};
use reconverge_exec::value::{Scalar, Slot, WIDTH};

use super::known;
use crate::arithmetic::harness::{FORMATS, numbers, random_float, randomly};

enum Reference {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
}

use Reference::{One, Three, Two};

/// Names, how many units in the last place a result may be off, and what to compare with.
const CASES: &[(&str, u64, Reference)] = &[
    ("sqrt", 0, One(f64::sqrt)),
    ("amdgcn.sqrt", 0, One(f64::sqrt)),
    ("floor", 0, One(f64::floor)),
    ("ceil", 0, One(f64::ceil)),
    ("trunc", 0, One(f64::trunc)),
    ("rint", 0, One(f64::round_ties_even)),
    ("nearbyint", 0, One(f64::round_ties_even)),
    ("round", 0, One(f64::round)),
    ("roundeven", 0, One(f64::round_ties_even)),
    ("canonicalize", 0, One(|x| x)),
    ("arithmetic.fence", 0, One(|x| x)),
    ("sin", 2, One(f64::sin)),
    ("cos", 2, One(f64::cos)),
    ("tan", 2, One(f64::tan)),
    ("asin", 2, One(f64::asin)),
    ("acos", 2, One(f64::acos)),
    ("atan", 2, One(f64::atan)),
    ("sinh", 2, One(f64::sinh)),
    ("cosh", 2, One(f64::cosh)),
    ("tanh", 2, One(f64::tanh)),
    ("amdgcn.tanh", 2, One(f64::tanh)),
    ("exp", 2, One(f64::exp)),
    ("exp2", 2, One(f64::exp2)),
    ("amdgcn.exp2", 2, One(f64::exp2)),
    ("exp10", 1 << 12, One(|x| f64::powf(10.0, x))),
    ("log", 2, One(f64::ln)),
    ("log2", 2, One(f64::log2)),
    ("amdgcn.log", 2, One(f64::log2)),
    ("log10", 2, One(f64::log10)),
    ("atan2", 2, Two(f64::atan2)),
    ("pow", 2, Two(|x, y| if x == 1.0 || y == 0.0 { 1.0 } else { x.powf(y) })),
    ("fabs", 0, One(f64::abs)),
    ("copysign", 0, Two(f64::copysign)),
    ("minnum", 0, Two(|x, y| if x.is_nan() || y < x || y == x && y.is_sign_negative() { y } else { x })),
    ("minimumnum", 0, Two(|x, y| if x.is_nan() || y < x || y == x && y.is_sign_negative() { y } else { x })),
    ("maxnum", 0, Two(|x, y| if x.is_nan() || y > x || y == x && y.is_sign_positive() { y } else { x })),
    ("maximumnum", 0, Two(|x, y| if x.is_nan() || y > x || y == x && y.is_sign_positive() { y } else { x })),
    ("minimum", 0, Two(|x, y| if y.is_nan() || y < x || y == x && y.is_sign_negative() { y } else { x })),
    ("maximum", 0, Two(|x, y| if y.is_nan() || y > x || y == x && y.is_sign_positive() { y } else { x })),
    ("amdgcn.rcp", 0, One(f64::recip)),
    ("amdgcn.rcp.legacy", 0, One(f64::recip)),
    ("amdgcn.rsq", 0, One(|x| x.sqrt().recip())),
    ("amdgcn.rsq.legacy", 0, One(|x| x.sqrt().recip())),
    ("r600.recipsqrt.ieee", 0, One(|x| x.sqrt().recip())),
    ("dx.rsqrt", 0, One(|x| x.sqrt().recip())),
    ("spv.rsqrt", 0, One(|x| x.sqrt().recip())),
    (
        "amdgcn.frexp.mant",
        0,
        One(|x| {
            if !x.is_finite() || x == 0.0 {
                return x;
            }
            let mut mantissa = x;
            while mantissa.abs() >= 1.0 {
                mantissa /= 2.0;
            }
            while mantissa.abs() < 0.5 {
                mantissa *= 2.0;
            }
            mantissa
        }),
    ),
    ("amdgcn.fmul.legacy", 0, Two(|x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y })),
    ("amdgcn.fmad.ftz", 0, Three(|x, y, z| x * y + z)),
    ("dx.frac", 0, One(|x| x - x.floor())),
    ("spv.frac", 0, One(|x| x - x.floor())),
    ("dx.saturate", 0, One(|x| if x > 0.0 { x.min(1.0) } else { 0.0 })),
    ("spv.saturate", 0, One(|x| if x > 0.0 { x.min(1.0) } else { 0.0 })),
    ("dx.lerp", 0, Three(|x, y, s| x + (y - x) * s)),
    ("spv.lerp", 0, Three(|x, y, s| x + (y - x) * s)),
    ("dx.degrees", 1, One(|x| x * 57.295_779_513_082_32)),
    ("spv.degrees", 1, One(|x| x * 57.295_779_513_082_32)),
    ("dx.radians", 1, One(|x| x * 0.017_453_292_519_943_295)),
    ("spv.radians", 1, One(|x| x * 0.017_453_292_519_943_295)),
    ("dx.step", 0, Two(|edge, x| f64::from(u8::from(x >= edge || x.is_nan() || edge.is_nan())))),
    ("spv.step", 0, Two(|edge, x| f64::from(u8::from(x >= edge || x.is_nan() || edge.is_nan())))),
];

pub(super) fn check(name: &str) -> bool {
    let Some((_, tolerance, reference)) = CASES.iter().find(|(other, ..)| *other == name) else { return false };
    let mut known_formats = 0;
    for scalar in FORMATS {
        let count = match reference {
            One(_) => 1,
            Two(_) => 2,
            Three(_) => 3,
        };
        let Some(intrinsic) = known(name, &[scalar], &vec![vec![scalar]; count]) else { continue };
        known_formats += 1;
        randomly(3, |random| {
            let operands: Vec<Vec<u64>> =
                (0..count).map(|_| (0..WIDTH).map(|_| random_float(random, scalar)).collect()).collect();
            let slots: Vec<Slot> = operands.iter().map(|lanes| numbers(lanes)).collect();
            let slots: Vec<&[Slot]> = slots.iter().map(std::slice::from_ref).collect();
            let mut out = [Slot::default()];
            assert_eq!(intrinsic.apply(&slots, u64::MAX, &mut out), 0);
            for lane in 0..WIDTH {
                let x = |index: usize| decode(scalar, operands[index][lane]);
                let expected = match reference {
                    One(f) => f(x(0)),
                    Two(f) => f(x(0), x(1)),
                    Three(f) => f(x(0), x(1), x(2)),
                };
                let (result, nearest) = (out[0].bits[lane], encode(scalar, expected));
                let context = format!(
                    "{name} {scalar:?} {:?}: {:e}, not {expected:e}",
                    operands.iter().map(|lanes| lanes[lane]).collect::<Vec<_>>(),
                    decode(scalar, result)
                );
                if expected.is_nan() {
                    assert!(is_nan(scalar, result), "{context}");
                    continue;
                }
                // An error of the doubles moves a smaller format by one step at the most.
                let tolerance = if scalar == Scalar::Double { *tolerance } else { (*tolerance).min(1) };
                assert!(result.abs_diff(nearest) <= tolerance, "{context}");
            }
        });
    }
    assert!(known_formats > 0, "{name}");
    true
}
