; A barrier that half of the threads reach: the others are at the end of the kernel by then, and
; those that wait do so for ever. `check` sees it, too.
; Run: reconverge run examples/run-barrier-in-branch.ll --block 8 --arg 'out=u32[8]'
; FINDS: RC0501
; EXPECT: RC0209
target triple = "spirv64-unknown-unknown"

define spir_kernel void @publish(ptr addrspace(1) %out) convergent {
entry:
  %id = call i64 @_Z12get_local_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %in_low_half = icmp ult i64 %id, 4
  br i1 %in_low_half, label %low, label %done

low:
  store i32 1, ptr addrspace(1) %place
  call void @_Z7barrierj(i32 1) convergent
  br label %done

done:
  ret void
}

declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent
