//! Declarations in blocks and headers, `using`, `static_assert`.

use thin_vec::ThinVec;

use super::declarators::Naming;
use super::names::Kind;
use super::words::Word;
use super::{Parse, Parser, push_one};
use crate::source::Location;
use crate::tree::{
    Attribute, Declaration, Declarator, DeclaratorData, Expr, InitDeclarator, RecordMember, Specifiers, TypeSpecifier,
};

impl Parser<'_> {
    /// Whether a declaration begins here and not an expression. In C++ `T(x);` declares, and `T(x).y;` does not.
    pub(super) fn starts_declaration(&mut self) -> bool {
        let word = self.word();
        let end = match word {
            Word::Name | Word::Scope => {
                let (meaning, end) = self.peek_name(self.at);
                if self.is_unknown_name(meaning) {
                    return self.declares_with_unknown(self.at);
                }
                match self.end_of_type(meaning, end) {
                    Some(end) => end,
                    None => return false,
                }
            }
            _ if word.is_plain_type() => self.at + 1,
            _ => return word.is_specifier(),
        };
        if !self.is_cpp {
            return true;
        }
        match self.words[end] {
            Word::LeftBrace | Word::Scope => false,
            // What is called a template is no type without `typename`.
            Word::LeftParen if self.ends_in_template(end) => false,
            Word::LeftParen => match self.words[end + 1] {
                Word::Star | Word::Amp => true,
                Word::Name | Word::Scope if self.is_member_pointer(end + 1) => true,
                Word::Name if self.words[end + 2] == Word::RightParen => {
                    matches!(self.words[end + 3], Word::Semicolon | Word::Equal | Word::Comma | Word::LeftBracket)
                }
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether what stands from the token at hand to another one ends in `::template f<…>`.
    fn ends_in_template(&self, end: usize) -> bool {
        let last = (self.at + 1..end).rev().find(|&at| self.words[at] == Word::Template);
        last.is_some_and(|at| self.words[at - 1] == Word::Scope && self.end_of_arguments(at + 2) == Some(end))
    }

    /// `specifiers declarator = x, …` without the end.
    pub(super) fn declaration(&mut self, attributes: &[Attribute]) -> Parse<Declaration> {
        let begin = self.at;
        let location = self.location();
        let mut specifiers = self.specifiers()?;
        self.absorb(&mut specifiers, attributes.iter().cloned());
        let mut declarators = Vec::new();
        let is_type = self.word() == Word::Semicolon && specifiers.of.is_some();
        if is_type || self.is_behind_definition(&specifiers) {
            declarators.extend(self.members_as_variables(&specifiers, location));
            return Ok(Declaration { specifiers, declarators, location });
        }
        self.require_type(&specifiers)?;
        if matches!(specifiers.of, Some(TypeSpecifier::Auto)) && self.begins_binding() {
            declarators.push(self.structured_binding()?);
            return Ok(Declaration { specifiers, declarators, location });
        }
        loop {
            let mut data = self.declarator(Naming::Named)?;
            self.trailing_result(&mut specifiers, &mut data)?;
            if self.word() == Word::LeftBrace && matches!(data.declarator, Declarator::Function(..)) {
                self.misplaced_function = Some(begin);
                return Err(self.error(location, "a function inside of a function"));
            }
            push_one(&mut declarators, self.finish_declarator(&specifiers, data)?);
            if !self.eat(Word::Comma) {
                return Ok(Declaration { specifiers, declarators, location });
            }
        }
    }

    /// The variable that a union or struct without names is in a function, where the names of its members are declared.
    fn members_as_variables(&mut self, specifiers: &Specifiers, location: Location) -> Option<InitDeclarator> {
        let Some(TypeSpecifier::Record(record)) = &specifiers.of else { return None };
        let members = record.members.as_ref().filter(|_| self.is_in_body && record.name.is_none())?;
        let mut bindings = ThinVec::new();
        for member in members {
            let RecordMember::Declaration(declaration) = member else { continue };
            for DeclaratorData { name, location, .. } in declaration.declarators.iter().map(|of| &of.declarator) {
                let Some(name) = *name else { continue };
                let name = self.names.scopes.spelling(name);
                bindings.push((self.names.declare(name, Kind::Value, self.symbols), *location));
            }
        }
        let declarator = DeclaratorData::new(Declarator::Base, None, location);
        (!bindings.is_empty()).then_some(InitDeclarator { declarator, initializer: None, bits: None, bindings })
    }

    /// `using A = T`, `using a::f`, `using namespace a`, with the `;`. Gives the typedef.
    pub(super) fn using(&mut self) -> Parse<Option<Declaration>> {
        let location = self.location();
        self.advance();
        match self.word() {
            Word::Namespace => {
                self.advance();
                let (meaning, end) = self.peek_name(self.at);
                if end == self.at {
                    return Err(self.expected("the name of a namespace"));
                }
                self.at = end;
                self.names.use_namespace(meaning, self.symbols);
            }
            Word::Enum => return Err(self.unsupported(location, "`using enum`")),
            Word::Name if self.ahead(1) == Word::Equal => {
                let (name, at) = self.expect_name("a name")?;
                self.advance();
                let declared = self.names.qualify(name, self.symbols);
                let Ok(of) = self.type_name() else {
                    if self.failed_as_unsupported() {
                        self.declare_unsupported(Some(declared));
                    }
                    return Err(super::Stop);
                };
                let mut specifiers = of.specifiers;
                specifiers.is_typedef = true;
                let data = DeclaratorData::new(of.declarator, Some(name.into()), at);
                let declared = self.typedef(&specifiers, data);
                self.expect_semicolon("after the type")?;
                return Ok(Some(Declaration { specifiers, declarators: vec![declared], location }));
            }
            _ => {
                let (meaning, end) = self.peek_name(self.at);
                if end == self.at {
                    return Err(self.expected("a name after `using`"));
                }
                let name = self.tokens[end - 1].symbol;
                self.at = end;
                self.names.alias(name, meaning, self.symbols);
            }
        }
        self.expect_semicolon("after `using`")?;
        Ok(None)
    }

    fn typedef(&mut self, specifiers: &Specifiers, mut data: DeclaratorData) -> InitDeclarator {
        let kind = self.declared_kind(specifiers, &data);
        if let Some(name) = data.name {
            data.name = Some(self.names.declare_written(name, kind, self.symbols));
        }
        InitDeclarator { declarator: data, initializer: None, bits: None, bindings: ThinVec::new() }
    }

    /// `namespace b = a::c;`, from the name.
    pub(super) fn namespace_alias(&mut self) -> Parse<()> {
        let (name, _) = self.expect_name("the name of a namespace")?;
        self.expect(Word::Equal, "=", "after the name of the namespace")?;
        let (meaning, end) = self.peek_name(self.at);
        if end == self.at {
            return Err(self.expected("the name of a namespace"));
        }
        self.at = end;
        let mut meaning = meaning;
        meaning.kind = Kind::Namespace;
        self.names.alias(name, meaning, self.symbols);
        self.expect_semicolon("after the name of the namespace")
    }

    /// `static_assert(x, "…");`
    pub(super) fn static_assert(&mut self) -> Parse<(Expr, Location)> {
        let location = self.location();
        self.advance();
        self.expect(Word::LeftParen, "(", "after `static_assert`")?;
        let condition = self.bracketed_assignment()?;
        if self.eat(Word::Comma) {
            if self.word() != Word::String {
                return Err(self.expected("a string"));
            }
            while self.eat(Word::String) {}
        }
        self.expect(Word::RightParen, ")", "after the condition of `static_assert`")?;
        self.expect_semicolon("after `static_assert`")?;
        Ok((condition, location))
    }
}
