//! Where tokens are made, and which one a call has.

use reconverge_ir::emit::Part;

use super::function::{FunctionText, instruction};
use super::{MARKER, has_marker, marker_number};
use crate::typed::{Expression, Statement};
use reconverge_outline::{Node, TokenSource};

const ENTRY: &str = "token @llvm.experimental.convergence.entry()";
const ANCHOR: &str = "token @llvm.experimental.convergence.anchor()";
const LOOP: &str = "token @llvm.experimental.convergence.loop()";

impl FunctionText<'_> {
    /// Whether the function has tokens.
    fn has_tokens(&self) -> bool {
        self.context.options.tokens && self.plan.is_some()
    }

    /// Where there are anchors for markers alone: a plan has only those that the operations of the text need.
    pub(super) fn find_marker_anchors(&mut self) {
        let Some(plan) = self.plan.filter(|_| self.has_tokens() && self.context.options.markers) else { return };
        for node in plan.outline.nodes.keys() {
            for source in [Some(plan.plan.token[node]), plan.plan.heart[node]].into_iter().flatten() {
                if let TokenSource::Anchor(unit) = source {
                    self.marker_anchors[unit] = true;
                }
            }
        }
    }

    /// Starts the execution of a statement.
    pub(super) fn begin_statement(&mut self, statement: Statement) {
        let Some(plan) = self.plan else { return };
        if let Some(node) = plan.map.node_of_statement(statement) {
            self.begin(node);
        }
    }

    /// Starts the execution of a full expression.
    pub(super) fn begin_expression(&mut self, expression: Expression) {
        let Some(plan) = self.plan else { return };
        if let Some(node) = plan.map.node_of(expression) {
            self.begin(node);
        }
    }

    /// Starts the evaluation of a call, of which all operands are evaluated.
    pub(super) fn begin_call(&mut self, call: Expression) {
        let Some(plan) = self.plan.filter(|_| self.context.options.markers) else { return };
        if let Some(node) = plan.map.evaluation_of(call) {
            self.marker(node);
        }
    }

    /// Starts the execution of a node: its anchor, its token, its marker.
    fn begin(&mut self, node: Node) {
        let Some(plan) = self.plan else { return };
        let saved = (self.location, self.text.origin);
        (self.location, self.text.origin) = (plan.outline.nodes[node].location, None);
        if self.has_tokens() && (plan.plan.anchor[node] || self.marker_anchors[node]) {
            self.start();
            self.put(TokenSource::Anchor(node));
            self.put(" = call ");
            self.need_intrinsic(ANCHOR);
            self.put(ANCHOR);
            self.end();
        }
        // An iteration statement starts once; its own token is that of its iterations.
        self.token = plan.plan.heart[node].unwrap_or(plan.plan.token[node]);
        if self.context.options.markers && has_marker(&plan.outline, node) {
            self.marker(node);
        }
        (self.location, self.text.origin) = saved;
    }

    fn marker(&mut self, node: Node) {
        self.start();
        self.put("call void @");
        self.put(MARKER);
        self.put("(i32 ");
        self.put(marker_number(self.function));
        self.put(", i32 ");
        self.put(node.as_u32());
        self.put(")");
        self.token_bundle();
        self.end();
    }

    /// The heart of an iteration statement, at the start of the block in which each iteration starts.
    pub(super) fn heart(&mut self, statement: Statement) {
        let Some(plan) = self.plan.filter(|_| self.has_tokens()) else { return };
        let Some(node) = plan.map.node_of_statement(statement) else { return };
        let Some(parent) = plan.plan.heart[node] else { return };
        self.token = parent;
        self.need_intrinsic(LOOP);
        self.start();
        self.put(TokenSource::Heart(node));
        self.put(" = call ");
        self.put(LOOP);
        self.token_bundle();
        self.end();
    }

    /// Writes the bundle of a convergent call with the token of the node that is being written.
    pub(super) fn token_bundle(&mut self) {
        if !self.has_tokens() {
            return;
        }
        self.uses_body_token |= self.token == TokenSource::Body;
        self.put(" [ \"convergencectrl\"(token ");
        self.put(self.token);
        self.put(") ]");
    }

    /// Writes the instruction that makes the token of the body, where something uses it.
    pub(super) fn body_token(&mut self) {
        if !self.uses_body_token {
            return;
        }
        let call = if self.data.is_convergent { ENTRY } else { ANCHOR };
        self.need_intrinsic(call);
        (self.location, self.text.origin) = (self.data.location, None);
        let before = self.text.turn_to(Part::First);
        instruction!(self, TokenSource::Body, " = call ", call);
        self.text.turn_to(before);
    }

    fn need_intrinsic(&mut self, declaration: &'static str) {
        self.tables.intrinsics.insert(declaration);
    }
}
