//! Kernels full of operations and anchors that somebody could want to move.
//!
//! A kernel is a list of *places*, some inside of branches and loops: identical operations on both sides of a branch, operations before a branch whose results one side
//! uses, anchors in such positions. Branches are uniform or divergent in each set of threads. Everything ends, and what a kernel computes ends up in `out`.

use std::fmt::Write;

use super::super::SplitMix64;
use super::{DECLARATIONS, Dialect, Kernel, Shape};

impl Kernel {
    /// A kernel with many candidates for moves.
    pub fn with_candidates(seed: u64) -> Kernel {
        let mut rng = SplitMix64::new(seed ^ 0x006d_6f74_696f_6e21);
        let dialect = Dialect::ALL[rng.below(3)];
        let shape = Shape::random(&mut rng, dialect, false);
        let tokens = rng.percent(75);
        let budget = 3 + rng.below(6);
        let mut writer = Writer {
            rng,
            dialect,
            head: String::new(),
            text: String::new(),
            names: 0,
            words: ["a", "b"].map(|name| format!("%{name}")).to_vec(),
            bits: Vec::new(),
            token: None,
            budget,
            anchored: false,
        };
        writer.kernel(tokens);
        let Writer { head, text: body, anchored, .. } = writer;
        let suffix = shape.suffix(dialect);
        let (attributes, attachment) = suffix
            .split_once(" !")
            .map_or((&suffix[..], String::new()), |(attributes, node)| (attributes, format!(" !{node}")));
        let mut text = format!("target triple = \"{}\"\n\n{}{DECLARATIONS}", dialect.triple(), dialect.declarations());
        if dialect == Dialect::Spir {
            text.push_str("declare i32 @_Z17sub_group_shuffleij(i32, i32) convergent\n\n");
        }
        let convention = dialect.kernel();
        let _ = write!(
            text,
            "define {convention} void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %a, i32 %b, i32 %n, i32 %nx) \
             convergent{attributes}{attachment} {{\nstart:\n{head}{body}}}\n"
        );
        if shape.promised && dialect != Dialect::Nvptx {
            let [x, y] = shape.block;
            let _ = writeln!(text, "!0 = !{{i32 {x}, i32 {y}, i32 1}}");
        }
        Kernel { text, dialect, shape, tokens, bounded: true, anchored, uniform_control: false }
    }
}

struct Writer {
    rng: SplitMix64,
    dialect: Dialect,
    /// Variables, at the start of the kernel.
    head: String,
    text: String,
    names: usize,
    words: Vec<String>,
    bits: Vec<String>,
    /// The token that operations take here.
    token: Option<String>,
    /// How many places may still be made.
    budget: usize,
    anchored: bool,
}

/// An operation, all but its name.
#[derive(Clone)]
struct Call {
    kind: usize,
    word: String,
    bit: String,
    other: String,
}

impl Writer {
    fn kernel(&mut self, tokens: bool) {
        self.variable("acc", "%a");
        self.text.push_str(&self.dialect.number("tid", false, 0));
        self.text.push_str(&self.dialect.number("gid", true, 0));
        self.words.extend(["%tid".to_owned(), "%gid".to_owned()]);
        self.line("%group = mul i32 %gid, %n");
        self.line("%thread = add i32 %group, %tid");
        let _ = writeln!(self.text, "  %mine = mul i32 %thread, {}", Kernel::OUTPUTS);
        for index in ["3", "%tid"] {
            let element = self.define(&format!("and i32 {index}, 15"));
            let place = self.define(&format!("getelementptr i32, ptr addrspace(1) %in, i32 {element}"));
            let word = self.define(&format!("load i32, ptr addrspace(1) {place}"));
            self.words.push(word);
        }
        for _ in 0..3 {
            let condition = self.condition();
            self.bits.push(condition);
        }
        if tokens {
            self.line("%entry = call token @llvm.experimental.convergence.entry()");
            self.token = Some("%entry".to_owned());
        }
        while self.budget > 0 {
            self.place(0);
        }
        let word = self.load("acc");
        self.output(&word, 0);
        self.line("ret void");
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "  {}", line.as_ref());
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn define(&mut self, right: &str) -> String {
        let name = self.name();
        self.line(format!("{name} = {right}"));
        name
    }

    fn variable(&mut self, name: &str, value: &str) {
        let (suffix, pointer) = self.dialect.private();
        let _ = writeln!(self.head, "  %{name} = alloca i32{suffix}");
        self.line(format!("store i32 {value}, {pointer} %{name}"));
    }

    fn load(&mut self, name: &str) -> String {
        let (_, pointer) = self.dialect.private();
        self.define(&format!("load i32, {pointer} %{name}"))
    }

