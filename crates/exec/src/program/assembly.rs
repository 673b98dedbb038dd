//! Inline assembly as operations: those of the recipes of its [steps](reconverge_operations::assembly::program), one after the other.
//!
//! Registers and outputs are names for values here, as there are no jumps: a step gives its destination another value. Arithmetic is that
//! of C, as recipes are written in it: integers narrower than `int` become `int`, and operands become of one type.

use reconverge_ir::assembly::AssemblyCall;
use reconverge_ir::function::{Inst, InstData};
use reconverge_ir::opcode::{Flags, Opcode, Ordering, Predicate};
use reconverge_operations::assembly::{Destination, Program, Source, Step};
use reconverge_operations::recipe::{BinaryOperator, Body, Recipe};
use reconverge_operations::signature::{Base, Ty};

use super::code::{CalledIntrinsic, Op, Operand, Registers, TokenUse};
use super::decode::{Decoder, Result, same};
use crate::constants::Component;
use crate::operations;
use crate::value::{Scalar, low_bits};

/// A value with its type.
#[derive(Debug, Clone, Copy)]
struct Typed {
    operand: Operand,
    base: Base,
    /// The number that it is, if it is a constant; zero-extended.
    constant: Option<u64>,
}

impl Decoder<'_, '_, '_> {
    /// The operations of a call of inline assembly; the last one gives the results.
    pub(super) fn assembly(&mut self, inst: Inst, data: &InstData, call: &AssemblyCall) -> Result<Op> {
        let result = self.shape(data.ty)?;
        let out = self.out(data);
        let AssemblyCall { program, constraints } = call;
        if result.len() != constraints.outputs || out.count as usize != result.len() {
            return Err("inline assembly with such a result is not supported".into());
        }
        let mut arguments = Vec::new();
        for &value in &self.function.operands(inst)[..constraints.inputs.len()] {
            let shape = self.shape(self.ty(value))?;
            let &[scalar] = &shape[..] else {
                return Err("inline assembly with such an operand is not supported".into());
            };
            arguments.push(Typed {
                operand: self.operand(value)?,
                base: base_of(scalar)?,
                constant: self.constant(value),
            });
        }
        let token = self.token(inst)?;
        let mut assembler =
            Assembler { decoder: self, inst, program, token, arguments, outputs: Vec::new(), registers: Vec::new() };
        for (output, &scalar) in result.iter().enumerate() {
            let first = match constraints.argument(output) {
                Some(argument) => assembler.arguments[argument],
                None => assembler.undefined(base_of(scalar)?),
            };
            let first = assembler.as_bits(first, base_of(scalar)?)?;
            assembler.outputs.push(first);
        }
        for of in &program.registers {
            let first = assembler.undefined(of.base);
            assembler.registers.push(first);
        }
        for step in &program.steps {
            assembler.step(step)?;
        }
        let outputs = std::mem::take(&mut assembler.outputs);
        // In two steps: an output may be what another one was.
        let gathered = self.new_registers(outputs.len());
        for (part, output) in outputs.iter().enumerate() {
            let to = Registers { start: gathered.start + part as u32, count: 1 };
            self.push(inst, Some(same(output.operand, to)));
        }
        Ok(same(gathered.operand(), out))
    }
}

/// The type of bits of a scalar.
fn base_of(scalar: Scalar) -> Result<Base> {
    Ok(match scalar {
        Scalar::Integer(1) => Base::Bool,
        Scalar::Integer(bits @ (8 | 16 | 32 | 64)) => Base::integer(bits as u8, false),
        Scalar::Half | Scalar::BFloat => Base::UShort,
        Scalar::Float => Base::Float,
        Scalar::Double => Base::Double,
        Scalar::Pointer(_) => Base::ULong,
        _ => return Err("inline assembly with an operand of such a size is not supported".into()),
    })
}

