//! Reading attributes: kept as text, except for `convergent`.
//!
//! An attribute is a word, perhaps with something in parentheses, behind `=` or a number; or a string, perhaps
//! with a value; or a group `#7`. Attributes that LLVM does not have yet are read like the others.

use super::Reader;
use super::error::Result;
use super::scope::Scope;
use super::types::is_type_word;
use crate::opcode::Opcode;
use crate::text::Span;

/// Attributes as they stand in the text, and what they say about convergence.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attributes {
    pub(crate) span: Span,
    pub(crate) convergent: bool,
    /// What is in the parentheses of an `addrspace(…)`.
    pub(crate) address_space: Span,
}

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// Reads attributes up to a word for which `ends` holds, or something that is no attribute.
    pub(crate) fn attributes(&mut self, ends: impl Fn(&[u8]) -> bool) -> Result<Attributes> {
        let mut first = self.cursor.peek();
        let start = self.cursor.position;
        let mut attributes = Attributes { span: Span::new(start, start), ..Attributes::default() };
        loop {
            match first {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let word = self.cursor.peek_word();
                    let behind = self.cursor.byte_at(word.len());
                    if behind == b':' || ends(word) {
                        break;
                    }
                    self.cursor.position += word.len();
                    attributes.convergent |= word == b"convergent";
                    let argument = self.attribute_argument(word)?;
                    if word == b"addrspace" && !argument.is_empty() {
                        attributes.address_space = Span { start: argument.start + 1, end: argument.end - 1 };
                    }
                }
                b'"' => {
                    // A quoted label begins like this, too.
                    let before = self.cursor.position;
                    self.cursor.string()?;
                    if self.cursor.byte() == b':' {
                        self.cursor.position = before;
                        break;
                    }
                    if self.cursor.take(b'=') {
                        self.cursor.string()?;
                    }
                }
                b'#' if self.cursor.byte_at(1).is_ascii_digit() => {
                    self.cursor.position += 1;
                    let group = self.cursor.small_number()?;
                    attributes.convergent |= self.scope.group_is_convergent(group);
                    self.state.groups.push(group);
                }
                _ => break,
            }
            attributes.span.end = self.cursor.token_end() as u32;
            first = self.cursor.peek();
        }
        Ok(attributes)
    }

    /// What may follow the word of an attribute; where that is in parentheses, the result is it with them.
    fn attribute_argument(&mut self, word: &[u8]) -> Result<Span> {
        match self.cursor.byte() {
            b'(' => return self.cursor.balanced(b'('),
            b'=' => {
                self.cursor.position += 1;
                if self.cursor.peek() == b'"' {
                    self.cursor.string()?;
                } else {
                    self.cursor.number()?;
                }
            }
            b' ' if word == b"align" && self.cursor.peek().is_ascii_digit() => {
                self.cursor.alignment()?;
            }
            b' ' if matches!(word, b"cc" | b"alignstack") && self.cursor.peek().is_ascii_digit() => {
                self.cursor.number()?;
            }
            b' ' if self.cursor.byte_at(1) == b'(' && takes_parentheses(word) => return self.cursor.balanced(b'('),
            b' ' if self.cursor.byte_at(1) == b'=' && word == b"align" => {
                self.cursor.expect(b'=')?;
                self.cursor.number()?;
            }
            _ => {}
        }
        Ok(Span::default())
    }

    /// Attributes of a parameter or argument: they stand between its type and its value or name.
    #[inline]
    pub(crate) fn parameter_attributes(&mut self) -> Result<Span> {
        // Most have none, and most values begin like nothing that an attribute begins with.
        if !matches!(self.cursor.peek(), b'a'..=b'z' | b'"' | b'A'..=b'Z') {
            return Ok(Span::default());
        }
        let span = self.attributes(is_constant_word)?.span;
        Ok(if span.is_empty() { Span::default() } else { span })
    }

    /// What stands before a type: linkage, visibility, calling convention, attributes of the result.
    #[inline]
    pub(crate) fn before_type(&mut self) -> Result<Attributes> {
        match self.cursor.peek() {
            b'<' | b'[' | b'{' | b'%' => Ok(Attributes::default()),
            _ => self.attributes(is_type_word),
        }
    }

    /// Attributes behind the arguments of a call.
    #[inline]
    pub(crate) fn call_attributes(&mut self) -> Result<Attributes> {
        match self.cursor.peek() {
            b'%' | b',' | b'}' => Ok(Attributes::default()),
            _ => self.attributes(|word| {
                Opcode::from_keyword(word).is_some()
                    || matches!(word, b"tail" | b"musttail" | b"notail" | b"to" | b"unwind" | b"uselistorder")
            }),
        }
    }
}

fn takes_parentheses(word: &[u8]) -> bool {
    matches!(
        word,
        b"memory"
            | b"addrspace"
            | b"dereferenceable"
            | b"dereferenceable_or_null"
            | b"byval"
            | b"sret"
            | b"byref"
            | b"inalloca"
            | b"preallocated"
            | b"elementtype"
            | b"allocsize"
            | b"vscale_range"
            | b"nofpclass"
            | b"range"
            | b"captures"
            | b"initializes"
            | b"uwtable"
            | b"allockind"
            | b"alignstack"
            | b"align"
            | b"comdat"
    )
}

/// Whether a word begins a constant, so that it is no attribute.
fn is_constant_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"undef"
            | b"poison"
            | b"null"
            | b"none"
            | b"true"
            | b"false"
            | b"zeroinitializer"
            | b"c"
            | b"asm"
            | b"splat"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
    ) || Opcode::from_keyword(word).is_some()
        || word.starts_with(b"u0x")
        || word.starts_with(b"s0x")
}
