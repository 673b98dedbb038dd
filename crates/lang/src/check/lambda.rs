//! Lambdas: objects of classes that nobody named.
//!
//! **Definition.** A lambda is an object of a class of its own for each time that it is checked. What it captures are the members, by the names of what is captured, and its
//! function is `operator()`. It captures the variables around it whose names stand in its text, where `=` or `&` says so, and what it names in `[…]`. What else the names in its text
//! mean where it stands (types, constants, variables that are not on the stack) they mean in its class, too. A variable whose value is known is such a constant. A number or
//! pointer that is captured by reference, and that nothing changes while the lambda lives, is copied, and so is a constant object of a few of them: nobody can tell, and analyses know more of
//! it.

mod pack;

use rustc_hash::FxHashSet;

use super::class::{Class, This as Captured};
use super::names::{Meaning, NameSpace};
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Capture, CaptureKind, HostLambda, Initializer, Lambda, LargeKind, Name};
use crate::typed::{
    AddressSpace, Expression, ExpressionKind, Field, Layout, Shape, Struct, StructData, Type, TypeKind,
};

/// A lambda whose object is still to be made.
pub(super) struct Closure {
    class: Struct,
    /// What the members start with, in order.
    members: Vec<Start>,
}

/// How a lambda captures what it names.
#[derive(Clone, Copy)]
struct Way<'l> {
    kind: CaptureKind,
    /// The names of variables that may be changed while it lives.
    changed: &'l [Symbol],
}

/// What a member of a lambda's object starts with.
struct Start {
    of: Written,
    value: Operand,
}

impl<'a> Checker<'a> {
    /// A lambda in a variable that nobody named.
    pub(super) fn lambda(&mut self, lambda: &'a Lambda, location: Location) -> Outcome<Operand> {
        let closure = self.closure(lambda, location)?;
        let written = self.closure_type(&closure);
        let variable = self.temporary(written, location);
        let place = self.build().variable(variable, location);
        let made = self.make_closure(place, closure, location)?;
        self.begin_temporary(variable, written);
        let place = self.build().variable(variable, location);
        let expression = match made {
            Some(made) => self.build().comma(made, place, location),
            None => place,
        };
        Ok(Operand { expression, written })
    }

    /// The type of a lambda's object.
    pub(super) fn closure_type(&mut self, closure: &Closure) -> Written {
        let of = self.intern(FormKind::Struct(closure.class));
        Written::bare(of).in_space(AddressSpace::Private)
    }

    /// A class for a lambda.
    fn closure_class(&mut self, location: Location) -> Struct {
        self.lambdas += 1;
        let class = self.program.types.structs.push(StructData {
            name: format!("lambda.{}", self.lambdas),
            is_union: false,
            is_packed: false,
            alignment: None,
            fields: Vec::new(),
            is_complete: true,
            layout: Default::default(),
        });
        let own = Class::of_lambda(self.state.class, self.state.arguments.clone());
        self.classes.insert(class, own);
        self.struct_places.insert(class, location);
        class
    }

    /// The type of a lambda of the host. Its members have the types of the host's variables, as far as these are known; what they start with, nothing says.
    pub(super) fn lambda_of_host(&mut self, lambda: &'a HostLambda) -> Outcome<Written> {
        let LargeKind::Lambda(data) = &self.tree.large[lambda.lambda] else {
            return Err(Diagnostic::unsupported(lambda.location, "a lambda that is not understood"));
        };
        let class = self.closure_class(lambda.location);
        let of_all = data.names.iter().filter(|_| data.default.is_some());
        let named = data.captures.iter().map(|capture| &capture.name);
        for &name in named.clone().chain(of_all) {
            let known = lambda.around.iter().find(|(of, _)| *of == name);
            let is_known = self.class_name(class, name, NameSpace::Ordinary).is_some();
            // What is named and cannot be seen through is something; other names need not be those of variables.
            if is_known || known.is_none() && !named.clone().any(|&named| named == name) {
                continue;
            }
            let of = known.and_then(|(_, of)| self.type_name(of).ok()).map(Written::unqualified);
            let of = of.unwrap_or_else(|| self.unknown_type());
            self.declare_captured(class, name, of, lambda.location)?;
        }
        self.declare_member(class, &data.item)?;
        Ok(Written::bare(self.intern(FormKind::Struct(class))))
    }

