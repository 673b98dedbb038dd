; An operation that two paths lead to, before and after jump threading, with a token and without.
declare token @llvm.experimental.convergence.entry()
declare void @op() convergent

define void @original(i1 %c) convergent {
entry:
  br i1 %c, label %then1, label %mid
then1:
  br label %mid
mid:
  br i1 %c, label %then2, label %end
then2:
  call void @op()
  br label %end
end:
  ret void
}

define void @threaded(i1 %c) convergent {
entry:
  br i1 %c, label %then1, label %then2
then1:
  br i1 %c, label %then2, label %end
then2:
  call void @op()
  br label %end
end:
  ret void
}

define void @threaded_with_token(i1 %c) convergent {
entry:
  %token = call token @llvm.experimental.convergence.entry()
  br i1 %c, label %then1, label %then2
then1:
  br i1 %c, label %then2, label %end
then2:
  call void @op() [ "convergencectrl"(token %token) ]
  br label %end
end:
  ret void
}
