//! What is known of a module, line by line: which set of threads each line is uniform in and why not, and what is wrong.
//!
//! It is what [`check()`](crate::check()) and [`uniformity()`](crate::uniformity()) answer, put together for whoever shows a program. `docs/report.md` has the schema.

use std::ops::Not;

use rustc_hash::FxHashMap;
use serde::Serialize;

use reconverge_analysis::target::Scope;
use reconverge_exec::launch::Launch;
use reconverge_ir::origin::FunctionOrigins;
use reconverge_valid::read_functions;

use crate::cfg::{Steps, explained};
use crate::lines::Lines;
use crate::timeline::{Timelines, timelines, timelines_of_paths};
use crate::uniformity::scope_keyword;
use crate::{
    CfgOptions, CheckOptions, CheckReport, Error, ErrorKind, Explanation, FunctionGraph, Module, PassDone, Position,
    Step, TraceOptions, UniformityOptions, ValidateOptions, check, uniformity,
};

/// The version of the schema; it changes where a field goes or means something else.
const SCHEMA: u32 = 1;

/// What is asked of a report.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions<'o> {
    /// What is asked of the check in it.
    pub check: CheckOptions,
    /// The kernel whose run is shown, and what is given of the launch.
    pub launch: ValidateOptions,
    /// Launches whose runs are shown, each under its model, in place of those that are chosen.
    pub launches: Vec<Launch>,
    /// The same source, read by other texts that define convergence: the runs of these are shown beside those of the module.
    pub readings: Vec<&'o Module>,
    /// Paths whose tables are shown in place of a run.
    pub paths: Option<TraceOptions>,
}

/// A program with what is known of its lines.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of the schema.
    pub schema: u32,
    /// What the input is called.
    pub input: String,
    /// The target that all questions are answered for.
    pub target: String,
    /// What passes did to the IR before it was looked at, one after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassDone>,
    /// The files of the source, the input first; none where the input is IR.
    pub files: Vec<ReportFile>,
    /// The lines of the IR.
    pub ir: Vec<ReportLine>,
    /// What the lines compute and decide: of the source where there is one, else of the IR.
    pub points: Vec<ReportPoint>,
    /// The control-flow graphs of the functions, as [`cfg()`](crate::cfg()) answers them; their chains are numbers of `steps`.
    pub graphs: Vec<FunctionGraph>,
    /// The steps of all chains, each once.
    pub steps: Vec<Step>,
    /// What [`check()`](crate::check()) has found.
    pub check: CheckReport,
    /// What of the source is not understood, each with its place: what a kernel reaches that is not known, what is left out, headers that are missing.
    pub not_understood: Vec<Error>,
    /// Who is together, step by step.
    pub time: Timelines,
}

/// A file of the source.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ReportFile {
    /// Its name.
    pub path: String,
    /// Its lines.
    pub lines: Vec<ReportLine>,
}

/// A line.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ReportLine {
    /// What it says.
    pub text: String,
    /// The widest set in which all that it computes and decides is uniform: `grid`, `workgroup`, `subgroup` or, where there is none, `divergent`. Absent where it does neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform_in: Option<&'static str>,
    /// Of a divergent line: whether nothing of it is computed from what certainly differs between threads. Whether threads get different values is then up to the paths that they take, to memory, or to a call.
    #[serde(skip_serializing_if = "Not::not")]
    pub may: bool,
    /// Of IR: the line of the source that it was made from, as the number of the file and the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<(usize, usize)>,
}

/// A value or a branch.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ReportPoint {
    /// What it is called.
    pub name: String,
    /// The function that it is in, with its sigil.
    pub function: String,
    /// Of source: the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The widest set in which it is uniform, as of a [line](ReportLine::uniform_in).
    pub uniform_in: &'static str,
    /// Whether it is divergent, and not computed from what certainly differs, as of a [line](ReportLine::may).
    #[serde(skip_serializing_if = "Not::not")]
    pub may: bool,
    /// The verdict in words, to follow the name.
    pub verdict: String,
    /// Why it is divergent in a subgroup: numbers of [steps](Report::steps), back to a source.
    pub chain: Vec<usize>,
}

