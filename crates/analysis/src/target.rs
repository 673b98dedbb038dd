//! Targets: which calls, parameters and memory differ between threads, and which calls are operations of several threads.
//!
//! A [`Target`] is data, read from TOML files (`targets/*.toml`, described in `docs/targets.md`); a user can write another.
//! Everything here is about one value on its own. A fact says up to which set of threads a value is the same:
//! *uniform in a set* means that the threads of the set whose executions are converged get the same value. What is uniform
//! in a set is uniform in each smaller one, so one [`Scope`] says it all, and no scope says that the threads of
//! a subgroup already differ.
//!
//! Invariants: what is [`pure`](ResultFacts::pure) is the same in the grid when its operands are; in the built-in targets no
//! answer for subgroups is less precise than LLVM's (the tests ask an installed LLVM).

mod calls;
mod file;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use reconverge_ir::module::{AttributeGroup, FunctionData};
use reconverge_ir::{FunctionId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use calls::CallTable;
pub use file::TargetError;

/// A set of threads, ordered by inclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The threads that can communicate through registers: a wave, a warp.
    Subgroup,
    /// The threads that share local memory: a work-group, a thread block.
    Workgroup,
    /// All threads of a launch.
    Grid,
}

/// How sure it is that threads differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Degree {
    /// They may: a load, a call of an unknown function.
    #[default]
    Possible,
    /// They do: a thread id.
    Certain,
}

/// How the result of a call depends on the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ResultFacts {
    /// The widest set whose threads get the same result, whatever the operands are.
    pub uniform: Option<Scope>,
    /// The widest set whose threads get the same result when their operands are the same.
    pub operands: Option<Scope>,
    /// Which operands `operands` means: a shuffle from one lane is uniform when the lane is, whatever the value.
    pub on: OperandSet,
    /// `operands` holds only where the operand with this index is this constant (the width of a shuffle).
    pub only_if: Option<(u8, i64)>,
    /// A function of its operands and of nothing else: not of memory, not of which threads are there.
    pub pure: bool,
    /// It reads memory through its pointer operands, so it is not more uniform than [`Target::load_from`] says of
    /// their address spaces.
    pub loads: bool,
    /// In sets where neither holds: whether threads do differ.
    pub degree: Degree,
}

/// Some operands of a call, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperandSet(u16);

impl OperandSet {
    /// All operands.
    pub const ALL: OperandSet = OperandSet(u16::MAX);

    /// Whether an operand is in the set. Those from the sixteenth on are in all sets or none.
    pub fn contains(self, operand: usize) -> bool {
        self.0 >> operand.min(15) & 1 == 1
    }
}

impl Default for OperandSet {
    fn default() -> OperandSet {
        OperandSet::ALL
    }
}

impl FromIterator<u8> for OperandSet {
    fn from_iter<I: IntoIterator<Item = u8>>(operands: I) -> OperandSet {
        OperandSet(operands.into_iter().fold(0, |set, operand| set | 1 << operand.min(15)))
    }
}

/// What a result depends on in one set of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dependence {
    /// Nothing: it is uniform.
    Uniform,
    /// A function of its operands and of nothing else.
    Pure,
    /// Uniform when its operands are (those in [`ResultFacts::on`]), but another execution may give another result.
    Operands,
    /// The thread.
    Thread(Degree),
}

impl ResultFacts {
    /// What the result depends on, for threads of a set.
    pub fn dependence(self, scope: Scope) -> Dependence {
        if self.uniform >= Some(scope) {
            Dependence::Uniform
        } else if self.pure {
            Dependence::Pure
        } else if self.operands >= Some(scope) {
            Dependence::Operands
        } else {
            Dependence::Thread(self.degree)
        }
    }

    /// The facts of a call with some constant operands: `operands` does not hold where an operand is another constant than
    /// [`only_if`](ResultFacts::only_if) wants, or none.
    pub fn of_call(self, constant_of: impl Fn(u8) -> Option<i64>) -> ResultFacts {
        match self.only_if {
            Some((operand, wanted)) if constant_of(operand) != Some(wanted) => ResultFacts { operands: None, ..self },
            _ => self,
        }
    }
}

