//! Source files as input: the library's own front end reads a file first; `clang` makes IR of one that it does not understand.

mod clang;

use std::collections::HashMap;
use std::path::Path;

use reconverge::{
    Coverage, Error, ErrorKind, Input, Module, Reading, Settings, SourceSettings, Translated, UnknownThing,
};

use serde::Serialize;

use crate::arguments::{self, Entry, Frontend, SourceModel};
use crate::input::Problem;
use crate::session::Session;
pub(crate) use clang::{Clang, find as find_clang};
use clang::{SourceFile, Trouble};

/// What says which threads are converged in IR without tokens.
const MODEL_OF_IR: &str = "maximal";

/// That a compiler has read a source file.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReadBy {
    #[serde(skip)]
    pub(crate) path: String,
    compiler: String,
    /// Why our own front end has not.
    reason: String,
    /// What its convergence is taken from, in place of the model of the source.
    model: &'static str,
}

/// What a verb wants of a source file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// The text that defines convergence.
    pub(crate) model: SourceModel,
    /// The IR has no tokens.
    pub(crate) without_tokens: bool,
    /// The IR says where statements begin.
    pub(crate) markers: bool,
    /// The IR has no debug locations.
    pub(crate) without_debug: bool,
    /// What is found is told in the words of the source.
    pub(crate) origins: bool,
    /// What the source means is looked at, not only its IR.
    pub(crate) translation: bool,
    /// What the environment defines, where that is said.
    pub(crate) entry: Option<Entry>,
    /// What is done about text that is not understood.
    pub(crate) reading: Reading,
    /// Rules that the source breaks are findings: nothing is said of them when it is read.
    pub(crate) finds_breaches: bool,
}

impl Wanted {
    /// The same, to be run: by tokens, or by the statements themselves where the text has no tokens.
    pub(crate) fn to_run(self) -> Wanted {
        match self.model {
            SourceModel::Clang2025_04 => self,
            _ => Wanted { without_tokens: true, markers: true, translation: true, ..self },
        }
    }

    /// What an analysis wants, which is good for the functions that it can have.
    pub(crate) fn analysis() -> Wanted {
        Wanted { reading: Reading::Kernels, ..Wanted::default() }
    }
}

impl From<arguments::SourceModel> for reconverge::SourceModel {
    fn from(model: arguments::SourceModel) -> reconverge::SourceModel {
        match model {
            arguments::SourceModel::Clang2025_04 => reconverge::SourceModel::Clang2025_04,
            arguments::SourceModel::Tangles2024_10 => reconverge::SourceModel::Tangles2024_10,
            arguments::SourceModel::Clang2025_08 => reconverge::SourceModel::Clang2025_08,
        }
    }
}

impl From<Entry> for reconverge::Entry {
    fn from(entry: Entry) -> reconverge::Entry {
        match entry {
            Entry::Converged => reconverge::Entry::Converged,
            Entry::Alone => reconverge::Entry::Alone,
            Entry::Implementation => reconverge::Entry::Implementation,
        }
    }
}

/// What holds for an input of which this is wanted.
pub(crate) fn settings(session: &Session<'_>, wanted: Wanted) -> Settings {
    let of_session = &session.settings;
    let source = SourceSettings {
        model: wanted.model.into(),
        entry: wanted.entry.map(Into::into),
        tokens: !wanted.without_tokens,
        markers: wanted.markers,
        debug: !wanted.without_debug,
        origins: wanted.origins,
        statements: wanted.translation,
        reading: wanted.reading,
        ..of_session.source.clone()
    };
    Settings { source, ..of_session.clone() }
}

/// What an input is, as IR: source is translated as `wanted`, and what cannot be is said on standard error. `path` is the file, as the command line names it.
pub(crate) fn open(
    session: &Session<'_>,
    input: Input,
    path: &Path,
    clang_flags: &[String],
    wanted: Wanted,
) -> Result<Module, Problem> {
    let settings = settings(session, wanted);
    if input.dialect().is_none() {
        return Ok(reconverge::open(input, &settings)?);
    }
    let module = translate(session, input, path, clang_flags, &settings)?;
    for note in module.notes() {
        if note.kind != ErrorKind::Rule || !wanted.finds_breaches {
            say(session, module.name(), note);
        }
    }
    if let Some(coverage) = module.source().and_then(|source| source.coverage.as_ref()) {
        note_passed_over(session, module.name(), coverage);
        note_unknowns(session, module.name(), coverage);
    }
    Ok(module)
}

/// What is to be known of a source file that was read, on standard error.
fn say(session: &Session<'_>, input: &str, note: &Error) {
    let problem = Problem::from(note.clone());
    if problem.path != input && !session.is_new(&problem) {
        return;
    }
    if matches!(note.kind, ErrorKind::Unsupported | ErrorKind::Rule) {
        // It decides about the exit status.
        session.complain(&problem);
    } else {
        session.note(&problem.to_string());
        problem.shown.iter().for_each(|line| session.note(line));
    }
}

/// Translates a source file.
fn translate(
    session: &Session<'_>,
    input: Input,
    path: &Path,
    clang_flags: &[String],
    settings: &Settings,
) -> Result<Module, Problem> {
    let options: &arguments::SourceOptions = &session.global.source;
    // Standard input is no file by that name.
    let name = path.display().to_string();
    let problem = |message: String| Problem::new(name.clone(), message);
    let file = input.clone();
    let translation = Translated::new(input, settings)?;
    if options.frontend == Frontend::Builtin {
        return finish(translation, settings);
    }
    let reason = match (options.frontend, translation.obstacle()) {
        (Frontend::Auto, None) => {
            let part = if translation.has_passed_over() { "what its kernels need" } else { "all of it" };
            session.detail(|| format!("{name}: read by the built-in front end, which understands {part}"));
            return finish(translation, settings);
        }
        // What is too large for ours may keep clang busy without end, and clang knows no rule on convergence that ours finds broken.
        (Frontend::Auto, Some(_)) if translation.is_final() => return finish(translation, settings),
        (_, obstacle) => obstacle.map(|error| match error.position {
            Some(position) => format!("line {}: {}", position.line, error.message),
            None => error.message,
        }),
    };
    let clang = match (session.clang(), options.frontend) {
        (Ok(clang), _) => clang,
        (Err(missing), Frontend::Auto) => {
            // An error is said anyway.
            if let (Some(reason), false) = (&reason, translation.has_errors()) {
                session.note(&format!("{name}: read by the built-in front end, as {missing} ({reason})"));
            }
            return finish(translation, settings);
        }
        (Err(missing), _) => return Err(problem(format!("{missing}; --clang PATH says where one is"))),
    };
    let file =
        SourceFile { path, dialect: file.dialect().expect("it is source"), text: file.into_bytes(), clang_flags };
    match (clang.translate(&file, translation.target(), options), options.frontend) {
        (Ok(ir), _) => {
            let reason = reason.unwrap_or_else(|| "as --frontend asks".to_owned());
            let compiler = clang.path.display().to_string();
            session.note(&format!(
                "{name}: read by {compiler} ({reason}); its IR does not say which threads the statements keep together, so LLVM's rules hold \
                 ({MODEL_OF_IR})"
            ));
            session.note_read_by(ReadBy { path: name, compiler: compiler.clone(), reason, model: MODEL_OF_IR });
            // The statements are those that our own front end understands.
            Ok(translation.with_ir(ir, compiler, settings))
        }
        // Clang does not understand it either: what ours says is closer to the text.
        (Err(Trouble::Text(problem)), Frontend::Auto) => {
            if !translation.has_errors() {
                session.note(&format!(
                    "{name}: read by the built-in front end, as {} does not understand it either ({problem})",
                    clang.path.display()
                ));
            }
            finish(translation, settings)
        }
        // Nobody knows what it would have said.
        (Err(Trouble::Tool(problem)), Frontend::Auto) => {
            session.complain(&problem);
            finish(translation, settings)
        }
        (Err(trouble), _) => Err(trouble.problem()),
    }
}

/// The IR of what was understood.
fn finish(translation: Translated, settings: &Settings) -> Result<Module, Problem> {
    Ok(translation.finish(settings)?)
}

/// Says how many kernels have unknowns, and why; with `-v` what is not known.
fn note_unknowns(session: &Session<'_>, name: &str, coverage: &Coverage) {
    let Coverage { analysed_kernels, kernels_with_unknowns, first_unknown, .. } = coverage;
    for (_, open) in &coverage.first_open {
        let line = open.position.map_or(0, |position| position.line);
        session.detail(|| format!("  {name}:{line}: analysed for all values and types: {}", open.message));
    }
    let Some((_, first)) = first_unknown.first() else { return };
    let place = match first.position {
        Some(position) if first.path == name => format!("line {}: ", position.line),
        Some(position) => format!("{}:{}: ", first.path, position.line),
        None => String::new(),
    };
    let kernels = if *analysed_kernels == 1 { "kernel" } else { "kernels" };
    let causes = causes(coverage);
    let more = if causes.len() > 1 && !session.global.verbose { " (-v lists all)" } else { "" };
    session.note(&format!(
        "{name}: {kernels_with_unknowns} of {analysed_kernels} {kernels} analysed with unknowns: {place}{}{more}",
        first.message
    ));
    for (first, others) in causes {
        session.detail(|| {
            let path = first.path.as_deref().unwrap_or(name);
            let others = match others {
                0 => String::new(),
                1 => " and 1 other function".to_owned(),
                others => format!(" and {others} other functions"),
            };
            format!("  {path}:{}: `{}` is not known, in `{}`{others}", first.line, first.name, first.function)
        });
    }
}

/// What is not known, each thing where it is used first, and in how many functions more.
fn causes(coverage: &Coverage) -> Vec<(&UnknownThing, usize)> {
    let mut causes: Vec<(&UnknownThing, usize)> = Vec::new();
    let mut known = HashMap::new();
    for unknown in &coverage.unknown {
        let index = *known.entry(&unknown.name).or_insert(causes.len());
        match causes.get_mut(index) {
            Some((_, others)) => *others += 1,
            None => causes.push((unknown, 0)),
        }
    }
    causes
}

/// Says how much was passed over, and with `-v` what.
fn note_passed_over(session: &Session<'_>, name: &str, coverage: &Coverage) {
    let Coverage { missing_headers, passed_over, passed_over_count, .. } = coverage;
    let counts = [
        (missing_headers.len(), "header was not found", "headers were not found"),
        (
            *passed_over_count,
            "declaration or directive was not understood",
            "declarations and directives were not understood",
        ),
    ];
    let said = counts
        .iter()
        .filter(|count| count.0 > 0)
        .map(|&(count, one, more)| format!("{count} {}", if count == 1 { one } else { more }));
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return;
    }
    let hint = if session.global.verbose { "" } else { " (-v lists them)" };
    session.note(&format!("{name}: {}, and passed over{hint}", said.join(", ")));
    let list = |error: &Error| session.detail(|| format!("  {}", Problem::from(error.clone())));
    missing_headers.iter().chain(passed_over).for_each(list);
}
