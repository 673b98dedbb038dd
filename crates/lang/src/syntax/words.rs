//! What the tokens are to the parser: one number for each keyword and punctuator of the dialect.
//!
//! **Invariant.** The table goes from symbols to words; a symbol that is not in it is a name. So a keyword test compares two numbers,
//! and a dialect is only a list of spellings.

use crate::options::Dialect;
use crate::token::{Symbol, Symbols, Token, TokenKind};

/// A keyword, a punctuator, or what else a token can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Word {
    // What is not a fixed spelling.
    Name,
    Number,
    Character,
    String,
    End,
    Stray,

    // Punctuators.
    Semicolon,
    Comma,
    Colon,
    Scope,
    Question,
    Ellipsis,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Dot,
    Arrow,
    DotStar,
    ArrowStar,
    PlusPlus,
    MinusMinus,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Not,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    NotEqual,
    AmpAmp,
    PipePipe,
    ShiftLeft,
    ShiftRight,
    Launch,
    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    SlashEqual,
    PercentEqual,
    AmpEqual,
    PipeEqual,
    CaretEqual,
    ShiftLeftEqual,
    ShiftRightEqual,

    // Keywords of statements.
    If,
    Else,
    Switch,
    Case,
    Default,
    While,
    Do,
    For,
    Goto,
    Break,
    Continue,
    Return,

    // Keywords of expressions.
    True,
    False,
    Null,
    /// `__func__`
    FunctionName,
    SizeOf,
    AlignOf,
    StaticCast,
    ReinterpretCast,
    ConstCast,
    New,
    Delete,

    // Keywords of declarations that are not specifiers.
    Template,
    Namespace,
    Using,
    Operator,
    StaticAssert,
    Access,
    NoExcept,

    // Specifiers: a declaration begins with one of these (or with the name of a type). From here …
    Typedef,
    Extern,
    Static,
    Virtual,
    Inline,
    ForceInline,
    NoInline,
    NoReturn,
    Ignored,
    Explicit,
    Constexpr,
    Const,
    Volatile,
    Restrict,
    GlobalSpace,
    LocalSpace,
    ConstantSpace,
    PrivateSpace,
    GenericSpace,
    Device,
    Host,
    Kernel,
    LaunchBounds,
    AccessQualifier,
    /// `pipe`, before the type of its packets.
    PipeOf,
    Attribute,
    Declspec,
    AlignAs,
    CudaAlign,
    Typename,
    Auto,
    // (types)
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Float,
    Double,
    Half,
    BFloat,
    Int128,
    Struct,
    Union,
    Class,
    Enum,
    TypeOf,
    DeclType,
    // … to here.

    // What is outside of the subset, named by its spelling.
    Unsupported,
    Concept,
    Requires,
}

impl Word {
    /// Whether a declaration can begin with it. `Class` and what is after `Auto` say a type.
    pub(super) fn is_specifier(self) -> bool {
        self >= Word::Typedef && self <= Word::DeclType
    }

    /// Whether what stands before this is the name that is declared, if a declaration may end there.
    pub(super) fn ends_name(self) -> bool {
        use Word::{Comma, Equal, LeftBrace, LeftBracket, RightParen, Semicolon};
        matches!(self, Semicolon | Comma | Equal | LeftBracket | LeftBrace | RightParen)
    }

    /// Whether it is the word of an arithmetic type, or `void`.
    pub(super) fn is_plain_type(self) -> bool {
        self >= Word::Void && self <= Word::Int128
    }

    /// Whether it says a type by itself (`int`, `struct`, `auto`).
    pub(super) fn is_type(self) -> bool {
        self >= Word::Auto && self <= Word::DeclType
    }
}

const PUNCTUATORS: &[(&str, Word)] = &[
    (";", Word::Semicolon),
    (",", Word::Comma),
    (":", Word::Colon),
    ("::", Word::Scope),
    ("?", Word::Question),
    ("...", Word::Ellipsis),
    ("(", Word::LeftParen),
    (")", Word::RightParen),
    ("[", Word::LeftBracket),
    ("]", Word::RightBracket),
    ("{", Word::LeftBrace),
    ("}", Word::RightBrace),
    (".", Word::Dot),
    ("->", Word::Arrow),
    (".*", Word::DotStar),
    ("->*", Word::ArrowStar),
    ("++", Word::PlusPlus),
    ("--", Word::MinusMinus),
    ("+", Word::Plus),
    ("-", Word::Minus),
    ("*", Word::Star),
    ("/", Word::Slash),
    ("%", Word::Percent),
    ("&", Word::Amp),
    ("|", Word::Pipe),
    ("^", Word::Caret),
    ("~", Word::Tilde),
    ("!", Word::Not),
    ("<", Word::Less),
    (">", Word::Greater),
    ("<=", Word::LessEqual),
    (">=", Word::GreaterEqual),
    ("==", Word::EqualEqual),
    ("!=", Word::NotEqual),
    ("&&", Word::AmpAmp),
    ("||", Word::PipePipe),
    ("<<", Word::ShiftLeft),
    (">>", Word::ShiftRight),
    ("<<<", Word::Launch),
    ("=", Word::Equal),
    ("+=", Word::PlusEqual),
    ("-=", Word::MinusEqual),
    ("*=", Word::StarEqual),
    ("/=", Word::SlashEqual),
    ("%=", Word::PercentEqual),
    ("&=", Word::AmpEqual),
    ("|=", Word::PipeEqual),
    ("^=", Word::CaretEqual),
    ("<<=", Word::ShiftLeftEqual),
    (">>=", Word::ShiftRightEqual),
];

