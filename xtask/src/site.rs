//! The live page as a folder of files that any server of files can give out, with the documentation.
//!
//! `index.html` is the page, `reconverge.wasm` the library, `docs` the documents as HTML. Nothing in it refers to another place.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use reconverge_page::{Live, Transport};

/// The command.
#[derive(Debug, Args)]
pub(crate) struct Site {
    /// The folder to make, or to write to
    output: PathBuf,
    /// The profile that the program is built in
    #[arg(long, default_value = "release")]
    profile: String,
}

/// The most that the page and the program may have, compressed.
const MOST_BYTES: usize = 4 << 20;
const TARGET: &str = "wasm32-wasip1";

impl Site {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the repository")?;
        std::fs::create_dir_all(&self.output)?;
        let program = without_custom_sections(&self.program(root)?).context("the program is no WebAssembly")?;
        let page = reconverge_page::live(&Live::new(Transport::Worker, None))?;
        let mut total = 0;
        for (name, bytes) in [("index.html", page.as_bytes()), ("reconverge.wasm", &program)] {
            std::fs::write(self.output.join(name), bytes)?;
            let packed = compressed(bytes)?;
            println!("{name}: {} bytes, {packed} compressed", bytes.len());
            total += packed;
        }
        let count = documents(&root.join("docs"), &self.output.join("docs"))?;
        println!("docs: {count} pages");
        println!("page and program: {total} bytes compressed, of at most {MOST_BYTES}");
        ensure!(total < MOST_BYTES, "too large");
        Ok(())
    }

    /// The program, built.
    fn program(&self, root: &Path) -> anyhow::Result<Vec<u8>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["build", "--package", "reconverge-web", "--target", TARGET, "--profile", &self.profile];
        let status = Command::new(cargo).args(arguments).current_dir(root).status()?;
        ensure!(status.success(), "cargo build fails; does `rustup target add {TARGET}` help?");
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let folder = if self.profile == "dev" { "debug" } else { &self.profile };
        let path = target.join(TARGET).join(folder).join("reconverge-web.wasm");
        std::fs::read(&path).with_context(|| path.display().to_string())
    }
}

fn compressed(bytes: &[u8]) -> anyhow::Result<usize> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?.len())
}

/// A module without names and debug information, which are its custom sections; none where it is no module.
fn without_custom_sections(module: &[u8]) -> Option<Vec<u8>> {
    const CUSTOM: u8 = 0;
    let mut kept = module.get(..8)?.to_vec();
    let mut rest = &module[8..];
    while let Some((&kind, behind)) = rest.split_first() {
        let mut size = 0u64;
        let mut length = 0;
        loop {
            let byte = *behind.get(length)?;
            size |= u64::from(byte & 0x7f).checked_shl(7 * length as u32)?;
            length += 1;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let end = 1 + length + usize::try_from(size).ok()?;
        let section = rest.get(..end)?;
        if kind != CUSTOM {
            kept.extend_from_slice(section);
        }
        rest = &rest[end..];
    }
    Some(kept)
}

/// Makes HTML of each document of a folder, and an index; answers how many there are.
fn documents(from: &Path, to: &Path) -> anyhow::Result<usize> {
    let mut titles = Vec::new();
    folder(from, to, Path::new(""), &mut titles)?;
    titles.sort();
    let list: String =
        titles.iter().map(|(path, title)| format!("<li><a href=\"{path}\">{}</a></li>\n", escaped(title))).collect();
    std::fs::write(
        to.join("index.html"),
        page("Documentation", "", &format!("<h1>Documentation</h1>\n<ul>\n{list}</ul>\n")),
    )?;
    Ok(titles.len())
}

fn folder(from: &Path, to: &Path, below: &Path, titles: &mut Vec<(String, String)>) -> anyhow::Result<()> {
    std::fs::create_dir_all(to.join(below))?;
    for entry in std::fs::read_dir(from.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if entry.file_type()?.is_dir() {
            folder(from, to, &path, titles)?;
        } else if extension == Some("md") {
            let text = std::fs::read_to_string(entry.path())?;
            let up = "../".repeat(below.components().count());
            let (title, html) = document(&text, !up.is_empty());
            let title = title.unwrap_or_else(|| path.display().to_string());
            std::fs::write(to.join(path.with_extension("html")), page(&title, &up, &html))?;
            titles.push((path.with_extension("html").display().to_string(), title));
        } else if matches!(extension, Some("png" | "svg")) {
            std::fs::copy(entry.path(), to.join(&path))?;
        }
    }
    Ok(())
}

/// A document's title and HTML. Headings have the names that links use; a link to what is not among the documents is its text.
fn document(text: &str, is_below: bool) -> (Option<String>, String) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut title = None;
    let mut headings = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let Event::Start(Tag::Heading { level, .. }) = event else { continue };
        let inside = events[place..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let words: String = inside
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        headings.push((place, anchor(&words)));
        if *level == HeadingLevel::H1 && title.is_none() {
            title = Some(words);
        }
    }
    for (place, name) in headings {
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[place] {
            *id = Some(CowStr::from(name));
        }
    }
    let mut is_kept = Vec::new();
    events.retain_mut(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            let kept = link(dest_url, is_below);
            is_kept.push(kept.is_some());
            kept.map(|kept| *dest_url = CowStr::from(kept)).is_some()
        }
        Event::End(TagEnd::Link) => is_kept.pop().unwrap_or(true),
        _ => true,
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    (title, html)
}

