//! A lexer without a preprocessor, and the printed result of parsing a text.

use reconverge_lang::diagnostic::{Diagnostic, Severity};
use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::source::Location;
use reconverge_lang::syntax::{self, Parsed};
use reconverge_lang::token::{Symbols, Token, TokenKind};
use reconverge_lang::tree::{Body, Item};

const LONG_PUNCTUATORS: &[&str] = &[
    "...", "<<=", ">>=", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text; location 1 is its first byte. Of directives only `#pragma` is kept.
pub(crate) fn tokenize(text: &str, symbols: &mut Symbols) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut starts_line = true;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let rest = &text[at..];
        let begin = at;
        let first = bytes[at];
        let word = |from: usize| {
            rest[from..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(rest.len(), |end| end + from)
        };
        let kind = match first {
            b'\n' => {
                starts_line = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'#' if starts_line => {
                at += rest.find('\n').unwrap_or(rest.len());
                if !rest.starts_with("#pragma") {
                    continue;
                }
                TokenKind::Pragma
            }
            b'"' | b'\'' => {
                let mut end = 1;
                while end < rest.len() && rest.as_bytes()[end] != first {
                    end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
                }
                at = (begin + end + 1).min(text.len());
                if first == b'"' { TokenKind::String } else { TokenKind::Character }
            }
            b'0'..=b'9' | b'.' if first != b'.' || rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                let mut end = 1;
                while let Some(&next) = rest.as_bytes().get(end) {
                    let sign =
                        matches!(next, b'+' | b'-') && matches!(rest.as_bytes()[end - 1], b'e' | b'E' | b'p' | b'P');
                    if !next.is_ascii_alphanumeric() && next != b'.' && !sign {
                        break;
                    }
                    end += 1;
                }
                at += end;
                TokenKind::Number
            }
            _ if first.is_ascii_alphabetic() || first == b'_' => {
                at += word(0);
                TokenKind::Identifier
            }
            _ => {
                let long = LONG_PUNCTUATORS.iter().find(|long| rest.starts_with(**long));
                at += long.map_or(rest.chars().next().map_or(1, char::len_utf8), |long| long.len());
                TokenKind::Punctuator
            }
        };
        let symbol = symbols.intern(&text[begin..at]);
        let location = Location(begin as u32 + 1);
        tokens.push(Token { kind, starts_line, from_macro: false, symbol, location });
        starts_line = false;
    }
    let symbol = symbols.intern("");
    let location = Location(text.len() as u32 + 1);
    tokens.push(Token { kind: TokenKind::End, starts_line: true, from_macro: false, symbol, location });
    tokens
}

/// Parses a text.
pub(crate) fn parse(text: &str, dialect: Dialect) -> (Parsed, Symbols) {
    let mut symbols = Symbols::default();
    let tokens = tokenize(text, &mut symbols);
    let parsed = syntax::parse(&tokens, &mut symbols, &Options::new(dialect));
    (parsed, symbols)
}

fn place(text: &str, location: Location) -> String {
    let before = &text[..(location.0 as usize - 1).min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{line}:{column}")
}

fn worded(text: &str, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Warning => "warning",
        Severity::Unsupported => "unsupported",
        Severity::Error => "error",
    };
    let related =
        diagnostic.related.iter().map(|(location, message)| format!(" ({}: {message})", place(text, *location)));
    format!("{} {severity}: {}{}", place(text, diagnostic.location), diagnostic.message, related.collect::<String>())
}

/// The tree and the diagnostics of a text.
pub(crate) fn show(text: &str, dialect: Dialect) -> String {
    let (parsed, symbols) = parse(text, dialect);
    let mut shown = syntax::print::print(&parsed.tree, &symbols);
    for diagnostic in &parsed.diagnostics {
        shown += &worded(text, diagnostic);
        shown.push('\n');
    }
    shown
}

/// The diagnostics of a text, also those of unsupported bodies, and the names of the functions that were understood.
pub(crate) fn show_errors(text: &str, dialect: Dialect) -> String {
    let (parsed, symbols) = parse(text, dialect);
    let mut shown = String::new();
    let mut understood = Vec::new();
    for item in &parsed.tree.items {
        let Item::Function(function) = item else { continue };
        let name = function.declarator.name.map_or("_".into(), |name| parsed.tree.scopes.text(name, &symbols));
        match &function.body {
            Body::Unsupported(reason) => shown += &format!("{name}: {}\n", worded(text, reason)),
            _ => understood.push(name),
        }
    }
    for diagnostic in &parsed.diagnostics {
        shown += &worded(text, diagnostic);
        shown.push('\n');
    }
    shown + &format!("functions: {}\n", understood.join(" "))
}
