//! A typed program as text: for tests, and for people who want to see what a file was understood to mean.
//!
//! Statements stand one on a line, indented by their nesting. Expressions are written with what the checker put in: a load is `x.load`, a conversion is
//! `(T)x`, a decay is `x.decay`; literals that are no `int` have their type behind them.

use std::fmt::Write;

use super::{
    AddressSpace, AtomicOperation, BinaryOperator, Body, Constant, Conversion, Expression, ExpressionKind,
    FunctionData, Program, Shape, Statement, StatementKind, Type, TypeKind, shape, type_name,
};

/// The program with all that is defined in it; declared functions by their names and types.
pub fn print_program(program: &Program) -> String {
    let mut text = String::new();
    for (_, data) in program.types.structs.iter() {
        let keyword = if data.is_union { "union" } else { "struct" };
        let fields = data.fields.iter().map(|field| format!("{} {}", name_of(program, field.of), field.name));
        let fields = fields.collect::<Vec<_>>().join("; ");
        let packed = if data.is_packed { " packed" } else { "" };
        let aligned = data.alignment.map_or(String::new(), |bytes| format!(" aligned {bytes}"));
        let _ = writeln!(text, "{keyword} {} {{ {fields} }}{packed}{aligned}", data.name);
    }
    for (_, data) in program.globals.iter() {
        let words = [(data.is_external, "extern "), (data.is_internal, "internal "), (data.is_constant, "constant ")];
        let words: String = words.iter().filter(|word| word.0).map(|word| word.1).collect();
        let value = data.initializer.as_ref().map_or(String::new(), |value| format!(" = {}", constant(program, value)));
        let aligned = data.alignment.map_or(String::new(), |bytes| format!(" aligned {bytes}"));
        let of = name_of(program, data.of);
        let _ = writeln!(text, "{words}{} {}: {of}{aligned}{value}", space_name(data.space), data.name);
    }
    for (_, function) in program.functions.iter() {
        print_function(program, function, &mut text);
    }
    text
}

fn print_function(program: &Program, function: &FunctionData, text: &mut String) {
    let words = [
        (function.is_kernel, "kernel "),
        (function.is_internal, "internal "),
        (function.is_convergent, "convergent "),
        (function.is_noinline, "noinline "),
    ];
    let words: String = words.iter().filter(|word| word.0).map(|word| word.1).collect();
    let linkage = match function.linkage_name == function.name {
        true => String::new(),
        false => format!(" = {}", function.linkage_name),
    };
    let of = name_of(program, function.of);
    let _ = write!(text, "{words}{}{linkage}: {of}", function.name);
    if let Some([x, y, z]) = function.bounds.block {
        let _ = write!(text, " block {x},{y},{z}");
    }
    if let Some(most) = function.bounds.threads {
        let _ = write!(text, " threads {most}");
    }
    if let Some([x, y, z]) = function.bounds.cluster {
        let _ = write!(text, " cluster {x},{y},{z}");
    }
    text.push('\n');
    let Some(body) = &function.body else { return };
    let mut printer = Printer { program, body, text, indent: 1 };
    if let Some(root) = body.root {
        printer.statement(root);
    }
}

/// An expression of a body.
pub fn print_expression(program: &Program, body: &Body, expression: Expression) -> String {
    let mut text = String::new();
    Printer { program, body, text: &mut text, indent: 0 }.expression(expression);
    text
}

fn name_of(program: &Program, of: Type) -> String {
    type_name(&program.types, of, program.dialect)
}

fn space_name(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Private => "private",
        AddressSpace::Global => "global",
        AddressSpace::Constant => "constant",
        AddressSpace::Local => "local",
        AddressSpace::Generic => "generic",
    }
}

fn constant(program: &Program, value: &Constant) -> String {
    match value {
        Constant::Zero => "zero".into(),
        Constant::Integer(bits) => bits.to_string(),
        Constant::Float(value) => format!("{value:?}"),
        Constant::Aggregate(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| constant(program, part)).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Constant::Bytes(bytes) => format!("\"{}\"", bytes.escape_ascii()),
        Constant::Address(global, 0) => format!("&{}", program.globals[*global].name),
        Constant::Address(global, bytes) => format!("&{}{bytes:+}", program.globals[*global].name),
        Constant::Function(function) => program.functions[*function].name.clone(),
        Constant::Label(function, label) => {
            let data = &program.functions[*function];
            let name = data.body.as_ref().map_or("", |body| &body.labels[*label].name);
            format!("&&{}:{name}", data.name)
        }
    }
}

/// How an operator is written.
pub fn operator_text(operator: BinaryOperator) -> &'static str {
    super::build::spelling(operator)
}

