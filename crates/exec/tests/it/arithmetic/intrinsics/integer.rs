//! Intrinsics on integers, against exact integers.

use num_bigint::{BigInt, BigUint, Sign};
use reconverge_exec::value::{Scalar, WIDTH, low_bits};
use reconverge_testing::random::SplitMix64;

use super::known;
use crate::arithmetic::harness::{Lane, WIDTHS, first_lanes, lane_of, random_limbs, randomly, slots, with_lanes};

/// What a lane comes to: a number, to be taken modulo 2^width, and a flag.
enum Expected {
    Number(BigInt),
    WithFlag(BigInt, bool),
    Poison,
    UndefinedBehaviour,
}

use Expected::{Number, Poison, UndefinedBehaviour, WithFlag};

/// Operands of one lane, as unsigned numbers.
struct Operands<'a> {
    width: u32,
    numbers: &'a [BigInt],
    small: u64,
}

impl Operands<'_> {
    fn u(&self, index: usize) -> BigInt {
        self.numbers[index].clone()
    }

    fn s(&self, index: usize) -> BigInt {
        let number = self.u(index);
        if number >= self.half() { number - self.modulus() } else { number }
    }

    fn modulus(&self) -> BigInt {
        BigInt::from(1) << self.width
    }

    fn half(&self) -> BigInt {
        BigInt::from(1) << (self.width - 1)
    }

    fn clamped(&self, number: BigInt, signed: bool) -> BigInt {
        let (low, high) = if signed { (-self.half(), self.half() - 1) } else { (0.into(), self.modulus() - 1) };
        number.clamp(low, high)
    }

    fn flagged(&self, number: BigInt, signed: bool) -> Expected {
        let flag = self.clamped(number.clone(), signed) != number;
        WithFlag(number, flag)
    }

    fn bit(&self, index: usize, bit: u32) -> bool {
        self.numbers[index].bit(bit.into())
    }

    fn made_of(&self, bit: impl Fn(u32) -> bool) -> Expected {
        Number((0..self.width).filter(|&index| bit(index)).map(|index| BigInt::from(1) << index).sum())
    }

    /// The places of set bits.
    fn places(&self) -> Vec<u32> {
        (0..self.width).filter(|&bit| self.bit(0, bit)).collect()
    }

    /// Shifts two numbers next to each other, and takes the upper half.
    fn funnel(&self, left: bool) -> Expected {
        let amount: u32 = (self.u(2) % self.width).try_into().expect("is below the width");
        let both = (self.u(0) << self.width) + self.u(1);
        Number(if left { (both << amount) >> self.width } else { both >> amount })
    }

    fn multiplied(&self, signed: bool, saturate: bool) -> Expected {
        let product = if signed { self.s(0) * self.s(1) } else { self.u(0) * self.u(1) };
        // Shifting to the right is towards −∞.
        let result = product >> self.small;
        Number(if saturate { self.clamped(result, signed) } else { result })
    }

    fn divided(&self, signed: bool, saturate: bool) -> Expected {
        let (a, b) = if signed { (self.s(0), self.s(1)) } else { (self.u(0), self.u(1)) };
        if b == BigInt::ZERO {
            return UndefinedBehaviour;
        }
        let result = (a << self.small) / b;
        Number(if saturate { self.clamped(result, signed) } else { result })
    }

    fn shifted(&self, signed: bool) -> Expected {
        let Ok(amount) = u32::try_from(self.u(1)) else { return Poison };
        if amount >= self.width {
            return Poison;
        }
        Number(self.clamped(if signed { self.s(0) } else { self.u(0) } << amount, signed))
    }
}

struct Case {
    name: &'static str,
    /// How many operands of the type there are, and the width of another one behind them.
    count: usize,
    small: Option<u32>,
    widths: &'static [u32],
    reference: fn(&Operands) -> Expected,
}

const fn any(name: &'static str, count: usize, small: Option<u32>, reference: fn(&Operands) -> Expected) -> Case {
    Case { name, count, small, widths: &WIDTHS, reference }
}

