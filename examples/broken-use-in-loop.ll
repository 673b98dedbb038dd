; The barrier in the loop uses the token from before the loop: nothing says which iterations of
; different threads belong together. The loop needs a heart.
; EXPECT: RC0113

define void @missing_heart(i1 %more) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %iteration

iteration:
  call void @barrier() [ "convergencectrl"(token %function) ]
  br i1 %more, label %iteration, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare void @barrier() convergent
