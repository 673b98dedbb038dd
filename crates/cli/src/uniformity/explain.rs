//! `--explain`: the chain from a value or branch to a source of divergence, or why it is uniform.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use reconverge_analysis::target::{Degree, Scope};
use reconverge_analysis::uniformity::explanation::{Explanation, Point, Question, explain, find, names};
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{RefinementCounts, ReportOptions, Subject, analyze_functions};
use reconverge_findings::control::{Step, Subject as Named};
use reconverge_findings::words::{ChainWords, arrows, scope_name};
use reconverge_findings::{Anchor, IrVoice, Scene};
use reconverge_ir::{DebugLocation, FunctionId, Module, Span};
use reconverge_valid::read_functions;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::listing::{self, Paint};
use super::{Manner, Output, Outputs, Tally, by_worth, scope_keyword};
use crate::arguments::{Format, Uniformity};
use crate::input::Problem;
use crate::lines::Lines;
use crate::near::Near;
use crate::output::printable;
use crate::session::{self, Session, counted};

/// Explanations of one question beyond this many functions are left out: whoever asks for `%1` means one of them.
const MOST_FUNCTIONS: usize = 10;
/// Longer instructions are cut.
const MOST_LETTERS: usize = 160;

/// What was asked, and what became of it over all inputs.
pub(super) struct Explained {
    questions: Vec<Asked>,
}

struct Asked {
    /// As on the command line.
    text: String,
    found: bool,
    near: Near,
}

impl Explained {
    pub(super) fn new(questions: &[String]) -> Explained {
        let asked = |text: &String| Asked { text: text.clone(), found: false, near: Near::default() };
        Explained { questions: questions.iter().map(asked).collect() }
    }

    /// Answers all questions about one text.
    pub(super) fn explain(
        &mut self,
        session: &Session<'_>,
        arguments: &Uniformity,
        manner: Manner<'_>,
        text: &[u8],
    ) -> Result<(Outputs, Tally), Problem> {
        let lines = Lines::new(text);
        let questions: Vec<Question> =
            self.questions.iter().map(|asked| question(&asked.text, manner.path, &lines)).collect();
        let not_ir = |error| Problem::not_ir(manner.path, text, &error);
        let (module, found) = read_functions(text, |module, id, function| {
            let asked_for = session::is_asked_for(arguments.function.as_deref(), module, id);
            asked_for.then(|| {
                let points = questions.iter().map(|question| find(module, id, function, question));
                (id, points.collect::<Vec<Vec<Point>>>())
            })
        })
        .map_err(not_ir)?;
        let found: Vec<(FunctionId, Vec<Vec<Point>>)> = found.into_iter().flatten().collect();
        session.note_unknown_triple(manner.path, &module);

        // The first functions with an answer, for each question.
        let mut wanted: Vec<(FunctionId, Vec<Point>)> = Vec::new();
        for (index, asked) in self.questions.iter_mut().enumerate() {
            let mut answers = found.iter().filter(|(_, points)| !points[index].is_empty());
            for (id, points) in answers.by_ref().take(MOST_FUNCTIONS) {
                asked.found = true;
                match wanted.iter_mut().find(|(wanted, _)| wanted == id) {
                    Some((_, all)) => all.extend_from_slice(&points[index]),
                    None => wanted.push((*id, points[index].clone())),
                }
            }
            let more = answers.count();
            if more > 0 {
                let others = counted(more, "more function");
                session.note(&format!("{}: {} is in {others}: choose one with --function", manner.path, asked.text));
            }
        }
        wanted.sort_by_key(|&(id, _)| id);
        self.find_near_names(arguments, text, &questions).map_err(not_ir)?;

        let scope: Scope = arguments.scope.into();
        // A text may be indexed in two ways, and by the other one a number is that of another function (`read_functions`). A
        // body is known by its place.
        let bodies: HashMap<Option<Span>, &Vec<Point>> =
            wanted.iter().map(|(id, points)| (module.functions[*id].body, points)).collect();
        let points = |module: &Module<'_>, id: FunctionId| bodies.get(&module.functions[id].body).copied();
        let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
        let options = ReportOptions { target: session.target.as_deref(), scopes: &all };
        let (_, answers) = analyze_functions(
            text,
            &options,
            |module, id| points(module, id).is_some(),
            |subject, lowerer| {
                let analysis = subject.analyze(lowerer, scope, &Settings::refined());
                let answer = analysis.answer();
                let counts = subject.refinement_counts(lowerer, Scope::Subgroup);
                let mut points = points(subject.module, subject.id).cloned().unwrap_or_default();
                let mut seen = HashSet::new();
                points.retain(|&point| seen.insert(point));
                let explanations: Vec<Explanation> =
                    points.into_iter().map(|point| explain(&analysis, lowerer, point)).collect();
                let teller = Teller { subject, manner, lines: &lines, paint: Paint { color: manner.color } };
                let (output, explanations) = match manner.format {
                    Format::Json => {
                        let function = listing::json(&analysis, &answer, Some(&counts), &lines);
                        let explanations = explanations.iter().map(|explanation| teller.json(explanation)).collect();
                        (Output::Json(function), explanations)
                    }
                    Format::Text => (Output::Text(teller.text(&explanations, &counts)), Vec::new()),
                };
                (output, explanations, Tally::of(&answer, None))
            },
        )
        .map_err(not_ir)?;
        let mut tally = Tally::default();
        let mut outputs = Outputs { functions: Vec::new(), explanations: Some(Vec::new()) };
        for (output, explanations, of_function) in answers.into_iter().flatten() {
            tally.add(&of_function);
            outputs.functions.push(output);
            outputs.explanations.get_or_insert_default().extend(explanations);
        }
        // A function in which nothing was found is there all the same.
        tally.functions = found.len();
        Ok((outputs, tally))
    }

