//! From IR to a [`Problem`]: what each value is on its own, for one target and one set of threads.
//!
//! Every instruction with a result becomes a value; constants do only where they are operands of phis, because nothing else
//! depends on which constant it is. Invariant of the numbering: parameters, then constants, then what is computed, in the order
//! of the text, the phis of promoted variables at the head of their block. What is not understood is a source of divergence.
//!
//! Operands `undef` and `poison` of a phi are left out: they can be taken to be equal to whatever the other edges bring. So is
//! the phi itself among its operands when the others are all one value.
//!
//! What rule a parameter, an instruction or a branch has is in `instructions`; here they are numbered and put together. The
//! refinements that belong here are in files of their own, and each can be turned off: convergence regions
//! (`token_regions`), value facts, summaries of other functions, provenance of pointers, promotable allocas (`promote`; `contents` for
//! those that stay in memory).

mod butterflies;
mod by_value;
mod constants;
mod contents;
mod extras;
mod flat_number;
mod instructions;
mod known;
mod launch;
mod loops;
mod module_facts;
mod options;
mod phis;
mod private;
mod promote;
mod provenance;
mod summaries;
mod token_regions;
mod value_facts;
mod variables;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Inst, InstData, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, Module};
use smallvec::SmallVec;

use super::{Branch, Problem, Region, Rule, ValueData, ValueIndex};
use crate::leaves;
use crate::target::Scope;
use butterflies::Butterflies;
use constants::Constants;
use contents::Contents;
use extras::{Extras, SummarizedCall};
use instructions::{Context, call_of, ir_value};
pub(crate) use known::{Known, KnownValues};
pub use launch::{Launch, StatedLaunch};
use loops::Strides;
pub use module_facts::ModuleFacts;
use module_facts::Role;
pub use module_facts::{body_of_kernel, kernel_of_body};
pub use options::{LoweringOptions, Refinement, Refinements};
use phis::Ssa;
use promote::Promotion;
use provenance::Provenance;
use summaries::PassedArguments;
pub use summaries::{Argument, ResultSummary, Summaries, Summary};
use token_regions::TokenRegions;
use variables::Variables;

const NONE: u32 = u32::MAX;

/// A function, and what there is to know of its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The module.
    pub module: &'a Module<'a>,
    /// What is known of its functions by name.
    pub facts: &'a ModuleFacts<'a>,
    /// Which function it is.
    pub id: FunctionId,
    /// The body.
    pub function: &'a Function,
    /// What is known of the local functions of the module.
    pub summaries: &'a Summaries,
}

/// Where a value of a problem comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A value of the function: a parameter, a constant, or the result of an instruction.
    Value(Value),
    /// What a promoted alloca holds at the start of a block.
    Variable {
        /// The alloca.
        alloca: Inst,
        /// The block.
        block: Block,
    },
    /// What an alloca holds after an instruction that writes to it.
    Written {
        /// The alloca.
        alloca: Inst,
        /// The instruction.
        by: Inst,
    },
    /// What a parameter points to, somewhere in a function that is summarised.
    Pointee(Value),
    /// What the function returns; see [`Lowerer::lower_with_result`].
    Returned,
    /// An argument at a call.
    Argument(Inst),
}

/// A problem, and the way back to the function.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The problem.
    pub problem: Problem,
    /// By value of the problem.
    pub origins: Vec<Origin>,
    /// By value of the function: its index in the problem; see [`Lowered::index_of`].
    indices: Vec<ValueIndex>,
    /// The instructions behind which a block was cut, ascending; node `i` is block `i` when there are none.
    pub cuts: Vec<Inst>,
    /// By block: the node of its start.
    first_nodes: Vec<Node>,
    /// The values whose rule is another one because of a refinement, ascending.
    pub refined: Vec<(ValueIndex, Refinement)>,
    /// What the function returns, if that was asked for and it returns something.
    pub returned: Option<ValueIndex>,
    /// What the function leaves where its parameters point to, if that was asked for: the parameters that are written through, and what is there in the end, if it is known.
    pub left: Vec<(u32, Option<ValueIndex>)>,
    /// Whether the last node is behind all returns.
    has_exit: bool,
}

