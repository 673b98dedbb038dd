//! Source files as input: the library's own front end reads a file first; `clang` makes IR of one that it does not understand.

mod clang;

use std::path::Path;

use reconverge::{ErrorKind, Input, Module, Settings, SourceSettings, Translated};

use crate::arguments::{self, Entry, Frontend, SourceModel};
use crate::input::Problem;
use crate::session::Session;
pub(crate) use clang::{Clang, find as find_clang};
use clang::{SourceFile, Trouble};

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
    /// What the source means is looked at, not only its IR.
    pub(crate) translation: bool,
    /// What the environment defines, where that is said.
    pub(crate) entry: Option<Entry>,
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

/// What an input is, as IR: source is translated as `wanted`, and what cannot be is said on standard error. `path` is the file, as the command line names it.
pub(crate) fn open(
    session: &Session<'_>,
    input: Input,
    path: &Path,
    clang_flags: &[String],
    wanted: Wanted,
) -> Result<Module, Problem> {
    let of_session = &session.settings;
    let source = SourceSettings {
        model: wanted.model.into(),
        entry: wanted.entry.map(Into::into),
        tokens: !wanted.without_tokens,
        markers: wanted.markers,
        debug: !wanted.without_debug,
        statements: wanted.translation,
        ..of_session.source.clone()
    };
    let settings = Settings { source, ..of_session.clone() };
    match input.dialect() {
        Some(_) => translate(session, input, path, clang_flags, &settings),
        None => Ok(reconverge::open(input, &settings)?),
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
        return finish(session, translation, settings);
    }
    let reason = match (options.frontend, translation.obstacle()) {
        (Frontend::Auto, None) => {
            session.detail(|| format!("{name}: read by the built-in front end, which understands all of it"));
            return finish(session, translation, settings);
        }
        // What is too large for ours may keep clang busy without end.
        (Frontend::Auto, Some(_)) if translation.reached_limit() => return finish(session, translation, settings),
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
            return finish(session, translation, settings);
        }
        (Err(missing), _) => return Err(problem(format!("{missing}; --clang PATH says where one is"))),
    };
    let file =
        SourceFile { path, dialect: file.dialect().expect("it is source"), text: file.into_bytes(), clang_flags };
    match (clang.translate(&file, translation.target(), options), options.frontend) {
        (Ok(ir), _) => {
            let reason = reason.unwrap_or_else(|| "as --frontend asks".to_owned());
            session.note(&format!("{name}: read by {} ({reason})", clang.path.display()));
            // The statements are those that our own front end understands.
            Ok(translation.with_ir(ir, settings))
        }
        // Clang does not understand it either: what ours says is closer to the text.
        (Err(Trouble::Text(problem)), Frontend::Auto) => {
            if !translation.has_errors() {
                session.note(&format!(
                    "{name}: read by the built-in front end, as {} does not understand it either ({problem})",
                    clang.path.display()
                ));
            }
            finish(session, translation, settings)
        }
        // Nobody knows what it would have said.
        (Err(Trouble::Tool(problem)), Frontend::Auto) => {
            session.complain(&problem);
            finish(session, translation, settings)
        }
        (Err(trouble), _) => Err(trouble.problem()),
    }
}

/// The IR of what was understood, and what was not on standard error.
fn finish(session: &Session<'_>, translation: Translated, settings: &Settings) -> Result<Module, Problem> {
    let module = translation.finish(settings)?;
    for note in module.notes() {
        let problem = Problem::from(note.clone());
        if note.kind == ErrorKind::Unsupported {
            // It decides about the exit status.
            session.complain(&problem);
        } else {
            session.note(&problem.to_string());
            problem.shown.iter().for_each(|line| session.note(line));
        }
    }
    Ok(module)
}
