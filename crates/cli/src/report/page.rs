//! The page: a shell of HTML with style, code and data in it, and no reference to anything outside.

use reconverge::Report;

const SHELL: &str = include_str!("page/shell.html");
const STYLE: &str = include_str!("page/style.css");

/// The modules of the page's code. Each imports from those before it only, so that they are one script in this order.
const MODULES: [&str; 2] = [include_str!("page/model.mjs"), include_str!("page/view.mjs")];

/// The page of a report.
pub(super) fn of(report: &Report) -> anyhow::Result<String> {
    let mut page = String::new();
    for (number, part) in SHELL.split("<!-- ").enumerate() {
        let (name, rest) = if number == 0 { ("", part) } else { part.split_once(" -->").unwrap_or(("", part)) };
        match name {
            "style" => page.push_str(STYLE),
            "data" => page.push_str(&as_data(report)?),
            "code" => MODULES.iter().for_each(|module| page.push_str(&as_script(module))),
            _ => {}
        }
        page.push_str(rest);
    }
    Ok(page)
}

/// JSON that can stand in a script element: without `<`, nothing in it ends the element.
fn as_data(report: &Report) -> anyhow::Result<String> {
    Ok(serde_json::to_string(report)?.replace('<', "\\u003c"))
}

/// A module as a part of a script: its imports stand before it, and nobody imports from a script.
fn as_script(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
}
