//! Constructs that kernels seldom have.

use std::path::Path;

use expect_test::expect;
use reconverge_lang::lower::{LowerOptions, lower};
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::source::Sources;
use reconverge_lang::translate::translate;
use reconverge_lang::typed::ExpressionKind;
use reconverge_outline::sketch::parse;
use reconverge_testing::llvm;
use reconverge_trials::reference::case::Case;

use crate::lower::cases::all_differences;
use crate::lower::from_outline::{plans, program};
use crate::lower::{PLAIN, TARGETS, TOKENS, body, findings};

/// The text of a program in a dialect.
fn lowered(name: &str, text: &str, options: &Options, options_of_text: LowerOptions) -> String {
    let translation = translate(Path::new(name), text.as_bytes().to_vec(), options, SourceModel::default());
    assert_eq!(translation.diagnostics, [], "{text}");
    String::from_utf8(translation.lower(&options_of_text).expect("a program").text).expect("UTF-8")
}

fn accepted(ir: &str) {
    assert_eq!(findings(ir), Vec::<String>::new(), "{ir}");
    if let Some(tools) = llvm::tools() {
        let verdict = tools.verify(ir).expect("opt runs");
        assert!(verdict.accepted, "{}\n{ir}", verdict.output);
    }
}

#[test]
fn rare_constructs_compute_what_clang_makes_of_them() {
    let Some(tools) = llvm::tools() else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/lower/constructs.cl");
    let case = Case::read(&path).expect("the case").expect("launches");
    let problems = all_differences(&case, tools);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What C calls convergent, with what it says of calls, in a function that is not convergent itself.
#[test]
fn functions_of_c_have_anchors() {
    let text = "__attribute__((convergent)) void op(int);\nvoid other(int);\n\
                void f(int n) { other(n); while (n) op(n--); }\nvoid g(void (*p)(int)) { p(1); }\n";
    let ir = lowered("f.c", text, &Options::new(Dialect::C), TOKENS);
    accepted(&ir);
    expect![[r#"
        define spir_func void @f(i32 %n) #0 {
        entry:
          %body.token = call token @llvm.experimental.convergence.anchor()
          %n.addr = alloca i32, align 4
          store i32 %n, ptr %n.addr, align 4
          %0 = load i32, ptr %n.addr, align 4
          call spir_func void @other(i32 %0)
          br label %while.cond

        while.cond:
          %heart.token.3 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
          %1 = load i32, ptr %n.addr, align 4
          %2 = icmp ne i32 %1, 0
          br i1 %2, label %while.body, label %while.end

        while.body:
          %3 = load i32, ptr %n.addr, align 4
          %4 = add i32 %3, -1
          store i32 %4, ptr %n.addr, align 4
          call spir_func void @op(i32 %3) [ "convergencectrl"(token %heart.token.3) ]
          br label %while.cond

        while.end:
          ret void
        }
    "#]]
    .assert_eq(&body(&ir));
}

/// What a call says of itself wins: one that is not convergent has no token, though the function is, and the other way round.
#[test]
fn calls_say_whether_they_are_convergent() {
    let outline = parse("a; _b;").expect("a sketch");
    for target in TARGETS {
        let mut program = program(&outline, target.0, target.1);
        let kernel = program.functions.last().expect("a kernel").0;
        let body = program.functions[kernel].body.as_mut().expect("a body");
        for data in body.expressions.values_mut() {
            if let ExpressionKind::Call { function, convergent, .. } = &mut data.kind {
                *convergent = Some(function.as_u32() != 0);
            }
        }
        let text = lower(&program, &Sources::default(), &plans(&program), &TOKENS).text;
        let ir = String::from_utf8(text).expect("UTF-8");
        accepted(&ir);
        assert!(!ir.contains("@op(i32 2"), "{ir}");
        assert_eq!(ir.matches("[ \"convergencectrl\"").count(), 1, "{ir}");
        assert!(ir.contains("@quiet(i32 4) #"), "{ir}");
    }
}

/// Atomic operations of each kind have the scopes of each target.
#[test]
fn atomic_operations_are_those_of_the_target() {
    let text = "int f(volatile global atomic_int *p, volatile global atomic_float *q, volatile local atomic_uint *r) {\n\
                atomic_store_explicit(p, 1, memory_order_release, memory_scope_work_group);\n\
                int expected = 2;\n\
                atomic_compare_exchange_strong(p, &expected, 3);\n\
                atomic_fetch_min_explicit(r, 4u, memory_order_relaxed, memory_scope_device);\n\
                atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group);\n\
                return atomic_exchange(q, 1.0f) > 0;\n}\n";
    for target in [LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx] {
        accepted(&lowered("f.cl", text, &Options { target, ..Options::new(Dialect::OpenCl) }, TOKENS));
    }
}

/// Nesting of thousands of statements, and thousands in a row, take time in proportion.
#[test]
fn large_bodies_take_linear_time() {
    let nested = |depth: usize| {
        let open = "while (n-- > 0) { if (n & 1) ".repeat(depth);
        format!("kernel void f(int n) {{ {open} ; {} }}", "}".repeat(depth))
    };
    let flat =
        |count: usize| format!("kernel void f(int n) {{ {} }}", "if (n > 3) n++; else barrier(1);\n".repeat(count));
    for text in [nested(5000), flat(20_000)] {
        let options = Options::new(Dialect::OpenCl);
        let translation = translate(Path::new("f.cl"), text.into_bytes(), &options, SourceModel::default());
        assert_eq!(translation.diagnostics, []);
        for options in
            [TOKENS, PLAIN, LowerOptions { tokens: true, markers: true, debug: true, origins: false, nsw: false }]
        {
            let start = std::time::Instant::now();
            let size = std::thread::scope(|scope| {
                let run = || translation.lower(&options).expect("a program").text.len();
                let worker = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, run);
                worker.expect("a thread").join().expect("no panic")
            });
            println!("{size} bytes in {:.1?}, {options:?}", start.elapsed());
            assert!(size > 500_000, "{size}");
        }
    }
}

/// The launch bounds of each target.
#[test]
fn kernels_say_how_many_threads_they_have() {
    let text = "__attribute__((reqd_work_group_size(8, 4, 2))) kernel void f(global int *p) { p[0] = 1; }\n";
    for (target, expected) in [
        (LowerTarget::Spirv, "!reqd_work_group_size"),
        (LowerTarget::Amdgpu, "\"amdgpu-flat-work-group-size\"=\"64,64\""),
        (LowerTarget::Nvptx, "\"nvvm.reqntid\"=\"8,4,2\""),
    ] {
        let ir = lowered("f.cl", text, &Options { target, ..Options::new(Dialect::OpenCl) }, TOKENS);
        assert!(ir.contains(expected), "{ir}");
        accepted(&ir);
    }
}
