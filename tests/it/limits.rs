//! Every limit of `docs/limits.md` that `--limit` sets: reached with a small value, and named where it is, with the place and what was wrong before it.

use crate::common::{reconverge, root};

/// A text that passes a limit which is set to a small value.
struct Case {
    limit: &'static str,
    value: &'static str,
    input_format: &'static str,
    text: &'static str,
    /// The file, line and column at which it is passed.
    place: &'static str,
}

const CASES: &[Case] = &[
    Case {
        limit: "macro-tokens",
        value: "5",
        input_format: "cl",
        text: "#define TWO 1 + 1\n#define FOUR TWO + TWO\nint a = FOUR;",
        place: "<stdin>:3:9",
    },
    Case {
        limit: "macro-nesting",
        value: "2",
        input_format: "cl",
        text: "#define F(x) x\nint a = F(F(F(F(1))));",
        place: "<stdin>:2:13",
    },
    Case {
        limit: "macro-arguments",
        value: "4",
        input_format: "cl",
        text: "#define F(x) x\nint a = F(F(1 + 1 + 1 + 1 + 1 + F(1)));",
        place: "<stdin>:2:11",
    },
    Case {
        limit: "include-depth",
        value: "1",
        input_format: "cuda",
        text: "#include <cuda_runtime.h>\n",
        place: "<built-in headers>/cuda_runtime.h:3:10",
    },
    Case {
        limit: "includes",
        value: "1",
        input_format: "cl",
        text: "#include <stdint.h>\n#include <limits.h>\n",
        place: "<stdin>:2:10",
    },
    Case {
        limit: "repeated-bytes",
        value: "1",
        input_format: "cl",
        text: "#include <assert.h>\n#include <assert.h>\n",
        place: "<stdin>:2:10",
    },
    Case {
        limit: "condition-nesting",
        value: "3",
        input_format: "cl",
        text: "#if ((((((1))))))\n#endif\n",
        place: "<stdin>:1:7",
    },
    Case {
        limit: "nesting",
        value: "5",
        input_format: "cl",
        text: "int a = ((((((((1))))))));",
        place: "<stdin>:1:14",
    },
    Case {
        limit: "statement-nesting",
        value: "5",
        input_format: "cl",
        text: "void f(int n) { {{{{{{ n++; }}}}}} }",
        place: "<stdin>:1:22",
    },
    Case { limit: "qualifiers", value: "2", input_format: "cuda", text: "int a = b::c::d::e;", place: "<stdin>:1:9" },
    Case { limit: "name-length", value: "200", input_format: "cl", text: "int LONG;", place: "<stdin>:1:5" },
    Case { limit: "array-dimensions", value: "2", input_format: "cl", text: "int a[1][1][1];", place: "<stdin>:1:5" },
    Case {
        limit: "constant-elements",
        value: "10",
        input_format: "cl",
        text: "constant int a[11] = {1};",
        place: "<stdin>:1:23",
    },
    Case {
        limit: "constant-steps",
        value: "10",
        input_format: "cuda",
        text: "constexpr int f(int n) { while (n > 1) n--; return n; }\n__device__ int g() { static_assert(f(9) == 1); return 0; }",
        place: "<stdin>:2:22",
    },
    Case {
        limit: "instances",
        value: "2",
        input_format: "cuda",
        text: "template <int N> __device__ int f() { return N; }\n__device__ int g() { return f<1>() + f<2>() + f<3>(); }",
        place: "<stdin>:2:47",
    },
    Case {
        limit: "instance-depth",
        value: "2",
        input_format: "cuda",
        text: "template <int N> __device__ int f() { return f<N + 1>(); }\n__device__ int g() { return f<1>(); }",
        place: "<stdin>:1:46",
    },
    Case {
        limit: "instance-expressions",
        value: "2",
        input_format: "cuda",
        text: "template <int N> __device__ int f(int n) { return n + N + N; }\n__device__ int g() { return f<1>(1); }\n\
               __device__ int h() { return f<2>(1); }",
        place: "<stdin>:3:29",
    },
    Case {
        limit: "overloads",
        value: "3",
        input_format: "cuda",
        text: "__device__ int f(int n); __device__ int f(float n);\n__device__ int g() { return f(1) + f(2); }",
        place: "<stdin>:2:36",
    },
    Case {
        limit: "pack-elements",
        value: "3",
        input_format: "cuda",
        text: "template <class... T> __device__ int f(T... t) { return sizeof...(t); }\n__device__ int g() { return f(1, 2) + f(1); }\n\
               template <class... T> __device__ int h(T... t) { return f(t...); }\n__device__ int i() { return h(1, 2, 3); }",
        place: "<stdin>:1:45",
    },
    Case {
        limit: "errors",
        value: "1",
        input_format: "cl",
        text: "void f() {\n  a;\n  b;\n  c;\n}",
        place: "<stdin>:3:3",
    },
];

