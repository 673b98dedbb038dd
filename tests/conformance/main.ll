; A program for a CPU: its threads enter main one by one.
target triple = "x86_64-unknown-linux-gnu"

declare token @llvm.experimental.convergence.entry() convergent
declare void @together(i32) convergent

define i32 @main() convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  call void @together(i32 1) [ "convergencectrl"(token %token) ]
  ret i32 0
}
