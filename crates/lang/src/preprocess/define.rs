//! Macros: what is defined, and the directives `#define` and `#undef`.

use std::ops::{Index, IndexMut};
use std::rc::Rc;

use super::Preprocessor;
use super::pp_token::{LINE, PpToken, SPACE};
use super::punctuator::Punctuator;
use super::scan::Kind;
use super::special::Special;
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;

/// A definition that was ever made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MacroId(u32);

/// A definition of a macro.
#[derive(Debug, Clone)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// Where it is defined; none for those that are computed.
    pub(super) location: Location,
    pub(super) kind: MacroKind,
    /// What it is replaced by. A parameter has the kind [`Kind::Parameter`], and its number.
    pub(super) body: Rc<[PpToken]>,
    /// Whether the body has to go through substitution even without parameters: `##` or `__VA_OPT__` stands in it.
    pub(super) has_operators: bool,
    /// Whether it is being replaced: a name met meanwhile is not.
    pub(super) is_off: bool,
}

/// How a macro is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MacroKind {
    /// `#define NAME body`.
    Object,
    /// `#define NAME(parameters) body`; the last parameter takes all the rest if it is variadic.
    Function { parameters: Rc<[Symbol]>, is_variadic: bool },
    /// Computed.
    Special(Special),
}

/// The macros.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    all: Vec<Macro>,
    /// By symbol: the number of the definition in force, from 1; 0 where there is none.
    current: Vec<u32>,
    /// What `#pragma push_macro` has put away.
    pushed: Vec<(Symbol, Option<MacroId>)>,
}

impl Definitions {
    /// The definition of a name.
    #[inline]
    pub(super) fn find(&self, name: Symbol) -> Option<MacroId> {
        let number = self.current.get(name.0 as usize).copied().unwrap_or(0);
        number.checked_sub(1).map(MacroId)
    }

    pub(super) fn add(&mut self, definition: Macro) {
        let name = definition.name;
        self.all.push(definition);
        self.set(name, Some(MacroId(self.all.len() as u32 - 1)));
    }

    fn set(&mut self, name: Symbol, id: Option<MacroId>) {
        let index = name.0 as usize;
        if self.current.len() <= index {
            self.current.resize(index + 1, 0);
        }
        self.current[index] = id.map_or(0, |id| id.0 + 1);
    }

    /// `#pragma push_macro("NAME")`.
    pub(super) fn push(&mut self, name: Symbol) {
        self.pushed.push((name, self.find(name)));
    }

    /// `#pragma pop_macro("NAME")`: false if nothing was pushed.
    pub(super) fn pop(&mut self, name: Symbol) -> bool {
        let Some(last) = self.pushed.iter().rposition(|&(pushed, _)| pushed == name) else { return false };
        let (_, id) = self.pushed.remove(last);
        self.set(name, id);
        true
    }
}

impl Index<MacroId> for Definitions {
    type Output = Macro;

    fn index(&self, id: MacroId) -> &Macro {
        &self.all[id.0 as usize]
    }
}

impl IndexMut<MacroId> for Definitions {
    fn index_mut(&mut self, id: MacroId) -> &mut Macro {
        &mut self.all[id.0 as usize]
    }
}

impl Macro {
    /// Whether another definition says the same: the same tokens, with white space at the same places.
    fn is_same(&self, other: &Macro) -> bool {
        let same_token = |(index, (left, right)): (usize, (&PpToken, &PpToken))| {
            (left.kind, left.which, left.symbol) == (right.kind, right.which, right.symbol)
                && (index == 0 || left.has(SPACE) == right.has(SPACE))
        };
        self.kind == other.kind
            && self.body.len() == other.body.len()
            && self.body.iter().zip(other.body.iter()).enumerate().all(same_token)
    }
}

/// The parameters of a macro that is being defined.
struct Parameters {
    names: Vec<Symbol>,
    is_variadic: bool,
}

