; A heart in a cycle with two entries: threads can enter at right and miss it, so there is no
; common count of iterations.
; EXPECT: RC0116

define void @ping_pong(i1 %start_left, i1 %stay) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br i1 %start_left, label %left, label %right

left:
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  br label %right

right:
  br i1 %stay, label %left, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
