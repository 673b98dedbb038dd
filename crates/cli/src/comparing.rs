//! How two programs are compared, as the command line says. What `validate` and `bisect` have in common.

use clap::ValueEnum;
use reconverge::ValidateOptions;
use reconverge::launches::quoted;
use reconverge_exec::launch::Limits;
use reconverge_validate::report::Model;

use crate::arguments::{Compared, ComparedModel, Hierarchy};
use crate::limits::limits_of_launches;
use crate::session::Session;

/// Launches for which there has to be room in `--max-memory`: more than run at a time on most machines, and a number, so that what can be
/// compared is not up to `-j`.
const LAUNCHES_IN_MEMORY: u64 = 32;

/// What is asked of a comparison.
pub(crate) fn options(session: &Session<'_>, arguments: &Compared, runs: u64) -> ValidateOptions {
    let Compared { kernel, seed, arg, grid, block, subgroup, model, hierarchy, no_minimise, max_instructions, .. } =
        arguments;
    ValidateOptions {
        kernel: kernel.clone(),
        seed: *seed,
        runs,
        arguments: arg.clone(),
        grid: grid.map(|extent| extent.0),
        block: block.map(|extent| extent.0),
        subgroup: *subgroup,
        models: match model {
            // What the programs are says it.
            None | Some(ComparedModel::Tangles2024_10 | ComparedModel::Clang2025_08) => Vec::new(),
            Some(ComparedModel::Maximal) => vec![Model::Maximal],
            Some(ComparedModel::Controlled) => vec![Model::Controlled],
            Some(ComparedModel::Ipdom) => vec![Model::ImmediatePostDominator],
            Some(ComparedModel::All) => vec![Model::Controlled, Model::Maximal, Model::ImmediatePostDominator],
        },
        hierarchy: match hierarchy {
            Hierarchy::Number(number) => Some(*number),
            Hierarchy::All => None,
        },
        minimise: !no_minimise,
        limits: Limits {
            memory: session.global.max_memory / LAUNCHES_IN_MEMORY,
            ..limits_of_launches(*max_instructions, &session.global.limit)
        },
    }
}

/// What the command line says of a comparison, but for what is not shown and for how often it runs: words for a shell.
pub(crate) fn words(compared: &Compared) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), quoted(&value)]);
        }
    };
    add("--kernel", compared.kernel.clone());
    compared.arg.iter().for_each(|argument| add("--arg", Some(argument.clone())));
    add("--grid", compared.grid.as_ref().map(ToString::to_string));
    add("--block", compared.block.as_ref().map(ToString::to_string));
    add("--subgroup", compared.subgroup.map(|size| size.to_string()));
    add("--model", compared.model.and_then(|model| Some(model.to_possible_value()?.get_name().to_owned())));
    if let Hierarchy::Number(number) = compared.hierarchy {
        add("--hierarchy", Some(number.to_string()));
    }
    words
}

/// A model, as the command line calls it.
pub(crate) fn model_name(model: Model) -> &'static str {
    match model {
        Model::Controlled => "controlled",
        Model::Maximal => "maximal",
        Model::ImmediatePostDominator => "ipdom",
        Model::Statements(text) => reconverge::source_model_name(text),
    }
}
