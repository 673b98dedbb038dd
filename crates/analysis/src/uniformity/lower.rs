//! From IR to a [`Problem`]: what each value is on its own, for one target and one set of threads.
//!
//! Every instruction with a result becomes a value; constants do only where they are operands of phis, because nothing else
//! depends on which constant it is. Invariant of the numbering: parameters, then constants, then what is computed, in the order
//! of the text, the phis of promoted variables at the head of their block. What is not understood is a source of divergence.
//!
//! Operands `undef` and `poison` of a phi are left out: they can be taken to be equal to whatever the other edges bring. So is
//! the phi itself among its operands when the others are all one value.
//!
//! The refinements that belong here are in files of their own, and each can be turned off: convergence regions
//! (`token_regions`), value facts, summaries of other functions, provenance of pointers, promotable allocas.

mod constants;
mod launch;
mod module_facts;
mod promote;
mod provenance;
mod summaries;
mod token_regions;
mod value_facts;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Block, CallData, Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, FunctionId, Module};
use smallvec::SmallVec;

use super::{Branch, Problem, Region, Rule, ValueData, ValueIndex};
use crate::target::{CallFacts, Degree, Dependence, MemoryKind, ResultFacts, Scope};
use constants::Constants;
pub use launch::Launch;
pub use module_facts::ModuleFacts;
use module_facts::Role;
use promote::{Promotion, Ssa, UNDEFINED};
use provenance::Provenance;
use summaries::PassedArguments;
pub use summaries::{Argument, ResultSummary, Summaries, Summary};
use token_regions::TokenRegions;

const NONE: u32 = u32::MAX;

/// A refinement over what LLVM does, among those that lowering is concerned with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refinement {
    /// Known sizes of workgroups and subgroups, and operations whose result does not depend on their operands.
    ValueFacts,
    /// Arguments and results of functions of the module.
    Interprocedural,
    /// Where generic pointers come from.
    Provenance,
    /// Allocas as the SSA values that they would become.
    PromotableAllocas,
}

/// Which refinements to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refinements {
    /// Convergence regions that leave a cycle.
    pub regions: bool,
    /// [`Refinement::ValueFacts`]
    pub value_facts: bool,
    /// That workgroups are one-dimensional where the module reads thread ids of the first dimension alone and nothing says how
    /// large the others are. It is an assumption: in a larger workgroup, all threads with one `x` would do the same.
    pub one_dimensional: bool,
    /// [`Refinement::Interprocedural`]
    pub interprocedural: bool,
    /// [`Refinement::Provenance`]
    pub provenance: bool,
    /// [`Refinement::PromotableAllocas`]
    pub promotable_allocas: bool,
}

impl Refinements {
    /// All of them.
    pub const ALL: Refinements = Refinements {
        regions: true,
        value_facts: true,
        one_dimensional: true,
        interprocedural: true,
        provenance: true,
        promotable_allocas: true,
    };
    /// None of them.
    pub const NONE: Refinements = Refinements {
        regions: false,
        value_facts: false,
        one_dimensional: false,
        interprocedural: false,
        provenance: false,
        promotable_allocas: false,
    };
}

/// What a function is lowered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoweringOptions {
    /// The set of threads.
    pub scope: Scope,
    /// The refinements.
    pub refinements: Refinements,
    /// Whether only what certainly differs between threads counts: sources of [`Degree::Certain`], and functions of
    /// them. What is read from memory or comes out of a call is then taken to be uniform.
    pub certain_only: bool,
    /// Whether parameters are taken to be uniform, to find what depends on nothing else.
    pub uniform_parameters: bool,
}

impl LoweringOptions {
    /// All refinements, and all that may differ.
    pub fn new(scope: Scope) -> LoweringOptions {
        LoweringOptions { scope, refinements: Refinements::ALL, certain_only: false, uniform_parameters: false }
    }
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
        let inside = self.returned.is_none() || node.index() + 1 < self.problem.graph.node_count();
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
}

