//! What a template does: steps, each of which is an instruction of the [tables](super::instructions).
//!
//! **Definition.** The steps are executed one after the other. Each computes what the recipe of its instruction makes of its
//! sources, and assigns that to its destination; where it has a guard, only if that holds. Registers that the template declares
//! are variables. A register holds bits: what goes into an instruction has the type of the instruction, with the same bits.
//!
//! From the steps follows what analyses know: [`Program::communications`] are the operations of several threads, and
//! [`Program::result`] says on what outputs depend.

use std::borrow::Cow;

use super::instructions::{PREFIX, recipe};
use super::ptx;
use super::template::{Assembly, Instruction, Language, Notation, Operand};
use crate::facts::{CallFacts, Degree, OperandSet, Operation, ResultFacts, Scope};
use crate::llvm::is_convergent;
use crate::recipe::{Body, Recipe};
use crate::signature::{Base, Ty};

/// The steps of a template.
#[derive(Debug, Clone)]
pub struct Program {
    /// The types of the registers that it declares.
    pub registers: Vec<Ty>,
    /// In the order in which they are executed.
    pub steps: Vec<Step>,
    language: Language,
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// The instruction, as it was written.
    pub mnemonic: String,
    /// It is executed only where this is true, or with `true` where it is false.
    pub guard: Option<(bool, Source)>,
    /// What gets the result; none where there is none, or nobody wants it.
    pub destination: Option<Destination>,
    /// What it computes.
    pub recipe: &'static Recipe,
    /// One for each parameter of the recipe.
    pub sources: Vec<Source>,
}

/// What a step reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// An operand of the statement, outputs first.
    Argument(usize),
    /// A register of the program.
    Register(usize),
    /// A register of the machine, as a function without parameters.
    Special(&'static Recipe),
    /// An integer.
    Integer(i128),
    /// A float, by its bits.
    Float {
        /// Whether it has 64 of them.
        is_double: bool,
        /// The bits.
        bits: u64,
    },
    /// The address that is this much behind another one.
    Address(Box<Source>, i64),
    /// Whether another one is false.
    Not(Box<Source>),
}

/// What a step writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// An operand of the statement.
    Argument(usize),
    /// A register of the program.
    Register(usize),
}

/// Why a template is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// It is not of the form that is [read](super::template).
    Form,
    /// An instruction, a register or a type that no table has, or an operand that does not fit.
    Word(String),
}

type Result<T> = std::result::Result<T, Unknown>;

fn unknown<T>(word: &str) -> Result<T> {
    Err(Unknown::Word(word.to_owned()))
}

impl Program {
    /// Reads a template, in which `\n` and its like are already what they stand for. O(template).
    ///
    /// # Errors
    ///
    /// When something in it is not understood; then nothing is known of the template.
    pub fn read(template: &str, notation: Notation, language: Language) -> Result<Program> {
        let assembly = Assembly::read(template, notation, language).ok_or(Unknown::Form)?;
        let (names, types): (Vec<String>, Vec<String>) = assembly.registers.into_iter().unzip();
        let registers = types.iter().map(|of| register_type(of)).collect::<Result<_>>()?;
        let mut reader = Reader { language, names, steps: Vec::new() };
        for instruction in &assembly.instructions {
            reader.instruction(instruction)?;
        }
        Ok(Program { registers, steps: reader.steps, language })
    }
}

/// The type of a register that is declared with a type of PTX.
fn register_type(of: &str) -> Result<Ty> {
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
        _ => return unknown(of),
    };
    Ok(Ty::new(base, 1))
}

/// Makes steps of instructions.
struct Reader {
    language: Language,
    /// The names of the registers.
    names: Vec<String>,
    steps: Vec<Step>,
}

