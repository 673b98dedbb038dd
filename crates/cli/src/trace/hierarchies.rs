//! Which cycle hierarchy, and what holds in which of them.

use anyhow::bail;
use reconverge_graph::{CycleForest, Digraph, SuccessorOrder, hierarchies};
use reconverge_semantics::{Model, StaticInstance, Trace, markdown_grid, text_grid};
use serde::Serialize;

use super::names::Names;
use super::{Subject, is_shown};
use crate::arguments::TableFormat;
use crate::session::counted;

/// The hierarchies of a function, in the order of `cycles --all-hierarchies`.
pub(super) struct Hierarchies {
    forests: Vec<CycleForest>,
    is_complete: bool,
    /// The one that LLVM finds, and its place among the others, if they were not cut off before.
    llvm: CycleForest,
    llvm_place: Option<usize>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'h> {
    pub(super) forest: &'h CycleForest,
    place: Option<usize>,
}

#[derive(Serialize)]
pub(super) struct HierarchyReport {
    /// Counted from 1; nothing when the hierarchies were cut off before it.
    number: Option<usize>,
    /// How many there are.
    of: usize,
    /// Whether there are no more.
    complete: bool,
    headers: Vec<String>,
}

impl Hierarchies {
    pub(super) fn find(graph: &Digraph, most: usize) -> Hierarchies {
        let all = hierarchies(graph, most);
        let is_complete = all.is_complete();
        let forests: Vec<CycleForest> = all.collect();
        let llvm = CycleForest::compute(graph, SuccessorOrder::Reverse);
        let llvm_place = forests.iter().position(|forest| is_same(graph, forest, &llvm));
        Hierarchies { forests, is_complete, llvm, llvm_place }
    }

    /// By its number, counted from 1, or the one that LLVM finds.
    pub(super) fn choose(&self, number: Option<u32>) -> anyhow::Result<Chosen<'_>> {
        let Some(number) = number else { return Ok(Chosen { forest: &self.llvm, place: self.llvm_place }) };
        let place = number as usize - 1;
        let Some(forest) = self.forests.get(place) else {
            let count = self.forests.len();
            let these = if count == 1 { "one cycle hierarchy" } else { &format!("{count} cycle hierarchies") };
            let more = if self.is_complete { "" } else { " or more (see --max-hierarchies)" };
            bail!("--hierarchy {number}: the function has {these}{more}");
        };
        Ok(Chosen { forest, place: Some(place) })
    }

    /// Whether there is only one.
    fn is_single(&self) -> bool {
        self.is_complete && self.forests.len() == 1
    }
}

/// Whether two forests of a graph have the same cycles with the same headers.
fn is_same(graph: &Digraph, one: &CycleForest, other: &CycleForest) -> bool {
    graph.nodes().all(|node| {
        let headers = |forest: &'_ CycleForest| -> Vec<_> {
            forest.containing(node).map(|cycle| forest.cycles[cycle].header).collect()
        };
        headers(one) == headers(other)
    })
}

impl HierarchyReport {
    pub(super) fn new(names: &Names<'_>, hierarchies: &Hierarchies, chosen: Chosen<'_>) -> HierarchyReport {
        HierarchyReport {
            number: chosen.place.map(|place| place + 1),
            of: hierarchies.forests.len(),
            complete: hierarchies.is_complete,
            headers: names.headers(chosen.forest),
        }
    }

    /// For a title; empty when there is no choice.
    pub(super) fn describe(&self) -> String {
        if self.complete && self.of == 1 {
            return String::new();
        }
        let which = self.number.map_or("LLVM's hierarchy beside".to_owned(), |number| format!("hierarchy {number} of"));
        let more = if self.complete { "" } else { " or more" };
        format!(", {which} {}{more} ({})", self.of, headers(&self.headers))
    }
}

fn headers(names: &[String]) -> String {
    let what = if names.len() == 1 { "header" } else { "headers" };
    format!("{what} {}", names.join(", "))
}

/// In which hierarchies pairs of instances are converged.
#[derive(Serialize)]
pub(super) struct PairsReport {
    model: &'static str,
    hierarchies: Vec<Headers>,
    complete: bool,
    threads: Vec<Thread>,
    pairs: Vec<Pair>,
}

#[derive(Serialize)]
struct Headers {
    headers: Vec<String>,
}

#[derive(Serialize)]
struct Thread {
    instances: Vec<Instance>,
}

#[derive(Serialize)]
struct Instance {
    block: String,
    /// For operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    name: String,
    /// By hierarchy.
    keys: Vec<u32>,
}

