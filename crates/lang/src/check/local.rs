//! Declarations inside of functions.

use super::names::{Meaning, NameSpace};
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{
    Declaration, Declarator, DeclaratorData, InitDeclarator, Initializer, Lambda, LargeKind, Name, Specifiers,
    TypeSpecifier,
};
use crate::typed::{
    AddressSpace, Conversion, Expression, ExpressionKind, Shape, Statement, StatementKind, Type, TypeKind, Variable,
    VariableData,
};

impl<'a> Checker<'a> {
    /// Declares the names of a declaration; one statement for each variable that is on the stack.
    pub(super) fn local_declaration(
        &mut self,
        declaration: &'a Declaration,
        end: Location,
        into: &mut Vec<Statement>,
    ) -> Outcome<()> {
        let specifiers = &declaration.specifiers;
        self.state.finished.clear();
        if specifiers.of.is_none() && declaration.declarators.is_empty() {
            return Ok(());
        }
        let is_auto = matches!(specifiers.of, Some(TypeSpecifier::Auto));
        let base = if is_auto { Ok(None) } else { self.specified(specifiers).map(Some) };
        let base = match base {
            Ok(base) => base,
            Err(wrong) => {
                for declarator in &declaration.declarators {
                    self.declare_if_new(&declarator.declarator, &wrong);
                }
                return Err(wrong);
            }
        };
        for (index, declarator) in declaration.declarators.iter().enumerate() {
            let location = if index == 0 { declaration.location } else { declarator.declarator.location };
            let statement = self.new_statement(location, end);
            let outer = std::mem::take(&mut self.state.temporaries);
            let outcome = match self.local_declarator(base, specifiers, declarator) {
                Ok(Some(kind)) => {
                    self.begin_variable(declarator.declarator.name, &kind);
                    self.end_statement(kind, outer, location).map(Some)
                }
                made => {
                    self.state.temporaries = outer;
                    made
                }
            };
            match self.reported(outcome) {
                Ok(Some(kind)) => self.state.body.statements[statement].kind = kind,
                // What is no variable on the stack stays as an empty statement: its number is taken.
                Ok(None) => {}
                Err(reason) if self.goes_on(&reason) => {
                    let kind = self.unknown_variable(declarator, location);
                    self.state.body.statements[statement].kind = kind;
                }
                Err(reason) => self.declare_if_new(&declarator.declarator, &reason),
            }
            into.push(statement);
        }
        Ok(())
    }

