//! The functions of CUDA, HIP and C that are made by [recipes](reconverge_operations::recipe).
//!
//! **Invariant.** Every argument is evaluated once, and before what is made of it: one that a recipe mentions more than once goes through a variable.

use reconverge_operations::assembly::{Language, instructions};
use reconverge_operations::recipe::{Body, Recipe, expand};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::effects::effects;
use super::functions::{self, Function};
use super::opencl;
use super::overload::{Argument, CallKey, argument, choose, program_type, ty};
use super::promoted::promoted;
use super::signature::{Base, Overload, Ty};
use crate::diagnostic::Diagnostic;
use crate::options::{Dialect, LowerTarget};
use crate::source::Location;
use crate::typed::{
    Atomic, AtomicOperation, AtomicUpdate, Builder, Conversion, Expression, ExpressionKind, MemoryOrder, MemoryScope,
    Shape, Type, TypeKind, VariableData,
};

/// The names of all functions of a dialect, and of the instructions where a dialect has them.
pub fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    let has_instructions = matches!(dialect, Dialect::Cuda | Dialect::Hip);
    let instructions = has_instructions.then(instructions::names);
    functions::all(dialect).map(Function::name).chain(instructions.into_iter().flatten())
}

/// The lines of the tables of a dialect, and of instructions; for tests of the tables.
pub fn lines(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    functions::all(dialect).flat_map(Function::lines).chain(instructions::lines())
}

/// The recipes of a function on a target, in the order of the tables; none for a name that the dialect does not have, empty where the target has none.
pub fn recipes(dialect: Dialect, target: LowerTarget, name: &str) -> Option<&'static [Recipe]> {
    if name.starts_with(instructions::PREFIX) {
        return Some(language(target).and_then(|language| instructions::recipes(language, name)).unwrap_or_default());
    }
    Some(functions::find(dialect, name)?.recipes(target))
}

/// Whether threads communicate in a function, on some target: in one of those that it is made of, each of which is looked at once.
pub fn communicates(dialect: Dialect, name: &str) -> bool {
    let mut seen = FxHashSet::from_iter([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let lines = functions::find(dialect, &name).into_iter().flat_map(Function::lines);
        for recipe in lines.filter_map(expand).flatten() {
            let mut communicates = false;
            recipe.body.visit_calls(&mut |called| {
                let called = called.strip_prefix("cl.").unwrap_or(called);
                communicates |= effects(called, false).0;
                if seen.insert(called.to_owned()) {
                    open.push(called.to_owned());
                }
            });
            if communicates {
                return true;
            }
        }
    }
    false
}

/// What inline assembly is written in.
pub(super) fn language(target: LowerTarget) -> Option<Language> {
    match target {
        LowerTarget::Amdgpu => Some(Language::Amdgcn),
        LowerTarget::Nvptx => Some(Language::Ptx),
        LowerTarget::Spirv | LowerTarget::Generic => None,
    }
}

/// A call of a function of the tables; none if the dialect has none of that name.
pub fn call(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    let recipes = recipes(build.dialect(), build.program.target, name)?;
    if recipes.is_empty() {
        let message = format!("`{name}` is not known for the target {}", target_name(build.program.target));
        return Some(Err(Diagnostic::unsupported(location, message)));
    }
    let key = CallKey::new(build, recipes, arguments);
    if let Some((index, _)) = build.program.chosen.get(&key) {
        return Some(make(build, &recipes[index], arguments, location));
    }
    let types: SmallVec<[Argument; 4]> = arguments.iter().map(|&value| argument(build, value)).collect();
    let overloads: SmallVec<[Overload; 8]> = recipes.iter().map(|recipe| recipe.overload.clone()).collect();
    Some(match choose(&overloads, &types) {
        Ok(index) => {
            build.program.chosen.put(key, index, None);
            make(build, &recipes[index], arguments, location)
        }
        Err(problem) => match promoted(build.dialect(), name, &overloads, &types) {
            Some(index) => make(build, &recipes[index], arguments, location),
            None => Err(opencl::no_overload(build, name, &overloads, arguments, problem, location)),
        },
    })
}

/// A target as it is named on the command line.
fn target_name(target: LowerTarget) -> &'static str {
    match target {
        LowerTarget::Spirv => "spirv",
        LowerTarget::Amdgpu => "amdgpu",
        LowerTarget::Nvptx => "nvptx",
        LowerTarget::Generic => "generic",
    }
}

