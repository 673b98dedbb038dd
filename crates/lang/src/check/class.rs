//! Classes: what their names mean, and their bases.
//!
//! **Definition.** A class is a struct with *names*: types, constants, data, functions, those of its bases among them unless it has its own. A member function
//! is a function whose first parameter is a reference to the object. A class inside of a template has the arguments of that template, and is
//! another class for others.
//!
//! **Invariant.** The body of a member function is checked when the function is called: what nobody calls costs nothing.

mod templates;
mod undefined;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::function::{Candidate, FunctionSet};
use super::names::{Meaning, NameSpace};
use super::record::Member;
use super::state::State;
use super::virtuals::{TableAt, Virtual};
use super::written::{Argument, FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::{Diagnostic, Ground};
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{
    self, Body, Declaration, FunctionItem, FunctionKind, Initializer, Name, Record, Scope, TypeSpecifier,
};
use crate::typed::{Conversion, Expression, Field, Global, Struct};
pub(super) use templates::{ClassTemplate, by_name};
pub(super) use undefined::{AllUndefined, Mention};

/// The arguments of a template by the names of its parameters.
pub(super) type NamedArguments = Vec<(Name, Argument)>;

/// What a class has beside the data of its objects.
#[derive(Debug, Default)]
pub(super) struct Class<'a> {
    names: FxHashMap<(Symbol, NameSpace), (Meaning, Location)>,
    /// What names of scopes in it mean, which differ for each instance.
    inner: FxHashMap<(Name, NameSpace), (Meaning, Location)>,
    /// The arguments of the templates that it is in, by the names of their parameters.
    pub(super) arguments: NamedArguments,
    /// The class that it is declared in.
    pub(super) around: Option<Struct>,
    pub(super) bases: Vec<Base>,
    /// The constructors that somebody wrote.
    pub(super) constructors: Option<usize>,
    /// Whether `= default` says that it can be made of nothing.
    pub(super) has_default: bool,
    /// The destructor, if it does something.
    pub(super) destructor: Option<usize>,
    /// The conversions to other types.
    pub(super) conversions: Option<usize>,
    /// Whether an object of it starts with more than zeros by itself.
    pub(super) is_started: bool,
    /// What members start with where no constructor says otherwise.
    pub(super) starts: Vec<(Symbol, &'a Initializer)>,
    /// The template that it is an instance of, and the arguments.
    instance: Option<(usize, Rc<[Argument]>)>,
    /// Its virtual functions, those of its base first.
    pub(super) virtuals: Vec<Virtual>,
    /// Where its objects have the address of the table of these.
    pub(super) table_at: Option<TableAt>,
    /// That table, once somebody makes an object.
    pub(super) table: Option<Global>,
    /// Whether its members are being declared: its names are those of the scopes at hand.
    is_open: bool,
    /// Whether it is that of a lambda.
    pub(super) is_lambda: bool,
    /// The object that it has captured as `this`.
    pub(super) captured_this: Option<This>,
}

impl Class<'_> {
    /// The class of a lambda in a function that may be one of another class.
    pub(super) fn of_lambda(around: Option<Struct>, arguments: Vec<(Name, Argument)>) -> Self {
        Class { around, arguments, is_lambda: true, ..Class::default() }
    }

    /// Lets a name with the scope of something in the class mean something in it.
    pub(super) fn declare_inner(&mut self, name: Name, space: NameSpace, meaning: Meaning, location: Location) {
        self.inner.insert((name, space), (meaning, location));
    }
}

/// What a lambda has captured as `this`.
#[derive(Debug, Clone, Copy)]
pub(super) struct This {
    pub(super) field: u32,
    /// The type of the object.
    pub(super) of: Written,
    /// Whether the object is in it, and not only its address.
    pub(super) is_copy: bool,
}

/// A base of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base {
    pub(super) of: Struct,
    /// The member that it is; none where it holds nothing.
    pub(super) field: Option<u32>,
}

impl<'a> Checker<'a> {
    /// Opens a class, whose members are declared then.
    pub(super) fn open_class(&mut self, number: Struct) -> (Option<Struct>, bool) {
        let around = self.state.class;
        let outer = match around {
            Some(around) => self.classes.get(&around).map_or_else(Vec::new, |class| class.arguments.clone()),
            None => self.state.arguments.clone(),
        };
        let class = self.classes.entry(number).or_default();
        class.is_open = true;
        if class.instance.is_none() {
            (class.arguments, class.around) = (outer, around);
        }
        let around = class.around;
        self.note_class_around(number, around);
        self.state.names.enter();
        (self.state.class.replace(number), std::mem::replace(&mut self.state.is_in_class, true))
    }

