//! The intrinsics that LLVM 22 defines as convergent.
//!
//! An intrinsic has the attributes of its definition, whatever its declaration says, so
//! `declare void @llvm.amdgcn.s.barrier()` declares a convergent function. The table is sorted and comes from LLVM's
//! own definitions: `cargo xtask intrinsics` writes it.

use std::sync::LazyLock;

static TABLE: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("convergent_intrinsics.txt").lines().collect());

/// Whether an intrinsic with this name is convergent; O(log of the table), for each part of the name.
pub(crate) fn is_convergent_intrinsic(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let has = |line: &str| TABLE.binary_search(&line).is_ok();
    // `llvm.x.*` stands for `llvm.x` with the names of types behind it.
    let dots = name.match_indices('.').map(|(dot, _)| &name[..dot]);
    has(name) || dots.into_iter().chain([name]).any(|prefix| has(&format!("{prefix}.*")))
}

#[cfg(test)]
mod tests {
    use super::is_convergent_intrinsic;

    #[test]
    fn names_with_and_without_types() {
        let convergent = [
            "llvm.amdgcn.s.barrier",
            "llvm.amdgcn.ballot.i64",
            "llvm.nvvm.shfl.sync.idx.i32",
            "llvm.experimental.convergence.entry",
        ];
        for name in convergent {
            assert!(is_convergent_intrinsic(name.as_bytes()), "{name}");
        }
        for name in ["llvm.amdgcn.workitem.id.x", "llvm.amdgcn.s.barrier.i32", "llvm.memcpy.p0.p0.i64", "llvm."] {
            assert!(!is_convergent_intrinsic(name.as_bytes()), "{name}");
        }
    }
}
