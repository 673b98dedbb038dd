//! The functions that CUDA, HIP and C have without a declaration: which lines of [recipes](reconverge_operations::recipe) make each.
//!
//! **Invariant.** They are in the order of their names, and the lines of one in the order of the tables. `build.rs` sees to it, so that nothing is read when a
//! program starts; what is here only looks names up.

use std::sync::OnceLock;

use reconverge_operations::recipe::{Recipe, expand, head};

use crate::options::{Dialect, LowerTarget};

/// Names and lines, one after the other.
static TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/functions.txt"));

// `NAMES`: where the name of each function is in the text, how long it is, and the number of its first line.
// `LINES`: where each line is in the text, how long it is, and a bit for each dialect that has it.
include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// A function of one dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function {
    index: usize,
    dialect: Dialect,
}

/// C and its like, CUDA, HIP.
fn group(dialect: Dialect) -> usize {
    match dialect {
        Dialect::OpenCl | Dialect::C | Dialect::Cpp => 0,
        Dialect::Cuda => 1,
        Dialect::Hip => 2,
    }
}

/// The function of a name. O(log functions).
pub(super) fn find(dialect: Dialect, name: &str) -> Option<Function> {
    let index = NAMES.binary_search_by(|&(at, length, _)| text(at, length.into()).cmp(name)).ok()?;
    Some(Function { index, dialect }).filter(|function| function.lines().next().is_some())
}

/// All functions of a dialect, in the order of their names.
pub(super) fn all(dialect: Dialect) -> impl Iterator<Item = Function> {
    let functions = (0..NAMES.len()).map(move |index| Function { index, dialect });
    functions.filter(|function| function.lines().next().is_some())
}

impl Function {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        let (at, length, _) = NAMES[self.index];
        text(at, length.into())
    }

    /// Its lines.
    pub(super) fn lines(self) -> impl Iterator<Item = &'static str> {
        let first = |index: usize| NAMES.get(index).map_or(LINES.len(), |&(_, _, first)| first.into());
        let bit = 1 << group(self.dialect);
        let lines = LINES[first(self.index)..first(self.index + 1)].iter();
        lines.filter(move |(_, _, dialects)| dialects & bit != 0).map(|&(at, length, _)| text(at, length.into()))
    }

    /// What its lines make for a target, made when it is called there first.
    pub(super) fn recipes(self, target: LowerTarget) -> &'static [Recipe] {
        type OfAll = OnceLock<Box<[OnceLock<Vec<Recipe>>]>>;
        static MADE: [[OfAll; 4]; 3] = [const { [const { OnceLock::new() }; 4] }; 3];
        let none_yet = || NAMES.iter().map(|_| OnceLock::new()).collect();
        let made = MADE[group(self.dialect)][target as usize].get_or_init(none_yet);
        made[self.index].get_or_init(|| {
            let lines = self.lines().filter(|line| head(line).is_some_and(|(targets, _)| is_for(targets, target)));
            lines.filter_map(expand).flatten().collect()
        })
    }
}

/// A part of the text.
fn text(at: u32, length: usize) -> &'static str {
    &TEXT[at as usize..at as usize + length]
}

/// Whether a list of targets has a target.
fn is_for(targets: &str, target: LowerTarget) -> bool {
    let name = match target {
        LowerTarget::Nvptx => "nvptx",
        LowerTarget::Amdgpu => "amdgpu",
        LowerTarget::Spirv | LowerTarget::Generic => "spirv",
    };
    targets.split_whitespace().any(|known| known == "*" || known == name)
}
