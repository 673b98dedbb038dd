//! Expressions: operators between and before operands.

use thin_vec::ThinVec;

use super::names::Kind;
use super::words::Word;
use super::{Parse, Parser};
use crate::source::Location;
use crate::tree::{
    BinaryOperator, BuiltinType, CastForm, Construction, Declarator, DeleteObject, Expr, ExprKind, LargeKind,
    NewObject, NewStart, PointedMember, ScopeKind, Specifiers, TypeName, TypeSpecifier, UnaryOperator,
};

/// How tight a binary operator binds, from 1; none for other words.
pub(super) fn binary_operator(word: Word) -> Option<(u8, BinaryOperator)> {
    Some(match word {
        Word::PipePipe => (1, BinaryOperator::LogicalOr),
        Word::AmpAmp => (2, BinaryOperator::LogicalAnd),
        Word::Pipe => (3, BinaryOperator::Or),
        Word::Caret => (4, BinaryOperator::Xor),
        Word::Amp => (5, BinaryOperator::And),
        Word::EqualEqual => (6, BinaryOperator::Equal),
        Word::NotEqual => (6, BinaryOperator::NotEqual),
        Word::Less => (7, BinaryOperator::Less),
        Word::Greater => (7, BinaryOperator::Greater),
        Word::LessEqual => (7, BinaryOperator::LessEqual),
        Word::GreaterEqual => (7, BinaryOperator::GreaterEqual),
        Word::ShiftLeft => (8, BinaryOperator::ShiftLeft),
        Word::ShiftRight => (8, BinaryOperator::ShiftRight),
        Word::Plus => (9, BinaryOperator::Add),
        Word::Minus => (9, BinaryOperator::Subtract),
        Word::Star => (10, BinaryOperator::Multiply),
        Word::Slash => (10, BinaryOperator::Divide),
        Word::Percent => (10, BinaryOperator::Remainder),
        _ => return None,
    })
}