fn scalar_of(base: Base) -> Scalar {
    match base {
        Base::Bool => Scalar::Integer(1),
        Base::Half => Scalar::Half,
        Base::Float => Scalar::Float,
        Base::Double => Scalar::Double,
        base => Scalar::Integer(u32::from(base.bits())),
    }
}

/// The type that an integer has in an expression.
fn promoted(base: Base) -> Base {
    if base == Base::Bool || base.is_integer() && base.bits() < 32 { Base::Int } else { base }
}

/// The type that both operands of an operator become.
fn common(a: Base, b: Base) -> Base {
    let (a, b) = (promoted(a), promoted(b));
    match () {
        () if a == Base::Double || b == Base::Double => Base::Double,
        () if a == Base::Float || b == Base::Float => Base::Float,
        () => Base::integer(
            a.bits().max(b.bits()),
            [a, b].iter().all(|of| of.is_signed() || of.bits() < a.bits().max(b.bits())),
        ),
    }
}

/// Makes operations of the steps of a template.
struct Assembler<'a, 'd, 'm, 't> {
    decoder: &'a mut Decoder<'d, 'm, 't>,
    inst: Inst,
    program: &'a Program,
    token: Option<TokenUse>,
    arguments: Vec<Typed>,
    outputs: Vec<Typed>,
    registers: Vec<Typed>,
}

impl Assembler<'_, '_, '_, '_> {
    fn step(&mut self, step: &Step) -> Result<()> {
        let unsupported = || format!("`{}` in inline assembly is not supported", step.mnemonic);
        if matches!(step.destination, Some(Destination::Argument(output)) if output >= self.outputs.len()) {
            return Err("this inline assembly assigns to an operand that is no output".into());
        }
        let mut sources = Vec::with_capacity(step.sources.len());
        for (source, of) in step.sources.iter().zip(&step.recipe.overload.parameters) {
            if of.pointer.is_some() {
                return Err(unsupported());
            }
            let value = self.source(source)?;
            sources.push(self.as_bits(value, of.base)?);
        }
        let is_guarded = step.guard.is_some();
        if is_guarded && step.recipe.overload.result.base == Base::Void {
            return Err(unsupported());
        }
        let Some(mut made) = self.recipe(step.recipe, &sources).map_err(|_| unsupported())? else { return Ok(()) };
        let Some(destination) = step.destination else { return Ok(()) };
        let before = match destination {
            Destination::Argument(output) => self.outputs[output],
            Destination::Register(register) => self.registers[register],
        };
        made = self.as_bits(made, before.base)?;
        if let Some((is_negated, guard)) = &step.guard {
            let guard = self.source(guard)?;
            let guard = self.convert(guard, Base::Bool)?;
            let (then, otherwise) = if *is_negated { (before, made) } else { (made, before) };
            made = self.select(guard, then, otherwise);
        }
        match destination {
            Destination::Argument(output) => self.outputs[output] = made,
            Destination::Register(register) => self.registers[register] = made,
        }
        Ok(())
    }

    fn source(&mut self, source: &Source) -> Result<Typed> {
        let missing = "this inline assembly has a missing operand";
        match source {
            Source::Argument(operand) => match operand.checked_sub(self.outputs.len()) {
                None => Ok(self.outputs[*operand]),
                Some(input) => self.arguments.get(input).copied().ok_or_else(|| missing.into()),
            },
            Source::Register(register) => Ok(self.registers[*register]),
            Source::Special(recipe) => self.recipe(recipe, &[])?.ok_or_else(|| missing.into()),
            Source::Integer(value) => {
                let base = match () {
                    () if i32::try_from(*value).is_ok() => Base::Int,
                    () if u32::try_from(*value).is_ok() => Base::UInt,
                    () => Base::Long,
                };
                Ok(self.number(*value, base))
            }
            Source::Float { is_double, bits } => {
                let base = if *is_double { Base::Double } else { Base::Float };
                Ok(Typed { operand: self.decoder.number(*bits), base, constant: None })
            }
            Source::Not(inner) => {
                let value = self.source(inner)?;
                self.is_zero(value)
            }
            Source::Address(..) => Err(missing.into()),
        }
    }

