; A lock, as on a CPU. In lock-step the thread that has it waits after the loop for the one that tries to get it, so none
; goes on. Where every thread makes progress, all is well.
; Run: reconverge run examples/run-spin-lock.ll --block 2 --arg 'lock=u32[1]' --arg 'count=u32[1]'
; FINDS: RC0502
; Run: reconverge run examples/run-spin-lock.ll --block 2 --arg 'lock=u32[1]' --arg 'count=u32[1]' --schedule fair
; FINDS: none
; EXPECT: none
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @count(ptr addrspace(1) %lock, ptr addrspace(1) %count) {
entry:
  br label %try

try:
  %attempt = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 acquire monotonic
  %is_mine = extractvalue { i32, i1 } %attempt, 1
  br i1 %is_mine, label %critical, label %try

critical:
  %old = load i32, ptr addrspace(1) %count
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %count
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}
