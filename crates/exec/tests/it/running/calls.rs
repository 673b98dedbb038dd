//! Calls: recursion to different depths, through pointers, and who is converged in a callee.

use reconverge_exec::launch::Schedule;

use crate::running::{codes, execute, launch, numbers, schedules, words};

const FACTORIALS: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %result = call i32 @factorial(i32 %id)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %result, ptr addrspace(1) %to
  ret void
}
define i32 @factorial(i32 %n) {
  %kept = alloca i32
  store i32 %n, ptr %kept
  %ends = icmp ult i32 %n, 2
  br i1 %ends, label %end, label %recurse
recurse:
  %less = sub i32 %n, 1
  %before = call i32 @factorial(i32 %less)
  %same = load i32, ptr %kept
  %product = mul i32 %same, %before
  ret i32 %product
end:
  ret i32 1
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"#;

#[test]
fn threads_recurse_to_different_depths() {
    for schedule in schedules() {
        let mut launch = launch(10, &[("out", words(10))]);
        launch.schedule = schedule;
        let outcome = execute(FACTORIALS, &launch);
        assert_eq!(codes(&outcome), Vec::<&str>::new());
        assert_eq!(numbers(&outcome, 0), [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362_880], "{schedule:?}");
    }
}

/// Threads call one of three functions through a pointer; each counts who is there.
const POINTERS: &str = r#"
target triple = "amdgcn-amd-amdhsa"
@table = internal addrspace(4) constant [3 x ptr] [ptr @ones, ptr @tens, ptr @tens]
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %which = urem i32 %id, 3
  %entry = getelementptr ptr, ptr addrspace(4) @table, i32 %which
  %callee = load ptr, ptr addrspace(4) %entry
  %result = call i32 %callee(i32 %id) convergent
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %result, ptr addrspace(1) %to
  ret void
}
define i32 @ones(i32 %n) convergent {
  %who = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %small = trunc i64 %who to i32
  ret i32 %small
}
define i32 @tens(i32 %n) convergent {
  %who = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %small = trunc i64 %who to i32
  %high = shl i32 %small, 8
  ret i32 %high
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
"#;

#[test]
fn threads_call_through_pointers() {
    let ones = 0b0100_1001;
    let tens = 0b1011_0110 << 8;
    for schedule in schedules() {
        let mut launch = launch(8, &[("out", words(8))]);
        launch.schedule = schedule;
        let outcome = execute(POINTERS, &launch);
        assert_eq!(codes(&outcome), Vec::<&str>::new());
        assert_eq!(numbers(&outcome, 0), [ones, tens, tens, ones, tens, tens, ones, tens], "{schedule:?}");
    }
}

/// One function, called in both branches: its callers are other dynamic instances, and do not meet in it.
const TWO_CALLS: &str = r#"
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %id to i1
  br i1 %odd, label %left, label %right
left:
  %a = call i32 @who()
  br label %end
right:
  %b = call i32 @who()
  br label %end
end:
  %result = phi i32 [ %a, %left ], [ %b, %right ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %result, ptr addrspace(1) %to
  ret void
}
define internal i32 @who() convergent {
  %who = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %small = trunc i64 %who to i32
  ret i32 %small
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
"#;

#[test]
fn callers_that_are_not_converged_do_not_meet_in_the_callee() {
    for schedule in [Schedule::Lockstep, Schedule::Fair, Schedule::Random(1)] {
        let mut launch = launch(4, &[("out", words(4))]);
        launch.schedule = schedule;
        assert_eq!(numbers(&execute(TWO_CALLS, &launch), 0), [0b0101, 0b1010, 0b0101, 0b1010], "{schedule:?}");
    }
}
