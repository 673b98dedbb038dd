//! Pointers to members.
//!
//! **Definition.** A pointer to data of a class is the number of bytes before it in the objects of the class, plus one: the null pointer is 0, so that what starts with zeros starts with
//! null pointers. A pointer to a function of a class is the address of a function, and what is added to the address of an object before the function gets it; it is null where
//! there is no function. A virtual function is stood for by one that calls through the table of its object. A pointer to a member of a class is one to the same member
//! of a class derived from it: the place of the base is added.
//!
//! **Invariant.** Its operands are evaluated once, and no branch decides what a pointer to a member is: threads that go on together call together.

use std::rc::Rc;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::names::{Meaning, NameSpace};
use super::overload::Chosen;
use super::state::State;
use super::written::{Form, FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, ExprKind, LargeKind, PointedMember, UnaryOperator};
use crate::typed::{
    AddressSpace, BinaryOperator, Constant, Conversion, ENOUGH, Expression, ExpressionKind, Function, Layout, Shape,
    StatementKind, Struct, Type, TypeKind,
};

/// What `a.*p` is made of.
struct Pointed {
    /// The object as one of the pointer's class, a place.
    object: Operand,
    /// The value of the pointer.
    pointer: Operand,
    /// What the member is.
    of: Written,
}

/// A pointer to a function of a class, apart.
pub(super) struct Parts {
    /// What has to be done first.
    pub(super) before: Option<Expression>,
    pub(super) function: Expression,
    pub(super) offset: Expression,
}

impl<'a> Checker<'a> {
    /// Whether a type is a pointer to a member.
    pub(super) fn is_member_pointer(&self, of: Written) -> bool {
        matches!(self.form(of), FormKind::MemberPointer(..))
    }

    /// The type of pointers to members of a class that are of a type.
    pub(super) fn member_pointer(
        &mut self,
        mut of: Written,
        class: Written,
        is_const: bool,
        location: Location,
    ) -> Outcome<Written> {
        match self.form(class) {
            FormKind::Struct(_) | FormKind::Parameter(_) | FormKind::Instance(..) => {}
            _ if self.is_unknown(class) => return Ok(class.unqualified()),
            _ => {
                let name = self.name_of(class);
                let message = format!("`{name}` is no class, so there are no pointers to its members");
                return Err(Diagnostic::error(location, message));
            }
        }
        match self.form(of).clone() {
            FormKind::Reference(..) => {
                return Err(Diagnostic::error(location, "there are no pointers to references"));
            }
            FormKind::Plain(plain, _) if *self.program.types.kind(plain) == TypeKind::Void => {
                return Err(Diagnostic::error(location, "a member is not `void`, so there are no pointers to such"));
            }
            FormKind::Function(function) if is_const => {
                of = Written::bare(self.intern(FormKind::Function(FunctionForm { is_const, ..function })));
            }
            _ => {}
        }
        Ok(self.written.member_pointer(&mut self.program.types, of, class.form))
    }

    /// The type in words: `int A::*`, `int (A::*)(long) const`.
    pub(super) fn name_of_member_pointer(&mut self, of: Written, class: Form) -> String {
        let class = self.name_of(Written::bare(class));
        let FormKind::Function(function) = self.form(of).clone() else {
            let is_const = if of.is_const { "const " } else { "" };
            return format!("{is_const}{} {class}::*", self.name_of(of));
        };
        let result = self.name_of(function.result);
        let (mut taken, mut parameters) = (String::new(), function.parameters.iter());
        while taken.len() <= ENOUGH
            && let Some(&of) = parameters.next()
        {
            taken.push_str(if taken.is_empty() { "" } else { ", " });
            taken.push_str(&self.name_of(of));
        }
        if function.variadic {
            taken.push_str(if taken.is_empty() { "..." } else { ", ..." });
        }
        let is_const = if function.is_const { " const" } else { "" };
        format!("{result} ({class}::*)({taken}){is_const}")
    }

