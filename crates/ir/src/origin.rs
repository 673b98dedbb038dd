//! What the instructions and parameters of a module are in the files that a user wrote.
//!
//! **Definition.** The *origin* of an instruction is the part of the source whose value it computes, whose effect it has, or on which it
//! decides: a variable that is read, an expression, a call, a condition. That of a parameter or a global variable is the variable
//! that is declared, that of a function its name.
//!
//! There are two producers. A front end that writes IR writes a table beside it, in the same pass ([`Origins`]): it knows the extent of each
//! expression. Where IR comes from elsewhere, its debug information is asked: it knows names and lines, and is decoded when somebody asks for
//! one function ([`FunctionOrigins`], which answers from either). Where our front end has read what another compiler made IR of, the table has what both know
//! the place of, and debug information the rest.
//!
//! **Invariant.** Nothing here guesses. What no table and no debug information names has no origin, and a place without an extent is a line
//! and a column.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::function::{Definition, Function, Inst, LocalName, Value};
use crate::module::{FunctionId, Module, Symbol};

mod debug;
mod table;

use debug::DebugVariables;
pub use table::{FileId, NameId, OriginId, Origins, Record};

/// Where headers seem to lie that are built into our front end: what is done in their functions is done, for who reads about it, at the call.
pub const BUILT_IN_HEADERS: &str = "<built-in headers>";

/// What an instruction, a parameter or a function is in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What it is there.
    pub what: What,
    /// Where that is written. What a macro made is where the outermost macro is used.
    pub place: Place,
    /// Where the function around it was inlined, the innermost call first.
    pub inlined_at: Vec<Place>,
}

/// What a part of the source is. `Name` is how names are kept: as text, or as numbers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What<Name = Arc<str>> {
    /// A variable, of a function or not, or a parameter; as declared.
    Variable(Name),
    /// A function; as declared, with template arguments.
    Function(Name),
    /// An expression that is none of the others, or a part of a statement.
    Expression,
    /// A call of a function, by the name that is written there, or an instruction of inline assembly, by its mnemonic.
    Call(Name),
    /// What decides where threads go next.
    Condition(Condition),
}

/// Who asks for a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `if`.
    If,
    /// `while`.
    While,
    /// `do … while`.
    Do,
    /// `for`.
    For,
    /// `switch`.
    Switch,
    /// `goto *address`.
    Goto,
    /// `? :`.
    Conditional,
    /// The left side of `&&`.
    And,
    /// The left side of `||`.
    Or,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Where in it.
    pub extent: Extent,
}

/// A file of the source.
#[derive(Debug)]
pub struct SourceFile {
    /// Its name: as the front end found it, or as debug information has it (with the directory, unless the name is absolute).
    pub path: PathBuf,
    /// What it holds, where that is known.
    pub text: Option<Arc<String>>,
    /// Where its lines start, once somebody has asked.
    starts: OnceLock<Vec<usize>>,
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &SourceFile) -> bool {
        (&self.path, &self.text) == (&other.path, &other.text)
    }
}

impl Eq for SourceFile {}

impl SourceFile {
    /// A file of this name that holds this, if that is known.
    pub fn new(path: impl Into<PathBuf>, text: Option<Arc<String>>) -> SourceFile {
        SourceFile { path: path.into(), text, starts: OnceLock::new() }
    }

    /// The byte of its text at a line and a column in bytes, both from 1. None where it has no text, or no such place.
    pub fn offset(&self, line: u32, column: u32) -> Option<u32> {
        let starts = self.starts()?;
        let (line, column) = (line.checked_sub(1)? as usize, column.checked_sub(1)? as usize);
        let end = starts.get(line + 1).copied().or_else(|| Some(self.text.as_ref()?.len()))?;
        let offset = starts.get(line)? + column;
        (offset < end).then_some(offset as u32)
    }

    fn starts(&self) -> Option<&[usize]> {
        let text = self.text.as_ref()?.as_bytes();
        let newlines = || memchr::memchr_iter(b'\n', text).map(|newline| newline + 1);
        Some(self.starts.get_or_init(|| std::iter::once(0).chain(newlines()).collect()))
    }

