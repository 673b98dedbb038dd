//! Source files as input: the library's own front end reads a file first; `clang` makes IR of one that it does not understand.

mod clang;
mod commands;
mod understood;

use std::path::Path;

use reconverge::{Error, ErrorKind, Input, Module, Reading, Settings, SourceSettings, Translated};

use serde::Serialize;

use crate::arguments::{self, Entry, Frontend, SourceModel};
use crate::input::Problem;
use crate::output::{self, Held};
use crate::session::Session;
pub(crate) use clang::{Clang, find as find_clang};
use clang::{SourceFile, Trouble};
pub(crate) use commands::{Arch, CompileCommands, Flags as FlagsOfFile};
pub(crate) use understood::Understood;

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
    /// The IR of clang has tokens, too.
    pub(crate) matched_tokens: bool,
    /// An overflow of a signed integer is undefined, as the language has it.
    pub(crate) nsw: bool,
    /// The IR says where statements begin.
    pub(crate) markers: bool,
    /// The IR has no debug locations.
    pub(crate) without_debug: bool,
    /// What is found is told in the words of the source.
    pub(crate) origins: bool,
    /// The same of IR that has debug information, in which its source is named.
    pub(crate) of_ir: bool,
    /// What the source means is looked at, not only its IR.
    pub(crate) translation: bool,
    /// What the environment defines, where that is said.
    pub(crate) entry: Option<Entry>,
    /// What is done about text that is not understood.
    pub(crate) reading: Reading,
    /// C and C++ in which nothing can be convergent is passed over.
    pub(crate) passes_over_host: bool,
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
        Wanted { reading: Reading::Parts, ..Wanted::default() }
    }

    /// What is executed or written as something else, if it does not need what is not understood.
    pub(crate) fn kernels() -> Wanted {
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

/// What holds for the input at a path, of which this is wanted.
pub(crate) fn settings(session: &Session<'_>, path: &Path, wanted: Wanted) -> Settings {
    let of_session = &session.settings;
    let of_project = session.flags_of(path);
    let source = SourceSettings {
        model: wanted.model.into(),
        entry: wanted.entry.map(Into::into),
        tokens: !wanted.without_tokens,
        matched_tokens: wanted.matched_tokens,
        nsw: wanted.nsw,
        markers: wanted.markers,
        debug: !wanted.without_debug,
        origins: wanted.origins,
        // Whoever wants to see more wants to see the IR.
        of_ir: wanted.of_ir && !session.global.verbose,
        statements: wanted.translation,
        reading: wanted.reading,
        passes_over_host: wanted.passes_over_host,
        include: [&of_session.source.include[..], of_project.map_or(&[], |flags| &flags.include)].concat(),
        cuda_arch: match session.arch_of(path) {
            Some(&Arch::Nvidia(number, _)) => number,
            _ => of_session.source.cuda_arch,
        },
        include_first: of_project.map_or_else(Vec::new, |flags| flags.include_first.clone()),
        // Of two definitions of a macro the last one holds.
        defines_are_known: of_project.is_some(),
        define: [of_project.map_or(&[][..], |flags| &flags.define), &of_session.source.define].concat(),
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
    let settings = settings(session, path, wanted);
    if input.dialect().is_none() {
        return Ok(reconverge::open(input, &settings)?);
    }
    let name = input.name();
    let module = translate(session, input, path, clang_flags, &settings)?;
    for note in module.notes() {
        if note.kind != ErrorKind::Rule || !wanted.finds_breaches {
            say(session, module.name(), note);
        }
    }
    if let Some(error) = module.error() {
        let problem = Problem::from(error.clone());
        session.complain(&problem);
        session.note_problem(name, problem);
    }
    if let Some(coverage) = module.source().and_then(|source| source.coverage.as_ref()) {
        understood::note(session, &module, coverage);
    }
    Ok(module)
}

/// What is to be known of a source file that was read, on standard error.
fn say(session: &Session<'_>, input: &str, note: &Error) {
    let problem = Problem::from(note.clone());
    let lines = match note.kind {
        // It decides about the exit status.
        ErrorKind::Unsupported | ErrorKind::Rule => output::complaint(&problem.to_string()),
        _ if session.global.quiet => return,
        _ if session.has_many_inputs() && !session.global.verbose => {
            return session.understood().warn(problem.to_string());
        }
        _ => problem.to_string(),
    };
    session.say(Held { lines: [vec![lines], problem.shown].concat(), is_once: problem.path != input });
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
                session.note_of_one(|| format!("{name}: read by the built-in front end, as {missing} ({reason})"));
                session.understood().without_clang(missing);
            }
            return finish(translation, settings);
        }
        (Err(missing), _) => return Err(problem(format!("{missing}; --clang PATH says where one is"))),
    };
    // Clang reads what ours does.
    let mut source = settings.source.clone();
    source.define.extend(translation.assumed().map(str::to_owned));
    let file = SourceFile {
        path,
        dialect: file.dialect().expect("it is source"),
        text: file.into_bytes(),
        source: &source,
        arch: session.arch_of(path),
        cuda_path: options.cuda_path.as_deref(),
        clang_flags,
    };
    if options.frontend == Frontend::Auto {
        let is_missing = |header: &&str| !clang.finds_header(header, &file, translation.target());
        let missing = translation.headers_of_others().find(is_missing).map(str::to_owned);
        if let Some(header) = missing {
            let clang = clang.path.display();
            session
                .note_of_one(|| format!("{name}: read by the built-in front end, as {clang} does not find `{header}`"));
            return finish(translation, settings);
        }
    }
    let compiled = clang.translate(&file, translation.target());
    if options.frontend == Frontend::Auto
        && let Ok(ir) = &compiled
        && let Some(kernel) = translation.kernel_missing_in(ir)
    {
        let clang = clang.path.display();
        session.note_of_one(|| {
            format!("{name}: read by the built-in front end, as {clang} has no code for `{kernel}`, a template that nothing in the file uses")
        });
        return finish(translation, settings);
    }
    match (compiled, options.frontend) {
        (Ok(ir), _) => {
            let reason = reason.unwrap_or_else(|| "as --frontend asks".to_owned());
            let compiler = clang.path.display().to_string();
            let matched = settings.source.tokens && settings.source.matched_tokens;
            let model = if matched {
                "its tokens are matched with the statements".to_owned()
            } else {
                format!(
                    "its IR does not say which threads the statements keep together, so LLVM's rules hold ({MODEL_OF_IR})"
                )
            };
            session.note(&format!("{name}: read by {compiler} ({reason}); {model}"));
            session.note_read_by(ReadBy { path: name, compiler: compiler.clone(), reason, model: MODEL_OF_IR });
            // The statements are those that our own front end understands.
            Ok(translation.with_ir(ir, compiler, settings))
        }
        // Clang does not understand it either: what ours says is closer to the text.
        (Err(Trouble::Text(problem)), Frontend::Auto) => {
            if !translation.has_errors() {
                let clang = clang.path.display();
                session.note_of_one(|| {
                    format!(
                        "{name}: read by the built-in front end, as {clang} does not understand it either ({problem})"
                    )
                });
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
