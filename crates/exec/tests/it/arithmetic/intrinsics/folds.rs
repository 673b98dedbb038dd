//! Reductions of vectors, against a loop over their elements.

use reconverge_exec::arithmetic::float::{decode, encode};
use reconverge_exec::value::{Scalar, Slot, low_bits};

use super::known;
use crate::arithmetic::harness::randomly;

pub(super) fn check(name: &str) -> bool {
    let Some(operation) = name.strip_prefix("vector.reduce.") else { return false };
    let scalar = if operation.starts_with('f') { Scalar::Double } else { Scalar::Integer(24) };
    let starts = matches!(operation, "fadd" | "fmul");
    randomly(20, |random| {
        let count = 1 + random.below(9);
        let numbers: Vec<u64> = (0..count + usize::from(starts))
            .map(|_| match scalar {
                Scalar::Double => (random.below(1000) as f64 / 7.0 - 70.0).to_bits(),
                _ => random.next_u64() & low_bits(24),
            })
            .collect();
        let (start, elements) = numbers.split_at(usize::from(starts));
        let slots = |numbers: &[u64]| numbers.iter().map(|&bits| Slot::splat(bits)).collect::<Vec<_>>();
        let (start, elements) = (slots(start), slots(elements));
        let mut shapes = vec![vec![scalar; count]];
        let mut operands = vec![elements.as_slice()];
        if starts {
            shapes.insert(0, vec![scalar]);
            operands.insert(0, &start);
        }
        let intrinsic = known(name, &[scalar], &shapes).unwrap_or_else(|| panic!("{name} is not recognised"));
        let mut out = [Slot::default()];
        intrinsic.apply(&operands, 1 << 5, &mut out);
        let real = |f: fn(f64, f64) -> f64| {
            let reals = numbers.iter().map(|&bits| decode(scalar, bits));
            encode(scalar, reals.reduce(f).expect("has an element"))
        };
        let signed = |x: u64| (x << 40) as i64 >> 40;
        let integer =
            |f: &dyn Fn(u64, u64) -> u64| numbers.iter().copied().reduce(f).expect("has an element") & low_bits(24);
        let expected = match operation {
            "add" => integer(&u64::wrapping_add),
            "mul" => integer(&u64::wrapping_mul),
            "and" => integer(&|a, b| a & b),
            "or" => integer(&|a, b| a | b),
            "xor" => integer(&|a, b| a ^ b),
            "smax" => integer(&|a, b| if signed(a) > signed(b) { a } else { b }),
            "smin" => integer(&|a, b| if signed(a) < signed(b) { a } else { b }),
            "umax" => integer(&u64::max),
            "umin" => integer(&u64::min),
            "fadd" => real(|a, b| a + b),
            "fmul" => real(|a, b| a * b),
            "fmax" | "fmaximum" => real(f64::max),
            "fmin" | "fminimum" => real(f64::min),
            _ => panic!("{operation} has no reference"),
        };
        assert_eq!(out[0].bits[5], expected, "{name} {numbers:x?}");
    });
    true
}
