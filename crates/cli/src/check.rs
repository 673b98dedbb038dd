//! `reconverge check`: the static rules and lints.

use std::time::Instant;

use reconverge_analysis::check::{CheckOptions, CheckReport, check};
use reconverge_findings::{IrVoice, Severity, Words, words};

use crate::arguments::{Check, CheckFormat};
use crate::exit::Status;
use crate::json::{Checked, Files, Finding};
use crate::lines::Lines;
use crate::places::{self, FindingsInFile};
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
    let mut status = Status::Clean;
    let mut tally = Tally::default();
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let mut text_output = String::new();
        let wanted = Wanted { model: arguments.model, ..Wanted::default() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            let start = Instant::now();
            let text = content.ir();
            let options = CheckOptions { target: Some(content.target()), hints: arguments.hints };
            let found = check(text, &options).map_err(|error| reconverge::Error::not_ir(&name, text, &error))?;
            session.detail(|| {
                let speed = session::speed(text.len(), start.elapsed().as_secs_f64());
                let functions = counted(found.functions, "function");
                let instructions = counted(found.instructions, "instruction");
                format!("{name}: {functions}, {instructions}: read and checked {speed}")
            });
            let words = Words::new(&found.module, IrVoice);
            for (function, required) in &found.requirements {
                for requirement in required {
                    session.detail(|| words::requirement(&words, &found.module.function_name(*function), requirement));
                }
            }
            if content.source().is_some_and(|source| source.is_partial) {
                status = Status::Unusable;
            }
            let places = places::of(&name, content, &found.module, &found.findings);
            tally.add(&found, &places);
            let severities = places.iter().flat_map(|place| &place.diagnostics).map(|diagnostic| diagnostic.severity);
            status = status.max(Status::of(severities, session.global.strict));
            let mut checked =
                Checked { functions: found.functions, instructions: found.instructions, ..Checked::default() };
            for place in &places {
                let lines = Lines::new(&place.text);
                for diagnostic in &place.diagnostics {
                    match &mut report {
                        Report::Text(renderer) => {
                            renderer.render(&place.path, &lines, &place.text, diagnostic, &mut text_output);
                        }
                        Report::Sarif(sarif) => sarif.add(&place.path, &lines, &place.text, diagnostic),
                        Report::Json(_) => {
                            let path = Some(place.path.to_string()).filter(|path| *path != name);
                            let mut finding = Finding::new(diagnostic, &lines);
                            finding.path = path;
                            checked.diagnostics.push(finding);
                        }
                    }
                }
            }
            Ok(checked)
        });
        session.print(&text_output)?;
        if result.is_err() {
            status = Status::Unusable;
        }
        match (&mut report, result) {
            (Report::Json(files), result) => files.push(name, result),
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
    Json(Files<Checked>),
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
    fn add(&mut self, report: &CheckReport<'_>, places: &[FindingsInFile<'_>]) {
        let diagnostics = || places.iter().flat_map(|place| &place.diagnostics);
        let count = |severity: Severity| diagnostics().filter(|diagnostic| diagnostic.severity == severity).count();
        self.errors += count(Severity::Error);
        self.warnings += count(Severity::Warning);
        self.hints += count(Severity::Hint);
        self.functions += report.functions;
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
