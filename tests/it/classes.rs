//! Classes in source: what their functions compute, and that findings in them are said as those of other functions.

use crate::common::reconverge;

/// What a kernel writes to `out`, an array of integers.
fn written(text: &str, count: usize) -> String {
    let out = format!("out=i32[{count}]");
    let run = reconverge(&["run", "-", "--input-format", "cuda", "--block", "1", "--arg", &out], text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    run.stdout.lines().find(|line| line.starts_with("out")).expect("the buffer").to_owned()
}

#[test]
fn constructors_start_bases_and_members_in_order() {
    let text = "struct log { int *at; __device__ log(int *at) : at(at) {} __device__ int add(int n) { *at = *at * 10 + n; return n; } };
        struct base { int b; __device__ base(log &l, int n) : b(l.add(n)) {} };
        struct part { int p; __device__ part(log &l, int n) { p = l.add(n); } };
        struct whole : base { part first; int plain = 7; part second; const int fixed;
          __device__ whole(log &l) : base(l, 1), first(l, 2), second(l, 3), fixed(l.add(4)) { l.add(5); }
          __device__ whole(log &l, int n) : whole(l) { plain = n; } };
        __global__ void k(int *out) { log l(out); whole w(l); out[1] = w.plain + w.b + w.first.p + w.second.p + w.fixed; whole x(l, 9); out[2] = x.plain; }";
    assert_eq!(written(text, 3), "out = i32[3]{1234512345, 17, 9}");
}

#[test]
fn the_best_specialisation_is_taken() {
    let text = "template <class T, class U> struct kind { static constexpr int value = 0; };
        template <class T> struct kind<T, T> { static constexpr int value = 1; };
        template <class T> struct kind<T *, int> { static constexpr int value = 2; };
        template <> struct kind<float, int> { static constexpr int value = 3; };
        template <class T> using with_int = kind<T, int>;
        template <class T> struct of { typedef kind<T, float> other; };
        template <class T> __device__ int other() { return of<T>::other::value; }
        __global__ void k(int *out) { out[0] = kind<int, float>::value; out[1] = kind<int, int>::value; out[2] = kind<char *, int>::value;
          out[3] = with_int<float>::value; out[4] = other<float>(); }";
    assert_eq!(written(text, 5), "out = i32[5]{0, 1, 2, 3, 1}");
}

#[test]
fn a_specialisation_of_a_function_is_meant_by_its_result_too() {
    let text = "template <class T> __device__ T of(float a); template <> __device__ float of(float a) { return a; } template <> __device__ int of(float a) { return (int)a + 1; }
        template <> __device__ float2 of(float a) { return make_float2(a, a + 1); }
        __global__ void k(int *out) { out[0] = of<int>(3.5f); out[1] = of<float>(7.9f); out[2] = of<float2>(2).y; }";
    assert_eq!(written(text, 3), "out = i32[3]{4, 7, 3}");
}

/// `a.template operator()<N>()`, as lambdas with parameters of templates are called.
#[test]
fn operators_that_are_templates_are_called_by_their_names() {
    let text = "template <int J> struct less { template <int I> __device__ constexpr bool operator()() { return I < J; } };
        struct next { template <int I> __device__ constexpr int operator()() { return I + 1; } };
        template <int I, class Go, class Step, class F> __device__ void loop(F &&f) {
          if constexpr (Go{}.template operator()<I>()) { f.template operator()<I>(); loop<Step{}.template operator()<I>(), Go, Step, F>(f); } }
        __global__ void k(int *out) { int sum = 0; loop<1, less<4>, next>([&]<int I>() { sum = sum * 10 + I; }); out[0] = sum; }";
    assert_eq!(written(text, 1), "out = i32[1]{123}");
}

/// `union { int i; float f; };` in a function, and a class by the word `struct` before its arguments.
#[test]
fn members_of_unions_without_names_are_variables() {
    let text = "template <int N, class T> struct row { T data[N]; __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += data[i]; return s; } };
        __global__ void k(int *out) { union { int whole; signed char bytes[4]; }; { union { float whole; int bits; }; whole = 1.f; out[0] = bits == 0x3f800000; }
          whole = 0x01ff7f80; out[1] = bytes[0]; out[2] = bytes[2]; bytes[3] = 2; out[3] = whole >> 24;
          using of_three = struct row<3, int>; of_three r = {{1, 2, 3}}; out[4] = r.sum(); struct { int one, two; }; one = 4; two = one + 1; out[5] = two; }";
    assert_eq!(written(text, 6), "out = i32[6]{1, -128, -1, 2, 6, 5}");
}

#[test]
fn members_are_chosen_as_other_functions_are() {
    let text = "struct s { __device__ int f(int) { return 1; } __device__ int f(float) { return 2; } __device__ int f(int) const { return 3; }
          template <class T> __device__ int f(T *p) { return 4 + sizeof(T); } static __device__ int g(int n) { return n; } __device__ int both(float x) { return f(x) * 10 + g(3); } };
        struct derived : s { __device__ int g(int n) { return n + 100; } };
        __global__ void k(int *out) { s a; const s &b = a; out[0] = a.f(1); out[1] = a.f(1.f); out[2] = b.f(1); out[3] = a.f(out); out[4] = s::g(5); out[5] = a.both(2.f);
          derived d; out[6] = d.g(1) + d.f(1); s *p = &d; out[7] = p->g(1) + p->f<char>(nullptr); }";
    assert_eq!(written(text, 8), "out = i32[8]{1, 2, 3, 8, 5, 23, 102, 6}");
}

