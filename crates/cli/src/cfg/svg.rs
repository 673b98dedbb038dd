//! The graph as a picture that needs nothing else: light and dark as the viewer has it, and told apart without colours, too.

use std::fmt::Write;

use reconverge::FunctionGraph;

use super::geometry::{self, Area, LINE, TITLE};
use super::{cycle_name, shortened};

const STYLE: &str = "\
svg{--paper:#fff;--ink:#1c2024;--soft:#5c6570;--edge:#aab2bb;--card:#fff;--cycle:#f3f5f8;--grid:#0072b2;--workgroup:#00795a;--subgroup:#8a5a00;--divergent:#b8430a;--wash:#fdf0e9}
@media(prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e4e7ea;--soft:#9aa4af;--edge:#56606a;--card:#1b1f23;--cycle:#191d22;--grid:#56b4e9;--workgroup:#3fc79a;--subgroup:#e6b450;--divergent:#ff8a50;--wash:#2e2019}}
text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink);white-space:pre}
.paper{fill:var(--paper)}.block{fill:var(--card);stroke:var(--edge)}.block.divergent{stroke:var(--divergent);stroke-width:2.5}
.name{font-weight:700}.mark{font:600 11px system-ui,sans-serif;text-anchor:end}.mark.divergent{fill:var(--divergent)}.mark.meets{fill:var(--grid)}.mark.entry{fill:var(--soft)}
.cycle{fill:var(--cycle);stroke:var(--soft);stroke-dasharray:5 4}.cycle.open{stroke:var(--divergent)}.cycle-name,.label{font:11px system-ui,sans-serif;fill:var(--soft)}
.wash{fill:var(--wash)}.grid{stroke:var(--grid)}.workgroup{stroke:var(--workgroup);stroke-dasharray:7 2}.subgroup{stroke:var(--subgroup);stroke-dasharray:4 3}.set-divergent{stroke:var(--divergent);stroke-dasharray:2 2}
.set{stroke-width:4}path{fill:none;stroke:var(--soft);stroke-width:1.3}path.divergent{stroke:var(--divergent);stroke-width:2.2}path.temporal{stroke-dasharray:6 3}
marker path{fill:var(--soft);stroke:none}marker.divergent path{fill:var(--divergent)}";

/// The picture.
pub(super) fn of(function: &FunctionGraph, is_source: bool) -> String {
    let layout = function.source_layout.as_ref().filter(|_| is_source).unwrap_or(&function.layout);
    let geometry = geometry::of(function, layout, is_source);
    let (width, height) = (geometry.width, geometry.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>Control flow of {}</title>\n<style>{STYLE}</style>\n<defs>{}{}</defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        escaped(if is_source { &function.written } else { &function.name }),
        marker("arrow", ""),
        marker("arrow-divergent", "divergent"),
    );
    for (number, cycle) in function.cycles.iter().enumerate() {
        let Area { x, y, width, height } = geometry.cycles[number];
        let class = if cycle.divergent_exit { "cycle open" } else { "cycle" };
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/><text class=\"cycle-name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 10.0,
            y + 17.0,
            escaped(&cycle_name(function, number, is_source))
        );
    }
    for (number, edge) in function.edges.iter().enumerate() {
        let is_divergent = function.blocks[edge.from].divergent;
        let classes = [(is_divergent, "divergent"), (edge.temporal, "temporal")];
        let class: Vec<&str> = classes.into_iter().filter(|(holds, _)| *holds).map(|(_, class)| class).collect();
        let marker = if is_divergent { "arrow-divergent" } else { "arrow" };
        let _ = writeln!(
            svg,
            "<path class=\"{}\" d=\"{}\" marker-end=\"url(#{marker})\"/>",
            class.join(" "),
            geometry.edges[number]
        );
        if let Some(label) = edge.label {
            // Between the edges of a branch.
            let (x, y) = geometry.starts[number];
            let area = geometry.blocks[edge.from];
            let (x, anchor) = if x > area.x + area.width / 2.0 { (x - 5.0, "end") } else { (x + 5.0, "start") };
            let _ = writeln!(
                svg,
                "<text class=\"label\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                y + 13.0
            );
        }
    }
    for number in 0..function.blocks.len() {
        write_block(&mut svg, function, number, geometry.blocks[number], is_source);
    }
    svg + "</svg>\n"
}

fn write_block(svg: &mut String, function: &FunctionGraph, number: usize, area: Area, is_source: bool) {
    let block = &function.blocks[number];
    let Area { x, y, width, height } = area;
    let class = if block.divergent { "block divergent" } else { "block" };
    let _ = writeln!(
        svg,
        "<g><rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>"
    );
    let _ = writeln!(
        svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        x + 12.0,
        y + 17.5,
        escaped(&shortened(&block.title(is_source)))
    );
    let mut right = x + width - 10.0;
    for word in block.marks().into_iter().rev() {
        let class = match word {
            "diverges" => "divergent",
            "entry" => "entry",
            _ => "meets",
        };
        let _ = writeln!(svg, "<text class=\"mark {class}\" x=\"{right:.1}\" y=\"{:.1}\">{word}</text>", y + 17.5);
        right -= 7.0 * word.len() as f64 + 8.0;
    }
    for (row, line) in block.lines(is_source).iter().enumerate() {
        let top = y + TITLE + LINE * row as f64;
        if let Some(set) = line.uniform_in {
            let class = if set == "divergent" { "set-divergent" } else { set };
            if set == "divergent" {
                let _ = writeln!(
                    svg,
                    "<rect class=\"wash\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{LINE}\"/>",
                    x + 6.0,
                    width - 12.0
                );
            }
            let _ = writeln!(
                svg,
                "<path class=\"set {class}\" d=\"M{:.1} {:.1}V{:.1}\"/>",
                x + 8.0,
                top + 1.0,
                top + LINE - 1.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 18.0,
            top + 13.0,
            escaped(&shortened(&line.text))
        );
    }
    svg.push_str("</g>\n");
}

fn marker(id: &str, class: &str) -> String {
    format!(
        "<marker id=\"{id}\" class=\"{class}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>"
    )
}

/// Text of an element. What cannot stand in XML, and what has no shape, is written as a number.
fn escaped(text: &str) -> String {
    let text = reconverge::visible::visible(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
