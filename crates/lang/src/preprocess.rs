//! From text to tokens: macros replaced, conditionals decided, included files in place.
//!
//! The steps: `scan` cuts text into lexemes; `files` knows which file is read; `directive`, `condition` and [`include`] do what
//! the lines with `#` say; `define` keeps macros, `expand` replaces them, `substitute` puts arguments into a body, and
//! `special` has those that are computed. `predefined` and `headers` are texts that go through the same steps.
//!
//! **Invariant.** A token is read from the innermost `expand::Context`, or from the file when there is none. A macro is off while
//! a context that came from it is being read; a name that is met meanwhile is painted, and never replaced again. Every loop ends:
//! tokens out of macros, files, depths and messages have limits (`Limits`), and when one is passed everything that is left is
//! skipped with one message.
//!
//! `#line` changes what `__LINE__` and `__FILE__` say, and nothing else: locations are those of the real text.

mod condition;
mod define;
mod directive;
mod expand;
mod files;
mod headers;
mod include;
mod pp_token;
mod predefined;
mod punctuator;
mod scan;
mod special;
mod substitute;
mod unread;
mod value;

use std::path::Path;

use rustc_hash::FxHashSet;

pub use self::headers::FOLDER as OWN_HEADERS;
pub use self::unread::{Assumed, Unread};

use self::define::{Definitions, MacroId};
use self::expand::Context;
use self::files::{Files, Frame};
use self::pp_token::{FROM_MACRO, LINE, PAINTED, PpToken};
use self::punctuator::Punctuator;
use self::scan::{Cursor, Kind, Lexeme, Rules};
use crate::diagnostic::{Diagnostic, Severity};
use crate::options::{Dialect, Limits, Options};
use crate::source::{Location, Sources};
use crate::token::{Symbol, Symbols, Token, TokenKind};

/// What preprocessing makes.
#[derive(Debug)]
pub struct Preprocessed {
    /// The files that were read: the main file first, then the text of the predefined macros, that of the macros of the command
    /// line if there are any, and every included file each time that it was included.
    pub sources: Sources,
    /// The tokens, the last one being [`TokenKind::End`]. C++ words such as `and` are the punctuators that they stand for.
    pub tokens: Vec<Token>,
    /// What is wrong, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
    /// What was not understood and passed over ([`Reading::Kernels`](crate::options::Reading::Kernels)).
    pub passed_over: Vec<Diagnostic>,
    /// The headers that were not found and passed over: each name once, with the first place that asks for it.
    pub missing_headers: Vec<(String, Location)>,
    /// The groups of the file itself that are not read and have kernels.
    pub unread: Vec<Unread>,
    /// The names that are taken to be defined, as the file has no kernels without them.
    pub assumed: Vec<Assumed>,
}

/// Preprocesses a file. Linear in the texts that are read and the tokens that macros make; never panics.
///
/// Other files are read where an `#include` asks for them and nowhere else.
///
/// Where a file has no kernels but in groups that its conditionals leave out, it is read again with the names defined that these ask for, unless
/// [all definitions are known](Options::defines_are_known).
pub fn preprocess(path: &Path, text: Vec<u8>, options: &Options, symbols: &mut Symbols) -> Preprocessed {
    let read = |text, options: &Options, symbols: &mut Symbols| preprocess_once(path, text, options, symbols);
    read(text, options, symbols).with_kernels(options, symbols, read)
}

fn preprocess_once(path: &Path, text: Vec<u8>, options: &Options, symbols: &mut Symbols) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(options, symbols);
    // More than most texts have: what is not used is not touched.
    let capacity = text.len() / 3;
    let main = preprocessor.add_file(path.to_owned(), text, Location::NONE);
    preprocessor.predefine();
    if let Some(main) = main {
        preprocessor.tokens.reserve(capacity);
        preprocessor.enter(main);
        preprocessor.run();
    }
    preprocessor.finish()
}

/// Where the token ends that begins at a byte of a text; the byte itself at the end of the text.
pub fn end_of_token(text: &str, start: usize, dialect: Dialect) -> usize {
    let lexeme = scan::scan(text, &mut Cursor { offset: start, line: 0 }, Rules::new(dialect), false);
    if lexeme.start as usize == start { lexeme.end as usize } else { start }
}

