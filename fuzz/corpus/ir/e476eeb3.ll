target triple = "spirv-unknown-vulkan1.3-compute"
@Out.name = private unnamed_addr constant [4 x i8] c"Out\00"
@In.name = private unnamed_addr constant [3 x i8] c"In\00"
declare target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24) @llvm.spv.resource.handlefrombinding(i32, i32, i32, i32, ptr)
declare ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24), i32)
declare token @llvm.experimental.convergence.entry()
declare i32 @llvm.spv.thread.id.i32(i32)
declare i32 @llvm.spv.wave.active.countbits(i1) convergent

define  void @main() convergent "hlsl.numthreads"="64,1,1" "hlsl.shader"="compute" {
entry:
  %all = call token @llvm.experimental.convergence.entry()
  %out = call target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24) @llvm.spv.resource.handlefrombinding(i32 0, i32 0, i32 1, i32 8, ptr @Out.name)
  %in = call target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24) @llvm.spv.resource.handlefrombinding(i32 0, i32 1, i32 1, i32 0, ptr @In.name)
  %id = call i32 @llvm.spv.thread.id.i32(i32 0)
  %from = call ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24) %in, i32 %id)
  %to = call ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.SignedImage", i32, 5, 2, 0, 0, 2, 24) %out, i32 %id)
  %mine = load i32, ptr addrspace(11) %from
  %together = call i32 @llvm.spv.wave.active.countbits(i1 undef) [ "convergencectrl"(token %all) ]
  %sum = add i32 %mine, %together
  store i32 %sum, ptr addrspace(11) %to
  ret void
}
