//! `reconverge trace`: the table of dynamic instances of threads that take given paths, as text and Markdown.

use anyhow::bail;
use reconverge::{
    BlockInSource, ErrorKind, HierarchyReport, ModelReport, PairsReport, SourceReport, TraceAnswer, TraceModel,
    TraceOptions, Traced, svg_of_timelines, timelines_of_trace, trace,
};
use reconverge_semantics::{Table, markdown_grid, text_grid};

use crate::arguments::{Hierarchy, Model, TableFormat, Trace, TraceAnchor};
use crate::exit::Status;
use crate::near::Near;
use crate::output::printable;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

pub(crate) fn run(session: &Session<'_>, arguments: &Trace) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut near = Near::default();
    let mut found = Vec::new();
    let options = options(arguments);
    if arguments.format == TableFormat::Svg && options.all_hierarchies {
        bail!("--format svg shows one hierarchy: choose one with --hierarchy N");
    }
    for candidate in session.candidates(&arguments.inputs) {
        let without_tokens = matches!(arguments.model, Some(Model::Maximal | Model::Ipdom));
        let wanted = Wanted { without_tokens, translation: true, of_ir: true, ..Wanted::default() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            match trace(content, &options) {
                Ok(traced) => {
                    let pictures = match arguments.format {
                        TableFormat::Svg => svg_of_timelines(&timelines_of_trace(content, &options, &traced)),
                        _ => String::new(),
                    };
                    Ok(Some(Ok((candidate.name(), traced, pictures))))
                }
                Err(error) if error.kind == ErrorKind::Name => {
                    near.merge(&options.function, content.functions_near(&options.function));
                    Ok(None)
                }
                // About the input, not about what is asked of it.
                Err(error) if !error.path.is_empty() => Err(error.into()),
                Err(error) => Ok(Some(Err(error))),
            }
        });
        match result {
            Ok(answer) => found.extend(answer),
            Err(_) => status = Status::Unusable,
        }
    }
    let (path, traced, pictures) = match (found.pop(), found.len()) {
        (Some(answer), 0) => answer?,
        (None, _) => {
            if status == Status::Clean {
                session::complain_missing(session, &arguments.function, &near, &arguments.inputs);
            }
            return Ok(Status::Unusable);
        }
        _ => bail!("several inputs have a function @{}: name one of them", arguments.function.trim_start_matches('@')),
    };
    match arguments.format {
        TableFormat::Json => session.print_json(&traced)?,
        TableFormat::Svg => session.print_as_it_is(pictures.as_bytes())?,
        format => session.print(&describe(&traced, &path, format))?,
    }
    Ok(status.max(if traced.is_sound() { Status::Clean } else { Status::Findings }))
}

fn options(arguments: &Trace) -> TraceOptions {
    use reconverge::SourceModel;
    let model = |model| match model {
        Model::Maximal => TraceModel::Maximal,
        Model::Controlled => TraceModel::Controlled,
        Model::Ipdom => TraceModel::Ipdom,
        Model::Clang2025_04 => TraceModel::Source(SourceModel::Clang2025_04),
        Model::Tangles2024_10 => TraceModel::Source(SourceModel::Tangles2024_10),
        Model::Clang2025_08 => TraceModel::Source(SourceModel::Clang2025_08),
        Model::All => TraceModel::All,
    };
    TraceOptions {
        function: arguments.function.clone(),
        paths: arguments.paths.clone(),
        partial: arguments.partial,
        model: arguments.model.map(model),
        hierarchy: match arguments.hierarchy {
            Some(Hierarchy::Number(number)) => Some(number),
            Some(Hierarchy::All) | None => None,
        },
        all_hierarchies: arguments.all_hierarchies || arguments.hierarchy == Some(Hierarchy::All),
        max_hierarchies: arguments.max_hierarchies as usize,
        anchors_solo: arguments.anchor == TraceAnchor::Solo,
        entry: arguments.entry.map(Into::into),
    }
}

/// The tables.
pub(crate) fn describe(traced: &Traced, path: &str, format: TableFormat) -> String {
    let place = format!("{} ({path}:{})", traced.function, traced.line);
    let tables = match &traced.answer {
        TraceAnswer::One(report) => of_model(report, &place, format),
        TraceAnswer::All(all) => all.models.iter().map(|report| of_model(report, &place, format)).collect(),
        TraceAnswer::Pairs(report) => of_pairs(report, &place, format),
        TraceAnswer::Source(report) => of_source(report, &place, format),
        TraceAnswer::AllOfSource(all) => all.models.iter().map(|report| of_source(report, &place, format)).collect(),
        _ => String::new(),
    };
    tables + &in_source(&traced.blocks)
}

