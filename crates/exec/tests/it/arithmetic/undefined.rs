//! Bits that are `undef`, against all choices of them.

use std::slice::from_ref;

use reconverge_exec::arithmetic::{binary, cast, fcmp, icmp, recognise};
use reconverge_exec::value::{Scalar, Slot, WIDTH, low_bits};
use reconverge_ir::opcode::{Flags, Opcode, Predicate};

use crate::arithmetic::binary::INTEGER;
use crate::arithmetic::harness::{numbers, slots};

/// A number of `width` bits of which some are open.
fn partly(width: u32, bits: u64, open: u64) -> Slot {
    let mut slot = numbers(&[bits & !open & low_bits(width)]);
    let mut undefined = [0; WIDTH];
    undefined[0] = open;
    slot.undefined = (open != 0).then(|| Box::new(undefined));
    slot
}

/// The numbers that a slot may stand for.
fn choices(width: u32, bits: u64, open: u64) -> Vec<u64> {
    (0..1u64 << width).filter(|choice| choice & !open == bits & !open).collect()
}

/// The bits that are the same in all numbers, and those that differ.
fn common(numbers: &[u64]) -> (u64, u64) {
    let open = numbers.iter().fold(0, |open, number| open | (number ^ numbers[0]));
    (numbers[0] & !open, open)
}

#[test]
fn bitwise_instructions_and_shifts_are_exact() {
    let width = 4;
    let scalar = Scalar::Integer(width);
    let all = |opcode: Opcode| {
        let bitwise = matches!(opcode, Opcode::And | Opcode::Or | Opcode::Xor);
        for a in 0..16u64 {
            for a_open in 0..16u64 {
                for b in 0..16u64 {
                    for b_open in if bitwise { 0..16u64 } else { 0..1 } {
                        if !bitwise && b >= 4 {
                            continue;
                        }
                        let mut out = slots(scalar);
                        let (x, y) = (partly(width, a, a_open), partly(width, b, b_open));
                        binary(opcode, Flags::default(), scalar, &[x], &[y], 1, &mut out);
                        let results: Vec<u64> = choices(width, a, a_open)
                            .iter()
                            .flat_map(|&a| choices(width, b, b_open).into_iter().map(move |b| (a, b)))
                            .map(|(a, b)| match opcode {
                                Opcode::And => a & b,
                                Opcode::Or => a | b,
                                Opcode::Xor => a ^ b,
                                Opcode::Shl => a << b & 15,
                                Opcode::LShr => a >> b,
                                _ => (((a << 60) as i64 >> 60) >> b) as u64 & 15,
                            })
                            .collect();
                        let (bits, open) = common(&results);
                        let got = (out[0].bits[0], out[0].undefined_bits(0), out[0].poison & 1);
                        assert_eq!(got, (bits, open, 0), "{opcode:?} {a:04b}/{a_open:04b} {b:04b}/{b_open:04b}");
                    }
                }
            }
        }
    };
    [Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Shl, Opcode::LShr, Opcode::AShr].into_iter().for_each(all);
}

