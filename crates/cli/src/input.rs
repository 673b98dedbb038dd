//! Finding and reading what a command line names, and saying why something cannot be used.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use reconverge::{Details, ErrorKind, Excerpt, Format, Input, MachineModule, Module, Position, Quote, open_machine};
use reconverge_files::{Kind, NamedBy, read_stream};

use crate::arguments::InputFormat;
use crate::near::Near;
use crate::output::printable;
use crate::session::Session;
use crate::source::{self, Wanted};

/// Something that the command line names, directly or through a folder.
pub(crate) enum Candidate {
    /// A file, or standard input for `-`.
    File { path: PathBuf, format: Option<InputFormat>, named_by: NamedBy },
    /// Files in a folder that are of a kind that is not read yet.
    Skipped { folder: PathBuf, extensions: Vec<String>, count: usize },
    /// What has the name of a file that is read, and is none, with what it is: in the order of the names.
    NoFiles { folder: PathBuf, found: Vec<(PathBuf, String)> },
    /// Something that cannot be read.
    Unusable { path: PathBuf, message: String },
}

/// An input that is open.
pub(crate) enum Opened {
    /// LLVM IR, or source that was translated to it.
    Module(Box<Module>),
    /// Machine IR.
    Machine(Box<MachineModule>),
}

impl Opened {
    /// The functions that a name may mean.
    pub(crate) fn functions_near(&self, asked: &str) -> Near {
        match self {
            Opened::Module(module) => module.functions_near(asked),
            Opened::Machine(module) => module.functions_near(asked),
        }
    }
}

/// Why an input could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Problem {
    /// The input, as the command line names it.
    pub(crate) path: String,
    /// The line and column, for an error in the text.
    pub(crate) position: Option<(usize, usize)>,
    /// What is wrong.
    pub(crate) message: String,
    /// Lines that show the place, and others that matter.
    pub(crate) shown: Vec<String>,
    /// What is wrong before it in the same text.
    pub(crate) earlier: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { path, position, message, .. } = self;
        match position {
            Some((line, column)) => write!(formatter, "{path}:{line}:{column}: {message}"),
            None if path.is_empty() => formatter.write_str(message),
            None => write!(formatter, "{path}: {message}"),
        }
    }
}

impl Problem {
    /// About an input as a whole.
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { path: path.into(), position: None, message: message.into(), shown: Vec::new(), earlier: Vec::new() }
    }
}

/// What the library says, as this program says it: with the option that helps, and the text that it points at.
impl From<reconverge::Error> for Problem {
    fn from(error: reconverge::Error) -> Problem {
        let reconverge::Error { kind, path, position, message, limit, details, .. } = error;
        let before = if kind == ErrorKind::Warning { "warning: " } else { "" };
        let behind = match limit {
            Some(limit) => format!(" (--limit {limit}=N raises this)"),
            None if kind == ErrorKind::TooLarge => LARGER.to_owned(),
            None if details.as_ref().is_some_and(|details| details.may_be_source) => OF_SOURCE.to_owned(),
            None => String::new(),
        };
        let details = *details.unwrap_or_default();
        let mut lines = message.lines();
        let message = lines.next().unwrap_or_default();
        let mut shown: Vec<String> = lines.map(str::to_owned).chain(snippet(&details)).collect();
        if details.more > 0 {
            shown.push(format!("{} more errors are not shown", details.more));
        }
        Problem {
            path,
            position: position.map(|Position { line, column }| (line, column)),
            message: format!("{before}{message}{behind}"),
            shown,
            earlier: details.earlier.into_iter().map(Problem::from).collect(),
        }
    }
}

/// What says that a text is source.
const OF_SOURCE: &str = "; of source, say the language: --input-format cuda, hip, cl or c++";

/// What raises the limit of a file.
const LARGER: &str = " (--max-memory SIZE raises that)";

