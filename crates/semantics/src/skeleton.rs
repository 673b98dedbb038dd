//! The part of a program that decides which dynamic instances are converged.
//!
//! **Definition.** A *static instance* is an occurrence of an instruction in the program. All instructions of a block
//! that are no convergent operations and stand between the same two of them behave alike, so the skeleton of a function has
//! these static instances: each block, for the point at its start; and each operation, for itself.
//!
//! **Invariants.** Operations are sorted by block and, within a block, in the order of execution. The token of an
//! operation and the regions of an instance name operations that define tokens.

use std::ops::Range;

use cranelift_entity::{EntityRef, entity_impl};
use reconverge_graph::{Digraph, Node};
use smallvec::SmallVec;

/// Index into [`Skeleton::operations`].
pub type OperationIndex = u32;

/// The definitions of the tokens in whose convergence regions something is, in the order of the operations.
pub type Regions = SmallVec<[OperationIndex; 2]>;

/// A block (its start) or an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticInstance(u32);
entity_impl!(StaticInstance, "x");

/// An operation inside a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The block it is in.
    pub block: Node,
    /// What it does with tokens.
    pub kind: OperationKind,
    /// The regions that its point, right before it, is in.
    pub regions: Regions,
}

/// What an operation does with convergence tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// Nothing: it is no convergent operation, or an uncontrolled one.
    Plain,
    /// It defines the token of the function (`llvm.experimental.convergence.entry`).
    Entry,
    /// It defines a token for each iteration (`llvm.experimental.convergence.loop`).
    Loop {
        /// The definition of the token that it uses.
        token: OperationIndex,
    },
    /// It defines a token for an implementation-defined set of threads (`llvm.experimental.convergence.anchor`).
    Anchor,
    /// It is a controlled convergent operation.
    Controlled {
        /// The definition of the token that it uses.
        token: OperationIndex,
    },
}

impl OperationKind {
    /// Whether other operations can use its token.
    pub fn defines_token(self) -> bool {
        matches!(self, OperationKind::Entry | OperationKind::Loop { .. } | OperationKind::Anchor)
    }

    /// The definition of the token that it uses.
    pub fn token(self) -> Option<OperationIndex> {
        match self {
            OperationKind::Loop { token } | OperationKind::Controlled { token } => Some(token),
            _ => None,
        }
    }
}

/// One function, as the definitions of convergence see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skeleton {
    /// The control-flow graph.
    pub graph: Digraph,
    /// The operations, sorted by block.
    pub operations: Vec<Operation>,
    /// By block: the regions that its start is in.
    pub block_regions: Vec<Regions>,
    /// By block: the first of its operations; one element more than there are blocks.
    first: Vec<OperationIndex>,
}

impl Skeleton {
    /// A program without tokens.
    pub fn of_graph(graph: Digraph) -> Skeleton {
        let blocks = graph.node_count();
        Skeleton::new(graph, Vec::new(), vec![Regions::new(); blocks])
    }

    /// O(blocks + operations + regions).
    ///
    /// # Panics
    /// When operations are not sorted by block, there is not one element of `block_regions` for each block, or a token or
    /// region is not that of an operation that defines a token.
    pub fn new(graph: Digraph, operations: Vec<Operation>, block_regions: Vec<Regions>) -> Skeleton {
        assert!(operations.is_sorted_by_key(|operation| operation.block), "operations are sorted by block");
        assert_eq!(block_regions.len(), graph.node_count(), "each block has its regions");
        let in_operations = operations.iter().flat_map(|operation| operation.regions.iter().copied());
        let tokens = operations.iter().filter_map(|operation| operation.kind.token());
        for definition in block_regions.iter().flatten().copied().chain(in_operations).chain(tokens) {
            let definition = operations.get(definition as usize);
            assert!(definition.is_some_and(|it| it.kind.defines_token()), "a token has a definition");
        }
        let mut first = vec![0; graph.node_count() + 1];
        for operation in &operations {
            first[operation.block.index() + 1] += 1;
        }
        for block in 1..first.len() {
            first[block] += first[block - 1];
        }
        Skeleton { graph, operations, block_regions, first }
    }

    /// The operations of a block, in the order of execution.
    pub fn operations_of(&self, block: Node) -> Range<OperationIndex> {
        self.first[block.index()]..self.first[block.index() + 1]
    }

    /// The static instance of a block.
    pub fn block_instance(&self, block: Node) -> StaticInstance {
        StaticInstance(block.as_u32())
    }

    /// The static instance of an operation.
    pub fn operation_instance(&self, operation: OperationIndex) -> StaticInstance {
        StaticInstance(self.graph.node_count() as u32 + operation)
    }

    /// The operation that a static instance is; none when it is a block.
    pub fn operation(&self, instance: StaticInstance) -> Option<OperationIndex> {
        instance.0.checked_sub(self.graph.node_count() as u32)
    }

    /// The block that a static instance is or is in.
    pub fn block_of(&self, instance: StaticInstance) -> Node {
        match self.operation(instance) {
            Some(operation) => self.operations[operation as usize].block,
            None => Node::new(instance.index()),
        }
    }

    /// The regions that the point of a static instance is in.
    pub fn regions_of(&self, instance: StaticInstance) -> &[OperationIndex] {
        match self.operation(instance) {
            Some(operation) => &self.operations[operation as usize].regions,
            None => &self.block_regions[instance.index()],
        }
    }

    /// Whether any operation defines or uses a token.
    pub fn has_tokens(&self) -> bool {
        self.operations.iter().any(|operation| operation.kind != OperationKind::Plain)
    }
}
