//! A machine function in SSA form as a [`Problem`] of uniformity, for the threads of a subgroup.
//!
//! **Definition.** A value is a virtual register, defined by one instruction. One in a scalar register is [`Rule::Uniform`]; of others, the rule is that of the instruction
//! ([`Machine`]), and the operands are the virtual registers that it reads. Physical registers are no values: a copy from one is uniform iff a subgroup has one of it. The
//! branch of a block is decided by what its terminators read; it is divergent by itself where an instruction takes lanes out of the mask that executes.
//!
//! **Invariant.** What the [`Problem`] asks for is checked: each register is defined once, before its uses on every path, and a phi has an operand for each predecessor.
//! O(function).

use std::ops::Range;

use cranelift_entity::EntityRef;
use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::{Branch, Problem, Rule, ValueIndex};
use reconverge_graph::{Dominators, Node};

use crate::error::ReadError;
use crate::flow::Graph;
use crate::function::{BlockIndex, Function, Instruction, Operand, RegisterIndex, What};
use crate::machine::{Because, Machine, Outcome, RegisterKind, Setting};

/// A machine function as a problem, and the way back.
#[derive(Debug)]
pub struct Lowered {
    /// The problem. Node *i* of its graph is block *i*.
    pub problem: Problem,
    /// What is defined, in the order of the text.
    pub definitions: Vec<Definition>,
    /// How many nodes of the graph are blocks.
    pub blocks: usize,
    /// By value: the register that it is, or that it decides about with others.
    registers: Vec<Option<RegisterIndex>>,
    /// By value and by block: why it differs by itself.
    because: Vec<Option<Because>>,
    branch_because: Vec<Option<u32>>,
}

/// A virtual register, where it is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The register.
    pub register: RegisterIndex,
    /// The block.
    pub block: BlockIndex,
    /// The instruction, by its place in the function.
    pub instruction: u32,
    /// The value of the problem.
    pub value: ValueIndex,
}

/// Lowers a function. `target` has the facts about intrinsics and address spaces. `like_llvm` is for comparisons: what LLVM calls uniform by itself is taken as such, also
/// where threads differ (`docs/llvm-differences.md`).
///
/// # Errors
/// Where the function is not in SSA form, or names a register class that is not known.
pub fn lower(
    function: &Function<'_>,
    machine: &Machine,
    target: &Target,
    like_llvm: bool,
) -> Result<Lowered, ReadError> {
    let graph = function.graph(Some(machine))?;
    let kinds = kinds(function, machine)?;
    let places = Places::of(function)?;
    places.check_order(function, &graph)?;
    let setting = Setting { function, target, like_llvm };
    Lowering { function, machine, setting, kinds: &kinds, lowered: Lowered::new(graph) }.run()
}

impl Lowered {
    fn new(Graph { digraph, blocks }: Graph) -> Lowered {
        Lowered {
            problem: Problem::new(digraph),
            definitions: Vec::new(),
            blocks,
            registers: Vec::new(),
            because: Vec::new(),
            branch_because: vec![None; blocks],
        }
    }

    /// The register that a value is; nothing for what several registers decide about.
    pub fn register(&self, value: ValueIndex) -> Option<RegisterIndex> {
        self.registers[value as usize]
    }

    /// Why a value differs between threads by itself, without a full stop.
    pub fn source(&self, function: &Function<'_>, definition: &Definition) -> String {
        let instruction = &function.instructions[definition.instruction as usize];
        let opcode = instruction.opcode;
        match self.because[definition.value as usize] {
            Some(Because::Intrinsic) => {
                let intrinsic = function.operands(instruction).iter().find_map(|operand| match operand.what {
                    What::Intrinsic(name) => Some(name),
                    _ => None,
                });
                format!("@{} differs between threads", intrinsic.unwrap_or(opcode))
            }
            Some(Because::Vector) if opcode == "COPY" => {
                "copies a vector register, of which each thread has its own".to_owned()
            }
            Some(Because::Vector) => format!("{opcode} reads a vector register"),
            Some(Because::Load) if function.memory(instruction).is_empty() => {
                format!("{opcode} does not say which memory it reads")
            }
            Some(Because::Load) => format!("{opcode} may read memory of a single thread"),
            Some(Because::Instruction) | None => format!("{opcode} differs between threads"),
        }
    }

