source_filename = "llvm15-style.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@old = dso_local local_unnamed_addr global i32 0, align 4
@llvm.used = appending global [1 x ptr] [ptr @old], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @constructor, ptr null }]
declare i64 @length(ptr nocapture noundef readonly) local_unnamed_addr #0
declare void @one() readnone
declare void @two() readonly
declare void @three() writeonly
declare void @four() argmemonly
declare void @five() inaccessiblememonly
declare void @six() inaccessiblemem_or_argmemonly readonly
declare void @seven(ptr nocapture writeonly) argmemonly writeonly
declare void @llvm.dbg.value(metadata, metadata, metadata) #2
declare void @llvm.dbg.declare(metadata, metadata, metadata) #2
declare void @llvm.dbg.label(metadata) #2
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #2
declare i32 @llvm.bitreverse.i32(i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg)
declare i32 @llvm.nvvm.clz.i(i32)
declare i32 @llvm.nvvm.popc.i(i32)
declare i32 @llvm.amdgcn.atomic.inc.i32.p1(ptr addrspace(1), i32, i32, i32, i1)
declare void @llvm.nvvm.barrier0() convergent
attributes #0 = { argmemonly mustprogress nofree nounwind readonly willreturn "frame-pointer"="none" }
attributes #1 = { mustprogress nofree nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { argmemonly nocallback nofree nosync nounwind willreturn }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!llvm.ident = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "clang version 15", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "llvm15-style.c", directory: "src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"uwtable", i32 2}
!6 = !{!"clang version 15"}
!10 = distinct !DISubprogram(name: "debug", scope: !1, file: !1, line: 1, type: !11, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !14)
!11 = !DISubroutineType(types: !12)
!12 = !{!13, !13, !21}
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !{!15, !16}
!15 = !DILocalVariable(name: "x", arg: 1, scope: !10, file: !1, line: 1, type: !13)
!16 = !DILocalVariable(name: "p", arg: 2, scope: !10, file: !1, line: 1, type: !21)
!17 = !DILocation(line: 0, scope: !10)
!18 = !DILocation(line: 2, column: 10, scope: !10)
!19 = !DILabel(scope: !10, name: "again", file: !1, line: 2)
!20 = !{i64 0, i64 4, !22}
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !13, size: 64)
!22 = !{!23, !23, i64 0}
!23 = !{!"int", !24, i64 0}
!24 = !{!"omnipotent char", !25, i64 0}
!25 = !{!"Simple C/C++ TBAA"}

define internal void @constructor() #1 {
b.0:
  ret void
}

define dso_local i32 @debug(i32 noundef %x, ptr nocapture noundef %p) local_unnamed_addr #1 !dbg !10 {
b.0:
  call void @llvm.dbg.value(metadata i32 %x, metadata !15, metadata !DIExpression()), !dbg !17
  call void @llvm.dbg.declare(metadata ptr %p, metadata !16, metadata !DIExpression()), !dbg !18
  %v.1 = add nsw i32 %x, 1, !dbg !18
  call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 %1), metadata !15, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !17
  call void @llvm.dbg.label(metadata !19), !dbg !18
  call void @llvm.dbg.value(metadata i32 undef, metadata !15, metadata !DIExpression()), !dbg !17
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %p)
  %v.2 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %v.2)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %v.2, ptr align 4 %p, i64 4, i1 false), !tbaa.struct !20
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %v.2)
  %v.3 = call i32 @llvm.ctlz.i32(i32 %v.1, i1 true)
  %v.4 = call i32 @llvm.bitreverse.i32(i32 %v.3)
  ret i32 %v.4, !dbg !18
}

define  i64 @old.intrinsics(ptr %p, ptr addrspace(1) %g, i32 %x, float %f)  {
b.0:
  %v.1 = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %v.1, i1 false)
  %v.2 = atomicrmw add ptr addrspace(1) %g, i32 %x syncscope("agent-one-as") monotonic, align 4
  %v.3 = call i32 @llvm.nvvm.clz.i(i32 %x)
  %v.4 = call i32 @llvm.nvvm.popc.i(i32 %v.3) [ "convergencectrl"(token none) ]
  %v.5 = call i32 @llvm.amdgcn.atomic.inc.i32.p1(ptr addrspace(1) %g, i32 %v.4, i32 0, i32 0, i1 false)
  call void @llvm.nvvm.barrier0()
  ret i64 %v.1
}
