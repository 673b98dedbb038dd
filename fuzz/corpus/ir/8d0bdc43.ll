source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func void @top() #0
declare spir_func i32 @wanted() #0
declare spir_func void @inside() #0
declare spir_func void @below() #0
declare token @llvm.experimental.convergence.entry() #1
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @under_a_condition() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  call spir_func void @top() [ "convergencectrl"(token %body.token) ]
  %v.0 = call spir_func i32 @wanted() [ "convergencectrl"(token %body.token) ]
  %v.1 = icmp ne i32 %v.0, 0
  br i1 %v.1, label %if.then, label %if.end
if.then:
  call spir_func void @inside() [ "convergencectrl"(token %body.token) ]
  br i1 false, label %if.end, label %if.then
if.end:
  call spir_func void @below() [ "convergencectrl"(token %body.token) ]
  ret void
}
