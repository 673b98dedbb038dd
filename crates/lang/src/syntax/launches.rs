//! Launches of kernels that are templates, in functions of the host, and calls of templates there, which may launch some in their turn.
//!
//! Bodies of such functions are not parsed. What stands in them is looked at for three things only: `k<int, 4>` where `k` is a template, what follows in parentheses (`k<<<…>>>(a, b)`,
//! `f(a, b)`), and declarations of variables whose types are written with one name, perhaps with arguments, and `*`, or that are lambdas, which say what `a` and `b` are. A lambda is parsed where it is such an operand.
//!
//! **Invariant.** Linear in the number of tokens, but for what stands in `<…>`, in the operands ([`MOST_TOKENS`]) and in the declaration of an argument. Nothing of it is an error: what is not found out is unknown.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Parser;
use super::names::Kind;
use super::words::Word;
use crate::token::Symbol;
use crate::tree::{
    BuiltinType, Declarator, Expr, ExprKind, HostLambda, Item, LargeKind, Launch, LaunchOperand, PointerQualifiers,
    Specifiers, TemplateArgument, TypeName, TypeSpecifier,
};

/// A variable of the host.
#[derive(Clone, Copy)]
struct Variable {
    /// The token at which its type begins; of a lambda, it begins there.
    of: usize,
    /// The token behind its type.
    end: usize,
    is_lambda: bool,
    /// How many pointers it is.
    pointers: usize,
    /// The token at which the value of a constant begins.
    value: Option<usize>,
}

/// Functions of libraries that launch their first argument. What it is called with is after this, and some more arguments.
const LAUNCHERS: [&str; 2] = ["hipLaunchKernelGGL", "hipLaunchKernel"];
/// How many arguments there are before those of the kernel.
const ARGUMENTS_OF_LAUNCHERS: usize = 5;

/// How many constants of a function are looked up for one launch: one may be defined by others, or wrongly by itself.
const MOST_CONSTANTS: usize = 100;

/// How many tokens the operands of a launch have: they may be in those of others.
const MOST_TOKENS: usize = 10_000;

/// What is known in the body of a function of the host.
#[derive(Default)]
struct Variables {
    by_name: FxHashMap<Symbol, Variable>,
    /// The lambdas that were looked at, by the token that they begin at: each is one type, however often it is used.
    lambdas: FxHashMap<usize, Option<Rc<HostLambda>>>,
}

impl Variables {
    fn get(&self, name: Symbol) -> Option<Variable> {
        self.by_name.get(&name).copied()
    }
}