    /// For names that are nowhere.
    fn find_near_names(
        &mut self,
        arguments: &Uniformity,
        text: &[u8],
        questions: &[Question],
    ) -> Result<(), reconverge_ir::ReadError> {
        for (asked, question) in self.questions.iter_mut().zip(questions) {
            let Question::Name(name) = question else { continue };
            if asked.found {
                continue;
            }
            let (_, near) = read_functions(text, |module, id, function| {
                let mut near = Near::default();
                if session::is_asked_for(arguments.function.as_deref(), module, id) {
                    names(function).for_each(|(_, found)| near.consider(name, &module.local_name(found)));
                }
                near
            })?;
            near.into_iter().for_each(|near| asked.near.merge(name, near));
        }
        Ok(())
    }

    /// Says which questions have no answer; whether all have one.
    pub(super) fn complain(&self, session: &Session<'_>, arguments: &Uniformity) -> bool {
        let inputs: Vec<String> = arguments.inputs.inputs.iter().map(|input| input.display().to_string()).collect();
        let within = arguments.function.as_ref().map_or_else(
            || "in any function here".to_owned(),
            |function| format!("in @{}", function.trim_start_matches('@')),
        );
        for asked in self.questions.iter().filter(|asked| !asked.found) {
            let mut message = match line_of(&asked.text) {
                Some((_, line)) => format!("`{}`: line {line} has no value and no branch {within}", asked.text),
                None => format!("there is no value or block %{} {within}", asked.text.trim_start_matches('%')),
            };
            let near: Vec<String> = asked.near.names().map(|name| format!("%{name}")).collect();
            if !near.is_empty() {
                let _ = write!(message, "; near names: {}", near.join(", "));
            }
            session.complain(&Problem::new(inputs.join(", "), message));
        }
        self.questions.iter().all(|asked| asked.found)
    }
}

