; Two loops that could be one, each with a barrier of the workgroup: which iteration of which loop threads are in matters.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
@tile = internal addrspace(3) global [64 x i32] undef

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %id
  store i32 %id, ptr addrspace(3) %slot
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %inext, %first ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %inext = add i32 %i, 1
  %imore = icmp ult i32 %inext, 4
  br i1 %imore, label %first, label %second

second:
  %j = phi i32 [ 0, %first ], [ %jnext, %second ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %jnext = add i32 %j, 1
  %jmore = icmp ult i32 %jnext, 4
  br i1 %jmore, label %second, label %end

end:
  %value = load i32, ptr addrspace(3) %slot
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %value, ptr addrspace(1) %place
  ret void
}
