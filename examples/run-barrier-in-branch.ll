; A barrier that half of the threads come to: the others are at the end of the kernel by then, and
; those that wait do so for ever. `check` sees it, too.
; Run: reconverge run examples/run-barrier-in-branch.ll --block 8 --arg 'out=u32[8]'
; FINDS: RC0501
; EXPECT: RC0201
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @publish(ptr addrspace(1) %out) convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %in_low_half = icmp ult i32 %tid, 4
  br i1 %in_low_half, label %low, label %done

low:
  store i32 %tid, ptr addrspace(1) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %done

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
