use std::slice::from_ref;

use reconverge_exec::arithmetic::binary;
use reconverge_exec::value::{Mask, Scalar, Slot, WIDTH};
use reconverge_ir::opcode::{Flags, Opcode};

use crate::arithmetic::bits::{self, Bits};
use crate::arithmetic::harness::{
    Lane, WIDTHS, first_lanes, full_wave, lane_of, numbers, random_limbs, randomly, to_bits, to_limbs, with_lanes,
};

pub(crate) const INTEGER: [Opcode; 13] = [
    Opcode::Add,
    Opcode::Sub,
    Opcode::Mul,
    Opcode::UDiv,
    Opcode::SDiv,
    Opcode::URem,
    Opcode::SRem,
    Opcode::Shl,
    Opcode::LShr,
    Opcode::AShr,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
];

/// The sets of flags that an instruction may have.
fn flag_sets(opcode: Opcode) -> Vec<Flags> {
    let of = |flags: &[Flags]| {
        let mut set = Flags::default();
        flags.iter().for_each(|&flag| set.insert(flag));
        set
    };
    match opcode {
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            vec![of(&[]), Flags::NUW, Flags::NSW, of(&[Flags::NUW, Flags::NSW])]
        }
        Opcode::UDiv | Opcode::SDiv | Opcode::LShr | Opcode::AShr => vec![of(&[]), Flags::EXACT],
        Opcode::Or => vec![of(&[]), Flags::DISJOINT],
        _ => vec![of(&[])],
    }
}

/// The definition, on integers that hold any result.
fn by_value(opcode: Opcode, flags: Flags, width: u32, a: u64, b: u64) -> Lane {
    let signed = |x: u64| i128::from(x) - if x >> (width - 1) & 1 != 0 { 1 << width } else { 0 };
    let (ua, ub, sa, sb) = (i128::from(a), i128::from(b), signed(a), signed(b));
    let modulus = 1i128 << width;
    let has = |flag| flags.contains(flag);
    let wrap = |unsigned: i128, signed: i128| {
        let fits_unsigned = (0..modulus).contains(&unsigned);
        let fits_signed = (-modulus / 2..modulus / 2).contains(&signed);
        if has(Flags::NUW) && !fits_unsigned || has(Flags::NSW) && !fits_signed {
            Lane::Poison
        } else {
            Lane::Number(vec![unsigned.rem_euclid(modulus) as u64])
        }
    };
    let exact = |inexact: bool, value: i128| {
        if has(Flags::EXACT) && inexact { Lane::Poison } else { Lane::Number(vec![value.rem_euclid(modulus) as u64]) }
    };
    let overlong = ub >= i128::from(width);
    match opcode {
        Opcode::Add => wrap(ua + ub, sa + sb),
        Opcode::Sub => wrap(ua - ub, sa - sb),
        Opcode::Mul => wrap(ua * ub, sa * sb),
        Opcode::Shl | Opcode::LShr | Opcode::AShr if overlong => Lane::Poison,
        Opcode::Shl => wrap(ua << ub, sa << ub),
        Opcode::LShr => exact(ua % (1 << ub) != 0, ua >> ub),
        Opcode::AShr => exact(ua % (1 << ub) != 0, sa >> ub),
        Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem if b == 0 => Lane::UndefinedBehaviour,
        Opcode::SDiv | Opcode::SRem if sa == -modulus / 2 && sb == -1 => Lane::UndefinedBehaviour,
        Opcode::UDiv => exact(ua % ub != 0, ua / ub),
        Opcode::URem => exact(false, ua % ub),
        Opcode::SDiv => exact(sa % sb != 0, sa / sb),
        Opcode::SRem => exact(false, sa % sb),
        Opcode::And => exact(false, ua & ub),
        Opcode::Or if has(Flags::DISJOINT) && ua & ub != 0 => Lane::Poison,
        Opcode::Or => exact(false, ua | ub),
        _ => exact(false, ua ^ ub),
    }
}

