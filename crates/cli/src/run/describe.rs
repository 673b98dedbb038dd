//! What a run did, as text: buffers, executions of operations, and how often there were how many threads.

use std::fmt::Write;

use reconverge_exec::launch::{Buffer, Event, OperationProfile};
use reconverge_ir::DebugLocation;

use super::compare::By;
use crate::output::printable;

/// How many elements of a buffer are shown when nothing else is asked for.
pub(super) const SHOWN: usize = 16;

/// `out = u32[1024]{0, 1, 2, … 1021 more}`
pub(super) fn buffer(buffer: &Buffer, most: usize) -> String {
    let length = buffer.bytes.len() / buffer.element.size() as usize;
    // Leaving out a single one would save nothing.
    let shown = if length <= most.saturating_add(1) { length } else { most };
    let mut elements: Vec<String> = buffer.elements().take(shown).map(|number| number.to_string()).collect();
    if shown < length {
        elements.push(format!("… {} more", length - shown));
    }
    format!("{} = {}[{length}]{{{}}}\n", printable(&buffer.name), buffer.element.name(), elements.join(", "))
}

/// Threads as ranges: `{0-3,7}`.
pub(super) fn threads(threads: &[u64]) -> String {
    format!("{{{}}}", ranges(threads))
}

/// Ascending numbers as ranges: `0-3,7`.
pub(crate) fn ranges(threads: &[u64]) -> String {
    let mut text = String::new();
    let mut rest = threads;
    while let Some(&first) = rest.first() {
        let length = rest.iter().zip(first..).take_while(|&(&thread, expected)| thread == expected).count();
        let separator = if text.is_empty() { "" } else { "," };
        let _ = match length {
            1 => write!(text, "{separator}{first}"),
            2 => write!(text, "{separator}{first},{}", rest[1]),
            _ => write!(text, "{separator}{first}-{}", rest[length - 1]),
        };
        rest = &rest[length..];
    }
    text
}

/// Where an operation is: in the source, where the IR says it, else in the IR.
pub(super) fn place(path: &str, line: u32, source: Option<&DebugLocation>) -> String {
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    match source.filter(|source| source.line > 0) {
        Some(source) => format!("{}:{}", file(&source.file), source.line),
        None => format!("{}:{line}", file(path)),
    }
}

/// One execution: `@op (kernel.ll:7) {0-3}: 1, 1, 2, 2`.
pub(super) fn event(path: &str, event: &Event, by: By<'_>) -> String {
    let place = place(path, event.line, event.source.as_ref());
    let mut text =
        format!("{} ({place}) {}", by.name(&event.operation, event.source.as_ref()), threads(&event.threads));
    match event.results.split_first() {
        None => {}
        Some((first, others)) if others.iter().all(|other| other == first) => {
            let _ = write!(text, ": {first}");
        }
        Some(_) => {
            let _ = write!(text, ": {}", event.results.join(", "));
        }
    }
    printable(&text).into_owned()
}

/// One row for each operation that ran. `possible` says how many threads it is for.
pub(super) fn profile(
    path: &str,
    profile: &[OperationProfile],
    by: By<'_>,
    possible: impl Fn(&OperationProfile) -> u64,
) -> String {
    const TITLES: [&str; 5] = ["runs", "fewest", "mean", "most", "of"];
    let rows: Vec<([String; 5], String)> = profile
        .iter()
        .filter(|operation| operation.executions > 0)
        .map(|operation| {
            let mean = operation.threads as f64 / operation.executions as f64;
            let possible = possible(operation).max(operation.most);
            let numbers = [
                operation.executions.to_string(),
                operation.fewest.to_string(),
                format!("{mean:.1}"),
                operation.most.to_string(),
                possible.to_string(),
            ];
            let place = place(path, operation.line, operation.source.as_ref());
            (
                numbers,
                printable(&format!("{} ({place})", by.name(&operation.operation, operation.source.as_ref())))
                    .into_owned(),
            )
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let widths: [usize; 5] = std::array::from_fn(|column| {
        rows.iter().map(|(numbers, _)| numbers[column].len()).max().unwrap_or(0).max(TITLES[column].len())
    });
    let mut text = String::from("threads that ran convergent operations together:\n");
    let titles = (TITLES.map(str::to_owned), "operation".to_owned());
    for (numbers, operation) in std::iter::once(&titles).chain(&rows) {
        for (number, width) in numbers.iter().zip(widths) {
            let _ = write!(text, "  {number:>width$}");
        }
        let _ = writeln!(text, "  {operation}");
    }
    text
}

#[cfg(test)]
mod tests {
    use reconverge_exec::launch::Element;

    use super::*;

    #[test]
    fn ranges_of_threads() {
        assert_eq!(threads(&[]), "{}");
        assert_eq!(threads(&[4]), "{4}");
        assert_eq!(threads(&[0, 1, 3, 4, 5, 9]), "{0,1,3-5,9}");
        assert_eq!(threads(&(64..128).collect::<Vec<_>>()), "{64-127}");
    }

    #[test]
    fn buffers_are_cut() {
        let numbers: Vec<u8> = (0..20).collect();
        let show = |most| {
            let (name, bytes) = ("b".to_owned(), numbers.clone());
            buffer(&Buffer { name, element: Element::U8, bytes, indeterminate: Vec::new() }, most)
        };
        assert_eq!(show(3), "b = u8[20]{0, 1, 2, … 17 more}\n");
        assert!(show(19).ends_with("18, 19}\n") && show(usize::MAX).ends_with("18, 19}\n"));
        assert_eq!(show(0), "b = u8[20]{… 20 more}\n");
    }
}
