//! Source as an input: translated by the built-in front end, or by a compiler of the caller's.
//!
//! `files` holds the texts that places point into, and turns a finding in the IR into one in the source; `voice` is how such a finding speaks; `debugged` is the same for IR
//! that names its source in debug information.

mod compiled;
mod controlled;
mod coverage;
mod debugged;
mod files;
mod kernels;
mod launched;
mod lines;
mod members;
mod voice;
mod words;

use std::sync::Arc;

use reconverge_exec::Members;
use reconverge_findings::{Anchor, Breach, Code, Finding, Kind, Statement};
use reconverge_ir::origin::Origins;
use reconverge_ir::{BodyEnds, Span};
use reconverge_lang::diagnostic::{Diagnostic, Ground, LeftOut, Severity};
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Entry, LowerTarget, Options, Reading, SourceModel};
use reconverge_lang::preprocess::Unread;
use reconverge_lang::source::Location;
use reconverge_lang::start;
use reconverge_lang::translate::{self, Translation};
use reconverge_lang::typed::{Function, FunctionData, Program, Unknown};
use reconverge_outline::convergence;
use rustc_hash::FxHashMap;

pub use coverage::{AssumedMacro, Coverage, LeftOutFunction, UnknownThing};
pub(crate) use debugged::Debugged;
pub(crate) use files::Place;
pub use files::SourceFiles;
pub(crate) use kernels::{is_second_kernel, second_kernels};
pub use launched::StatedBlock;
use launched::stated_blocks;
pub(crate) use lines::LineFinder;
pub use lines::{SourceFunction, SourceLines};
pub(crate) use voice::{NamedVoice, SourceVoice};
pub use words::SourceWords;

use crate::error::{Details, Excerpt, Related};
use crate::transform::after;
use crate::{Error, ErrorKind, Input, Module, Pass, Position, Settings, SourceSettings};

/// At most so many errors of one file are listed.
const MOST_ERRORS: usize = 20;
/// At most so much of a line is kept, from so far before the place.
const WIDEST: usize = 120;
const BEFORE: usize = 60;

/// The source that a module was made from.
#[derive(Debug)]
#[non_exhaustive]
pub struct Source {
    /// The text that its convergence is defined by.
    pub model: SourceModel,
    /// The files, and what the IR is there; its instructions where the [settings](crate::SourceSettings::origins) ask for that.
    pub words: SourceWords,
    /// What breaks a rule of the text, and the convergent operations whose threads it leaves to the implementation, with the files that they are in.
    pub findings: Vec<(String, Finding)>,
    /// The statements, where the [settings](crate::SourceSettings::statements) ask for them.
    pub statements: Option<Translation>,
    /// The function, by its name in IR, that each thread enters alone where nobody says something else: `main` of C and C++.
    pub(crate) starts_alone: Option<String>,
    /// Of CUDA: the processor that it is compiled for, `80` for `sm_80`.
    pub(crate) cuda_arch: Option<u32>,
    /// The sizes of blocks in which the file launches its own kernels, by their names in IR.
    pub(crate) stated_blocks: FxHashMap<String, StatedBlock>,
    /// What the members of structs are called that its kernels are given.
    pub(crate) members: Members,
    /// Whether functions were left out.
    pub is_partial: bool,
    /// The headers that were not found and passed over, each once.
    pub missing_headers: Vec<String>,
    /// How much of the file was understood; none where a compiler of the caller's made the IR, which refuses what it does not understand.
    pub coverage: Option<Coverage>,
    /// Whether the IR has tokens that say what the model of the source says.
    pub has_tokens: bool,
    /// The operations of which the tokens, if there are any, say something else than the model: a choice that it leaves, or another set of threads. None where they say what it says.
    pub unsaid: Vec<UnsaidOperation>,
    /// Of IR that a compiler of the caller's made: operations whose tokens are not known, as they could not be matched with the statements.
    pub unmatched: Vec<UnsaidOperation>,
    /// Of the same: functions that the front end does not understand, whose tokens are those of the cycles.
    pub unmatched_functions: Vec<String>,
    /// Whether the IR has [markers](crate::SourceSettings::markers).
    pub has_markers: bool,
    /// The compiler that made the IR, if our front end did not: then nothing says which threads the statements keep together.
    pub compiler: Option<String>,
}

