//! Functions of built-in headers that are written out where they are called.
//!
//! **Definition.** A function with the attribute `expanded` whose statements are expressions, declarations and `if`s, with one `return` at most, which is the
//! last one, is at a call one expression: its parameters get their arguments, in order, then its statements follow, and the value is what it returns.
//! All of it stands where the call stands, so what the threads do in `block.sync()` they do at the place of that call, as in a call of a function that
//! the language declares.
//!
//! **Invariant.** Every argument is evaluated once. One takes a parameter's place by itself only where it is a literal, the address of something that has a
//! name, or what an expression keeps in a variable.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::Checker;
use crate::builtins::mangle::as_written;
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{
    Atomic, AtomicOperation, Body, Builder, Conversion, Expression, ExpressionKind, Function, Shape, Statement,
    StatementKind, Type, Variable, VariableData,
};

impl Checker<'_> {
    /// What a call of a function is where it is written out; none for a function that is called.
    pub(super) fn expanded(
        &mut self,
        function: Function,
        arguments: &[Expression],
        location: Location,
    ) -> Option<Expression> {
        if !self.program.functions[function].is_expanded {
            return None;
        }
        if let Some(unknown) = self.program.functions[function].unknown.first()
            && self.state.unknown.is_empty()
        {
            let message = unknown.reason.message.clone();
            self.note_unknown(&Diagnostic::unsupported(location, message));
        }
        // A function that is being written out is not written out in itself.
        let body = self.program.functions[function].body.take()?;
        let references = std::mem::take(&mut self.state.references);
        let first = self.state.body.expressions.next_key();
        let calls = self.state.body.calls.len();
        let (build, variables) = (self.build(), FxHashMap::default());
        let mut expansion = Expansion { build, references: &references, from: &body, location, variables };
        let parts = expansion.parts(arguments);
        let made = match &parts[..] {
            [] => {
                let nothing = expansion.build.int(0, location);
                expansion.discard(nothing)
            }
            parts => self.sequence(parts, location),
        };
        self.state.references = references;
        self.program.functions[function].body = Some(body);
        let end = self.state.body.expressions.next_key();
        self.state.body.written_out.push(first..end);
        let name = as_written(&self.program.functions[function].name).into_owned();
        let name = name.split('<').next().and_then(|path| path.rsplit("::").next());
        self.build().name_calls(calls, name.unwrap_or_default(), false);
        Some(made)
    }

    /// Takes the functions out of the program that are written out wherever they are called.
    pub(super) fn drop_expanded(&mut self) {
        let functions = &mut self.program.functions;
        if functions.values().all(|data| !data.is_expanded) {
            return;
        }
        let mut called: Vec<Function> = Vec::new();
        let kept = functions.values().filter(|data| !data.is_expanded);
        called.extend(kept.filter_map(|data| data.body.as_ref()).flat_map(Body::mentioned_functions));
        while let Some(function) = called.pop() {
            let data = &mut functions[function];
            if std::mem::take(&mut data.is_expanded) {
                called.extend(data.body.iter().flat_map(Body::mentioned_functions));
            }
        }
        for data in functions.values_mut().filter(|data| data.is_expanded) {
            data.body = None;
        }
    }
}

/// Whether a body can be written out.
pub(super) fn can_be_expanded(body: &Body) -> bool {
    let Some(root) = body.root else { return true };
    let StatementKind::Compound(parts) = &body.statements[root].kind else { return false };
    let (last, first) = match parts.split_last() {
        Some((&last, first)) => (Some(last), first),
        None => (None, &[][..]),
    };
    let is_end = |&last: &Statement| matches!(body.statements[last].kind, StatementKind::Return(_));
    first.iter().all(|&part| is_plain(body, part)) && last.is_none_or(|last| is_end(&last) || is_plain(body, last))
}

/// Whether threads go on after a statement, and it is no loop.
fn is_plain(body: &Body, statement: Statement) -> bool {
    match &body.statements[statement].kind {
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declare(..) => true,
        StatementKind::Compound(parts) => parts.iter().all(|&part| is_plain(body, part)),
        StatementKind::If { then, otherwise, .. } => {
            is_plain(body, *then) && otherwise.is_none_or(|otherwise| is_plain(body, otherwise))
        }
        _ => false,
    }
}

/// What a variable of the function is where it is called.
#[derive(Clone, Copy)]
enum Bound {
    /// A variable there.
    Variable(Variable),
    /// What its value is: a literal, or the address of something that has a name.
    Value(Expression),
}

