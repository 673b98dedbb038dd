; All threads take the value of their first one.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @first(ptr addrspace(1) %out) convergent {
start:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %value = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %value, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent nounwind willreturn memory(none)
