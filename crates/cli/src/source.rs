//! Source files as input: translated to IR, and what is found in that shown in the source.
//!
//! `builtin` and `clang` make IR of a source file, each in its way; `files` holds the texts that places point into, and turns a finding in
//! the IR into one in the source.

mod builtin;
mod clang;
mod files;
mod voice;

use std::path::{Path, PathBuf};

use reconverge_findings::Finding;
use reconverge_ir::origin::Origins;
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::translate::Translation;

use crate::arguments::{self, Frontend, InputFormat, SourceModel};
use crate::input::{Candidate, Content, Problem};
use crate::session::Session;
use clang::Trouble;
pub(crate) use clang::{Clang, find as find_clang};
pub(crate) use files::SourceFiles;
pub(crate) use voice::SourceVoice;

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
}

/// A source file.
struct SourceFile<'a> {
    /// As the command line names it.
    pub(crate) path: &'a Path,
    /// What it is.
    pub(crate) dialect: Dialect,
    /// What it holds.
    pub(crate) text: Vec<u8>,
    /// The flags behind `--`.
    pub(crate) clang_flags: &'a [String],
}

/// A source file as IR.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The texts.
    pub(crate) files: SourceFiles,
    /// What the statements show: convergent operations whose threads are implementation-defined.
    pub(crate) findings: Vec<(String, Finding)>,
    /// The source as our own front end understands it, where that is wanted: it takes more room than its IR.
    pub(crate) translation: Option<Translation>,
    /// What the instructions of the IR are in the source; none where debug information says it.
    pub(crate) origins: Option<Origins>,
    /// Whether functions were left out.
    pub(crate) is_partial: bool,
    /// Whether the IR has tokens that say what the model of the source says.
    pub(crate) has_tokens: bool,
}

/// The language of a source file.
pub(crate) fn dialect(path: &Path, format: InputFormat) -> Option<Dialect> {
    match format {
        InputFormat::Cl => Some(Dialect::OpenCl),
        InputFormat::Cuda => Some(Dialect::Cuda),
        InputFormat::Hip => Some(Dialect::Hip),
        InputFormat::Cxx if path.extension().is_some_and(|extension| extension == "c") => Some(Dialect::C),
        InputFormat::Cxx => Some(Dialect::Cpp),
        InputFormat::Ll | InputFormat::Bc => None,
    }
}

/// What the IR is for: what `--target` says, else what the language is usually for.
fn lower_target(session: &Session<'_>, dialect: Dialect) -> Result<LowerTarget, String> {
    match session.target.as_ref().map(|target| target.name().to_owned()).as_deref() {
        None => Ok(LowerTarget::for_dialect(dialect)),
        Some("amdgpu") => Ok(LowerTarget::Amdgpu),
        Some("nvptx") => Ok(LowerTarget::Nvptx),
        Some("spirv") => Ok(LowerTarget::Spirv),
        Some("generic") => Ok(LowerTarget::Generic),
        Some("dxil") => {
            Err("source is not translated for `dxil`, only for amdgpu, nvptx, spirv and generic".to_owned())
        }
        // A target of the user's own.
        Some(_) => Ok(LowerTarget::for_dialect(dialect)),
    }
}

/// What the bytes of an input mean: source is translated, IR is what it is.
pub(crate) fn translate_bytes(
    session: &Session<'_>,
    candidate: &Candidate,
    text: Vec<u8>,
    kind: InputFormat,
    clang_flags: &[String],
    wanted: Wanted,
) -> Result<Content, Problem> {
    let Some(dialect) = dialect(candidate.path(), kind) else { return Ok(Content { ir: text, origin: None }) };
    let file = SourceFile { path: candidate.path(), dialect, text, clang_flags };
    let (ir, origin) = translate(session, file, wanted)?;
    Ok(Content { ir, origin: Some(origin) })
}

/// Translates a source file, and says on standard error what cannot be.
fn translate(session: &Session<'_>, file: SourceFile<'_>, wanted: Wanted) -> Result<(Vec<u8>, Origin), Problem> {
    let options: &arguments::SourceOptions = &session.global.source;
    let name = file.path.display().to_string();
    let problem = |message: String| Problem::new(name.clone(), message);
    let target = lower_target(session, file.dialect).map_err(problem)?;
    let translation = builtin::translate(session, &file, target, wanted);
    if options.frontend == Frontend::Builtin {
        return builtin::finish(session, &name, translation, wanted);
    }
    let reason = match (options.frontend, builtin::obstacle(&translation)) {
        (Frontend::Auto, None) => {
            session.detail(|| format!("{name}: read by the built-in front end, which understands all of it"));
            return builtin::finish(session, &name, translation, wanted);
        }
        // What is too large for ours may keep clang busy without end.
        (Frontend::Auto, Some(_)) if translation.limit().is_some() => {
            return builtin::finish(session, &name, translation, wanted);
        }
        (_, reason) => reason,
    };
    let clang = match (session.clang(), options.frontend) {
        (Ok(clang), _) => clang,
        (Err(missing), Frontend::Auto) => {
            // An error is said anyway.
            if let (Some(reason), false) = (&reason, translation.has_errors()) {
                session.note(&format!("{name}: read by the built-in front end, as {missing} ({reason})"));
            }
            return builtin::finish(session, &name, translation, wanted);
        }
        (Err(missing), _) => return Err(problem(format!("{missing}; --clang PATH says where one is"))),
    };
    match (clang.translate(&file, target, options), options.frontend) {
        (Ok(ir), _) => {
            let reason = reason.unwrap_or_else(|| "as --frontend asks".to_owned());
            session.note(&format!("{name}: read by {} ({reason})", clang.path.display()));
            // The statements are those that our own front end understands.
            let origin = Origin { has_tokens: false, is_partial: false, ..builtin::origin(translation, wanted) };
            Ok((ir, origin))
        }
        // Clang does not understand it either: what ours says is closer to the text.
        (Err(Trouble::Text(problem)), Frontend::Auto) => {
            if !translation.has_errors() {
                session.note(&format!(
                    "{name}: read by the built-in front end, as {} does not understand it either ({problem})",
                    clang.path.display()
                ));
            }
            builtin::finish(session, &name, translation, wanted)
        }
        // Nobody knows what it would have said.
        (Err(Trouble::Tool(problem)), Frontend::Auto) => {
            session.complain(&problem);
            builtin::finish(session, &name, translation, wanted)
        }
        (Err(trouble), _) => Err(trouble.problem()),
    }
}

/// The path that stands for standard input in places.
fn shown_path(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" { PathBuf::from("<stdin>") } else { path.to_owned() }
}
