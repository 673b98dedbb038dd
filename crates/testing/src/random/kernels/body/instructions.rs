//! What blocks of random kernels do, and how they end.

use super::{ARRAY, Body, Call, Callee, Ending, Kernel, Kind, PATIENCE, Type, VARIABLES, Value, bundle};

impl Body<'_> {
    /// One of the calls that were placed.
    pub(super) fn call(&mut self, block: usize, call: &Call) {
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

    pub(super) fn plain_call(&mut self, block: usize) {
        match self.callee(block, false) {
            Some(call) => {
                self.define(block, Type::Word, &call, false);
            }
            None => self.instruction(block),
        }
    }

    /// The call of a local function that is convergent, or one that is not.
    pub(super) fn callee(&mut self, block: usize, convergent: bool) -> Option<String> {
        let callees: Vec<&Callee> = self.callees.iter().filter(|callee| callee.convergent == convergent).collect();
        let index = self.rng.pick(&callees)?.index;
        let (one, _) = self.operand(block, Type::Word, false);
        let (other, _) = self.operand(block, Type::Word, false);
        let buffer = self.module.buffer();
        let reference = match self.module.wishes.references {
            true => {
                let (_, private) = self.module.dialect.private();
                let passed = ["%copy", "%copy", "%array", "%ref"][self.rng.below(if self.is_kernel { 3 } else { 4 })];
                format!(", {private} {passed}")
            }
            false => String::new(),
        };
        Some(format!("call i32 @g{index}({buffer} %in, i32 {one}, i32 {other}{reference})"))
    }

    /// Fills the second array, copies to it, or stores into it.
    pub(super) fn fill_copy(&mut self, block: usize) {
        let (_, private) = self.module.dialect.private();
        let bytes = 4 * ARRAY;
        let (address, space) = if private == "ptr" { ("ptr", "p0") } else { (private, "p5") };
        match self.rng.below(4) {
            0 => self.line(
                block,
                format!("call void @llvm.memset.{space}.i64({address} %copy, i8 0, i64 {bytes}, i1 false)"),
            ),
            1 => {
                let copy = format!(
                    "call void @llvm.memcpy.{space}.{space}.i64({address} %copy, {address} %array, i64 {bytes}, i1 false)"
                );
                self.line(block, copy);
            }
            2 => {
                let buffer = self.module.buffer();
                let from = if buffer == "ptr" { "p0" } else { "p1" };
                let (word, _) = self.operand(block, Type::Word, false);
                let index = self.step(block, &format!("and i32 {word}, {}", Kernel::INPUTS / 2 - 1));
                let at = self.step(block, &format!("getelementptr i32, {buffer} %in, i32 %{index}"));
                let copy = format!(
                    "call void @llvm.memcpy.{space}.{from}.i64({address} %copy, {buffer} %{at}, i64 {bytes}, i1 false)"
                );
                self.line(block, copy);
            }
            _ => {
                for element in 0..ARRAY {
                    let (word, _) = self.operand(block, Type::Word, false);
                    let at = self.step(block, &format!("getelementptr i32, {private} %copy, i32 {element}"));
                    self.line(block, format!("store i32 {word}, {private} %{at}"));
                }
            }
        }
    }

    /// Reads an element of the second array, or of what the function was given; now and then, writes.
    fn reference(&mut self, block: usize, word: &str) {
        let (_, private) = self.module.dialect.private();
        let base = if self.is_kernel || self.rng.percent(40) { "%copy" } else { "%ref" };
        match self.rng.below(24) {
            0 if base == "%copy" => self.fill_copy(block),
            1 => {
                let at = self.step(block, &format!("getelementptr i32, {private} {base}, i32 1"));
                self.line(block, format!("store i32 {word}, {private} %{at}"));
            }
            _ => {
                let index = self.step(block, &format!("and i32 {word}, {}", ARRAY - 1));
                let at = self.step(block, &format!("getelementptr i32, {private} {base}, i32 %{index}"));
                self.define(block, Type::Word, &format!("load i32, {private} %{at}"), false);
            }
        }
    }

    pub(super) fn communicate(&mut self, block: usize, bundle: &str) {
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

    pub(super) fn instruction(&mut self, block: usize) {
        if self.rng.percent(30) {
            self.bit(block);
        } else if self.rng.percent(30) {
            self.memory(block);
        } else {
            self.word(block);
        }
    }

    /// A comparison, or an operation on bits.
    pub(super) fn bit(&mut self, block: usize) -> String {
        let wanted = self.uniform_control && self.rng.percent(50);
        if self.rng.percent(25) {
            let (a, x) = self.operand(block, Type::Bit, wanted);
            let (b, y) = self.operand(block, Type::Bit, wanted);
            let opcode = ["and", "or", "xor"][self.rng.below(3)];
            return self.define(block, Type::Bit, &format!("{opcode} i1 {a}, {b}"), x && y);
        }
        self.comparison(block, wanted)
    }

    pub(super) fn comparison(&mut self, block: usize, wanted: bool) -> String {
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

    pub(super) fn word(&mut self, block: usize) {
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
    pub(super) fn memory(&mut self, block: usize) {
        let wanted = self.uniform_control && self.rng.percent(50);
        let (word, uniform) = self.operand(block, Type::Word, wanted);
        let (_, private) = self.module.dialect.private();
        let buffer = self.module.buffer();
        if self.module.wishes.references && self.rng.percent(25) {
            return self.reference(block, &word);
        }
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

    pub(super) fn terminator(&mut self, block: usize, ending: Ending) {
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
    pub(super) fn gate(&mut self, block: usize) -> Option<(String, usize)> {
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
