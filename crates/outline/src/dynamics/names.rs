//! Names of evaluations, and walks that are given by them.
//!
//! **Definition.** An evaluation is *named* when it is that of a convergent operation: by the function that it calls, if no other one calls it, else by the line of the call, `L12`, and where other named evaluations are on that
//! line `L12:5`, with the column. A list of names stands for the walk that passes named evaluations exactly where the list says. Full expressions without operations and jumps can be listed by line, too, and then each time,
//! to say which way a thread goes.
//!
//! Where there are several ways from one to the next, they must not differ in what decides about convergence further on: iterations of loops around the next one, `goto`s out of or inside statements around it, and
//! labels of such `switch`es; and, where the implementation decides, statements in one cycle with the next one. The shortest of those ways is taken.

use std::collections::VecDeque;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::SuccessorOrder;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::contexts::{ContextKind, Contexts};
use super::flow::{Flow, iteration_start};
use super::levels::Levels;
use crate::Location;
use crate::SourceModel;
use crate::convergence::Analysis;
use crate::{Node, NodeKind, Outline};

/// The names of a body.
#[derive(Debug)]
pub struct Names<'a> {
    outline: &'a Outline,
    flow: Flow,
    /// Of named evaluations.
    names: SecondaryMap<Node, Option<String>>,
    by_name: FxHashMap<String, Vec<Node>>,
    /// By node: its line, and column.
    positions: SecondaryMap<Node, Option<(u32, u32)>>,
    /// Of the texts that have contexts.
    nests: [(Contexts, Levels); 2],
}

/// Why names are no walk.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NamesError {
    /// Nothing has this name.
    #[error("{name}: nothing in the body is named so; evaluations are {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The names of evaluations.
        known: Vec<String>,
    },
    /// A thread cannot come from one to the next without passing others.
    #[error("{name} cannot follow {}; what can is {}", after.as_deref().unwrap_or("the start"), Follow(possible, *can_end))]
    Impossible {
        /// The position in the list, counted from 0.
        position: usize,
        /// The name before; none: the start of the body.
        after: Option<String>,
        /// The name that cannot follow.
        name: String,
        /// What can.
        possible: Vec<String>,
        /// Whether the function can end there.
        can_end: bool,
    },
    /// There are several ways, and they differ in what decides about convergence.
    #[error("there are several ways from {} to {name}: by {}; name one", after.as_deref().unwrap_or("the start"), ways.join(" or "))]
    Ambiguous {
        /// The position in the list, counted from 0.
        position: usize,
        /// The name before; none: the start of the body.
        after: Option<String>,
        /// The name that follows.
        name: String,
        /// Where the ways differ first.
        ways: Vec<String>,
    },
}

struct Follow<'a>(&'a [String], bool);

