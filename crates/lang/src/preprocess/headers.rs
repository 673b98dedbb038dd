//! The standard headers that kernels include, as far as they are macros, names of types, and functions that are not built in. They are found after all folders.

use std::sync::Arc;

use crate::options::Dialect;

/// Where they seem to lie.
pub use reconverge_ir::origin::BUILT_IN_HEADERS as FOLDER;

/// For which languages a header is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    All,
    Cpp,
    Cuda,
    Hip,
    /// CUDA and HIP.
    Device,
}

const EMPTY: &str = include_str!("headers/empty.h");
const CUBLAS: &str = include_str!("headers/cublas.h");
const TORCH: &str = include_str!("headers/torch.h");

/// By name, or by folder where all headers in it are the same.
const HEADERS: &[(&str, For, &str)] = &[
    ("ATen/", For::Device, TORCH),
    ("THC/", For::Device, TORCH),
    ("assert.h", For::All, include_str!("headers/assert.h")),
    ("c10/", For::Device, TORCH),
    ("cassert", For::Cpp, include_str!("headers/assert.h")),
    ("cfloat", For::Cpp, include_str!("headers/float.h")),
    ("climits", For::Cpp, include_str!("headers/limits.h")),
    ("cmath", For::Cpp, include_str!("headers/math.h")),
    ("cstddef", For::Cpp, include_str!("headers/cstddef.h")),
    ("cstdint", For::Cpp, include_str!("headers/cstdint.h")),
    ("cstdio", For::Cpp, EMPTY),
    ("cooperative_groups.h", For::Device, include_str!("headers/cooperative_groups.h")),
    ("cooperative_groups/memcpy_async.h", For::Device, include_str!("headers/cooperative_groups/memcpy_async.h")),
    ("cooperative_groups/reduce.h", For::Device, include_str!("headers/cooperative_groups/reduce.h")),
    ("cooperative_groups/scan.h", For::Device, include_str!("headers/cooperative_groups/scan.h")),
    ("cub/", For::Device, include_str!("headers/cub.h")),
    ("cublas.h", For::Cuda, CUBLAS),
    ("cublasLt.h", For::Cuda, CUBLAS),
    ("cublas_v2.h", For::Cuda, CUBLAS),
    ("cuComplex.h", For::Cuda, include_str!("headers/cuComplex.h")),
    ("cuda/atomic", For::Cuda, include_str!("headers/cuda_atomic.h")),
    ("cuda/barrier", For::Cuda, include_str!("headers/cuda_barrier.h")),
    ("cuda/pipeline", For::Cuda, include_str!("headers/cuda_barrier.h")),
    ("cuda/std/atomic", For::Cuda, include_str!("headers/cuda_atomic.h")),
    ("cuda/std/barrier", For::Cuda, include_str!("headers/cuda_barrier.h")),
    ("cuda.h", For::Cuda, include_str!("headers/cuda_runtime.h")),
    ("cuda_bf16.h", For::Cuda, include_str!("headers/bf16.h")),
    ("cuda_fp16.h", For::Cuda, include_str!("headers/fp16.h")),
    ("cuda_fp8.h", For::Cuda, include_str!("headers/cuda_fp8.h")),
    ("cuda_runtime.h", For::Cuda, include_str!("headers/cuda_runtime.h")),
    ("cuda_runtime_api.h", For::Cuda, include_str!("headers/cuda_runtime.h")),
    ("cufft.h", For::Cuda, include_str!("headers/cufft.h")),
    ("cufftXt.h", For::Cuda, include_str!("headers/cufft.h")),
    ("curand.h", For::Cuda, EMPTY),
    ("cusolverDn.h", For::Cuda, CUBLAS),
    ("cusparse.h", For::Cuda, CUBLAS),
    ("curand_kernel.h", For::Cuda, include_str!("headers/curand_kernel.h")),
    ("device_functions.h", For::Cuda, EMPTY),
    ("device_launch_parameters.h", For::Cuda, EMPTY),
    ("driver_types.h", For::Cuda, include_str!("headers/cuda_runtime.h")),
    ("float.h", For::All, include_str!("headers/float.h")),
    ("hip/hip_bf16.h", For::Device, include_str!("headers/bf16.h")),
    ("hip/hip_bfloat16.h", For::Device, include_str!("headers/bf16.h")),
    ("hip/hip_complex.h", For::Hip, include_str!("headers/hip_complex.h")),
    ("hip/hip_cooperative_groups.h", For::Device, include_str!("headers/hip_cooperative_groups.h")),
    ("hip/hip_fp16.h", For::Device, include_str!("headers/fp16.h")),
    ("hip/hip_fp8.h", For::Hip, include_str!("headers/hip_fp8.h")),
    ("hip/hip_runtime.h", For::Device, include_str!("headers/hip_runtime.h")),
    ("hipcub/", For::Device, include_str!("headers/hipcub.h")),
    ("hipfft.h", For::Hip, include_str!("headers/hipfft.h")),
    ("hipfft/hipfft.h", For::Hip, include_str!("headers/hipfft.h")),
    ("hiprand/hiprand_kernel.h", For::Hip, include_str!("headers/hiprand_kernel.h")),
    ("hiprand_kernel.h", For::Hip, include_str!("headers/hiprand_kernel.h")),
    ("iso646.h", For::All, include_str!("headers/iso646.h")),
    ("limits", For::Cuda, include_str!("headers/numeric_limits.h")),
    ("limits", For::Hip, include_str!("headers/numeric_limits.h")),
    ("limits.h", For::All, include_str!("headers/limits.h")),
    ("math.h", For::All, include_str!("headers/math.h")),
    ("mma.h", For::Cuda, include_str!("headers/mma.h")),
    ("math_constants.h", For::Cuda, include_str!("headers/math_constants.h")),
    ("reconverge/block_collectives.h", For::Device, include_str!("headers/block_collectives.h")),
    ("reconverge/clusters.h", For::Cuda, include_str!("headers/clusters.h")),
    ("reconverge/collective_parts.h", For::Device, include_str!("headers/collective_parts.h")),
    ("reconverge/complex.h", For::Device, include_str!("headers/complex.h")),
    ("reconverge/fp8.h", For::Device, include_str!("headers/fp8.h")),
    ("reconverge/half2.h", For::Cpp, include_str!("headers/half2.h")),
    ("reconverge/matrix_fragments.h", For::Device, include_str!("headers/matrix_fragments.h")),
    ("reconverge/rocprim_collectives.h", For::Hip, include_str!("headers/rocprim_collectives.h")),
    ("reconverge/runtime_types.h", For::Device, include_str!("headers/runtime_types.h")),
    ("reconverge/random.h", For::Device, include_str!("headers/random.h")),
    ("rocprim/", For::Hip, include_str!("headers/rocprim.h")),
    ("rocwmma/", For::Hip, include_str!("headers/rocwmma.h")),
    ("stdbool.h", For::All, include_str!("headers/stdbool.h")),
    ("stddef.h", For::All, include_str!("headers/stddef.h")),
    ("stdint.h", For::All, include_str!("headers/stdint.h")),
    ("stdio.h", For::All, EMPTY),
    ("torch/", For::Device, TORCH),
    ("type_traits", For::Device, include_str!("headers/type_traits.h")),
    ("utility", For::Device, include_str!("headers/utility.h")),
];