#[test]
fn a_list_is_an_argument_of_the_type_of_its_parameter() {
    let text = "struct pair { int a, b; }; struct made { int x; __device__ made(int v, int w) : x(v * w) {} };
        __device__ pair both(const pair &l, pair r) { return {l.a + r.a, l.b * r.b}; }
        __device__ int of(made m, int more = 2) { return m.x + more; }
        template <class T> __device__ T add(T v, pair w) { return v + w.a; }
        struct s { int k; __device__ int f(pair p, made m) const { return k + p.b + m.x; } };
        __global__ void k(int *out) { pair p = both({1, 2}, {3, 4}); out[0] = p.a; out[1] = p.b; out[2] = of({2, 3}); out[3] = add(5, {6});
          s o{7}; out[4] = o.f({1, 2}, {3, 4}); }";
    assert_eq!(written(text, 5), "out = i32[5]{4, 8, 8, 11, 21}");
    let text = "__device__ void f(int) {} struct p { int a; }; __device__ void f(p) {}
        __global__ void one(int *out) { f({1}); } __global__ void two(int *out) { out[0] = 1; }";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert!(check.stderr.contains("1 of 2 kernels analysed with unknowns"), "{}", check.stderr);
}

#[test]
fn objects_that_convert_themselves_are_conditions_and_traits_are_objects() {
    let text = "#include <type_traits>
        struct base { int v; __device__ operator bool() const { return v > 3; } }; struct own : base {};
        __device__ int tag(std::true_type) { return 1; } __device__ int tag(std::false_type) { return 2; }
        template <class T> __device__ int kind() { return tag(std::is_floating_point<T>()) * 10 + tag(typename std::is_integral<T>::type()); }
        __global__ void k(int *out) { own a; a.v = 5; base b{2}; out[0] = a && b; out[1] = a || b; out[2] = !b; out[3] = !a; out[4] = a && out[1] == 1;
          out[5] = kind<int>(); out[6] = kind<float>(); if constexpr (std::is_same<int, int>() && !std::is_pointer<int>()) out[7] = 1; }";
    assert_eq!(written(text, 8), "out = i32[8]{0, 1, 1, 0, 1, 21, 12, 1}");
}

/// What is not known of a class is only that: its other members, and other kernels, are.
#[test]
fn a_member_that_is_not_understood_costs_itself() {
    let text =
        "struct s { int v; __device__ int good() { return v; } __device__ int bad(int a, int b) { throw a + b; } };
        __global__ void one(int *out) { s a; a.v = out[0]; out[1] = a.good(); }
        __global__ void two(int *out) { s a; out[1] = a.bad(1, 2); }";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert_eq!(check.status, 0, "{}", check.stderr);
    assert!(check.stderr.contains("1 of 2 kernels analysed with unknowns"), "{}", check.stderr);
}

