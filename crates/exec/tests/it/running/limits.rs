//! Runs that end though the program does not, and launches that are none.

use std::sync::atomic::Ordering;

use reconverge_exec::launch::Argument;
use reconverge_exec::{Control, Program, run};
use reconverge_findings::run::{Limit, What};

use crate::running::{codes, execute, first, launch, words};

const ENDLESS: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(i32 %n) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add i32 %i, 2
  %ends = icmp eq i32 %next, %id
  br i1 %ends, label %end, label %again
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"#;

#[test]
fn an_endless_loop_meets_the_limit() {
    let mut launch = launch(4, &[("n", Argument::Scalar("1".to_owned()))]);
    launch.limits.instructions = 100_000;
    let outcome = execute(ENDLESS, &launch);
    assert!(!outcome.completed && outcome.instructions >= 100_000 && outcome.instructions < 400_000);
    assert_eq!(codes(&outcome), ["RC0509"]);
    // Thread 2 has left the loop; the others are in it.
    let trouble = first(&outcome);
    let everywhere = trouble.everywhere.as_ref().expect("limits say where threads are");
    assert_eq!(trouble.threads, [0, 1, 3]);
    assert!(everywhere.groups.iter().any(|(threads, _)| *threads == [0, 1, 3]), "{everywhere:?}");
}

/// What was executed before the limit is a function of the launch: not of how many cores there are, nor of time.
#[test]
fn a_limit_is_the_same_for_any_number_of_threads() {
    // Thread 0 of each workgroup takes as long as its workgroup's number says.
    let text = r#"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
entry:
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rounds = and i32 %group, 127
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %group
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add i32 %i, 1
  store i32 %next, ptr addrspace(1) %place
  %ends = icmp ugt i32 %next, %rounds
  br i1 %ends, label %end, label %again
end:
  ret void
}
"#;
    for instructions in [1, 1_000, 100_000, 300_000, 700_000] {
        let outcomes: Vec<_> = [1, 2, 3, 8]
            .into_iter()
            .map(|threads| {
                let mut launch = launch(2, &[("out", words(4000))]);
                (launch.grid, launch.threads, launch.limits.instructions) = ([4000, 1, 1], threads, instructions);
                (launch.limits.steps, launch.races) = (10_000_000, false);
                execute(text, &launch)
            })
            .collect();
        for outcome in &outcomes {
            assert_eq!(codes(outcome), ["RC0509"], "{instructions}");
            assert_eq!(outcome.findings, outcomes[0].findings, "{instructions}");
            assert_eq!(outcome.instructions, outcomes[0].instructions, "{instructions}");
            assert_eq!(outcome.buffers, outcomes[0].buffers, "{instructions}");
            assert!(outcome.finished < outcome.workgroups && !outcome.completed);
            assert!(outcome.instructions >= instructions && outcome.instructions < instructions + 100_000);
        }
    }
}

#[test]
fn a_run_is_cancelled() {
    let program = Program::prepare(ENDLESS.as_bytes(), "test.ll", None).expect("the module is read");
    let control = Control::default();
    control.cancel.store(true, Ordering::Relaxed);
    let launch = launch(4, &[("n", Argument::Scalar("1".to_owned()))]);
    let outcome = run(&program, &launch, &control).expect("the launch fits");
    assert!(!outcome.completed && codes(&outcome).is_empty());
}

const RECURSIVE: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(i32 %bytes) {
  call void @deeper(i32 %bytes)
  ret void
}
define void @deeper(i32 %bytes) {
  %memory = alloca i8, i32 %bytes
  store i8 0, ptr %memory
  call void @deeper(i32 %bytes)
  ret void
}
"#;

#[test]
fn recursion_meets_a_limit() {
    for (bytes, is_of_calls) in [("1", true), ("100000", false)] {
        let outcome = execute(RECURSIVE, &launch(4, &[("bytes", Argument::Scalar(bytes.to_owned()))]));
        assert_eq!(codes(&outcome), ["RC0509"]);
        let What::Limit(limit) = &first(&outcome).what else { panic!("{:?}", outcome.findings) };
        assert!(
            if is_of_calls { matches!(limit, Limit::Calls(_)) } else { matches!(limit, Limit::Stack(_)) },
            "{limit:?}"
        );
    }
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let program = Program::prepare(ENDLESS.as_bytes(), "test.ll", None).expect("the module is read");
    let one = [("n", Argument::Scalar("1".to_owned()))];
    let refused = |change: &dyn Fn(&mut reconverge_exec::launch::Launch)| {
        let mut launch = launch(4, &one);
        change(&mut launch);
        run(&program, &launch, &Control::default()).expect_err("the launch does not fit").to_string()
    };
    assert!(refused(&|launch| launch.block = [0, 1, 1]).contains("no threads"));
    assert!(refused(&|launch| launch.grid = [1 << 20, 1 << 20, 1]).contains("2^40"));
    assert!(refused(&|launch| launch.subgroup = 65).contains("1 to 64"));
    assert!(refused(&|launch| launch.kernel = "other".to_owned()).contains("@other"));
    assert!(refused(&|launch| launch.arguments.clear()).contains("needs arguments for: n"));
    assert!(refused(&|launch| launch.arguments[0].0 = "m".to_owned()).contains("no parameter 'm'"));
    assert!(refused(&|launch| launch.arguments[0].1 = words(1)).contains("buffer"));
    assert!(refused(&|launch| launch.arguments[0].1 = Argument::Scalar("x".to_owned())).contains("expected"));
    let endless = ENDLESS.replace("add i32 %i, 2", "call i32 @unheard.of(i32 %i)") + "declare i32 @unheard.of(i32)\n";
    let program = Program::prepare(endless.as_bytes(), "test.ll", None).expect("the module is read");
    let error = run(&program, &launch(4, &one), &Control::default()).expect_err("a function is not known").to_string();
    assert!(error.starts_with("test.ll:9:3:") && error.contains("@unheard.of"), "{error}");
}
