use reconverge_exec::launch::{AnchorPolicy, Entry, Launch, Limits, MaskReading, Model, Schedule};
use reconverge_findings::run::{Trouble, What};
use reconverge_findings::{Anchor, Code, Finding, Kind};
use reconverge_ir::{DebugLocation, Span};

use super::*;

fn step(operation: &str, line: u32, threads: &[u64], results: &[&str]) -> Step {
    Step {
        operation: operation.to_owned(),
        function: "k".to_owned(),
        block: "entry".to_owned(),
        at: Anchor::outside(Span::default()),
        line,
        source: None,
        workgroup: 0,
        threads: threads.to_vec(),
        operands: vec!["1".to_owned(); threads.len()],
        results: results.iter().map(|&result| result.to_owned()).collect(),
    }
}

fn witness(before: Side, after: Side) -> Witness {
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [4, 1, 1],
        subgroup: 4,
        arguments: Vec::new(),
        model: Model::Maximal { hierarchy: 0 },
        schedule: Schedule::Lockstep,
        anchors: AnchorPolicy::Maximal,
        entry: Entry::Converged,
        masks: MaskReading::Partition,
        limits: Limits::default(),
        threads: 1,
        max_events: 0,
        races: false,
    };
    let (operation, thread) = ("vote".to_owned(), 0);
    let difference = Difference::Threads { operation, thread, before: vec![0, 1, 2, 3], after: vec![0, 2] };
    Witness {
        launch,
        model: reconverge_validate::report::Model::Maximal,
        difference,
        hierarchy: None,
        cut: false,
        before,
        after,
    }
}

fn parted() -> Witness {
    let vote = "_Z4votei";
    let barrier = step("barrier", 3, &[0, 1, 2, 3], &[]);
    let before = vec![barrier.clone(), step(vote, 7, &[0, 1, 2, 3], &["4"; 4])];
    let after = vec![barrier, step(vote, 9, &[0, 2], &["2", "2"]), step(vote, 9, &[1, 3], &["2", "3"])];
    witness(Side { steps: before, first_different: 1 }, Side { steps: after, first_different: 1 })
}

const WIDE: Style = Style { width: 120, color: false, of_source: false };

#[test]
fn first_differences_stand_on_one_line() {
    expect_test::expect![[r#"
          before: a.ll                       | after: b.ll
          .ll line  operation  threads  gets | .ll line  operation  threads  gets
                 3  @barrier   0-3           |        3  @barrier   0-3
        →        7  @vote      0-3      4    |        9  @vote      0,2      2
                                             |        9  @vote      1,3      1: 2, 3: 3
    "#]]
    .assert_eq(&tables(&parted(), ["before: a.ll", "after: b.ll"], WIDE));
}

#[test]
fn narrow_terminals_get_one_above_the_other() {
    let text = tables(&parted(), ["before: a.ll", "after: b.ll"], Style { width: 60, ..WIDE });
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    let marked: Vec<&str> = text.lines().filter(|line| line.starts_with(MARK)).collect();
    assert_eq!(marked.len(), 2, "{text}");
    let colored = tables(&parted(), ["a", "b"], Style { color: true, ..WIDE });
    assert_eq!(colored.matches("\u{1b}[1;31m→").count(), 1, "{colored}");
}

/// What is alike is cut, and a side that has no more says so on the line of the difference.
#[test]
fn long_tables_are_cut_around_the_difference() {
    let alike: Vec<Step> = (0..20).map(|line| step("vote", line, &[0, 1], &["1", "1"])).collect();
    let longer = alike.iter().cloned().chain((20..40).map(|line| step("vote", line, &[0], &["1"]))).collect();
    let witness = witness(Side { steps: alike, first_different: 20 }, Side { steps: longer, first_different: 20 });
    let text = tables(&witness, ["before", "after"], WIDE);
    let marked: Vec<&str> = text.lines().filter(|line| line.starts_with(MARK)).collect();
    assert!(marked.len() == 1 && marked[0].contains("(nothing more)") && marked[0].contains(" 20  @vote"), "{text}");
    assert!(text.contains("… 14 earlier, alike") && text.contains("… 12 more"), "{text}");
    assert_eq!(text.lines().count(), 2 + 1 + ROWS_BEFORE + ROWS_FROM + 1, "{text}");
}

/// What was passed is shown where it is what differs.
#[test]
fn operands_are_shown_where_they_differ() {
    let mut other = step("vote", 7, &[0, 1], &["1", "1"]);
    other.operands = vec!["1".to_owned(), "0".to_owned()];
    let side = |step| Side { steps: vec![step], first_different: 0 };
    let text = tables(&witness(side(step("vote", 7, &[0, 1], &["1", "1"])), side(other)), ["before", "after"], WIDE);
    assert!(text.contains("passes") && text.contains("0: 1, 1: 0"), "{text}");
    assert!(!tables(&parted(), ["before", "after"], WIDE).contains("passes"));
}

#[test]
fn lines_are_those_of_the_source_where_all_have_one() {
    let mut parted = parted();
    let place = |file: &str| {
        Some(DebugLocation { file: format!("folder/{file}"), line: 42, column: 1, inlined_at: Vec::new() })
    };
    let sides = |parted: &mut Witness, files: [&str; 2]| {
        parted.before.steps.iter_mut().for_each(|step| step.source = place(files[0]));
        parted.after.steps.iter_mut().for_each(|step| step.source = place(files[1]));
    };
    sides(&mut parted, ["k.cl", "k.cl"]);
    let text = tables(&parted, ["before", "after"], WIDE);
    assert!(text.contains("  42  @vote") && !text.contains(".ll line"), "{text}");
    sides(&mut parted, ["k.cl", "k.h"]);
    let text = tables(&parted, ["before", "after"], WIDE);
    assert!(text.contains("k.cl:42  @vote") && text.contains("k.h:42  @vote"), "{text}");
    parted.before.steps[0].source = None;
    assert!(tables(&parted, ["before", "after"], WIDE).contains(".ll line"));
}

/// Values are grouped by threads and never make a table too wide.
#[test]
fn values_are_grouped() {
    let strings = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
    assert_eq!(grouped(&[0, 1, 2], &strings(&["7", "7", "9"])), "0,1: 7, 2: 9");
    assert_eq!(grouped(&[3, 5], &strings(&["x", "x"])), "x");
    assert_eq!(grouped(&[], &[]), "");
    let many: Vec<String> = (0..64).map(|number: u64| number.to_string()).collect();
    assert_eq!(grouped(&(0..64).collect::<Vec<_>>(), &many).chars().count(), WIDEST);
}

/// A finding is no table, but a hang has one of what happened before.
#[test]
fn a_hang_shows_what_happened_before() {
    let mut parted = parted();
    let trouble = Trouble {
        calls: Vec::new(),
        what: What::Deadlock { able: Vec::new(), masks: None },
        threads: Vec::new(),
        others: Vec::new(),
        everywhere: None,
        workgroups: 1,
        first: 0,
    };
    let finding = Finding::new(Code::RC0502, Anchor::outside(Span::default()), Kind::Run(trouble));
    parted.difference = Difference::Trouble(Box::new(finding));
    parted.after.steps.truncate(1);
    let text = tables(&parted, ["before", "after"], WIDE);
    assert!(
        text.lines().last().is_some_and(|line| line.starts_with("→") && line.ends_with("(nothing more)")),
        "{text}"
    );
}
