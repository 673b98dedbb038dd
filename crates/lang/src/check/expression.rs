//! Expressions: literals, names, values of places, and the conversions that nobody writes.
//!
//! **Invariant.** An operand says what it is twice, and both agree: the type of its expression is the program's type of what is written.

use super::literal::{self, Number};
use super::names::{Meaning, Part};
use super::written::{FormKind, Spelling, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::{Diagnostic, Ground};
use crate::options::Limits;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, ExprKind, LargeKind, Name};
use crate::typed::{
    AddressSpace, Constant, Conversion, Expression, ExpressionKind, Function, Layout, Shape, Struct, Type, TypeKind,
    Variable,
};

impl<'a> Checker<'a> {
    /// Goes one level deeper; refuses when it is too deep.
    pub(super) fn deeper(&mut self, location: Location) -> Outcome<()> {
        let limit = self.limits().statement_nesting.min(Limits::MOST_STATEMENT_NESTING);
        if self.state.depth >= limit {
            let message = format!("more than {limit} levels of nesting are not supported");
            return Err(Diagnostic::unsupported(location, message).as_limit().raised_by("statement-nesting"));
        }
        self.state.depth += 1;
        Ok(())
    }

    /// An expression: a place, or a value.
    pub(super) fn expression(&mut self, expr: Expr) -> Outcome<Operand> {
        let location = self.tree.expressions[expr].location;
        self.deeper(location)?;
        let result = self.expression_inside(expr, location).and_then(|made| self.with_class(made));
        self.state.depth -= 1;
        if self.is_tolerant() { self.settled(expr, result, location) } else { result }
    }

    /// An operand whose class is defined, or that of what it points at.
    #[inline]
    fn with_class(&mut self, made: Operand) -> Outcome<Operand> {
        self.require_object(made.written)?;
        Ok(made)
    }

    /// Notes which expression of the tree this is that stands behind an operand. What a pointer points at is noted by the pointer, which is what
    /// `&` makes of it.
    #[inline]
    pub(super) fn note_postfix(&mut self, expr: Expr, made: Outcome<Operand>) -> Outcome<Operand> {
        if let Ok(operand) = &made {
            let noted = match self.state.body.expressions[operand.expression].kind {
                ExpressionKind::Dereference(pointer) => pointer,
                _ => operand.expression,
            };
            self.state.body.postfix.push((noted, expr));
        }
        made
    }

    /// An expression whose value is used: variables of known value are that value.
    pub(super) fn operand(&mut self, expr: Expr) -> Outcome<Operand> {
        let ExprKind::Name(name) = self.tree.expressions[expr].kind else { return self.expression(expr) };
        let location = self.tree.expressions[expr].location;
        let result = self.named_value(expr, name, location).and_then(|made| self.with_class(made));
        if self.is_tolerant() { self.settled(expr, result, location) } else { result }
    }

    /// What a name stands for where its value is used.
    fn named_value(&mut self, expr: Expr, name: Name, location: Location) -> Outcome<Operand> {
        self.require_owners(name)?;
        let Some(meaning) = self.find_used(name, expr) else { return self.undeclared(name, location) };
        if let &Meaning::Variable(variable, of) = meaning
            && !self.state.known.contains_key(&variable)
        {
            return Ok(self.variable(variable, of, location));
        }
        let meaning = meaning.clone();
        let known = match meaning {
            Meaning::Variable(variable, of) => self.state.known.get(&variable).cloned().map(|value| (value, of)),
            Meaning::Host(number) => self.hosts[number].value.clone().map(|value| (value, self.hosts[number].of)),
            _ => None,
        };
        if let Some((value, of)) = known
            && let Some(operand) = self.constant(&value, of, location)
        {
            return Ok(operand);
        }
        self.named_thing(meaning, name, location)
    }