impl Reader {
    fn instruction(&mut self, instruction: &Instruction) -> Result<()> {
        let instruction = match self.language {
            Language::Ptx => ptx::without_hints(instruction),
            Language::Amdgcn => Some(Cow::Borrowed(instruction)),
        };
        let Some(instruction) = instruction.as_deref() else { return Ok(()) };
        let name = instruction.mnemonic.as_str();
        if matches!(name, "s_nop" | "s_sleep" | "griddepcontrol.wait" | "griddepcontrol.launch_dependents") {
            return Ok(());
        }
        // `.aligned` is a promise that all threads of the warp are there, which few instructions exist without.
        let is_own = recipe(self.language, name, instruction.operands.len()).is_some();
        let plain = name.strip_suffix(".aligned").filter(|_| !is_own).unwrap_or(name);
        match (plain.strip_prefix("mov."), &instruction.operands[..]) {
            (Some(of), [Operand::Vector(parts), source]) if parts.len() == 2 => {
                for (part, half) in parts.iter().zip(["low", "high"]) {
                    self.step(instruction, &format!("mov.{half}.{of}"), Some(part), std::slice::from_ref(source))?;
                }
                Ok(())
            }
            (Some(of), [destination, Operand::Vector(parts)]) => {
                self.step(instruction, &format!("mov.pack.{of}"), Some(destination), parts)
            }
            _ => match memory_of_vector(plain, &instruction.operands) {
                Some((name, parts, address)) => self.vector(instruction, &name, parts, address),
                None => self.computed(instruction, plain),
            },
        }
    }

    /// A load or store of several registers: one after the other. Where a load writes a register of its address, that is the last one.
    fn vector(&mut self, instruction: &Instruction, name: &str, parts: &[Operand], address: &Operand) -> Result<()> {
        let Operand::Memory(base, offset) = address else { return unknown(&instruction.mnemonic) };
        let is_load = name.starts_with("ld");
        if is_load && parts.iter().rev().skip(1).any(|part| *part == **base) {
            return unknown(&instruction.mnemonic);
        }
        let Some(bytes) = bytes_of(name) else { return unknown(&instruction.mnemonic) };
        for (number, part) in (0..).zip(parts) {
            let Some(offset) = offset.checked_add(number * bytes) else { return unknown(&instruction.mnemonic) };
            let from = Operand::Memory(base.clone(), offset);
            match is_load {
                true => self.step(instruction, name, Some(part), std::slice::from_ref(&from))?,
                false => self.step(instruction, name, None, &[from, part.clone()])?,
            }
        }
        Ok(())
    }

    /// An instruction that may have a second result, a predicate. That is made first, of the sources as they were before.
    fn computed(&mut self, instruction: &Instruction, name: &str) -> Result<()> {
        let has_result = |sources: usize| {
            recipe(self.language, name, sources).map(|recipe| recipe.overload.result.base != Base::Void)
        };
        let count = instruction.operands.len();
        let has_destination = count > 0 && has_result(count - 1) == Some(true);
        let (destination, sources) = match &instruction.operands[..] {
            [destination, sources @ ..] if has_destination => (Some(destination), sources),
            sources => (None, sources),
        };
        let Some(Operand::Pair(place, predicate)) = destination else {
            return self.step(instruction, name, destination, sources);
        };
        if sources.contains(predicate) || instruction.predicate.as_ref().is_some_and(|(_, guard)| *guard == **predicate)
        {
            return unknown(name);
        }
        self.step(instruction, &format!("{name}|p"), Some(predicate), sources)?;
        self.step(instruction, name, Some(place), sources)
    }

    fn step(
        &mut self,
        instruction: &Instruction,
        name: &str,
        destination: Option<&Operand>,
        sources: &[Operand],
    ) -> Result<()> {
        let Some(recipe) = recipe(self.language, name, sources.len()) else { return unknown(&instruction.mnemonic) };
        let guard = match &instruction.predicate {
            Some((is_negated, guard)) => Some((*is_negated, self.source(guard)?)),
            None => None,
        };
        let destination = match destination {
            Some(Operand::Register(name)) if name == "_" => None,
            Some(Operand::Argument(number)) => Some(Destination::Argument(*number)),
            Some(Operand::Register(name)) => match self.register(name) {
                Some(register) => Some(Destination::Register(register)),
                None => return unknown(name),
            },
            Some(_) => return unknown(&instruction.mnemonic),
            None => None,
        };
        let sources = sources.iter().map(|source| self.source(source)).collect::<Result<_>>()?;
        self.steps.push(Step { mnemonic: instruction.mnemonic.clone(), guard, destination, recipe, sources });
        Ok(())
    }

