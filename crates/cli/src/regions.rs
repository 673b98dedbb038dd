//! `reconverge regions`: where each convergence token is live.

use std::fmt::Write;
use std::time::Instant;

use reconverge::{FunctionRegions, Part, Region, RegionsOptions, SourceRegion};

use crate::arguments::{Format, Regions};
use crate::exit::Status;
use crate::input::Problem;
use crate::json::Files;
use crate::near::Near;
use crate::output::printable;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

pub(crate) fn run(session: &Session<'_>, arguments: &Regions) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut near = Near::default();
    let mut files = Files::new();
    let (mut function_count, mut region_count) = (0, 0);
    let options = RegionsOptions { function: arguments.function.clone() };
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::analysis(), |content| {
            status = status.max(Status::of_coverage(content, session.global.strict));
            let start = Instant::now();
            let found = reconverge::regions(content, &options)?;
            if let (Some(asked), true) = (&arguments.function, found.functions.is_empty()) {
                near.merge(asked, content.functions_near(asked));
            }
            session.detail(|| {
                let speed = session::speed(content.ir().len(), start.elapsed().as_secs_f64());
                format!("{name}: {}: read, regions found: {speed}", counted(found.functions.len(), "function"))
            });
            Ok(found)
        });
        if let Ok(found) = &result {
            for function in &found.functions {
                function_count += 1;
                region_count += function.regions.len();
                if arguments.format == Format::Text {
                    session.print(&describe(function, &name, arguments.function.is_some()))?;
                }
                if let Some(line) = function.exceeded {
                    status = Status::Unusable;
                    session.complain(&exceeded(&name, function, line, session.settings.limits.region_parts));
                }
            }
        } else {
            status = Status::Unusable;
        }
        files.push(
            session,
            name,
            result.map(|found| if arguments.format == Format::Json { found } else { Default::default() }),
        );
    }
    if let (Some(function), 0) = (&arguments.function, function_count) {
        session::complain_missing(session, function, &near, &arguments.inputs);
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if function_count == 0 && status == Status::Unusable => {}
        Format::Text => {
            let (regions, functions) = (counted(region_count, "region"), counted(function_count, "function"));
            session.note(&format!("{regions} in {functions}"));
        }
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

/// That a function has more regions than are shown.
fn exceeded(path: &str, function: &FunctionRegions, line: usize, most_parts: usize) -> Problem {
    let message = format!(
        "the regions of {} have more than {most_parts} parts of blocks: this one and the rest are not shown (--limit region-parts=N raises this)",
        function.name
    );
    Problem { position: Some((line, 1)), ..Problem::new(path, message) }
}

/// What a person reads. Functions without regions are named where one was asked for.
fn describe(function: &FunctionRegions, path: &str, with_empty: bool) -> String {
    let mut text = match &function.source {
        Some(source) => format!("`{}` ({}:{})\n", printable(&source.name), printable(&source.file), source.line),
        None => format!("{} ({}:{})\n", printable(&function.name), printable(path), function.line),
    };
    if function.regions.is_empty() && function.exceeded.is_none() {
        if !with_empty {
            return String::new();
        }
        text.push_str("  no tokens\n");
    }
    function.regions.iter().for_each(|region| describe_region(region, &mut text));
    text + "\n"
}

/// Appends the lines of a region.
fn describe_region(region: &Region, text: &mut String) {
    /// Deeper regions are no further to the right.
    const DEEPEST_INDENT: usize = 20;
    let indent = 2 * region.depth.min(DEEPEST_INDENT);
    if let Some(source) = &region.source {
        describe_in_source(source, indent, text);
        return;
    }
    let title = format!("{} = {} (line {}, block {})", region.token, region.kind, region.line, region.block);
    let _ = write!(text, "{:indent$}{}", "", printable(&title));
    if region.uses.is_empty() {
        text.push_str(": not used\n");
        return;
    }
    let _ = write!(text, "\n{:indent$}    used by ", "");
    for (index, used) in region.uses.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}{} (line {})", printable(&used.operation), used.line);
    }
    let _ = write!(text, "\n{:indent$}    live in ", "");
    for (index, part) in region.blocks.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        describe_part(part, text);
    }
    text.push('\n');
}

/// The same in the words of the source.
fn describe_in_source(region: &SourceRegion, indent: usize, text: &mut String) {
    let _ = write!(text, "{:indent$}{}", "", printable(&region.what));
    let Some(lines) = region.lines.as_ref().filter(|_| !region.uses.is_empty()) else {
        text.push_str(": nothing in it communicates\n");
        return;
    };
    let _ = writeln!(text, ", {lines}; executed together in it:");
    for used in &region.uses {
        let _ = writeln!(text, "{:indent$}    {}", "", printable(used));
    }
}

fn describe_part(part: &Part, text: &mut String) {
    text.push_str(&printable(&part.block));
    let _ = match (part.after_line, part.up_to_line) {
        (None, None) => Ok(()),
        (Some(after), None) => write!(text, " (after line {after})"),
        (None, Some(up_to)) => write!(text, " (up to line {up_to})"),
        (Some(after), Some(up_to)) => write!(text, " (lines {} to {up_to})", after + 1),
    };
}
