; Calls: tail kinds, conventions, flags, attributes at the call, bundles, kinds of argument.

declare void @f(i32)
declare float @g(float)
declare i32 @many(ptr, i64, i8)
declare void @variadic(i32, ...)
declare fastcc i32 @fast(i32)
declare void @llvm.assume(i1)
declare void @llvm.experimental.deoptimize.isVoid(...)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i32 @llvm.read_register.i32(metadata)
declare float @llvm.sqrt.f32(float)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare ptr @objc_retainAutoreleasedReturnValue(ptr)

define void @tails(i32 %x) {
  call void @f(i32 %x)
  tail call void @f(i32 %x)
  notail call void @f(i32 %x)
  musttail call void @f(i32 %x)
  ret void
}

define i32 @musttail.value(ptr %a, i64 %b, i8 %c) {
  %r = musttail call i32 @many(ptr %a, i64 %b, i8 %c)
  ret i32 %r
}

define void @forwards(i32 %n, ...) {
  musttail call void (i32, ...) @variadic(i32 %n, ...)
  ret void
}

define void @kinds(ptr %p, float %x) {
  call void (i32, ...) @variadic(i32 1, i32 2, double 3.0, ptr %p)
  call void (i32, ...) @variadic(i32 1)
  call void %p(i32 1)
  %1 = call i32 (ptr, ...) %p(ptr null, i64 1)
  %2 = call fast float @g(float %x)
  %3 = call nnan nsz float @llvm.sqrt.f32(float %x)
  %4 = call float %p(float 1.0)
  %5 = tail call fast float @g(float %x) #1
  %6 = call { i32, ptr } %p()
  %7 = call <4 x i32> inttoptr (i64 64 to ptr)()
  call addrspace(0) void @f(i32 1)
  %8 = call i32 @llvm.read_register.i32(metadata !0)
  %9 = call i32 @llvm.read_register.i32(metadata !{!"ebp"})
  %10 = call double @llvm.experimental.constrained.fadd.f64(double 1.0, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict") #2
  call void @f(i32 undef)
  call void @f(i32 ptrtoint (ptr @f to i32))
  ret void
}

define void @attributes(ptr %p, i32 %x) {
  %1 = call noundef signext i8 %p(i8 zeroext noundef 1, ptr nonnull align 8 dereferenceable(16) %p, i32 inreg %x)
  %2 = call range(i32 0, 10) i32 %p(i32 range(i32 -5, 5) %x)
  call void @f(i32 noundef %x) nounwind memory(none) willreturn
  call void @f(i32 %x) #1
  call void @f(i32 %x) "string" "key"="value" convergent nomerge
  call void %p(ptr byval(i32) align 4 %p, ptr sret({ i8, i64 }) null)
  call void %p(ptr sret(<4 x i32>) align 16 %p, ptr byref(i8) null, ptr noalias captures(none) readonly %p)
  call void %p(ptr writeonly dead_on_unwind writable %p, ptr nest %p)
  %3 = call noalias noundef nonnull dereferenceable_or_null(8) ptr %p(i64 8) allocsize(0)
  %4 = call nofpclass(nan inf) float %p(float nofpclass(nzero) 1.0)
  call void %p(ptr inalloca(i32) %p)
  ret void
}

define void @bundles(ptr %p, i32 %x, i64 %type) {
  call void @f(i32 %x) [ "deopt"(i32 1, ptr %p, float 2.0) ]
  call void @f(i32 %x) [ "deopt"(), "gc-transition"(i32 1) ]
  call void @f(i32 %x) nounwind [ "deopt"(i32 %x), "unknown-tag"({ i32, i8 } zeroinitializer, <2 x ptr> poison) ]
  call void %p(i32 %x) [ "kcfi"(i32 1234) ]
  call void %p(i32 %x) [ "ptrauth"(i32 1, i64 %type) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p), "dereferenceable"(ptr %p, i64 16) ]
  call void @llvm.assume(i1 true) [ "cold"() ]
  %1 = call ptr @g(float 1.0) [ "clang.arc.attachedcall"(ptr @objc_retainAutoreleasedReturnValue) ]
  call void %p(i32 1) [ "cfguardtarget"(ptr %p) ]
  call void @f(i32 1) [ "gc-live"(ptr %p) ]
  call void @f(i32 1) [ "\22quoted\22 tag"(i32 1), ""(i32 2) ]
  ret void
}

define void @preallocated(i32 %x) {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %a = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i32)
  store i32 %x, ptr %a
  call void @takes.preallocated(ptr preallocated(i32) %a) [ "preallocated"(token %t) ]
  ret void
}
declare void @takes.preallocated(ptr preallocated(i32))
declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)

; --- calling conventions
declare ccc void @cc.c()
declare fastcc void @cc.fast()
declare coldcc void @cc.cold()
declare cc 10 void @cc.ten()
declare cc 123 void @cc.number()
declare cc1023 void @cc.largest()
declare anyregcc void @cc.anyreg()
declare preserve_mostcc void @cc.preserve.most()
declare preserve_allcc void @cc.preserve.all()
declare preserve_nonecc void @cc.preserve.none()
declare ghccc void @cc.ghc()
declare tailcc void @cc.tail()
declare swiftcc void @cc.swift()
declare swifttailcc void @cc.swift.tail()
declare cxx_fast_tlscc void @cc.tls()
declare cfguard_checkcc void @cc.cfguard()
declare x86_stdcallcc void @cc.stdcall()
declare x86_fastcallcc void @cc.fastcall()
declare x86_thiscallcc void @cc.thiscall()
declare x86_vectorcallcc void @cc.vectorcall()
declare x86_regcallcc void @cc.regcall()
declare x86_intrcc void @cc.interrupt(ptr byval(i32))
declare x86_64_sysvcc void @cc.sysv()
declare win64cc void @cc.win64()
declare intel_ocl_bicc void @cc.ocl()
declare arm_apcscc void @cc.apcs()
declare arm_aapcscc void @cc.aapcs()
declare arm_aapcs_vfpcc void @cc.aapcs.vfp()
declare aarch64_vector_pcs void @cc.vector.pcs()
declare aarch64_sve_vector_pcs void @cc.sve()
declare aarch64_sme_preservemost_from_x0 void @cc.sme0()
declare aarch64_sme_preservemost_from_x1 void @cc.sme1()
declare aarch64_sme_preservemost_from_x2 void @cc.sme2()
declare msp430_intrcc void @cc.msp430()
declare avr_intrcc void @cc.avr()
declare avr_signalcc void @cc.avr.signal()
declare ptx_kernel void @cc.ptx.kernel()
declare ptx_device void @cc.ptx.device()
declare spir_kernel void @cc.spir.kernel()
declare spir_func void @cc.spir.function()
declare hhvmcc void @cc.hhvm()
declare hhvm_ccc void @cc.hhvm.c()
declare amdgpu_kernel void @cc.amdgpu.kernel()
declare amdgpu_vs void @cc.amdgpu.vs()
declare amdgpu_gs void @cc.amdgpu.gs()
declare amdgpu_ps void @cc.amdgpu.ps()
declare amdgpu_cs void @cc.amdgpu.cs()
declare amdgpu_ls void @cc.amdgpu.ls()
declare amdgpu_hs void @cc.amdgpu.hs()
declare amdgpu_es void @cc.amdgpu.es()
declare amdgpu_gfx void @cc.amdgpu.gfx()
declare amdgpu_gfx_whole_wave i32 @cc.amdgpu.whole.wave(i1, i32)
declare amdgpu_cs_chain void @cc.amdgpu.chain()
declare amdgpu_cs_chain_preserve void @cc.amdgpu.chain.preserve()
declare m68k_rtdcc void @cc.m68k()
declare graalcc void @cc.graal()
declare riscv_vector_cc void @cc.riscv()
declare riscv_vls_cc(256) void @cc.riscv.vls()
declare cheriot_compartmentcallcc void @cc.cheriot()

define amdgpu_kernel void @calls.with.conventions(ptr %p) {
  %1 = call fastcc i32 @fast(i32 1)
  call cc 123 void @cc.number()
  call amdgpu_gfx void @cc.amdgpu.gfx()
  call spir_func addrspace(0) void %p()
  call coldcc void %p() noreturn
  ret void
}

attributes #1 = { nounwind "why"="because" }
attributes #2 = { strictfp }
!0 = !{!"esp\00"}
