//! A module: the index of a text.
//!
//! Invariant: a [`Module`] knows every top-level entity by name and place, and no body; bodies are
//! read one at a time with a [`FunctionReader`](crate::FunctionReader). All names are spans of the text.

use std::borrow::Cow;

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::function::{BundleData, InstData, LocalName, MetadataNumber};
use crate::opcode::Linkage;
use crate::text::{self, Position, Span};
use crate::types::{NamedType, Type, TypeTable};

/// A name with an `@`: a function, variable, alias or ifunc.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);
entity_impl!(Symbol, "symbol");

/// A function, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// The index of a text.
#[derive(Debug)]
pub struct Module<'t> {
    /// The text.
    pub text: &'t [u8],
    /// Every type that the module, or a body read so far, mentions.
    pub types: TypeTable,
    /// The named types.
    pub named_types: PrimaryMap<NamedType, NamedTypeData>,
    /// The functions, in the order of the text.
    pub functions: PrimaryMap<FunctionId, FunctionData>,
    /// The symbols, by first mention.
    pub symbols: PrimaryMap<Symbol, SymbolData>,
    /// The attribute groups, by number.
    pub attribute_groups: FxHashMap<u32, AttributeGroup>,
    /// The numbered metadata nodes: the text behind the `=`, without `distinct`.
    pub metadata: FxHashMap<MetadataNumber, Span>,
    /// The target triple, with its quotes.
    pub triple: Option<Span>,
    /// The data layout, with its quotes; see [`DataLayout`](crate::layout::DataLayout).
    pub data_layout: Option<Span>,
    /// The type of functions' addresses, where their address space is not spelled.
    pub program_pointer: Type,
    /// The name of the source file, with its quotes.
    pub source_file: Option<Span>,
    /// Whether a variable, or what stands for one, is each thread's own.
    pub has_thread_locals: bool,
    /// Whether there is `!nvvm.annotations`.
    pub(crate) has_annotations: bool,
    /// Where symbols are used outside of bodies, such as in initializers; each with the place of its name.
    pub top_level_uses: Vec<(Symbol, Span)>,
    /// The symbols of the convergence control intrinsics that the module mentions.
    pub(crate) convergence_intrinsics: [Option<Symbol>; 3],
    pub(crate) symbol_index: FxHashMap<Cow<'t, [u8]>, Symbol>,
    pub(crate) type_index: FxHashMap<Cow<'t, [u8]>, NamedType>,
}

/// A named type.
#[derive(Debug, Clone, Copy)]
pub struct NamedTypeData {
    /// The name, possibly quoted, without the sigil.
    pub name: Span,
    /// The struct that it names; nothing if it is opaque.
    pub body: Option<Type>,
    /// What it stands for if it is not a struct.
    pub alias: Option<Type>,
    pub(crate) defined: bool,
}

/// A symbol.
#[derive(Debug, Clone, Copy)]
pub struct SymbolData {
    /// The name, possibly quoted, without the sigil.
    pub name: Span,
    /// What it names.
    pub kind: SymbolKind,
}

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function.
    Function(FunctionId),
    /// A variable or constant.
    Variable,
    /// An alias.
    Alias,
    /// A function that a resolver chooses at load time.
    IFunc,
    /// An intrinsic that is used without a declaration, as LLVM allows since version 18.
    UndeclaredIntrinsic {
        /// Whether LLVM defines it as convergent.
        convergent: bool,
    },
    /// Nothing yet. No symbol of a finished module is this.
    Undefined,
}

/// A function, without its body.
#[derive(Debug, Clone)]
pub struct FunctionData {
    /// Its name.
    pub symbol: Symbol,
    /// The text from `define` or `declare` to the opening brace or the end.
    pub header: Span,
    /// The text between `define` and the type of the result.
    pub prefix: Span,
    /// The linkage that it says.
    pub linkage: Linkage,
    /// The type of its result.
    pub result: Type,
    /// Its parameters.
    pub parameters: Vec<ParameterData>,
    /// Whether more arguments than parameters are allowed.
    pub variadic: bool,
    /// The text behind the parameters.
    pub suffix: Span,
    /// The attribute groups that it names.
    pub(crate) groups: Vec<u32>,
    /// Whether its attributes, groups included, have `convergent`; or LLVM defines it so, as intrinsics have the
    /// attributes of their definition, declared or not.
    pub convergent: bool,
    /// From behind the opening brace to the closing one, inclusive.
    pub body: Option<Span>,
}

/// An intrinsic that produces convergence tokens ("Convergence Control Intrinsics").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConvergenceIntrinsic {
    /// `llvm.experimental.convergence.entry`
    Entry,
    /// `llvm.experimental.convergence.loop`
    Loop,
    /// `llvm.experimental.convergence.anchor`
    Anchor,
}

impl ConvergenceIntrinsic {
    /// All three.
    pub const ALL: [ConvergenceIntrinsic; 3] =
        [ConvergenceIntrinsic::Entry, ConvergenceIntrinsic::Loop, ConvergenceIntrinsic::Anchor];

    /// The name, without the sigil.
    pub fn name(self) -> &'static str {
        match self {
            ConvergenceIntrinsic::Entry => "llvm.experimental.convergence.entry",
            ConvergenceIntrinsic::Loop => "llvm.experimental.convergence.loop",
            ConvergenceIntrinsic::Anchor => "llvm.experimental.convergence.anchor",
        }
    }
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub struct ParameterData {
    /// Its type.
    pub ty: Type,
    /// Its attributes.
    pub attributes: Span,
    /// Its name, when it is spelled.
    pub name: Option<LocalName>,
}

