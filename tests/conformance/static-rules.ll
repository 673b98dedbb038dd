; A function for each static rule that breaks it, named after the rule.
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent

define void @entry_without_attribute() {
start:
  %token = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %token) ]
  ret void
}

define void @entry_elsewhere(i1 %c) convergent {
start:
  br i1 %c, label %then, label %end
then:
  %token = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %token) ]
  br label %end
end:
  ret void
}

define void @two_entries() convergent {
start:
  %one = call token @llvm.experimental.convergence.entry()
  %two = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %one) ]
  call void @op() [ "convergencectrl"(token %two) ]
  ret void
}

define void @entry_too_late() convergent {
start:
  %here = call token @llvm.experimental.convergence.anchor()
  %token = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %token) ]
  ret void
}

define void @entry_with_token() convergent {
start:
  %here = call token @llvm.experimental.convergence.anchor()
  br label %next
next:
  %token = call token @llvm.experimental.convergence.anchor() [ "convergencectrl"(token %here) ]
  call void @op() [ "convergencectrl"(token %token) ]
  ret void
}

define void @heart_too_late(i1 %c) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  br label %header
header:
  %free = call token @llvm.experimental.convergence.anchor()
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  call void @op() [ "convergencectrl"(token %heart) ]
  call void @op() [ "convergencectrl"(token %free) ]
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @heart_without_token(i1 %c) convergent {
start:
  br label %header
header:
  %heart = call token @llvm.experimental.convergence.loop()
  call void @op() [ "convergencectrl"(token %heart) ]
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @indirect_intrinsic() convergent {
start:
  %slot = alloca ptr
  store ptr @llvm.experimental.convergence.anchor, ptr %slot
  ret void
}

define void @mixed() convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %token) ]
  call void @op()
  ret void
}

define void @use_in_cycle(i1 %c) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  br label %header
header:
  call void @op() [ "convergencectrl"(token %token) ]
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @two_uses_in_cycle(i1 %c) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  br label %header
header:
  %one = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  br label %latch
latch:
  %two = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @two_tokens_in_cycle(i1 %c) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  %other = call token @llvm.experimental.convergence.anchor()
  br label %header
header:
  %one = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  br label %latch
latch:
  %two = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %other) ]
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @heart_below_header(i1 %c, i1 %d) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  br label %header
header:
  br i1 %d, label %side, label %latch
side:
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  br label %latch
latch:
  br i1 %c, label %header, label %end
end:
  ret void
}

define void @crossing_regions() convergent {
start:
  %one = call token @llvm.experimental.convergence.anchor()
  %two = call token @llvm.experimental.convergence.anchor()
  call void @op() [ "convergencectrl"(token %one) ]
  call void @op() [ "convergencectrl"(token %two) ]
  ret void
}

define void @no_token() convergent {
start:
  call void @op() [ "convergencectrl"(token none) ]
  ret void
}

define void @without_attribute() {
start:
  call void @op()
  ret void
}
