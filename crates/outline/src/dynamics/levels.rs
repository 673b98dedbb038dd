//! The choice "maximal" for the contexts in which an implementation decides.
//!
//! **Definition.** The *level* of a context is the control flow of one execution of it: its nodes are the nodes of the outline that it is the context of, and the contexts right inside it, each
//! as one node; an entry leads to wherever an execution can begin. Its cycles consist of choice contexts (see the invariants of [`contexts`](super::contexts)). In a
//! hierarchy of these cycles (`reconverge_graph::cycles`), two executions of a choice context in executions of the outer context that are converged are converged iff the latest executions, before them, of a header
//! of any cycle that contains it are, or there are none: "Maximal Convergence" of LLVM IR, which the text names as an example, for each level.
//!
//! **Why that is an order.** Within a level it is what LLVM's document proves; and an execution of a context is a contiguous part of a thread's walk, so everything in it takes its place among what
//! is outside of it.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::{CycleForest, Digraph, Node as Element, SuccessorOrder};

use super::contexts::{Context, ContextKind, Contexts};
use super::flow::Flow;
use crate::{Node, Outline};

/// Cycles of the levels of a nest of contexts.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    /// By context: a hierarchy of the cycles of its level; none when it has no choice to make.
    pub(super) forests: SecondaryMap<Context, Option<CycleForest>>,
    /// By context: which node of the level around it it is.
    pub(super) elements: SecondaryMap<Context, u32>,
}

/// What is known of each level while edges are collected. Element 0 is the entry.
#[derive(Debug, Clone, Default)]
struct Level {
    count: u32,
    edges: Vec<(Element, Element)>,
}

struct Builder<'a> {
    outline: &'a Outline,
    contexts: &'a Contexts,
    levels: SecondaryMap<Context, Option<Level>>,
    of_nodes: SecondaryMap<Node, u32>,
    of_contexts: SecondaryMap<Context, u32>,
}

impl Levels {
    /// O(edges · depth of contexts), and the cost of the hierarchies.
    pub(super) fn new(outline: &Outline, flow: &Flow, contexts: &Contexts, order: SuccessorOrder) -> Levels {
        let mut builder = Builder {
            outline,
            contexts,
            levels: SecondaryMap::new(),
            of_nodes: SecondaryMap::new(),
            of_contexts: SecondaryMap::new(),
        };
        builder.number();
        if builder.levels.values().any(Option::is_some) {
            for from in outline.nodes.keys() {
                flow.successors(from).iter().for_each(|&to| builder.edge(from, to));
            }
        }
        let mut forests = SecondaryMap::new();
        for context in contexts.contexts.keys() {
            forests[context] = builder.levels[context].take().map(|level| {
                let graph = Digraph::from_edges(level.count as usize + 1, Element::new(0), &level.edges);
                CycleForest::compute(&graph, order)
            });
        }
        Levels { forests, elements: builder.of_contexts }
    }

    /// The hierarchy that decides about executions of a context, and its place there.
    pub(super) fn level_of(&self, contexts: &Contexts, context: Context) -> Option<(&CycleForest, Element)> {
        let outer = contexts.contexts[context].outer?;
        Some((self.forests[outer].as_ref()?, Element::new(self.elements[context] as usize)))
    }
}

impl Builder<'_> {
    /// Numbers the elements of the levels in which there is a choice.
    fn number(&mut self) {
        for data in self.contexts.contexts.values() {
            if let (ContextKind::Choice(_), Some(outer)) = (data.kind, data.outer) {
                self.levels[outer].get_or_insert_default();
            }
        }
        for (context, data) in &self.contexts.contexts {
            if let Some(level) = data.outer.and_then(|outer| self.levels[outer].as_mut()) {
                level.count += 1;
                self.of_contexts[context] = level.count;
            }
        }
        for node in self.outline.nodes.keys() {
            if let Some(level) = &mut self.levels[self.contexts.of[node]] {
                level.count += 1;
                self.of_nodes[node] = level.count;
                if node.index() == 0 {
                    level.edges.push((Element::new(0), Element::new(level.count as usize)));
                }
            }
        }
    }

    /// Adds a step to the level in which it stays, and to those of the contexts that it enters.
    fn edge(&mut self, from: Node, to: Node) {
        let contexts = &self.contexts.contexts;
        let deepest = match self.contexts.restarted(self.outline, Some(from), to) {
            Some(restarted) => contexts[restarted].depth - 1,
            None => u32::MAX,
        };
        let (mut source, mut source_element) = (self.contexts.of[from], self.of_nodes[from]);
        let (mut target, mut target_element) = (self.contexts.of[to], self.of_nodes[to]);
        while source != target || contexts[target].depth > deepest {
            // The deeper of the two is left, or entered; only the body has no context around it, and it is reached by both.
            if contexts[target].depth >= contexts[source].depth {
                if let Some(level) = &mut self.levels[target] {
                    level.edges.push((Element::new(0), Element::new(target_element as usize)));
                }
                let Some(outer) = contexts[target].outer else { return };
                (target, target_element) = (outer, self.of_contexts[target]);
            } else {
                let Some(outer) = contexts[source].outer else { return };
                (source, source_element) = (outer, self.of_contexts[source]);
            }
        }
        if let Some(level) = &mut self.levels[target] {
            level.edges.push((Element::new(source_element as usize), Element::new(target_element as usize)));
        }
    }
}
