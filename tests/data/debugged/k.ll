target triple = "spir64"

define spir_kernel void @k(ptr addrspace(1) %0, i32 %1) #0 !dbg !4 {
    #dbg_value(i32 %1, !6, !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef), !8)
  %3 = call spir_func i64 @_Z12get_local_idj(i32 0) #0, !dbg !9
  %4 = trunc i64 %3 to i32, !dbg !9
    #dbg_value(i32 %4, !7, !DIExpression(), !8)
  %5 = icmp sgt i32 %1, %4, !dbg !10
  br i1 %5, label %6, label %7, !dbg !10

6:
  call spir_func void @_Z7barrierj(i32 1) #0, !dbg !11
  br label %7, !dbg !11

7:
  %8 = sext i32 %4 to i64, !dbg !12
  %9 = getelementptr i32, ptr addrspace(1) %0, i64 %8, !dbg !12
  store i32 %1, ptr addrspace(1) %9, !dbg !13
  ret void, !dbg !14
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) #0

attributes #0 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: "/build")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DILocalVariable(name: "n", arg: 2, scope: !4, file: !1, line: 1, type: !5)
!7 = !DILocalVariable(name: "i", scope: !4, file: !1, line: 2, type: !5)
!8 = !DILocation(line: 0, scope: !4)
!9 = !DILocation(line: 2, column: 11, scope: !4)
!10 = !DILocation(line: 3, column: 9, scope: !4)
!11 = !DILocation(line: 4, column: 5, scope: !4)
!12 = !DILocation(line: 5, column: 3, scope: !4)
!13 = !DILocation(line: 5, column: 8, scope: !4)
!14 = !DILocation(line: 6, column: 1, scope: !4)
