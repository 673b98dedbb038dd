//! Lints of divergent control on small functions: what is found where, and what functions require of their callers.

use reconverge_analysis::check::{CheckOptions, CheckReport, check};
use reconverge_findings::control::{Assumption, Hazard, Measure};
use reconverge_findings::{Code, Finding, Kind, RequirementKind, Severity};

const DECLARATIONS: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
declare void @fail() noreturn
declare void @op() convergent
";

/// Marks of a text, as the test wants them found: `; EXPECT code` at the end of a line.
fn assert_marks(name: &str, body: &str) {
    let text = format!(
        "{DECLARATIONS}{}",
        body.replace("BARRIER", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
    );
    let expected: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, line.split_once("; EXPECT ")?.1))).collect();
    let report = run(&text);
    let found: Vec<(usize, &str)> = report
        .findings
        .iter()
        .filter(|found| (Code::RC0201..=Code::RC0301).contains(&found.code))
        .map(|found| (report.module.position(found.at.span.range().start).line, found.code.name()))
        .collect();
    assert_eq!(found, expected, "{name}");
}

fn run(text: &str) -> CheckReport<'_> {
    check(text.as_bytes(), &CheckOptions::default()).expect("the fixture reads")
}

/// A kernel with a condition `%c` of thread ids, of groups, of arguments, or of loaded values.
fn kernel(blocks: &str) -> String {
    format!(
        "define ptx_kernel void @k(ptr addrspace(1) %data, i32 %n) convergent {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by.thread = icmp ult i32 %tid, 7
  %by.group = icmp ult i32 %group, %n
  %by.argument = icmp ult i32 7, %n
  %place = getelementptr i32, ptr addrspace(1) %data, i32 %tid
  %mine = load i32, ptr addrspace(1) %place
  %by.load = icmp ult i32 %mine, %n
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %by.thread)
  %by.vote = icmp ne i32 %vote, 0
{blocks}}}
"
    )
}

#[test]
fn branches() {
    for (condition, mark) in [
        ("thread", "; EXPECT RC0201"),
        ("load", "; EXPECT RC0202"),
        ("vote", "; EXPECT RC0202"),
        ("group", ""),
        ("argument", ""),
    ] {
        let text = kernel(&format!(
            "  br i1 %by.{condition}, label %some, label %all
some:
  BARRIER {mark}
  br label %all
all:
  BARRIER
  ret void
"
        ));
        assert_marks(condition, &text);
    }
}

#[test]
fn what_only_part_of_the_workgroup_knows_is_enough_for_the_subgroup() {
    let text = kernel(
        "  br i1 %by.vote, label %some, label %all
some:
  %x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)
  br label %all
all:
  ret void
",
    );
    assert_marks("a vote", &text);
    let thread = text.replace("%by.vote,", "%by.thread,").replace("i32 31)", "i32 31) ; EXPECT RC0203");
    assert_marks("a thread", &thread);
    let masked = text.replace("%by.vote,", "%by.thread,").replace("i32(i32 -1, i32 %n", "i32(i32 %n, i32 %n");
    assert_marks("with the mask of those that are there", &masked);
}

#[test]
fn an_early_return_and_a_failed_assertion() {
    let text = kernel(
        "  br i1 %by.thread, label %work, label %leave
leave:
  ret void
work:
  BARRIER ; EXPECT RC0209
  ret void
",
    );
    assert_marks("a return", &text);
    let stops = text
        .replace("leave:\n  ret void", "leave:\n  call void @fail()\n  unreachable")
        .replace(" ; EXPECT RC0209", "");
    assert_marks("an assertion", &stops);
}

#[test]
fn threads_that_meet_again_are_together() {
    // The second branch is uniform: whatever way threads took before it, they take the same one there.
    let text = kernel(
        "  br i1 %by.thread, label %left, label %right
left:
  br label %meet
right:
  br label %meet
meet:
  br i1 %by.argument, label %some, label %end
some:
  BARRIER
  br label %end
end:
  ret void
",
    );
    assert_marks("diamond", &text);
}

