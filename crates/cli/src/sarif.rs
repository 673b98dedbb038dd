//! Findings as SARIF 2.1.0, the format of code scanning services.
//!
//! OASIS, *Static Analysis Results Interchange Format (SARIF) Version 2.1.0*. One run; every code is a rule; inputs
//! that could not be used are notifications of its invocation.

use std::ops::Range;

use reconverge::SuppressionReport;
use reconverge_findings::Code;
use reconverge_findings::{Diagnostic, Severity};
use reconverge_lang::builtins::mangle::as_written;
use serde_json::{Value, json};

use crate::VERSION;
use crate::input::Problem;
use crate::lines::Lines;
use crate::summary::Summary;
use crate::uri;

/// A log that is being written.
pub(crate) struct Sarif {
    results: Vec<Value>,
    notifications: Vec<Value>,
}

impl Sarif {
    pub(crate) fn new() -> Sarif {
        Sarif { results: Vec::new(), notifications: Vec::new() }
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, path: &str, lines: &Lines<'_>, text: &[u8], diagnostic: &Diagnostic) {
        let location = |span: &Range<usize>| json!({ "artifactLocation": { "uri": uri::of_path(path) }, "region": region(lines, text, span) });
        let mut message = diagnostic.message.clone();
        for line in diagnostic.lines_after() {
            message.push('\n');
            message.push_str(&line);
        }
        let logical = diagnostic.function.iter().chain(&diagnostic.instances).map(|name| logical_location(name));
        let first = json!({
            "physicalLocation": location(&diagnostic.span),
            "logicalLocations": logical.collect::<Vec<_>>(),
        });
        let also = diagnostic.also.iter().map(|other| json!({ "physicalLocation": location(&other.span) }));
        let locations: Vec<Value> = std::iter::once(first).chain(also).collect();
        let related = diagnostic.related.iter().zip(1..).map(|(related, id)| {
            json!({ "id": id, "physicalLocation": location(&related.span), "message": { "text": related.message } })
        });
        let place = |span: &Range<usize>, message: &str| json!({ "location": { "physicalLocation": location(span), "message": { "text": message } } });
        // From the cause to the finding.
        let steps = diagnostic.related.iter().rev().filter(|related| related.is_step);
        let mut flow: Vec<Value> = steps.map(|step| place(&step.span, &step.message)).collect();
        let code_flows = match flow.is_empty() {
            true => json!([]),
            false => {
                flow.push(place(&diagnostic.span, &diagnostic.message));
                json!([{ "threadFlows": [{ "locations": flow }] }])
            }
        };
        let mut result = json!({
            "ruleId": diagnostic.code.name(),
            "ruleIndex": Code::ALL.iter().position(|&code| code == diagnostic.code),
            "level": level(diagnostic.severity),
            "message": { "text": message },
            "partialFingerprints": { "reconverge/v1": diagnostic.fingerprint.to_string() },
            "locations": locations,
            "relatedLocations": related.collect::<Vec<_>>(),
            "codeFlows": code_flows,
            "suppressions": SuppressionReport::of(diagnostic),
        });
        if !diagnostic.inputs.is_empty() {
            result["properties"] = json!({ "inputs": diagnostic.inputs });
        }
        self.results.push(result);
    }

    /// Adds an input that could not be used.
    pub(crate) fn add_problem(&mut self, problem: &Problem) {
        let mut place = json!({ "artifactLocation": { "uri": uri::of_path(&problem.path) } });
        if let Some((line, column)) = problem.position {
            place["region"] = json!({ "startLine": line, "startColumn": column });
        }
        self.notifications.push(json!({
            "level": "error",
            "message": { "text": problem.message },
            "locations": [{ "physicalLocation": place }],
        }));
    }

    /// The whole log.
    pub(crate) fn finish(self, summary: &Summary) -> Value {
        let mut notifications = self.notifications;
        let is_successful = notifications.is_empty();
        notifications
            .extend(summary.not_listed_line().map(|line| json!({ "level": "note", "message": { "text": line } })));
        let rules: Vec<Value> = Code::ALL.iter().map(|&code| rule(code)).collect();
        json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "reconverge",
                    "version": VERSION,
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }},
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": is_successful,
                    "toolExecutionNotifications": notifications,
                }],
                "results": self.results,
            }],
        })
    }
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.name(),
        "name": in_one_word(code.title()),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": first_paragraph(code.page()) },
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": level(code.severity()) },
        "properties": {
            "tags": ["gpu", "convergence", topic(code)],
            "precision": precision(code),
            "problem.severity": match code.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "recommendation",
            },
        },
    })
}

/// A function, by its name in IR with the sigil: as it is written, without and with what it is in, and decorated where that is another name.
fn logical_location(function: &str) -> Value {
    let decorated = function.strip_prefix('@').unwrap_or(function);
    let written = as_written(decorated);
    let outside = written.split('<').next().unwrap_or_default();
    let name = outside.rfind("::").map_or(&*written, |at| &written[at + 2..]);
    let mut location = json!({ "name": name, "fullyQualifiedName": written, "kind": "function" });
    if written != decorated {
        location["decoratedName"] = decorated.into();
    }
    location
}

/// A title as services want names of rules: `BarrierInDivergentControlFlow`.
fn in_one_word(title: &str) -> String {
    let words = title.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .flat_map(|word| word.chars().take(1).map(|first| first.to_ascii_uppercase()).chain(word.chars().skip(1)))
        .collect()
}

/// What a rule says in short: what stands below the title of its page.
fn first_paragraph(page: &str) -> &str {
    page.split("\n\n").nth(1).unwrap_or_default().trim()
}

/// What a group of codes is about, by their first two digits.
fn topic(code: Code) -> &'static str {
    match &code.name()[..4] {
        "RC00" => "validity",
        "RC01" => "convergence-control",
        "RC02" => "divergent-control-flow",
        "RC03" => "implementation-defined",
        "RC04" => "attributes",
        "RC05" => "execution",
        "RC06" => "changes",
        _ => "comments",
    }
}

/// How often findings with a code are right, as code scanning services sort them: what only may happen is less certain.
fn precision(code: Code) -> &'static str {
    match code {
        Code::RC0202 | Code::RC0204 | Code::RC0206 | Code::RC0208 | Code::RC0209 => "medium",
        _ if code.severity() == Severity::Warning => "high",
        _ => "very-high",
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn region(lines: &Lines<'_>, text: &[u8], span: &Range<usize>) -> Value {
    let (start, end) = (lines.position(span.start), lines.position(span.end));
    // Columns count characters here.
    let column =
        |offset: usize, column: usize| 1 + String::from_utf8_lossy(&text[offset + 1 - column..offset]).chars().count();
    json!({
        "startLine": start.line,
        "startColumn": column(span.start, start.column),
        "endLine": end.line,
        "endColumn": column(span.end, end.column),
    })
}
