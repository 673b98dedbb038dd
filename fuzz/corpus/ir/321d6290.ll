target datalayout = "e-p:64:64-p3:32:32-p5:32:32-A5-i64:64-n32:64"
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
!0 = !{}
!1 = !{i64 8}
!2 = !{i8 0, i8 2, i8 10, i8 -3}
!3 = !{i32 1}

define  void @allocation(i32 %n) addrspace(0) {
b.0:
  %plain = alloca i32, addrspace(5)
  %aligned = alloca i32, align 16, addrspace(5)
  %many = alloca [4 x i8], i32 %n, addrspace(5)
  %many.aligned = alloca float, i64 4, align 8, addrspace(5)
  %in.zero = alloca i64, align 8
  %swift = alloca swifterror ptr, align 8
  fence syncscope("workgroup") release
  ret void
}

define  void @access(ptr %p, ptr addrspace(3) %q, i1 %c)  {
b.0:
  %v.1 = load i32, ptr %p
  %v.2 = load i32, ptr %p, align 1
  %v.3 = load volatile i32, ptr %p, align 4
  %v.4 = load <4 x float>, ptr addrspace(3) %q, align 16
  %v.5 = load i32, ptr %p, align 4, !invariant.load !0
  %v.6 = load ptr, ptr %p, align 8, !nonnull !0, !noundef !0, !dereferenceable !1, !align !1
  %v.7 = load i8, ptr %p, align 1, !range !2, !nontemporal !3
  %v.8 = load { i32, [2 x i8] }, ptr %p, align 4294967296
  store i32 %v.1, ptr %p
  store volatile i32 %v.2, ptr %p, align 2
  store float 1.0, ptr addrspace(3) %q, align 4, !nontemporal !3
  ret void
}

define  void @atomics(ptr %p, ptr addrspace(1) %g, float %f, double %d, i32 %i, <2 x half> %v, <2 x bfloat> %b)  {
b.0:
  %load = load atomic i32, ptr %p unordered, align 4
  %load.monotonic = load atomic i32, ptr %p monotonic, align 4
  %load.acquire = load atomic volatile i32, ptr %p syncscope("agent") acquire, align 4
  %load.seq = load atomic i64, ptr %p syncscope("singlethread") seq_cst, align 8
  %load.float = load atomic float, ptr %p seq_cst, align 4
  %load.pointer = load atomic ptr, ptr %p seq_cst, align 8
  %load.vector = load atomic <2 x i32>, ptr %p acquire, align 8
  store atomic i32 %i, ptr %p release, align 4
  store atomic volatile i32 %i, ptr %p syncscope("workgroup") monotonic, align 4
  store atomic i32 %i, ptr %p seq_cst, align 4
  store atomic float %f, ptr %p unordered, align 4
  fence acquire
  fence release
  fence acq_rel
  fence syncscope("workgroup") seq_cst
  fence syncscope("singlethread") acq_rel
  %cas = cmpxchg ptr %p, i32 0, i32 %i seq_cst seq_cst
  %cas.weak = cmpxchg weak ptr %p, i32 0, i32 %i acq_rel monotonic, align 4
  %cas.volatile = cmpxchg weak volatile ptr addrspace(1) %g, i64 1, i64 2 syncscope("agent") release acquire, align 8
  %cas.pointer = cmpxchg ptr %p, ptr null, ptr %p monotonic monotonic
  %xchg = atomicrmw xchg ptr %p, i32 %i seq_cst
  %xchg.float = atomicrmw xchg ptr %p, float %f seq_cst
  %xchg.pointer = atomicrmw xchg ptr %p, ptr %p acq_rel, align 8
  %add = atomicrmw add ptr %p, i32 %i monotonic
  %sub = atomicrmw sub ptr %p, i32 %i acquire
  %and = atomicrmw and ptr %p, i32 %i release
  %nand = atomicrmw nand ptr %p, i32 %i acq_rel
  %or = atomicrmw or ptr %p, i32 %i seq_cst
  %xor = atomicrmw xor ptr %p, i32 %i seq_cst
  %max = atomicrmw max ptr %p, i32 %i seq_cst
  %min = atomicrmw min ptr %p, i32 %i seq_cst
  %umax = atomicrmw umax ptr %p, i32 %i seq_cst
  %umin = atomicrmw umin ptr %p, i32 %i seq_cst
  %fadd = atomicrmw fadd ptr %p, float %f seq_cst
  %fsub = atomicrmw fsub ptr %p, double %d seq_cst
  %fmax = atomicrmw fmax ptr %p, float %f seq_cst
  %fmin = atomicrmw fmin ptr %p, float %f seq_cst
  %fmaximum = atomicrmw fmaximum ptr %p, float %f seq_cst
  %fminimum = atomicrmw fminimum ptr %p, float %f seq_cst
  %uinc = atomicrmw uinc_wrap ptr %p, i32 %i seq_cst
  %udec = atomicrmw udec_wrap ptr %p, i32 %i seq_cst
  %usub.cond = atomicrmw usub_cond ptr %p, i32 %i seq_cst
  %usub.sat = atomicrmw usub_sat ptr %p, i32 %i seq_cst
  %fadd.vector = atomicrmw fadd ptr addrspace(1) %g, <2 x half> %v syncscope("agent") monotonic, align 4, !amdgpu.no.fine.grained.memory !0
  %fadd.brain = atomicrmw volatile fadd ptr addrspace(1) %g, <2 x bfloat> %b monotonic, align 4
  %volatile = atomicrmw volatile add ptr addrspace(1) %g, i8 1 syncscope("one-as") monotonic, align 1
  ret void
}

define  void @addresses(ptr %p, i64 %i, <4 x ptr> %v, <4 x i64> %w, ptr addrspace(3) %q)  {
b.0:
  %v.1 = getelementptr i32, ptr %p, i64 1
  %v.2 = getelementptr inbounds i32, ptr %p, i64 %i
  %v.3 = getelementptr nusw i32, ptr %p, i64 %i
  %v.4 = getelementptr nuw i32, ptr %p, i64 %i
  %v.5 = getelementptr nuw nusw i32, ptr %p, i64 %i
  %v.6 = getelementptr nuw inbounds { i32, [4 x { i8, i16 }] }, ptr %p, i64 %i, i32 1, i64 2, i32 1
  %v.7 = getelementptr i8, <4 x ptr> %v, i64 1
  %v.8 = getelementptr i8, ptr %p, <4 x i64> %w
  %v.9 = getelementptr inbounds <4 x float>, ptr addrspace(3) %q, i32 0, i32 2
  %v.10 = getelementptr <vscale x 4 x i32>, ptr %p, i64 1
  %v.11 = getelementptr { i8, ptr }, <4 x ptr> %v, <4 x i64> %w, <4 x i32> splat ( i32 1)
  %v.12 = getelementptr i8, ptr %p
  ret void
}

define  i32 @variadic(i32 %n, ...)  {
b.0:
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %v.1 = va_arg ptr %list, i32
  %v.2 = va_arg ptr %list, { i64, double }
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %v.1
}
