//! The control-flow graphs of a module, with all that is known of how threads go through them, laid out to be drawn.
//!
//! **Definition.** Threads that diverge at a branch may meet at its *joins*: the blocks that two paths from it lead to which share only their ends. They do so at the
//! latest at its *reconvergence point*, the immediate post-dominator. An *exit* of a cycle is temporally divergent when converged threads may leave over it in different
//! iterations.
//!
//! What is divergent is so in a subgroup; `docs/report.md` has the schema.

pub mod layout;

use std::ops::Not;

use cranelift_entity::EntityRef;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::explanation::{Explainer, Point, Question, find};
use reconverge_analysis::uniformity::report::{Analysis, ReportOptions, Subject, analyze_functions};
use reconverge_findings::{IrVoice, Voice};
use reconverge_graph::{CycleForest, Digraph, Node, PostDominators, SuccessorOrder, two_disjoint_paths};
use reconverge_ir::function::{Block, Definition, Inst};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::origin::FunctionOrigins;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::borrow::Cow;

use self::layout::{Layout, Shape, lay_out};
use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::report::UniformIn;
use crate::source::Source;
use crate::uniformity::explain::Namer;
use crate::{Error, Explanation, FunctionRegions, Module, Progress, RegionsOptions, Step, regions};

/// What is asked about control flow.
#[derive(Debug, Clone, Default)]
pub struct CfgOptions {
    /// Only this function.
    pub function: Option<String>,
}

/// The control-flow graphs of a module.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Cfg {
    /// By function, in the order of the text.
    pub functions: Vec<FunctionGraph>,
    /// The steps of all chains, each once.
    pub steps: Vec<Step>,
}

/// The control-flow graph of a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionGraph {
    /// The function, with its sigil.
    pub name: String,
    /// The function, as the input writes it.
    pub written: String,
    /// The line of the IR that it begins in.
    pub line: usize,
    /// Whether launches start it.
    pub kernel: bool,
    /// The blocks, in the order of the text.
    pub blocks: Vec<GraphBlock>,
    /// From block to block, each pair once.
    pub edges: Vec<GraphEdge>,
    /// The cycles of the hierarchy that LLVM finds, outer ones before those inside.
    pub cycles: Vec<GraphCycle>,
    /// Where each convergence token is live.
    pub regions: FunctionRegions,
    /// Parameters, results and branches that a path leads to, in the order of the text.
    pub points: Vec<GraphPoint>,
    /// Whether joins were looked for at every divergent branch: in large functions that takes too long.
    pub joins_complete: bool,
    /// Where everything stands when blocks have their instructions in them.
    pub layout: Layout,
    /// Of source: where everything stands when blocks have their lines of source in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_layout: Option<Layout>,
}

/// A block.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct GraphBlock {
    /// Its name.
    pub name: String,
    /// The line of its first instruction.
    pub line: usize,
    /// Its instructions.
    pub instructions: Vec<GraphLine>,
    /// Of source: the lines that its instructions were made from, in their order; a line that is followed by itself is there once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<GraphLine>,
    /// Whether threads diverge at its end.
    pub divergent: bool,
    /// The blocks with divergent branches that it is a join of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<usize>,
    /// The blocks with divergent branches that it is the reconvergence point of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reconverges: Vec<usize>,
    /// Whether it is one of several entries of an irreducible cycle.
    pub entry: bool,
    /// The innermost cycle that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
}

/// An instruction, or a line of source.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct GraphLine {
    /// What it says, without what is around it.
    pub text: String,
    /// The line of IR; of source, that of the first instruction that was made from it here.
    pub line: usize,
    /// Of source: the last such line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<usize>,
    /// The place in the source that it is, or was made from: the file and the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<(String, usize)>,
    /// The widest set in which what it computes and decides is uniform, or `divergent`; absent where it does neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform_in: Option<&'static str>,
    /// Whether all that is divergent of it is so for another reason than that it is computed from what certainly differs between threads.
    #[serde(skip_serializing_if = "Not::not")]
    pub may: bool,
}

impl GraphLine {
    fn new(
        text: String,
        line: usize,
        last: Option<usize>,
        source: Option<(String, usize)>,
        known: Option<UniformIn>,
    ) -> GraphLine {
        let mut made = GraphLine { text, line, last, source, uniform_in: None, may: false };
        made.set_uniform(known);
        made
    }

    fn uniform(&self) -> Option<UniformIn> {
        Some(UniformIn { set: self.uniform_in?, may: self.may })
    }