    /// `&A::x`, where `A` is a class, perhaps of a member that no object has.
    pub(super) fn address_of_member(&mut self, member: Expr, location: Location) -> Outcome<Operand> {
        let tree = self.tree;
        let found = match (tree.expressions[member].kind, tree.large(member)) {
            (ExprKind::Name(name), _) => {
                self.require_owners(name)?;
                let scopes = &tree.scopes;
                let class = scopes.owner(scopes.scope(name)).and_then(|owner| self.class_named(owner));
                let spelling = scopes.spelling(name);
                class.and_then(|class| {
                    let meaning = match self.class_name(class, spelling, NameSpace::Ordinary) {
                        Some((meaning, _)) => meaning.clone(),
                        // One of an unnamed structure in it.
                        None => self.members.get(&(class, spelling)).map(|_| Meaning::Field(spelling))?,
                    };
                    Some((class, spelling, meaning))
                })
            }
            (_, Some(LargeKind::MemberOf(named))) => {
                let (of, name, arguments) = &**named;
                let (class, meaning) = self.member_of_type(of, *name, location)?;
                if arguments.is_some() {
                    let message = "the address of an instance of a template of functions of a class";
                    return Err(Diagnostic::unsupported(location, message));
                }
                Some((class, *name, meaning))
            }
            _ => None,
        };
        match found {
            Some((class, name, Meaning::Field(_))) => self.address_of_data(class, name, location),
            Some((_, _, Meaning::Functions(set))) if self.has_objects(set) => self.address_of_function(set, location),
            _ => self.unary(UnaryOperator::AddressOf, member, location),
        }
    }

    /// Whether functions of a set are called with objects.
    fn has_objects(&self, set: usize) -> bool {
        let data = &self.sets[set];
        data.class.is_some()
            && (data.candidates.iter().any(|candidate| candidate.has_object)
                || (0..data.templates.len()).any(|index| self.template_has_object(set, index)))
    }

    fn address_of_data(&mut self, class: Struct, name: Symbol, location: Location) -> Outcome<Operand> {
        let class = self.declaring_class(class, name);
        let whole = Written::bare(self.intern(FormKind::Struct(class)));
        self.complete(whole, location)?;
        let member = self.member(class, name, location)?;
        let mut at = class;
        let mut bytes = 0u64;
        for &index in &member.path {
            let layout = Layout { types: &self.program.types, target: self.program.target };
            bytes = bytes.saturating_add(layout.offset(at, index));
            let part = self.program.types.structs[at].fields.get(index as usize).map(|field| field.of);
            if let Some(TypeKind::Struct(next)) = part.map(|of| self.program.types.kind(of)) {
                at = *next;
            }
        }
        let written = self.member_pointer(member.of, whole, false, location)?;
        let of = self.type_of(written);
        let expression = self.build().integer(i128::from(bytes) + 1, of, location);
        Ok(Operand { expression, written })
    }

    /// The class, of a class and its bases, that a member is declared in.
    fn declaring_class(&self, class: Struct, name: Symbol) -> Struct {
        let mut at = class;
        loop {
            let first = self.members.get(&(at, name)).and_then(|member| member.path.first().copied());
            let bases = self.classes.get(&at).map_or(&[][..], |class| &class.bases);
            match bases.iter().find(|base| base.field.is_some() && base.field == first) {
                Some(base) => at = base.of,
                None => return at,
            }
        }
    }

