//! Operands, in slots and out of them.

use reconverge_exec::value::{Mask, Scalar, Slot, WIDTH, low_bits};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::arithmetic::bits::Bits;

/// Runs a test with random numbers, more often if asked to.
pub(crate) fn randomly(rounds: u64, test: impl Fn(&mut SplitMix64)) {
    for seed in seeds(rounds) {
        let announced = Announce(seed);
        test(&mut SplitMix64::new(seed));
        std::mem::forget(announced);
    }
}

/// Prints a seed when a test panics with it.
struct Announce(u64);

impl Drop for Announce {
    fn drop(&mut self) {
        eprintln!("RECONVERGE_SEED={}", self.0);
    }
}

/// One operand or result: the components of a scalar.
pub(crate) fn slots(scalar: Scalar) -> Vec<Slot> {
    vec![Slot::default(); scalar.components()]
}

/// A scalar with a number for each lane, as limbs of 64 bits.
pub(crate) fn with_lanes(scalar: Scalar, lanes: &[Vec<u64>]) -> Vec<Slot> {
    let mut slots = slots(scalar);
    for (lane, limbs) in lanes.iter().enumerate() {
        slots.iter_mut().zip(limbs).for_each(|(slot, &limb)| slot.bits[lane] = limb);
    }
    slots
}

/// A scalar of at most 64 bits with a number for each lane.
pub(crate) fn numbers(lanes: &[u64]) -> Slot {
    let mut slot = Slot::default();
    slot.bits[..lanes.len()].copy_from_slice(lanes);
    slot
}

/// The lanes that a test uses.
pub(crate) fn first_lanes(count: usize) -> Mask {
    low_bits(count as u32)
}

/// The limbs of bits.
pub(crate) fn to_limbs(bits: &Bits) -> Vec<u64> {
    bits.chunks(64).map(|chunk| chunk.iter().rev().fold(0, |limb, &bit| limb << 1 | u64::from(bit))).collect()
}

pub(crate) fn to_bits(limbs: &[u64], width: usize) -> Bits {
    (0..width).map(|bit| limbs[bit / 64] >> (bit % 64) & 1 != 0).collect()
}

/// What a lane of a result is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lane {
    Number(Vec<u64>),
    Poison,
    UndefinedBehaviour,
}

/// What a lane holds. Fails if its components are not poison together or have bits that the type has not.
pub(crate) fn lane_of(scalar: Scalar, slots: &[Slot], faults: Mask, lane: usize) -> Lane {
    assert_eq!(slots.len(), scalar.components());
    if faults >> lane & 1 != 0 {
        return Lane::UndefinedBehaviour;
    }
    let poison = slots[0].poison >> lane & 1;
    assert!(slots.iter().all(|slot| slot.poison >> lane & 1 == poison), "components are poison together");
    assert!(slots.iter().all(|slot| slot.undefined_bits(lane) == 0), "nothing is undef here");
    if poison != 0 {
        return Lane::Poison;
    }
    for (index, slot) in (0..).zip(slots) {
        assert_eq!(slot.bits[lane] & !low_bits(scalar.bits() - 64 * index), 0, "bits above the type are zero");
    }
    Lane::Number(slots.iter().map(|slot| slot.bits[lane]).collect())
}

/// An integer with many zeroes or ones in a row more often than not, so that carries and extremes occur.
pub(crate) fn random_limbs(random: &mut SplitMix64, width: u32) -> Vec<u64> {
    let mut limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.next_u64()).collect();
    match random.below(8) {
        0 => limbs.fill(0),
        1 => limbs.fill(u64::MAX),
        2 => {
            limbs.fill(0);
            limbs[(width as usize - 1) / 64] = 1 << ((width - 1) % 64);
        }
        3 => {
            let small = random.next_u64() % (2 * u64::from(width));
            limbs.fill(0);
            limbs[0] = small;
        }
        4 => {
            let cut = random.below(width as usize);
            for bit in cut..width as usize {
                limbs[bit / 64] &= !(1 << (bit % 64));
            }
        }
        _ => {}
    }
    if let Some(top) = limbs.last_mut() {
        *top &= low_bits(width - (width - 1) / 64 * 64);
    }
    limbs
}

/// Widths around the limits of the representations.
pub(crate) const WIDTHS: [u32; 22] =
    [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 192, 200, 256, 300];

/// As many numbers as there are lanes.
pub(crate) fn full_wave(mut number: impl FnMut() -> Vec<u64>) -> Vec<Vec<u64>> {
    (0..WIDTH).map(|_| number()).collect()
}

/// A random number of a floating-point format: any bits, or one of moderate size, or a special one.
pub(crate) fn random_float(random: &mut SplitMix64, scalar: Scalar) -> u64 {
    use reconverge_exec::arithmetic::float::{encode, infinity};
    let mask = low_bits(scalar.bits());
    let sign = (random.next_u64() & 1) << (scalar.bits() - 1);
    match random.below(8) {
        0..3 => random.next_u64() & mask,
        3 => sign | random.next_u64() & 7,
        4 => sign | (infinity(scalar) - 4 + random.next_u64() % 8),
        5 => sign | encode(scalar, random.below(20) as f64 / 4.0),
        _ => sign | encode(scalar, (random.next_u64() >> 11) as f64 / f64::powi(2.0, 40 + random.below(20) as i32)),
    }
}

pub(crate) const FORMATS: [Scalar; 4] = [Scalar::Half, Scalar::BFloat, Scalar::Float, Scalar::Double];
