//! Statements.
//!
//! **Invariant.** Those that are open lie on a stack of our own, so that the depth of nesting costs memory and not call stack. A
//! statement gets its number where it begins, and its content where it ends.

use cranelift_entity::EntityList;
use cranelift_entity::packed_option::PackedOption;
use thin_vec::ThinVec;

use super::names::Mark;
use super::recovery::Checkpoint;
use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::diagnostic::Diagnostic;
use crate::options::Limits;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Attributes, Condition, Decl, Expr, Stmt, StmtData, StmtKind};

/// A statement that waits for a part.
struct Frame {
    statement: Stmt,
    /// The scope that ends with it.
    scope: Option<Mark>,
    open: Open,
}

/// What is known of it.
pub(super) enum Open {
    /// Where its statements begin in [`Parser::statements`], and what to go back to after an error in it.
    Compound {
        begin: usize,
        inside: Checkpoint,
    },
    Then(Question),
    Else(Question, Stmt),
    Switch(Option<Stmt>, Condition),
    Case(Expr, Option<Expr>),
    Default,
    Label(Symbol),
    While(Condition),
    Do,
    For {
        init: Option<Stmt>,
        condition: Option<Condition>,
        step: Option<Expr>,
    },
    RangeFor(Decl, Expr),
}

/// The parentheses of an `if`.
pub(super) struct Question {
    pub(super) init: Option<Stmt>,
    pub(super) condition: Condition,
    pub(super) is_constexpr: bool,
}

impl Open {
    /// Whether it counts for the depth of nesting.
    fn nests(&self) -> bool {
        !matches!(self, Open::Case(..) | Open::Default | Open::Label(_) | Open::Else(..))
    }
}

/// The statements of a function that are open.
#[derive(Default)]
pub(super) struct Stack {
    frames: Vec<Frame>,
    nesting: usize,
}

impl Stack {
    pub(super) fn push(&mut self, statement: Stmt, scope: Option<Mark>, open: Open) {
        self.nesting += usize::from(open.nests());
        self.frames.push(Frame { statement, scope, open });
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.nesting -= usize::from(frame.open.nests());
        Some(frame)
    }

    fn is_in_block(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { open: Open::Compound { .. }, .. }))
    }
}

