source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
@copies.dense = internal addrspace(3) global [128 x i32] undef, align 4
@copies.strided = internal addrspace(3) global [32 x i32] undef, align 4
declare spir_func i64 @_Z12get_group_idj(i32) #1
declare spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3jPU3AS1Kjm9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, target("spirv.Event")) #0
declare spir_func target("spirv.Event") @_Z29async_work_group_strided_copyPU3AS3jPU3AS1Kjmm9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, i64, target("spirv.Event")) #0
declare spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i32, ptr addrspace(4)) #0
declare spir_func i64 @_Z12get_local_idj(i32) #1
declare spir_func void @_Z7barrierj(i32) #0
declare spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS1jPU3AS3Kjm9ocl_event(ptr addrspace(1), ptr addrspace(3), i64, target("spirv.Event")) #0
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @copies(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %first = alloca i64, align 8
  %events = alloca [2 x target("spirv.Event")], align 8
  %self = alloca i32, align 4
  %mine = alloca i32, align 4
  %k = alloca i32, align 4
  %back = alloca target("spirv.Event"), align 8
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %out, ptr %out.addr, align 8
  %v.0 = call spir_func i64 @_Z12get_group_idj(i32 0)
  %v.1 = mul i64 %v.0, 128
  store i64 %v.1, ptr %first, align 8
  %v.2 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.3 = load i64, ptr %first, align 8
  %v.4 = getelementptr i32, ptr addrspace(1) %v.2, i64 %v.3
  %v.5 = call spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3jPU3AS1Kjm9ocl_event(ptr addrspace(3) @copies.dense, ptr addrspace(1) %v.4, i64 128, target("spirv.Event") zeroinitializer) [ "convergencectrl"(token %body.token) ]
  %v.6 = getelementptr target(r has a token, the other has none. The two ways of saying who converges cannot be mixed
; in a function.
; EXPECT: RC0112

define voi"spirv.Event"), ptr %events, i64 0
  store target("spirv.Event") %v.5, ptr %v.6, align 8
  %v.7 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.8 = load i64, ptr %first, align 8
  %v.9 = getelementptr i32, ptr addrspace(1) %v.7, i64 %v.8
  %v.10 = getelementptr i32, ptr addrspace(1) %v.9, i64 1
  %v.11 = call spir_func target("spirv.Event") @_Z29async_work_group_strided_copyPU3AS3jPU3AS1Kjmm9ocl_event(ptr addrspace(3) @copies.strided, ptr addrspace(1) %v.10, i64 32, i64 4, target("spirv.Event") zeroinitializer) [ "convergencectrl"(token %body.token) ]
  %v.12 = getelementptr target("spirv.Event"), ptr %events, i64 1
  store target("spirv.Event") %v.11, ptr %v.12, align 8
  %v.13 = addrspacecast ptr %events to ptr addrspace(4)
  call spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 2, ptr addrspace(4) %v.13) [ "convergencectrl"(token %body.token) ]
  %v.14 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %v.15 = trunc i64 %v.14 to i32
  store i32 %v.15, ptr %self, align 4
  %v.16 = load i32, ptr %self, align 4
  %v.17 = sub i32 31, %v.16
  %v.18 = zext i32 %v.17 to i64
  %v.19 = getelementptr i32, ptr addrspace(3) @copies.strided, i64 %v.18
  %v.20 = load i32, ptr addrspace(3) %v.19, align 4
  store i32 %v.20, ptr %mine, align 4
  %v.21 = load i32, ptr %self, align 4
  store i32 %v.21, ptr %k, align 4
  br label %for.cond
for.cond:
  %heart.token.16 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.22 = load i32, ptr %k, align 4
  %v.23 = icmp ult i32 %v.22, 128
  br i1 %v.23, label %for.body, label %for.end
for.body:
  %v.24 = load i32, ptr %k, align 4
  %v.25 = zext i32 %v.24 to i64
  %v.26 = getelementptr i32, ptr addrspace(3) @copies.dense, i64 %v.25
  %v.27 = load i32, ptr addrspace(3) %v.26, align 4
  %v.28 = mul i32 %v.27, 3
  %v.29 = add i32 %v.28, 1
  %v.30 = load i32, ptr %k, align 4
  %v.31 = zext i32 %v.30 to i64
  %v.32 = getelementptr i32, ptr addrspace(3) @copies.dense, i64 %v.31
  store i32 %v.29, ptr addrspace(3) %v.32, align 4
  br label %for.step
for.step:
  %v.33 = load i32, ptr %k, align 4
  %v.34 = add i32 %v.33, 32
  store i32 %v.34, ptr %k, align 4
  br label %for.cond
for.end:
  call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %body.token) ]
  %v.35 = load i32, ptr %mine, align 4
  %v.36 = load i32, ptr %self, align 4
  %v.37 = mul i32 4, %v.36
  %v.38 = zext i32 %v.37 to i64
  %v.39 = getelementptr i32, ptr addrspace(3) @copies.dense, i64 %v.38
  %v.40 = load i32, ptr addrspace(3) %v.39, align 4
  %v.41 = xor i32 %v.40, %v.35
  store i32 %v.41, ptr addrspace(3) %v.39, align 4
  call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %body.token) ]
  %v.42 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.43 = load i64, ptr %first, align 8
  %v.44 = getelementptr i32, ptr addrspace(1) %v.42, i64 %v.43
  %v.45 = call spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS1jPU3AS3Kjm9ocl_event(ptr addrspace(1) %v.44, ptr addrspace(3) @copies.dense, i64 128, target("spirv.Event") zeroinitializer) [ "convergencectrl"(token %body.token) ]
  store target("spirv.Event") %v.45, ptr %back, align 8
  %v.46 = addrspacecast ptr %back to ptr addrspace(4)
  call spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 1, ptr addrspace(4) %v.46) [ "convergencectrl"(token %body.token) ]
  ret void
}
