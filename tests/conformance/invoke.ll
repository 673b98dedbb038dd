; An operation that is invoked.
declare token @llvm.experimental.convergence.entry()
declare void @op() convergent
declare i32 @personality(...)

define void @invoked() convergent personality ptr @personality {
start:
  %token = call token @llvm.experimental.convergence.entry()
  invoke void @op() [ "convergencectrl"(token %token) ] to label %next unwind label %pad
next:
  ret void
pad:
  %landing = landingpad { ptr, i32 } cleanup
  ret void
}
