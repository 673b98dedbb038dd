//! The macros that are there: values that agree with clang's, and the built-in headers.

use std::path::Path;
use std::process::Command;

use expect_test::expect;
use reconverge_lang::options::{Dialect, LowerTarget, Options};
use reconverge_testing::llvm;
use rustc_hash::FxHashMap;

use crate::preprocess::support::{show_with, spellings};

/// What we define and clang does not: it has them elsewhere, or nvcc and hipcc have them.
const OURS: &[&str] = &[
    "__RECONVERGE__",
    "__OPENCL_VERSION__",
    "__CUDACC__",
    "__CUDACC_VER_MAJOR__",
    "__CUDACC_VER_MINOR__",
    "CUDART_VERSION",
    "CUDA_VERSION",
    "__HIP_PLATFORM_AMD__",
    "__AMDGCN_WAVEFRONT_SIZE",
    "__AMDGCN_WAVEFRONT_SIZE__",
];

fn definitions(text: &str) -> FxHashMap<String, String> {
    let split = |line: &str| {
        let rest = line.strip_prefix("#define ")?;
        let end = rest.find([' ', '(']).unwrap_or(rest.len());
        let (name, value) = if rest[end..].starts_with('(') {
            (&rest[..end], &rest[end..])
        } else {
            rest.split_once(' ').unwrap_or((rest, ""))
        };
        Some((name.to_owned(), value.trim().to_owned()))
    };
    text.lines().filter_map(split).collect()
}

/// Every macro of ours has the value that clang gives it, for every dialect and target.
#[test]
fn values_agree_with_clang() {
    let Some(tools) = llvm::tools() else { return };
    const OPEN_CL: &str = "-x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang -cl-ext=+all -nogpulib";
    let cuda = "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70".to_owned();
    let hip = "-x hip --cuda-device-only -nogpuinc -nogpulib --offload-arch=gfx900".to_owned();
    let cases: [(String, &[&str]); 7] = [
        (format!("{OPEN_CL} -target spirv64"), &["common", "opencl", "spirv"]),
        (format!("{OPEN_CL} -target amdgcn-amd-amdhsa -mcpu=gfx900"), &["common", "opencl", "amdgpu"]),
        (format!("{OPEN_CL} -target nvptx64-nvidia-cuda"), &["common", "opencl", "nvptx"]),
        (cuda, &["common", "host", "cpp", "cuda", "nvptx"]),
        (hip, &["common", "host", "cpp", "hip", "amdgpu"]),
        ("-x c -target x86_64-linux-gnu".to_owned(), &["common", "host", "c"]),
        ("-x c++ -target x86_64-linux-gnu".to_owned(), &["common", "host", "cpp"]),
    ];
    for (arguments, texts) in cases {
        let output =
            Command::new(&tools.clang).args(["-E", "-dM"]).args(arguments.split(' ')).arg("/dev/null").output();
        let output = output.expect("clang runs");
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        let theirs = definitions(&String::from_utf8(output.stdout).unwrap());
        for name in texts {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/preprocess/predefined/{name}.h"));
            for (name, value) in definitions(&std::fs::read_to_string(path).unwrap()) {
                if !OURS.contains(&name.as_str()) {
                    assert_eq!(theirs.get(&name), Some(&value), "{name} with {arguments}");
                }
            }
        }
    }
}

/// No definition of ours is met with a message, and each target says its name.
#[test]
fn every_dialect_and_target_is_quiet() {
    use LowerTarget::*;
    for dialect in [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp] {
        for (target, name) in [(Spirv, "__SPIRV__"), (Amdgpu, "__AMDGCN__"), (Nvptx, "__NVPTX__"), (Generic, "_LP64")] {
            let options = Options { target, ..Options::new(dialect) };
            let text = format!("__RECONVERGE__ {name} __INT_MAX__");
            assert_eq!(show_with(&text, &options), "1 1 2147483647\n", "{dialect:?} {target:?}");
        }
    }
}

