//! The YAML around machine code: documents between `---` and `...`, of which one may hold LLVM IR (`--- |`) and each other one a function.
//!
//! Only what LLVM prints and what people write in tests is read of YAML: keys at the beginning of a line, lists of registers, and the body as a
//! block of text. **Invariant.** A [`Document`] is a part of the text, so that places in it are places in the file; what it holds is read when it
//! is asked for, so a mistake in one does not touch the others. All is linear in the text.

use std::ops::Range;

use crate::error::ReadError;

/// A `.mir` text, taken apart into its documents.
#[derive(Debug, Clone)]
pub struct File<'t> {
    text: &'t str,
    /// The LLVM IR that comes with it.
    ir: Option<Range<usize>>,
    /// The functions, in the order of the text.
    pub documents: Vec<Document<'t>>,
}

/// A document that holds a function.
#[derive(Debug, Clone)]
pub struct Document<'t> {
    pub(crate) text: &'t str,
    range: Range<usize>,
}

/// The parts of a document.
#[derive(Debug)]
pub(crate) struct Parts<'t> {
    /// The function's name, without quotes.
    pub(crate) name: &'t str,
    /// Where the name's line begins.
    pub(crate) offset: usize,
    /// Virtual registers that are listed before the body: number and class.
    pub(crate) registers: Vec<(&'t str, &'t str)>,
    /// The body: a range of the text.
    pub(crate) body: Range<usize>,
}

impl<'t> File<'t> {
    /// Takes a text apart; O(text).
    ///
    /// # Errors
    /// When a document is neither a block of IR nor a mapping.
    pub fn read(text: &'t str) -> Result<File<'t>, ReadError> {
        if u32::try_from(text.len()).is_err() {
            return Err(ReadError::new(0, "a text of 4 GiB or more is not read"));
        }
        let mut file = File { text, ir: None, documents: Vec::new() };
        // The document that is open: where it begins, and whether it is IR.
        let mut open: Option<(usize, bool)> = None;
        for (offset, line) in lines(text, 0..text.len()) {
            let begins = line.strip_prefix("---").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
            let ends = line == "..." || line.starts_with("... ");
            if begins.is_some() || ends {
                file.close(open.take(), offset);
            }
            if let Some(rest) = begins {
                let rest = rest.trim();
                let is_ir = rest.starts_with('|');
                if !is_ir && !rest.is_empty() && !rest.starts_with('#') {
                    return Err(ReadError::new(offset, "expected `---`, or `--- |` before LLVM IR"));
                }
                open = Some((offset + line.len(), is_ir));
            } else if open.is_none() && !ends && !is_blank(line) {
                open = Some((offset, false));
            }
        }
        file.close(open, text.len());
        Ok(file)
    }

    fn close(&mut self, open: Option<(usize, bool)>, end: usize) {
        match open {
            Some((start, true)) if self.ir.is_none() => self.ir = Some(start..end),
            Some((start, false)) if !self.text[start..end].lines().all(is_blank) => {
                self.documents.push(Document { text: self.text, range: start..end });
            }
            _ => {}
        }
    }

    /// The target triple that the IR names; O(IR).
    pub fn triple(&self) -> Option<&'t str> {
        let ir = &self.text[self.ir.clone()?];
        let quoted = ir.lines().find_map(|line| line.trim_start().strip_prefix("target triple = \""))?;
        quoted.split('"').next()
    }
}