struct Printer<'a> {
    program: &'a Program,
    body: &'a Body,
    text: &'a mut String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.indent);
    }

    fn written(&self, expression: Expression) -> String {
        print_expression(self.program, self.body, expression)
    }

    fn optional(&self, expression: Option<Expression>) -> String {
        expression.map_or(String::new(), |expression| self.written(expression))
    }

    fn part(&mut self, statement: Statement) {
        self.indent += 1;
        self.statement(statement);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: Statement) {
        let body = self.body;
        let data = &body.statements[statement];
        if data.is_noconvergent {
            self.line("[[noconvergent]]");
        }
        match &data.kind {
            StatementKind::Empty => self.line(";"),
            StatementKind::Compound(parts) => {
                self.line("{");
                for &part in parts {
                    self.part(part);
                }
                self.line("}");
            }
            StatementKind::Expression(expression) => self.line(&self.written(*expression)),
            StatementKind::Declare(variable, value) => {
                let of = name_of(self.program, body.variables[*variable].of);
                let name = self.variable(*variable);
                match value {
                    Some(value) => self.line(&format!("declare {name}: {of}, {}", self.written(*value))),
                    None => self.line(&format!("declare {name}: {of}")),
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.line(&format!("if {}", self.written(*condition)));
                self.part(*then);
                if let Some(otherwise) = otherwise {
                    self.line("else");
                    self.part(*otherwise);
                }
            }
            StatementKind::Switch { condition, body, labels } => {
                self.line(&format!("switch {} ({} labels)", self.written(*condition), labels.len()));
                self.part(*body);
            }
            StatementKind::Case { values, body } => {
                let (low, high) = **values;
                let range = if low == high { String::new() } else { format!(" ... {high}") };
                self.line(&format!("case {low}{range}:"));
                self.statement(*body);
            }
            StatementKind::Default { body } => {
                self.line("default:");
                self.statement(*body);
            }
            StatementKind::Label { label, body: labelled } => {
                self.line(&format!("{}:", body.labels[*label].name));
                self.statement(*labelled);
            }
            StatementKind::While { condition, body } => {
                self.line(&format!("while {}", self.written(*condition)));
                self.part(*body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.line("do");
                self.part(*body);
                self.line(&format!("while {}", self.written(*condition)));
            }
            StatementKind::For { init, condition, step, body } => {
                self.line(&format!("for ; {}; {}", self.optional(*condition), self.optional(*step)));
                if let Some(init) = init {
                    self.indent += 1;
                    self.part(*init);
                    self.indent -= 1;
                }
                self.part(*body);
            }
            StatementKind::Goto(label) => self.line(&format!("goto {}", body.labels[*label].name)),
            StatementKind::ComputedGoto(address) => self.line(&format!("goto *{}", self.written(*address))),
            StatementKind::Break => self.line("break"),
            StatementKind::Continue => self.line("continue"),
            StatementKind::Return(value) => self.line(format!("return {}", self.optional(*value)).trim_end()),
        }
    }

    fn variable(&self, variable: super::Variable) -> String {
        let name = &self.body.variables[variable].name;
        if name.is_empty() { format!("%{}", variable.as_u32()) } else { name.clone() }
    }

    fn list(&mut self, expressions: &[Expression]) {
        for (index, &expression) in expressions.iter().enumerate() {
            self.text.push_str(if index > 0 { ", " } else { "" });
            self.expression(expression);
        }
    }

    /// `name(parts)`.
    fn named(&mut self, name: &str, parts: &[Expression]) {
        self.text.push_str(name);
        self.text.push('(');
        self.list(parts);
        self.text.push(')');
    }

    fn infix(&mut self, left: Expression, operator: &str, right: Expression) {
        self.text.push('(');
        self.expression(left);
        let _ = write!(self.text, " {operator} ");
        self.expression(right);
        self.text.push(')');
    }

    fn prefix(&mut self, prefix: &str, operand: Expression) {
        self.text.push_str(prefix);
        self.expression(operand);
    }

    fn suffix(&mut self, operand: Expression, suffix: &str) {
        self.expression(operand);
        self.text.push_str(suffix);
    }

    fn integer(&mut self, bits: u128, of: Type) {
        match shape(&self.program.types, of) {
            Shape::Bool => self.text.push_str(if bits != 0 { "true" } else { "false" }),
            Shape::Integer { bits: width, signed } => {
                let unused = 128 - u32::from(width);
                let number = if signed { ((bits << unused) as i128) >> unused } else { bits as i128 };
                let _ = write!(self.text, "{number}");
                if (width, signed) != (32, true) {
                    let _ = write!(self.text, ":{}", name_of(self.program, of));
                }
            }
            _ => {
                let _ = write!(self.text, "{bits}:{}", name_of(self.program, of));
            }
        }
    }

    fn expression(&mut self, expression: Expression) {
        let data = &self.body.expressions[expression];
        let of = || name_of(self.program, data.of);
        match &data.kind {
            ExpressionKind::Integer(bits) => self.integer(u128::from(*bits), data.of),
            ExpressionKind::LongInteger(bits) => self.integer(**bits, data.of),
            ExpressionKind::Float(value) => {
                let _ = match self.program.types.kind(data.of) {
                    TypeKind::Float(super::FloatKind::Double) => write!(self.text, "{value:?}"),
                    _ => write!(self.text, "{value:?}:{}", of()),
                };
            }
            ExpressionKind::Zero => {
                let _ = write!(self.text, "zero:{}", of());
            }
            ExpressionKind::Variable(variable) => self.text.push_str(&self.variable(*variable)),
            ExpressionKind::Global(global) => {
                let _ = write!(self.text, "@{}", self.program.globals[*global].name);
            }
            ExpressionKind::Function(function) => {
                let _ = write!(self.text, "&{}", self.program.functions[*function].name);
            }
            ExpressionKind::LabelAddress(label) => {
                let _ = write!(self.text, "&&{}", self.body.labels[*label].name);
            }
            ExpressionKind::Dereference(pointer) => self.prefix("*", *pointer),
            ExpressionKind::Field { base, index } => {
                self.expression(*base);
                let name = match shape(&self.program.types, self.body.expressions[*base].of) {
                    Shape::Struct(number) => &self.program.types.structs[number].fields[*index as usize].name,
                    _ => "",
                };
                let _ = match name {
                    "" => write!(self.text, ".{index}"),
                    name => write!(self.text, ".{name}"),
                };
            }
            ExpressionKind::Lanes { base, lanes } => {
                self.suffix(*base, ".s");
                for lane in lanes {
                    let _ = write!(self.text, "{lane:x}");
                }
            }
            ExpressionKind::Lane(base, index) => {
                self.suffix(*base, ".lane[");
                self.suffix(*index, "]");
            }
            ExpressionKind::Load(place) => self.suffix(*place, ".load"),
            ExpressionKind::AddressOf(place) => self.prefix("&", *place),
            ExpressionKind::Decay(place) => self.suffix(*place, ".decay"),
            ExpressionKind::PointerOffset(pointer, count) => self.infix(*pointer, "+", *count),
            ExpressionKind::PointerDifference(left, right) => self.infix(*left, "-", *right),
            ExpressionKind::Negate(operand) => self.prefix("-", *operand),
            ExpressionKind::Complement(operand) => self.prefix("~", *operand),
            ExpressionKind::Not(operand) => self.prefix("!", *operand),
            ExpressionKind::Arithmetic(operator, left, right) | ExpressionKind::Compare(operator, left, right) => {
                self.infix(*left, operator_text(*operator), *right);
            }
            ExpressionKind::And(left, right) => self.infix(*left, "&&", *right),
            ExpressionKind::Or(left, right) => self.infix(*left, "||", *right),
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.text.push('(');
                self.suffix(*condition, " ? ");
                self.suffix(*then, " : ");
                self.suffix(*otherwise, ")");
            }
            ExpressionKind::Select(condition, then, otherwise) => {
                self.named("select", &[*condition, *then, *otherwise])
            }
            ExpressionKind::Assign(place, value) => self.infix(*place, "=", *value),
            ExpressionKind::CompoundAssign(operator, place, value) => {
                let value_type = name_of(self.program, self.body.expressions[*value].of);
                let plain = self.body.expressions[*value].of == data.of;
                let inside = if plain { String::new() } else { format!("[{value_type}]") };
                self.infix(*place, &format!("{}={inside}", operator_text(*operator)), *value);
            }
            ExpressionKind::Step { place, up, prefix } => {
                let sign = if *up { "++" } else { "--" };
                if *prefix { self.prefix(sign, *place) } else { self.suffix(*place, sign) }
            }
            ExpressionKind::Comma(first, last) => self.infix(*first, ",", *last),
            ExpressionKind::Convert(conversion, operand) => {
                let word = match conversion {
                    Conversion::Bits => "as ",
                    _ => "",
                };
                self.prefix(&format!("({word}{})", of()), *operand);
            }
            ExpressionKind::VectorOf(parts) | ExpressionKind::AggregateOf(parts) => self.named(&of(), parts),
            ExpressionKind::Splat(value) => self.named(&format!("{}.splat", of()), &[*value]),
            ExpressionKind::InitializeZero(place) => self.suffix(*place, ".zero"),
            ExpressionKind::Call { function, convergent, arguments } => {
                let word = match convergent {
                    Some(true) => "convergent ",
                    Some(false) => "noconvergent ",
                    None => "",
                };
                self.text.push_str(word);
                self.named(&self.program.functions[*function].name, arguments);
            }
            ExpressionKind::CallPointer { pointer, arguments } => {
                self.prefix("*", *pointer);
                self.named("", arguments);
            }
            ExpressionKind::Atomic(atomic) => {
                let (name, values) = match &atomic.operation {
                    AtomicOperation::Load => ("load".to_string(), vec![]),
                    AtomicOperation::Store(value) => ("store".to_string(), vec![*value]),
                    AtomicOperation::Update(update, value) => (format!("{update:?}").to_lowercase(), vec![*value]),
                    AtomicOperation::CompareExchange { expected, new } => {
                        ("compare".to_string(), vec![*expected, *new])
                    }
                };
                let mut parts = vec![atomic.pointer];
                parts.extend(values);
                self.named(&format!("atomic.{name}"), &parts);
            }
            ExpressionKind::Fence(order, scope) => {
                let _ = write!(self.text, "fence({order:?}, {scope:?})");
            }
        }
    }
}
