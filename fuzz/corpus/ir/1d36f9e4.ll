source_filename = "seed"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2
declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #0
declare token @llvm.experimental.convergence.entry() #3
declare token @llvm.experimental.convergence.loop() #3
attributes #0 = { convergent nounwind }
attributes #1 = { convergent noinline nounwind }
attributes #2 = { nounwind willreturn memory(none) }
attributes #3 = { convergent nocallback nofree nounwind willreturn memory(none) }

define internal i32 @_ZL6threadv() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %v.0
}

define internal i32 @_ZL5blockv() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() [ "convergencectrl"(token none) ]
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
  %v.0 = call i32 @_ZL5blockv() [ "convergencectrl"(token %body.token) ]
  %v.1 = call i32 @_ZL10block_sizev() [ "convergencectrl"(token %body.token) ]
  %v.2 = mul i32 %v.0, %v.1
  %v.3 = call i32 @_ZL6threadv() [ "convergencectrl"(token %body.token) ]
  %v.4 = add i32 %v.2, %v.3
  %s.new.1.564 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %v.4
}

define internal i32 @_ZL5plaini(i32 %x) #1 {
entry:
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
  %v.0 = load i32, ptr %x.addr, align 4
  %v.1 = mul i32 %v.0, 3
  ret i32 %v.1
}

define internal i32 @_ZL4votei(i32 %x) #1 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
  %v.0 = load i32, ptr %x.addr, align 4
  %v.1 = icmp sgt i32 %v.0, 0
  %v.2 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %v.1) [ "convergencectrl"(token %body.token) ]
  %v.3 = zext i1 %v.2 to i32
  ret i32 %v.3
}

define ptx_kernel void @_Z5applyPii(ptr %data, i32 %n) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %data.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %chosen = alloca ptr, align 8
  %k = alloca i32, align 4
  store ptr %data, ptr %data.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %v.0 = call i32 @_ZL13global_threadv() [ "convergencectrl"(token %body.token) ]
  store i32 %v.0, ptr %i, align 4
  %v.1 = load ptr, ptr %data.addr, align 8
  %v.2 = load i32, ptr %i, align 4
  %v.3 = sext i32 %v.2 to i64
  %v.4 = getelementptr i32, ptr %v.1, i64 %v.3
  %v.5 = load i32, ptr %v.4, align 4
  %v.6 = load i32, ptr %n.addr, align 4
  %v.7 = icmp sgt i32 %v.5, %v.6
  br i1 %v.7, label %cond.then, label %cond.else
cond.then:
  br label %cond.end
cond.else:
  br label %cond.end
cond.end:
  %v.8 = phi ptr [ @_ZL5plaini, %cond.then ], [ @_ZL4votei, %cond.else ]
  store ptr %v.8, ptr %chosen, align 8
  store i32 0, ptr %k, align 4
  br label %for.cond
for.cond:
  %heart.token.5 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  %v.9 = load i32, ptr %k, align 4
  %v.10 = load ptr, ptr %data.addr, align 8
  %v.11 = load i32, ptr %i, align 4
  %v.12 = add i32 %v.11, 1
  %v.13 = sext i32 %v.12 to i64
  %v.14 = getelementptr i32, ptr %v.10, i64 %v.13
  %v.15 = load i32, ptr %v.14, align 4
  %v.16 = icmp slt i32 %v.9, %v.15
  br i1 %v.16, label %for.body, label %for.end
for.body:
  %v.17 = load ptr, ptr %chosen, align 8
  %v.18 = load i32, ptr %k, align 4
  %v.19 = call i32 %v.17(i32 %v.18) #0 [ "convergencectrl"(token %heart.token.5) ]
  %v.20 = load ptr, ptr %data.addr, align 8
  %v.21 = load i32, ptr %i, align 4
  %v.22 = sext i32 %v.21 to i64
  %v.23 = getelementptr i32, ptr %v.20, i64 %v.22
  %v.24 = load i32, ptr %v.23, align 4
  %v.25 = add i32 %v.24, %v.19
  store i32 %v.25, ptr %v.23, align 4
  br label %for.step
for.step:
  %v.26 = load i32, ptr %k, align 4
  %v.27 = add i32 %v.26, 1
  store i32 %v.27, ptr %k, align 4
  br label %for.cond
for.end:
  ret void
}
