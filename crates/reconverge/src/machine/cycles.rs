//! Cycle hierarchies of machine functions.

use reconverge_analysis::uniformity::analyze;
use reconverge_analysis::uniformity::m_converged::not_m_converged;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_graph::{CycleForest, Node};
use reconverge_mir::{Function, Machine, ReadError, lower};

use super::{MachineAnswer, MachineModule, function_name};
use crate::cycles::{forests, list, note_failures};
use crate::lines::Lines;
use crate::m_converged::of_cycles;
use crate::{Cycle, Cycles, CyclesOptions, Error, FunctionCycles, Hierarchies};

/// The cycles of machine functions; see [`cycles()`](crate::cycles()).
///
/// # Errors
/// When the YAML documents are not understood.
pub fn machine_cycles(module: &MachineModule, options: &CyclesOptions) -> Result<MachineAnswer<Cycles>, Error> {
    let machine = module.machine();
    let answer = module
        .each(options.function.as_deref(), |function, lines| of_function(module, machine, options, function, lines))?;
    let functions = answer.found.into_iter().flatten().collect();
    Ok(MachineAnswer { found: Cycles { functions }, left_out: answer.left_out })
}

/// The cycles of a function; nothing where it has no hierarchy of the number that is asked for.
fn of_function(
    module: &MachineModule,
    machine: Option<&Machine>,
    options: &CyclesOptions,
    function: &Function<'_>,
    lines: &Lines<'_>,
) -> Result<Option<FunctionCycles>, ReadError> {
    let graph = function.graph(machine)?.digraph;
    let (forests, is_complete) = forests(&graph, options);
    let block = |node: Node| function.block_name(node.as_u32());
    let mut lists: Vec<Vec<Cycle>> = forests.iter().map(|forest| list(forest, options.nested_blocks, &block)).collect();
    if lists.iter().flatten().any(|cycle| !cycle.reducible) {
        note_m_converged(module, machine, function, &forests, &mut lists);
    }
    let (cycles, complete) = match options.all_hierarchies {
        Some(_) => (Hierarchies::Hierarchies(lists), Some(is_complete)),
        None => match lists.into_iter().next() {
            Some(cycles) => (Hierarchies::Cycles(cycles), None),
            None => return Ok(None),
        },
    };
    let line = lines.position(function.offset).line;
    Ok(Some(FunctionCycles { name: function_name(function), line, cycles, source: None, complete }))
}

/// Says of irreducible cycles whether they are m-converged, as far as it is known where threads diverge.
fn note_m_converged(
    module: &MachineModule,
    machine: Option<&Machine>,
    function: &Function<'_>,
    forests: &[CycleForest],
    lists: &mut [Vec<Cycle>],
) {
    let lowered = machine.and_then(|machine| lower(function, machine, module.target(), false).ok());
    let Some(lowered) = lowered else {
        lists.iter_mut().flatten().for_each(|cycle| cycle.m_converged_unknown = true);
        return;
    };
    let uniformity = analyze(&lowered.problem, &Settings::refined().analysis);
    let block = |node: Node| function.block_name(node.as_u32());
    for (forest, cycles) in forests.iter().zip(lists) {
        let is_divergent = |node: Node| uniformity.branches[node.as_u32() as usize].is_some();
        let failures = not_m_converged(&lowered.problem.graph, forest, is_divergent);
        note_failures(cycles, &of_cycles(forest, &failures, &block, &block));
    }
}
