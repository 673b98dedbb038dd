target datalayout = "e-p3:16:16-p7:160:256:256:32"
target triple = "nvptx64-nvidia-cuda"
@lds = internal addrspace(3) global [256 x i32] poison
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.activemask() convergent
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) convergent
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32) convergent
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) convergent
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op(i32) convergent
declare i32 @value(i32) convergent
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1 immarg)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare void @llvm.assume(i1)

define internal i32 @g0(ptr addrspace(1) %in, i32 %p0, i32 %p1)  {
b0:
  %var0 = alloca i32
  %var1 = alloca i32
  %array = alloca [4 x i32]
  %v1 = add i32 %p0, 0
  %v2 = add i32 %p1, 0
  store i32 %p1, ptr %var0
  store i32 %v2, ptr %var1
  %v3 = getelementptr i32, ptr %array, i32 0
  store i32 %p1, ptr %v3
  %v4 = getelementptr i32, ptr %array, i32 1
  store i32 4, ptr %v4
  %v5 = getelementptr i32, ptr %array, i32 2
  store i32 16, ptr %v5
  %v6 = getelementptr i32, ptr %array, i32 3
  store i32 %p1, ptr %v6
  %v7 = and i32 %v2, 3
  %v8 = getelementptr i32, ptr %array, i32 %v7
  store i32 %v2, ptr %v8
  %v9 = load i32, ptr %var1
  %v10 = icmp sle i32 %p1, %v1
  br i1 %v10, label %b1, label %b2
b1:
  store i32 -1, ptr %var0
  %v11 = select i1 %v10, i32 %v9, i32 %v2
  %v12 = and i32 %v9, 15
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  call void @llvm.assume(i1 true)
  %v14 = load i32, ptr addrspace(1) %v13
  br label %b2
b2:
  %v15 = phi i32 [ 1, %b0 ], [ 8, %b1 ]
  %v16 = or i32 %v15, 3
  %v17 = and i32 %v15, 3
  %v18 = icmp eq i32 %v17, 4
  ret i32 %p0
}

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b, i32 %n, i32 %nx) convergent {
b0:
  %var0 = alloca i32
  %var1 = alloca i32
  %array = alloca [4 x i32]
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %gid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %linear = add i32 %tid, 0
  %group = mul i32 %gid, %n
  %thread = add i32 %group, %linear
  %mine = mul i32 %thread, 4
  store i32 %gid, ptr %var0
  store i32 4, ptr %var1
  %v1 = getelementptr i32, ptr %array, i32 0
  store i32 16, ptr %v1
  %v2 = getelementptr i32, ptr %array, i32 1
  store i32 %a, ptr %v2
  %v3 = getelementptr i32, ptr %array, i32 2
  store i32 7, ptr %v3
  %v4 = getelementptr i32, ptr %array, i32 3
  store i32 %n, ptr %v4
  %v5 = mul i32 %tid, %a
  %v6 = add i32 %mine, 2
  %v7 = getelementptr i32, ptr addrspace(1) %out, i32 %v6
  store i32 %n, ptr addrspace(1) %v7
  br i1 true, label %b1, label %b2
b1:
  %v20 = phi i32 [ %n, %b0 ], [ %v21, %b1 ]
  %i1 = phi i32 [ 0, %b0 ], [ %n1, %b1 ]
  %n1 = add i32 %i1, 1
  call void @op(i32 %v5)
  %v21m = call i32 @llvm.nvvm.activemask()
  %v21b = call i1 @llvm.nvvm.vote.any.sync(i32 %v21m, i1 true)
  %v21 = zext i1 %v21b to i32
  %v22 = and i32 %n1, 15
  %v23 = getelementptr i32, ptr addrspace(1) %in, i32 %v22
  %v24 = load i32, ptr addrspace(1) %v23
  %v25 = and i32 %v5, %i1
  %v26 = insertelement <2 x i32> zeroinitializer, i32 8, i32 0
  %v27 = insertelement <2 x i32> %v26, i32 %i1, i32 1
  %v28 = and i32 %i1, 1
  %v29 = extractelement <2 x i32> %v27, i32 %v28
  %v30 = icmp ult i32 %i1, 2
  %v31 = and i32 %v21, 3
  %v32 = icmp slt i32 %v31, 2
  %v33 = and i1 %v30, %v32
  br i1 %v33, label %b1, label %b3
b2:
  %v8m = call i32 @llvm.nvvm.activemask()
  %v8l = call i32 @llvm.cttz.i32(i32 %v8m, i1 false)
  %v8 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %v8m, i32 4, i32 %v8l, i32 31)
  %v9 = call i32 @llvm.fshl.i32(i32 %a, i32 %n, i32 7)
  %v10 = call i32 @g0(ptr addrspace(1) %in, i32 %v8, i32 %gid)
  %v11 = add i32 %v10, %gid
  %v12 = and i32 %gid, 15
  %v13 = getelementptr i32, ptr addrspace(1) %in, i32 %v12
  %v14 = load i32, ptr addrspace(1) %v13
  %v15 = lshr i32 %v8, 3
  %v16 = add i32 %mine, 2
  %v17 = getelementptr i32, ptr addrspace(1) %out, i32 %v16
  %v18 = load i32, ptr addrspace(1) %v17
  %v19 = and i32 %v5, 0
  br label %b3
b3:
  %v34 = icmp uge i32 %tid, %v5
  %v35 = add i32 %a, %b
  ret void
}
