//! How far a variable, an expression or a branch is uniform, and why not further.
//!
//! Of source, the innermost expression around a place is told; at a declaration, the first one that reads the variable. Of IR, the value that is named, else that of the instruction.

use std::ops::Range;

use lsp_types as lsp;
use reconverge::{Explanation, FunctionPoints, Point, Scope, Step, UniformityOptions, lines::Lines, uniformity};

use super::requests::View;

/// A point with its function and its place.
type Found<'v> = (&'v FunctionPoints, &'v Point, &'v Range<usize>);

pub(crate) fn hover(view: &View<'_>, offset: usize) -> Option<lsp::Hover> {
    let text = &*view.document.text;
    let is_ir = view.module()?.source().is_none();
    let word = word(text, offset, is_ir);
    let name = text.get(word.clone()).filter(|name| !name.is_empty());
    let (found, shown) = if is_ir {
        let named = name.and_then(|name| value(view, offset, name)).map(|found| (found, word));
        named.or_else(|| innermost(view, offset).map(|found| (found, found.2.clone())))
    } else {
        let here = innermost(view, offset).map(|found| (found, found.2.clone()));
        here.or_else(|| name.and_then(|name| read(view, offset, name)).map(|found| (found, word)))
    }?;
    let explanation = explain(view, found)?;
    let contents =
        lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: words(view, found, &explanation, &shown) };
    Some(lsp::Hover { contents: lsp::HoverContents::Markup(contents), range: Some(view.positions.range(shown)) })
}

/// The smallest expression around a place; of instances of a template, the one that is uniform least widely.
fn innermost<'v>(view: &'v View<'_>, offset: usize) -> Option<Found<'v>> {
    let around = view.points().filter(|(.., bytes)| bytes.contains(&offset));
    around.min_by_key(|(_, point, bytes)| (bytes.len(), point.uniform_in))
}

/// The value that an instruction of IR names.
fn value<'v>(view: &'v View<'_>, offset: usize, name: &str) -> Option<Found<'v>> {
    let is_around = |function: &FunctionPoints| function.extent.as_ref().is_some_and(|extent| extent.contains(&offset));
    view.points().find(|(function, point, _)| is_around(function) && !point.is_branch && point.name == name)
}

/// The first expression that reads a variable, in the function that begins last before a place.
fn read<'v>(view: &'v View<'_>, offset: usize, name: &str) -> Option<Found<'v>> {
    let start = |function: &FunctionPoints| function.span.as_ref().and_then(|span| Some(view.here(span)?.start));
    let last = view.analysis.functions.iter().filter_map(start).filter(|&start| start <= offset).max();
    let quoted = format!("`{name}`");
    let reads = view.points().filter(|(function, point, _)| point.name == quoted && start(function) == last);
    reads.min_by_key(|(_, point, bytes)| (bytes.start, point.uniform_in))
}

/// The identifier around a place; of IR, with its `%`.
fn word(text: &str, offset: usize, is_ir: bool) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: &&u8| match byte {
        b'_' => true,
        b'.' | b'-' | b'$' | b'%' | b'"' => is_ir,
        byte => byte.is_ascii_alphanumeric() || !byte.is_ascii(),
    };
    let (before, behind) = bytes.split_at(offset.min(bytes.len()));
    let start = offset - before.iter().rev().take_while(is_part).count();
    start..offset + behind.iter().take_while(is_part).count()
}

/// The whole answer about a point: why it is not uniform in the next wider set than it is.
fn explain(view: &View<'_>, (function, point, bytes): Found<'_>) -> Option<Explanation> {
    let module = view.module()?;
    let place = Lines::new(view.document.text.as_bytes()).position(bytes.start);
    let file = module.source().map_or("", |_| module.name());
    let scope = match point.uniform_in {
        Some(Scope::Subgroup) => Scope::Workgroup,
        Some(Scope::Workgroup) => Scope::Grid,
        None | Some(Scope::Grid) => Scope::Subgroup,
    };
    let explain = vec![format!("{file}:{}", place.line)];
    let options =
        UniformityOptions { scope, function: Some(function.name.clone()), explain, ..UniformityOptions::default() };
    let explanations = uniformity(module, &options).ok()?.explanations?;
    let is_it = |found: &Explanation| {
        found.name == point.name && found.at.column == place.column && (found.kind == "branch") == point.is_branch
    };
    explanations.into_iter().find(is_it)
}