    fn register(&self, name: &str) -> Option<usize> {
        self.names.iter().rposition(|known| known == name)
    }

    fn source(&self, operand: &Operand) -> Result<Source> {
        Ok(match operand {
            Operand::Argument(number) => Source::Argument(*number),
            Operand::Register(name) => match (self.register(name), name.as_str()) {
                (Some(register), _) => Source::Register(register),
                (None, "WARP_SZ") => self.special("%warpsize")?,
                (None, name) => self.special(name)?,
            },
            Operand::Integer(value) => Source::Integer(*value),
            Operand::Float { is_double, bits } => Source::Float { is_double: *is_double, bits: *bits },
            Operand::Memory(base, offset) => Source::Address(Box::new(self.source(base)?), *offset),
            Operand::Not(inner) => Source::Not(Box::new(self.source(inner)?)),
            Operand::Vector(_) | Operand::Pair(..) => return unknown("an operand of this form"),
        })
    }

    fn special(&self, name: &str) -> Result<Source> {
        let register = name.starts_with('%').then(|| recipe(self.language, name, 0)).flatten();
        register.map(Source::Special).map_or_else(|| unknown(name), Ok)
    }
}

/// A load or store of a vector, `ld.global.v2.f32 {a, b}, [c]`: the instruction for one part, the parts, and the address.
fn memory_of_vector<'o>(name: &str, operands: &'o [Operand]) -> Option<(String, &'o [Operand], &'o Operand)> {
    let (parts, address) = match (name.split('.').next()?, operands) {
        ("ld", [Operand::Vector(parts), address]) | ("st", [address, Operand::Vector(parts)]) => (parts, address),
        _ => return None,
    };
    let words: Vec<&str> = name.split('.').collect();
    let lanes = words.iter().position(|&word| matches!(word, "v2" | "v4" | "v8"));
    let count = lanes.map_or(Some(1), |at| words[at][1..].parse().ok())?;
    let plain: Vec<&str> = (0..).zip(words).filter(|&(at, _)| Some(at) != lanes).map(|(_, word)| word).collect();
    (parts.len() == count).then(|| (plain.join("."), parts.as_slice(), address))
}

/// How many bytes a load or store of this name has: `ld.global.f32`.
fn bytes_of(name: &str) -> Option<i64> {
    let bits: i64 = name.rsplit('.').next()?.trim_start_matches(|of: char| of.is_ascii_alphabetic()).parse().ok()?;
    Some(bits / 8)
}

/// The operands of a statement in LLVM IR, by its constraints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraints {
    /// How many outputs there are, the first operands.
    pub outputs: usize,
    /// The inputs, which are the arguments of the call in order: the output that is in the same register, if there is one.
    pub inputs: Vec<Option<usize>>,
}

impl Constraints {
    /// Reads constraints such as `=r,=r,r,0,~{memory}`. None where operands are in memory, or there are labels.
    pub fn read(text: &str) -> Option<Constraints> {
        let mut constraints = Constraints { outputs: 0, inputs: Vec::new() };
        for one in text.split(',').filter(|one| !one.is_empty() && !one.starts_with('~')) {
            if one.contains(['*', '!', '|']) {
                return None;
            } else if one.starts_with('=') {
                constraints.outputs += 1;
            } else {
                constraints.inputs.push(one.parse().ok());
            }
        }
        let is_there = |tied: &Option<usize>| tied.is_none_or(|tied| tied < constraints.outputs);
        constraints.inputs.iter().all(is_there).then_some(constraints)
    }

    /// The argument of the call that an operand is, or that an output begins as.
    pub fn argument(&self, operand: usize) -> Option<usize> {
        match operand.checked_sub(self.outputs) {
            Some(input) => (input < self.inputs.len()).then_some(input),
            None => self.inputs.iter().position(|&tied| tied == Some(operand)),
        }
    }
}

