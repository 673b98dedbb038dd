; Calls that end blocks: threads 0 and 1 throw in the first one, and execute the operation of the second one together.
target triple = "amdgcn-amd-amdhsa"
@red = external constant ptr
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @meet(i64) convergent
declare void @__cxa_throw(ptr, ptr, ptr)
declare i32 @personality(...)

define void @throws(i32 %id) convergent {
start:
  %throws = icmp ult i32 %id, 2
  br i1 %throws, label %raise, label %end
raise:
  call void @__cxa_throw(ptr null, ptr @red, ptr null)
  unreachable
end:
  ret void
}

define amdgpu_kernel void @kernel(ptr addrspace(1) %out) convergent personality ptr @personality {
start:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  invoke void @throws(i32 %id) to label %calm unwind label %pad
pad:
  %landing = landingpad { ptr, i32 } catch ptr @red
  %same = invoke i64 @meet(i64 7) to label %write unwind label %outer
outer:
  %other = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %other
calm:
  callbr void asm sideeffect "", "!i"() to label %write [label %outside]
outside:
  ret void
write:
  %value = phi i64 [ %same, %pad ], [ 99, %calm ]
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  store i64 %value, ptr addrspace(1) %place
  ret void
}
