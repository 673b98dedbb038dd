//! `reconverge check`: the static rules and lints.

use std::io::IsTerminal;
use std::time::Instant;

use anyhow::bail;
use reconverge::{CheckOptions, CheckReport, Checked, Module, check};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{Check, CheckFormat};
use crate::exit::Status;
use crate::gitlab;
use crate::input::Problem;
use crate::json::Files;
use crate::junit::JUnit;
use crate::lines::Lines;
use crate::render::{Renderer, short};
use crate::sarif::Sarif;
use crate::session::{self, Session, counted};
use crate::source::Wanted;
use crate::summary::{self, Summary};
use crate::triage;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Check) -> anyhow::Result<Status> {
    let mut report = match arguments.format {
        CheckFormat::Text if arguments.short => Report::Short(String::new()),
        CheckFormat::Text => Report::Text(Renderer::new(session.has_color()), String::new()),
        _ if arguments.short => bail!("--short is a form of text: expected no other --format"),
        CheckFormat::Json => Report::Json(Files::new()),
        CheckFormat::Sarif => Report::Sarif(Box::new(Sarif::new())),
        CheckFormat::Junit => Report::JUnit(JUnit::new(session.global.strict)),
        CheckFormat::Gitlab => Report::Gitlab(Vec::new()),
    };
    let options = CheckOptions { hints: arguments.hints || session.config.hints, requirements: session.global.verbose };
    let mut triage = triage::of(session, arguments)?;
    let mut status = Status::Clean;
    let mut summary = Summary::default();
    let mut room = arguments.max_findings.unwrap_or(usize::MAX);
    let mut first_input = None;
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let wanted = Wanted { model: arguments.model, entry: arguments.entry, origins: true, ..Wanted::analysis() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            let start = Instant::now();
            let mut found = check(content, &options)?;
            session.detail(|| {
                let speed = session::speed(content.ir().len(), start.elapsed().as_secs_f64());
                let functions = counted(found.functions, "function");
                let instructions = counted(found.instructions, "instruction");
                format!("{name}: {functions}, {instructions}: read and checked {speed}")
            });
            for requirement in &found.requirements {
                session.detail(|| requirement.clone());
            }
            let strict = session.global.strict;
            status = status.max(Status::of_coverage(content, strict));
            triage.apply(&mut found, content);
            status = status.max(Status::of(found.counting().map(|diagnostic| diagnostic.severity), strict));
            summary.add(&found);
            first_input.get_or_insert_with(|| name.clone());
            summary.not_listed += list_first(&mut room, &mut found);
            Ok(report.add(&found, content))
        });
        if result.is_err() {
            status = Status::Unusable;
        }
        report.end_input(session, name, result)?;
    }
    triage::write_baseline(session, arguments, &triage, status)?;
    match report {
        Report::Text(..) | Report::Short(_) => {
            // What is said on standard error is the last thing, also where both go to one place.
            session.flush()?;
            summary.lines().iter().for_each(|line| session.note(line));
            if let (true, false, Some(input)) = (std::io::stderr().is_terminal(), arguments.short, first_input) {
                session.note(&summary::not_looked_for(&input));
            }
        }
        Report::Json(files) => session.print_json(&Document { files, summary: &summary })?,
        Report::Sarif(sarif) => session.print_json(&sarif.finish(&summary))?,
        Report::JUnit(junit) => session.print(&junit.finish()?)?,
        Report::Gitlab(findings) => session.print_json(&findings)?,
    }
    Ok(status)
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Document<'s> {
    #[serde(flatten)]
    files: Files<CheckReport>,
    summary: &'s Summary,
}

/// Leaves out the findings that count after the first `room`, which is what is left of it then; how many these are.
fn list_first(room: &mut usize, found: &mut Checked) -> usize {
    let mut not_listed = 0;
    for file in &mut found.files {
        file.diagnostics.retain(|diagnostic| match (&diagnostic.suppression, room.checked_sub(1)) {
            (Some(_), _) => true,
            (None, Some(left)) => {
                *room = left;
                true
            }
            (None, None) => {
                not_listed += 1;
                false
            }
        });
    }
    not_listed
}

/// What has been said so far, in the format that was asked for. Text is printed as soon as an input is done.
enum Report {
    Text(Renderer, String),
    Short(String),
    Json(Files<CheckReport>),
    Sarif(Box<Sarif>),
    JUnit(JUnit),
    Gitlab(Vec<Value>),
}

impl Report {
    /// Adds what was found in an input. What it is in JSON, where that was asked for.
    fn add(&mut self, found: &Checked, content: &Module) -> CheckReport {
        if let Report::Json(_) = self {
            return found.report(content);
        }
        for file in &found.files {
            let text = file.source.as_deref().unwrap_or(content.ir());
            let lines = Lines::new(text);
            for diagnostic in &file.diagnostics {
                let counts = diagnostic.suppression.is_none();
                match self {
                    Report::Text(..) | Report::Short(_) | Report::JUnit(_) | Report::Gitlab(_) if !counts => {}
                    Report::Text(renderer, output) => {
                        renderer.render(&file.path, &lines, text, diagnostic, file.source.is_some(), output);
                    }
                    Report::Short(output) => short(&file.path, &lines, diagnostic, output),
                    Report::Sarif(sarif) => sarif.add(&file.path, &lines, text, diagnostic),
                    Report::JUnit(junit) => junit.add(&file.path, &lines, diagnostic),
                    Report::Gitlab(findings) => findings.push(gitlab::of_finding(&file.path, &lines, diagnostic)),
                    Report::Json(_) => {}
                }
            }
        }
        CheckReport::default()
    }

    /// An input is done, or could not be used.
    fn end_input(
        &mut self,
        session: &mut Session<'_>,
        name: String,
        result: Result<CheckReport, Problem>,
    ) -> anyhow::Result<()> {
        match (self, result) {
            (Report::Text(_, output) | Report::Short(output), _) => session.print(&std::mem::take(output))?,
            (Report::Json(files), result) => files.push(session, name, result),
            (Report::Sarif(sarif), Err(problem)) => sarif.add_problem(&problem),
            (Report::JUnit(junit), Err(problem)) => junit.add_problem(&problem),
            (Report::JUnit(junit), Ok(_)) => junit.end_input(&name),
            (Report::Gitlab(findings), Err(problem)) => findings.push(gitlab::of_problem(&problem)),
            (Report::Sarif(_) | Report::Gitlab(_), Ok(_)) => {}
        }
        Ok(())
    }
}
