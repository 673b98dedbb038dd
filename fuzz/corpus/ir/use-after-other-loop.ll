define void @f(ptr %p) {
entry:
  br label %first
first:
  %i = load i32, ptr %p, align 4
  %c = icmp ult i32 %i, 32
  br i1 %c, label %body, label %between
body:
  br label %first
between:
  store i32 %next, ptr %p, align 4
  br label %second
second:
  %j = load i32, ptr %p, align 4
  %next = add i32 %j, 8
  %d = icmp ult i32 %next, 64
  br i1 %d, label %second, label %exit
exit:
  ret void
}
