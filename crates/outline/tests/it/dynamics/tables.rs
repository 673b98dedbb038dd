//! The tables of the documents, from bodies and walks alone; and tables of everything in which the models differ.

use std::fmt::Write;

use expect_test::expect_file;
use reconverge_graph::SuccessorOrder;
use reconverge_outline::convergence::analyze;
use reconverge_outline::dynamics::{Choice, Model, Names, Unrelated, table};
use reconverge_outline::sketch;
use reconverge_semantics::Table;

fn tabulate(text: &str, model: Model, threads: &[&str]) -> Table {
    let outline = sketch::parse(text).expect("a body");
    let analysis = analyze(&outline, model.source());
    let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
    let walks: Vec<_> = threads
        .iter()
        .map(|thread| {
            let list: Vec<&str> = thread.split(' ').collect();
            names.walk(&list).unwrap_or_else(|error| panic!("{text}: {error}"))
        })
        .collect();
    table(&outline, &analysis, model, &names, &walks).expect("an order")
}

/// The rows without numbers of threads; `.` is an empty cell.
fn rows(table: &Table) -> Vec<String> {
    let cell = |cell: &Option<String>| cell.clone().unwrap_or_else(|| ".".to_owned());
    table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect()
}

/// All models agree on structured bodies.
fn structured(text: &str, threads: &[&str], expected: &[&str]) {
    for model in Model::ALL {
        assert_eq!(rows(&tabulate(text, model, threads)), expected, "{model:?} {text}");
    }
}

// conformance: clang-2025-04/2, 60, 60a
#[test]
fn ambiguity_in_a_simplified_cfg() {
    let threads = ["A B B C D", "A B C B C D"];
    structured(
        "A; for (;;) { B; if (_1) continue; C; if (_2) continue; break; } D;",
        &threads,
        &["A1 B1 . B3 C1 D1", "A2 B2 C2 B4 C3 D2"],
    );
    structured(
        "A; do { do { B; } while (_1); C; } while (_2); D;",
        &threads,
        &["A1 B1 B3 C1 . . D1", "A2 B2 . C2 B4 C3 D2"],
    );
}

/// The document calls the second `B` of thread 2 `B4`, and has its column before that of `C1`, which is in no order with it.
// conformance: clang-2025-04/20, 23, 63
#[test]
fn divergent_loop_exits() {
    structured(
        "A; for (_i; _n; _s) { B; if (_c) { C; break; } } D;",
        &["A B C D", "A B B C D"],
        &["A1 B1 C1 . . D1", "A2 B2 . B3 C2 D2"],
    );
}

/// "If they both evaluate `E`": who does not is not together with those who do, and is again behind it.
#[test]
fn operands_are_evaluated_by_those_who_come_to_them() {
    structured("A; _v ? B : C; D;", &["A B D", "A C D", "A B D"], &["A1 B1 . D1", "A2 . C1 D2", "A3 B2 . D3"]);
    structured("if (_v && B) A; D;", &["B A D", "B D", "D"], &["B1 A1 D1", "B2 . D2", ". . D3"]);
    structured("if (_v || B) A; D;", &["B A D", "B D", "A D"], &["B1 A1 D1", "B2 . D2", ". A2 D3"]);
    structured("while (B && _v || C) A; D;", &["B A B C D", "B C A B C D"], &["B1 . A1 B3 C1 D1", "B2 C2 A2 B4 C3 D2"]);
    structured(
        "switch (_v ? A : B) { case 1: C; } D;",
        &["A C D", "B C D", "B D"],
        &["A1 . C1 D1", ". B1 C2 D2", ". B2 . D3"],
    );
    structured("A + (_v, B) + C;", &["A B C", "A B C"], &["A1 B1 C1", "A2 B2 C2"]);
}

/// What follows from the body is as open as its start; nobody is with anybody where each thread is alone there, or the implementation keeps them apart.
#[test]
fn bodies_start_as_they_are_called() {
    use reconverge_outline::convergence::Start;
    let outline = sketch::parse("A; while (_c) { B; }").expect("a body");
    for model in Model::ALL {
        let together = |start| {
            let analysis = analyze(&outline, model.source()).starting(&outline, start);
            let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
            let walks = [["A", "B"]; 2].map(|list| names.walk(&list).expect("a walk"));
            let table = table(&outline, &analysis, model, &names, &walks).expect("an order");
            (table.rows[0].len() == 2, outline.nodes.keys().all(|node| analysis.is_defined(node)))
        };
        let is_united = !matches!(
            model,
            Model::Clang2025_04(Choice::Solo)
                | Model::Clang2025_08(Choice::Solo)
                | Model::Tangles2024_10(Unrelated::Apart)
        );
        assert_eq!(together(Start::Converged), (true, true), "{model:?}");
        assert_eq!(together(Start::Alone), (false, true), "{model:?}");
        assert_eq!(together(Start::NonconvergentCall), (is_united, false), "{model:?}");
        assert_eq!(together(Start::Environment), (is_united, false), "{model:?}");
    }
}

