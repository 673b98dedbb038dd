//! The parser: tokens to [`Tree`].
//!
//! Written by hand: statements by a stack of those that are open (so that no nesting of statements is too deep for the call
//! stack), expressions by precedence climbing. It knows which names are types and templates (`names`), since the grammar depends
//! on it, and nothing else of what names mean.
//!
//! **Invariant.** The parser never goes back: what decides is at most a few tokens ahead, or behind one closing bracket. So the
//! time is linear in the number of tokens. Every step of a loop takes a token or ends.
//!
//! **Errors.** A function that cannot go on leaves a diagnostic in `failure` and gives `Stop`; whoever can recover takes it. A
//! syntax error makes the parser go on behind the statement; a construct outside of the subset behind the function.

mod assembly;
mod attributes;
mod constraints;
mod declarations;
mod declarators;
mod expressions;
mod headers;
mod initializers;
mod items;
mod lambdas;
mod launches;
mod members;
mod names;
mod packs;
mod primary;
pub mod print;
mod records;
mod recovery;
mod specifiers;
mod statements;
mod templates;
mod types;
mod unknown;
mod words;

use std::borrow::Cow;

use names::{Exceeded, Names};
use rustc_hash::{FxHashMap, FxHashSet};
use words::{Word, Words};

use crate::diagnostic::{Diagnostic, LeftOut};
use crate::options::{Dialect, Limits, Options};
use crate::source::{Location, TokenRange};
use crate::token::{Symbol, Symbols, Token, TokenKind};
use crate::tree::{Expr, ExprData, ExprKind, Large, LargeKind, Name, NameKind, Stmt, TemplateArgument, Tree};

/// How far behind the end the parser may look.
const AHEAD: usize = 4;

/// A parsed file.
#[derive(Debug)]
pub struct Parsed {
    /// What was understood.
    pub tree: Tree,
    /// Errors, and what was left out because it is outside of the subset. What is outside of the subset within a function is only
    /// in its [`Body::Unsupported`](crate::tree::Body::Unsupported).
    pub diagnostics: Vec<Diagnostic>,
    /// Functions of the device whose declarations are not understood ([`Reading::Kernels`](crate::options::Reading::Kernels)).
    pub left_out: Vec<LeftOut>,
    /// What was not understood and passed over.
    pub passed_over: Vec<Diagnostic>,
    /// Where the first item that was understood begins: the file itself comes before those that it includes.
    pub first_understood: Option<Location>,
}

/// Parses a file. Linear in the number of tokens. The call stack grows with the nesting of expressions, by some hundred bytes each
/// (see [`Limits::nesting`]), not with that of statements. `tokens` ends with [`TokenKind::End`].
pub fn parse(tokens: &[Token], symbols: &mut Symbols, options: &Options) -> Parsed {
    let mut parser = Parser::new(tokens, symbols, options);
    parser.file();
    let tree = Tree { scopes: std::mem::take(&mut parser.names.scopes), ..std::mem::take(&mut parser.tree) };
    let Parser { diagnostics, left_out, passed_over, first_understood, .. } = parser;
    Parsed { tree, diagnostics, left_out, passed_over, first_understood }
}

/// The construct cannot be parsed; the reason is in [`Parser::failure`].
#[derive(Debug, Clone, Copy)]
struct Stop;

type Parse<T> = Result<T, Stop>;

