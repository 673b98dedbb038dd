//! Conditionals, included files, `#line`.

use std::fs;

use expect_test::expect;
use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::token::Symbols;

use crate::preprocess::support::{show, show_file};

/// Whether `#if` says yes.
fn holds(expression: &str) -> bool {
    let shown = show(&format!("#define ONE 1\n#define ADD(x, y) x + y\n#if {expression}\nyes\n#else\nno\n#endif"));
    assert!(shown == "yes\n" || shown == "no\n", "{expression}: {shown}");
    shown == "yes\n"
}

#[test]
fn expressions() {
    for yes in [
        "1",
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "-1 < 0",
        "-1 > 0u",
        "!0",
        "~0 == -1",
        "1 ? 1 : 1 / 0",
        "0 || 1",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "0x10 == 16 && 010 == 8 && 0b11 == 3",
        "'a' == 97",
        "'\\n' == 10 && '\\x41' == 'A' && '\\101' == 65",
        "'ab' == 24930",
        "defined ONE && defined(ADD) && !defined x",
        "ADD(1, 2) == 3",
        "x == 0",
        "1 << 4 == 16",
        "-8 >> 1 == -4",
        "18446744073709551615u == -1",
        "7 % 4 == 3 && -7 / 2 == -3",
        "(2 | 1) == 3 && (3 & 2) == 2 && (3 ^ 1) == 2",
        "1 ? 2 ? 1 : 0 : 0",
        "9223372036854775807 > 0",
        "L'x' == 120",
        "5 >= 5 && 5 <= 5 && 4 != 5",
        "(0, 1)",
        "-9223372036854775807 - 1 < 0",
        "true == 0",
    ] {
        assert!(holds(yes), "{yes}");
    }
    for no in ["0", "x", "1 - 1", "0u > -1 && 0", "1 && 0 || 0", "0 ? 1 : 0", "ONE == 2", "defined x", "1 == 2 == 1"] {
        assert!(!holds(no), "{no}");
    }
}

#[test]
fn conditionals() {
    expect![[r#"
        b
        e
        g
        k
    "#]]
    .assert_eq(&show(
        "#if 0\na\n#elif 1\nb\n#elif 1 / 0\nc\n#else\nd 'x\n#endif\n#ifdef X\n#if 1\n#else\n#endif\n#elifndef X\ne\n#elifdef Y\nf\n#endif\n\
         #define X\n#ifndef X\n#error no\n#bad\n#else\ng\n#endif\n#if 0 /*\n#endif */\n#else\nk\n#endif\n# \n#\n"    ));
}

/// A folder with files, and the main file's tokens and messages.
fn with_files(files: &[(&str, &str)], include: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let include = include.iter().map(|name| folder.path().join(name)).collect();
    let options = Options { include, ..Options::new(Dialect::C) };
    let text = fs::read(folder.path().join("main.c")).unwrap();
    show_file(&folder.path().join("main.c"), &text, &options).replace(folder.path().to_str().unwrap(), "DIR")
}

#[test]
fn includes() {
    let files = [
        (
            "main.c",
            "#include \"sub/a.h\"\n#include <b.h>\n#define NAME \"sub/a.h\"\n#include NAME\n#define B <b.h>\n#include B\nend",
        ),
        ("sub/a.h", "a\n#include \"c.h\"\n"),
        ("sub/c.h", "#pragma once\nc __INCLUDE_LEVEL__\n"),
        ("inc/b.h", "// b\n#ifndef B_H\n#define B_H\nb\n#endif\n// end\n"),
    ];
    expect![[r#"
        a
        c 2
        b
        a
        end
    "#]]
    .assert_eq(&with_files(&files, &["inc"]));
}

#[test]
fn guarded_files_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.h"), "#ifndef A\n#define A\na\n#endif\n").unwrap();
    fs::write(folder.path().join("b.h"), "#ifndef B\n#define B\nb\n#endif\nmore\n").unwrap();
    let text = "#include \"a.h\"\n#include \"a.h\"\n#include \"b.h\"\n#include \"b.h\"\n";
    let path = folder.path().join("main.c");
    let result = preprocess(&path, text.into(), &Options::new(Dialect::C), &mut Symbols::default());
    let names: Vec<_> = result.sources.files().iter().map(|file| file.path.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["main.c", "<built-in>", "a.h", "b.h", "b.h"]);
    assert_eq!(result.tokens.len(), 5);
}

#[test]
fn files_that_are_not_there() {
    let text = "#include \"no.h\"\n#include <no.h>\n#include 3\n#include \"\"\n#include \"no\n#include \"no.h\"x\n\
                #define F(x) x\nF(\n#include \"no.h\"\n)";
    expect![[r#"
        main.c:1:10: error: there is no file `no.h`; searched: `DIR`, `DIR/inc`, and the built-in headers
        main.c:2:10: error: there is no file `no.h`; searched: `DIR/inc`, and the built-in headers
        main.c:3:10: error: `#include` needs `"file"` or `<file>`
        main.c:4:10: error: `#include` needs the name of a file
        main.c:5:10: error: `#include` needs `"file"` or `<file>`
        main.c:6:16: warning: text after `#include` is not read
        main.c:6:10: error: there is no file `no.h`; searched: `DIR`, `DIR/inc`, and the built-in headers
        main.c:9:9: error: `#include` stands in the arguments of a macro
    "#]]
    .assert_eq(&with_files(&[("main.c", text)], &["inc"]));
}

#[test]
fn a_folder_is_no_file() {
    let shown = with_files(&[("main.c", "#include \"inc/\"\n#include <x>\n"), ("inc/x/y", "")], &["inc"]);
    assert_eq!(shown.matches("there is no file").count(), 2, "{shown}");
}

#[test]
fn line_directives() {
    expect![[r#"
        10 "a.c"
        20 "a.c"
        5 "b"
        main.c:8:7: error: `#line` needs a number up to 2147483647, and can have the name of a file after it
        main.c:9:6: error: `#line` needs a number up to 2147483647, and can have the name of a file after it
        main.c:10:2: error: there is no directive `#x`
    "#]]
    .assert_eq(&show("#line 10 \"a.c\"\n__LINE__ __FILE__\n#line 20\n__LINE__ __FILE__\n# 5 \"b\" 1 3\n__LINE__ __FILE__\n\n#line x\n#line\n#x\n"));
}
