//! Macros that are computed: `__LINE__`, `__has_builtin` and the like; `_Pragma`; and the C++ words for operators.

use super::Preprocessor;
use super::define::{Macro, MacroKind};
use super::pp_token::{FROM_MACRO, LINE, PpToken, SPACE};
use super::punctuator::{Punctuator, WORDS};
use super::scan::Kind;
use crate::diagnostic::Diagnostic;
use crate::options::LowerTarget;
use crate::source::Location;
use crate::token::Symbol;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// `__LINE__`.
    Line,
    /// `__FILE__`.
    File,
    /// `__FILE_NAME__`: without the folder.
    FileName,
    /// `__BASE_FILE__`: the main file.
    BaseFile,
    /// `__INCLUDE_LEVEL__`.
    IncludeLevel,
    /// `__COUNTER__`.
    Counter,
    /// `__DATE__`, the same each day.
    Date,
    /// `__TIME__`.
    Time,
    /// `__TIMESTAMP__`.
    Timestamp,
    /// `_Pragma("…")`.
    Pragma,
    /// `__has_include("…")`, `__has_include(<…>)`.
    HasInclude,
    /// `__has_attribute(name)` and its kin for C and C++.
    HasAttribute,
    /// `__has_builtin(name)`.
    HasBuiltin,
    /// `__has_feature(name)`, `__has_extension(name)`, `__has_warning("…")`, `__has_declspec_attribute(name)`: never.
    HasNothing,
    /// `and`, `or`, …
    Word(Punctuator),
}

const SPECIAL: [(&str, Special); 20] = [
    ("__LINE__", Special::Line),
    ("__FILE__", Special::File),
    ("__FILE_NAME__", Special::FileName),
    ("__BASE_FILE__", Special::BaseFile),
    ("__INCLUDE_LEVEL__", Special::IncludeLevel),
    ("__COUNTER__", Special::Counter),
    ("__DATE__", Special::Date),
    ("__TIME__", Special::Time),
    ("__TIMESTAMP__", Special::Timestamp),
    ("_Pragma", Special::Pragma),
    ("__has_include", Special::HasInclude),
    ("__has_attribute", Special::HasAttribute),
    ("__has_c_attribute", Special::HasAttribute),
    ("__has_cpp_attribute", Special::HasAttribute),
    ("__has_builtin", Special::HasBuiltin),
    ("__has_constexpr_builtin", Special::HasBuiltin),
    ("__has_feature", Special::HasNothing),
    ("__has_extension", Special::HasNothing),
    ("__has_warning", Special::HasNothing),
    ("__has_declspec_attribute", Special::HasNothing),
];

/// The attributes that mean something to this front end, without underscores at both ends.
const ATTRIBUTES: &[&str] = &[
    "address_space",
    "aligned",
    "always_inline",
    "amdgpu_flat_work_group_size",
    "cluster_dims",
    "const",
    "constant",
    "convergent",
    "deprecated",
    "device",
    "ext_vector_type",
    "fallthrough",
    "global",
    "host",
    "intel_reqd_sub_group_size",
    "launch_bounds",
    "likely",
    "maybe_unused",
    "noconvergent",
    "nodiscard",
    "noinline",
    "noreturn",
    "nothrow",
    "opencl_constant",
    "opencl_generic",
    "opencl_global",
    "opencl_local",
    "opencl_private",
    "opencl_unroll_hint",
    "packed",
    "pure",
    "reqd_work_group_size",
    "shared",
    "unlikely",
    "unused",
    "used",
    "vec_type_hint",
    "work_group_size_hint",
];

