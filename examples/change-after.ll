; Each thread whose number is small stores how the threads of its wave have voted. As change-before.ll, but the vote is where it is needed.
; Run: reconverge run examples/change-after.ll --block 4 --subgroup 4 --arg 'out=u64[4]'
; FINDS: none
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent

define amdgpu_kernel void @votes(ptr addrspace(1) %out) convergent {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %id to i1
  %few = icmp ult i32 %id, 3
  br i1 %few, label %store, label %end

store:
  %votes = call i64 @llvm.amdgcn.ballot.i64(i1 %odd)
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  store i64 %votes, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
