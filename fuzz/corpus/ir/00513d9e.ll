source_filename = "seed"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #0
declare token @llvm.experimental.convergence.anchor() #2
declare token @llvm.experimental.convergence.entry() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }

define internal i32 @_ZL6threadv() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() [ "convergencectrl"(token none) ]
  ret i32 %v.0
}

define internal i32 @_ZL5blockv() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %v.0
}

define internal i32 @_ZL10block_sizev() #0 {
entry:
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() [ "convergencectrl"(token none) ]
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
  ret i32 63
}

define ptx_kernel void @_Z7machinePii(ptr %data, i32 %n) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %data.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %state = alloca i32, align 4
  %turns = alloca i32, align 4
  store ptr %data, ptr %data.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %v.0 = call i32 @_ZL13global_threadv() [ "convergencectrl"(token %body.token) ]
  store i32 %v.0, ptr %i, align 4
  %v.1 = load ptr, ptr %data.addr, align 8
  %v.2 = load i32, ptr %i, align 4
  %v.3 = sext i32 %v.2 to i64
  %v.4 = getelementptr i32, ptr %v.1, i64 %v.3
  %v.5 = load i32, ptr %v.4, align 4
  store i32 %v.5, ptr %state, align 4
  store i32 0, ptr %turns, align 4
  br label %goto.label
goto.label:
  %v.6 = load i32, ptr %state, align 4
  %v.7 = load i32, ptr %n.addr, align 4
  %v.8 = icmp sgt i32 %v.6, %v.7
  br i1 %v.8, label %if.then, label %if.end
if.then:
  br label %goto.label.1
if.end:
  %v.9 = load i32, ptr %state, align 4
  %v.10 = and i32 %v.9, 1
  %v.11 = icmp ne i32 %v.10, 0
  br i1 %v.11, label %if.then.1, label %if.end.1
if.then.1:
  br label %goto.label.2
if.end.1:
  %t.new.1.244 = sdiv i32 %v.0, %n
  br label %while.cond
while.cond:
  %v.12 = load i32, ptr %state, align 4
  %v.13 = load i32, ptr %n.addr, align 4
  %v.14 = icmp slt i32 %v.12, %v.13
  br i1 %v.14, label %while.body, label %while.end
while.body:
  %anchor.token.17 = call token @llvm.experimental.convergence.anchor()
  %v.15 = load i32, ptr %state, align 4
  %v.16 = mul i32 %v.15, 2
  %v.17 = load i32, ptr %state, align 4
  %v.18 = load i32, ptr %turns, align 4
  %v.19 = icmp eq i32 %v.17, %v.18
  %v.20 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %v.19) [ "convergencectrl"(token %anchor.token.17) ]
  %v.21 = zext i1 %v.20 to i32
  %v.22 = add i32 %v.16, %v.21
  store i32 %v.22, ptr %state, align 4
  br label %goto.label.2
goto.label.2:
  %v.23 = load i32, ptr %state, align 4
  %v.24 = add i32 %v.23, 3
  store i32 %v.24, ptr %state, align 4
  %v.25 = load i32, ptr %turns, align 4
  %v.26 = add i32 %v.25, 1
  store i32 %v.26, ptr %turns, align 4
  %v.27 = icmp sgt i32 %v.26, 50
  br i1 %v.27, label %if.then.2, label %if.end.2
if.then.2:
  br label %goto.label.1
if.end.2:
  br label %while.cond
while.end:
  %v.28 = load i32, ptr %n.addr, align 4
  %v.29 = sdiv i32 %v.28, 2
  %v.30 = load i32, ptr %state, align 4
  %v.31 = sub i32 %v.30, %v.29
  store i32 %v.31, ptr %state, align 4
  %v.32 = load i32, ptr %turns, align 4
  %v.33 = icmp slt i32 %v.32, 10
  br i1 %v.33, label %if.then.3, label %if.end.3
if.then.3:
  br label %goto.label
if.end.3:
  br label %goto.label.1
goto.label.1:
  %v.34 = load i32, ptr %state, align 4
  %v.35 = load ptr, ptr %data.addr, align 8
  %v.36 = load i32, ptr %i, align 4
  %v.37 = sext i32 %v.36 to i64
  %v.38 = getelementptr i32, ptr %v.35, i64 %v.37
  store i32 %v.34, ptr %v.38, align 4
  ret void
}
