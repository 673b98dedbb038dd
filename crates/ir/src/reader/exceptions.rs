//! Reading exception handling: landing pads and funclets.

use super::Reader;
use super::error::Result;
use super::scope::Scope;
use crate::function::{Extra, InstData};
use crate::opcode::{Flags, Opcode};
use crate::types::Type;

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    pub(super) fn exception_handling(&mut self, inst: &mut InstData) -> Result<()> {
        match inst.opcode {
            Opcode::LandingPad => {
                inst.ty = self.ty()?;
                if self.cursor.take_word(b"cleanup") {
                    inst.flags.insert(Flags::CLEANUP);
                }
                let base = self.state.values.len();
                let first = self.out.index_pool.len();
                while let clause @ (b"catch" | b"filter") = self.cursor.peek_word() {
                    self.cursor.position += clause.len();
                    self.out.index_pool.push(clause[0].into());
                    let (_, value) = self.typed_operand()?;
                    self.state.values.push(value);
                }
                inst.extra = Extra::Clauses(super::list(first, self.out.index_pool.len()));
                inst.operands = self.finish_values(base);
            }
            Opcode::CatchSwitch => {
                self.cursor.expect_word("within")?;
                let parent = self.operand(Type::TOKEN)?;
                inst.operands = self.value_list(&[parent]);
                let base = self.state.blocks.len();
                self.labels_in_brackets()?;
                self.unwind(inst)?;
                inst.targets = self.finish_blocks(base);
                inst.ty = Type::TOKEN;
            }
            Opcode::CatchPad | Opcode::CleanupPad => {
                self.cursor.expect_word("within")?;
                let parent = self.operand(Type::TOKEN)?;
                let base = self.state.values.len();
                self.state.values.push(parent);
                self.cursor.expect(b'[')?;
                while self.cursor.peek() != b']' {
                    let (_, value) = self.typed_operand()?;
                    self.state.values.push(value);
                    if !self.cursor.take(b',') {
                        break;
                    }
                }
                self.cursor.expect(b']')?;
                inst.operands = self.finish_values(base);
                inst.ty = Type::TOKEN;
            }
            Opcode::CatchRet => {
                self.cursor.expect_word("from")?;
                let pad = self.operand(Type::TOKEN)?;
                self.cursor.expect_word("to")?;
                let target = self.label()?;
                inst.operands = self.value_list(&[pad]);
                inst.targets = self.block_list(&[target]);
            }
            Opcode::CleanupRet => {
                self.cursor.expect_word("from")?;
                let pad = self.operand(Type::TOKEN)?;
                inst.operands = self.value_list(&[pad]);
                let base = self.state.blocks.len();
                self.unwind(inst)?;
                inst.targets = self.finish_blocks(base);
            }
            _ => {}
        }
        Ok(())
    }

    /// `unwind to caller` or `unwind label %b`; the block goes onto the stack.
    fn unwind(&mut self, inst: &mut InstData) -> Result<()> {
        self.cursor.expect_word("unwind")?;
        let to_block = self.cursor.peek_word() == b"label";
        inst.extra = Extra::UnwindsToBlock(to_block);
        if to_block {
            let target = self.label()?;
            self.state.blocks.push(target);
            return Ok(());
        }
        self.cursor.expect_word("to")?;
        self.cursor.expect_word("caller")
    }
}