const fn of(width: &'static [u32; 1], name: &'static str, count: usize, reference: fn(&Operands) -> Expected) -> Case {
    Case { name, count, small: None, widths: width, reference }
}

const CASES: &[Case] = &[
    any("abs", 1, Some(1), |x| {
        if x.small == 1 && x.u(0) == x.half() { Poison } else { Number(x.s(0).magnitude().clone().into()) }
    }),
    any("smax", 2, None, |x| Number(x.s(0).max(x.s(1)))),
    any("smin", 2, None, |x| Number(x.s(0).min(x.s(1)))),
    any("umax", 2, None, |x| Number(x.u(0).max(x.u(1)))),
    any("umin", 2, None, |x| Number(x.u(0).min(x.u(1)))),
    any("ctpop", 1, None, |x| Number(x.places().len().into())),
    any("ctlz", 1, Some(1), |x| match x.places().last() {
        None if x.small == 1 => Poison,
        last => Number(last.map_or(x.width, |last| x.width - 1 - last).into()),
    }),
    any("cttz", 1, Some(1), |x| match x.places().first() {
        None if x.small == 1 => Poison,
        first => Number((*first.unwrap_or(&x.width)).into()),
    }),
    Case {
        name: "bswap",
        count: 1,
        small: None,
        widths: &[16, 32, 48, 64, 96, 128, 192, 256],
        reference: |x| x.made_of(|bit| x.bit(0, x.width - 8 - bit / 8 * 8 + bit % 8)),
    },
    any("bitreverse", 1, None, |x| x.made_of(|bit| x.bit(0, x.width - 1 - bit))),
    any("fshl", 3, None, |x| x.funnel(true)),
    any("fshr", 3, None, |x| x.funnel(false)),
    any("sadd.sat", 2, None, |x| Number(x.clamped(x.s(0) + x.s(1), true))),
    any("uadd.sat", 2, None, |x| Number(x.clamped(x.u(0) + x.u(1), false))),
    any("ssub.sat", 2, None, |x| Number(x.clamped(x.s(0) - x.s(1), true))),
    any("usub.sat", 2, None, |x| Number(x.clamped(x.u(0) - x.u(1), false))),
    any("sshl.sat", 2, None, |x| x.shifted(true)),
    any("ushl.sat", 2, None, |x| x.shifted(false)),
    any("smul.fix", 2, Some(32), |x| x.multiplied(true, false)),
    any("umul.fix", 2, Some(32), |x| x.multiplied(false, false)),
    any("smul.fix.sat", 2, Some(32), |x| x.multiplied(true, true)),
    any("umul.fix.sat", 2, Some(32), |x| x.multiplied(false, true)),
    any("sdiv.fix", 2, Some(32), |x| x.divided(true, false)),
    any("udiv.fix", 2, Some(32), |x| x.divided(false, false)),
    any("sdiv.fix.sat", 2, Some(32), |x| x.divided(true, true)),
    any("udiv.fix.sat", 2, Some(32), |x| x.divided(false, true)),
    any("sadd.with.overflow", 2, None, |x| x.flagged(x.s(0) + x.s(1), true)),
    any("uadd.with.overflow", 2, None, |x| x.flagged(x.u(0) + x.u(1), false)),
    any("ssub.with.overflow", 2, None, |x| x.flagged(x.s(0) - x.s(1), true)),
    any("usub.with.overflow", 2, None, |x| x.flagged(x.u(0) - x.u(1), false)),
    any("smul.with.overflow", 2, None, |x| x.flagged(x.s(0) * x.s(1), true)),
    any("umul.with.overflow", 2, None, |x| x.flagged(x.u(0) * x.u(1), false)),
    any("dx.uclamp", 3, None, |x| Number(x.u(0).max(x.u(1)).min(x.u(2)))),
    any("spv.uclamp", 3, None, |x| Number(x.u(0).max(x.u(1)).min(x.u(2)))),
    any("dx.sclamp", 3, None, |x| Number(x.s(0).max(x.s(1)).min(x.s(2)))),
    any("spv.sclamp", 3, None, |x| Number(x.s(0).max(x.s(1)).min(x.s(2)))),
    any("dx.imad", 3, None, |x| Number(x.s(0) * x.s(1) + x.s(2))),
    any("dx.umad", 3, None, |x| Number(x.u(0) * x.u(1) + x.u(2))),
    of(&[32], "amdgcn.alignbit", 3, |x| x.funnel(false)),
    of(&[32], "nvvm.abs.i", 1, |x| Number(x.s(0).magnitude().clone().into())),
    of(&[64], "nvvm.abs.ll", 1, |x| Number(x.s(0).magnitude().clone().into())),
    of(&[32], "nvvm.max.i", 2, |x| Number(x.s(0).max(x.s(1)))),
    of(&[32], "nvvm.max.ui", 2, |x| Number(x.u(0).max(x.u(1)))),
    of(&[64], "nvvm.max.ll", 2, |x| Number(x.s(0).max(x.s(1)))),
    of(&[64], "nvvm.max.ull", 2, |x| Number(x.u(0).max(x.u(1)))),
    of(&[32], "nvvm.min.i", 2, |x| Number(x.s(0).min(x.s(1)))),
    of(&[32], "nvvm.min.ui", 2, |x| Number(x.u(0).min(x.u(1)))),
    of(&[64], "nvvm.min.ll", 2, |x| Number(x.s(0).min(x.s(1)))),
    of(&[64], "nvvm.min.ull", 2, |x| Number(x.u(0).min(x.u(1)))),
    of(&[32], "nvvm.brev32", 1, |x| x.made_of(|bit| x.bit(0, 31 - bit))),
    of(&[64], "nvvm.brev64", 1, |x| x.made_of(|bit| x.bit(0, 63 - bit))),
    of(&[16], "nvvm.mulhi.s", 2, |x| Number((x.s(0) * x.s(1)) >> 16)),
    of(&[16], "nvvm.mulhi.us", 2, |x| Number((x.u(0) * x.u(1)) >> 16)),
    of(&[32], "nvvm.mulhi.i", 2, |x| Number((x.s(0) * x.s(1)) >> 32)),
    of(&[32], "nvvm.mulhi.ui", 2, |x| Number((x.u(0) * x.u(1)) >> 32)),
    of(&[64], "nvvm.mulhi.ll", 2, |x| Number((x.s(0) * x.s(1)) >> 64)),
    of(&[64], "nvvm.mulhi.ull", 2, |x| Number((x.u(0) * x.u(1)) >> 64)),
    of(&[16], "nvvm.sad.s", 3, |x| Number(x.s(0).max(x.s(1)) - x.s(0).min(x.s(1)) + x.u(2))),
    of(&[16], "nvvm.sad.us", 3, |x| Number(x.u(0).max(x.u(1)) - x.u(0).min(x.u(1)) + x.u(2))),
    of(&[32], "nvvm.sad.i", 3, |x| Number(x.s(0).max(x.s(1)) - x.s(0).min(x.s(1)) + x.u(2))),
    of(&[32], "nvvm.sad.ui", 3, |x| Number(x.u(0).max(x.u(1)) - x.u(0).min(x.u(1)) + x.u(2))),
    of(&[64], "nvvm.sad.ll", 3, |x| Number(x.s(0).max(x.s(1)) - x.s(0).min(x.s(1)) + x.u(2))),
    of(&[64], "nvvm.sad.ull", 3, |x| Number(x.u(0).max(x.u(1)) - x.u(0).min(x.u(1)) + x.u(2))),
];