    /// The line and the column in bytes of a byte of its text, both from 1; the first time O(text), then O(log lines).
    fn position(&self, offset: usize) -> Option<(u32, u32)> {
        let starts = self.starts()?;
        let offset = offset.min(self.text.as_ref()?.len());
        let line = starts.partition_point(|&start| start <= offset);
        Some((line as u32, (offset - starts[line - 1] + 1) as u32))
    }
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Extent {
    /// From the first byte to behind the last one.
    Bytes(Range<u32>),
    /// A place of which only the start is known.
    Line {
        /** From 1. */
        line: u32,
        /** In bytes, from 1; 0 if it is not known. */
        column: u32,
    },
}

impl Place {
    /// What is written there, if the extent and the file are known.
    pub fn text(&self) -> Option<&str> {
        let (Extent::Bytes(range), Some(text)) = (&self.extent, &self.file.text) else { return None };
        text.get(range.start as usize..range.end as usize)
    }

    /// The line and the column in bytes, both from 1; column 0 where only the line is known. None where the file's text would be needed and is not known.
    /// O(log lines), but for the first place of a file.
    pub fn line(&self) -> Option<(u32, u32)> {
        match &self.extent {
            &Extent::Line { line, column } => Some((line, column)),
            Extent::Bytes(range) => self.file.position(range.start as usize),
        }
    }
}

/// The origins of one function that was read: from the table of its module, or from its debug information if there is no table.
///
/// Making one costs nothing. Of debug information, the first question costs O(instructions of the function), each further one O(1) and the length of the chain of calls
/// that were inlined.
#[derive(Debug)]
pub struct FunctionOrigins<'a, 't> {
    module: &'a Module<'t>,
    id: FunctionId,
    function: &'a Function,
    table: Option<&'a Origins>,
    variables: OnceCell<DebugVariables>,
}

impl<'a, 't> FunctionOrigins<'a, 't> {
    /// Of the function `id`, whose body was read into `function`.
    pub fn new(module: &'a Module<'t>, id: FunctionId, function: &'a Function, table: Option<&'a Origins>) -> Self {
        FunctionOrigins { module, id, function, table, variables: OnceCell::new() }
    }

    /// What an instruction is.
    pub fn of_instruction(&self, inst: Inst) -> Option<Origin> {
        let of_debug = || self.variables().of_instruction(self.module, self.function, inst);
        of_table(self.table, self.function.instructions[inst].span.start, of_debug)
    }

    /// What a parameter is, by its index.
    pub fn of_parameter(&self, index: usize) -> Option<Origin> {
        let of_debug = || self.variables().of_value(self.module, self.function, *self.function.parameters.get(index)?);
        match *self.function.parameter_names.get(index)? {
            LocalName::Text(name) => of_table(self.table, name.start, of_debug),
            LocalName::Number(_) if self.table.is_some_and(|table| !table.is_partial()) => None,
            LocalName::Number(_) => of_debug(),
        }
    }

    /// What a value is: a parameter or the result of an instruction. Constants have no origin.
    pub fn of_value(&self, value: Value) -> Option<Origin> {
        match self.function.values[value].definition {
            Definition::Parameter(index) => self.of_parameter(index as usize),
            Definition::Instruction(inst) => self.of_instruction(inst),
            Definition::Constant(_) | Definition::Pending(_) => None,
        }
    }

    /// What the function is.
    pub fn of_function(&self) -> Option<Origin> {
        self.module.function_origin(self.id, self.table)
    }

    /// The function and its variables, where debug information says that they are declared.
    pub fn declarations(&self) -> Vec<Origin> {
        let function = debug::of_function(self.module, self.id);
        function.into_iter().chain(self.variables().declared(self.module)).collect()
    }

    fn variables(&self) -> &DebugVariables {
        self.variables.get_or_init(|| DebugVariables::new(self.module, self.function))
    }
}

impl Module<'_> {
    /// What a function is in the source, defined or declared: from the table of the module, or from debug information if there is no table.
    pub fn function_origin(&self, function: FunctionId, table: Option<&Origins>) -> Option<Origin> {
        of_table(table, self.functions[function].header.start, || debug::of_function(self, function))
    }

    /// What a global variable is in the source, from the same. O(length of its line).
    pub fn variable_origin(&self, variable: Symbol, table: Option<&Origins>) -> Option<Origin> {
        of_table(table, self.symbols[variable].name.start, || debug::of_global(self, variable))
    }
}

/// What a table says of a byte of the text, and debug information where there is no table, or what it lacks is to be asked there.
fn of_table(table: Option<&Origins>, at: u32, of_debug: impl FnOnce() -> Option<Origin>) -> Option<Origin> {
    match table {
        Some(table) if table.is_partial() => table.at(at).or_else(of_debug),
        Some(table) => table.at(at),
        None => of_debug(),
    }
}
