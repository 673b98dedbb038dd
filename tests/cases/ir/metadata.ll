; Metadata: nodes of every shape, attachments, strings, debug information and debug records.
source_filename = "metadata.c"

declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.use.metadata(metadata)
declare void @opaque(i32)

@g = global i32 0, !dbg !10
@plain = global i32 0, !custom !{!"inline", i32 1}

define i32 @f(i32 %x, ptr %p) !dbg !20 !prof !{!"function_entry_count", i64 10} {
entry:
  %slot = alloca i32, align 4, !DIAssignID !60
    #dbg_assign(i1 undef, !25, !DIExpression(), !60, ptr %slot, !DIExpression(), !40)
    #dbg_value(i32 %x, !24, !DIExpression(), !40)
    #dbg_value(i32 poison, !24, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !40)
    #dbg_value(!DIArgList(i32 %x, i32 7, i32 poison), !24, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !40)
    #dbg_value(!DIArgList(), !24, !DIExpression(), !40)
    #dbg_value(!{}, !24, !DIExpression(), !40)
    #dbg_declare(ptr %slot, !25, !DIExpression(DW_OP_deref, DW_OP_LLVM_fragment, 0, 16), !41)
    #dbg_label(!26, !40)
  store i32 %x, ptr %slot, align 4, !dbg !40, !DIAssignID !61, !tbaa !70
    #dbg_assign(i32 %x, !25, !DIExpression(), !61, ptr %slot, !DIExpression(DW_OP_plus_uconst, 0), !DILocation(line: 9, column: 1, scope: !20))
  call void @opaque(i32 %x), !dbg !DILocation(line: 5, column: 12, scope: !21)
  %c = icmp eq i32 %x, 3, !dbg !42
  br i1 %c, label %loop, label %exit, !dbg !43, !prof !72
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], !dbg !44
    #dbg_value(i32 %i, !24, !DIExpression(DW_OP_constu, 2, DW_OP_swap, DW_OP_minus, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_LLVM_convert, 64, DW_ATE_signed, DW_OP_stack_value), !44)
  %next = add i32 %i, 1, !dbg !45, !my.kind !73, !quoted\20kind !74
  %more = icmp ult i32 %next, %x
  br i1 %more, label %loop, label %exit, !llvm.loop !75
