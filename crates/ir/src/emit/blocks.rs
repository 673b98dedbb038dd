//! The blocks of a body while it is written.
//!
//! **Invariants.** A block is opened once and closed once, with a terminator; the text of a block is a span of the body's. Blocks that cannot be reached
//! are not written. On request, neither are blocks without instructions that only go on to another one ([`Blocks::skip_empty`]). Marks are in the order of the text,
//! so one walk over the blocks moves them to where the blocks are written.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::operand::{Operand, Piece, Writer};
use super::{Language, ModuleText, mark};
use crate::origin::OriginId;

/// The blanks before an instruction.
pub(super) const INDENT: usize = 2;

/// A block of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block(u32);

/// How a block is named: a word, and a number if that word was used before.
#[derive(Debug, Clone, Copy)]
pub struct BlockName {
    word: &'static str,
    /// How many with this word there were before.
    number: u32,
}

impl<L: Language> Piece<L> for BlockName {
    fn put(self, to: &mut Writer<L>) {
        to.put(self.word);
        if self.number > 0 {
            to.put(".");
            to.put(self.number);
        }
    }
}

/// How a block ends.
#[derive(Debug, Clone)]
pub enum Terminator<Name, Type> {
    /// It was not closed.
    Open,
    /// Goes on to a block.
    Branch(Block),
    /// Goes on to the first block if a bool is true, else to the second.
    Conditional(Operand<Name>, Block, Block),
    /// Goes on by the value of an integer: to the block of a case ([`Body::cases`](super::Body::cases)), or else to the one given.
    Switch(Operand<Name>, Type, Block, Cases),
    /// Goes on to the block at an address, which is one of those given; their values mean nothing.
    Indirect(Operand<Name>, Cases),
    /// Returns nothing.
    ReturnVoid,
    /// Returns a value.
    Return(Type, Operand<Name>),
}

#[derive(Debug)]
struct BlockData<Name, Type> {
    name: BlockName,
    text: Range<usize>,
    terminator: Terminator<Name, Type>,
    /// The number of the terminator's location.
    location: Option<u32>,
    /// What the terminator decides on.
    origin: Option<OriginId>,
    is_referenced: bool,
    /// Whether a phi names it, or something has its address.
    is_pinned: bool,
    /// Whether something has its address: it is written whoever goes there.
    is_kept: bool,
}

/// The cases of a `switch`: a span of those of its body.
#[derive(Debug, Clone)]
pub struct Cases(Range<usize>);

/// A part of a text, and what begins where in it, in order.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) bytes: Vec<u8>,
    pub(super) marks: Vec<(usize, OriginId)>,
}

impl Section {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
    }

    /// Writes all of it.
    pub(super) fn write(&self, to: &mut ModuleText) {
        self.write_part(0..self.bytes.len(), to);
    }

    /// Writes a part of it.
    fn write_part(&self, part: Range<usize>, to: &mut ModuleText) {
        let first = self.marks.partition_point(|&(at, _)| at < part.start);
        let start = to.bytes.len();
        for &(at, origin) in self.marks[first..].iter().take_while(|&&(at, _)| at < part.end) {
            mark(&mut to.origins, at - part.start + start, origin);
        }
        to.bytes.extend_from_slice(&self.bytes[part]);
    }
}

/// The blocks of a body.
#[derive(Debug)]
pub(super) struct Blocks<Name, Type> {
    list: Vec<BlockData<Name, Type>>,
    order: Vec<Block>,
    /// The block that is being written; none behind a jump.
    pub(super) current: Option<Block>,
    /// The cases of all switches.
    cases: Vec<(i128, Block)>,
    counts: FxHashMap<&'static str, u32>,
}

impl<Name, Type> Default for Blocks<Name, Type> {
    fn default() -> Self {
        let (list, order, cases) = (Vec::new(), Vec::new(), Vec::new());
        Blocks { list, order, current: None, cases, counts: FxHashMap::default() }
    }
}

