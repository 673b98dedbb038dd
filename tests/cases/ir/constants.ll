; Constants: every spelling of a number, aggregates, strings, expressions.

; --- integers
@i.decimal = global i32 42
@i.negative = global i32 -42
@i.zero = global i64 0
@i.min = global i64 -9223372036854775808
@i.max = global i64 18446744073709551615
@i.true = global i1 true
@i.false = global i1 false
@i.one.bit = global i1 1
@i.hex.unsigned = global i32 u0xFFFFFFFF
@i.hex.signed = global i32 s0x0000001F
@i.hex.negative = global i8 s0xF0
@i.wide = global i128 170141183460469231731687303715884105727
@i.wide.hex = global i128 u0x0123456789abcdefFEDCBA9876543210
@i.odd = global i7 -64

; --- floating point
@f.decimal = global float 1.5
@f.negative = global float -0.25
@f.plus = global double +3.0
@f.exponent = global double 1.0e10
@f.exponent.signs = global double 1.25E-3
@f.exponent.plus = global double 4.0e+2
@f.no.fraction = global double 7.
@f.hex.double = global double 0x400921FB54442D18
@f.hex.float = global float 0x3FF8000000000000
@f.hex.short = global double 0x1
@f.nan = global float 0x7FF8000000000000
@f.nan.payload = global double 0x7FF800000000DEAD
@f.signaling = global double 0x7FF0000000000001
@f.infinity = global double 0x7FF0000000000000
@f.minus.infinity = global float 0xFFF0000000000000
@f.half = global half 0xH3C00
@f.half.decimal = global half 1.0
@f.bfloat = global bfloat 0xR3F80
@f.x87 = global x86_fp80 0xK3FFF8000000000000000
@f.quad = global fp128 0xL00000000000000003FFF000000000000
@f.quad.short = global fp128 0xL01
@f.ppc = global ppc_fp128 0xM3FF00000000000000000000000000000

; --- special values
@null = global ptr null
@null.space = global ptr addrspace(3) null
@undef = global { i32, float } undef
@poison = global <4 x i32> poison
@zero.int = global i32 zeroinitializer
@zero.struct = global { i32, [4 x <2 x float>], ptr } zeroinitializer
@zero.pointer = global ptr zeroinitializer

; --- aggregates
@array = global [3 x i32] [i32 1, i32 -2, i32 u0x3]
@array.empty = global [0 x i32] []
@array.of.arrays = global [2 x [2 x i8]] [[2 x i8] [i8 1, i8 2], [2 x i8] c"ab"]
@struct = global { i32, float, ptr } { i32 1, float 2.0, ptr @struct }
@struct.empty = global {} {}
@struct.packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@struct.packed.empty = global <{}> <{}>
@vector = global <4 x i32> <i32 1, i32 2, i32 undef, i32 poison>
@vector.of.pointers = global <2 x ptr> <ptr @array, ptr null>
@vector.bits = global <2 x i1> <i1 true, i1 false>
@splat = global <4 x i32> splat (i32 7)
@splat.float = global <8 x half> splat (half 0xH3C00)
@splat.scalable.in.function = global i32 0
@string = global [14 x i8] c"Hello, world\0A\00"
@string.escapes = global [9 x i8] c"\22\5C\\a{}\00;%"
@string.bytes = global [4 x i8] c"\00\ff\Fe\7f"
@string.empty = global [0 x i8] c""
@string.like.code = constant [22 x i8] c"define void @f() {}\0A}\0A"

; --- addresses
@self = global ptr @self
@forward = global ptr @defined.later
@defined.later = global i32 0
@function = global ptr @blocks
@block = global ptr blockaddress(@blocks, %target)
@block.numbered = global ptr blockaddress(@numbered, %1)
@equivalent = global ptr dso_local_equivalent @blocks
@relative = global i64 sub (i64 ptrtoint (ptr dso_local_equivalent @blocks to i64), i64 ptrtoint (ptr @relative to i64))
@no.cfi = global ptr no_cfi @blocks
@signed = global ptr ptrauth (ptr @array, i32 2)
@signed.discriminated = global ptr ptrauth (ptr @array, i32 0, i64 1234)
@signed.address = global ptr ptrauth (ptr @array, i32 0, i64 1234, ptr @signed.address)

