//! Random programs with convergence control, as LLVM assembly.
//!
//! A function is made in three steps, all from one seed:
//!
//! 1. a control-flow graph (`graph.rs`): structured, reducible or arbitrary, sometimes with unreachable blocks;
//! 2. token definitions, hearts, convergent operations and bystanders put where the static rules allow them (`place.rs`);
//! 3. for about half of the functions, one to three breaches (`breach.rs`), spread over all the rules. A breach may
//!    happen to be harmless.
//!
//! [`kernels`] are made in the same way, and run.
//!
//! The text of everything but the tokens is well formed, so an assembler accepts it and only a checker of convergence
//! control has something to say. Names follow the convention of [`crate::verdicts`], so a module of thousands of
//! functions can be judged in one run. The same seed gives the same text on every machine.

mod breach;
mod families;
mod graph;
pub mod kernels;
mod large;
mod loops;
mod place;
mod rng;
pub mod source;

use std::fmt::{self, Display, Formatter};

pub use families::Family;
pub use large::{big_cfg, chain, deep_nest};
pub use loops::{Loops, THREADS, loops, loops_without_anchors};
pub use rng::SplitMix64;

use crate::verdicts::STRIDE;

/// What the generator may do. The default is what LLVM and Reconverge should agree on.
#[derive(Debug, Clone)]
pub struct Options {
    /// Fewest blocks of a function, at least 1.
    pub min_blocks: usize,
    /// Most blocks of a function; structured graphs may pass it by a few.
    pub max_blocks: usize,
    /// How many functions of a hundred get breaches of the rules.
    pub broken_percent: u32,
    /// How many functions of a hundred get a block that may be unreachable.
    pub unreachable_percent: u32,
    /// Lets a breach be a phi or a select of tokens. The assembler rejects a select, and with it the whole module.
    pub token_selects: bool,
    /// Lets operations be `callbr` of convergent inline assembly, whose bundles LLVM 22 does not look at.
    pub callbr: bool,
    /// Keeps regions nested over paths on which LLVM 22 does not look for uses, too (`docs/llvm-differences.md`).
    pub nested_throughout: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            min_blocks: 2,
            max_blocks: 10,
            broken_percent: 60,
            unreachable_percent: 5,
            token_selects: false,
            callbr: false,
            nested_throughout: false,
        }
    }
}

/// A module of `count` functions `f0`, `f1`, … with [`Options::default`].
///
/// # Examples
///
/// ```
/// let module = reconverge_testing::random::module(42, 3);
/// assert!(module.contains("define void @f2("));
/// assert_eq!(module, reconverge_testing::random::module(42, 3));
/// ```
pub fn module(seed: u64, count: usize) -> String {
    module_with(seed, count, &Options::default())
}

/// [`module`] with options.
pub fn module_with(seed: u64, count: usize, options: &Options) -> String {
    module_of(&functions(seed, count, options))
}

/// The texts of the functions of [`module_with`], one each.
///
/// Each depends only on the seed and its index, so a longer batch starts with a shorter one.
pub fn functions(seed: u64, count: usize, options: &Options) -> Vec<String> {
    (0..count).map(|index| function(seed, index, options)).collect()
}

/// The text of function `f{index}` of the batch that `seed` names.
pub fn function(seed: u64, index: usize, options: &Options) -> String {
    let mut rng = SplitMix64::new(seed ^ SplitMix64::new(index as u64).next_u64());
    let mut function = Function::new(index, graph::random(&mut rng, options));
    place::place(&mut function, &mut rng, options);
    if rng.percent(options.broken_percent) {
        for _ in 0..1 + rng.below(3) / 2 {
            breach::breach(&mut function, &mut rng, options);
        }
    }
    function.to_string()
}

/// A module with these functions and the declarations that they need.
pub fn module_of(functions: &[String]) -> String {
    let mut text = String::from(DECLARATIONS);
    for function in functions {
        text.push('\n');
        text.push_str(function);
    }
    text
}

/// The names, without `@`, of the functions of a module of `count`.
pub fn function_names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("f{index}")).collect()
}

/// What random functions call: `@op` and `@value` are convergent, `@plain` is not.
pub const DECLARATIONS: &str = "\
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op(i32) convergent
declare i32 @value(i32) convergent
declare void @plain(i32)
";

/// A function under construction.
#[derive(Debug, Clone)]
struct Function {
    index: usize,
    convergent: bool,
    /// Whether it has a parameter of type token, which a breach may use.
    token_parameter: bool,
    /// Successors of each block; block 0 is the entry.
    successors: Vec<Vec<usize>>,
    /// The calls of each block, in order, its terminator aside.
    calls: Vec<Vec<Call>>,
    /// How many tokens have been defined: the number of the next.
    tokens: usize,
}

