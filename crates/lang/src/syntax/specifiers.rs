//! What stands before the declarators: storage, qualifiers, address spaces, and the type.

use thin_vec::ThinVec;

use super::names::{Kind, Meaning};
use super::words::Word;
use super::{Parse, Parser, Stop};
use crate::diagnostic::{Diagnostic, Ground, is_written_as_macro};
use crate::near::nearest;
use crate::source::Location;
use crate::tree::{AddressSpace, BuiltinType, Specifiers, TypeSpecifier};

/// The keywords of an arithmetic type, in any order.
#[derive(Default)]
struct Arithmetic {
    base: Option<Word>,
    longs: u8,
    is_short: bool,
    has_int: bool,
    signed: Option<bool>,
}

impl Arithmetic {
    /// Adds a keyword; whether it goes with those before it.
    fn add(&mut self, word: Word) -> bool {
        let plain = self.base.is_none();
        match word {
            Word::Signed | Word::Unsigned => {
                let fits = self.signed.is_none() && self.is_integer();
                self.signed = Some(word == Word::Signed);
                fits
            }
            Word::Int => !std::mem::replace(&mut self.has_int, true) && plain,
            Word::Short => !std::mem::replace(&mut self.is_short, true) && plain && self.longs == 0,
            Word::Long => {
                self.longs += 1;
                self.longs <= 2 && !self.is_short && (plain || self.base == Some(Word::Double))
            }
            _ => {
                let fits = match word {
                    Word::Char | Word::Int128 => self.longs == 0,
                    Word::Double => self.longs <= 1 && self.signed.is_none(),
                    _ => self.longs == 0 && self.signed.is_none(),
                };
                self.base = Some(word);
                fits && plain && !self.has_int && !self.is_short
            }
        }
    }

    fn is_integer(&self) -> bool {
        matches!(self.base, None | Some(Word::Char | Word::Int128))
    }

    fn finish(&self) -> BuiltinType {
        let signed = self.signed.unwrap_or(true);
        match self.base {
            Some(Word::Void) => BuiltinType::Void,
            Some(Word::Bool) => BuiltinType::Bool,
            Some(Word::Char) if self.signed.is_none() => BuiltinType::Char,
            Some(Word::Char) => BuiltinType::Integer { bits: 8, signed },
            Some(Word::Int128) => BuiltinType::Integer { bits: 128, signed },
            Some(Word::Float) => BuiltinType::Float,
            Some(Word::Double) => BuiltinType::Double,
            Some(Word::Half) => BuiltinType::Half,
            Some(Word::BFloat) => BuiltinType::BFloat,
            _ if self.is_short => BuiltinType::Integer { bits: 16, signed },
            _ if self.longs > 1 => BuiltinType::LongLong { signed },
            _ if self.longs > 0 => BuiltinType::Integer { bits: 64, signed },
            _ => BuiltinType::Integer { bits: 32, signed },
        }
    }
}

