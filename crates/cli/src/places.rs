//! Findings in words, where they are shown: in the IR that was read, or in the source that it was made from.
//!
//! A finding speaks of what it points into: where its place in the source is known, in the words of the source.

use std::borrow::Cow;
use std::rc::Rc;

use reconverge_findings::{Code, Diagnostic, Finding, IrVoice, Words, number};
use reconverge_ir::Module;

use crate::input::Content;
use crate::lines::Lines;
use crate::render::Renderer;
use crate::source::{Origin, SourceVoice};

/// Findings in one file.
pub(crate) struct FindingsInFile<'c> {
    /// The file.
    pub(crate) path: Cow<'c, str>,
    /// What it holds.
    pub(crate) text: Text<'c>,
    /// The findings, their spans in the text.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A text that is here, or that several share.
pub(crate) enum Text<'c> {
    Here(&'c [u8]),
    Shared(Rc<[u8]>),
}

impl std::ops::Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Text::Here(text) => text,
            Text::Shared(text) => text,
        }
    }
}

/// Words findings of one module.
pub(crate) struct Speaker<'m, 't> {
    ir: Words<'m, 't>,
    source: Option<(&'m Origin, Words<'m, 't>)>,
}

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// Its spans are in the source where there is a place, else in the text of the module.
    pub(crate) diagnostic: Diagnostic,
    /// The source file: its name, and what it holds.
    pub(crate) place: Option<(String, Rc<[u8]>)>,
}

impl<'m, 't> Speaker<'m, 't> {
    /// For findings of a module, and the source that it was made from.
    pub(crate) fn new(module: &'m Module<'t>, origin: Option<&'m Origin>) -> Speaker<'m, 't> {
        let voice = |origin: &'m Origin| SourceVoice { origins: origin.origins.as_deref() };
        let source = origin.map(|origin| (origin, Words::new(module, voice(origin))));
        Speaker { ir: Words::new(module, IrVoice), source }
    }

    /// A finding where it is best shown.
    pub(crate) fn tell(&self, finding: &Finding) -> Told {
        let place = self.source.as_ref().and_then(|(origin, words)| origin.files.relocate(words.diagnostic(finding)));
        match place {
            Some(place) => Told { diagnostic: place.diagnostic, place: Some((place.path, place.text)) },
            None => Told { diagnostic: self.ir.diagnostic(finding), place: None },
        }
    }

    /// All of them; equals have numbers.
    pub(crate) fn tell_all<'f>(&self, findings: impl IntoIterator<Item = &'f Finding>) -> Vec<Told> {
        let mut told: Vec<Told> = findings.into_iter().map(|finding| self.tell(finding)).collect();
        number(told.iter_mut().map(|told| &mut told.diagnostic));
        told
    }
}

impl Told {
    /// Appends it to `output` as text. `path` and `lines` are of the text of the module.
    pub(crate) fn render(&self, renderer: &Renderer, path: &str, lines: &Lines<'_>, output: &mut String) {
        match &self.place {
            Some((path, text)) => renderer.render(path, &Lines::new(text), text, &self.diagnostic, output),
            None => renderer.render(path, lines, lines.whole(), &self.diagnostic, output),
        }
    }

    /// It as JSON; `lines` are of the text of the module.
    pub(crate) fn json(&self, lines: &Lines<'_>) -> crate::json::Finding {
        match &self.place {
            Some((_, text)) => crate::json::Finding::new(&self.diagnostic, &Lines::new(text)),
            None => crate::json::Finding::new(&self.diagnostic, lines),
        }
    }
}

/// The findings of an input, those in its IR moved into the source where there is one, with what the statements show. Files in the
/// order of their first finding; no file without findings.
pub(crate) fn of<'c>(
    name: &'c str,
    content: &'c Content,
    module: &Module<'_>,
    findings: &[Finding],
) -> Vec<FindingsInFile<'c>> {
    let mut files: Vec<FindingsInFile<'c>> = Vec::new();
    let mut add = |path: Cow<'c, str>, text: Text<'c>, diagnostic| {
        let known = files.iter_mut().find(|file| file.path == path);
        match known {
            Some(file) => file.diagnostics.push(diagnostic),
            None => files.push(FindingsInFile { path, text, diagnostics: vec![diagnostic] }),
        }
    };
    let speaker = Speaker::new(module, content.origin.as_ref());
    let statements = content.origin.iter().flat_map(|origin| &origin.findings);
    for (path, finding) in statements.clone() {
        let text = content.origin.as_ref().and_then(|origin| origin.files.text(path));
        if let Some(text) = text {
            add(Cow::Borrowed(path), Text::Shared(text), speaker.ir.diagnostic(finding));
        }
    }
    for finding in findings {
        let Told { diagnostic, place } = speaker.tell(finding);
        match place {
            // The statements say more about it.
            Some(_) if finding.code == Code::RC0301 && statements.clone().next().is_some() => {}
            Some((path, text)) => add(Cow::Owned(path), Text::Shared(text), diagnostic),
            // It has no place in the source.
            None if content.origin.is_some() => {
                add(Cow::Owned(format!("{name} (as IR)")), Text::Here(content.ir()), diagnostic);
            }
            None => add(Cow::Borrowed(name), Text::Here(content.ir()), diagnostic),
        }
    }
    files.iter_mut().for_each(|file| file.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start));
    number(files.iter_mut().flat_map(|file| &mut file.diagnostics));
    files
}
