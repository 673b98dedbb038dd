//! Attributes: `__attribute__((…))`, `[[…]]`, `__launch_bounds__(…)`, `alignas(…)`.

use thin_vec::ThinVec;

use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::source::Location;
use crate::token::{Symbol, TokenKind};
use crate::tree::{AddressSpace, Attribute, LargeKind, Specifiers};

impl Parser<'_> {
    /// Whether `[[…]]` or `__attribute__` stands here.
    pub(super) fn is_attribute(&self) -> bool {
        match self.word() {
            Word::Attribute => true,
            Word::LeftBracket => self.ahead(1) == Word::LeftBracket,
            _ => false,
        }
    }

    /// Takes all `[[…]]` and `__attribute__((…))` that stand here.
    pub(super) fn attributes(&mut self, into: &mut ThinVec<Attribute>) -> Parse<()> {
        loop {
            match self.word() {
                Word::Attribute => self.gnu_attribute(into)?,
                Word::LeftBracket if self.ahead(1) == Word::LeftBracket => self.bracket_attribute(into)?,
                _ => return Ok(()),
            }
        }
    }

    /// `__attribute__((a, b(1)))`.
    pub(super) fn gnu_attribute(&mut self, into: &mut ThinVec<Attribute>) -> Parse<()> {
        self.advance();
        self.expect(Word::LeftParen, "((", "after `__attribute__`")?;
        self.expect(Word::LeftParen, "((", "after `__attribute__`")?;
        self.attribute_list(Word::RightParen, into)?;
        self.expect(Word::RightParen, "))", "after the attributes")?;
        self.expect(Word::RightParen, "))", "after the attributes")
    }

    /// `[[a, clang::b(1)]]`.
    fn bracket_attribute(&mut self, into: &mut ThinVec<Attribute>) -> Parse<()> {
        self.advance();
        self.advance();
        if self.eat(Word::Using) {
            self.expect_name("a namespace of attributes")?;
            self.expect(Word::Colon, ":", "after the namespace of the attributes")?;
        }
        self.attribute_list(Word::RightBracket, into)?;
        self.expect(Word::RightBracket, "]]", "after the attributes")?;
        self.expect(Word::RightBracket, "]]", "after the attributes")
    }

    fn attribute_list(&mut self, close: Word, into: &mut ThinVec<Attribute>) -> Parse<()> {
        while self.word() != close {
            if self.eat(Word::Comma) {
                continue;
            }
            let location = self.location();
            let mut name = self.attribute_name()?;
            while self.eat(Word::Scope) {
                name = self.attribute_name()?;
            }
            let arguments = if self.word() == Word::LeftParen { self.attribute_arguments()? } else { Vec::new() };
            into.push(Attribute { name, arguments, location });
            if self.word() != Word::Comma && self.word() != close {
                return Err(self.expected("`,` or the end of the attributes"));
            }
        }
        Ok(())
    }

    /// The name of an attribute, which may be a keyword or a string, without the underscores around it.
    fn attribute_name(&mut self) -> Parse<Symbol> {
        let token = self.token();
        if !matches!(token.kind, TokenKind::Identifier | TokenKind::String) {
            return Err(self.expected("the name of an attribute"));
        }
        self.advance();
        let text = self.symbols.text(token.symbol);
        let inner = text.trim_matches('"');
        let bare = inner.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(inner);
        if bare.len() == text.len() {
            return Ok(token.symbol);
        }
        let bare = bare.to_string();
        Ok(self.symbols.intern(&bare))
    }

    /// The arguments of an attribute. What is not understood there costs the attribute its arguments.
    fn attribute_arguments(&mut self) -> Parse<Vec<crate::tree::Expr>> {
        let (begin, may_pass) = (self.checkpoint(), self.is_tolerant && self.word() == Word::LeftParen);
        match self.understood_arguments() {
            Err(Stop) if may_pass && self.failure.as_ref().is_some_and(|reason| !reason.is_limit()) => {
                self.take_failure();
                self.abandon_expressions(&begin);
                self.skip_brackets();
                Ok(Vec::new())
            }
            arguments => arguments,
        }
    }

    /// The arguments of an attribute; those that are types are passed over.
    fn understood_arguments(&mut self) -> Parse<Vec<crate::tree::Expr>> {
        self.expect(Word::LeftParen, "(", "before the arguments of the attribute")?;
        let begin = self.expressions.len();
        while self.word() != Word::RightParen {
            if self.is_type_name(self.at) {
                self.type_name()?;
            } else {
                let argument = self.assignment()?;
                self.expressions.push(argument);
            }
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect(Word::RightParen, ")", "after the arguments of the attribute")?;
        Ok(self.expressions.drain(begin..).collect())
    }

    /// `__launch_bounds__(256, 2)`, and `__align__(16)` as `aligned`.
    pub(super) fn keyword_attribute(&mut self, name: &str) -> Parse<Attribute> {
        let location = self.location();
        self.advance();
        let arguments = self.attribute_arguments()?;
        Ok(Attribute { name: self.symbols.intern(name), arguments, location })
    }

    /// `alignas(16)` and `alignas(T)` as `aligned`.
    pub(super) fn align_as(&mut self) -> Parse<Attribute> {
        let location = self.location();
        if self.words[self.at + 1] == Word::LeftParen && self.is_type_name(self.at + 2) {
            self.advance();
            self.advance();
            let of = Box::new(self.type_name()?);
            self.expect(Word::RightParen, ")", "after the type")?;
            let argument = self.large_expression_of(LargeKind::AlignOf(of), location);
            return Ok(Attribute { name: self.symbols.intern("aligned"), arguments: vec![argument], location });
        }
        self.keyword_attribute("aligned")
    }

    /// An attribute that a keyword stands for.
    pub(super) fn plain_attribute(&mut self, name: &str, location: Location) -> Attribute {
        Attribute { name: self.symbols.intern(name), arguments: Vec::new(), location }
    }

    /// Puts attributes on specifiers; those that say what a keyword says are turned into that.
    pub(super) fn absorb(&self, specifiers: &mut Specifiers, attributes: impl IntoIterator<Item = Attribute>) {
        for attribute in attributes {
            match self.symbols.text(attribute.name) {
                "global" | "device_kernel" | "amdgpu_kernel" | "nvptx_kernel" => specifiers.is_kernel = true,
                "device" => specifiers.is_device = true,
                "host" => specifiers.is_host = true,
                "shared" | "opencl_local" => specifiers.space = Some(AddressSpace::Local),
                "constant" | "opencl_constant" => specifiers.space = Some(AddressSpace::Constant),
                "managed" | "opencl_global" => specifiers.space = Some(AddressSpace::Global),
                "opencl_private" => specifiers.space = Some(AddressSpace::Private),
                "opencl_generic" => specifiers.space = Some(AddressSpace::Generic),
                _ => specifiers.attributes.push(attribute),
            }
        }
    }
}
