declare i32@_Z8exchangei()define void@_Z7machinePii(ptr%data,i32%n){%data.addr=alloca ptr,align 8%n.addr=alloca i32,align 4%i=alloca i32,align 4%state=alloca i32,align 4store ptr%data,ptr%data.addr
store i32%n,ptr%n.addr,align 4%v.0=call i32@llvm.nvvm.read.ptx.sreg.ctaid.x()%v.1=call i32@llvm.nvvm.read.ptx.sreg.ntid.x()%v.2=mul i32%v.0,%v.1%v.3=call i32@llvm.nvvm.read.ptx.sreg.tid.x()%v.4=add i32%v.2,%v.3
store i32%v.4,ptr%i,align 4%v.5=load ptr,ptr%data.addr,align 8%v.6=load i32,ptr%i,align 4%v.7=sext i32%v.6 to i64%v.8=getelementptr i32,ptr%v.5,i64%v.7%v.9=load i32,ptr%v.8,align 4store i32%v.9,ptr%state,align 4br label%while.cond
while.cond:%v.13=load i32,ptr%state,align 4%v.14=load i32,ptr%n.addr,align 4%v.15=icmp slt i32%v.13,%v.14
br i1%v.15,label%while.body,label%while.end
while.body:%anchor.token.13=call token@llvm.experimental.convergence.anchor()%v.18=load i32,ptr%state%v.19=call i32@_Z8exchangei(i32%v.18)["convergencectrl"(token%anchor.token.13)]%v.20=load i32,ptr%state%v.21=add i32%v.20,%v.19
store i32%v.21,ptr%state,align 4br label%while.cond
while.end:ret void}