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
%"quoted name" = type { i8 }
%0 = type { i32 }

define ptx_kernel void @k(ptr %in, ptr %out, i32 %a, i32 %b, i32 %n, i32 %nx)  {
b0:
  %var0 = alloca i32
  %var1 = alloca i32
  %array = alloca [4 x i32]
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %gid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tidy = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %tidy, %nx
  %linear = add i32 %row, %tid
  %group = mul i32 %gid, %n
  %thread = add i32 %group, %linear
  %mine = mul i32 %thread, 4
  store i32 4, ptr %var0
  store i32 %a, ptr %var1
  %v1 = getelementptr i32, ptr %array, i32 0
  store i32 5, ptr %v1
  %v2 = getelementptr i32, ptr %array, i32 1
  store i32 %a, ptr %v2
  %v3 = getelementptr i32, ptr %array, i32 2
  store i32 %a, ptr %v3
  %v4 = getelementptr i32, ptr %array, i32 3
  store i32 %n, ptr %v4
  %v5 = xor i1 false, true
  %v6 = call i32 @llvm.fshl.i32(i32 %tidy, i32 %a, i32 7)
  %v7 = and i32 %tidy, 3
  %v8 = icmp slt i32 %v7, 2
  %t0 = call token @llvm.experimental.convergence.anchor()
  call void @op(i32 %tid) [ "convergencectrl"(token %t0) ]
  %v9 = call i32 @value(i32 1) [ "convergencectrl"(token %t0) ]
  %v10 = sext i32 0 to i64
  %v11 = mul i64 %v10, 1103515245
  %v12 = lshr i64 %v11, 13
  %v13 = trunc i64 %v12 to i32
  %v14 = call i32 @llvm.ctpop.i32(i32 %v9)
  %v15 = icmp eq i32 %v14, %v13
  br label %b1
b1:
  %v16 = and i32 1, 3
  %v17 = getelementptr i32, ptr %array, i32 %v16
  %v18 = load i32, ptr %v17
  %v19 = and i32 7, 1
  %v20 = icmp eq i32 %v19, 2
  %v21 = icmp sge i32 %v9, %v14
  %v22 = and i32 %v13, 3
  %v23 = getelementptr i32, ptr %array, i32 %v22
  %v24 = load i32, ptr %v23
  %v25 = add i32 %v6, %v18
  %v26 = and i32 5, 255
  %v27 = uitofp i32 %v26 to float
  %v28 = fmul float %v27, 5.000000e-01
  %v29 = fptoui float %v28 to i32
  %v30 = select i1 %v20, i32 5, i32 %tidy
  %v31 = insertelement <2 x i32> zeroinitializer, i32 %gid, i32 0
  %v32 = insertelement <2 x i32> %v31, i32 %v30, i32 1
  %v33 = and i32 %v30, 1
  %v34 = extractelement <2 x i32> %v32, i32 %v33
  %v35 = and i32 0, 15
  %v36 = getelementptr i32, ptr %in, i32 %v35
  %v37 = load i32, ptr %v36
  br label %b2
b2:
  %v38 = call i32 @llvm.nvvm.activemask() [ "convergencectrl"(token %t0) ]
  %v39 = and i32 %v37, 7
  %v40 = icmp ult i32 %v39, 1
  %v41 = sub i32 %n, 5
  br label %b3
b3:
  %v42 = and i32 %b, 255
  %v43 = uitofp i32 %v42 to float
  %v44 = fmul float %v43, 5.000000e-01
  %v45 = fptoui float %v44 to i32
  %v46 = add i32 %v18, %a
  br label %b4
b4:
  call void @op(i32 %v34) [ "convergencectrl"(token %t0) ]
  %v47 = call i32 @llvm.ctpop.i32(i32 8)
  %v48 = add i32 %mine, 3
  %v49 = getelementptr i32, ptr %out, i32 %v48
  %v50 = load i32, ptr %v49
  %v51 = select i1 %v5, i32 8, i32 5
  %v52 = and i32 0, 3
  %v53 = icmp eq i32 %v52, 1
  br label %b5
b5:
  %t1 = call token @llvm.experimental.convergence.anchor()
  %v54 = xor i1 %v53, false
  %v55 = insertelement <2 x i32> zeroinitializer, i32 %v45, i32 0
  %v56 = insertelement <2 x i32> %v55, i32 %v13, i32 1
  %v57 = and i32 %v13, 1
  %v58 = extractelement <2 x i32> %v56, i32 %v57
  %v59 = add i32 %v50, %v14
  %v60 = or i1 %v20, %v40
  %v61 = icmp ult i32 2, %v47
  br label %b6
b6:
  %v62 = or i32 %v41, %v51
  ret void
}

define  void @spliced.new.1.670() convergent {
b.0:
  %a = alloca i1
  %b = alloca [10 x { i8, <2 x half> }]
  %c = alloca %"quoted name"
  %d = alloca target("spirv.Event")
  %e = alloca ptr addrspace(7)
  %f = alloca x86_fp80
  %g = alloca <vscale x 16 x i8>
  %h = alloca %0
  %i = load bfloat, ptr %a
  %j = load ppc_fp128, ptr %b
  %k = load fp128, ptr %b
  ret void
}
