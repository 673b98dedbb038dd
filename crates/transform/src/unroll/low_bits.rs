//! What is known of the lowest bits of integers.
//!
//! **Definition.** [`LowBits`] `{ known: k, value: r }` of `v` says that `v ≡ r` modulo 2^k, whatever the program does. Sums, differences,
//! products and shifts of integers modulo 2^w keep such congruences, so nothing here depends on overflow.

use reconverge_ir::Function;
use reconverge_ir::function::{Definition, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{TypeData, TypeTable};

use super::shape::integer;

/// A congruence modulo a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LowBits {
    /// How many bits are known; at most 64.
    pub(super) known: u32,
    /// What they are.
    pub(super) value: u64,
}

/// How many operations deep to look.
const DEPTH: u32 = 6;

impl LowBits {
    pub(super) fn new(known: u32, value: u64) -> LowBits {
        let known = known.min(64);
        LowBits { known, value: value & mask(known) }
    }

    pub(super) fn constant(value: u64) -> LowBits {
        LowBits::new(64, value)
    }

    pub(super) fn minus(self, other: LowBits) -> LowBits {
        LowBits::new(self.known.min(other.known), self.value.wrapping_sub(other.value))
    }

    pub(super) fn plus(self, other: LowBits) -> LowBits {
        LowBits::new(self.known.min(other.known), self.value.wrapping_add(other.value))
    }

    /// How many of the lowest bits are zero for certain.
    fn zeros(self) -> u32 {
        self.value.trailing_zeros().min(self.known)
    }

    fn times(self, other: LowBits) -> LowBits {
        // (r + 2^k a)(s + 2^l b): the unknown parts are multiples of 2^(k + zeros of s), 2^(l + zeros of r) and 2^(k + l).
        let known = (self.known + other.zeros()).min(other.known + self.zeros());
        LowBits::new(known, self.value.wrapping_mul(other.value))
    }
}

/// The lowest bits, as a mask.
pub(super) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// What is known of an integer.
pub(super) fn low_bits(types: &TypeTable, function: &Function, value: Value) -> LowBits {
    look(types, function, value, DEPTH)
}

fn look(types: &TypeTable, function: &Function, value: Value, depth: u32) -> LowBits {
    let TypeData::Integer(width @ ..=64) = types[function.values[value].ty] else { return LowBits::new(0, 0) };
    if let Some(constant) = integer(function, value) {
        return LowBits::new(width, constant as u64);
    }
    let Definition::Instruction(inst) = function.values[value].definition else { return LowBits::new(0, 0) };
    let Some(depth) = depth.checked_sub(1) else { return LowBits::new(0, 0) };
    let operands = function.operands(inst);
    let of = |index: usize| look(types, function, operands[index], depth);
    let found = match function.instructions[inst].opcode {
        Opcode::Add => of(0).plus(of(1)),
        Opcode::Sub => of(0).minus(of(1)),
        Opcode::Mul => of(0).times(of(1)),
        Opcode::Shl => match integer(function, operands[1]) {
            Some(amount) if (0..i64::from(width)).contains(&amount) => {
                let shifted = of(0);
                LowBits::new(shifted.known + amount as u32, shifted.value << amount)
            }
            _ => LowBits::new(0, 0),
        },
        Opcode::And => bitwise(of(0), of(1), |a, b| a & b, |bits| !bits.value),
        Opcode::Or => bitwise(of(0), of(1), |a, b| a | b, |bits| bits.value),
        Opcode::Xor => {
            let (a, b) = (of(0), of(1));
            LowBits::new(a.known.min(b.known), a.value ^ b.value)
        }
        Opcode::ZExt | Opcode::SExt | Opcode::Trunc => of(0),
        Opcode::Select => both(of(1), of(2)),
        Opcode::Phi if operands.len() <= 8 => {
            let of = |index: usize| look(types, function, operands[index], depth.min(2));
            (1..operands.len()).fold(of(0), |all, index| both(all, of(index)))
        }
        _ => LowBits::new(0, 0),
    };
    LowBits::new(found.known.min(width), found.value)
}

/// A bitwise operation in which the bits that `decide` gives settle the result whatever the other operand is.
fn bitwise(a: LowBits, b: LowBits, with: fn(u64, u64) -> u64, decide: fn(LowBits) -> u64) -> LowBits {
    let settled = |bits: LowBits| decide(bits) & mask(bits.known);
    let known = settled(a) | settled(b) | mask(a.known.min(b.known));
    LowBits::new(known.trailing_ones(), with(a.value, b.value))
}

/// What holds of either.
fn both(a: LowBits, b: LowBits) -> LowBits {
    let known = a.known.min(b.known).min((a.value ^ b.value).trailing_zeros());
    LowBits::new(known, a.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a number is one of those that are described.
    fn fits(bits: LowBits, number: u64) -> bool {
        number & mask(bits.known) == bits.value
    }

    #[test]
    fn operations_keep_congruences() {
        let all = || (0..=4).flat_map(|known| (0..1u64 << known).map(move |value| LowBits::new(known, value)));
        for a in all() {
            for b in all() {
                let and = bitwise(a, b, |a, b| a & b, |bits| !bits.value);
                let or = bitwise(a, b, |a, b| a | b, |bits| bits.value);
                for x in (0..32).filter(|&x| fits(a, x)) {
                    for y in (0..32).filter(|&y| fits(b, y)) {
                        assert!(
                            fits(a.plus(b), x + y) && fits(a.minus(b), x.wrapping_sub(y)) && fits(a.times(b), x * y)
                        );
                        assert!(fits(and, x & y) && fits(or, x | y) && fits(both(a, b), x) && fits(both(a, b), y));
                    }
                }
            }
        }
    }
}
