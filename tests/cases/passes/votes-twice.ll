; The same vote by all threads, then by some: the second is not redundant.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %s0 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %s0, ptr addrspace(1) %place
  %low = icmp ult i32 %id, 2
  br i1 %low, label %a, label %x
a:
  %s1 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %s1, ptr addrspace(1) %place
  br label %x
x:
  ret void
}
