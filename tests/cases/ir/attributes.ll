; Attributes of functions, parameters and results, one at a time and in groups.

declare void @f0() unnamed_addr alwaysinline
declare void @f1() unnamed_addr cold
declare void @f2() unnamed_addr convergent
declare void @f3() unnamed_addr coro_elide_safe
declare void @f4() unnamed_addr coro_only_destroy_when_complete
declare void @f5() unnamed_addr disable_sanitizer_instrumentation
declare void @f6() unnamed_addr fn_ret_thunk_extern
declare void @f7() unnamed_addr hot
declare void @f8() unnamed_addr inlinehint
declare void @f9() unnamed_addr jumptable
declare void @f10() unnamed_addr minsize
declare void @f11() unnamed_addr mustprogress
declare void @f12() unnamed_addr naked
declare void @f13() unnamed_addr nobuiltin
declare void @f14() unnamed_addr nocallback
declare void @f15() unnamed_addr nocf_check
declare void @f16() unnamed_addr nodivergencesource
declare void @f17() unnamed_addr noduplicate
declare void @f18() unnamed_addr nofree
declare void @f19() unnamed_addr noimplicitfloat
declare void @f20() unnamed_addr noinline
declare void @f21() unnamed_addr nomerge
declare void @f22() unnamed_addr nonlazybind
declare void @f23() unnamed_addr noprofile
declare void @f24() unnamed_addr norecurse
declare void @f25() unnamed_addr noredzone
declare void @f26() unnamed_addr noreturn
declare void @f27() unnamed_addr nosanitize_bounds
declare void @f28() unnamed_addr nosanitize_coverage
declare void @f29() unnamed_addr nosync
declare void @f30() unnamed_addr nounwind
declare void @f31() unnamed_addr null_pointer_is_valid
declare void @f32() unnamed_addr optdebug
declare void @f33() unnamed_addr optforfuzzing
declare void @f34() unnamed_addr optsize
declare void @f35() unnamed_addr presplitcoroutine
declare void @f36() unnamed_addr returns_twice
declare void @f37() unnamed_addr safestack
declare void @f38() unnamed_addr sanitize_address
declare void @f39() unnamed_addr sanitize_alloc_token
declare void @f40() unnamed_addr sanitize_hwaddress
declare void @f41() unnamed_addr sanitize_memory
declare void @f42() unnamed_addr sanitize_memtag
declare void @f43() unnamed_addr sanitize_numerical_stability
declare void @f44() unnamed_addr sanitize_realtime
declare void @f45() unnamed_addr sanitize_realtime_blocking
declare void @f46() unnamed_addr sanitize_thread
declare void @f47() unnamed_addr sanitize_type
declare void @f48() unnamed_addr shadowcallstack
declare void @f49() unnamed_addr skipprofile
declare void @f50() unnamed_addr speculatable
declare void @f51() unnamed_addr speculative_load_hardening
declare void @f52() unnamed_addr ssp
declare void @f53() unnamed_addr sspreq
declare void @f54() unnamed_addr sspstrong
declare void @f55() unnamed_addr strictfp
declare void @f56() unnamed_addr uwtable
declare void @f57() unnamed_addr uwtable(sync)
declare void @f58() unnamed_addr uwtable(async)
declare void @f59() unnamed_addr willreturn
declare void @f60() unnamed_addr vscale_range(2)
declare void @f61() unnamed_addr vscale_range(1,16)
declare void @f62() unnamed_addr vscale_range(4,0)
declare void @f63() unnamed_addr alignstack(16)
declare void @f64() unnamed_addr memory(none)
declare void @f65() unnamed_addr memory(read)
declare void @f66() unnamed_addr memory(write)
declare void @f67() unnamed_addr memory(readwrite)
declare void @f68() unnamed_addr memory(argmem: read)
declare void @f69() unnamed_addr memory(argmem: readwrite, inaccessiblemem: write)
declare void @f70() unnamed_addr memory(read, argmem: none)
declare void @f71() unnamed_addr memory(readwrite, argmem: read, errnomem: none)
declare void @f72() unnamed_addr memory(target_mem0: read)
declare void @f73() unnamed_addr memory(errnomem: write)
declare void @f74() unnamed_addr memory(none, errnomem: write)
declare void @f75() unnamed_addr allockind("alloc,zeroed")
declare void @f76() unnamed_addr allockind("free")
declare void @f77() unnamed_addr allockind("realloc,uninitialized,aligned")
declare void @f78() unnamed_addr "string"
declare void @f79() unnamed_addr "key"="value"
declare void @f80() unnamed_addr "esc\5Baped"="\09\FF"
declare void @f81() unnamed_addr ""
declare void @f82() unnamed_addr "denormal-fp-math"="preserve-sign,preserve-sign"
declare void @f83() unnamed_addr nocreateundeforpoison
declare void @f84() unnamed_addr align(8)
declare ptr @alloc0(i64) allocsize(0)
declare ptr @alloc1(i64, i64) allocsize(0, 1) "alloc-family"="malloc" allockind("alloc")
declare void @many() nounwind convergent "a"="b" memory(argmem: read) willreturn
declare void @none() noinline optnone

