//! The functions of random kernels: their blocks, values and phis. `instructions` fills the blocks, `ways_out` sees that each comes to an end.

use std::fmt::Write;

use super::super::graph::{self, Facts};
use super::super::{Call, Function, Kind, Options, SplitMix64, Token, place};
use super::{Callee, Kernel, Module, Shape, Wishes};

mod instructions;
mod ways_out;

use ways_out::{add_ways_out, is_reducible, ways_out};

/// A local function `@g{index}`.
pub(super) fn function(rng: &mut SplitMix64, module: &Module, index: usize, callees: &[Callee]) -> Callee {
    let mut body = Body::new(rng, module, callees, 1, SMALL, false);
    let buffer = module.buffer();
    for parameter in ["p0", "p1"] {
        body.define(0, Type::Word, &format!("add i32 %{parameter}, 0"), false);
        body.values.push(Value { name: parameter.to_owned(), ty: Type::Word, block: 0, uniform: false });
    }
    let convergent = body.function.convergent;
    let anchored = body.has_anchored_results();
    let suffix = if convergent { " convergent" } else { "" };
    let reference = match module.wishes.references {
        true => format!(", {} %ref", module.dialect.private().1),
        false => String::new(),
    };
    let linkage = if body.rng.percent(85) { "internal " } else { "" };
    let text = format!(
        "define {linkage}i32 @g{index}({buffer} %in, i32 %p0, i32 %p1{reference}){suffix} {{\n{}}}\n\n",
        body.finish(Ending::Value)
    );
    Callee { index, text, convergent, anchored }
}

/// The kernel `@k`.
pub(super) fn kernel(rng: &mut SplitMix64, module: &Module, shape: &Shape, callees: &[Callee]) -> (String, bool) {
    let Wishes { uniform_control, .. } = module.wishes;
    let mut body = Body::new(rng, module, callees, 2, 9, uniform_control);
    let dialect = module.dialect;
    let buffer = module.buffer();
    for parameter in ["a", "b", "n"] {
        body.values.push(Value { name: parameter.to_owned(), ty: Type::Word, block: 0, uniform: true });
    }
    body.text[0].push_str(&dialect.number("tid", false, 0));
    body.text[0].push_str(&dialect.number("gid", true, 0));
    body.values.push(Value { name: "tid".to_owned(), ty: Type::Word, block: 0, uniform: false });
    body.values.push(Value { name: "gid".to_owned(), ty: Type::Word, block: 0, uniform: true });
    if module.two_dimensional {
        body.text[0].push_str(&dialect.number("tidy", false, 1));
        body.text[0].push_str("  %row = mul i32 %tidy, %nx\n  %linear = add i32 %row, %tid\n");
        body.values.push(Value { name: "tidy".to_owned(), ty: Type::Word, block: 0, uniform: false });
    } else {
        body.text[0].push_str("  %linear = add i32 %tid, 0\n");
    }
    body.text[0].push_str("  %group = mul i32 %gid, %n\n  %thread = add i32 %group, %linear\n");
    let _ = writeln!(body.text[0], "  %mine = mul i32 %thread, {}", Kernel::OUTPUTS);
    body.is_kernel = true;
    body.prologue();
    let convergent = if body.function.convergent { " convergent" } else { "" };
    let suffix = shape.suffix(dialect);
    let (attributes, attachment) = match suffix.split_once(" !") {
        Some((attributes, node)) => (attributes.to_owned(), format!(" !{node}")),
        None => (suffix, String::new()),
    };
    let convention = dialect.kernel();
    let anchored = body.has_anchored_results();
    let text = format!(
        "define {convention} void @k({buffer} %in, {buffer} %out, i32 %a, i32 %b, i32 %n, i32 %nx)\
         {convergent}{attributes}{attachment} {{\n{}}}\n",
        body.finish(Ending::Nothing)
    );
    (text, anchored)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Word,
    Bit,
}

impl Type {
    fn text(self) -> &'static str {
        match self {
            Type::Word => "i32",
            Type::Bit => "i1",
        }
    }
}