/// The line that an error points at with a caret, and the other places in a line each.
fn snippet(details: &Details) -> Vec<String> {
    let mut shown = Vec::new();
    if let Some(Excerpt { line, text, before, .. }) = &details.excerpt {
        let column = printable(&before.replace('\t', " ")).chars().count();
        shown.push(format!("{line:5} | {}", printable(&text.replace('\t', " "))));
        shown.push(format!("      | {:column$}^", ""));
    }
    if let Some(Quote { text, range, .. }) = &details.quote {
        let columns = |bytes: Range<usize>| text.get(bytes).map_or(0, |text| text.chars().count());
        let carets = "^".repeat(columns(range.clone()).max(1));
        shown.push(format!("  {text}"));
        shown.push(format!("  {:indent$}{carets}", "", indent = columns(0..range.start)));
    }
    for related in &details.related {
        let message = &related.message;
        let line = match (&related.path, related.position) {
            (Some(path), Some(Position { line, column })) => format!("  {path}:{line}:{column}: {message}"),
            _ => format!("  {message}"),
        };
        // Where a file includes itself, it is the same place each time.
        if shown.last() != Some(&line) {
            shown.push(line);
        }
    }
    shown
}

impl Candidate {
    /// What the command line names.
    pub(crate) fn named(path: &Path, format: Option<InputFormat>) -> Candidate {
        Candidate::File { path: path.to_owned(), format, named_by: NamedBy::User }
    }

    /// Whether it is passed over, and only said.
    pub(crate) fn is_skipped(&self) -> bool {
        matches!(self, Candidate::Skipped { .. } | Candidate::NoFiles { .. })
    }

    /// The input, as the command line names it.
    pub(crate) fn name(&self) -> String {
        match self {
            Candidate::File { path, .. } if path.as_os_str() == "-" => "<stdin>".to_owned(),
            Candidate::File { path, .. } | Candidate::Unusable { path, .. } => path.display().to_string(),
            Candidate::Skipped { folder, .. } | Candidate::NoFiles { folder, .. } => folder.display().to_string(),
        }
    }

    /// What to say about files that are passed over.
    pub(crate) fn describe(&self) -> String {
        match self {
            Candidate::Skipped { count, extensions, .. } => {
                let files = if *count == 1 { "1 file is" } else { &format!("{count} files are") };
                format!("note: {}: {files} not read yet ({})", self.name(), extensions.join(", "))
            }
            Candidate::NoFiles { found, .. } => {
                /// More names than these say nothing more.
                const NAMED: usize = 10;
                let count = found.len();
                let are = if count == 1 { "1 is no file and is" } else { &format!("{count} are no files and are") };
                let named = found.iter().take(NAMED).map(|(path, what)| format!("{} is {what}", path.display()));
                let more = count.checked_sub(NAMED).filter(|&more| more > 0).map(|more| format!("{more} more"));
                let names: Vec<String> = named.chain(more).collect();
                format!("note: {}: {are} not read: {}", self.name(), names.join(", "))
            }
            _ => self.name(),
        }
    }

    /// What an input holds; source is translated as `wanted`.
    pub(crate) fn read(
        &self,
        session: &Session<'_>,
        clang_flags: &[String],
        wanted: Wanted,
    ) -> Result<Module, Problem> {
        source::open(session, self.input(session)?, self.path(), clang_flags, wanted)
    }

    /// What an input holds, machine IR included; source is translated as `wanted`.
    pub(crate) fn open(
        &self,
        session: &Session<'_>,
        clang_flags: &[String],
        wanted: Wanted,
    ) -> Result<Opened, Problem> {
        let input = self.input(session)?;
        if input.format() == Format::Mir {
            return Ok(Opened::Machine(Box::new(open_machine(input, &session.settings)?)));
        }
        let module = source::open(session, input, self.path(), clang_flags, wanted)?;
        Ok(Opened::Module(Box::new(module)))
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Candidate::File { path, .. } | Candidate::Unusable { path, .. } => path,
            Candidate::Skipped { folder, .. } | Candidate::NoFiles { folder, .. } => folder,
        }
    }

    /// The bytes of an input, and what they are.
    pub(crate) fn input(&self, session: &Session<'_>) -> Result<Input, Problem> {
        let (path, format, named_by) = match self {
            Candidate::File { path, format, named_by } => (path, format.map(Format::from), *named_by),
            Candidate::Unusable { message, .. } => return Err(Problem::new(self.name(), message.clone())),
            Candidate::Skipped { .. } | Candidate::NoFiles { .. } => {
                return Err(Problem::new(self.name(), self.describe()));
            }
        };
        if path.as_os_str() != "-" {
            return Ok(Input::read(path, format, named_by, &session.settings)?);
        }
        let bytes = read_stream(std::io::stdin().lock(), session.settings.limits.input_bytes, 0);
        let bytes = bytes.map_err(|refusal| Input::unreadable(&self.name(), &refusal))?;
        Ok(Input::new(self.name(), bytes, format)?)
    }
}

