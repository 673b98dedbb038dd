//! Which lines of the source parts of a function come from.

use std::fmt;

use reconverge_findings::{Scene, Voice};
use reconverge_ir::function::{Block, Inst};
use serde::Serialize;

use super::{SourceVoice, SourceWords};

/// A function, as the source has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceFunction {
    /// Its name, as written.
    pub name: String,
    /// The file that it is in.
    pub file: String,
    /// The line of its name, from 1.
    pub line: usize,
}

/// Lines of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceLines {
    /// The first one, from 1.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// What stands in the first one.
    #[serde(skip)]
    pub text: String,
}

impl fmt::Display for SourceLines {
    /// `line 7`, `lines 7 to 10`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last > self.first {
            true => write!(formatter, "lines {} to {}", self.first, self.last),
            false => write!(formatter, "line {}", self.first),
        }
    }
}

/// Finds lines for one function.
#[derive(Clone, Copy)]
pub(crate) struct LineFinder<'a, 't> {
    pub(crate) words: &'a SourceWords,
    pub(crate) scene: Scene<'a, 't>,
}

impl LineFinder<'_, '_> {
    /// The function; none where nobody knows where it is.
    pub(crate) fn function(&self) -> Option<SourceFunction> {
        let Scene { module, id, .. } = self.scene;
        let origin = self.words.origins_in(&self.scene).of_function()?;
        let name = module.function_name(id);
        Some(SourceFunction {
            name: SourceVoice(self.words).written(name.strip_prefix('@').unwrap_or(&name)).into_owned(),
            file: origin.place.file.path.display().to_string(),
            line: origin.place.line()?.0 as usize,
        })
    }

    /// The lines from the first to the last instruction, of those that are in the file of the function. O(instructions).
    pub(crate) fn of_instructions(&self, instructions: impl Iterator<Item = Inst>) -> Option<SourceLines> {
        let file = self.function()?.file;
        let (mut first, mut last) = (usize::MAX, 0);
        for inst in instructions {
            let node = self.scene.function.instructions[inst].debug_location.expand();
            let Some(location) = node.and_then(|node| self.scene.module.debug_location(node)) else { continue };
            // What was inlined is in the line of the outermost call.
            let location = location.inlined_at.last().unwrap_or(&location);
            if location.line > 0 && self.words.files.is_same(&location.file, &file) {
                first = first.min(location.line as usize);
                last = last.max(location.line as usize);
            }
        }
        let text = self.words.files.line(&file, first)?;
        (last > 0).then_some(SourceLines { first, last, text })
    }

    /// The lines of blocks.
    pub(crate) fn of_blocks(&self, blocks: impl IntoIterator<Item = Block>) -> Option<SourceLines> {
        let function = self.scene.function;
        self.of_instructions(blocks.into_iter().flat_map(|block| function.block_instructions(block)))
    }
}
