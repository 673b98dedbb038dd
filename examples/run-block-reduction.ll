; The sum of each 64 numbers: the threads of a workgroup add pairs in local memory, with a barrier after each step. The
; attribute says how large a workgroup is, so --block is not needed.
; Run: reconverge run examples/run-block-reduction.ll --grid 4 --arg 'in=u32[256]{iota}' --arg 'out=u32[4]'
; FINDS: none
; EXPECT: none
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef

define ptx_kernel void @sums(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent "nvvm.reqntid"="64" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %group, 64
  %index = add i32 %first, %tid
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %index
  %value = load i32, ptr addrspace(1) %from
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %tid
  store i32 %value, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %step

step:
  %width = phi i32 [ 32, %entry ], [ %half, %stepped ]
  %adds = icmp ult i32 %tid, %width
  br i1 %adds, label %add, label %stepped

add:
  %partner = add i32 %tid, %width
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %partner
  %one = load i32, ptr addrspace(3) %mine
  %other = load i32, ptr addrspace(3) %theirs
  %sum = add i32 %one, %other
  store i32 %sum, ptr addrspace(3) %mine
  br label %stepped

stepped:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %width, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %step, label %last

last:
  %is_first = icmp eq i32 %tid, 0
  br i1 %is_first, label %write, label %done

write:
  %total = load i32, ptr addrspace(3) %mine
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %group
  store i32 %total, ptr addrspace(1) %to
  br label %done

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
