//! Initialisers: values, lists with designators, and values in parentheses.

use thin_vec::ThinVec;

use super::words::Word;
use super::{Parse, Parser};
use crate::tree::{Designator, Initializer};

impl Parser<'_> {
    /// A value or a list.
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.word() == Word::LeftBrace {
            return self.initializer_list();
        }
        let nested = std::mem::replace(&mut self.stops_at_greater, false);
        let begin = self.checkpoint();
        let value = self.assignment();
        let value = self.or_unknown(&begin, value, true)?;
        let value = self.expanded(value, begin.at());
        self.stops_at_greater = nested;
        Ok(Initializer::Expression(value))
    }

    /// `{ [3] = x, .field = y, z, }`.
    pub(super) fn initializer_list(&mut self) -> Parse<Initializer> {
        let location = self.location();
        self.descend()?;
        self.advance();
        let mut elements = ThinVec::new();
        while self.word() != Word::RightBrace {
            let designators = self.designators()?;
            elements.push((designators, self.initializer()?));
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect(Word::RightBrace, "}", "after the list of initialisers")?;
        self.rise();
        Ok(Initializer::List(elements, location))
    }

    fn designators(&mut self) -> Parse<ThinVec<Designator>> {
        let mut designators = ThinVec::new();
        loop {
            match self.word() {
                Word::LeftBracket => {
                    self.advance();
                    let index = self.bracketed_expression()?;
                    if self.word() == Word::Ellipsis {
                        return Err(self.unsupported(self.location(), "a designator of a range"));
                    }
                    self.expect(Word::RightBracket, "]", "after the index")?;
                    designators.push(Designator::Index(index));
                }
                Word::Dot => {
                    self.advance();
                    let (field, location) = self.expect_name("the name of a member")?;
                    designators.push(Designator::Field(field, location));
                }
                _ if designators.is_empty() => return Ok(designators),
                Word::LeftBrace => return Ok(designators),
                _ => {
                    self.expect(Word::Equal, "=", "after the designator")?;
                    return Ok(designators);
                }
            }
        }
    }

    /// `(x)`, `(x, y)` behind the name of a variable.
    pub(super) fn parenthesised_initializer(&mut self) -> Parse<Initializer> {
        let location = self.location();
        let values = self.call_arguments()?;
        if let [value] = values[..] {
            return Ok(Initializer::Expression(value));
        }
        let element = |value| (ThinVec::new(), Initializer::Expression(value));
        Ok(Initializer::List(values.into_iter().map(element).collect(), location))
    }
}
