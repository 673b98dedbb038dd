source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32) #1
declare spir_func i64 @_Z14get_local_sizej(i32) #1
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z29work_group_scan_exclusive_addj(i32) #0
declare spir_func i32 @_Z21work_group_reduce_addj(i32) #0
declare spir_func void @_Z7barrierj(i32) #0
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
%deep.new.1.678 = type <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ i8 }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }>
@deep.new.1.678 = external global %deep.new.1.678

define spir_kernel void @sort(ptr addrspace(1) %keys, ptr addrspace(3) %exchange) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %keys.addr = alloca ptr addrspace(1), align 8
  %exchange.addr = alloca ptr addrspace(3), align 8
  %self = alloca i32, align 4
  %size = alloca i32, align 4
  %key = alloca i32, align 4
  %bit = alloca i32, align 4
  %one = alloca i32, align 4
  %ones_before = alloca i32, align 4
  %zeros = alloca i32, align 4
  store ptr addrspace(1) %keys, ptr %keys.addr, align 8
  store ptr addrspace(3) %exchange, ptr %exchange.addr, align 8
  %v.0 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %v.1 = zext i64 %v.0 to i32
  store i32 %v.1, ptr %self, align 4
  %v.2 = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %v.3 = trunc i64 %v.2 to i32
  store i32 %v.3, ptr %size, align 4
  %v.4 = load ptr addrspace(1), ptr %keys.addr, align 8
  %v.5 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.6 = getelementptr i32, ptr addrspace(1) %v.4, i64 %v.5
  %v.7 = load i32, ptr addrspace(1) %v.6, align 4
  store i32 %v.7, ptr %key, align 4
  store i32 0, ptr %bit, align 4
  br label %for.cond
for.cond:
  %heart.token.7 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.8 = load i32, ptr %bit, align 4
  %v.9 = icmp ult i32 %v.8, 32
  br i1 %v.9, label %for.body, label %for.end
for.body:
  %v.10 = load i32, ptr %key, align 4
  %v.11 = load i32, ptr %bit, align 4
  %v.12 = and i32 %v.11, 31
  %v.13 = lshr i32 %v.10, %v.12
  %v.14 = and i32 %v.13, 1
  store i32 %v.14, ptr %one, align 4
  %v.15 = load i32, ptr %one, align 4
  %v.16 = call spir_func i32 @_Z29work_group_scan_exclusive_addj(i32 %v.15) [ "convergencectrl"(token %heart.token.7) ]
  store i32 %v.16, ptr %ones_before, align 4
  %v.17 = load i32, ptr %size, align 4
  %v.18 = load i32, ptr %one, align 4
  %v.19 = call spir_func i32 @_Z21work_group_reduce_addj(i32 %v.18) [ "convergencectrl"(token %heart.token.7) ]
  %v.20 = sub i32 %v.17, %v.19
  store i32 %v.20, ptr %zeros, align 4
  %v.21 = load i32, ptr %key, align 4
  %v.22 = load ptr addrspace(3), ptr %exchange.addr, align 8
  %v.23 = load i32, ptr %one, align 4
  %v.24 = icmp ne i32 %v.23, 0
  br i1 %v.24, label %cond.then, label %cond.else
cond.then:
  %v.25 = load i32, ptr %zeros, align 4
  %deep.new.2.968 = load <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ <{ i8 }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }> }>, ptr @deep.new.1.678
  %v.26 = load i32, ptr %ones_before, align 4
  %v.27 = add i32 %v.25, %v.26
  br label %cond.end
cond.else:
  %v.28 = load i32, ptr %self, align 4
  %v.29 = load i32, ptr %ones_before, align 4
  %v.30 = sub i32 %v.28, %v.29
  br label %cond.end
cond.end:
  %v.31 = phi i32 [ %v.27, %cond.then ], [ %v.30, %cond.else ]
  %v.32 = zext i32 %v.31 to i64
  %v.33 = getelementptr i32, ptr addrspace(3) %v.22, i64 %v.32
  store i32 %v.21, ptr addrspace(3) %v.33, align 4
  call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %heart.token.7) ]
  %v.34 = load ptr addrspace(3), ptr %exchange.addr, align 8
  %v.35 = load i32, ptr %self, align 4
  %v.36 = zext i32 %v.35 to i64
  %v.37 = getelementptr i32, ptr addrspace(3) %v.34, i64 %v.36
  %v.38 = load i32, ptr addrspace(3) %v.37, align 4
  store i32 %v.38, ptr %key, align 4
  call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %heart.token.7) ]
  br label %for.step
for.step:
  %v.39 = load i32, ptr %bit, align 4
  %v.40 = add i32 %v.39, 1
  store i32 %v.40, ptr %bit, align 4
  br label %for.cond
for.end:
  %v.41 = load i32, ptr %key, align 4
  %v.42 = load ptr addrspace(1), ptr %keys.addr, align 8
  %v.43 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.44 = getelementptr i32, ptr addrspace(1) %v.42, i64 %v.43
  store i32 %v.41, ptr addrspace(1) %v.44, align 4
  ret void
}