#[test]
fn a_barrier_in_a_member_function_is_found() {
    let text = "struct s { int n; __device__ void meet() { if (threadIdx.x < n) __syncthreads(); } };
        __global__ void k(int n) { s a; a.n = n; a.meet(); }";
    let check = reconverge(&["check", "-", "--input-format", "cuda"], text.as_bytes());
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    assert_eq!(check.stdout.matches("warning[RC0202]").count(), 1, "{}", check.stdout);
}

/// What a lambda has captured is known where it is called: a guard that is the same for all threads is no cause for a warning, one that is not is found.
#[test]
fn guards_in_lambdas() {
    let found = |body: &str| {
        let text = format!(
            "template <class F> __device__ void each(int n, F f) {{ for (int i = 0; i < n; i++) f(i); }}
             __global__ void k(float *p, int n, int m) {{ int t = threadIdx.x; {body} }}"
        );
        let run = reconverge(&["check", "-", "--input-format", "cuda"], text.as_bytes());
        run.stdout.matches("[RC02").count()
    };
    for body in [
        "auto f = [&](int i) { if (i < n) __syncthreads(); }; for (int i = 0; i < m; i++) f(i);",
        "auto f = [=](int i) { if (i < n) __syncthreads(); }; f(m); f(n);",
        "[&] { if (n > 3) __syncthreads(); }();",
        "each(m, [&](int i) { p[t] += i; if (i < n) __syncthreads(); });",
        "int sum = 0; each(m, [&, n](auto i) { sum += i; if (i < n) __syncthreads(); }); p[t] = sum;",
    ] {
        assert_eq!(found(body), 0, "{body}");
    }
    for body in [
        "auto f = [&](int i) { if (t < n) __syncthreads(); }; f(1);",
        "auto f = [=](int i) { if (i < n) __syncthreads(); }; f(t);",
        "[=] { if (t > 3) __syncthreads(); }();",
        "each(n, [=](int i) { if (t < i) __syncthreads(); });",
        "each(n, [&](int i) { t += i; if (t < i) __syncthreads(); });",
    ] {
        assert_eq!(found(body), 1, "{body}");
    }
}

#[test]
fn virtual_functions_are_those_of_the_object() {
    let text = "struct shape { int x = 1; __device__ virtual int f(int a) { return a + x; } __device__ virtual int g() = 0; int y; };
        struct first : shape { int z = 5; __device__ int g() override { return z; } };
        struct second : first { __device__ int f(int a) override { return shape::f(a) * 10; } __device__ int g() override { return first::g() + 100; } };
        __device__ int call(shape &a, int n) { return a.f(n) * 1000 + a.g(); }
        __global__ void k(int *out) { first b; second c; first copy = c; out[0] = call(b, 1); out[1] = call(c, 1); out[2] = call(copy, 2); out[3] = b.g(); }";
    assert_eq!(written(text, 4), "out = i32[4]{2005, 20105, 3005, 5}");
}

#[test]
fn members_of_members_without_a_name_start_as_written() {
    let text = "struct made { struct { int x; union { int y; float f; }; }; int b; __device__ made(int k) : x(k), y(8), b(2) {} };
        __global__ void k(int *out) { made m(3); out[0] = m.x * 100 + m.y * 10 + m.b; }";
    assert_eq!(written(text, 1), "out = i32[1]{382}");
    let kernel = "__global__ void k(int *out) { plain p; out[0] = p.x; }";
    for plain in ["struct plain { struct { int x = 7; }; };", "typedef struct { int x = 7; } plain;"] {
        let run = reconverge(
            &["run", "-", "--input-format", "cuda", "--frontend", "builtin", "--arg", "out=i32[1]"],
            format!("{plain}\n{kernel}").as_bytes(),
        );
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("members that start with something in a structure without a name"), "{run:?}");
    }
}

