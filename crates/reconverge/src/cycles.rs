//! Cycle hierarchies.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle as CycleId, CycleForest, Node, SuccessorOrder, hierarchies};
use reconverge_ir::function::Block;
use reconverge_ir::{Function, FunctionId};
use reconverge_valid::read_functions;
use serde::Serialize;

use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::{Error, Module, Progress};

/// What is asked about cycles.
#[derive(Debug, Clone)]
pub struct CyclesOptions {
    /// Only this function.
    pub function: Option<String>,
    /// Every hierarchy that some depth-first search finds, up to so many for each function; else the one that LLVM finds.
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
}

impl Default for CyclesOptions {
    fn default() -> CyclesOptions {
        CyclesOptions { function: None, all_hierarchies: None, nested_blocks: true }
    }
}

impl Hierarchies {
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
        let found = of_function(options, &lines, index, id, function);
        module.control.tell(Progress::Function);
        Some(found)
    })
    .map_err(|error| module.not_ir(&error))?;
    module.unless_cancelled(Cycles { functions: functions.into_iter().flatten().collect() })
}

fn of_function(
    options: &CyclesOptions,
    lines: &Lines<'_>,
    module: &reconverge_ir::Module<'_>,
    id: FunctionId,
    function: &Function,
) -> FunctionCycles {
    let graph = function.control_flow_graph();
    let names = Names { module, function, nested: options.nested_blocks };
    let (cycles, complete) = match options.all_hierarchies {
        Some(most) => {
            let all = hierarchies(&graph, most);
            let complete = all.is_complete();
            (Hierarchies::Hierarchies(all.map(|forest| names.cycles(&forest)).collect()), Some(complete))
        }
        None => (Hierarchies::Cycles(names.cycles(&CycleForest::compute(&graph, SuccessorOrder::Reverse))), None),
    };
    let line = lines.position(module.functions[id].header.range().start).line;
    FunctionCycles { name: module.function_name(id), line, cycles, complete }
}

/// For naming blocks.
struct Names<'n, 't> {
    module: &'n reconverge_ir::Module<'t>,
    function: &'n Function,
    nested: bool,
}

impl Names<'_, '_> {
    fn block(&self, node: Node) -> String {
        self.module.local_name(self.function.blocks[Block::new(node.index())].name)
    }

    fn blocks(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.block(node)).collect()
    }

    fn cycles(&self, forest: &CycleForest) -> Vec<Cycle> {
        let cycle = |cycle: CycleId| {
            let data = &forest.cycles[cycle];
            let is_listed = |&node: &Node| self.nested || forest.innermost(node) == Some(cycle);
            // Those in no cycle inside are the first ones.
            let mut nodes: Vec<Node> = forest.nodes(cycle).iter().copied().take_while(is_listed).collect();
            nodes.sort_unstable();
            Cycle {
                header: self.block(data.header),
                entries: self.blocks(data.entries.iter().copied()),
                blocks: self.blocks(nodes),
                block_count: data.node_count(),
                depth: data.depth,
                reducible: forest.is_reducible(cycle),
                parent: data.parent.map(EntityRef::index),
            }
        };
        forest.cycles.keys().map(cycle).collect()
    }
}
