//! Running the preprocessor on small texts, and printing what it makes.

use std::fmt::Write as _;
use std::path::Path;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::{Preprocessed, preprocess};
use reconverge_lang::source::Location;
use reconverge_lang::token::{Symbols, TokenKind};

/// The tokens and messages of a C text, as text.
pub(crate) fn show(text: &str) -> String {
    show_with(text, &Options::new(Dialect::C))
}

/// The tokens and messages of a text.
pub(crate) fn show_with(text: &str, options: &Options) -> String {
    show_file(Path::new("main.c"), text.as_bytes(), options)
}

/// The tokens of a file, a line for each line, then the messages.
pub(crate) fn show_file(path: &Path, text: &[u8], options: &Options) -> String {
    let mut symbols = Symbols::default();
    let result = preprocess(path, text.to_vec(), options, &mut symbols);
    let mut shown = String::new();
    for token in &result.tokens[..result.tokens.len() - 1] {
        if !shown.is_empty() {
            shown.push(if token.starts_line { '\n' } else { ' ' });
        }
        if token.kind == TokenKind::Pragma {
            shown.push_str("#pragma ");
        }
        shown.push_str(symbols.text(token.symbol));
    }
    if !shown.is_empty() {
        shown.push('\n');
    }
    shown + &messages(&result)
}

/// The messages, with places.
pub(crate) fn messages(result: &Preprocessed) -> String {
    let place = |location: Location| match result.sources.position(location) {
        Some(at) => format!("{}:{}:{}", at.path.file_name().unwrap_or_default().display(), at.line, at.column),
        None => "nowhere".to_owned(),
    };
    let mut shown = String::new();
    for diagnostic in &result.diagnostics {
        let severity = format!("{:?}", diagnostic.severity).to_lowercase();
        writeln!(shown, "{}: {severity}: {}", place(diagnostic.location), diagnostic.message).unwrap();
        for (location, message) in &diagnostic.related {
            writeln!(shown, "    {}: {message}", place(*location)).unwrap();
        }
    }
    shown
}

/// The spellings of the tokens of a text, and whether there is an error.
pub(crate) fn spellings(path: &Path, text: &str, options: &Options) -> (Vec<String>, bool) {
    let mut symbols = Symbols::default();
    let result = preprocess(path, text.as_bytes().to_vec(), options, &mut symbols);
    let is_wrong = result.diagnostics.iter().any(|it| it.severity == reconverge_lang::diagnostic::Severity::Error);
    let spell = |token: &reconverge_lang::token::Token| match token.kind {
        TokenKind::Pragma => format!("#pragma {}", symbols.text(token.symbol)),
        _ => symbols.text(token.symbol).to_owned(),
    };
    (result.tokens.iter().map(spell).collect(), is_wrong)
}