/// An operation of several threads in a template.
#[derive(Debug, Clone)]
pub struct Communication<'p> {
    /// The step that it is in.
    pub step: &'p Step,
    /// The intrinsic that stands for it.
    pub name: &'static str,
    /// What is known of that.
    pub facts: CallFacts,
    operands: Vec<Passed<'p>>,
}

/// An operand of an intrinsic in a recipe.
#[derive(Debug, Clone, Copy)]
enum Passed<'p> {
    /// A source of the step, as an integer of so many bits.
    Source(&'p Source, u8),
    Constant(i64),
    Computed,
}

impl Communication<'_> {
    /// The constant that an operand of the intrinsic is; `constant_of` gives that of an operand of the statement.
    pub fn constant(&self, operand: u8, constant_of: impl Fn(usize) -> Option<i64>) -> Option<i64> {
        match *self.operands.get(usize::from(operand))? {
            Passed::Source(&Source::Integer(value), bits) => Some(sign_extended(value, bits)),
            Passed::Source(&Source::Argument(argument), _) => constant_of(argument),
            Passed::Constant(value) => Some(value),
            Passed::Source(..) | Passed::Computed => None,
        }
    }
}

/// An integer of so many bits as it is in IR.
fn sign_extended(value: i128, bits: u8) -> i64 {
    let unused = 64u32.saturating_sub(bits.into());
    ((value as i64) << unused) >> unused
}

/// What a part of a recipe is not a function of its operands for.
fn is_about_memory(name: &str) -> bool {
    matches!(name, "load" | "store" | "seq") || name.starts_with("atomic.") || name.starts_with("fence.")
}

impl Program {
    /// The operations of several threads in it, in order; `facts_of` says what is known of an intrinsic.
    pub fn communications(&self, facts_of: impl Fn(&str) -> Option<CallFacts>) -> Vec<Communication<'_>> {
        let mut found = Vec::new();
        for step in &self.steps {
            self.walk(&step.recipe.body, &mut |part| {
                let Body::Declared(_, name, parts) = part else { return };
                let Some(facts) = facts_of(name).filter(|facts| facts.operation != Operation::None) else { return };
                let operands = parts.iter().map(|part| passed(part, step)).collect();
                found.push(Communication { step, name, facts, operands });
            });
        }
        found
    }

    /// Whether all that it does is compute its outputs.
    pub fn is_pure(&self, facts_of: impl Fn(&str) -> Option<CallFacts>) -> bool {
        let mut is_pure = true;
        for step in &self.steps {
            self.walk(&step.recipe.body, &mut |part| match part {
                Body::Declared(_, name, _) => is_pure &= facts_of(name).is_some_and(|facts| facts.result.pure),
                Body::Named(name, _) => is_pure &= !is_about_memory(name),
                _ => {}
            });
        }
        is_pure
    }

    /// Whether a step with a guard has an operation of several threads: only those execute it where the guard holds.
    pub fn has_guarded_operation(&self) -> bool {
        self.steps.iter().any(|step| step.guard.is_some() && self.is_convergent(step))
    }

    /// The first instruction in it that is an operation of several threads.
    pub fn operation(&self) -> Option<&str> {
        self.steps.iter().find(|step| self.is_convergent(step)).map(|step| step.mnemonic.as_str())
    }

    fn is_convergent(&self, step: &Step) -> bool {
        let mut found = false;
        self.walk(&step.recipe.body, &mut |part| {
            found |= matches!(part, Body::Declared(_, name, _) if is_convergent(name.as_bytes()));
        });
        found
    }

    /// On what the outputs depend, all of them together or the one that `output` says. `constant_of` gives the constants among the arguments of the call, `facts_of` says what is known of an intrinsic.
    pub fn result(
        &self,
        constraints: &Constraints,
        output: Option<usize>,
        constant_of: impl Fn(usize) -> Option<i64>,
        facts_of: impl Fn(&str) -> Option<CallFacts>,
    ) -> ResultFacts {
        let unassigned = ResultFacts { on: OperandSet(0), ..ResultFacts::default() };
        let first = |output| constraints.argument(output).map_or(unassigned, argument);
        let mut state = State {
            program: self,
            constraints,
            constant_of: &constant_of,
            facts_of: &facts_of,
            outputs: (0..constraints.outputs).map(first).collect(),
            registers: vec![unassigned; self.registers.len()],
        };
        for step in &self.steps {
            state.execute(step);
        }
        match output {
            Some(output) => state.outputs.get(output).copied().unwrap_or(unassigned),
            None => function_of(state.outputs),
        }
    }

    /// Visits all parts of a body, and of the recipes of other instructions that it is made of.
    fn walk(&self, body: &'static Body, visit: &mut impl FnMut(&'static Body)) {
        visit(body);
        match body {
            Body::Integer(..) | Body::Float(..) | Body::Parameter(_) => {}
            Body::Unary(_, part) | Body::Convert(_, part) | Body::Bits(_, part) => self.walk(part, visit),
            Body::Binary(_, left, right) => [left, right].into_iter().for_each(|part| self.walk(part, visit)),
            Body::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.walk(part, visit));
            }
            Body::Declared(_, _, parts) => parts.iter().for_each(|part| self.walk(part, visit)),
            Body::Named(name, parts) => {
                parts.iter().for_each(|part| self.walk(part, visit));
                if let Some(recipe) = self.part(name, parts.len()) {
                    self.walk(&recipe.body, visit);
                }
            }
        }
    }

    /// The recipe that another one names, if it is one of an instruction.
    pub fn part(&self, name: &str, sources: usize) -> Option<&'static Recipe> {
        recipe(self.language, name.strip_prefix(PREFIX)?, sources)
    }
}

