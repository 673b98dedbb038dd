define amdgpu_kernel void @k(ptr addrspace(1) %out, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = load i32, ptr addrspace(1) %out, align 4
  br label %join
b:
  store i32 %x, ptr addrspace(1) %out, align 4
  br label %join
join:
  %y = phi i32 [ %x, %a ], [ %x, %b ]
  ret void
}
