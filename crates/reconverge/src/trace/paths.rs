//! Reading the paths of threads.

use reconverge_graph::{Digraph, Node};
use reconverge_ir::text;
use reconverge_semantics::{Extent, PathProblem, check_path};
use rustc_hash::FxHashMap;

use super::names::Names;
use crate::near::Near;

/// The paths of all threads.
pub(super) fn parse(
    arguments: &[String],
    names: &Names<'_>,
    graph: &Digraph,
    is_partial: bool,
) -> Result<Vec<Vec<Node>>, String> {
    let unquoted = |node: Node| text::unquote(names.block(node).as_bytes()).into_owned();
    let nodes: FxHashMap<Vec<u8>, Node> = graph.nodes().map(|node| (unquoted(node), node)).collect();
    let thread = |(number, argument): (usize, &String)| {
        parse_one(argument, names, graph, &nodes, is_partial).map_err(|message| format!("thread {number}: {message}"))
    };
    (1..).zip(arguments).map(thread).collect()
}

fn parse_one(
    argument: &str,
    names: &Names<'_>,
    graph: &Digraph,
    nodes: &FxHashMap<Vec<u8>, Node>,
    is_partial: bool,
) -> Result<Vec<Node>, String> {
    let mut path = Vec::new();
    for (step, word) in (1..).zip(words(argument)) {
        let asked = word.strip_prefix('%').unwrap_or(word);
        let node = nodes.get(&*text::unquote(asked.as_bytes()));
        path.push(*node.ok_or_else(|| format!("step {step}: {}", unknown(asked, names, graph)))?);
    }
    let extent = if is_partial { Extent::Part } else { Extent::Whole };
    let Err(problem) = check_path(graph, &path, extent) else { return Ok(path) };
    let successors = |node: Node| {
        let mut successors = names.blocks(graph.successors(node));
        successors.dedup();
        match successors.as_slice() {
            [] => "it has no successors".to_owned(),
            [one] => format!("its successor is {one}"),
            all => format!("its successors are {}", all.join(", ")),
        }
    };
    Err(match problem {
        PathProblem::Empty => "a path has at least one block".to_owned(),
        PathProblem::NoSuchNode { step, .. } => format!("step {}: no such block", step + 1),
        PathProblem::NotFromEntry { first, entry } => format!(
            "begins at {}, and the function begins at {} (--partial lets a path begin anywhere)",
            names.block(first),
            names.block(entry)
        ),
        PathProblem::Unreachable { first } => {
            format!("begins at {}, which the entry does not lead to", names.block(first))
        }
        PathProblem::NoSuchEdge { step, from, to } => format!(
            "step {}: no edge leads from {} to {}; {}",
            step + 1,
            names.block(from),
            names.block(to),
            successors(from)
        ),
        PathProblem::EndsEarly { last } => {
            format!("ends early, at {}: {} (--partial lets a path end anywhere)", names.block(last), successors(last))
        }
    })
}

/// What stands between commas outside of quotes.
pub(super) fn words(argument: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    argument
        .split(move |letter| {
            is_quoted ^= letter == '"';
            letter == ',' && !is_quoted
        })
        .map(str::trim)
}

/// What to say of a name that no block has.
fn unknown(asked: &str, names: &Names<'_>, graph: &Digraph) -> String {
    if asked.is_empty() {
        return "expected the name of a block".to_owned();
    }
    let mut near = Near::default();
    graph.nodes().for_each(|node| near.consider(asked, &names.block(node)));
    let suggestions: Vec<&str> = near.names().collect();
    let hint = match suggestions.as_slice() {
        [] => {
            let mut all = names.blocks(&graph.nodes().take(20).collect::<Vec<_>>()).join(", ");
            all.push_str(if graph.node_count() > 20 { ", …" } else { "" });
            format!("the blocks are {all}")
        }
        near => format!("did you mean {}?", near.join(" or ")),
    };
    format!("no block is called {asked}; {hint}")
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn commas_in_quotes_do_not_count() {
        assert_eq!(words("a, b ,c").collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(words("\"a,b\",%\"c, d\"").collect::<Vec<_>>(), ["\"a,b\"", "%\"c, d\""]);
        assert_eq!(words("").collect::<Vec<_>>(), [""]);
    }
}
