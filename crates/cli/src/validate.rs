//! `reconverge validate`: whether a change of a program kept who communicates with whom.
//!
//! `command` writes the commands that run a difference, `tables` shows it, `describe` and `report` say everything, as text and as JSON.

pub(crate) mod command;
pub(crate) mod describe;
pub(crate) mod report;
pub(crate) mod tables;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Instant;

use reconverge::{Comparing, Input, Module, Speaker, StatedBlock, Told};
use reconverge_exec::launch_grammar::extent::Extent;
use reconverge_findings::change::Change;
use reconverge_findings::{Finding, Kind, Severity};
use reconverge_ir::read_functions;
use reconverge_lang::builtins::mangle::in_words;
use reconverge_validate::{Comparison, Verdict};

use crate::arguments::{Compared, ComparedModel, Format, InputFormat, SourceModel, Validate};
use crate::comparing;
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::interestingness::{self, Sought};
use crate::lines::Lines;
use crate::output;
use crate::session::{Session, counted};
use crate::source::{self, Wanted};
use crate::versions::{self, Shown};
use report::Report;
use tables::Style;

/// One of the programs.
pub(crate) struct Version<'v> {
    /// What it is called.
    pub(crate) name: &'v str,
    pub(crate) module: &'v Module,
    pub(crate) lines: Lines<'v>,
    /// The IR, once somebody has asked for it.
    read: OnceLock<Option<reconverge_ir::Module<'v>>>,
}

/// Both of them, and the `--arg`s of the command line.
pub(crate) struct Pair<'v> {
    pub(crate) before: Version<'v>,
    pub(crate) after: Version<'v>,
    pub(crate) given: &'v [String],
    /// Whether both were written as source.
    pub(crate) of_source: bool,
}

impl<'v> Version<'v> {
    pub(crate) fn new(name: &'v str, module: &'v Module) -> Version<'v> {
        Version { name, module, lines: Lines::new(module.ir()), read: OnceLock::new() }
    }

    /// Findings of the module, in words. It is read once more, when there are any.
    pub(crate) fn tell(&self, findings: &[Finding]) -> Vec<Told> {
        if findings.is_empty() {
            return Vec::new();
        }
        let read = || read_functions(self.module.ir(), |_, _, _| ()).ok().map(|(module, _)| module);
        let module = self.read.get_or_init(read).as_ref();
        module.map_or_else(Vec::new, |module| Speaker::new(module, self.module).tell_all(findings))
    }
}

impl<'v> Pair<'v> {
    /// Findings in words, each with the version that has the place.
    pub(crate) fn tell(&self, findings: &[Finding]) -> Vec<(Told, &Version<'v>)> {
        let is_before =
            |finding: &&Finding| matches!(finding.kind, Kind::Change(Change::NotCompared { is_only_before: true, .. }));
        let (before, after): (Vec<Finding>, Vec<Finding>) = findings.iter().cloned().partition(|one| is_before(&one));
        let before = self.before.tell(&before).into_iter().map(|told| (told, &self.before));
        before.chain(self.after.tell(&after).into_iter().map(|told| (told, &self.after))).collect()
    }
}

pub(crate) fn run(session: &Session<'_>, arguments: &Validate) -> anyhow::Result<Status> {
    let paths = [&arguments.before, &arguments.after];
    if paths.iter().all(|path| path.as_os_str() == "-") {
        anyhow::bail!("only one of the two programs can be standard input");
    }
    let asked = Asked {
        compared: &arguments.compared,
        runs: arguments.runs,
        input_format: arguments.input_format,
        clang_flags: &arguments.clang_flags,
        // A page shows the IR.
        of_ir: arguments.report.is_none(),
    };
    if let Some(page) = &arguments.report {
        output::refuse_input(page, paths.map(PathBuf::as_path))?;
    }
    let Some(contents) = read(session, &asked, paths.map(PathBuf::as_path)) else { return Ok(Status::Unusable) };
    let names = paths.map(|path| display(path));
    let comparisons = match compare_contents(session, &asked, [&names[0], &names[1]], [&contents[0], &contents[1]]) {
        Ok(comparisons) => comparisons,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    let version = |index: usize| Version::new(&names[index], &contents[index]);
    let of_source = contents.iter().all(|content| content.source().is_some());
    let pair = Pair { before: version(0), after: version(1), given: &arguments.compared.arg, of_source };
    match arguments.compared.format {
        Format::Json => session.print_json(&Report::new(&pair, &comparisons))?,
        Format::Text => print_text(session, &pair, &comparisons, arguments.uniformity)?,
    }
    if let (Some(path), Some(change)) = (&arguments.interestingness, &arguments.change) {
        write_script(session, arguments, path, change, &comparisons)?;
    }
    if let Some(page) = &arguments.report {
        let shown = Shown {
            modules: [&contents[0], &contents[1]],
            pair: &pair,
            comparisons: Some(&comparisons),
            compared: &arguments.compared,
            options: &comparing::options(session, &arguments.compared, arguments.runs),
            command: versions::command_of(&pair, &arguments.compared),
            bisect: None,
        };
        if let Err(problem) = versions::write(session, page, &shown)? {
            session.note(&format!("{} is not written: {problem}", page.display()));
        }
    }
    let status = status_of(&comparisons, session.global.strict);
    if status == Status::Unusable {
        // Why not is said of each kernel.
        session.complain(&Problem::new(&names[1], "no kernel can be compared with what it was before"));
    }
    Ok(status)
}

/// Writes the script by which a smaller program shows the same, if there is something to show.
fn write_script(
    session: &Session<'_>,
    arguments: &Validate,
    path: &Path,
    change: &str,
    comparisons: &[Comparison],
) -> anyhow::Result<()> {
    let is_different = |comparison: &&Comparison| matches!(comparison.verdict, Verdict::Different(_));
    let Some(different) = comparisons.iter().find(is_different) else {
        session.note(&format!("{} is not written: there is no difference to find again", path.display()));
        return Ok(());
    };
    output::refuse_input(path, [arguments.before.as_path(), arguments.after.as_path()])?;
    let sought = Sought {
        what: format!("{} still changes which threads communicate", change.trim()),
        expected: vec!["\"verdict\": \"different\"".to_owned()],
        findings: &different.findings,
    };
    let options = interestingness::options(&arguments.compared, arguments.runs);
    let command = format!(
        "( {change} ) <\"$1\" >\"$folder/after.ll\" 2>/dev/null || exit 1\n\
         \"$reconverge\" validate \"$1\" \"$folder/after.ll\" {options}"
    );
    interestingness::write(path, &command, &sought)?;
    session.note(&format!(
        "to make it smaller: llvm-reduce --test={} {}",
        interestingness::script(path),
        file(&arguments.before)
    ));
    Ok(())
}

/// A path as a word for a shell.
fn file(path: &Path) -> String {
    reconverge::launches::file(&path.display().to_string())
}

/// Differences are findings, and so are broken rules; where else nothing at all was compared, there is no answer.
fn status_of(comparisons: &[Comparison], strict: bool) -> Status {
    let is_compared = |comparison: &Comparison| !matches!(comparison.verdict, Verdict::NotCompared(_));
    let severities = comparisons.iter().flat_map(|comparison| &comparison.findings).map(|found| found.severity);
    if !comparisons.iter().any(is_compared) && severities.clone().all(|severity| severity != Severity::Error) {
        return Status::Unusable;
    }
    let is_different = comparisons.iter().any(|comparison| matches!(comparison.verdict, Verdict::Different(_)));
    Status::of(severities.chain(is_different.then_some(Severity::Error)), strict)
}

/// How versions are read and compared.
pub(crate) struct Asked<'a> {
    pub(crate) compared: &'a Compared,
    /// How many launches for each kernel and model.
    pub(crate) runs: u64,
    pub(crate) input_format: Option<InputFormat>,
    pub(crate) clang_flags: &'a [String],
    /// Whether what is found in IR with debug information is told in the words of its source.
    pub(crate) of_ir: bool,
}

/// What a path is called.
pub(crate) fn display(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// What both programs are, as IR; says why one cannot be used.
pub(crate) fn read(session: &Session<'_>, asked: &Asked<'_>, paths: [&Path; 2]) -> Option<[Module; 2]> {
    let [before, after] = paths.map(|path| {
        if path.as_os_str() != "-" && path.is_dir() {
            return Err(Problem::new(path.display().to_string(), "expected one file, not a folder"));
        }
        Candidate::named(path, asked.input_format).input(session)
    });
    let open = |input: Result<Input, Problem>, path: &Path, wanted: Wanted| {
        let module = input.and_then(|input| source::open(session, input, path, asked.clang_flags, wanted));
        module.map_err(|problem| session.complain(&problem)).ok()
    };
    // Models that ask the graph know nothing of tokens.
    let without_tokens = matches!(asked.compared.model, Some(ComparedModel::Maximal | ComparedModel::Ipdom));
    let model = match asked.compared.model {
        Some(ComparedModel::Tangles2024_10) => SourceModel::Tangles2024_10,
        Some(ComparedModel::Clang2025_08) => SourceModel::Clang2025_08,
        _ => SourceModel::default(),
    };
    let wanted = Wanted { model, without_tokens, origins: true, of_ir: asked.of_ir, ..Wanted::kernels() }.to_run();
    let before = before.map_err(|problem| session.complain(&problem)).ok()?;
    let after = open(after, paths[1], wanted)?;
    // Compilers use that an overflow of a signed integer is undefined.
    let is_ours = after.source().is_some_and(|source| source.compiler.is_none());
    let before = open(Ok(before), paths[0], Wanted { nsw: !is_ours, ..wanted })?;
    Some([before, after])
}

/// Compares kernel by kernel.
pub(crate) fn compare_contents(
    session: &Session<'_>,
    asked: &Asked<'_>,
    names: [&str; 2],
    contents: [&Module; 2],
) -> Result<Vec<Comparison>, Problem> {
    let comparing = Comparing::new(contents[0], contents[1])?;
    session.note_unknown_triple(names[0], contents[0].unknown_triple());
    let options = comparing::options(session, asked.compared, asked.runs);
    let kernels = comparing.kernels(&options)?;
    if kernels.are_functions {
        session.note("note: there are no kernels here, so every function is compared as if it were one");
    }
    let planned = comparing.plan(kernels, &options)?;
    for (kernel, StatedBlock { block, path, line, .. }) in planned.stated_blocks() {
        let (kernel, block) = (in_words(kernel), Extent(*block));
        session.note(&format!("note: {kernel} has launches with --block {block}, as {path}:{line} launches it"));
    }
    let start = Instant::now();
    let sample = || (session.done.launches.load(Ordering::Relaxed), String::new());
    let comparisons = session.progress.watch(planned.launches(), "runs", sample, || planned.run()).comparisons;
    session.detail(|| {
        let runs = counted(comparisons.iter().map(|comparison| comparison.runs).sum::<u64>() as usize, "run");
        format!("{runs} of each program in {:.1} s", start.elapsed().as_secs_f64())
    });
    Ok(comparisons)
}

/// For each kernel a line; then what is different, and what it was like before.
fn print_text(
    session: &Session<'_>,
    pair: &Pair<'_>,
    comparisons: &[Comparison],
    uniformity: bool,
) -> anyhow::Result<()> {
    let (quiet, color) = (session.global.quiet, session.has_color());
    let style = style(color, pair.of_source);
    let mut output = String::new();
    for comparison in comparisons {
        if !quiet {
            output.push_str(&describe::verdict(comparison, pair.of_source));
            output.push('\n');
            if uniformity {
                output.push_str(&describe::uniformity(comparison));
            }
        }
        let has_more = !comparison.findings.is_empty() || matches!(comparison.verdict, Verdict::Different(_));
        if has_more && !quiet {
            output.push('\n');
        }
        describe::findings(pair, comparison, color, &mut output);
        if let (Verdict::Different(witness), false) = (&comparison.verdict, quiet) {
            describe::witness(pair, witness, style, &mut output);
            output.push('\n');
        }
    }
    session.print(&output)?;
    session.flush()?;
    Ok(())
}

/// What the terminal takes; somebody else than a terminal is taken to have wide lines.
pub(crate) fn style(color: bool, of_source: bool) -> Style {
    const USUAL: usize = 140;
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    Style { width: asked.or_else(terminal).unwrap_or(USUAL), color, of_source }
}