impl Function {
    fn new(index: usize, successors: Vec<Vec<usize>>) -> Function {
        let calls = vec![Vec::new(); successors.len()];
        Function { index, convergent: true, token_parameter: false, successors, calls, tokens: 0 }
    }

    fn new_token(&mut self) -> usize {
        self.tokens += 1;
        self.tokens - 1
    }
}

/// One call, or an instruction that is none.
#[derive(Debug, Clone, PartialEq)]
struct Call {
    kind: Kind,
    /// The tokens of each of its `convergencectrl` bundles.
    bundles: Vec<Vec<Token>>,
}

impl Call {
    fn new(kind: Kind) -> Call {
        Call { kind, bundles: Vec::new() }
    }

    fn using(kind: Kind, token: usize) -> Call {
        Call { kind, bundles: vec![vec![Token::Defined(token)]] }
    }

    /// The number of the token that it defines.
    fn defines(&self) -> Option<usize> {
        match self.kind {
            Kind::Entry(token) | Kind::Anchor(token) | Kind::Loop(token) => Some(token),
            Kind::PhiLike(token, ..) => Some(token),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Entry(usize),
    Anchor(usize),
    Loop(usize),
    /// Call of the convergent function without a result.
    Op,
    /// Call of the convergent function with a result.
    Value,
    /// Call of a function that is not convergent.
    Plain,
    /// Call of a function that is not convergent, itself marked `convergent`.
    PlainMarked,
    /// Call through a pointer, marked `convergent` or not.
    Indirect {
        marked: bool,
    },
    /// Convergent inline assembly.
    Assembly,
    /// `freeze` or `select` of the token, which makes it another one.
    PhiLike(usize, usize, Copying),
    /// `callbr` of convergent inline assembly, as the last call of a block with one successor.
    Callbr,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Copying {
    Freeze,
    Select,
}

/// An operand of a bundle.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Defined(usize),
    Poison,
    None,
    Parameter,
    /// Not a token at all.
    Integer,
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let n = self.index;
        write!(f, "define void @f{n}(ptr %f{n}_p, i32 %f{n}_s")?;
        for block in 0..self.successors.len() {
            write!(f, ", i1 %f{n}_c{block}")?;
        }
        if self.token_parameter {
            write!(f, ", token %f{n}_tp")?;
        }
        writeln!(f, "){} {{", if self.convergent { " convergent" } else { "" })?;
        let mut unique = n * STRIDE;
        for (block, calls) in self.calls.iter().enumerate() {
            writeln!(f, "f{n}_b{block}:")?;
            let mut terminated = false;
            for call in calls {
                terminated |= call.kind == Kind::Callbr;
                self.fmt_call(f, call, unique, block)?;
                unique += 1;
            }
            if !terminated {
                self.fmt_terminator(f, block)?;
            }
        }
        writeln!(f, "}}")
    }
}

impl Function {
    fn fmt_call(&self, f: &mut Formatter<'_>, call: &Call, unique: usize, block: usize) -> fmt::Result {
        let n = self.index;
        write!(f, "  ")?;
        match call.kind {
            Kind::Entry(token) => write!(f, "%f{n}_t{token} = call token @llvm.experimental.convergence.entry()")?,
            Kind::Anchor(token) => write!(f, "%f{n}_t{token} = call token @llvm.experimental.convergence.anchor()")?,
            Kind::Loop(token) => write!(f, "%f{n}_t{token} = call token @llvm.experimental.convergence.loop()")?,
            Kind::Op => write!(f, "call void @op(i32 {unique})")?,
            Kind::Value => write!(f, "%f{n}_v{unique} = call i32 @value(i32 {unique})")?,
            Kind::Plain => write!(f, "call void @plain(i32 {unique})")?,
            Kind::PlainMarked => write!(f, "call void @plain(i32 {unique}) convergent")?,
            Kind::Indirect { marked } => {
                write!(f, "call void %f{n}_p(i32 {unique}){}", if marked { " convergent" } else { "" })?;
            }
            Kind::Assembly => write!(f, "call void asm sideeffect \"\", \"r\"(i32 {unique}) convergent")?,
            Kind::PhiLike(token, from, Copying::Freeze) => {
                write!(f, "%f{n}_t{token} = freeze token %f{n}_t{from}")?;
            }
            Kind::PhiLike(token, from, Copying::Select) => {
                write!(f, "%f{n}_t{token} = select i1 %f{n}_c0, token %f{n}_t{from}, token %f{n}_t{from}")?;
            }
            Kind::Callbr => write!(f, "callbr void asm sideeffect \"\", \"r,!i\"(i32 {unique}) convergent")?,
        }
        for (at, bundle) in call.bundles.iter().enumerate() {
            write!(f, "{}\"convergencectrl\"(", if at == 0 { " [ " } else { ", " })?;
            for (at, token) in bundle.iter().enumerate() {
                write!(f, "{}", if at == 0 { "" } else { ", " })?;
                match token {
                    Token::Defined(token) => write!(f, "token %f{n}_t{token}")?,
                    Token::Poison => write!(f, "token poison")?,
                    Token::None => write!(f, "token none")?,
                    Token::Parameter => write!(f, "token %f{n}_tp")?,
                    Token::Integer => write!(f, "i32 {unique}")?,
                }
            }
            write!(f, ")")?;
        }
        if !call.bundles.is_empty() {
            write!(f, " ]")?;
        }
        if call.kind == Kind::Callbr {
            let target = self.successors[block][0];
            write!(f, " to label %f{n}_b{target} [label %f{n}_b{target}]")?;
        }
        writeln!(f)
    }

