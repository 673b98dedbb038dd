//! What convergence analyses know about one function, as flat arrays.
//!
//! A [`FlowFunction`] is a control-flow graph plus the convergent operations in it. Front ends lower
//! to it; no analysis looks at instructions. Invariant: `operations` is sorted by (block, position),
//! so the operations of one block are a contiguous slice in execution order.

use reconverge_graph::{Digraph, Node};
use smallvec::SmallVec;

/// Index into [`FlowFunction::operations`].
pub type OperationIndex = u32;

/// One function, as the convergence rules see it.
#[derive(Debug, Clone)]
pub struct FlowFunction {
    /// The control-flow graph; nodes are the blocks, in the order of the text.
    pub graph: Digraph,
    /// Whether the function has the `convergent` attribute.
    pub is_convergent: bool,
    /// Every convergent operation (and every use of a convergence token), sorted by (block, position).
    pub operations: Vec<ConvergentOperation>,
}

/// A call-site that is a convergent operation ("Convergent Operations" in the LLVM document).
#[derive(Debug, Clone)]
pub struct ConvergentOperation {
    /// The block it is in.
    pub block: Node,
    /// Its place among *all* instructions of the block, counted from 0.
    pub position: u32,
    /// What is called.
    pub kind: OperationKind,
    /// One element per `convergencectrl` bundle of the call, in order; each lists the operands of that bundle.
    pub bundles: SmallVec<[TokenBundle; 1]>,
}

/// The operands of one `convergencectrl` bundle. A well-formed bundle has exactly one.
pub type TokenBundle = SmallVec<[TokenSource; 1]>;

/// What a convergent operation calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// `llvm.experimental.convergence.entry`
    Entry,
    /// `llvm.experimental.convergence.loop`
    Loop,
    /// `llvm.experimental.convergence.anchor`
    Anchor,
    /// Anything else.
    Call,
}

/// Where the operand of a `convergencectrl` bundle comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenSource {
    /// The result of this convergent operation. Only `Entry`, `Loop` and `Anchor` may produce convergence
    /// tokens; a `Call` here breaks that rule.
    Operation(OperationIndex),
    /// Something that is not a convergent operation and so never a convergence token.
    Other(NotAToken),
}

/// The ways in which an operand can fail to be a convergence token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotAToken {
    /// `poison`
    Poison,
    /// `undef`
    Undef,
    /// The `none` token or another constant
    Constant,
    /// A parameter of the function
    Argument,
    /// A `phi`
    Phi,
    /// A `select`
    Select,
    /// Any other instruction, such as a non-convergent call that returns a token
    Instruction,
}

impl OperationKind {
    /// Whether this is one of the three convergence control intrinsics, which produce tokens.
    pub fn defines_token(self) -> bool {
        self != OperationKind::Call
    }
}

impl ConvergentOperation {
    /// Whether the call has an explicit `convergencectrl` bundle ("controlled").
    pub fn is_controlled(&self) -> bool {
        !self.bundles.is_empty()
    }
}

/// A use of a convergence token: `operation` names, in some `convergencectrl` bundle, the result of the
/// convergence control intrinsic `definition`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenUse {
    /// The operation with the bundle.
    pub operation: OperationIndex,
    /// The intrinsic that produced the token.
    pub definition: OperationIndex,
}

impl FlowFunction {
    /// The operation that produces the token `source`, when `source` is a convergence token at all.
    pub fn token_definition(&self, source: TokenSource) -> Option<OperationIndex> {
        match source {
            TokenSource::Operation(index) => {
                self.operations.get(index as usize).filter(|operation| operation.kind.defines_token()).map(|_| index)
            }
            TokenSource::Other(_) => None,
        }
    }

    /// Every use of a convergence token, sorted; an operation that names one token twice uses it once.
    /// O(operands), plus sorting within an operation.
    pub fn token_uses(&self) -> Vec<TokenUse> {
        let mut uses = Vec::new();
        for (operation, index) in self.operations.iter().zip(0..) {
            let first = uses.len();
            let sources = operation.bundles.iter().flatten();
            uses.extend(sources.filter_map(|&source| {
                let definition = self.token_definition(source)?;
                Some(TokenUse { operation: index, definition })
            }));
            if uses.len() - first > 1 {
                uses[first..].sort_unstable();
                uses.dedup();
            }
        }
        uses
    }

    /// The block of an operation.
    ///
    /// # Panics
    /// When there is no such operation.
    pub fn block_of(&self, operation: OperationIndex) -> Node {
        self.operations[operation as usize].block
    }

    /// The operation before this one in its block.
    pub fn preceding(&self, operation: OperationIndex) -> Option<OperationIndex> {
        let before = operation.checked_sub(1)?;
        (self.block_of(before) == self.block_of(operation)).then_some(before)
    }
}
