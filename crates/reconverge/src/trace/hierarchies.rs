//! Which cycle hierarchy, and what holds in which of them.

use reconverge_graph::{CycleForest, Digraph, hierarchies};
use reconverge_semantics::{Model, StaticInstance, Trace};
use serde::Serialize;

use super::names::Names;
use super::{Refusal, Subject, is_shown};
use crate::ErrorKind;

/// The hierarchies of a function, in the order of `cycles --all-hierarchies`.
pub(super) struct Hierarchies {
    forests: Vec<CycleForest>,
    is_complete: bool,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'h> {
    pub(super) forest: &'h CycleForest,
    place: usize,
}

/// Which cycle hierarchy an answer is for.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct HierarchyReport {
    /// Counted from 1, which is the one that LLVM finds.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Whether there are no more.
    pub complete: bool,
    /// The headers, outermost cycles first.
    pub headers: Vec<String>,
}

impl Hierarchies {
    pub(super) fn find(graph: &Digraph, most: usize) -> Hierarchies {
        let all = hierarchies(graph, most);
        let is_complete = all.is_complete();
        Hierarchies { forests: all.collect(), is_complete }
    }

    /// By its number, counted from 1, or the one that LLVM finds.
    pub(super) fn choose(&self, number: Option<u32>) -> Result<Chosen<'_>, Refusal> {
        let number = number.unwrap_or(1);
        let place = number as usize - 1;
        let Some(forest) = self.forests.get(place) else {
            let count = self.forests.len();
            let these = if count == 1 { "one cycle hierarchy" } else { &format!("{count} cycle hierarchies") };
            let more = if self.is_complete { "" } else { " or more (see --max-hierarchies)" };
            let message = format!("--hierarchy {number}: the function has {these}{more}");
            return Err((ErrorKind::Options, message));
        };
        Ok(Chosen { forest, place })
    }
}

impl HierarchyReport {
    pub(super) fn new(names: &Names<'_>, hierarchies: &Hierarchies, chosen: Chosen<'_>) -> HierarchyReport {
        HierarchyReport {
            number: chosen.place + 1,
            of: hierarchies.forests.len(),
            complete: hierarchies.is_complete,
            headers: names.headers(chosen.forest),
        }
    }
}

/// In which hierarchies pairs of instances are converged.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct PairsReport {
    /// The model: `maximal` or `controlled`.
    pub model: &'static str,
    /// The hierarchies; the first is the one that LLVM finds.
    pub hierarchies: Vec<TraceHeaders>,
    /// Whether there are no more.
    pub complete: bool,
    /// What each thread executes.
    pub threads: Vec<PairThread>,
    /// Pairs of instances of different threads.
    pub pairs: Vec<PairReport>,
}

/// A hierarchy, by its headers.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TraceHeaders {
    /// The headers, outermost cycles first.
    pub headers: Vec<String>,
}

/// What a thread executes.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct PairThread {
    /// Blocks, and operations that have to do with tokens.
    pub instances: Vec<PairInstance>,
}

/// An execution of a block or an operation.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct PairInstance {
    /// The block.
    pub block: String,
    /// For operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Its name, with a number where it may be executed more than once.
    pub name: String,
    /// By hierarchy.
    pub keys: Vec<u32>,
}

/// Executions of one block or operation by two threads.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct PairReport {
    /// The threads, counted from 1.
    pub threads: [usize; 2],
    /// The places among the instances of these threads.
    pub instances: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// The numbers of the hierarchies in which they are converged.
    pub converged_in: Vec<usize>,
}

impl PairsReport {
    pub(super) fn new<'h>(
        subject: &Subject<'_>,
        hierarchies: &'h Hierarchies,
        model: impl Fn(&'h CycleForest) -> Result<Model<'h>, Refusal>,
    ) -> Result<PairsReport, Refusal> {
        let models = hierarchies.forests.iter().map(model).collect::<Result<Vec<_>, Refusal>>()?;
        let traces: Vec<Trace> = models.iter().map(|&model| subject.trace(model)).collect();
        let skeleton = subject.skeleton;
        // By thread: the positions that are shown, and what is there.
        let shown: Vec<Vec<(usize, StaticInstance)>> = traces[0]
            .threads
            .iter()
            .map(|row| row.iter().map(|one| one.instance).enumerate())
            .map(|row| row.filter(|&(_, instance)| is_shown(skeleton, instance)).collect())
            .collect();
        let instance = |thread: usize, position: usize, instance: StaticInstance| PairInstance {
            block: subject.names.block(skeleton.block_of(instance)),
            operation: skeleton.operation(instance).map(|operation| subject.names.operation(operation).to_owned()),
            name: subject.instance_names.get(thread, position).to_owned(),
            keys: traces.iter().map(|trace| trace.threads[thread][position].key.0).collect(),
        };
        let row = |(thread, row): (usize, &Vec<(usize, StaticInstance)>)| PairThread {
            instances: row.iter().map(|&(position, what)| instance(thread, position, what)).collect(),
        };
        let threads: Vec<PairThread> = shown.iter().enumerate().map(row).collect();
        let mut pairs = Vec::new();
        for one in 0..threads.len() {
            for other in one + 1..threads.len() {
                for (i, &(_, what)) in shown[one].iter().enumerate() {
                    for (j, _) in shown[other].iter().enumerate().filter(|(_, (_, theirs))| *theirs == what) {
                        let (first, second) = (&threads[one].instances[i], &threads[other].instances[j]);
                        let same =
                            (1..).zip(first.keys.iter().zip(&second.keys)).filter(|(_, (mine, theirs))| mine == theirs);
                        pairs.push(PairReport {
                            threads: [one + 1, other + 1],
                            instances: [i, j],
                            names: [first.name.clone(), second.name.clone()],
                            converged_in: same.map(|(number, _)| number).collect(),
                        });
                    }
                }
            }
        }
        Ok(PairsReport {
            model: match models[0] {
                Model::Controlled(..) => "controlled",
                _ => "maximal",
            },
            hierarchies: hierarchies
                .forests
                .iter()
                .map(|forest| TraceHeaders { headers: subject.names.headers(forest) })
                .collect(),
            complete: hierarchies.is_complete,
            threads,
            pairs,
        })
    }
}
