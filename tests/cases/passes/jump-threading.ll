; What is known in each arm of a branch decides the branch behind their join; threading jumps through the join makes new ways into the block with the vote.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %low = icmp ult i32 %id, 2
  br i1 %low, label %a, label %c
a:
  store i64 7, ptr addrspace(1) %place
  br label %x
c:
  store i64 8, ptr addrspace(1) %place
  %odd = icmp ult i32 %id, %n
  br label %x
x:
  %both = phi i1 [ true, %a ], [ %odd, %c ]
  br i1 %both, label %b, label %exit
b:
  %set = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %set, ptr addrspace(1) %place
  br label %exit
exit:
  ret void
}
