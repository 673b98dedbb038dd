//! Random control-flow graphs, and the few facts about them that placing tokens needs.

use super::{Options, SplitMix64};

/// Successor lists of a random graph. Block 0 is the entry and has no predecessors.
pub(super) fn random(rng: &mut SplitMix64, options: &Options) -> Vec<Vec<usize>> {
    let span = options.max_blocks.max(options.min_blocks) - options.min_blocks;
    let blocks = (options.min_blocks + rng.below(span + 1)).max(1);
    let mut graph = match rng.below(100) {
        0..40 => structured(rng, blocks),
        40..65 => reducible(rng, blocks),
        _ => arbitrary(rng, blocks),
    };
    if rng.percent(options.unreachable_percent) && graph.len() > 1 {
        cut_off(rng, &mut graph);
    }
    graph
}

/// Nested conditionals and loops with breaks.
fn structured(rng: &mut SplitMix64, blocks: usize) -> Vec<Vec<usize>> {
    let mut graph = vec![Vec::new()];
    let mut end = 0;
    while graph.len() < blocks {
        end = statement(rng, &mut graph, end, blocks, &mut Vec::new());
    }
    graph
}

/// Appends a statement after block `from`; the block where control goes on. `exits` are those of the loops around it.
fn statement(
    rng: &mut SplitMix64,
    graph: &mut Vec<Vec<usize>>,
    from: usize,
    limit: usize,
    exits: &mut Vec<usize>,
) -> usize {
    let new = |graph: &mut Vec<Vec<usize>>, from: usize| {
        let block = graph.len();
        graph.push(Vec::new());
        graph[from].push(block);
        block
    };
    let body = |rng: &mut SplitMix64, graph: &mut Vec<Vec<usize>>, from: usize, exits: &mut Vec<usize>| {
        let mut end = from;
        while graph.len() < limit && rng.percent(45) {
            end = statement(rng, graph, end, limit, exits);
        }
        end
    };
    match rng.below(if exits.is_empty() { 4 } else { 5 }) {
        // if (c) { body }
        0 => {
            let then = new(graph, from);
            let then = body(rng, graph, then, exits);
            let join = new(graph, from);
            graph[then].push(join);
            join
        }
        // if (c) { body } else { body }
        1 => {
            let then = new(graph, from);
            let otherwise = new(graph, from);
            let then = body(rng, graph, then, exits);
            let otherwise = body(rng, graph, otherwise, exits);
            let join = new(graph, then);
            graph[otherwise].push(join);
            join
        }
        // while (c) { body }
        2 => {
            let header = new(graph, from);
            let first = new(graph, header);
            let exit = new(graph, header);
            exits.push(exit);
            let last = body(rng, graph, first, exits);
            exits.pop();
            graph[last].push(header);
            exit
        }
        // do { body } while (c)
        3 => {
            let header = new(graph, from);
            graph.push(Vec::new());
            let exit = graph.len() - 1;
            exits.push(exit);
            let last = body(rng, graph, header, exits);
            exits.pop();
            graph[last].extend([header, exit]);
            exit
        }
        // if (c) break;
        _ => {
            let target = *rng.pick(exits).expect("only chosen inside a loop");
            graph[from].push(target);
            new(graph, from)
        }
    }
}

/// A random acyclic graph with edges back to dominators.
fn reducible(rng: &mut SplitMix64, blocks: usize) -> Vec<Vec<usize>> {
    let mut graph = tree(rng, blocks);
    for _ in 0..rng.below(blocks) {
        let (from, to) = (rng.below(blocks), rng.below(blocks));
        if from < to && graph[from].len() < 4 {
            graph[from].push(to);
        }
    }
    let dominators = Facts::of(&graph);
    for _ in 0..rng.below(blocks / 2 + 2) {
        let from = rng.below(blocks);
        let above: Vec<usize> = (1..blocks).filter(|&block| dominators.dominates(block, from)).collect();
        if let Some(&to) = rng.pick(&above) {
            graph[from].push(to);
        }
    }
    shuffle_edges(rng, &mut graph);
    graph
}

