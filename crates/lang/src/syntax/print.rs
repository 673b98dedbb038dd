//! A tree as text, to look at and for tests: S-expressions, one line for each statement.
//!
//! Types are read from left to right: `[3]*const int` is an array of three pointers to `const int`, `fn(a: int)->void` a function.

use std::borrow::Cow;
use std::fmt::Write;

use thin_vec::ThinVec;

use crate::token::{Symbol, Symbols};
use crate::tree::{
    AddressSpace, AliasTemplate, Attribute, BinaryOperator, Body, BuiltinType, CaptureKind, CastForm, ClassTemplate,
    Condition, Declaration, Declarator, DeclaratorData, Designator, EnumSpecifier, Expr, ExprKind, FunctionItem,
    FunctionKind, InitDeclarator, Initializer, Item, LargeKind, Launch, Name, NewStart, Parameter, Pattern, Record,
    RecordMember, Scalar, Specifiers, Stmt, StmtKind, TemplateArgument, TemplateParameter, Tree, TypeName,
    TypeSpecifier, UnaryOperator,
};

/// The items of a tree. Recursive: the call stack grows with the nesting of the tree.
pub fn print(tree: &Tree, symbols: &Symbols) -> String {
    let mut printer = Printer { tree, symbols, out: String::new(), indent: 0 };
    for item in &tree.items {
        printer.item(item);
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    out: String,
    indent: usize,
}

impl<'a> Printer<'a> {
    fn text(&self, symbol: Symbol) -> &'a str {
        self.symbols.text(symbol)
    }

    /// A name with the scopes around it; `_` where there is none.
    fn name(&self, name: Option<Name>) -> Cow<'a, str> {
        name.map_or("_".into(), |name| self.tree.scopes.text(name, self.symbols))
    }

    fn put(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
    }

    fn line(&mut self) {
        let _ = write!(self.out, "\n{:width$}", "", width = 2 * self.indent);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Function(function) => self.function(function),
            Item::Declaration(declaration) => {
                let text = self.declaration(declaration);
                self.put(format!("({text})"));
            }
            Item::ClassTemplate(template) => self.put(self.class_template(template)),
            Item::AliasTemplate(template) => self.put(self.alias_template(template)),
            Item::VariableTemplate(template) => {
                let text = self.template_header(Some(&template.parameters));
                let arguments = template.arguments.as_ref().map(|all| format!(" <{}>", self.template_arguments(all)));
                let declaration = self.declaration(&template.declaration);
                self.put(format!("({text}{declaration}{})", arguments.unwrap_or_default()));
            }
            Item::Launch(launch) => self.launch(launch),
            Item::StaticAssert(condition, _) => {
                let text = format!("(static_assert {})", self.expression(*condition));
                self.put(text);
            }
        }
    }

    fn launch(&mut self, launch: &Launch) {
        let (name, arguments) = (self.name(Some(launch.name)), self.template_arguments(&launch.arguments));
        self.put(format!("(launch {name}{arguments})"));
    }

    fn function(&mut self, function: &FunctionItem) {
        self.put(self.function_head(function));
        function.launches.iter().for_each(|launch| self.launch(launch));
        match &function.body {
            Body::None => {}
            Body::Default => self.put(" default"),
            Body::Deleted => self.put(" deleted"),
            Body::Pure => self.put(" pure"),
            Body::Member(_) => self.put(" {…}"),
            Body::Host => self.put(" host"),
            Body::Statement(body) => self.part(*body),
            Body::Unsupported(reason) => self.put(format!(" unsupported: {}", reason.message)),
        }
        self.put(")");
    }

    fn function_head(&self, function: &FunctionItem) -> String {
        let mut head = format!("(function {}", self.template_header(function.template.as_deref()));
        head += match function.kind {
            FunctionKind::Named => "",
            FunctionKind::Constructor => "constructor ",
            FunctionKind::Destructor => "destructor ",
            FunctionKind::Conversion => "conversion ",
        };
        head += &self.declarator(&function.specifiers, &function.declarator);
        head += if function.declarator.is_const { " const" } else { "" };
        if let Some(arguments) = &function.arguments {
            let _ = write!(head, " <{}>", self.template_arguments(arguments));
        }
        head
    }

    fn template_header(&self, parameters: Option<&[TemplateParameter]>) -> String {
        let Some(parameters) = parameters else { return String::new() };
        let parameters: Vec<String> = parameters.iter().map(|one| self.template_parameter(one)).collect();
        format!("template<{}> ", parameters.join(", "))
    }

    fn template_parameter(&self, parameter: &TemplateParameter) -> String {
        match parameter {
            TemplateParameter::Template { name, default } => {
                let default = default.as_ref().map(|of| format!(" = {}", self.type_name(of)));
                format!("template {}{}", self.name(*name), default.unwrap_or_default())
            }
            TemplateParameter::Type { name, default, is_pack } => {
                let name = format!("{}{}", dots(*is_pack), self.name(*name));
                let default = default.as_ref().map(|of| format!(" = {}", self.type_name(of)));
                format!("type {name}{}", default.unwrap_or_default())
            }
            TemplateParameter::Value { of, name, default, is_pack } => {
                let name = format!("{}{}", dots(*is_pack), self.name(*name));
                let default = default.map(|value| format!(" = {}", self.expression(value)));
                format!("{name}: {}{}", self.type_name(of), default.unwrap_or_default())
            }
        }
    }

    fn template_arguments(&self, arguments: &[TemplateArgument]) -> String {
        arguments.iter().map(|argument| self.template_argument(argument)).collect::<Vec<_>>().join(", ")
    }

    fn template_argument(&self, argument: &TemplateArgument) -> String {
        match argument {
            TemplateArgument::Type(of) => self.type_name(of),
            TemplateArgument::Value(value) => self.expression(*value),
            TemplateArgument::Expansion(pattern, _) => format!("{}...", self.template_argument(pattern)),
        }
    }

    /// A statement on a line of its own, one step deeper.
    fn part(&mut self, statement: Stmt) {
        self.indent += 1;
        self.line();
        self.statement(statement);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: Stmt) {
        let data = &self.tree.statements[statement];
        let attributes = self.attributes(self.tree.attributes(statement));
        self.put(format!("({attributes}"));
        match &data.kind {
            StmtKind::Empty => self.put("empty"),
            StmtKind::Compound(parts) => {
                self.put("block");
                parts.as_slice(&self.tree.parts).iter().for_each(|&part| self.part(part));
            }
            StmtKind::Expression(value) => self.put_expression("", *value),
            StmtKind::Declaration(declaration) => {
                let text = self.declaration(&self.tree.declarations[*declaration]);
                self.put(text);
            }
            StmtKind::If { init, condition, then, otherwise, is_constexpr } => {
                self.put(if *is_constexpr { "if-constexpr" } else { "if" });
                init.expand().iter().for_each(|&init| self.part(init));
                self.condition(condition);
                self.part(*then);
                otherwise.expand().iter().for_each(|&otherwise| self.part(otherwise));
            }
            StmtKind::Switch { init, condition, body } => {
                self.put("switch");
                init.expand().iter().for_each(|&init| self.part(init));
                self.condition(condition);
                self.part(*body);
            }
            StmtKind::Case { low, high, body } => {
                self.put_expression("case ", *low);
                high.iter().for_each(|&high| self.put_expression(" ... ", high));
                self.part(*body);
            }
            StmtKind::Default { body } => {
                self.put("default");
                self.part(*body);
            }
            StmtKind::Label { name, body } => {
                self.put(format!("label {}", self.text(*name)));
                self.part(*body);
            }
            StmtKind::While { condition, body } => {
                self.put("while");
                self.condition(condition);
                self.part(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.put_expression("do-while ", *condition);
                self.part(*body);
            }
            StmtKind::For { init, condition, step, body } => {
                self.put("for");
                init.expand().iter().for_each(|&init| self.part(init));
                match condition {
                    Some(condition) => self.condition(condition),
                    None => self.put(" _"),
                }
                match step.expand() {
                    Some(step) => self.put_expression(" ", step),
                    None => self.put(" _"),
                }
                self.part(*body);
            }
            StmtKind::RangeFor { variable, range, body } => {
                let variable = self.declaration(&self.tree.declarations[*variable]);
                let text = format!("for-each ({variable}) in {}", self.expression(*range));
                self.put(text);
                self.part(*body);
            }
            StmtKind::Goto(name) => self.put(format!("goto {}", self.text(*name))),
            StmtKind::ComputedGoto(address) => self.put_expression("goto *", *address),
            StmtKind::Break => self.put("break"),
            StmtKind::Continue => self.put("continue"),
            StmtKind::Return(None) => self.put("return"),
            StmtKind::Return(Some(value)) => self.put_expression("return ", *value),
            StmtKind::StaticAssert(condition) => self.put_expression("static_assert ", *condition),
        }
        self.put(")");
    }

    fn put_expression(&mut self, before: &str, value: Expr) {
        let text = self.expression(value);
        self.put(format!("{before}{text}"));
    }

    fn condition(&mut self, condition: &Condition) {
        let text = match condition {
            Condition::Expression(value) => self.expression(*value),
            Condition::Declaration(declaration) => {
                format!("({})", self.declaration(&self.tree.declarations[*declaration]))
            }
        };
        self.put(format!(" {text}"));
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        attributes.iter().fold(String::new(), |text, one| {
            let arguments: Vec<String> = one.arguments.iter().map(|&value| self.expression(value)).collect();
            let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
            format!("{text}[[{}{arguments}]] ", self.text(one.name))
        })
    }

    fn declaration(&self, declaration: &Declaration) -> String {
        let one = |declared: &InitDeclarator| {
            let mut text = self.declarator(&declaration.specifiers, &declared.declarator);
            if !declared.bindings.is_empty() {
                let names: Vec<_> = declared.bindings.iter().map(|&(name, _)| self.name(Some(name))).collect();
                text = format!("[{}]{text}", names.join(", "));
            }
            if let Some(bits) = declared.bits {
                let _ = write!(text, " : {}", self.expression(bits));
            }
            if let Some(initializer) = &declared.initializer {
                let _ = write!(text, " = {}", self.initializer(initializer));
            }
            text
        };
        let mut all: Vec<String> = declaration.declarators.iter().map(one).collect();
        if all.is_empty() {
            all.push(self.specifiers(&declaration.specifiers));
        }
        format!("declare {}", all.join("; "))
    }

    fn initializer(&self, initializer: &Initializer) -> String {
        match initializer {
            Initializer::Expression(value) => self.expression(*value),
            Initializer::List(elements, _) => {
                let one = |(designators, value): &(ThinVec<Designator>, Initializer)| {
                    let path: String = designators.iter().map(|designator| self.designator(designator)).collect();
                    let is = if path.is_empty() { "" } else { " = " };
                    format!("{path}{is}{}", self.initializer(value))
                };
                format!("{{{}}}", elements.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn designator(&self, designator: &Designator) -> String {
        match designator {
            Designator::Index(index) => format!("[{}]", self.expression(*index)),
            Designator::Field(name, _) => format!(".{}", self.text(*name)),
        }
    }

    fn declarator(&self, specifiers: &Specifiers, data: &DeclaratorData) -> String {
        let name = self.name(data.name);
        let attributes = self.attributes(&data.attributes);
        format!("{attributes}{name}: {}", self.wrapped(&data.declarator, &self.specifiers(specifiers)))
    }

    fn type_name(&self, of: &TypeName) -> String {
        self.wrapped(&of.declarator, &self.specifiers(&of.specifiers))
    }

    fn wrapped(&self, declarator: &Declarator, base: &str) -> String {
        match declarator {
            Declarator::Base => base.to_string(),
            Declarator::Pointer(of, qualifiers) => {
                let mut text = String::from("*");
                text += if qualifiers.is_const { "const " } else { "" };
                text += if qualifiers.is_volatile { "volatile " } else { "" };
                text += if qualifiers.is_restrict { "restrict " } else { "" };
                text += qualifiers.space.map_or("", space);
                text + &self.wrapped(of, base)
            }
            Declarator::Reference(of, is_rvalue) => {
                format!("{}{}", if *is_rvalue { "&&" } else { "&" }, self.wrapped(of, base))
            }
            Declarator::Member(member) => {
                let qualifiers = [
                    (member.qualifiers.is_const, "const "),
                    (member.qualifiers.is_volatile, "volatile "),
                    (member.is_const_function, "of-const "),
                ];
                let qualifiers: String = qualifiers.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
                format!("{}::*{qualifiers}{}", self.type_specifier(&member.class), self.wrapped(&member.of, base))
            }
            Declarator::Array(of, length) => {
                let length = length.map(|length| self.expression(length)).unwrap_or_default();
                format!("[{length}]{}", self.wrapped(of, base))
            }
            Declarator::Function(result, parameters, variadic) => {
                let mut parts: Vec<String> = parameters.iter().map(|one| self.parameter(one)).collect();
                parts.extend(variadic.then(|| "...".to_string()));
                format!("fn({})->{}", parts.join(", "), self.wrapped(result, base))
            }
        }
    }

    fn parameter(&self, parameter: &Parameter) -> String {
        let default = parameter.default.map(|value| format!(" = {}", self.expression(value)));
        self.declarator(&parameter.specifiers, &parameter.declarator) + &default.unwrap_or_default()
    }

    fn specifiers(&self, specifiers: &Specifiers) -> String {
        let mut text = self.attributes(&specifiers.attributes);
        let flags = [
            (specifiers.is_typedef, "typedef "),
            (specifiers.is_extern, "extern "),
            (specifiers.is_extern_c, "C "),
            (specifiers.is_static, "static "),
            (specifiers.is_virtual, "virtual "),
            (specifiers.is_inline, "inline "),
            (specifiers.is_kernel, "kernel "),
            (specifiers.is_device, "device "),
            (specifiers.is_host, "host "),
            (specifiers.is_constexpr, "constexpr "),
            (specifiers.is_const, "const "),
            (specifiers.is_volatile, "volatile "),
        ];
        flags.iter().filter(|(is_set, _)| *is_set).for_each(|(_, name)| text += name);
        text += specifiers.space.map_or("", space);
        text + &specifiers.of.as_ref().map_or("_".to_string(), |of| self.type_specifier(of))
    }

    fn type_specifier(&self, of: &TypeSpecifier) -> String {
        match of {
            TypeSpecifier::Builtin(builtin) => self.builtin(builtin),
            TypeSpecifier::Named(name, _) => format!("'{}", self.name(Some(*name))),
            TypeSpecifier::Record(record) => self.record(record),
            TypeSpecifier::Enum(of) => self.enumeration(of),
            TypeSpecifier::Auto => "auto".into(),
            TypeSpecifier::Unknown(name, _) => format!("(unknown {})", self.name(Some(*name))),
            TypeSpecifier::TypeOf(value) => format!("typeof({})", self.expression(*value)),
            TypeSpecifier::TypeOfType(of) => format!("typeof({})", self.type_name(of)),
            TypeSpecifier::Template(named, _) => {
                format!("'{}<{}>", self.name(Some(named.0)), self.template_arguments(&named.1))
            }
            TypeSpecifier::MemberTemplate(of, _) => {
                let (of, name, arguments) = &**of;
                format!("{}::{}<{}>", self.type_specifier(of), self.text(*name), self.template_arguments(arguments))
            }
            TypeSpecifier::Member(of, name, _) => format!("{}::{}", self.type_specifier(of), self.text(*name)),
        }
    }

    fn record(&self, record: &Record) -> String {
        let kind = if record.is_union { "union" } else { "struct" };
        let name = self.name(record.name);
        let attributes = self.attributes(&record.attributes);
        let members = record.members.as_ref().map(|members| {
            let members: Vec<String> = members.iter().map(|member| self.member(member)).collect();
            format!(" {{{}}}", members.join(" "))
        });
        let bases: Vec<String> = record.bases.iter().map(|base| self.type_specifier(base)).collect();
        let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
        format!("{attributes}{kind} {name}{bases}{}", members.unwrap_or_default())
    }

    fn class_template(&self, template: &ClassTemplate) -> String {
        let text = self.template_header(Some(&template.parameters));
        let arguments = template.arguments.as_ref().map(|all| format!(" <{}>", self.template_arguments(all)));
        format!("(declare {text}{}{})", self.record(&template.record), arguments.unwrap_or_default())
    }

    fn alias_template(&self, template: &AliasTemplate) -> String {
        let text = self.template_header(Some(&template.parameters));
        format!("(declare {text}using {} = {})", self.name(Some(template.name)), self.type_name(&template.of))
    }

    fn member(&self, member: &RecordMember) -> String {
        match member {
            RecordMember::ClassTemplate(template) => self.class_template(template),
            RecordMember::AliasTemplate(template) => self.alias_template(template),
            RecordMember::Declaration(declaration) => format!("({})", self.declaration(declaration)),
            RecordMember::Function(function) => {
                let body = match function.body {
                    Body::None => "",
                    Body::Default => " default",
                    Body::Deleted => " deleted",
                    Body::Pure => " pure",
                    Body::Host => " host",
                    _ => " {…}",
                };
                format!("{}{body})", self.function_head(function))
            }
        }
    }

    fn enumeration(&self, of: &EnumSpecifier) -> String {
        let kind = if of.is_class { "enum class" } else { "enum" };
        let name = self.name(of.name);
        let underlying = of.underlying.as_ref().map(|of| format!(" : {}", self.type_name(of))).unwrap_or_default();
        let members = of.members.as_ref().map(|members| {
            let one = |(name, value, _): &(Name, Option<Expr>, _)| {
                let value = value.map(|value| format!(" = {}", self.expression(value)));
                format!("{}{}", self.text(self.tree.scopes.spelling(*name)), value.unwrap_or_default())
            };
            format!(" {{{}}}", members.iter().map(one).collect::<Vec<_>>().join(", "))
        });
        format!("{kind} {name}{underlying}{}", members.unwrap_or_default())
    }

    fn builtin(&self, of: &BuiltinType) -> String {
        match of {
            BuiltinType::Void => "void".into(),
            BuiltinType::Bool => "bool".into(),
            BuiltinType::Integer { bits, signed } => integer(*bits, *signed),
            BuiltinType::Char => "char".into(),
            BuiltinType::LongLong { signed } => if *signed { "longlong" } else { "ulonglong" }.into(),
            BuiltinType::Half => "half".into(),
            BuiltinType::BFloat => "bfloat".into(),
            BuiltinType::Float => "float".into(),
            BuiltinType::Double => "double".into(),
            BuiltinType::Vector { element, lanes, cuda } => {
                let element = match element {
                    Scalar::Bool => "bool".into(),
                    Scalar::Integer { bits, signed } => integer(*bits, *signed),
                    Scalar::Half => "half".into(),
                    Scalar::BFloat => "bfloat".into(),
                    Scalar::Float => "float".into(),
                    Scalar::Double => "double".into(),
                };
                format!("{element}x{lanes}{}", if *cuda { "c" } else { "" })
            }
            BuiltinType::Dim3 => "dim3".into(),
            BuiltinType::Opaque(name) => self.text(*name).into(),
        }
    }

    fn expressions(&self, values: &[Expr]) -> String {
        values.iter().fold(String::new(), |text, &value| text + " " + &self.expression(value))
    }

    fn expression(&self, value: Expr) -> String {
        match &self.tree.expressions[value].kind {
            ExprKind::Number(text) | ExprKind::Character(text) => self.text(*text).into(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Null => "nullptr".into(),
            ExprKind::Name(name) => self.name(Some(*name)).into(),
            ExprKind::Index(base, index) => format!("(index{})", self.expressions(&[*base, *index])),
            ExprKind::Call(called, arguments) => {
                let arguments = arguments.as_slice(&self.tree.arguments);
                format!("(call {}{})", self.expression(*called), self.expressions(arguments))
            }
            ExprKind::Member { base, name, arrow } => {
                format!("({} {} {})", if *arrow { "->" } else { "." }, self.expression(*base), self.text(*name))
            }
            ExprKind::Step { operand, up, prefix } => {
                let operator = if *up { "++" } else { "--" };
                let place = if *prefix { "before" } else { "after" };
                format!("({operator}{place} {})", self.expression(*operand))
            }
            ExprKind::Unary(operator, operand) => format!("({} {})", unary(*operator), self.expression(*operand)),
            ExprKind::Binary(operator, left, right) => {
                format!("({}{})", binary(*operator), self.expressions(&[*left, *right]))
            }
            ExprKind::Assign(left, right) => format!("(={})", self.expressions(&[*left, *right])),
            ExprKind::CompoundAssign(operator, left, right) => {
                format!("({}={})", binary(*operator), self.expressions(&[*left, *right]))
            }
            ExprKind::Comma(left, right) => format!("(,{})", self.expressions(&[*left, *right])),
            ExprKind::SizeOf(operand) => format!("(sizeof {})", self.expression(*operand)),
            ExprKind::Large(number) => self.large_expression(&self.tree.large[*number]),
        }
    }

    fn large_expression(&self, kind: &LargeKind) -> String {
        match kind {
            LargeKind::String(parts) => parts.0.iter().map(|&part| self.text(part)).collect::<Vec<_>>().join(" "),
            LargeKind::TemplateName(named) => {
                let (name, arguments) = &**named;
                format!("{}<{}>", self.name(Some(*name)), self.template_arguments(arguments))
            }
            LargeKind::MemberOf(named) => {
                let (of, name, arguments) = &**named;
                let arguments = arguments.as_ref().map(|all| format!("<{}>", self.template_arguments(all)));
                format!("{}::{}{}", self.type_specifier(of), self.text(*name), arguments.unwrap_or_default())
            }
            LargeKind::MemberTemplate(named) => {
                let (arrow, base) = (if named.arrow { "->" } else { "." }, self.expression(named.base));
                let arguments = self.template_arguments(&named.arguments);
                format!("({arrow} {base} {}<{arguments}>)", self.text(named.name))
            }
            LargeKind::PointedMember(member) => {
                let operator = if member.arrow { "->*" } else { ".*" };
                format!("({operator}{})", self.expressions(&[member.base, member.pointer]))
            }
            LargeKind::New(made) => {
                let count = made.count.map(|count| format!("[{}]", self.expression(count))).unwrap_or_default();
                let start = match &made.start {
                    NewStart::Itself => String::new(),
                    NewStart::Values(values) => format!(" ({})", self.expressions(values).trim_start()),
                    NewStart::List(list) => format!(" {}", self.initializer(list)),
                };
                format!("(new{} {count}{}{start})", self.expressions(&made.place), self.type_name(&made.of))
            }
            LargeKind::Delete(deleted) => {
                let array = if deleted.is_array { "[]" } else { "" };
                format!("(delete{array}{})", self.expressions(&[deleted.pointer]))
            }
            LargeKind::End(end) => {
                let arrow = if end.arrow { "->" } else { "." };
                format!("({arrow}~ {} {})", self.expression(end.base), self.type_specifier(&end.of))
            }
            LargeKind::LabelAddress(name) => format!("(&& {})", self.text(*name)),
            LargeKind::AddressOfMember(member) => format!("(&-member {})", self.expression(*member)),
            LargeKind::Construct(made) => {
                format!("(construct {}{})", self.type_name(&made.of), self.expressions(&made.parts))
            }
            LargeKind::Conditional(condition, then, otherwise) => {
                format!("(?{})", self.expressions(&[*condition, *then, *otherwise]))
            }
            LargeKind::Cast { to, operand, form } => {
                let form = match form {
                    CastForm::C => "cast",
                    CastForm::Static => "static_cast",
                    CastForm::Reinterpret => "reinterpret_cast",
                    CastForm::Const => "const_cast",
                };
                format!("({form} {} {})", self.type_name(to), self.expression(*operand))
            }
            LargeKind::VectorLiteral(made) => {
                format!("(vector {}{})", self.type_name(&made.of), self.expressions(&made.parts))
            }
            LargeKind::CompoundLiteral(literal) => {
                let (of, list) = &**literal;
                format!("(literal {} {})", self.type_name(of), self.initializer(list))
            }
            LargeKind::List(list) => format!("(list {})", self.initializer(list)),
            LargeKind::SizeOfType(of) => format!("(sizeof-type {})", self.type_name(of)),
            LargeKind::Unknown(parts) => {
                let all: Vec<String> =
                    parts.written.iter().chain(&parts.read).map(|&part| self.expression(part)).collect();
                format!("(unknown {})", all.join(" "))
            }
            LargeKind::Assembly(parts) => {
                let template: Vec<&str> = parts.template.iter().map(|&part| self.text(part)).collect();
                let operands = parts.outputs.iter().chain(&parts.inputs);
                let operands: Vec<String> = operands.map(|operand| self.expression(operand.expr)).collect();
                format!("(asm {} {})", template.join(" "), operands.join(" "))
            }
            LargeKind::Statements(block) => {
                let mut inner = Printer { tree: self.tree, symbols: self.symbols, out: String::new(), indent: 0 };
                inner.statement(*block);
                format!("(value-of {})", inner.out.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            LargeKind::Lambda(lambda) => {
                let parameters = match &lambda.item.declarator.declarator {
                    Declarator::Function(_, parameters, _) => {
                        parameters.iter().map(|one| self.parameter(one)).collect()
                    }
                    _ => Vec::new(),
                };
                let mark = |kind: CaptureKind| match kind {
                    CaptureKind::Value | CaptureKind::This => "",
                    CaptureKind::Reference => "&",
                    CaptureKind::Object => "*",
                };
                let default =
                    lambda.default.map(|kind| if kind == CaptureKind::Value { "=".into() } else { "&".into() });
                let named = lambda.captures.iter().map(|capture| {
                    let value = capture.initializer.as_ref().map(|value| format!(" = {}", self.initializer(value)));
                    format!("{}{}{}", mark(capture.kind), self.text(capture.name), value.unwrap_or_default())
                });
                let captures: Vec<String> = default.into_iter().chain(named).collect();
                format!("(lambda [{}] ({}) {{…}})", captures.join(", "), parameters.join(", "))
            }
            LargeKind::SizeOfPack(name) => format!("(sizeof... {})", self.name(Some(*name))),
            LargeKind::Expansion(pattern) => format!("{}...", self.expression(pattern.of)),
            LargeKind::Fold(fold) => {
                let side =
                    |side: &Option<Pattern>| side.as_ref().map_or("...".to_owned(), |one| self.expression(one.of));
                let operator = fold.operator.map_or(",", binary);
                format!("(fold {operator} {} {})", side(&fold.first), side(&fold.last))
            }
            LargeKind::AlignOf(of) => format!("(alignof {})", self.type_name(of)),
            LargeKind::Attributed(attributed) => {
                let (attributes, operand) = &**attributed;
                format!("({}{})", self.attributes(attributes), self.expression(*operand))
            }
        }
    }
}

fn space(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Private => "private ",
        AddressSpace::Global => "global ",
        AddressSpace::Constant => "constant ",
        AddressSpace::Local => "local ",
        AddressSpace::Generic => "generic ",
    }
}

fn integer(bits: u8, signed: bool) -> String {
    format!("{}{bits}", if signed { "i" } else { "u" })
}

fn unary(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Plus => "+",
        UnaryOperator::Minus => "-",
        UnaryOperator::Not => "!",
        UnaryOperator::Complement => "~",
        UnaryOperator::Dereference => "*",
        UnaryOperator::AddressOf => "&",
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::LogicalAnd => "&&",
        BinaryOperator::LogicalOr => "||",
    }
}

/// What stands before the name of a pack.
fn dots(is_pack: bool) -> &'static str {
    if is_pack { "..." } else { "" }
}
