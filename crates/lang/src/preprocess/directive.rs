//! The lines with `#`: conditionals, `#line`, `#error`, `#pragma`; the rest is done elsewhere.

use super::Preprocessor;
use super::files::{Conditional, Guard};
use super::pp_token::{LINE, PpToken};
use super::punctuator::Punctuator;
use super::scan::{Kind, unsplice};
use super::special::destringize;
use crate::diagnostic::{Diagnostic, Ground};
use crate::source::Location;
use crate::token::Symbol;

/// What a directive in a group that is not read means for it.
enum Skipped {
    Opens,
    Closes,
    Else,
    /// `#elif`, `#elifdef`, `#elifndef`.
    Elif(Test),
    Other,
}

/// How a conditional asks.
#[derive(Clone, Copy)]
enum Test {
    Expression,
    Defined,
    NotDefined,
}

impl Preprocessor<'_> {
    /// Obeys the directive after a `#`. Gives the token of a pragma that is not for the preprocessor.
    pub(super) fn directive(&mut self, hash: PpToken) -> Option<PpToken> {
        let name = self.scan(true);
        let is_guard = self.symbols.text(name.symbol) == "ifndef";
        self.watch_guard(is_guard);
        if name.kind == Kind::EndOfLine {
            return None;
        }
        if name.kind == Kind::Number {
            self.line_directive(Some(name));
            return None;
        }
        match self.symbols.text(name.symbol) {
            "define" => self.define(),
            "undef" => self.undefine(),
            "include" => self.include(),
            "if" => self.open(name, Test::Expression),
            "ifdef" => self.open(name, Test::Defined),
            "ifndef" => self.open(name, Test::NotDefined),
            "elif" | "elifdef" | "elifndef" | "else" => self.end_group(name),
            "endif" => self.close(name),
            "line" => self.line_directive(None),
            "error" => self.error_directive(name.location),
            "warning" => {
                let message = format!("#warning {}", self.rest_as_text());
                self.warning(name.location, message.trim_end());
            }
            "pragma" => return self.pragma(hash),
            "ident" | "sccs" => self.skip_line(),
            "include_next" | "import" | "embed" | "assert" | "unassert" => {
                let message =
                    format!("the directive `#{}` is not supported by the built-in front end", self.text(name));
                self.report(Diagnostic::unsupported(name.location, message));
                self.skip_line();
            }
            other => {
                let message = format!("there is no directive `#{other}`");
                self.error(name.location, message);
                self.skip_line();
            }
        }
        None
    }

    /// An `#error`. Where it stands behind a condition, what the host defines decides.
    fn error_directive(&mut self, location: Location) {
        let message = format!("#error {}", self.rest_as_text());
        let mut error = Diagnostic::error(location, message.trim_end());
        let is_conditional = self.frames.last().is_some_and(|frame| !frame.conditionals.is_empty());
        if is_conditional && self.options.host_may_define() {
            error.ground = Ground::Host;
        }
        self.report(error);
    }

    /// Skips to the end of the line.
    pub(super) fn skip_line(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        while !matches!(frame.scan(self.rules, true).kind, Kind::EndOfLine) {}
    }

    /// Reads to the end of the line.
    pub(super) fn rest_of_line(&mut self, tokens: &mut Vec<PpToken>) {
        loop {
            let token = self.scan(true);
            if matches!(token.kind, Kind::EndOfLine | Kind::End) {
                return;
            }
            tokens.push(token);
        }
    }

    /// The rest of the line.
    fn rest_as_text(&mut self) -> String {
        let mut tokens = Vec::new();
        self.rest_of_line(&mut tokens);
        self.spell(&tokens)
    }

    /// The rest of the line, macros replaced.
    pub(super) fn replaced_line(&mut self, first: Option<PpToken>) -> Vec<PpToken> {
        let mut tokens: Vec<PpToken> = first.into_iter().collect();
        self.rest_of_line(&mut tokens);
        self.begin_barrier(tokens);
        let mut replaced = Vec::new();
        loop {
            let token = self.next();
            if token.kind == Kind::End {
                break;
            }
            replaced.push(token);
        }
        self.end_barrier();
        replaced
    }

    /// Warns where more stands on the line of a directive.
    pub(super) fn expect_end_of_line(&mut self, directive: &str) {
        let token = self.scan(true);
        if token.kind != Kind::EndOfLine {
            self.warning(token.location, format!("text after `{directive}` is not read"));
            self.skip_line();
        }
    }

    /// A directive stands here: keeps track of whether the file is one in `#ifndef NAME … #endif`.
    fn watch_guard(&mut self, is_ifndef: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        match frame.guard {
            Guard::Start if !is_ifndef || frame.has_tokens => frame.guard = Guard::No,
            Guard::After(_) => frame.guard = Guard::No,
            _ => {}
        }
    }

    /// `#if`, `#ifdef`, `#ifndef`.
    fn open(&mut self, name: PpToken, test: Test) {
        let taken = self.test(test, true);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.conditionals.push(Conditional { location: name.location, taken, has_else: false });
        if !taken {
            self.skip_group();
        }
    }

    fn test(&mut self, test: Test, may_guard: bool) -> bool {
        self.undefined = None;
        let (is_defined, directive) = match test {
            Test::Expression => return self.condition(),
            Test::Defined => (true, "#ifdef"),
            Test::NotDefined => (false, "#ifndef"),
        };
        let name = self.scan(true);
        if let Err(diagnostic) = self.expect_macro_name(name) {
            self.report(diagnostic);
            if name.kind != Kind::EndOfLine {
                self.skip_line();
            }
            return false;
        }
        self.expect_end_of_line(directive);
        if let Some(frame) = self.frames.last_mut()
            && frame.guard == Guard::Start
        {
            frame.guard = if may_guard && !is_defined { Guard::Inside(name.symbol) } else { Guard::No };
        }
        let is_macro = self.is_defined(name.symbol);
        if is_defined && !is_macro {
            self.note_undefined(name.symbol);
        }
        is_macro == is_defined
    }

    /// Whether a name is that of a macro. The words for where things are and run are macros of the headers that compilers of CUDA and HIP include by themselves.
    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        const WORDS: [&str; 5] = ["__constant__", "__device__", "__global__", "__host__", "__shared__"];
        self.definitions.find(name).is_some()
            || self.options.dialect.has_host() && WORDS.contains(&self.symbols.text(name))
    }

    /// `#elif` or `#else` after a group that was read.
    fn end_group(&mut self, name: PpToken) {
        let is_else = self.text(name) == "else";
        if is_else {
            self.expect_end_of_line("#else");
        } else {
            self.skip_line();
        }
        if self.next_group(name, is_else) {
            self.undefined = None;
            self.skip_group();
        }
    }

    /// Another group begins. False if there is no conditional.
    fn next_group(&mut self, name: PpToken, is_else: bool) -> bool {
        let directive = self.text(name).to_owned();
        let Some(frame) = self.frames.last_mut() else { return false };
        if frame.conditionals.len() == 1 {
            frame.guard = Guard::No;
        }
        let Some(conditional) = frame.conditionals.last_mut() else {
            self.error(name.location, format!("`#{directive}` without `#if`"));
            return false;
        };
        let (opened, had_else) = (conditional.location, conditional.has_else);
        conditional.has_else |= is_else;
        if had_else {
            let message = format!("`#{directive}` after `#else`");
            self.report(Diagnostic::error(name.location, message).with(opened, "the conditional begins here"));
        }
        true
    }

    fn close(&mut self, name: PpToken) {
        self.expect_end_of_line("#endif");
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.conditionals.pop().is_none() {
            return self.error(name.location, "`#endif` without `#if`");
        }
        if let (Guard::Inside(guard), true) = (frame.guard, frame.conditionals.is_empty()) {
            frame.guard = Guard::After(guard);
            frame.has_tokens = false;
        }
    }

    /// Skips to the group of the innermost conditional that is read, or behind its `#endif`.
    fn skip_group(&mut self) {
        let (mut depth, first_unread) = (0usize, self.unread.len());
        let open = |preprocessor: &Preprocessor<'_>| preprocessor.frames.last()?.conditionals.last().copied();
        let mut location = open(self).map_or(Location::NONE, |open| open.location);
        loop {
            let Some((name, skipped)) = self.skip_to_directive(location) else { return };
            match skipped {
                Skipped::Opens => depth += 1,
                Skipped::Closes if depth == 0 => {
                    self.end_unread(first_unread, open(self).is_some_and(|open| open.taken));
                    return self.close(name);
                }
                Skipped::Closes => depth -= 1,
                Skipped::Else if depth == 0 => {
                    self.expect_end_of_line("#else");
                    self.undefined = None;
                    if !self.next_group(name, true) || self.take_group() {
                        return self.end_unread(first_unread, true);
                    }
                    location = name.location;
                }
                Skipped::Elif(test) if depth == 0 => {
                    let is_decided = !self.next_group(name, false) || open(self).is_none_or(|open| open.taken);
                    self.undefined = None;
                    if !is_decided && self.test(test, false) && self.take_group() {
                        return self.end_unread(first_unread, true);
                    }
                    location = name.location;
                }
                _ => {}
            }
        }
    }

    /// Reads the group that begins here, if none of its conditional was read.
    fn take_group(&mut self) -> bool {
        let open = self.frames.last_mut().and_then(|frame| frame.conditionals.last_mut());
        open.is_none_or(|open| !std::mem::replace(&mut open.taken, true))
    }

    /// Skips to the next directive, its name included. None at the end of the file. `group` is where the condition of what is skipped begins.
    fn skip_to_directive(&mut self, group: Location) -> Option<(PpToken, Skipped)> {
        let (rules, kernel_words) = (self.rules, self.options.dialect.kernel_words());
        loop {
            let (frame, macros) = (self.frames.last_mut()?, &self.kernel_macros);
            let is_kernel = |word: &str| kernel_words.contains(&word) || !macros.is_empty() && macros.contains(word);
            let lexeme = frame.scan(rules, false);
            match lexeme.kind {
                Kind::End => return None,
                Kind::OpenComment => {
                    let location = crate::source::Location(frame.start + lexeme.start);
                    self.error(location, "the comment is not closed");
                    continue;
                }
                Kind::Identifier if is_kernel(&frame.text[lexeme.range()]) => {
                    self.skip_kernel(group);
                    continue;
                }
                Kind::Punctuator if lexeme.flags & LINE != 0 && lexeme.punctuator.meaning() == Punctuator::Hash => {}
                _ => continue,
            }
            let name = frame.scan(rules, true);
            if name.kind != Kind::Identifier {
                continue;
            }
            let written = &frame.text[name.range()];
            let joined;
            let text = if name.spliced {
                joined = unsplice(written);
                &joined
            } else {
                written
            };
            let skipped = match text {
                "if" | "ifdef" | "ifndef" => Skipped::Opens,
                "endif" => Skipped::Closes,
                "else" => Skipped::Else,
                "elif" => Skipped::Elif(Test::Expression),
                "elifdef" => Skipped::Elif(Test::Defined),
                "elifndef" => Skipped::Elif(Test::NotDefined),
                _ => Skipped::Other,
            };
            if !matches!(skipped, Skipped::Other) {
                let location = crate::source::Location(frame.start + name.start);
                return Some((super::token(self.symbols, &self.punctuators, name, &frame.text, location), skipped));
            }
        }
    }

    /// `#line 3 "file"`, or `# 3 "file"` with the number being read.
    fn line_directive(&mut self, number: Option<PpToken>) {
        let is_marker = number.is_some();
        let location = number.map_or(crate::source::Location::NONE, |number| number.location);
        let tokens = self.replaced_line(number);
        let location = tokens.first().map_or(location, |first| first.location);
        const LARGEST: i64 = i32::MAX as i64;
        let line = tokens.first().filter(|first| first.kind == Kind::Number).and_then(|first| {
            let text = self.text(*first);
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|&line| digits && line <= LARGEST)
        });
        let file = tokens.get(1);
        let rest_is_wrong = file.is_some_and(|file| file.kind != Kind::String) || tokens.len() > 2 && !is_marker;
        let (Some(line), false) = (line, rest_is_wrong) else {
            let location = if tokens.is_empty() { self.here() } else { location };
            return self
                .error(location, "`#line` needs a number up to 2147483647, and can have the name of a file after it");
        };
        let file = file.map(|&file| destringize(self.text(file)));
        let file = file.map(|file| self.symbols.intern(&file));
        let Some(frame) = self.frames.last_mut() else { return };
        let offset = frame.cursor.offset;
        let real = i64::from(frame.line(offset));
        frame.presumed = (line - real - 1, file.or(frame.presumed.1));
    }

    /// The place that is read next.
    pub(super) fn here(&self) -> crate::source::Location {
        let place = |frame: &super::Frame| crate::source::Location(frame.start + frame.cursor.offset as u32);
        self.frames.last().map_or(crate::source::Location::NONE, place)
    }

    /// `#pragma …`: `once`, `push_macro` and `pop_macro` are obeyed, all others are tokens.
    fn pragma(&mut self, hash: PpToken) -> Option<PpToken> {
        let mut tokens = Vec::new();
        self.rest_of_line(&mut tokens);
        let word = tokens.first().map_or("", |&first| self.text(first));
        match word {
            "once" if tokens.len() == 1 => {
                self.include_once();
                None
            }
            "push_macro" | "pop_macro" if tokens.len() == 4 && tokens[2].kind == Kind::String => {
                let is_push = word == "push_macro";
                let name = destringize(self.text(tokens[2]));
                let name = self.symbols.intern(&name);
                if is_push {
                    self.definitions.push(name);
                } else if !self.definitions.pop(name) {
                    self.warning(hash.location, "`pop_macro` without `push_macro`");
                }
                None
            }
            _ => Some(self.pragma_token(&tokens, hash)),
        }
    }
}
