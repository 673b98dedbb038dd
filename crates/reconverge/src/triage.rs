//! Which findings count: between what a check finds and what is printed of it.
//!
//! **Invariant.** Triage adds to findings how severe they are held to be and why they do not count, and adds those about the comments that it reads; it removes none and
//! keeps their order, so text, JSON and SARIF decide by [`Diagnostic::suppression`](crate::Diagnostic::suppression) alone.
//!
//! In this order: a comment in the program allows a finding ([`comments`]); [`Rules`] of the user change its severity or turn it off; a [`Baseline`] has
//! it from before.

mod baseline;
mod comments;
mod paths;
mod rules;

use std::path::Path;

use reconverge_findings::{Diagnostic, Suppression, number};

use crate::findings::FindingsInFile;
use crate::{Checked, Module};
pub use baseline::{Baseline, NewBaseline};
use comments::{Comments, Syntax};
pub use paths::absolute;
pub use rules::{Level, Rules};

/// What is known of the findings that do not count.
#[derive(Debug, Clone, Default)]
pub struct Triage {
    /// What the user has set.
    pub rules: Rules,
    /// The findings that are known.
    pub baseline: Baseline,
    /// Collects the findings that count but for a baseline; all in it are known.
    pub new_baseline: Option<NewBaseline>,
}

impl Triage {
    /// Says of each finding of a check whether it counts; `module` is what was checked. O(findings + text of the files that they are in).
    ///
    /// ```
    /// use reconverge::{CheckOptions, Input, Settings, Triage, check};
    /// let kernel = "kernel void k(void) {
    ///   if (get_local_id(0) < 7)
    ///     barrier(CLK_LOCAL_MEM_FENCE); // reconverge: allow(RC0201) workgroups have 7 threads
    ///   barrier(CLK_LOCAL_MEM_FENCE);
    /// }";
    /// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
    /// let mut found = check(&module, &CheckOptions::default())?;
    /// assert_eq!(found.counting().count(), 1);
    /// Triage::default().apply(&mut found, &module);
    /// assert_eq!((found.findings().count(), found.counting().count()), (1, 0));
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    pub fn apply(&mut self, checked: &mut Checked, module: &Module) {
        read_comments(checked, module);
        let current = module.files.current_folder();
        let input = absolute(Path::new(module.name()), current.as_deref());
        if module.source().is_none_or(|source| !source.is_partial) {
            self.baseline.add_checked(&input, checked.hints);
        }
        for file in &mut checked.files {
            let path = absolute(Path::new(&file.path), current.as_deref());
            let is_input = path == input;
            for diagnostic in &mut file.diagnostics {
                self.rules.apply(&path, is_input, diagnostic);
                if diagnostic.suppression.is_some() {
                    self.baseline.find(&path, diagnostic);
                } else if self.is_known(&path, diagnostic) {
                    diagnostic.suppression = Some(Suppression::Baseline);
                }
            }
        }
    }

    fn is_known(&mut self, path: &Path, diagnostic: &mut Diagnostic) -> bool {
        match &mut self.new_baseline {
            Some(new) => {
                new.add(path, diagnostic);
                true
            }
            None => self.baseline.has(path, diagnostic),
        }
    }
}

/// Has comments allow findings, and adds what is wrong about the comments of the input itself: those of headers may be for other inputs.
fn read_comments(checked: &mut Checked, module: &Module) {
    let current = module.files.current_folder();
    let absolute = |path: &str| absolute(Path::new(path), current.as_deref());
    let is_input = |path: &str| absolute(path) == absolute(module.name());
    let mut own = None;
    // Nobody has written the IR of source. Where IR that was read is told in the words of its source, comments of both allow.
    let mut of_ir = module.source().is_none().then(|| Comments::of(module.ir(), Syntax::Ir));
    for file in checked.files.iter_mut().filter(|file| file.source.is_some()) {
        if let Some(comments) = &mut of_ir {
            comments.allow_in_ir(&mut file.diagnostics);
        }
    }
    for (index, file) in checked.files.iter_mut().enumerate() {
        let comments = match &file.source {
            Some(text) => Some(Comments::of(text, Syntax::Source)),
            None => of_ir.take(),
        };
        let Some(mut comments) = comments else { continue };
        comments.allow(&mut file.diagnostics);
        if is_input(&file.path) {
            own = Some((index, comments));
        }
    }
    let text = module.source().and_then(|source| source.words.files.text(module.name()));
    let (index, comments) = match own {
        Some((index, comments)) => (Some(index), Some(comments)),
        None => (None, of_ir.or_else(|| text.as_ref().map(|text| Comments::of(text, Syntax::Source)))),
    };
    let is_whole = module.source().is_none_or(|source| !source.is_partial);
    let mut wrong = comments.map(|comments| comments.wrong(is_whole, checked.hints)).unwrap_or_default();
    number(&mut wrong);
    match index {
        Some(index) => {
            let diagnostics = &mut checked.files[index].diagnostics;
            diagnostics.append(&mut wrong);
            diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        }
        None if wrong.is_empty() => {}
        None => {
            checked.files.push(FindingsInFile { path: module.name().to_owned(), source: text, diagnostics: wrong });
        }
    }
}
