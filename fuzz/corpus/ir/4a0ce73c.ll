target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [256 x i32] poison
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent
declare i32 @llvm.amdgcn.wave.reduce.umin.i32(i32, i32 immarg) convergent
declare i32 @llvm.amdgcn.wave.reduce.add.i32(i32, i32 immarg) convergent
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
declare i32 @llvm.amdgcn.ballot.i32(i1) convergent
declare void @llvm.amdgcn.s.barrier() convergent
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
declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b, i32 %n, i32 %nx) convergent {
b0:
  %var0 = alloca i32, addrspace(5)
  %var1 = alloca i32, addrspace(5)
  %array = alloca [4 x i32], addrspace(5)
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %gid = call i32 @llvm.amdgcn.workgroup.id.x()
  %linear = add i32 %tid, 0
  %group = mul i32 %gid, %n
  %thread = add i32 %group, %linear
  %mine = mul i32 %thread, 4
  store i32 %tid, ptr addrspace(5) %var0
  store i32 7, ptr addrspace(5) %var1
  %v1 = getelementptr i32, ptr addrspace(5) %array, i32 0
  store i32 %tid, ptr addrspace(5) %v1
  %v2 = getelementptr i32, ptr addrspace(5) %array, i32 1
  store i32 %n, ptr addrspace(5) %v2
  %v3 = getelementptr i32, ptr addrspace(5) %array, i32 2
  store i32 %tid, ptr addrspace(5) %v3
  %v4 = getelementptr i32, ptr addrspace(5) %array, i32 3
  store i32 %tid, ptr addrspace(5) %v4
  %v5 = select i1 false, i32 %n, i32 %b
  %v6 = and i32 %gid, 15
  %v7 = getelementptr i32, ptr addrspace(1) %in, i32 %v6
  %v8 = load i32, ptr addrspace(1) %v7
  %v9 = icmp sle i32 %n, %tid
  %v10 = and i32 %tid, 15
  %v11 = getelementptr i32, ptr addrspace(1) %in, i32 %v10
  %v12 = load i32, ptr addrspace(1) %v11
  %v13 = and i32 4, 3
  switch i32 %v13, label %b1 [
    i32 0, label %b1
    i32 1, label %b4
  ]
b1:
  %v14 = phi i32 [ %a, %b0 ], [ %a, %b0 ], [ %n, %b3 ]
  %v15 = phi i32 [ %gid, %b0 ], [ %gid, %b0 ], [ %n1, %b3 ]
  %v16 = phi i32 [ %v5, %b0 ], [ %v5, %b0 ], [ %n1, %b3 ]
  %i1 = phi i32 [ 0, %b0 ], [ 0, %b0 ], [ %n1, %b3 ]
  %n1 = add i32 %i1, 1
  %v17 = or i1 true, false
  %v18 = add i32 %mine, 0
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  %v20 = load i32, ptr addrspace(1) %v19
  %v21 = and i32 %v14, 1
  %v22 = icmp eq i32 %v21, 4
  %v23 = add i32 %mine, 2
  %v24 = getelementptr i32, ptr addrspace(1) %out, i32 %v23
  %v25 = load i32, ptr addrspace(1) %v24
  %v26 = icmp ult i32 %i1, 3
  call void @llvm.lifetime.start.p0(i64 4, ptr undef)
  %v27 = and i32 7, 3
  %v28 = select i1 %v26, i32 %v27, i32 1
  switch i32 %v28, label %b2 [
    i32 0, label %b3
    i32 1, label %b4
  ]
b2:
  %v31 = and i32 %v15, 1
  %v32 = icmp sgt i32 %v31, 4
  %v33 = select i1 %v22, i32 %v15, i32 %v20
  %v34 = call i32 @llvm.smax.i32(i32 %n, i32 7)
  %v35 = freeze i32 %v14
  store i32 %v5, ptr addrspace(5) %var1
  %v36 = load i32, ptr addrspace(5) %var1
  br label %b3
b3:
  %v37 = phi i32 [ %v15, %b1 ], [ %a, %b2 ]
  %v38 = sext i32 %v15 to i64
  %v39 = mul i64 %v38, 1103515245
  %v40 = lshr i64 %v39, 13
  %v42 = xor i1 %v17, false
  %v43 = and i32 %n1, 1
  %v44 = icmp slt i32 %v43, 0
  %v45 = add i32 %mine, 2
  %v46 = getelementptr i32, ptr addrspace(1) %out, i32 %v45
  store i32 %v12, ptr addrspace(1) %v46
  br label %b1
b4:
  %v29 = mul i32 %v5, 8
  %v30 = select i1 true, i32 %v29, i32 2
  ret void
}
