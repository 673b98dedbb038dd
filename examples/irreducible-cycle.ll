; A cycle with two entries, left and right. It has no heart, which would be an error in either of
; them; an anchor inside gives a token for each pass through one of its blocks.
; EXPECT: none

define void @ping_pong(i1 %start_left, i1 %stay) {
entry:
  br i1 %start_left, label %left, label %right

left:
  %here = call token @llvm.experimental.convergence.anchor()
  call void @barrier() [ "convergencectrl"(token %here) ]
  br label %right

right:
  br i1 %stay, label %left, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.anchor()
declare void @barrier() convergent
