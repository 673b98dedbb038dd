//! `switch`: single values as cases of one instruction, long ranges as comparisons before it gives up.

use reconverge_ir::origin::Condition;

use super::function::{Exits, FunctionText, result};
use super::writer::{Block, Of, Operand, Terminator};
use crate::typed::{Expression, Statement, StatementKind, Type, TypeKind};

/// How many values a range may have to become that many cases.
const MOST_CASES: i128 = 64;

impl FunctionText<'_> {
    /// Evaluates the condition of a `switch`, and goes on to the labels. Its exit is the innermost one then.
    pub(super) fn switch(&mut self, condition: Expression, labels: &[Statement]) {
        self.begin_expression(condition);
        let value = self.value(condition);
        let of = self.body.expressions[condition].of;
        let decision = self.decision(Condition::Switch, condition);
        let leave = self.text.create("switch.end");
        let (mut singles, mut ranges, mut default) = (Vec::new(), Vec::new(), leave);
        for &label in labels {
            let block = self.case_block(label);
            let StatementKind::Case { values, .. } = &self.body.statements[label].kind else {
                default = block;
                continue;
            };
            match **values {
                (low, high) if high < low => {}
                (low, high) if high.checked_sub(low).is_some_and(|width| width < MOST_CASES) => {
                    singles.extend((low..=high).map(|value| (self.wrap(of, value), block)));
                }
                (low, high) => ranges.push((low, high, block)),
            }
        }
        let first = if ranges.is_empty() { default } else { self.text.create("switch.range") };
        let cases = self.text.cases(singles);
        self.decide(Terminator::Switch(value, Of(of), first, cases), decision);
        self.text.origin = decision;
        self.ranges((value, of), first, &ranges, default);
        self.exits.push(Exits { leave, again: None });
    }

    /// Compares a value with ranges one after the other.
    fn ranges(&mut self, (value, of): (Operand, Type), first: Block, ranges: &[(i128, i128, Block)], default: Block) {
        let mut block = first;
        for (index, &(low, high, to)) in ranges.iter().enumerate() {
            let is_last = index + 1 == ranges.len();
            let next = if is_last { default } else { self.text.create("switch.range") };
            self.text.open(block);
            let start = Operand::Integer(self.wrap(of, low));
            let width = Operand::Integer(self.wrap(of, high.wrapping_sub(low)));
            let distance = result!(self, "sub ", Of(of), " ", value, ", ", start);
            let is_inside = result!(self, "icmp ule ", Of(of), " ", distance, ", ", width);
            self.decide(Terminator::Conditional(is_inside, to, next), self.text.origin);
            block = next;
        }
    }

    /// A number as the signed one with the same bits of its type.
    pub(super) fn wrap(&self, of: Type, value: i128) -> i128 {
        match *self.context.program.types.kind(of) {
            TypeKind::Integer { bits, .. } if bits < 128 => value << (128 - u32::from(bits)) >> (128 - u32::from(bits)),
            TypeKind::Bool => value & 1,
            _ => value,
        }
    }
}
