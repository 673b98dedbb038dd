//! Thread convergence of GPU programs: which threads execute an operation together, checked, explained and executed. The command `reconverge`
//! prints what this library says; a program that embeds it gets the same answers as values.
//!
//! # How to ask
//!
//! An [`Input`] is a text and what it is: LLVM IR, OpenCL C, CUDA, HIP, C or C++. [`open`] makes a [`Module`] of it under some [`Settings`]; source is
//! translated to IR by the built-in front end. What is asked of a module is a function with options of its own:
//!
//! | | |
//! |---|---|
//! | [`check()`] | the static rules of convergence control, and operations under divergent control |
//! | [`Triage`] | which of these findings count: comments in the program, severities, a baseline |
//! | [`Once`] | of several inputs, the findings in the headers that they share, each once |
//! | [`uniformity()`] | which values and branches are the same in all threads of a set, and why not |
//! | [`points()`] | the same of every value and branch, with its place |
//! | [`cycles()`], [`regions()`] | cycle hierarchies; where each convergence token is live |
//! | [`cfg()`] | the control-flow graph of a function, laid out, with where threads diverge and meet |
//! | [`trace()`] | the table of who is converged with whom, for given paths |
//! | [`run()`] | a kernel, executed with data and threads |
//! | [`try_launches()`] | kernels, on launches that are made up until one shows something wrong |
//! | [`validate()`] | whether a change of a program kept who communicates with whom |
//! | [`report()`] | all lines of a program, each with the set of threads that it is uniform in, and the findings |
//! | [`machine_uniformity()`], [`machine_cycles()`] | the same of machine IR (`.mir`), which [`open_machine`] opens |
//! | [`transform()`] | changes of IR that keep its convergence |
//!
//! ```
//! use reconverge::{CheckOptions, Input, Settings, check};
//!
//! let kernel = "__kernel void k(__global int *a) {
//!     if (get_local_id(0) < 7)
//!         barrier(CLK_LOCAL_MEM_FENCE);
//! }";
//! let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
//! let found = check(&module, &CheckOptions::default())?.report(&module);
//! assert_eq!((found.diagnostics[0].code, found.diagnostics[0].line), ("RC0209", 3));
//! # Ok::<(), reconverge::Error>(())
//! ```
//!
//! A kernel on a buffer, and the uniformity of one value, are `examples/run_a_kernel.rs` and `examples/ask_a_value.rs`.
//!
//! # What holds everywhere
//!
//! - Answers are owned, and what `--format json` prints is how they serialise; of a check, its [report](Checked::report). (What [`validate()`] answers is plain data only.) They are
//!   `#[non_exhaustive]`: fields may be added.
//! - The target of a module is decided when it is opened and holds for all questions ([`Module::target`]).
//! - Nothing is read from a disk unless [`Settings::files`] is one: a [`FileSystem`] has the files that an `#include`, a target or an argument of a launch
//!   names. There are [`Disk`] and [`InMemory`], and implementing one is three functions. No compiler is started and no variable of the environment is read.
//! - What cannot be done is an [`Error`] with a kind, a place and a sentence. No input makes a function panic. Sentences call options as the command line does.
//! - Work is bounded by [`Limits`], ended by [`Control::cancel`] and watched by [`Control::watched`].
//! - Functions of a module are looked at in parallel, on the threads of the current `rayon` pool; answers do not depend on how many there are.
//!
//! # WebAssembly
//!
//! It builds for `wasm32-unknown-unknown` as it is, and the examples run there: `rayon` then uses the thread that there is, source is translated on its stack (so
//! [`Limits`] let statements and expressions nest less), and there is no disk.
//!
//! # Parts of it
//!
//! For an IR of one's own, the analyses do not need any of this: `reconverge-analysis` (uniformity, from a graph with values), `reconverge-semantics` (who is converged
//! with whom on given paths) and `reconverge-graph` take plain data. `crates/analysis/examples/toy_ir.rs` is a whole example.

pub mod cfg;
mod check;
mod control;
mod cycles;
mod error;
mod findings;
mod input;
mod launch;
pub mod lines;
mod m_converged;
mod machine;
mod module;
pub mod near;
mod once;
mod regions;
mod report;
mod run;
mod settings;
mod source;
mod target;
mod timeline;
mod trace;
mod transform;
mod triage;
mod tried;
mod uniformity;
mod validate;
pub mod visible;

