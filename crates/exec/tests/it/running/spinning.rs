//! Threads that spin: which of them never end, and which only take long.

use reconverge_exec::launch::{Launch, Limits, Model, Outcome, Schedule};
use reconverge_findings::run::{Spinning, What};
use reconverge_testing::rounds::is_part;

use crate::running::{codes, execute, first, launch, numbers, words};

const MODELS: [Model; 3] = [Model::Maximal { hierarchy: 0 }, Model::Controlled, Model::ImmediatePostDominator];

/// Those that a test which takes long looks at.
fn models() -> &'static [Model] {
    if is_part() { &MODELS[..1] } else { &MODELS }
}

/// A kernel whose threads execute this. `%lock` is in global memory, `%tid` the number of the thread; the entry block ends with a
/// branch to `%try`.
fn kernel(body: &str) -> String {
    format!(
        r#"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0() convergent
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
define ptx_kernel void @kernel(ptr addrspace(1) %lock, ptr addrspace(1) %out) convergent {{
start:
  %entry = call token @llvm.experimental.convergence.entry()
  %expected = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %first = icmp eq i32 %tid, 0
  br label %try
{body}
}}
"#
    )
}

fn run(body: &str, threads: u32, change: impl Fn(&mut Launch)) -> Outcome {
    let mut launch = launch(threads, &[("lock", words(2)), ("out", words(u64::from(threads)))]);
    launch.limits = Limits { instructions: 400_000_000, ..Limits::default() };
    change(&mut launch);
    execute(&kernel(body), &launch)
}

/// What ends the loop is behind it: the thread that could do it waits there for the others.
const RELEASE: &str = "
critical:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void";

/// Why threads spin.
fn why(outcome: &Outcome) -> Spinning {
    let What::Spinning { because, .. } = &first(outcome).what else { panic!("{:?}", outcome.findings) };
    *because
}

#[test]
fn locks_of_every_kind_are_livelock_in_lock_step() {
    let heart = "  %turn = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %entry) ]";
    let attempts = [
        (
            "compare and exchange",
            "  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 acquire monotonic
  %mine = extractvalue { i32, i1 } %pair, 1",
        ),
        (
            "exchange",
            "  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %mine = icmp eq i32 %old, 0",
        ),
        // What was found is written to a local variable, which has its old value again in the next round.
        (
            "through a pointer",
            "  store i32 0, ptr %expected
  %wanted = load i32, ptr %expected
  %pair = cmpxchg ptr addrspace(1) %lock, i32 %wanted, i32 1 acquire monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  store i32 %found, ptr %expected
  %mine = extractvalue { i32, i1 } %pair, 1",
        ),
        // The value that is there is stored again.
        (
            "a store of what is there",
            "  %now = load atomic i32, ptr addrspace(1) %lock acquire, align 4
  store atomic i32 %now, ptr addrspace(1) %lock monotonic, align 4
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 acquire monotonic
  %mine = extractvalue { i32, i1 } %pair, 1",
        ),
    ];
    for (name, attempt) in attempts {
        for heart in ["", heart] {
            let body = format!("try:\n{heart}\n{attempt}\n  br i1 %mine, label %critical, label %try\n{RELEASE}");
            for model in MODELS {
                let outcome = run(&body, 8, |launch| (launch.model, launch.races) = (model, false));
                assert_eq!(codes(&outcome), ["RC0502"], "{name} {model:?} {heart}");
                assert!(outcome.instructions < 10_000_000, "{name}: {}", outcome.instructions);
                assert_eq!(why(&outcome), Spinning::HoldsOthers, "{name}");
                for schedule in [Schedule::Fair, Schedule::Random(3)] {
                    let outcome = run(&body, 8, |launch| {
                        (launch.model, launch.schedule, launch.races) = (model, schedule, false)
                    });
                    assert!(outcome.completed && codes(&outcome).is_empty(), "{name} {model:?} {schedule:?}");
                }
            }
        }
    }
}

#[test]
fn a_ticket_lock() {
    let body = "
try:
  %ticket = atomicrmw add ptr addrspace(1) %lock, i32 1 monotonic
  %serving = getelementptr i32, ptr addrspace(1) %lock, i32 1
  br label %wait
wait:
  %now = load atomic i32, ptr addrspace(1) %serving acquire, align 4
  %mine = icmp eq i32 %now, %ticket
  br i1 %mine, label %critical, label %wait
critical:
  %next = add i32 %ticket, 1
  store atomic i32 %next, ptr addrspace(1) %serving release, align 4
  ret void";
    for model in MODELS {
        assert_eq!(codes(&run(body, 8, |launch| launch.model = model)), ["RC0502"], "{model:?}");
    }
    assert!(run(body, 8, |launch| launch.schedule = Schedule::Fair).completed);
}