#[test]
fn loops() {
    let text = kernel(
        "  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  BARRIER ; EXPECT RC0201
  %again = icmp ult i32 %next, %tid
  br i1 %again, label %head, label %end
end:
  BARRIER
  ret void
",
    );
    assert_marks("as often as the thread id says", &text);
    assert_marks(
        "as often as the argument says",
        &text.replace("%next, %tid", "%next, %n").replace(" ; EXPECT RC0201", ""),
    );
}

#[test]
fn a_loop_with_a_break_before_the_barrier() {
    let text = kernel(
        "  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %done = icmp eq i32 %i, %mine
  br i1 %done, label %end, label %latch
latch:
  %next = add i32 %i, 1
  BARRIER ; EXPECT RC0202
  %again = icmp ult i32 %next, %n
  br i1 %again, label %head, label %end
end:
  BARRIER
  ret void
",
    );
    assert_marks("break", &text);
}

#[test]
fn nested_loops_and_switches() {
    let text = kernel(
        "  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  switch i32 %tid, label %inner [ i32 1, label %outer.latch
                                  i32 2, label %inner ]
inner:
  %j = phi i32 [ 0, %outer ], [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  BARRIER ; EXPECT RC0201
  %inner.again = icmp ult i32 %j.next, %n
  br i1 %inner.again, label %inner, label %outer.latch
outer.latch:
  BARRIER
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %outer, label %end
end:
  ret void
",
    );
    assert_marks("a loop that some threads skip", &text);
}

