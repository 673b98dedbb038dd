//! Values of one function: instructions, parameters, branches, phis, and what is known of constants.

use expect_test::expect;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;
use reconverge_analysis::uniformity::lower::Refinements;

use crate::uniformity_lowering::common::{amdgpu, check, check_with, nvptx, without};

#[test]
fn instructions_on_their_own() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr addrspace(1) %global, ptr addrspace(3) %shared, ptr addrspace(5) %own, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %id)
  %called = call i32 @unknown(i32 0)
  %sum = add i32 %id, %n
  %product = mul i32 %n, 3
  %chosen = select i1 true, i32 %id, i32 %n
  %address = getelementptr i32, ptr addrspace(1) %global, i32 %id
  %a = load i32, ptr addrspace(1) %global
  %b = load i32, ptr addrspace(1) %address
  %c = load i32, ptr addrspace(5) %own
  %d = load volatile i32, ptr addrspace(3) %shared
  %e = atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
  %g = cmpxchg ptr addrspace(1) %global, i32 1, i32 2 monotonic monotonic
  %h = freeze i32 %id
  %i = insertelement <2 x i32> poison, i32 %id, i32 0
  %scalar = call i32 asm \"s_mov_b32 $0, 0\", \"=s\"()
  %vector = call i32 asm \"v_mov_b32 $0, 0\", \"=v\"()
  %both = call { i32, i32 } asm \"\", \"=s,=v\"()
  %both.0 = extractvalue { i32, i32 } %both, 0
  %both.1 = extractvalue { i32, i32 } %both, 1
  ret void
}
",
    );
    check_with(
        &text,
        without(|refinements| *refinements = Refinements::NONE),
        expect![[r#"
        %id: source() divergent
        %group: uniform() uniform
        %first: uniform() uniform
        %called: source() divergent
        %sum: pure(%id, %n) divergent
        %product: pure(%n) uniform
        %chosen: pure(%id, %n) divergent
        %address: pure(%global, %id) divergent
        %a: varying(%global) uniform
        %b: varying(%address) divergent
        %c: source() divergent
        %d: varying(%shared) uniform
        %e: source() divergent
        %g: source() divergent
        %h: pure(%id) divergent
        %i: pure(%id) divergent
        %scalar: uniform() uniform
        %vector: uniform() uniform
        %both: source() divergent
        %both.0: uniform() uniform
        %both.1: pure(%both) divergent
    "#]],
    );
}

#[test]
fn scopes() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr addrspace(1) %global, ptr addrspace(3) %shared) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %group)
  %a = load i32, ptr addrspace(1) %global
  %b = load i32, ptr addrspace(3) %shared
  %c = load atomic i32, ptr addrspace(1) %global monotonic, align 4
  ret void
}
",
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Subgroup),
        expect![[r#"
        %group: uniform() uniform
        %first: uniform() uniform
        %a: varying(%global) uniform
        %b: varying(%shared) uniform
        %c: varying(%global) uniform
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %group: uniform() uniform
        %first: varying(%group) uniform
        %a: varying(%global) uniform
        %b: varying(%shared) uniform
        %c: source() divergent
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
        %group: source() divergent
        %first: varying(%group) divergent
        %a: varying(%global) uniform
        %b: source() divergent
        %c: source() divergent
    "#]],
    );
}