/// Where a link of a document, which may be in a folder below, leads in the site; none where that is not in it.
fn link(to: &str, is_below: bool) -> Option<String> {
    if to.starts_with('#') || to.starts_with("https://") {
        return Some(to.to_owned());
    }
    let (path, fragment) = to.split_once('#').map_or((to, String::new()), |(path, part)| (path, format!("#{part}")));
    let is_outside = path.strip_prefix("../").is_some_and(|rest| !is_below || rest.starts_with("../"));
    (!is_outside).then_some(())?;
    path.strip_suffix(".md").map(|path| format!("{path}.html{fragment}"))
}

/// The name of a heading, as links have it: small letters, with a hyphen for a space and nothing for what is no word.
fn anchor(words: &str) -> String {
    let letters = words.to_lowercase();
    let letters = letters.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn page(title: &str, up: &str, html: &str) -> String {
    const STYLE: &str = "body{max-width:58rem;margin:2rem auto;padding:0 1.2rem;font:16px/1.55 system-ui,sans-serif;color-scheme:light dark}\
        pre,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}pre{overflow:auto;padding:.7rem 1rem;border:1px solid #8886;border-radius:8px}\
        table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid #8886;padding:.25rem .6rem;text-align:left;vertical-align:top}img{max-width:100%}";
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<link rel=\"icon\" href=\"data:,\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} · Reconverge</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <nav><a href=\"{up}../index.html\">Try it</a> · <a href=\"{up}index.html\">Documentation</a></nav>\n<main>\n{html}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_their_links() {
        let (title, html) = document(
            "# One `x`\n\n## Two, three\n\n[a](report.md#live) [b](../crates/x.rs) [c](#two-three) [d](codes/RC1.md) [e](../README.md)\n",
            false,
        );
        assert_eq!(title.as_deref(), Some("One x"));
        assert!(html.contains("<h2 id=\"two-three\">"), "{html}");
        for expected in [
            "<a href=\"report.html#live\">a</a>",
            " b ",
            "<a href=\"#two-three\">c</a>",
            "<a href=\"codes/RC1.html\">d</a>",
            " e",
        ] {
            assert!(html.contains(expected), "{expected}: {html}");
        }
        assert_eq!(link("../report.md", true).as_deref(), Some("../report.html"));
        assert_eq!(link("../../README.md", true), None);
    }

    #[test]
    fn names_are_taken_out_of_a_module() {
        let head = b"\0asm\x01\0\0\0";
        let module = [&head[..], &[0, 3, 1, b'x', 9, 1, 2, 7, 7, 0, 0x80, 0x00]].concat();
        assert_eq!(without_custom_sections(&module), Some([&head[..], &[1, 2, 7, 7]].concat()));
        assert_eq!(without_custom_sections(&module[..10]), None);
        assert_eq!(without_custom_sections(b"\0asm"), None);
    }
}
