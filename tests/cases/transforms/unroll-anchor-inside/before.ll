target triple = "spirv64-unknown-unknown"

declare i64 @_Z12get_local_idj(i32)
declare i32 @llvm.spv.wave.reduce.sum.i32(i32) convergent
declare token @llvm.experimental.convergence.anchor() convergent

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
start:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %from
  br label %head

head:
  %left = phi i32 [ %x, %start ], [ %less, %body ]
  %sum = phi i32 [ 0, %start ], [ %more, %body ]
  %again = icmp ugt i32 %left, 0
  br i1 %again, label %body, label %done

body:
  %here = call token @llvm.experimental.convergence.anchor()
  %got = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %here) ]
  %more = add i32 %sum, %got
  %less = sub i32 %left, 1
  br label %head

done:
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