/// A value that can be used.
#[derive(Debug, Clone)]
struct Value {
    /// Its name, without sigil.
    name: String,
    ty: Type,
    /// The block that it is defined in.
    block: usize,
    /// Whether it is certainly the same in all threads of a workgroup.
    uniform: bool,
}

/// A phi whose operands are still to be chosen.
struct Pending {
    block: usize,
    name: String,
    ty: Type,
    uniform: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Nothing,
    Value,
}

struct Body<'a> {
    rng: &'a mut SplitMix64,
    module: &'a Module,
    callees: &'a [Callee],
    function: Function,
    facts: Facts,
    values: Vec<Value>,
    pending: Vec<Pending>,
    /// The text of each block, without label and phis.
    text: Vec<String>,
    names: usize,
    is_kernel: bool,
    /// Whether all branches depend on uniform values.
    uniform_control: bool,
    /// Whether local memory was filled.
    has_local: bool,
    /// For each block of a cycle with a choice: the successor that the shortest way out begins with.
    ways_out: Vec<Option<usize>>,
    /// Whether iterations are counted by phis in the headers of loops rather than in memory.
    counts_in_headers: bool,
}

/// The most blocks of a local function, before ways out are added.
const SMALL: usize = 4;
/// How often a bounded cycle goes on at will.
const PATIENCE: usize = 3;
/// Variables in private memory, and the length of the private array.
const VARIABLES: usize = 2;
const ARRAY: usize = 4;

