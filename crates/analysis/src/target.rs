//! Targets: which calls, parameters and memory differ between threads, and which calls are operations of several threads.
//!
//! A [`Target`] is data: tables that do not change (`data`), of facts about one value on its own ([`facts`](reconverge_operations::facts)). The
//! build script makes those of the built-in targets from `targets/*.toml` (`built_in`), so nothing is read or
//! allocated for them when the program runs; a user's file becomes the same tables by the same reader (`file`).
//! The format is described in `docs/targets.md`.
//!
//! Invariants: what is [`pure`](ResultFacts::pure) is the same in the grid when its operands are; in the built-in targets no
//! answer for subgroups is less precise than LLVM's (the tests ask an installed LLVM).

mod built_in;
// Tables are made by the build script, and from files.
#[cfg_attr(not(feature = "target-files"), allow(dead_code))]
mod calls;
#[cfg_attr(not(feature = "target-files"), allow(dead_code))]
mod data;
#[cfg(feature = "target-files")]
mod file;

#[cfg(feature = "target-files")]
use std::path::Path;

use reconverge_ir::module::{AttributeGroup, FunctionData};
use reconverge_ir::{FunctionId, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use built_in::TARGETS;
pub use data::Target;
#[cfg(feature = "target-files")]
pub use file::TargetError;
pub use reconverge_operations::facts::{
    CallFacts, Degree, Dependence, LoadFacts, MemoryKind, MotionFacts, OperandSet, Operation, ResultFacts, Scope,
};

impl Target {
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
    #[cfg(feature = "target-files")]
    pub fn load(path: &Path) -> Result<Target, TargetError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| TargetError::Unreadable { path: path.to_owned(), error })?;
        Target::parse(path, &text)
    }

    /// Reads the text of a user's file; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// When it is not as `docs/targets.md` says, with the line and the key.
    #[cfg(feature = "target-files")]
    pub fn parse(path: &Path, text: &str) -> Result<Target, TargetError> {
        file::parse(path, text, &TARGETS)
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
        let has = |text: &[u8], word: &str| {
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
            |(number, group): (&u32, &AttributeGroup)| (*number, self.is_kernel(b"", module.spelling(group.span)));
        let groups: FxHashMap<u32, bool> = module.attribute_groups.iter().map(of_group).collect();
        let is_kernel = |function: &FunctionData| {
            let (prefix, attributes) = (module.spelling(function.prefix), module.spelling(function.suffix));
            let mut words = attributes.split(u8::is_ascii_whitespace).filter_map(|word| word.strip_prefix(b"#"));
            self.is_kernel(prefix, attributes)
                || words.any(|digits| {
                    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                    number.is_some_and(|number: u32| groups.get(&number) == Some(&true))
                })
        };
        let kernels = module.functions.iter().filter(|(_, function)| is_kernel(function));
        let mut kernels: FxHashSet<FunctionId> = kernels.map(|(id, _)| id).collect();
        kernels.extend(module.annotated_kernels());
        kernels
    }

    /// In which set of threads a parameter of a function is the same, by its attributes as in the text; nothing where
    /// it may differ. Threads that enter a function other than a kernel together come from one call.
    pub fn parameter(&self, kernel: bool, attributes: &[u8]) -> Option<Scope> {
        let by_name = attributes.split(u8::is_ascii_whitespace).filter_map(|word| {
            let name = word.split(|&byte| byte == b'(').next()?;
            self.parameter_attributes.iter().find(|known| known.0.as_bytes() == name).map(|known| known.1)
        });
        by_name.chain(self.kernel_parameters.filter(|_| kernel)).max()
    }

    /// Loads from an address space.
    pub fn load_from(&self, address_space: u32) -> LoadFacts {
        let row = self.memory.iter().find(|row| row.0 == address_space);
        row.map_or(self.other_memory, |row| row.1)
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
