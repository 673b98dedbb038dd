//! Calls that are terminators, exceptions, and branches to addresses.

use reconverge_exec::launch::{Model, Schedule};

use crate::running::{codes, execute, first, launch, numbers, schedules, words};

/// Asserts what each thread leaves in `out`, under every schedule.
fn leaves(text: &str, expected: &[u32]) {
    for schedule in schedules() {
        let mut launch = launch(expected.len() as u32, &[("out", words(expected.len() as u64))]);
        launch.schedule = schedule;
        let outcome = execute(text, &launch);
        assert_eq!(codes(&outcome), Vec::<&str>::new(), "{schedule:?}");
        assert_eq!(numbers(&outcome, 0), expected, "{schedule:?}");
    }
}

/// A kernel on AMD: `out[i] = body of thread i`, with what bodies use.
fn kernel(body: &str) -> String {
    format!(
        r#"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
declare i32 @personality(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_allocate_exception(i64)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
@red = external constant ptr
@blue = external constant ptr
{body}"#
    )
}

/// Throws 40 + i as red where i is even and as blue where it is odd; threads from 6 on do not throw.
const THROWER: &str = r"
define i32 @throws(i32 %id) convergent {
  %calm = icmp uge i32 %id, 6
  br i1 %calm, label %end, label %raise
raise:
  %exception = call ptr @__cxa_allocate_exception(i64 4)
  %number = add i32 %id, 40
  store i32 %number, ptr %exception
  %low = and i32 %id, 1
  %even = icmp eq i32 %low, 0
  %type = select i1 %even, ptr @red, ptr @blue
  call void @__cxa_throw(ptr %exception, ptr %type, ptr null)
  unreachable
end:
  ret i32 %id
}
define i32 @between(i32 %id) convergent {
  %result = call i32 @throws(i32 %id)
  %more = add i32 %result, 1
  ret i32 %more
}
";

#[test]
fn an_exception_lands_at_the_first_clause_that_matches() {
    let body = r"
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %result = invoke i32 @between(i32 %id) to label %join unwind label %pad
pad:
  %landing = landingpad { ptr, i32 } catch ptr @blue catch ptr null
  %exception = extractvalue { ptr, i32 } %landing, 0
  %selector = extractvalue { ptr, i32 } %landing, 1
  %caught = call ptr @__cxa_begin_catch(ptr %exception)
  %number = load i32, ptr %caught
  call void @__cxa_end_catch()
  %blue = call i32 @llvm.eh.typeid.for.p0(ptr @blue)
  %is_blue = icmp eq i32 %selector, %blue
  %far = add i32 %number, 100
  %seen = select i1 %is_blue, i32 %far, i32 %number
  br label %join
join:
  %value = phi i32 [ %result, %start ], [ %seen, %pad ]
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %value, ptr addrspace(1) %place
  ret void
}";
    leaves(&kernel(&format!("{THROWER}{body}")), &[40, 141, 42, 143, 44, 145, 7, 8]);
}

#[test]
fn cleanups_resume_and_filters_let_pass_what_they_name() {
    let body = r"
define i32 @cleans(i32 %id, ptr %log) convergent personality ptr @personality {
  %result = invoke i32 @throws(i32 %id) to label %end unwind label %pad
end:
  ret i32 %result
pad:
  %landing = landingpad { ptr, i32 } cleanup
  store i32 1000, ptr %log
  resume { ptr, i32 } %landing
}
define i32 @filters(i32 %id, ptr %log) convergent personality ptr @personality {
  %result = invoke i32 @cleans(i32 %id, ptr %log) to label %end unwind label %pad
end:
  ret i32 %result
pad:
  %landing = landingpad { ptr, i32 } filter [1 x ptr] [ptr @red]
  %selector = extractvalue { ptr, i32 } %landing, 1
  ret i32 %selector
}
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
start:
  %log = alloca i32
  store i32 0, ptr %log
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %result = invoke i32 @filters(i32 %id, ptr %log) to label %join unwind label %pad
pad:
  %landing = landingpad { ptr, i32 } catch ptr @red
  %exception = extractvalue { ptr, i32 } %landing, 0
  %number = load i32, ptr %exception
  br label %join
join:
  %value = phi i32 [ %result, %start ], [ %number, %pad ]
  %cleaned = load i32, ptr %log
  %sum = add i32 %value, %cleaned
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum, ptr addrspace(1) %place
  ret void
}";
    leaves(&kernel(&format!("{THROWER}{body}")), &[1040, 999, 1042, 999, 1044, 999, 6, 7]);
}

#[test]
fn funclets_handle_exceptions() {
    let body = r"
define void @cleans(i32 %id, ptr %log) convergent personality ptr @personality {
  %result = invoke i32 @throws(i32 %id) to label %end unwind label %pad
end:
  ret void
pad:
  %cleanup = cleanuppad within none []
  store i32 1000, ptr %log
  cleanupret from %cleanup unwind to caller
}
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
start:
  %log = alloca i32
  store i32 0, ptr %log
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  invoke void @cleans(i32 %id, ptr %log) to label %join unwind label %dispatch
dispatch:
  %switch = catchswitch within none [label %on_blue] unwind label %outer
on_blue:
  %pad = catchpad within %switch [ptr @blue]
  catchret from %pad to label %join
outer:
  %others = catchswitch within none [label %on_any] unwind to caller
on_any:
  %any = catchpad within %others [ptr null, i32 64, ptr null]
  catchret from %any to label %join
join:
  %value = phi i32 [ 1, %start ], [ 2, %on_blue ], [ 3, %on_any ]
  %cleaned = load i32, ptr %log
  %sum = add i32 %value, %cleaned
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum, ptr addrspace(1) %place
  ret void
}";
    leaves(&kernel(&format!("{THROWER}{body}")), &[1003, 1002, 1003, 1002, 1003, 1002, 1, 1]);
}