#[test]
fn opencl_constants() {
    let options = Options::new(Dialect::OpenCl);
    let text = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE\nFLT_MAX INT_MIN M_PI_F\n__OPENCL_C_VERSION__ CL_VERSION_3_0\n\
                #ifdef __opencl_c_subgroups\nsubgroups\n#endif";
    expect![[r#"
        0x01 | 0x02
        0x1.fffffep127f ( - 2147483647 - 1 ) 3.14159265358979323846264338327950288f
        300 300
        subgroups
    "#]]
    .assert_eq(&show_with(text, &options));
}

/// The words of CUDA and HIP are macros there, as with their compilers: a header that makes them empty for others leaves them.
#[test]
fn words_of_cuda_are_macros() {
    let text = "#ifndef __device__\n#define __device__\n#endif\n#if defined(__host__) && defined __global__\nboth __device__\n#endif";
    for (dialect, shown) in
        [(Dialect::Cuda, "both __device__\n"), (Dialect::Hip, "both __device__\n"), (Dialect::Cpp, "")]
    {
        assert_eq!(show_with(text, &Options::new(dialect)), shown);
    }
}

/// `#x##_suffix` makes a literal of C++ with a suffix, and none of C.
#[test]
fn suffixes_may_be_pasted() {
    let text = "#define NAMED(x) #x##_name\nNAMED(a b)";
    assert_eq!(show_with(text, &Options::new(Dialect::Cuda)), "\"a b\" _name\n");
    assert!(show_with(text, &Options::new(Dialect::C)).contains("which is not one token"));
}

#[test]
fn command_line() {
    let define = ["A", "B=2", "SQUARE(x)=((x)*(x))", "EMPTY=", "__RECONVERGE__=7"].map(str::to_owned).to_vec();
    let options = Options { define, ..Options::new(Dialect::C) };
    expect![[r#"
        1 2 ( ( 3 ) * ( 3 ) ) 7
        <command line>:5:9: warning: the macro `__RECONVERGE__` is defined again, differently
            <built-in>:3:9: the first definition is here
    "#]]
    .assert_eq(&show_with("A B SQUARE(3) EMPTY __RECONVERGE__", &options));
    let options = Options { define: vec!["3=4".to_owned()], ..Options::new(Dialect::C) };
    expect![[r#"
        <command line>:1:9: error: `3` cannot be the name of a macro
    "#]]
    .assert_eq(&show_with("", &options));
}

/// Every built-in header can be included twice, without a message.
#[test]
fn headers() {
    let common = "assert.h float.h iso646.h limits.h math.h stdbool.h stddef.h stdint.h stdio.h";
    let cpp = "cassert cfloat climits cmath cstddef cstdint cstdio";
    let cuda = "cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/scan.h cub/cub.cuh cuda.h cuda_fp16.h cuda_runtime.h device_launch_parameters.h math_constants.h";
    let hip = "hip/hip_runtime.h hip/hip_cooperative_groups.h hipcub/hipcub.hpp rocprim/rocprim.hpp hip/hip_fp16.h";
    for (dialect, names) in [
        (Dialect::OpenCl, common.to_owned()),
        (Dialect::C, common.to_owned()),
        (Dialect::Cpp, format!("{common} {cpp}")),
        (Dialect::Cuda, format!("{common} {cpp} {cuda}")),
        (Dialect::Hip, format!("{common} {cpp} {hip}")),
    ] {
        for name in names.split(' ') {
            let text = format!("#include <{name}>\n#include \"{name}\"\n");
            let shown = show_with(&text, &Options::new(dialect));
            assert!(!shown.contains("error") && !shown.contains("warning"), "{dialect:?} {name}:\n{shown}");
        }
    }
}

#[test]
fn limits_and_widths() {
    let text = "#include <stdint.h>\n#include <limits.h>\nUINT64_C(1) INT32_MAX UCHAR_MAX\n\
                #if INT64_MIN < 0 && UINT32_MAX == 4294967295 && UINT_MAX == UINT32_MAX && LLONG_MAX > 0\nyes\n#endif";
    let (tokens, is_wrong) = spellings(Path::new("main.c"), text, &Options::new(Dialect::C));
    assert!(!is_wrong);
    let last = tokens.iter().rposition(|token| token == ";").unwrap();
    assert_eq!(tokens[last + 1..].join(" "), "1UL 2147483647 ( 127 * 2 + 1 ) yes ");
}

#[test]
fn refused_headers() {
    let text = "#include <cuda/std/tuple>\n#include <thrust/sort.h>\n#include <hip/nothing.h>";
    expect![[r#"
        main.c:1:10: unsupported: the header `cuda/std/tuple` is not supported by the built-in front end: the C++ library of CUDA
        main.c:2:10: unsupported: the header `thrust/sort.h` is not supported by the built-in front end: the templates of Thrust
        main.c:3:10: error: there is no file `hip/nothing.h`; no folder is searched, and it is not a built-in header
    "#]]
    .assert_eq(&show_with(text, &Options::new(Dialect::Cuda)));
}