; --- parameters
declare void @p0(i32 zeroext)
declare void @n0(i32 zeroext %named, i32)
declare void @p1(i32 signext)
declare void @n1(i32 signext %named, i32)
declare void @p2(i32 noext)
declare void @n2(i32 noext %named, i32)
declare void @p3(i32 inreg)
declare void @n3(i32 inreg %named, i32)
declare void @p4(i32 noundef)
declare void @n4(i32 noundef %named, i32)
declare void @p5(i32 range(i32 0, 10))
declare void @n5(i32 range(i32 0, 10) %named, i32)
declare void @p6(i8 range(i8 -3, 127))
declare void @n6(i8 range(i8 -3, 127) %named, i32)
declare void @p7(<4 x i16> range(i16 0, 8))
declare void @n7(<4 x i16> range(i16 0, 8) %named, i32)
declare i32 @p8(i32 returned)
declare i32 @n8(i32 returned %named, i32)
declare void @p9(i64 allocalign)
declare void @n9(i64 allocalign %named, i32)
declare void @p10(ptr byval(i32))
declare void @n10(ptr byval(i32) %named, i32)
declare void @p11(ptr byval({ i8, [4 x i32] }) align 8)
declare void @n11(ptr byval({ i8, [4 x i32] }) align 8 %named, i32)
declare void @p12(ptr byref(i32))
declare void @n12(ptr byref(i32) %named, i32)
declare void @p13(ptr preallocated(i32))
declare void @n13(ptr preallocated(i32) %named, i32)
declare void @p14(ptr sret(i32))
declare void @n14(ptr sret(i32) %named, i32)
declare void @p15(ptr sret({ i64, ptr }) align(8))
declare void @n15(ptr sret({ i64, ptr }) align(8) %named, i32)
declare void @p16(ptr align 16)
declare void @n16(ptr align 16 %named, i32)
declare void @p17(ptr align(32))
declare void @n17(ptr align(32) %named, i32)
declare void @p18(ptr alignstack(8))
declare void @n18(ptr alignstack(8) %named, i32)
declare void @p19(ptr noalias)
declare void @n19(ptr noalias %named, i32)
declare void @p20(ptr nocapture)
declare void @n20(ptr nocapture %named, i32)
declare void @p21(ptr captures(none))
declare void @n21(ptr captures(none) %named, i32)
declare void @p22(ptr captures(address))
declare void @n22(ptr captures(address) %named, i32)
declare void @p23(ptr captures(address_is_null))
declare void @n23(ptr captures(address_is_null) %named, i32)
declare void @p24(ptr captures(address, read_provenance))
declare void @n24(ptr captures(address, read_provenance) %named, i32)
declare void @p25(ptr captures(address, provenance))
declare void @n25(ptr captures(address, provenance) %named, i32)
declare void @p26(ptr captures(ret: address, provenance))
declare void @n26(ptr captures(ret: address, provenance) %named, i32)
declare void @p27(ptr captures(address_is_null, ret: address, provenance))
declare void @n27(ptr captures(address_is_null, ret: address, provenance) %named, i32)
declare void @p28(ptr nofree)
declare void @n28(ptr nofree %named, i32)
declare void @p29(ptr nest)
declare void @n29(ptr nest %named, i32)
declare void @p30(ptr nonnull)
declare void @n30(ptr nonnull %named, i32)
declare void @p31(ptr dereferenceable(8))
declare void @n31(ptr dereferenceable(8) %named, i32)
declare void @p32(ptr dereferenceable_or_null(16))
declare void @n32(ptr dereferenceable_or_null(16) %named, i32)
declare void @p33(ptr swiftself)
declare void @n33(ptr swiftself %named, i32)
declare void @p34(ptr swiftasync)
declare void @n34(ptr swiftasync %named, i32)
declare void @p35(ptr swifterror)
declare void @n35(ptr swifterror %named, i32)
declare void @p36(ptr noundef nonnull align 4)
declare void @n36(ptr noundef nonnull align 4 %named, i32)
declare void @p37(ptr readnone)
declare void @n37(ptr readnone %named, i32)
declare void @p38(ptr readonly)
declare void @n38(ptr readonly %named, i32)
declare void @p39(ptr writeonly)
declare void @n39(ptr writeonly %named, i32)
declare void @p40(ptr writable noalias)
declare void @n40(ptr writable noalias %named, i32)
declare void @p41(ptr dead_on_unwind)
declare void @n41(ptr dead_on_unwind %named, i32)
declare void @p42(ptr dead_on_return)
declare void @n42(ptr dead_on_return %named, i32)
declare void @p43(ptr allocptr)
declare void @n43(ptr allocptr %named, i32)
declare void @p44(ptr initializes((0, 4), (8, 16)))
declare void @n44(ptr initializes((0, 4), (8, 16)) %named, i32)
declare void @p45(ptr initializes((-4, 0)))
declare void @n45(ptr initializes((-4, 0)) %named, i32)
declare void @p46(float nofpclass(nan))
declare void @n46(float nofpclass(nan) %named, i32)
declare void @p47(float nofpclass(nan inf))
declare void @n47(float nofpclass(nan inf) %named, i32)
declare void @p48(float nofpclass(snan qnan pinf ninf pzero nzero psub nsub pnorm nnorm))
declare void @n48(float nofpclass(snan qnan pinf ninf pzero nzero psub nsub pnorm nnorm) %named, i32)
declare void @p49(float nofpclass(all))
declare void @n49(float nofpclass(all) %named, i32)
declare void @p50(float nofpclass(zero sub norm))
declare void @n50(float nofpclass(zero sub norm) %named, i32)
declare void @p51(double nofpclass(519))
declare void @n51(double nofpclass(519) %named, i32)
declare void @p52(ptr "string")
declare void @n52(ptr "string" %named, i32)
declare void @p53(ptr "key"="value" noalias)
declare void @n53(ptr "key"="value" noalias %named, i32)