    fn address_of_function(&mut self, set: usize, location: Location) -> Outcome<Operand> {
        let data = &self.sets[set];
        let name = data.class.map_or_else(String::new, |class| self.member_text(class, data.name));
        if data.candidates.len() + data.templates.len() > 1 {
            let message = format!("the address of one of several functions `{name}`");
            return Err(Diagnostic::unsupported(location, message));
        }
        let ([only], Some(class)) = (&data.candidates[..], data.class) else {
            let message = format!("the address of an instance of the template `{name}` of functions of a class");
            return Err(Diagnostic::unsupported(location, message));
        };
        if only.facts.is_host {
            let message = format!("`{name}` is a function of the host, which threads of a device cannot use");
            return Err(Diagnostic::error(location, message));
        }
        let of = only.of.clone();
        let FormKind::Reference(object, _) = *self.form(of.parameters[0]) else {
            let message = format!("the address of `{name}`, which is called with a copy of its object");
            return Err(Diagnostic::unsupported(location, message));
        };
        let virtuals = self.classes.get(&class).map_or(&[][..], |class| &class.virtuals);
        let function = match virtuals.iter().position(|known| known.is(set, 0)) {
            Some(slot) => self.function_by_table(set, (class, slot), location)?,
            None => self.chosen_candidate(set, 0, location)?.function,
        };
        let function = self.build().function(function, location);
        let parameters = of.parameters[1..].iter().copied().collect();
        let function_form = FunctionForm { parameters, is_const: object.is_const, ..of };
        let form = Written::bare(self.intern(FormKind::Function(function_form)));
        let written = self.written.member_pointer(&mut self.program.types, form, object.form);
        let expression = self.member_function(function, None, location);
        Ok(Operand { expression, written })
    }

    /// A pointer to a function of a class, of its parts.
    pub(super) fn member_function(
        &mut self,
        function: Expression,
        offset: Option<Expression>,
        location: Location,
    ) -> Expression {
        let (of, pointer, long) = self.types_of_member_function();
        let function = match self.build().type_of(function) == pointer {
            true => function,
            false => self.build().convert_to(Conversion::Pointer, function, pointer),
        };
        let offset = offset.unwrap_or_else(|| self.build().integer(0, long, location));
        self.build().aggregate_of([function, offset], of, location)
    }

    /// The types of pointers to functions of classes, and of their parts.
    pub(super) fn types_of_member_function(&mut self) -> (Type, Type, Type) {
        let of = self.program.types.member_function();
        let long = self.program.types.integer(64, true);
        let pointer = match *self.program.types.kind(of) {
            TypeKind::Struct(number) => self.program.types.structs[number].fields[0].of,
            _ => of,
        };
        (of, pointer, long)
    }

    /// A constant that is a pointer to a function of a class.
    pub(super) fn member_function_constant(&mut self, value: &Constant, location: Location) -> Option<Expression> {
        let (of, pointer, long) = self.types_of_member_function();
        let Constant::Aggregate(parts) = value else { return Some(self.build().zero(of, location)) };
        let function = match parts.first()? {
            Constant::Function(function) => self.build().function(*function, location),
            Constant::Zero | Constant::Integer(0) => self.build().integer(0, pointer, location),
            _ => return None,
        };
        let offset = match parts.get(1)? {
            Constant::Integer(bits) => *bits as i128,
            Constant::Zero => 0,
            _ => return None,
        };
        let offset = self.build().integer(offset, long, location);
        Some(self.member_function(function, Some(offset), location))
    }

    /// The function that stands for a virtual one where its address is taken: it calls through the table of its object.
    fn function_by_table(&mut self, set: usize, slot: (Struct, usize), location: Location) -> Outcome<Function> {
        let key = (set, 0);
        if let Some(&known) = self.by_table.get(&key) {
            return Ok(known);
        }
        let chosen = self.chosen_candidate(set, 0, location)?;
        for &of in chosen.of.parameters.iter().skip(1).chain([&chosen.of.result]) {
            if self.class_of(of).is_some() && (self.has_constructors(of) || self.has_end(of)) {
                let name = self.name_of(of);
                let message =
                    format!("the address of a virtual function that passes a `{name}`, which is more than its members");
                return Err(Diagnostic::unsupported(location, message));
            }
        }
        let data = &self.program.functions[chosen.function];
        let (name, linkage) = (data.name.clone(), format!("{}.virtual", data.linkage_name));
        let facts = self.sets[set].candidates[0].facts.clone();
        let function = self.new_function(name.clone(), linkage, &chosen.of, &facts, chosen.location);
        self.program.functions[function].is_internal = true;
        self.by_table.insert(key, function);
        let state = State { function: name, class: chosen.class, depth: self.state.depth, ..State::default() };
        let outer = std::mem::replace(&mut self.state, state);
        let made = self.body_by_table(&chosen, slot);
        let state = std::mem::replace(&mut self.state, outer);
        made?;
        let mut body = state.body;
        body.root = body.statements.keys().next();
        self.program.functions[function].body = Some(body);
        Ok(function)
    }

