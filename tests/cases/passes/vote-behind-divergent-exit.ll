; Threads leave a loop in different iterations, and vote behind it.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %leave = icmp eq i32 %i, %mine
  br i1 %leave, label %found, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
found:
  %s1 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %s1, ptr addrspace(1) %place
  br label %end
end:
  ret void
}
