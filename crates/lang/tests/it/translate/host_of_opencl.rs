//! Programs of OpenCL C that a host completes: with names that it defines when it builds them, and with other texts.

use std::path::Path;

use reconverge_lang::diagnostic::Severity;
use reconverge_lang::options::{Dialect, Options, Reading, SourceModel};
use reconverge_lang::translate::{Translation, translate};

use super::support::{TOKENS, broken_rules, defined, lowered, translated};

fn read(text: &str) -> Translation {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::OpenCl) };
    translate(Path::new("input"), text.into(), &options, SourceModel::default())
}

/// Of OpenCL C, a name in capitals that nothing declares, and a header, are for the host to give; everything else that is wrong is an error.
#[test]
fn what_the_host_of_opencl_gives() {
    for (text, open) in [
        ("kernel void k(global int *p) { *p = SIZE_2; }", &["SIZE_2"][..]),
        ("kernel void k(global int *p) { local int all[N][N]; all[0][0] = M; *p = all[N - 1][0]; }", &["N", "M"]),
        ("kernel void k(global int *p) { if (get_local_id(0) < N) { barrier(1); } }", &["N"]),
    ] {
        let translation = read(text);
        let program = translation.program.as_ref().unwrap_or_else(|| panic!("{text}: {:?}", translation.diagnostics));
        let kernel = program.functions.values().find(|function| function.name == "k").expect("the kernel");
        let said: Vec<&str> = kernel.open.iter().map(|open| open.name.as_str()).collect();
        assert_eq!(said, open, "{text}");
        assert!(kernel.unknown.is_empty(), "{text}: {:?}", kernel.unknown);
        assert!(translated(Dialect::OpenCl, text).has_errors(), "{text}");
    }
    for text in [
        "#include <unknown.h>\nkernel void k(global int *p) { *p = 1; }",
        "typedef struct node { int keys[ORDER + 1]; int next; } node; kernel void k(global node *p) { p->next = 1; }",
        "kernel void k(global TYPE *p, constant Node *nodes) { *p = nodes[0].next; }",
        "#include TABLES\nkernel void k(global int *p) { *p = tables[1]; }",
        "kernel void k(global T *p, KParam info) { *p = is_column ? init : *p; }",
        "kernel void k(global in_t *p) { switch (METHOD) { case FIRST: *p = 1; break; case SECOND: *p = 2; } }",
        "#ifdef SINGLE\n#define T2 float2\n#endif\nkernel void k(global T2 *p) { T2 a = (T2)(1, -1); *p = (T2)(a.x, 0) * a; }",
        "#if defined(SINGLE)\n#define REAL float\n#else\n#error No precision.\n#endif\nkernel void k(global REAL *p) { *p = 1; }",
    ] {
        assert!(!read(text).has_errors(), "{text}: {:?}", read(text).diagnostics);
    }
    for text in [
        "kernel void k(global int *p) { *p = size; }",
        "kernel void k(global int *p) { *p = SIZE(1); }",
        "kernel void k(global int *p) { int SIZE = 1; *p = SIZF; }",
        "kernel void k(global int *p) { *p = SIZE; *p = 1 }",
        "kernel void k(global int *p) { *p = SIZE; get_globl_id(0); }",
        "kernel void k(global flota *p) { *p = 1; }",
        "kernel void k(global siz_t *p) { *p = 1; }",
        "kernel void k(global T *p) { *p = is_column; }",
        "__kernl void k(global int *p) { *p = 1; }",
        "kernel void k(global TYPE *p) { TYPE first = p[0]; *p = size; }",
        "int twice(int n) { retrun n; } kernel void k(global int *p) { *p = 1; }",
        "kernel void k(glboal int *p) { *p = 1; }",
        "kernel void k(global int *p) { Node n; *p = 1 }",
        "#error No program.\nkernel void k(global int *p) { *p = 1; }",
    ] {
        assert!(read(text).has_errors(), "{text}");
    }
}

