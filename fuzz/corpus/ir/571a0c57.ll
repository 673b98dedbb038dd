target triple = "amdgcn-amd-amdhsa"
source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
%union.word = type { [4 x i8] }
declare spir_func i64 @_Z13get_global_idj(i32) #1
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
@variable.new.1.952 = internal addrspace(0) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

define spir_kernel void @fields(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %in.addr = alloca ptr addrspace(1), align 8
  %out.addr = alloca ptr addrspace(1), align 8
  %i = alloca i32, align 4
  %w = alloca %union.word, align 4
  %swap = alloca i8, align 1
  %f = alloca %union.word, align 4
  %sign = alloca i32, align 4
  %exponent = alloca i32, align 4
  %fraction = alloca i32, align 4
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
  store i32 %v.6, ptr %w, align 4
  %v.7 = getelementptr i8, ptr %w, i64 0
  %v.8 = load i8, ptr %v.7, align 1
  store i8 %v.8, ptr %swap, align 1
  %v.9 = getelementptr i8, ptr %w, i64 3
  %v.10 = load i8, ptr %v.9, align 1
  %v.11 = getelementptr i8, ptr %w, i64 0
  store i8 %v.10, ptr %v.11, align 1
  %v.12 = load i8, ptr %swap, align 1
  %v.13 = getelementptr i8, ptr %w, i64 3
  store i8 %v.12, ptr %v.13, align 1
  %v.14 = load i32, ptr %i, align 4
  %v.15 = and i32 %v.14, 1
  %v.16 = sext i32 %v.15 to i64
  %v.17 = getelementptr i16, ptr %w, i64 %v.16
  %v.18 = load i16, ptr %v.17, align 2
  %v.19 = sext i16 %v.18 to i32
  %v.20 = sub i32 %v.19, 77
  %v.21 = trunc i32 %v.20 to i16
  store i16 %v.21, ptr %v.17, align 2
  %v.22 = load i32, ptr %w, align 4
  %v.23 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.24 = load i32, ptr %i, align 4
  %v.25 = mul i32 2, %v.24
  %v.26 = sext i32 %v.25 to i64
  %v.27 = getelementptr i32, ptr addrspace(1) %v.23, i64 %v.26
  store i32 %v.22, ptr addrspace(1) %v.27, align 4
  %v.28 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.29 = load i32, ptr %i, align 4
  %v.30 = sext i32 %v.29 to i64
  %v.31 = getelementptr i32, ptr addrspace(1) %v.28, i64 %v.30
  %v.32 = load i32, ptr addrspace(1) %v.31, align 4
  %v.33 = and i32 %v.32, 65535
  %v.34 = uitofp i32 %v.33 to half
  %v.35 = fmul half %v.34, 0x3FE0000000000000
  store half %v.35, ptr %f, align 4
  %v.36 = shl i32 1, 23
  %v.37 = load i32, ptr %f, align 4
  %v.38 = add i32 %v.37, %v.36
  store i32 %v.38, ptr %f, align 4
  %v.39 = load i32, ptr %f, align 4
  %v.40 = lshr i32 %v.39, 31
  store i32 %v.40, ptr %sign, align 4
  %v.41 = load i32, ptr %f, align 4
  %v.42 = lshr i32 %v.41, 23
  %v.43 = and i32 %v.42, 255
  store i32 %v.43, ptr %exponent, align 4
  %v.44 = load i32, ptr %f, align 4
  %v.45 = and i32 %v.44, 8388607
  store i32 %v.45, ptr %fraction, align 4
  %v.46 = load i32, ptr %exponent, align 4
  %v.47 = mul i32 %v.46, 1000
  %v.48 = load i32, ptr %fraction, align 4
  %v.49 = lshr i32 %v.48, 14
  %v.50 = add i32 %v.47, %v.49
  %v.51 = load i32, ptr %sign, align 4
  %v.52 = add i32 %v.50, %v.51
  %v.53 = load half, ptr %f, align 4
  %v.54 = fptoui half %v.53 to i32
  %v.55 = add i32 %v.52, %v.54
  %v.56 = load ptr addrspace(1), ptr %out.addr, align 8
  %v.57 = load i32, ptr %i, align 4
  %v.58 = mul i32 2, %v.57
  %v.59 = add i32 %v.58, 1
  %v.60 = sext i32 %v.59 to i64
  %v.61 = getelementptr i32, ptr addrspace(1) %v.56, i64 %v.60
  store i32 %v.55, ptr addrspace(1) %v.61, align 4
  ret void
}
