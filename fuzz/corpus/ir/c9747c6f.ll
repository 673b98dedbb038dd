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
  store i32 %gid, ptr addrspace(5) %var0
  store i32 %a, ptr addrspace(5) %var1
  %v1 = getelementptr i32, ptr addrspace(5) %array, i32 0
  store i32 5, ptr addrspace(5) %v1
  %v2 = getelementptr i32, ptr addrspace(5) %array, i32 1
  store i32 %a, ptr addrspace(5) %v2
  %v3 = getelementptr i32, ptr addrspace(5) %array, i32 2
  store i32 %a, ptr addrspace(5) %v3
  %v4 = getelementptr i32, ptr addrspace(5) %array, i32 3
  store i32 %n, ptr addrspace(5) %v4
  %v5 = getelementptr i32, ptr addrspace(3) @lds, i32 %linear
  store i32 %a, ptr addrspace(3) %v5
  call void @llvm.amdgcn.s.barrier()
  %v6 = add i32 %mine, 3
  %v7 = getelementptr i32, ptr addrspace(1) %out, i32 %v6
  store i32 %gid, ptr addrspace(1) %v7
  %v8 = udiv i32 2, 1
  %v9 = call i32 @value(i32 %b)
  %v10 = udiv i32 %tid, 8
  %v11 = urem i32 %gid, 8
  %v12 = sext i32 %v10 to i64
  %v13 = mul i64 %v12, 1103515245
  %v14 = lshr i64 %v13, 13
  %v15 = trunc i64 %v14 to i32
  %v16 = and i32 %v11, 3
  %v17 = icmp eq i32 %v16, 4
  %v18 = add i32 %mine, 3
  %v19 = getelementptr i32, ptr addrspace(1) %out, i32 %v18
  store i32 %v8, ptr addrspace(1) %v19
  %v20 = and i32 0, 255
  %v21 = uitofp i32 %v20 to float
  %v22 = fmul float %v21, 5.000000e-01
  %v23 = fptoui float %v22 to i32
  br i1 %v17, label %b3, label %b1
b1:
  call void @op(i32 16)
  %v24 = add i32 %mine, 2
  %v25 = getelementptr i32, ptr addrspace(1) %out, i32 %v24
  store i32 %v11, ptr addrspace(1) %v25
  %v26 = add i32 %b, 1
  %v27 = add i32 %mine, 0
  %v28 = getelementptr i32, ptr addrspace(1) %out, i32 %v27
  store i32 %v15, ptr addrspace(1) %v28
  %v29 = add i32 %mine, 3
  %v30 = getelementptr i32, ptr addrspace(1) %out, i32 %v29
  %v31 = load i32, ptr addrspace(1) %v30
  %v32 = and i32 %gid, 15
  %v33 = getelementptr i32, ptr addrspace(1) %in, i32 %v32
  %v34 = load i32, ptr addrspace(1) %v33
  %v35 = insertelement <2 x i32> zeroinitializer, i32 %v8, i32 0
  %v36 = insertelement <2 x i32> %v35, i32 %a, i32 1
  %v37 = and i32 %a, 1
  %v38 = extractelement <2 x i32> %v36, i32 %v37
  br label %b2
b2:
  %v39 = and i32 %v31, 1
  %v40 = icmp ugt i32 %v39, 4
  %v41 = mul i32 %v26, %v15
  %v42 = or i32 %v23, %v11
  %v43 = and i32 %v31, 255
  %v44 = uitofp i32 %v43 to float
  %v45 = fmul float %v44, 5.000000e-01
  %v46 = fptoui float %v45 to i32
  br label %b4
b3:
  store i32 %v9, ptr addrspace(5) %var1
  %v51 = sub i32 %v15, %v11
  %v52 = and i32 2, 1
  %v53 = icmp ule i32 %v52, 1
  ret void
b4:
  %v47 = call i32 @llvm.smax.i32(i32 %v23, i32 %v42) nomerge
  %v48 = lshr i32 5, 16
  %v49 = udiv i32 %v26, 4
  %v50 = icmp ule i32 0, 7
  ret void
}
