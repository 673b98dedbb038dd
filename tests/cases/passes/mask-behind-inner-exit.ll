; A search inside of a loop: threads leave the inner loop in different iterations, and those that found something ask who did before the next turn.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %mine = and i32 %id, 3
  br label %outer

outer:
  %turn = phi i32 [ 0, %entry ], [ %again, %next.turn ]
  br label %inner

inner:
  %i = phi i32 [ 0, %outer ], [ %next, %latch ]
  %sum = add i32 %i, %turn
  %leave = icmp eq i32 %sum, %mine
  br i1 %leave, label %found, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %inner, label %next.turn

found:
  %set = call i32 @llvm.nvvm.activemask()
  %old = load i32, ptr addrspace(1) %place
  %new = add i32 %old, %set
  store i32 %new, ptr addrspace(1) %place
  br label %next.turn

next.turn:
  %again = add i32 %turn, 1
  %last = icmp uge i32 %again, %n
  %many = icmp uge i32 %again, 3
  %done = or i1 %last, %many
  br i1 %done, label %end, label %outer

end:
  ret void
}
