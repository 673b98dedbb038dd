; Threads leave the loop in different iterations. Where the token of the iteration is still used, only those of one iteration are together,
; so the counter is the same for them; after that it is not.
target triple = "amdgcn-amd-amdhsa"

define i32 @leave(i32 %unused) convergent {
entry:
  %token = call token @llvm.experimental.convergence.entry()
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %tid
  br i1 %more, label %loop, label %out

out:
  %inside = mul i32 %i, 4
  call void @op() [ "convergencectrl"(token %heart) ]
  br label %done

done:
  %outside = mul i32 %i, 4
  ret i32 %outside
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @op() convergent
