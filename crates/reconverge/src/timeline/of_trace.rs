//! Timelines of given paths: the tables of [`trace`](crate::trace()), a column for each of theirs.

use reconverge_semantics::Table;
use reconverge_valid::read_functions;
use rustc_hash::FxHashMap;

use super::picture::Picture;
use super::{MOST_COLUMNS, MOST_ROWS, Sets, Timeline, TimelineColumn, TimelineRow};
use crate::launch::command::{file, quoted};
use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::{ModelReport, Module, SourceReport, TraceAnswer, TraceModel, TraceOptions, Traced, source_model_name};

/// A table, with what its columns are and which lines they have.
struct Part<'t> {
    kind: &'static str,
    table: &'t Table,
    /// By column: what is executed, and its line of the input.
    columns: FxHashMap<usize, (String, usize)>,
}

/// The tables as timelines, one for each model. `options` are those that were asked.
pub fn timelines_of_trace(module: &Module, options: &TraceOptions, traced: &Traced) -> Vec<Timeline> {
    let blocks = block_lines(module, &options.function);
    let of_model = |report: &ModelReport| of_model(module, options, traced, report, &blocks);
    let of_source = |report: &SourceReport| of_source(module, options, traced, report);
    match &traced.answer {
        TraceAnswer::One(report) => vec![of_model(report)],
        TraceAnswer::All(all) => all.models.iter().map(of_model).collect(),
        TraceAnswer::Source(report) => vec![of_source(report)],
        TraceAnswer::AllOfSource(all) => all.models.iter().map(of_source).collect(),
        TraceAnswer::Pairs(_) => Vec::new(),
    }
}

fn of_model(
    module: &Module,
    options: &TraceOptions,
    traced: &Traced,
    report: &ModelReport,
    blocks: &FxHashMap<String, Vec<usize>>,
) -> Timeline {
    let mut of_blocks = FxHashMap::default();
    let mut of_operations = FxHashMap::default();
    for thread in &report.threads {
        for instance in &thread.instances {
            of_blocks.extend(instance.column.map(|column| (column, (instance.block.clone(), 0))));
        }
        for operation in &thread.operations {
            let column = operation.instance.column;
            of_operations.extend(column.map(|column| (column, (operation.operation.clone(), operation.line))));
        }
    }
    let mut parts = Vec::new();
    if let Some((table, operations)) = &report.tables {
        parts.push(Part { kind: "code", table, columns: of_blocks });
        if let Some(table) = operations {
            parts.push(Part { kind: "call", table, columns: of_operations });
        }
    } else if let Some(table) = &report.operations_alone {
        parts.push(Part { kind: "call", table, columns: of_operations });
    }
    let hierarchy = report.hierarchy.as_ref().filter(|hierarchy| !(hierarchy.complete && hierarchy.of == 1));
    let model = match hierarchy {
        Some(hierarchy) => format!("{}, hierarchy {}", report.model, hierarchy.number),
        None => report.model.to_owned(),
    };
    let mut command = command(module, options, report.model);
    if let Some(hierarchy) = hierarchy {
        command.push_str(&format!(" --hierarchy {}", hierarchy.number));
    }
    let contradiction = report.contradiction.as_ref().map(|why| format!("The blocks have no order: {why}."));
    let notes = contradiction.into_iter().collect();
    let lines = |kind: &str, name: &str, line: usize| match kind {
        "code" => (Vec::new(), blocks.get(name).cloned().unwrap_or_default()),
        _ => (Vec::new(), vec![line]),
    };
    timeline(traced, report.threads.len(), &parts, (model, command, notes), None, lines)
}

fn of_source(module: &Module, options: &TraceOptions, traced: &Traced, report: &SourceReport) -> Timeline {
    let instances = report.threads.iter().flat_map(|thread| &thread.instances);
    let columns = instances.map(|one| (one.column, (one.block.clone(), one.line as usize))).collect();
    let parts = [Part { kind: "call", table: &report.table, columns }];
    let command = command(module, options, report.model);
    let told = (report.model.to_owned(), command, report.open.clone());
    let file = Some(module.name().to_owned());
    timeline(traced, report.threads.len(), &parts, told, file, |_, _, line| (vec![line], Vec::new()))
}

