//! Loops unrolled: each way, and each reason not to.

use expect_test::{Expect, expect};
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_transform::{Kind, UnrollOptions, Unrolled, unroll};

const DECLARATIONS: &str = "\
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare void @vote(i32) convergent
declare void @unique(i32) noduplicate

";

fn factor(factor: u32) -> UnrollOptions {
    UnrollOptions { factor, ..UnrollOptions::default() }
}

/// Unrolls the loops of a function, and checks that the result breaks no rule.
fn run(function: &str, options: &UnrollOptions) -> (String, Unrolled) {
    let text = format!("{DECLARATIONS}{function}");
    let unrolled = unroll(text.as_bytes(), options).expect("it is IR");
    let result = String::from_utf8(unrolled.transformed.edits.clone().apply(text.as_bytes())).expect("it is text");
    let rules = |text: &str| {
        let found = check(text.as_bytes(), &CheckOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        found.diagnostics.into_iter().filter(|found| found.code.name().starts_with("RC01")).count()
    };
    assert_eq!(rules(&result), rules(&text), "{result}");
    (result[DECLARATIONS.len()..].to_owned(), unrolled)
}

fn unrolls(function: &str, options: &UnrollOptions, kind: Kind, expected: Expect) {
    let (text, unrolled) = run(function, options);
    assert_eq!(unrolled.transformed.refusals, []);
    assert_eq!(unrolled.loops.iter().map(|one| one.2).collect::<Vec<_>>(), [kind]);
    expected.assert_eq(&text);
}

/// What is refused, with the text that the refusal points at.
fn refuses(function: &str, options: &UnrollOptions, expected: Expect) {
    let (text, unrolled) = run(function, options);
    assert_eq!(text, function, "nothing changes");
    let whole = format!("{DECLARATIONS}{function}");
    let lines: Vec<String> = unrolled
        .transformed
        .refusals
        .iter()
        .map(|refusal| format!("{}: {}\n  {}\n", refusal.function, refusal.rule, &whole[refusal.span.range()]))
        .collect();
    expected.assert_eq(&lines.concat());
}

const COUNTDOWN_ON_ANCHOR: &str = "\
define i32 @f(i32 %n) {
start:
  br label %while
while:
  %left = phi i32 [ %n, %start ], [ %fewer, %body ]
  %go = icmp sgt i32 %left, 0
  br i1 %go, label %body, label %end
body:
  %set = call token @llvm.experimental.convergence.anchor()
  call void @vote(i32 %left) [ \"convergencectrl\"(token %set) ]
  %fewer = sub nsw i32 %left, 1
  br label %while, !llvm.loop !0
end:
  ret i32 %left
}
!0 = distinct !{!0}
";

#[test]
fn a_loop_on_anchors_may_have_a_remainder() {
    unrolls(
        COUNTDOWN_ON_ANCHOR,
        &factor(2),
        Kind::Remainder,
        expect![[r#"
        define i32 @f(i32 %n) {
        start:
          br label %while.unroll

        while.unroll:
          %unroll.frozen = freeze i32 %n
          %unroll.distance = sub i32 %unroll.frozen, 0
          %unroll.enters = icmp sgt i32 %unroll.frozen, 0
          %unroll.passes = select i1 %unroll.enters, i32 %unroll.distance, i32 0
          %unroll.rounds = udiv i32 %unroll.passes, 2
          %unroll.some = icmp ne i32 %unroll.rounds, 0
          br i1 %unroll.some, label %while.1, label %while

        while.1:
          %left.1 = phi i32 [ %n, %while.unroll ], [ %fewer.2, %while.again ]
          %unroll.left = phi i32 [ %unroll.rounds, %while.unroll ], [ %unroll.fewer, %while.again ]
          br label %body.1

        body.1:
          %set.1 = call token @llvm.experimental.convergence.anchor()
          call void @vote(i32 %left.1) [ "convergencectrl"(token %set.1) ]
          %fewer.1 = sub nsw i32 %left.1, 1
          br label %while.2

        while.2:
          br label %body.2

        body.2:
          %set.2 = call token @llvm.experimental.convergence.anchor()
          call void @vote(i32 %fewer.1) [ "convergencectrl"(token %set.2) ]
          %fewer.2 = sub nsw i32 %fewer.1, 1
          br label %while.again

        while.again:
          %unroll.fewer = sub i32 %unroll.left, 1
          %unroll.more = icmp ne i32 %unroll.fewer, 0
          br i1 %unroll.more, label %while.1, label %while
        while:
          %left = phi i32 [ %n, %while.unroll ], [ %fewer.2, %while.again ], [ %fewer, %body ]
          %go = icmp sgt i32 %left, 0
          br i1 %go, label %body, label %end
        body:
          %set = call token @llvm.experimental.convergence.anchor()
          call void @vote(i32 %left) [ "convergencectrl"(token %set) ]
          %fewer = sub nsw i32 %left, 1
          br label %while, !llvm.loop !0
        end:
          ret i32 %left
        }
        !0 = distinct !{!0}
    "#]],
    );
}

/// The same on a token from outside; `bound` is how `%n` comes from `%m`.
fn countdown(bound: &str) -> String {
    format!(
        "define void @f(i32 %m) {{
start:
  %n = {bound}
  %outer = call token @llvm.experimental.convergence.anchor()
  br label %while
while:
  %left = phi i32 [ %n, %start ], [ %fewer, %body ]
  %inner = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %outer) ]
  %go = icmp ugt i32 %left, 0
  br i1 %go, label %body, label %end
body:
  call void @vote(i32 %left) [ \"convergencectrl\"(token %inner) ]
  %fewer = sub i32 %left, 1
  br label %while
end:
  ret void
}}
"
    )
}