    /// One name: the statement that starts its life, if it is on the stack.
    fn local_declarator(
        &mut self,
        base: Option<Written>,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<Option<StatementKind>> {
        let location = declarator.declarator.location;
        if !declarator.bindings.is_empty() {
            if let Some(base) = base {
                return self.declare_members(base, declarator).map(Some);
            }
            let value = self.auto_value(declarator)?;
            let operand = self.expression(value)?;
            return self.bind_parts(specifiers, declarator, operand).map(Some);
        }
        let Some(name) = declarator.declarator.name else {
            return Err(Diagnostic::error(location, "a declaration needs a name"));
        };
        let Some(base) = base else {
            return self.auto_variable(specifiers, declarator, name).map(Some);
        };
        let mut of = self.declared_variable(specifiers, base, declarator)?;
        if specifiers.is_typedef {
            self.declare_type(name, of, location)?;
            return Ok(None);
        }
        if let FormKind::Function(_) = *self.form(of) {
            self.declare_function(specifiers, &declarator.declarator)?;
            return Ok(None);
        }
        if let FormKind::Reference(to, is_rvalue) = *self.form(of) {
            return self.reference_variable(to, is_rvalue, declarator, name).map(Some);
        }
        if let Some(initializer) = &declarator.initializer {
            of = self.sized_by(of, initializer)?;
        }
        if let Some(value) = self.constant_sampler(of, declarator)? {
            self.declare_local(name, Meaning::Sampler(value, of), location)?;
            return Ok(None);
        }
        let space = if self.is_opencl() { of.space } else { self.storage_space(specifiers) };
        let space = match space {
            Some(AddressSpace::Private) | None => None,
            space => space,
        };
        // A constant number is the same in each thread's own variable.
        let is_shared = specifiers.is_static && !(self.is_tolerant() && specifiers.is_constexpr && self.is_number(of));
        let space = space.or((is_shared || specifiers.is_extern).then_some(AddressSpace::Global));
        match space {
            Some(space) => self.static_variable(name, of, space, specifiers, declarator).map(|()| None),
            None => self.stack_variable(name, of, specifiers, declarator).map(Some),
        }
    }

    fn is_number(&mut self, of: Written) -> bool {
        let of = self.type_of(of);
        self.build().shape(of).is_scalar()
    }

    fn constant_sampler(&mut self, of: Written, declarator: &'a InitDeclarator) -> Outcome<Option<u32>> {
        match declarator.initializer {
            Some(_) => self.sampler_value(of, declarator),
            None => Ok(None),
        }
    }

    fn declare_local(&mut self, name: Name, meaning: Meaning, location: Location) -> Outcome<()> {
        if let Some((_, before)) = self.state.names.find_here(name, NameSpace::Ordinary) {
            return Err(self.declared_twice(name, location, before));
        }
        self.state.names.declare(name, NameSpace::Ordinary, meaning, location);
        Ok(())
    }

    /// A new variable on the stack.
    pub(super) fn new_variable(
        &mut self,
        name: &str,
        of: Type,
        alignment: Option<u32>,
        location: Location,
    ) -> Variable {
        self.state.body.variables.push(VariableData { name: name.to_string(), of, alignment, location })
    }

    /// A variable that nobody named.
    pub(super) fn temporary(&mut self, of: Written, location: Location) -> Variable {
        let of = self.type_of(of);
        self.new_variable("", of, None, location)
    }

    fn stack_variable(
        &mut self,
        name: Name,
        of: Written,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<StatementKind> {
        let location = declarator.declarator.location;
        let of = of.in_space(AddressSpace::Private);
        let to = self.complete(of, location)?;
        match *self.program.types.kind(to) {
            TypeKind::Void => return Err(Diagnostic::error(location, "a variable cannot be `void`")),
            TypeKind::Array { length: 0, .. } if declarator.initializer.is_none() && !self.is_tolerant() => {
                return Err(Diagnostic::error(
                    location,
                    format!("the array `{}` needs a length", self.name_text(name)),
                ));
            }
            _ => {}
        }
        let alignment = self.alignment(&specifiers.attributes)?.max(self.alignment(&declarator.declarator.attributes)?);
        let variable = self.new_variable(&self.name_text(name), to, alignment, location);
        self.declare_local(name, Meaning::Variable(variable, of), location)?;
        let place = self.build().variable(variable, location);
        let place = Operand { expression: place, written: of };
        if self.is_made_unknown(of) && !matches!(declarator.initializer, Some(Initializer::Expression(_))) {
            let filled = self.unknown_initializer(place, declarator.initializer.as_ref(), location);
            return Ok(StatementKind::Declare(variable, Some(filled)));
        }
        let Some(initializer) = &declarator.initializer else {
            if let FormKind::Array(element, _) = *self.form(of)
                && let Some(made) = self.construct_elements(place, element, location)?
            {
                return Ok(StatementKind::Declare(variable, Some(made)));
            }
            if self.class_of(of).is_some() {
                let made = self.construct_at(place, &[], location)?;
                return Ok(StatementKind::Declare(variable, made));
            }
            if specifiers.is_constexpr || of.is_const && self.is_cpp() && !self.is_struct(of) {
                let message = format!("the constant `{}` starts with nothing", self.name_text(name));
                return Err(Diagnostic::error(location, message));
            }
            return Ok(StatementKind::Declare(variable, None));
        };
        let evaluated = self.state.body.expressions.len();
        let filled = match self.initialize(place, initializer, location) {
            Err(wrong) if self.goes_on(&wrong) => {
                self.note_unknown(&wrong);
                self.unknown_initializer(place, None, location)
            }
            filled => filled?,
        };
        let filled = self.remember_constant((variable, of), filled, evaluated, specifiers.is_constexpr, location)?;
        Ok(StatementKind::Declare(variable, Some(filled)))
    }

    /// A constant number keeps its value for constant expressions. What is given back is what the variable starts with: that of a `constexpr` one is the same for all threads, known or not.
    fn remember_constant(
        &mut self,
        (variable, of): (Variable, Written),
        filled: Expression,
        evaluated: usize,
        is_constexpr: bool,
        location: Location,
    ) -> Outcome<Expression> {
        if !of.is_const || of.is_volatile {
            if self.is_tolerant() && self.is_computed_number(of, filled) {
                self.state.computed.insert(variable);
            }
            return Ok(filled);
        }
        let to = self.type_of(of);
        if is_constexpr && let Some(any) = self.any_constant(of, evaluated, location) {
            let place = self.build().variable(variable, location);
            return Ok(self.push_assign(place, any.expression, location));
        }
        if !self.build().shape(to).is_scalar() {
            return Ok(filled);
        }
        let value = match *self.build().kind(filled) {
            ExpressionKind::Assign(_, value) if is_constexpr => self.known_value(value, location)?,
            ExpressionKind::Assign(_, value) => self.build().constant_value(value),
            _ => None,
        };
        match value {
            Some(value) => {
                self.state.known.insert(variable, value);
                Ok(filled)
            }
            None if is_constexpr && !self.is_tolerant() => Err(Diagnostic::error(
                location,
                "a `constexpr` variable starts with what is known when it is translated",
            )),
            None => Ok(filled),
        }
    }

    /// Whether a number or pointer, and no truth value, starts with what is computed.
    fn is_computed_number(&mut self, of: Written, filled: Expression) -> bool {
        let to = self.type_of(of);
        let shape = self.build().shape(to);
        let ExpressionKind::Assign(_, value) = *self.build().kind(filled) else { return false };
        shape.is_scalar() && shape != Shape::Bool && self.build().constant_value(value).is_none()
    }

    /// What something starts with whose type is that of the value.
    fn auto_value(&self, declarator: &InitDeclarator) -> Outcome<crate::tree::Expr> {
        let location = declarator.declarator.location;
        match &declarator.initializer {
            Some(Initializer::Expression(value)) => Ok(*value),
            Some(Initializer::List(items, _)) => match &items[..] {
                [(designators, Initializer::Expression(value))] if designators.is_empty() => Ok(*value),
                _ => Err(Diagnostic::error(location, "`auto` needs one value to start with")),
            },
            None => Err(Diagnostic::error(location, "`auto` needs a value to start with")),
        }
    }

    /// `auto x = value`, `auto *p = value`, `auto &r = place`.
    fn auto_variable(
        &mut self,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
        name: Name,
    ) -> Outcome<StatementKind> {
        let location = declarator.declarator.location;
        let value = self.auto_value(declarator)?;
        if let (Some(LargeKind::Lambda(lambda)), Declarator::Base) =
            (self.tree.large(value), &declarator.declarator.declarator)
        {
            return self.lambda_variable(lambda, name, location);
        }
        let evaluated = self.state.body.expressions.len();
        let operand = self.expression(value)?;
        let is_const = specifiers.is_const || specifiers.is_constexpr;
        if let Declarator::Reference(inner, is_rvalue) = &declarator.declarator.declarator {
            if !matches!(**inner, Declarator::Base) {
                return Err(Diagnostic::unsupported(location, "references to parts of `auto` are not supported"));
            }
            let to = Written { is_const: operand.written.is_const || is_const, ..operand.written };
            let address = self.bind(operand, if *is_rvalue { to.constant() } else { to }, location)?;
            return self.declare_reference(name, to, address, location);
        }
        let mut value = self.value(operand);
        let of = match &declarator.declarator.declarator {
            Declarator::Base => Written { is_const, is_volatile: specifiers.is_volatile, ..value.written },
            Declarator::Pointer(inner, qualifiers) if matches!(**inner, Declarator::Base) => {
                match *self.form(value.written) {
                    FormKind::Pointer(to) => {
                        let to = Written { is_const: to.is_const || is_const, ..to };
                        let pointer = self.written.pointer(&mut self.program.types, to);
                        Written { is_const: qualifiers.is_const, ..pointer }
                    }
                    _ => return Err(Diagnostic::error(location, "`auto *` needs a pointer to start with")),
                }
            }
            _ => return Err(Diagnostic::unsupported(location, "this form of `auto` is not supported")),
        };
        let of = of.in_space(AddressSpace::Private);
        let to = self.type_of(of);
        if matches!(self.program.types.kind(to), TypeKind::Void) {
            return Err(Diagnostic::error(location, "a variable cannot be `void`"));
        }
        let variable = self.new_variable(&self.name_text(name), to, None, location);
        self.declare_local(name, Meaning::Variable(variable, of), location)?;
        let place = self.build().variable(variable, location);
        if self.class_of(of).is_some() {
            let made = self.construct_at(Operand { expression: place, written: of }, &[operand], location)?;
            return Ok(StatementKind::Declare(variable, made));
        }
        value.expression = self.converted(value, of, location)?;
        let filled = self.push_assign(place, value.expression, location);
        let filled = self.remember_constant((variable, of), filled, evaluated, specifiers.is_constexpr, location)?;
        Ok(StatementKind::Declare(variable, Some(filled)))
    }

    /// `auto f = […](…) { … };`: the object is made in the variable.
    fn lambda_variable(&mut self, lambda: &'a Lambda, name: Name, location: Location) -> Outcome<StatementKind> {
        let closure = self.closure(lambda, location)?;
        let of = self.closure_type(&closure);
        let to = self.type_of(of);
        let variable = self.new_variable(&self.name_text(name), to, None, location);
        self.declare_local(name, Meaning::Variable(variable, of), location)?;
        let place = self.build().variable(variable, location);
        let filled = self.make_closure(place, closure, location)?;
        Ok(StatementKind::Declare(variable, filled))
    }

    fn reference_variable(
        &mut self,
        to: Written,
        is_rvalue: bool,
        declarator: &'a InitDeclarator,
        name: Name,
    ) -> Outcome<StatementKind> {
        let location = declarator.declarator.location;
        let value = match &declarator.initializer {
            Some(Initializer::Expression(value)) => *value,
            Some(Initializer::List(items, _)) => match &items[..] {
                [(_, Initializer::Expression(value))] => *value,
                _ => return Err(Diagnostic::error(location, "a reference refers to one thing")),
            },
            None => {
                let message = format!("the reference `{}` refers to nothing", self.name_text(name));
                return Err(Diagnostic::error(location, message));
            }
        };
        let operand = self.expression(value)?;
        let address = self.bind(operand, if is_rvalue { to.constant() } else { to }, location)?;
        self.declare_reference(name, to, address, location)
    }

    fn declare_reference(
        &mut self,
        name: Name,
        to: Written,
        address: Expression,
        location: Location,
    ) -> Outcome<StatementKind> {
        if !self.state.temporaries.is_empty() {
            let message = "a reference to an unnamed object with a destructor";
            return Err(Diagnostic::unsupported(location, message));
        }
        // What it refers to stays in the space where it is: the address is not made generic.
        let of = self.build().type_of(address);
        let space = match *self.program.types.kind(of) {
            TypeKind::Pointer { space, .. } => space,
            _ => AddressSpace::Generic,
        };
        let variable = self.new_variable(&self.name_text(name), of, None, location);
        self.declare_local(name, Meaning::Reference(variable, to.in_space(space)), location)?;
        let place = self.build().variable(variable, location);
        let filled = self.push_assign(place, address, location);
        Ok(StatementKind::Declare(variable, Some(filled)))
    }

    /// The address to which a reference to `to` is bound: of the place, or of a variable that holds the value.
    pub(super) fn bind(&mut self, operand: Operand, to: Written, location: Location) -> Outcome<Expression> {
        let operand = if to.is_const { operand } else { self.place_of_choice(operand) };
        let operand = match (self.class_of(operand.written), self.class_of(to)) {
            (Some(from), Some(base)) if from != base && self.is_derived(from, base) => {
                let object = self.object_place(operand, location);
                self.base_part(object, base, location)?
            }
            _ => operand,
        };
        let is_place = self.build().is_place(operand.expression);
        if is_place && operand.written.form == to.form {
            if operand.written.is_const && !to.is_const {
                let name = self.name_of(to);
                let message = format!("a reference to a `{name}` that can change cannot refer to a constant one");
                return Err(Diagnostic::error(location, message));
            }
            return self.build().address_of(operand.expression, location);
        }
        if let (FormKind::Array(a, _), FormKind::Array(b, super::written::Length::Unknown)) =
            (self.form(operand.written), self.form(to))
            && is_place
            && a.form == b.form
        {
            return self.build().address_of(operand.expression, location);
        }
        if self.is_unknown(operand.written) != self.is_unknown(to) && is_place {
            let address = self.build().address_of(operand.expression, location)?;
            let (space, _) = self.build().space_of_place(operand.expression);
            let of = self.type_of(to);
            let pointer = self.program.types.pointer(of, space);
            return Ok(self.build().convert_to(Conversion::Pointer, address, pointer));
        }
        if !to.is_const && !self.is_unknown(to) && !self.is_unknown(operand.written) {
            let (from, to) = (self.name_of(operand.written), self.name_of(to));
            let message = match is_place {
                true => format!("a reference to `{to}` cannot refer to a `{from}`"),
                false => {
                    format!("a reference to `{to}` cannot refer to a value that is in no variable; `const {to} &` can")
                }
            };
            return Err(Diagnostic::error(location, message));
        }
        let value = self.converted(operand, to, location)?;
        let variable = self.temporary(to, location);
        let place = self.build().variable(variable, location);
        let filled = self.push_assign(place, value, location);
        let place = self.build().variable(variable, location);
        let address = self.build().address_of(place, location)?;
        Ok(self.build().comma(filled, address, location))
    }

    /// The pointer that is passed for a reference.
    pub(super) fn bind_argument(
        &mut self,
        operand: Operand,
        to: Written,
        pointer: Type,
        location: Location,
    ) -> Outcome<Expression> {
        let address = self.bind(operand, to, location)?;
        if self.build().type_of(address) == pointer {
            return Ok(address);
        }
        match (self.build().shape_of(address), self.build().shape(pointer)) {
            (Shape::Pointer { .. }, Shape::Pointer { .. }) => {
                Ok(self.build().convert_to(Conversion::Pointer, address, pointer))
            }
            _ => Err(Diagnostic::error(location, "a reference needs a place")),
        }
    }

    /// A variable of a function that lives longer than a call, or that the threads of a block share.
    fn static_variable(
        &mut self,
        name: Name,
        of: Written,
        space: AddressSpace,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<()> {
        let location = declarator.declarator.location;
        if specifiers.is_extern && space != AddressSpace::Local {
            return self.extern_variable(name, of, space, location);
        }
        self.check_passed(of, "in a variable that no block ends", location)?;
        let of = of.in_space(space);
        let to = self.complete(of, location)?;
        if matches!(self.program.types.kind(to), TypeKind::Void) {
            return Err(Diagnostic::error(location, "a variable cannot be `void`"));
        }
        if matches!(self.program.types.kind(to), TypeKind::Array { length: 0, .. }) && !specifiers.is_extern {
            return Err(Diagnostic::error(location, format!("the array `{}` needs a length", self.name_text(name))));
        }
        let full = match specifiers.is_extern {
            // All functions mean the same memory.
            true => self.name_text(name).to_string(),
            false => format!("{}.{}", self.state.function, self.name_text(name)),
        };
        let shared = specifiers.is_extern.then(|| self.dynamic.get(&name).copied()).flatten();
        let global = match shared {
            Some(global) if self.program.globals[global].of == to => global,
            _ => {
                let global = self.new_global((&full, &self.name_text(name)), to, space, location);
                if specifiers.is_extern {
                    self.dynamic.insert(name, global);
                }
                global
            }
        };
        let is_constant = of.is_const || space == AddressSpace::Constant;
        let data = &mut self.program.globals[global];
        (data.is_constant, data.is_internal) = (is_constant, !specifiers.is_extern);
        self.declare_local(name, Meaning::Global(global, of), location)?;
        self.align_global(global, specifiers, declarator)?;
        if let Some(initializer) = &declarator.initializer {
            self.initialize_global(global, of, initializer, location)?;
        }
        Ok(())
    }

    /// `extern int x;` in a function: the variable of the file.
    fn extern_variable(&mut self, name: Name, of: Written, space: AddressSpace, location: Location) -> Outcome<()> {
        let meaning = match self.file.find(name, NameSpace::Ordinary) {
            Some((meaning @ Meaning::Global(..), _)) => meaning.clone(),
            _ => {
                let of = of.in_space(space);
                let to = self.type_of(of);
                let global = self.new_global((&self.name_text(name), &self.name_text(name)), to, space, location);
                self.program.globals[global].is_external = true;
                let meaning = Meaning::Global(global, of);
                self.file.declare(name, NameSpace::Ordinary, meaning.clone(), location);
                meaning
            }
        };
        self.declare_local(name, meaning, location)
    }

    /// The name of a declarator, which a function's always has.
    pub(super) fn name_of_declarator(&self, declarator: &DeclaratorData) -> Outcome<Name> {
        declarator.name.ok_or_else(|| Diagnostic::error(declarator.location, "a function needs a name"))
    }
}