/// Lowers one function. [`Lowerer::lower`] does the same and is cheaper for many.
pub fn lower(
    module: &Module<'_>,
    facts: &ModuleFacts<'_>,
    id: FunctionId,
    function: &Function,
    summaries: &Summaries,
    options: &LoweringOptions,
) -> Lowered {
    Lowerer::default().lower(module, facts, id, function, summaries, options)
}

impl Lowerer {
    /// Lowers a function; almost linear.
    pub fn lower(
        &mut self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        function: &Function,
        summaries: &Summaries,
        options: &LoweringOptions,
    ) -> Lowered {
        Builder::new(self, module, facts, id, function, summaries, options).build(Extras::None).0
    }

    /// Lowers a function with one node more, behind all returns, and the returned value as a phi there.
    pub fn lower_with_result(
        &mut self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        function: &Function,
        summaries: &Summaries,
        options: &LoweringOptions,
    ) -> Lowered {
        Builder::new(self, module, facts, id, function, summaries, options).build(Extras::Returned).0
    }

    /// What a function passes pointers to, at the calls of functions that have a summary.
    fn pointers_passed(
        &mut self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        function: &Function,
        summaries: &Summaries,
        options: &LoweringOptions,
    ) -> Vec<PassedArguments> {
        let mut builder = Builder::new(self, module, facts, id, function, summaries, options);
        builder.promote(&function.control_flow_graph());
        builder.pointers_passed()
    }

    /// Lowers a function, with copies of all arguments at the calls of functions that have a summary.
    fn lower_with_arguments(
        &mut self,
        module: &Module<'_>,
        facts: &ModuleFacts<'_>,
        id: FunctionId,
        function: &Function,
        summaries: &Summaries,
        options: &LoweringOptions,
    ) -> (Lowered, Vec<SummarizedCall>) {
        Builder::new(self, module, facts, id, function, summaries, options).build(Extras::Arguments)
    }
}

/// A call of a function that has a summary.
struct SummarizedCall {
    callee: FunctionId,
    /// The copy of each argument, and what it points to.
    arguments: Vec<(ValueIndex, Option<Scope>)>,
}

/// Values that are there besides those of the function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extras {
    None,
    Returned,
    Arguments,
}

/// What surrounds the instructions that are looked at.
#[derive(Clone, Copy)]
struct Context<'a> {
    module: &'a Module<'a>,
    facts: &'a ModuleFacts<'a>,
    id: FunctionId,
    function: &'a Function,
    summaries: &'a Summaries,
    options: LoweringOptions,
    launch: Launch,
    /// The set of threads that rules are for: a workgroup that is part of a subgroup is one.
    scope: Scope,
}

/// One function on its way.
struct Builder<'a> {
    context: Context<'a>,
    promotion: &'a mut Promotion,
    provenance: &'a mut Provenance,
    constants: &'a mut Constants,
    /// By IR value, then by phi of a promoted variable.
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

/// How a value follows from its operands, when it is not a phi.
struct Definite {
    rule: Rule,
    /// The operands that matter, if they are not all.
    operands: Option<SmallVec<[Ssa; 4]>>,
    refinement: Option<Refinement>,
}

impl From<Rule> for Definite {
    fn from(rule: Rule) -> Definite {
        Definite { rule, operands: None, refinement: None }
    }
}

impl Definite {
    fn refined(rule: Rule, refinement: Refinement) -> Definite {
        Definite { rule, operands: None, refinement: Some(refinement) }
    }
}

