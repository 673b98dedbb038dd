//! Statements in expressions, structured bindings, and `for` over objects.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::{program_of, wrong_with};

const RANGE: &str = "struct pair { int a; float b; };
struct range { int n;
  struct iterator { int at; __device__ pair operator*() const { return {at, 1.0f}; } __device__ iterator &operator++() { ++at; return *this; }
    __device__ bool operator!=(const iterator &o) const { return at != o.at; } };
  __device__ iterator begin() const { return {0}; } __device__ iterator end() const { return {n}; } };
struct span { int *first; int count; __device__ int *begin() { return first; } __device__ int *end() { return first + count; } };
";

fn is(before: &str, body: &str, program: Expect) {
    let text = format!("{before}__device__ int f(int *p, int n) {{ {body} return 0; }}");
    program.assert_eq(&program_of(Dialect::Cuda, &text));
}

#[test]
fn statements_in_expressions() {
    is(
        "",
        "n = ({ int m = n; if (m > 3) { m -= 3; n = 2; } else m = 1; ; m + 1; }) + 1;",
        expect![[r#"
        convergent f = _Z1fPii: int (int *, int)
          {
            (n = (((m = n.load) , (((m.load > 3) ? (void)((m -= 3) , (n = 2)) : (void)(m = 1)) , (m.load + 1))) + 1))
            return 0
          }
    "#]],
    );
    is(
        "",
        "({ p[0] = 1; if (n) p[1] = 2; });",
        expect![[r#"
        convergent f = _Z1fPii: int (int *, int)
          {
            ((*(p.load + 0:long) = 1) , ((bool)n.load ? (void)(*(p.load + 1:long) = 2) : (void)0))
            return 0
          }
    "#]],
    );
    let text = "int f(int n) { return ({ typeof(n) a = n; ({ int b = a; b; }) < a ? a : 2; }); }";
    expect![[r#"
        f: int (int)
          {
            return ((a = n.load) , ((((b = a.load) , b.load) < a.load) ? a.load : 2))
          }
    "#]]
    .assert_eq(&program_of(Dialect::C, text));
}

#[test]
fn statements_that_are_no_expressions() {
    let is = |text: &str, expected: Expect| expected.assert_eq(&wrong_with(Dialect::Cuda, text));
    is(
        "__device__ int f(int n) { return ({ while (n > 3) --n; n; }); }",
        expect![[r#"
        1:37: unsupported: a loop, a jump or a label in an expression is not supported by the built-in front end
          1:16: `f` is left out
    "#]],
    );
    is(
        "__device__ int f(int n) { return ({ if (n) return 2; n; }); }",
        expect![[r#"
        1:44: unsupported: a loop, a jump or a label in an expression is not supported by the built-in front end
          1:16: `f` is left out
    "#]],
    );
    is(
        "struct g { int x = 1; __device__ ~g() { x = 0; } }; __device__ int f(int n) { return ({ g o; o.x; }); }",
        expect![[r#"
        1:89: unsupported: an object with a destructor in a block that is an expression
          1:68: `f` is left out
    "#]],
    );
    is(
        "__device__ int f(int n) { return ({ int m = n; [[clang::noconvergent]] m = 2; m; }); }",
        expect![[r#"
        1:48: unsupported: an attribute on a statement in an expression is not supported by the built-in front end
          1:16: `f` is left out
    "#]],
    );
    is(
        "int n = ({ 1; });",
        expect![[r#"
        1:9: unsupported: a statement in an expression is not supported by the built-in front end
        1:16: error: expected a type, found `)`
    "#]],
    );
}

#[test]
fn structured_bindings() {
    is(
        "struct pair { int a; float b; }; __device__ pair make(int);",
        "auto [x, y] = make(n); x += 1; pair q = {1, 2}; auto &[a, b] = q; a = x; const auto [c, d] = q; n = c + (int)d;
         int all[2] = {1, 2}; auto [first, second] = all; all[0] = second; auto l = [=, &a] { a = first; return y; }; l();",
        expect![[r#"
            struct pair { int a; float b }
            struct lambda.1 { int * a; int first; float y }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare %2: pair, (%2 = make(n.load))
                (%2.a += 1)
                declare q: pair, (q.zero , ((q.a = 1) , (q.b = 2.0:float)))
                declare %4: pair *, (%4 = &q)
                (*%4.load.a = %2.a.load)
                declare %5: pair, (%5 = q.load)
                (n = (%5.a.load + (int)%5.b.load))
                declare all: int[2], (all.zero , ((*(all.decay + 0:long) = 1) , (*(all.decay + 1:long) = 2)))
                declare %7: int[2], (%7 = all.load)
                (*(all.decay + 0:long) = *(%7.decay + 1:long).load)
                declare l: lambda.1, (l = lambda.1(&*%4.load.a, *(%7.decay + 0:long).load, %2.b.load))
                lambda.1::operator()(l.load)
                return 0
              }
            convergent make = _Z4makei: pair (int)
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: float (lambda.1)
              {
                (*%0.load.a = %0.load.first)
                return %0.load.y
              }
        "#]],
    );
    let is = |text: &str, expected: Expect| expected.assert_eq(&wrong_with(Dialect::Cuda, text));
    is(
        "struct s { int a; }; __device__ void f(s x) { auto [a, b] = x; }",
        expect![[r#"
        1:52: error: as many names are bound to a `s` as it has parts: 1
    "#]],
    );
    is(
        "__device__ void f(int x) { auto [a, b] = x; }",
        expect![[r#"
        1:33: unsupported: a structured binding to a `int` is not supported
          1:17: `f` is left out
    "#]],
    );
    is(
        "struct s { int a; }; __device__ void f(const s x) { auto [a] = x; a = 1; auto &[b] = x; b = 1; }",
        expect![[r#"
        1:91: error: a `const int` cannot be assigned to
    "#]],
    );
}

#[test]
fn for_over_objects() {
    is(
        RANGE,
        "range r = {n}; for (auto [a, b] : r) { if (a == 3) continue; p[a] = b; }",
        expect![[r#"
        struct pair { int a; float b }
        struct range { int n }
        struct range::iterator { int at }
        struct span { int * first; int count }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare r: range, (r.zero , (r.n = n.load))
            {
              declare %3: range *, (%3 = &r)
              declare %4: range::iterator, (%4 = range::begin((range *)%3.load))
              declare %5: range::iterator, (%5 = range::end((range *)%3.load))
              for ; range::iterator::operator!=((range::iterator *)&%4, (range::iterator *)&%5); *range::iterator::operator++((range::iterator *)&%4)
                {
                  declare %6: pair, (%6 = range::iterator::operator*((range::iterator *)&%4))
                  {
                    if (%6.a.load == 3)
                      continue
                    (*(p.load + (long)%6.a.load) = (int)%6.b.load)
                  }
                }
            }
            return 0
          }
        convergent range::begin = _ZNK5range5beginEv: range::iterator (range *)
          {
            return ((%1.zero , (%1.at = 0)) , %1).load
          }
        convergent range::end = _ZNK5range3endEv: range::iterator (range *)
          {
            return ((%1.zero , (%1.at = *%0.load.n.load)) , %1).load
          }
        convergent range::iterator::operator!= = _ZNK5range8iteratorneERKS0_: bool (range::iterator *, range::iterator *)
          {
            return (*%0.load.at.load != *o.load.at.load)
          }
        convergent range::iterator::operator++ = _ZN5range8iteratorppEv: range::iterator * (range::iterator *)
          {
            ++*%0.load.at
            return %0.load
          }
        convergent range::iterator::operator* = _ZNK5range8iteratordeEv: pair (range::iterator *)
          {
            return ((%1.zero , ((%1.a = *%0.load.at.load) , (%1.b = 1.0:float))) , %1).load
          }
    "#]],
    );
    is(
        RANGE,
        "for (int &x : span{p, n}) x = 1;",
        expect![[r#"
        struct pair { int a; float b }
        struct range { int n }
        struct range::iterator { int at }
        struct span { int * first; int count }
        struct dim3 { unsigned int x; unsigned int y; unsigned int z }
        convergent f = _Z1fPii: int (int *, int)
          {
            {
              declare %3: span *, (%3 = &((%2 = span(p.load, n.load)) , %2))
              declare %4: int *, (%4 = span::begin((span *)%3.load))
              declare %5: int *, (%5 = span::end((span *)%3.load))
              for ; (%4.load != %5.load); ++%4
                {
                  declare x: int *, (x = %4.load)
                  (*x.load = 1)
                }
            }
            return 0
          }
        convergent span::begin = _ZN4span5beginEv: int * (span *)
          {
            return *%0.load.first.load
          }
        convergent span::end = _ZN4span3endEv: int * (span *)
          {
            return (*%0.load.first.load + (long)*%0.load.count.load)
          }
    "#]],
    );
}
