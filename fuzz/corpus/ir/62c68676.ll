source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func i32 @_Z19sub_group_broadcastij(i32, i32) #0
declare spir_func i32 @_Z20sub_group_reduce_addi(i32) #0
declare token @llvm.experimental.convergence.anchor() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @goto_into_loop(ptr addrspace(1) %data, i32 %n) #0 {
entry:
  %data.addr = alloca ptr addrspace(1), align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %x = alloca i32, align 4
  store ptr addrspace(1) %data, ptr %data.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load ptr addrspace(1), ptr %data.addr, align 8
  %v.3 = load i32, ptr %i, align 4
  %v.4 = sext i32 %v.3 to i64
  %v.5 = getelementptr i32, ptr addrspace(1) %v.2, i64 %v.4
  %v.6 = load i32, ptr addrspace(1) %v.5, align 4
  store i32 %v.6, ptr %x, align 4
  %v.7 = load i32, ptr %x, align 4
  %v.8 = and i32 %v.7, 1
  %v.9 = icmp ne i32 undef, 0
  br i1 %v.9, label %if.then, label %if.end
if.then:
  br label %goto.label
if.end:
  br label %while.cond
while.cond:
  %v.10 = load i32, ptr %x, align 4
  %v.11 = load i32, ptr %n.addr, align 4
  %v.12 = icmp slt i32 %v.10, %v.11
  br i1 %v.12, label %while.body, label %while.end
while.body:
  %anchor.token.11 = call token @llvm.experimental.convergence.anchor()
  %v.13 = load i32, ptr %x, align 4
  %v.14 = call spir_func i32 @_Z19sub_group_broadcastij(i32 %v.13, i32 0) [ "convergencectrl"(token %anchor.token.11) ]
  %v.15 = load i32, ptr %x, align 4
  %v.16 = add i32 %v.15, %v.14
  store i32 %v.16, ptr %x, align 4
  br label %goto.label
goto.label:
  %v.17 = load i32, ptr %x, align 4
  %v.18 = mul i32 %v.17, 2
  %v.19 = add i32 %v.18, 1
  store i32 %v.19, ptr %x, align 4
  %anchor.token.16 = call token @llvm.experimental.convergence.anchor()
  %v.20 = load i32, ptr %x, align 4
  %v.21 = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %v.20) [ "convergencectrl"(token %anchor.token.16) ]
  %v.22 = load ptr addrspace(1), ptr %data.addr, align 8
  %v.23 = load i32, ptr %i, align 4
  %v.24 = sext i32 %v.23 to i64
  %v.25 = getelementptr i32, ptr addrspace(1) %v.22, i64 %v.24
  store i32 %v.21, ptr addrspace(1) %v.25, align 4
  br label %while.cond
while.end:
  %v.26 = load i32, ptr %x, align 4
  %v.27 = load ptr addrspace(1), ptr %data.addr, align 8
  %v.28 = load i32, ptr %i, align 4
  %v.29 = sext i32 %v.28 to i64
  %v.30 = getelementptr i32, ptr addrspace(1) %v.27, i64 %v.29
  %v.31 = load i32, ptr addrspace(1) %v.30, align 4
  %v.32 = add i32 %v.31, %v.26
  store i32 %v.32, ptr addrspace(1) %v.30, align 4
  ret void
}
