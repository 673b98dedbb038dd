//! Where control flow goes once each irreducible cycle has one header: new nodes, and who leads to them.
//!
//! The nodes of the new graph are the blocks, then a *dispatcher* for each irreducible cycle, then *forwarders*: blocks that only tell apart
//! two edges of one block into one dispatcher.
//!
//! An edge `p → e` *enters* the irreducible cycles that contain `e` and not `p`, and the cycle of which `e` is the header if `p` is in it. They
//! are one inside the other, and the edge goes through their dispatchers, the outermost first. All entries of all of these
//! cycles that are connected in this way have numbers of one *group*, so that a dispatcher can hand a number on.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Node};
use reconverge_ir::Function;
use reconverge_ir::function::Block;
use rustc_hash::FxHashMap;

/// The new header of a cycle.
pub(super) struct Dispatcher {
    pub cycle: Cycle,
    /// The block that was the header.
    pub header: Block,
    /// The entries, the old header first; with each, where the dispatcher goes for it: there, or to the dispatcher of a cycle inside.
    pub entries: Vec<(Block, Node)>,
    /// The edges to it: one for each that its phis need a value for.
    pub incoming: Vec<Incoming>,
    /// Which dispatchers number entries together.
    pub group: usize,
}

/// An edge to a dispatcher.
#[derive(Clone, Copy)]
pub(super) struct Incoming {
    /// Where it comes from in the new graph.
    pub source: Node,
    pub kind: IncomingKind,
}

#[derive(Clone, Copy)]
pub(super) enum IncomingKind {
    /// What was an edge from a block to an entry.
    Edge { from: Block, to: Block },
    /// The dispatcher of a cycle around, which hands on what it has.
    Dispatcher(usize),
}

/// A block that only goes on.
pub(super) struct Forwarder {
    pub from: Block,
    pub to: Node,
}

/// The new graph.
pub(super) struct Plan {
    blocks: usize,
    pub dispatchers: Vec<Dispatcher>,
    pub forwarders: Vec<Forwarder>,
    /// Where edges between two blocks go now, if not there.
    pub redirected: FxHashMap<(Block, Block), Node>,
    /// For each block the dispatcher of the innermost irreducible cycle around it.
    innermost: Vec<Option<usize>>,
    /// Whether that one goes to the block.
    is_entry: Vec<bool>,
    /// The numbers of entries, by group, and how many a group has.
    numbers: FxHashMap<(usize, Block), usize>,
    counts: FxHashMap<usize, usize>,
}

/// What a node of the new graph is.
pub(super) enum NodeKind {
    Block(Block),
    Dispatcher(usize),
    Forwarder(usize),
}

impl Plan {
    /// The plan for a function with irreducible cycles. Linear in blocks, edges and the entries of cycles.
    pub(super) fn new(function: &Function, search: &DepthFirst, forest: &CycleForest) -> Plan {
        let blocks = function.blocks.len();
        let mut plan = Plan {
            blocks,
            dispatchers: Vec::new(),
            forwarders: Vec::new(),
            redirected: FxHashMap::default(),
            innermost: vec![None; blocks],
            is_entry: vec![false; blocks],
            numbers: FxHashMap::default(),
            counts: FxHashMap::default(),
        };
        // For each cycle its dispatcher, or that of the closest irreducible cycle around.
        let mut above: Vec<Option<usize>> = Vec::with_capacity(forest.cycles.len());
        for (cycle, data) in &forest.cycles {
            let outer = data.parent.and_then(|parent| above[parent.index()]);
            above.push(if forest.is_reducible(cycle) { outer } else { Some(plan.dispatchers.len()) });
            if !forest.is_reducible(cycle) {
                let group = plan.dispatchers.len();
                let header = Block::new(data.header.index());
                plan.dispatchers.push(Dispatcher { cycle, header, entries: Vec::new(), incoming: Vec::new(), group });
            }
        }
        for block in function.blocks.keys() {
            plan.innermost[block.index()] =
                forest.innermost(Node::new(block.index())).and_then(|cycle| above[cycle.index()]);
        }
        let outer: Vec<Option<usize>> = plan
            .dispatchers
            .iter()
            .map(|dispatcher| forest.cycles[dispatcher.cycle].parent.and_then(|parent| above[parent.index()]))
            .collect();
        plan.find_entries(function, forest, &outer);
        plan.number();
        plan.redirect(function, search, forest, &outer);
        plan
    }

    /// The node of a dispatcher.
    pub(super) fn node(&self, dispatcher: usize) -> Node {
        Node::new(self.blocks + dispatcher)
    }

    pub(super) fn kind(&self, node: Node) -> NodeKind {
        match node.index().checked_sub(self.blocks) {
            None => NodeKind::Block(Block::new(node.index())),
            Some(index) if index < self.dispatchers.len() => NodeKind::Dispatcher(index),
            Some(index) => NodeKind::Forwarder(index - self.dispatchers.len()),
        }
    }

