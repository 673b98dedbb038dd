target triple = "spirv64-unknown-unknown"
declare i64 @_Z12get_local_idj(i32)
declare i32 @llvm.spv.wave.readlane.i32(i32, i32) convergent
declare token @llvm.experimental.convergence.entry() convergent

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry() [ "convergencectrl"(token none) ]
  %id = call i64 @_Z12get_local_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %to = getelementptr nusw i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %in
  %c = icmp ugt i32 %x, 2
  %who = and i32 %x, 7
  %got = call i32 @llvm.spv.wave.readlane.i32(i32 %x, i32 %who) [ "convergencectrl"(token %all) ]
  br i1 %c, label %then, label %end
then:
  store i32 %got, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
