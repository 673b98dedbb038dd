%list = type { i32, ptr, [2 x %node] }
%node = type { %leaf, i8 }
%leaf = type <{ i64, half }>
@head = internal addrspace(3) global %list zeroinitializer, align 16
define spir_kernel void @k(ptr addrspace(1) byref(%node) %p) {
  %q = getelementptr inbounds %list, ptr addrspace(3) @head, i32 0, i32 2, i32 1, i32 0, i32 0
  store i64 7, ptr addrspace(3) %q, align 1
  ret void
}
