//! Memory that threads ask for while they run.

use reconverge_exec::{Control, Program, run};
use reconverge_findings::run::{FaultKind, Limit, What};

use crate::running::{codes, execute, first, launch, numbers, words};

/// A kernel whose threads do something with eight bytes that each has asked for.
fn kernel(body: &str) -> String {
    format!(
        r#"
target triple = "nvptx64-nvidia-cuda"
declare ptr @malloc(i64)
declare ptr @_Znwm(i64)
declare void @free(ptr)
declare void @_ZdlPvm(ptr, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
@place = addrspace(1) global ptr null
define ptx_kernel void @kernel(ptr addrspace(1) %out) {{
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %p = call ptr @malloc(i64 8)
  %second = getelementptr i32, ptr %p, i32 1
  {body}
}}
"#
    )
}

#[test]
fn each_thread_gets_memory_of_its_own() {
    let text = kernel(
        "store i32 %id, ptr %second
  %q = call ptr @_Znwm(i64 0)
  %same = icmp eq ptr %p, %q
  %number = zext i1 %same to i32
  %back = load i32, ptr %second
  %sum = add i32 %back, %number
  store i32 %sum, ptr addrspace(1) %own
  call void @free(ptr %p)
  call void @_ZdlPvm(ptr %q, i64 0)
  call void @free(ptr null)
  ret void",
    );
    let outcome = execute(&text, &launch(4, &[("out", words(4))]));
    assert!(outcome.completed && outcome.findings.is_empty(), "{:?}", codes(&outcome));
    assert_eq!(numbers(&outcome, 0), [0, 1, 2, 3]);
}

#[test]
fn what_is_wrong_with_memory_of_the_heap() {
    let load = "%x = load i32, ptr %at\n  store i32 %x, ptr addrspace(1) %own\n  ret void";
    for (body, expected) in [
        (format!("%at = getelementptr i32, ptr %p, i32 2\n  {load}"), FaultKind::OutOfBounds),
        (format!("%at = getelementptr i32, ptr %p, i32 -1\n  {load}"), FaultKind::OutOfBounds),
        (format!("%at = getelementptr i32, ptr %p, i32 0\n  {load}"), FaultKind::Uninitialised),
        (
            format!(
                "store i32 1, ptr %p\n  call void @free(ptr %p)\n  %at = getelementptr i32, ptr %p, i32 0\n  {load}"
            ),
            FaultKind::Unallocated,
        ),
        ("call void @free(ptr %p)\n  call void @free(ptr %p)\n  ret void".to_owned(), FaultKind::NotAllocated),
        ("call void @free(ptr %second)\n  ret void".to_owned(), FaultKind::NotAllocated),
        (
            "%g = addrspacecast ptr addrspace(1) %own to ptr\n  call void @free(ptr %g)\n  ret void".to_owned(),
            FaultKind::NotAllocated,
        ),
    ] {
        let outcome = execute(&kernel(&body), &launch(2, &[("out", words(4))]));
        let What::Fault { kind, .. } = first(&outcome).what else { panic!("{body}: {:?}", outcome.findings) };
        assert_eq!(kind, expected, "{body}");
    }
}

/// It is kept for the workgroup that asked for it; what another one would find there is not made up.
#[test]
fn memory_of_another_workgroup_ends_the_run() {
    let text = kernel(
        "%first = icmp eq i32 %group, 0
  br i1 %first, label %give, label %take
give:
  store ptr %p, ptr addrspace(1) @place
  ret void
take:
  %at = load volatile ptr, ptr addrspace(1) @place
  %is_null = icmp eq ptr %at, null
  br i1 %is_null, label %take, label %use
use:
  %x = load i32, ptr %at
  store i32 %x, ptr addrspace(1) %own
  ret void",
    );
    let mut launch = launch(1, &[("out", words(4))]);
    launch.grid = [2, 1, 1];
    let program = Program::prepare(text.as_bytes(), "k.ll", None).expect("it is a program");
    let outcome = run(&program, &launch, &Control::default()).expect("it runs");
    assert!(!outcome.completed);
    assert_eq!(codes(&outcome), ["RC0509"]);
    assert!(matches!(first(&outcome).what, What::Fault { kind: FaultKind::OfAnotherWorkgroup, .. }));
}

#[test]
fn the_heap_ends_at_the_limit_of_memory() {
    let text = kernel(
        "br label %again
again:
  %more = call ptr @malloc(i64 1024)
  br label %again",
    );
    let mut launch = launch(1, &[("out", words(4))]);
    launch.limits.memory = 100_000;
    let outcome = execute(&text, &launch);
    assert!(!outcome.completed);
    assert!(matches!(first(&outcome).what, What::Limit(Limit::Heap(100_000))), "{:?}", codes(&outcome));
}
