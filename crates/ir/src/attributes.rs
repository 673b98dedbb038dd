//! Attributes of functions, parameters and variables, and what metadata says of a function: decoded from the text
//! when they are asked for.
//!
//! An attribute is a word, perhaps with an argument; or a string, perhaps with a value; or a group `#7`. Where two say
//! different things of one name, the later one counts.

use std::borrow::Cow;

use crate::function::MetadataNumber;
use crate::module::{FunctionData, Module};
use crate::reader::ReadError;
use crate::text::{Span, display, unquote};
use crate::types::Type;

/// One attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute<'t> {
    /// `nounwind`, `align 4`, `byval(i32)`, `section "s"`.
    Word {
        /// The word.
        name: &'t [u8],
        /// What stands in parentheses, or the number or string behind it; empty where there is nothing.
        argument: Span,
    },
    /// `#7`
    Group(u32),
    /// `"name"="value"`, both without quotes; the value is empty where there is none.
    Text {
        /// The name, escapes included.
        name: &'t [u8],
        /// The value, escapes included.
        value: &'t [u8],
    },
    /// An attachment of metadata, `!name !7` or `!name !{…}`.
    Attachment {
        /// The name, without the `!`.
        name: &'t [u8],
        /// The node.
        node: Span,
    },
    /// Punctuation between attributes.
    Other(u8),
}

/// The attributes in a part of a text that the reader has accepted.
#[derive(Debug, Clone)]
pub struct Attributes<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> Attributes<'t> {
    /// The attributes in a part of a text.
    pub fn new(text: &'t [u8], span: Span) -> Attributes<'t> {
        Attributes { text, at: span.start as usize, end: span.end as usize }
    }

    /// How far it has come: the byte behind the last attribute that it gave.
    pub fn offset(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..self.end]
    }

    fn byte(&self) -> u8 {
        self.rest().first().copied().unwrap_or(0)
    }

    /// Moves on by some bytes; they are the result.
    fn take(&mut self, length: usize) -> Span {
        let start = self.at;
        self.at = (start + length).min(self.end);
        Span::new(start, self.at)
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_ascii_start().len();
            if self.byte() != b';' {
                return;
            }
            let rest = self.rest();
            self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
    }

    fn word(&mut self) -> Span {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"_.-$".contains(byte));
        self.take(length.unwrap_or(rest.len()))
    }

    /// A string with its quotes; nothing is taken where there is none.
    fn string(&mut self) -> Span {
        let length = match self.rest() {
            [b'"', inner @ ..] => memchr::memchr(b'"', inner).map_or(inner.len(), |end| end + 1) + 1,
            _ => 0,
        };
        self.take(length)
    }

    /// What stands between brackets, without them; the opening one is next.
    fn bracketed(&mut self) -> Span {
        let start = self.at + 1;
        let mut depth = 0u32;
        while self.at < self.end {
            match self.byte() {
                b'"' => {
                    self.string();
                    continue;
                }
                b'(' | b'{' | b'[' | b'<' => depth += 1,
                b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Span::new(start, self.at - 1);
            }
        }
        Span::new(start.min(self.end), self.end)
    }

    /// The argument of a word that was just taken.
    fn argument(&mut self, name: &[u8]) -> Span {
        let before = self.at;
        self.skip_space();
        if self.byte() == b'=' {
            self.at += 1;
            self.skip_space();
        }
        match self.byte() {
            b'(' => self.bracketed(),
            b'0'..=b'9' => self.word(),
            b'"' if matches!(name, b"section" | b"partition" | b"addrspace" | b"gc") => self.string(),
            _ => {
                self.at = before;
                Span::new(before, before)
            }
        }
    }

    fn node(&mut self) -> Span {
        self.skip_space();
        let start = self.at;
        if self.byte() == b'!' {
            self.at += 1;
            self.word();
            if matches!(self.byte(), b'{' | b'(') {
                self.bracketed();
            }
        }
        Span::new(start, self.at)
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = Attribute<'t>;

    fn next(&mut self) -> Option<Attribute<'t>> {
        self.skip_space();
        let text = self.text;
        Some(match *self.rest().first()? {
            b'"' => {
                let name = self.string();
                let mut value = Span::default();
                if self.byte() == b'=' {
                    self.at += 1;
                    value = self.string();
                }
                Attribute::Text { name: without_quotes(name.of(text)), value: without_quotes(value.of(text)) }
            }
            b'#' => {
                self.at += 1;
                let number = std::str::from_utf8(self.word().of(text)).ok().and_then(|digits| digits.parse().ok());
                number.map_or(Attribute::Other(b'#'), Attribute::Group)
            }
            b'!' => {
                self.at += 1;
                let name = self.word().of(text);
                Attribute::Attachment { name, node: self.node() }
            }
            byte => match self.word().of(text) {
                b"" => {
                    self.at += 1;
                    Attribute::Other(byte)
                }
                name => Attribute::Word { name, argument: self.argument(name) },
            },
        })
    }
}

