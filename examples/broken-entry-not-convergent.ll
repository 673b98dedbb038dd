; A function that asks for the convergence of its callers must be convergent, or a caller may be
; changed as if it did not matter.
; EXPECT: RC0101

define void @forgotten_attribute() {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  call void @barrier() [ "convergencectrl"(token %function) ]
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare void @barrier() convergent