/// An attribute group.
#[derive(Debug, Clone, Copy)]
pub struct AttributeGroup {
    /// The attributes, without the braces.
    pub span: Span,
    /// Whether they have `convergent`.
    pub convergent: bool,
}

impl<'t> Module<'t> {
    /// The symbol with a name, given without quotes or escapes.
    pub fn symbol_named(&self, name: &[u8]) -> Option<Symbol> {
        self.symbol_index.get(name).copied()
    }

    /// The convergence control intrinsic that a symbol names, when it is one.
    #[inline]
    pub fn convergence_intrinsic(&self, symbol: Symbol) -> Option<ConvergenceIntrinsic> {
        let index = self.convergence_intrinsics.iter().position(|&intrinsic| intrinsic == Some(symbol))?;
        Some(ConvergenceIntrinsic::ALL[index])
    }

    /// Whether the module mentions a convergence control intrinsic at all.
    pub fn has_convergence_control(&self) -> bool {
        self.convergence_intrinsics.iter().any(Option::is_some)
    }

    /// Whether a symbol names a function with the `convergent` attribute.
    #[inline]
    pub fn is_convergent(&self, symbol: Symbol) -> bool {
        match self.symbols[symbol].kind {
            SymbolKind::Function(function) => self.functions[function].convergent,
            SymbolKind::UndeclaredIntrinsic { convergent } => convergent,
            _ => false,
        }
    }

    /// The function that a symbol names, when it is one.
    pub fn function_of(&self, symbol: Symbol) -> Option<FunctionId> {
        match self.symbols[symbol].kind {
            SymbolKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The name of a symbol, without sigil, quotes or escapes.
    pub fn symbol_name(&self, symbol: Symbol) -> Cow<'t, [u8]> {
        text::unquote(&self.text[self.symbols[symbol].name.range()])
    }

    /// The name of a symbol as users read it, in one line, without sigil.
    pub fn display_symbol(&self, symbol: Symbol) -> String {
        text::display(self.symbols[symbol].name.of(self.text))
    }

    /// The name of a function as users write it: `@f`.
    pub fn function_name(&self, function: FunctionId) -> String {
        let mut name = self.display_symbol(self.functions[function].symbol);
        name.insert(0, '@');
        name
    }

    /// The first line of what stands before a function's body.
    pub fn header_line(&self, function: FunctionId) -> Span {
        let Span { start, end } = self.functions[function].header;
        let length = memchr::memchr(b'\n', Span { start, end }.of(self.text));
        Span { start, end: length.map_or(end, |length| start + length as u32) }
    }

    /// An instruction as it is written, in one line, without metadata.
    pub fn display_instruction(&self, inst: &InstData) -> String {
        let end = if inst.attachments.is_empty() { inst.span.end } else { inst.attachments.start };
        let text = String::from_utf8_lossy(Span { start: inst.span.start, end }.of(self.text));
        text.lines().next().unwrap_or_default().trim().trim_end_matches(',').to_owned()
    }

    /// The text of a bundle of a call, from its tag to the parenthesis that ends it.
    pub fn bundle_span(&self, inst: &InstData, bundle: &BundleData) -> Span {
        let behind = Span { start: bundle.tag.end, end: inst.span.end }.of(self.text);
        let length = memchr::memchr(b')', behind).map_or(0, |at| at + 1);
        Span { start: bundle.tag.start, end: bundle.tag.end + length as u32 }
    }

    /// The name of a block or value as users write it, without sigil.
    pub fn local_name(&self, name: LocalName) -> String {
        match name {
            LocalName::Text(span) => text::display(span.of(self.text)),
            LocalName::Number(number) => number.to_string(),
        }
    }

    /// The spelling of a type.
    pub fn display_type(&self, ty: Type) -> String {
        self.types.display(ty, &|named| format!("%{}", text::display(self.named_types[named].name.of(self.text))))
    }

    /// The functions that have a body, in the order of the text.
    pub fn definitions(&self) -> impl Iterator<Item = FunctionId> {
        self.functions.iter().filter(|(_, function)| function.body.is_some()).map(|(id, _)| id)
    }

    /// The target triple; empty if the module does not say.
    pub fn target_triple(&self) -> Cow<'t, [u8]> {
        self.triple.map_or(Cow::Borrowed(&[][..]), |span| text::unquote(&self.text[span.range()]))
    }

    /// The line and column of a byte of the text; O(offset).
    pub fn position(&self, offset: usize) -> Position {
        text::position(self.text, offset)
    }
}

impl FunctionData {
    /// Whether the body is that of the function which a call will reach: not where the linker may choose
    /// another definition, be it one that was optimised less.
    pub fn has_exact_definition(&self) -> bool {
        self.body.is_some() && !self.linkage.is_replaceable()
    }

    /// Whether the body means what the function does that a call will reach, be that another definition: C++ has one for each inline function and instance of a template in every module
    /// that uses it. What an optimiser chose for what is undefined may differ.
    pub fn has_definition_of_same_meaning(&self) -> bool {
        self.body.is_some() && !self.linkage.is_interposable()
    }
}