    /// Why a branch is divergent by itself, without a full stop.
    pub fn branch_source(&self, function: &Function<'_>, block: BlockIndex) -> String {
        let instruction = self.branch_because[block as usize].map(|index| &function.instructions[index as usize]);
        let opcode = instruction.map_or("the terminator", |instruction| instruction.opcode);
        format!("threads take different paths at {opcode}")
    }
}

/// What sort of register each virtual register is.
fn kinds(function: &Function<'_>, machine: &Machine) -> Result<Vec<RegisterKind>, ReadError> {
    let kind = |register| {
        machine.kind(register).ok_or_else(|| {
            let message = format!(
                "%{} is of register class `{}`, which is not known for {}",
                register.name, register.class, machine.name
            );
            ReadError::new(register.offset, message)
        })
    };
    function.registers.iter().map(kind).collect()
}

/// Where each virtual register is defined.
struct Places {
    /// By register: the instruction.
    definitions: Vec<Option<u32>>,
    /// By instruction: the block.
    blocks: Vec<BlockIndex>,
}

impl Places {
    fn of(function: &Function<'_>) -> Result<Places, ReadError> {
        let mut places = Places {
            definitions: vec![None; function.registers.len()],
            blocks: Vec::with_capacity(function.instructions.len()),
        };
        for (block, data) in (0..).zip(&function.blocks) {
            for (index, instruction) in data.instructions.clone().zip(function.instructions_of(data)) {
                places.blocks.push(block);
                for (operand, register) in virtual_registers(function, instruction) {
                    if !operand.is_definition {
                        continue;
                    }
                    let name = function.register_name(register);
                    if operand.is_part {
                        let message = format!("a part of {name} is written; uniformity is for functions in SSA form");
                        return Err(ReadError::new(operand.offset, message));
                    }
                    if places.definitions[register as usize].replace(index).is_some() {
                        let message =
                            format!("{name} is defined a second time; uniformity is for functions in SSA form");
                        return Err(ReadError::new(operand.offset, message));
                    }
                }
            }
        }
        Ok(places)
    }

    /// Whether each register is defined before it is read.
    fn check_order(&self, function: &Function<'_>, graph: &Graph) -> Result<(), ReadError> {
        let dominators = Dominators::compute(&graph.digraph);
        let node = |block: BlockIndex| Node::from_u32(block);
        for (block, data) in (0..).zip(&function.blocks) {
            let is_reachable = dominators.is_reachable(node(block));
            for (index, instruction) in data.instructions.clone().zip(function.instructions_of(data)) {
                if instruction.is_phi() {
                    for incoming in incoming(function, instruction)? {
                        let Incoming { operand, block: from } = incoming;
                        if let Some(register) = read_register(operand) {
                            let definition = self.definition(function, operand, register)?;
                            let defined_in = node(self.blocks[definition as usize]);
                            if dominators.is_reachable(node(from)) && !dominators.dominates(defined_in, node(from)) {
                                return Err(not_before(function, operand, register));
                            }
                        }
                    }
                    continue;
                }
                for operand in function.operands(instruction) {
                    let Some(register) = read_register(operand) else { continue };
                    let definition = self.definition(function, operand, register)?;
                    let defined_in = self.blocks[definition as usize];
                    let is_before = if defined_in == block {
                        definition < index
                    } else {
                        dominators.dominates(node(defined_in), node(block))
                    };
                    if is_reachable && !is_before {
                        return Err(not_before(function, operand, register));
                    }
                }
            }
        }
        Ok(())
    }

