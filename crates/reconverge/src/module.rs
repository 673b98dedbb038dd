//! An input that is open: IR, the source that it was made from, and the target that all questions about it are answered for.

use std::borrow::Cow;

use reconverge_analysis::target::Target;
use reconverge_exec::{PrepareError, Program};
use reconverge_files::Contents;
use reconverge_ir::{BodyEnds, FunctionId, text};
use reconverge_lang::builtins::mangle::as_written;

use crate::near::Near;
use crate::source::{Debugged, Source, SourceWords, Translated, is_second_kernel};
use crate::transform::after;
use crate::{Control, Error, ErrorKind, Input, Limits, Pass, PassDone, Settings, StatedBlock};

/// A module of LLVM IR. **Invariant.** Its target is that of the settings, else that of its triple, and does not change.
///
/// It is a text until something is asked: a verb reads it, on the threads of the current `rayon` pool, and keeps nothing of that.
#[derive(Debug)]
pub struct Module {
    name: String,
    ir: Contents,
    source: Option<Source>,
    /// Of IR, where its debug information is asked for words.
    debugged: Option<Debugged>,
    target: Cow<'static, Target>,
    unknown_triple: Option<String>,
    notes: Vec<Error>,
    error: Option<Error>,
    passes: Vec<PassDone>,
    pub(crate) limits: Limits,
    pub(crate) control: Control,
    pub(crate) files: std::sync::Arc<dyn reconverge_files::FileSystem>,
    pub(crate) threads: usize,
}

/// Opens an input: IR as it is; source is translated by the built-in front end.
///
/// Whether IR is well-formed shows when something is asked of it. O(source after preprocessing); of IR, next to nothing.
///
/// # Errors
/// When the input is bitcode, or source that is no program. What is only to be known is in [`Module::notes`].
pub fn open(input: Input, settings: &Settings) -> Result<Module, Error> {
    open_after(input, &[], settings)
}

/// Opens an input, and runs passes over its IR, one after the other. What they do is in [`Module::passes`].
///
/// Of source, what the changed IR is in it is known by places of expressions, as of IR that another compiler made.
///
/// # Errors
/// As [`open`], and as [`transform`](crate::transform()).
///
/// ```
/// use reconverge::{Input, Pass, Settings, open_after};
/// let kernel = "kernel void k(global int *a) { for (int i = 0; i < 4; i++) a[i] = i; }";
/// let passes = Pass::pipeline("unroll=4,keep-tests").expect("there is such a pass");
/// let module = open_after(Input::new("k.cl", kernel, None)?, &passes, &Settings::default())?;
/// assert_eq!(module.passes()[0].functions, 1);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn open_after(input: Input, passes: &[Pass], settings: &Settings) -> Result<Module, Error> {
    match input.dialect() {
        Some(_) => Translated::new(input, settings)?.finish_after(passes, settings),
        None => after(Module::of_ir(input, settings)?, passes, settings),
    }
}

impl Module {
    fn of_ir(input: Input, settings: &Settings) -> Result<Module, Error> {
        let name = input.name();
        if input.format() == crate::Format::Bc {
            let path = Some(input.path()).filter(|path| path.as_os_str() != "<stdin>");
            return Err(Error::new(ErrorKind::Unsupported, name, Input::advice_for_bitcode(path)));
        }
        if input.format() == crate::Format::Mir {
            return Err(crate::machine::refused(name));
        }
        Ok(Module::new(name, input.into_contents(), None, Vec::new(), settings))
    }

    pub(crate) fn new(
        name: String,
        ir: Contents,
        source: Option<Source>,
        notes: Vec<Error>,
        settings: &Settings,
    ) -> Module {
        let (target, unknown_triple) = match &settings.target {
            Some(target) => (target.clone(), None),
            None => {
                let triple = triple(&ir);
                let target = Target::for_triple(&triple);
                let is_unknown = !triple.is_empty() && target.name() == "generic";
                (Cow::Borrowed(target), is_unknown.then(|| text::display(&triple)))
            }
        };
        let debugged = (source.is_none() && settings.source.of_ir).then(|| Debugged::new(&settings.source));
        let Settings { limits, control, files, threads, .. } = settings.clone();
        let (error, passes) = (None, Vec::new());
        Module {
            name,
            ir,
            source,
            debugged,
            target,
            unknown_triple,
            notes,
            error,
            passes,
            limits,
            control,
            files,
            threads,
        }
    }

    /// The same, of a text that is no program.
    pub(crate) fn with_error(self, error: Option<Error>) -> Module {
        Module { error, ..self }
    }

    /// The same, after passes.
    pub(crate) fn with_passes(self, passes: Vec<PassDone>) -> Module {
        Module { passes, ..self }
    }

