//! Source locations: what `!dbg !7` means, as file, line and column.
//!
//! Nodes are decoded from their text when they are asked for, so modules pay nothing for debug
//! information that nobody looks at.

use crate::function::MetadataNumber;
use crate::module::Module;
use crate::text::{Span, display, unquote};

/// A place in the source of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLocation {
    /// The file, with its directory unless the name is absolute.
    pub file: String,
    /// The line, counted from 1; 0 if the compiler made the instruction up.
    pub line: u32,
    /// The column, counted from 1; 0 if it is unknown.
    pub column: u32,
    /// Where the function that contains this place was inlined, innermost call first.
    pub inlined_at: Vec<DebugLocation>,
}

/// A file that a compiler has made a module, or a part of it, of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileUnit {
    /// The file, as places name it ([`DebugLocation::file`]).
    pub file: String,
    /// Its language, such as `DW_LANG_OpenCL`; empty where nothing says it.
    pub language: String,
}

/// Chains of scopes and of inlined calls longer than this are cyclic, or as good as.
const MAX_CHAIN: usize = 1000;

impl Module<'_> {
    /// The place that a `DILocation` names; nothing if the node is not one, or names no file.
    pub fn debug_location(&self, node: MetadataNumber) -> Option<DebugLocation> {
        let mut place = self.one_location(node)?;
        let mut next = self.node_field(node, b"inlinedAt");
        for _ in 0..MAX_CHAIN {
            let Some(call) = next else { break };
            place.inlined_at.extend(self.one_location(call));
            next = self.node_field(call, b"inlinedAt");
        }
        Some(place)
    }

    /// The files that the module was made of, as its debug information has them, in the order of the text. O(metadata).
    pub fn compile_units(&self) -> Vec<CompileUnit> {
        let is_unit = |span: &Span| span.of(self.text).starts_with(b"!DICompileUnit(");
        let mut units: Vec<(MetadataNumber, Span)> =
            self.metadata.iter().filter(|(_, span)| is_unit(span)).map(|(&node, &span)| (node, span)).collect();
        units.sort_by_key(|(_, span)| span.start);
        let unit = |(node, _)| {
            let file = self.file_name(self.node_field(node, b"file")?)?;
            let language = self.node_value(node, b"language").map(display).unwrap_or_default();
            Some(CompileUnit { file, language })
        };
        units.into_iter().filter_map(unit).collect()
    }

    fn one_location(&self, node: MetadataNumber) -> Option<DebugLocation> {
        let text = self.node(node)?;
        if !text.starts_with(b"!DILocation(") {
            return None;
        }
        Some(DebugLocation {
            file: self.node_file(self.node_field(node, b"scope")?)?,
            line: self.node_number(node, b"line").unwrap_or(0),
            column: self.node_number(node, b"column").unwrap_or(0),
            inlined_at: Vec::new(),
        })
    }

    /// The file that a node names, or the scope around it.
    pub(crate) fn node_file(&self, node: MetadataNumber) -> Option<String> {
        let mut scope = node;
        for _ in 0..MAX_CHAIN {
            if let Some(file) = self.node_field(scope, b"file") {
                return self.file_name(file);
            }
            scope = self.node_field(scope, b"scope")?;
        }
        None
    }

    /// The value of a field of a node, as spelled.
    pub(crate) fn node_value(&self, node: MetadataNumber, name: &[u8]) -> Option<&[u8]> {
        field(self.node(node)?, name)
    }

    /// A number in a node.
    pub(crate) fn node_number(&self, node: MetadataNumber, name: &[u8]) -> Option<u32> {
        std::str::from_utf8(self.node_value(node, name)?).ok()?.parse().ok()
    }

    /// A string in a node, without its quotes.
    pub(crate) fn node_string(&self, node: MetadataNumber, name: &[u8]) -> Option<String> {
        self.node_value(node, name).map(|value| display(&unquote(value)))
    }

    fn node(&self, node: MetadataNumber) -> Option<&[u8]> {
        self.metadata.get(&node).map(|span| span.of(self.text))
    }

    /// The node that a field refers to by number.
    pub(crate) fn node_field(&self, node: MetadataNumber, name: &[u8]) -> Option<MetadataNumber> {
        MetadataNumber::named(self.node_value(node, name)?)
    }

    fn file_name(&self, node: MetadataNumber) -> Option<String> {
        let name = self.node_string(node, b"filename")?;
        let name = name.strip_prefix("./").unwrap_or(&name);
        let is_elsewhere = |directory: &String| !matches!(directory.as_str(), "" | ".") && !name.starts_with('/');
        match self.node_string(node, b"directory").filter(is_elsewhere) {
            Some(directory) => Some(format!("{}/{name}", directory.trim_end_matches('/'))),
            None => Some(name.to_owned()),
        }
    }
}

/// The value of `name: value` in `!Kind(name: value, …)`.
fn field<'t>(node: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let open = memchr::memchr(b'(', node)?;
    let mut rest = &node[open + 1..];
    loop {
        let colon = memchr::memchr2(b':', b')', rest).filter(|&at| rest[at] == b':')?;
        let key = rest[..colon].trim_ascii();
        let value = rest[colon + 1..].trim_ascii_start();
        let end = value_end(value);
        if key == name {
            return Some(value[..end].trim_ascii_end());
        }
        rest = value[end..].strip_prefix(b",")?;
    }
}

/// Where a field's value ends: at a comma or bracket outside of strings and brackets.
pub(crate) fn value_end(value: &[u8]) -> usize {
    let (mut depth, mut in_string) = (0, false);
    for (index, &byte) in value.iter().enumerate() {
        match byte {
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'(' | b'{' => depth += 1,
            b')' | b'}' if depth > 0 => depth -= 1,
            b',' | b')' | b'}' if depth == 0 => return index,
            _ => {}
        }
    }
    value.len()
}
