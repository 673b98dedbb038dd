//! Random kernels in OpenCL C: statements put together in every way that the language has.
//!
//! A kernel ends, whatever its data are: each condition that lets a thread go back takes one of its `fuel`. Each thread decides by
//! pseudo-random numbers of its own, which begin with what the buffer `data` holds for it; threads with equal data go the same way. A
//! thread's way shows in `out`.
//!
//! Jumps obey what the texts forbid: none leads into a `noconvergent` statement.

use std::fmt::Write;

use super::SplitMix64;

/// A kernel `k(global const uint *data, global uint *out)`, one element of each for every thread of a workgroup.
#[derive(Debug, Clone)]
pub struct SourceKernel {
    /// The text.
    pub text: String,
    /// How many threads a workgroup has.
    pub threads: u32,
    /// Whether it has a `goto`, or a `case` inside of another statement.
    pub jumps: bool,
}

/// How a kernel's statements may be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structure {
    /// Without `goto`; a `case` only directly in the body of its `switch`.
    Structured,
    /// With `goto` and `case` anywhere.
    Any,
}

impl SourceKernel {
    /// The kernel of a seed. Half of them are structured.
    pub fn random(seed: u64) -> SourceKernel {
        let structure = if seed.is_multiple_of(2) { Structure::Structured } else { Structure::Any };
        SourceKernel::with(seed, structure)
    }

    /// The kernel of a seed with such statements.
    pub fn with(seed: u64, structure: Structure) -> SourceKernel {
        let mut rng = SplitMix64::new(seed);
        let threads = 2 + rng.below(5) as u32;
        let budget = 6 + rng.below(30);
        let mut writer = Writer {
            any: structure == Structure::Any,
            budget,
            next: 0,
            labels: Vec::new(),
            gotos: Vec::new(),
            noconvergent: Vec::new(),
            noconvergents: 0,
            rng,
        };
        let body = (0..2 + writer.rng.below(4)).flat_map(|_| writer.block(Inside::default())).collect::<Vec<_>>();
        let targets = writer.targets();
        let jumps = targets.iter().any(Option::is_some) || writer.any && body.iter().any(has_stray_case);
        let mut text = String::from(HEAD);
        body.iter().for_each(|statement| print(statement, 1, &targets, &mut text));
        text.push_str("  out[get_local_id(0)] = way;\n}\n");
        SourceKernel { text, threads, jumps }
    }

    /// What `data` holds: few different numbers, so that threads go the same way for a while.
    pub fn data(&self, seed: u64) -> Vec<u32> {
        let mut rng = SplitMix64::new(seed ^ 0x5eed);
        let different = 1 + rng.below(self.threads as usize);
        let values: Vec<u32> = (0..different).map(|_| rng.next_u64() as u32).collect();
        (0..self.threads).map(|_| values[rng.below(different)]).collect()
    }
}

const HEAD: &str = "\
#define ASK(n) (x = x * 1664525u + 1013904223u, (x >> 16) % n != 0)
#define MORE(n) (fuel != 0 && (fuel--, ASK(n)))
uint op(uint);

