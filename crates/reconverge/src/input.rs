//! What an input is: its content decides first, and its name second.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use reconverge_files::{Contents, NamedBy, Refusal};
use reconverge_lang::options::Dialect;

use crate::machine::begins_like_machine_ir;
use crate::{Error, ErrorKind, Settings};

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// LLVM IR, text.
    Ll,
    /// LLVM bitcode.
    Bc,
    /// LLVM's machine IR, text.
    Mir,
    /// OpenCL C.
    Cl,
    /// CUDA.
    Cuda,
    /// HIP.
    Hip,
    /// C or C++.
    Cxx,
}

/// A file, in memory, and what it is.
#[derive(Debug, Clone)]
pub struct Input {
    path: PathBuf,
    format: Format,
    bytes: Contents,
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

impl Input {
    /// A text that is here. `path` is what it is called in answers; its folder is where `#include "…"` looks first. What it is, the content and
    /// the path tell, unless `format` says it.
    ///
    /// # Errors
    /// When it is a text in another encoding than UTF-8.
    pub fn new(path: impl Into<PathBuf>, bytes: impl Into<Contents>, format: Option<Format>) -> Result<Input, Error> {
        let (path, bytes) = (path.into(), bytes.into());
        if let Some(format @ Format::Bc) = format.or_else(|| bitcode(&bytes)) {
            return Ok(Input { path, format, bytes });
        }
        let bytes = without_mark(bytes)
            .map_err(|message| Error::new(ErrorKind::Encoding, path.display().to_string(), message))?;
        let format = format.unwrap_or_else(|| kind_of(&path, &bytes));
        Ok(Input { path, format, bytes })
    }

    /// A file of `settings.files`.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is a text in another encoding than UTF-8.
    pub fn read(
        path: impl Into<PathBuf>,
        format: Option<Format>,
        named_by: NamedBy,
        settings: &Settings,
    ) -> Result<Input, Error> {
        let path = path.into();
        let read = settings.files.contents(&path, named_by, settings.limits.input_bytes);
        let bytes = read.map_err(|refusal| Input::unreadable(&path.display().to_string(), &refusal))?;
        Input::new(path, bytes, format)
    }

    /// Why an input is not read.
    pub fn unreadable(path: &str, refusal: &Refusal) -> Error {
        let kind = if refusal.is_limit() { ErrorKind::TooLarge } else { ErrorKind::Unreadable };
        Error::new(kind, path, format!("cannot be read: {refusal}"))
    }

    /// What it is called.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is called, as it is printed.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// What it is.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What it holds; text without its byte-order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What it holds.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_vec()
    }

    /// What it holds.
    pub fn into_contents(self) -> Contents {
        self.bytes
    }

    /// The language, of source.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.format {
            Format::Cl => Some(Dialect::OpenCl),
            Format::Cuda => Some(Dialect::Cuda),
            Format::Hip => Some(Dialect::Hip),
            Format::Cxx if is_c(&self.path) => Some(Dialect::C),
            Format::Cxx => Some(Dialect::Cpp),
            Format::Ll | Format::Bc | Format::Mir => None,
        }
    }

    /// That bitcode is not read, and what makes text of it. `None` where the input is not in a file.
    pub(crate) fn advice_for_bitcode(path: Option<&Path>) -> String {
        let (file, text) = match path {
            Some(path) => (path.display().to_string(), path.with_extension("ll").display().to_string()),
            None => ("file.bc".to_owned(), "file.ll".to_owned()),
        };
        format!("LLVM bitcode is not read yet; make text of it with: llvm-dis {file} -o {text}")
    }
}

impl Format {
    /// What a file with this name is, unless its content says something else; none where the name says nothing.
    pub fn of_name(path: &Path) -> Option<Format> {
        if path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("makefile")) {
            // `makefile.hip` says how HIP is built.
            return None;
        }
        match path.extension().and_then(OsStr::to_str)? {
            "ll" => Some(Format::Ll),
            "bc" => Some(Format::Bc),
            "mir" => Some(Format::Mir),
            "cl" | "opencl" | "ocl" => Some(Format::Cl),
            "cu" => Some(Format::Cuda),
            "hip" => Some(Format::Hip),
            "c" | "cpp" | "cc" | "cxx" => Some(Format::Cxx),
            _ => None,
        }
    }
}

/// A text without the byte-order mark that it may begin with.
///
/// # Errors
/// When the mark says that the text is not UTF-8, with what it is.
pub(crate) fn without_mark(text: Contents) -> Result<Contents, String> {
    let other = match &text[..] {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "UTF-32",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16",
        _ => {
            let mark = if text.starts_with(MARK) { MARK.len() } else { 0 };
            return Ok(text.without_first(mark));
        }
    };
    Err(format!("this is {other}, expected UTF-8; iconv -f {other} -t UTF-8 translates it"))
}

/// Whether something is bitcode.
fn bitcode(content: &[u8]) -> Option<Format> {
    const BITCODE: &[u8] = b"BC\xC0\xDE";
    const WRAPPED_BITCODE: &[u8] = &0x0B17_C0DE_u32.to_le_bytes();
    (content.starts_with(BITCODE) || content.starts_with(WRAPPED_BITCODE)).then_some(Format::Bc)
}

/// What a text is.
fn kind_of(path: &Path, content: &[u8]) -> Format {
    if begins_like_machine_ir(content) {
        return Format::Mir;
    }
    match Format::of_name(path).or_else(|| of_header(path, content)) {
        Some(Format::Cuda) if Dialect::of_cuda_file(content) == Dialect::Hip => Format::Hip,
        Some(format) if !begins_like_ir(content) => match format {
            Format::Cxx if !is_c(path) => match Dialect::of_cpp_file(content) {
                Dialect::Hip => Format::Hip,
                Dialect::Cuda => Format::Cuda,
                _ => Format::Cxx,
            },
            format => format,
        },
        _ => Format::Ll,
    }
}

/// What a header is that somebody names. In folders, headers are looked at with the files that include them.
fn of_header(path: &Path, content: &[u8]) -> Option<Format> {
    let has = |word: &str| memchr::memmem::find(content, word.as_bytes()).is_some();
    match path.extension().and_then(OsStr::to_str)? {
        "cuh" => Some(Format::Cuda),
        "clh" => Some(Format::Cl),
        "h" | "hh" | "hpp" | "hxx" | "inl" if has("__device__") || has("__global__") => Some(Format::Cuda),
        "h" | "hh" | "hpp" | "hxx" | "inl" => Some(Format::Cxx),
        _ => None,
    }
}

/// Whether a file is C and not C++, by its name.
fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}

/// Whether the first line that is neither blank nor a comment begins as a module does.
fn begins_like_ir(content: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 10] = [
        b"source_filename",
        b"target ",
        b"define ",
        b"declare ",
        b"attributes #",
        b"module asm",
        b"@",
        b"%",
        b"!",
        b"$",
    ];
    let lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let first = lines.take(1000).find(|line| !line.is_empty() && !line.starts_with(b";"));
    first.is_some_and(|line| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)))
}
