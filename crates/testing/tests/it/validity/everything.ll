target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, float }
%nested = type { %pair, [4 x i16], <2 x i32> }
%hidden = type opaque
@shared = addrspace(3) global [64 x i32] undef
@table = constant [3 x i32] [i32 1, i32 2, i32 3]
@record = global %nested { %pair { i32 1, float 2.0 }, [4 x i16] zeroinitializer, <2 x i32> <i32 3, i32 4> }
@text = constant [3 x i8] c"abc"
@address = global ptr getelementptr (i32, ptr @table, i64 1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare i32 @llvm.ctlz.i32(i32, i1 immarg)
declare float @llvm.fma.f32(float, float, float)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) convergent
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umin.i32(i32, i32)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i32 @helper(i32, ptr)
declare void @several(i32, ...)
declare i32 @personality(...)
declare void @throws()

define i32 @integers(i32 %a, i32 %b, i8 %c, i64 %d, i1 %e) {
entry:
  %add = add nuw nsw i32 %a, %b
  %sub = sub i32 %add, 7
  %mul = mul nsw i32 %sub, %b
  %div = udiv exact i32 %mul, %b
  %rem = srem i32 %div, %a
  %shl = shl nuw i32 %rem, 3
  %lsr = lshr exact i32 %shl, %b
  %and = and i32 %lsr, %a
  %or = or disjoint i32 %and, 1
  %xor = xor i32 %or, -1
  %ext = zext nneg i8 %c to i32
  %sext = sext i8 %c to i64
  %trunc = trunc nuw i64 %d to i32
  %wide = add i64 %sext, %d
  %less = icmp slt i32 %xor, %ext
  %same = icmp samesign ult i32 %trunc, %b
  %both = and i1 %less, %same
  %sel = select i1 %both, i32 %xor, i32 %trunc
  %froze = freeze i32 %sel
  %zeros = call i32 @llvm.ctlz.i32(i32 %froze, i1 false)
  %pairs = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %zeros, i32 %a)
  %first = extractvalue { i32, i1 } %pairs, 0
  %second = extractvalue { i32, i1 } %pairs, 1
  %least = call i32 @llvm.umin.i32(i32 %first, i32 %b)
  %rot = call i64 @llvm.fshl.i64(i64 %wide, i64 %d, i64 5)
  %low = trunc i64 %rot to i32
  %out = select i1 %second, i32 %least, i32 %low
  ret i32 %out
}

define float @floats(float %a, float %b, double %c, half %h, i32 %n) {
entry:
  %add = fadd fast float %a, %b
  %sub = fsub float %add, 1.0
  %mul = fmul nnan float %sub, %b
  %div = fdiv float %mul, 2.5
  %rem = frem float %div, %a
  %neg = fneg float %rem
  %less = fcmp olt float %neg, %b
  %unordered = fcmp uno double %c, 0.0
  %small = fptrunc double %c to float
  %large = fpext half %h to float
  %converted = sitofp i32 %n to float
  %back = fptoui float %converted to i32
  %again = uitofp i32 %back to float
  %bits = bitcast float %again to i32
  %floating = bitcast i32 %bits to float
  %sel = select nnan i1 %less, float %small, float %large
  %fma = call fast float @llvm.fma.f32(float %sel, float %floating, float %a)
  %other = select i1 %unordered, float %fma, float 0x3FF0000000000000
  ret float %other
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, <4 x float> %f, i32 %n, <4 x i1> %m, ptr %p) {
entry:
  %add = add <4 x i32> %a, %b
  %compared = icmp ult <4 x i32> %add, %b
  %chosen = select <4 x i1> %compared, <4 x i32> %a, <4 x i32> %add
  %element = extractelement <4 x i32> %chosen, i32 %n
  %inserted = insertelement <4 x i32> %chosen, i32 %element, i64 2
  %mixed = shufflevector <4 x i32> %inserted, <4 x i32> %b, <4 x i32> <i32 0, i32 5, i32 7, i32 1>
  %halved = shufflevector <4 x i32> %mixed, <4 x i32> poison, <2 x i32> <i32 0, i32 3>
  %first = extractelement <2 x i32> %halved, i32 0
  %absolute = call <4 x float> @llvm.fabs.v4f32(<4 x float> %f)
  %integers = fptosi <4 x float> %absolute to <4 x i32>
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %integers)
  %wide = zext <4 x i32> %integers to <4 x i64>
  %narrow = trunc <4 x i64> %wide to <4 x i32>
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <4 x i1> %m, <4 x i32> %narrow)
  %bits = bitcast <4 x i32> %loaded to <2 x i64>
  %back = bitcast <2 x i64> %bits to <4 x i32>
  %splat = insertelement <4 x i32> poison, i32 %sum, i32 0
  %all = add <4 x i32> %back, %splat
  %most = insertelement <4 x i32> %all, i32 %first, i32 1
  ret <4 x i32> %most
}

