; Threads leave a loop in different iterations, and ask who is there behind it.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 3
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %leave = icmp eq i32 %i, %mine
  br i1 %leave, label %found, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end

found:
  %set = call i32 @llvm.nvvm.activemask()
  store i32 %set, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
