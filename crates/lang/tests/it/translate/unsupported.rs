//! Constructs outside of the subset: only the function with one is left out, the construct is named once, and calls of it are fine.

use std::fmt::Write;

use expect_test::{ExpectFile, expect, expect_file};
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::options::Dialect;
use reconverge_testing::llvm;

use crate::translate::support::{PLAIN, TOKENS, defined, lowered, objections, translated, wrong};

/// Constructs, and what is said of each.
#[derive(Default)]
struct Table {
    text: String,
    problems: Vec<String>,
}

impl Table {
    /// A construct in the body of `left` (a function in all dialects), which `caller` calls. `other` has nothing to do with it.
    fn inside(&mut self, dialect: Dialect, before: &str, body: &str) {
        let mark = mark(dialect);
        let text = format!(
            "{before}\n{mark}int left(int n) {{\n  {body}\n  return n;\n}}\n{mark}int caller(int n) {{ return left(n) + 1; }}\n\
             {mark}int other(int n) {{ while (n > 3) n--; return n; }}\n"
        );
        self.add(
            dialect,
            &format!("{before} | {body}"),
            &text,
            1 + usize::from(before.contains("T value") || before.contains("f()")),
            &["caller", "other"],
        );
    }

    /// A construct outside of functions; `other` is still there.
    fn outside(&mut self, dialect: Dialect, construct: &str) {
        let text = format!("{construct}\n{}int other(int n) {{ while (n > 3) n--; return n; }}\n", mark(dialect));
        self.add(dialect, construct, &text, 1, &["other"]);
    }

    /// A text with a construct in so many functions or items of their own, of which these functions are left.
    fn add(&mut self, dialect: Dialect, shown: &str, text: &str, places: usize, expected: &[&str]) {
        let translation = translated(dialect, text);
        let _ = writeln!(self.text, "{dialect:?} {shown}\n{}", wrong(&translation));
        let messages = translation.diagnostics.iter().map(|one| one.severity);
        if messages.ne(std::iter::repeat_n(Severity::Unsupported, places)) {
            self.problems.push(format!("{} messages: {text}", translation.diagnostics.len()));
            return;
        }
        let defined = defined(&translation);
        if expected.iter().any(|name| !defined.contains(name)) || defined.contains(&"left") {
            self.problems.push(format!("defined are {defined:?}: {text}"));
        }
        for options in [TOKENS, PLAIN] {
            let found = objections(&lowered(&translation, options), llvm::tools());
            self.problems.extend(found.into_iter().map(|one| format!("{one}: {text}")));
        }
    }

    fn shows(self, expected: ExpectFile) {
        expected.assert_eq(&self.text);
        assert!(self.problems.is_empty(), "{}", self.problems.join("\n"));
    }
}

/// What functions of a device begin with.
fn mark(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Cuda | Dialect::Hip => "__device__ ",
        _ => "",
    }
}

#[test]
fn in_c() {
    let mut table = Table::default();
    table.inside(Dialect::C, "", "int a[n]; a[0] = 1;");
    table.inside(Dialect::C, "", "asm(\"nop\");");
    table.inside(Dialect::C, "", "asm volatile(\"mov %0, %1\" : \"=r\"(n) : \"r\"(n));");
    table.inside(Dialect::C, "", "n = ({ int m = n; while (m > 3) m--; m; });");
    table.inside(Dialect::C, "", "n = n ?: 3;");
    table.inside(Dialect::C, "", "int inner(int m) { return m; } n = inner(n);");
    table.inside(Dialect::C, "", "_Complex float z; (void)z;");
    table.inside(Dialect::C, "", "int a[4] = {[0 ... 3] = n}; n = a[0];");
    table.inside(Dialect::C, "struct b { int x : 3; };", "struct b b; b.x = n;");
    table.inside(Dialect::C, "", "n = _Generic(n, int: 1, default: 2);");
    table.inside(Dialect::C, "", "static _Thread_local int t; t = n;");
    table.shows(expect_file!["unsupported/in_c.txt"]);
}

