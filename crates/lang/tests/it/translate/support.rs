//! Translations, and what is said of them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::translate::{Translation, translate};
use reconverge_testing::corpus;
use reconverge_testing::llvm::Tools;

pub(crate) const TOKENS: LowerOptions =
    LowerOptions { tokens: true, markers: false, debug: true, origins: false, nsw: false };
pub(crate) const PLAIN: LowerOptions =
    LowerOptions { tokens: false, markers: false, debug: true, origins: false, nsw: false };

/// Translates a text for the target of its dialect.
pub(crate) fn translated(dialect: Dialect, text: impl Into<Vec<u8>>) -> Translation {
    translate(Path::new("input"), text.into(), &Options::new(dialect), SourceModel::default())
}

/// One line for each thing that is wrong, and one for each other place.
pub(crate) fn wrong(translation: &Translation) -> String {
    let place = |location| {
        let position = translation.sources.position(location);
        position.map_or("nowhere".into(), |position| format!("{}:{}", position.line, position.column))
    };
    let mut text = String::new();
    for diagnostic in &translation.diagnostics {
        let severity = match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        };
        let _ = writeln!(text, "{}: {severity}: {}", place(diagnostic.location), diagnostic.message);
        for (location, message) in &diagnostic.related {
            let _ = writeln!(text, "  {}: {message}", place(*location));
        }
    }
    text
}

/// The names of functions with bodies that are part of the program, in order.
pub(crate) fn defined(translation: &Translation) -> Vec<&str> {
    let program = translation.program.iter();
    program
        .flat_map(|program| program.functions.values())
        .filter(|data| data.body.is_some())
        .map(|data| &*data.name)
        .collect()
}

/// The IR of a translation.
pub(crate) fn lowered(translation: &Translation, options: LowerOptions) -> String {
    String::from_utf8(translation.lower(&options).expect("a program").text).expect("UTF-8")
}

/// What our own rules find in IR: what cannot be read, and where tokens break a rule. Kernels may be wrong on purpose.
pub(crate) fn broken_rules(ir: &str) -> Vec<String> {
    match check(ir.as_bytes(), &CheckOptions::default()) {
        Ok(report) => {
            let diagnostics = report.diagnostics();
            let rules = diagnostics.iter().filter(|found| found.code.name() < "RC02");
            rules.map(|found| format!("{}: {}", found.code.name(), found.message)).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

/// What our rules and LLVM's verifier say against IR.
pub(crate) fn objections(ir: &str, tools: Option<&Tools>) -> Vec<String> {
    let mut found = broken_rules(ir);
    match tools.map(|tools| tools.verify(ir)) {
        Some(Ok(verdict)) if !verdict.accepted => found.push(verdict.output),
        Some(Err(error)) => found.push(format!("{error:#}")),
        _ => {}
    }
    found
}

/// The files with kernels, and what they are written in.
pub(crate) fn kernels() -> Vec<(PathBuf, Dialect)> {
    let folders = [
        ("opencl", "cl", Dialect::OpenCl),
        ("run", "cl", Dialect::OpenCl),
        ("source", "cl", Dialect::OpenCl),
        ("source", "cu", Dialect::Cuda),
        ("cuda", "cu", Dialect::Cuda),
    ];
    let wanted = std::env::var("RECONVERGE_CASE").unwrap_or_default();
    let in_folder = |(kind, extension, dialect): (&str, &str, Dialect)| {
        let paths = corpus::cases(kind, extension).expect("the cases");
        paths.into_iter().map(move |path| (path, dialect))
    };
    let examples = std::fs::read_dir(corpus::workspace().join("examples")).expect("the examples");
    let examples = examples.map(|entry| entry.expect("an entry").path());
    let examples = examples.filter(|path| path.extension().is_some_and(|extension| extension == "cl"));
    let examples = examples.map(|path| (path, Dialect::OpenCl));
    folders
        .into_iter()
        .flat_map(in_folder)
        .chain(examples)
        .filter(|(path, _)| path.to_string_lossy().contains(&wanted))
        .collect()
}

/// The targets for which a dialect is lowered. CUDA's functions are those of one.
pub(crate) fn targets(dialect: Dialect) -> &'static [LowerTarget] {
    match dialect {
        Dialect::Cuda => &[LowerTarget::Nvptx],
        Dialect::Hip => &[LowerTarget::Amdgpu],
        _ => &[LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx, LowerTarget::Generic],
    }
}
