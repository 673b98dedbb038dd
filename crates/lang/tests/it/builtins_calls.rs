//! Calls of built-in functions as programs write them: which overload, which name on which target, and what is said of wrong ones.

use expect_test::{Expect, expect};
use reconverge_lang::builtins;
use reconverge_lang::diagnostic::Diagnostic;
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::Location;
use reconverge_lang::typed::{
    AddressSpace, Body, Builder, Expression, ExpressionKind, FloatKind, Program, Type, VariableData,
};

const HERE: Location = Location(1);

/// A value by a word: `1`, `1.5f`, `int`, `global int*`: literals, and variables of a type.
fn value(build: &mut Builder, word: &str) -> Expression {
    if let Some(digits) = word.strip_suffix('f').filter(|digits| digits.parse::<f64>().is_ok()) {
        let of = build.program.types.float(FloatKind::Single);
        return build.float(digits.parse().unwrap(), of, HERE);
    }
    if let Ok(number) = word.parse() {
        return build.int(number, HERE);
    }
    let of = read(build, word);
    let data = VariableData { name: word.into(), of, alignment: None, location: HERE };
    let variable = build.body.variables.push(data);
    build.variable(variable, HERE)
}

/// A type by its name.
fn read(build: &mut Builder, name: &str) -> Type {
    if let Some(pointee) = name.strip_suffix('*') {
        let (space, pointee) = match pointee.split_once(' ') {
            Some(("local", pointee)) => (AddressSpace::Local, pointee),
            Some(("global", pointee)) => (AddressSpace::Global, pointee),
            Some(("constant", pointee)) => (AddressSpace::Constant, pointee),
            Some(("private", pointee)) => (AddressSpace::Private, pointee),
            _ => (AddressSpace::Generic, pointee),
        };
        let pointee = read(build, pointee);
        return build.program.types.pointer(pointee, space);
    }
    let (base, lanes) = name.split_at(name.trim_end_matches(|digit: char| digit.is_ascii_digit()).len());
    let types = &mut build.program.types;
    let of = match base {
        "bool" => types.bool(),
        "char" => types.integer(8, true),
        "int" => types.integer(32, true),
        "uint" => types.integer(32, false),
        "long" => types.integer(64, true),
        "float" => types.float(FloatKind::Single),
        "double" => types.float(FloatKind::Double),
        other => panic!("{other}"),
    };
    if lanes.is_empty() { of } else { types.vector(of, lanes.parse().unwrap()) }
}

/// The functions that a call ends in, with what it makes of the result; or what is said.
fn made(build: &mut Builder, made: Option<Result<Expression, Diagnostic>>) -> String {
    let result = match made {
        None => return "unknown".into(),
        Some(Err(problem)) => return problem.message.clone(),
        Some(Ok(result)) => result,
    };
    let mut parts = Vec::new();
    for data in build.body.expressions.values() {
        match &data.kind {
            ExpressionKind::Call { function, .. } => {
                let function = &build.program.functions[*function];
                let mark = if function.is_convergent { " (convergent)" } else { "" };
                parts.push(format!("{}{mark}", function.linkage_name));
            }
            ExpressionKind::Atomic(atomic) => {
                parts.push(format!("{:?} {:?}", atomic.order, atomic.scope));
            }
            ExpressionKind::Fence(order, scope) => parts.push(format!("fence {order:?} {scope:?}")),
            _ => {}
        }
    }
    let of = build.type_name(build.type_of(result));
    format!("{of}: {}", parts.join(", "))
}

/// Calls, one a line: `name argument, argument`.
fn calls(dialect: Dialect, target: LowerTarget, lines: &[&str], expected: &Expect) {
    let mut text = String::new();
    for line in lines {
        let (mut program, mut body) = (Program::new(dialect, target), Body::default());
        let mut build = Builder { program: &mut program, body: &mut body };
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words = rest.split(',').map(str::trim).filter(|word| !word.is_empty());
        let arguments: Vec<Expression> = words.map(|word| value(&mut build, word)).collect();
        let call = match name.split_once('.') {
            Some((variable, member)) => builtins::member(&mut build, variable, member, HERE),
            None if name.starts_with('$') => builtins::variable(&mut build, &name[1..], HERE),
            None => builtins::call(&mut build, name, &arguments, HERE),
        };
        let outcome = made(&mut build, call);
        text += &format!("{line} => {outcome}\n");
    }
    expected.assert_eq(&text);
}