    /// The body of such a function: all that it takes is passed on.
    fn body_by_table(&mut self, chosen: &Chosen, slot: (Struct, usize)) -> Outcome<()> {
        let location = chosen.location;
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        for &of in &*chosen.of.parameters {
            let to = self.type_of(of);
            let variable = self.new_variable("", to, None, location);
            self.state.body.parameters.push(variable);
            let place = self.build().variable(variable, location);
            operands.push(match *self.form(of) {
                FormKind::Reference(to, _) => {
                    let (pointee, pointer) = (self.type_of(to), self.build().load(place));
                    let expression = self.build().push(ExpressionKind::Dereference(pointer), pointee, location);
                    Operand { expression, written: to }
                }
                _ => Operand { expression: place, written: of.in_space(AddressSpace::Private) },
            });
        }
        let block = self.new_statement(location, location);
        let inner = self.new_statement(location, location);
        let made = self.call_virtual(slot, chosen, operands[0], &operands[1..], location)?;
        let kind = match (self.build().shape_of(made.expression), self.form(chosen.of.result)) {
            (Shape::Void, _) => StatementKind::Expression(made.expression),
            (_, FormKind::Reference(..)) => {
                StatementKind::Return(Some(self.build().address_of(made.expression, location)?))
            }
            _ => StatementKind::Return(Some(self.value(made).expression)),
        };
        self.set(inner, kind);
        self.set(block, StatementKind::Compound(vec![inner]));
        Ok(())
    }

    /// What `a.*p` or `a->*p` is made of. None where something of it is not known.
    fn pointed(&mut self, member: &PointedMember, location: Location) -> Outcome<Result<Pointed, [Operand; 2]>> {
        let operator = if member.arrow { "->*" } else { ".*" };
        let base = self.expression(member.base)?;
        let base = if member.arrow { self.value(base) } else { base };
        let pointer = self.operand(member.pointer)?;
        let pointer = self.value(pointer);
        if self.is_unknown(base.written) || self.is_unknown(pointer.written) {
            return Ok(Err([base, pointer]));
        }
        let FormKind::MemberPointer(of, class) = *self.form(pointer.written) else {
            let name = self.name_of(pointer.written);
            let message = format!("`{operator}` needs a pointer to a member after it, not `{name}`");
            return Err(Diagnostic::error(location, message));
        };
        if member.arrow && !matches!(self.form(base.written), FormKind::Pointer(_)) {
            let name = self.name_of(base.written);
            return Err(Diagnostic::error(location, format!("`->*` needs a pointer before it, not `{name}`")));
        }
        let base = if member.arrow { self.dereference(base, location)? } else { base };
        let wanted = self.class_of(Written::bare(class));
        match (self.class_of(base.written), wanted) {
            (Some(from), Some(to)) if from == to || self.is_derived(from, to) => {
                let object = self.object_place(base, location);
                Ok(Ok(Pointed { object: self.base_part(object, to, location)?, pointer, of }))
            }
            _ => {
                let (from, to) = (self.name_of(base.written), self.name_of(Written::bare(class)));
                let message = format!("a `{from}` is no `{to}`, whose member the pointer is to");
                Err(Diagnostic::error(location, message))
            }
        }
    }

    /// `a.*p`, `a->*p`: the place of data.
    pub(super) fn pointed_member(&mut self, member: &PointedMember, location: Location) -> Outcome<Operand> {
        match self.pointed(member, location)? {
            Ok(pointed) => self.pointed_data(&pointed, location),
            Err(operands) => Ok(self.unknown_place(&operands, location)),
        }
    }

