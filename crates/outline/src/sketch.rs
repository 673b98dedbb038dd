//! Outlines from sketches, for tests: C-like text in which an expression is made of names, each of which is a convergent operation, too.
//!
//! `A;` `if (c) … else …` `while (c) …` `do … while (c);` `for (i; c; s) …` `switch (v) …` `case 1: …` `default: …` `l: …` `goto l;` `break;` `continue;`
//! `return;` `return r;` `{ … }` `;` and `noconvergent` before a statement. A name that starts with `_` is no operation. `()` may follow a name. Operators are `,`, `?:`, `||`, `&&`, `+` and `!`, from the weakest to the
//! strongest, and brackets.

use std::collections::HashMap;

use super::{Builder, Evaluations, Node, NodeKind, Operation, Outline, Shape};
use crate::Location;

/// The outline of a body, which is written without its braces. Locations are bytes of the text, from 1.
///
/// # Errors
/// What is wrong, and at which byte.
pub fn parse(text: &str) -> Result<Outline, String> {
    let mut parser = Parser {
        tokens: tokens(text),
        next: 0,
        builder: Builder::default(),
        evaluations: Evaluations::default(),
        labels: HashMap::new(),
        gotos: Vec::new(),
        switches: Vec::new(),
        breakable: Vec::new(),
        loops: Vec::new(),
    };
    let body = parser.builder.open(Location(1));
    while parser.next < parser.tokens.len() {
        parser.statement()?;
    }
    parser.builder.close(Shape::Compound);
    debug_assert_eq!(body, Node::from_u32(0));
    for (node, name) in std::mem::take(&mut parser.gotos) {
        let target = parser.labels.get(&name).ok_or_else(|| format!("no label {name}"))?;
        parser.builder.set_label(node, *target);
    }
    Ok(parser.builder.finish())
}

