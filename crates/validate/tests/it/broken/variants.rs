//! Passes that do what the documents forbid, on a random candidate of a module.
//!
//! Each changes one place of the text and says what it became, or nothing where the module has no candidate.

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_graph::{CycleForest, Dominators, Node, SuccessorOrder};
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::Type;
use reconverge_ir::{BodyEnds, Function, FunctionReader, Module, Naming, print_instruction};
use reconverge_testing::random::SplitMix64;
use reconverge_transform::Edits;

/// What is done wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Variant {
    /// An operation is executed before the branch that leads to it.
    HoistAcrossBranch,
    /// Equal operations on both sides of a branch become one before it.
    MergeSides,
    /// An operation moves into one side of the branch behind it, and others on its token stay.
    SinkAcrossBranch,
    /// A block with an operation is copied for one of its predecessors.
    DuplicateBlock,
    /// The heart of a cycle is copied into another block of the cycle.
    DuplicateHeart,
    /// An operation loses its token.
    DropToken,
    /// What stems from the entry stems from an anchor.
    AnchorForEntry,
    /// A barrier, or another operation without result, is gone.
    RemoveOperation,
}

impl Variant {
    pub(crate) const ALL: [Variant; 8] = [
        Variant::HoistAcrossBranch,
        Variant::MergeSides,
        Variant::SinkAcrossBranch,
        Variant::DuplicateBlock,
        Variant::DuplicateHeart,
        Variant::DropToken,
        Variant::AnchorForEntry,
        Variant::RemoveOperation,
    ];

    /// The module with one such change.
    pub(crate) fn apply(self, text: &[u8], rng: &mut SplitMix64) -> Option<Vec<u8>> {
        #[expect(clippy::disallowed_methods, reason = "what is changed here is to be broken")]
        let module = Module::read(text, BodyEnds::ByBrackets).expect("random modules are IR");
        let mut reader = FunctionReader::new(&module);
        let mut candidates: Vec<Edits> = Vec::new();
        for id in module.definitions() {
            let function = reader.read(id).expect("random modules are IR").clone();
            let lowered = lower(&module, id, &function);
            let site = Site::new(&module, &function, &lowered);
            candidates.extend(site.candidates(self));
        }
        if candidates.is_empty() {
            return None;
        }
        let choice = rng.below(candidates.len());
        Some(candidates.swap_remove(choice).apply(text))
    }
}

/// A function in which a candidate is looked for.
struct Site<'s, 't> {
    module: &'s Module<'t>,
    function: &'s Function,
    lowered: &'s Lowered,
    dominators: Dominators,
    forest: CycleForest,
    /// Where each value is used: the instruction and the block that the use counts for (of a phi: the predecessor).
    uses: Vec<Vec<(Inst, Block)>>,
}

impl<'s, 't> Site<'s, 't> {
    fn new(module: &'s Module<'t>, function: &'s Function, lowered: &'s Lowered) -> Site<'s, 't> {
        let graph = &lowered.flow.graph;
        let mut uses = vec![Vec::new(); function.values.len()];
        for (inst, data) in &function.instructions {
            for (index, &operand) in function.operands(inst).iter().enumerate() {
                let block = match data.opcode {
                    Opcode::Phi => function.targets(inst)[index],
                    _ => data.block,
                };
                uses[operand.index()].push((inst, block));
            }
        }
        let dominators = Dominators::compute(graph);
        let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
        Site { module, function, lowered, dominators, forest, uses }
    }

