//! `reconverge check`: the static rules and lints.

use std::time::Instant;

use reconverge::{CheckOptions, CheckReport, Checked, Severity, check};

use crate::arguments::{Check, CheckFormat};
use crate::exit::Status;
use crate::json::Files;
use crate::lines::Lines;
use crate::render::Renderer;
use crate::sarif::Sarif;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Check) -> anyhow::Result<Status> {
    let mut report = match arguments.format {
        CheckFormat::Text => Report::Text(Renderer::new(session.has_color())),
        CheckFormat::Json => Report::Json(Files::new()),
        CheckFormat::Sarif => Report::Sarif(Box::new(Sarif::new())),
    };
    let options = CheckOptions { hints: arguments.hints, requirements: session.global.verbose };
    let mut status = Status::Clean;
    let mut tally = Tally::default();
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let mut text_output = String::new();
        let wanted = Wanted { model: arguments.model, entry: arguments.entry, origins: true, ..Wanted::analysis() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            let start = Instant::now();
            let found = check(content, &options)?;
            session.detail(|| {
                let speed = session::speed(content.ir().len(), start.elapsed().as_secs_f64());
                let functions = counted(found.functions, "function");
                let instructions = counted(found.instructions, "instruction");
                format!("{name}: {functions}, {instructions}: read and checked {speed}")
            });
            for requirement in &found.requirements {
                session.detail(|| requirement.clone());
            }
            status = status.max(Status::of_coverage(content, session.global.strict));
            tally.add(&found);
            let severities = found.findings().map(|diagnostic| diagnostic.severity);
            status = status.max(Status::of(severities, session.global.strict));
            for file in &found.files {
                let text = file.source.as_deref().unwrap_or(content.ir());
                let lines = Lines::new(text);
                for diagnostic in &file.diagnostics {
                    match &mut report {
                        Report::Text(renderer) => {
                            renderer.render(
                                &file.path,
                                &lines,
                                text,
                                diagnostic,
                                file.source.is_some(),
                                &mut text_output,
                            );
                        }
                        Report::Sarif(sarif) => sarif.add(&file.path, &lines, text, diagnostic),
                        Report::Json(_) => {}
                    }
                }
            }
            let is_json = matches!(report, Report::Json(_));
            Ok(if is_json { found.report(content) } else { CheckReport::default() })
        });
        session.print(&text_output)?;
        if result.is_err() {
            status = Status::Unusable;
        }
        match (&mut report, result) {
            (Report::Json(files), result) => files.push(session, name, result),
            (Report::Sarif(sarif), Err(problem)) => sarif.add_problem(&problem),
            _ => {}
        }
    }
    match report {
        Report::Text(_) if tally.files == 0 => {}
        Report::Text(_) => session.note(&tally.summary()),
        Report::Json(files) => session.print_json(&files)?,
        Report::Sarif(sarif) => session.print_json(&sarif.finish())?,
    }
    Ok(status)
}

/// What has been said so far, in the format that was asked for. Text is printed as soon as it is known.
enum Report {
    Text(Renderer),
    Json(Files<CheckReport>),
    Sarif(Box<Sarif>),
}

/// How much was found.
#[derive(Default)]
struct Tally {
    errors: usize,
    warnings: usize,
    hints: usize,
    functions: usize,
    files: usize,
}

impl Tally {
    fn add(&mut self, found: &Checked) {
        let count = |severity: Severity| found.findings().filter(|diagnostic| diagnostic.severity == severity).count();
        self.errors += count(Severity::Error);
        self.warnings += count(Severity::Warning);
        self.hints += count(Severity::Hint);
        self.functions += found.functions;
        self.files += 1;
    }

    fn summary(&self) -> String {
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.hints, "hint")];
        let found: Vec<String> =
            counts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| counted(count, what)).collect();
        let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
        let functions = counted(self.functions, "function");
        match self.files {
            1 => format!("{found} in {functions}"),
            files => format!("{found} in {functions} of {}", counted(files, "file")),
        }
    }
}