/// The node of the evaluation or label of that name.
pub fn find(outline: &Outline, name: &str) -> Option<Node> {
    let label = name.strip_suffix(':');
    outline.nodes.keys().find(|&node| match (outline.kind(node), label) {
        (NodeKind::Label { name, .. }, Some(label)) => name == label,
        (_, None) => outline.operation(node).is_some_and(|operation| operation.name == name),
        _ => false,
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

/// Whether it is known already where threads go on by the value of an expression, as of `&&`.
type Decided = Result<bool, String>;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    builder: Builder,
    evaluations: Evaluations,
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

    fn expression(&mut self, is_condition: bool) -> Result<(), String> {
        let location = self.location();
        self.evaluations.begin(location);
        self.decided(Parser::comma)?;
        self.builder.evaluations(&mut self.evaluations, is_condition, location);
        Ok(())
    }

    fn comma(&mut self) -> Decided {
        let mut is_decided = self.conditional()?;
        while self.eat(",") {
            is_decided = self.conditional()?;
        }
        Ok(is_decided)
    }

    fn conditional(&mut self) -> Decided {
        let (location, is_decided) = (self.location(), self.or()?);
        if !self.eat("?") {
            return Ok(is_decided);
        }
        self.decide(is_decided, location);
        self.evaluations.only_if(true);
        self.decided(Parser::comma)?;
        self.expect(":")?;
        self.evaluations.otherwise();
        self.decided(Parser::conditional)?;
        self.evaluations.join();
        Ok(true)
    }

    fn or(&mut self) -> Decided {
        self.short_circuit("|", false, Parser::and)
    }

    fn and(&mut self) -> Decided {
        self.short_circuit("&", true, Parser::sum)
    }

    /// `a && b && …` or `a || b || …`, by one of the two characters.
    fn short_circuit(&mut self, operator: &str, goes_on: bool, operand: fn(&mut Self) -> Decided) -> Decided {
        let (location, mut is_decided) = (self.location(), operand(self)?);
        while self.eat(operator) {
            self.expect(operator)?;
            self.decide(is_decided, location);
            self.evaluations.only_if(goes_on);
            self.decided(operand)?;
            self.evaluations.join();
            is_decided = true;
        }
        Ok(is_decided)
    }

    fn sum(&mut self) -> Decided {
        let mut is_decided = self.operand()?;
        while self.eat("+") {
            self.operand()?;
            is_decided = false;
        }
        Ok(is_decided)
    }

    fn operand(&mut self) -> Decided {
        if self.eat("!") {
            self.decided(Parser::operand)?;
            self.evaluations.negate();
            return Ok(true);
        }
        if self.eat("(") {
            let is_decided = self.comma()?;
            self.expect(")")?;
            return Ok(is_decided);
        }
        let location = self.location();
        let name = self.take();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            return Err(format!("byte {}: an expression expected, not `{name}`", location.0));
        }
        if self.peek(0) == "(" && self.peek(1) == ")" {
            self.next += 2;
        }
        if !name.starts_with('_') {
            self.evaluations.operation(Operation { name, location });
        }
        Ok(false)
    }

    /// An operand on whose value it depends what comes next.
    fn decided(&mut self, operand: fn(&mut Self) -> Decided) -> Result<(), String> {
        let (location, is_decided) = (self.location(), operand(self)?);
        self.decide(is_decided, location);
        Ok(())
    }

    fn decide(&mut self, is_decided: bool, location: Location) {
        if !is_decided {
            self.evaluations.decide(location);
        }
    }

    fn parenthesised(&mut self, is_condition: bool) -> Result<(), String> {
        self.expect("(")?;
        self.expression(is_condition)?;
        self.expect(")")
    }

    /// Whether there is an expression before the end.
    fn optional(&mut self, is_condition: bool, end: &str) -> Result<bool, String> {
        let is_there = self.peek(0) != end;
        if is_there {
            self.expression(is_condition)?;
        }
        self.expect(end)?;
        Ok(is_there)
    }

    fn body_of_loop(&mut self, node: Node) -> Result<(), String> {
        self.breakable.push(node);
        self.loops.push(node);
        let body = self.statement();
        self.loops.pop();
        self.breakable.pop();
        body
    }

    fn statement(&mut self) -> Result<(), String> {
        let node = self.builder.open(self.location());
        if self.eat("noconvergent") {
            self.builder.mark_noconvergent(node);
        }
        let shape = self.shape(node)?;
        self.builder.close(shape);
        Ok(())
    }

    fn shape(&mut self, node: Node) -> Result<Shape, String> {
        if self.peek(1) == ":" && self.peek(0) != "default" {
            let name = self.take();
            self.next += 1;
            self.labels.insert(name.clone(), node);
            self.statement()?;
            return Ok(self.builder.name(&name));
        }
        let start = self.next;
        Ok(match self.take().as_str() {
            "{" => {
                while !self.eat("}") {
                    self.statement()?;
                }
                Shape::Compound
            }
            ";" => Shape::Simple,
            "if" => {
                self.parenthesised(true)?;
                self.statement()?;
                if self.eat("else") {
                    self.statement()?;
                }
                Shape::If
            }
            "while" => {
                self.parenthesised(true)?;
                self.body_of_loop(node)?;
                Shape::While
            }
            "do" => {
                self.body_of_loop(node)?;
                self.expect("while")?;
                self.parenthesised(true)?;
                self.expect(";")?;
                Shape::DoWhile
            }
            "for" => {
                self.expect("(")?;
                let has_init = !self.eat(";");
                if has_init {
                    self.builder.open(self.location());
                    self.expression(false)?;
                    self.expect(";")?;
                    self.builder.close(Shape::Simple);
                }
                let has_condition = self.optional(true, ";")?;
                let has_step = self.optional(false, ")")?;
                self.body_of_loop(node)?;
                Shape::For { has_init, has_condition, has_step }
            }
            "switch" => {
                self.parenthesised(false)?;
                self.switches.push((Vec::new(), false));
                self.breakable.push(node);
                let body = self.statement();
                self.breakable.pop();
                let (labels, has_default) = self.switches.pop().unwrap_or_default();
                body?;
                self.builder.labels(labels, has_default)
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
                self.statement()?;
                Shape::Case
            }
            "goto" => {
                let name = self.take();
                self.expect(";")?;
                self.gotos.push((node, name));
                Shape::Goto(node)
            }
            "break" => {
                self.expect(";")?;
                Shape::Break(*self.breakable.last().ok_or("break outside")?)
            }
            "continue" => {
                self.expect(";")?;
                Shape::Continue(*self.loops.last().ok_or("continue outside")?)
            }
            "return" => {
                self.optional(false, ";")?;
                Shape::Return
            }
            _ => {
                self.next = start;
                self.expression(false)?;
                self.expect(";")?;
                Shape::Simple
            }
        })
    }
}
