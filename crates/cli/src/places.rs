//! Which text a finding points into: the IR that was read, or the source that it was made from.

use std::borrow::Cow;
use std::rc::Rc;

use reconverge_analysis::codes::Code;
use reconverge_analysis::diagnostic::Diagnostic;

use crate::input::Content;

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

/// The findings of an input, those in its IR moved into the source where there is one, with what the statements show. Files in the
/// order of their first finding; no file without findings.
pub(crate) fn of<'c>(name: &'c str, content: &'c Content, diagnostics: Vec<Diagnostic>) -> Vec<FindingsInFile<'c>> {
    let mut files: Vec<FindingsInFile<'c>> = Vec::new();
    let mut add = |path: Cow<'c, str>, text: Text<'c>, diagnostic| {
        let known = files.iter_mut().find(|file| file.path == path);
        match known {
            Some(file) => file.diagnostics.push(diagnostic),
            None => files.push(FindingsInFile { path, text, diagnostics: vec![diagnostic] }),
        }
    };
    let Some(origin) = &content.origin else {
        diagnostics.into_iter().for_each(|found| add(Cow::Borrowed(name), Text::Here(&content.ir), found));
        return files;
    };
    for (path, diagnostic) in &origin.findings {
        if let Some(text) = origin.files.text(path) {
            add(Cow::Borrowed(path), Text::Shared(text), diagnostic.clone());
        }
    }
    for diagnostic in diagnostics {
        match origin.files.relocate(&diagnostic) {
            // The statements say more about it.
            Some(place) if diagnostic.code == Code::RC0301 && !origin.findings.is_empty() => drop(place),
            Some(place) => add(Cow::Owned(place.path), Text::Shared(place.text), place.diagnostic),
            // It has no place in the source.
            None => add(Cow::Owned(format!("{name} (as IR)")), Text::Here(&content.ir), diagnostic),
        }
    }
    files.iter_mut().for_each(|file| file.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start));
    files
}