    /// The text, and what passes did to it.
    pub(crate) fn into_parts(self) -> (Contents, Vec<PassDone>) {
        (self.ir, self.passes)
    }

    /// What passes did to it before it was [opened](open_after), one after the other.
    pub fn passes(&self) -> &[PassDone] {
        &self.passes
    }

    /// What the input is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn ir(&self) -> &[u8] {
        &self.ir
    }

    /// The text.
    pub fn into_ir(self) -> Vec<u8> {
        self.ir.into_vec()
    }

    /// The same IR, without the source: what is asked of it is about IR.
    pub(crate) fn as_ir(&self) -> Module {
        Module {
            name: self.name.clone(),
            ir: self.ir.clone(),
            source: None,
            debugged: None,
            target: self.target.clone(),
            unknown_triple: self.unknown_triple.clone(),
            notes: Vec::new(),
            error: None,
            passes: self.passes.clone(),
            limits: self.limits,
            control: self.control.clone(),
            files: self.files.clone(),
            threads: self.threads,
        }
    }

    /// The source that it was made from, if it was.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// The words that findings are told in: those of its source, of IR those of the source that its debug information names, where that is [asked for](crate::SourceSettings::of_ir). Of IR the
    /// first time O(text of the module and of its units).
    pub(crate) fn words(&self) -> Option<&SourceWords> {
        match &self.source {
            Some(source) => Some(&source.words),
            None => self.debugged.as_ref()?.words(self),
        }
    }

    /// The module as something to execute.
    pub(crate) fn program(&self) -> Result<Program<'_>, PrepareError> {
        let program = Program::prepare(self.ir(), self.name(), Some(self.target()))?;
        Ok(match self.source() {
            Some(source) => program.of_source(true).with_members(source.members.clone()),
            None => program,
        })
    }

    /// The first thing that is not known in a kernel of the source or in what it calls, by the kernel's name in IR. What has one is analysed, but cannot be
    /// executed or written as something else.
    pub fn unknown_in(&self, kernel: &str) -> Option<Error> {
        let (_, error) = self.unknowns().find(|(name, _)| name == kernel)?;
        Some(error.clone())
    }

    /// The block in which the source launches a kernel of its own, by the kernel's name in IR, where all its launches say the same one.
    pub fn stated_block(&self, kernel: &str) -> Option<&StatedBlock> {
        self.source()?.stated_blocks.get(kernel)
    }

    /// The kernels that have such a block.
    pub(crate) fn stated_blocks(&self) -> impl Iterator<Item = (&str, [u32; 3])> {
        let stated = self.source().into_iter().flat_map(|source| &source.stated_blocks);
        stated.map(|(kernel, stated)| (kernel.as_str(), stated.block))
    }

    /// The first thing that is not known in any kernel of the source.
    pub fn first_unknown(&self) -> Option<&Error> {
        self.unknowns().next().map(|(_, error)| error)
    }

    /// What is not known in kernels, then the parameters of their templates of which nothing says what they stand for.
    fn unknowns(&self) -> impl Iterator<Item = &(String, Error)> {
        let coverage = self.source().and_then(|source| source.coverage.as_ref());
        coverage.into_iter().flat_map(|coverage| coverage.first_unknown.iter().chain(&coverage.first_open))
    }

    /// The functions with a body that a name may mean; none where this is not LLVM IR. O(text).
    pub fn functions_near(&self, asked: &str) -> Near {
        reconverge_ir::Module::read(&self.ir, BodyEnds::ByBrackets)
            .map(|module| functions_near(&module, asked))
            .unwrap_or_default()
            .of_source(self.source.is_some())
    }

    /// Whether a function with a body is called so: by its name, or as the source writes it. O(text).
    pub fn has_function(&self, asked: &str) -> bool {
        let read = reconverge_ir::Module::read(&self.ir, BodyEnds::ByBrackets);
        read.is_ok_and(|module| module.definitions().any(|id| is_asked_for(Some(asked), &module, id)))
    }

    /// The target that all questions are answered for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The triple, where nobody has said a target and nothing is known of this one: answers are for `generic`.
    pub fn unknown_triple(&self) -> Option<&str> {
        self.unknown_triple.as_deref()
    }

    /// Of source: warnings, and functions that were left out because of a construct that the front end does not support.
    pub fn notes(&self) -> &[Error] {
        &self.notes
    }

    /// Of source that is no program, and of which a part is understood ([`Reading::Parts`](crate::Reading::Parts)): what is wrong with it.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Of source, the text is not the user's, and its lines are in no file.
    pub(crate) fn not_ir(&self, error: &reconverge_ir::ReadError) -> Error {
        let error = Error::not_ir(&self.name, &self.ir, error);
        let Some(source) = &self.source else { return error };
        let line = error.position.map_or(0, |position| position.line);
        let (writer, whose) = match &source.compiler {
            Some(compiler) => (compiler.as_str(), "it cannot be read"),
            None => ("the built-in front end", "this is a bug of reconverge"),
        };
        let message = format!(
            "internal error: {writer} wrote what is not LLVM IR ({} in its line {line}); {whose}, please report it with the input",
            error.message
        );
        Error::new(ErrorKind::Ir, &self.name, message)
    }

    /// What a verb has found, unless it was ended.
    pub(crate) fn unless_cancelled<T>(&self, found: T) -> Result<T, Error> {
        if self.control.is_cancelled() { Err(Error::cancelled(&self.name)) } else { Ok(found) }
    }
}

