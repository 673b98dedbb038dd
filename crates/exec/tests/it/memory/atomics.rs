//! Atomic accesses, one lane after the other, against plain arithmetic.

use reconverge_exec::memory::{Access, Layout, Memory, Part, Synchronisation, read_modify_write};
use reconverge_exec::value::{Scalar, Slot, lanes_of, low_bits};
use reconverge_ir::opcode::{Ordering, RmwOperation};

use crate::memory::model::{
    WORKGROUP, Wrong, add_local, assert_lane, random_addresses, random_global, random_mask, random_slot, wrong,
};
use crate::memory::random::{Random, rounds};

const INTEGER: [RmwOperation; 15] = [
    RmwOperation::Xchg,
    RmwOperation::Add,
    RmwOperation::Sub,
    RmwOperation::And,
    RmwOperation::Nand,
    RmwOperation::Or,
    RmwOperation::Xor,
    RmwOperation::Max,
    RmwOperation::Min,
    RmwOperation::UMax,
    RmwOperation::UMin,
    RmwOperation::UIncWrap,
    RmwOperation::UDecWrap,
    RmwOperation::USubCond,
    RmwOperation::USubSat,
];

/// The table of the language reference, over integers without bounds.
fn integer(operation: RmwOperation, bits: u32, old: u64, operand: u64) -> u64 {
    let signed = |value: u64| if value >> (bits - 1) & 1 != 0 { i128::from(value) - (1 << bits) } else { value.into() };
    let (x, y) = (i128::from(old), i128::from(operand));
    let result = match operation {
        RmwOperation::Xchg => y,
        RmwOperation::Add => x + y,
        RmwOperation::Sub => x - y,
        RmwOperation::And => x & y,
        RmwOperation::Nand => !(x & y),
        RmwOperation::Or => x | y,
        RmwOperation::Xor => x ^ y,
        RmwOperation::Max => signed(old).max(signed(operand)),
        RmwOperation::Min => signed(old).min(signed(operand)),
        RmwOperation::UMax => x.max(y),
        RmwOperation::UMin => x.min(y),
        RmwOperation::UIncWrap => match x >= y {
            true => 0,
            false => x + 1,
        },
        RmwOperation::UDecWrap => match x == 0 || x > y {
            true => y,
            false => x - 1,
        },
        RmwOperation::USubCond => match x >= y {
            true => x - y,
            false => x,
        },
        RmwOperation::USubSat => (x - y).max(0),
        _ => unreachable!("not an operation on integers"),
    };
    (result & ((1 << bits) - 1)) as u64
}

fn interesting(random: &mut Random, bits: u32) -> u64 {
    let number = match random.below(4) {
        0 => random.next() % 4,
        1 => random.next() | !3,
        2 => (1 << (bits - 1)) + random.next() % 3 - 1,
        _ => random.next(),
    };
    number & low_bits(bits)
}

#[test]
fn integer_operations_are_those_of_the_language() {
    let mut random = Random(1);
    for operation in INTEGER {
        for bits in [8, 16, 32, 64] {
            for _ in 0..2000 {
                let (old, operand) = (interesting(&mut random, bits), interesting(&mut random, bits));
                let found = read_modify_write(operation, Scalar::Integer(bits), old, operand);
                assert_eq!(
                    found,
                    integer(operation, bits, old, operand),
                    "{operation:?} i{bits} {old:#x} {operand:#x}"
                );
            }
        }
    }
}

