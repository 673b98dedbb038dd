//! `--explain`: the chain from a value or branch to a source of divergence, or why it is uniform, as text.

use std::fmt::Write;

use reconverge::near::Near;
use reconverge::{Answered, At, Explanation, FunctionUniformity, Module, Source, SourcePlace, Step, line_of_question};
use reconverge_findings::words::arrows;

use super::listing::Paint;
use super::{Manner, by_kind, by_worth};
use crate::arguments::Uniformity;
use crate::input::Problem;
use crate::output::printable;
use crate::session::{Session, counted};

/// Longer instructions are cut.
const MOST_LETTERS: usize = 160;

/// What was asked, and what became of it over all inputs.
pub(super) struct Asked {
    questions: Vec<Question>,
}

struct Question {
    /// As on the command line.
    text: String,
    /// Whether it was asked of source.
    of_source: bool,
    found: bool,
    near: Near,
}

impl Question {
    /// What names of values begin with.
    fn sigil(&self) -> &'static str {
        if self.of_source { "" } else { "%" }
    }

    /// What is in lines.
    fn things(&self) -> &'static str {
        if self.of_source { "expression that runs on the GPU" } else { "value and no branch" }
    }

    fn what(&self) -> String {
        match self.of_source {
            true => format!("variable `{}`", self.text),
            false => format!("value or block %{}", self.text.trim_start_matches('%')),
        }
    }
}

impl Asked {
    pub(super) fn new(questions: &[String]) -> Asked {
        let asked =
            |text: &String| Question { text: text.clone(), of_source: false, found: false, near: Near::default() };
        Asked { questions: questions.iter().map(asked).collect() }
    }

    /// Notes what became of the questions in a file; says where functions were left out.
    pub(super) fn note(&mut self, session: &Session<'_>, path: &str, module: &Module, answered: &[Answered]) {
        for (question, answered) in self.questions.iter_mut().zip(answered) {
            question.of_source |= module.source().is_some();
            question.found |= answered.found;
            let name = question.text.strip_prefix("br ").unwrap_or(&question.text).trim();
            question.near.merge(name.strip_prefix('%').unwrap_or(name), answered.near.clone());
            if answered.more > 0 {
                let others = counted(answered.more, "more function");
                session.note(&format!("{path}: {} is in {others}: choose one with --function", question.text));
            }
        }
    }

    /// Says which questions have no answer; whether all have one.
    pub(super) fn complain(&self, session: &Session<'_>, arguments: &Uniformity) -> bool {
        let inputs: Vec<String> = arguments.inputs.inputs.iter().map(|input| input.display().to_string()).collect();
        let within = |of_source: bool| match arguments.function.as_ref().map(|name| name.trim_start_matches('@')) {
            None => "in any function here".to_owned(),
            Some(name) if of_source => format!("in `{name}`"),
            Some(name) => format!("in @{name}"),
        };
        for asked in self.questions.iter().filter(|asked| !asked.found) {
            let within = within(asked.of_source);
            let mut message = match line_of_question(&asked.text) {
                Some((_, line)) => format!("`{}`: line {line} has no {} {within}", asked.text, asked.things()),
                None => format!("there is no {} {within}", asked.what()),
            };
            let near: Vec<String> = asked.near.names().map(|name| format!("{}{name}", asked.sigil())).collect();
            if !near.is_empty() {
                let _ = write!(message, "; near names: {}", near.join(", "));
            }
            session.complain(&Problem::new(inputs.join(", "), message));
        }
        self.questions.iter().all(|asked| asked.found)
    }
}

/// Words explanations.
pub(super) struct Teller<'a> {
    manner: Manner<'a>,
    paint: Paint,
    of_source: bool,
}

