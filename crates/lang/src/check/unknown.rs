//! Going on with what is not known ([`typed::unknown`](crate::typed::Unknown)), where that is wanted ([`Reading::Kernels`](crate::options::Reading)).
//!
//! **Invariant.** What is wrong with an expression makes it unknown, with the operands that were evaluated; each cause is noted once in its function, and what is wrong
//! because an operand is unknown is not noted. So a function of the device is always part of the program, unless a limit or a rule on convergence
//! is the reason.

mod open;
mod statement;

use super::names::{Meaning, NameSpace};
use super::state::Part;
use super::written::{Argument, FormKind, Length, Spelling, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::{Diagnostic, Ground, is_written_as_macro};
use crate::source::Location;
use crate::tree::{
    Expr, ExprKind, FunctionKind, Initializer, LargeKind, Record, TemplateParameter, UnaryOperator, UnknownParts,
};
use crate::typed::{
    AddressSpace, Conversion, Expression, ExpressionKind, Function, Shape, Struct, Type, TypeKind, Unknown,
};

/// Parts of parts are followed so deep.
const MOST_PARTS: u32 = 32;

/// At most so many things are noted of one function.
const MOST_NOTED: usize = 20;

impl<'a> Checker<'a> {
    /// Whether a function goes on in spite of what is wrong.
    pub(super) fn goes_on(&self, wrong: &Diagnostic) -> bool {
        self.is_tolerant() && matches!(wrong.ground, Ground::Text | Ground::Host | Ground::Part | Ground::Elsewhere)
    }

    /// Notes what is not known in the function at hand.
    pub(super) fn note_unknown(&mut self, reason: &Diagnostic) {
        let noted = &mut self.state.unknown;
        let is_noted = |noted: &Unknown| noted.reason.message == reason.message;
        if !reason.message.is_empty() && noted.len() < MOST_NOTED && !noted.iter().any(is_noted) {
            noted.push(Unknown::new(reason.clone()));
        }
    }

    /// The type of what is not known.
    pub(super) fn unknown_type(&mut self) -> Written {
        let of = self.build().unknown();
        self.written.plain(&mut self.program.types, of, Spelling::Usual)
    }

    /// Whether nothing is known of a type. (Something is known of a pointer to such a type.)
    pub(super) fn is_unknown(&self, of: Written) -> bool {
        match *self.form(of) {
            FormKind::Plain(of, _) => *self.program.types.kind(of) == TypeKind::Unknown,
            _ => false,
        }
    }

    /// Whether nothing is known of how a value of a type is made.
    pub(super) fn is_made_unknown(&self, of: Written) -> bool {
        match *self.form(of) {
            FormKind::Struct(number) => self.partial.contains(&number),
            _ => self.is_unknown(of),
        }
    }

    /// Whether a type has an unknown one in it.
    pub(super) fn has_unknown(&self, of: Written) -> bool {
        match self.form(of) {
            FormKind::Pointer(to) | FormKind::Reference(to, _) | FormKind::Array(to, _) => self.has_unknown(*to),
            FormKind::MemberPointer(of, class) => self.has_unknown(*of) || self.has_unknown(Written::bare(*class)),
            _ => self.is_unknown(of),
        }
    }

    /// An unknown value as it is.
    fn unknown_operand(&mut self, expression: Expression) -> Operand {
        Operand { expression, written: self.unknown_type() }
    }

    /// Something unknown that is a function of operands.
    pub(super) fn computed(&mut self, operands: &[Operand], location: Location) -> Operand {
        let values: Vec<Expression> = operands.iter().map(|&operand| self.passed_value(operand, location)).collect();
        let of = self.build().unknown();
        let expression = self.build().computed(&values, of, location);
        self.unknown_operand(expression)
    }

    /// A value of a type made of an unknown one, or an unknown one of a value.
    pub(super) fn computed_as(&mut self, operand: Operand, to: Type, location: Location) -> Expression {
        let value = self.passed_value(operand, location);
        self.build().computed(&[value], to, location)
    }

    /// A place of which nothing is known but that it has to do with operands: those that are places themselves may change with it.
    pub(super) fn unknown_place(&mut self, operands: &[Operand], location: Location) -> Operand {
        let values: Vec<Expression> = operands.iter().map(|&operand| self.passed_whole(operand, location)).collect();
        let of = self.build().unknown();
        let pointer = self.program.types.pointer(of, AddressSpace::Generic);
        let pointer = self.build().computed(&values, pointer, location);
        let expression = self.build().push(ExpressionKind::Dereference(pointer), of, location);
        self.unknown_operand(expression)
    }

    /// A place that is a part of something unknown, or what that points to. What is read there depends on what the objects hold, and not on where these are.
    fn unknown_part(&mut self, expr: Expr, operands: &[Operand], is_member: bool, location: Location) -> Operand {
        let place = self.unknown_place(operands, location);
        let inner = operands.iter().filter_map(|operand| self.state.parts.get(&operand.expression));
        let depth = inner.map(|part| part.depth + 1).max().unwrap_or(0);
        if depth < MOST_PARTS && operands.iter().any(|operand| self.is_unknown(operand.written)) {
            self.state.parts.insert(place.expression, Part { expr, of: operands.into(), is_member, depth });
        }
        place
    }

    /// What is at a place that is a part of something unknown.
    pub(super) fn value_of_part(&mut self, place: Operand) -> Option<Operand> {
        let Part { expr, of: operands, is_member, .. } = self.state.parts.get(&place.expression)?.clone();
        let location = self.build().location(place.expression);
        if is_member {
            let made = self.computed(&operands, location);
            return self.note_postfix(expr, Ok(made)).ok();
        }
        let of = self.build().unknown();
        let pointer = self.program.types.pointer(of, AddressSpace::Generic);
        let values: Vec<Expression> = operands
            .iter()
            .map(|&operand| match self.is_unknown(operand.written) {
                true => self.passed_value(operand, location),
                false => self.passed_whole(operand, location),
            })
            .collect();
        let pointer = self.build().computed(&values, pointer, location);
        let there = self.build().push(ExpressionKind::Dereference(pointer), of, location);
        let there = self.unknown_operand(there);
        let there = self.note_postfix(expr, Ok(there)).ok()?;
        let expression = self.build().rvalue(there.expression);
        Some(self.unknown_operand(expression))
    }

    /// A call of something unknown. It may change what it is given, but for constants, parameters of the function at hand, variables that a `for` counts with and numbers
    /// that start with what is computed (`int at = blockIdx.x * n;`: what a function fills starts with nothing, or a constant), which are given by value; of these, what is written as a macro may change one that is declared elsewhere. OpenCL C has no references: there, what is not written as a macro may
    /// change nothing but what a pointer is to.
    pub(super) fn called(&mut self, name: &str, operands: &[Operand], location: Location) -> Operand {
        let is_macro = is_written_as_macro(name.trim_matches('`'));
        let has_references = !self.is_opencl() || is_macro;
        let passed = |&operand: &Operand| match has_references {
            true => self.passed_argument(operand, is_macro, location),
            false => self.passed_value(operand, location),
        };
        let values: Vec<Expression> = operands.iter().map(passed).collect();
        let of = self.build().unknown();
        let expression = self.build().called(name, &values, of, location);
        self.unknown_operand(expression)
    }

    /// What is passed for an operand that is only read. What has no value is evaluated before.
    fn passed_value(&mut self, operand: Operand, location: Location) -> Expression {
        let value = self.value(operand);
        match self.build().shape_of(value.expression) {
            Shape::Void => {
                let zero = self.build().int(0, location);
                self.build().comma(value.expression, zero, location)
            }
            _ => value.expression,
        }
    }

    /// What is passed for an operand that is a part of what comes out: its address, where it has one and is no number or pointer.
    fn passed_whole(&mut self, operand: Operand, location: Location) -> Expression {
        let of = self.build().shape_of(operand.expression);
        match of {
            Shape::Unknown | Shape::Struct(_) | Shape::Vector { .. } => self.passed_place(operand, location),
            _ => self.passed_value(operand, location),
        }
    }

    /// The address of a place; else its value.
    fn passed_place(&mut self, operand: Operand, location: Location) -> Expression {
        let is_place = self.build().is_place(operand.expression);
        let is_lanes =
            matches!(self.build().kind(operand.expression), ExpressionKind::Lanes { .. } | ExpressionKind::Lane(..));
        let is_array = matches!(self.form(operand.written), FormKind::Array(..));
        if is_place
            && !is_lanes
            && !is_array
            && let Ok(address) = self.build().address_of(operand.expression, location)
            // That of something whose type depends on a template's parameter has none yet.
            && self.build().shape_of(address) != Shape::Void
        {
            return address;
        }
        self.passed_value(operand, location)
    }

    fn passed_argument(&mut self, operand: Operand, to_macro: bool, location: Location) -> Expression {
        let is_parameter = match *self.build().kind(operand.expression) {
            ExpressionKind::Variable(variable) => {
                let state = &self.state;
                state.body.parameters.contains(&variable)
                    || state.counters.contains(&variable)
                    || !to_macro && (state.stepped.contains(&variable) || state.computed.contains(&variable))
            }
            _ => false,
        };
        let is_read = operand.written.is_const || is_parameter && !self.is_unknown(operand.written);
        match is_read {
            true => self.passed_value(operand, location),
            false => self.passed_place(operand, location),
        }
    }

    /// What an expression is that is wrong: unknown, with the operands that were evaluated for it.
    pub(super) fn unknown_instead(
        &mut self,
        expr: Expr,
        wrong: &Diagnostic,
        operands: &[Operand],
        location: Location,
    ) -> Operand {
        let is_open = match (&self.tree.expressions[expr].kind, self.tree.large(expr)) {
            (ExprKind::Name(name), _) => {
                self.note_of_host(*name, location);
                self.is_open_name(*name)
            }
            (_, Some(LargeKind::MemberOf(member))) => self.is_open_type(&member.0),
            (&ExprKind::Call(callee, _), _) => self.is_open_limit(callee),
            _ => false,
        };
        if is_open && operands.is_empty() {
            let of = self.unknown_type();
            return self.unknown_constant(of, location);
        }
        match operands.iter().any(|operand| self.has_unknown(operand.written)) {
            false => self.note_unknown(wrong),
            true => self.note_open_call(expr, location),
        }
        match (&self.tree.expressions[expr].kind, operands) {
            (ExprKind::Name(_), []) | (ExprKind::Large(_), []) => {
                let name = match Unknown::new(wrong.clone()).name {
                    name if wrong.message == name => name,
                    name => format!("`{name}`"),
                };
                let of = self.build().unknown();
                let expression = self.build().found(&name, of, location);
                self.unknown_operand(expression)
            }
            (&ExprKind::Member { arrow, .. }, _) => self.unknown_part(expr, operands, !arrow, location),
            (ExprKind::Index(..) | ExprKind::Unary(UnaryOperator::Dereference, _), _) => {
                self.unknown_part(expr, operands, false, location)
            }
            (ExprKind::Assign(..) | ExprKind::CompoundAssign(..) | ExprKind::Step { .. }, [place, ..]) => {
                // The place gets something that depends on what is there, and on what is assigned.
                let value = self.computed(operands, location);
                match self.store(*place, value, location) {
                    Some(stored) => Operand { expression: stored, written: place.written.unqualified() },
                    None => value,
                }
            }
            (ExprKind::Call(callee, _), _) => {
                let name = self.called_name(*callee);
                self.called(&name, operands, location)
            }
            (ExprKind::Large(number), _) if matches!(self.tree.large[*number], LargeKind::Construct(_)) => {
                self.called("a constructor", operands, location)
            }
            _ => self.computed(operands, location),
        }
    }

    /// Notes that it is not known what a call does, where that depends on what a template's parameter stands for.
    fn note_open_call(&mut self, expr: Expr, location: Location) {
        let ExprKind::Call(callee, _) = self.tree.expressions[expr].kind else { return };
        if self.state.unknown.is_empty() && !self.state.open.is_empty() {
            let called = self.called_name(callee);
            let message = match &self.state.open[..] {
                [open] => format!("what {called} does depends on what `{}` is", open.name),
                _ => format!("what {called} does depends on what its arguments are, which nothing says"),
            };
            self.note_unknown(&Diagnostic::unsupported(location, message));
        }
    }

    /// What is called, in words.
    fn called_name(&self, callee: Expr) -> String {
        match (&self.tree.expressions[callee].kind, self.tree.large(callee)) {
            (ExprKind::Name(name), _) => format!("`{}`", self.name_text(*name)),
            (ExprKind::Member { name, .. }, _) => format!("`{}`", self.text(*name)),
            (_, Some(LargeKind::TemplateName(named))) => format!("`{}`", self.name_text(named.0)),
            _ => "what is called".to_owned(),
        }
    }

    /// Assigns an unknown value to a place; none where that is none.
    fn store(&mut self, place: Operand, value: Operand, location: Location) -> Option<Expression> {
        let of = self.type_of(place.written);
        let is_object = !matches!(self.build().shape(of), Shape::Void | Shape::Array { .. } | Shape::Function { .. });
        if !self.build().is_place(place.expression) || !is_object || place.written.is_const {
            return None;
        }
        let value = if self.is_unknown(place.written) {
            value.expression
        } else {
            self.build().computed(&[value.expression], of, location)
        };
        Some(self.push_assign(place.expression, value, location))
    }

    /// What fills a variable of which something is unknown, or whose initialiser is: all values in it are passed to something unknown.
    pub(super) fn unknown_initializer(
        &mut self,
        place: Operand,
        initializer: Option<&'a Initializer>,
        location: Location,
    ) -> Expression {
        let mut operands = Vec::new();
        if let Some(initializer) = initializer {
            self.initializer_operands(initializer, &mut operands);
        }
        let made = self.called("a constructor", &operands, location);
        match self.store(Operand { written: Written { is_const: false, ..place.written }, ..place }, made, location) {
            Some(stored) => stored,
            None => {
                let operands = [place, made];
                self.called("a constructor", &operands, location).expression
            }
        }
    }

    /// A list of which nothing says of which type it is.
    pub(super) fn unknown_list(&mut self, list: &'a Initializer, location: Location) -> Outcome<Operand> {
        let wrong =
            Diagnostic::unsupported(location, "a list at this place is not supported by the built-in front end");
        if !self.goes_on(&wrong) {
            return Err(wrong);
        }
        let mut operands = Vec::new();
        self.initializer_operands(list, &mut operands);
        Ok(self.unknown_effects(&wrong, "something unknown", &[], &operands, location))
    }

    fn initializer_operands(&mut self, initializer: &'a Initializer, into: &mut Vec<Operand>) {
        match initializer {
            Initializer::Expression(value) => {
                if let Ok(operand) = self.operand(*value) {
                    into.push(operand);
                }
            }
            Initializer::List(items, _) => items.iter().for_each(|(_, item)| self.initializer_operands(item, into)),
        }
    }

    /// Operands of a function that the language declares, for which numbers stand in for what is unknown: what it does with threads does not depend on
    /// their type. None where all are known.
    pub(super) fn stand_ins(&mut self, operands: &[Operand], location: Location) -> Option<Vec<Operand>> {
        let is_about = |checker: &Self, operand: &Operand| match *checker.form(operand.written) {
            FormKind::Pointer(to) | FormKind::Array(to, Length::Known(_) | Length::Unknown) => checker.is_unknown(to),
            _ => checker.is_unknown(operand.written),
        };
        operands.iter().any(|operand| is_about(self, operand)).then(|| {
            let int = self.program.types.integer(32, true);
            operands
                .iter()
                .map(|&operand| {
                    if !is_about(self, &operand) {
                        return operand;
                    }
                    let value = self.value(operand);
                    let expression = match self.build().shape_of(value.expression) {
                        Shape::Pointer { space, .. } => {
                            let to = self.program.types.pointer(int, space);
                            self.build().convert_to(Conversion::Pointer, value.expression, to)
                        }
                        _ => self.build().computed(&[value.expression], int, location),
                    };
                    self.plain(expression)
                })
                .collect()
        })
    }

    /// What a template's parameters stand for where nobody says it.
    pub(super) fn unknown_arguments(
        &mut self,
        parameters: &'a [TemplateParameter],
        found: &[Option<Argument>],
    ) -> Vec<Argument> {
        let mut arguments: Vec<(crate::tree::Name, Argument)> = Vec::new();
        let mut all = Vec::with_capacity(parameters.len());
        for (number, parameter) in parameters.iter().enumerate() {
            let argument = match (parameter, found.get(number).copied().flatten()) {
                (_, Some(argument)) => argument,
                (TemplateParameter::Type { .. } | TemplateParameter::Template { .. }, None) => {
                    Argument::Type(self.unknown_type())
                }
                (TemplateParameter::Value { of, .. }, None) => {
                    let of = self.with_arguments(&arguments, |checker| checker.type_name(of));
                    Argument::Unknown(of.unwrap_or_else(|_| self.unknown_type()).unqualified())
                }
            };
            arguments.extend(parameter.name().map(|name| (name, argument)));
            all.push(argument);
        }
        all
    }

    /// Notes that something in a function is unknown, where that is all that is known: members of structs, results.
    pub(super) fn note_unknown_values(&mut self, function: Function) {
        if !self.is_tolerant() || !self.state.unknown.is_empty() || !self.state.open.is_empty() {
            return;
        }
        let types = &self.program.types;
        let is_unknown = |of: Type| *types.kind(of) == TypeKind::Unknown;
        let expressions = &self.state.body.expressions;
        let Some(first) = expressions.values().find(|data| is_unknown(data.of)) else { return };
        // What is unknown is the member, in all functions that use it.
        let member = match first.kind {
            ExpressionKind::Field { base, index } => match types.kind(expressions[base].of) {
                TypeKind::Struct(number) => {
                    let data = &types.structs[*number];
                    data.fields.get(index as usize).map(|field| format!("{}::{}", data.name, field.name))
                }
                _ => None,
            },
            _ => None,
        };
        let message = match member {
            Some(member) => format!("`{member}` has an unknown type"),
            None => format!("`{}` uses a value of an unknown type", self.program.functions[function].name),
        };
        let reason = Diagnostic::unsupported(first.location, message);
        self.note_unknown(&reason);
    }

    /// The type that was found, or an unknown one.
    pub(super) fn type_or_unknown(&mut self, found: Outcome<Written>) -> Outcome<Written> {
        match found {
            Err(wrong) if self.goes_on(&wrong) => {
                self.note_unknown(&wrong);
                Ok(self.unknown_type())
            }
            found => found,
        }
    }

    /// Of a class whose definition is wrong, nothing is known but the members that were found before.
    pub(super) fn forget_record(&mut self, record: &'a Record) {
        let found = record.name.and_then(|name| self.names_here().find_here(name, NameSpace::Tag));
        if let Some((&Meaning::Type(of), _)) = found
            && let FormKind::Struct(number) = *self.form(of)
            && self.is_tolerant()
        {
            self.program.types.structs[number].is_complete = true;
            self.partial.insert(number);
        }
    }

    /// A function of a class of which nothing is known but its name.
    pub(super) fn forget_member(&mut self, class: Struct, item: &crate::tree::FunctionItem, wrong: Diagnostic) {
        let Some(name) = item.declarator.name else { return };
        let location = wrong.location;
        match item.kind {
            FunctionKind::Named => {
                self.broken.entry(name).or_insert(wrong);
                let spelling = self.tree.scopes.spelling(name);
                if self.member_functions(class, spelling).is_none() {
                    self.declare_in_class(class, spelling, Meaning::Broken, location);
                }
            }
            _ => {
                self.partial.insert(class);
            }
        }
    }

    /// An expression that was looked at. Where it is wrong, it is unknown.
    pub(super) fn settled(&mut self, expr: Expr, made: Outcome<Operand>, location: Location) -> Outcome<Operand> {
        let depth = self.state.depth;
        let finished = &self.state.finished;
        let first = finished.iter().rposition(|&(at, _)| at <= depth).map_or(0, |last| last + 1);
        let made = match made {
            Err(wrong) if self.goes_on(&wrong) => {
                let operands: Vec<Operand> = finished[first..].iter().map(|&(_, operand)| operand).collect();
                let made = Ok(self.unknown_instead(expr, &wrong, &operands, location));
                match self.tree.expressions[expr].kind {
                    ExprKind::Index(..)
                    | ExprKind::Call(..)
                    | ExprKind::Member { .. }
                    | ExprKind::Step { prefix: false, .. } => self.note_postfix(expr, made),
                    _ => made,
                }
            }
            made => made,
        };
        self.state.finished.truncate(first);
        if let Ok(operand) = made {
            self.state.finished.push((depth, operand));
        }
        made
    }

    /// What an operator makes of operands that it does not take.
    pub(super) fn unknown_operation(
        &mut self,
        wrong: &Diagnostic,
        operands: &[Operand],
        location: Location,
    ) -> Operand {
        if !operands.iter().any(|operand| self.has_unknown(operand.written)) {
            self.note_unknown(wrong);
        }
        self.computed(operands, location)
    }

    /// What is understood of something that is not: its operands are read, and its places get unknown values.
    pub(super) fn unknown_parts(&mut self, parts: &'a UnknownParts, location: Location) -> Outcome<Operand> {
        if parts.is_nothing() {
            return Err(parts.reason.clone());
        }
        let mut places = Vec::with_capacity(parts.written.len());
        for &place in &parts.written {
            places.push(self.expression(place)?);
        }
        let mut values = Vec::with_capacity(parts.read.len());
        for &value in &parts.read {
            let operand = self.operand(value)?;
            values.push(self.value(operand));
        }
        Ok(self.unknown_effects(&parts.reason, "something unknown", &places, &values, location))
    }

    /// What reads some values and writes some places, and nothing more is known of it.
    pub(super) fn unknown_effects(
        &mut self,
        reason: &Diagnostic,
        what: &str,
        places: &[Operand],
        values: &[Operand],
        location: Location,
    ) -> Operand {
        self.note_unknown(reason);
        let made = self.called(what, values, location);
        let mut all = vec![made.expression];
        for &place in places {
            let of = self.build().unknown();
            let found = self.build().found(what, of, location);
            let found = self.unknown_operand(found);
            all.extend(self.store(place, found, location));
        }
        let expression = self.sequence(&all, location);
        let written = match all.len() {
            1 => made.written,
            _ => self.plain(expression).written,
        };
        Operand { expression, written }
    }
}
