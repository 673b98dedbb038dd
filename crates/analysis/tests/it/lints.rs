//! What `check` says about attributes and addresses, on small modules.

use expect_test::{Expect, expect};
use reconverge_analysis::check::{CheckOptions, check};

fn findings(text: &str, expected: Expect) {
    let report =
        check(text.as_bytes(), &CheckOptions { hints: true, ..CheckOptions::default() }).expect("the fixture reads");
    let lines: Vec<String> = report
        .diagnostics()
        .iter()
        .map(|diagnostic| {
            let line = report.module.position(diagnostic.span.start).line;
            format!("{line}: {} {}\n", diagnostic.code.name(), diagnostic.message)
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

// conformance: operations/5a
#[test]
fn a_function_with_uncontrolled_operations_has_to_be_convergent() {
    findings(
        "declare void @barrier() convergent
declare token @llvm.experimental.convergence.anchor()
define void @missing() {
  call void @barrier()
  call void @barrier()
  ret void
}
define void @present() convergent {
  call void @barrier()
  ret void
}
define void @controlled() {
  %group = call token @llvm.experimental.convergence.anchor()
  call void @barrier() [ \"convergencectrl\"(token %group) ]
  ret void
}
define void @by_call_site(ptr %f) {
  call void %f() convergent
  ret void
}
",
        expect![[r#"
            4: RC0401 @missing is not convergent but contains an uncontrolled convergent operation
            18: RC0401 @by_call_site is not convergent but contains an uncontrolled convergent operation
        "#]],
    );
}

#[test]
fn dropping_the_attribute_spreads_to_callers() {
    findings(
        "declare void @barrier() convergent
declare void @plain()
define void @leaf() convergent {
  call void @plain()
  ret void
}
define void @caller() convergent {
  call void @leaf()
  ret void
}
define void @even(i1 %c) convergent {
  br i1 %c, label %again, label %done
again:
  call void @odd(i1 %c)
  br label %done
done:
  ret void
}
define void @odd(i1 %c) convergent {
  call void @even(i1 %c)
  ret void
}
define linkonce_odr void @replaceable() convergent {
  ret void
}
define void @calls_replaceable() convergent {
  call void @replaceable()
  ret void
}
define void @needs_it() convergent {
  call void @leaf()
  call void @barrier()
  ret void
}
define void @indirect(ptr %f) convergent {
  call void %f() convergent
  ret void
}
",
        expect![[r#"
            3: RC0402 @leaf need not be convergent: it contains no operation that depends on the threads that enter it
            7: RC0402 @caller need not be convergent: it contains no operation that depends on the threads that enter it
            11: RC0402 @even need not be convergent: it contains no operation that depends on the threads that enter it
            19: RC0402 @odd need not be convergent: it contains no operation that depends on the threads that enter it
        "#]],
    );
}

// conformance: operations/5
#[test]
fn an_entry_needs_the_attribute_and_an_anchor_does_not() {
    findings(
        "declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.entry()
declare void @barrier() convergent
define void @entry() convergent {
  %threads = call token @llvm.experimental.convergence.entry()
  ret void
}
define void @anchor() convergent {
  %threads = call token @llvm.experimental.convergence.anchor()
  call void @barrier() [ \"convergencectrl\"(token %threads) ]
  ret void
}
",
        expect![[r#"
            8: RC0402 @anchor need not be convergent: it contains no operation that depends on the threads that enter it
        "#]],
    );
}

#[test]
fn calls_of_functions_that_are_not_convergent() {
    findings(
        "declare void @plain()
declare token @llvm.experimental.convergence.anchor()
define void @f() convergent {
  call void @plain() convergent
  ret void
}
define void @g() {
  %group = call token @llvm.experimental.convergence.anchor()
  call void @plain() [ \"convergencectrl\"(token %group) ]
  ret void
}
",
        expect![[r#"
            3: RC0402 @f need not be convergent: it contains no operation that depends on the threads that enter it
            4: RC0403 this call is convergent, but @plain is not
            9: RC0403 this call is convergent, but @plain is not
        "#]],
    );
}

#[test]
fn threads_of_a_cpu_do_not_communicate() {
    findings(
        "target triple = \"x86_64-unknown-linux-gnu\"
declare void @barrier() convergent
define void @f() convergent {
  call void @barrier()
  ret void
}
",
        expect![[r#"
            3: RC0404 @f need not be convergent: it runs on a CPU, where threads never communicate convergently
        "#]],
    );
}

// conformance: operations/15
#[test]
fn the_address_of_an_intrinsic_is_not_taken() {
    findings(
        "@variable = global ptr @llvm.experimental.convergence.anchor
declare token @llvm.experimental.convergence.anchor() ; @llvm.experimental.convergence.anchor
declare void @takes(ptr)
define void @f(ptr %p) {
  store ptr @llvm.experimental.convergence.anchor, ptr %p
  call void @takes(ptr @llvm.experimental.convergence.anchor)
  store [1 x ptr] [ptr @llvm.experimental.convergence.anchor], ptr %p
  %fine = call token @llvm.experimental.convergence.anchor()
  ret void
}
",
        expect![[r#"
            1: RC0110 the address of @llvm.experimental.convergence.anchor is taken
            5: RC0110 the address of @llvm.experimental.convergence.anchor is taken
            6: RC0110 the address of @llvm.experimental.convergence.anchor is taken
            7: RC0110 the address of @llvm.experimental.convergence.anchor is taken
        "#]],
    );
}

#[test]
fn findings_say_where_they_are_in_the_source() {
    let text = "declare void @barrier() convergent
define void @f() !dbg !2 {
  call void @barrier(), !dbg !3
  ret void
}
!1 = !DIFile(filename: \"kernel.cl\", directory: \"\")
!2 = distinct !DISubprogram(name: \"f\", file: !1, unit: !0)
!3 = !DILocation(line: 12, column: 3, scope: !2)
";
    let report = check(text.as_bytes(), &CheckOptions::default()).expect("the fixture reads");
    let diagnostics = report.diagnostics();
    let notes: Vec<&String> = diagnostics.iter().flat_map(|diagnostic| &diagnostic.notes).collect();
    assert_eq!(notes, ["in the source: kernel.cl:12:3"]);
}

// conformance: operations/41
#[test]
fn speculatable_has_no_effect_on_a_convergent_function() {
    findings(
        "declare void @both() convergent speculatable
declare void @one() convergent
declare void @other() speculatable
declare void @grouped() #0
declare i32 @llvm.amdgcn.strict.wwm.i32(i32) convergent speculatable
attributes #0 = { convergent speculatable }
",
        expect![[r#"
            1: RC0405 @both is convergent, so calls of it are not speculated, though it is speculatable
            4: RC0405 @grouped is convergent, so calls of it are not speculated, though it is speculatable
        "#]],
    );
}
