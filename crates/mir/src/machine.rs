//! What is known of the machine instructions and registers of a target: which results differ between the threads of a subgroup by themselves.
//!
//! **Definition.** A register is *scalar* when a subgroup has one of it, and *vector* when each thread has its own. What is written to a scalar register is uniform in
//! a subgroup, whatever wrote it: a mask of lanes is one value. What an instruction writes to a vector register, or to a register without class or bank, is
//! [`Outcome`].
//!
//! The tables are `targets/machine/*.toml`, which the build script puts into this crate; the facts about intrinsics and address spaces are those of the
//! [`Target`]. **Invariant.** Where nothing is known of an instruction that reads a register of a thread, its result is divergent.

use reconverge_analysis::target::{Dependence, MemoryKind, Scope, Target};

use crate::function::{Function, Instruction, Operand, Register, What};

/// Names; a `*` in one stands for anything.
type Words = &'static [&'static str];

/// What is known of the machine code of a target.
#[derive(Debug)]
pub struct Machine {
    /// The name of the target.
    pub name: &'static str,
    /// How triples begin for which it is.
    pub(crate) triples: Words,
    pub(crate) scalar_banks: Words,
    pub(crate) scalar_classes: Words,
    pub(crate) vector_classes: Words,
    /// Classes that hold a boolean of each thread in a vector register.
    pub(crate) mask_classes: Words,
    pub(crate) vector_registers: Words,
    pub(crate) divergent: Words,
    /// More of these, which LLVM calls uniform.
    pub(crate) divergent_unlike_llvm: Words,
    pub(crate) uniform: Words,
    /// Loads that are as uniform as their address; without a memory operand, they may read memory of a thread.
    pub(crate) loads: Words,
    /// Others that may read memory of a thread without saying so.
    pub(crate) loads_unlike_llvm: Words,
    pub(crate) terminators: Words,
    pub(crate) ends: Words,
    pub(crate) pure: Words,
}

include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// How what an instruction writes to a register of a thread depends on the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// Converged threads get the same, whatever the operands are.
    Uniform,
    /// Threads may get different results, whatever the operands are.
    Divergent(Because),
    /// A function of the operands and of nothing else.
    Pure,
    /// Uniform when the operands are, but another execution may give another result.
    Varying,
    /// The operand of the edge over which the block was entered.
    Phi,
}

/// Why something differs between threads by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Because {
    /// The instruction: it computes with the number of the thread, or with a mask of lanes.
    Instruction,
    /// An intrinsic.
    Intrinsic,
    /// It reads a register of which each thread has its own.
    Vector,
    /// It loads from memory of a thread, or from memory that nothing says anything of.
    Load,
}

/// What sort of register a virtual register is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RegisterKind {
    /// A subgroup has one of it.
    Scalar,
    /// Each thread has one of it.
    Vector,
    /// It holds a boolean of each thread.
    Mask,
    /// Its class or bank is not chosen yet.
    Open,
}