    fn pointed_data(&mut self, pointed: &Pointed, location: Location) -> Outcome<Operand> {
        let &Pointed { object, pointer, of } = pointed;
        if let FormKind::Function(_) = self.form(of) {
            return Err(Diagnostic::error(location, "a function that a pointer to a member says can only be called"));
        }
        let (_, _, long) = self.types_of_member_function();
        let one = self.build().integer(1, long, location);
        let offset = match self.build().kind(pointer.expression).bits() {
            Some(bits) => self.build().integer(bits as i128 - 1, long, location),
            None => {
                let less = ExpressionKind::Arithmetic(BinaryOperator::Subtract, pointer.expression, one);
                self.build().push(less, long, location)
            }
        };
        let (space, is_volatile) = self.build().space_of_place(object.expression);
        let place = self.moved(object, offset, of, (space, is_volatile || of.is_volatile), location)?;
        Ok(Operand { expression: place, written: of.within(object.written).in_space(space) })
    }

    /// The place of a type that is some bytes behind the beginning of an object, in a space.
    fn moved(
        &mut self,
        object: Operand,
        bytes: Expression,
        of: Written,
        (space, is_volatile): (AddressSpace, bool),
        location: Location,
    ) -> Outcome<Expression> {
        let to = self.type_of(of);
        let byte = self.program.types.integer(8, false);
        let to_bytes = self.program.types.intern(TypeKind::Pointer { pointee: byte, space, is_volatile });
        let pointer = self.program.types.intern(TypeKind::Pointer { pointee: to, space, is_volatile });
        let mut address = self.build().address_of(object.expression, location)?;
        if self.build().kind(bytes).bits() != Some(0) {
            address = self.build().convert_to(Conversion::Pointer, address, to_bytes);
            address = self.build().push(ExpressionKind::PointerOffset(address, bytes), to_bytes, location);
        }
        if self.build().type_of(address) != pointer {
            address = self.build().convert_to(Conversion::Pointer, address, pointer);
        }
        Ok(self.build().push(ExpressionKind::Dereference(address), to, location))
    }

