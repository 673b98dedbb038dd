//! Comparing a program with what it was before a change: who communicates with whom.

use reconverge_exec::launch::Limits;
use reconverge_exec::{KernelInfo, Program};
use reconverge_files::FileSystem;
use reconverge_validate::report::{Comparison, Model, Options};
use reconverge_validate::{compare, launch_limits};

use crate::launch::{bind, kernel_named, refuse};
use crate::run::statements;
use crate::{Error, Module, Progress, StatedBlock};

/// How two programs are compared.
#[derive(Debug, Clone)]
pub struct ValidateOptions {
    /// Only this kernel, or any function with a body.
    pub kernel: Option<String>,
    /// What launches are made up from.
    pub seed: u64,
    /// How many launches for each kernel and model.
    pub runs: u64,
    /// What parameters get in every launch, as [`RunOptions::arguments`](crate::RunOptions::arguments); made up for those that get nothing.
    pub arguments: Vec<String>,
    /// How many workgroups there are; made up where it is not said.
    pub grid: Option<[u32; 3]>,
    /// How many threads a workgroup has; where it is not said, what the kernel requires, or made up.
    pub block: Option<[u32; 3]>,
    /// How many threads a subgroup has; where it is not said, what the kernel requires or the target has, or made up.
    pub subgroup: Option<u32>,
    /// The models to compare under, each on its own. Where there is none: the rules of the text that the sources are read by, if there are no tokens for these; what tokens say for a kernel with tokens on either side, else
    /// the maximal relation.
    pub models: Vec<Model>,
    /// The only cycle hierarchy to look at, by its number from 1, as [`CyclesOptions::hierarchy`](crate::CyclesOptions::hierarchy); a program that has fewer is looked at in its last one. Where it is
    /// not given: in each hierarchy of the program after the change, it has to do what the one before does in some.
    pub hierarchy: Option<u32>,
    /// Whether a launch that differs is made small.
    pub minimise: bool,
    /// Where a launch ends though the kernel has not: it is compared up to there. Memory is that of one launch: many run side by side.
    pub limits: Limits,
}

/// The answer to [`validate`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Validation {
    /// By kernel: those before in the order of the text, then those that there are only after.
    pub comparisons: Vec<Comparison>,
    /// Whether these are functions, because there is no kernel.
    pub are_functions: bool,
}

/// The kernels to compare.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Kernels {
    /// Their names, without sigil.
    pub names: Vec<String>,
    /// Whether these are functions, because there is no kernel.
    pub are_functions: bool,
}

impl Default for ValidateOptions {
    fn default() -> ValidateOptions {
        const INSTRUCTIONS: u64 = 4_000_000;
        ValidateOptions {
            kernel: None,
            seed: 1,
            runs: 200,
            arguments: Vec::new(),
            grid: None,
            block: None,
            subgroup: None,
            models: Vec::new(),
            hierarchy: None,
            minimise: true,
            limits: launch_limits(INSTRUCTIONS),
        }
    }
}

