use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use reconverge_exec::arithmetic::{bitcast, cast, float};
use reconverge_exec::value::{Scalar, Slot, WIDTH, component_count, low_bits};
use reconverge_ir::opcode::{Flags, Opcode};

use crate::arithmetic::bits;
use crate::arithmetic::harness::{
    FORMATS, Lane, WIDTHS, full_wave, lane_of, numbers, random_float, random_limbs, randomly, slots, to_bits, to_limbs,
    with_lanes,
};

pub(crate) fn integers(opcode: Opcode) {
    let flag_sets = match opcode {
        Opcode::Trunc => vec![Flags::default(), Flags::NUW, Flags::NSW],
        Opcode::ZExt => vec![Flags::default(), Flags::NNEG],
        _ => vec![Flags::default()],
    };
    randomly(1, |random| {
        let pairs = WIDTHS.iter().flat_map(|&from| WIDTHS.iter().map(move |&to| (from, to)));
        for (from, to) in pairs.filter(|(from, to)| if opcode == Opcode::Trunc { from > to } else { from < to }) {
            let (source, target) = (Scalar::Integer(from), Scalar::Integer(to));
            let a = full_wave(|| {
                let mut limbs = random_limbs(random, from);
                if random.percent(30) {
                    // Something that fits.
                    limbs.fill(0);
                    limbs[0] = random.next_u64() & low_bits(from.min(to) - 1);
                }
                limbs
            });
            for &flags in &flag_sets {
                let mut out = slots(target);
                cast(opcode, flags, source, target, &with_lanes(source, &a), &mut out);
                for (lane, a) in a.iter().enumerate() {
                    let bits = to_bits(a, from as usize);
                    let result = bits::extend(&bits, to as usize, opcode == Opcode::SExt)[..to as usize].to_vec();
                    let returns = |signed| bits::extend(&result, from as usize, signed) == bits;
                    let poison = flags.contains(Flags::NUW) && !returns(false)
                        || flags.contains(Flags::NSW) && !returns(true)
                        || flags.contains(Flags::NNEG) && bits::negative(&bits);
                    let expected = if poison { Lane::Poison } else { Lane::Number(to_limbs(&result)) };
                    assert_eq!(lane_of(target, &out, 0, lane), expected, "{opcode:?} {flags:?} i{from} {a:x?} i{to}");
                }
            }
        }
    });
}

/// A finite number as a fraction of integers; the second one is a power of two.
pub(crate) fn fraction(value: f64) -> (BigInt, BigInt) {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let significand = BigInt::from(bits & low_bits(52) | if biased > 0 { 1 << 52 } else { 0 });
    let scaled = significand << biased.max(1);
    (if value < 0.0 { -scaled } else { scaled }, BigInt::from(1) << 1075)
}

/// The magnitude of a number of a format as a fraction. Infinity is what would follow the largest number.
fn magnitude_of(scalar: Scalar, bits: u64) -> (BigInt, BigInt) {
    let below = |distance| fraction(float::decode(scalar, bits - distance));
    if bits == float::infinity(scalar) { (below(1).0 * 2 - below(2).0, below(1).1) } else { below(0) }
}

/// Whether no number of a format is nearer to `n`/`d` than this one, and this one is even if another is as near.
pub(crate) fn is_nearest(scalar: Scalar, bits: u64, (n, d): &(BigInt, BigInt)) -> bool {
    let infinity = float::infinity(scalar);
    let bits = bits & low_bits(scalar.bits() - 1);
    let distance = |bits: u64| {
        let (m, e) = magnitude_of(scalar, bits);
        // Over the same denominator for all, since all numbers of a format have one.
        (BigInt::from(n.magnitude().clone()) * e - m * d).magnitude().clone()
    };
    let neighbours = [bits.checked_sub(1), Some(bits + 1)];
    bits <= infinity
        && neighbours.into_iter().flatten().filter(|&other| other <= infinity).all(|other| {
            match distance(bits).cmp(&distance(other)) {
                Ordering::Less => true,
                Ordering::Equal => bits & 1 == 0,
                Ordering::Greater => false,
            }
        })
}

