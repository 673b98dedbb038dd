//! Outlines from sketches, for tests: C-like text in which an expression is a name, which is a convergent operation, too.
//!
//! `A;` `if (c) … else …` `while (c) …` `do … while (c);` `for (i; c; s) …` `switch (v) …` `case 1: …` `default: …` `l: …` `goto l;` `break;` `continue;`
//! `return;` `return r;` `{ … }` `;` and `noconvergent` before a statement. A name that starts with `_` is no operation. `()` may follow a name.

use std::collections::HashMap;

use super::{Builder, Node, NodeKind, Operation, Outline};
use crate::source::Location;

/// The outline of a body, which is written without its braces. Locations are bytes of the text, from 1.
///
/// # Errors
/// What is wrong, and at which byte.
pub fn parse(text: &str) -> Result<Outline, String> {
    let mut parser = Parser {
        tokens: tokens(text),
        next: 0,
        builder: Builder::default(),
        labels: HashMap::new(),
        gotos: Vec::new(),
        switches: Vec::new(),
        breakable: Vec::new(),
        loops: Vec::new(),
    };
    let body = parser.builder.open(Location(1));
    let mut parts = Vec::new();
    while parser.next < parser.tokens.len() {
        parts.push(parser.statement()?);
    }
    parser.builder.close(NodeKind::Compound(parts.into()));
    debug_assert_eq!(body, Node::from_u32(0));
    for (node, name) in std::mem::take(&mut parser.gotos) {
        let target = parser.labels.get(&name).ok_or_else(|| format!("no label {name}"))?;
        parser.builder.data(node).kind = NodeKind::Goto(*target);
    }
    Ok(parser.builder.finish())
}

/// The node of the full expression or label of that name.
pub fn find(outline: &Outline, name: &str) -> Option<Node> {
    let label = name.strip_suffix(':');
    outline.nodes.iter().find_map(|(node, data)| {
        let is_it = match (&data.kind, label) {
            (NodeKind::Label { name, .. }, Some(label)) => **name == *label,
            (NodeKind::Expression, None) => data.operations.iter().any(|operation| operation.name == name),
            _ => false,
        };
        is_it.then_some(node)
    })
}

#[derive(Clone)]
struct Token<'a> {
    text: &'a str,
    start: u32,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        if at == start {
            at += 1;
        }
        // A character that is not ASCII is an error further on.
        let token = text.get(start..at).unwrap_or("?");
        if !token.trim().is_empty() {
            found.push(Token { text: token, start: start as u32 + 1 });
        }
    }
    found
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    builder: Builder,
    labels: HashMap<String, Node>,
    gotos: Vec<(Node, String)>,
    switches: Vec<(Vec<Node>, bool)>,
    breakable: Vec<Node>,
    loops: Vec<Node>,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.next + ahead).map_or("", |token| token.text)
    }

    fn location(&self) -> Location {
        Location(self.tokens.get(self.next).map_or(0, |token| token.start))
    }

    fn take(&mut self) -> String {
        let text = self.peek(0).to_owned();
        self.next += 1;
        text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek(0) == text;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) {
            return Ok(());
        }
        Err(format!("byte {}: `{text}` expected, not `{}`", self.location().0, self.peek(0)))
    }

    fn expression(&mut self) -> Result<Node, String> {
        let location = self.location();
        let name = self.take();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            return Err(format!("byte {}: a name expected, not `{name}`", location.0));
        }
        if self.peek(0) == "(" && self.peek(1) == ")" {
            self.next += 2;
        }
        let operations = match name.starts_with('_') {
            true => Vec::new(),
            false => vec![Operation { name, location }],
        };
        Ok(self.builder.expression(operations, location))
    }

    fn parenthesised(&mut self) -> Result<Node, String> {
        self.expect("(")?;
        let node = self.expression()?;
        self.expect(")")?;
        Ok(node)
    }

    fn optional(&mut self, end: &str) -> Result<Option<Node>, String> {
        let found = if self.peek(0) == end { None } else { Some(self.expression()?) };
        self.expect(end)?;
        Ok(found)
    }

    fn body_of_loop(&mut self, node: Node) -> Result<Node, String> {
        self.breakable.push(node);
        self.loops.push(node);
        let body = self.statement();
        self.loops.pop();
        self.breakable.pop();
        body
    }

    fn statement(&mut self) -> Result<Node, String> {
        let node = self.builder.open(self.location());
        if self.eat("noconvergent") {
            self.builder.data(node).is_noconvergent = true;
        }
        let kind = self.kind(node)?;
        self.builder.close(kind);
        Ok(node)
    }

    fn kind(&mut self, node: Node) -> Result<NodeKind, String> {
        if self.peek(1) == ":" && self.peek(0) != "default" {
            let name = self.take();
            self.next += 1;
            self.labels.insert(name.clone(), node);
            return Ok(NodeKind::Label { name: name.into(), body: self.statement()? });
        }
        let start = self.next;
        Ok(match self.take().as_str() {
            "{" => {
                let mut parts = Vec::new();
                while !self.eat("}") {
                    parts.push(self.statement()?);
                }
                NodeKind::Compound(parts.into())
            }
            ";" => NodeKind::Simple(None),
            "if" => {
                let condition = self.parenthesised()?;
                let then = self.statement()?;
                let otherwise = if self.eat("else") { Some(self.statement()?) } else { None };
                NodeKind::If { condition, then, otherwise }
            }
            "while" => {
                let condition = self.parenthesised()?;
                NodeKind::While { condition, body: self.body_of_loop(node)? }
            }
            "do" => {
                let body = self.body_of_loop(node)?;
                self.expect("while")?;
                let condition = self.parenthesised()?;
                self.expect(";")?;
                NodeKind::DoWhile { body, condition }
            }
            "for" => {
                self.expect("(")?;
                let init = match self.eat(";") {
                    true => None,
                    false => {
                        let init = self.builder.open(self.location());
                        let expression = self.expression()?;
                        self.expect(";")?;
                        self.builder.close(NodeKind::Simple(Some(expression)));
                        Some(init)
                    }
                };
                let condition = self.optional(";")?;
                let step = self.optional(")")?;
                NodeKind::For { init, condition, step, body: self.body_of_loop(node)? }
            }
            "switch" => {
                let condition = self.parenthesised()?;
                self.switches.push((Vec::new(), false));
                self.breakable.push(node);
                let body = self.statement();
                self.breakable.pop();
                let (labels, has_default) = self.switches.pop().unwrap_or_default();
                NodeKind::Switch { condition, body: body?, labels: labels.into(), has_default }
            }
            word @ ("case" | "default") => {
                let is_default = word == "default";
                if !is_default {
                    self.take();
                }
                self.expect(":")?;
                let (labels, has_default) = self.switches.last_mut().ok_or("a label outside of switch")?;
                labels.push(node);
                *has_default |= is_default;
                NodeKind::Case(self.statement()?)
            }
            "goto" => {
                let name = self.take();
                self.expect(";")?;
                self.gotos.push((node, name));
                NodeKind::Goto(node)
            }
            "break" => {
                self.expect(";")?;
                NodeKind::Break(*self.breakable.last().ok_or("break outside")?)
            }
            "continue" => {
                self.expect(";")?;
                NodeKind::Continue(*self.loops.last().ok_or("continue outside")?)
            }
            "return" => NodeKind::Return(self.optional(";")?),
            _ => {
                self.next = start;
                let expression = self.expression()?;
                self.expect(";")?;
                NodeKind::Simple(Some(expression))
            }
        })
    }
}
