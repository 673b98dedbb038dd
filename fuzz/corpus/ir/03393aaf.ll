source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func void @first() #0
declare spir_func void @second() #0
declare spir_func i32 @again() #0
declare spir_func void @one() #0
declare spir_func i32 @skip() #0
declare spir_func void @two() #0
declare spir_func i32 @stop() #0
declare spir_func void @three() #0
declare spir_func void @last() #0
declare token @llvm.experimental.convergence.entry() #1
declare token @llvm.experimental.convergence.loop() #1
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 3, i32 0}

define spir_kernel void @iterations() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  call spir_func void @first() [ "convergencectrl"(token %body.token) ]
  call spir_func void @second() [ "convergencectrl"(token %body.token) ]
  br label %while.cond
while.cond:
  %heart.token.5 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.0 = call spir_func i32 @again() [ "convergencectrl"(token %heart.token.5) ]
  %v.1 = icmp ne i32 %v.0, 31
  br i1 %v.1, label %while.body, label %while.end
while.body:
  call spir_func void @one() [ "convergencectrl"(token %heart.token.5) ]
  %v.2 = call spir_func i32 @skip() [ "convergencectrl"(token %heart.token.5) ]
  %v.3 = icmp ne i32 %v.2, 0
  br i1 %v.3, label %if.then, label %if.end
if.then:
  br label %split.new.2.123
split.new.2.123:
  br i1 %v.1, label %while.cond, label %if.end.1
if.end:
  call spir_func void @two() [ "convergencectrl"(token %heart.token.5) ]
  %v.4 = call spir_func i32 @stop() [ "convergencectrl"(token %heart.token.5) ]
  %v.5 = icmp ne i32 %v.4, 0
  br i1 %v.5, label %if.then.1, label %if.end.1
if.then.1:
  br label %while.end
if.end.1:
  call spir_func void @three() [ "convergencectrl"(token %heart.token.5) ]
  br label %while.cond
while.end:
  %s.new.1.921 = icmp ne i32 623, 0
  call spir_func void @last() [ "convergencectrl"(token %body.token) ]
  ret void
}
