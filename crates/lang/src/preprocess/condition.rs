//! The expression of an `#if`: 64-bit integers, signed or not; names that are no macros are 0.

use super::Preprocessor;
use super::pp_token::PpToken;
use super::punctuator::Punctuator;
use super::scan::Kind;
use super::value::{self, Value};
use crate::diagnostic::Diagnostic;

impl Preprocessor<'_> {
    /// After `#if`: whether the rest of the line is true. A wrong expression is reported, and false.
    pub(super) fn condition(&mut self) -> bool {
        let location = self.here();
        let mut tokens = Vec::new();
        self.rest_of_line(&mut tokens);
        if tokens.is_empty() {
            self.error(location, "`#if` without an expression");
            return false;
        }
        self.begin_barrier(tokens);
        let was_in_condition = std::mem::replace(&mut self.in_condition, true);
        let first = self.next();
        let place = if first.kind == Kind::End { location } else { first.location };
        let mut parser = Parser { preprocessor: self, token: first, place, depth: 0, is_negated: false };
        let result = parser.whole();
        self.in_condition = was_in_condition;
        self.end_barrier();
        match result {
            Ok(value) => value.bits != 0,
            Err(diagnostic) => {
                if !self.stopped {
                    self.report(diagnostic);
                }
                false
            }
        }
    }
}

type Outcome = Result<Value, Diagnostic>;

struct Parser<'p, 'a> {
    preprocessor: &'p mut Preprocessor<'a>,
    /// The token that is not used yet.
    token: PpToken,
    /// The last token that was one.
    place: crate::source::Location,
    depth: usize,
    /// Whether what is read stands after an odd number of `!`.
    is_negated: bool,
}

impl Parser<'_, '_> {
    fn whole(&mut self) -> Outcome {
        let value = self.comma(true)?;
        match self.token.kind {
            Kind::End => Ok(value),
            _ => Err(self.unexpected("an operator")),
        }
    }

    fn advance(&mut self) {
        self.token = self.preprocessor.next();
        if self.token.kind != Kind::End {
            self.place = self.token.location;
        }
    }

    fn accept(&mut self, punctuator: Punctuator) -> bool {
        let accepted = self.token.is(punctuator);
        if accepted {
            self.advance();
        }
        accepted
    }

    fn expect(&mut self, punctuator: Punctuator) -> Result<(), Diagnostic> {
        match self.accept(punctuator) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{}`", punctuator.spelling()))),
        }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.token.kind {
            Kind::End => "the end of the line".to_owned(),
            _ => format!("`{}`", self.preprocessor.text(self.token)),
        };
        Diagnostic::error(self.place, format!("{expected} is expected in the expression of `#if`, not {found}"))
    }

    /// `a, b`: only what is not computed may hold it, but everybody computes it.
    fn comma(&mut self, live: bool) -> Outcome {
        let mut value = self.choice(live)?;
        while self.accept(Punctuator::Comma) {
            value = self.choice(live)?;
        }
        Ok(value)
    }

