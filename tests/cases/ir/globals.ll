; Globals, aliases, ifuncs, comdats and functions: everything that can stand in their headers.
source_filename = "folder/glob\22als.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm "\09.globl from_assembly"
module asm "from_assembly: .byte 0x22 ; a \22quoted\22 comment"
module asm ""

$any = comdat any
$exact = comdat exactmatch
$large = comdat largest
$never = comdat nodeduplicate
$size = comdat samesize
$"quoted comdat" = comdat any
$self = comdat any

; --- linkage
@l.plain = global i32 1
@l.constant = constant i32 1
@l.private = private global i32 1
@l.internal = internal constant i32 1
@l.available = available_externally global i32 1
@l.linkonce = linkonce global i32 1
@l.weak = weak global i32 1
@l.common = common global i32 0
@l.appending = appending global [1 x i32] [i32 1]
@l.extern.weak = extern_weak global i32
@l.linkonce.odr = linkonce_odr global i32 1
@l.weak.odr = weak_odr constant i32 1
@l.external = external global i32
@l.external.constant = external constant [0 x i8]
@l.explicit = external global ptr

; --- preemption, visibility, storage classes, thread-local models
@p.local = dso_local global i32 1
@p.preemptable = dso_preemptable global i32 1
@v.default = default global i32 1
@v.hidden = hidden global i32 1
@v.protected = protected global i32 1
@v.all = weak_odr dso_local hidden local_unnamed_addr global i32 1
@d.import = external dllimport global i32
@d.export = dllexport global i32 1
@t.general = thread_local global i32 1
@t.local.dynamic = thread_local(localdynamic) global i32 1
@t.initial = thread_local(initialexec) global i32 1
@t.local.exec = internal thread_local(localexec) unnamed_addr global i32 1
@u.unnamed = unnamed_addr constant i32 1
@u.local = local_unnamed_addr constant i32 1

; --- address spaces, initialisers, properties after the comma
@a.space = addrspace(1) global i32 1
@a.external = external addrspace(4) constant [4 x i8]
@a.late = addrspace(3) externally_initialized global i32 undef, align 4
@s.section = global i32 1, section "my section"
@s.partition = global i32 1, partition "part"
@s.comdat = global i32 1, comdat($any)
@self = global i32 1, comdat
@s.align = global i32 1, align 65536
@s.model = global i32 1, code_model "large"
@s.tiny = global i32 1, code_model "tiny"
@s.all = weak_odr hidden global [2 x i8] c"ab", section ".data.x", comdat($any), align 8, code_model "small", !associated !0, !note !1
@s.address = global i32 1, no_sanitize_address
@s.hwaddress = global i32 1, no_sanitize_hwaddress
@s.memtag = global i32 1, sanitize_memtag
@s.dynamic = global i32 1, sanitize_address_dyninit, align 4
@s.attributes = global i32 1 #0
@s.attributes.named = constant i32 1, section ".rodata", align 4 #1
@"quoted name" = global i32 1
@"with \22quotes\22 and \5C" = global i32 1
@0 = global i32 10
@1 = private unnamed_addr constant [3 x i8] c"%s\00"
@-$._a0 = global ptr @0
@metadata = global i32 1, !absolute_symbol !2, !type !3

; --- aliases and ifuncs
@al.plain = alias i32, ptr @l.plain
@al.weak = weak_odr dso_local hidden thread_local(initialexec) unnamed_addr alias i32, ptr @t.initial
@al.inside = internal alias i8, getelementptr inbounds ([2 x i8], ptr @s.all, i64 0, i64 1)
@al.space = alias i32, ptr addrspace(1) @a.space
@al.cast = alias i32, addrspacecast (ptr addrspace(1) @a.space to ptr)
@al.function = alias void (i32, ...), ptr @f.defined
@al.alias = dllexport alias i32, ptr @al.plain
@al.partition = alias i32, ptr @l.plain, partition "part"
@al.int = alias i32, inttoptr (i64 ptrtoint (ptr @l.plain to i64) to ptr)
@if.plain = ifunc void (), ptr @resolver
@if.internal = internal ifunc i32 (i32), ptr @resolver
@if.partition = dso_local ifunc void (), ptr @resolver, partition "part", !note !1

define internal ptr @resolver() {
  ret ptr null
}

; --- functions
declare void @f.declared()
declare extern_weak void @f.extern.weak()
declare dllimport void @f.import()
declare dso_local protected void @f.local()
declare !note !1 !other !4 i32 @f.metadata()
declare void @f.unnamed.parameters(i32, ptr nocapture readonly, ...)
declare void @f.named.parameters(i32 %a, ptr noalias %b) unnamed_addr #0
declare void @f.gc() gc "statepoint-example"
declare void @f.aligned() align 32
declare void @"quoted function"()
declare void @2()

define void @f.defined(i32 %0, ...) {
  ret void
}
define private void @f.private() { ret void }
define internal fastcc void @f.internal() unnamed_addr #0 { ret void }
define available_externally void @f.available() { ret void }
define linkonce_odr hidden void @f.linkonce() local_unnamed_addr comdat($any) align 2 { ret void }
define weak_odr dllexport void @f.weak() comdat { ret void }
$f.weak = comdat any
define dso_local noalias noundef nonnull ptr @f.result(ptr returned %p) { ret ptr %p }
define void @f.everything(i32 %x) unnamed_addr addrspace(0) #0 section ".text.hot" partition "part" comdat($any) align 16 gc "shadow-stack" prefix i32 123 prologue i8 144 personality ptr @f.personality !note !1 {
  ret void
}
define void @f.inline.attributes() nounwind "frame-pointer"="all" memory(read, argmem: readwrite) #1 uwtable(sync) {
  ret void
}
define void @f.personality() align(8) { ret void }
define void @f.prefix.struct() prefix { i32, ptr } { i32 1, ptr @f.declared } { ret void }
define void @f.one.line(i32 %x) { %a = add i32 %x, 1 %b = add i32 %a, 1 ret void }
define void @f.body.on.next.line()
{
  ret void
}
define i32 @3(i32) {
  ret i32 %0
}
define preserve_mostcc void @f.space() addrspace(0) strictfp { ret void }

attributes #0 = { nounwind "key"="value" }
attributes #1 = { "only.string" }

!0 = !{ptr @l.plain}
!1 = !{!"a note"}
!2 = !{i64 0, i64 256}
!3 = !{i64 0, !"type.identifier"}
!4 = distinct !{}
