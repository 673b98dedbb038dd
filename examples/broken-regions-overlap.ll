; Two groups of threads that overlap instead of nesting: the region of inner is still open when
; outer, whose definition lies outside it, is used.
; EXPECT: RC0117

define void @overlap() {
entry:
  %outer = call token @llvm.experimental.convergence.anchor()
  %inner = call token @llvm.experimental.convergence.anchor()
  call void @barrier() [ "convergencectrl"(token %outer) ]
  call void @barrier() [ "convergencectrl"(token %inner) ]
  ret void
}

declare token @llvm.experimental.convergence.anchor()
declare void @barrier() convergent
