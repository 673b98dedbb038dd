//! Printing modules.
//!
//! Bodies are printed from the tables; everything around them, and what the tables keep as spans, is
//! copied from the text. So whatever a transform did not touch comes out as it went in.

use crate::constant::{ConstantData, ExpressionData, ExpressionKind};
use crate::function::{Block, CallData, Definition, Extra, Function, Inst, InstData, LocalName, MemoryData, Value};
use crate::module::{FunctionId, Module};
use crate::opcode::{Flags, Opcode};
use crate::text::Span;
use crate::types::{Type, TypeData};

/// Prints a module. `body` gives the body of each definition.
pub fn print_module<'f>(module: &Module<'_>, mut body: impl FnMut(FunctionId) -> &'f Function) -> Vec<u8> {
    let mut out = Vec::with_capacity(module.text.len() + module.text.len() / 8);
    let mut copied = 0;
    for id in module.definitions() {
        let Some(span) = module.functions[id].body else { continue };
        out.extend_from_slice(&module.text[copied..span.start as usize]);
        out.extend_from_slice(&print_function(module, body(id)));
        copied = span.end as usize;
    }
    out.extend_from_slice(&module.text[copied..]);
    out
}

/// Prints a body, from behind the opening brace to the closing one.
pub fn print_function(module: &Module<'_>, function: &Function) -> Vec<u8> {
    let mut printer = Printer { module, function, naming: &Unchanged, out: Vec::new() };
    printer.body();
    printer.out
}

/// Prints an instruction as one line (a `switch` as several), without indent and newline, under other names.
pub fn print_instruction(module: &Module<'_>, function: &Function, inst: Inst, naming: &dyn Naming) -> String {
    let mut printer = Printer { module, function, naming, out: Vec::new() };
    printer.instruction(inst);
    String::from_utf8_lossy(&printer.out).into_owned()
}

/// Prints a value as an operand, without its type, under other names.
pub fn print_operand(module: &Module<'_>, function: &Function, value: Value, naming: &dyn Naming) -> String {
    let mut printer = Printer { module, function, naming, out: Vec::new() };
    printer.value(value);
    String::from_utf8_lossy(&printer.out).into_owned()
}

/// Prints a value as an operand, without its type, as the text has it: `%x`, `@g`, `7`.
pub fn print_value(module: &Module<'_>, function: &Function, value: Value) -> String {
    print_operand(module, function, value, &Unchanged)
}

/// What to print in the place of what the text has; `None` leaves it. For copies of instructions.
pub trait Naming {
    /// A value as an operand, and as the result where it is one: `%x.1`, `@g`, `7`.
    fn value(&self, value: Value) -> Option<String> {
        let _ = value;
        None
    }

    /// A block as an operand: `%exit.1`.
    fn block(&self, block: Block) -> Option<String> {
        let _ = block;
        None
    }

    /// The metadata attachments, from the first `!`; empty to have none.
    fn attachments(&self, inst: Inst) -> Option<String> {
        let _ = inst;
        None
    }
}

/// Prints what the text has.
struct Unchanged;

impl Naming for Unchanged {}

struct Printer<'p, 't> {
    module: &'p Module<'t>,
    function: &'p Function,
    naming: &'p dyn Naming,
    out: Vec<u8>,
}

