//! Where objects end: at the end of a block and on each way out of it, last one first; and what is not supported rather than left out.

use std::path::Path;

use expect_test::{Expect, expect};
use reconverge_lang::options::{Dialect, Options, Reading};

use crate::check::support::{checked, program_of, wrong_with};

const CLASSES: &str = "struct g { int *at; __device__ g(int *p) : at(p) {} __device__ ~g() { ++*at; } };
struct e { int *at = 0; __device__ ~e() { if (at) ++*at; } };
struct part { g first; g second; __device__ part(int *p) : first(p), second(p) {} };
";

fn is(body: &str, program: Expect) {
    let text = program_of(Dialect::Cuda, &format!("{CLASSES}__device__ int f(int *p, int n) {{ {body} return 0; }}"));
    program.assert_eq(&text);
}

#[test]
fn at_the_end_of_a_block() {
    is(
        "{ g a(p); part b(p); n = 1; }",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                {
                  declare a: g, g::g((g *)&a, p.load)
                  declare b: part, part::part((part *)&b, p.load)
                  (n = 1)
                  (g::~g((g *)&b.second) , g::~g((g *)&b.first))
                  g::~g((g *)&a)
                }
                return 0
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent part::part = _ZN4partC1EPi: void (part *, int *)
              {
                g::g(&*%0.load.first, p.load)
                g::g(&*%0.load.second, p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
    is(
        "{ e all[2]; all[1].at = p; }",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                {
                  declare all: e[2], ((*(all.decay + 0:long).at = 0:int *) , (*(all.decay + 1:long).at = 0:int *))
                  (*(all.decay + 1:long).at = p.load)
                  (e::~e((e *)(all.decay + 1:long)) , e::~e((e *)(all.decay + 0:long)))
                }
                return 0
              }
            convergent e::~e = _ZN1eD1Ev: void (e *)
              {
                if (bool)*%0.load.at.load
                  ++**%0.load.at.load
              }
        "#]],
    );
}

#[test]
fn on_each_way_out() {
    is(
        "g a(p); if (n) return *p; while (n) { g b(p); if (n == 2) break; if (n == 3) continue; n = 1; }",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare a: g, g::g((g *)&a, p.load)
                if (bool)n.load
                  {
                    declare %3: int, (%3 = *p.load.load)
                    g::~g((g *)&a)
                    return %3.load
                  }
                while (bool)n.load
                  {
                    declare b: g, g::g((g *)&b, p.load)
                    if (n.load == 2)
                      {
                        g::~g((g *)&b)
                        break
                      }
                    if (n.load == 3)
                      {
                        g::~g((g *)&b)
                        continue
                      }
                    (n = 1)
                    g::~g((g *)&b)
                  }
                {
                  declare %5: int, (%5 = 0)
                  g::~g((g *)&a)
                  return %5.load
                }
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
    is(
        "again: { g b(p); if (n) goto again; if (n == 2) goto out; } out: ;",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                again:
                {
                  declare b: g, g::g((g *)&b, p.load)
                  if (bool)n.load
                    {
                      g::~g((g *)&b)
                      goto again
                    }
                  if (n.load == 2)
                    {
                      g::~g((g *)&b)
                      goto out
                    }
                  g::~g((g *)&b)
                }
                out:
                ;
                return 0
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
    is(
        "switch (int m = n; m) { case 1: { g a(p); break; } default: n = 2; }",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                {
                  declare m: int, (m = n.load)
                  switch m.load (2 labels)
                    {
                      case 1:
                      {
                        declare a: g, g::g((g *)&a, p.load)
                        {
                          g::~g((g *)&a)
                          break
                        }
                      }
                      default:
                      (n = 2)
                    }
                }
                return 0
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
}

#[test]
fn of_objects_that_nobody_named() {
    is(
        "n = g(p).at[0];",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                ((n = *((g::g((g *)&%2, p.load) , %2).at.load + 0:long).load) , g::~g((g *)&%2))
                return 0
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
    is(
        "g a = g(p); auto b = g(p); n = 1;",
        expect![[r#"
            struct g { int * at }
            struct e { int * at }
            struct part { g first; g second }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare a: g, (a = (g::g((g *)&%3, p.load) , %3).load)
                declare b: g, (b = (g::g((g *)&%4, p.load) , %4).load)
                (n = 1)
                {
                  declare %6: int, (%6 = 0)
                  g::~g((g *)&b)
                  g::~g((g *)&a)
                  return %6.load
                }
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                ++**%0.load.at.load
              }
        "#]],
    );
}

#[test]
fn what_is_not_supported_is_said() {
    let wrong = |body: &str, expected: Expect| {
        expected.assert_eq(&wrong_with(Dialect::Cuda, &format!("{CLASSES}{body}")));
    };
    wrong(
        "__device__ g f(int *p) { return g(p); }",
        expect![[r#"
            4:26: unsupported: an object of `g`, which has a destructor, is returned
              4:14: `f` is left out
        "#]],
    );
    wrong(
        "__device__ void h(g);\n__device__ void f(int *p) { g a(p); h(a); }",
        expect![[r#"
            5:39: unsupported: argument 1 of `h`: an object of `g`, which has a destructor, is passed by value
              4:17: declared here
              5:17: `f` is left out
        "#]],
    );
    wrong(
        "__device__ int f(int *p) { return *p ? *g(p).at : 2; }",
        expect![[r#"
            4:38: unsupported: an object with a destructor that is made in a part of an expression that only some threads evaluate
              4:16: `f` is left out
        "#]],
    );
    wrong(
        "__device__ int f(int *p) { return *p && *g(p).at; }",
        expect![[r#"
            4:38: unsupported: an object with a destructor that is made in a part of an expression that only some threads evaluate
              4:16: `f` is left out
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { if (*g(p).at) ++*p; }",
        expect![[r#"
            4:29: unsupported: an unnamed object with a destructor, made in a condition
              4:17: `f` is left out
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { for (g a(p); *p; ) ++*p; }",
        expect![[r#"
            4:29: unsupported: an object with a destructor that a loop declares before its body
              4:17: `f` is left out
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { const g &a = g(p); }",
        expect![[r#"
            4:38: unsupported: a reference to an unnamed object with a destructor
              4:17: `f` is left out
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { if (*p) goto in; { g a(p);\nin: ++*p; } }",
        expect![[r#"
            4:37: error: this `goto` passes over the declaration of an object with a destructor
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { switch (*p) { case 1: g a(p);\ncase 2: ++*p; } }",
        expect![[r#"
            5:1: error: this `case` passes over the declaration of an object with a destructor
              4:29: the `switch` is here
        "#]],
    );
    wrong(
        "__device__ void f(int *p) { static g a(p); }",
        expect![[r#"
            4:38: unsupported: an object of `g`, which has a destructor, is in a variable that no block ends
              4:17: `f` is left out
        "#]],
    );
}

#[test]
fn kernels_are_unknown_or_wrong_and_never_less() {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::Cuda) };
    let result = |text: &str| checked(Path::new("test"), &format!("{CLASSES}{text}"), &options);
    let returned = result("__device__ g f(int *p) { return g(p); }\n__global__ void k(int *p) { f(p); }");
    let kernel = returned.program.functions.iter().find(|(_, data)| data.is_kernel).expect("there is a kernel");
    let unknown = returned.program.first_unknown(kernel.0).expect("what is returned is not known");
    assert_eq!(unknown.reason.message, "an object of `g`, which has a destructor, is returned");
    let jump = result(
        "__global__ void other(int *p) { ++*p; }
__global__ void k(int *p) { if (*p) goto in; [[clang::noconvergent]] { ++*p; in: --*p; } }",
    );
    let message = "unsupported: this `goto` goes to `in` inside a `noconvergent` statement, and is outside of it";
    assert!(jump.wrong().contains(message), "{}", jump.wrong());
}