#[test]
fn barriers_after_threads_have_ended() {
    let ends = |after: &str| {
        kernel(&format!(
            "  br i1 %by.thread, label %some, label %rest
some:
  BARRIER ; EXPECT RC0209
  BARRIER
  br label %all
rest:
  br label %all
all:
  {after}
  ret void
"
        ))
    };
    assert_marks("nothing comes behind the branch", &ends(""));
    assert_marks("another barrier does", &ends("BARRIER").replace("RC0209", "RC0201"));
    let report = format!("{DECLARATIONS}{}", ends(""));
    let report = report.replace("BARRIER", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
    let severity = |text: &str| run(text).findings.iter().map(|found| found.severity).collect::<Vec<_>>();
    assert_eq!(severity(&report), [Severity::Warning], "CUDA says what happens");
    let spirv = report
        .replace("nvptx64-nvidia-cuda", "spirv64-unknown-unknown")
        .replace("ptx_kernel", "spir_kernel")
        .replace("@llvm.nvvm.read.ptx.sreg.tid.x()", "@llvm.spv.thread.id.in.group.i32(i32 0)")
        .replace("i32(i32 0)\ndeclare", "i32(i32)\ndeclare")
        .replace("@llvm.nvvm.barrier.cta.sync.aligned.all", "@_Z7barrierj");
    assert_eq!(severity(&spirv), [Severity::Error], "OpenCL does not: {spirv}");
}

#[test]
fn one_cause_is_one_finding() {
    let text = kernel(
        "  br i1 %by.thread, label %leave, label %work
leave:
  ret void
work:
  BARRIER
  BARRIER
  BARRIER
  ret void
",
    );
    let text = format!("{DECLARATIONS}{text}");
    let text = text.replace("BARRIER", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
    let report = run(&text);
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
    assert_eq!(report.findings[0].also.len(), 2, "the places of the others");
}

/// What a finding says of launches, as [`Hazard`] has it.
fn hazard_of(report: &CheckReport<'_>) -> Hazard {
    match &report.findings[..] {
        [Finding { kind: Kind::Hazard(hazard), .. }] => hazard.clone(),
        findings => panic!("one finding about threads: {findings:?}"),
    }
}

#[test]
fn what_depends_on_the_launch_says_on_what() {
    let barrier_if = |condition: &str| {
        let body = kernel(&format!(
            "  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %group, %size
  %place.in.grid = add i32 %first, %tid
  {condition}
  br i1 %c, label %some, label %all
some:
  BARRIER
  br label %all
all:
  BARRIER
  ret void
"
        ));
        format!("{DECLARATIONS}declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n{body}")
            .replace("BARRIER", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
    };
    let x = Measure::Extent(0);
    let text = barrier_if("%c = icmp slt i32 %place.in.grid, %n");
    let hazard = hazard_of(&run(&text));
    assert!(
        matches!(hazard.assumptions[..], [Assumption::NoMultiple { value: Some(_), of, .. }] if of == x),
        "i < n: {hazard:?}"
    );
    let text = barrier_if("%c = icmp slt i32 %tid, %n");
    let hazard = hazard_of(&run(&text));
    assert!(matches!(hazard.assumptions[..], [Assumption::Below { of, .. }] if of == x), "tid < n: {hazard:?}");
    let text = barrier_if("%half = lshr i32 %size, 1\n  %c = icmp ult i32 %tid, %half");
    let hazard = hazard_of(&run(&text));
    assert!(hazard.assumptions.is_empty() && hazard.example.is_some(), "tid < size / 2: {hazard:?}");
    let always = "%rounded = add i32 %tid, %size\n  %q = udiv i32 %rounded, %size\n  %c = icmp eq i32 %q, 1";
    assert!(run(&barrier_if(always)).findings.is_empty(), "(tid + size) / size is 1 in all threads");
}

const HELPER: &str = "define internal void @wait(i32 %bound) convergent {
entry:
  %some = icmp ult i32 %bound, 5
  br i1 %some, label %then, label %end
then:
  BARRIER
  br label %end
end:
  ret void
}
define internal void @between(i32 %x) convergent {
  %y = add i32 %x, 1
  call void @wait(i32 %y)
  ret void
}
";

#[test]
fn requirements_are_reported_at_the_call_that_breaks_them() {
    let text = format!(
        "{HELPER}{}",
        kernel(
            "  call void @between(i32 %n)
  call void @between(i32 %tid) ; EXPECT RC0207
  call void @between(i32 %mine) ; EXPECT RC0208
  br i1 %by.thread, label %some, label %end
some:
  call void @wait(i32 %n) ; EXPECT RC0207
  br label %end
end:
  BARRIER
  ret void
"
        )
    );
    assert_marks("helper", &text);
}

#[test]
fn a_library_gets_no_report_but_has_requirements() {
    let text = format!("{DECLARATIONS}{HELPER}")
        .replace("BARRIER", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
    let report = run(&text);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let kinds: Vec<(String, Vec<RequirementKind>)> = report
        .requirements
        .iter()
        .map(|(id, required)| {
            (report.module.function_name(*id), required.iter().map(|required| required.kind).collect())
        })
        .collect();
    let both = vec![RequirementKind::Entry, RequirementKind::Parameter(0)];
    assert_eq!(kinds, [("@wait".to_owned(), both.clone()), ("@between".to_owned(), both)]);
    let wait = report.requirements[0].0;
    assert_eq!(report.requirements[1].1[0].at.function, Some(wait), "{:?}", report.requirements);
}

#[test]
fn recursive_functions_require_nothing() {
    let text = format!(
        "define internal void @again(i32 %n) convergent {{
  BARRIER
  call void @again(i32 %n)
  ret void
}}
{}",
        kernel("  call void @again(i32 %tid)\n  ret void\n")
    );
    assert_marks("recursion", &text);
}

#[test]
fn irreducible_cycles() {
    let text = kernel(
        "  br i1 %by.thread, label %first, label %second
first:
  call void @op() ; EXPECT RC0301
  br label %second
second:
  %more = icmp ult i32 %n, 5
  br i1 %more, label %first, label %end
end:
  ret void
",
    );
    assert_marks("entered at both entries", &text);
    assert_marks(
        "entered together",
        &text.replace("%by.thread, label %first", "%by.argument, label %first").replace(" ; EXPECT RC0301", ""),
    );
}

/// The limits of a shuffle's segments are computed where nobody folds constants.
#[test]
fn one_lane_gives_the_warp_its_value() {
    let text = |width: u32, mark: &str| {
        kernel(&format!(
            "  %first = sub i32 32, {width}
  %segment = shl i32 %first, 8
  %clamp = or i32 %segment, 31
  %y = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 %clamp)
  %c = icmp eq i32 %y, 0
  br i1 %c, label %then, label %end
then:
  %z = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31){mark}
  br label %end
end:
  ret void
"
        ))
    };
    assert_marks("the whole warp", &text(32, ""));
    assert_marks("half of it", &text(16, " ; EXPECT RC0204"));
}

