; Kernels with what machine code differs in: divergent joins, loops with divergent exits, private memory, atomics, cross-lane operations, selects, a switch.
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare void @llvm.amdgcn.s.barrier()

@shared = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @join(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %is_small = icmp slt i32 %tid, %n
  br i1 %is_small, label %then, label %else
then:
  %a = mul i32 %n, 3
  store volatile i32 %a, ptr addrspace(1) %out
  br label %end
else:
  %b = add i32 %n, 5
  store volatile i32 %b, ptr addrspace(1) %out
  br label %end
end:
  %merged = phi i32 [ %a, %then ], [ %b, %else ]
  store i32 %merged, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @loops(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  store volatile i32 %j, ptr addrspace(1) %out
  %again = icmp slt i32 %j.next, %tid
  br i1 %again, label %inner, label %latch
latch:
  %sum = add i32 %j.next, %i
  store volatile i32 %sum, ptr addrspace(1) %out
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %done
done:
  store i32 %i.next, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @two_exits(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %back ]
  %next = add i32 %i, 1
  %leave = icmp eq i32 %next, %tid
  br i1 %leave, label %found, label %back
back:
  store volatile i32 %i, ptr addrspace(1) %out
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %missed
found:
  %f = mul i32 %next, 7
  br label %end
missed:
  br label %end
end:
  %r = phi i32 [ %f, %found ], [ -1, %missed ]
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(4) %in, ptr %flat, i32 %n) {
  %local = alloca [8 x i32], addrspace(5)
  %place = getelementptr [8 x i32], ptr addrspace(5) %local, i32 0, i32 %n
  store volatile i32 %n, ptr addrspace(5) %place
  %private = load volatile i32, ptr addrspace(5) %place
  %flat.loaded = load volatile i32, ptr %flat
  %global.loaded = load volatile i32, ptr addrspace(1) %out
  %constant.loaded = load i32, ptr addrspace(4) %in
  %old = atomicrmw add ptr addrspace(1) %out, i32 1 seq_cst
  %shared.old = atomicrmw add ptr addrspace(3) @shared, i32 %n seq_cst
  %pair = cmpxchg ptr addrspace(1) %out, i32 %n, i32 4 seq_cst seq_cst
  %previous = extractvalue { i32, i1 } %pair, 0
  %s1 = add i32 %private, %flat.loaded
  %s2 = add i32 %global.loaded, %constant.loaded
  %s3 = add i32 %old, %shared.old
  %s4 = add i32 %s1, %s2
  %s5 = add i32 %s3, %previous
  %s6 = xor i32 %s4, %s5
  store i32 %s6, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @lanes(ptr addrspace(1) %out, i32 %n) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  %lane = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %c = icmp ult i32 %tid, %n
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  %other = call i32 @llvm.amdgcn.ds.bpermute(i32 %lane, i32 %group)
  %chosen = select i1 %c, i32 %first, i32 %other
  %low = trunc i64 %all to i32
  %flag = zext i1 %c to i32
  %x = add i32 %chosen, %low
  %y = add i32 %x, %flag
  call void @llvm.amdgcn.s.barrier()
  store i32 %y, ptr addrspace(1) %out
  ret void
}

define i32 @called(i32 %a, i32 inreg %b) {
  %sum = add i32 %a, %b
  %product = mul i32 %b, %b
  %r = add i32 %sum, %product
  ret i32 %r
}

define amdgpu_kernel void @choices(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  switch i32 %tid, label %other [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  store volatile i32 1, ptr addrspace(1) %out
  br label %two
two:
  %v = phi i32 [ 10, %entry ], [ 20, %one ]
  store volatile i32 %v, ptr addrspace(1) %out
  br label %other
other:
  %w = phi i32 [ %n, %entry ], [ %v, %two ]
  %uniform = icmp eq i32 %n, 3
  br i1 %uniform, label %three, label %end
three:
  store volatile i32 3, ptr addrspace(1) %out
  br label %end
end:
  %u = phi i32 [ 1, %other ], [ 2, %three ]
  %r = add i32 %u, %w
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @irreducible(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %tid, %n
  br i1 %c, label %left, label %right
left:
  %i = phi i32 [ 0, %entry ], [ %j.next, %right ]
  %i.next = add i32 %i, 1
  store volatile i32 %i, ptr addrspace(1) %out
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %right, label %end
right:
  %j = phi i32 [ 1, %entry ], [ %i.next, %left ]
  %j.next = add i32 %j, 2
  store volatile i32 %j, ptr addrspace(1) %out
  br label %left
end:
  store i32 %i.next, ptr addrspace(1) %out
  ret void
}