/// What a recipe makes of arguments.
pub(super) fn make(
    build: &mut Builder,
    recipe: &Recipe,
    arguments: &[Expression],
    location: Location,
) -> Result<Expression, Diagnostic> {
    let mut uses: SmallVec<[u32; 4]> = SmallVec::from_elem(0, arguments.len() + recipe.defaults.len());
    count_uses(&recipe.body, &mut uses);
    let mut making = Making { build, location, arguments: SmallVec::new() };
    let mut before = Vec::new();
    for (index, &value) in arguments.iter().enumerate() {
        let of = program_type(making.build, recipe.overload.parameters[index]);
        let value = making.build.convert_or_say(value, of)?;
        let is_free = is_free(making.build, value);
        let value = match uses[index] {
            1 => value,
            0 if is_free => value,
            0 => {
                before.push(value);
                value
            }
            _ if is_free => value,
            _ => making.keep(value, &mut before),
        };
        making.arguments.push(value);
    }
    for default in &recipe.defaults {
        let value = making.expression(default)?;
        making.arguments.push(value);
    }
    let mut result = making.expression(&recipe.body)?;
    let of = program_type(build, recipe.overload.result);
    if build.type_of(result) != of {
        result = match build.shape(of) {
            Shape::Void => build.convert_to(Conversion::Discard, result, of),
            _ => build.convert_or_say(result, of)?,
        };
    }
    for first in before.into_iter().rev() {
        result = build.comma(first, result, location);
    }
    Ok(result)
}

/// Whether a value can be mentioned again at no cost, and is always the same: a literal, or what a recipe keeps in a variable.
fn is_free(build: &Builder, value: Expression) -> bool {
    match *build.kind(value) {
        ExpressionKind::Integer(_) | ExpressionKind::LongInteger(_) | ExpressionKind::Float(_) => true,
        ExpressionKind::Load(place) => match *build.kind(place) {
            ExpressionKind::Variable(variable) => build.body.variables[variable].name.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// How often a body mentions each parameter.
fn count_uses(body: &Body, uses: &mut [u32]) {
    match body {
        Body::Parameter(index) => uses[*index] += 1,
        Body::Unary(_, operand) | Body::Convert(_, operand) | Body::Bits(_, operand) => count_uses(operand, uses),
        Body::Binary(_, left, right) => [left, right].into_iter().for_each(|part| count_uses(part, uses)),
        Body::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| count_uses(part, uses));
        }
        Body::Declared(_, _, parts) | Body::Named(_, parts) => parts.iter().for_each(|part| count_uses(part, uses)),
        Body::Integer(..) | Body::Float(..) => {}
    }
}

/// A recipe being followed.
struct Making<'a, 'b> {
    build: &'a mut Builder<'b>,
    location: Location,
    arguments: SmallVec<[Expression; 4]>,
}

impl Making<'_, '_> {
    /// A value in a variable, so that it can be mentioned more than once.
    fn keep(&mut self, value: Expression, before: &mut Vec<Expression>) -> Expression {
        let of = self.build.type_of(value);
        let location = self.location;
        let data = VariableData { name: String::new(), of, alignment: None, location };
        let variable = self.build.body.variables.push(data);
        let place = self.build.variable(variable, location);
        before.push(self.build.push(ExpressionKind::Assign(place, value), of, location));
        place
    }

    /// What a body stands for.
    fn expression(&mut self, body: &Body) -> Result<Expression, Diagnostic> {
        let location = self.location;
        match body {
            Body::Integer(value, of) => {
                let of = program_type(self.build, *of);
                Ok(self.build.integer(*value, of, location))
            }
            Body::Float(value, of) => {
                let of = program_type(self.build, *of);
                Ok(self.build.float(*value, of, location))
            }
            Body::Parameter(index) => Ok(self.build.rvalue(self.arguments[*index])),
            Body::Unary(operator, operand) => {
                let operand = self.expression(operand)?;
                match operator {
                    '-' => self.build.negate(operand, location),
                    '~' => self.build.complement(operand, location),
                    _ => self.build.not(operand, location),
                }
            }
            Body::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.build.binary(*operator, left, right, location)
            }
            Body::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition)?;
                let (then, otherwise) = (self.expression(then)?, self.expression(otherwise)?);
                self.build.conditional(condition, then, otherwise, location)
            }
            Body::Convert(of, operand) => {
                let (operand, of) = (self.expression(operand)?, program_type(self.build, *of));
                let converted = self.build.explicit_convert(operand, of);
                converted.map_err(|problem| Diagnostic::error(location, problem.to_string()))
            }
            Body::Bits(of, operand) => {
                let (operand, of) = (self.expression(operand)?, program_type(self.build, *of));
                match self.build.type_of(operand) == of {
                    true => Ok(operand),
                    false => Ok(self.build.convert_to(Conversion::Bits, operand, of)),
                }
            }
            Body::Declared(of, name, parts) => self.declared(*of, name, parts),
            Body::Named(name, parts) => self.named(name, parts),
        }
    }

    /// The values of several bodies.
    fn expressions(&mut self, parts: &[Body]) -> Result<Vec<Expression>, Diagnostic> {
        parts.iter().map(|part| self.expression(part)).collect()
    }

    /// A call of a declared function; the types of its parameters are those of the arguments.
    fn declared(&mut self, of: Ty, name: &str, parts: &[Body]) -> Result<Expression, Diagnostic> {
        let arguments = self.expressions(parts)?;
        let result = program_type(self.build, of);
        Ok(call_declared(self.build, name, result, arguments, self.location))
    }

    /// What has a name in a body.
    fn named(&mut self, name: &str, parts: &[Body]) -> Result<Expression, Diagnostic> {
        let location = self.location;
        let arguments = self.expressions(parts)?;
        let unknown = || Diagnostic::unsupported(location, format!("`{name}` is not known for this target"));
        if let Some(name) = name.strip_prefix("cl.") {
            return opencl::call(self.build, name, &arguments, location).unwrap_or_else(|| Err(unknown()));
        }
        if let Some(operation) = name.strip_prefix("atomic.") {
            return atomic(self.build, operation, &arguments, location).unwrap_or_else(|| Err(unknown()));
        }
        if let Some(fence) = name.strip_prefix("fence.") {
            let (order, scope) = fence.split_once('.').ok_or_else(unknown)?;
            let (order, scope) = (memory_order(order).ok_or_else(unknown)?, memory_scope(scope).ok_or_else(unknown)?);
            return Ok(self.build.fence(order, scope, location));
        }
        match (name, &arguments[..]) {
            ("load", &[pointer]) => {
                let place = self.build.dereference(pointer, location)?;
                Ok(self.build.load(place))
            }
            ("store", &[pointer, value]) => {
                let place = self.build.dereference(pointer, location)?;
                self.build.assign(place, value, location)
            }
            ("number", &[value]) => match self.build.constant_integer(value) {
                Some(number) => Ok(self.build.integer(number, self.build.type_of(value), location)),
                None => Err(Diagnostic::error(location, "this argument has to be a constant")),
            },
            ("first", &[vector]) => Ok(self.build.lanes(vector, &[0], location)),
            ("seq", [first, rest @ ..]) => {
                Ok(rest.iter().fold(*first, |first, &next| self.build.comma(first, next, location)))
            }
            _ => call(self.build, name, &arguments, location).unwrap_or_else(|| Err(unknown())),
        }
    }
}