/// What several threads do together in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// Nothing.
    #[default]
    None,
    /// Waits until all threads of the set are there.
    Barrier(Scope),
    /// Gives threads what others of the set have, or how many or which of them are there.
    Crosslane(Scope),
    /// Compares with the neighbours in the quad: a derivative, a texture sample that needs one, a quad swap.
    QuadCrosslane,
}

/// What is known of a function that is called by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CallFacts {
    /// Its result.
    pub result: ResultFacts,
    /// What threads do together in it.
    pub operation: Operation,
    /// Whether the operation is defined when only some threads of its set are there (a ballot, a shuffle that
    /// names its threads); a barrier is not. See also [`CallFacts::needs_all`].
    pub partial: bool,
    /// The operand that names the threads of the subgroup that take part, as a mask with a bit for each: those
    /// that it names must all be there.
    pub mask_operand: Option<u8>,
    /// The operand that says which set of threads the call is about, as a SPIR-V scope; see [`CallFacts::in_scope`].
    pub scope_operand: Option<u8>,
    /// Where else the call may be executed.
    pub motion: MotionFacts,
}

/// What happens to a call that is executed at another place, or by other threads. Nothing is taken for granted: without a
/// fact, a move needs another reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MotionFacts {
    /// All that it does is give its result: it touches no memory, orders nothing, waits for no thread that could be anywhere else,
    /// and returns. So it need not be executed where nobody uses the result.
    pub result_only: bool,
    /// What a thread gets stays the same when more threads take part: a shuffle between fixed thread ids.
    pub hoist: bool,
    /// What a thread gets stays the same when fewer threads take part: a function of the operands and the thread's own number.
    pub sink: bool,
    /// A thread that would not have executed it may: whatever the operands are then, at worst the result is undefined.
    pub speculate: bool,
}

impl CallFacts {
    /// The facts of a call with some constant operands, which `constant_of` gives by index: what holds for the
    /// constant in [`scope_operand`](CallFacts::scope_operand) and for [`ResultFacts::only_if`].
    pub fn of_call(self, constant_of: impl Fn(u8) -> Option<i64>) -> CallFacts {
        let facts = match self.scope_operand.and_then(&constant_of) {
            Some(scope) => self.in_scope(scope),
            None => self,
        };
        CallFacts { result: facts.result.of_call(constant_of), ..facts }
    }

    /// The set of threads that must reach a call together, all of them; `constant_of` gives its operands that are
    /// constants, by index. A partial operation needs none but the threads that are there, unless it names all by a
    /// constant mask of ones: with a mask that nobody can read off the call, nothing is needed. An operation of a quad
    /// needs the quad, which is no [`Scope`], and gets no answer here.
    pub fn needs_all(&self, constant_of: impl Fn(u8) -> Option<i64>) -> Option<Scope> {
        let names_all = self.mask_operand.and_then(&constant_of) == Some(-1);
        match self.of_call(constant_of).operation {
            Operation::Barrier(scope) | Operation::Crosslane(scope) if !self.partial || names_all => Some(scope),
            _ => None,
        }
    }

    /// The facts of a call whose [`scope_operand`](CallFacts::scope_operand) is a constant: the operation, and the
    /// result where it is uniform at all, are of the threads of that scope. Other constants than those of a workgroup (2)
    /// and a subgroup (3) leave the facts as they are.
    pub fn in_scope(self, constant: i64) -> CallFacts {
        let scope = match constant {
            2 => Scope::Workgroup,
            3 => Scope::Subgroup,
            _ => return self,
        };
        let operation = match self.operation {
            Operation::Barrier(_) => Operation::Barrier(scope),
            Operation::Crosslane(_) => Operation::Crosslane(scope),
            other => other,
        };
        let ResultFacts { uniform, operands, .. } = self.result;
        let result = ResultFacts { uniform: uniform.map(|_| scope), operands: operands.map(|_| scope), ..self.result };
        CallFacts { result, operation, ..self }
    }
}

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// Each thread has its own.
    Private,
    /// Each workgroup has its own.
    Shared,
    /// One for all threads.
    Global,
    /// One for all threads, not written while they run.
    Constant,
    /// Pointers to several of the others: *flat*, *generic*.
    Flat,
    /// Nothing is known.
    #[default]
    Unknown,
}