    /// `(a.*p)(x)`, `(a->*p)(x)`.
    pub(super) fn call_pointed_member(
        &mut self,
        member: &PointedMember,
        arguments: &'a [Expr],
        convergent: Option<bool>,
        location: Location,
    ) -> Outcome<Operand> {
        let pointed = match self.pointed(member, location)? {
            Ok(pointed) => pointed,
            Err(operands) => {
                let arguments = self.arguments(arguments)?;
                let all: Vec<Operand> = operands.into_iter().chain(arguments).collect();
                return Ok(self.called("a function", &all, location));
            }
        };
        let Pointed { object, pointer, of } = pointed;
        let FormKind::Function(function) = self.form(of).clone() else {
            let called = self.pointed_data(&pointed, location)?;
            return self.call_value(called, None, arguments, location);
        };
        let form = Written { is_const: function.is_const, ..object.written.unqualified() };
        let (found, object) = self.found_once(object, pointer, location)?;
        let parts = self.parts_of(pointer, location);
        let object_is_const = object.written.is_const;
        let place = self.moved(object, parts.offset, form, (AddressSpace::Generic, false), location)?;
        let written = Written { is_const: object_is_const, ..form }.in_space(AddressSpace::Generic);
        let object = Operand { expression: place, written };
        let taken = self.written.reference(&mut self.program.types, form, false);
        let parameters: Rc<[Written]> = std::iter::once(taken).chain(function.parameters.iter().copied()).collect();
        let of = FunctionForm { parameters, is_const: false, ..function };
        self.check_passed(of.result, "returned", location)?;
        let name = match self.tree.expressions[member.pointer].kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        };
        let chosen = self.pointed_at(of, name, true);
        let mut all = vec![object];
        all.extend(self.arguments(arguments)?);
        let values: ThinVec<Expression> = self.pass(&chosen, &all, location)?;
        let known = match *self.build().kind(parts.function) {
            ExpressionKind::Convert(Conversion::Pointer, inner) => inner,
            _ => parts.function,
        };
        let call = match *self.build().kind(known) {
            ExpressionKind::Function(function) => ExpressionKind::Call { function, convergent, arguments: values },
            _ => {
                let pointee = Written::bare(self.intern(FormKind::Function(chosen.of.clone())));
                let pointer = self.written.pointer(&mut self.program.types, pointee);
                let pointer = self.type_of(pointer);
                let pointer = self.build().convert_to(Conversion::Pointer, parts.function, pointer);
                ExpressionKind::CallPointer { pointer, arguments: values }
            }
        };
        let made = self.push_call(call, &chosen.of, location);
        let all: Vec<Expression> = found.into_iter().chain(parts.before).chain([made.expression]).collect();
        let expression = self.sequence(&all, location);
        Ok(Operand { expression, ..made })
    }

    /// The object before the pointer: where that one does more than to read variables, the address of the object is kept, and what does that is given, too.
    fn found_once(
        &mut self,
        object: Operand,
        pointer: Operand,
        location: Location,
    ) -> Outcome<(Option<Expression>, Operand)> {
        if self.is_constant(pointer.expression) || self.only_reads(pointer.expression) {
            return Ok((None, object));
        }
        let address = self.build().address_of(object.expression, location)?;
        let of = self.build().type_of(address);
        let kept = self.new_variable("", of, None, location);
        let place = self.build().variable(kept, location);
        let found = self.push_assign(place, address, location);
        let again = self.build().variable(kept, location);
        let again = self.build().load(again);
        let expression = self.build().dereference(again, location)?;
        Ok((Some(found), Operand { expression, ..object }))
    }

    /// Whether an expression is the value of a variable or of a part of one.
    fn only_reads(&mut self, expression: Expression) -> bool {
        let mut at = expression;
        loop {
            at = match *self.build().kind(at) {
                ExpressionKind::Variable(_) | ExpressionKind::Global(_) => return true,
                ExpressionKind::Load(inner)
                | ExpressionKind::Dereference(inner)
                | ExpressionKind::Field { base: inner, .. } => inner,
                _ => return false,
            };
        }
    }

    /// Takes a pointer to a function of a class apart; one that is no constant is kept in a variable.
    pub(super) fn parts_of(&mut self, pointer: Operand, location: Location) -> Parts {
        let (_, of, long) = self.types_of_member_function();
        match self.build().kind(pointer.expression).clone() {
            ExpressionKind::AggregateOf(parts) if self.is_constant(pointer.expression) => {
                Parts { before: None, function: parts[0], offset: parts[1] }
            }
            ExpressionKind::Load(place) if self.only_reads(place) => {
                let mut part = |index| {
                    let field = self.build().field(place, index, location);
                    self.build().load(field)
                };
                Parts { before: None, function: part(0), offset: part(1) }
            }
            ExpressionKind::Zero => Parts {
                before: None,
                function: self.build().integer(0, of, location),
                offset: self.build().integer(0, long, location),
            },
            _ => {
                let kept = self.temporary(pointer.written, location);
                let place = self.build().variable(kept, location);
                let before = Some(self.push_assign(place, pointer.expression, location));
                let mut part = |index| {
                    let place = self.build().variable(kept, location);
                    let field = self.build().field(place, index, location);
                    self.build().load(field)
                };
                Parts { before, function: part(0), offset: part(1) }
            }
        }
    }

    /// Whether a pointer to a member, or a part of one, is known here.
    fn is_constant(&mut self, value: Expression) -> bool {
        match self.build().kind(value).clone() {
            ExpressionKind::AggregateOf(parts) => parts.iter().all(|&part| self.is_constant(part)),
            ExpressionKind::Convert(Conversion::Pointer, inner) => self.is_constant(inner),
            ExpressionKind::Function(_) | ExpressionKind::Integer(_) | ExpressionKind::Zero => true,
            _ => false,
        }
    }
}
