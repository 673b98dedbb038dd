; Three arms decide what is behind their join: two of them know it, and simplifycfg leads these around the join; the block with the mask gets a way in from one of these.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %kind = urem i32 %id, 3
  switch i32 %kind, label %two [
    i32 0, label %zero
    i32 1, label %one
  ]

zero:
  store i32 1, ptr addrspace(1) %place
  br label %join

one:
  store i32 2, ptr addrspace(1) %place
  br label %join

two:
  %more = icmp ult i32 %id, %n
  br label %join

join:
  %votes = phi i1 [ true, %zero ], [ false, %one ], [ %more, %two ]
  br i1 %votes, label %vote, label %exit

vote:
  %set = call i32 @llvm.nvvm.activemask()
  store i32 %set, ptr addrspace(1) %place
  br label %exit

exit:
  ret void
}