fn passed<'p>(part: &Body, step: &'p Step) -> Passed<'p> {
    match part {
        Body::Parameter(index) => {
            Passed::Source(&step.sources[*index], step.recipe.overload.parameters[*index].base.bits())
        }
        Body::Integer(value, of) => Passed::Constant(sign_extended(*value, of.base.bits())),
        _ => Passed::Computed,
    }
}

/// What is the same in all threads.
const CONSTANT: ResultFacts = ResultFacts {
    uniform: Some(Scope::Grid),
    operands: Some(Scope::Grid),
    on: OperandSet(0),
    only_if: None,
    pure: true,
    loads: false,
    degree: Degree::Possible,
};

/// An argument of the call.
fn argument(index: usize) -> ResultFacts {
    let on = std::iter::once(u8::try_from(index).unwrap_or(u8::MAX)).collect();
    ResultFacts { uniform: None, on, ..CONSTANT }
}

/// A function of values.
fn function_of(values: impl IntoIterator<Item = ResultFacts>) -> ResultFacts {
    values.into_iter().fold(CONSTANT, |all, one| ResultFacts {
        uniform: all.uniform.min(one.uniform),
        operands: all.operands.min(one.operands),
        on: OperandSet(all.on.0 | one.on.0),
        pure: all.pure && one.pure,
        degree: all.degree.max(one.degree),
        ..CONSTANT
    })
}

/// On what variables depend while steps are executed.
struct State<'p, C, F> {
    program: &'p Program,
    constraints: &'p Constraints,
    constant_of: C,
    facts_of: F,
    outputs: Vec<ResultFacts>,
    registers: Vec<ResultFacts>,
}

