declare i64@_Z12get_local_idj()define spir_kernel void@exchange(ptr addrspace(1),i32%mode,ptr addrspace(3)){%mode.addr=alloca i32,align 4%rounds.addr=alloca i32,align 4%turn=alloca i32,align 4%v.0=call i64@_Z12get_local_idj(i32 0)%v.1=icmp ne i64%v.0,0
br i1%v.1,label%if.then,label%if.or
if.or:%v.2=load i32,ptr%mode.addr,align 4icmp eq i32%v.2,0
br label%if.end
if.then:ret void
if.end:br label%for.cond.1
for.cond.1:%v.41=load i32,ptr%turn,align 4%v.42=load i32,ptr%rounds.addr,align 4%v.43=icmp slt i32%v.41,%v.42 br i1%v.43,label%for.body.1,label%for.end.1
for.body.1:%v.44=load i32,ptr%turn%v.45=and i32%v.44,3%v.46=load i32,ptr%mode.addr%v.47=icmp eq i32%v.45,%v.46
br i1%v.47,label%if.then.2,label%if.end.2
if.then.2:call i32@llvm.nvvm.shfl.sync.idx.i32(i32 9223372036854775808,i32%mode,i32 377,i32 31)br label%for.step.1
if.end.2:br label%for.step.1
for.step.1:br label%for.cond.1
for.end.1:ret void}