/// Two programs, read.
#[derive(Debug)]
pub struct Comparing<'m> {
    modules: [&'m Module; 2],
    programs: [Program<'m>; 2],
}

/// Two programs, and what is to be compared of them.
#[derive(Debug)]
pub struct Planned<'c, 'm> {
    comparing: &'c Comparing<'m>,
    kernels: Kernels,
    options: Vec<Options>,
    stated: Vec<(String, StatedBlock)>,
}

/// Compares a program with what it was before a change, kernel by kernel: both run on the same launches, and the same threads have to
/// communicate the same.
///
/// # Errors
/// When one of them is not LLVM IR, there is nothing to compare, or an argument does not fit.
pub fn validate(before: &Module, after: &Module, options: &ValidateOptions) -> Result<Validation, Error> {
    let comparing = Comparing::new(before, after)?;
    let kernels = comparing.kernels(options)?;
    Ok(comparing.plan(kernels, options)?.run())
}

impl<'m> Comparing<'m> {
    /// Reads both programs.
    ///
    /// # Errors
    /// When one of them is not LLVM IR.
    pub fn new(before: &'m Module, after: &'m Module) -> Result<Comparing<'m>, Error> {
        let programs = [before.program()?, after.program()?];
        let programs = match [before, after].map(|module| module.source().filter(|it| it.is_run_by_statements())) {
            [Some(one), Some(other)] if one.model == other.model => {
                let [first, second] = programs;
                let with = |program: Program<'m>, source, module: &Module| {
                    let statements = statements(source, false).map_err(|error| error.in_file(module.name()))?;
                    Ok::<_, Error>(program.with_statements(statements))
                };
                [with(first, one, before)?, with(second, other, after)?]
            }
            [None, None] => programs,
            _ => {
                return Err(refuse("one of the programs runs by the rules of its statements, and the other does not")
                    .in_file(before.name()));
            }
        };
        Ok(Comparing { modules: [before, after], programs })
    }

    /// The kernels to compare, never none.
    ///
    /// # Errors
    /// When there are none, or an argument is for none of them.
    pub fn kernels(&self, options: &ValidateOptions) -> Result<Kernels, Error> {
        let [before, after] = &self.programs;
        let kernels = options.kernels(before, after, &*self.modules[0].files).and_then(|kernels| {
            if kernels.names.is_empty() { Err(refuse("there is no function with a body here")) } else { Ok(kernels) }
        });
        let kernels = kernels.map_err(|error| error.in_file(self.modules[0].name()))?;
        let unknown = |name: &String| self.modules.iter().find_map(|module| module.unknown_in(name));
        match kernels.names.iter().find_map(unknown) {
            Some(unknown) => Err(unknown),
            None => Ok(kernels),
        }
    }

    /// What is to be compared.
    ///
    /// # Errors
    /// When an argument does not fit its parameter.
    pub fn plan(&self, kernels: Kernels, options: &ValidateOptions) -> Result<Planned<'_, 'm>, Error> {
        let [before, after] = &self.programs;
        let text = self.modules[0].source().filter(|_| before.has_statements()).map(|source| source.model);
        let stated =
            kernels.names.iter().filter_map(|kernel| Some((kernel.clone(), self.stated_block(kernel, options)?)));
        let stated: Vec<(String, StatedBlock)> = stated.collect();
        let of_kernel = |kernel: &String| {
            let block = stated.iter().find(|(known, _)| known == kernel).map(|(_, stated)| stated.block);
            let options = ValidateOptions { block: options.block.or(block), ..options.clone() };
            let of_kernel = options.of_kernel(before, after, kernel, &*self.modules[0].files)?;
            // Without tokens, the default of IR would be another model.
            Ok(match text.filter(|_| options.models.is_empty()) {
                Some(text) => Options { models: vec![Model::Statements(text)], ..of_kernel },
                None => of_kernel,
            })
        };
        let options = kernels.names.iter().map(of_kernel).collect::<Result<_, Error>>();
        let options = options.map_err(|error| error.in_file(self.modules[0].name()))?;
        Ok(Planned { comparing: self, kernels, options, stated })
    }

    /// The block in which a program launches a kernel, where nothing else says one.
    fn stated_block(&self, kernel: &str, options: &ValidateOptions) -> Option<StatedBlock> {
        let requires =
            |program: &Program<'_>| program.function(kernel).is_some_and(|info| info.required_block.is_some());
        let stated = self.modules.iter().find_map(|module| module.stated_block(kernel))?;
        (options.block.is_none() && !self.programs.iter().any(requires)).then(|| stated.clone())
    }
}

impl Planned<'_, '_> {
    /// The kernels that are launched in the block in which a program itself launches them, since nothing else says one.
    pub fn stated_blocks(&self) -> &[(String, StatedBlock)] {
        &self.stated
    }

    /// How many launches there are to be, for all kernels and models together.
    pub fn launches(&self) -> u64 {
        self.options.iter().map(|options| options.runs * options.models.len() as u64).sum()
    }

    /// Compares the programs.
    pub fn run(&self) -> Validation {
        let Comparing { modules: [_, module], programs: [before, after] } = self.comparing;
        let progress = |_| module.control.tell(Progress::Launch);
        let compare = |(kernel, options): (&String, &Options)| compare(before, after, kernel, options, &progress);
        let comparisons = self.kernels.names.iter().zip(&self.options).map(compare).collect();
        Validation { comparisons, are_functions: self.kernels.are_functions }
    }
}