    fn definition(
        &self,
        function: &Function<'_>,
        operand: &Operand<'_>,
        register: RegisterIndex,
    ) -> Result<u32, ReadError> {
        self.definitions[register as usize].ok_or_else(|| {
            ReadError::new(operand.offset, format!("nothing defines {}", function.register_name(register)))
        })
    }
}

fn not_before(function: &Function<'_>, operand: &Operand<'_>, register: RegisterIndex) -> ReadError {
    let name = function.register_name(register);
    ReadError::new(operand.offset, format!("{name} is not defined on every path to this use"))
}

/// The virtual registers among the operands of an instruction.
fn virtual_registers<'f, 't>(
    function: &'f Function<'t>,
    instruction: &Instruction<'t>,
) -> impl Iterator<Item = (&'f Operand<'t>, RegisterIndex)> {
    function.operands(instruction).iter().filter_map(|operand| match operand.what {
        What::Virtual(register) => Some((operand, register)),
        _ => None,
    })
}

/// The virtual register that an operand reads.
fn read_register(operand: &Operand<'_>) -> Option<RegisterIndex> {
    match operand.what {
        What::Virtual(register) if operand.is_read => Some(register),
        _ => None,
    }
}

/// An operand of a phi, and the block that it comes from.
struct Incoming<'f, 't> {
    operand: &'f Operand<'t>,
    block: BlockIndex,
}

/// The operands of a phi.
fn incoming<'f, 't>(function: &'f Function<'t>, phi: &Instruction<'t>) -> Result<Vec<Incoming<'f, 't>>, ReadError> {
    let operands = function.operands(phi);
    let is_phi = matches!(operands.first(), Some(Operand { what: What::Virtual(_), is_definition: true, .. }));
    if !is_phi || operands.len().is_multiple_of(2) {
        return Err(ReadError::new(
            phi.offset,
            "expected a register that is defined, and pairs of a register and a block",
        ));
    }
    let pair = |pair: &'f [Operand<'t>]| match pair {
        [operand, Operand { what: What::Block(block), .. }]
            if matches!(operand.what, What::Virtual(_)) && !operand.is_definition =>
        {
            Ok(Incoming { operand, block: *block })
        }
        _ => Err(ReadError::new(pair[0].offset, "expected a virtual register, and the block that it comes from")),
    };
    operands[1..].chunks_exact(2).map(pair).collect()
}

struct Lowering<'l, 't> {
    function: &'l Function<'t>,
    machine: &'l Machine,
    setting: Setting<'l>,
    kinds: &'l [RegisterKind],
    lowered: Lowered,
}

/// A phi, and what it gets.
struct Phi<'l, 't> {
    value: ValueIndex,
    block: BlockIndex,
    offset: usize,
    incoming: Vec<Incoming<'l, 't>>,
}

impl<'l, 't> Lowering<'l, 't> {
    fn run(mut self) -> Result<Lowered, ReadError> {
        // By register: its value.
        let mut values: Vec<Option<ValueIndex>> = vec![None; self.function.registers.len()];
        // Values first, since operands may be defined further down in the text; then what they are computed from.
        let mut phis: Vec<Phi<'_, '_>> = Vec::new();
        let mut computed: Vec<(ValueIndex, BlockIndex, u32)> = Vec::new();
        for (block, data) in (0..).zip(&self.function.blocks) {
            for index in data.instructions.clone() {
                self.instruction(block, index, &mut values, &mut phis, &mut computed)?;
            }
        }
        for (value, block, index) in computed {
            let operands = self.operands(std::slice::from_ref(&self.function.instructions[index as usize]), &values);
            let incoming: Vec<_> = operands.iter().map(|&operand| (Node::from_u32(block), operand)).collect();
            self.lowered.problem.set_incoming(value, &incoming);
        }
        self.phis(&phis, &values)?;
        for (block, data) in (0..).zip(&self.function.blocks) {
            self.branch(block, data.instructions.clone(), &values);
        }
        Ok(self.lowered)
    }