impl Printer<'_, '_> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn span(&mut self, span: Span) {
        self.out.extend_from_slice(span.of(self.module.text));
    }

    /// A space, and the text of a span that is not empty.
    fn spaced(&mut self, span: Span) {
        if !span.is_empty() {
            self.text(" ");
            self.span(span);
        }
    }

    fn local(&mut self, name: LocalName) {
        match name {
            LocalName::Text(span) => self.span(span),
            LocalName::Number(number) => self.text(&number.to_string()),
        }
    }

    fn ty(&mut self, ty: Type) {
        let spelling = self.module.display_type(ty);
        self.text(&spelling);
    }

    fn body(&mut self) {
        let function = self.function;
        let mut records = function.debug_records.iter().peekable();
        for (block, data) in &function.blocks {
            self.text("\n");
            self.local(data.name);
            self.text(":\n");
            for inst in function.block_instructions(block) {
                while let Some(&(_, record)) = records.next_if(|&&(before, _)| before == inst) {
                    self.text("    ");
                    self.span(record);
                    self.text("\n");
                }
                self.text("  ");
                self.instruction(inst);
                self.text("\n");
            }
        }
        if !function.use_list_orders.is_empty() {
            self.text("\n  ");
            self.span(function.use_list_orders);
            self.text("\n");
        }
        self.text("}");
    }

    fn instruction(&mut self, inst: Inst) {
        let data = &self.function.instructions[inst];
        if let Some(result) = data.result.expand() {
            self.value(result);
            self.text(" = ");
        }
        for (flag, keyword) in Flags::ALL {
            if data.flags.contains(*flag) && is_tail(*flag) {
                self.text(keyword);
                self.text(" ");
            }
        }
        self.text(data.opcode.keyword());
        // A `landingpad` has its flag behind the type.
        if data.opcode != Opcode::LandingPad {
            self.flags(data.flags);
        }
        self.operands(inst, data);
        match self.naming.attachments(inst) {
            Some(attachments) if attachments.is_empty() => {}
            Some(attachments) => self.text(&format!(", {attachments}")),
            None if data.attachments.is_empty() => {}
            None => {
                self.text(", ");
                self.span(data.attachments);
            }
        }
    }

    fn flags(&mut self, flags: Flags) {
        for (flag, keyword) in Flags::ALL {
            if flags.contains(*flag) && !is_tail(*flag) {
                self.text(" ");
                self.text(keyword);
            }
        }
    }

    fn operands(&mut self, inst: Inst, data: &InstData) {
        let operands = self.function.operands(inst);
        let targets = self.function.targets(inst);
        match (data.opcode, data.extra) {
            (_, Extra::Call(call)) => {
                self.call(&self.function.calls[call], self.function.argument_attributes(call), operands, targets)
            }
            (_, Extra::Memory(memory)) => self.memory(data, &self.function.memory[memory], operands),
            (_, Extra::Predicate(predicate)) => {
                self.text(" ");
                self.text(predicate.keyword());
                self.same_type(operands);
            }
            (_, Extra::Element(element)) => {
                self.text(" ");
                self.ty(element);
                for &operand in operands {
                    self.text(", ");
                    self.typed(operand);
                }
            }
            (_, Extra::Indices(indices)) => {
                self.list(operands);
                for index in self.function.indices(indices) {
                    self.text(&format!(", {index}"));
                }
            }
            (_, Extra::Clauses(clauses)) => {
                self.text(" ");
                self.ty(data.ty);
                self.flags(data.flags);
                for (&letter, &operand) in self.function.indices(clauses).iter().zip(operands) {
                    self.text(if letter == u32::from(b'c') { " catch " } else { " filter " });
                    self.typed(operand);
                }
            }
            (Opcode::CatchSwitch, Extra::UnwindsToBlock(to_block)) => {
                self.text(" within ");
                self.value(operands[0]);
                self.text(" [");
                let (handlers, unwind) = targets.split_at(targets.len() - usize::from(to_block));
                self.labels(handlers);
                self.text("] unwind ");
                self.unwind(unwind);
            }
            (Opcode::CleanupRet, _) => {
                self.text(" from ");
                self.value(operands[0]);
                self.text(" unwind ");
                self.unwind(targets);
            }
            (Opcode::CatchRet, _) => {
                self.text(" from ");
                self.value(operands[0]);
                self.text(" to ");
                self.labels(targets);
            }
            (Opcode::CatchPad | Opcode::CleanupPad, _) => {
                self.text(" within ");
                self.value(operands[0]);
                self.text(" [");
                self.list(&operands[1..]);
                self.text("]");
            }
            (Opcode::Phi, _) => {
                self.text(" ");
                self.ty(data.ty);
                for (index, (&value, &block)) in operands.iter().zip(targets).enumerate() {
                    self.text(if index > 0 { ", [ " } else { " [ " });
                    self.value(value);
                    self.text(", ");
                    self.block(block);
                    self.text(" ]");
                }
            }
            (Opcode::Br, _) => {
                for &condition in operands {
                    self.text(" ");
                    self.typed(condition);
                    self.text(",");
                }
                self.text(" ");
                self.labels(targets);
            }
            (Opcode::Switch, _) => {
                self.text(" ");
                self.typed(operands[0]);
                self.text(", ");
                self.labels(&targets[..1]);
                self.text(" [");
                for (&case, &target) in operands[1..].iter().zip(&targets[1..]) {
                    self.text("\n    ");
                    self.typed(case);
                    self.text(", ");
                    self.labels(&[target]);
                }
                self.text("\n  ]");
            }
            (Opcode::IndirectBr, _) => {
                self.text(" ");
                self.typed(operands[0]);
                self.text(", [");
                self.labels(targets);
                self.text("]");
            }
            (Opcode::Ret, _) if operands.is_empty() => self.text(" void"),
            (Opcode::Unreachable, _) => {}
            (Opcode::VAArg, _) => {
                self.list(operands);
                self.text(", ");
                self.ty(data.ty);
            }
            (opcode, _) if opcode.is_binary() => self.same_type(operands),
            (opcode, _) if opcode.is_cast() => {
                self.list(operands);
                self.text(" to ");
                self.ty(data.ty);
            }
            _ => self.list(operands),
        }
    }

    fn call(&mut self, call: &CallData, attributes: &[Span], operands: &[Value], targets: &[Block]) {
        self.spaced(call.prefix);
        self.text(" ");
        self.ty(call.spelled_type);
        self.text(" ");
        if let Some(&callee) = operands.last() {
            self.value(callee);
        }
        self.text("(");
        let argument_count = call.argument_count as usize;
        for (index, &argument) in operands[..argument_count].iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.ty(self.function.values[argument].ty);
            self.spaced(attributes.get(index).copied().unwrap_or_default());
            self.text(" ");
            self.value(argument);
        }
        if call.forwards_variadic {
            self.text(if argument_count > 0 { ", ..." } else { "..." });
        }
        self.text(")");
        self.spaced(call.attributes);
        let bundles = call.bundles.of(&self.function.bundles);
        for (index, bundle) in bundles.iter().enumerate() {
            self.text(if index > 0 { ", " } else { " [ " });
            self.span(bundle.tag);
            self.text("(");
            for (index, &operand) in self.function.list(bundle.operands).iter().enumerate() {
                self.text(if index > 0 { ", " } else { "" });
                self.typed(operand);
            }
            self.text(")");
        }
        if !bundles.is_empty() {
            self.text(" ]");
        }
        match targets {
            [] => {}
            [normal, rest @ ..] => {
                self.text(" to ");
                self.labels(&[*normal]);
                let is_asm = operands.last().is_some_and(|&callee| self.is_asm(callee));
                if !is_asm && rest.len() == 1 {
                    self.text(" unwind ");
                    self.labels(rest);
                } else {
                    self.text(" [");
                    self.labels(rest);
                    self.text("]");
                }
            }
        }
    }

    fn is_asm(&self, value: Value) -> bool {
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Expression(expression)) => {
                matches!(self.function.constants.expressions[expression].kind, ExpressionKind::InlineAsm(_))
            }
            _ => false,
        }
    }

    fn memory(&mut self, data: &InstData, memory: &MemoryData, operands: &[Value]) {
        match data.opcode {
            Opcode::Load | Opcode::Alloca => {
                self.text(" ");
                self.ty(memory.ty);
                for &operand in operands {
                    self.text(", ");
                    self.typed(operand);
                }
            }
            Opcode::AtomicRmw => {
                self.text(" ");
                self.text(memory.operation.map_or("", |operation| operation.keyword()));
                self.list(operands);
            }
            _ => self.list(operands),
        }
        if !memory.scope.is_empty() {
            self.text(" syncscope(");
            self.span(memory.scope);
            self.text(")");
        }
        for ordering in [memory.ordering, memory.failure_ordering].into_iter().flatten() {
            self.text(" ");
            self.text(ordering.keyword());
        }
        if let Some(alignment) = memory.alignment {
            self.text(&format!(", align {alignment}"));
        }
        if !memory.address_space.is_empty() {
            self.text(", addrspace(");
            self.span(memory.address_space);
            self.text(")");
        }
    }

    fn unwind(&mut self, targets: &[Block]) {
        if targets.is_empty() {
            self.text("to caller");
        } else {
            self.labels(targets);
        }
    }

    fn labels(&mut self, blocks: &[Block]) {
        for (index, &block) in blocks.iter().enumerate() {
            self.text(if index > 0 { ", label " } else { "label " });
            self.block(block);
        }
    }

    fn block(&mut self, block: Block) {
        if let Some(name) = self.naming.block(block) {
            return self.text(&name);
        }
        self.text("%");
        self.local(self.function.blocks[block].name);
    }

    /// ` ty v, ty v`
    fn list(&mut self, values: &[Value]) {
        for (index, &value) in values.iter().enumerate() {
            self.text(if index > 0 { ", " } else { " " });
            self.typed(value);
        }
    }

    /// ` ty v, v`
    fn same_type(&mut self, values: &[Value]) {
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.text(", ");
                self.value(value);
            } else {
                self.text(" ");
                self.typed(value);
            }
        }
    }

    fn typed(&mut self, value: Value) {
        self.ty(self.function.values[value].ty);
        self.text(" ");
        self.value(value);
    }

    fn value(&mut self, value: Value) {
        if let Some(name) = self.naming.value(value) {
            self.text(&name);
        } else if let Some(name) = self.function.name(value) {
            self.text("%");
            self.local(name);
        } else if let Definition::Constant(constant) = self.function.values[value].definition {
            self.constant(self.function.values[value].ty, constant);
        }
    }

    fn constant(&mut self, ty: Type, constant: ConstantData) {
        match constant {
            ConstantData::Integer(value) if ty == Type::I1 => self.text(if value == 0 { "false" } else { "true" }),
            ConstantData::Integer(value) => self.text(&value.to_string()),
            ConstantData::Literal(span) | ConstantData::String(span) | ConstantData::Metadata(span) => self.span(span),
            ConstantData::Null => self.text("null"),
            ConstantData::Undef => self.text("undef"),
            ConstantData::Poison => self.text("poison"),
            ConstantData::Zero => self.text("zeroinitializer"),
            ConstantData::NoneToken => self.text("none"),
            ConstantData::Global(symbol) => {
                self.text("@");
                self.span(self.module.symbols[symbol].name);
            }
            ConstantData::Aggregate(aggregate) => {
                let (open, close) = self.aggregate_brackets(ty).unwrap_or(("{", "}"));
                self.text(open);
                let elements = self.function.list(self.function.constants.aggregates[aggregate]);
                for (index, &element) in elements.iter().enumerate() {
                    self.text(if index > 0 { ", " } else { "" });
                    self.typed(element);
                }
                self.text(close);
            }
            ConstantData::Expression(expression) => {
                let ExpressionData { kind, operands } = self.function.constants.expressions[expression];
                let operands = self.function.list(operands);
                self.expression(ty, kind, operands);
            }
        }
    }

    fn aggregate_brackets(&self, ty: Type) -> Option<(&'static str, &'static str)> {
        Some(match &self.module.types[ty] {
            TypeData::Vector { .. } => ("<", ">"),
            TypeData::Array { .. } => ("[", "]"),
            TypeData::Struct { packed: true, .. } => ("<{", "}>"),
            TypeData::Named(named) => return self.aggregate_brackets(self.module.named_types[*named].body?),
            _ => return None,
        })
    }

    fn expression(&mut self, ty: Type, kind: ExpressionKind, operands: &[Value]) {
        match kind {
            ExpressionKind::Operation(opcode, flags) => {
                self.text(opcode.keyword());
                self.flags(flags);
                self.text(" (");
                self.list(operands);
                if opcode.is_cast() {
                    self.text(" to ");
                    self.ty(ty);
                }
                self.text(")");
            }
            ExpressionKind::Compare(opcode, predicate) => {
                self.text(&format!("{} {} (", opcode.keyword(), predicate.keyword()));
                self.list(operands);
                self.text(")");
            }
            ExpressionKind::GetElementPtr(element, flags, in_range) => {
                self.text("getelementptr");
                self.flags(flags);
                if !in_range.is_empty() {
                    self.text(" inrange");
                    self.span(in_range);
                }
                self.text(" (");
                self.ty(element);
                for &operand in operands {
                    self.text(", ");
                    self.typed(operand);
                }
                self.text(")");
            }
            ExpressionKind::BlockAddress(block) => {
                self.text("blockaddress(");
                operands.iter().for_each(|&function| self.value(function));
                self.text(", %");
                self.local(block);
                self.text(")");
            }
            ExpressionKind::DsoLocalEquivalent => self.prefixed("dso_local_equivalent ", operands),
            ExpressionKind::NoCfi => self.prefixed("no_cfi ", operands),
            ExpressionKind::PtrAuth => {
                self.text("ptrauth (");
                self.list(operands);
                self.text(")");
            }
            ExpressionKind::Splat => {
                self.text("splat (");
                self.list(operands);
                self.text(")");
            }
            ExpressionKind::InlineAsm(span) => self.span(span),
        }
    }

    fn prefixed(&mut self, keyword: &str, operands: &[Value]) {
        self.text(keyword);
        operands.iter().for_each(|&operand| self.value(operand));
    }
}

fn is_tail(flag: Flags) -> bool {
    [Flags::TAIL, Flags::MUSTTAIL, Flags::NOTAIL].contains(&flag)
}