impl ValidateOptions {
    /// The kernels that there are on either side, or the one that is asked for. Where there are none, all functions.
    ///
    /// # Errors
    /// When neither side has the kernel that is asked for, or an argument is for none of them.
    pub fn kernels(&self, before: &Program<'_>, after: &Program<'_>, files: &dyn FileSystem) -> Result<Kernels, Error> {
        let mut are_functions = false;
        let names: Vec<String> = match &self.kernel {
            Some(asked) => match kernel_named(before, asked) {
                Ok(kernel) => vec![kernel.name],
                Err(refusal) => vec![kernel_named(after, asked).map_err(|_| refusal)?.name],
            },
            None => {
                let mut names = union(before, after, |program| names_of(&program.kernels()));
                are_functions = names.is_empty();
                if are_functions {
                    names = union(before, after, functions);
                }
                names
            }
        };
        self.check_arguments(before, after, &names, files)?;
        Ok(Kernels { names, are_functions })
    }

    /// Each argument has to be for a kernel.
    fn check_arguments(
        &self,
        before: &Program<'_>,
        after: &Program<'_>,
        names: &[String],
        files: &dyn FileSystem,
    ) -> Result<(), Error> {
        for text in &self.arguments {
            let is_for = |name: &String| match info(before, after, name) {
                Some((program, kernel)) => bind::is_for(program.module(), &kernel, text),
                None => false,
            };
            if names.iter().any(is_for) {
                continue;
            }
            // What is wrong is said of the first.
            if let Some((program, kernel)) = names.first().and_then(|name| info(before, after, name)) {
                bind::bind_some(program.module(), &kernel, std::slice::from_ref(text), self.limits.memory, files)?;
            }
        }
        Ok(())
    }

    /// What is asked about one kernel.
    ///
    /// # Errors
    /// When an argument does not fit its parameter.
    pub fn of_kernel(
        &self,
        before: &Program<'_>,
        after: &Program<'_>,
        kernel: &str,
        files: &dyn FileSystem,
    ) -> Result<Options, Error> {
        let arguments = match info(before, after, kernel) {
            Some((program, info)) => {
                let module = program.module();
                let is_own = |text: &&String| bind::is_for(module, &info, text);
                let own: Vec<String> = self.arguments.iter().filter(is_own).cloned().collect();
                bind::bind_some(module, &info, &own, self.limits.memory, files)?
            }
            None => Vec::new(),
        };
        let has_tokens =
            [before, after].iter().any(|program| program.function(kernel).is_some_and(|info| info.has_tokens));
        let models = match &self.models[..] {
            [] if has_tokens => vec![Model::Controlled],
            [] => vec![Model::Maximal],
            models => models.to_vec(),
        };
        Ok(Options {
            models,
            runs: self.runs,
            seed: self.seed,
            arguments,
            grid: self.grid,
            block: self.block,
            subgroup: self.subgroup,
            limits: self.limits,
            hierarchy: self.hierarchy.map(|number| number.saturating_sub(1) as usize),
            minimise: self.minimise,
        })
    }
}

/// A kernel, on the side that has it.
fn info<'p, 't>(
    before: &'p Program<'t>,
    after: &'p Program<'t>,
    kernel: &str,
) -> Option<(&'p Program<'t>, KernelInfo)> {
    let of = |program: &'p Program<'t>| program.function(kernel).map(|info| (program, info));
    of(before).or_else(|| of(after))
}

fn union(before: &Program<'_>, after: &Program<'_>, of: impl Fn(&Program<'_>) -> Vec<String>) -> Vec<String> {
    let mut names = of(before);
    let only_after: Vec<String> = of(after).into_iter().filter(|name| !names.contains(name)).collect();
    names.extend(only_after);
    names
}

fn names_of(kernels: &[KernelInfo]) -> Vec<String> {
    kernels.iter().map(|kernel| kernel.name.clone()).collect()
}

/// Every function with a body.
fn functions(program: &Program<'_>) -> Vec<String> {
    let module = program.module();
    let name = |id| String::from_utf8_lossy(&module.symbol_name(module.functions[id].symbol)).into_owned();
    module.definitions().map(name).collect()
}
