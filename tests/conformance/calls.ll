; Functions that are convergent, and one that is not, though it has operations of its own.
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.anchor()
declare void @meet(i32) convergent
define void @alone(i32 %n) {
start:
  ret void
}

define void @inner(i32 %n) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  call void @meet(i32 %n) [ "convergencectrl"(token %token) ]
  ret void
}

define void @opportunist(i32 %n) {
start:
  %token = call token @llvm.experimental.convergence.anchor()
  call void @meet(i32 %n) [ "convergencectrl"(token %token) ]
  ret void
}

define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %some = icmp ult i32 %tid, 3
  br i1 %some, label %left, label %right

left:
  call void @inner(i32 %tid) [ "convergencectrl"(token %token) ]
  br label %end

right:
  call void @inner(i32 %tid) [ "convergencectrl"(token %token) ]
  br label %end

end:
  call void @opportunist(i32 %tid)
  call void @alone(i32 %tid)
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
