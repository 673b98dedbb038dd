//! What is known of an open text: what `check` says of it under the settings of its project.
//!
//! **Invariant.** An analysis is a function of its job and of the files that the text includes. It starts no compiler unless the job says so, and then only the one that
//! `check` would start.

use std::path::PathBuf;
use std::sync::Arc;

use reconverge::{
    CheckOptions, Control, Error, FunctionPoints, Input, Module, NamedBy, Translated, Triage, absolute, check, points,
};

use super::diagnostics::{Found, Published};
use super::documents::{Document, Overlay, key};
use crate::arguments::{Frontend, Global};
use crate::config;
use crate::session::Session;
use crate::source::{self, Wanted};

/// What is to be analysed.
#[derive(Debug)]
pub(crate) struct Job {
    /// The text.
    pub(crate) document: Document,
    /// All that is open.
    pub(crate) files: Arc<Overlay>,
    /// Whether a compiler may read what our own front end does not.
    pub(crate) with_compiler: bool,
    /// Ends it early.
    pub(crate) control: Control,
}

/// What is known of a text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// The version of the text.
    pub(crate) version: i32,
    /// What is wrong, by file.
    pub(crate) published: Published,
    /// The program, where the text is one.
    pub(crate) module: Option<Module>,
    /// What its functions compute and decide.
    pub(crate) functions: Vec<FunctionPoints>,
    /// The files that it depends on, as [`key`] writes them; none where nobody knows.
    pub(crate) reads: Option<Vec<PathBuf>>,
}

/// Does a job. None where it was ended early. What is wrong is told as soon as it is known: what hovers and lenses show takes more time, and nobody has to wait for that.
pub(crate) fn analyse(global: &Global, hints: bool, job: &Job, tell: impl FnOnce(Published)) -> Option<Analysis> {
    let mut found = Found::new(&job.document, &job.files);
    let opened = opened(global, hints, job, &mut found);
    if opened.is_ok() && !job.control.is_cancelled() {
        tell(found.so_far());
    }
    let known = opened.and_then(|module| Ok((module.as_ref().map(points).transpose()?.unwrap_or_default(), module)));
    if job.control.is_cancelled() {
        return None;
    }
    let (functions, module) = known.unwrap_or_else(|error| {
        found.add_error(&error);
        Default::default()
    });
    let reads = module.as_ref().map(|module| {
        let paths = module.source().map_or_else(Vec::new, |source| source.words.files.paths());
        paths.iter().map(|path| key(path)).collect()
    });
    Some(Analysis { version: job.document.version, published: found.finish(), module, functions, reads })
}

/// What is known of a text where the analysis had an error of ours, which was said on standard error.
pub(crate) fn failed(job: &Job) -> Analysis {
    let mut found = Found::new(&job.document, &job.files);
    found.add_sentence("not analysed, for an internal error that the log of this server has; please report it");
    Analysis { version: job.document.version, published: found.finish(), ..Analysis::default() }
}

/// The program of a text; what is wrong about it is added. None where the project leaves it out.
fn opened(global: &Global, hints: bool, job: &Job, found: &mut Found<'_>) -> Result<Option<Module>, Error> {
    let document = &job.document;
    let mut global = global.clone();
    let config = match config::load(&mut global, Some(&document.path)) {
        Ok(config) => config,
        Err(problem) => {
            found.add_problem(&problem);
            return Ok(None);
        }
    };
    if config.rules.excludes(&absolute(&document.path, std::env::current_dir().ok().as_deref())) {
        return Ok(None);
    }
    let mut session = match Session::new(&global, config, &[]) {
        Ok(session) => session,
        Err(error) => {
            found.add_sentence(&format!("{error:#}"));
            return Ok(None);
        }
    };
    session.settings.files = job.files.clone();
    session.settings.control = job.control.clone();
    let module = open(&session, job)?;
    let options = CheckOptions { hints: hints || session.config.hints, ..CheckOptions::default() };
    let mut checked = check(&module, &options)?;
    let mut triage = Triage { rules: session.config.rules.clone(), ..Triage::default() };
    triage.apply(&mut checked, &module);
    found.add_checked(&checked, &module);
    Ok(Some(module))
}

fn open(session: &Session<'_>, job: &Job) -> Result<Module, Error> {
    let document = &job.document;
    let wanted = Wanted { origins: true, ..Wanted::analysis() };
    let settings = source::settings(session, &document.path, wanted);
    let input = Input::read(&document.path, document.format, NamedBy::User, &settings)?;
    if input.dialect().is_none() {
        return reconverge::open(input, &settings);
    }
    let translated = Translated::new(input.clone(), &settings)?;
    let is_for_compiler = match session.global.source.frontend {
        Frontend::Builtin => false,
        Frontend::Auto => translated.obstacle().is_some() && !translated.is_final(),
        Frontend::Clang => true,
    };
    if job.with_compiler && is_for_compiler {
        // What it does not understand either is said by our own front end, which has the places.
        if let Ok(module) = source::open(session, input, &document.path, &[], wanted) {
            return Ok(module);
        }
    }
    translated.finish(&settings)
}