#[test]
fn anchors_whose_threads_nothing_shows() {
    let cycle = |operation: &str, mark: &str| {
        kernel(&format!(
            "  br i1 %by.thread, label %first, label %second
first:
  %anchor = call token @llvm.experimental.convergence.anchor(){mark}
  br label %loop
loop:
  %heart = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %anchor) ]
{operation}  %again = icmp ult i32 %n, 9
  br i1 %again, label %loop, label %second
second:
  %more = icmp ult i32 %n, 5
  br i1 %more, label %first, label %end
end:
  ret void
"
        ))
    };
    assert_marks("only a heart has its token", &cycle("", ""));
    let operation = "  call void @op() [ \"convergencectrl\"(token %heart) ]\n";
    assert_marks("an operation has that of the heart", &cycle(operation, " ; EXPECT RC0301"));
}

#[test]
fn odd_control_flow_is_looked_at() {
    let text = kernel(
        "  br i1 %by.thread, label %left, label %right
left:
  br label %left
right:
  BARRIER ; EXPECT RC0202
  ret void
dead:
  BARRIER
  br label %dead
",
    );
    assert_marks("a loop without end, and code that is never reached", &text);
}

#[test]
fn a_call_that_passes_no_mask() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) convergent
define i32 @f(i32 %v, i32 %a, i32 %b, i32 %mask) convergent {
  %r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %mask, i32 %v, i32 1, i32 31)
  ret i32 %r
}
define ptx_kernel void @k(i32 %n) convergent {
  %r = call i32 @f(i32 %n)
  ret void
}
";
    let report = reconverge_analysis::check::check(text.as_bytes(), &Default::default()).expect("it can be read");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

/// DXIL's operations say by an operand whether threads may choose different resources.
#[test]
fn resources() {
    let chooses_by = |name: &str, before: &str, index: &str, mark: &str| {
        // Here the mark comes after another operand.
        let (between, sampler) = if name.ends_with("Heap") { ("i1, ", "i1 false, ") } else { ("", "") };
        let types = before.split(", ").filter_map(|operand| operand.split(' ').next()).collect::<Vec<_>>().join(", ");
        let text = format!(
            "target triple = \"dxil-pc-shadermodel6.6-compute\"
%dx.types.Handle = type {{ ptr }}
declare i32 @llvm.dx.thread.id.in.group(i32)
declare i32 @llvm.dx.group.id(i32)
declare %dx.types.Handle @{name}({types}, i32, {between}i1)
declare void @use(%dx.types.Handle)
define void @main() #0 {{
  %thread = call i32 @llvm.dx.thread.id.in.group(i32 0)
  %group = call i32 @llvm.dx.group.id(i32 0)
  %handle = call %dx.types.Handle @{name}({before}, i32 {index}, {sampler}i1 {mark})
  call void @use(%dx.types.Handle %handle)
  ret void
}}
attributes #0 = {{ \"hlsl.numthreads\"=\"64,1,1\" \"hlsl.shader\"=\"compute\" }}
"
        );
        let found: Vec<(Code, Severity)> =
            run(&text).findings.iter().map(|found| (found.code, found.severity)).collect();
        found
    };
    let chooses = |index: &str, mark: &str| chooses_by("dx.op.createHandle", "i32 57, i8 0, i32 0", index, mark);
    assert_eq!(chooses("%thread", "false"), [(Code::RC0213, Severity::Error)]);
    assert_eq!(chooses("%thread", "true"), []);
    assert_eq!(chooses("%group", "false"), []);
    assert_eq!(chooses("3", "false"), []);
    // The operands before the index, of each of them. The last is no such operation.
    for (name, before) in [
        ("dx.op.createHandleFromBinding", "i32 217, i32 0"),
        ("dx.op.createHandleFromHeap", "i32 218"),
        ("dx.op.createHandles", "i32 218"),
    ] {
        let expected: &[_] = if name == "dx.op.createHandles" { &[] } else { &[(Code::RC0213, Severity::Error)] };
        assert_eq!(chooses_by(name, before, "%thread", "false"), expected, "{name}");
        assert_eq!(chooses_by(name, before, "%thread", "true"), [], "{name}");
    }
}

