//! Convergence regions: where each token is live.

use std::sync::Arc;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{OperationIndex, OperationKind};
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_analysis::regions::{
    ConvergenceRegion, RegionBlock, RegionEnd, RegionStart, Regions as ConvergenceRegions,
};
use reconverge_findings::{Scene, Voice};
use reconverge_graph::Node;
use reconverge_ir::Function;
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_valid::read_functions;
use serde::Serialize;

use crate::lines::Lines;
use crate::module::is_asked_for;
use crate::source::{LineFinder, SourceVoice};
use crate::{Error, Module, Progress, SourceFunction, SourceLines};

/// What is asked about convergence regions.
#[derive(Debug, Clone, Default)]
pub struct RegionsOptions {
    /// Only this function.
    pub function: Option<String>,
}

/// The convergence regions of a module.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Regions {
    /// By function, in the order of the text.
    pub functions: Vec<FunctionRegions>,
}

/// The convergence regions of a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionRegions {
    /// The function, with its sigil.
    pub name: String,
    /// The line that it begins in.
    pub line: usize,
    /// Of source: the function there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceFunction>,
    /// One for each token, in the order of the text.
    pub regions: Vec<Region>,
    /// Where the regions together have more parts of blocks than [`Limits::region_parts`](crate::Limits::region_parts): the line of the first
    /// token whose region is not listed. None behind it is.
    #[serde(skip)]
    pub exceeded: Option<usize>,
}

/// Where a token is live.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Region {
    /// The value that holds the token.
    pub token: String,
    /// `entry`, `loop` or `anchor`.
    pub kind: &'static str,
    /// The line of its definition.
    pub line: usize,
    /// The block of its definition.
    pub block: Arc<str>,
    /// What uses it.
    pub uses: Vec<Use>,
    /// The parts of blocks that are in the region.
    pub blocks: Vec<Part>,
    /// The place in the same list of the innermost region that the definition is in.
    pub parent: Option<usize>,
    /// How many regions the definition is in, its own one of them.
    #[serde(skip)]
    pub depth: usize,
    /// Of source: the same there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRegion>,
}

/// A convergence region in the words of the source.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceRegion {
    /// What it is: `the body of `f``, `an iteration of the loop at line 7`.
    pub what: String,
    /// What threads do together in it: calls, as they are written, and the regions inside; each with its line.
    pub uses: Vec<String>,
    /// Its lines; none where it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<SourceLines>,
}

/// A use of a token.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Use {
    /// Its line.
    pub line: usize,
    /// Its block.
    pub block: Arc<str>,
    /// What is called, or the result of a convergence control intrinsic.
    pub operation: String,
}

/// The part of a block that is in a region.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Part {
    /// The block.
    pub block: Arc<str>,
    /// The line of the definition that the part begins behind; none when it begins with the block.
    pub after_line: Option<u32>,
    /// The line of the use that the part ends with; none when it ends with the block.
    pub up_to_line: Option<u32>,
}

/// The convergence regions of the functions of a module. Linear in the text and the size of the regions, which
/// [`Limits::region_parts`](crate::Limits::region_parts) bounds.
///
/// # Errors
/// When the module is not LLVM IR.
pub fn regions(module: &Module, options: &RegionsOptions) -> Result<Regions, Error> {
    let lines = Lines::new(module.ir());
    let (_, functions) = read_functions(module.ir(), |index, id, function| {
        if module.control.is_cancelled() || !is_asked_for(options.function.as_deref(), index, id) {
            return None;
        }
        let found = of_function(module, &lines, Scene { module: index, id, function });
        module.control.tell(Progress::Function);
        Some(found)
    })
    .map_err(|error| module.not_ir(&error))?;
    module.unless_cancelled(Regions { functions: functions.into_iter().flatten().collect() })
}

fn of_function(input: &Module, lines: &Lines<'_>, scene: Scene<'_, '_>) -> FunctionRegions {
    let Scene { module, id, function } = scene;
    let most_parts = input.limits.region_parts;
    let finder = input.source().map(|source| LineFinder { words: &source.words, scene });
    let source = finder.and_then(|finder| finder.function());
    let line = lines.position(module.functions[id].header.range().start).line;
    let name = module.function_name(id);
    let mut found = FunctionRegions { name, line, source, regions: Vec::new(), exceeded: None };
    let lowered = lower(module, id, function);
    if !lowered.flow.operations.iter().any(|operation| operation.kind.defines_token()) {
        return found;
    }
    let regions = ConvergenceRegions::new(&lowered.flow);
    let blocks = function.blocks.values().map(|block| module.local_name(block.name).into()).collect();
    let names = Names { lines, module, function, lowered: &lowered, blocks, source: finder };
    let depths = depths(&regions);
    let mut parts = 0;
    for (&definition, &depth) in regions.definitions().iter().zip(&depths) {
        let region = regions.region(definition);
        parts += region.blocks.len();
        if parts > most_parts {
            found.exceeded = Some(names.line(definition));
            break;
        }
        found.regions.push(names.region(&region, regions.parent(definition), depth));
    }
    found
}

