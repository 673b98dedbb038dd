//! Cycle hierarchies.

use cranelift_entity::EntityRef;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_findings::Scene;
use reconverge_graph::{Cycle as CycleId, CycleForest, Digraph, Node, hierarchies};
use reconverge_ir::Function;
use reconverge_ir::function::Block;
use reconverge_valid::read_functions;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::lines::Lines;
use crate::m_converged::{self, NotMConverged};
use crate::module::is_asked_for;
use crate::source::LineFinder;
use crate::{Error, Module, Progress, SourceFunction, SourceLines};

/// What is asked about cycles.
#[derive(Debug, Clone)]
pub struct CyclesOptions {
    /// Only this function.
    pub function: Option<String>,
    /// The number of the hierarchy, from 1, which is the one that LLVM finds; functions that have fewer are left out.
    pub hierarchy: u32,
    /// Every hierarchy that some depth-first search finds instead, up to so many for each function.
    pub all_hierarchies: Option<usize>,
    /// Whether [`Cycle::blocks`] has the blocks of cycles inside, too: all of them together are quadratic in the depth of a nest.
    pub nested_blocks: bool,
}

/// The cycles of a module.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Cycles {
    /// By function, in the order of the text.
    pub functions: Vec<FunctionCycles>,
}

/// The cycles of a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionCycles {
    /// The function, with its sigil.
    pub name: String,
    /// The line that it begins in.
    #[serde(skip)]
    pub line: usize,
    /// The cycles.
    #[serde(flatten)]
    pub cycles: Hierarchies,
    /// Of source: the function there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceFunction>,
    /// Of all hierarchies: whether there are no more than these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// One hierarchy or all.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hierarchies {
    /// The one that LLVM finds, outer cycles before those inside.
    Cycles(Vec<Cycle>),
    /// All of them.
    Hierarchies(Vec<Vec<Cycle>>),
}

/// A cycle.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Cycle {
    /// The header.
    pub header: String,
    /// The blocks that edges from outside lead to.
    pub entries: Vec<String>,
    /// The blocks, in the order of the text.
    pub blocks: Vec<String>,
    /// How many blocks it has, with those of cycles inside.
    #[serde(skip)]
    pub block_count: usize,
    /// How many cycles it is in, itself one of them.
    pub depth: u32,
    /// Whether it has one entry only.
    pub reducible: bool,
    /// The place of the cycle around it in the same list.
    pub parent: Option<usize>,
    /// Of source: its lines there, from that of the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLines>,
    /// Of source, of an irreducible cycle: the lines that it is entered at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_entries: Vec<usize>,
    /// Why it may be converged in this hierarchy and not in another, by the criteria for threads of a subgroup; its blocks are those that fail with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_m_converged: Option<NotMConverged>,
    /// Whether nothing says where threads diverge, so that it may be m-converged or not.
    #[serde(skip)]
    pub m_converged_unknown: bool,
}

impl Default for CyclesOptions {
    fn default() -> CyclesOptions {
        CyclesOptions { function: None, hierarchy: 1, all_hierarchies: None, nested_blocks: true }
    }
}

