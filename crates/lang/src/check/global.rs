//! Variables that are not on a thread's stack: those of the file, `static` and `local` ones of functions, and those of the host.

use super::names::{Meaning, NameSpace};
use super::written::{Argument, FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::options::{Dialect, LowerTarget};
use crate::source::Location;
use crate::tree::{Declaration, Expr, InitDeclarator, Initializer, Name, Specifiers, TypeSpecifier};
use crate::typed::{AddressSpace, Constant, ExpressionKind, Global, GlobalData, MemoryEffects, Type, TypeKind};

/// A variable of the host: kernels can use the values of constant ones.
#[derive(Debug)]
pub(super) struct Host<'a> {
    pub(super) name: Name,
    pub(super) of: Written,
    /// Its value, where it is a constant number.
    pub(super) value: Option<Constant>,
    initializer: Option<&'a Initializer>,
    /// The constant that kernels read, once there is one.
    global: Option<Global>,
    location: Location,
}

impl<'a> Checker<'a> {
    /// Variables, typedefs or types at the top of a file.
    pub(super) fn file_declaration(&mut self, declaration: &'a Declaration) -> Outcome<()> {
        self.state = super::State::default();
        if declaration.specifiers.of.is_none() && declaration.declarators.is_empty() {
            return Ok(());
        }
        let is_auto = matches!(declaration.specifiers.of, Some(TypeSpecifier::Auto));
        let base = if is_auto { None } else { Some(self.specified(&declaration.specifiers)?) };
        for declarator in &declaration.declarators {
            let outcome = self.file_declarator(base, &declaration.specifiers, declarator);
            if let Err(reason) = self.reported(outcome) {
                self.declare_if_new(&declarator.declarator, &reason);
            }
        }
        Ok(())
    }

