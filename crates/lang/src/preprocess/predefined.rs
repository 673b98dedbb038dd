//! Macros that are there before the first line: those of the language and the target, and those of the command line.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::Preprocessor;
use crate::options::{Dialect, LowerTarget, Options};
use crate::source::Location;

/// The definitions for a language and a target, as text.
fn texts(options: &Options) -> Vec<&'static str> {
    let language: &[&str] = match options.dialect {
        Dialect::OpenCl => &[include_str!("predefined/opencl.h")],
        Dialect::C => &[include_str!("predefined/host.h"), include_str!("predefined/c.h")],
        Dialect::Cpp => &[include_str!("predefined/host.h"), include_str!("predefined/cpp.h")],
        Dialect::Cuda => {
            &[include_str!("predefined/host.h"), include_str!("predefined/cpp.h"), include_str!("predefined/cuda.h")]
        }
        Dialect::Hip => {
            &[include_str!("predefined/host.h"), include_str!("predefined/cpp.h"), include_str!("predefined/hip.h")]
        }
    };
    let target: &[&str] = match options.target {
        LowerTarget::Spirv => &[include_str!("predefined/spirv.h")],
        LowerTarget::Amdgpu => &[include_str!("predefined/amdgpu.h")],
        LowerTarget::Nvptx => &[include_str!("predefined/nvptx.h")],
        LowerTarget::Generic => &[],
    };
    [&[include_str!("predefined/common.h")], language, target].concat()
}

/// The options as directives, one line each.
fn command_line(define: &[String], include_first: &[PathBuf]) -> String {
    let mut text = String::new();
    for option in define {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        let value = value.lines().next().unwrap_or_default();
        writeln!(text, "#define {} {value}", name.replace(['\n', '\r'], " ")).expect("a string takes everything");
    }
    // What has other characters in its name cannot be included.
    for name in include_first.iter().filter_map(|path| path.to_str()).filter(|name| !name.contains(['"', '\n'])) {
        writeln!(text, "#include \"{name}\"").expect("a string takes everything");
    }
    text
}

impl Preprocessor<'_> {
    /// Defines everything, the command line last, and includes what comes before the text.
    pub(super) fn predefine(&mut self) {
        let mut texts = texts(self.options).concat();
        if self.options.dialect == Dialect::Cuda {
            let arch = self.options.cuda_arch * 10;
            texts += &format!("#define __CUDA_ARCH__ {arch}\n#define __CUDA_ARCH_LIST__ {arch}\n");
        }
        self.read_definitions("<built-in>", texts);
        let given = command_line(&self.options.define, &self.options.include_first);
        if !given.is_empty() {
            self.read_definitions("<command line>", given);
        }
    }

    fn read_definitions(&mut self, name: &str, text: String) {
        if let Some(index) = self.add_file(PathBuf::from(name), text.into_bytes(), Location::NONE) {
            self.enter(index);
            self.run();
        }
    }
}
