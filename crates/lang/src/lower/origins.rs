//! Which part of the source each instruction is.
//!
//! **Definition.** While something is written, the *subject* is the part of the source that its instructions belong to: of a load, a conversion or an address, its operand's; of
//! another expression that somebody wrote, that expression; of what nobody wrote, that of what is around it. The jump on a condition is the condition itself, by who asks for
//! it. Tokens, jumps without a condition and `ret` have none.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use reconverge_ir::Span;
use reconverge_ir::origin::{Condition, FileId, NameId, OriginId, Origins, Record, SourceFile, What};
use rustc_hash::FxHashMap;

use super::Context;
use super::function::FunctionText;
use crate::preprocess::end_of_token;
use crate::source::{Location, Sources, TokenRange};
use crate::typed::{Body, Expression, ExpressionData, ExpressionKind, FunctionData, GlobalData, TypeKind, Variable};

/// What instructions belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    /// A variable where it is declared.
    Variable(Variable),
    /// An expression.
    Expression(Expression),
    /// A decision.
    Condition(Condition, Expression),
}

/// What is declared in the file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Declared<'a> {
    Function(&'a FunctionData),
    Global(&'a GlobalData),
}

/// What of the source is known to [`Origins`] already.
#[derive(Debug)]
pub(super) struct OriginTable {
    /// By index.
    files: Vec<FileId>,
    names: FxHashMap<String, NameId>,
    /// Of the body that is being written: what was said of its expressions, and of the other subjects.
    expressions: SecondaryMap<Expression, Known>,
    others: FxHashMap<Subject, Option<OriginId>>,
}

/// What was said of an expression.
#[derive(Debug, Clone, Copy, Default)]
enum Known {
    /// It was not asked for yet.
    #[default]
    NotYet,
    /// It has no place.
    Nothing,
    /// This.
    Origin(OriginId),
}

impl OriginTable {
    /// Of a module that is not begun.
    pub(super) fn new(sources: &Sources, origins: &mut Origins) -> OriginTable {
        let file = |file: &crate::source::File| SourceFile::new(&file.path, Some(file.text.clone()));
        let files = sources.files().iter().map(|source| origins.add_file(file(source))).collect();
        let (names, expressions, others) = (FxHashMap::default(), SecondaryMap::new(), FxHashMap::default());
        OriginTable { files, names, expressions, others }
    }

    /// What a function or a global is; none for what nobody named. The body of a function is written next, if it has one.
    pub(super) fn of_declared(
        &mut self,
        declared: Declared<'_>,
        context: &Context<'_>,
        origins: &mut Origins,
    ) -> Option<OriginId> {
        let (what, name, location): (fn(NameId) -> What<NameId>, _, _) = match declared {
            Declared::Function(data) => {
                self.expressions.clear();
                self.others.clear();
                (What::Function, &data.name, data.location)
            }
            Declared::Global(data) if data.written.is_empty() => return None,
            Declared::Global(data) => (What::Variable, &data.written, data.location),
        };
        let what = what(self.name(name, origins));
        self.add(what, location.into(), location, context, origins)
    }

    /// What a subject is.
    fn of_subject(
        &mut self,
        subject: Subject,
        context: &Context<'_>,
        body: &Body,
        origins: &mut Origins,
    ) -> Option<OriginId> {
        let known = match subject {
            Subject::Expression(expression) => match self.expressions[expression] {
                Known::NotYet => None,
                Known::Nothing => Some(None),
                Known::Origin(origin) => Some(Some(origin)),
            },
            _ => self.others.get(&subject).copied(),
        };
        known.unwrap_or_else(|| {
            let origin = self.origin_of(subject, context, body, origins);
            match subject {
                Subject::Expression(expression) => {
                    self.expressions[expression] = origin.map_or(Known::Nothing, Known::Origin);
                }
                _ => drop(self.others.insert(subject, origin)),
            }
            origin
        })
    }

    fn origin_of(
        &mut self,
        subject: Subject,
        context: &Context<'_>,
        body: &Body,
        origins: &mut Origins,
    ) -> Option<OriginId> {
        match subject {
            Subject::Variable(variable) => {
                let data = &body.variables[variable];
                if data.name.is_empty() {
                    return None;
                }
                let what = What::Variable(self.name(&data.name, origins));
                self.add(what, data.location.into(), data.location, context, origins)
            }
            Subject::Expression(expression) => {
                let call_name = context.extents.as_ref().zip(body.postfix(expression));
                let call_name = call_name.and_then(|(extents, call)| extents.call_name(call));
                let call_name =
                    call_name.or_else(|| body.written_call(expression).map(|written| written.name.as_str().into()));
                let what = match (call_name, name_of(context, body, expression)) {
                    (Some(name), _) => What::Call(self.name(&name, origins)),
                    (None, Some(name)) => What::Variable(self.name(name, origins)),
                    (None, None) => What::Expression,
                };
                self.add_expression(what, context, body, expression, origins)
            }
            Subject::Condition(condition, expression) => {
                self.add_expression(What::Condition(condition), context, body, expression, origins)
            }
        }
    }

    fn add_expression(
        &mut self,
        what: What<NameId>,
        context: &Context<'_>,
        body: &Body,
        expression: Expression,
        origins: &mut Origins,
    ) -> Option<OriginId> {
        let location = body.expressions[expression].location;
        self.add(what, extent(context, body, expression), location, context, origins)
    }

    /// Tokens that are not in one file, one behind the other, are the one at `location`: an expression whose parts are in files that are included.
    fn add(
        &mut self,
        what: What<NameId>,
        tokens: TokenRange,
        location: Location,
        context: &Context<'_>,
        origins: &mut Origins,
    ) -> Option<OriginId> {
        let (file, range) = range(context, tokens).or_else(|| range(context, location.into()))?;
        Some(origins.add(Record { what, file: self.files[file], range, inlined_at: PackedOption::default() }))
    }

    fn name(&mut self, name: &str, origins: &mut Origins) -> NameId {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let number = origins.add_name(name);
        self.names.insert(name.to_string(), number);
        number
    }
}

/// The bytes of some tokens, with the index of their file.
fn range(context: &Context<'_>, tokens: TokenRange) -> Option<(usize, Span)> {
    if tokens.first == Location::NONE {
        return None;
    }
    let sources = context.sources;
    let (file, start) = sources.find(tokens.first)?;
    let (last_file, last) = sources.find(sources.last_token(tokens.last))?;
    let end = end_of_token(&sources.files()[last_file].text, last, context.program.dialect);
    // Offsets in a file fit, as locations do.
    (file == last_file && start < end).then_some((file, Span { start: start as u32, end: end as u32 }))
}

/// From where to where an expression that somebody wrote is written.
fn extent(context: &Context<'_>, body: &Body, expression: Expression) -> TokenRange {
    let ExpressionData { ref kind, location, .. } = body.expressions[expression];
    let Some(extents) = &context.extents else { return location.into() };
    if let Some(extent) = body.postfix(expression).and_then(|expr| extents.postfix(expr)) {
        return extent;
    }
    match kind {
        ExpressionKind::Variable(_) | ExpressionKind::Global(_) => extents.name(location),
        _ => extents.operator(location).unwrap_or_else(|| extents.name(location)),
    }
}

/// The name of the variable that an expression stands for; none where it is anything else.
fn name_of<'c>(context: &Context<'c>, body: &'c Body, expression: Expression) -> Option<&'c str> {
    let name = match body.expressions[expression].kind {
        ExpressionKind::Variable(variable) => &body.variables[variable].name,
        ExpressionKind::Global(global) => &context.program.globals[global].written,
        ExpressionKind::Field { .. } => return member_name(context, body, expression),
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

/// The name of a member that is written alone: of the object of a function, or what a lambda captured.
fn member_name<'c>(context: &Context<'c>, body: &Body, expression: Expression) -> Option<&'c str> {
    let ExpressionData { kind: ExpressionKind::Field { base, index }, location, .. } = body.expressions[expression]
    else {
        return None;
    };
    let program = context.program;
    let TypeKind::Struct(class) = *program.types.kind(body.expressions[base].of) else { return None };
    let name = &*program.types.structs[class].fields.get(index as usize)?.name;
    let (file, start) = context.sources.find(location)?;
    let text = &context.sources.files()[file].text;
    let token = text.get(start..end_of_token(text, start, program.dialect))?;
    (token.as_bytes() == name.as_bytes() && !name.is_empty()).then_some(name)
}

impl FunctionText<'_> {
    /// Goes into an expression; what was there before is to be put back with [`FunctionText::leave_expression`].
    #[inline]
    pub(super) fn enter_expression(
        &mut self,
        expression: Expression,
        location: Location,
    ) -> (Location, Option<OriginId>) {
        let saved = (self.location, self.text.origin);
        self.location = location;
        if self.tables.origins.is_some() {
            self.enter_subject(expression);
        }
        saved
    }

    /// The same for what is no instruction by itself, if it is a call that is written out.
    pub(super) fn enter_call(&mut self, expression: Expression, location: Location) -> (Location, Option<OriginId>) {
        match self.tables.origins.is_some() && self.body.postfix(expression).is_some() {
            true => self.enter_expression(expression, location),
            false => (self.location, self.text.origin),
        }
    }

    fn enter_subject(&mut self, expression: Expression) {
        if let Some(written) = self.written(expression) {
            self.text.origin = self.origin_of(Subject::Expression(written));
        }
    }

    /// Goes out of an expression.
    #[inline]
    pub(super) fn leave_expression(&mut self, saved: (Location, Option<OriginId>)) {
        (self.location, self.text.origin) = saved;
    }

    /// What a subject is, if origins are asked for.
    fn origin_of(&mut self, subject: Subject) -> Option<OriginId> {
        let table = self.tables.origins.as_mut()?;
        table.of_subject(subject, self.context, self.body, &mut self.module.origins)
    }

    /// A variable as what is done for its declaration.
    pub(super) fn declared(&mut self, variable: Variable) -> Option<OriginId> {
        self.origin_of(Subject::Variable(variable))
    }

    /// The decision by a condition.
    pub(super) fn decision(&mut self, asks: Condition, condition: Expression) -> Option<OriginId> {
        self.tables.origins.as_ref()?;
        let written = self.written(condition).unwrap_or(condition);
        self.origin_of(Subject::Condition(asks, written))
    }

    /// The expression that somebody wrote of which this is the value; none where nobody wrote it.
    fn written(&self, expression: Expression) -> Option<Expression> {
        let mut at = expression;
        loop {
            let kind = &self.body.expressions[at].kind;
            // A variable is not looked up: it stands behind nothing.
            let is_variable = match *kind {
                ExpressionKind::Load(place) => matches!(self.body.expressions[place].kind, ExpressionKind::Variable(_)),
                ExpressionKind::Variable(_) => true,
                _ => false,
            };
            let is_written = |at| {
                let is_instruction = || self.body.written_call(at).is_some_and(|written| written.is_instruction);
                self.body.postfix(at).is_some() || is_instruction()
            };
            if !is_variable && is_written(at) {
                return Some(at);
            }
            at = match *kind {
                ExpressionKind::Load(inner)
                | ExpressionKind::Convert(_, inner)
                | ExpressionKind::Decay(inner)
                | ExpressionKind::AddressOf(inner)
                | ExpressionKind::Splat(inner) => inner,
                ExpressionKind::Variable(_) | ExpressionKind::Global(_) => {
                    return name_of(self.context, self.body, at).map(|_| at);
                }
                _ if self.is_operator(at) && !self.body.is_written_out(at) => return Some(at),
                ExpressionKind::Field { .. } if member_name(self.context, self.body, at).is_some() => return Some(at),
                // An unknown value of another type.
                ExpressionKind::Call { function, ref arguments, .. }
                    if arguments.len() == 1 && self.context.program.functions[function].is_computed() =>
                {
                    arguments[0]
                }
                // A reference, or what `->`, `[]` or a call found.
                ExpressionKind::Dereference(pointer) => pointer,
                _ => return None,
            }
        }
    }

    /// Whether somebody wrote the operator that an expression is.
    fn is_operator(&self, expression: Expression) -> bool {
        let at = self.body.expressions[expression].location;
        self.context.extents.as_ref().is_some_and(|extents| extents.operator(at).is_some())
    }
}
