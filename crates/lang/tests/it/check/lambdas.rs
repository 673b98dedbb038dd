//! Lambdas: what they capture, and what names in them mean.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::{program_of, wrong_with};

fn is(before: &str, body: &str, program: Expect) {
    let text = format!("{before}__device__ int f(int *p, int n) {{ {body} return 0; }}");
    program.assert_eq(&program_of(Dialect::Cuda, &text));
}

#[test]
fn capture_copies_and_places() {
    is(
        "",
        "int m = n; auto l = [=, &m](int a) { m += a; return n + p[a]; }; l(m);",
        expect![[r#"
        struct lambda.1 { int * m; int n; int * p }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare m: int, (m = n.load)
            declare l: lambda.1, (l = lambda.1(&m, n.load, p.load))
            lambda.1::operator()(l.load, m.load)
            return 0
          }
        convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
          {
            (*%0.load.m += a.load)
            return (%0.load.n + *(%0.load.p + (long)a.load).load)
          }
    "#]],
    );
    is(
        "",
        "auto l = [count = n + 1, &first = *p]() mutable { return first += count++; }; l();",
        expect![[r#"
        struct lambda.1 { int count; int * first }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare l: lambda.1, (l = lambda.1((n.load + 1), p.load))
            lambda.1::operator()((lambda.1 *)&l)
            return 0
          }
        convergent lambda.1::operator() = _ZN8lambda.1clEv: int (lambda.1 *)
          {
            return (**%0.load.first.load += *%0.load.count++)
          }
    "#]],
    );
    is(
        "",
        "int all[2] = {n, n}; auto l = [all] { return all[1]; }; n = l();",
        expect![[r#"
        struct lambda.1 { int[2] all }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare all: int[2], (all.zero , ((*(all.decay + 0:long) = n.load) , (*(all.decay + 1:long) = n.load)))
            declare l: lambda.1, (l.all = all.load)
            (n = lambda.1::operator()((lambda.1 *)&l))
            return 0
          }
        convergent lambda.1::operator() = _ZNK8lambda.1clEv: int (lambda.1 *)
          {
            return *(*%0.load.all.decay + 1:long).load
          }
    "#]],
    );
}

#[test]
fn that_capture_nothing_are_functions() {
    is(
        "",
        "n = [](int a) -> int { return a; }(n); int (*g)(int) = [](int a) { return a + 1; }; n = g(n);",
        expect![[r#"
        struct lambda.1 {  }
        struct lambda.2 {  }
        convergent f = _Z1fPii: int (int *, int)
          {
            (n = lambda.1::operator()(n.load))
            declare g: int (*)(int), (g = &lambda.2::operator())
            (n = *g.load(n.load))
            return 0
          }
        convergent lambda.1::operator() = _ZN8lambda.1clEi: int (int)
          {
            return a.load
          }
        convergent lambda.2::operator() = _ZN8lambda.2clEi: int (int)
          {
            return (a.load + 1)
          }
    "#]],
    );
}

/// Constants, types and variables that are not on the stack mean in a lambda what they mean where it stands.
#[test]
fn names_mean_what_they_mean_around() {
    is(
        "template <class T> struct box { T value; };",
        "const int size = 3; using real = float; __shared__ int shared[2]; struct own { int x; };
         auto l = [&] { real all[size]; own o = {n}; box<real> b; shared[0] = o.x + size; return all[0] + b.value; }; l();",
        expect![[r#"
            struct own { int x }
            struct lambda.1 { int n }
            struct box<float> { float value }
            internal local f.shared: int[2]
            convergent f = _Z1fPii: int (int *, int)
              {
                declare size: int, (size = 3)
                ;
                ;
                declare l: lambda.1, (l = lambda.1(n.load))
                lambda.1::operator()(l.load)
                return 0
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: float (lambda.1)
              {
                declare all: float[3]
                declare o: own, (o.zero , (o.x = %0.load.n))
                declare b: box<float>
                (*(@f.shared.decay + 0:long) = (o.x.load + 3))
                return (*(all.decay + 0:long).load + b.value.load)
              }
        "#]],
    );
    // A name in a lambda may be declared there again.
    is(
        "",
        "auto l = [=](int n) { int p = n; return p; }; n = l(1);",
        expect![[r#"
        struct lambda.1 { int * p }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare l: lambda.1, (l = lambda.1(p.load))
            (n = lambda.1::operator()(l.load, 1))
            return 0
          }
        convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
          {
            declare p: int, (p = n.load)
            return p.load
          }
    "#]],
    );
}

#[test]
fn in_functions_of_classes() {
    is(
        "struct s { int x; __device__ int g(int a) { return a; } __device__ int f(int n) {
         auto l = [=](int a) { x = a; auto inner = [&] { return this->x + g(n); }; return inner() + [copy = *this] { return copy.x; }(); };
         return l(n); } };",
        "s o = {n}; o.f(n);",
        expect![[r#"
            struct s { int x }
            struct lambda.1 { s * this; int n }
            struct lambda.2 { s * this; int n }
            struct lambda.3 { s copy }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare o: s, (o.zero , (o.x = n.load))
                s::f((s *)&o, n.load)
                return 0
              }
            convergent s::f = _ZN1s1fEi: int (s *, int)
              {
                declare l: lambda.1, (l = lambda.1(%0.load, n.load))
                return lambda.1::operator()(l.load, n.load)
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
              {
                (*%0.load.this.x = a.load)
                declare inner: lambda.2, (inner = lambda.2(%0.load.this, %0.load.n))
                return (lambda.2::operator()(inner.load) + lambda.3::operator()((lambda.3 *)&((%3.copy = *%0.load.this.load) , %3)))
              }
            convergent lambda.2::operator() = _ZNK8lambda.2clEv: int (lambda.2)
              {
                return (*%0.load.this.x.load + s::g(%0.load.this, %0.load.n))
              }
            convergent s::g = _ZN1s1gEi: int (s *, int)
              {
                return a.load
              }
            convergent lambda.3::operator() = _ZNK8lambda.3clEv: int (lambda.3 *)
              {
                return *%0.load.copy.x.load
              }
        "#]],
    );
}

/// What may be changed while a lambda lives is captured as a place.
#[test]
fn what_changes_is_no_copy() {
    is(
        "__device__ void by_value(int); __device__ void by_reference(int &);",
        "int a = n, b = n, c = n; auto l = [&] { return n + a + b + c; }; by_value(n); ++a; int *q = &b; *q = 2; int &r = c; r = 3; l();",
        expect![[r#"
            struct lambda.1 { int n; int * a; int * b; int * c }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare a: int, (a = n.load)
                declare b: int, (b = n.load)
                declare c: int, (c = n.load)
                declare l: lambda.1, (l = lambda.1(n.load, &a, &b, &c))
                by_value(n.load)
                ++a
                declare q: int *, (q = (int *)&b)
                (*q.load = 2)
                declare r: int *, (r = &c)
                (*r.load = 3)
                lambda.1::operator()(l.load)
                return 0
              }
            convergent by_value = _Z8by_valuei: void (int)
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: int (lambda.1)
              {
                return (((%0.load.n + *%0.load.a.load) + *%0.load.b.load) + *%0.load.c.load)
              }
        "#]],
    );
    let text =
        "__device__ void change(int &); __device__ int f(int n) { auto l = [&] { return n; }; change(n); return l(); }";
    expect![[r#"
        1:93: unsupported: a variable that is passed by reference after a lambda has captured it by reference
          1:47: `f` is left out
    "#]]
    .assert_eq(&wrong_with(Dialect::Cuda, text));
}

/// Variables of functions of classes, beside members.
#[test]
fn variables_of_functions_of_classes() {
    is(
        "struct s { int x, y; __device__ int f(int n) { int y = n; auto l = [=] { int x = y; return [&] { return x + y + this->y; }(); }; return l(); } };",
        "s o = {n}; o.f(n);",
        expect![[r#"
            struct s { int x; int y }
            struct lambda.1 { s * this; int y }
            struct lambda.2 { s * this; int x; int y }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare o: s, (o.zero , (o.x = n.load))
                s::f((s *)&o, n.load)
                return 0
              }
            convergent s::f = _ZN1s1fEi: int (s *, int)
              {
                declare y: int, (y = n.load)
                declare l: lambda.1, (l = lambda.1(%0.load, y.load))
                return lambda.1::operator()(l.load)
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: int (lambda.1)
              {
                declare x: int, (x = %0.load.y)
                return lambda.2::operator()(((%2 = lambda.2(%0.load.this, x.load, %0.load.y)) , %2).load)
              }
            convergent lambda.2::operator() = _ZNK8lambda.2clEv: int (lambda.2)
              {
                return ((%0.load.x + %0.load.y) + *%0.load.this.y.load)
              }
        "#]],
    );
}

#[test]
fn of_any_parameters() {
    is(
        "template <class F, class T> __device__ T call(F f, T x) { return f(x); }
         struct pair { int x, y; };",
        "auto l = [n](auto a, const auto &b) { return a.x + b + n; }; pair q = {1, 2}; l(q, 2.5f); call([](int a) { return a; }, n);
         call([&n](auto a) { return n + a; }, n);",
        expect![[r#"
            struct pair { int x; int y }
            struct lambda.1 { int n }
            struct lambda.2 {  }
            struct lambda.3 { int n }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare l: lambda.1, (l = lambda.1(n.load))
                declare q: pair, (q.zero , ((q.x = 1) , (q.y = 2)))
                lambda.1::operator()<pair, float>(l.load, q.load, (float *)((%4 = 2.5:float) , &%4))
                call<lambda.2, int>(%5.load, n.load)
                call<lambda.3, int>(((%6 = lambda.3(n.load)) , %6).load, n.load)
                return 0
              }
            convergent lambda.1::operator()<pair, float> = _ZNK8lambda.1clI4pairfEEvS0_RKf: float (lambda.1, pair, float *)
              {
                return (((float)a.x.load + *b.load.load) + (float)%0.load.n)
              }
            convergent call<lambda.2, int> = _Z4callI8lambda.2iET0_T_S1_: int (lambda.2, int)
              {
                return lambda.2::operator()(x.load)
              }
            convergent call<lambda.3, int> = _Z4callI8lambda.3iET0_T_S1_: int (lambda.3, int)
              {
                return lambda.3::operator()<int>(f.load, x.load)
              }
            convergent lambda.2::operator() = _ZN8lambda.2clEi: int (int)
              {
                return a.load
              }
            convergent lambda.3::operator()<int> = _ZNK8lambda.3clIiEEvi: int (lambda.3, int)
              {
                return (%0.load.n + a.load)
              }
        "#]],
    );
}

#[test]
fn in_templates() {
    is(
        "template <class T> __device__ T twice(T x) { auto l = [x](T y) { T z = x; return z + y; }; return l(x); }",
        "twice(n); twice(1.5f);",
        expect![[r#"
            struct lambda.1 { int x }
            struct lambda.2 { float x }
            convergent f = _Z1fPii: int (int *, int)
              {
                twice<int>(n.load)
                twice<float>(1.5:float)
                return 0
              }
            convergent twice<int> = _Z5twiceIiET_S0_: int (int)
              {
                declare l: lambda.1, (l = lambda.1(x.load))
                return lambda.1::operator()(l.load, x.load)
              }
            convergent twice<float> = _Z5twiceIfET_S0_: float (float)
              {
                declare l: lambda.2, (l = lambda.2(x.load))
                return lambda.2::operator()(l.load, x.load)
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
              {
                declare z: int, (z = %0.load.x)
                return (z.load + y.load)
              }
            convergent lambda.2::operator() = _ZNK8lambda.2clEf: float (lambda.2, float)
              {
                declare z: float, (z = %0.load.x)
                return (z.load + y.load)
              }
        "#]],
    );
}

#[test]
fn packs_of_variables() {
    is(
        "template<class... T> __device__ int g(T... i) { auto l = [=](int x) { auto m = [&] { return (i + ...); }; return m() + (i * ... * x); }; return l(2); }\n",
        "return g(n, *p);",
        expect![[r#"
            struct lambda.1 { int i; int i }
            struct lambda.2 { int i; int i }
            convergent f = _Z1fPii: int (int *, int)
              {
                return g<int, int>(n.load, *p.load.load)
                return 0
              }
            convergent g<int, int> = _Z1gIJiiEEiDpT_: int (int, int)
              {
                declare l: lambda.1, (l = lambda.1(i.load, i.load))
                return lambda.1::operator()(l.load, 2)
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
              {
                declare m: lambda.2, (m = lambda.2(%0.load.i, %0.load.i))
                return (lambda.2::operator()(m.load) + (%0.load.i * (%0.load.i * x.load)))
              }
            convergent lambda.2::operator() = _ZNK8lambda.2clEv: int (lambda.2)
              {
                return (%0.load.i + %0.load.i)
              }
        "#]],
    );
    is(
        "template<class... T> __device__ int g(T... i) { auto l = [&i...] { ((i += 1), ...); }; l(); return (i + ...); }\n",
        "return g(n, *p);",
        expect![[r#"
            struct lambda.1 { int * i; int * i }
            convergent f = _Z1fPii: int (int *, int)
              {
                return g<int, int>(n.load, *p.load.load)
                return 0
              }
            convergent g<int, int> = _Z1gIJiiEEiDpT_: int (int, int)
              {
                declare l: lambda.1, (l = lambda.1(&i, &i))
                lambda.1::operator()(l.load)
                return (i.load + i.load)
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: void (lambda.1)
              {
                ((*%0.load.i += 1) , (*%0.load.i += 1))
              }
        "#]],
    );
    is(
        "template<class... T> __device__ int g(T... i) { auto l = [](auto... x) { return (int)sizeof...(x); }; return l(i...); }\n",
        "return g(n, *p);",
        expect![[r#"
            struct lambda.1 {  }
            convergent f = _Z1fPii: int (int *, int)
              {
                return g<int, int>(n.load, *p.load.load)
                return 0
              }
            convergent g<int, int> = _Z1gIJiiEEiDpT_: int (int, int)
              {
                declare l: lambda.1
                return lambda.1::operator()<int, int>(i.load, i.load)
              }
            internal convergent lambda.1::operator()<int, int> = _ZN8lambda.1clIJiiEEEviDpi: int (int, int)
              {
                return 2
              }
        "#]],
    );
}

#[test]
fn copies_of_objects_are_made_and_end() {
    is(
        "struct g { int *at; __device__ g(int *p) : at(p) {} __device__ g(const g &o) : at(o.at) { ++*at; } __device__ ~g() { --*at; } };",
        "g o(p); { auto l = [o] { return *o.at; }; n = l(); }",
        expect![[r#"
            struct g { int * at }
            struct lambda.1 { g o }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare o: g, g::g((g *)&o, p.load)
                {
                  declare l: lambda.1, g::g((g *)&l.o, (g *)&o)
                  (n = lambda.1::operator()((lambda.1 *)&l))
                  g::~g((g *)&l.o)
                }
                {
                  declare %4: int, (%4 = 0)
                  g::~g((g *)&o)
                  return %4.load
                }
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent g::g = _ZN1gC1ERKS_: void (g *, g *)
              {
                (*%0.load.at = *o.load.at.load)
                ++**%0.load.at.load
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEv: int (lambda.1 *)
              {
                return **%0.load.o.at.load.load
              }
            convergent g::~g = _ZN1gD1Ev: void (g *)
              {
                --**%0.load.at.load
              }
        "#]],
    );
}

#[test]
fn constant_objects_are_copied() {
    let before = "struct P { int x, y; }; struct Q { int a[40]; };";
    is(
        before,
        "const P c = {n, 1}; auto l = [&](int i) { return c.x + i; }; l(2);",
        expect![[r#"
        struct P { int x; int y }
        struct Q { int[40] a }
        struct lambda.1 { P c }
        convergent f = _Z1fPii: int (int *, int)
          {
            declare c: P, (c.zero , ((c.x = n.load) , (c.y = 1)))
            declare l: lambda.1, (l.c = c.load)
            lambda.1::operator()((lambda.1 *)&l, 2)
            return 0
          }
        convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1 *, int)
          {
            return (*%0.load.c.x.load + i.load)
          }
    "#]],
    );
    is(
        before,
        "P c = {n, 1}; const Q q = {}; auto l = [&](int i) { return c.x + q.a[i]; }; l(2);",
        expect![[r#"
            struct P { int x; int y }
            struct Q { int[40] a }
            struct lambda.1 { P * c; Q * q }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare c: P, (c.zero , ((c.x = n.load) , (c.y = 1)))
                declare q: Q, q.zero
                declare l: lambda.1, (l = lambda.1(&c, &q))
                lambda.1::operator()(l.load, 2)
                return 0
              }
            convergent lambda.1::operator() = _ZNK8lambda.1clEi: int (lambda.1, int)
              {
                return (*%0.load.c.x.load + *(*%0.load.q.a.decay + (long)i.load).load)
              }
        "#]],
    );
}

#[test]
fn a_default_argument_may_be_one() {
    is(
        "template <typename F = int (*)(int)> __device__ int of(int n, F f = [](int i) { return i + 1; }) { return f(n); }",
        "int i = of(n); of(n, [&](int k) { return k + i; });",
        expect![[r#"
            struct lambda.1 {  }
            struct lambda.2 { int i }
            convergent f = _Z1fPii: int (int *, int)
              {
                declare i: int, (i = of<int (*)(int)>(n.load, &lambda.1::operator()))
                of<lambda.2>(n.load, ((%4 = lambda.2(i.load)) , %4).load)
                return 0
              }
            convergent of<int (*)(int)> = _Z2ofIPFiiEEiiT_: int (int, int (*)(int))
              {
                return *f.load(n.load)
              }
            convergent lambda.1::operator() = _ZN8lambda.1clEi: int (int)
              {
                return (i.load + 1)
              }
            convergent of<lambda.2> = _Z2ofI8lambda.2EiiT_: int (int, lambda.2)
              {
                return lambda.2::operator()(f.load, n.load)
              }
            convergent lambda.2::operator() = _ZNK8lambda.2clEi: int (lambda.2, int)
              {
                return (k.load + %0.load.i)
              }
        "#]],
    );
}

#[test]
fn what_is_wrong_is_said() {
    let is = |text: &str, expected: Expect| expected.assert_eq(&wrong_with(Dialect::Cuda, text));
    is(
        "__device__ int f(int n) { auto l = [] { return n; }; return l(); }",
        expect![[r#"
            1:48: error: `n` is not declared
        "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [n] { n = 1; return n; }; return l(); }",
        expect![[r#"
            1:44: error: a `const int` cannot be assigned to
        "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [this] { return 1; }; return l(); }",
        expect![[r#"
        1:37: error: `this` is only known in functions of objects
    "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [&m = 3] { return m; }; return l(); }",
        expect![[r#"
        1:38: error: `m` captures a value by reference that is in no variable
    "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [n](int a) { return a; }; return l(); }",
        expect![[r#"
            1:69: error: `operator()` takes 1 argument, but 0 are given
              1:36: declared here
        "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [n (int a) { return a; }; return l(1); }",
        expect![[r#"
            1:44: error: expected `(` or `{` after a type, found `a`
            1:69: error: the function `l` is not declared
        "#]],
    );
    is(
        "__device__ int f(int n) { auto l = [n] { int *q = new int[2]{n}; return *q; }; return l(); }",
        expect![[r#"
            1:51: unsupported: `new` of an array with values
              1:36: `lambda.1::operator()` is left out
              1:16: `f` is left out
        "#]],
    );
    is(
        "__device__ auto l = [](int n) { return n; };",
        expect![[r#"
        1:21: unsupported: a lambda outside of a function is not supported by the built-in front end
    "#]],
    );
}
