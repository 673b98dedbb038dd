//! Replacing macros: contexts, and the arguments of an invocation.
//!
//! **Invariant.** Contexts are a stack; a macro is off exactly while a context of its replacement is on it. A context that is a
//! barrier holds an argument or the line of a directive: nothing beyond it is read until it is taken off.

use std::ops::Range;

use smallvec::SmallVec;

use super::Preprocessor;
use super::define::{MacroId, MacroKind};
use super::pp_token::{FROM_MACRO, LINE, PAINTED, PpToken, SPACE};
use super::punctuator::Punctuator;
use super::scan::Kind;
use crate::diagnostic::Diagnostic;
use crate::source::Location;

/// Tokens that are read before those of the file.
#[derive(Debug)]
pub(super) struct Context {
    tokens: Tokens,
    next: usize,
    /// The macro whose replacement this is; none for a barrier.
    of: Option<MacroId>,
    /// [`SPACE`] if the token after it has white space before it in any case.
    space_after: u8,
}

#[derive(Debug)]
enum Tokens {
    /// The body of an object-like macro; the token is its name at the place of use.
    Body(PpToken),
    Owned(Vec<PpToken>),
}

/// The arguments of an invocation.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) tokens: Vec<PpToken>,
    pub(super) ranges: SmallVec<[Range<usize>; 8]>,
    /// Whether the variable arguments are left out.
    pub(super) lacks_rest: bool,
    /// The arguments after replacement, as far as they were needed.
    pub(super) replaced: Vec<PpToken>,
    pub(super) replaced_ranges: SmallVec<[Option<Range<usize>>; 8]>,
}

impl Context {
    /// Leaves out the rest.
    pub(super) fn skip(&mut self) {
        self.tokens = Tokens::Owned(Vec::new());
        self.next = 0;
    }
}