/// The definition, bit by bit.
fn by_bits(opcode: Opcode, flags: Flags, a: &Bits, b: &Bits) -> Lane {
    let width = a.len();
    let has = |flag| flags.contains(flag);
    // The result in twice the width is what it would be in any width.
    let wide = |f: &dyn Fn(&Bits, &Bits) -> Bits| {
        let full = |signed| f(&bits::extend(a, 2 * width, signed), &bits::extend(b, 2 * width, signed));
        let result = full(false)[..width].to_vec();
        let fits = |signed| bits::extend(&result, 2 * width, signed) == full(signed);
        let poison = has(Flags::NUW) && !fits(false) || has(Flags::NSW) && !fits(true);
        if poison { Lane::Poison } else { Lane::Number(to_limbs(&result)) }
    };
    let exact = |inexact: bool, result: &Bits| {
        if has(Flags::EXACT) && inexact { Lane::Poison } else { Lane::Number(to_limbs(result)) }
    };
    let bitwise = |f: fn(bool, bool) -> bool| exact(false, &a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect());
    let absolute = |x: &Bits| if bits::negative(x) { bits::neg(x) } else { x.clone() };
    let negate = |x: &Bits, negative| if negative { bits::neg(x) } else { x.clone() };
    let minimum = |x: &Bits| bits::negative(x) && bits::neg(x) == *x;
    let signed = matches!(opcode, Opcode::SDiv | Opcode::SRem);
    match opcode {
        Opcode::Add => wide(&|a, b| bits::add(a, b, false).0),
        Opcode::Sub => wide(&bits::sub),
        Opcode::Mul => wide(&bits::mul),
        Opcode::Shl | Opcode::LShr | Opcode::AShr => {
            let Some(amount) = bits::amount(b) else { return Lane::Poison };
            match opcode {
                Opcode::Shl => wide(&|a, _| bits::shl(a, amount)),
                _ => {
                    let fill = opcode == Opcode::AShr && bits::negative(a);
                    exact(a[..amount].contains(&true), &bits::shr(a, amount, fill))
                }
            }
        }
        Opcode::And => bitwise(|a, b| a & b),
        Opcode::Or if has(Flags::DISJOINT) && a.iter().zip(b).any(|(a, b)| a & b) => Lane::Poison,
        Opcode::Or => bitwise(|a, b| a | b),
        Opcode::Xor => bitwise(|a, b| a ^ b),
        _ if bits::is_zero(b) || signed && minimum(a) && !b.contains(&false) => Lane::UndefinedBehaviour,
        _ => {
            let (x, y) = if signed { (absolute(a), absolute(b)) } else { (a.clone(), b.clone()) };
            let (quotient, rest) = bits::divide(&x, &y);
            let inexact = !bits::is_zero(&rest);
            match opcode {
                Opcode::UDiv | Opcode::SDiv => {
                    exact(inexact, &negate(&quotient, signed && bits::negative(a) != bits::negative(b)))
                }
                _ => exact(false, &negate(&rest, signed && bits::negative(a))),
            }
        }
    }
}

/// Runs an instruction, and the answer for each lane.
fn run(opcode: Opcode, flags: Flags, scalar: Scalar, a: &[Slot], b: &[Slot], active: Mask) -> Vec<Lane> {
    // What was in the result before does not matter.
    let mut stale = Slot::splat(u64::MAX);
    stale.poison = 0x5555;
    stale.undefined = Some(Box::new([1; WIDTH]));
    let mut out = vec![stale; scalar.components()];
    let faults = binary(opcode, flags, scalar, a, b, active, &mut out);
    assert_eq!(faults & !active, 0, "lanes that are not there do nothing");
    (0..WIDTH).filter(|lane| active >> lane & 1 != 0).map(|lane| lane_of(scalar, &out, faults, lane)).collect()
}

/// All operands of up to five bits.
pub(crate) fn exhaustively(opcode: Opcode) {
    for width in 1..=5u32 {
        for flags in flag_sets(opcode) {
            let pairs: Vec<(u64, u64)> = (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))).collect();
            for chunk in pairs.chunks(WIDTH) {
                let (a, b): (Vec<u64>, Vec<u64>) = chunk.iter().copied().unzip();
                let active = first_lanes(chunk.len());
                let lanes = run(opcode, flags, Scalar::Integer(width), &[numbers(&a)], &[numbers(&b)], active);
                for (&(a, b), lane) in chunk.iter().zip(lanes) {
                    let expected = by_value(opcode, flags, width, a, b);
                    assert_eq!(lane, expected, "{opcode:?} {flags:?} i{width} {a}, {b}");
                }
            }
        }
    }
}

