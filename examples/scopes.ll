; Uniform for whom? The group's number is the same in a workgroup, what readfirstlane gives is the same
; in a subgroup only, and the kernel's argument is the same in the whole grid.
; Compare: reconverge uniformity examples/scopes.ll --scope workgroup
; EXPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @scopes(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %tid)
  %in_grid = add i32 %n, 1
  %in_workgroup = add i32 %group, %n
  %in_subgroup = add i32 %first, %group
  %nowhere = add i32 %tid, %first
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