/// What is known of a module, line by line.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{Input, ReportOptions, Settings, report};
/// let kernel = "kernel void k(global int *a, int n) {
///     a[0] = n + 1;
///     a[1] = (int)get_local_id(0) * 2;
/// }";
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
/// let report = report(&module, &ReportOptions::default())?;
/// let sets: Vec<_> = report.files[0].lines.iter().map(|line| line.uniform_in).collect();
/// assert_eq!(sets[1..3], [Some("grid"), Some("divergent")]);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn report(module: &Module, options: &ReportOptions<'_>) -> Result<Report, Error> {
    let check = check(module, &options.check)?.report(module);
    let runs = || match &options.paths {
        Some(paths) => timelines_of_paths(module, paths),
        None => timelines(module, options, &check.diagnostics),
    };
    let (text, time) = rayon::join(|| Text::new(module), runs);
    let Text { files, ir, points, graphs, steps } = text?;
    let time = time?;
    let (input, target) = (module.name().to_owned(), module.target().name().to_owned());
    Ok(Report {
        schema: SCHEMA,
        input,
        target,
        passes: module.passes().to_vec(),
        files,
        ir,
        points,
        graphs,
        steps,
        check,
        not_understood: not_understood(module),
        time,
    })
}

/// What is known of the lines.
struct Text {
    files: Vec<ReportFile>,
    ir: Vec<ReportLine>,
    points: Vec<ReportPoint>,
    graphs: Vec<FunctionGraph>,
    steps: Vec<Step>,
}

impl Text {
    fn new(module: &Module) -> Result<Text, Error> {
        let mut files = source_files(module);
        let mut ir = lines_of(module.ir());
        let graphs = explained(module, &CfgOptions::default())?;
        for (found, _) in graphs.iter().flat_map(|function| &function.points) {
            narrow(&mut ir, found);
        }
        link(module, &files, &mut ir)?;
        let points = if files.is_empty() {
            graphs.iter().flat_map(|function| function.points.iter().map(|(found, _)| found.clone())).collect()
        } else {
            let asked: Vec<String> = files.iter().flat_map(|file| questions(&file.path, file.lines.len())).collect();
            let of_source = explanations(module, &asked)?;
            for found in &of_source {
                let file = files.iter_mut().find(|file| Some(&file.path) == found.at.file.as_ref());
                file.into_iter().for_each(|file| narrow(&mut file.lines, found));
            }
            of_source
        };
        let mut steps = Steps::default();
        let points = points.into_iter().filter(|found| !found.unreachable).map(|found| steps.point(found)).collect();
        let graphs = graphs.into_iter().map(|function| function.graph(&mut steps)).collect();
        Ok(Text { files, ir, points, graphs, steps: steps.all })
    }
}

/// What of the source is not understood.
fn not_understood(module: &Module) -> Vec<Error> {
    let Some(coverage) = module.source().and_then(|source| source.coverage.as_ref()) else { return Vec::new() };
    let unknown = coverage.first_unknown.iter().map(|(kernel, error)| {
        let kernel = reconverge_lang::builtins::mangle::as_written(kernel);
        Error { message: format!("`{kernel}` is analysed with unknowns: {}", error.message), ..error.clone() }
    });
    let left_out = coverage.left_out.iter().map(|function| {
        let message = format!("`{}` is not analysed: {}", function.name, function.reason);
        let error = Error::new(ErrorKind::Unsupported, module.name(), message);
        if function.line == 0 { error } else { error.at(Position { line: function.line, column: 1 }) }
    });
    unknown
        .chain(left_out)
        .chain(coverage.missing_headers.clone())
        .chain(coverage.passed_over.clone())
        .chain(coverage.unread.clone())
        .collect()
}

/// The files of the source, the input first.
fn source_files(module: &Module) -> Vec<ReportFile> {
    let Some(source) = module.source() else { return Vec::new() };
    let mut paths: Vec<String> = source.words.files.paths().iter().map(|path| path.display().to_string()).collect();
    paths.sort_by_key(|path| (path != module.name(), path.clone()));
    let file = |path: String| Some(ReportFile { lines: lines_of(&source.words.files.text(&path)?), path });
    paths.into_iter().filter_map(file).collect()
}

/// The lines of a text; not the empty one behind its last newline.
fn lines_of(text: &[u8]) -> Vec<ReportLine> {
    let lines = Lines::new(text.strip_suffix(b"\n").unwrap_or(text));
    let line = |range: std::ops::Range<usize>| ReportLine {
        text: String::from_utf8_lossy(&text[range]).into_owned(),
        uniform_in: None,
        may: false,
        source: None,
    };
    (0..).map_while(|number| lines.get(number)).map(line).collect()
}

/// A question for each line of a file.
fn questions(path: &str, lines: usize) -> Vec<String> {
    (1..=lines).map(|line| format!("{path}:{line}")).collect()
}

fn explanations(module: &Module, explain: &[String]) -> Result<Vec<Explanation>, Error> {
    let options = UniformityOptions { explain: explain.to_vec(), ..UniformityOptions::default() };
    Ok(uniformity(module, &options)?.explanations.unwrap_or_default())
}

/// What a set of threads is called; `divergent` for none.
fn set_name(set: Option<Scope>) -> &'static str {
    set.map_or("divergent", scope_keyword)
}

/// What something is uniform in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UniformIn {
    /// The name of the widest set, or `divergent`.
    pub(crate) set: &'static str,
    /// Whether it is divergent, and not certainly.
    pub(crate) may: bool,
}

impl UniformIn {
    pub(crate) fn new(found: &Explanation) -> UniformIn {
        UniformIn { set: set_name(found.uniform_in), may: found.may }
    }

    /// What is true of both together: the narrower set, and what is certain of one.
    pub(crate) fn and(self, other: UniformIn) -> UniformIn {
        const NARROWEST_FIRST: [&str; 4] = ["divergent", "subgroup", "workgroup", "grid"];
        let rank = |one: UniformIn| (NARROWEST_FIRST.iter().position(|name| *name == one.set), one.may);
        if rank(other) < rank(self) { other } else { self }
    }
}

/// Says of a line that it computes something that is uniform in no wider set than this.
fn narrow(lines: &mut [ReportLine], found: &Explanation) {
    let Some(line) = found.at.line.checked_sub(1).and_then(|line| lines.get_mut(line)) else { return };
    if found.unreachable {
        return;
    }
    let new = UniformIn::new(found);
    let all = line.uniform_in.map_or(new, |set| UniformIn { set, may: line.may }.and(new));
    (line.uniform_in, line.may) = (Some(all.set), all.may);
}

/// Says of the lines of IR which lines of the source they were made from.
fn link(module: &Module, files: &[ReportFile], ir: &mut [ReportLine]) -> Result<(), Error> {
    let Some(source) = module.source() else { return Ok(()) };
    let lines = Lines::new(module.ir());
    let numbers: FxHashMap<&str, usize> = files.iter().zip(0..).map(|(file, number)| (&*file.path, number)).collect();
    let (_, found) = read_functions(module.ir(), |index, id, function| {
        let origins = FunctionOrigins::new(index, id, function, source.words.origins.as_ref());
        let of_instruction = |inst| {
            let place = origins.of_instruction(inst)?.place;
            let number = *numbers.get(&*place.file.path.display().to_string())?;
            Some((number, place.line()?.0 as usize))
        };
        let instructions = function.instructions.iter();
        let links = instructions
            .filter_map(|(inst, data)| Some((lines.line_of(data.span.range().start), of_instruction(inst)?)));
        links.collect::<Vec<_>>()
    })
    .map_err(|error| module.not_ir(&error))?;
    for (line, place) in found.into_iter().flatten() {
        ir[line].source = Some(place);
    }
    Ok(())
}

impl Steps {
    fn point(&mut self, found: Explanation) -> ReportPoint {
        let UniformIn { set: uniform_in, may } = UniformIn::new(&found);
        ReportPoint {
            uniform_in,
            may,
            chain: found.chain.into_iter().map(|step| self.number(step)).collect(),
            name: found.name,
            function: found.function,
            file: found.at.file,
            line: found.at.line,
            verdict: found.verdict_words,
        }
    }
}
