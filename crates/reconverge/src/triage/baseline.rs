//! Findings that were known before.
//!
//! A baseline is a JSON file: `{"version":1,"findings":[{"path","code","function","fingerprint","places"}]}`, sorted, so that it can be kept with the program. A finding is known
//! iff its path and [fingerprint](reconverge_findings::Fingerprint) are listed, with at least as many `places`: a finding has several where these have one cause, such as the
//! barriers after one early `return`. Baselines of before have no such numbers, and know findings wherever they are. Paths are as seen from the folder of the file, so it holds wherever a check starts.
//!
//! An entry is *gone* iff no finding has its path and fingerprint, and its file was checked whole or is not there any more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge_findings::{Code, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::comments::is_looked_for;
use super::paths::from_folder;

const VERSION: u32 = 1;

/// The findings that are known. By default none.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    folder: PathBuf,
    /// By path and fingerprint.
    known: FxHashMap<(String, String), Known>,
    /// The paths of the files that were checked whole.
    checked: FxHashSet<String>,
    /// Whether hints were looked for.
    hints: bool,
}

/// What is known of a finding.
#[derive(Debug, Clone)]
struct Known {
    code: String,
    /// At how many places it is, where the file says that.
    places: Option<usize>,
    is_found: bool,
}

/// A baseline that is being made.
#[derive(Debug, Clone)]
pub struct NewBaseline {
    folder: PathBuf,
    /// With the number of their places.
    entries: BTreeMap<Entry, usize>,
}

#[derive(Debug, Serialize, Deserialize)]
struct File<E> {
    version: u32,
    findings: E,
}

/// A finding as the file has it.
#[derive(Debug, Serialize, Deserialize)]
struct Listed<E> {
    #[serde(flatten)]
    entry: E,
    /// At how many places it is. Files of before do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    places: Option<usize>,
}

/// What tells a finding from others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    path: String,
    code: String,
    /// For readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    fingerprint: String,
}

/// At how many places a finding is.
fn places(diagnostic: &Diagnostic) -> usize {
    1 + diagnostic.also.len()
}

impl Baseline {
    /// Reads the text of a file in a folder, which is absolute.
    ///
    /// # Errors
    /// When it is no baseline, with the line and what was expected.
    pub fn read(folder: impl Into<PathBuf>, text: &[u8]) -> Result<Baseline, String> {
        let file: File<Vec<Listed<Entry>>> =
            serde_json::from_slice(text).map_err(|error| format!("this is no baseline: {error}"))?;
        if file.version != VERSION {
            return Err(format!("this is a baseline of version {}; expected {VERSION}", file.version));
        }
        let known = file.findings.into_iter().map(|Listed { entry, places }| {
            ((entry.path, entry.fingerprint), Known { code: entry.code, places, is_found: false })
        });
        Ok(Baseline { folder: folder.into(), known: known.collect(), ..Baseline::default() })
    }

    /// Whether a finding in a file is known. One that is at more places than before is not, and a note says so.
    pub(super) fn has(&mut self, path: &Path, diagnostic: &mut Diagnostic) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let place = (from_folder(&self.folder, path), diagnostic.fingerprint.to_string());
        let Some(known) = self.known.get_mut(&place) else { return false };
        known.is_found = true;
        let now = places(diagnostic);
        let Some(before) = known.places.filter(|&before| before < now) else { return true };
        let times = if before == 1 { "once".to_owned() } else { format!("at {before} places") };
        diagnostic.notes.push(format!("the baseline has this {times}; now it is at {now}"));
        false
    }

    /// Notes that a finding in a file is there, whether or not it counts.
    pub(super) fn find(&mut self, path: &Path, diagnostic: &Diagnostic) {
        if !self.known.is_empty() {
            let place = (from_folder(&self.folder, path), diagnostic.fingerprint.to_string());
            self.known.entry(place).and_modify(|known| known.is_found = true);
        }
    }

    /// Notes that all that there is in a file was found, hints among it or not.
    pub(super) fn add_checked(&mut self, path: &Path, hints: bool) {
        if !self.known.is_empty() {
            self.checked.insert(from_folder(&self.folder, path));
            self.hints = hints;
        }
    }

    /// How many of its findings are gone, by what was checked so far; `exists` says of a path whether a file is there.
    pub fn gone(&self, exists: impl Fn(&Path) -> bool) -> usize {
        let is_gone = |((path, _), known): &(&(String, String), &Known)| {
            let is_looked_for = Code::from_name(&known.code).is_some_and(|code| is_looked_for(code, self.hints));
            !known.is_found
                && is_looked_for
                && (self.checked.contains(path) || !exists(&self.folder.join(path.as_str())))
        };
        self.known.iter().filter(is_gone).count()
    }
}

impl NewBaseline {
    /// An empty one, for a file in a folder, which is absolute.
    pub fn new(folder: impl Into<PathBuf>) -> NewBaseline {
        NewBaseline { folder: folder.into(), entries: BTreeMap::new() }
    }

    /// Adds a finding in a file.
    pub(super) fn add(&mut self, path: &Path, diagnostic: &Diagnostic) {
        let entry = Entry {
            path: from_folder(&self.folder, path),
            code: diagnostic.code.name().to_owned(),
            function: diagnostic.function.clone(),
            fingerprint: diagnostic.fingerprint.to_string(),
        };
        // Several inputs may have it, in a header.
        let most = self.entries.entry(entry).or_default();
        *most = places(diagnostic).max(*most);
    }

    /// How many findings it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let listed = self.entries.iter().map(|(entry, &places)| Listed { entry, places: Some(places) });
        let file = File { version: VERSION, findings: listed.collect::<Vec<_>>() };
        let mut text = serde_json::to_string_pretty(&file).expect("names and numbers");
        text.push('\n');
        text
    }
}
