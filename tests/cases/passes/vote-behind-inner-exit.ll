; A search inside of a loop: threads leave the inner loop in different iterations, and those that found something vote before the next turn.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 3
  br label %outer

outer:
  %turn = phi i32 [ 0, %entry ], [ %again, %next.turn ]
  br label %inner

inner:
  %i = phi i32 [ 0, %outer ], [ %next, %latch ]
  %sum = add i32 %i, %turn
  %leave = icmp eq i32 %sum, %mine
  br i1 %leave, label %found, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %inner, label %next.turn

found:
  %set = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %old = load i64, ptr addrspace(1) %place
  %new = add i64 %old, %set
  store i64 %new, ptr addrspace(1) %place
  br label %next.turn

next.turn:
  %again = add i32 %turn, 1
  %last = icmp uge i32 %again, %n
  %many = icmp uge i32 %again, 3
  %done = or i1 %last, %many
  br i1 %done, label %end, label %outer

end:
  ret void
}
