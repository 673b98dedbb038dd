//! Inline assembly as expressions.
//!
//! **Definition.** The instructions of a template are executed one after the other. Each assigns to its destination what the
//! [function of its name](super::ptx) makes of its sources, where its predicate holds. Registers that the template declares
//! are variables. A register holds bits: what goes into an instruction has the type of the instruction, with the same bits.
//!
//! An instruction that no table has is an error that names it, and nothing is made of the template.

use reconverge_operations::assembly::{Assembly, Instruction, Language, Notation, Operand};
use rustc_hash::FxHashMap;

use super::device;
use super::overload::program_type;
use super::ptx::PREFIX;
use super::signature::{Base, Ty};
use crate::diagnostic::Diagnostic;
use crate::options::LowerTarget;
use crate::source::Location;
use crate::typed::{BinaryOperator, Builder, Conversion, Expression, Shape, Type, Variable, VariableData};

/// What a template does with its operands, outputs first: places for those and values for the others. None if it does nothing.
pub fn assembly(
    build: &mut Builder,
    template: &str,
    outputs: &[Expression],
    inputs: &[Expression],
    location: Location,
) -> Result<Option<Expression>, Diagnostic> {
    let language = match build.program.target {
        LowerTarget::Amdgpu => Language::Amdgcn,
        _ => Language::Ptx,
    };
    let Some(assembly) = Assembly::read(template, Notation::C, language) else {
        let message =
            "this inline assembly has labels, directives or operands that are outside of the subset that is understood";
        return Err(Diagnostic::unsupported(location, message));
    };
    let mut writing = Writing { build, location, outputs, inputs: Vec::new(), registers: FxHashMap::default() };
    let mut steps = Vec::new();
    for &input in inputs {
        let value = writing.build.rvalue(input);
        let kept = writing.kept(value, &mut steps)?;
        writing.inputs.push(kept);
    }
    for (name, of) in &assembly.registers {
        let of = writing.register_type(of)?;
        let variable = writing.variable(of);
        writing.registers.insert(name.clone(), variable);
    }
    for instruction in &assembly.instructions {
        writing.instruction(instruction, &mut steps)?;
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
    registers: FxHashMap<String, Variable>,
}

impl Writing<'_, '_> {
    fn unsupported<T>(&self, what: &str) -> Result<T, Diagnostic> {
        let message = format!("`{what}` in inline assembly is outside of the subset that is understood");
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

    /// The type of a register that is declared with a type of PTX.
    fn register_type(&mut self, of: &str) -> Result<Type, Diagnostic> {
        let base = match of {
            "pred" => Base::Bool,
            "f32" => Base::Float,
            "f64" => Base::Double,
            "b16" | "u16" => Base::UShort,
            "s16" => Base::Short,
            "b32" | "u32" => Base::UInt,
            "s32" => Base::Int,
            "b64" | "u64" => Base::ULong,
            "s64" => Base::Long,
            _ => return self.unsupported(of),
        };
        Ok(program_type(self.build, Ty::new(base, 1)))
    }

    fn instruction(&mut self, instruction: &Instruction, steps: &mut Vec<Expression>) -> Result<(), Diagnostic> {
        let name = instruction.mnemonic.as_str();
        if matches!(name, "s_nop" | "s_sleep" | "griddepcontrol.wait" | "griddepcontrol.launch_dependents") {
            return Ok(());
        }
        // What other targets have of these is what PTX has.
        let name = name.strip_suffix(".aligned").unwrap_or(name);
        let mut made = Vec::new();
        if name.starts_with("mov.") {
            let [destination, source] = &instruction.operands[..] else { return self.unsupported(name) };
            self.copy(destination, source, name, &mut made)?;
        } else {
            self.call(name, &instruction.operands, &mut made)?;
        }
        match &instruction.predicate {
            None => steps.extend(made),
            Some((is_negated, guard)) => {
                let mut guard = self.value(guard)?;
                if *is_negated {
                    guard = self.build.not(guard, self.location)?;
                }
                for step in made {
                    let void = self.build.program.types.void();
                    let step = self.build.convert_to(Conversion::Discard, step, void);
                    let nothing = self.build.int(0, self.location);
                    let nothing = self.build.convert_to(Conversion::Discard, nothing, void);
                    steps.push(self.build.conditional(guard, step, nothing, self.location)?);
                }
            }
        }
        Ok(())
    }

    /// A function of the tables, of the sources, whose result goes to the destination.
    fn call(&mut self, name: &str, operands: &[Operand], steps: &mut Vec<Expression>) -> Result<(), Diagnostic> {
        let (dialect, target) = (self.build.dialect(), self.build.program.target);
        let function = format!("{PREFIX}{name}");
        let Some(recipes) = device::recipes(dialect, target, &function).filter(|recipes| !recipes.is_empty()) else {
            return self.unsupported(name);
        };
        let returns = recipes[0].overload.result.base != Base::Void;
        let (destination, sources) = match operands {
            [destination, sources @ ..] if returns => (Some(destination), sources),
            sources => (None, sources),
        };
        let Some(recipe) = recipes.iter().find(|recipe| recipe.overload.parameters.len() == sources.len()) else {
            return self.unsupported(name);
        };
        let mut values = Vec::with_capacity(sources.len());
        for (source, &of) in sources.iter().zip(&recipe.overload.parameters) {
            let of = program_type(self.build, of);
            let value = match source {
                Operand::Memory(base, offset) => self.address(base, *offset, of)?,
                _ => self.value(source)?,
            };
            values.push(self.as_type(value, of)?);
        }
        let (place, predicate) = match destination {
            Some(Operand::Pair(place, predicate)) => (Some(&**place), Some(&**predicate)),
            place => (place, None),
        };
        // The predicate is made of the sources as they were before.
        if let Some(predicate) = predicate {
            let kept: Result<Vec<_>, _> = values.iter().map(|&value| self.kept(value, steps)).collect();
            values = kept?;
            let name = format!("{name}|p");
            let made = self.made(&name, &values)?;
            let place = self.place(predicate)?;
            steps.push(self.store(place, made)?);
        }
        let made = self.made(name, &values)?;
        match place {
            Some(Operand::Register(name)) if name == "_" => steps.push(made),
            Some(place) => {
                let place = self.place(place)?;
                steps.push(self.store(place, made)?);
            }
            None => steps.push(made),
        }
        Ok(())
    }

    fn made(&mut self, name: &str, values: &[Expression]) -> Result<Expression, Diagnostic> {
        match device::call(self.build, &format!("{PREFIX}{name}"), values, self.location) {
            Some(made) => made,
            None => self.unsupported(name),
        }
    }

    /// `mov`: bits, also between halves and a whole.
    fn copy(
        &mut self,
        destination: &Operand,
        source: &Operand,
        name: &str,
        steps: &mut Vec<Expression>,
    ) -> Result<(), Diagnostic> {
        let (whole, half) = match name {
            "mov.b64" => (Base::ULong, Base::UInt),
            "mov.b32" => (Base::UInt, Base::UShort),
            _ => (Base::Void, Base::Void),
        };
        let bits = i128::from(half.bits());
        let (whole, half) = (Ty::new(whole, 1), Ty::new(half, 1));
        match (destination, source) {
            (Operand::Vector(parts), source) if bits > 0 && parts.len() == 2 => {
                let (whole, half) = (program_type(self.build, whole), program_type(self.build, half));
                let value = self.value(source)?;
                let value = self.as_type(value, whole)?;
                let value = self.kept(value, steps)?;
                let value = self.build.rvalue(value);
                for (part, by) in parts.iter().zip([0, bits]) {
                    let by = self.build.integer(by, whole, self.location);
                    let shifted = self.build.binary(BinaryOperator::ShiftRight, value, by, self.location)?;
                    let shifted = self.build.convert_or_say(shifted, half)?;
                    let place = self.place(part)?;
                    steps.push(self.store(place, shifted)?);
                }
            }
            (destination, Operand::Vector(parts)) if bits > 0 && parts.len() == 2 => {
                let (whole, half) = (program_type(self.build, whole), program_type(self.build, half));
                let mut values = Vec::new();
                for part in parts {
                    let value = self.value(part)?;
                    let value = self.as_type(value, half)?;
                    values.push(self.build.convert_or_say(value, whole)?);
                }
                let by = self.build.integer(bits, whole, self.location);
                let high = self.build.binary(BinaryOperator::ShiftLeft, values[1], by, self.location)?;
                let made = self.build.binary(BinaryOperator::Or, high, values[0], self.location)?;
                let place = self.place(destination)?;
                steps.push(self.store(place, made)?);
            }
            (destination, source) => {
                let value = self.value(source)?;
                let place = self.place(destination)?;
                steps.push(self.store(place, value)?);
            }
        }
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
    fn address(&mut self, base: &Operand, offset: i64, of: Type) -> Result<Expression, Diagnostic> {
        let mut value = self.value(base)?;
        if offset != 0 {
            let number = program_type(self.build, Ty::new(Base::ULong, 1));
            value = self.as_type(value, number)?;
            let offset = self.build.integer(i128::from(offset), number, self.location);
            value = self.build.binary(BinaryOperator::Add, value, offset, self.location)?;
        }
        self.as_type(value, of)
    }

    fn value(&mut self, operand: &Operand) -> Result<Expression, Diagnostic> {
        let location = self.location;
        match operand {
            Operand::Argument(number) if *number >= self.outputs.len() => {
                match self.inputs.get(number - self.outputs.len()) {
                    Some(&input) => Ok(self.build.rvalue(input)),
                    None => self.unsupported("an operand that is not there"),
                }
            }
            Operand::Argument(_) => {
                let place = self.place(operand)?;
                Ok(self.build.rvalue(place))
            }
            Operand::Register(name) if self.registers.contains_key(name) => {
                let place = self.place(operand)?;
                Ok(self.build.rvalue(place))
            }
            Operand::Register(name) if name.starts_with('%') => self.made(name, &[]),
            Operand::Register(name) if name == "WARP_SZ" => self.made("%warpsize", &[]),
            Operand::Register(name) => self.unsupported(name),
            Operand::Integer(value) => {
                let fits = i32::try_from(*value).is_ok();
                let fits_unsigned = u32::try_from(*value).is_ok();
                let base = if fits {
                    Base::Int
                } else if fits_unsigned {
                    Base::UInt
                } else {
                    Base::Long
                };
                let of = program_type(self.build, Ty::new(base, 1));
                Ok(self.build.integer(*value, of, location))
            }
            Operand::Float { is_double: true, bits } => {
                let of = program_type(self.build, Ty::new(Base::Double, 1));
                Ok(self.build.float(f64::from_bits(*bits), of, location))
            }
            Operand::Float { is_double: false, bits } => {
                let of = program_type(self.build, Ty::new(Base::Float, 1));
                Ok(self.build.float(f64::from(f32::from_bits(*bits as u32)), of, location))
            }
            Operand::Not(inner) => {
                let value = self.value(inner)?;
                self.build.not(value, location)
            }
            Operand::Memory(..) | Operand::Vector(_) | Operand::Pair(..) => self.unsupported("an operand of this form"),
        }
    }

    fn place(&mut self, operand: &Operand) -> Result<Expression, Diagnostic> {
        match operand {
            Operand::Argument(number) if *number < self.outputs.len() => Ok(self.outputs[*number]),
            Operand::Register(name) => match self.registers.get(name) {
                Some(&variable) => Ok(self.build.variable(variable, self.location)),
                None => self.unsupported(name),
            },
            _ => self.unsupported("a destination of this form"),
        }
    }
}
