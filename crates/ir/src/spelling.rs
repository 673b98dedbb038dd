//! What parts of a module's text say, for those who hold a [`Span`] of it and read no text themselves.

use std::borrow::Cow;

use crate::attributes::Attributes;
use crate::function::LocalName;
use crate::module::{FunctionId, Module, Symbol};
use crate::text::{Span, unquote};

/// Inline assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InlineAssembly<'t> {
    /// The instructions, escapes included.
    pub template: &'t [u8],
    /// The constraints, escapes included: `=r,r,~{memory}`.
    pub constraints: &'t [u8],
    /// Whether it does more than compute its results: `sideeffect`.
    pub has_side_effects: bool,
}

impl<'t> Module<'t> {
    /// What a span spells: a literal, a string, a node of metadata, the argument of an attribute.
    #[inline]
    pub fn spelling(&self, span: Span) -> &'t [u8] {
        span.of(self.text)
    }

    /// Whether a block or value has a name, given without sigil, quotes or escapes.
    pub fn is_named(&self, name: LocalName, wanted: &[u8]) -> bool {
        match name {
            LocalName::Text(span) => *unquote(span.of(self.text)) == *wanted,
            LocalName::Number(number) => number.to_string().as_bytes() == wanted,
        }
    }

    /// The inline assembly that a span spells, from `asm` to the constraints.
    pub fn inline_assembly(&self, span: Span) -> InlineAssembly<'t> {
        let text = span.of(self.text);
        let words = &text[..memchr::memchr(b'"', text).unwrap_or(text.len())];
        let has_side_effects = memchr::memmem::find(words, b"sideeffect").is_some();
        let mut strings = text.split(|&byte| byte == b'"').skip(1).step_by(2);
        let mut next = || strings.next().unwrap_or_default();
        InlineAssembly { template: next(), constraints: next(), has_side_effects }
    }

    /// The names of symbols in a body, as often as it mentions them: without sigil, quotes or escapes. It is not read for that, so names in strings are
    /// among them. O(body).
    pub fn mentions(&self, function: FunctionId) -> impl Iterator<Item = Cow<'t, [u8]>> + use<'t> {
        let body = self.functions[function].body.map_or(&[][..], |body| body.of(self.text));
        memchr::memchr_iter(b'@', body).map(move |at| {
            let rest = &body[at + 1..];
            let length = match rest.strip_prefix(b"\"") {
                Some(inner) => memchr::memchr(b'"', inner).map_or(rest.len(), |length| length + 2),
                None => {
                    let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"-$._".contains(byte);
                    rest.iter().position(ends).unwrap_or(rest.len())
                }
            };
            unquote(&rest[..length])
        })
    }

    /// The functions that `!nvvm.annotations` name as kernels, in nodes such as `!{ptr @f, !"kernel", i32 1}`: so LLVM had it before version 21.
    /// O(nodes of metadata).
    pub fn annotated_kernels(&self) -> impl Iterator<Item = FunctionId> {
        let nodes =
            self.has_annotations.then(|| self.metadata.values()).into_iter().flatten().map(|span| span.of(self.text));
        let nodes = nodes.filter(|node| memchr::memmem::find(node, b"!\"kernel\"").is_some());
        nodes.filter_map(|node| {
            let at = memchr::memchr(b'@', node)? + 1;
            let length = memchr::memchr(b',', &node[at..])?;
            self.function_of(self.symbol_named(&unquote(&node[at..at + length]))?)
        })
    }

    /// The words behind the name of a variable, far beyond its definition.
    pub fn words_of_variable(&self, symbol: Symbol) -> Attributes<'t> {
        let Span { end, .. } = self.symbols[symbol].name;
        self.attributes(Span { start: end, end: self.text.len() as u32 })
    }

    /// The definition of a variable behind its `=`, in the text up to the end of its line, without metadata.
    pub fn definition_of_variable(&self, symbol: Symbol) -> Option<&'t [u8]> {
        let rest = &self.text[self.symbols[symbol].name.range().start..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let end = memchr::memmem::find(line, b", !").unwrap_or(line.len());
        line.get(memchr::memchr(b'=', line)?..end)
    }
}
