//! `run --launches N`: launches that are made up.

use serde_json::Value;

use crate::common::{Run, reconverge};

const BROKEN: &str = "examples/block-sum.cu";

fn cuda(text: &str, more: &[&str]) -> Run {
    reconverge(&[&["run", "-", "--input-format", "cuda", "--frontend", "builtin"], more].concat(), text.as_bytes())
}

/// The words of a command as a shell takes them, without the name of the program.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut is_quoted) = (String::new(), false);
    for c in command.trim().chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    assert_eq!(words.remove(0), "reconverge", "{command}");
    words
}

#[test]
fn a_barrier_that_some_threads_miss_is_shown_without_any_argument() {
    let run = reconverge(&["run", BROKEN, "--launches", "100"], b"");
    assert_eq!(run.status, 1, "{run:?}");
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next(), Some("`block_sum`, launch 1 of 100, made small:"));
    let command = lines.next().expect("a command");
    assert!(command.contains("--kernel block_sum --block 32 "), "{command}");
    assert!(
        run.stdout.contains("error[RC0501]: threads 16-31 of the thread block never reach this barrier"),
        "{run:?}"
    );
    assert_eq!(run.stderr, "1 error; 1 launch of 1 kernel\n");

    // What is printed shows the same.
    let words = words(command);
    let again = reconverge(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    assert_eq!(again.status, 1, "{again:?}");
    let finding = |text: &str| text[text.find("error[").expect("a finding")..].to_owned();
    assert_eq!(finding(&again.stdout), finding(&run.stdout));
}

#[test]
fn a_kernel_that_is_right_has_no_finding() {
    let right = "__global__ void sum(const float *in, float *out, int n) {
      __shared__ float part[64];
      float v = 0;
      for (int i = threadIdx.x; i < n; i += blockDim.x) v += in[i];
      if (threadIdx.x < 64) part[threadIdx.x] = 0;
      __syncthreads();
      atomicAdd(&part[threadIdx.x % 64], v);
      __syncthreads();
      if (threadIdx.x == 0) for (int k = 0; k < 64; k++) out[0] += k < blockDim.x ? part[k] : 0.0f;
    }";
    let run = cuda(right, &["--launches", "60"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.starts_with("`sum`: nothing was found in 60 launches\n"), "{run:?}");
    assert!(run.stderr.ends_with("no findings; 60 launches of 1 kernel\n"), "{run:?}");
}

/// Workgroups of a part of a warp, or in dimensions that a kernel knows nothing of, would make faults of what is right.
#[test]
fn launches_are_such_as_programs_make() {
    let right = "__global__ void sums(int *out) {
      int x = threadIdx.x;
      for (int k = 16; k; k /= 2) x += __shfl_down_sync(~0u, x, k);
      out[threadIdx.x] = x;
    }
    __global__ void columns(int *out) {
      __shared__ int tile[1024];
      tile[threadIdx.y * blockDim.x + threadIdx.x] = threadIdx.y;
      __syncthreads();
      out[threadIdx.y * blockDim.x + threadIdx.x] = tile[threadIdx.x];
    }";
    let run = cuda(right, &["--launches", "80"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.stdout.matches("nothing was found in 80 launches").count(), 2, "{run:?}");
    // Those that are asked for are made.
    let given = cuda(right, &["--launches", "80", "--kernel", "sums", "--block", "8"]);
    assert!(given.stdout.contains("--block 8 ") && given.stdout.contains("[RC0503]"), "{given:?}");
}

/// What only a rare number brings about is reached through the constants of the program.
#[test]
fn constants_of_the_program_are_among_the_numbers() {
    let text = "__global__ void k(int mode, int *out) {
      if (mode == 5417) { if (threadIdx.x == 0) __syncthreads(); }
      out[threadIdx.x] = mode;
    }";
    let run = cuda(text, &["--launches", "300"]);
    assert!(run.stdout.contains("--arg mode=5417") && run.stdout.contains("[RC0501]"), "{run:?}");
}

/// Nobody says that a kernel is ever given such numbers.
#[test]
fn floating_point_numbers_are_on_both_sides_of_zero() {
    for element in ["float", "double"] {
        let text = format!("__global__ void k(const {element} *in) {{ if (in[threadIdx.x] < 0) __syncthreads(); }}");
        let run = cuda(&text, &["--launches", "50", "--block", "64"]);
        assert!(run.stdout.contains("[RC0501]: threads "), "{run:?}");
    }
}

