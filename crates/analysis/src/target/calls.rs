//! Facts by the name of a function.
//!
//! A name is looked up as it is, then an intrinsic without the types at its end (`llvm.x.i32.p1` is an overload of
//! `llvm.x`), a mangled name by the plain name of the function (`_Z7barrierj` is `barrier`). An entry that ends in `*`
//! holds for every name that begins so and has no entry of its own; of several, the longest. The entries of a
//! later file replace earlier ones, those that begin so included.

use std::borrow::Cow;
use std::collections::BTreeMap;

use reconverge_operations::facts::CallFacts;
use reconverge_operations::names;
use rustc_hash::FxHashMap;

/// Facts by name.
#[derive(Debug, Clone)]
pub(super) struct CallTable {
    pub(super) exact: Names,
    /// Those that end in `*`, without it.
    pub(super) prefixes: Names,
    /// The numbers of names are places here.
    pub(super) facts: Cow<'static, [CallFacts]>,
}

/// Numbers by name, in the order of names.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// The names, one after the other.
    pub(super) text: Cow<'static, str>,
    /// Of each name the first byte, the end, and the number.
    pub(super) rows: Cow<'static, [(u32, u32, u32)]>,
}

impl Names {
    const EMPTY: Names = Names { text: Cow::Borrowed(""), rows: Cow::Borrowed(&[]) };

    fn new(entries: BTreeMap<String, u32>) -> Names {
        let (mut text, mut rows) = (String::new(), Vec::new());
        let place = |text: &String| u32::try_from(text.len()).expect("the reader bounds the length of a file");
        for (name, number) in entries {
            let start = place(&text);
            text.push_str(&name);
            rows.push((start, place(&text), number));
        }
        Names { text: text.into(), rows: rows.into() }
    }

    fn name(&self, (start, end, _): (u32, u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// The last row whose name is not behind another name.
    fn last_up_to(&self, name: &[u8]) -> Option<(u32, u32, u32)> {
        let behind = self.rows.partition_point(|&row| self.name(row).as_bytes() <= name);
        self.rows[..behind].last().copied()
    }

    /// The number of a name; O(length of the name times the logarithm of the table).
    fn get(&self, name: &[u8]) -> Option<u32> {
        self.last_up_to(name).filter(|&row| self.name(row).as_bytes() == name).map(|row| row.2)
    }

    /// The number of the longest name that another one begins with.
    fn longest_prefix(&self, mut name: &[u8]) -> Option<u32> {
        loop {
            let row = self.last_up_to(name)?;
            let found = self.name(row).as_bytes();
            if name.starts_with(found) {
                return Some(row.2);
            }
            // What is longer than the part that they share, and a prefix, would be between the two.
            name = &name[..name.iter().zip(found).take_while(|(one, other)| one == other).count()];
        }
    }

    fn rows(&self) -> impl Iterator<Item = (&str, u32)> {
        self.rows.iter().map(|&row| (self.name(row), row.2))
    }
}

impl CallTable {
    /// One that knows no name.
    pub(super) const EMPTY: CallTable =
        CallTable { exact: Names::EMPTY, prefixes: Names::EMPTY, facts: Cow::Borrowed(&[]) };

    fn new(entries: impl IntoIterator<Item = (String, CallFacts)>) -> CallTable {
        let mut facts: Vec<CallFacts> = Vec::new();
        let mut numbers: FxHashMap<CallFacts, u32> = FxHashMap::default();
        let (mut exact, mut prefixes) = (BTreeMap::new(), BTreeMap::new());
        for (name, of_name) in entries {
            let number = *numbers.entry(of_name).or_insert_with(|| {
                facts.push(of_name);
                u32::try_from(facts.len() - 1).expect("the reader bounds the length of a file")
            });
            match name.strip_suffix('*') {
                Some(prefix) => prefixes.insert(prefix.to_owned(), number),
                None => exact.insert(name, number),
            };
        }
        CallTable { exact: Names::new(exact), prefixes: Names::new(prefixes), facts: facts.into() }
    }

    /// Adds the entries of a file, which replace those that are there for the same names; O(length of the table, sorted).
    pub(super) fn extend(&mut self, entries: impl IntoIterator<Item = (String, CallFacts)>) {
        let entries: BTreeMap<String, CallFacts> = entries.into_iter().collect();
        let prefixes = entries.keys().filter_map(|name| Some((name.strip_suffix('*')?.to_owned(), 0)));
        let replaced = Names::new(prefixes.collect());
        let stays = self.rows().filter(|(name, _)| {
            let name = name.strip_suffix('*').unwrap_or(name);
            replaced.longest_prefix(name.as_bytes()).is_none()
        });
        let stays: BTreeMap<String, CallFacts> = stays.collect();
        *self = CallTable::new(stays.into_iter().chain(entries));
    }

    /// The facts for a name.
    pub(super) fn find(&self, name: &[u8]) -> Option<&CallFacts> {
        self.number(name).map(|number| &self.facts[number as usize])
    }

    fn number(&self, name: &[u8]) -> Option<u32> {
        let exact = names::candidates(name).find_map(|name| self.exact.get(name));
        exact.or_else(|| self.prefixes.longest_prefix(names::plain(name).unwrap_or(name)))
    }

    /// All entries.
    pub(super) fn rows(&self) -> impl Iterator<Item = (String, CallFacts)> {
        let facts = |number: u32| self.facts[number as usize];
        let exact = self.exact.rows().map(move |(name, number)| (name.to_owned(), facts(number)));
        exact.chain(self.prefixes.rows().map(move |(name, number)| (format!("{name}*"), facts(number))))
    }
}

/// Whether a name is the one that a pattern stands for.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.strip_suffix(b"*") {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}
