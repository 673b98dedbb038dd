; A loop with a heart: threads that are in their n-th iteration together run the ballot together.
; The heart ties each iteration to the token from before the loop.
; EXPECT: none

define i32 @count_turns(i32 %n) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %iteration

iteration:
  %i = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  %together = call i32 @ballot(i1 %more) [ "convergencectrl"(token %heart) ]
  br i1 %more, label %iteration, label %done

done:
  %last = call i32 @ballot(i1 true) [ "convergencectrl"(token %function) ]
  ret i32 %together
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare i32 @ballot(i1) convergent