    /// The dispatcher that leads to a block which is an entry.
    pub(super) fn last_dispatcher(&self, entry: Block) -> Option<usize> {
        self.innermost[entry.index()].filter(|_| self.is_entry[entry.index()])
    }

    /// The number of an entry for a dispatcher.
    pub(super) fn number_of(&self, dispatcher: usize, entry: Block) -> usize {
        self.numbers.get(&(self.dispatchers[dispatcher].group, entry)).copied().unwrap_or_default()
    }

    /// Whether one bit tells the entries of a dispatcher apart, and those of all that it hands numbers to.
    pub(super) fn is_binary(&self, dispatcher: usize) -> bool {
        self.counts[&self.dispatchers[dispatcher].group] == 2
    }

    fn find_entries(&mut self, function: &Function, forest: &CycleForest, outer: &[Option<usize>]) {
        for block in function.blocks.keys() {
            let mut hop = Node::new(block.index());
            let mut next = self.innermost[block.index()];
            while let Some(index) = next {
                if !forest.is_entry(self.dispatchers[index].cycle, Node::new(block.index())) {
                    break;
                }
                self.is_entry[block.index()] = true;
                self.dispatchers[index].entries.push((block, hop));
                hop = self.node(index);
                next = outer[index];
            }
        }
        for dispatcher in &mut self.dispatchers {
            let header = dispatcher.entries.iter().position(|&(entry, _)| entry == dispatcher.header);
            header.into_iter().for_each(|at| dispatcher.entries[..=at].rotate_right(1));
        }
    }

    fn number(&mut self) {
        // Outer cycles come first.
        for index in 0..self.dispatchers.len() {
            let group = self.dispatchers[index].group;
            for at in 0..self.dispatchers[index].entries.len() {
                let (entry, hop) = self.dispatchers[index].entries[at];
                if let NodeKind::Dispatcher(inner) = self.kind(hop) {
                    self.dispatchers[inner].group = group;
                }
                let count = self.counts.entry(group).or_default();
                self.numbers.entry((group, entry)).or_insert_with(|| {
                    *count += 1;
                    *count - 1
                });
            }
        }
    }

    /// The dispatcher that an edge has to go through first.
    fn route(&self, forest: &CycleForest, outer: &[Option<usize>], from: Block, to: Block) -> Option<usize> {
        let (from, mut first, mut next) = (Node::new(from.index()), None, self.innermost[to.index()]);
        while let Some(index) = next {
            let dispatcher = &self.dispatchers[index];
            if forest.contains(dispatcher.cycle, from) {
                return first.or((dispatcher.header == to).then_some(index));
            }
            first = next;
            next = outer[index];
        }
        first
    }

    fn redirect(&mut self, function: &Function, search: &DepthFirst, forest: &CycleForest, outer: &[Option<usize>]) {
        let mut routes: Vec<(Block, usize)> = Vec::new();
        // For each dispatcher the one block for which edges lead to it, if it is one.
        let mut targets: FxHashMap<usize, Option<Block>> = FxHashMap::default();
        for from in function.blocks.keys() {
            // An edge that no thread takes makes no cycle irreducible.
            if !search.is_reachable(Node::new(from.index())) {
                continue;
            }
            routes.clear();
            let successors = function.successors(from).iter();
            routes.extend(successors.filter_map(|&to| Some((to, self.route(forest, outer, from, to)?))));
            targets.clear();
            for &(to, index) in &routes {
                let target = targets.entry(index).or_insert(Some(to));
                *target = target.filter(|&other| other == to);
            }
            for &(to, index) in &routes {
                let edge = IncomingKind::Edge { from, to };
                if targets[&index].is_some() {
                    self.redirected.insert((from, to), self.node(index));
                    self.dispatchers[index].incoming.push(Incoming { source: Node::new(from.index()), kind: edge });
                } else if !self.redirected.contains_key(&(from, to)) {
                    let source = Node::new(self.blocks + self.dispatchers.len() + self.forwarders.len());
                    self.forwarders.push(Forwarder { from, to: self.node(index) });
                    self.redirected.insert((from, to), source);
                    self.dispatchers[index].incoming.push(Incoming { source, kind: edge });
                }
            }
        }
        for index in 0..self.dispatchers.len() {
            for at in 1..self.dispatchers[index].entries.len() {
                if let NodeKind::Dispatcher(inner) = self.kind(self.dispatchers[index].entries[at].1) {
                    let incoming = Incoming { source: self.node(index), kind: IncomingKind::Dispatcher(index) };
                    self.dispatchers[inner].incoming.push(incoming);
                }
            }
        }
    }
}