impl<Name: Copy, Type: Copy> Blocks<Name, Type> {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.order.clear();
        self.current = None;
        self.cases.clear();
        self.counts.clear();
    }

    /// A block that will be opened later.
    pub(super) fn create(&mut self, word: &'static str) -> Block {
        let count = self.counts.entry(word).or_default();
        let name = BlockName { word, number: *count };
        *count += 1;
        self.list.push(BlockData {
            name,
            text: 0..0,
            terminator: Terminator::Open,
            location: None,
            origin: None,
            is_referenced: false,
            is_pinned: false,
            is_kept: false,
        });
        Block(self.list.len() as u32 - 1)
    }

    /// The name of a block.
    pub(super) fn name(&self, block: Block) -> BlockName {
        self.list[block.0 as usize].name
    }

    /// Whether something goes on to a block already.
    pub(super) fn is_referenced(&self, block: Block) -> bool {
        self.list[block.0 as usize].is_referenced
    }

    /// Starts a block; nothing is open. `at` is the end of the text.
    pub(super) fn open(&mut self, block: Block, at: usize) {
        self.list[block.0 as usize].text = at..at;
        self.order.push(block);
        self.current = Some(block);
    }

    /// Ends the open block, if there is one.
    pub(super) fn close(
        &mut self,
        terminator: Terminator<Name, Type>,
        at: usize,
        location: Option<u32>,
        origin: Option<OriginId>,
    ) {
        let Some(block) = self.current.take() else { return };
        for target in targets(&terminator, &self.cases) {
            self.list[target.0 as usize].is_referenced = true;
        }
        let data = &mut self.list[block.0 as usize];
        data.text.end = at;
        data.terminator = terminator;
        data.location = location;
        data.origin = origin;
    }

    /// Keeps a block as it is, because a phi names it.
    pub(super) fn pin(&mut self, block: Block) {
        self.list[block.0 as usize].is_pinned = true;
    }

    /// Keeps a block that something has the address of.
    pub(super) fn keep(&mut self, block: Block) {
        let data = &mut self.list[block.0 as usize];
        (data.is_pinned, data.is_kept, data.is_referenced) = (true, true, true);
    }

    /// Makes whoever goes on to an empty block go on to where that one goes. O(blocks).
    pub(super) fn skip_empty(&mut self) {
        let mut next: Vec<Block> = (0..self.list.len() as u32).map(Block).collect();
        for &block in self.order.iter().skip(1) {
            let data = &self.list[block.0 as usize];
            if let (true, false, &Terminator::Branch(to)) = (data.text.is_empty(), data.is_pinned, &data.terminator) {
                next[block.0 as usize] = to;
            }
        }
        resolve(&mut next);
        let target = |block: &mut Block| *block = next[block.0 as usize];
        for data in &mut self.list {
            match &mut data.terminator {
                Terminator::Branch(to) => target(to),
                Terminator::Conditional(_, then, otherwise) => {
                    target(then);
                    target(otherwise);
                }
                Terminator::Switch(_, _, default, _) => target(default),
                Terminator::Open | Terminator::ReturnVoid | Terminator::Return(..) | Terminator::Indirect(..) => {}
            }
        }
        self.cases.iter_mut().for_each(|(_, to)| target(to));
    }

    /// Which blocks can be reached.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.list.len()];
        let is_kept = |block: &&Block| self.list[block.0 as usize].is_kept;
        let mut work: Vec<Block> =
            self.order.first().into_iter().chain(self.order.iter().filter(is_kept)).copied().collect();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block.0 as usize], true) {
                work.extend(targets(&self.list[block.0 as usize].terminator, &self.cases));
            }
        }
        reached
    }

    /// Writes the blocks that can be reached behind what `to` holds. `first` stands at the start of the first block; `text` has what is in all of them.
    pub(super) fn write<L: Language<Name = Name, Type = Type>>(
        &self,
        first: [&Section; 2],
        text: &Section,
        language: L,
        to: &mut ModuleText,
    ) {
        let reached = self.reached();
        let mut writer = Writer { language, bytes: Vec::new() };
        for (index, &block) in self.order.iter().enumerate().filter(|(_, block)| reached[block.0 as usize]) {
            let data = &self.list[block.0 as usize];
            std::mem::swap(&mut writer.bytes, &mut to.bytes);
            if index > 0 {
                writer.put("\n");
            }
            writer.put(data.name);
            writer.put(":\n");
            std::mem::swap(&mut writer.bytes, &mut to.bytes);
            if index == 0 {
                first.iter().for_each(|section| section.write(to));
            }
            text.write_part(data.text.clone(), to);
            if let Some(origin) = data.origin {
                mark(&mut to.origins, to.bytes.len() + INDENT, origin);
            }
            std::mem::swap(&mut writer.bytes, &mut to.bytes);
            self.write_terminator(data, &mut writer);
            std::mem::swap(&mut writer.bytes, &mut to.bytes);
        }
    }

    fn write_terminator<L: Language<Name = Name, Type = Type>>(
        &self,
        data: &BlockData<Name, Type>,
        to: &mut Writer<L>,
    ) {
        match &data.terminator {
            Terminator::Open => to.put("  unreachable"),
            &Terminator::Branch(target) => {
                to.put("  br label %");
                to.put(self.name(target));
            }
            &Terminator::Conditional(condition, then, otherwise) => {
                to.put("  br i1 ");
                to.put(condition);
                to.put(", label %");
                to.put(self.name(then));
                to.put(", label %");
                to.put(self.name(otherwise));
            }
            Terminator::Switch(value, of, default, cases) => self.write_switch((*value, *of), *default, cases, to),
            Terminator::Indirect(address, blocks) => {
                to.put("  indirectbr ptr ");
                to.put(*address);
                to.put(", [");
                for (index, &(_, target)) in self.cases[blocks.0.clone()].iter().enumerate() {
                    to.put(if index > 0 { ", label %" } else { "label %" });
                    to.put(self.name(target));
                }
                to.put("]");
            }
            Terminator::ReturnVoid => to.put("  ret void"),
            &Terminator::Return(of, value) => {
                to.put("  ret ");
                to.put_type(of);
                to.put(" ");
                to.put(value);
            }
        }
        if let Some(location) = data.location {
            to.put(", !dbg !");
            to.put(location);
        }
        to.put("\n");
    }

    fn write_switch<L: Language<Name = Name, Type = Type>>(
        &self,
        (value, of): (Operand<Name>, Type),
        default: Block,
        cases: &Cases,
        to: &mut Writer<L>,
    ) {
        to.put("  switch ");
        to.put_type(of);
        to.put(" ");
        to.put(value);
        to.put(", label %");
        to.put(self.name(default));
        to.put(" [\n");
        for &(case, target) in &self.cases[cases.0.clone()] {
            to.put("    ");
            to.put_type(of);
            to.put(" ");
            to.put(case);
            to.put(", label %");
            to.put(self.name(target));
            to.put("\n");
        }
        to.put("  ]");
    }

    /// Keeps the cases of a `switch`.
    pub(super) fn add_cases(&mut self, cases: impl IntoIterator<Item = (i128, Block)>) -> Cases {
        let start = self.cases.len();
        self.cases.extend(cases);
        Cases(start..self.cases.len())
    }
}