#[test]
fn a_loop_on_a_token_from_outside_may_not() {
    refuses(
        &countdown("add i32 %m, 1"),
        &factor(2),
        expect![[r#"
        the loop at %while of @f: a token from outside of the loop is used in it: a remainder would let threads of one iteration execute different static instances
          %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
    "#]],
    );
}

#[test]
fn a_known_multiple_needs_no_remainder() {
    unrolls(
        &countdown("shl i32 %m, 1"),
        &factor(2),
        Kind::Exact,
        expect![[r#"
        define void @f(i32 %m) {
        start:
          %n = shl i32 %m, 1
          %outer = call token @llvm.experimental.convergence.anchor()
          br label %while
        while:
          %left = phi i32 [ %n, %start ], [ %fewer.1, %body.1 ]
          %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
          %go = icmp ugt i32 %left, 0
          br i1 %go, label %body, label %end
        body:
          call void @vote(i32 %left) [ "convergencectrl"(token %inner) ]
          %fewer = sub i32 %left, 1
          br label %while.1

        while.1:
          br label %body.1

        body.1:
          call void @vote(i32 %fewer) [ "convergencectrl"(token %inner) ]
          %fewer.1 = sub i32 %fewer, 1
          br label %while
        end:
          ret void
        }
    "#]],
    );
    refuses(
        &countdown("shl i32 %m, 1"),
        &factor(4),
        expect![[r#"
        the loop at %while of @f: a token from outside of the loop is used in it: a remainder would let threads of one iteration execute different static instances
          %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
    "#]],
    );
    unrolls(
        &countdown("and i32 %m, -4"),
        &factor(4),
        Kind::Exact,
        expect![[r#"
        define void @f(i32 %m) {
        start:
          %n = and i32 %m, -4
          %outer = call token @llvm.experimental.convergence.anchor()
          br label %while
        while:
          %left = phi i32 [ %n, %start ], [ %fewer.3, %body.3 ]
          %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
          %go = icmp ugt i32 %left, 0
          br i1 %go, label %body, label %end
        body:
          call void @vote(i32 %left) [ "convergencectrl"(token %inner) ]
          %fewer = sub i32 %left, 1
          br label %while.1

        while.1:
          br label %body.1

        body.1:
          call void @vote(i32 %fewer) [ "convergencectrl"(token %inner) ]
          %fewer.1 = sub i32 %fewer, 1
          br label %while.2

        while.2:
          br label %body.2

        body.2:
          call void @vote(i32 %fewer.1) [ "convergencectrl"(token %inner) ]
          %fewer.2 = sub i32 %fewer.1, 1
          br label %while.3

        while.3:
          br label %body.3

        body.3:
          call void @vote(i32 %fewer.2) [ "convergencectrl"(token %inner) ]
          %fewer.3 = sub i32 %fewer.2, 1
          br label %while
        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn a_constant_needs_no_remainder() {
    let seven = countdown("add i32 %m, 1").replace("[ %n, %start ]", "[ 7, %start ]");
    unrolls(
        &seven,
        &factor(8),
        Kind::Full,
        expect![[r#"
        define void @f(i32 %m) {
        start:
          %n = add i32 %m, 1
          %outer = call token @llvm.experimental.convergence.anchor()
          br label %while
        while:
          %left = phi i32 [ 7, %start ]
          %go = icmp ugt i32 %left, 0
          br label %body
        body:
          call void @vote(i32 %left) [ "convergencectrl"(token %outer) ]
          %fewer = sub i32 %left, 1
          br label %while.1

        while.1:
          br label %body.1

        body.1:
          call void @vote(i32 %fewer) [ "convergencectrl"(token %outer) ]
          %fewer.1 = sub i32 %fewer, 1
          br label %while.2

        while.2:
          br label %body.2

        body.2:
          call void @vote(i32 %fewer.1) [ "convergencectrl"(token %outer) ]
          %fewer.2 = sub i32 %fewer.1, 1
          br label %while.3

        while.3:
          br label %body.3

        body.3:
          call void @vote(i32 %fewer.2) [ "convergencectrl"(token %outer) ]
          %fewer.3 = sub i32 %fewer.2, 1
          br label %while.4

        while.4:
          br label %body.4

        body.4:
          call void @vote(i32 %fewer.3) [ "convergencectrl"(token %outer) ]
          %fewer.4 = sub i32 %fewer.3, 1
          br label %while.5

        while.5:
          br label %body.5

        body.5:
          call void @vote(i32 %fewer.4) [ "convergencectrl"(token %outer) ]
          %fewer.5 = sub i32 %fewer.4, 1
          br label %while.6

        while.6:
          br label %body.6

        body.6:
          call void @vote(i32 %fewer.5) [ "convergencectrl"(token %outer) ]
          %fewer.6 = sub i32 %fewer.5, 1
          br label %while.7

        while.7:
          br label %end
        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn uncontrolled_operations_forbid_a_remainder_only() {
    let plain = |bound: &str| {
        let text = countdown(bound).replace(" [ \"convergencectrl\"(token %inner) ]", "");
        let kept = text.lines().filter(|line| !line.contains("call token"));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    refuses(
        &plain("add i32 %m, 1"),
        &factor(2),
        expect![[r#"
        the loop at %while of @f: an uncontrolled convergent operation is in the loop: a remainder would let threads of one iteration execute different static instances
          call void @vote(i32 %left)
    "#]],
    );
    let (_, unrolled) = run(&plain("shl i32 %m, 1"), &factor(2));
    assert_eq!(unrolled.loops[0].2, Kind::Exact);
}

#[test]
fn tests_can_be_kept_whatever_the_tokens_are() {
    let options = UnrollOptions { keep_tests: true, ..factor(2) };
    unrolls(
        &countdown("add i32 %m, 1"),
        &options,
        Kind::Tested,
        expect![[r#"
        define void @f(i32 %m) {
        start:
          %n = add i32 %m, 1
          %outer = call token @llvm.experimental.convergence.anchor()
          br label %while
        while:
          %left = phi i32 [ %n, %start ], [ %fewer.1, %body.1 ]
          %inner = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %outer) ]
          %go = icmp ugt i32 %left, 0
          br i1 %go, label %body, label %end
        body:
          call void @vote(i32 %left) [ "convergencectrl"(token %inner) ]
          %fewer = sub i32 %left, 1
          br label %while.1

        while.1:
          %go.1 = icmp ugt i32 %fewer, 0
          br i1 %go.1, label %body.1, label %end

        body.1:
          call void @vote(i32 %fewer) [ "convergencectrl"(token %inner) ]
          %fewer.1 = sub i32 %fewer, 1
          br label %while
        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn a_heart_has_to_be_in_the_header() {
    let function = "\
define void @f(i1 %c, i32 %n) {
start:
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %next, %latch ]
  %set = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %some, label %latch
some:
  %counts = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %set) ]
  call void @vote(i32 0) [ \"convergencectrl\"(token %counts) ]
  br label %latch
latch:
  %next = add i32 %i, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %head, label %end
end:
  ret void
}
";
    refuses(
        function,
        &factor(2),
        expect![[r#"
        the loop at %head of @f: a heart that is not in the header of its loop counts iterations of its own; such a loop is not unrolled
          %counts = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %set) ]
    "#]],
    );
}

#[test]
fn loops_inside_are_copied_with_their_hearts() {
    let function = "\
define void @f(i32 %n) convergent {
start:
  %begin = call token @llvm.experimental.convergence.entry()
  br label %outer
outer:
  %i = phi i32 [ 0, %start ], [ %i.next, %latch ]
  %heart = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %begin) ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %beat = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %heart) ]
  call void @vote(i32 %j) [ \"convergencectrl\"(token %beat) ]
  %j.next = add i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %go = icmp ult i32 %i.next, 6
  br i1 %go, label %outer, label %end
end:
  ret void
}
";
    let options = |factor: u32| UnrollOptions { loops: vec!["outer".to_owned()], ..self::factor(factor) };
    unrolls(
        function,
        &options(2),
        Kind::Exact,
        expect![[r#"
        define void @f(i32 %n) convergent {
        start:
          %begin = call token @llvm.experimental.convergence.entry()
          br label %outer
        outer:
          %i = phi i32 [ 0, %start ], [ %i.next.1, %latch.1 ]
          %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %begin) ]
          br label %inner
        inner:
          %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
          %beat = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %heart) ]
          call void @vote(i32 %j) [ "convergencectrl"(token %beat) ]
          %j.next = add i32 %j, 1
          %again = icmp slt i32 %j.next, %n
          br i1 %again, label %inner, label %latch
        latch:
          %i.next = add i32 %i, 1
          %go = icmp ult i32 %i.next, 6
          br label %outer.1

        outer.1:
          br label %inner.1

        inner.1:
          %j.1 = phi i32 [ %i.next, %outer.1 ], [ %j.next.1, %inner.1 ]
          %beat.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %heart) ]
          call void @vote(i32 %j.1) [ "convergencectrl"(token %beat.1) ]
          %j.next.1 = add i32 %j.1, 1
          %again.1 = icmp slt i32 %j.next.1, %n
          br i1 %again.1, label %inner.1, label %latch.1

        latch.1:
          %i.next.1 = add i32 %i.next, 1
          %go.1 = icmp ult i32 %i.next.1, 6
          br i1 %go.1, label %outer, label %end
        end:
          ret void
        }
    "#]],
    );
    let (full, unrolled) = run(function, &options(6));
    assert_eq!(unrolled.loops[0].2, Kind::Full);
    assert_eq!(full.matches("convergence.loop() [ \"convergencectrl\"(token %begin) ]").count(), 6, "{full}");
    assert_eq!(full.matches("convergence.loop()").count(), 6, "{full}");
}

#[test]
fn values_that_leave_from_several_copies_get_phis() {
    let function = "\
define i32 @f(ptr %p, i32 %n) {
  br label %1
1:
  %2 = phi i32 [ 0, %0 ], [ %8, %7 ]
  %3 = icmp slt i32 %2, %n
  br i1 %3, label %4, label %9
4:
  %5 = load i32, ptr %p
  %6 = icmp eq i32 %5, %2
  br i1 %6, label %9, label %7
7:
  %8 = add nsw i32 %2, 1
  br label %1
9:
  %10 = phi i32 [ -1, %1 ], [ %5, %4 ]
  %11 = add i32 %10, %2
  ret i32 %11
}
";
    unrolls(
        function,
        &factor(2),
        Kind::Remainder,
        expect![[r#"
        define i32 @f(ptr %p, i32 %n) {
          br label %b1.unroll

        b1.unroll:
          %unroll.frozen = freeze i32 %n
          %unroll.distance = sub i32 %unroll.frozen, 0
          %unroll.enters = icmp slt i32 0, %unroll.frozen
          %unroll.passes = select i1 %unroll.enters, i32 %unroll.distance, i32 0
          %unroll.rounds = udiv i32 %unroll.passes, 2
          %unroll.some = icmp ne i32 %unroll.rounds, 0
          br i1 %unroll.some, label %b1, label %1

        b1:
          %v2 = phi i32 [ 0, %b1.unroll ], [ %v8.1, %b1.again ]
          %unroll.left = phi i32 [ %unroll.rounds, %b1.unroll ], [ %unroll.fewer, %b1.again ]
          br label %b4

        b4:
          %v5 = load i32, ptr %p
          %v6 = icmp eq i32 %v5, %v2
          br i1 %v6, label %9, label %b7

        b7:
          %v8 = add nsw i32 %v2, 1
          br label %b1.1

        b1.1:
          br label %b4.1

        b4.1:
          %v5.1 = load i32, ptr %p
          %v6.1 = icmp eq i32 %v5.1, %v8
          br i1 %v6.1, label %9, label %b7.1

        b7.1:
          %v8.1 = add nsw i32 %v8, 1
          br label %b1.again

        b1.again:
          %unroll.fewer = sub i32 %unroll.left, 1
          %unroll.more = icmp ne i32 %unroll.fewer, 0
          br i1 %unroll.more, label %b1, label %1
        1:
          %2 = phi i32 [ 0, %b1.unroll ], [ %v8.1, %b1.again ], [ %8, %7 ]
          %3 = icmp slt i32 %2, %n
          br i1 %3, label %4, label %9
        4:
          %5 = load i32, ptr %p
          %6 = icmp eq i32 %5, %2
          br i1 %6, label %9, label %7
        7:
          %8 = add nsw i32 %2, 1
          br label %1
        9:
          %unroll.value = phi i32 [ %2, %1 ], [ %v2, %b4 ], [ %v8, %b4.1 ], [ %2, %4 ]
          %10 = phi i32 [ -1, %1 ], [ %v5, %b4 ], [ %v5.1, %b4.1 ], [ %5, %4 ]
          %11 = add i32 %10, %unroll.value
          ret i32 %11
        }
    "#]],
    );
}

/// A loop with something in its body; `%go` says whether it goes on.
fn with_body(body: &str, go: &str) -> String {
    format!(
        "define void @f(i32 %n, ptr %p) {{
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  {body}
  %next = add i32 %i, 1
  {go}
  br i1 %go, label %loop, label %end
end:
  ret void
}}
"
    )
}

#[test]
fn what_may_not_stand_twice_is_not_copied() {
    let go = "%go = icmp ult i32 %next, %n";
    refuses(
        &with_body("call void @unique(i32 %i)", go),
        &factor(2),
        expect![[r#"
        the loop at %loop of @f: a call that is `noduplicate` may not be copied
          call void @unique(i32 %i)
    "#]],
    );
    refuses(
        &with_body("%room = alloca i32", go),
        &factor(2),
        expect![[r#"
        the loop at %loop of @f: `alloca` in the loop: each iteration allocates, and copies would allocate elsewhere
          %room = alloca i32
    "#]],
    );
}

#[test]
fn a_remainder_needs_a_count() {
    let loaded = with_body("%now = load i32, ptr %p", "%go = icmp ult i32 %next, %now");
    refuses(
        &loaded,
        &factor(2),
        expect![[r#"
        the loop at %loop of @f: no test says before the loop how often it runs (unrolling with all tests kept does not need to know)
          %i = phi i32 [ 0, %start ], [ %next, %loop ]
    "#]],
    );
    let (_, unrolled) = run(&loaded, &UnrollOptions { keep_tests: true, ..factor(3) });
    assert_eq!(unrolled.loops[0].2, Kind::Tested);
    // Ends only when the number wraps around.
    refuses(
        &with_body("", "%go = icmp ugt i32 %next, %n"),
        &factor(2),
        expect![[r#"
        the loop at %loop of @f: no test says before the loop how often it runs (unrolling with all tests kept does not need to know)
          %i = phi i32 [ 0, %start ], [ %next, %loop ]
    "#]],
    );
}

#[test]
fn a_loop_has_one_edge_back_and_one_entry() {
    let two_latches = "\
define void @f(i1 %c, i1 %d) {
start:
  br label %loop
loop:
  br i1 %c, label %loop, label %more
more:
  br i1 %d, label %loop, label %end
end:
  ret void
}
";
    refuses(
        two_latches,
        &factor(2),
        expect![[r#"
        the loop at %loop of @f: the loop has 2 edges back to its header; unrolling wants one
          br i1 %c, label %loop, label %more
    "#]],
    );
    let two_entries = "\
define void @f(i1 %c, i1 %d) {
start:
  br i1 %c, label %one, label %other
one:
  br label %other
other:
  br i1 %d, label %one, label %end
end:
  ret void
}
";
    refuses(
        two_entries,
        &factor(2),
        expect![[r#"
        the loop at %one of @f: a cycle with several entries has no iterations to copy (first make it one with reduce-cycles)
          br label %other
    "#]],
    );
}

#[test]
fn a_token_of_the_loop_may_be_used_behind_it_if_one_copy_leaves() {
    let used = |function: String| {
        function.replace("  ret void\n", "  call void @vote(i32 9) [ \"convergencectrl\"(token %inner) ]\n  ret void\n")
    };
    let (text, unrolled) = run(&used(countdown("and i32 %m, -2")), &factor(2));
    assert_eq!(unrolled.loops[0].2, Kind::Exact);
    assert!(text.contains("vote(i32 9) [ \"convergencectrl\"(token %inner) ]"), "{text}");
    let seven = countdown("add i32 %m, 1").replace("[ %n, %start ]", "[ 7, %start ]");
    let (text, _) = run(&used(seven), &factor(8));
    assert!(text.contains("vote(i32 9) [ \"convergencectrl\"(token %outer) ]"), "{text}");
    refuses(
        &used(countdown("add i32 %m, 1")),
        &UnrollOptions { keep_tests: true, ..factor(2) },
        expect![[r#"
        the loop at %while of @f: a token of the loop is used behind it, where threads that left from different copies would count as converged
          call void @vote(i32 9) [ "convergencectrl"(token %inner) ]
    "#]],
    );
}

/// Loops that leave to each other are done one after the other, and what comes out are edits of the first text.
#[test]
fn loops_that_touch_each_other_are_unrolled_in_rounds() {
    let function = "\
define i32 @f(i32 %n) {
start:
  br label %one
one:
  %i = phi i32 [ 0, %start ], [ %i.next, %one ]
  %i.next = add i32 %i, 1
  %go = icmp ult i32 %i.next, %n
  br i1 %go, label %one, label %two
two:
  %k = phi i32 [ %i, %one ], [ %k.next, %two ]
  %k.next = add i32 %k, 2
  %more = icmp ult i32 %k.next, 100
  br i1 %more, label %two, label %end
end:
  ret i32 %k
}
";
    let (text, unrolled) = run(function, &factor(2));
    let kinds: Vec<_> = unrolled.loops.iter().map(|(_, header, kind)| (header.as_str(), *kind)).collect();
    assert_eq!(kinds, [("%one", Kind::Remainder), ("%two", Kind::Remainder)]);
    expect![[r#"
        define i32 @f(i32 %n) {
        start:
          br label %one.unroll

        one.unroll:
          %unroll.first = add i32 0, 1
          %unroll.frozen = freeze i32 %n
          %unroll.distance = sub i32 %unroll.frozen, %unroll.first
          %unroll.enters = icmp ult i32 %unroll.first, %unroll.frozen
          %unroll.passes = select i1 %unroll.enters, i32 %unroll.distance, i32 0
          %unroll.rounds = udiv i32 %unroll.passes, 2
          %unroll.some = icmp ne i32 %unroll.rounds, 0
          br i1 %unroll.some, label %one.1, label %one

        one.1:
          %i.1 = phi i32 [ 0, %one.unroll ], [ %i.next.2, %one.again ]
          %unroll.left = phi i32 [ %unroll.rounds, %one.unroll ], [ %unroll.fewer, %one.again ]
          %i.next.1 = add i32 %i.1, 1
          br label %one.2

        one.2:
          %i.next.2 = add i32 %i.next.1, 1
          br label %one.again

        one.again:
          %unroll.fewer = sub i32 %unroll.left, 1
          %unroll.more = icmp ne i32 %unroll.fewer, 0
          br i1 %unroll.more, label %one.1, label %one
        one:
          %i = phi i32 [ 0, %one.unroll ], [ %i.next.2, %one.again ], [ %i.next, %one ]
          %i.next = add i32 %i, 1
          %go = icmp ult i32 %i.next, %n
          br i1 %go, label %one, label %two.unroll

        two.unroll:
          %unroll.frozen.1 = freeze i32 %i
          %unroll.first.1 = add i32 %unroll.frozen.1, 2
          %unroll.distance.1 = sub i32 100, %unroll.first.1
          %unroll.before = sub i32 %unroll.distance.1, 1
          %unroll.steps = udiv i32 %unroll.before, 2
          %unroll.passes.1 = add i32 %unroll.steps, 1
          %unroll.enters.1 = icmp ult i32 %unroll.first.1, 100
          %unroll.passes.2 = select i1 %unroll.enters.1, i32 %unroll.passes.1, i32 0
          %unroll.rounds.1 = udiv i32 %unroll.passes.2, 2
          %unroll.some.1 = icmp ne i32 %unroll.rounds.1, 0
          br i1 %unroll.some.1, label %two.1, label %two

        two.1:
          %k.1 = phi i32 [ %i, %two.unroll ], [ %k.next.2, %two.again ]
          %unroll.left.1 = phi i32 [ %unroll.rounds.1, %two.unroll ], [ %unroll.fewer.1, %two.again ]
          %k.next.1 = add i32 %k.1, 2
          br label %two.2

        two.2:
          %k.next.2 = add i32 %k.next.1, 2
          br label %two.again

        two.again:
          %unroll.fewer.1 = sub i32 %unroll.left.1, 1
          %unroll.more.1 = icmp ne i32 %unroll.fewer.1, 0
          br i1 %unroll.more.1, label %two.1, label %two
        two:
          %k = phi i32 [ %i, %two.unroll ], [ %k.next.2, %two.again ], [ %k.next, %two ]
          %k.next = add i32 %k, 2
          %more = icmp ult i32 %k.next, 100
          br i1 %more, label %two, label %end
        end:
          ret i32 %k
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn copies_keep_debug_locations_and_records() {
    let function = "\
define void @f(i32 %n) {
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
    #dbg_value(i32 %i, !1, !DIExpression(), !0)
  %set = call token @llvm.experimental.convergence.anchor(), !dbg !0
  call void @vote(i32 %i) [ \"convergencectrl\"(token %set) ], !dbg !0
  %next = add i32 %i, 1
  %go = icmp ne i32 %next, 2
  br i1 %go, label %loop, label %end, !dbg !0, !llvm.loop !2
end:
  ret void
}
!0 = !{}
!1 = !{}
!2 = distinct !{!2}
";
    unrolls(
        function,
        &factor(2),
        Kind::Full,
        expect![[r#"
        define void @f(i32 %n) {
        start:
          br label %loop
        loop:
          %i = phi i32 [ 0, %start ]
            #dbg_value(i32 %i, !1, !DIExpression(), !0)
          %set = call token @llvm.experimental.convergence.anchor(), !dbg !0
          call void @vote(i32 %i) [ "convergencectrl"(token %set) ], !dbg !0
          %next = add i32 %i, 1
          %go = icmp ne i32 %next, 2
          br label %loop.1, !dbg !0

        loop.1:
            #dbg_value(i32 %next, !1, !DIExpression(), !0)
          %set.1 = call token @llvm.experimental.convergence.anchor(), !dbg !0
          call void @vote(i32 %next) [ "convergencectrl"(token %set.1) ], !dbg !0
          %next.1 = add i32 %next, 1
          br label %end, !dbg !0
        end:
          ret void
        }
        !0 = !{}
        !1 = !{}
        !2 = distinct !{!2}
    "#]],
    );
}

#[test]
fn a_loop_may_run_as_often_as_numbers_go() {
    let go = "%go = icmp ne i32 %next, 0";
    let (_, unrolled) = run(&with_body("call void @vote(i32 %i)", go), &factor(4));
    assert_eq!(unrolled.loops[0].2, Kind::Exact);
}