    fn candidates(&self, variant: Variant) -> Vec<Edits> {
        let calls = || self.operations(|kind| kind == OperationKind::Call);
        match variant {
            Variant::HoistAcrossBranch => calls().filter_map(|inst| self.hoist(inst)).collect(),
            Variant::MergeSides => {
                let calls: Vec<Inst> = calls().collect();
                let pairs = calls.iter().flat_map(|&one| calls.iter().map(move |&other| (one, other)));
                pairs.filter(|(one, other)| one < other).filter_map(|(one, other)| self.merge(one, other)).collect()
            }
            Variant::SinkAcrossBranch => calls().flat_map(|inst| self.sink(inst)).collect(),
            Variant::DuplicateBlock => {
                let mut blocks: Vec<Block> = calls().map(|inst| self.function.instructions[inst].block).collect();
                blocks.dedup();
                blocks.into_iter().flat_map(|block| self.duplicate(block)).collect()
            }
            Variant::DuplicateHeart => {
                self.operations(|kind| kind == OperationKind::Loop).flat_map(|inst| self.second_heart(inst)).collect()
            }
            Variant::DropToken => calls().filter_map(|inst| self.without_token(inst)).collect(),
            Variant::AnchorForEntry => self
                .operations(|kind| kind == OperationKind::Entry)
                .filter(|&inst| self.result(inst).is_some_and(|token| !self.uses[token.index()].is_empty()))
                .map(|inst| {
                    let line = self.print(inst, &Same).replace("convergence.entry", "convergence.anchor");
                    self.replaced(inst, &line)
                })
                .collect(),
            Variant::RemoveOperation => {
                calls().filter(|&inst| self.result(inst).is_none()).map(|inst| self.removed(inst)).collect()
            }
        }
    }

    fn operations(&self, is_wanted: impl Fn(OperationKind) -> bool) -> impl Iterator<Item = Inst> {
        let pairs = self.lowered.flow.operations.iter().zip(&self.lowered.instructions);
        let wanted = pairs.filter(move |(operation, _)| is_wanted(operation.kind)).map(|(_, &inst)| inst);
        wanted.filter(|&inst| self.dominators.is_reachable(node(self.function.instructions[inst].block)))
    }

    fn result(&self, inst: Inst) -> Option<Value> {
        self.function.instructions[inst].result.expand()
    }

    fn print(&self, inst: Inst, naming: &dyn Naming) -> String {
        print_instruction(self.module, self.function, inst, naming)
    }

    fn replaced(&self, inst: Inst, line: &str) -> Edits {
        let mut edits = Edits::default();
        edits.replace(self.function.instructions[inst].span.range(), line);
        edits
    }

    fn removed(&self, inst: Inst) -> Edits {
        self.replaced(inst, "")
    }

    fn insert_before(&self, edits: &mut Edits, inst: Inst, line: &str) {
        edits.insert(self.function.instructions[inst].span.range().start, format!("{line}\n  "));
    }

    /// The block that alone leads to this one, if threads may go elsewhere from there.
    fn branch_before(&self, block: Block) -> Option<Block> {
        let graph = &self.lowered.flow.graph;
        let mut before = graph.predecessors(node(block)).to_vec();
        before.dedup();
        let &[only] = &before[..] else { return None };
        let is_choice = graph.successors(only).iter().any(|&other| other != node(block));
        (is_choice && only != node(block)).then(|| Block::new(only.index()))
    }

    /// Whether the operands of an instruction are there at the end of another block, which dominates its own.
    fn comes_from_before(&self, inst: Inst) -> bool {
        let block = self.function.instructions[inst].block;
        self.function.operands(inst).iter().all(|&operand| match self.function.values[operand].definition {
            Definition::Instruction(definition) => self.function.instructions[definition].block != block,
            _ => true,
        })
    }

    fn hoist(&self, inst: Inst) -> Option<Edits> {
        let before = self.branch_before(self.function.instructions[inst].block)?;
        if !self.comes_from_before(inst) {
            return None;
        }
        let mut edits = self.removed(inst);
        self.insert_before(&mut edits, self.function.terminator(before), &self.print(inst, &Same));
        Some(edits)
    }

    fn merge(&self, one: Inst, other: Inst) -> Option<Edits> {
        let data = |inst: Inst| &self.function.instructions[inst];
        let (from, to) = (data(one).block, data(other).block);
        let same = from != to
            && data(one).ty == data(other).ty
            && self.called(one) == self.called(other)
            && self.branch_before(from).is_some()
            && self.branch_before(from) == self.branch_before(to);
        if !same {
            return None;
        }
        let mut edits = self.hoist(one)?;
        let second = data(other).span.range();
        match (self.result(one), self.result(other)) {
            (None, None) => edits.delete(second),
            (Some(first), Some(result)) if data(one).ty == Type::I32 => {
                edits.replace(second, format!("{} = add i32 {}, 0", self.spelled(result)?, self.spelled(first)?));
            }
            _ => return None,
        }
        Some(edits)
    }

