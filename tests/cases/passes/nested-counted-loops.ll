; Nested counted loops; how often a thread goes through the inner one depends on its number.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 3
  %trip = add i32 %mine, 1
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %inext, %olatch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner ]
  %base = mul i32 %i, %trip
  %index = add i32 %base, %j
  %s1 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %s1, ptr addrspace(1) %place
  %jnext = add nuw nsw i32 %j, 1
  %jm = icmp ult i32 %jnext, %trip
  br i1 %jm, label %inner, label %olatch
olatch:
  %inext = add nuw nsw i32 %i, 1
  %im = icmp ult i32 %inext, 3
  br i1 %im, label %outer, label %exit
exit:
  ret void
}
