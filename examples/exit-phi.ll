; A phi of two constants after a loop that LLVM 22 calls uniform and that is not. Threads diverge in
; choose: those that leave there reach done with 1, the others go on, and some of them leave in a
; later iteration from header, with 0. In done they all meet.
; Ask why: reconverge uniformity examples/exit-phi.ll --explain %was_found
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @exit_phi(ptr addrspace(1) %out, i32 %limit) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %choose ]
  %more = icmp ult i32 %i, %limit
  br i1 %more, label %choose, label %done

choose:
  %next = add i32 %i, 1
  %hit = icmp eq i32 %i, %tid
  br i1 %hit, label %done, label %header

done:
  %was_found = phi i32 [ 0, %header ], [ 1, %choose ]
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %was_found, ptr addrspace(1) %place
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