    fn start(&mut self, block: &str) {
        let _ = writeln!(self.text, "{block}:");
    }

    fn label(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn word(&mut self) -> String {
        let recent = self.words.len().saturating_sub(4);
        let from = if self.rng.percent(40) { recent } else { 0 };
        self.words[from + self.rng.below(self.words.len() - from)].clone()
    }

    /// A condition: of values that are the same in the launch, in a group, or that differ.
    fn condition(&mut self) -> String {
        let word = match self.rng.below(10) {
            0..3 => "%a".to_owned(),
            3..5 => "%gid".to_owned(),
            5..8 => "%tid".to_owned(),
            _ => self.word(),
        };
        let predicate = ["ult", "ugt", "eq", "ne", "slt"][self.rng.below(5)];
        let number = ["0", "1", "2", "3", "5"][self.rng.below(5)];
        self.define(&format!("icmp {predicate} i32 {word}, {number}"))
    }

    fn consume(&mut self, word: &str) {
        let before = self.load("acc");
        let turned = self.define(&format!("mul i32 {before}, 31"));
        let after = self.define(&format!("xor i32 {turned}, {word}"));
        let (_, pointer) = self.dialect.private();
        self.line(format!("store i32 {after}, {pointer} %acc"));
    }

    fn output(&mut self, word: &str, place: usize) {
        let index = self.define(&format!("add i32 %mine, {place}"));
        let place = self.define(&format!("getelementptr i32, ptr addrspace(1) %out, i32 {index}"));
        self.line(format!("store i32 {word}, ptr addrspace(1) {place}"));
    }

    fn bundle(&self) -> String {
        self.token.as_ref().map_or(String::new(), |token| format!(" [ \"convergencectrl\"(token {token}) ]"))
    }

    fn draw(&mut self) -> Call {
        let kinds = self.dialect.communications() + 2 + usize::from(self.dialect == Dialect::Spir);
        let bit = self.bits[self.rng.below(self.bits.len())].clone();
        Call { kind: self.rng.below(kinds), word: self.word(), bit, other: self.word() }
    }

    /// Executes an operation; the result, if it has one.
    fn call(&mut self, call: &Call) -> Option<String> {
        let bundle = self.bundle();
        let name = self.name();
        match call.kind - call.kind.min(self.dialect.communications()) {
            0 if call.kind < self.dialect.communications() => {
                let text = self.dialect.communication(call.kind, &name[1..], &call.word, &call.bit, &bundle);
                self.text.push_str(&text);
            }
            0 | 1 => {
                self.line(format!("call void @op(i32 {}){bundle}", call.word));
                return None;
            }
            _ => {
                let (word, other) = (&call.word, &call.other);
                self.line(format!("{name} = call i32 @_Z17sub_group_shuffleij(i32 {word}, i32 {other}){bundle}"));
            }
        }
        self.anchored |= self.token.as_ref().is_some_and(|token| token.starts_with("%anchor"));
        Some(name)
    }

    fn calls(&mut self, calls: &[Call]) -> Vec<String> {
        calls.iter().filter_map(|call| self.call(call)).collect()
    }

    fn anchor(&mut self) {
        let name = self.label("%anchor");
        self.line(format!("{name} = call token @llvm.experimental.convergence.anchor()"));
        self.token = Some(name);
    }

    /// Two sides of a branch; what they define is gone behind it.
    fn branch(&mut self, sides: [&mut dyn FnMut(&mut Writer); 2]) {
        let condition =
            if self.rng.percent(35) { self.bits[self.rng.below(self.bits.len())].clone() } else { self.condition() };
        let [then, other, end] = ["then", "else", "end"].map(|stem| self.label(stem));
        self.line(format!("br i1 {condition}, label %{then}, label %{other}"));
        for (label, side) in [then, other].into_iter().zip(sides) {
            let (words, bits) = (self.words.len(), self.bits.len());
            let token = self.token.clone();
            self.start(&label);
            side(self);
            self.line(format!("br label %{end}"));
            self.words.truncate(words);
            self.bits.truncate(bits);
            self.token = token;
        }
        self.start(&end);
    }

    /// Something in which there may be a candidate.
    fn place(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        let has_tokens = self.token.is_some();
        let count = 1 + self.rng.below(2);
        let calls: Vec<Call> = (0..count).map(|_| self.draw()).collect();
        match self.rng.below(if has_tokens { 12 } else { 6 }) {
            0 | 1 => self.same_on_both_sides(&calls, depth),
            2 | 3 => self.used_on_one_side(&calls, depth),
            4 if depth < 3 => self.repeat(depth),
            6 | 7 => self.anchor_of_one_side(&calls),
            8 => self.anchor_of_each_side(&calls),
            9 | 10 => {
                let token = self.token.clone();
                self.anchor();
                self.used_on_one_side(&calls, 3);
                self.token = token;
            }
            11 if depth < 3 => {
                let token = self.token.clone();
                self.anchor();
                self.place(depth + 1);
                self.token = token;
            }
            _ => {
                let results = self.calls(&calls);
                results.iter().for_each(|word| self.consume(word));
                self.words.extend(results);
            }
        }
    }

    fn same_on_both_sides(&mut self, calls: &[Call], depth: usize) {
        let in_between = self.rng.percent(25);
        let side = |writer: &mut Writer, number: usize| {
            if in_between && number == 1 {
                let word = writer.word();
                writer.output(&word, 1);
            }
            let results = writer.calls(calls);
            results.iter().for_each(|word| writer.consume(word));
            writer.words.extend(results);
            if depth < 2 && writer.rng.percent(30) {
                writer.place(depth + 1);
            }
        };
        self.branch([&mut |writer| side(writer, 0), &mut |writer| side(writer, 1)]);
    }

    fn used_on_one_side(&mut self, calls: &[Call], depth: usize) {
        let results = self.calls(calls);
        if self.rng.percent(20) {
            let word = self.word();
            self.output(&word, 2);
        }
        let side = self.rng.below(2);
        let behind = self.rng.percent(10);
        let mut sides = [0, 1].map(|number| {
            let results = results.clone();
            move |writer: &mut Writer| {
                if number == side {
                    results.iter().for_each(|word| writer.consume(word));
                } else if depth < 2 && writer.rng.percent(30) {
                    writer.place(depth + 1);
                } else {
                    writer.consume("7");
                }
            }
        });
        let [one, other] = &mut sides;
        self.branch([one, other]);
        if behind {
            results.iter().for_each(|word| self.consume(word));
        }
    }

    fn anchor_of_one_side(&mut self, calls: &[Call]) {
        let token = self.token.clone();
        let before = self.rng.percent(50);
        if before {
            self.anchor();
        }
        let mut then = |writer: &mut Writer| {
            if !before {
                writer.anchor();
            }
            let results = writer.calls(calls);
            results.iter().for_each(|word| writer.consume(word));
        };
        self.branch([&mut then, &mut |writer| writer.consume("5")]);
        self.token = token;
    }

    fn anchor_of_each_side(&mut self, calls: &[Call]) {
        let side = |writer: &mut Writer| {
            writer.anchor();
            let results = writer.calls(calls);
            results.iter().for_each(|word| writer.consume(word));
        };
        let [mut one, mut other] = [side, side];
        self.branch([&mut one, &mut other]);
    }

    /// A loop with up to four iterations, as many for each thread or not.
    fn repeat(&mut self, depth: usize) {
        let counter = self.label("count");
        self.variable(&counter, "0");
        let bound = if self.rng.percent(50) { "%tid" } else { "%a" };
        let bound = self.define(&format!("and i32 {bound}, 3"));
        let [header, end] = ["head", "out"].map(|stem| self.label(stem));
        self.line(format!("br label %{header}"));
        let (words, bits, token) = (self.words.len(), self.bits.len(), self.token.clone());
        self.start(&header);
        if token.is_some() {
            let heart = self.label(if token.as_ref().is_some_and(|token| token.starts_with("%anchor")) {
                "%anchor"
            } else {
                "%heart"
            });
            let bundle = self.bundle();
            self.line(format!("{heart} = call token @llvm.experimental.convergence.loop(){bundle}"));
            self.token = Some(heart);
        }
        for _ in 0..1 + self.rng.below(2) {
            self.place(depth + 1);
        }
        let count = self.load(&counter);
        let next = self.define(&format!("add i32 {count}, 1"));
        let (_, pointer) = self.dialect.private();
        self.line(format!("store i32 {next}, {pointer} %{counter}"));
        let more = self.define(&format!("icmp ult i32 {next}, {bound}"));
        self.line(format!("br i1 {more}, label %{header}, label %{end}"));
        self.words.truncate(words);
        self.bits.truncate(bits);
        self.token = token;
        self.start(&end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    #[test]
    fn llvm_accepts_them() {
        let Some(tools) = llvm::tools() else { return };
        for seed in 0..100 {
            let kernel = Kernel::with_candidates(seed);
            let verdict = tools.verify(&kernel.text).unwrap();
            assert!(verdict.accepted, "seed {seed}: {verdict:?}\n{}", kernel.text);
        }
    }
}