impl<'a> Body<'a> {
    fn new(
        rng: &'a mut SplitMix64,
        module: &'a Module,
        callees: &'a [Callee],
        min_blocks: usize,
        max_blocks: usize,
        uniform_control: bool,
    ) -> Body<'a> {
        let options = Options {
            min_blocks,
            max_blocks,
            broken_percent: 0,
            unreachable_percent: 0,
            nested_throughout: true,
            ..Options::default()
        };
        let mut successors = graph::random(rng, &options);
        if module.wishes.bounded {
            add_ways_out(&mut successors);
        }
        let facts = Facts::of(&successors);
        let ways_out = ways_out(&successors, &facts);
        let mut function = Function::new(0, successors);
        if module.wishes.tokens {
            place::place(&mut function, rng, &options);
        } else {
            function.convergent = max_blocks > SMALL || rng.percent(60);
            for calls in &mut function.calls {
                for _ in 0..rng.below(3) {
                    calls.push(Call { kind: [Kind::Op, Kind::Value, Kind::Plain][rng.below(3)], bundles: Vec::new() });
                }
            }
        }
        let blocks = function.successors.len();
        let counts_in_headers = is_reducible(&function.successors, &facts) && rng.percent(60);
        Body {
            rng,
            module,
            callees,
            function,
            facts,
            values: Vec::new(),
            pending: Vec::new(),
            text: vec![String::new(); blocks],
            names: 0,
            is_kernel: false,
            uniform_control,
            has_local: false,
            ways_out,
            counts_in_headers,
        }
    }

    /// Whether an operation with a result gets a token that stems from an anchor.
    fn has_anchored_results(&self) -> bool {
        let calls = || self.function.calls.iter().flatten();
        let mut anchored: Vec<usize> = Vec::new();
        // A heart may be placed before the definition of its token is met.
        for _ in 0..self.function.tokens {
            for call in calls() {
                match call.kind {
                    Kind::Anchor(token) => anchored.push(token),
                    Kind::Loop(token) if uses(call, &anchored) => anchored.push(token),
                    _ => {}
                }
            }
        }
        let mut with_result = calls().filter(|call| !matches!(call.kind, Kind::Op | Kind::Loop(_)));
        with_result.any(|call| uses(call, &anchored))
    }

    fn line(&mut self, block: usize, line: impl AsRef<str>) {
        let _ = writeln!(self.text[block], "  {}", line.as_ref());
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Adds an instruction with a result that others may use.
    fn define(&mut self, block: usize, ty: Type, right: &str, uniform: bool) -> String {
        let name = self.name();
        self.line(block, format!("%{name} = {right}"));
        self.values.push(Value { name: name.clone(), ty, block, uniform });
        name
    }

    /// Adds an instruction whose result only the next ones use.
    fn step(&mut self, block: usize, right: &str) -> String {
        let name = self.name();
        self.line(block, format!("%{name} = {right}"));
        name
    }

    /// A value, or a constant, to be used in a block; and whether it is uniform. `wanted`: it has to be.
    fn operand(&mut self, block: usize, ty: Type, wanted: bool) -> (String, bool) {
        let fits =
            |value: &&Value| value.ty == ty && (!wanted || value.uniform) && self.facts.dominates(value.block, block);
        if !self.rng.percent(18) {
            let candidates: Vec<&Value> = self.values.iter().filter(fits).collect();
            // What was computed last is used more often.
            let recent = candidates.len().saturating_sub(6);
            let from = if self.rng.percent(50) { &candidates[recent..] } else { &candidates[..] };
            if let Some(value) = self.rng.pick(from) {
                return (format!("%{}", value.name), value.uniform);
            }
        }
        (self.constant(ty), true)
    }

    fn constant(&mut self, ty: Type) -> String {
        match ty {
            Type::Word => ["0", "1", "2", "3", "4", "5", "7", "8", "16", "-1"][self.rng.below(10)].to_owned(),
            Type::Bit => ["true", "false"][self.rng.below(2)].to_owned(),
        }
    }

    /// What the entry block does before anything else: variables, and in the kernel local memory.
    fn prologue(&mut self) {
        let (suffix, _) = self.module.dialect.private();
        let mut allocas = String::new();
        for variable in 0..VARIABLES {
            let _ = writeln!(allocas, "  %var{variable} = alloca i32{suffix}");
        }
        let _ = writeln!(allocas, "  %array = alloca [{ARRAY} x i32]{suffix}");
        if self.module.wishes.references {
            let _ = writeln!(allocas, "  %copy = alloca [{ARRAY} x i32]{suffix}");
        }
        if self.module.wishes.bounded && !self.counts_in_headers {
            for block in 0..self.ways_out.len() {
                if self.ways_out[block].is_some() {
                    let _ = writeln!(allocas, "  %count{block} = alloca i32{suffix}");
                }
            }
        }
        self.text[0].insert_str(0, &allocas);
        let (_, pointer) = self.module.dialect.private();
        for variable in 0..VARIABLES {
            let (word, _) = self.operand(0, Type::Word, false);
            self.line(0, format!("store i32 {word}, {pointer} %var{variable}"));
        }
        for element in 0..ARRAY {
            let (word, _) = self.operand(0, Type::Word, false);
            let at = self.step(0, &format!("getelementptr i32, {pointer} %array, i32 {element}"));
            self.line(0, format!("store i32 {word}, {pointer} %{at}"));
        }
        if self.module.wishes.references {
            self.fill_copy(0);
        }
        if self.module.wishes.bounded && !self.counts_in_headers {
            for block in 0..self.ways_out.len() {
                if self.ways_out[block].is_some() {
                    self.line(0, format!("store i32 0, {pointer} %count{block}"));
                }
            }
        }
    }

    /// Fills local memory; in front of a barrier that all threads come to.
    fn fill_local(&mut self, bundle: &str) {
        let (word, _) = self.operand(0, Type::Word, false);
        let at = self.step(0, "getelementptr i32, ptr addrspace(3) @lds, i32 %linear");
        self.line(0, format!("store i32 {word}, ptr addrspace(3) %{at}"));
        self.text[0].push_str(&self.module.dialect.barrier(bundle));
        self.has_local = true;
    }

    /// Fills all blocks; the text between the braces.
    fn finish(mut self, ending: Ending) -> String {
        if !self.is_kernel {
            self.prologue();
        }
        for at in 0..self.facts.order.len() {
            let block = self.facts.order[at];
            self.start_phis(block);
            if block == 0 && self.is_kernel && !self.module.wishes.tokens && self.rng.percent(40) {
                self.fill_local("");
            }
            for call in std::mem::take(&mut self.function.calls[block]) {
                self.call(block, &call);
                for _ in 0..self.rng.below(3) {
                    self.instruction(block);
                }
            }
            for _ in 0..1 + self.rng.below(4) {
                self.instruction(block);
            }
            self.terminator(block, ending);
        }
        let phis = self.finish_phis();
        let mut text = String::new();
        for (block, (phis, body)) in phis.iter().zip(&self.text).enumerate() {
            let _ = write!(text, "b{block}:\n{phis}{body}");
        }
        text
    }

    /// The edges into a block, as the blocks that they come from.
    fn sources(&self, block: usize) -> Vec<usize> {
        let edges = self.function.successors.iter().enumerate();
        edges.flat_map(|(from, to)| to.iter().filter(|&&to| to == block).map(move |_| from)).collect()
    }

    fn start_phis(&mut self, block: usize) {
        let sources = self.sources(block);
        if sources.len() < 2 {
            return;
        }
        for _ in 0..self.rng.below(4) {
            let ty = if self.rng.percent(75) { Type::Word } else { Type::Bit };
            let uniform = self.uniform_control && self.rng.percent(60);
            let name = self.name();
            self.values.push(Value { name: name.clone(), ty, block, uniform });
            self.pending.push(Pending { block, name, ty, uniform });
        }
        if self.counts_in_headers && self.is_header(block) {
            let uniform = self.uniform_control;
            self.values.push(Value { name: format!("i{block}"), ty: Type::Word, block, uniform });
            self.line(block, format!("%n{block} = add i32 %i{block}, 1"));
            self.values.push(Value { name: format!("n{block}"), ty: Type::Word, block, uniform });
        }
    }

    /// Whether a block is the header of a natural loop.
    fn is_header(&self, block: usize) -> bool {
        self.sources(block).iter().any(|&from| self.facts.dominates(block, from))
    }

    fn finish_phis(&mut self) -> Vec<String> {
        let mut text = vec![String::new(); self.text.len()];
        for Pending { block, name, ty, uniform } in std::mem::take(&mut self.pending) {
            let mut incoming: Vec<(usize, String)> = Vec::new();
            for from in self.sources(block) {
                // An edge that is there twice brings the same twice.
                let value = match incoming.iter().find(|(other, _)| *other == from) {
                    Some((_, value)) => value.clone(),
                    None if !self.module.freezes && self.rng.percent(4) => {
                        ["undef", "poison"][self.rng.below(2)].to_owned()
                    }
                    None => self.operand(from, ty, uniform).0,
                };
                incoming.push((from, value));
            }
            let list: Vec<String> = incoming.iter().map(|(from, value)| format!("[ {value}, %b{from} ]")).collect();
            let _ = writeln!(text[block], "  %{name} = phi {} {}", ty.text(), list.join(", "));
        }
        for block in 0..self.text.len() {
            if self.counts_in_headers && self.sources(block).len() > 1 && self.is_header(block) {
                let list: Vec<String> = self
                    .sources(block)
                    .iter()
                    .map(|&from| {
                        let value = if self.facts.dominates(block, from) { format!("%n{block}") } else { "0".into() };
                        format!("[ {value}, %b{from} ]")
                    })
                    .collect();
                let _ = writeln!(text[block], "  %i{block} = phi i32 {}", list.join(", "));
            }
        }
        text
    }
}

/// Whether a call uses one of some tokens.
fn uses(call: &Call, tokens: &[usize]) -> bool {
    call.bundles.iter().flatten().any(|token| matches!(token, Token::Defined(token) if tokens.contains(token)))
}

fn bundle(call: &Call) -> String {
    match call.bundles.as_slice() {
        [tokens] => match tokens[..] {
            [Token::Defined(token)] => format!(" [ \"convergencectrl\"(token %t{token}) ]"),
            _ => unreachable!("what is placed is valid"),
        },
        _ => String::new(),
    }
}
