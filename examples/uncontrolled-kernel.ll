; No tokens at all, as most GPU code of today: convergence follows from the convergent attribute and
; the shape of the loops. There is nothing for the static rules to check.
; EXPECT: none

define void @classic(i32 %n) convergent {
entry:
  br label %iteration

iteration:
  %i = phi i32 [ 0, %entry ], [ %next, %iteration ]
  call void @barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %iteration, label %done

done:
  ret void
}

declare void @barrier() convergent
