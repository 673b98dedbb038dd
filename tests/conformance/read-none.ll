; A vote that reads no memory stands between a store of each thread and a load of what another one stored.
target triple = "amdgcn-amd-amdhsa"
@shared = internal addrspace(3) global [4 x i32] poison

define amdgpu_kernel void @votes_between(ptr addrspace(1) %out) convergent {
start:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %mine = getelementptr i32, ptr addrspace(3) @shared, i32 %tid
  store i32 %tid, ptr addrspace(3) %mine
  %votes = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %next = add i32 %tid, 1
  %other = and i32 %next, 3
  %theirs = getelementptr i32, ptr addrspace(3) @shared, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent memory(none)
