//! From which lane a lane gets a value on AMD GPUs ("Instruction set architecture" manuals: "Data parallel processing",
//! `DS_SWIZZLE_B32`, `V_PERMLANE16_B32`).
//!
//! The lanes of a wave are numbered from 0. A *row* is 16 of them, a *bank* 4, a *quad* 4. What a lane gets, with the control
//! word *c* of data-parallel primitives:
//!
//! | *c* | lane *i* gets that of |
//! |---|---|
//! | `0x000`–`0x0ff` | in its quad, the lane that two bits of *c* say for it |
//! | `0x101`–`0x10f` | *i* + *n* in its row (a shift to the left by *n*, the low 4 bits) |
//! | `0x111`–`0x11f` | *i* − *n* in its row |
//! | `0x121`–`0x12f` | *i* − *n* in its row, going round |
//! | `0x130`, `0x134` | *i* + 1 in the wave; going round |
//! | `0x138`, `0x13c` | *i* − 1 in the wave; going round |
//! | `0x140`, `0x141` | the mirror image in its row, in its half of a row |
//! | `0x142` | the last lane of the row before |
//! | `0x143` | lane 31, in the upper half of 64 |
//! | `0x150`–`0x15f` | the lane *n* of its row |
//! | `0x160`–`0x16f` | *i* xor *n* in its row |
//!
//! A lane whose row or bank is not in the masks gets the old value. So does one for which there is no other lane, or one that
//! is not in the set, unless the control of bounds says zero.

use super::ViolationKind;
use super::crosslane::Execution;
use super::fetch::{Pick, Source};

const ROW: usize = 16;

/// Records what is wrong with the operands that say who gets what.
pub(super) fn check_operands(execution: &mut Execution, source: &Source) {
    match *source {
        Source::DataParallel { control, .. } => {
            let word = execution.uniform(control);
            if shuffled(word, 0, 64).is_none() {
                meaningless(execution, control, word, "a control word of data-parallel primitives");
            }
        }
        Source::Swizzle { pattern, .. } => {
            let word = execution.uniform(pattern);
            if swizzled(word, 0).is_none() {
                meaningless(execution, pattern, word, "a pattern of `ds.swizzle`");
            }
        }
        Source::Eight { selectors, .. } => {
            execution.uniform(selectors);
        }
        Source::Sixteen { selectors, own: false, .. } => {
            execution.uniform(selectors);
            execution.uniform(selectors + 1);
        }
        Source::Sixteen { selectors, own: true, .. } => {
            let unknown = execution.unknown(selectors);
            execution.decided_by(selectors, unknown, unknown);
        }
        _ => {}
    }
}

fn meaningless(execution: &mut Execution, argument: u8, value: u64, expected: &'static str) {
    let kind = ViolationKind::Meaningless { argument: usize::from(argument), value, expected };
    execution.violation(execution.set, kind);
}

/// What a lane of the set gets.
pub(super) fn pick(execution: &Execution, source: &Source, lane: usize) -> Pick {
    let (base, first) = (execution.base, execution.first());
    let number = lane - base;
    match *source {
        Source::OtherHalf { value } => Pick::Of(value, base + (number ^ 32)),
        Source::DataParallel { old, value, control } => {
            let operand = |index: u8| execution.bits(control + index, first);
            let (rows, banks, zero) = (operand(1), operand(2), operand(3) & 1 == 1);
            let old = old.map_or(Pick::Poison, |old| Pick::Of(old, lane));
            if rows >> (number / ROW) & 1 == 0 || banks >> (number % ROW / 4) & 1 == 0 {
                return old;
            }
            match shuffled(operand(0), number, execution.size) {
                None => Pick::Poison,
                Some(Some(source)) if execution.has(base + source) => Pick::Of(value, base + source),
                Some(_) if zero => Pick::Zero,
                Some(_) => old,
            }
        }
        Source::Eight { value, selectors } => {
            let selector = execution.bits(selectors, first) >> (3 * (number % 8)) & 7;
            present(execution, value, base + number / 8 * 8 + selector as usize).unwrap_or(Pick::Zero)
        }
        Source::Swizzle { value, pattern } => match swizzled(execution.bits(pattern, first), number) {
            Some(source) => present(execution, value, base + source).unwrap_or(Pick::Zero),
            None => Pick::Poison,
        },
        Source::Sixteen { old, value, selectors, own, crossed, inactive } => {
            if own && execution.unknown(selectors) >> lane & 1 == 1 {
                return Pick::Poison;
            }
            let place = number % ROW;
            let selector = if own {
                execution.bits(selectors, lane)
            } else {
                execution.bits(selectors + (place / 8) as u8, first) >> (4 * (place % 8))
            };
            let row = (number / ROW * ROW) ^ if crossed { ROW } else { 0 };
            let source = base + row + (selector & 15) as usize;
            let (fetches, zero) =
                (execution.bits(inactive, first) & 1 == 1, execution.bits(inactive + 1, first) & 1 == 1);
            match present(execution, value, source) {
                Some(pick) => pick,
                None if fetches => Pick::Of(value, source),
                None if zero => Pick::Zero,
                None => Pick::Of(old, lane),
            }
        }
        _ => Pick::Poison,
    }
}

