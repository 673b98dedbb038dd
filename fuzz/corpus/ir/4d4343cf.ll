source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func <16 x i8> @_Z6rotateDv16_hS_(<16 x i8>, <16 x i8>) #1
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
@variable.new.1.472 = internal addrspace(5) global i32 0

define spir_kernel void @mixing(ptr addrspace(1) %in, ptr addrspace(1) byval({ i32, [4 x i64] }) %out) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %i = alloca i32, align 4
  %state = alloca <16 x i8>, align 16
  %round = alloca i32, align 4
  %doubled = alloca <16 x i8>, align 16
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %out, ptr %out.addr, align 8
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.3 = load i32, ptr %i, align 4
  %v.4 = sext i32 %v.3 to i64
  %v.5 = getelementptr <16 x i8>, ptr addrspace(1) %v.2, i64 %v.4
  %v.6 = load <16 x i8>, ptr addrspace(1) %v.5, align 16
  store <16 x i8> %v.6, ptr %state, align 16
  store i32 0, ptr %round, align 4
  br label %for.cond
for.cond:
  %heart.token.5 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.7 = load i32, ptr %round, align 4
  %v.8 = icmp slt i32 %v.7, 9
  br i1 %v.8, label %for.body, label %for.end
for.body:
  %v.9 = load <16 x i8>, ptr %state, align 16
  %v.10 = shufflevector <16 x i8> %v.9, <16 x i8> poison, <16 x i32> <i32 0, i32 5, i32 10, i32 15, i32 4, i32 9, i32 14, i32 3, i32 8, i32 13, i32 2, i32 7, i32 12, i32 1, i32 6, i32 11>
  store <16 x i8> %v.10, ptr %state, align 16
  %v.11 = load <16 x i8>, ptr %state, align 16
  %v.12 = insertelement <16 x i8> poison, i8 1, i64 0
  %v.13 = shufflevector <16 x i8> %v.12, <16 x i8> poison, <16 x i32> zeroinitializer
  %v.14 = and <16 x i8> %v.13, splat ( i8 7)
  %v.15 = shl <16 x i8> %v.11, %v.14
  %v.16 = load <16 x i8>, ptr %state, align 16
  %v.17 = insertelement <16 x i8> poison, i8 7, i64 0
  %v.18 = shufflevector <16 x i8> %v.17, <16 x i8> poison, <16 x i32> zeroinitializer
  %v.19 = and <16 x i8> %v.18, splat ( i8 7)
  %v.20 = lshr <16 x i8> %v.16, %v.19
  %v.21 = insertelement <16 x i8> poison, i8 27, i64 0
  %v.22 = shufflevector <16 x i8> %v.21, <16 x i8> poison, <16 x i32> zeroinitializer
  %v.23 = mul <16 x i8> %v.20, %v.22
  %v.24 = xor <16 x i8> %v.15, %v.23
  store <16 x i8> %v.24, ptr %doubled, align 16
  %v.25 = load <16 x i8>, ptr %doubled, align 16
  %v.26 = load <16 x i8>, ptr %state, align 16
  %v.27 = shufflevector <16 x i8> %v.26, <16 x i8> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 0, i32 5, i32 6, i32 7, i32 4, i32 9, i32 10, i32 11, i32 8, i32 13, i32 14, i32 15, i32 12>
  %v.28 = xor <16 x i8> %v.25, %v.27
  %v.29 = load i32, ptr %round, align 4
  %v.30 = trunc i32 %v.29 to i8
  %v.31 = insertelement <16 x i8> poison, i8 %v.30, i64 0
  %v.32 = insertelement <16 x i8> %v.31, i8 0, i64 1
  %v.33 = insertelement <16 x i8> %v.32, i8 0, i64 2
  %v.34 = insertelement <16 x i8> %v.33, i8 0, i64 3
  %v.35 = insertelement <16 x i8> %v.34, i8 1, i64 4
  %v.36 = insertelement <16 x i8> %v.35, i8 0, i64 5
  %v.37 = insertelement <16 x i8> %v.36, i8 0, i64 6
  %v.38 = insertelement <16 x i8> %v.37, i8 0, i64 7
  %v.39 = insertelement <16 x i8> %v.38, i8 2, i64 8
  %v.40 = insertelement <16 x i8> %v.39, i8 0, i64 9
  %v.41 = insertelement <16 x i8> %v.40, i8 0, i64 10
  %v.42 = insertelement <16 x i8> %v.41, i8 0, i64 11
  %v.43 = insertelement <16 x i8> %v.42, i8 3, i64 12
  %v.44 = insertelement <16 x i8> %v.43, i8 0, i64 13
  %v.45 = insertelement <16 x i8> %v.44, i8 0, i64 14
  %v.46 = insertelement <16 x i8> %v.45, i8 0, i64 15
  %v.47 = xor <16 x i8> %v.28, %v.46
  store <16 x i8> %v.47, ptr %state, align 16
  %v.48 = load <16 x i8>, ptr %state, align 16
  %v.49 = extractelement <16 x i8> %v.48, i64 15
  %v.50 = zext i8 %v.49 to i32
  %v.51 = load <16 x i8>, ptr %state, align 16
  %v.52 = extractelement <16 x i8> %v.51, i64 3
  %v.53 = zext i8 %v.52 to i32
  %v.54 = add i32 %v.53, %v.50
  %v.55 = trunc i32 %v.54 to i8
  %v.56 = load <16 x i8>, ptr %state, align 16
  %v.57 = insertelement <16 x i8> %v.56, i8 %v.55, i64 3
  store <16 x i8> %v.57, ptr %state, align 16
  %v.58 = load <16 x i8>, ptr %state, align 16
  %v.59 = insertelement <16 x i8> poison, i8 3, i64 0
  %v.60 = shufflevector <16 x i8> %v.59, <16 x i8> poison, <16 x i32> zeroinitializer
  %v.61 = call spir_func <16 x i8> @_Z6rotateDv16_hS_(<16 x i8> %v.58, <16 x i8> %v.60)
  store <16 x i8> %v.61, ptr %state, align 16
  br label %for.step
for.step:
  %v.62 = load i32, ptr %round, align 4
  %v.63 = add i32 %v.62, 1
  store i32 %v.63, ptr %round, align 4
  br label %for.cond
for.end:
  %v.64 = load <16 x i8>, ptr %state, align 16
  %v.65 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.66 = load i32, ptr %i, align 4
  %v.67 = sext i32 %v.66 to i64
  %v.68 = getelementptr <16 x i8>, ptr addrspace(1) %v.65, i64 %v.67
  store <16 x i8> %v.64, ptr addrspace(1) %v.68, align 16
  ret void
}
