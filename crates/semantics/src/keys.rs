//! Keys: dynamic instances of different threads are converged iff their keys are equal.
//!
//! **Definition.** Let `X` be a static instance, executed by a thread. (All threads of a trace began the function
//! together; calls of it are not told apart here.)
//!
//! - *Maximal*, for a cycle hierarchy ("Maximal Convergence"): `(X, key(h))`, where `h` is the thread's latest dynamic
//!   instance, before this one, of the header of any cycle that contains `X`; `(X)` when there is none. Inside the
//!   header's block, the start of the block is before the operations.
//! - *Controlled* ("Dynamic Instances and Convergence Tokens"), with `D` the definition of the token that `X` uses, and the latest
//!   instance of `D`: a controlled operation is `(X, key(D))`; a heart `(X, key(D), n)`, for its `n`-th execution with that
//!   token; an entry `(X)`; an anchor what the [`AnchorPolicy`] says; and everything else *controlled maximal*: `(X, the
//!   keys of all D whose region contains X, key(h))` ("Controlled Maximal Convergence").
//! - *Immediate post-dominators*, as reconvergence stacks have it: `(X, s)`, where the stack `s` consists of the pairs of a branch's
//!   dynamic instance and the successor it took, for all branches whose immediate post-dominator the thread has not
//!   reached since. A way into an endless loop ends at no post-dominator, so that its branches stay on the stack.
//!
//! **Why `h` alone.** Every header instance before `h` is convergence-before what is converged with `h`, so the
//! rule for it follows from that for `h`; and if two latest instances are not converged, one of them is not
//! convergence-before the other thread's `X` (`tests/it/random.rs` compares with the definition).
//!
//! **Invariants.** Within a thread all keys are distinct, and *convergence-before* is acyclic, if the program keeps the static
//! rules of convergence control; [`ConvergenceOrder`](crate::ConvergenceOrder) checks both.
//!
//! **Algorithm.** Keys are hash-consed. The latest header instances that still matter form a stack, outermost cycle first: a
//! thread that leaves a cycle and comes back has executed the header of a cycle around it since, so what it leaves
//! can be forgotten. So a step is O(1) amortised, plus the number of regions it is in.

use reconverge_graph::{Cycle, CycleForest, Node, PostDominators};
use rustc_hash::FxHashMap;

use crate::skeleton::{OperationIndex, OperationKind, Skeleton, StaticInstance};

/// The key of a dynamic instance: equal iff converged, between threads of the same [`Keys`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u32);

/// Which dynamic instances are converged.
#[derive(Debug, Clone, Copy)]
pub enum Model<'a> {
    /// Maximal convergence in a cycle hierarchy; tokens do not count.
    Maximal(&'a CycleForest),
    /// What tokens say of convergent operations, and controlled maximal convergence in a cycle hierarchy of the others.
    Controlled(&'a CycleForest, AnchorPolicy),
    /// Threads that part at a branch meet again at its immediate post-dominator; tokens do not count.
    ImmediatePostDominator(&'a PostDominators),
}

/// Which dynamic instances of an anchor are converged. The documents leave that to the implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnchorPolicy {
    /// Those that would be if it were not convergent.
    #[default]
    Maximal,
    /// None.
    Solo,
}

/// What a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    /// A static instance under a header's instance or a stack of branches, inside the regions of some tokens.
    Executed { instance: StaticInstance, under: Option<Key>, tokens: Option<Key> },
    /// A controlled operation with a token.
    Controlled { instance: StaticInstance, token: Option<Key> },
    /// The `nth` execution of a heart with a token.
    Heart { instance: StaticInstance, token: Option<Key>, nth: u32 },
    /// The `nth` thing that a thread does alone.
    Solo { thread: u32, nth: u32 },
    /// A list of tokens.
    Tokens { before: Option<Key>, last: Option<Key> },
    /// A stack of branches.
    Branch { below: Option<Key>, branch: Key, successor: Node },
}

/// Gives keys to the dynamic instances of any number of threads.
#[derive(Debug)]
pub struct Keys<'a> {
    skeleton: &'a Skeleton,
    model: Model<'a>,
    keys: FxHashMap<Shape, Key>,
    threads: u32,
}

/// What a thread has executed, as far as it decides the keys to come.
#[derive(Debug, Clone)]
pub struct Thread {
    number: u32,
    /// The latest instances of headers of the cycles that the thread is in, outermost first.
    headers: Vec<(Cycle, Key)>,
    /// By operation: the latest token.
    tokens: Vec<Option<Key>>,
    /// By operation: how often a heart was executed, and with which token.
    hearts: Vec<(Option<Key>, u32)>,
    /// How many anchors it executed alone.
    alone: u32,
    /// The branches whose immediate post-dominator was not reached yet, and the stack up to each.
    branches: Vec<(Option<Node>, Key)>,
    /// The block executed last.
    last: Option<(Node, Key)>,
}

