declare token @llvm.experimental.convergence.anchor() convergent
declare void @op() convergent
define void @f() convergent {
  %t = call token @llvm.experimental.convergence.anchor()
  %u = freeze token %t
  call void @op() [ "convergencectrl"(token %u) ]
  ret void
}
