; An operation on the way out of a loop that uses the heart: it belongs to the iteration that
; the threads leave, so threads that leave in different iterations do not meet here.
; EXPECT: none

define i32 @find(i1 %found) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %search

search:
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  br i1 %found, label %leave, label %search

leave:
  %with_me = call i32 @ballot(i1 true) [ "convergencectrl"(token %heart) ]
  ret i32 %with_me
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare i32 @ballot(i1) convergent