pub(super) fn check(name: &str) -> bool {
    let Some(case) = CASES.iter().find(|case| case.name == name) else { return false };
    if case.widths.len() > 1 && case.widths[0] == 1 {
        exhaustively(case);
    }
    randomly(2, |random| {
        for &width in case.widths {
            let small = case.small.map_or(0, |small| random.next_u64() % u64::from(if small == 1 { 2 } else { width }));
            let lanes: Vec<Vec<Vec<u64>>> = (0..WIDTH).map(|_| operands(random, case, width)).collect();
            compare(case, width, &lanes, small);
        }
    });
    true
}

fn operands(random: &mut SplitMix64, case: &Case, width: u32) -> Vec<Vec<u64>> {
    let mut operands: Vec<Vec<u64>> = (0..case.count).map(|_| random_limbs(random, width)).collect();
    if case.name.contains("shl.sat") && random.percent(80) {
        operands[1].fill(0);
        operands[1][0] = random.next_u64() % u64::from(width);
    }
    operands
}

/// All operands of up to four bits; with three operands, three.
fn exhaustively(case: &Case) {
    for width in 1..=(if case.count == 3 { 3 } else { 4 }) {
        let count = 1u64 << (width * case.count as u32);
        let small = case.small.map_or(1, |small| if small == 1 { 2 } else { u64::from(width) });
        for small in 0..small {
            let all: Vec<Vec<Vec<u64>>> = (0..count)
                .map(|index| {
                    (0..case.count as u32).map(|operand| vec![index >> (operand * width) & low_bits(width)]).collect()
                })
                .collect();
            all.chunks(WIDTH).for_each(|lanes| compare(case, width, lanes, small));
        }
    }
}

