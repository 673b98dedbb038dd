//! The whole way from a text to IR.

use std::path::Path;

use cranelift_entity::SecondaryMap;
use reconverge_outline::convergence::{self, Analysis, Start};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, Ground, LeftOut, Severity};
use crate::launched::{StatedBlock, stated_blocks};
use crate::lower::{FunctionPlan, LowerOptions, Lowered, lower};
use crate::options::{BYTES_PER_TOKEN, Dialect, Options, Reading, SourceModel};
use crate::preprocess::{Assumed, OWN_HEADERS, Unread, preprocess};
use crate::source::{Location, Sources};
use crate::stack::on_a_large_stack;
use crate::syntax::parse;
use crate::token::{Symbol, Symbols, Token};
use crate::typed::{Function, FunctionData, Program};
use crate::{check, outline, start};

/// A file that was read, and understood as far as it can be.
#[derive(Debug)]
pub struct Translation {
    /// The files.
    pub sources: Sources,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The functions of the device that are left out, in the order of the text.
    pub left_out: Vec<LeftOut>,
    /// What was not understood and passed over: no function that is part of the program needs it
    /// ([`Reading::Kernels`]).
    pub passed_over: Vec<Diagnostic>,
    /// Whether the whole file was passed over: C or C++ in which no word says what is convergent ([`Options::passes_over_host`]). It is a program without functions then.
    pub is_passed_over: bool,
    /// The headers that were not found and passed over, each once.
    pub missing_headers: Vec<(String, Location)>,
    /// The groups of the file itself that conditionals leave out and that have kernels.
    pub unread: Vec<Unread>,
    /// The names that are taken to be defined, as the file has no kernels without them.
    pub assumed: Vec<Assumed>,
    /// The sizes of blocks in which the file itself launches its kernels.
    pub stated_blocks: Vec<StatedBlock>,
    /// What the file means; none where it is not a program, but for [`Reading::Parts`].
    pub program: Option<Program>,
    /// For each function with a body, its statements, and where tokens go.
    pub plans: SecondaryMap<Function, Option<FunctionPlan>>,
    /// Who is together where bodies start.
    pub starts: SecondaryMap<Function, Start>,
    /// For each function with a body, which threads are together where.
    pub analyses: SecondaryMap<Function, Option<Analysis>>,
}

impl Translation {
    /// The headers that the files of the project ask for and that are not among them, by the names that they are asked for: those that were not found, and those that are
    /// the front end's own.
    pub fn headers_of_others(&self) -> impl Iterator<Item = &str> {
        let files = self.sources.files();
        let own = files.iter().filter_map(move |file| {
            let name = file.path.strip_prefix(OWN_HEADERS).ok()?;
            let (by, _) = self.sources.find(file.included_at)?;
            (!files[by].path.starts_with(OWN_HEADERS)).then(|| name.to_str()).flatten()
        });
        self.missing_headers.iter().map(|(name, _)| &**name).chain(own)
    }
}

/// Reads a file under a model. O(text after preprocessing). `path` is where `#include "…"` looks first, and the name in places.
///
/// # Panics
/// When no thread can be started.
pub fn translate(path: &Path, text: Vec<u8>, options: &Options, model: SourceModel) -> Translation {
    on_a_large_stack(|| {
        let translation = translate_as_far(path, text, options, model);
        if translation.assumed.is_empty() || !translation.has_errors() {
            return translation;
        }
        // What is taken to be defined is to make the file one with kernels.
        let text = translation.sources.files()[0].text.as_bytes().to_vec();
        let options = Options { defines_are_known: true, ..options.clone() };
        translate_as_far(path, text, &options, model)
    })
}

