; Two hearts on the same token in one loop: each would count its iterations for itself. The second
; one also is not in the header.
; EXPECT: RC0114
; EXPECT: RC0116

define void @two_hearts(i1 %more) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %header

header:
  %first = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  br label %latch

latch:
  %second = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  br i1 %more, label %header, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
