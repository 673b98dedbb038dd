//! Tables of named evaluations and threads, as the documents show them.

use cranelift_entity::EntityRef;
use reconverge_semantics::{Contradiction, ConvergenceOrder, Key, Place, StaticInstance, Table, occurrence_numbers};

use super::keys::{Keys, Model, Rules};
use super::names::Names;
use crate::convergence::Analysis;
use crate::{Node, Outline};

/// The table of threads that came to the body from one call or launch, by a model. Cells are the names of evaluations with a number, counted as the documents do: first the first one of each thread, then the second ones.
///
/// # Errors
/// Never for walks that [`check_walk`](super::check_walk) accepts.
pub fn table(
    outline: &Outline,
    analysis: &Analysis,
    model: Model,
    names: &Names<'_>,
    walks: &[Vec<Node>],
) -> Result<Table, Contradiction> {
    let rules = Rules::new(outline, analysis, model);
    let mut keys = Keys::new(&rules);
    let activations = model.activations(analysis.start, walks.len() as u32);
    let keys: Vec<Vec<Key>> =
        walks.iter().zip(activations).map(|(walk, activation)| keys.walk(activation, walk)).collect();
    table_of_keys(names, walks, &keys)
}

/// The table of walks whose keys are known.
///
/// # Errors
/// When the keys are no converged-with relation.
pub fn table_of_keys(names: &Names<'_>, walks: &[Vec<Node>], keys: &[Vec<Key>]) -> Result<Table, Contradiction> {
    let order = ConvergenceOrder::new(keys)?;
    let named: Vec<Vec<usize>> =
        walks.iter().map(|walk| (0..walk.len()).filter(|&step| names.name(walk[step]).is_some()).collect()).collect();
    let instances: Vec<Vec<StaticInstance>> = walks
        .iter()
        .zip(&named)
        .map(|(walk, named)| named.iter().map(|&step| StaticInstance::new(walk[step].index())).collect())
        .collect();
    let numbers = occurrence_numbers(&instances);
    Ok(Table::new(&order, |Place { thread, position }| {
        let name = names.name(walks[thread][position])?;
        let number = numbers[thread][named[thread].binary_search(&position).ok()?];
        let dot = if name.ends_with(|last: char| last.is_ascii_digit()) { "." } else { "" };
        Some(format!("{name}{dot}{number}"))
    }))
}