struct Parser<'a> {
    /// Without pragmas.
    tokens: Cow<'a, [Token]>,
    /// What each token is, and some times [`Word::End`]. Half of a `>>` that was taken is `>`.
    words: Vec<Word>,
    at: usize,
    symbols: &'a mut Symbols,
    limits: Limits,
    is_cpp: bool,
    is_opencl: bool,
    has_host: bool,
    /// Whether what is not understood costs only the function or declaration that it is in.
    is_tolerant: bool,
    /// The names that stood for types so far, though nothing declares them.
    unknown_types: FxHashSet<Symbol>,
    names: Names,
    /// The concepts that are declared so far.
    concepts: FxHashSet<Symbol>,
    /// Whether a template that is read has a constraint.
    is_constrained: bool,
    tree: Tree,
    diagnostics: Vec<Diagnostic>,
    left_out: Vec<LeftOut>,
    passed_over: Vec<Diagnostic>,
    first_understood: Option<Location>,
    failure: Option<Diagnostic>,
    /// Whether the body of a function is parsed.
    is_in_body: bool,
    /// Whether a default argument is parsed.
    may_be_lambda: bool,
    /// The name of the function whose body is parsed.
    function: Option<Name>,
    /// The bodies of functions of the classes that are open, which are read when the outermost one is complete.
    delayed: Vec<members::Delayed>,
    /// The parameters of the templates of classes in a class that are open, which its bodies are read with.
    around_bodies: Vec<(Name, names::Kind)>,
    /// How many classes with names are open.
    open_classes: usize,
    /// Whether something in the class at hand was not understood.
    is_record_partial: bool,
    /// How many errors were reported.
    errors: usize,
    /// Whether there were too many: the parser is at the end of the file.
    has_given_up: bool,
    nesting: usize,
    /// Whether `>` ends the expression, being in a list of template arguments.
    stops_at_greater: bool,
    /// Where the `<` of the latest template's parameters is.
    header: usize,
    /// How many braces of `extern "C"` are open.
    extern_c: u32,
    /// Elements of lists that are not finished: arguments, and statements of blocks.
    expressions: Vec<Expr>,
    statements: Vec<Stmt>,
    /// The last name that a declarator of the item declared, as far as it came.
    declared: Option<Name>,
    /// The template arguments behind that name.
    declared_arguments: Option<Vec<TemplateArgument>>,
    /// What stands after the name of its class, in an explicit specialisation.
    declared_class_arguments: Option<Vec<TemplateArgument>>,
    /// Where a function begins that was found inside of another one, whose `}` is missing.
    misplaced_function: Option<usize>,
    /// Where a name stands that is too long.
    exceeded_at: Option<Location>,
    /// The tokens at which variables of the function at hand may be changed, the last one for each.
    changes: FxHashMap<Symbol, usize>,
    /// The lambdas of the function at hand, with the tokens that they begin at.
    lambdas: Vec<(Large, usize)>,
    /// The names of packs, in whatever template.
    packs: FxHashSet<Symbol>,
    /// How many parameters of lambdas have `auto` for their types.
    autos: usize,
}

