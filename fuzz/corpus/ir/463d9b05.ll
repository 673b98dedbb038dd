source_filename = "seed"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2
declare i32 @_Z8exchangei(i32) #0
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) #0
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1) #0
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1) #0
declare void @llvm.nvvm.membar.cta() #3
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
declare token @llvm.experimental.convergence.entry() #4
attributes #0 = { convergent nounwind }
attributes #1 = { convergent noinline nounwind }
attributes #2 = { nounwind willreturn memory(none) }
attributes #3 = { nounwind }
attributes #4 = { convergent nocallback nofree nounwind willreturn memory(none) }
declare spir_func i32 @_Z20sub_group_reduce_addi(i32) convergent
declare token @llvm.experimental.convergence.anchor() #9999
attributes #9999 = { convergent }

define internal i32 @_ZL6threadv() #0 {
entry:
  %t.new.1.251 = call spir_func i32 @_Z20sub_group_reduce_addi(i32 851)
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %v.0
}

define internal i32 @_ZL5blockv() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %token.new.3.616 = call token @llvm.experimental.convergence.anchor()
  %twice.new.2.850 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %v.0
}

define internal i32 @_ZL10block_sizev() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %v.0
}

define internal i32 @_ZL13global_threadv() #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %v.0 = call i32 @_ZL5blockv() [ "convergencectrl"(token none) ]
  %v.1 = call i32 @_ZL10block_sizev() [ "convergencectrl"(token %body.token) ]
  %v.2 = mul i32 %v.0, %v.1
  %v.3 = call i32 @_ZL6threadv() [ "convergencectrl"(token %body.token) ]
  %v.4 = add i32 %v.2, %v.3
  ret i32 %v.4
}

define  i32 @_Z5twicei(i32 %x) #1 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
  %v.0 = load i32, ptr %x.addr, align 4
  %v.1 = call i32 @_Z8exchangei(i32 %v.0) [ "convergencectrl"(token %body.token) ]
  %v.2 = call i32 @_Z8exchangei(i32 %v.1) [ "convergencectrl"(token %body.token) ]
  ret i32 %v.2
}

define ptx_kernel void @_Z8barriersPi(ptr %data) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %data.addr = alloca ptr, align 8
  %i = alloca i32, align 4
  %x = alloca i32, align 4
  store ptr %data, ptr %data.addr, align 8
  %v.0 = call i32 @_ZL6threadv() [ "convergencectrl"(token %body.token) ]
  store i32 %v.0, ptr %i, align 4
  %v.1 = load ptr, ptr %data.addr, align 8
  %v.2 = load i32, ptr %i, align 4
  %v.3 = sext i32 %v.2 to i64
  %v.4 = getelementptr i32, ptr %v.1, i64 %v.3
  %v.5 = load i32, ptr %v.4, align 4
  store i32 %v.5, ptr %x, align 4
  %v.6 = load i32, ptr %x, align 4
  %v.7 = icmp sgt i32 %v.6, 3
  %v.8 = zext i1 %v.7 to i32
  %v.9 = icmp ne i32 %v.8, 0
  %v.10 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %v.9) [ "convergencectrl"(token %body.token) ]
  %v.11 = load i32, ptr %x, align 4
  %v.12 = add i32 %v.11, %v.10
  store i32 %v.12, ptr %x, align 4
  %v.13 = load i32, ptr %x, align 4
  %v.14 = icmp sgt i32 %v.13, 4
  %v.15 = zext i1 %v.14 to i32
  %v.16 = icmp ne i32 %v.15, 0
  %v.17 = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %v.16) [ "convergencectrl"(token %body.token) ]
  %v.18 = zext i1 %v.17 to i32
  %v.19 = load i32, ptr %x, align 4
  %v.20 = icmp sgt i32 %v.19, 5
  %v.21 = zext i1 %v.20 to i32
  %v.22 = icmp ne i32 %v.21, 0
  %v.23 = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %v.22) [ "convergencectrl"(token %body.token) ]
  %v.24 = zext i1 %v.23 to i32
  %v.25 = add i32 %v.18, %v.24
  %v.26 = load i32, ptr %x, align 4
  %v.27 = add i32 %v.26, %v.25
  store i32 %v.27, ptr %x, align 4
  call void @llvm.nvvm.membar.cta()
  %v.28 = load i32, ptr %x, align 4
  %v.29 = and i32 %v.28, 1
  %v.30 = icmp ne i32 %v.29, 0
  br i1 %v.30, label %if.then, label %if.else
if.then:
  %v.31 = load i32, ptr %x, align 4
  %v.32 = call i32 @_Z5twicei(i32 %v.31) [ "convergencectrl"(token %body.token) ]
  store i32 %v.32, ptr %x, align 4
  br label %if.end
if.else:
  %v.33 = load i32, ptr %x, align 4
  %v.34 = add i32 %v.33, 1
  %v.35 = call i32 @_Z8exchangei(i32 %v.34) [ "convergencectrl"(token %body.token) ]
  store i32 %v.35, ptr %x, align 4
  br label %if.end
if.end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) [ "convergencectrl"(token %body.token) ]
  %v.36 = load i32, ptr %x, align 4
  %v.37 = load ptr, ptr %data.addr, align 8
  %v.38 = load i32, ptr %i, align 4
  %v.39 = sext i32 %v.38 to i64
  %v.40 = getelementptr i32, ptr %v.37, i64 %v.39
  store i32 %v.36, ptr %v.40, align 4
  ret void
}
