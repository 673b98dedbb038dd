; What is stored has another name, and is not seen any more to be the same for all threads: the use in the store says it.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @next(ptr addrspace(1) %out, i32 %n) {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %mixed = xor i32 %n, %id
  %back = xor i32 %mixed, %id
  %sum = add i32 %back, 1
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