    fn expression_inside(&mut self, expr: Expr, location: Location) -> Outcome<Operand> {
        let tree = self.tree;
        match &tree.expressions[expr].kind {
            ExprKind::Number(text) => self.number(*text, location),
            ExprKind::Character(text) => self.character(*text, location),
            ExprKind::Bool(value) => {
                let made = match self.is_cpp() || !self.is_opencl() {
                    true => self.build().bool(*value, location),
                    false => self.build().int(i32::from(*value), location),
                };
                Ok(self.plain(made))
            }
            ExprKind::Null => Ok(self.null(location)),
            ExprKind::Name(name) => self.name(expr, *name, location),
            ExprKind::Index(base, index) => {
                let made = self.index(*base, *index, location);
                self.note_postfix(expr, made)
            }
            ExprKind::Call(callee, arguments) => {
                let made = self.call(*callee, arguments.as_slice(&tree.arguments), None, location);
                self.note_postfix(expr, made)
            }
            ExprKind::Member { base, name, arrow } => {
                let made = self.member_access(*base, *name, *arrow, location);
                self.note_postfix(expr, made)
            }
            ExprKind::Step { operand, up, prefix } => {
                let made = self.step(*operand, *up, *prefix, location);
                if *prefix { made } else { self.note_postfix(expr, made) }
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, *operand, location),
            ExprKind::Binary(..) => self.chain(expr),
            ExprKind::Assign(place, value) => self.assign(*place, *value, location),
            ExprKind::CompoundAssign(operator, place, value) => {
                self.compound_assign(*operator, *place, *value, location)
            }
            ExprKind::Comma(..) => self.commas(expr),
            ExprKind::SizeOf(operand) => {
                let operand = self.expression(*operand)?;
                let of = self.written.referred(operand.written);
                self.size_of(of, location)
            }
            ExprKind::Large(number) => self.large_expression(&tree.large[*number], location),
        }
    }

    fn large_expression(&mut self, kind: &'a LargeKind, location: Location) -> Outcome<Operand> {
        match kind {
            LargeKind::String(parts) => self.string(&parts.0, location),
            LargeKind::TemplateName(named) => self.template_name(named.0, &named.1, location),
            LargeKind::MemberOf(member) => {
                let (_, meaning) = self.member_of_type(&member.0, member.1, location)?;
                self.named_thing(meaning, member.1.into(), location)
            }
            LargeKind::MemberTemplate(member) => {
                let message = format!("`{}` can only be called", self.text(member.name));
                Err(Diagnostic::unsupported(location, message))
            }
            LargeKind::Construct(made) => match self.template_of_functions(&made.of)? {
                Some(callee) => self.call_named(callee, &made.parts, None, location),
                None => self.construct(&made.of, &made.parts, location),
            },
            LargeKind::Conditional(condition, then, otherwise) => {
                self.conditional(*condition, *then, *otherwise, location)
            }
            LargeKind::Cast { to, operand, form } => self.cast(to, *operand, *form, location),
            LargeKind::VectorLiteral(made) => self.vector_literal(&made.of, &made.parts, location),
            LargeKind::CompoundLiteral(literal) => self.compound_literal(&literal.0, &literal.1, location),
            LargeKind::List(list) => self.unknown_list(list, location),
            LargeKind::PointedMember(member) => self.pointed_member(member, location),
            LargeKind::Delete(deleted) => self.delete_object(deleted, location),
            LargeKind::End(end) => self.ended_object(end, location),
            LargeKind::New(made) => self.new_object(made, location),
            &LargeKind::LabelAddress(name) => self.label_address(name, location),
            LargeKind::AddressOfMember(member) => self.address_of_member(*member, location),
            LargeKind::SizeOfType(of) => {
                let of = self.type_name(of)?;
                let of = self.written.referred(of);
                self.size_of(of, location)
            }
            LargeKind::AlignOf(of) => {
                let of = self.type_name(of)?;
                let of = self.type_of(of);
                let layout = Layout { types: &self.program.types, target: self.program.target };
                let bytes = layout.alignment(of);
                Ok(self.size(bytes, location))
            }
            &LargeKind::SizeOfPack(name) => self.size_of_pack(name, location),
            LargeKind::Expansion(_) => Err(Diagnostic::error(location, "`...` cannot stand here")),
            LargeKind::Fold(fold) => self.fold(fold, location),
            LargeKind::Statements(block) => self.statements_in_expression(*block, location),
            LargeKind::Lambda(_) if self.state.function.is_empty() => {
                Err(Diagnostic::unsupported(location, "a lambda outside of a function is not supported"))
            }
            LargeKind::Lambda(lambda) => self.lambda(lambda, location),
            LargeKind::Unknown(parts) => self.unknown_parts(parts, location),
            LargeKind::Assembly(parts) => self.assembly(parts, location),
            LargeKind::Attributed(attributed) => self.attributed(&attributed.0, attributed.1, location),
        }
    }

