//! Variables, loads, and where pointers come from.

use expect_test::expect;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;

use crate::uniformity_lowering::common::{amdgpu, check, check_with, nvptx, without};

#[test]
fn where_generic_pointers_come_from() {
    let text = nvptx(
        "@table = addrspace(1) global [4 x ptr] zeroinitializer
@shared = addrspace(3) global i32 0
define ptx_kernel void @f(ptr %argument, ptr byval(i32) %copy, ptr readonly byval({ ptr, i32 }) %fields, ptr addrspace(4) %constant, i1 %c) {
entry:
  %own = alloca i32
  %other = alloca i32
  store ptr %own, ptr %argument
  %a = load i32, ptr %argument
  %b = load i32, ptr %copy
  %field = getelementptr inbounds { ptr, i32 }, ptr %fields, i32 0, i32 0
  %pointer = load ptr, ptr %field
  %through = load i32, ptr %pointer
  %d = load i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %e = load i32, ptr %own
  %read = load ptr, ptr %argument
  %g = load i32, ptr %read
  %host = load ptr, ptr addrspace(4) %constant
  %h = load i32, ptr %host
  %never.written = load ptr, ptr %argument, !invariant.load !0
  %i = load i32, ptr %never.written
  br label %loop
loop:
  %p = phi ptr [%argument, %entry], [%next, %loop]
  %q = phi ptr [%argument, %entry], [%mixed, %loop]
  %next = getelementptr i32, ptr %p, i64 1
  %mixed = select i1 %c, ptr %q, ptr %other
  %j = load i32, ptr %p
  %k = load i32, ptr %q
  %l = load volatile i32, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
}
!0 = !{}
",
    );
    check(
        &text,
        expect![[r#"
            %own: pure() uniform
            %other: pure() uniform
            %a: varying(%argument) uniform by Provenance
            %b: varying(%copy) uniform by Provenance
            %field: pure(%fields) uniform
            %pointer: varying(%field) uniform by Provenance
            %through: varying(%pointer) uniform by Provenance
            %d: varying() uniform by Provenance
            %e: source() divergent
            %read: varying(%argument) uniform by Provenance
            %g: source() divergent
            %host: pure(%constant) uniform
            %h: varying(%host) uniform by Provenance
            %never.written: pure(%argument) uniform by Provenance
            %i: varying(%never.written) uniform by Provenance
            %p: phi(%argument, %next) uniform
            %q: phi(%argument, %mixed) uniform
            %next: pure(%p) uniform
            %mixed: pure(%c, %q, %other) uniform
            %j: varying(%p) uniform by Provenance
            %k: source() divergent
            %l: varying(%p) uniform by Provenance
            branch n1: on %c uniform
        "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
            %own: pure() uniform
            %other: pure() uniform
            %a: varying(%argument) uniform by Provenance
            %b: varying(%copy) uniform by Provenance
            %field: pure(%fields) uniform
            %pointer: varying(%field) uniform by Provenance
            %through: varying(%pointer) uniform by Provenance
            %d: source() divergent
            %e: source() divergent
            %read: varying(%argument) uniform by Provenance
            %g: source() divergent
            %host: pure(%constant) uniform
            %h: varying(%host) uniform by Provenance
            %never.written: pure(%argument) uniform by Provenance
            %i: varying(%never.written) uniform by Provenance
            %p: phi(%argument, %next) uniform
            %q: phi(%argument, %mixed) uniform
            %next: pure(%p) uniform
            %mixed: pure(%c, %q, %other) uniform
            %j: varying(%p) uniform by Provenance
            %k: source() divergent
            %l: source() divergent
            branch n1: on %c uniform
        "#]],
    );
}

#[test]
fn variables_become_values() {
    // As clang writes it at -O0 for AMD GPUs.
    let text = amdgpu(
        "declare void @llvm.lifetime.start.p5(ptr addrspace(5))
define amdgpu_kernel void @f(i32 %n) {
entry:
  %n.addr = alloca i32, addrspace(5)
  %i = alloca i32, addrspace(5)
  %v = alloca i32, addrspace(5)
  %unset = alloca i32, addrspace(5)
  %n.cast = addrspacecast ptr addrspace(5) %n.addr to ptr
  %i.cast = addrspacecast ptr addrspace(5) %i to ptr
  %v.cast = addrspacecast ptr addrspace(5) %v to ptr
  store i32 %n, ptr %n.cast
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %i)
  store i32 0, ptr %i.cast
  %u = load i32, ptr addrspace(5) %unset
  br label %header
header:
  %a = load i32, ptr %i.cast
  %b = load i32, ptr %n.cast
  %c = icmp slt i32 %a, %b
  br i1 %c, label %body, label %end
body:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %d = icmp eq i32 %id, 0
  br i1 %d, label %then, label %else
then:
  store i32 1, ptr %v.cast
  br label %join
else:
  store i32 2, ptr %v.cast
  br label %join
join:
  %e = load i32, ptr %v.cast
  %g = load i32, ptr %i.cast
  %h = add i32 %g, 1
  store i32 %h, ptr %i.cast
  br label %header
end:
  %j = load i32, ptr %i.cast
  ret void
dead:
  %k = load i32, ptr %i.cast
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %n.addr: pure() uniform
        %i: pure() uniform
        %v: pure() uniform
        %unset: pure() uniform
        %n.cast: pure(%n.addr) uniform
        %i.cast: pure(%i) uniform
        %v.cast: pure(%v) uniform
        %u: pure() uniform by PromotableAllocas
        *%i in %header: phi(0, %h) uniform by PromotableAllocas
        *%v in %header: phi(*%v in %join) divergent by PromotableAllocas
        %a: pure(*%i in %header) uniform by PromotableAllocas
        %b: pure(%n) uniform by PromotableAllocas
        %c: pure(%a, %b) uniform
        %id: source() divergent
        %d: pure(%id) divergent
        *%v in %join: phi(1, 2) divergent by PromotableAllocas
        %e: pure(*%v in %join) divergent by PromotableAllocas
        %g: pure(*%i in %header) uniform by PromotableAllocas
        %h: pure(%g) uniform
        %j: pure(*%i in %header) uniform by PromotableAllocas
        %k: pure() uniform by PromotableAllocas
        branch n1: on %c uniform
        branch n2: on %d divergent
    "#]],
    );
    check_with(
        &text,
        without(|refinements| refinements.promotable_allocas = false),
        expect![[r#"
        %n.addr: pure() uniform
        %i: pure() uniform
        %v: pure() uniform
        %unset: pure() uniform
        %n.cast: pure(%n.addr) uniform
        %i.cast: pure(%i) uniform
        %v.cast: pure(%v) uniform
        %u: source() divergent
        %a: source() divergent
        %b: source() divergent
        %c: pure(%a, %b) divergent
        %id: source() divergent
        %d: pure(%id) divergent
        %e: source() divergent
        %g: source() divergent
        %h: pure(%g) divergent
        %j: source() divergent
        %k: source() uniform
        branch n1: on %c divergent
        branch n2: on %d divergent
    "#]],
    );
}

#[test]
fn loads_of_one_value_are_one_value() {
    // Both edges into the join carry what the variable holds.
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %x = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %n, 3
  store i32 %m, ptr %x
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %a, label %b
a:
  %0 = load i32, ptr %x
  br label %join
b:
  %1 = load i32, ptr %x
  br label %join
join:
  %2 = phi i32 [%0, %a], [%1, %b]
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %x: pure() uniform
        %tid: source() divergent
        %m: pure(%n) uniform
        %c: pure(%tid) divergent
        %0: pure(%m) uniform by PromotableAllocas
        %1: pure(%m) uniform by PromotableAllocas
        %2: phi(%m, %m) uniform
        branch n0: on %c divergent
    "#]],
    );
}

#[test]
fn members_become_values() {
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %members = alloca { i8, i32, [2 x i32] }
  %overlaps = alloca { i32, i32 }
  %copied = alloca { i32, i32 }
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %second = getelementptr { i8, i32, [2 x i32] }, ptr %members, i32 0, i32 1
  store i32 %n, ptr %second
  %last = getelementptr i8, ptr %members, i64 12
  store i32 %tid, ptr %last
  %again = getelementptr { i8, i32, [2 x i32] }, ptr %members, i32 0, i32 2, i64 1
  %a = load i32, ptr %again
  %b = load i32, ptr %second
  store i32 %n, ptr %overlaps
  %middle = getelementptr i8, ptr %overlaps, i64 2
  store i32 %tid, ptr %middle
  %c = load i32, ptr %overlaps
  store i32 %n, ptr %copied
  %other = getelementptr { i32, i32 }, ptr %copied, i32 0, i32 1
  store i32 %tid, ptr %other
  %d = load { i32, i32 }, ptr %copied
  %e = load i32, ptr %copied
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %members: pure() uniform
            %overlaps: pure() uniform
            %copied: pure() uniform
            %tid: source() divergent
            %second: pure(%members) uniform
            %last: pure(%members) uniform
            %again: pure(%members) uniform
            %a: pure(%tid) divergent by PromotableAllocas
            %b: pure(%n) uniform by PromotableAllocas
            Written { alloca: inst1, by: inst11 }: varying(%n, %overlaps) uniform by PromotableAllocas
            %middle: pure(%overlaps) uniform
            Written { alloca: inst1, by: inst13 }: varying(Written { alloca: inst1, by: inst11 }, %tid, %middle) divergent by PromotableAllocas
            %c: varying(%overlaps, %n, %overlaps, %tid, %middle) divergent by PromotableAllocas
            Written { alloca: inst2, by: inst15 }: varying(%n, %copied) uniform by PromotableAllocas
            %other: pure(%copied) uniform
            Written { alloca: inst2, by: inst17 }: varying(Written { alloca: inst2, by: inst15 }, %tid, %other) divergent by PromotableAllocas
            %d: varying(%copied, %n, %copied, %tid, %other) divergent by PromotableAllocas
            %e: varying(%copied, %n, %copied, %tid, %other) divergent by PromotableAllocas
        "#]],
    );
}

#[test]
fn variables_that_stay_in_memory() {
    let text = nvptx(
        "declare void @escape(ptr)
define ptx_kernel void @f(i32 %n, i1 %c) {
entry:
  %volatile = alloca i32
  %escapes = alloca i32
  %stored = alloca ptr
  %typed = alloca i32
  %indexed = alloca [2 x i32]
  %kept = alloca ptr
  store volatile i32 %n, ptr %volatile
  store i32 %n, ptr %escapes
  call void @escape(ptr %escapes)
  store ptr %stored, ptr %kept
  store i32 %n, ptr %typed
  %a = load i32, ptr %volatile
  %b = load i32, ptr %escapes
  %d = load ptr, ptr %stored
  %e = load float, ptr %typed
  %g = getelementptr i32, ptr %indexed, i32 1
  %h = load i32, ptr %g
  %i = load ptr, ptr %kept
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %volatile: pure() uniform
            %escapes: pure() uniform
            %stored: pure() uniform
            %typed: pure() uniform
            %indexed: pure() uniform
            %kept: pure() uniform
            Written { alloca: inst0, by: inst6 }: varying(%n, %volatile) uniform by PromotableAllocas
            Written { alloca: inst3, by: inst10 }: varying(%n, %typed) uniform by PromotableAllocas
            %a: varying(Written { alloca: inst0, by: inst6 }, %volatile) uniform by PromotableAllocas
            %b: source() divergent
            %d: varying(%stored) uniform by PromotableAllocas
            %e: varying(%typed, %n, %typed) uniform by PromotableAllocas
            %g: pure(%indexed) uniform
            %h: pure() uniform by PromotableAllocas
            %i: pure(%stored) uniform by PromotableAllocas
        "#]],
    );
}

#[test]
fn calls_that_read_memory() {
    let text = amdgpu(
        "declare <2 x i32> @llvm.masked.load.v2i32.p5(ptr addrspace(5), <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p3(ptr addrspace(3), <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p5(<2 x ptr addrspace(5)>, <2 x i1>, <2 x i32>)
define amdgpu_kernel void @f(ptr %p, ptr addrspace(3) %shared, <2 x ptr addrspace(1)> %many, <2 x ptr addrspace(5)> %ours) {
  %array = alloca [4 x i32], addrspace(5)
  %own = call <2 x i32> @llvm.masked.load.v2i32.p5(ptr addrspace(5) %array, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %local = call <2 x i32> @llvm.masked.load.v2i32.p3(ptr addrspace(3) %shared, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %flat = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %gathered = call <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)> %many, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %scattered = call <2 x i32> @llvm.masked.gather.v2i32.v2p5(<2 x ptr addrspace(5)> %ours, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %array: pure() uniform
        %own: source() divergent
        %local: varying(%shared) uniform
        %flat: varying(%p) uniform by Provenance
        %gathered: varying(%many) uniform
        %scattered: source() divergent
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
        %array: pure() uniform
        %own: source() divergent
        %local: source() divergent
        %flat: varying(%p) uniform by Provenance
        %gathered: varying(%many) uniform
        %scattered: source() divergent
    "#]],
    );
}

#[test]
fn atomic_loads() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr %p, ptr addrspace(1) %global, ptr addrspace(4) %constant) {
  %flat = load atomic i32, ptr %p monotonic, align 4
  %counter = load atomic i32, ptr addrspace(1) %global monotonic, align 4
  %volatile = load volatile i32, ptr addrspace(1) %global
  %plain = load i32, ptr addrspace(1) %global
  %same = load volatile i32, ptr addrspace(4) %constant
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %flat: varying(%p) uniform by Provenance
        %counter: varying(%global) uniform
        %volatile: varying(%global) uniform
        %plain: varying(%global) uniform
        %same: varying(%constant) uniform
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %flat: source() divergent
        %counter: source() divergent
        %volatile: source() divergent
        %plain: varying(%global) uniform
        %same: varying(%constant) uniform
    "#]],
    );
}
