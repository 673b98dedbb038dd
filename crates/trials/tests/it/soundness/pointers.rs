//! What is said of pointers that are read from memory is sound: random kernels in CUDA that keep addresses of arrays of their own, of the grid and of the program in structs, in constants
//! and in lambdas, change them in branches and loops, and read through them in functions.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::soundness::sources::Trial;

const KERNELS: u64 = 300;
/// How many threads a block has, and a warp.
const BLOCK: u32 = 8;
const WARP: u32 = 4;

/// What all kernels have.
const HEAD: &str =
    "struct L { const int *p; const int *q; int n; __device__ int at(int i) const { return p[i & 3] + n; } };
struct V { int a; int b[4]; };
__constant__ int tab[4] = {3, 1, 4, 1};
__device__ int get(const L &l, int i) { return l.q[i & 3]; }
__device__ int other(const L &l, int i) { return l.p[i & 3]; }
__device__ int by(int (*f)(const L &, int), const L &l, int i) { return f(l, i); }
__device__ const int *pick(const L &l, int w) { return w & 1 ? l.p : l.q; }
__device__ const int *row(const V &v) { return v.b; }
__device__ void put(L &l, const int *p) { l.p = p; }
__global__ void k(int *out, const int *in, int n, const V v, V w) {
  int own[4] = {(int)threadIdx.x, 1, 2, (int)threadIdx.x * 3}, same[4] = {n, 1, 2, 3}, x = 0;
";

/// A kernel being written.
struct Writer {
    rng: SplitMix64,
    text: String,
    /// How many loops there are, and lambdas.
    loops: usize,
    lambdas: usize,
    calls_addresses: bool,
}

impl Writer {
    fn number(&mut self, depth: usize) -> String {
        match self.rng.below(if depth > 0 { 12 } else { 6 }) {
            0 => "(int)threadIdx.x".to_owned(),
            1 => "(int)blockIdx.x".to_owned(),
            2 | 3 => self.rng.below(5).to_string(),
            4 => ["n", "v.a", "w.b[1]", "row(w)[2]", "c.n", "l.n"][self.rng.below(6)].to_owned(),
            5 if self.lambdas == 0 => "x".to_owned(),
            5 => format!("f{}({})", self.rng.below(self.lambdas), self.rng.below(4)),
            6 => format!("{}.at({})", self.object(), self.number(depth - 1)),
            7 => format!("get({}, {})", self.object(), self.number(depth - 1)),
            // A function that is called by its address, and also by its name.
            8 => {
                let called =
                    ["other(", "by(other, ", "by(get, "][self.rng.below(if self.calls_addresses { 3 } else { 1 })];
                format!("{called}{}, {})", self.object(), self.number(depth - 1))
            }
            9 => format!("{}[{} & 3]", self.pointer(depth - 1), self.number(depth - 1)),
            _ => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
        }
    }

    fn object(&mut self) -> &'static str {
        ["l", "m", "c", "c"][self.rng.below(4)]
    }

    fn pointer(&mut self, depth: usize) -> String {
        match self.rng.below(if depth > 0 { 12 } else { 7 }) {
            0 => "own".to_owned(),
            1 | 2 => "same".to_owned(),
            3 => "in".to_owned(),
            4 => "(in + blockIdx.x)".to_owned(),
            5 => "tab".to_owned(),
            6 => ["row(v)", "row(w)", "v.b"][self.rng.below(3)].to_owned(),
            7 | 8 => format!("{}.{}", self.object(), if self.rng.percent(50) { "p" } else { "q" }),
            9 => format!("pick({}, {})", self.object(), self.number(depth - 1)),
            _ => {
                format!("({} & 1 ? {} : {})", self.number(depth - 1), self.pointer(depth - 1), self.pointer(depth - 1))
            }
        }
    }

    fn statements(&mut self, count: usize, depth: usize) {
        (0..count).for_each(|_| self.statement(depth));
    }

    fn statement(&mut self, depth: usize) {
        let changed = ["l", "m"][self.rng.below(2)];
        let text = match self.rng.below(if depth > 0 { 12 } else { 9 }) {
            0 => format!("{changed}.{} = {}; ", ["p", "q"][self.rng.below(2)], self.pointer(2)),
            1 => format!("put({changed}, {}); ", self.pointer(2)),
            2 => format!("{changed} = {}; ", self.object()),
            3 => {
                format!("{}[{} & 3] = {}; ", ["own", "same", "w.b"][self.rng.below(3)], self.number(1), self.number(2))
            }
            4 => format!("{changed}.n = {}; ", self.number(2)),
            5 => {
                // Lambdas that others stand for, inside of a block, end there.
                let inner = std::mem::take(&mut self.lambdas);
                let (object, other) = (self.object(), self.object());
                let made = format!(
                    "{{ auto f0 = [&](int i) {{ return {object}.p[i & 3] + get({other}, i) + v.a; }}; x += f0({}); ",
                    self.number(1)
                );
                self.lambdas = 1;
                let value = self.number(2);
                self.lambdas = inner;
                format!("{made}x += {value}; }} ")
            }
            9..=11 => {
                let condition = self.number(2);
                let head = match self.rng.below(3) {
                    0 => {
                        self.loops += 1;
                        let counter = format!("i{}", self.loops);
                        format!("for (int {counter} = 0; {counter} < ({condition} & 3); {counter}++) ")
                    }
                    _ => format!("if ({condition} > 2) "),
                };
                self.text.push_str(&head);
                self.text.push_str("{ ");
                let count = 1 + self.rng.below(2);
                self.statements(count, depth - 1);
                "} ".to_owned()
            }
            _ => format!("x += {}; ", self.number(3)),
        };
        self.text.push_str(&text);
    }
}