pub(crate) fn floats(opcode: Opcode) {
    randomly(4, |random| {
        for from in FORMATS {
            for to in FORMATS {
                let fits = if opcode == Opcode::FPTrunc { from.bits() > to.bits() } else { from.bits() < to.bits() };
                if !fits {
                    continue;
                }
                let a: Vec<u64> = (0..WIDTH).map(|_| random_float(random, from)).collect();
                let mut out = [Slot::default()];
                cast(opcode, Flags::default(), from, to, &[numbers(&a)], &mut out);
                for (lane, &a) in a.iter().enumerate() {
                    let (value, result) = (float::decode(from, a), out[0].bits[lane]);
                    let negative = result >> (to.bits() - 1) != 0;
                    assert_eq!(negative, value.is_sign_negative());
                    if value.is_nan() {
                        assert!(float::is_nan(to, result) && float::class(to, result) == 2, "a quiet NaN");
                    } else if value.is_infinite() {
                        assert_eq!(result & low_bits(to.bits() - 1), float::infinity(to));
                    } else {
                        assert!(is_nearest(to, result, &fraction(value)), "{value:e} {to:?} {result:x}");
                    }
                }
            }
        }
    });
    // Rust converts these two the same way.
    let mut out = [Slot::default()];
    for value in [1.0f64 + f64::EPSILON, 1e-45, 1e-46, 3.4028235677973366e38, 0.1] {
        cast(
            Opcode::FPTrunc,
            Flags::default(),
            Scalar::Double,
            Scalar::Float,
            &[numbers(&[value.to_bits()])],
            &mut out,
        );
        assert_eq!(out[0].bits[0], u64::from((value as f32).to_bits()));
    }
}

pub(crate) fn from_integers(opcode: Opcode) {
    let signed = opcode == Opcode::SIToFP;
    randomly(3, |random| {
        for width in WIDTHS {
            for to in FORMATS {
                let a = full_wave(|| random_limbs(random, width));
                let mut out = [Slot::default()];
                let source = Scalar::Integer(width);
                let flags = if signed { Flags::default() } else { Flags::NNEG };
                cast(opcode, flags, source, to, &with_lanes(source, &a), &mut out);
                for (lane, limbs) in a.iter().enumerate() {
                    let negative = bits::negative(&to_bits(limbs, width as usize));
                    assert_eq!(out[0].poison >> lane & 1 != 0, !signed && negative);
                    let mut value = BigInt::from_biguint(Sign::Plus, big(limbs));
                    if signed && negative {
                        value -= BigInt::from(1) << width;
                    }
                    let result = out[0].bits[lane];
                    assert_eq!(result & float::sign_bit(to) != 0, value.sign() == Sign::Minus);
                    assert!(
                        is_nearest(to, result, &(value, 1.into())),
                        "{opcode:?} i{width} {limbs:x?} {to:?} {result:x}"
                    );
                }
            }
        }
    });
}

fn big(limbs: &[u64]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |number, &limb| (number << 64) + limb)
}

pub(crate) fn to_integers(opcode: Opcode) {
    let signed = opcode == Opcode::FPToSI;
    randomly(3, |random| {
        for width in WIDTHS {
            let target = Scalar::Integer(width);
            for from in FORMATS {
                let a: Vec<u64> = (0..WIDTH)
                    .map(|_| match random.below(3) {
                        0 => random_float(random, from),
                        // Around the limits of the type.
                        1 => float::encode(from, f64::powi(2.0, width as i32 - random.below(2) as i32)).wrapping_sub(1),
                        _ => float::encode(from, -f64::powi(2.0, width as i32 - 1) - random.below(3) as f64 / 2.0),
                    })
                    .map(|bits| bits & low_bits(from.bits()))
                    .collect();
                let mut out = slots(target);
                cast(opcode, Flags::default(), from, target, &[numbers(&a)], &mut out);
                for (lane, &a) in a.iter().enumerate() {
                    let value = float::decode(from, a);
                    let expected = value.is_finite().then(|| fraction(value)).map(|(n, d)| n / d).and_then(|integer| {
                        let modulus = BigInt::from(1) << width;
                        let half = BigInt::from(1) << (width - 1);
                        let (low, high) = if signed { (-&half, half) } else { (BigInt::ZERO, modulus.clone()) };
                        (low <= integer && integer < high).then(|| (integer + &modulus) % modulus)
                    });
                    let expected = expected.map_or(Lane::Poison, |number| {
                        let mut limbs = number.magnitude().to_u64_digits();
                        limbs.resize(target.components(), 0);
                        Lane::Number(limbs)
                    });
                    assert_eq!(lane_of(target, &out, 0, lane), expected, "{opcode:?} {value:e} i{width}");
                }
            }
        }
    });
}