/// [`translate`], with the names defined that a file needs to have kernels.
fn translate_as_far(path: &Path, text: Vec<u8>, options: &Options, model: SourceModel) -> Translation {
    if !options.host_may_define() {
        return translate_here(path, text, options, model);
    }
    let whole = translate_here(path, text.clone(), options, model);
    if !whole.has_errors() {
        return whole;
    }
    let mut errors = whole.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    // That there were many is no error of its own.
    let may_be_of_host =
        |error: &Diagnostic| matches!(error.ground, Ground::Host | Ground::Part) || error.raised_by == Some("errors");
    let may_be_program = errors.all(may_be_of_host);
    let wants_parts = options.reading == Reading::Parts && whole.limit().is_none();
    if !may_be_program && !wants_parts {
        return whole;
    }
    let is_part = whole.diagnostics.iter().any(|error| error.ground == Ground::Part);
    let options = Options { reading: Reading::WithHost, ..options.clone() };
    let with_host = translate_here(path, text, &options, model);
    if may_be_program && with_host.lacks_only_what_a_host_gives(is_part) {
        return with_host;
    }
    // What the host may give is none of its errors, if it has others.
    let errors: Vec<Diagnostic> = match may_be_program {
        true => with_host.not_given(is_part).into_iter().cloned().collect(),
        false => whole.diagnostics.iter().filter(|one| is_own_error(one)).cloned().collect(),
    };
    if wants_parts && with_host.is_left_alone_in_part(&whole) {
        let left_out = with_host.diagnostics.into_iter().filter(|one| one.severity == Severity::Unsupported);
        let diagnostics = errors.into_iter().chain(left_out).collect();
        // That is what the errors are about.
        return Translation { diagnostics, passed_over: Vec::new(), ..with_host };
    }
    match errors.is_empty() {
        true => whole,
        false if may_be_program => {
            Translation { diagnostics: errors, passed_over: Vec::new(), program: None, ..with_host }
        }
        false => Translation { diagnostics: errors, ..whole },
    }
}

/// [`translate`] on the stack of the caller.
pub fn translate_here(path: &Path, text: Vec<u8>, options: &Options, model: SourceModel) -> Translation {
    let mut symbols = Symbols::default();
    let preprocessed = preprocess(path, text, options, &mut symbols);
    let mut translation = Translation {
        sources: preprocessed.sources,
        diagnostics: preprocessed.diagnostics,
        left_out: Vec::new(),
        passed_over: preprocessed.passed_over,
        is_passed_over: false,
        missing_headers: preprocessed.missing_headers,
        unread: preprocessed.unread,
        assumed: preprocessed.assumed,
        stated_blocks: Vec::new(),
        program: None,
        starts: SecondaryMap::new(),
        plans: SecondaryMap::new(),
        analyses: SecondaryMap::new(),
    };
    if options.passes_over_host
        && matches!(options.dialect, Dialect::C | Dialect::Cpp)
        && translation.limit().is_none()
        && !says_what_is_convergent(&preprocessed.tokens, &symbols)
    {
        translation.passed_over.append(&mut translation.diagnostics);
        translation.is_passed_over = true;
        translation.program = Some(Program::new(options.dialect, options.target));
        return translation;
    }
    // What follows an error would be about what is missing.
    if translation.has_errors() {
        return translation;
    }
    if let Some(diagnostic) = too_many_tokens(&preprocessed.tokens, options) {
        translation.diagnostics.push(diagnostic);
        return translation;
    }
    if options.dialect.has_host() {
        translation.stated_blocks = stated_blocks(&preprocessed.tokens, &symbols);
    }
    let parsed = parse(&preprocessed.tokens, &mut symbols, options);
    drop(preprocessed.tokens);
    translation.diagnostics.extend(parsed.diagnostics);
    translation.diagnostics.extend(parsed.left_out.iter().map(|left_out| left_out.reason.clone()));
    translation.left_out = parsed.left_out;
    translation.passed_over.extend(parsed.passed_over);
    if translation.has_errors() {
        return translation;
    }
    let (mut tree, first_understood) = (parsed.tree, parsed.first_understood);
    let checked = check::check(&tree, &symbols, options);
    let mut program = checked.program;
    (program.extents, program.scopes) = (std::mem::take(&mut tree.extents), std::mem::take(&mut tree.scopes));
    program.symbols = symbols;
    // What the program was made from takes as much room as the program.
    drop(tree);
    translation.diagnostics.extend(checked.diagnostics);
    translation.diagnostics.sort_by_key(|diagnostic| diagnostic.location);
    translation.left_out.extend(checked.left_out);
    translation.left_out.sort_by_key(|left_out| left_out.location);
    translation.passed_over.extend(checked.passed_over);
    translation.passed_over.sort_by_key(|diagnostic| diagnostic.location);
    let is_own = |location: Location| translation.sources.find(location).is_some_and(|(file, _)| file == 0);
    if options.dialect.has_host()
        && !first_understood.is_some_and(is_own)
        && !program.functions.values().any(|function| is_own(function.location))
        && translation.left_out.is_empty()
        && translation.missing_headers.is_empty()
        && let Some(first) = translation.passed_over.first()
    {
        let message = format!("nothing in this file is understood: {}", first.message);
        translation.diagnostics.push(Diagnostic::error(first.location, message));
    }
    if translation.has_errors() {
        return translation;
    }
    translation.starts = start::starts(&program, options.entry);
    let (mut outliner, mut analyzer) = (outline::Outliner::default(), convergence::Analyzer::default());
    for (function, data) in &program.functions {
        let Some(body) = &data.body else { continue };
        let (outline, map) = outliner.of_body(&program, body);
        let (analysis, plan) = analyzer.analyze_and_plan(&outline, model);
        translation.analyses[function] = Some(analysis.starting(&outline, translation.starts[function]));
        translation.plans[function] = Some(FunctionPlan { outline, map, plan });
    }
    translation.program = Some(program);
    translation
}