impl Preprocessor<'_> {
    /// Defines what is computed.
    pub(super) fn define_special(&mut self) {
        for (name, special) in SPECIAL {
            self.define_one(name, special);
        }
        if self.options.dialect.is_cpp() {
            for (name, punctuator) in WORDS {
                self.define_one(name, Special::Word(punctuator));
            }
        }
    }

    fn define_one(&mut self, name: &str, special: Special) {
        let name = self.symbols.intern(name);
        let kind = MacroKind::Special(special);
        let body = Vec::new().into();
        self.definitions.add(Macro { name, location: Location::NONE, kind, body, has_operators: false, is_off: false });
    }

    /// As [`Preprocessor::replace`].
    pub(super) fn replace_special(&mut self, special: Special, name: PpToken) -> Result<PpToken, u8> {
        let (kind, text) = match special {
            Special::Word(punctuator) => {
                let which = punctuator as u16;
                return Ok(PpToken { kind: Kind::Punctuator, which, ..name });
            }
            Special::Pragma => return self.pragma_operator(name),
            Special::Line => (Kind::Number, self.current_line(name).to_string()),
            Special::File => (Kind::String, quote(&self.presumed_file())),
            Special::FileName => {
                let file = self.presumed_file();
                (Kind::String, quote(file.rsplit('/').next().unwrap_or_default()))
            }
            Special::BaseFile => {
                let main = self.sources.files().first().map_or(String::new(), |file| file.path.display().to_string());
                (Kind::String, quote(&main))
            }
            Special::IncludeLevel => (Kind::Number, self.frames.len().saturating_sub(1).to_string()),
            Special::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            Special::Date => (Kind::String, quote("Jan  1 1970")),
            Special::Time => (Kind::String, quote("00:00:00")),
            Special::Timestamp => (Kind::String, quote("Thu Jan  1 00:00:00 1970")),
            Special::HasInclude if self.in_condition => match self.has_include(name) {
                Ok(yes) => (Kind::Number, u8::from(yes).to_string()),
                Err(diagnostic) => {
                    self.report(diagnostic);
                    (Kind::Number, "0".to_owned())
                }
            },
            Special::HasInclude => {
                self.error(name.location, "`__has_include` can only be used in `#if` and `#elif`");
                return Ok(name);
            }
            Special::HasAttribute | Special::HasBuiltin | Special::HasNothing => match self.query(special, name) {
                Ok(yes) => (Kind::Number, u8::from(yes).to_string()),
                Err(diagnostic) => {
                    self.report(diagnostic);
                    (Kind::Number, "0".to_owned())
                }
            },
        };
        let symbol = self.symbols.intern(&text);
        Ok(PpToken { kind, symbol, which: 0, flags: name.flags | FROM_MACRO, ..name })
    }

    /// The line that `__LINE__` says: that of the token, or where the outermost use of the macro ends.
    fn current_line(&mut self, name: PpToken) -> i64 {
        let location = if name.has(FROM_MACRO) { self.use_end } else { name.location };
        let Some(frame) = self.frames.last_mut() else { return 1 };
        let offset = (location.0 as usize).wrapping_sub(frame.start as usize);
        if offset <= frame.text.len() {
            return i64::from(frame.line(offset)) + frame.presumed.0;
        }
        self.sources.position(location).map_or(1, |position| i64::from(position.line))
    }

    /// The file that `__FILE__` says.
    fn presumed_file(&self) -> String {
        match self.frames.last().and_then(|frame| frame.presumed.1) {
            Some(name) => self.symbols.text(name).to_owned(),
            None => self.current_path().display().to_string(),
        }
    }

    /// `(name)` after `__has_…`: whether there is such a thing.
    fn query(&mut self, special: Special, name: PpToken) -> Result<bool, Diagnostic> {
        let what = self.text(name).to_owned();
        let missing = |location| Diagnostic::error(location, format!("`{what}` needs a name in parentheses"));
        if !self.is_paren_next() {
            return Err(missing(name.location));
        }
        self.lex();
        let mut words = Vec::new();
        let mut depth = 0;
        loop {
            let token = self.lex();
            match token.kind {
                Kind::End | Kind::EndOfLine => return Err(missing(name.location)),
                _ if token.is(Punctuator::LeftParen) => depth += 1,
                _ if token.is(Punctuator::RightParen) && depth == 0 => break,
                _ if token.is(Punctuator::RightParen) => depth -= 1,
                _ => words.push(token.symbol),
            }
        }
        let Some(&word) = words.last() else { return Err(missing(name.location)) };
        Ok(self.has(special, word))
    }

    fn has(&self, special: Special, name: Symbol) -> bool {
        let name = self.symbols.text(name);
        match special {
            Special::HasAttribute => {
                let bare = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
                ATTRIBUTES.binary_search(&bare).is_ok()
            }
            Special::HasBuiltin => {
                let of_amdgpu = name.starts_with("__builtin_amdgcn_");
                let of_nvptx = name.starts_with("__nvvm_");
                let of_spirv = name.starts_with("__builtin_spirv_");
                match self.options.target {
                    _ if !name.starts_with("__builtin_") && !of_nvptx => false,
                    LowerTarget::Amdgpu => !of_nvptx && !of_spirv,
                    LowerTarget::Nvptx => !of_amdgpu && !of_spirv,
                    LowerTarget::Spirv | LowerTarget::Generic => !of_amdgpu && !of_nvptx,
                }
            }
            _ => false,
        }
    }

    /// `_Pragma("…")`, the name being read.
    fn pragma_operator(&mut self, name: PpToken) -> Result<PpToken, u8> {
        let wrong = "`_Pragma` needs a string in parentheses";
        if !self.is_paren_next() {
            self.error(name.location, wrong);
            return Err(0);
        }
        self.lex();
        let string = self.lex();
        let close = if string.kind == Kind::End { string } else { self.lex() };
        if string.kind != Kind::String || !close.is(Punctuator::RightParen) {
            self.error(name.location, wrong);
            return Err(0);
        }
        let text = destringize(self.text(string));
        let tokens = self.scan_text(&text, name.location);
        Ok(self.pragma_token(&tokens, name))
    }

    /// The token of a pragma that says these tokens.
    pub(super) fn pragma_token(&mut self, tokens: &[PpToken], at: PpToken) -> PpToken {
        let text = self.spell(tokens);
        let symbol = self.symbols.intern(&text);
        PpToken { kind: Kind::Pragma, symbol, which: 0, flags: at.flags | LINE, location: at.location }
    }

    /// Tokens as text, with one space where there was white space.
    pub(super) fn spell(&self, tokens: &[PpToken]) -> String {
        let mut text = String::new();
        for &token in tokens {
            if token.has(SPACE | LINE) && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.text(token));
        }
        text
    }
}

/// A string constant that holds a text.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

/// What a string constant holds, as `_Pragma` takes it: no prefix, `\"` and `\\` being the only escapes.
pub(super) fn destringize(string: &str) -> String {
    let start = string.find('"').map_or(0, |quote| quote + 1);
    let inside = string[start..].strip_suffix('"').unwrap_or(&string[start..]);
    let mut text = String::with_capacity(inside.len());
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                text.push(next);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text
}