impl Preprocessor<'_> {
    /// After `#define`.
    pub(super) fn define(&mut self) {
        let name = self.scan(true);
        if let Err(diagnostic) = self.define_named(name) {
            self.skip_line();
            self.report(diagnostic);
        }
    }

    fn define_named(&mut self, name: PpToken) -> Result<(), Diagnostic> {
        self.expect_macro_name(name)?;
        let mut tokens = self.take_vector();
        let first = self.scan(true);
        let parameters = if first.is(Punctuator::LeftParen) && !first.has(SPACE) {
            let parameters = self.parameters()?;
            self.rest_of_line(&mut tokens);
            Some(parameters)
        } else {
            if first.kind != Kind::EndOfLine {
                if !first.has(SPACE) {
                    self.warning(first.location, "white space is missing after the name of the macro");
                }
                tokens.push(first);
                self.rest_of_line(&mut tokens);
            }
            None
        };
        let has_operators = self.prepare_body(&mut tokens, parameters.as_ref())?;
        let kind = match parameters {
            None => MacroKind::Object,
            Some(Parameters { names, is_variadic }) => MacroKind::Function { parameters: names.into(), is_variadic },
        };
        self.note_kernel_macro(name.symbol, &tokens);
        let (symbol, location, body) = (name.symbol, name.location, tokens.as_slice().into());
        self.give_back(tokens);
        self.add_definition(Macro { name: symbol, location, kind, body, has_operators, is_off: false });
        Ok(())
    }

    fn add_definition(&mut self, definition: Macro) {
        if let Some(id) = self.definitions.find(definition.name) {
            let previous = &self.definitions[id];
            if !previous.is_same(&definition) {
                let name = self.symbols.text(definition.name);
                let mut warning = Diagnostic::warning(
                    definition.location,
                    format!("the macro `{name}` is defined again, differently"),
                );
                if previous.location != Location::NONE {
                    warning = warning.with(previous.location, "the first definition is here");
                }
                self.report(warning);
            }
        }
        self.definitions.add(definition);
    }

    /// After `#undef`.
    pub(super) fn undefine(&mut self) {
        let name = self.scan(true);
        if let Err(diagnostic) = self.expect_macro_name(name) {
            self.skip_line();
            return self.report(diagnostic);
        }
        if let Some(id) = self.definitions.find(name.symbol) {
            if matches!(self.definitions[id].kind, MacroKind::Special(_)) {
                let message = format!("the macro `{}` is a part of the language", self.text(name));
                self.warning(name.location, message);
            }
            self.definitions.set(name.symbol, None);
        }
        self.expect_end_of_line("#undef");
    }

    /// An error if a token cannot be the name of a macro.
    pub(super) fn expect_macro_name(&mut self, name: PpToken) -> Result<(), Diagnostic> {
        if name.kind == Kind::EndOfLine {
            return Err(Diagnostic::error(name.location, "the name of a macro is missing"));
        }
        let text = self.text(name);
        let is_operator = self.options.dialect.is_cpp() && Punctuator::of_word(text).is_some();
        if name.kind != Kind::Identifier || is_operator || text == "defined" || text == "__VA_OPT__" {
            return Err(Diagnostic::error(name.location, format!("`{text}` cannot be the name of a macro")));
        }
        Ok(())
    }

    /// After the opening parenthesis.
    fn parameters(&mut self) -> Result<Parameters, Diagnostic> {
        let mut parameters = Parameters { names: Vec::new(), is_variadic: false };
        let mut token = self.scan(true);
        if token.is(Punctuator::RightParen) {
            return Ok(parameters);
        }
        loop {
            if token.is(Punctuator::Ellipsis) {
                parameters.names.push(self.variadic_names[1]);
                parameters.is_variadic = true;
                token = self.scan(true);
            } else if token.kind == Kind::Identifier {
                let name = self.text(token);
                if name == "__VA_ARGS__" || name == "__VA_OPT__" {
                    return Err(Diagnostic::error(
                        token.location,
                        format!("`{name}` cannot be the name of a parameter"),
                    ));
                }
                if parameters.names.contains(&token.symbol) {
                    return Err(Diagnostic::error(token.location, format!("there are two parameters `{name}`")));
                }
                if parameters.names.len() == usize::from(u16::MAX) {
                    return Err(Diagnostic::limit(token.location, "the macro has more than 65535 parameters"));
                }
                parameters.names.push(token.symbol);
                token = self.scan(true);
                if token.is(Punctuator::Ellipsis) {
                    parameters.is_variadic = true;
                    token = self.scan(true);
                }
            } else {
                return Err(Diagnostic::error(token.location, "a parameter of the macro is expected here"));
            }
            if token.is(Punctuator::RightParen) {
                return Ok(parameters);
            }
            if !token.is(Punctuator::Comma) || parameters.is_variadic {
                let expected = if parameters.is_variadic { "`)`" } else { "`,` or `)`" };
                return Err(Diagnostic::error(
                    token.location,
                    format!("{expected} is expected in the parameters of the macro"),
                ));
            }
            token = self.scan(true);
        }
    }

    /// Numbers the parameters in a body and checks its operators. Whether there are any.
    fn prepare_body(&mut self, body: &mut [PpToken], parameters: Option<&Parameters>) -> Result<bool, Diagnostic> {
        let numbers: rustc_hash::FxHashMap<Symbol, usize> = parameters
            .into_iter()
            .flat_map(|parameters| parameters.names.iter().enumerate().map(|(index, &name)| (name, index)))
            .collect();
        let is_variadic = parameters.is_some_and(|parameters| parameters.is_variadic);
        let [option, arguments] = self.variadic_names;
        let mut has_operators = false;
        for token in body.iter_mut() {
            token.flags &= !LINE;
            if token.kind == Kind::Identifier {
                if let Some(&number) = numbers.get(&token.symbol) {
                    token.kind = Kind::Parameter;
                    token.which = number as u16;
                } else if token.symbol == option && is_variadic {
                    token.kind = Kind::VariadicOption;
                    has_operators = true;
                } else if token.symbol == arguments {
                    let message = "`__VA_ARGS__` stands in a macro that takes no variable arguments";
                    return Err(Diagnostic::error(token.location, message));
                }
            }
            has_operators |= token.is(Punctuator::HashHash);
        }
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            for token in [first, last] {
                if token.is(Punctuator::HashHash) {
                    return Err(Diagnostic::error(token.location, "`##` cannot be at an end of a macro"));
                }
            }
        }
        if parameters.is_some() {
            self.check_stringification(body)?;
        }
        check_variadic_options(body)?;
        Ok(has_operators)
    }

    /// In a macro with parameters, `#` stands before one.
    fn check_stringification(&self, body: &[PpToken]) -> Result<(), Diagnostic> {
        for (index, token) in body.iter().enumerate() {
            let operand = body.get(index + 1).map(|next| next.kind);
            if token.is(Punctuator::Hash) && !matches!(operand, Some(Kind::Parameter | Kind::VariadicOption)) {
                return Err(Diagnostic::error(token.location, "`#` stands before something that is no parameter"));
            }
        }
        Ok(())
    }
}