/// An operation of which tokens do not say what a text says of its statement.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UnsaidOperation {
    /// The file.
    pub path: String,
    /// The place.
    pub position: Position,
    /// What is called.
    pub name: String,
    /// Whether what the tokens say is a choice that the text leaves to the implementation.
    pub is_choice: bool,
}

/// Source, understood as far as the built-in front end can.
///
/// For callers who have a compiler: where there is an [obstacle](Translated::obstacle), [`Translated::with_ir`] takes the IR that it made instead of ours.
/// All others [`open`](crate::open).
#[derive(Debug)]
pub struct Translated {
    name: String,
    language: Dialect,
    target: LowerTarget,
    translation: Translation,
    /// Whether it is a host's, read for what of it can be analysed: nothing is missed of such a file.
    is_of_host: bool,
}

impl Translated {
    /// Reads a source file. O(text after preprocessing).
    ///
    /// # Errors
    /// When the input is no source, or source is not translated for the target.
    ///
    /// # Panics
    /// When no thread can be started.
    pub fn new(input: Input, settings: &Settings) -> Result<Translated, Error> {
        let name = input.name();
        let Some(dialect) = input.dialect() else {
            return Err(Error::new(ErrorKind::Unsupported, name, "this is LLVM IR already; expected a source file"));
        };
        let target = match settings.target.as_ref().map(|target| target.name()) {
            Some("amdgpu") => LowerTarget::Amdgpu,
            Some("nvptx") => LowerTarget::Nvptx,
            Some("spirv") => LowerTarget::Spirv,
            Some("generic") => LowerTarget::Generic,
            Some("dxil") => {
                let message = "source is not translated for `dxil`, only for amdgpu, nvptx, spirv and generic";
                return Err(Error::new(ErrorKind::Unsupported, name, message));
            }
            // Nobody says one, or it is of the user's own.
            None | Some(_) => LowerTarget::for_dialect(dialect),
        };
        let is_of_host = dialect.is_of_host(input.bytes()) && settings.source.reading != Reading::Whole;
        // C and C++ with convergent operations is written for us, and an error in it is one.
        let reading = match dialect {
            Dialect::C | Dialect::Cpp if !is_of_host => Reading::Whole,
            _ => settings.source.reading,
        };
        let options = Options {
            dialect,
            target,
            include: settings.source.include.clone(),
            define: settings.source.define.clone(),
            defines_are_known: settings.source.defines_are_known,
            include_first: settings.source.include_first.clone(),
            cuda_arch: settings.source.cuda_arch,
            entry: settings.source.entry,
            reading,
            passes_over_host: settings.source.passes_over_host && is_of_host,
            limits: settings.limits.source,
            files: Arc::clone(&settings.files),
        };
        let path = input.path().to_owned();
        let mut translation = translate::translate(&path, input.into_bytes(), &options, settings.source.model);
        if is_of_host {
            let left_out =
                |diagnostic: &mut Diagnostic| diagnostic.severity == Severity::Unsupported && !diagnostic.is_limit();
            translation.passed_over.extend(translation.diagnostics.extract_if(.., left_out));
            translation.left_out.clear();
        }
        Ok(Translated { name, language: dialect, target, translation, is_of_host })
    }

    /// The first thing that the front end does not understand.
    pub fn obstacle(&self) -> Option<Error> {
        let diagnostics = &self.translation.diagnostics;
        let first = diagnostics.iter().find(|diagnostic| diagnostic.severity != Severity::Warning);
        Some(self.error(first.or_else(|| self.unknowns().next().map(|(_, unknown)| &unknown.reason))?))
    }

    /// What is not known in functions that are part of the program.
    fn unknowns(&self) -> impl Iterator<Item = (&FunctionData, &Unknown)> {
        let program = self.translation.program.iter().filter(|_| !self.is_of_host);
        let functions = program.flat_map(|program| program.functions.values());
        functions.flat_map(|data| data.unknown.iter().map(move |unknown| (data, unknown)))
    }

