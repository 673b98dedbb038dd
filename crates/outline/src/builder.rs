//! Outlines are made node by node, in the order of first tokens.

use cranelift_entity::EntityRef;

use super::kind::Labels;
use super::{Evaluations, Node, NodeData, Operation, Outline, Shape};
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
        let node = self.push(location, Shape::Simple);
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

    /// A full expression of one evaluation.
    pub fn expression(&mut self, operation: Option<Operation>, location: Location) -> Node {
        let node = self.push(location, Shape::Expression);
        self.outline.operations.extend(operation);
        node
    }

    /// A full expression with its evaluations. Whether it is a condition: of `if` or an iteration statement.
    pub fn evaluations(&mut self, evaluations: &mut Evaluations, is_condition: bool, location: Location) -> Node {
        let first = self.outline.nodes.next_key();
        for evaluation in evaluations.finish(is_condition) {
            let node = match self.outline.nodes.next_key() == first {
                true => self.open(location),
                false => self.push(evaluation.location, Shape::Evaluation),
            };
            self.outline.operations.extend(evaluation.operation);
            let ways = evaluation.next.map(|next| next.map(|number| Node::new(first.index() + number)));
            self.outline.ways.push((node, ways));
        }
        match self.outline.nodes.len() - first.index() {
            0 => return self.expression(None, location),
            // Where it leads need not be said.
            1 => _ = self.outline.ways.pop(),
            _ => {}
        }
        self.close(Shape::Expression);
        first
    }

    /// The evaluations with a convergent operation in a full expression, in order.
    pub fn operations(&self, full: Node) -> impl Iterator<Item = Node> {
        let outline = &self.outline;
        let nodes = (full.index()..outline.nodes[full].end.index()).map(Node::new);
        nodes.filter(|&node| outline.operation(node).is_some())
    }

    /// A node without parts.
    fn push(&mut self, location: Location, shape: Shape) -> Node {
        let end = Node::new(self.outline.nodes.len() + 1);
        self.outline.nodes.push(NodeData {
            end,
            location,
            is_noconvergent: false,
            shape,
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
            ways: std::mem::take(&mut self.outline.ways),
        };
        self.outline.nodes.clear();
        self.open.clear();
        outline
    }
}
