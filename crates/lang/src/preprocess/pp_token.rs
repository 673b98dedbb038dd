//! A token inside the preprocessor: 16 bytes.

use super::punctuator::Punctuator;
use super::scan::Kind;
use crate::source::Location;
use crate::token::Symbol;

/// White space stands before the token.
pub(super) const SPACE: u8 = 1;
/// The token is the first on its line.
pub(super) const LINE: u8 = 2;
/// The token is the name of a macro that was being replaced when it was met: it is never replaced any more.
pub(super) const PAINTED: u8 = 4;
/// The token came out of a macro.
pub(super) const FROM_MACRO: u8 = 8;

/// A token inside the preprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PpToken {
    pub(super) kind: Kind,
    /// [`SPACE`], [`LINE`], [`PAINTED`], [`FROM_MACRO`].
    pub(super) flags: u8,
    /// For a punctuator which one, for a parameter which one.
    pub(super) which: u16,
    /// How it is written.
    pub(super) symbol: Symbol,
    /// Where it is; for a token that came out of a macro, where the outermost macro was used.
    pub(super) location: Location,
}

impl PpToken {
    /// Whether it is a punctuator, digraphs counting as what they stand for.
    pub(super) fn is(self, punctuator: Punctuator) -> bool {
        self.punctuator() == Some(punctuator)
    }

    /// What punctuator it is, digraphs counting as what they stand for.
    pub(super) fn punctuator(self) -> Option<Punctuator> {
        (self.kind == Kind::Punctuator).then(|| Punctuator::ALL[usize::from(self.which)].meaning())
    }

    /// Whether a flag is set.
    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The token with the white space of another one before it.
    #[must_use]
    pub(super) fn spaced_as(self, other: PpToken) -> PpToken {
        PpToken { flags: self.flags & !(SPACE | LINE) | other.flags & (SPACE | LINE), ..self }
    }
}
