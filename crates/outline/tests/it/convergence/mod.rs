//! Convergence of statements: the documents' examples as programs of our own, transcriptions of their rules on random programs, and LLVM's static
//! rules on the tokens of random programs.

mod examples;
mod large;
mod oracle;
mod random;
mod tangles;
mod tokens;
mod walks;

use cranelift_entity::EntityRef;
use reconverge_outline::{Node, Outline, sketch};

fn outline(text: &str) -> Outline {
    sketch::parse(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn node(outline: &Outline, name: &str) -> Node {
    sketch::find(outline, name).unwrap_or_else(|| panic!("no {name}"))
}

/// All nodes of an outline.
fn nodes(outline: &Outline) -> impl Iterator<Item = Node> + use<> {
    (0..outline.nodes.len()).map(Node::new)
}