    /// The class of a lambda, and what the members of its object start with.
    pub(super) fn closure(&mut self, lambda: &'a Lambda, location: Location) -> Outcome<Closure> {
        let class = self.closure_class(location);
        let mut closure = Closure { class, members: Vec::new() };
        let mut named: FxHashSet<Symbol> = FxHashSet::default();
        for capture in &lambda.captures {
            named.insert(capture.name);
            self.capture(&mut closure, capture, &lambda.changed)?;
        }
        if lambda.default.is_some()
            && !self.has_captured_this(class)
            && self.uses_this(lambda)
            && self.this_object(location).is_some()
        {
            self.capture_this(&mut closure, CaptureKind::This, location)?;
        }
        for &name in lambda.names.iter().filter(|name| !named.contains(name)) {
            let way = lambda.default.map(|kind| Way { kind, changed: &lambda.changed });
            self.found_around(&mut closure, way, name, location)?;
        }
        self.spend_elements(closure.members.len() as u64, location)?;
        let of = self.intern(FormKind::Struct(class));
        let of = self.type_of(Written::bare(of));
        self.check_size(of, location)?;
        self.declare_member(class, &lambda.item)?;
        Ok(closure)
    }

    /// Makes the object in a place. None where there is nothing in it.
    pub(super) fn make_closure(
        &mut self,
        place: Expression,
        closure: Closure,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        if !closure.members.is_empty() && self.is_plain_lambda(closure.class) {
            let mut values = Vec::with_capacity(closure.members.len());
            for Start { of, value } in closure.members {
                values.push(self.converted(value, of, location)?);
            }
            let of = self.build().type_of(place);
            let whole = self.build().aggregate_of(values, of, location);
            return Ok(Some(self.push_assign(place, whole, location)));
        }
        let mut parts = Vec::with_capacity(closure.members.len());
        for (index, Start { of, value }) in closure.members.into_iter().enumerate() {
            let member = self.build().field(place, index as u32, location);
            match *self.form(of) {
                FormKind::Struct(_) => {
                    let member = Operand { expression: member, written: of.in_space(AddressSpace::Private) };
                    parts.extend(self.construct_at(member, &[value], location)?);
                }
                FormKind::Array(..) => {
                    let value = self.build().load(value.expression);
                    parts.push(self.push_assign(member, value, location));
                }
                _ => {
                    let value = self.converted(value, of, location)?;
                    parts.push(self.push_assign(member, value, location));
                }
            }
        }
        Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
    }

    /// What is named in `[…]`.
    fn capture(&mut self, closure: &mut Closure, capture: &'a Capture, changed: &[Symbol]) -> Outcome<()> {
        let (name, location) = (capture.name, capture.location);
        match (capture.kind, &capture.initializer) {
            (CaptureKind::This | CaptureKind::Object, _) => self.capture_this(closure, capture.kind, location),
            (kind, Some(initializer)) => {
                let value = match initializer {
                    Initializer::Expression(value) => *value,
                    Initializer::List(items, _) => match &items[..] {
                        [(designators, Initializer::Expression(value))] if designators.is_empty() => *value,
                        _ => return Err(Diagnostic::error(location, "a lambda captures one value by one name")),
                    },
                };
                let operand = self.expression(value)?;
                let operand = if kind == CaptureKind::Value { self.decayed(operand) } else { operand };
                self.add_member(closure, kind, name, operand, location)
            }
            (kind, None) => match self.captured_variable(name, location) {
                Some(operand) => self.add_variable(closure, Way { kind, changed }, name, operand?, location),
                None if self.captured_pack(closure, Some(Way { kind, changed }), name, location)? => Ok(()),
                None => self.found_around(closure, None, name, location),
            },
        }
    }

