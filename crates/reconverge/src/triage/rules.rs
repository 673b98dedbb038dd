//! What a user holds of findings: how severe they are, and which folders do not count.

use std::path::{Path, PathBuf};

use reconverge_findings::{Code, Diagnostic, Severity, Suppression};

/// How severe findings with a code are held to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They do not count.
    Off,
    /// They count as.
    As(Severity),
}

impl Level {
    /// All levels by their names.
    pub const NAMED: [(&'static str, Level); 4] = [
        ("off", Level::Off),
        ("hint", Level::As(Severity::Hint)),
        ("warning", Level::As(Severity::Warning)),
        ("error", Level::As(Severity::Error)),
    ];

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, level)| level)
    }
}

/// What a user holds of findings. Folders and files are absolute, and a folder stands for all below it.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    levels: Vec<(PathBuf, Code, Level)>,
    excluded: Vec<PathBuf>,
}

impl Rules {
    /// Findings with a code in a file or folder have this level, whatever was said before.
    pub fn set(&mut self, within: impl Into<PathBuf>, code: Code, level: Level) {
        self.levels.push((within.into(), code, level));
    }

    /// Findings with a code have this level everywhere, whatever was said before.
    pub fn set_everywhere(&mut self, code: Code, level: Level) {
        self.set(PathBuf::new(), code, level);
    }

    /// Findings in a file or folder do not count.
    pub fn exclude(&mut self, within: impl Into<PathBuf>) {
        self.excluded.push(within.into());
    }

    /// Whether findings in a file count at all; its path is absolute.
    pub fn excludes(&self, path: &Path) -> bool {
        self.excluded.iter().any(|within| path.starts_with(within))
    }

    /// Says how severe a finding in a file is, and whether it counts. An input that was named counts, wherever it is.
    pub(super) fn apply(&self, path: &Path, is_input: bool, diagnostic: &mut Diagnostic) {
        // Every path starts with the empty one.
        let fits = |(within, code, _): &&(PathBuf, Code, Level)| *code == diagnostic.code && path.starts_with(within);
        let suppressed = match self.levels.iter().rev().find(fits) {
            Some((_, _, Level::Off)) => Some("turned off"),
            Some(&(_, _, Level::As(severity))) => {
                diagnostic.severity = severity;
                None
            }
            None => None,
        };
        let suppressed =
            suppressed.or_else(|| (!is_input && self.excludes(path)).then_some("in a folder that is excluded"));
        if let (Some(reason), None) = (suppressed, &diagnostic.suppression) {
            diagnostic.suppression = Some(Suppression::Settings { reason });
        }
    }
}
