//! Deduction: what the parameters of a template are in a call.
//!
//! **Definition.** A pattern is the type of a function's parameter with the template's parameters in it. A call's argument *unifies* with a pattern if
//! the template's parameters can be replaced so that the pattern is the argument's type, but for `const` that the pattern adds. What is
//! written in `<…>` comes first and is not deduced; what nothing says is the default.

use super::names::{Meaning, NameSpace};
use super::written::{Argument, FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Expr, ExprKind, Name, TemplateArgument, TemplateParameter, TypeName, TypeSpecifier};

impl<'a> Checker<'a> {
    /// The arguments of a template: those that are written, those that the call's arguments say, and defaults.
    pub(super) fn deduce(
        &mut self,
        set: usize,
        index: usize,
        explicit: Option<&'a [TemplateArgument]>,
        arguments: &[Operand],
        location: Location,
    ) -> Outcome<Vec<Argument>> {
        let template = &self.sets[set].templates[index];
        let (parameters, patterns) = (template.parameters, template.patterns.clone());
        let mut found: Vec<Option<Argument>> = vec![None; parameters.len()];
        let name = self.sets[set].name;
        self.explicit_arguments(name, parameters, explicit.unwrap_or(&[]), &mut found, location)?;
        // What is written is not deduced: the arguments of the call are converted to it.
        let written = explicit.map_or(0, <[_]>::len);
        let said: Vec<Option<Argument>> = found[..written].to_vec();
        found[..written].fill(None);
        for (&pattern, &argument) in patterns.iter().zip(arguments) {
            let Some(pattern) = pattern else { continue };
            if self.depends_only_on(pattern, written) {
                continue;
            }
            let actual = match self.form(pattern) {
                FormKind::Reference(..) => argument.written,
                _ => self.value(argument).written,
            };
            if !self.unify(pattern, actual, &mut found) {
                let name = self.name_text(self.sets[set].name);
                let of = self.name_of(argument.written);
                let message =
                    format!("`{of}` does not fit what `{name}` takes, or says otherwise than another argument");
                return Err(Diagnostic::error(location, message)
                    .with(self.sets[set].templates[index].location, "declared here"));
            }
        }
        found[..written].copy_from_slice(&said);
        self.default_arguments(set, index, found, location)
    }

    /// Whether a pattern has no parameters in it but the first ones.
    fn depends_only_on(&self, pattern: Written, first: usize) -> bool {
        match self.form(pattern) {
            FormKind::Parameter(number) => usize::from(*number) < first,
            FormKind::Pointer(to) | FormKind::Reference(to, _) => self.depends_only_on(*to, first),
            FormKind::Array(element, length) => {
                let is_known = match length {
                    Length::Parameter(number) => usize::from(*number) < first,
                    _ => true,
                };
                is_known && self.depends_only_on(*element, first)
            }
            FormKind::Function(of) => {
                self.depends_only_on(of.result, first)
                    && of.parameters.iter().all(|&of| self.depends_only_on(of, first))
            }
            FormKind::MemberPointer(of, class) => {
                self.depends_only_on(*of, first) && self.depends_only_on(Written::bare(*class), first)
            }
            FormKind::Instance(_, arguments) => arguments.iter().all(|argument| match *argument {
                Argument::Type(of) => self.depends_only_on(of, first),
                Argument::Parameter(number, _) => usize::from(number) < first,
                Argument::Value(..) | Argument::Unknown(_) | Argument::Template(_) => true,
            }),
            FormKind::Plain(..) | FormKind::Enum(_) | FormKind::Struct(_) => true,
        }
    }

    pub(super) fn explicit_arguments(
        &mut self,
        template: Name,
        parameters: &'a [TemplateParameter],
        explicit: &'a [TemplateArgument],
        found: &mut [Option<Argument>],
        location: Location,
    ) -> Outcome<()> {
        if explicit.len() > parameters.len() {
            let name = self.name_text(template);
            let message = format!(
                "the template `{name}` has {} parameters, but {} arguments are given",
                parameters.len(),
                explicit.len()
            );
            return Err(Diagnostic::error(location, message));
        }
        let mut bound: Vec<(Name, Argument)> = Vec::new();
        for (number, (parameter, argument)) in parameters.iter().zip(explicit).enumerate() {
            let argument = match (parameter, argument) {
                (TemplateParameter::Template { .. }, TemplateArgument::Type(of)) => {
                    self.template_argument(of, location)?
                }
                (TemplateParameter::Type { .. }, TemplateArgument::Type(of)) => Argument::Type(self.type_name(of)?),
                (TemplateParameter::Value { of, .. }, TemplateArgument::Value(value)) => {
                    let of = self.with_arguments(&bound, |checker| checker.type_name(of))?;
                    self.value_argument(*value, of)?
                }
                // A name that nothing declares is read as that of a value.
                (TemplateParameter::Type { .. }, &TemplateArgument::Value(value)) if self.is_undeclared(value) => {
                    Argument::Type(self.unknown_type())
                }
                (parameter, _) => {
                    let kind = match parameter {
                        TemplateParameter::Template { .. } => "a template of classes",
                        TemplateParameter::Type { .. } => "a type",
                        TemplateParameter::Value { .. } => "a value",
                    };
                    let name = self.name_text(parameter.name());
                    return Err(Diagnostic::error(location, format!("the template's parameter `{name}` is {kind}")));
                }
            };
            bound.extend(parameter.name().map(|name| (name, argument)));
            found[number] = Some(argument);
        }
        Ok(())
    }

