//! What stands between the keyword of a statement and its body: the parentheses of `if`, `switch`, `while` and `for`, the value of `case`.
//!
//! **Invariant.** A scope is opened at the parenthesis, and goes to the stack with the statement, which closes it at its end.

use cranelift_entity::packed_option::PackedOption;

use super::statements::{Open, Question, Stack};
use super::words::Word;
use super::{Parse, Parser};
use crate::source::Location;
use crate::tree::{Attributes, Condition, Decl, Declaration, InitDeclarator, Stmt, StmtData, StmtKind};

impl Parser<'_> {
    pub(super) fn begin_if(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Parse<()> {
        let statement = self.begin(attributes);
        self.advance();
        let is_constexpr = self.eat(Word::Constexpr);
        self.expect(Word::LeftParen, "(", "after `if`")?;
        let scope = self.names.open();
        let (init, condition) = self.condition_with_init()?;
        self.expect(Word::RightParen, ")", "after the condition")?;
        let question = Question { init, condition, is_constexpr };
        stack.push(statement, Some(scope), Open::Then(question));
        Ok(())
    }

    pub(super) fn begin_switch(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Parse<()> {
        let statement = self.begin(attributes);
        self.advance();
        self.expect(Word::LeftParen, "(", "after `switch`")?;
        let scope = self.names.open();
        let (init, condition) = self.condition_with_init()?;
        self.expect(Word::RightParen, ")", "after the condition")?;
        stack.push(statement, Some(scope), Open::Switch(init, condition));
        Ok(())
    }

    pub(super) fn begin_while(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Parse<()> {
        let statement = self.begin(attributes);
        self.advance();
        self.expect(Word::LeftParen, "(", "after `while`")?;
        let scope = self.names.open();
        let condition = self.condition()?;
        self.expect(Word::RightParen, ")", "after the condition")?;
        stack.push(statement, Some(scope), Open::While(condition));
        Ok(())
    }

    pub(super) fn begin_case(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Parse<()> {
        let statement = self.begin(attributes);
        self.advance();
        let low = self.constant()?;
        let high = if self.eat(Word::Ellipsis) { Some(self.constant()?) } else { None };
        self.expect(Word::Colon, ":", "after the value of `case`")?;
        stack.push(statement, None, Open::Case(low, high));
        Ok(())
    }

    pub(super) fn begin_for(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Parse<()> {
        let statement = self.begin(attributes);
        self.advance();
        self.expect(Word::LeftParen, "(", "after `for`")?;
        let scope = self.names.open();
        let mut init = None;
        if !self.eat(Word::Semicolon) {
            let location = self.location();
            let kind = if self.starts_declaration() {
                let declaration = self.declaration(&[])?;
                if self.is_cpp && self.word() == Word::Colon {
                    let variable = self.range_variable(declaration)?;
                    self.advance();
                    if self.word() == Word::LeftBrace {
                        return Err(self.unsupported(self.location(), "a list as the range of a loop"));
                    }
                    let range = self.bracketed_expression()?;
                    self.expect(Word::RightParen, ")", "after the range of the loop")?;
                    stack.push(statement, Some(scope), Open::RangeFor(variable, range));
                    return Ok(());
                }
                StmtKind::Declaration(self.tree.declarations.push(declaration))
            } else {
                StmtKind::Expression(self.bracketed_expression()?)
            };
            self.expect(Word::Semicolon, ";", "after the first part of `for`")?;
            init = Some(self.push_statement(kind, location));
        }
        let condition = if self.word() == Word::Semicolon { None } else { Some(self.condition()?) };
        self.expect(Word::Semicolon, ";", "after the condition of `for`")?;
        let step = if self.word() == Word::RightParen { None } else { Some(self.bracketed_expression()?) };
        self.expect(Word::RightParen, ")", "after the parts of `for`")?;
        stack.push(statement, Some(scope), Open::For { init, condition, step });
        Ok(())
    }

    fn range_variable(&mut self, declaration: Declaration) -> Parse<Decl> {
        match &declaration.declarators[..] {
            [InitDeclarator { initializer: None, .. }] => Ok(self.tree.declarations.push(declaration)),
            _ => Err(self.error(declaration.location, "the loop over a range has one variable without initialiser")),
        }
    }

    fn push_statement(&mut self, kind: StmtKind, location: Location) -> Stmt {
        let end = self.last_location();
        self.tree.statements.push(StmtData { kind, attributes: None.into(), location, end })
    }

    /// `x`, `int x = f()`, and the same behind `init;`.
    fn condition_with_init(&mut self) -> Parse<(Option<Stmt>, Condition)> {
        let location = self.location();
        if !self.is_cpp {
            return Ok((None, self.condition()?));
        }
        let kind = if self.word() == Word::Semicolon {
            StmtKind::Empty
        } else if self.starts_declaration() {
            let declaration = self.declaration(&[])?;
            if self.word() != Word::Semicolon {
                return Ok((None, self.declared_condition(declaration)?));
            }
            StmtKind::Declaration(self.tree.declarations.push(declaration))
        } else {
            let value = self.bracketed_expression()?;
            if self.word() != Word::Semicolon {
                return Ok((None, Condition::Expression(value)));
            }
            StmtKind::Expression(value)
        };
        self.advance();
        let init = self.push_statement(kind, location);
        Ok((Some(init), self.condition()?))
    }

    fn condition(&mut self) -> Parse<Condition> {
        if self.is_cpp && self.starts_declaration() {
            let declaration = self.declaration(&[])?;
            return self.declared_condition(declaration);
        }
        Ok(Condition::Expression(self.expression()?))
    }

    fn declared_condition(&mut self, declaration: Declaration) -> Parse<Condition> {
        let declares_one = matches!(&declaration.declarators[..], [one] if one.initializer.is_some());
        if !declares_one {
            return Err(self.error(declaration.location, "a condition declares one variable with an initialiser"));
        }
        Ok(Condition::Declaration(self.tree.declarations.push(declaration)))
    }
}
