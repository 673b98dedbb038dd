//! Origins from debug information: `#dbg_value`, `#dbg_declare` and their older form as calls, `DILocalVariable`, `DILocation`, `DISubprogram`, `DIGlobalVariable`.
//!
//! **Definition.** A value is a source variable iff a record says so with a `DIExpression` that is empty or only says the address space of the variable: `dbg_value` of the value itself, or `dbg_declare` of the
//! `alloca` that it is loaded from (or is the address of, or, for a parameter and a variable that is declared as one, is stored to). Where several records name one value, the first one counts. A record with an expression names a part of a
//! variable, or something that is computed from it, and says nothing here.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Extent, Origin, Place, SourceFile, What};
use crate::constant::ConstantData;
use crate::debug::{DebugLocation, value_end};
use crate::function::{Definition, Extra, Function, Inst, LocalName, MetadataNumber, Value};
use crate::module::{FunctionId, Module, Symbol, SymbolKind};
use crate::opcode::Opcode;
use crate::text::{Span, unquote};

/// Which variables the values of a function are.
#[derive(Debug, Default)]
pub(super) struct DebugVariables {
    /// For a value, the variable that it is.
    values: FxHashMap<Value, Variable>,
    /// For the address of a variable, the variable.
    addresses: FxHashMap<Value, Variable>,
}

/// A variable, and the place that its record has.
#[derive(Debug, Clone, Copy)]
struct Variable {
    node: MetadataNumber,
    location: Option<MetadataNumber>,
}

/// A record that is not looked up yet.
struct Record<'t> {
    /// The value or address, without the `%`.
    name: &'t [u8],
    is_address: bool,
    variable: Variable,
}

impl DebugVariables {
    /// Reads the records of a function. O(instructions), if it has any record.
    pub(super) fn new(module: &Module<'_>, function: &Function) -> DebugVariables {
        let mut records: Vec<Record<'_>> = Vec::new();
        for &(_, span) in &function.debug_records {
            records.extend(record(span.of(module.text)));
        }
        if ["llvm.dbg.value", "llvm.dbg.declare"].iter().any(|name| module.symbol_named(name.as_bytes()).is_some()) {
            records.extend(function.instructions.keys().filter_map(|inst| old_record(module, function, inst)));
        }
        let mut variables = DebugVariables::default();
        if records.is_empty() {
            return variables;
        }
        let names = names(module, function);
        for Record { name, is_address, variable } in records {
            let Some(&value) = names.get(&Spelling::of(name)) else { continue };
            let known = if is_address { &mut variables.addresses } else { &mut variables.values };
            known.entry(value).or_insert(variable);
        }
        variables.add_stored_parameters(module, function);
        variables
    }

    /// A parameter is also the variable that is declared as a parameter and that it is stored to.
    fn add_stored_parameters(&mut self, module: &Module<'_>, function: &Function) {
        for (inst, data) in &function.instructions {
            let (Opcode::Store, &[value, address]) = (data.opcode, function.operands(inst)) else { continue };
            let is_parameter = matches!(function.values[value].definition, Definition::Parameter(_));
            if let Some(&variable) = self.addresses.get(&address).filter(|_| is_parameter)
                && module.node_number(variable.node, b"arg").is_some_and(|number| number > 0)
            {
                self.values.entry(value).or_insert(variable);
            }
        }
    }

    /// What an instruction is: the variable that it reads or computes, else what its place and its kind say.
    pub(super) fn of_instruction(&self, module: &Module<'_>, function: &Function, inst: Inst) -> Option<Origin> {
        let data = &function.instructions[inst];
        let place = data.debug_location.expand().and_then(|node| module.debug_location(node)).filter(is_known);
        if let Some(variable) = data.result.expand().and_then(|value| self.variable(function, value)) {
            return variable_origin(module, variable, place);
        }
        let callee = match data.extra {
            Extra::Call(call) => function.calls[call].callee.expand().and_then(|symbol| module.function_of(symbol)),
            _ => None,
        };
        let called = callee.and_then(|callee| function_name(module, subprogram(module, callee)?));
        Some(origin(called.map_or(What::Expression, What::Call), place?))
    }

    /// What a parameter is.
    pub(super) fn of_value(&self, module: &Module<'_>, function: &Function, value: Value) -> Option<Origin> {
        variable_origin(module, self.variable(function, value)?, None)
    }

