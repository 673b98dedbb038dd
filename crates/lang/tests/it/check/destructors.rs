//! Where objects end: at the end of a block and on each way out of it, last one first; and what is not supported rather than left out.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::{program_of, wrong_with};

const CLASSES: &str = "struct g { int *at; __device__ g(int *p) : at(p) {} __device__ ~g() { ++*at; } };
struct part { g first; g second; __device__ part(int *p) : first(p), second(p) {} };
";

fn is(body: &str, program: Expect) {
    let text = program_of(Dialect::Cuda, &format!("{CLASSES}__device__ int f(int *p, int n) {{ {body} return 0; }}"));
    let begin = text.find("convergent f:").expect("there is the function");
    let end = text[begin..].find("\nconvergent ").map_or(text.len(), |end| begin + end + 1);
    program.assert_eq(&text[begin..end]);
}

#[test]
fn at_the_end_of_a_block() {
    is("{ g a(p); part b(p); n = 1; }", expect![[""]]);
    is("{ g all[2] = {p, p}; }", expect![[""]]);
}

#[test]
fn on_each_way_out() {
    is("g a(p); if (n) return *p; while (n) { g b(p); if (n == 2) break; if (n == 3) continue; n = 1; }", expect![[""]]);
    is("again: { g b(p); if (n) goto again; if (n == 2) goto out; } out: ;", expect![[""]]);
    is("switch (int m = n; m) { case 1: { g a(p); break; } default: n = 2; }", expect![[""]]);
}

#[test]
fn of_objects_that_nobody_named() {
    is("n = g(p).at[0];", expect![[""]]);
    is("g a = g(p); auto b = g(p); n = 1;", expect![[""]]);
}

#[test]
fn what_is_not_supported_is_said() {
    let wrong = |body: &str, expected: Expect| {
        expected.assert_eq(&wrong_with(Dialect::Cuda, &format!("{CLASSES}{body}")));
    };
    wrong("__device__ g f(int *p) { return g(p); }", expect![[""]]);
    wrong("__device__ void h(g);\n__device__ void f(int *p) { g a(p); h(a); }", expect![[""]]);
    wrong("__device__ int f(int *p) { return *p ? *g(p).at : 2; }", expect![[""]]);
    wrong("__device__ int f(int *p) { return *p && *g(p).at; }", expect![[""]]);
    wrong("__device__ void f(int *p) { if (*g(p).at) ++*p; }", expect![[""]]);
    wrong("__device__ void f(int *p) { for (g a(p); *p; ) ++*p; }", expect![[""]]);
    wrong("__device__ void f(int *p) { const g &a = g(p); }", expect![[""]]);
    wrong("__device__ void f(int *p) { if (*p) goto in; { g a(p);\nin: ++*p; } }", expect![[""]]);
    wrong("__device__ void f(int *p) { switch (*p) { case 1: g a(p);\ncase 2: ++*p; } }", expect![[""]]);
    wrong("__device__ void f(int *p) { static g a(p); }", expect![[""]]);
}
