source_filename = "seed"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func void @start() #0
declare spir_func i32 @jump() #0
declare spir_func void @middle() #0
declare spir_func void @one() #0
declare spir_func void @two() #0
declare spir_func i32 @ask() #0
declare spir_func void @leave() #0
declare spir_func void @five() #0
declare spir_func i32 @more() #0
declare spir_func void @last() #0
declare spir_func void @outside() #0
declare token @llvm.experimental.convergence.anchor() #1
declare token @llvm.experimental.convergence.entry() #1
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nocallback nofree nounwind willreturn memory(none) }
!opencl.ocl.version = !{!0}
!0 = !{i32 2, i32 0}

define spir_kernel void @goto_backward() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  call spir_func void @start() [ "convergencectrl"(token %body.token) ]
  %v.0 = call spir_func i32 @jump() [ "convergencectrl"(token %body.token) ]
  %v.1 = icmp ne i32 %v.0, 0
  br i1 %v.1, label %if.then, label %if.end
if.then:
  br label %goto.label
if.end:
  call spir_func void @middle() [ "convergencectrl"(token %body.token) ]
  br label %goto.label.1
goto.label.1:
  %anchor.token.8 = call token @llvm.experimental.convergence.anchor()
  call spir_func void @one() [ "convergencectrl"(token %anchor.token.8) ]
  br label %goto.label
goto.label:
  store i64 1, ptr addrspace(1) undef, align 1
  %anchor.token.11 = call token @llvm.experimental.convergence.anchor()
  call spir_func void @two() [ "convergencectrl"(token %anchor.token.11) ]
  %anchor.token.14 = call token @llvm.experimental.convergence.anchor()
  %v.2 = call spir_func i32 @ask() [ "convergencectrl"(token %anchor.token.14) ]
  %v.3 = icmp ne i32 %v.2, 0
  br i1 %v.3, label %if.then.1, label %if.end.1
if.then.1:
  call spir_func void @leave() [ "convergencectrl"(token %anchor.token.14) ]
  br label %goto.label.2
if.end.1:
  %anchor.token.20 = call token @llvm.experimental.convergence.anchor()
  call spir_func void @five() [ "convergencectrl"(token %anchor.token.20) ]
  %anchor.token.22 = call token @llvm.experimental.convergence.anchor()
  %v.4 = call spir_func i32 @more() [ "convergencectrl"(token %anchor.token.22) ]
  %v.5 = icmp ne i32 %v.4, 0
  br i1 %v.5, label %if.then.2, label %if.end.2
if.then.2:
  br label %goto.label.1
if.end.2:
  call spir_func void @last() [ "convergencectrl"(token %body.token) ]
  br label %goto.label.2
goto.label.2:
  call spir_func void @outside() [ "convergencectrl"(token %body.token) ]
  ret void
}
