//! Random kernels with counted loops, for what copies loops.
//!
//! A kernel is structured: loops that count (tests in the header or the latch, steps and orders of many kinds, counts that are constants, multiples or anything, the
//! same for all threads or not), in them branches, breaks, loops, and operations whose results are the threads that execute them together. A kernel has tokens, with hearts, anchors and
//! operations where the static rules allow them, or none. What a thread does is summed up in `out`, so memory tells who communicated.

use std::fmt::Write;

use super::SplitMix64;

/// Kernels `@k0`, `@k1`, … for AMD GPUs. Their parameters are `out` (a buffer with a number for each thread) and `n`.
#[derive(Debug, Clone)]
pub struct Loops {
    /// The module.
    pub text: String,
    /// How many kernels it has.
    pub count: usize,
    /// The names of the headers of loops.
    pub headers: Vec<String>,
}

/// How many threads a workgroup of such a kernel has.
pub const THREADS: u32 = 24;

const HEAD: &str = "\
target triple = \"amdgcn-amd-amdhsa\"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.ballot.i32(i1) convergent

";

/// The module of a seed.
pub fn loops(seed: u64, count: usize) -> Loops {
    random(seed, count, true)
}

/// A module without anchors, in which iterations that some threads do not come to matter: every loop has an operation, its token stems from the
/// entry where there are tokens, and how often it runs depends on the thread.
pub fn loops_without_anchors(seed: u64, count: usize) -> Loops {
    random(seed, count, false)
}

fn random(seed: u64, count: usize, anchors: bool) -> Loops {
    let mut rng = SplitMix64::new(seed ^ 0x6c6f_6f70);
    let mut text = HEAD.to_owned();
    let mut headers = Vec::new();
    for index in 0..count {
        let tokens = rng.percent(if anchors { 70 } else { 40 });
        let mut kernel = Kernel {
            rng: &mut rng,
            text: String::new(),
            next: 0,
            headers: Vec::new(),
            block: "entry".into(),
            budget: 14,
            tokens,
            anchors,
        };
        let token = kernel.start();
        kernel.statements(&Scope { token, ..Scope::default() });
        kernel.line("%total = load i32, ptr addrspace(5) %sum");
        kernel.line("store i32 %total, ptr addrspace(1) %place");
        kernel.line("ret void");
        let convergent = if tokens { " convergent" } else { "" };
        let _ = writeln!(
            text,
            "define amdgpu_kernel void @k{index}(ptr addrspace(1) %out, i32 %n){convergent} {{\n{}}}\n",
            kernel.text
        );
        headers.append(&mut kernel.headers);
    }
    Loops { text, count, headers }
}

/// Where statements stand.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// The token for operations.
    token: Option<String>,
    /// The loops around, outermost first: where each leaves.
    exits: Vec<String>,
    depth: usize,
}

struct Kernel<'r> {
    rng: &'r mut SplitMix64,
    text: String,
    next: usize,
    headers: Vec<String>,
    /// The block that is being written.
    block: String,
    /// How many statements there may still be.
    budget: usize,
    tokens: bool,
    /// Whether there may be anchors.
    anchors: bool,
}

