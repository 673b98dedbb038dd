source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func void @start() #0
declare spir_func i32 @again() #0
declare spir_func void @one() #0
declare spir_func i32 @jump() #0
declare spir_func void @two() #0
declare spir_func void @behind() #0
declare spir_func void @at_label() #0
declare spir_func void @last() #0
declare token @llvm.experimental.convergence.entry() #1
declare token @llvm.experimental.convergence.loop() #1
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
declare spir_func i32 @_Z20sub_group_reduce_addi(i32) convergent

define spir_kernel void @goto_out_of_loop() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  call spir_func void @start() [ "convergencectrl"(token %body.token) ]
  br label %for.cond
for.cond:
  %heart.token.4 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.0 = call spir_func i32 @again() [ "convergencectrl"(token %heart.token.4) ]
  %v.1 = icmp ne i32 %v.0, 0
  br i1 %v.1, label %for.body, label %for.end
for.body:
  call spir_func void @one() [ "convergencectrl"(token %heart.token.4) ]
  %v.2 = call spir_func i32 @jump() [ "convergencectrl"(token %heart.token.4) ]
  %v.3 = icmp ne i32 %v.2, 0
  br i1 %v.3, label %if.then, label %if.end
if.then:
  br label %goto.label
if.end:
  call spir_func void @two() [ "convergencectrl"(token %heart.token.4) ]
  br label %for.cond
for.end:
  call spir_func void @behind() [ "convergencectrl"(token %body.token) ]
  br label %goto.label
goto.label:
  call spir_func void @at_label() [ "convergencectrl"(token %body.token) ]
  call spir_func void @last() [ "convergencectrl"(token %body.token) ]
  ret void
}
