//! The text of typed programs: what LLVM's verifier and our own rules say of it, and where tokens are.

mod cases;
mod constructs;
mod from_outline;
mod layouts;

use expect_test::{Expect, expect};
use from_outline::{plans, program};
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_lang::lower::{LowerOptions, lower};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::{Location, Sources};
use reconverge_outline::random::{Shape, sketch};
use reconverge_outline::sketch::parse;
use reconverge_testing::llvm;
use reconverge_testing::rounds::seeds;

const TARGETS: [(Dialect, LowerTarget); 4] = [
    (Dialect::OpenCl, LowerTarget::Spirv),
    (Dialect::Hip, LowerTarget::Amdgpu),
    (Dialect::Cuda, LowerTarget::Nvptx),
    (Dialect::Cpp, LowerTarget::Generic),
];

const TOKENS: LowerOptions = LowerOptions { tokens: true, markers: false, debug: false, origins: false, nsw: false };
const PLAIN: LowerOptions = LowerOptions { tokens: false, markers: false, debug: false, origins: false, nsw: false };

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("sketch.cl".into(), text.to_owned(), Location::NONE).unwrap();
    sources
}

/// The text for a sketch.
fn lowered(text: &str, (dialect, target): (Dialect, LowerTarget), options: LowerOptions) -> String {
    let outline = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let program = program(&outline, dialect, target);
    String::from_utf8(lower(&program, &sources(text), &plans(&program), &options).text).expect("UTF-8")
}

/// What our own rules find, but for hints and what is said of cycles.
pub(crate) fn findings(text: &str) -> Vec<String> {
    let report = check(text.as_bytes(), &CheckOptions::default());
    match report {
        Ok(report) => report
            .diagnostics()
            .iter()
            .filter(|found| found.code.name() < "RC03")
            .map(|found| format!("{}: {}", found.code.name(), found.message))
            .collect(),
        Err(error) => vec![format!("{error}")],
    }
}

/// The body of the kernel.
fn body(text: &str) -> String {
    let start = text.find("define").expect("a function");
    let end = start + text[start..].find("\n}").expect("its end") + 3;
    text[start..end].to_owned()
}

fn shows(text: &str, options: LowerOptions, expected: Expect) {
    expected.assert_eq(&body(&lowered(text, TARGETS[0], options)));
}

#[test]
fn nested_loops_have_hearts() {
    shows(
        "do { do { b; } while (_c); d; } while (_e);",
        TOKENS,
        expect![[r#"
        define spir_kernel void @k() #0 {
        entry:
          %body.token = call token @llvm.experimental.convergence.entry()
          br label %do.body

        do.body:
          %heart.token.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
          br label %do.body.1

        do.body.1:
          %heart.token.3 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %heart.token.1) ]
          %0 = call spir_func i32 @op(i32 600) [ "convergencectrl"(token %heart.token.3) ]
          br label %do.cond.1

        do.cond.1:
          %1 = call spir_func i32 @quiet(i32 7)
          %2 = icmp ne i32 %1, 0
          br i1 %2, label %do.body.1, label %do.end.1

        do.end.1:
          %3 = call spir_func i32 @op(i32 900) [ "convergencectrl"(token %heart.token.1) ]
          br label %do.cond

        do.cond:
          %4 = call spir_func i32 @quiet(i32 10)
          %5 = icmp ne i32 %4, 0
          br i1 %5, label %do.body, label %do.end

        do.end:
          ret void
        }
    "#]],
    );
}