    /// The name of a kernel that a compiler's IR lacks and the front end has: a template of which the file makes no instance, for whatever it may stand for.
    pub fn kernel_missing_in(&self, ir: &[u8]) -> Option<&str> {
        // Who reads it next says what is wrong with it.
        let module = reconverge_ir::Module::read(ir, BodyEnds::ByBrackets).ok()?;
        let functions = self.translation.program.iter().flat_map(|program| program.functions.values());
        let mut kernels = functions.filter(|data| data.is_kernel && data.body.is_some());
        kernels
            .find(|data| !kernels::is_defined(&module, data))
            .map(|data| data.name.split('<').next().unwrap_or_default())
    }

    /// Whether something was passed over that no kernel needs, such as a header that is not there.
    pub fn has_passed_over(&self) -> bool {
        !self.translation.missing_headers.is_empty() || !self.translation.passed_over.is_empty()
    }

    /// The names that are taken to be defined, as the file has no kernels without them.
    pub fn assumed(&self) -> impl Iterator<Item = &str> {
        self.translation.assumed.iter().map(|assumed| &*assumed.name)
    }

    /// The names of the headers that the project asks for and does not have: a compiler that does not find one of them cannot read the file.
    pub fn headers_of_others(&self) -> impl Iterator<Item = &str> {
        self.translation.headers_of_others()
    }

    /// What the IR is for.
    pub fn target(&self) -> LowerTarget {
        self.target
    }

    /// Whether the text is no program.
    pub fn has_errors(&self) -> bool {
        self.translation.has_errors()
    }

    /// Whether what is wrong with the text is wrong whatever a compiler says of it: a limit was reached, or it breaks a rule on convergence, which no
    /// compiler knows.
    pub fn is_final(&self) -> bool {
        self.translation.is_final()
    }

    /// A module with the IR of what was understood.
    ///
    /// # Errors
    /// When the text is no program: the last error that is listed, with the others in its [details](Error::details). With [`Reading::Parts`] that is
    /// [`Module::error`], where something is understood.
    pub fn finish(self, settings: &Settings) -> Result<Module, Error> {
        self.finish_after(&[], settings)
    }

    /// The same, with passes run over the IR, one after the other. What has their result is as IR of another compiler: what its instructions are in the source, their debug information says.
    pub(crate) fn finish_after(self, passes: &[Pass], settings: &Settings) -> Result<Module, Error> {
        let error = match self.errors() {
            Some(error) if self.translation.program.is_none() => return Err(error),
            error => error,
        };
        let is_said = |diagnostic: &&Diagnostic| error.is_some() && is_error(diagnostic);
        let diagnostics = self.translation.diagnostics.iter().filter(|diagnostic| !is_said(diagnostic));
        let notes = diagnostics.map(|diagnostic| self.error(diagnostic)).collect();
        let source = &settings.source;
        let &SourceSettings { tokens, markers, debug, origins, nsw, .. } = source;
        let is_changed = !passes.is_empty();
        let lowering =
            LowerOptions { tokens, markers, debug: debug || is_changed, origins: origins && !is_changed, nsw };
        let lowered = self.translation.lower(&lowering).expect("a program without errors");
        let is_partial = self.translation.diagnostics.iter().any(|diagnostic| diagnostic.severity != Severity::Warning);
        let coverage = Some(self.coverage());
        let plain = Module::new(self.name.clone(), lowered.text.into(), None, Vec::new(), settings);
        let (ir, done) = after(plain, passes, settings)?.into_parts();
        let origins =
            origins.then(|| if is_changed { compiled::matched(&ir, self.origins()) } else { lowered.origins });
        let (name, source) = self.source(settings, is_partial, source.tokens, origins);
        let source = Source { coverage, ..source };
        Ok(Module::new(name, ir, Some(source), notes, settings).with_error(error).with_passes(done))
    }