/// Threads that catch meet again with those that did not throw; who has landed is converged with who has.
// conformance: operations/2
#[test]
fn threads_that_land_are_converged() {
    let body = r"
define i32 @who() convergent {
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %low = trunc i64 %all to i32
  ret i32 %low
}
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %result = invoke i32 @throws(i32 %id) to label %calm unwind label %pad
pad:
  %landing = landingpad { ptr, i32 } catch ptr null
  %here = invoke i32 @who() to label %join unwind label %never
calm:
  br label %join
never:
  %other = landingpad { ptr, i32 } cleanup
  unreachable
join:
  %value = phi i32 [ 0, %calm ], [ %here, %pad ]
  %all = call i32 @who()
  %high = shl i32 %all, 16
  %sum = or i32 %high, %value
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum, ptr addrspace(1) %place
  ret void
}";
    let text = kernel(&format!("{THROWER}{body}"));
    let six_and_two = |landed, not| [landed, landed, landed, landed, landed, landed, not, not];
    leaves(&text, &six_and_two(0xff_003f, 0xff_0000));
    // `join` does not post-dominate `start`: the second `invoke` has another way out.
    let models = [(Model::Controlled, [0xff_003f, 0xff_0000]), (Model::ImmediatePostDominator, [0x3f_003f, 0xc0_0000])];
    for (model, [landed, not]) in models {
        let mut launch = launch(8, &[("out", words(8))]);
        launch.model = model;
        assert_eq!(numbers(&execute(&text, &launch), 0), six_and_two(landed, not), "{model:?}");
    }
}

#[test]
fn an_exception_that_nobody_catches_is_found() {
    let body = r"
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %result = invoke i32 @throws(i32 %id) to label %store unwind label %pad
store:
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %result, ptr addrspace(1) %place
  ret void
pad:
  %landing = landingpad { ptr, i32 } catch ptr @blue
  ret void
}";
    let outcome = execute(&kernel(&format!("{THROWER}{body}")), &launch(8, &[("out", words(8))]));
    assert_eq!(codes(&outcome), ["RC0508"]);
    assert_eq!(first(&outcome).threads, [0, 2, 4]);
    assert_eq!(numbers(&outcome, 0), [0, 0, 0, 0, 0, 0, 6, 7]);
}

/// An `invoke` is one instruction, as a `call` and the jump behind it are two.
#[test]
fn an_invoke_is_one_instruction() {
    let counted = |call: &str| {
        let body = format!(
            r"
define i32 @same(i32 %n) {{
  ret i32 %n
}}
define amdgpu_kernel void @kernel(ptr addrspace(1) %out) personality ptr @personality {{
  %result = {call}
next:
  store i32 %result, ptr addrspace(1) %out
  ret void
pad:
  %landing = landingpad {{ ptr, i32 }} cleanup
  ret void
}}"
        );
        let outcome = execute(&kernel(&body), &launch(1, &[("out", words(1))]));
        assert_eq!(numbers(&outcome, 0), [3]);
        outcome.instructions
    };
    assert_eq!(counted("invoke i32 @same(i32 3) to label %next unwind label %pad"), 4);
}

#[test]
fn branches_go_to_addresses_of_blocks() {
    let text = r#"
target triple = "nvptx64-nvidia-cuda"
@table = internal constant [3 x ptr] [ptr blockaddress(@kernel, %one), ptr blockaddress(@kernel, %"two"), ptr blockaddress(@kernel, %one)]
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
start:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = urem i32 %id, 3
  %entry = getelementptr ptr, ptr @table, i32 %which
  %to = load ptr, ptr %entry
  indirectbr ptr %to, [label %one, label %two]
one:
  br label %join
two:
  br label %join
join:
  %value = phi i32 [ 1, %one ], [ 2, %two ]
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %value, ptr addrspace(1) %place
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"#;
    leaves(text, &[1, 2, 1, 1, 2, 1, 1]);
    let elsewhere = text.replace("ptr blockaddress(@kernel, %one)]", "ptr @kernel]");
    let outcome = execute(&elsewhere, &launch(3, &[("out", words(3))]));
    assert_eq!(codes(&outcome), ["RC0508"]);
    assert_eq!(first(&outcome).threads, [2]);
}

#[test]
fn a_callbr_goes_on_where_it_falls_through() {
    let text = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
start:
  callbr void asm sideeffect "", "!i"() to label %next [label %other]
next:
  store i32 5, ptr addrspace(1) %out
  ret void
other:
  store i32 6, ptr addrspace(1) %out
  ret void
}
"#;
    let mut launch = launch(1, &[("out", words(1))]);
    launch.schedule = Schedule::Fair;
    assert_eq!(numbers(&execute(text, &launch), 0), [5]);
}
