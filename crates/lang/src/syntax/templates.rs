//! Templates: parameters, arguments, specialisations, instantiations.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use thin_vec::ThinVec;

use super::declarators::Naming;
use super::names::Kind;
use super::words::Word;
use super::{Parse, Parser};
use crate::tree::{AliasTemplate, ClassTemplate, Item, Name, TemplateArgument, TemplateParameter, TypeName};

impl Parser<'_> {
    /// `template<…>` and what it is of, or an explicit instantiation.
    pub(super) fn template(&mut self) -> Parse<()> {
        let location = self.location();
        self.advance();
        if self.word() != Word::Less {
            return self.declaration_or_function(None, true);
        }
        let scope = self.names.open();
        let mut parameters = self.template_parameters()?;
        let is_of_template = self.word() == Word::Template;
        while self.word() == Word::Template {
            self.advance();
            parameters.extend(self.template_parameters()?);
        }
        match self.word() {
            Word::Struct | Word::Class | Word::Union | Word::Using if is_of_template => {
                return Err(self.unsupported(location, "a template of a class in a template"));
            }
            Word::Struct | Word::Class | Word::Union => {
                self.names.enter_header();
                let made = self.class_template(parameters);
                self.names.leave_header();
                self.names.close(scope);
                self.tree.items.push(Item::ClassTemplate(Box::new(made?)));
                return Ok(());
            }
            Word::Using => {
                let made = self.alias_template(parameters);
                self.names.close(scope);
                self.tree.items.push(Item::AliasTemplate(Box::new(made?)));
                return Ok(());
            }
            Word::Concept => {
                let declared = self.concept();
                self.names.close(scope);
                return declared;
            }
            Word::Unsupported => return Err(self.unsupported_keyword()),
            _ => {}
        }
        self.declaration_or_function(Some(parameters), false)?;
        self.names.close(scope);
        Ok(())
    }

    /// `struct A { … };` behind `template<…>`.
    pub(super) fn class_template(&mut self, parameters: Vec<TemplateParameter>) -> Parse<ClassTemplate> {
        let location = self.location();
        let is_constrained = self.is_constrained;
        let (record, arguments) = self.record_with(Kind::ClassTemplate)?;
        if is_constrained && arguments.is_some() {
            return Err(self.unsupported(location, "a specialisation with a constraint"));
        }
        self.expect_semicolon("after the definition of a type")?;
        Ok(ClassTemplate { parameters, arguments, record })
    }

    /// `using A = T;` behind `template<…>`.
    pub(super) fn alias_template(&mut self, parameters: Vec<TemplateParameter>) -> Parse<AliasTemplate> {
        self.advance();
        let (name, location) = self.expect_name("a name")?;
        let name = self.names.qualify(name, self.symbols);
        self.names.declare_qualified(name, Kind::Unsupported);
        if self.word() == Word::LeftBracket && self.ahead(1) == Word::LeftBracket {
            self.attributes(&mut ThinVec::new())?;
        }
        self.expect(Word::Equal, "=", "after the name of the template")?;
        let of = self.type_name()?;
        self.expect_semicolon("after the type")?;
        self.names.declare_qualified(name, Kind::ClassTemplate);
        Ok(AliasTemplate { parameters, name, of, location })
    }

    pub(super) fn template_parameters(&mut self) -> Parse<Vec<TemplateParameter>> {
        let begin = self.at;
        self.is_constrained = false;
        self.expect(Word::Less, "<", "after `template`")?;
        let stops = std::mem::replace(&mut self.stops_at_greater, true);
        let mut parameters = Vec::new();
        if !matches!(self.word(), Word::Greater | Word::ShiftRight) {
            loop {
                parameters.push(self.template_parameter()?);
                if !self.eat(Word::Comma) {
                    break;
                }
            }
        }
        self.stops_at_greater = stops;
        self.close_angle()?;
        self.header = begin;
        self.skip_constraint()?;
        Ok(parameters)
    }

    /// How a template is written, from its parameters up to the token at hand; 0 for what is none.
    pub(super) fn spelling(&self, template: Option<&[TemplateParameter]>) -> u64 {
        if template.is_none() {
            return 0;
        }
        let mut hasher = FxHasher::default();
        self.tokens[self.header..self.at].iter().for_each(|token| token.symbol.hash(&mut hasher));
        hasher.finish()
    }

    fn template_parameter(&mut self) -> Parse<TemplateParameter> {
        match self.word() {
            Word::Template => {
                self.advance();
                if self.word() == Word::Less {
                    self.at = self.end_of_template_header();
                }
                self.advance();
                self.eat(Word::Ellipsis);
                let name = if self.word() == Word::Name { Some(self.expect_name("a name")?.0) } else { None };
                if let Some(name) = name {
                    self.names.declare_local(name, Kind::ClassTemplate);
                }
                let default = if self.eat(Word::Equal) { Some(self.type_name()?) } else { None };
                Ok(TemplateParameter::Template { name: name.map(Name::from), default })
            }
            Word::Typename | Word::Class if !self.is_type_of_parameter() => {
                self.advance();
                self.type_parameter()
            }
            Word::Name if let Some(end) = self.end_of_concept() => {
                self.is_constrained = true;
                self.at = end;
                self.type_parameter()
            }
            _ => {
                let specifiers = self.specifiers()?;
                self.require_type(&specifiers)?;
                let data = self.declarator(Naming::Either)?;
                if let Some(name) = data.name {
                    self.names.declare_local(name, Kind::Value);
                    self.note_pack(name, data.is_pack);
                }
                let default = if self.eat(Word::Equal) { Some(self.constant()?) } else { None };
                let of = TypeName { specifiers, declarator: data.declarator };
                Ok(TemplateParameter::Value { of, name: data.name, default, is_pack: data.is_pack })
            }
        }
    }

    /// What is behind `typename`, or a concept.
    fn type_parameter(&mut self) -> Parse<TemplateParameter> {
        let is_pack = self.eat(Word::Ellipsis);
        let name = if self.word() == Word::Name { Some(self.expect_name("a name")?.0) } else { None };
        if let Some(name) = name {
            self.names.declare_local(name, Kind::Type);
            self.note_pack(name.into(), is_pack);
        }
        let default = if self.eat(Word::Equal) { Some(self.type_name()?) } else { None };
        Ok(TemplateParameter::Type { name: name.map(Name::from), default, is_pack })
    }

    /// Whether `typename` begins the type of a value, `typename A<T>::B`, and no type.
    fn is_type_of_parameter(&self) -> bool {
        self.ahead(1) == Word::Scope || self.ahead(1) == Word::Name && matches!(self.ahead(2), Word::Scope | Word::Less)
    }

    /// `<int, 4>` behind the name of a template.
    pub(super) fn template_arguments(&mut self) -> Parse<Vec<TemplateArgument>> {
        self.expect(Word::Less, "<", "before the template arguments")?;
        let stops = std::mem::replace(&mut self.stops_at_greater, true);
        let mut arguments = Vec::new();
        while !matches!(self.word(), Word::Greater | Word::ShiftRight) {
            let begin = self.at;
            let mut argument = match self.is_type_argument(begin) {
                true => TemplateArgument::Type(self.type_name()?),
                false => TemplateArgument::Value(self.constant()?),
            };
            if self.word() == Word::Ellipsis {
                argument = TemplateArgument::Expansion(Box::new(argument), self.packs_from(begin));
                self.advance();
            }
            arguments.push(argument);
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.stops_at_greater = stops;
        self.close_angle()?;
        Ok(arguments)
    }

    /// Takes a `>`, which may be the first half of a longer token.
    pub(super) fn close_angle(&mut self) -> Parse<()> {
        let rest = match self.word() {
            Word::Greater => {
                self.advance();
                return Ok(());
            }
            Word::ShiftRight => Word::Greater,
            Word::GreaterEqual => Word::Equal,
            Word::ShiftRightEqual => Word::GreaterEqual,
            _ => return Err(self.expected("`>` after the template arguments")),
        };
        self.words[self.at] = rest;
        Ok(())
    }
}
