//! Why a run cannot be done as the command line asks.

use std::ops::Range;

use reconverge_exec::launch_grammar;

use crate::output;

/// What is wrong, and where in what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    /// An argument and the bytes of it that are wrong.
    pub(crate) quote: Option<(String, Range<usize>)>,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), quote: None }
    }

    /// Says it on standard error: one line that stands for itself, and the place in the argument below.
    pub(crate) fn complain(&self, path: &str) {
        for (index, line) in self.message.lines().enumerate() {
            match index {
                0 if line.starts_with(path) => output::complain(line),
                0 => output::complain(&format!("{path}: {line}")),
                _ => output::say(line),
            }
        }
        if let Some((argument, range)) = &self.quote {
            let columns = |bytes: Range<usize>| argument.get(bytes).map_or(0, |text| text.chars().count());
            output::say(&format!("  {argument}"));
            let carets = "^".repeat(columns(range.clone()).max(1));
            output::say(&format!("  {:indent$}{carets}", "", indent = columns(0..range.start)));
        }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::new(message)
    }
}

impl From<launch_grammar::Refusal> for Refusal {
    fn from(refusal: launch_grammar::Refusal) -> Refusal {
        let launch_grammar::Refusal { message, argument, place } = refusal;
        Refusal { message, quote: Some((argument, place)) }
    }
}