pub use cfg::{Cfg, CfgOptions, FunctionGraph, GraphBlock, GraphCycle, GraphEdge, GraphLine, GraphPoint, cfg};
pub use check::{CheckOptions, CheckReport, Checked, WHOLE, check};
pub use control::{Control, Progress};
pub use cycles::{Cycle, Cycles, CyclesOptions, FunctionCycles, Hierarchies, cycles};
pub use error::{Details, Error, ErrorKind, Excerpt, Position, Quote, Related};
pub use findings::{FindingReport, FindingsInFile, RelatedReport, Speaker, SuppressionReport, Told, severity_name};
pub use input::{Format, Input};
pub use launch::extent;
pub use m_converged::NotMConverged;
pub use machine::{MachineAnswer, MachineModule, machine_cycles, machine_uniformity, open_machine};
pub use module::{Module, open, open_after};
pub use once::{Once, SharedFile, SharedFinding};
pub use reconverge_analysis::target::{Degree, Scope, Target};
pub use reconverge_analysis::uniformity::refinements::RefinementKind;
pub use reconverge_files::{Disk, FileSystem, InMemory, NamedBy};
pub use reconverge_findings::{Code, Diagnostic, Finding, Severity, Suppression};
pub use reconverge_lang::options::{Entry, Reading, SourceModel};
pub use regions::{FunctionRegions, Part, Region, Regions, RegionsOptions, SourceRegion, Use, regions};
pub use report::{Report, ReportFile, ReportLine, ReportOptions, ReportPoint, report};
pub use run::{Prepared, Run, RunOptions, SOURCE_MODELS, prepare, run, source_model_name};
pub use settings::{Limits, Settings, SourceSettings};
pub use source::{
    AssumedMacro, Coverage, LeftOutFunction, Source, SourceFiles, SourceFunction, SourceLines, SourceWords,
    StatedBlock, Translated, UnknownThing, UnsaidOperation,
};
pub use target::{find_target, is_target_file};
pub use timeline::{
    PICTURE_STYLE, Picture, PictureColumn, Shape, Timeline, TimelineColumn, TimelineRow, TimelineSet, Timelines,
    compare_timelines, launch_to_show, ranges, svg_of_timelines, timeline_of_run, timelines, timelines_of_paths,
    timelines_of_trace,
};
pub use trace::{
    AllModels, BlockInSource, HierarchyReport, ModelReport, PairInstance, PairReport, PairThread, PairsReport,
    SourceInstance, SourceReport, SourceThread, TraceAnswer, TraceHeaders, TraceInstance, TraceModel, TraceOperation,
    TraceOptions, TraceThread, Traced, trace, trace_run,
};
pub use transform::{Candidate, Loosened, Pass, PassDone, Refused, Transformed, Verdict, transform};
pub use triage::{Baseline, Level, NewBaseline, Rules, Triage, absolute};
pub use tried::{OtherEnd, Shown, Tried, TryOptions, try_launches};
pub use uniformity::{
    Against, Answered, At, Change, Counted, Detail, Disagreement, Divergent, DivergentCycles, Explanation, FileSpan,
    FunctionAgainst, FunctionDiff, FunctionPoints, FunctionUniformity, Judgement, Point, Reason, Refined, SourcePlace,
    SourceReason, SourceUniformity, Step, Terminators, Uniformity, UniformityDiff, UniformityOptions, Worth, against,
    annotate, line_of_question, points, uniformity, uniformity_diff,
};
pub use validate::{Comparing, Kernels, Planned, ValidateOptions, Validation, validate};

/// What launches are made of, and what comes out of them.
pub mod launches {
    pub use crate::launch::command::{argument_text, file, quoted, run_command};
    pub use reconverge_exec::launch::{
        AnchorPolicy, Argument, Buffer, Contents, Element, Event, Launch, Limits, MaskReading, Model, OperationProfile,
        Outcome, Schedule,
    };
    pub use reconverge_exec::literal::Number;
    pub use reconverge_exec::{KernelInfo, ParameterInfo, Program};
    pub use reconverge_validate::{Comparison, Difference, Model as ComparedModel, Side, Verdict, Witness};
}
