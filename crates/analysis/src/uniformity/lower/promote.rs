//! Allocas as the SSA values they would become (refinement 8).
//!
//! A *variable* is an alloca of the entry block whose address goes only into loads and stores that are neither volatile nor atomic,
//! all of one type, and into markers of its lifetime; perhaps through casts between address spaces. Each load of a variable
//! is a copy of the definition that reaches it: a stored value, a phi, or nothing when the variable was not written yet.
//! Phis go to the iterated dominance frontier of the blocks with stores, for the variables that some block reads before
//! it writes.
//!
//! Invariant: what reaches a load is never the result of another promoted load, but what reached that.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use reconverge_ir::Function;
use reconverge_ir::function::{Block, Extra, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::Type;

use super::NONE;

/// A value of the promoted form: an IR value by its index, then the phis; or [`UNDEFINED`].
pub(super) type Ssa = u32;

/// What a variable holds that was not written.
pub(super) const UNDEFINED: Ssa = u32::MAX - 1;

/// A phi of a variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phi {
    pub(super) block: Block,
    pub(super) alloca: Inst,
    variable: u32,
}

/// An operand of a phi, in the order in which they are found.
#[derive(Debug, Clone, Copy)]
pub(super) struct PhiOperand {
    pub(super) phi: u32,
    pub(super) value: Ssa,
    pub(super) from: Block,
}

/// The promoted form of one function; memory is kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Promotion {
    /// The phis, by block.
    pub(super) phis: Vec<Phi>,
    /// Their operands, by phi.
    pub(super) phi_operands: Vec<PhiOperand>,
    /// By IR value: what reaches it, if it is a promoted load; empty when nothing is promoted.
    reaching: Vec<Ssa>,
    /// By IR value: the variable whose address it is.
    variable_of: Vec<u32>,
    variables: Vec<Variable>,
    /// The blocks with stores, by variable.
    stores: Vec<(u32, Block)>,
    /// What each variable holds, and what it held before each change.
    current: Vec<Ssa>,
    undo: Vec<(u32, Ssa)>,
    open: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Variable {
    alloca: Inst,
    /// The type of its accesses; nothing before the first.
    ty: Option<Type>,
    promotable: bool,
    /// Whether a block reads it before it writes it.
    exposed: bool,
    /// The last block with a store so far.
    stored_in: Option<Block>,
}

/// Above this many edges of dominance frontiers for each node and edge of the graph, variables that need phis are left in
/// memory: only deep nests of loops have so many.
const FRONTIER_FACTOR: usize = 32;

impl Promotion {
    /// What a use of `value` sees.
    pub(super) fn resolve(&self, value: Value) -> Ssa {
        match self.reaching.get(value.index()) {
            Some(&reaching) if reaching != NONE => reaching,
            _ => value.as_u32(),
        }
    }

    /// What reaches a promoted load, given its result.
    pub(super) fn reaching(&self, value: Value) -> Option<Ssa> {
        self.reaching.get(value.index()).copied().filter(|&reaching| reaching != NONE)
    }

    /// Empties the tables: nothing is promoted.
    pub(super) fn clear(&mut self) {
        let Promotion { phis, phi_operands, reaching, variable_of, variables, stores, current, undo, open } = self;
        phis.clear();
        phi_operands.clear();
        reaching.clear();
        variable_of.clear();
        variables.clear();
        stores.clear();
        current.clear();
        undo.clear();
        open.clear();
    }

    /// Finds the variables of a function and what reaches their loads. `is_lifetime_marker` says so of a call.
    /// O(instructions + operands + frontiers), and dominators where there is something to promote.
    pub(super) fn compute(
        &mut self,
        function: &Function,
        graph: &Digraph,
        is_lifetime_marker: impl Fn(Inst) -> bool,
    ) -> Option<Dominators> {
        self.clear();
        self.find_variables(function);
        if self.variables.is_empty() {
            return None;
        }
        self.check_uses(function, is_lifetime_marker);
        if !self.variables.iter().any(|variable| variable.promotable) {
            return None;
        }
        let dominators = Dominators::compute(graph);
        self.place_phis(function, graph, &dominators);
        self.rename(function, &dominators);
        Some(dominators)
    }

