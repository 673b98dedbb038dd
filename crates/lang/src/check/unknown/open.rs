//! Names that something else says: a template's parameter that nothing gives, a macro of the host or of the build.
//!
//! **Invariant.** What is open is not known, and is the same for all threads: it is noted apart from what is not understood.

use super::super::names::{Meaning, NameSpace};
use super::super::written::{Argument, FormKind, Written};
use super::super::{Checker, Operand};
use crate::diagnostic::{Diagnostic, Ground, is_written_as_macro};
use crate::options::{Dialect, Reading};
use crate::source::Location;
use crate::tree::{Expr, ExprKind, LargeKind, Name, Parameter, Scope, TemplateArgument, TypeSpecifier};
use crate::typed::{ExpressionData, ExpressionKind, Shape, Struct, Unknown};

impl<'a> Checker<'a> {
    /// The value that a template's parameter stands for, which is the same for all threads.
    pub(in crate::check) fn unknown_constant(&mut self, of: Written, location: Location) -> Operand {
        let to = self.type_of(of);
        let expression = self.build().computed(&[], to, location);
        Operand { expression, written: of.unqualified() }
    }

    /// Whether a constant whose value is not known can stand for any: it is no object, and no address of something that may be known.
    pub(in crate::check) fn is_any_constant(&mut self, of: Written) -> bool {
        let to = self.type_of(of);
        let shape = self.build().shape(to);
        self.is_tolerant() && (shape.is_scalar() || shape == Shape::Unknown)
    }

    /// What is evaluated for a constant of the language, if something in it is not known: no thread evaluates that, so the same value for all of them. None where all is known, as far as
    /// expressions of the body from a number on are what was evaluated.
    pub(in crate::check) fn any_constant(
        &mut self,
        of: Written,
        evaluated: usize,
        location: Location,
    ) -> Option<Operand> {
        let is_unknown = |data: &ExpressionData| match data.kind {
            ExpressionKind::Call { function, .. } => self.program.functions[function].is_unknown(),
            _ => false,
        };
        let has_unknown = self.state.body.expressions.values().skip(evaluated).any(is_unknown);
        (has_unknown && self.is_any_constant(of)).then(|| self.unknown_constant(of, location))
    }

    /// Whether it is not known what a template's parameter stands for.
    pub(in crate::check) fn is_unknown_argument(&self, argument: Argument) -> bool {
        match argument {
            Argument::Type(of) => self.has_unknown(of),
            Argument::Unknown(_) => true,
            Argument::Pack(pack) => {
                self.written.elements(pack).iter().any(|&element| self.is_unknown_argument(element))
            }
            Argument::Value(..) | Argument::Parameter(..) | Argument::Template(_) | Argument::Rest(_) => false,
        }
    }

    /// Whether a class is an instance for something of which it is not known what it stands for, or for such an instance.
    fn is_open_class(&self, class: Struct) -> bool {
        let is_open = |&(_, argument): &(Name, Argument)| match argument {
            Argument::Type(of) if let FormKind::Struct(inner) = *self.form(of) => self.is_open_class(inner),
            argument => self.is_unknown_argument(argument),
        };
        self.classes.get(&class).is_some_and(|class| class.arguments.iter().any(is_open))
    }

    /// Notes a macro that nothing defines.
    pub(in crate::check) fn note_undefined(&mut self, name: Name, location: Location) {
        if self.is_of_host(name) {
            return self.note_of_host(name, location);
        }
        let message = format!("nothing says what `{}` is", self.name_text(name));
        self.note_unknown(&Diagnostic::unsupported(location, message));
    }

