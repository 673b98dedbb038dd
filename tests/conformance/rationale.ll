; Loops of the rationale of the static rules: with a token from outside, with a heart, with two operations.
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
declare void @op1() convergent
declare void @op2() convergent

define void @contradiction(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  call void @op() [ "convergencectrl"(token %anchor) ]
  br i1 %c, label %B, label %G
G:
  ret void
}

define void @heart(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  %loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %anchor) ]
  call void @op() [ "convergencectrl"(token %loop) ]
  br i1 %c, label %B, label %G
G:
  ret void
}

define void @two_operations(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  %loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %anchor) ]
  br i1 %c, label %C, label %D
C:
  call void @op1() [ "convergencectrl"(token %loop) ]
  br label %D
D:
  br i1 %c, label %E, label %F
E:
  call void @op2() [ "convergencectrl"(token %loop) ]
  br label %F
F:
  br i1 %c, label %B, label %G
G:
  ret void
}

define void @without_hearts(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  br i1 %c, label %C, label %D
C:
  call void @op1() [ "convergencectrl"(token %anchor) ]
  br label %D
D:
  br i1 %c, label %E, label %F
E:
  call void @op2() [ "convergencectrl"(token %anchor) ]
  br label %F
F:
  br i1 %c, label %B, label %G
G:
  ret void
}

define void @inner_loops(i1 %c) {
A:
  %anchor = call token @llvm.experimental.convergence.anchor()
  br label %B
B:
  br i1 %c, label %C, label %D
C:
  %loop1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %anchor) ]
  br i1 %c, label %C, label %D
D:
  br i1 %c, label %E, label %F
E:
  %loop2 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %anchor) ]
  br i1 %c, label %E, label %F
F:
  br i1 %c, label %B, label %G
G:
  ret void
}
