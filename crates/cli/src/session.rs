//! What a run of the program carries along: how to talk, and to whom.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context;

use reconverge::{Control, Module, Progress as Library, Settings, SourceSettings, absolute};
use reconverge_files::{NamedBy, Projects};

use crate::arguments::{Color, Global, Inputs};
use crate::bug;
use crate::config::Config;
use crate::input::{self, Candidate, Opened, Problem};
use crate::inputs::Worked;
use crate::limits;
use crate::links::linked;
use crate::near::Near;
use crate::output::{self, Held, Output};
use crate::progress::Progress;
use crate::source::{self, Arch, Clang, CompileCommands, FlagsOfFile, ReadBy, Understood, Wanted};
use crate::target;
use crate::tool::Bounds;
use crate::visible::{JsonWriter, visible_lines};

/// One run.
pub(crate) struct Session<'a> {
    /// The options that every verb takes.
    pub(crate) global: &'a Global,
    /// What the project says.
    pub(crate) config: Config,
    /// What holds for every input.
    pub(crate) settings: Settings,
    /// The bar.
    pub(crate) progress: Progress,
    /// How far the work is.
    pub(crate) done: Arc<Done>,
    output: Mutex<Output>,
    clang: OnceLock<Result<Clang, String>>,
    /// The files that a compiler has read.
    read_by: Mutex<Vec<ReadBy>>,
    /// What is wrong with inputs of which a part is understood, by their names.
    problems: Mutex<BTreeMap<String, Problem>>,
    /// What was said that is said once.
    said_once: Mutex<HashSet<Vec<String>>>,
    /// How many inputs there are, as far as that is known.
    inputs: AtomicUsize,
    /// What of several inputs was not understood.
    understood: Mutex<Understood>,
    /// The commands that the project's files are compiled with, where they are to be taken.
    commands: Option<CompileCommands>,
}

/// How far work is that the library does.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) workgroups: AtomicU64,
    pub(crate) instructions: AtomicU64,
    pub(crate) launches: AtomicU64,
}

impl Done {
    fn note(&self, progress: Library) {
        match progress {
            Library::Run { workgroups, instructions, .. } => {
                self.workgroups.store(workgroups, Ordering::Relaxed);
                self.instructions.store(instructions, Ordering::Relaxed);
            }
            Library::Launch => drop(self.launches.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        }
    }
}

/// What a translation may use of memory in any case: small launches have less than their kernels need.
const LEAST_FOR_SOURCE: u64 = 256 << 20;

impl<'a> Session<'a> {
    pub(crate) fn new(global: &'a Global, config: Config, inputs: &[PathBuf]) -> anyhow::Result<Session<'a>> {
        let mut limits = limits::of(&global.limit);
        limits.input_bytes = global.most_bytes();
        limits.run.memory = global.max_memory;
        limits.source.file_bytes = limits.source.file_bytes.min(global.most_bytes());
        limits.source.memory = global.max_memory.max(LEAST_FOR_SOURCE);
        let source = SourceSettings {
            include: global.source.include.clone(),
            define: global.source.define.clone(),
            ..SourceSettings::default()
        };
        let threads = global.threads.map_or(0, usize::from);
        let done = Arc::new(Done::default());
        let noted = Arc::clone(&done);
        let control = Control::watched(move |progress| noted.note(progress));
        let files = Arc::new(
            Projects::new(inputs.iter().filter(|input| input.is_dir()))
                .working_in(std::env::current_dir().ok().as_deref()),
        );
        let mut settings = Settings { source, limits, files, control, threads, ..Settings::default() };
        if let Some(target) = &global.target {
            let found = target::find(target, global.target_named_by, &settings);
            // Say who has named it.
            settings.target = Some(match (&config.path, global.target_named_by) {
                (Some(path), NamedBy::Input) => found.with_context(|| path.display().to_string())?,
                _ => found?,
            });
        }
        let (output, progress) = (Mutex::new(output::standard_output()), Progress::start());
        let (clang, said_once) = (OnceLock::new(), Mutex::default());
        let (read_by, problems) = (Mutex::default(), Mutex::default());
        let (inputs, understood) = (AtomicUsize::new(0), Mutex::default());
        let commands = match &global.source.compile_commands {
            Some(folder) => Some(CompileCommands::read(folder, global.most_bytes()).map_err(anyhow::Error::msg)?),
            None => None,
        };
        let session = Session {
            global,
            config,
            settings,
            progress,
            done,
            output,
            clang,
            read_by,
            problems,
            said_once,
            inputs,
            understood,
            commands,
        };
        session.commands.iter().flat_map(CompileCommands::unread).for_each(|warning| session.note(&warning));
        if let Some(path) = &session.config.path {
            session.detail(|| format!("settings of the project: {}", path.display()));
        }
        Ok(session)
    }

    /// What clang and opt may use up.
    pub(crate) fn tool_bounds(&self) -> Bounds {
        Bounds { time: Duration::from_secs(self.global.tool_timeout), bytes: self.global.most_bytes() }
    }

    /// The clang that reads what our own front end does not; looked for once.
    ///
    /// # Errors
    /// When there is none, with what is missing.
    pub(crate) fn clang(&self) -> Result<&Clang, &str> {
        let find = || source::find_clang(self.global.source.clang.as_deref(), self.tool_bounds());
        self.clang.get_or_init(find).as_ref().map_err(String::as_str)
    }

    /// What the project's commands say of a file.
    pub(crate) fn flags_of(&self, path: &Path) -> Option<&FlagsOfFile> {
        self.commands.as_ref()?.of(path)
    }

    /// The processor that a file is compiled for, where that is said.
    pub(crate) fn arch_of(&self, path: &Path) -> Option<&Arch> {
        self.global.source.arch.as_ref().or_else(|| self.flags_of(path)?.arch.as_ref())
    }

    /// Notes that a compiler has read a file.
    pub(crate) fn note_read_by(&self, read_by: ReadBy) {
        self.read_by.lock().unwrap_or_else(PoisonError::into_inner).push(read_by);
    }

    /// Keeps what is wrong with an input of which a part is understood.
    pub(crate) fn note_problem(&self, name: String, problem: Problem) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).insert(name, problem);
    }