fn words(view: &View<'_>, (.., point, bytes): Found<'_>, explanation: &Explanation, shown: &Range<usize>) -> String {
    let line = |offset| view.positions.line_of(offset);
    // A value of IR is where it is defined, which the chain says.
    let is_declaration = line(bytes.start) != line(shown.start) && !point.name.starts_with('%');
    let read =
        if is_declaration { format!(", read in {},", link(view, None, line(bytes.start) + 1)) } else { String::new() };
    let name = if point.name.starts_with('%') { format!("`{}`", point.name) } else { point.name.clone() };
    let mut words = format!("{}{read} {}\n", markdown(&name), markdown(&explanation.verdict_words));
    for step in &explanation.chain {
        words.push_str(&format!("\n- {}{}", place(view, step), markdown(&sentence(view, step))));
    }
    if let Some(refined) = &explanation.refined {
        let because: Vec<&str> = refined.because.iter().map(|kind| kind.name()).collect();
        let because = markdown(&because.join(", "));
        words.push_str(&format!(
            "\nLLVM's criteria call it divergent in a subgroup; it is uniform because of: {because}\n"
        ));
    }
    words
}

/// What is divergent, and why. An instruction says itself what it is about.
fn sentence(view: &View<'_>, step: &Step) -> String {
    let excerpt = step.at.excerpt.replace('`', "'");
    match view.module().and_then(|module| module.source()) {
        Some(_) => format!("{}: {}", step.name, step.message),
        None => format!("`{excerpt}`: {}", step.message),
    }
}

fn place(view: &View<'_>, step: &Step) -> String {
    if step.at.line == 0 { String::new() } else { format!("{}: ", link(view, step.at.file.as_deref(), step.at.line)) }
}

/// A line, as something to click on where it is in the text itself.
fn link(view: &View<'_>, file: Option<&str>, line: usize) -> String {
    match file.filter(|file| std::path::Path::new(file) != view.document.path) {
        Some(file) => markdown(&format!("{file}:{line}")),
        None => format!("[line {line}](<{}#L{line}>)", view.document.uri.as_str()),
    }
}

/// Text that stays text, but for what is quoted: names and expressions come from the program, and an image in them must not be loaded.
fn markdown(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let last = parts.len() - 1;
    let mut shown = String::new();
    for (number, part) in parts.into_iter().enumerate() {
        match number % 2 {
            // What is between two of them is code; behind a last one without a partner it is text.
            1 if number < last => shown.push_str(&format!("`{}`", part.replace(['\n', '\r'], " "))),
            _ => {
                if number % 2 == 1 {
                    shown.push_str("\\`");
                }
                for letter in part.chars() {
                    match letter {
                        '\n' | '\r' => shown.push(' '),
                        letter => {
                            if "\\*_[]<>!#&~|".contains(letter) {
                                shown.push('\\');
                            }
                            shown.push(letter);
                        }
                    }
                }
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        for (text, shown) in [
            ("`i < n` differs", "`i < n` differs"),
            ("![a](b)", "\\!\\[a\\](b)"),
            ("`f(\"`![a](b)`\")` <img>", "`f(\"`\\!\\[a\\](b)`\")` \\<img\\>"),
            ("`a", "\\`a"),
            ("a\n# b", "a \\# b"),
        ] {
            assert_eq!(markdown(text), shown);
        }
    }

    #[test]
    fn words_of_source_and_ir() {
        let at = |text: &str, offset, is_ir| text[word(text, offset, is_ir)].to_owned();
        assert_eq!([at("a.bc-d", 3, false), at("a b", 1, false), at("+", 0, false)], ["bc", "a", ""]);
        assert_eq!([at("add %x.1, %y", 6, true), at("i32 %2)", 7, true)], ["%x.1", ""]);
    }
}