; --- results
declare zeroext i32 @r0()
declare signext i32 @r1()
declare noext i32 @r2()
declare inreg i32 @r3()
declare noundef i32 @r4()
declare range(i32 1, 5) i32 @r5()
declare noalias ptr @r6()
declare nonnull ptr @r7()
declare align 8 ptr @r8()
declare align(16) ptr @r9()
declare dereferenceable(4) ptr @r10()
declare dereferenceable_or_null(4) ptr @r11()
declare nofpclass(nan) float @r12()
declare "string"="value" i32 @r13()
declare noundef range(i64 0, 1024) i64 @r.several() local_unnamed_addr

; --- groups, used before they are defined
declare void @g0() unnamed_addr #0
declare void @g1() unnamed_addr #1
declare void @g2() unnamed_addr #2
declare void @g3() unnamed_addr #3
declare void @g4() unnamed_addr #4
declare void @g5() unnamed_addr #5
declare void @g6() unnamed_addr #6
declare void @g7() unnamed_addr #7
declare void @g8() unnamed_addr #8
declare void @g9() unnamed_addr #9
declare void @g10() unnamed_addr #10
declare void @g11() unnamed_addr #11
declare void @g12() unnamed_addr #12
declare void @g13() unnamed_addr #13
declare void @g14() unnamed_addr #14
declare void @g15() unnamed_addr #15
declare void @g16() unnamed_addr #16
declare void @g17() unnamed_addr #17
declare void @g18() unnamed_addr #18
declare void @g19() unnamed_addr #19
declare void @g20() unnamed_addr #20
declare void @g21() unnamed_addr #21
declare void @g22() unnamed_addr #22
declare void @g23() unnamed_addr #23
declare void @g24() unnamed_addr #24
declare void @g25() unnamed_addr #25
declare void @g26() unnamed_addr #26
declare void @g27() unnamed_addr #27
declare void @g28() unnamed_addr #28
declare void @g29() unnamed_addr #29
declare void @g30() unnamed_addr #30
declare void @g31() unnamed_addr #31
declare void @g32() unnamed_addr #32
declare void @g33() unnamed_addr #33
declare void @g34() unnamed_addr #34
declare void @g35() unnamed_addr #35
declare void @g36() unnamed_addr #36
declare void @g37() unnamed_addr #37
declare void @g38() unnamed_addr #38
declare void @g39() unnamed_addr #39
declare void @g40() unnamed_addr #40
declare void @g41() unnamed_addr #41
declare void @g42() unnamed_addr #42
declare void @g43() unnamed_addr #43
declare void @g44() unnamed_addr #44
declare void @g45() unnamed_addr #45
declare void @g46() unnamed_addr #46
declare void @g47() unnamed_addr #47
declare void @g48() unnamed_addr #48
declare void @g49() unnamed_addr #49
declare void @g50() unnamed_addr #50
declare void @g51() unnamed_addr #51
declare void @g52() unnamed_addr #52
declare void @g53() unnamed_addr #53
declare void @g54() unnamed_addr #54
declare void @g55() unnamed_addr #55
declare void @g56() unnamed_addr #56
declare void @g57() unnamed_addr #57
declare void @g58() unnamed_addr #58
declare void @g59() unnamed_addr #59
declare void @g60() unnamed_addr #60
declare void @g61() unnamed_addr #61
declare void @g62() unnamed_addr #62
declare void @g63() unnamed_addr #63
declare void @g64() unnamed_addr #64
declare void @g65() unnamed_addr #65
declare void @g66() unnamed_addr #66
declare void @g67() unnamed_addr #67
declare void @g68() unnamed_addr #68
declare void @g69() unnamed_addr #69
declare void @g70() unnamed_addr #70
declare void @g71() unnamed_addr #71
declare void @g72() unnamed_addr #72
declare void @g73() unnamed_addr #73
declare void @g74() unnamed_addr #74
declare void @g75() unnamed_addr #75
declare void @g76() unnamed_addr #76
declare void @g77() unnamed_addr #77
declare void @g78() unnamed_addr #78
declare void @g79() unnamed_addr #79
declare void @g80() unnamed_addr #80
declare void @g81() unnamed_addr #81
declare void @g82() unnamed_addr #82
declare void @g83() unnamed_addr #83