/// The numbers are those that clang's IR computes.
#[test]
fn objects_and_lambdas_are_those_of_clang() {
    let numbers = |first: usize| {
        let kernel = format!(
            "__global__ void k(int *out) {{ int numbers[30]; all(numbers, 4); for (int i = 0; i < 10; i++) out[i] = numbers[{first} + i]; }}"
        );
        written(&format!("{}{kernel}", include_str!("classes/objects.cu")), 10)
    };
    assert_eq!(numbers(0), "out = i32[10]{24, 624, 7734, 77377321, 1410, 24, 8, 24, 18, 22}");
    assert_eq!(numbers(10), "out = i32[10]{909, 14, 642, 51642, 28006, 7, 17, 2003, 3005, 40105}");
    assert_eq!(numbers(20), "out = i32[10]{5318, 20105, 42, 120, 6, 2, 3, 74594, 4, 205}");
}

/// The same for pointers to members, computed gotos, and `new` at a place.
#[test]
fn member_pointers_are_those_of_clang() {
    let numbers = |first: usize| {
        let kernel = format!(
            "__global__ void k(int *out) {{ int numbers[34]; all(numbers, 4); for (int i = 0; i < 11; i++) out[i] = numbers[{first} + i]; }}"
        );
        written(&format!("{}{kernel}", include_str!("classes/member-pointers.cu")), 11)
    };
    assert_eq!(numbers(0), "out = i32[11]{3111, 441, 1332, 171211, 414, 236235, 4007, 30610, 916, 3583, 14004}");
    assert_eq!(numbers(11), "out = i32[11]{56, 7, 1116, 4000, 123, 4001, 321608, 118, 4, 419, 537}");
    assert_eq!(numbers(23), "out = i32[11]{205101, 7, 84, 65, 21, 0, 1016, 3, 91, 4151, 10}");
}

/// The same for packs, folds, and what is given up by `std::move` and `std::forward`.
#[test]
fn packs_are_those_of_clang() {
    let numbers = |function: &str, count: usize| {
        let kernel = format!("__global__ void k(int *out) {{ {function}(out); }}");
        written(&format!("{}{kernel}", include_str!("classes/packs.cu")), count)
    };
    assert_eq!(numbers("packs", 13), "out = i32[13]{10, 30, 6, 7, 5, 89, 11, 6, 206, 42, 1237, 12, 9}");
    assert_eq!(numbers("given", 11), "out = i32[11]{123, 112130, 113021, 3, 1011, 30, 38, 34, 113, 9, 56}");
}

/// The same for templates with members of their own, and parameters that are templates.
#[test]
fn templates_in_templates_are_those_of_clang() {
    let kernel = "__global__ void k(int *out) { int memory[64], all[14]; outside(all, memory); for (int i = 0; i < 14; i++) out[i] = all[i]; }";
    let text = format!("{}{kernel}", include_str!("classes/templates-outside.cu"));
    assert_eq!(written(&text, 14), "out = i32[14]{12, 102, 11, 10, 1206, 123, 5, 8, 110, 23, 73, 844, 62, 81}");
    let kernel = "__global__ void k(int *out) { specialised(out); }";
    let text = format!("{}{kernel}", include_str!("classes/templates-outside.cu"));
    assert_eq!(written(&text, 5), "out = i32[5]{1402, 120, 3003, 5005, 114}");
}

/// The same for objects that become numbers, and for the choice between functions.
#[test]
fn conversions_are_those_of_clang() {
    let kernel = "__global__ void k(int *out) { long memory[2]; conversions(out, memory); }";
    let text = format!("{}{kernel}", include_str!("classes/conversions.cu"));
    assert_eq!(
        written(&text, 15),
        "out = i32[15]{1023, 43, 14, 24, 101, 12, 12, 7, 52, 1023, 3312, 131, 123, 123, 23}"
    );
}

