//! The examples of the three documents as programs of our own, and what is said about them, point by point.

use reconverge_outline::SourceModel;
use reconverge_outline::convergence::{self, Analysis, Origin, Reason};
use reconverge_outline::{Node, Outline};

use crate::convergence::{node, outline};

/// What a model says of a program. Names are those of full expressions; `name:` is a label, `*name` the statement that the full expression is in.
struct Sheet {
    outline: Outline,
    analysis: Analysis,
}

fn sheet(model: SourceModel, text: &str) -> Sheet {
    let outline = outline(text);
    let analysis = convergence::analyze(&outline, model);
    Sheet { outline, analysis }
}

fn clang(text: &str) -> Sheet {
    sheet(SourceModel::Clang2025_04, text)
}

fn tangles(text: &str) -> Sheet {
    sheet(SourceModel::Tangles2024_10, text)
}

impl Sheet {
    fn node(&self, name: &str) -> Node {
        match name.strip_prefix('*') {
            Some(part) => self.outline.parent(node(&self.outline, part)).expect("a statement"),
            None => node(&self.outline, name),
        }
    }

    /// Threads converged at the start of the body are converged at these, if they get there.
    #[track_caller]
    fn body(&self, names: &[&str]) -> &Sheet {
        self.origins(names, Origin::Body, true)
    }

    /// Threads converged at an iteration of a statement, which is defined, are converged at these.
    #[track_caller]
    fn iteration(&self, condition: &str, names: &[&str]) -> &Sheet {
        self.origins(names, Origin::Iteration(self.node(&format!("*{condition}"))), true)
    }

    /// Threads converged at a round of a label, which is defined, are converged at these.
    #[track_caller]
    fn round(&self, label: &str, names: &[&str]) -> &Sheet {
        self.origins(names, Origin::Round(self.node(label)), true)
    }

    /// Who is together at `unit` is up to the implementation, and decides these.
    #[track_caller]
    fn unit(&self, unit: &str, names: &[&str]) -> &Sheet {
        self.origins(names, Origin::Execution(self.node(unit)), false)
    }

    #[track_caller]
    fn origins(&self, names: &[&str], origin: Origin, is_defined: bool) -> &Sheet {
        for name in names {
            let node = self.node(name);
            assert_eq!(self.analysis.places[node].origin, origin, "{name}");
            assert_eq!(self.analysis.is_defined(node), is_defined, "{name}");
        }
        self
    }

    /// Each of these is a unit of its own, or its statement is.
    #[track_caller]
    fn alone(&self, names: &[&str]) -> &Sheet {
        for name in names {
            let node = self.node(name);
            let statement = self.outline.parent(node).expect("a statement");
            let origin = self.analysis.places[node].origin;
            assert!([Origin::Execution(node), Origin::Execution(statement)].contains(&origin), "{name}: {origin:?}");
            assert!(!self.analysis.is_defined(node), "{name}");
        }
        self
    }

    /// The reason why these are up to the implementation.
    #[track_caller]
    fn because(&self, reason: Reason, names: &[&str]) -> &Sheet {
        for name in names {
            let cause = self.analysis.cause(self.node(name));
            assert_eq!(cause.map(|cause| cause.reason), Some(reason), "{name}");
        }
        self
    }

    /// Which conditions divide the threads on the way from the origin.
    #[track_caller]
    fn divided(&self, name: &str, conditions: &[&str]) -> &Sheet {
        let found = self.analysis.conditions(&self.outline, self.node(name));
        let expected: Vec<Node> = conditions.iter().map(|name| self.node(name)).collect();
        assert_eq!(found, expected, "{name}");
        self
    }
}

mod clang_2025_04 {
    use super::*;

    // conformance: clang-2025-04/1
    #[test]
    fn an_operation_under_a_condition() {
        clang("if (flag) shuffle;").body(&["flag", "shuffle"]).divided("shuffle", &["flag"]).divided("flag", &[]);
    }

    // conformance: clang-2025-04/3, 31, 32, 32a, 32b, 32c
    #[test]
    fn sequential_execution_at_a_branch() {
        clang("first; second; if (wet) { umbrella; boots; } else hat; home;")
            .body(&["first", "second", "wet", "umbrella", "boots", "hat", "home"])
            .divided("second", &[])
            .divided("umbrella", &["wet"])
            .divided("boots", &["wet"])
            .divided("hat", &["wet"])
            .divided("home", &[]);
    }

