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
  %c = icmp ugt i32 %x, 2
  br i1 %c, label %then, label %else

then:
  %here.1 = call token @llvm.experimental.convergence.anchor()
  %gains = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %here.1) ]
  br label %end

else:
  %here.2 = call token @llvm.experimental.convergence.anchor()
  %total = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %here.2) ]
  %losses = mul i32 %total, 3
  br label %end

end:
  %r = phi i32 [ %gains, %then ], [ %losses, %else ]
  store i32 %r, ptr addrspace(1) %to
  ret void
}
