target triple = "spirv64-unknown-unknown"

declare i64 @_Z12get_local_idj(i32)
declare i32 @llvm.spv.wave.reduce.sum.i32(i32) convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
start:
  %outer = call token @llvm.experimental.convergence.anchor()
  %id = call i64 @_Z12get_local_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %from
  br label %pairs

pairs:
  %left = phi i32 [ %x, %start ], [ %less, %both ]
  %sum = phi i32 [ 0, %start ], [ %more.2, %both ]
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
  %two = icmp uge i32 %left, 2
  br i1 %two, label %both, label %rest

both:
  %got = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %turn) ]
  %more.1 = add i32 %sum, %got
  %got.2 = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %turn) ]
  %more.2 = add i32 %more.1, %got.2
  %less = sub i32 %left, 2
  br label %pairs

rest:
  %one = icmp eq i32 %left, 1
  br i1 %one, label %single, label %done

single:
  %got.r = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %outer) ]
  %more.r = add i32 %sum, %got.r
  br label %done

done:
  %end = phi i32 [ %sum, %rest ], [ %more.r, %single ]
  store i32 %end, ptr addrspace(1) %to
  ret void
}
