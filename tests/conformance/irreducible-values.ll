; What the threads of an irreducible cycle agree on: entered together, entered apart, and left apart inside.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @diverged_outside(i1 %stay, i32 %n) {
Entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %P, label %R
P:
  %in_p = phi i32 [ 0, %Entry ], [ 1, %S ]
  br label %R
R:
  %in_r = phi i32 [ 2, %Entry ], [ 3, %P ]
  br label %S
S:
  %sum = add i32 %n, 1
  br i1 %stay, label %P, label %Exit
Exit:
  ret void
}

define amdgpu_kernel void @diverged_entry(i1 %first, i1 %stay) {
Entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %tid to i1
  br i1 %first, label %P, label %R
P:
  %in_p = phi i32 [ 0, %Entry ], [ 1, %S ]
  br label %Q
Q:
  br i1 %odd, label %R, label %S
R:
  br label %S
S:
  %in_s = phi i32 [ %in_p, %Q ], [ 7, %R ]
  br i1 %stay, label %P, label %Exit
Exit:
  ret void
}

define amdgpu_kernel void @agreed(i1 %first, i1 %stay) {
Entry:
  br i1 %first, label %P, label %R
P:
  %in_p = phi i32 [ 0, %Entry ], [ 1, %S ]
  br label %R
R:
  %in_r = phi i32 [ 2, %Entry ], [ 3, %P ]
  br label %S
S:
  br i1 %stay, label %P, label %Exit
Exit:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