impl<C: Fn(usize) -> Option<i64>, F: Fn(&str) -> Option<CallFacts>> State<'_, C, F> {
    fn execute(&mut self, step: &Step) {
        let sources: Vec<ResultFacts> = step.sources.iter().map(|source| self.source(source)).collect();
        let constants = |index: usize| match &step.sources[index] {
            Source::Integer(value) => Some(sign_extended(*value, step.recipe.overload.parameters[index].base.bits())),
            Source::Argument(operand) => {
                let argument = self.constraints.argument(*operand).filter(|_| *operand >= self.constraints.outputs);
                argument.and_then(&self.constant_of)
            }
            _ => None,
        };
        let made = self.made(&step.recipe.body, &sources, &constants);
        let guard = step.guard.as_ref().map(|(_, guard)| self.source(guard));
        let place = match step.destination {
            Some(Destination::Argument(output)) => self.outputs.get_mut(output),
            Some(Destination::Register(register)) => self.registers.get_mut(register),
            None => None,
        };
        if let Some(place) = place {
            *place = match guard {
                Some(guard) => function_of([guard, made, *place]),
                None => made,
            };
        }
    }

    fn source(&self, source: &Source) -> ResultFacts {
        match source {
            Source::Argument(operand) => match self.outputs.get(*operand) {
                Some(&output) => output,
                None => self.constraints.argument(*operand).map_or(ResultFacts::default(), argument),
            },
            Source::Register(register) => self.registers[*register],
            Source::Special(recipe) => self.made(&recipe.body, &[], &|_| None),
            Source::Integer(_) | Source::Float { .. } => CONSTANT,
            Source::Address(inner, _) | Source::Not(inner) => self.source(inner),
        }
    }

    /// What a part of a recipe depends on, of these parameters.
    fn made(&self, body: &Body, parameters: &[ResultFacts], constants: &dyn Fn(usize) -> Option<i64>) -> ResultFacts {
        let all = |parts: &[Body]| -> Vec<ResultFacts> {
            parts.iter().map(|part| self.made(part, parameters, constants)).collect()
        };
        match body {
            Body::Integer(..) | Body::Float(..) => CONSTANT,
            Body::Parameter(index) => parameters[*index],
            Body::Unary(_, part) | Body::Convert(_, part) | Body::Bits(_, part) => {
                self.made(part, parameters, constants)
            }
            Body::Binary(_, left, right) => {
                function_of([left, right].map(|part| self.made(part, parameters, constants)))
            }
            Body::Conditional(condition, then, otherwise) => {
                function_of([condition, then, otherwise].map(|part| self.made(part, parameters, constants)))
            }
            Body::Declared(_, name, parts) => {
                let constant_of = |operand: u8| match parts.get(usize::from(operand))? {
                    Body::Parameter(index) => constants(*index),
                    Body::Integer(value, of) => Some(sign_extended(*value, of.base.bits())),
                    _ => None,
                };
                let facts = (self.facts_of)(name).map(|facts| facts.of_call(constant_of).result);
                called(facts.unwrap_or_default(), &all(parts))
            }
            Body::Named(name, _) if is_about_memory(name) => {
                ResultFacts { on: OperandSet(0), ..ResultFacts::default() }
            }
            Body::Named(name, parts) => match self.program.part(name, parts.len()) {
                Some(recipe) => self.made(&recipe.body, &all(parts), &|_| None),
                None => function_of(all(parts)),
            },
        }
    }
}

