//! How objects of classes are made.
//!
//! **Definition.** An object is made by a constructor, if its class has one; else its bases and members are, one after the other, by their own, or by
//! what is written behind them. A value of the same class is copied as a whole, unless a constructor takes it.

use thin_vec::ThinVec;

use super::destroy::MOST_ELEMENTS;
use super::function::Definition;
use super::object::Callee;
use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, Initializer};
use crate::typed::{AddressSpace, Expression, ExpressionKind, Statement, StatementKind, Struct};

impl<'a> Checker<'a> {
    /// An object of a class that is made of values, in a variable that nobody named.
    pub(super) fn construct_object(&mut self, to: Written, values: &[Operand], location: Location) -> Outcome<Operand> {
        self.construct_object_by(to, values, false, location)
    }

    /// The same; whether nobody writes it, so that no `explicit` constructor is meant.
    pub(super) fn construct_object_by(
        &mut self,
        to: Written,
        values: &[Operand],
        is_implicit: bool,
        location: Location,
    ) -> Outcome<Operand> {
        let to = to.unqualified().in_space(AddressSpace::Private);
        let variable = self.temporary(to, location);
        let place = self.build().variable(variable, location);
        let place = Operand { expression: place, written: to };
        let made = self.construct_at_by(place, values, is_implicit, location)?;
        self.begin_temporary(variable, to);
        let place = self.build().variable(variable, location);
        let expression = match made {
            Some(made) => self.build().comma(made, place, location),
            None => place,
        };
        Ok(Operand { expression, written: to })
    }

    /// Whether objects of a class are made by constructors.
    pub(super) fn has_constructors(&self, of: Written) -> bool {
        let class = self.class_of(of).and_then(|class| self.classes.get(&class));
        class.is_some_and(|class| class.constructors.is_some() || class.table_at.is_some())
    }

    /// Makes an object of a class in a place. None where nothing has to be done for that.
    pub(super) fn construct_at(
        &mut self,
        place: Operand,
        values: &[Operand],
        location: Location,
    ) -> Outcome<Option<Expression>> {
        self.construct_at_by(place, values, false, location)
    }

    fn construct_at_by(
        &mut self,
        place: Operand,
        values: &[Operand],
        is_implicit: bool,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let place = Operand { written: Written { is_const: false, ..place.written }, ..place };
        let Some(number) = self.class_of(place.written) else { return Ok(None) };
        let set = self.classes.get(&number).and_then(|class| class.constructors);
        if let [only] = *values {
            let from = self.class_of(only.written);
            let is_same = from.is_some_and(|from| from == number || self.is_derived(from, number));
            let is_taken = is_same && from == Some(number) && self.take_temporary(only.expression);
            let is_moved = is_taken || is_same && from == Some(number) && self.is_unnamed(only.expression);
            if is_same && (is_moved || !set.is_some_and(|set| self.copies(set, number))) {
                let value = self.converted(only, place.written, location)?;
                let mut parts = vec![self.push_assign(place.expression, value, location)];
                // What is copied may be a part of another object.
                parts.extend(self.set_table(place, number, location)?);
                return Ok(Some(self.sequence(&parts, location)));
            }
        }
        let has_default = self.classes.get(&number).is_some_and(|class| class.has_default);
        match set {
            Some(set) if !(values.is_empty() && has_default) => {
                let callee = Callee { is_implicit, ..Callee::of(set, Some(place)) };
                let chosen = self.choose_viable(callee, values, location)?;
                let made = self.call_chosen(&chosen, Some(place), values, None, location)?;
                Ok(Some(made.expression))
            }
            _ if values.is_empty() => self.start_members(place, number, location),
            _ => {
                let name = self.name_of(place.written);
                Err(Diagnostic::error(location, format!("no constructor of `{name}` takes {} values", values.len())))
            }
        }
    }

