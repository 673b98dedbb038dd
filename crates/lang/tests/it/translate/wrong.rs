//! Texts that are no programs: one clear message each.

use std::fmt::Write;

use expect_test::{ExpectFile, expect, expect_file};
use reconverge_lang::options::Dialect;

use crate::translate::support::{PLAIN, TOKENS, lowered, translated, wrong};

/// Texts, and what is said of each.
#[derive(Default)]
struct Table {
    text: String,
    messages: usize,
    texts: usize,
}

impl Table {
    fn add(&mut self, dialect: Dialect, text: impl Into<Vec<u8>>) {
        let text = text.into();
        let shown = String::from_utf8_lossy(&text).into_owned();
        let shown = if shown.len() > 300 { format!("{}…", &shown[..60]) } else { shown };
        let translation = translated(dialect, text);
        let words = wrong(&translation);
        let words = if words.is_empty() { "nothing\n" } else { &words };
        let _ = writeln!(self.text, "{dialect:?} {shown:?}\n{words}");
        self.messages += translation.diagnostics.len();
        self.texts += 1;
        assert_eq!(translation.program.is_none(), translation.has_errors());
    }

    fn c(&mut self, text: &str) {
        self.add(Dialect::C, text);
    }

    /// Each text but some that are not wrong has one message.
    fn shows(self, right: usize, expected: ExpectFile) {
        expected.assert_eq(&self.text);
        assert_eq!(self.messages + right, self.texts);
    }
}

#[test]
fn braces() {
    let mut table = Table::default();
    table.c("void f(int n) {\n  if (n) {\n    n++;\n}\n");
    table.c("void f(int n) {\n  n++;\n}\n}\nvoid g(void) { }\n");
    table.c("void f(int n) { n = (n + 1; }\n");
    table.c("void f(int n) { n = n + 1); }\n");
    table.c("void f(int *p) { p[1 = 2; }\n");
    table.c("}");
    table.c("{");
    table.c("void f(int n) {\n  while (n) {\n  n--;\n}\nvoid g(int n) {\n  n++;\n}\n");
    table.shows(0, expect_file!["wrong/braces.txt"]);
}

#[test]
fn preprocessing() {
    let mut table = Table::default();
    table.c("#include \"missing.h\"\nvoid f(void) { helper(); }\n");
    table.c("#include <missing.h>\n");
    table.c("#include\n");
    table.c("#if 1\nvoid f(void) { }\n");
    table.c("void f(void) { }\n#endif\n");
    table.c("#else\n");
    table.c("#if (1 +\n#endif\n");
    table.c("#error this is not for you\nvoid f(void) { g(); }\n");
    table.c("#define F(x) x\nvoid f(int n) { n = F(1; }\n");
    table.c("#define F(x, y) x\nvoid f(int n) { n = F(1); }\n");
    table.c("#nonsense\n");
    table.shows(0, expect_file!["wrong/preprocessing.txt"]);
}

#[test]
fn recursive_macros() {
    let mut table = Table::default();
    table.c("#define A B\n#define B A\nvoid f(int n) { n = A; }\n");
    table.c("#define F(x) F(x + 1)\nvoid f(int n) { n = F(n); }\n");
    // Ten levels of ten each.
    let mut bomb = String::from("#define M0 1 +\n");
    for level in 1..=12 {
        let inner = format!("M{} ", level - 1).repeat(10);
        bomb += &format!("#define M{level} {inner}\n");
    }
    table.c(&format!("{bomb}int x = M12 0;\n"));
    table.shows(0, expect_file!["wrong/recursion.txt"]);
}

#[test]
fn recursive_includes() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.h"), "#include \"b.h\"\n").unwrap();
    std::fs::write(folder.path().join("b.h"), "#include \"a.h\"\n").unwrap();
    let options = reconverge_lang::options::Options {
        include: vec![folder.path().to_owned()],
        ..reconverge_lang::options::Options::new(Dialect::C)
    };
    let translation = reconverge_lang::translate::translate(
        std::path::Path::new("input"),
        b"#include \"a.h\"\nvoid f(void) { }\n".to_vec(),
        &options,
        Default::default(),
    );
    let text = wrong(&translation);
    let first = text.lines().next().unwrap_or("");
    expect!["1:10: error: files include each other more than 200 deep: the rest is not read"].assert_eq(first);
    assert_eq!(translation.diagnostics.len(), 1);
}