/// A call of a declared function that takes exactly these values.
pub(super) fn call_declared(
    build: &mut Builder,
    name: &str,
    result: Type,
    arguments: Vec<Expression>,
    location: Location,
) -> Expression {
    let arguments: Vec<Expression> = arguments.into_iter().map(|value| build.rvalue(value)).collect();
    let parameters: Vec<Type> = arguments.iter().map(|&value| build.type_of(value)).collect();
    let has_pointers = parameters.iter().any(|&of| matches!(build.shape(of), Shape::Pointer { .. }));
    let (is_convergent, memory) = effects(name, has_pointers);
    let of = build.program.types.intern(TypeKind::Function { result, parameters, variadic: false });
    let function = build.declare(name, of, is_convergent, memory);
    build.call(function, arguments, location)
}

/// An order by its name in a recipe.
fn memory_order(name: &str) -> Option<MemoryOrder> {
    Some(match name {
        "relaxed" => MemoryOrder::Relaxed,
        "acquire" => MemoryOrder::Acquire,
        "release" => MemoryOrder::Release,
        "acq_rel" => MemoryOrder::AcquireRelease,
        "seq_cst" => MemoryOrder::SequentiallyConsistent,
        _ => return None,
    })
}

/// A scope by its name in a recipe.
fn memory_scope(name: &str) -> Option<MemoryScope> {
    Some(match name {
        "wave" => MemoryScope::Subgroup,
        "block" => MemoryScope::Workgroup,
        "device" => MemoryScope::Device,
        "system" => MemoryScope::System,
        _ => return None,
    })
}

