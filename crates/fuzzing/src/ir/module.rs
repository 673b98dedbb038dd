//! A module of IR as a tree of lines, to be changed.
//!
//! What [`Tree::read`] gives prints as a module that reads: every value and block has a name of its own, so that lines can come and go
//! without others being numbered anew. Of each name the type is known.

use std::fmt::Write;

use reconverge_ir::function::{Block as BlockId, Inst, LocalName, Value};
use reconverge_ir::{Function, FunctionId, Module, Naming, ReadError, print_instruction, read_functions};
use rustc_hash::FxHashMap;

/// A module.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// What stands outside of bodies, entity by entity.
    pub top: Vec<String>,
    /// The functions with a body.
    pub bodies: Vec<Body>,
}

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Body {
    /// The text before the name: `define …` and the type of the result.
    pub prefix: String,
    /// The type of the result.
    pub result: String,
    /// The name, with sigil.
    pub name: String,
    /// Type, attributes and name, with sigil, of each parameter.
    pub parameters: Vec<[String; 3]>,
    /// Whether the parameters end in `...`.
    pub variadic: bool,
    /// What stands between the parameters and the brace.
    pub suffix: String,
    /// The blocks, the entry first.
    pub blocks: Vec<Block>,
}

/// A block.
#[derive(Debug, Clone)]
pub struct Block {
    /// The name, without sigil.
    pub name: String,
    /// The instructions; the last one is the terminator.
    pub lines: Vec<Line>,
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its text, the result included; of a `switch` several lines.
    pub text: String,
    /// Name, with sigil, and type of the result.
    pub result: Option<(String, String)>,
}

/// Names for what has numbers.
struct Named<'n> {
    module: &'n Module<'n>,
    function: &'n Function,
}

impl Named<'_> {
    fn local(&self, name: LocalName, kind: char) -> String {
        match name {
            LocalName::Text(span) => String::from_utf8_lossy(span.of(self.module.text)).into_owned(),
            LocalName::Number(number) => format!("{kind}.{number}"),
        }
    }

    fn block_name(&self, block: BlockId) -> String {
        self.local(self.function.blocks[block].name, 'b')
    }
}

impl Naming for Named<'_> {
    fn value(&self, value: Value) -> Option<String> {
        self.function.name(value).map(|name| format!("%{}", self.local(name, 'v')))
    }

    fn block(&self, block: BlockId) -> Option<String> {
        Some(format!("%{}", self.block_name(block)))
    }
}

impl Tree {
    /// Takes a text apart.
    ///
    /// # Errors
    /// When it is not LLVM IR.
    pub fn read(text: &[u8]) -> Result<Tree, ReadError> {
        let (module, bodies) = read_functions(text, body)?;
        let mut top = Vec::new();
        let mut at = 0;
        let mut keep = |part: &[u8]| {
            let part = String::from_utf8_lossy(part);
            top.extend(
                part.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(';')).map(str::to_owned),
            );
        };
        for id in module.definitions() {
            let data = &module.functions[id];
            let Some(body) = data.body else { continue };
            keep(&text[at..data.header.range().start]);
            at = body.range().end;
        }
        keep(&text[at..]);
        Ok(Tree { top, bodies })
    }

    /// The text.
    pub fn print(&self) -> Vec<u8> {
        let mut text = String::new();
        for line in &self.top {
            text.push_str(line);
            text.push('\n');
        }
        for body in &self.bodies {
            body.print(&mut text);
        }
        text.into_bytes()
    }
}

impl Body {
    /// The types of the parameters and results, by name.
    pub fn types(&self) -> FxHashMap<&str, &str> {
        let parameters = self.parameters.iter().map(|[ty, _, name]| (name.as_str(), ty.as_str()));
        let results = self.blocks.iter().flat_map(|block| &block.lines).filter_map(|line| line.result.as_ref());
        parameters.chain(results.map(|(name, ty)| (name.as_str(), ty.as_str()))).collect()
    }

    fn print(&self, text: &mut String) {
        let parameters = self.parameters.iter().map(|[ty, attributes, name]| match attributes.as_str() {
            "" => format!("{ty} {name}"),
            attributes => format!("{ty} {attributes} {name}"),
        });
        let mut parameters: Vec<String> = parameters.collect();
        if self.variadic {
            parameters.push("...".to_owned());
        }
        let _ = writeln!(text, "\n{} {}({}) {} {{", self.prefix, self.name, parameters.join(", "), self.suffix);
        for block in &self.blocks {
            let _ = writeln!(text, "{}:", block.name);
            block.lines.iter().for_each(|line| {
                let _ = writeln!(text, "  {}", line.text);
            });
        }
        text.push_str("}\n");
    }
}

fn body(module: &Module<'_>, id: FunctionId, function: &Function) -> Body {
    let text = |span: reconverge_ir::Span| String::from_utf8_lossy(span.of(module.text)).trim().to_owned();
    let data = &module.functions[id];
    let named = Named { module, function };
    let result = module.display_type(data.result);
    let parameters = data.parameters.iter().zip(&function.parameters).map(|(parameter, &value)| {
        let name = named.value(value).unwrap_or_default();
        [module.display_type(parameter.ty), text(parameter.attributes), name]
    });
    let line = |inst: Inst| {
        let data = &function.instructions[inst];
        let result = data.result.expand().and_then(|value| Some((named.value(value)?, module.display_type(data.ty))));
        Line { text: print_instruction(module, function, inst, &named), result }
    };
    let blocks = function.blocks.keys().map(|block| Block {
        name: named.block_name(block),
        lines: function.block_instructions(block).map(line).collect(),
    });
    let prefix = text(data.prefix);
    Body {
        prefix: if prefix.starts_with("define") {
            format!("{prefix} {result}")
        } else {
            format!("define {prefix} {result}")
        },
        result,
        name: format!("@{}", String::from_utf8_lossy(module.symbols[data.symbol].name.of(module.text))),
        parameters: parameters.collect(),
        variadic: data.variadic,
        suffix: text(data.suffix),
        blocks: blocks.collect(),
    }
}

/// What a name in a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// `%x`
    Local,
    /// `@x`
    Global,
    /// A number, perhaps negative or hexadecimal.
    Number,
    /// Anything else that is made of letters.
    Word,
}

/// The names, numbers and words of a line, with their places.
pub(super) fn tokens(line: &str) -> Vec<(Token, std::ops::Range<usize>)> {
    let bytes = line.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"$._-".contains(byte);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let quoted = |from: usize| {
            bytes[from + 1..].iter().position(|&byte| byte == b'"').map_or(bytes.len(), |end| from + end + 2)
        };
        match byte {
            b'%' | b'@' => {
                at += 1;
                at = match bytes.get(at) {
                    Some(b'"') => quoted(at),
                    _ => at + bytes[at..].iter().take_while(|byte| is_name(byte)).count(),
                };
                found.push((if byte == b'%' { Token::Local } else { Token::Global }, start..at));
            }
            b'"' => at = quoted(at),
            b'!' | b'#' => at += 1 + bytes[at + 1..].iter().take_while(|byte| is_name(byte)).count(),
            _ if is_name(&byte) => {
                at += bytes[at..].iter().take_while(|byte| is_name(byte)).count();
                let is_number = byte.is_ascii_digit() || byte == b'-' && at > start + 1;
                found.push((if is_number { Token::Number } else { Token::Word }, start..at));
            }
            _ => at += 1,
        }
    }
    found
}

/// The number of a block in a body.
pub(super) fn index_of(body: &Body, name: &str) -> Option<usize> {
    body.blocks.iter().position(|block| block.name == name)
}