    fn fmt_terminator(&self, f: &mut Formatter<'_>, block: usize) -> fmt::Result {
        let n = self.index;
        match self.successors[block].as_slice() {
            [] => writeln!(f, "  ret void"),
            [only] => writeln!(f, "  br label %f{n}_b{only}"),
            [yes, no] => writeln!(f, "  br i1 %f{n}_c{block}, label %f{n}_b{yes}, label %f{n}_b{no}"),
            [default, cases @ ..] => {
                write!(f, "  switch i32 %f{n}_s, label %f{n}_b{default} [")?;
                for (value, case) in cases.iter().enumerate() {
                    write!(f, " i32 {value}, label %f{n}_b{case}")?;
                }
                writeln!(f, " ]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::llvm;
    use crate::verdicts::llvm_verdicts;

    #[test]
    fn a_batch_is_deterministic_and_its_prefixes_are_batches() {
        let options = Options::default();
        let long = functions(3, 20, &options);
        assert_eq!(long[..7], functions(3, 7, &options));
        assert_ne!(long[0], functions(4, 1, &options)[0]);
        for (name, text) in function_names(20).iter().zip(&long) {
            assert!(text.starts_with(&format!("define void @{name}(")));
        }
    }

    /// The bias that differential tests need: neither nearly all valid nor nearly all broken, and every message of
    /// LLVM's convergence verifier among the broken.
    #[test]
    fn verdicts_are_mixed_and_cover_the_rules() {
        let Some(tools) = llvm::tools() else { return };
        let count = 6000;
        let verdicts = llvm_verdicts(tools, &module(1, count)).unwrap();
        let rejected = verdicts.rejected().count();
        assert!((count * 2 / 5..=count * 3 / 5).contains(&rejected), "{rejected} of {count} rejected");
        let mut messages: BTreeMap<&str, usize> = BTreeMap::new();
        for message in verdicts.rejected().flat_map(|(_, messages)| messages) {
            *messages.entry(message).or_default() += 1;
        }
        for fragment in [
            "Entry intrinsic can occur only in a convergent function",
            "Entry intrinsic can occur only in the entry block",
            "Entry intrinsic cannot be preceded",
            "Entry or anchor intrinsic cannot have",
            "Loop intrinsic cannot be preceded",
            "Loop intrinsic must have",
            "can occur at most once on a call",
            "requires exactly one token use",
            "can only be produced by calls to",
            "must dominate all its uses",
            "Cannot mix controlled and uncontrolled",
            "other than llvm.experimental.convergence.loop in a cycle",
            "Cycle heart must dominate",
            "not well-nested",
        ] {
            let seen: usize = messages.iter().filter(|(message, _)| message.contains(fragment)).map(|(_, n)| n).sum();
            assert!(seen >= 20, "{fragment}: {seen} times in {messages:#?}");
        }
    }

    #[test]
    fn without_breaches_every_function_is_accepted() {
        let Some(tools) = llvm::tools() else { return };
        let options = Options { broken_percent: 0, ..Options::default() };
        let batch = functions(11, 2000, &options);
        let verdicts = llvm_verdicts(tools, &module_of(&batch)).unwrap();
        if let Some((index, messages)) = verdicts.rejected().next() {
            panic!("{messages:?}\n{}", batch[index]);
        }
    }

    #[test]
    fn options_reach_what_the_default_leaves_out() {
        let options = Options { token_selects: true, callbr: true, ..Options::default() };
        let text = module_with(5, 2000, &options);
        assert!(text.contains("callbr") && text.contains("select"));
        let text = module(5, 2000);
        assert!(!text.contains("callbr") && !text.contains("select"));
    }
}
