//! Operands: names, constants, parentheses, constructions, and what stands behind them.

use cranelift_entity::EntityList;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::names::{Kind, Meaning};
use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::source::{Location, TokenRange};
use crate::tree::{
    CastForm, Construction, EndObject, Expr, ExprData, ExprKind, Initializer, LargeKind, MemberTemplate, Name,
    ScopeKind, Strings, TypeName, TypeSpecifier,
};

impl Parser<'_> {
    /// An operand and what stands behind it.
    pub(super) fn postfix(&mut self) -> Parse<Expr> {
        let location = self.location();
        let base = self.primary()?;
        self.postfix_of(base, location)
    }

    /// What stands behind an operand that begins at `first`.
    pub(super) fn postfix_of(&mut self, mut base: Expr, first: Location) -> Parse<Expr> {
        loop {
            base = match self.word() {
                Word::LeftBracket => {
                    self.advance();
                    let index = self.bracketed_expression()?;
                    self.expect(Word::RightBracket, "]", "after the index")?;
                    self.postfix_expression_of(first, ExprKind::Index(base, index), first)
                }
                Word::LeftParen => {
                    let begin = self.arguments()?;
                    let arguments = EntityList::from_slice(&self.expressions[begin..], &mut self.tree.arguments);
                    self.expressions.truncate(begin);
                    self.call_of(first, base, arguments)
                }
                Word::Dot | Word::Arrow => {
                    let arrow = self.word() == Word::Arrow;
                    self.advance();
                    let is_template = self.is_cpp && self.eat(Word::Template);
                    if self.word() == Word::Tilde && self.is_cpp {
                        base = self.ended(first, base, arrow)?;
                        continue;
                    }
                    if self.word() == Word::Tilde {
                        return Err(self.unsupported_keyword());
                    }
                    let name = match self.word() {
                        Word::Operator if self.is_cpp => self.operator_name()?,
                        _ => self.expect_name("the name of a member")?.0,
                    };
                    if self.is_cpp && self.word() == Word::Less {
                        let end = match is_template {
                            true => self.end_of_arguments(self.at).unwrap_or(self.at),
                            false => self.end_of_unknown(self.at - 1),
                        };
                        if self.words[end] == Word::LeftParen && end > self.at {
                            let arguments = self.template_arguments()?;
                            let made = Box::new(MemberTemplate { base, name, arrow, arguments });
                            base = self.large_expression_of(LargeKind::MemberTemplate(made), first);
                            continue;
                        }
                    }
                    self.postfix_expression_of(first, ExprKind::Member { base, name, arrow }, first)
                }
                Word::PlusPlus | Word::MinusMinus => {
                    let up = self.word() == Word::PlusPlus;
                    self.advance();
                    self.note_change(base);
                    self.postfix_expression_of(first, ExprKind::Step { operand: base, up, prefix: false }, first)
                }
                Word::Launch => return Err(self.unsupported(self.location(), "the launch of a kernel (`<<<`)")),
                _ => return Ok(base),
            };
        }
    }

    /// `~T()` behind `a.` or `a->`.
    fn ended(&mut self, first: Location, base: Expr, arrow: bool) -> Parse<Expr> {
        let (meaning, end) = self.peek_name(self.at + 1);
        if !meaning.is_type() {
            return Err(self.unsupported_keyword());
        }
        self.advance();
        let of = self.named_type(meaning, end, false)?;
        self.expect(Word::LeftParen, "(", "after the name of a destructor")?;
        self.expect(Word::RightParen, ")", "of the call of a destructor")?;
        let end = Box::new(EndObject { base, arrow, of });
        Ok(self.large_operator_of(first, LargeKind::End(end), first))
    }

    /// A call, by the name that stands there.
    fn call_of(&mut self, first: Location, callee: Expr, arguments: EntityList<Expr>) -> Expr {
        let ExprData { kind, location } = self.tree.expressions[callee];
        let name = match (kind, self.tree.large(callee)) {
            (ExprKind::Name(name), _) => Some(self.called_name(name)),
            (ExprKind::Member { name, .. }, _) => Some(name.into()),
            (_, Some(LargeKind::TemplateName(named))) => Some(named.0),
            (_, Some(LargeKind::MemberTemplate(named))) => Some(named.name.into()),
            (_, Some(LargeKind::MemberOf(named))) => Some(named.1.into()),
            _ => None,
        };
        let made = self.postfix_expression_of(first, ExprKind::Call(callee, arguments), location);
        self.tree.extents.calls.extend(name.map(|name| (made, name)));
        made
    }

    /// What a function is called in messages: a member by its own name, as it stands there.
    fn called_name(&self, name: Name) -> Name {
        let scopes = &self.names.scopes;
        match scopes.kind(scopes.scope(name)) {
            ScopeKind::Class => scopes.spelling(name).into(),
            _ => name,
        }
    }

    /// `(a, b)`.
    pub(super) fn call_arguments(&mut self) -> Parse<Box<[Expr]>> {
        let begin = self.arguments()?;
        Ok(self.expressions.drain(begin..).collect())
    }

    /// `(a, b)`: they are the elements of `expressions` from a place on.
    fn arguments(&mut self) -> Parse<usize> {
        self.expect(Word::LeftParen, "(", "before the arguments")?;
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let begin = self.expressions.len();
        if self.word() != Word::RightParen {
            loop {
                let first = self.checkpoint();
                let argument = self.right_side();
                let argument = self.or_unknown(&first, argument, true)?;
                let argument = self.expanded(argument, first.at());
                self.expressions.push(argument);
                if !self.eat(Word::Comma) {
                    break;
                }
            }
        }
        if self.word() != Word::RightParen {
            return Err(self.expected("`,` or `)` after an argument"));
        }
        self.advance();
        self.stops_at_greater = stops;
        Ok(begin)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.word() {
            Word::Name | Word::Scope => self.name(),
            Word::Number => Ok(self.constant_token(ExprKind::Number(self.symbol()))),
            Word::Character => Ok(self.constant_token(ExprKind::Character(self.symbol()))),
            Word::String => Ok(self.strings()),
            Word::True => Ok(self.constant_token(ExprKind::Bool(true))),
            Word::False => Ok(self.constant_token(ExprKind::Bool(false))),
            Word::Null => Ok(self.constant_token(ExprKind::Null)),
            Word::FunctionName => Ok(self.function_name()),
            Word::LeftParen => self.parenthesised(),
            Word::StaticCast => self.named_cast(CastForm::Static),
            Word::ReinterpretCast => self.named_cast(CastForm::Reinterpret),
            Word::ConstCast => self.named_cast(CastForm::Const),
            Word::LeftBracket if self.is_cpp => self.lambda(),
            Word::Typename if self.is_tolerant => {
                self.advance();
                self.name()
            }
            Word::Unsupported if self.symbols.text(self.symbol()).contains("asm") => self.assembly(),
            Word::DeclType if self.is_in_decltype(self.at) => self.expression_in_decltype(),
            word if self.is_cpp && word.is_plain_type() => self.construction(),
            _ => Err(self.no_operand()),
        }
    }

    /// A constant that is one token.
    #[inline]
    fn constant_token(&mut self, kind: ExprKind) -> Expr {
        let location = self.location();
        self.advance();
        self.expression_of(kind, location)
    }

    #[cold]
    fn no_operand(&mut self) -> Stop {
        let location = self.location();
        match self.word() {
            Word::Caret if self.is_opencl => self.unsupported(location, "a block"),
            Word::AmpAmp => self.unsupported(location, "the address of a label"),
            Word::Unsupported | Word::Operator | Word::Template | Word::DeclType | Word::Typename => {
                self.unsupported_keyword()
            }
            Word::NoExcept => self.unsupported_keyword(),
            _ => self.expected("an expression"),
        }
    }

    fn strings(&mut self) -> Expr {
        let location = self.location();
        let mut parts = Vec::with_capacity(1);
        while self.word() == Word::String {
            parts.push(self.symbol());
            self.advance();
        }
        self.large_expression_of(LargeKind::String(Box::new(Strings(parts))), location)
    }

    /// `__func__`: the name of the function at hand, without what is around it.
    fn function_name(&mut self) -> Expr {
        let location = self.location();
        self.advance();
        let name = self.function.map_or("", |name| self.symbols.text(self.names.scopes.spelling(name)));
        let text = format!("\"{name}\"");
        let text = self.symbols.intern(&text);
        self.large_expression_of(LargeKind::String(Box::new(Strings(vec![text]))), location)
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let location = self.location();
        match self.ahead(1) {
            Word::LeftBrace if self.is_in_body => return self.statements(),
            Word::LeftBrace => return Err(self.unsupported(location, "a statement in an expression")),
            _ if self.is_fold() => return self.fold(location),
            _ => self.advance(),
        }
        let inner = self.bracketed_expression()?;
        self.expect(Word::RightParen, ")", "after the expression")?;
        Ok(inner)
    }

    /// `static_cast<T>(x)`.
    fn named_cast(&mut self, form: CastForm) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        self.expect(Word::Less, "<", "after the name of the cast")?;
        let to = Box::new(self.type_name()?);
        self.close_angle()?;
        self.expect(Word::LeftParen, "(", "after the type of the cast")?;
        let operand = self.bracketed_expression()?;
        self.expect(Word::RightParen, ")", "after the operand of the cast")?;
        Ok(self.large_operator_of(location, LargeKind::Cast { to, operand, form }, location))
    }

    fn name(&mut self) -> Parse<Expr> {
        let location = self.location();
        let (meaning, end) = self.peek_name(self.at);
        if end == self.at {
            return Err(self.expected("an expression"));
        }
        match meaning.kind {
            Kind::Value => {}
            Kind::Unknown | Kind::Unsupported if self.is_tolerant => {
                let end = self.end_of_unknown(self.at);
                let is_list = self.words[end] == Word::LeftBrace;
                if is_list
                    || self.is_unknown_template(self.at, end)
                    || matches!(self.words[end], Word::LeftParen | Word::RightParen | Word::Comma | Word::Semicolon)
                {
                    // Arguments of a template say nothing more of what is not known.
                    let begin = self.at;
                    self.take_unknown(end);
                    let made = self.expression_of(ExprKind::Name(meaning.name), location);
                    if self.words[begin] == Word::Scope {
                        self.note_qualified(made, location, self.tokens[end - 1].location);
                    }
                    return if is_list { self.unknown_list() } else { Ok(made) };
                }
            }
            Kind::Unknown => {
                if self.is_cpp && self.words[end] == Word::Less && self.is_type_name(end + 1) {
                    return Err(self.unknown_template(meaning));
                }
            }
            Kind::Template if self.words[end] == Word::Less => {
                self.at = end;
                let arguments = self.template_arguments()?;
                return Ok(
                    self.large_expression_of(LargeKind::TemplateName(Box::new((meaning.name, arguments))), location)
                );
            }
            Kind::Template | Kind::Namespace => {}
            Kind::Bool(value) => {
                let made = self.expression_of(ExprKind::Bool(value), location);
                return self.behind_name(made, end);
            }
            Kind::Unsupported => return Err(self.unsupported_name(meaning)),
            Kind::ClassTemplate if self.words[end] == Word::Less => return self.template_of_types(meaning, end),
            Kind::Type if self.words[end] == Word::Scope && self.words[end + 1] == Word::Template => {
                return self.expression_in_type(meaning, end);
            }
            Kind::Type | Kind::ClassTemplate | Kind::Vector | Kind::Builtin(_) => {
                return if self.is_cpp && matches!(self.words[end], Word::LeftParen | Word::LeftBrace) {
                    self.construction()
                } else {
                    Err(self.error(location, format!("expected an expression, found the type {}", self.found())))
                };
            }
        }
        let made = self.expression_of(ExprKind::Name(meaning.name), location);
        if end - self.at > 1 {
            self.note_qualified(made, location, self.tokens[end - 1].location);
        }
        self.behind_name(made, end)
    }

    /// `A<int>(x)`, `A<int>::x`, from the name, which ends before the token `end`.
    fn template_of_types(&mut self, meaning: Meaning, end: usize) -> Parse<Expr> {
        if self.end_of_type(meaning, end).is_some() {
            return self.construction();
        }
        self.expression_in_type(meaning, end)
    }

    /// `A<int>::x`, `T::template f<int>`, from the name of the type, which ends before the token `end`.
    fn expression_in_type(&mut self, meaning: Meaning, end: usize) -> Parse<Expr> {
        let location = self.location();
        let of = self.named_type(meaning, end, false)?;
        self.member_in_type(of, location)
    }

    /// Whether `decltype(…)` stands before `::`.
    pub(super) fn is_in_decltype(&self, at: usize) -> bool {
        self.words[at] == Word::DeclType
            && self.words[at + 1] == Word::LeftParen
            && self.end_of_parentheses_before(at + 1, Word::Semicolon).is_some_and(|end| self.words[end] == Word::Scope)
    }

    /// `decltype(a)::x`.
    fn expression_in_decltype(&mut self) -> Parse<Expr> {
        let location = self.location();
        let of = self.type_of()?;
        self.member_in_type(of, location)
    }

    /// What is behind a type whose member it is.
    fn member_in_type(&mut self, of: TypeSpecifier, location: Location) -> Parse<Expr> {
        if self.word() != Word::Scope {
            return Err(self.expected("`::` or `(` after a type"));
        }
        self.advance();
        self.eat(Word::Template);
        let (name, _) = self.expect_name("the name of a member")?;
        let has_arguments = self.word() == Word::Less
            && self.end_of_arguments(self.at).is_some_and(|end| self.words[end] == Word::LeftParen);
        let arguments = if has_arguments { Some(self.template_arguments()?) } else { None };
        let last = self.last_location();
        let made = self.large_expression_of(LargeKind::MemberOf(Box::new((of, name, arguments))), location);
        self.note_qualified(made, location, last);
        Ok(made)
    }

    /// Notes that a name is written with that of a scope.
    fn note_qualified(&mut self, name: Expr, first: Location, last: Location) {
        self.tree.extents.qualified.push((name, TokenRange { first, last }));
    }

    /// Takes the name that an expression was made of, which ends before the token `end`.
    #[inline]
    fn behind_name(&mut self, made: Expr, end: usize) -> Parse<Expr> {
        self.at = end;
        if self.word() == Word::Scope {
            self.advance();
            return Err(self.expected("a name after `::`"));
        }
        Ok(made)
    }

    #[cold]
    fn unknown_template(&mut self, meaning: Meaning) -> Stop {
        if self.names.is_of_std(meaning.name, self.symbols) {
            return self.unsupported_name(meaning);
        }
        let name = self.text(meaning.name);
        self.error(self.location(), format!("`{name}` is used as a template, but no such template is declared"))
    }

    /// `T(x)`, `T{x}`.
    fn construction(&mut self) -> Parse<Expr> {
        let location = self.location();
        let specifiers = self.specifiers()?;
        let of = TypeName { specifiers, declarator: crate::tree::Declarator::Base };
        let kind = match self.word() {
            Word::LeftParen => LargeKind::Construct(Box::new(Construction { of, parts: self.call_arguments()? })),
            Word::LeftBrace => {
                let list = self.initializer_list()?;
                match plain_values(&list) {
                    Some(values) => {
                        LargeKind::Construct(Box::new(Construction { of, parts: values.into_vec().into() }))
                    }
                    None => LargeKind::CompoundLiteral(Box::new((of, list))),
                }
            }
            _ => return Err(self.expected("`(` or `{` after a type")),
        };
        Ok(self.large_operator_of(location, kind, location))
    }
}

/// The values of a list without designators and without lists in it.
fn plain_values(list: &Initializer) -> Option<SmallVec<[Expr; 8]>> {
    let Initializer::List(elements, _) = list else { return None };
    let value = |(designators, element): &(ThinVec<_>, Initializer)| match element {
        Initializer::Expression(value) if designators.is_empty() => Some(*value),
        _ => None,
    };
    elements.iter().map(value).collect()
}