impl<'a> Keys<'a> {
    /// No keys yet.
    pub fn new(skeleton: &'a Skeleton, model: Model<'a>) -> Keys<'a> {
        Keys { skeleton, model, keys: FxHashMap::default(), threads: 0 }
    }

    /// A thread that has not executed anything; O(operations).
    pub fn thread(&mut self) -> Thread {
        let operations = self.skeleton.operations.len();
        self.threads += 1;
        Thread {
            number: self.threads - 1,
            headers: Vec::new(),
            tokens: vec![None; operations],
            hearts: vec![(None, 0); operations],
            alone: 0,
            branches: Vec::new(),
            last: None,
        }
    }

    /// The thread executes a block: says the key of its start, then those of its operations, in order.
    pub fn execute(&mut self, thread: &mut Thread, block: Node, mut each: impl FnMut(StaticInstance, Key)) {
        let instance = self.skeleton.block_instance(block);
        let key = self.enter(thread, block, instance);
        each(instance, key);
        for operation in self.skeleton.operations_of(block) {
            let key = self.operation(thread, operation);
            each(self.skeleton.operation_instance(operation), key);
        }
    }

    fn key(&mut self, shape: Shape) -> Key {
        let next = Key(self.keys.len() as u32);
        *self.keys.entry(shape).or_insert(next)
    }

    fn enter(&mut self, thread: &mut Thread, block: Node, instance: StaticInstance) -> Key {
        match self.model {
            Model::Maximal(forest) | Model::Controlled(forest, _) => {
                while thread.headers.last().is_some_and(|&(cycle, _)| !forest.contains(cycle, block)) {
                    thread.headers.pop();
                }
                let key = self.executed(thread, instance);
                if let Some(cycle) = forest.innermost(block).filter(|&cycle| forest.cycles[cycle].header == block) {
                    thread.headers.pop_if(|&mut (latest, _)| latest == cycle);
                    thread.headers.push((cycle, key));
                }
                key
            }
            Model::ImmediatePostDominator(post_dominators) => {
                if let Some((before, branch)) = thread.last {
                    let below = thread.branches.last().map(|&(_, stack)| stack);
                    let stack = self.key(Shape::Branch { below, branch, successor: block });
                    thread.branches.push((post_dominators.immediate_post_dominator(before), stack));
                    while thread.branches.pop_if(|&mut (end, _)| end == Some(block)).is_some() {}
                }
                let key = self.executed(thread, instance);
                thread.last = Some((block, key));
                key
            }
        }
    }

    /// The key of what has no say in it itself.
    fn executed(&mut self, thread: &Thread, instance: StaticInstance) -> Key {
        let (under, tokens) = match self.model {
            Model::Maximal(_) => (thread.headers.last().map(|&(_, key)| key), None),
            Model::Controlled(..) => {
                let skeleton = self.skeleton;
                let mut tokens = None;
                for &definition in skeleton.regions_of(instance) {
                    let last = thread.tokens[definition as usize];
                    tokens = Some(self.key(Shape::Tokens { before: tokens, last }));
                }
                (thread.headers.last().map(|&(_, key)| key), tokens)
            }
            Model::ImmediatePostDominator(_) => (thread.branches.last().map(|&(_, key)| key), None),
        };
        self.key(Shape::Executed { instance, under, tokens })
    }

    fn operation(&mut self, thread: &mut Thread, operation: OperationIndex) -> Key {
        let instance = self.skeleton.operation_instance(operation);
        let Model::Controlled(_, anchors) = self.model else { return self.executed(thread, instance) };
        let kind = self.skeleton.operations[operation as usize].kind;
        let key = match kind {
            OperationKind::Plain => self.executed(thread, instance),
            OperationKind::Entry => self.key(Shape::Executed { instance, under: None, tokens: None }),
            OperationKind::Anchor => match anchors {
                AnchorPolicy::Maximal => self.executed(thread, instance),
                AnchorPolicy::Solo => {
                    thread.alone += 1;
                    self.key(Shape::Solo { thread: thread.number, nth: thread.alone })
                }
            },
            OperationKind::Controlled { token } => {
                self.key(Shape::Controlled { instance, token: thread.tokens[token as usize] })
            }
            OperationKind::Loop { token } => {
                let token = thread.tokens[token as usize];
                let (latest, executions) = &mut thread.hearts[operation as usize];
                if *latest != token {
                    (*latest, *executions) = (token, 0);
                }
                *executions += 1;
                let nth = *executions;
                self.key(Shape::Heart { instance, token, nth })
            }
        };
        if kind.defines_token() {
            thread.tokens[operation as usize] = Some(key);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use reconverge_graph::{Digraph, SuccessorOrder};

    /// What is kept of a thread does not grow with its path, but for what the keys themselves are.
    #[test]
    fn a_thread_keeps_as_many_headers_as_cycles_are_nested() {
        let node = Node::new;
        let edges = [(0, 1), (1, 2), (2, 2), (2, 1), (1, 3)].map(|(from, to)| (node(from), node(to)));
        let skeleton = Skeleton::of_graph(Digraph::from_edges(4, node(0), &edges));
        let forest = CycleForest::compute(&skeleton.graph, SuccessorOrder::Forward);
        let mut keys = Keys::new(&skeleton, Model::Maximal(&forest));
        let mut thread = keys.thread();
        keys.execute(&mut thread, node(0), |_, _| {});
        for _ in 0..100 {
            for block in [1, 2, 2, 2] {
                keys.execute(&mut thread, node(block), |_, _| {});
                assert!(thread.headers.len() <= 2);
            }
        }
        keys.execute(&mut thread, node(1), |_, _| {});
        keys.execute(&mut thread, node(3), |_, _| {});
        assert!(thread.headers.is_empty());
    }
}