    /// A module with the IR that another compiler has made of the same file, with debug information. What the statements show is
    /// still known. Where findings are to be in the words of the source ([`SourceSettings::origins`]), what the compiler's own headers do is done at the line
    /// of the user, and instructions are what our front end reads at their places.
    pub fn with_ir(self, ir: Vec<u8>, compiler: String, settings: &Settings) -> Module {
        let ir = kernels::with_one_of_each(ir);
        let (ir, origins) = if settings.source.origins {
            let ir = compiled::with_operations(ir, &self.translation.sources);
            let origins = compiled::matched(&ir, self.origins());
            (ir, Some(origins))
        } else {
            (ir, None)
        };
        let controlled = if settings.source.matched_tokens && settings.source.tokens {
            let ours = LowerOptions { tokens: true, origins: true, ..LowerOptions::default() };
            self.translation.lower(&ours).map(|ours| controlled::with_tokens(&ir, &ours))
        } else {
            None
        };
        let (name, source) = self.source(settings, false, controlled.is_some(), origins);
        let mut source = Source { compiler: Some(compiler), has_markers: false, ..source };
        let Some(controlled) = controlled else {
            return Module::new(name, ir.into(), Some(source), Vec::new(), settings);
        };
        let position = |line: u32, column: u32| Position { line: line as usize, column: column as usize };
        let unsaid = |one: controlled::Unmatched| UnsaidOperation {
            position: position(one.line, one.column),
            path: one.path,
            name: one.name,
            is_choice: false,
        };
        source.unmatched = controlled.unmatched.into_iter().map(unsaid).collect();
        source.unmatched_functions = controlled.unknown;
        let ir = controlled.ir;
        Module::new(name, ir.into(), Some(source), Vec::new(), settings)
    }

    /// What the parts of the text are, of which no module is asked for.
    fn origins(&self) -> Origins {
        let lowering = LowerOptions { origins: true, ..LowerOptions::default() };
        self.translation.lower(&lowering).map(|lowered| lowered.origins).unwrap_or_default()
    }

    /// The names of the parameters of functions, by the names of these in IR.
    fn parameters(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let functions = self.translation.program.iter().flat_map(|program| program.functions.values());
        functions.filter_map(|data| {
            let body = data.body.as_ref()?;
            let names = body.parameters.iter().map(|&parameter| body.variables[parameter].name.clone());
            Some((data.linkage_name.clone(), names.collect()))
        })
    }

    fn source(
        self,
        settings: &Settings,
        is_partial: bool,
        has_tokens: bool,
        origins: Option<Origins>,
    ) -> (String, Source) {
        let Translated { name, language, translation, .. } = self;
        let files = SourceFiles::new(&translation.sources, language, Arc::clone(&settings.files));
        let words = SourceWords::new(files, origins);
        let findings = findings(&translation);
        let unsaid = if has_tokens { unsaid(&translation) } else { Vec::new() };
        let starts_alone = starts_alone(&translation);
        let stated_blocks = stated_blocks(&translation);
        let members = translation.program.as_ref().map(members::members).unwrap_or_default();
        let missing_headers = translation.missing_headers.iter().map(|(name, _)| name.clone()).collect();
        let statements = settings.source.statements.then_some(translation);
        let (model, has_markers) = (settings.source.model, settings.source.markers);
        let (coverage, compiler) = (None, None);
        let cuda_arch = (language == Dialect::Cuda).then_some(settings.source.cuda_arch);
        (
            name,
            Source {
                model,
                words,
                findings,
                statements,
                starts_alone,
                cuda_arch,
                stated_blocks,
                members,
                is_partial,
                missing_headers,
                coverage,
                has_tokens,
                unsaid,
                unmatched: Vec::new(),
                unmatched_functions: Vec::new(),
                has_markers,
                compiler,
            },
        )
    }

