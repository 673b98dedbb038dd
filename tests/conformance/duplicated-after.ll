; The operation was copied into two branches: each half of the threads takes the value of its own first one.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @first(ptr addrspace(1) %out) convergent {
start:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %then, label %else
then:
  %one = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  br label %end
else:
  %other = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  br label %end
end:
  %value = phi i32 [ %one, %then ], [ %other, %else ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %value, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent nounwind willreturn memory(none)