/// A random graph, often irreducible.
fn arbitrary(rng: &mut SplitMix64, blocks: usize) -> Vec<Vec<usize>> {
    let mut graph = tree(rng, blocks);
    if blocks > 1 {
        for _ in 0..1 + rng.below(blocks) {
            let from = rng.below(blocks);
            if graph[from].len() < 4 {
                graph[from].push(1 + rng.below(blocks - 1));
            }
        }
    }
    shuffle_edges(rng, &mut graph);
    graph
}

/// A tree in which every block has an earlier one as its parent, usually a near one.
fn tree(rng: &mut SplitMix64, blocks: usize) -> Vec<Vec<usize>> {
    let mut graph = vec![Vec::new(); blocks];
    for block in 1..blocks {
        let parent = if rng.percent(60) { block - 1 } else { rng.below(block) };
        graph[parent].push(block);
    }
    graph
}

fn shuffle_edges(rng: &mut SplitMix64, graph: &mut [Vec<usize>]) {
    for edges in graph {
        for at in (1..edges.len()).rev() {
            edges.swap(at, rng.below(at + 1));
        }
    }
}

/// Takes away the edges into one block from blocks other than itself.
fn cut_off(rng: &mut SplitMix64, graph: &mut [Vec<usize>]) {
    let victim = 1 + rng.below(graph.len() - 1);
    for (block, edges) in graph.iter_mut().enumerate() {
        if block != victim {
            edges.retain(|&to| to != victim);
        }
    }
}

/// Reachability and dominance of a graph of at most 64 blocks, by bit sets: quadratic and obvious.
#[derive(Debug)]
pub(super) struct Facts {
    successors: Vec<Vec<usize>>,
    /// Blocks that can be reached from the entry, in reverse post-order.
    pub(super) order: Vec<usize>,
    dominators: Vec<u64>,
}

impl Facts {
    pub(super) fn of(successors: &[Vec<usize>]) -> Facts {
        assert!(successors.len() <= 64, "small graphs only");
        let order = reverse_post_order(successors);
        let mut dominators = vec![u64::MAX; successors.len()];
        dominators[0] = 1;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let over_predecessors = order
                    .iter()
                    .filter(|&&from| successors[from].contains(&block))
                    .fold(u64::MAX, |set, &from| set & dominators[from]);
                let set = over_predecessors | 1 << block;
                changed |= set != dominators[block];
                dominators[block] = set;
            }
        }
        Facts { successors: successors.to_vec(), order, dominators }
    }

    /// Whether every path from the entry to `block` contains `above`; true of any block that is unreachable.
    pub(super) fn dominates(&self, above: usize, block: usize) -> bool {
        self.dominators[block] >> above & 1 == 1
    }

    pub(super) fn has_edge(&self, from: usize, to: usize) -> bool {
        self.successors[from].contains(&to)
    }

    /// Whether a path with at least one edge leads from one block to another.
    pub(super) fn reaches(&self, from: usize, to: usize) -> bool {
        self.reach(from, usize::MAX) >> to & 1 == 1
    }

    /// Whether such a path avoids a block, except at its start.
    pub(super) fn reaches_without(&self, from: usize, to: usize, without: usize) -> bool {
        self.reach(from, without) >> to & 1 == 1
    }

    /// The blocks on closed paths through `block` that do not contain `without`.
    pub(super) fn closed_paths(&self, block: usize, without: usize) -> u64 {
        if block == without {
            return 0;
        }
        let after = self.reach(block, without);
        (0..self.successors.len())
            .filter(|&other| after >> other & 1 == 1 && self.reach(other, without) >> block & 1 == 1)
            .fold(0, |set, other| set | 1 << other)
    }

    /// The blocks at the ends of the non-empty paths from `block` that avoid `without`.
    fn reach(&self, block: usize, without: usize) -> u64 {
        let mut seen = 0;
        let mut pending = vec![block];
        while let Some(at) = pending.pop() {
            for &next in &self.successors[at] {
                if next != without && seen >> next & 1 == 0 {
                    seen |= 1 << next;
                    pending.push(next);
                }
            }
        }
        seen
    }
}

fn reverse_post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, edge)) = stack.last_mut() {
        let Some(&next) = successors[*block].get(*edge) else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *edge += 1;
        if !std::mem::replace(&mut seen[next], true) {
            stack.push((next, 0));
        }
    }
    order.reverse();
    order
}