const COMMON: &[(&str, Word)] = &[
    ("__func__", Word::FunctionName),
    ("__FUNCTION__", Word::FunctionName),
    ("__PRETTY_FUNCTION__", Word::FunctionName),
    ("if", Word::If),
    ("else", Word::Else),
    ("switch", Word::Switch),
    ("case", Word::Case),
    ("default", Word::Default),
    ("while", Word::While),
    ("do", Word::Do),
    ("for", Word::For),
    ("goto", Word::Goto),
    ("break", Word::Break),
    ("continue", Word::Continue),
    ("return", Word::Return),
    ("sizeof", Word::SizeOf),
    ("_Alignof", Word::AlignOf),
    ("__alignof__", Word::AlignOf),
    ("__alignof", Word::AlignOf),
    ("_Static_assert", Word::StaticAssert),
    ("static_assert", Word::StaticAssert),
    ("typedef", Word::Typedef),
    ("extern", Word::Extern),
    ("static", Word::Static),
    ("inline", Word::Inline),
    ("__inline", Word::Inline),
    ("__inline__", Word::Inline),
    ("_Noreturn", Word::NoReturn),
    ("register", Word::Ignored),
    ("__extension__", Word::Ignored),
    ("const", Word::Const),
    ("__const", Word::Const),
    ("__const__", Word::Const),
    ("volatile", Word::Volatile),
    ("__volatile", Word::Volatile),
    ("__volatile__", Word::Volatile),
    ("__restrict", Word::Restrict),
    ("__restrict__", Word::Restrict),
    ("__attribute__", Word::Attribute),
    ("__attribute", Word::Attribute),
    ("__declspec", Word::Declspec),
    ("_Alignas", Word::AlignAs),
    ("void", Word::Void),
    ("_Bool", Word::Bool),
    ("char", Word::Char),
    ("short", Word::Short),
    ("int", Word::Int),
    ("long", Word::Long),
    ("signed", Word::Signed),
    ("__signed__", Word::Signed),
    ("unsigned", Word::Unsigned),
    ("float", Word::Float),
    ("double", Word::Double),
    ("_Float16", Word::Half),
    ("__fp16", Word::Half),
    ("__bf16", Word::BFloat),
    ("__int128", Word::Int128),
    ("struct", Word::Struct),
    ("union", Word::Union),
    ("enum", Word::Enum),
    ("typeof", Word::TypeOf),
    ("__typeof__", Word::TypeOf),
    ("__typeof", Word::TypeOf),
    ("__auto_type", Word::Auto),
    ("asm", Word::Unsupported),
    ("__asm__", Word::Unsupported),
    ("__asm", Word::Unsupported),
    ("_Generic", Word::Unsupported),
    ("_Atomic", Word::Unsupported),
    ("_Complex", Word::Unsupported),
    ("_Thread_local", Word::Unsupported),
    ("__builtin_offsetof", Word::Unsupported),
    ("__builtin_va_arg", Word::Unsupported),
    ("__builtin_types_compatible_p", Word::Unsupported),
    ("__builtin_choose_expr", Word::Unsupported),
    ("__builtin_convertvector", Word::Unsupported),
    ("__builtin_astype", Word::Unsupported),
];

const C_AND_OPENCL: &[(&str, Word)] = &[("restrict", Word::Restrict)];

const OPENCL: &[(&str, Word)] = &[
    ("kernel", Word::Kernel),
    ("__kernel", Word::Kernel),
    ("global", Word::GlobalSpace),
    ("__global", Word::GlobalSpace),
    ("local", Word::LocalSpace),
    ("__local", Word::LocalSpace),
    ("constant", Word::ConstantSpace),
    ("__constant", Word::ConstantSpace),
    ("private", Word::PrivateSpace),
    ("__private", Word::PrivateSpace),
    ("generic", Word::GenericSpace),
    ("__generic", Word::GenericSpace),
    ("read_only", Word::AccessQualifier),
    ("__read_only", Word::AccessQualifier),
    ("write_only", Word::AccessQualifier),
    ("__write_only", Word::AccessQualifier),
    ("read_write", Word::AccessQualifier),
    ("__read_write", Word::AccessQualifier),
    ("bool", Word::Bool),
    ("half", Word::Half),
    ("true", Word::True),
    ("false", Word::False),
    ("pipe", Word::PipeOf),
    ("vec_step", Word::Unsupported),
];

