//! The 2024-10 text, walked by threads: each carries along the tangle of every statement that it is in, and derives the next one by the rules of the text.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use cranelift_entity::SecondaryMap;
use reconverge_outline::convergence::{Analysis, Origin};
use reconverge_outline::flow::{Point, graph};
use reconverge_outline::{Node, NodeKind, Outline};

/// A tangle, named by how it was derived.
type Tangle = u64;

/// A node that a thread executed.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) node: Node,
    /// The tangle that it was in.
    pub(crate) tangle: Tangle,
    /// The iterations and rounds that the node is in.
    pub(crate) context: Vec<(Node, usize)>,
    /// How often the origin of the node was executed, and its origin, and so on.
    instance: Vec<(Node, usize)>,
}

/// Visits of defined nodes. One tangle belongs to one instance of the origin, and the other way round.
#[derive(Default)]
pub(crate) struct Met {
    by_instance: HashMap<(Node, Vec<(Node, usize)>), Tangle>,
    by_tangle: HashMap<(Node, Tangle), Vec<(Node, usize)>>,
}

impl Met {
    /// What was seen before that contradicts this visit.
    pub(crate) fn insert(&mut self, visit: &Visit) -> Option<String> {
        let tangle = *self.by_instance.entry((visit.node, visit.instance.clone())).or_insert(visit.tangle);
        if tangle != visit.tangle {
            return Some(format!("two tangles for {:?}", visit.instance));
        }
        let instance = self.by_tangle.entry((visit.node, visit.tangle)).or_insert_with(|| visit.instance.clone());
        (*instance != visit.instance).then(|| format!("one tangle for {:?} and {instance:?}", visit.instance))
    }
}

fn derived(from: impl Hash) -> Tangle {
    let mut hasher = DefaultHasher::new();
    from.hash(&mut hasher);
    hasher.finish()
}

struct Thread<'a> {
    outline: &'a Outline,
    /// Of the latest execution of each node.
    tangle: SecondaryMap<Node, Tangle>,
    /// Of the latest iteration of each iteration statement.
    iteration: SecondaryMap<Node, Tangle>,
    iterations: SecondaryMap<Node, usize>,
    rounds: SecondaryMap<Node, usize>,
}

/// A random walk from the start of the body.
pub(crate) fn walk(
    outline: &Outline,
    analysis: &Analysis,
    steps: usize,
    below: &mut dyn FnMut(usize) -> usize,
) -> Vec<Visit> {
    let flow = graph(outline);
    let mut thread = Thread {
        outline,
        tangle: SecondaryMap::new(),
        iteration: SecondaryMap::new(),
        iterations: SecondaryMap::new(),
        rounds: SecondaryMap::new(),
    };
    let mut visits = Vec::new();
    let mut point = Point::Start(outline.body());
    let mut before = None;
    for _ in 0..steps {
        thread.step(before, point);
        if let Point::Start(node) = point {
            let instance = thread.instance(analysis, node);
            let context = thread.context(analysis, node);
            visits.push(Visit { node, tangle: thread.tangle[node], context, instance });
        }
        let next = flow.successors(point.place());
        if next.is_empty() {
            break;
        }
        before = Some(point);
        point = Point::of(next[below(next.len())]);
    }
    visits
}

impl Thread<'_> {
    fn step(&mut self, before: Option<Point>, point: Point) {
        match point {
            Point::Head(node) => {
                let is_first = match before {
                    Some(Point::Start(from)) => from == node,
                    Some(Point::End(from)) => {
                        matches!(self.outline.kind(node), NodeKind::For { init: Some(init), .. } if init == from)
                    }
                    _ => false,
                };
                if is_first {
                    self.iterations[node] = 0;
                    self.iteration[node] = derived(("first", node, self.tangle[node]));
                } else {
                    self.iterations[node] += 1;
                    self.iteration[node] = derived(("next", node, self.iteration[node]));
                }
            }
            Point::Start(node) => self.start(before, node),
            Point::End(_) => {}
        }
    }

    fn start(&mut self, before: Option<Point>, node: Node) {
        let data = &self.outline.nodes[node];
        let Some(parent) = data.parent() else {
            self.tangle[node] = derived("body");
            return;
        };
        if let Some(Point::Start(from)) = before
            && matches!(self.outline.kind(from), NodeKind::Goto(_))
        {
            self.jump(from, node);
            return;
        }
        if let Some(Point::End(condition)) = before
            && let Some(from) = self.outline.parent(condition)
            && matches!(&self.outline.kind(from), NodeKind::Switch { condition: of, labels, .. } if *of == condition && labels.contains(&node))
        {
            self.jump(from, node);
            return;
        }
        self.rounds[node] = 0;
        self.tangle[node] = match (&self.outline.kind(parent), before) {
            // The text's sequential execution: from the tangle of the statement before.
            (NodeKind::Compound, Some(Point::End(previous))) => self.tangle[previous],
            (NodeKind::For { init: Some(init), .. }, _) if *init == node => self.tangle[parent],
            (NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. }, _) => self.iteration[parent],
            _ => self.tangle[parent],
        };
    }

    fn jump(&mut self, from: Node, label: Node) {
        match self.outline.kind(from) {
            NodeKind::Goto(_) if label <= from => self.rounds[label] += 1,
            _ => self.rounds[label] = 0,
        }
        let tangle = derived(("jump", from, label, self.tangle[from]));
        self.tangle[label] = tangle;
        let mut around = self.outline.parent(label);
        while let Some(node) = around.filter(|&node| !self.outline.contains(node, from)) {
            self.tangle[node] = tangle;
            self.iteration[node] = tangle;
            around = self.outline.parent(node);
        }
    }

    fn context(&self, analysis: &Analysis, node: Node) -> Vec<(Node, usize)> {
        let outline = self.outline;
        let around = outline.ancestors(node);
        let iterations = around.filter(|&around| outline.nodes[around].is_iteration());
        let iterations = iterations.map(|iteration| (iteration, self.iterations[iteration]));
        let cycles = analysis.cycles.values().filter(|cycle| {
            analysis.rounds[cycle.first].is_some() && cycle.first <= node && node <= cycle.last && cycle.jump.is_some()
        });
        iterations.chain(cycles.map(|cycle| (cycle.first, self.rounds[cycle.first]))).collect()
    }

    fn instance(&self, analysis: &Analysis, node: Node) -> Vec<(Node, usize)> {
        let mut instance = Vec::new();
        let mut origin = analysis.places[node].origin;
        loop {
            match origin {
                Origin::Body => return instance,
                Origin::Iteration(of) => {
                    instance.push((of, self.iterations[of]));
                    origin = analysis.places[of].origin;
                }
                Origin::Round(label) => {
                    instance.push((label, self.rounds[label]));
                    origin = analysis.rounds[label].expect("a round has a first one").origin;
                }
                Origin::Execution(unit) => {
                    instance.push((unit, usize::MAX));
                    return instance;
                }
            }
            assert!(instance.len() <= self.outline.nodes.len(), "a chain that ends");
        }
    }
}