    fn find_variables(&mut self, function: &Function) {
        let Some(entry) = function.blocks.keys().next() else { return };
        for inst in function.block_instructions(entry) {
            let data = &function.instructions[inst];
            if data.opcode != Opcode::Alloca {
                continue;
            }
            let Some(result) = data.result.expand() else { continue };
            if self.variable_of.is_empty() {
                self.variable_of.resize(function.values.len(), NONE);
            }
            self.variable_of[result.index()] = self.variables.len() as u32;
            self.variables.push(Variable { alloca: inst, ty: None, promotable: true, exposed: false, stored_in: None });
        }
        if self.variables.is_empty() {
            return;
        }
        // A cast that comes before its operand in the text is not found, and is then a use that forbids promotion.
        for (inst, data) in &function.instructions {
            if forms_alias(data.opcode)
                && let Some(result) = data.result.expand()
            {
                self.variable_of[result.index()] = self.variable_of[function.operands(inst)[0].index()];
            }
        }
    }

    fn check_uses(&mut self, function: &Function, is_lifetime_marker: impl Fn(Inst) -> bool) {
        for (inst, data) in &function.instructions {
            let operands = function.operands(inst);
            for (index, &operand) in operands.iter().enumerate() {
                let variable = self.variable_of[operand.index()];
                if variable == NONE {
                    continue;
                }
                let variable = &mut self.variables[variable as usize];
                let access = match (data.opcode, data.extra) {
                    (Opcode::Load, Extra::Memory(memory)) => Some(function.memory[memory].ty),
                    (Opcode::Store, Extra::Memory(memory)) if index == 1 => Some(function.memory[memory].ty),
                    (Opcode::Call, _) if is_lifetime_marker(inst) => continue,
                    (opcode, _) if forms_alias(opcode) => match data.result.expand() {
                        Some(result) if self.variable_of[result.index()] != NONE => continue,
                        _ => None,
                    },
                    _ => None,
                };
                let plain = !data.flags.contains(Flags::VOLATILE) && !data.flags.contains(Flags::ATOMIC);
                match access {
                    Some(ty) if plain && variable.ty.is_none_or(|known| known == ty) => variable.ty = Some(ty),
                    _ => variable.promotable = false,
                }
                if data.opcode == Opcode::Store {
                    variable.stored_in = Some(data.block);
                } else if variable.stored_in != Some(data.block) {
                    variable.exposed = true;
                }
            }
        }
    }

    /// The variable that an access reads or writes, if it is promoted.
    fn accessed(&self, function: &Function, inst: Inst) -> Option<u32> {
        let address = match function.instructions[inst].opcode {
            Opcode::Load => function.operands(inst)[0],
            Opcode::Store => function.operands(inst)[1],
            _ => return None,
        };
        let variable = self.variable_of[address.index()];
        self.variables.get(variable as usize).filter(|variable| variable.promotable).map(|_| variable)
    }

    fn place_phis(&mut self, function: &Function, graph: &Digraph, dominators: &Dominators) {
        // Nothing is in the frontier of the entry.
        let entry = Block::new(0);
        for (inst, data) in &function.instructions {
            if data.opcode == Opcode::Store
                && data.block != entry
                && let Some(variable) = self.accessed(function, inst)
                && self.variables[variable as usize].exposed
            {
                self.stores.push((variable, data.block));
            }
        }
        if self.stores.is_empty() {
            return;
        }
        self.stores.sort_unstable();
        self.stores.dedup();
        let Some(frontiers) = Frontiers::compute(graph, dominators) else {
            for &(variable, _) in &self.stores {
                self.variables[variable as usize].promotable = false;
            }
            return;
        };
        let mut has_phi = vec![NONE; graph.node_count()];
        let mut work: Vec<Block> = Vec::new();
        for stores in self.stores.chunk_by(|left, right| left.0 == right.0) {
            let variable = stores[0].0;
            work.extend(stores.iter().map(|&(_, block)| block));
            while let Some(block) = work.pop() {
                for &node in frontiers.of(Node::new(block.index())) {
                    if std::mem::replace(&mut has_phi[node.index()], variable) != variable {
                        let block = Block::new(node.index());
                        let alloca = self.variables[variable as usize].alloca;
                        self.phis.push(Phi { block, alloca, variable });
                        work.push(block);
                    }
                }
            }
        }
        self.phis.sort_unstable_by_key(|phi| (phi.block, phi.variable));
    }

