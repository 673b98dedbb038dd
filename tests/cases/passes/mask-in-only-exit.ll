; A loop whose only exit is divergent; all ask there who is with them, and then those that stayed long. That the loop computes nothing does not make the sets others.
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
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i, %mine
  br i1 %more, label %loop, label %exit

exit:
  %set = call i32 @llvm.nvvm.activemask()
  store i32 %set, ptr addrspace(1) %place
  %big = icmp ugt i32 %i, 4
  br i1 %big, label %rest, label %end

rest:
  %few = call i32 @llvm.nvvm.activemask()
  store i32 %few, ptr addrspace(1) %place
  br label %end

end:
  ret void
}
