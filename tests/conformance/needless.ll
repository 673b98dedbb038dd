; Attributes and bundles that say nothing: the call is of a function that is not convergent, and the function has no operation.
declare token @llvm.experimental.convergence.entry()
declare void @alone()
declare void @meet() convergent

define void @nothing_inside() convergent {
start:
  ret void
}

define void @calls() convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  call void @alone() convergent [ "convergencectrl"(token %token) ]
  call void @meet() [ "convergencectrl"(token %token) ]
  ret void
}
