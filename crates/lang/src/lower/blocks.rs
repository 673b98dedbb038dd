//! The blocks of a body while it is written.
//!
//! **Invariants.** A block is opened once and closed once, with a terminator; the text of a block is a span of the body's. Blocks that cannot be reached
//! are not written. On request, neither are blocks without instructions that only go on to another one ([`Blocks::skip_empty`]).

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::origins::{INDENT, Mark, Subject};
use super::writer::{Block, BlockName, Operand, Writer};
use crate::typed::Type;

/// How a block ends.
#[derive(Debug, Clone)]
pub(super) enum Terminator {
    /// It was not closed.
    Open,
    /// Goes on to a block.
    Branch(Block),
    /// Goes on to the first block if a bool is true, else to the second.
    Conditional(Operand, Block, Block),
    /// Goes on by the value of an integer: the cases are a span of [`Blocks::cases`].
    Switch(Operand, Type, Block, Range<usize>),
    /// Returns nothing.
    ReturnVoid,
    /// Returns a value.
    Return(Type, Operand),
}

#[derive(Debug)]
struct BlockData {
    name: BlockName,
    text: Range<usize>,
    terminator: Terminator,
    /// The number of the terminator's location.
    location: Option<u32>,
    /// What the terminator decides on.
    subject: Subject,
    is_referenced: bool,
    /// Whether a phi names it.
    is_pinned: bool,
}

/// Instructions, and the subjects of those that have one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    /// In order.
    pub(super) marks: &'a [Mark],
}

impl Text<'_> {
    /// Writes a part of it.
    fn write(self, part: Range<usize>, to: &mut Writer<'_>, marks: &mut Vec<Mark>) {
        let first = self.marks.partition_point(|mark| mark.at < part.start);
        let inside = self.marks[first..].iter().take_while(|mark| mark.at < part.end);
        let start = to.bytes.len();
        marks.extend(inside.map(|mark| Mark { at: mark.at - part.start + start, ..*mark }));
        to.put(&self.bytes[part]);
    }
}

/// The blocks of a body.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    list: Vec<BlockData>,
    order: Vec<Block>,
    /// The block that is being written; none behind a jump.
    pub(super) current: Option<Block>,
    /// The cases of all switches.
    pub(super) cases: Vec<(i128, Block)>,
    counts: FxHashMap<&'static str, u32>,
}

impl Blocks {
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
            subject: Subject::None,
            is_referenced: false,
            is_pinned: false,
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
    pub(super) fn close(&mut self, terminator: Terminator, at: usize, location: Option<u32>, subject: Subject) {
        let Some(block) = self.current.take() else { return };
        for target in targets(&terminator, &self.cases) {
            self.list[target.0 as usize].is_referenced = true;
        }
        let data = &mut self.list[block.0 as usize];
        data.text.end = at;
        data.terminator = terminator;
        data.location = location;
        data.subject = subject;
    }

    /// Keeps a block as it is, because a phi names it.
    pub(super) fn pin(&mut self, block: Block) {
        self.list[block.0 as usize].is_pinned = true;
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
                Terminator::Open | Terminator::ReturnVoid | Terminator::Return(..) => {}
            }
        }
        self.cases.iter_mut().for_each(|(_, to)| target(to));
    }

    /// Which blocks can be reached.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.list.len()];
        let mut work: Vec<Block> = self.order.first().copied().into_iter().collect();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block.0 as usize], true) {
                work.extend(targets(&self.list[block.0 as usize].terminator, &self.cases));
            }
        }
        reached
    }

    /// Writes the blocks that can be reached behind what `to` holds, and the marks of what is written to `marks`. `first` and then `entry` stand at the start of the first
    /// block; `text` has what is in all of them.
    pub(super) fn write(
        &self,
        first: &[u8],
        entry: Text<'_>,
        text: Text<'_>,
        to: &mut Writer<'_>,
        marks: &mut Vec<Mark>,
    ) {
        let reached = self.reached();
        for (index, &block) in self.order.iter().enumerate().filter(|(_, block)| reached[block.0 as usize]) {
            let data = &self.list[block.0 as usize];
            if index > 0 {
                to.put("\n");
            }
            to.put(data.name);
            to.put(":\n");
            if index == 0 {
                to.put(first);
                entry.write(0..entry.bytes.len(), to, marks);
            }
            text.write(data.text.clone(), to, marks);
            if data.subject != Subject::None {
                marks.push(Mark { at: to.bytes.len() + INDENT, subject: data.subject });
            }
            self.write_terminator(data, to);
        }
    }

    fn write_terminator(&self, data: &BlockData, to: &mut Writer<'_>) {
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
            Terminator::ReturnVoid => to.put("  ret void"),
            &Terminator::Return(of, value) => {
                to.put("  ret ");
                to.put(super::writer::Of(of));
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

    fn write_switch(&self, value: (Operand, Type), default: Block, cases: &Range<usize>, to: &mut Writer<'_>) {
        let of = super::writer::Of(value.1);
        to.put("  switch ");
        to.put(of);
        to.put(" ");
        to.put(value.0);
        to.put(", label %");
        to.put(self.name(default));
        to.put(" [\n");
        for &(case, target) in &self.cases[cases.clone()] {
            to.put("    ");
            to.put(of);
            to.put(" ");
            to.put(case);
            to.put(", label %");
            to.put(self.name(target));
            to.put("\n");
        }
        to.put("  ]");
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
fn targets(terminator: &Terminator, cases: &[(i128, Block)]) -> SmallVec<[Block; 2]> {
    match terminator {
        &Terminator::Branch(to) => SmallVec::from_slice(&[to]),
        &Terminator::Conditional(_, then, otherwise) => SmallVec::from_slice(&[then, otherwise]),
        Terminator::Switch(_, _, default, span) => {
            cases[span.clone()].iter().map(|&(_, to)| to).chain([*default]).collect()
        }
        Terminator::Open | Terminator::ReturnVoid | Terminator::Return(..) => SmallVec::new(),
    }
}