/// Pushes to a list that mostly has one element: the first one takes no room for more.
fn push_one<T>(list: &mut Vec<T>, element: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(element);
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], symbols: &'a mut Symbols, options: &Options) -> Parser<'a> {
        let (dialect, limits) = (options.dialect, options.limits);
        let table = Words::new(dialect, symbols);
        let mut names = Names::new(limits);
        types::declare(dialect, &mut names, symbols);
        let mut words = Vec::with_capacity(tokens.len() + AHEAD);
        let mut has_pragmas = false;
        words.extend(tokens.iter().map(|token| {
            has_pragmas |= token.kind == TokenKind::Pragma;
            table.of(token)
        }));
        let ends = tokens.last().is_some_and(|token| token.kind == TokenKind::End);
        let mut tokens = Cow::Borrowed(tokens);
        if has_pragmas || !ends {
            tokens.to_mut().retain(|token| token.kind != TokenKind::Pragma);
            if !ends {
                let location = tokens.last().map_or(Location::NONE, |token| token.location);
                let symbol = symbols.intern("");
                let kind = TokenKind::End;
                tokens.to_mut().push(Token { kind, starts_line: true, from_macro: false, symbol, location });
            }
            words.clear();
            words.extend(tokens.iter().map(|token| table.of(token)));
        }
        words.extend([Word::End; AHEAD]);
        let mut tree = Tree::default();
        // More than there will be: what is not used is not touched.
        tree.expressions.reserve(tokens.len());
        tree.statements.reserve(tokens.len() / 4);
        tree.declarations.reserve(tokens.len() / 4);
        tree.extents.operators.reserve(tokens.len() / 4);
        tree.extents.postfix.reserve(tokens.len() / 4);
        tree.extents.calls.reserve(tokens.len() / 8);
        Parser {
            tokens,
            words,
            at: 0,
            symbols,
            limits,
            is_cpp: dialect.is_cpp(),
            is_opencl: dialect == Dialect::OpenCl,
            has_host: dialect.has_host(),
            is_tolerant: options.is_tolerant(),
            unknown_types: FxHashSet::default(),
            concepts: FxHashSet::default(),
            is_constrained: false,
            names,
            tree,
            diagnostics: Vec::new(),
            left_out: Vec::new(),
            passed_over: Vec::new(),
            first_understood: None,
            failure: None,
            is_in_body: false,
            may_be_lambda: false,
            function: None,
            delayed: Vec::new(),
            around_bodies: Vec::new(),
            open_classes: 0,
            is_record_partial: false,
            errors: 0,
            has_given_up: false,
            nesting: 0,
            stops_at_greater: false,
            header: 0,
            extern_c: 0,
            expressions: Vec::new(),
            statements: Vec::new(),
            declared: None,
            declared_arguments: None,
            declared_class_arguments: None,
            misplaced_function: None,
            exceeded_at: None,
            changes: FxHashMap::default(),
            lambdas: Vec::new(),
            packs: FxHashSet::default(),
            autos: 0,
        }
    }

    fn word(&self) -> Word {
        self.words[self.at]
    }

    /// The word some tokens ahead, at most three.
    fn ahead(&self, by: usize) -> Word {
        self.words[self.at + by]
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn symbol(&self) -> Symbol {
        self.tokens[self.at].symbol
    }

    fn location(&self) -> Location {
        self.tokens[self.at].location
    }

    /// Where the token before this one is.
    fn last_location(&self) -> Location {
        self.tokens[self.at.saturating_sub(1)].location
    }

    fn advance(&mut self) {
        if self.words[self.at] != Word::End {
            self.at += 1;
        }
    }

    fn eat(&mut self, word: Word) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    /// Takes `word`; `spelled` and `place` are for the message: "expected `)` after the condition, found …".
    fn expect(&mut self, word: Word, spelled: &str, place: &str) -> Parse<()> {
        if self.word() == word {
            self.advance();
            return Ok(());
        }
        Err(self.expected(&format!("`{spelled}` {place}")))
    }

    /// Takes a name; `what` is for the message: "expected the name of a label, found …".
    fn expect_name(&mut self, what: &str) -> Parse<(Symbol, Location)> {
        if self.word() != Word::Name {
            return Err(self.expected(what));
        }
        let token = self.token();
        self.advance();
        Ok((token.symbol, token.location))
    }

    /// Takes a `;`. One that is missing at the end of a line is only reported.
    fn expect_semicolon(&mut self, place: &str) -> Parse<()> {
        if self.eat(Word::Semicolon) {
            return Ok(());
        }
        let stop = self.expected(&format!("`;` {place}"));
        if self.word() == Word::RightBrace || self.token().starts_line && self.word() != Word::End {
            self.report();
            return Ok(());
        }
        Err(stop)
    }

    /// A name with the scopes around it.
    fn text(&self, name: Name) -> Cow<'_, str> {
        self.names.scopes.text(name, self.symbols)
    }

    /// How the token is named in messages.
    fn found(&self) -> String {
        if self.word() == Word::End {
            return "the end of the file".into();
        }
        let text = self.symbols.text(self.symbol());
        match text.char_indices().nth(40) {
            Some((end, _)) => format!("`{}…`", &text[..end]),
            None => format!("`{text}`"),
        }
    }

    #[cold]
    fn expected(&mut self, what: &str) -> Stop {
        let message = format!("expected {what}, found {}", self.found());
        self.fail(Diagnostic::error(self.location(), message))
    }

    #[cold]
    fn error(&mut self, location: Location, message: impl Into<String>) -> Stop {
        self.fail(Diagnostic::error(location, message))
    }

    /// `what` is a sentence's subject: "a lambda", "`new`".
    #[cold]
    fn unsupported(&mut self, location: Location, what: &str) -> Stop {
        self.fail(Diagnostic::unsupported(location, format!("{what} is not supported by the built-in front end")))
    }

    #[cold]
    fn unsupported_keyword(&mut self) -> Stop {
        let what = self.found();
        self.unsupported(self.location(), &what)
    }

    #[cold]
    fn fail(&mut self, diagnostic: Diagnostic) -> Stop {
        // The first reason is the one that matters.
        self.failure.get_or_insert(diagnostic);
        Stop
    }

    /// Reports what is too large for a limit, after which nothing is read any more.
    #[cold]
    fn give_up(&mut self, diagnostic: Diagnostic) {
        self.failure = Some(diagnostic);
        self.report();
        self.has_given_up = true;
        self.at = self.tokens.len() - 1;
    }

    /// Gives up where a name has become too long, or too far inside.
    #[inline]
    fn check_names(&mut self) {
        if self.names.is_exceeded() {
            self.give_up_names();
        }
    }

    #[cold]
    fn give_up_names(&mut self) {
        let Some(exceeded) = self.names.take_exceeded() else { return };
        let location = self.exceeded_at.take().unwrap_or(self.last_location());
        if self.has_given_up {
            return;
        }
        let Limits { qualifiers, name_length, .. } = self.limits;
        self.give_up(match exceeded {
            Exceeded::Qualifiers => {
                let message = format!("a name in more than {qualifiers} namespaces and types");
                Diagnostic::limit(location, message).raised_by("qualifiers")
            }
            Exceeded::Length => {
                let message =
                    format!("a name of more than {name_length} bytes with the namespaces and types around it");
                Diagnostic::limit(location, message).raised_by("name-length")
            }
        });
    }

    /// Counts one more level of nesting, which [`Parser::rise`] ends.
    fn descend(&mut self) -> Parse<()> {
        self.nesting += 1;
        let limit = self.limits.nesting.min(Limits::MOST_NESTING);
        if self.nesting > limit {
            let message = format!("nested more than {limit} deep");
            return Err(self.fail(Diagnostic::limit(self.location(), message).raised_by("nesting")));
        }
        Ok(())
    }

    fn rise(&mut self) {
        self.nesting -= 1;
    }

    /// Notes that the variable that an expression is may be changed by what it is an operand of.
    #[inline]
    fn note_change(&mut self, operand: Expr) {
        self.note_changes(operand, self.at);
    }

    /// Notes that the variable that an expression is may be changed from now on without being named.
    #[inline]
    fn note_exposed(&mut self, operand: Expr) {
        self.note_changes(operand, usize::MAX);
    }

    fn note_changes(&mut self, mut operand: Expr, until: usize) {
        while self.is_cpp {
            match self.tree.expressions[operand].kind {
                ExprKind::Name(name) => {
                    if let NameKind::Plain(spelling) = name.kind() {
                        let known = self.changes.entry(spelling).or_default();
                        *known = until.max(*known);
                    }
                    return;
                }
                ExprKind::Comma(_, last) => operand = last,
                ExprKind::Large(number) => match self.tree.large[number] {
                    LargeKind::Conditional(_, then, otherwise) => {
                        self.note_changes(then, until);
                        operand = otherwise;
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// What needs no extent: it is one token, or has no code.
    #[inline]
    fn expression_of(&mut self, kind: ExprKind, location: Location) -> Expr {
        self.tree.expressions.push(ExprData { kind, location })
    }

    /// An operator with its operands, which begins at the token `first` and ends before the token that is next.
    #[inline]
    fn operator_of(&mut self, first: Location, kind: ExprKind, location: Location) -> Expr {
        let extent = TokenRange { first, last: self.last_location() };
        self.tree.extents.operators.push((location, extent));
        self.expression_of(kind, location)
    }

    /// An operand that begins at the token `first`, with what stands behind it and ends before the token that is next.
    #[inline]
    fn postfix_expression_of(&mut self, first: Location, kind: ExprKind, location: Location) -> Expr {
        let made = self.expression_of(kind, location);
        self.tree.extents.postfix.push((made, TokenRange { first, last: self.last_location() }));
        made
    }

    /// An expression that takes more room than most.
    fn large_expression_of(&mut self, kind: LargeKind, location: Location) -> Expr {
        let large = self.tree.large.push(kind);
        self.expression_of(ExprKind::Large(large), location)
    }

    fn large_operator_of(&mut self, first: Location, kind: LargeKind, location: Location) -> Expr {
        let large = self.tree.large.push(kind);
        self.operator_of(first, ExprKind::Large(large), location)
    }
}
