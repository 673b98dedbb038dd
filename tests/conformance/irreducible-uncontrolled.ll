; A cycle with two entries and an operation without token.
declare void @op() convergent

define void @ping_pong(i1 %first, i1 %stay) convergent {
entry:
  br i1 %first, label %left, label %right
left:
  call void @op()
  br label %right
right:
  br i1 %stay, label %left, label %done
done:
  ret void
}