/// An atomic operation of a recipe: `add`, `cas.block.relaxed`, … Without a scope and order it is sequentially consistent for the system.
fn atomic(
    build: &mut Builder,
    text: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    let mut words = text.split('.');
    let operation = words.next()?;
    let scope = words.next().map_or(Some(MemoryScope::System), memory_scope)?;
    let order = words.next().map_or(Some(MemoryOrder::SequentiallyConsistent), memory_order)?;
    let (&pointer, values) = arguments.split_first()?;
    let of = build.element(build.type_of(pointer));
    let converted = values.iter().map(|&value| build.convert_or_say(value, of)).collect::<Result<Vec<_>, _>>();
    let values = match converted {
        Ok(values) => values,
        Err(problem) => return Some(Err(problem)),
    };
    let update = |update: AtomicUpdate| Some(AtomicOperation::Update(update, *values.first()?));
    let operation = match operation {
        "add" => update(AtomicUpdate::Add)?,
        "sub" => update(AtomicUpdate::Subtract)?,
        "and" => update(AtomicUpdate::And)?,
        "or" => update(AtomicUpdate::Or)?,
        "xor" => update(AtomicUpdate::Xor)?,
        "min" => update(AtomicUpdate::Minimum)?,
        "max" => update(AtomicUpdate::Maximum)?,
        "xchg" => update(AtomicUpdate::Exchange)?,
        "inc" => update(AtomicUpdate::IncrementWrap)?,
        "dec" => update(AtomicUpdate::DecrementWrap)?,
        "load" => AtomicOperation::Load,
        "store" => AtomicOperation::Store(*values.first()?),
        "cas" => AtomicOperation::CompareExchange { expected: *values.first()?, new: *values.get(1)? },
        _ => return None,
    };
    let result = if matches!(operation, AtomicOperation::Store(_)) { build.program.types.void() } else { of };
    Some(Ok(build.atomic(Atomic { operation, pointer, order, scope }, result, location)))
}

/// `threadIdx.x` and the like: the number, as a value.
pub fn member(
    build: &mut Builder,
    variable: &str,
    member: &str,
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    if !matches!(build.dialect(), Dialect::Cuda | Dialect::Hip) || !matches!(member, "x" | "y" | "z") {
        return None;
    }
    matches!(variable, "threadIdx" | "blockIdx" | "blockDim" | "gridDim")
        .then(|| call(build, &format!("{variable}.{member}"), &[], location))
        .flatten()
}

/// A variable that the dialect has without a declaration, as a value: `threadIdx` whole, `warpSize`, `hipThreadIdx_x`.
pub fn variable(build: &mut Builder, name: &str, location: Location) -> Option<Result<Expression, Diagnostic>> {
    if !matches!(build.dialect(), Dialect::Cuda | Dialect::Hip) {
        return None;
    }
    if matches!(name, "threadIdx" | "blockIdx" | "blockDim" | "gridDim") {
        let mut parts = Vec::new();
        for axis in ["x", "y", "z"] {
            match member(build, name, axis, location)? {
                Ok(part) => parts.push(part),
                Err(problem) => return Some(Err(problem)),
            }
        }
        let element = build.program.types.integer(32, false);
        let of = match name {
            "threadIdx" | "blockIdx" => build.program.types.cuda_vector(element, 3),
            _ => build.program.types.dim3(),
        };
        return Some(Ok(build.aggregate_of(parts, of, location)));
    }
    if name == "warpSize" {
        return call(build, "warpSize", &[], location);
    }
    let (name, axis) = name.strip_prefix("hip").filter(|_| build.dialect() == Dialect::Hip)?.rsplit_once('_')?;
    let name = match name {
        "ThreadIdx" => "threadIdx",
        "BlockIdx" => "blockIdx",
        "BlockDim" => "blockDim",
        "GridDim" => "gridDim",
        _ => return None,
    };
    member(build, name, axis, location)
}

/// `make_float4(x, y, z, w)`: a vector of CUDA's; none for other names.
pub fn make_vector(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    let name = name.strip_prefix("make_")?;
    let (element, lanes) = name.split_at(name.len().checked_sub(1)?);
    let lanes: u8 = lanes.parse().ok().filter(|lanes| (1..=4).contains(lanes))?;
    let element = match element {
        "longlong" => Base::Long,
        "ulonglong" => Base::ULong,
        "bfloat16" => Base::BFloat,
        _ => Base::named(element).filter(|base| base.bits() != 0)?,
    };
    if arguments.len() != usize::from(lanes) {
        let message = format!("`make_{name}` takes {lanes} arguments, not {}", arguments.len());
        return Some(Err(Diagnostic::error(location, message)));
    }
    let element = program_type(build, Ty::new(element, 1));
    let parts: Result<Vec<_>, _> = arguments.iter().map(|&value| build.convert_or_say(value, element)).collect();
    let of = build.program.types.cuda_vector(element, lanes);
    Some(parts.map(|parts| build.aggregate_of(parts, of, location)))
}

/// Whether a value has exactly a type of signatures; for tests.
pub fn has_type(build: &Builder, value: Expression, of: Ty) -> bool {
    ty(build, build.type_of(value)) == of
}
