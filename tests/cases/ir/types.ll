; Every type, in every place where a type can stand.
source_filename = "types.ll"

%empty = type {}
%empty.packed = type <{}>
%opaque = type opaque
%list = type { i32, ptr }
%packed = type <{ i8, i64, %list }>
%nested = type { %packed, [4 x %list], <2 x ptr>, { i1, { i2, i3 } } }
%"quoted name" = type { i8 }
%"esc\22aped\\\41" = type { i16 }
%a.b-c$d_e = type { i8, i8 }
%-$._ = type { i4 }
%0 = type { i32 }
%1 = type { %0, %0 }
%used_before = type { %defined_later }
%defined_later = type { float }
%with.target = type { target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) }
%array.of.zero = type [0 x i8]
%alias.int = type i32
%alias.vector = type <4 x float>
%alias.pointer = type ptr addrspace(3)
%scalable.struct = type { <vscale x 1 x i32>, <vscale x 1 x i32> }

declare void @integers(i1, i2, i7, i8, i16, i24, i31, i32, i33, i64, i65, i128, i256, i1024, i8388608)
declare void @floats(half, bfloat, float, double, x86_fp80, fp128, ppc_fp128)
declare void @pointers(ptr, ptr addrspace(0), ptr addrspace(1), ptr addrspace(3), ptr addrspace(16777215))
declare void @vectors(<1 x i1>, <2 x i8>, <3 x i32>, <16 x float>, <4 x ptr>, <2 x ptr addrspace(1)>, <65536 x i1>)
declare void @scalable(<vscale x 1 x i1>, <vscale x 4 x i32>, <vscale x 2 x double>, <vscale x 8 x ptr>)
declare void @arrays([0 x i8], [1 x i32], [2 x [3 x float]], [4 x <2 x i16>], [2 x ptr addrspace(5)])
declare void @structs({}, <{}>, { i32 }, <{ i8, i64 }>, { i32, { float, [2 x ptr] } }, %list, %packed, %nested)
declare void @names(%"quoted name", %"esc\22aped\\\41", %a.b-c$d_e, %-$._, %0, %1, %used_before)
declare void @aliases(%alias.int, %alias.vector, %alias.pointer, %array.of.zero)
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare %empty @returns.empty()
declare { i32, float } @returns.struct()
declare [4 x i32] @returns.array()
declare <vscale x 4 x float> @returns.scalable()
declare void @variadic(i32, ...)
declare i32 @only.variadic(...)
declare void @metadata.parameter.is.for.intrinsics(i32)

declare target("spirv.Sampler") @target.types(target("spirv.Image", float, 1, 2, 0, 0, 0, 24), target("spirv.Event"), target("spirv.DeviceEvent"), target("aarch64.svcount"), target("spirv.Pipe", 0))
declare void @target.amdgpu(target("amdgcn.named.barrier", 0))
declare void @target.unknown(target("my.own.type", { i32, ptr }, <4 x i8>, 7, 42))
@target.dx = external global ptr
declare void @target.riscv(target("riscv.vector.tuple", <vscale x 8 x i8>, 2))

@of.opaque = external global %opaque
@of.list = global %list { i32 1, ptr @of.list }
@of.nested = global %nested zeroinitializer
@of.function = global ptr @variadic
@of.target = global target("spirv.Sampler") poison

define %scalable.struct @scalable.structs(<vscale x 1 x i32> %a, ptr %p) {
  %slot = alloca %scalable.struct
  %1 = insertvalue %scalable.struct poison, <vscale x 1 x i32> %a, 0
  %2 = insertvalue %scalable.struct %1, <vscale x 1 x i32> %a, 1
  store %scalable.struct %2, ptr %slot
  ret %scalable.struct %2
}

define void @locals() {
  %a = alloca i1
  %b = alloca [10 x { i8, <2 x half> }]
  %c = alloca %"quoted name"
  %d = alloca target("spirv.Event")
  %e = alloca ptr addrspace(7)
  %f = alloca x86_fp80
  %g = alloca <vscale x 16 x i8>
  %h = alloca %0
  %i = load bfloat, ptr %a
  %j = load ppc_fp128, ptr %b
  %k = load fp128, ptr %b
  ret void
}

