//! The chain from a value or branch to a source of divergence, or why it is uniform.

use std::collections::{HashMap, HashSet};

use reconverge_analysis::target::{Degree, Scope};
use reconverge_analysis::uniformity::explanation::{self, Explainer, Point};
use reconverge_analysis::uniformity::report::{ReportOptions, Subject, analyze_functions};
use reconverge_findings::control::{self, Relation, Subject as Named, Why};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{Anchor, IrVoice, Scene, Voice};
use reconverge_ir::origin::{FunctionOrigins, Origin};
use reconverge_ir::{FunctionId, ReadError, Span};
use reconverge_valid::read_functions;

use super::questions::{Asked, Known};
use super::{At, Explanation, Refined, SourcePlace, Step, Uniformity, UniformityOptions, listing};
use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::near::Near;
use crate::source::{NamedVoice, SourceVoice, SourceWords};
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
    let words = module.words();
    let questions: Vec<Asked> = options.explain.iter().map(|asked| Asked::new(asked, module, &lines)).collect();
    let is_asked_for = |index: &reconverge_ir::Module<'_>, id| is_asked_for(options.function.as_deref(), index, id);
    let (index, found) = read_functions(text, |index, id, function| {
        is_asked_for(index, id).then(|| {
            let scene = Scene { module: index, id, function };
            let known = words.map_or_else(Known::default, |words| Known::new(&scene, words));
            let points = questions.iter().map(|question| question.points(index, id, function, &known));
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
        let Some(name) = question.name().filter(|_| !answered.found) else { continue };
        let (_, near) = read_functions(text, |index, id, function| {
            let mut near = Near::default();
            if is_asked_for(index, id) {
                question.names(index, id, function).iter().for_each(|found| near.consider(name, found));
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
    let (index, mut answers) = analyze_functions(
        text,
        &settings,
        |index, id| !module.control.is_cancelled() && points(index, id).is_some(),
        |subject, lowerer| {
            let mut explainer = Explainer::new(subject, lowerer, options.scope);
            let counts = subject.refinement_counts(lowerer, Scope::Subgroup);
            let mut points = points(subject.module, subject.id).cloned().unwrap_or_default();
            let mut seen = HashSet::new();
            points.retain(|&point| seen.insert(point));
            let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
            let in_source = words.filter(|words| words.knows(&scene)).map(SourceVoice);
            let voice: &dyn Voice = match &in_source {
                Some(voice) => voice,
                None if words.is_some() => &NamedVoice,
                None => &IrVoice,
            };
            let namer = Namer::new(subject, module, voice, &lines);
            let explanations = points
                .into_iter()
                .map(|point| namer.explanation(&explainer.explain(lowerer, point)))
                .collect::<Vec<Explanation>>();
            module.control.tell(Progress::Function);
            (listing::list(module, explainer.analysis(), Some(&counts), options.detail), explanations)
        },
    )?;
    let functions = answers.iter_mut().map(|answer| answer.as_mut().map(|(function, _)| function));
    listing::put_lines(&index, index.definitions().zip(functions));
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

/// Names what an explanation is about.
pub(crate) struct Namer<'a, 't> {
    words: ChainWords<'a, 't>,
    input: &'a Module,
    lines: &'a Lines<'t>,
    /// Whether what LLVM's criteria say is told, too.
    of_llvm: bool,
}

impl<'a, 't> Namer<'a, 't> {
    pub(crate) fn new(
        subject: &Subject<'a, 't>,
        input: &'a Module,
        voice: &'a dyn Voice,
        lines: &'a Lines<'t>,
    ) -> Namer<'a, 't> {
        let Subject { module, id, function, .. } = *subject;
        Namer {
            words: ChainWords { scene: Scene { module, id, function }, voice },
            input,
            lines,
            of_llvm: voice.speaks_ir(),
        }
    }

    /// The same, for a comparison with LLVM.
    pub(crate) fn for_llvm(self) -> Namer<'a, 't> {
        Namer { of_llvm: true, ..self }
    }

    /// Where something is: of source, by its origin.
    fn at(&self, at: Anchor, origin: impl FnOnce(&FunctionOrigins<'_, '_>) -> Option<Origin>) -> At {
        let module = self.words.scene.module;
        if let Some(words) = self.input.words().filter(|words| words.knows(&self.words.scene)) {
            let place = origin(&words.origins_in(&self.words.scene)).and_then(|origin| in_source(words, &origin));
            if place.is_some() || !words.is_of_ir() {
                return place.unwrap_or_default();
            }
        }
        let span = at.span.range();
        let position = self.lines.position(span.start);
        let first = self.input.ir()[span].split(|&byte| byte == b'\n').next().unwrap_or_default();
        At {
            line: position.line,
            column: position.column,
            file: None,
            source: at.location.and_then(|node| Some(SourcePlace::from(&module.debug_location(node)?))),
            excerpt: String::from_utf8_lossy(first.trim_ascii()).into_owned(),
        }
    }

    pub(crate) fn explanation(&self, explanation: &explanation::Explanation) -> Explanation {
        let Scene { module, id, function } = self.words.scene;
        let kind = match explanation.point {
            Point::Value(_) => "value",
            Point::Terminator(_) => "branch",
        };
        let at = self.at(explanation.at, |origins| match explanation.point {
            Point::Value(value) => origins.of_value(value),
            Point::Terminator(block) => origins.of_instruction(function.terminator(block)),
        });
        let name = module.function_name(id);
        let written = self.words.voice.written(name.strip_prefix('@').unwrap_or(&name));
        // LLVM would not be asked about what our front end writes, so its criteria explain nothing about source.
        let set = |scope| self.words.voice.set(scope);
        let verdict_words = match (explanation.chain.is_empty(), explanation.widest) {
            (true, widest) => format!("is uniform in {}", set(widest.unwrap_or(explanation.scope))),
            (false, widest) => {
                let but = widest.map(|narrower| format!(", but not of {}", set(narrower))).unwrap_or_default();
                format!("is divergent: it may differ between the threads of {}{but}", set(explanation.scope))
            }
        };
        let refined = explanation.refined.as_ref().filter(|_| self.of_llvm);
        Explanation {
            function_words: if self.words.voice.speaks_ir() { name.clone() } else { format!("`{written}`") },
            name: self.words.subject(named(explanation.point)),
            kind,
            at,
            scope: explanation.scope,
            verdict: if explanation.chain.is_empty() { "uniform" } else { "divergent" },
            uniform_in: explanation.widest,
            unreachable: explanation.unreachable,
            chain: self.steps(&explanation.chain),
            refined: refined.map(|refined| Refined {
                because: refined.because.clone(),
                chain: self.steps(&refined.chain),
                set_words: self.words.voice.set(Scope::Subgroup),
            }),
            function: name,
            verdict_words,
            may: may(&explanation.chain),
        }
    }

    fn steps(&self, steps: &[control::Step]) -> Vec<Step> {
        let step = |step: &control::Step| Step {
            rule: step.why.rule().name(),
            name: self.words.subject(step.subject),
            message: self.words.why(step),
            block: step.block.map(|block| self.words.voice.block(&self.words.scene, block)),
            at: self.at(step.at, |origins| match (step.subject, step.at.inst) {
                (Named::Value(value), _) => origins.of_value(value),
                (_, inst) => origins.of_instruction(inst?),
            }),
            paths: step.paths.as_ref().map(|paths| paths.each_ref().map(|path| self.words.path(path))),
            degree: step.why.degree(),
        };
        steps.iter().filter(|step| self.words.is_told(step)).map(step).collect()
    }
}

/// Whether a chain leads by other steps than computation, or to something that threads need not differ in.
fn may(chain: &[control::Step]) -> bool {
    let is_computed = |why: &Why| matches!(why, Why::Operand(relation, _) if *relation != Relation::Load);
    chain.split_last().is_some_and(|(source, steps)| {
        source.why.degree() != Some(Degree::Certain) || !steps.iter().all(|step| is_computed(&step.why))
    })
}

/// A point, for sentences.
pub(super) fn named(point: Point) -> Named {
    match point {
        Point::Value(value) => Named::Value(value),
        Point::Terminator(block) => Named::Branch(Some(block)),
    }
}

/// A place in the source, with its line.
pub(super) fn in_source(words: &SourceWords, origin: &Origin) -> Option<At> {
    let file = origin.place.file.path.display().to_string();
    let (line, column) = origin.place.line()?;
    let excerpt = words.files.line(&file, line as usize)?;
    Some(At { line: line as usize, column: column as usize, file: Some(file), source: None, excerpt })
}
