//! Finding and reading what a command line names.
//!
//! What a file is, its content decides first and its extension second.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use reconverge_files::{Kind, NamedBy, Refusal, read, read_stream};
use reconverge_ir::ReadError;

use crate::arguments::InputFormat;
use crate::lines::Lines;
use crate::session::Session;
use crate::source::{self, Origin, Wanted};

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

/// Why an input could not be used.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    /// The input, as the command line names it.
    pub(crate) path: String,
    /// The line and column, for an error in the text.
    pub(crate) position: Option<(usize, usize)>,
    /// What is wrong.
    pub(crate) message: String,
    /// Lines that show the place, and others that matter.
    pub(crate) shown: Vec<String>,
}

/// What an input holds, as IR.
pub(crate) struct Content {
    /// The text of a module.
    pub(crate) ir: Vec<u8>,
    /// The source that it was made from, if it was.
    pub(crate) origin: Option<Origin>,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { path, position, message, .. } = self;
        match position {
            Some((line, column)) => write!(formatter, "{path}:{line}:{column}: {message}"),
            None => write!(formatter, "{path}: {message}"),
        }
    }
}

impl Problem {
    /// About an input as a whole.
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem { path: path.into(), position: None, message: message.into(), shown: Vec::new() }
    }

    /// For a text that is not LLVM IR.
    pub(crate) fn not_ir(path: &str, text: &[u8], error: &ReadError) -> Problem {
        let position = Lines::new(text).position(error.offset);
        let is_binary = memchr::memchr(0, &text[..text.len().min(1024)]).is_some();
        let hint = if is_binary { " (this looks like a binary file; expected LLVM IR as text)" } else { "" };
        Problem {
            path: path.to_owned(),
            position: Some((position.line, position.column)),
            message: format!("{}{hint}", error.message),
            shown: Vec::new(),
        }
    }
}

/// Why a file is not read, and what would help.
pub(crate) fn reason(refusal: &Refusal) -> String {
    let hint = if refusal.is_limit() { " (--max-memory SIZE raises that)" } else { "" };
    format!("{refusal}{hint}")
}

/// A text without the byte-order mark that it may begin with.
///
/// # Errors
/// When the mark says that the text is not UTF-8.
pub(crate) fn without_mark(mut text: Vec<u8>) -> Result<Vec<u8>, String> {
    let other = match &text[..] {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "UTF-32",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16",
        _ => {
            if text.starts_with(MARK) {
                text.drain(..MARK.len());
            }
            return Ok(text);
        }
    };
    Err(format!("this is {other}, expected UTF-8; iconv -f {other} -t UTF-8 translates it"))
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

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
    ) -> Result<Content, Problem> {
        let (content, kind) = self.bytes(session)?;
        source::translate_bytes(session, self, content, kind, clang_flags, wanted)
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Candidate::File { path, .. } | Candidate::Unusable { path, .. } => path,
            Candidate::Skipped { folder, .. } | Candidate::NoFiles { folder, .. } => folder,
        }
    }

    /// The bytes of an input, and what they are: not bitcode.
    pub(crate) fn bytes(&self, session: &Session<'_>) -> Result<(Vec<u8>, InputFormat), Problem> {
        match self.bytes_of_any_kind(session)? {
            (_, InputFormat::Bc) => Err(Problem::new(self.name(), advice_for_bitcode(self.path()))),
            (content, kind) => Ok((content, kind)),
        }
    }

    /// The bytes of an input, and what they are; text is without its byte-order mark.
    pub(crate) fn bytes_of_any_kind(&self, session: &Session<'_>) -> Result<(Vec<u8>, InputFormat), Problem> {
        let problem = |message: String| Problem::new(self.name(), message);
        let (path, format, named_by) = match self {
            Candidate::File { path, format, named_by } => (path, *format, *named_by),
            Candidate::Unusable { message, .. } => return Err(problem(message.clone())),
            Candidate::Skipped { .. } | Candidate::NoFiles { .. } => return Err(problem(self.describe())),
        };
        let limit = session.global.most_bytes();
        let content = match path.as_os_str() == "-" {
            true => read_stream(std::io::stdin().lock(), limit, 0),
            false => read(path, named_by, limit),
        };
        let content = content.map_err(|refusal| problem(format!("cannot be read: {}", reason(&refusal))))?;
        if let Some(InputFormat::Bc) = format.or_else(|| bitcode(&content)) {
            return Ok((content, InputFormat::Bc));
        }
        let content = without_mark(content).map_err(problem)?;
        let kind = format.unwrap_or_else(|| kind_of(path, &content));
        Ok((content, kind))
    }
}

fn advice_for_bitcode(path: &Path) -> String {
    let file = if path.as_os_str() == "-" { "file.bc".into() } else { path.to_string_lossy() };
    let target = path.with_extension("ll");
    let target = if path.as_os_str() == "-" { "file.ll".into() } else { target.to_string_lossy() };
    format!("LLVM bitcode is not read yet; make text of it with: llvm-dis {file} -o {target}")
}

/// Whether something is bitcode.
fn bitcode(content: &[u8]) -> Option<InputFormat> {
    const BITCODE: &[u8] = b"BC\xC0\xDE";
    const WRAPPED_BITCODE: &[u8] = &0x0B17_C0DE_u32.to_le_bytes();
    (content.starts_with(BITCODE) || content.starts_with(WRAPPED_BITCODE)).then_some(InputFormat::Bc)
}

/// What a text is.
fn kind_of(path: &Path, content: &[u8]) -> InputFormat {
    match by_extension(path) {
        Some(kind) if !begins_like_ir(content) => kind,
        _ => InputFormat::Ll,
    }
}

/// Whether the first line that is neither blank nor a comment begins as a module does.
fn begins_like_ir(content: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 10] = [
        b"source_filename",
        b"target ",
        b"define ",
        b"declare ",
        b"attributes #",
        b"module asm",
        b"@",
        b"%",
        b"!",
        b"$",
    ];
    let lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let first = lines.take(1000).find(|line| !line.is_empty() && !line.starts_with(b";"));
    first.is_some_and(|line| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)))
}

fn by_extension(path: &Path) -> Option<InputFormat> {
    match path.extension().and_then(OsStr::to_str)? {
        "ll" => Some(InputFormat::Ll),
        "bc" => Some(InputFormat::Bc),
        "cl" => Some(InputFormat::Cl),
        "cu" => Some(InputFormat::Cuda),
        "hip" => Some(InputFormat::Hip),
        "c" | "cpp" | "cc" | "cxx" => Some(InputFormat::Cxx),
        _ => None,
    }
}

/// Everything that the inputs stand for: files as they are, folders as the files below them that can be read, sorted.
pub(crate) fn find(inputs: &[PathBuf], format: Option<InputFormat>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for input in inputs {
        if input.as_os_str() != "-" && input.is_dir() {
            search(input, format, &mut found);
        } else {
            found.push(Candidate::named(input, format));
        }
    }
    found
}

fn search(folder: &Path, format: Option<InputFormat>, found: &mut Vec<Candidate>) {
    let mut extensions = std::collections::BTreeSet::new();
    let (mut count, mut readable) = (0, 0);
    let mut no_files = Vec::new();
    // A stack of what is still to be visited, in reverse order.
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path != folder && !is_folder(&path) {
            match by_extension(&path) {
                Some(kind) if kind != InputFormat::Bc => match Kind::of(&path) {
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
        let message = "this folder has no .ll, .cl, .cu, .hip, .c or .cpp files".to_owned();
        found.push(Candidate::Unusable { path: folder.to_path_buf(), message });
    }
}

/// Links to folders are not followed: they may lead back.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}
