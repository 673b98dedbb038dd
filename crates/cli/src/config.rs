//! `reconverge.toml`: what holds for a project.
//!
//! It comes with the programs that are looked at, so it is as little trusted as these: it names no program that is run, and only regular files are read for it.
//! The command line is over it: an option given there is not replaced, and what can be given several times comes first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge::{Code, Level, Rules, absolute, near};
use reconverge_files::{Disk, FileSystem, NamedBy};
use serde::Deserialize;

use crate::arguments::Global;
use crate::input::Problem;
use crate::lines::Lines;

/// The name of the file.
pub(crate) const NAME: &str = "reconverge.toml";
/// No such file is larger.
const LARGEST: u64 = 1 << 20;

/// What a project says of its findings, beside the options that it [sets](load).
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The file, where there is one.
    pub(crate) path: Option<PathBuf>,
    /// Which findings and inputs count.
    pub(crate) rules: Rules,
    /// Whether hints are asked for.
    pub(crate) hints: bool,
    /// How many threads a workgroup has, where neither a kernel nor the command line says it.
    pub(crate) block: Option<[u32; 3]>,
    /// How many threads a subgroup has, where nothing else says it.
    pub(crate) subgroup: Option<u32>,
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    target: Option<String>,
    block: Option<Block>,
    subgroup: Option<Subgroup>,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    hints: bool,
    #[serde(default)]
    exclude: Vec<PathBuf>,
    #[serde(default)]
    severity: Severities,
    #[serde(default)]
    folder: Vec<Folder>,
}

/// `[[folder]]`: what holds for a part of the project.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    path: PathBuf,
    severity: Severities,
}

type Severities = BTreeMap<CodeName, LevelName>;

#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<u32>")]
struct Block([u32; 3]);

#[derive(Debug, Deserialize)]
#[serde(try_from = "u32")]
struct Subgroup(u32);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct CodeName(Code);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct LevelName(Level);

impl TryFrom<Vec<u32>> for Block {
    type Error = &'static str;

    fn try_from(numbers: Vec<u32>) -> Result<Block, &'static str> {
        let mut extents = [1; 3];
        match extents.get_mut(..numbers.len()) {
            Some(first) if !numbers.is_empty() && !numbers.contains(&0) => first.copy_from_slice(&numbers),
            _ => return Err("expected one to three numbers from 1, such as [256] or [16, 16]"),
        }
        Ok(Block(extents))
    }
}

impl TryFrom<u32> for Subgroup {
    type Error = &'static str;

    fn try_from(number: u32) -> Result<Subgroup, &'static str> {
        if (1..=64).contains(&number) { Ok(Subgroup(number)) } else { Err("expected a number from 1 to 64") }
    }
}

impl TryFrom<String> for CodeName {
    type Error = String;

    fn try_from(name: String) -> Result<CodeName, String> {
        near::code(&name).map(CodeName)
    }
}

impl TryFrom<String> for LevelName {
    type Error = String;

    fn try_from(name: String) -> Result<LevelName, String> {
        near::level(&name).map(LevelName)
    }
}

/// Reads the file of the project that the first input is in, and gives the options that the command line leaves open the values that it says.
///
/// # Errors
/// When it cannot be read or is not as it has to be: in one line, with the place.
pub(crate) fn load(global: &mut Global, first_input: Option<&Path>) -> Result<Config, Problem> {
    let current = std::env::current_dir().ok();
    let (path, named_by) = match &global.config {
        _ if global.no_config => return Ok(Config::default()),
        Some(path) => (absolute(path, current.as_deref()), NamedBy::User),
        None => match first_input.and_then(|input| find(input, current.as_deref())) {
            Some(path) => (path, NamedBy::Input),
            None => return Ok(Config::default()),
        },
    };
    let file = read(&path, named_by)?;
    let hints = file.hints;
    let block = file.block.as_ref().map(|&Block(extents)| extents);
    let subgroup = file.subgroup.as_ref().map(|&Subgroup(number)| number);
    let rules = file.set(path.parent().unwrap_or(Path::new("")), global);
    Ok(Config { path: Some(path), rules, hints, block, subgroup })
}

/// The nearest file with this name, from the folder of an input upwards.
fn find(input: &Path, current: Option<&Path>) -> Option<PathBuf> {
    let is_folder = input.as_os_str() == "-" || input.is_dir();
    let input = absolute(if input.as_os_str() == "-" { Path::new("") } else { input }, current);
    let folders = input.ancestors().skip(usize::from(!is_folder));
    folders.map(|folder| folder.join(NAME)).find(|path| path.symlink_metadata().is_ok())
}

fn read(path: &Path, named_by: NamedBy) -> Result<File, Problem> {
    let name = path.display().to_string();
    let unreadable = |message: &dyn std::fmt::Display| Problem::new(&name, format!("cannot be read: {message}"));
    let bytes = Disk.read(path, named_by, LARGEST).map_err(|refusal| unreadable(&refusal))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(&"this is not UTF-8"))?;
    toml::from_str(text).map_err(|error| {
        let place = error.span().map(|span| Lines::new(text.as_bytes()).position(span.start));
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        Problem { position: place.map(|place| (place.line, place.column)), ..Problem::new(&name, message) }
    })
}

impl File {
    /// Sets options. Paths are relative to the folder of the file.
    fn set(self, folder: &Path, global: &mut Global) -> Rules {
        let here = |path: &Path| absolute(path, Some(folder));
        if let (None, Some(target)) = (&global.target, self.target) {
            let is_file = reconverge::is_target_file(&target);
            let target = if is_file { here(Path::new(&target)).display().to_string() } else { target };
            (global.target, global.target_named_by) = (Some(target), NamedBy::Input);
        }
        global.source.include.extend(self.include.iter().map(|path| here(path)));
        // Of two definitions of a macro the last one holds.
        global.source.define.splice(0..0, self.define);
        global.strict |= self.strict;
        let mut rules = Rules::default();
        for (CodeName(code), LevelName(level)) in self.severity {
            rules.set_everywhere(code, level);
        }
        for part in self.folder {
            for (CodeName(code), LevelName(level)) in part.severity {
                rules.set(here(&part.path), code, level);
            }
        }
        self.exclude.iter().for_each(|path| rules.exclude(here(path)));
        rules
    }
}
