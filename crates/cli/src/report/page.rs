//! The page: a shell of HTML with style, code and data in it, and no reference to anything outside.

use std::io::Write;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;
use reconverge::{PICTURE_STYLE, Report};

const SHELL: &str = include_str!("page/shell.html");

/// The style: of the frame and the source, and of each view that has one.
const STYLES: [&str; 4] =
    [include_str!("page/style.css"), include_str!("page/graph.css"), PICTURE_STYLE, include_str!("page/time.css")];

/// The modules of the page's code by name. Each imports from those before it only, and runs in this order.
const MODULES: [(&str, &str); 9] = [
    ("model", include_str!("page/model.mjs")),
    ("frame", include_str!("page/frame.mjs")),
    ("source", include_str!("page/source.mjs")),
    ("stack", include_str!("page/stack.mjs")),
    ("sight", include_str!("page/sight.mjs")),
    ("graph", include_str!("page/graph.mjs")),
    ("timeline", include_str!("page/timeline.mjs")),
    ("time", include_str!("page/time.mjs")),
    ("main", include_str!("page/main.mjs")),
];

/// The page of a report.
pub(super) fn of(report: &Report) -> anyhow::Result<String> {
    let mut page = String::new();
    for (number, part) in SHELL.split("<!-- ").enumerate() {
        let (name, rest) = if number == 0 { ("", part) } else { part.split_once(" -->").unwrap_or(("", part)) };
        match name {
            "style" => STYLES.iter().for_each(|style| page.push_str(style)),
            "data" => page.push_str(&as_data(report)?),
            "code" => MODULES.iter().for_each(|(name, module)| page.push_str(&as_script(name, module))),
            _ => {}
        }
        page.push_str(rest);
    }
    Ok(page)
}

/// From how many bytes on data is compressed: pages of long kernels are to stay small.
const LONG: usize = 1 << 20;

/// The element of the data: JSON that can stand in a script element, since without `<` nothing in it ends the element. Long data is compressed.
fn as_data(report: &Report) -> anyhow::Result<String> {
    let json = serde_json::to_string(report)?;
    if json.len() < LONG {
        let json = json.replace('<', "\\u003c");
        return Ok(format!("<script type=\"application/json\" id=\"data\">{json}</script>"));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(json.as_bytes())?;
    let packed = BASE64_STANDARD.encode(packed.finish()?);
    Ok(format!("<script type=\"text/plain\" id=\"data\" data-encoding=\"gzip\">{packed}</script>"))
}

/// A module as a part of the one script: a function whose value is what the module exports, and whose scope has the rest. What it imports and exports is said
/// in lines of one form: `import { a, b } from "./name.mjs";`, and `export` before a function or constant.
fn as_script(name: &str, module: &str) -> String {
    let mut script = format!("const {name}_module = (() => {{\n");
    let mut exports = Vec::new();
    for line in module.lines() {
        if let Some((names, from)) = imported(line) {
            script.push_str(&format!("const {{ {names} }} = {from}_module;\n"));
            continue;
        }
        let declared = line.strip_prefix("export ");
        exports.extend(declared.and_then(|declared| {
            let (_, behind) = declared.split_once(' ')?;
            behind.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        }));
        script.push_str(declared.unwrap_or(line));
        script.push('\n');
    }
    script.push_str(&format!("return {{ {} }};\n}})();\n", exports.join(", ")));
    script
}

/// The names that a line imports, and the module that they are from.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"./")?;
    Some((names, from.strip_suffix(".mjs\";")?))
}