/// The wave that spins is not the one that sets the flag: that one only takes long, without storing anything.
#[test]
fn another_subgroup_that_takes_long_is_waited_for() {
    let body = "
try:
  %late = icmp uge i32 %tid, 64
  br i1 %late, label %count, label %wait
count:
  %i = phi i32 [ 0, %try ], [ %more, %count ]
  %more = add i32 %i, 1
  %enough = icmp eq i32 %more, 100000
  br i1 %enough, label %set, label %count
set:
  store atomic i32 1, ptr addrspace(1) %lock release, align 4
  br label %end
wait:
  %flag = load atomic i32, ptr addrspace(1) %lock acquire, align 4
  %is = icmp ne i32 %flag, 0
  br i1 %is, label %end, label %wait
end:
  store i32 1, ptr addrspace(1) %place
  ret void";
    for &model in models() {
        for schedule in [Schedule::Lockstep, Schedule::Fair] {
            let outcome = run(body, 128, |launch| (launch.model, launch.schedule) = (model, schedule));
            assert!(outcome.completed && codes(&outcome).is_empty(), "{model:?} {schedule:?}: {:?}", codes(&outcome));
            assert_eq!(numbers(&outcome, 1), vec![1; 128]);
        }
    }
}

/// A loop that ends by itself after many rounds, in which some thread sees the same thing again and again.
#[test]
fn loops_that_end_are_not_reported() {
    let body = "
try:
  br label %again
again:
  %i = phi i32 [ 0, %try ], [ %more, %both ]
  br i1 %first, label %step, label %look
step:
  br label %both
look:
  %flag = load volatile i32, ptr addrspace(1) %lock
  br label %both
both:
  %by = phi i32 [ 1, %step ], [ 0, %look ]
  %more = add i32 %i, %by
  %enough = icmp eq i32 %more, 60000
  %seen = load volatile i32, ptr addrspace(1) %lock
  %is = icmp ne i32 %seen, 0
  %leave = or i1 %enough, %is
  br i1 %leave, label %end, label %again
end:
  store volatile i32 1, ptr addrspace(1) %lock
  ret void";
    // Thread 0 leaves and stands: then, and only then, the others spin.
    for model in MODELS {
        let outcome = run(body, 8, |launch| (launch.model, launch.races) = (model, false));
        assert_eq!(codes(&outcome), ["RC0502"], "{model:?}");
        assert!(outcome.instructions > 600_000, "{}", outcome.instructions);
        let outcome =
            run(body, 8, |launch| (launch.model, launch.races, launch.schedule) = (model, false, Schedule::Fair));
        assert!(outcome.completed, "{model:?}");
        let outcome = run(body, 1, |launch| (launch.model, launch.races) = (model, false));
        assert!(outcome.completed && codes(&outcome).is_empty(), "{model:?}");
    }
}

/// Nobody is left who could end it: that is no matter of the schedule.
#[test]
fn all_threads_spin_or_wait() {
    let alone = "try:\n  br label %try";
    let at_a_barrier = "
try:
  %low = icmp ult i32 %tid, 64
  br i1 %low, label %wait, label %set
wait:
  %flag = load atomic i32, ptr addrspace(1) %lock acquire, align 4
  %is = icmp ne i32 %flag, 0
  br i1 %is, label %end, label %wait
set:
  call void @llvm.nvvm.barrier0()
  store atomic i32 1, ptr addrspace(1) %lock release, align 4
  br label %end
end:
  ret void";
    for (body, because) in [(alone, Spinning::Alone), (at_a_barrier, Spinning::IsWaitedFor)] {
        for schedule in [Schedule::Lockstep, Schedule::Fair] {
            for &model in models() {
                let outcome = run(body, 128, |launch| (launch.model, launch.schedule) = (model, schedule));
                assert_eq!(codes(&outcome), ["RC0502"], "{model:?} {schedule:?}");
                assert_eq!(why(&outcome), because, "{model:?} {schedule:?}");
            }
        }
    }
}

/// A workgroup that waits for a later one never ends here, and it is said why that may be otherwise elsewhere.
#[test]
fn workgroups_that_wait_for_each_other() {
    let body = "
try:
  %flag = load atomic i32, ptr addrspace(1) %lock acquire, align 4
  %is = icmp ne i32 %flag, 0
  br i1 %is, label %end, label %try
end:
  %done = atomicrmw add ptr addrspace(1) %lock, i32 1 monotonic
  ret void";
    let outcome = run(body, 4, |launch| launch.grid = [2, 1, 1]);
    assert_eq!(codes(&outcome), ["RC0502"]);
    assert!(matches!(first(&outcome).what, What::Spinning { one_after_the_other: true, .. }), "{:?}", outcome.findings);
}
