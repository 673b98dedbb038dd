//! What LLVM 22 defines of its intrinsics.
//!
//! An intrinsic has the attributes of its definition, whatever its declaration says, so
//! `declare void @llvm.amdgcn.s.barrier()` declares a convergent function. The lists are sorted and come from LLVM's
//! own definitions: `cargo xtask intrinsics` writes them. They are searched as they are, so nothing is read at start.

/// All that are convergent.
const CONVERGENT: &str = include_str!("llvm/convergent.txt");
/// Those of no target and of GPUs that neither read nor write memory, and have no other effect.
const NO_MEMORY: &str = include_str!("llvm/no_memory.txt");

/// Whether an intrinsic with this name is convergent; O(log of the list), for each part of the name.
pub fn is_convergent(name: &[u8]) -> bool {
    has(CONVERGENT, name)
}

/// Whether an intrinsic of no target or of a GPU is `memory(none)`; O(log of the list), for each part of the name.
pub fn touches_no_memory(name: &[u8]) -> bool {
    has(NO_MEMORY, name)
}

/// Whether a list has an intrinsic. Its line `llvm.x.*` stands for `llvm.x` with the names of types behind it.
fn has(list: &str, name: &[u8]) -> bool {
    let stems = memchr::memchr_iter(b'.', name).map(|dot| &name[..dot]);
    has_line(list, name, b"") || stems.chain([name]).any(|stem| has_line(list, stem, b".*"))
}

/// Whether one of some sorted lines is a text with an end.
fn has_line(list: &str, stem: &[u8], end: &[u8]) -> bool {
    let (text, mut low, mut high) = (list.as_bytes(), 0, list.len());
    // The line, if there is one, begins in `low..high`, where lines begin.
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &text[low..middle]).map_or(low, |newline| low + newline + 1);
        let length = memchr::memchr(b'\n', &text[start..]).unwrap_or(text.len() - start);
        let line = &text[start..start + length];
        match line.iter().cmp(stem.iter().chain(end)) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = start + length + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_types() {
        let convergent = [
            "llvm.amdgcn.s.barrier",
            "llvm.amdgcn.ballot.i64",
            "llvm.nvvm.shfl.sync.idx.i32",
            "llvm.experimental.convergence.entry",
        ];
        for name in convergent {
            assert!(is_convergent(name.as_bytes()), "{name}");
        }
        for name in ["llvm.amdgcn.workitem.id.x", "llvm.amdgcn.s.barrier.i32", "llvm.memcpy.p0.p0.i64", "llvm.", ""] {
            assert!(!is_convergent(name.as_bytes()), "{name}");
        }
        assert!(touches_no_memory(b"llvm.fma.v4f32") && touches_no_memory(b"llvm.amdgcn.workitem.id.x"));
        assert!(!touches_no_memory(b"llvm.amdgcn.s.barrier") && !touches_no_memory(b"llvm.memcpy.p0.p0.i64"));
    }

    #[test]
    fn every_line_is_found() {
        for list in [CONVERGENT, NO_MEMORY] {
            assert!(list.lines().is_sorted() && list.ends_with('\n'));
            for line in list.lines() {
                assert!(has_line(list, line.as_bytes(), b""), "{line}");
                assert!(!has_line(list, line.as_bytes(), b"!"), "{line}!");
            }
        }
    }
}
