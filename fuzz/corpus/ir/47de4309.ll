target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
declare float @llvm.ldexp.f32.i32(float, i32)

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %low = icmp ult i32 %id, 2
  %twice.new.3.108 = icmp ult i32 %id, 2
  br i1 %low, label %a, label %c
a:
  %s1 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %p1 = add i64 %s1, 1
  store i64 %p1, ptr addrspace(1) %place
  %t.new.1.36 = call float @llvm.ldexp.f32.i32(float 0.0, i32 %id) [ "convergencectrl"(token none) ]
  br label %split.new.2.437
split.new.2.437:
  br label %x
c:
  %s2 = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %p2 = add i64 %s2, 1
  store i64 %p2, ptr addrspace(1) %place
  br label %x
x:
  ret void
}
