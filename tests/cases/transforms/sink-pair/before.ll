target triple = "spirv64-unknown-unknown"

declare i64 @_Z12get_local_idj(i32)
declare i32 @llvm.spv.wave.reduce.sum.i32(i32) convergent
declare token @llvm.experimental.convergence.anchor() convergent

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
start:
  %here = call token @llvm.experimental.convergence.anchor()
  %id = call i64 @_Z12get_local_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %from
  %c = icmp ugt i32 %x, 2
  %id32 = trunc i64 %id to i32
  %a = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %x) [ "convergencectrl"(token %here) ]
  %b = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %id32) [ "convergencectrl"(token %here) ]
  br i1 %c, label %then, label %end

then:
  %r = add i32 %a, %b
  store i32 %r, ptr addrspace(1) %to
  br label %end

end:
  ret void
}
