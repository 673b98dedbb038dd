//! Anchors, alone and with the operations on them.

use expect_test::expect;
use reconverge_transform::{hoist_anchors, hoist_operations, sink_anchors, sink_operations};

use super::{HEAD, check};

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
        ;   no: threads that take different paths take part in different operations, and would take part in one [Hoisting and sinking]
        ;     line 3: threads of the grid may take different paths here
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
            ;   no: it would break RC0117: convergence regions that are not nested [Static Rules]
            ;     line 2: the token is defined here
            ;     line 6: the use that would break the rule
            ;     line 10: what it would be at odds with
            ; line 10: hoist the anchor of %deep to %then
            ;   yes: which threads execute an anchor together is up to the implementation, and each use takes those that reach it
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

// conformance: operations/57b
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
        ;     line 5: threads of a subgroup may take different paths here
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
        ;   no: the operation needs all threads of a subgroup, and fewer would reach it [Hoisting and sinking]
        ;     line 3: the operation
        ;     line 5: threads of a subgroup may take different paths here
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
        ;     line 5: threads of a subgroup may take different paths here
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
