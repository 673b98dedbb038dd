declare void @may_throw(i32)
declare i32 @value(i32)
declare i32 @__gxx_personality_v0(...)
declare i32 @__CxxFrameHandler3(...)
declare void @_ZSt9terminatev() noreturn
@_ZTIi = external constant ptr
@_ZTIf = external constant ptr
@table = internal constant [2 x ptr] [ptr blockaddress(@indirect, %one), ptr blockaddress(@indirect, %two)]
attributes #0 = { nounwind }
!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!"branch_weights", !"expected", i32 5, i32 1, i32 1, i32 1, i32 2000}
!2 = !{i64 17, i64 42}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define  i32 @branches(i1 %c, i32 %x, i128 %wide)  {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  switch i32 %x, label %default [
    i32 0, label %b
    i32 1, label %c1
    i32 -1, label %b
    i32 255, label %c1
  ], !prof !1
b:
  switch i128 %wide, label %default [
  ]
c1:
  br label %same
same:
  br i1 %c, label %default, label %default
default:
  br i1 true, label %exit, label %never
never:
  unreachable
exit:
  ret i32 %x
}

define  i32 @numbered(i1 %v.0, i32 %v.1)  {
b.2:
  br i1 %v.0, label %b.3, label %b.5
b.3:
  %v.4 = add i32 %v.1, 1
  br label %b.7
b.5:
  %v.6 = add i32 %v.1, 2
  br label %b.7
b.7:
  %v.8 = phi i32 [ %v.4, %b.3 ], [ %v.6, %b.5 ]
  ret i32 %v.8
}

define  i32 @gaps(i1 %v.10, i32 %v.12)  {
b.20:
  br i1 %v.10, label %b.30, label %b.42
b.30:
  %v.33 = add i32 %v.12, 1
  br label %b.42
b.42:
  %v.50 = phi i32 [ %v.33, %b.30 ], [ %v.12, %b.20 ]
  br label %b.60
b.60:
  ret i32 %v.50
}

define  void @implicit.numbers(i1 %v.0)  {
b.1:
  br i1 %v.0, label %b.2, label %b.3
b.2:
  br label %b.3
b.3:
  ret void
}

define  void @indirect(ptr %p, i32 %i)  {
entry:
  %where = getelementptr ptr, ptr @table, i32 %i
  %target = load ptr, ptr %where
  indirectbr ptr %target, [label %one, label %two, label %one]
one:
  indirectbr ptr %p, []
two:
  ret void
}

define  i32 @unwinding(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may_throw(i32 1) to label %next unwind label %pad
next:
  %v = invoke fastcc i32 @value(i32 %x) #0 to label %done unwind label %cleanup, !prof !0
done:
  ret i32 %v
pad:
  %caught = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr null filter [1 x ptr] [ptr @_ZTIf]
  %selector = extractvalue { ptr, i32 } %caught, 1
  ret i32 %selector
cleanup:
  %again = landingpad { ptr, i32 } cleanup
  call void @may_throw(i32 2)
  resume { ptr, i32 } %again
}

define  void @funclets() personality ptr @__CxxFrameHandler3 {
entry:
  %slot = alloca i32
  invoke void @may_throw(i32 1) to label %body unwind label %dispatch
body:
  invoke void @may_throw(i32 2) to label %exit unwind label %cleanup
dispatch:
  %switch = catchswitch within none [label %handler.int, label %handler.any] unwind label %cleanup
handler.int:
  %int = catchpad within %switch [ ptr @_ZTIi, i32 8, ptr %slot]
  invoke void @may_throw(i32 3) [ "funclet"(token %int) ] to label %handled unwind label %inner
handled:
  catchret from %int to label %exit
inner:
  %inner.switch = catchswitch within %int [label %inner.handler] unwind label %cleanup
inner.handler:
  %inner.pad = catchpad within %inner.switch [ ptr null, i32 64, ptr null]
  catchret from %inner.pad to label %handled
handler.any:
  %any = catchpad within %switch []
  catchret from %any to label %exit
cleanup:
  %clean = cleanuppad within none []
  call void @may_throw(i32 4) [ "funclet"(token %clean) ]
  cleanupret from %clean unwind to caller
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %slot, i64 7, i1 false)
  ret void
}

define  void @cleanup.to.block() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw(i32 1) to label %exit unwind label %first
first:
  %one = cleanuppad within none [ i32 7, ptr null]
  cleanupret from %one unwind label %second
second:
  %two = catchswitch within none [label %handler] unwind to caller
handler:
  %pad = catchpad within %two []
  unreachable
exit:
  ret void
}

define  i32 @assembly(i32 %x)  {
entry:
  call void asm "nop", ""()
  call void asm sideeffect "nop; $$", "~{memory},~{flags}"()
  call void asm sideeffect alignstack "nop", ""()
  call void asm sideeffect inteldialect "mov eax, ebx", "~{eax}"()
  call void asm sideeffect unwind "call something", ""()
  %v.1 = call i32 asm "bswap $0", "=r,r"(i32 %x)
  %v.2 = call { i32, i32 } asm sideeffect "\09cpuid\0A; quotes \22", "={ax},={bx},{ax}"(i32 %x) #0, !srcloc !2
  call void asm sideeffect "store $0", "=*m"(ptr elementtype(i32) @table)
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %fall [label %away]
fall:
  %v.3 = callbr i32 asm "tricky $0", "=r,r,!i,!i"(i32 %x) #0 to label %away [label %away, label %other]
other:
  callbr void asm "nothing", ""() to label %away []
away:
  ret i32 %x
}
