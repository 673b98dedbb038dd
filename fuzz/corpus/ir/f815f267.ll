source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z21work_group_reduce_addi(i32) #0
declare spir_func i32 @_Z29work_group_scan_exclusive_addi(i32) #0
declare spir_func i32 @_Z14work_group_anyi(i32) #0
declare spir_func i32 @_Z20work_group_broadcastim(i32, i64) #0
declare token @llvm.experimental.convergence.entry() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @work_group_ops(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %i = alloca i32, align 4
  %x = alloca i32, align 4
  %total = alloca i32, align 4
  %before = alloca i32, align 4
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %out, ptr %out.addr, align 8
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.3 = load i32, ptr %i, align 4
  %v.4 = sext i32 %v.3 to i64
  %v.5 = getelementptr i32, ptr addrspace(1) %v.2, i64 %v.4
  %v.6 = load i32, ptr addrspace(1) %v.5, align 4
  store i32 %v.6, ptr %x, align 4
  %v.7 = load i32, ptr %x, align 4
  %v.8 = call spir_func i32 @_Z21work_group_reduce_addi(i32 %v.7) [ "convergencectrl"(token %body.token) ]
  store i32 %v.8, ptr %total, align 4
  %v.9 = load i32, ptr %x, align 4
  %v.10 = call spir_func i32 @_Z29work_group_scan_exclusive_addi(i32 %v.9) [ "convergencectrl"(token %body.token) ]
  store i32 %v.10, ptr %before, align 4
  %v.11 = load i32, ptr %x, align 4
  %v.12 = icmp slt i32 %v.11, 0
  %v.13 = zext i1 %v.12 to i32
  %v.14 = call spir_func i32 @_Z14work_group_anyi(i32 %v.13) [ "convergencectrl"(token %body.token) ]
  %v.15 = icmp ne i32 %v.14, 0
  br i1 %v.15, label %if.then, label %if.end
if.then:
  %v.16 = load i32, ptr %x, align 4
  %v.17 = call spir_func i32 @_Z20work_group_broadcastim(i32 %v.16, i64 0) [ "convergencectrl"(token %body.token) ]
  store i32 %v.17, ptr %total, align 4
  br label %if.end
if.end:
  %v.18 = load i32, ptr %total, align 4
  %v.19 = load i32, ptr %before, align 4
  %v.20 = sub i32 %v.18, %v.19
  %v.21 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.22 = load i32, ptr %i, align 4
  %v.23 = sext i32 %v.22 to i64
  br label %split.new.1.629
split.new.1.629:
  %v.24 = getelementptr i32, ptr addrspace(1) %v.21, i64 %v.23
  store i32 %v.20, ptr addrspace(1) %v.24, align 4
  ret void
}