/// A function being written out.
struct Expansion<'e, 'b> {
    build: Builder<'b>,
    /// [`State::references`](super::state::State::references)
    references: &'e [Variable],
    from: &'e Body,
    location: Location,
    variables: FxHashMap<Variable, Bound>,
}

impl Expansion<'_, '_> {
    /// What is done for the arguments, then for the statements.
    fn parts(&mut self, arguments: &[Expression]) -> Vec<Expression> {
        let mut parts = Vec::new();
        for (&parameter, &argument) in self.from.parameters.iter().zip(arguments) {
            self.bind(parameter, argument, &mut parts);
        }
        if let Some(root) = self.from.root {
            self.statement(root, &mut parts);
        }
        parts
    }

    /// Gives a parameter its argument.
    fn bind(&mut self, parameter: Variable, argument: Expression, parts: &mut Vec<Expression>) {
        if self.is_only_read(parameter)
            && let Some(value) = self.stable(argument, parts)
        {
            self.variables.insert(parameter, Bound::Value(value));
            return;
        }
        let variable = self.variable(parameter);
        let place = self.build.variable(variable, self.location);
        let of = self.build.type_of(place);
        parts.push(self.build.push(ExpressionKind::Assign(place, argument), of, self.location));
    }

    /// Whether nothing is done with a variable but that its value is used.
    fn is_only_read(&self, variable: Variable) -> bool {
        let expressions = self.from.expressions.values();
        let count = |kinds: &ExpressionKind| usize::from(*kinds == ExpressionKind::Variable(variable));
        let mentions: usize = expressions.clone().map(|data| count(&data.kind)).sum();
        let read = |kind: &ExpressionKind| match *kind {
            ExpressionKind::Load(place) => count(&self.from.expressions[place].kind),
            _ => 0,
        };
        let reads: usize = expressions.map(|data| read(&data.kind)).sum();
        mentions == reads
    }