/// The result of a function with these operands.
fn called(facts: ResultFacts, operands: &[ResultFacts]) -> ResultFacts {
    if facts.pure && !facts.loads {
        return function_of(operands.iter().copied());
    }
    let of_interest = operands.iter().enumerate().filter(|&(index, _)| facts.on.contains(index));
    let operands = function_of(of_interest.map(|(_, &operand)| operand));
    let limit = if facts.loads { None } else { facts.operands };
    let dependent = limit.min(operands.operands);
    ResultFacts {
        uniform: facts.uniform.max(limit.min(operands.uniform)),
        operands: facts.uniform.max(dependent),
        on: if dependent > facts.uniform { operands.on } else { OperandSet(0) },
        pure: false,
        degree: facts.degree,
        ..CONSTANT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(name: &str) -> Option<CallFacts> {
        crate::find(name).map(|known| known.facts())
    }

    fn read(template: &str) -> Program {
        Program::read(template, Notation::Llvm, Language::Ptx).expect("it is understood")
    }

    fn results(template: &str, constraints: &str) -> Vec<ResultFacts> {
        let constraints = Constraints::read(constraints).expect("they are constraints");
        let result = |output| read(template).result(&constraints, Some(output), |_| None, facts);
        (0..constraints.outputs).map(result).collect()
    }

    #[test]
    fn outputs_depend_on_what_is_computed_of() {
        let template = "{ .reg .u32 t; add.u32 t, $2, 1; mul.lo.u32 $0, t, $3; mov.u32 $1, %laneid; }";
        let found = results(template, "=r,=r,r,r");
        assert!(found[0].pure && found[0].on == [0, 1].into_iter().collect());
        assert_eq!((found[1].uniform, found[1].pure, found[1].degree), (None, false, Degree::Certain));
        // What begins as another operand is that until it is assigned.
        let found = results("add.u32 $0, $0, $2;", "=r,r,r");
        assert!(!found[0].pure, "the output is read before it is assigned");
        assert!(results("add.u32 $0, $0, $2;", "=r,0,r")[0].pure);
    }

    #[test]
    fn a_guard_counts_and_a_ballot_is_the_same_in_a_warp() {
        let ballot = "{ .reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, p, 0xffffffff; }";
        assert_eq!(results(ballot, "=r,r")[0].uniform, Some(Scope::Subgroup));
        let guarded = "{ .reg .pred p; setp.ne.u32 p, $1, 0; mov.u32 $0, 1; @p mov.u32 $0, 2; }";
        let found = results(guarded, "=r,r")[0];
        assert!(found.pure && found.uniform.is_none() && found.on.contains(0));
    }

    #[test]
    fn operations_of_threads_are_found_with_their_constants() {
        let program = read("{ .reg .pred p; shfl.sync.idx.b32 $0|p, $1, $2, 0x1f, 0xffffffff; }");
        let found = program.communications(facts);
        assert_eq!(found.len(), 1, "the predicate is no second one");
        assert_eq!(found[0].step.mnemonic, "shfl.sync.idx.b32");
        let mask = found[0].facts.mask_operand.expect("it has a mask");
        assert_eq!(found[0].constant(mask, |_| None), Some(-1));
        assert!(found[0].facts.needs_all(|operand| found[0].constant(operand, |_| None)).is_some());
        assert!(!program.is_pure(facts) && read("add.u32 $0, $1, $2;").is_pure(facts));
    }

    #[test]
    fn what_is_said_of_caches_changes_nothing() {
        let load = read("ld.global.nc.L1::evict_last.L2::cache_hint.L2::256B.v2.u32 {$0, $1}, [$2], $3;");
        let same = read("ld.global.v2.u32 {$0, $1}, [$2];");
        let of = |program: &Program| -> Vec<_> {
            let one = |step: &Step| (std::ptr::from_ref(step.recipe), step.destination, step.sources.clone());
            program.steps.iter().map(one).collect()
        };
        assert_eq!((load.steps.len(), of(&load)), (2, of(&same)));
        assert_eq!(of(&read("st.global.cg.L1::no_allocate.f32 [$0], $1;")), of(&read("st.global.f32 [$0], $1;")));
        assert!(read("prefetch.global.L2::evict_last [$0];").steps.is_empty());
        assert!(results("createpolicy.fractional.L2::evict_last.b64 $0, 0f3F800000;", "=l")[0].pure);
    }

    #[test]
    fn what_no_table_has_is_named() {
        let word = |template| match Program::read(template, Notation::Llvm, Language::Ptx) {
            Err(Unknown::Word(word)) => word,
            other => panic!("{other:?}"),
        };
        assert_eq!(word("mma.any $0;"), "mma.any");
        assert_eq!(word("mov.u32 $0, %nowhere;"), "%nowhere");
        assert!(matches!(Program::read("L: bra L;", Notation::Llvm, Language::Ptx), Err(Unknown::Form)));
        assert_eq!(Constraints::read("=*r,r"), None);
        let constraints = Constraints::read("=r,=&r,r,1,~{memory}").expect("they are constraints");
        assert_eq!(
            (constraints.argument(2), constraints.argument(1), constraints.argument(0)),
            (Some(0), Some(1), None)
        );
    }
}