    fn file_declarator(
        &mut self,
        base: Option<Written>,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<()> {
        let location = declarator.declarator.location;
        let Some(name) = declarator.declarator.name else {
            return Err(Diagnostic::error(location, "a declaration needs a name"));
        };
        let mut of = match base {
            Some(base) => self.declared_variable(specifiers, base, declarator)?,
            None => self.deduced(declarator, specifiers.is_const || specifiers.is_constexpr)?,
        };
        if specifiers.is_typedef {
            return self.declare_type(name, of, location);
        }
        if let FormKind::Function(_) = *self.form(of) {
            return self.declare_function(specifiers, &declarator.declarator);
        }
        if let FormKind::Reference(..) = *self.form(of) {
            return Err(Diagnostic::unsupported(location, "references outside of functions are not supported"));
        }
        if let Some(initializer) = &declarator.initializer {
            of = self.sized_by(of, initializer)?;
        }
        let space = match self.is_opencl() {
            true => of.space,
            false => self.storage_space(specifiers),
        };
        let is_host = space.is_none() && self.dialect().has_host();
        if is_host {
            return self.declare_host(name, of, declarator, location);
        }
        let space = space.unwrap_or(AddressSpace::Global);
        if let Some(value) = self.sampler_value(of, declarator)? {
            self.declare_name(name, NameSpace::Ordinary, Meaning::Sampler(value, of), location);
            return Ok(());
        }
        self.declare_global(name, of, space, specifiers, declarator)
    }

    /// Declares a name for a type. It may be declared again for the same one.
    pub(super) fn declare_type(&mut self, name: Name, of: Written, location: Location) -> Outcome<()> {
        self.name_record(of, name);
        if let Some((meaning, before)) = self.names_here().find_here(name, NameSpace::Ordinary) {
            if *meaning != Meaning::Type(of) {
                return Err(self.declared_twice(name, location, before));
            }
            return Ok(());
        }
        self.declare_name(name, NameSpace::Ordinary, Meaning::Type(of), location);
        Ok(())
    }

    pub(super) fn declared_twice(&self, name: Name, location: Location, before: Location) -> Diagnostic {
        let message = format!("`{}` is declared twice in the same scope", self.name_text(name));
        Diagnostic::error(location, message).with(before, "declared here before")
    }

    /// The type of an `auto` variable outside of functions.
    pub(super) fn deduced(&mut self, declarator: &'a InitDeclarator, is_const: bool) -> Outcome<Written> {
        let location = declarator.declarator.location;
        let Some(Initializer::Expression(value)) = &declarator.initializer else {
            return Err(Diagnostic::error(location, "`auto` needs a value to start with"));
        };
        let operand = self.operand(*value)?;
        let value = self.value(operand);
        Ok(Written { is_const, ..value.written })
    }

    fn declare_host(
        &mut self,
        name: Name,
        of: Written,
        declarator: &'a InitDeclarator,
        location: Location,
    ) -> Outcome<()> {
        let to = self.type_of(of);
        let is_number =
            matches!(self.program.types.kind(to), TypeKind::Bool | TypeKind::Integer { .. } | TypeKind::Float(_));
        let mut value = None;
        if let Some(initializer) = declarator.initializer.as_ref().filter(|_| of.is_const && is_number) {
            // What the host computes when it starts is no error.
            value = self.static_initializer(of, initializer, location).ok();
            if value == Some(Constant::Zero) {
                value =
                    Some(Constant::Integer(0)).filter(|_| !matches!(self.program.types.kind(to), TypeKind::Float(_)));
            }
        }
        let initializer = declarator.initializer.as_ref();
        self.hosts.push(Host { name, of, value, initializer, global: None, location });
        let meaning = Meaning::Host(self.hosts.len() - 1);
        self.declare_name(name, NameSpace::Ordinary, meaning, location);
        Ok(())
    }

    /// A variable of the host in a kernel: a constant's value, or a table that is the same for all.
    pub(super) fn host_variable(&mut self, number: usize, location: Location) -> Outcome<Operand> {
        let host = &self.hosts[number];
        let (of, name, declared) = (host.of, host.name, host.location);
        if let Some(value) = host.value.clone()
            && let Some(operand) = self.constant(&value, of, location)
        {
            return Ok(operand);
        }
        let Some(initializer) = self.hosts[number].initializer.filter(|_| of.is_const) else {
            let name = self.name_text(name);
            let message = format!("`{name}` is a variable of the host, which threads of a device cannot use");
            return Err(Diagnostic::error(location, message).with(declared, "declared here without `__device__`"));
        };
        let global = match self.hosts[number].global {
            Some(global) => global,
            None => {
                let value = match (self.static_initializer(of, initializer, declared), initializer) {
                    (Ok(value), _) => value,
                    (Err(wrong), Initializer::Expression(value)) if self.goes_on(&wrong) => {
                        return self.computed_constant(name, *value, of, &[], location);
                    }
                    (Err(wrong), _) => return Err(wrong),
                };
                let to = self.type_of(of);
                let written = self.name_text(name);
                let name = self.unique_name(&written);
                let global = self.program.globals.push(GlobalData {
                    name,
                    written: written.to_string(),
                    of: to,
                    space: AddressSpace::Constant,
                    is_constant: true,
                    is_external: false,
                    is_internal: true,
                    initializer: Some(value),
                    alignment: None,
                    location: declared,
                });
                self.hosts[number].global = Some(global);
                global
            }
        };
        let expression = self.build().global(global, location);
        Ok(Operand { expression, written: of.in_space(AddressSpace::Constant) })
    }

    /// A constant whose value this front end does not compute: what it starts with, where it is used. It is the same there, since what a constant of the device starts with has
    /// no effects; also for all threads, if something in it is not known.
    pub(super) fn computed_constant(
        &mut self,
        name: Name,
        value: Expr,
        of: Written,
        bound: &[(Name, Argument)],
        location: Location,
    ) -> Outcome<Operand> {
        self.spent.instances += 1;
        let depth = self.state.instance_depth + 1;
        self.check_instances(name, depth, location)?;
        self.deeper(location)?;
        let names = std::mem::take(&mut self.state.names);
        let class = self.state.class.take();
        let scope = std::mem::replace(&mut self.state.scope, self.tree.scopes.scope(name));
        self.state.names.enter();
        self.bind_arguments(bound);
        let evaluated = self.state.body.expressions.len();
        let operand = self.operand(value).and_then(|operand| self.converted(operand, of.unqualified(), location));
        (self.state.names, self.state.class, self.state.scope) = (names, class, scope);
        self.state.depth -= 1;
        let expression = operand?;
        let any = self.any_constant(of, evaluated, location);
        Ok(any.unwrap_or(Operand { expression, written: of.unqualified() }))
    }

    fn declare_global(
        &mut self,
        name: Name,
        of: Written,
        space: AddressSpace,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<()> {
        let location = declarator.declarator.location;
        let of = of.in_space(space);
        let to = self.complete(of, location)?;
        if matches!(self.program.types.kind(to), TypeKind::Void) {
            return Err(Diagnostic::error(location, "a variable cannot be `void`"));
        }
        let is_dynamic = specifiers.is_extern && space == AddressSpace::Local;
        let is_external = specifiers.is_extern && declarator.initializer.is_none() && !is_dynamic;
        let global = match self.file.find_here(name, NameSpace::Ordinary).map(|(meaning, at)| (meaning.clone(), at)) {
            Some((Meaning::Global(global, before), at)) => {
                let data = &self.program.globals[global];
                let is_same = self.is_redeclaration(before, of);
                if !is_same || data.initializer.is_some() && declarator.initializer.is_some() || data.space != space {
                    return Err(self.declared_twice(name, location, at));
                }
                let data = &mut self.program.globals[global];
                data.is_external &= is_external;
                if declarator.initializer.is_some() || !is_external {
                    data.of = to;
                }
                self.file.redefine(name, NameSpace::Ordinary, Meaning::Global(global, of));
                global
            }
            Some((_, at)) => return Err(self.declared_twice(name, location, at)),
            None => {
                let is_internal = specifiers.is_static || self.is_cpp() && of.is_const && !specifiers.is_extern;
                let global = self.new_global((&self.name_text(name), &self.name_text(name)), to, space, location);
                let data = &mut self.program.globals[global];
                data.is_external = is_external;
                data.is_constant =
                    of.is_const || space == AddressSpace::Constant && self.options.dialect == Dialect::OpenCl;
                data.is_internal = is_internal;
                self.file.declare(name, NameSpace::Ordinary, Meaning::Global(global, of), location);
                global
            }
        };
        self.align_global(global, specifiers, declarator)?;
        if let Some(initializer) = &declarator.initializer {
            if let Err(wrong) = self.initialize_global(global, of, initializer, location) {
                // What is in it is not known, so nobody may read zeros there.
                self.file.redefine(name, NameSpace::Ordinary, Meaning::Broken);
                self.broken.insert(name, wrong.clone());
                return Err(wrong);
            }
        } else if space == AddressSpace::Constant && self.is_opencl() && !specifiers.is_extern {
            let message = format!("`{}` is constant but starts with nothing", self.name_text(name));
            return Err(Diagnostic::error(location, message));
        }
        Ok(())
    }

    fn is_redeclaration(&self, before: Written, of: Written) -> bool {
        match (self.form(before), self.form(of)) {
            (FormKind::Array(a, x), FormKind::Array(b, y)) => {
                a == b && (x == y || *x == Length::Unknown || *y == Length::Unknown)
            }
            _ => before.form == of.form,
        }
    }

    pub(super) fn align_global(
        &mut self,
        global: Global,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) -> Outcome<()> {
        let alignment = self.alignment(&specifiers.attributes)?.max(self.alignment(&declarator.declarator.attributes)?);
        let data = &mut self.program.globals[global];
        data.alignment = data.alignment.max(alignment);
        Ok(())
    }

    pub(super) fn initialize_global(
        &mut self,
        global: Global,
        of: Written,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<()> {
        if self.program.globals[global].space == AddressSpace::Local {
            return Err(Diagnostic::error(location, "a variable in local memory cannot start with a value"));
        }
        let value = self.static_initializer(of, initializer, location)?;
        self.program.globals[global].initializer = Some(value);
        Ok(())
    }

    /// A new variable that nothing is said of; `written` is its name, `name` with those of what is around it.
    pub(super) fn new_global(
        &mut self,
        (name, written): (&str, &str),
        of: Type,
        space: AddressSpace,
        location: Location,
    ) -> Global {
        let name = self.unique_name(name);
        self.program.globals.push(GlobalData {
            name,
            written: written.to_string(),
            of,
            space,
            is_constant: false,
            is_external: false,
            is_internal: false,
            initializer: None,
            alignment: None,
            location,
        })
    }

    /// A name in IR that no other variable has.
    pub(super) fn unique_name(&mut self, name: &str) -> String {
        let count = self.global_names.entry(name.to_string()).or_insert(0);
        *count += 1;
        match *count {
            1 => name.to_string(),
            count => self.unique_name(&format!("{name}.{}", count - 1)),
        }
    }

    /// Where strings are.
    pub(super) fn string_space(&self) -> AddressSpace {
        match (self.options.dialect, self.options.target) {
            (Dialect::OpenCl, _) | (_, LowerTarget::Amdgpu) => AddressSpace::Constant,
            _ => AddressSpace::Global,
        }
    }

    /// The value of a sampler that is known when it is translated.
    pub(super) fn sampler_value(&mut self, of: Written, declarator: &'a InitDeclarator) -> Outcome<Option<u32>> {
        let to = self.type_of(of);
        if !matches!(self.program.types.kind(to), TypeKind::Opaque(name) if name == "sampler_t") {
            return Ok(None);
        }
        let location = declarator.declarator.location;
        let value = match &declarator.initializer {
            Some(Initializer::Expression(value)) => {
                let operand = self.operand(*value)?;
                self.build().constant_integer(operand.expression)
            }
            _ => None,
        };
        let value = value.and_then(|value| u32::try_from(value).ok());
        value.map(Some).ok_or_else(|| Diagnostic::error(location, "a sampler starts with a constant integer"))
    }

    /// A sampler as a value: the target makes it from its number.
    pub(super) fn sampler(&mut self, value: u32, of: Written, location: Location) -> Operand {
        let result = self.type_of(of);
        let int = self.program.types.integer(32, true);
        let kind = TypeKind::Function { result, parameters: vec![int], variadic: false };
        let function = self.program.types.intern(kind);
        let name = "__translate_sampler_initializer";
        let function = self.build().declare(name, function, false, MemoryEffects::None);
        let argument = self.build().integer(i128::from(value), int, location);
        let expression = self.build().call(function, vec![argument], location);
        Operand { expression, written: of.unqualified() }
    }

    /// Assigns a value that has the type of the place.
    pub(super) fn push_assign(
        &mut self,
        place: crate::typed::Expression,
        value: crate::typed::Expression,
        location: Location,
    ) -> crate::typed::Expression {
        let of = self.build().type_of(place);
        self.build().push(ExpressionKind::Assign(place, value), of, location)
    }
}
