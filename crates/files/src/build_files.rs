//! The folders in which a build looks for headers, as far as its files say so plainly.
//!
//! A makefile names them with `-I`, CMake in `include_directories` and `target_include_directories`. Variables are what the same file sets them to in one line, and CMake's names of folders; what has
//! another variable in it, or a call, is passed over. Nothing is executed.
//!
//! **Invariant.** Each folder is inside of the project.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::{NamedBy, project};

/// What files of builds are named.
const NAMES: [&str; 4] = ["Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"];
/// A larger file is not read, bytes.
const MOST: u64 = 1 << 20;
/// So deep a variable may stand in the value of another one.
const DEEP: usize = 4;
/// So many variables of a file are replaced.
const REPLACED: usize = 10_000;

/// The folders that the files of a build name which lie in a folder of a project. O(their text).
pub(crate) fn folders(folder: &Path, root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for name in NAMES {
        let Ok(text) = crate::read(&folder.join(name), NamedBy::Input, MOST) else { continue };
        let text = String::from_utf8_lossy(&text).replace("\\\n", " ");
        let named = if name == "CMakeLists.txt" { by_cmake(&text) } else { by_flags(&text) };
        let variables = Variables { set: assignments(&text), folder, root, left: Cell::new(REPLACED) };
        let named = named.filter_map(|named| variables.expand(named, DEEP));
        let inside = named.filter_map(|named| project::absolute(&folder.join(named))).filter(|it| it.starts_with(root));
        for path in inside {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// What follows `-I` and `-isystem`.
fn by_flags(text: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    Box::new(lines.flat_map(|line| {
        let mut words = line.split([' ', '\t', '=', '"', '\'']).filter(|word| !word.is_empty());
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                match word.strip_prefix("-I").or_else(|| word.strip_prefix("-isystem")) {
                    Some("") => return words.next(),
                    Some(folder) => return Some(folder),
                    None => {}
                }
            }
        })
    }))
}

/// The arguments of `include_directories` and `target_include_directories`.
fn by_cmake(text: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let calls = text.split("include_directories").skip(1);
    let arguments = calls.filter_map(|call| call.trim_start().strip_prefix('(')?.split(')').next());
    // The name of a target and PUBLIC are words like others, and no folders.
    Box::new(
        arguments.flat_map(|arguments| arguments.split([' ', '\t', '\n', '\r', '"'])).filter(|word| !word.is_empty()),
    )
}

/// The lines `NAME = value`, and `set(NAME value)`; of several the first.
fn assignments(text: &str) -> HashMap<&str, &str> {
    let mut set = HashMap::new();
    for line in text.lines() {
        let assignment = match line.trim_start().strip_prefix("set(") {
            Some(call) => call.trim_end().strip_suffix(')').and_then(|call| call.trim().split_once([' ', '\t'])),
            None => line.split_once('=').map(|(name, value)| (name.trim_end_matches([':', '?', ' ', '\t']), value)),
        };
        if let Some((name, value)) = assignment {
            set.entry(name.trim()).or_insert(value.trim().trim_matches('"'));
        }
    }
    set
}

struct Variables<'t> {
    set: HashMap<&'t str, &'t str>,
    folder: &'t Path,
    root: &'t Path,
    left: Cell<usize>,
}

impl Variables<'_> {
    /// A text with its variables replaced; nothing where one is not known.
    fn expand(&self, text: &str, depth: usize) -> Option<String> {
        let Some((before, rest)) = text.split_once('$') else { return Some(text.to_owned()) };
        self.left.set(self.left.get().checked_sub(1)?);
        let close = if rest.starts_with('(') { ')' } else { '}' };
        let (name, after) = rest.strip_prefix(['(', '{'])?.split_once(close)?;
        let value = match name {
            "CURDIR" | "PWD" | "CMAKE_CURRENT_SOURCE_DIR" | "CMAKE_CURRENT_LIST_DIR" => {
                self.folder.to_str()?.to_owned()
            }
            "CMAKE_SOURCE_DIR" | "PROJECT_SOURCE_DIR" => self.root.to_str()?.to_owned(),
            name => self.expand(self.set.get(name)?, depth.checked_sub(1)?)?,
        };
        Some(format!("{before}{value}{}", self.expand(after, depth)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders that a file of a build in `a/b` names, from the folder of the project.
    fn named(file: &str, text: &str) -> Vec<String> {
        let project = tempfile::tempdir().expect("a folder");
        let root = project.path().canonicalize().expect("it is there");
        let folder = root.join("a/b");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(file), text).expect("it can be written");
        let relative = |path: PathBuf| path.strip_prefix(&root).expect("it is inside").display().to_string();
        folders(&folder, &root).into_iter().map(relative).collect()
    }

    #[test]
    fn makefiles() {
        let text = "DIR := ../d\nSUB=$(DIR)/sub\nCFLAGS = -O2 -I../c -I $(SUB) \\\n  -I\"${CURDIR}/e\" -I. # -I../no\n";
        assert_eq!(named("Makefile", text), ["a/c", "a/d/sub", "a/b/e", "a/b"]);
        assert_eq!(
            named("GNUmakefile", "I = -I$(I) -I$(shell pwd)/x -I../../.. -I/usr/include -I$(NO)/x -Iok -I"),
            ["a/b/ok"]
        );
    }

    #[test]
    fn cmake() {
        let text = "set(HERE ${CMAKE_CURRENT_SOURCE_DIR}/h)\ninclude_directories(${HERE} ../c)\n\
                    target_include_directories(k PRIVATE\n  \"${PROJECT_SOURCE_DIR}/inc\" ${CUDA}/include)\n";
        assert_eq!(named("CMakeLists.txt", text), ["a/b/h", "a/c", "a/b/k", "a/b/PRIVATE", "inc"]);
    }
}