impl<'a> Builder<'a> {
    fn new(
        lowerer: &'a mut Lowerer,
        module: &'a Module<'_>,
        facts: &'a ModuleFacts<'_>,
        id: FunctionId,
        function: &'a Function,
        summaries: &'a Summaries,
        options: &LoweringOptions,
    ) -> Builder<'a> {
        let mut launch = facts.launch(module, id);
        if options.refinements.one_dimensional && facts.reads_x_only(module) {
            launch.extents[1..].iter_mut().for_each(|extent| *extent = extent.or(Some(1)));
        }
        let facts_count = options.refinements.value_facts;
        let scope = match options.scope {
            Scope::Workgroup if facts_count && launch.is_single_subgroup() => Scope::Subgroup,
            scope => scope,
        };
        let Lowerer { promotion, provenance, constants } = lowerer;
        constants.clear();
        provenance.clear();
        Builder {
            context: Context { module, facts, id, function, summaries, options: *options, launch, scope },
            promotion,
            provenance,
            constants,
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
        let Context { module, id, function, options, .. } = self.context;
        let mut block_graph = function.control_flow_graph();
        let dominators = self.promote(&block_graph);
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
            for phi in self.promotion.phis_of(block) {
                self.variable_phi(phi, node);
            }
            let mut phis_ready = false;
            for inst in function.block_instructions(block) {
                let instruction = &function.instructions[inst];
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
        let calls = if extras == Extras::Arguments { self.arguments() } else { Vec::new() };
        if returned.is_some() {
            branches.push(Branch::Uniform);
        }
        if !self.cuts.is_empty() || returned.is_some() {
            block_graph = self.cut_graph(returned.is_some());
        }
        let regions = regions.regions.iter().map(|region| self.region(region)).collect();
        let Builder { mut index_of, first_nodes, cuts, values, operands, sources, origins, refined, .. } = self;
        index_of.truncate(function.values.len());
        let problem = Problem { graph: block_graph, values, operands, sources, branches, regions };
        (Lowered { problem, origins, indices: index_of, cuts, first_nodes, refined, returned }, calls)
    }

    /// Finds the allocas that are promoted; the dominators where that needed them.
    fn promote(&mut self, graph: &Digraph) -> Option<Dominators> {
        let Context { facts, function, options, .. } = self.context;
        if !options.refinements.promotable_allocas {
            self.promotion.clear();
            return None;
        }
        self.promotion.compute(function, graph, |inst| {
            let callee = call_of(function, inst).and_then(|call| call.callee.expand());
            callee.is_some_and(|symbol| facts.callee(symbol).role == Role::LifetimeMarker)
        })
    }

    fn node_count(&self) -> usize {
        self.context.function.blocks.len() + self.cuts.len()
    }

    /// The nodes of blocks. A cut behind the last instruction of a block is none.
    fn number_nodes(&mut self, mut cuts: Vec<Inst>) {
        let function = self.context.function;
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
        let function = self.context.function;
        self.index_of.resize(function.values.len() + self.promotion.phis.len(), NONE);
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
        for index in 0..self.promotion.phi_operands.len() {
            self.constant(self.promotion.phi_operands[index].value);
        }
        let mut next_phi = 0;
        let mut block = None;
        for data in function.instructions.values() {
            if block != Some(data.block) {
                block = Some(data.block);
                while let Some(phi) = self.promotion.phis.get(next_phi)
                    && phi.block == data.block
                {
                    self.index_of[function.values.len() + next_phi] = self.origins.len() as u32;
                    self.origins.push(Origin::Variable { alloca: phi.alloca, block: phi.block });
                    next_phi += 1;
                }
            }
            if let Some(result) = data.result.expand() {
                self.index_of[result.index()] = self.origins.len() as u32;
                self.origins.push(Origin::Value(result));
            }
        }
    }

    /// Gives a constant an index, unless it is one that phis leave out.
    fn constant(&mut self, value: Ssa) {
        let Context { module, function, .. } = self.context;
        let Some(value) = ir_value(function, value) else { return };
        let Definition::Constant(constant) = function.values[value].definition else { return };
        if matches!(constant, ConstantData::Undef | ConstantData::Poison) {
            return;
        }
        let next = self.origins.len() as u32;
        let index = self.constants.index_of(module.text, function, value, next);
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
        let index = self.index_of.get(value as usize).copied().unwrap_or(NONE);
        if index != NONE {
            self.operands.push(index);
            self.sources.push(node);
        }
    }

    /// Parameters and constants.
    fn parameters(&mut self) {
        let Context { module, facts, id, function, summaries, options, scope, launch } = self.context;
        let kernel = facts.is_kernel(id);
        let summary = options.refinements.interprocedural.then(|| summaries.of(id)).flatten();
        for index in 0..function.parameters.len() {
            let attributes = module.functions[id].parameters.get(index).map(|parameter| parameter.attributes);
            let attributes = attributes.map_or(&[][..], |span| span.of(module.text));
            let mut rule = Rule::Constant;
            if facts.target.parameter(kernel, attributes) < Some(scope) {
                let single = options.refinements.value_facts && is_single(&launch, scope);
                let refinement = if single {
                    Some(Refinement::ValueFacts)
                } else if summary.is_some_and(|summary| summary.parameter_is_uniform(index)) {
                    Some(Refinement::Interprocedural)
                } else {
                    None
                };
                match refinement {
                    Some(refinement) => self.refined.push((self.values.len() as u32, refinement)),
                    None if options.certain_only || options.uniform_parameters => {}
                    None => rule = Rule::Source,
                }
            }
            self.push(None, rule, 0);
        }
        let computed = self.origins[self.values.len()..].iter().position(|origin| match *origin {
            Origin::Value(value) => !matches!(function.values[value].definition, Definition::Constant(_)),
            _ => true,
        });
        for _ in 0..computed.unwrap_or(self.origins.len() - self.values.len()) {
            self.push(None, Rule::Constant, 0);
        }
    }

    fn mark_predecessors(&mut self, graph: &Digraph, block: Block) {
        self.predecessor_of.resize(graph.node_count(), NONE);
        for predecessor in graph.predecessors(Node::new(block.index())) {
            self.predecessor_of[predecessor.index()] = block.as_u32();
        }
    }

    fn phi(&mut self, inst: Inst, data: &InstData, block: Block) {
        let function = self.context.function;
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
        let operands = &self.promotion.phi_operands;
        let start = operands.partition_point(|operand| (operand.phi as usize) < phi);
        let pairs: SmallVec<[(Ssa, Block); 8]> = operands[start..]
            .iter()
            .take_while(|operand| operand.phi as usize == phi)
            .map(|operand| (operand.value, operand.from))
            .collect();
        let me = (self.context.function.values.len() + phi) as Ssa;
        self.phi_of(&pairs, me, node);
        self.refined.push((self.values.len() as u32 - 1, Refinement::PromotableAllocas));
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

    fn instruction(&mut self, inst: Inst, data: &InstData, result: Value, node: Node) {
        let Context { function, options, launch, scope, .. } = self.context;
        let from = self.operands.len();
        let mut definite = if let Some(reaching) = self.promotion.reaching(result) {
            Definite {
                rule: Rule::Pure,
                operands: Some([reaching].into_iter().collect()),
                refinement: Some(Refinement::PromotableAllocas),
            }
        } else {
            self.definite(inst, data, result)
        };
        if options.refinements.value_facts && definite.rule == Rule::Source && is_single(&launch, scope) {
            definite = Definite::refined(Rule::Uniform, Refinement::ValueFacts);
        }
        if matches!(definite.rule, Rule::Pure | Rule::Varying) {
            match &definite.operands {
                Some(operands) => operands.iter().for_each(|&operand| self.operand(operand, node)),
                None => function.operands(inst).iter().for_each(|operand| self.operand(operand.as_u32(), node)),
            }
        }
        let index = self.push(Some(node), definite.rule, from);
        if let Some(refinement) = definite.refinement {
            self.refined.push((index, refinement));
        }
    }

    fn definite(&mut self, inst: Inst, data: &InstData, result: Value) -> Definite {
        let context = self.context;
        match data.opcode {
            Opcode::Load => return self.load(inst, data),
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => return self.call(inst, data, result),
            Opcode::AtomicRmw | Opcode::CmpXchg => return context.source(Degree::Possible).into(),
            Opcode::VAArg | Opcode::LandingPad | Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch => {
                return context.source(Degree::Possible).into();
            }
            Opcode::Alloca => {
                let is_static = data.block == Block::new(0)
                    && context.function.operands(inst).iter().all(|&count| context.is_constant(count.as_u32()));
                return if is_static { Rule::Pure } else { Rule::Varying }.into();
            }
            Opcode::AddrSpaceCast if context.launch.private_addresses_differ => {
                let operand = context.function.operands(inst)[0];
                let from = context.memory_kind(context.function.values[operand].ty);
                if from == MemoryKind::Private && context.memory_kind(data.ty) == MemoryKind::Flat {
                    return context.source(Degree::Certain).into();
                }
            }
            Opcode::ExtractValue => {
                if let Some(rule) = context.extracted(inst, data) {
                    return rule.into();
                }
            }
            _ => {}
        }
        if context.options.refinements.value_facts
            && let Some(operands) = value_facts::simplify(&context, self.promotion, inst, data, result)
        {
            return Definite { rule: Rule::Pure, operands: Some(operands), refinement: Some(Refinement::ValueFacts) };
        }
        Rule::Pure.into()
    }

    fn load(&mut self, inst: Inst, data: &InstData) -> Definite {
        let context = self.context;
        let address = context.function.operands(inst)[0];
        if let Some(facts) = self.variable_at(address) {
            // Nobody writes there, so only the place in the variable can make a difference.
            return match facts.dependence(context.scope) {
                Dependence::Thread(degree) => context.source(degree),
                _ => Rule::Pure,
            }
            .into();
        }
        if context.options.certain_only {
            return Rule::Uniform.into();
        }
        let plain = !data.flags.contains(Flags::VOLATILE) && !data.flags.contains(Flags::ATOMIC);
        let Some(refinement) = self.loads_the_same(address, plain) else { return Rule::Source.into() };
        let address = context.function.values[address].ty;
        let constant = plain && (context.memory_kind(address) == MemoryKind::Constant || context.is_invariant(data));
        Definite { rule: if constant { Rule::Pure } else { Rule::Varying }, operands: None, refinement }
    }

    /// Whether the threads of the set load the same from the same address, or from the same vector of addresses; and the
    /// refinement that it takes to know. `plain` is for loads that are neither atomic nor volatile.
    fn loads_the_same(&mut self, address: Value, plain: bool) -> Option<Option<Refinement>> {
        let context = self.context;
        let space = address_space(context.module, context.function.values[address].ty)?;
        let facts = context.facts.target.load_from(space);
        if (if plain { facts.uniform } else { facts.atomic }) >= Some(context.scope) {
            return Some(None);
        }
        let somewhere = matches!(facts.kind, MemoryKind::Flat | MemoryKind::Unknown);
        // Atomic and volatile loads see what other threads write in between; converged threads of a subgroup load together.
        let refined = context.options.refinements.provenance
            && somewhere
            && (plain || context.scope == Scope::Subgroup)
            && self.provenance.of(&context, self.promotion, address) >= Some(context.scope);
        refined.then_some(Some(Refinement::Provenance))
    }

    /// The content of the built-in variable that an address points into.
    fn variable_at(&self, address: Value) -> Option<ResultFacts> {
        let Context { module, facts, function, .. } = self.context;
        let mut address = address;
        // Addresses of built-in variables are short; in code that is never reached, an address may be based on itself.
        for _ in 0..8 {
            let (opcode, operands) = match function.values[address].definition {
                Definition::Constant(ConstantData::Global(symbol)) => return facts.variable(module, symbol),
                Definition::Constant(ConstantData::Expression(expression)) => {
                    let data = &function.constants.expressions[expression];
                    let opcode = match data.kind {
                        ExpressionKind::GetElementPtr(..) => Opcode::GetElementPtr,
                        ExpressionKind::Operation(opcode, _) => opcode,
                        _ => return None,
                    };
                    (opcode, function.list(data.operands))
                }
                Definition::Instruction(inst) => (function.instructions[inst].opcode, function.operands(inst)),
                _ => return None,
            };
            if !matches!(opcode, Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast) {
                return None;
            }
            address = *operands.first()?;
        }
        None
    }

    /// A call of a function that the target knows.
    fn known_call(&mut self, facts: &CallFacts, arguments: &[Value]) -> Definite {
        let context = self.context;
        let constant_of = |index: u8| arguments.get(usize::from(index)).and_then(|&value| context.integer(value));
        let facts = facts.of_call(constant_of).result;
        let mut rule = context.rule(facts);
        let mut refinement = None;
        if facts.loads && !context.options.certain_only && rule != Rule::Source {
            for &argument in arguments {
                if address_space(context.module, context.function.values[argument].ty).is_some() {
                    match self.loads_the_same(argument, true) {
                        Some(used) => refinement = refinement.or(used),
                        None => return Rule::Source.into(),
                    }
                }
            }
            if rule == Rule::Pure {
                rule = Rule::Varying;
            }
        }
        let counts = |index: usize| rule == Rule::Pure || facts.on.contains(index);
        let operands = arguments.iter().enumerate().filter(|&(index, _)| counts(index));
        Definite { rule, operands: Some(operands.map(|(_, value)| value.as_u32()).collect()), refinement }
    }

    fn call(&mut self, inst: Inst, data: &InstData, result: Value) -> Definite {
        let context = self.context;
        let function = context.function;
        if data.ty == Type::TOKEN {
            return Rule::Uniform.into();
        }
        let Some(call) = call_of(function, inst) else { return Rule::Source.into() };
        let Some(symbol) = call.callee.expand() else {
            let callee = function.operands(inst).last().map(|callee| function.values[*callee].definition);
            let facts = match callee {
                Some(Definition::Constant(constant)) => context.inline_assembly(constant, None),
                _ => None,
            };
            return context.rule(facts.unwrap_or_default()).into();
        };
        let callee = context.facts.callee(symbol);
        if context.options.refinements.value_facts
            && callee.role.is_thread_number()
            && let Some(operands) = value_facts::simplify(&context, self.promotion, inst, data, result)
        {
            return Definite { rule: Rule::Pure, operands: Some(operands), refinement: Some(Refinement::ValueFacts) };
        }
        if callee.role == Role::ReadRegister
            && context.scope == Scope::Subgroup
            && context.reads_scalar_register(inst, data)
        {
            return Rule::Uniform.into();
        }
        if let Some(facts) = &callee.facts {
            return self.known_call(facts, &function.operands(inst)[..call.argument_count as usize]);
        }
        if context.options.refinements.interprocedural
            && let Some(id) = context.module.function_of(symbol)
            && let Some(summary) = context.summaries.of(id)
        {
            let ResultSummary::DependsOn(parameters) = &summary.result else {
                // The body was analysed for the same question.
                return Rule::Source.into();
            };
            let arguments = parameters.iter().filter_map(|&index| function.operands(inst).get(index as usize));
            let operands = arguments.map(|value| value.as_u32()).collect();
            let rule = Rule::Varying;
            return Definite { rule, operands: Some(operands), refinement: Some(Refinement::Interprocedural) };
        }
        context.source(Degree::Possible).into()
    }

    fn branch(&self, block: Block) -> Branch {
        let context = self.context;
        let function = context.function;
        let inst = function.terminator(block);
        let data = &function.instructions[inst];
        let successors = function.successors(block);
        if successors.iter().all(|&successor| successor == successors[0]) {
            return Branch::Uniform;
        }
        let source = if context.source(Degree::Possible) == Rule::Source
            && !(context.options.refinements.value_facts && is_single(&context.launch, context.scope))
        {
            Branch::Source
        } else {
            Branch::Uniform
        };
        match data.opcode {
            Opcode::Br | Opcode::Switch | Opcode::IndirectBr => match function.operands(inst).first() {
                Some(condition) => {
                    let index = self.index_of[condition.index()];
                    if index == NONE || context.is_constant(condition.as_u32()) {
                        Branch::Uniform
                    } else {
                        Branch::On(index)
                    }
                }
                None => source,
            },
            Opcode::Invoke => {
                let Some(call) = call_of(function, inst) else { return source };
                let callee = call.callee.expand().and_then(|symbol| context.module.function_of(symbol));
                let suffixes =
                    callee.map(|id| context.module.functions[id].suffix).into_iter().chain([call.attributes]);
                let nounwind = suffixes.into_iter().any(|span| context.facts.is_nounwind(context.module, span));
                if nounwind { Branch::Uniform } else { source }
            }
            _ => source,
        }
    }

    /// The phi of what is returned, in a node of its own.
    fn returned(&mut self) -> Option<ValueIndex> {
        let function = self.context.function;
        let mut pairs: Vec<(Ssa, Block)> = Vec::new();
        for block in function.blocks.keys() {
            let inst = function.terminator(block);
            if function.instructions[inst].opcode == Opcode::Ret {
                pairs.extend(function.operands(inst).iter().map(|&value| (self.promotion.resolve(value), block)));
            }
        }
        if pairs.is_empty() {
            return None;
        }
        self.origins.push(Origin::Returned);
        self.phi_of(&pairs, NONE, Node::new(self.node_count()));
        Some(self.values.len() as ValueIndex - 1)
    }

    /// The calls of functions that have a summary, with the callee and the arguments.
    fn summarized_calls(&self) -> impl Iterator<Item = (Inst, FunctionId, &'a [Value])> + use<'a> {
        let Context { module, function, summaries, .. } = self.context;
        function.instructions.keys().filter_map(move |inst| {
            let call = call_of(function, inst)?;
            let callee = module.function_of(call.callee.expand()?)?;
            summaries.of(callee)?;
            Some((inst, callee, &function.operands(inst)[..call.argument_count as usize]))
        })
    }

    fn points_to(&mut self, value: Value) -> Option<Scope> {
        let context = self.context;
        address_space(context.module, context.function.values[value].ty)?;
        if context.options.refinements.provenance { self.provenance.of(&context, self.promotion, value) } else { None }
    }

    fn pointers_passed(mut self) -> Vec<PassedArguments> {
        let calls = self.summarized_calls();
        calls
            .map(|(_, callee, values)| {
                let argument = |&value: &Value| Argument { uniform: false, points_to: self.points_to(value) };
                PassedArguments { callee, arguments: values.iter().map(argument).collect() }
            })
            .collect()
    }

    /// Copies of arguments.
    fn arguments(&mut self) -> Vec<SummarizedCall> {
        let mut calls = Vec::new();
        for (inst, callee, values) in self.summarized_calls() {
            let node = self.node_of(inst);
            let mut arguments = Vec::with_capacity(values.len());
            for &value in values {
                let from = self.operands.len();
                self.operand(self.promotion.resolve(value), node);
                self.origins.push(Origin::Argument(inst));
                arguments.push((self.push(Some(node), Rule::Pure, from), self.points_to(value)));
            }
            calls.push(SummarizedCall { callee, arguments });
        }
        calls
    }

    /// The graph with the blocks cut, and perhaps a node behind all returns.
    fn cut_graph(&self, with_result: bool) -> Digraph {
        let function = self.context.function;
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
        let mut nodes = Vec::new();
        for &(block, end) in &region.parts {
            let first = self.first_nodes[block.index()].index();
            let last = match end {
                // A cut that is none is at the end of the block.
                Some(end) => first + self.cuts.partition_point(|&cut| cut < end) - (first - block.index()),
                None => self.last_node(block).index(),
            };
            nodes.extend((first..=last).map(Node::new));
        }
        Region { definition: self.node_of(region.definition), nodes }
    }

    fn node_of(&self, inst: Inst) -> Node {
        let block = self.context.function.instructions[inst].block;
        let first = self.first_nodes[block.index()].index();
        Node::new(first + self.cuts.partition_point(|&cut| cut < inst) - (first - block.index()))
    }
}

impl Context<'_> {
    /// The rule of a value that may differ between threads.
    fn source(&self, degree: Degree) -> Rule {
        if self.options.certain_only && degree < Degree::Certain { Rule::Uniform } else { Rule::Source }
    }

    fn rule(&self, facts: ResultFacts) -> Rule {
        match facts.dependence(self.scope) {
            Dependence::Uniform => Rule::Uniform,
            Dependence::Pure => Rule::Pure,
            Dependence::Operands if self.options.certain_only => Rule::Uniform,
            Dependence::Operands => Rule::Varying,
            Dependence::Thread(degree) => self.source(degree),
        }
    }

    fn is_constant(&self, value: Ssa) -> bool {
        match ir_value(self.function, value) {
            Some(value) => matches!(self.function.values[value].definition, Definition::Constant(_)),
            None => false,
        }
    }

    /// An integer constant.
    fn integer(&self, value: Value) -> Option<i64> {
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) => Some(number),
            Definition::Constant(ConstantData::Zero) => Some(0),
            _ => None,
        }
    }