/// How deep each region is nested. They are in the order of the text, and a parent may stand below its child there.
fn depths(regions: &ConvergenceRegions<'_>) -> Vec<usize> {
    let parents: Vec<Option<usize>> =
        regions.definitions().iter().map(|&definition| regions.parent(definition)).collect();
    let mut depths = vec![0_usize; parents.len()];
    for place in 0..parents.len() {
        let mut chain = vec![place];
        let mut outer = parents[place];
        while let Some(parent) = outer.filter(|&parent| depths[parent] == 0) {
            chain.push(parent);
            outer = parents[parent];
        }
        let base = outer.map_or(0, |parent| depths[parent]);
        for (member, depth) in chain.into_iter().rev().zip(base + 1..) {
            depths[member] = depth;
        }
    }
    depths
}

/// For naming what is in a function.
struct Names<'n, 't> {
    lines: &'n Lines<'n>,
    module: &'n reconverge_ir::Module<'t>,
    function: &'n Function,
    lowered: &'n Lowered,
    /// The blocks, by their numbers: each is named in many regions.
    blocks: Vec<Arc<str>>,
    source: Option<LineFinder<'n, 't>>,
}

impl Names<'_, '_> {
    fn region(&self, region: &ConvergenceRegion, parent: Option<usize>, depth: usize) -> Region {
        let definition = region.definition;
        let inst = self.inst(definition);
        let definition_line = self.line(definition);
        Region {
            token: self.result(inst),
            kind: match self.lowered.flow.operations[definition as usize].kind {
                OperationKind::Entry => "entry",
                OperationKind::Loop => "loop",
                OperationKind::Anchor => "anchor",
                OperationKind::Call => "call",
            },
            line: definition_line,
            block: self.block(self.lowered.flow.block_of(definition)),
            uses: region.uses.iter().map(|&operation| self.token_use(operation)).collect(),
            blocks: region.blocks.iter().map(|part| self.part(definition_line, part)).collect(),
            parent,
            depth,
            source: self.source.map(|source| self.in_source(source, region)),
        }
    }

    /// A region in the words of the source.
    fn in_source(&self, source: LineFinder<'_, '_>, region: &ConvergenceRegion) -> SourceRegion {
        let voice = SourceVoice(source.words);
        let scene = source.scene;
        let place = |operation: OperationIndex| {
            let block = Block::new(self.lowered.flow.block_of(operation).index());
            let own = source.of_instructions(std::iter::once(self.inst(operation)));
            own.map_or_else(|| voice.block(&scene, block), |lines| format!("line {}", lines.first))
        };
        let what = |operation: OperationIndex| match self.lowered.flow.operations[operation as usize].kind {
            OperationKind::Entry => {
                let name = source.function().map_or_else(|| self.module.function_name(scene.id), |found| found.name);
                format!("the body of `{name}`")
            }
            OperationKind::Loop => format!("an iteration of the loop at {}", place(operation)),
            OperationKind::Anchor => format!("the converged threads at {}", place(operation)),
            OperationKind::Call => {
                let callee = voice.callee(&scene, self.inst(operation)).unwrap_or_else(|| "a call".to_owned());
                format!("{callee} ({})", place(operation))
            }
        };
        let instructions = region.blocks.iter().flat_map(|part| {
            let first = match part.start {
                RegionStart::Block => None,
                RegionStart::Definition => Some(self.inst(region.definition)),
            };
            let last = match part.end {
                RegionEnd::Block => None,
                RegionEnd::Use(operation) => Some(self.inst(operation)),
            };
            let all = self.function.block_instructions(Block::new(part.block.index()));
            all.filter(move |&inst| first.is_none_or(|first| inst > first) && last.is_none_or(|last| inst <= last))
        });
        SourceRegion {
            what: what(region.definition),
            uses: region.uses.iter().map(|&operation| what(operation)).collect(),
            lines: source.of_instructions(instructions),
        }
    }

    fn token_use(&self, operation: OperationIndex) -> Use {
        let inst = self.inst(operation);
        let defines_token = self.lowered.flow.operations[operation as usize].kind.defines_token();
        let name = if defines_token { self.result(inst) } else { self.callee(inst) };
        Use { line: self.line(operation), block: self.block(self.lowered.flow.block_of(operation)), operation: name }
    }

    fn part(&self, definition_line: usize, part: &RegionBlock) -> Part {
        Part {
            block: self.block(part.block),
            after_line: match part.start {
                RegionStart::Block => None,
                RegionStart::Definition => Some(definition_line as u32),
            },
            up_to_line: match part.end {
                RegionEnd::Block => None,
                RegionEnd::Use(operation) => Some(self.line(operation) as u32),
            },
        }
    }

    fn inst(&self, operation: OperationIndex) -> Inst {
        self.lowered.instructions[operation as usize]
    }

    fn line(&self, operation: OperationIndex) -> usize {
        self.lines.position(self.function.instructions[self.inst(operation)].span.range().start).line
    }

    fn block(&self, node: Node) -> Arc<str> {
        self.blocks[node.index()].clone()
    }

    fn result(&self, inst: Inst) -> String {
        let data = &self.function.instructions[inst];
        if data.result.is_none() {
            return "(unused)".to_owned();
        }
        format!("%{}", self.module.local_name(data.name))
    }

    fn callee(&self, inst: Inst) -> String {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return String::new() };
        match self.function.calls[call].callee.expand() {
            Some(symbol) => {
                format!("@{}", self.module.display_symbol(symbol))
            }
            None => "(indirect call)".to_owned(),
        }
    }
}
