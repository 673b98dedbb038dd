source_filename = "seed"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #0
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #0
declare void @llvm.nvvm.bar.warp.sync(i32) #0
declare token @llvm.experimental.convergence.entry() #2
declare token @llvm.experimental.convergence.loop() #2
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn memory(none) }

define ptx_kernel void @_Z4workPKiiPiS1_(ptr %jobs, i32 %count, ptr %next, ptr %out) #0 {
entry:
  %body.token = call token @llvm.experimental.convergence.entry()
  %jobs.addr = alloca ptr, align 8
  %count.addr = alloca i32, align 4
  %next.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %job = alloca i32, align 4
  %length = alloca i32, align 4
  %sum = alloca i32, align 4
  %i = alloca i32, align 4
  %by = alloca i32, align 4
  store ptr %jobs, ptr %jobs.addr, align 8
  store i32 %count, ptr %count.addr, align 4
  store ptr %next, ptr %next.addr, align 8
  store ptr %out, ptr %out.addr, align 8
  br label %for.cond
for.cond:
  %heart.token.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %body.token) ]
  store i32 0, ptr %job, align 4
  %v.0 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() [ "convergencectrl"(token %heart.token.1) ]
  %v.1 = icmp eq i32 %v.0, 0
  br i1 %v.1, label %if.then, label %if.end
if.then:
  %v.2 = load ptr, ptr %next.addr, align 8
  %v.3 = atomicrmw volatile add ptr %v.2, i32 1 seq_cst, align 4
  store i32 %v.3, ptr %job, align 4
  br label %if.end
if.end:
  %v.4 = load i32, ptr %job, align 4
  %v.5 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v.4, i32 0, i32 31) [ "convergencectrl"(token %heart.token.1) ]
  store i32 %v.5, ptr %job, align 4
  %v.6 = load i32, ptr %job, align 4
  %v.7 = load i32, ptr %count.addr, align 4
  %v.8 = icmp sge i32 %v.6, %v.7
  br i1 %v.8, label %if.then.1, label %if.end.1
if.then.1:
  ret void
if.end.1:
  %v.9 = load ptr, ptr %jobs.addr, align 8
  %v.10 = load i32, ptr %job, align 4
  %v.11 = mul i32 2, undef
  %v.12 = add i32 %v.11, 1
  %v.13 = sext i32 %v.12 to i64
  %v.14 = getelementptr i32, ptr %v.9, i64 %v.13
  %v.15 = load i32, ptr %v.14, align 4
  store i32 %v.15, ptr %length, align 4
  store i32 0, ptr %sum, align 4
  %v.16 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store i32 %v.16, ptr %i, align 4
  br label %for.cond.1
for.cond.1:
  %heart.token.18 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %heart.token.1) ]
  %v.17 = load i32, ptr %i, align 4
  %v.18 = load i32, ptr %length, align 4
  %v.19 = icmp slt i32 %v.17, %v.18
  br i1 %v.19, label %for.body, label %for.end.1
for.body:
  %v.20 = load ptr, ptr %jobs.addr, align 8
  %v.21 = load ptr, ptr %jobs.addr, align 8
  %v.22 = load i32, ptr %job, align 4
  %v.23 = mul i32 2, %v.22
  %v.24 = sext i32 %v.23 to i64
  %v.25 = getelementptr i32, ptr %v.21, i64 %v.24
  %v.26 = load i32, ptr %v.25, align 4
  %v.27 = load i32, ptr %i, align 4
  %v.28 = add i32 %v.26, %v.27
  %v.29 = sext i32 %v.28 to i64
  %v.30 = getelementptr i32, ptr %v.20, i64 %v.29
  %v.31 = load i32, ptr %v.30, align 4
  %v.32 = load i32, ptr %sum, align 4
  %v.33 = add i32 %v.32, %v.31
  store i32 %v.33, ptr %sum, align 4
  br label %for.step
for.step:
  %v.34 = load i32, ptr %i, align 4
  %v.35 = add i32 %v.34, 32
  store i32 %v.35, ptr %i, align 4
  br label %for.cond.1
for.end.1:
  store i32 16, ptr %by, align 4
  br label %for.cond.2
for.cond.2:
  %heart.token.25 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %heart.token.1) ]
  %v.36 = load i32, ptr %by, align 4
  %v.37 = icmp sgt i32 %v.36, 0
  br i1 %v.37, label %for.body.1, label %for.end.2
for.body.1:
  %v.38 = load i32, ptr %sum, align 4
  %v.39 = load i32, ptr %by, align 4
  %v.40 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v.38, i32 %v.39, i32 31) [ "convergencectrl"(token %heart.token.25) ]
  %v.41 = load i32, ptr %sum, align 4
  %v.42 = add i32 %v.41, %v.40
  store i32 %v.42, ptr %sum, align 4
  br label %for.step.1
for.step.1:
  %v.43 = load i32, ptr %by, align 4
  %v.44 = sdiv i32 %v.43, 2
  store i32 %v.44, ptr %by, align 4
  br label %for.cond.2
for.end.2:
  %v.45 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v.46 = icmp eq i32 %v.45, 0
  br i1 %v.46, label %if.then.2, label %if.end.2
if.then.2:
  %v.47 = load i32, ptr %sum, align 4
  %v.48 = load ptr, ptr %out.addr, align 8
  %v.49 = load i32, ptr %job, align 4
  %v.50 = sext i32 %v.49 to i64
  %v.51 = getelementptr i32, ptr %v.48, i64 %v.50
  store i32 %v.47, ptr %v.51, align 4
  br label %if.end.2
if.end.2:
  call void @llvm.nvvm.bar.warp.sync(i32 -1) [ "convergencectrl"(token %heart.token.1) ]
  br label %for.cond
}
