//! Writing a function: its parts, its blocks, its registers.

use super::blocks::{Block, BlockName, Blocks, Cases, INDENT, Section, Terminator};
use super::operand::{Operand, Piece, Writer};
use super::{Language, ModuleText};
use crate::origin::OriginId;

/// A part of a function. Each is written to its end, whenever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `define …`, up to the brace, which is none of it.
    Header,
    /// What stands at the very start of the entry block.
    First,
    /// What stands behind that: room on the stack.
    Room,
    /// The blocks.
    Blocks,
}

/// Memory of a function that was written, for the next one.
#[derive(Debug)]
pub struct Room<Name, Type> {
    blocks: Blocks<Name, Type>,
    /// By [`Part`].
    sections: [Section; 4],
}

impl<Name, Type> Default for Room<Name, Type> {
    fn default() -> Self {
        Room { blocks: Blocks::default(), sections: Default::default() }
    }
}

/// A function being written.
#[derive(Debug)]
pub struct Body<L: Language> {
    writer: Writer<L>,
    /// What is being written; its bytes are those of the writer.
    part: Part,
    sections: [Section; 4],
    blocks: Blocks<L::Name, L::Type>,
    registers: u32,
    /// What the instructions that are written from here on are in the source.
    pub origin: Option<OriginId>,
}

impl<L: Language> Body<L> {
    /// A function of which nothing is written: its blocks are.
    pub fn new(language: L, room: Room<L::Name, L::Type>) -> Body<L> {
        let Room { mut blocks, mut sections } = room;
        blocks.clear();
        sections.iter_mut().for_each(Section::clear);
        let bytes = std::mem::take(&mut sections[Part::Blocks as usize].bytes);
        let writer = Writer { language, bytes };
        Body { writer, part: Part::Blocks, sections, blocks, registers: 0, origin: None }
    }

    /// How names and types are spelled.
    pub fn language(&mut self) -> &mut L {
        &mut self.writer.language
    }

    /// Goes on with another part; gives the one that was written.
    pub fn turn_to(&mut self, part: Part) -> Part {
        let before = std::mem::replace(&mut self.part, part);
        self.sections[before as usize].bytes = std::mem::take(&mut self.writer.bytes);
        self.writer.bytes = std::mem::take(&mut self.sections[part as usize].bytes);
        before
    }

    /// Writes a piece.
    #[inline]
    pub fn put(&mut self, piece: impl Piece<L>) {
        piece.put(&mut self.writer);
    }

    /// Starts an instruction. Behind a jump, that is in a block that nothing goes to.
    #[inline]
    pub fn start(&mut self) {
        self.need_block();
        self.mark(INDENT);
        self.put("  ");
    }

    /// Says that what has [`Body::origin`] begins some bytes behind what is written.
    #[inline]
    pub fn mark(&mut self, ahead: usize) {
        if let Some(origin) = self.origin {
            self.sections[self.part as usize].marks.push((self.writer.bytes.len() + ahead, origin));
        }
    }

    /// Starts an instruction with a result.
    #[inline]
    pub fn define(&mut self) -> Operand<L::Name> {
        let result = Operand::Register(self.registers);
        self.registers += 1;
        self.start();
        self.put(result);
        self.put(" = ");
        result
    }

    /// Ends an instruction. `location`: the number of its place in debug information.
    #[inline]
    pub fn end(&mut self, location: Option<u32>) {
        if let Some(number) = location {
            self.put(", !dbg !");
            self.put(number);
        }
        self.put("\n");
    }

    fn need_block(&mut self) {
        if self.part == Part::Blocks && self.blocks.current.is_none() {
            let block = self.create("dead.code");
            self.open(block);
        }
    }

    /// A block that will be opened later. Its name is the word, behind which stands a number if the word was used before.
    pub fn create(&mut self, word: &'static str) -> Block {
        self.blocks.create(word)
    }

    /// Starts a block; nothing is open.
    pub fn open(&mut self, block: Block) {
        self.blocks.open(block, self.writer.bytes.len());
    }

    /// The block that is being written.
    pub fn current(&mut self) -> Block {
        self.need_block();
        self.blocks.current.expect("a block was opened")
    }

    /// Ends the block that is open, if one is. `origin`: what the terminator decides on.
    pub fn close(&mut self, terminator: Terminator<L::Name, L::Type>, location: Option<u32>, origin: Option<OriginId>) {
        self.blocks.close(terminator, self.writer.bytes.len(), location, origin);
    }

    /// Keeps the cases of a `switch`.
    pub fn cases(&mut self, cases: impl IntoIterator<Item = (i128, Block)>) -> Cases {
        self.blocks.add_cases(cases)
    }

    /// The name of a block, for a phi: it is kept as it is then.
    pub fn name_for_phi(&mut self, block: Block) -> BlockName {
        self.blocks.pin(block);
        self.blocks.name(block)
    }

    /// Keeps a block that something has the address of, as it is.
    pub fn keep(&mut self, block: Block) {
        self.blocks.keep(block);
    }

    /// Whether something goes on to a block already.
    pub fn is_referenced(&self, block: Block) -> bool {
        self.blocks.is_referenced(block)
    }

    /// Leaves out blocks without instructions that only go on to another one, but for the first. O(blocks).
    pub fn skip_empty_blocks(&mut self) {
        self.blocks.skip_empty();
    }

    /// Writes the function behind what the module holds.
    pub fn finish(mut self, module: &mut ModuleText) -> Room<L::Name, L::Type> {
        self.sections[self.part as usize].bytes = self.writer.bytes;
        let [header, first, room, text] = &self.sections;
        header.write(module);
        module.bytes.extend_from_slice(b" {\n");
        self.blocks.write([first, room], text, self.writer.language, module);
        module.bytes.extend_from_slice(b"}\n\n");
        Room { blocks: self.blocks, sections: self.sections }
    }
}
