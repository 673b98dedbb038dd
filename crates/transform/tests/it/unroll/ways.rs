//! The ways to unroll, as numbers of iterations are known and tokens allow them.

use expect_test::expect;
use reconverge_transform::{Kind, UnrollOptions};

use super::{countdown, factor, refuses, run, unrolls, with_body};

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

// conformance: operations/49a
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
fn a_loop_may_run_as_often_as_numbers_go() {
    let go = "%go = icmp ne i32 %next, 0";
    let (_, unrolled) = run(&with_body("call void @vote(i32 %i)", go), &factor(4));
    assert_eq!(unrolled.loops[0].2, Kind::Exact);
}