#[test]
fn in_cpp() {
    let mut table = Table::default();
    table.inside(Dialect::Cpp, "", "try { n = 1; } catch (...) { n = 2; }");
    table.inside(Dialect::Cpp, "", "if (n) throw 1;");
    table.inside(Dialect::Cpp, "", "int *p = new int[2]{n}; n = *p;");
    table.inside(Dialect::Cpp, "", "struct S { int m; ~S() { m = 0; } }; S *p = nullptr; delete[] p;");
    table.inside(Dialect::Cpp, "", "for (int m : {1, 2, 3}) n += m;");
    table.inside(Dialect::Cpp, "", "n = dynamic_cast<int>(n);");
    table.inside(Dialect::Cpp, "struct s { int m(); int m(int); };", "int (s::*p)() = &s::m; n = 1;");
    let template = "struct s { template <class T> int m(T t) { return 1; } };";
    table.inside(Dialect::Cpp, template, "int (s::*p)(int) = &s::m; n = 2;");
    table.inside(Dialect::Cpp, "", "n = typeid(n) == typeid(int);");
    table.inside(Dialect::Cpp, "", "co_return n;");
    table.shows(expect_file!["unsupported/in_cpp.txt"]);
}

#[test]
fn in_cuda_hip_and_opencl() {
    let mut table = Table::default();
    table.inside(Dialect::Cuda, "", "int *p = new int[2]{n}; n = *p;");
    table.inside(Dialect::Cuda, "", "asm(\"mov.u32 %0, %;\" : \"=r\"(n));");
    table.inside(Dialect::Cuda, "__global__ void k(int n) { }", "k<<<1, 2>>>(n);");
    table.inside(Dialect::Hip, "", "int *p = new int[2]{n}; n = *p;");
    table.inside(Dialect::OpenCl, "", "int (^f)(int) = ^(int m) { return m + n; }; n = f(1);");
    table.inside(Dialect::OpenCl, "", "int a[n]; n = a[0];");
    table.shows(expect_file!["unsupported/in_cuda_hip_and_opencl.txt"]);
}

#[test]
fn outside_of_functions() {
    let mut table = Table::default();
    table.outside(Dialect::Cpp, "struct s { friend void f(s); };");
    table.outside(Dialect::Cpp, "auto f = [](int n) { return n; };");
    table.outside(Dialect::Cpp, "asm(\"nop\");");
    table.outside(Dialect::C, "asm(\"nop\");");
    table.outside(Dialect::C, "_Complex float z;");
    table.shows(expect_file!["unsupported/outside_of_functions.txt"]);
}

/// Several constructs, each in a function of its own: each is named once.
#[test]
fn several_functions() {
    let text = "int a(int n) { asm(\"nop\"); asm(\"nop\"); return n; }\nint b(int n) { int v[n]; int w[n]; return v[0] + w[0]; }\n\
                int c(int n) { return a(n) + b(n); }\nint d(int n) { return n ?: 3; }\n";
    let translation = translated(Dialect::C, text);
    expect![[r#"
        1:16: unsupported: `nop` in inline assembly is not supported by the built-in front end
          1:5: `a` is left out
        1:28: unsupported: `nop` in inline assembly is not supported by the built-in front end
        2:22: unsupported: arrays whose length is not a constant are not supported
          2:5: `b` is left out
        2:32: unsupported: arrays whose length is not a constant are not supported
        4:25: unsupported: `?:` without a middle is not supported by the built-in front end
          4:5: `d` is left out
    "#]]
    .assert_eq(&wrong(&translation));
    assert_eq!(defined(&translation), ["c"]);
    assert_eq!(objections(&lowered(&translation, TOKENS), llvm::tools()), [""; 0]);
}

/// Functions that nobody instantiates are not wrong; one that is left out is said once for all instances.
#[test]
fn templates() {
    let text = "template <class T> T f(T n) { asm(\"nop\"); return n; }\n\
                int a(int n) { return f(n); }\nfloat b(float n) { return f(n); }\n";
    let translation = translated(Dialect::Cpp, text);
    expect![[r#"
        1:31: unsupported: `nop` in inline assembly is not supported by the built-in front end
          1:22: `f` is left out
    "#]]
    .assert_eq(&wrong(&translation));
    assert_eq!(defined(&translation), ["a", "b"]);
    assert_eq!(objections(&lowered(&translation, TOKENS), llvm::tools()), [""; 0]);
}