#[test]
fn without_tokens_nested_loops_share_a_header() {
    shows(
        "do { do { b; } while (_c); d; } while (_e);",
        PLAIN,
        expect![[r#"
        define spir_kernel void @k() #0 {
        entry:
          br label %do.body.1

        do.body.1:
          %0 = call spir_func i32 @op(i32 600)
          br label %do.cond.1

        do.cond.1:
          %1 = call spir_func i32 @quiet(i32 7)
          %2 = icmp ne i32 %1, 0
          br i1 %2, label %do.body.1, label %do.end.1

        do.end.1:
          %3 = call spir_func i32 @op(i32 900)
          br label %do.cond

        do.cond:
          %4 = call spir_func i32 @quiet(i32 10)
          %5 = icmp ne i32 %4, 0
          br i1 %5, label %do.body.1, label %do.end

        do.end:
          ret void
        }
    "#]],
    );
}

#[test]
fn a_way_out_keeps_the_token_of_its_iteration() {
    shows(
        "for (;;) { a; if (_b) { c; break; } } d;",
        TOKENS,
        expect![[r#"
        define spir_kernel void @k() #0 {
        entry:
          %body.token = call token @llvm.experimental.convergence.entry()
          br label %for.cond

        for.cond:
          %heart.token.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
          %0 = call spir_func i32 @op(i32 400) [ "convergencectrl"(token %heart.token.1) ]
          %1 = call spir_func i32 @quiet(i32 6)
          %2 = icmp ne i32 %1, 0
          br i1 %2, label %if.then, label %if.end

        if.then:
          %3 = call spir_func i32 @op(i32 900) [ "convergencectrl"(token %heart.token.1) ]
          br label %for.end

        if.end:
          br label %for.cond

        for.end:
          %4 = call spir_func i32 @op(i32 1200) [ "convergencectrl"(token %body.token) ]
          ret void
        }
    "#]],
    );
}

#[test]
fn markers_are_where_nodes_start() {
    shows(
        "while (a) { if (b) ; else c; } return r;",
        LowerOptions { markers: true, ..TOKENS },
        expect![[r#"
        define spir_kernel void @k() #0 {
        entry:
          %body.token = call token @llvm.experimental.convergence.entry()
          call void @reconverge.marker(i32 2, i32 1) [ "convergencectrl"(token %body.token) ]
          br label %while.cond

        while.cond:
          %heart.token.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
          call void @reconverge.marker(i32 2, i32 2) [ "convergencectrl"(token %heart.token.1) ]
          %0 = call spir_func i32 @op(i32 200) [ "convergencectrl"(token %heart.token.1) ]
          %1 = icmp ne i32 %0, 0
          br i1 %1, label %while.body, label %while.end

        while.body:
          call void @reconverge.marker(i32 2, i32 4) [ "convergencectrl"(token %heart.token.1) ]
          call void @reconverge.marker(i32 2, i32 5) [ "convergencectrl"(token %heart.token.1) ]
          %2 = call spir_func i32 @op(i32 500) [ "convergencectrl"(token %heart.token.1) ]
          %3 = icmp ne i32 %2, 0
          br i1 %3, label %if.then, label %if.else

        if.then:
          br label %if.end

        if.else:
          call void @reconverge.marker(i32 2, i32 8) [ "convergencectrl"(token %heart.token.1) ]
          %4 = call spir_func i32 @op(i32 800) [ "convergencectrl"(token %heart.token.1) ]
          br label %if.end

        if.end:
          br label %while.cond

        while.end:
          call void @reconverge.marker(i32 2, i32 9) [ "convergencectrl"(token %body.token) ]
          call void @reconverge.marker(i32 2, i32 10) [ "convergencectrl"(token %body.token) ]
          %5 = call spir_func i32 @op(i32 1000) [ "convergencectrl"(token %body.token) ]
          ret void
        }
    "#]],
    );
}

fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    }
}

/// Random bodies in all variants keep the rules.
#[test]
fn random_bodies_are_accepted() {
    let tools = llvm::tools();
    let seeds = seeds(40);
    println!("seeds {seeds:?}");
    for seed in seeds {
        let mut below = random(seed);
        let shape = [Shape::Structured, Shape::Forward, Shape::Any][below(3)];
        let text = sketch(5 + below(60), shape, &mut below);
        for case in 0..8 {
            let options = LowerOptions {
                tokens: case & 1 != 0,
                markers: case & 2 != 0,
                debug: case & 4 != 0,
                origins: false,
                nsw: false,
            };
            let ir = lowered(&text, TARGETS[(seed % 4) as usize], options);
            assert_eq!(findings(&ir), Vec::<String>::new(), "seed {seed}, {options:?}: {text}\n{ir}");
            if let Some(tools) = tools.filter(|_| seed % 8 == case) {
                let verdict = tools.verify(&ir).unwrap();
                assert!(verdict.accepted, "seed {seed}, {options:?}: {text}\n{ir}\n{}", verdict.output);
            }
        }
    }
}
