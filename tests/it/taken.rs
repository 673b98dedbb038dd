//! Values that are taken from threads that do not take part: wrong where something comes of them.

use crate::common::reconverge;

const BEGINNING: &str = "__device__ int kept;
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, v = t;
  if (t < 16) {
";

fn run(body: &str) -> (i32, String) {
    let source = format!("{BEGINNING}{body}\n  }}\n}}\n");
    let arguments = ["run", "-", "--input-format", "cuda", "--block", "32", "--arg", "out=i32[32]"];
    let run = reconverge(&arguments, source.as_bytes());
    assert!(run.status < 2, "{source}{run:?}");
    (run.status, run.stdout)
}

/// In the sums that everybody writes, all threads but the first get values that nobody asks for.
#[test]
fn what_is_thrown_away_is_no_finding() {
    for body in [
        "for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(0xffff, v, o);
    if (t == 0) out[0] = v;",
        "v = __shfl_down_sync(0xffff, v, 8);
    s[t] = v; __syncwarp(0xffff);
    if (t == 0) out[0] = s[7];",
        "v = __shfl_down_sync(0xffff, v, 1);
    if (t < 15) out[t] = v;",
    ] {
        let (status, shown) = run(body);
        assert_eq!(status, 0, "{body}: {shown}");
        assert!(!shown.contains("RC0503"), "{body}: {shown}");
    }
}

#[test]
fn what_is_used_is_an_error() {
    for (body, more) in [
        ("out[t] = __shfl_down_sync(0xffff, v, 8);", None),
        ("atomicAdd(out, __shfl_down_sync(0xffff, v, 8));", None),
        ("v = __shfl_down_sync(0xffff, v, 8); if (t == 9) kept = v;", None),
        ("if (__shfl_down_sync(0xffff, v, 8) > 3) out[t] = 1;", Some("error[RC0506]")),
        (
            "v = __shfl_down_sync(0xffff, v, 8); s[t] = v; __syncwarp(0xffff); out[s[15] & 31] = 1;",
            Some("error[RC0506]"),
        ),
        ("v = __shfl_down_sync(0xffff, v, 8); out[t] = 5 / v;", Some("error[RC0508]")),
    ] {
        let (status, shown) = run(body);
        assert_eq!(status, 1, "{body}: {shown}");
        assert!(shown.contains("error[RC0503]"), "{body}: {shown}");
        assert!(more.is_none_or(|more| shown.contains(more)), "{body}: {shown}");
    }
}