    /// `convergent` and `noconvergent` belong to the call they are put on.
    fn attributed(
        &mut self,
        attributes: &'a [crate::tree::Attribute],
        inner: Expr,
        location: Location,
    ) -> Outcome<Operand> {
        let convergent = match (self.has(attributes, "convergent"), self.has(attributes, "noconvergent")) {
            (true, true) => {
                let message = "a call cannot be both `convergent` and `noconvergent`";
                return Err(Diagnostic::error(location, message));
            }
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let tree = self.tree;
        match &tree.expressions[inner].kind {
            ExprKind::Call(callee, arguments) => {
                let arguments = arguments.as_slice(&tree.arguments);
                let made = self.call(*callee, arguments, convergent, tree.expressions[inner].location);
                self.note_postfix(inner, made)
            }
            _ => self.expression(inner),
        }
    }

    fn number(&mut self, text: Symbol, location: Location) -> Outcome<Operand> {
        let number = match self.numbers.get(&text) {
            Some(&number) => number,
            None => {
                let number = literal::number(self.text(text), self.dialect());
                let number = number.map_err(|message| Diagnostic::error(location, message))?;
                self.numbers.insert(text, number);
                number
            }
        };
        let made = match number {
            Number::Integer { value, bits, signed, is_long_long } => {
                let of = self.program.types.integer(bits, signed);
                let expression = self.build().integer(value as i128, of, location);
                let written = match is_long_long {
                    true => self.written.plain(&mut self.program.types, of, Spelling::LongLong),
                    false => self.written_of(of),
                };
                return Ok(Operand { expression, written });
            }
            Number::Float { value, kind } => {
                let of = self.program.types.float(kind);
                self.build().float(value, of, location)
            }
        };
        Ok(self.plain(made))
    }

    fn character(&mut self, text: Symbol, location: Location) -> Outcome<Operand> {
        let bytes = literal::bytes(self.text(text)).map_err(|message| Diagnostic::error(location, message))?;
        let value = match bytes[..] {
            [] => return Err(Diagnostic::error(location, "a character constant needs a character")),
            [single] => i128::from(single as i8),
            _ if bytes.len() > 4 => return Err(Diagnostic::error(location, "a character constant is too long")),
            _ => i128::from(bytes.iter().fold(0u32, |value, &byte| value << 8 | u32::from(byte)) as i32),
        };
        let (bits, spelling) = match self.is_cpp() && bytes.len() == 1 {
            true => (8, Spelling::Char),
            false => (32, Spelling::Usual),
        };
        let of = self.program.types.integer(bits, true);
        let expression = self.build().integer(value, of, location);
        Ok(Operand { expression, written: self.written.plain(&mut self.program.types, of, spelling) })
    }

    /// The bytes of strings that follow each other, without the zero at the end.
    pub(super) fn string_bytes(&self, parts: &[Symbol], location: Location) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        for &part in parts {
            let part = literal::bytes(self.text(part)).map_err(|message| Diagnostic::error(location, message))?;
            bytes.extend(part);
        }
        Ok(bytes)
    }