/// Whether a header is that of a runtime, which includes much of the standard library.
pub(super) fn is_of_runtime(name: &str) -> bool {
    matches!(name, "cuda.h" | "cuda_runtime.h" | "cuda_runtime_api.h" | "hip/hip_runtime.h")
}

/// Headers that others of the C++ standard library include, and what a text says that needs them, after `std::`. Those that others of them include come first.
const IMPLIED: &[(&str, &[&str])] = &[
    (
        "cstdint",
        &[
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "intptr_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "uintptr_t",
        ],
    ),
    ("limits", &["numeric_limits"]),
    (
        "type_traits",
        &[
            "bool_constant",
            "common_type",
            "conditional",
            "conjunction",
            "decay",
            "disjunction",
            "enable_if",
            "false_type",
            "integral_constant",
            "is_",
            "make_signed",
            "make_unsigned",
            "remove_",
            "true_type",
            "void_t",
        ],
    ),
    (
        "utility",
        &[
            "declval",
            "exchange",
            "forward",
            "index_sequence",
            "integer_sequence",
            "make_index_sequence",
            "make_integer_sequence",
            "make_pair",
            "move",
            "pair",
            "swap",
        ],
    ),
];

/// Headers of C and of systems that are not built in.
const OF_SYSTEMS: &[&str] = &[
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "inttypes.h",
    "locale.h",
    "malloc.h",
    "memory.h",
    "omp.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "windows.h",
];