    fn set_uniform(&mut self, known: Option<UniformIn>) {
        (self.uniform_in, self.may) = (known.map(|known| known.set), known.is_some_and(|known| known.may));
    }
}

/// An edge.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct GraphEdge {
    /// The block that it comes from.
    pub from: usize,
    /// The block that it leads to.
    pub to: usize,
    /// Of a branch on a condition: `true` or `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<&'static str>,
    /// Whether threads may leave a cycle over it in different iterations.
    pub temporal: bool,
}

/// A cycle.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct GraphCycle {
    /// The block that is its header.
    pub header: usize,
    /// The blocks that edges from outside lead to: more than one, if it is irreducible.
    pub entries: Vec<usize>,
    /// The cycle around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// How many blocks it has, with those of cycles inside.
    pub blocks: usize,
    /// Whether threads may leave it in different iterations: over an edge, or inside of a block, behind the last use of a token of the cycle.
    pub divergent_exit: bool,
    /// Whether it is irreducible and threads may be converged in it by one hierarchy and not by another, so that all that varies in it counts as divergent.
    pub assumed_divergent: bool,
}

/// A value or a branch.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct GraphPoint {
    /// What it is called.
    pub name: String,
    /// The block that it is in; none for a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// The line of IR, from 1.
    pub line: usize,
    /// The widest set in which it is uniform, or `divergent`.
    pub uniform_in: &'static str,
    /// Whether it is divergent, and not computed from what certainly differs between threads.
    #[serde(skip_serializing_if = "Not::not")]
    pub may: bool,
    /// The verdict in words, to follow the name.
    pub verdict: String,
    /// Why it is divergent in a subgroup: numbers of [steps](Cfg::steps), back to a source.
    pub chain: Vec<usize>,
}

/// The control-flow graphs of the functions of a module.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{CfgOptions, Input, Settings, cfg};
/// let kernel = "kernel void k(global int *a) { if (get_local_id(0) < 7) a[0] = 1; }";
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
/// let graphs = cfg(&module, &CfgOptions::default())?;
/// let blocks = &graphs.functions[0].blocks;
/// let last = blocks.last().expect("a block");
/// assert!(blocks[0].divergent && last.reconverges == [0] && last.joins == [0]);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn cfg(module: &Module, options: &CfgOptions) -> Result<Cfg, Error> {
    let mut steps = Steps::default();
    let explained = explained(module, options)?;
    let functions = explained.into_iter().map(|function| function.graph(&mut steps)).collect();
    Ok(Cfg { functions, steps: steps.all })
}

/// A graph whose points are not numbered yet.
pub(crate) struct Explained {
    graph: FunctionGraph,
    /// What is known of each point, in the order of the text, and its block.
    pub(crate) points: Vec<(Explanation, Option<usize>)>,
}

impl Explained {
    /// The graph, with its chains as numbers of steps.
    pub(crate) fn graph(mut self, steps: &mut Steps) -> FunctionGraph {
        let reached = self.points.into_iter().filter(|(found, _)| !found.unreachable);
        let point = |(found, block): (Explanation, Option<usize>)| {
            let UniformIn { set: uniform_in, may } = UniformIn::new(&found);
            GraphPoint {
                block,
                line: found.at.line,
                uniform_in,
                may,
                chain: found.chain.into_iter().map(|step| steps.number(step)).collect(),
                name: found.name,
                verdict: found.verdict_words,
            }
        };
        self.graph.points = reached.map(point).collect();
        self.graph
    }
}

/// The steps of chains. Chains of one cause end alike, so each step is kept once.
#[derive(Default)]
pub(crate) struct Steps {
    pub(crate) all: Vec<Step>,
    numbers: FxHashMap<String, usize>,
}

impl Steps {
    pub(crate) fn number(&mut self, step: Step) -> usize {
        let text = serde_json::to_string(&step).expect("these are names and numbers");
        *self.numbers.entry(text).or_insert_with(|| {
            self.all.push(step);
            self.all.len() - 1
        })
    }
}

