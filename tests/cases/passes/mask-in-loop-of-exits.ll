; A loop with two exits that share a block, which leads on by which of them it was: threading makes the divergent exit lead straight to the mask.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 7
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mask = call i32 @llvm.nvvm.activemask()
  store i32 %mask, ptr addrspace(1) %place
  %found = icmp eq i32 %i, %mine
  br i1 %found, label %exit, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %was = phi i1 [ true, %loop ], [ false, %latch ]
  br i1 %was, label %vote, label %end

vote:
  %votes = call i32 @llvm.nvvm.activemask()
  store i32 %votes, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
