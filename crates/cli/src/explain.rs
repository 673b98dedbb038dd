//! `reconverge explain`: the pages of diagnostics, by code or by what they are about.

mod page;

use reconverge::{Code, severity_name};

use crate::arguments::Explain;
use crate::exit::Status;
use crate::near;
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &Explain) -> anyhow::Result<Status> {
    let about = arguments.about.join(" ");
    let found: Vec<Code> = match arguments.about.as_slice() {
        [] => Code::ALL.to_vec(),
        words => match Code::from_name(&about) {
            Some(code) => vec![code],
            None => about_words(words),
        },
    };
    match found[..] {
        // What is no code and in no page may be a code that is misspelt.
        [] => return Err(near::code(&about).map_or_else(anyhow::Error::msg, |_| anyhow::anyhow!("no page"))),
        [code] => {
            let text = match session.has_color() {
                true => page::rendered(code.page(), page::width()),
                false => code.page().trim_end().to_owned(),
            };
            session.print(&format!("{text}\n"))?;
        }
        ref codes => {
            for code in codes {
                session.print(&format!("{} {:7} {}\n", code.name(), severity_name(code.severity()), code.title()))?;
            }
        }
    }
    Ok(Status::Clean)
}

/// The diagnostics with words in their titles that begin with all of these; if there are none, in their pages; if there are none, with the beginnings of these
/// words, so that `divergence` finds `divergent`.
fn about_words(words: &[String]) -> Vec<Code> {
    /// What long words have in common that mean the same.
    const STEM: usize = 6;
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let stems: Vec<String> = words.iter().map(|word| word.chars().take(STEM).collect()).collect();
    let with = |words: &[String], text: fn(Code) -> &'static str| -> Vec<Code> {
        let has_all = |code: &Code| {
            let text = text(*code).to_lowercase();
            words.iter().all(|word| has_word(&text, word))
        };
        Code::ALL.iter().copied().filter(has_all).collect()
    };
    let ways = [
        (&words, Code::title as fn(Code) -> &'static str),
        (&words, Code::page),
        (&stems, Code::title),
        (&stems, Code::page),
    ];
    ways.into_iter().map(|(words, text)| with(words, text)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether a word of a text begins so: `hang` is in `hangs` and in `__hang`, and not in `change`.
fn has_word(text: &str, beginning: &str) -> bool {
    text.match_indices(beginning).any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric()))
}
