; One barrier has a token, the other has none. The two ways of saying who converges cannot be mixed
; in a function.
; EXPECT: RC0112

define void @half_converted() convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  call void @barrier() [ "convergencectrl"(token %function) ]
  call void @barrier()
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare void @barrier() convergent
