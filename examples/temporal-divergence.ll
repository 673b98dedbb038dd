; Each thread leaves the loop in an iteration of its own. In the loop, converged threads agree on %i:
; they are in the same iteration. Behind the loop they meet with values from different ones.
; Ask why: reconverge uniformity examples/temporal-divergence.ll --explain %last
; EXPECT: none
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @temporal(ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %tid
  br i1 %more, label %loop, label %done

done:
  %last = mul i32 %i, 4
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %last, ptr addrspace(1) %place
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