    /// A call without its result.
    fn called(&self, inst: Inst) -> String {
        let text = self.print(inst, &Same);
        text.split_once(" = ").map_or(text.clone(), |(_, call)| call.to_owned())
    }

    fn spelled(&self, value: Value) -> Option<String> {
        Some(format!("%{}", self.module.local_name(self.function.name(value)?)))
    }

    fn sink(&self, inst: Inst) -> Vec<Edits> {
        let block = self.function.instructions[inst].block;
        let uses = self.result(inst).map_or(&[][..], |result| &self.uses[result.index()][..]);
        let sides = self.function.successors(block).iter().filter(|&&side| {
            let dominates = |(user, at): &(Inst, Block)| {
                let into_side = self.function.instructions[*user].opcode != Opcode::Phi || *at != block;
                into_side && self.dominators.dominates(node(side), node(*at))
            };
            self.branch_before(side) == Some(block) && uses.iter().all(dominates)
        });
        let moved = sides.map(|&side| {
            let mut edits = self.removed(inst);
            let is_phi = |at: &Inst| self.function.instructions[*at].opcode == Opcode::Phi;
            let first =
                self.function.block_instructions(side).find(|at| !is_phi(at)).expect("a block has a terminator");
            self.insert_before(&mut edits, first, &self.print(inst, &Same));
            edits
        });
        moved.collect()
    }

    /// Copies of a block, each for one predecessor.
    fn duplicate(&self, block: Block) -> Vec<Edits> {
        let graph = &self.lowered.flow.graph;
        let before = graph.predecessors(node(block));
        let is_entry = block.index() == 0;
        let stays_inside = |inst: Inst| {
            let inside = |&(user, at): &(Inst, Block)| at == block && self.function.instructions[user].block == block;
            self.result(inst).is_none_or(|result| self.uses[result.index()].iter().all(inside))
        };
        let fits = !is_entry
            && before.len() > 1
            && !self.forest.is_header(node(block))
            && self.function.block_instructions(block).all(stays_inside);
        if !fits {
            return Vec::new();
        }
        let single = |from: &&Node| before.iter().filter(|other| other == from).count() == 1;
        before.iter().filter(single).map(|from| self.copy_for(block, Block::new(from.index()))).collect()
    }

    fn copy_for(&self, block: Block, from: Block) -> Edits {
        let mut edits = Edits::default();
        let copy = Copy { site: self, block, from };
        let mut text = String::from("copied.block:\n");
        for inst in self.function.block_instructions(block) {
            if self.function.instructions[inst].opcode == Opcode::Phi {
                let kept = self.phi_entries(inst).filter(|&(at, _)| at != from).map(|(_, entry)| entry);
                edits.replace(self.function.instructions[inst].span.range(), self.phi(inst, kept));
            } else {
                text.push_str(&format!("  {}\n", self.print(inst, &copy)));
            }
        }
        text.push('\n');
        let end = self.function.terminator(block);
        edits.insert(self.function.instructions[end].span.range().end, format!("\n\n{}", text.trim_end()));
        let branch = self.function.terminator(from);
        let retarget = Retarget { block };
        edits.replace(self.function.instructions[branch].span.range(), self.print(branch, &retarget));
        let mut after: Vec<Block> = self.function.successors(block).to_vec();
        after.sort_unstable();
        after.dedup();
        for side in after {
            for inst in self.function.block_instructions(side) {
                if self.function.instructions[inst].opcode == Opcode::Phi {
                    let more = self.phi_values(inst).filter(|&(at, _)| at == block).map(|(_, value)| {
                        format!("[ {}, %copied.block ]", copy.value(value).unwrap_or_else(|| self.operand(value)))
                    });
                    let entries: Vec<String> = self.phi_entries(inst).map(|(_, entry)| entry).chain(more).collect();
                    edits.replace(self.function.instructions[inst].span.range(), self.phi(inst, entries.into_iter()));
                }
            }
        }
        edits
    }