/// Makes each block name the end of its chain. Of blocks in a circle one stays. O(blocks).
fn resolve(next: &mut [Block]) {
    let mut is_seen = vec![false; next.len()];
    let mut is_done = vec![false; next.len()];
    let mut path = Vec::new();
    for start in 0..next.len() as u32 {
        let mut at = Block(start);
        while !std::mem::replace(&mut is_seen[at.0 as usize], true) {
            path.push(at);
            at = next[at.0 as usize];
        }
        let end = if is_done[at.0 as usize] { next[at.0 as usize] } else { at };
        for block in path.drain(..) {
            next[block.0 as usize] = end;
            is_done[block.0 as usize] = true;
        }
    }
}

/// Where a block can go on to.
fn targets<Name, Type>(terminator: &Terminator<Name, Type>, cases: &[(i128, Block)]) -> SmallVec<[Block; 2]> {
    match terminator {
        &Terminator::Branch(to) => SmallVec::from_slice(&[to]),
        &Terminator::Conditional(_, then, otherwise) => SmallVec::from_slice(&[then, otherwise]),
        Terminator::Switch(_, _, default, span) => {
            cases[span.0.clone()].iter().map(|&(_, to)| to).chain([*default]).collect()
        }
        Terminator::Indirect(_, span) => cases[span.0.clone()].iter().map(|&(_, to)| to).collect(),
        Terminator::Open | Terminator::ReturnVoid | Terminator::Return(..) => SmallVec::new(),
    }
}