#[derive(Serialize)]
struct Pair {
    /// Counted from 1.
    threads: [usize; 2],
    /// The places among the instances of these threads.
    instances: [usize; 2],
    names: [String; 2],
    /// The numbers of hierarchies.
    converged_in: Vec<usize>,
}

impl PairsReport {
    pub(super) fn new<'h>(
        subject: &Subject<'_>,
        hierarchies: &'h Hierarchies,
        model: impl Fn(&'h CycleForest) -> anyhow::Result<Model<'h>>,
    ) -> anyhow::Result<PairsReport> {
        let models = hierarchies.forests.iter().map(model).collect::<anyhow::Result<Vec<_>>>()?;
        let traces: Vec<Trace> =
            models.iter().map(|&model| Trace::compute(subject.skeleton, model, subject.paths)).collect();
        let skeleton = subject.skeleton;
        // By thread: the positions that are shown, and what is there.
        let shown: Vec<Vec<(usize, StaticInstance)>> = traces[0]
            .threads
            .iter()
            .map(|row| row.iter().map(|one| one.instance).enumerate())
            .map(|row| row.filter(|&(_, instance)| is_shown(skeleton, instance)).collect())
            .collect();
        let instance = |thread: usize, position: usize, instance: StaticInstance| Instance {
            block: subject.names.block(skeleton.block_of(instance)),
            operation: skeleton.operation(instance).map(|operation| subject.names.operation(operation).to_owned()),
            name: subject.instance_names.get(thread, position).to_owned(),
            keys: traces.iter().map(|trace| trace.threads[thread][position].key.0).collect(),
        };
        let row = |(thread, row): (usize, &Vec<(usize, StaticInstance)>)| Thread {
            instances: row.iter().map(|&(position, what)| instance(thread, position, what)).collect(),
        };
        let threads: Vec<Thread> = shown.iter().enumerate().map(row).collect();
        let mut pairs = Vec::new();
        for one in 0..threads.len() {
            for other in one + 1..threads.len() {
                for (i, &(_, what)) in shown[one].iter().enumerate() {
                    for (j, _) in shown[other].iter().enumerate().filter(|(_, (_, theirs))| *theirs == what) {
                        let (first, second) = (&threads[one].instances[i], &threads[other].instances[j]);
                        let same =
                            (1..).zip(first.keys.iter().zip(&second.keys)).filter(|(_, (mine, theirs))| mine == theirs);
                        pairs.push(Pair {
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
                .map(|forest| Headers { headers: subject.names.headers(forest) })
                .collect(),
            complete: hierarchies.is_complete,
            threads,
            pairs,
        })
    }

    pub(super) fn describe(
        &self,
        place: &str,
        names: &Names<'_>,
        hierarchies: &Hierarchies,
        format: TableFormat,
    ) -> String {
        let count = self.hierarchies.len();
        let more = if self.complete { "" } else { " or more" };
        let kinds = if count == 1 { "1 hierarchy".to_owned() } else { format!("{count}{more} hierarchies") };
        let mut text = format!("{place}, {} convergence in {kinds}\n\n", self.model);
        if !hierarchies.is_single() {
            let mut lines = vec![["hierarchy".to_owned(), "headers".to_owned()].to_vec()];
            for (number, forest) in (1..).zip(&hierarchies.forests) {
                let mark = if hierarchies.llvm_place == Some(number - 1) { " (LLVM's)" } else { "" };
                lines.push(vec![format!("{number}{mark}"), names.headers(forest).join(", ")]);
            }
            text.push_str(&grid(&lines, format));
            text.push('\n');
        }
        let head = ["thread", "instance", "thread", "instance", "converged in"].map(str::to_owned);
        let mut lines = vec![head.to_vec()];
        for pair in &self.pairs {
            let all = match pair.converged_in.len() {
                0 => "none".to_owned(),
                some if some == count => "all".to_owned(),
                _ => pair.converged_in.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
            };
            let [one, other] = pair.threads.map(|thread| thread.to_string());
            let [first, second] = pair.names.clone();
            lines.push(vec![one, first, other, second, all]);
        }
        text.push_str(&grid(&lines, format));
        let depending =
            self.pairs.iter().filter(|pair| !matches!(pair.converged_in.len(), some if some == 0 || some == count));
        let depending = depending.count();
        let (pairs, depend) = (counted(self.pairs.len(), "pair"), if depending == 1 { "depends" } else { "depend" });
        text.push_str(&format!("\n{depending} of {pairs} {depend} on the hierarchy\n\n"));
        text
    }
}

pub(super) fn grid(lines: &[Vec<String>], format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown_grid(lines),
        _ => text_grid(lines),
    }
}
