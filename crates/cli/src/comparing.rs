//! How two programs are compared, as the command line says: which kernels, under which models, on which launches. What `validate` and
//! `bisect` have in common.

use reconverge_exec::launch::Limits;
use reconverge_exec::{KernelInfo, Program};
use reconverge_validate::report::{Model, Options};

use crate::arguments::{Compared, ComparedModel};
use crate::launch::refusal::Refusal;
use crate::launch::{bind, kernel_named};
use crate::limits::limits_of_launches;
use crate::session::Session;

/// Launches for which there has to be room in `--max-memory`: more than run at a time on most machines, and a number, so that what can be
/// compared is not up to `-j`.
const LAUNCHES_IN_MEMORY: u64 = 32;

/// What the command line says.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) arguments: &'a Compared,
    pub(crate) runs: u64,
    /// Of one launch.
    pub(crate) limits: Limits,
}

/// The kernels to compare.
pub(crate) struct Kernels {
    /// Their names, without sigil: those before in the order of the text, then those that there are only after.
    pub(crate) names: Vec<String>,
    /// Whether these are functions, because there is no kernel.
    pub(crate) are_functions: bool,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(session: &Session, arguments: &'a Compared, runs: u64) -> Plan<'a> {
        let limits = Limits {
            memory: session.global.max_memory / LAUNCHES_IN_MEMORY,
            ..limits_of_launches(arguments.max_instructions, &session.global.limit)
        };
        Plan { arguments, runs, limits }
    }

    /// The kernels that there are on either side, or the one that is asked for. Where there are none, all functions.
    ///
    /// # Errors
    /// When neither side has the kernel that is asked for, or an argument is for none of them.
    pub(crate) fn kernels(&self, before: &Program<'_>, after: &Program<'_>) -> Result<Kernels, Refusal> {
        let mut are_functions = false;
        let names: Vec<String> = match &self.arguments.kernel {
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
        self.check_arguments(before, after, &names)?;
        Ok(Kernels { names, are_functions })
    }

    /// Each argument has to be for a kernel.
    fn check_arguments(&self, before: &Program<'_>, after: &Program<'_>, names: &[String]) -> Result<(), Refusal> {
        for text in &self.arguments.arg {
            let is_for = |name: &String| match info(before, after, name) {
                Some((program, kernel)) => bind::is_for(program.module(), &kernel, text),
                None => false,
            };
            if names.iter().any(is_for) {
                continue;
            }
            // What is wrong is said of the first.
            if let Some((program, kernel)) = names.first().and_then(|name| info(before, after, name)) {
                bind::bind_some(program.module(), &kernel, std::slice::from_ref(text), self.limits.memory)?;
            }
        }
        Ok(())
    }

    /// What is asked about one kernel.
    ///
    /// # Errors
    /// When an argument does not fit its parameter.
    pub(crate) fn options(&self, before: &Program<'_>, after: &Program<'_>, kernel: &str) -> Result<Options, Refusal> {
        let Compared { seed, arg, grid, block, subgroup, model, no_minimise, .. } = self.arguments;
        let arguments = match info(before, after, kernel) {
            Some((program, info)) => {
                let module = program.module();
                let own: Vec<String> = arg.iter().filter(|text| bind::is_for(module, &info, text)).cloned().collect();
                bind::bind_some(module, &info, &own, self.limits.memory)?
            }
            None => Vec::new(),
        };
        let has_tokens =
            [before, after].iter().any(|program| program.function(kernel).is_some_and(|info| info.has_tokens));
        let models = match model {
            Some(ComparedModel::Maximal) => vec![Model::Maximal],
            Some(ComparedModel::Controlled) => vec![Model::Controlled],
            Some(ComparedModel::Ipdom) => vec![Model::ImmediatePostDominator],
            Some(ComparedModel::All) => vec![Model::Controlled, Model::Maximal, Model::ImmediatePostDominator],
            None if has_tokens => vec![Model::Controlled],
            None => vec![Model::Maximal],
        };
        Ok(Options {
            models,
            runs: self.runs,
            seed: *seed,
            arguments,
            grid: grid.map(|extent| extent.0),
            block: block.map(|extent| extent.0),
            subgroup: *subgroup,
            limits: self.limits,
            minimise: !no_minimise,
        })
    }
}

/// A model, as the command line calls it.
pub(crate) fn model_name(model: Model) -> &'static str {
    match model {
        Model::Controlled => "controlled",
        Model::Maximal => "maximal",
        Model::ImmediatePostDominator => "ipdom",
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
