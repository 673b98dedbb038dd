//! The tables of *Convergence and Uniformity*; see `main.rs` for the list.

use expect_test::expect;
use reconverge_semantics::Extent::{Part, Whole};

use crate::documents::figure::Figure;

const LOOP: &[&str] = &["Entry H", "H B L", "B L", "L H Exit"];

/// A closed path P, Q, R, S with a short cut from Q to S, that is entered at P or R: the figures of tables 4 to 8.
const TWO_ENTRIES: &[&str] = &["Entry P R", "P Q", "Q R S", "R S", "S P Exit"];

// conformance: uniformity/3
#[test]
fn table_1_natural_loop() {
    let rows = ["Entry1 H1 B1 L1 H3 . L3 . . . Exit", "Entry1 H2 . L2 H4 B2 L4 H5 B3 L5 Exit"];
    let entries = ["thread 1: Entry1 is Entry", "thread 2: Entry1 is Entry"];
    let table = Figure::new(LOOP).reproduce("H", Whole, &rows, &entries).table;
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11
        thread 1 | Entry | H1 | B1 | L1 | H3 |    | L3 |    |    |    | Exit
        thread 2 | Entry | H2 |    | L2 | H4 | B2 | L4 | H5 | B3 | L5 | Exit
    "#]]
    .assert_eq(&table.text());
}