    // conformance: clang-2025-04/33, 37, 38
    #[test]
    fn sequential_execution_in_a_loop() {
        clang("first; second; while (more) { left; right; } after;")
            .body(&["first", "second", "*more", "after"])
            .iteration("more", &["more", "left", "right"])
            .divided("more", &[])
            .divided("left", &["more"])
            .divided("after", &[]);
    }

    // conformance: clang-2025-04/35, 41, 41a, 41b, 41c, 41d, 41e
    #[test]
    fn an_iteration_statement_with_continue_and_break() {
        let sheet =
            clang("first; second; while (more) { read; if (skip) continue; work; if (done) break; write; } after;");
        sheet
            .body(&["first", "second", "after", "*more"])
            .iteration("more", &["more", "read", "skip", "work", "done", "write"])
            // Those for whom `more` holds start the body together; `skip` takes some to its end, `done` some out of the loop.
            .divided("read", &["more"])
            .divided("work", &["more", "skip"])
            .divided("write", &["more", "skip", "done"])
            // Who did not leave is together at the next evaluation of the condition, of which the iteration counts.
            .divided("more", &[])
            .divided("after", &[]);
        assert!(sheet.analysis.entered[sheet.node("*more")].is_none(), "reducible");
    }

    // conformance: clang-2025-04/4, 40, 42, 42a, 42b, 42c
    #[test]
    fn a_jump_into_a_loop() {
        let sheet = clang(
            "early; if (late) goto inside; middle; while (more) { top; inside: join; if (leave) { bye; goto outside; } bottom; } \
             after; outside: end;",
        );
        sheet
            .alone(&["more", "top", "leave", "bottom"])
            .unit("inside:", &["inside:", "join"])
            .because(Reason::EnteredIteration, &["more", "top", "join", "leave", "bye", "bottom", "inside:"])
            .unit("*leave", &["leave", "bye"])
            .divided("bye", &["leave"])
            .body(&["early", "late", "middle", "after", "outside:", "end", "*more"]);
        let jump = sheet.analysis.entered[sheet.node("*more")].expect("not reducible");
        assert_eq!(jump.to, sheet.node("inside:"));
    }

    // conformance: clang-2025-04/43, 43a, 43b, 43c, 43d
    #[test]
    fn a_loop_that_is_shared_by_two_cases() {
        let sheet = clang(
            "first; switch (way) { case 1: one; while (more) { turn; case 2: two; } joined; break; case 3: three; } last;",
        );
        sheet
            .body(&["first", "way", "*way", "one", "joined", "three", "last"])
            .divided("three", &["way"])
            .divided("last", &[])
            .alone(&["more", "turn"])
            .because(Reason::EnteredIteration, &["turn", "two"]);
        let jump = sheet.analysis.entered[sheet.node("*more")].expect("not reducible");
        assert_eq!(jump.from, sheet.node("*way"));
    }

    // conformance: clang-2025-04/45, 47, 47a, 47b
    #[test]
    fn a_jump_forward_in_a_loop() {
        clang("before; while (more) { read; if (skip) goto next; work; next: write; flush; } after;")
            .body(&["before", "after"])
            .iteration("more", &["read", "skip", "work", "next:", "write", "flush"])
            .divided("work", &["more", "skip"])
            .divided("next:", &["more"])
            .divided("flush", &["more"]);
    }

    // conformance: clang-2025-04/48, 48a
    #[test]
    fn fall_through() {
        clang("first; switch (way) { case 1: one; break; case 2: two; case 3: three; } last;")
            .body(&["one", "two", "three", "last"])
            .divided("one", &["way"])
            .divided("two", &["way"])
            .divided("three", &["way"])
            .divided("last", &[]);
    }

    // conformance: clang-2025-04/13, 46, 49, 49a, 49b, 49c
    #[test]
    fn a_loop_made_of_a_jump_back() {
        let sheet = clang(
            "early; if (late) goto inside; middle; again: top; inside: join; if (leave) { bye; goto outside; } bottom; \
             if (more) goto again; after; outside: end;",
        );
        sheet
            .because(Reason::GotoCycle, &["top", "join", "leave", "bye", "bottom", "more", "again:", "inside:"])
            .alone(&["leave", "bottom", "more"])
            .unit("again:", &["again:", "top"])
            .unit("inside:", &["inside:", "join"])
            .unit("*leave", &["leave", "bye"])
            .body(&["early", "middle", "after", "outside:", "end"]);
    }

