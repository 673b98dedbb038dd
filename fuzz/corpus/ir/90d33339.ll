target datalayout = "e-p3:16:16-p7:160:256:256:32"
target triple = "spirv64-unknown-unknown"
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent

define spir_kernel void @publish(ptr addrspace(1) %out) convergent {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %place = getelementptr i16, ptr addrspace(1) %out, i64 %id
  %in_low_half = icmp ult i64 %id, 4
  br i1 %in_low_half, label %low, label %done
low:
  store i16 1, ptr addrspace(1) %place
  call void @_Z7barrierj(i32 1) convergent
  br label %low
done:
  ret void
}
