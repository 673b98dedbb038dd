target triple = "amdgcn-amd-amdhsa"
declare token @llvm.experimental.convergence.anchor()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent
declare i64 @llvm.ctpop.i64(i64)

define amdgpu_kernel void @keep_multiples_of_three(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %count)  {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %value = load i32, ptr addrspace(1) %from
  %rest = urem i32 %value, 3
  %keep = icmp eq i32 %rest, 0
  br i1 %keep, label %append, label %done
append:
  %group = call token @llvm.experimental.convergence.anchor()
  %members = call i64 @llvm.amdgcn.ballot.i64(i1 true) [ "convergencectrl"(token %group) ]
  %low = trunc i64 %members to i32
  %shifted = lshr i64 %members, 32
  %high = trunc i64 %shifted to i32
  %before_low = call i32 @llvm.amdgcn.mbcnt.lo(i32 %low, i32 0)
  %rank = call i32 @llvm.amdgcn.mbcnt.hi(i32 %high, i32 %before_low)
  %is_leader = icmp eq i32 %rank, 0
  br i1 %is_leader, label %reserve, label %place
reserve:
  %size = call i64 @llvm.ctpop.i64(i64 %members)
  %needed = trunc i64 %size to i32
  %reserved = atomicrmw add ptr addrspace(1) %count, i32 %needed monotonic
  br label %place
place:
  %maybe = phi i32 [ poison, %append ], [ %rest, %reserve ]
  %base = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %maybe) [ "convergencectrl"(token %group) ]
  %index = add i32 %base, %rank
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %index
  store i32 %value, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
