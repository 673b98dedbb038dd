; A cycle with two entries that threads enter apart. In one of its two hierarchies left is the header:
; there, threads that came in at right meet, one round later, those that came in at left.
; Ask why: reconverge uniformity examples/irreducible-divergence.ll --explain %rounds
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @two_entries(i32 %limit) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %goes_left = icmp ult i32 %tid, 7
  br i1 %goes_left, label %left, label %right

left:
  %rounds = phi i32 [ 0, %entry ], [ %more_rounds, %right ]
  br label %right

right:
  %so_far = phi i32 [ 0, %entry ], [ %rounds, %left ]
  %more_rounds = add i32 %so_far, 1
  %again = icmp ult i32 %so_far, %limit
  br i1 %again, label %left, label %done

done:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