/// The same for what functions return that are called when the program is translated.
#[test]
fn constants_are_those_of_clang() {
    let kernel = "__global__ void k(int *out) { constants(out, 144); }";
    let text = format!("{}{kernel}", include_str!("classes/constants.cu"));
    let numbers = "88, 32, 399998, 100640, 100028, 100017, 103405, 1314, 100013, -52, 16008, 300142, 12";
    assert_eq!(written(&text, 13), format!("out = i32[13]{{{numbers}}}"));
}

/// A variable of the program that a constructor makes is made before the program runs, or nobody may read it.
#[test]
fn variables_of_the_program_that_constructors_make() {
    let text = "struct A { int x; __device__ constexpr A(int v) : x(v + 1) {} };
        __device__ A g{5}; __device__ A h(6); __device__ A i = 7; __device__ A list[2] = {A(1), A(2)};
        __global__ void k(int *out) { out[0] = g.x; out[1] = h.x; out[2] = i.x; out[3] = list[1].x; }";
    assert_eq!(written(text, 4), "out = i32[4]{6, 7, 8, 3}");
    let text = "struct A { int x; __device__ A(int v) { x = blockDim.x + v; } }; __device__ A g(3);
        __global__ void k(int *out) { out[0] = g.x; } __global__ void l(int *out) { out[0] = 3; }";
    let run = |kernel: &str| {
        let arguments = ["run", "-", "--input-format", "cuda", "--kernel", kernel, "--arg", "out=i32[1]"];
        reconverge(&arguments, text.as_bytes())
    };
    let refused = run("k");
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains("a variable of the program that a constructor makes"), "{refused:?}");
    assert!(run("l").stdout.starts_with("out = i32[1]{3}"), "{:?}", run("l"));
}

/// A function that is named without its namespace is one beside the class of an argument.
#[test]
fn functions_beside_classes_are_found() {
    let text = "namespace n { struct A { int x; }; __device__ int both(const A &a, int y) { return a.x * 10 + y; } __device__ void clear(A *a) { a->x = 0; } template <class T> __device__ T plus(A a, T y) { return a.x + y; } }
        __global__ void k(int *out) { n::A a{4}; out[0] = both(a, 2); out[1] = plus(a, 3); clear(&a); out[2] = a.x; }";
    assert_eq!(written(text, 3), "out = i32[3]{42, 7, 0}");
}

/// `A::template f<4>(x);` calls a function, also where a declaration could stand.
#[test]
fn templates_of_functions_are_called_by_their_class() {
    let text = "template <int N> struct W { template <int S, class T> static __device__ void r(T &x) { x += S * N; } template <int S> __device__ int m(int x) { return x * S + N; } };
        template <int A> __device__ int f(int x) { W<A>::template r<3>(x); W<A> w; return x + w.template m<2>(x); }
        __global__ void k(int *out) { out[0] = f<2>(5); int y = 1; W<4>::r<5>(y); W<sizeof(int)>::template r<5>(y); out[1] = y; }";
    assert_eq!(written(text, 2), "out = i32[2]{35, 41}");
}

/// A function that calls itself without an end costs its constant.
#[test]
fn constants_that_nest_too_deep_are_unknown() {
    let text = "constexpr __device__ int f(int n) { if (n < 0) return 0; for (int i = 0; i < 1; i++) { switch (n > 0) { case 1: { return 1 + f(n + 1); } } } return f(n + 1); }
        template <int N> __device__ int g() { return N; } __global__ void k(int *out) { out[0] = g<f(1)>(); }";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
}

/// What a constant keeps in arrays counts, too: it takes neither the memory nor the time of the machine.
#[test]
fn constants_with_large_arrays_end() {
    let text = "struct S { int x[60000]; }; constexpr __device__ int f() { S a[60000] = {}; for (int i = 0; i < 60000; i++) a[i].x[0] = i; return a[3].x[0]; }
        constexpr __device__ int g() { S a = {}; a.x[0] = 1; for (int i = 0; i < 1000000; i++) { S b = a; a = b; } return a.x[0]; }
        template <int N> __device__ int h() { return N; } __global__ void k(int *out) { out[0] = h<f()>(); } __global__ void l(int *out) { out[0] = h<g()>(); }";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert!(run.stderr.contains("--limit constant-steps=N"), "{run:?}");
}