impl Kernel<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    fn begin(&mut self, block: &str) {
        let _ = writeln!(self.text, "\n{block}:");
        block.clone_into(&mut self.block);
    }

    fn start(&mut self) -> Option<String> {
        self.text.push_str("entry:\n");
        if self.tokens {
            self.line("%begin = call token @llvm.experimental.convergence.entry()");
        }
        self.line("%sum = alloca i32, addrspace(5)");
        self.line("store i32 1, ptr addrspace(5) %sum");
        self.line("%id = call i32 @llvm.amdgcn.workitem.id.x()");
        self.line("%group = call i32 @llvm.amdgcn.workgroup.id.x()");
        self.line(&format!("%skipped = mul i32 %group, {THREADS}"));
        self.line("%thread = add i32 %skipped, %id");
        self.line("%place = getelementptr i32, ptr addrspace(1) %out, i32 %thread");
        self.tokens.then(|| "begin".to_owned())
    }

    /// Makes the sum depend on a number.
    fn sum(&mut self, number: &str) {
        let [old, more, new] = ["old", "more", "new"].map(|stem| self.name(stem));
        self.line(&format!("%{old} = load i32, ptr addrspace(5) %sum"));
        self.line(&format!("%{more} = mul i32 %{old}, 31"));
        self.line(&format!("%{new} = add i32 %{more}, {number}"));
        self.line(&format!("store i32 %{new}, ptr addrspace(5) %sum"));
    }

    /// A condition that threads and iterations differ in.
    fn condition(&mut self) -> String {
        let [sum, mixed, bits, condition] = ["seen", "mixed", "bits", "c"].map(|stem| self.name(stem));
        self.line(&format!("%{sum} = load i32, ptr addrspace(5) %sum"));
        let other = ["%id", "%n", "7"][self.rng.below(3)];
        self.line(&format!("%{mixed} = add i32 %{sum}, {other}"));
        let mask = [1, 2, 3, 6, 12][self.rng.below(5)];
        self.line(&format!("%{bits} = and i32 %{mixed}, {mask}"));
        self.line(&format!("%{condition} = icmp eq i32 %{bits}, 0"));
        condition
    }

    fn operation(&mut self, token: Option<&str>) {
        let condition = self.condition();
        let votes = self.name("votes");
        let bundle = token.map(|token| format!(" [ \"convergencectrl\"(token %{token}) ]")).unwrap_or_default();
        self.line(&format!("%{votes} = call i32 @llvm.amdgcn.ballot.i32(i1 %{condition}){bundle}"));
        self.sum(&format!("%{votes}"));
    }

    fn statements(&mut self, scope: &Scope) {
        for _ in 0..1 + self.rng.below(4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.rng.below(10) {
                0 | 1 if !self.tokens || scope.token.is_some() => self.operation(scope.token.as_deref()),
                2 if self.tokens && self.anchors => {
                    let anchor = self.name("anchor");
                    self.line(&format!("%{anchor} = call token @llvm.experimental.convergence.anchor()"));
                    self.operation(Some(&anchor));
                }
                3 => self.branch(scope),
                4 if !scope.exits.is_empty() => self.leave(scope),
                5..=8 if scope.depth < 3 => self.counted(scope),
                _ => {
                    let number = self.rng.below(100).to_string();
                    self.sum(&number);
                }
            }
        }
    }

    fn branch(&mut self, scope: &Scope) {
        let condition = self.condition();
        let [yes, no, join] = ["yes", "no", "join"].map(|stem| self.name(stem));
        self.line(&format!("br i1 %{condition}, label %{yes}, label %{no}"));
        for arm in [yes, no] {
            self.begin(&arm);
            self.statements(scope);
            self.line(&format!("br label %{join}"));
        }
        self.begin(&join);
    }

    /// Leaves one of the loops, perhaps after an operation on the way out.
    fn leave(&mut self, scope: &Scope) {
        let condition = self.condition();
        let [out, on] = ["out", "on"].map(|stem| self.name(stem));
        let exit = self.rng.pick(&scope.exits).cloned().unwrap_or_default();
        self.line(&format!("br i1 %{condition}, label %{out}, label %{on}"));
        self.begin(&out);
        if self.rng.percent(15) && (!self.tokens || scope.token.is_some()) {
            self.operation(scope.token.as_deref());
        }
        self.sum("5");
        self.line(&format!("br label %{exit}"));
        self.begin(&on);
    }

    /// A number of iterations: a constant, a multiple or anything, small.
    fn count(&mut self, ty: &str) -> String {
        let source = if self.anchors { ["id", "n"][self.rng.below(2)] } else { "id" };
        let convert = |kernel: &mut Self, value: String| {
            let name = kernel.name("count");
            match ty {
                "i32" => return value,
                "i64" => kernel.line(&format!("%{name} = zext i32 {value} to i64")),
                _ => kernel.line(&format!("%{name} = trunc i32 {value} to {ty}")),
            }
            format!("%{name}")
        };
        let name = self.name("many");
        let (multiple, mask, shift) =
            ([4, 6, 8, 12][self.rng.below(4)], [3, 7, 11][self.rng.below(3)], 1 + self.rng.below(2));
        match if self.anchors { self.rng.below(4) } else { 3 } {
            0 => return self.rng.below(11).to_string(),
            1 => self.line(&format!("%{name} = and i32 %{source}, {multiple}")),
            2 => {
                let low = self.name("low");
                self.line(&format!("%{low} = and i32 %{source}, 3"));
                self.line(&format!("%{name} = shl i32 %{low}, {shift}"));
            }
            _ => self.line(&format!("%{name} = and i32 %{source}, {mask}")),
        }
        convert(self, format!("%{name}"))
    }

    /// A loop that counts.
    fn counted(&mut self, scope: &Scope) {
        let ty = ["i32", "i32", "i32", "i64", "i8"][self.rng.below(5)];
        let step: i64 = [1, 1, 1, -1, 2, -2, 3, 4, -4][self.rng.below(9)];
        let start: i64 = [0, 0, 0, 1, 5, -3, 120, i64::from(i32::MAX) - 2, -8][self.rng.below(9)];
        let start = if ty == "i8" { i64::from(start as i8) } else { start };
        let count = self.count(ty);
        let [range, bound] = ["range", "bound"].map(|stem| self.name(stem));
        let (range, bound) = (format!("%{range}"), format!("%{bound}"));
        let bound = match count.parse::<i64>() {
            Ok(number) => {
                let bound = start + number * step;
                if ty == "i8" {
                    (bound as i8).to_string()
                } else if ty == "i32" {
                    (bound as i32).to_string()
                } else {
                    bound.to_string()
                }
            }
            Err(_) => {
                self.line(&format!("{range} = mul {ty} {count}, {step}"));
                self.line(&format!("{bound} = add {ty} {range}, {start}"));
                if start == 0 { range } else { bound }
            }
        };
        let orders = if step > 0 { ["ne", "ult", "slt", "sle", "ule"] } else { ["ne", "ugt", "sgt", "sge", "uge"] };
        let tests_first = self.rng.percent(50);
        let mut order = orders[[0, 0, 1, 2, 2, 3, 4][self.rng.below(7)]];
        if order == "ne" && !tests_first && self.rng.percent(70) {
            // A loop that ends with its test on `≠` runs almost for ever if it is to run not at all.
            order = orders[2];
        }
        let [header, body, latch, exit] = ["h", "body", "latch", "exit"].map(|stem| self.name(stem));
        self.headers.push(header.clone());
        let [i, next, test] = ["i", "next", "test"].map(|stem| self.name(stem));
        let before = self.block.clone();
        self.line(&format!("br label %{header}"));
        self.begin(&header);
        self.line(&format!("%{i} = phi {ty} [ {start}, %{before} ], [ %{next}, %{latch} ]"));
        let mut inner = Scope { token: None, exits: scope.exits.clone(), depth: scope.depth + 1 };
        inner.exits.push(exit.clone());
        if !self.tokens {
        } else if let Some(token) = scope.token.as_ref().filter(|_| !self.anchors || self.rng.percent(70)) {
            let heart = self.name("heart");
            self.line(&format!(
                "%{heart} = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %{token}) ]"
            ));
            inner.token = Some(heart);
        } else if self.anchors && self.rng.percent(40) {
            let anchor = self.name("anchor");
            self.line(&format!("%{anchor} = call token @llvm.experimental.convergence.anchor()"));
            inner.token = Some(anchor);
        }
        let step_and_test = |kernel: &mut Self| kernel.line(&format!("%{next} = add {ty} %{i}, {step}"));
        if tests_first {
            self.line(&format!("%{test} = icmp {order} {ty} %{i}, {bound}"));
            self.line(&format!("br i1 %{test}, label %{body}, label %{exit}"));
        } else {
            self.line(&format!("br label %{body}"));
        }
        self.begin(&body);
        let number = self.name("number");
        match ty {
            "i64" => self.line(&format!("%{number} = trunc i64 %{i} to i32")),
            "i32" => self.line(&format!("%{number} = xor i32 %{i}, 1")),
            _ => self.line(&format!("%{number} = zext {ty} %{i} to i32")),
        }
        self.sum(&format!("%{number}"));
        if !self.anchors {
            self.operation(inner.token.as_deref());
        }
        self.statements(&inner);
        self.line(&format!("br label %{latch}"));
        self.begin(&latch);
        step_and_test(self);
        if tests_first {
            self.line(&format!("br label %{header}"));
        } else {
            self.line(&format!("%{test} = icmp {order} {ty} %{next}, {bound}"));
            self.line(&format!("br i1 %{test}, label %{header}, label %{exit}"));
        }
        self.begin(&exit);
    }
}
