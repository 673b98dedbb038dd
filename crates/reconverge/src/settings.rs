//! What holds for an input from when it is opened.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use reconverge_analysis::target::Target;
use reconverge_exec::launch::Limits as RunLimits;
use reconverge_files::{FileSystem, InMemory};
use reconverge_lang::options::{CUDA_ARCH, Entry, Limits as SourceLimits, Reading, SourceModel};

use crate::Control;

/// What holds for an input from when it is [opened](crate::open).
///
/// By default there are no files but the input itself, and the target is what the module says.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The target, in place of the one that the triple of a module says, or that the language of a source file is usually for.
    pub target: Option<Cow<'static, Target>>,
    /// How source is translated.
    pub source: SourceSettings,
    /// Where work ends that could go on.
    pub limits: Limits,
    /// Where files are that an input or an argument of a launch names.
    pub files: Arc<dyn FileSystem>,
    /// Ends work early, and is told how far it is.
    pub control: Control,
    /// How many threads a run may use; 0: as many as there are cores. The analyses run on those of the current `rayon` pool. What comes out
    /// never depends on it.
    pub threads: usize,
}

/// How source is translated.
#[derive(Debug, Clone)]
pub struct SourceSettings {
    /// Folders in which `#include` looks, after that of the including file.
    pub include: Vec<PathBuf>,
    /// Macros: `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`.
    pub define: Vec<String>,
    /// Whether that is what the build defines, and all of it. Else, with a [reading](SourceSettings::reading) that is not [`Reading::Whole`], a file without kernels is read with the names
    /// defined that its conditionals ask for before they have some; [`Coverage::assumed`](crate::Coverage::assumed) has them.
    pub defines_are_known: bool,
    /// Files that are included before the text.
    pub include_first: Vec<PathBuf>,
    /// Of CUDA: the processor that is compiled for, `80` for `sm_80`; it decides `__CUDA_ARCH__`.
    pub cuda_arch: u32,
    /// What is done about text that is not understood.
    pub reading: Reading,
    /// Whether C and C++ in which no word says what is convergent, headers included, is read as a program without functions: nothing could be found in it, and of a project most files are
    /// such. [`Coverage::is_passed_over`](crate::Coverage::is_passed_over) has it.
    pub passes_over_host: bool,
    /// The text that defines convergence.
    pub model: SourceModel,
    /// What the environment defines of threads that come into the program; where it is not said, the threads of a workgroup are together in kernels, and nobody in `main` of C and C++.
    pub entry: Option<Entry>,
    /// Whether the IR has tokens that say what the model says.
    pub tokens: bool,
    /// Whether the IR of another compiler gets tokens, too, from the statements that the built-in front end reads ([`Translated::with_ir`](crate::Translated::with_ir)).
    pub matched_tokens: bool,
    /// Whether an overflow of a signed integer is undefined, as C and C++ have it, and not what devices make of it. So it has to be for a program that is
    /// compared with what another compiler made of it.
    pub nsw: bool,
    /// Whether the IR marks where statements and full expressions begin, with calls of `@reconverge.marker`.
    pub markers: bool,
    /// Whether the IR has debug locations, by which findings go back to the source.
    pub debug: bool,
    /// Whether it is kept what each instruction of the IR is in the source: findings and explanations then speak of variables and expressions as they are
    /// written.
    pub origins: bool,
    /// Whether findings and explanations of IR that has debug information are in the words of the source that it names, and shown in its files, where these can be read.
    pub of_ir: bool,
    /// Whether the statements of the source are kept beside the IR, which takes more room than the IR: [`trace`](crate::trace()) asks them, and [`run`](crate::run()) by the rules of a text for which there are no tokens, with
    /// [markers](SourceSettings::markers).
    pub statements: bool,
}

/// Where work ends that could go on. `docs/limits.md` describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one input.
    pub input_bytes: u64,
    /// Of the built-in front end.
    pub source: SourceLimits,
    /// Of what executes.
    pub run: RunLimits,
    /// Parts of blocks in all [regions](crate::regions) of one function, which nested regions have quadratically many of.
    pub region_parts: usize,
    /// Executions of operations that a run keeps.
    pub events: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            target: None,
            source: SourceSettings::default(),
            limits: Limits::default(),
            files: Arc::new(InMemory::default()),
            control: Control::default(),
            threads: 0,
        }
    }
}

impl Default for SourceSettings {
    fn default() -> SourceSettings {
        SourceSettings {
            include: Vec::new(),
            define: Vec::new(),
            defines_are_known: false,
            include_first: Vec::new(),
            cuda_arch: CUDA_ARCH,
            reading: Reading::default(),
            passes_over_host: false,
            model: SourceModel::default(),
            entry: None,
            tokens: true,
            matched_tokens: false,
            nsw: false,
            markers: false,
            debug: true,
            origins: true,
            of_ir: false,
            statements: false,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            input_bytes: 8 << 30,
            source: SourceLimits::default(),
            run: RunLimits::default(),
            region_parts: 2_000_000,
            events: 100_000,
        }
    }
}
