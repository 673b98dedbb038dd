//! What copies look like: tokens, values, names, debug locations.

use expect_test::expect;
use reconverge_transform::{Kind, UnrollOptions};

use super::{factor, run, unrolls};

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