    fn phi_values(&self, inst: Inst) -> impl Iterator<Item = (Block, Value)> {
        self.function.targets(inst).iter().copied().zip(self.function.operands(inst).iter().copied())
    }

    fn phi_entries(&self, inst: Inst) -> impl Iterator<Item = (Block, String)> {
        self.phi_values(inst).map(|(block, value)| {
            let name = self.module.local_name(self.function.blocks[block].name);
            (block, format!("[ {}, %{name} ]", self.operand(value)))
        })
    }

    fn phi(&self, inst: Inst, entries: impl Iterator<Item = String>) -> String {
        let data = &self.function.instructions[inst];
        let entries: Vec<String> = entries.collect();
        let name = self.module.local_name(data.name);
        format!("%{name} = phi {} {}", self.module.display_type(data.ty), entries.join(", "))
    }

    /// A value as an operand. Constants are those of random modules.
    fn operand(&self, value: Value) -> String {
        use reconverge_ir::constant::ConstantData;
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) if self.function.values[value].ty == Type::I1 => {
                (number != 0).to_string()
            }
            Definition::Constant(ConstantData::Integer(number)) => number.to_string(),
            Definition::Constant(ConstantData::Poison) => "poison".to_owned(),
            Definition::Constant(ConstantData::Undef) => "undef".to_owned(),
            Definition::Constant(ConstantData::Null) => "null".to_owned(),
            Definition::Constant(_) => "zeroinitializer".to_owned(),
            _ => self.spelled(value).unwrap_or_default(),
        }
    }

    fn second_heart(&self, inst: Inst) -> Vec<Edits> {
        let header = self.function.instructions[inst].block;
        let Some(cycle) = self.forest.innermost(node(header)) else { return Vec::new() };
        let others = self.forest.nodes(cycle).iter().filter(|&&other| other != node(header));
        let copies = others.map(|other| {
            let is_phi = |at: &Inst| self.function.instructions[*at].opcode == Opcode::Phi;
            let block = Block::new(other.index());
            let first =
                self.function.block_instructions(block).find(|at| !is_phi(at)).expect("a block has a terminator");
            let mut edits = Edits::default();
            let Some(heart) = self.result(inst) else { return edits };
            self.insert_before(&mut edits, first, &self.print(inst, &Renamed(heart)));
            edits
        });
        copies.collect()
    }

    fn without_token(&self, inst: Inst) -> Option<Edits> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        let list = self.function.calls[call].bundle_list.range();
        let mut edits = Edits::default();
        (!list.is_empty()).then(|| {
            edits.delete(list);
            edits
        })
    }
}

fn node(block: Block) -> Node {
    Node::new(block.index())
}

/// As it is.
struct Same;

impl Naming for Same {}

/// The result has another name.
struct Renamed(Value);

impl Naming for Renamed {
    fn value(&self, value: Value) -> Option<String> {
        (value == self.0).then(|| "%second.heart".to_owned())
    }
}

/// A copy of a block for one predecessor.
struct Copy<'c, 's, 't> {
    site: &'c Site<'s, 't>,
    block: Block,
    from: Block,
}

impl Naming for Copy<'_, '_, '_> {
    fn value(&self, value: Value) -> Option<String> {
        let Definition::Instruction(inst) = self.site.function.values[value].definition else { return None };
        let data = &self.site.function.instructions[inst];
        if data.block != self.block {
            return None;
        }
        if data.opcode == Opcode::Phi {
            let (_, value) = self.site.phi_values(inst).find(|&(at, _)| at == self.from)?;
            return Some(self.site.operand(value));
        }
        Some(format!("%copied.{}", inst.index()))
    }
}

/// Branches to a block go to its copy.
struct Retarget {
    block: Block,
}

impl Naming for Retarget {
    fn block(&self, block: Block) -> Option<String> {
        (block == self.block).then(|| "%copied.block".to_owned())
    }
}
