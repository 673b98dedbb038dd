//! The commands that a project's files are compiled with: `compile_commands.json`, as build tools write it (`-p FOLDER`).
//!
//! **Rule.** Of a command only folders of headers, headers that come first, macros and the processor are taken. It comes with the programs that are looked at and is as little trusted: other flags could
//! load a program into clang. Files of arguments (`@x.rsp`, `--options-file x.rsp`) are read where they lie in the folder. Of a file with several commands the first one holds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use reconverge::absolute;
use reconverge_files::{Disk, FileSystem, NamedBy};
use serde::Deserialize;

use crate::input::Problem;

/// The name of the file in its folder.
const NAME: &str = "compile_commands.json";
/// Files of arguments have no more bytes than this.
const LARGEST_ARGUMENTS: u64 = 16 << 20;

/// What is taken of the command of each file, by its path.
#[derive(Debug, Default)]
pub(crate) struct CompileCommands {
    flags: HashMap<PathBuf, Flags>,
    /// The file that they come from.
    name: String,
    /// The numbers of the commands that cannot be read.
    unread: Vec<usize>,
}

/// What is taken of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Folders of headers.
    pub(crate) include: Vec<PathBuf>,
    /// Macros, as for `-D`.
    pub(crate) define: Vec<String>,
    /// Headers that are included before the file.
    pub(crate) include_first: Vec<PathBuf>,
    /// What it is compiled for.
    pub(crate) arch: Option<Arch>,
}

/// A processor of NVIDIA or AMD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arch {
    /// `sm_80`, `sm_90a`: the number, and what follows.
    Nvidia(u32, String),
    /// `gfx1100`.
    Amd(String),
}

/// A row of the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl FromStr for Arch {
    type Err = String;

    fn from_str(name: &str) -> Result<Arch, String> {
        let expected = || "expected a processor such as sm_80 or gfx1100".to_owned();
        if let Some(rest) = name.strip_prefix("gfx") {
            let is_one = rest.len() >= 3 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
            return is_one.then(|| Arch::Amd(name.to_owned())).ok_or_else(expected);
        }
        let rest = name.strip_prefix("sm_").ok_or_else(expected)?;
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
        match digits.parse() {
            Ok(number @ 20..=999) if rest.len() <= digits.len() + 1 => {
                Ok(Arch::Nvidia(number, rest[digits.len()..].to_owned()))
            }
            _ => Err(expected()),
        }
    }
}

impl CompileCommands {
    /// Reads the file in a folder.
    ///
    /// # Errors
    /// When it cannot be read, or is no list of commands, with the place.
    pub(crate) fn read(folder: &Path, largest: u64) -> Result<CompileCommands, Problem> {
        let path = folder.join(NAME);
        let name = path.display().to_string();
        let bytes = Disk
            .read(&path, NamedBy::Input, largest)
            .map_err(|refusal| Problem::new(&name, format!("cannot be read: {refusal}")))?;
        let entries: Vec<Entry> = serde_json::from_slice(&bytes).map_err(|error| {
            let position = Some((error.line(), error.column()));
            Problem { position, ..Problem::new(&name, format!("is no list of commands: {error}")) }
        })?;
        let folder = absolute(folder, std::env::current_dir().ok().as_deref());
        let (mut flags, mut unread) = (HashMap::new(), Vec::new());
        for (number, entry) in (1..).zip(entries) {
            let words = entry.arguments.or_else(|| shlex::split(entry.command.as_deref()?));
            let Some(words) = words else {
                unread.push(number);
                continue;
            };
            let directory = absolute(&entry.directory, Some(&folder));
            let file = absolute(&entry.file, Some(&directory));
            let mut taken = Flags::default();
            taken.take(&words, &directory, &folder);
            flags.entry(file).or_insert(taken);
        }
        Ok(CompileCommands { flags, name, unread })
    }

