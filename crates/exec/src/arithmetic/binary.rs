//! Instructions with two operands and a result of one type, and `fneg`.
//!
//! Integers of up to 64 bits have one loop for each of the frequent instructions; the flags `nuw` and `nsw` are looked at in
//! a second one, which seldom has anything to say. All others are computed one lane at a time.

use reconverge_ir::opcode::{Flags, Opcode};

use crate::value::{Lanes, Mask, Scalar, Slot, lanes_of, low_bits};

use super::float::{decode, encode, fast_math_poison, sign_bit};
use super::integer::{Integer, with_width};
use super::lanes::{
    load, load_undefined, map, poison, set_poison, set_undefined, set_undefined_bits, store, undefined, violations, zip,
};

/// What an instruction comes to in a lane if it has no result.
enum Failure {
    Poison,
    UndefinedBehaviour,
}

/// Computes a binary instruction ([`Opcode::is_binary`]) on scalars of one type, each with
/// [`components`](Scalar::components) slots. The answer is the active lanes with immediate undefined behaviour: a divisor
/// that is zero, poison, or may be zero, or a signed quotient that is out of range.
pub fn binary(
    opcode: Opcode,
    flags: Flags,
    scalar: Scalar,
    a: &[Slot],
    b: &[Slot],
    active: Mask,
    out: &mut [Slot],
) -> Mask {
    if scalar.is_float() {
        float_binary(opcode, flags, scalar, &a[0], &b[0], &mut out[0]);
        return 0;
    }
    let (mut faults, width) = (0, scalar.bits());
    let open = undefined(a) | undefined(b);
    set_poison(out, poison(a) | poison(b));
    match (opcode, width) {
        (Opcode::And | Opcode::Or | Opcode::Xor, _) => {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                bitwise(opcode, &a.bits, &b.bits, &mut out.bits);
            }
            if flags.contains(Flags::DISJOINT) {
                let common = |mask, (a, b): (&Slot, &Slot)| mask | violations(&a.bits, &b.bits, |a, b| a & b);
                let common = a.iter().zip(b).fold(0, common);
                out.iter_mut().for_each(|slot| slot.poison |= common);
            }
        }
        (Opcode::Add | Opcode::Sub | Opcode::Mul, ..=64) => {
            out[0].poison |= ring(opcode, flags, width, &a[0].bits, &b[0].bits, &mut out[0].bits) & !open;
        }
        (Opcode::Shl | Opcode::LShr | Opcode::AShr, ..=64) => {
            out[0].poison |= shift(opcode, flags, width, &a[0].bits, &b[0].bits, &mut out[0].bits) & !open;
        }
        (Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem, ..=64)
            if flags.is_empty() && open | out[0].poison == 0 =>
        {
            faults = active & divide(opcode, width, &a[0].bits, &b[0].bits, &mut out[0].bits);
        }
        _ => faults = with_width!(width, I => lane_by_lane::<I>(opcode, flags, width, a, b, active, out)),
    }
    if open != 0 {
        spread_undefined(opcode, width, a, b, open, out);
    }
    faults
}

/// `fneg`: the sign bit inverted, also of a NaN.
pub fn fneg(flags: Flags, scalar: Scalar, a: &Slot, out: &mut Slot) {
    let sign = sign_bit(scalar);
    map(&mut out.bits, &a.bits, |a| a ^ sign);
    finish_float(flags, scalar, &[a], scalar, out);
}

fn bitwise(opcode: Opcode, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    match opcode {
        Opcode::And => zip(out, a, b, |a, b| a & b),
        Opcode::Or => zip(out, a, b, |a, b| a | b),
        _ => zip(out, a, b, |a, b| a ^ b),
    }
}

