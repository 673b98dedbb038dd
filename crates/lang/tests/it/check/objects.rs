//! How objects are made: elements and members with constructors, and functions that are defined outside of their classes.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::{program_of, wrong_with};

const CLASSES: &str =
    "struct g { int *at; __device__ g(int *p) : at(p) {} __device__ g(const g &o) : at(o.at) { ++*at; } };
struct d { int x; __device__ d() : x(7) {} };
struct pair { g one; int n = 3; d two; };
";

fn is(body: &str, program: Expect) {
    let text = program_of(Dialect::Cuda, &format!("{CLASSES}__device__ void f(int *p) {{ {body} }}"));
    program.assert_eq(&text);
}

/// Constructors are called, be the list as long as the array or not.
#[test]
fn elements_are_made_by_constructors() {
    is(
        "g all[2] = {p, p};",
        expect![[r#"
        struct g { int * at }
        struct d { int x }
        struct pair { g one; int n; d two }
        convergent f = _Z1fPi: void (int *)
          {
            declare all: g[2], (all.zero , (g::g((g *)(all.decay + 0:long), p.load) , g::g((g *)(all.decay + 1:long), p.load)))
          }
        convergent g::g = _ZN1gC1EPi: void (g *, int *)
          {
            (*%0.load.at = p.load)
          }
    "#]],
    );
    is(
        "g one(p); g all[2] = {one, {p}};",
        expect![[r#"
        struct g { int * at }
        struct d { int x }
        struct pair { g one; int n; d two }
        convergent f = _Z1fPi: void (int *)
          {
            declare one: g, g::g((g *)&one, p.load)
            declare all: g[2], (all.zero , (g::g((g *)(all.decay + 0:long), (g *)&one) , g::g((g *)(all.decay + 1:long), p.load)))
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
    "#]],
    );
    is(
        "d all[2][2] = {{}, {d()}};",
        expect![[r#"
        struct g { int * at }
        struct d { int x }
        struct pair { g one; int n; d two }
        convergent f = _Z1fPi: void (int *)
          {
            declare all: d[2][2], ((all.zero , d::d((d *)(*(all.decay + 0:long).decay + 0:long))) , (d::d((d *)(*(all.decay + 0:long).decay + 1:long)) , ((*(*(all.decay + 1:long).decay + 0:long) = (d::d((d *)&%2) , %2).load) , d::d((d *)(*(all.decay + 1:long).decay + 1:long)))))
          }
        convergent d::d = _ZN1dC1Ev: void (d *)
          {
            (*%0.load.x = 7)
          }
    "#]],
    );
}

/// What nothing is said about starts with what its class says.
#[test]
fn members_are_made_by_constructors() {
    is(
        "pair q = {p};",
        expect![[r#"
            struct g { int * at }
            struct d { int x }
            struct pair { g one; int n; d two }
            convergent f = _Z1fPi: void (int *)
              {
                declare q: pair, ((q.zero , g::g((g *)&q.one, p.load)) , ((q.n = 3) , d::d((d *)&q.two)))
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent d::d = _ZN1dC1Ev: void (d *)
              {
                (*%0.load.x = 7)
              }
        "#]],
    );
    is(
        "pair q = {p, 4}; pair r = pair{p};",
        expect![[r#"
            struct g { int * at }
            struct d { int x }
            struct pair { g one; int n; d two }
            struct dim3 { unsigned int x; unsigned int y; unsigned int z }
            convergent f = _Z1fPi: void (int *)
              {
                declare q: pair, ((q.zero , g::g((g *)&q.one, p.load)) , ((q.n = 4) , d::d((d *)&q.two)))
                declare r: pair, (r = ((%3.zero , g::g((g *)&%3.one, p.load)) , ((%3.n = 3) , (d::d((d *)&%3.two) , %3))).load)
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent d::d = _ZN1dC1Ev: void (d *)
              {
                (*%0.load.x = 7)
              }
        "#]],
    );
    is(
        "pair q[2] = {{.one = p, .n = 2}, {p}};",
        expect![[r#"
            struct g { int * at }
            struct d { int x }
            struct pair { g one; int n; d two }
            convergent f = _Z1fPi: void (int *)
              {
                declare q: pair[2], ((q.zero , (g::g((g *)&*(q.decay + 0:long).one, p.load) , (*(q.decay + 0:long).n = 2))) , ((d::d((d *)&*(q.decay + 0:long).two) , g::g((g *)&*(q.decay + 1:long).one, p.load)) , ((*(q.decay + 1:long).n = 3) , d::d((d *)&*(q.decay + 1:long).two))))
              }
            convergent g::g = _ZN1gC1EPi: void (g *, int *)
              {
                (*%0.load.at = p.load)
              }
            convergent d::d = _ZN1dC1Ev: void (d *)
              {
                (*%0.load.x = 7)
              }
        "#]],
    );
}

#[test]
fn variables_of_the_program_are_made_by_what_is_known() {
    let text = "struct g { int x; __device__ g(int n) { x = blockDim.x + n; } };\n__device__ g all[1] = {3};";
    expect![[r#"
        2:24: unsupported: a variable of the program that a constructor makes is not supported
    "#]]
    .assert_eq(&wrong_with(Dialect::Cuda, text));
    let text = format!("{CLASSES}__device__ void f() {{ d all[65] = {{}}; }}");
    expect![[r#"
        4:35: unsupported: an array of more than 64 objects with constructors
          4:17: `f` is left out
    "#]]
    .assert_eq(&wrong_with(Dialect::Cuda, &text));
}

#[test]
fn functions_outside_of_their_classes() {
    let text =
        "struct a { int *p; __device__ a(int *q); __device__ ~a(); struct inner { int *r; __device__ ~inner(); }; };
        template <class T> struct b { T *p; __device__ ~b(); };
        __device__ void f(int *p) { a one(p); a::inner two = {p}; b<int> three = {p}; }
        __device__ a::a(int *q) : p(q) {}
        __device__ a::~a() { *p = 1; }
        __device__ a::inner::~inner() { *r = 2; }
        template <class T> __device__ b<T>::~b() { *p = 3; }";
    expect![[r#"
        struct a { int * p }
        struct a::inner { int * r }
        struct b<int> { int * p }
        convergent f = _Z1fPi: void (int *)
          {
            declare one: a, a::a((a *)&one, p.load)
            declare two: a::inner, (two.zero , (two.r = p.load))
            declare three: b<int>, (three.zero , (three.p = p.load))
            b<int>::~b((b<int> *)&three)
            a::inner::~inner((a::inner *)&two)
            a::~a((a *)&one)
          }
        convergent a::a = _ZN1aC1EPi: void (a *, int *)
          {
            (*%0.load.p = q.load)
          }
        convergent b<int>::~b = _ZN1bIiED1Ev: void (b<int> *)
          {
            (**%0.load.p.load = 3)
          }
        convergent a::inner::~inner = _ZN1a5innerD1Ev: void (a::inner *)
          {
            (**%0.load.r.load = 2)
          }
        convergent a::~a = _ZN1aD1Ev: void (a *)
          {
            (**%0.load.p.load = 1)
          }
    "#]]
    .assert_eq(&program_of(Dialect::Cuda, text));
}

#[test]
fn functions_outside_of_the_class_in_a_template() {
    let text = "template <class K> struct table {
          struct view { K *p; __device__ K get(int i) const; struct part { K x; __device__ void operator+=(K y); }; };
        };
        template <class K> __device__ void f(typename table<K>::view v, typename table<K>::view::part w) { w += v.get(1); }
        template <class T> __device__ T table<T>::view::get(int i) const { return p[i]; }
        template <class T> __device__ void table<T>::view::part::operator+=(T y) { x += y; }
        __device__ void g(table<float>::view v, table<float>::view::part w) { f<float>(v, w); }";
    expect![[r#"
        struct table<float> {  }
        struct table::view { float * p }
        struct table::view::part { float x }
        convergent g = _Z1gN5tableIfE4viewENS1_4partE: void (table::view, table::view::part)
          {
            f<float>(v.load, w.load)
          }
        convergent f<float> = _Z1fIfEvN5tableIfE4viewENS2_4partE: void (table::view, table::view::part)
          {
            table::view::part::operator+=((table::view::part *)&w, table::view::get((table::view *)&v, 1))
          }
        convergent table::view::get = _ZNK5tableIfE4view3getEi: float (table::view *, int)
          {
            return *(*%0.load.p.load + (long)i.load).load
          }
        convergent table::view::part::operator+= = _ZN5tableIfE4view4partpLEf: void (table::view::part *, float)
          {
            (*%0.load.x += y.load)
          }
    "#]]
    .assert_eq(&program_of(Dialect::Cuda, text));
}

const VIRTUALS: &str =
    "struct a { int x = 1; __device__ virtual int f(int b) const { return b; } __device__ virtual int g() = 0; };
struct b : a { __device__ int g() override { return a::f(2) + f(3); } };
";

#[test]
fn virtual_functions() {
    let text = format!("{VIRTUALS}__device__ int f(a &some) {{ b one; return some.f(1) + one.g() + one.f(4); }}");
    expect![[r#"
        struct a { void (*)() * ; int x }
        struct b { a  }
        internal constant global .virtuals: void (*)()[2] = {a::f, zero}
        internal constant global .virtuals.1: void (*)()[2] = {a::f, b::g}
        convergent f = _Z1fR1a: int (a *)
          {
            declare one: b, (((one.0.0 = (void (*)() *)@.virtuals.decay) , (one.0.x = 1)) , (one.0.0 = (void (*)() *)@.virtuals.1.decay))
            return ((((%2 = some.load) , *(int (*)(a *, int))*(*%2.load.0.load + 0:long).load(%2.load, 1)) + b::g((b *)&one)) + a::f((a *)&one.0, 4))
          }
        convergent a::f = _ZNK1a1fEi: int (a *, int)
          {
            return b.load
          }
        convergent b::g = _ZN1b1gEv: int (b *)
          {
            return (a::f(&*%0.load.0, 2) + ((%1 = &*%0.load.0) , *(int (*)(a *, int))*(*%1.load.0.load + 0:long).load(%1.load, 3)))
          }
    "#]].assert_eq(&program_of(Dialect::Cuda, &text));
}

#[test]
fn virtual_functions_that_are_not_supported() {
    let is = |text: &str, expected: Expect| {
        expected.assert_eq(&wrong_with(Dialect::Cuda, &format!("{VIRTUALS}{text}")));
    };
    is(
        "struct c { int y; }; struct d : c, b { }; __device__ void f() { d one; }",
        expect![[r#"
            3:67: unsupported: a base with virtual functions beside or after another base is not supported
              3:22: declared here
              3:59: `f` is left out
        "#]],
    );
    is(
        "__device__ void f(b &one, b &two) { one = two; }",
        expect![[r#"
        3:41: unsupported: an object of `b`, which has virtual functions, is assigned to
          3:17: `f` is left out
    "#]],
    );
    is(
        "__device__ int g(b one); __device__ int f(b &one) { return g(one); }",
        expect![[r#"
        3:62: unsupported: argument 1 of `g`: an object of `b`, which has virtual functions, is passed by value
          3:16: declared here
          3:41: `f` is left out
    "#]],
    );
    is(
        "struct c : virtual a { };",
        expect![[r#"
        3:20: unsupported: a virtual base is not supported by the built-in front end
    "#]],
    );
}

/// A constructor that copies is none for other values.
#[test]
fn copies_are_of_objects() {
    let text = "struct e { int x; }; struct c { int x; __device__ c(int y) : x(y) {} __device__ c(const c &o) : x(o.x) {}
        __device__ c(const c &o, int y) : x(o.x + y) {} }; struct t { __device__ operator c() const { return c(1); } };
        __device__ int f(c o, t u) { c one(2), two(one), three(u), four(one, 5); return one.x + two.x + three.x + four.x; }";
    expect![[r#"
        struct e { int x }
        struct c { int x }
        struct t {  }
        convergent f = _Z1f1c1t: int (c, t)
          {
            declare one: c, c::c((c *)&one, 2)
            declare two: c, c::c((c *)&two, (c *)&one)
            declare three: c, c::c((c *)&three, (c *)((%7 = t::operator c((t *)&((%6 = u.load) , %6))) , &%7))
            declare four: c, c::c((c *)&four, (c *)&one, 5)
            return (((one.x.load + two.x.load) + three.x.load) + four.x.load)
          }
        convergent c::c = _ZN1cC1Ei: void (c *, int)
          {
            (*%0.load.x = y.load)
          }
        convergent c::c = _ZN1cC1ERKS_: void (c *, c *)
          {
            (*%0.load.x = *o.load.x.load)
          }
        convergent t::operator c = _ZNK1tcv1cEv: c (t *)
          {
            return (c::c((c *)&%1, 1) , %1).load
          }
        convergent c::c = _ZN1cC1ERKS_i: void (c *, c *, int)
          {
            (*%0.load.x = (*o.load.x.load + y.load))
          }
    "#]]
    .assert_eq(&program_of(Dialect::Cuda, text));
    expect![[r#"
        1:107: error: no function `c` takes (e)
          1:44: this one is declared here
          1:63: this one is declared here
    "#]].assert_eq(&wrong_with(Dialect::Cuda, "struct e { int x; }; struct c { __device__ c(int); __device__ c(const c &); }; __device__ void f(e o) { c one(o); }"));
}

/// An object that is passed by value is copied by the constructor that copies; one without a name is that object itself.
#[test]
fn objects_passed_by_value_are_copied() {
    let text = format!("{CLASSES}__device__ int h(g o) {{ return *o.at; }} __device__ g make(int *p) {{ return g(p); }}
        __device__ int f(int *p) {{ g one(p); auto two = one; auto three = g(p); g four = make(p); return h(two) + h(g(p)) + h(make(p)); }}");
    expect![[r#"
        struct g { int * at }
        struct d { int x }
        struct pair { g one; int n; d two }
        convergent h = _Z1h1g: int (g)
          {
            return *o.at.load.load
          }
        convergent make = _Z4makePi: g (int *)
          {
            return (g::g((g *)&%1, p.load) , %1).load
          }
        convergent g::g = _ZN1gC1EPi: void (g *, int *)
          {
            (*%0.load.at = p.load)
          }
        convergent f = _Z1fPi: int (int *)
          {
            declare one: g, g::g((g *)&one, p.load)
            declare two: g, g::g((g *)&two, (g *)&one)
            declare three: g, (three = (g::g((g *)&%3, p.load) , %3).load)
            declare four: g, (four = make(p.load))
            return ((h((g::g((g *)&%6, (g *)&two) , %6).load) + h((g::g((g *)&%7, p.load) , %7).load)) + h(make(p.load)))
          }
        convergent g::g = _ZN1gC1ERKS_: void (g *, g *)
          {
            (*%0.load.at = *o.load.at.load)
            ++**%0.load.at.load
          }
    "#]].assert_eq(&program_of(Dialect::Cuda, &text));
}