impl From<InputFormat> for Format {
    fn from(format: InputFormat) -> Format {
        match format {
            InputFormat::Ll => Format::Ll,
            InputFormat::Bc => Format::Bc,
            InputFormat::Mir => Format::Mir,
            InputFormat::Cl => Format::Cl,
            InputFormat::Cuda => Format::Cuda,
            InputFormat::Hip => Format::Hip,
            InputFormat::Cxx => Format::Cxx,
        }
    }
}

/// Whether what is found in a folder is left out.
type Exclusion<'e> = &'e dyn Fn(&Path) -> bool;

/// Everything that the inputs stand for: files as they are, folders as the files below them that can be read and are not excluded, sorted.
pub(crate) fn find(inputs: &[PathBuf], format: Option<InputFormat>, is_excluded: Exclusion<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for input in inputs {
        if input.as_os_str() != "-" && input.is_dir() {
            search(input, format, is_excluded, &mut found);
        } else {
            found.push(Candidate::named(input, format));
        }
    }
    found
}

fn search(folder: &Path, format: Option<InputFormat>, is_excluded: Exclusion<'_>, found: &mut Vec<Candidate>) {
    let mut extensions = std::collections::BTreeSet::new();
    let (mut count, mut readable, mut excluded) = (0, 0, 0);
    let mut no_files = Vec::new();
    // A stack of what is still to be visited, in reverse order.
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path != folder && is_excluded(&path) {
            excluded += 1;
            continue;
        }
        if path != folder && !is_folder(&path) {
            match Format::of_name(&path) {
                // Back ends have many of these beside each other; whoever means one names it.
                Some(Format::Mir) => {}
                Some(kind) if kind != Format::Bc => match Kind::of(&path) {
                    // What is nothing at all says so when it is read.
                    Ok(Kind::File) | Err(_) => {
                        readable += 1;
                        found.push(Candidate::File { path, format, named_by: NamedBy::Input });
                    }
                    Ok(kind) => {
                        let link = if path.is_symlink() { "a link to " } else { "" };
                        no_files.push((path, format!("{link}{kind}")));
                    }
                },
                Some(_) => {
                    count += 1;
                    extensions.extend(path.extension().map(|extension| format!(".{}", extension.to_string_lossy())));
                }
                None => {}
            }
            continue;
        }
        let entries = std::fs::read_dir(&path)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>());
        match entries {
            Ok(mut entries) => {
                entries.sort_unstable_by(|one, other| other.cmp(one));
                pending.append(&mut entries);
            }
            Err(error) => {
                readable += 1;
                found.push(Candidate::Unusable { path, message: format!("cannot be read: {error}") });
            }
        }
    }
    if count > 0 {
        let extensions = extensions.into_iter().collect();
        found.push(Candidate::Skipped { folder: folder.to_path_buf(), extensions, count });
    }
    if !no_files.is_empty() {
        found.push(Candidate::NoFiles { folder: folder.to_path_buf(), found: no_files });
    }
    if readable == 0 {
        let but = if excluded > 0 { " that are not excluded" } else { "" };
        let message = format!("this folder has no .ll, .cl, .cu, .hip, .c or .cpp files{but}");
        found.push(Candidate::Unusable { path: folder.to_path_buf(), message });
    }
}

/// Links to folders are not followed: they may lead back.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}
