//! What is said of objects in the memory of threads is sound: random kernels in CUDA whose objects are written by constructors, by member functions that call each
//! other, through references and as a whole, in branches and loops, and which keep where memory of the block or of the thread is, and give it to others.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::soundness::sources::Trial;

const KERNELS: u64 = 300;

/// A struct that a kernel is given by value, and that is a variable of a thread, too, with functions that return a part of it.
const GIVEN: &str = "struct G { int c[4];
  __device__ int &operator[](int i) { return c[i & 3]; }
  __device__ const int &at(int i) const { return c[i & 3]; }
  __device__ const int &last() const { return at(3); }
  __device__ const int &pick(const G &o, int x) const { if (x & 1) return o.c[0]; return at(1); }
  __device__ const int &both(const G &o, int x) const { const int *p = c; if (x & 1) p = o.c; return *p; }
  __device__ G &either(G &o, int x) { return x & 1 ? o : *this; } };\n";
/// How many threads a block has, and a warp.
const BLOCK: u32 = 8;
const WARP: u32 = 4;

/// What a statement may use.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// Objects that are in scope, as what stands in front of their members.
    objects: &'a [&'a str],
    /// Numbers that are.
    numbers: &'a [&'a str],
    /// How many member functions there are to call.
    functions: usize,
}

/// A kernel being written.
struct Writer {
    rng: SplitMix64,
    text: String,
    loops: usize,
    /// Whether objects write to what they point to: that is not memory of the block then, which would be a race.
    writes_through: bool,
}

impl Writer {
    fn number(&mut self, scope: Scope<'_>) -> String {
        match self.rng.below(10) {
            0 => "(int)threadIdx.x".to_owned(),
            1 | 2 => "(int)blockIdx.x".to_owned(),
            3 | 4 => self.rng.below(5).to_string(),
            5 | 6 => self.read(scope),
            _ => self.rng.pick(scope.numbers).copied().unwrap_or("1").to_owned(),
        }
    }

    /// What a member of an object holds.
    fn read(&mut self, scope: Scope<'_>) -> String {
        let object = self.rng.pick(scope.objects).copied().unwrap_or_default();
        let place = self.rng.below(4);
        match self.rng.below(12) {
            8 => format!("{object}cell({place})"),
            9 => format!("{object}itself().held()[{place}]"),
            10 => format!("{object}either({}, {object}first()).held()[{place}]", self.other(scope)),
            11 => format!("{object}held()[{object}first() & 3]"),
            4 => format!("{object}at()[{place}]"),
            5 => format!("{object}part({place}).get()"),
            6 => format!("*{object}part({place}).q"),
            0 => format!("{object}a"),
            1 => format!("{object}b[{place}]"),
            2 => format!("{object}b[{object}a & 3]"),
            3 => format!("{object}p[{place}]"),
            _ => format!("{object}get({place})"),
        }
    }

    /// An object that is passed.
    fn other<'s>(&mut self, scope: Scope<'s>) -> &'s str {
        let other = self.rng.pick(scope.objects).copied().unwrap_or_default();
        if other.is_empty() { "*this" } else { other.trim_end_matches('.') }
    }

    fn expression(&mut self, scope: Scope<'_>) -> String {
        let (left, right) = (self.number(scope), self.number(scope));
        match self.rng.below(4) {
            0 => format!("({left} + {right})"),
            1 => format!("({left} > {right})"),
            _ => left,
        }
    }

    fn statements(&mut self, scope: Scope<'_>, count: usize, depth: usize) {
        (0..count).for_each(|_| self.statement(scope, depth));
    }

    fn statement(&mut self, scope: Scope<'_>, depth: usize) {
        let object = self.rng.pick(scope.objects).copied().unwrap_or_default();
        let value = self.expression(scope);
        let block = |writer: &mut Writer| {
            writer.text.push_str("{ ");
            let count = 1 + writer.rng.below(2);
            writer.statements(scope, count, depth - 1);
            writer.text.push_str("} ");
        };
        match self.rng.below(if depth > 0 { 12 } else { 9 }) {
            0 => self.text.push_str(&format!("{object}a = {value}; ")),
            1 => self.text.push_str(&format!("{object}a += {value}; ")),
            2 => {
                let place = self.number(scope);
                self.text.push_str(&format!("{object}b[{place} & 3] = {value}; "));
            }
            3..=5 if scope.functions > 0 => {
                let function = self.rng.below(scope.functions);
                self.text.push_str(&format!("{object}f{function}({value}); "));
            }
            6 if scope.functions > 0 => {
                let other = self.other(scope);
                let whole = if object.is_empty() { "*this" } else { object.trim_end_matches('.') };
                self.text.push_str(&match self.rng.below(5) {
                    3 => format!("{object}either({other}, {value}).cell({value}) = {value}; "),
                    4 => format!("{object}itself().held() = ({other}).held(); "),
                    0 => format!("{object}from({other}, {value}); "),
                    1 => format!("{object}swap({other}); "),
                    _ => format!("{whole} = {other}; "),
                });
            }
            7 if scope.functions > 0 => {
                self.text.push_str(&format!("{object}f0({value}).a += {}; ", self.rng.below(3)));
            }
            9 => {
                self.text.push_str(&format!("if ({value} & 1) "));
                block(self);
            }
            10 => {
                self.text.push_str(&format!("if ({value} > 2) "));
                block(self);
                self.text.push_str("else ");
                block(self);
            }
            11 => {
                self.loops += 1;
                let counter = format!("i{}", self.loops);
                self.text.push_str(&format!("for (int {counter} = 0; {counter} < ({value} & 3); {counter}++) "));
                block(self);
            }
            8 if self.writes_through => {
                self.text.push_str(&format!("{object}p[{}] = {value}; ", self.rng.below(4)));
            }
            _ => self.text.push_str(&format!("{object}b[{}] += {value}; ", self.rng.below(4))),
        }
    }
}