const CPP: &[(&str, Word)] = &[
    ("bool", Word::Bool),
    ("true", Word::True),
    ("false", Word::False),
    ("nullptr", Word::Null),
    ("alignof", Word::AlignOf),
    ("alignas", Word::AlignAs),
    ("static_cast", Word::StaticCast),
    ("reinterpret_cast", Word::ReinterpretCast),
    ("const_cast", Word::ConstCast),
    ("template", Word::Template),
    ("namespace", Word::Namespace),
    ("using", Word::Using),
    ("operator", Word::Operator),
    ("public", Word::Access),
    ("private", Word::Access),
    ("protected", Word::Access),
    ("noexcept", Word::NoExcept),
    ("constexpr", Word::Constexpr),
    ("consteval", Word::Constexpr),
    ("constinit", Word::Ignored),
    ("mutable", Word::Ignored),
    ("typename", Word::Typename),
    ("auto", Word::Auto),
    ("class", Word::Class),
    ("decltype", Word::DeclType),
    ("and", Word::AmpAmp),
    ("or", Word::PipePipe),
    ("not", Word::Not),
    ("xor", Word::Caret),
    ("bitand", Word::Amp),
    ("bitor", Word::Pipe),
    ("compl", Word::Tilde),
    ("and_eq", Word::AmpEqual),
    ("or_eq", Word::PipeEqual),
    ("xor_eq", Word::CaretEqual),
    ("not_eq", Word::NotEqual),
    ("new", Word::New),
    ("delete", Word::Delete),
    ("throw", Word::Unsupported),
    ("try", Word::Unsupported),
    ("catch", Word::Unsupported),
    ("virtual", Word::Virtual),
    ("explicit", Word::Explicit),
    ("friend", Word::Unsupported),
    ("typeid", Word::Unsupported),
    ("dynamic_cast", Word::Unsupported),
    ("thread_local", Word::Unsupported),
    ("concept", Word::Concept),
    ("requires", Word::Requires),
    ("export", Word::Unsupported),
    ("co_await", Word::Unsupported),
    ("co_yield", Word::Unsupported),
    ("co_return", Word::Unsupported),
];

const CUDA_AND_HIP: &[(&str, Word)] = &[
    ("__global__", Word::Kernel),
    ("__device__", Word::Device),
    ("__host__", Word::Host),
    ("__shared__", Word::LocalSpace),
    ("__constant__", Word::ConstantSpace),
    ("__managed__", Word::GlobalSpace),
    ("__grid_constant__", Word::Ignored),
    ("__forceinline__", Word::ForceInline),
    ("__noinline__", Word::NoInline),
    ("__launch_bounds__", Word::LaunchBounds),
    ("__align__", Word::CudaAlign),
];

/// What tokens are that no word is spelled like, by [`TokenKind`]. A table, as the kinds of tokens follow each other in no order that a
/// processor could foresee.
const OTHERS: [Word; 7] = {
    let mut words = [Word::Stray; 7];
    words[TokenKind::Identifier as usize] = Word::Name;
    words[TokenKind::Number as usize] = Word::Number;
    words[TokenKind::Character as usize] = Word::Character;
    words[TokenKind::String as usize] = Word::String;
    words[TokenKind::End as usize] = Word::End;
    words
};

/// The words of a dialect, by symbol.
pub(super) struct Words {
    by_symbol: Vec<Word>,
}

impl Words {
    /// Interns what the dialect has.
    pub(super) fn new(dialect: Dialect, symbols: &mut Symbols) -> Words {
        let own: &[&[(&str, Word)]] = match dialect {
            Dialect::OpenCl => &[C_AND_OPENCL, OPENCL],
            Dialect::Cuda | Dialect::Hip => &[CPP, CUDA_AND_HIP],
            Dialect::C => &[C_AND_OPENCL],
            Dialect::Cpp => &[CPP],
        };
        let mut words = Words { by_symbol: Vec::new() };
        for &(spelling, word) in [PUNCTUATORS, COMMON].iter().chain(own).flat_map(|list| list.iter()) {
            words.set(symbols.intern(spelling), word);
        }
        words
    }

    fn set(&mut self, symbol: Symbol, word: Word) {
        let index = symbol.0 as usize;
        if self.by_symbol.len() <= index {
            self.by_symbol.resize(index + 1, Word::Name);
        }
        self.by_symbol[index] = word;
    }

    /// What a token is. The parser does not see pragmas.
    pub(super) fn of(&self, token: &Token) -> Word {
        match self.by_symbol.get(token.symbol.0 as usize) {
            Some(&word) if word != Word::Name => word,
            _ => OTHERS[token.kind as usize],
        }
    }
}
