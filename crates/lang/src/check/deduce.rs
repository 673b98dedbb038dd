//! Deduction: what the parameters of a template are in a call.
//!
//! **Definition.** A pattern is the type of a function's parameter with the template's parameters in it. A call's argument *unifies* with a pattern if
//! the template's parameters can be replaced so that the pattern is the argument's type, but for `const` that the pattern adds. What is
//! written in `<…>` comes first and is not deduced; what nothing says is the default.

use super::class::{Mention, by_name};
use super::names::{Meaning, NameSpace};
use super::pack::Given;
use super::written::{Argument, FormKind, FunctionForm, Length, Pack, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Declarator, Expr, ExprKind, Name, TemplateArgument, TemplateParameter, TypeName, TypeSpecifier};

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
        let rest = patterns.len() - usize::from(template.ends_in_pack);
        let mut found: Vec<Option<Argument>> = vec![None; parameters.len()];
        let name = self.sets[set].name;
        self.explicit_arguments(name, parameters, explicit.unwrap_or(&[]), &mut found, location)?;
        // What is written is not deduced: the arguments of the call are converted to it. To a pack, the call may add more.
        let plain = parameters.iter().position(TemplateParameter::is_pack).unwrap_or(parameters.len());
        let written = explicit.map_or(0, <[_]>::len).min(plain);
        let said: Vec<Option<Argument>> = found[..written].to_vec();
        found[..written].fill(None);
        for (&pattern, &argument) in patterns[..rest].iter().zip(arguments) {
            let Some(pattern) = pattern else { continue };
            if self.depends_only_on(pattern, written) {
                continue;
            }
            let actual = self.deduced_from(pattern, argument);
            if !self.unify(pattern, actual, &mut found) {
                return Err(self.misfit(set, index, argument, location));
            }
        }
        if let Some(&Some(pattern)) = patterns.get(rest) {
            let arguments = arguments.get(rest..).unwrap_or_default();
            let actual: Vec<Written> = arguments.iter().map(|&argument| self.deduced_from(pattern, argument)).collect();
            if !self.unify_rest(pattern, &actual, parameters, &mut found)
                && let Some(&first) = arguments.first()
            {
                return Err(self.misfit(set, index, first, location));
            }
        }
        found[..written].copy_from_slice(&said);
        self.default_arguments(set, index, found, location)
    }

    /// The type that an argument of a call has for a pattern.
    fn deduced_from(&mut self, pattern: Written, argument: Operand) -> Written {
        let is_kept = self.is_kept_place(argument);
        match *self.form(pattern) {
            FormKind::Reference(to, true) if is_kept && self.is_forwarded(to) => {
                let of = Written { space: None, ..argument.written };
                self.written.reference(&mut self.program.types, of, false)
            }
            FormKind::Reference(..) => argument.written,
            _ => self.value(argument).written,
        }
    }

    /// Whether a reference with `&&` to this is to what an argument is, a place or a value: to a parameter of the template.
    fn is_forwarded(&self, to: Written) -> bool {
        !to.is_const && !to.is_volatile && matches!(self.form(to), FormKind::Parameter(_))
    }

    /// Whether an operand is a place that somebody still needs.
    pub(super) fn is_kept_place(&mut self, operand: Operand) -> bool {
        self.build().is_place(operand.expression) && !self.state.given_up.contains(&operand.expression)
    }

    /// The error where an argument of a call does not unify.
    fn misfit(&mut self, set: usize, index: usize, argument: Operand, location: Location) -> Diagnostic {
        let name = self.name_text(self.sets[set].name);
        let of = self.name_of(argument.written);
        let message = format!("`{of}` does not fit what `{name}` takes, or says otherwise than another argument");
        Diagnostic::error(location, message).with(self.sets[set].templates[index].location, "declared here")
    }

    /// What the packs of a template are where a pattern with them is each of some types. What was written of them in `<…>` stays.
    pub(super) fn unify_rest(
        &mut self,
        pattern: Written,
        actual: &[Written],
        parameters: &[TemplateParameter],
        found: &mut [Option<Argument>],
    ) -> bool {
        let written = |found: &Option<Argument>, checker: &Self| match found {
            Some(Argument::Pack(pack)) => checker.written.elements(*pack).to_vec(),
            _ => Vec::new(),
        };
        let is_pack = |number: usize| parameters[number].is_pack();
        let mut packs: Vec<Vec<Argument>> = vec![Vec::new(); found.len()];
        let before: Vec<Vec<Argument>> = found.iter().map(|found| written(found, self)).collect();
        for (index, &actual) in actual.iter().enumerate() {
            let mut element = found.to_vec();
            for number in (0..element.len()).filter(|&number| is_pack(number)) {
                element[number] = None;
            }
            if before.iter().all(|before| index >= before.len()) && !self.unify(pattern, actual, &mut element) {
                return false;
            }
            for number in 0..element.len() {
                match is_pack(number) {
                    true => packs[number].extend(before[number].get(index).copied().or(element[number])),
                    false => found[number] = element[number],
                }
            }
        }
        for (number, pack) in packs.into_iter().enumerate() {
            if is_pack(number) && (found[number].is_none() || pack.len() > before[number].len()) {
                found[number] = Some(Argument::Pack(self.written.pack(pack)));
            }
        }
        true
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
                Argument::Pack(_) | Argument::Rest(_) => !self.written.is_dependent(*argument),
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
        let has_pack = parameters.iter().any(TemplateParameter::is_pack);
        let given = self.repeated(explicit, location)?;
        if given.len() > parameters.len() && !has_pack {
            let name = self.name_text(template);
            let (wanted, given) = (parameters.len(), given.len());
            let message = format!("the template `{name}` has {wanted} parameters, but {given} arguments are given");
            return Err(Diagnostic::error(location, message));
        }
        let mut bound: Vec<(Name, Argument)> = Vec::new();
        let mut given = given.into_iter();
        for (number, parameter) in parameters.iter().enumerate() {
            let argument = if parameter.is_pack() {
                let mut elements = Vec::new();
                for one in given.by_ref() {
                    let element = self.given_argument(parameter, &one, &bound, location)?;
                    elements.push(match one.is_rest {
                        true => Argument::Rest(self.written.pack(vec![element])),
                        false => element,
                    });
                }
                if elements.is_empty() {
                    break;
                }
                Argument::Pack(self.written.pack(elements))
            } else {
                let Some(one) = given.next() else { break };
                let element = self.given_argument(parameter, &one, &bound, location)?;
                if one.is_rest {
                    // `A<T...>`, where `A` has parameters that are no packs: what is given for this one and all others.
                    found[number] = Some(Argument::Rest(self.written.pack(vec![element])));
                    break;
                }
                element
            };
            bound.extend(parameter.name().map(|name| (name, argument)));
            found[number] = Some(argument);
        }
        Ok(())
    }

    /// One argument that is written, for a parameter.
    fn given_argument(
        &mut self,
        parameter: &'a TemplateParameter,
        given: &Given<'a>,
        bound: &[(Name, Argument)],
        location: Location,
    ) -> Outcome<Argument> {
        self.state.names.enter();
        self.declare_elements(&given.elements);
        let made = match (parameter, given.argument) {
            (TemplateParameter::Template { .. }, TemplateArgument::Type(of)) => self.template_argument(of, location),
            (TemplateParameter::Type { .. }, TemplateArgument::Type(of)) => {
                self.by_mention(Mention::Argument, |checker| checker.type_name(of)).map(Argument::Type)
            }
            (TemplateParameter::Value { of, .. }, TemplateArgument::Value(value)) => self
                .with_arguments(bound, |checker| checker.type_of_value(of))
                .and_then(|of| self.value_argument(*value, of)),
            // A name that nothing declares is read as that of a value.
            (TemplateParameter::Type { .. }, &TemplateArgument::Value(value)) if self.is_undeclared(value) => {
                Ok(Argument::Type(self.unknown_type()))
            }
            (parameter, _) => {
                let kind = match parameter {
                    TemplateParameter::Template { .. } => "a template of classes",
                    TemplateParameter::Type { .. } => "a type",
                    TemplateParameter::Value { .. } => "a value",
                };
                let name = self.name_text(parameter.name());
                Err(Diagnostic::error(location, format!("the template's parameter `{name}` is {kind}")))
            }
        };
        self.state.names.leave();
        made
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
            Some((&Meaning::TemplateValue(number, of), _)) => Ok(Argument::Parameter(number, of.unqualified())),
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

    /// The type of a value that is a template's parameter; none for `auto`, which is the type of what is given.
    fn type_of_value(&mut self, of: &'a TypeName) -> Outcome<Option<Written>> {
        match (&of.specifiers.of, &of.declarator) {
            (Some(TypeSpecifier::Auto), Declarator::Base) => Ok(None),
            _ => self.type_name(of).map(Some),
        }
    }

    fn value_argument(&mut self, value: Expr, of: Option<Written>) -> Outcome<Argument> {
        let location = self.tree.expressions[value].location;
        if let ExprKind::Name(name) = self.tree.expressions[value].kind
            && let Some((&Meaning::TemplateValue(number, of), _)) = self.find(name, NameSpace::Ordinary)
        {
            return Ok(Argument::Parameter(number, of.unqualified()));
        }
        if let Some(of) = of
            && let FormKind::MemberPointer(..) = self.form(of)
        {
            return Err(Diagnostic::unsupported(location, "a pointer to a member as the argument of a template"));
        }
        let operand = self.operand(value)?;
        // Of a type that depends on another parameter, only the number matters.
        let of = of.filter(|of| self.written.type_of(of.form).is_some());
        let of = of.unwrap_or_else(|| operand.written.unqualified());
        let converted = self.converted(operand, of, location)?;
        let value = self.known_integer(converted, location)?;
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
        let (name, declarations, declared) = (self.sets[set].name, template.declarations.clone(), template.location);
        let outer = self.enter_class(self.sets[set].class);
        let all = self.all_arguments(name, &declarations, declared, found, location);
        self.leave_class(outer);
        all
    }

    /// The arguments of a template, with the defaults of those that nothing says. Of its declarations, the last is the one whose parameters count; each may have defaults.
    pub(super) fn all_arguments(
        &mut self,
        template: Name,
        declarations: &[&'a [TemplateParameter]],
        declared: Location,
        found: Vec<Option<Argument>>,
        location: Location,
    ) -> Outcome<Vec<Argument>> {
        let parameters: &'a [TemplateParameter] = declarations.last().copied().unwrap_or(&[]);
        let mut all = Vec::with_capacity(parameters.len());
        for (number, (parameter, found)) in parameters.iter().zip(found).enumerate() {
            let argument = match (found, parameter) {
                (Some(Argument::Value(value, own)), TemplateParameter::Value { of, .. }) => {
                    // A length that was deduced has the parameter's type, too.
                    let bound = by_name(parameters, &all);
                    let of = self.with_arguments(&bound, |checker| checker.type_of_value(of))?;
                    Argument::Value(value, of.map_or(own, Written::unqualified))
                }
                (Some(rest @ Argument::Rest(_)), _) => {
                    all.push(rest);
                    break;
                }
                (Some(found), _) => found,
                (None, parameter) if parameter.is_pack() => Argument::Pack(self.written.pack(Vec::new())),
                (None, _) => {
                    let with_default = |own: &&&'a [TemplateParameter]| own.get(number).is_some_and(has_default);
                    let Some(own) = declarations.iter().find(with_default) else {
                        let (template, name) = (self.name_text(template), self.name_text(parameter.name()));
                        let message =
                            format!("nothing says what `{name}` of the template `{template}` is in this call");
                        return Err(Diagnostic::error(location, message).with(declared, "declared here"));
                    };
                    let bound = by_name(own, &all);
                    self.with_arguments(&bound, |checker| checker.argument_by_default(&own[number], location))?
                }
            };
            all.push(argument);
        }
        Ok(all)
    }

    /// The default of a parameter that has one.
    fn argument_by_default(&mut self, parameter: &'a TemplateParameter, location: Location) -> Outcome<Argument> {
        match parameter {
            TemplateParameter::Template { default: Some(default), .. } => self.template_argument(default, location),
            TemplateParameter::Type { default: Some(default), .. } => self.type_name(default).map(Argument::Type),
            TemplateParameter::Value { of, default: Some(default), .. } => {
                let of = self.type_of_value(of)?;
                self.value_argument(*default, of)
            }
            _ => unreachable!("only of a parameter with a default"),
        }
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
            (FormKind::Reference(to, true), FormKind::Reference(..)) if self.is_forwarded(to) => {
                self.unify(to, actual, found)
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
                let (patterns, parameters) = (self.parameters_as_pack(&of), self.parameters_as_pack(&actual));
                of.is_const == actual.is_const
                    && self.unify(of.result, actual.result, found)
                    && self.unify_packs(patterns, parameters, found)
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
                self.unify_arguments(&patterns, &arguments, found)
            }
            // That of another template.
            (FormKind::Instance(template, patterns), FormKind::Instance(of, arguments)) => {
                template == of && self.unify_arguments(&patterns, &arguments, found)
            }
            _ => false,
        }
    }

    /// The same for all arguments of a template. Where a pack stands for some of them, it is what is written that is compared.
    fn unify_arguments(&mut self, patterns: &[Argument], actual: &[Argument], found: &mut [Option<Argument>]) -> bool {
        if patterns.iter().chain(actual).any(|argument| matches!(argument, Argument::Rest(_))) {
            let [patterns, actual] = [patterns, actual].map(|all| self.one_by_one(all));
            return self.unify_packs(patterns, actual, found);
        }
        patterns.iter().zip(actual).all(|(&pattern, &actual)| self.unify_argument(pattern, actual, found))
    }

    /// Arguments as they stand in `<…>`, those of packs one by one.
    fn one_by_one(&mut self, arguments: &[Argument]) -> Pack {
        let elements = |&argument: &Argument| match argument {
            Argument::Pack(pack) => self.written.elements(pack).to_vec(),
            one => vec![one],
        };
        let all = arguments.iter().flat_map(elements).collect();
        self.written.pack(all)
    }

    /// The types of what a function takes, as the arguments of a template.
    fn parameters_as_pack(&mut self, of: &FunctionForm) -> Pack {
        let mut all: Vec<Argument> = of.parameters.iter().map(|&of| Argument::Type(of)).collect();
        if of.ends_in_pack
            && let Some(last) = all.pop()
        {
            all.push(Argument::Rest(self.written.pack(vec![last])));
        }
        self.written.pack(all)
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
                    let is_same_reference = match (self.form(pattern), self.form(actual)) {
                        (FormKind::Reference(_, pattern), FormKind::Reference(_, actual)) => pattern == actual,
                        (pattern, _) => !matches!(pattern, FormKind::Reference(..)),
                    };
                    is_same_reference && keeps(pattern.is_const, actual.is_const) && self.unify(pattern, actual, found)
                }
            },
            (Argument::Parameter(number, _), actual) => bind(found, number, actual),
            (Argument::Value(pattern, _), Argument::Value(actual, _)) => pattern == actual,
            (Argument::Pack(patterns), Argument::Pack(actual)) => self.unify_packs(patterns, actual, found),
            (pattern, actual) => pattern == actual,
        }
    }

    /// The same for what packs stand for: the last one of a pattern may be any number.
    fn unify_packs(&mut self, patterns: Pack, actual: Pack, found: &mut [Option<Argument>]) -> bool {
        let (patterns, actual) = (self.written.elements(patterns).clone(), self.written.elements(actual).clone());
        let (patterns, rest) = match *patterns {
            [ref patterns @ .., Argument::Rest(rest)] => (patterns, Some(rest)),
            ref patterns => (patterns, None),
        };
        if actual.len() < patterns.len() || actual.len() > patterns.len() && rest.is_none() {
            return false;
        }
        let (first, others) = actual.split_at(patterns.len());
        let fits = patterns.iter().zip(first).all(|(&pattern, &actual)| self.unify_argument(pattern, actual, found));
        let Some(rest) = rest.filter(|_| fits) else { return fits };
        let pattern = self.written.elements(rest)[0];
        // What the elements bind that no other argument does, are packs.
        let is_pack = |found: &Option<Argument>| matches!(found, None | Some(Argument::Pack(_)));
        let mut packs: Vec<Vec<Argument>> = vec![Vec::new(); found.len()];
        for &actual in others {
            let actual = match actual {
                Argument::Rest(of) => self.written.elements(of)[0],
                one => one,
            };
            let mut element: Vec<_> = found.iter().map(|found| found.filter(|_| !is_pack(found))).collect();
            if !self.unify_argument(pattern, actual, &mut element) {
                return false;
            }
            for (number, bound) in element.into_iter().enumerate().filter(|&(number, _)| is_pack(&found[number])) {
                packs[number].extend(bound);
            }
        }
        let itself = match pattern {
            Argument::Type(of) => match *self.form(of) {
                FormKind::Parameter(number) => Some(number),
                _ => None,
            },
            Argument::Parameter(number, _) => Some(number),
            _ => None,
        };
        packs.into_iter().enumerate().all(|(number, pack)| {
            let is_bound = !pack.is_empty() || itself == Some(number as u16);
            !is_bound || bind(found, number as u16, Argument::Pack(self.written.pack(pack)))
        })
    }
}

/// Whether a template's parameter has a default.
fn has_default(parameter: &TemplateParameter) -> bool {
    match parameter {
        TemplateParameter::Template { default, .. } | TemplateParameter::Type { default, .. } => default.is_some(),
        TemplateParameter::Value { default, .. } => default.is_some(),
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
