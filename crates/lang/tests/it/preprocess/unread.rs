//! Kernels that conditionals leave out, and the names that are taken to be defined for them.

use std::path::Path;

use reconverge_lang::options::{Dialect, Options, Reading};
use reconverge_lang::preprocess::{Preprocessed, preprocess};
use reconverge_lang::token::Symbols;

fn read(text: &str, options: &Options) -> Preprocessed {
    preprocess(Path::new("k.cu"), text.as_bytes().to_vec(), options, &mut Symbols::default())
}

/// The names that are taken to be defined, with their lines.
fn assumed(text: &str, options: &Options) -> String {
    let read = read(text, options);
    let line = |location| read.sources.position(location).map_or(0, |at| at.line);
    let said = read.assumed.iter().map(|assumed| format!("{}:{}", assumed.name, line(assumed.location)));
    said.collect::<Vec<_>>().join(" ")
}

fn tolerant(dialect: Dialect) -> Options {
    Options { reading: Reading::Kernels, ..Options::new(dialect) }
}

const KERNEL: &str = "__global__ void k() {}\n";

#[test]
fn names_that_a_file_needs_are_taken_to_be_defined() {
    let cuda = tolerant(Dialect::Cuda);
    for (condition, names) in [
        ("#ifdef USE_CUDA", "USE_CUDA:1"),
        ("#if USE_CUDA", "USE_CUDA:1"),
        ("#if defined(USE_CUDA) && defined(USE_NCCL)", "USE_CUDA:1 USE_NCCL:1"),
        ("#if GOOGLE_CUDA || USE_ROCM", "GOOGLE_CUDA:1"),
        ("#if !defined(CPU_ONLY) && defined(GPU)", "GPU:1"),
        ("#if defined(__HIPCC__) || defined(GPU)", "GPU:1"),
        // Nothing would have it read, or nothing that a build defines.
        ("#if 0", ""),
        ("#if VERSION > 3", ""),
        ("#ifdef __HIPCC__", ""),
        ("#ifdef _MSC_VER", ""),
        ("#if A && 0", ""),
    ] {
        assert_eq!(assumed(&format!("{condition}\n{KERNEL}#endif\n"), &cuda), names, "{condition}");
    }
    let texts = [
        // The name is in the condition of the group.
        (format!("#if 0\n#elif USE_CUDA\n{KERNEL}#endif\n"), "USE_CUDA:2"),
        (format!("#ifdef USE_CUDA\n#ifdef USE_FP16\n{KERNEL}#endif\n#endif\n"), "USE_CUDA:1 USE_FP16:2"),
        (format!("#ifdef USE_CUDA\n{KERNEL}#else\nvoid k();\n#endif\n"), "USE_CUDA:1"),
        ("#define KERNEL extern __global__ void\n#ifdef USE_CUDA\nKERNEL k() {}\n#endif\n".to_owned(), "USE_CUDA:2"),
        // There are kernels.
        (format!("{KERNEL}#ifdef USE_CUDA\n{KERNEL}#endif\n"), ""),
        ("#ifdef USE_CUDA\nint x; // __global__\n#endif\n".to_owned(), ""),
    ];
    for (text, names) in texts {
        assert_eq!(assumed(&text, &cuda), names, "{text}");
    }
    let text = "#ifdef ROUTINE_GEMM\nkernel void k() {}\n#endif\n";
    assert_eq!(assumed(text, &tolerant(Dialect::OpenCl)), "ROUTINE_GEMM:1");
}

#[test]
fn what_a_build_says_holds() {
    let text = format!("#ifdef USE_CUDA\n{KERNEL}#endif\n");
    let known = Options { defines_are_known: true, ..tolerant(Dialect::Cuda) };
    assert_eq!(assumed(&text, &known), "");
    assert_eq!(assumed(&text, &Options::new(Dialect::Cuda)), "");
    let zero = Options { define: vec!["USE_CUDA=0".to_owned()], ..tolerant(Dialect::Cuda) };
    assert_eq!(assumed("#if USE_CUDA\n__global__ void k() {}\n#endif\n", &zero), "");
}

#[test]
fn kernels_that_are_left_out_are_counted() {
    let text = format!(
        "{KERNEL}#ifdef FP8\n{KERNEL}{KERNEL}#endif\n#if 0\n{KERNEL}#endif\n#ifdef FP4\n{KERNEL}#elif BF16\n{KERNEL}#else\n{KERNEL}#endif\n"
    );
    let unread = read(&text, &tolerant(Dialect::Cuda)).unread;
    let shown: Vec<_> =
        unread.iter().map(|unread| (unread.name.as_deref(), unread.kernels, unread.has_alternative)).collect();
    let expected = [(Some("FP8"), 2, false), (None, 1, false), (Some("FP4"), 1, true), (Some("BF16"), 1, true)];
    assert_eq!(shown, expected);
}
