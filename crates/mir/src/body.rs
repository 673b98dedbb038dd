//! The body of a machine function: labels, `successors:` and `liveins:` lines, and a line for each instruction.
//!
//! **Invariant.** What is read is a [`Function`] as that type defines it; everything else is an error at the place that does not fit.

use rustc_hash::FxHashMap;

use crate::cursor::Cursor;
use crate::error::ReadError;
use crate::frame::{Document, lines};
use crate::function::{Block, BlockIndex, Function, Register, RegisterIndex, What};

impl<'t> Document<'t> {
    /// Reads the function; O(document).
    ///
    /// # Errors
    /// At the first place that is not understood.
    pub fn read(&self) -> Result<Function<'t>, ReadError> {
        let parts = self.parts()?;
        let mut reader = Reader::default();
        reader.function.name = parts.name;
        reader.function.offset = parts.offset;
        for (number, class) in parts.registers {
            let register = reader.register(number, parts.offset);
            reader.function.registers[register as usize].class = class;
        }
        for (offset, line) in lines(self.text, parts.body) {
            reader.line(Cursor::new(line, offset))?;
        }
        reader.finish()
    }
}

/// What was read so far.
#[derive(Debug, Default)]
pub(crate) struct Reader<'t> {
    pub(crate) function: Function<'t>,
    numbers: FxHashMap<u32, BlockIndex>,
    registers: FxHashMap<&'t str, RegisterIndex>,
    /// The blocks that are named before all labels are known: number and place of each. Blocks are places here until the end.
    named: Vec<(u32, usize)>,
    /// Where the bundle that is open begins.
    bundle: Option<usize>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, mut cursor: Cursor<'t>) -> Result<(), ReadError> {
        if cursor.is_at_end() {
            return Ok(());
        }
        let mut ahead = cursor;
        if ahead.skip("bb.")
            && let Some(number) = ahead.number()
        {
            return self.label(number, cursor.offset(), ahead);
        }
        if self.function.blocks.is_empty() {
            return Err(cursor.error("expected the label of a block, such as `bb.0:`"));
        }
        if cursor.skip("successors:") {
            return self.successors(cursor);
        }
        if cursor.skip("liveins:") {
            return Ok(());
        }
        if cursor.skip("}") {
            return match self.bundle.take() {
                Some(_) if cursor.is_at_end() => Ok(()),
                Some(_) => Err(cursor.error("expected the end of the line after `}`")),
                None => Err(cursor.error("`}` closes nothing")),
            };
        }
        let begins_bundle = self.instruction(cursor)?;
        if begins_bundle && self.bundle.replace(cursor.offset()).is_some() {
            return Err(cursor.error("a bundle in a bundle"));
        }
        self.close_block();
        Ok(())
    }

    fn label(&mut self, number: u32, offset: usize, mut cursor: Cursor<'t>) -> Result<(), ReadError> {
        if let Some(open) = self.bundle {
            return Err(ReadError::new(open, "this bundle does not end in its block"));
        }
        let name = if cursor.skip_here(".") { cursor.symbol()? } else { "" };
        cursor.skip_spaces();
        if cursor.rest().starts_with('(') {
            cursor.parenthesised()?;
        }
        cursor.expect(":", "after the name of a block")?;
        if !cursor.is_at_end() {
            return Err(cursor.error("expected the end of the line after the label of a block"));
        }
        let block = self.function.blocks.len() as BlockIndex;
        if self.numbers.insert(number, block).is_some() {
            return Err(ReadError::new(offset, format!("bb.{number} is here a second time")));
        }
        let next = self.function.instructions.len() as u32;
        self.function.blocks.push(Block { number, name, offset, instructions: next..next, successors: None });
        Ok(())
    }

    /// The instruction that was read last is one of the last block.
    fn close_block(&mut self) {
        let end = self.function.instructions.len() as u32;
        if let Some(block) = self.function.blocks.last_mut() {
            block.instructions.end = end;
        }
    }

    fn successors(&mut self, mut cursor: Cursor<'t>) -> Result<(), ReadError> {
        let start = self.function.successors.len() as u32;
        while !cursor.is_at_end() {
            let block = self.block(&mut cursor)?;
            self.function.successors.push(block);
            // How likely it is.
            if cursor.rest().starts_with('(') {
                cursor.parenthesised()?;
            }
            if !cursor.is_at_end() {
                cursor.expect(",", "between the successors of a block")?;
            }
        }
        let end = self.function.successors.len() as u32;
        let block = self.function.blocks.last_mut().expect("it stands in a block");
        if block.successors.replace(start..end).is_some() {
            return Err(cursor.error("a second `successors:` line in this block"));
        }
        Ok(())
    }

    /// A block that is named as an operand: `%bb.1` or `%bb.1.loop`.
    pub(crate) fn block(&mut self, cursor: &mut Cursor<'t>) -> Result<BlockIndex, ReadError> {
        cursor.skip_spaces();
        let offset = cursor.offset();
        let is_block = cursor.skip_here("%bb.");
        let Some(number) = cursor.number().filter(|_| is_block) else {
            return Err(ReadError::new(offset, "expected a block, such as `%bb.1`"));
        };
        if cursor.skip_here(".") {
            cursor.symbol()?;
        }
        self.named.push((number, offset));
        Ok(self.named.len() as BlockIndex - 1)
    }

    /// A virtual register that is named at a place.
    pub(crate) fn register(&mut self, name: &'t str, offset: usize) -> RegisterIndex {
        let registers = &mut self.function.registers;
        *self.registers.entry(name).or_insert_with(|| {
            registers.push(Register { name, class: "", is_boolean: false, offset });
            registers.len() as RegisterIndex - 1
        })
    }

    /// The function, in which blocks are known by their places.
    fn finish(mut self) -> Result<Function<'t>, ReadError> {
        if let Some(open) = self.bundle {
            return Err(ReadError::new(open, "this bundle does not end"));
        }
        let found = self.named.iter().map(|&(number, offset)| {
            let block = self.numbers.get(&number).copied();
            block.ok_or_else(|| ReadError::new(offset, format!("there is no block bb.{number}")))
        });
        let found: Vec<BlockIndex> = found.collect::<Result<_, _>>()?;
        for successor in &mut self.function.successors {
            *successor = found[*successor as usize];
        }
        for operand in &mut self.function.operands {
            if let What::Block(block) = &mut operand.what {
                *block = found[*block as usize];
            }
        }
        Ok(self.function)
    }
}
