; The same numbers, by a way on which nothing sees that they are the same for all threads.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @next(ptr addrspace(1) %out, i32 %n) {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %mixed = xor i32 %n, %id
  %back = xor i32 %mixed, %id
  %next = add i32 %back, 1
  store i32 %next, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
