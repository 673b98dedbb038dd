; A barrier that only some threads reach. The helper is right, as long as the whole workgroup calls it
; together: the call is what is wrong.
; Compare: reconverge check -v examples/barrier-in-branch.ll
; EXPECT: RC0209
target triple = "nvptx64-nvidia-cuda"

define internal void @publish(ptr addrspace(3) %slot, i32 %value) convergent {
entry:
  store i32 %value, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @reduce(ptr addrspace(3) %slot, i32 %n) convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %has_work = icmp ult i32 %tid, %n
  br i1 %has_work, label %work, label %done
work:
  call void @publish(ptr addrspace(3) %slot, i32 %tid)
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
