//! Inline assembly: `asm volatile ("…" : "=r"(a) : "r"(b) : "memory")`.

use super::words::Word;
use super::{Parse, Parser};
use crate::tree::{AssemblyOperand, AssemblyParts, Expr, LargeKind};

impl Parser<'_> {
    /// From `asm` to the parenthesis that closes.
    pub(super) fn assembly(&mut self) -> Parse<Expr> {
        let location = self.location();
        self.advance();
        let mut parts = AssemblyParts {
            template: Vec::new(),
            macro_in_template: None,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            is_volatile: false,
        };
        while matches!(self.word(), Word::Volatile | Word::Inline | Word::Name) {
            parts.is_volatile |= self.word() == Word::Volatile;
            self.advance();
        }
        self.expect(Word::LeftParen, "(", "after `asm`")?;
        while matches!(self.word(), Word::String | Word::Name) {
            match self.word() {
                Word::String => parts.template.push(self.symbol()),
                _ => parts.macro_in_template = parts.macro_in_template.or(Some((self.symbol(), self.location()))),
            }
            self.advance();
        }
        let mut section = 0;
        loop {
            match self.word() {
                Word::RightParen => break,
                Word::Colon => section += 1,
                Word::Scope => section += 2,
                Word::Comma => {}
                Word::String | Word::LeftBracket if section == 1 || section == 2 => {
                    let operand = self.assembly_operand()?;
                    if section == 1 {
                        self.note_change(operand.expr);
                    }
                    let operands = if section == 1 { &mut parts.outputs } else { &mut parts.inputs };
                    operands.push(operand);
                    continue;
                }
                Word::String if section > 2 => parts.clobbers.push(self.symbol()),
                _ => return Err(self.expected("an operand of inline assembly")),
            }
            self.advance();
        }
        self.advance();
        Ok(self.large_expression_of(LargeKind::Assembly(Box::new(parts)), location))
    }

    /// `"=r"(a)`, `[name] "=r"(a)`.
    fn assembly_operand(&mut self) -> Parse<AssemblyOperand> {
        let mut name = None;
        if self.word() == Word::LeftBracket {
            self.advance();
            name = Some(self.symbol());
            self.advance();
            self.expect(Word::RightBracket, "]", "after the name of an operand")?;
        }
        let constraint = self.symbol();
        while self.word() == Word::String {
            self.advance();
        }
        self.expect(Word::LeftParen, "(", "after the constraint of an operand")?;
        let expr = self.bracketed_expression()?;
        self.expect(Word::RightParen, ")", "after an operand of inline assembly")?;
        Ok(AssemblyOperand { name, constraint, expr })
    }
}
