declare void @llvm.memset.p0.i64(ptr, i8)
define spir_kernel void @k() {
  %a = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr %a, i8 0)
  ret void
}