#[test]
fn floating_point_operations_are_those_of_rust() {
    use RmwOperation::{FAdd, FMax, FMaximum, FMin, FMinimum, FSub};
    let mut random = Random(2);
    let special = [0u64, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x3f80_0000, 0x7f7f_ffff];
    for _ in 0..20_000 {
        let mut number = || if random.percent(40) { random.pick(&special) } else { random.next() & 0xffff_ffff };
        let (old, operand) = (number(), number());
        let (x, y) = (f32::from_bits(old as u32), f32::from_bits(operand as u32));
        let expect = |operation, expected: f32| {
            let found = f32::from_bits(read_modify_write(operation, Scalar::Float, old, operand) as u32);
            let same = found.is_nan() && expected.is_nan() || found.to_bits() == expected.to_bits();
            assert!(same, "{operation:?} {x} {y}: {found} instead of {expected}");
        };
        expect(FAdd, x + y);
        expect(FSub, x - y);
        // Of zeroes Rust may choose either; here they have an order.
        let less = |x: f32, y: f32| x < y || x == y && x.is_sign_negative();
        let (least, most) = if less(x, y) { (x, y) } else { (y, x) };
        let number = |if_numbers| match (x.is_nan(), y.is_nan()) {
            (true, _) => y,
            (_, true) => x,
            _ => if_numbers,
        };
        let nan = |if_numbers| if x.is_nan() || y.is_nan() { f32::NAN } else { if_numbers };
        expect(FMax, number(most));
        expect(FMin, number(least));
        expect(FMaximum, nan(most));
        expect(FMinimum, nan(least));
        let (x, y) = (f64::from(x) * 1e99, f64::from(y));
        let found = read_modify_write(FAdd, Scalar::Double, x.to_bits(), y.to_bits());
        assert!((x + y).is_nan() || found == (x + y).to_bits());
    }
}

/// The value of a number with so many bits of exponent and fraction, as a multiple of 2⁻¹⁵⁰; `None` if it is not finite.
fn exact(bits: u64, exponent_bits: u32, fraction_bits: u32) -> Option<f64> {
    let exponent = bits >> fraction_bits & low_bits(exponent_bits);
    let fraction = (bits & low_bits(fraction_bits)) as f64;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let scale = f64::powi(2.0, exponent.max(1) as i32 - bias - fraction_bits as i32);
    let hidden = if exponent == 0 { 0.0 } else { f64::powi(2.0, fraction_bits as i32) };
    let sign = if bits >> (exponent_bits + fraction_bits) & 1 != 0 { -1.0 } else { 1.0 };
    (exponent != low_bits(exponent_bits)).then_some(sign * scale * (fraction + hidden))
}

#[test]
fn sums_of_half_and_bfloat_are_the_nearest_numbers() {
    let mut random = Random(3);
    for (scalar, exponent_bits, fraction_bits) in [(Scalar::Half, 5, 10), (Scalar::BFloat, 8, 7)] {
        let value = |bits| exact(bits, exponent_bits, fraction_bits);
        let infinity = low_bits(exponent_bits) << fraction_bits;
        let positive: Vec<f64> = (0..infinity).map(|bits| value(bits).expect("finite")).collect();
        let mut compared = 0;
        while compared < 20_000 {
            let (old, operand) = (random.next() & 0xffff, random.next() & 0xffff);
            let (Some(x), Some(y)) = (value(old), value(operand)) else { continue };
            let sum = x + y;
            // Only sums that binary64 holds exactly say what is nearest.
            if sum - x != y || sum - y != x {
                continue;
            }
            compared += 1;
            let found = read_modify_write(RmwOperation::FAdd, scalar, old, operand);
            // The first number that is not less, and the one before it.
            let upper = positive.partition_point(|&number| number < sum.abs());
            let step = positive[positive.len() - 1] - positive[positive.len() - 2];
            let at = |index: usize| positive.get(index).copied().unwrap_or(positive[positive.len() - 1] + step);
            let nearest = if upper == 0 {
                0
            } else {
                let (below, above) = (sum.abs() - at(upper - 1), at(upper) - sum.abs());
                let even = if upper % 2 == 0 { upper } else { upper - 1 };
                if below < above {
                    upper - 1
                } else if above < below {
                    upper
                } else {
                    even
                }
            };
            let sign = u64::from(sum.is_sign_negative()) << (exponent_bits + fraction_bits);
            assert_eq!(found, sign | nearest as u64, "{scalar:?} {old:#x} + {operand:#x}");
        }
    }
}

