//! Irreducible cycles get one header.

use expect_test::{Expect, expect};
use reconverge_transform::{infer_tokens, reduce_cycles};

fn reduced(text: &str, expected: &Expect) {
    let transformed = reduce_cycles(text.as_bytes()).expect("it is IR");
    assert_eq!((transformed.functions, &transformed.refusals[..]), (1, &[][..]));
    let after = transformed.edits.apply(text.as_bytes());
    let again = reduce_cycles(&after).expect("it is IR");
    assert!(again.edits.is_empty() && again.refusals.is_empty(), "{}", String::from_utf8_lossy(&after));
    expected.assert_eq(&String::from_utf8_lossy(&after));
}

// conformance: operations/26
#[test]
fn two_entries_are_told_apart_by_a_bit() {
    reduced(
        "define i32 @f(i1 %c, i32 %p) {
entry:
  %x = add i32 %p, 1
  br i1 %c, label %a, label %b

a:
  %y = phi i32 [ %x, %entry ], [ %z, %b ]
  br label %b

b:
  %z = phi i32 [ %p, %entry ], [ %y, %a ]
  %w = add i32 %z, %x
  br i1 %c, label %a, label %exit, !prof !0

exit:
  %r = add i32 %w, %z
  ret i32 %r
}

!0 = !{!\"branch_weights\", i32 1, i32 2}
",
        &expect![[r#"
            define i32 @f(i1 %c, i32 %p) {
            entry:
              %x = add i32 %p, 1
              br i1 %c, label %entry.forward, label %entry.forward.1

            entry.forward:
              br label %a.dispatch

            entry.forward.1:
              br label %a.dispatch

            a.dispatch:
              %a.entry = phi i1 [ false, %entry.forward ], [ true, %entry.forward.1 ], [ false, %b ]
              %y.1 = phi i32 [ %x, %entry.forward ], [ poison, %entry.forward.1 ], [ %z, %b ]
              %z.1 = phi i32 [ poison, %entry.forward ], [ %p, %entry.forward.1 ], [ poison, %b ]
              br i1 %a.entry, label %b, label %a

            a:
              %y = phi i32 [ %y.1, %a.dispatch ]
              br label %b

            b:
              %z = phi i32 [ %y, %a ], [ %z.1, %a.dispatch ]
              %w = add i32 %z, %x
              br i1 %c, label %a.dispatch, label %exit, !prof !0

            exit:
              %r = add i32 %w, %z
              ret i32 %r
            }

            !0 = !{!"branch_weights", i32 1, i32 2}
        "#]],
    );
}

#[test]
fn names_numbers_and_comments_stay() {
    reduced(
        "define void @f(i1 %c, i32 %p) {
  br i1 %c, label %1, label %3

1:
  %2 = mul i32 %p, 3
  br label %a

3:
  %\"b x\" = mul i32 %p, 5
  br label %\"the b\"

a: ; the first
  %4 = phi fast float [ 0.5, %1 ], [ 1.0, %\"the b\" ], [ 1.0, %\"the b\" ], [ undef, %5 ], !tbaa !0
  br label %\"the b\"

\"the b\":
  %\"a phi\" = phi i32 [ %\"b x\", %3 ], [ %p, %a ], [ %\"a phi\", %\"the b\" ]
  switch i32 %p, label %a [ i32 1, label %\"the b\"
    i32 2, label %x
    i32 3, label %a ] ; here and there

x:
  ret void

5: ; preds = none
  br label %a
}

!0 = !{}
",
        &expect![[r#"
            define void @f(i1 %c, i32 %p) {
              br i1 %c, label %1, label %3

            1:
              %2 = mul i32 %p, 3
              br label %a.dispatch

            3:
              %"b x" = mul i32 %p, 5
              br label %a.dispatch

            a.dispatch:
              %a.entry = phi i1 [ false, %1 ], [ true, %3 ], [ false, %"the b" ], [ false, %"the b" ]
              %v4 = phi float [ 0.5, %1 ], [ poison, %3 ], [ 1.0, %"the b" ], [ 1.0, %"the b" ]
              %v = phi i32 [ poison, %1 ], [ %"b x", %3 ], [ poison, %"the b" ], [ poison, %"the b" ]
              br i1 %a.entry, label %"the b", label %a

            a: ; the first
              %4 = phi fast float [ undef, %5 ], [ %v4, %a.dispatch ], !tbaa !0
              br label %"the b"

            "the b":
              %"a phi" = phi i32 [ %p, %a ], [ %"a phi", %"the b" ], [ %v, %a.dispatch ]
              switch i32 %p, label %a.dispatch [
                i32 1, label %"the b"
                i32 2, label %x
                i32 3, label %a.dispatch
              ] ; here and there

            x:
              ret void

            5: ; preds = none
              br label %a
            }

            !0 = !{}
        "#]],
    );
}

#[test]
fn cycles_in_each_other_hand_numbers_on() {
    reduced(
        "define void @f(i32 %s, i1 %c) {
entry:
  switch i32 %s, label %h [
    i32 0, label %a
    i32 1, label %b
  ]
h:
  br label %a
a:
  %x = phi i32 [ 0, %entry ], [ 1, %h ], [ 2, %b ]
  br label %b
b:
  br i1 %c, label %a, label %l
l:
  br i1 %c, label %h, label %exit
exit:
  ret void
}
",
        &expect![[r#"
            define void @f(i32 %s, i1 %c) {
            entry:
              switch i32 %s, label %entry.forward [
                i32 0, label %entry.forward.1
                i32 1, label %entry.forward.2
              ]

            entry.forward:
              br label %h.dispatch

            entry.forward.1:
              br label %h.dispatch

            entry.forward.2:
              br label %h.dispatch

            h.dispatch:
              %h.entry = phi i32 [ 0, %entry.forward ], [ 1, %entry.forward.1 ], [ 2, %entry.forward.2 ], [ 0, %l ]
              %x.1 = phi i32 [ poison, %entry.forward ], [ 0, %entry.forward.1 ], [ poison, %entry.forward.2 ], [ poison, %l ]
              switch i32 %h.entry, label %h [
                i32 1, label %a.dispatch
                i32 2, label %a.dispatch
              ]
            h:
              br label %a.dispatch

            a.dispatch:
              %a.entry = phi i32 [ 1, %h ], [ 1, %b ], [ %h.entry, %h.dispatch ], [ %h.entry, %h.dispatch ]
              %x.2 = phi i32 [ 1, %h ], [ 2, %b ], [ %x.1, %h.dispatch ], [ %x.1, %h.dispatch ]
              switch i32 %a.entry, label %a [
                i32 2, label %b
              ]
            a:
              %x = phi i32 [ %x.2, %a.dispatch ]
              br label %b
            b:
              br i1 %c, label %a.dispatch, label %l
            l:
              br i1 %c, label %h.dispatch, label %exit
            exit:
              ret void
            }
        "#]],
    );
}

#[test]
fn tokens_are_inferred_in_what_was_irreducible() {
    let text = "declare void @op() convergent
define void @f(i1 %c) convergent {
e:
  br i1 %c, label %a, label %b
a:
  call void @op()
  br label %b
b:
  br i1 %c, label %a, label %x
x:
  call void @op()
  ret void
}
define void @g() {
  call void @op()
  ret void
}
";
    let transformed = infer_tokens(text.as_bytes()).expect("it is IR");
    assert_eq!((transformed.functions, &transformed.refusals[..]), (2, &[][..]));
    let after = transformed.edits.apply(text.as_bytes());
    expect![[r#"
        declare void @op() convergent
        define void @f(i1 %c) convergent {
        e:
          %convergence.entry = call token @llvm.experimental.convergence.entry()
          br i1 %c, label %e.forward, label %e.forward.1

        e.forward:
          br label %a.dispatch

        e.forward.1:
          br label %a.dispatch

        a.dispatch:
          %a.entry = phi i1 [ false, %e.forward ], [ true, %e.forward.1 ], [ false, %b ]
          %convergence.loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %convergence.entry) ]
          br i1 %a.entry, label %b, label %a
        a:
          call void @op() [ "convergencectrl"(token %convergence.loop) ]
          br label %b
        b:
          br i1 %c, label %a.dispatch, label %x
        x:
          call void @op() [ "convergencectrl"(token %convergence.entry) ]
          ret void
        }
        define void @g() {
          %convergence.anchor = call token @llvm.experimental.convergence.anchor()
          call void @op() [ "convergencectrl"(token %convergence.anchor) ]
          ret void
        }

        declare token @llvm.experimental.convergence.entry() convergent nocallback nofree nosync nounwind willreturn memory(none)

        declare token @llvm.experimental.convergence.loop() convergent nocallback nofree nosync nounwind willreturn memory(none)

        declare token @llvm.experimental.convergence.anchor() convergent nocallback nofree nosync nounwind willreturn memory(none)
    "#]].assert_eq(&String::from_utf8_lossy(&after));
}

fn refusals(text: &str) -> String {
    let transformed = reduce_cycles(text.as_bytes()).expect("it is IR");
    assert!(transformed.edits.is_empty() && transformed.functions == 0);
    transformed.refusals.into_iter().map(|refusal| refusal.rule + "\n").collect()
}

#[test]
fn what_cannot_lead_elsewhere_is_refused() {
    let found = refusals(
        "declare void @op() convergent
declare i32 @throws()
declare i32 @personality(...)
declare token @llvm.experimental.convergence.anchor() convergent

define void @indirect(ptr %p, i1 %c) {
e:
  indirectbr ptr %p, [label %a, label %b]
a:
  br label %b
b:
  br i1 %c, label %a, label %x
x:
  ret void
}

define void @unwinds(i1 %c) personality ptr @personality {
e:
  br i1 %c, label %i, label %b
i:
  %r = invoke i32 @throws() to label %x unwind label %a
a:
  %l = landingpad { ptr, i32 } cleanup
  br label %b
b:
  %s = invoke i32 @throws() to label %x unwind label %a
x:
  ret void
}

define void @token(i1 %c) convergent {
e:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %u = call token @llvm.experimental.convergence.anchor()
  call void @op()
  br i1 %c, label %a, label %x
x:
  call void @op() [ \"convergencectrl\"(token %u) ]
  ret void
}
",
    );
    expect![[r#"
        the indirectbr of e leads to a, one of several entries of a cycle, and cannot lead elsewhere
        a is one of several entries of a cycle and handles exceptions, and nothing can stand before that
        it breaks a rule of convergence control to begin with: RC0112
    "#]]
    .assert_eq(&found);
}