define i32 @memory(ptr %p, ptr addrspace(3) %q, i32 %n, i64 %i, %nested %s) {
entry:
  %local = alloca [8 x i32], align 4
  %many = alloca i32, i32 %n
  %place = getelementptr inbounds [8 x i32], ptr %local, i64 0, i64 %i
  %field = getelementptr inbounds nuw %nested, ptr %p, i64 %i, i32 0, i32 1
  store i32 %n, ptr %place, align 4
  %x = load i32, ptr %place, align 4
  %f = load volatile float, ptr %field
  store float %f, ptr %many
  %there = load i32, ptr addrspace(3) %q, align 4
  %generic = addrspacecast ptr addrspace(3) %q to ptr
  %number = ptrtoint ptr %generic to i64
  %pointer = inttoptr i64 %number to ptr
  %atomic = load atomic i32, ptr %pointer syncscope("agent") acquire, align 4
  store atomic i32 %atomic, ptr %pointer release, align 4
  %old = atomicrmw add ptr %pointer, i32 %x seq_cst
  %oldest = atomicrmw fadd ptr %p, float %f monotonic
  %swapped = cmpxchg ptr %pointer, i32 %old, i32 %there acq_rel monotonic
  %value = extractvalue { i32, i1 } %swapped, 0
  %worked = extractvalue { i32, i1 } %swapped, 1
  fence syncscope("workgroup") acq_rel
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr %local, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr nonnull %p, i8 0, i64 16, i1 false)
  %inner = extractvalue %nested %s, 0
  %new = insertvalue %pair %inner, float %f, 1
  %outer = insertvalue %nested %s, %pair %new, 0
  %third = extractvalue %nested %outer, 1, 2
  %wide = sext i16 %third to i32
  store %nested %outer, ptr %p
  %fixed = load i32, ptr getelementptr ([3 x i32], ptr @table, i64 0, i64 1)
  %own = load i32, ptr addrspace(3) @shared
  %called = call i32 @helper(i32 signext %wide, ptr nocapture noundef %p)
  call void (i32, ...) @several(i32 %called, float 1.0, ptr @text)
  %all = add i32 %value, %fixed
  %more = select i1 %worked, i32 %all, i32 %own
  ret i32 %more
}

define i32 @flow(i32 %n, i1 %c, ptr %p) {
entry:
  %start = add i32 %n, 1
  br i1 %c, label %head, label %other

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ %start, %entry ], [ %more, %latch ]
  %less = icmp slt i32 %i, %n
  br i1 %less, label %body, label %done

body:
  switch i32 %i, label %latch [
    i32 0, label %zero
    i32 1, label %one
    i32 7, label %one
  ]

zero:
  %a = add i32 %sum, 3
  br label %latch

one:
  %b = phi i32 [ 1, %body ], [ 1, %body ]
  %z = mul i32 %b, %sum
  br label %latch

latch:
  %more = phi i32 [ %sum, %body ], [ %a, %zero ], [ %z, %one ]
  %next = add i32 %i, 1
  br label %head

other:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %got = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, i32 1, i32 31)
  %is = icmp eq ptr %p, null
  br i1 %is, label %done, label %stop

stop:
  unreachable

done:
  %result = phi i32 [ %sum, %head ], [ %got, %other ]
  %f = call i32 %p(i32 %result)
  %last = call i32 @flow(i32 %f, i1 false, ptr @flow)
  ret i32 %last

dead:
  %strange = add i32 %strange, %last
  br label %done2

done2:
  ret i32 %strange
}

define i32 @exceptions(i32 %n) personality ptr @personality {
entry:
  invoke void @throws() to label %fine unwind label %pad

fine:
  %x = invoke i32 @helper(i32 %n, ptr null) to label %after unwind label %pad

after:
  ret i32 %x

pad:
  %caught = landingpad { ptr, i32 } cleanup
  %what = extractvalue { ptr, i32 } %caught, 1
  %is = icmp eq i32 %what, 0
  br i1 %is, label %again, label %back

again:
  resume { ptr, i32 } %caught

back:
  ret i32 %what
}

define void @kernel(ptr byval(%pair) align 4 %by, ptr noalias sret(%pair) %to, i8 zeroext %small) {
  %a = load %pair, ptr %by
  store %pair %a, ptr %to
  %b = zext i8 %small to i32
  store i32 %b, ptr %to
  ret void
}
