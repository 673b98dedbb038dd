//! `docs/models.md` shows what the three models say. `UPDATE_EXPECT=1` writes the tables anew.

use std::path::Path;

use reconverge_outline::SourceModel;
use reconverge_outline::convergence::{self, Analysis, Origin, Reason};
use reconverge_outline::{Node, NodeKind, Outline, sketch};

const MODELS: [SourceModel; 3] = [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08];

#[test]
fn the_page_shows_what_the_models_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let mut expected = String::new();
    let mut program: Option<(Outline, Vec<Analysis>)> = None;
    let mut text: Option<String> = None;
    let (mut rows, mut differ) = (0, 0);
    for line in page.lines() {
        match &mut text {
            Some(program_text) if line == "```" => {
                let outline = sketch::parse(program_text).unwrap_or_else(|error| panic!("{error} in {program_text}"));
                let analyses = MODELS.map(|model| convergence::analyze(&outline, model)).to_vec();
                program = Some((outline, analyses));
                text = None;
            }
            Some(program_text) => {
                program_text.push_str(line);
                program_text.push('\n');
            }
            None if line == "```c" => text = Some(String::new()),
            None => {}
        }
        let name = line.strip_prefix("| `").and_then(|rest| rest.split('`').next());
        match (name, &program) {
            (Some(name), Some((outline, analyses))) if line.matches('|').count() == 5 => {
                let node = sketch::find(outline, name).unwrap_or_else(|| panic!("no {name}"));
                let cells: Vec<String> = analyses.iter().map(|analysis| said(outline, analysis, node)).collect();
                expected.push_str(&format!("| `{name}` | {} |\n", cells.join(" | ")));
                rows += 1;
                differ += usize::from(cells.iter().any(|cell| *cell != cells[0]));
            }
            _ => {
                expected.push_str(line);
                expected.push('\n');
            }
        }
    }
    assert!(rows > 20 && differ > 10, "{rows} rows, {differ} with differences");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, expected).expect("the page can be written");
    } else {
        assert_eq!(page, expected, "docs/models.md is old; run this test with UPDATE_EXPECT=1");
    }
}

fn said(outline: &Outline, analysis: &Analysis, node: Node) -> String {
    let origin = match analysis.places[node].origin {
        Origin::Body => "body".to_owned(),
        Origin::Iteration(iteration) => format!("iteration of {}", named(outline, iteration)),
        Origin::Round(label) => format!("round of {}", named(outline, label)),
        Origin::Execution(unit) => format!("unit {}", named(outline, unit)),
    };
    let reason = analysis.cause(node).map(|cause| match cause.reason {
        Reason::GotoCycle => "`goto` cycle",
        Reason::EnteredIteration => "loop that is jumped into",
        Reason::Noconvergent => "`noconvergent`",
        Reason::EnteredStatement => "statement that is jumped into",
        Reason::UnrelatedTangles => "unrelated tangles",
        Reason::DifferentRounds => "different rounds",
        Reason::NonconvergentCall => "call that is not convergent",
        Reason::Environment => "launch",
    });
    match reason {
        None => origin,
        Some(reason) => format!("**open**: {reason}; {origin}"),
    }
}

/// A label by its name, other nodes by the first operation in them.
fn named(outline: &Outline, node: Node) -> String {
    let (name, kind) = match &outline.kind(node) {
        NodeKind::Label { name, .. } => (name.to_string(), ""),
        kind => {
            let first = outline.operations(node).first();
            let kind = match kind {
                NodeKind::If { .. } => "`if` ",
                NodeKind::Compound => "block from ",
                _ => "",
            };
            (first.map_or("?".to_owned(), |operation| operation.name.clone()), kind)
        }
    };
    format!("{kind}`{name}`")
}
