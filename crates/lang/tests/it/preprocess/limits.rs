//! Texts that grow without end, or are very long: one message, and no time or memory to speak of.

use std::fs;
use std::path::Path;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::{Preprocessed, preprocess};
use reconverge_lang::token::Symbols;

fn run(text: String) -> Preprocessed {
    preprocess(Path::new("main.c"), text.into_bytes(), &Options::new(Dialect::C), &mut Symbols::default())
}

/// The only message.
fn message(result: &Preprocessed) -> &str {
    assert_eq!(result.diagnostics.len(), 1, "{:?}", result.diagnostics);
    &result.diagnostics[0].message
}

#[test]
fn exponential_objects() {
    let levels: String = (1..64).map(|level| format!("#define A{level} A{} A{}\n", level - 1, level - 1)).collect();
    let result = run(format!("#define A0 x\n{levels}A63 after"));
    assert!(message(&result).contains("more than 20000000 tokens"));
}

#[test]
fn exponential_arguments_strings_and_names() {
    let nested = |open: &str| format!("{}x{}", open.repeat(60), ")".repeat(60));
    let twice = run(format!("#define F(x) x x\n{}", nested("F(")));
    assert!(message(&twice).contains("tokens"), "{twice:?}");
    let strings = run(format!("#define S(x) #x\n#define F(x) S(x x)\n{}", nested("F(")));
    assert!(message(&strings).contains("tokens"));
    let names = run(format!("#define P(x, y) x ## y\n#define F(x) P(x, x)\n{}", nested("F(")));
    assert!(message(&names).contains("tokens"));
}

#[test]
fn nested_arguments() {
    let text = |depth: usize| format!("#define F(x) x\n{}y{}", "F(".repeat(depth), ")".repeat(depth));
    assert_eq!(run(text(400)).tokens.len(), 2);
    assert!(message(&run(text(5_000))).contains("nested more than 500 deep"));
    assert!(message(&run(text(100_000))).contains("more than 8000000 tokens"));
}

#[test]
fn long_chains() {
    let chain: String = (1..100_000).map(|index| format!("#define A{index} A{}\n", index - 1)).collect();
    assert_eq!(run(format!("{chain}A99999")).tokens.len(), 2);
    let nested = format!("{}x\n{}", "#if 1\n".repeat(100_000), "#endif\n".repeat(100_000));
    assert_eq!(run(nested).tokens.len(), 2);
    assert!(message(&run(format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000)))).contains("nested"));
    assert!(message(&run(format!("#if {}1\n#endif", "!".repeat(100_000)))).contains("nested"));
}

#[test]
fn files_that_include_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.c");
    let text = "x\n#include \"main.c\"\n#include \"main.c\"\n";
    fs::write(&path, text).unwrap();
    let result = preprocess(&path, text.into(), &Options::new(Dialect::C), &mut Symbols::default());
    assert!(message(&result).contains("include each other more than 200 deep"));
    assert_eq!(result.diagnostics[0].related.len(), 8);
    assert_eq!(result.tokens.len(), 202);
}

#[test]
fn files_that_include_others_twice() {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..40 {
        let next = format!("#include \"{}.h\"\n", index + 1);
        fs::write(folder.path().join(format!("{index}.h")), next.repeat(2)).unwrap();
    }
    fs::write(folder.path().join("40.h"), "").unwrap();
    let path = folder.path().join("main.c");
    let text = "#include \"0.h\"".into();
    let result = preprocess(&path, text, &Options::new(Dialect::C), &mut Symbols::default());
    assert!(message(&result).contains("more than 100000 files"));
}

#[test]
fn too_many_errors() {
    let result = run("@ ".repeat(1_000_000));
    assert_eq!(result.diagnostics.len(), 101);
    assert!(result.diagnostics[100].message.contains("more than 100 errors"));
    let warnings = run("#warning x\n".repeat(100_000));
    assert_eq!(warnings.diagnostics.len(), 1000);
}

#[test]
fn long_lines() {
    const SIZE: usize = 10 << 20;
    assert_eq!(run("ab + ".repeat(SIZE / 5)).tokens.len(), SIZE / 5 * 2 + 1);
    for piece in
        ["a", "1", "\"", "'", "\\\n", "\\ ", "/*", "*/", "R\"(", "/", "<:", "(", "#", "__LINE__ ", "\"\\", "?", "é"]
    {
        let result = run(piece.repeat(SIZE / 8 / piece.len()));
        assert!(!result.tokens.is_empty(), "{piece}");
    }
}