impl Machine {
    /// The one for a target, by its name, or else by a triple.
    pub fn find(target: &str, triple: Option<&str>) -> Option<&'static Machine> {
        let is_for = |machine: &&Machine| {
            triple.is_some_and(|triple| machine.triples.iter().any(|prefix| triple.starts_with(prefix)))
        };
        MACHINES.iter().find(|machine| machine.name == target).or_else(|| MACHINES.iter().find(is_for))
    }

    /// Whether nothing after an instruction is executed in its block, and the next block is not reached without a jump.
    pub(crate) fn ends_block(&self, opcode: &str) -> bool {
        is_one_of(self.ends, opcode)
    }

    /// Whether an instruction is one of those at the end of a block that say where threads go.
    pub(crate) fn is_terminator(&self, opcode: &str) -> bool {
        is_one_of(self.terminators, opcode) || self.ends_block(opcode)
    }

    /// What sort of register it is; nothing where the class is not known.
    pub(crate) fn kind(&self, register: &Register<'_>) -> Option<RegisterKind> {
        let class = register.class;
        if matches!(class, "" | "_") {
            Some(RegisterKind::Open)
        } else if is_one_of(self.mask_classes, class) {
            Some(RegisterKind::Mask)
        } else if is_one_of(self.vector_classes, class) {
            Some(RegisterKind::Vector)
        } else if is_one_of(self.scalar_banks, class) || is_one_of(self.scalar_classes, class) {
            // A boolean in a class (a bank has no sizes) for scalars is a mask of lanes, of which each thread has its bit.
            let is_mask = register.is_boolean && !self.scalar_banks.contains(&class);
            Some(if is_mask { RegisterKind::Vector } else { RegisterKind::Scalar })
        } else {
            None
        }
    }

    /// Whether each thread has a physical register of its own.
    fn is_vector(&self, physical: &str) -> bool {
        is_one_of(self.vector_registers, physical)
    }

    /// Whether an operand is a register of which each thread has its own.
    fn is_of_thread(&self, kinds: &[RegisterKind], operand: &Operand<'_>) -> bool {
        match operand.what {
            What::Virtual(register) => {
                matches!(kinds[register as usize], RegisterKind::Vector | RegisterKind::Mask)
            }
            What::Physical(name) => self.is_vector(name),
            _ => false,
        }
    }

    /// How the results of an instruction depend on the thread; O(its operands).
    pub(crate) fn outcome(
        &self,
        setting: Setting<'_>,
        kinds: &[RegisterKind],
        instruction: &Instruction<'_>,
    ) -> Outcome {
        let Setting { function, like_llvm, .. } = setting;
        let opcode = instruction.opcode;
        let operands = function.operands(instruction);
        let mut reads = operands.iter().filter(|operand| operand.is_read);
        if is_one_of(self.divergent, opcode) {
            return Outcome::Divergent(Because::Instruction);
        }
        if !like_llvm && is_one_of(self.divergent_unlike_llvm, opcode) {
            return Outcome::Divergent(Because::Instruction);
        }
        if is_one_of(self.uniform, opcode) {
            return Outcome::Uniform;
        }
        if opcode == "COPY" {
            let source = reads.next();
            return match source.map(|operand| operand.what) {
                Some(What::Physical(name)) if self.is_vector(name) => Outcome::Divergent(Because::Vector),
                Some(What::Physical(_)) => Outcome::Uniform,
                _ if !like_llvm && self.makes_booleans(kinds, operands) => Outcome::Divergent(Because::Instruction),
                _ => Outcome::Pure,
            };
        }
        if opcode.starts_with("G_") {
            return self.generic(setting, instruction);
        }
        if is_one_of(self.loads, opcode) {
            let is_unknown = function.memory(instruction).is_empty() || setting.reads_private(instruction);
            return if is_unknown { Outcome::Divergent(Because::Load) } else { Outcome::Varying };
        }
        if reads.any(|operand| self.is_of_thread(kinds, operand)) {
            return Outcome::Divergent(Because::Vector);
        }
        let is_silent = function.memory(instruction).is_empty() && is_one_of(self.loads_unlike_llvm, opcode);
        if !like_llvm && (is_silent || setting.reads_private(instruction)) {
            return Outcome::Divergent(Because::Load);
        }
        if instruction.is_phi() {
            return Outcome::Phi;
        }
        if is_one_of(self.pure, opcode) { Outcome::Pure } else { Outcome::Varying }
    }

    /// Whether a mask of lanes becomes booleans of threads.
    fn makes_booleans(&self, kinds: &[RegisterKind], operands: &[Operand<'_>]) -> bool {
        let has = |is_definition: bool, kind: RegisterKind| {
            operands.iter().any(|operand| match operand.what {
                What::Virtual(register) => operand.is_definition == is_definition && kinds[register as usize] == kind,
                _ => false,
            })
        };
        has(true, RegisterKind::Mask) && has(false, RegisterKind::Scalar)
    }

    /// Of an instruction that no register is chosen for yet: what it writes is as uniform as what it reads.
    fn generic(&self, setting: Setting<'_>, instruction: &Instruction<'_>) -> Outcome {
        let Setting { function, target, like_llvm } = setting;
        let opcode = instruction.opcode;
        if instruction.is_phi() {
            return Outcome::Phi;
        }
        if opcode.starts_with("G_INTRINSIC") {
            let name = function.operands(instruction).iter().find_map(|operand| match operand.what {
                What::Intrinsic(name) => Some(name),
                _ => None,
            });
            // Which operands are constants is not looked up.
            let facts = name.and_then(|name| target.call(name.as_bytes())).map(|facts| facts.of_call(|_| None));
            return match facts.map(|facts| facts.result.dependence(Scope::Subgroup)) {
                Some(Dependence::Uniform) => Outcome::Uniform,
                _ if !like_llvm && setting.reads_private(instruction) => Outcome::Divergent(Because::Load),
                Some(Dependence::Pure) => Outcome::Pure,
                Some(Dependence::Operands) => Outcome::Varying,
                Some(Dependence::Thread(_)) | None => Outcome::Divergent(Because::Intrinsic),
            };
        }
        let is_unknown = is_one_of(self.loads, opcode) && function.memory(instruction).is_empty();
        if is_unknown || setting.reads_private(instruction) {
            return Outcome::Divergent(Because::Load);
        }
        if is_one_of(self.pure, opcode) { Outcome::Pure } else { Outcome::Varying }
    }
}

/// What an instruction is judged in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'s> {
    pub(crate) function: &'s Function<'s>,
    /// Facts about intrinsics and address spaces.
    pub(crate) target: &'s Target,
    /// Whether what LLVM calls uniform is taken as such, also where threads differ.
    pub(crate) like_llvm: bool,
}

impl Setting<'_> {
    /// Whether an instruction reads memory of which each thread may have its own.
    fn reads_private(&self, instruction: &Instruction<'_>) -> bool {
        let is_of_thread = |space| matches!(self.target.load_from(space).kind, MemoryKind::Private | MemoryKind::Flat);
        self.function.memory(instruction).iter().any(|memory| memory.loads && is_of_thread(memory.address_space))
    }
}

impl Instruction<'_> {
    /// Whether it is a phi.
    pub fn is_phi(&self) -> bool {
        matches!(self.opcode, "PHI" | "G_PHI")
    }
}

/// Whether a name is one of some words. O(words · name), with few words that have more than one `*`.
fn is_one_of(words: Words, name: &str) -> bool {
    words.iter().any(|word| matches(word, name))
}

/// Whether a word stands for a name: its parts between the `*` are in the name, in their order, the first one at its beginning and the last one at its end.
fn matches(word: &str, name: &str) -> bool {
    let Some((first, rest)) = word.split_once('*') else { return word == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}
