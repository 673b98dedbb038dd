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
  %half = load i32, ptr addrspace(1) %from
  %x = shl i32 %half, 1
  br label %head

head:
  %left = phi i32 [ %x, %start ], [ %less, %body ]
  %sum = phi i32 [ 0, %start ], [ %more, %body ]
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
  %again = icmp ugt i32 %left, 0
  br i1 %again, label %body, label %done

body:
  %got = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %turn) ]
  %more = add i32 %sum, %got
  %less = sub i32 %left, 1
  br label %head

done:
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
