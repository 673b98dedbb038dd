//! What the instructions of inline assembly compute: one table of [recipes](crate::recipe) for source and for IR.
//!
//! A function has the name of the instruction with its modifiers behind [`PREFIX`], takes its sources, and returns what the
//! destination gets. No program can call it, as the name has a dot. Special registers are functions of their names; `NAME|p` is
//! the second result of an instruction. An instruction that is an operation of several threads is the intrinsic of LLVM that
//! stands for it, so all that is known of the intrinsic is known of the instruction.

use std::sync::{LazyLock, OnceLock};

use rustc_hash::FxHashMap;

use super::ptx;
use super::template::Language;
use crate::recipe::{Recipe, expand, head};

/// What the names of instructions begin with.
pub const PREFIX: &str = "asm.";

/// The instructions of AMD's GPUs.
const GCN: &str = include_str!("gcn.txt");

/// The lines of an instruction, and the recipes that they make once somebody asks.
#[derive(Default)]
struct Entry {
    lines: Vec<&'static str>,
    recipes: OnceLock<Vec<Recipe>>,
}

static TABLES: [LazyLock<FxHashMap<&'static str, Entry>>; 2] =
    [LazyLock::new(|| table(ptx::lines())), LazyLock::new(|| table(GCN))];

fn table(text: &'static str) -> FxHashMap<&'static str, Entry> {
    let mut table: FxHashMap<&'static str, Entry> = FxHashMap::default();
    for line in lines_of(text) {
        if let Some((_, name)) = head(line) {
            table.entry(name).or_default().lines.push(line);
        }
    }
    table
}

fn lines_of(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// All lines of the tables.
pub fn lines() -> impl Iterator<Item = &'static str> {
    lines_of(GCN).chain(lines_of(ptx::lines()))
}

/// The names of all instructions.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().flat_map(|table| table.keys().copied())
}

/// The recipes of an instruction, given with [`PREFIX`], one for each number of sources; none if no table has it.
pub fn recipes(language: Language, name: &str) -> Option<&'static [Recipe]> {
    let entry = TABLES[language as usize].get(name)?;
    Some(entry.recipes.get_or_init(|| entry.lines.iter().filter_map(|line| expand(line)).flatten().collect()))
}

/// The recipe of an instruction, given without [`PREFIX`], that takes so many sources.
pub(super) fn recipe(language: Language, name: &str, sources: usize) -> Option<&'static Recipe> {
    let recipes = recipes(language, &format!("{PREFIX}{name}"))?;
    recipes.iter().find(|recipe| recipe.overload.parameters.len() == sources)
}