fn present(execution: &Execution, value: u8, lane: usize) -> Option<Pick> {
    execution.has(lane).then_some(Pick::Of(value, lane))
}

/// Which lane of a wave of `size` lanes a lane gets by a control word: `Some(None)` where there is none, `None` where the
/// word means nothing.
pub(super) fn shuffled(control: u64, lane: usize, size: usize) -> Option<Option<usize>> {
    let (row, place) = (lane / ROW * ROW, lane % ROW);
    let amount = (control & 15) as usize;
    let source = match control {
        0x000..=0x0ff => Some(lane & !3 | (control >> (2 * (lane & 3)) & 3) as usize),
        0x101..=0x10f => (place + amount < ROW).then_some(lane + amount),
        0x111..=0x11f => (place >= amount).then(|| lane - amount),
        0x121..=0x12f => Some(row + (place + ROW - amount) % ROW),
        0x130 => Some(lane + 1),
        0x134 => Some((lane + 1) % size),
        0x138 => lane.checked_sub(1),
        0x13c => Some((lane + size - 1) % size),
        0x140 => Some(row + (ROW - 1 - place)),
        0x141 => Some(lane & !7 | (7 - (lane & 7))),
        0x142 => row.checked_sub(1),
        0x143 => (lane >= 32).then_some(31),
        0x150..=0x15f => Some(row + amount),
        0x160..=0x16f => Some(row + (place ^ amount)),
        _ => return None,
    };
    Some(source.filter(|&source| source < size))
}

/// Which lane a lane gets by a pattern of `ds.swizzle`, in groups of 32; nothing where the pattern means nothing.
///
/// A pattern below `0x8000` is three masks of 5 bits, for *and*, *or* and *xor* with the number of the lane; below `0xc000`,
/// two bits for each lane of a quad; below `0xe000`, a rotation of those bits that a mask does not keep; above, the order
/// that a fast Fourier transform needs.
pub(super) fn swizzled(pattern: u64, lane: usize) -> Option<usize> {
    let (group, place) = (lane & !31, lane & 31);
    let bits = |from: u32| (pattern >> from & 31) as usize;
    let source = match pattern {
        0..0x8000 => (place & bits(0) | bits(5)) ^ bits(10),
        0x8000..0xc000 => place & !3 | (pattern >> (2 * (place & 3)) & 3) as usize,
        0xc000..0xe000 => {
            let amount = if pattern >> 10 & 1 == 1 { 32 - bits(5) } else { bits(5) };
            place & bits(0) | (place + amount) & 31 & !bits(0)
        }
        0xe000..0x1_0000 => {
            let kept = bits(0);
            // The bits that are not reversed are the upper ones.
            let reversed = 5 - kept.count_ones();
            if kept & ((1 << reversed) - 1) != 0 {
                return None;
            }
            let low = (place & !kept) as u32;
            let turned = if reversed == 0 { 0 } else { low.reverse_bits() >> (32 - reversed) };
            place & kept | turned as usize
        }
        _ => return None,
    };
    Some(group | source)
}
