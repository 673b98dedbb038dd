//! Which cycles are loops that can be copied.
//!
//! A loop here is a reducible cycle with one edge back to its header, whose blocks may stand in a function twice. What it has of shape
//! is what this module says; what it has of convergence is in [`Legality`].

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, Dominators, Node};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, LocalName, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::text::unquote;
use reconverge_ir::{Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::legality::Legality;

/// What is known of a function's control flow.
pub(super) struct Flow {
    pub(super) forest: CycleForest,
    pub(super) dominators: Dominators,
    /// The predecessors of each block, one for each edge.
    pub(super) predecessors: Vec<Vec<Block>>,
    /// The instructions that use each value, ascending.
    users: FxHashMap<Value, Vec<Inst>>,
}

impl Flow {
    pub(super) fn new(function: &Function) -> Flow {
        let graph = function.control_flow_graph();
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.keys() {
            function.successors(block).iter().for_each(|to| predecessors[to.index()].push(block));
        }
        let mut users: FxHashMap<Value, Vec<Inst>> = FxHashMap::default();
        for inst in function.instructions.keys() {
            for &operand in function.operands(inst) {
                if matches!(function.values[operand].definition, Definition::Instruction(_)) {
                    let users = users.entry(operand).or_default();
                    if users.last() != Some(&inst) {
                        users.push(inst);
                    }
                }
            }
        }
        Flow {
            users,
            forest: CycleForest::compute(&graph, reconverge_graph::SuccessorOrder::Forward),
            dominators: Dominators::compute(&graph),
            predecessors,
        }
    }

    pub(super) fn users(&self, value: Value) -> &[Inst] {
        self.users.get(&value).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.dominators.is_reachable(node(block))
    }

    pub(super) fn dominates(&self, above: Block, below: Block) -> bool {
        self.dominators.dominates(node(above), node(below))
    }
}

pub(super) fn node(block: Block) -> Node {
    Node::new(block.index())
}

/// A loop.
#[derive(Debug, Clone)]
pub(super) struct Loop {
    pub(super) cycle: Cycle,
    pub(super) header: Block,
    /// The block with the edge back to the header.
    pub(super) latch: Block,
    /// All blocks, in the order of the text.
    pub(super) blocks: Vec<Block>,
    /// The same, to ask.
    members: FxHashSet<Block>,
    /// The edges into the loop, by their sources.
    pub(super) entries: Vec<Block>,
    /// The edges out of it.
    pub(super) exits: Vec<(Block, Block)>,
}

/// Why something stays as it is: the rule, and the instruction that it is about.
pub(super) type Objection = (Inst, String);

impl Loop {
    pub(super) fn contains(&self, block: Block) -> bool {
        self.members.contains(&block)
    }

    /// A cycle as a loop.
    ///
    /// # Errors
    /// When it is none, or its blocks may not stand in the function twice.
    pub(super) fn new(
        module: &Module<'_>,
        legality: &Legality<'_>,
        function: &Function,
        flow: &Flow,
        cycle: Cycle,
    ) -> Result<Loop, Objection> {
        let forest = &flow.forest;
        let header = Block::new(forest.cycles[cycle].header.index());
        let mut blocks: Vec<Block> = forest.nodes(cycle).iter().map(|node| Block::new(node.index())).collect();
        blocks.sort();
        let members: FxHashSet<Block> = blocks.iter().copied().collect();
        let first = function.blocks[header].first;
        if forest.cycles.keys().any(|inner| forest.contains_cycle(cycle, inner) && !forest.is_reducible(inner)) {
            return Err((
                first,
                "a cycle with several entries has no iterations to copy (first make it one with reduce-cycles)".into(),
            ));
        }
        let into = &flow.predecessors[header.index()];
        let (latches, entries): (Vec<Block>, Vec<Block>) = into.iter().partition(|block| members.contains(block));
        let &[latch] = &latches[..] else {
            return Err((
                first,
                format!("the loop has {} edges back to its header; unrolling wants one", latches.len()),
            ));
        };
        let unreachable =
            |block: &&Block| flow.predecessors[block.index()].iter().any(|&from| !flow.is_reachable(from));
        if let Some(&block) = blocks.iter().find(unreachable) {
            return Err((function.blocks[block].first, "code that is never reached branches into the loop".into()));
        }
        let successors = |&from: &Block| function.successors(from).iter().map(move |&to| (from, to));
        let exits = blocks.iter().flat_map(successors).filter(|(_, to)| !members.contains(to)).collect();
        let found = Loop { cycle, header, latch, blocks, members, entries, exits };
        for &block in &found.blocks {
            for inst in function.block_instructions(block) {
                may_stand_twice(module, legality, function, inst).map_err(|rule| (inst, rule))?;
            }
        }
        Ok(found)
    }
}

/// Whether an instruction may have copies, as far as its kind says.
fn may_stand_twice(
    module: &Module<'_>,
    legality: &Legality<'_>,
    function: &Function,
    inst: Inst,
) -> Result<(), String> {
    let data = &function.instructions[inst];
    match data.opcode {
        Opcode::IndirectBr | Opcode::CallBr => {
            Err(format!("`{}` in the loop: its targets are fixed by addresses", data.opcode.keyword()))
        }
        Opcode::LandingPad
        | Opcode::CatchSwitch
        | Opcode::CatchPad
        | Opcode::CleanupPad
        | Opcode::CatchRet
        | Opcode::CleanupRet => Err("the loop handles exceptions".into()),
        Opcode::Alloca => {
            Err("`alloca` in the loop: each iteration allocates, and copies would allocate elsewhere".into())
        }
        _ => match data.extra {
            Extra::Call(call) => {
                if legality.operation(inst).no_duplicate {
                    return Err("a call that is `noduplicate` may not be copied".into());
                }
                let callee = function.calls[call].callee.expand();
                let name = callee.map(|callee| module.symbol_name(callee)).unwrap_or_default();
                if name.starts_with(b"llvm.experimental.noalias.scope.decl") {
                    return Err("the loop declares a scope of `noalias`, which holds for one iteration".into());
                }
                Ok(())
            }
            _ => Ok(()),
        },
    }
}

/// The integer that a value is, as a pattern of bits.
pub(super) fn integer(function: &Function, value: Value) -> Option<i64> {
    match function.values[value].definition {
        Definition::Constant(ConstantData::Integer(integer)) => Some(integer),
        Definition::Constant(ConstantData::Zero | ConstantData::Null) => Some(0),
        _ => None,
    }
}

/// What a name can begin with when a copy of the thing gets one.
pub(super) fn stem(module: &Module<'_>, name: LocalName, unnamed: &str) -> String {
    match name {
        LocalName::Number(number) => format!("{unnamed}{number}"),
        LocalName::Text(span) => {
            let text = unquote(span.of(module.text));
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-$".contains(byte);
            match std::str::from_utf8(&text) {
                Ok(name) if text.iter().all(plain) && !text.first().is_none_or(u8::is_ascii_digit) => name.to_owned(),
                _ => unnamed.to_owned(),
            }
        }
    }
}
