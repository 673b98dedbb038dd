//! What pages show of a program: a report of each line. What `serve` answers is the same report, asked for in JSON; `tests/browser/serve.test.mjs` has what is sent to it.
//!
//! What has to hold: lines are those of the texts, numbers of lines, files and steps are of something that is there, a line is in no wider set than what it computes,
//! the findings are those of `check`, and in each step of a run those run that are of its set. Of a graph: every block and
//! cycle has one place, edges go by places that there are, and points are of blocks that have their lines.

use reconverge::cfg::layout::Layout;
use reconverge::{CheckOptions, FunctionGraph, Input as Opened, ReportLine, ReportOptions, Settings, open, report};
use reconverge_testing::random::SplitMix64;

use super::Outcome;
use crate::input::Input;

/// From the narrowest set on.
const SETS: [&str; 4] = ["divergent", "subgroup", "workgroup", "grid"];

pub(super) fn page(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let settings =
        Settings { target: super::structure::target(rng).map(std::borrow::Cow::Borrowed), ..Settings::default() };
    let check = CheckOptions { hints: rng.percent(50), ..CheckOptions::default() };
    let mut options = ReportOptions { check, ..ReportOptions::default() };
    // A run is the same machine, however long it is.
    options.launch.limits.instructions = [5_000, 50_000, 50_000, 1_000_000][rng.below(4)];
    let name = format!("fuzz-input.{}", input.kind.extension());
    let opened = Opened::new(&name, input.text.clone(), None).and_then(|input| open(input, &settings));
    let answer = opened.and_then(|module| report(&module, &options));
    let report = match answer {
        Ok(report) => report,
        Err(error) => {
            let mut outcome = Outcome::default();
            let message = error.to_string();
            assert!(!message.contains('\n'), "a message has several lines: {message}");
            outcome.saw(&message);
            outcome.answers(&message);
            return outcome;
        }
    };
    let mut outcome = Outcome { past_reader: true, findings: report.check.diagnostics.len(), ..Outcome::default() };
    for line in report.ir.iter().filter_map(|line| line.source) {
        assert!(line.1 >= 1 && line.1 <= report.files[line.0].lines.len(), "a line of no file: {line:?}");
    }
    for point in &report.points {
        let lines: &[ReportLine] = match &point.file {
            Some(path) => &report.files.iter().find(|file| file.path == *path).expect("points are of files").lines,
            None => &report.ir,
        };
        let rank = |set: &str| SETS.iter().position(|known| *known == set).expect("a set of threads");
        let of_line = lines[point.line - 1].uniform_in.expect("a line that computes something has a set");
        assert!(rank(of_line) <= rank(point.uniform_in), "a line in a wider set than what it computes: {point:?}");
        assert!(point.chain.iter().all(|step| *step < report.steps.len()), "a step that is not there: {point:?}");
    }
    for timeline in &report.time.all {
        for row in &timeline.rows {
            assert_eq!(row.states.len(), timeline.columns.len() + 1, "a row without a state somewhere");
            for (column, state) in timeline.columns.iter().zip(row.states.bytes()) {
                let set = &timeline.sets[column.set].threads;
                let is_in = row.threads.iter().all(|thread| set.binary_search(thread).is_ok());
                assert_eq!(is_in, state == b'r', "a row that runs is of the set, and no other is: {row:?}");
            }
        }
    }
    for graph in &report.graphs {
        for layout in [Some(&graph.layout), graph.source_layout.as_ref()].into_iter().flatten() {
            assert_laid_out(graph, layout);
        }
        for point in &graph.points {
            let block = point.block.map(|block| &graph.blocks[block]);
            let is_here = block.is_none_or(|block| block.instructions.iter().any(|line| line.line == point.line));
            assert!(is_here, "a point of another block: {point:?}");
            assert!(point.chain.iter().all(|step| *step < report.steps.len()), "a step that is not there: {point:?}");
        }
    }
    outcome.answers(&serde_json::to_string(&report).expect("names and numbers"));
    outcome
}

/// Everything has one place, and edges go by what is there.
fn assert_laid_out(graph: &FunctionGraph, layout: &Layout) {
    let items = || layout.containers.iter().flat_map(|container| &container.items);
    let mut blocks: Vec<usize> = items().filter_map(|item| item.block).collect();
    let mut cycles: Vec<usize> = items().filter_map(|item| item.cycle).collect();
    blocks.sort_unstable();
    cycles.sort_unstable();
    assert!(blocks.into_iter().eq(0..graph.blocks.len()), "blocks of {} are missing", graph.name);
    assert!(cycles.into_iter().eq(0..graph.cycles.len()), "cycles of {} are missing", graph.name);
    for container in &layout.containers {
        let is_inside = |x: f64| x >= 0.0 && x <= container.width;
        assert!(container.items.iter().all(|item| is_inside(item.x) && item.row < container.rows), "{container:?}");
    }
    assert_eq!(layout.routes.len(), graph.edges.len());
    for (route, edge) in layout.routes.iter().zip(&graph.edges) {
        let at = |container: usize, item: Option<&usize>| layout.containers[container].items[*item.expect("items")];
        let (first, last) = (&route[0], &route[route.len() - 1]);
        assert_eq!(at(first.container, first.items.first()).block, Some(edge.from), "{route:?}");
        assert_eq!(at(last.container, last.items.last()).block, Some(edge.to), "{route:?}");
    }
}
