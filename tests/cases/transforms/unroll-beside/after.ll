target triple = "spirv64-unknown-unknown"

declare i64 @_Z12get_local_idj(i32)
declare i32 @llvm.spv.wave.reduce.sum.i32(i32) convergent
declare token @llvm.experimental.convergence.entry() convergent

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  %id = call i64 @_Z12get_local_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %from
  br label %pairs

pairs:
  %left = phi i32 [ %x, %start ], [ %less, %both ]
  %sum = phi i32 [ 0, %start ], [ %more.2, %both ]
  %two = icmp uge i32 %left, 2
  br i1 %two, label %both, label %rest

both:
  %more.1 = add i32 %sum, %left
  %left.1 = sub i32 %left, 1
  %more.2 = add i32 %more.1, %left.1
  %less = sub i32 %left, 2
  br label %pairs

rest:
  %left.r = phi i32 [ %left, %pairs ], [ %less.r, %single ]
  %sum.r = phi i32 [ %sum, %pairs ], [ %more.r, %single ]
  %again = icmp ugt i32 %left.r, 0
  br i1 %again, label %single, label %done

single:
  %more.r = add i32 %sum.r, %left.r
  %less.r = sub i32 %left.r, 1
  br label %rest

done:
  %got = call i32 @llvm.spv.wave.reduce.sum.i32(i32 %sum.r) [ "convergencectrl"(token %all) ]
  store i32 %got, ptr addrspace(1) %to
  ret void
}
