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
  store i32 -1, ptr %var0
  store i32 %n, ptr %var1
  %v1 = getelementptr i32, ptr %array, i32 0
  store i32 %b, ptr %v1
  %v2 = getelementptr i32, ptr %array, i32 1
  store i32 %a, ptr %v2
  %v3 = getelementptr i32, ptr %array, i32 2
  store i32 %a, ptr %v3
  %v4 = getelementptr i32, ptr %array, i32 3
  store i32 %a, ptr %v4
  %v5 = mul i32 5, %gid
  %v6 = or i1 true, false
  %v7 = add i32 %b, %a
  %v8 = and i32 %v7, 1
  %v9 = icmp eq i32 %v8, 1
  %v10 = icmp uge i32 %gid, %gid
  %v11 = urem i32 5, 1
  %v12 = or i1 %v6, %v10
  %v13 = or i32 %v5, %n
  %v14 = and i32 2, 1
  %v15 = icmp ne i32 %v14, 0
  br i1 %v15, label %b1, label %b5
b1:
  call void @op(i32 %v5)
  %v16 = and i32 %v11, 7
  %v17 = icmp ne i32 %v16, 4
  %v18 = zext i1 %v15 to i32
  %v19 = icmp sge i32 %v13, %v18
  %v20 = call i32 @llvm.fshl.i32(i32 %gid, i32 %v5, i32 7)
  br label %b2
b2:
  %v21 = phi i32 [ 1, %b1 ], [ %v25, %b3 ]
  %v22 = phi i32 [ %v20, %b1 ], [ %v25, %b3 ]
  %i2 = phi i32 [ 0, %b1 ], [ %n2, %b3 ]
  %n2 = add i32 %i2, 1
  %v23 = select i1 %v15, i32 %v18, i32 %v22
  %v24 = lshr i32 %v23, 2
  %v25 = xor i32 %v21, 8
  %v26 = add i32 -1, %i2
  %v27 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %v23, i32 %v25)
  %v28 = extractvalue { i32, i1 } %v27, 0
  %v29 = icmp ult i32 %i2, 3
  %v30 = and i1 %v29, %v19
  unreachable
b3:
  call void @op(i32 %v28)
  %v76 = load i32, ptr %var1
  %v77 = urem i32 %v76, 16
  %v78 = xor i1 %v6, %v9
  %v79 = lshr i32 %tid, 8
  %v80 = and i32 %v25, 3
  %v81 = icmp sge i32 %v80, 1
  br label %b2
b4:
  %v31m = call i32 @llvm.nvvm.activemask()
  %v31 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %v31m, i1 %v15)
  %v32 = and i32 %v13, %v24
  %v33 = select i1 %v17, i32 %v31, i32 %v32
  %v34 = or i32 %v20, %v26
  br label %b5
b5:
  %v35 = phi i32 [ %tid, %b0 ], [ %v21, %b4 ]
  %v36 = phi i32 [ %v7, %b0 ], [ %v34, %b4 ]
  call void @op(i32 2)
  %v37 = and i32 %b, 15
  %v38 = getelementptr i32, ptr addrspace(1) %in, i32 %v37
  %v39 = load i32, ptr addrspace(1) %v38
  call void @op(i32 %v7)
  %v40 = and i32 %v36, 15
  %v41 = getelementptr i32, ptr addrspace(1) %in, i32 %v40
  %v42 = load i32, ptr addrspace(1) %v41
  %v43 = shl i32 %v13, 16
  br label %b6
b6:
  %v44 = phi i32 [ %v39, %b5 ], [ 16, %b6 ]
  %v45 = phi i32 [ %v39, %b5 ], [ 5, %b6 ]
  %v46 = phi i32 [ %v42, %b5 ], [ %i6, %b6 ]
  %i6 = phi i32 [ 0, %b5 ], [ %n6, %b6 ]
  %n6 = add i32 %i6, 1
  %v47 = call i32 @llvm.nvvm.activemask()
  %v48 = or i32 0, %v13
  %v49 = icmp sge i32 %tid, %v43
  %v50 = and i32 %v45, 7
  %v51 = icmp slt i32 %v50, 2
  %v52 = icmp ult i32 %i6, 3
  %v53 = and i1 %v52, %v15
  br i1 %v53, label %b6, label %b7
b7:
  call void @op(i32 %v47)
  %v54 = and i32 %v48, 15
  %v55 = getelementptr i32, ptr addrspace(1) %in, i32 %v54
  %v56 = load i32, ptr addrspace(1) %v55
  %v57 = insertelement <2 x i32> zeroinitializer, i32 %v48, i32 0
  %v58 = insertelement <2 x i32> %v57, i32 %i6, i32 1
  %v59 = and i32 %i6, 1
  %v60 = extractelement <2 x i32> %v58, i32 %v59
  br i1 %v51, label %b8, label %b9
b8:
  %v61 = zext i1 %v6 to i32
  %v62 = add i32 %mine, 1
  %v63 = getelementptr i32, ptr addrspace(1) %out, i32 %v62
  store i32 %v45, ptr addrspace(1) %v63
  %v64 = shl i32 %a, 2
  %v65 = and i32 7, 3
  %v66 = icmp ule i32 %v65, 2
  br label %b9
b9:
  %v67 = phi i32 [ %n6, %b7 ], [ %v64, %b8 ]
  %v68 = phi i32 [ %v39, %b7 ], [ %v60, %b8 ]
  %v69 = phi i32 [ %n6, %b7 ], [ %v47, %b8 ]
  %v70m = call i32 @llvm.nvvm.activemask()
  %v70 = call i32 @llvm.nvvm.match.any.sync.i32(i32 %v70m, i32 %v60)
  %v71 = select i1 %v15, i32 %v69, i32 %v35
  %v72 = xor i32 %v70, 8
  %v73 = and i32 %v43, 1
  %v74 = icmp slt i32 %v73, 4
  %v75 = udiv i32 7, 2
  ret void
}