impl Parser<'_> {
    /// Takes what stands before the declarators. There may be no type in it: see [`Parser::require_type`].
    pub(super) fn specifiers(&mut self) -> Parse<Specifiers> {
        let mut specifiers = Specifiers { location: self.location(), ..Specifiers::default() };
        let mut arithmetic: Option<Arithmetic> = None;
        let mut is_typename = false;
        loop {
            let word = self.word();
            if self.is_behind_definition(&specifiers) {
                break;
            }
            match word {
                Word::Name | Word::Scope => {
                    let has_type = specifiers.of.is_some() || arithmetic.is_some();
                    if has_type && !self.is_tolerant {
                        break;
                    }
                    let (meaning, end) = self.peek_name(self.at);
                    if self.is_unknown_name(meaning) {
                        let macro_end = match (has_type, specifiers.is_kernel || specifiers.is_device) {
                            (true, _) => self.end_of_macro_before_function(self.at),
                            (false, true) => self.end_of_macro_of_device(self.at),
                            (false, false) => self.end_of_unknown_macro(self.at),
                        };
                        if let Some(end) = macro_end.filter(|_| meaning.kind == Kind::Unknown) {
                            specifiers.macros.push((meaning.name, self.location()));
                            self.at = end;
                            continue;
                        }
                    }
                    if has_type {
                        break;
                    }
                    if self.is_unknown_name(meaning) {
                        let Some(end) = self.unknown_specifier(self.at) else { break };
                        specifiers.of = Some(self.unknown_type(meaning.name, end));
                        continue;
                    }
                    if !meaning.is_type() {
                        break;
                    }
                    specifiers.of = Some(self.named_type(meaning, end, is_typename)?);
                    continue;
                }
                word if word.is_plain_type() => {
                    if specifiers.of.is_some() || !arithmetic.get_or_insert_default().add(word) {
                        return Err(self.two_types(&specifiers));
                    }
                    self.advance();
                    continue;
                }
                word if word.is_type() => {
                    if word == Word::Auto && (specifiers.of.is_some() || arithmetic.is_some()) {
                        self.advance();
                        continue;
                    }
                    if specifiers.of.is_some() || arithmetic.is_some() {
                        return Err(self.two_types(&specifiers));
                    }
                    specifiers.of = Some(self.other_type()?);
                    continue;
                }
                Word::Attribute => {
                    let mut attributes = ThinVec::new();
                    self.gnu_attribute(&mut attributes)?;
                    self.absorb(&mut specifiers, attributes);
                    continue;
                }
                Word::LeftBracket if self.ahead(1) == Word::LeftBracket => {
                    let mut attributes = ThinVec::new();
                    self.attributes(&mut attributes)?;
                    self.absorb(&mut specifiers, attributes);
                    continue;
                }
                Word::LaunchBounds => {
                    let attribute = self.keyword_attribute("launch_bounds")?;
                    specifiers.attributes.push(attribute);
                    continue;
                }
                Word::AlignAs => {
                    let attribute = self.align_as()?;
                    specifiers.attributes.push(attribute);
                    continue;
                }
                Word::CudaAlign => {
                    let attribute = self.keyword_attribute("aligned")?;
                    specifiers.attributes.push(attribute);
                    continue;
                }
                Word::Declspec => {
                    self.keyword_attribute("declspec")?;
                    continue;
                }
                Word::Typename => {
                    let location = self.location();
                    self.advance();
                    let (meaning, end) = self.peek_name(self.at);
                    if !meaning.is_type()
                        && let Some(of) = self.member_of_type(end)
                    {
                        self.at = end;
                        specifiers.of = Some(of);
                        continue;
                    }
                    if self.is_tolerant && (!meaning.is_type() || meaning.kind == Kind::Unsupported) {
                        let end = self.end_of_unknown(self.at);
                        if end > self.at {
                            specifiers.of = Some(self.unknown_type(meaning.name, end));
                            continue;
                        }
                    }
                    if !meaning.is_type() {
                        return Err(self.unsupported(location, "a type that depends on a template parameter"));
                    }
                    is_typename = true;
                    continue;
                }
                _ => {}
            }
            if !self.simple_specifier(word, &mut specifiers) {
                break;
            }
            self.advance();
        }
        if let Some(arithmetic) = arithmetic {
            specifiers.of = Some(TypeSpecifier::Builtin(arithmetic.finish()));
        }
        Ok(specifiers)
    }

    /// Whether the specifier is on a new line behind the definition of a type: then a `;` is missing.
    pub(super) fn is_behind_definition(&self, specifiers: &Specifiers) -> bool {
        let is_defined = match &specifiers.of {
            Some(TypeSpecifier::Record(record)) => record.members.is_some(),
            Some(TypeSpecifier::Enum(of)) => of.members.is_some(),
            _ => false,
        };
        is_defined && self.token().starts_line && self.word().is_specifier()
    }

    /// Whether a declaration of nothing but a type ends here; takes the `;`.
    pub(super) fn ends_as_type(&mut self, specifiers: &Specifiers) -> bool {
        if self.is_behind_definition(specifiers) {
            self.expected("`;` after the definition of a type");
            self.report();
            return true;
        }
        specifiers.of.is_some() && self.eat(Word::Semicolon)
    }

    /// A specifier that is one token and no type; whether it is one.
    fn simple_specifier(&mut self, word: Word, specifiers: &mut Specifiers) -> bool {
        let attribute = match word {
            Word::Typedef => return set(&mut specifiers.is_typedef),
            Word::Extern => {
                if self.ahead(1) == Word::String {
                    self.advance();
                    specifiers.is_extern_c |= self.symbols.text(self.symbol()) == "\"C\"";
                }
                return set(&mut specifiers.is_extern);
            }
            Word::Static => return set(&mut specifiers.is_static),
            Word::Virtual => return set(&mut specifiers.is_virtual),
            Word::Inline => return set(&mut specifiers.is_inline),
            Word::Constexpr => return set(&mut specifiers.is_constexpr),
            Word::Const => return set(&mut specifiers.is_const),
            Word::Volatile => return set(&mut specifiers.is_volatile),
            Word::Explicit => {
                // `explicit(condition)` is taken for what it is without that.
                specifiers.is_explicit = self.ahead(1) != Word::LeftParen;
                if !specifiers.is_explicit {
                    self.advance();
                    self.skip_brackets();
                    self.at -= 1;
                }
                return true;
            }
            Word::Ignored | Word::Restrict => return true,
            Word::Kernel => return set(&mut specifiers.is_kernel),
            Word::Device => return set(&mut specifiers.is_device),
            Word::Host => return set(&mut specifiers.is_host),
            Word::GlobalSpace | Word::LocalSpace | Word::ConstantSpace | Word::PrivateSpace | Word::GenericSpace => {
                specifiers.space = address_space(word);
                return true;
            }
            Word::ForceInline => {
                specifiers.is_inline = true;
                "always_inline"
            }
            Word::NoInline => "noinline",
            Word::NoReturn => "noreturn",
            Word::AccessQualifier => match self.symbols.text(self.symbol()).trim_start_matches('_') {
                "read_only" => "read_only",
                "write_only" => "write_only",
                _ => "read_write",
            },
            Word::PipeOf => "pipe",
            _ => return false,
        };
        let attribute = self.plain_attribute(attribute, self.location());
        specifiers.attributes.push(attribute);
        true
    }

    /// A second type: most often a `;` is missing after the definition of the first one.
    #[cold]
    fn two_types(&mut self, specifiers: &Specifiers) -> super::Stop {
        if matches!(specifiers.of, Some(TypeSpecifier::Record(_) | TypeSpecifier::Enum(_))) {
            return self.expected("`;` after the definition of a type");
        }
        let message = format!("{} does not go with the type before it", self.found());
        self.error(self.location(), message)
    }

    /// `struct`, `enum`, `auto`, `typeof`, `decltype`.
    fn other_type(&mut self) -> Parse<TypeSpecifier> {
        match self.word() {
            Word::Struct | Word::Union | Word::Class => self.record(),
            Word::Enum => self.enumeration(),
            Word::Auto => {
                self.advance();
                Ok(TypeSpecifier::Auto)
            }
            _ => self.type_of(),
        }
    }

    pub(super) fn type_of(&mut self) -> Parse<TypeSpecifier> {
        let is_decltype = self.word() == Word::DeclType;
        self.advance();
        self.expect(Word::LeftParen, "(", "after `typeof` or `decltype`")?;
        let of = if is_decltype && self.word() == Word::Auto {
            self.advance();
            TypeSpecifier::Auto
        } else if !is_decltype && self.is_type_name(self.at) {
            TypeSpecifier::TypeOfType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeOf(self.bracketed_expression()?)
        };
        self.expect(Word::RightParen, ")", "after the operand of `typeof` or `decltype`")?;
        Ok(of)
    }

    /// Takes a name that means a type and ends before the token `end`.
    pub(super) fn named_type(&mut self, meaning: Meaning, end: usize, is_typename: bool) -> Parse<TypeSpecifier> {
        let location = self.location();
        match meaning.kind {
            Kind::Builtin(index) => {
                self.at = end;
                Ok(TypeSpecifier::Builtin(self.names.builtin(index)))
            }
            Kind::Unsupported => Err(self.unsupported_name(meaning)),
            Kind::ClassTemplate if self.words[end] == Word::Less => {
                let last = self.end_of_type(meaning, end);
                let is_typename = is_typename || last.is_some_and(|end| self.declares_behind(end));
                self.at = end;
                let arguments = self.template_arguments()?;
                let mut of = TypeSpecifier::Template(Box::new((meaning.name, arguments)), location);
                let mut meaning = meaning;
                while let Some(at) = self.member_behind(self.at) {
                    meaning = self.names.member(meaning, self.tokens[at].symbol, self.symbols);
                    let is_marked = self.words[at - 1] == Word::Template;
                    if !meaning.is_type() && !is_typename && !is_marked {
                        break;
                    }
                    self.at = at;
                    let (name, location) = (self.symbol(), self.location());
                    self.advance();
                    let is_template = meaning.kind == Kind::ClassTemplate || is_marked;
                    of = match self.word() {
                        Word::Less if is_template => {
                            let arguments = self.template_arguments()?;
                            TypeSpecifier::MemberTemplate(Box::new((of, name, arguments)), location)
                        }
                        _ => TypeSpecifier::Member(Box::new(of), name, location),
                    };
                }
                Ok(of)
            }
            _ => {
                self.at = end;
                Ok(TypeSpecifier::Named(meaning.name, location))
            }
        }
    }

    /// The token behind a type that begins with a name which ends before the token `end`; none if it is no type.
    pub(super) fn end_of_type(&mut self, meaning: Meaning, mut end: usize) -> Option<usize> {
        let mut meaning = meaning;
        if meaning.kind != Kind::ClassTemplate || self.words[end] != Word::Less {
            return meaning.is_type().then_some(end);
        }
        end = self.end_of_inner_arguments(end)?;
        let mut is_template = false;
        while let Some(at) = self.member_behind(end) {
            meaning = self.names.member(meaning, self.tokens[at].symbol, self.symbols);
            end = at + 1;
            is_template = self.words[at - 1] == Word::Template && self.words[end] == Word::Less;
            if is_template || meaning.kind == Kind::ClassTemplate && self.words[end] == Word::Less {
                end = self.end_of_inner_arguments(end)?;
            }
        }
        (meaning.is_type() || is_template || self.declares_behind(end)).then_some(end)
    }

    /// Whether a token is a name right behind another one: that is a type then, also where only the checker knows what a type has that depends on arguments.
    fn declares_behind(&self, end: usize) -> bool {
        self.words[end - 1] == Word::Name && self.words[end] == Word::Name
    }

    /// The name behind a `::` at a token, or behind a `::template`.
    fn member_behind(&self, at: usize) -> Option<usize> {
        let name = at + 1 + usize::from(self.words[at + 1] == Word::Template);
        (self.words[at] == Word::Scope && self.words[name] == Word::Name).then_some(name)
    }

    /// A name of something that was left out.
    #[cold]
    pub(super) fn unsupported_name(&mut self, meaning: Meaning) -> super::Stop {
        let what = format!("`{}`", self.text(meaning.name));
        self.unsupported(self.location(), &what)
    }

    /// What the name at a token means, `a::b::c` together, and the token behind it. Where there is no name, nothing is known and the
    /// end is the token.
    #[inline]
    pub(super) fn peek_name(&mut self, at: usize) -> (Meaning, usize) {
        match (self.words[at], self.words[at + 1]) {
            (Word::Name, Word::Scope) | (Word::Scope, _) => self.peek_qualified(at),
            (Word::Name, _) => (self.names.lookup(self.tokens[at].symbol), at + 1),
            _ => (self.names.unknown(self.tokens[at].symbol), at),
        }
    }

    /// [`Parser::peek_name`] where there is a `::`.
    fn peek_qualified(&mut self, at: usize) -> (Meaning, usize) {
        let is_global = self.words[at] == Word::Scope;
        let first = at + usize::from(is_global);
        if self.words[first] != Word::Name {
            return (self.names.unknown(self.tokens[at].symbol), at);
        }
        let symbol = self.tokens[first].symbol;
        let mut meaning = if is_global { self.names.meaning(symbol.into()) } else { self.names.lookup(symbol) };
        let mut end = first + 1;
        while self.words[end] == Word::Scope && self.words[end + 1] == Word::Name {
            let member = self.names.member(meaning, self.tokens[end + 1].symbol, self.symbols);
            if meaning.kind != Kind::Unsupported {
                meaning = member;
            }
            end += 2;
        }
        if self.names.is_exceeded() {
            self.exceeded_at.get_or_insert(self.tokens[at].location);
        }
        (meaning, end)
    }

    /// An error where a name that nothing declares stands for a type. Of OpenCL C, the host may give it.
    pub(super) fn undeclared_type(&mut self, name: &str, location: Location) -> Stop {
        let mut wrong = Diagnostic::error(location, format!("`{name}` is not a type"));
        if self.is_opencl && !is_like_a_keyword(name) {
            // A macro of the program stands before what is declared, and not for the type.
            let is_whole = is_written_as_macro(name) && self.end_of_unknown_macro(self.at).is_none();
            wrong.ground = if is_whole { Ground::Host } else { Ground::Part };
        }
        self.fail(wrong)
    }

    /// An error where there is no type; `specifiers` were just taken.
    pub(super) fn require_type(&mut self, specifiers: &Specifiers) -> Parse<()> {
        if specifiers.of.is_some() {
            return Ok(());
        }
        match self.word() {
            Word::Name | Word::Scope => {
                let location = self.location();
                let (meaning, _) = self.peek_name(self.at);
                let name = self.text(meaning.name).into_owned();
                if self.is_cpp && self.names.is_of_std(meaning.name, self.symbols) {
                    return Err(self.unsupported(location, &format!("`{name}`")));
                }
                Err(match meaning.kind {
                    Kind::Unknown => self.undeclared_type(&name, location),
                    _ => self.error(location, format!("`{name}` is not a type")),
                })
            }
            Word::Unsupported | Word::Operator => Err(self.unsupported_keyword()),
            Word::Tilde if self.is_cpp => Err(self.unsupported(self.location(), "a destructor")),
            Word::Template => Err(self.unsupported(self.location(), "a template at this place")),
            _ => Err(self.expected("a type")),
        }
    }

    /// Whether the name of a type begins at a token, and not a construction `T(x)` or `T{x}`.
    pub(super) fn is_type_name(&mut self, at: usize) -> bool {
        self.is_type(at, false)
    }

    /// The same where it is the argument of a template: `T()` and `T(U)` are types of functions there.
    pub(super) fn is_type_argument(&mut self, at: usize) -> bool {
        self.is_type(at, true)
    }

    fn is_type(&mut self, at: usize, is_argument: bool) -> bool {
        let word = self.words[at];
        let end = match word {
            Word::Name | Word::Scope => {
                let (meaning, end) = self.peek_name(at);
                if self.is_unknown_name(meaning) {
                    return match self.words[at.saturating_sub(1)] {
                        Word::LeftParen => self.is_unknown_cast(at),
                        _ => self.is_unknown_argument(at),
                    };
                }
                match self.end_of_type(meaning, end) {
                    Some(end) => end,
                    None => return false,
                }
            }
            _ if word.is_plain_type() => at + 1,
            _ => return word.is_specifier() && !self.is_in_decltype(at),
        };
        if !self.is_cpp {
            return true;
        }
        match self.words[end] {
            Word::LeftBrace | Word::Scope => false,
            Word::LeftParen => {
                let is_pointer = matches!(self.words[end + 1], Word::Star | Word::Amp | Word::AmpAmp);
                is_pointer && matches!(self.words[end + 2], Word::RightParen | Word::Star | Word::Const)
                    || self.is_member_pointer(end + 1)
                    || is_argument && self.is_function_type(end)
            }
            _ => true,
        }
    }

    /// Whether an opening parenthesis after a type begins the parameters of a function's type, up to the end of an argument of a template.
    fn is_function_type(&mut self, open: usize) -> bool {
        let Some(end) = self.end_of_parentheses(open) else { return false };
        let is_last = matches!(self.words[end], Word::Comma | Word::Greater | Word::ShiftRight | Word::Ellipsis);
        is_last && (self.words[open + 1] == Word::RightParen || self.is_type_name(open + 1))
    }
}