; --- expressions
@e.gep = global ptr getelementptr (i32, ptr @array, i64 1)
@e.gep.inbounds = global ptr getelementptr inbounds ([3 x i32], ptr @array, i64 0, i64 2)
@e.gep.nuw = global ptr getelementptr nuw (i8, ptr @array, i64 4)
@e.gep.nusw = global ptr getelementptr nusw (i8, ptr @array, i64 4)
@e.gep.nusw.nuw = global ptr getelementptr nusw nuw (i8, ptr @array, i64 4)
@e.gep.inbounds.nuw = global ptr getelementptr inbounds nuw (i8, ptr @array, i64 4)
@e.gep.inrange = global ptr getelementptr inbounds inrange(-8, 16) ({ [1 x ptr], [2 x ptr] }, ptr @vtable, i32 0, i32 1, i32 0)
@e.gep.struct = global ptr getelementptr ({ i32, { i8, [4 x i16] } }, ptr @undef, i64 0, i32 1, i32 1, i64 3)
@e.gep.vector = global <2 x ptr> getelementptr (i8, <2 x ptr> <ptr @array, ptr @null>, <2 x i64> <i64 1, i64 2>)
@e.ptrtoint = global i64 ptrtoint (ptr @array to i64)
@e.ptrtoint.narrow = global i32 ptrtoint (ptr @array to i32)
@e.ptrtoaddr = global i64 ptrtoaddr (ptr @array to i64)
@e.inttoptr = global ptr inttoptr (i64 4096 to ptr)
@e.space = global ptr addrspacecast (ptr addrspace(3) @in.space to ptr)
@e.space.of.gep = global ptr addrspacecast (ptr addrspace(3) getelementptr inbounds ([8 x i8], ptr addrspace(3) @in.space, i64 0, i64 4) to ptr)
@e.bitcast = global i64 bitcast (<2 x i32> <i32 1, i32 ptrtoint (ptr @array to i32)> to i64)
@e.trunc = global i8 trunc (i64 ptrtoint (ptr @array to i64) to i8)
@e.add = global i64 add (i64 ptrtoint (ptr @array to i64), i64 1)
@e.add.flags = global i64 add nuw nsw (i64 ptrtoint (ptr @array to i64), i64 1)
@e.sub = global i64 sub (i64 ptrtoint (ptr @array to i64), i64 ptrtoint (ptr @struct to i64))
@e.sub.flags = global i64 sub nsw (i64 1, i64 ptrtoint (ptr @struct to i64))
@e.xor = global i64 xor (i64 ptrtoint (ptr @array to i64), i64 -1)
@e.extract = global i32 extractelement (<2 x i32> <i32 1, i32 ptrtoint (ptr @array to i32)>, i32 1)
@e.insert = global <2 x i32> insertelement (<2 x i32> zeroinitializer, i32 ptrtoint (ptr @array to i32), i32 0)
@e.shuffle = global <2 x i32> shufflevector (<2 x i32> <i32 1, i32 ptrtoint (ptr @array to i32)>, <2 x i32> poison, <2 x i32> <i32 1, i32 0>)
@in.space = addrspace(3) global [8 x i8] undef
@vtable = global { [1 x ptr], [2 x ptr] } zeroinitializer

define void @blocks() {
  br label %target
target:
  ret void
}

define void @numbered() {
  br label %1
1:
  ret void
}

define i64 @in.operands(<vscale x 4 x i32> %v, ptr %p) {
  %a = add <vscale x 4 x i32> %v, splat (i32 3)
  %b = add <vscale x 4 x i32> %a, zeroinitializer
  %c = load i8, ptr getelementptr inbounds (i8, ptr @string, i64 3)
  store ptr blockaddress(@in.operands, %next), ptr %p
  store ptr getelementptr (i8, ptr blockaddress(@blocks, %target), i64 1), ptr %p
  store <2 x ptr> <ptr @array, ptr undef>, ptr %p
  store { i32, [2 x i8] } { i32 1, [2 x i8] c"xy" }, ptr %p
  store float 0x36A0000000000000, ptr %p
  store double -0.0, ptr %p
  store i1 true, ptr %p
  indirectbr ptr %p, [label %next]
next:
  %d = phi i64 [ ptrtoint (ptr @array to i64), %0 ]
  ret i64 %d
}