impl Hierarchies {
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [Cycle]> {
        let (one, all) = match self {
            Hierarchies::Cycles(cycles) => (Some(&mut cycles[..]), &mut [][..]),
            Hierarchies::Hierarchies(all) => (None, &mut all[..]),
        };
        one.into_iter().chain(all.iter_mut().map(|cycles| &mut cycles[..]))
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &[Cycle]> {
        let (one, all) = match self {
            Hierarchies::Cycles(cycles) => (Some(&cycles[..]), &[][..]),
            Hierarchies::Hierarchies(all) => (None, &all[..]),
        };
        one.into_iter().chain(all.iter().map(|cycles| &cycles[..]))
    }
}

/// The cycles of the functions of a module. Almost linear in the text, and in the number and size of hierarchies.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{CyclesOptions, Input, Settings, cycles};
/// let text = "define void @f(i1 %c) {
/// entry:
///   br label %loop
/// loop:
///   br i1 %c, label %loop, label %done
/// done:
///   ret void
/// }
/// ";
/// let module = reconverge::open(Input::new("f.ll", text, None)?, &Settings::default())?;
/// let found = cycles(&module, &CyclesOptions::default())?;
/// let [cycle] = found.functions[0].cycles.iter().next().unwrap() else { panic!("one cycle") };
/// assert_eq!((cycle.header.as_str(), cycle.reducible), ("loop", true));
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn cycles(module: &Module, options: &CyclesOptions) -> Result<Cycles, Error> {
    let lines = Lines::new(module.ir());
    let (_, functions) = read_functions(module.ir(), |index, id, function| {
        if module.control.is_cancelled() || !is_asked_for(options.function.as_deref(), index, id) {
            return None;
        }
        let scene = Scene { module: index, id, function };
        let found = of_function(module, options, &lines, scene);
        module.control.tell(Progress::Function);
        found
    })
    .map_err(|error| module.not_ir(&error))?;
    let mut found: Vec<FunctionCycles> = functions.into_iter().flatten().collect();
    add_not_m_converged(module, options, &mut found).map_err(|error| module.not_ir(&error))?;
    module.unless_cancelled(Cycles { functions: found })
}

/// Says of cycles that they are not m-converged. Functions with irreducible cycles are analysed for it; in others all cycles are.
fn add_not_m_converged(
    module: &Module,
    options: &CyclesOptions,
    found: &mut [FunctionCycles],
) -> Result<(), reconverge_ir::ReadError> {
    let is_irreducible = |function: &&FunctionCycles| function.cycles.iter().flatten().any(|cycle| !cycle.reducible);
    let open: FxHashSet<String> = found.iter().filter(is_irreducible).map(|function| function.name.clone()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let scope = Scope::Subgroup;
    let settings = ReportOptions { target: Some(module.target()), scopes: &[scope] };
    let wanted = |index: &reconverge_ir::Module<'_>, id| open.contains(&index.function_name(id));
    let (_, failures) = analyze_functions(module.ir(), &settings, wanted, |subject, lowerer| {
        let analysis = subject.analyze(lowerer, scope, &Settings::refined());
        let graph = subject.function.control_flow_graph();
        let forests = forests(&graph, options).0;
        let failures: Vec<_> =
            forests.iter().map(|forest| m_converged::find(module, &analysis, &graph, forest)).collect();
        (subject.module.function_name(subject.id), failures)
    })?;
    for (name, failures) in failures.into_iter().flatten() {
        let functions = found.iter_mut().filter(|function| function.name == name);
        for (cycles, failures) in functions.flat_map(|function| function.cycles.iter_mut()).zip(&failures) {
            note_failures(cycles, failures);
        }
    }
    Ok(())
}

/// Says of each cycle why it is not m-converged, if it is not.
pub(crate) fn note_failures(cycles: &mut [Cycle], failures: &[NotMConverged]) {
    for cycle in cycles {
        // Its own criterion goes before that of a token's region.
        let own = |failed: &&NotMConverged| failed.cycle.as_ref() == Some(&cycle.header);
        let around = |failed: &&NotMConverged| failed.blocks.contains(&cycle.header);
        cycle.not_m_converged = failures.iter().find(own).or(failures.iter().find(around)).cloned();
    }
}

/// The hierarchies that are asked for, and whether these are all.
pub(crate) fn forests(graph: &Digraph, options: &CyclesOptions) -> (Vec<CycleForest>, bool) {
    let number = options.hierarchy.max(1) as usize;
    let found = hierarchies(graph, options.all_hierarchies.unwrap_or(number));
    let is_complete = found.is_complete();
    let skipped = if options.all_hierarchies.is_some() { 0 } else { number - 1 };
    (found.skip(skipped).collect(), is_complete)
}

fn of_function(
    input: &Module,
    options: &CyclesOptions,
    lines: &Lines<'_>,
    scene: Scene<'_, '_>,
) -> Option<FunctionCycles> {
    let Scene { module, id, function } = scene;
    let source = input.source().map(|source| LineFinder { words: &source.words, scene });
    let graph = function.control_flow_graph();
    let names = Names { module, function, nested: options.nested_blocks, source };
    let (forests, is_complete) = forests(&graph, options);
    let mut lists = forests.iter().map(|forest| names.cycles(forest));
    let (cycles, complete) = match options.all_hierarchies {
        Some(_) => (Hierarchies::Hierarchies(lists.collect()), Some(is_complete)),
        None => (Hierarchies::Cycles(lists.next()?), None),
    };
    let line = lines.position(module.functions[id].header.range().start).line;
    let source = source.and_then(|source| source.function());
    Some(FunctionCycles { name: module.function_name(id), line, cycles, source, complete })
}

/// For naming blocks.
struct Names<'n, 't> {
    module: &'n reconverge_ir::Module<'t>,
    function: &'n Function,
    nested: bool,
    source: Option<LineFinder<'n, 't>>,
}

impl Names<'_, '_> {
    fn block(&self, node: Node) -> String {
        self.module.local_name(self.function.blocks[Block::new(node.index())].name)
    }

    fn cycles(&self, forest: &CycleForest) -> Vec<Cycle> {
        let mut cycles = list(forest, self.nested, &|node| self.block(node));
        let Some(source) = self.source else { return cycles };
        for (cycle, found) in forest.cycles.keys().zip(&mut cycles) {
            let blocks = |nodes: &[Node]| nodes.iter().map(|node| Block::new(node.index())).collect::<Vec<_>>();
            let lines = |nodes: &[Node]| source.of_blocks(blocks(nodes));
            found.source = lines(forest.nodes(cycle));
            if !forest.is_reducible(cycle) {
                let entries = &forest.cycles[cycle].entries;
                found.source_entries = entries.iter().filter_map(|&entry| Some(lines(&[entry])?.first)).collect();
            }
        }
        cycles
    }
}

/// The cycles of a hierarchy, with names for blocks.
pub(crate) fn list(forest: &CycleForest, nested: bool, block: &dyn Fn(Node) -> String) -> Vec<Cycle> {
    let cycle = |cycle: CycleId| {
        let data = &forest.cycles[cycle];
        let is_listed = |&node: &Node| nested || forest.innermost(node) == Some(cycle);
        // Those in no cycle inside are the first ones.
        let mut nodes: Vec<Node> = forest.nodes(cycle).iter().copied().take_while(is_listed).collect();
        nodes.sort_unstable();
        Cycle {
            header: block(data.header),
            entries: data.entries.iter().map(|&entry| block(entry)).collect(),
            blocks: nodes.into_iter().map(block).collect(),
            block_count: data.node_count(),
            depth: data.depth,
            reducible: forest.is_reducible(cycle),
            parent: data.parent.map(EntityRef::index),
            source: None,
            source_entries: Vec::new(),
            not_m_converged: None,
            m_converged_unknown: false,
        }
    };
    forest.cycles.keys().map(cycle).collect()
}
