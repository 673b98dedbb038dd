//! Operations over branches, and what is in their way.

use expect_test::expect;
use reconverge_transform::{hoist_operations, sink_operations};

use super::{SHUFFLE, check};

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

// conformance: operations/7a
#[test]
fn reductions_on_both_sides_stay_where_threads_part() {
    let reductions =
        SHUFFLE.replace("@_Z17sub_group_shuffleij(i32 %data, i32 %id)", "@_Z20sub_group_reduce_addi(i32 %data)");
    check(
        hoist_operations,
        &reductions,
        &expect![[r#"
        ; line 8: hoist @_Z20sub_group_reduce_addi of %left and %right to %start, as one
        ;   no: threads that take different paths take part in different operations, and would take part in one [Hoisting and sinking]
        ;     line 5: threads of a subgroup may take different paths here
        ; nothing changes
    "#]],
    );
}

// conformance: operations/7c
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
        ;   yes: all threads of a subgroup take the same path in between
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
            ;   yes: all threads of a subgroup take the same path in between
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
        ;   yes: all threads of a subgroup take the same path in between
        ; line 4: sink @_Z20sub_group_reduce_addi of %start to %use
        ;   yes: all threads of a subgroup take the same path in between
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
        ;     line 7: threads of a subgroup may take different paths here
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
        ;   yes: all threads of the grid take the same path in between
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
fn a_musttail_call_stays() {
    let body = "define i32 @f(i32 %data, i32 %id, i1 %c) convergent {
start:
  %token = call token @llvm.experimental.convergence.entry()
  br i1 %c, label %left, label %right

left:
  %one = musttail call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ \"convergencectrl\"(token %token) ]
  ret i32 %one

right:
  %other = musttail call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ \"convergencectrl\"(token %token) ]
  ret i32 %other
}
";
    check(
        hoist_operations,
        body,
        &expect![[r#"
            ; line 6: hoist @_Z17sub_group_shuffleij of %left and %right to %start, as one
            ;   no: only a call that does not end its block, is no musttail call and has no bundles but that of its token can be moved [Hoisting and sinking]
            ;     line 6: this cannot stand anywhere else
            ; nothing changes
        "#]],
    );
}