    /// The value of an array or a function is a pointer; others are themselves.
    fn decayed(&mut self, operand: Operand) -> Operand {
        match self.form(operand.written) {
            FormKind::Array(..) | FormKind::Function(_) => self.value(operand),
            _ => operand,
        }
    }

    /// A variable around a lambda that it may capture, or what a lambda around it has captured.
    fn captured_variable(&mut self, name: Symbol, location: Location) -> Option<Outcome<Operand>> {
        let plain = Name::plain(name);
        let meaning = match self.find_in_function(name, NameSpace::Ordinary) {
            Some((meaning, _)) if meaning.is_variable() => meaning.clone(),
            Some(_) => return None,
            None => match self.state.class.filter(|&class| self.is_lambda(class)) {
                Some(class) => match self.class_name(class, name, NameSpace::Ordinary) {
                    Some((meaning @ Meaning::Field(_), _)) => meaning.clone(),
                    _ => return None,
                },
                None => return None,
            },
        };
        Some(self.named_thing(meaning, plain, location))
    }

    /// What a name means that is declared in the function at hand. In functions of classes variables have names with the scopes of these.
    fn find_in_function(&self, name: Symbol, space: NameSpace) -> Option<(&Meaning, Location)> {
        let names = &self.state.names;
        let inside = || names.find(self.tree.scopes.find(self.state.scope, name)?, space);
        names.find(Name::plain(name), space).or_else(inside)
    }

    /// What a name of a variable around a lambda means in it, where that is in a function of a class.
    pub(super) fn find_in_lambdas(&self, name: Name, space: NameSpace) -> Option<(&Meaning, Location)> {
        let scopes = &self.tree.scopes;
        let mut class = self.state.class.filter(|_| scopes.scope(name) == self.state.scope);
        while let Some(number) = class.filter(|&class| self.is_lambda(class)) {
            if let Some(found) = self.class_name(number, scopes.spelling(name), space) {
                return Some(found);
            }
            class = self.classes.get(&number).and_then(|class| class.around);
        }
        None
    }

    /// A name in the text of a lambda that is not named in `[…]`.
    fn found_around(
        &mut self,
        closure: &mut Closure,
        default: Option<Way<'_>>,
        name: Symbol,
        location: Location,
    ) -> Outcome<()> {
        if self.captured_pack(closure, default, name, location)? {
            return Ok(());
        }
        for space in [NameSpace::Ordinary, NameSpace::Tag] {
            let Some((meaning, at)) = self.find_in_function(name, space) else { continue };
            let meaning = match *meaning {
                Meaning::Variable(variable, of) => match self.state.known.get(&variable) {
                    Some(value) => Meaning::Constant(value.clone(), of),
                    None => continue,
                },
                ref other if other.is_variable() => continue,
                ref other => other.clone(),
            };
            if let Meaning::Type(of) = meaning {
                self.declare_enumerators(closure.class, of);
            }
            self.declare_in_class_as(closure.class, (name, space), meaning, at);
        }
        if self.class_name(closure.class, name, NameSpace::Ordinary).is_some() {
            return Ok(());
        }
        match (default, self.captured_variable(name, location)) {
            (Some(way), Some(operand)) => self.add_variable(closure, way, name, operand?, location),
            _ => Ok(()),
        }
    }

    /// Where a type is an enumeration of the function around, `E::a` means in a lambda what it means there.
    fn declare_enumerators(&mut self, class: Struct, of: Written) {
        let FormKind::Enum(number) = *self.form(of) else { return };
        let Some(owner) = self.written.enums[number].name else { return };
        let (scopes, names) = (&self.tree.scopes, &self.state.names);
        let own = names.all().filter(|&name| scopes.owner(scopes.scope(name)) == Some(owner));
        let found = own.filter_map(|name| names.find(name, NameSpace::Ordinary).map(|found| (name, found)));
        let Some(class) = self.classes.get_mut(&class) else { return };
        for (name, (meaning, at)) in found {
            class.declare_inner(name, NameSpace::Ordinary, meaning.clone(), at);
        }
    }