impl Parser<'_> {
    /// A compound statement from its `{`. Fails only for what is outside of the subset.
    pub(super) fn block(&mut self) -> Parse<Stmt> {
        let mut stack = Stack::default();
        let brace = self.location();
        let root = self.open_block(&mut stack, None.into());
        loop {
            let begin = self.checkpoint();
            if self.word() == Word::End {
                if !self.has_given_up {
                    let open = stack.innermost_block(&self.tree.statements).unwrap_or(brace);
                    self.failure = None;
                    self.error(open, "this `{` is not closed");
                    self.report();
                }
                return Ok(self.leave_unclosed(root, &stack));
            }
            match self.step(&mut stack) {
                Ok(()) if stack.frames.is_empty() => return Ok(root),
                Ok(()) => {}
                Err(Stop) if self.failed_as_unsupported() && !self.is_tolerant => return Err(Stop),
                Err(Stop) => {
                    let misplaced = self.misplaced_function.take().or_else(|| self.misplaced_kernel(&begin));
                    if let Some(at) = misplaced {
                        if !self.is_tolerant && self.is_closed(at, stack.open_blocks()) {
                            self.failure = None;
                            return Err(self.unsupported(self.tokens[at].location, "a function inside of a function"));
                        }
                        let open = stack.innermost_block(&self.tree.statements).unwrap_or(brace);
                        self.failure = None;
                        let reason = Diagnostic::error(open, "this `{` is not closed");
                        self.fail(reason.with(self.tokens[at].location, "a function begins here"));
                        self.report();
                        self.at = at;
                        return Ok(self.leave_unclosed(root, &stack));
                    }
                    self.report();
                    self.recover(&begin, &mut stack);
                }
            }
        }
    }

    /// A kernel that begins in a statement which is not understood.
    fn misplaced_kernel(&self, begin: &Checkpoint) -> Option<usize> {
        let of_statement = || (begin.at()..=self.at).find(|&at| self.words[at] == Word::Kernel);
        self.is_tolerant.then(of_statement).flatten()
    }

    /// Whether so many blocks that are open at a token are closed before the end of the file.
    fn is_closed(&self, at: usize, mut open: usize) -> bool {
        for word in &self.words[at..] {
            match word {
                Word::LeftBrace => open += 1,
                Word::RightBrace => open -= 1,
                _ => {}
            }
            if open == 0 {
                return true;
            }
        }
        false
    }

    /// Gives the outermost block the statements that it has so far.
    fn leave_unclosed(&mut self, root: Stmt, stack: &Stack) -> Stmt {
        if let Some(Frame { open: Open::Compound { begin, inside }, .. }) = stack.frames.first() {
            self.finish_block(root, *begin);
            self.abandon(inside);
        }
        root
    }

    /// After an error: the innermost block goes on behind the statement.
    fn recover(&mut self, begin: &Checkpoint, stack: &mut Stack) {
        begin.reset_names(&mut self.names);
        while !stack.is_in_block() {
            match stack.pop() {
                Some(Frame { scope: Some(scope), .. }) => self.names.reset(scope),
                Some(_) => {}
                None => return,
            }
        }
        if let Some(Frame { open: Open::Compound { inside, .. }, .. }) = stack.frames.last() {
            self.nesting = inside.nesting;
            self.stops_at_greater = false;
            self.expressions.truncate(inside.expressions);
            inside.reset_depth(&mut self.names);
        }
        self.skip_broken(begin);
        if self.at == begin.at() && self.word() != Word::RightBrace {
            self.advance();
        }
        while self.eat(Word::Else) {}
    }

    /// Begins one statement, and ends all that end with it.
    fn step(&mut self, stack: &mut Stack) -> Parse<()> {
        let begun = if stack.is_in_block() && self.word() == Word::RightBrace {
            self.close_block(stack)
        } else {
            self.begin_statement(stack)?
        };
        let limit = self.limits.statement_nesting.min(Limits::MOST_STATEMENT_NESTING);
        if stack.nesting > limit {
            let message = format!("statements nested more than {limit} deep");
            self.give_up(Diagnostic::limit(self.location(), message).raised_by("statement-nesting"));
            return Ok(());
        }
        self.check_names();
        let mut ended = begun;
        while let Some(part) = ended {
            ended = self.end_part(part, stack)?;
        }
        Ok(())
    }

    /// Gives a part to the statement that waits for it; that statement, if it is complete.
    fn end_part(&mut self, part: Stmt, stack: &mut Stack) -> Parse<Option<Stmt>> {
        match stack.frames.last() {
            None => return Ok(None),
            Some(Frame { open: Open::Compound { .. }, .. }) => {
                self.statements.push(part);
                return Ok(None);
            }
            Some(Frame { open: Open::Then(_), .. }) if self.word() == Word::Else => {
                self.advance();
                if let Some(Frame { statement, scope, open: Open::Then(question) }) = stack.pop() {
                    stack.push(statement, scope, Open::Else(question, part));
                }
                return Ok(None);
            }
            Some(Frame { open: Open::Do, statement, .. }) => {
                let statement = *statement;
                let condition = self.end_of_do()?;
                stack.pop();
                self.finish(statement, StmtKind::DoWhile { body: part, condition });
                return Ok(Some(statement));
            }
            Some(_) => {}
        }
        let Some(frame) = stack.pop() else { return Ok(None) };
        let body = part;
        let kind = match frame.open {
            Open::Then(question) => {
                let Question { init, condition, is_constexpr } = question;
                StmtKind::If { init: init.into(), condition, then: part, otherwise: None.into(), is_constexpr }
            }
            Open::Else(question, then) => {
                let Question { init, condition, is_constexpr } = question;
                StmtKind::If { init: init.into(), condition, then, otherwise: part.into(), is_constexpr }
            }
            Open::Switch(init, condition) => StmtKind::Switch { init: init.into(), condition, body },
            Open::Case(low, high) => StmtKind::Case { low, high, body },
            Open::Default => StmtKind::Default { body },
            Open::Label(name) => StmtKind::Label { name, body },
            Open::While(condition) => StmtKind::While { condition, body },
            Open::For { init, condition, step } => {
                StmtKind::For { init: init.into(), condition, step: step.into(), body }
            }
            Open::RangeFor(variable, range) => StmtKind::RangeFor { variable, range, body },
            Open::Compound { .. } | Open::Do => return Ok(None),
        };
        if let Some(scope) = frame.scope {
            self.names.close(scope);
        }
        self.finish(frame.statement, kind);
        Ok(Some(frame.statement))
    }

    fn end_of_do(&mut self) -> Parse<Expr> {
        self.expect(Word::While, "while", "after the body of `do`")?;
        self.expect(Word::LeftParen, "(", "after `while`")?;
        let condition = self.expression()?;
        self.expect(Word::RightParen, ")", "after the condition")?;
        self.expect_semicolon("after `do … while (…)`")?;
        Ok(condition)
    }

    /// A number for a statement that begins here.
    pub(super) fn begin(&mut self, attributes: PackedOption<Attributes>) -> Stmt {
        let location = self.location();
        self.tree.statements.push(StmtData { kind: StmtKind::Empty, attributes, location, end: location })
    }

    fn finish(&mut self, statement: Stmt, kind: StmtKind) {
        let end = self.last_location();
        let data = &mut self.tree.statements[statement];
        data.kind = kind;
        data.end = end;
    }

    /// Gives a block its parts: the statements from a place on.
    fn finish_block(&mut self, block: Stmt, begin: usize) {
        let parts = EntityList::from_slice(&self.statements[begin..], &mut self.tree.parts);
        self.statements.truncate(begin);
        self.finish(block, StmtKind::Compound(parts));
    }

    fn open_block(&mut self, stack: &mut Stack, attributes: PackedOption<Attributes>) -> Stmt {
        let statement = self.begin(attributes);
        self.advance();
        let scope = self.names.open();
        let open = Open::Compound { begin: self.statements.len(), inside: self.checkpoint() };
        stack.push(statement, Some(scope), open);
        statement
    }

    fn close_block(&mut self, stack: &mut Stack) -> Option<Stmt> {
        let frame = stack.pop()?;
        let Open::Compound { begin, .. } = frame.open else { return None };
        self.advance();
        if let Some(scope) = frame.scope {
            self.names.close(scope);
        }
        self.finish_block(frame.statement, begin);
        Some(frame.statement)
    }

    /// Begins a statement: gives it if it is complete, else it is on the stack.
    fn begin_statement(&mut self, stack: &mut Stack) -> Parse<Option<Stmt>> {
        let location = self.location();
        let attributes = self.statement_attributes()?;
        let next = self.tree.statements.next_key();
        match self.word() {
            Word::LeftBrace => {
                self.open_block(stack, attributes);
            }
            Word::If => self.begin_if(stack, attributes)?,
            Word::For => self.begin_for(stack, attributes)?,
            Word::While => self.begin_while(stack, attributes)?,
            Word::Do => {
                let statement = self.begin(attributes);
                self.advance();
                stack.push(statement, None, Open::Do);
            }
            Word::Switch => self.begin_switch(stack, attributes)?,
            Word::Case => self.begin_case(stack, attributes)?,
            Word::Default => {
                let statement = self.begin(attributes);
                self.advance();
                self.expect(Word::Colon, ":", "after `default`")?;
                stack.push(statement, None, Open::Default);
            }
            Word::Name if self.ahead(1) == Word::Colon => {
                let statement = self.begin(attributes);
                let name = self.symbol();
                self.advance();
                self.advance();
                stack.push(statement, None, Open::Label(name));
            }
            _ => {
                let kind = self.simple_statement(stack, attributes)?;
                let end = self.last_location().max(location);
                let data = StmtData { kind, attributes, location, end };
                return Ok(Some(self.tree.statements.push(data)));
            }
        }
        if let Some(statement) = self.tree.statements.get_mut(next) {
            statement.location = location;
        }
        Ok(None)
    }

    /// The attributes that stand before a statement, if any.
    fn statement_attributes(&mut self) -> Parse<PackedOption<Attributes>> {
        if !self.is_attribute() {
            return Ok(None.into());
        }
        let mut attributes = ThinVec::new();
        self.attributes(&mut attributes)?;
        Ok(self.tree.attributes.push(attributes).into())
    }

    /// A statement without statements in it.
    fn simple_statement(&mut self, stack: &Stack, attributes: PackedOption<Attributes>) -> Parse<StmtKind> {
        match self.word() {
            Word::Semicolon => {
                self.advance();
                Ok(StmtKind::Empty)
            }
            Word::RightBrace => match stack.frames.last() {
                Some(Frame { open: Open::Case(..) | Open::Default | Open::Label(_), .. }) => Ok(StmtKind::Empty),
                _ => Err(self.expected("a statement")),
            },
            Word::Goto => {
                self.advance();
                if self.word() == Word::Star {
                    self.advance();
                    let address = self.expression()?;
                    self.expect_semicolon("after `goto`")?;
                    return Ok(StmtKind::ComputedGoto(address));
                }
                let (name, _) = self.expect_name("the name of a label")?;
                self.expect_semicolon("after `goto`")?;
                Ok(StmtKind::Goto(name))
            }
            Word::Break => {
                self.advance();
                self.expect_semicolon("after `break`")?;
                Ok(StmtKind::Break)
            }
            Word::Continue => {
                self.advance();
                self.expect_semicolon("after `continue`")?;
                Ok(StmtKind::Continue)
            }
            Word::Return => {
                self.advance();
                let value = match self.word() {
                    Word::Semicolon => None,
                    Word::LeftBrace if self.is_cpp => Some(self.list()?),
                    _ => Some(self.expression()?),
                };
                self.expect_semicolon("after `return`")?;
                Ok(StmtKind::Return(value))
            }
            Word::StaticAssert => Ok(StmtKind::StaticAssert(self.static_assert()?.0)),
            Word::Using => {
                let declared = self.using()?;
                Ok(declared.map_or(StmtKind::Empty, |declaration| {
                    StmtKind::Declaration(self.tree.declarations.push(declaration))
                }))
            }
            Word::Namespace => {
                self.advance();
                self.namespace_alias()?;
                Ok(StmtKind::Empty)
            }
            Word::Else => Err(self.error(self.location(), "this `else` has no `if`")),
            _ if self.starts_declaration() => {
                let attributes =
                    attributes.expand().map_or(ThinVec::new(), |attributes| self.tree.attributes[attributes].clone());
                let declaration = self.declaration(&attributes)?;
                self.expect_semicolon("after the declaration")?;
                Ok(StmtKind::Declaration(self.tree.declarations.push(declaration)))
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parse<StmtKind> {
        let (begin, first) = (self.at, self.checkpoint());
        let value = self.expression();
        let value = self.or_unknown(&first, value, false)?;
        let is_name = self.at == begin + 1 && self.words[begin] == Word::Name;
        if is_name && self.word() == Word::Name && !self.token().starts_line {
            let token = self.tokens[begin];
            let name = self.symbols.text(token.symbol).to_owned();
            return Err(self.undeclared_type(&name, token.location));
        }
        if self.is_unknown_macro(begin) {
            // `MACRO(x) statement`
            return if self.is_tolerant { Ok(StmtKind::Expression(value)) } else { Err(self.undefined_macro(begin)) };
        }
        self.expect_semicolon("after the expression")?;
        Ok(StmtKind::Expression(value))
    }
}

impl Stack {
    /// Where the `{` of the innermost block is.
    fn innermost_block(&self, statements: &cranelift_entity::PrimaryMap<Stmt, StmtData>) -> Option<Location> {
        let block = self.frames.iter().rev().find(|frame| matches!(frame.open, Open::Compound { .. }))?;
        Some(statements[block.statement].location)
    }

    /// How many `{` are open.
    fn open_blocks(&self) -> usize {
        self.frames.iter().filter(|frame| matches!(frame.open, Open::Compound { .. })).count()
    }
}
