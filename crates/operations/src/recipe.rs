//! Functions as data: lines of text that say for which targets a function is made of what.
//!
//! ```text
//! line    ::= targets | set | result name ( type parameter [= default], … ) = body
//! targets ::= * | names among nvptx, amdgpu, spirv           (generic is as spirv)
//! body    ::= number | true | false | parameter | ( body ) | - ~ ! body | body operator body | body ? body : body
//!           | type ( body )                 a conversion          | as_type ( body )      the same bits
//!           | type : name ( body, … )       a call of a declared function that returns the type
//!           | cl.name ( body, … )           a call of OpenCL C's function
//!           | atomic.operation[.scope] ( pointer, value, … )      | fence.order.scope ( )
//!           | load ( pointer ) | store ( pointer, value ) | seq ( body, …, body )
//!           | name ( body, … )              a call of another function of the tables
//! ```
//!
//! Types and sets are those of [`signature`](super::signature). A parameter without a default before one with a default needs an argument.

use crate::signature::{MemoryEffects, Overload, Ty, generics, read_type};

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    LogicalAnd,
    LogicalOr,
}

/// What a function is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// An integer of a type.
    Integer(i128, Ty),
    /// A float of a type.
    Float(f64, Ty),
    /// A parameter.
    Parameter(usize),
    /// `- ~ !`.
    Unary(char, Box<Body>),
    /// Any operator between two.
    Binary(BinaryOperator, Box<Body>, Box<Body>),
    /// `a ? b : c`.
    Conditional(Box<Body>, Box<Body>, Box<Body>),
    /// A conversion.
    Convert(Ty, Box<Body>),
    /// The same bits.
    Bits(Ty, Box<Body>),
    /// A declared function with what it returns.
    Declared(Ty, String, Vec<Body>),
    /// What has a name: an operation of this module, or a function of the tables.
    Named(String, Vec<Body>),
}

impl Body {
    /// Calls `seen` with the name of each function and operation in it.
    pub fn visit_calls(&self, seen: &mut impl FnMut(&str)) {
        match self {
            Body::Unary(_, operand) | Body::Convert(_, operand) | Body::Bits(_, operand) => operand.visit_calls(seen),
            Body::Binary(_, left, right) => [left, right].into_iter().for_each(|part| part.visit_calls(seen)),
            Body::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| part.visit_calls(seen));
            }
            Body::Declared(_, name, parts) | Body::Named(name, parts) => {
                seen(name);
                parts.iter().for_each(|part| part.visit_calls(seen));
            }
            Body::Integer(..) | Body::Float(..) | Body::Parameter(_) => {}
        }
    }
}

/// A function with one set of parameter types, on one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// What it takes and returns, with as many parameters as there are arguments.
    pub overload: Overload,
    /// What stands for the parameters that are not given.
    pub defaults: Vec<Body>,
    /// What it does.
    pub body: Body,
}

/// The function's name that a line defines, and its targets.
pub fn head(line: &str) -> Option<(&str, &str)> {
    let (targets, rest) = line.split_once('|')?;
    let signature = rest.split_once('|')?.1.split('(').next()?;
    Some((targets.trim(), signature.split_whitespace().next_back()?))
}

/// The functions that a line makes: one for each type of its set and number of given parameters.
pub fn expand(line: &str) -> Option<Vec<Recipe>> {
    let mut parts = line.splitn(3, '|').map(str::trim);
    let (_, set, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let open = rest.find('(')?;
    let close = matching(rest, open)?;
    let (head, parameters) = (&rest[..open], &rest[open + 1..close]);
    let body = rest[close + 1..].trim().strip_prefix('=')?.trim();
    let result = head.trim().rsplit_once(char::is_whitespace)?.0;
    let mut recipes = Vec::new();
    for generic in generics(set)? {
        let (mut types, mut names, mut defaults) = (Vec::new(), Vec::new(), Vec::new());
        for parameter in parameters.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let (parameter, default) = match parameter.split_once('=') {
                Some((parameter, default)) => (parameter.trim(), Some(default.trim())),
                None => (parameter, None),
            };
            let (of, name) = parameter.rsplit_once(char::is_whitespace)?;
            types.push(read_type(of, generic, 1)?);
            names.push(name);
            if let Some(default) = default {
                defaults.push(Reader::new(default, &[], generic).all()?);
            }
        }
        let result = read_type(result, generic, 1)?;
        let body = Reader::new(body, &names, generic).all()?;
        for given in types.len() - defaults.len()..=types.len() {
            let missing = types.len() - given;
            let overload = Overload {
                result,
                parameters: types[..given].to_vec(),
                memory: MemoryEffects::Unknown,
                is_convergent: false,
            };
            let defaults = defaults[defaults.len() - missing..].to_vec();
            recipes.push(Recipe { overload, defaults, body: body.clone() });
        }
    }
    Some(recipes)
}

/// The place of the parenthesis that closes one.
fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(index),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Reads a body.
struct Reader<'a> {
    rest: &'a str,
    parameters: &'a [&'a str],
    generic: Ty,
}