#[test]
fn every_limit_is_named_where_it_is_passed() {
    for case in CASES {
        let text = case.text.replace("LONG", &"a".repeat(201));
        let setting = format!("{}={}", case.limit, case.value);
        let arguments = ["check", "--frontend", "builtin", "--input-format", case.input_format];
        let run = reconverge(&[&arguments[..], &["--limit", &setting, "-"]].concat(), text.as_bytes());
        let line = run.stderr.lines().find(|line| line.contains(&format!("(--limit {}=N raises this)", case.limit)));
        let line = line.unwrap_or_else(|| panic!("{}: {run:?}", case.limit));
        assert!(line.starts_with(&format!("reconverge: {}: ", case.place)), "{}: {line}", case.limit);
        assert_eq!(run.status, 2, "{}: {run:?}", case.limit);
        assert_eq!(run.stdout, "", "{}", case.limit);
        // With the default nobody is stopped.
        let run = reconverge(&[&arguments[..], &["-"]].concat(), text.as_bytes());
        assert!(!run.stderr.contains("raises this") || case.limit == "instance-depth", "{}: {run:?}", case.limit);
    }
}

/// A limit of templates costs the function that reaches it.
#[test]
fn a_limit_of_templates_costs_a_function() {
    let text = "__global__ void a(int *p) { if (threadIdx.x > 3) __syncwarp(); }
template <int N> __device__ int f(int n) { return n + N + N; }
__global__ void b(int *p) { p[0] = f<1>(1); }
__global__ void c(int *p) { p[0] = f<2>(1); }
";
    let arguments = ["check", "--input-format", "cuda", "--limit", "instance-expressions=2"];
    let run = reconverge(&[&arguments[..], &["-"]].concat(), text.as_bytes());
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stdout.contains("error[RC0203]") && run.stderr.contains("`c` is left out"), "{run:?}");
    let run = reconverge(&[&arguments[..], &["--format", "json", "-"]].concat(), text.as_bytes());
    assert_eq!(run.status, 2, "{run:?}");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let coverage = &report["files"][0]["coverage"];
    assert_eq!((&coverage["kernels"], &coverage["analysed_kernels"]), (&3.into(), &2.into()), "{run:?}");
    assert_eq!(coverage["left_out"][0]["limit"], "instance-expressions", "{run:?}");
}

/// A limit that costs a declaration is no success either, and a kernel is not lost in silence.
#[test]
fn a_limit_of_templates_outside_of_functions() {
    let deep = "template <int N> struct deep { deep<N + 1> x; };\n";
    for (use_of_it, said) in
        [("__global__ void k(deep<1> d) {}\n", "`k` is left out"), ("__device__ deep<1> d;\n", "raises this")]
    {
        let text = format!("{deep}{use_of_it}__global__ void a(int *p) {{ p[0] = 1; }}\n");
        let run =
            reconverge(&["check", "--input-format", "cuda", "--limit", "instance-depth=20", "-"], text.as_bytes());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(said), "{run:?}");
    }
}

#[test]
fn memory_for_source() {
    let text = "void f(int n) { n++; }\n".repeat(60_000);
    let arguments = ["check", "--frontend", "builtin", "--input-format", "cl", "--max-memory", "300M", "-"];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.starts_with("reconverge: <stdin>:47663:"), "{run:?}");
    assert!(run.stderr.contains(": more than 524288 tokens, "), "{run:?}");
}

#[test]
fn region_parts() {
    let arguments = ["regions", "--limit", "region-parts=1", "examples/valid-nested-loops.ll"];
    let run = reconverge(&arguments, b"");
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("(--limit region-parts=N raises this)"), "{run:?}");
}

/// Each row of the page is tested here.
#[test]
fn no_limit_is_left_out() {
    let page = std::fs::read_to_string(root().join("docs/limits.md")).expect("the page is there");
    let (_, table) = page.split_once("## Limits that `--limit` sets").expect("the page has this section");
    let table = table.split("\n## ").next().expect("it has an end");
    for row in table.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (name, _) = row.split_once('`').expect("a name");
        let is_tested = name == "region-parts" || CASES.iter().any(|case| case.limit == name);
        let is_of_runs = include_str!("run_limits.rs").contains(&format!("limit: \"{name}\""));
        assert!(is_tested || is_of_runs, "`{name}` has no test");
    }
}