#[test]
fn changes_of_width_are_exact() {
    for (opcode, from, to) in [(Opcode::Trunc, 5, 3), (Opcode::ZExt, 3, 6), (Opcode::SExt, 3, 6)] {
        for bits in 0..1u64 << from {
            for open in 0..1u64 << from {
                let mut out = slots(Scalar::Integer(to));
                let a = [partly(from, bits, open)];
                cast(opcode, Flags::default(), Scalar::Integer(from), Scalar::Integer(to), &a, &mut out);
                let results: Vec<u64> = choices(from, bits, open)
                    .into_iter()
                    .map(|a| if opcode == Opcode::SExt { ((a << 61) as i64 >> 61) as u64 } else { a } & low_bits(to))
                    .collect();
                assert_eq!((out[0].bits[0], out[0].undefined_bits(0)), common(&results));
            }
        }
    }
    // Across components: 100 bits to 40, and to 200 with an open sign.
    let wide = Scalar::Integer(100);
    let a = [partly(64, 5, 1 << 50 | 1 << 3), partly(36, 0, 1 << 35)];
    let mut out = slots(Scalar::Integer(40));
    cast(Opcode::Trunc, Flags::default(), wide, Scalar::Integer(40), &a, &mut out);
    assert_eq!((out[0].bits[0], out[0].undefined_bits(0)), (5, 1 << 3));
    let mut out = slots(Scalar::Integer(200));
    cast(Opcode::SExt, Flags::default(), wide, Scalar::Integer(200), &a, &mut out);
    let open: Vec<u64> = out.iter().map(|slot| slot.undefined_bits(0)).collect();
    assert_eq!(open, [1 << 50 | 1 << 3, u64::MAX << 35, u64::MAX, 0xff]);
    // A shift of 100 bits by a defined amount moves them.
    let mut out = slots(wide);
    binary(Opcode::LShr, Flags::default(), wide, &a, &[partly(64, 40, 0), partly(36, 0, 0)], 1, &mut out);
    assert_eq!([out[0].undefined_bits(0), out[1].undefined_bits(0)], [1 << 10 | 1 << 59, 0]);
}

#[test]
fn everything_else_is_wholly_undefined_and_poison_is_stronger() {
    let mut a = partly(32, 0, 1);
    a.undefined.as_mut().expect("has an open bit")[1] = 4;
    a.poison = 0b10;
    let b = numbers(&[3, 3, 3]);
    let check = |out: &Slot, all: u64, what: &str| {
        assert_eq!((out.undefined_bits(0), out.bits[0], out.poison & 0b111), (all, 0, 0b10), "{what}");
        assert_eq!((out.undefined_bits(1), out.undefined_bits(2)), (0, 0), "{what}");
    };
    for opcode in INTEGER {
        if !matches!(opcode, Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Shl | Opcode::LShr | Opcode::AShr) {
            let mut out = slots(Scalar::Integer(32));
            let faults =
                binary(opcode, Flags::default(), Scalar::Integer(32), from_ref(&a), from_ref(&b), 0b111, &mut out);
            assert_eq!(faults, 0);
            check(&out[0], 0xffff_ffff, opcode.keyword());
        }
    }
    let mut out = slots(Scalar::Float);
    binary(Opcode::FAdd, Flags::FAST, Scalar::Float, from_ref(&a), from_ref(&b), 0b111, &mut out);
    check(&out[0], 0xffff_ffff, "fadd");
    let mut out = Slot::default();
    icmp(Predicate::Ult, Flags::default(), Scalar::Integer(32), from_ref(&a), from_ref(&b), &mut out);
    check(&out, 1, "icmp");
    fcmp(Predicate::True, Flags::default(), Scalar::Float, &a, &b, &mut out);
    check(&out, 1, "fcmp");
    let mut out = slots(Scalar::Half);
    cast(Opcode::UIToFP, Flags::default(), Scalar::Integer(32), Scalar::Half, from_ref(&a), &mut out);
    check(&out[0], 0xffff, "uitofp");
    let i32s = vec![Scalar::Integer(32)];
    for name in ["smax", "uadd.sat", "amdgcn.perm"] {
        let count = if name == "amdgcn.perm" { 3 } else { 2 };
        let intrinsic = recognise(&format!("llvm.{name}.i32"), &i32s, &vec![i32s.clone(); count])
            .or_else(|| recognise(&format!("llvm.{name}"), &i32s, &vec![i32s.clone(); count]));
        let operands = [[a.clone()], [b.clone()], [b.clone()]];
        let operands: Vec<&[Slot]> = operands.iter().take(count).map(|slots| slots.as_slice()).collect();
        let mut out = slots(Scalar::Integer(32));
        intrinsic.expect("is known").apply(&operands, 0b111, &mut out);
        check(&out[0], 0xffff_ffff, name);
    }
}
