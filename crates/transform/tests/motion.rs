//! Anchors and operations hoisted and sunk: the examples of "Hoisting and sinking", as other programs.

use expect_test::{Expect, expect};
use reconverge_analysis::target::Target;
use reconverge_ir::ReadError;
use reconverge_transform::{Transformed, Verdict, hoist_anchors, hoist_operations, sink_anchors, sink_operations};

const HEAD: &str = r#"target triple = "spirv64-unknown-unknown"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @_Z17sub_group_shuffleij(i32, i32) convergent
declare i32 @_Z20sub_group_reduce_addi(i32) convergent
declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32) convergent
declare void @publish(i32) convergent
declare i64 @_Z12get_local_idj(i32)

"#;

type Pass = fn(&[u8], Option<&Target>) -> Result<Transformed, ReadError>;

/// The function after a pass, and the verdict on each candidate.
fn show(pass: Pass, body: &str) -> String {
    let text = format!("{HEAD}{body}");
    let transformed = pass(text.as_bytes(), None).expect("it is IR");
    let refused = transformed.candidates.iter().filter(|candidate| !candidate.verdict.is_yes()).count();
    assert_eq!(transformed.refusals.len(), refused);
    let mut shown = String::new();
    for candidate in &transformed.candidates {
        let line = |span: reconverge_ir::Span| text[HEAD.len()..span.range().start].matches('\n').count();
        shown.push_str(&format!("; line {}: {}\n", line(candidate.span), candidate.what));
        match &candidate.verdict {
            Verdict::Yes { why } => shown.push_str(&format!(";   yes: {why}\n")),
            Verdict::No { rule, section, locations } => {
                shown.push_str(&format!(";   no: {rule} [{section}]\n"));
                for location in locations {
                    shown.push_str(&format!(";     line {}: {}\n", line(location.span), location.what));
                }
            }
        }
    }
    let changed = transformed.edits.apply(text.as_bytes());
    // What was taken out and put in, nothing else, is text of instructions.
    let changed = String::from_utf8(changed).expect("it is text");
    if changed == text {
        assert_eq!(transformed.functions, 0);
        return shown + "; nothing changes\n";
    }
    assert_eq!(transformed.functions, 1);
    shown + changed.strip_prefix(HEAD).expect("declarations stay")
}

fn check(pass: Pass, body: &str, expected: &Expect) {
    expected.assert_eq(&show(pass, body));
}

const SHUFFLE: &str = r#"define spir_kernel void @swap(i32 %data, i32 %id, ptr %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  %thread = call i64 @_Z12get_local_idj(i32 0)
  %odd = trunc i64 %thread to i1
  br i1 %odd, label %left, label %right

left:
  %from.left = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ "convergencectrl"(token %all) ]
  store i32 %from.left, ptr %out
  br label %end

right:
  %from.right = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ "convergencectrl"(token %all) ]
  %sum = add i32 %from.right, 1
  store i32 %sum, ptr %out
  br label %end

end:
  ret void
}
"#;

