//! The kernels of `tests/cases`, as they are.

use std::path::Path;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::{Preprocessed, preprocess};
use reconverge_lang::syntax;
use reconverge_lang::token::{Symbols, TokenKind};
use reconverge_lang::tree::{Body, Item};
use reconverge_testing::corpus::cases;

/// All kernels with their dialects.
pub(crate) fn kernels() -> Vec<(std::path::PathBuf, Dialect)> {
    let of = |kind, extension, dialect| {
        let files = cases(kind, extension).expect("the folder of cases can be read");
        files.into_iter().map(move |file| (file, dialect))
    };
    let opencl = of("opencl", "cl", Dialect::OpenCl).chain(of("run", "cl", Dialect::OpenCl));
    opencl.chain(of("cuda", "cu", Dialect::Cuda)).collect()
}

/// The tokens of a file.
pub(crate) fn tokens_of(path: &Path, dialect: Dialect) -> (Preprocessed, Symbols) {
    let mut symbols = Symbols::default();
    let text = std::fs::read(path).expect("the case can be read");
    let preprocessed = preprocess(path, text, &Options::new(dialect), &mut symbols);
    assert_eq!(preprocessed.diagnostics, [], "{}", path.display());
    (preprocessed, symbols)
}

#[test]
fn every_kernel_of_the_cases_is_parsed() {
    let mut left_out = Vec::new();
    let mut functions = 0;
    for (path, dialect) in kernels() {
        let (preprocessed, mut symbols) = tokens_of(&path, dialect);
        let parsed = syntax::parse(&preprocessed.tokens, &mut symbols, &Options::new(dialect));
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let word = |reason: &reconverge_lang::diagnostic::Diagnostic| {
            let position = preprocessed.sources.position(reason.location).expect("a place in a file");
            format!("{name}:{}:{}: {}", position.line, position.column, reason.message)
        };
        left_out.extend(parsed.diagnostics.iter().map(word));
        for item in &parsed.tree.items {
            let Item::Function(function) = item else { continue };
            functions += 1;
            if let Body::Unsupported(reason) = &function.body {
                left_out.push(word(reason));
            }
        }
        assert!(!symbols.text(preprocessed.tokens[0].symbol).is_empty() && !parsed.tree.items.is_empty());
        assert_eq!(preprocessed.tokens.last().map(|token| token.kind), Some(TokenKind::End));
    }
    assert!(functions > 200, "{functions}");
    assert_eq!(left_out, [""; 0]);
}