/// What is known of loads from an address space, when the address is the same in all threads of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LoadFacts {
    /// Which memory it is.
    pub kind: MemoryKind,
    /// The widest set whose threads load the same; nothing for memory that may be each thread's own.
    pub uniform: Option<Scope>,
    /// The same for atomic and volatile loads, which other threads may write in between.
    pub atomic: Option<Scope>,
}

/// What differs between threads, on one kind of GPU.
#[derive(Debug, Clone, Default)]
pub struct Target {
    name: String,
    triples: Vec<String>,
    subgroup_size: Option<u32>,
    kernel_conventions: Vec<String>,
    kernel_attributes: Vec<String>,
    kernel_parameters: Option<Scope>,
    parameter_attributes: FxHashMap<String, Scope>,
    uniform_registers: Vec<String>,
    memory: FxHashMap<u32, LoadFacts>,
    other_memory: LoadFacts,
    /// Shared with the target that this one extends, as long as there is no difference.
    calls: Arc<CallTable>,
}

/// The built-in targets; the last is for everything that is none of the others, and the others build on it.
static TARGETS: LazyLock<[Target; 5]> = LazyLock::new(file::built_in);

impl Target {
    /// Parses the tables of the built-in targets, a few milliseconds of work that the first use of one does otherwise.
    pub fn prepare() {
        LazyLock::force(&TARGETS);
    }

