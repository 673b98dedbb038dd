; Three arms decide what is behind their join: two of them know it, and simplifycfg leads these around the join; the block with the vote gets a way in from one of these.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent

define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %kind = urem i32 %id, 3
  switch i32 %kind, label %two [
    i32 0, label %zero
    i32 1, label %one
  ]

zero:
  store i64 1, ptr addrspace(1) %place
  br label %join

one:
  store i64 2, ptr addrspace(1) %place
  br label %join

two:
  %more = icmp ult i32 %id, %n
  br label %join

join:
  %votes = phi i1 [ true, %zero ], [ false, %one ], [ %more, %two ]
  br i1 %votes, label %vote, label %exit

vote:
  %set = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  store i64 %set, ptr addrspace(1) %place
  br label %exit

exit:
  ret void
}