    /// Notes for its name in IR that a class is in an instance of a template.
    fn note_class_around(&mut self, number: Struct, around: Option<Struct>) {
        if let Some(around) = around
            && (self.written.arguments.contains_key(&around) || self.written.around.contains_key(&around))
        {
            self.written.around.insert(number, around);
        }
    }

    /// Closes it: its names are found through it from now on.
    pub(super) fn close_class(&mut self, number: Struct, record: &'a Record, outer: (Option<Struct>, bool)) {
        (self.state.class, self.state.is_in_class) = outer;
        let names = self.state.names.leave_with_names();
        let Some(class) = self.classes.get_mut(&number) else { return };
        class.is_open = false;
        for (name, space, meaning, location) in names {
            let scopes = &self.tree.scopes;
            let scope = scopes.scope(name);
            if scope == Scope::UNIT || scopes.owner(scope) == record.name {
                class.names.insert((scopes.spelling(name), space), (meaning, location));
            } else if class.arguments.is_empty() {
                self.file.declare(name, space, meaning, location);
            } else {
                class.declare_inner(name, space, meaning, location);
            }
        }
    }

    /// Lets the arguments of a class mean something, and what they mean in it be found.
    pub(super) fn enter_class(&mut self, class: Option<Struct>) -> Option<Struct> {
        self.state.names.enter();
        let outer = self.state.class;
        if let Some(number) = class
            && let Some(class) = self.classes.get(&number)
        {
            let arguments = class.arguments.clone();
            self.bind_arguments(&arguments);
            self.state.class = Some(number);
        }
        outer
    }

    pub(super) fn leave_class(&mut self, outer: Option<Struct>) {
        self.state.class = outer;
        self.state.names.leave();
    }

    /// What a spelling means in a class.
    pub(super) fn class_name(&self, class: Struct, name: Symbol, space: NameSpace) -> Option<(&Meaning, Location)> {
        let (meaning, location) = self.classes.get(&class)?.names.get(&(name, space))?;
        Some((meaning, *location))
    }

    /// A class and those that it is declared in.
    fn classes_around(&self, class: Option<Struct>) -> impl Iterator<Item = Struct> {
        std::iter::successors(class, |class| self.classes.get(class)?.around)
    }

    /// What a spelling means in the classes around.
    pub(super) fn find_in_classes(&self, name: Symbol, space: NameSpace) -> Option<(&Meaning, Location)> {
        self.classes_around(self.state.class).find_map(|class| self.class_name(class, name, space))
    }

    /// What a name with the scope of a class means.
    pub(super) fn find_member_name(&self, name: Name, space: NameSpace) -> Option<(&Meaning, Location)> {
        let scopes = &self.tree.scopes;
        let inner = self.classes_around(self.state.class).find_map(|class| {
            let (meaning, location) = self.classes.get(&class)?.inner.get(&(name, space))?;
            Some((meaning, *location))
        });
        if inner.is_some() {
            return inner;
        }
        let (owner, spelling) = (scopes.owner(scopes.scope(name))?, scopes.spelling(name));
        match self.class_named(owner) {
            Some(class) => self.class_name(class, spelling, space),
            // A base that depends on the arguments of a template.
            None => self.find_in_classes(spelling, space),
        }
    }

    /// The class that a name stands for: the one around that has it, or what it means.
    pub(super) fn class_named(&self, name: Name) -> Option<Struct> {
        let is_own = |&class: &Struct| self.written.names[class] == Some(name);
        self.classes_around(self.state.class).find(is_own).or_else(|| {
            match self.find(name, NameSpace::Ordinary).or_else(|| self.find(name, NameSpace::Tag)) {
                Some((&Meaning::Type(of), _)) => self.class_of(of),
                _ => None,
            }
        })
    }