/// The graphs, and of each point why it is what it is, in terms of the IR.
pub(crate) fn explained(module: &Module, options: &CfgOptions) -> Result<Vec<Explained>, Error> {
    let ir = module.as_ir();
    let lines = Lines::new(ir.ir());
    let mut regions: FxHashMap<usize, FunctionRegions> = FxHashMap::default();
    for function in regions_of(&ir, options)? {
        regions.insert(function.line, function);
    }
    let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
    let settings = ReportOptions { target: Some(module.target()), scopes: &all };
    let wanted = |index: &reconverge_ir::Module<'_>, id| {
        !module.control.is_cancelled() && is_asked_for(options.function.as_deref(), index, id)
    };
    let (_, found) = analyze_functions(ir.ir(), &settings, wanted, |subject, lowerer| {
        let mut explainer = Explainer::new(subject, lowerer, Scope::Subgroup);
        let namer = Namer::new(subject, &ir, &IrVoice, &lines);
        let points = points_of(subject)
            .into_iter()
            .map(|(point, block)| (namer.explanation(&explainer.explain(lowerer, point)), block))
            .collect();
        let drawer = Drawer { module, lines: &lines, analysis: explainer.analysis() };
        let drawn = drawer.draw(points);
        module.control.tell(Progress::Function);
        drawn
    })
    .map_err(|error| module.not_ir(&error))?;
    let mut found: Vec<Explained> = found.into_iter().flatten().collect();
    for function in &mut found {
        if let Some(regions) = regions.remove(&function.graph.line) {
            function.graph.regions = regions;
        }
    }
    module.unless_cancelled(found)
}

fn regions_of(ir: &Module, options: &CfgOptions) -> Result<Vec<FunctionRegions>, Error> {
    Ok(regions(ir, &RegionsOptions { function: options.function.clone() })?.functions)
}

/// All points of a function, each with its block.
fn points_of(subject: &Subject<'_, '_>) -> Vec<(Point, Option<usize>)> {
    let Subject { module, id, function, .. } = *subject;
    let header = module.functions[id].header.range();
    let end = module.functions[id].body.map_or(header.end, |body| body.range().end);
    let block = |point: &Point| match *point {
        Point::Terminator(block) => Some(block.index()),
        Point::Value(value) => match function.values[value].definition {
            Definition::Instruction(inst) => Some(function.instructions[inst].block.index()),
            _ => None,
        },
    };
    let mut seen = FxHashSet::default();
    let points = find(module, id, function, &Question::Bytes(header.start..end)).into_iter();
    points.filter(|&point| seen.insert(point)).map(|point| (point, block(&point))).collect()
}

/// Makes the graph of a function.
struct Drawer<'a, 's, 't> {
    module: &'a Module,
    lines: &'a Lines<'t>,
    analysis: &'a Analysis<'s, 't>,
}

