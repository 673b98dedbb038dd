//! What is said of what goes on by steps in loops is sound: random loops that threads start at numbers of their own, with steps and limits that are multiples of a
//! warp and that are not, left at their head and elsewhere, in each other.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::soundness::sources::Trial;

const KERNELS: u64 = 400;
/// How many threads a block has, and a warp.
const BLOCK: u32 = 8;
const WARP: u32 = 4;

/// Where a thread starts; `N` is a number.
const FIRST: [&str; 12] = [
    "threadIdx.x",
    "threadIdx.x % 4",
    "(threadIdx.x & 3) + 4 * N",
    "blockIdx.x * blockDim.x + threadIdx.x",
    "threadIdx.x + N",
    "threadIdx.x * 2",
    "threadIdx.x / 4",
    "threadIdx.x ^ 3",
    "N + threadIdx.x / 4 * 4",
    "threadIdx.x | 4",
    "N",
    "threadIdx.x % 2 * 2",
];
const STEP: [&str; 11] =
    ["4", "8", "32", "4 * N", "blockDim.x", "2", "3", "N + 1", "gridDim.x * blockDim.x", "12", "6"];
const LIMIT: [&str; 9] = ["N / 4 * 4", "N & ~3", "N * 4", "16", "N", "13", "N / 8 * 8", "N / 4 * 4 + 1", "N * 8 % 20"];

fn source(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut text = "__global__ void k(int *out, int n, int m) {\n  int s = 0, t = 0;\n".to_owned();
    let loops = 1 + rng.below(2);
    for number in 0..loops {
        write_loop(&mut rng, &mut text, &mut vec!["n".to_owned(), "m".to_owned()], number, 2);
    }
    text.push_str("  out[blockIdx.x * 8 + threadIdx.x] = s;\n}\n");
    text
}

/// A loop, perhaps with another one in it.
fn write_loop(rng: &mut SplitMix64, text: &mut String, numbers: &mut Vec<String>, number: usize, depth: usize) {
    let (name, rounds) = (format!("i{number}{depth}"), format!("r{number}{depth}"));
    let mut pick = |from: &[&str]| {
        let of = rng.pick(numbers).cloned().unwrap_or_default();
        rng.pick(from).copied().unwrap_or("1").replace('N', &of)
    };
    let (first, step, limit) = (pick(&FIRST), pick(&STEP), pick(&LIMIT));
    let ty = ["int", "long", "unsigned"][rng.below(3)];
    let round = format!("{rounds}++ < {}", 2 + rng.below(5));
    let sign = if rng.percent(10) { "-" } else { "+" };
    let compared = ["<", "<", "<", "<=", ">=", "!="][rng.below(6)];
    text.push_str(&format!("  int {rounds} = 0; {ty} {name} = {first};\n"));
    let go_on = format!("{name} {sign}= {step}");
    let (begin, end) = match rng.below(4) {
        0 => (format!("while ({name} {compared} {limit} && {round}) {{"), format!("{go_on}; }}")),
        1 => ("do {".to_owned(), format!("{go_on}; }} while ({name} {compared} {limit} && {round});")),
        2 => (format!("while ({round}) {{ {go_on}; if ({name} {compared} {limit}) break;"), "}".to_owned()),
        _ => (format!("for (; {round}; {go_on}) {{ if (!({name} {compared} {limit})) continue;"), "}".to_owned()),
    };
    text.push_str(&format!("  {begin}\n"));
    for _ in 0..1 + rng.below(2) {
        text.push_str(&match rng.below(9) {
            6 => format!("    t = {name} / 4;\n"),
            7 => format!("    t = {name} < {limit};\n"),
            8 => "    if (s > (int)threadIdx.x) break;\n".to_owned(),
            0 => format!("    s += {name} / 4;\n"),
            1 => format!("    s += ({name} < {limit});\n"),
            2 => format!("    s ^= ({name} >> 2) + 1;\n"),
            3 => format!("    if (s > {}) break;\n", rng.below(6)),
            4 => format!("    if ({name} & {}) s++;\n", 1 + rng.below(7)),
            _ => format!("    if (({name} & ~3) == {}) s += 2;\n", 4 * rng.below(4)),
        });
    }
    if depth > 0 && rng.percent(40) {
        if rng.percent(50) {
            numbers.push(format!("(int){name}"));
        }
        write_loop(rng, text, numbers, number, depth - 1);
    }
    text.push_str(&format!("  {end}\n  s ^= t + 1;\n"));
    if rng.percent(60) {
        text.push_str(&format!("  s += ({name} / 4) + ({name} < {limit});\n"));
    }
}

fn arguments(rng: &mut SplitMix64) -> Vec<(&'static str, Argument)> {
    let out = Argument::Buffer { element: Element::I32, length: 16, contents: Contents::Zero };
    let mut number = || Argument::Scalar(rng.below(24).to_string());
    vec![("out", out), ("n", number()), ("m", number())]
}

#[test]
fn rounds_that_differ_are_called_divergent() {
    Trial { source, kernel: "_Z1kPiii", arguments, blocks: 2, block: BLOCK, warp: WARP }.of_all(seeds(KERNELS));
}
