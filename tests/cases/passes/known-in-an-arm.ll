; As jump-threading.ll: simplifycfg leads the arm in which the second branch is decided around the join, a new way into the block with the mask.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %low = icmp ult i32 %id, 2
  br i1 %low, label %a, label %c

a:
  store i32 7, ptr addrspace(1) %place
  br label %x

c:
  store i32 8, ptr addrspace(1) %place
  %odd = icmp ult i32 %id, %n
  br label %x

x:
  %both = phi i1 [ true, %a ], [ %odd, %c ]
  br i1 %both, label %b, label %exit

b:
  %set = call i32 @llvm.nvvm.activemask()
  store i32 %set, ptr addrspace(1) %place
  br label %exit

exit:
  ret void
}