    // conformance: clang-2025-04/50, 50a, 51
    #[test]
    fn a_noconvergent_statement() {
        let sheet = clang("first; noconvergent { inner; if (some) rare; while (more) body; } last;");
        sheet
            .body(&["first", "last"])
            .because(Reason::Noconvergent, &["inner", "some", "rare", "*more", "more", "body"]);
        let block = sheet.outline.parent(sheet.node("*inner")).expect("the block");
        sheet.origins(&["inner", "some", "rare", "*more"], Origin::Execution(block), false);
        sheet.origins(&["more", "body"], Origin::Iteration(sheet.node("*more")), false);
        sheet.divided("rare", &["some"]);
    }

    // conformance: clang-2025-04/60, 60a
    #[test]
    fn one_loop_with_continue_is_not_two_loops() {
        clang("first; for (;;) { work; if (again) continue; rest; if (more) continue; break; } last;")
            .body(&["first", "last"])
            .divided("rest", &["again"]);
        let two = clang("first; do { do { work; } while (again); rest; } while (more); last;");
        two.body(&["first", "last"])
            .iteration("again", &["work", "again"])
            .iteration("more", &["*again", "rest", "more"]);
        two.divided("rest", &[]);
    }

    // conformance: clang-2025-04/63
    #[test]
    fn a_break_under_a_condition_belongs_to_its_iteration() {
        clang("first; for (_i; turn; _n) { work; if (found) { tell; break; } } last;")
            .iteration("turn", &["turn", "work", "found", "tell"])
            .divided("tell", &["turn", "found"])
            .body(&["first", "last"])
            .divided("last", &[]);
    }

    /// The situations that the text lists as cycles by its definition, though they may be none of control flow.
    // conformance: clang-2025-04/14, 15, 16, 17, 18
    #[test]
    fn cycles_that_may_be_none() {
        // Out of a loop, backwards: the loop is in the cycle, its later part only in the loop.
        let out = clang("again: first; while (more) { work; if (anew) goto again; rest; } last;");
        out.because(Reason::GotoCycle, &["first", "*more", "more", "work", "anew", "rest"]).body(&["last"]);
        out.origins(&["work", "rest"], Origin::Iteration(out.node("*more")), false);
        // From the else branch to the then branch.
        let across = clang("if (side) { left; back: middle; } else { right; goto back; } last;");
        across.because(Reason::GotoCycle, &["middle", "right"]).body(&["side", "left", "last"]);
        // To an earlier case.
        clang("switch (way) { case 1: one; break; case 2: early: two; break; case 3: goto early; } last;")
            .because(Reason::GotoCycle, &["two"])
            .body(&["one", "last"]);
        // The jump is made once.
        clang("goto start; back: first; goto out; start: second; goto back; out: last;")
            .because(Reason::GotoCycle, &["first", "second"])
            .body(&["last"]);
    }

    #[test]
    fn what_follows_a_jump_back_under_a_condition_is_not_in_its_cycle() {
        clang("again: if (more) { work; goto again; } else { done; } last;")
            .because(Reason::GotoCycle, &["more", "work"])
            .body(&["done", "last"]);
    }
}

mod tangles_2024_10 {
    use super::*;

    // conformance: tangles-2024-10/28
    #[test]
    fn a_return_under_a_condition() {
        tangles("first; second; if (out) { leave; return; } rest;")
            .body(&["first", "second", "out", "leave", "rest"])
            .divided("leave", &["out"])
            .divided("rest", &["out"]);
    }

    // conformance: tangles-2024-10/24, 29
    #[test]
    fn a_jump_into_a_branch() {
        tangles("if (early) { jump; goto inside; } if (side) { left; } else { inside: right; tail; } last;")
            .body(&["early", "jump", "side", "left"])
            .unit("inside:", &["inside:", "right", "tail"])
            .because(Reason::UnrelatedTangles, &["inside:", "right", "last"]);
    }

    // conformance: tangles-2024-10/2c, 30
    #[test]
    fn a_jump_into_a_loop() {
        tangles("if (early) { jump; goto inside; } while (more) { top; inside: join; } after;")
            .body(&["jump", "*more"])
            .because(Reason::UnrelatedTangles, &["more", "top", "join", "after"]);
    }

    // conformance: tangles-2024-10/23
    #[test]
    fn a_loop_that_is_shared_by_two_cases() {
        tangles(
            "switch (way) { case 1: one; while (more) { turn; case 2: two; } joined; break; case 3: three; } last;",
        )
        .body(&["one", "three", "last"])
        .because(Reason::UnrelatedTangles, &["turn", "two", "joined"]);
    }