fn without_quotes(string: &[u8]) -> &[u8] {
    string.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(string)
}

impl<'t> Module<'t> {
    /// The attributes in a part of the text, such as [`FunctionData::suffix`] or a parameter's; groups as such.
    pub fn attributes(&self, span: Span) -> Attributes<'t> {
        Attributes::new(self.text, span)
    }

    /// The attributes in a part of the text, groups resolved.
    pub fn all_attributes(&self, span: Span) -> Vec<Attribute<'t>> {
        let mut all = Vec::new();
        for attribute in self.attributes(span) {
            match attribute {
                Attribute::Group(number) => {
                    let group = self.attribute_groups.get(&number);
                    all.extend(group.into_iter().flat_map(|group| self.attributes(group.span)));
                }
                other => all.push(other),
            }
        }
        all
    }

    /// The value of an attribute in a part of the text, groups included; empty for one that has no value or argument.
    pub fn attribute(&self, span: Span, name: &[u8]) -> Option<Cow<'t, [u8]>> {
        self.all_attributes(span).into_iter().rev().find_map(|attribute| match attribute {
            Attribute::Word { name: found, argument } if found == name => {
                Some(unquote(argument.of(self.text).trim_ascii()))
            }
            Attribute::Text { name: found, value } if found == name => Some(unescape(value)),
            _ => None,
        })
    }

    /// The number that an attribute has, such as `align 8` or `dereferenceable(4)`.
    pub fn number_attribute(&self, span: Span, name: &[u8]) -> Option<u64> {
        std::str::from_utf8(&self.attribute(span, name)?).ok()?.trim().parse().ok()
    }

    /// The type that an attribute has: `byval(T)`, `sret(T)`, `byref(T)`, `elementtype(T)`.
    ///
    /// # Errors
    /// When the argument is no type.
    pub fn type_attribute(&self, span: Span, name: &[u8]) -> Result<Option<Type>, ReadError> {
        let found = self.attributes(span).filter_map(|attribute| match attribute {
            Attribute::Word { name: found, argument } if found == name && !argument.is_empty() => Some(argument),
            _ => None,
        });
        found.last().map(|argument| self.type_at(argument)).transpose()
    }

    /// The text of the node that is attached under a name in a part of the text.
    pub fn attachment(&self, span: Span, name: &[u8]) -> Option<&'t [u8]> {
        let node = self.attributes(span).find_map(|attribute| match attribute {
            Attribute::Attachment { name: found, node } if found == name => Some(node),
            _ => None,
        })?;
        self.node_text(node.of(self.text))
    }

    /// The text of a node: what a number names, or the node itself.
    pub fn node_text(&self, node: &'t [u8]) -> Option<&'t [u8]> {
        match MetadataNumber::named(node) {
            Some(number) => self.metadata.get(&number).map(|span| span.of(self.text)),
            None => Some(node),
        }
    }

    /// The size of a workgroup in each dimension that a function requires: by `!reqd_work_group_size`, or by
    /// attributes (`"nvvm.reqntid"`, `"hlsl.numthreads"`).
    pub fn required_workgroup_size(&self, function: &FunctionData) -> Option<[u32; 3]> {
        let attached = self.attachment(function.suffix, b"reqd_work_group_size").and_then(workgroup_size_of_node);
        attached.or_else(|| {
            let mut sizes = self.all_attributes(function.suffix).into_iter().rev();
            sizes.find_map(|attribute| match attribute {
                Attribute::Text { name, value } => workgroup_size_of_attribute(name, value),
                _ => None,
            })
        })
    }

    /// How many workgroups a cluster has in each dimension where a kernel says so (`"nvvm.cluster_dim"`,
    /// `"amdgpu-cluster-dims"`); 0 where the launch decides.
    pub fn cluster_size(&self, kernel: &FunctionData) -> Option<[u32; 3]> {
        let mut sizes = self.all_attributes(kernel.suffix).into_iter().rev();
        sizes.find_map(|attribute| match attribute {
            Attribute::Text { name: b"nvvm.cluster_dim" | b"amdgpu-cluster-dims", value } => three(&numbers(value)),
            _ => None,
        })
    }

    /// What a node such as `!kernel_arg_name` says of each parameter of a function: strings without quotes, and
    /// integers. Nothing where the node is not there.
    pub fn parameter_metadata(&self, function: &FunctionData, name: &[u8]) -> Option<Vec<String>> {
        let node = self.attachment(function.suffix, name)?;
        let word = |element: &[u8]| match element.strip_prefix(b"!") {
            Some(string) => display(&unquote(string)),
            None => display(element.rsplit(|&byte| byte == b' ').next().unwrap_or(b"")),
        };
        Some(node_elements(node)?.into_iter().map(word).collect())
    }

    /// The calling convention of a function, as spelled; `ccc` where there is none.
    pub fn calling_convention(&self, function: &FunctionData) -> Cow<'t, [u8]> {
        self.convention(function.prefix)
    }

    /// The calling convention in what stands before the type of a function or of a call.
    pub fn convention(&self, prefix: Span) -> Cow<'t, [u8]> {
        let conventions = self.attributes(prefix).filter_map(|attribute| match attribute {
            Attribute::Word { name: b"cc", argument } => Some(Cow::Owned([b"cc ", argument.of(self.text)].concat())),
            Attribute::Word { name, .. } if is_convention(name) => Some(Cow::Borrowed(name)),
            _ => None,
        });
        conventions.last().unwrap_or(Cow::Borrowed(b"ccc"))
    }
}

