; What is known to be the same in all threads, and what is known to differ.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @kernel(ptr addrspace(1) %p, i32 %argument) {
start:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %from_argument = add i32 %argument, 1
  %constant = add i32 3, 4
  %same = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  %after_same = mul i32 %same, 3
  %atomic = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %called = call i32 @unknown(i32 %argument)
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %then, label %else
then:
  %one = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  br label %end
else:
  %other = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  br label %end
end:
  %merged = phi i32 [ %one, %then ], [ %other, %else ]
  ret void
}

define void @function(i32 %parameter) {
start:
  ret void
}

declare i32 @unknown(i32)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent nounwind willreturn memory(none)
