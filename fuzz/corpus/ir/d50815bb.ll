source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z21work_group_reduce_addi(i32) #0
declare spir_func i64 @_Z12get_local_idj(i32) #1
declare spir_func i1 @_Z37atomic_compare_exchange_weak_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope(ptr addrspace(4), ptr addrspace(4), i32, i32, i32, i32) #2
declare spir_func void @_Z21atomic_store_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope(ptr addrspace(4), i32, i32, i32) #2
declare spir_func void @_Z7barrierj(i32) #0
declare token @llvm.experimental.convergence.entry() #3
declare token @llvm.experimental.convergence.loop() #3
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
@variable.new.1.205 = internal addrspace(3) global [64 x i32] zeroinitializer

define spir_kernel void @spin_lock(ptr addrspace(1) %lock, ptr addrspace(1) %shared_sum, ptr addrspace(1) %in) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %lock.addr = alloca ptr addrspace(1), align 8
  %shared_sum.addr = alloca ptr addrspace(1), align 8
  %in.addr = alloca ptr addrspace(1), align 8
  %sum = alloca i32, align 4
  %expected = alloca i32, align 4
  store ptr addrspace(1) %lock, ptr %lock.addr, align 8
  store ptr addrspace(1) %shared_sum, ptr %shared_sum.addr, align 8
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  %v.0 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.1 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.2 = getelementptr i32, ptr addrspace(1) %v.0, i64 %v.1
  %v.3 = load i32, ptr addrspace(1) %v.2, align 4
  %v.4 = call spir_func i32 @_Z21work_group_reduce_addi(i32 %v.3) [ "convergencectrl"(token %body.token) ]
  store i32 %v.4, ptr %sum, align 4
  %v.5 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %v.6 = icmp eq i64 %v.5, 0
  br i1 %v.6, label %if.then, label %if.end
if.then:
  br label %split.new.2.985
split.new.2.985:
  store i32 0, ptr %expected, align 4
  br label %while.cond
while.cond:
  %heart.token.8 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.7 = load ptr addrspace(1), ptr %lock.addr, align 8
  %v.8 = addrspacecast ptr addrspace(1) %v.7 to ptr addrspace(4)
  %v.9 = addrspacecast ptr %expected to ptr addrspace(4)
  %v.10 = call spir_func i1 @_Z37atomic_compare_exchange_weak_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope(ptr addrspace(4) %v.8, ptr addrspace(4) %v.9, i32 1, i32 2, i32 0, i32 2)
  br i1 %v.10, label %while.end, label %while.body
while.body:
  store i32 0, ptr %expected, align 4
  br label %while.cond
while.end:
  %v.11 = load i32, ptr %sum, align 4
  %v.12 = load ptr addrspace(1), ptr %shared_sum.addr, align 8
  %v.13 = load i32, ptr addrspace(1) %v.12, align 4
  %v.14 = add i32 %v.13, %v.11
  store i32 %v.14, ptr addrspace(1) %v.12, align 4
  %v.15 = load ptr addrspace(1), ptr %lock.addr, align 8
  %v.16 = addrspacecast ptr addrspace(1) %v.15 to ptr addrspace(4)
  call spir_func void @_Z21atomic_store_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope(ptr addrspace(4) %v.16, i32 0, i32 3, i32 2)
  br label %if.end
if.end:
  call spir_func void @_Z7barrierj(i32 2) [ "convergencectrl"(token %body.token) ]
  ret void
}
