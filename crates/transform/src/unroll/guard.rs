//! The block that says how often the main loop runs.
//!
//! **Invariant.** The number of passes that it computes is at most `P` of [`super::count`], whatever values the program has: with `d` the distance from
//! `x₀` to the bound, `≠` passes `k` times for every `k·|s| < d`; `<` and `>` pass `⌈d / |s|⌉` times if the first test passes, since no
//! number wraps around before; `≤` and `≥` pass once more than `⌊d / |s|⌋` times, of which the remainder gets the one. Bound and `x₀` are
//! frozen: where they are poison, only a thread that executes the test has undefined behaviour, and not one that leaves before it.

use reconverge_ir::opcode::Predicate;

use super::copies::Context;
use super::count::{Counted, Towards};
use super::low_bits::mask;
use super::shape::integer;
use crate::names::Names;

/// What the guard computes.
pub(super) struct Guard {
    /// Its instructions but the branch, a line each.
    pub(super) lines: Vec<String>,
    /// How often the main loop runs: an operand.
    pub(super) rounds: String,
    /// Whether it runs at all: an operand.
    pub(super) some: String,
}

impl Guard {
    /// `start` is what the phi begins with, as an operand.
    pub(super) fn new(
        context: &Context<'_, '_>,
        names: &mut Names,
        counted: &Counted,
        start: &str,
        factor: u32,
    ) -> Guard {
        let ty = format!("i{}", counted.width);
        let mut guard = Guard { lines: Vec::new(), rounds: String::new(), some: String::new() };
        let number = |bits: u64| ((bits << (64 - counted.width)) as i64 >> (64 - counted.width)).to_string();
        let mut first = guard.frozen(names, &ty, start);
        if counted.offset != 0 {
            first = guard.line(names, "unroll.first", format!("add {ty} {first}, {}", number(counted.offset)));
        }
        let mut predicate = counted.predicate;
        let mut bound = match integer(context.function, counted.bound) {
            Some(constant) => number(constant as u64),
            None => {
                let bound = reconverge_ir::print_value(context.module, context.function, counted.bound);
                guard.frozen(names, &ty, &bound)
            }
        };
        let mut towards = counted.towards().unwrap_or(Towards::Loose);
        if let (Towards::Loose, Some((strict, constant))) = (towards, strict(context, counted)) {
            (towards, predicate, bound) = (Towards::Strict, strict, number(constant));
        }
        let (high, low) = if counted.step > 0 { (&bound, &first) } else { (&first, &bound) };
        let mut passes = guard.line(names, "unroll.distance", format!("sub {ty} {high}, {low}"));
        let size = counted.step.unsigned_abs();
        if size > 1 && towards == Towards::Strict {
            passes = guard.line(names, "unroll.before", format!("sub {ty} {passes}, 1"));
        }
        if size > 1 {
            passes = guard.line(names, "unroll.steps", format!("udiv {ty} {passes}, {}", number(size)));
        }
        if size > 1 && towards == Towards::Strict {
            passes = guard.line(names, "unroll.passes", format!("add {ty} {passes}, 1"));
        }
        if towards != Towards::Other {
            let passing =
                guard.line(names, "unroll.enters", format!("icmp {} {ty} {first}, {bound}", predicate.keyword()));
            passes = guard.line(names, "unroll.passes", format!("select i1 {passing}, {ty} {passes}, {ty} 0"));
        }
        guard.rounds = if u64::from(factor) > mask(counted.width) {
            "0".to_owned()
        } else {
            guard.line(names, "unroll.rounds", format!("udiv {ty} {passes}, {}", number(u64::from(factor))))
        };
        let rounds = guard.rounds.clone();
        guard.some = guard.line(names, "unroll.some", format!("icmp ne {ty} {rounds}, 0"));
        guard
    }

    fn line(&mut self, names: &mut Names, stem: &str, text: String) -> String {
        let name = format!("%{}", names.fresh(stem));
        self.lines.push(format!("{name} = {text}"));
        name
    }

    fn frozen(&mut self, names: &mut Names, ty: &str, value: &str) -> String {
        if value.starts_with('%') || value.starts_with('@') {
            self.line(names, "unroll.frozen", format!("freeze {ty} {value}"))
        } else {
            value.to_owned()
        }
    }
}

/// `x ≤ c` as `x < c + 1`, where that is a number.
fn strict(context: &Context<'_, '_>, counted: &Counted) -> Option<(Predicate, u64)> {
    let all = mask(counted.width);
    let constant = integer(context.function, counted.bound)? as u64 & all;
    let (strict, last, by) = match counted.predicate {
        Predicate::Ule => (Predicate::Ult, all, 1),
        Predicate::Sle => (Predicate::Slt, all >> 1, 1),
        Predicate::Uge => (Predicate::Ugt, 0, u64::MAX),
        Predicate::Sge => (Predicate::Sgt, (all >> 1) + 1, u64::MAX),
        _ => return None,
    };
    (constant != last).then(|| (strict, constant.wrapping_add(by) & all))
}