    /// Where variables are declared that someone has written, by their names.
    pub(super) fn declared(&self, module: &Module<'_>) -> Vec<Origin> {
        let mut nodes: Vec<MetadataNumber> =
            self.values.values().chain(self.addresses.values()).map(|variable| variable.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let is_written = |node: &MetadataNumber| {
            let flags = module.node_value(*node, b"flags").unwrap_or_default();
            memchr::memmem::find(flags, b"DIFlagArtificial").is_none()
        };
        let variable = |node| {
            let name = module.node_string(node, b"name").filter(|name| !name.is_empty())?;
            Some(origin(What::Variable(name.into()), declared_place(module, node)?))
        };
        nodes.into_iter().filter(is_written).filter_map(variable).collect()
    }

    fn variable(&self, function: &Function, value: Value) -> Option<Variable> {
        if let Some(variable) = self.values.get(&value).or_else(|| self.addresses.get(&value)) {
            return Some(*variable);
        }
        let Definition::Instruction(inst) = function.values[value].definition else { return None };
        if function.instructions[inst].opcode != Opcode::Load {
            return None;
        }
        self.addresses.get(function.operands(inst).first()?).copied()
    }
}

/// What a function is, by its `DISubprogram`.
pub(super) fn of_function(module: &Module<'_>, function: FunctionId) -> Option<Origin> {
    let node = subprogram(module, function)?;
    let name = function_name(module, node)?;
    Some(origin(What::Function(name), declared_place(module, node)?))
}

impl Module<'_> {
    /// The file and line that a function is declared at, by its `DISubprogram`.
    pub fn declared_at(&self, function: FunctionId) -> Option<DebugLocation> {
        declared_place(self, subprogram(self, function)?)
    }
}

/// What a global variable is, by its `DIGlobalVariable`, if nothing is computed from that.
pub(super) fn of_global(module: &Module<'_>, variable: Symbol) -> Option<Origin> {
    if module.symbols[variable].kind != SymbolKind::Variable {
        return None;
    }
    let name = module.symbols[variable].name;
    let line = &module.text[name.range().end..];
    let node = attached(&line[..memchr::memchr(b'\n', line).unwrap_or(line.len())])?;
    if module.node_value(node, b"expr")? != b"!DIExpression()" {
        return None;
    }
    let node = module.node_field(node, b"var")?;
    let name = module.node_string(node, b"name").filter(|name| !name.is_empty())?;
    Some(origin(What::Variable(name.into()), declared_place(module, node)?))
}

/// The variable's place is that of the instruction, else that of the record, else that of the declaration.
fn variable_origin(module: &Module<'_>, variable: Variable, place: Option<DebugLocation>) -> Option<Origin> {
    let name = module.node_string(variable.node, b"name").filter(|name| !name.is_empty())?;
    let of_record = || variable.location.and_then(|node| module.debug_location(node)).filter(is_known);
    let place = place.or_else(of_record).or_else(|| declared_place(module, variable.node))?;
    Some(origin(What::Variable(name.into()), place))
}

/// Line 0 is that of instructions that the compiler made up.
fn is_known(location: &DebugLocation) -> bool {
    location.line > 0
}

/// Where a variable or function is declared: a file and a line.
fn declared_place(module: &Module<'_>, node: MetadataNumber) -> Option<DebugLocation> {
    let line = module.node_number(node, b"line").filter(|&line| line > 0)?;
    let file = module.node_file(node)?;
    Some(DebugLocation { file, line, column: 0, inlined_at: Vec::new() })
}

fn origin(what: What, location: DebugLocation) -> Origin {
    let place = |file: String, line, column| {
        let file = Arc::new(SourceFile::new(file, None));
        Place { file, extent: Extent::Line { line, column } }
    };
    let inlined_at = location.inlined_at.into_iter().map(|call| place(call.file, call.line, call.column)).collect();
    Origin { what, place: place(location.file, location.line, location.column), inlined_at }
}

/// The name of a function as its `DISubprogram` has it.
fn function_name(module: &Module<'_>, node: MetadataNumber) -> Option<Arc<str>> {
    module.node_string(node, b"name").filter(|name| !name.is_empty()).map(Arc::from)
}

/// The node of a function.
fn subprogram(module: &Module<'_>, function: FunctionId) -> Option<MetadataNumber> {
    attached(module.functions[function].header.of(module.text))
}

/// The node that `!dbg` names in a declaration or definition, outside of strings.
fn attached(mut text: &[u8]) -> Option<MetadataNumber> {
    const ATTACHMENT: &[u8] = b"!dbg !";
    loop {
        text = &text[memchr::memchr2(b'"', b'!', text)?..];
        if let Some(number) = text.strip_prefix(ATTACHMENT) {
            let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
            return MetadataNumber::named(&text[ATTACHMENT.len() - 1..ATTACHMENT.len() + digits]);
        }
        let skipped = if text[0] == b'"' { memchr::memchr(b'"', &text[1..])? + 2 } else { 1 };
        text = &text[skipped..];
    }
}