    /// What is wrong with an input of which a part is understood.
    pub(crate) fn problem_of(&self, name: &str) -> Option<Problem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The compiler that has read a file, if one has.
    pub(crate) fn read_by(&self, path: &str) -> Option<ReadBy> {
        let all = self.read_by.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().rev().find(|read_by| read_by.path == path).cloned()
    }

    /// Says that a module is for a target that is not known, if the choice was left to it.
    pub(crate) fn note_unknown_triple(&self, path: &str, triple: Option<&str>) {
        if let Some(triple) = triple {
            self.note(&format!(
                "warning: {path}: nothing is known of target `{triple}`; going on as `generic` (see --target)"
            ));
        }
    }

    /// Whether text on standard output is to have colours.
    pub(crate) fn has_color(&self) -> bool {
        match self.global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
            }
        }
    }

    /// Where relative paths begin, if standard output is a terminal that has links and is to have colours.
    fn folder_of_links(&self) -> Option<PathBuf> {
        let has_links = self.has_color() && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout);
        has_links.then(|| std::env::current_dir().ok())?
    }

    /// Everything that the inputs stand for, in order; says what is passed over.
    pub(crate) fn candidates(&self, inputs: &Inputs) -> Vec<Candidate> {
        let current = std::env::current_dir().ok();
        let is_excluded = |path: &Path| self.config.rules.excludes(&absolute(path, current.as_deref()));
        let candidates = input::find(&inputs.inputs, inputs.input_format, &is_excluded);
        for candidate in &candidates {
            if candidate.is_skipped() {
                self.note(&candidate.describe());
            }
        }
        let readable: Vec<_> = candidates.into_iter().filter(|candidate| !candidate.is_skipped()).collect();
        self.progress.expect(readable.len());
        self.inputs.fetch_add(readable.len(), Ordering::Relaxed);
        readable
    }

    /// Runs `work` on what a candidate holds; source is translated as `wanted`.
    pub(crate) fn with_content<R>(
        &self,
        candidate: &Candidate,
        inputs: &Inputs,
        wanted: Wanted,
        work: impl FnOnce(&Module) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        self.with_module(candidate, inputs, wanted, work).map(|(_, result)| result)
    }

    /// Runs `work` on what a candidate holds, which is there afterwards, too.
    pub(crate) fn with_module<R>(
        &self,
        candidate: &Candidate,
        inputs: &Inputs,
        wanted: Wanted,
        work: impl FnOnce(&Module) -> Result<R, Problem>,
    ) -> Worked<R> {
        self.with_what(candidate, || candidate.read(self, &inputs.clang_flags, wanted), work)
    }

    /// Runs `work` on what a candidate holds, which may be machine IR.
    pub(crate) fn with_opened<R>(
        &self,
        candidate: &Candidate,
        inputs: &Inputs,
        wanted: Wanted,
        work: impl FnOnce(&Opened) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        let open = || candidate.open(self, &inputs.clang_flags, wanted);
        self.with_what(candidate, open, work).map(|(_, result)| result)
    }

    /// Opens a candidate and runs `work` on it; says what goes wrong.
    fn with_what<T, R>(
        &self,
        candidate: &Candidate,
        open: impl FnOnce() -> Result<T, Problem>,
        work: impl FnOnce(&T) -> Result<R, Problem>,
    ) -> Result<(T, R), Problem> {
        self.progress.begin(&output::printable(&candidate.name()));
        let work = || {
            let opened = open()?;
            let result = work(&opened)?;
            Ok((opened, result))
        };
        let result = bug::contained(work).unwrap_or_else(|| {
            Err(Problem::new(candidate.name(), "not looked at to its end, for the internal error above"))
        });
        self.progress.advance();
        if let Err(problem) = &result {
            self.complain(problem);
        }
        result
    }

    /// Writes text for people to standard output: what could change how it looks is escaped, but for colours of ours.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let text = visible_lines(text, self.has_color());
        match self.folder_of_links() {
            Some(folder) => self.print_as_it_is(linked(&text, &folder).as_bytes()),
            None => self.print_as_it_is(text.as_bytes()),
        }
    }

    /// Writes something to standard output that is for programs.
    pub(crate) fn print_as_it_is(&self, bytes: &[u8]) -> io::Result<()> {
        self.progress.aside(|| self.output().write_all(bytes))
    }

    /// What was written so far is there before anything else is said.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.progress.aside(|| self.output().flush())
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one JSON object to standard output.
    pub(crate) fn print_json(&self, value: &impl serde::Serialize) -> io::Result<()> {
        self.progress.finish();
        let mut output = self.output();
        serde_json::to_writer_pretty(JsonWriter(&mut *output), value)?;
        output.write_all(b"\n")
    }

    /// Says on standard error why an input could not be used.
    pub(crate) fn complain(&self, problem: &Problem) {
        problem.earlier.iter().for_each(|problem| self.complain(problem));
        self.progress.aside(|| {
            output::complain(&problem.to_string());
            problem.shown.iter().for_each(|line| output::say(line));
        });
    }

    /// Says on standard error what was [held back](output::holding).
    pub(crate) fn say_held(&self, said: Vec<Held>) {
        said.into_iter().for_each(|said| self.say(said));
    }

    /// Says why functions of an input are left out. Whether there are any.
    pub(crate) fn complain_left_out(&self, left_out: &[reconverge::Error]) -> bool {
        left_out.iter().for_each(|error| self.complain(&Problem::from(error.clone())));
        !left_out.is_empty()
    }

    /// Says lines on standard error.
    pub(crate) fn say(&self, said: Held) {
        let Some(said) = output::hold(said) else { return };
        let is_new = || self.said_once.lock().unwrap_or_else(PoisonError::into_inner).insert(said.lines.clone());
        if !said.is_once || is_new() {
            self.progress.aside(|| said.lines.iter().for_each(|line| output::say(line)));
        }
    }

    /// Says something on standard error that is no finding, unless asked not to.
    pub(crate) fn note(&self, message: &str) {
        if !self.global.quiet {
            self.progress.aside(|| output::say(message));
        }
    }

    /// Whether notes on each input would be too many.
    pub(crate) fn has_many_inputs(&self) -> bool {
        self.inputs.load(Ordering::Relaxed) > 1
    }

    /// Says something of an input that is no finding: where there are several, only if asked to.
    pub(crate) fn note_of_one(&self, message: impl FnOnce() -> String) {
        match self.has_many_inputs() {
            true => self.detail(message),
            false => self.note(&message()),
        }
    }

    /// What of several inputs was not understood.
    pub(crate) fn understood(&self) -> MutexGuard<'_, Understood> {
        self.understood.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what of several inputs was not understood, once.
    pub(crate) fn note_understood(&self) {
        let understood = std::mem::take(&mut *self.understood());
        understood.lines().iter().for_each(|line| self.note(line));
    }

    /// Says on standard error what was done, if asked to.
    pub(crate) fn detail(&self, message: impl FnOnce() -> String) {
        if self.global.verbose {
            self.progress.aside(|| output::say(&message()));
        }
    }

    /// Everything is said.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.progress.finish();
        self.note_understood();
        self.output().flush()
    }
}

/// Says that `--function` names nothing that has a body; `near` are those that do.
pub(crate) fn complain_missing(session: &Session<'_>, function: &str, near: &Near, inputs: &Inputs) {
    let path = inputs.inputs.iter().map(|input| input.display().to_string()).collect::<Vec<_>>().join(", ");
    session.complain(&Problem::new(path, near.instead_of_function(function)));
}

/// `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let end = match count {
        1 => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{end}")
}

/// How fast a text was worked on.
pub(crate) fn speed(bytes: usize, seconds: f64) -> String {
    let (size, unit) = if bytes < 100_000 { (bytes as f64 / 1e3, "kB") } else { (bytes as f64 / 1e6, "MB") };
    format!("{size:.1} {unit} in {:.1} ms ({:.0} MB/s)", seconds * 1e3, bytes as f64 / 1e6 / seconds.max(1e-9))
}
