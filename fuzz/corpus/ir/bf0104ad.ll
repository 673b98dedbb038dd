source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func void @start() #0
declare spir_func i32 @ask() #0
declare spir_func void @chosen() #0
declare spir_func i32 @again() #0
declare spir_func void @work() #0
declare spir_func void @last() #0
declare token @llvm.experimental.convergence.entry() #1
declare token @llvm.experimental.convergence.loop() #1
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
%deep.new.2.383 = type [2 x [2 x [2 x i8]]]
@deep.new.2.383 = external global %deep.new.2.383

define spir_kernel void @selection_and_iteration() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  call spir_func void @start() [ "convergencectrl"(token %body.token) ]
  %v.0 = call spir_func i32 @ask() alwaysinline [ "convergencectrl"(token %body.token) ]
  %v.1 = icmp ne i32 %v.0, 0
  br i1 %v.1, label %if.then, label %if.end
if.then:
  call spir_func void @chosen() [ "convergencectrl"(token %body.token) ]
  %t.new.1.429 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %v.0, i32 %v.0)
  br label %if.end
if.end:
  br label %while.cond
while.cond:
  %heart.token.7 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.2 = call spir_func i32 @again() [ "convergencectrl"(token %heart.token.7) ]
  %v.3 = icmp ne i32 %v.2, 0
  br i1 %v.3, label %while.body, label %while.end
while.body:
  call spir_func void @work() [ "convergencectrl"(token %heart.token.7) ]
  %deep.new.3.215 = alloca [2 x [2 x [2 x i8]]]
  br label %while.body
while.end:
  call spir_func void @last() [ "convergencectrl"(token %body.token) ]
  ret void
}