/// `#dbg_value(i32 %x, !12, !DIExpression(), !15)`.
fn record(text: &[u8]) -> Option<Record<'_>> {
    let open = memchr::memchr(b'(', text)?;
    let is_address = match &text[..open] {
        b"#dbg_declare" => true,
        b"#dbg_value" | b"#dbg_assign" | b"#dbg_declare_value" => false,
        _ => return None,
    };
    let mut parts = arguments(&text[open + 1..]);
    let (operand, variable, expression) = (parts.next()?, parts.next()?, parts.next()?);
    let location = parts.last().and_then(MetadataNumber::named);
    named_variable(operand, variable, expression, is_address, location)
}

/// `call void @llvm.dbg.value(metadata i32 %x, metadata !12, metadata !DIExpression()), !dbg !15`.
fn old_record<'t>(module: &Module<'t>, function: &Function, inst: Inst) -> Option<Record<'t>> {
    let data = &function.instructions[inst];
    let Extra::Call(call) = data.extra else { return None };
    let is_address = match &*module.symbol_name(function.calls[call].callee.expand()?) {
        b"llvm.dbg.declare" => true,
        b"llvm.dbg.value" => false,
        _ => return None,
    };
    let text: &'t [u8] = module.text;
    let operand = |index: usize| match function.values[*function.operands(inst).get(index)?].definition {
        Definition::Constant(ConstantData::Metadata(Span { start, end })) => text.get(start as usize..end as usize),
        _ => None,
    };
    named_variable(operand(0)?, operand(1)?, operand(2)?, is_address, data.debug_location.expand())
}

fn named_variable<'t>(
    operand: &'t [u8],
    variable: &[u8],
    expression: &[u8],
    is_address: bool,
    location: Option<MetadataNumber>,
) -> Option<Record<'t>> {
    if !computes_nothing(expression) {
        return None;
    }
    let variable = Variable { node: MetadataNumber::named(variable)?, location };
    Some(Record { name: local_name(operand)?, is_address, variable })
}

/// Whether an expression leaves a value as it is. Clang says the address space of each variable of OpenCL, also where that has become a value.
fn computes_nothing(expression: &[u8]) -> bool {
    let operations = expression.strip_prefix(b"!DIExpression(").and_then(|rest| rest.strip_suffix(b")"));
    let Some(operations) = operations else { return false };
    let space = operations.strip_prefix(b"DW_OP_constu, ");
    let space = space.and_then(|rest| rest.strip_suffix(b", DW_OP_swap, DW_OP_xderef"));
    operations.is_empty() || space.is_some_and(|space| space.iter().all(u8::is_ascii_digit))
}

/// The parts of a list between commas, up to the bracket that closes it.
fn arguments(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let end = value_end(rest);
        let part = rest[..end].trim_ascii();
        is_over = rest.get(end) != Some(&b',');
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(part)
    })
}

/// The name in `i32 %name`, without the `%`; none for constants and other metadata.
fn local_name(operand: &[u8]) -> Option<&[u8]> {
    // Types can have names with `%`, too, and quoted names any byte but the quote.
    let is_start = |at: usize| at == 0 || operand[at - 1].is_ascii_whitespace();
    let start = match operand.strip_suffix(b"\"") {
        Some(inner) => memchr::memrchr(b'"', inner)?.checked_sub(1).filter(|&at| operand[at] == b'%')?,
        None => memchr::memrchr(b'%', operand)?,
    };
    let name = &operand[start + 1..];
    let is_plain = name.first() == Some(&b'"') || !name.iter().any(|byte| b" \t*)>]}".contains(byte));
    (is_start(start) && start > 0 && is_plain && !name.is_empty()).then_some(name)
}

/// A name of a value: `%5` and `%"5"` are two.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Spelling<'t> {
    Number(u32),
    Text(Cow<'t, [u8]>),
}

impl Spelling<'_> {
    /// Of a name without its `%`.
    fn of(name: &[u8]) -> Spelling<'_> {
        let number = std::str::from_utf8(name).ok().and_then(|digits| digits.parse().ok());
        number.map_or_else(|| Spelling::Text(unquote(name)), Spelling::Number)
    }
}

/// The values by their names.
fn names<'t>(module: &Module<'t>, function: &Function) -> FxHashMap<Spelling<'t>, Value> {
    let results = function.instructions.values().filter_map(|data| Some((data.name, data.result.expand()?)));
    let parameters = function.parameter_names.iter().copied().zip(function.parameters.iter().copied());
    let spelled = |name: LocalName| match name {
        LocalName::Text(span) => Spelling::Text(unquote(&module.text[span.range()])),
        LocalName::Number(number) => Spelling::Number(number),
    };
    parameters.chain(results).map(|(name, value)| (spelled(name), value)).collect()
}
