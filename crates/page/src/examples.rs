//! The examples of the menu: programs of `examples/`, each with a sentence of what it shows.

use serde::Serialize;

use crate::live::Question;

/// An example.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// The program.
    pub question: Question,
}

/// Each: the name, the language, what it shows, the text.
macro_rules! examples {
    ($($name:literal $language:literal $title:literal)*) => {
        &[$(($name, $language, $title, include_str!(concat!("../../../examples/", $name)))),*]
    };
}

const EXAMPLES: &[(&str, &str, &str, &str)] = examples! {
    "barrier-in-branch.cu" "cuda" "A barrier that only some threads reach"
    "block-sum.cu" "cuda" "A barrier one line too far in"
    "found-together.cl" "cl" "Threads that leave a loop together"
    "retry.cl" "cl" "A loop made with goto"
    "divergent-branch.ll" "ll" "A divergent branch, and where its threads meet"
    "temporal-divergence.ll" "ll" "Temporal divergence: threads leave a loop in different iterations"
    "exit-phi.ll" "ll" "Two constants that are divergent after a loop"
    "irreducible-divergence.ll" "ll" "An irreducible cycle, and two hierarchies"
    "scopes.ll" "ll" "Uniform in a subgroup, a workgroup, the grid"
    "valid-loop-heart.ll" "ll" "A loop with a heart"
    "valid-nested-loops.ll" "ll" "Two loops, each with its heart"
    "valid-anchor-in-branch.ll" "ll" "An anchor in a branch"
    "valid-break-keeps-iteration.ll" "ll" "An operation on the way out of a loop"
    "run-loop-with-break.ll" "ll" "Who meets on the way out of a loop"
    "run-block-reduction.ll" "ll" "A sum by workgroup, with a barrier after each step"
    "run-spin-lock.ll" "ll" "A lock that never ends in lock-step"
    "uncontrolled-kernel.ll" "ll" "A kernel without tokens"
};

/// The examples, the first one for who has no program.
pub fn examples() -> Vec<Example> {
    let example = |&(name, language, title, text): &(&str, &str, &'static str, &str)| Example {
        title,
        question: Question {
            name: name.to_owned(),
            language: language.to_owned(),
            text: text.to_owned(),
            ..Question::default()
        },
    };
    EXAMPLES.iter().map(example).collect()
}

#[cfg(test)]
mod tests {
    use reconverge::{Settings, ValidateOptions};

    use super::*;

    #[test]
    fn every_example_is_answered() {
        let check = |example: Example| {
            let report = crate::answer(&example.question, &Settings::default(), &ValidateOptions::default());
            let report = report.unwrap_or_else(|error| panic!("{}: {error}", example.question.name));
            assert_eq!(report.input, example.question.name);
            assert!(!report.graphs.is_empty(), "{}", example.question.name);
        };
        std::thread::scope(|scope| {
            examples().into_iter().for_each(|example| drop(scope.spawn(move || check(example))))
        });
    }
}
