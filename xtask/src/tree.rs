//! The files with kernels of a tree, read one by one as `check` reads them, with nothing installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use reconverge::Format;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_files::{FileSystem, Projects};
use reconverge_lang::lower::{LowerOptions, Lowered};
use reconverge_lang::options::{Dialect, Options, Reading, SourceModel};
use reconverge_lang::translate::{Translation, translate};

/// A file that may have kernels.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) dialect: Dialect,
    pub(crate) text: Vec<u8>,
}

/// What is made of a file.
pub(crate) struct Read {
    pub(crate) translation: Translation,
    lowered: Option<Lowered>,
}

/// The files of a tree in the order of their names, each read when it is asked for.
pub(crate) fn sources(folder: &Path) -> Result<impl Iterator<Item = Result<Source>> + use<>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    Ok(files.into_iter().filter_map(|path| Source::open(path).transpose()))
}

impl Source {
    /// None for a file that is no source, or one of the host.
    fn open(path: PathBuf) -> Result<Option<Source>> {
        let Some(dialect) = dialect(&path) else { return Ok(None) };
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        let dialect = match dialect {
            Dialect::Cuda => Dialect::of_cuda_file(&text),
            Dialect::Cpp => Dialect::of_cpp_file(&text),
            dialect => dialect,
        };
        Ok((dialect != Dialect::Cpp).then_some(Source { path, dialect, text }))
    }

    pub(crate) fn read(self, projects: Arc<Projects>) -> Read {
        let files: Arc<dyn FileSystem> = projects;
        let options = Options { reading: Reading::Parts, files, ..Options::new(self.dialect) };
        let translation = translate(&self.path, self.text, &options, SourceModel::default());
        let lowered = translation.lower(&LowerOptions { tokens: true, ..LowerOptions::default() });
        Read { translation, lowered }
    }
}

impl Read {
    /// The IR; none where nothing is understood.
    pub(crate) fn ir(&self) -> Option<&[u8]> {
        Some(self.lowered.as_ref()?.text.as_ref())
    }

    /// What `check` finds wrong with the IR that is made of the file: that is our fault, whatever the file is.
    pub(crate) fn broken(&self) -> Option<String> {
        let found = match check(&self.lowered.as_ref()?.text, &CheckOptions::default()) {
            Ok(report) => {
                let diagnostics = report.diagnostics();
                diagnostics.iter().find(|found| found.code.name() < "RC02").map(|found| found.message.clone())
            }
            Err(error) => Some(error.to_string()),
        };
        found.map(|broken| format!("what is made of it is no valid IR: {broken}"))
    }
}

/// All files under a folder.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            collect(&path, into)?;
        } else if kind.is_file() {
            into.push(path);
        }
    }
    Ok(())
}

/// The language of a file of a project, by its name. Files of C have no kernels.
fn dialect(file: &Path) -> Option<Dialect> {
    match Format::of_name(file)? {
        Format::Cuda => Some(Dialect::Cuda),
        Format::Hip => Some(Dialect::Hip),
        Format::Cl => Some(Dialect::OpenCl),
        Format::Cxx if file.extension().is_none_or(|extension| extension != "c") => Some(Dialect::Cpp),
        _ => None,
    }
}
