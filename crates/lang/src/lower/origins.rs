//! Which part of the source each instruction is.
//!
//! **Definition.** While something is written, the *subject* is the part of the source that its instructions belong to: of a load, a conversion or an address, its operand's; of
//! another expression that somebody wrote, that expression; of what nobody wrote, that of what is around it. The jump on a condition is the condition itself, by who asks for
//! it. Tokens, jumps without a condition and `ret` have none.
//!
//! **Invariant.** Marks of a body are in the order of its text, so that one walk over its blocks moves them to where the blocks are written.

use cranelift_entity::packed_option::PackedOption;
use reconverge_ir::Span;
use reconverge_ir::origin::{Condition, FileId, NameId, OriginId, Origins, Record, SourceFile, What};
use rustc_hash::FxHashMap;

use super::Context;
use super::function::FunctionText;
use crate::preprocess::end_of_token;
use crate::source::{Location, Sources, TokenRange};
use crate::tree::ExtentTable;
use crate::typed::{Body, Expression, ExpressionData, ExpressionKind, FunctionData, Variable};

/// What instructions belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Subject {
    /// Nothing that somebody wrote.
    #[default]
    None,
    /// A variable where it is declared.
    Variable(Variable),
    /// An expression.
    Expression(Expression),
    /// A decision.
    Condition(Condition, Expression),
}

/// Where the instructions of a subject begin: a byte of the text of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) subject: Subject,
}

/// The origins of a module, as far as it is written.
#[derive(Debug)]
pub(super) struct OriginTable {
    origins: Origins,
    /// By index.
    files: Vec<FileId>,
    names: FxHashMap<String, NameId>,
    /// What was said of the body that is being written.
    known: FxHashMap<Subject, Option<OriginId>>,
}

impl OriginTable {
    /// Of a module that is not begun.
    pub(super) fn new(sources: &Sources) -> OriginTable {
        let mut origins = Origins::default();
        let file = |file: &crate::source::File| SourceFile { path: file.path.clone(), text: Some(file.text.clone()) };
        let files = sources.files().iter().map(|source| origins.add_file(file(source))).collect();
        OriginTable { origins, files, names: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// All of it.
    pub(super) fn finish(self) -> Origins {
        self.origins
    }

    /// Marks the place where a function begins, and goes on to its body.
    pub(super) fn start_function(&mut self, at: usize, data: &FunctionData, context: &Context<'_>) {
        self.known.clear();
        let what = What::Function(self.name(&data.name));
        if let Some(origin) = self.add(what, data.location.into(), data.location, context) {
            self.mark_origin(at, origin);
        }
    }

    /// Marks a place of the module's text.
    pub(super) fn mark(&mut self, mark: Mark, context: &Context<'_>, body: &Body) {
        let origin = match self.known.get(&mark.subject) {
            Some(&known) => known,
            None => {
                let origin = self.origin_of(mark.subject, context, body);
                self.known.insert(mark.subject, origin);
                origin
            }
        };
        if let Some(origin) = origin {
            self.mark_origin(mark.at, origin);
        }
    }

    /// Texts that the reader takes are below 4 GiB.
    fn mark_origin(&mut self, at: usize, origin: OriginId) {
        if let Ok(at) = u32::try_from(at) {
            self.origins.mark(at, origin);
        }
    }

    fn origin_of(&mut self, subject: Subject, context: &Context<'_>, body: &Body) -> Option<OriginId> {
        match subject {
            Subject::None => None,
            Subject::Variable(variable) => {
                let data = &body.variables[variable];
                if data.name.is_empty() {
                    return None;
                }
                let what = What::Variable(self.name(&data.name));
                self.add(what, data.location.into(), data.location, context)
            }
            Subject::Expression(expression) => {
                let call_name =
                    |extents: &ExtentTable<'_>| extents.call_name(body.postfix(expression)?).map(str::to_owned);
                let what = match (context.extents.as_ref().and_then(call_name), name_of(context, body, expression)) {
                    (Some(name), _) => What::Call(self.name(&name)),
                    (None, Some(name)) => What::Variable(self.name(name)),
                    (None, None) => What::Expression,
                };
                self.add_expression(what, context, body, expression)
            }
            Subject::Condition(condition, expression) => {
                self.add_expression(What::Condition(condition), context, body, expression)
            }
        }
    }

    fn add_expression(
        &mut self,
        what: What<NameId>,
        context: &Context<'_>,
        body: &Body,
        expression: Expression,
    ) -> Option<OriginId> {
        let location = body.expressions[expression].location;
        self.add(what, extent(context, body, expression), location, context)
    }

    /// Tokens that are not in one file, one behind the other, are the one at `location`: an expression whose parts are in files that are included.
    fn add(
        &mut self,
        what: What<NameId>,
        tokens: TokenRange,
        location: Location,
        context: &Context<'_>,
    ) -> Option<OriginId> {
        let (file, range) = range(context, tokens).or_else(|| range(context, location.into()))?;
        Some(self.origins.add(Record { what, file: self.files[file], range, inlined_at: PackedOption::default() }))
    }

    fn name(&mut self, name: &str) -> NameId {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let number = self.origins.add_name(name);
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
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

impl FunctionText<'_> {
    /// Goes into an expression; what was there before is to be put back with [`FunctionText::leave`].
    #[inline]
    pub(super) fn enter_expression(&mut self, expression: Expression, location: Location) -> (Location, Subject) {
        let saved = (self.location, self.subject);
        self.location = location;
        if self.tables.origins.is_some()
            && let Some(written) = self.written(expression)
        {
            self.subject = Subject::Expression(written);
        }
        saved
    }

    /// Goes out of an expression.
    #[inline]
    pub(super) fn leave_expression(&mut self, saved: (Location, Subject)) {
        (self.location, self.subject) = saved;
    }

    /// The expression that somebody wrote of which this is the value; none where nobody wrote it.
    fn written(&self, expression: Expression) -> Option<Expression> {
        let mut at = expression;
        loop {
            if self.body.postfix(at).is_some() {
                return Some(at);
            }
            at = match self.body.expressions[at].kind {
                ExpressionKind::Load(inner)
                | ExpressionKind::Convert(_, inner)
                | ExpressionKind::Decay(inner)
                | ExpressionKind::AddressOf(inner)
                | ExpressionKind::Splat(inner) => inner,
                ExpressionKind::Variable(_) | ExpressionKind::Global(_) => {
                    return name_of(self.context, self.body, at).map(|_| at);
                }
                _ if self.is_operator(at) => return Some(at),
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

    /// The decision by a condition.
    pub(super) fn decision(&self, asks: Condition, condition: Expression) -> Subject {
        match self.tables.origins {
            Some(_) => Subject::Condition(asks, self.written(condition).unwrap_or(condition)),
            None => Subject::None,
        }
    }

    /// Notes what begins at the end of the text, behind the blanks before an instruction.
    #[inline]
    pub(super) fn mark(&mut self) {
        if self.subject != Subject::None {
            self.marks.push(Mark { at: self.writer.bytes.len() + INDENT, subject: self.subject });
        }
    }
}

/// The blanks before an instruction.
pub(super) const INDENT: usize = 2;
