define spir_kernel void @k(ptr addrspace(1) %out, i32 %a) {
  %x = fadd i32 %a, %a
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %out, align 4
  ret void
}
