//! Findings that were known before.
//!
//! A baseline is a JSON file: `{"version":1,"findings":[{"path","code","function","fingerprint"}]}`, sorted, so that it can be kept with the program. A finding is known
//! iff its path and [fingerprint](reconverge_findings::Fingerprint) are listed. Paths are as seen from the folder of the file, so it holds wherever a check starts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use reconverge_findings::Diagnostic;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::paths::from_folder;

const VERSION: u32 = 1;

/// The findings that are known. By default none.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    folder: PathBuf,
    known: FxHashSet<(String, String)>,
}

/// A baseline that is being made.
#[derive(Debug, Clone)]
pub struct NewBaseline {
    folder: PathBuf,
    entries: BTreeSet<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct File<E> {
    version: u32,
    findings: E,
}

/// A finding as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    path: String,
    code: String,
    /// For readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    fingerprint: String,
}

impl Baseline {
    /// Reads the text of a file in a folder, which is absolute.
    ///
    /// # Errors
    /// When it is no baseline, with the line and what was expected.
    pub fn read(folder: impl Into<PathBuf>, text: &[u8]) -> Result<Baseline, String> {
        let file: File<Vec<Entry>> =
            serde_json::from_slice(text).map_err(|error| format!("this is no baseline: {error}"))?;
        if file.version != VERSION {
            return Err(format!("this is a baseline of version {}; expected {VERSION}", file.version));
        }
        let known = file.findings.into_iter().map(|entry| (entry.path, entry.fingerprint)).collect();
        Ok(Baseline { folder: folder.into(), known })
    }

    /// Whether a finding in a file is known.
    pub(super) fn has(&self, path: &Path, diagnostic: &Diagnostic) -> bool {
        let place = || (from_folder(&self.folder, path), diagnostic.fingerprint.to_string());
        !self.known.is_empty() && self.known.contains(&place())
    }
}

impl NewBaseline {
    /// An empty one, for a file in a folder, which is absolute.
    pub fn new(folder: impl Into<PathBuf>) -> NewBaseline {
        NewBaseline { folder: folder.into(), entries: BTreeSet::new() }
    }

    /// Adds a finding in a file.
    pub(super) fn add(&mut self, path: &Path, diagnostic: &Diagnostic) {
        self.entries.insert(Entry {
            path: from_folder(&self.folder, path),
            code: diagnostic.code.name().to_owned(),
            function: diagnostic.function.clone(),
            fingerprint: diagnostic.fingerprint.to_string(),
        });
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
        let file = File { version: VERSION, findings: &self.entries };
        let mut text = serde_json::to_string_pretty(&file).expect("names and numbers");
        text.push('\n');
        text
    }
}