struct Preprocessor<'a> {
    options: &'a Options,
    symbols: &'a mut Symbols,
    limits: Limits,
    rules: Rules,
    sources: Sources,
    /// Where bytes that are not UTF-8 were replaced first, in each file. In comments and literals that is a warning, elsewhere an error where
    /// they stand.
    replaced: Vec<Location>,
    files: Files,
    frames: Vec<Frame>,
    definitions: Definitions,
    contexts: Vec<Context>,
    /// Empty vectors that contexts and arguments take and give back.
    pool: Vec<Vec<PpToken>>,
    /// The symbols of all punctuators, by number.
    punctuators: Vec<Symbol>,
    /// `__VA_OPT__` and `__VA_ARGS__`.
    variadic_names: [Symbol; 2],
    /// Where the outermost use of a macro ends that is being replaced.
    use_end: Location,
    /// Where such uses begin and end that have arguments.
    macro_uses: Vec<(Location, Location)>,
    /// How many lists of arguments are being collected.
    collecting: usize,
    /// How many arguments are being replaced within each other.
    nested_arguments: usize,
    /// How many tokens they are.
    argument_tokens: usize,
    /// Tokens that came out of macros.
    macro_tokens: usize,
    /// What `__COUNTER__` says next.
    counter: u64,
    /// Whether the line of an `#if` is being read.
    in_condition: bool,
    /// Whether nothing is read any more.
    stopped: bool,
    errors: usize,
    warnings: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    passed_over: Vec<Diagnostic>,
    missing_headers: Vec<(String, Location)>,
    /// The first name that nothing defines in the condition that was read last.
    undefined: Option<Symbol>,
    unread: Vec<Unread>,
    /// Macros that stand for a word that makes a function a kernel, among others.
    kernel_macros: FxHashSet<String>,
}

