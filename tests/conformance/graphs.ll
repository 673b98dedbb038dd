; The graphs by which LLVM's text explains convergence: a loop, an order of three threads, and a closed path that is entered at two places.
define void @loop(i1 %c) {
Entry:
  br label %H
H:
  br i1 %c, label %B, label %L
B:
  br label %L
L:
  br i1 %c, label %H, label %Exit
Exit:
  ret void
}

define void @order(i32 %way) {
Entry:
  switch i32 %way, label %S [ i32 1, label %Q
    i32 2, label %P ]
P:
  br label %Q
Q:
  br label %R
R:
  br label %S
S:
  %last = icmp eq i32 %way, 0
  br i1 %last, label %T, label %Exit
T:
  br label %Exit
Exit:
  ret void
}

define void @two_entries(i1 %c) {
Entry:
  br i1 %c, label %P, label %R
P:
  br label %Q
Q:
  br i1 %c, label %R, label %S
R:
  br label %S
S:
  br i1 %c, label %P, label %Exit
Exit:
  ret void
}