    /// Whether something of a type starts with more than zeros by itself.
    pub(super) fn is_started(&self, of: Written) -> bool {
        match *self.form(of) {
            FormKind::Array(element, _) => self.is_started(element),
            FormKind::Struct(number) => self.classes.get(&number).is_some_and(|class| class.is_started),
            _ => false,
        }
    }

    /// Makes objects in a place with what they start with by themselves. None where nothing has to be done for that.
    pub(super) fn start(&mut self, place: Operand, location: Location) -> Outcome<Option<Expression>> {
        match *self.form(place.written) {
            FormKind::Array(element, _) => self.construct_elements(place, element, location),
            _ => self.construct_at(place, &[], location),
        }
    }

    /// Whether an operand is an object that has no name: what is made of it is that object, and no copy.
    fn is_unnamed(&self, value: Expression) -> bool {
        let mut at = value;
        loop {
            match self.state.body.expressions[at].kind {
                ExpressionKind::Load(place) => at = place,
                ExpressionKind::Comma(_, last) => at = last,
                ExpressionKind::Variable(variable) => return self.state.body.variables[variable].name.is_empty(),
                ExpressionKind::Call { .. } | ExpressionKind::CallPointer { .. } => return true,
                _ => return false,
            }
        }
    }

    /// A copy of an object that a constructor makes. None where its bytes are copied, or nothing is.
    pub(super) fn copied_object(
        &mut self,
        value: Operand,
        to: Written,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        let class = self.class_of(to).filter(|&class| self.class_of(value.written) == Some(class))?;
        let set = self.classes.get(&class)?.constructors.filter(|&set| self.copies(set, class))?;
        if self.is_unnamed(value.expression) || self.sets[set].candidates.is_empty() {
            return None;
        }
        let made = self.construct_object(to, &[value], location);
        Some(made.map(|made| self.value(made).expression))
    }

    /// The same for what a function returns: a variable of its own is that object itself.
    pub(super) fn copied_result(
        &mut self,
        value: Operand,
        result: Written,
        location: Location,
    ) -> Option<Outcome<Expression>> {
        let is_own = match self.state.body.expressions[value.expression].kind {
            ExpressionKind::Variable(variable) => !self.state.body.parameters.contains(&variable),
            _ => false,
        };
        if is_own { None } else { self.copied_object(value, result, location) }
    }

    /// Makes the elements of an array of objects. None where nothing has to be done for that.
    pub(super) fn construct_elements(
        &mut self,
        array: Operand,
        element: Written,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let FormKind::Array(_, Length::Known(length)) = *self.form(array.written) else { return Ok(None) };
        let mut parts = Vec::new();
        for number in 0..length {
            let place = self.element_of(array, element, number, location)?;
            let Some(made) = self.start(place, location)? else { return Ok(None) };
            if length > MOST_ELEMENTS {
                let message = format!("an array of more than {MOST_ELEMENTS} objects with constructors");
                return Err(Diagnostic::unsupported(location, message));
            }
            parts.push(made);
        }
        Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
    }

    /// Whether a constructor takes an object of the same class.
    fn copies(&self, set: usize, class: Struct) -> bool {
        self.sets[set].candidates.iter().any(|candidate| match candidate.of.parameters[..] {
            [_, of] => self.class_of(self.written.referred(of)) == Some(class) && !candidate.facts.is_host,
            _ => false,
        })
    }

    /// What the members and bases of an object start with that nothing is said about.
    fn start_members(&mut self, place: Operand, number: Struct, location: Location) -> Outcome<Option<Expression>> {
        if !self.classes.get(&number).is_some_and(|class| class.is_started) {
            return Ok(None);
        }
        self.deeper(location)?;
        let mut parts = Vec::new();
        let bases = self.classes.get(&number).map_or_else(Vec::new, |class| class.bases.clone());
        self.spend_elements(self.program.types.structs[number].fields.len() as u64, location)?;
        for base in bases {
            let part = self.base_part(place, base.of, location)?;
            parts.extend(self.construct_at(part, &[], location)?);
        }
        parts.extend(self.set_table(place, number, location)?);
        for (name, of) in self.data_of(number) {
            parts.extend(self.start_member(place, number, name, of, location)?);
        }
        self.state.depth -= 1;
        Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
    }

