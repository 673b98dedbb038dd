//! The functions of a class: constructors, destructors, operators, conversions, templates.
//!
//! A body may use all members of its class, also those that are declared after it. So the parser goes behind a body, and reads it when the outermost class
//! is complete, with the scopes that were open at its place. Each body is gone through twice, so that the time stays linear.

use std::rc::Rc;

use super::names::{Kind, Meaning};
use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::token::Symbol;
use crate::tree::{
    Body, BuiltinType, Declarator, DeclaratorData, FunctionItem, FunctionKind, Initializer, Item, MemberBody,
    MemberBodyData, MemberInitializer, Name, RecordMember, Scope, Specifiers, TemplateParameter, TypeSpecifier,
};

/// A body that is read when its class is complete.
#[derive(Debug)]
pub(super) struct Delayed {
    /// The token that it begins with: `{`, or `:` of a constructor.
    at: usize,
    /// The scopes whose braces are open there.
    scopes: Vec<Scope>,
    /// The parameters of the templates in the class that it is the body of or in.
    template: Vec<(Name, Kind)>,
    /// The parameters of the function.
    declarator: Declarator,
    into: MemberBody,
}

impl Parser<'_> {
    /// `template<…>` in a class, and what it is of.
    pub(super) fn member_template(&mut self, of: Option<Name>, members: &mut Vec<RecordMember>) -> Parse<()> {
        self.advance();
        let scope = self.names.open();
        let parameters = self.template_parameters()?;
        let made = match self.word() {
            Word::Struct | Word::Class | Word::Union => {
                self.names.enter_header();
                let outer = self.around_bodies.len();
                self.around_bodies.extend(declared(&parameters));
                let made = self.class_template(parameters);
                self.around_bodies.truncate(outer);
                self.names.leave_header();
                made.map(|template| members.push(RecordMember::ClassTemplate(Rc::new(template))))
            }
            Word::Using => {
                let made = self.alias_template(parameters);
                made.map(|template| members.push(RecordMember::AliasTemplate(Rc::new(template))))
            }
            Word::Template => return Err(self.unsupported(self.location(), "a template of a template")),
            _ => self.member_declaration(of, Some(parameters), members),
        };
        self.names.close(scope);
        made
    }

    /// A constructor, destructor or conversion, from behind its specifiers.
    pub(super) fn special_member(
        &mut self,
        kind: FunctionKind,
        class: Option<Name>,
        mut specifiers: Specifiers,
        template: Option<Vec<TemplateParameter>>,
    ) -> Parse<RecordMember> {
        // That of a constructor's name was taken for a type.
        let location = if kind == FunctionKind::Constructor { self.last_location() } else { self.location() };
        let mut data = DeclaratorData::new(Declarator::Base, class, location);
        match kind {
            FunctionKind::Conversion => {
                self.advance();
                let of = self.specifiers()?;
                self.require_type(&of)?;
                (specifiers.of, specifiers.is_const) = (of.of, of.is_const);
                data.declarator = self.pointers(&mut data.attributes)?;
            }
            _ => {
                if self.eat(Word::Tilde) {
                    self.expect_name("the name of the class")?;
                }
                specifiers.of = Some(TypeSpecifier::Builtin(BuiltinType::Void));
            }
        }
        if self.word() != Word::LeftParen {
            return Err(self.expected("`(` and parameters"));
        }
        let (parameters, variadic) = self.parameters()?;
        self.behind_parameters(&mut data)?;
        data.declarator = Declarator::Function(Box::new(data.declarator), parameters, variadic);
        self.member_function(kind, specifiers, data, template)
    }

    /// A function of a class from behind its parameters.
    pub(super) fn member_function(
        &mut self,
        kind: FunctionKind,
        specifiers: Specifiers,
        mut data: DeclaratorData,
        template: Option<Vec<TemplateParameter>>,
    ) -> Parse<RecordMember> {
        if specifiers.is_kernel {
            return Err(self.unsupported(data.location, "a kernel in a class"));
        }
        if kind == FunctionKind::Named {
            data.name = self.declared;
            if let Some(name) = data.name {
                let was_template = self.names.meaning(name).kind == Kind::Template;
                let is_template = was_template || template.is_some();
                self.names.declare_qualified(name, if is_template { Kind::Template } else { Kind::Value });
            }
        }
        let spelling = self.spelling(template.as_deref());
        let body = match self.word() {
            Word::Equal => {
                self.advance();
                let body = match self.word() {
                    Word::Default => Body::Default,
                    _ if self.symbols.text(self.symbol()) == "delete" => Body::Deleted,
                    Word::Number => Body::Pure,
                    _ => return Err(self.expected("`default`, `delete` or `0`")),
                };
                self.advance();
                self.expect_semicolon("after the function")?;
                body
            }
            Word::LeftBrace | Word::Colon if self.is_of_host(&specifiers, &data) => {
                self.behind_initializers();
                if self.word() != Word::LeftBrace {
                    return Err(self.expected("the body of a function"));
                }
                self.host_body();
                Body::Host
            }
            Word::LeftBrace | Word::Colon => self.delayed_body(&data.declarator, template.as_deref())?,
            Word::Unsupported => return Err(self.unsupported_keyword()),
            _ => {
                self.expect_semicolon("after the function")?;
                Body::None
            }
        };
        let item = FunctionItem { kind, template, spelling, ..FunctionItem::new(specifiers, data, body) };
        Ok(RecordMember::Function(Rc::new(item)))
    }

    /// The class whose constructor or destructor is defined at hand outside of it, behind specifiers: `A::A(…)`, `A<T>::~A(…)`.
    pub(super) fn outside_special(&mut self, specifiers: &Specifiers) -> Option<Meaning> {
        if !self.is_cpp {
            return None;
        }
        let is_destructor = self.word() == Word::Scope
            && self.words[self.at + 1..].starts_with(&[Word::Tilde, Word::Name, Word::LeftParen]);
        match (&specifiers.of, self.word()) {
            (Some(TypeSpecifier::Template(named, _)), _) if is_destructor => Some(self.names.meaning(named.0)),
            (Some(TypeSpecifier::Named(name, _)), _) if is_destructor => Some(self.names.meaning(*name)),
            (Some(TypeSpecifier::Template(named, _)), Word::Scope) => {
                let class = self.names.meaning(named.0);
                let is_named = self.names.scopes.spelling(class.name) == self.tokens[self.at + 1].symbol;
                (is_named && self.ahead(2) == Word::LeftParen).then_some(class)
            }
            (None, Word::Name) => {
                let (_, end) = self.peek_name(self.at);
                let is_constructor = end >= self.at + 3
                    && self.words[end] == Word::LeftParen
                    && self.tokens[end - 1].symbol == self.tokens[end - 3].symbol;
                if !is_constructor {
                    return None;
                }
                let mut class = self.names.lookup(self.symbol());
                for at in (self.at + 2..end - 2).step_by(2) {
                    class = self.names.member(class, self.tokens[at].symbol, self.symbols);
                }
                self.at = end - 2;
                Some(class)
            }
            _ => None,
        }
    }

    /// `::A(…) : … { … }` or `::~A() { … }` behind the name of a class.
    pub(super) fn special_outside(
        &mut self,
        class: Meaning,
        mut specifiers: Specifiers,
        template: Option<Vec<TemplateParameter>>,
    ) -> Parse<()> {
        self.advance();
        let kind = if self.eat(Word::Tilde) { FunctionKind::Destructor } else { FunctionKind::Constructor };
        let (spelling, location) = self.expect_name("the name of the class")?;
        let name = self.names.member(class, spelling, self.symbols).name;
        let mut data = DeclaratorData::new(Declarator::Base, Some(name), location);
        let (parameters, variadic) = self.parameters()?;
        self.behind_parameters(&mut data)?;
        data.declarator = Declarator::Function(Box::new(Declarator::Base), parameters, variadic);
        specifiers.of = Some(TypeSpecifier::Builtin(BuiltinType::Void));
        let spelling = self.spelling(template.as_deref());
        // Whatever is wrong in it, the next declaration stands behind its braces.
        let begin = self.at;
        self.behind_initializers();
        match self.word() {
            Word::LeftBrace => {
                self.skip_braces_until(Word::Kernel);
            }
            Word::Equal => return Err(self.unsupported(location, "`=` after the parameters of a constructor")),
            _ => return Err(self.expected("the body of a function")),
        }
        let end = std::mem::replace(&mut self.at, begin);
        let is_elsewhere = self.names.enter_scope_of(name);
        // Whether the host alone executes it, the declaration in the class says.
        let body = self.member_body(&data.declarator);
        if is_elsewhere {
            self.names.leave();
        }
        if !self.has_given_up {
            self.at = end;
        }
        let body = Body::Member(self.tree.bodies.push(body));
        let item = FunctionItem { kind, template, spelling, ..FunctionItem::new(specifiers, data, body) };
        self.tree.items.push(Item::Function(Box::new(item)));
        Ok(())
    }

    /// Goes behind `: a(1), b{2}`, if that is there.
    fn behind_initializers(&mut self) {
        if self.word() != Word::Colon {
            return;
        }
        loop {
            self.advance();
            let end = self.end_of_unknown(self.at);
            if end == self.at || !matches!(self.words[end], Word::LeftParen | Word::LeftBrace) {
                return;
            }
            self.at = end;
            self.skip_brackets();
            self.eat(Word::Ellipsis);
            if self.word() != Word::Comma {
                return;
            }
        }
    }

    /// Goes behind a body, which is read later.
    fn delayed_body(&mut self, declarator: &Declarator, template: Option<&[TemplateParameter]>) -> Parse<Body> {
        let at = self.at;
        self.behind_initializers();
        if self.word() != Word::LeftBrace {
            return Err(self.expected("the body of a function"));
        }
        self.skip_braces_until(Word::Kernel);
        let template = self.around_bodies.iter().copied().chain(declared(template.unwrap_or(&[])));
        let (template, declarator) = (template.collect(), declarator.clone());
        let into = self.tree.bodies.push(MemberBodyData { initializers: Vec::new(), body: Body::None });
        self.delayed.push(Delayed { at, scopes: self.names.open_list(), template, declarator, into });
        Ok(Body::Member(into))
    }

    /// Reads the bodies that were put off since there were so many.
    pub(super) fn delayed_bodies(&mut self, first: usize) {
        let end = self.at;
        let (misplaced, classes) = (self.misplaced_function, std::mem::take(&mut self.open_classes));
        for delayed in self.delayed.split_off(first) {
            if self.has_given_up {
                return;
            }
            self.at = delayed.at;
            let open = self.names.reopen(delayed.scopes);
            let scope = self.names.open();
            for (name, kind) in delayed.template {
                self.names.declare_local(name, kind);
            }
            let data = self.member_body(&delayed.declarator);
            self.tree.bodies[delayed.into] = data;
            self.names.close(scope);
            self.names.reopen(open);
        }
        if !self.has_given_up {
            (self.at, self.misplaced_function, self.open_classes) = (end, misplaced, classes);
        }
    }

    fn member_body(&mut self, declarator: &Declarator) -> MemberBodyData {
        let begin = self.checkpoint();
        let scope = self.names.open();
        if let Declarator::Function(_, parameters, _) = declarator {
            for name in parameters.iter().filter_map(|parameter| parameter.declarator.name) {
                self.names.declare_local(name, Kind::Value);
            }
        }
        let initializers = self.member_initializers();
        self.names.close(scope);
        match initializers {
            Ok(initializers) => {
                let body = self.function_body(declarator);
                MemberBodyData { initializers, body }
            }
            Err(Stop) => {
                self.abandon(&begin);
                let reason = self.take_failure().expect("what stops has a reason");
                MemberBodyData { initializers: Vec::new(), body: Body::Unsupported(reason) }
            }
        }
    }

    /// `: a(1), b{2}`, up to the `{` of the body.
    fn member_initializers(&mut self) -> Parse<Vec<MemberInitializer>> {
        let mut initializers = Vec::new();
        if self.word() != Word::Colon {
            return Ok(initializers);
        }
        loop {
            self.advance();
            let location = self.location();
            let (_, end) = self.peek_name(self.at);
            if end == self.at {
                return Err(self.expected("the name of a member or a base"));
            }
            let name = self.tokens[end - 1].symbol;
            self.at = match self.words[end] {
                Word::Less => self.end_of_arguments(end).unwrap_or(end),
                _ => end,
            };
            let initializer = match self.word() {
                Word::LeftBrace => self.initializer_list()?,
                _ => {
                    let values = self.call_arguments()?;
                    match values[..] {
                        [only] => Initializer::Expression(only),
                        _ => {
                            let values =
                                values.iter().map(|&value| (Default::default(), Initializer::Expression(value)));
                            Initializer::List(values.collect(), location)
                        }
                    }
                }
            };
            initializers.push(MemberInitializer { name, initializer, location });
            if self.word() != Word::Comma {
                return Ok(initializers);
            }
        }
    }

    /// The name of an operator, from `operator`: `operator+`, `operator()`.
    pub(super) fn operator_name(&mut self) -> Parse<Symbol> {
        self.advance();
        let text = match (self.word(), self.ahead(1)) {
            (Word::LeftParen, Word::RightParen) | (Word::LeftBracket, Word::RightBracket) => {
                let text = if self.word() == Word::LeftParen { "operator()" } else { "operator[]" };
                self.advance();
                text.to_owned()
            }
            _ => {
                let text = self.symbols.text(self.symbol());
                let is_operator = text.starts_with(|first: char| first.is_ascii_punctuation())
                    && !text.starts_with(['_', '"', '\'', '(', '[', '{', '}', ')', ']', ';']);
                if !is_operator {
                    return Err(self.unsupported_keyword());
                }
                format!("operator{text}")
            }
        };
        self.advance();
        Ok(self.symbols.intern(&text))
    }
}

/// What the parameters of a template are declared as.
fn declared(parameters: &[TemplateParameter]) -> impl Iterator<Item = (Name, Kind)> {
    parameters.iter().filter_map(|parameter| match parameter {
        TemplateParameter::Template { name, .. } => Some(((*name)?, Kind::ClassTemplate)),
        TemplateParameter::Type { name, .. } => Some(((*name)?, Kind::Type)),
        TemplateParameter::Value { name, .. } => Some(((*name)?, Kind::Value)),
    })
}
