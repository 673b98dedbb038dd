//! Kernels in groups that `#if` leaves out, and the names that would have them read.
//!
//! What a build defines (`-D USE_CUDA`) is in no file. Where a file has no kernels but in groups that are not read, the first name that nothing defines, in the condition
//! of the first of these groups, is taken to be defined, as 1; and so on until a kernel is read. If none ever is, nothing is taken to be defined.
//!
//! Names that are reserved (`__HIPCC__`) are those of compilers, and no build's; and a name after `!` would not have anything read.

use super::pp_token::PpToken;
use super::scan::Kind;
use super::{Preprocessed, Preprocessor};
use crate::options::{Dialect, Options, Reading};
use crate::source::Location;
use crate::token::{Symbol, Symbols};

/// So many names are taken to be defined for a file at most, and so often it is read again.
const MOST_ASSUMED: usize = 4;

/// A group of the file that is not read, and has kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Where its condition begins.
    pub location: Location,
    /// The first name in its condition that nothing defines.
    pub name: Option<String>,
    /// How often its text says that something is a kernel.
    pub kernels: usize,
    /// Whether another group of the same conditional is read.
    pub has_alternative: bool,
}

/// A name that is taken to be defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The name.
    pub name: String,
    /// Where the condition begins that has it.
    pub location: Location,
}

impl Dialect {
    /// The words that make a function a kernel.
    pub(super) fn kernel_words(self) -> &'static [&'static str] {
        match self {
            Dialect::Cuda | Dialect::Hip => &["__global__"],
            Dialect::OpenCl => &["__kernel", "kernel"],
            Dialect::C | Dialect::Cpp => &[],
        }
    }
}

/// Whether a name is one that a build may define.
fn is_of_build(name: &str) -> bool {
    let reserved = name.strip_prefix('_').and_then(|rest| rest.chars().next());
    !reserved.is_some_and(|next| next == '_' || next.is_ascii_uppercase())
}

impl Preprocessor<'_> {
    /// Notes a name that nothing defines where it stands in a condition.
    pub(super) fn note_undefined(&mut self, name: Symbol) {
        if self.undefined.is_none() && is_of_build(self.symbols.text(name)) {
            self.undefined = Some(name);
        }
    }

    /// Notes a macro that stands for a word that makes a function a kernel, among others.
    pub(super) fn note_kernel_macro(&mut self, name: Symbol, body: &[PpToken]) {
        let words = self.options.dialect.kernel_words();
        if body.iter().any(|token| token.kind == Kind::Identifier && words.contains(&self.symbols.text(token.symbol))) {
            self.kernel_macros.insert(self.symbols.text(name).to_owned());
        }
    }

    /// A kernel is skipped, in the group whose condition begins at a place; of the file itself, not of one that it includes.
    pub(super) fn skip_kernel(&mut self, group: Location) {
        if self.frames.len() > 1 {
            return;
        }
        match self.unread.last_mut().filter(|unread| unread.location == group) {
            Some(unread) => unread.kernels += 1,
            None => {
                let name = self.undefined.map(|name| self.symbols.text(name).to_owned());
                self.unread.push(Unread { location: group, name, kernels: 1, has_alternative: false });
            }
        }
    }

    /// The groups from `first` on are those of a conditional that ends here or goes on with one that is read.
    pub(super) fn end_unread(&mut self, first: usize, has_alternative: bool) {
        self.unread[first..].iter_mut().for_each(|unread| unread.has_alternative = has_alternative);
    }
}

impl Options {
    /// Whether names may be taken to be defined.
    fn may_assume(&self) -> bool {
        self.reading != Reading::Whole && !self.defines_are_known
    }
}

impl Preprocessed {
    /// Whether a kernel was read.
    fn has_kernels(&self, symbols: &mut Symbols, dialect: Dialect) -> bool {
        let words: Vec<Symbol> = dialect.kernel_words().iter().map(|word| symbols.intern(word)).collect();
        self.tokens.iter().any(|token| words.contains(&token.symbol))
    }

    /// The file as it is with the names defined that it needs to have kernels, where it has none and there are such names. `read` reads it.
    pub(super) fn with_kernels(
        self,
        options: &Options,
        symbols: &mut Symbols,
        read: impl Fn(Vec<u8>, &Options, &mut Symbols) -> Preprocessed,
    ) -> Preprocessed {
        if self.unread.is_empty() || !options.may_assume() || self.has_kernels(symbols, options.dialect) {
            return self;
        }
        let mut options = options.clone();
        let mut assumed: Vec<Assumed> = Vec::new();
        let mut wanted = self.first_wanted();
        while let Some(next) = wanted.filter(|_| assumed.len() < MOST_ASSUMED) {
            options.define.push(next.name.clone());
            assumed.push(next);
            let text = self.sources.files()[0].text.as_bytes().to_vec();
            let again = read(text, &options, symbols);
            if again.has_kernels(symbols, options.dialect) {
                return Preprocessed { assumed, ..again };
            }
            wanted = again.first_wanted();
        }
        self
    }

    /// The first name that would have a kernel read.
    fn first_wanted(&self) -> Option<Assumed> {
        let names = self.unread.iter().filter_map(|unread| Some((unread.name.clone()?, unread.location)));
        names.map(|(name, location)| Assumed { name, location }).next()
    }
}
