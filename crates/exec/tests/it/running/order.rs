//! What convergence implies and what it does not: sets of threads under each schedule, and no order of memory.

use reconverge_exec::launch::{AnchorPolicy, Argument, Contents, Element, Model, Schedule};

use crate::running::{codes, execute, launch, numbers, schedules, words};

/// Threads with odd numbers append their number to a buffer; those that execute the anchor together take places with one
/// atomic operation.
const APPEND: &str = r#"
target triple = "spirv64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %count, ptr addrspace(1) %records) {
  %id = call i32 @llvm.spv.thread.id.i32(i32 0)
  %odd = trunc i32 %id to i1
  br i1 %odd, label %append, label %end

append:
  %place = call i32 @reserve(ptr addrspace(1) %count)
  %slot = getelementptr i32, ptr addrspace(1) %records, i32 %place
  store i32 %id, ptr addrspace(1) %slot
  br label %end

end:
  ret void
}

define i32 @reserve(ptr addrspace(1) %count) {
  %anchor = call token @llvm.experimental.convergence.anchor()
  %all = call i64 @subgroupBallot(i1 true) [ "convergencectrl"(token %anchor) ]
  %many = call i64 @llvm.ctpop.i64(i64 %all)
  %size = trunc i64 %many to i32
  %lane = call i32 @getSubgroupLocalInvocationId()
  %wide = zext i32 %lane to i64
  %bit = shl i64 1, %wide
  %below = sub i64 %bit, 1
  %before = and i64 %all, %below
  %rank.wide = call i64 @llvm.ctpop.i64(i64 %before)
  %rank = trunc i64 %rank.wide to i32
  %leads = icmp eq i32 %rank, 0
  br i1 %leads, label %take, label %share

take:
  %first = atomicrmw add ptr addrspace(1) %count, i32 %size monotonic
  br label %share

share:
  %mine = phi i32 [ undef, %0 ], [ %first, %take ]
  %base = call i32 @subgroupBroadcastFirst(i32 %mine) [ "convergencectrl"(token %anchor) ]
  %place = add i32 %base, %rank
  ret i32 %place
}

declare token @llvm.experimental.convergence.anchor()
declare i64 @subgroupBallot(i1) convergent
declare i32 @subgroupBroadcastFirst(i32) convergent
declare i32 @getSubgroupLocalInvocationId()
"#;

/// "Opportunistic convergent operations": which threads share an operation is up to the anchor; that each record is there once
/// is not.
#[test]
fn records_are_appended_under_every_policy_and_schedule() {
    for anchors in [AnchorPolicy::Maximal, AnchorPolicy::Solo, AnchorPolicy::Active, AnchorPolicy::Split(7)] {
        for schedule in schedules() {
            let mut launch = launch(64, &[("count", words(1)), ("records", words(32))]);
            launch.model = Model::Controlled;
            (launch.anchors, launch.schedule, launch.grid) = (anchors, schedule, [1; 3]);
            let outcome = execute(APPEND, &launch);
            assert_eq!(codes(&outcome), Vec::<&str>::new(), "{anchors:?} {schedule:?}");
            assert_eq!(numbers(&outcome, 0), [32]);
            let mut records = numbers(&outcome, 1);
            records.sort_unstable();
            assert_eq!(records, (0..32).map(|n| 2 * n + 1).collect::<Vec<u32>>(), "{anchors:?} {schedule:?}");
            let ballots: Vec<usize> =
                outcome.events.iter().filter(|e| e.operation == "subgroupBallot").map(|e| e.threads.len()).collect();
            match anchors {
                AnchorPolicy::Maximal => assert_eq!(ballots, [4; 8], "{schedule:?}"),
                AnchorPolicy::Solo => assert_eq!(ballots, [1; 32], "{schedule:?}"),
                AnchorPolicy::Split(_) => {
                    assert!((9..=16).contains(&ballots.len()), "{ballots:?}");
                    assert_eq!(ballots.iter().sum::<usize>(), 32);
                }
                AnchorPolicy::Active => assert_eq!(ballots.iter().sum::<usize>(), 32),
            }
        }
    }
}

