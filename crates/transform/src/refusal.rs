//! Why a function stays as it is.

use reconverge_ir::{Module, Span};
use rustc_hash::FxHashSet;

/// What may not be done, with the rule that forbids it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The function, with its sigil; or what of it, in words.
    pub function: String,
    /// The rule, in a sentence without a full stop.
    pub rule: String,
    /// The place that the rule is about.
    pub span: Span,
}

impl Refusal {
    /// Those of the functions, named with sigil or without, that are not there with a body.
    pub(crate) fn of_missing(module: &Module<'_>, functions: &[String]) -> Vec<Refusal> {
        let defined: FxHashSet<String> = module.definitions().map(|id| module.function_name(id)).collect();
        let at = |name: &String| format!("@{}", name.trim_start_matches('@'));
        let missing = functions.iter().map(at).filter(|name| !defined.contains(name));
        missing.map(|function| Refusal::of_whole(function, "no function with a body has this name")).collect()
    }

    /// One that is about no place of the text.
    pub(crate) fn of_whole(function: String, rule: &str) -> Refusal {
        Refusal { function, rule: rule.to_owned(), span: Span::default() }
    }
}