fn compound_operator(word: Word) -> Option<BinaryOperator> {
    Some(match word {
        Word::PlusEqual => BinaryOperator::Add,
        Word::MinusEqual => BinaryOperator::Subtract,
        Word::StarEqual => BinaryOperator::Multiply,
        Word::SlashEqual => BinaryOperator::Divide,
        Word::PercentEqual => BinaryOperator::Remainder,
        Word::AmpEqual => BinaryOperator::And,
        Word::PipeEqual => BinaryOperator::Or,
        Word::CaretEqual => BinaryOperator::Xor,
        Word::ShiftLeftEqual => BinaryOperator::ShiftLeft,
        Word::ShiftRightEqual => BinaryOperator::ShiftRight,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let first = self.location();
        let mut left = self.assignment()?;
        while self.word() == Word::Comma {
            let location = self.location();
            self.advance();
            let right = self.assignment()?;
            left = self.operator_of(first, ExprKind::Comma(left, right), location);
        }
        Ok(left)
    }

    /// An expression with commas between brackets, in which `>` is an operator again.
    pub(super) fn bracketed_expression(&mut self) -> Parse<Expr> {
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let begin = self.checkpoint();
        let inner = self.expression();
        let inner = self.or_unknown(&begin, inner, false)?;
        self.stops_at_greater = stops;
        Ok(inner)
    }

    /// An expression without commas between brackets.
    pub(super) fn bracketed_assignment(&mut self) -> Parse<Expr> {
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let inner = self.assignment()?;
        self.stops_at_greater = stops;
        Ok(inner)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        self.descend()?;
        let first = self.location();
        let left = self.binary(1)?;
        let whole = match self.word() {
            Word::Question => self.conditional(left, first)?,
            Word::Equal => {
                let location = self.location();
                self.advance();
                let right = self.right_side()?;
                self.note_change(left);
                self.operator_of(first, ExprKind::Assign(left, right), location)
            }
            word => match compound_operator(word) {
                Some(operator) => {
                    let location = self.location();
                    self.advance();
                    let right = self.right_side()?;
                    self.note_change(left);
                    self.operator_of(first, ExprKind::CompoundAssign(operator, left, right), location)
                }
                None => left,
            },
        };
        self.rise();
        Ok(whole)
    }

    /// An expression without commas and assignments, where a constant is meant.
    pub(super) fn constant(&mut self) -> Parse<Expr> {
        self.descend()?;
        let first = self.location();
        let left = self.binary(1)?;
        let whole = if self.word() == Word::Question { self.conditional(left, first)? } else { left };
        self.rise();
        Ok(whole)
    }

    /// An expression without commas, or a list.
    pub(super) fn right_side(&mut self) -> Parse<Expr> {
        if self.is_cpp && self.word() == Word::LeftBrace { self.list() } else { self.assignment() }
    }

    /// `{…}` where the place says of which type it is.
    pub(super) fn list(&mut self) -> Parse<Expr> {
        let location = self.location();
        let list = self.initializer_list()?;
        Ok(self.large_expression_of(LargeKind::List(Box::new(list)), location))
    }

    /// What follows a condition that begins at `first`.
    fn conditional(&mut self, condition: Expr, first: Location) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        if self.word() == Word::Colon {
            return Err(self.unsupported(location, "`?:` without a middle"));
        }
        let then = self.bracketed_expression()?;
        self.expect(Word::Colon, ":", "of the conditional expression")?;
        let otherwise = self.assignment()?;
        Ok(self.large_operator_of(first, LargeKind::Conditional(condition, then, otherwise), location))
    }

    /// Operators that bind at least as tight as `least`.
    fn binary(&mut self, least: u8) -> Parse<Expr> {
        let first = self.at;
        let mut left = self.unary()?;
        if matches!(self.word(), Word::DotStar | Word::ArrowStar) {
            left = self.pointed_members(left, self.tokens[first].location)?;
        }
        while let Some((strength, operator)) = binary_operator(self.word()) {
            let is_end = self.stops_at_greater && matches!(self.word(), Word::Greater | Word::ShiftRight);
            if strength < least || is_end {
                break;
            }
            let location = self.location();
            if self.word() == Word::ShiftLeft && self.ahead(1) == Word::Less && self.is_cpp {
                return Err(self.unsupported(location, "the launch of a kernel (`<<<`)"));
            }
            self.advance();
            let right = self.binary(strength + 1)?;
            let first = self.tokens[first].location;
            left = self.operator_of(first, ExprKind::Binary(operator, left, right), location);
        }
        Ok(left)
    }

    /// `.*` and `->*` behind an operand that begins at `first`; they bind tighter than the other binary operators.
    fn pointed_members(&mut self, mut base: Expr, first: Location) -> Parse<Expr> {
        while matches!(self.word(), Word::DotStar | Word::ArrowStar) {
            let (location, arrow) = (self.location(), self.word() == Word::ArrowStar);
            if !self.is_cpp {
                return Err(self.expected("the name of a member"));
            }
            self.advance();
            let pointer = self.unary()?;
            let member = Box::new(PointedMember { base, pointer, arrow });
            base = self.large_operator_of(first, LargeKind::PointedMember(member), location);
        }
        Ok(base)
    }

    /// Operators before an operand, and casts.
    pub(super) fn unary(&mut self) -> Parse<Expr> {
        let operator = match self.word() {
            Word::Name | Word::Number => return self.postfix(),
            Word::LeftParen => {
                return if self.is_type_name(self.at + 1) { self.cast() } else { self.postfix() };
            }
            Word::Plus => UnaryOperator::Plus,
            Word::Minus => UnaryOperator::Minus,
            Word::Not => UnaryOperator::Not,
            Word::Tilde => UnaryOperator::Complement,
            Word::Star => UnaryOperator::Dereference,
            Word::Amp => UnaryOperator::AddressOf,
            Word::PlusPlus | Word::MinusMinus => return self.prefix_step(),
            Word::AmpAmp if self.ahead(1) == Word::Name => return self.label_address(),
            Word::New => return self.new_object(),
            Word::Delete => return self.delete_object(),
            Word::Scope if matches!(self.ahead(1), Word::New | Word::Delete) => {
                self.advance();
                return if self.word() == Word::New { self.new_object() } else { self.delete_object() };
            }
            Word::SizeOf => return self.size_of(),
            Word::AlignOf => return self.align_of(),
            Word::Attribute => return self.attributed(),
            Word::LeftBracket if self.ahead(1) == Word::LeftBracket => return self.attributed(),
            Word::Ignored => {
                self.advance();
                return self.nested_unary();
            }
            _ => return self.postfix(),
        };
        let location = self.location();
        self.advance();
        let (first, begin) = (self.word(), self.at);
        let operand = self.nested_unary()?;
        let is_qualified = matches!(first, Word::Name | Word::Scope) && self.at > begin + 1;
        if operator == UnaryOperator::AddressOf && is_qualified && self.is_member_of_class(operand) {
            return Ok(self.large_operator_of(location, LargeKind::AddressOfMember(operand), location));
        }
        if operator == UnaryOperator::AddressOf {
            self.note_exposed(operand);
        }
        Ok(self.operator_of(location, ExprKind::Unary(operator, operand), location))
    }

    /// Whether an expression is the name of something in what may be a class.
    fn is_member_of_class(&self, expr: Expr) -> bool {
        let scopes = &self.names.scopes;
        match (self.tree.expressions[expr].kind, self.tree.large(expr)) {
            (ExprKind::Name(name), _) => {
                matches!(scopes.kind(scopes.scope(name)), ScopeKind::Class | ScopeKind::Undeclared)
            }
            (_, Some(LargeKind::MemberOf(_))) => true,
            _ => false,
        }
    }

    pub(super) fn nested_unary(&mut self) -> Parse<Expr> {
        self.descend()?;
        let operand = self.unary()?;
        self.rise();
        Ok(operand)
    }

    fn prefix_step(&mut self) -> Parse<Expr> {
        let location = self.location();
        let up = self.word() == Word::PlusPlus;
        self.advance();
        let operand = self.nested_unary()?;
        self.note_change(operand);
        Ok(self.operator_of(location, ExprKind::Step { operand, up, prefix: true }, location))
    }

    /// `&&label`.
    fn label_address(&mut self) -> Parse<Expr> {
        let location = self.location();
        if self.is_opencl {
            return Err(self.unsupported(location, "the address of a label in OpenCL C"));
        }
        self.advance();
        let (name, _) = self.expect_name("the name of a label")?;
        Ok(self.large_operator_of(location, LargeKind::LabelAddress(name), location))
    }

    /// `new (place) T[n](x)`.
    fn new_object(&mut self) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        let is_type = self.word() == Word::LeftParen && self.is_type_name(self.at + 1);
        let place = if self.word() == Word::LeftParen && !is_type { self.call_arguments()? } else { Box::default() };
        if self.word() == Word::LeftParen {
            return Err(self.unsupported(self.location(), "a type in parentheses after `new`"));
        }
        let mut specifiers = self.specifiers()?;
        self.require_type(&specifiers)?;
        let declarator = self.pointers(&mut specifiers.attributes)?;
        let of = TypeName { specifiers, declarator };
        let mut count = None;
        if self.eat(Word::LeftBracket) {
            count = Some(self.bracketed_expression()?);
            self.expect(Word::RightBracket, "]", "after the number of elements")?;
        }
        if self.word() == Word::LeftBracket {
            return Err(self.unsupported(self.location(), "`new` of an array of arrays"));
        }
        let start = match self.word() {
            Word::LeftParen => NewStart::Values(self.call_arguments()?),
            Word::LeftBrace => NewStart::List(self.initializer_list()?),
            _ => NewStart::Itself,
        };
        let made = Box::new(NewObject { place, of, count, start });
        Ok(self.large_operator_of(location, LargeKind::New(made), location))
    }

    /// `delete p`, `delete[] p`.
    fn delete_object(&mut self) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        let is_array = self.eat(Word::LeftBracket);
        if is_array {
            self.expect(Word::RightBracket, "]", "after `delete[`")?;
        }
        let pointer = self.nested_unary()?;
        let deleted = Box::new(DeleteObject { pointer, is_array });
        Ok(self.large_operator_of(location, LargeKind::Delete(deleted), location))
    }

    fn attributed(&mut self) -> Parse<Expr> {
        let location = self.location();
        let mut attributes = ThinVec::new();
        self.attributes(&mut attributes)?;
        let operand = self.nested_unary()?;
        Ok(self.large_expression_of(LargeKind::Attributed(Box::new((attributes, operand))), location))
    }

    fn size_of(&mut self) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        if self.word() == Word::Ellipsis {
            return self.size_of_pack(location);
        }
        if self.word() != Word::LeftParen || !self.is_type_name(self.at + 1) {
            let operand = self.nested_unary()?;
            return Ok(self.expression_of(ExprKind::SizeOf(operand), location));
        }
        let begin = self.location();
        let of = self.bracketed_type()?;
        if self.word() == Word::LeftBrace {
            let literal = self.compound_literal(of, begin)?;
            return Ok(self.expression_of(ExprKind::SizeOf(literal), location));
        }
        Ok(self.large_expression_of(LargeKind::SizeOfType(Box::new(of)), location))
    }

    fn align_of(&mut self) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        if self.word() != Word::LeftParen || !self.is_type_name(self.at + 1) {
            return Err(self.expected("a type in parentheses after `alignof`"));
        }
        let of = self.bracketed_type()?;
        Ok(self.large_expression_of(LargeKind::AlignOf(Box::new(of)), location))
    }

    /// `(T)`.
    fn bracketed_type(&mut self) -> Parse<TypeName> {
        self.expect(Word::LeftParen, "(", "before the type")?;
        let stops = std::mem::replace(&mut self.stops_at_greater, false);
        let of = self.type_name()?;
        self.stops_at_greater = stops;
        self.expect(Word::RightParen, ")", "after the type")?;
        Ok(of)
    }

    /// `(T)x`, `(T){…}`, and OpenCL's `(float4)(a, b)`.
    fn cast(&mut self) -> Parse<Expr> {
        let location = self.location();
        let to = self.bracketed_type()?;
        match self.word() {
            Word::LeftBrace => self.compound_literal(to, location),
            Word::LeftParen if self.is_opencl && self.is_vector_type(&to) => self.vector_literal(to, location),
            _ => {
                let operand = self.nested_unary()?;
                let kind = LargeKind::Cast { to: Box::new(to), operand, form: CastForm::C };
                Ok(self.large_operator_of(location, kind, location))
            }
        }
    }

    fn compound_literal(&mut self, of: TypeName, location: Location) -> Parse<Expr> {
        let list = self.initializer_list()?;
        let literal = self.large_operator_of(location, LargeKind::CompoundLiteral(Box::new((of, list))), location);
        self.postfix_of(literal, location)
    }

    /// What follows `(float4)` where that is a vector; it begins at `first`. As a member of what is in the parentheses binds tighter than the cast, `(T)(a, b).x`
    /// is no literal.
    fn vector_literal(&mut self, of: TypeName, first: Location) -> Parse<Expr> {
        let location = of.specifiers.location;
        let begin = self.location();
        let parts = self.call_arguments()?;
        let binds_tighter =
            matches!(self.word(), Word::Dot | Word::Arrow | Word::LeftBracket | Word::PlusPlus | Word::MinusMinus);
        let mut parts_left = parts.iter().copied();
        match parts_left.next() {
            Some(part) if binds_tighter => {
                let inner =
                    parts_left.fold(part, |left, right| self.expression_of(ExprKind::Comma(left, right), begin));
                let operand = self.postfix_of(inner, begin)?;
                let kind = LargeKind::Cast { to: Box::new(of), operand, form: CastForm::C };
                Ok(self.large_operator_of(first, kind, location))
            }
            Some(_) => {
                let construction = Box::new(Construction { of, parts });
                Ok(self.large_operator_of(first, LargeKind::VectorLiteral(construction), location))
            }
            None => Err(self.expected("the parts of a vector")),
        }
    }

    fn is_vector_type(&self, of: &TypeName) -> bool {
        matches!(of.declarator, Declarator::Base) && self.is_vector(&of.specifiers)
    }

    /// Whether the type is an OpenCL vector.
    pub(super) fn is_vector(&self, specifiers: &Specifiers) -> bool {
        match specifiers.of {
            Some(TypeSpecifier::Builtin(BuiltinType::Vector { cuda, .. })) => !cuda,
            Some(TypeSpecifier::Named(name, _)) => self.names.meaning(name).kind == Kind::Vector,
            _ => false,
        }
    }
}