impl<'a> Preprocessor<'a> {
    fn new(options: &'a Options, symbols: &'a mut Symbols) -> Preprocessor<'a> {
        let punctuators = Punctuator::ALL.iter().map(|punctuator| symbols.intern(punctuator.spelling())).collect();
        let variadic_names = ["__VA_OPT__", "__VA_ARGS__"].map(|name| symbols.intern(name));
        let mut preprocessor = Preprocessor {
            options,
            symbols,
            variadic_names,
            limits: options.limits,
            rules: Rules::new(options.dialect),
            sources: Sources::default(),
            replaced: Vec::new(),
            files: Files::default(),
            frames: Vec::new(),
            definitions: Definitions::default(),
            contexts: Vec::new(),
            pool: Vec::new(),
            punctuators,
            use_end: Location::NONE,
            macro_uses: Vec::new(),
            collecting: 0,
            nested_arguments: 0,
            argument_tokens: 0,
            macro_tokens: 0,
            counter: 0,
            in_condition: false,
            stopped: false,
            errors: 0,
            warnings: 0,
            tokens: Vec::new(),
            diagnostics: Vec::new(),
            passed_over: Vec::new(),
            missing_headers: Vec::new(),
            undefined: None,
            unread: Vec::new(),
            kernel_macros: FxHashSet::default(),
        };
        preprocessor.define_special();
        preprocessor
    }

    /// Reads the file that was entered to its end.
    fn run(&mut self) {
        loop {
            self.run_plain();
            let token = self.next();
            match token.kind {
                Kind::End if self.frames.is_empty() => break,
                Kind::End => {}
                _ => self.emit(token),
            }
        }
    }

    /// Puts tokens of the file into the result that are what they look like, up to one that may be more: the name of a macro, a directive,
    /// the end. Most tokens are such; [`Preprocessor::next`] would give the same ones, by a longer way.
    fn run_plain(&mut self) {
        let (true, Some(frame)) = (self.contexts.is_empty(), self.frames.last_mut()) else { return };
        let text = frame.text.as_str();
        let mut cursor = frame.cursor;
        loop {
            let lexeme = scan::scan(text, &mut cursor, self.rules, false);
            let (kind, symbol) = match lexeme.kind {
                _ if lexeme.spliced => return,
                Kind::Punctuator if lexeme.punctuator == Punctuator::Hash || lexeme.punctuator.is_digraph() => return,
                Kind::Punctuator => (TokenKind::Punctuator, self.punctuators[lexeme.punctuator as usize]),
                Kind::Identifier if lexeme.range().len() > self.limits.name_length => return,
                Kind::Identifier => {
                    let symbol = self.symbols.intern(&text[lexeme.range()]);
                    if self.definitions.find(symbol).is_some() {
                        return;
                    }
                    (TokenKind::Identifier, symbol)
                }
                Kind::Number => (TokenKind::Number, self.symbols.intern(&text[lexeme.range()])),
                _ => return,
            };
            self.tokens.push(Token {
                kind,
                starts_line: lexeme.flags & LINE != 0,
                from_macro: false,
                symbol,
                location: Location(frame.start + lexeme.start),
            });
            frame.cursor = cursor;
            frame.has_tokens = true;
        }
    }

    fn finish(mut self) -> Preprocessed {
        if self.errors == 0 {
            for location in std::mem::take(&mut self.replaced) {
                self.warning(location, "the file is not UTF-8 from this byte on: what cannot be read is replaced");
            }
        }
        let end =
            self.sources.files().first().map_or(Location::NONE, |main| Location(main.start + main.text.len() as u32));
        let symbol = self.symbols.intern("");
        let kind = TokenKind::End;
        self.tokens.push(Token { kind, starts_line: true, from_macro: false, symbol, location: end });
        self.sources.set_macro_uses(self.macro_uses);
        Preprocessed {
            sources: self.sources,
            tokens: self.tokens,
            diagnostics: self.diagnostics,
            passed_over: self.passed_over,
            missing_headers: self.missing_headers,
            unread: self.unread,
            assumed: Vec::new(),
        }
    }

    /// Puts a token that is not to be replaced any more into the result.
    #[inline]
    fn emit(&mut self, token: PpToken) {
        let (kind, symbol) = match token.kind {
            // Names are said again and again, in names of names and in IR: what is long would be very long there.
            Kind::Identifier if self.symbols.longest() > self.limits.name_length && self.is_too_long(token) => return,
            Kind::Identifier => (TokenKind::Identifier, token.symbol),
            Kind::Number => (TokenKind::Number, token.symbol),
            Kind::Character => (TokenKind::Character, token.symbol),
            Kind::String => (TokenKind::String, token.symbol),
            Kind::Punctuator => {
                let meaning = Punctuator::ALL[usize::from(token.which)].meaning();
                (TokenKind::Punctuator, self.punctuators[meaning as usize])
            }
            Kind::Pragma => (TokenKind::Pragma, token.symbol),
            _ => {
                self.cannot_emit(token);
                if !self.options.is_tolerant() {
                    return;
                }
                // What stands in the way of its statement or declaration.
                (TokenKind::Identifier, token.symbol)
            }
        };
        self.tokens.push(Token {
            kind,
            starts_line: token.has(LINE),
            from_macro: token.has(FROM_MACRO),
            symbol,
            location: token.location,
        });
    }

    /// Whether a name is too long; then nothing is read any more.
    #[cold]
    fn is_too_long(&mut self, token: PpToken) -> bool {
        let limit = self.limits.name_length;
        let is_too_long = self.text(token).len() > limit;
        if is_too_long && !self.stopped {
            let message = format!("a name of more than {limit} bytes: the rest is not read");
            self.fatal(Diagnostic::limit(token.location, message).raised_by("name-length"));
        }
        is_too_long
    }

    #[cold]
    fn cannot_emit(&mut self, token: PpToken) {
        let text = self.symbols.text(token.symbol);
        let message = match token.kind {
            Kind::Unterminated => {
                let quote = if text.contains('"') { '"' } else { '\'' };
                format!("the closing `{quote}` is missing")
            }
            _ if !self.replaced.is_empty() && text == "\u{fffd}" => "what is not UTF-8 cannot stand here".to_owned(),
            _ if text == "\\" => "the character `\\` cannot stand here".to_owned(),
            _ => format!("the character `{}` cannot stand here", text.escape_debug()),
        };
        self.error(token.location, message);
    }

    /// The next token that is not to be replaced any more; [`Kind::End`] at the end of an argument or of the main file.
    fn next(&mut self) -> PpToken {
        let mut carried = 0;
        loop {
            let mut token = self.lex();
            token.flags |= carried;
            if token.kind != Kind::Identifier {
                return token;
            }
            let Some(id) = self.definitions.find(token.symbol) else { return token };
            if token.has(PAINTED) {
                return token;
            }
            match self.replace(token, id) {
                Ok(token) => return token,
                Err(flags) => carried = flags,
            }
        }
    }

    /// The next token as it stands: of the innermost context, else of the file, whose directives are obeyed.
    fn lex(&mut self) -> PpToken {
        match self.contexts.is_empty() {
            true => self.lex_file(),
            false => self.lex_context(),
        }
    }

    #[inline]
    fn lex_file(&mut self) -> PpToken {
        loop {
            let token = self.scan(false);
            match token.kind {
                Kind::Punctuator if token.has(LINE) && token.is(Punctuator::Hash) => {
                    if let Some(pragma) = self.directive(token) {
                        return pragma;
                    }
                }
                Kind::End if self.collecting == 0 && self.leave() => {}
                Kind::End => return token,
                _ => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.has_tokens = true;
                    }
                    return token;
                }
            }
        }
    }

    /// The next token of the file that is read, no directive obeyed.
    #[inline]
    fn scan(&mut self, in_line: bool) -> PpToken {
        loop {
            let Some(frame) = self.frames.last_mut() else { return self.nothing(Kind::End) };
            let lexeme = frame.scan(self.rules, in_line);
            let location = Location(frame.start + lexeme.start);
            if lexeme.kind == Kind::OpenComment {
                self.error(location, "the comment is not closed");
                continue;
            }
            return token(self.symbols, &self.punctuators, lexeme, &frame.text, location);
        }
    }

    /// Cuts a text that stands in no file into tokens, which are all at one place.
    fn scan_text(&mut self, text: &str, location: Location) -> Vec<PpToken> {
        let mut cursor = Cursor { offset: 0, line: 0 };
        let mut tokens = Vec::new();
        loop {
            let lexeme = scan::scan(text, &mut cursor, self.rules, false);
            match lexeme.kind {
                Kind::End => return tokens,
                Kind::OpenComment => {}
                _ => tokens.push(token(self.symbols, &self.punctuators, lexeme, text, location)),
            }
        }
    }

    /// A token that stands for nothing.
    fn nothing(&self, kind: Kind) -> PpToken {
        PpToken { kind, flags: 0, which: 0, symbol: self.punctuators[0], location: Location::NONE }
    }

    fn text(&self, token: PpToken) -> &str {
        self.symbols.text(token.symbol)
    }

    fn error(&mut self, location: Location, message: impl Into<String>) {
        self.report(Diagnostic::error(location, message));
    }

    fn warning(&mut self, location: Location, message: impl Into<String>) {
        self.report(Diagnostic::warning(location, message));
    }

    /// An error about the use of a macro, with the place where it is defined.
    fn macro_error(&mut self, id: MacroId, location: Location, message: impl Into<String>) {
        let defined = self.definitions[id].location;
        let mut diagnostic = Diagnostic::error(location, message);
        if defined != Location::NONE {
            diagnostic = diagnostic.with(defined, "the macro is defined here");
        }
        self.report(diagnostic);
    }

    /// Reports something, or passes it over: then it costs what is wrong, and nothing behind it.
    fn report(&mut self, diagnostic: Diagnostic) {
        let is_limit = diagnostic.is_limit();
        if diagnostic.severity != Severity::Warning && self.options.is_tolerant() && !is_limit {
            if self.passed_over.len() < self.limits.errors {
                self.passed_over.push(diagnostic);
            }
            return;
        }
        if diagnostic.severity == Severity::Warning {
            self.warnings += 1;
            if self.warnings <= self.limits.warnings {
                self.diagnostics.push(diagnostic);
            }
            return;
        }
        self.errors += 1;
        if self.errors <= self.limits.errors {
            self.diagnostics.push(diagnostic);
        } else if !self.stopped {
            let location = diagnostic.location;
            let message = format!("more than {} errors: the rest is not read", self.limits.errors);
            self.diagnostics.push(Diagnostic::error(location, message).raised_by("errors"));
            self.stop();
        }
    }

    /// An error after which nothing is read any more.
    fn fatal(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.errors = self.errors.max(self.limits.errors);
        self.stop();
    }

    /// Skips everything that is left: every context and every file is at its end.
    fn stop(&mut self) {
        self.stopped = true;
        for context in &mut self.contexts {
            context.skip();
        }
        for frame in &mut self.frames {
            frame.skip();
        }
    }
}

/// The token of a lexeme of a text.
#[inline]
fn token(symbols: &mut Symbols, punctuators: &[Symbol], lexeme: Lexeme, text: &str, location: Location) -> PpToken {
    let (which, symbol) = match lexeme.kind {
        Kind::Punctuator => (lexeme.punctuator as u16, punctuators[lexeme.punctuator as usize]),
        Kind::End | Kind::EndOfLine => (0, punctuators[0]),
        _ if lexeme.spliced => (0, symbols.intern(&scan::unsplice(&text[lexeme.range()]))),
        _ => (0, symbols.intern(&text[lexeme.range()])),
    };
    PpToken { kind: lexeme.kind, flags: lexeme.flags, which, symbol, location }
}
