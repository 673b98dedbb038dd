define spir_kernel void @k(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %x = add i32 %x, 1
  %p = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %c = icmp ult i32 %x, 7
  br i1 %c, label %loop, label %exit
exit:
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}