    /// The members of a class that hold data, in order.
    pub(super) fn data_of(&self, number: Struct) -> Vec<(Symbol, Written)> {
        let fields = self.program.types.structs[number].fields.iter().enumerate();
        let member = |(index, field): (usize, &crate::typed::Field)| {
            let name = self.symbols.find(&field.name).filter(|_| !field.name.is_empty())?;
            let member = self.members.get(&(number, name))?;
            (member.path[..] == [index as u32]).then_some((name, member.of))
        };
        fields.filter_map(member).collect()
    }

    /// The name of a member of a class that holds data, by its index.
    pub(super) fn member_at(&self, class: Struct, index: u32) -> Option<Symbol> {
        let field = &self.program.types.structs[class].fields[index as usize];
        let name = self.symbols.find(&field.name).filter(|_| !field.name.is_empty())?;
        (self.members.get(&(class, name))?.path[..] == [index]).then_some(name)
    }

    /// What a member that is known by its name starts with by itself.
    pub(super) fn start_named(
        &mut self,
        object: Operand,
        class: Struct,
        name: Symbol,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let of = self.member(class, name, location)?.of;
        self.start_member(object, class, name, of, location)
    }

    /// What a member starts with by itself.
    fn start_member(
        &mut self,
        object: Operand,
        class: Struct,
        name: Symbol,
        of: Written,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let start = self
            .classes
            .get(&class)
            .and_then(|class| class.starts.iter().find(|(of, _)| *of == name).map(|&(_, initializer)| initializer));
        if let Some(initializer) = start {
            let outer = self.enter_class(Some(class));
            let made = self.initialize_member(object, class, name, initializer, location);
            self.leave_class(outer);
            return made.map(Some);
        }
        if !self.is_started(of) {
            return Ok(None);
        }
        let member = self.member(class, name, location)?;
        let place = self.member_of(object, &member, location);
        self.start(place, location)
    }

    /// A member of an object that starts with what is written.
    fn initialize_member(
        &mut self,
        object: Operand,
        class: Struct,
        name: Symbol,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Expression> {
        let member = self.member(class, name, location)?;
        if let FormKind::Reference(to, _) = *self.form(member.of) {
            let value = match initializer {
                Initializer::Expression(value) => *value,
                Initializer::List(items, _) => match &items[..] {
                    [(_, Initializer::Expression(value))] => *value,
                    _ => return Err(Diagnostic::error(location, "a reference refers to one thing")),
                },
            };
            let operand = self.expression(value)?;
            let pointer = self.type_of(member.of);
            let address = self.bind_argument(operand, to, pointer, location)?;
            let place = self.raw_member(object.expression, &member.path, location);
            return Ok(self.push_assign(place, address, location));
        }
        let place = self.member_of(object, &member, location);
        let place = Operand { written: Written { is_const: false, ..place.written }, ..place };
        self.initialize(place, initializer, location)
    }

    fn raw_member(&mut self, object: Expression, path: &[u32], location: Location) -> Expression {
        path.iter().fold(object, |place, &index| self.build().field(place, index, location))
    }

    /// What a constructor is given.
    pub(super) fn constructor_values(&mut self, initializer: &'a Initializer) -> Outcome<Vec<Operand>> {
        match initializer {
            Initializer::Expression(value) => self.values(&[*value]),
            Initializer::List(items, at) => {
                let value = |(designators, item): &'a (ThinVec<_>, Initializer)| match item {
                    Initializer::Expression(value) if designators.is_empty() => Ok(*value),
                    _ => Err(Diagnostic::unsupported(*at, "a constructor with a list as an argument")),
                };
                let values = items.iter().map(value).collect::<Outcome<Vec<Expr>>>()?;
                self.values(&values)
            }
        }
    }

