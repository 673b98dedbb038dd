//! Who is together, from what threads executed: for the comparison of a run with the rules of the source.
//!
//! A lowered program can carry a marker at the start of each node of a body: of each statement, of each full expression before it is evaluated, and before each other convergent operation in it. A run then gives for each
//! thread and each of its executions of the function the nodes whose markers it passed, in order. With the nodes between that have no markers ([`Flow::between`]) that is a walk, and [`groups`] takes it as it is.
//!
//! ```
//! use reconverge_outline::convergence::analyze;
//! use reconverge_outline::dynamics::{Choice, Execution, Model, groups};
//! use reconverge_outline::{Node, Outline};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `{ ; }`, by two threads that were called together and by one that was not.
//! let outline = reconverge_outline::sketch::parse(";")?;
//! let model = Model::Clang2025_04(Choice::Solo);
//! let analysis = analyze(&outline, model.source());
//! let markers = [0, 1].map(Node::from_u32);
//! let executions = [7, 7, 8].map(|activation| Execution { activation, steps: &markers });
//! let groups = groups(&outline, &analysis, model, &executions)?;
//! assert!(groups[0][1].is_defined);
//! assert_eq!(groups[0][1].key, groups[1][1].key);
//! assert_ne!(groups[0][1].key, groups[2][1].key);
//! # Ok(())
//! # }
//! ```
//!
//! Calls of a function from a step with an operation are converged iff their keys are equal: the key says which executions of the called function get the same `activation`.

use reconverge_semantics::Key;
use thiserror::Error;

use super::flow::Flow;
use super::keys::{Keys, Model, Rules};
use super::walk::{Extent, WalkError, check_walk};
use crate::convergence::Analysis;
use crate::{Node, Outline};

/// An execution of a body by a thread.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'a> {
    /// Threads are converged at the start of the body iff this is the same.
    pub activation: u32,
    /// The nodes whose markers it passed. It may have stopped anywhere.
    pub steps: &'a [Node],
}

/// With whom a step is converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    /// Equal iff converged.
    pub key: Key,
    /// Whether the text defines it. If not, this is one of the choices an implementation has, and a run that groups threads in another way is no contradiction.
    pub is_defined: bool,
}

/// What is wrong with an execution.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("execution {}: {error}", execution + 1)]
pub struct ExecutionError {
    /// Which, counted from 0.
    pub execution: usize,
    /// What is wrong.
    pub error: WalkError,
}

/// By execution and step: the groups. `analysis` is that of the body by the text of the model. O(steps) and the cost of the [`Rules`].
///
/// # Errors
/// An execution that is no walk through the body.
pub fn groups(
    outline: &Outline,
    analysis: &Analysis,
    model: Model,
    executions: &[Execution<'_>],
) -> Result<Vec<Vec<Group>>, ExecutionError> {
    let flow = Flow::new(outline);
    let rules = Rules::new(outline, analysis, model);
    let mut keys = Keys::new(&rules);
    let mut all = Vec::with_capacity(executions.len());
    for (execution, &Execution { activation, steps }) in executions.iter().enumerate() {
        if !steps.is_empty() {
            check_walk(&flow, steps, Extent::Begin).map_err(|error| ExecutionError { execution, error })?;
        }
        let mut thread = keys.thread(activation);
        let group = |&node: &Node| Group { key: keys.step(&mut thread, node), is_defined: analysis.is_defined(node) };
        all.push(steps.iter().map(group).collect());
    }
    Ok(all)
}
