//! Inline assembly as expressions: the steps of its [program](reconverge_operations::assembly::program), one after the other.
//!
//! An instruction that no table has is an error that names it, and nothing is made of the template; it can be [handed on](opaque) as it is.

mod opaque;

use reconverge_operations::assembly::{Destination, Language, Notation, Program, Source, Step, Unknown};

pub use opaque::{Statement, opaque};

use super::device;
use super::overload::program_type;
use super::signature::{Base, Ty};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{
    BinaryOperator, Builder, Conversion, Expression, ExpressionKind, Shape, Type, Variable, VariableData,
};

/// What a template does with its operands, outputs first: places for those and values for the others. None if it does nothing.
pub fn assembly(
    build: &mut Builder,
    template: &str,
    outputs: &[Expression],
    inputs: &[Expression],
    location: Location,
) -> Result<Option<Expression>, Diagnostic> {
    let language = device::language(build.program.target);
    let mut writing = Writing { build, location, outputs, inputs: Vec::new(), registers: Vec::new() };
    let program = match Program::read(template, Notation::C, language.unwrap_or(Language::Ptx)) {
        Ok(program) => program,
        Err(Unknown::Word(word)) => return writing.unsupported(&word),
        Err(Unknown::Form) => {
            let message =
                "this inline assembly has labels, directives or operands that the built-in front end does not support";
            return Err(Diagnostic::unsupported(location, message));
        }
    };
    if let (None, Some(step)) = (language, program.steps.first()) {
        return writing.unsupported(&step.mnemonic);
    }
    let mut steps = Vec::new();
    for &input in inputs {
        let value = writing.build.rvalue(input);
        let kept = writing.kept(value, &mut steps)?;
        writing.inputs.push(kept);
    }
    for &of in &program.registers {
        let of = program_type(writing.build, of);
        let variable = writing.variable(of);
        writing.registers.push(variable);
    }
    for step in &program.steps {
        writing.step(step, &mut steps)?;
    }
    let mut steps = steps.into_iter();
    let Some(first) = steps.next() else { return Ok(None) };
    let all = steps.fold(first, |before, next| build.comma(before, next, location));
    let void = build.program.types.void();
    Ok(Some(build.convert_to(Conversion::Discard, all, void)))
}

struct Writing<'a, 'b> {
    build: &'a mut Builder<'b>,
    location: Location,
    outputs: &'a [Expression],
    /// Variables with the values of the inputs.
    inputs: Vec<Expression>,
    registers: Vec<Variable>,
}

impl Writing<'_, '_> {
    fn unsupported<T>(&self, what: &str) -> Result<T, Diagnostic> {
        let message = format!("`{what}` in inline assembly is not supported by the built-in front end");
        Err(Diagnostic::unsupported(self.location, message))
    }

    /// A variable. It has no name, as no program could use it; while an instruction reads its operands, none changes.
    fn variable(&mut self, of: Type) -> Variable {
        let data = VariableData { name: String::new(), of, alignment: None, location: self.location };
        self.build.body.variables.push(data)
    }

    /// A variable with a value.
    fn kept(&mut self, value: Expression, steps: &mut Vec<Expression>) -> Result<Expression, Diagnostic> {
        let of = self.build.type_of(value);
        let kept = self.variable(of);
        let kept = self.build.variable(kept, self.location);
        steps.push(self.build.assign(kept, value, self.location)?);
        Ok(kept)
    }

    fn step(&mut self, step: &Step, steps: &mut Vec<Expression>) -> Result<(), Diagnostic> {
        let mut values = Vec::with_capacity(step.sources.len());
        for (source, &of) in step.sources.iter().zip(&step.recipe.overload.parameters) {
            let of = program_type(self.build, of);
            let value = match source {
                Source::Address(base, offset) => self.address(base, *offset, of)?,
                _ => self.value(source)?,
            };
            values.push(self.as_type(value, of)?);
        }
        let calls = self.build.body.calls.len();
        let mut made = device::make(self.build, step.recipe, &values, self.location)?;
        self.build.name_calls(calls, &step.mnemonic, true);
        if let Some(destination) = step.destination {
            let place = self.place(destination)?;
            made = self.store(place, made)?;
        }
        if let Some((is_negated, guard)) = &step.guard {
            let mut guard = self.value(guard)?;
            if *is_negated {
                guard = self.build.not(guard, self.location)?;
            }
            let void = self.build.program.types.void();
            let done = self.build.convert_to(Conversion::Discard, made, void);
            let nothing = self.build.int(0, self.location);
            let nothing = self.build.convert_to(Conversion::Discard, nothing, void);
            made = self.build.conditional(guard, done, nothing, self.location)?;
        }
        steps.push(made);
        Ok(())
    }