/// What short texts ask for that is exponential ends at the default limits, with the name of one.
#[test]
fn exponential_texts() {
    let levels = |first: &str, next: &dyn Fn(usize) -> String, count: usize| {
        let rest: String = (1..count).map(next).collect();
        format!("{first}\n{rest}")
    };
    let macros = levels("#define A0 x", &|level| format!("#define A{level} A{0} A{0}\n", level - 1), 60);
    let structs = levels("struct s0 { int a; };", &|n| format!("struct s{n} {{ struct s{0} a, b; }};\n", n - 1), 70);
    let types = levels("typedef int t0;", &|level| format!("typedef t{0} (*t{level})(t{0}, t{0});\n", level - 1), 60);
    for (input_format, text, expected) in [
        (
            "cuda",
            "template<int N> __device__ int f(){ return f<N+1>() + f<N*2>(); }\n\
             __global__ void k(int*o){ o[0]=f<1>(); }"
                .to_owned(),
            "--limit instances=N",
        ),
        (
            "cuda",
            format!(
                "template<int N> __device__ int f(int*o){{ {} return 1; }}\n__global__ void k(int*o){{ {} }}",
                "o[N]+=o[1];".repeat(2_000),
                (0..1_000).map(|n| format!("f<{n}>(o);")).collect::<String>()
            ),
            "--limit instance-expressions=N",
        ),
        (
            "cuda",
            "template <class... T> __device__ void f(T... t) { f(t..., t...); } __global__ void k() { f(1); }"
                .to_owned(),
            "--limit pack-elements=N",
        ),
        (
            "cuda",
            "template <class... T> struct S { S<T..., T...> s; }; __global__ void k() { S<int> s; }".to_owned(),
            "--limit pack-elements=N",
        ),
        ("cl", format!("{macros}void f() {{ A59; }}"), "--limit macro-tokens=N"),
        ("cl", format!("{structs}struct s69 x;"), "larger than memory can be"),
        ("cl", format!("{types}void f() {{ t59 x; x = 1.5; }}"), "`double` cannot be converted to "),
        (
            "cl",
            (0..20).map(|n| format!("constant char a{n}[900000] = \"x\";\n")).collect(),
            "--limit constant-elements=N",
        ),
        ("cuda", format!("int x = {}a;", "a::".repeat(20_000)), "--limit qualifiers=N"),
        ("cuda", format!("{} int x; {}", "namespace n {".repeat(5_000), "}".repeat(5_000)), "--limit qualifiers=N"),
        ("cl", format!("void f() {{ {} }}", "undeclared; ".repeat(100_000)), "more errors are not shown"),
        ("cl", format!("int x = {};", "9".repeat(1_000_000)), "the number"),
    ] {
        let run = reconverge(&["check", "--frontend", "builtin", "--input-format", input_format, "-"], text.as_bytes());
        assert_eq!(run.status, 2, "{expected}: {run:?}");
        assert!(run.stderr.contains(expected), "{expected}: {run:?}");
        assert!(run.stderr.len() < 20_000, "{expected}: {} bytes", run.stderr.len());
    }
}

/// The names of instances that are made of each other twice grow with how many there are, not exponentially.
#[test]
fn names_of_nested_instances_are_short() {
    let pair = "template <class A, class B> struct Pair { A *a; B *b; };";
    let member = "template <class A> struct Member { typedef int (Member::*type)(A, A); };";
    for (text, status) in [
        // What a host launches ends where templates are too deep, as a part of what one may see.
        (
            "template <class T> __global__ void k(T *p) { __syncthreads(); }\n\
          template <class T> void host(T *p) { k<T><<<1, 32>>>(p); host<Pair<T, T>>(nullptr); }\n\
          void f(int *p) { host<int>(p); }",
            0,
        ),
        (
            "template <class T> __device__ void f(T *p) { f<Pair<T, T>>(nullptr); }\n\
          __global__ void k(int *p) { f<int>(p); }",
            2,
        ),
        (
            "template <class T> __device__ void f(T *p) { f<typename Member<T>::type>(nullptr); }\n\
          __global__ void k(int *p) { f<int>(p); }",
            2,
        ),
    ] {
        let text = format!("{pair}\n{member}\n{text}\n");
        let run = reconverge(&["check", "--frontend", "builtin", "--input-format", "cuda", "-"], text.as_bytes());
        assert_eq!(run.status, status, "{text}{run:?}");
        assert!(run.stderr.len() < 20_000, "{text}{} bytes", run.stderr.len());
    }
}
