source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func float @_Z10vload_halfmPU3AS4KDh(i64, ptr addrspace(4)) #2
declare spir_func float @_Z5ldexpfi(float, i32) #1
declare spir_func void @_Z11vstore_halffmPU3AS4Dh(float, i64, ptr addrspace(4)) #3
declare spir_func void @_Z15vstore_half_rtzfmPU3AS4Dh(float, i64, ptr addrspace(4)) #3
declare spir_func void @_Z15vstore_half_rtpfmPU3AS4Dh(float, i64, ptr addrspace(4)) #3
declare spir_func void @_Z15vstore_half_rtnfmPU3AS4Dh(float, i64, ptr addrspace(4)) #3
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind willreturn memory(read) }
attributes #3 = { nounwind }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %floats, ptr addrspace(1) %wide, ptr addrspace(1) %narrow) #0 {
entry:
  %in.addr = alloca ptr addrspace(1), align 8
  %floats.addr = alloca ptr addrspace(1), align 8
  %wide.addr = alloca ptr addrspace(1), align 8
  %narrow.addr = alloca ptr addrspace(1), align 8
  %i = alloca i32, align 4
  %x = alloca float, align 4
  %scaled = alloca float, align 4
  store ptr addrspace(1) %in, ptr %in.addr, align 8
  store ptr addrspace(1) %floats, ptr %floats.addr, align 8
  store ptr addrspace(1) %wide, ptr %wide.addr, align 8
  store ptr addrspace(1) %narrow, ptr %narrow.addr, align 8
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  store i32 %v.1, ptr %i, align 4
  %v.2 = load i32, ptr %i, align 4
  %v.3 = sext i32 %v.2 to i64
  %v.4 = load ptr addrspace(1), ptr %in.addr, align 8
  %v.5 = addrspacecast ptr addrspace(1) %v.4 to ptr addrspace(4)
  %v.6 = call spir_func float @_Z10vload_halfmPU3AS4KDh(i64 %v.3, ptr addrspace(4) %v.5)
  %v.7 = load ptr addrspace(1), ptr %wide.addr, align 8
  %v.8 = load i32, ptr %i, align 4
  %v.9 = sext i32 %v.8 to i64
  %v.10 = getelementptr float, ptr addrspace(1) %v.7, i64 %v.9
  store float %v.6, ptr addrspace(1) %v.10, align 4
  %v.11 = load ptr addrspace(1), ptr %floats.addr, align 8
  %v.12 = load i32, ptr %i, align 4
  %v.13 = sext i32 %v.12 to i64
  %v.14 = getelementptr float, ptr addrspace(1) %v.11, i64 %v.13
  %v.15 = load float, ptr addrspace(1) %v.14, align 4
  store float %v.15, ptr %x, align 4
  %v.16 = load float, ptr %x, align 4
  %v.17 = fsub float %v.16, 0x3FE0000000000000
  %v.18 = load i32, ptr %i, align 4
  %v.19 = udiv i32 %v.18, 48
  %v.20 = sub i32 %v.19, 28
  %v.21 = call spir_func float @_Z5ldexpfi(float %v.17, i32 %v.20)
  store float %v.21, ptr %scaled, align 4
  %v.22 = load i32, ptr %i, align 4
  %v.23 = and i32 %v.22, 3
  switch i32 %v.23, label %switch.end [
    i32 0, label %switch.case
    i32 1, label %switch.case.1
    i32 2, label %switch.case.2
    i32 3, label %switch.case.3
  ]
switch.case:
  %v.24 = load float, ptr %scaled, align 4
  %v.25 = load i32, ptr %i, align 4
  %v.26 = sext i32 %v.25 to i64
  %v.27 = load ptr addrspace(1), ptr %narrow.addr, align 8
  %v.28 = addrspacecast ptr addrspace(1) %v.27 to ptr addrspace(4)
  call spir_func void @_Z11vstore_halffmPU3AS4Dh(float %v.24, i64 %v.26, ptr addrspace(4) %v.28)
  br label %switch.end
switch.case.1:
  %v.29 = load float, ptr %scaled, align 4
  %v.30 = load i32, ptr %i, align 4
  %v.31 = sext i32 %v.30 to i64
  %v.32 = load ptr addrspace(1), ptr %narrow.addr, align 8
  %v.33 = addrspacecast ptr addrspace(1) %v.32 to ptr addrspace(4)
  call spir_func void @_Z15vstore_half_rtzfmPU3AS4Dh(float %v.29, i64 %v.31, ptr addrspace(4) %v.33)
  br label %switch.end
switch.case.2:
  %v.34 = load float, ptr %scaled, align 4
  %v.35 = load i32, ptr %i, align 4
  %v.36 = sext i32 %v.35 to i64
  %v.37 = load ptr addrspace(1), ptr %narrow.addr, align 8
  %v.38 = addrspacecast ptr addrspace(1) %v.37 to ptr addrspace(4)
  call spir_func void @_Z15vstore_half_rtpfmPU3AS4Dh(float %v.34, i64 %v.36, ptr addrspace(4) %v.38)
  br label %switch.end
switch.case.3:
  %v.39 = load float, ptr %scaled, align 4
  %v.40 = load i32, ptr %i, align 4
  %v.41 = sext i32 %v.40 to i64
  %v.42 = load ptr addrspace(1), ptr %narrow.addr, align 8
  %v.43 = addrspacecast ptr addrspace(1) %v.42 to ptr addrspace(4)
  call spir_func void @_Z15vstore_half_rtnfmPU3AS4Dh(float %v.39, i64 %v.41, ptr addrspace(4) %v.43)
  br label %switch.end
switch.end:
  ret void
}