    fn choice(&mut self, live: bool) -> Outcome {
        self.deeper(|parser| {
            let condition = parser.binary(0, live)?;
            if !parser.accept(Punctuator::Question) {
                return Ok(condition);
            }
            let is_first = condition.bits != 0;
            let first = parser.comma(live && is_first)?;
            parser.expect(Punctuator::Colon)?;
            let second = parser.choice(live && !is_first)?;
            let bits = if is_first { first.bits } else { second.bits };
            Ok(Value { bits, is_unsigned: first.is_unsigned || second.is_unsigned })
        })
    }

    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let limit = self.preprocessor.limits.condition_nesting;
        if self.depth >= limit {
            let message = format!("the expression of `#if` is nested more than {limit} deep");
            return Err(Diagnostic::limit(self.place, message).raised_by("condition-nesting"));
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    /// Operators that bind as strongly as `minimum`, or more.
    fn binary(&mut self, minimum: u8, live: bool) -> Outcome {
        let mut left = self.unary(live)?;
        while let Some((operator, strength)) = self.token.punctuator().and_then(strength) {
            if strength < minimum {
                break;
            }
            let place = self.place;
            self.advance();
            let right_counts = match operator {
                Punctuator::AndAnd => live && left.bits != 0,
                Punctuator::OrOr => live && left.bits == 0,
                _ => live,
            };
            let right = self.deeper(|parser| parser.binary(strength + 1, right_counts))?;
            left = match value::apply(operator, left, right) {
                Some(value) => value,
                None if live => return Err(Diagnostic::error(place, "division by zero in the expression of `#if`")),
                None => Value::of(0),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Outcome {
        let Some(operator) = self.token.punctuator() else { return self.primary() };
        match operator {
            Punctuator::LeftParen => {
                self.advance();
                let value = self.deeper(|parser| parser.comma(live))?;
                self.expect(Punctuator::RightParen)?;
                Ok(value)
            }
            Punctuator::Plus | Punctuator::Minus | Punctuator::Not | Punctuator::Tilde => {
                self.advance();
                let is_not = operator == Punctuator::Not;
                self.is_negated ^= is_not;
                let value = self.deeper(|parser| parser.unary(live))?;
                self.is_negated ^= is_not;
                Ok(match operator {
                    Punctuator::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                    Punctuator::Tilde => Value { bits: !value.bits, ..value },
                    Punctuator::Not => Value::of(i64::from(value.bits == 0)),
                    _ => value,
                })
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    fn primary(&mut self) -> Outcome {
        let token = self.token;
        let text = self.preprocessor.text(token);
        let value = match token.kind {
            Kind::Number => value::integer(text),
            Kind::Character => value::character(text),
            Kind::Identifier if text == "defined" => return self.defined(),
            Kind::Identifier => return self.name(),
            _ => return Err(self.unexpected("a value")),
        };
        let value = value.map_err(|message| Diagnostic::error(token.location, message))?;
        self.advance();
        Ok(value)
    }

    /// A name that is no macro: 0, and `true` is 1 in C++.
    fn name(&mut self) -> Outcome {
        let symbol = self.token.symbol;
        let name = self.preprocessor.text(self.token).to_owned();
        let is_true = name == "true" && self.preprocessor.options.dialect.is_cpp();
        if !is_true && !self.is_negated {
            self.preprocessor.note_undefined(symbol);
        }
        let place = self.place;
        self.advance();
        if self.token.is(Punctuator::LeftParen) {
            return Err(Diagnostic::error(place, format!("there is no macro `{name}` with parameters")));
        }
        Ok(Value::of(i64::from(is_true)))
    }

    /// `defined NAME`, `defined(NAME)`.
    fn defined(&mut self) -> Outcome {
        let mut name = self.preprocessor.lex();
        let in_parentheses = name.is(Punctuator::LeftParen);
        if in_parentheses {
            name = self.preprocessor.lex();
        }
        if name.kind != Kind::Identifier {
            return Err(Diagnostic::error(self.place, "`defined` needs the name of a macro"));
        }
        self.place = name.location;
        if in_parentheses && !self.preprocessor.lex().is(Punctuator::RightParen) {
            return Err(Diagnostic::error(self.place, "the closing `)` is missing after `defined`"));
        }
        let is_defined = self.preprocessor.is_defined(name.symbol);
        if !is_defined && !self.is_negated {
            self.preprocessor.note_undefined(name.symbol);
        }
        self.advance();
        Ok(Value::of(i64::from(is_defined)))
    }
}

/// How strongly an operator binds.
fn strength(operator: Punctuator) -> Option<(Punctuator, u8)> {
    use Punctuator::*;
    let strength = match operator {
        OrOr => 1,
        AndAnd => 2,
        Or => 3,
        Caret => 4,
        And => 5,
        EqualEqual | NotEqual => 6,
        Less | LessEqual | Greater | GreaterEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Plus | Minus => 9,
        Star | Slash | Percent => 10,
        _ => return None,
    };
    Some((operator, strength))
}
