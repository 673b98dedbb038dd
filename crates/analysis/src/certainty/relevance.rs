//! Which branches decide what is asked, and where threads go on after the others.
//!
//! **Definition.** A block that has to be followed to is *relevant*, and so is each block at whose end it is decided whether a relevant one is executed: that it is
//! control dependent on. After a block that ends in a branch and is not relevant, all ways meet in its immediate post-dominator, and
//! nothing that is asked happens before. So a thread goes on there. It is taken for granted that it gets there: that loops in between end.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node, PostDominators};
use reconverge_ir::Function;
use reconverge_ir::function::Block;

/// Where a thread goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instead {
    Block(Block),
    /// It ends, or returns.
    End,
}

/// The relevant blocks of a function.
pub(super) struct Relevance {
    is_relevant: Vec<bool>,
    /// By block: those whose branches decide whether it is executed.
    depends_on: Vec<Vec<Block>>,
    /// By block that ends in a branch: its immediate post-dominator. Nothing where no way from there comes to an end.
    post_dominator: Vec<Option<Instead>>,
}

impl Relevance {
    /// No block is relevant. O(edges · height of the post-dominator tree).
    pub(super) fn new(function: &Function) -> Relevance {
        let graph: Digraph = function.control_flow_graph();
        let tree = PostDominators::compute(&graph);
        let count = graph.node_count();
        let mut depends_on: Vec<Vec<Block>> = vec![Vec::new(); count];
        let mut post_dominator = vec![None; count];
        for node in graph.nodes().filter(|&node| graph.successors(node).len() > 1) {
            let block = Block::new(node.index());
            let all_end = graph.successors(node).iter().all(|&next| tree.is_reachable(next));
            let last = tree.immediate_post_dominator(node);
            if all_end {
                post_dominator[node.index()] =
                    Some(last.map_or(Instead::End, |last| Instead::Block(Block::new(last.index()))));
            }
            for &successor in graph.successors(node) {
                let mut at = Some(successor);
                while let Some(runner) = at.filter(|&runner| Some(runner) != last) {
                    let of_runner: &mut Vec<Block> = &mut depends_on[runner.index()];
                    if of_runner.last() != Some(&block) {
                        of_runner.push(block);
                    }
                    at = parent(&tree, runner);
                }
            }
        }
        Relevance { is_relevant: vec![false; count], depends_on, post_dominator }
    }

    /// Makes a block relevant. The blocks whose branches decide whether it is executed, if it was not relevant before.
    pub(super) fn add(&mut self, block: Block) -> Vec<Block> {
        match std::mem::replace(&mut self.is_relevant[block.index()], true) {
            true => Vec::new(),
            false => self.depends_on[block.index()].clone(),
        }
    }

    /// Where a thread goes on after a block that ends in a branch; nothing where the branch decides.
    pub(super) fn instead_of(&self, block: Block) -> Option<Instead> {
        self.post_dominator[block.index()].filter(|_| !self.is_relevant[block.index()])
    }
}

fn parent(tree: &PostDominators, node: Node) -> Option<Node> {
    if tree.is_reachable(node) { tree.immediate_post_dominator(node) } else { None }
}
