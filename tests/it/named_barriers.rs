//! Barriers of PTX with a number and a count (`bar.sync`, `bar.arrive`), and at which calls threads meet.

use crate::common::{Run, reconverge};

/// Runs a kernel whose first half of the threads does one thing, and the rest another, and then all the last.
fn halves(block: u32, first: &str, rest: &str, last: &str) -> Run {
    let text = format!(
        "#define SYNC(id, count) asm volatile(\"bar.sync %0, %1;\" :: \"r\"(id), \"r\"(count) : \"memory\")
#define ARRIVE(id, count) asm volatile(\"bar.arrive %0, %1;\" :: \"r\"(id), \"r\"(count) : \"memory\")
__global__ void k(const int *in, int *out) {{
  __shared__ int buf[32];
  int t = threadIdx.x;
  if (t < 32) {{ {first} }}
  else {{ {rest} }}
  {last}
}}"
    );
    let block = block.to_string();
    let arguments = ["--block", &block, "--arg", "in=i32[64]{iota}", "--arg", "out=i32[128]"];
    let command = ["run", "-", "--input-format", "cuda", "--frontend", "builtin"];
    reconverge(&[&command[..], &arguments].concat(), text.as_bytes())
}

#[test]
fn who_arrives_is_counted_and_orders_memory() {
    let right = halves(64, "buf[t] = in[t]; ARRIVE(1, 64);", "SYNC(1, 64); out[t] = buf[t - 32];", "__syncthreads();");
    assert_eq!(right.status, 0, "{right:?}");
    // What is written behind the arrival is not ordered.
    let late = halves(64, "ARRIVE(1, 64); buf[t] = in[t];", "SYNC(1, 64); out[t] = buf[t - 32];", "");
    assert!(late.stdout.contains("error[RC0507]: a data race: thread 32 reads what thread 0 writes"), "{late:?}");
}

#[test]
fn a_barrier_waits_for_as_many_threads_as_it_says() {
    let said = |run: &Run, message: &str| assert!(run.stdout.contains(message), "{run:?}");
    said(
        &halves(64, "SYNC(1, 96);", "SYNC(1, 96);", ""),
        "error[RC0501]: barrier 1 waits for 96 threads, and 64 reach it",
    );
    said(&halves(64, "", "SYNC(1, 64);", ""), "barrier 1 waits for 64 threads, and 32 reach it");
    said(&halves(64, "ARRIVE(2, 64);", "SYNC(1, 64);", ""), "barrier 1 waits for 64 threads, and 32 reach it");
    let crossed = halves(64, "SYNC(1, 64); SYNC(2, 64);", "SYNC(2, 64); SYNC(1, 64);", "");
    said(&crossed, "barrier 1 waits for 64 threads, and 32 reach it");
    said(&crossed, "barrier 2 waits for 64 threads, and 32 reach it");
    // One subgroup arrives and two of three that wait complete it with that: the last one waits for more.
    said(&halves(128, "ARRIVE(1, 96);", "SYNC(1, 96);", ""), "barrier 1 waits for 96 threads, and 32 reach it");
    // Whole subgroups count, whoever of them comes.
    let some = halves(64, "if (t < 7) SYNC(1, 64);", "SYNC(1, 64);", "");
    assert_eq!(some.status, 0, "{some:?}");
}

#[test]
fn producers_and_consumers_take_turns() {
    let text = "__device__ void wait(int id) { asm volatile(\"bar.sync %0, 128;\" :: \"r\"(id) : \"memory\"); }
__device__ void tell(int id) { asm volatile(\"bar.arrive %0, 128;\" :: \"r\"(id) : \"memory\"); }
__global__ void pipe(const int *in, int *out, int tiles) {
  __shared__ int buf[64];
  int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int k = 0; k < tiles; k++) { wait(1); buf[t] = in[k * 64 + t]; tell(2); }
  } else {
    int sum = 0;
    tell(1);
    for (int k = 0; k < tiles; k++) { wait(2); sum += buf[63 - t]; if (k + 1 < tiles) tell(1); }
    out[t] = sum;
  }
}";
    let arguments = ["--block", "128", "--arg", "in=i32[256]{iota}", "--arg", "out=i32[64]", "--arg", "tiles=4"];
    let command = ["run", "-", "--input-format", "cuda", "--frontend", "builtin"];
    for schedule in ["lockstep", "fair", "random:1", "random:2", "random:3"] {
        let scheduled = [&command[..], &arguments, &["--schedule", schedule]].concat();
        let run = reconverge(&scheduled, text.as_bytes());
        assert_eq!(run.status, 0, "{schedule}: {run:?}");
        // 63 + 127 + 191 + 255, then each one four less.
        assert!(run.stdout.contains("out = i32[64]{636, 632, 628, "), "{schedule}: {run:?}");
    }
}

#[test]
fn a_number_that_differs_within_a_warp_is_refused() {
    let mixed = halves(64, "SYNC(t % 2, 64);", "SYNC(t % 2, 64);", "");
    assert!(mixed.stdout.contains("error[RC0511]"), "{mixed:?}");
}

/// IR in which waves of 64 threads, or every other thread, take one side of a branch, with a barrier in each.
#[test]
fn a_wave_comes_to_a_barrier_as_a_whole() {
    let text = |side: &str| {
        format!(
            "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier() convergent
define amdgpu_kernel void @k() convergent \"amdgpu-flat-work-group-size\"=\"256,256\" {{
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %side = {side}
  %c = icmp eq i32 %side, 1
  br i1 %c, label %left, label %right
left:
  call void @llvm.amdgcn.s.barrier()
  br label %end
right:
  call void @llvm.amdgcn.s.barrier()
  br label %end
end:
  ret void
}}"
        )
    };
    for (side, codes) in [("lshr i32 %tid, 6", None), ("and i32 %tid, 1", Some(["RC0201", "RC0504"]))] {
        let command = |verb: &'static [&str]| reconverge(&[verb, &["-"]].concat(), text(side).as_bytes());
        for (index, run) in [command(&["check"]), command(&["run", "--block", "256"])].iter().enumerate() {
            assert_eq!(run.status, i32::from(codes.is_some()), "{side}: {run:?}");
            assert!(codes.is_none_or(|codes| run.stdout.contains(&format!("error[{}]", codes[index]))), "{run:?}");
        }
    }
}