    fn string(&mut self, parts: &[Symbol], location: Location) -> Outcome<Operand> {
        let mut bytes = self.string_bytes(parts, location)?;
        bytes.push(0);
        let length = bytes.len() as u64;
        let char = self.char_type();
        let element = self.type_of(char);
        let global = self.string_global(bytes, element, location);
        let expression = self.build().global(global, location);
        let space = self.program.globals[global].space;
        let element = char.constant().in_space(space);
        let written = self.written.array(&mut self.program.types, element, super::written::Length::Known(length));
        Ok(Operand { expression, written })
    }

    pub(super) fn char_type(&mut self) -> Written {
        let of = self.program.types.integer(8, true);
        self.written.plain(&mut self.program.types, of, Spelling::Char)
    }

    pub(super) fn null(&mut self, location: Location) -> Operand {
        let void = self.program.types.void();
        let void = self.written_of(void);
        let written = self.written.pointer(&mut self.program.types, void);
        let of = self.type_of(written);
        let expression = self.build().integer(0, of, location);
        Operand { expression, written }
    }

    /// What a name stands for.
    fn name(&mut self, expr: Expr, name: Name, location: Location) -> Outcome<Operand> {
        self.require_owners(name)?;
        let Some(meaning) = self.find_used(name, expr) else { return self.undeclared(name, location) };
        match *meaning {
            Meaning::Variable(variable, of) => Ok(self.variable(variable, of, location)),
            _ => self.named_thing(meaning.clone(), name, location),
        }
    }

    /// The place of a variable on the stack.
    fn variable(&mut self, variable: Variable, of: Written, location: Location) -> Operand {
        let expression = self.build().variable(variable, location);
        self.whole(expression, of, location)
    }

    /// What a name stands for whose meaning is found.
    pub(super) fn named_thing(&mut self, meaning: Meaning, name: Name, location: Location) -> Outcome<Operand> {
        match meaning {
            Meaning::Variable(variable, of) => Ok(self.variable(variable, of, location)),
            Meaning::Reference(variable, to) => {
                let pointer = self.build().variable(variable, location);
                let pointer = self.build().load(pointer);
                let of = self.type_of(to);
                let expression = self.build().push(ExpressionKind::Dereference(pointer), of, location);
                Ok(Operand { expression, written: to })
            }
            Meaning::Part(part, of) => self.part_of_variable(part, of, location),
            Meaning::Element(element) => self.captured_element(element, name, location),
            Meaning::Global(global, of) => {
                let expression = self.build().global(global, location);
                Ok(self.whole(expression, of, location))
            }
            Meaning::Host(number) => self.host_variable(number, location),
            Meaning::Pack(_) => {
                let message = format!("`{}` is a pack, which stands before `...`", self.name_text(name));
                Err(Diagnostic::error(location, message))
            }
            Meaning::Constant(value, of) => {
                let text = self.name_text(name);
                let made = self.constant(&value, of, location);
                made.ok_or_else(|| {
                    Diagnostic::unsupported(location, format!("the constant `{text}` is not supported here"))
                })
            }
            Meaning::Unknown(of) => Ok(self.unknown_constant(of, location)),
            Meaning::AnyConstant(of) => {
                let message = format!("the value of the constant `{}` is not known", self.name_text(name));
                let wrong = Diagnostic::unsupported(location, message);
                if !self.goes_on(&wrong) {
                    return Err(wrong);
                }
                self.note_unknown(&wrong);
                Ok(self.unknown_constant(of, location))
            }
            Meaning::TemplateValue(..) => {
                let message = format!("`{}` is not known yet", self.name_text(name));
                Err(Diagnostic::unsupported(location, message))
            }
            Meaning::Field(name) => self.implicit_member(name, location),
            Meaning::VariableTemplate(_) => {
                let message =
                    format!("nothing says what the parameters of the template `{}` are", self.name_text(name));
                Err(Diagnostic::error(location, message))
            }
            Meaning::Type(_) | Meaning::ClassTemplate(_) | Meaning::AliasTemplate(_) => {
                Err(Diagnostic::error(location, format!("`{}` is a type, not a value", self.name_text(name))))
            }
            Meaning::Functions(set) => self.function_value(set, location),
            Meaning::Broken => Err(self.broken_name(name, location)),
            Meaning::Sampler(value, of) => Ok(self.sampler(value, of, location)),
        }
    }

