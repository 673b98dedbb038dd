//! Calls: of functions of the file, of functions that the language declares, and through pointers.

use std::borrow::Cow;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::names::Meaning;
use super::object::Callee;
use super::overload::Chosen;
use super::written::{FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::{Diagnostic, Ground};
use crate::source::Location;
use crate::tree::{Expr, ExprKind, LargeKind, Name};
use crate::typed::{Conversion, Expression, ExpressionKind, FloatKind, Shape};

/// The arguments of a call: mostly a few.
type Arguments = SmallVec<[Operand; 4]>;

impl<'a> Checker<'a> {
    pub(super) fn call(
        &mut self,
        callee: Expr,
        arguments: &'a [Expr],
        convergent: Option<bool>,
        location: Location,
    ) -> Outcome<Operand> {
        let tree = self.tree;
        let at = tree.expressions[callee].location;
        let (name, explicit) = match (tree.expressions[callee].kind, tree.large(callee)) {
            (ExprKind::Name(name), _) => (name, None),
            (_, Some(LargeKind::TemplateName(named))) => (named.0, Some(&named.1[..])),
            (ExprKind::Member { base, name, arrow }, _) => {
                return match self.call_member((base, name, arrow), None, arguments, at) {
                    Some(made) => made,
                    None => self.call_pointer(callee, arguments, location),
                };
            }
            (_, Some(LargeKind::MemberTemplate(member))) => {
                let called = (member.base, member.name, member.arrow);
                return match self.call_member(called, Some(&member.arguments), arguments, at) {
                    Some(made) => made,
                    None => Err(Diagnostic::error(at, format!("there is no template `{}`", self.text(member.name)))),
                };
            }
            (_, Some(LargeKind::PointedMember(member))) => {
                return self.call_pointed_member(member, arguments, convergent, at);
            }
            (_, Some(LargeKind::MemberOf(member))) => {
                return match self.member_of_type(&member.0, member.1, at)? {
                    (_, Meaning::Functions(set)) => {
                        let object = self.this_object(at);
                        let callee =
                            Callee { explicit: member.2.as_deref(), is_qualified: true, ..Callee::of(set, object) };
                        self.call_named(callee, arguments, convergent, at)
                    }
                    (_, Meaning::Type(of)) => self.construct_type(of, arguments, at),
                    _ => self.call_pointer(callee, arguments, location),
                };
            }
            _ => return self.call_pointer(callee, arguments, location),
        };
        self.require_owners(name)?;
        match self.find_used(name, callee).cloned() {
            Some(Meaning::Broken) => {
                if self.is_tolerant() {
                    self.arguments(arguments)?;
                }
                Err(self.broken_name(name, location))
            }
            Some(Meaning::Functions(set)) => {
                let object = self.sets[set].class.and_then(|_| self.this_object(at));
                let is_qualified = object.is_some() && self.is_qualified(callee);
                let callee = Callee { explicit, is_qualified, ..Callee::of(set, object) };
                self.call_named(callee, arguments, convergent, at)
            }
            Some(_) => self.call_pointer(callee, arguments, location),
            None => {
                if let Some(made) = self.texture_call(&self.name_text(name), explicit, arguments, at) {
                    return made;
                }
                let arguments = self.arguments(arguments)?;
                let near = if self.is_qualified(callee) { None } else { self.function_near(name, &arguments) };
                if let Some(set) = near {
                    let chosen = self.choose_viable(Callee { explicit, ..Callee::of(set, None) }, &arguments, at)?;
                    return self.call_chosen(&chosen, None, &arguments, convergent, at);
                }
                if let Some(made) = self.call_builtin(&self.language_name(name), &arguments, at) {
                    return self.with_convergence(made?, convergent, at);
                }
                Err(self.undeclared_function(name, at))
            }
        }
    }

    /// How the language knows a function of its own: what is in `std` is there without that, too.
    fn language_name(&self, name: Name) -> Cow<'a, str> {
        let text = self.name_text(name);
        match text.strip_prefix("cuda::").unwrap_or(&text).strip_prefix("std::") {
            Some(plain) if self.is_cpp() && !plain.contains("::") => Cow::Owned(plain.to_owned()),
            _ => text,
        }
    }

    /// That a function is not declared, with one that is near, in the file or else in the language.
    fn undeclared_function(&mut self, name: Name, at: Location) -> Diagnostic {
        let of_file = self.suggestion(name);
        let is_asked = of_file.is_empty() && self.suggestions <= super::MOST_SUGGESTIONS;
        let of_language = if is_asked { self.language_near(&self.name_text(name)) } else { None };
        let suggestion = of_language.map_or(of_file, |near| format!("; did you mean `{near}`?"));
        let message = format!("the function `{}` is not declared{suggestion}", self.name_text(name));
        let mut error = Diagnostic::error(at, message);
        // The language has the same functions in all parts of a program.
        if self.is_opencl() && of_language.is_none() {
            error.ground = Ground::Elsewhere;
        }
        error.meant = of_language.filter(|near| match self.is_opencl() {
            true => crate::builtins::effects(near, false).0,
            false => crate::builtins::device::communicates(self.dialect(), near),
        });
        error
    }

    /// The function of the language whose name is near.
    fn language_near(&self, wrong: &str) -> Option<&'static str> {
        match self.is_opencl() {
            true => crate::near::nearest(wrong, crate::builtins::opencl::names()),
            false => crate::near::nearest(wrong, crate::builtins::device::names(self.dialect())),
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Expr]) -> Outcome<Arguments> {
        self.operands(arguments, Self::expression)
    }

    /// The arguments of a call of one of some functions. A list is of the type of its parameter, if that is the same in all of them.
    fn arguments_of(&mut self, callee: Callee<'a>, arguments: &'a [Expr]) -> Outcome<Arguments> {
        let is_list = |argument: &Expr| matches!(self.tree.large(*argument), Some(LargeKind::List(_)));
        if !arguments.iter().any(is_list) {
            return self.arguments(arguments);
        }
        let of: Vec<_> = (0..arguments.len()).map(|at| self.parameter_of_all(callee, at, arguments.len())).collect();
        let mut made = Arguments::new();
        for (&argument, of) in arguments.iter().zip(of) {
            match (self.tree.large(argument), of) {
                (Some(LargeKind::List(_)), Some(of)) => made.push(self.operand_for(of, argument)?),
                _ => made.extend(self.arguments(&[argument])?),
            }
        }
        Ok(made)
    }

    /// The type of a parameter, where all functions of a set that take so many arguments have the same.
    fn parameter_of_all(&self, callee: Callee<'a>, at: usize, count: usize) -> Option<Written> {
        let Callee { set, object, .. } = callee;
        let data = &self.sets[set];
        let candidates = data.candidates.iter().filter(|candidate| !candidate.facts.is_host);
        let plain = candidates.map(|candidate| {
            let skipped = usize::from(candidate.has_object);
            (skipped, candidate.of.parameters.iter().map(|&of| Some(of)).collect::<Vec<_>>())
        });
        let templates =
            data.templates.iter().enumerate().map(|(index, template)| {
                (usize::from(self.template_has_object(set, index)), template.patterns.clone())
            });
        let mut found: Option<Written> = None;
        for (skipped, parameters) in plain.chain(templates) {
            if parameters.len() < count + skipped || skipped == 1 && object.is_none() {
                continue;
            }
            let of = self.written.referred(parameters[at + skipped]?);
            self.written.type_of(of.form)?;
            if found.is_some_and(|other| other.form != of.form) {
                return None;
            }
            found = Some(of);
        }
        found
    }

    /// A call of a function that the language declares; none if there is no such function.
    fn call_builtin(&mut self, name: &str, arguments: &[Operand], location: Location) -> Option<Outcome<Operand>> {
        let expressions: SmallVec<[Expression; 8]> = arguments.iter().map(|argument| argument.expression).collect();
        let mut made = crate::builtins::call(&mut self.build(), name, &expressions, location)?;
        if made.is_err()
            && let Some(operands) = self.stand_ins(arguments, location)
        {
            let expressions: SmallVec<[Expression; 8]> = operands.iter().map(|operand| operand.expression).collect();
            made = crate::builtins::call(&mut self.build(), name, &expressions, location)?;
            return Some(made.map(|expression| {
                let made = self.plain(expression);
                self.computed(&[made], location)
            }));
        }
        Some(made.map(|expression| self.plain(expression)))
    }

    /// `convergent` and `noconvergent` on a call of a function that the language declares.
    fn with_convergence(&mut self, made: Operand, convergent: Option<bool>, location: Location) -> Outcome<Operand> {
        if convergent.is_none() {
            return Ok(made);
        }
        match &mut self.state.body.expressions[made.expression].kind {
            ExpressionKind::Call { convergent: said, .. } => *said = convergent,
            _ => {
                let message = "`convergent` and `noconvergent` here need a call that stays one";
                self.diagnostics.push(Diagnostic::warning(location, message));
            }
        }
        Ok(made)
    }

    pub(super) fn call_named(
        &mut self,
        callee: Callee<'a>,
        arguments: &'a [Expr],
        convergent: Option<bool>,
        location: Location,
    ) -> Outcome<Operand> {
        let arguments = self.arguments_of(callee, arguments)?;
        let Callee { set, explicit, object, is_qualified, .. } = callee;
        let data = &self.sets[set];
        let is_defined = data.candidates.iter().any(|candidate| candidate.has_body) || !data.templates.is_empty();
        if !is_defined && explicit.is_none() && data.class.is_none() {
            // What is declared and known to the language is what the language says.
            let name = self.name_text(data.name);
            if let Some(Ok(made)) = self.call_builtin(&name, &arguments, location) {
                return self.with_convergence(made, convergent, location);
            }
        }
        let made = match self.choose(callee, &arguments, location) {
            Ok(mut chosen) => {
                chosen.candidate = chosen.candidate.filter(|_| !is_qualified);
                self.call_chosen(&chosen, object, &arguments, convergent, location)
            }
            Err(wrong) => match self.call_any(callee, &arguments, convergent, location)? {
                Some(made) => Ok(made),
                None => Err(wrong),
            },
        };
        match made {
            // The language may have more functions of the name than the file.
            Err(wrong)
                if self.is_cpp() && explicit.is_none() && self.sets[set].class.is_none() && !wrong.is_limit() =>
            {
                let name = self.tree.scopes.spelling(self.sets[set].name);
                match self.call_builtin(self.text(name), &arguments, location) {
                    Some(Ok(made)) => self.with_convergence(made, convergent, location),
                    _ => Err(wrong),
                }
            }
            made => made,
        }
    }

    /// The functions of which a call means one, where it depends on what a template's parameter stands for which one that is; none where that is no such call.
    fn any_of(&mut self, callee: Callee<'a>, arguments: &[Operand], location: Location) -> Outcome<Vec<Chosen>> {
        const MOST: usize = 8;
        let Callee { set, explicit, object, .. } = callee;
        let (functions, templates) = (self.sets[set].candidates.len(), self.sets[set].templates.len());
        let is_open = |argument: &Operand| self.is_unknown(argument.written);
        let mut all = Vec::new();
        if object.is_some() {
            return Ok(all);
        } else if templates == 0 && explicit.is_none() && !self.state.open.is_empty() && arguments.iter().any(is_open) {
            let data = &self.sets[set];
            let fits = |index: &usize| {
                let candidate = &data.candidates[*index];
                let is_plain = !candidate.facts.is_host && !candidate.has_object && !candidate.of.variadic;
                is_plain && candidate.of.parameters.len() == arguments.len()
            };
            for index in (0..functions).filter(fits).take(MOST + 1).collect::<Vec<_>>() {
                all.push(self.chosen_candidate(set, index, location)?);
            }
        } else if functions == 0 || explicit.is_some() {
            for index in 0..templates {
                let Ok(deduced) = self.deduce(set, index, explicit, arguments, location) else { continue };
                if !all.is_empty() || !self.is_undecided(set, index, &deduced) {
                    return Ok(Vec::new());
                }
                all = self.all_instances(set, index, &deduced, location)?;
            }
        }
        Ok(if all.len() > MOST { Vec::new() } else { all })
    }

    /// A call of any function of several, the same one for all threads. None where that is no such call.
    fn call_any(
        &mut self,
        callee: Callee<'a>,
        arguments: &[Operand],
        convergent: Option<bool>,
        location: Location,
    ) -> Outcome<Option<Operand>> {
        let all = self.any_of(callee, arguments, location)?;
        if all.is_empty() {
            return Ok(None);
        }
        let (mut first, mut kept) = (Vec::new(), Arguments::new());
        for &argument in arguments {
            let value = self.value(argument);
            let of = self.build().type_of(value.expression);
            let variable = self.new_variable("", of, None, location);
            let place = self.build().variable(variable, location);
            first.push(self.push_assign(place, value.expression, location));
            kept.push(Operand { expression: place, written: value.written });
        }
        let mut made: Option<Expression> = None;
        for chosen in all {
            let mut passed = Arguments::new();
            for (&argument, &to) in kept.iter().zip(&*chosen.of.parameters) {
                let is_reference = matches!(self.form(to), FormKind::Reference(..));
                passed.push(match self.is_unknown(argument.written) && !is_reference {
                    true => {
                        let of = self.type_of(to);
                        Operand { expression: self.computed_as(argument, of, location), written: to.unqualified() }
                    }
                    false => argument,
                });
            }
            let Ok(call) = self.call_chosen(&chosen, None, &passed, convergent, location) else { continue };
            let call = match self.build().shape_of(call.expression) {
                Shape::Void => call.expression,
                _ => self.computed(&[call], location).expression,
            };
            made = Some(match made {
                None => call,
                Some(others) => {
                    let bool = self.program.types.bool();
                    let bool = self.written_of(bool);
                    let condition = self.unknown_constant(bool, location).expression;
                    self.build().conditional(condition, call, others, location)?
                }
            });
        }
        let Some(made) = made else { return Ok(None) };
        first.push(made);
        let expression = self.sequence(&first, location);
        let written = match self.build().shape_of(made) {
            Shape::Void => self.plain(expression).written,
            _ => self.unknown_type(),
        };
        Ok(Some(Operand { expression, written }))
    }

    /// A call of a function that was found, with an object where it takes one.
    pub(super) fn call_chosen(
        &mut self,
        chosen: &Chosen,
        object: Option<Operand>,
        arguments: &[Operand],
        convergent: Option<bool>,
        location: Location,
    ) -> Outcome<Operand> {
        let object = object.filter(|_| chosen.has_object);
        if chosen.has_object && object.is_none() {
            let message = format!("`{}` is called with an object, and there is none here", self.name_text(chosen.name));
            return Err(Diagnostic::error(location, message));
        }
        self.check_passed(chosen.of.result, "returned", location)?;
        if let Some(object) = object
            && let Some((class, slot)) = self.virtual_slot(chosen, object)
        {
            return self.call_virtual((class, slot), chosen, object, arguments, location);
        }
        let all: Arguments = object.into_iter().chain(arguments.iter().copied()).collect();
        let values = self.pass(chosen, &all, location)?;
        if convergent.is_none()
            && let Some(made) = self.expanded(chosen.function, &values, location)
        {
            return Ok(self.result_operand(made, &chosen.of, location));
        }
        let call = ExpressionKind::Call { function: chosen.function, convergent, arguments: values };
        Ok(self.push_call(call, &chosen.of, location))
    }

    pub(super) fn push_call(&mut self, call: ExpressionKind, of: &FunctionForm, location: Location) -> Operand {
        let to = self.type_of(of.result);
        let expression = self.build().push(call, to, location);
        self.result_operand(expression, of, location)
    }

    /// What a function returned: a place, if it is a reference.
    fn result_operand(&mut self, expression: Expression, of: &FunctionForm, location: Location) -> Operand {
        let result = of.result;
        match *self.form(result) {
            FormKind::Reference(to, is_rvalue) => {
                let of = self.type_of(to);
                let expression = self.build().push(ExpressionKind::Dereference(expression), of, location);
                if is_rvalue {
                    self.state.given_up.insert(expression);
                }
                Operand { expression, written: to }
            }
            _ => Operand { expression, written: result.unqualified() },
        }
    }

    /// The arguments as the parameters want them; what is left out is the default.
    pub(super) fn pass(
        &mut self,
        chosen: &Chosen,
        arguments: &[Operand],
        location: Location,
    ) -> Outcome<ThinVec<Expression>> {
        let wanted = chosen.of.parameters.len();
        let least = match chosen.defaults.iter().rposition(|default| default.is_none()) {
            Some(last) => last + 1,
            None if chosen.defaults.is_empty() => wanted,
            None => 0,
        };
        if arguments.len() < least.min(wanted) || arguments.len() > wanted && !chosen.of.variadic {
            let name = self.name_text(chosen.name);
            let objects = usize::from(chosen.has_object);
            let given = arguments.len() - objects;
            let (wanted, least) = (wanted - objects, least.min(wanted).saturating_sub(objects));
            let range = match (least.min(wanted), chosen.of.variadic) {
                (least, true) => format!("at least {least}"),
                (least, false) if least < wanted => format!("{least} to {wanted}"),
                _ => format!("{wanted}"),
            };
            let plural = if wanted == 1 && least >= 1 { "" } else { "s" };
            let verb = if given == 1 { "is" } else { "are" };
            let message = format!("`{name}` takes {range} argument{plural}, but {given} {verb} given");
            return Err(Diagnostic::error(location, message).with(chosen.location, "declared here"));
        }
        let mut values = ThinVec::with_capacity(wanted.max(arguments.len()));
        let given = arguments.len();
        for (index, &argument) in arguments.iter().enumerate() {
            values.push(match chosen.of.parameters.get(index) {
                Some(&parameter) => self.pass_one(argument, parameter, index, chosen)?,
                None => self.promoted_argument(argument)?,
            });
        }
        for index in given..wanted {
            let default = chosen.defaults.get(index).copied().flatten();
            let default = default.ok_or_else(|| Diagnostic::error(location, "an argument is missing"))?;
            let parameter = chosen.of.parameters[index];
            let operand = self.default_argument(default, parameter, chosen)?;
            values.push(self.pass_one(operand, parameter, index, chosen)?);
        }
        Ok(values)
    }

    /// A default argument means what it meant where the function is declared.
    fn default_argument(&mut self, default: Expr, parameter: Written, chosen: &Chosen) -> Outcome<Operand> {
        let names = std::mem::take(&mut self.state.names);
        let class = std::mem::replace(&mut self.state.class, chosen.class);
        self.state.names.enter();
        self.bind_arguments(&chosen.arguments);
        let operand = self.operand_for(parameter, default);
        (self.state.names, self.state.class) = (names, class);
        operand
    }

    fn pass_one(
        &mut self,
        argument: Operand,
        parameter: super::written::Written,
        index: usize,
        chosen: &Chosen,
    ) -> Outcome<Expression> {
        let at = self.build().location(argument.expression);
        self.check_not_copied(argument, parameter, at)?;
        let passed = match *self.form(parameter) {
            FormKind::Reference(to, is_rvalue) => {
                let pointer = self.type_of(parameter);
                let to = if is_rvalue { to.constant() } else { to };
                self.bind_argument(argument, to, pointer, at)
            }
            _ => match self.check_passed(parameter, "passed by value", at) {
                Ok(()) => match self.copied_object(argument, parameter, at) {
                    Some(copied) => copied,
                    None => self.converted(argument, parameter, at),
                },
                Err(wrong) => Err(wrong),
            },
        };
        passed.map_err(|mut wrong| {
            let name = self.name_text(chosen.name);
            let number = index + 1 - usize::from(chosen.has_object);
            wrong.message = match number {
                0 => format!("the object of `{name}`: {}", wrong.message),
                _ => format!("argument {number} of `{name}`: {}", wrong.message),
            };
            if chosen.location == Location::NONE { wrong } else { wrong.with(chosen.location, "declared here") }
        })
    }

    /// That a function does not change a variable of which a lambda has a copy in its place.
    fn check_not_copied(
        &self,
        argument: Operand,
        parameter: super::written::Written,
        at: crate::source::Location,
    ) -> Outcome<()> {
        let ExpressionKind::Variable(variable) = self.state.body.expressions[argument.expression].kind else {
            return Ok(());
        };
        let is_changed = matches!(*self.form(parameter), FormKind::Reference(to, _) if !to.is_const);
        match is_changed && self.state.copied.contains(&variable) {
            true => {
                let message = "a variable that is passed by reference after a lambda has captured it by reference";
                Err(Diagnostic::unsupported(at, message))
            }
            false => Ok(()),
        }
    }

    /// An argument that no parameter says the type of: C's default promotions.
    fn promoted_argument(&mut self, argument: Operand) -> Outcome<Expression> {
        let value = self.arithmetic_value(argument)?;
        match self.build().shape_of(value) {
            Shape::Bool | Shape::Integer { .. } => Ok(self.build().promote(value)),
            Shape::Float(FloatKind::Half | FloatKind::BFloat | FloatKind::Single) => {
                let double = self.program.types.float(FloatKind::Double);
                Ok(self.build().convert_to(Conversion::Arithmetic, value, double))
            }
            _ => Ok(value),
        }
    }

    /// A call of what an expression points at.
    fn call_pointer(&mut self, callee: Expr, arguments: &'a [Expr], location: Location) -> Outcome<Operand> {
        let operand = self.expression(callee)?;
        let name = match self.tree.expressions[callee].kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        };
        self.call_value(operand, name, arguments, location)
    }

    /// A call of what a value points at, or of an object.
    pub(super) fn call_value(
        &mut self,
        operand: Operand,
        name: Option<Name>,
        arguments: &'a [Expr],
        location: Location,
    ) -> Outcome<Operand> {
        if let Some(made) = self.call_object(operand, arguments, location) {
            return made;
        }
        let operand = self.value(operand);
        let function = match *self.form(operand.written) {
            FormKind::Pointer(to) => match self.form(to) {
                FormKind::Function(of) => Some(of.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(of) = function else {
            if self.is_tolerant() {
                self.arguments(arguments)?;
            }
            let name = self.name_of(operand.written);
            return Err(Diagnostic::error(location, format!("a `{name}` cannot be called")));
        };
        let arguments = self.arguments(arguments)?;
        let chosen = self.pointed_at(of, name, false);
        let values = self.pass(&chosen, &arguments, location)?;
        // A function that is known is called by itself.
        let arguments = values;
        let call = match *self.build().kind(operand.expression) {
            ExpressionKind::Function(function) => ExpressionKind::Call { function, convergent: None, arguments },
            _ => ExpressionKind::CallPointer { pointer: operand.expression, arguments },
        };
        Ok(self.push_call(call, &chosen.of, location))
    }
}