fn is_convention(word: &[u8]) -> bool {
    let families = [&b"amdgpu_"[..], b"spir_", b"ptx_", b"aarch64_", b"arm_", b"x86_", b"win64", b"riscv_"];
    word.ends_with(b"cc") || families.iter().any(|family| word.starts_with(family))
}

/// A string without quotes, escapes replaced.
fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
    if inner.contains(&b'\\') {
        Cow::Owned(unquote(&[b"\"", inner, b"\""].concat()).into_owned())
    } else {
        Cow::Borrowed(inner)
    }
}

/// The size of a workgroup that a string attribute requires, if it is one that does.
pub fn workgroup_size_of_attribute(name: &[u8], value: &[u8]) -> Option<[u32; 3]> {
    matches!(name, b"nvvm.reqntid" | b"hlsl.numthreads").then(|| three(&numbers(value)))?
}

/// The size of a workgroup that a node of three integers requires.
pub fn workgroup_size_of_node(node: &[u8]) -> Option<[u32; 3]> {
    let number = |element: &[u8]| {
        let element = std::str::from_utf8(element).ok()?;
        element.strip_prefix('i')?.split_once(' ')?.1.trim().parse().ok()
    };
    three(&node_elements(node)?.into_iter().map(number).collect::<Option<Vec<u32>>>()?)
}

/// The elements of `!{…}`, as spelled; nothing if the node is another one.
pub fn node_elements(node: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = node.trim_ascii().strip_prefix(b"!{")?.strip_suffix(b"}")?.trim_ascii();
    let mut elements = Vec::new();
    while !rest.is_empty() {
        let end = crate::debug::value_end(rest);
        elements.push(rest[..end].trim_ascii());
        rest = rest.get(end + 1..).unwrap_or(b"");
    }
    Some(elements)
}

/// `1,64`; nothing at all if an element is not a number.
pub fn numbers(list: &[u8]) -> Vec<u32> {
    let number = |part: &[u8]| std::str::from_utf8(part).ok()?.trim().parse().ok();
    list.split(|&byte| byte == b',').map(number).collect::<Option<Vec<u32>>>().unwrap_or_default()
}

fn three(numbers: &[u32]) -> Option<[u32; 3]> {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(1);
    (!numbers.is_empty()).then(|| [at(0), at(1), at(2)])
}