/// Macros of the host that stand before functions and for their parameters: the functions are read, and what they make of them is not known.
#[test]
fn what_the_host_of_opencl_puts_around_functions() {
    let text = "CONSTANT_AS u32 table[4] = {1, 2, 3, 4};
CONSTANT_AS const u32 more[2] = {1, 2};
DECLSPEC u32 twice(PRIVATE_AS u32 *a, GLOBAL_AS const u32 *b, UNUSED const u32 c) { return a[0] + (u8) '.'; }
KERNEL_FQ KERNEL_FA void all(KERNEL_PARAMETERS(rules_t)) {
  const ulong lid = get_local_id(0);
  LOCAL_AS u32 *words = (LOCAL_AS u32 *) pws;
  CONSTANT_AS u32 (*rows)[64] = table;
  if (lid > 3) barrier(CLK_LOCAL_MEM_FENCE);
}
KERNEL_FQ void BOUNDS(64) one(KERNEL_PARAMETERS (), global int *p) { SYNC(); *p = words[0]; }
KERNEL_FQ void two(KERNEL_PARAMETERS) { pws[0] = twice(pws, pws, 1); }
";
    let translation = read(text);
    assert!(!translation.has_errors(), "{:?}", translation.diagnostics);
    assert!(translation.left_out.is_empty(), "{:?}", translation.left_out);
    assert!(translation.passed_over.is_empty(), "{:?}", translation.passed_over);
    assert_eq!(defined(&translation), ["twice", "all", "one", "two"]);
    let program = translation.program.as_ref().expect("a program");
    for function in ["all", "one", "two"] {
        let data = program.functions.values().find(|data| data.name == function).expect("it is defined");
        assert!(data.open.iter().any(|open| open.name == "KERNEL_FQ"), "{function}: {:?}", data.open);
    }
    let ir = lowered(&translation, TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0]);
    // A function that is not understood is no silence.
    let translation = read("KERNEL_FQ void k(int (a]b)) { barrier(1); }\nSIZE_T n;\nvoid l(void) { barrier(1); }");
    let left_out: Vec<&str> = translation.left_out.iter().map(|left_out| left_out.name.as_str()).collect();
    assert_eq!(left_out, ["k"]);
}

/// Of a text that its host puts together with others, what these declare is unknown, however it is spelled; the functions of the language are known.
#[test]
fn parts_of_programs_of_opencl_are_read() {
    for text in [
        "kernel void k(global To *p, KParam info) { To first = p[info.offset]; if (is_last) *p = reduce(first, SIZE); }",
        "real3 scaled(real3 v) { return v * factor; } kernel void k(global real3 *p) { p[get_global_id(0)] = scaled(p[0]); }",
        "int sum1(int n) { return n; }
         kernel void k(global T *p, Info i, int n) { bool do_unit_diag = is_unit_diag && n; if (do_unit_diag) p[0] = sum1(n) + sum2(n); }",
    ] {
        let translation = read(text);
        assert!(!translation.has_errors(), "{text}: {:?}", translation.diagnostics);
        let kernel =
            translation.program.iter().flat_map(|program| program.functions.values()).find(|data| data.is_kernel);
        assert_eq!(kernel.map(|kernel| kernel.name.as_str()), Some("k"), "{text}");
        assert_eq!(broken_rules(&lowered(&translation, TOKENS)), [""; 0], "{text}");
    }
    for text in [
        "kernel void k(global int *p, int size) { p[0] = p[siez]; }",
        "kernel void k(global Node *p) { p[get_globl_id(0)] = p[0]; }",
        "kernel void k(global Node *p) { p[0] = p[1] }",
        "kernel void k(global TYPE *p) { p[0] = p[size]; }",
    ] {
        assert!(read(text).has_errors(), "{text}");
    }
}

/// Where something is wrong that no host gives, that is what is said, and not the first thing that a host may give.
#[test]
fn what_is_said_is_what_no_host_gives() {
    for (text, expected) in [
        ("kernel void k(global T *p) { *p = is_column; }", "`is_column` is not declared"),
        (
            "kernel void k(global T *p) { bool do_unit = is_unit; }",
            "`is_unit` is not declared; did you mean `do_unit`?",
        ),
        (
            "kernel void k(global Node *p) { p[get_globl_id(0)] = p[0]; }",
            "the function `get_globl_id` is not declared; did you mean `get_global_id`?",
        ),
        ("kernel void k(global T *p) { if (WIDTH > 3) p[0] = p[1] + ; }", "expected an expression, found `;`"),
    ] {
        let translation = read(text);
        let errors = translation.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let said: Vec<&str> = errors.map(|one| one.message.as_str()).collect();
        assert_eq!(said, [expected], "{text}");
    }
}