    /// How much was understood.
    fn coverage(&self) -> Coverage {
        let Translation { program, left_out, passed_over, missing_headers, assumed, unread, .. } = &self.translation;
        let analysed =
            || program.iter().flat_map(|program| program.functions.values()).filter(|data| data.body.is_some());
        let analysed_kernels = analysed().filter(|data| data.is_kernel).count();
        let line_of = |location: Location| self.translation.sources.position(location).map_or(0, |at| at.line as usize);
        let left_out_of = |left_out: &LeftOut| LeftOutFunction {
            name: left_out.name.clone(),
            kernel: left_out.is_kernel,
            line: line_of(left_out.location),
            reason: left_out.reason.message.clone(),
            code: (left_out.reason.ground == Ground::Convergence).then(|| BREACH.name()),
            limit: left_out.reason.raised_by,
        };
        let missing = |(name, location): &(String, Location)| {
            self.error(&Diagnostic::warning(*location, format!("the header `{name}` is not found, and passed over")))
        };
        // What is read instead of a group is what its file has.
        let unread = unread.iter().filter(|unread| unread.name.is_some() && !unread.has_alternative);
        let unread_kernels = |unread: &Unread| {
            let name = unread.name.as_ref()?;
            let message = match unread.kernels {
                1 => format!("1 kernel left out, as nothing defines `{name}` (-D {name} reads it)"),
                kernels => format!("{kernels} kernels left out, as nothing defines `{name}` (-D {name} reads them)"),
            };
            Some(self.error(&Diagnostic::warning(unread.location, message)))
        };
        let unknown_thing = |(data, unknown): (&FunctionData, &Unknown)| {
            let at = self.translation.sources.position(unknown.reason.location);
            UnknownThing {
                function: data.name.clone(),
                name: unknown.name.clone(),
                path: at.map(|at| at.path.display().to_string()).filter(|path| *path != self.name),
                line: at.map_or(0, |at| at.line as usize),
                meant: unknown.reason.meant,
            }
        };
        // A header that is not there declares what it likes, but for the names that are reserved.
        let is_misspelt = |unknown: &&Unknown| {
            unknown.reason.meant.is_some() && (missing_headers.is_empty() || unknown.name.starts_with("__"))
        };
        let mut misspelt: Vec<&Unknown> = self.unknowns().map(|(_, unknown)| unknown).filter(is_misspelt).collect();
        misspelt.sort_by_key(|unknown| unknown.reason.location);
        misspelt.dedup_by_key(|unknown| unknown.reason.location);
        let warning = |unknown: &Unknown| {
            let mut reason = unknown.reason.clone();
            reason.severity = Severity::Warning;
            self.error(&reason)
        };
        let kernels = analysed_kernels + left_out.iter().filter(|left_out| left_out.is_kernel).count();
        let entries = program.iter().flat_map(|program| program.functions.iter().map(move |one| (program, one)));
        let is_entry = |data: &FunctionData| data.body.is_some() && (data.is_kernel || kernels == 0);
        let entries: Vec<_> = entries.filter(|(_, (_, data))| is_entry(data)).collect();
        let of_entries = |first: fn(&Program, Function) -> Option<&Unknown>| {
            let of_entry = |&(program, (entry, data)): &(&Program, (Function, &FunctionData))| {
                Some((data.linkage_name.clone(), self.error(&first(program, entry)?.reason)))
            };
            entries.iter().filter_map(of_entry).collect::<Vec<(String, Error)>>()
        };
        let first_unknown = of_entries(Program::first_unknown);
        Coverage {
            is_passed_over: self.translation.is_passed_over,
            functions: analysed().count() + left_out.len(),
            kernels,
            analysed_kernels,
            left_out: left_out.iter().map(left_out_of).collect(),
            kernels_with_unknowns: if kernels > 0 { first_unknown.len() } else { 0 },
            unknown: self.unknowns().map(unknown_thing).collect(),
            first_unknown,
            first_open: of_entries(Program::first_open),
            misspelt: misspelt.into_iter().map(warning).collect(),
            missing_headers: missing_headers.iter().map(missing).collect(),
            assumed: assumed
                .iter()
                .map(|assumed| AssumedMacro { name: assumed.name.clone(), line: line_of(assumed.location) })
                .collect(),
            unread_kernels: unread.clone().map(|unread| unread.kernels).sum(),
            unread: unread.filter_map(unread_kernels).take(MOST_ERRORS).collect(),
            passed_over_count: passed_over.len(),
            has_reached_limit: self.translation.limit().is_some(),
            passed_over: passed_over.iter().take(MOST_ERRORS).map(|diagnostic| self.error(diagnostic)).collect(),
        }
    }

