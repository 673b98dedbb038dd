; What is stored is the same for all threads, and seen to be.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @next(ptr addrspace(1) %out, i32 %n) {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %next = add i32 %n, 1
  store i32 %next, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