/// LLVM's intrinsics for resources have the index in one place, and no mark.
#[test]
fn resources_by_intrinsics() {
    let chooses = |triple: &str, (handle, mangled): (&str, &str), name: &str, index: &str| {
        let family = if triple.starts_with("dxil") { "dx" } else { "spv" };
        let own = if family == "dx" { "thread.id.in.group" } else { "thread.id.in.group.i32" };
        let text = format!(
            "target triple = \"{triple}\"
declare i32 @llvm.{family}.{own}(i32)
declare {handle} @llvm.{family}.resource.{name}.{mangled}(i32, i32, i32, i32, ptr)
define void @main() #0 {{
  %thread = call i32 @llvm.{family}.{own}(i32 0)
  %handle = call {handle} @llvm.{family}.resource.{name}.{mangled}(i32 0, i32 0, i32 8, i32 {index}, ptr null)
  ret void
}}
attributes #0 = {{ \"hlsl.numthreads\"=\"64,1,1\" \"hlsl.shader\"=\"compute\" }}
"
        );
        run(&text).findings.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    let dxil = ("target(\"dx.RawBuffer\", i32, 1, 0)", "tdx.RawBuffer_i32_1_0t");
    let spirv = ("target(\"spirv.VulkanBuffer\", [0 x i32], 12, 1)", "tspirv.VulkanBuffer_a0i32_12_1t");
    for name in ["handlefrombinding", "handlefromimplicitbinding"] {
        for (triple, of) in [("dxil-pc-shadermodel6.6-compute", dxil), ("spirv1.6-unknown-vulkan1.3-compute", spirv)] {
            assert_eq!(chooses(triple, of, name, "%thread"), [Code::RC0213], "{name}, {triple}");
            assert_eq!(chooses(triple, of, name, "3"), [], "{name}, {triple}");
        }
    }
}

/// What two threads do to one place: a write, something in between, and a read.
#[test]
fn shared_memory() {
    let exchange = |between: &str, across: u32, mark: &str| {
        format!(
            "@tile = internal addrspace(3) global [1024 x i32] undef
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
declare void @unknown()
define ptx_kernel void @k(ptr addrspace(1) %out) convergent {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr [1024 x i32], ptr addrspace(3) @tile, i32 0, i32 %tid
  store i32 %tid, ptr addrspace(3) %own
  {between}
  %other = xor i32 %tid, {across}
  %place = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %other
  %read = load i32, ptr %place {mark}
  store i32 %read, ptr addrspace(1) %out
  ret void
}}
"
        )
    };
    let warp = "call void @llvm.nvvm.bar.warp.sync(i32 -1)";
    for (name, between, across, mark) in [
        ("none in a warp", "", 1, "; EXPECT RC0212"),
        ("none in a block", "", 64, "; EXPECT RC0212"),
        ("the own place", "", 0, ""),
        ("of a warp, in it", warp, 1, ""),
        ("of a warp, in a block", warp, 64, "; EXPECT RC0212"),
        ("of a block", "BARRIER", 64, ""),
        ("a fence", "fence seq_cst", 1, ""),
        ("unknown", "call void @unknown()", 1, ""),
        ("assembly", "call void asm sideeffect \"bar.sync 0;\", \"\"()", 64, ""),
    ] {
        assert_marks(name, &exchange(between, across, mark));
    }
}