/// A kernel `k` that is given `out`, `n`, `m` and `given`.
fn source(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let writes_through = rng.percent(50);
    let mut writer = Writer { rng, text: String::new(), loops: 0, writes_through };
    let first = if writer.rng.percent(50) { "x + p[x & 3]" } else { "x" };
    writer.text.push_str(GIVEN);
    writer.text.push_str(&format!(
        "struct S; struct P {{ S &s; int *q; __device__ P(S &s, int *q) : s(s), q(q) {{}} __device__ int get(); }};\nstruct S {{ int a; int b[4]; int *p;\n  __device__ S(int x, int *p) : a({first}), p(p) {{ for (int i = 0; i < 4; i++) b[i] = x + i; }}\n"
    ));
    writer.text.push_str(
        "  __device__ int get(int x) const { return a + b[(x + a) & 3]; }
  __device__ int &cell(int i) { return b[i & 3]; }
  __device__ const int &first() const { return a; }
  __device__ int *&held() { return p; }
  __device__ S &itself() { S &it = *this; return it; }
  __device__ S &either(S &o, int x) { if (x & 1) return o; return itself(); }\n",
    );
    let (own, with_other) = ([""], ["", "o."]);
    for function in 0..3 {
        writer.text.push_str(&format!("  __device__ S &f{function}(int x) {{ "));
        writer.statements(Scope { objects: &own, numbers: &["x"], functions: 0 }, 2, 2);
        if function > 0 {
            writer.statements(Scope { objects: &own, numbers: &["x"], functions: function }, 1, 1);
        }
        writer.text.push_str("return *this; }\n");
    }
    writer.text.push_str("  __device__ void from(S &o, int x) { ");
    writer.statements(Scope { objects: &with_other, numbers: &["x"], functions: 0 }, 2, 1);
    writer.text.push_str(
        "}\n  __device__ void swap(S &o) { int t = a; a = o.a; o.a = t; }\n  \
         __device__ int *at() const { return p; }\n  __device__ P part(int i) { return P(*this, p + i); }\n};\n\
         __device__ int P::get() { return *q + s.a + s.b[1]; }\n",
    );
    let held = if writer.rng.percent(50) { "i + n" } else { "i + threadIdx.x" };
    writer.text.push_str(&format!(
        "__global__ void k(int *out, int n, int m, G given) {{\n  __shared__ int all[4]; int mine[4];\n  \
         if (threadIdx.x < 4) all[threadIdx.x] = threadIdx.x;\n  __syncthreads();\n  \
         for (int i = 0; i < 4; i++) mine[i] = {held};\n  \
         G own; for (int i = 0; i < 4; i++) own[i] = mine[i];\n  ",
    ));
    let mut memory = || match writer.writes_through || writer.rng.percent(30) {
        true => "mine",
        false => "all",
    };
    let (of_s, of_t) = (memory(), memory());
    writer.text.push_str(&format!("S s(n, {of_s}), t(m, {of_t});\n  "));
    let numbers = [
        "n",
        "m",
        "given.last()",
        "given.at(n)",
        "given.pick(own, n)",
        "own.pick(given, m)",
        "given.both(own, m)",
        "own.both(given, n)",
        "own.last()",
        "given.either(own, m)[2]",
    ];
    let scope = Scope { objects: &["s.", "t."], numbers: &numbers, functions: 3 };
    if writer.rng.percent(20) {
        let (value, to) = (writer.expression(scope), writer.rng.pick(&["given", "own.either(given, n)"]).copied());
        writer.text.push_str(&format!("{}[{value}] = {value}; ", to.unwrap_or_default()));
    }
    writer.statements(scope, 3, 2);
    if writer.rng.percent(30) {
        let value = writer.expression(scope);
        writer.text.push_str(&format!("{{ S *q = {value} & 1 ? &s : &t; q->f1({value}); }} "));
    }
    writer.text.push_str("\n  for (int i = 0; i < (n & 3); i++) { if (s.get(i) > 9) break; ");
    writer.statements(scope, 2, 1);
    writer.text.push_str("}\n  ");
    writer.statements(scope, 2, 2);
    writer
        .text
        .push_str("\n  out[blockIdx.x * 8 + threadIdx.x] = s.get(1) + t.get(2) + s.b[m & 3] + (s.a > t.a);\n}\n");
    writer.text
}

fn arguments(rng: &mut SplitMix64) -> Vec<(&'static str, Argument)> {
    let out = Argument::Buffer { element: Element::I32, length: 16, contents: Contents::Zero };
    let mut number = || rng.below(12).to_string();
    let given = Argument::Scalar(format!("{{{{{},{},{},{}}}}}", number(), number(), number(), number()));
    let mut scalar = || Argument::Scalar(number());
    vec![("out", out), ("n", scalar()), ("m", scalar()), ("given", given)]
}

#[test]
fn objects_that_differ_are_called_divergent() {
    Trial { source, kernel: "_Z1kPiii1G", arguments, blocks: 2, block: BLOCK, warp: WARP }.of_all(seeds(KERNELS));
}