impl<'a> Reader<'a> {
    /// A reader of a whole text.
    fn new(text: &'a str, parameters: &'a [&'a str], generic: Ty) -> Reader<'a> {
        Reader { rest: text.trim(), parameters, generic }
    }

    /// The body, if it is all there is.
    fn all(mut self) -> Option<Body> {
        let body = self.conditional()?;
        self.rest.is_empty().then_some(body)
    }

    /// Takes a punctuator.
    fn accept(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// `a ? b : c` and everything below.
    fn conditional(&mut self) -> Option<Body> {
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Some(condition);
        }
        let then = self.conditional()?;
        let otherwise = self.accept(":").then(|| self.conditional()).flatten()?;
        Some(Body::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    /// Operators of a level and those that bind closer.
    fn binary(&mut self, level: usize) -> Option<Body> {
        use BinaryOperator::{
            Add, And, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, NotEqual, Or, Remainder,
            ShiftLeft, ShiftRight, Subtract, Xor,
        };
        const LEVELS: [&[(&str, BinaryOperator)]; 8] = [
            &[("|", Or)],
            &[("^", Xor)],
            &[("&", And)],
            &[("==", Equal), ("!=", NotEqual)],
            &[("<=", LessEqual), (">=", GreaterEqual), ("<", Less), (">", Greater)],
            &[("<<", ShiftLeft), (">>", ShiftRight)],
            &[("+", Add), ("-", Subtract)],
            &[("*", Multiply), ("/", Divide), ("%", Remainder)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let is_shift = self.rest.starts_with("<<") || self.rest.starts_with(">>");
            let found = operators.iter().find(|(text, _)| self.rest.starts_with(text));
            let Some(&(text, operator)) = found.filter(|(text, _)| !is_shift || text.len() == 2 && text != &"<=")
            else {
                return Some(left);
            };
            self.accept(text);
            let right = self.binary(level + 1)?;
            left = Body::Binary(operator, Box::new(left), Box::new(right));
        }
    }

    /// `- ~ !` and what they stand before.
    fn unary(&mut self) -> Option<Body> {
        for operator in ['-', '~', '!'] {
            if self.accept(&operator.to_string()) {
                return Some(Body::Unary(operator, Box::new(self.unary()?)));
            }
        }
        self.primary()
    }

    /// A number, a name, a call, or something in parentheses.
    fn primary(&mut self) -> Option<Body> {
        if self.accept("(") {
            let body = self.conditional()?;
            return self.accept(")").then_some(body);
        }
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
        let text = self.rest;
        let end = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() {
            return None;
        }
        self.rest = self.rest[end..].trim_start();
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return number(word);
        }
        if let Some(index) = self.parameters.iter().position(|&name| name == word) {
            return Some(Body::Parameter(index));
        }
        let boolean = Ty::new(crate::signature::Base::Bool, 1);
        match word {
            "true" => return Some(Body::Integer(1, boolean)),
            "false" => return Some(Body::Integer(0, boolean)),
            _ => {}
        }
        // `uint:llvm.name(…)`, `void*:llvm.name(…)`
        let behind = self.rest.strip_prefix("*:").or_else(|| self.rest.strip_prefix(':'));
        if let Some(name) = behind.filter(|name| !name.starts_with(' ')) {
            let of = read_type(&text[..text.len() - name.len() - 1], self.generic, 1)?;
            self.rest = name;
            let end = self.rest.find('(')?;
            let name = self.rest[..end].to_string();
            self.rest = &self.rest[end..];
            return Some(Body::Declared(of, name, self.arguments()?));
        }
        let arguments = self.arguments()?;
        let one = |arguments: Vec<Body>| -> Option<Box<Body>> {
            let [body] = <[Body; 1]>::try_from(arguments).ok()?;
            Some(Box::new(body))
        };
        if let Some(of) = word.strip_prefix("as_").and_then(|word| read_type(word, self.generic, 1)) {
            return Some(Body::Bits(of, one(arguments)?));
        }
        match read_type(word, self.generic, 1) {
            Some(of) => Some(Body::Convert(of, one(arguments)?)),
            None => Some(Body::Named(word.to_string(), arguments)),
        }
    }

    /// `( body, … )`.
    fn arguments(&mut self) -> Option<Vec<Body>> {
        let mut arguments = Vec::new();
        if !self.accept("(") {
            return None;
        }
        if self.accept(")") {
            return Some(arguments);
        }
        loop {
            arguments.push(self.conditional()?);
            if self.accept(")") {
                return Some(arguments);
            }
            if !self.accept(",") {
                return None;
            }
        }
    }
}

/// A number: `1`, `0x1fu`, `2ul`, `1.0f`, `1.0`.
fn number(text: &str) -> Option<Body> {
    use crate::signature::Base;
    if text.contains('.') {
        return match text.strip_suffix('f') {
            Some(digits) => Some(Body::Float(digits.parse().ok()?, Ty::new(Base::Float, 1))),
            None => Some(Body::Float(text.parse().ok()?, Ty::new(Base::Double, 1))),
        };
    }
    let digits = text.trim_end_matches(['u', 'l']);
    let base = match &text[digits.len()..] {
        "" => Base::Int,
        "u" => Base::UInt,
        "l" => Base::Long,
        _ => Base::ULong,
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(Body::Integer(value, Ty::new(base, 1)))
}