#[test]
fn atomic_accesses_go_one_after_the_other() {
    rounds(60, |seed| {
        let mut random = Random(seed);
        let (global, mut model) = random_global(&mut random);
        let mut memory = Memory::new(&global, &WORKGROUP);
        add_local(&mut random, &mut memory, &mut model);
        for _ in 0..100 {
            let wave = random.below(2);
            let mask = random_mask(&mut random, wave);
            // Two halves of a word, too.
            let (bits, count) = random.pick(&[(8u32, 1u64), (16, 1), (32, 1), (64, 1), (16, 2)]);
            let part = |component| Part {
                component: component as usize,
                offset: component * u64::from(bits / 8),
                bits,
                pointer: false,
            };
            let layout = Layout::new((0..count).map(part).collect(), 1);
            let address = random_addresses(&mut random, &model, wave, layout.extent());
            let access = Access::atomic(1, random.pick(&[Ordering::Monotonic, Ordering::AcqRel]));
            let mut out = vec![random_slot(&mut random, 64), random_slot(&mut random, 64)];
            let mut expected = Wrong::new();
            if count == 2 || random.percent(60) {
                let operation = random.pick(&INTEGER);
                let operands: Vec<Slot> = (0..count).map(|_| random_slot(&mut random, bits)).collect();
                let scalar = Scalar::Integer(bits);
                let faults =
                    memory.atomic_rmw(wave, operation, scalar, &layout, &address, &operands, mask, access, &mut out);
                for lane in lanes_of(mask) {
                    let place = match model.find(wave, lane, address.bits[lane], layout.extent(), true) {
                        Ok(place) => place,
                        Err(name) => {
                            *expected.entry(name).or_default() |= 1 << lane;
                            out[..count as usize]
                                .iter()
                                .for_each(|slot| assert_lane(slot, lane, (0, 0, false), "refused"));
                            continue;
                        }
                    };
                    for part in layout.parts() {
                        let (old, undefined, poison, unwritten) = model.load(place, part);
                        assert_lane(&out[part.component], lane, (old, undefined, poison), "found by atomicrmw");
                        if unwritten {
                            *expected.entry("uninitialised").or_default() |= 1 << lane;
                        }
                        let operand = &operands[part.component];
                        let operand_poison = operand.poison >> lane & 1 != 0;
                        let mut new = Slot::splat(integer(operation, bits, old, operand.bits[lane]));
                        if operation == RmwOperation::Xchg {
                            new = operand.clone();
                        } else if poison || operand_poison {
                            new.poison = u64::MAX;
                        } else if undefined | operand.undefined_bits(lane) != 0 {
                            new.undefined = Some(Box::new([low_bits(bits); 64]));
                        }
                        model.store(place, part, &new, lane);
                    }
                }
                assert_eq!(wrong(&faults), expected, "faults of atomicrmw");
            } else {
                let wanted = match random.percent(50) {
                    true => Slot::splat(0),
                    false => random_slot(&mut random, bits),
                };
                let new = random_slot(&mut random, bits);
                let failure = Synchronisation::of(Ordering::Monotonic);
                let mut replaced = Slot::default();
                let faults = memory.compare_exchange(
                    wave,
                    &layout,
                    &address,
                    &wanted,
                    &new,
                    mask,
                    access,
                    failure,
                    &mut out[0],
                    &mut replaced,
                );
                let part = &layout.parts()[0];
                for lane in lanes_of(mask) {
                    let place = match model.find(wave, lane, address.bits[lane], layout.extent(), true) {
                        Ok(place) => place,
                        Err(name) => {
                            *expected.entry(name).or_default() |= 1 << lane;
                            assert_lane(&out[0], lane, (0, 0, false), "refused");
                            continue;
                        }
                    };
                    let (old, undefined, poison, unwritten) = model.load(place, part);
                    assert_lane(&out[0], lane, (old, undefined, poison), "found by cmpxchg");
                    if unwritten {
                        *expected.entry("uninitialised").or_default() |= 1 << lane;
                    }
                    let poison = poison || wanted.poison >> lane & 1 != 0;
                    let known = !poison && undefined | wanted.undefined_bits(lane) == 0;
                    let equal = known && old == wanted.bits[lane];
                    let answer = (u64::from(equal), u64::from(!known), poison);
                    assert_lane(&replaced, lane, answer, "whether cmpxchg replaced");
                    if equal {
                        model.store(place, part, &new, lane);
                    }
                }
                assert_eq!(wrong(&faults), expected, "faults of cmpxchg");
            }
        }
    });
}