    /// The part of a variable that a name of a structured binding stands for.
    fn part_of_variable(&mut self, part: Part, of: Written, location: Location) -> Outcome<Operand> {
        let mut whole = self.build().variable(part.variable, location);
        if let Some(to) = part.referred {
            let pointer = self.build().load(whole);
            let to = self.type_of(to);
            whole = self.build().push(ExpressionKind::Dereference(pointer), to, location);
        }
        let expression = self.step_into(whole, part.index, location)?;
        if let FormKind::Reference(to, _) = *self.form(of) {
            let of = self.type_of(to);
            let pointer = self.build().rvalue(expression);
            let expression = self.build().push(ExpressionKind::Dereference(pointer), of, location);
            return Ok(Operand { expression, written: to });
        }
        Ok(Operand { expression, written: of })
    }

    /// The place of a variable; of a volatile one, so that each access says so.
    fn whole(&mut self, expression: Expression, written: Written, location: Location) -> Operand {
        let is_scalar = !matches!(self.form(written), FormKind::Array(..));
        if !written.is_volatile || !is_scalar {
            return Operand { expression, written };
        }
        let of = self.type_of(written);
        let (space, _) = self.build().space_of_place(expression);
        let pointer = self.program.types.intern(TypeKind::Pointer { pointee: of, space, is_volatile: true });
        let address = self.build().push(ExpressionKind::AddressOf(expression), pointer, location);
        let expression = self.build().push(ExpressionKind::Dereference(address), of, location);
        Operand { expression, written }
    }

    /// A name that is not declared in the file.
    fn undeclared(&mut self, name: Name, location: Location) -> Outcome<Operand> {
        if self.is_this(name) {
            return self.this_pointer(location);
        }
        let text = self.name_text(name);
        if let Some(made) = self.language_value(&text, location) {
            return made;
        }
        if self.state.has_host_parameters {
            let mut error = Diagnostic::error(location, format!("`{text}` is not declared"));
            error.ground = Ground::Host;
            return Err(error);
        }
        let suggestion = self.suggestion(name);
        let mut error = Diagnostic::error(location, format!("`{text}` is not declared{suggestion}"));
        if self.is_opencl() {
            let is_of_host = suggestion.is_empty() && self.may_be_of_host(name);
            error.ground = if is_of_host { Ground::Host } else { Ground::Elsewhere };
        }
        Err(error)
    }

    /// A constant as an expression; none for addresses of other things than functions and globals.
    pub(super) fn constant(&mut self, value: &Constant, of: Written, location: Location) -> Option<Operand> {
        let to = self.type_of(of);
        let is_scalar = matches!(self.program.types.kind(to), TypeKind::Bool | TypeKind::Integer { .. });
        let is_pointer = matches!(self.program.types.kind(to), TypeKind::Pointer { .. });
        let is_float = matches!(self.program.types.kind(to), TypeKind::Float(_));
        let expression = match value {
            Constant::Integer(bits) if is_scalar || is_pointer => self.build().integer(*bits as i128, to, location),
            Constant::Zero if is_scalar || is_pointer => self.build().integer(0, to, location),
            Constant::Float(value) if is_float => self.build().float(*value, to, location),
            Constant::Zero if is_float => self.build().float(0.0, to, location),
            Constant::Function(function) if is_pointer => self.build().function(*function, location),
            Constant::Zero | Constant::Aggregate(_) if self.is_member_pointer(of) => {
                self.member_function_constant(value, location)?
            }
            _ => return None,
        };
        Some(Operand { expression, written: of.unqualified() })
    }

