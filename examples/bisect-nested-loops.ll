; Each thread goes through the bits of its number: a 1 goes on in the inner loop, a 0 in the outer one. It counts with whom it is in the
; same iteration of both. LLVM's SimplifyCFG makes one loop of the two (reconverge bisect --passes 'default<O2>').
; Run: reconverge run examples/bisect-nested-loops.ll --block 8 --subgroup 8 --arg 'out=u64[8]'
; FINDS: none
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent

define amdgpu_kernel void @bits(ptr addrspace(1) %out) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  br label %outer

outer:
  %word = phi i32 [ %id, %entry ], [ %shifted, %latch ]
  br label %inner

inner:
  %left = phi i32 [ %word, %outer ], [ %rest, %inner ]
  %together = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %old = load i64, ptr addrspace(1) %place
  %new = add i64 %old, %together
  store i64 %new, ptr addrspace(1) %place
  %rest = lshr i32 %left, 1
  %bit = trunc i32 %left to i1
  br i1 %bit, label %inner, label %latch

latch:
  %shifted = lshr i32 %rest, 1
  %more = icmp ne i32 %shifted, 0
  br i1 %more, label %outer, label %end

end:
  ret void
}