/// Addition, subtraction and multiplication. The answer is the lanes that the flags make poison.
fn ring(opcode: Opcode, flags: Flags, width: u32, a: &Lanes, b: &Lanes, out: &mut Lanes) -> Mask {
    let (mask, top) = (low_bits(width), width - 1);
    match opcode {
        Opcode::Add => zip(out, a, b, |a, b| a.wrapping_add(b) & mask),
        Opcode::Sub => zip(out, a, b, |a, b| a.wrapping_sub(b) & mask),
        // Known to fit 32 bits, which is one instruction for two lanes.
        _ if width <= 32 => zip(out, a, b, |a, b| (u64::from(a as u32) * u64::from(b as u32)) & mask),
        _ => zip(out, a, b, |a, b| a.wrapping_mul(b) & mask),
    }
    let mut poison = 0;
    // Carries and borrows out of the top bit.
    if flags.contains(Flags::NUW) {
        poison |= match opcode {
            Opcode::Add => violations(a, b, |a, b| (a & b | (a | b) & !a.wrapping_add(b)) >> top & 1),
            Opcode::Sub => violations(a, b, |a, b| (!a & b | (!a | b) & a.wrapping_sub(b)) >> top & 1),
            _ if width <= 32 => violations(a, b, |a, b| (u64::from(a as u32) * u64::from(b as u32)) >> width),
            _ => violations(a, b, |a, b| ((u128::from(a) * u128::from(b)) >> width) as u64),
        };
    }
    if flags.contains(Flags::NSW) {
        let above = 64 - width;
        let signed = |a: u64| (a << above) as i64 >> above;
        poison |= match opcode {
            Opcode::Add => violations(a, b, |a, b| (a ^ a.wrapping_add(b)) & (b ^ a.wrapping_add(b)) & 1 << top),
            Opcode::Sub => violations(a, b, |a, b| (a ^ b) & (a ^ a.wrapping_sub(b)) & 1 << top),
            _ if width <= 32 => violations(a, b, |a, b| {
                let product = signed(a) * signed(b);
                (product ^ signed(product as u64)) as u64
            }),
            _ => violations(a, b, |a, b| {
                let product = i128::from(signed(a)) * i128::from(signed(b));
                u64::from(product != i128::from(signed(product as u64)))
            }),
        };
    }
    poison
}

/// Shifts. The answer is the lanes with an amount that is not below the width, and those that the flags make poison.
fn shift(opcode: Opcode, flags: Flags, width: u32, a: &Lanes, b: &Lanes, out: &mut Lanes) -> Mask {
    let (mask, above) = (low_bits(width), 64 - width);
    let signed = |a: u64| (a << above) as i64 >> above;
    let amount = b[0];
    if amount < u64::from(width) && b.iter().fold(0, |any, &b| any | (b ^ amount)) == 0 {
        // One amount for all lanes, mostly a constant, is one instruction for two lanes.
        match opcode {
            Opcode::Shl => map(out, a, |a| a << amount & mask),
            Opcode::LShr => map(out, a, |a| a >> amount),
            _ => {
                // The sign bit, inverted, is subtracted from where it has gone: that fills what is above it.
                let sign = 1u64 << (width - 1);
                map(out, a, |a| ((a ^ sign) >> amount).wrapping_sub(sign >> amount) & mask);
            }
        }
        if flags.is_empty() {
            return 0;
        }
        let mut poison = 0;
        if flags.contains(Flags::NUW) {
            poison |= violations(a, a, |a, _| a & !(mask >> amount));
        }
        if flags.contains(Flags::NSW) {
            // All bits that go, and the one that becomes the sign, are like the sign.
            let changes = mask & !(mask >> amount >> 1);
            poison |= violations(a, a, |a, _| {
                let kept = a & changes;
                kept.min(kept ^ changes)
            });
        }
        if flags.contains(Flags::EXACT) {
            poison |= violations(a, a, |a, _| a & low_bits(amount as u32));
        }
        return poison;
    }
    match opcode {
        Opcode::Shl => zip(out, a, b, |a, b| a << (b & 63) & mask),
        Opcode::LShr => zip(out, a, b, |a, b| a >> (b & 63)),
        _ => zip(out, a, b, |a, b| (signed(a) >> (b & 63)) as u64 & mask),
    }
    let mut poison = violations(b, b, |b, _| u64::from(b >= u64::from(width)));
    // A promise is kept if shifting back restores the operand.
    if flags.contains(Flags::NUW) {
        poison |= violations(a, b, |a, b| (a << (b & 63) & mask) >> (b & 63) ^ a);
    }
    if flags.contains(Flags::NSW) {
        poison |= violations(a, b, |a, b| (signed(a << (b & 63)) >> (b & 63) ^ signed(a)) as u64);
    }
    if flags.contains(Flags::EXACT) {
        poison |= violations(a, b, |a, b| a >> (b & 63) << (b & 63) ^ a);
    }
    poison
}