/// Whether a function is the one that is asked for; where none is, whether it is one of those that there are. The name may have its sigil and quotes, or be as the source
/// writes it. Of the two that clang makes of a kernel of OpenCL one is there, the one that does what is written.
pub(crate) fn is_asked_for(asked: Option<&str>, module: &reconverge_ir::Module<'_>, id: FunctionId) -> bool {
    let symbol = module.symbol_name(module.functions[id].symbol);
    match asked {
        Some(asked) if is_symbol(&symbol, asked) => true,
        // What is called exactly so is meant.
        Some(asked) => is_called(&symbol, asked) && function_named(module, asked).is_none(),
        None => !is_second_kernel(module, id),
    }
}

fn is_symbol(symbol: &[u8], asked: &str) -> bool {
    *symbol == *unquoted(asked)
}

fn function_named(module: &reconverge_ir::Module<'_>, asked: &str) -> Option<FunctionId> {
    module.function_of(module.symbol_named(&unquoted(asked))?)
}

fn unquoted(asked: &str) -> Cow<'_, [u8]> {
    text::unquote(asked.strip_prefix('@').unwrap_or(asked).as_bytes())
}

/// Whether a symbol is called so: by its name, which may have its sigil and quotes, or as the source writes it, with the arguments of templates or without.
pub(crate) fn is_called(symbol: &[u8], asked: &str) -> bool {
    if is_symbol(symbol, asked) {
        return true;
    }
    let asked = asked.strip_prefix('@').unwrap_or(asked);
    let written = str::from_utf8(symbol).map(as_written).unwrap_or_default();
    written == asked || written.split('<').next() == Some(asked)
}

/// The functions with a body that a name may mean, as users write them.
pub(crate) fn functions_near(module: &reconverge_ir::Module<'_>, asked: &str) -> Near {
    let asked = asked.strip_prefix('@').unwrap_or(asked);
    let mut near = Near::default();
    for function in module.definitions() {
        let name = module.symbol_name(module.functions[function].symbol);
        near.consider(asked, &as_written(&String::from_utf8_lossy(&name)));
    }
    near
}

/// The triple of a module; empty where it has none or is no module.
///
/// LLVM prints it before the first function, so mostly what is before that is read. Where the words stand elsewhere, too, or that part alone is no
/// module, all of it is.
fn triple(ir: &[u8]) -> Vec<u8> {
    const WORDS: &[u8] = b"target triple";
    let read = |text| reconverge_ir::Module::read(text, BodyEnds::AtLineStart).ok();
    let triple = |module: reconverge_ir::Module<'_>| module.target_triple().into_owned();
    // Forwards, which is much faster than backwards.
    let Some(last) = memchr::memmem::find_iter(ir, WORDS).last() else { return Vec::new() };
    let head = memchr::memmem::find(ir, b"\ndefine ").map_or(ir, |end| &ir[..=end]);
    let of_head = if last < head.len() { read(head) } else { None };
    let exact = || reconverge_ir::Module::read(ir, BodyEnds::ByBrackets).ok();
    of_head.or_else(|| read(ir)).or_else(exact).map(triple).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_triple_is_that_of_the_whole_text() {
        for (text, expected) in [
            ("", ""),
            ("target triple = \"a\"\n", "a"),
            ("; target triple = \"b\"\ntarget triple = \"a\"\ndefine void @f() {\n  ret void\n}\n", "a"),
            ("define void @f() {\n  ret void\n}\ntarget triple = \"a\"\n", "a"),
            ("@s = constant [22 x i8] c\"\ndefine target triple\"\ntarget triple = \"a\"\n", "a"),
            ("@s = constant [13 x i8] c\"target triple\"\n", ""),
            ("no module, target triple", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(&triple(text.as_bytes())), expected, "{text}");
        }
    }
}
