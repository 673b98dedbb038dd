; An operation after a loop that has none.
declare void @op() convergent

define void @kernel(i1 %c) convergent {
start:
  br label %idle
idle:
  br i1 %c, label %idle, label %busy
busy:
  call void @op()
  br i1 %c, label %busy, label %end
end:
  ret void
}
