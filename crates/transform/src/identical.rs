//! Instructions that are the same but for the name of their result, and names that stand for others.

use std::borrow::Cow;

use reconverge_ir::function::{Inst, LocalName};
use reconverge_ir::text::unquote;
use reconverge_ir::{Function, Module, Span};
use rustc_hash::FxHashMap;

use crate::legality::Layout;

/// New names of values by old ones, both without sigil or quotes.
pub(crate) type Renaming = FxHashMap<Vec<u8>, String>;

/// Whether two calls do the same with the same operands. By their text: in one function, a name is one value.
pub(crate) fn is_identical(module: &Module<'_>, function: &Function, layout: &Layout, one: Inst, other: Inst) -> bool {
    let mut renaming = Renaming::default();
    for (gone, kept) in layout.merged() {
        let name = |inst: Inst| local_name(module, function.instructions[inst].name);
        renaming.insert(name(gone), String::from_utf8_lossy(&name(kept)).into_owned());
    }
    let text = |inst: Inst| {
        let data = &function.instructions[inst];
        let whole = &module.text[data.span.range()];
        let start = if data.result.is_some() { memchr::memchr(b'=', whole).map_or(0, |at| at + 1) } else { 0 };
        let end = if data.attachments.is_empty() {
            whole.len()
        } else {
            data.attachments.range().start - data.span.range().start
        };
        let right = renamed(&whole[start..end], &renaming);
        let right = String::from_utf8_lossy(&right).into_owned();
        right.trim_end().trim_end_matches(',').split_whitespace().collect::<Vec<_>>().join(" ")
    };
    function.instructions[one].ty == function.instructions[other].ty && text(one) == text(other)
}

/// A name, without sigil or quotes.
pub(crate) fn local_name(module: &Module<'_>, name: LocalName) -> Vec<u8> {
    match name {
        LocalName::Text(span) => unquote(span.of(module.text)).into_owned(),
        LocalName::Number(number) => number.to_string().into_bytes(),
    }
}

/// A name as it is written.
pub(crate) fn spelled(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-$._".contains(&byte);
    let begins = name.as_bytes().first().is_some_and(|byte| !byte.is_ascii_digit())
        || name.bytes().all(|byte| byte.is_ascii_digit());
    if begins && name.bytes().all(is_plain) { format!("%{name}") } else { format!("%\"{name}\"") }
}

/// The places in a text where a name is used that is to be another one; with the new one, sigil included.
pub(crate) fn mentions(text: &[u8], span: Span, renaming: &Renaming) -> Vec<(std::ops::Range<usize>, String)> {
    if renaming.is_empty() {
        return Vec::new();
    }
    let base = span.range().start;
    places(&text[span.range()], renaming)
        .into_iter()
        .map(|(range, name)| (range.start + base..range.end + base, name))
        .collect()
}

fn renamed<'t>(text: &'t [u8], renaming: &Renaming) -> Cow<'t, [u8]> {
    let places = if renaming.is_empty() { Vec::new() } else { places(text, renaming) };
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut output, mut done) = (Vec::new(), 0);
    for (range, name) in places {
        output.extend_from_slice(&text[done..range.start]);
        output.extend_from_slice(name.as_bytes());
        done = range.end;
    }
    output.extend_from_slice(&text[done..]);
    Cow::Owned(output)
}

fn places(text: &[u8], renaming: &Renaming) -> Vec<(std::ops::Range<usize>, String)> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|byte| b"%\";".contains(byte)) {
        let start = at + found;
        let quoted =
            |open: usize| memchr::memchr(b'"', &text[open + 1..]).map_or(text.len(), |length| open + length + 2);
        at = match text[start] {
            b'"' => quoted(start),
            b';' => memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length),
            _ => {
                let end = match text.get(start + 1) {
                    Some(b'"') => quoted(start + 1),
                    _ => {
                        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
                        start + 1 + text[start + 1..].iter().take_while(|byte| is_name(byte)).count()
                    }
                };
                if let Some(name) = renaming.get(&*unquote(&text[start + 1..end])) {
                    places.push((start..end, spelled(name)));
                }
                end
            }
        };
    }
    places
}