/// `__VA_OPT__` has parentheses that close, is not nested, and `##` is not at an end of what stands in it.
fn check_variadic_options(body: &[PpToken]) -> Result<(), Diagnostic> {
    let mut index = 0;
    while index < body.len() {
        if body[index].kind == Kind::VariadicOption {
            let inner = variadic_option(body, index)
                .ok_or_else(|| Diagnostic::error(body[index].location, "`__VA_OPT__` is not followed by `( … )`"))?;
            let inside = &body[inner.clone()];
            if let Some(nested) = inside.iter().find(|token| token.kind == Kind::VariadicOption) {
                return Err(Diagnostic::error(nested.location, "`__VA_OPT__` stands in `__VA_OPT__`"));
            }
            if let Some(operator) =
                [inside.first(), inside.last()].into_iter().flatten().find(|t| t.is(Punctuator::HashHash))
            {
                return Err(Diagnostic::error(operator.location, "`##` cannot be at an end of `__VA_OPT__`"));
            }
            index = inner.end;
        }
        index += 1;
    }
    Ok(())
}

/// What stands in the parentheses after the `__VA_OPT__` at an index; the closing one is at the end of the range.
pub(super) fn variadic_option(body: &[PpToken], index: usize) -> Option<std::ops::Range<usize>> {
    if !body.get(index + 1)?.is(Punctuator::LeftParen) {
        return None;
    }
    let mut depth = 0;
    for (at, token) in body.iter().enumerate().skip(index + 1) {
        if token.is(Punctuator::LeftParen) {
            depth += 1;
        } else if token.is(Punctuator::RightParen) {
            depth -= 1;
            if depth == 0 {
                return Some(index + 2..at);
            }
        }
    }
    None
}