    fn memory_kind(&self, ty: Type) -> MemoryKind {
        address_space(self.module, ty).map_or(MemoryKind::Unknown, |space| self.facts.target.load_from(space).kind)
    }

    /// Whether a load has `!invariant.load`.
    fn is_invariant(&self, data: &InstData) -> bool {
        let attachments = data.attachments.of(self.module.text);
        attachments.windows(b"!invariant.load".len()).any(|window| window == b"!invariant.load")
    }

    fn inline_assembly(&self, constant: ConstantData, output: Option<usize>) -> Option<ResultFacts> {
        let ConstantData::Expression(expression) = constant else { return None };
        let ExpressionKind::InlineAsm(asm) = self.function.constants.expressions[expression].kind else { return None };
        let text = asm.of(self.module.text);
        let constraints = text.strip_suffix(b"\"")?;
        let start = constraints.iter().rposition(|&byte| byte == b'"')? + 1;
        Some(self.facts.target.inline_assembly(&constraints[start..], output))
    }

    /// The rule of an element of what some call returns that is another one than that of the whole.
    fn extracted(&self, inst: Inst, data: &InstData) -> Option<Rule> {
        let Extra::Indices(indices) = data.extra else { return None };
        let index = *self.function.indices(indices).first()?;
        let Definition::Instruction(aggregate) = self.function.values[self.function.operands(inst)[0]].definition
        else {
            return None;
        };
        let call = call_of(self.function, aggregate)?;
        match call.callee.expand() {
            Some(symbol) if self.facts.callee(symbol).role == Role::MaskedBranch => {
                (index == 1 && self.scope == Scope::Subgroup).then_some(Rule::Uniform)
            }
            Some(_) => None,
            None => {
                let callee = self.function.operands(aggregate).last()?;
                let Definition::Constant(constant) = self.function.values[*callee].definition else { return None };
                let facts = self.inline_assembly(constant, Some(index as usize))?;
                Some(self.rule(facts)).filter(|&rule| rule == Rule::Uniform)
            }
        }
    }

