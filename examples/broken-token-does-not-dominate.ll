; The barrier after the branch uses a token that only one side defines.
; Threads that came the other way have no value for it.
; EXPECT: RC0111

define void @one_side(i1 %condition) {
entry:
  br i1 %condition, label %then, label %join

then:
  %group = call token @llvm.experimental.convergence.anchor()
  br label %join

join:
  call void @barrier() [ "convergencectrl"(token %group) ]
  ret void
}

declare token @llvm.experimental.convergence.anchor()
declare void @barrier() convergent