fn command(module: &Module, options: &TraceOptions, model: &str) -> String {
    let mut words = vec!["reconverge".to_owned(), "trace".to_owned(), file(module.name())];
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), quoted(value)]);
    add("--function", options.function.trim_start_matches('@'));
    options.paths.iter().for_each(|path| add("--thread", path));
    let asked = match options.model {
        Some(TraceModel::Source(text)) => Some(source_model_name(text)),
        Some(_) => Some(model),
        None => None,
    };
    if let Some(model) = asked {
        add("--model", model);
    }
    if options.partial {
        words.push("--partial".to_owned());
    }
    if options.anchors_solo {
        words.push("--anchor solo".to_owned());
    }
    words.join(" ")
}

/// The lines of IR of each block.
fn block_lines(module: &Module, asked: &str) -> FxHashMap<String, Vec<usize>> {
    let lines = Lines::new(module.ir());
    let found = read_functions(module.ir(), |index, id, function| {
        let mut blocks: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        if is_asked_for(Some(asked), index, id) {
            for data in function.instructions.values() {
                let name = index.local_name(function.blocks[data.block].name);
                let line = lines.line_of(data.span.range().start) + 1;
                blocks.entry(crate::visible::visible(&name).into_owned()).or_default().push(line);
            }
        }
        blocks
    });
    found.map(|(_, all)| all.into_iter().flatten().collect()).unwrap_or_default()
}

/// The columns of the tables, in one order.
fn timeline(
    traced: &Traced,
    threads: usize,
    parts: &[Part<'_>],
    (model, command, mut notes): (String, String, Vec<String>),
    file: Option<String>,
    lines: impl Fn(&str, &str, usize) -> (Vec<usize>, Vec<usize>),
) -> Timeline {
    let in_part = |(part, data): (usize, &Part<'_>)| {
        let columns = data.table.classes.iter().enumerate();
        columns.map(|(column, &class)| (class, part, column)).collect::<Vec<_>>()
    };
    let mut order: Vec<(u32, usize, usize)> = parts.iter().enumerate().flat_map(in_part).collect();
    order.sort_unstable();
    let all = order.len();
    if all > MOST_COLUMNS {
        order.truncate(MOST_COLUMNS);
        notes.push(format!("The first {MOST_COLUMNS} of {all} steps are shown."));
    }
    let shown_threads = threads.min(MOST_ROWS);
    if shown_threads < threads {
        notes.push(format!("{shown_threads} of {threads} threads are shown."));
    }
    let mut sets = Sets::default();
    let mut rows: Vec<TimelineRow> = (1..=shown_threads)
        .map(|thread| TimelineRow {
            name: thread.to_string(),
            threads: vec![thread as u64],
            states: String::new(),
            cells: Vec::new(),
        })
        .collect();
    let mut columns = Vec::new();
    let mut last = vec![0; shown_threads];
    for (number, &(_, part, column)) in order.iter().enumerate() {
        let Part { kind, table, columns: known } = &parts[part];
        let members = (0..threads).filter(|&thread| table.rows[thread][column].is_some());
        let members: Vec<u64> = members.map(|thread| thread as u64 + 1).collect();
        for (thread, row) in rows.iter_mut().enumerate() {
            let cell = &table.rows[thread][column];
            if cell.is_some() {
                last[thread] = number + 1;
            }
            row.cells.push(cell.clone());
        }
        let (name, line) = known.get(&(column + 1)).cloned().unwrap_or_default();
        let (source, ir) = lines(kind, &name, line);
        columns.push(TimelineColumn {
            kind,
            name,
            function: traced.function.clone(),
            set: sets.number(&members),
            file: file.clone(),
            lines: source,
            ir,
            blocks: None,
            event: None,
            results: Vec::new(),
            from: Vec::new(),
        });
    }
    for (row, last) in rows.iter_mut().zip(last) {
        let state = |column: usize| match row.cells.get(column) {
            Some(Some(_)) => 'r',
            _ if column < last => 'o',
            _ => 'x',
        };
        row.states = (0..=order.len()).map(state).collect();
    }
    let sets = sets.all;
    let picture = Picture::new(&rows, &columns, &sets);
    Timeline {
        function: traced.function.clone(),
        model,
        kind: "trace",
        command,
        notes,
        findings: Vec::new(),
        rows,
        sets,
        columns,
        difference: None,
        picture,
        by_statements: false,
    }
}
