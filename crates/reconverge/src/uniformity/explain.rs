//! The chain from a value or branch to a source of divergence, or why it is uniform.

use std::collections::{HashMap, HashSet};

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::explanation::{self, Point, Question, find, names};
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{ReportOptions, Subject, analyze_functions};
use reconverge_findings::control::{self, Subject as Named};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{Anchor, IrVoice, Scene};
use reconverge_ir::{FunctionId, ReadError, Span};
use reconverge_valid::read_functions;

use super::{Explanation, Refined, SourcePlace, Step, Uniformity, UniformityOptions, listing};
use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::near::Near;
use crate::{Module, Progress};

/// Explanations of one question beyond this many functions are left out: whoever asks for `%1` means one of them.
const MOST_FUNCTIONS: usize = 10;

/// What became of a question.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Answered {
    /// Whether there is something that it is about.
    pub found: bool,
    /// In how many more functions, which were left out.
    pub more: usize,
    /// Where it is about nothing: names that may have been meant, best first.
    pub near: Near,
}

/// Answers all questions about one module.
pub(super) fn explain(module: &Module, options: &UniformityOptions) -> Result<Uniformity, ReadError> {
    let text = module.ir();
    let lines = Lines::new(text);
    let questions: Vec<Question> = options.explain.iter().map(|asked| question(asked, module.name(), &lines)).collect();
    let is_asked_for = |index: &reconverge_ir::Module<'_>, id| is_asked_for(options.function.as_deref(), index, id);
    let (index, found) = read_functions(text, |index, id, function| {
        is_asked_for(index, id).then(|| {
            let points = questions.iter().map(|question| find(index, id, function, question));
            (id, points.collect::<Vec<Vec<Point>>>())
        })
    })?;
    let found: Vec<(FunctionId, Vec<Vec<Point>>)> = found.into_iter().flatten().collect();

    // The first functions with an answer, for each question.
    let mut wanted: Vec<(FunctionId, Vec<Point>)> = Vec::new();
    let mut answered = vec![Answered::default(); questions.len()];
    for (number, answered) in answered.iter_mut().enumerate() {
        let mut answers = found.iter().filter(|(_, points)| !points[number].is_empty());
        for (id, points) in answers.by_ref().take(MOST_FUNCTIONS) {
            answered.found = true;
            match wanted.iter_mut().find(|(wanted, _)| wanted == id) {
                Some((_, all)) => all.extend_from_slice(&points[number]),
                None => wanted.push((*id, points[number].clone())),
            }
        }
        answered.more = answers.count();
    }
    for (answered, question) in answered.iter_mut().zip(&questions) {
        let Question::Name(name) = question else { continue };
        if answered.found {
            continue;
        }
        let (_, near) = read_functions(text, |index, id, function| {
            let mut near = Near::default();
            if is_asked_for(index, id) {
                names(function).for_each(|(_, found)| near.consider(name, &index.local_name(found)));
            }
            near
        })?;
        near.into_iter().for_each(|near| answered.near.merge(name, near));
    }

    // A text may be indexed in two ways, and by the other one a number is that of another function (`read_functions`). A
    // body is known by its place.
    let bodies: HashMap<Option<Span>, &Vec<Point>> =
        wanted.iter().map(|(id, points)| (index.functions[*id].body, points)).collect();
    let points = |index: &reconverge_ir::Module<'_>, id: FunctionId| bodies.get(&index.functions[id].body).copied();
    let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
    let settings = ReportOptions { target: Some(module.target()), scopes: &all };
    let (_, answers) = analyze_functions(
        text,
        &settings,
        |index, id| !module.control.is_cancelled() && points(index, id).is_some(),
        |subject, lowerer| {
            let analysis = subject.analyze(lowerer, options.scope, &Settings::refined());
            let counts = subject.refinement_counts(lowerer, Scope::Subgroup);
            let mut points = points(subject.module, subject.id).cloned().unwrap_or_default();
            let mut seen = HashSet::new();
            points.retain(|&point| seen.insert(point));
            let namer = Namer::new(subject, &lines);
            let explanations = points
                .into_iter()
                .map(|point| namer.explanation(&explanation::explain(&analysis, lowerer, point)))
                .collect::<Vec<Explanation>>();
            module.control.tell(Progress::Function);
            (listing::list(&analysis, Some(&counts), options.reasons, &lines), explanations)
        },
    )?;
    // A function in which nothing was found is there all the same.
    let mut told = Uniformity { answered, function_count: found.len(), ..Uniformity::default() };
    let mut explanations = Vec::new();
    for (function, of_function) in answers.into_iter().flatten() {
        told.functions.push(function);
        explanations.extend(of_function);
    }
    told.explanations = Some(explanations);
    Ok(told)
}