impl std::fmt::Display for Follow<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = self.1.then_some("the end of the function");
        let all: Vec<&str> = self.0.iter().map(String::as_str).chain(end).collect();
        f.write_str(if all.is_empty() { "nothing" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

impl<'a> Names<'a> {
    /// `position` gives the line and the column of a location, both from 1. Of `analysis` only the reducibility of loops is used, which is the same for all texts. O(nodes), and the cost of
    /// [`Contexts`].
    pub fn new(
        outline: &'a Outline,
        analysis: &Analysis,
        position: impl Fn(Location) -> Option<(u32, u32)>,
    ) -> Names<'a> {
        let mut calls: FxHashMap<&str, Vec<Node>> = FxHashMap::default();
        let mut lines: FxHashMap<u32, Lines> = FxHashMap::default();
        let mut positions = outline.per_node();
        for (node, data) in &outline.nodes {
            let operation = outline.operation(node);
            operation.iter().for_each(|operation| calls.entry(&operation.name).or_default().push(node));
            positions[node] = position(operation.map_or(data.location, |operation| operation.location));
            if let Some((line, _)) = positions[node] {
                lines.entry(line).or_default().add(node, outline.kind(node), operation.is_none());
            }
        }
        let mut names = outline.per_node();
        let mut by_name: FxHashMap<String, Vec<Node>> = FxHashMap::default();
        for node in outline.nodes.keys() {
            let Some(operation) = outline.operation(node) else { continue };
            let is_unique = calls[operation.name.as_str()].len() == 1;
            names[node] = Some(match positions[node] {
                _ if is_unique => operation.name.clone(),
                Some((line, _)) if lines[&line].named.len() == 1 => format!("L{line}"),
                Some((line, column)) => format!("L{line}:{column}"),
                None => node.to_string(),
            });
        }
        for (node, data) in &outline.nodes {
            names[node].iter().for_each(|name: &String| by_name.entry(name.clone()).or_default().push(node));
            let can_be_listed = data.is_expression() || names[node].is_some();
            if let (true, Some((line, column))) = (can_be_listed, positions[node]) {
                by_name.entry(format!("L{line}:{column}")).or_default().push(node);
            }
        }
        for (line, found) in lines {
            by_name.entry(format!("L{line}")).or_default().extend(found.best());
        }
        for (name, nodes) in calls {
            by_name.entry(name.to_owned()).or_default().extend(nodes);
        }
        for nodes in by_name.values_mut() {
            nodes.sort_unstable();
            nodes.dedup();
        }
        let flow = Flow::new(outline);
        let nests = [SourceModel::Clang2025_04, SourceModel::Clang2025_08].map(|text| {
            let contexts = Contexts::new(outline, |node| analysis.entered[node].is_none(), text);
            let levels = Levels::new(outline, &flow, &contexts, SuccessorOrder::Forward);
            (contexts, levels)
        });
        Names { outline, flow, names, by_name, positions, nests }
    }

    /// The name of an evaluation with a convergent operation.
    pub fn name(&self, node: Node) -> Option<&str> {
        self.names[node].as_deref()
    }

    /// All names of evaluations, in the order of the text.
    pub fn all(&self) -> impl Iterator<Item = (Node, &str)> {
        self.outline.nodes.keys().filter_map(|node| Some((node, self.name(node)?)))
    }

    /// The walk that a list of names stands for, up to the last of them. O(nodes without names in between), for each name.
    ///
    /// # Errors
    /// When there is no such walk, or several that matter.
    pub fn walk<S: AsRef<str>>(&self, list: &[S]) -> Result<Vec<Node>, NamesError> {
        if self.outline.nodes.is_empty() {
            let unknown = |name: &S| NamesError::Unknown { name: name.as_ref().to_owned(), known: Vec::new() };
            return list.first().map_or(Ok(Vec::new()), |name| Err(unknown(name)));
        }
        let mut listed = Vec::with_capacity(list.len());
        for name in list.iter().map(|name| name.as_ref().trim()) {
            let Some(targets) = self.by_name.get(name) else {
                let known = self.all().map(|(_, name)| name.to_owned()).collect();
                return Err(NamesError::Unknown { name: name.to_owned(), known });
            };
            listed.push((name, targets));
        }
        let mut stops: SecondaryMap<Node, bool> = SecondaryMap::with_capacity(self.outline.nodes.len());
        self.all().for_each(|(node, _)| stops[node] = true);
        listed.iter().for_each(|(_, targets)| targets.iter().for_each(|&node| stops[node] = true));
        let mut walk = vec![Node::new(0)];
        let mut after: Option<String> = None;
        for (position, (name, targets)) in listed.into_iter().enumerate() {
            let reach = Reach::new(self, &stops, walk[walk.len() - 1], targets);
            match reach.found[..] {
                [] => {
                    let (possible, can_end) = reach.possible(self);
                    return Err(NamesError::Impossible { position, after, name: name.to_owned(), possible, can_end });
                }
                [target] => match self.different_ways(&reach, target) {
                    None => walk.extend(reach.shortest(target)),
                    Some(ways) => return Err(NamesError::Ambiguous { position, after, name: name.to_owned(), ways }),
                },
                _ => {
                    let ways = reach.found.iter().map(|&node| self.describe(node)).collect();
                    return Err(NamesError::Ambiguous { position, after, name: name.to_owned(), ways });
                }
            }
            after = Some(name.to_owned());
        }
        Ok(walk)
    }

    fn describe(&self, node: Node) -> String {
        match (self.name(node), self.positions[node]) {
            (Some(name), _) => name.to_owned(),
            (None, Some((line, column))) if self.outline.nodes[node].is_expression() => {
                format!("L{line}:{column}")
            }
            (None, Some((line, _))) => format!("L{line}"),
            (None, None) => node.to_string(),
        }
    }

    /// Where the ways to a target differ first in what matters, if they do.
    fn different_ways(&self, reach: &Reach<'_>, target: Node) -> Option<Vec<String>> {
        let useful = reach.leading_to(target);
        let matters = self.what_matters(&useful, target);
        let mut at = reach.start;
        loop {
            // What matters and can come next, or the target.
            let mut next = Vec::new();
            let mut seen = FxHashSet::default();
            let mut work = vec![at];
            while let Some(node) = work.pop() {
                for &to in self.flow.successors(node) {
                    if (to == target || useful.contains(&to)) && seen.insert(to) {
                        if to == target || matters.contains(&to) { next.push(to) } else { work.push(to) }
                    }
                }
            }
            match next[..] {
                [only] if only == target => return None,
                [only] => at = only,
                _ => {
                    next.sort_unstable();
                    return Some(next.into_iter().map(|node| self.describe(node)).collect());
                }
            }
        }
    }

    /// The nodes between that decide about the convergence of a target: by themselves, or about a `goto` that does. O(nodes between · jumps that do).
    fn what_matters(&self, between: &FxHashSet<Node>, target: Node) -> FxHashSet<Node> {
        let mut found = FxHashSet::default();
        let mut work = vec![target];
        while let Some(later) = work.pop() {
            for &node in between {
                if !found.contains(&node) && self.matters(node, later) {
                    found.insert(node);
                    if matches!(self.outline.kind(node), NodeKind::Goto(_)) {
                        work.push(node);
                    }
                }
            }
        }
        found
    }

    /// Whether it decides about the convergence of a target that a thread passes this node on its way there.
    fn matters(&self, node: Node, target: Node) -> bool {
        let outline = self.outline;
        let is_marked = match outline.kind(node) {
            NodeKind::Goto(label) => outline
                .ancestors(label)
                .find(|&outer| outline.contains(outer, node))
                .is_some_and(|smallest| outline.contains(smallest, target)),
            NodeKind::Case(_) => outline
                .ancestors(node)
                .find(|&outer| matches!(outline.kind(outer), NodeKind::Switch { .. }))
                .is_some_and(|switch| outline.contains(switch, target)),
            _ => outline.parent(node).is_some_and(|parent| {
                iteration_start(outline, parent) == Some(node) && outline.contains(parent, target)
            }),
        };
        is_marked || self.nests.iter().any(|(contexts, levels)| self.is_chosen_on(contexts, levels, node, target))
    }

    /// Whether passing the node executes something whose repetitions are told apart where the target is, by the choice of the implementation.
    fn is_chosen_on(&self, contexts: &Contexts, levels: &Levels, node: Node, target: Node) -> bool {
        if !contexts.is_chosen(node) {
            return false;
        }
        let is_entry = matches!(self.outline.kind(node), NodeKind::Label { .. } | NodeKind::Case(_));
        let mut at = Some(contexts.of[node]);
        while let Some(context) = at {
            let data = &contexts.contexts[context];
            let is_repeated = || {
                let level = levels.level_of(contexts, context);
                level.is_some_and(|(forest, element)| forest.innermost(element).is_some())
            };
            if let (ContextKind::Choice(base), Some(outer)) = (data.kind, data.outer)
                && (base == node || is_entry)
                && contexts.contains(outer, contexts.of[target])
                && is_repeated()
            {
                return true;
            }
            at = data.outer;
        }
        false
    }
}

/// What is on a line.
#[derive(Debug, Default)]
struct Lines {
    named: Vec<Node>,
    expressions: Vec<Node>,
    jumps: Vec<Node>,
}

impl Lines {
    fn add(&mut self, node: Node, kind: NodeKind<'_>, is_unnamed: bool) {
        match kind {
            NodeKind::Expression if is_unnamed => self.expressions.push(node),
            NodeKind::Expression | NodeKind::Evaluation if !is_unnamed => self.named.push(node),
            NodeKind::Goto(_) | NodeKind::Break(_) | NodeKind::Continue(_) => self.jumps.push(node),
            NodeKind::Case(_) | NodeKind::Label { .. } | NodeKind::Simple(None) => self.jumps.push(node),
            _ => {}
        }
    }

    /// What the line stands for.
    fn best(self) -> Vec<Node> {
        [self.named, self.expressions, self.jumps].into_iter().find(|nodes| !nodes.is_empty()).unwrap_or_default()
    }
}

/// What a thread can come to from a node without passing named evaluations.
struct Reach<'a> {
    stops: &'a SecondaryMap<Node, bool>,
    start: Node,
    /// By node: from where the shortest way comes.
    before: FxHashMap<Node, Node>,
    /// All edges that were found.
    edges: Vec<(Node, Node)>,
    /// The targets among it.
    found: Vec<Node>,
    can_end: bool,
}

