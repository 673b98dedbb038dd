//! `struct`, `union`, `class`, and `enum`. The members that are functions are in `members`.

use thin_vec::ThinVec;

use super::declarators::Naming;
use super::names::{Kind, Meaning};
use super::recovery::Checkpoint;
use super::words::Word;
use super::{Parse, Parser, push_one};
use crate::source::Location;
use crate::tree::{
    Declaration, Declarator, DeclaratorData, EnumSpecifier, FunctionKind, InitDeclarator, Item, Name, Record,
    RecordMember, ScopeKind, Specifiers, TemplateArgument, TemplateParameter, TypeSpecifier,
};

impl Parser<'_> {
    /// `struct S`, `union { … }`; `struct S<int>` is what it is without the first word.
    pub(super) fn record(&mut self) -> Parse<TypeSpecifier> {
        if self.is_cpp && matches!(self.ahead(1), Word::Name | Word::Scope) {
            let (meaning, end) = self.peek_name(self.at + 1);
            if meaning.kind == Kind::ClassTemplate && self.words[end] == Word::Less {
                self.advance();
                return self.named_type(meaning, end, false);
            }
        }
        let (record, _) = self.record_with(Kind::Type)?;
        Ok(TypeSpecifier::Record(Box::new(record)))
    }

    /// A record whose name is declared as a type or a template of types, and the arguments of a specialisation.
    pub(super) fn record_with(&mut self, kind: Kind) -> Parse<(Record, Option<Vec<TemplateArgument>>)> {
        let location = self.location();
        let is_union = self.word() == Word::Union;
        self.advance();
        let mut attributes = ThinVec::new();
        self.record_attributes(&mut attributes)?;
        let written = match self.word() {
            Word::Name | Word::Scope => Some(self.peek_name(self.at)),
            _ => None,
        };
        let (mut name, mut arguments) = (None, None);
        if let Some((meaning, end)) = written {
            let simple = self.symbol();
            let is_simple = end == self.at + 1;
            self.at = end;
            self.record_attributes(&mut attributes)?;
            if kind == Kind::ClassTemplate && self.word() == Word::Less {
                arguments = Some(self.template_arguments()?);
            }
            let is_defined_here = matches!(self.word(), Word::LeftBrace | Word::Colon | Word::Semicolon);
            if meaning.kind == Kind::Unsupported && !is_defined_here {
                self.at = end - 1;
                return Err(self.unsupported_name(meaning));
            }
            name = Some(if !self.is_cpp {
                simple.into()
            } else if is_simple && (is_defined_here || !meaning.is_type()) && meaning.kind != Kind::ClassTemplate {
                self.names.declare(simple, kind, self.symbols)
            } else {
                meaning.name
            });
        }
        let outer = std::mem::replace(&mut self.is_record_partial, false);
        let mut bases = Vec::new();
        if name.is_some() && self.is_cpp && matches!(self.word(), Word::Colon | Word::Name) && self.has_bases() {
            bases = self.bases()?;
        }
        let members = match self.word() {
            Word::LeftBrace => Some(self.members(name, &bases)?),
            _ if name.is_none() => return Err(self.expected("the name or the members of a type")),
            _ => None,
        };
        if members.is_some() {
            self.record_attributes(&mut attributes)?;
        }
        let is_partial = std::mem::replace(&mut self.is_record_partial, outer);
        Ok((Record { is_union, name, bases, members, is_partial, attributes, location }, arguments))
    }

    /// `final : public A, B<int>` before the `{` of a class.
    fn bases(&mut self) -> Parse<Vec<TypeSpecifier>> {
        if self.word() == Word::Name {
            self.advance();
        }
        let mut bases = Vec::new();
        if !self.eat(Word::Colon) {
            return Ok(bases);
        }
        loop {
            while self.eat(Word::Access) {}
            let before = self.checkpoint();
            match self.specifiers() {
                Ok(Specifiers { is_virtual: true, .. }) if !self.is_tolerant => {
                    return Err(self.unsupported(self.last_location(), "a virtual base"));
                }
                Ok(Specifiers { of: Some(of), is_virtual: false, .. })
                    if matches!(self.word(), Word::Comma | Word::LeftBrace) =>
                {
                    self.is_record_partial |= matches!(of, TypeSpecifier::Unknown(..));
                    bases.push(of);
                }
                _ if self.is_tolerant => {
                    // Nothing is known of the class that has such a base but its own members.
                    self.failure = None;
                    self.abandon(&before);
                    self.is_record_partial = true;
                    while self.word() != Word::LeftBrace {
                        self.advance();
                    }
                    return Ok(bases);
                }
                Ok(_) => return Err(self.expected("the name of a base")),
                Err(stop) => return Err(stop),
            }
            if !self.eat(Word::Comma) {
                return Ok(bases);
            }
        }
    }

    /// What the name of a base means to the grammar.
    fn base_meaning(&self, of: &TypeSpecifier) -> Option<Meaning> {
        match of {
            TypeSpecifier::Named(name, _) => Some(self.names.meaning(*name)),
            TypeSpecifier::Template(named, _) => Some(self.names.meaning(named.0)),
            _ => None,
        }
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

    fn members(&mut self, name: Option<Name>, bases: &[TypeSpecifier]) -> Parse<Vec<RecordMember>> {
        let open = self.location();
        let is_inside = self.is_cpp && name.is_some();
        if let Some(name) = name.filter(|_| is_inside) {
            self.names.enter(name, ScopeKind::Class, self.symbols);
            for base in bases {
                if let Some(meaning) = self.base_meaning(base) {
                    self.names.derive(meaning, self.symbols);
                }
            }
        }
        self.descend()?;
        let first_body = self.delayed.len();
        self.open_classes += 1;
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
        self.open_classes -= 1;
        if self.open_classes == 0 || !is_inside {
            self.delayed_bodies(first_body);
        }
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
        // What makes a value of the class is not known where that may be a constructor; else only the member is missing.
        let is_named = |at: usize| {
            let name = class.map(|class| self.names.scopes.spelling(class));
            self.words[at] == Word::Name
                && Some(self.tokens[at].symbol) == name
                && self.words[at + 1] == Word::LeftParen
        };
        self.is_record_partial |= !self.is_cpp || (begin.at()..self.at).any(is_named);
        Ok(())
    }

    fn member(&mut self, of: Option<Name>, members: &mut Vec<RecordMember>) -> Parse<()> {
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
                // It is checked outside of the class, where names of its own are not found: in a project, it holds.
                if !self.names.is_local() && !self.is_tolerant {
                    self.tree.items.push(Item::StaticAssert(condition, location));
                }
                return Ok(());
            }
            Word::Template if of.is_some() => return self.member_template(of, members),
            Word::Using if of.is_some() => {
                members.extend(self.using()?.map(RecordMember::Declaration));
                return Ok(());
            }
            _ => {}
        }
        self.member_declaration(of, None, members)
    }

    /// A member that is declared: behind `template<…>`, a function.
    pub(super) fn member_declaration(
        &mut self,
        of: Option<Name>,
        template: Option<Vec<TemplateParameter>>,
        members: &mut Vec<RecordMember>,
    ) -> Parse<()> {
        let location = self.location();
        let begin = self.at;
        (self.declared, self.declared_arguments) = (None, None);
        let mut specifiers = self.specifiers()?;
        let special = match self.word() {
            Word::LeftParen if self.is_constructor(&specifiers, begin, of) => Some(FunctionKind::Constructor),
            Word::Tilde if self.is_cpp && of.is_some() && specifiers.of.is_none() => Some(FunctionKind::Destructor),
            Word::Operator if self.is_cpp && of.is_some() && specifiers.of.is_none() => Some(FunctionKind::Conversion),
            _ => None,
        };
        if let Some(kind) = special {
            members.push(self.special_member(kind, of, specifiers, template)?);
            return Ok(());
        }
        self.require_type(&specifiers)?;
        let mut declarators = Vec::new();
        if self.word() != Word::Semicolon {
            loop {
                self.declared = None;
                let mut data = self.declarator(Naming::Either)?;
                self.trailing_result(&mut specifiers, &mut data)?;
                if matches!(data.declarator, Declarator::Function(..)) && !specifiers.is_typedef {
                    if of.is_none() || !self.is_cpp {
                        return Err(self.unsupported(data.location, "a class with a member function"));
                    }
                    members.push(self.member_function(FunctionKind::Named, specifiers, data, template)?);
                    return Ok(());
                }
                if template.is_some() {
                    return Err(self.unsupported(data.location, "a template of a variable"));
                }
                let declarator = self.member_declarator(&specifiers, data)?;
                push_one(&mut declarators, declarator);
                if !self.eat(Word::Comma) {
                    break;
                }
            }
        }
        self.expect_semicolon("after the member")?;
        members.push(RecordMember::Declaration(Declaration { specifiers, declarators, location }));
        Ok(())
    }

    /// `S(…)` in `S`.
    fn is_constructor(&self, specifiers: &Specifiers, begin: usize, of: Option<Name>) -> bool {
        let named = matches!(specifiers.of, Some(TypeSpecifier::Named(name, _)) if Some(name) == of);
        self.is_cpp && named && self.word() == Word::LeftParen && self.at > begin
    }

    fn member_declarator(&mut self, specifiers: &Specifiers, mut declarator: DeclaratorData) -> Parse<InitDeclarator> {
        let bits = if self.eat(Word::Colon) { Some(self.constant()?) } else { None };
        if declarator.name.is_none() && bits.is_none() {
            return Err(self.expected("the name of a member"));
        }
        if let Some(name) = declarator.name.filter(|_| self.is_cpp) {
            let kind = self.declared_kind(specifiers, &declarator);
            let declared = self.names.declare_written(name, kind, self.symbols);
            if specifiers.is_typedef {
                // Other members name it.
                declarator.name = Some(declared);
            }
        }
        let initializer = match self.word() {
            Word::Equal => {
                self.advance();
                Some(self.initializer()?)
            }
            Word::LeftBrace if self.is_cpp => Some(self.initializer()?),
            _ => None,
        };
        Ok(InitDeclarator { declarator, initializer, bindings: ThinVec::new(), bits })
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
