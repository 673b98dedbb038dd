//! Outlines are made node by node, in the order of first tokens.

use cranelift_entity::EntityRef;

use super::kind::Labels;
use super::{Node, NodeData, Operation, Outline, Shape};
use crate::Location;

/// Makes outlines. Every [`open`](Builder::open) has its [`close`](Builder::close), as brackets do; jumps get their targets when these are known.
#[derive(Debug, Default)]
pub struct Builder {
    outline: Outline,
    open: Vec<Node>,
}

impl Builder {
    /// Begins a node inside those that are open.
    pub fn open(&mut self, location: Location) -> Node {
        let node = self.push(location);
        self.open.push(node);
        node
    }

    /// Ends the innermost open node.
    pub fn close(&mut self, shape: Shape) {
        let end = self.outline.nodes.next_key();
        if let Some(node) = self.open.pop() {
            let data = &mut self.outline.nodes[node];
            data.end = end;
            data.shape = shape;
        }
    }

    /// A full expression with its operations.
    pub fn expression(&mut self, operations: impl IntoIterator<Item = Operation>, location: Location) -> Node {
        let node = self.push(location);
        self.outline.operations.extend(operations);
        node
    }

    /// A node without parts.
    fn push(&mut self, location: Location) -> Node {
        let end = Node::new(self.outline.nodes.len() + 1);
        self.outline.nodes.push(NodeData {
            end,
            location,
            is_noconvergent: false,
            shape: Shape::Expression,
            parent: self.open.last().copied().into(),
            first_operation: self.outline.operations.len() as u32,
        })
    }

    /// Keeps the labels of a `switch`.
    pub fn labels(&mut self, nodes: Vec<Node>, has_default: bool) -> Shape {
        self.outline.labels.push(Labels { nodes: nodes.into(), has_default });
        Shape::Switch(self.outline.labels.len() as u32 - 1)
    }

    /// Keeps the name of a label.
    pub fn name(&mut self, name: &str) -> Shape {
        self.outline.names.push(name.into());
        Shape::Label(self.outline.names.len() as u32 - 1)
    }

    /// Marks a node `noconvergent`.
    pub fn mark_noconvergent(&mut self, node: Node) {
        self.outline.nodes[node].is_noconvergent = true;
    }

    /// Gives a `goto` its label.
    pub fn set_label(&mut self, goto: Node, label: Node) {
        self.outline.nodes[goto].shape = Shape::Goto(label);
    }

    /// Takes out the outline, into as much memory as it needs. The room that it was in stays, for the next one: memory that was touched just now is
    /// quicker than new one.
    pub fn finish(&mut self) -> Outline {
        let outline = Outline {
            nodes: self.outline.nodes.clone(),
            operations: self.outline.operations.drain(..).collect(),
            labels: std::mem::take(&mut self.outline.labels),
            names: std::mem::take(&mut self.outline.names),
        };
        self.outline.nodes.clear();
        self.open.clear();
        outline
    }
}