/// Divisions. The answer is the lanes with undefined behaviour.
fn divide(opcode: Opcode, width: u32, a: &Lanes, b: &Lanes, out: &mut Lanes) -> Mask {
    let (mask, above) = (low_bits(width), 64 - width);
    let signed = |a: u64| (a << above) as i64 >> above;
    let smallest = 1u64 << (width - 1);
    let divisor = |b: u64| b | u64::from(b & mask == 0);
    match (opcode, width) {
        (Opcode::UDiv, ..=32) => zip(out, a, b, |a, b| u64::from(a as u32 / divisor(b) as u32)),
        (Opcode::URem, ..=32) => zip(out, a, b, |a, b| u64::from(a as u32 % divisor(b) as u32)),
        (Opcode::UDiv, _) => zip(out, a, b, |a, b| a / divisor(b)),
        (Opcode::URem, _) => zip(out, a, b, |a, b| a % divisor(b)),
        (Opcode::SDiv, ..=32) => {
            zip(out, a, b, |a, b| (signed(a) as i32).wrapping_div(signed(divisor(b)) as i32) as u64 & mask)
        }
        (_, ..=32) => zip(out, a, b, |a, b| (signed(a) as i32).wrapping_rem(signed(divisor(b)) as i32) as u64 & mask),
        (Opcode::SDiv, _) => zip(out, a, b, |a, b| signed(a).wrapping_div(signed(divisor(b))) as u64 & mask),
        _ => zip(out, a, b, |a, b| signed(a).wrapping_rem(signed(divisor(b))) as u64 & mask),
    }
    let zeroes = violations(b, b, |b, _| u64::from(b == 0));
    match opcode {
        Opcode::SDiv | Opcode::SRem => zeroes | violations(a, b, |a, b| u64::from(a == smallest && b == mask)),
        _ => zeroes,
    }
}

fn lane_by_lane<I: Integer>(
    opcode: Opcode,
    flags: Flags,
    width: u32,
    a: &[Slot],
    b: &[Slot],
    active: Mask,
    out: &mut [Slot],
) -> Mask {
    let mut faults = 0;
    let divides = matches!(opcode, Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
    let (poison_dividend, poison_divisor) = (poison(a), poison(b));
    let undefined = undefined(a) | undefined(b);
    for lane in lanes_of(active) {
        let (x, y): (I, I) = (load(a, width, lane), load(b, width, lane));
        let bit = 1 << lane;
        if divides && (poison_dividend | poison_divisor | undefined) & bit != 0 {
            let may_be = |slots, known: &I, number: I| {
                let open = load_undefined::<I>(slots, width, lane).not();
                known.xor(&number).and(&open).is_zero()
            };
            let overflows = matches!(opcode, Opcode::SDiv | Opcode::SRem)
                && may_be(b, &y, I::ones(width))
                && (poison_dividend & bit != 0 || may_be(a, &x, I::signed_min(width)));
            if poison_divisor & bit != 0 || may_be(b, &y, I::small(width, 0)) || overflows {
                faults |= bit;
            }
            continue;
        }
        match integer(opcode, flags, &x, &y) {
            Ok(number) => store(out, lane, &number),
            Err(Failure::Poison) => out.iter_mut().for_each(|slot| slot.poison |= bit),
            Err(Failure::UndefinedBehaviour) => faults |= bit,
        }
    }
    faults
}

/// An integer instruction other than a bitwise one, on operands that are wholly defined.
fn integer<I: Integer>(opcode: Opcode, flags: Flags, a: &I, b: &I) -> Result<I, Failure> {
    let width = a.width();
    let (nuw, nsw, exact) = (flags.contains(Flags::NUW), flags.contains(Flags::NSW), flags.contains(Flags::EXACT));
    let unless = |poison, number| if poison { Err(Failure::Poison) } else { Ok(number) };
    match opcode {
        Opcode::Add => unless(nuw && a.add_carries(b) || nsw && a.add_overflows(b), a.add(b)),
        Opcode::Sub => unless(nuw && a.sub_borrows(b) || nsw && a.sub_overflows(b), a.sub(b)),
        Opcode::Mul => unless(nuw && a.mul_carries(b) || nsw && a.mul_overflows(b), a.mul(b)),
        Opcode::Shl => {
            let amount = b.below(width).ok_or(Failure::Poison)?;
            let shifted = a.shl(amount);
            unless(nuw && shifted.lshr(amount) != *a || nsw && shifted.ashr(amount) != *a, shifted)
        }
        Opcode::LShr | Opcode::AShr => {
            let amount = b.below(width).ok_or(Failure::Poison)?;
            let shifted = if opcode == Opcode::LShr { a.lshr(amount) } else { a.ashr(amount) };
            unless(exact && shifted.shl(amount) != *a, shifted)
        }
        Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem if b.is_zero() => Err(Failure::UndefinedBehaviour),
        Opcode::SDiv | Opcode::SRem if *a == I::signed_min(width) && *b == I::ones(width) => {
            Err(Failure::UndefinedBehaviour)
        }
        Opcode::UDiv | Opcode::URem => {
            let (quotient, remainder) = a.divide(b);
            let inexact = exact && !remainder.is_zero();
            unless(inexact, if opcode == Opcode::UDiv { quotient } else { remainder })
        }
        Opcode::SDiv | Opcode::SRem => {
            let (quotient, remainder) = a.divide_signed(b);
            let inexact = exact && !remainder.is_zero();
            unless(inexact, if opcode == Opcode::SDiv { quotient } else { remainder })
        }
        _ => unreachable!("{} is not arithmetic of integers", opcode.keyword()),
    }
}

/// Says which bits of a result are `undef`, for lanes in which operands have such bits.
fn spread_undefined(opcode: Opcode, width: u32, a: &[Slot], b: &[Slot], lanes: Mask, out: &mut [Slot]) {
    match opcode {
        Opcode::And | Opcode::Or | Opcode::Xor => {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                // A bit that decides the result alone does so whatever the other one is.
                let defined = |lane| {
                    let (open, x, y) = (a.undefined_bits(lane) | b.undefined_bits(lane), a.bits[lane], b.bits[lane]);
                    match opcode {
                        Opcode::And => open & (x | a.undefined_bits(lane)) & (y | b.undefined_bits(lane)),
                        Opcode::Or => open & !(x | y),
                        _ => open,
                    }
                };
                set_undefined_bits(out, lanes, defined);
            }
        }
        Opcode::Shl | Opcode::LShr | Opcode::AShr => {
            let amount_open = undefined(b);
            set_undefined(out, width, lanes & amount_open);
            with_width!(width, I => for lane in lanes_of(lanes & !amount_open) {
                let open: I = load_undefined(a, width, lane);
                let Some(amount) = load::<I>(b, width, lane).below(width) else { continue };
                let open = match opcode {
                    Opcode::Shl => open.shl(amount),
                    Opcode::LShr => open.lshr(amount),
                    _ => open.ashr(amount),
                };
                for (slot, open) in out.iter_mut().zip(open.limbs()) {
                    set_undefined_bits(slot, 1 << lane, |_| open);
                }
            });
        }
        _ => set_undefined(out, width, lanes),
    }
}

