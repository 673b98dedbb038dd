//! Allocas as the SSA values they would become (refinement 8).
//!
//! An alloca of the entry block is *promoted* when its addresses, all at constant distances from it, go only into loads and stores that are neither volatile nor
//! atomic, and into markers of its lifetime; and when what is loaded and stored at one distance is of one type, and overlaps nothing at another distance. A
//! *variable* is what such an alloca holds at one distance: all of it, or a member. Each load of a variable
//! is a copy of the definition that reaches it: a stored value, a phi, or nothing when the variable was not written yet.
//! Phis go to the iterated dominance frontier of the blocks with stores, for the variables that some block reads before
//! it writes.
//!
//! Invariant: what reaches a load is never the result of another promoted load, but what reached that.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators};
use reconverge_ir::Function;
use reconverge_ir::function::{Block, Extra, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::Type;
use smallvec::SmallVec;

use super::NONE;
use super::phis::{Frontiers, Phis, Ssa};

/// What a variable holds that was not written.
pub(super) const UNDEFINED: Ssa = u32::MAX - 1;

/// The promoted form of one function; memory is kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Promotion {
    pub(super) phis: Phis,
    /// By IR value: what reaches it, if it is a promoted load; empty when nothing is promoted.
    reaching: Vec<Ssa>,
    /// By IR value: the address that it is.
    address_of: Vec<u32>,
    addresses: Vec<Address>,
    allocas: Vec<Allocated>,
    variables: Vec<Variable>,
    /// The blocks with stores, by variable.
    stores: Vec<(u32, Block)>,
    /// What each variable holds, and what it held before each change.
    current: Vec<Ssa>,
    undo: Vec<(u32, Ssa)>,
    open: Vec<(usize, usize)>,
}

/// An alloca of the entry block.
#[derive(Debug, Clone)]
struct Allocated {
    inst: Inst,
    promotable: bool,
    /// What it holds, as far as it is accessed.
    variables: SmallVec<[u32; 1]>,
}

/// An address in an alloca.
#[derive(Debug, Clone, Copy)]
struct Address {
    /// Of [`Promotion::allocas`].
    alloca: u32,
    offset: u64,
    /// What is accessed through it; nothing before the first access.
    variable: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Variable {
    /// Of [`Promotion::allocas`].
    alloca: u32,
    offset: u64,
    /// The type of its accesses.
    ty: Type,
    /// Whether a block reads it before it writes it.
    exposed: bool,
    /// The last block with a store so far.
    stored_in: Option<Block>,
}

/// An alloca with more variables is left in memory.
const MOST_VARIABLES: usize = 32;

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

    /// The alloca of a variable.
    pub(super) fn alloca_of(&self, variable: u32) -> Inst {
        self.allocas[self.variables[variable as usize].alloca as usize].inst
    }

    /// The type of a phi, by its index; nothing where there is none.
    pub(super) fn type_of_phi(&self, phi: usize) -> Option<Type> {
        self.phis.all.get(phi).map(|phi| self.variables[phi.variable as usize].ty)
    }

    /// Whether an alloca is promoted.
    pub(super) fn is_promoted(&self, alloca: Inst) -> bool {
        // They are in the order of the text.
        self.allocas.binary_search_by_key(&alloca, |one| one.inst).is_ok_and(|found| self.allocas[found].promotable)
    }

    /// Empties the tables: nothing is promoted.
    pub(super) fn clear(&mut self) {
        let Promotion { phis, reaching, address_of, addresses, allocas, variables, stores, current, undo, open } = self;
        phis.clear();
        reaching.clear();
        address_of.clear();
        addresses.clear();
        allocas.clear();
        variables.clear();
        stores.clear();
        current.clear();
        undo.clear();
        open.clear();
    }

    /// Finds the variables of a function and what reaches their loads. `is_lifetime_marker` says so of a call, `offset_of` how many bytes a
    /// `getelementptr` goes on, if that is a constant, and `size_of` how many a type has.
    /// O(instructions + operands + frontiers), and dominators where there is something to promote.
    pub(super) fn compute(
        &mut self,
        function: &Function,
        graph: &Digraph,
        is_lifetime_marker: impl Fn(Inst) -> bool,
        offset_of: impl Fn(Inst) -> Option<u64>,
        size_of: impl Fn(Type) -> Option<u64>,
    ) -> Option<Dominators> {
        self.clear();
        self.find_addresses(function, offset_of);
        if self.allocas.is_empty() {
            return None;
        }
        self.check_uses(function, is_lifetime_marker);
        self.check_overlaps(size_of);
        if !self.allocas.iter().any(|alloca| alloca.promotable) {
            return None;
        }
        let dominators = Dominators::compute(graph);
        self.place_phis(function, graph, &dominators);
        self.rename(function, &dominators);
        Some(dominators)
    }