    /// Whether a `read_register` reads a register that a subgroup has one of.
    fn reads_scalar_register(&self, inst: Inst, data: &InstData) -> bool {
        let Some(&argument) = self.function.operands(inst).first() else { return false };
        let Definition::Constant(ConstantData::Metadata(node)) = self.function.values[argument].definition else {
            return false;
        };
        let mut node = node.of(self.module.text).trim_ascii();
        let digits = node.strip_prefix(b"!").and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<u32>().ok());
        if let Some(number) = digits.filter(|&number| number != u32::MAX)
            && let Some(span) = self.module.metadata.get(&reconverge_ir::function::MetadataNumber::from_u32(number))
        {
            node = span.of(self.module.text).trim_ascii();
        }
        let name = node.strip_prefix(b"!{!\"").and_then(|rest| rest.strip_suffix(b"\"}"));
        let Some(name) = name else { return false };
        let constraint: Vec<u8> = [b"={", name, b"}"].concat();
        // As an i1, a register holds a mask with a bit for each thread.
        data.ty != Type::I1 && self.facts.target.inline_assembly(&constraint, None).uniform.is_some()
    }
}

/// Whether a set of threads has one thread.
fn is_single(launch: &Launch, scope: Scope) -> bool {
    scope != Scope::Grid && launch.is_single_thread()
}

/// The IR value that a value of the promoted form is, if it is one.
fn ir_value(function: &Function, value: Ssa) -> Option<Value> {
    (value != UNDEFINED && (value as usize) < function.values.len()).then(|| Value::from_u32(value))
}

/// What a call has beyond its operands.
fn call_of(function: &Function, inst: Inst) -> Option<&CallData> {
    match function.instructions[inst].extra {
        Extra::Call(call) => Some(&function.calls[call]),
        _ => None,
    }
}

/// The address space of a pointer, or of the pointers in a vector.
fn address_space(module: &Module<'_>, ty: Type) -> Option<u32> {
    match module.types[module.types.scalar(ty)] {
        TypeData::Pointer { address_space } => Some(address_space),
        _ => None,
    }
}