    pub(super) fn size_of(&mut self, of: Written, location: Location) -> Outcome<Operand> {
        let of = self.complete(of, location)?;
        let layout = Layout { types: &self.program.types, target: self.program.target };
        let bytes = layout.size(of).max(1);
        Ok(self.size(bytes, location))
    }

    /// The type of something whose size matters.
    pub(super) fn complete(&mut self, of: Written, location: Location) -> Outcome<Type> {
        let to = self.type_of(of);
        let mut part = to;
        while let TypeKind::Array { element, .. } = *self.program.types.kind(part) {
            part = element;
        }
        if let TypeKind::Struct(number) = *self.program.types.kind(part) {
            self.require(number)?;
            self.check_refused(number, location)?;
            if !self.program.types.structs[number].is_complete {
                let name = self.name_of(of);
                return Err(Diagnostic::error(location, format!("`{name}` is declared but not defined")));
            }
        }
        Ok(to)
    }

    /// That a struct is supported. Where others go on, it is only noted.
    pub(super) fn check_refused(&mut self, number: Struct, location: Location) -> Outcome<()> {
        let Some(refusal) = self.refused.get(&number) else { return Ok(()) };
        let message = refusal.message.clone();
        let refusal = Diagnostic::unsupported(location, message).with(refusal.location, "declared here");
        if self.goes_on(&refusal) {
            self.note_unknown(&refusal);
            return Ok(());
        }
        Err(refusal)
    }

    pub(super) fn size(&mut self, bytes: u64, location: Location) -> Operand {
        let of = self.program.types.integer(64, false);
        let made = self.build().integer(i128::from(bytes), of, location);
        self.plain(made)
    }

    /// A place's value with its type; arrays and functions are pointers then.
    pub(super) fn value(&mut self, operand: Operand) -> Operand {
        if let Some(value) = self.value_of_part(operand) {
            return value;
        }
        let written = match *self.form(operand.written) {
            FormKind::Array(element, _) => {
                if !self.build().is_place(operand.expression) {
                    return self.array_value(operand);
                }
                let (space, _) = self.build().space_of_place(operand.expression);
                let element = Written { space: Some(space), ..element.within(operand.written) };
                let written = self.written.pointer(&mut self.program.types, element);
                let (of, location) = (self.type_of(written), self.build().location(operand.expression));
                let kind = ExpressionKind::Decay(operand.expression);
                let expression = self.build().push(kind, of, location);
                return Operand { expression, written };
            }
            FormKind::Function(_) => self.written.pointer(&mut self.program.types, operand.written),
            _ => operand.written.unqualified(),
        };
        Operand { expression: self.build().rvalue(operand.expression), written }
    }

    /// An array that is part of a value gets a variable, so that there is something to point at.
    fn array_value(&mut self, operand: Operand) -> Operand {
        let location = self.build().location(operand.expression);
        let variable = self.temporary(operand.written, location);
        let place = self.build().variable(variable, location);
        let filled = self.push_assign(place, operand.expression, location);
        let place = self.build().variable(variable, location);
        let expression = self.build().comma(filled, place, location);
        self.value(Operand { expression, written: operand.written.in_space(AddressSpace::Private) })
    }

    /// The value of an operand of arithmetic: enumerations become integers.
    pub(super) fn arithmetic_value(&mut self, operand: Operand) -> Outcome<Expression> {
        let value = self.value(operand);
        let number = match *self.form(value.written) {
            FormKind::Enum(number) => number,
            FormKind::MemberPointer(..) => {
                let name = self.name_of(value.written);
                let location = self.build().location(value.expression);
                return Err(Diagnostic::error(location, format!("a `{name}` is no operand of arithmetic")));
            }
            _ => return Ok(value.expression),
        };
        let data = &self.written.enums[number];
        if data.is_class {
            let message = format!("`{}` does not become a number without a cast", self.name_text(data.name));
            let location = self.build().location(value.expression);
            return Err(Diagnostic::error(location, message));
        }
        let promoted = data.promoted;
        if self.build().type_of(value.expression) == promoted {
            return Ok(value.expression);
        }
        Ok(self.build().convert_to(Conversion::Arithmetic, value.expression, promoted))
    }

