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
  br label %head

head:
  %i = phi i32 [ 0, %start ], [ %next, %head ]
  %sum = phi i32 [ %x, %start ], [ %more, %head ]
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
  %got = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %turn) ]
  %more = add i32 %sum, %got
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 3
  br i1 %again, label %head, label %done

done:
  store i32 %more, ptr addrspace(1) %to
  ret void
}