#[test]
fn opencl_c() {
    let lines = [
        "get_global_id 0",
        "barrier 1",
        "max int, int",
        "max uint, 1",
        "max float4, float",
        "clamp int4, 0, 7",
        "sqrt 1",
        "sqrt 2.0f",
        "fract float, private float*",
        "vload4 0, constant float*",
        "vload4 0, global float*",
        "atomic_add global int*, 1",
        "atomic_fetch_add_explicit local int*, 1, 0, 1",
        "sub_group_reduce_add bool",
        "sub_group_shuffle float, 3",
        "convert_int4 float4",
        "convert_int4_sat_rte float4",
        "convert_int4 float3",
        "as_float int",
        "as_float long",
        "as_int4 float3",
        "select float4, float4, int4",
        "printf constant char*, float, char",
        "to_global float*",
        "work_group_barrier 1, 2, 3",
        "dot float4, float3",
        "enqueue_kernel 1",
        "no_such_function 1",
        "__builtin_popcount int",
    ];
    calls(
        Dialect::OpenCl,
        LowerTarget::Spirv,
        &lines,
        &expect![[r#"
        get_global_id 0 => ulong: _Z13get_global_idj
        barrier 1 => void: _Z7barrierj (convergent)
        max int, int => int: _Z3maxii
        max uint, 1 => the call of `max` with (uint, int) is ambiguous: `int max(int, int)` and `uint max(uint, uint)` fit equally well
        max float4, float => float4: _Z3maxDv4_ff
        clamp int4, 0, 7 => int4: _Z5clampDv4_iii
        sqrt 1 => the call of `sqrt` with (int) is ambiguous: `half sqrt(half)` and `float sqrt(float)` fit equally well
        sqrt 2.0f => float: _Z4sqrtf
        fract float, private float* => float: _Z5fractfPU3AS4f
        vload4 0, constant float* => float4: _Z6vload4mPU3AS2Kf
        vload4 0, global float* => float4: _Z6vload4mPU3AS4Kf
        atomic_add global int*, 1 => int: _Z10atomic_addPU3AS1Vii
        atomic_fetch_add_explicit local int*, 1, 0, 1 => int: _Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope
        sub_group_reduce_add bool => int: _Z20sub_group_reduce_addi (convergent)
        sub_group_shuffle float, 3 => float: _Z17sub_group_shufflefj (convergent)
        convert_int4 float4 => int4: 
        convert_int4_sat_rte float4 => int4: _Z20convert_int4_sat_rteDv4_f
        convert_int4 float3 => `convert_int4` takes a vector of 4 numbers, not `float3`
        as_float int => float: 
        as_float long => `as_float` takes 32 bits, not `long`
        as_int4 float3 => int4: 
        select float4, float4, int4 => float4: _Z6selectDv4_fS_Dv4_i
        printf constant char*, float, char => int: printf
        to_global float* => __global float *: __to_global
        work_group_barrier 1, 2, 3 => `work_group_barrier` does not take (int, int, int); it is `void work_group_barrier(uint)`, `void work_group_barrier(uint, memory_scope)`
        dot float4, float3 => `dot` does not take (float4, float3); it is `half dot(half, half)`, `half dot(half2, half2)`, `half dot(half3, half3)`, …
        enqueue_kernel 1 => `enqueue_kernel` is not supported: device queues
        no_such_function 1 => unknown
        __builtin_popcount int => int: llvm.ctpop.i32
    "#]],
    );
}

const GPU: [&str; 34] = [
    "threadIdx.x",
    "blockDim.y",
    "$gridDim",
    "$warpSize",
    "__syncthreads",
    "__syncthreads_or int",
    "__syncwarp",
    "__shfl_sync 31, int, 3",
    "__shfl_xor_sync 31, float, 3, 16",
    "__shfl_down_sync 31, double, 1",
    "__shfl int, 3",
    "__ballot_sync 31, bool",
    "__any int",
    "__activemask",
    "__match_any_sync 31, int",
    "atomicAdd int*, 1",
    "atomicCAS_block uint*, uint, uint",
    "__threadfence",
    "sinf 1.0f",
    "sin float",
    "sqrt int",
    "__expf float",
    "fmaxf float, float",
    "min int, uint",
    "make_float4 1, 2, 3, 4",
    "__shfl_sync float4, 1",
    "__ldg float4*",
    "__ldcs local uint*",
    "__ldcs 1",
    "__stcs double*, 1",
    "__stwt double*",
    "llrint float",
    "lroundf float",
    "lround double",
];

#[test]
fn cuda_on_nvptx() {
    calls(
        Dialect::Cuda,
        LowerTarget::Nvptx,
        &GPU,
        &expect![[r#"
            threadIdx.x => unsigned int: llvm.nvvm.read.ptx.sreg.tid.x
            blockDim.y => unsigned int: llvm.nvvm.read.ptx.sreg.ntid.y
            $gridDim => dim3: llvm.nvvm.read.ptx.sreg.nctaid.x, llvm.nvvm.read.ptx.sreg.nctaid.y, llvm.nvvm.read.ptx.sreg.nctaid.z
            $warpSize => int: llvm.nvvm.read.ptx.sreg.warpsize
            __syncthreads => void: llvm.nvvm.barrier.cta.sync.aligned.all (convergent)
            __syncthreads_or int => int: llvm.nvvm.barrier.cta.red.or.aligned.all (convergent)
            __syncwarp => void: llvm.nvvm.bar.warp.sync (convergent)
            __shfl_sync 31, int, 3 => int: llvm.nvvm.shfl.sync.idx.i32 (convergent)
            __shfl_xor_sync 31, float, 3, 16 => float: llvm.nvvm.shfl.sync.bfly.f32 (convergent)
            __shfl_down_sync 31, double, 1 => double: llvm.nvvm.shfl.sync.down.i32 (convergent), llvm.nvvm.shfl.sync.down.i32 (convergent)
            __shfl int, 3 => int: llvm.nvvm.shfl.idx.i32 (convergent)
            __ballot_sync 31, bool => unsigned int: llvm.nvvm.vote.ballot.sync (convergent)
            __any int => int: llvm.nvvm.vote.any (convergent)
            __activemask => unsigned int: llvm.nvvm.activemask (convergent)
            __match_any_sync 31, int => unsigned int: llvm.nvvm.match.any.sync.i32 (convergent)
            atomicAdd int*, 1 => int: Relaxed Device
            atomicCAS_block uint*, uint, uint => unsigned int: Relaxed Workgroup
            __threadfence => void: llvm.nvvm.membar.gl
            sinf 1.0f => float: __nv_sinf
            sin float => float: __nv_sinf
            sqrt int => double: __nv_sqrt
            __expf float => float: __nv_fast_expf
            fmaxf float, float => float: __nv_fmaxf
            min int, uint => unsigned int: __nv_umin
            make_float4 1, 2, 3, 4 => float4: 
            __shfl_sync float4, 1 => `__shfl_sync` does not take (float __attribute__((ext_vector_type(4))), int); it is `int __shfl_sync(unsigned int, int, int)`, `int __shfl_sync(unsigned int, int, int, int)`, `float __shfl_sync(unsigned int, float, int)`, …
            __ldg float4* => float __attribute__((ext_vector_type(4))): 
            __ldcs local uint* => unsigned int: 
            __ldcs 1 => `__ldcs` takes a pointer, not `int`: `T (const T *)`
            __stcs double*, 1 => void: 
            __stwt double* => `__stwt` takes 2 arguments, not 1: `void (T *, T)`
            llrint float => long: __nv_rintf
            lroundf float => long: __nv_roundf
            lround double => long: __nv_round
        "#]],
    );
}

#[test]
fn hip_on_amdgpu() {
    calls(
        Dialect::Hip,
        LowerTarget::Amdgpu,
        &GPU,
        &expect![[r#"
            threadIdx.x => unsigned int: llvm.amdgcn.workitem.id.x
            blockDim.y => unsigned int: __ockl_get_local_size
            $gridDim => dim3: __ockl_get_num_groups, __ockl_get_num_groups, __ockl_get_num_groups
            $warpSize => int: llvm.amdgcn.wavefrontsize
            __syncthreads => void: fence Release Workgroup, llvm.amdgcn.s.barrier (convergent), fence Acquire Workgroup
            __syncthreads_or int => int: __ockl_wgred_or_i32 (convergent)
            __syncwarp => void: fence Release Subgroup, llvm.amdgcn.wave.barrier (convergent), fence Acquire Subgroup
            __shfl_sync 31, int, 3 => int: llvm.amdgcn.wavefrontsize, __shfl_sync (convergent)
            __shfl_xor_sync 31, float, 3, 16 => float: __shfl_xor_sync (convergent)
            __shfl_down_sync 31, double, 1 => double: llvm.amdgcn.wavefrontsize, __shfl_down_sync (convergent), __shfl_down_sync (convergent)
            __shfl int, 3 => int: llvm.amdgcn.wavefrontsize, llvm.amdgcn.mbcnt.lo, llvm.amdgcn.mbcnt.hi, llvm.amdgcn.ds.bpermute (convergent)
            __ballot_sync 31, bool => unsigned long: __ballot_sync (convergent)
            __any int => int: llvm.amdgcn.ballot.i64 (convergent)
            __activemask => unsigned long: llvm.amdgcn.ballot.i64 (convergent)
            __match_any_sync 31, int => `__match_any_sync` is not known for the target amdgpu
            atomicAdd int*, 1 => int: Relaxed Device
            atomicCAS_block uint*, uint, uint => unsigned int: Relaxed Workgroup
            __threadfence => void: fence SequentiallyConsistent Device
            sinf 1.0f => float: __ocml_sin_f32
            sin float => float: __ocml_sin_f32
            sqrt int => double: __ocml_sqrt_f64
            __expf float => float: __ocml_native_exp_f32
            fmaxf float, float => float: __ocml_fmax_f32
            min int, uint => unsigned int: 
            make_float4 1, 2, 3, 4 => float4: 
            __shfl_sync float4, 1 => `__shfl_sync` does not take (float __attribute__((ext_vector_type(4))), int); it is `int __shfl_sync(unsigned long, int, int)`, `int __shfl_sync(unsigned long, int, int, int)`, `float __shfl_sync(unsigned long, float, int)`, …
            __ldg float4* => float __attribute__((ext_vector_type(4))): 
            __ldcs local uint* => unsigned int: 
            __ldcs 1 => `__ldcs` takes a pointer, not `int`: `T (const T *)`
            __stcs double*, 1 => void: 
            __stwt double* => `__stwt` takes 2 arguments, not 1: `void (T *, T)`
            llrint float => long: __ocml_rint_f32
            lroundf float => long: __ocml_round_f32
            lround double => long: __ocml_round_f64
        "#]],
    );
    calls(
        Dialect::Hip,
        LowerTarget::Amdgpu,
        &["$hipThreadIdx_x", "__builtin_amdgcn_readfirstlane int"],
        &expect![[r#"
            $hipThreadIdx_x => unsigned int: llvm.amdgcn.workitem.id.x
            __builtin_amdgcn_readfirstlane int => int: llvm.amdgcn.readfirstlane.i32 (convergent)
        "#]],
    );
}

#[test]
fn cuda_on_spirv() {
    calls(
        Dialect::Cuda,
        LowerTarget::Spirv,
        &GPU,
        &expect![[r#"
            threadIdx.x => unsigned int: _Z12get_local_idj
            blockDim.y => unsigned int: _Z14get_local_sizej
            $gridDim => dim3: _Z14get_num_groupsj, _Z14get_num_groupsj, _Z14get_num_groupsj
            $warpSize => int: _Z22get_max_sub_group_sizev
            __syncthreads => void: _Z7barrierj (convergent)
            __syncthreads_or int => int: _Z14work_group_anyi (convergent)
            __syncwarp => void: _Z17sub_group_barrierj (convergent)
            __shfl_sync 31, int, 3 => int: _Z17sub_group_shuffleij (convergent)
            __shfl_xor_sync 31, float, 3, 16 => `__shfl_xor_sync` does not take (int, float, int, int); it is `int __shfl_xor_sync(unsigned int, int, int)`, `unsigned int __shfl_xor_sync(unsigned int, unsigned int, int)`, `long __shfl_xor_sync(unsigned int, long, int)`, …
            __shfl_down_sync 31, double, 1 => double: _Z22sub_group_shuffle_downdj (convergent)
            __shfl int, 3 => int: _Z17sub_group_shuffleij (convergent)
            __ballot_sync 31, bool => unsigned int: _Z16sub_group_balloti (convergent)
            __any int => int: _Z25sub_group_non_uniform_anyi (convergent)
            __activemask => unsigned int: _Z16sub_group_balloti (convergent)
            __match_any_sync 31, int => `__match_any_sync` is not known for the target spirv
            atomicAdd int*, 1 => int: Relaxed Device
            atomicCAS_block uint*, uint, uint => unsigned int: Relaxed Workgroup
            __threadfence => void: fence SequentiallyConsistent Device
            sinf 1.0f => float: _Z3sinf
            sin float => float: _Z3sinf
            sqrt int => double: _Z4sqrtd
            __expf float => float: _Z10native_expf
            fmaxf float, float => float: _Z4fmaxff
            min int, uint => unsigned int: 
            make_float4 1, 2, 3, 4 => float4: 
            __shfl_sync float4, 1 => `__shfl_sync` does not take (float __attribute__((ext_vector_type(4))), int); it is `int __shfl_sync(unsigned int, int, int)`, `unsigned int __shfl_sync(unsigned int, unsigned int, int)`, `long __shfl_sync(unsigned int, long, int)`, …
            __ldg float4* => float __attribute__((ext_vector_type(4))): 
            __ldcs local uint* => unsigned int: 
            __ldcs 1 => `__ldcs` takes a pointer, not `int`: `T (const T *)`
            __stcs double*, 1 => void: 
            __stwt double* => `__stwt` takes 2 arguments, not 1: `void (T *, T)`
            llrint float => long: _Z4rintf
            lroundf float => long: _Z5roundf
            lround double => long: _Z5roundd
        "#]],
    );
}

#[test]
fn c() {
    let lines = [
        "__builtin_memcpy int*, float*, 16",
        "__builtin_memset local int*, 0, 16",
        "__builtin_unreachable",
        "__builtin_expect long, 1",
        "__atomic_fetch_add int*, 1, 5",
        "__atomic_compare_exchange_n int*, int*, 1, 0, 5, 5",
        "__atomic_load_n float*, 9",
        "__builtin_trap 1",
        "__builtin_nontemporal_load int*",
        "__builtin_nontemporal_store 1, int*",
        "__builtin_nontemporal_store int*, 1",
        "__syncthreads",
        "__ldcs int*",
    ];
    calls(
        Dialect::C,
        LowerTarget::Generic,
        &lines,
        &expect![[r#"
            __builtin_memcpy int*, float*, 16 => void *: llvm.memcpy.p4.p4.i64
            __builtin_memset local int*, 0, 16 => void *: llvm.memset.p3.i64
            __builtin_unreachable => void: llvm.assume
            __builtin_expect long, 1 => long: llvm.expect.i64
            __atomic_fetch_add int*, 1, 5 => int: SequentiallyConsistent System
            __atomic_compare_exchange_n int*, int*, 1, 0, 5, 5 => bool: SequentiallyConsistent System
            __atomic_load_n float*, 9 => the order of `__atomic_load_n` is a constant, 0 to 5
            __builtin_trap 1 => `__builtin_trap` does not take (int); it is `void __builtin_trap()`
            __builtin_nontemporal_load int* => int: 
            __builtin_nontemporal_store 1, int* => void: 
            __builtin_nontemporal_store int*, 1 => `__builtin_nontemporal_store` takes a pointer, not `int`: `void (T, T *)`
            __syncthreads => unknown
            __ldcs int* => unknown
        "#]],
    );
}