#[test]
fn characters() {
    let mut table = Table::default();
    table.add(Dialect::C, &b"void f(void) { }\n// \xff\xfe\n"[..]);
    table.add(Dialect::C, &b"void f(void) { \xc3\x28 }\n"[..]);
    table.add(Dialect::C, &b"\xff\xfev\0o\0i\0d\0"[..]);
    table.c("\u{feff}void f(void) { }\n");
    table.c("void f(int n) { n = 1 @ 2; }\n");
    table.c("void f(void) { \0 }\n");
    table.c("char *s = \"abc;\nint x;\n");
    table.c("int c = 'a;\nint x;\n");
    table.c("int c = '';\n");
    table.c("int x;\n/* never\nclosed\n");
    table.c("int x = 0x;\n");
    table.c("int x = 99999999999999999999999999;\n");
    table.c("int x = 08;\n");
    table.c("int x = 1.5e;\n");
    table.c("int x = 12abc;\n");
    table.c("char *s = \"\\xzz\";\n");
    table.c("int x; \\");
    table.shows(1, expect_file!["wrong/characters.txt"]);
}

#[test]
fn jumps() {
    let mut table = Table::default();
    table.c("void f(int n) {\n  a: n++;\n  a: n--;\n}\n");
    table.c("void f(int n) { goto nowhere; }\n");
    table.c("void f(int n) { case 1: n++; }\n");
    table.c("void f(int n) { default: n++; }\n");
    table.c("void f(int n) { break; }\n");
    table.c("void f(int n) { continue; }\n");
    table.c("void f(int n) { switch (n) { continue; } }\n");
    table.c("void f(int n) { if (n) break; }\n");
    table.c("void f(int n) { switch (n) { case 1: case 1: ; } }\n");
    table.c("void f(int n) { switch (n) { default: default: ; } }\n");
    table.c("void f(int n) { switch (n) { case n: ; } }\n");
    table.c("void f(int n) { goto in; [[clang::noconvergent]] { in: n++; } }\n");
    table.c("void f(int n) { [[clang::noconvergent]] { n++; in: n--; } if (n) goto in; }\n");
    table.c("void f(int n) { switch (n) { case 0: ; [[clang::noconvergent]] { case 1: n++; } } }\n");
    table.c("void f(int n) { [[clang::noconvergent]] { in: n--; if (n) goto in; } }\n");
    table.c("void f(int n) { [[clang::noconvergent]] { if (n) goto out; } out: ; }\n");
    table.add(Dialect::OpenCl, "kernel void k(int n) { goto in; __attribute__((noconvergent)) { in: n++; } }\n");
    table.add(Dialect::Cuda, "__global__ void k(int n) { goto in; [[clang::noconvergent]] { in: n++; } }\n");
    table.shows(2, expect_file!["wrong/jumps.txt"]);
}

#[test]
fn statements_and_declarations() {
    let mut table = Table::default();
    table.c("void f(int n) { else n++; }\n");
    table.c("void f(int n) { if n { } }\n");
    table.c("void f(int n) { for (;;; ) { } }\n");
    table.c("void f(int n) { do n++; }\n");
    table.c("void f(int n) { n++ }\n");
    table.c("void f(int n) { return n; }\n");
    table.c("int f(int n) { int n[; }\n");
    table.c("void f(int n, int n) { }\n");
    table.c("struct s { int x };\nvoid f(void) { }\n");
    table.c("struct s { struct s x; };\n");
    table.c("typedef int;\nunknown x;\n");
    table.c("void f(void) { undeclared(); }\n");
    table.c("int a[-1];\n");
    table.c("int a[1 / 0];\n");
    table.c("int a[9223372036854775807];\nvoid f(void) { a[0] = 1; }\n");
    table.c("struct s { int a[2147483647]; int b[2147483647]; } x[2147483647];\n");
    table.c("void f(void) { void x; }\n");
    table.c("void f(void) { goto 3; }\n");
    table.c("template <int N> int f();\n");
    table.add(Dialect::Cpp, "template <int N> int f() { return N; } int g() { return f<>(); }\n");
    table.add(Dialect::Cpp, "template <int N int f() { return N; }\nint g() { return 1; }\n");
    table.add(Dialect::Cpp, "constexpr int f(int n) { return f(n + 1); } int a[f(0)];\n");
    table.shows(0, expect_file!["wrong/statements_and_declarations.txt"]);
}

/// What looks as if it were wrong.
#[test]
fn nearly_nothing() {
    for text in ["", "\n", "// only this", "/* only\nthis */", "   ", "#define X", ";", "#", "# \n", "/**/", "\\\n"] {
        for dialect in [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp] {
            let translation = translated(dialect, text);
            assert_eq!(wrong(&translation), "", "{text:?} in {dialect:?}");
            for options in [TOKENS, PLAIN] {
                assert_eq!(
                    crate::translate::support::broken_rules(&lowered(&translation, options)),
                    [""; 0],
                    "{text:?}"
                );
            }
        }
    }
}
