target triple = "spir64-unknown-unknown"
@lds = internal addrspace(3) global [256 x i32] poison
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare i32 @_Z25sub_group_broadcast_firsti(i32) convergent
declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32) convergent
declare i32 @_Z32sub_group_non_uniform_reduce_mini(i32) convergent
declare i32 @_Z15sub_group_electv() convergent
declare i32 @_Z40sub_group_non_uniform_scan_inclusive_addi(i32) convergent
declare void @_Z7barrierj(i32) convergent
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
!0 = !{i32 2, i32 2147483647, i32 1}

define internal i32 @g0(ptr addrspace(1) %in, i32 %p0, i32 %p1)  {
b0:
  %var0 = alloca i32
  %var1 = alloca i32
  %array = alloca [4 x i32]
  %v1 = add i32 %p0, 0
  %v2 = add i32 %p1, 0
  %v5 = getelementptr i32, ptr %array, i32 2
  store i32 %v1, ptr %v5
  %v6 = getelementptr i32, ptr %array, i32 3
  store i32 %v2, ptr %v6
  %t0 = call token @llvm.experimental.convergence.anchor() [ "convergencectrl"(token none) ]
  %v7 = load i32, ptr %var1
  %v8 = call i32 @llvm.smax.i32(i32 %v1, i32 %v1)
  %v9 = udiv i32 %p0, 8
  call void @op(i32 8) [ "convergencectrl"(token %t0) ]
  %v10 = add i32 %p0, %v7
  %v11 = urem i32 %v10, 3
  ret i32 %v1
}

define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b, i32 %n, i32 %nx) convergent !reqd_work_group_size !0 {
b0:
  %var0 = alloca i32
  %var1 = alloca i32
  %array = alloca [4 x i32]
  %tidw = call i64 @_Z12get_local_idj(i32 0)
  %tid = trunc i64 %tidw to i32
  %gidw = call i64 @_Z12get_group_idj(i32 0)
  %gid = trunc i64 %gidw to i32
  %tidyw = call i64 @_Z12get_local_idj(i32 1)
  %tidy = trunc i64 %tidyw to i32
  %row = mul i32 %tidy, %nx
  %linear = add i32 %row, %tid
  %group = mul i32 %gid, %n
  %thread = add i32 %group, %linear
  %mine = mul i32 %thread, 4
  store i32 %n, ptr %var0
  store i32 %n, ptr %var1
  %v1 = getelementptr i32, ptr %array, i32 0
  store i32 4, ptr %v1
  %v2 = getelementptr i32, ptr %array, i32 1
  store i32 %a, ptr %v2
  %v3 = getelementptr i32, ptr %array, i32 2
  store i32 %tid, ptr %v3
  %v4 = getelementptr i32, ptr %array, i32 3
  store i32 %tidy, ptr %v4
  %t0 = call token @llvm.experimental.convergence.entry()
  %v5 = getelementptr i32, ptr addrspace(3) @lds, i32 %linear
  store i32 %tidy, ptr addrspace(3) %v5
  call void @_Z7barrierj(i32 1) [ "convergencectrl"(token %t0) ]
  %v6 = call i32 @g0(ptr addrspace(1) %in, i32 %a, i32 %n)
  %v7 = select i1 false, i32 %gid, i32 %tid
  %v8 = shl i32 %tidy, 8
  br label %b1
b1:
  %v9 = phi i1 [ true, %b0 ], [ %v10, %b1 ]
  %v10 = phi i1 [ false, %b0 ], [ %v10, %b1 ]
  %i1 = phi i32 [ 0, %b0 ], [ %n1, %b1 ]
  %n1 = add i32 %i1, 1
  %t1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t0) ]
  %v11 = and i32 2, 3
  %v12 = icmp uge i32 %v11, 0
  call void @op(i32 %v7) [ "convergencectrl"(token %t1) ]
  %v13 = icmp slt i32 4, %n
  call void @op(i32 %tidy) [ "convergencectrl"(token %t1) ]
  %v14 = urem i32 %tidy, %n
  %v15 = getelementptr i32, ptr addrspace(3) @lds, i32 %v14
  %v16 = load i32, ptr addrspace(3) %v15
  %v17 = select i1 true, i32 %v16, i32 %v16
  %v18 = and i32 %v16, 3
  %v19 = icmp slt i32 %v18, 1
  %v20 = udiv i32 %v17, 1
  %v21 = zext i1 %v12 to i32
  %v22 = icmp ult i32 %i1, 2
  %v23 = and i32 %i1, 1
  %v24 = icmp sle i32 %v23, 0
  %v25 = and i1 %v22, %v24
  br i1 %v25, label %b1, label %b2
b2:
  call void @op(i32 %gid) [ "convergencectrl"(token %t1) ]
  %v26 = xor i32 %n1, %v16
  %v27 = and i32 %v21, 1
  %v28 = icmp ult i32 %v27, 0
  %v29 = call i32 @g0(ptr addrspace(1) %in, i32 %v7, i32 %v17)
  %v30 = and i32 %v16, 1
  %v31 = icmp sle i32 %v30, 1
  %v32 = insertelement <2 x i32> zeroinitializer, i32 %v20, i32 0
  %v33 = insertelement <2 x i32> %v32, i32 %v29, i32 1
  %v34 = and i32 %v29, 1
  %v35 = extractelement <2 x i32> %v33, i32 %v34
  %v36 = call i32 @llvm.ctpop.i32(i32 %a)
  br i1 %v24, label %b3, label %b4
b3:
  call void @op(i32 %v20) [ "convergencectrl"(token %t1) ]
  %v38 = and i32 %i1, 1
  %v39 = icmp ne i32 %v38, 4
  %v40 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %v20, i32 %v21)
  %v41 = extractvalue { i32, i1 } %v40, 0
  %v42 = lshr i32 %v26, 4
  %v43 = load i32, ptr %var0
  br label %b5
b4:
  %v37 = xor i32 16, %v36
  br label %b5
b5:
  %v44 = phi i1 [ %v13, %b3 ], [ %v12, %b4 ]
  %v45 = phi i32 [ %tidy, %b3 ], [ %v36, %b4 ]
  %t2 = call token @llvm.experimental.convergence.anchor()
  %v46 = and i32 %v45, 7
  %v47 = icmp ne i32 %v46, 4
  call void @op(i32 4) [ "convergencectrl"(token %t0) ]
  store i32 %v21, ptr %var1
  %v48 = select i1 false, i32 %v45, i32 %v21
  %v49 = and i32 %n1, 3
  %v50 = getelementptr i32, ptr %array, i32 %v49
  %v51 = load i32, ptr %v50
  %v52 = sext i32 16 to i64
  %v53 = mul i64 %v52, 1103515245
  %v54 = lshr i64 %v53, 13
  %v55 = trunc i64 %v54 to i32
  %v56 = add i32 %mine, 0
  %v57 = getelementptr i32, ptr addrspace(1) %out, i32 %v56
  store i32 16, ptr addrspace(1) %v57
  br label %head.new.2.101
head.new.2.101:
  %count.new.3.367 = phi i32 [ 0, %b5 ], [ %next.new.4.769, %head.new.2.101 ]
  %next.new.4.769 = add i32 %count.new.3.367, 1
  %test.new.5.490 = icmp ult i32 %next.new.4.769, 1
  br i1 %test.new.5.490, label %head.new.2.101, label %split.new.1.756
split.new.1.756:
  ret void
}