    /// The names of the built-in targets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TARGETS.iter().map(Target::name)
    }

    /// The built-in target with a name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The built-in target for a triple; `generic` for those of other targets, and where there is none.
    pub fn for_triple(triple: &[u8]) -> &'static Target {
        let is_for = |target: &&Target| target.triples.iter().any(|prefix| triple.starts_with(prefix.as_bytes()));
        TARGETS.iter().find(is_for).unwrap_or(&TARGETS[TARGETS.len() - 1])
    }

    /// Reads a user's file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read; when it is not as `docs/targets.md` says, with the line and the key.
    pub fn load(path: &Path) -> Result<Target, TargetError> {
        file::load(path)
    }

    /// Reads the text of a user's file; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// When it is not as `docs/targets.md` says, with the line and the key.
    pub fn parse(path: &Path, text: &str) -> Result<Target, TargetError> {
        file::parse(path, text)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many threads a subgroup has, where there is one answer.
    pub fn subgroup_size(&self) -> Option<u32> {
        self.subgroup_size
    }

    /// What is known of a function by its name, which may be that of an intrinsic (with the types that an overloaded
    /// one has behind it) or of a library function, mangled or not. It is meant for functions without a body: what has
    /// one may do anything under any name.
    pub fn call(&self, name: &[u8]) -> Option<&CallFacts> {
        self.calls.find(name)
    }

    /// What is known of the content of a global variable by its name: those that stand for the built-in
    /// variables of SPIR-V. Nothing for others.
    pub fn variable(&self, name: &[u8]) -> Option<ResultFacts> {
        name.starts_with(b"__spirv_").then(|| self.calls.find(name).map(|facts| facts.result)).flatten()
    }

    /// The rows of the table of calls: names, where a `*` at the end stands for anything, and facts.
    pub fn calls(&self) -> impl Iterator<Item = (String, CallFacts)> {
        self.calls.rows()
    }

    /// Whether a function is started by a launch, by what its header says: the words before its result type (linkage,
    /// calling convention, …) and its attributes, groups resolved. See also [`Target::kernels`].
    pub fn is_kernel(&self, prefix: &[u8], attributes: &[u8]) -> bool {
        let has = |text: &[u8], word: &String| {
            text.split(u8::is_ascii_whitespace).any(|found| match found.strip_prefix(word.as_bytes()) {
                Some(rest) => rest.is_empty() || rest.starts_with(b"="),
                None => false,
            })
        };
        self.kernel_conventions.iter().any(|word| has(prefix, word))
            || self.kernel_attributes.iter().any(|word| has(attributes, word))
    }

    /// The functions of a module that are started by a launch, be it by their header or by `!nvvm.annotations`, as
    /// LLVM before version 21 had it; O(text).
    pub fn kernels(&self, module: &Module) -> FxHashSet<FunctionId> {
        let of_group =
            |(number, group): (&u32, &AttributeGroup)| (*number, self.is_kernel(b"", group.span.of(module.text)));
        let groups: FxHashMap<u32, bool> = module.attribute_groups.iter().map(of_group).collect();
        let is_kernel = |function: &FunctionData| {
            let (prefix, attributes) = (function.prefix.of(module.text), function.suffix.of(module.text));
            let mut words = attributes.split(u8::is_ascii_whitespace).filter_map(|word| word.strip_prefix(b"#"));
            self.is_kernel(prefix, attributes)
                || words.any(|digits| {
                    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                    number.is_some_and(|number: u32| groups.get(&number) == Some(&true))
                })
        };
        let kernels = module.functions.iter().filter(|(_, function)| is_kernel(function));
        let mut kernels: FxHashSet<FunctionId> = kernels.map(|(id, _)| id).collect();
        kernels.extend(annotated_kernels(module));
        kernels
    }

    /// In which set of threads a parameter of a function is the same, by its attributes as in the text; nothing where
    /// it may differ. Threads that enter a function other than a kernel together come from one call.
    pub fn parameter(&self, kernel: bool, attributes: &[u8]) -> Option<Scope> {
        let by_name = attributes.split(u8::is_ascii_whitespace).filter_map(|word| {
            let name = word.split(|&byte| byte == b'(').next()?;
            self.parameter_attributes.get(std::str::from_utf8(name).ok()?).copied()
        });
        by_name.chain(self.kernel_parameters.filter(|_| kernel)).max()
    }

    /// Loads from an address space.
    pub fn load_from(&self, address_space: u32) -> LoadFacts {
        self.memory.get(&address_space).copied().unwrap_or(self.other_memory)
    }

    /// The result of inline assembly, by its constraints: one output of several (`output` counts from 0), or all
    /// of them together. It is uniform where the outputs are in registers that a subgroup has one of.
    pub fn inline_assembly(&self, constraints: &[u8], output: Option<usize>) -> ResultFacts {
        let outputs = constraints.split(|&byte| byte == b',').filter_map(|one| one.strip_prefix(b"="));
        // An indirect output is a pointer operand and no part of the result.
        let mut results = outputs.filter(|one| !one.contains(&b'*'));
        let is_uniform = |one: &[u8]| {
            let one = one.strip_prefix(b"&").unwrap_or(one);
            self.uniform_registers.iter().any(|class| calls::matches(class.as_bytes(), one))
        };
        let uniform = match output {
            Some(index) => results.nth(index).is_some_and(is_uniform),
            None => results.all(is_uniform),
        };
        ResultFacts { uniform: uniform.then_some(Scope::Subgroup), ..ResultFacts::default() }
    }
}

/// The functions that a node such as `!{ptr @f, !"kernel", i32 1}` names.
fn annotated_kernels(module: &Module) -> impl Iterator<Item = FunctionId> {
    let marker = b"!\"kernel\"";
    let annotated = memchr::memmem::find(module.text, b"!nvvm.annotations").is_some();
    let nodes = annotated.then(|| module.metadata.values()).into_iter().flatten();
    let nodes = nodes.map(|span| span.of(module.text)).filter(move |node| memchr::memmem::find(node, marker).is_some());
    nodes.filter_map(|node| {
        let at = node.iter().position(|&byte| byte == b'@')? + 1;
        let length = node[at..].iter().position(|&byte| byte == b',')?;
        let name = reconverge_ir::text::unquote(&node[at..at + length]);
        module.function_of(module.symbol_named(&name)?)
    })
}