    /// Notes what is unknown of a template's arguments and of the types of parameters.
    pub(in crate::check) fn note_unknown_signature(&mut self, definition: &super::super::function::Definition<'a>) {
        if !self.is_tolerant() {
            return;
        }
        if self.dialect() == Dialect::OpenCl {
            // It may make the function a kernel.
            for &(name, location) in definition.macros {
                self.note_undefined(name, location);
            }
            let of_nobody = |parameter: &Parameter| match parameter.specifiers.of {
                Some(TypeSpecifier::Unknown(name, _)) if parameter.declarator.name.is_none() => {
                    self.may_be_of_host(name)
                }
                _ => false,
            };
            self.state.has_host_parameters = definition.parameters.iter().any(of_nobody);
        }
        let location = self.program.functions[definition.function].location;
        for &(name, argument) in &definition.arguments {
            if self.is_unknown_argument(argument) {
                let message = format!("nothing says what the template's parameter `{}` is", self.name_text(name));
                self.state.open.push(Unknown::new(Diagnostic::unsupported(location, message)));
            }
        }
        let is_of_open = definition.class.is_some_and(|class| self.is_open_class(class));
        let of_parameters = definition.of.parameters.iter().skip(usize::from(definition.has_object));
        for (parameter, &of) in definition.parameters.iter().zip(of_parameters) {
            let is_open = is_of_open || parameter.specifiers.of.as_ref().is_some_and(|of| self.is_open_type(of));
            if self.has_unknown(of) && !is_open {
                let at = parameter.specifiers.location;
                let reason = self.unknown_type_at(parameter.specifiers.of.as_ref(), at);
                self.note_unknown(&reason);
            }
        }
    }

    /// Whether the host may define a name when it builds the program: of OpenCL C, one that is written as macros are, and that nothing declares.
    pub(in crate::check) fn may_be_of_host(&self, name: Name) -> bool {
        self.options.dialect == Dialect::OpenCl
            && is_written_as_macro(&self.name_text(name))
            && self.find(name, NameSpace::Ordinary).is_none()
    }

    /// Whether a name that nothing declares is a constant of which nothing is known, where the program is read so: of OpenCL C the host may define it, of CUDA and HIP the build or the file that includes
    /// this one. One that is called like the number of a thread (`TID`, `LANE_ID`) may be a macro for that.
    fn is_of_host(&self, name: Name) -> bool {
        let is_read_so = match self.options.dialect {
            Dialect::OpenCl => self.options.reading == Reading::WithHost,
            Dialect::Cuda | Dialect::Hip => self.is_tolerant(),
            Dialect::C | Dialect::Cpp => false,
        };
        let text = self.name_text(name);
        is_read_so
            && is_written_as_macro(&text)
            && !is_of_thread(&text)
            && self.find(name, NameSpace::Ordinary).is_none()
    }

    /// Notes that it is for the host to say what a name is, if it is.
    pub(in crate::check) fn note_of_host(&mut self, name: Name, location: Location) {
        if !self.is_of_host(name) {
            return;
        }
        let who = if self.is_opencl() { "the host" } else { "the build" };
        let message = format!("nothing says what `{}` is, which {who} may define (-D)", self.name_text(name));
        if self.state.open.iter().all(|open| open.reason.message != message) {
            self.state.open.push(Unknown::new(Diagnostic::unsupported(location, message)));
        }
    }

    /// Whether a name is that of a template's parameter of which nothing says what it stands for, or of something in such a type. What that is depends on the type, and is the
    /// same for all threads. So is what the host may define.
    pub(in crate::check) fn is_open_name(&self, name: Name) -> bool {
        if self.is_of_host(name) {
            return true;
        }
        let scopes = &self.tree.scopes;
        let mut next = Some(name).filter(|_| !self.state.open.is_empty());
        while let Some(name) = next {
            if let Some((&Meaning::Type(of), _)) = self.find(name, NameSpace::Ordinary)
                && self.has_unknown(of)
            {
                return true;
            }
            let scope = scopes.scope(name);
            next = if scope == Scope::UNIT { None } else { scopes.owner(scope) };
        }
        false
    }

