//! `struct`, `union`, `class` with data members only, and `enum`.
//!
//! **Invariant.** A record with anything else in it (a member function, a base class, a template) is not kept: its name is declared
//! as unsupported, and so is every function that uses it.

use thin_vec::ThinVec;

use super::declarators::Naming;
use super::names::Kind;
use super::recovery::Checkpoint;
use super::words::Word;
use super::{Parse, Parser, push_one};
use crate::source::Location;
use crate::tree::{
    Declaration, Declarator, EnumSpecifier, InitDeclarator, Item, Name, Record, ScopeKind, Specifiers, TypeSpecifier,
};

impl Parser<'_> {
    /// `struct S`, `union { … }`.
    pub(super) fn record(&mut self) -> Parse<TypeSpecifier> {
        let location = self.location();
        let is_union = self.word() == Word::Union;
        self.advance();
        let mut attributes = ThinVec::new();
        self.record_attributes(&mut attributes)?;
        let written = match self.word() {
            Word::Name | Word::Scope => Some(self.peek_name(self.at)),
            _ => None,
        };
        let mut name = None;
        if let Some((meaning, end)) = written {
            let simple = self.symbol();
            let is_simple = end == self.at + 1;
            self.at = end;
            self.record_attributes(&mut attributes)?;
            let is_defined_here = matches!(self.word(), Word::LeftBrace | Word::Colon | Word::Semicolon);
            if meaning.kind == Kind::Unsupported && !is_defined_here {
                self.at = end - 1;
                return Err(self.unsupported_name(meaning));
            }
            if self.word() == Word::Less {
                return Err(self.unsupported(location, "a class template"));
            }
            name = Some(if !self.is_cpp {
                simple.into()
            } else if is_simple && (is_defined_here || !meaning.is_type()) {
                self.names.declare(simple, Kind::Type, self.symbols)
            } else {
                meaning.name
            });
        }
        let outer = std::mem::replace(&mut self.is_record_partial, false);
        if self.is_tolerant
            && name.is_some()
            && self.is_cpp
            && matches!(self.word(), Word::Colon | Word::Name)
            && self.has_bases()
        {
            while self.word() != Word::LeftBrace {
                self.advance();
            }
            self.is_record_partial = true;
        }
        let members = match self.word() {
            Word::LeftBrace => Some(self.members(name)?),
            Word::Colon if self.is_cpp && name.is_some() => {
                self.declare_unsupported(name);
                return Err(self.unsupported(location, "a class with a base class"));
            }
            _ if name.is_none() => return Err(self.expected("the name or the members of a type")),
            _ => None,
        };
        if members.is_some() {
            self.record_attributes(&mut attributes)?;
        }
        let is_partial = std::mem::replace(&mut self.is_record_partial, outer);
        Ok(TypeSpecifier::Record(Box::new(Record { is_union, name, members, is_partial, attributes, location })))
    }

    fn record_attributes(&mut self, attributes: &mut ThinVec<crate::tree::Attribute>) -> Parse<()> {
        loop {
            match self.word() {
                Word::AlignAs => attributes.push(self.align_as()?),
                Word::CudaAlign => attributes.push(self.keyword_attribute("aligned")?),
                _ if self.is_attribute() => self.attributes(attributes)?,
                _ => return Ok(()),
            }
        }
    }

    /// Makes a name, as far as there is one, one of something that was left out.
    pub(super) fn declare_unsupported(&mut self, qualified: Option<Name>) {
        if let Some(name) = qualified {
            self.names.declare_qualified(name, Kind::Unsupported);
        }
    }

    fn members(&mut self, name: Option<Name>) -> Parse<Vec<Declaration>> {
        let open = self.location();
        let is_inside = self.is_cpp && name.is_some();
        if let Some(name) = name.filter(|_| is_inside) {
            self.names.enter(name, ScopeKind::Class, self.symbols);
        }
        self.descend()?;
        self.advance();
        let mut members = Vec::new();
        while self.word() != Word::RightBrace {
            if self.word() == Word::End {
                return Err(self.error(open, "this `{` is not closed"));
            }
            let begin = self.checkpoint();
            if self.member(name, &mut members).is_err() {
                if self.is_tolerant && !self.has_given_up {
                    self.skip_member(&begin, name)?;
                    continue;
                }
                if self.failed_as_unsupported() {
                    self.declare_unsupported(name);
                    return Err(super::Stop);
                }
                self.report();
                self.skip_broken(&begin);
                self.abandon(&begin);
            }
        }
        self.advance();
        self.rise();
        if is_inside {
            self.names.leave();
        }
        Ok(members)
    }

    /// Goes behind a member that is not understood: the class has something of which nothing is known. Kernels are not lost in it: whoever passes the class over finds
    /// them.
    fn skip_member(&mut self, begin: &Checkpoint, class: Option<Name>) -> Parse<()> {
        let reason = self.take_failure();
        self.skip_broken(begin);
        self.abandon(begin);
        self.failure = None;
        if let Some(reason) = reason
            && (self.words[begin.at()..self.at].contains(&Word::Kernel) || reason.is_limit())
        {
            self.declare_unsupported(class);
            return Err(self.fail(reason));
        }
        if self.at == begin.at() {
            self.advance();
        }
        self.is_record_partial = true;
        Ok(())
    }

    fn member(&mut self, of: Option<Name>, members: &mut Vec<Declaration>) -> Parse<()> {
        let location = self.location();
        match self.word() {
            Word::Semicolon => {
                self.advance();
                return Ok(());
            }
            Word::Access => {
                self.advance();
                return self.expect(Word::Colon, ":", "after an access specifier");
            }
            Word::StaticAssert => {
                let (condition, location) = self.static_assert()?;
                if !self.names.is_local() {
                    self.tree.items.push(Item::StaticAssert(condition, location));
                }
                return Ok(());
            }
            Word::Template => return Err(self.unsupported(location, "a class with a member template")),
            Word::Using => return Err(self.unsupported(location, "`using` in a class")),
            Word::Tilde => return Err(self.unsupported(location, "a class with a destructor")),
            _ => {}
        }
        let begin = self.at;
        let specifiers = self.specifiers()?;
        if specifiers.is_typedef || specifiers.is_static {
            return Err(self.unsupported(location, "a typedef or static member in a class"));
        }
        if self.is_constructor(&specifiers, begin, of) {
            return Err(self.unsupported(location, "a class with a constructor"));
        }
        self.require_type(&specifiers)?;
        let mut declarators = Vec::new();
        if self.word() != Word::Semicolon {
            loop {
                let declarator = self.member_declarator()?;
                push_one(&mut declarators, declarator);
                if !self.eat(Word::Comma) {
                    break;
                }
            }
        }
        self.expect_semicolon("after the member")?;
        members.push(Declaration { specifiers, declarators, location });
        Ok(())
    }

    /// `S(…)` in `S`.
    fn is_constructor(&self, specifiers: &Specifiers, begin: usize, of: Option<Name>) -> bool {
        let named = matches!(specifiers.of, Some(TypeSpecifier::Named(name, _)) if Some(name) == of);
        self.is_cpp && named && self.word() == Word::LeftParen && self.at > begin
    }

    fn member_declarator(&mut self) -> Parse<InitDeclarator> {
        let declarator = self.declarator(Naming::Either)?;
        if matches!(declarator.declarator, Declarator::Function(..)) {
            return Err(self.unsupported(declarator.location, "a class with a member function"));
        }
        let bits = if self.eat(Word::Colon) { Some(self.constant()?) } else { None };
        if declarator.name.is_none() && bits.is_none() {
            return Err(self.expected("the name of a member"));
        }
        let initializer = match self.word() {
            Word::Equal => {
                self.advance();
                Some(self.initializer()?)
            }
            Word::LeftBrace if self.is_cpp => Some(self.initializer()?),
            _ => None,
        };
        Ok(InitDeclarator { declarator, initializer, bits })
    }

    /// `enum E : int { A, B = 3 }`.
    pub(super) fn enumeration(&mut self) -> Parse<TypeSpecifier> {
        let location = self.location();
        self.advance();
        let is_class = self.is_cpp && matches!(self.word(), Word::Class | Word::Struct);
        if is_class {
            self.advance();
        }
        let mut ignored = ThinVec::new();
        self.attributes(&mut ignored)?;
        let mut name = None;
        if matches!(self.word(), Word::Name | Word::Scope) {
            let (meaning, end) = self.peek_name(self.at);
            let simple = self.symbol();
            let is_simple = end == self.at + 1;
            self.at = end;
            let is_defined_here = matches!(self.word(), Word::LeftBrace | Word::Colon | Word::Semicolon);
            name = Some(if !self.is_cpp {
                simple.into()
            } else if is_simple && (is_defined_here || !meaning.is_type()) {
                self.names.declare(simple, Kind::Type, self.symbols)
            } else {
                meaning.name
            });
        }
        let underlying = if self.word() == Word::Colon {
            self.advance();
            let specifiers = self.specifiers()?;
            self.require_type(&specifiers)?;
            Some(crate::tree::TypeName { specifiers, declarator: Declarator::Base })
        } else {
            None
        };
        let members = match self.word() {
            Word::LeftBrace => Some(self.enumerators(name, is_class)?),
            _ if name.is_none() => return Err(self.expected("the name or the members of an enumeration")),
            _ => None,
        };
        Ok(TypeSpecifier::Enum(Box::new(EnumSpecifier { name, is_class, underlying, members, location })))
    }

    fn enumerators(
        &mut self,
        of: Option<Name>,
        is_class: bool,
    ) -> Parse<Vec<(Name, Option<crate::tree::Expr>, Location)>> {
        self.advance();
        let mut members = Vec::new();
        let scope = of.filter(|_| is_class && self.is_cpp);
        if let Some(name) = scope {
            self.names.enter(name, ScopeKind::Enumeration, self.symbols);
        }
        while self.word() != Word::RightBrace {
            let (name, location) = self.expect_name("the name of an enumerator")?;
            let mut ignored = ThinVec::new();
            self.attributes(&mut ignored)?;
            let value = if self.eat(Word::Equal) { Some(self.constant()?) } else { None };
            let declared = self.names.declare(name, Kind::Value, self.symbols);
            if let Some(of) = of.filter(|_| self.is_cpp && !is_class) {
                self.names.alias_enumerator(of, name, declared, self.symbols);
            }
            members.push((declared, value, location));
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect(Word::RightBrace, "}", "after the enumerators")?;
        if scope.is_some() {
            self.names.leave();
        }
        Ok(members)
    }
}