impl Lowered {
    /// The index of a value of the function; nothing for most constants.
    pub fn index_of(&self, value: Value) -> Option<ValueIndex> {
        self.indices.get(value.index()).copied().filter(|&index| index != NONE)
    }

    /// The node that an instruction is in.
    pub fn node_of(&self, function: &Function, inst: Inst) -> Node {
        let block = function.instructions[inst].block;
        let first = function.blocks[block].first;
        let cuts = self.cuts.partition_point(|&cut| cut < inst) - self.cuts.partition_point(|&cut| cut < first);
        Node::new(self.first_nodes[block.index()].index() + cuts)
    }

    /// The block of a node, and how many nodes of the block come before it; nothing for a node that is no part of a block
    /// (the one in which a function's result comes together).
    pub fn block_of(&self, node: Node) -> Option<(Block, usize)> {
        let block = self.first_nodes.partition_point(|&first| first <= node).checked_sub(1)?;
        let inside = !self.has_exit || node.index() + 1 < self.problem.graph.node_count();
        inside.then(|| (Block::new(block), node.index() - self.first_nodes[block].index()))
    }

    /// The refinement that made the rule of a value what it is.
    pub fn refinement_of(&self, value: ValueIndex) -> Option<Refinement> {
        let place = self.refined.binary_search_by_key(&value, |&(refined, _)| refined).ok()?;
        Some(self.refined[place].1)
    }
}

/// Lowers functions, one after another; keeps its memory in between.
#[derive(Debug, Default)]
pub struct Lowerer {
    promotion: Promotion,
    provenance: Provenance,
    constants: Constants,
    variables: Variables,
    contents: Contents,
}

/// Lowers one function. [`Lowerer::lower`] does the same and is cheaper for many.
pub fn lower(input: Input<'_>, options: &LoweringOptions) -> Lowered {
    Lowerer::default().lower(input, options)
}

impl Lowerer {
    /// Lowers a function; almost linear.
    pub fn lower(&mut self, input: Input<'_>, options: &LoweringOptions) -> Lowered {
        Builder::new(self, input, options).build(Extras::None).0
    }

    /// Lowers a function with one node more, behind all returns, and the returned value as a phi there, and what it leaves where parameters point to.
    pub fn lower_with_result(&mut self, input: Input<'_>, options: &LoweringOptions) -> Lowered {
        Builder::new(self, input, options).build(Extras::Returned).0
    }

    /// What a function passes pointers to, at the calls of functions that have a summary.
    fn pointers_passed(&mut self, input: Input<'_>, options: &LoweringOptions) -> Vec<PassedArguments> {
        let mut builder = Builder::new(self, input, options);
        builder.promote(&input.function.control_flow_graph());
        builder.pointers_passed()
    }

    /// The two parameters that a function makes its result of, by a commutative operation.
    fn combined(&mut self, input: Input<'_>, options: &LoweringOptions) -> Option<[u32; 2]> {
        let mut builder = Builder::new(self, input, options);
        let graph = input.function.control_flow_graph();
        builder.promote(&graph);
        butterflies::combined(&builder.context, builder.promotion, &graph)
    }

    /// Lowers a function, with copies of all arguments at the calls of functions that have a summary.
    fn lower_with_arguments(&mut self, input: Input<'_>, options: &LoweringOptions) -> (Lowered, Vec<SummarizedCall>) {
        Builder::new(self, input, options).build(Extras::Arguments)
    }
}