    /// Assigns the bits of a value.
    fn store(&mut self, place: Expression, value: Expression) -> Result<Expression, Diagnostic> {
        let of = self.build.type_of(place);
        let value = self.as_type(value, of)?;
        self.build.assign(place, value, self.location)
    }

    /// The bits of a value as a type; of an integer of another width, the number.
    fn as_type(&mut self, value: Expression, of: Type) -> Result<Expression, Diagnostic> {
        let value = self.build.rvalue(value);
        let from = self.build.type_of(value);
        if from == of {
            return Ok(value);
        }
        let is_pointer = |build: &Builder, of: Type| matches!(build.shape(of), Shape::Pointer { .. });
        if is_pointer(self.build, from) || is_pointer(self.build, of) {
            let made = self.build.explicit_convert(value, of);
            return made.map_err(|problem| Diagnostic::error(self.location, problem.to_string()));
        }
        let is_float = |build: &Builder, of: Type| matches!(build.shape(of), Shape::Float(_));
        match (self.build.scalar_bits(from), self.build.scalar_bits(of)) {
            (Some(a), Some(b)) if a == b && is_float(self.build, from) != is_float(self.build, of) => {
                Ok(self.build.convert_to(Conversion::Bits, value, of))
            }
            _ if is_float(self.build, from) != is_float(self.build, of) => {
                self.unsupported("an operand of another size")
            }
            _ => self.build.convert_or_say(value, of),
        }
    }

    /// A pointer to memory at an address and an offset in bytes.
    fn address(&mut self, base: &Source, offset: i64, of: Type) -> Result<Expression, Diagnostic> {
        let mut value = self.value(base)?;
        let at = self.build.type_of(value);
        if offset != 0
            && let Shape::Pointer { space, .. } = self.build.shape(at)
        {
            // It stays a pointer: who reads it knows where it comes from.
            let byte = program_type(self.build, Ty::new(Base::Char, 1));
            let bytes = self.build.program.types.pointer(byte, space);
            let number = program_type(self.build, Ty::new(Base::Long, 1));
            value = self.as_type(value, bytes)?;
            let offset = self.build.integer(i128::from(offset), number, self.location);
            value = self.build.push(ExpressionKind::PointerOffset(value, offset), bytes, self.location);
        } else if offset != 0 {
            let number = program_type(self.build, Ty::new(Base::ULong, 1));
            value = self.as_type(value, number)?;
            let offset = self.build.integer(i128::from(offset), number, self.location);
            value = self.build.binary(BinaryOperator::Add, value, offset, self.location)?;
        }
        self.as_type(value, of)
    }

    fn value(&mut self, source: &Source) -> Result<Expression, Diagnostic> {
        let location = self.location;
        match *source {
            Source::Argument(number) if number >= self.outputs.len() => {
                match self.inputs.get(number - self.outputs.len()) {
                    Some(&input) => Ok(self.build.rvalue(input)),
                    None => self.unsupported("a missing operand"),
                }
            }
            Source::Argument(number) => Ok(self.build.rvalue(self.outputs[number])),
            Source::Register(register) => {
                let place = self.place(Destination::Register(register))?;
                Ok(self.build.rvalue(place))
            }
            Source::Special(recipe) => device::make(self.build, recipe, &[], location),
            Source::Integer(value) => {
                let base = match () {
                    () if i32::try_from(value).is_ok() => Base::Int,
                    () if u32::try_from(value).is_ok() => Base::UInt,
                    () => Base::Long,
                };
                let of = program_type(self.build, Ty::new(base, 1));
                Ok(self.build.integer(value, of, location))
            }
            Source::Float { is_double: true, bits } => {
                let of = program_type(self.build, Ty::new(Base::Double, 1));
                Ok(self.build.float(f64::from_bits(bits), of, location))
            }
            Source::Float { is_double: false, bits } => {
                let of = program_type(self.build, Ty::new(Base::Float, 1));
                Ok(self.build.float(f64::from(f32::from_bits(bits as u32)), of, location))
            }
            Source::Not(ref inner) => {
                let value = self.value(inner)?;
                self.build.not(value, location)
            }
            Source::Address(..) => self.unsupported("an operand of this form"),
        }
    }

    fn place(&mut self, destination: Destination) -> Result<Expression, Diagnostic> {
        match destination {
            Destination::Register(register) => Ok(self.build.variable(self.registers[register], self.location)),
            Destination::Argument(number) => match self.outputs.get(number) {
                Some(&output) => Ok(output),
                None => self.unsupported("a destination that is no output"),
            },
        }
    }
}
