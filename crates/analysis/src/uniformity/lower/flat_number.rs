//! The number of a thread in its workgroup, where it is computed from its ids.
//!
//! **Definition.** The thread with ids `x`, `y`, `z` of a workgroup with extents `X`, `Y`, `Z` has the number `x + X·(y + Y·z)`. However that is written, as a sum of products of ids and
//! extents it is `x + X·y + X·Y·z`, or `x + X·y` where `Z` is 1. Every part of it is at most that number, which fits into an `int`: so conversions between integers change nothing.

use reconverge_ir::function::{Definition, Inst};
use reconverge_ir::opcode::Opcode;
use smallvec::SmallVec;

use super::instructions::{call_of, ir_value};
use super::module_facts::Role;
use super::phis::Ssa;
use super::value_facts::Query;

/// A product of ids and extents, each at most once: a bit for each.
type Product = u8;

/// How far definitions are followed.
const DEPTH: u32 = 10;
/// The number has so many products.
const MOST: usize = 3;

const X: Product = id(0);
const X_Y: Product = extent(0) | id(1);
const X_Y_Z: Product = extent(0) | extent(1) | id(2);

const fn id(dimension: u8) -> Product {
    1 << dimension
}

const fn extent(dimension: u8) -> Product {
    8 << dimension
}

impl Query<'_, '_> {
    /// Whether an addition gives the number of the thread in its workgroup.
    pub(super) fn is_flat_number(self, inst: Inst) -> bool {
        let Some(mut products) = self.products_of(inst, DEPTH) else { return false };
        products.sort_unstable();
        match products.as_slice() {
            [X, X_Y] => self.context.launch.extents[2] == Some(1),
            [X, X_Y, X_Y_Z] => true,
            _ => false,
        }
    }

    /// The products that a value is the sum of.
    fn products(self, value: Ssa, depth: u32) -> Option<SmallVec<[Product; MOST]>> {
        let depth = depth.checked_sub(1)?;
        match self.function().values[ir_value(self.function(), value)?].definition {
            Definition::Instruction(inst) => self.products_of(inst, depth),
            _ => None,
        }
    }

    fn products_of(self, inst: Inst, depth: u32) -> Option<SmallVec<[Product; MOST]>> {
        let operand = |index: usize| self.products(self.operand(inst, index)?, depth);
        let data = &self.function().instructions[inst];
        match data.opcode {
            Opcode::Call => {
                let callee = call_of(self.function(), inst)?.callee.expand()?;
                let dimension = || u8::try_from(self.integer(self.operand(inst, 0)?)?).ok().filter(|&one| one < 3);
                let product = match self.context.input.facts.callee(callee).role {
                    Role::ThreadId(dimension) => id(dimension),
                    Role::ThreadIdOf => id(dimension()?),
                    Role::Extent(dimension) => extent(dimension),
                    Role::ExtentOf => extent(dimension()?),
                    _ => return None,
                };
                Some(SmallVec::from_slice(&[product]))
            }
            Opcode::ZExt | Opcode::SExt | Opcode::Freeze => operand(0),
            Opcode::Trunc if self.width(self.resolve(data.result.expand()?))? >= 32 => operand(0),
            Opcode::Add => {
                let mut sum = operand(0)?;
                sum.extend(operand(1)?);
                (sum.len() <= MOST).then_some(sum)
            }
            Opcode::Mul => {
                let (left, right) = (operand(0)?, operand(1)?);
                if left.len() * right.len() > MOST {
                    return None;
                }
                let pairs = left.iter().flat_map(|&one| right.iter().map(move |&other| (one, other)));
                pairs.map(|(one, other)| (one & other == 0).then_some(one | other)).collect()
            }
            _ => None,
        }
    }
}