    /// What a recipe makes of sources of its types; none for `void`.
    fn recipe(&mut self, recipe: &Recipe, sources: &[Typed]) -> Result<Option<Typed>> {
        let made = self.body(&recipe.body, sources)?;
        match (recipe.overload.result.base, made) {
            (Base::Void, _) => Ok(None),
            (of, Some(made)) => self.convert(made, of).map(Some),
            (_, None) => Err("a recipe without a result".into()),
        }
    }

    fn value(&mut self, body: &Body, parameters: &[Typed]) -> Result<Typed> {
        self.body(body, parameters)?.ok_or_else(|| "a recipe without a result".into())
    }

    fn values(&mut self, parts: &[Body], parameters: &[Typed]) -> Result<Vec<Typed>> {
        parts.iter().map(|part| self.value(part, parameters)).collect()
    }

    fn body(&mut self, body: &Body, parameters: &[Typed]) -> Result<Option<Typed>> {
        Ok(Some(match body {
            Body::Integer(value, of) => self.number(*value, of.base),
            Body::Float(value, of) => {
                let bits = if of.base == Base::Double { value.to_bits() } else { u64::from((*value as f32).to_bits()) };
                Typed { operand: self.decoder.number(bits), base: of.base, constant: None }
            }
            Body::Parameter(index) => parameters[*index],
            Body::Unary(operator, part) => {
                let value = self.value(part, parameters)?;
                self.unary(*operator, value)?
            }
            Body::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, parameters)?, self.value(right, parameters)?);
                self.binary(*operator, left, right)?
            }
            Body::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition, parameters)?;
                let condition = self.convert(condition, Base::Bool)?;
                let (then, otherwise) = (self.value(then, parameters)?, self.value(otherwise, parameters)?);
                let of = if then.base == otherwise.base { then.base } else { common(then.base, otherwise.base) };
                let (then, otherwise) = (self.convert(then, of)?, self.convert(otherwise, of)?);
                self.select(condition, then, otherwise)
            }
            Body::Convert(of, part) => {
                let value = self.value(part, parameters)?;
                self.convert(value, of.base)?
            }
            Body::Bits(of, part) => {
                let value = self.value(part, parameters)?;
                self.as_bits(value, of.base)?
            }
            Body::Declared(of, name, parts) => {
                let values = self.values(parts, parameters)?;
                return self.called(name, *of, &values);
            }
            Body::Named(name, parts) => {
                let values = self.values(parts, parameters)?;
                return self.named_part(name, &values);
            }
        }))
    }

    /// A function of the tables, or of C's library.
    fn named_part(&mut self, name: &str, values: &[Typed]) -> Result<Option<Typed>> {
        if let Some(recipe) = self.program.part(name, values.len()) {
            let mut converted = Vec::with_capacity(values.len());
            for (&value, of) in values.iter().zip(&recipe.overload.parameters) {
                converted.push(self.convert(value, of.base)?);
            }
            return self.recipe(recipe, &converted);
        }
        if name.starts_with("fence.") {
            self.push(Op::Fence { ordering: Ordering::SeqCst });
            return Ok(None);
        }
        match values.first() {
            Some(first) if first.base.is_float() => self.called(name, Ty::new(first.base, 1), values),
            _ => Err(format!("`{name}` is not supported")),
        }
    }

    /// A call of an intrinsic or of a function of C's library.
    fn called(&mut self, name: &str, of: Ty, values: &[Typed]) -> Result<Option<Typed>> {
        let result = if of.base == Base::Void { Vec::new() } else { vec![scalar_of(of.base)] };
        let shapes: Vec<_> = values.iter().map(|value| vec![scalar_of(value.base)]).collect();
        let constants: Vec<_> = values.iter().map(|value| value.constant).collect();
        let operands = values.iter().map(|value| value.operand).collect();
        let out = self.decoder.new_registers(result.len());
        let asked = operations::Call { name, result: &result, arguments: &shapes, constants: &constants };
        let op = match self.decoder.known(&asked, operands, self.token, out)? {
            Some(op) => op,
            None if name == "llvm.trap" => Op::Stop { stop: operations::Stop::Trap },
            None => return Err(format!("@{name} is not known")),
        };
        if matches!(op, Op::Barrier { .. } | Op::Crosslane { .. }) {
            let called = CalledIntrinsic { name: name.to_owned(), operands: shapes, result: result.clone() };
            self.decoder.intrinsics.insert(self.decoder.ops.len() as u32, called);
        }
        self.push(op);
        Ok((!result.is_empty()).then(|| Typed { operand: out.operand(), base: of.base, constant: None }))
    }

    fn unary(&mut self, operator: char, value: Typed) -> Result<Typed> {
        if operator == '!' {
            return self.is_zero(value);
        }
        let value = self.convert(value, promoted(value.base))?;
        if value.base.is_float() {
            let scalar = scalar_of(value.base);
            return Ok(self.made(value.base, |out| Op::Negate { scalar, flags: Flags::NONE, a: value.operand, out }));
        }
        match operator {
            '-' => {
                let zero = self.number(0, value.base);
                Ok(self.operation(Opcode::Sub, zero, value))
            }
            _ => {
                let ones = self.number(-1, value.base);
                Ok(self.operation(Opcode::Xor, value, ones))
            }
        }
    }

    fn is_zero(&mut self, value: Typed) -> Result<Typed> {
        let zero = if value.base.is_float() {
            Typed { operand: self.decoder.number(0), base: value.base, constant: None }
        } else {
            self.number(0, value.base)
        };
        Ok(self.compared(BinaryOperator::Equal, value, zero))
    }

    fn binary(&mut self, operator: BinaryOperator, left: Typed, right: Typed) -> Result<Typed> {
        use BinaryOperator::{Add, And, Divide, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract, Xor};
        let is_shift = matches!(operator, ShiftLeft | ShiftRight);
        let of = if is_shift { promoted(left.base) } else { common(left.base, right.base) };
        let (left, right) = (self.convert(left, of)?, self.convert(right, of)?);
        let (is_float, is_signed) = (of.is_float(), of.is_signed());
        let opcode = match operator {
            Add if is_float => Opcode::FAdd,
            Add => Opcode::Add,
            Subtract if is_float => Opcode::FSub,
            Subtract => Opcode::Sub,
            Multiply if is_float => Opcode::FMul,
            Multiply => Opcode::Mul,
            Divide if is_float => Opcode::FDiv,
            Divide if is_signed => Opcode::SDiv,
            Divide => Opcode::UDiv,
            Remainder if is_float => Opcode::FRem,
            Remainder if is_signed => Opcode::SRem,
            Remainder => Opcode::URem,
            ShiftLeft => Opcode::Shl,
            ShiftRight if is_signed => Opcode::AShr,
            ShiftRight => Opcode::LShr,
            And => Opcode::And,
            Or => Opcode::Or,
            Xor => Opcode::Xor,
            _ => return Ok(self.compared(operator, left, right)),
        };
        Ok(self.operation(opcode, left, right))
    }

    /// A comparison of values of one type.
    fn compared(&mut self, operator: BinaryOperator, a: Typed, b: Typed) -> Typed {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual};
        let (opcode, predicates) = match () {
            () if a.base.is_float() => (
                Opcode::FCmp,
                [Predicate::Oeq, Predicate::Olt, Predicate::Ole, Predicate::Ogt, Predicate::Oge, Predicate::Une],
            ),
            () if a.base.is_signed() => (
                Opcode::ICmp,
                [Predicate::Eq, Predicate::Slt, Predicate::Sle, Predicate::Sgt, Predicate::Sge, Predicate::Ne],
            ),
            () => (
                Opcode::ICmp,
                [Predicate::Eq, Predicate::Ult, Predicate::Ule, Predicate::Ugt, Predicate::Uge, Predicate::Ne],
            ),
        };
        let which = [Equal, Less, LessEqual, Greater, GreaterEqual].iter().position(|&one| one == operator);
        let predicate = predicates[which.unwrap_or(5)];
        let scalar = scalar_of(a.base);
        self.made(Base::Bool, |out| Op::Compare {
            opcode,
            predicate,
            flags: Flags::NONE,
            scalar,
            a: a.operand,
            b: b.operand,
            out,
        })
    }

    fn operation(&mut self, opcode: Opcode, a: Typed, b: Typed) -> Typed {
        let scalar = scalar_of(a.base);
        self.made(a.base, |out| Op::Binary { opcode, flags: Flags::NONE, scalar, a: a.operand, b: b.operand, out })
    }

    /// One of two values of one type.
    fn select(&mut self, condition: Typed, a: Typed, b: Typed) -> Typed {
        let shape = vec![scalar_of(a.base)];
        self.made(a.base, |out| Op::Select {
            shape,
            flags: Flags::NONE,
            condition: condition.operand,
            a: a.operand,
            b: b.operand,
            out,
        })
    }

    /// A number as another type has it.
    fn convert(&mut self, value: Typed, of: Base) -> Result<Typed> {
        let from = value.base;
        if from == of {
            return Ok(value);
        }
        if of == Base::Bool {
            let is_zero = self.is_zero(value)?;
            return self.is_zero(is_zero);
        }
        let is_signed = from.is_signed();
        let opcode = match (from.is_float(), of.is_float()) {
            (true, true) if from.bits() < of.bits() => Opcode::FPExt,
            (true, true) => Opcode::FPTrunc,
            (true, false) if of.is_signed() => Opcode::FPToSI,
            (true, false) => Opcode::FPToUI,
            (false, true) if is_signed => Opcode::SIToFP,
            (false, true) => Opcode::UIToFP,
            (false, false) => {
                let (bits, wanted) = (scalar_of(from).bits(), scalar_of(of).bits());
                if bits == wanted {
                    return Ok(Typed { base: of, ..value });
                }
                match () {
                    () if bits > wanted => Opcode::Trunc,
                    () if is_signed => Opcode::SExt,
                    () => Opcode::ZExt,
                }
            }
        };
        let (from, to) = (scalar_of(from), scalar_of(of));
        let a = value.operand;
        let made = self.made(of, |out| Op::Cast { opcode, flags: Flags::NONE, from, to, a, out });
        let is_widened = matches!(opcode, Opcode::ZExt | Opcode::Trunc);
        Ok(Typed { constant: value.constant.filter(|_| is_widened).map(|bits| bits & low_bits(to.bits())), ..made })
    }

    /// The same bits as another type; of an integer of another width, the number.
    fn as_bits(&mut self, value: Typed, of: Base) -> Result<Typed> {
        let is_same_size = scalar_of(value.base).bits() == scalar_of(of).bits();
        match value.base.is_float() != of.is_float() {
            true if is_same_size => Ok(Typed { base: of, ..value }),
            true => Err("an operand of this size is not supported in inline assembly".into()),
            false => self.convert(value, of),
        }
    }

    fn number(&mut self, value: i128, base: Base) -> Typed {
        let bits = (value as u64) & low_bits(scalar_of(base).bits());
        Typed { operand: self.decoder.number(bits), base, constant: Some(bits) }
    }

    fn undefined(&mut self, base: Base) -> Typed {
        let bits = low_bits(scalar_of(base).bits());
        Typed { operand: self.decoder.components(vec![Component::Undef(bits)]), base, constant: None }
    }

    /// The result of an operation.
    fn made(&mut self, base: Base, op: impl FnOnce(Registers) -> Op) -> Typed {
        let out = self.decoder.new_registers(1);
        self.push(op(out));
        Typed { operand: out.operand(), base, constant: None }
    }

    fn push(&mut self, op: Op) {
        self.decoder.push(self.inst, Some(op));
    }
}