// conformance: uniformity/4
#[test]
fn table_2_convergence_order() {
    // The document gives no graph, and elides steps. This graph has the shown ones.
    let figure = Figure::new(&["Entry S Q P", "P Q", "Q R", "R S", "S T Exit", "T Exit"]);
    let rows = ["Entry . . . . S2 T . Exit", "Entry . . Q2 R S1 . . Exit", "Entry . P Q1 . . . . ."];
    let numbers = ["thread 1: S2 is S", "thread 2: Q2 is Q", "thread 2: S1 is S", "thread 3: Q1 is Q"];
    let rows = rows.map(|row| row.trim_end_matches(" ."));
    let reproduced = figure.reproduce("", Part, &rows, &numbers);
    expect![[r#"
                 | 1     | 2 | 3 | 4 | 5 | 6 | 7
        thread 1 | Entry |   |   |   | S | T | Exit
        thread 2 | Entry |   | Q | R | S |   | Exit
        thread 3 | Entry | P | Q |   |   |   |
    "#]]
    .assert_eq(&reproduced.table.text());
    reproduced.claims(&["P -> Q2", "Q1 -> R", "P -> R", "P -> T", "Q1 -/> Q2", "Q2 -/> P", "T -/> P"]);
}

// conformance: uniformity/7, 7a, 7b
#[test]
fn table_3_maximal_convergence() {
    let rows = ["Entry1 H1 B1 L1 H3 . L3 . . . Exit", "Entry2 H2 . L2 H4 B2 L4 H5 B3 L5 Exit"];
    let entries = ["thread 1: Entry1 is Entry", "thread 2: Entry2 is Entry"];
    Figure::new(LOOP).reproduce("H", Whole, &rows, &entries).claims(&[
        "Entry1 == Entry2",
        "H1 == H2",
        "B1 != B2",
        "H4 -/> B1",
        "H3 == H4",
        "H3 != H5",
        "H4 -/> H3",
        "L1 == L2",
        "L3 == L4",
        "L3 != L5",
        "H5 -/> L3",
    ]);
}

// conformance: uniformity/8
#[test]
fn the_closed_path_has_two_hierarchies() {
    let figure = Figure::new(TWO_ENTRIES);
    let all = figure.hierarchies();
    let names: Vec<&str> = all.iter().map(|(names, _)| names.as_str()).collect();
    assert_eq!(names, ["P", "R S"]);
    let nested = &all[1].1;
    let [outer, inner] = ["R", "S"].map(|name| nested.innermost(figure.node(name)).expect("it is in a cycle"));
    assert!(nested.contains_cycle(outer, inner) && outer != inner);
    assert_eq!((nested.nodes(outer).len(), nested.nodes(inner).len()), (4, 3));
}

// conformance: uniformity/9, 10
#[test]
fn table_4_nested_irreducible_cycles() {
    let rows = ["Entry P1 Q1 S1 P3 Q3 R1 S2 Exit", "Entry P2 Q2 . . . R2 S3 Exit", "Entry . . . . . R3 S4 Exit"];
    // From left to right, then down, where the other tables take turns.
    let differences = ["thread 1: S2 is S4", "thread 2: S3 is S2", "thread 3: S4 is S3"];
    let reproduced = Figure::new(TWO_ENTRIES).reproduce("R S", Whole, &rows, &differences);
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9
        thread 1 | Entry | P1 | Q1 | S1 | P3 | Q3 | R1 | S4 | Exit
        thread 2 | Entry | P2 | Q2 |    |    |    | R2 | S2 | Exit
        thread 3 | Entry |    |    |    |    |    | R3 | S3 | Exit
    "#]]
    .assert_eq(&reproduced.table.text());
    reproduced.claims(&["P2 != P3", "S1 -/> P2", "Q2 != Q3", "S1 -/> Q2"]);
    reproduced.claims(&["S1 != S3", "R2 -/> S1", "S1 != S4", "R3 -/> S1"]);
}

// conformance: uniformity/10a
#[test]
fn table_4_under_the_other_header() {
    let paths = ["Entry P Q S P Q R S Exit", "Entry P Q R S Exit", "Entry R S Exit"];
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12
        thread 1 | Entry | P1 | Q1 |    | S1 | P3 | Q3 | R1 | S4 |    |    | Exit
        thread 2 | Entry | P2 | Q2 | R2 | S2 |    |    |    |    |    |    | Exit
        thread 3 | Entry |    |    |    |    |    |    |    |    | R3 | S3 | Exit
    "#]]
    .assert_eq(&Figure::new(TWO_ENTRIES).table("P", &paths));
}

// conformance: uniformity/22, 23
#[test]
fn table_5_the_diverged_entry_is_a_header() {
    let rows = ["Entry P1 Q1 . . . R1 S1 P3 [Q S] Exit", "Entry P2 Q2 S2 P4 Q4 R2 S4 . . Exit"];
    let figure = Figure::new(TWO_ENTRIES);
    let reproduced = figure.reproduce("R S", Whole, &rows, &[]);
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12
        thread 1 | Entry | P1 | Q1 |    |    |    | R1 | S1 | P3 | Q3 | S3 | Exit
        thread 2 | Entry | P2 | Q2 | S2 | P4 | Q4 | R2 | S4 |    |    |    | Exit
    "#]]
    .assert_eq(&reproduced.table.text());
    reproduced.claims(&["S2 != S1", "R1 -/> S2"]);
    // With header P, the threads meet at S.
    let paths = ["Entry P Q R S P Q S Exit", "Entry P Q S P Q R S Exit"];
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10
        thread 1 | Entry | P1 | Q1 | R1 | S1 | P3 | Q3 |    | S3 | Exit
        thread 2 | Entry | P2 | Q2 |    | S2 | P4 | Q4 | R2 | S4 | Exit
    "#]]
    .assert_eq(&figure.table("P", &paths));
}

// conformance: uniformity/23a
#[test]
fn table_6_the_diverged_entry_is_no_header() {
    let rows = ["Entry P1 Q1 R1 S1 P3 Q3 R3 S3 Exit", "Entry P2 Q2 . S2 P4 Q4 R2 S4 Exit"];
    // R is an entry, but P is the header; or R is no entry.
    for graph in [TWO_ENTRIES, &["Entry P", "P Q", "Q R S", "R S", "S P Exit"]] {
        let reproduced = Figure::new(graph).reproduce("P", Whole, &rows, &[]);
        reproduced.claims(&["S1 == S2", "S3 == S4", "R3 == R2"]);
    }
    let paths = ["Entry P Q R S P Q R S Exit", "Entry P Q S P Q R S Exit"];
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12 | 13
        thread 1 | Entry | P1 | Q1 |    |    |    | R1 | S1 | P3 | Q3 | R3 | S3 | Exit
        thread 2 | Entry | P2 | Q2 | S2 | P4 | Q4 | R2 | S4 |    |    |    |    | Exit
    "#]]
    .assert_eq(&Figure::new(TWO_ENTRIES).table("R S", &paths));
}

// conformance: uniformity/25
#[test]
fn table_7_diverged_paths_from_outside_to_header_p() {
    let rows = ["Entry . . . P1 Q1 R1 S1 P3 Q3 . S3 Exit", "Entry . R2 S2 P2 Q2 . S2 P4 Q4 R3 S4 Exit"];
    // S2 is printed twice.
    let differences = ["thread 2: S2 is S4", "thread 2: S4 is S5"];
    let reproduced = Figure::new(TWO_ENTRIES).reproduce("P", Whole, &rows, &differences);
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12
        thread 1 | Entry |    |    | P1 | Q1 | R1 | S1 | P3 | Q3 |    | S3 | Exit
        thread 2 | Entry | R2 | S2 | P2 | Q2 |    | S4 | P4 | Q4 | R3 | S5 | Exit
    "#]]
    .assert_eq(&reproduced.table.text());
    reproduced.claims(&["P1 == P2", "R1 != R2", "R1 != R3", "S3 == S4"]);
}

// conformance: uniformity/25a
#[test]
fn table_8_diverged_paths_from_outside_to_header_r() {
    let rows = ["Entry . P1 Q1 R1 S1 P3 Q3 S3 . . Exit", "Entry . . . R2 S2 P2 Q2 S2 P4 [Q S] Exit"];
    // S2 is printed twice.
    let reproduced = Figure::new(TWO_ENTRIES).reproduce("R S", Whole, &rows, &["thread 2: S2 is S4"]);
    expect![[r#"
                 | 1     | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10 | 11 | 12
        thread 1 | Entry | P1 | Q1 | R1 | S1 | P3 | Q3 | S3 |    |    |    | Exit
        thread 2 | Entry |    |    | R2 | S2 | P2 | Q2 | S4 | P4 | Q4 | S5 | Exit
    "#]]
    .assert_eq(&reproduced.table.text());
    reproduced.claims(&["R1 == R2", "P1 != P2", "P3 == P2", "P1 != P4"]);
}
