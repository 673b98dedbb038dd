; Uniform, but not by LLVM's criteria. The pointer is a kernel's argument, so the load through it does
; not read memory of a single thread; and the variable holds what was stored in it.
; Ask why: reconverge uniformity examples/refined.ll --explain %limit --explain %copy
; EXPECT: none
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @refined(ptr %parameters, i32 %n) {
entry:
  %variable = alloca i32
  store i32 %n, ptr %variable
  %limit = load i32, ptr %parameters
  %copy = load i32, ptr %variable
  %sum = add i32 %limit, %copy
  ret void
}