    /// Captures a variable.
    fn add_variable(
        &mut self,
        closure: &mut Closure,
        way: Way<'_>,
        name: Symbol,
        value: Operand,
        location: Location,
    ) -> Outcome<()> {
        let kind = self.kind_of_capture(way, name, value);
        self.add_member(closure, kind, name, value, location)
    }

    /// How a variable is captured in truth.
    fn kind_of_capture(&mut self, Way { kind, changed }: Way<'_>, name: Symbol, value: Operand) -> CaptureKind {
        let of = self.type_of(value.written);
        let shape = self.build().shape(of);
        let is_number = shape.is_scalar() || matches!(shape, Shape::Pointer { .. });
        let is_value = is_number || value.written.is_const && self.is_plain_value(of);
        // What a lambda around has a copy of is no place.
        let is_stable = match self.state.body.expressions[value.expression].kind {
            ExpressionKind::Variable(variable) if is_value && !changed.contains(&name) => {
                self.state.copied.insert(variable);
                true
            }
            _ => false,
        };
        let is_copied = is_stable || !self.build().is_place(value.expression);
        if is_copied { CaptureKind::Value } else { kind }
    }

    /// Whether objects of a type are a few numbers and pointers, and copies of them nothing else.
    fn is_plain_value(&mut self, of: Type) -> bool {
        /// How many members are looked at, and how many bytes copied, at most.
        const MOST: usize = 64;
        let mut open = vec![of];
        let mut seen = 0;
        while let Some(of) = open.pop() {
            seen += 1;
            match self.build().shape(of) {
                _ if seen > MOST => return false,
                Shape::Vector { .. } | Shape::Pointer { .. } => {}
                shape if shape.is_scalar() => {}
                Shape::Struct(number) => {
                    let is_own = |class: &Class<'_>| {
                        class.constructors.or(class.destructor).is_some() || class.table_at.is_some()
                    };
                    let data = &self.program.types.structs[number];
                    if !data.is_complete
                        || self.partial.contains(&number)
                        || self.classes.get(&number).is_some_and(is_own)
                    {
                        return false;
                    }
                    open.extend(data.fields.iter().map(|field| field.of).take(MOST));
                    seen += data.fields.len().saturating_sub(MOST);
                }
                _ => return false,
            }
        }
        let layout = Layout { types: &self.program.types, target: self.program.target };
        layout.size(of) <= MOST as u64
    }

    /// Whether the object that the function at hand is called with may be used in a lambda.
    fn uses_this(&self, lambda: &Lambda) -> bool {
        let is_member = |name: Symbol| match self.find_in_classes(name, NameSpace::Ordinary) {
            Some((Meaning::Field(_) | Meaning::Functions(_), _)) => true,
            _ => self.text(name) == "this",
        };
        self.state.this.is_some() && lambda.names.iter().any(|&name| is_member(name))
    }

    fn capture_this(&mut self, closure: &mut Closure, kind: CaptureKind, location: Location) -> Outcome<()> {
        let Some(object) = self.this_object(location) else {
            return Err(Diagnostic::error(location, "`this` is only known in functions of objects"));
        };
        let is_copy = kind == CaptureKind::Object;
        let captured = Captured { field: closure.members.len() as u32, of: object.written, is_copy };
        let of = match is_copy {
            true => object.written.unqualified(),
            false => self.reference_to(object),
        };
        let to = self.type_of(of);
        self.program.types.structs[closure.class].fields.push(Field { name: "this".to_owned(), of: to });
        closure.members.push(Start { of, value: object });
        if let Some(class) = self.classes.get_mut(&closure.class) {
            class.captured_this = Some(captured);
        }
        Ok(())
    }

    /// The type of a reference to a place.
    fn reference_to(&mut self, place: Operand) -> Written {
        let (space, _) = self.build().space_of_place(place.expression);
        self.written.reference(&mut self.program.types, place.written.in_space(space), false)
    }

    fn add_member(
        &mut self,
        closure: &mut Closure,
        kind: CaptureKind,
        name: Symbol,
        value: Operand,
        location: Location,
    ) -> Outcome<()> {
        let of = self.type_of_capture(kind, name, value, location)?;
        self.declare_captured(closure.class, name, of, location)?;
        closure.members.push(Start { of, value });
        Ok(())
    }

    /// The type of the member that holds something.
    fn type_of_capture(
        &mut self,
        kind: CaptureKind,
        name: Symbol,
        value: Operand,
        location: Location,
    ) -> Outcome<Written> {
        match kind {
            CaptureKind::Reference if self.build().is_place(value.expression) => Ok(self.reference_to(value)),
            CaptureKind::Reference => {
                let message = format!("`{}` captures a value by reference that is in no variable", self.text(name));
                Err(Diagnostic::error(location, message))
            }
            _ => Ok(value.written.unqualified()),
        }
    }

    /// Declares what a lambda has captured, the next member of its class.
    fn declare_captured(&mut self, class: Struct, name: Symbol, of: Written, location: Location) -> Outcome<()> {
        let field = self.push_member(class, name, of, location)?;
        self.members.insert((class, name), super::record::Member { path: smallvec::smallvec![field], of });
        self.declare_in_class(class, name, Meaning::Field(name), location);
        Ok(())
    }

    /// Adds a member to a class. Gives its number.
    fn push_member(&mut self, class: Struct, name: Symbol, of: Written, location: Location) -> Outcome<u32> {
        self.complete(of, location)?;
        let text = self.text(name).to_owned();
        let of = self.type_of(of);
        let fields = &mut self.program.types.structs[class].fields;
        fields.push(Field { name: text, of });
        Ok(fields.len() as u32 - 1)
    }

    /// Whether a class is that of a lambda.
    pub(super) fn is_lambda(&self, class: Struct) -> bool {
        self.classes.get(&class).is_some_and(|class| class.is_lambda)
    }

    /// Whether a class is that of a lambda whose object holds numbers and pointers only.
    pub(super) fn is_plain_lambda(&self, class: Struct) -> bool {
        let is_plain = |of: Type| {
            !matches!(self.program.types.kind(of), TypeKind::Struct(_) | TypeKind::Array { .. } | TypeKind::Unknown)
        };
        self.is_lambda(class) && self.program.types.structs[class].fields.iter().all(|field| is_plain(field.of))
    }

    fn has_captured_this(&self, class: Struct) -> bool {
        self.classes.get(&class).is_some_and(|class| class.captured_this.is_some())
    }

    /// The object that a lambda has captured as `this`.
    pub(super) fn captured_this(&mut self, lambda: Operand, location: Location) -> Option<Operand> {
        let class = self.class_of(lambda.written)?;
        let Captured { field, of, is_copy } = self.classes.get(&class)?.captured_this?;
        let member = self.build().field(lambda.expression, field, location);
        if is_copy {
            return Some(Operand { expression: member, written: of.unqualified().within(lambda.written) });
        }
        let to = self.type_of(of);
        let pointer = self.build().rvalue(member);
        let expression = self.build().push(ExpressionKind::Dereference(pointer), to, location);
        Some(Operand { expression, written: of })
    }

    /// The function of a lambda that captures nothing, as a pointer to it; none where it is not of that type.
    pub(super) fn lambda_pointer(&mut self, value: Operand, to: Written, location: Location) -> Option<Expression> {
        let class = self.class_of(value.written).filter(|&class| self.is_lambda(class))?;
        let set = self.member_functions(class, self.symbols.find("operator()")?)?;
        match &self.sets[set].candidates[..] {
            [only] if !only.has_object => {}
            _ => return None,
        }
        let pointer = self.function_value(set, location).ok()?;
        (pointer.written.form == to.form).then_some(pointer.expression)
    }
}
