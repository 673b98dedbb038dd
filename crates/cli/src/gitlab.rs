//! Findings as a code quality report, the JSON that GitLab shows beside the lines of a merge request: one object for each finding that counts.

use reconverge_findings::{Diagnostic, Severity};
use serde_json::{Value, json};

use crate::input::Problem;
use crate::lines::Lines;

/// A finding.
pub(crate) fn of_finding(path: &str, lines: &Lines<'_>, diagnostic: &Diagnostic) -> Value {
    json!({
        "description": diagnostic.message,
        "check_name": diagnostic.code.name(),
        "fingerprint": diagnostic.fingerprint.to_string(),
        "severity": match diagnostic.severity {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Hint => "info",
        },
        "location": { "path": path, "lines": { "begin": lines.position(diagnostic.span.start).line } },
    })
}

/// An input that could not be used.
pub(crate) fn of_problem(problem: &Problem) -> Value {
    json!({
        "description": problem.message,
        "check_name": "input",
        "fingerprint": format!("input {}", problem.path),
        "severity": "blocker",
        "location": { "path": problem.path, "lines": { "begin": problem.position.map_or(1, |(line, _)| line) } },
    })
}