/// `::f` is what the file has, whatever the class, its templates or the function have by that name; the language's functions are found so, too.
#[test]
fn names_of_the_file_in_classes() {
    let text = "__device__ int f(int a) { return a + 1; } __device__ int x = 5;
        struct S { int x; __device__ int f(int a) { return ::f(a) * 10 + ::x; } __device__ int sqrtf(float a) { return ::sqrtf(a) + x; }
            template <class T> __device__ int max(T a) { int x = 3; return ::max(a, (T)x) * 100 + ::x * 10 + x; } };
        __global__ void k(int *out) { S s; s.x = 2; int x = 7; out[0] = s.f(3); out[1] = s.sqrtf(16.0f); out[2] = s.max(4); out[3] = ::x + x;
            out[4] = *(int *)__builtin_assume_aligned(&x, 4); }";
    assert_eq!(written(text, 5), "out = i32[5]{45, 6, 453, 12, 7}");
}

/// Of two variables, `a ? b : c` is the one that is chosen, where it is written to; what is written here is what clang writes.
#[test]
fn a_choice_of_two_variables_is_a_variable() {
    let source = "struct S { int a; __device__ void f(int x) { a = x; } __device__ int get() const { return a; } };
__global__ void k(int *o, int n) {
  S s, t; s.a = 1; t.a = 2;
  S &q = n ? s : t; q.f(n);
  (n ? s : t).f(3);
  int x = 1, y = 2, z = 3;
  int &r = n ? x : y; r = 4;
  (n ? y : z) = 7; *&(n > 1 ? x : n ? y : z) += 10;
  o[0] = s.a; o[1] = t.a; o[2] = x; o[3] = y; o[4] = z; o[5] = (n ? s : t).get();
}
";
    for (n, held) in [("n=0", "1, 3, 1, 4, 17, 3"), ("n=1", "3, 2, 4, 17, 3, 3")] {
        let arguments =
            ["run", "-", "--input-format", "cuda", "--frontend", "builtin", "--arg", "o=i32[6]", "--arg", n];
        let run = reconverge(&arguments, source.as_bytes());
        assert!(run.status == 0 && run.stdout.contains(&format!("o = i32[6]{{{held}}}")), "{run:?}");
    }
}

/// Variables and arguments in functions of a class are called as they are written, and the object is no argument.
#[test]
fn words_for_functions_of_a_class() {
    let text = "namespace x { struct A { int n; __device__ int wait(int turns) { int start = turns; for (int i = start; i < n; i++) __syncthreads(); return start; } }; }
__global__ void k(x::A a) { a.wait(threadIdx.x); }";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--short"], text.as_bytes());
    assert!(run.stdout.contains("argument 1 of `wait` differs"), "{}", run.stdout);
    let run = reconverge(&["uniformity", "-", "--input-format", "cuda"], text.as_bytes());
    assert!(run.stdout.contains("`start`: was assigned `turns`"), "{}", run.stdout);
}

/// `f(x = {})`, and deduction guides, with and without specifiers: none of them costs a function.
#[test]
fn default_lists_and_deduction_guides() {
    let text = "template <int N> struct number {}; struct range { int from = 3, to; };
        template <class T> struct box { T of; __host__ __device__ box(T of) : of(of) {} };
        template <class T> box(T) -> box<T>; template <class T> __host__ __device__ box(T, int) -> box<T>;
        template <int N> __device__ int of(number<N> = {}) { return N; }
        __device__ int sum(range r = {}, int n = 1) { return r.from + r.to + n; }
        __global__ void k(int *out) { out[0] = of<4>(); out[1] = sum(); out[2] = sum({1, 2}); box<int> b(7); out[3] = b.of; }";
    assert_eq!(written(text, 4), "out = i32[4]{4, 4, 4, 7}");
    let run = reconverge(&["check", "-", "--input-format", "cuda"], text.as_bytes());
    assert!(!run.stderr.contains("left out") && !run.stderr.contains("passed over"), "{}", run.stderr);
}