/// A kernel `k` that is given `out`, `in`, `n` and two structs.
fn source(seed: u64) -> String {
    let rng = SplitMix64::new(seed);
    let calls_addresses = seed.is_multiple_of(4);
    let mut writer = Writer { rng, text: HEAD.to_owned(), loops: 0, lambdas: 0, calls_addresses };
    let starts = ["own", "same", "in", "(in + blockIdx.x)", "tab", "v.b"];
    for object in ["  L l", "  L m", "  const L c"] {
        let mut start = || starts[writer.rng.below(starts.len())];
        let (p, q) = (start(), start());
        writer
            .text
            .push_str(&format!("{object} = {{{p}, {q}, {}}};\n", ["n", "2", "(int)threadIdx.x"][writer.rng.below(3)]));
    }
    writer.text.push_str("  ");
    writer.statements(2, 2);
    for lambda in 0..2 {
        let (object, pointer) = (writer.object(), writer.pointer(1));
        writer.text.push_str(&format!(
            "\n  auto f{lambda} = [&](int i) {{ return {object}.q[i & 3] + {pointer}[i & 3]; }};\n  "
        ));
        writer.lambdas += 1;
        writer.statements(2, 2);
    }
    let last = writer.number(3);
    writer.text.push_str(&format!("\n  out[blockIdx.x * 8 + threadIdx.x] = x + {last} + (l.at(1) > get(c, 2));\n}}\n"));
    writer.text
}

fn arguments(rng: &mut SplitMix64) -> Vec<(&'static str, Argument)> {
    let buffer = |length, contents| Argument::Buffer { element: Element::I32, length, contents };
    let mut numbers = |count: usize| Contents::Elements((0..count).map(|_| rng.below(6).to_string()).collect());
    vec![
        ("out", buffer(16, Contents::Zero)),
        ("in", buffer(8, numbers(8))),
        ("v", buffer(5, numbers(5))),
        ("w", buffer(5, numbers(5))),
        ("n", Argument::Scalar(rng.below(6).to_string())),
    ]
}

#[test]
fn pointers_to_what_threads_have_are_told_from_others() {
    Trial { source, kernel: "_Z1kPiPKii1VS2_", arguments, blocks: 2, block: BLOCK, warp: WARP }.of_all(seeds(KERNELS));
}
