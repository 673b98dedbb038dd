source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z12get_group_idj(i32) #1
declare spir_func i32 @_Z18get_num_sub_groupsv() #2
declare spir_func i32 @_Z16get_sub_group_idv() #2
declare spir_func i32 @_Z22get_sub_group_local_idv() #2
declare spir_func i32 @_Z22get_max_sub_group_sizev() #2
declare spir_func float @_Z20sub_group_reduce_addf(float) #0
declare token @llvm.experimental.convergence.entry() #3
declare token @llvm.experimental.convergence.loop() #3
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @spmv(ptr addrspace(1) %rows, ptr addrspace(1) %columns, ptr addrspace(1) %values, ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %rows.addr = alloca ptr addrspace(1), align 8
  %columns.addr = alloca ptr addrspace(1), align 8
  %values.addr = alloca ptr addrspace(1), align 8
  %x.addr = alloca ptr addrspace(1), align 8
  %y.addr = alloca ptr addrspace(1), align 8
  %n.addr = alloca i32, align 4
  %row = alloca i32, align 4
  %sum = alloca float, align 4
  %at = alloca i32, align 4
  store ptr addrspace(1) %rows, ptr %rows.addr, align 8
  store ptr addrspace(1) %columns, ptr %columns.addr, align 8
  store ptr addrspace(1) %values, ptr %values.addr, align 8
  store ptr addrspace(1) %x, ptr %x.addr, align 8
  store ptr addrspace(1) %y, ptr %y.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %v.0 = call spir_func i64 @_Z12get_group_idj(i32 0)
  %v.1 = call spir_func i32 @_Z18get_num_sub_groupsv()
  %v.2 = zext i32 %v.1 to i64
  %v.3 = mul i64 %v.0, %v.2
  %v.29 = getelementptr float, ptr addrspace(1) %v.26, i64 %v.28
  %v.4 = call spir_func i32 @_Z16get_sub_group_idv()
  %v.5 = zext i32 %v.4 to i64
  %v.6 = add i64 %v.3, %v.5
  %v.7 = trunc i64 %v.6 to i32
  store i32 %v.7, ptr %row, align 4
  %v.8 = load i32, ptr %row, align 4
  %v.9 = load i32, ptr %n.addr, align 4
  %v.10 = icmp sge i32 %v.8, %v.9
  br i1 %v.10, label %if.then, label %if.end
if.then:
  ret void
if.end:
  store float 0x0000000000000000, ptr %sum, align 4
  %v.11 = load ptr addrspace(1), ptr %rows.addr, align 8
  %v.12 = load i32, ptr %row, align 4
  %v.13 = sext i32 %v.12 to i64
  %v.14 = getelementptr i32, ptr addrspace(1) %v.11, i64 %v.13
  %v.15 = load i32, ptr addrspace(1) %v.14, align 4
  %v.16 = call spir_func i32 @_Z22get_sub_group_local_idv()
  %v.17 = add i32 %v.15, %v.16
  store i32 %v.17, ptr %at, align 4
  br label %for.cond
for.cond:
  %heart.token.8 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.18 = load i32, ptr %at, align 4
  %v.19 = load ptr addrspace(1), ptr %rows.addr, align 8
  %v.20 = load i32, ptr %row, align 4
  %v.21 = add i32 %v.20, 1
  %v.22 = sext i32 %v.21 to i64
  %v.23 = getelementptr i32, ptr addrspace(1) %v.19, i64 %v.22
  %v.24 = load i32, ptr addrspace(1) %v.23, align 4
  %v.25 = icmp slt i32 %v.18, %v.24
  br i1 %v.25, label %for.body, label %for.end
for.body:
  %v.26 = load ptr addrspace(1), ptr %values.addr, align 8
  %v.27 = load i32, ptr %at, align 4
  %v.28 = sext i32 %v.27 to i64
  %v.30 = load float, ptr addrspace(1) %v.29, align 4
  %v.31 = load ptr addrspace(1), ptr %x.addr, align 8
  %v.32 = load ptr addrspace(1), ptr %columns.addr, align 8
  %v.33 = load i32, ptr %at, align 4
  %v.34 = sext i32 %v.33 to i64
  %v.35 = getelementptr i32, ptr addrspace(1) %v.32, i64 %v.34
  %v.36 = load i32, ptr addrspace(1) %v.35, align 4
  %v.37 = sext i32 %v.36 to i64
  %v.38 = getelementptr float, ptr addrspace(1) %v.31, i64 %v.37
  %v.39 = load float, ptr addrspace(1) %v.38, align 4
  %v.40 = fmul float %v.30, %v.39
  %v.41 = load float, ptr %sum, align 4
  %v.42 = fadd float %v.41, %v.40
  store float %v.42, ptr %sum, align 4
  br label %for.step
for.step:
  %v.43 = call spir_func i32 @_Z22get_max_sub_group_sizev()
  %v.44 = load i32, ptr %at, align 4
  %v.45 = add i32 %v.44, %v.43
  store i32 %v.45, ptr %at, align 4
  br label %for.cond
for.end:
  %v.46 = load float, ptr %sum, align 4
  %v.47 = call spir_func float @_Z20sub_group_reduce_addf(float %v.46) [ "convergencectrl"(token %body.token) ]
  store float %v.47, ptr %sum, align 4
  %v.48 = call spir_func i32 @_Z22get_sub_group_local_idv()
  %v.49 = icmp eq i32 %v.48, 0
  br i1 %v.49, label %if.then.1, label %if.end.1
if.then.1:
  %v.50 = load float, ptr %sum, align 4
  %v.51 = load ptr addrspace(1), ptr %y.addr, align 8
  %v.52 = load i32, ptr %row, align 4
  %v.53 = sext i32 %v.52 to i64
  %v.54 = getelementptr float, ptr addrspace(1) %v.51, i64 %v.53
  store float %v.50, ptr addrspace(1) %v.54, align 4
  br label %if.end.1
if.end.1:
  ret void
}
