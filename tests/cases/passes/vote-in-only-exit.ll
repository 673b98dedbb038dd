; A loop whose only exit is divergent, with a vote there by all, and one by those that stayed long. That the loop computes nothing does not make the votes others.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 7
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i, %mine
  br i1 %more, label %loop, label %exit

exit:
  %set = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %set, ptr addrspace(1) %place
  %big = icmp ugt i32 %i, 4
  br i1 %big, label %rest, label %end

rest:
  %few = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %few, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
