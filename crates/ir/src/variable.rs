//! Global variables and aliases, read from the text when they are asked for.
//!
//! The index of a module knows that a symbol names a variable, and where; what it is made of is read here, into
//! tables of its own. Invariant: the values of an initializer are constants, and so are their operands.

use crate::function::{Function, Value};
use crate::module::{Module, Symbol, SymbolKind};
use crate::opcode::Linkage;
use crate::text::Span;
use crate::types::Type;

/// A global variable or constant.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub symbol: Symbol,
    /// The type of its content.
    pub ty: Type,
    /// The type of its address, which says the address space.
    pub pointer: Type,
    /// Whether it is never written.
    pub constant: bool,
    /// Who can see it.
    pub linkage: Linkage,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether something outside of the module sets it before the program runs.
    pub externally_initialized: bool,
    /// Its content at first, a constant in [`tables`](Variable::tables); nothing if it is only declared.
    pub initializer: Option<Value>,
    /// The alignment in bytes, when stated.
    pub alignment: Option<u64>,
    /// The section, with its quotes, when stated.
    pub section: Option<Span>,
    /// The initializer and its parts, as the constants of a function without body.
    pub tables: Function,
}

/// Another name for a symbol, or for an address that is computed from one.
#[derive(Debug, Clone)]
pub struct Alias {
    /// Its name.
    pub symbol: Symbol,
    /// The address that it stands for, a constant in [`tables`](Alias::tables).
    pub aliasee: Value,
    /// The address and its parts, as the constants of a function without body.
    pub tables: Function,
}

impl Module<'_> {
    /// The symbols that name variables, in the order of the text; O(symbols).
    pub fn variable_symbols(&self) -> Vec<Symbol> {
        let variables = self.symbols.iter().filter(|(_, data)| data.kind == SymbolKind::Variable);
        let mut symbols: Vec<Symbol> = variables.map(|(symbol, _)| symbol).collect();
        symbols.sort_by_key(|&symbol| self.symbols[symbol].name.start);
        symbols
    }
}
