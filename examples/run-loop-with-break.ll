; Who meets on the way out of a loop? Threads 0 and 1 leave in the first iteration, over two different
; edges; threads 2 and 3 in the second. Three models of convergence give three answers.
; Run: reconverge run examples/run-loop-with-break.ll --block 4 --arg n=4 --arg 'out=u64[4]' --model all
; FINDS: none
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @find(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %function = call token @llvm.experimental.convergence.entry()
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %tid
  %my_iteration = lshr i32 %tid, 1
  %is_odd = trunc i32 %tid to i1
  %is_even = xor i1 %is_odd, true
  br label %iteration

iteration:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %function) ]
  %searching = call i64 @llvm.amdgcn.ballot.i64(i1 true) [ "convergencectrl"(token %heart) ]
  %is_mine = icmp eq i32 %i, %my_iteration
  %leaves_first = and i1 %is_mine, %is_even
  br i1 %leaves_first, label %found, label %second

second:
  br i1 %is_mine, label %found, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %iteration, label %done

found:
  ; With the token of the iteration: those who leave in the same one. Without tokens this block is
  ; outside of the loop, and all meet. On a stack of post-dominators each edge is on its own.
  %with_me = call i64 @llvm.amdgcn.ballot.i64(i1 true) [ "convergencectrl"(token %heart) ]
  store i64 %with_me, ptr addrspace(1) %place
  br label %done

done:
  ret void
}

declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
