//! Values of a loop behind it, when several copies leave.
//!
//! **Definition.** Behind the loop, a value is at the begin of a block what it is at the ends of the block's predecessors: the copy's, for a
//! predecessor in a copy. Where those differ there has to be a phi. A block that is not dominated by the value's definition is never asked for, as
//! all uses were dominated by it.

use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::types::TypeData;
use rustc_hash::{FxHashMap, FxHashSet};

use super::copies::{Context, Copy, block_operand};
use super::shape::{Flow, Objection};
use crate::names::Names;

/// What a value is somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Is {
    /// This operand.
    Operand(String),
    /// What a phi at the begin of this block gives.
    Phi(Block),
}

/// The copies of a loop that can be left.
pub(super) struct Leaving<'l, 'm, 't> {
    pub(super) context: &'l Context<'m, 't>,
    pub(super) flow: &'l Flow,
    pub(super) copies: &'l [Copy],
    /// The phis that are needed, by block: their texts.
    pub(super) phis: FxHashMap<Block, Vec<String>>,
    /// The blocks that were looked at.
    pub(super) touched: FxHashSet<Block>,
}

impl Leaving<'_, '_, '_> {
    /// The copies from which an edge leaves, with the names of its source.
    pub(super) fn edges(&self, from: Block, to: Block) -> impl Iterator<Item = (&Copy, String)> {
        let leaves = move |copy: &&Copy| self.context.leaves(copy, from, to);
        self.copies.iter().filter(leaves).map(move |copy| (copy, self.context.block(copy, from)))
    }

    /// What a value of the loop is at the begin of each of some blocks behind it; `user` is a place where that matters.
    ///
    /// # Errors
    /// When a token would have to go through a phi.
    pub(super) fn resolve(
        &mut self,
        names: &mut Names,
        value: Value,
        blocks: &[Block],
        user: Inst,
    ) -> Result<FxHashMap<Block, String>, Objection> {
        let order = self.needed(blocks);
        let mut is: FxHashMap<Block, Is> = order.iter().map(|&block| (block, Is::Phi(block))).collect();
        loop {
            let mut changed = false;
            for &block in &order {
                let sources = self.sources(&is, value, block);
                let mut others = sources.iter().map(|(source, _)| source).filter(|&source| *source != Is::Phi(block));
                let Some(first) = others.next() else { continue };
                if others.all(|other| other == first) && is.get(&block) != Some(first) {
                    is.insert(block, first.clone());
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let function = self.context.function;
        let mut own: FxHashMap<Block, String> = FxHashMap::default();
        for &block in order.iter().filter(|&&block| is[&block] == Is::Phi(block)) {
            if self.context.module.types[function.values[value].ty] == TypeData::Token {
                let rule = "a token of the loop is used after it, and several copies would leave the loop with tokens of their own";
                return Err((user, rule.into()));
            }
            own.insert(block, format!("%{}", names.fresh("unroll.value")));
        }
        let text = |source: &Is| match source {
            Is::Operand(text) => text.clone(),
            Is::Phi(block) => own.get(block).cloned().unwrap_or_default(),
        };
        for (block, name) in &own {
            let ty = self.context.module.display_type(function.values[value].ty);
            let sources = self.sources(&is, value, *block);
            let entries: Vec<String> =
                sources.iter().map(|(source, from)| format!("[ {}, {from} ]", text(source))).collect();
            self.phis.entry(*block).or_default().push(format!("{name} = phi {ty} {}", entries.join(", ")));
        }
        Ok(blocks.iter().map(|&block| (block, text(&chase(&is, Is::Phi(block))))).collect())
    }

    /// All blocks at whose begin a value is needed, if it is at the begin of these.
    fn needed(&mut self, blocks: &[Block]) -> Vec<Block> {
        let (mut order, mut work) = (Vec::new(), blocks.to_vec());
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            order.push(block);
            let before = self.flow.predecessors[block.index()].iter().copied();
            work.extend(before.filter(|&from| self.flow.is_reachable(from) && !self.context.found.contains(from)));
        }
        self.touched.extend(&order);
        // What is nearer to the loop comes first.
        order.reverse();
        order
    }

    /// What the value is on each edge into a block, and where the edge comes from.
    fn sources(&self, is: &FxHashMap<Block, Is>, value: Value, block: Block) -> Vec<(Is, String)> {
        let mut sources = Vec::new();
        for &from in &self.flow.predecessors[block.index()] {
            if self.context.found.contains(from) {
                sources.extend(
                    self.edges(from, block).map(|(copy, name)| (Is::Operand(self.context.value(copy, value)), name)),
                );
                continue;
            }
            let name = block_operand(self.context.module, self.context.function, from);
            let source =
                if self.flow.is_reachable(from) { chase(is, Is::Phi(from)) } else { Is::Operand("poison".to_owned()) };
            sources.push((source, name));
        }
        sources
    }
}

/// What something is in the end.
fn chase(is: &FxHashMap<Block, Is>, mut what: Is) -> Is {
    while let Is::Phi(block) = what {
        match is.get(&block) {
            Some(further) if *further != what => what = further.clone(),
            _ => break,
        }
    }
    what
}

use cranelift_entity::EntityRef;