kernel void k(global const uint *data, global uint *out) {
  uint x = data[get_local_id(0)], fuel = 12, way = 0;
";

/// A statement.
enum Statement {
    Simple(u32),
    /// Adds an expression to the thread's way.
    Operation(String),
    Block(Vec<Statement>),
    NoConvergent(Vec<Statement>),
    /// With a condition, as those that follow.
    If(String, Vec<Statement>, Option<Vec<Statement>>),
    While(String, Vec<Statement>),
    Do(String, Vec<Statement>),
    For(String, Vec<Statement>),
    Switch(u32, Vec<Statement>),
    Case(u32),
    Default,
    Break,
    Continue,
    Return,
    Label(usize),
    Goto(usize),
}

/// What is around a statement.
#[derive(Clone, Default)]
struct Inside {
    depth: usize,
    in_loop: bool,
    can_break: bool,
}

struct Writer {
    rng: SplitMix64,
    any: bool,
    /// How many statements may still be made.
    budget: usize,
    next: u32,
    /// For each label, the noconvergent statements around it.
    labels: Vec<Vec<u32>>,
    gotos: Vec<Vec<u32>>,
    noconvergent: Vec<u32>,
    noconvergents: u32,
}

impl Writer {
    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn block(&mut self, inside: Inside) -> Vec<Statement> {
        let count = 1 + self.rng.below(4);
        let mut block: Vec<Statement> = (0..count).map(|_| self.statement(&inside)).collect();
        if self.any && self.rng.percent(25) {
            let place = self.rng.below(block.len() + 1);
            self.labels.push(self.noconvergent.clone());
            block.insert(place, Statement::Label(self.labels.len() - 1));
        }
        block
    }

    fn statement(&mut self, inside: &Inside) -> Statement {
        let number = self.number();
        if self.budget == 0 || inside.depth > 5 {
            return if self.rng.percent(50) { Statement::Simple(number) } else { self.operation() };
        }
        self.budget -= 1;
        let within = |in_loop: bool| Inside {
            depth: inside.depth + 1,
            in_loop: inside.in_loop || in_loop,
            can_break: inside.can_break || in_loop,
        };
        let (plain, looped) = (within(false), within(true));
        match self.rng.below(100) {
            0..12 => self.operation(),
            12..20 => Statement::Simple(number),
            20..40 => {
                let then = self.block(plain.clone());
                let otherwise = self.rng.percent(50).then(|| self.block(plain));
                Statement::If(self.condition("ASK", 2), then, otherwise)
            }
            40..47 => Statement::While(self.condition("MORE", 2), self.block(looped)),
            47..53 => Statement::Do(self.condition("MORE", 2), self.block(looped)),
            53..60 => Statement::For(self.condition("MORE", 2), self.block(looped)),
            60..68 => self.switch(inside),
            68..71 => {
                self.noconvergents += 1;
                self.noconvergent.push(self.noconvergents);
                let block = self.block(plain);
                self.noconvergent.pop();
                Statement::NoConvergent(block)
            }
            71..74 => Statement::Block(self.block(plain)),
            74..80 if inside.can_break => self.maybe(Statement::Break),
            80..85 if inside.in_loop => self.maybe(Statement::Continue),
            85..87 => Statement::If(self.condition("ASK", 1), vec![Statement::Return], None),
            _ if self.any => {
                self.gotos.push(self.noconvergent.clone());
                Statement::Goto(self.gotos.len() - 1)
            }
            _ => self.operation(),
        }
    }

    /// A condition that asks by a macro; what is true has asked `MORE` at least once if that is the macro. Operands may have operations.
    fn condition(&mut self, by: &str, depth: usize) -> String {
        let ask = |writer: &mut Writer, by: &str| format!("{by}({})", 2 + writer.rng.below(3));
        let kind = if depth == 0 { 0 } else { self.rng.below(16) };
        let mut inner = |by: &str| self.condition(by, depth - 1);
        match kind {
            1 => format!("({} && {})", inner("ASK"), inner(by)),
            2 => format!("({} && {})", inner(by), inner("ASK")),
            3 => format!("({} || {})", inner(by), inner(by)),
            4 => format!("({} ? {} : {})", inner("ASK"), inner(by), inner(by)),
            5 => format!("({} && !({}))", inner(by), inner("ASK")),
            6 => format!("({} && ({} || {}) == {})", inner(by), inner("ASK"), inner("ASK"), inner("ASK")),
            7..10 => {
                let number = self.number();
                format!("(op({number}u), {})", ask(self, by))
            }
            _ => ask(self, by),
        }
    }

    /// Convergent operations in an expression.
    fn operation(&mut self) -> Statement {
        let [one, other] = [self.number(), self.number()];
        let condition = self.condition("ASK", 1);
        Statement::Operation(match self.rng.below(12) {
            0 => format!("{condition} ? op({one}u) : op({other}u)"),
            1 => format!("{condition} && op({one}u) != 1u"),
            2 => format!("{condition} || op({one}u) != 1u"),
            3 => format!("op({one}u + op({other}u))"),
            4 => format!("op({one}u) + ({condition} ? 1u : 2u) * op({other}u)"),
            _ => format!("op({one}u)"),
        })
    }

    /// A jump that not all threads make.
    fn maybe(&mut self, jump: Statement) -> Statement {
        if self.rng.percent(80) { Statement::If(self.condition("ASK", 1), vec![jump], None) } else { jump }
    }

    fn switch(&mut self, inside: &Inside) -> Statement {
        let cases = 2 + self.rng.below(3) as u32;
        let body = Inside { depth: inside.depth + 1, in_loop: inside.in_loop, can_break: true };
        let mut statements = Vec::new();
        for case in 0..cases {
            statements.push(if case + 1 == cases && self.rng.percent(50) {
                Statement::Default
            } else {
                Statement::Case(case)
            });
            statements.extend(self.block(body.clone()));
            if self.rng.percent(60) {
                statements.push(Statement::Break);
            }
        }
        // Another label of the switch, inside of a statement in it. It must be of another number.
        if self.any && self.rng.percent(40) {
            let inner = vec![Statement::Simple(self.number()), Statement::Case(cases), self.operation()];
            let place = self.rng.below(statements.len());
            let statement = match self.rng.below(3) {
                0 => Statement::While(self.condition("MORE", 1), inner),
                1 => Statement::Do(self.condition("MORE", 1), inner),
                _ => Statement::If(self.condition("ASK", 1), inner, None),
            };
            statements.insert(place + 1, statement);
        }
        Statement::Switch(cases + 1, statements)
    }

    /// For each goto its label, if there is one that it may lead to.
    fn targets(&mut self) -> Vec<Option<usize>> {
        let gotos = std::mem::take(&mut self.gotos);
        let choose = |around: Vec<u32>| {
            let may = |label: &usize| self.labels[*label].iter().all(|statement| around.contains(statement));
            let labels: Vec<usize> = (0..self.labels.len()).filter(may).collect();
            self.rng.pick(&labels).copied()
        };
        gotos.into_iter().map(choose).collect()
    }
}

fn has_stray_case(statement: &Statement) -> bool {
    fn holds_case(block: &[Statement]) -> bool {
        block.iter().any(|statement| matches!(statement, Statement::Case(_)) || inner(statement).any(holds_case))
    }
    fn inner(statement: &Statement) -> impl Iterator<Item = &[Statement]> {
        let (one, other): (&[Statement], &[Statement]) = match statement {
            Statement::Block(block) | Statement::NoConvergent(block) => (block, &[]),
            Statement::While(_, block) | Statement::Do(_, block) | Statement::For(_, block) => (block, &[]),
            Statement::If(_, then, otherwise) => (then, otherwise.as_deref().unwrap_or_default()),
            _ => (&[], &[]),
        };
        [one, other].into_iter()
    }
    match statement {
        Statement::Switch(_, block) => {
            block.iter().any(|statement| inner(statement).any(holds_case) || has_stray_case(statement))
        }
        other => inner(other).any(|block| block.iter().any(has_stray_case)),
    }
}

fn print(statement: &Statement, depth: usize, targets: &[Option<usize>], text: &mut String) {
    let indent = "  ".repeat(depth);
    let block = |block: &[Statement], text: &mut String| {
        text.push_str("{\n");
        block.iter().for_each(|statement| print(statement, depth + 1, targets, text));
        text.push_str(&indent);
        text.push('}');
    };
    text.push_str(&indent);
    match statement {
        Statement::Simple(number) => _ = write!(text, "way = way * 31u + {number}u;"),
        Statement::Operation(value) => _ = write!(text, "way += {value};"),
        Statement::Block(statements) => block(statements, text),
        Statement::NoConvergent(statements) => {
            text.push_str("__attribute__((noconvergent)) ");
            block(statements, text);
        }
        Statement::If(condition, then, otherwise) => {
            _ = write!(text, "if ({condition}) ");
            block(then, text);
            if let Some(otherwise) = otherwise {
                text.push_str(" else ");
                block(otherwise, text);
            }
        }
        Statement::While(condition, body) => {
            _ = write!(text, "while ({condition}) ");
            block(body, text);
        }
        Statement::Do(condition, body) => {
            text.push_str("do ");
            block(body, text);
            _ = write!(text, " while ({condition});");
        }
        Statement::For(condition, body) => {
            _ = write!(text, "for (way += 5u; {condition}; way += 7u) ");
            block(body, text);
        }
        Statement::Switch(cases, body) => {
            _ = write!(text, "switch (x = x * 1664525u + 1013904223u, (x >> 16) % {cases}u) ");
            block(body, text);
        }
        Statement::Case(number) => _ = write!(text, "case {number}:;"),
        Statement::Default => text.push_str("default:;"),
        Statement::Break => text.push_str("break;"),
        Statement::Continue => text.push_str("continue;"),
        Statement::Return => text.push_str("{ out[get_local_id(0)] = way; return; }"),
        Statement::Label(number) => _ = write!(text, "L{number}:;"),
        Statement::Goto(number) => match targets[*number] {
            Some(label) => _ = write!(text, "if (MORE(2)) goto L{label};"),
            None => text.push_str("way++;"),
        },
    }
    text.push('\n');
}