    /// What a name that is a type or a member means where it is a member of a type.
    pub(super) fn member_type_named(&mut self, of: Written, name: Symbol, location: Location) -> Outcome<Written> {
        if let FormKind::Struct(class) = *self.form(of) {
            self.require(class)?;
            for space in [NameSpace::Ordinary, NameSpace::Tag] {
                if let Some((&Meaning::Type(found), _)) = self.class_name(class, name, space) {
                    return Ok(found);
                }
            }
        }
        if self.is_tolerant() && self.is_unknown(of) {
            return Ok(of.unqualified());
        }
        let (of, name) = (self.name_of(of), self.text(name));
        let mut wrong = Diagnostic::error(location, format!("`{of}` has no type `{name}`"));
        if self.state.is_substituting {
            wrong.ground = Ground::Substitution;
        }
        Err(wrong)
    }

    /// Puts a base at the beginning of a class.
    pub(super) fn derive(&mut self, number: Struct, base: &'a TypeSpecifier, fields: &mut Vec<Field>) -> Outcome<()> {
        let (of, location) = match base {
            TypeSpecifier::Named(_, location)
            | TypeSpecifier::Template(_, location)
            | TypeSpecifier::Member(.., location)
            | TypeSpecifier::MemberTemplate(_, location) => (self.written_specifier(base)?, *location),
            TypeSpecifier::TypeOf(of) => (self.written_specifier(base)?, self.tree.expressions[*of].location),
            _ => return Err(Diagnostic::unsupported(Location::NONE, "a base of this form is not supported")),
        };
        self.complete(of, location)?;
        let FormKind::Struct(base) = *self.form(of) else {
            let name = self.name_of(of);
            return Err(Diagnostic::error(location, format!("`{name}` is no class, so it is no base")));
        };
        let is_empty = self.program.types.structs[base].fields.is_empty();
        let field = (!is_empty).then_some(fields.len() as u32);
        if let Some(index) = field {
            self.adopt(number, base, index, of);
            let of = self.type_of(of);
            fields.push(Field { name: String::new(), of });
        }
        if self.partial.contains(&base) {
            self.partial.insert(number);
        }
        let names = self.classes.get(&base).map(|class| class.names.clone()).unwrap_or_default();
        if let Some(class) = self.classes.get_mut(&number) {
            class.bases.push(Base { of: base, field });
            class.names.extend(names);
        }
        Ok(())
    }

    /// A variable that a class has once, and not each of its objects.
    pub(super) fn static_member(&mut self, number: Struct, declaration: &'a Declaration) -> Outcome<()> {
        let specifiers = &declaration.specifiers;
        let is_auto = matches!(specifiers.of, Some(TypeSpecifier::Auto));
        let base = if is_auto { None } else { Some(self.specified(specifiers)?) };
        for declarator in &declaration.declarators {
            let location = declarator.declarator.location;
            let of = match base {
                Some(base) => self.declared_variable(specifiers, base, declarator)?,
                None => self.deduced(declarator, specifiers.is_const || specifiers.is_constexpr)?,
            };
            let Some(name) = declarator.declarator.name else { continue };
            let value = match &declarator.initializer {
                Some(initializer) if of.is_const => self.static_initializer(of, initializer, location).ok(),
                _ => None,
            };
            let meaning = match value {
                Some(value) => Meaning::Constant(value, of),
                None if of.is_const && self.is_any_constant(of) => Meaning::AnyConstant(of),
                None => {
                    let message = "static members that are no known constants are not supported";
                    self.broken.insert(name, Diagnostic::unsupported(location, message));
                    Meaning::Broken
                }
            };
            self.declare_in_class(number, self.tree.scopes.spelling(name), meaning, location);
        }
        Ok(())
    }

    /// Gives a name of a class its meaning.
    pub(super) fn declare_in_class(&mut self, number: Struct, name: Symbol, meaning: Meaning, location: Location) {
        self.declare_in_class_as(number, (name, NameSpace::Ordinary), meaning, location);
    }

    /// The same for a name of any kind.
    pub(super) fn declare_in_class_as(
        &mut self,
        number: Struct,
        name: (Symbol, NameSpace),
        meaning: Meaning,
        location: Location,
    ) {
        if let Some(class) = self.classes.get_mut(&number) {
            class.names.insert(name, (meaning, location));
        }
    }

