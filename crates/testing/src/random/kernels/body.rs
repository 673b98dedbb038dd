//! The functions of random kernels.

use std::fmt::Write;

use super::super::graph::{self, Facts};
use super::super::{Call, Function, Kind, Options, SplitMix64, Token, place};
use super::{Callee, Kernel, Module, Shape, Wishes};

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
    let linkage = if body.rng.percent(85) { "internal " } else { "" };
    let text = format!(
        "define {linkage}i32 @g{index}({buffer} %in, i32 %p0, i32 %p1){suffix} {{\n{}}}\n\n",
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

    /// One of the calls that were placed.
    fn call(&mut self, block: usize, call: &Call) {
        let bundle = bundle(call);
        match call.kind {
            Kind::Entry(token) => {
                self.line(block, format!("%t{token} = call token @llvm.experimental.convergence.entry()"));
                if self.is_kernel && self.rng.percent(40) {
                    self.fill_local(&format!(" [ \"convergencectrl\"(token %t{token}) ]"));
                }
            }
            Kind::Anchor(token) => {
                self.line(block, format!("%t{token} = call token @llvm.experimental.convergence.anchor()"));
            }
            Kind::Loop(token) => {
                self.line(block, format!("%t{token} = call token @llvm.experimental.convergence.loop(){bundle}"));
            }
            Kind::Op if !self.function.convergent && bundle.is_empty() => self.instruction(block),
            Kind::Op if self.uniform_control && self.rng.percent(60) => {
                let text = self.module.dialect.barrier(&bundle);
                self.text[block].push_str(&text);
            }
            Kind::Op => {
                let (word, _) = self.operand(block, Type::Word, false);
                self.line(block, format!("call void @op(i32 {word}){bundle}"));
            }
            Kind::Plain | Kind::Indirect { marked: false } => self.plain_call(block),
            _ => self.communicate(block, &bundle),
        }
    }

    fn plain_call(&mut self, block: usize) {
        match self.callee(block, false) {
            Some(call) => {
                self.define(block, Type::Word, &call, false);
            }
            None => self.instruction(block),
        }
    }

    /// The call of a local function that is convergent, or one that is not.
    fn callee(&mut self, block: usize, convergent: bool) -> Option<String> {
        let callees: Vec<&Callee> = self.callees.iter().filter(|callee| callee.convergent == convergent).collect();
        let index = self.rng.pick(&callees)?.index;
        let (one, _) = self.operand(block, Type::Word, false);
        let (other, _) = self.operand(block, Type::Word, false);
        Some(format!("call i32 @g{index}({} %in, i32 {one}, i32 {other})", self.module.buffer()))
    }

    fn communicate(&mut self, block: usize, bundle: &str) {
        if !self.function.convergent && bundle.is_empty() {
            return self.instruction(block);
        }
        if self.rng.percent(25)
            && let Some(call) = self.callee(block, true)
        {
            self.define(block, Type::Word, &format!("{call}{bundle}"), false);
            return;
        }
        let (word, _) = self.operand(block, Type::Word, false);
        let (bit, _) = self.operand(block, Type::Bit, false);
        let (name, kind) = (self.name(), self.rng.below(self.module.dialect.communications()));
        let text = self.module.dialect.communication(kind, &name, &word, &bit, bundle);
        self.text[block].push_str(&text);
        self.values.push(Value { name, ty: Type::Word, block, uniform: false });
    }

    fn instruction(&mut self, block: usize) {
        if self.rng.percent(30) {
            self.bit(block);
        } else if self.rng.percent(30) {
            self.memory(block);
        } else {
            self.word(block);
        }
    }

    /// A comparison, or an operation on bits.
    fn bit(&mut self, block: usize) -> String {
        let wanted = self.uniform_control && self.rng.percent(50);
        if self.rng.percent(25) {
            let (a, x) = self.operand(block, Type::Bit, wanted);
            let (b, y) = self.operand(block, Type::Bit, wanted);
            let opcode = ["and", "or", "xor"][self.rng.below(3)];
            return self.define(block, Type::Bit, &format!("{opcode} i1 {a}, {b}"), x && y);
        }
        self.comparison(block, wanted)
    }

    fn comparison(&mut self, block: usize, wanted: bool) -> String {
        let (mut a, x) = self.operand(block, Type::Word, wanted);
        let (mut b, mut y) = self.operand(block, Type::Word, wanted);
        if self.rng.percent(70) {
            // Of small numbers, so that it goes either way.
            let mask = [1, 3, 7][self.rng.below(3)];
            a = format!("%{}", self.step(block, &format!("and i32 {a}, {mask}")));
            (b, y) = (["0", "1", "2", "4"][self.rng.below(4)].to_owned(), true);
        }
        let predicate = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"][self.rng.below(10)];
        self.define(block, Type::Bit, &format!("icmp {predicate} i32 {a}, {b}"), x && y)
    }

    fn word(&mut self, block: usize) {
        let wanted = self.uniform_control && self.rng.percent(50);
        let (a, x) = self.operand(block, Type::Word, wanted);
        let (b, y) = self.operand(block, Type::Word, wanted);
        let both = x && y;
        let small = ["1", "2", "3", "4", "8", "16"][self.rng.below(6)];
        let (right, uniform) = match self.rng.below(21) {
            0 | 1 => (format!("add i32 {a}, {b}"), both),
            2 => (format!("sub i32 {a}, {b}"), both),
            3 => (format!("mul i32 {a}, {b}"), both),
            4 => (format!("xor i32 {a}, {b}"), both),
            5 => (format!("and i32 {a}, {b}"), both),
            6 => (format!("or i32 {a}, {b}"), both),
            7 => (format!("shl i32 {a}, {small}"), x),
            8 => (format!("lshr i32 {a}, {small}"), x),
            9 => (format!("udiv i32 {a}, {small}"), x),
            10 => (format!("urem i32 {a}, {small}"), x),
            11 | 12 => {
                let (bit, z) = self.operand(block, Type::Bit, wanted);
                (format!("select i1 {bit}, i32 {a}, i32 {b}"), both && z)
            }
            13 => {
                let (bit, z) = self.operand(block, Type::Bit, wanted);
                (format!("zext i1 {bit} to i32"), z)
            }
            14 => (format!("call i32 @llvm.smax.i32(i32 {a}, i32 {b})"), both),
            15 => (format!("call i32 @llvm.ctpop.i32(i32 {a})"), x),
            16 => {
                let wide = self.step(block, &format!("sext i32 {a} to i64"));
                let product = self.step(block, &format!("mul i64 %{wide}, 1103515245"));
                let high = self.step(block, &format!("lshr i64 %{product}, 13"));
                (format!("trunc i64 %{high} to i32"), x)
            }
            17 => {
                let low = self.step(block, &format!("and i32 {a}, 255"));
                let float = self.step(block, &format!("uitofp i32 %{low} to float"));
                let half = self.step(block, &format!("fmul float %{float}, 5.000000e-01"));
                (format!("fptoui float %{half} to i32"), x)
            }
            18 => {
                let one = self.step(block, &format!("insertelement <2 x i32> zeroinitializer, i32 {a}, i32 0"));
                let two = self.step(block, &format!("insertelement <2 x i32> %{one}, i32 {b}, i32 1"));
                let at = self.step(block, &format!("and i32 {b}, 1"));
                (format!("extractelement <2 x i32> %{two}, i32 %{at}"), both)
            }
            19 => {
                let pair =
                    self.step(block, &format!("call {{ i32, i1 }} @llvm.uadd.with.overflow.i32(i32 {a}, i32 {b})"));
                (format!("extractvalue {{ i32, i1 }} %{pair}, 0"), both)
            }
            _ if self.module.freezes => (format!("freeze i32 {a}"), x),
            _ => (format!("call i32 @llvm.fshl.i32(i32 {a}, i32 {b}, i32 7)"), both),
        };
        self.define(block, Type::Word, &right, uniform);
    }

    /// A load or a store.
    fn memory(&mut self, block: usize) {
        let wanted = self.uniform_control && self.rng.percent(50);
        let (word, uniform) = self.operand(block, Type::Word, wanted);
        let (_, private) = self.module.dialect.private();
        let buffer = self.module.buffer();
        match self.rng.below(9) {
            0..3 => {
                let index = self.step(block, &format!("and i32 {word}, {}", Kernel::INPUTS - 1));
                let at = self.step(block, &format!("getelementptr i32, {buffer} %in, i32 %{index}"));
                self.define(block, Type::Word, &format!("load i32, {buffer} %{at}"), uniform);
            }
            3 if self.has_local => {
                let index = self.step(block, &format!("urem i32 {word}, %n"));
                let at = self.step(block, &format!("getelementptr i32, ptr addrspace(3) @lds, i32 %{index}"));
                self.define(block, Type::Word, &format!("load i32, ptr addrspace(3) %{at}"), uniform);
            }
            4 => {
                let variable = self.rng.below(VARIABLES);
                self.line(block, format!("store i32 {word}, {private} %var{variable}"));
            }
            5 => {
                let variable = self.rng.below(VARIABLES);
                self.define(block, Type::Word, &format!("load i32, {private} %var{variable}"), false);
            }
            6 => {
                let (other, _) = self.operand(block, Type::Word, false);
                let index = self.step(block, &format!("and i32 {word}, {}", ARRAY - 1));
                let at = self.step(block, &format!("getelementptr i32, {private} %array, i32 %{index}"));
                if self.rng.percent(50) {
                    self.line(block, format!("store i32 {other}, {private} %{at}"));
                } else {
                    self.define(block, Type::Word, &format!("load i32, {private} %{at}"), false);
                }
            }
            _ if self.is_kernel => {
                let (other, _) = self.operand(block, Type::Word, false);
                let offset = self.rng.below(Kernel::OUTPUTS as usize);
                let index = self.step(block, &format!("add i32 %mine, {offset}"));
                let at = self.step(block, &format!("getelementptr i32, {buffer} %out, i32 %{index}"));
                if self.rng.percent(70) {
                    self.line(block, format!("store i32 {other}, {buffer} %{at}"));
                } else {
                    self.define(block, Type::Word, &format!("load i32, {buffer} %{at}"), false);
                }
            }
            _ => self.word(block),
        }
    }

    fn terminator(&mut self, block: usize, ending: Ending) {
        let successors = self.function.successors[block].clone();
        let open = self.gate(block);
        match successors[..] {
            [] if ending == Ending::Nothing => self.line(block, "ret void"),
            [] => {
                let (word, _) = self.operand(block, Type::Word, false);
                self.line(block, format!("ret i32 {word}"));
            }
            [only] => self.line(block, format!("br label %b{only}")),
            [yes, no] => {
                let mut condition = if self.rng.percent(60) {
                    let name = self.comparison(block, self.uniform_control);
                    format!("%{name}")
                } else {
                    self.operand(block, Type::Bit, self.uniform_control).0
                };
                if let Some((open, out)) = open {
                    condition = format!(
                        "%{}",
                        if out == yes {
                            self.step(block, &format!("select i1 {open}, i1 {condition}, i1 true"))
                        } else {
                            self.step(block, &format!("and i1 {open}, {condition}"))
                        }
                    );
                }
                self.line(block, format!("br i1 {condition}, label %b{yes}, label %b{no}"));
            }
            [default, ref cases @ ..] => {
                let (word, _) = self.operand(block, Type::Word, self.uniform_control);
                let mut value = self.step(block, &format!("and i32 {word}, 3"));
                if let Some((open, out)) = open {
                    let to = cases.iter().position(|&case| case == out).unwrap_or(cases.len() + 4);
                    value = self.step(block, &format!("select i1 {open}, i32 %{value}, i32 {to}"));
                }
                let cases: Vec<String> =
                    cases.iter().enumerate().map(|(case, to)| format!("i32 {case}, label %b{to}")).collect();
                self.line(block, format!("switch i32 %{value}, label %b{default} [ {} ]", cases.join(" ")));
            }
        }
    }

    /// For a choice in a cycle that has to end: whether it is still free, and the way out otherwise.
    fn gate(&mut self, block: usize) -> Option<(String, usize)> {
        let out = self.ways_out[block].filter(|_| self.module.wishes.bounded)?;
        if !self.counts_in_headers {
            let (_, private) = self.module.dialect.private();
            let count = self.step(block, &format!("load i32, {private} %count{block}"));
            let next = self.step(block, &format!("add i32 %{count}, 1"));
            self.line(block, format!("store i32 %{next}, {private} %count{block}"));
            return Some((format!("%{}", self.step(block, &format!("icmp ult i32 %{count}, {PATIENCE}"))), out));
        }
        let mut open = None;
        for header in 0..self.text.len() {
            if self.facts.dominates(header, block) && self.is_header(header) && self.facts.reaches(block, header) {
                let patience = 1 + self.rng.below(PATIENCE);
                let this = format!("%{}", self.step(block, &format!("icmp ult i32 %i{header}, {patience}")));
                open = Some(match open {
                    Some(other) => format!("%{}", self.step(block, &format!("and i1 {other}, {this}"))),
                    None => this,
                });
            }
        }
        open.map(|open| (open, out))
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

/// Lets every block have a way to the end.
fn add_ways_out(successors: &mut Vec<Vec<usize>>) {
    loop {
        let distances = distances(successors);
        let Some(stuck) = distances.iter().position(Option::is_none) else { return };
        let end = match successors.iter().position(Vec::is_empty) {
            Some(end) => end,
            None => {
                successors.push(Vec::new());
                successors.len() - 1
            }
        };
        successors[stuck].push(end);
    }
}

/// How many edges each block is from the end.
fn distances(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut distances: Vec<Option<usize>> = successors.iter().map(|to| to.is_empty().then_some(0)).collect();
    for _ in 0..successors.len() {
        for block in 0..successors.len() {
            let next = successors[block].iter().filter_map(|&to| distances[to]).min();
            if let (None, Some(next)) = (distances[block], next) {
                distances[block] = Some(next + 1);
            }
        }
    }
    distances
}

fn ways_out(successors: &[Vec<usize>], facts: &Facts) -> Vec<Option<usize>> {
    let distances = distances(successors);
    let closest =
        |block: usize| successors[block].iter().copied().min_by_key(|&to| distances[to].unwrap_or(usize::MAX));
    let has_choice = |block: usize| successors[block].iter().any(|&to| to != successors[block][0]);
    (0..successors.len())
        .map(|block| if has_choice(block) && facts.reaches(block, block) { closest(block) } else { None })
        .collect()
}

/// Whether every cycle is a natural loop.
fn is_reducible(successors: &[Vec<usize>], facts: &Facts) -> bool {
    let forward: Vec<Vec<usize>> = (0..successors.len())
        .map(|from| successors[from].iter().copied().filter(|&to| !facts.dominates(to, from)).collect())
        .collect();
    let facts = Facts::of(&forward);
    (0..successors.len()).all(|block| !facts.reaches(block, block))
}
