//! Statements in expressions: lambdas (what stands in `[…]`, and the function behind it) and `({ … })`.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

use super::names::Kind;
use super::words::Word;
use super::{Parse, Parser};
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{
    Capture, CaptureKind, Declarator, DeclaratorData, Expr, ExprKind, FunctionItem, Initializer, Lambda, LargeKind,
    Parameter, Specifiers, TemplateParameter, TypeSpecifier,
};

/// How many levels of nesting a lambda is: with its body it takes more of the call stack than an operator.
const LEVELS: usize = 20;

/// What stands in `[…]`.
#[derive(Default)]
struct Captures {
    default: Option<CaptureKind>,
    named: Vec<Capture>,
}

impl Parser<'_> {
    /// `[…](…) {…}`. Where files are read for their kernels, one that cannot be parsed is something unknown.
    pub(super) fn lambda(&mut self) -> Parse<Expr> {
        let location = self.location();
        if !self.is_in_body && !self.may_be_lambda {
            return Err(self.unsupported(location, "a lambda outside of a function"));
        }
        let begin = self.checkpoint();
        let outer = (self.declared.take(), self.declared_arguments.take());
        let made = self.lambda_inside(begin.at());
        (self.declared, self.declared_arguments) = outer;
        if made.is_err() {
            self.abandon(&begin);
            if self.misplaced_function.is_none()
                && let Some(reason) = self.reason_to_go_on()
            {
                self.at = begin.at();
                return self.unknown_lambda(reason);
            }
        }
        made
    }

    fn lambda_inside(&mut self, begin: usize) -> Parse<Expr> {
        let location = self.location();
        let before = self.nesting;
        self.nesting += LEVELS - 1;
        self.descend()?;
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let captures = self.captures()?;
        let scope = self.names.open();
        for capture in captures.named.iter().filter(|capture| capture.initializer.is_some()) {
            self.names.declare_local(capture.name, Kind::Value);
        }
        let mut template = if self.word() == Word::Less { self.template_parameters()? } else { Vec::new() };
        let mut specifiers = Specifiers { location, ..Specifiers::default() };
        specifiers.of = Some(TypeSpecifier::Auto);
        let mut is_const = self.lambda_specifiers(&mut specifiers)?;
        let (mut parameters, variadic) = match self.word() {
            Word::LeftParen => self.parameters()?,
            _ => (ThinVec::new(), false),
        };
        self.name_autos(&mut parameters, &mut template);
        is_const &= self.lambda_specifiers(&mut specifiers)?;
        let declarator = Declarator::Function(Box::new(Declarator::Base), parameters, variadic);
        let mut data = DeclaratorData { is_const, ..DeclaratorData::new(declarator, None, location) };
        self.trailing_result(&mut specifiers, &mut data)?;
        if self.word() != Word::LeftBrace {
            return Err(self.expected("the body of a lambda"));
        }
        // What is in a function of the device is of the device.
        specifiers.is_device |= self.has_host;
        specifiers.is_static = captures.default.is_none() && captures.named.is_empty();
        let body = self.function_body(&data.declarator);
        self.names.close(scope);
        self.stops_at_greater = stops;
        self.nesting = before;
        let names = self.names_in(begin, &data.declarator);
        let name = self.symbols.intern("operator()");
        data.name = Some(self.names.qualify(name, self.symbols));
        let template = (!template.is_empty()).then_some(template);
        let item = FunctionItem { template, ..FunctionItem::new(specifiers, data, body) };
        let Captures { default, named } = captures;
        let lambda = Lambda { default, captures: named, names, changed: Vec::new(), item: Rc::new(item) };
        let number = self.tree.large.push(LargeKind::Lambda(Box::new(lambda)));
        self.lambdas.push((number, begin));
        Ok(self.operator_of(location, ExprKind::Large(number), location))
    }

    /// The end of a function: it is known what is changed behind the beginnings of its lambdas.
    pub(super) fn end_lambdas(&mut self) {
        for (number, begin) in self.lambdas.drain(..) {
            if let LargeKind::Lambda(lambda) = &mut self.tree.large[number] {
                let is_changed = |name: &&Symbol| self.changes.get(name).is_some_and(|&at| at >= begin);
                lambda.changed = lambda.names.iter().filter(is_changed).copied().collect();
            }
        }
        self.changes.clear();
    }

    /// `({ … })`.
    pub(super) fn statements(&mut self) -> Parse<Expr> {
        let location = self.location();
        let before = self.nesting;
        self.nesting += LEVELS - 1;
        self.descend()?;
        self.advance();
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let block = self.block()?;
        self.stops_at_greater = stops;
        self.nesting = before;
        self.expect(Word::RightParen, ")", "after the statements of an expression")?;
        Ok(self.large_operator_of(location, LargeKind::Statements(block), location))
    }

    /// `[=, &a, b = x, this]`.
    fn captures(&mut self) -> Parse<Captures> {
        let mut captures = Captures::default();
        self.advance();
        while self.word() != Word::RightBracket {
            let is_alone = matches!(self.ahead(1), Word::Comma | Word::RightBracket);
            match self.word() {
                Word::Equal if is_alone => {
                    captures.default = Some(CaptureKind::Value);
                    self.advance();
                }
                Word::Amp if is_alone => {
                    captures.default = Some(CaptureKind::Reference);
                    self.advance();
                }
                _ => captures.named.push(self.capture()?),
            }
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect(Word::RightBracket, "]", "after what a lambda captures")?;
        Ok(captures)
    }

    fn capture(&mut self) -> Parse<Capture> {
        let kind = match self.word() {
            Word::Amp => CaptureKind::Reference,
            Word::Star => CaptureKind::Object,
            _ => CaptureKind::Value,
        };
        if kind != CaptureKind::Value {
            self.advance();
        }
        let (name, location) = self.expect_name("the name of a variable")?;
        let kind = match (self.symbols.text(name), kind) {
            ("this", CaptureKind::Object) => CaptureKind::Object,
            ("this", _) => CaptureKind::This,
            (_, CaptureKind::Object) => return Err(self.expected("`this`")),
            (_, kind) => kind,
        };
        let initializer = self.initializer_of_variable()?;
        if let (CaptureKind::Reference, Some(Initializer::Expression(value))) = (kind, &initializer) {
            self.note_exposed(*value);
        }
        self.eat(Word::Ellipsis);
        Ok(Capture { kind, name, initializer, location })
    }

    /// `__device__`, `mutable`, `constexpr`, `noexcept`, attributes, in any order. Whether the captured values stay what they are.
    fn lambda_specifiers(&mut self, specifiers: &mut Specifiers) -> Parse<bool> {
        let mut is_const = true;
        let mut attributes = ThinVec::new();
        loop {
            match self.word() {
                Word::Device => specifiers.is_device = true,
                Word::Host => specifiers.is_host = true,
                Word::Constexpr => specifiers.is_constexpr = true,
                Word::Static | Word::Inline | Word::ForceInline => {}
                Word::Ignored => is_const &= self.symbols.text(self.symbol()) != "mutable",
                Word::NoExcept => {
                    self.advance();
                    if self.word() == Word::LeftParen {
                        self.skip_brackets();
                    }
                    continue;
                }
                _ if self.is_attribute() => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                _ => break,
            }
            self.advance();
        }
        self.absorb(specifiers, attributes);
        Ok(is_const)
    }

    /// Parameters whose types are `auto` have the types of a template's parameters.
    fn name_autos(&mut self, parameters: &mut [Parameter], template: &mut Vec<TemplateParameter>) {
        for parameter in parameters {
            if !matches!(parameter.specifiers.of, Some(TypeSpecifier::Auto)) {
                continue;
            }
            self.autos += 1;
            let name = self.symbols.intern(&format!("auto:{}", self.autos)).into();
            let is_pack = parameter.declarator.is_pack;
            template.push(TemplateParameter::Type { name: Some(name), default: None, is_pack });
            parameter.packs = if is_pack { Box::new([name]) } else { Box::default() };
            parameter.specifiers.of = Some(TypeSpecifier::Named(name, parameter.specifiers.location));
        }
    }

    /// The names that stand in a lambda which begins at a token and ends before the one at hand, each once. Those of its parameters and of members are none.
    fn names_in(&self, begin: usize, declarator: &Declarator) -> Vec<Symbol> {
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        if let Declarator::Function(_, parameters, _) = declarator {
            let names = parameters.iter().filter_map(|parameter| parameter.declarator.name);
            seen.extend(names.map(|name| self.names.scopes.spelling(name)));
        }
        let is_name = |&at: &usize| {
            self.words[at] == Word::Name && !matches!(self.words[at - 1], Word::Dot | Word::Arrow | Word::Scope)
        };
        let names = (begin + 1..self.at).filter(is_name).map(|at| self.tokens[at].symbol);
        names.filter(|&name| seen.insert(name)).collect()
    }

    /// Goes behind a lambda that cannot be parsed.
    fn unknown_lambda(&mut self, reason: crate::diagnostic::Diagnostic) -> Parse<Expr> {
        let location: Location = self.location();
        self.skip_brackets();
        if self.word() == Word::LeftParen {
            self.skip_brackets();
        }
        while !matches!(
            self.word(),
            Word::LeftBrace | Word::Semicolon | Word::RightBrace | Word::RightParen | Word::End
        ) {
            self.advance();
        }
        if self.word() != Word::LeftBrace {
            return Err(self.fail(reason));
        }
        self.skip_brackets();
        Ok(self.unknown_expression(reason, Vec::new(), Vec::new(), location))
    }
}