    /// Declares a function of a class. Its body is looked at when somebody calls it.
    pub(super) fn declare_member(&mut self, number: Struct, item: &'a FunctionItem) -> Outcome<()> {
        let location = item.declarator.location;
        let Some(name) = item.declarator.name else { return Ok(()) };
        if item.kind == FunctionKind::Constructor
            && matches!(item.body, Body::Default)
            && let Some(class) = self.classes.get_mut(&number)
        {
            class.has_default |= parameters_of(item).is_empty();
        }
        if matches!(item.body, Body::Deleted | Body::Default) {
            return Ok(());
        }
        if item.kind == FunctionKind::Destructor {
            let is_trivial = match self.tree.body(&item.body) {
                Body::Host => true,
                Body::Statement(body) => self.is_empty_statement(*body),
                _ => false,
            };
            if is_trivial || self.facts(&item.specifiers, &item.declarator)?.is_host && self.dialect().has_host() {
                return Ok(());
            }
            self.has_destructors = true;
        }
        let set = self.class_set(number, item.kind, name, location);
        if let Some(parameters) = item.template.as_deref().filter(|parameters| !parameters.is_empty()) {
            return self.declare_template_in(set, item, parameters, name);
        }
        let facts = self.facts(&item.specifiers, &item.declarator)?;
        let mut facts = super::facts::Facts { is_internal: false, ..facts };
        if facts.is_host && self.dialect().has_host() {
            facts.is_host = true;
            let void = self.program.types.void();
            let result = self.written_of(void);
            let of = FunctionForm {
                result,
                parameters: Rc::default(),
                variadic: true,
                is_const: false,
                ends_in_pack: false,
            };
            self.sets[set]
                .candidates
                .push(Candidate { defaults: Rc::default(), ..Candidate::new(of, facts, location) });
            return Ok(());
        }
        facts.is_host = false;
        let of = self.member_form(number, item)?;
        let has_object = has_object(item);
        let own = parameters_of(item).iter().map(|parameter| parameter.default);
        let defaults = std::iter::repeat_n(None, usize::from(has_object)).chain(own).collect();
        let candidate = Candidate { defaults, item: Some(item), has_object, ..Candidate::new(of, facts, location) };
        self.sets[set].candidates.push(candidate);
        if item.kind == FunctionKind::Named && has_object {
            self.note_virtual(number, (set, self.sets[set].candidates.len() - 1), item);
        }
        Ok(())
    }

    fn is_empty_statement(&self, statement: tree::Stmt) -> bool {
        match &self.tree.statements[statement].kind {
            tree::StmtKind::Compound(parts) => parts.as_slice(&self.tree.parts).is_empty(),
            tree::StmtKind::Empty => true,
            _ => false,
        }
    }

    /// The type of a function of a class: the object comes first.
    pub(super) fn member_form(&mut self, number: Struct, item: &'a FunctionItem) -> Outcome<FunctionForm> {
        let signature = self.signature(&item.specifiers, &item.declarator)?;
        match has_object(item) {
            true => {
                let object = self.object_parameter(number, item.declarator.is_const);
                let parameters = std::iter::once(object).chain(signature.of.parameters.iter().copied()).collect();
                Ok(FunctionForm { parameters, ..signature.of })
            }
            false => Ok(signature.of),
        }
    }

    /// What a function of a class takes for the object: a reference, or the object of a lambda itself where it does not change and nobody can tell it from a copy.
    pub(super) fn object_parameter(&mut self, number: Struct, is_const: bool) -> Written {
        let object = Written::bare(self.intern(FormKind::Struct(number)));
        if is_const && self.is_plain_lambda(number) {
            return object;
        }
        self.written.reference(&mut self.program.types, Written { is_const, ..object }, false)
    }

    /// The functions of a name that a class has itself.
    fn class_set(&mut self, number: Struct, kind: FunctionKind, name: Name, location: Location) -> usize {
        let spelling = self.tree.scopes.spelling(name);
        let known = match kind {
            FunctionKind::Constructor => self.classes.get(&number).and_then(|class| class.constructors),
            FunctionKind::Conversion => self.classes.get(&number).and_then(|class| class.conversions),
            FunctionKind::Destructor => self.classes.get(&number).and_then(|class| class.destructor),
            FunctionKind::Named => match self.class_name(number, spelling, NameSpace::Ordinary) {
                Some((&Meaning::Functions(set), _)) => Some(set),
                _ => None,
            },
        };
        if let Some(set) = known.filter(|&set| self.sets[set].class == Some(number)) {
            return set;
        }
        let set = self.sets.len();
        self.sets.push(FunctionSet { name, kind, class: Some(number), candidates: Vec::new(), templates: Vec::new() });
        match (kind, self.classes.get_mut(&number)) {
            (FunctionKind::Constructor, Some(class)) => class.constructors = Some(set),
            (FunctionKind::Conversion, Some(class)) => class.conversions = Some(set),
            (FunctionKind::Destructor, Some(class)) => class.destructor = Some(set),
            _ => self.declare_in_class(number, spelling, Meaning::Functions(set), location),
        }
        set
    }

