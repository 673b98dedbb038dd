//! Calls of functions whose arguments are known now, as `constexpr` in C++ asks for.
//!
//! **Definition.** The body of the function is executed with the arguments for its parameters: what it reads are its own variables, and places that are never written. What does anything else has no known value.
//!
//! **Invariant.** Nothing but the memory of the calls changes, and each expression, statement, pointer and element that is made costs a step of those that there are.

use std::cell::{RefCell, RefMut};

use rustc_hash::FxHashMap;

use super::constant::{Evaluation, arithmetic, converted, plain};
use super::{Shape, shape};
use crate::typed::{
    BinaryOperator, Body, Constant, Conversion, Expression, ExpressionKind, Function, Global, Statement, StatementKind,
    Variable,
};

/// What pointers to variables of calls have for a global. Their offset is the number of a place.
fn local() -> Global {
    Global::from_u32(u32::MAX - 1)
}

/// Whether a pointer is one to a variable of a call.
pub(super) fn is_local(global: Global) -> bool {
    global == local()
}

/// More levels of expressions that a call costs than its own.
const LEVELS: u32 = 8;

/// The value of an expression with calls.
pub(crate) enum WithCalls {
    /// It is known.
    Value(Constant, usize),
    /// It is not.
    Unknown(usize),
    /// It may be, once the body of this function is.
    Missing(Function),
    /// There are too few steps.
    TooLong,
}

/// A variable of a call, or a part of it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    frame: usize,
    /// The number of the call that the frame was for.
    call: usize,
    variable: Variable,
    parts: Vec<usize>,
}

/// A call that is not over. The first frame is the expression's own, for what it keeps in variables.
struct Frame<'a> {
    number: usize,
    body: &'a Body,
    variables: FxHashMap<Variable, Constant>,
}

/// What the calls that are not over have in their variables.
pub(super) struct Memory<'a> {
    frames: Vec<Frame<'a>>,
    places: Vec<Place>,
    calls: usize,
    steps: usize,
    spent: usize,
    missing: Option<Function>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(body: &'a Body, steps: usize) -> Memory<'a> {
        let frames = vec![Frame { number: 0, body, variables: FxHashMap::default() }];
        Memory { frames, places: Vec::new(), calls: 0, steps, spent: 0, missing: None }
    }

    /// What came out in the end.
    pub(super) fn ended_with(&self, value: Option<Constant>) -> WithCalls {
        match value {
            Some(value) if !mentions_local(&value) => WithCalls::Value(value, self.spent),
            _ if self.spent > self.steps => WithCalls::TooLong,
            _ => match self.missing {
                Some(function) => WithCalls::Missing(function),
                None => WithCalls::Unknown(self.spent),
            },
        }
    }
}

/// How many values a value is made of.
fn elements(value: &Constant) -> usize {
    match value {
        Constant::Aggregate(parts) => parts.iter().map(elements).sum(),
        _ => 1,
    }
}

fn mentions_local(value: &Constant) -> bool {
    match value {
        Constant::Address(global, _) => is_local(*global),
        Constant::Aggregate(parts) => parts.iter().any(mentions_local),
        _ => false,
    }
}

/// The calls that an evaluation is part of.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    pub(super) memory: &'a RefCell<Memory<'a>>,
    /// That of the body at hand.
    pub(super) frame: usize,
}

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Constant>),
}

impl<'a> Evaluation<'a> {
    fn memory(&self) -> Option<RefMut<'a, Memory<'a>>> {
        let mut memory = self.calls?.memory.borrow_mut();
        memory.spent += 1;
        (memory.spent <= memory.steps).then_some(memory)
    }

