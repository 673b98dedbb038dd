; A function that may be speculated for all that it does, and is convergent.
target triple = "amdgcn-amd-amdhsa"
declare i32 @vote(i32) convergent speculatable memory(none) nounwind willreturn

define amdgpu_kernel void @kernel(i1 %c, ptr addrspace(1) %out) convergent {
start:
  br i1 %c, label %then, label %end
then:
  %votes = call i32 @vote(i32 1)
  store i32 %votes, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