    /// What is said of commands that cannot be read: their files have none.
    pub(crate) fn unread(&self) -> impl Iterator<Item = String> {
        self.unread.iter().map(|number| {
            format!(
                "warning: {}: command {number} cannot be read: expected `arguments`, or a `command` in which quotes end",
                self.name
            )
        })
    }

    /// What is taken of the command of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&Flags> {
        self.flags.get(&absolute(path, std::env::current_dir().ok().as_deref()))
    }
}

impl Flags {
    /// Takes the flags of a command that is run in a directory; files of arguments in `trusted`.
    fn take(&mut self, words: &[String], directory: &Path, trusted: &Path) {
        // What is written for the compiler that clang runs is a flag as others.
        let mut words = words.iter().filter(|word| *word != "-Xclang");
        while let Some(word) = words.next() {
            let mut value = |flag: &str| {
                let rest = word.strip_prefix(flag)?;
                match rest.strip_prefix('=').unwrap_or(rest) {
                    "" => words.next().map(String::as_str),
                    rest => Some(rest),
                }
            };
            if let Some(file) = word.strip_prefix('@').or_else(|| value("--options-file")) {
                self.take_file(&absolute(Path::new(file), Some(directory)), directory, trusted);
            } else if let Some(folder) = ["-I", "-isystem", "-iquote", "-idirafter"].into_iter().find_map(&mut value) {
                self.include.push(absolute(Path::new(folder), Some(directory)));
            } else if matches!(word.as_str(), "-include" | "--include" | "--pre-include") {
                let file = words.next().map(|file| absolute(Path::new(file), Some(directory)));
                self.include_first.extend(file);
            } else if let Some(definition) = value("-D") {
                self.define.push(definition.to_owned());
            } else if let Some(name) = value("-U") {
                self.define.retain(|definition| definition.split(['=', '(']).next() != Some(name));
            } else if let Some(arch) = ["--cuda-gpu-arch", "--offload-arch", "--gpu-architecture", "-arch"]
                .into_iter()
                .chain(["--generate-code", "-gencode"])
                .find_map(&mut value)
            {
                let name = arch.split(',').next().unwrap_or(arch).trim_start_matches("arch=");
                let arch = name.replace("compute_", "sm_").parse().ok();
                self.arch = self.arch.take().or(arch);
            }
        }
    }

    /// Takes the flags of a file of arguments, if it lies where the project is. One that names others is not followed further.
    fn take_file(&mut self, file: &Path, directory: &Path, trusted: &Path) {
        if !file.starts_with(trusted) {
            return;
        }
        let Ok(bytes) = Disk.read(file, NamedBy::Input, LARGEST_ARGUMENTS) else { return };
        let words = shlex::split(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
        let words: Vec<String> =
            words.into_iter().filter(|word| !word.starts_with('@') && !word.starts_with("--options-file")).collect();
        self.take(&words, directory, trusted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_of_a_command() {
        let words = "nvcc -Iinc -I /abs -isystem=sys -DN=4 -D M -UN -gencode arch=compute_86,code=sm_86 -arch=sm_70 -fplugin=x.so -Xclang -load -include-pch x.pch -Xclang -include -Xclang x.h -c a.cu";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let mut flags = Flags::default();
        flags.take(&words, Path::new("/project/build"), Path::new("/project/build"));
        let include = ["/project/build/inc", "/abs", "/project/build/sys"].map(PathBuf::from).to_vec();
        let arch = Some(Arch::Nvidia(86, String::new()));
        let include_first = vec![PathBuf::from("/project/build/x.h")];
        assert_eq!(flags, Flags { include, define: vec!["M".to_owned()], include_first, arch });
    }

    #[test]
    fn processors() {
        for name in ["sm_70", "sm_90a", "gfx90a", "gfx1100"] {
            assert!(name.parse::<Arch>().is_ok(), "{name}");
        }
        for name in ["sm_", "sm_x", "sm_80ab", "gfx", "gfx9z0", "compute_80", "-load", "sm_80,--x"] {
            assert!(name.parse::<Arch>().is_err(), "{name}");
        }
    }
}
