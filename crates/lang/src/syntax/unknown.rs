//! Going on where something is not understood or not declared, in files that are read for their kernels.
//!
//! **Definition.** A name of which nothing is known is a *type* where one has to stand, and in a block where what follows it can only be a declarator.
//! What cannot be parsed costs the smallest of these that it is in: an argument, what stands between brackets, an initialiser, a statement, a member, an item.
//! The parser goes on behind it; the tree has something unknown there.
//!
//! **Invariant.** What is looked at twice is at most what such a part holds. Names are looked ahead of by at most [`MOST_AHEAD`] tokens.

use super::names::{Kind, Meaning};
use super::recovery::Checkpoint;
use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::diagnostic::{Diagnostic, Ground, is_written_as_macro};
use crate::source::Location;
use crate::tree::{Expr, Initializer, LargeKind, Name, StmtData, StmtKind, TypeSpecifier, UnknownParts};

/// How many tokens may stand in `<…>` behind a name of which nothing is known.
const MOST_AHEAD: usize = 256;

/// How many macros that nothing defines may stand in a row before a declaration.
const MOST_MACROS: usize = 8;

impl Parser<'_> {
    /// Whether what a name means may be anything.
    pub(super) fn is_unknown_name(&self, meaning: Meaning) -> bool {
        self.is_tolerant && matches!(meaning.kind, Kind::Unknown | Kind::Unsupported)
    }

    /// The token behind a name with scopes and arguments of templates: `a::b<c>::d`. The token itself where there is no name. In the arguments of a template, a
    /// `>>` that closes those and the name's own is the token behind ([`Parser::take_unknown`] takes its first half).
    pub(super) fn end_of_unknown(&self, at: usize) -> usize {
        let mut end = at + usize::from(self.words[at] == Word::Scope);
        loop {
            let name = end + usize::from(self.words[end] == Word::Template);
            if self.words[name] != Word::Name {
                return at;
            }
            end = name + 1;
            if self.words[end] == Word::Less {
                end = self.end_of_angles(end, self.stops_at_greater).unwrap_or(end);
            }
            let next = if self.words[end] == Word::Scope { self.words[end + 1] } else { Word::End };
            if !matches!(next, Word::Name | Word::Template) {
                return end;
            }
            end += 1;
        }
    }

    /// Takes a name up to the token behind it, and what closes its arguments.
    pub(super) fn take_unknown(&mut self, end: usize) {
        let is_half = |open: usize| {
            let ends = |is_inner| self.end_of_angles(open, is_inner) == Some(end);
            self.words[open] == Word::Less && ends(true) && !ends(false)
        };
        if self.words[end] == Word::ShiftRight && (self.at..end).any(is_half) {
            self.words[end] = Word::Greater;
        }
        self.at = end;
    }

    /// Whether a name of which nothing is known, up to a token, can only be that of a template with its arguments: `a<b>::c`, `a<int>`.
    pub(super) fn is_unknown_template(&mut self, at: usize, end: usize) -> bool {
        let is_member = end > at + 4
            && self.words[end - 2] == Word::Scope
            && matches!(self.words[end - 3], Word::Greater | Word::ShiftRight);
        let open = (at..end).find(|&at| self.words[at] == Word::Less);
        is_member || open.is_some_and(|open| self.is_type_name(open + 1))
    }

    /// The token behind `<…>`, if it can be a list of template arguments.
    pub(super) fn end_of_arguments(&self, open: usize) -> Option<usize> {
        self.end_of_angles(open, false)
    }

    /// The same for the arguments of what is an argument itself: a `>>` that closes both is the token behind.
    pub(super) fn end_of_inner_arguments(&self, open: usize) -> Option<usize> {
        self.end_of_angles(open, true)
    }

    fn end_of_angles(&self, open: usize, is_inner: bool) -> Option<usize> {
        let (mut angles, mut brackets) = (0usize, 0usize);
        for at in open..self.tokens.len().min(open + MOST_AHEAD) {
            match self.words[at] {
                Word::Less if brackets == 0 => angles += 1,
                Word::Greater if brackets == 0 => angles -= 1,
                Word::ShiftRight if brackets == 0 && is_inner && angles == 1 => return Some(at),
                Word::ShiftRight if brackets == 0 => angles = angles.checked_sub(2)?,
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => brackets += 1,
                Word::RightParen | Word::RightBracket | Word::RightBrace => brackets = brackets.checked_sub(1)?,
                Word::Semicolon | Word::End | Word::Launch | Word::Equal | Word::PipePipe => return None,
                _ => {}
            }
            if angles == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// The token behind the `<…>` at hand.
    pub(super) fn end_of_template_header(&self) -> usize {
        self.end_of_arguments(self.at).unwrap_or(self.at)
    }

    /// The token behind `*`, `&` and `const`.
    pub(super) fn behind_pointers(&self, mut at: usize) -> usize {
        while matches!(
            self.words[at],
            Word::Star | Word::Amp | Word::AmpAmp | Word::Const | Word::Volatile | Word::Restrict | Word::Ignored
        ) {
            at += 1;
        }
        at
    }

    /// Whether a declaration begins with a name of which nothing is known.
    pub(super) fn declares_with_unknown(&self, at: usize) -> bool {
        if self.is_macro_before_value(at) {
            return false;
        }
        let end = self.end_of_unknown(at);
        let name = self.behind_pointers(end);
        self.end_of_unknown_macro(at).is_some()
            || self.words[name] == Word::Name
                && match self.words[name + 1] {
                    Word::Semicolon | Word::Equal | Word::LeftBracket => true,
                    // `a * b, c` is no declaration that anybody needs.
                    Word::Comma | Word::LeftBrace | Word::LeftParen => name == end,
                    Word::Colon => true,
                    _ => false,
                }
    }

    /// Whether a name of which nothing is known is the type of what is declared: `at` is where a type may stand. Gives the token behind it.
    pub(super) fn unknown_specifier(&self, at: usize) -> Option<usize> {
        let end = self.end_of_unknown(at);
        let is_type = match self.words[end] {
            Word::Name | Word::Star | Word::Amp | Word::AmpAmp | Word::Ellipsis => true,
            Word::Comma | Word::RightParen | Word::Greater | Word::ShiftRight | Word::Semicolon => true,
            Word::Const | Word::Volatile | Word::Restrict | Word::Operator | Word::Equal | Word::Scope => true,
            Word::LeftParen => matches!(self.words[end + 1], Word::Star | Word::Amp | Word::AmpAmp),
            Word::LeftBracket => self.words[end + 1] != Word::LeftBracket,
            _ => false,
        };
        (end > at && is_type).then_some(end)
    }

    /// The token behind a macro that is defined nowhere, `NAME` or `NAME(…)`: more specifiers follow, also after more such macros, or a function whose type
    /// is not known either (`MACRO type f(…) {`).
    pub(super) fn end_of_unknown_macro(&self, at: usize) -> Option<usize> {
        self.end_of_first_macro(at, MOST_MACROS)
    }

    /// The token behind a macro behind `__global__` or `__device__`, where `NAME(…)` can be nothing else unless it ends what is declared.
    pub(super) fn end_of_macro_of_device(&self, at: usize) -> Option<usize> {
        self.end_of_unknown_macro(at).or_else(|| {
            let end = self.end_of_call(at)?;
            let next = self.words[end];
            (next == Word::Name || next.is_specifier()).then_some(end)
        })
    }

    /// The token behind a macro between the type of a function and its name: `void MACRO(…) f(…)`, `void MACRO f(…)`.
    pub(super) fn end_of_macro_before_function(&self, at: usize) -> Option<usize> {
        let end = self.end_of_call(at).unwrap_or(at + 1);
        let is_function = self.words[end] == Word::Name && self.words[end + 1] == Word::LeftParen;
        (self.words[at] == Word::Name && !self.is_in_body && is_function).then_some(end)
    }

    /// The token behind `NAME(…)`.
    fn end_of_call(&self, at: usize) -> Option<usize> {
        let is_call = self.words[at] == Word::Name && self.words[at + 1] == Word::LeftParen;
        if is_call { self.end_of_parentheses(at + 1) } else { None }
    }

    /// [`Self::end_of_unknown_macro`] where the macro is the first of so many at most.
    fn end_of_first_macro(&self, at: usize, most: usize) -> Option<usize> {
        if self.words[at] != Word::Name || most == 0 {
            return None;
        }
        if let Some(end) = self.end_of_call(at) {
            return matches!(self.words[end], Word::Kernel | Word::Device).then_some(end);
        }
        let next = self.words[at + 1];
        let is_macro = match next {
            // The name of a type may be declared again: `Unknown name;`.
            Word::Name => {
                self.names.lookup(self.tokens[at + 1].symbol).is_type() && !self.words[at + 2].ends_name()
                    || self.end_of_first_macro(at + 1, most - 1).is_some()
                    || self.is_unknown_declaration(at + 1)
            }
            Word::Const | Word::Volatile | Word::Restrict => {
                let end = self.behind_pointers(at + 1);
                let is_type = || match self.words[end] {
                    Word::Name => self.words[end + 1] == Word::Name || self.is_unknown_declaration(end),
                    word => word.is_plain_type() || word.is_specifier(),
                };
                self.words[end - 1] != Word::Star && is_type()
            }
            _ => next.is_plain_type() || next.is_specifier(),
        };
        is_macro.then_some(at + 1)
    }

    /// Whether a token is a type, as what follows it can only be what is declared: `type *name`, `type name[`, and outside of functions `type f(…) {`.
    fn is_unknown_declaration(&self, at: usize) -> bool {
        let end = self.end_of_unknown(at);
        let name = self.behind_pointers(end);
        self.words[at] == Word::Name
            && match (self.words[name], self.words[name + 1]) {
                // `type (*name)[4]`.
                (Word::LeftParen, next) => next == Word::Star,
                (Word::Operator, _) => true,
                (Word::Name, Word::LeftBracket) => true,
                (Word::Name, Word::LeftParen) => !self.is_in_body && self.are_parameters_of_definition(name + 1),
                // `(MACRO type *)`, a cast.
                (Word::Name | Word::RightParen, _) => name > end,
                _ => false,
            }
    }

    /// Whether the parameters of a function that is defined stand in the parentheses at a token.
    pub(super) fn are_parameters_of_definition(&self, open: usize) -> bool {
        let end = if self.words[open] == Word::LeftParen { self.end_of_parentheses(open) } else { None };
        end.is_some_and(|end| self.words[end] == Word::LeftBrace)
    }

    /// The token behind `MACRO(…)` where a parameter may stand: what it stands for is any number of them.
    pub(super) fn end_of_unknown_parameters(&self, at: usize) -> Option<usize> {
        let end = self.end_of_call(at)?;
        matches!(self.words[end], Word::Comma | Word::RightParen).then_some(end)
    }

    /// Whether a name in capitals that nothing declares stands here, and behind it the parenthesis that closes.
    pub(super) fn is_macro_before_end(&self) -> bool {
        self.word() == Word::Name
            && self.ahead(1) == Word::RightParen
            && self.is_unknown_name(self.names.lookup(self.symbol()))
            && !self.symbols.text(self.symbol()).bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// The token behind the `)` that belongs to a `(`.
    pub(super) fn end_of_parentheses(&self, open: usize) -> Option<usize> {
        self.end_of_parentheses_before(open, Word::LeftBrace)
    }

    /// The same unless some word stands between them.
    pub(super) fn end_of_parentheses_before(&self, open: usize, stop: Word) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.tokens.len().min(open + MOST_AHEAD) {
            match self.words[at] {
                Word::LeftParen => depth += 1,
                Word::RightParen => depth -= 1,
                Word::Semicolon | Word::End => return None,
                word if word == stop => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// Whether a name in capitals is all of a line, and the next one begins with a variable: a macro before a statement, and no type.
    fn is_macro_before_value(&self, at: usize) -> bool {
        self.words[at + 1] == Word::Name
            && self.tokens[at + 1].starts_line
            && is_written_as_macro(self.symbols.text(self.tokens[at].symbol))
            && self.names.lookup(self.tokens[at + 1].symbol).kind == Kind::Value
    }

    /// Whether what was read from a token on is a macro that nothing defines, as a statement without a `;`: `NAME(…)`, or a name in capitals, behind which something else begins on a new line.
    pub(super) fn is_unknown_macro(&self, at: usize) -> bool {
        let is_whole = match self.words[at + 1] {
            Word::LeftParen => self.words[self.at - 1] == Word::RightParen,
            _ => self.at == at + 1 && is_written_as_macro(self.symbols.text(self.tokens[at].symbol)),
        };
        is_whole
            && self.words[at] == Word::Name
            && self.word() != Word::Semicolon
            && self.token().starts_line
            && (self.is_tolerant || self.is_opencl)
            && matches!(self.names.lookup(self.tokens[at].symbol).kind, Kind::Unknown | Kind::Unsupported)
    }

    /// An error where a macro that nothing defines is a statement: it may do anything, and declare what follows uses. The host of OpenCL C may define it.
    pub(super) fn undefined_macro(&mut self, at: usize) -> Stop {
        let token = self.tokens[at];
        let message = format!("`{}` is not declared", self.symbols.text(token.symbol));
        self.fail(Diagnostic::error(token.location, message).because(Ground::Part))
    }

    /// Whether `{` follows behind `final` and the bases of a class.
    pub(super) fn has_bases(&self) -> bool {
        let ahead = &self.words[self.at..(self.at + MOST_AHEAD).min(self.words.len())];
        let is_base = ahead[0] == Word::Colon || matches!(ahead.get(1), Some(Word::Colon | Word::LeftBrace));
        // Arguments of a base may be any expressions.
        let mut parens = 0usize;
        let is_end = |word: &&Word| {
            parens = match word {
                Word::LeftParen => parens + 1,
                Word::RightParen => parens.saturating_sub(1),
                _ => parens,
            };
            matches!(word, Word::LeftBrace | Word::Semicolon | Word::End) || parens == 0 && **word == Word::Equal
        };
        is_base && ahead.iter().find(is_end) == Some(&Word::LeftBrace)
    }

    /// Whether the parameter of a function begins with a name of which nothing is known, and not a value.
    pub(super) fn is_unknown_parameter(&self, at: usize) -> bool {
        let end = self.end_of_unknown(at);
        let name = self.behind_pointers(end);
        match self.words[name] {
            Word::Name => true,
            Word::Comma | Word::RightParen => name > end,
            _ => false,
        }
    }

    /// Takes a type of which nothing is known, up to a token.
    pub(super) fn unknown_type(&mut self, name: Name, end: usize) -> TypeSpecifier {
        let location = self.location();
        let member = self.member_of_type(end);
        if member.is_none() && end == self.at + 1 {
            self.unknown_types.insert(self.symbol());
        }
        self.take_unknown(end);
        member.unwrap_or(TypeSpecifier::Unknown(name, location))
    }

    /// `A::B::C` up to a token, where `A` is a type of which only the checker knows what is in it: another name of a class, or a parameter of a template.
    pub(super) fn member_of_type(&mut self, end: usize) -> Option<TypeSpecifier> {
        if self.words[self.at] != Word::Name {
            return None;
        }
        let first = self.names.lookup(self.tokens[self.at].symbol);
        if !first.is_type() || matches!(first.kind, Kind::ClassTemplate | Kind::Unsupported | Kind::Builtin(_)) {
            return None;
        }
        let mut of = TypeSpecifier::Named(first.name, self.location());
        let parts = self.words[self.at + 1..end].chunks(2);
        let members = parts.len();
        if members == 0 || parts.into_iter().any(|part| part != [Word::Scope, Word::Name]) {
            return None;
        }
        for at in (0..members).map(|index| self.at + 2 + 2 * index) {
            of = TypeSpecifier::Member(Box::new(of), self.tokens[at].symbol, self.tokens[at].location);
        }
        Some(of)
    }

    /// Whether `( … )` around a name of which nothing is known is a cast.
    pub(super) fn is_unknown_cast(&self, at: usize) -> bool {
        if self.end_of_unknown_macro(at).is_some() {
            return true;
        }
        let end = self.end_of_unknown(at);
        let close = self.behind_pointers(end);
        if end == at || self.words[close] != Word::RightParen {
            return false;
        }
        let is_operand = matches!(
            self.words[close + 1],
            Word::Name | Word::Number | Word::Character | Word::LeftParen | Word::SizeOf
        );
        // `(a)(b)` is a call, if `a` was no type so far.
        let may_call =
            self.words[close + 1] == Word::LeftParen && !self.unknown_types.contains(&self.tokens[at].symbol);
        close > end || is_operand && !may_call
    }

    /// Whether an argument of a template that begins with a name of which nothing is known is a type.
    pub(super) fn is_unknown_argument(&self, at: usize) -> bool {
        let end = self.end_of_unknown(at);
        let close = self.behind_pointers(end);
        let has_arguments = self.words[at..end].contains(&Word::Less);
        end > at
            && (close > end || has_arguments)
            && matches!(self.words[close], Word::Comma | Word::Greater | Word::ShiftRight | Word::Ellipsis)
    }

    /// Something that is not understood, as an expression.
    pub(super) fn unknown_expression(
        &mut self,
        reason: Diagnostic,
        read: Vec<Expr>,
        written: Vec<Expr>,
        location: Location,
    ) -> Expr {
        self.large_expression_of(LargeKind::Unknown(Box::new(UnknownParts { reason, read, written })), location)
    }

    /// The reason why parsing stopped, if one may go on.
    pub(super) fn reason_to_go_on(&mut self) -> Option<Diagnostic> {
        let may =
            self.is_tolerant && !self.has_given_up && self.failure.as_ref().is_some_and(|reason| !reason.is_limit());
        if may { self.take_failure() } else { None }
    }

    /// An expression that began at the checkpoint, or something unknown up to what closes what it is in: a bracket, a `;`, and a `,` where that separates.
    pub(super) fn or_unknown(&mut self, begin: &Checkpoint, made: Parse<Expr>, is_separated: bool) -> Parse<Expr> {
        if made.is_ok() || self.misplaced_function.is_some() {
            return made;
        }
        let location = self.tokens[begin.at()].location;
        let Some(reason) = self.reason_to_go_on() else { return made };
        self.abandon_expressions(begin);
        let mut depth = 0usize;
        loop {
            match self.word() {
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => depth += 1,
                Word::RightParen | Word::RightBracket | Word::RightBrace if depth == 0 => break,
                Word::RightParen | Word::RightBracket | Word::RightBrace => depth -= 1,
                Word::Semicolon if depth == 0 => break,
                Word::Comma if depth == 0 && is_separated => break,
                Word::End | Word::Kernel => break,
                _ => {}
            }
            self.advance();
        }
        if self.at == begin.at() || matches!(self.word(), Word::End | Word::Kernel) {
            return Err(self.fail(reason));
        }
        Ok(self.unknown_expression(reason, Vec::new(), Vec::new(), location))
    }

    /// A statement that is not understood, in the innermost block.
    pub(super) fn unknown_statement(&mut self, reason: Diagnostic) {
        let location = reason.location;
        let kind = StmtKind::Expression(self.unknown_expression(reason, Vec::new(), Vec::new(), location));
        let statement = self.tree.statements.push(StmtData { kind, attributes: None.into(), location, end: location });
        self.statements.push(statement);
    }

    /// Goes from an opening bracket behind the one that closes it.
    pub(super) fn skip_brackets(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.word() {
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => depth += 1,
                Word::RightParen | Word::RightBracket | Word::RightBrace => depth = depth.saturating_sub(1),
                Word::End | Word::Kernel => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// The values of a list, as far as they are no lists.
    pub(super) fn unknown_list(&mut self) -> Parse<Expr> {
        let location = self.location();
        let reason =
            Diagnostic::unsupported(location, "a list at this place is not supported by the built-in front end");
        let mut values = Vec::new();
        let list = self.initializer_list()?;
        gather(&list, &mut values);
        Ok(self.unknown_expression(reason, values, Vec::new(), location))
    }
}

fn gather(list: &Initializer, into: &mut Vec<Expr>) {
    match list {
        Initializer::Expression(value) => into.push(*value),
        Initializer::List(items, _) => items.iter().for_each(|(_, item)| gather(item, into)),
    }
}