/// Where blocks are in the source: a line for each.
fn in_source(blocks: &[BlockInSource]) -> String {
    let Some(first) = blocks.first() else { return String::new() };
    let line = |block: &BlockInSource| {
        let BlockInSource { block, lines, .. } = block;
        format!("- {}\n", printable(&format!("{block}: {lines}: {}", lines.text)))
    };
    let lines: String = blocks.iter().map(line).collect();
    format!("the blocks in {}:\n\n{lines}\n", printable(&first.file))
}

fn table(table: &Table, format: TableFormat) -> String {
    if format == TableFormat::Markdown { table.markdown() } else { table.text() }
}

/// A title and the tables.
fn of_model(report: &ModelReport, place: &str, format: TableFormat) -> String {
    let hierarchy = report.hierarchy.as_ref().map(of_hierarchy).unwrap_or_default();
    let mut text = format!("{place}, {}{hierarchy}\n\n", report.title);
    if let Some((blocks, operations)) = &report.tables {
        text.push_str(&table(blocks, format));
        if let Some(operations) = operations {
            text.push_str("\noperations:\n\n");
            text.push_str(&table(operations, format));
        }
    }
    if let Some(contradiction) = &report.contradiction {
        text.push_str(&format!(
            "no table: {contradiction}\nThe function breaks a rule about tokens; `reconverge check` says which.\n"
        ));
        if let Some(operations) = &report.operations_alone {
            text.push_str("\nthe operations alone have an order:\n\n");
            text.push_str(&table(operations, format));
        }
    }
    text.push('\n');
    text
}

/// For a title; empty when there is no choice.
fn of_hierarchy(report: &HierarchyReport) -> String {
    if report.complete && report.of == 1 {
        return String::new();
    }
    let more = if report.complete { "" } else { " or more" };
    format!(", hierarchy {} of {}{more} ({})", report.number, report.of, headers(&report.headers))
}

fn headers(names: &[String]) -> String {
    let what = if names.len() == 1 { "header" } else { "headers" };
    format!("{what} {}", names.join(", "))
}

/// A title, the hierarchies, and a row for each pair.
fn of_pairs(report: &PairsReport, place: &str, format: TableFormat) -> String {
    let count = report.hierarchies.len();
    let more = if report.complete { "" } else { " or more" };
    let kinds = if count == 1 { "1 hierarchy".to_owned() } else { format!("{count}{more} hierarchies") };
    let mut text = format!("{place}, {} convergence in {kinds}\n\n", report.model);
    if !(report.complete && count == 1) {
        let mut lines = vec![["hierarchy".to_owned(), "headers".to_owned()].to_vec()];
        for (number, hierarchy) in (1..).zip(&report.hierarchies) {
            let mark = if number == 1 { " (LLVM's)" } else { "" };
            lines.push(vec![format!("{number}{mark}"), hierarchy.headers.join(", ")]);
        }
        text.push_str(&grid(&lines, format));
        text.push('\n');
    }
    let head = ["thread", "instance", "thread", "instance", "converged in"].map(str::to_owned);
    let mut lines = vec![head.to_vec()];
    for pair in &report.pairs {
        let all = match pair.converged_in.len() {
            0 => "none".to_owned(),
            some if some == count => "all".to_owned(),
            _ => pair.converged_in.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        };
        let [one, other] = pair.threads.map(|thread| thread.to_string());
        let [first, second] = pair.names.clone();
        lines.push(vec![one, first, other, second, all]);
    }
    text.push_str(&grid(&lines, format));
    let depending =
        report.pairs.iter().filter(|pair| !matches!(pair.converged_in.len(), some if some == 0 || some == count));
    let depending = depending.count();
    let (pairs, depend) = (counted(report.pairs.len(), "pair"), if depending == 1 { "depends" } else { "depend" });
    text.push_str(&format!("\n{depending} of {pairs} {depend} on the hierarchy\n\n"));
    text
}

fn grid(lines: &[Vec<String>], format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown_grid(lines),
        _ => text_grid(lines),
    }
}

/// A title and the table, and where the text leaves a choice.
fn of_source(report: &SourceReport, place: &str, format: TableFormat) -> String {
    let table = table(&report.table, format);
    let mut text = format!("{place}, {} ({})\n\n{table}\n", report.model, report.title);
    if !report.open.is_empty() {
        let choice = match report.choice {
            "solo" => "no threads are converged",
            "run" => "this is what the run did",
            _ => "as many are together as the cycles allow",
        };
        text.push_str(&format!("where the implementation has a choice, {choice}:\n"));
        report.open.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        text.push('\n');
    }
    text
}
