//! What the broken kernels in `tests/cases/broken` say is wrong with them, in comments at the end of lines.
//!
//! `// EXPECT: RC0201 error` marks a line with a finding: its code and severity. A file has these findings and no others.
//! `// CAUSE` marks the lines at which the divergence begins: the thread id, or the load, atomic operation or vote that
//! makes it possible. The chain of each finding ends at one of them.

use anyhow::{Context, Result, bail, ensure};

/// What is expected of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectations {
    /// The findings, by line.
    pub findings: Vec<Finding>,
    /// The lines, from 1, at one of which each chain ends.
    pub causes: Vec<u32>,
}

/// An expected finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: u32,
    /// The code, such as `RC0201`.
    pub code: String,
    /// How severe it is.
    pub severity: Severity,
}

/// How severe a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Threads do differ.
    Error,
    /// Threads may differ.
    Warning,
}

const EXPECT: &str = "// EXPECT: ";
const CAUSE: &str = "// CAUSE";

/// Reads the comments of a file.
///
/// # Errors
///
/// When a mark is not of the form above, or there is no finding or no cause.
pub fn expectations(source: &str) -> Result<Expectations> {
    let (mut findings, mut causes) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(source.lines()) {
        if text.trim_end().ends_with(CAUSE) {
            causes.push(number);
        } else if let Some((_, mark)) = text.split_once(EXPECT) {
            findings.push(finding(number, mark).with_context(|| format!("line {number}: {text}"))?);
        } else if text.contains("EXPECT") || text.contains("CAUSE") {
            bail!("line {number}: not a mark: {text}");
        }
    }
    ensure!(!findings.is_empty(), "no finding is expected");
    ensure!(!causes.is_empty(), "no cause is marked");
    Ok(Expectations { findings, causes })
}

/// Reads `RC0201 error`.
fn finding(line: u32, mark: &str) -> Result<Finding> {
    let (code, severity) = mark.trim_end().split_once(' ').context("a code and a severity")?;
    let digits = code.strip_prefix("RC").unwrap_or_default();
    ensure!(digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()), "not a code: {code}");
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => bail!("not a severity: {severity}"),
    };
    Ok(Finding { line, code: code.to_owned(), severity })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn marks_have_lines() {
        let source = "// A twin.\nint i = id(); // CAUSE\nif (i)\n  barrier(); // EXPECT: RC0201 error\nvote(); // EXPECT: RC0204 warning\n";
        let found = |line, code: &str, severity| Finding { line, code: code.to_owned(), severity };
        let findings = vec![found(4, "RC0201", Severity::Error), found(5, "RC0204", Severity::Warning)];
        assert_eq!(expectations(source).unwrap(), Expectations { findings, causes: vec![2] });
    }

    #[test]
    fn what_is_not_a_mark_is_an_error() {
        let with = |line: &str| expectations(&format!("a // CAUSE\nb // EXPECT: RC0201 error\n{line}\n"));
        assert!(with("c").is_ok());
        for line in [
            "c // EXPECT RC0201 error",
            "// CAUSE: here",
            "// EXPECT: RC0201",
            "// EXPECT: RC201 error",
            "// EXPECT: RC0201 bad",
        ] {
            assert!(with(line).is_err(), "{line}");
        }
        assert!(expectations("a // CAUSE\n").is_err());
        assert!(expectations("a // EXPECT: RC0201 error\n").is_err());
    }

    /// Twenty and more twins of kernels that are there, whose codes say what their severities say.
    #[test]
    fn the_broken_kernels_say_what_is_wrong() {
        let mut count = 0;
        for (kind, extension) in [("opencl", "cl"), ("cuda", "cu")] {
            for path in corpus::cases(&format!("broken/{kind}"), extension).unwrap() {
                let text = std::fs::read_to_string(&path).unwrap();
                let twin = text.strip_prefix("// Broken twin of ").and_then(|rest| rest.split_once(':')).unwrap().0;
                let original = format!("tests/cases/{kind}/{twin}.{extension}");
                assert!(corpus::workspace().join(&original).exists(), "{}: no {original}", path.display());
                for Finding { code, severity, .. } in &expectations(&text).expect(&original).findings {
                    let certain = code.starts_with("RC02") && code.ends_with(['1', '3', '5', '7']);
                    assert_eq!(certain, *severity == Severity::Error, "{}", path.display());
                }
                count += 1;
            }
        }
        assert!(count >= 20);
    }
}
