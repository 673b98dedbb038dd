//! Packs: `typename... T`, `T... x`, what `...` repeats, and folds.
//!
//! **Invariant.** What is repeated knows the names in it that some template of the file declares as packs. Which of them are packs at the place, the checker knows: nothing is repeated
//! because of a name that is none.

use super::expressions::binary_operator;
use super::words::Word;
use super::{Parse, Parser};
use crate::source::Location;
use crate::tree::{Expr, Fold, LargeKind, Name, Packs, Pattern};

impl Parser<'_> {
    /// Notes a name that is declared, if it is that of a pack.
    pub(super) fn note_pack(&mut self, name: Name, is_pack: bool) {
        if is_pack {
            let spelling = self.names.scopes.spelling(name);
            self.packs.insert(spelling);
        }
    }

    /// The names from a token up to the one at hand that may be those of packs, each once.
    pub(super) fn packs_from(&self, begin: usize) -> Packs {
        let mut packs: Vec<Name> = Vec::new();
        for at in begin..self.at {
            let symbol = self.tokens[at].symbol;
            if self.words[at] == Word::Name && self.packs.contains(&symbol) {
                let name = self.names.lookup(symbol).name;
                if !packs.contains(&name) {
                    packs.push(name);
                }
            }
        }
        packs.into()
    }

    /// What begins at a token and ends before the one at hand, with the `...` that may stand there.
    pub(super) fn expanded(&mut self, of: Expr, begin: usize) -> Expr {
        if self.word() != Word::Ellipsis || !self.is_cpp {
            return of;
        }
        let packs = self.packs_from(begin);
        let location = self.tokens[begin].location;
        self.advance();
        self.large_expression_of(LargeKind::Expansion(Box::new(Pattern { of, packs })), location)
    }

    /// `sizeof...(T)` from its `...` on.
    pub(super) fn size_of_pack(&mut self, location: Location) -> Parse<Expr> {
        self.advance();
        self.expect(Word::LeftParen, "(", "after `sizeof...`")?;
        let (name, _) = self.expect_name("the name of a pack")?;
        let name = self.names.lookup(name).name;
        self.expect(Word::RightParen, ")", "after the name of the pack")?;
        Ok(self.large_expression_of(LargeKind::SizeOfPack(name), location))
    }

    /// Whether the parenthesis at hand is that of a fold. O(what stands between it and its end).
    pub(super) fn is_fold(&self) -> bool {
        if self.packs.is_empty() {
            return false;
        }
        let mut depth = 0usize;
        // How many `<` wait for their `>`: an operand of a fold has none but those of templates.
        let mut angles = 0usize;
        for at in self.at + 1.. {
            match self.words[at] {
                Word::Less if depth == 0 && self.words[at + 1] != Word::Ellipsis => angles += 1,
                Word::Greater if depth == 0 => angles = angles.saturating_sub(1),
                Word::ShiftRight if depth == 0 => angles = angles.saturating_sub(2),
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => depth += 1,
                Word::RightParen | Word::RightBracket | Word::RightBrace if depth > 0 => depth -= 1,
                Word::Ellipsis if depth == 0 && angles == 0 => {
                    let is_operator = |word: Word| word == Word::Comma || binary_operator(word).is_some();
                    return is_operator(self.words[at - 1]) || is_operator(self.words[at + 1]);
                }
                Word::RightParen | Word::Semicolon | Word::RightBrace | Word::End => return false,
                _ => {}
            }
        }
        false
    }

    /// `(x + ...)`, `(... + x)`, `(0 + ... + x)`.
    pub(super) fn fold(&mut self, location: Location) -> Parse<Expr> {
        self.advance();
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let mut operator = None;
        let first = match self.word() {
            Word::Ellipsis => None,
            _ => {
                let first = self.folded()?;
                operator = Some(self.folding()?);
                Some(first)
            }
        };
        self.expect(Word::Ellipsis, "...", "in the fold")?;
        let last = match (self.word(), operator) {
            (Word::RightParen, Some(_)) => None,
            _ => {
                let again = self.folding()?;
                if operator.is_some_and(|operator| operator != again) {
                    return Err(self.error(self.last_location(), "a fold has one operator".to_owned()));
                }
                operator = Some(again);
                Some(self.folded()?)
            }
        };
        self.expect(Word::RightParen, ")", "after the fold")?;
        self.stops_at_greater = stops;
        let fold = Fold { first, last, operator: operator.flatten() };
        Ok(self.large_expression_of(LargeKind::Fold(Box::new(fold)), location))
    }

    /// One side of a fold.
    fn folded(&mut self) -> Parse<Pattern> {
        let begin = self.at;
        let of = self.nested_unary()?;
        Ok(Pattern { of, packs: self.packs_from(begin) })
    }

    /// The operator of a fold; none for a comma.
    fn folding(&mut self) -> Parse<Option<crate::tree::BinaryOperator>> {
        let operator = match self.word() {
            Word::Comma => None,
            word => match binary_operator(word) {
                Some((_, operator)) => Some(operator),
                None => return Err(self.expected("an operator of a fold")),
            },
        };
        self.advance();
        Ok(operator)
    }
}
