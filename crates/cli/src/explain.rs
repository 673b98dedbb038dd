//! `reconverge explain`: the pages of diagnostics, by code or by what they are about.

mod page;

use reconverge::{Code, severity_name};

use crate::arguments::Explain;
use crate::exit::Status;
use crate::near;
use crate::session::Session;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Explain) -> anyhow::Result<Status> {
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

/// The diagnostics with all of these words in their titles; if there are none, in their pages.
fn about_words(words: &[String]) -> Vec<Code> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let with = |text: fn(Code) -> &'static str| -> Vec<Code> {
        let has_all = |code: &Code| {
            let text = text(*code).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        Code::ALL.iter().copied().filter(has_all).collect()
    };
    let by_title = with(Code::title);
    if by_title.is_empty() { with(Code::page) } else { by_title }
}
