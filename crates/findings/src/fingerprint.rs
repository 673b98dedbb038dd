//! What tells findings apart from one version of a program to the next.
//!
//! A fingerprint is made of the rule, the name of the function and the operation that is pointed at, and a number among equals in the order of the
//! text: it has no line in it, and so it stays when lines move.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::diagnostic::Diagnostic;

/// A fingerprint: written as sixteen hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// That of some parts (Fowler, Noll and Vo's FNV-1a, each part ended by a zero), the same in every version of this program.
    pub(crate) fn of(parts: &[&[u8]]) -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325).and(parts)
    }

    fn and(self, parts: &[&[u8]]) -> Fingerprint {
        let bytes = parts.iter().flat_map(|part| part.iter().copied().chain([0]));
        Fingerprint(bytes.fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// Tells equals apart by their number, in the order that they are in.
pub fn number<'d>(diagnostics: impl IntoIterator<Item = &'d mut Diagnostic>) {
    let mut seen: FxHashMap<Fingerprint, u32> = FxHashMap::default();
    for diagnostic in diagnostics {
        let count = seen.entry(diagnostic.fingerprint).or_default();
        if *count > 0 {
            diagnostic.fingerprint = diagnostic.fingerprint.and(&[count.to_string().as_bytes()]);
        }
        *count += 1;
    }
}