/// Casts random bits between shapes with the same number of them.
pub(crate) fn bits() {
    use Scalar::{Double, Float, Half, Integer};
    let shapes: [&[Scalar]; 13] = [
        &[Integer(128)],
        &[Float; 4],
        &[Double; 2],
        &[Half; 8],
        &[Integer(64); 2],
        &[Integer(32); 4],
        &[Integer(16); 8],
        &[Integer(8); 16],
        &[Integer(1); 128],
        &[Integer(4); 32],
        &[Scalar::Pointer(0); 2],
        &[Scalar::BFloat; 8],
        &[Integer(2); 64],
    ];
    let odd: [&[Scalar]; 4] = [&[Integer(300)], &[Integer(100); 3], &[Integer(60); 5], &[Integer(75); 4]];
    randomly(2, |random| {
        let all = shapes.iter().flat_map(|from| shapes.map(|to| (*from, to)));
        for (from, to) in all.chain(odd.iter().flat_map(|from| odd.map(|to| (*from, to)))) {
            let width: u32 = from.iter().map(|scalar| scalar.bits()).sum();
            let whole = full_wave(|| random_limbs(random, width));
            let open = full_wave(|| random_limbs(random, width));
            let spread = |shape: &[Scalar], lane: usize, limbs: &Vec<Vec<u64>>| -> Vec<u64> {
                let bits = to_bits(&limbs[lane], width as usize);
                let mut start = 0;
                let scalars = shape.iter().flat_map(|scalar| {
                    start += scalar.bits() as usize;
                    to_limbs(&bits[start - scalar.bits() as usize..start].to_vec())
                });
                scalars.collect()
            };
            let mut a = vec![Slot::default(); component_count(from)];
            for lane in 0..WIDTH {
                let (numbers, undefined) = (spread(from, lane, &whole), spread(from, lane, &open));
                for ((slot, number), undefined) in a.iter_mut().zip(numbers).zip(undefined) {
                    slot.bits[lane] = number & !undefined;
                    slot.undefined.get_or_insert_with(|| Box::new([0; WIDTH]))[lane] = undefined;
                }
            }
            // One scalar is poison in one lane each.
            let mut component = 0;
            for (index, scalar) in from.iter().enumerate() {
                a[component..component + scalar.components()]
                    .iter_mut()
                    .for_each(|slot| slot.poison = 1 << (index % 64));
                component += scalar.components();
            }
            let mut out = vec![Slot::splat(3); component_count(to)];
            bitcast(from, to, &a, &mut out);
            for lane in 0..WIDTH {
                let expected: Vec<u64> =
                    spread(to, lane, &whole).iter().zip(spread(to, lane, &open)).map(|(a, b)| a & !b).collect();
                assert_eq!(out.iter().map(|slot| slot.bits[lane]).collect::<Vec<_>>(), expected, "{from:?} {to:?}");
                let undefined: Vec<u64> = out.iter().map(|slot| slot.undefined_bits(lane)).collect();
                assert_eq!(undefined, spread(to, lane, &open), "{from:?} {to:?}");
            }
            let (mut component, mut start) = (0, 0);
            for scalar in to {
                let end = start + scalar.bits();
                let mut place = 0;
                let mut poison = 0;
                for (index, source) in from.iter().enumerate() {
                    if place < end && start < place + source.bits() {
                        poison |= 1u64 << (index % 64);
                    }
                    place += source.bits();
                }
                for slot in &out[component..component + scalar.components()] {
                    assert_eq!(slot.poison, poison, "{from:?} {to:?}");
                }
                (component, start) = (component + scalar.components(), end);
            }
        }
    });
}