    /// The value of what is neither arithmetic nor a literal.
    pub(super) fn executed(&self, expression: Expression, depth: u32) -> Option<Constant> {
        self.memory()?;
        let data = &self.body.expressions[expression];
        let of = |expression: Expression| self.body.expressions[expression].of;
        match &data.kind {
            ExpressionKind::Call { function, arguments, .. } => self.call(*function, arguments, depth),
            ExpressionKind::Comma(first, last) => {
                self.value(*first, depth)?;
                self.value(*last, depth)
            }
            ExpressionKind::Assign(place, value) => {
                let value = self.value(*value, depth)?;
                self.write(*place, value.clone(), depth)?;
                Some(value)
            }
            ExpressionKind::InitializeZero(place) => {
                self.write(*place, Constant::Zero, depth)?;
                Some(Constant::Zero)
            }
            ExpressionKind::CompoundAssign(operator, place, value) => {
                let common = self.shape_of(*value);
                let value = plain(self.value(*value, depth)?, common);
                let at = self.local_place(*place, depth)?;
                let to = shape(&self.program.types, of(*place));
                let old = plain(converted(self.local_value(&at)?, to, common)?, common);
                let made = arithmetic(*operator, common, &old, &value, self.program.dialect)?;
                let made = converted(made, common, to)?;
                self.write_at(&at, made.clone())?;
                Some(made)
            }
            ExpressionKind::Step { place, up, prefix } => {
                let at = self.local_place(*place, depth)?;
                let to = shape(&self.program.types, of(*place));
                let old = plain(self.local_value(&at)?, to);
                let one = converted(Constant::Integer(1), Shape::Integer { bits: 32, signed: true }, to)?;
                let operator = if *up { BinaryOperator::Add } else { BinaryOperator::Subtract };
                let new = arithmetic(operator, to, &old, &one, self.program.dialect)?;
                self.write_at(&at, new.clone())?;
                Some(if *prefix { new } else { old })
            }
            ExpressionKind::Convert(Conversion::Discard, operand) => {
                self.value(*operand, depth)?;
                Some(Constant::Zero)
            }
            ExpressionKind::Field { base, index } => match self.value(*base, depth)? {
                Constant::Zero => Some(Constant::Zero),
                Constant::Aggregate(parts) => parts.get(*index as usize).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    fn call(&self, function: Function, arguments: &[Expression], depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(LEVELS)?;
        let calls = self.calls?;
        let values = arguments.iter().map(|&argument| self.value(argument, depth)).collect::<Option<Vec<_>>>()?;
        let Some(body) = &self.program.functions[function].body else {
            calls.memory.borrow_mut().missing = Some(function);
            return None;
        };
        if body.parameters.len() != values.len() {
            return None;
        }
        let frame = {
            let mut memory = calls.memory.borrow_mut();
            memory.calls += 1;
            let number = memory.calls;
            let variables = body.parameters.iter().copied().zip(values).collect();
            memory.frames.push(Frame { number, body, variables });
            memory.frames.len() - 1
        };
        let inner = Evaluation { program: self.program, body, calls: Some(Calls { frame, ..calls }) };
        let ended = body.root.map_or(Some(Flow::Next), |root| inner.statement(root, depth));
        calls.memory.borrow_mut().frames.truncate(frame);
        match ended? {
            Flow::Return(Some(value)) => Some(value),
            Flow::Return(None) | Flow::Next => Some(Constant::Zero),
            Flow::Break | Flow::Continue => None,
        }
    }

    fn statement(&self, statement: Statement, depth: u32) -> Option<Flow> {
        let depth = depth.checked_sub(1)?;
        self.memory()?;
        match &self.body.statements[statement].kind {
            StatementKind::Empty => Some(Flow::Next),
            StatementKind::Compound(parts) => self.statements(parts, depth),
            StatementKind::Expression(expression) => {
                self.value(*expression, depth)?;
                Some(Flow::Next)
            }
            StatementKind::Declare(_, start) => {
                if let Some(start) = start {
                    self.value(*start, depth)?;
                }
                Some(Flow::Next)
            }
            StatementKind::If { condition, then, otherwise } => match (self.truth(*condition, depth)?, otherwise) {
                (true, _) => self.statement(*then, depth),
                (false, Some(otherwise)) => self.statement(*otherwise, depth),
                (false, None) => Some(Flow::Next),
            },
            StatementKind::While { condition, body } => self.repeated(Some(*condition), None, *body, depth),
            StatementKind::DoWhile { body, condition } => match self.statement(*body, depth)? {
                Flow::Break => Some(Flow::Next),
                Flow::Return(value) => Some(Flow::Return(value)),
                Flow::Next | Flow::Continue => self.repeated(Some(*condition), None, *body, depth),
            },
            StatementKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.statement(*init, depth)?;
                }
                self.repeated(*condition, *step, *body, depth)
            }
            StatementKind::Switch { condition, body, .. } => self.switch(*condition, *body, depth),
            StatementKind::Case { body, .. } | StatementKind::Default { body } => self.statement(*body, depth),
            StatementKind::Break => Some(Flow::Break),
            StatementKind::Continue => Some(Flow::Continue),
            StatementKind::Return(None) => Some(Flow::Return(None)),
            StatementKind::Return(Some(value)) => Some(Flow::Return(Some(self.value(*value, depth)?))),
            StatementKind::Label { .. } | StatementKind::Goto(_) | StatementKind::ComputedGoto(_) => None,
        }
    }

    fn statements(&self, parts: &[Statement], depth: u32) -> Option<Flow> {
        for &part in parts {
            match self.statement(part, depth)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn repeated(
        &self,
        condition: Option<Expression>,
        step: Option<Expression>,
        body: Statement,
        depth: u32,
    ) -> Option<Flow> {
        loop {
            self.memory()?;
            if let Some(condition) = condition
                && !self.truth(condition, depth)?
            {
                return Some(Flow::Next);
            }
            match self.statement(body, depth)? {
                Flow::Break => return Some(Flow::Next),
                Flow::Return(value) => return Some(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.value(step, depth)?;
            }
        }
    }

    /// `switch` whose labels all stand in its outermost block.
    fn switch(&self, condition: Expression, body: Statement, depth: u32) -> Option<Flow> {
        let value = self.integer(condition, depth)?;
        let StatementKind::Compound(parts) = &self.body.statements[body].kind else { return None };
        let is_meant = |mut part: Statement, wanted: &dyn Fn(&StatementKind) -> bool| {
            loop {
                let kind = &self.body.statements[part].kind;
                if wanted(kind) {
                    return true;
                }
                match kind {
                    StatementKind::Case { body, .. } | StatementKind::Default { body } => part = *body,
                    _ => return false,
                }
            }
        };
        let is_case = |kind: &StatementKind| matches!(kind, StatementKind::Case { values, .. } if (values.0..=values.1).contains(&value));
        let is_default = |kind: &StatementKind| matches!(kind, StatementKind::Default { .. });
        let find = |wanted: &dyn Fn(&StatementKind) -> bool| parts.iter().position(|&part| is_meant(part, wanted));
        let Some(first) = find(&is_case).or_else(|| find(&is_default)) else { return Some(Flow::Next) };
        match self.statements(&parts[first..], depth)? {
            Flow::Break => Some(Flow::Next),
            other => Some(other),
        }
    }

    /// The variable of a call, or the part of it, that a place is.
    pub(super) fn local_place(&self, place: Expression, depth: u32) -> Option<Place> {
        let depth = depth.checked_sub(1)?;
        let calls = self.calls?;
        match &self.body.expressions[place].kind {
            ExpressionKind::Variable(variable) => {
                let frame = calls.frame;
                let call = calls.memory.borrow().frames.get(frame)?.number;
                Some(Place { frame, call, variable: *variable, parts: Vec::new() })
            }
            ExpressionKind::Field { base, index } => {
                let whole = self.local_place(*base, depth)?;
                let is_union = match self.shape_of(*base) {
                    Shape::Struct(number) => self.program.types.structs[number].is_union,
                    _ => true,
                };
                (!is_union).then(|| whole.part(*index as usize))
            }
            ExpressionKind::Lanes { base, lanes } if lanes.len() == 1 => {
                Some(self.local_place(*base, depth)?.part(usize::from(lanes[0])))
            }
            ExpressionKind::Comma(first, last) => {
                self.value(*first, depth)?;
                self.local_place(*last, depth)
            }
            ExpressionKind::Dereference(pointer) => match self.value(*pointer, depth)? {
                Constant::Address(global, number) if is_local(global) => {
                    calls.memory.borrow().places.get(usize::try_from(number).ok()?).cloned()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A pointer to a variable of a call; to the first element of an array.
    pub(super) fn local_address(&self, place: Expression, depth: u32) -> Option<Constant> {
        let at = self.local_place(place, depth)?;
        let is_array = matches!(self.shape_of(place), Shape::Array { .. });
        self.pointer(if is_array { at.part(0) } else { at })
    }

    fn pointer(&self, place: Place) -> Option<Constant> {
        /// A place is kept until the end: it costs more than what is forgotten.
        const COST: usize = 8;
        let mut memory = self.memory()?;
        memory.spent += COST + place.parts.len();
        memory.places.push(place);
        Some(Constant::Address(local(), memory.places.len() as i64 - 1))
    }

    /// A pointer to another element of an array that is a variable of a call.
    pub(super) fn local_offset(&self, pointer: Expression, count: Expression, depth: u32) -> Option<Constant> {
        self.calls?;
        let Constant::Address(global, number) = self.value(pointer, depth)? else { return None };
        if !is_local(global) {
            return None;
        }
        let count = self.integer(count, depth)?;
        let mut place = self.memory()?.places.get(usize::try_from(number).ok()?).cloned()?;
        let last = place.parts.last_mut()?;
        *last = usize::try_from(i128::try_from(*last).ok()?.checked_add(count)?).ok()?;
        self.pointer(place)
    }

    pub(super) fn local_value(&self, place: &Place) -> Option<Constant> {
        let mut memory = self.memory()?;
        let Memory { frames, spent, .. } = &mut *memory;
        let frame = frames.get(place.frame).filter(|frame| frame.number == place.call)?;
        let mut value = frame.variables.get(&place.variable)?;
        for &part in &place.parts {
            value = match value {
                Constant::Zero => return Some(Constant::Zero),
                Constant::Aggregate(parts) => parts.get(part)?,
                _ => return None,
            };
        }
        *spent += elements(value);
        Some(value.clone())
    }

    fn write(&self, place: Expression, value: Constant, depth: u32) -> Option<()> {
        let place = self.local_place(place, depth)?;
        self.write_at(&place, value)
    }

    fn write_at(&self, place: &Place, value: Constant) -> Option<()> {
        /// More elements are no constant.
        const MOST: usize = 1 << 16;
        let mut memory = self.memory()?;
        let Memory { frames, spent, .. } = &mut *memory;
        let frame = frames.get_mut(place.frame).filter(|frame| frame.number == place.call)?;
        let mut of = frame.body.variables.get(place.variable)?.of;
        let mut at = frame.variables.entry(place.variable).or_insert(Constant::Zero);
        for &part in &place.parts {
            let (count, inner) = match shape(&self.program.types, of) {
                Shape::Array { element, length } => (usize::try_from(length).ok()?, element),
                Shape::Vector { element, lanes } => (usize::from(lanes), element),
                Shape::Struct(number) => {
                    let fields = &self.program.types.structs[number].fields;
                    (fields.len(), fields.get(part)?.of)
                }
                _ => return None,
            };
            if *at == Constant::Zero && count <= MOST {
                *spent += count;
                *at = Constant::Aggregate(vec![Constant::Zero; count]);
            }
            let Constant::Aggregate(parts) = at else { return None };
            (at, of) = (parts.get_mut(part)?, inner);
        }
        *at = value;
        Some(())
    }
}

impl Place {
    fn part(mut self, index: usize) -> Place {
        self.parts.push(index);
        self
    }
}
