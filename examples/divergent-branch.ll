; Threads part at the branch of entry: their ids differ. They meet again in join, where the phi has
; another value for those that came through odd. The kernel's argument is the same for all.
; Ask why: reconverge uniformity examples/divergent-branch.ll --explain %result
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @divergent_branch(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %bit = and i32 %tid, 1
  %is_odd = icmp ne i32 %bit, 0
  br i1 %is_odd, label %odd, label %join

odd:
  br label %join

join:
  %factor = phi i32 [ 1, %entry ], [ 3, %odd ]
  %result = mul i32 %factor, %n
  %twice = mul i32 %n, 2
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %result, ptr addrspace(1) %place
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
