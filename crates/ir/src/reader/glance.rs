//! What can be told of a body without reading it.
//!
//! A *glance* at a body finds every mention of a symbol, at the speed of memory, and moves from line to line to see that it is laid out as LLVM prints: an instruction a
//! line, with an opcode that exists; blocks that begin with a label and end with a terminator. Operands, types, and the names of values
//! and blocks are not looked at.
//!
//! Invariant: whatever a body does that has to do with convergence, it names. A call of a convergent function names that,
//! a call that is convergent by itself says so or names a group of attributes that does, a use of a token says
//! `convergencectrl`, and inline assembly says `asm`. So who has seen the mentions knows, however the text is laid out, that there is nothing else.

use memchr::memmem::Finder;

use super::cursor::is_word;
use super::instructions::tail_marker;
use crate::module::{FunctionId, Module, Symbol};
use crate::opcode::Opcode;

/// Finds the words that make a body one to be read, in any number of bodies.
#[derive(Debug)]
pub struct Glance {
    converge: Finder<'static>,
    assembly: Finder<'static>,
}

impl Default for Glance {
    fn default() -> Glance {
        Glance { converge: Finder::new("converge"), assembly: Finder::new("asm") }
    }
}

impl Glance {
    /// How many instructions a body has, if it has neither inline assembly nor what is convergent by its own words, it is laid out as LLVM
    /// prints, and `is_passed` holds for each symbol that it names, given with the text in front of it.
    ///
    /// O(length of the text), about a tenth of what reading takes.
    pub fn instructions(
        &self,
        module: &Module<'_>,
        id: FunctionId,
        mut is_passed: impl FnMut(Symbol, &[u8]) -> bool,
    ) -> Option<usize> {
        let body = module.functions[id].body?.of(module.text);
        if self.converge.find(body).is_some() || self.assembly.find(body).is_some() {
            return None;
        }
        for at in memchr::memchr2_iter(b'@', b'#', body) {
            let name = &body[at + 1..];
            let word = &name[..name.iter().position(|&byte| !is_word(byte)).unwrap_or(name.len())];
            let is_passed = match body[at] {
                // In quotes, or a part of a name that is.
                b'@' if word.is_empty() => false,
                b'@' => module.symbol_named(word).is_some_and(|symbol| is_passed(symbol, &body[..at])),
                _ if word.first().is_some_and(u8::is_ascii_digit) => is_plain_group(module, word),
                // A debug record, or a part of a name.
                _ => true,
            };
            if !is_passed {
                return None;
            }
        }
        Lines { text: body, at: 0 }.instructions()
    }
}

/// Whether a group of attributes is known, and does not say `convergent`.
fn is_plain_group(module: &Module<'_>, number: &[u8]) -> bool {
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    number.and_then(|number| module.attribute_groups.get(&number)).is_some_and(|group| !group.convergent)
}

/// The lines of a body.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lines<'t> {
    /// The next line, without its end.
    fn next(&mut self) -> Option<&'t [u8]> {
        let rest = &self.text[self.at..];
        let length = memchr::memchr(b'\n', rest)?;
        self.at += length + 1;
        Some(&rest[..length])
    }

    /// How many instructions there are, if the lines are those of blocks, up to the closing brace.
    fn instructions(mut self) -> Option<usize> {
        // The rest of the line of the opening brace.
        self.next()?.is_empty().then_some(())?;
        // Whether a label may come next, and an instruction: the first block needs no label.
        let (mut count, mut ends, mut begun) = (0, true, true);
        while let Some(line) = self.next() {
            match line {
                [] | [b';', ..] | [b' ', b' ', b'#', ..] => {}
                [b' ', b' ', rest @ ..] if begun => {
                    let opcode = opcode(rest)?;
                    if opcode == Opcode::Switch {
                        self.cases(rest)?;
                    }
                    ends = opcode.is_terminator();
                    begun = !ends;
                    count += 1;
                }
                _ if ends && is_label(line) => (ends, begun) = (false, true),
                _ => return None,
            }
        }
        (&self.text[self.at..] == b"}" && !begun).then_some(count)
    }

    /// The cases of a `switch`, a line each.
    fn cases(&mut self, mut line: &'t [u8]) -> Option<()> {
        while memchr::memchr(b']', line).is_none() {
            line = self.next()?;
            (line.starts_with(b"    ") || line.starts_with(b"  ]")).then_some(())?;
        }
        Some(())
    }
}

/// The opcode of an instruction that takes one line.
#[inline]
fn opcode(line: &[u8]) -> Option<Opcode> {
    let mut rest = line;
    if let [b'%', named @ ..] = line {
        let name = named.iter().position(|&byte| !is_word(byte))?;
        rest = named[name..].strip_prefix(b" = ")?;
    }
    let word = keyword(rest);
    let opcode = if tail_marker(word).is_some() { keyword(rest[word.len()..].strip_prefix(b" ")?) } else { word };
    use Opcode::*;
    Opcode::from_keyword(opcode).filter(|opcode| !matches!(opcode, Invoke | CallBr | LandingPad | CatchSwitch))
}

#[inline]
fn keyword(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len())]
}

fn is_label(line: &[u8]) -> bool {
    let name = keyword(line);
    !name.is_empty() && line.get(name.len()) == Some(&b':')
}
