//! The page that shows a program: a shell of HTML with style, code and data in it, and no reference to anything outside.
//!
//! **Invariant.** What a page shows is the JSON of [`reconverge::Report`], and nothing that only the page knows. [`of`] has it inside and is whole; [`live`] asks for it, again and again, as
//! `code/live.mjs` says, and [`answer`] is what it asks.

mod examples;
mod live;

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;
use reconverge::{PICTURE_STYLE, Report};
use serde::Serialize;

pub use examples::{Example, examples};
pub use live::{Answer, Live, Question, Transport, answer, whole_answer};

const SHELL: &str = include_str!("../code/shell.html");

/// The style: of the frame and the source, and of each view that has one.
const STYLES: [&str; 5] = [
    include_str!("../code/style.css"),
    include_str!("../code/graph.css"),
    PICTURE_STYLE,
    include_str!("../code/time.css"),
    include_str!("../code/versions.css"),
];
const STYLE_OF_LIVE: &str = include_str!("../code/live.css");

/// The modules of the page's code by name. Each imports from those before it only, and runs in this order.
const MODULES: [(&str, &str); 17] = [
    ("model", include_str!("../code/model.mjs")),
    ("timeline", include_str!("../code/timeline.mjs")),
    ("frame", include_str!("../code/frame.mjs")),
    ("drawing", include_str!("../code/drawing.mjs")),
    ("follow", include_str!("../code/follow.mjs")),
    ("picture", include_str!("../code/picture.mjs")),
    ("stepper", include_str!("../code/stepper.mjs")),
    ("source", include_str!("../code/source.mjs")),
    ("stack", include_str!("../code/stack.mjs")),
    ("sight", include_str!("../code/sight.mjs")),
    ("graph", include_str!("../code/graph.mjs")),
    ("sketch", include_str!("../code/sketch.mjs")),
    ("texts", include_str!("../code/texts.mjs")),
    ("time", include_str!("../code/time.mjs")),
    ("difference", include_str!("../code/difference.mjs")),
    ("versions", include_str!("../code/versions.mjs")),
    ("views", include_str!("../code/views.mjs")),
];
/// The last module of a report.
const OF_REPORT: [(&str, &str); 1] = [("main", include_str!("../code/main.mjs"))];
/// The last modules of the live page.
const OF_LIVE: [(&str, &str); 3] = [
    ("program", include_str!("../code/program.mjs")),
    ("asking", include_str!("../code/asking.mjs")),
    ("live", include_str!("../code/live.mjs")),
];
/// What a worker runs.
const WORKER: &str = include_str!("../code/worker.mjs");
/// The editor of the live page, bundled from `editor/`.
const EDITOR: &str = include_str!("../code/editor.js");
/// What stands above the views of the live page.
const DESK: &str = include_str!("../code/desk.html");

/// What a report may load: nothing.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page of a report.
///
/// # Errors
/// None that is known: of writing to memory.
pub fn of(report: &Report) -> io::Result<String> {
    with_data(report)
}

/// The page of two versions of a program. `versions` has, as `docs/report.md` says, a [`Report`] of each, and what was found when they were compared.
///
/// # Errors
/// When it is nothing that can be written as JSON.
pub fn of_versions(versions: &impl Serialize) -> io::Result<String> {
    with_data(versions)
}

fn with_data(shown: &impl Serialize) -> io::Result<String> {
    let styles = STYLES.concat();
    Ok(filled(&Parts { policy: POLICY, styles: &styles, desk: "", data: &data(shown)?, before: "", last: &OF_REPORT }))
}

/// The live page.
///
/// # Errors
/// None that is known: of writing to memory.
pub fn live(live: &Live) -> io::Result<String> {
    let policy = match live.transport {
        Transport::Server => {
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
        }
        // The worker, and the module that it asks.
        Transport::Worker => {
            "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'"
        }
    };
    let styles = [STYLES.concat(), STYLE_OF_LIVE.to_owned()].concat();
    let data = element_of("live", &serde_json::to_string(live)?);
    let worker = match live.transport {
        Transport::Server => String::new(),
        Transport::Worker => format!("<script type=\"text/plain\" id=\"worker\">\n{WORKER}</script>\n"),
    };
    let editor = format!("<script>\n{EDITOR}</script>\n{worker}");
    Ok(filled(&Parts { policy, styles: &styles, desk: DESK, data: &data, before: &editor, last: &OF_LIVE }))
}

/// What stands at the marks of the shell.
struct Parts<'a> {
    policy: &'a str,
    styles: &'a str,
    desk: &'a str,
    data: &'a str,
    /// Scripts before that of the page.
    before: &'a str,
    last: &'a [(&'static str, &'static str)],
}

fn filled(parts: &Parts<'_>) -> String {
    let mut page = String::new();
    for (number, part) in SHELL.split("<!-- ").enumerate() {
        let (name, rest) = if number == 0 { ("", part) } else { part.split_once(" -->").unwrap_or(("", part)) };
        match name {
            "policy" => page.push_str(parts.policy),
            "style" => page.push_str(parts.styles),
            "desk" => page.push_str(parts.desk),
            "data" => [parts.data, "\n", parts.before].into_iter().for_each(|text| page.push_str(text)),
            "code" => {
                MODULES.iter().chain(parts.last).for_each(|(name, module)| page.push_str(&as_script(name, module)));
            }
            _ => {}
        }
        page.push_str(rest);
    }
    page
}

/// An element with JSON, which can stand there since without `<` nothing in it ends the element.
fn element_of(id: &str, json: &str) -> String {
    let json = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{json}</script>")
}

/// From how many bytes on data is compressed: pages of long kernels are to stay small.
const LONG: usize = 1 << 20;

/// The element of the data. Long data is compressed.
fn data(shown: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(shown)?;
    if json.len() < LONG {
        return Ok(element_of("data", &json));
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