#[test]
fn a_barrier_in_each_side_of_a_branch() {
    // PTX: who comes to a barrier counts, at whichever call, as long as a warp comes as a whole.
    let sides = |condition: &str, [one, other]: [&str; 2], [mark, other_mark]: [&str; 2]| {
        format!(
            "define ptx_kernel void @k(i32 %n) convergent {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %by.warp = icmp eq i32 %warp, 1
  %by.thread = icmp ult i32 %tid, 7
  br i1 %by.{condition}, label %left, label %right
left:
  {one} {mark}
  br label %all
right:
  {other} {other_mark}
  br label %all
all:
  BARRIER
  ret void
}}
"
        )
    };
    let both = ["BARRIER"; 2];
    let found = ["; EXPECT RC0201", ""];
    assert_marks("warps", &sides("warp", both, [""; 2]));
    // One cause, told once.
    assert_marks("threads of a warp", &sides("thread", both, found));
    assert_marks("warps, one side", &sides("warp", ["BARRIER", "call void @op()"], found));
    assert_marks("warps, twice and once", &sides("warp", ["BARRIER ; EXPECT RC0201\n  BARRIER", "BARRIER"], [""; 2]));
    // Others are others.
    let numbered = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)";
    assert_marks("another number", &sides("warp", ["BARRIER", numbered], found));
    // What does not have to come as a whole.
    let apart = sides("thread", ["call void @llvm.nvvm.barrier.cta.sync.all(i32 0)"; 2], [""; 2]);
    assert_marks("no warps", &format!("declare void @llvm.nvvm.barrier.cta.sync.all(i32) convergent\n{apart}"));
    // In functions that are called, and on one side only.
    let called = "
define void @first() convergent {
  BARRIER
  ret void
}
define void @second() convergent {
  BARRIER
  ret void
}
";
    let calls = ["call void @first()", "call void @second()"];
    assert_marks("calls", &format!("{}{called}", sides("warp", calls, [""; 2])));
    assert_marks("a call and none", &format!("{}{called}", sides("warp", [calls[0], "BARRIER"], [""; 2])));
    let lonely = sides("warp", [calls[0], "call void @op()"], ["; EXPECT RC0207", ""]);
    assert_marks("a call, one side", &format!("{lonely}{called}"));
}

#[test]
fn what_an_inline_function_returns() {
    // As clang has functions that are `inline`, and instances of templates.
    let text = |linkage: &str, mark: &str| {
        let body = kernel(&format!(
            "  %mine.too = call i32 @number(i32 %n)
  %by.call = icmp ult i32 %mine.too, 7
  br i1 %by.call, label %some, label %all
some:
  BARRIER{mark}
  br label %all
all:
  BARRIER
  ret void
"
        ));
        format!(
            "define {linkage} i32 @number(i32 %n) convergent {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %more = add i32 %tid, 1
  ret i32 %more
}}
{body}"
        )
    };
    assert_marks("internal", &text("internal", " ; EXPECT RC0201"));
    assert_marks("inline", &text("linkonce_odr", " ; EXPECT RC0201"));
    assert_marks("internal", &text("internal", " ; EXPECT RC0201"));
    // What another file may replace by anything.
    assert_marks("weak", &text("weak", " ; EXPECT RC0202"));
    let uniform = |linkage: &str| text(linkage, "").replace("add i32 %tid, 1", "add i32 %n, 1");
    assert_marks("inline and uniform", &uniform("linkonce_odr"));
}