/// What an argument asks, of the input with this path.
fn question(argument: &str, path: &str, lines: &Lines<'_>) -> Question {
    match line_of(argument) {
        Some((file, line)) => {
            let is_here = path.strip_suffix(file).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'));
            if file.is_empty() || file == "-" || is_here {
                Question::Bytes(line.checked_sub(1).and_then(|line| lines.get(line as usize)).unwrap_or(0..0))
            } else {
                Question::SourceLine { file: file.to_owned(), line }
            }
        }
        None => {
            let name = argument.strip_prefix("br ").unwrap_or(argument).trim();
            Question::Name(name.strip_prefix('%').unwrap_or(name).to_owned())
        }
    }
}

/// The file and line that `FILE:LINE` means.
fn line_of(argument: &str) -> Option<(&str, u32)> {
    let (file, line) = argument.rsplit_once(':')?;
    (!argument.starts_with('%')).then_some(())?;
    Some((file, line.parse().ok()?))
}

/// Words explanations of one function.
#[derive(Clone, Copy)]
struct Teller<'a> {
    subject: &'a Subject<'a, 'a>,
    manner: Manner<'a>,
    lines: &'a Lines<'a>,
    paint: Paint,
}

#[derive(Serialize)]
struct ExplanationReport {
    function: String,
    name: String,
    kind: &'static str,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    scope: &'static str,
    verdict: &'static str,
    /// The widest set of threads in which it is uniform.
    uniform_in: Option<&'static str>,
    unreachable: bool,
    chain: Vec<StepReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<RefinedReport>,
}

#[derive(Serialize)]
struct RefinedReport {
    because: Vec<&'static str>,
    chain: Vec<StepReport>,
}

#[derive(Serialize)]
struct StepReport {
    rule: &'static str,
    name: String,
    message: String,
    block: Option<String>,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<[Vec<String>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    degree: Option<&'static str>,
}

#[derive(Serialize)]
struct Source {
    file: String,
    line: u32,
    column: u32,
}

impl From<&DebugLocation> for Source {
    fn from(location: &DebugLocation) -> Source {
        Source { file: location.file.clone(), line: location.line, column: location.column }
    }
}

impl Teller<'_> {
    fn words(&self) -> ChainWords<'_, '_> {
        let Subject { module, id, function, .. } = *self.subject;
        ChainWords { scene: Scene { module, id, function }, voice: &IrVoice }
    }

    /// `%x`, or `the branch of entry`.
    fn name(&self, explanation: &Explanation) -> String {
        self.words().subject(match explanation.point {
            Point::Value(value) => Named::Value(value),
            Point::Terminator(block) => Named::Branch(Some(block)),
        })
    }

    fn source(&self, at: Anchor) -> Option<DebugLocation> {
        self.subject.module.debug_location(at.location?)
    }

    fn json(&self, explanation: &Explanation) -> Box<RawValue> {
        let position = self.lines.position(explanation.at.span.range().start);
        let is_divergent = !explanation.chain.is_empty();
        let report = ExplanationReport {
            function: self.subject.module.function_name(self.subject.id),
            name: self.name(explanation),
            kind: match explanation.point {
                Point::Value(_) => "value",
                Point::Terminator(_) => "branch",
            },
            line: position.line,
            column: position.column,
            source: self.source(explanation.at).as_ref().map(Source::from),
            scope: scope_keyword(explanation.scope),
            verdict: if is_divergent { "divergent" } else { "uniform" },
            uniform_in: explanation.widest.map(scope_keyword),
            unreachable: explanation.unreachable,
            chain: self.steps_json(&explanation.chain),
            refined: explanation.refined.as_ref().map(|refined| RefinedReport {
                because: refined.because.iter().map(|kind| kind.name()).collect(),
                chain: self.steps_json(&refined.chain),
            }),
        };
        to_raw_value(&report).expect("these are names and numbers")
    }

