define void@tabs(){ret void}define void@"
"(){%t.new.1.774=call i64@llvm.amdgcn.ballot.i64(i1 true)br label%-dash
-dash:br label%$dollar
$dollar:ret void}define i32@words(i32%define,i32%ret,i32%"add",i32%x,ptr,i1%i1){%label=add i32%define,%ret%to=add i32%label,%"add"%unwind=add i32%to,%x%call=select i1%i1,i32%unwind,i32%x%"weird ] name"=add i32%call,1%"\09"=add i32%"weird ] name",2
switch i32%x,label%br[]br:ret i32%"\09"}