impl Parser<'_> {
    /// Notes the launches in the body of a function of the host, from its `{` to the token that is next.
    pub(super) fn note_launches(&mut self, open: usize) {
        let end = self.at;
        let has_templates = |parser: &Self| {
            let names = (open..end).filter(|&at| parser.words[at] == Word::Name);
            let mut of_templates = names.filter(|&at| parser.is_use(at + 1) || parser.words[at + 1] == Word::Comma);
            of_templates.any(|at| parser.names.lookup(parser.tokens[at].symbol).kind == Kind::Template)
        };
        if !has_templates(self) {
            return;
        }
        let mut variables = Variables::default();
        let launchers = LAUNCHERS.map(|name| self.symbols.find(name));
        let mut at = self.begin_of_parameters(open);
        while at < end {
            at = match self.words[at] {
                Word::Name if launchers.contains(&Some(self.tokens[at].symbol)) => {
                    self.begin_of_launched(at).and_then(|name| self.note_launch(name, end, true, &mut variables))
                }
                Word::Name if self.is_use(at + 1) => self.note_launch(at, end, false, &mut variables),
                _ => None,
            }
            .or_else(|| self.note_variables(at, &mut variables))
            .unwrap_or(at + 1);
        }
        self.end_lambdas();
        self.at = end;
    }

    /// Whether arguments of a template, a launch or a call begin at a token.
    fn is_use(&self, at: usize) -> bool {
        matches!(self.words[at], Word::Less | Word::LeftParen) || self.is_launch(at)
    }

    /// Whether `<<<` begins at a token.
    fn is_launch(&self, at: usize) -> bool {
        self.words[at] == Word::Launch || self.words[at..].starts_with(&[Word::ShiftLeft, Word::Less])
    }

    /// The `(` of the parameters before the `{` of a function.
    fn begin_of_parameters(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for at in (0..open).rev() {
            match self.words[at] {
                Word::RightParen => depth += 1,
                Word::LeftParen if depth <= 1 => return at,
                Word::LeftParen => depth -= 1,
                Word::Semicolon | Word::LeftBrace | Word::RightBrace => break,
                _ => {}
            }
        }
        open
    }

    /// Takes the variables that are declared from a token on; the token of the last name. None where no declaration begins there.
    fn note_variables(&mut self, first: usize, variables: &mut Variables) -> Option<usize> {
        let before = self.words[first.checked_sub(1)?];
        let begins = matches!(
            before,
            Word::LeftParen | Word::Comma | Word::Semicolon | Word::Colon | Word::LeftBrace | Word::RightBrace
        );
        if !begins {
            return None;
        }
        if let [Word::Auto, Word::Name, Word::Equal, Word::LeftBracket] = self.words[first..].get(..4)? {
            let variable = Variable { of: first + 3, end: first + 4, is_lambda: true, pointers: 0, value: None };
            variables.by_name.insert(self.tokens[first + 1].symbol, variable);
            return Some(first + 1);
        }
        let mut at = first;
        let (mut is_constant, mut has_type) = (false, false);
        loop {
            match self.words[at] {
                Word::Const | Word::Constexpr => is_constant = true,
                Word::Static | Word::Volatile => {}
                word if word.is_plain_type() => has_type = true,
                Word::Name if !has_type => {
                    let (meaning, end) = self.peek_name(at);
                    let Some(end) = self.end_of_type(meaning, end) else { break };
                    (has_type, at) = (true, end);
                    continue;
                }
                _ => break,
            }
            at += 1;
        }
        let end = at;
        if !has_type {
            return None;
        }
        let mut found = None;
        loop {
            let begin = at;
            while matches!(self.words[at], Word::Star | Word::Const | Word::Restrict | Word::Ignored) {
                at += 1;
            }
            let pointers = self.words[begin..at].iter().filter(|&&word| word == Word::Star).count();
            if self.words[at] != Word::Name {
                break;
            }
            let (name, next) = (self.tokens[at].symbol, self.words[at + 1]);
            let value = (is_constant && pointers == 0 && next == Word::Equal).then_some(at + 2);
            let pointers = pointers + usize::from(next == Word::LeftBracket);
            if matches!(
                next,
                Word::Semicolon | Word::Comma | Word::Equal | Word::LeftBracket | Word::RightParen | Word::LeftBrace
            ) {
                variables.by_name.insert(name, Variable { of: first, end, is_lambda: false, pointers, value });
            }
            found = Some(at);
            if next != Word::Comma {
                break;
            }
            at += 2;
        }
        found
    }

    /// The name of the kernel that is the first argument of a call of one of [`LAUNCHERS`]; another macro may be around it.
    fn begin_of_launched(&self, launcher: usize) -> Option<usize> {
        let mut at = launcher + 1;
        while self.words[at] == Word::LeftParen {
            let is_macro = self.words[at + 1] == Word::Name && self.words[at + 2] == Word::LeftParen;
            at += 1 + usize::from(is_macro);
        }
        (self.words[at] == Word::Name).then_some(at)
    }

    /// Notes the launch of what is named at a token, if that is a template; the token behind what was taken. `is_argument`: it is the first argument of one of [`LAUNCHERS`].
    fn note_launch(&mut self, name: usize, end: usize, is_argument: bool, variables: &mut Variables) -> Option<usize> {
        let meaning = self.names.lookup(self.tokens[name].symbol);
        if meaning.kind != Kind::Template {
            return None;
        }
        let behind = match self.words[name + 1] {
            Word::Less => self.end_of_arguments(name + 1)?,
            _ => name + 1,
        };
        let begin = self.checkpoint();
        let words = self.words[name + 1..behind].to_vec();
        let arguments =
            if behind > name + 1 { self.launch_arguments(name + 1, behind, variables) } else { Some(Vec::new()) };
        // Half of a `>>` was taken.
        self.words[name + 1..behind].copy_from_slice(&words);
        let open = match is_argument {
            true => self.begin_of_launched_operands(behind, end),
            false => self.begin_of_operands(behind, end),
        };
        let operands = match open {
            Some(open) => self.operands(open, end, variables),
            None => Vec::new(),
        };
        self.abandon(&begin);
        self.failure = None;
        let location = self.tokens[name].location;
        self.tree.items.push(Item::Launch(Launch { name: meaning.name, arguments: arguments?, operands, location }));
        Some(behind)
    }

    /// What stands in `<…>`, with the values of constants of the function.
    fn launch_arguments(&mut self, open: usize, behind: usize, variables: &Variables) -> Option<Vec<TemplateArgument>> {
        self.at = open;
        let first = self.tree.expressions.len();
        let arguments = self.template_arguments().ok().filter(|_| self.at == behind)?;
        let (mut next, mut replaced) = (first, 0);
        // Those of a value that was put in are next.
        while next < self.tree.expressions.len() && replaced < MOST_CONSTANTS {
            let expr = Expr::from_u32(u32::try_from(next).ok()?);
            if let ExprKind::Name(name) = self.tree.expressions[expr].kind
                && let Some(at) = variables.get(self.names.scopes.spelling(name)).and_then(|variable| variable.value)
            {
                self.at = at;
                let value = self.constant().ok()?;
                self.tree.expressions[expr] = self.tree.expressions[value];
                replaced += 1;
            }
            next += 1;
        }
        Some(arguments)
    }

    /// The `(` of the operands, where a template's arguments end: there, or behind `<<<…>>>`.
    fn begin_of_operands(&self, at: usize, end: usize) -> Option<usize> {
        if !self.is_launch(at) {
            return (self.words[at] == Word::LeftParen).then_some(at);
        }
        let closes = |at: &usize| self.words[*at..].starts_with(&[Word::ShiftRight, Word::Greater, Word::LeftParen]);
        (at..end).find(closes).map(|close| close + 2)
    }

    /// The `,` before the operands of a kernel that is named before a token as the first argument of one of [`LAUNCHERS`].
    fn begin_of_launched_operands(&self, behind: usize, end: usize) -> Option<usize> {
        let behind = (behind..end).find(|&at| self.words[at] != Word::RightParen)?;
        let (mut depth, mut commas) = (0usize, 0usize);
        for at in behind..end {
            match self.words[at] {
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => depth += 1,
                Word::RightParen | Word::RightBracket | Word::RightBrace => depth = depth.checked_sub(1)?,
                Word::Comma if depth == 0 => commas += 1,
                Word::Semicolon => return None,
                _ => {}
            }
            if commas == ARGUMENTS_OF_LAUNCHERS {
                return Some(at);
            }
        }
        None
    }

    /// What stands behind a `(` or `,` up to the `)`, as far as it is known.
    fn operands(&mut self, open: usize, end: usize, variables: &mut Variables) -> Vec<Option<LaunchOperand>> {
        let (mut operands, mut depth, mut braces, mut first) = (Vec::new(), 1usize, 0usize, open + 1);
        for at in open + 1..end.min(open + MOST_TOKENS) {
            match self.words[at] {
                Word::LeftBrace => braces += 1,
                Word::RightBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
            let is_end = match self.words[at] {
                Word::LeftParen | Word::LeftBracket | Word::LeftBrace => {
                    depth += 1;
                    false
                }
                Word::RightParen | Word::RightBracket | Word::RightBrace => {
                    depth -= 1;
                    depth == 0
                }
                Word::Comma => depth == 1,
                Word::Semicolon if braces == 0 => break,
                _ => false,
            };
            if is_end {
                operands.push(match self.lambda_of_operand(first, at, variables) {
                    Some(lambda) => self.host_lambda(lambda, variables).map(LaunchOperand::Lambda),
                    None => self.type_of_operand(first, at, variables).map(LaunchOperand::Of),
                });
                first = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
        operands
    }

    /// The `[` of the lambda that an operand is, or that is in its variable.
    fn lambda_of_operand(&self, at: usize, end: usize, variables: &Variables) -> Option<usize> {
        match &self.words[at..end] {
            [Word::LeftBracket, ..] => Some(at),
            [Word::Name] => variables.get(self.tokens[at].symbol).filter(|it| it.is_lambda).map(|it| it.of),
            _ => None,
        }
    }

    /// The lambda of the host that begins at a token.
    fn host_lambda(&mut self, at: usize, variables: &mut Variables) -> Option<Rc<HostLambda>> {
        if let Some(known) = variables.lambdas.get(&at) {
            return known.clone();
        }
        let (before, is_in_body) = (self.tree.items.len(), std::mem::replace(&mut self.is_in_body, true));
        self.at = at;
        let made = self.lambda().ok();
        (self.is_in_body, self.failure) = (is_in_body, None);
        self.tree.items.truncate(before);
        let found = made.and_then(|made| match self.tree.expressions[made].kind {
            ExprKind::Large(lambda) => Some(lambda),
            _ => None,
        });
        let found = found.and_then(|lambda| {
            let LargeKind::Lambda(data) = &self.tree.large[lambda] else { return None };
            let mut names = data.names.clone();
            names.extend(data.captures.iter().map(|capture| capture.name));
            let of = |name| Some((name, self.type_of_variable(name, 0, variables)?));
            let around = names.into_iter().filter_map(of).collect();
            Some(Rc::new(HostLambda { lambda, around, location: self.tokens[at].location }))
        });
        variables.lambdas.insert(at, found.clone());
        found
    }

    /// The type of a variable, of its address, of a pointer that is moved, of a cast or of a number.
    fn type_of_operand(&mut self, at: usize, end: usize, variables: &Variables) -> Option<TypeName> {
        match &self.words[at..end] {
            [Word::Amp, Word::Name] => return self.type_of_variable(self.tokens[at + 1].symbol, 1, variables),
            [Word::Name, Word::Plus | Word::Minus, ..] => {
                let symbol = self.tokens[at].symbol;
                let is_pointer = variables.get(symbol)?.pointers > 0;
                return if is_pointer { self.type_of_variable(symbol, 0, variables) } else { None };
            }
            [Word::LeftParen, _, _, _, ..] if self.begins_type(at + 1) => {
                self.at = at + 1;
                let of = self.type_name().ok();
                self.failure = None;
                return of.filter(|_| self.at + 1 < end && self.word() == Word::RightParen);
            }
            [_] => {}
            _ => return None,
        }
        let symbol = self.tokens[at].symbol;
        if self.words[at] == Word::Number {
            let text = self.symbols.text(symbol);
            let is_float = text.contains('.') && !text.starts_with("0x");
            let of = match (is_float, text.ends_with(['f', 'F'])) {
                (true, true) => BuiltinType::Float,
                (true, false) => BuiltinType::Double,
                _ => BuiltinType::Integer { bits: 32, signed: true },
            };
            let specifiers = Specifiers { of: Some(TypeSpecifier::Builtin(of)), ..Specifiers::default() };
            return Some(TypeName { specifiers, declarator: Declarator::Base });
        }
        self.type_of_variable(symbol, 0, variables)
    }

    /// Whether a type begins at a token.
    fn begins_type(&self, at: usize) -> bool {
        match self.words[at] {
            Word::Name => self.names.lookup(self.tokens[at].symbol).is_type(),
            word => word.is_plain_type(),
        }
    }

    /// The type of a variable, or of a pointer to it.
    fn type_of_variable(&mut self, name: Symbol, more: usize, variables: &Variables) -> Option<TypeName> {
        let Variable { of, end, pointers, .. } = variables.get(name).filter(|variable| !variable.is_lambda)?;
        let pointers = pointers + more;
        self.at = of;
        // Half of a `>>` is taken.
        let words = self.words[of..end].to_vec();
        let specifiers = self.specifiers();
        self.words[of..end].copy_from_slice(&words);
        let specifiers = specifiers.ok().filter(|specifiers| specifiers.of.is_some())?;
        let point = |inner, _| Declarator::Pointer(Box::new(inner), PointerQualifiers::default());
        Some(TypeName { specifiers, declarator: (0..pointers).fold(Declarator::Base, point) })
    }
}
