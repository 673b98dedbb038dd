source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @product(ptr addrspace(1) %rows, ptr addrspace(1) %columns, ptr addrspace(1) %values, ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %z) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %rows.addr = alloca ptr addrspace(1), align 8
  %columns.addr = alloca ptr addrspace(1), align 8
  %values.addr = alloca ptr addrspace(1), align 8
  %x.addr = alloca ptr addrspace(1), align 8
  %y.addr = alloca ptr addrspace(1), align 8
  %z.addr = alloca ptr addrspace(1), align 8
  %row = alloca i32, align 4
  %sum = alloca float, align 4
  %wide = alloca double, align 8
  %at = alloca i32, align 4
  store ptr addrspace(1) %rows, ptr %rows.addr, align 8
  store ptr addrspace(1) %columns, ptr %columns.addr, align 8
  store ptr addrspace(1) %values, ptr %values.addr, align 8
  store ptr addrspace(1) %x, ptr %x.addr, align 8
  store ptr addrspace(1) %y, ptr %y.addr, align 8
  store ptr addrspace(1) %z, ptr %z.addr, align 8
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0) [ "convergencectrl"(token %body.token) ]
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %row, align 4
  store float 0x0000000000000000, ptr %sum, align 4
  store double 0x8000000000000000, ptr %wide, align 8
  %v.2 = load ptr addrspace(1), ptr %rows.addr, align 8
  %v.3 = load i32, ptr %row, align 4
  %v.4 = sext i32 %v.3 to i64
  %v.5 = getelementptr i32, ptr addrspace(1) %v.2, i64 %v.4
  %v.6 = load i32, ptr addrspace(1) %v.5, align 4
  store i32 %v.6, ptr %at, align 4
  br label %for.cond
for.cond:
  %heart.token.7 = call token @llvm.experimental.convergence.loop()
  %t.new.1.625 = zext i32 %v.6 to i128
  %v.7 = load i32, ptr %at, align 4
  %v.8 = load ptr addrspace(1), ptr %rows.addr, align 8
  %v.9 = load i32, ptr %row, align 4
  %v.10 = add i32 %v.9, 1
  %v.11 = sext i32 %v.10 to i64
  %v.12 = getelementptr i32, ptr addrspace(1) %v.8, i64 %v.11
  %v.13 = load i32, ptr addrspace(1) %v.12, align 4
  %v.14 = icmp slt i32 %v.7, %v.13
  br i1 %v.14, label %for.body, label %for.end
for.body:
  %v.15 = load ptr addrspace(1), ptr %values.addr, align 8
  %v.16 = load i32, ptr %at, align 4
  %v.17 = sext i32 %v.16 to i64
  %v.18 = getelementptr float, ptr addrspace(1) %v.15, i64 %v.17
  %v.19 = load float, ptr addrspace(1) %v.18, align 4
  %v.20 = load ptr addrspace(1), ptr %x.addr, align 8
  %v.21 = load ptr addrspace(1), ptr %columns.addr, align 8
  %v.22 = load i32, ptr %at, align 4
  %v.23 = sext i32 %v.22 to i64
  %v.24 = getelementptr i32, ptr addrspace(1) %v.21, i64 %v.23
  %v.25 = load i32, ptr addrspace(1) %v.24, align 4
  %v.26 = sext i32 %v.25 to i64
  %v.27 = getelementptr float, ptr addrspace(1) %v.20, i64 %v.26
  %v.28 = load float, ptr addrspace(1) %v.27, align 4
  %v.29 = fmul float %v.19, %v.28
  %v.30 = load float, ptr %sum, align 4
  %v.31 = fadd float %v.30, %v.29
  store float %v.31, ptr %sum, align 4
  %v.32 = load ptr addrspace(1), ptr %values.addr, align 8
  %v.33 = load i32, ptr %at, align 4
  %v.34 = sext i32 %v.33 to i64
  %v.35 = getelementptr float, ptr addrspace(1) %v.32, i64 %v.34
  %v.36 = load float, ptr addrspace(1) %v.35, align 4
  %v.37 = fpext float %v.36 to double
  %v.38 = load ptr addrspace(1), ptr %x.addr, align 8
  %v.39 = load ptr addrspace(1), ptr %columns.addr, align 8
  %v.40 = load i32, ptr %at, align 4
  %v.41 = sext i32 %v.40 to i64
  %v.42 = getelementptr i32, ptr addrspace(1) %v.39, i64 %v.41
  %v.43 = load i32, ptr addrspace(1) %v.42, align 4
  %v.44 = sext i32 %v.43 to i64
  %v.45 = getelementptr float, ptr addrspace(1) %v.38, i64 %v.44
  %v.46 = load float, ptr addrspace(1) %v.45, align 4
  %v.47 = fpext float %v.46 to double
  %v.48 = fmul double %v.37, %v.47
  %v.49 = load double, ptr %wide, align 8
  %v.50 = fadd double %v.49, %v.48
  store double %v.50, ptr %wide, align 8
  br label %for.step
for.step:
  %v.51 = load i32, ptr %at, align 4
  %v.52 = add i32 %v.51, 1
  store i32 %v.52, ptr %at, align 4
  br label %for.cond
for.end:
  %v.53 = load float, ptr %sum, align 4
  %v.54 = load ptr addrspace(1), ptr %y.addr, align 8
  %v.55 = load i32, ptr %row, align 4
  %v.56 = sext i32 %v.55 to i64
  %v.57 = getelementptr float, ptr addrspace(1) %v.54, i64 %v.56
  store float %v.53, ptr addrspace(1) %v.57, align 4
  %v.58 = load double, ptr %wide, align 8
  %v.59 = load ptr addrspace(1), ptr %z.addr, align 8
  %v.60 = load i32, ptr %row, align 4
  %v.61 = sext i32 %v.60 to i64
  %v.62 = getelementptr double, ptr addrspace(1) %v.59, i64 %v.61
  store double %v.58, ptr addrspace(1) %v.62, align 8
  ret void
}