    /// All errors, as one.
    fn errors(&self) -> Option<Error> {
        if !self.has_errors() {
            return None;
        }
        let diagnostics = self.translation.diagnostics.iter();
        let mut errors: Vec<&Diagnostic> = diagnostics.filter(|diagnostic| is_error(diagnostic)).collect();
        // The first thing that is wrong at a place is enough.
        errors.dedup_by_key(|error| error.location);
        let more = errors.len().saturating_sub(MOST_ERRORS);
        // To word one takes as long as the text before it.
        errors.truncate(MOST_ERRORS);
        let mut errors: Vec<Error> = errors.into_iter().map(|error| self.error(error)).collect();
        let mut last = errors.pop()?;
        let details = last.details.get_or_insert_default();
        (details.earlier, details.more) = (errors, more);
        Some(last)
    }

    /// A diagnostic with its place.
    fn error(&self, diagnostic: &Diagnostic) -> Error {
        let position = self.translation.sources.position(diagnostic.location);
        let kind = match diagnostic.severity {
            Severity::Error if diagnostic.is_limit() => ErrorKind::Limit,
            Severity::Error => ErrorKind::Source,
            Severity::Unsupported if diagnostic.ground == Ground::Convergence => ErrorKind::Rule,
            Severity::Unsupported => ErrorKind::Unsupported,
            Severity::Warning => ErrorKind::Warning,
        };
        let path = position.map_or_else(|| self.name.clone(), |position| position.path.display().to_string());
        Error {
            kind,
            path,
            position: position.map(|at| Position { line: at.line as usize, column: at.column as usize }),
            message: diagnostic.message.clone(),
            limit: diagnostic.raised_by,
            details: Some(Box::new(self.details(diagnostic))),
        }
    }

    /// The line that a diagnostic points at, and the other places.
    fn details(&self, diagnostic: &Diagnostic) -> Details {
        let sources = &self.translation.sources;
        let excerpt = sources.position(diagnostic.location).zip(sources.find(diagnostic.location));
        let excerpt = excerpt.map(|(position, (file, offset))| {
            let text = sources.files()[file].text.as_bytes();
            let near = offset.saturating_sub(BEFORE);
            let from = memchr::memrchr(b'\n', &text[near..offset]).map_or(near, |newline| near + newline + 1);
            let widest = &text[from..text.len().min(from + WIDEST)];
            let line = memchr::memchr(b'\n', widest).map_or(widest, |end| &widest[..end]);
            let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Excerpt {
                line: position.line as usize,
                text: text_of(line.strip_suffix(b"\r").unwrap_or(line)),
                before: text_of(&text[from..offset]),
            }
        });
        let related = |(location, message): &(Location, String)| {
            let position = sources.position(*location);
            Related {
                path: position.map(|at| at.path.display().to_string()),
                position: position.map(|at| Position { line: at.line as usize, column: at.column as usize }),
                message: message.clone(),
            }
        };
        Details { excerpt, related: diagnostic.related.iter().map(related).collect(), ..Details::default() }
    }
}

impl Source {
    /// Whether a run follows the rules of the text itself: there are tokens for that of April 2025 alone.
    pub fn is_run_by_statements(&self) -> bool {
        self.compiler.is_none() && self.model != SourceModel::Clang2025_04
    }

    /// How findings in it speak.
    pub(crate) fn voice(&self) -> SourceVoice<'_> {
        SourceVoice(&self.words)
    }
}

/// The function that each thread enters alone where nobody says something else.
fn starts_alone(translation: &Translation) -> Option<String> {
    let program = translation.program.as_ref()?;
    let is_alone = |data: &&FunctionData| start::entered(program.dialect, data) == Some(Entry::Alone);
    program.functions.values().find(is_alone).map(|data| data.linkage_name.clone())
}