/// Says which lanes of a floating-point result are poison and which `undef`; its numbers are there.
pub(super) fn finish_float(flags: Flags, from: Scalar, operands: &[&Slot], to: Scalar, out: &mut Slot) {
    let out = std::slice::from_mut(out);
    set_poison(out, operands.iter().fold(0, |mask, operand| mask | operand.poison));
    let open = operands.iter().fold(0, |mask, operand| mask | operand.undefined_lanes());
    let broken = fast_math_poison(flags, from, operands) | fast_math_poison(flags, to, &[&out[0]]);
    out[0].poison |= broken & !open;
    set_undefined(out, to.bits(), open);
}

fn float_binary(opcode: Opcode, flags: Flags, scalar: Scalar, a: &Slot, b: &Slot, out: &mut Slot) {
    match scalar {
        Scalar::Float => {
            let load = |bits: u64| f32::from_bits(bits as u32);
            let store = |value: f32| u64::from(value.to_bits());
            match opcode {
                Opcode::FAdd => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) + load(b))),
                Opcode::FSub => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) - load(b))),
                Opcode::FMul => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) * load(b))),
                Opcode::FDiv => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) / load(b))),
                _ => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) % load(b))),
            }
        }
        Scalar::Double => through_double(opcode, a, b, out, f64::from_bits, f64::to_bits),
        Scalar::Half => {
            through_double(opcode, a, b, out, |bits| decode(Scalar::Half, bits), |value| encode(Scalar::Half, value))
        }
        _ => through_double(
            opcode,
            a,
            b,
            out,
            |bits| decode(Scalar::BFloat, bits),
            |value| encode(Scalar::BFloat, value),
        ),
    }
    finish_float(flags, scalar, &[a, b], scalar, out);
}

#[inline(always)]
fn through_double(
    opcode: Opcode,
    a: &Slot,
    b: &Slot,
    out: &mut Slot,
    load: impl Fn(u64) -> f64,
    store: impl Fn(f64) -> u64,
) {
    match opcode {
        Opcode::FAdd => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) + load(b))),
        Opcode::FSub => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) - load(b))),
        Opcode::FMul => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) * load(b))),
        Opcode::FDiv => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) / load(b))),
        _ => zip(&mut out.bits, &a.bits, &b.bits, |a, b| store(load(a) % load(b))),
    }
}
