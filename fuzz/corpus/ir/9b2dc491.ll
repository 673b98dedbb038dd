declare i32 @llvm.cttz.i32(i32, i1 immarg)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
!0 = !{i32 3, i32 1, i32 1} define amdgpu_kernel void @k(ptr %in, ptr %out, i32 %a, i32 %b, i32 %n, i32 %nx) convergent "target-features"="+wavefrontsize16" !reqd_work_group_size !0 {
b0:
  %var0 = alloca i32, addrspace(5)
  %var1 = alloca i32, addrspace(5)
  %array = alloca [4 x i32], addrspace(5)
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %gid = call i32 @llvm.amdgcn.workgroup.id.x()
  %linear = add i32 %tid, 0
  %group = mul i32 %gid, %tid
  %thread = add i32 %group, %linear
  %mine = mul i32 %thread, 4
  store i32 %a, ptr addrspace(5) %var0
  store i32 %n, ptr addrspace(5) %var1
  %v5 = icmp sge i32 %a, %a
  %v6 = xor i32 %gid, 8
  %v7 = icmp eq i32 %b, %gid
  %v8 = select i1 %v7, i32 2, i32 %gid
  %v9 = and i32 %n, 3
  switch i32 %v9, label %b2 [
    i32 0, label %b6
    i32 1, label %b1
  ]
b1:
  %v10 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 7, i32 0)
  %v11 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %v6, i32 0)
  %v12 = and i32 %tid, 3
  %v13 = getelementptr i32, ptr addrspace(5) %array, i32 %v12
  %v14 = load i32, ptr addrspace(5) %v13
  %v15 = urem i32 %v6, 8
  %v16 = and i32 %v14, 1
  %v17 = icmp sge i32 %v16, 4
  %v18 = xor i1 %v7, %v5
  %v19 = urem i32 1, 8
  br label %b3
b2:
  %v20 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %n, i32 0)
  %v21 = add i32 %mine, 3
  %v22 = getelementptr i32, ptr %out, i32 %v21
  store i32 %v20, ptr %v22
  %v23 = icmp slt i32 %v20, %tid
  %v24 = and i32 %v6, 3
  %v25 = icmp ugt i32 %v20, 2
  %v26 = and i32 %n, 255
  %v27 = uitofp i32 %v26 to float
  %v28 = fmul float %v27, 5.000000e-01
  %v29 = fptoui float %v28 to i32
  %v30 = icmp sgt i32 %v29, %n
  %v31 = udiv i32 %n, 1
  %v32 = and i32 7, 7
  %v33 = icmp uge i32 %v32, 0
  br i1 %v33, label %b3, label %b4
b3:
  %v34 = phi i32 [ %v14, %b1 ], [ undef, %b2 ]
  %v35 = phi i1 [ %v7, %b1 ], [ %v7, %b2 ]
  %v37 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 8, i32 %v34)
  %v38 = extractvalue { i32, i1 } %v37, 0
  %v39 = icmp eq i32 %n, %v34
  br i1 %v39, label %b6, label %b4
b4:
  %v40w = call i64 @llvm.amdgcn.ballot.i64(i1 %v7)
  %v40 = trunc i64 %v40w to i32
  %v41 = and i32 %n, 255
  %v42 = uitofp i32 %v41 to float
  %v43 = fmul float %v42, 5.000000e-01
  %v44 = fptoui float %v43 to i32
  store i32 %a, ptr addrspace(5) %var1
  %v45 = and i32 %tid, 3
  switch i32 %v45, label %b6 [
    i32 0, label %b5
    i32 1, label %b4
  ]
b5:
  %v46 = call i32 @llvm.amdgcn.ballot.i32(i1 %v7)
  %v47 = and i32 0, 3
  %v48 = icmp sgt i32 %v47, 4
  %v49 = urem i32 5, 3
  %v50 = and i32 %v40, %v46
  ret void
b6:
  %v51 = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 1, i32 0)
  %v52 = and i32 %tid, %a
  %v53 = select i1 %v7, i32 %gid, i32 %n
  ret void
}