    fn steps_json(&self, steps: &[Step]) -> Vec<StepReport> {
        let words = self.words();
        let step = |step: &Step| {
            let position = self.lines.position(step.at.span.range().start);
            StepReport {
                rule: step.why.rule().name(),
                name: words.subject(step.subject),
                message: words.why(step),
                block: step.block.map(|block| words.scene.block_name(block)),
                line: position.line,
                column: position.column,
                source: self.source(step.at).as_ref().map(Source::from),
                paths: step.paths.as_ref().map(|paths| paths.each_ref().map(|path| words.path(path))),
                degree: step.why.degree().map(|degree| match degree {
                    Degree::Certain => "certain",
                    Degree::Possible => "possible",
                }),
            }
        };
        steps.iter().map(step).collect()
    }

    fn text(&self, explanations: &[Explanation], counts: &RefinementCounts) -> String {
        let mut text = String::new();
        for explanation in explanations {
            self.explanation(explanation, &mut text);
            text.push('\n');
        }
        let worth: Vec<String> = by_worth(counts)
            .into_iter()
            .map(|(kind, count)| format!("{} {}", kind.name(), count.values + count.branches))
            .collect();
        if !worth.is_empty() {
            let name = self.subject.module.function_name(self.subject.id);
            let _ = writeln!(
                text,
                "values and branches of {} that are uniform in a subgroup because of a refinement: {}\n",
                printable(&name),
                worth.join(", ")
            );
        }
        text
    }

    fn explanation(&self, explanation: &Explanation, text: &mut String) {
        let Explanation { scope, widest, chain, refined, unreachable, .. } = explanation;
        let function = self.subject.module.function_name(self.subject.id);
        let title = format!("{} in {function}", self.name(explanation));
        let title = self.paint.bold(&printable(&title));
        if !chain.is_empty() {
            let but = match widest {
                Some(narrower) => format!(", but not of {}", scope_name(*narrower)),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "{title} is divergent: it may differ between the threads of {}{but}",
                scope_name(*scope)
            );
            self.steps(chain, text);
        } else {
            let _ = writeln!(text, "{title} is uniform in {}", scope_name(widest.unwrap_or(*scope)));
            self.place(explanation.at, text);
            if *unreachable {
                text.push_str("    no path leads here from the function's entry\n");
            }
        }
        if let Some(refined) = refined {
            let because: Vec<&str> = refined.because.iter().map(|kind| kind.name()).collect();
            let _ = writeln!(
                text,
                "  by LLVM's criteria it would be divergent in a subgroup; it is uniform there because of: {}",
                because.join(", ")
            );
            for kind in &refined.because {
                let _ = writeln!(text, "    {}: {}", kind.name(), kind.description());
            }
            text.push_str("  the chain by LLVM's criteria:\n");
            self.steps(&refined.chain, text);
        }
    }

    fn steps(&self, steps: &[Step], text: &mut String) {
        let words = self.words();
        for step in steps {
            self.place(step.at, text);
            let _ = writeln!(text, "    {}: {}", self.paint.rule(step.why.rule().name()), printable(&words.why(step)));
            for (path, start) in step.paths.iter().flatten().zip(["one way", "another"]) {
                let _ = writeln!(text, "      {start}: {}", printable(&arrows(&words.path(path))));
            }
        }
    }

    /// A place, and what stands there.
    fn place(&self, at: Anchor, text: &mut String) {
        let span = at.span.range();
        let position = self.lines.position(span.start);
        let bytes = &self.lines.whole()[span];
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mut shown: String = String::from_utf8_lossy(first.trim_ascii()).into_owned();
        if shown.chars().count() > MOST_LETTERS {
            shown = shown.chars().take(MOST_LETTERS).chain("...".chars()).collect();
        }
        let _ = writeln!(
            text,
            "  {}:{}:{}: {}",
            printable(self.manner.path),
            position.line,
            position.column,
            printable(&shown)
        );
        if let Some(DebugLocation { file, line, column, .. }) = self.source(at) {
            let _ = writeln!(text, "    in the source: {}:{line}:{column}", printable(&file));
        }
    }
}
