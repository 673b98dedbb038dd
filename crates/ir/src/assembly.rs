//! Inline assembly that is called, as far as it is understood.

use reconverge_operations::assembly::program::Communication;
use reconverge_operations::assembly::{Constraints, Language, Notation, Program, Unknown, template};
use reconverge_operations::facts::{CallFacts, Operation, Scope};

use crate::constant::{ConstantData, ExpressionKind};
use crate::function::{Definition, Extra, Function, Inst, Value};
use crate::module::Module;
use crate::opcode::Opcode;
use crate::spelling::InlineAssembly;
use crate::text::unescape;

/// A call of inline assembly that is understood.
#[derive(Debug, Clone)]
pub struct AssemblyCall {
    /// What it does.
    pub program: Program,
    /// Which of its operands are results, and which are arguments of the call.
    pub constraints: Constraints,
}

/// An operation of several threads in inline assembly.
#[derive(Debug, Clone)]
pub struct AssemblyOperation {
    /// The instruction.
    pub mnemonic: String,
    /// What is known of it.
    pub facts: CallFacts,
    /// The set of threads that have to be there, all of them.
    pub needs_all: Option<Scope>,
}

impl AssemblyCall {
    /// The integers that an operand of the statement is, of those that are arguments of the call.
    pub fn constant(&self, function: &Function, inst: Inst, operand: usize) -> Option<i64> {
        let argument =
            operand.checked_sub(self.constraints.outputs).filter(|&input| input < self.constraints.inputs.len())?;
        integer(function, function.operands(inst)[argument])
    }
}

/// The integer that a value is, if it is a constant one, or computed of small constants as front ends leave it that do not fold (`((32 - 32) << 8) | 31`).
pub fn integer(function: &Function, value: Value) -> Option<i64> {
    integer_of(function, value, &|_| None)
}

/// The same, where what is neither a constant nor computed may be known otherwise.
pub fn integer_of(function: &Function, value: Value, known: &dyn Fn(Value) -> Option<i64>) -> Option<i64> {
    const DEEP: usize = 6;
    folded(function, value, known, DEEP)
}

fn folded(function: &Function, value: Value, known: &dyn Fn(Value) -> Option<i64>, depth: usize) -> Option<i64> {
    let inst = match function.values[value].definition {
        Definition::Constant(ConstantData::Integer(value)) => return Some(value),
        Definition::Constant(ConstantData::Null | ConstantData::Zero) => return Some(0),
        Definition::Instruction(inst) => inst,
        _ => return known(value),
    };
    // In these bounds nothing wraps, whatever the type.
    let small = |value: i64| (0..128).contains(&value).then_some(value);
    let make: fn(i64, i64) -> Option<i64> = match function.instructions[inst].opcode {
        Opcode::Add => i64::checked_add,
        Opcode::Sub => i64::checked_sub,
        Opcode::Mul => i64::checked_mul,
        Opcode::Or => |one, other| Some(one | other),
        Opcode::And => |one, other| Some(one & other),
        Opcode::Shl => |one, other| {
            if other < 8 {
                Some(one << other)
            } else if one == 0 && other < 32 {
                Some(0)
            } else {
                None
            }
        },
        _ => return known(value),
    };
    let &[one, other] = function.operands(inst) else { return None };
    let depth = depth.checked_sub(1)?;
    let operand = |value| folded(function, value, known, depth).and_then(small);
    make(operand(one)?, operand(other)?).and_then(small)
}