/// One function on its way.
struct Builder<'a> {
    context: Context<'a>,
    promotion: &'a mut Promotion,
    provenance: &'a mut Provenance,
    constants: &'a mut Constants,
    variables: &'a mut Variables,
    contents: &'a mut Contents,
    butterflies: Butterflies,
    strides: Strides,
    /// What each loop of `butterflies` leaves.
    left_by_loops: Vec<ValueIndex>,
    /// By IR value, then by phi of a promoted variable, then by content of one in memory.
    index_of: Vec<ValueIndex>,
    first_nodes: Vec<Node>,
    cuts: Vec<Inst>,
    values: Vec<ValueData>,
    operands: Vec<ValueIndex>,
    sources: Vec<Node>,
    origins: Vec<Origin>,
    refined: Vec<(ValueIndex, Refinement)>,
    /// Marks of blocks: those before the block whose phis are being lowered.
    predecessor_of: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(lowerer: &'a mut Lowerer, input: Input<'a>, options: &LoweringOptions) -> Builder<'a> {
        let Input { module, facts, id, .. } = input;
        let mut launch = facts.launch(module, id);
        if options.refinements.one_dimensional && facts.reads_x_only(module) {
            launch.extents[1..].iter_mut().for_each(|extent| *extent = extent.or(Some(1)));
        }
        let facts_count = options.refinements.value_facts;
        let scope = match options.scope {
            Scope::Workgroup if facts_count && launch.is_single_subgroup() => Scope::Subgroup,
            scope => scope,
        };
        let Lowerer { promotion, provenance, constants, variables, contents } = lowerer;
        constants.clear();
        provenance.clear();
        variables.clear();
        contents.clear();
        Builder {
            context: Context { input, options: *options, launch, scope },
            promotion,
            provenance,
            constants,
            variables,
            contents,
            butterflies: Butterflies::default(),
            strides: Strides::default(),
            left_by_loops: Vec::new(),
            index_of: Vec::new(),
            first_nodes: Vec::new(),
            cuts: Vec::new(),
            values: Vec::new(),
            operands: Vec::new(),
            sources: Vec::new(),
            origins: Vec::new(),
            refined: Vec::new(),
            predecessor_of: Vec::new(),
        }
    }

    fn build(mut self, extras: Extras) -> (Lowered, Vec<SummarizedCall>) {
        let Context { input: Input { module, id, function, .. }, options, .. } = self.context;
        let mut block_graph = function.control_flow_graph();
        let dominators = self.promote(&block_graph);
        if options.refinements.promotable_allocas && !options.certain_only {
            self.contents.compute(&self.context, self.promotion, self.variables, &block_graph);
        }
        self.butterflies = Butterflies::compute(&self.context, self.promotion, &block_graph);
        self.strides = Strides::compute(&self.context, self.promotion, &block_graph);
        let mut regions = TokenRegions::default();
        if options.refinements.regions && module.has_convergence_control() {
            regions = TokenRegions::compute(module, id, function, dominators);
        }
        self.number_nodes(regions.cuts);
        self.number_values();
        self.parameters();
        let mut branches = Vec::with_capacity(self.node_count());
        for (block, data) in &function.blocks {
            let mut node = self.first_nodes[block.index()];
            for phi in self.promotion.phis.of_block(block) {
                self.variable_phi(phi, node);
            }
            for phi in self.contents.phis.of_block(block) {
                self.content_phi(phi, node);
            }
            for _ in self.butterflies.of_block(block) {
                self.folded(node);
            }
            let mut phis_ready = false;
            for inst in function.block_instructions(block) {
                let instruction = &function.instructions[inst];
                self.written_contents(inst, node);
                if let Some(result) = instruction.result.expand() {
                    if instruction.opcode == Opcode::Phi {
                        if !std::mem::replace(&mut phis_ready, true) {
                            self.mark_predecessors(&block_graph, block);
                        }
                        self.phi(inst, instruction, block);
                    } else {
                        self.instruction(inst, instruction, result, node);
                    }
                }
                if !self.cuts.is_empty()
                    && self.cuts.binary_search(&inst).is_ok()
                    && inst.index() + 1 < data.end.index()
                {
                    branches.push(Branch::Uniform);
                    node = Node::new(node.index() + 1);
                }
            }
            branches.push(self.branch(block));
        }
        let returned = if extras == Extras::Returned { self.returned() } else { None };
        let left = if extras == Extras::Returned { self.left() } else { Vec::new() };
        let calls = if extras == Extras::Arguments { self.arguments() } else { Vec::new() };
        let has_exit = returned.is_some() || left.iter().any(|(_, content)| content.is_some());
        if has_exit {
            branches.push(Branch::Uniform);
        }
        if !self.cuts.is_empty() || has_exit {
            block_graph = self.cut_graph(has_exit);
        }
        let regions = regions.regions.iter().map(|region| self.region(region)).collect();
        let Builder { mut index_of, first_nodes, cuts, values, operands, sources, origins, refined, .. } = self;
        index_of.truncate(function.values.len());
        let problem = Problem { graph: block_graph, values, operands, sources, branches, regions };
        (Lowered { problem, origins, indices: index_of, cuts, first_nodes, refined, returned, left, has_exit }, calls)
    }

    /// Finds the allocas that are promoted; the dominators where that needed them.
    fn promote(&mut self, graph: &Digraph) -> Option<Dominators> {
        let Context { input: Input { module, facts, function, .. }, options, .. } = self.context;
        if !options.refinements.promotable_allocas {
            self.promotion.clear();
            return None;
        }
        promote_into(self.promotion, module, facts, function, graph)
    }

    fn node_count(&self) -> usize {
        self.context.input.function.blocks.len() + self.cuts.len()
    }

    /// The nodes of blocks. A cut behind the last instruction of a block is none.
    fn number_nodes(&mut self, mut cuts: Vec<Inst>) {
        let function = self.context.input.function;
        cuts.retain(|&cut| cut.index() + 1 < function.blocks[function.instructions[cut].block].end.index());
        self.cuts = cuts;
        let mut before = 0;
        self.first_nodes.reserve(function.blocks.len());
        for (block, data) in &function.blocks {
            self.first_nodes.push(Node::new(block.index() + before));
            if !self.cuts.is_empty() {
                before = self.cuts.partition_point(|&cut| cut < data.end);
            }
        }
    }

    fn last_node(&self, block: Block) -> Node {
        let next = self.first_nodes.get(block.index() + 1).map_or(self.node_count(), |node| node.index());
        Node::new(next - 1)
    }

    /// Fixes the index of every value.
    fn number_values(&mut self) {
        let function = self.context.input.function;
        self.index_of.resize(function.values.len() + self.promotion.phis.len() + self.contents.count(), NONE);
        self.values.reserve(function.parameters.len() + function.instructions.len());
        self.origins.reserve(function.parameters.len() + function.instructions.len());
        for &parameter in &function.parameters {
            self.index_of[parameter.index()] = self.origins.len() as u32;
            self.origins.push(Origin::Value(parameter));
        }
        for (inst, data) in &function.instructions {
            if matches!(data.opcode, Opcode::Phi | Opcode::Ret) {
                for &operand in function.operands(inst) {
                    self.constant(self.promotion.resolve(operand));
                }
            }
        }
        for index in 0..self.promotion.phis.operands.len() {
            self.constant(self.promotion.phis.operands[index].value);
        }
        let mut next_phi = 0;
        let mut block = None;
        for (inst, data) in &function.instructions {
            if block != Some(data.block) {
                block = Some(data.block);
                while let Some(phi) = self.promotion.phis.all.get(next_phi)
                    && phi.block == data.block
                {
                    self.index_of[function.values.len() + next_phi] = self.origins.len() as u32;
                    self.origins
                        .push(Origin::Variable { alloca: self.promotion.alloca_of(phi.variable), block: phi.block });
                    next_phi += 1;
                }
                for phi in self.contents.phis.of_block(data.block) {
                    self.index_of[self.contents.ssa_of_phi(phi) as usize] = self.origins.len() as u32;
                    self.origins.push(self.origin_of_content(self.contents.phis.all[phi].variable, None, data.block));
                }
                for found in self.butterflies.of_block(data.block) {
                    self.left_by_loops.push(self.origins.len() as u32);
                    let value = self.butterflies.loops[found].value;
                    self.origins.push(match ir_value(function, value) {
                        Some(value) => Origin::Value(value),
                        None => {
                            let variable = self.promotion.phis.all[value as usize - function.values.len()].variable;
                            Origin::Variable { alloca: self.promotion.alloca_of(variable), block: data.block }
                        }
                    });
                }
            }
            for written in self.contents.written_by(inst) {
                self.index_of[self.contents.ssa_of_written(written) as usize] = self.origins.len() as u32;
                self.origins.push(self.origin_of_content(
                    self.contents.written[written].variable,
                    Some(inst),
                    data.block,
                ));
            }
            if let Some(result) = data.result.expand() {
                self.index_of[result.index()] = self.origins.len() as u32;
                self.origins.push(Origin::Value(result));
            }
        }
    }

    /// What a content is: at the start of a block, or after an instruction.
    fn origin_of_content(&self, variable: u32, by: Option<Inst>, block: Block) -> Origin {
        let address = self.contents.variables[variable as usize];
        match (self.context.input.function.values[address].definition, by) {
            (Definition::Instruction(alloca), None) => Origin::Variable { alloca, block },
            (Definition::Instruction(alloca), Some(by)) => Origin::Written { alloca, by },
            _ => Origin::Pointee(address),
        }
    }

    /// Gives a constant an index, unless it is one that phis leave out.
    fn constant(&mut self, value: Ssa) {
        let Input { module, function, .. } = self.context.input;
        let Some(value) = ir_value(function, value) else { return };
        let Definition::Constant(constant) = function.values[value].definition else { return };
        if matches!(constant, ConstantData::Undef | ConstantData::Poison) {
            return;
        }
        let next = self.origins.len() as u32;
        let index = self.constants.index_of(module, function, value, next);
        if index == next {
            self.origins.push(Origin::Value(value));
        }
        self.index_of[value.index()] = index;
    }

    fn push(&mut self, node: Option<Node>, rule: Rule, operands_from: usize) -> ValueIndex {
        let index = self.values.len() as ValueIndex;
        self.values.push(ValueData { node, rule, operands: operands_from as u32..self.operands.len() as u32 });
        index
    }

    fn operand(&mut self, value: Ssa, node: Node) {
        let index = match self.after_loop(value, node) {
            Some(index) => index,
            None => self.index_of.get(value as usize).copied().unwrap_or(NONE),
        };
        if index != NONE {
            self.operands.push(index);
            self.sources.push(node);
        }
    }

    /// What a value is that all lanes have the same of: in a loop, behind it.
    fn folded(&mut self, node: Node) {
        let index = self.push(Some(node), Rule::Uniform, self.operands.len());
        self.refined.push((index, Refinement::ValueFacts));
    }

    /// What a value is in a node behind the loop that makes it the same in all lanes.
    fn after_loop(&self, value: Ssa, node: Node) -> Option<ValueIndex> {
        if self.butterflies.loops.is_empty() {
            return None;
        }
        let block = Block::new(self.first_nodes.partition_point(|&first| first <= node).checked_sub(1)?);
        self.butterflies.left(value, block).map(|found| self.left_by_loops[found])
    }

    fn mark_predecessors(&mut self, graph: &Digraph, block: Block) {
        self.predecessor_of.resize(graph.node_count(), NONE);
        for predecessor in graph.predecessors(Node::new(block.index())) {
            self.predecessor_of[predecessor.index()] = block.as_u32();
        }
    }

    fn phi(&mut self, inst: Inst, data: &InstData, block: Block) {
        let function = self.context.input.function;
        if data.result.expand().is_some_and(|result| self.butterflies.makes_uniform(result.as_u32())) {
            return self.folded(self.first_nodes[block.index()]);
        }
        let (values, blocks) = (function.operands(inst), function.targets(inst));
        if blocks.iter().any(|from| self.predecessor_of[from.index()] != block.as_u32()) {
            // Not a function that LLVM accepts.
            self.push(Some(self.first_nodes[block.index()]), Rule::Source, self.operands.len());
            return;
        }
        let me = data.result.expand().map_or(NONE, |result| result.as_u32());
        let pairs: SmallVec<[(Ssa, Block); 8]> =
            values.iter().zip(blocks).map(|(&value, &from)| (self.promotion.resolve(value), from)).collect();
        self.phi_of(&pairs, me, self.first_nodes[block.index()]);
    }

    fn variable_phi(&mut self, phi: usize, node: Node) {
        if self.butterflies.makes_uniform((self.context.input.function.values.len() + phi) as Ssa) {
            return self.folded(node);
        }
        let operands = self.promotion.phis.operands_of(phi).iter();
        let pairs: SmallVec<[(Ssa, Block); 8]> = operands.map(|operand| (operand.value, operand.from)).collect();
        let me = (self.context.input.function.values.len() + phi) as Ssa;
        self.phi_of(&pairs, me, node);
        self.refined.push((self.values.len() as u32 - 1, Refinement::PromotableAllocas));
    }

    fn content_phi(&mut self, phi: usize, node: Node) {
        let operands = self.contents.phis.operands_of(phi).iter();
        let pairs: SmallVec<[(Ssa, Block); 8]> = operands.map(|operand| (operand.value, operand.from)).collect();
        self.phi_of(&pairs, self.contents.ssa_of_phi(phi), node);
        self.refined.push((self.values.len() as u32 - 1, Refinement::PromotableAllocas));
    }

    /// The contents that an instruction writes.
    fn written_contents(&mut self, inst: Inst, node: Node) {
        let written: SmallVec<[usize; 2]> = self.contents.written_by(inst).collect();
        for written in written {
            let contents::Written { variable, before, .. } = self.contents.written[written];
            let from = self.operands.len();
            let rule = match self.written_content(inst, variable) {
                Some(operands) => {
                    self.operand(before, node);
                    operands.into_iter().for_each(|operand| self.operand(operand, node));
                    Rule::Varying
                }
                None => Rule::Source,
            };
            let index = self.push(Some(node), rule, from);
            self.refined.push((index, Refinement::PromotableAllocas));
        }
    }

    fn phi_of(&mut self, pairs: &[(Ssa, Block)], me: Ssa, node: Node) {
        let from = self.operands.len();
        let index = |value: Ssa| self.index_of.get(value as usize).copied().unwrap_or(NONE);
        let mut others =
            pairs.iter().map(|&(value, _)| index(value)).filter(|&other| other != NONE && other != index(me));
        let first = others.next();
        let one = others.all(|other| Some(other) == first);
        let me = index(me);
        for &(value, block) in pairs {
            if !(one && self.index_of.get(value as usize) == Some(&me)) {
                self.operand(value, self.last_node(block));
            }
        }
        self.push(Some(node), Rule::Phi, from);
    }

    /// The graph with the blocks cut, and perhaps a node behind all returns.
    fn cut_graph(&self, with_result: bool) -> Digraph {
        let function = self.context.input.function;
        let count = self.node_count() + usize::from(with_result);
        let mut starts = Vec::with_capacity(count + 1);
        let mut successors = Vec::new();
        starts.push(0);
        for block in function.blocks.keys() {
            for node in self.first_nodes[block.index()].index()..self.last_node(block).index() {
                successors.push(Node::new(node + 1));
                starts.push(successors.len() as u32);
            }
            let targets = function.successors(block);
            successors.extend(targets.iter().map(|target| self.first_nodes[target.index()]));
            if with_result && function.instructions[function.terminator(block)].opcode == Opcode::Ret {
                successors.push(Node::new(self.node_count()));
            }
            starts.push(successors.len() as u32);
        }
        if with_result {
            starts.push(successors.len() as u32);
        }
        Digraph::from_rows(Node::new(0), starts, successors)
    }

    fn region(&self, region: &token_regions::TokenRegion) -> Region {
        let definition = self.node_of(region.definition);
        let home = self.context.input.function.instructions[region.definition].block;
        let mut nodes = Vec::new();
        for &(block, end) in &region.parts {
            let first = self.first_nodes[block.index()].index();
            let last = match end {
                // A cut that is none is at the end of the block.
                Some(end) => first + self.cuts.partition_point(|&cut| cut < end) - (first - block.index()),
                None => self.last_node(block).index(),
            };
            let from = if block == home { definition.index() + 1 } else { first };
            nodes.extend((from..=last).map(Node::new));
        }
        Region { definition, nodes }
    }

    fn node_of(&self, inst: Inst) -> Node {
        let block = self.context.input.function.instructions[inst].block;
        let first = self.first_nodes[block.index()].index();
        Node::new(first + self.cuts.partition_point(|&cut| cut < inst) - (first - block.index()))
    }
}

/// Promotes what can be of a function; the dominators where that needed them.
fn promote_into(
    promotion: &mut Promotion,
    module: &Module<'_>,
    facts: &ModuleFacts,
    function: &Function,
    graph: &Digraph,
) -> Option<Dominators> {
    let is_lifetime_marker = |inst| {
        let callee = call_of(function, inst).and_then(|call| call.callee.expand());
        callee.is_some_and(|symbol| facts.callee(symbol).role == Role::LifetimeMarker)
    };
    let offset_of = |inst| leaves::constant_offset(module, facts.layout(module)?, function, inst);
    let size_of = |ty| facts.layout(module)?.store_size(module, ty).ok();
    promotion.compute(function, graph, is_lifetime_marker, offset_of, size_of)
}