impl<'a> Teller<'a> {
    /// Of a source file, or of IR.
    pub(super) fn new(source: Option<&Source>, manner: Manner<'a>) -> Teller<'a> {
        Teller { of_source: source.is_some(), manner, paint: Paint { color: manner.color } }
    }

    /// For each function what is explained of it.
    pub(super) fn functions(&self, functions: &[FunctionUniformity], explanations: &[Explanation]) -> Vec<String> {
        let mut rest = explanations;
        let of_function = |function: &FunctionUniformity| {
            let count = rest.iter().take_while(|explanation| explanation.function == function.name).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            self.text(function, own)
        };
        functions.iter().map(of_function).collect()
    }

    fn text(&self, function: &FunctionUniformity, explanations: &[Explanation]) -> String {
        let mut text = String::new();
        let mut in_source = self.of_source;
        for explanation in explanations {
            in_source |= self.explanation(explanation, &mut text);
            text.push('\n');
        }
        let worth: Vec<String> = by_worth(by_kind(Some(function)))
            .into_iter()
            .map(|(kind, worth)| format!("{} {}", kind.name(), worth.values + worth.branches))
            .collect();
        if !worth.is_empty() && !in_source {
            let _ = writeln!(
                text,
                "values and branches of {} that are uniform in a subgroup because of a refinement: {}\n",
                printable(&function.name),
                worth.join(", ")
            );
        }
        text
    }

    /// Appends an explanation; whether it is in the words of source.
    pub(super) fn explanation(&self, explanation: &Explanation, text: &mut String) -> bool {
        let Explanation { function_words, verdict_words, name, chain, refined, unreachable, .. } = explanation;
        // IR with debug information is told in the words of its source.
        let mut places = chain.iter().map(|step| &step.at).chain([&explanation.at]);
        let in_source = self.of_source || places.any(|at| at.file.is_some());
        let title = format!("{name} in {function_words}");
        let title = self.paint.bold(&printable(&title));
        let _ = writeln!(text, "{title} {verdict_words}");
        if !chain.is_empty() {
            self.steps(chain, in_source, text);
        } else {
            self.place(&explanation.at, text);
            if *unreachable {
                text.push_str("    no path leads here from the function's entry\n");
            }
        }
        if let Some(refined) = refined {
            let because: Vec<&str> = refined.because.iter().map(|kind| kind.name()).collect();
            let _ = writeln!(
                text,
                "  by LLVM's criteria it would be divergent in {}; it is uniform there because of: {}",
                refined.set_words,
                because.join(", ")
            );
            for kind in &refined.because {
                let _ = writeln!(text, "    {}: {}", kind.name(), kind.description());
            }
            text.push_str("  the chain by LLVM's criteria:\n");
            self.steps(&refined.chain, in_source, text);
        }
        in_source
    }

    fn steps(&self, steps: &[Step], in_source: bool, text: &mut String) {
        for step in steps {
            self.place(&step.at, text);
            // An instruction says itself what it is about.
            let subject = if in_source { format!("{}: ", printable(&step.name)) } else { String::new() };
            let _ = writeln!(text, "    {}: {subject}{}", self.paint.rule(step.rule), printable(&step.message));
            let mut paths: Vec<Vec<String>> = step.paths.iter().flatten().cloned().collect();
            if in_source {
                // Blocks of one line are one place there, and paths in one line none.
                paths.iter_mut().for_each(Vec::dedup);
                paths.retain(|path| path.len() > 1);
            }
            for (path, start) in paths.iter().zip(["one path", "another"]) {
                let _ = writeln!(text, "      {start}: {}", printable(&arrows(path)));
            }
        }
    }

    /// A place, and what stands there.
    fn place(&self, At { line, column, file, source, excerpt, .. }: &At, text: &mut String) {
        let mut shown: String = excerpt.clone();
        if shown.chars().count() > MOST_LETTERS {
            shown = shown.chars().take(MOST_LETTERS).chain("...".chars()).collect();
        }
        let path = file.as_deref().unwrap_or(self.manner.path);
        if *line > 0 {
            let _ = writeln!(text, "  {}:{line}:{column}: {}", printable(path), printable(&shown));
        }
        if let Some(SourcePlace { file, line, column, .. }) = source {
            let _ = writeln!(text, "    in the source: {}:{line}:{column}", printable(file));
        }
    }
}
