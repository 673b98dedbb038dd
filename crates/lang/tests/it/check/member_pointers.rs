//! Pointers to members, computed gotos, and `new` at a place: what they are in the typed program, and what is refused.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::{program_of, wrong_with};

const CLASS: &str =
    "struct a { int x; const int y; int f(int b) { return x + b; } int g(int) const; virtual int v(); };
struct b { int z; }; struct c : a, b { int f(int b); };
";

fn is(body: &str, expected: Expect) {
    expected.assert_eq(&program_of(Dialect::Cpp, &format!("{CLASS}{body}")));
}

fn wrong(body: &str, expected: Expect) {
    expected.assert_eq(&wrong_with(Dialect::Cpp, &format!("{CLASS}void t(a &o, c &d) {{ {body} }}")));
}

/// The number of bytes before it, plus one.
#[test]
fn data() {
    is(
        "int t(a *o, int a::*p) { o->*p = 1; const int a::*q = &a::y; if (!p) q = p; return (o->*q) + (p == &a::x); }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            struct member_function { void (*)() function; long offset }
            t = _Z1tP1aMS_i: int (a *, long)
              {
                (*(int *)((unsigned char *)o.load + (p.load - 1:long)) = 1)
                declare q: long, (q = 13:long)
                if !(p.load != 0:long)
                  (q = p.load)
                return (*(int *)((unsigned char *)o.load + (q.load - 1:long)).load + (int)(p.load == 9:long))
              }
        "#]],
    );
}

/// One that is known is called by itself.
#[test]
fn functions() {
    is(
        "int t(a &o, int (a::*p)(int)) { int (a::*q)(int) const = &a::g; return (o.*p)(1) + (o.*q)(2) + (o.*&a::f)(3); }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            struct member_function { void (*)() function; long offset }
            t = _Z1tR1aMS_FiiE: int (a *, member_function)
              {
                declare q: member_function, (q = member_function((void (*)())&a::g, 0:long))
                return ((*(int (*)(a *, int))p.function.load((a *)((unsigned char *)o.load + p.offset.load), 1) + *(int (*)(a *, int))q.function.load((a *)((unsigned char *)o.load + q.offset.load), 2)) + a::f(o.load, 3))
              }
            a::g = _ZNK1a1gEi: int (a *, int)
            a::f = _ZN1a1fEi: int (a *, int)
              {
                return (*%0.load.x.load + b.load)
              }
        "#]],
    );
}