/// What a question asks of the input with this path.
fn question(asked: &str, path: &str, lines: &Lines<'_>) -> Question {
    match line_of_question(asked) {
        Some((file, line)) => {
            let is_here = path.strip_suffix(file).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'));
            if file.is_empty() || file == "-" || is_here {
                Question::Bytes(line.checked_sub(1).and_then(|line| lines.get(line as usize)).unwrap_or(0..0))
            } else {
                Question::SourceLine { file: file.to_owned(), line }
            }
        }
        None => {
            let name = asked.strip_prefix("br ").unwrap_or(asked).trim();
            Question::Name(name.strip_prefix('%').unwrap_or(name).to_owned())
        }
    }
}

/// The file and line that a question about a line asks for.
pub fn line_of_question(asked: &str) -> Option<(&str, u32)> {
    let (file, line) = asked.rsplit_once(':')?;
    (!asked.starts_with('%')).then_some(())?;
    Some((file, line.parse().ok()?))
}

/// Names what an explanation is about.
struct Namer<'a> {
    words: ChainWords<'a, 'a>,
    lines: &'a Lines<'a>,
}

impl<'a> Namer<'a> {
    fn new(subject: &Subject<'a, 'a>, lines: &'a Lines<'a>) -> Namer<'a> {
        let Subject { module, id, function, .. } = *subject;
        Namer { words: ChainWords { scene: Scene { module, id, function }, voice: &IrVoice }, lines }
    }

    fn source(&self, at: Anchor) -> Option<SourcePlace> {
        Some(SourcePlace::from(&self.words.scene.module.debug_location(at.location?)?))
    }

    fn explanation(&self, explanation: &explanation::Explanation) -> Explanation {
        let span = explanation.at.span.range();
        let position = self.lines.position(span.start);
        let (kind, subject) = match explanation.point {
            Point::Value(value) => ("value", Named::Value(value)),
            Point::Terminator(block) => ("branch", Named::Branch(Some(block))),
        };
        let refined = explanation.refined.as_ref();
        Explanation {
            function: self.words.scene.module.function_name(self.words.scene.id),
            name: self.words.subject(subject),
            kind,
            line: position.line,
            column: position.column,
            source: self.source(explanation.at),
            scope: explanation.scope,
            verdict: if explanation.chain.is_empty() { "uniform" } else { "divergent" },
            uniform_in: explanation.widest,
            unreachable: explanation.unreachable,
            chain: self.steps(&explanation.chain),
            refined: refined
                .map(|refined| Refined { because: refined.because.clone(), chain: self.steps(&refined.chain) }),
            span,
        }
    }

    fn steps(&self, steps: &[control::Step]) -> Vec<Step> {
        let step = |step: &control::Step| {
            let span = step.at.span.range();
            let position = self.lines.position(span.start);
            Step {
                rule: step.why.rule().name(),
                name: self.words.subject(step.subject),
                message: self.words.why(step),
                block: step.block.map(|block| self.words.scene.block_name(block)),
                line: position.line,
                column: position.column,
                source: self.source(step.at),
                paths: step.paths.as_ref().map(|paths| paths.each_ref().map(|path| self.words.path(path))),
                degree: step.why.degree(),
                span,
            }
        };
        steps.iter().map(step).collect()
    }
}
