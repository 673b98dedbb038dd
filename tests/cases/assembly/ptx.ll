; Inline assembly as the instructions that it is.
target triple = "nvptx64-nvidia-cuda"

; %out[0..32]: what the pure instructions and the shuffle compute.
define ptx_kernel void @computes(ptr addrspace(1) %out, i32 %a) convergent {
entry:
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %sum = call i32 asm "{\0A\09.reg .u32 t;\0A\09mul.lo.u32 t, $1, 3; // three times\0A\09add.u32 $0, t, $2;\0A}", "=r,r,r"(i32 %lane, i32 %a)
  %large = call i32 asm "{ .reg .pred p; setp.gt.u32 p, $1, 20; mov.u32 $0, 1; @p mov.u32 $0, 2; }", "=r,r"(i32 %lane)
  %next = call i32 asm sideeffect "shfl.sync.down.b32 $0, $1, 1, 0x1f, 0xffffffff;", "=r,r"(i32 %sum) convergent
  %votes = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $2, 4; vote.sync.ballot.b32 $0, p, -1; popc.b32 $1, $0; }", "=r,=r,r"(i32 %lane) convergent
  %mask = extractvalue { i32, i32 } %votes, 0
  %count = extractvalue { i32, i32 } %votes, 1
  %bits = call float asm "mov.b32 $0, 0x3f800000;", "=f"()
  %one = fptoui float %bits to i32
  %x = mul i32 %large, 1000
  %y = add i32 %next, %x
  %z = mul i32 %mask, 10000
  %w = add i32 %y, %z
  %u = mul i32 %count, 1000000
  %v = add i32 %w, %u
  %all = add i32 %v, %one
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %all, ptr addrspace(1) %at
  call void asm sideeffect "bar.sync 0;", ""() convergent
  ret void
}

; A barrier that half of the threads reach, in a function that the kernel calls.
define void @waits() convergent {
  call void asm sideeffect "bar.sync 0;", "~{memory}"() convergent
  ret void
}

define ptx_kernel void @half() convergent {
entry:
  %id = call i32 asm "mov.u32 $0, %tid.x;", "=r"()
  %low = icmp ult i32 %id, 32
  br i1 %low, label %then, label %end
then:
  call void @waits()
  br label %end
end:
  ret void
}

; The same for all threads: nothing is wrong.
define ptx_kernel void @whole() convergent {
entry:
  %size = call i32 asm "mov.u32 $0, %ntid.x;", "=r"()
  %scaled = call i32 asm "shl.b32 $0, $1, 2;", "=r,r"(i32 %size)
  %low = icmp ult i32 %scaled, 32
  br i1 %low, label %then, label %end
then:
  call void asm sideeffect "bar.sync 0;", ""() convergent
  br label %end
end:
  ret void
}