impl<'t> Module<'t> {
    /// The inline assembly that a call-site calls, as it is spelled.
    pub fn assembly(&self, function: &Function, inst: Inst) -> Option<InlineAssembly<'t>> {
        if !matches!(function.instructions[inst].extra, Extra::Call(_)) {
            return None;
        }
        let callee = *function.operands(inst).last()?;
        let Definition::Constant(ConstantData::Expression(expression)) = function.values[callee].definition else {
            return None;
        };
        match function.constants.expressions[expression].kind {
            ExpressionKind::InlineAsm(span) => Some(self.inline_assembly(span)),
            _ => None,
        }
    }

    /// The language of the module's inline assembly, where it is one that is known.
    pub fn assembly_language(&self) -> Option<Language> {
        let triple = self.target_triple();
        match () {
            () if triple.starts_with(b"nvptx") => Some(Language::Ptx),
            () if triple.starts_with(b"amdgcn") => Some(Language::Amdgcn),
            () => None,
        }
    }

    /// What the inline assembly that a call-site calls does. None where it is not understood, jumps, or has operations of several
    /// threads that only some of the threads execute. O(template).
    pub fn assembly_call(&self, function: &Function, inst: Inst) -> Option<AssemblyCall> {
        let language = self.assembly_language()?;
        let InlineAssembly { template, constraints, .. } = self.assembly(function, inst)?;
        let constraints = Constraints::read(std::str::from_utf8(constraints).ok()?)?;
        let Extra::Call(call) = function.instructions[inst].extra else { return None };
        if constraints.inputs.len() != function.calls[call].argument_count as usize {
            return None;
        }
        let program = Program::read(&String::from_utf8_lossy(&unescape(template)), Notation::Llvm, language).ok()?;
        (!program.has_guarded_operation()).then_some(AssemblyCall { program, constraints })
    }

    /// The operations of several threads in the inline assembly that a call-site calls; `facts_of` says what is known of an intrinsic. Where the template is not
    /// understood, that is the first instruction that all threads of a warp [have to](template::aligned) execute. O(template).
    pub fn operations_of_assembly(
        &self,
        function: &Function,
        inst: Inst,
        facts_of: impl Fn(&str) -> Option<CallFacts>,
    ) -> Vec<AssemblyOperation> {
        let Some(call) = self.assembly_call(function, inst) else {
            return self.aligned_assembly(function, inst).into_iter().collect();
        };
        let operation = |one: Communication<'_>| {
            let constant = |operand| one.constant(operand, |operand| call.constant(function, inst, operand));
            let needs_all = one.facts.needs_all(constant);
            AssemblyOperation { mnemonic: one.step.mnemonic.clone(), facts: one.facts, needs_all }
        };
        call.program.communications(facts_of).into_iter().map(operation).collect()
    }

    /// Whether inline assembly that is not [understood](Module::assembly_call) [gives](template::follows_operands) threads of a warp that execute it together the
    /// same where its operands are. O(template).
    pub fn assembly_follows_operands(&self, assembly: &InlineAssembly<'_>) -> bool {
        let text = || String::from_utf8_lossy(&unescape(assembly.template)).into_owned();
        self.assembly_language().is_some_and(|language| template::follows_operands(&text(), language))
    }

    /// Why the inline assembly that a call-site calls is not [understood](Module::assembly_call), as a sentence.
    pub fn unknown_in_assembly(&self, function: &Function, inst: Inst) -> String {
        let read = || {
            let text = String::from_utf8_lossy(&unescape(self.assembly(function, inst)?.template)).into_owned();
            match Program::read(&text, Notation::Llvm, self.assembly_language()?) {
                Err(Unknown::Word(word)) => Some(word),
                _ => None,
            }
        };
        match read() {
            Some(word) => format!("`{word}` in inline assembly is not supported"),
            None => "this inline assembly is not supported".to_owned(),
        }
    }

    /// Whether the inline assembly that a call-site calls has an operation of several threads. O(template).
    pub fn assembly_communicates(&self, function: &Function, inst: Inst) -> bool {
        match self.assembly_call(function, inst) {
            Some(call) => call.program.operation().is_some(),
            None => self.aligned_assembly(function, inst).is_some(),
        }
    }

    fn aligned_assembly(&self, function: &Function, inst: Inst) -> Option<AssemblyOperation> {
        let text = self.assembly(function, inst)?.template;
        // Nearly no template has one.
        memchr::memmem::find(text, b".aligned")?;
        let language = self.assembly_language()?;
        let mnemonic = template::aligned(&String::from_utf8_lossy(&unescape(text)), language)?;
        let facts = CallFacts { operation: Operation::Crosslane(Scope::Subgroup), ..CallFacts::default() };
        Some(AssemblyOperation { mnemonic, facts, needs_all: Some(Scope::Subgroup) })
    }

    /// Whether the module mentions a special register of inline assembly, such as `%tid.y`; also where that is the name of a value of IR, and something else is
    /// inline assembly. O(text).
    pub fn mentions_special_register(&self, name: &[u8]) -> bool {
        memchr::memmem::find(self.text, name).is_some() && self.may_have_assembly()
    }

    /// Whether the module has inline assembly in functions; also where the word is one of a string. O(text).
    fn may_have_assembly(&self) -> bool {
        let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$-@%!".contains(byte);
        memchr::memmem::find_iter(self.text, b"asm").any(|at| {
            let around = [at.checked_sub(1).and_then(|before| self.text.get(before)), self.text.get(at + 3)];
            !around.into_iter().flatten().any(is_in_word)
        })
    }
}