impl Drawer<'_, '_, '_> {
    fn draw(&self, points: Vec<(Explanation, Option<usize>)>) -> Explained {
        let Subject { module, id, facts, function, .. } = self.analysis.subject;
        let graph = function.control_flow_graph();
        let forest = CycleForest::compute(&graph, SuccessorOrder::Reverse);
        let mut sets: FxHashMap<usize, UniformIn> = FxHashMap::default();
        for (found, _) in points.iter().filter(|(found, block)| block.is_some() && !found.unreachable) {
            let set = UniformIn::new(found);
            sets.entry(found.at.line).and_modify(|known| *known = known.and(set)).or_insert(set);
        }
        let mut blocks: Vec<GraphBlock> =
            function.blocks.keys().map(|block| self.block(block, &forest, &sets)).collect();
        let joins_complete = mark_meetings(&graph, &mut blocks);
        let edges = self.edges();
        let cycles = self.cycles(&forest);
        let name = module.function_name(id);
        let line = self.lines.position(module.functions[id].header.range().start).line;
        let cycle_of: Vec<Option<usize>> = blocks.iter().map(|block| block.cycle).collect();
        let nest: Vec<(Option<usize>, usize)> = cycles.iter().map(|cycle| (cycle.parent, cycle.header)).collect();
        let ends: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let laid_out = |is_source: bool| {
            let widths: Vec<f64> = blocks.iter().map(|block| block.width(is_source)).collect();
            lay_out(&Shape { widths: &widths, cycle_of: &cycle_of, cycles: &nest, edges: &ends })
        };
        let (layout, source_layout) = (laid_out(false), self.module.source().map(|_| laid_out(true)));
        let regions = FunctionRegions { name: name.clone(), line, source: None, regions: Vec::new(), exceeded: None };
        let kernel = facts.is_kernel(id);
        let voice = self.module.source().map(Source::voice);
        let voice = voice.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
        let written = voice.written(name.strip_prefix('@').unwrap_or(&name)).into_owned();
        let graph = FunctionGraph {
            name,
            written,
            line,
            kernel,
            blocks,
            edges,
            cycles,
            regions,
            points: Vec::new(),
            joins_complete,
            layout,
            source_layout,
        };
        Explained { graph, points }
    }

    fn block(&self, block: Block, forest: &CycleForest, sets: &FxHashMap<usize, UniformIn>) -> GraphBlock {
        let Subject { module, id, function, .. } = self.analysis.subject;
        let source = self.module.source();
        let origins = source.map(|source| FunctionOrigins::new(module, id, function, source.words.origins.as_ref()));
        let mut instructions = Vec::new();
        let mut of_source: Vec<GraphLine> = Vec::new();
        for inst in function.block_instructions(block) {
            let line = self.line_of(inst);
            let known = sets.get(&line).copied();
            let place = origins.as_ref().and_then(|origins| {
                let place = origins.of_instruction(inst)?.place;
                Some((place.file.path.display().to_string(), place.line()?.0 as usize))
            });
            // Where a variable lives, the source does not say.
            let is_variable = function.instructions[inst].opcode == Opcode::Alloca;
            if let (Some(place), Some(source), false) = (&place, source, is_variable) {
                match of_source.last_mut().filter(|last| last.source.as_ref() == Some(place)) {
                    Some(last) => {
                        last.last = Some(line);
                        last.set_uniform(match (last.uniform(), known) {
                            (Some(one), Some(other)) => Some(one.and(other)),
                            (one, other) => one.or(other),
                        });
                    }
                    None => {
                        let text = source.words.files.line(&place.0, place.1).unwrap_or_default().trim().to_owned();
                        of_source.push(GraphLine::new(text, line, Some(line), Some(place.clone()), known));
                    }
                }
            }
            instructions.push(GraphLine::new(self.text_of(inst), line, None, place, known));
        }
        GraphBlock {
            name: module.local_name(function.blocks[block].name),
            line: instructions.first().map_or(0, |first| first.line),
            instructions,
            source: of_source,
            divergent: self.analysis.has_divergent_branch(block),
            joins: Vec::new(),
            reconverges: Vec::new(),
            entry: forest
                .cycles
                .iter()
                .any(|(cycle, data)| !forest.is_reducible(cycle) && data.entries.contains(&Node::new(block.index()))),
            cycle: forest.innermost(Node::new(block.index())).map(EntityRef::index),
        }
    }

    fn line_of(&self, inst: Inst) -> usize {
        let span = self.analysis.subject.function.instructions[inst].span.range();
        self.lines.line_of(span.start) + 1
    }

    /// The first line of an instruction, without its metadata.
    fn text_of(&self, inst: Inst) -> String {
        let data = &self.analysis.subject.function.instructions[inst];
        let (span, attachments) = (data.span.range(), data.attachments.range());
        let end = if attachments.is_empty() { span.end } else { attachments.start };
        let text = String::from_utf8_lossy(&self.lines.whole()[span.start..end.max(span.start)]).into_owned();
        let text = text.trim_end().trim_end_matches(',');
        match text.split_once('\n') {
            Some((first, _)) => format!("{} …", first.trim_end()),
            None => text.to_owned(),
        }
    }

    fn edges(&self) -> Vec<GraphEdge> {
        let function = self.analysis.subject.function;
        let mut temporal: FxHashSet<(usize, usize)> = FxHashSet::default();
        for exit in &self.analysis.uniformity.divergent_exits {
            let block = |node| Some(self.analysis.lowered.block_of(node)?.0.index());
            temporal.extend(block(exit.edge.0).zip(block(exit.edge.1)));
        }
        let mut edges = Vec::new();
        for block in function.blocks.keys() {
            let successors = function.successors(block);
            let is_condition =
                function.instructions[function.terminator(block)].opcode == Opcode::Br && successors.len() == 2;
            let mut seen = FxHashSet::default();
            for (&to, label) in
                successors.iter().zip(["true", "false"].into_iter().map(Some).chain(std::iter::repeat(None)))
            {
                if seen.insert(to) {
                    let (from, to) = (block.index(), to.index());
                    let label = label.filter(|_| is_condition && successors[0] != successors[1]);
                    edges.push(GraphEdge { from, to, label, temporal: temporal.contains(&(from, to)) });
                }
            }
        }
        edges
    }

    fn cycles(&self, forest: &CycleForest) -> Vec<GraphCycle> {
        let lowered = &self.analysis.lowered;
        let uniformity = &self.analysis.uniformity;
        let node = |node: Node| Some(Node::new(lowered.block_of(node)?.0.index()));
        let assumed: Vec<Node> = uniformity.assumed_divergent.iter().filter_map(|&header| node(header)).collect();
        let exits: Vec<Node> = uniformity.divergent_exits.iter().filter_map(|exit| node(exit.header)).collect();
        let cycle = |cycle| {
            let data = &forest.cycles[cycle];
            // A header of any hierarchy is an entry.
            let is_of = |header: Node| data.entries.contains(&header);
            GraphCycle {
                header: data.header.index(),
                entries: data.entries.iter().map(|entry| entry.index()).collect(),
                parent: data.parent.map(EntityRef::index),
                blocks: data.node_count(),
                divergent_exit: exits.iter().any(|&header| is_of(header)),
                assumed_divergent: assumed.iter().any(|&header| is_of(header)),
            }
        };
        forest.cycles.keys().map(cycle).collect()
    }
}