    // conformance: tangles-2024-10/31
    #[test]
    fn a_jump_out_of_a_loop() {
        tangles("{ for (_i; turn; _n) { work; if (found) goto out; rest; } after; out: tell; tail; } last;")
            .iteration("turn", &["turn", "work", "found", "rest"])
            .body(&["after", "last"])
            .unit("out:", &["out:", "tell", "tail"])
            .because(Reason::UnrelatedTangles, &["tell", "tail"]);
    }

    // conformance: tangles-2024-10/10, 15d, 18, 22
    #[test]
    fn break_continue_and_the_end_of_if_join() {
        tangles("while (more) { read; if (skip) continue; if (done) break; work; } after; if (a) x; else y; z;")
            .iteration("more", &["more", "read", "skip", "done", "work"])
            .body(&["after", "x", "y", "z"]);
    }

    // conformance: tangles-2024-10/21, 22a
    #[test]
    fn a_label_joins_at_the_end_of_the_statement() {
        let sheet = tangles("{ first; if (skip) goto next; middle; next: write; } after;");
        sheet.body(&["first", "middle", "after"]).unit("next:", &["next:", "write"]);
        let jump = sheet.analysis.cause(sheet.node("write")).expect("a choice").jump.expect("a jump");
        assert_eq!(
            sheet.analysis.apart_until(&sheet.outline, jump),
            sheet.outline.parent(sheet.node("*first")).expect("a block")
        );
    }

    // conformance: tangles-2024-10/2d, 20, 22b
    #[test]
    fn fall_through_stays_apart_until_the_end_of_the_switch() {
        tangles("switch (way) { case 1: one; break; case 2: two; case 3: three; } last;")
            .body(&["one", "two", "last"])
            .because(Reason::UnrelatedTangles, &["three"]);
    }

    // conformance: tangles-2024-10/21a
    #[test]
    fn a_jump_back_makes_rounds() {
        tangles("{ first; again: work; if (more) goto again; rest; } last;")
            .body(&["first", "last"])
            .round("again:", &["again:", "work", "more"])
            .because(Reason::DifferentRounds, &["rest"]);
    }

    // conformance: tangles-2024-10/2
    #[test]
    fn two_jumps_back_to_one_label_are_unrelated() {
        tangles("again: work; if (more) goto again; rest; if (anew) goto again; last;")
            .because(Reason::UnrelatedTangles, &["work", "rest", "last"]);
    }
}

mod clang_2025_08 {
    use super::*;

    fn newest(text: &str) -> Sheet {
        sheet(SourceModel::Clang2025_08, text)
    }

    // conformance: clang-2025-08/6
    #[test]
    fn a_selection_statement() {
        newest("first; if (flag) shuffle; last;").body(&["flag", "shuffle", "last"]).divided("shuffle", &["flag"]);
    }

    // conformance: clang-2025-08/7, 8
    #[test]
    fn an_iteration_statement() {
        newest("while (more) { read; if (skip) continue; work; if (done) break; } last;")
            .iteration("more", &["read", "work"])
            .body(&["last"]);
    }

    // conformance: clang-2025-08/9
    #[test]
    fn jumps_into_statements_are_left_open() {
        newest("if (early) goto inside; if (side) { left; inside: right; } last;")
            .body(&["left", "last"])
            .because(Reason::EnteredStatement, &["inside:", "right"]);
    }

    #[test]
    fn jumps_to_labels_around_them_are_not() {
        newest("{ if (skip) goto next; middle; next: write; } switch (way) { case 1: one; case 2: two; }")
            .body(&["middle", "next:", "write", "one", "two"]);
    }

    #[test]
    fn statements_are_not_noconvergent() {
        newest("noconvergent { inner; }").body(&["inner"]);
    }
}

#[test]
fn findings_name_the_operation_and_the_jump() {
    let text = "first; again: work; if (more) goto again; last;";
    let sheet = clang(text);
    let findings = convergence::findings(&sheet.outline, &sheet.analysis);
    let names: Vec<&str> = findings.iter().map(|finding| finding.operation.name.as_str()).collect();
    assert_eq!(names, ["work", "more"]);
    let (from, to) = findings[0].jump.expect("a jump");
    assert!(text[from.0 as usize - 1..].starts_with("goto again") && text[to.0 as usize - 1..].starts_with("again:"));
    assert_eq!(findings[0].cause.reason.code(), "RC0302");
}
