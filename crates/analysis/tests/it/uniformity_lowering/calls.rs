//! Calls: of local functions, and of those that the target knows.

use expect_test::expect;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;

use crate::uniformity_lowering::common::{check, check_with, nvptx, without};

#[test]
fn calls_of_local_functions() {
    let text = nvptx(
        "define internal i32 @square(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define internal i32 @early(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 2
}
define internal i32 @who() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %tid
}
define internal i32 @recursive(i32 %x) {
  %y = call i32 @recursive(i32 %x)
  ret i32 %y
}
define internal i32 @address(i32 %x) {
  ret i32 %x
}
define internal i32 @addressed() {
  ret i32 0
}
@pointer = global ptr @addressed
define internal i32 @middle(i32 %x) {
  %y = call i32 @square(i32 %x)
  ret i32 %y
}
define internal i32 @block(i32 %x, i32 %unused) {
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = add i32 %x, %ctaid
  ret i32 %y
}
define internal i32 @read(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
define i32 @external(i32 %x) {
  ret i32 %x
}
define ptx_kernel void @f(i32 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @square(i32 %n)
  %b = call i32 @square(i32 %tid)
  %c = call i32 @early(i32 %n)
  %d = call i32 @early(i32 %tid)
  %e = call i32 @who()
  %g = call i32 @recursive(i32 %n)
  store ptr @address, ptr %p
  %h = call i32 @address(i32 %n)
  %i = call i32 @addressed()
  %j = call i32 @middle(i32 %n)
  %k = call i32 @external(i32 %n)
  %l = call i32 @block(i32 %n, i32 %tid)
  %m = call i32 @read(ptr %p)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %a: varying(%n) uniform by Interprocedural
            %b: varying(%tid) divergent by Interprocedural
            %c: varying(%n) uniform by Interprocedural
            %d: varying(%tid) divergent by Interprocedural
            %e: source() divergent
            %g: source() divergent
            %h: varying(%n) uniform by Interprocedural
            %i: varying() uniform by Interprocedural
            %j: varying(%n) uniform by Interprocedural
            %k: varying(%n) uniform by Interprocedural
            %l: varying(%n) uniform by Interprocedural
            %m: varying(%p) uniform by Interprocedural
        "#]],
    );
    check_with(
        &text,
        without(|refinements| refinements.interprocedural = false),
        expect![[r#"
        %tid: source() divergent
        %a: source() divergent
        %b: source() divergent
        %c: source() divergent
        %d: source() divergent
        %e: source() divergent
        %g: source() divergent
        %h: source() divergent
        %i: source() divergent
        %j: source() divergent
        %k: source() divergent
        %l: source() divergent
        %m: source() divergent
    "#]],
    );
}

const CALLEE: &str = "define internal i32 @f(i32 %x, i32 %y, ptr %p, i32 %in.loop) {
  %a = add i32 %x, 1
  %b = add i32 %y, 1
  %c = load i32, ptr %p
  ret i32 %c
}
define internal i32 @between(i32 %z, ptr %q) {
  %r = call i32 @f(i32 %z, i32 0, ptr %q, i32 0)
  ret i32 %r
}
define ptx_kernel void @k(i32 %n, ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%more, %loop]
  %more = add i32 %i, 1
  %c = icmp slt i32 %i, %tid
  br i1 %c, label %loop, label %end
end:
  %r = call i32 @f(i32 %n, i32 %tid, ptr %p, i32 %i)
  %s = call i32 @between(i32 %n, ptr %p)
  ret void
}
";

#[test]
fn parameters_of_local_functions() {
    check(
        &nvptx(CALLEE),
        expect![[r#"
        %x: constant() uniform by Interprocedural
        %y: source() divergent
        %p: constant() uniform by Interprocedural
        %in.loop: source() divergent
        %a: pure(%x) uniform
        %b: pure(%y) divergent
        %c: varying(%p) uniform by Provenance
    "#]],
    );
}

#[test]
fn operands_of_calls_that_count() {
    let text = nvptx(
        "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
define ptx_kernel void @f(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)
  %nth = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 %n, i32 31)
  %own = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 %tid, i32 31)
  %half = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 4127)
  %some = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 %n)
  %low = icmp eq i32 %tid, 0
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %low)
  %those = call i32 @llvm.nvvm.vote.ballot.sync(i32 %tid, i1 true)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %first: varying() uniform
            %nth: varying(%n) uniform
            %own: varying(%tid) divergent
            %half: source() divergent
            %some: source() divergent
            %low: pure(%tid) divergent
            %all: varying() uniform
            %those: varying(%tid) divergent
        "#]],
    );
}