impl GraphBlock {
    /// The lines in it, as a picture shows them.
    pub fn lines(&self, is_source: bool) -> &[GraphLine] {
        if is_source { &self.source } else { &self.instructions }
    }

    /// What it is called in a picture: its name in the IR, or the lines of the source that it is in.
    pub fn title(&self, is_source: bool) -> Cow<'_, str> {
        if !is_source {
            return Cow::Borrowed(&self.name);
        }
        let lines = || self.source.iter().filter_map(|line| Some(line.source.as_ref()?.1));
        match lines().min().zip(lines().max()) {
            Some((first, last)) if first < last => Cow::Owned(format!("lines {first} to {last}")),
            Some((line, _)) => Cow::Owned(format!("line {line}")),
            None => Cow::Borrowed("no statement"),
        }
    }

    /// What is said of how threads go through it, for its picture: `diverges`, `reconverges`, `join`, `entry`.
    pub fn marks(&self) -> Vec<&'static str> {
        let all = [
            (self.divergent, "diverges"),
            (!self.reconverges.is_empty(), "reconverges"),
            (self.reconverges.is_empty() && !self.joins.is_empty(), "join"),
            (self.entry, "entry"),
        ];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect()
    }

    /// How wide its picture is.
    fn width(&self, is_source: bool) -> f64 {
        let characters = |text: &str| text.chars().count().min(MOST_CHARACTERS);
        let longest = self.lines(is_source).iter().map(|line| characters(&line.text)).max().unwrap_or(0);
        let title: usize = self.marks().iter().map(|mark| characters(mark) + 4).sum();
        CHARACTER * longest.max(characters(&self.title(is_source)) + title + 1) as f64 + 40.0
    }
}

/// How many characters of a line a picture shows.
pub const MOST_CHARACTERS: usize = 60;
/// How wide a character of a picture is.
const CHARACTER: f64 = 7.25;

/// Says of blocks which threads meet there, and whether that is all of it.
fn mark_meetings(graph: &Digraph, blocks: &mut [GraphBlock]) -> bool {
    /// How many nodes and edges are looked at, all in all.
    const MOST_STEPS: usize = 1 << 24;
    let post_dominators = PostDominators::compute(graph);
    let cost = graph.node_count() + graph.edge_count();
    let mut left = MOST_STEPS / cost.max(1);
    let branches: Vec<usize> = (0..blocks.len()).filter(|&block| blocks[block].divergent).collect();
    for branch in branches {
        let node = Node::new(branch);
        let reconvergence = post_dominators.immediate_post_dominator(node);
        if let Some(point) = reconvergence {
            blocks[point.index()].reconverges.push(branch);
        }
        for join in merges_before(graph, node, reconvergence) {
            if left == 0 {
                return false;
            }
            left -= 1;
            if two_disjoint_paths(graph, node, join).is_some() {
                blocks[join.index()].joins.push(branch);
            }
        }
    }
    true
}

/// The blocks of several predecessors that paths from a branch lead to, no further than its reconvergence point: all others share that.
fn merges_before(graph: &Digraph, branch: Node, reconvergence: Option<Node>) -> Vec<Node> {
    let mut seen = FxHashSet::from_iter([branch]);
    let mut open = vec![branch];
    let mut merges = Vec::new();
    while let Some(node) = open.pop() {
        if node != branch && graph.predecessors(node).len() > 1 {
            merges.push(node);
        }
        if Some(node) != reconvergence {
            open.extend(graph.successors(node).iter().filter(|&&next| seen.insert(next)));
        }
    }
    merges.sort_unstable();
    merges
}