/// Random operands of many widths.
pub(crate) fn at_random(opcode: Opcode) {
    randomly(2, |random| {
        for width in WIDTHS {
            let scalar = Scalar::Integer(width);
            for flags in flag_sets(opcode) {
                let a = full_wave(|| random_limbs(random, width));
                let mut b = full_wave(|| random_limbs(random, width));
                if matches!(opcode, Opcode::Shl | Opcode::LShr | Opcode::AShr) {
                    // Mostly amounts that mean something; in every other wave the same for all.
                    let uniform = random.percent(50).then(|| random.next_u64() % u64::from(width));
                    for limbs in &mut b {
                        if uniform.is_some() || random.percent(80) {
                            limbs.fill(0);
                            limbs[0] = uniform.unwrap_or_else(|| random.next_u64() % u64::from(width));
                        }
                    }
                }
                let active = random.next_u64() | 1;
                let lanes = run(opcode, flags, scalar, &with_lanes(scalar, &a), &with_lanes(scalar, &b), active);
                let places = (0..WIDTH).filter(|lane| active >> lane & 1 != 0);
                for (place, lane) in places.zip(lanes) {
                    let (a, b) = (&a[place], &b[place]);
                    let (x, y) = (to_bits(a, width as usize), to_bits(b, width as usize));
                    let expected = by_bits(opcode, flags, &x, &y);
                    assert_eq!(lane, expected, "{opcode:?} {flags:?} i{width} {a:x?}, {b:x?}");
                    if width <= 60 {
                        assert_eq!(expected, by_value(opcode, flags, width, a[0], b[0]), "the references agree");
                    }
                }
            }
        }
    });
}

#[test]
fn poison_operands_give_poison() {
    let mut poisoned = numbers(&[1, 2, 3, 4]);
    poisoned.poison = 0b0110;
    let defined = numbers(&[5, 6, 7, 8]);
    for opcode in INTEGER {
        let mut out = vec![Slot::default()];
        let scalar = Scalar::Integer(32);
        let faults =
            binary(opcode, Flags::default(), scalar, from_ref(&poisoned), from_ref(&defined), 0b1111, &mut out);
        assert_eq!((faults, out[0].poison & 0b1111), (0, 0b0110), "{opcode:?}");
        // As a divisor, poison may be zero.
        let faults =
            binary(opcode, Flags::default(), scalar, from_ref(&defined), from_ref(&poisoned), 0b0111, &mut out);
        let divides = matches!(opcode, Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
        assert_eq!(faults, if divides { 0b0110 } else { 0 }, "{opcode:?}");
        assert_eq!(out[0].poison & 0b0111, 0b0110, "{opcode:?}");
    }
}

#[test]
fn a_divisor_that_may_be_wrong_is_undefined_behaviour() {
    let scalar = Scalar::Integer(8);
    let dividend = numbers(&[7, 7, 0x80, 0, 0x80]);
    let mut divisor = numbers(&[0, 2, 0xf0, 0xff, 0xf0]);
    let mut open = [0; WIDTH];
    (open[0], open[1], open[2], open[4]) = (0x10, 0x01, 0x0f, 0x07);
    divisor.undefined = Some(Box::new(open));
    let mut poisoned = dividend.clone();
    poisoned.poison = 0b01000;
    let mut out = vec![Slot::default()];
    let mut faults = |opcode, dividend: &Slot| {
        let faults =
            binary(opcode, Flags::default(), scalar, from_ref(dividend), from_ref(&divisor), 0b11111, &mut out);
        (faults, out[0].undefined_bits(1))
    };
    // Lane 0 may divide by zero, lane 2 may divide −128 by −1, lane 4 may not.
    assert_eq!(faults(Opcode::UDiv, &dividend), (0b00001, 0xff));
    assert_eq!(faults(Opcode::SDiv, &dividend), (0b00101, 0xff));
    assert_eq!(faults(Opcode::SRem, &poisoned), (0b01101, 0xff), "poison may be −128");
}
