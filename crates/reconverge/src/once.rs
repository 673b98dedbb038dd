//! Findings that several inputs of one run have, such as those in a header that all of them include.
//!
//! **Invariant.** Of findings with one [`Identity`] the first is kept, whatever comes after it. One in the input itself is told with the input; one in another file
//! waits until all inputs are known, and then lists the others that have it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use reconverge_findings::{Code, Diagnostic, Severity};
use reconverge_lang::builtins::mangle::BODY_OF_KERNEL;
use rustc_hash::FxHashMap;

use crate::triage::absolute;
use crate::{Checked, Module};

/// The findings of a run so far.
///
/// ```
/// use std::sync::Arc;
/// use reconverge::{CheckOptions, InMemory, Input, Once, Settings, check};
/// let header = "static void all(int x) { if (get_local_id(0) < x) sub_group_reduce_add(x); }";
/// let kernel = "#include \"all.h\"\nkernel void k(void) { all(3); }";
/// let files = InMemory::new([("all.h", header)]);
/// let settings = Settings { files: Arc::new(files), ..Settings::default() };
/// let mut once = Once::default();
/// for (number, name) in ["a.cl", "b.cl"].into_iter().enumerate() {
///     let module = reconverge::open(Input::new(name, kernel, None)?, &settings)?;
///     let mut found = check(&module, &CheckOptions::default())?;
///     once.keep(number, &mut found, &module);
///     assert_eq!(found.findings().count(), 0);
/// }
/// let files = once.finish();
/// assert_eq!((files.len(), &*files[0].path, files[0].findings.len()), (1, "all.h", 1));
/// assert_eq!(files[0].findings[0].diagnostic.inputs, ["b.cl"]);
/// # Ok::<(), reconverge::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Once {
    /// Where findings are that wait; nothing for those that were told.
    known: FxHashMap<Identity, Option<(usize, usize)>>,
    waiting: Vec<SharedFile>,
    files: FxHashMap<PathBuf, usize>,
}

/// What is the same of findings that are one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Identity {
    /// Absolute.
    path: PathBuf,
    start: usize,
    code: Code,
    severity: Severity,
    counts: bool,
    /// Its number among those of one input that are equal in all of this.
    number: usize,
}

/// Findings in a file that is none of the inputs that have them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SharedFile {
    /// The file.
    pub path: String,
    /// What it holds.
    pub text: Arc<[u8]>,
    /// The findings, in the order of the text.
    pub findings: Vec<SharedFinding>,
}

/// A finding that inputs have in a file that they include.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SharedFinding {
    /// The number of the first input that has it.
    pub input: usize,
    /// The finding.
    pub diagnostic: Diagnostic,
}

impl Once {
    /// Takes from what was found in an input what is to be told later, or was found before. Inputs come in the order of their numbers, and findings after
    /// [triage](crate::Triage). O(findings).
    pub fn keep(&mut self, input: usize, checked: &mut Checked, module: &Module) {
        let current = module.files.current_folder();
        let absolute = |path: &str| absolute(Path::new(path), current.as_deref());
        let own = absolute(module.name());
        for file in &mut checked.files {
            // Of what is shown in IR, each input has its own.
            let Some(text) = &file.source else { continue };
            let path = absolute(&file.path);
            let mut equals = FxHashMap::default();
            for diagnostic in std::mem::take(&mut file.diagnostics) {
                let identity = identity(&path, &diagnostic, &mut equals);
                match self.known.get(&identity).copied() {
                    None if path == own => {
                        self.known.insert(identity, None);
                        file.diagnostics.push(diagnostic);
                    }
                    None => {
                        let place = self.wait(&path, &file.path, text, SharedFinding { input, diagnostic });
                        self.known.insert(identity, Some(place));
                    }
                    Some(None) => {}
                    Some(Some((file, finding))) => {
                        let input = Some(module.name()).filter(|_| path != own);
                        self.waiting[file].findings[finding].is_in(input, diagnostic);
                    }
                }
            }
        }
        checked.files.retain(|file| !file.diagnostics.is_empty());
    }

    /// Keeps a finding for later; where it is.
    fn wait(&mut self, path: &Path, name: &str, text: &Arc<[u8]>, finding: SharedFinding) -> (usize, usize) {
        let file = *self.files.entry(path.to_owned()).or_insert_with(|| {
            self.waiting.push(SharedFile { path: name.to_owned(), text: text.clone(), findings: Vec::new() });
            self.waiting.len() - 1
        });
        let findings = &mut self.waiting[file].findings;
        findings.push(finding);
        (file, findings.len() - 1)
    }

    /// What was kept for later, by the files that it is in.
    pub fn finish(self) -> Vec<SharedFile> {
        let mut files = self.waiting;
        for file in &mut files {
            file.findings.sort_by_key(|finding| finding.diagnostic.span.start);
        }
        files
    }
}

fn identity(
    path: &Path,
    diagnostic: &Diagnostic,
    equals: &mut FxHashMap<(usize, Code, Severity, bool), usize>,
) -> Identity {
    let (start, code, severity) = (diagnostic.span.start, diagnostic.code, diagnostic.severity);
    let counts = diagnostic.suppression.is_none();
    let count = equals.entry((start, code, severity, counts)).or_default();
    *count += 1;
    Identity { path: path.to_owned(), start, code, severity, counts, number: *count }
}

impl SharedFinding {
    /// Another input has it, in the function that `other` is in or in more of its instances.
    fn is_in(&mut self, input: Option<&str>, other: Diagnostic) {
        let Diagnostic { function, instances, inputs, .. } = &mut self.diagnostic;
        // Of the two functions that clang makes of a kernel, one input may have it in the one, and the other in the other.
        let kernel = |name: &str| name.replacen(BODY_OF_KERNEL, "", 1);
        let is_new = |name: &String| function.as_ref().is_none_or(|function| kernel(function) != kernel(name));
        for name in other.function.into_iter().chain(other.instances).filter(is_new) {
            if !instances.contains(&name) {
                instances.push(name);
            }
        }
        inputs.extend(input.map(str::to_owned));
    }
}