impl<'t> Document<'t> {
    /// The function's name; O(document).
    ///
    /// # Errors
    /// When the document is not understood, or has no name.
    pub fn name(&self) -> Result<&'t str, ReadError> {
        self.parts().map(|parts| parts.name)
    }

    /// Finds name, registers and body; O(document).
    pub(crate) fn parts(&self) -> Result<Parts<'t>, ReadError> {
        let text = self.text;
        let (mut name, mut body, mut registers) = (None, None, Vec::new());
        let mut lines = lines(text, self.range.clone()).peekable();
        while let Some((offset, line)) = lines.next() {
            if is_blank(line) {
                continue;
            }
            if line.starts_with([' ', '\t']) {
                return Err(ReadError::new(offset, "expected a key at the beginning of the line, such as `name:`"));
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(ReadError::new(offset, "expected `key: value`"));
            };
            let start = offset + key.len() + 1;
            let mut end = offset + line.len();
            // What belongs to it is indented, or, of a list, begins with a dash.
            let belongs = |line: &str| is_blank(line) || line.starts_with([' ', '\t', '-', ']', '}']);
            while let Some((offset, line)) = lines.next_if(|(_, line)| belongs(line)) {
                end = offset + line.len();
            }
            match key.trim_end() {
                "name" if name.is_some() => return Err(ReadError::new(offset, "`name:` is here a second time")),
                "body" if body.is_some() => return Err(ReadError::new(offset, "`body:` is here a second time")),
                "name" => name = Some((unquoted(value), offset)),
                "registers" => registers = listed_registers(text, start..end)?,
                "body" => {
                    let style = value.trim();
                    body = Some(match style.starts_with('|') {
                        true => offset + line.len()..end,
                        false if matches!(style, "" | "''" | "\"\"") => end..end,
                        false => {
                            return Err(ReadError::new(
                                start,
                                "expected `body: |`, and the blocks in the lines after it",
                            ));
                        }
                    });
                }
                _ => {}
            }
        }
        let Some((name, offset)) = name else {
            return Err(ReadError::new(self.start(), "this document has no `name:`, so it is not a machine function"));
        };
        if name.is_empty() {
            return Err(ReadError::new(offset, "expected the name of a function"));
        }
        Ok(Parts { name, offset, registers, body: body.unwrap_or(self.range.end..self.range.end) })
    }

    /// The place of the first line that says something.
    fn start(&self) -> usize {
        let mut said = lines(self.text, self.range.clone()).filter(|(_, line)| !is_blank(line));
        said.next().map_or(self.range.start, |(offset, _)| offset)
    }
}

/// The lines of a part of a text, with their places; without their ends.
pub(crate) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Whether a line of YAML says nothing.
fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// A value on the line of its key, without quotes or a comment.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or_default();
        }
    }
    value.split(" #").next().unwrap_or_default().trim_end()
}

/// The entries of `registers:`, each with an `id` and a `class`.
fn listed_registers(text: &str, range: Range<usize>) -> Result<Vec<(&str, &str)>, ReadError> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut scalars = Scalars { text, offset: range.start, end: range.end };
    while let Some((key, offset)) = scalars.next() {
        if !scalars.skip(':') {
            continue;
        }
        match key {
            "id" => match scalars.next() {
                Some((number, _)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    found.push((number, ""));
                }
                _ => return Err(ReadError::new(offset, "expected the number of a register after `id:`")),
            },
            "class" => match (scalars.next(), found.last_mut()) {
                (Some((class, _)), Some(last)) => last.1 = class,
                _ => return Err(ReadError::new(offset, "expected `{ id: NUMBER, class: NAME }`")),
            },
            // Lists of flags and the like.
            _ => {}
        }
    }
    Ok(found)
}

/// The words of nested YAML: plain ones and quoted ones; everything between them is passed over.
struct Scalars<'t> {
    text: &'t str,
    offset: usize,
    end: usize,
}

impl<'t> Scalars<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..self.end]
    }

    /// The next word, and its place.
    fn next(&mut self) -> Option<(&'t str, usize)> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            match first {
                '#' => self.offset += rest.find('\n').unwrap_or(rest.len()),
                '"' | '\'' => {
                    let length = rest[1..].find(first).unwrap_or(rest.len() - 1);
                    let start = self.offset;
                    self.offset = (start + length + 2).min(self.end);
                    return Some((&rest[1..1 + length], start));
                }
                _ if is_plain(first) => {
                    let length = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
                    let start = self.offset;
                    self.offset += length;
                    return Some((&rest[..length], start));
                }
                _ => self.offset += first.len_utf8(),
            }
        }
    }

    /// Passes over a character after spaces, if it is there.
    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches(' ');
        let is_there = trimmed.starts_with(wanted);
        if is_there {
            self.offset += rest.len() - trimmed.len() + wanted.len_utf8();
        }
        is_there
    }
}

/// Whether a character is part of a plain word.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '%' | '@')
}
