//! The graph for Graphviz, which lays it out by itself.

use std::fmt::Write;

use reconverge::FunctionGraph;

use super::{cycle_name, shortened};

/// The graph in DOT.
pub(super) fn of(function: &FunctionGraph, is_source: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "digraph {} {{", quoted(if is_source { &function.written } else { &function.name }));
    text.push_str("  node [shape=box, fontname=monospace, fontsize=10, style=rounded];\n  edge [fontname=\"sans-serif\", fontsize=9];\n");
    write_container(&mut text, function, None, is_source, 1);
    for edge in &function.edges {
        let mut attributes: Vec<String> = Vec::new();
        attributes.extend(edge.label.map(|label| format!("label={label}")));
        attributes.extend(function.blocks[edge.from].divergent.then(|| "penwidth=2, color=\"#b8430a\"".to_owned()));
        attributes.extend(edge.temporal.then(|| "style=dashed".to_owned()));
        let attributes = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        let _ = writeln!(text, "  b{} -> b{}{attributes};", edge.from, edge.to);
    }
    text + "}\n"
}

fn write_container(text: &mut String, function: &FunctionGraph, cycle: Option<usize>, is_source: bool, depth: usize) {
    /// Deeper cycles are no further to the right.
    const DEEPEST_INDENT: usize = 20;
    let indent = "  ".repeat(depth.min(DEEPEST_INDENT));
    for (number, block) in function.blocks.iter().enumerate().filter(|(_, block)| block.cycle == cycle) {
        let said = block.marks();
        let name = block.title(is_source);
        let title = if said.is_empty() { name.into_owned() } else { format!("{name} ({})", said.join(", ")) };
        let lines = block.lines(is_source).iter().map(|line| shortened(&line.text));
        let label: String = std::iter::once(title).chain(lines).map(|line| format!("{}\\l", escaped(&line))).collect();
        let bold = if block.divergent { ", penwidth=2, color=\"#b8430a\"" } else { "" };
        let _ = writeln!(text, "{indent}b{number} [label=\"{label}\"{bold}];");
    }
    for inner in (0..function.cycles.len()).filter(|&inner| function.cycles[inner].parent == cycle) {
        let _ = writeln!(text, "{indent}subgraph cluster_{inner} {{");
        let _ = writeln!(
            text,
            "{indent}  label={};\n{indent}  style=\"rounded,dashed\";",
            quoted(&cycle_name(function, inner, is_source))
        );
        write_container(text, function, Some(inner), is_source, depth + 1);
        let _ = writeln!(text, "{indent}}}");
    }
}

fn escaped(text: &str) -> String {
    let text = reconverge::visible::visible(text);
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}
