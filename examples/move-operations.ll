; Two operations, each on both sides of a branch that threads of a subgroup take differently. A shuffle reads the thread that it names, whoever else is there, so
; one before the branch does as well. A reduction adds up who is there: before the branch that would be others.
; Try: reconverge transform hoist-operations examples/move-operations.ll --dry-run
; EXPECT: none
target triple = "spirv64-unknown-unknown"

define spir_kernel void @swap(i32 %data, i32 %partner, ptr addrspace(1) %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  %thread = call i64 @_Z12get_local_idj(i32 0)
  %odd = trunc i64 %thread to i1
  br i1 %odd, label %left, label %right

left:
  %from_left = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %partner) [ "convergencectrl"(token %all) ]
  %sum_left = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
  br label %done

right:
  %from_right = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %partner) [ "convergencectrl"(token %all) ]
  %sum_right = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
  br label %done

done:
  %from = phi i32 [ %from_left, %left ], [ %from_right, %right ]
  %sum = phi i32 [ %sum_left, %left ], [ %sum_right, %right ]
  %both = add i32 %from, %sum
  store i32 %both, ptr addrspace(1) %out
  ret void
}

declare token @llvm.experimental.convergence.entry() convergent
declare i64 @_Z12get_local_idj(i32)
declare i32 @_Z17sub_group_shuffleij(i32, i32) convergent
declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32) convergent