    /// Whether an expression is a name that may be declared in what is not there.
    fn is_undeclared(&self, value: Expr) -> bool {
        match self.tree.expressions[value].kind {
            ExprKind::Name(name) => self.is_tolerant() && self.find(name, NameSpace::Ordinary).is_none(),
            _ => false,
        }
    }

    /// The template that stands for a template's parameter.
    fn template_argument(&mut self, of: &'a TypeName, location: Location) -> Outcome<Argument> {
        let name = match of.specifiers.of {
            Some(TypeSpecifier::Named(name, _) | TypeSpecifier::Unknown(name, _)) => name,
            _ => return Err(Diagnostic::error(location, "a template of classes is wanted here, not a type")),
        };
        match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::ClassTemplate(number), _)) => Ok(Argument::Template(number)),
            _ => {
                let message = format!("`{}` is no known template of classes", self.name_text(name));
                Err(Diagnostic::error(location, message))
            }
        }
    }

    /// Something done while the parameters of a template have meanings.
    pub(super) fn with_arguments<T>(&mut self, arguments: &[(Name, Argument)], act: impl FnOnce(&mut Self) -> T) -> T {
        self.state.names.enter();
        self.bind_arguments(arguments);
        let result = act(self);
        self.state.names.leave();
        result
    }

    fn value_argument(&mut self, value: Expr, of: Written) -> Outcome<Argument> {
        let location = self.tree.expressions[value].location;
        if let ExprKind::Name(name) = self.tree.expressions[value].kind
            && let Some((&Meaning::TemplateValue(number, of), _)) = self.find(name, NameSpace::Ordinary)
        {
            return Ok(Argument::Parameter(number, of.unqualified()));
        }
        if let FormKind::MemberPointer(..) = self.form(of) {
            return Err(Diagnostic::unsupported(location, "a pointer to a member as the argument of a template"));
        }
        let operand = self.operand(value)?;
        let converted = self.converted(operand, of, location)?;
        let value = self.build().constant_integer(converted);
        if value.is_none() && self.is_tolerant() {
            return Ok(Argument::Unknown(of.unqualified()));
        }
        let message = "the value of a template's parameter is a constant integer";
        value.map(|value| Argument::Value(value, of.unqualified())).ok_or_else(|| Diagnostic::error(location, message))
    }

    pub(super) fn default_arguments(
        &mut self,
        set: usize,
        index: usize,
        found: Vec<Option<Argument>>,
        location: Location,
    ) -> Outcome<Vec<Argument>> {
        let template = &self.sets[set].templates[index];
        let (name, parameters, declared) = (self.sets[set].name, template.parameters, template.location);
        let outer = self.enter_class(self.sets[set].class);
        let all = self.all_arguments(name, parameters, declared, found, location);
        self.leave_class(outer);
        all
    }

    /// The arguments of a template, with the defaults of those that nothing says.
    pub(super) fn all_arguments(
        &mut self,
        template: Name,
        parameters: &'a [TemplateParameter],
        declared: Location,
        found: Vec<Option<Argument>>,
        location: Location,
    ) -> Outcome<Vec<Argument>> {
        let mut all = Vec::with_capacity(parameters.len());
        let mut bound: Vec<(Name, Argument)> = Vec::new();
        for (parameter, found) in parameters.iter().zip(found) {
            let name = parameter.name();
            let argument = match (found, parameter) {
                (Some(Argument::Value(value, _)), TemplateParameter::Value { of, .. }) => {
                    // A length that was deduced has the parameter's type, too.
                    let of = self.with_arguments(&bound, |checker| checker.type_name(of))?;
                    Argument::Value(value, of.unqualified())
                }
                (Some(found), _) => found,
                (None, TemplateParameter::Type { default: Some(default), .. }) => {
                    Argument::Type(self.with_arguments(&bound, |checker| checker.type_name(default))?)
                }
                (None, TemplateParameter::Value { of, default: Some(default), .. }) => {
                    self.with_arguments(&bound, |checker| {
                        let of = checker.type_name(of)?;
                        checker.value_argument(*default, of)
                    })?
                }
                (None, _) => {
                    let (template, name) = (self.name_text(template), self.name_text(name));
                    let message = format!("nothing says what `{name}` of the template `{template}` is in this call");
                    return Err(Diagnostic::error(location, message).with(declared, "declared here"));
                }
            };
            all.push(argument);
            bound.extend(name.map(|name| (name, argument)));
        }
        Ok(all)
    }

    /// Finds out what a template's parameters must be for a pattern to be a type. False if they cannot.
    pub(super) fn unify(&mut self, pattern: Written, actual: Written, found: &mut [Option<Argument>]) -> bool {
        if self.written.type_of(pattern.form).is_some() {
            // What depends on nothing is converted to.
            return true;
        }
        match (self.form(pattern).clone(), self.form(actual).clone()) {
            (FormKind::Parameter(number), _) => {
                let mut of = Written { space: None, ..actual };
                of.is_const &= !pattern.is_const;
                of.is_volatile &= !pattern.is_volatile;
                bind(found, number, Argument::Type(of))
            }
            (FormKind::Reference(to, _), _) => {
                let actual = self.written.referred(actual);
                self.unify(to, actual, found)
            }
            (FormKind::Pointer(to), FormKind::Pointer(actual)) => self.unify(to, actual, found),
            (FormKind::Array(element, length), FormKind::Array(actual_element, actual_length)) => {
                let fits = match (length, actual_length) {
                    (Length::Parameter(number), Length::Known(length)) => {
                        let of = self.program.types.integer(64, false);
                        let of = self.written_of(of);
                        bind(found, number, Argument::Value(i128::from(length), of))
                    }
                    (length, actual) => length == actual,
                };
                fits && self.unify(element.within(pattern), actual_element.within(actual), found)
            }
            (FormKind::Function(of), FormKind::Function(actual)) => {
                (of.parameters.len(), of.is_const) == (actual.parameters.len(), actual.is_const)
                    && self.unify(of.result, actual.result, found)
                    && of.parameters.iter().zip(&*actual.parameters).all(|(&of, &actual)| self.unify(of, actual, found))
            }
            (FormKind::MemberPointer(of, class), FormKind::MemberPointer(actual, actual_class)) => {
                let (class, actual_class) = (Written::bare(class), Written::bare(actual_class));
                let is_same_class = match self.written.type_of(class.form) {
                    Some(_) => class == actual_class,
                    None => self.unify(class, actual_class, found),
                };
                is_same_class && self.unify(of, actual, found)
            }
            (FormKind::Instance(template, patterns), FormKind::Struct(of)) => {
                let Some(arguments) = self.instance_arguments(of, template) else { return false };
                let pairs = patterns.iter().zip(&*arguments);
                pairs.into_iter().all(|(&pattern, &actual)| self.unify_argument(pattern, actual, found))
            }
            _ => false,
        }
    }

    /// The same for the argument of a template: what depends on nothing has to be equal.
    pub(super) fn unify_argument(
        &mut self,
        pattern: Argument,
        actual: Argument,
        found: &mut [Option<Argument>],
    ) -> bool {
        match (pattern, actual) {
            (Argument::Type(pattern), Argument::Type(actual)) => match self.written.type_of(pattern.form) {
                Some(_) => pattern == actual,
                None => {
                    let keeps = |pattern: bool, actual: bool| !pattern || actual;
                    keeps(pattern.is_const, actual.is_const) && self.unify(pattern, actual, found)
                }
            },
            (Argument::Parameter(number, _), actual) => bind(found, number, actual),
            (Argument::Value(pattern, _), Argument::Value(actual, _)) => pattern == actual,
            (pattern, actual) => pattern == actual,
        }
    }
}

/// Binds a template's parameter; false if it is bound to something else.
fn bind(found: &mut [Option<Argument>], number: u16, argument: Argument) -> bool {
    let Some(place) = found.get_mut(usize::from(number)) else { return false };
    match (place.as_ref(), argument) {
        (None, _) => {
            *place = Some(argument);
            true
        }
        (Some(Argument::Value(known, _)), Argument::Value(value, _)) => *known == value,
        (Some(known), argument) => *known == argument,
    }
}
