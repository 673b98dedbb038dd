//! Outlines are made node by node, in the order of first tokens.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{Node, NodeData, NodeKind, Operation, Outline};
use crate::source::Location;

/// Makes an outline. Every [`open`](Builder::open) has its [`close`](Builder::close), as brackets do; jumps get their targets when these are known.
#[derive(Debug, Default)]
pub struct Builder {
    outline: Outline,
    open: Vec<Node>,
}

impl Builder {
    /// Nothing, with room for some nodes.
    pub fn with_capacity(nodes: usize) -> Builder {
        Builder { outline: Outline { nodes: PrimaryMap::with_capacity(nodes) }, open: Vec::with_capacity(16) }
    }

    /// Begins a node inside those that are open.
    pub fn open(&mut self, location: Location) -> Node {
        let node = self.outline.nodes.push(NodeData {
            kind: NodeKind::Expression,
            parent: self.open.last().copied(),
            end: Node::new(0),
            is_noconvergent: false,
            operations: Box::default(),
            location,
        });
        self.open.push(node);
        node
    }

    /// Ends the innermost open node.
    pub fn close(&mut self, kind: NodeKind) {
        let end = Node::new(self.outline.nodes.len());
        if let Some(node) = self.open.pop() {
            self.outline.nodes[node].end = end;
            self.outline.nodes[node].kind = kind;
        }
    }

    /// A full expression with its operations.
    pub fn expression(&mut self, operations: impl Into<Box<[Operation]>>, location: Location) -> Node {
        let node = self.open(location);
        self.outline.nodes[node].operations = operations.into();
        self.close(NodeKind::Expression);
        node
    }

    /// What a node is, once that is known.
    pub fn data(&mut self, node: Node) -> &mut NodeData {
        &mut self.outline.nodes[node]
    }

    /// The outline.
    pub fn finish(mut self) -> Outline {
        self.outline.nodes.shrink_to_fit();
        self.outline
    }
}
