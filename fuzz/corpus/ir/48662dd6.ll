source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32) #1
declare spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32) #1
declare spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, -1, 0, 0, 0, 0, 0), target("spirv.Sampler"), <2 x i32>) #2
declare spir_func float @_Z3dotDv3_fS_(<3 x float>, <3 x float>) #1
declare spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, <4 x float>) #3
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { nounwind willreturn memory(read) }
attributes #3 = { nounwind }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
declare i32 @printf(ptr, ...)

define spir_kernel void @threshold(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %in, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %out, float %cut) "hlsl.numthreads"="8,1,1" #0 {
entry:
  %in.addr = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), align 8
  %out.addr = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), align 8
  %cut.addr = alloca float, align 4
  %at = alloca <2 x i32>, align 8
  %color = alloca <4 x float>, align 16
  %grey = alloca float, align 4
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %in, ptr %in.addr, align 8
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %out, ptr %out.addr, align 8
  store float %cut, ptr %cut.addr, align 4
  %v.0 = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v.1 = trunc i64 %v.0 to i32
  %v.2 = insertelement <2 x i32> poison, i32 %v.1, i64 0
  %v.3 = call spir_func i64 @_Z13get_global_idj(i32 1)
  %v.4 = trunc i64 %v.3 to i32
  %v.5 = insertelement <2 x i32> %v.2, i32 %v.4, i64 1
  store <2 x i32> %v.5, ptr %at, align 8
  %v.6 = load target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), ptr %in.addr, align 8
  %v.7 = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 18)
  %v.8 = load <2 x i32>, ptr %at, align 8
  %v.9 = call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %v.6, target("spirv.Sampler") %v.7, <2 x i32> %v.8)
  store <4 x float> %v.9, ptr %color, align 16
  %v.10 = load <4 x float>, ptr %in.addr, align 16
  %v.11 = shufflevector <4 x float> %v.10, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %v.12 = insertelement <3 x float> poison, float 0x3FD3333340000000, i64 0
  %v.13 = insertelement <3 x float> %v.12, float 0x3FE2E147A0000000, i64 1
  %v.14 = insertelement <3 x float> %v.13, float 0x3FBC28F5C0000000, i64 2
  %v.15 = call spir_func float @_Z3dotDv3_fS_(<3 x float> %v.11, <3 x float> %v.14)
  store float %v.15, ptr %grey, align 4
  %v.16 = load target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), ptr %out.addr, align 8
  %v.17 = load <2 x i32>, ptr %at, align 8
  %v.18 = load float, ptr %grey, align 4
  %t.new.1.573 = call i32 (ptr, ...) @printf(ptr %grey, i32 %v.4, double 0.5)
  %v.19 = load float, ptr %cut.addr, align 4
  %v.20 = fcmp ogt float %v.18, %v.19
  br i1 %v.20, label %cond.then, label %cond.else
cond.then:
  %v.21 = insertelement <4 x float> poison, float 0x3FF0000000000000, i64 0
  %v.22 = shufflevector <4 x float> %v.21, <4 x float> poison, <4 x i32> zeroinitializer
  br label %cond.end
cond.else:
  %v.23 = insertelement <4 x float> poison, float 0x0000000000000000, i64 0
  %v.24 = insertelement <4 x float> %v.23, float 0x0000000000000000, i64 1
  %v.25 = insertelement <4 x float> %v.24, float 0x0000000000000000, i64 2
  %v.26 = insertelement <4 x float> %v.25, float 0x3FF0000000000000, i64 3
  br label %cond.end
cond.end:
  %v.27 = phi <4 x float> [ %v.22, %cond.then ], [ %v.26, %cond.else ]
  call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %v.16, <2 x i32> %v.17, <4 x float> %v.27)
  ret void
}