/// The operations of which tokens do not say what the text says.
fn unsaid(translation: &Translation) -> Vec<UnsaidOperation> {
    let bodies = translation.plans.values().zip(translation.analyses.values());
    let bodies = bodies.filter_map(|(plan, analysis)| Some((&plan.as_ref()?.outline, analysis.as_ref()?)));
    let of_body = |(outline, analysis)| {
        let unsaid = convergence::unsaid(outline, analysis).into_iter();
        unsaid.filter_map(|unsaid| Some((outline.operation(unsaid.node)?, unsaid.is_choice))).collect::<Vec<_>>()
    };
    let place = |(operation, is_choice): (&reconverge_outline::Operation, bool)| {
        let at = translation.sources.position(operation.location)?;
        let (path, position) =
            (at.path.display().to_string(), Position { line: at.line as usize, column: at.column as usize });
        Some(UnsaidOperation { path, position, name: operation.name.clone(), is_choice })
    };
    bodies.flat_map(of_body).filter_map(place).collect()
}

/// What the rules of a source that can be broken are about: jumps.
const BREACH: Code = Code::RC0307;

/// What breaks a rule, with the name of its file.
fn breach(translation: &Translation, diagnostic: &Diagnostic) -> Option<(String, Finding)> {
    let sources = &translation.sources;
    let (file, offset) = sources.find(diagnostic.location)?;
    let span = |file: usize, offset: usize| {
        let text = sources.files()[file].text.as_bytes();
        Span { start: offset as u32, end: (offset + word(&text[offset..])) as u32 }
    };
    // Where its function is declared is the last of the places.
    let mut places = diagnostic.related.iter().collect::<Vec<_>>();
    let left_out =
        translation.left_out.iter().find(|left_out| places.last().is_some_and(|at| at.0 == left_out.location));
    places.truncate(places.len() - usize::from(left_out.is_some()));
    let place = |(location, what): &&(Location, String)| {
        let (other, offset) = sources.find(*location)?;
        (other == file).then(|| (span(file, offset), what.clone()))
    };
    let breach = Breach {
        function: left_out.map(|left_out| left_out.name.clone()),
        what: diagnostic.message.clone(),
        places: places.iter().filter_map(place).collect(),
    };
    let finding = Finding::new(BREACH, Anchor::outside(span(file, offset)), Kind::Breach(breach));
    Some((sources.files()[file].path.display().to_string(), finding))
}

/// The breaches of rules, and the convergent operations of the file whose threads are implementation-defined, with the names of their files.
fn findings(translation: &Translation) -> Vec<(String, Finding)> {
    let Some(program) = &translation.program else { return Vec::new() };
    let breaches = translation.diagnostics.iter().filter(|one| one.ground == Ground::Convergence);
    let mut findings: Vec<_> = breaches.filter_map(|diagnostic| breach(translation, diagnostic)).collect();
    for (function, data) in &program.functions {
        let (Some(plan), Some(analysis)) = (&translation.plans[function], &translation.analyses[function]) else {
            continue;
        };
        for found in convergence::findings(&plan.outline, analysis) {
            let Some((file, offset)) = translation.sources.find(found.operation.location) else { continue };
            let text = translation.sources.files()[file].text.as_bytes();
            let span = |offset: usize| Span { start: offset as u32, end: (offset + word(&text[offset..])) as u32 };
            let place = |location: Location| translation.sources.find(location).filter(|&(other, _)| other == file);
            let places =
                found.places().into_iter().filter_map(|(location, words)| Some((span(place(location)?.1), words)));
            let code = Code::from_name(found.cause.reason.code()).expect("reasons have codes");
            let (operation, why) = (found.operation.name.clone(), found.why());
            let statement = Statement { operation, function: data.linkage_name.clone(), why, places: places.collect() };
            let finding = Finding::new(code, Anchor::outside(span(offset)), Kind::Statement(statement));
            findings.push((translation.sources.files()[file].path.display().to_string(), finding));
        }
    }
    findings
}

/// Whether a text is no program for this. A limit that left a function out may be the reason of an error.
fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error || diagnostic.is_limit()
}

/// How long the word at the start of a text is, at least 1.
fn word(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count().max(1)
}