    /// What an object of a class with constructors starts with.
    pub(super) fn initialize_object(
        &mut self,
        place: Operand,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Expression> {
        let values = self.constructor_values(initializer)?;
        match self.construct_at(place, &values, location)? {
            Some(made) => Ok(made),
            None => Ok(self.build().initialize_zero(place.expression, location)),
        }
    }

    /// The statements with which a constructor begins.
    pub(super) fn constructor_starts(&mut self, definition: &Definition<'a>, location: Location) -> Vec<Statement> {
        let mut statements = Vec::new();
        let Some(number) = definition.class else { return statements };
        let written = definition.initializers;
        let (scopes, own) = (&self.tree.scopes, self.written.names[number]);
        let own = own.map(|name| scopes.spelling(name));
        if let Some(start) = written.iter().find(|start| Some(start.name) == own) {
            // Another constructor does it all.
            self.start_statement(&mut statements, start.location, |checker, object| {
                checker.initialize_object(object, &start.initializer, start.location).map(Some)
            });
            return statements;
        }
        let bases = self.classes.get(&number).map_or_else(Vec::new, |class| class.bases.clone());
        for base in bases {
            let name = self.written.names[base.of].map(|name| self.tree.scopes.spelling(name));
            let start = written.iter().find(|start| Some(start.name) == name);
            let at = start.map_or(location, |start| start.location);
            self.start_statement(&mut statements, at, |checker, object| {
                let part = checker.base_part(object, base.of, at)?;
                match start {
                    Some(start) if checker.has_constructors(part.written) => {
                        checker.initialize_object(part, &start.initializer, at).map(Some)
                    }
                    Some(start) if !matches!(&start.initializer, Initializer::List(items, _) if items.is_empty()) => {
                        checker.initialize(part, &start.initializer, at).map(Some)
                    }
                    _ => checker.construct_at(part, &[], at),
                }
            });
        }
        self.start_statement(&mut statements, location, |checker, object| checker.set_table(object, number, location));
        for (name, of) in self.data_of(number) {
            let start = written.iter().find(|start| start.name == name);
            let at = start.map_or(location, |start| start.location);
            self.start_statement(&mut statements, at, |checker, object| match start {
                Some(start) => checker.initialize_member(object, number, name, &start.initializer, at).map(Some),
                None => checker.start_member(object, number, name, of, at),
            });
        }
        // Members of members without a name.
        for start in written {
            let is_inner = self.members.get(&(number, start.name)).is_some_and(|member| member.path.len() > 1);
            if is_inner {
                self.start_statement(&mut statements, start.location, |checker, object| {
                    checker.initialize_member(object, number, start.name, &start.initializer, start.location).map(Some)
                });
            }
        }
        statements
    }

    /// The statements with which a destructor begins.
    pub(super) fn destructor_starts(&mut self, definition: &Definition<'a>, location: Location) -> Vec<Statement> {
        let mut statements = Vec::new();
        if let Some(number) = definition.class {
            self.start_statement(&mut statements, location, |checker, object| {
                checker.set_table(object, number, location)
            });
        }
        statements
    }

    /// A statement that starts a part of the object at hand, if something is to be done.
    fn start_statement(
        &mut self,
        into: &mut Vec<Statement>,
        location: Location,
        start: impl FnOnce(&mut Self, Operand) -> Outcome<Option<Expression>>,
    ) {
        let Some(object) = self.this_object(location) else { return };
        let object = Operand { written: Written { is_const: false, ..object.written }, ..object };
        self.state.finished.clear();
        let made = start(self, object).and_then(|made| match made {
            Some(made) if !self.state.temporaries.is_empty() => self.end_expression(made, location).map(Some),
            made => Ok(made),
        });
        let kind = match self.reported(made) {
            Ok(None) => return,
            Ok(Some(made)) => StatementKind::Expression(made),
            Err(wrong) if self.goes_on(&wrong) => self.unknown_statement(&wrong, location),
            Err(_) => return,
        };
        let statement = self.new_statement(location, location);
        self.state.body.statements[statement].kind = kind;
        into.push(statement);
    }
}
