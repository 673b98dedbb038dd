; A loop with two exits, one of them divergent, that leads to a block with a vote by way of a block that it shares with the other one.
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
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mask = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %mask, ptr addrspace(1) %place
  %found = icmp eq i32 %i, %mine
  br i1 %found, label %exit, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %was = phi i1 [ true, %loop ], [ false, %latch ]
  br i1 %was, label %vote, label %end

vote:
  %votes = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %votes, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
