//! The whole answer about one value or branch: divergent and why; or uniform, how widely, and because of which refinements.
//!
//! *Because of*: LLVM's criteria, which are the analysis without refinements, would call it divergent for subgroups. If there are
//! refinements without any one of which it is divergent, it is uniform because of them. Otherwise several refinements
//! replace each other, and we take those that are left when one after the other is turned off, as long as it stays uniform.

use std::ops::Range;

use cranelift_entity::EntityRef;
use reconverge_findings::Anchor;
use reconverge_findings::control::Step;
use reconverge_graph::{DepthFirst, SuccessorOrder};
use reconverge_ir::function::{Block, Definition, Inst, InstData, LocalName, Value};
use reconverge_ir::{DebugLocation, Function, FunctionId, Module, text};

use super::Element;
use super::lower::Lowerer;
use super::refinements::{RefinementKind, Settings};
use super::report::{Analysis, Subject};
use super::story::tell;
use crate::target::Scope;

/// What can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// A parameter or a result.
    Value(Value),
    /// The terminator of a block.
    Terminator(Block),
}

/// How a user says what is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// A name as in the text, without sigil: a value, or a block for its terminator.
    Name(String),
    /// Whatever is defined or decided in these bytes of the text.
    Bytes(Range<usize>),
    /// Whatever comes from a line of a source file. The end of the file's path is enough.
    SourceLine {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
    },
}

/// Everything about one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What it is.
    pub point: Point,
    /// The instruction; the name of a parameter.
    pub at: Anchor,
    /// The set of threads that was asked about.
    pub scope: Scope,
    /// The widest set in which it is uniform; nothing if it is divergent in a subgroup already.
    pub widest: Option<Scope>,
    /// Why it is divergent; empty if it is uniform.
    pub chain: Vec<Step>,
    /// Why it is uniform, where LLVM's criteria call it divergent.
    pub refined: Option<Refined>,
    /// Whether no path leads to it from the function's entry.
    pub unreachable: bool,
}

/// Why something is uniform that LLVM's criteria call divergent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refined {
    /// The refinements that it takes.
    pub because: Vec<RefinementKind>,
    /// Why LLVM's criteria call it divergent.
    pub chain: Vec<Step>,
}

/// All points of a function that a question is about, in the order of the text.
pub fn find(module: &Module<'_>, id: FunctionId, function: &Function, question: &Question) -> Vec<Point> {
    let mut points = Vec::new();
    match question {
        Question::Name(name) => {
            let asked = text::unquote(name.as_bytes());
            let is_asked_for = |name: LocalName| module.is_named(name, &asked);
            points.extend(names(function).filter(|&(_, name)| is_asked_for(name)).map(|(point, _)| point));
        }
        Question::Bytes(bytes) => {
            let header = module.functions[id].header.range();
            let (start, end) = (header.start, module.functions[id].body.map_or(header.end, |body| body.range().end));
            if start >= bytes.end || end <= bytes.start {
                return points;
            }
            if bytes.contains(&header.start) {
                points.extend(function.parameters.iter().map(|&parameter| Point::Value(parameter)));
            }
            points.extend(instructions_where(function, |data| {
                // A long `switch` is found by any of its lines.
                let span = data.span.range();
                span.start < bytes.end && bytes.start < span.end
            }));
        }
        Question::SourceLine { file, line } => {
            let is_asked_for = |place: &DebugLocation| {
                let path = place.file.strip_suffix(file.as_str());
                place.line == *line && path.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
            };
            points.extend(instructions_where(function, |data| {
                let location = data.debug_location.expand().and_then(|node| module.debug_location(node));
                location.is_some_and(|place| is_asked_for(&place) || place.inlined_at.iter().any(is_asked_for))
            }));
        }
    }
    points
}

/// The names of values and blocks, of blocks as their terminators.
pub fn names(function: &Function) -> impl Iterator<Item = (Point, LocalName)> {
    let parameters = function.parameters.iter().filter_map(|&value| Some((Point::Value(value), function.name(value)?)));
    let results = function.instructions.values();
    let results = results.filter_map(|data| Some((Point::Value(data.result.expand()?), data.name)));
    let blocks = function.blocks.iter().map(|(block, data)| (Point::Terminator(block), data.name));
    parameters.chain(results).chain(blocks)
}

/// The results of instructions, and the branches.
fn instructions_where(function: &Function, is_asked_for: impl Fn(&InstData) -> bool) -> Vec<Point> {
    let mut points = Vec::new();
    for data in function.instructions.values().filter(|&data| is_asked_for(data)) {
        points.extend(data.result.expand().map(Point::Value));
        if data.opcode.is_terminator() && function.successors(data.block).len() > 1 {
            points.push(Point::Terminator(data.block));
        }
    }
    points
}

/// Explains points of one function.
///
/// **Invariant.** For each set of threads and each choice of refinements the function is analysed at most once, so all points of a function take at most some
/// thirty analyses.
#[derive(Debug)]
pub struct Explainer<'s, 't> {
    subject: Subject<'s, 't>,
    /// The set of threads that is asked about.
    scope: Scope,
    /// What was analysed: first `scope` with all refinements.
    made: Vec<(Scope, Settings, Analysis<'s, 't>)>,
    /// The nodes of the first analysis that a path leads to.
    reached: DepthFirst,
}

