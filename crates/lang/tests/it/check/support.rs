//! A text, checked, and printed with what is wrong in it.

use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use reconverge_lang::check::check;
use reconverge_lang::diagnostic::{Diagnostic, Severity};
use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::source::{Location, Sources};
use reconverge_lang::syntax::parse;
use reconverge_lang::token::Symbols;
use reconverge_lang::typed::{Program, print_program};

/// A checked text.
pub(crate) struct Result {
    pub(crate) program: Program,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Sources,
    /// How long it took.
    pub(crate) time: Duration,
}

/// Preprocesses, parses and checks a text, on a thread with the stack that nested texts need.
pub(crate) fn checked(path: &Path, text: &str, options: &Options) -> Result {
    std::thread::scope(|scope| {
        let run = || {
            let begin = ThreadTime::now();
            let mut symbols = Symbols::default();
            let preprocessed = preprocess(path, text.as_bytes().to_vec(), options, &mut symbols);
            let parsed = parse(&preprocessed.tokens, &mut symbols, options);
            let checked = check(&parsed.tree, &symbols, options);
            let time = begin.elapsed();
            let mut diagnostics = preprocessed.diagnostics;
            diagnostics.extend(parsed.diagnostics);
            diagnostics.extend(checked.diagnostics);
            Result { program: checked.program, diagnostics, sources: preprocessed.sources, time }
        };
        let thread = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, run);
        thread.expect("a thread starts").join().expect("checking does not panic")
    })
}

impl Result {
    fn place(&self, location: Location) -> String {
        let position = self.sources.position(location);
        position.map_or("nowhere".into(), |position| format!("{}:{}", position.line, position.column))
    }

    /// One line for each thing that is wrong, and one for each other place.
    pub(crate) fn wrong(&self) -> String {
        let mut text = String::new();
        for diagnostic in &self.diagnostics {
            let severity = match diagnostic.severity {
                Severity::Warning => "warning",
                Severity::Unsupported => "unsupported",
                Severity::Error => "error",
            };
            text += &format!("{}: {severity}: {}\n", self.place(diagnostic.location), diagnostic.message);
            for (location, message) in &diagnostic.related {
                text += &format!("  {}: {message}\n", self.place(*location));
            }
        }
        text
    }
}

/// The program of a text, and what is wrong with it.
pub(crate) fn program_of(dialect: Dialect, text: &str) -> String {
    let result = checked(Path::new("test"), text, &Options::new(dialect));
    print_program(&result.program) + &result.wrong()
}

/// What is wrong with a text.
pub(crate) fn wrong_with(dialect: Dialect, text: &str) -> String {
    checked(Path::new("test"), text, &Options::new(dialect)).wrong()
}