    fn instruction(
        &mut self,
        block: BlockIndex,
        index: u32,
        values: &mut [Option<ValueIndex>],
        phis: &mut Vec<Phi<'l, 't>>,
        computed: &mut Vec<(ValueIndex, BlockIndex, u32)>,
    ) -> Result<(), ReadError> {
        let function = self.function;
        let instruction = &function.instructions[index as usize];
        let node = Node::from_u32(block);
        let written: Vec<RegisterIndex> = virtual_registers(function, instruction)
            .filter(|(operand, _)| operand.is_definition)
            .map(|(_, register)| register)
            .collect();
        if written.is_empty() {
            return Ok(());
        }
        let outcome = self.machine.outcome(self.setting, self.kinds, instruction);
        let (rule, because) = match outcome {
            Outcome::Uniform => (Rule::Uniform, None),
            Outcome::Divergent(because) => (Rule::Source, Some(because)),
            Outcome::Pure => (Rule::Pure, None),
            Outcome::Varying => (Rule::Varying, None),
            Outcome::Phi => (Rule::Phi, None),
        };
        if instruction.is_phi() {
            let incoming = incoming(function, instruction)?;
            let value = if self.is_scalar(written[0]) {
                self.value(node, Rule::Uniform, Some(written[0]), None)
            } else {
                self.value(node, rule, Some(written[0]), because)
            };
            self.define(values, written[0], block, index, value);
            phis.push(Phi { value, block, offset: instruction.offset, incoming });
            return Ok(());
        }
        let follows = matches!(rule, Rule::Pure | Rule::Varying);
        // What several results have in common is a value of its own: operands are there once.
        let open = written.iter().filter(|&&register| !self.is_scalar(register)).count();
        let common = (follows && open > 1).then(|| {
            let value = self.value(node, rule, None, None);
            computed.push((value, block, index));
            value
        });
        for register in written {
            let value = if self.is_scalar(register) {
                self.value(node, Rule::Uniform, Some(register), None)
            } else if let Some(common) = common {
                let value = self.value(node, Rule::Pure, Some(register), None);
                self.lowered.problem.set_incoming(value, &[(node, common)]);
                value
            } else {
                let value = self.value(node, rule, Some(register), because);
                if follows {
                    computed.push((value, block, index));
                }
                value
            };
            self.define(values, register, block, index, value);
        }
        Ok(())
    }

    fn is_scalar(&self, register: RegisterIndex) -> bool {
        self.kinds[register as usize] == RegisterKind::Scalar
    }

    fn value(
        &mut self,
        node: Node,
        rule: Rule,
        register: Option<RegisterIndex>,
        because: Option<Because>,
    ) -> ValueIndex {
        let value = match rule {
            Rule::Phi => self.lowered.problem.phi(node),
            _ => self.lowered.problem.value(node, rule, &[]),
        };
        self.lowered.registers.push(register);
        self.lowered.because.push(because);
        value
    }

    fn define(
        &mut self,
        values: &mut [Option<ValueIndex>],
        register: RegisterIndex,
        block: BlockIndex,
        instruction: u32,
        value: ValueIndex,
    ) {
        values[register as usize] = Some(value);
        self.lowered.definitions.push(Definition { register, block, instruction, value });
    }

