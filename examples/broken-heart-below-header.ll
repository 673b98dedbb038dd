; The heart is not in the header of its loop but under a condition: a thread can go round without
; passing it.
; EXPECT: RC0116

define void @conditional_heart(i1 %odd, i1 %more) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %header

header:
  br i1 %odd, label %sometimes, label %latch

sometimes:
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  call void @barrier() [ "convergencectrl"(token %heart) ]
  br label %latch

latch:
  br i1 %more, label %header, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare void @barrier() convergent
