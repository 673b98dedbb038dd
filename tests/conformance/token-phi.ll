; A token that a phi would choose.
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent

define void @chosen(i1 %c) {
start:
  %one = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %then, label %end
then:
  %two = call token @llvm.experimental.convergence.anchor()
  br label %end
end:
  %token = phi token [ %one, %start ], [ %two, %then ]
  call void @op() [ "convergencectrl"(token %token) ]
  ret void
}
