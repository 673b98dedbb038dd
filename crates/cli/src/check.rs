//! `reconverge check`: the static rules and lints.

use std::io::IsTerminal;
use std::time::Instant;

use anyhow::bail;
use reconverge::{CheckOptions, CheckReport, Diagnostic, FindingReport, Module, Once, SharedFile, check};
use reconverge_exec::launch_grammar::extent::Extent;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{Check, CheckFormat};
use crate::exit::Status;
use crate::gitlab;
use crate::input::{Candidate, Problem};
use crate::inputs;
use crate::json::Files;
use crate::junit::JUnit;
use crate::lines::Lines;
use crate::render::{Renderer, short};
use crate::sarif::Sarif;
use crate::session::{self, Session, counted};
use crate::source::Wanted;
use crate::summary::{self, Summary};
use crate::triage;

pub(crate) fn run(session: &Session<'_>, arguments: &Check) -> anyhow::Result<Status> {
    let mut report = match arguments.format {
        CheckFormat::Text if arguments.short => Report::Short(String::new()),
        CheckFormat::Text => Report::Text(Renderer::new(session.has_color()), String::new()),
        _ if arguments.short => bail!("--short is a form of text: expected no other --format"),
        CheckFormat::Json => Report::Json(Files::new()),
        CheckFormat::Sarif => Report::Sarif(Box::new(Sarif::new())),
        CheckFormat::Junit => Report::JUnit(JUnit::new(session.global.strict)),
        CheckFormat::Gitlab => Report::Gitlab(Vec::new()),
    };
    let options = CheckOptions {
        hints: arguments.hints || session.config.hints,
        requirements: session.global.verbose,
        block: arguments.block.map(|Extent(extents)| extents).or(session.config.block),
        subgroup: arguments.subgroup.or(session.config.subgroup),
        every_body: arguments.every_body,
    };
    let mut triage = triage::of(session, arguments)?;
    let mut status = Status::Clean;
    let mut summary = Summary::new(arguments.max_findings.unwrap_or(usize::MAX));
    let (mut first_input, mut once) = (None, Once::default());
    let strict = session.global.strict;
    let wanted = Wanted {
        model: arguments.model,
        entry: arguments.entry,
        origins: true,
        of_ir: true,
        finds_breaches: true,
        passes_over_host: true,
        ..Wanted::analysis()
    };
    let look = |candidate: &Candidate, content: &Module| {
        let start = Instant::now();
        let found = check(content, &options)?;
        session.detail(|| {
            let speed = session::speed(content.ir().len(), start.elapsed().as_secs_f64());
            let functions = counted(found.functions, "function");
            let instructions = counted(found.instructions, "instruction");
            format!("{}: {functions}, {instructions}: read and checked {speed}", candidate.name())
        });
        if found.passed_over > 0 {
            let functions = counted(found.passed_over, "function");
            let them = if found.passed_over == 1 { "it" } else { "them" };
            session.note(&format!(
                "note: {}: {functions} without convergent operations not checked for valid IR (--every-body checks {them})",
                candidate.name()
            ));
        }
        for requirement in &found.requirements {
            session.detail(|| requirement.clone());
        }
        Ok(found)
    };
    inputs::each(session, &arguments.inputs, wanted, look, |number, candidate, result| {
        let name = candidate.name();
        let result = result.map(|(content, mut found)| {
            status = status.max(Status::of_checked(&content, strict));
            triage.apply(&mut found, &content);
            status = status.max(Status::of(found.counting().map(|diagnostic| diagnostic.severity), strict));
            once.keep(number, &mut found, &content);
            summary.add_input(&found);
            first_input.get_or_insert_with(|| name.clone());
            for file in &mut found.files {
                file.diagnostics.retain(|diagnostic| summary.add(diagnostic));
                report.add_file(&file.path, file.source.as_deref(), content.ir(), &file.diagnostics);
            }
            if let Report::Json(_) = report { found.report(&content) } else { CheckReport::default() }
        });
        if result.is_err() {
            status = Status::Unusable;
        }
        report.end_input(session, name, result)
    })?;
    for file in once.finish() {
        let SharedFile { path, text, findings, .. } = file;
        let listed = findings.into_iter().filter(|finding| summary.add(&finding.diagnostic));
        let (inputs, listed): (Vec<usize>, Vec<Diagnostic>) =
            listed.map(|finding| (finding.input, finding.diagnostic)).unzip();
        if let Report::Json(files) = &mut report {
            let lines = Lines::new(&text);
            for (input, diagnostic) in inputs.into_iter().zip(&listed) {
                let mut found = FindingReport::new(diagnostic, &lines);
                found.path = Some(path.clone());
                files.content(input).diagnostics.push(found);
            }
        }
        report.add_file(&path, Some(&text), &[], &listed);
        report.print(session)?;
    }
    triage::write_baseline(session, arguments, &triage, status)?;
    summary.gone = triage::gone(session, arguments, &triage);
    match report {
        Report::Text(..) | Report::Short(_) => {
            // What is said on standard error is the last thing, also where both go to one place.
            session.flush()?;
            session.note_understood();
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
    /// Adds what was found in a file, which is source, or the IR of an input. JSON has it by inputs.
    fn add_file(&mut self, path: &str, source: Option<&[u8]>, ir: &[u8], diagnostics: &[Diagnostic]) {
        let text = source.unwrap_or(ir);
        let lines = Lines::new(text);
        for diagnostic in diagnostics {
            let counts = diagnostic.suppression.is_none();
            match self {
                Report::Text(..) | Report::Short(_) | Report::JUnit(_) | Report::Gitlab(_) if !counts => {}
                Report::Text(renderer, output) => {
                    renderer.render(path, &lines, text, diagnostic, source.is_some(), output);
                }
                Report::Short(output) => short(path, &lines, diagnostic, output),
                Report::Sarif(sarif) => sarif.add(path, &lines, text, diagnostic),
                Report::JUnit(junit) => junit.add(path, &lines, diagnostic),
                Report::Gitlab(findings) => findings.push(gitlab::of_finding(path, &lines, diagnostic)),
                Report::Json(_) => {}
            }
        }
    }

    /// Prints the text so far.
    fn print(&mut self, session: &Session<'_>) -> std::io::Result<()> {
        match self {
            Report::Text(_, output) | Report::Short(output) => session.print(&std::mem::take(output)),
            _ => Ok(()),
        }
    }

    /// An input is done, or could not be used.
    fn end_input(
        &mut self,
        session: &Session<'_>,
        name: String,
        result: Result<CheckReport, Problem>,
    ) -> anyhow::Result<()> {
        self.print(session)?;
        if let Report::Json(files) = self {
            files.push(session, name, result);
            return Ok(());
        }
        match (self, result.err().or_else(|| session.problem_of(&name))) {
            (Report::Sarif(sarif), Some(problem)) => sarif.add_problem(&problem),
            (Report::JUnit(junit), Some(problem)) => junit.add_problem(&problem),
            (Report::JUnit(junit), None) => junit.end_input(&name),
            (Report::Gitlab(findings), Some(problem)) => findings.push(gitlab::of_problem(&problem)),
            (Report::Text(..) | Report::Short(_) | Report::Json(_) | Report::Sarif(_) | Report::Gitlab(_), _) => {}
        }
        Ok(())
    }
}
