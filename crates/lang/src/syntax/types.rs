//! The names of types that a dialect has built in, which are not keywords: a program may use them for something else.

use super::names::Names;
use crate::options::Dialect;
use crate::token::Symbols;
use crate::tree::{BuiltinType, Scalar};

const fn integer(bits: u8, signed: bool) -> BuiltinType {
    BuiltinType::Integer { bits, signed }
}

const COMMON: &[(&str, BuiltinType)] = &[
    ("size_t", integer(64, false)),
    ("ptrdiff_t", integer(64, true)),
    ("intptr_t", integer(64, true)),
    ("uintptr_t", integer(64, false)),
    ("int8_t", integer(8, true)),
    ("int16_t", integer(16, true)),
    ("int32_t", integer(32, true)),
    ("int64_t", integer(64, true)),
    ("uint8_t", integer(8, false)),
    ("uint16_t", integer(16, false)),
    ("uint32_t", integer(32, false)),
    ("uint64_t", integer(64, false)),
    ("__int128_t", integer(128, true)),
    ("__uint128_t", integer(128, false)),
];

const SHORT_UNSIGNED: &[(&str, BuiltinType)] =
    &[("ushort", integer(16, false)), ("uint", integer(32, false)), ("ulong", integer(64, false))];

const OPENCL: &[(&str, BuiltinType)] = &[
    ("uchar", integer(8, false)),
    ("cl_mem_fence_flags", integer(32, false)),
    ("memory_order", integer(32, false)),
    ("memory_scope", integer(32, false)),
    ("kernel_enqueue_flags_t", integer(32, false)),
    ("atomic_int", integer(32, true)),
    ("atomic_uint", integer(32, false)),
    ("atomic_long", integer(64, true)),
    ("atomic_ulong", integer(64, false)),
    ("atomic_flag", integer(32, true)),
    ("atomic_size_t", integer(64, false)),
    ("atomic_ptrdiff_t", integer(64, true)),
    ("atomic_intptr_t", integer(64, true)),
    ("atomic_uintptr_t", integer(64, false)),
    ("atomic_half", BuiltinType::Half),
    ("atomic_float", BuiltinType::Float),
    ("atomic_double", BuiltinType::Double),
];

const OPENCL_OPAQUE: &[&str] = &[
    "event_t",
    "sampler_t",
    "queue_t",
    "clk_event_t",
    "ndrange_t",
    "reserve_id_t",
    "image1d_t",
    "image1d_array_t",
    "image1d_buffer_t",
    "image2d_t",
    "image2d_array_t",
    "image2d_depth_t",
    "image2d_array_depth_t",
    "image2d_msaa_t",
    "image3d_t",
];

const CUDA: &[(&str, BuiltinType)] = &[
    ("clock_t", integer(64, true)),
    ("dim3", BuiltinType::Dim3),
    ("half", BuiltinType::Half),
    ("__half", BuiltinType::Half),
    ("nv_half", BuiltinType::Half),
    ("__nv_bfloat16", BuiltinType::BFloat),
    ("nv_bfloat16", BuiltinType::BFloat),
    ("__hip_bfloat16", BuiltinType::BFloat),
    ("hip_bfloat16", BuiltinType::BFloat),
    ("half2", BuiltinType::Vector { element: Scalar::Half, lanes: 2, cuda: true }),
    ("__half2", BuiltinType::Vector { element: Scalar::Half, lanes: 2, cuda: true }),
    ("nv_half2", BuiltinType::Vector { element: Scalar::Half, lanes: 2, cuda: true }),
    ("__nv_bfloat162", BuiltinType::Vector { element: Scalar::BFloat, lanes: 2, cuda: true }),
    ("nv_bfloat162", BuiltinType::Vector { element: Scalar::BFloat, lanes: 2, cuda: true }),
    ("__hip_bfloat162", BuiltinType::Vector { element: Scalar::BFloat, lanes: 2, cuda: true }),
    ("hipTextureObject_t", integer(64, false)),
    ("hipSurfaceObject_t", integer(64, false)),
    ("cudaTextureObject_t", integer(64, false)),
    ("cudaSurfaceObject_t", integer(64, false)),
    ("CUtexObject", integer(64, false)),
    ("CUsurfObject", integer(64, false)),
    ("CUdeviceptr", integer(64, false)),
];

const VECTORS: &[(&str, Scalar)] = &[
    ("char", Scalar::Integer { bits: 8, signed: true }),
    ("uchar", Scalar::Integer { bits: 8, signed: false }),
    ("short", Scalar::Integer { bits: 16, signed: true }),
    ("ushort", Scalar::Integer { bits: 16, signed: false }),
    ("int", Scalar::Integer { bits: 32, signed: true }),
    ("uint", Scalar::Integer { bits: 32, signed: false }),
    ("long", Scalar::Integer { bits: 64, signed: true }),
    ("ulong", Scalar::Integer { bits: 64, signed: false }),
    ("float", Scalar::Float),
    ("double", Scalar::Double),
];

const OPENCL_ONLY_VECTORS: &[(&str, Scalar)] = &[("half", Scalar::Half)];

const CUDA_ONLY_VECTORS: &[(&str, Scalar)] = &[
    ("longlong", Scalar::Integer { bits: 64, signed: true }),
    ("ulonglong", Scalar::Integer { bits: 64, signed: false }),
];

/// Declares what the dialect has.
pub(super) fn declare(dialect: Dialect, names: &mut Names, symbols: &mut Symbols) {
    let mut add = |name: &str, of| names.declare_builtin(symbols.intern(name), of);
    let mut add_all = |list: &[(&str, BuiltinType)]| list.iter().for_each(|&(name, of)| add(name, of));
    add_all(COMMON);
    match dialect {
        Dialect::OpenCl => {
            add_all(SHORT_UNSIGNED);
            add_all(OPENCL);
            for name in OPENCL_OPAQUE {
                let symbol = symbols.intern(name);
                names.declare_builtin(symbol, BuiltinType::Opaque(symbol));
            }
            vectors(&[VECTORS, OPENCL_ONLY_VECTORS], &[2, 3, 4, 8, 16], false, names, symbols);
        }
        Dialect::Cuda | Dialect::Hip => {
            add_all(SHORT_UNSIGNED);
            add_all(CUDA);
            vectors(&[VECTORS, CUDA_ONLY_VECTORS], &[2, 3, 4], true, names, symbols);
        }
        Dialect::C => {
            names.declare_builtin(symbols.intern("bool"), BuiltinType::Bool);
            names.declare_bool(symbols.intern("true"), true);
            names.declare_bool(symbols.intern("false"), false);
        }
        Dialect::Cpp => {}
    }
    if dialect.is_cpp() {
        for name in ["min", "max"] {
            names.declare_builtin_template(symbols.intern(name).into());
        }
        let std = names.unknown(symbols.intern("std"));
        for name in ["min", "max", "swap"] {
            let name = names.member(std, symbols.intern(name), symbols).name;
            names.declare_builtin_template(name);
        }
    }
}

fn vectors(lists: &[&[(&str, Scalar)]], lanes: &[u8], cuda: bool, names: &mut Names, symbols: &mut Symbols) {
    for &(name, element) in lists.iter().flat_map(|list| list.iter()) {
        for &lanes in lanes {
            let symbol = symbols.intern(&format!("{name}{lanes}"));
            names.declare_builtin(symbol, BuiltinType::Vector { element, lanes, cuda });
        }
    }
}
