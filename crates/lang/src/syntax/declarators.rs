//! Declarators: pointers, arrays and functions around a name, and types without a name.
//!
//! **Invariant.** The chain is built from the inside of the text outwards, and comes out as the tree has it, outermost first.

use thin_vec::ThinVec;

use super::names::{Kind, Meaning};
use super::specifiers::address_space;
use super::words::Word;
use super::{Parse, Parser};
use crate::tree::{
    Attribute, Declarator, DeclaratorData, Expr, InitDeclarator, Initializer, MemberDeclarator, Packs, Parameter,
    PointerQualifiers, Specifiers, TypeName,
};

/// Whether a declarator has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// It has.
    Named,
    /// It has not: in casts and template arguments.
    Abstract,
    /// It may: a parameter, a bit-field.
    Either,
}

/// What stands behind the name.
enum Suffix {
    Array(Option<Expr>),
    Function(ThinVec<Parameter>, bool),
}

impl Parser<'_> {
    /// A declarator and the attributes behind it. The name is not declared yet.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<DeclaratorData> {
        let location = self.location();
        let mut data = DeclaratorData::new(Declarator::Base, None, location);
        data.declarator = self.declarator_part(naming, &mut data)?;
        self.behind_declarator(&mut data)?;
        Ok(data)
    }

    /// A type without a name.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let mut specifiers = self.specifiers()?;
        self.require_type(&specifiers)?;
        let data = self.declarator(Naming::Abstract)?;
        specifiers.attributes.extend(data.attributes);
        Ok(TypeName { specifiers, declarator: data.declarator })
    }

    fn declarator_part(&mut self, naming: Naming, data: &mut DeclaratorData) -> Parse<Declarator> {
        let base = self.pointers(&mut data.attributes)?;
        let mut is_nested = false;
        let mut inner = Declarator::Base;
        match self.word() {
            Word::Name | Word::Scope if naming != Naming::Abstract => self.declared_name(data)?,
            Word::LeftParen if self.is_nested_declarator(naming) => {
                self.descend()?;
                self.advance();
                inner = self.declarator_part(naming, data)?;
                self.expect(Word::RightParen, ")", "after the declarator")?;
                self.rise();
                is_nested = true;
            }
            Word::Operator if naming != Naming::Abstract && self.is_cpp => self.declared_operator(data)?,
            Word::Operator => return Err(self.unsupported(self.location(), "an operator function")),
            Word::Caret => return Err(self.unsupported(self.location(), "a block")),
            Word::Ellipsis if self.is_cpp && naming == Naming::Either => {
                self.advance();
                data.is_pack = true;
                if self.word() == Word::Name {
                    self.declared_name(data)?;
                }
            }
            Word::LeftBracket if naming == Naming::Named && self.is_cpp => {
                return Err(self.unsupported(self.location(), "a structured binding"));
            }
            _ if naming == Naming::Named => return Err(self.expected("a name to declare")),
            _ => data.location = self.location(),
        }
        if !is_nested && !matches!(self.word(), Word::LeftBracket | Word::LeftParen) {
            return Ok(base);
        }
        let was_const = std::mem::take(&mut data.is_const);
        let outer = self.suffixes(base, naming, is_nested, data)?;
        let is_const = data.is_const;
        data.is_const |= was_const;
        let mut hole = &mut inner;
        loop {
            match hole {
                Declarator::Base => break,
                Declarator::Pointer(next, _)
                | Declarator::Reference(next, _)
                | Declarator::Array(next, _)
                | Declarator::Function(next, _, _) => hole = next,
                Declarator::Member(member) => {
                    if let (Declarator::Base, Declarator::Function(..)) = (&member.of, &outer) {
                        member.is_const_function = is_const;
                        data.is_const = was_const;
                    }
                    hole = &mut member.of;
                }
            }
        }
        *hole = outer;
        Ok(inner)
    }

    /// `*`, `&`, `A::*` and the qualifiers behind them.
    pub(super) fn pointers(&mut self, attributes: &mut ThinVec<Attribute>) -> Parse<Declarator> {
        let mut base = Declarator::Base;
        let before = self.nesting;
        loop {
            match self.word() {
                Word::Star => {
                    self.descend()?;
                    self.advance();
                    let qualifiers = self.pointer_qualifiers(attributes)?;
                    base = Declarator::Pointer(Box::new(base), qualifiers);
                }
                Word::Amp | Word::AmpAmp if self.is_cpp => {
                    self.descend()?;
                    let is_rvalue = self.word() == Word::AmpAmp;
                    self.advance();
                    self.pointer_qualifiers(attributes)?;
                    base = Declarator::Reference(Box::new(base), is_rvalue);
                }
                Word::Name | Word::Scope if self.is_member_pointer(self.at) => {
                    self.descend()?;
                    let (meaning, end) = self.peek_name(self.at);
                    let class = match self.is_unknown_name(meaning) {
                        true => {
                            let end = self.end_of_unknown(self.at);
                            self.unknown_type(meaning.name, end)
                        }
                        false => self.named_type(meaning, end, false)?,
                    };
                    self.expect(Word::Scope, "::", "after the class of a pointer to a member")?;
                    self.expect(Word::Star, "*", "of a pointer to a member")?;
                    let qualifiers = self.pointer_qualifiers(attributes)?;
                    let of = base;
                    let member = MemberDeclarator { of, class, qualifiers, is_const_function: false };
                    base = Declarator::Member(Box::new(member));
                }
                _ => break,
            }
        }
        self.nesting = before;
        Ok(base)
    }

    /// Whether `A::*` stands at a token.
    pub(super) fn is_member_pointer(&self, at: usize) -> bool {
        let may_be = self.is_cpp && matches!(self.words.get(at + 1), Some(Word::Name | Word::Scope | Word::Less));
        let end = if may_be { self.end_of_unknown(at) } else { at };
        end > at && self.words[end] == Word::Scope && self.words[end + 1] == Word::Star
    }

    fn pointer_qualifiers(&mut self, attributes: &mut ThinVec<Attribute>) -> Parse<PointerQualifiers> {
        let mut qualifiers = PointerQualifiers::default();
        loop {
            match self.word() {
                Word::Const => qualifiers.is_const = true,
                Word::Volatile => qualifiers.is_volatile = true,
                Word::Restrict => qualifiers.is_restrict = true,
                Word::Ignored | Word::Host => {}
                Word::Device => attributes.push(self.plain_attribute("device", self.location())),
                Word::Attribute => {
                    self.gnu_attribute(attributes)?;
                    continue;
                }
                word => match address_space(word) {
                    Some(space) => qualifiers.space = Some(space),
                    None => return Ok(qualifiers),
                },
            }
            self.advance();
        }
    }

    /// The name, perhaps qualified, perhaps with template arguments.
    fn declared_name(&mut self, data: &mut DeclaratorData) -> Parse<()> {
        data.location = self.location();
        let (meaning, end) = self.peek_name(self.at);
        if end == self.at {
            return Err(self.expected("a name to declare"));
        }
        let is_qualified = end > self.at + 1;
        if is_qualified
            && self.words[end - 2] == Word::Scope
            && end - self.at >= 3
            && self.peek_prefix(self.at, end - 2) == Kind::Unsupported
        {
            return Err(self.unsupported(data.location, "the definition of a member of a class"));
        }
        data.name = Some(if is_qualified { meaning.name } else { self.symbol().into() });
        if self.declared.is_none() {
            let simple = self.symbol();
            let qualified = if is_qualified { meaning.name } else { self.names.qualify(simple, self.symbols) };
            self.declared = Some(qualified);
        }
        self.at = end;
        self.declared_member(meaning, data)?;
        match self.word() {
            Word::Less if meaning.kind == Kind::Template => {
                self.declared_arguments = Some(self.template_arguments()?);
            }
            Word::Scope => return Err(self.expected("a name after `::`")),
            _ => {}
        }
        Ok(())
    }

    /// `::f`, `::operator+` or `::inner::f` behind the name of a class, or that of a template of classes with its arguments.
    fn declared_member(&mut self, class: Meaning, data: &mut DeclaratorData) -> Parse<()> {
        let mut end = match self.word() {
            Word::Less if class.kind == Kind::ClassTemplate => self.end_of_arguments(self.at).unwrap_or(self.at),
            _ => self.at,
        };
        let has_arguments = end > self.at;
        if has_arguments && self.words[end] == Word::Scope && self.words[self.header + 1] == Word::Greater {
            self.declared_class_arguments = Some(self.template_arguments()?);
        }
        let mut of = class;
        while self.words[end] == Word::Scope {
            let name = match self.words[end + 1] {
                Word::Operator => {
                    self.at = end + 1;
                    self.operator_name()?
                }
                Word::Name if has_arguments => {
                    self.at = end + 2;
                    self.tokens[end + 1].symbol
                }
                _ => return Ok(()),
            };
            of = self.names.member(of, name, self.symbols);
            data.name = Some(of.name);
            self.declared = Some(of.name);
            end = self.at;
        }
        Ok(())
    }

    /// `operator+` and the like, as the name of a function.
    fn declared_operator(&mut self, data: &mut DeclaratorData) -> Parse<()> {
        data.location = self.location();
        let name = self.operator_name()?;
        data.name = Some(name.into());
        if self.declared.is_none() {
            self.declared = Some(self.names.qualify(name, self.symbols));
        }
        Ok(())
    }

    /// What the names before the last `::` of a qualified name mean.
    fn peek_prefix(&mut self, at: usize, end: usize) -> Kind {
        let first = at + usize::from(self.words[at] == Word::Scope);
        let mut meaning = self.names.lookup(self.tokens[first].symbol);
        let mut next = first + 1;
        while next + 1 < end {
            meaning = self.names.member(meaning, self.tokens[next + 1].symbol, self.symbols);
            next += 2;
        }
        meaning.kind
    }

    /// Whether `(` begins a declarator in parentheses, and not the parameters of a function without a name.
    fn is_nested_declarator(&mut self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return true;
        }
        match self.ahead(1) {
            Word::RightParen | Word::Ellipsis => false,
            Word::Star | Word::Amp | Word::AmpAmp | Word::LeftParen | Word::LeftBracket | Word::Caret => true,
            Word::Attribute => true,
            Word::Name | Word::Scope if self.is_member_pointer(self.at + 1) => true,
            _ => naming == Naming::Either && !self.is_parameter(self.at + 1),
        }
    }

    fn is_parameter(&mut self, at: usize) -> bool {
        match self.words[at] {
            Word::Name | Word::Scope => self.peek_name(at).0.is_type(),
            word => word.is_specifier(),
        }
    }

    fn suffixes(
        &mut self,
        base: Declarator,
        naming: Naming,
        is_nested: bool,
        data: &mut DeclaratorData,
    ) -> Parse<Declarator> {
        let mut suffixes: smallvec::SmallVec<[Suffix; 2]> = smallvec::SmallVec::new();
        let before = self.nesting;
        loop {
            match self.word() {
                Word::LeftBracket if self.ahead(1) == Word::LeftBracket => self.attributes(&mut data.attributes)?,
                Word::LeftBracket => {
                    self.descend()?;
                    suffixes.push(Suffix::Array(self.array_length()?));
                }
                Word::LeftParen if is_nested || !self.is_initializer_paren(naming) => {
                    self.descend()?;
                    let (parameters, variadic) = self.parameters()?;
                    suffixes.push(Suffix::Function(parameters, variadic));
                    self.behind_parameters(data)?;
                }
                _ => break,
            }
        }
        self.nesting = before;
        Ok(suffixes.into_iter().rev().fold(base, |part, suffix| match suffix {
            Suffix::Array(length) => Declarator::Array(Box::new(part), length),
            Suffix::Function(parameters, variadic) => Declarator::Function(Box::new(part), parameters, variadic),
        }))
    }

    /// Whether `(` begins the initialiser of a variable: `int x(3);`.
    fn is_initializer_paren(&mut self, naming: Naming) -> bool {
        if !self.is_cpp || naming != Naming::Named {
            return false;
        }
        let first = self.words[self.at + 1];
        first != Word::RightParen
            && first != Word::Ellipsis
            && first != Word::LeftBracket
            && !self.is_type_name(self.at + 1)
            && !self.is_nested_parameter(self.at + 1)
            && !(self.words[self.at + 1] == Word::Name
                && !self.is_tolerant
                && self.is_declared_unsupported(self.at + 1))
            && !self.looks_like_unknown_parameter(self.at + 1)
            && !self.are_parameters_of_definition(self.at)
    }

    /// `f(T (&a)[4]`, `f(int (*g)(int)`: what could be a parameter is one.
    fn is_nested_parameter(&mut self, at: usize) -> bool {
        let (is_type, end) = match self.words[at] {
            Word::Name | Word::Scope => {
                let (meaning, end) = self.peek_name(at);
                (meaning.is_type(), end)
            }
            word => (word.is_specifier(), at + 1),
        };
        let opens = self.words.get(end) == Some(&Word::LeftParen);
        let is_pointer = matches!(self.words.get(end + 1), Some(Word::Star | Word::Amp | Word::AmpAmp));
        is_type && opens && (is_pointer || self.is_member_pointer(end + 1))
    }

    fn is_declared_unsupported(&mut self, at: usize) -> bool {
        self.peek_name(at).0.kind == Kind::Unsupported
    }

    /// `f(foo x`, `f(std::vector<int> v`: the parameters of a function whose types are not known.
    fn looks_like_unknown_parameter(&mut self, at: usize) -> bool {
        let (meaning, end) = self.peek_name(at);
        if self.is_unknown_name(meaning) {
            return !self.is_in_body && self.is_unknown_parameter(at);
        }
        let is_pointer =
            |word: &Word| matches!(word, Word::Star | Word::Amp | Word::AmpAmp | Word::Const | Word::Restrict);
        let name = end + self.words[end..].iter().take_while(|&word| is_pointer(word)).count();
        let is_named = name == end || matches!(self.words.get(name + 1), Some(Word::Comma | Word::RightParen));
        end > at
            && meaning.kind == Kind::Unknown
            && self.words.get(name) == Some(&Word::Name)
            && is_named
            && !self.names.is_local()
    }

    fn array_length(&mut self) -> Parse<Option<Expr>> {
        self.advance();
        while matches!(self.word(), Word::Static | Word::Const | Word::Volatile | Word::Restrict) {
            self.advance();
        }
        if self.word() == Word::Star && self.ahead(1) == Word::RightBracket {
            self.advance();
        }
        let length = if self.word() == Word::RightBracket { None } else { Some(self.bracketed_assignment()?) };
        self.expect(Word::RightBracket, "]", "after the length of the array")?;
        Ok(length)
    }

    /// `(int a, float b = 1, ...)`.
    pub(super) fn parameters(&mut self) -> Parse<(ThinVec<Parameter>, bool)> {
        self.advance();
        let scope = self.names.open();
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let mut parameters = ThinVec::new();
        let mut variadic = false;
        if self.word() == Word::Void && self.ahead(1) == Word::RightParen {
            self.advance();
        }
        while self.word() != Word::RightParen {
            if self.eat(Word::Ellipsis) {
                variadic = true;
                break;
            }
            match self.end_of_unknown_parameters(self.at) {
                Some(end) if self.is_unknown_name(self.names.lookup(self.symbol())) => {
                    parameters.push(self.unknown_parameters(end));
                    variadic = true;
                }
                _ => parameters.push(self.parameter()?),
            }
            // A macro that begins with the comma.
            if self.is_macro_before_end() {
                parameters.push(self.unknown_parameters(self.at + 1));
                variadic = true;
                break;
            }
            if !self.eat(Word::Comma) {
                break;
            }
            if self.word() == Word::RightParen {
                return Err(self.expected("a parameter"));
            }
        }
        self.expect(Word::RightParen, ")", "after the parameters")?;
        self.names.close(scope);
        self.stops_at_greater = stops;
        Ok((parameters, variadic))
    }

    /// `MACRO(…)` up to a token: nobody knows how many parameters it stands for.
    fn unknown_parameters(&mut self, end: usize) -> Parameter {
        let location = self.location();
        let name = self.peek_name(self.at).0.name;
        let of = Some(self.unknown_type(name, end));
        let specifiers = Specifiers { of, location, ..Specifiers::default() };
        let declarator = DeclaratorData::new(Declarator::Base, None, location);
        Parameter { specifiers, declarator, default: None, packs: Packs::default() }
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        let begin = self.at;
        let specifiers = self.specifiers()?;
        self.require_type(&specifiers)?;
        let declarator = self.declarator(Naming::Either)?;
        let packs = if declarator.is_pack { self.packs_from(begin) } else { Packs::default() };
        if let Some(name) = declarator.name {
            self.names.declare_local(name, Kind::Value);
            self.note_pack(name, declarator.is_pack);
        }
        let default = if self.eat(Word::Equal) { Some(self.default_argument()?) } else { None };
        Ok(Parameter { specifiers, declarator, default, packs })
    }

    /// What a parameter is where a call says nothing. It is evaluated in the function that calls, so it may be a lambda.
    fn default_argument(&mut self) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.may_be_lambda, true);
        let made = self.right_side();
        self.may_be_lambda = outer;
        made
    }

    /// `noexcept` and the qualifiers of member functions.
    pub(super) fn behind_parameters(&mut self, data: &mut DeclaratorData) -> Parse<()> {
        while self.is_cpp {
            match self.word() {
                Word::NoExcept => {
                    self.advance();
                    if self.eat(Word::LeftParen) {
                        self.bracketed_expression()?;
                        self.expect(Word::RightParen, ")", "after the operand of `noexcept`")?;
                    }
                }
                // Until C++17: what it may throw.
                Word::Unsupported
                    if self.ahead(1) == Word::LeftParen && self.symbols.text(self.symbol()) == "throw" =>
                {
                    self.advance();
                    self.skip_brackets();
                }
                Word::Requires => self.skip_constraint()?,
                Word::Const => {
                    data.is_const = true;
                    self.advance();
                }
                Word::Volatile => self.advance(),
                Word::Amp | Word::AmpAmp if self.names.is_in_type() => self.advance(),
                Word::Name if matches!(self.symbols.text(self.symbol()), "override" | "final") => self.advance(),
                _ => break,
            }
        }
        Ok(())
    }

    /// Attributes and the assembler name.
    fn behind_declarator(&mut self, data: &mut DeclaratorData) -> Parse<()> {
        loop {
            match self.word() {
                Word::Attribute => self.gnu_attribute(&mut data.attributes)?,
                Word::LaunchBounds => {
                    let attribute = self.keyword_attribute("launch_bounds")?;
                    data.attributes.push(attribute);
                }
                Word::Unsupported if self.ahead(1) == Word::LeftParen && self.ahead(2) == Word::String => {
                    self.advance();
                    self.advance();
                    while self.eat(Word::String) {}
                    self.expect(Word::RightParen, ")", "after the name for the assembler")?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// `-> T` behind a function declared with `auto`: the result type goes to the front.
    pub(super) fn trailing_result(&mut self, specifiers: &mut Specifiers, data: &mut DeclaratorData) -> Parse<()> {
        let Declarator::Function(result, ..) = &mut data.declarator else { return Ok(()) };
        if !self.is_cpp || !self.eat(Word::Arrow) {
            return Ok(());
        }
        let written = self.type_name()?;
        specifiers.of = written.specifiers.of;
        specifiers.is_const |= written.specifiers.is_const;
        specifiers.is_volatile |= written.specifiers.is_volatile;
        **result = written.declarator;
        self.skip_constraint()
    }

    /// What follows a declarator: the width of a bit-field, the initialiser. Declares the name before the initialiser.
    pub(super) fn finish_declarator(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: DeclaratorData,
    ) -> Parse<InitDeclarator> {
        if let Some(name) = declarator.name {
            let kind = self.declared_kind(specifiers, &declarator);
            declarator.name = Some(self.names.declare_written(name, kind, self.symbols));
        }
        let initializer = self.initializer_of_variable()?;
        if let (Declarator::Reference(..), Some(Initializer::Expression(value))) =
            (&declarator.declarator, &initializer)
        {
            self.note_exposed(*value);
        }
        Ok(InitDeclarator { declarator, initializer, bindings: ThinVec::new(), bits: None })
    }

    /// Whether `[a, b]` follows `auto`.
    pub(super) fn begins_binding(&self) -> bool {
        self.is_cpp && self.words[self.behind_pointers(self.at)] == Word::LeftBracket
    }

    /// `[a, b] = x` behind `auto`.
    pub(super) fn structured_binding(&mut self) -> Parse<InitDeclarator> {
        let location = self.location();
        let mut attributes = ThinVec::new();
        let declarator = self.pointers(&mut attributes)?;
        self.expect(Word::LeftBracket, "[", "before the names")?;
        let mut bindings = ThinVec::new();
        loop {
            let (name, location) = self.expect_name("a name to declare")?;
            bindings.push((self.names.declare(name, Kind::Value, self.symbols), location));
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect(Word::RightBracket, "]", "after the names")?;
        let declarator = DeclaratorData { attributes, ..DeclaratorData::new(declarator, None, location) };
        let initializer = self.initializer_of_variable()?;
        Ok(InitDeclarator { declarator, initializer, bits: None, bindings })
    }

    pub(super) fn initializer_of_variable(&mut self) -> Parse<Option<Initializer>> {
        match self.word() {
            Word::Equal => {
                self.advance();
                self.initializer().map(Some)
            }
            Word::LeftBrace if self.is_cpp => self.initializer().map(Some),
            Word::LeftParen if self.is_cpp => self.parenthesised_initializer().map(Some),
            _ => Ok(None),
        }
    }

    /// What a declared name is to the grammar.
    pub(super) fn declared_kind(&self, specifiers: &Specifiers, data: &DeclaratorData) -> Kind {
        if !specifiers.is_typedef {
            return Kind::Value;
        }
        let is_vector = |attribute: &Attribute| self.symbols.text(attribute.name) == "ext_vector_type";
        let is_plain = matches!(data.declarator, Declarator::Base);
        let says_so = specifiers.attributes.iter().chain(&data.attributes).any(is_vector);
        if says_so || is_plain && self.is_vector(specifiers) { Kind::Vector } else { Kind::Type }
    }
}