attributes #0 = { alwaysinline }
attributes #1 = { cold }
attributes #2 = { convergent }
attributes #3 = { coro_elide_safe }
attributes #4 = { coro_only_destroy_when_complete }
attributes #5 = { disable_sanitizer_instrumentation }
attributes #6 = { fn_ret_thunk_extern }
attributes #7 = { hot }
attributes #8 = { inlinehint }
attributes #9 = { jumptable }
attributes #10 = { minsize }
attributes #11 = { mustprogress }
attributes #12 = { naked }
attributes #13 = { nobuiltin }
attributes #14 = { nocallback }
attributes #15 = { nocf_check }
attributes #16 = { nodivergencesource }
attributes #17 = { noduplicate }
attributes #18 = { nofree }
attributes #19 = { noimplicitfloat }
attributes #20 = { noinline }
attributes #21 = { nomerge }
attributes #22 = { nonlazybind }
attributes #23 = { noprofile }
attributes #24 = { norecurse }
attributes #25 = { noredzone }
attributes #26 = { noreturn }
attributes #27 = { nosanitize_bounds }
attributes #28 = { nosanitize_coverage }
attributes #29 = { nosync }
attributes #30 = { nounwind }
attributes #31 = { null_pointer_is_valid }
attributes #32 = { optdebug }
attributes #33 = { optforfuzzing }
attributes #34 = { optsize }
attributes #35 = { presplitcoroutine }
attributes #36 = { returns_twice }
attributes #37 = { safestack }
attributes #38 = { sanitize_address }
attributes #39 = { sanitize_alloc_token }
attributes #40 = { sanitize_hwaddress }
attributes #41 = { sanitize_memory }
attributes #42 = { sanitize_memtag }
attributes #43 = { sanitize_numerical_stability }
attributes #44 = { sanitize_realtime }
attributes #45 = { sanitize_realtime_blocking }
attributes #46 = { sanitize_thread }
attributes #47 = { sanitize_type }
attributes #48 = { shadowcallstack }
attributes #49 = { skipprofile }
attributes #50 = { speculatable }
attributes #51 = { speculative_load_hardening }
attributes #52 = { ssp }
attributes #53 = { sspreq }
attributes #54 = { sspstrong }
attributes #55 = { strictfp }
attributes #56 = { uwtable }
attributes #57 = { uwtable(sync) }
attributes #58 = { uwtable(async) }
attributes #59 = { willreturn }
attributes #60 = { vscale_range(2) }
attributes #61 = { vscale_range(1,16) }
attributes #62 = { vscale_range(4,0) }
attributes #63 = { alignstack=16 }
attributes #64 = { memory(none) }
attributes #65 = { memory(read) }
attributes #66 = { memory(write) }
attributes #67 = { memory(readwrite) }
attributes #68 = { memory(argmem: read) }
attributes #69 = { memory(argmem: readwrite, inaccessiblemem: write) }
attributes #70 = { memory(read, argmem: none) }
attributes #71 = { memory(readwrite, argmem: read, errnomem: none) }
attributes #72 = { memory(target_mem0: read) }
attributes #73 = { memory(errnomem: write) }
attributes #74 = { memory(none, errnomem: write) }
attributes #75 = { allockind("alloc,zeroed") }
attributes #76 = { allockind("free") }
attributes #77 = { allockind("realloc,uninitialized,aligned") }
attributes #78 = { "string" }
attributes #79 = { "key"="value" }
attributes #80 = { "esc\5Baped"="\09\FF" }
attributes #81 = { "" }
attributes #82 = { "denormal-fp-math"="preserve-sign,preserve-sign" }
attributes #83 = { nocreateundeforpoison }
attributes #84 = { hot }
attributes #85 = { nounwind alignstack=8 "a" "b"="c" memory(read) vscale_range(1,2) }
attributes #4084 = { cold }

declare void @late() #84 #85 nounwind #4084
define void @uses(ptr %p) {
  call void %p() #0 #3
  call void @late() #85
  ret void
}