fn compare(case: &Case, width: u32, lanes: &[Vec<Vec<u64>>], small: u64) {
    let scalar = Scalar::Integer(width);
    let mut types = vec![vec![scalar]; case.count];
    let mut values: Vec<_> = (0..case.count)
        .map(|operand| with_lanes(scalar, &lanes.iter().map(|lane| lane[operand].clone()).collect::<Vec<_>>()))
        .collect();
    if let Some(bits) = case.small {
        types.push(vec![Scalar::Integer(bits)]);
        values.push(with_lanes(Scalar::Integer(bits), &vec![vec![small]; lanes.len()]));
    }
    let flagged = case.name.ends_with("overflow");
    let result = if flagged { vec![scalar, Scalar::Integer(1)] } else { vec![scalar] };
    let name = case.name;
    let intrinsic = known(&format!("{name}.i{width}"), &result, &types).or_else(|| known(name, &result, &types));
    let intrinsic = intrinsic.unwrap_or_else(|| panic!("{name} is not recognised for i{width}"));
    let mut out = slots(scalar);
    if flagged {
        out.extend(slots(Scalar::Integer(1)));
    }
    let values: Vec<_> = values.iter().map(Vec::as_slice).collect();
    let faults = intrinsic.apply(&values, first_lanes(lanes.len()), &mut out);
    for (lane, operands) in lanes.iter().enumerate() {
        let numbers: Vec<BigInt> = operands.iter().map(|limbs| to_big(limbs)).collect();
        let expected = (case.reference)(&Operands { width, numbers: &numbers, small });
        let context = format!("{name} i{width} {operands:x?} {small}");
        let (number, rest) = out.split_at(scalar.components());
        let got = lane_of(scalar, number, faults, lane);
        let limbs = |number: BigInt| {
            let modulus = BigInt::from(1) << width;
            let number: BigInt = ((number % &modulus) + &modulus) % modulus;
            let mut limbs = number.magnitude().to_u64_digits();
            limbs.resize(scalar.components(), 0);
            Lane::Number(limbs)
        };
        match expected {
            Number(number) => assert_eq!(got, limbs(number), "{context}"),
            WithFlag(number, flag) => {
                assert_eq!(got, limbs(number), "{context}");
                assert_eq!(rest[0].bits[lane], u64::from(flag), "{context}");
            }
            Poison => assert_eq!(got, Lane::Poison, "{context}"),
            UndefinedBehaviour => assert_eq!(got, Lane::UndefinedBehaviour, "{context}"),
        }
    }
}

fn to_big(limbs: &[u64]) -> BigInt {
    let number = limbs.iter().rev().fold(BigUint::ZERO, |number, &limb| (number << 64) + limb);
    BigInt::from_biguint(Sign::Plus, number)
}
