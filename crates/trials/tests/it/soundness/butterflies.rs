//! What is said of butterflies is sound: random sums and maxima over the lanes of a warp, complete ones and others, in loops and written out, by operators and by functions.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::soundness::sources::Trial;

const KERNELS: u64 = 300;
const BLOCK: u32 = 64;
const WARP: u32 = 32;

/// What one step makes of `v` and its partner; not all of them commute.
const STEPS: [&str; 23] = [
    "v = sum(v, W)",
    "v = sum(W, v)",
    "v = most(n, v, W)",
    "v = op(W, v)",
    "v = twice(v, W)",
    "v += W",
    "v = W + v",
    "v ^= W",
    "v = v | W",
    "v = max(v, W)",
    "v = min(W, v)",
    "{ int w = W; v = v < w ? w : v; }",
    "{ int w = W; if (w <= v) v = w; }",
    "{ int w = W; v = v * w; }",
    "v = of_n(n, v, W)",
    "v = left(v, W)",
    "v = less(W, v)",
    "v = changed(v, W)",
    "v -= W",
    "v += 2 * W",
    "{ int w = W; v = v < w ? n : v; }",
    "{ int w = W; if (v != w) v = w; }",
    "v = W",
];
/// How many of them do.
const COMMUTE: usize = 14;

/// What steps call.
const FUNCTIONS: &str = "__device__ int sum(int a, int b) { return a + b; }
__device__ int most(int n, int a, int b) { int c = a > b ? a : b; return c; }
struct Op { int k; __device__ int operator()(int a, int b) const { return a ^ b; } };
__device__ int twice(int a, int b) { return sum(b, a); }
__device__ int of_n(int n, int a, int b) { return a + n; }
__device__ int left(int a, int b) { return 2 * a + b; }
__device__ int less(int a, int b) { return a - b; }
__device__ int changed(int a, int b) { a += 1; return a * b; }
";

/// One step, mostly one that commutes.
fn step(rng: &mut SplitMix64, distance: &str) -> String {
    let others = STEPS.len() - COMMUTE;
    let step = if rng.percent(80) { STEPS[rng.below(COMMUTE)] } else { STEPS[COMMUTE + rng.below(others)] };
    let width = if rng.percent(4) { ", 16" } else { "" };
    let of = if rng.percent(96) { "v" } else { "u" };
    step.replace('W', &format!("__shfl_xor_sync(~0u, {of}, {distance}{width})"))
}

fn butterfly(rng: &mut SplitMix64, text: &mut String) {
    if rng.percent(50) {
        let mut distances = vec![1, 2, 4, 8, 16];
        if rng.percent(20) {
            distances.remove(rng.below(distances.len()));
        }
        if rng.percent(50) {
            distances.reverse();
        }
        let one = rng.percent(70).then(|| step(rng, "D"));
        for distance in distances {
            let step = match &one {
                Some(step) => step.replace('D', &distance.to_string()),
                None => step(rng, &distance.to_string()),
            };
            text.push_str(&format!("{step}; "));
        }
        return;
    }
    let (head, distance) = [
        ("int o = 16; o > 0; o >>= 1", "o"),
        ("int o = 1; o < 32; o *= 2", "o"),
        ("int o = 0; o < 5; o++", "1 << o"),
        ("int o = warpSize / 2; o >= 1; o /= 2", "o"),
        ("int o = 16; o > 1; o >>= 1", "o"),
        ("int o = n & 16; o > 0; o >>= 1", "o"),
    ][rng.below(6)];
    let inside = if rng.percent(15) { "if (v > 9) u++; " } else { "" };
    text.push_str(&format!("for ({head}) {{ {inside}{}; }} ", step(rng, distance)));
}

/// A kernel `k` that is given `in`, `out` and `n`.
fn source(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut text = FUNCTIONS.to_owned();
    text.push_str(
        "__global__ void k(const int *in, int *out, int n) {\n  int t = threadIdx.x, v = in[t], u = n; Op op{n};\n  ",
    );
    for _ in 0..1 + rng.below(2) {
        butterfly(&mut rng, &mut text);
        match rng.below(5) {
            0 => text.push_str("v = v * n + 1; "),
            1 => text.push_str("v += in[t]; "),
            2 => text.push_str("if (v > 5) u += 2; "),
            3 => text.push_str("for (int i = 0; i < (v & 3); i++) u++; "),
            _ => {}
        }
    }
    text + "\n  out[t] = v + u;\n}\n"
}

fn arguments(rng: &mut SplitMix64) -> Vec<(&'static str, Argument)> {
    let buffer = |contents| Argument::Buffer { element: Element::I32, length: BLOCK.into(), contents };
    let seed = rng.next_u64();
    let few = Contents::Elements((0..BLOCK).map(|lane| ((seed >> (lane % 64)) & 7).to_string()).collect());
    vec![("in", buffer(few)), ("out", buffer(Contents::Zero)), ("n", Argument::Scalar(rng.below(40).to_string()))]
}

#[test]
fn lanes_that_differ_behind_a_butterfly_are_called_divergent() {
    Trial { source, kernel: "_Z1kPKiPii", arguments, blocks: 1, block: BLOCK, warp: WARP }.of_all(seeds(KERNELS));
}
