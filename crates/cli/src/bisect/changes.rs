//! Which kernels a pass may have changed: those whose text, or that of anything that it names, is another one.
//!
//! Invariant: kernels with equal fingerprints do the same. What says nothing about that does not count: comments, debug locations and the
//! numbers of attribute groups, which are those of the text before them. Names are found by their `@`, so more may count than has to.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// A module, as far as it matters here.
pub(super) struct Fingerprints<'t> {
    entities: FxHashMap<&'t [u8], Entity<'t>>,
    groups: FxHashMap<&'t [u8], u64>,
    /// What is not of any entity: types and the target.
    rest: u64,
}

/// A function or a variable.
#[derive(Default)]
struct Entity<'t> {
    lines: Vec<&'t [u8]>,
}

impl<'t> Fingerprints<'t> {
    /// Looks at a text as LLVM prints it; O(text).
    pub(super) fn new(text: &'t [u8]) -> Fingerprints<'t> {
        let mut entities: FxHashMap<&'t [u8], Entity<'t>> = FxHashMap::default();
        let mut groups = FxHashMap::default();
        let mut rest = FxHasher::default();
        let mut body: Option<&'t [u8]> = None;
        for line in text.split(|&byte| byte == b'\n') {
            if let Some(name) = body {
                entities.entry(name).or_default().lines.push(line);
                if line.starts_with(b"}") {
                    body = None;
                }
            } else if line.starts_with(b"define ") || line.starts_with(b"declare ") || line.starts_with(b"@") {
                let Some(name) = names(line).next() else { continue };
                entities.entry(name).or_default().lines.push(line);
                body = (line.starts_with(b"define ")).then_some(name);
            } else if let Some(group) = line.strip_prefix(b"attributes ") {
                let end = group.iter().position(|&byte| byte == b' ').unwrap_or(group.len());
                groups.insert(&group[..end], hash_of(&group[end..]));
            } else if line.starts_with(b"%") || line.starts_with(b"target ") {
                rest.write(line);
            }
        }
        Fingerprints { entities, groups, rest: rest.finish() }
    }

    /// That of a function and all that it names; none where there is no such function.
    pub(super) fn of(&self, kernel: &str) -> Option<u64> {
        let (start, _) = self.entities.get_key_value(kernel.as_bytes())?;
        let mut seen: FxHashSet<&[u8]> = FxHashSet::from_iter([*start]);
        let mut pending = vec![*start];
        let mut hash = FxHasher::default();
        hash.write_u64(self.rest);
        while let Some(entity) = pending.pop().and_then(|name| self.entities.get(name)) {
            for line in &entity.lines {
                self.hash_line(line, &mut hash);
                for name in names(line) {
                    // The order of finding them is a function of the texts.
                    if self.entities.contains_key(name) && seen.insert(name) {
                        pending.push(name);
                    }
                }
            }
        }
        Some(hash.finish())
    }

    /// Hashes a line without what does not count.
    fn hash_line(&self, line: &[u8], hash: &mut FxHasher) {
        let mut rest = line;
        let mut is_quoted = false;
        let mut piece = 0;
        while let Some(&byte) = rest.get(piece) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b';' if !is_quoted => break,
                b',' if !is_quoted && rest[piece..].starts_with(b", !dbg !") => {
                    hash.write(&rest[..piece]);
                    rest = &rest[piece + b", !dbg !".len()..];
                    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    rest = &rest[digits..];
                    piece = 0;
                    continue;
                }
                b'#' if !is_quoted => {
                    hash.write(&rest[..piece]);
                    let digits = rest[piece + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let group = &rest[piece..piece + 1 + digits];
                    hash.write_u64(self.groups.get(group).copied().unwrap_or_default());
                    rest = &rest[piece + 1 + digits..];
                    piece = 0;
                    continue;
                }
                _ => {}
            }
            piece += 1;
        }
        hash.write(rest[..piece].trim_ascii_end());
        hash.write_u8(b'\n');
    }
}

fn hash_of(text: &[u8]) -> u64 {
    let mut hash = FxHasher::default();
    hash.write(text);
    hash.finish()
}

/// The names behind each `@` of a line, without quotes.
fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'@', line).filter_map(|at| {
        let rest = &line[at + 1..];
        if let Some(rest) = rest.strip_prefix(b"\"") {
            return rest.split(|&byte| byte == b'"').next();
        }
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$._-".contains(byte);
        let length = rest.iter().take_while(is_of_name).count();
        (length > 0).then(|| &rest[..length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "target triple = \"amdgcn-amd-amdhsa\"\n\
        @table = internal constant [1 x ptr] [ptr @helper]\n\
        declare void @op() #0\n\
        define void @helper() #0 {\n  call void @op() #0, !dbg !3\n  ret void\n}\n\
        define amdgpu_kernel void @k() #1 {\nentry:\n  %p = load ptr, ptr @table ; a comment\n  call void %p()\n  ret void\n}\n\
        define amdgpu_kernel void @other() #1 {\n  ret void\n}\n\
        attributes #0 = { convergent }\nattributes #1 = { nounwind }\n!3 = !{}\n";

    fn of(text: &str, kernel: &str) -> Option<u64> {
        Fingerprints::new(text.as_bytes()).of(kernel)
    }

    #[test]
    fn what_does_nothing_does_not_count() {
        let renumbered = MODULE.replace("#0", "#7").replace("#1", "#0").replace("; a comment", "").replace("!3", "!4");
        assert_eq!(of(MODULE, "k"), of(&renumbered, "k"));
        assert_eq!(of(MODULE, "missing"), None);
    }

    /// A kernel is another one when something that it reaches is, through whatever.
    #[test]
    fn what_is_reached_counts() {
        for (from, to) in [
            ("declare void @op() #0", "declare void @op() #1"),
            ("  call void @op() #0, !dbg !3\n", ""),
            ("attributes #0 = { convergent }", "attributes #0 = { }"),
            ("[ptr @helper]", "[ptr null]"),
            ("amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda"),
        ] {
            let changed = MODULE.replace(from, to);
            assert_ne!(changed, MODULE);
            assert_ne!(of(MODULE, "k"), of(&changed, "k"), "{from}");
            let is_same = of(MODULE, "other") == of(&changed, "other");
            assert_eq!(is_same, !from.contains("amdgcn"), "{from}");
        }
    }
}
