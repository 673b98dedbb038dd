//! Does with an input what its verb does, and panics where something does not hold that has to hold of every input.
//!
//! What has to hold: places are inside of the text; a message is one line; what is printed reads again; what a transform makes reads, and breaks no
//! static rule that its input keeps; what runs ends within its limits; the same input gives the same answer.

mod command;
mod describe;
mod editor;
mod execute;
pub(crate) mod launch;
mod machine;
mod page;
mod structure;
mod translate;

use std::ops::Range;

use reconverge_findings::Diagnostic;
use reconverge_testing::random::SplitMix64;

use crate::input::{Input, Verb};
use crate::seeds::{Seeds, hash};

/// What came of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the reader, or the front end, accepted it.
    pub past_reader: bool,
    /// What was refused behind the reader: a kernel that cannot run, a path that nobody can take.
    pub refused: bool,
    /// How many findings there are.
    pub findings: usize,
    /// What was seen, as fingerprints: codes, kinds of messages, opcodes. An input that shows a new one is worth keeping.
    pub features: Vec<u64>,
    /// A fingerprint of the whole answer: the same each time.
    pub digest: u64,
    /// The first message, without names and numbers.
    pub reason: String,
}

impl Outcome {
    /// Notes something that was seen.
    fn saw(&mut self, what: &str) {
        // Numbers and names in messages are not news.
        let mut kind = String::with_capacity(what.len());
        let mut quoted = false;
        for letter in what.chars() {
            quoted ^= matches!(letter, '\'' | '"' | '`');
            if !quoted && !letter.is_ascii_digit() {
                kind.push(letter);
            }
        }
        let words = kind.split(' ').filter(|word| !word.contains(['%', '@']));
        let kind = words.collect::<Vec<_>>().join(" ");
        self.features.push(hash(kind.as_bytes()));
        if self.reason.is_empty() {
            self.reason = kind;
        }
    }

    /// Adds to the answer.
    fn answers(&mut self, what: &str) {
        self.digest = self.digest.rotate_left(7) ^ hash(what.as_bytes());
    }

    fn refuses(&mut self, message: &str) {
        self.refused = true;
        self.saw(message);
        self.answers(message);
    }

    fn finds(&mut self, diagnostics: &[Diagnostic]) {
        self.findings += diagnostics.len();
        for diagnostic in diagnostics {
            self.saw(diagnostic.code.name());
            self.answers(&diagnostic.message);
        }
    }
}

/// Where a worker runs inputs.
#[derive(Debug)]
pub struct Place<'p> {
    /// The texts.
    pub seeds: &'p Seeds,
    /// A folder for files; nothing is written elsewhere.
    pub folder: &'p std::path::Path,
    /// The binary, for the verbs that need one.
    pub binary: Option<&'p std::path::Path>,
}

/// Drives an input.
///
/// # Panics
/// When something does not hold of it.
pub fn drive(input: &Input, place: &Place<'_>) -> Outcome {
    let mut rng = SplitMix64::new(input.choices);
    let rng = &mut rng;
    match input.verb {
        Verb::Check => structure::check(input, rng),
        Verb::Uniformity => structure::uniformity(input, rng),
        Verb::Cycles => structure::cycles(input, rng),
        Verb::Regions => structure::regions(input),
        Verb::Trace => structure::trace(input, rng),
        Verb::Run => execute::run(input, rng),
        Verb::Validate => execute::validate(input, rng),
        Verb::Lower => translate::lower(input, rng),
        Verb::Transform => translate::transform(input, rng),
        Verb::Report => page::page(input, rng),
        Verb::Explain => describe::explain(rng),
        Verb::Target => describe::target(input, place),
        Verb::Machine => machine::machine(input, rng),
        Verb::Launch => launch::launch(input),
        Verb::Command => command::command(input, place, rng),
        Verb::Bisect => command::bisect(input, place, rng),
        Verb::Lsp => editor::lsp(input, place, rng),
    }
}

/// A place is in a text.
fn assert_inside(text: &[u8], span: &Range<usize>, what: &dyn std::fmt::Debug) {
    assert!(
        span.start <= span.end && span.end <= text.len(),
        "a place outside of the text: {span:?} of {}: {what:?}",
        text.len()
    );
}

/// Findings are one line each, and point into the text.
fn assert_findings(text: &[u8], diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert_inside(text, &diagnostic.span, diagnostic);
        diagnostic.related.iter().for_each(|related| assert_inside(text, &related.span, diagnostic));
        assert!(!diagnostic.message.contains('\n'), "a message has several lines: {diagnostic:?}");
    }
}

/// What is wrong with a text that is not IR.
fn assert_read_error(text: &[u8], error: &reconverge_ir::ReadError) {
    assert!(error.offset <= text.len(), "the error is outside of the text, at {}: {error}", error.offset);
    assert!(!error.message.contains('\n'), "a message has several lines: {error}");
}

/// What a reader says of a text that it refuses.
fn unread(text: &[u8], error: &reconverge_ir::ReadError) -> Outcome {
    assert_read_error(text, error);
    let mut outcome = Outcome::default();
    outcome.saw(&error.message);
    outcome.answers(&error.message);
    outcome
}

/// The IR of an input: its text, or what its source is translated to.
fn ir_of(input: &Input, rng: &mut SplitMix64) -> Option<Vec<u8>> {
    translate::ir_of(input, rng)
}