    fn find_addresses(&mut self, function: &Function, offset_of: impl Fn(Inst) -> Option<u64>) {
        let Some(entry) = function.blocks.keys().next() else { return };
        for inst in function.block_instructions(entry) {
            let data = &function.instructions[inst];
            if data.opcode != Opcode::Alloca {
                continue;
            }
            let Some(result) = data.result.expand() else { continue };
            if self.address_of.is_empty() {
                self.address_of.resize(function.values.len(), NONE);
            }
            self.address_of[result.index()] = self.addresses.len() as u32;
            self.addresses.push(Address { alloca: self.allocas.len() as u32, offset: 0, variable: None });
            self.allocas.push(Allocated { inst, promotable: true, variables: SmallVec::new() });
        }
        if self.allocas.is_empty() {
            return;
        }
        // What comes before its operand in the text is not found, and is then a use that forbids promotion.
        for (inst, data) in &function.instructions {
            if !forms_address(data.opcode) {
                continue;
            }
            let of = self.address_of[function.operands(inst)[0].index()];
            if of == NONE {
                continue;
            }
            let Some(result) = data.result.expand() else { continue };
            if data.opcode != Opcode::GetElementPtr {
                self.address_of[result.index()] = of;
                continue;
            }
            let Address { alloca, offset, .. } = self.addresses[of as usize];
            if let Some(offset) = offset_of(inst).and_then(|further| offset.checked_add(further)) {
                self.address_of[result.index()] = self.addresses.len() as u32;
                self.addresses.push(Address { alloca, offset, variable: None });
            }
        }
    }

    fn check_uses(&mut self, function: &Function, is_lifetime_marker: impl Fn(Inst) -> bool) {
        for (inst, data) in &function.instructions {
            let operands = function.operands(inst);
            for (index, &operand) in operands.iter().enumerate() {
                let address = self.address_of[operand.index()];
                if address == NONE {
                    continue;
                }
                let access = match (data.opcode, data.extra) {
                    (Opcode::Load, Extra::Memory(memory)) => Some(function.memory[memory].ty),
                    (Opcode::Store, Extra::Memory(memory)) if index == 1 => Some(function.memory[memory].ty),
                    (Opcode::Call, _) if is_lifetime_marker(inst) => continue,
                    (opcode, _) if index == 0 && forms_address(opcode) => match data.result.expand() {
                        Some(result) if self.address_of[result.index()] != NONE => continue,
                        _ => None,
                    },
                    _ => None,
                };
                let plain = !data.flags.contains(Flags::VOLATILE) && !data.flags.contains(Flags::ATOMIC);
                let variable = access.filter(|_| plain).and_then(|ty| self.variable_at(address, ty));
                let Some(variable) = variable else {
                    let alloca = self.addresses[address as usize].alloca;
                    self.allocas[alloca as usize].promotable = false;
                    continue;
                };
                let variable = &mut self.variables[variable as usize];
                if data.opcode == Opcode::Store {
                    variable.stored_in = Some(data.block);
                } else if variable.stored_in != Some(data.block) {
                    variable.exposed = true;
                }
            }
        }
    }

    /// The variable at an address, given the type of an access; nothing where another one has been accessed there with another type.
    fn variable_at(&mut self, address: u32, ty: Type) -> Option<u32> {
        let Address { alloca, offset, variable } = self.addresses[address as usize];
        let of_alloca = &mut self.allocas[alloca as usize].variables;
        let known = variable
            .or_else(|| of_alloca.iter().copied().find(|&other| self.variables[other as usize].offset == offset));
        let variable = match known {
            Some(known) => known,
            None if of_alloca.len() == MOST_VARIABLES => return None,
            None => {
                let new = self.variables.len() as u32;
                self.variables.push(Variable { alloca, offset, ty, exposed: false, stored_in: None });
                of_alloca.push(new);
                new
            }
        };
        self.addresses[address as usize].variable = Some(variable);
        (self.variables[variable as usize].ty == ty).then_some(variable)
    }

    /// Leaves those allocas in memory in which variables overlap.
    fn check_overlaps(&mut self, size_of: impl Fn(Type) -> Option<u64>) {
        let Promotion { allocas, variables, .. } = self;
        for alloca in allocas.iter_mut().filter(|alloca| alloca.promotable && alloca.variables.len() > 1) {
            alloca.variables.sort_unstable_by_key(|&variable| variables[variable as usize].offset);
            alloca.promotable = alloca.variables.windows(2).all(|pair| {
                let [first, second] = [pair[0], pair[1]].map(|variable| variables[variable as usize]);
                let end = size_of(first.ty).and_then(|size| first.offset.checked_add(size));
                end.is_some_and(|end| end <= second.offset)
            });
        }
    }

    /// The variable that an access reads or writes, if it is promoted.
    fn accessed(&self, function: &Function, inst: Inst) -> Option<u32> {
        let address = match function.instructions[inst].opcode {
            Opcode::Load => function.operands(inst)[0],
            Opcode::Store => function.operands(inst)[1],
            _ => return None,
        };
        let address = self.addresses.get(self.address_of[address.index()] as usize)?;
        address.variable.filter(|_| self.allocas[address.alloca as usize].promotable)
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
                self.allocas[self.variables[variable as usize].alloca as usize].promotable = false;
            }
            return;
        };
        self.phis.place(&frontiers, graph.node_count(), &self.stores);
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
            for phi in self.phis.of_block(block) {
                self.define(self.phis.all[phi].variable, phi_ssa(phi));
            }
            for inst in function.block_instructions(block) {
                let Some(variable) = self.accessed(function, inst) else { continue };
                match function.instructions[inst].result.expand() {
                    Some(result) => self.reaching[result.index()] = self.current[variable as usize],
                    None => self.define(variable, self.resolve(function.operands(inst)[0])),
                }
            }
            self.phis.leave(function, block, &self.current);
        }
        self.phis.finish();
    }

    fn define(&mut self, variable: u32, value: Ssa) {
        let before = std::mem::replace(&mut self.current[variable as usize], value);
        self.undo.push((variable, before));
    }
}

/// Whether the result may be an address in what the first operand is an address of.
fn forms_address(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::AddrSpaceCast | Opcode::BitCast | Opcode::GetElementPtr)
}