    /// Walks the dominator tree with the current definition of each variable.
    fn rename(&mut self, function: &Function, dominators: &Dominators) {
        let value_count = function.values.len();
        self.reaching.resize(value_count, NONE);
        // Of the loads in blocks that are not reached.
        for (inst, data) in &function.instructions {
            if data.opcode == Opcode::Load
                && self.accessed(function, inst).is_some()
                && let Some(result) = data.result.expand()
            {
                self.reaching[result.index()] = UNDEFINED;
            }
        }
        self.current.resize(self.variables.len(), UNDEFINED);
        let phi_ssa = |phi: usize| (value_count + phi) as Ssa;
        for (position, &node) in dominators.tree_preorder().iter().enumerate() {
            while let Some(&(end, undo)) = self.open.last()
                && position >= end
            {
                self.open.pop();
                while self.undo.len() > undo {
                    let (variable, value) = self.undo.pop().expect("it is not empty");
                    self.current[variable as usize] = value;
                }
            }
            self.open.push((position + dominators.dominated(node).len(), self.undo.len()));
            let block = Block::new(node.index());
            let phis = self.phis_of(block);
            for phi in phis {
                self.define(self.phis[phi].variable, phi_ssa(phi));
            }
            for inst in function.block_instructions(block) {
                let Some(variable) = self.accessed(function, inst) else { continue };
                match function.instructions[inst].result.expand() {
                    Some(result) => self.reaching[result.index()] = self.current[variable as usize],
                    None => self.define(variable, self.resolve(function.operands(inst)[0])),
                }
            }
            for &successor in function.successors(block) {
                for phi in self.phis_of(successor) {
                    let value = self.current[self.phis[phi].variable as usize];
                    self.phi_operands.push(PhiOperand { phi: phi as u32, value, from: block });
                }
            }
        }
        self.phi_operands.sort_by_key(|operand| operand.phi);
    }

    fn define(&mut self, variable: u32, value: Ssa) {
        let before = std::mem::replace(&mut self.current[variable as usize], value);
        self.undo.push((variable, before));
    }

    /// The phis of a block, as indices.
    pub(super) fn phis_of(&self, block: Block) -> std::ops::Range<usize> {
        let start = self.phis.partition_point(|phi| phi.block < block);
        let length = self.phis[start..].partition_point(|phi| phi.block == block);
        start..start + length
    }
}

/// Whether the result is the address that the operand is.
fn forms_alias(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::AddrSpaceCast | Opcode::BitCast)
}

/// Dominance frontiers: `b` is in that of `a` iff `a` dominates a predecessor of `b` and does not strictly dominate `b`.
struct Frontiers {
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl Frontiers {
    /// By Cooper, Harvey and Kennedy: for each edge into a join, go up the dominator tree. Nothing if the frontiers are
    /// too large.
    fn compute(graph: &Digraph, dominators: &Dominators) -> Option<Frontiers> {
        let limit = FRONTIER_FACTOR * (graph.node_count() + graph.edge_count());
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let mut last = vec![NONE; graph.node_count()];
        for &join in dominators.tree_preorder() {
            let predecessors = graph.predecessors(join);
            if predecessors.len() < 2 {
                continue;
            }
            let stop = dominators.immediate_dominator(join);
            for &predecessor in predecessors {
                let mut next = dominators.is_reachable(predecessor).then_some(predecessor);
                while let Some(node) = next
                    && next != stop
                    && std::mem::replace(&mut last[node.index()], join.as_u32()) != join.as_u32()
                {
                    pairs.push((node, join));
                    next = dominators.immediate_dominator(node);
                }
            }
            if pairs.len() > limit {
                return None;
            }
        }
        let mut starts = vec![0u32; graph.node_count() + 1];
        for &(node, _) in &pairs {
            starts[node.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut nodes = vec![Node::new(0); pairs.len()];
        for (node, join) in pairs {
            let slot = &mut next[node.index()];
            nodes[*slot as usize] = join;
            *slot += 1;
        }
        Some(Frontiers { starts, nodes })
    }

    fn of(&self, node: Node) -> &[Node] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}