#[test]
fn scopes_and_variables_of_spirv() {
    let text = "target triple = \"spirv64-unknown-unknown\"
@__spirv_BuiltInLocalInvocationId = external addrspace(1) constant <3 x i64>
@__spirv_BuiltInWorkgroupId = external addrspace(1) constant <3 x i64>
@__spirv_BuiltInSubgroupId = external addrspace(1) constant i32
@ordinary = external addrspace(1) constant i32
declare i32 @_Z22__spirv_GroupBroadcastjjj(i32, i32, i32)
declare i32 @_Z17__spirv_GroupIAddjjj(i32, i32, i32)
define spir_kernel void @f(i32 %n) {
  %ids = load <3 x i64>, ptr addrspace(1) @__spirv_BuiltInLocalInvocationId
  %y = load i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__spirv_BuiltInLocalInvocationId, i64 8)
  %group = load <3 x i64>, ptr addrspace(1) @__spirv_BuiltInWorkgroupId
  %subgroup = load i32, ptr addrspace(1) @__spirv_BuiltInSubgroupId
  %other = load i32, ptr addrspace(1) @ordinary
  %x = extractelement <3 x i64> %ids, i32 0
  %at = getelementptr i64, ptr addrspace(1) @__spirv_BuiltInWorkgroupId, i64 %x
  %mine = load i64, ptr addrspace(1) %at
  %id = trunc i64 %x to i32
  %of.workgroup = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 2, i32 %id, i32 0)
  %of.subgroup = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 3, i32 %id, i32 0)
  %of.either = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 %n, i32 %id, i32 0)
  %sum = call i32 @_Z17__spirv_GroupIAddjjj(i32 2, i32 0, i32 %id)
  %scan = call i32 @_Z17__spirv_GroupIAddjjj(i32 2, i32 1, i32 %id)
  ret void
}
";
    check(
        text,
        expect![[r#"
        %ids: source() divergent
        %y: source() divergent
        %group: pure() uniform
        %subgroup: pure() uniform
        %other: varying() uniform
        %x: pure(%ids) divergent
        %at: pure(%x) divergent
        %mine: pure(%at) divergent
        %id: pure(%x) divergent
        %of.workgroup: uniform() uniform
        %of.subgroup: uniform() uniform
        %of.either: uniform() uniform
        %sum: varying() uniform
        %scan: source() divergent
    "#]],
    );
    check_with(
        text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %ids: source() divergent
        %y: source() divergent
        %group: pure() uniform
        %subgroup: source() divergent
        %other: varying() uniform
        %x: pure(%ids) divergent
        %at: pure(%x) divergent
        %mine: pure(%at) divergent
        %id: pure(%x) divergent
        %of.workgroup: uniform() uniform
        %of.subgroup: source() divergent
        %of.either: source() divergent
        %sum: varying() uniform
        %scan: source() divergent
    "#]],
    );
    check_with(
        text,
        LoweringOptions { certain_only: true, ..LoweringOptions::new(Scope::Workgroup) },
        expect![[r#"
            %ids: source() divergent
            %y: source() divergent
            %group: pure() uniform
            %subgroup: uniform() uniform
            %other: uniform() uniform
            %x: pure(%ids) divergent
            %at: pure(%x) divergent
            %mine: pure(%at) divergent
            %id: pure(%x) divergent
            %of.workgroup: uniform() uniform
            %of.subgroup: uniform() uniform
            %of.either: uniform() uniform
            %sum: uniform() uniform
            %scan: uniform() uniform
        "#]],
    );
}
