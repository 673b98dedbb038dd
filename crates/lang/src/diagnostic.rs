//! What is wrong with a text, as data; the binary words places and prints carets.

use std::ops::{Deref, DerefMut};

use crate::source::Location;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program goes on as if it were not there.
    Warning,
    /// One function is outside of what is understood: the others are still checked.
    Unsupported,
    /// The text is not a program.
    Error,
}

/// Why something is wrong, as far as it matters to who knows another reader of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ground {
    /// What is written there: another reader may understand it.
    #[default]
    Text,
    /// Of OpenCL C: a name that is written as macros are, or a header, that nothing declares, or a condition that asks for one (`#error`). The host may give it when it builds the program.
    Host,
    /// Of OpenCL C: a type that nothing declares and that is not written as macros are. The text is a part of a program that the host puts together.
    Part,
    /// Of OpenCL C: a variable or function that nothing declares, and that is spelled like no function of the language. Another [part](Ground::Part) of the program may have it.
    Elsewhere,
    /// What a template is given rules it out: another one may be meant (`enable_if`).
    Substitution,
    /// The text is too large, too deep or makes too much: another reader would meet the same size, perhaps without a limit.
    Size,
    /// It breaks a rule on convergence of the document that defines it: other readers do not know that rule.
    Convergence,
}

/// Whether a name is written as macros are: in capitals.
pub(crate) fn is_written_as_macro(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && name.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// A function of the device that is not part of the program, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name, without the arguments of a template.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// Where it is declared.
    pub location: Location,
    /// The first thing that is not understood.
    pub reason: Diagnostic,
}

impl LeftOut {
    /// Leaves a function out.
    pub fn new(name: &str, is_kernel: bool, location: Location, mut reason: Diagnostic) -> LeftOut {
        // One message is enough for all instances of a template.
        let name = without_arguments(name);
        reason.severity = Severity::Unsupported;
        let what = match (name.as_str(), is_kernel) {
            ("", true) => "the kernel that begins here is left out: it has no name".to_owned(),
            ("", false) => "the function that begins here is left out: it has no name".to_owned(),
            _ => format!("`{name}` is left out"),
        };
        let reason = reason.with(location, what);
        LeftOut { name, is_kernel, location, reason }
    }
}

/// A name without the arguments of templates in it: `a::f` for `a<int>::f<3>`. What an operator is called stays as it is.
fn without_arguments(name: &str) -> String {
    let (path, operator) = name.split_at(name.find("operator").unwrap_or(name.len()));
    let mut depth = 0usize;
    let mut kept = String::with_capacity(name.len());
    for letter in path.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    kept + operator
}

/// One thing that is wrong. It is one pointer to what is said of it, so that results are small that mostly hold something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic(Box<DiagnosticData>);

/// What is said of one thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticData {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop, that makes sense without the text.
    pub message: String,
    /// Where the caret goes.
    pub location: Location,
    /// Other places that matter: `defined here`, `expanded from macro F`, `included here`.
    pub related: Vec<(Location, String)>,
    /// Whether another reader of the text could do better.
    pub ground: Ground,
    /// The limit that was reached, as `--limit` has it; none where it cannot be raised.
    pub raised_by: Option<&'static str>,
    /// The function of the language in which threads communicate that a name which nothing declares is nearly spelled like.
    pub meant: Option<&'static str>,
}

/// How many bytes of what is said are kept: names and types can be as long as the text.
const MOST_BYTES: usize = 1_000;

/// How many other places are kept.
const MOST_PLACES: usize = 100;

impl Diagnostic {
    /// An error without other places.
    pub fn error(location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, location, message.into())
    }

    /// A construct outside of the subset; the message names it.
    pub fn unsupported(location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Unsupported, location, message.into())
    }

    /// A warning without other places.
    pub fn warning(location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, location, message.into())
    }

    fn new(severity: Severity, location: Location, message: String) -> Diagnostic {
        let message = shortened(in_one_line(message));
        let related = Vec::new();
        Diagnostic(Box::new(DiagnosticData {
            severity,
            message,
            location,
            related,
            ground: Ground::Text,
            raised_by: None,
            meant: None,
        }))
    }

    /// An error because a limit was reached; the message names the limit.
    pub fn limit(location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(location, message).as_limit()
    }

    /// The same, and that the limit of this name can be raised.
    #[must_use]
    pub fn raised_by(mut self, name: &'static str) -> Diagnostic {
        self.raised_by = Some(name);
        self
    }

    /// The same, on another ground.
    #[must_use]
    pub(crate) fn because(mut self, ground: Ground) -> Diagnostic {
        self.ground = ground;
        self
    }

    /// The same, said because a limit was reached.
    #[must_use]
    pub fn as_limit(self) -> Diagnostic {
        self.because(Ground::Size)
    }

    /// A rule on convergence is broken: nothing is said of the function that it is in but that.
    pub fn convergence(location: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic::unsupported(location, message).because(Ground::Convergence)
    }

    /// Whether a limit was reached.
    pub fn is_limit(&self) -> bool {
        self.ground == Ground::Size
    }

    /// Whether a limit of the whole file was reached: nothing more is looked at.
    pub fn ends_the_file(&self) -> bool {
        self.is_limit() && self.severity == Severity::Error
    }

    /// With one more place.
    #[must_use]
    pub fn with(mut self, location: Location, message: impl Into<String>) -> Diagnostic {
        if self.related.len() < MOST_PLACES {
            self.related.push((location, shortened(in_one_line(message.into()))));
        }
        self
    }
}

/// A message in one line: what it quotes may have several, as raw strings do.
fn in_one_line(message: String) -> String {
    match message.contains('\n') {
        true => message.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        false => message,
    }
}

/// A message without its middle, where it is very long: what is wrong stands at its ends.
fn shortened(message: String) -> String {
    if message.len() <= MOST_BYTES {
        return message;
    }
    let (begin, end) = (MOST_BYTES / 2, message.len() - MOST_BYTES / 2);
    let boundary =
        |from: usize| (from..message.len()).find(|&at| message.is_char_boundary(at)).unwrap_or(message.len());
    format!("{} … {}", &message[..boundary(begin)], &message[boundary(end)..])
}

impl Deref for Diagnostic {
    type Target = DiagnosticData;

    fn deref(&self) -> &DiagnosticData {
        &self.0
    }
}

impl DerefMut for Diagnostic {
    fn deref_mut(&mut self) -> &mut DiagnosticData {
        &mut self.0
    }
}