    /// Acts in another state. In that of a class whose members are being declared, what was declared of them is found, too.
    pub(super) fn apart<T>(&mut self, state: State, class: Option<Struct>, act: impl FnOnce(&mut Self) -> T) -> T {
        let mut outer = std::mem::replace(&mut self.state, state);
        let is_open = |class: Struct| self.classes.get(&class).is_some_and(|class| class.is_open);
        let is_open = self.classes_around(class).any(is_open);
        let depth = outer.names.depth();
        if is_open {
            std::mem::swap(&mut self.state.names, &mut outer.names);
        }
        let made = act(self);
        if is_open {
            self.state.names.leave_to(depth);
            std::mem::swap(&mut self.state.names, &mut outer.names);
        }
        self.state = outer;
        made
    }

    /// Whether a struct is a class that is derived from another one.
    pub(super) fn is_derived(&self, from: Struct, to: Struct) -> bool {
        self.classes
            .get(&from)
            .is_some_and(|class| class.bases.iter().any(|base| base.of == to || self.is_derived(base.of, to)))
    }

    /// The part of an object that is one of its bases. The object is a place.
    pub(super) fn base_part(&mut self, object: Operand, to: Struct, location: Location) -> Outcome<Operand> {
        let mut object = object;
        while let FormKind::Struct(at) = *self.form(object.written)
            && at != to
        {
            let bases = self.classes.get(&at).map_or(&[][..], |class| &class.bases);
            let next = bases.iter().copied().find(|base| base.of == to || self.is_derived(base.of, to));
            let Some(base) = next else {
                let (from, to) = (self.name_of(object.written), self.program.types.structs[to].name.clone());
                return Err(Diagnostic::error(location, format!("`{from}` is not derived from `{to}`")));
            };
            let written = Written::bare(self.intern(FormKind::Struct(base.of))).within(object.written);
            object = Operand { expression: self.base_place(object.expression, base, location)?, written };
        }
        Ok(object)
    }

    fn base_place(&mut self, object: Expression, base: Base, location: Location) -> Outcome<Expression> {
        if let Some(index) = base.field {
            return Ok(self.build().field(object, index, location));
        }
        // A base that holds nothing is where the object is.
        let of = Written::bare(self.intern(FormKind::Struct(base.of)));
        let of = self.type_of(of);
        let address = self.build().address_of(object, location)?;
        let (space, _) = self.build().space_of_place(object);
        let pointer = self.program.types.pointer(of, space);
        let address = self.build().convert_to(Conversion::Pointer, address, pointer);
        Ok(self.build().push(crate::typed::ExpressionKind::Dereference(address), of, location))
    }

    /// The place of a member in an object; what it refers to, where it is a reference.
    pub(super) fn member_of(&mut self, object: Operand, member: &Member, location: Location) -> Operand {
        let mut expression = object.expression;
        for &index in &member.path {
            expression = self.build().field(expression, index, location);
        }
        if let FormKind::Reference(to, _) = *self.form(member.of) {
            let of = self.type_of(to);
            let pointer = self.build().rvalue(expression);
            let expression = self.build().push(crate::typed::ExpressionKind::Dereference(pointer), of, location);
            return Operand { expression, written: to };
        }
        let written = match self.build().is_place(expression) {
            true => member.of.within(object.written),
            false => member.of.unqualified(),
        };
        Operand { expression, written }
    }
}

/// Whether a function of a class is called with an object.
pub(super) fn has_object(item: &FunctionItem) -> bool {
    !item.specifiers.is_static
}

pub(super) fn parameters_of(item: &FunctionItem) -> &[tree::Parameter] {
    match &item.declarator.declarator {
        tree::Declarator::Function(_, parameters, _) => parameters,
        _ => &[],
    }
}
