//! Bodies with ten thousands of statements, one after the other and one in the other. Time grows with the size: the limits are far above what is needed, and
//! far below what quadratic growth would take.

use std::time::Duration;

use cpu_time::ThreadTime;
use reconverge_outline::SourceModel;
use reconverge_outline::convergence;
use reconverge_outline::sketch;

const COUNT: usize = 20_000;

fn within_limits(name: &str, text: &str) {
    let text = text.to_owned();
    // The parser of sketches calls itself.
    let parsed = std::thread::Builder::new().stack_size(1 << 30).spawn(move || sketch::parse(&text));
    let outline = parsed.expect("a thread").join().expect("no panic").expect("a sketch");
    let start = ThreadTime::now();
    for model in [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08] {
        let analysis = convergence::analyze(&outline, model);
        convergence::findings(&outline, &analysis);
    }
    let before_plan = ThreadTime::now();
    convergence::plan(&outline);
    let taken = start.elapsed();
    println!("{name}: {} nodes, {taken:?}, of which the plan {:?}", outline.nodes.len(), before_plan.elapsed());
    assert!(taken < Duration::from_secs(4), "{name}: {taken:?}");
}

fn repeat(piece: impl FnMut(usize) -> String) -> String {
    (0..COUNT).map(piece).collect()
}

#[test]
fn sequences() {
    within_limits("statements", &repeat(|_| "a; ".to_owned()));
    within_limits("loops", &repeat(|_| "while (c) { a; if (b) break; } ".to_owned()));
    within_limits("jumps back", &repeat(|index| format!("l{index}: a; if (c) goto l{index}; ")));
    within_limits(
        "overlapping jumps back",
        &repeat(|index| match index {
            0 => "l0: a; ".to_owned(),
            _ => format!("l{index}: a; if (c) goto l{}; ", index - 1),
        }),
    );
    within_limits(
        "jumps to one label",
        &format!("start: {} end: b;", repeat(|_| "if (c) goto start; if (d) goto end; ".to_owned())),
    );
    within_limits("jumps to the next", &repeat(|index| format!("goto l{index}; a; l{index}: b; ")));
    within_limits("cases", &format!("switch (v) {{ {} }}", repeat(|index| format!("case {index}: a; "))));
    within_limits("returns", &repeat(|_| "if (c) return; a; ".to_owned()));
}

#[test]
fn nests() {
    let nest = |open: &str, close: &str| format!("{}a; {}", open.repeat(COUNT), close.repeat(COUNT));
    within_limits("ifs", &nest("if (c) { b; ", "} "));
    within_limits("loops", &nest("while (c) { b; ", "} "));
    within_limits("do", &nest("do { ", "} while (c); "));
    within_limits("noconvergent", &nest("noconvergent { b; ", "} "));
    let labels = repeat(|index| format!("l{index}: {{ b; "));
    let gotos: String = (0..COUNT).rev().map(|index| format!("if (c) goto l{index}; }} ")).collect();
    within_limits("jumps back", &format!("{labels} {gotos}"));
    let into = repeat(|index| format!("if (c) goto l{index}; "));
    let targets = repeat(|index| format!("while (c) {{ l{index}: b; "));
    within_limits("jumps into loops", &format!("{into} {targets} {}", "} ".repeat(COUNT)));
    let targets = repeat(|index| format!("if (c) {{ l{index}: b; "));
    within_limits("jumps into branches", &format!("{into} {targets} {}", "} ".repeat(COUNT)));
    let out: String = (0..COUNT).map(|index| format!("{{ b; if (c) goto l{index}; ")).collect();
    let labels: String = (0..COUNT).rev().map(|index| format!("}} l{index}: b; ")).collect();
    within_limits("jumps out of blocks", &format!("{out} {labels}"));
}