exit:
  %r = load i32, ptr %p, !range !{i32 0, i32 5, i32 8, i32 10}, !noundef !{}, !alias.scope !80, !noalias !80
  ret i32 %r, !dbg !46

}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4, !4}
!named.empty = !{}
!quoted\20name = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !5, producer: "a \22producer\22 {with} (brackets)", isOptimized: true, flags: "-O1", runtimeVersion: 0, splitDebugFilename: "x.dwo", emissionKind: FullDebug, enums: !{!50}, retainedTypes: !{!51}, globals: !{!10}, imports: !{!55}, macros: !{!56}, dwoId: 1, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: GNU, rangesBaseAddress: false, sysroot: "/", sdk: "s")
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{!"ident; !not {a} node"}
!5 = !DIFile(filename: "metadata.c", directory: "src\5Cdir", checksumkind: CSK_MD5, checksum: "0123456789abcdef0123456789abcdef", source: "int x;\0A")
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DISubroutineType(types: !{!6, !6, null})
!8 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "decltype(nullptr)")
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "g", linkageName: "_g", scope: !0, file: !5, line: 1, type: !6, isLocal: false, isDefinition: true, align: 32)
!20 = distinct !DISubprogram(keyInstructions: true, name: "f", linkageName: "_f", scope: !5, file: !5, line: 3, type: !7, scopeLine: 4, virtualIndex: 6, thisAdjustment: 0, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, templateParams: !{!57, !58}, retainedNodes: !{!24, !25, !26}, thrownTypes: !{!6}, annotations: !{!{!"tag", !"value"}}, targetFuncName: "t")
!21 = distinct !DILexicalBlock(scope: !20, file: !5, line: 5, column: 3)
!22 = !DILexicalBlockFile(scope: !21, file: !5, discriminator: 2)
!24 = !DILocalVariable(name: "x", arg: 1, scope: !20, file: !5, line: 3, type: !6, flags: DIFlagArtificial, align: 8)
!25 = !DILocalVariable(name: "slot", scope: !20, file: !5, line: 4, type: !51)
!26 = !DILabel(scope: !20, name: "again", file: !5, line: 6)
!40 = !DILocation(line: 3, column: 7, scope: !20)
!41 = !DILocation(line: 4, column: 7, scope: !20, isImplicitCode: true)
!42 = !DILocation(line: 4294967295, column: 65535, scope: !22)
!43 = !DILocation(line: 7, scope: !21)
!44 = !DILocation(line: 0, scope: !21)
!45 = distinct !DILocation(line: 8, column: 1, scope: !47, inlinedAt: !48)
!46 = !DILocation(line: 10, column: 2, scope: !20, atomGroup: 1, atomRank: 2)
!47 = distinct !DISubprogram(name: "inlined", scope: !5, file: !5, line: 30, type: !7, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0)
!48 = distinct !DILocation(line: 8, column: 3, scope: !20)
!50 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !5, line: 1, baseType: !6, size: 32, flags: DIFlagEnumClass, elements: !{!DIEnumerator(name: "A", value: 0), !DIEnumerator(name: "B", value: 18446744073709551615, isUnsigned: true)})
!51 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !52, size: 64, dwarfAddressSpace: 1)
!52 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !5, line: 2, size: 128, align: 64, elements: !{!53, !54}, identifier: "_s")
!53 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !52, file: !5, line: 2, baseType: !6, size: 32, offset: 32, flags: DIFlagPublic | DIFlagBitField, extraData: i64 4)
!54 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 96, elements: !{!DISubrange(count: 3, lowerBound: 1), !DISubrange(count: !24), !DISubrange(lowerBound: !DIExpression(DW_OP_push_object_address), upperBound: 5, stride: 4), !DIGenericSubrange(lowerBound: !DIExpression(DW_OP_consts, 1), upperBound: !DIExpression(DW_OP_consts, 2), stride: !DIExpression(DW_OP_consts, 4))})
!55 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "i", scope: !0, entity: !59, file: !5, line: 1)
!56 = !DIMacroFile(line: 0, file: !5, nodes: !{!DIMacro(type: DW_MACINFO_define, line: 1, name: "M", value: "(x) \22y\22"), !DIMacro(type: DW_MACINFO_undef, line: 2, name: "M")})
!57 = !DITemplateTypeParameter(name: "T", type: !6, defaulted: true)
!58 = !DITemplateValueParameter(tag: DW_TAG_template_value_parameter, name: "N", type: !6, value: i32 7)
!59 = !DIModule(scope: null, name: "m", configMacros: "-D", includePath: "/", apinotes: "n", file: !5, line: 3, isDecl: true)
!60 = distinct !DIAssignID()
!61 = distinct !DIAssignID()
!62 = !DINamespace(name: "n", scope: null, exportSymbols: true)
!63 = !DICommonBlock(scope: !20, declaration: !11, name: "c", file: !5, line: 1)
!64 = !DIObjCProperty(name: "p", file: !5, line: 1, setter: "s", getter: "g", attributes: 7, type: !6)
!65 = !DIStringType(name: "string", stringLength: !24, stringLengthExpression: !DIExpression(), size: 32, encoding: DW_ATE_UTF)
!66 = !GenericDINode(tag: DW_TAG_entry_point, header: "h\00i", operands: {!4, null, !{}})
!67 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !51, ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: true, ptrAuthExtraDiscriminator: 1234, ptrAuthIsaPointer: false, ptrAuthAuthenticatesNullValues: true)
!68 = !DISubrangeType(name: "r", size: 32, baseType: !6, lowerBound: i64 -1, upperBound: i64 9)
!69 = !DIFixedPointType(name: "fix", size: 32, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!70 = !{!71, !71, i64 0}
!71 = !{!"int", !76, i64 0}
!72 = !{!"branch_weights", i32 3, i32 4}
!73 = !{null, i32 1, float 2.0, ptr @g, ptr null, !"", !"\00\FF\22\5C", !{!{}, !{!4}}, i1 true, <2 x i32> <i32 1, i32 2>, { i8, ptr } { i8 1, ptr @f }, [2 x i8] c"ab"}
!74 = distinct !{}
!75 = distinct !{!75, !77, !{!"llvm.loop.unroll.count", i32 4}}
!76 = !{!"char", !78, i64 0}
!77 = !{!"llvm.loop.mustprogress"}
!78 = !{!"root"}
!80 = !{!81}
!81 = distinct !{!81, !82, !"scope"}
!82 = distinct !{!82, !"domain"}
!4294967295 = !{!"far"}
!90 = !{!91, !90}
!91 = distinct !{!90}
!llvm.last = !{!66, !62, !63, !64, !65, !67, !68, !69, !8, !90, !4294967295, !DIExpression(DW_OP_deref)}