/// Whether something in C or C++ may be convergent: a function or call with an attribute that has this in its name, or assembly.
fn says_what_is_convergent(tokens: &[Token], symbols: &Symbols) -> bool {
    let says = |text: &str| text.contains("convergent") || matches!(text, "asm" | "__asm" | "__asm__");
    let relevant: FxHashSet<Symbol> = symbols.all().filter(|&symbol| says(symbols.text(symbol))).collect();
    !relevant.is_empty() && tokens.iter().any(|token| relevant.contains(&token.symbol))
}

/// Whether it is an error that no host mends.
fn is_own_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error && !matches!(diagnostic.ground, Ground::Host | Ground::Part)
}

/// Whether the host may give what is not known, or another part of its program.
fn is_given(reason: &Diagnostic, is_part: bool) -> bool {
    match reason.ground {
        Ground::Host | Ground::Part => true,
        Ground::Elsewhere => is_part,
        _ => reason.severity != Severity::Error,
    }
}

/// What is wrong where there are more tokens than there is memory for, at the first that is too many.
fn too_many_tokens(tokens: &[Token], options: &Options) -> Option<Diagnostic> {
    let most = options.limits.memory / BYTES_PER_TOKEN;
    let first = tokens.get(usize::try_from(most).ok()?)?;
    let message = format!(
        "more than {most} tokens, for each of which up to {BYTES_PER_TOKEN} of the {} bytes of --max-memory are needed",
        options.limits.memory
    );
    Some(Diagnostic::limit(first.location, message))
}

impl Translation {
    /// Whether the text is no program.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether the errors that the same text has as a whole leave a function alone.
    fn is_left_alone_in_part(&self, whole: &Translation) -> bool {
        let errors = whole.diagnostics.iter().filter(|one| is_own_error(one));
        let errors: FxHashSet<Location> = errors.map(|error| error.location).collect();
        let mut functions = self.program.iter().flat_map(|program| program.functions.values());
        let is_alone = |function: &FunctionData| {
            let mut reasons = function.unknown.iter().map(|unknown| &unknown.reason);
            function.body.is_some()
                && reasons.all(|reason| is_given(reason, true) && !errors.contains(&reason.location))
        };
        self.sources.begins_like(&whole.sources) && functions.any(is_alone)
    }

    /// Whether it is a program, but for what its host may give. A header that is not there may have anything in it, and another part what is declared nowhere; else, what was wrong behind
    /// the first error is still wrong.
    fn lacks_only_what_a_host_gives(&self, is_part: bool) -> bool {
        self.program.is_some()
            && !self.has_errors()
            && (!self.missing_headers.is_empty() || self.not_given(is_part).is_empty())
    }

    /// What is wrong with a program that its host puts together, other than what that may give, in the order of the text.
    fn not_given(&self, is_part: bool) -> Vec<&Diagnostic> {
        let functions = self.program.iter().flat_map(|program| program.functions.values());
        let reasons = functions.flat_map(|function| &function.unknown).map(|unknown| &unknown.reason);
        // The first error of a declaration hides what its others would say.
        let is_part = is_part || reasons.clone().any(|reason| reason.ground == Ground::Part);
        let errors = self.diagnostics.iter().filter(|one| is_own_error(one));
        let mut found: Vec<&Diagnostic> = errors.chain(reasons.filter(|reason| !is_given(reason, is_part))).collect();
        found.sort_by_key(|one| one.location);
        found.dedup();
        found
    }

    /// What a limit of this front end says of the text, if one was reached: something larger was not looked at.
    pub fn limit(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.is_limit())
    }

    /// Whether what is wrong here is wrong whatever another reader of the text says: a limit was reached, or a rule on convergence is broken.
    pub fn is_final(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| matches!(diagnostic.ground, Ground::Size | Ground::Convergence))
    }

    /// The program as IR, with its origins if they are asked for; none where there is no program.
    ///
    /// # Panics
    /// When no thread can be started: nested statements need a stack of their own.
    pub fn lower(&self, options: &LowerOptions) -> Option<Lowered> {
        let program = self.program.as_ref()?;
        Some(on_a_large_stack(|| lower(program, &self.sources, &self.plans, options)))
    }
}
