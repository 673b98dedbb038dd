; On a CPU threads do not communicate in this way, so nothing has to stay.
target triple = "x86_64-unknown-linux-gnu"

declare void @op() convergent

define void @f() convergent {
start:
  call void @op()
  ret void
}
