//! Regions of convergence tokens, and what leaves a cycle.

use expect_test::expect;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;
use reconverge_analysis::uniformity::lower::Origin;
use reconverge_ir::function::Definition;

use crate::uniformity_lowering::common::{Case, check, check_with, nvptx, without};

#[test]
fn a_region_that_goes_on_in_another() {
    // In the region of `%u`, too, only threads are converged that left the first loop together; behind it all are.
    let text = nvptx(
        "declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op() convergent
define ptx_kernel void @f(i1 %again) convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call token @llvm.experimental.convergence.entry()
  br label %one
one:
  %i = phi i32 [ 0, %entry ], [ %n, %one ]
  %t = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %s) ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %tid
  br i1 %c, label %one, label %two
two:
  %u = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  br i1 %again, label %two, label %end
end:
  %inside = add i32 %n, 1
  call void @op() [ \"convergencectrl\"(token %u) ]
  %behind = add i32 %n, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %s: uniform() uniform
            %i: phi(0, %n) uniform
            %t: uniform() uniform
            %n: pure(%i) uniform
            %c: pure(%n, %tid) divergent
            %u: uniform() uniform
            %inside: pure(%n) uniform
            %behind: pure(%n) divergent
            branch n1: on %c divergent
            branch n2: on %again uniform
            region of n1: [n2]
            region of n2: [n3]
        "#]],
    );
}

#[test]
fn a_region_that_goes_on_behind_its_definition() {
    // The region of `%t` ends where `%u` is defined, in the middle of a block: what comes behind is in that of `%u`, up to `%v`,
    // and then in that of `%v`.
    let text = nvptx(
        "declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op() convergent
define ptx_kernel void @f() convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call token @llvm.experimental.convergence.entry()
  br label %one
one:
  %i = phi i32 [ 0, %entry ], [ %n, %one ]
  %t = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %s) ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %tid
  br i1 %c, label %one, label %two
two:
  %u = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  %x = add i32 %n, 1
  %v = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %u) ]
  %y = add i32 %n, 2
  br label %three
three:
  %z = add i32 %n, 3
  call void @op() [ \"convergencectrl\"(token %v) ]
  %behind = add i32 %x, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %s: uniform() uniform
        %i: phi(0, %n) uniform
        %t: uniform() uniform
        %n: pure(%i) uniform
        %c: pure(%n, %tid) divergent
        %u: uniform() uniform
        %x: pure(%n) uniform
        %v: uniform() uniform
        %y: pure(%n) uniform
        %z: pure(%n) uniform
        %behind: pure(%x) divergent
        branch n1: on %c divergent
        region of n1: [n2]
        region of n2: [n3]
        region of n3: [n4, n5]
    "#]],
    );
}

#[test]
fn a_region_that_leaves_its_cycle_beside_irreducible_flow() {
    // What is unfolded for a hierarchy keeps the region: `%used` is behind it, and has what threads got in different iterations.
    let text = nvptx(
        "declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
define ptx_kernel void @f() convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call token @llvm.experimental.convergence.anchor()
  switch i32 %tid, label %loop [ i32 0, label %left i32 1, label %right ]
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %u = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  %n = add i32 %i, 1
  %c = icmp ult i32 %i, %tid
  br i1 %c, label %loop, label %behind
behind:
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true) [ \"convergencectrl\"(token %u) ]
  %used = add i32 %all, 1
  br label %exit
left:
  br label %right
right:
  %d = icmp ult i32 %tid, 77
  br i1 %d, label %left, label %exit
exit:
  ret void
}
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %t: uniform() uniform
        %i: phi(0, %n) uniform
        %u: uniform() uniform
        %n: pure(%i) uniform
        %c: pure(%i, %tid) divergent
        %all: varying() uniform
        %used: pure(%all) divergent
        %d: pure(%tid) divergent
        branch n0: on %tid divergent
        branch n1: on %c divergent
        branch n5: on %d divergent
        region of n1: [n2]
    "#]],
    );
}

#[test]
fn a_value_read_behind_a_divergent_exit() {
    // The variable is uniform in the loop; the load behind it reads it in different iterations.
    let text = nvptx(
        "define ptx_kernel void @f() {
entry:
  %i = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 0, ptr %i
  br label %loop
loop:
  %a = load i32, ptr %i
  %b = add i32 %a, 1
  store i32 %b, ptr %i
  %c = icmp slt i32 %b, %tid
  br i1 %c, label %loop, label %end
end:
  %d = load i32, ptr %i
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %i: pure() uniform
        %tid: source() divergent
        *%i in %loop: phi(0, %b) uniform by PromotableAllocas
        %a: pure(*%i in %loop) uniform by PromotableAllocas
        %b: pure(%a) uniform
        %c: pure(%b, %tid) divergent
        %d: pure(%b) divergent by PromotableAllocas
        branch n1: on %c divergent
    "#]],
    );
}

#[test]
fn regions_that_leave_their_cycle() {
    let text = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
define amdgpu_kernel void @f() convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%more, %latch]
  %h = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  %more = add i32 %i, 1
  %found = icmp eq i32 %i, %id
  br i1 %found, label %out, label %latch
latch:
  br i1 false, label %end, label %loop
out:
  %inside = add i32 %i, 1
  call void @op() [ \"convergencectrl\"(token %h) ]
  %outside = add i32 %i, 1
  br label %end
end:
  %last = phi i32 [%i, %out], [0, %latch]
  ret void
}
";
    check(
        text,
        expect![[r#"
        %t: uniform() uniform
        %id: source() divergent
        %i: phi(0, %more) uniform
        %h: uniform() uniform
        %more: pure(%i) uniform
        %found: pure(%i, %id) divergent
        %inside: pure(%i) uniform
        %outside: pure(%i) divergent
        %last: phi(%i, 0) divergent
        branch n1: on %found divergent
        region of n1: [n3]
    "#]],
    );
    check_with(
        text,
        without(|refinements| refinements.regions = false),
        expect![[r#"
        %t: uniform() uniform
        %id: source() divergent
        %i: phi(0, %more) uniform
        %h: uniform() uniform
        %more: pure(%i) uniform
        %found: pure(%i, %id) divergent
        %inside: pure(%i) divergent
        %outside: pure(%i) divergent
        %last: phi(%i, 0) divergent
        branch n1: on %found divergent
    "#]],
    );
    let case = Case::new(text, "f", LoweringOptions::new(Scope::Subgroup));
    let lowered = case.lower();
    for (inst, data) in &case.function.instructions {
        let node = lowered.node_of(&case.function, inst);
        assert_eq!(lowered.block_of(node).expect("it is in a block").0, data.block);
    }
    for (value, data) in lowered.problem.values.iter().zip(&lowered.origins) {
        if let (Some(node), Origin::Value(origin)) = (value.node, *data)
            && let Definition::Instruction(inst) = case.function.values[origin].definition
        {
            assert_eq!(node, lowered.node_of(&case.function, inst));
        }
    }
}