/// Whether a name is that of a header of the C++ standard library.
pub(super) fn is_standard(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Whether a name is that of a header that compilers and systems bring along.
pub(super) fn is_of_system(name: &str) -> bool {
    is_standard(name) || name.starts_with("sys/") || OF_SYSTEMS.contains(&name)
}

/// The headers that texts need from one of the C++ standard library that is not there, those first that others include.
pub(super) fn implied(texts: &[Arc<String>]) -> impl DoubleEndedIterator<Item = &'static str> {
    let uses = |text: &str, names: &[&str]| {
        let mut uses = memchr::memmem::find_iter(text.as_bytes(), "std::").map(|at| &text[at + "std::".len()..]);
        uses.any(|used| names.iter().any(|name| used.starts_with(name)))
    };
    let needs = move |names: &[&str]| texts.iter().any(|text| uses(text, names));
    IMPLIED.iter().filter(move |(_, names)| needs(names)).map(|&(header, _)| header)
}

/// Headers, by name or folder, that are asked for and stand for more than a kernel's subset has.
const REFUSED: &[(&str, &str)] = &[
    ("cuda/", "the C++ library of CUDA"),
    ("cutlass/", "the templates of CUTLASS"),
    ("thrust/", "the templates of Thrust"),
    ("algorithm", "the C++ standard library"),
    ("array", "the C++ standard library"),
    ("atomic", "the C++ standard library"),
    ("cstdlib", "the C++ standard library"),
    ("iostream", "the C++ standard library"),
    ("string", "the C++ standard library"),
    ("tuple", "the C++ standard library"),
    ("type_traits", "the C++ standard library"),
    ("utility", "the C++ standard library"),
    ("vector", "the C++ standard library"),
];

/// The text of a header.
pub(super) fn find(name: &str, dialect: Dialect) -> Option<&'static str> {
    let serves = |language: For| match language {
        For::All => true,
        For::Cpp => dialect.is_cpp(),
        For::Cuda => dialect == Dialect::Cuda,
        For::Hip => dialect == Dialect::Hip,
        For::Device => matches!(dialect, Dialect::Cuda | Dialect::Hip),
    };
    let found = HEADERS.iter().find(|&&(header, language, _)| is_meant(header, name) && serves(language));
    found.map(|&(_, _, text)| text)
}

/// Whether a header, or the folder it is in, is one of a list.
fn is_meant(listed: &str, name: &str) -> bool {
    name == listed || listed.ends_with('/') && name.starts_with(listed)
}

/// Why a header is not there, where that is known.
pub(super) fn refusal(name: &str) -> Option<String> {
    let (_, what) = REFUSED.iter().find(|&&(refused, _)| is_meant(refused, name))?;
    Some(format!("the header `{name}` is not supported by the built-in front end: {what}"))
}
