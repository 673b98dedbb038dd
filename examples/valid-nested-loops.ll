; Two loops inside each other, each with its heart: the inner heart counts on from the outer one.
; After the inner loop, threads of one outer iteration are together again.
; EXPECT: none

define void @nested(i1 %again, i1 %once_more) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  br label %row

row:
  %outer = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  br label %column

column:
  %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
  call void @barrier() [ "convergencectrl"(token %inner) ]
  br i1 %again, label %column, label %next_row

next_row:
  call void @barrier() [ "convergencectrl"(token %outer) ]
  br i1 %once_more, label %row, label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare void @barrier() convergent
