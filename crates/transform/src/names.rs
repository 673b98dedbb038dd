//! Names that a function does not have yet.

use reconverge_ir::function::LocalName;
use reconverge_ir::{Function, Module, text};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes up names of values and blocks, which share one namespace.
pub(crate) struct Names {
    taken: FxHashSet<String>,
    numbers: FxHashMap<String, u32>,
}

impl Names {
    /// The names of a function are taken. O(instructions).
    pub(crate) fn new(module: &Module<'_>, function: &Function) -> Names {
        let results = function.instructions.values().filter(|data| data.result.is_some()).map(|data| data.name);
        let names = results
            .chain(function.parameter_names.iter().copied())
            .chain(function.blocks.values().map(|block| block.name));
        let text = |name| match name {
            LocalName::Text(span) => Some(String::from_utf8_lossy(&text::unquote(span.of(module.text))).into_owned()),
            LocalName::Number(_) => None,
        };
        Names { taken: names.filter_map(text).collect(), numbers: FxHashMap::default() }
    }

    /// `stem`, or that with a number behind it; without sigil, and taken from now on. `stem` is of letters, digits, `.`, `_`, `-`, `$`
    /// and does not begin with a digit.
    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        if !self.numbers.contains_key(stem) {
            self.numbers.insert(stem.to_owned(), 0);
        }
        let number = self.numbers.get_mut(stem).expect("it is there");
        loop {
            let name = if *number == 0 { stem.to_owned() } else { format!("{stem}.{number}") };
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