impl Preprocessor<'_> {
    /// The next token of the innermost context; of the one around it, or of the file, where it is at its end.
    pub(super) fn lex_context(&mut self) -> PpToken {
        let mut space = 0;
        while let Some(context) = self.contexts.last_mut() {
            let index = context.next;
            context.next += 1;
            match &context.tokens {
                Tokens::Body(name) => {
                    let body = context.of.map_or(&[][..], |id| &self.definitions[id].body);
                    if let Some(&token) = body.get(index) {
                        let token = if index == 0 { token.spaced_as(*name) } else { token };
                        return PpToken { location: name.location, flags: token.flags | FROM_MACRO | space, ..token };
                    }
                }
                Tokens::Owned(tokens) => {
                    if let Some(&token) = tokens.get(index) {
                        return PpToken { flags: token.flags | space, ..token };
                    }
                }
            }
            if context.of.is_none() {
                context.next = index;
                return self.nothing(Kind::End);
            }
            space |= context.space_after;
            self.leave_context();
        }
        let token = self.lex_file();
        PpToken { flags: token.flags | space, ..token }
    }

    /// Takes the innermost context off; its macro is on again.
    fn leave_context(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        if let Some(id) = context.of {
            self.definitions[id].is_off = false;
        }
        if let Tokens::Owned(tokens) = context.tokens {
            self.give_back(tokens);
        }
    }

    /// Reads these tokens, and nothing else until [`Preprocessor::end_barrier`].
    pub(super) fn begin_barrier(&mut self, tokens: Vec<PpToken>) {
        self.contexts.push(Context { tokens: Tokens::Owned(tokens), next: 0, of: None, space_after: 0 });
    }

    /// Takes off the innermost barrier and what is left on it.
    pub(super) fn end_barrier(&mut self) {
        while self.contexts.last().is_some_and(|context| context.of.is_some()) {
            self.leave_context();
        }
        self.leave_context();
    }

    pub(super) fn take_vector(&mut self) -> Vec<PpToken> {
        self.pool.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, mut tokens: Vec<PpToken>) {
        const KEPT: usize = 64;
        const LARGEST: usize = 1 << 16;
        if self.pool.len() < KEPT && tokens.capacity() <= LARGEST {
            tokens.clear();
            self.pool.push(tokens);
        }
    }

    /// Replaces the macro that a token names. `Ok` is a token that stays as it is; after `Err`, reading goes on, and the flags
    /// are those of the white space that an empty replacement leaves behind.
    pub(super) fn replace(&mut self, name: PpToken, id: MacroId) -> Result<PpToken, u8> {
        if self.definitions[id].is_off {
            return Ok(PpToken { flags: name.flags | PAINTED, ..name });
        }
        match self.definitions[id].kind {
            MacroKind::Special(special) => self.replace_special(special, name),
            MacroKind::Object => {
                if !name.has(FROM_MACRO) {
                    self.use_end = name.location;
                }
                if self.definitions[id].has_operators {
                    self.replace_by_substitution(name, id, Arguments::default())
                } else {
                    self.replace_object(name, id)
                }
            }
            MacroKind::Function { .. } => {
                if !self.is_paren_next() {
                    return Ok(name);
                }
                self.replace_invocation(name, id)
            }
        }
    }

    fn replace_object(&mut self, name: PpToken, id: MacroId) -> Result<PpToken, u8> {
        let length = self.definitions[id].body.len();
        if length == 0 {
            return Err(name.flags & (SPACE | LINE));
        }
        if self.count(length, name.location) {
            self.definitions[id].is_off = true;
            self.contexts.push(Context { tokens: Tokens::Body(name), next: 0, of: Some(id), space_after: 0 });
        }
        Err(0)
    }

    /// The parenthesis is next.
    fn replace_invocation(&mut self, name: PpToken, id: MacroId) -> Result<PpToken, u8> {
        let (arguments, end) = match self.collect(name, id) {
            Ok(collected) => collected,
            Err(None) => return Ok(name),
            Err(Some(brace)) => {
                let name = PpToken { flags: name.flags | PAINTED, ..name };
                let tokens = Tokens::Owned(vec![name, brace]);
                self.definitions[id].is_off = true;
                self.contexts.push(Context { tokens, next: 0, of: Some(id), space_after: 0 });
                return Err(0);
            }
        };
        let result = self.replace_by_substitution(name, id, arguments);
        if !end.has(FROM_MACRO) {
            self.use_end = end.location;
            if self.nested_arguments == 0 {
                self.macro_uses.push((name.location, end.location));
            }
        }
        result
    }

    fn replace_by_substitution(&mut self, name: PpToken, id: MacroId, mut arguments: Arguments) -> Result<PpToken, u8> {
        let (mut tokens, space_after) = self.substitute(name, id, &mut arguments);
        self.give_back(arguments.tokens);
        self.give_back(arguments.replaced);
        match tokens.first_mut() {
            None => {
                self.give_back(tokens);
                Err(name.flags & (SPACE | LINE) | space_after)
            }
            Some(first) => {
                *first = first.spaced_as(name);
                if !self.stopped {
                    self.definitions[id].is_off = true;
                    self.contexts.push(Context { tokens: Tokens::Owned(tokens), next: 0, of: Some(id), space_after });
                }
                Err(0)
            }
        }
    }

    /// Counts tokens that come out of a macro. False if there are too many: then nothing is read any more.
    pub(super) fn count(&mut self, tokens: usize, location: Location) -> bool {
        self.macro_tokens = self.macro_tokens.saturating_add(tokens);
        if self.macro_tokens <= self.limits.macro_tokens {
            return true;
        }
        if !self.stopped {
            let limit = self.limits.macro_tokens;
            let message = format!("macros make more than {limit} tokens: the rest is not read");
            self.fatal(Diagnostic::limit(location, message).raised_by("macro-tokens"));
        }
        false
    }

    /// Whether the next token is `(`, without reading it. An invocation does not go on beyond the end of a file.
    pub(super) fn is_paren_next(&mut self) -> bool {
        for context in self.contexts.iter().rev() {
            let next = match &context.tokens {
                Tokens::Body(_) => context.of.and_then(|id| self.definitions[id].body.get(context.next)),
                Tokens::Owned(tokens) => tokens.get(context.next),
            };
            match next {
                Some(token) => return token.is(Punctuator::LeftParen),
                None if context.of.is_none() => return false,
                None => {}
            }
        }
        let Some(frame) = self.frames.last() else { return false };
        let mut cursor = frame.cursor;
        let lexeme = super::scan::scan(&frame.text, &mut cursor, self.rules, false);
        lexeme.kind == Kind::Punctuator && lexeme.punctuator == Punctuator::LeftParen
    }

    /// Reads the arguments of an invocation, from the parenthesis on. Also gives the closing parenthesis. After an error, the brace that the text goes
    /// on with, if one ended the arguments.
    fn collect(&mut self, name: PpToken, id: MacroId) -> Result<(Arguments, PpToken), Option<PpToken>> {
        self.collecting += 1;
        let mut arguments =
            Arguments { tokens: self.take_vector(), replaced: self.take_vector(), ..Arguments::default() };
        let end = self.collect_tokens(id, &mut arguments);
        self.collecting -= 1;
        let end = end.inspect_err(|_| {
            let message = format!("the arguments of the macro `{}` have no closing `)`", self.text(name));
            self.macro_error(id, name.location, message);
        })?;
        if let Err(message) = self.fit(id, &mut arguments) {
            let message = format!("the macro `{}` {message}", self.text(name));
            self.macro_error(id, name.location, message);
            return Err(None);
        }
        arguments.replaced_ranges = arguments.ranges.iter().map(|_| None).collect();
        Ok((arguments, end))
    }

    fn collect_tokens(&mut self, id: MacroId, arguments: &mut Arguments) -> Result<PpToken, Option<PpToken>> {
        let MacroKind::Function { parameters, is_variadic } = self.definitions[id].kind.clone() else {
            return Err(None);
        };
        let fixed = if is_variadic { parameters.len() - 1 } else { usize::MAX };
        let (mut depth, mut braces) = (0, 0);
        let mut start = 0;
        self.lex();
        loop {
            let mut token = self.lex();
            match token.kind {
                Kind::End => return Err(None),
                Kind::Punctuator => {
                    if token.is(Punctuator::LeftParen) {
                        depth += 1;
                    } else if token.is(Punctuator::RightParen) {
                        if depth == 0 {
                            arguments.ranges.push(start..arguments.tokens.len());
                            return Ok(token);
                        }
                        depth -= 1;
                    } else if depth == 0 && token.is(Punctuator::Comma) && arguments.ranges.len() < fixed {
                        arguments.ranges.push(start..arguments.tokens.len());
                        start = arguments.tokens.len();
                        continue;
                    } else if token.is(Punctuator::LeftBrace) {
                        braces += 1;
                    } else if token.is(Punctuator::RightBrace) {
                        // The function around it ends here, and what comes behind it is not to be lost.
                        if braces == 0 && self.options.is_tolerant() {
                            return Err(Some(token));
                        }
                        braces -= 1;
                    }
                }
                Kind::Identifier if self.is_off(token) => token.flags |= PAINTED,
                _ => {}
            }
            if token.has(LINE) {
                token.flags = token.flags & !LINE | SPACE;
            }
            arguments.tokens.push(token);
        }
    }

    /// Whether a token is the name of a macro that is being replaced.
    fn is_off(&self, token: PpToken) -> bool {
        self.definitions.find(token.symbol).is_some_and(|id| self.definitions[id].is_off)
    }

    /// Makes the number of arguments that of the parameters, or says why that cannot be.
    fn fit(&self, id: MacroId, arguments: &mut Arguments) -> Result<(), String> {
        let MacroKind::Function { parameters, is_variadic } = &self.definitions[id].kind else { return Ok(()) };
        let given = arguments.ranges.len();
        if parameters.is_empty() && given == 1 && arguments.tokens.is_empty() {
            arguments.ranges.clear();
            return Ok(());
        }
        arguments.lacks_rest = *is_variadic && given == 1 && parameters.len() == 1 && arguments.tokens.is_empty();
        if *is_variadic && given + 1 == parameters.len() {
            arguments.lacks_rest = true;
            let end = arguments.tokens.len();
            arguments.ranges.push(end..end);
            return Ok(());
        }
        if given == parameters.len() {
            return Ok(());
        }
        let at_least = if *is_variadic { "at least " } else { "" };
        let wanted = parameters.len() - usize::from(*is_variadic);
        let plural = if wanted == 1 { "" } else { "s" };
        let given = if arguments.tokens.is_empty() && given == 1 { 0 } else { given };
        Err(format!("takes {at_least}{wanted} argument{plural}, but is given {given}"))
    }

    /// An argument after replacement.
    pub(super) fn replaced_argument(
        &mut self,
        arguments: &mut Arguments,
        index: usize,
        location: Location,
    ) -> Range<usize> {
        if let Some(range) = &arguments.replaced_ranges[index] {
            return range.clone();
        }
        let raw = &arguments.tokens[arguments.ranges[index].clone()];
        let start = arguments.replaced.len();
        let may_change =
            |token: &PpToken| token.kind == Kind::Identifier && self.definitions.find(token.symbol).is_some();
        if raw.iter().any(may_change) {
            let mut tokens = self.take_vector();
            tokens.extend_from_slice(raw);
            self.replace_argument(tokens, &mut arguments.replaced, location);
        } else {
            arguments.replaced.extend_from_slice(raw);
        }
        let range = start..arguments.replaced.len();
        arguments.replaced_ranges[index] = Some(range.clone());
        range
    }

    fn replace_argument(&mut self, tokens: Vec<PpToken>, replaced: &mut Vec<PpToken>, location: Location) {
        if self.nested_arguments >= self.limits.macro_nesting {
            let limit = self.limits.macro_nesting;
            let message = format!("arguments of macros are nested more than {limit} deep: the rest is not read");
            return self.fatal(Diagnostic::limit(location, message).raised_by("macro-nesting"));
        }
        let length = tokens.len();
        if self.nested_arguments > 0 && self.argument_tokens + length > self.limits.macro_arguments {
            let limit = self.limits.macro_arguments;
            let message =
                format!("arguments of macros in arguments hold more than {limit} tokens: the rest is not read");
            return self.fatal(Diagnostic::limit(location, message).raised_by("macro-arguments"));
        }
        self.nested_arguments += 1;
        self.argument_tokens += length;
        self.begin_barrier(tokens);
        loop {
            let token = self.next();
            if token.kind == Kind::End {
                break;
            }
            replaced.push(token);
        }
        self.end_barrier();
        self.nested_arguments -= 1;
        self.argument_tokens -= length;
    }
}
