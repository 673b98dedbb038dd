//! Going on after an error.
//!
//! **Invariant.** Every recovery ends behind the place of the error or at a bracket that belongs to somebody outside, so that the
//! loops over statements, members and items come to the end.

use super::Parser;
use super::names::{Mark, Names};
use super::words::Word;
use crate::diagnostic::{Diagnostic, Severity};

/// What is given back when something that was begun is left after an error.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    at: usize,
    pub(super) nesting: usize,
    depth: u32,
    open_scopes: usize,
    mark: Mark,
    pub(super) expressions: usize,
    statements: usize,
    delayed: usize,
    open_classes: usize,
    stops_at_greater: bool,
}

impl Checkpoint {
    /// The token at which it was taken.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Forgets what was declared since.
    pub(super) fn reset_names(&self, names: &mut Names) {
        names.reset(self.mark);
    }

    /// As many scopes and namespaces are open as were, what was declared staying.
    pub(super) fn reset_depth(&self, names: &mut Names) {
        names.rewind(self.depth, self.open_scopes, names.mark());
    }
}

impl Parser<'_> {
    /// What the parser is in the middle of.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            at: self.at,
            nesting: self.nesting,
            depth: self.names.depth(),
            open_scopes: self.names.open_scopes(),
            mark: self.names.mark(),
            expressions: self.expressions.len(),
            statements: self.statements.len(),
            delayed: self.delayed.len(),
            open_classes: self.open_classes,
            stops_at_greater: self.stops_at_greater,
        }
    }

    /// Leaves everything that was begun since, but not the place.
    pub(super) fn abandon(&mut self, to: &Checkpoint) {
        self.nesting = to.nesting;
        self.names.rewind(to.depth, to.open_scopes, to.mark);
        self.expressions.truncate(to.expressions);
        self.statements.truncate(to.statements);
        self.delayed.truncate(to.delayed);
        self.open_classes = to.open_classes;
        self.stops_at_greater = to.stops_at_greater;
    }

    /// Whether the failure is a construct outside of the subset.
    pub(super) fn failed_as_unsupported(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.severity == Severity::Unsupported)
    }

    /// Leaves the expression that was begun since, and goes back to its first token.
    pub(super) fn abandon_expressions(&mut self, to: &Checkpoint) {
        self.at = to.at;
        self.nesting = to.nesting;
        self.expressions.truncate(to.expressions);
        self.stops_at_greater = to.stops_at_greater;
    }

    /// The reason of a [`super::Stop`].
    pub(super) fn take_failure(&mut self) -> Option<Diagnostic> {
        self.failure.take()
    }

    /// Moves the failure to the diagnostics, or to what is passed over.
    pub(super) fn report(&mut self) {
        match self.take_failure() {
            Some(diagnostic) if self.is_tolerant && !diagnostic.is_limit() => self.pass_over(diagnostic),
            Some(diagnostic) => self.keep(diagnostic),
            None => {}
        }
    }

    /// Goes on after what is not understood: it costs a statement, or a declaration.
    fn pass_over(&mut self, diagnostic: Diagnostic) {
        if self.is_in_body {
            self.unknown_statement(diagnostic);
        } else if self.passed_over.len() < self.limits.errors {
            self.passed_over.push(diagnostic);
        }
    }

    /// Keeps what is wrong. After too many errors the rest of the file is skipped.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        let limit = self.limits.errors;
        if self.errors <= limit {
            let is_repeated = self.diagnostics.last().is_some_and(|last| last.location == diagnostic.location);
            if !is_repeated {
                self.diagnostics.push(diagnostic);
            }
        } else if !self.has_given_up {
            self.has_given_up = true;
            let message = format!("more than {limit} errors; the rest of the file is not read");
            self.diagnostics.push(Diagnostic::error(diagnostic.location, message).raised_by("errors"));
            self.at = self.tokens.len() - 1;
        }
    }

    /// Goes behind the statement, member or item that began at the checkpoint: behind its `;` or its `{…}`, or to the `}` that
    /// closes what it stands in.
    pub(super) fn skip_broken(&mut self, begin: &Checkpoint) {
        let first = self.words[begin.at];
        let in_for = first == Word::For;
        // The members of a type may be followed by names.
        let is_type = matches!(first, Word::Struct | Word::Union | Word::Class | Word::Enum | Word::Typedef);
        let (mut parens, mut braces) = (0usize, 0usize);
        for at in begin.at..self.at {
            match self.words[at] {
                Word::LeftParen | Word::LeftBracket => parens += 1,
                Word::RightParen | Word::RightBracket => parens = parens.saturating_sub(1),
                Word::LeftBrace => braces += 1,
                Word::RightBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
        loop {
            match self.word() {
                Word::End => return,
                _ if self.at > begin.at && self.resumes(first, parens + braces) => return,
                Word::LeftParen | Word::LeftBracket => parens += 1,
                Word::RightParen | Word::RightBracket => parens = parens.saturating_sub(1),
                Word::LeftBrace if braces == 0 => {
                    self.skip_braces_until(if self.is_in_body { Word::Kernel } else { Word::End });
                    if !(is_type && self.word() == Word::Name && !self.token().starts_line) {
                        self.eat(Word::Semicolon);
                        return;
                    }
                    continue;
                }
                Word::LeftBrace => braces += 1,
                Word::RightBrace if braces == 0 => return,
                Word::RightBrace => braces -= 1,
                Word::Semicolon if braces == 0 && !(in_for && parens > 0) => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether something begins at the token that must not be skipped with what is not understood before it, which began with a word and in which
    /// so many brackets are open: a kernel, of which more braces may have been opened than closed, or an item, before which stands a macro of a header that
    /// is not there.
    fn resumes(&self, first: Word, open: usize) -> bool {
        match self.word() {
            Word::Kernel if self.is_in_body => self.is_tolerant,
            Word::Namespace | Word::Template | Word::Extern | Word::Kernel | Word::Device | Word::Host => {
                self.is_tolerant && !self.is_in_body && open == 0 && first != Word::Template
            }
            _ => false,
        }
    }

    /// Goes from a `{` behind its `}`, at most to a word that does not belong there, and says whether it came behind it. One that the text does not close is reported.
    pub(super) fn skip_braces_until(&mut self, end: Word) -> bool {
        let open = self.location();
        let mut depth = 0usize;
        loop {
            match self.word() {
                Word::LeftBrace => depth += 1,
                Word::RightBrace => depth -= 1,
                Word::End => {
                    self.failure = None;
                    self.error(open, "this `{` is not closed");
                    self.report();
                    return false;
                }
                word if word == end => return false,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return true;
            }
        }
    }
}
