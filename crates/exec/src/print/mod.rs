//! `printf`: what a format asks for, and whether the arguments of a call fit it.
//!
//! A format is text, in which each `%` begins a conversion:
//!
//! ```text
//! conversion = "%" flag* width? ( "." precision? )? vector? length? letter
//! flag       = "-" | "+" | " " | "#" | "0"
//! width, precision = digit+ | "*"
//! vector     = "v" ( "2" | "3" | "4" | "8" | "16" )        OpenCL C only
//! length     = "hh" | "h" | "l"                             and "hl" in OpenCL C, "ll" in C++
//! ```
//!
//! What each asks for is in *OpenCL C 3.0*, "printf"; in the *CUDA C++ Programming Guide*, "Formatted Output"; and for HIP in C, 7.21.6.1.
//! Nothing is printed, so no width takes memory.
//!
//! Sound for what IR shows: a conversion and an argument that are reported do not fit. Whether an integer has a sign, and what a pointer
//! points to, is not seen; flags that mean nothing for a letter are passed over.

mod conversion;
mod fit;

use reconverge_findings::Severity;
use reconverge_findings::run::Sentence;

pub(crate) use conversion::{Conversions, Field};
pub(crate) use fit::{call_defects, list_layout, wide};

/// So many characters each implementation can print for one conversion (C 7.21.6.1, paragraph 15; OpenCL C says the same).
pub(crate) const MOST_CHARACTERS: u64 = 4095;

/// Of how many arguments after the format CUDA's `printf` knows.
pub(crate) const MOST_CUDA_ARGUMENTS: usize = 32;

/// By which text a call is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    OpenCl,
    Cuda,
    Hip,
}

impl Dialect {
    /// The dialect of a call of this name, with a format in this address space, for this target. OpenCL C has its format in the constant
    /// address space; CUDA and HIP have it in the generic one.
    pub(crate) fn of(name: &str, space: u32, triple: &[u8]) -> Dialect {
        let is_gpu = triple.starts_with(b"nvptx") || triple.starts_with(b"amdgcn") || triple.starts_with(b"r600");
        let constant = if is_gpu { 4 } else { 2 };
        match () {
            () if name == "vprintf" => Dialect::Cuda,
            () if space == constant || name.starts_with("_Z18__spirv_ocl_printf") => Dialect::OpenCl,
            () if triple.starts_with(b"nvptx") => Dialect::Cuda,
            () => Dialect::Hip,
        }
    }

    /// As users call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dialect::OpenCl => "OpenCL C",
            Dialect::Cuda => "CUDA",
            Dialect::Hip => "HIP",
        }
    }
}

/// Whether a function that is only declared is `printf`, by its name.
pub(crate) fn is_print(name: &str) -> bool {
    matches!(name, "printf" | "vprintf") || name.starts_with("_Z6printf") || name.starts_with("_Z18__spirv_ocl_printf")
}

/// What is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Defect {
    pub(crate) severity: Severity,
    /// What is wrong, and what to do about it.
    pub(crate) message: Sentence,
    pub(crate) advice: &'static str,
}

impl Defect {
    pub(crate) fn error(message: impl Into<Sentence>, advice: &'static str) -> Defect {
        Defect { severity: Severity::Error, message: message.into(), advice }
    }

    pub(crate) fn warning(message: impl Into<Sentence>, advice: &'static str) -> Defect {
        Defect { severity: Severity::Warning, message: message.into(), advice }
    }
}

/// Part of a format for a message: one line, and not long.
pub(crate) fn shown(text: &[u8]) -> String {
    const MOST: usize = 60;
    let part = String::from_utf8_lossy(&text[..text.len().min(MOST)]);
    let more = if text.len() > MOST { "…" } else { "" };
    format!("{}{more}", part.escape_debug())
}
