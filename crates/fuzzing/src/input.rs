//! What is fuzzed: a verb, texts, and a number that decides the rest.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// What is driven. Most are verbs of the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of the command line")]
pub enum Verb {
    Check,
    Uniformity,
    Cycles,
    Regions,
    Trace,
    Run,
    Lower,
    Transform,
    Validate,
    Explain,
    /// Target files.
    Target,
    /// The grammar of `--arg`, `--grid` and others.
    Launch,
    /// The binary: any verb, with any arguments.
    Command,
    /// The binary's `bisect`, with what an `opt` could write.
    Bisect,
    /// The language server of the binary, with an editor that does not wait.
    Lsp,
    Report,
    /// `uniformity` and `cycles` of machine IR.
    Machine,
}

impl Verb {
    /// Each, with its name and how many of a thousand inputs of a mix are for it.
    pub const ALL: [(Verb, &'static str, u32); 17] = [
        (Verb::Check, "check", 140),
        (Verb::Uniformity, "uniformity", 100),
        (Verb::Cycles, "cycles", 60),
        (Verb::Regions, "regions", 60),
        (Verb::Trace, "trace", 80),
        (Verb::Run, "run", 140),
        (Verb::Lower, "lower", 140),
        (Verb::Transform, "transform", 110),
        (Verb::Validate, "validate", 40),
        (Verb::Explain, "explain", 5),
        (Verb::Target, "target", 25),
        (Verb::Launch, "launch", 30),
        (Verb::Command, "command", 15),
        (Verb::Bisect, "bisect", 5),
        (Verb::Lsp, "lsp", 5),
        (Verb::Report, "report", 25),
        (Verb::Machine, "machine", 20),
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        Verb::ALL.iter().find(|(verb, ..)| *verb == self).map_or("?", |(_, name, _)| name)
    }

    /// Whether it starts the binary.
    pub fn needs_binary(self) -> bool {
        matches!(self, Verb::Command | Verb::Bisect | Verb::Lsp)
    }
}

impl Display for Verb {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Verb {
    type Err = String;

    fn from_str(text: &str) -> Result<Verb, String> {
        let found = Verb::ALL.iter().find(|(_, name, _)| *name == text);
        found.map(|(verb, ..)| *verb).ok_or_else(|| {
            let names: Vec<&str> = Verb::ALL.iter().map(|(_, name, _)| *name).collect();
            format!("no verb {text}; expected one of {}", names.join(", "))
        })
    }
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// LLVM IR.
    Ir,
    /// Source, with the extension that says the language.
    Source(&'static str),
    /// Machine IR.
    Machine,
    /// Anything else.
    Plain,
}

impl Kind {
    /// The extension of a file with such a text, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Ir => "ll",
            Kind::Source(extension) => extension,
            Kind::Machine => "mir",
            Kind::Plain => "txt",
        }
    }

    /// What a file with this extension has.
    pub fn of_extension(extension: &str) -> Kind {
        match extension {
            "ll" => Kind::Ir,
            "mir" => Kind::Machine,
            "cl" => Kind::Source("cl"),
            "cu" => Kind::Source("cu"),
            "hip" => Kind::Source("hip"),
            "c" => Kind::Source("c"),
            "cpp" => Kind::Source("cpp"),
            _ => Kind::Plain,
        }
    }
}

/// One input.
#[derive(Debug, Clone)]
pub struct Input {
    /// What is driven.
    pub verb: Verb,
    /// What the text is.
    pub kind: Kind,
    /// The text.
    pub text: Vec<u8>,
    /// A second text: the program after a change, a second file.
    pub second: Option<Vec<u8>>,
    /// Decides all else: options, paths of threads, launches.
    pub choices: u64,
}