/// A function stands for it that calls through the table.
#[test]
fn virtual_functions() {
    is(
        "int t(a &o) { auto p = &a::v; return (o.*p)(); }",
        expect![[r#"
        struct a { void (*)() * ; int x; int y }
        struct b { int z }
        struct c { a ; b  }
        struct member_function { void (*)() function; long offset }
        t = _Z1tR1a: int (a *)
          {
            declare p: member_function, (p = member_function((void (*)())&a::v, 0:long))
            return *(int (*)(a *))p.function.load((a *)((unsigned char *)o.load + p.offset.load))
          }
        a::v = _ZN1a1vEv: int (a *)
        internal a::v = _ZN1a1vEv.virtual: int (a *)
          {
            return ((%1 = %0.load) , *(int (*)(a *))*(*%1.load.0.load + 0:long).load(%1.load))
          }
    "#]],
    );
}

/// What stands before the base is added, unless the pointer is null.
#[test]
fn of_bases() {
    is(
        "int t(c &o, int b::*p, int (a::*f)(int)) { int c::*q = p; int c::*r = &b::z; int (c::*g)(int) = f; return o.*q + o.*r + (o.*g)(1); }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            struct member_function { void (*)() function; long offset }
            t = _Z1tR1cM1biM1aFiiE: int (c *, long, member_function)
              {
                declare q: long, (q = ((%4 = p.load) , (%4.load + ((long)(%4.load != 0:long) * 16:long))))
                declare r: long, (r = 17:long)
                declare g: member_function, (g = f.load)
                return ((*(int *)((unsigned char *)o.load + (q.load - 1:long)).load + *(int *)((unsigned char *)o.load + (r.load - 1:long)).load) + *(int (*)(c *, int))g.function.load((c *)((unsigned char *)o.load + g.offset.load), 1))
              }
        "#]],
    );
}

/// Names in IR are those of clang (by its version 22).
#[test]
fn mangled() {
    let text = "struct a { int x; const int y; int f(int); int g(int) const; };
        template <class T, class C> T get(C &o, T C::*p) { return o.*p; }
        template <class R, class C> R call(C &o, R (C::*p)(int)) { return (o.*p)(1); }
        template <class R, class C> R callc(const C &o, R (C::*p)(int) const) { return (o.*p)(1); }
        void p(int a::*, const int a::*, int (a::*)(int), int (a::*)(int) const, int a::*, int (a::*)(int));
        int t(a &o) { p(&a::x, &a::y, &a::f, &a::g, nullptr, nullptr); return get(o, &a::x) + call(o, &a::f) + callc(o, &a::g); }";
    let program = program_of(Dialect::Cpp, text);
    for name in [
        "_Z1pM1aiMS_KiMS_FiiEMS_KFiiES0_S4_",
        "_Z3getIi1aET_RT0_MS2_S1_",
        "_Z4callIi1aET_RT0_MS2_FS1_iE",
        "_Z5callcIi1aET_RKT0_MS2_KFS1_iE",
    ] {
        assert!(program.contains(&format!(" = {name}: ")), "{name}\n{program}");
    }
}

#[test]
fn member_pointers_that_are_wrong() {
    wrong(
        "int a::*p = &b::z;",
        expect![[r#"
        3:34: error: `int b::*` cannot be converted to `int a::*`
    "#]],
    );
    wrong(
        "int (a::*p)(int) = &a::g;",
        expect![[r#"
        3:41: error: `int (a::*)(int) const` cannot be converted to `int (a::*)(int)`
    "#]],
    );
    wrong(
        "int c::*p; o.*p = 1;",
        expect![[r#"
        3:34: error: a `a` is no `c`, whose member the pointer is to
    "#]],
    );
    wrong(
        "int a::*p = 0; p++; p += 1; long q = p;",
        expect![[r#"
        3:37: error: a `int a::*` is no operand of arithmetic
        3:44: error: a `int a::*` is no operand of arithmetic
        3:59: error: `int a::*` cannot be converted to `long`
    "#]],
    );
    wrong(
        "int a::*p = 1;",
        expect![[r#"
        3:34: error: `int` cannot be converted to `int a::*`
    "#]],
    );
    wrong(
        "int n = 0; o.*n = 1;",
        expect![[r#"
        3:34: error: `.*` needs a pointer to a member after it, not `int`
    "#]],
    );
    wrong(
        "int (a::*p)(int) = 0; o.*p;",
        expect![[r#"
        3:45: error: a function that a pointer to a member says can only be called
    "#]],
    );
    wrong(
        "const a &k = o; int (a::*p)(int) = 0; (k.*p)(1);",
        expect![[r#"
        3:62: error: the object of `p`: a reference to a `a` that can change cannot refer to a constant one
    "#]],
    );
    wrong(
        "int int_::*p; int (*q)(int) = a::f;",
        expect![[r#"
        3:26: error: `int_` is not a type
        3:52: error: `a::f` is called with an object; `&a::f` is a pointer to it
    "#]],
    );
    wrong(
        "typedef int number; int number::*p;",
        expect![[r#"
        3:55: error: `int` is no class, so there are no pointers to its members
    "#]],
    );
    wrong(
        "o.*&a::y = 1;",
        expect![[r#"
        3:31: error: a `const int` cannot be assigned to
    "#]],
    );
    wrong(
        "int *p = &(a::x);",
        expect![[r#"
        3:33: error: `x` is a member of objects, and there is none here
    "#]],
    );
    wrong(
        "bool n = &a::x < &a::x;",
        expect![[r#"
        3:37: error: `<` does not take `int a::*` and `int a::*`
    "#]],
    );
}

#[test]
fn member_pointers_that_are_not_supported() {
    expect![[r#"
        2:36: unsupported: a pointer to a member as a parameter of a kernel
          2:26: `k` is left out
        3:48: unsupported: the address of one of several functions `a::h`
          3:26: `m` is left out
        5:44: unsupported: a pointer to a member as the argument of a template
          5:25: `q` is left out
        6:41: unsupported: the address of a virtual function that passes a `a`, which is more than its members
          6:26: `r` is left out
    "#]]
    .assert_eq(&wrong_with(
        Dialect::Cuda,
        "struct a { int x; __device__ int h(); __device__ int h(int); __device__ virtual a s(); };
         __global__ void k(int a::*p) { }
         __device__ void m() { int (a::*p)() = &a::h; }
         template <int a::*p> __device__ int n(a &o) { return o.*p; }
         __device__ int q(a &o) { return n<&a::x>(o); }
         __device__ void r() { auto p = &a::s; }",
    ));
}

#[test]
fn computed_gotos() {
    is(
        "int t(int n) { static const void *const all[2] = {&&one, &&two}; void *p = &&two; if (n) goto *all[n]; goto *p; one: n = 1; two: return n; }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            internal constant global t.all: void *[2] = {&&t:one, &&t:two}
            t = _Z1ti: int (int)
              {
                ;
                declare p: void *, (p = &&two)
                if (bool)n.load
                  goto **(@t.all.decay + (long)n.load).load
                goto *p.load
                one:
                (n = 1)
                two:
                return n.load
              }
        "#]],
    );
}

#[test]
fn computed_gotos_that_are_wrong() {
    wrong(
        "goto *o.x;",
        expect![[r#"
        3:22: error: `goto *` needs the address of a label, not `int`
    "#]],
    );
    wrong(
        "void *p; goto *p;",
        expect![[r#"
        3:31: error: a computed `goto` in a function in which no address of a label is taken
    "#]],
    );
    wrong(
        "void *p = &&nowhere; goto *p; somewhere: ;",
        expect![[r#"
        3:32: error: there is no label `nowhere` in this function
    "#]],
    );
    wrong(
        "void *p = &&in; goto *p; __attribute__((noconvergent)) { in: ; }",
        expect![[r#"
        3:38: unsupported: this `goto` may go to `in` inside a `noconvergent` statement, and is outside of it
          3:79: `in` stands here
          3:47: the `noconvergent` statement begins here
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "struct e { int *n; ~e() { *n = 1; } }; void *p = &&in; goto *p; { e made; in: ; }",
        expect![[r#"
        3:77: unsupported: a computed `goto` where other objects with destructors are in scope than at the label `in`
          3:6: `t` is left out
    "#]],
    );
    expect![[r#"
        1:29: unsupported: the address of a label in OpenCL C is not supported by the built-in front end
          1:13: `k` is left out
    "#]]
    .assert_eq(&wrong_with(Dialect::OpenCl, "kernel void k() { void *p = &&out; out: ; }"));
    expect![[r#"
        1:11: error: the address of a label is only known in the function of the label
    "#]]
    .assert_eq(&wrong_with(Dialect::Cpp, "void *p = &&out;"));
}

#[test]
fn new_at_a_place() {
    is(
        "struct e { int n; e(int m) : n(m) {} }; struct p { int x; int y; };
         int t(void *at, int n) { e *one = new (at) e(n); p *two = new (at) p{1, n}; p *three = new (at) p(); int *four = ::new (at) int[n];
         int *five = new (at) int[4](); int *six = new (at) int; return one->n + two->x + three->y + four[0] + five[0] + *six; }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            struct e { int n }
            struct p { int x; int y }
            struct dim3 { unsigned int x; unsigned int y; unsigned int z }
            t = _Z1tPvi: int (void *, int)
              {
                declare one: e *, (one = ((%3 = (e *)at.load) , (e::e(%3.load, n.load) , %3.load)))
                declare two: p *, (two = ((%5 = (p *)at.load) , ((*%5.load.zero , ((*%5.load.x = 1) , (*%5.load.y = n.load))) , %5.load)))
                declare three: p *, (three = ((%7 = (p *)at.load) , ((*%7.load = zero:p) , %7.load)))
                declare four: int *, (four = ((%9 = (int *)at.load) , ((void)n.load , %9.load)))
                declare five: int *, (five = ((%11 = (int *)at.load) , (*(int[4] *)%11.load.zero , %11.load)))
                declare six: int *, (six = ((%13 = (int *)at.load) , %13.load))
                return (((((*one.load.n.load + *two.load.x.load) + *three.load.y.load) + *(four.load + 0:long).load) + *(five.load + 0:long).load) + *six.load.load)
              }
            e::e = _ZN1eC1Ei: void (e *, int)
              {
                (*%0.load.n = m.load)
              }
        "#]],
    );
}

#[test]
fn objects_of_the_heap() {
    is(
        "struct e { int n; e(int m) : n(m) {} ~e() { n = 0; } };
         int t(int n) { e *one = new e(n); int *many = new int[n], sum = one->n; delete one; ::delete[] many; return sum; }",
        expect![[r#"
            struct a { void (*)() * ; int x; int y }
            struct b { int z }
            struct c { a ; b  }
            struct e { int n }
            t = _Z1ti: int (int)
              {
                declare one: e *, (one = ((%2 = (e *)_Znwm(4:unsigned long)) , (e::e(%2.load, n.load) , %2.load)))
                declare many: int *, (many = ((%4 = (int *)_Znam(((unsigned long)n.load * 4:unsigned long))) , %4.load))
                declare sum: int, (sum = *one.load.n.load)
                ((%6 = one.load) , (((bool)%6.load ? (void)e::~e(%6.load) : (void)0) , _ZdlPv((void *)%6.load)))
                ((%7 = many.load) , _ZdaPv((void *)%7.load))
                return sum.load
              }
            _Znwm: void * (unsigned long)
            e::e = _ZN1eC1Ei: void (e *, int)
              {
                (*%0.load.n = m.load)
              }
            _Znam: void * (unsigned long)
            e::~e = _ZN1eD1Ev: void (e *)
              {
                (*%0.load.n = 0)
              }
            _ZdlPv: void (void *)
            _ZdaPv: void (void *)
        "#]],
    );
}

#[test]
fn new_that_is_not_supported() {
    wrong(
        "int *p = new int[2]{1};",
        expect![[r#"
            3:31: unsupported: `new` of an array with values
              3:6: `t` is left out
        "#]],
    );
    wrong(
        "int *p = new (int);",
        expect![[r#"
        3:35: unsupported: a type in parentheses after `new` is not supported by the built-in front end
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "int *p = new (&o, 1) int;",
        expect![[r#"
        3:31: unsupported: `new` with more than an address is not supported
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "const int n = 0; int *p = new (&n) int;",
        expect![[r#"
        3:48: error: `new (…)` makes nothing at the address of something that is `const` or `volatile`
    "#]],
    );
    wrong(
        "a *p = new (&o) a[o.x];",
        expect![[r#"
        3:29: unsupported: `new` of an array whose length is not a constant, and whose elements are made
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "int *p = new (&o) int[2]{1, 2};",
        expect![[r#"
        3:31: unsupported: `new` of an array with values
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "int *p = new (1) int;",
        expect![[r#"
        3:31: unsupported: `new (…)` with a `int`, which is no address, is not supported
          3:6: `t` is left out
    "#]],
    );
    wrong(
        "delete o.x;",
        expect![[r#"
            3:22: error: `delete` takes a pointer, and this is `int`
        "#]],
    );
}
