//! Which threads are there together: thread convergence of GPU programs, for programs that want to know.

mod check;
mod control;
mod cycles;
mod error;
mod findings;
mod input;
mod launch;
pub mod lines;
mod module;
pub mod near;
mod regions;
mod run;
mod settings;
mod source;
mod target;
mod transform;
mod uniformity;
mod validate;

pub use check::{CheckOptions, CheckReport, Checked, check};
pub use control::{Control, Progress};
pub use cycles::{Cycle, Cycles, CyclesOptions, FunctionCycles, Hierarchies, cycles};
pub use error::{Details, Error, ErrorKind, Excerpt, Position, Quote, Related};
pub use findings::{FindingReport, FindingsInFile, RelatedReport, Speaker, Told, severity_name};
pub use input::{Format, Input};
pub use module::{Module, open};
pub use reconverge_analysis::target::{Degree, Scope, Target};
pub use reconverge_analysis::uniformity::refinements::RefinementKind;
pub use reconverge_files::{Disk, FileSystem, InMemory, NamedBy};
pub use reconverge_findings::{Code, Diagnostic, Finding, Severity};
pub use reconverge_lang::options::SourceModel;
pub use regions::{FunctionRegions, Part, Region, Regions, RegionsOptions, Use, regions};
pub use run::{Prepared, Run, RunOptions, prepare, run};
pub use settings::{Limits, Settings, SourceSettings};
pub use source::{Source, SourceFiles, Translated};
pub use target::find_target;
pub use transform::{Candidate, Pass, Refused, Transformed, Verdict, transform};
pub use uniformity::{
    Answered, Divergent, DivergentCycles, Explanation, FunctionUniformity, Reason, Refined, SourcePlace, Step,
    Terminators, Uniformity, UniformityOptions, Worth, line_of_question, uniformity,
};
pub use validate::{Comparing, Kernels, Planned, ValidateOptions, Validation, validate};

/// What launches are made of, and what comes out of them.
pub mod launches {
    pub use reconverge_exec::launch::{
        AnchorPolicy, Argument, Buffer, Contents, Element, Event, Launch, Limits, MaskReading, Model, OperationProfile,
        Outcome, Schedule,
    };
    pub use reconverge_exec::literal::Number;
    pub use reconverge_exec::{KernelInfo, ParameterInfo, Program};
    pub use reconverge_validate::{Comparison, Difference, Model as ComparedModel, Side, Verdict, Witness};
}