#[test]
fn what_numbers_cause_by_themselves_is_no_error() {
    let text = "__global__ void k(int n, int d, int *out) { out[threadIdx.x] = n / d; }";
    let run = cuda(text, &["--launches", "40"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains(" ended with RC0508, which can come of sizes that the program never uses"), "{run:?}");
    assert!(run.stdout.contains("    <stdin>:1:"), "{run:?}");

    // What is given is not made up.
    let given = cuda(text, &["--launches", "40", "--arg", "d=3"]);
    assert_eq!((given.status, given.stdout.as_str()), (0, "`k`: nothing was found in 40 launches\n\n"), "{given:?}");
}

/// A tile of a size that the host knows: with other workgroups its threads would write over each other.
#[test]
fn races_need_the_size_of_a_workgroup() {
    let text = "__global__ void k(int *out) {
      __shared__ int tile[32];
      tile[threadIdx.x % 32] = threadIdx.x;
      __syncthreads();
      out[threadIdx.x] = tile[31 - threadIdx.x % 32];
    }";
    let run = cuda(text, &["--launches", "40"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains(" ended with RC0507, which can come of sizes"), "{run:?}");
    assert_eq!(cuda(text, &["--launches", "40", "--block", "32"]).status, 0);
    let wrong = cuda(text, &["--launches", "40", "--block", "64"]);
    assert!(wrong.status == 1 && wrong.stdout.contains("error[RC0507]"), "{wrong:?}");
}

#[test]
fn all_kernels_are_tried_and_a_seed_decides() {
    let text = "__global__ void right(int *out) { out[threadIdx.x] = 1; }
      __global__ void wrong(int *out) { if (threadIdx.x) out[0] = __shfl_sync(~0u, 1, threadIdx.x - 1); }
      __global__ void unknown(Tensor t) { t.at(0) = 1; }";
    let ask = |more: &[&str]| {
        let run = cuda(text, &[&["--launches", "50", "--format", "json"], more].concat());
        assert_eq!(run.status, 1, "{run:?}");
        run.stdout
    };
    let found = ask(&["--seed", "7"]);
    assert_eq!(found, ask(&["--seed", "7"]));
    assert_eq!(found, ask(&["--seed", "7", "-j", "1"]));
    let json: Value = serde_json::from_str(&found).expect("JSON");
    let kernels = json["kernels"].as_array().expect("kernels");
    let shown: Vec<bool> = kernels.iter().map(|kernel| kernel["shown"].is_object()).collect();
    assert_eq!(shown, [false, true, false]);
    assert_eq!(kernels[0]["launches"], 50);
    assert_eq!(kernels[2]["refused"], "`Tensor` is not a known type");
    assert_eq!(kernels[1]["shown"]["run"]["diagnostics"][0]["code"], "RC0503");

    let one = cuda(text, &["--launches", "50", "--kernel", "right"]);
    assert_eq!((one.status, one.stdout.as_str()), (0, "`right`: nothing was found in 50 launches\n\n"), "{one:?}");
}

#[test]
fn what_cannot_be_tried_says_why() {
    let kernel = "__global__ void k(int *out) { out[threadIdx.x] = 1; }";
    for (text, more, expected) in [
        (kernel, &["--launches", "9", "--model", "all"][..], "launches are made up for one model"),
        (kernel, &["--launches", "9", "--kernel", "q"], "no function `q`"),
        (kernel, &["--launches", "9", "--arg", "q=1"], "has no parameter q"),
        ("__device__ void f() {}", &["--launches", "9"], "there is no kernel here"),
        ("__global__ void k(Tensor t) { t.at(0) = 1; }", &["--launches", "9"], "no kernel can be run"),
        (kernel, &["--seed", "9"], "--launches"),
        (kernel, &["--launches", "9", "--timeline"], "cannot be used with"),
    ] {
        let run = cuda(text, more);
        assert_eq!(run.status, 2, "{more:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{more:?}: {run:?}");
    }
}

#[test]
fn where_arguments_are_missing_launches_are_offered() {
    let run = reconverge(&["run", BROKEN, "--block", "8"], b"");
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.ends_with("; --launches 100 makes them up\n"), "{run:?}");
}

/// Numbers that are smaller than the block may be what lets threads meet in memory: only a race without them is one.
#[test]
fn a_race_that_a_small_number_causes_is_no_error() {
    let scan = |barrier: &str| {
        format!(
            "extern __shared__ float temp[];
__global__ void scan(float *g, const float *in, int n) {{
  int t = threadIdx.x, pout = 0, pin = 1;
  temp[t] = in[t]; {barrier}
  for (int off = 1; off < n; off *= 2) {{
    pout = 1 - pout; pin = 1 - pin;
    if (t >= off) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - off];
    else temp[pout * n + t] = temp[pin * n + t];
    __syncthreads();
  }}
  g[t] = temp[pout * n + t];
}}
void go(float *a, float *b) {{ scan<<<1, 256, 2 * 256 * sizeof(float)>>>(a, b, 256); }}"
        )
    };
    let right = cuda(&scan("__syncthreads();"), &["--launches", "50"]);
    assert_eq!(right.status, 0, "{right:?}");
    let wrong = cuda(&scan(""), &["--launches", "50"]);
    assert!(wrong.status == 1 && wrong.stdout.contains("error[RC0507]"), "{wrong:?}");
}

#[test]
fn a_kernel_that_allows_few_threads_gets_no_more() {
    let text = "__global__ void __launch_bounds__(32) k(const int *in, int *out) {
      int t = threadIdx.x, v = in[t];
      if (t < 16) v = __shfl_sync(0x0000ffffu, v, 15 - t);
      else v = __shfl_sync(0xffff0000u, v, 47 - t);
      out[t] = v;
    }";
    let run = cuda(text, &["--launches", "50"]);
    assert_eq!(run.status, 0, "{run:?}");
    // Without that it has.
    let larger = cuda(&text.replace("__launch_bounds__(32)", ""), &["--launches", "50"]);
    assert_eq!(larger.status, 1, "{larger:?}");
}
