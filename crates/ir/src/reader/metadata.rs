//! Reading metadata: kept as text, except for the number that `!dbg` names.

use cranelift_entity::packed_option::PackedOption;

use super::Reader;
use super::cursor::is_word;
use super::error::Result;
use super::scope::Scope;
use crate::constant::ConstantData;
use crate::function::MetadataNumber;
use crate::text::Span;
use crate::types::Type;

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// `!7`, `!"text"`, `!{…}`, `!DILocation(…)`; the cursor is at the `!`.
    pub(crate) fn metadata_node(&mut self) -> Result<Span> {
        let start = self.cursor.position;
        self.cursor.expect(b'!')?;
        match self.cursor.byte() {
            b'"' => drop(self.cursor.string()?),
            b'{' => drop(self.cursor.balanced(b'{')?),
            b'0'..=b'9' => drop(self.cursor.small_number()?),
            byte if byte.is_ascii_alphabetic() => {
                self.cursor.word();
                self.cursor.balanced(b'(')?;
            }
            _ => return Err(self.cursor.expected("a metadata node")),
        }
        Ok(Span::new(start, self.cursor.position))
    }

    /// The name of named metadata or of a kind of attachment, escapes included; the `!` is behind.
    pub(crate) fn metadata_name(&mut self) -> Result<Span> {
        let start = self.cursor.position;
        while self.cursor.byte() == b'\\' || is_word(self.cursor.byte()) {
            self.cursor.position += 1;
        }
        if self.cursor.position == start {
            return Err(self.cursor.expected("a name"));
        }
        Ok(Span::new(start, self.cursor.position))
    }

    /// An operand of type `metadata`: a node, or a typed value.
    pub(crate) fn metadata_operand(&mut self) -> Result<ConstantData> {
        if self.cursor.peek() == b'!' {
            return self.metadata_node().map(ConstantData::Metadata);
        }
        let start = self.cursor.position;
        let ty = self.ty()?;
        if ty == Type::METADATA {
            return Err(self.cursor.error_at(start, "metadata is not wrapped in metadata".to_string()));
        }
        self.operand(ty)?;
        Ok(ConstantData::Metadata(Span::new(start, self.cursor.position)))
    }

    /// Metadata attachments `!kind !node, !kind !node …`, the first `!` being next. Where they are parts of a
    /// list, they are its last parts.
    pub(crate) fn attachments(&mut self, commas: bool) -> Result<(Span, PackedOption<MetadataNumber>)> {
        let start = self.cursor.position;
        let mut location = PackedOption::default();
        let mut end = start;
        while self.cursor.peek() == b'!' {
            let [kind, node] = self.attachment()?;
            end = self.cursor.position;
            if self.cursor.slice(kind) == b"dbg" {
                location = MetadataNumber::named(self.cursor.slice(node)).into();
            }
            if commas {
                if !self.cursor.take(b',') {
                    break;
                }
                if self.cursor.peek() != b'!' {
                    return Err(self.cursor.expected("a metadata attachment"));
                }
            }
        }
        Ok((Span::new(start, end), location))
    }

    /// A metadata attachment `!kind !node`, the first `!` being next.
    pub(super) fn attachment(&mut self) -> Result<[Span; 2]> {
        self.cursor.position += 1;
        let kind = self.metadata_name()?;
        if self.cursor.peek() != b'!' {
            return Err(self.cursor.expected("a metadata node"));
        }
        Ok([kind, self.metadata_node()?])
    }

    /// A debug record `#dbg_…(…)`; the cursor is at the `#`.
    pub(crate) fn debug_record(&mut self) -> Result<Span> {
        let start = self.cursor.position;
        self.cursor.position += 1;
        let word = self.cursor.word();
        if !matches!(word, b"dbg_value" | b"dbg_declare" | b"dbg_assign" | b"dbg_label" | b"dbg_declare_value") {
            self.cursor.position = start;
            return Err(self.cursor.expected("an instruction or a debug record"));
        }
        self.cursor.balanced(b'(')?;
        Ok(Span::new(start, self.cursor.position))
    }
}