/// Each thread writes a number and reads its neighbour's; `BETWEEN` stands between the two.
fn neighbours(between: &str) -> String {
    format!(
        r#"
target triple = "spir64-unknown-unknown"
@shared = internal addrspace(3) global [8 x i32] undef
define spir_kernel void @kernel(ptr addrspace(1) %out) convergent {{
  %id = call i64 @_Z12get_local_idj(i32 0)
  %small = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) @shared, i64 %id
  store i32 %small, ptr addrspace(3) %mine
  {between}
  %flipped = xor i64 %id, 1
  %other = getelementptr i32, ptr addrspace(3) @shared, i64 %flipped
  %seen = load i32, ptr addrspace(3) %other
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %seen, ptr addrspace(1) %to
  ret void
}}
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent
declare void @_Z17sub_group_barrierj(i32) convergent
declare i32 @_Z13sub_group_alli(i32) convergent
declare void @meet() convergent
"#
    )
}

/// "Memory model non-interaction": a convergent operation is no barrier, neither one of control nor one of memory.
#[test]
fn convergence_orders_no_memory() {
    for between in ["", "call void @meet()", "call i32 @_Z13sub_group_alli(i32 1)", "call void @_Z7barrierj(i32 2)"] {
        for schedule in schedules() {
            let mut launch = launch(8, &[("out", words(8))]);
            launch.schedule = schedule;
            let found = codes(&execute(&neighbours(between), &launch));
            assert!(found.contains(&"RC0507"), "{between} {schedule:?}: {found:?}");
        }
    }
    for between in ["call void @_Z7barrierj(i32 1)", "call void @_Z17sub_group_barrierj(i32 1)"] {
        for schedule in schedules() {
            let mut launch = launch(8, &[("out", words(8))]);
            launch.schedule = schedule;
            let outcome = execute(&neighbours(between), &launch);
            assert_eq!(codes(&outcome), Vec::<&str>::new(), "{between} {schedule:?}");
            assert_eq!(numbers(&outcome, 0), [1, 0, 3, 2, 5, 4, 7, 6]);
        }
    }
}

/// Threads part, meet again behind an if in a loop, and leave the loop in different rounds.
const ROUNDS: &str = r#"
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) convergent {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %limit = load i32, ptr addrspace(1) %from
  br label %head

head:
  %round = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ 0, %entry ], [ %joined, %join ]
  %bit = lshr i32 %limit, %round
  %set = trunc i32 %bit to i1
  br i1 %set, label %then, label %else

then:
  %many = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %low = trunc i64 %many to i32
  br label %join

else:
  %rest = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %few = trunc i64 %rest to i32
  %shifted = shl i32 %few, 8
  br label %join

join:
  %added = phi i32 [ %low, %then ], [ %shifted, %else ]
  %joined = add i32 %sum, %added
  %here = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %next = add i32 %round, 1
  %more = icmp ult i32 %next, %limit
  br i1 %more, label %head, label %done

done:
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %small = trunc i64 %all to i32
  %result = add i32 %joined, %small
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %result, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent
"#;

#[test]
fn sets_do_not_depend_on_the_schedule() {
    let input: Vec<String> = [3, 1, 4, 1, 5, 9, 2, 6].map(|n: u32| n.to_string()).into();
    let input = Argument::Buffer { element: Element::U32, length: 8, contents: Contents::Elements(input) };
    let sets = |schedule: Schedule| {
        let mut launch = launch(8, &[("in", input.clone()), ("out", words(8))]);
        launch.schedule = schedule;
        let outcome = execute(ROUNDS, &launch);
        assert!(outcome.completed, "{schedule:?}");
        assert_eq!(codes(&outcome), Vec::<&str>::new());
        let mut events: Vec<(usize, Vec<u64>)> =
            outcome.events.iter().map(|event| (event.offset, event.threads.clone())).collect();
        events.sort();
        (numbers(&outcome, 1), events)
    };
    let (results, events) = sets(Schedule::Lockstep);
    // In the first round threads 0, 1, 3, 4 and 5 have an odd limit.
    assert!(events.iter().any(|(_, threads)| *threads == [0, 1, 3, 4, 5]));
    // All threads are there again behind the loop.
    assert!(events.last().is_some_and(|(_, threads)| threads.len() == 8));
    for schedule in schedules() {
        assert_eq!(sets(schedule), (results.clone(), events.clone()), "{schedule:?}");
    }
}
