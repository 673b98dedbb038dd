//! Constraints of C++20: concepts, and what is behind `requires`.
//!
//! **Invariant.** A constraint is passed over, and taken to hold. So it chooses none of several functions: a call that fits several of them is as open as one that nothing else decides.
//! Specialisations of classes that differ in constraints only are not understood.

use super::words::Word;
use super::{Parse, Parser};

/// The concepts of the standard library that parameters of templates are declared with.
const STANDARD: &[&str] = &[
    "arithmetic",
    "constructible_from",
    "convertible_to",
    "copy_constructible",
    "copyable",
    "default_initializable",
    "derived_from",
    "equality_comparable",
    "floating_point",
    "integral",
    "invocable",
    "movable",
    "predicate",
    "regular",
    "same_as",
    "semiregular",
    "signed_integral",
    "totally_ordered",
    "unsigned_integral",
];

impl Parser<'_> {
    /// `concept A = …;` behind `template<…>`.
    pub(super) fn concept(&mut self) -> Parse<()> {
        self.advance();
        let (name, _) = self.expect_name("a name")?;
        self.concepts.insert(name);
        self.expect(Word::Equal, "=", "after the name of the concept")?;
        while !matches!(self.word(), Word::Semicolon | Word::End | Word::Kernel) {
            match self.word() {
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => self.skip_brackets(),
                _ => self.advance(),
            }
        }
        self.expect_semicolon("after the concept")
    }

    /// Goes behind `requires A<T> && (…)`, if it is there.
    pub(super) fn skip_constraint(&mut self) -> Parse<()> {
        while self.is_cpp && self.eat(Word::Requires) {
            self.is_constrained = true;
            loop {
                self.skip_operand_of_constraint()?;
                if !self.eat(Word::AmpAmp) && !self.eat(Word::PipePipe) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn skip_operand_of_constraint(&mut self) -> Parse<()> {
        match self.word() {
            Word::LeftParen => self.skip_brackets(),
            Word::True | Word::False => self.advance(),
            Word::Requires => {
                self.advance();
                if self.word() == Word::LeftParen {
                    self.skip_brackets();
                }
                if self.word() != Word::LeftBrace {
                    return Err(self.expected("`{` after `requires`"));
                }
                self.skip_brackets();
            }
            Word::Name | Word::Scope => self.at = self.end_of_constraint_name(self.at),
            _ => return Err(self.expected("a constraint after `requires`")),
        }
        Ok(())
    }

    /// The token behind `a::b<T>::c`.
    fn end_of_constraint_name(&self, mut at: usize) -> usize {
        loop {
            at += usize::from(self.words[at] == Word::Scope);
            at += usize::from(self.words[at] == Word::Name);
            if self.words[at] == Word::Less {
                at = self.end_of_arguments(at).unwrap_or(at);
            }
            if self.words[at] != Word::Scope {
                return at;
            }
        }
    }

    /// The token behind the concept that a parameter of a template is declared with; nothing where there is none.
    pub(super) fn end_of_concept(&self) -> Option<usize> {
        let mut last = self.at;
        while self.words[last] == Word::Name && self.words[last + 1] == Word::Scope {
            last += 2;
        }
        let symbol = self.tokens[last].symbol;
        let is_standard = || {
            let of = self.symbols.text(self.tokens[self.at].symbol);
            last > self.at && matches!(of, "std" | "cuda") && STANDARD.contains(&self.symbols.text(symbol))
        };
        let is_concept = self.words[last] == Word::Name && (self.concepts.contains(&symbol) || is_standard());
        let end = self.end_of_constraint_name(last);
        let ends = [Word::Name, Word::Ellipsis, Word::Comma, Word::Greater, Word::Equal];
        (is_concept && ends.contains(&self.words[end])).then_some(end)
    }
}
