source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z32sub_group_non_uniform_reduce_addi(i32) #0
declare spir_func i32 @_Z32sub_group_non_uniform_reduce_maxi(i32) #0
declare spir_func i32 @_Z32sub_group_non_uniform_reduce_mini(i32) #0
declare spir_func i32 @_Z40sub_group_non_uniform_scan_exclusive_addi(i32) #0
declare spir_func i32 @_Z25sub_group_non_uniform_anyi(i32) #0
declare spir_func i32 @_Z25sub_group_broadcast_firsti(i32) #0
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @branches(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %width) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %width.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %x = alloca i32, align 4
  %result = alloca i32, align 4
  %sum = alloca i32, align 2
  %k = alloca i32, align 4
  %turns = alloca i32, align 4
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %out, ptr %out.addr, align 8
  store i32 %width, ptr %width.addr, align 4
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.3 = load i32, ptr %i, align 4
  %v.4 = sext i32 %v.3 to i64
  %v.5 = getelementptr i32, ptr addrspace(1) %v.2, i64 %v.4
  %v.6 = load i32, ptr addrspace(1) %v.5, align 4
  %v.7 = ashr i32 %v.6, 10
  %v.8 = and i32 %v.7, 4095
  store i32 %v.8, ptr %x, align 4
  %v.9 = load i32, ptr %x, align 4
  %v.10 = and i32 %v.9, 1
  %v.11 = icmp ne i32 %v.10, 0
  br i1 %v.11, label %if.then, label %if.else
if.then:
  %v.12 = load i32, ptr %x, align 4
  %v.13 = call spir_func i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %v.12) [ "convergencectrl"(token %body.token) ]
  store i32 %v.13, ptr %result, align 4
  br label %if.end
if.else:
  %v.14 = load i32, ptr %x, align 4
  %v.15 = call spir_func i32 @_Z32sub_group_non_uniform_reduce_maxi(i32 %v.14) [ "convergencectrl"(token %body.token) ]
  %v.16 = sub i32 0, %v.15
  store i32 %v.16, ptr %result, align 4
  br label %if.end
if.end:
  %v.17 = load i32, ptr %result, align 4
  %v.18 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.19 = load i32, ptr %i, align 4
  %v.20 = mul i32 3, %v.19
  %v.21 = sext i32 %v.20 to i64
  %v.22 = getelementptr i32, ptr addrspace(1) %v.18, i64 %v.21
  store i32 %v.17, ptr addrspace(1) %v.22, align 4
  store i32 0, ptr %sum, align 4
  store i32 0, ptr %k, align 4
  br label %for.cond
for.cond:
  %heart.token.16 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.23 = load i32, ptr %k, align 4
  %v.24 = load i32, ptr %x, align 4
  %v.25 = and i32 %v.24, 7
  %v.26 = icmp slt i32 %v.23, %v.25
  br i1 %v.26, label %for.body, label %for.end
for.body:
  %v.27 = load i32, ptr %sum, align 4
  %v.28 = mul i32 %v.27, 3
  %v.29 = call spir_func i32 @_Z32sub_group_non_uniform_reduce_addi(i32 1) [ "convergencectrl"(token %heart.token.16) ]
  %v.30 = add i32 %v.28, %v.29
  store i32 %v.30, ptr %sum, align 4
  br label %for.step
for.step:
  %v.31 = load i32, ptr %k, align 4
  %v.32 = add i32 %v.31, 1
  store i32 %v.32, ptr %k, align 4
  br label %for.cond
for.end:
  %v.33 = load i32, ptr %sum, align 4
  %v.34 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.35 = load i32, ptr %i, align 4
  %v.36 = mul i32 3, %v.35
  %v.37 = add i32 %v.36, 1
  %v.38 = sext i32 %v.37 to i64
  %v.39 = getelementptr i32, ptr addrspace(1) %v.34, i64 %v.38
  store i32 %v.33, ptr addrspace(1) %v.39, align 4
  store i32 0, ptr %turns, align 4
  %v.40 = load i32, ptr %x, align 4
  %v.41 = ashr i32 %v.40, 3
  %v.42 = and i32 %v.41, 3
  switch i32 %v.42, label %switch.default [
    i32 0, label %switch.case
    i32 1, label %switch.case.1
    i32 2, label %switch.case.2
  ]
switch.case:
  %v.43 = load i32, ptr %x, align 4
  %v.44 = call spir_func i32 @_Z32sub_group_non_uniform_reduce_mini(i32 %v.43) [ "convergencectrl"(token %body.token) ]
  store i32 %v.44, ptr %turns, align 4
  br label %switch.end
switch.case.1:
  %v.45 = load i32, ptr %x, align 4
  %v.46 = call spir_func i32 @_Z40sub_group_non_uniform_scan_exclusive_addi(i32 %v.45) [ "convergencectrl"(token %body.token) ]
  store i32 %v.46, ptr %turns, align 4
  br label %switch.end
switch.case.2:
  %v.47 = load i32, ptr %x, align 4
  %v.48 = icmp sgt i32 %v.47, 2048
  %v.49 = zext i1 %v.48 to i32
  %v.50 = call spir_func i32 @_Z25sub_group_non_uniform_anyi(i32 %v.49) [ "convergencectrl"(token %body.token) ]
  store i32 %v.50, ptr %turns, align 4
  br label %switch.end
switch.default:
  %v.51 = load i32, ptr %x, align 4
  %v.52 = call spir_func i32 @_Z25sub_group_broadcast_firsti(i32 %v.51) [ "convergencectrl"(token %body.token) ]
  store i32 %v.52, ptr %turns, align 4
  br label %switch.end
switch.end:
  %v.53 = load i32, ptr %turns, align 4
  %v.54 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.55 = load i32, ptr %i, align 4
  %v.56 = mul i32 3, %v.55
  %v.57 = add i32 %v.56, 2
  %v.58 = sext i32 %v.57 to i64
  %v.59 = getelementptr i32, ptr addrspace(1) %v.54, i64 %v.58
  store i32 %v.53, ptr addrspace(1) %v.59, align 4
  ret void
}
