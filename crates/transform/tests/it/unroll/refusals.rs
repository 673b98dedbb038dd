//! What is not unrolled, and why.

use expect_test::expect;
use reconverge_transform::{Kind, UnrollOptions};

use super::{countdown, factor, refuses, run, with_body};

// conformance: operations/50c
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

// conformance: operations/52a
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
        the loop at %while of @f: a token of the loop is used after it, where threads that left from different copies would count as converged
          call void @vote(i32 9) [ "convergencectrl"(token %inner) ]
    "#]],
    );
}
