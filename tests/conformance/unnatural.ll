; A heart in one side of a branch, and a free anchor in the other one.
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op1() convergent
declare void @op2() convergent

define void @unnatural(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  br i1 %c, label %C, label %D
C:
  %loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %anchor) ]
  call void @op1() [ "convergencectrl"(token %loop) ]
  br label %D
D:
  br i1 %c, label %E, label %F
E:
  %free = call token @llvm.experimental.convergence.anchor()
  call void @op2() [ "convergencectrl"(token %free) ]
  br label %F
F:
  br i1 %c, label %B, label %G
G:
  ret void
}