    /// An argument that is the same whenever it is evaluated; what has to be done before is put among the parts.
    fn stable(&mut self, argument: Expression, parts: &mut Vec<Expression>) -> Option<Expression> {
        match *self.build.kind(argument) {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) => Some(argument),
            ExpressionKind::Load(place) => self.is_kept(place).then_some(argument),
            ExpressionKind::Convert(Conversion::Pointer, address) => {
                let address = self.stable(address, parts)?;
                let of = self.build.type_of(argument);
                Some(self.build.convert_to(Conversion::Pointer, address, of))
            }
            ExpressionKind::AddressOf(place) => {
                let (mut place, mut before) = (place, SmallVec::<[Expression; 2]>::new());
                while let ExpressionKind::Comma(first, last) = *self.build.kind(place) {
                    before.push(first);
                    place = last;
                }
                if !self.has_name(place) {
                    return None;
                }
                let of = self.build.type_of(argument);
                parts.extend(before);
                Some(self.build.push(ExpressionKind::AddressOf(place), of, self.location))
            }
            _ => None,
        }
    }

    /// Whether a place is a variable that stays what it is: a reference, the pointer to an object, or what holds a value for the time of an expression.
    fn is_kept(&self, place: Expression) -> bool {
        match *self.build.kind(place) {
            ExpressionKind::Variable(variable) => {
                self.build.body.variables[variable].name.is_empty() || self.references.contains(&variable)
            }
            _ => false,
        }
    }

    /// Whether a place is a variable, or a part of one.
    fn has_name(&self, place: Expression) -> bool {
        let mut at = place;
        while let ExpressionKind::Field { base, .. } = *self.build.kind(at) {
            at = base;
        }
        matches!(self.build.kind(at), ExpressionKind::Variable(_) | ExpressionKind::Global(_))
    }

    /// The variable that one of the function is here.
    fn variable(&mut self, variable: Variable) -> Variable {
        if let Some(&Bound::Variable(known)) = self.variables.get(&variable) {
            return known;
        }
        // It is no variable that somebody wrote.
        let data = VariableData { name: String::new(), ..self.from.variables[variable].clone() };
        let made = self.build.body.variables.push(data);
        self.variables.insert(variable, Bound::Variable(made));
        made
    }

    fn discard(&mut self, value: Expression) -> Expression {
        let void = self.build.program.types.void();
        match self.build.type_of(value) == void {
            true => value,
            false => self.build.convert_to(Conversion::Discard, value, void),
        }
    }

    fn statement(&mut self, statement: Statement, parts: &mut Vec<Expression>) {
        match &self.from.statements[statement].kind {
            StatementKind::Compound(inner) => inner.iter().for_each(|&part| self.statement(part, parts)),
            StatementKind::Expression(value) | StatementKind::Declare(_, Some(value)) => {
                let value = self.copy(*value);
                parts.push(self.discard(value));
            }
            StatementKind::Return(Some(value)) => parts.push(self.copy(*value)),
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.copy(*condition);
                match self.build.constant_integer(condition) {
                    // Of what is known only one comes about.
                    Some(0) => return otherwise.iter().for_each(|&otherwise| self.statement(otherwise, parts)),
                    Some(_) => return self.statement(*then, parts),
                    None => {}
                }
                let then = self.branch(Some(*then));
                let otherwise = self.branch(*otherwise);
                let void = self.build.program.types.void();
                let kind = ExpressionKind::Conditional(condition, then, otherwise);
                parts.push(self.build.push(kind, void, self.location));
            }
            // The others are none of the statements that are written out.
            _ => {}
        }
    }

    /// One of the two statements of an `if`, as an expression without a value.
    fn branch(&mut self, statement: Option<Statement>) -> Expression {
        let mut parts = Vec::new();
        if let Some(statement) = statement {
            self.statement(statement, &mut parts);
        }
        let made = parts.into_iter().reduce(|first, next| self.build.comma(first, next, self.location));
        match made {
            Some(made) => made,
            None => {
                let nothing = self.build.int(0, self.location);
                self.discard(nothing)
            }
        }
    }

    /// The same again, of what is written here already.
    fn again(&mut self, value: Expression) -> Expression {
        let data = self.build.body.expressions[value].clone();
        let kind = match data.kind {
            ExpressionKind::AddressOf(place) => ExpressionKind::AddressOf(self.again(place)),
            ExpressionKind::Load(place) => ExpressionKind::Load(self.again(place)),
            ExpressionKind::Field { base, index } => ExpressionKind::Field { base: self.again(base), index },
            ExpressionKind::Convert(conversion, value) => ExpressionKind::Convert(conversion, self.again(value)),
            kind => kind,
        };
        self.build.push(kind, data.of, self.location)
    }

    /// What is in a member of a variable, as a part of all that is in the variable: so it is known to be what was assigned to that.
    fn part_of_whole(&mut self, place: Expression) -> Option<Expression> {
        let ExpressionKind::Field { base, index } = *self.build.kind(place) else { return None };
        let Shape::Struct(number) = self.build.shape_of(base) else { return None };
        if self.build.program.types.structs[number].is_union {
            return None;
        }
        let whole = match self.build.kind(base) {
            ExpressionKind::Variable(_) => self.build.load(base),
            _ => self.part_of_whole(base)?,
        };
        let of = self.build.type_of(place);
        Some(self.build.push(ExpressionKind::Field { base: whole, index }, of, self.location))
    }

    /// An expression of the function as one at the call. The nesting is that of a text of our own.
    fn copy(&mut self, value: Expression) -> Expression {
        let data = &self.from.expressions[value];
        let of = data.of;
        let kind = self.copied(&data.kind, of);
        match kind {
            Ok(kind) => self.build.push(kind, of, self.location),
            Err(made) => made,
        }
    }

    fn copies(&mut self, values: &[Expression]) -> ThinVec<Expression> {
        values.iter().map(|&value| self.copy(value)).collect()
    }

    /// What kind a copy is, or an expression that it is.
    fn copied(&mut self, kind: &ExpressionKind, of: Type) -> Result<ExpressionKind, Expression> {
        use ExpressionKind as Kind;
        Ok(match kind {
            Kind::Integer(_) | Kind::LongInteger(_) | Kind::Float(_) | Kind::Zero | Kind::Global(_) => kind.clone(),
            // A function with labels is not written out.
            Kind::Function(_) | Kind::LabelAddress(_) | Kind::Fence(..) => kind.clone(),
            Kind::Variable(variable) => Kind::Variable(self.variable(*variable)),
            Kind::Load(place) => {
                if let Kind::Variable(variable) = self.from.expressions[*place].kind
                    && let Some(&Bound::Value(value)) = self.variables.get(&variable)
                {
                    return Err(self.again(value));
                }
                let place = self.copy(*place);
                match self.part_of_whole(place) {
                    Some(value) => return Err(value),
                    None => Kind::Load(place),
                }
            }
            Kind::Dereference(pointer) => {
                let pointer = self.copy(*pointer);
                // Whatever the space that the pointer names, it is the place whose address that is.
                let mut address = pointer;
                while let Kind::Convert(Conversion::Pointer, inner) = *self.build.kind(address) {
                    address = inner;
                }
                match *self.build.kind(address) {
                    Kind::AddressOf(place) if self.build.type_of(place) == of => return Err(place),
                    _ => Kind::Dereference(pointer),
                }
            }
            Kind::Field { base, index } => Kind::Field { base: self.copy(*base), index: *index },
            Kind::Lanes { base, lanes } => Kind::Lanes { base: self.copy(*base), lanes: lanes.clone() },
            Kind::Lane(base, index) => Kind::Lane(self.copy(*base), self.copy(*index)),
            Kind::AddressOf(place) => {
                let place = self.copy(*place);
                match *self.build.kind(place) {
                    Kind::Dereference(pointer) if self.build.type_of(pointer) == of => return Err(pointer),
                    _ => Kind::AddressOf(place),
                }
            }
            Kind::Decay(place) => Kind::Decay(self.copy(*place)),
            Kind::PointerOffset(left, right) => Kind::PointerOffset(self.copy(*left), self.copy(*right)),
            Kind::PointerDifference(left, right) => Kind::PointerDifference(self.copy(*left), self.copy(*right)),
            Kind::Negate(operand) => Kind::Negate(self.copy(*operand)),
            Kind::Complement(operand) => Kind::Complement(self.copy(*operand)),
            Kind::Not(operand) => Kind::Not(self.copy(*operand)),
            Kind::Arithmetic(operator, left, right) => Kind::Arithmetic(*operator, self.copy(*left), self.copy(*right)),
            Kind::Compare(operator, left, right) => Kind::Compare(*operator, self.copy(*left), self.copy(*right)),
            Kind::And(left, right) => Kind::And(self.copy(*left), self.copy(*right)),
            Kind::Or(left, right) => Kind::Or(self.copy(*left), self.copy(*right)),
            Kind::Conditional(condition, then, otherwise) => {
                let condition = self.copy(*condition);
                match self.build.constant_integer(condition) {
                    Some(value) => return Err(self.copy(if value == 0 { *otherwise } else { *then })),
                    None => Kind::Conditional(condition, self.copy(*then), self.copy(*otherwise)),
                }
            }
            Kind::Select(condition, then, otherwise) => {
                Kind::Select(self.copy(*condition), self.copy(*then), self.copy(*otherwise))
            }
            Kind::Assign(place, value) => Kind::Assign(self.copy(*place), self.copy(*value)),
            Kind::CompoundAssign(operator, place, value) => {
                Kind::CompoundAssign(*operator, self.copy(*place), self.copy(*value))
            }
            Kind::Step { place, up, prefix } => Kind::Step { place: self.copy(*place), up: *up, prefix: *prefix },
            Kind::Comma(first, last) => Kind::Comma(self.copy(*first), self.copy(*last)),
            Kind::Convert(conversion, operand) => {
                let operand = self.copy(*operand);
                return Err(self.build.convert_to(*conversion, operand, of));
            }
            Kind::VectorOf(parts) => Kind::VectorOf(self.copies(parts)),
            Kind::AggregateOf(parts) => Kind::AggregateOf(self.copies(parts)),
            Kind::Splat(operand) => Kind::Splat(self.copy(*operand)),
            Kind::InitializeZero(place) => Kind::InitializeZero(self.copy(*place)),
            Kind::Call { function, convergent, arguments } => {
                Kind::Call { function: *function, convergent: *convergent, arguments: self.copies(arguments) }
            }
            Kind::CallPointer { pointer, arguments } => {
                Kind::CallPointer { pointer: self.copy(*pointer), arguments: self.copies(arguments) }
            }
            Kind::Atomic(atomic) => Kind::Atomic(Box::new(Atomic {
                operation: match &atomic.operation {
                    AtomicOperation::Load => AtomicOperation::Load,
                    AtomicOperation::Store(value) => AtomicOperation::Store(self.copy(*value)),
                    AtomicOperation::Update(update, value) => AtomicOperation::Update(*update, self.copy(*value)),
                    AtomicOperation::CompareExchange { expected, new } => {
                        AtomicOperation::CompareExchange { expected: self.copy(*expected), new: self.copy(*new) }
                    }
                },
                pointer: self.copy(atomic.pointer),
                order: atomic.order,
                scope: atomic.scope,
            })),
        })
    }
}