// conformance: uniformity/29b
#[test]
fn parameters() {
    let text = amdgpu(
        "define i32 @f(i32 %vector, i32 inreg %scalar) {
  %a = add i32 %vector, %scalar
  ret i32 %a
}
",
    );
    check(
        &text,
        expect![[r#"
        %vector: source() divergent
        %a: pure(%vector, %scalar) divergent
    "#]],
    );
    let uniform = LoweringOptions { uniform_parameters: true, ..LoweringOptions::new(Scope::Subgroup) };
    check_with(
        &text,
        uniform,
        expect![[r#"
        %a: pure(%vector, %scalar) uniform
    "#]],
    );
}

#[test]
fn terminators() {
    let text = amdgpu(
        "declare i32 @personality(...)
define amdgpu_kernel void @f(i32 %n, ptr %target) personality ptr @personality {
entry:
  br i1 false, label %next, label %same
next:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br i1 poison, label %same, label %same
same:
  switch i32 %id, label %a [i32 0, label %b  i32 1, label %b]
a:
  indirectbr ptr %target, [label %b, label %invoke]
b:
  switch i32 %n, label %invoke [i32 0, label %quiet]
invoke:
  %x = invoke i32 @unknown(i32 0) to label %quiet unwind label %pad
quiet:
  %y = invoke i32 @unknown(i32 0) nounwind to label %branch unwind label %pad
branch:
  callbr void asm \"\", \"!i\"() to label %end [label %next]
end:
  ret void
pad:
  %caught = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %x: source() divergent
        %y: source() divergent
        %caught: source() divergent
        branch n2: on %id divergent
        branch n3: on %target uniform
        branch n4: on %n uniform
        branch n5: source divergent
        branch n7: source divergent
    "#]],
    );
}

#[test]
fn operands_of_phis() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(i32 %n, float %x) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %id, 3
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %same = phi i32 [7, %a], [7, %b]
  %other = phi i32 [7, %a], [8, %b]
  %null = phi ptr [null, %a], [zeroinitializer, %b]
  %literal = phi float [1.0, %a], [1.0, %b]
  %aggregate = phi { i32, ptr } [{ i32 1, ptr @unknown }, %a], [{ i32 1, ptr @unknown }, %b]
  %expression = phi ptr [getelementptr (i8, ptr @unknown, i64 4), %a], [getelementptr (i8, ptr @unknown, i64 8), %b]
  %undefined = phi i32 [%n, %a], [undef, %b]
  %poisoned = phi i32 [poison, %a], [undef, %b]
  br label %loop
loop:
  %itself = phi i32 [%n, %join], [%itself, %loop]
  %counter = phi i32 [0, %join], [%more, %loop]
  %more = add i32 %counter, 1
  br i1 %c, label %loop, label %end
end:
  %last = phi i32 [%counter, %loop]
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %c: pure(%id) divergent
        %same: phi(7, 7) uniform
        %other: phi(7, 8) divergent
        %null: phi(Constant(Null), Constant(Null)) uniform
        %literal: phi(1.0, 1.0) uniform
        %aggregate: phi(Constant(Aggregate(aggregate0)), Constant(Aggregate(aggregate0))) uniform
        %expression: phi(Constant(Expression(expression0)), Constant(Expression(expression1))) divergent
        %undefined: phi(%n) uniform
        %poisoned: phi() uniform
        %itself: phi(%n) uniform
        %counter: phi(0, %more) uniform
        %more: pure(%counter) uniform
        %last: phi(%counter) divergent
        branch n0: on %c divergent
        branch n4: on %c divergent
    "#]],
    );
}

#[test]
fn identities() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(i32 %n, float %x) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = xor i32 %id, %id
  %b = sub i32 %id, %id
  %c = and i32 %id, 0
  %d = mul i32 0, %id
  %e = icmp ule i32 %id, %id
  %g = or i32 %id, -1
  %h = urem i32 %id, 1
  %i = select i1 %e, i32 %n, i32 %n
  %j = select i1 false, i32 %id, i32 %n
  %k = shl i32 0, %id
  %y = uitofp i32 %id to float
  %not.a.zero = fsub float %y, %y
  %not.all.ones = or i32 %id, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %a: pure() uniform by ValueFacts
        %b: pure() uniform by ValueFacts
        %c: pure() uniform by ValueFacts
        %d: pure() uniform by ValueFacts
        %e: pure() uniform by ValueFacts
        %g: pure() uniform by ValueFacts
        %h: pure() uniform by ValueFacts
        %i: pure(%n) uniform by ValueFacts
        %j: pure(%n) uniform by ValueFacts
        %k: pure() uniform by ValueFacts
        %y: pure(%id) divergent
        %not.a.zero: pure(%y, %y) divergent
        %not.all.ones: pure(%id) divergent
    "#]],
    );
}

#[test]
fn a_variable_is_no_constant() {
    // What the variable holds at the start of the loop has no width that could be asked for.
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %i = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %tid, ptr %i
  br label %loop
loop:
  %a = load i32, ptr %i
  %b = or i32 %n, %a
  store i32 16, ptr %i
  br label %loop
}
",
    );
    check(
        &text,
        expect![[r#"
        %i: pure() uniform
        %tid: source() divergent
        *%i in %loop: phi(%tid, 16) divergent by PromotableAllocas
        %a: pure(*%i in %loop) divergent by PromotableAllocas
        %b: pure(%n, %a) divergent
    "#]],
    );
}

#[test]
fn a_value_that_begins_as_undef_and_depends_on_itself() {
    let text = nvptx(
        "define ptx_kernel void @f() {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %a = phi i32 [ undef, %entry ], [ %b, %loop ]
  %b = add i32 %a, 1
  %c = icmp slt i32 %b, %tid
  br i1 %c, label %loop, label %end
end:
  %d = add i32 %b, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %a: phi(%b) uniform
        %b: pure(%a) uniform
        %c: pure(%b, %tid) divergent
        %d: pure(%b) divergent
        branch n1: on %c divergent
    "#]],
    );
}

#[test]
fn only_what_is_certain() {
    let text = amdgpu(
        "define void @f(ptr addrspace(1) %p, i1 %c) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %b = load i32, ptr addrspace(1) %a
  %called = call i32 @unknown(i32 %id)
  %e = mul i32 %id, 2
  %g = add i32 %b, %called
  ret void
}
",
    );
    check_with(
        &text,
        LoweringOptions { certain_only: true, ..LoweringOptions::new(Scope::Subgroup) },
        expect![[r#"
        %id: source() divergent
        %a: pure(%p, %id) divergent
        %b: uniform() uniform
        %called: uniform() uniform
        %e: pure(%id) divergent
        %g: pure(%b, %called) uniform
    "#]],
    );
}

#[test]
fn what_llvm_would_not_accept() {
    let text = amdgpu(
        "define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i32 [0, %entry], [1, %elsewhere]
  ret void
elsewhere:
  %q = add i32 %q, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %c: source() divergent
        %p: source() divergent
        %q: pure(%q) uniform
        branch n0: on %c divergent
    "#]],
    );
}