fn set(flag: &mut bool) -> bool {
    *flag = true;
    true
}

/// The address space that a keyword says.
pub(super) fn address_space(word: Word) -> Option<AddressSpace> {
    Some(match word {
        Word::GlobalSpace => AddressSpace::Global,
        Word::LocalSpace => AddressSpace::Local,
        Word::ConstantSpace => AddressSpace::Constant,
        Word::PrivateSpace => AddressSpace::Private,
        Word::GenericSpace => AddressSpace::Generic,
        _ => return None,
    })
}

/// Whether a name is a word of OpenCL C behind which another name may stand, or nearly.
fn is_like_a_keyword(name: &str) -> bool {
    const WORDS: [&str; 34] = [
        "kernel",
        "global",
        "local",
        "constant",
        "private",
        "generic",
        "read_only",
        "write_only",
        "void",
        "bool",
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "half",
        "float",
        "double",
        "size_t",
        "signed",
        "unsigned",
        "struct",
        "const",
        "volatile",
        "image2d_t",
        "return",
        "goto",
        "else",
        "case",
        "typedef",
        "static",
    ];
    // `__kernel` is `kernel`, `float4` is as good as `float`.
    let name = name.trim_start_matches('_').trim_end_matches(|letter: char| letter.is_ascii_digit());
    // Nobody misses a key so that it ends as types do.
    let is_near = |word: &str| word.ends_with("_t") || !name.ends_with("_t");
    WORDS.contains(&name) || nearest(name, WORDS.into_iter()).is_some_and(is_near)
}