    /// A condition, as a bool.
    pub(super) fn condition(&mut self, operand: Operand) -> Outcome<Expression> {
        let value = self.value(operand);
        let location = self.build().location(value.expression);
        if self.is_member_pointer(value.written) {
            return self.member_is_set(value, location);
        }
        if self.class_of(value.written).is_some() {
            let bool = self.program.types.bool();
            let bool = self.written_of(bool);
            if let Some(made) = self.converted_object(value, bool, false, location) {
                return made;
            }
        }
        if self.is_unknown(value.written) {
            let bool = self.program.types.bool();
            return Ok(self.computed_as(value, bool, location));
        }
        let shape = self.build().shape_of(value.expression);
        let is_class =
            matches!(*self.form(value.written), FormKind::Enum(number) if self.written.enums[number].is_class);
        if is_class || !(shape.is_scalar() || matches!(shape, Shape::Pointer { .. })) {
            let name = self.name_of(value.written);
            return Err(Diagnostic::error(location, format!("a condition is a number or a pointer, not `{name}`")));
        }
        self.build().condition(value.expression)
    }

    /// A value of the type of a variable, a parameter or a result, with the conversions that need no cast.
    pub(super) fn converted(&mut self, value: Operand, to: Written, location: Location) -> Outcome<Expression> {
        if let FormKind::Reference(referred, _) = *self.form(to) {
            let pointer = self.type_of(to);
            return self.bind_argument(value, referred, pointer, location);
        }
        let operand = value;
        let value = self.value(operand);
        if value.written.form == to.form {
            return Ok(value.expression);
        }
        if let Some(made) = self.converted_member(value, to, location) {
            return made;
        }
        if let Some(made) = self.converted_class(operand, value, to, location) {
            return made;
        }
        if self.is_unknown(value.written) || self.is_unknown(to) {
            let to = self.type_of(to);
            return Ok(self.computed_as(value, to, location));
        }
        let wrong = |checker: &mut Self| {
            let (from, to) = (checker.name_of(value.written), checker.name_of(to));
            Diagnostic::error(location, format!("`{from}` cannot be converted to `{to}`"))
        };
        if self.is_enum_class(value.written) {
            return Err(wrong(self));
        }
        if let FormKind::Enum(_) = *self.form(to)
            && self.is_cpp()
        {
            return Err(wrong(self));
        }
        if let (FormKind::Pointer(from), FormKind::Pointer(into)) = (self.form(value.written), self.form(to))
            && from.is_const
            && !into.is_const
            && self.is_cpp()
            && !self.build().is_null(value.expression)
        {
            let (from, to) = (self.name_of(value.written), self.name_of(to));
            let message = format!("`const {from}` does not become `{to}`: that would lose `const`");
            return Err(Diagnostic::error(location, message));
        }
        let to = self.type_of(to);
        match self.build().convert(value.expression, to) {
            Ok(expression) => Ok(expression),
            Err(problem) => Err(Diagnostic::error(location, problem.to_string())),
        }
    }

    /// A conversion that classes say how to do: to a base, or as one of them has written.
    fn converted_class(
        &mut self,
        operand: Operand,
        value: Operand,
        to: Written,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        let (from, into) = (self.class_of(value.written), self.class_of(to));
        match (from, into) {
            (Some(from), Some(base)) if self.is_derived(from, base) => {
                let object = self.object_place(operand, location);
                let part = self.base_part(object, base, location);
                Some(part.map(|part| self.value(part).expression))
            }
            (None, None) => self.base_pointer(value, to, location),
            _ => self.converted_object(value, to, true, location),
        }
    }

    /// A function as a value.
    pub(super) fn function_operand(&mut self, function: Function, of: Written, location: Location) -> Operand {
        let expression = self.build().function(function, location);
        let written = self.written.pointer(&mut self.program.types, of);
        Operand { expression, written }
    }
}
