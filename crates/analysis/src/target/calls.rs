//! Facts by the name of a function.
//!
//! A name is looked up as it is, then an intrinsic without the types at its end (`llvm.x.i32.p1` is an overload of
//! `llvm.x`), a mangled name by the plain name of the function (`_Z7barrierj` is `barrier`). An entry that ends in `*`
//! holds for every name that begins so and has no entry of its own; of several, the longest. The entries of a
//! later file replace earlier ones, those that begin so included.

use rustc_hash::{FxHashMap, FxHashSet};

use super::CallFacts;

/// Facts by name.
#[derive(Debug, Clone, Default)]
pub(super) struct CallTable {
    exact: FxHashMap<Box<[u8]>, CallFacts>,
    /// Without the `*`.
    prefixes: FxHashMap<Box<[u8]>, CallFacts>,
    /// The lengths that prefixes have.
    lengths: FxHashSet<usize>,
}

impl CallTable {
    /// Adds the entries of a file, which replace those that are there for the same names.
    pub(super) fn extend(&mut self, entries: impl IntoIterator<Item = (String, CallFacts)>) {
        let (prefixes, exact): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(name, _)| name.ends_with('*'));
        let stem = |name: &str| name.as_bytes()[..name.len() - 1].to_vec();
        // In order, and none of them begins with another one: then only the last one up to a name can be its prefix.
        let mut replaced: Vec<Vec<u8>> = prefixes.iter().map(|(name, _)| stem(name)).collect();
        replaced.sort_unstable();
        replaced.dedup_by(|longer, prefix| longer.starts_with(prefix));
        // Most names are of another family.
        let (first, last) =
            (replaced.first().map_or(&[][..], |first| first), replaced.last().map_or(&[][..], |last| last));
        let shared = first.iter().zip(last).take_while(|(one, other)| one == other).count();
        let has_intrinsics = replaced.iter().any(|prefix| prefix.starts_with(b"llvm."));
        let stays = |name: &[u8]| {
            if !name.starts_with(&first[..shared]) || !has_intrinsics && name.starts_with(b"llvm.") {
                return true;
            }
            let behind = replaced.partition_point(|prefix| prefix.as_slice() <= name);
            !replaced[..behind].last().is_some_and(|prefix| name.starts_with(prefix))
        };
        if !replaced.is_empty() {
            self.exact.retain(|name, _| stays(name));
            self.prefixes.retain(|name, _| stays(name));
        }
        self.prefixes.extend(prefixes.into_iter().map(|(name, facts)| (stem(&name).into(), facts)));
        self.lengths = self.prefixes.keys().map(|prefix| prefix.len()).collect();
        self.exact.extend(exact.into_iter().map(|(name, facts)| (name.into_bytes().into(), facts)));
    }

    /// The facts for a name; O(length of the name).
    pub(super) fn find(&self, name: &[u8]) -> Option<&CallFacts> {
        if let Some(facts) = self.exact.get(name) {
            return Some(facts);
        }
        if !name.starts_with(b"llvm.") {
            let plain = plain_name(name).unwrap_or(name);
            return self.exact.get(plain).or_else(|| self.by_prefix(plain));
        }
        let mut end = name.len();
        let mut without_types = memchr::memrchr_iter(b'.', name).filter(|&dot| {
            let is_type = is_type(&name[dot + 1..end]);
            end = if is_type { dot } else { end };
            is_type
        });
        without_types.find_map(|dot| self.exact.get(&name[..dot])).or_else(|| self.by_prefix(name))
    }

    /// All entries.
    pub(super) fn rows(&self) -> impl Iterator<Item = (String, CallFacts)> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let exact = self.exact.iter().map(move |(name, &facts)| (text(name), facts));
        exact.chain(self.prefixes.iter().map(move |(name, &facts)| (text(name) + "*", facts)))
    }

    fn by_prefix(&self, name: &[u8]) -> Option<&CallFacts> {
        let mut lengths = (0..=name.len()).rev().filter(|length| self.lengths.contains(length));
        lengths.find_map(|length| self.prefixes.get(&name[..length]))
    }
}

/// Whether a name is the one that a pattern stands for.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.strip_suffix(b"*") {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

/// The name of a function at namespace scope in the Itanium mangling: `_Z`, its length, the name, the parameters.
fn plain_name(name: &[u8]) -> Option<&[u8]> {
    let rest = name.strip_prefix(b"_Z")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    rest.get(digits..digits.checked_add(length)?)
}

/// Whether this is how the name of an overloaded intrinsic spells a type.
fn is_type(text: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let element = |text: &[u8]| {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && is_type(&text[digits..])
    };
    match text {
        b"f16" | b"f32" | b"f64" | b"f80" | b"f128" | b"bf16" | b"ppcf128" | b"x86amx" | b"Metadata" | b"isVoid" => {
            true
        }
        [b'i' | b'p', bits @ ..] => is_number(bits),
        [b'n', b'x', b'v', rest @ ..] | [b'v' | b'a', rest @ ..] => element(rest),
        // Structures, with their name or the types in them: `s_node.1s`, `sl_i32f32s`.
        [b's', b'_' | b'l', .., b's'] => true,
        // Types of targets, with their parameters: `tspirv.Image_void_1_0_0_0_0_0_0t`.
        [b't', rest @ .., b't'] => {
            [&b"spirv."[..], b"dx.", b"amdgcn.", b"nvvm."].iter().any(|name| rest.starts_with(name))
        }
        _ => false,
    }
}