impl<'s, 't> Explainer<'s, 't> {
    /// Explains what is uniform in a set of threads, or why not.
    pub fn new(subject: &Subject<'s, 't>, lowerer: &mut Lowerer, scope: Scope) -> Explainer<'s, 't> {
        let settings = Settings::refined();
        let analysis = subject.analyze(lowerer, scope, &settings);
        let reached = DepthFirst::compute(&analysis.lowered.problem.graph, SuccessorOrder::Forward);
        Explainer { subject: *subject, scope, made: vec![(scope, settings, analysis)], reached }
    }

    /// The analysis of the set of threads that is asked about, with all refinements.
    pub fn analysis(&self) -> &Analysis<'s, 't> {
        &self.made[0].2
    }

    fn analyzed(&mut self, lowerer: &mut Lowerer, scope: Scope, settings: &Settings) -> &Analysis<'s, 't> {
        let known = self.made.iter().position(|(of, with, _)| (*of, with) == (scope, settings));
        let index = known.unwrap_or_else(|| {
            self.made.push((scope, *settings, self.subject.analyze(lowerer, scope, settings)));
            self.made.len() - 1
        });
        &self.made[index].2
    }

    /// The instruction of a point; none for a parameter.
    pub fn instruction(&self, point: Point) -> Option<Inst> {
        let function = self.subject.function;
        match point {
            Point::Terminator(block) => Some(function.terminator(block)),
            Point::Value(value) => match function.values[value].definition {
                Definition::Instruction(inst) => Some(inst),
                _ => None,
            },
        }
    }

    /// Whether a path leads to a point from the function's entry.
    pub fn is_reachable(&self, point: Point) -> bool {
        let node_of = |inst| self.analysis().lowered.node_of(self.subject.function, inst);
        self.instruction(point).is_none_or(|inst| self.reached.is_reachable(node_of(inst)))
    }

    /// The widest set of threads in which a point is uniform.
    pub fn widest(&mut self, lowerer: &mut Lowerer, point: Point) -> Option<Scope> {
        let is_uniform = |scope: &Scope| !is_divergent(self.analyzed(lowerer, *scope, &Settings::refined()), point);
        [Scope::Grid, Scope::Workgroup, Scope::Subgroup].into_iter().find(is_uniform)
    }

    /// Explains one point.
    pub fn explain(&mut self, lowerer: &mut Lowerer, point: Point) -> Explanation {
        let Subject { module, id, function, .. } = self.subject;
        let inst = self.instruction(point);
        let at = match (inst, point) {
            (Some(inst), _) => Anchor::inst(id, function, inst),
            (None, Point::Value(value)) => match function.name(value) {
                Some(LocalName::Text(span)) => Anchor::part(id, span),
                _ => Anchor::part(id, module.functions[id].header),
            },
            (None, Point::Terminator(_)) => Anchor::part(id, module.functions[id].header),
        };
        let unreachable = !self.is_reachable(point);
        let chain_here = chain(self.analysis(), point);
        let widest = self.widest(lowerer, point);
        let mut is_uniform =
            |scope: Scope, settings: &Settings| !is_divergent(self.analyzed(lowerer, scope, settings), point);
        let is_refined = widest.is_some() && !is_uniform(Scope::Subgroup, &Settings::unrefined());
        let because = is_refined.then(|| reasons(|settings| is_uniform(Scope::Subgroup, settings)));
        let refined = because.map(|because| {
            let unrefined = self.analyzed(lowerer, Scope::Subgroup, &Settings::unrefined());
            Refined { because, chain: chain(unrefined, point) }
        });
        Explanation { point, at, scope: self.scope, widest, chain: chain_here, refined, unreachable }
    }
}

/// The refinements that it takes.
fn reasons(mut is_uniform: impl FnMut(&Settings) -> bool) -> Vec<RefinementKind> {
    let necessary = |&kind: &RefinementKind| !is_uniform(&Settings::refined().with(kind, false));
    let necessary: Vec<RefinementKind> = RefinementKind::ALL.into_iter().filter(necessary).collect();
    if !necessary.is_empty() {
        return necessary;
    }
    let mut settings = Settings::refined();
    let mut kept = Vec::new();
    for kind in RefinementKind::ALL {
        let without = settings.with(kind, false);
        if is_uniform(&without) {
            settings = without;
        } else {
            kept.push(kind);
        }
    }
    kept
}

/// What the engine calls a point; nothing for a value that it does not look at.
pub fn element(analysis: &Analysis<'_, '_>, point: Point) -> Option<Element> {
    match point {
        Point::Value(value) => analysis.lowered.index_of(value).map(Element::Value),
        Point::Terminator(block) => Some(Element::Branch(analysis.terminator_node(block))),
    }
}

fn is_divergent(analysis: &Analysis<'_, '_>, point: Point) -> bool {
    match element(analysis, point) {
        Some(Element::Value(index)) => analysis.uniformity.values[index as usize].is_some(),
        Some(Element::Branch(node)) => analysis.uniformity.branches[node.index()].is_some(),
        None => false,
    }
}

fn chain(analysis: &Analysis<'_, '_>, point: Point) -> Vec<Step> {
    element(analysis, point).map_or_else(Vec::new, |element| tell(analysis, element))
}