    /// The same for a type: one of a template whose arguments are open, or something in such a type, is open, too.
    pub(in crate::check) fn is_open_type(&self, of: &TypeSpecifier) -> bool {
        match of {
            TypeSpecifier::Named(name, _) | TypeSpecifier::Unknown(name, _) => self.is_open_name(*name),
            TypeSpecifier::Member(of, ..) => self.is_open_type(of),
            TypeSpecifier::MemberTemplate(of, _) => {
                self.is_open_type(&of.0) || of.2.iter().any(|argument| self.is_open_given(argument))
            }
            TypeSpecifier::Template(named, _) => {
                self.is_open_name(named.0) || named.1.iter().any(|argument| self.is_open_given(argument))
            }
            _ => false,
        }
    }

    /// Whether `std::numeric_limits<T>::max` is called, of an open type: a constant, whatever it is.
    pub(in crate::check) fn is_open_limit(&self, callee: Expr) -> bool {
        let Some(LargeKind::MemberOf(member)) = self.tree.large(callee) else { return false };
        let TypeSpecifier::Template(named, _) = &member.0 else { return false };
        self.name_text(named.0).ends_with("numeric_limits") && self.is_open_type(&member.0)
    }

    fn is_open_given(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Type(of) => of.specifiers.of.as_ref().is_some_and(|of| self.is_open_type(of)),
            TemplateArgument::Value(value) => self.is_open_value(*value),
            TemplateArgument::Expansion(pattern, _) => self.is_open_given(pattern),
        }
    }

    /// Whether a value is what a template's parameter stands for of which nothing says it, or a member of an open type.
    pub(in crate::check) fn is_open_value(&self, value: Expr) -> bool {
        match (&self.tree.expressions[value].kind, self.tree.large(value)) {
            (ExprKind::Name(name), _) => {
                matches!(self.find(*name, NameSpace::Ordinary), Some((Meaning::Unknown(_), _)))
                    || self.is_open_name(*name)
            }
            (_, Some(LargeKind::MemberOf(member))) => self.is_open_type(&member.0),
            _ => false,
        }
    }

    fn unknown_type_at(&self, of: Option<&TypeSpecifier>, location: Location) -> Diagnostic {
        match of {
            Some(&(TypeSpecifier::Named(name, _) | TypeSpecifier::Unknown(name, _))) => {
                self.unknown_type_named(name, location)
            }
            _ => Diagnostic::unsupported(location, "a type is not known"),
        }
    }

    /// That a type is not known, by its name. Of OpenCL C, the host may give it.
    pub(in crate::check) fn unknown_type_named(&self, name: Name, location: Location) -> Diagnostic {
        let message = format!("`{}` is not a known type", self.name_text(name));
        Diagnostic::unsupported(location, message).because(self.ground_of_type(name))
    }

    /// Why it is an error that a name is no type.
    pub(in crate::check) fn ground_of_type(&self, name: Name) -> Ground {
        match (self.is_opencl(), is_written_as_macro(&self.name_text(name))) {
            (false, _) => Ground::Text,
            (true, true) => Ground::Host,
            (true, false) => Ground::Part,
        }
    }
}

/// Whether a macro is called like the number of a thread: `TID`, `GLOBAL_IDX`, `LANE`, `TX`. What is said of threads otherwise (`NUM_THREADS`, `MAX_ID`) is the same for all.
fn is_of_thread(name: &str) -> bool {
    let mut parts = name.split('_').filter(|part| !part.is_empty());
    let is_count = |part: &str| matches!(part, "PER" | "NUM" | "MAX" | "MIN" | "COUNT" | "N" | "SIZE" | "NB");
    if parts.clone().any(is_count) {
        return false;
    }
    parts.next_back().is_some_and(|last| {
        matches!(last, "TX" | "TY" | "TZ" | "I" | "J" | "K" | "X" | "Y" | "Z")
            || ["ID", "IDX", "INDEX", "LANE", "RANK", "THREAD"].iter().any(|ending| last.ends_with(ending))
    })
}
