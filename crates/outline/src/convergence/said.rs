//! What the tokens of the [`plan`](super::plan), which are those of April 2025, say of a body by another text.
//!
//! **Definition.** Take a node with a convergent operation, or an iteration statement that such a node follows. The tokens say
//!
//! - *what the text says*, if both give the node one origin, and it is defined by both or open by both; but an anchor for what a text of tangles leaves open is not that, as it may divide a tangle;
//! - *a choice that the text leaves*, if it is open by the text and defined by the tokens, and the statement that decides by the text follows, by the tokens, what the node does: then all that come are together, who are so at
//!   that statement among them;
//! - else *something else*: it is not what the text says, and nothing written with these tokens is.

use super::{Analysis, Origin, Place, analyze};
use crate::{Node, Outline, SourceModel};

/// A node of which tokens do not say what a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsaid {
    /// A node with an operation.
    pub node: Node,
    /// Whether what they say is a choice that the text leaves.
    pub is_choice: bool,
}

/// The nodes with operations of which the tokens do not say what a text says, in order. O(nodes · depth of iteration statements).
pub fn unsaid(outline: &Outline, analysis: &Analysis) -> Vec<Unsaid> {
    if analysis.model == SourceModel::Clang2025_04 {
        return Vec::new();
    }
    let tokens = analyze(outline, SourceModel::Clang2025_04);
    let operations = outline.nodes.keys().filter(|&node| outline.operation(node).is_some());
    operations.filter_map(|node| said(analysis, &tokens, node).map(|is_choice| Unsaid { node, is_choice })).collect()
}

/// None where the tokens say what the text says; else whether it is a choice.
fn said(text: &Analysis, tokens: &Analysis, node: Node) -> Option<bool> {
    let mut is_choice = false;
    let mut at = node;
    loop {
        let [by_text, by_tokens]: [Place; 2] = [text, tokens].map(|analysis| analysis.places[at]);
        let [is_defined, is_said] = [text, tokens].map(|analysis| analysis.is_defined(at));
        let may_divide = text.model == SourceModel::Tangles2024_10 && !is_said;
        if by_text.origin == by_tokens.origin && is_defined == is_said && !may_divide {
            match by_text.origin {
                // Who is in an iteration follows from who is at its statement.
                Origin::Iteration(iteration) => at = iteration,
                _ => return is_choice.then_some(true),
            }
            continue;
        }
        let follows = match by_text.origin {
            Origin::Execution(unit) => tokens.places[unit].origin == by_tokens.origin,
            _ => false,
        };
        if is_defined || !is_said || !follows {
            return Some(false);
        }
        is_choice = true;
        match by_tokens.origin {
            Origin::Iteration(iteration) => at = iteration,
            _ => return Some(true),
        }
    }
}