impl<'a> Reach<'a> {
    fn new(names: &Names<'_>, stops: &'a SecondaryMap<Node, bool>, start: Node, targets: &[Node]) -> Reach<'a> {
        let mut reach =
            Reach { stops, start, before: FxHashMap::default(), edges: Vec::new(), found: Vec::new(), can_end: false };
        let mut work = VecDeque::from([start]);
        while let Some(node) = work.pop_front() {
            reach.can_end |= names.flow.can_end(node);
            for &next in names.flow.successors(node) {
                reach.edges.push((node, next));
                if reach.before.contains_key(&next) {
                    continue;
                }
                reach.before.insert(next, node);
                if targets.binary_search(&next).is_ok() {
                    reach.found.push(next);
                } else if !stops[next] {
                    work.push_back(next);
                }
            }
        }
        reach
    }

    /// What can come next, of what has to be listed.
    fn possible(&self, names: &Names<'_>) -> (Vec<String>, bool) {
        let mut nodes: Vec<Node> = self.before.keys().copied().filter(|&node| self.stops[node]).collect();
        nodes.sort_unstable();
        (nodes.into_iter().map(|node| names.describe(node)).collect(), self.can_end)
    }

    /// The steps after the start, up to a target.
    fn shortest(&self, target: Node) -> Vec<Node> {
        let mut steps = vec![target];
        let mut at = self.before[&target];
        while at != self.start {
            steps.push(at);
            at = self.before[&at];
        }
        steps.reverse();
        steps
    }

    /// The nodes in between from which a target can be reached without passing any that stop it.
    fn leading_to(&self, target: Node) -> FxHashSet<Node> {
        let mut edges: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        for &(from, to) in &self.edges {
            edges.entry(to).or_default().push(from);
        }
        let mut leading = FxHashSet::default();
        let mut work = vec![target];
        while let Some(node) = work.pop() {
            for &from in edges.get(&node).into_iter().flatten() {
                if from != target && !self.stops[from] && leading.insert(from) {
                    work.push(from);
                }
            }
        }
        leading
    }
}