    /// The values that instructions read.
    fn operands(&self, instructions: &[Instruction<'_>], values: &[Option<ValueIndex>]) -> Vec<ValueIndex> {
        let operands = instructions.iter().flat_map(|instruction| self.function.operands(instruction));
        operands.filter_map(|operand| values[read_register(operand)? as usize]).collect()
    }

    /// By register: whether nothing is defined about what is in it.
    fn undefined(&self) -> Vec<bool> {
        let mut undefined = vec![false; self.function.registers.len()];
        for definition in &self.lowered.definitions {
            let opcode = self.function.instructions[definition.instruction as usize].opcode;
            undefined[definition.register as usize] = matches!(opcode, "IMPLICIT_DEF" | "G_IMPLICIT_DEF");
        }
        undefined
    }

    /// Says of each phi what it is on the edges into its block. Undefined operands are left out, as they are of LLVM IR: they can be taken to be equal to whatever the
    /// other edges bring.
    fn phis(&mut self, phis: &[Phi<'_, '_>], values: &[Option<ValueIndex>]) -> Result<(), ReadError> {
        let undefined = self.undefined();
        let count = self.lowered.problem.graph.node_count();
        // By node: the last block that it is a predecessor of, and the last phi that has an operand for it.
        let (mut predecessor_of, mut seen_by) = (vec![None; count], vec![None; count]);
        let mut expected = (None, 0);
        for (number, phi) in phis.iter().enumerate() {
            if expected.0 != Some(phi.block) {
                let predecessors = self.lowered.problem.graph.predecessors(Node::from_u32(phi.block));
                predecessors.iter().for_each(|node| predecessor_of[node.index()] = Some(phi.block));
                expected = (Some(phi.block), predecessors.len());
            }
            let mut incoming = Vec::with_capacity(phi.incoming.len());
            for &Incoming { operand, block } in &phi.incoming {
                let is_known = predecessor_of[block as usize] == Some(phi.block);
                if !is_known || seen_by[block as usize].replace(number).is_some_and(|last| last == number) {
                    let name = self.function.block_name(block);
                    let message = match is_known {
                        true => format!("this phi has a second operand for {name}"),
                        false => format!("this phi has an operand for {name}, which is no predecessor of its block"),
                    };
                    return Err(ReadError::new(operand.offset, message));
                }
                let register = read_register(operand).filter(|&register| !undefined[register as usize]);
                let value = register.and_then(|register| values[register as usize]);
                incoming.extend(value.map(|value| (Node::from_u32(block), value)));
            }
            if phi.incoming.len() != expected.1 {
                let (operands, predecessors) = (phi.incoming.len(), expected.1);
                let message = format!("operands of this phi: {operands}; predecessors of its block: {predecessors}");
                return Err(ReadError::new(phi.offset, message));
            }
            if self.lowered.problem.values[phi.value as usize].rule == Rule::Phi {
                self.lowered.problem.set_incoming(phi.value, &incoming);
            }
        }
        Ok(())
    }

    /// What decides where threads go from a block.
    fn branch(&mut self, block: BlockIndex, range: Range<u32>, values: &[Option<ValueIndex>]) {
        let function = self.function;
        let node = Node::from_u32(block);
        if self.lowered.problem.graph.successors(node).len() < 2 {
            return;
        }
        let is_terminator = |index: &u32| {
            let instruction = &function.instructions[*index as usize];
            let names_block =
                || function.operands(instruction).iter().any(|operand| matches!(operand.what, What::Block(_)));
            self.machine.is_terminator(instruction.opcode) || !instruction.is_phi() && names_block()
        };
        let Some(first) = range.clone().find(is_terminator) else { return };
        let terminators = &function.instructions[first as usize..range.end as usize];
        for (index, terminator) in (first..).zip(terminators) {
            let outcome = self.machine.outcome(self.setting, self.kinds, terminator);
            if matches!(outcome, Outcome::Divergent(_)) {
                self.lowered.branch_because[block as usize] = Some(index);
                self.lowered.problem.set_branch(node, Branch::Source);
                return;
            }
        }
        let mut operands = self.operands(terminators, values);
        operands.sort_unstable();
        operands.dedup();
        let decided_by = match *operands {
            [] => return,
            [one] => one,
            _ => {
                let value = self.value(node, Rule::Pure, None, None);
                let incoming: Vec<_> = operands.iter().map(|&operand| (node, operand)).collect();
                self.lowered.problem.set_incoming(value, &incoming);
                value
            }
        };
        self.lowered.problem.set_branch(node, Branch::On(decided_by));
    }
}