#[test]
fn shuffles_on_both_sides_become_one() {
    check(
        hoist_operations,
        SHUFFLE,
        &expect![[r#"
        ; line 8: hoist @_Z17sub_group_shuffleij of %left and %right to %start, as one
        ;   yes: its result for a thread stays the same when more threads take part (target: hoist)
        define spir_kernel void @swap(i32 %data, i32 %id, ptr %out) convergent {
        start:
          %all = call token @llvm.experimental.convergence.entry()
          %thread = call i64 @_Z12get_local_idj(i32 0)
          %odd = trunc i64 %thread to i1
          %from.left = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ "convergencectrl"(token %all) ]
          br i1 %odd, label %left, label %right

        left:
          store i32 %from.left, ptr %out
          br label %end

        right:
          %sum = add i32 %from.left, 1
          store i32 %sum, ptr %out
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn reductions_on_both_sides_stay_where_threads_part() {
    let reductions =
        SHUFFLE.replace("@_Z17sub_group_shuffleij(i32 %data, i32 %id)", "@_Z20sub_group_reduce_addi(i32 %data)");
    check(
        hoist_operations,
        &reductions,
        &expect![[r#"
        ; line 8: hoist @_Z20sub_group_reduce_addi of %left and %right to %start, as one
        ;   no: threads that take different ways take part in different operations, and would take part in one [Hoisting and sinking]
        ;     line 5: threads of a subgroup may take different ways here
        ; nothing changes
    "#]],
    );
}

#[test]
fn reductions_on_both_sides_of_a_uniform_branch_become_one() {
    let uniform = SHUFFLE
        .replace("@_Z17sub_group_shuffleij(i32 %data, i32 %id)", "@_Z20sub_group_reduce_addi(i32 %data)")
        .replace("trunc i64 %thread to i1", "trunc i32 %data to i1");
    check(
        hoist_operations,
        &uniform,
        &expect![[r#"
        ; line 8: hoist @_Z20sub_group_reduce_addi of %left and %right to %start, as one
        ;   yes: all threads of a subgroup take the same way in between
        define spir_kernel void @swap(i32 %data, i32 %id, ptr %out) convergent {
        start:
          %all = call token @llvm.experimental.convergence.entry()
          %thread = call i64 @_Z12get_local_idj(i32 0)
          %odd = trunc i32 %data to i1
          %from.left = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
          br i1 %odd, label %left, label %right

        left:
          store i32 %from.left, ptr %out
          br label %end

        right:
          %sum = add i32 %from.left, 1
          store i32 %sum, ptr %out
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn names_that_are_numbers_change() {
    let body = r#"define spir_kernel void @numbers(i32 %data, i1 %c, ptr %out) convergent {
  %1 = call token @llvm.experimental.convergence.entry()
  br i1 %c, label %2, label %4

2:
  %3 = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %1) ], !range !1, !dbg !0
  store i32 %3, ptr %out
  ret void

4:
  %5 = call i32 @_Z20sub_group_reduce_addi(i32  %data) [ "convergencectrl"(token %1) ]
  %6 = add i32 %5, %5
  store i32 %6, ptr %out
  ret void
}

!0 = !{}
!1 = !{i32 0, i32 9}
"#;
    check(
        hoist_operations,
        body,
        &expect![[r#"
            ; line 5: hoist @_Z20sub_group_reduce_addi of %2 and %4 to %0, as one
            ;   yes: all threads of a subgroup take the same way in between
            define spir_kernel void @numbers(i32 %data, i1 %c, ptr %out) convergent {
              %1 = call token @llvm.experimental.convergence.entry()
              %moved = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %1) ], !dbg !0
              br i1 %c, label %2, label %4

            2:
              store i32 %moved, ptr %out
              ret void

            4:
              %6 = add i32 %moved, %moved
              store i32 %6, ptr %out
              ret void
            }

            !0 = !{}
            !1 = !{i32 0, i32 9}
        "#]],
    );
}

#[test]
fn an_operation_sinks_over_a_uniform_branch_to_the_side_that_needs_it() {
    let body = r#"define spir_kernel void @maybe(i32 %data, i1 %wanted, ptr %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  %sum = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
  %more = call i32 @_Z20sub_group_reduce_addi(i32 %sum) [ "convergencectrl"(token %all) ]
  br i1 %wanted, label %use, label %end

use:
  store i32 %more, ptr %out
  br label %end

end:
  ret void
}
"#;
    check(
        sink_operations,
        body,
        &expect![[r#"
        ; line 3: sink @_Z20sub_group_reduce_addi of %start to %use
        ;   yes: all threads of a subgroup take the same way in between
        ; line 4: sink @_Z20sub_group_reduce_addi of %start to %use
        ;   yes: all threads of a subgroup take the same way in between
        define spir_kernel void @maybe(i32 %data, i1 %wanted, ptr %out) convergent {
        start:
          %all = call token @llvm.experimental.convergence.entry()
          br i1 %wanted, label %use, label %end

        use:
          %sum = call i32 @_Z20sub_group_reduce_addi(i32 %data) [ "convergencectrl"(token %all) ]
          %more = call i32 @_Z20sub_group_reduce_addi(i32 %sum) [ "convergencectrl"(token %all) ]
          store i32 %more, ptr %out
          br label %end

        end:
          ret void
        }
    "#]],
    );
    let divergent = body.replace("i1 %wanted, ptr", "ptr").replace(
        "  br i1",
        "  %thread = call i64 @_Z12get_local_idj(i32 0)\n  %wanted = trunc i64 %thread to i1\n  br i1",
    );
    check(
        sink_operations,
        &divergent,
        &expect![[r#"
        ; line 4: sink @_Z20sub_group_reduce_addi of %start to %use
        ;   no: fewer threads would take part in the operation [Hoisting and sinking]
        ;     line 7: threads of a subgroup may take different ways here
        ; nothing changes
    "#]],
    );
}

const ONE_SIDED: &str = r#"define void @sometimes(i1 %c, i32 %data) {
start:
  %group = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %then, label %end

then:
  call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
  br label %end

end:
  ret void
}
"#;

#[test]
fn an_anchor_sinks_to_its_only_use() {
    check(
        sink_anchors,
        ONE_SIDED,
        &expect![[r#"
        ; line 2: sink the anchor of %start to %then
        ;   yes: which threads execute an anchor together is up to the implementation, and all uses are below
        define void @sometimes(i1 %c, i32 %data) {
        start:
          br i1 %c, label %then, label %end

        then:
          %group = call token @llvm.experimental.convergence.anchor()
          call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn one_anchor_for_both_sides() {
    let body = r#"define void @either(i1 %c, i32 %data) {
start:
  br i1 %c, label %then, label %else

then:
  %one = call token @llvm.experimental.convergence.anchor()
  call void @publish(i32 %data) [ "convergencectrl"(token %one) ]
  br label %end

else:
  %other = call token @llvm.experimental.convergence.anchor()
  call void @publish(i32 %data) [ "convergencectrl"(token %other) ]
  br label %end

end:
  ret void
}
"#;
    check(
        hoist_anchors,
        body,
        &expect![[r#"
        ; line 5: hoist the anchors of %then and %else to %start, as one
        ;   yes: each use is on one side, and communicates with threads that came there only
        define void @either(i1 %c, i32 %data) {
        start:
          %one = call token @llvm.experimental.convergence.anchor()
          br i1 %c, label %then, label %else

        then:
          call void @publish(i32 %data) [ "convergencectrl"(token %one) ]
          br label %end

        else:
          call void @publish(i32 %data) [ "convergencectrl"(token %one) ]
          br label %end

        end:
          ret void
        }
    "#]],
    );
    // With one anchor the operations are identical, and still not one.
    let text = format!("{HEAD}{body}");
    let hoisted = hoist_anchors(text.as_bytes(), None).expect("it is IR").edits.apply(text.as_bytes());
    let hoisted = String::from_utf8(hoisted).expect("it is text");
    check(
        hoist_operations,
        hoisted.strip_prefix(HEAD).expect("declarations stay"),
        &expect![[r#"
        ; line 6: hoist @publish of %then and %else to %start, as one
        ;   no: threads that take different ways take part in different operations, and would take part in one [Hoisting and sinking]
        ;     line 3: threads of the grid may take different ways here
        ; nothing changes
    "#]],
    );
}

#[test]
fn an_anchor_of_one_side_is_hoisted_as_far_as_tokens_nest() {
    let body = r#"define void @inner(i1 %c, i1 %d, i32 %data) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  br i1 %c, label %then, label %end

then:
  call void @publish(i32 0) [ "convergencectrl"(token %all) ]
  br i1 %d, label %deep, label %end

deep:
  %group = call token @llvm.experimental.convergence.anchor()
  call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
  br label %end

end:
  ret void
}
"#;
    check(
        hoist_anchors,
        body,
        &expect![[r#"
        ; line 10: hoist the anchor of %then to %start
        ;   no: it would break RC0117: convergence regions are well nested [Static Rules]
        ;     line 2: the token is defined here
        ;     line 6: the use that would break the rule
        ;     line 10: what it would be at odds with
        ; line 10: hoist the anchor of %deep to %then
        ;   yes: which threads execute an anchor together is up to the implementation, and each use takes those that come to it
        define void @inner(i1 %c, i1 %d, i32 %data) convergent {
        start:
          %all = call token @llvm.experimental.convergence.entry()
          br i1 %c, label %then, label %end

        then:
          call void @publish(i32 0) [ "convergencectrl"(token %all) ]
          %group = call token @llvm.experimental.convergence.anchor()
          br i1 %d, label %deep, label %end

        deep:
          call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn an_anchor_stays_in_its_loop() {
    let body = r#"define void @each(i32 %data) {
start:
  br label %body

body:
  %group = call token @llvm.experimental.convergence.anchor()
  call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
  br label %body
}
"#;
    check(
        hoist_anchors,
        body,
        &expect![[r#"
        ; line 5: hoist the anchor of %body to %start
        ;   no: operations and anchors are moved neither into nor out of nor across a cycle [Hoisting and sinking]
        ;     line 5: the header of the cycle, %body
        ; nothing changes
    "#]],
    );
}

#[test]
fn an_anchor_stays_before_its_loop() {
    let body = r#"define void @all(i1 %c, i32 %data) {
start:
  %group = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %body, label %end

body:
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %group) ]
  call void @publish(i32 %data) [ "convergencectrl"(token %turn) ]
  br i1 %c, label %body, label %end

end:
  ret void
}
"#;
    check(
        sink_anchors,
        body,
        &expect![[r#"
        ; line 2: sink the anchor of %start to %body
        ;   no: operations and anchors are moved neither into nor out of nor across a cycle [Hoisting and sinking]
        ;     line 6: the header of the cycle, %body
        ; nothing changes
    "#]],
    );
}

const PAIR: &str = r#"define void @pair(i1 %c, i32 %data, ptr %out) {
start:
  %group = call token @llvm.experimental.convergence.anchor()
  %sum = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %data) [ "convergencectrl"(token %group) ]
  %next = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %sum) [ "convergencectrl"(token %group) ]
  br i1 %c, label %then, label %end

then:
  %both = add i32 %sum, %next
  store i32 %both, ptr %out
  br label %end

end:
  ret void
}
"#;

#[test]
fn operations_sink_with_their_anchor() {
    check(
        sink_anchors,
        PAIR,
        &expect![[r#"
        ; line 2: sink the anchor of %start to %then with the operations on its token
        ;   yes: which threads execute an anchor together is up to the implementation, and all operations on its token stay together
        define void @pair(i1 %c, i32 %data, ptr %out) {
        start:
          br i1 %c, label %then, label %end

        then:
          %group = call token @llvm.experimental.convergence.anchor()
          %sum = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %data) [ "convergencectrl"(token %group) ]
          %next = call i32 @_Z32sub_group_non_uniform_reduce_addi(i32 %sum) [ "convergencectrl"(token %group) ]
          %both = add i32 %sum, %next
          store i32 %both, ptr %out
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn a_part_of_the_operations_does_not_sink() {
    check(
        sink_operations,
        PAIR,
        &expect![[r#"
        ; line 4: sink @_Z32sub_group_non_uniform_reduce_addi of %start to %then
        ;   no: fewer threads would take part in the operation than in others on the same anchor: it is sunk with its anchor and all of them, or not at all [Hoisting and sinking]
        ;     line 5: threads of a subgroup may take different ways here
        ;     line 2: the anchor that its token is from
        ; nothing changes
    "#]],
    );
    // Both together, if it is an operation that any threads can do.
    let all = PAIR.replace("_Z32sub_group_non_uniform_reduce_addi", "_Z20sub_group_reduce_addi");
    check(
        sink_anchors,
        &all,
        &expect![[r#"
        ; line 2: sink the anchor of %start to %then with the operations on its token
        ;   no: the operation needs all threads of a subgroup, and fewer would come to it [Hoisting and sinking]
        ;     line 3: the operation
        ;     line 5: threads of a subgroup may take different ways here
        ; nothing changes
    "#]],
    );
    // One of them is needed on both sides, so the anchor stays.
    let both = PAIR.replace("  ret void", "  store i32 %sum, ptr %out\n  ret void");
    check(
        sink_anchors,
        &both,
        &expect![[r#"
        ; nothing changes
    "#]],
    );
}

#[test]
fn operations_on_an_entry_do_not_sink() {
    let entry =
        PAIR.replace("convergence.anchor", "convergence.entry").replace("ptr %out) {", "ptr %out) convergent {");
    check(
        sink_operations,
        &entry,
        &expect![[r#"
        ; line 4: sink @_Z32sub_group_non_uniform_reduce_addi of %start to %then
        ;   no: fewer threads would take part in the operation [Hoisting and sinking]
        ;     line 5: threads of a subgroup may take different ways here
        ; nothing changes
    "#]],
    );
    check(
        sink_anchors,
        &entry,
        &expect![[r#"
        ; nothing changes
    "#]],
    );
}

#[test]
fn what_is_in_the_way() {
    let behind =
        SHUFFLE.replace("right:\n", "right:\n  call void @publish(i32 1) [ \"convergencectrl\"(token %all) ]\n");
    check(
        hoist_operations,
        &behind,
        &expect![[r#"
        ; line 8: hoist @_Z17sub_group_shuffleij of %left and %right to %start, as one
        ;   no: a convergent operation is not moved past another one [Examples for the Correctness of Program Transforms]
        ;     line 13: the other one
        ; nothing changes
    "#]],
    );
    let behind = SHUFFLE.replace("right:\n", "right:\n  call void @perhaps()\n") + "declare void @perhaps()\n";
    check(
        hoist_operations,
        &behind,
        &expect![[r#"
        ; line 8: hoist @_Z17sub_group_shuffleij of %left and %right to %start, as one
        ;   no: threads that do not come back from a call in between would take part, or no longer take part [Examples for the Correctness of Program Transforms]
        ;     line 13: this need not return
        ; nothing changes
    "#]],
    );
}

#[test]
fn an_operation_with_effects_is_not_moved_past_memory() {
    let body = r#"define spir_kernel void @effects(i1 %c, ptr addrspace(1) %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  br i1 %c, label %left, label %right

left:
  call void @publish(i32 1) [ "convergencectrl"(token %all) ]
  ret void

right:
  store i32 1, ptr addrspace(1) %out
  call void @publish(i32 1) [ "convergencectrl"(token %all) ]
  ret void
}
"#;
    check(
        hoist_operations,
        body,
        &expect![[r#"
        ; line 6: hoist @publish of %left and %right to %start, as one
        ;   no: nothing says that the operation does no more than give its result, so it is not moved past accesses to memory [Examples for the Correctness of Program Transforms]
        ;     line 10: an access to memory
        ; nothing changes
    "#]],
    );
    check(
        hoist_operations,
        &body.replace("  store i32 1, ptr addrspace(1) %out\n", ""),
        &expect![[r#"
        ; line 6: hoist @publish of %left and %right to %start, as one
        ;   yes: all threads of the grid take the same way in between
        define spir_kernel void @effects(i1 %c, ptr addrspace(1) %out) convergent {
        start:
          %all = call token @llvm.experimental.convergence.entry()
          call void @publish(i32 1) [ "convergencectrl"(token %all) ]
          br i1 %c, label %left, label %right

        left:
          ret void

        right:
          ret void
        }
    "#]],
    );
}

#[test]
fn an_anchor_passes_a_loop_that_is_not_around_its_uses() {
    let body = r#"define void @skip(i1 %c, i32 %data) {
start:
  %group = call token @llvm.experimental.convergence.anchor()
  br label %body

body:
  br i1 %c, label %body, label %behind

behind:
  br i1 %c, label %then, label %end

then:
  call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
  br label %end

end:
  ret void
}
"#;
    check(
        sink_anchors,
        body,
        &expect![[r#"
        ; line 2: sink the anchor of %start to %then
        ;   yes: which threads execute an anchor together is up to the implementation, and all uses are below
        define void @skip(i1 %c, i32 %data) {
        start:
          br label %body

        body:
          br i1 %c, label %body, label %behind

        behind:
          br i1 %c, label %then, label %end

        then:
          %group = call token @llvm.experimental.convergence.anchor()
          call void @publish(i32 %data) [ "convergencectrl"(token %group) ]
          br label %end

        end:
          ret void
        }
    "#]],
    );
}

#[test]
fn a_musttail_call_stays() {
    let body = SHUFFLE.replace(
        "call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id)",
        "musttail call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id)",
    );
    check(
        hoist_operations,
        &body,
        &expect![[r#"
        ; line 8: hoist @_Z17sub_group_shuffleij of %left and %right to %start, as one
        ;   no: only a call that does not end its block, is no musttail call and has no bundles but that of its token can be moved [Hoisting and sinking]
        ;     line 8: this cannot stand anywhere else
        ; nothing changes
    "#]],
    );
}
