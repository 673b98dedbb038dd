source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
@compact.base = internal addrspace(3) global i32 undef, align 4
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z29work_group_scan_exclusive_addi(i32) #0
declare spir_func i64 @_Z12get_local_idj(i32) #1
declare spir_func i64 @_Z14get_local_sizej(i32) #1
declare spir_func i32 @_Z10atomic_addPU3AS1Vjj(ptr addrspace(1), i32) #2
declare spir_func void @_Z7barrierj(i32) #0
declare token @llvm.experimental.convergence.entry() #3
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @compact(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %count, i32 %n) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %count.addr = alloca ptr addrspace(1), align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %keep = alloca i32, align 4
  %place = alloca i32, align 4
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %out, ptr %out.addr, align 8
  store ptr addrspace(1) %count, ptr %count.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load i32, ptr %i, align 4
  %v.3 = load i32, ptr %n.addr, align 4
  %v.4 = icmp slt i32 %v.2, %v.3
  br i1 %v.4, label %and.second, label %and.end
and.second:
  %v.5 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.6 = load i32, ptr %i, align 4
  %v.7 = sext i32 %v.6 to i64
  %v.8 = getelementptr i32, ptr addrspace(1) %v.5, i64 %v.7
  %v.9 = load i32, ptr addrspace(1) %v.8, align 4
  %v.10 = srem i32 %v.9, 3
  %v.11 = icmp eq i32 %v.10, 0
  ret void
and.end:
  %v.12 = phi i1 [ false, %entry ]
  %v.13 = zext i1 %v.12 to i32
  store i32 %v.13, ptr %keep, align 4
  %v.14 = load i32, ptr %keep, align 4
  %v.15 = call spir_func i32 @_Z29work_group_scan_exclusive_addi(i32 %v.14) [ "convergencectrl"(token %body.token) ]
  store i32 %v.15, ptr %place, align 4
  %v.16 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %v.17 = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %v.18 = sub i64 %v.17, 1
  %v.19 = icmp eq i64 %v.16, %v.18
  br i1 %v.19, label %if.then, label %if.end
if.then:
  %v.20 = load ptr addrspace(1), ptr %count.addr, align 8
  %v.21 = load i32, ptr %place, align 4
  %v.22 = load i32, ptr %keep, align 4
  %v.23 = add i32 %v.21, %v.22
  %v.24 = call spir_func i32 @_Z10atomic_addPU3AS1Vjj(ptr addrspace(1) %v.20, i32 %v.23)
  store i32 %v.24, ptr addrspace(3) @compact.base, align 4
  br label %if.end
if.end:
  call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %body.token) ]
  %v.25 = load i32, ptr %keep, align 4
  %v.26 = icmp ne i32 %v.25, 0
  br i1 %v.26, label %if.then.1, label %if.end.1
if.then.1:
  %v.27 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.28 = load i32, ptr %i, align 4
  %v.29 = sext i32 %v.28 to i64
  %v.30 = getelementptr i32, ptr addrspace(1) %v.27, i64 %v.29
  %v.31 = load i32, ptr addrspace(1) %v.30, align 4
  %v.32 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.33 = load i32, ptr addrspace(3) @compact.base, align 4
  %v.34 = load i32, ptr %place, align 4
  %v.35 = add i32 %v.33, %v.34
  %v.36 = zext i32 %v.35 to i64
  %v.37 = getelementptr i32, ptr addrspace(1) %v.32, i64 %v.36
  store i32 %v.31, ptr addrspace(1) %v.37, align 4
  br label %if.end.1
if.end.1:
  ret void
}