/// What an operand's value is decides where its condition leads.
#[test]
fn what_operands_do_not_allow_is_no_walk() {
    let impossible = |text: &str, list: &str, what_can: &str| {
        let outline = sketch::parse(text).expect("a body");
        let analysis = analyze(&outline, Model::ALL[0].source());
        let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
        let list: Vec<&str> = list.split(' ').collect();
        let error = names.walk(&list).expect_err(text).to_string();
        assert!(error.ends_with(&format!("what can is {what_can}")), "{text}: {error}");
    };
    impossible("if (_v && B) A; D;", "A D", "B, D");
    impossible("if (!(_v || B)) A; D;", "A D", "B, D");
    impossible("if (_v || B) A; else C; D;", "C", "B, A");
    impossible("if (_u, !!(_v && B && C)) A; D;", "B A", "C, D");
    impossible("if (_u ? _v && B : C) A; D;", "A", "B, C, D");
    impossible("if (_v ? B : C) A; D;", "D", "B, C");
    impossible("_v ? B : C; D;", "B C", "D");
    // As a value it decides nothing.
    let outline = sketch::parse("if ((_v && B) + _u) A; D;").expect("a body");
    let analysis = analyze(&outline, Model::ALL[0].source());
    let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
    names.walk(&["A", "D"]).expect("a walk");
}

/// What decides nothing is no evaluation; a full expression is its first one.
#[test]
fn evaluations_are_operations_and_what_decides_about_them() {
    let evaluations = |text: &str| {
        let outline = sketch::parse(text).expect("a body");
        let name =
            |node: reconverge_outline::Node| outline.operation(node).map_or("?".to_owned(), |one| one.name.clone());
        let all = outline.nodes.iter().filter(|(_, data)| data.is_evaluation()).map(|(node, _)| name(node));
        all.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(evaluations("A;"), "A");
    assert_eq!(evaluations("_a && _b || !_c;"), "?");
    assert_eq!(evaluations("A + (_a && _b) + !_c;"), "A");
    assert_eq!(evaluations("_a ? A : B;"), "? A B");
    assert_eq!(evaluations("_a && _b && A;"), "? ? A");
    assert_eq!(evaluations("A && _b;"), "A");
    assert_eq!(evaluations("if (A && _b) ;"), "A ?");
    assert_eq!(evaluations("if (_a) ;"), "?");
}

const DIFFERENCES: [(&str, &str, &[&str]); 11] = [
    ("A jump forward", "A; { if (_c) goto x; B; x: C; } D;", &["A C D", "A B C D"]),
    ("A fall-through", "A; switch (_v) { case 1: B; case 2: C; } D;", &["A B C D", "A C D"]),
    (
        "A jump out of a loop",
        "A; { while (_w) { B; if (_c) goto out; } C; out: D; } E;",
        &["A B D E", "A B C D E", "A B B D E"],
    ),
    ("A jump into a block", "A; { if (_c) goto x; if (_d) { B; x: C; E; } } D;", &["A C E D", "A B C E D"]),
    ("A jump from one branch to the other", "A; if (_c) { B; goto x; } else { x: C; } D;", &["A B C D", "A C D"]),
    ("A jump back", "A; { again: B; if (_c) goto again; C; } D;", &["A B B C D", "A B C D"]),
    (
        "A jump back under a condition",
        "A; { again: if (_c) { B; if (_d) goto again; C; } } D;",
        &["A B B C D", "A B C D"],
    ),
    (
        "A jump back out of a labelled block",
        "A; { again: { B; if (_c) goto again; C; } E; } D;",
        &["A B B C E D", "A B C E D"],
    ),
    (
        "A jump into a loop",
        "A; { if (_c) goto inside; while (w) { B; inside: C; } } D;",
        &["A C w B C w D", "A w B C w D"],
    ),
    (
        "Duff's device",
        "A; switch (_v) { case 1: B; while (w) { C; case 2: E; } F; break; case 3: G; } D;",
        &["A B w C E w F D", "A E w C E w F D", "A G D"],
    ),
    ("A `noconvergent` statement", "A; noconvergent { B; C; } D;", &["A B C D", "A B C D"]),
];

// conformance: tangles-2024-10/20, 21, 21a, 23, 31
#[test]
fn where_the_models_differ() {
    let order = SuccessorOrder::Forward;
    let models = [
        ("`clang-2025-04`, `solo`", Model::Clang2025_04(Choice::Solo)),
        ("`clang-2025-04`, `maximal`", Model::Clang2025_04(Choice::Maximal(order))),
        ("`tangles-2024-10`, apart", Model::Tangles2024_10(Unrelated::Apart)),
        ("`tangles-2024-10`, united", Model::Tangles2024_10(Unrelated::United(order))),
        ("`clang-2025-08`, `solo`", Model::Clang2025_08(Choice::Solo)),
        ("`clang-2025-08`, `maximal`", Model::Clang2025_08(Choice::Maximal(order))),
    ];
    let mut text = String::new();
    for (title, body, threads) in DIFFERENCES {
        let _ = writeln!(text, "## {title}\n\n```c\n{body}\n```\n");
        // Models with one table are named together.
        let mut tables: Vec<(Vec<&str>, String)> = Vec::new();
        for (name, model) in models {
            let table = tabulate(body, model, threads).markdown();
            match tables.iter_mut().find(|(_, other)| *other == table) {
                Some((names, _)) => names.push(name),
                None => tables.push((vec![name], table)),
            }
        }
        assert!(tables.len() > 1, "{title}: all models agree");
        for (names, table) in tables {
            let _ = writeln!(text, "{}:\n\n{table}", names.join("; "));
        }
    }
    expect_file!["./differences.md"].assert_eq(&text);
}
