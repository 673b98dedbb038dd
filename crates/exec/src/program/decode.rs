//! From a body to operations.
//!
//! Whatever cannot be run is an error here, with its place: an execution never meets something that nobody knows. The body is as the
//! reader gave it; constants stay symbolic until the addresses of globals are known.

mod memory;
mod parts;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_analysis::lower::lower;
use reconverge_analysis::regions::{RegionEnd, RegionStart, convergence_regions};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, MetadataNumber, Value};
use reconverge_ir::opcode::{Opcode, Ordering};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, FunctionId, Module};
use rustc_hash::FxHashMap;

use super::code::{CalledIntrinsic, Code, Edge, EdgeIndex, Move, Op, Operand, Registers, TokenUse};
use super::link::Linker;
use crate::constants::{BlockAddress, BlockName, Component, evaluate};
use crate::layout::shape;
use crate::value::{Scalar, Shape, Slot, component_count};

/// Why something cannot be run: the byte of the text that it is about, the reason, and the instruction where it is one, with the node that says its place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsupported {
    pub(crate) offset: usize,
    pub(crate) reason: String,
    pub(crate) instruction: Option<(String, Option<MetadataNumber>)>,
}

impl Unsupported {
    /// Something that is no instruction.
    pub(crate) fn new(offset: usize, reason: impl Into<String>) -> Unsupported {
        Unsupported { offset, reason: reason.into(), instruction: None }
    }
}

pub(super) type Result<T, E = String> = std::result::Result<T, E>;

/// A body on the way to code.
pub(super) struct Decoder<'d, 'm, 't> {
    pub(super) linker: &'d mut Linker<'m, 't>,
    pub(super) module: &'m Module<'t>,
    pub(super) function: &'d Function,
    pub(super) id: FunctionId,
    places: SecondaryMap<Value, Option<Operand>>,
    registers: u32,
    constants: Vec<Component>,
    pub(super) ops: Vec<Op>,
    insts: Vec<Inst>,
    edges: Vec<Edge>,
    moves: Vec<Move>,
    /// The operation that each token is defined by.
    token_ops: FxHashMap<Inst, u32>,
    pub(super) hearts: u32,
    pub(super) intrinsics: FxHashMap<u32, CalledIntrinsic>,
}

/// A function whose constants are not known yet.
#[derive(Debug)]
pub(crate) struct Unlinked {
    pub(crate) code: Code,
    pub(crate) constants: Vec<Component>,
}

/// Decodes a function; O(size of the body and of its values).
pub(super) fn decode(
    linker: &mut Linker<'_, '_>,
    id: FunctionId,
    function: Function,
) -> std::result::Result<Unlinked, Unsupported> {
    let module = linker.module;
    let header = module.functions[id].header.start as usize;
    let mut decoder = Decoder {
        linker,
        module,
        function: &function,
        id,
        places: SecondaryMap::new(),
        registers: 0,
        constants: Vec::new(),
        ops: Vec::new(),
        insts: Vec::new(),
        edges: Vec::new(),
        moves: Vec::new(),
        token_ops: FxHashMap::default(),
        hearts: 0,
        intrinsics: FxHashMap::default(),
    };
    let parameters = decoder.parameters(id).map_err(|reason| Unsupported::new(header, reason))?;
    decoder.results()?;
    let blocks = decoder.blocks()?;
    let phis = decoder.phis();
    let Decoder { registers, constants, mut ops, insts, edges, moves, token_ops, hearts, intrinsics, .. } = decoder;

    for op in &mut ops {
        if let Some(token) = op.token_mut() {
            let definition = Inst::new(token.definition as usize);
            let offset = function.instructions[definition].span.start as usize;
            let refused = || Unsupported::new(offset, "this is no convergence token");
            token.definition = *token_ops.get(&definition).ok_or_else(refused)?;
        }
    }
    let regions = regions(module, id, &function, &insts, &token_ops);
    let mut token_definitions: Vec<u32> = token_ops.into_values().collect();
    token_definitions.sort_unstable();
    let code = Code {
        id,
        name: String::from_utf8_lossy(&module.symbol_name(module.functions[id].symbol)).into_owned(),
        graph: function.control_flow_graph(),
        parameters,
        registers,
        constants: Vec::new(),
        blocks,
        ops,
        insts,
        edges,
        moves,
        first_site: 0,
        regions,
        token_definitions,
        hearts,
        phis,
        intrinsics,
        ir: function,
    };
    Ok(Unlinked { code, constants })
}

/// For each operation, the definitions of the tokens in whose convergence regions it is.
fn regions(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    insts: &[Inst],
    token_ops: &FxHashMap<Inst, u32>,
) -> Vec<Box<[u32]>> {
    let mut regions: Vec<Vec<u32>> = vec![Vec::new(); insts.len()];
    if !token_ops.is_empty() {
        let lowered = lower(module, id, function);
        let mut of_block: FxHashMap<Block, Vec<(Inst, Inst, u32)>> = FxHashMap::default();
        for region in convergence_regions(&lowered.flow) {
            let inst = lowered.instructions[region.definition as usize];
            let Some(&definition) = token_ops.get(&inst) else { continue };
            for part in &region.blocks {
                let block = Block::new(part.block.index());
                let data = &function.blocks[block];
                let first = match part.start {
                    RegionStart::Block => data.first,
                    RegionStart::Definition => Inst::new(inst.index() + 1),
                };
                let last = match part.end {
                    RegionEnd::Block => Inst::new(data.end.index() - 1),
                    RegionEnd::Use(operation) => lowered.instructions[operation as usize],
                };
                of_block.entry(block).or_default().push((first, last, definition));
            }
        }
        for (inst, regions) in insts.iter().zip(&mut regions) {
            let parts = of_block.get(&function.instructions[*inst].block).into_iter().flatten();
            regions.extend(parts.filter(|(first, last, _)| first <= inst && inst <= last).map(|part| part.2));
            regions.sort_unstable();
        }
    }
    regions.into_iter().map(Vec::into_boxed_slice).collect()
}

impl Decoder<'_, '_, '_> {
    pub(super) fn shape(&self, ty: Type) -> Result<Shape> {
        shape(self.module, &self.linker.layout, ty).map_err(|error| error.to_string())
    }

    pub(super) fn new_registers(&mut self, count: usize) -> Registers {
        let start = self.registers;
        self.registers += count as u32;
        Registers { start, count: count as u32 }
    }

    fn parameters(&mut self, id: FunctionId) -> Result<Vec<Registers>> {
        let (function, module) = (self.function, self.module);
        let mut parameters = Vec::new();
        for (&value, declared) in function.parameters.iter().zip(&module.functions[id].parameters) {
            let shape = self.shape(function.values[value].ty)?;
            let registers = self.new_registers(component_count(&shape));
            let by_value = module.type_attribute(declared.attributes, b"byval").map_err(|error| error.message)?;
            let own = by_value.map(|ty| self.own_copy(registers, ty)).transpose()?;
            self.places[value] = Some(own.unwrap_or(registers).operand());
            parameters.push(registers);
        }
        Ok(parameters)
    }

    /// What a `byval` parameter stands for in the body: private memory with a copy of what was passed.
    fn own_copy(&mut self, passed: Registers, ty: Type) -> Result<Registers> {
        let layout = &self.linker.layout;
        let size = layout.alloc_size(self.module, ty).map_err(|error| error.to_string())?;
        let alignment = layout.alignment(self.module, ty).map_err(|error| error.to_string())?;
        let (own, count, length) = (self.new_registers(1), self.number(1), self.number(size));
        self.ops.push(Op::Alloca { count, size, alignment: alignment.max(16), out: own });
        self.ops.push(Op::CopyMemory { to: own.operand(), from: passed.operand(), length });
        // Messages about the copy are about where the body begins.
        let first = self.function.block_instructions(Block::from_u32(0)).next().ok_or("a body without instructions")?;
        self.insts.extend([first; 2]);
        Ok(own)
    }

    /// Gives each result its registers.
    fn results(&mut self) -> std::result::Result<(), Unsupported> {
        let function = self.function;
        for data in function.instructions.values() {
            if let Some(value) = data.result.expand() {
                let shape = self.shape(data.ty).map_err(|reason| self.error(data, reason))?;
                let registers = self.new_registers(component_count(&shape));
                self.places[value] = Some(registers.operand());
            }
        }
        Ok(())
    }

    fn error(&self, data: &InstData, reason: String) -> Unsupported {
        let instruction = Some((self.module.display_instruction(data).to_string(), data.debug_location.expand()));
        Unsupported { offset: data.span.start as usize, reason, instruction }
    }

    /// The registers of an instruction's result; none for `void`.
    pub(super) fn out(&self, data: &InstData) -> Registers {
        let place = data.result.expand().and_then(|value| self.places[value]);
        match place.and_then(|operand| operand.register().map(|start| (start, operand.count))) {
            Some((start, count)) => Registers { start, count },
            None => Registers { start: 0, count: 0 },
        }
    }

    /// Where a value is.
    pub(super) fn operand(&mut self, value: Value) -> Result<Operand> {
        if let Some(place) = self.places[value] {
            return Ok(place);
        }
        if let Definition::Constant(ConstantData::NoneToken) = self.function.values[value].definition {
            return Err("the token 'none' is not supported".to_string());
        }
        let constant = evaluate(self.module, &self.linker.layout, self.function, value).map_err(|e| e.to_string())?;
        let operand = self.components(constant.components);
        self.places[value] = Some(operand);
        Ok(operand)
    }

    /// Constants in a row.
    pub(super) fn components(&mut self, components: Vec<Component>) -> Operand {
        for component in &components {
            self.linker.mention(component);
        }
        let start = self.constants.len();
        self.constants.extend(components);
        Operand::constants(start, self.constants.len() - start)
    }

    /// The constants that an operand is.
    pub(super) fn constants_of(&self, operand: Operand) -> Option<&[Component]> {
        self.constants.get(operand.constant_range()?)
    }

    /// The number that a value is, if it is a constant integer of at most 64 bits; zero-extended.
    pub(super) fn constant(&self, value: Value) -> Option<u64> {
        let data = self.function.values[value];
        let Definition::Constant(constant) = data.definition else { return None };
        let TypeData::Integer(bits) = self.module.types[data.ty] else { return None };
        match constant {
            ConstantData::Integer(number) if bits <= 64 => Some(number.cast_unsigned() & crate::value::low_bits(bits)),
            ConstantData::Zero => Some(0),
            _ => None,
        }
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.function.values[value].ty
    }

    fn blocks(&mut self) -> std::result::Result<Vec<u32>, Unsupported> {
        let function = self.function;
        let mut blocks = Vec::new();
        for block in function.blocks.keys() {
            // What comes before the first block belongs to it.
            let first = if blocks.is_empty() { 0 } else { self.ops.len() as u32 };
            for inst in function.block_instructions(block) {
                let data = &function.instructions[inst];
                if data.opcode == Opcode::Phi {
                    continue;
                }
                let refused = |decoder: &Self, reason| decoder.error(data, reason);
                let needed = self.needed_before(inst, data).map_err(|reason| refused(self, reason))?;
                self.push(inst, needed);
                if data.ty == Type::TOKEN && data.opcode == Opcode::Call {
                    self.token_ops.insert(inst, self.ops.len() as u32);
                }
                let op = self.instruction(block, inst, data).map_err(|reason| refused(self, reason))?;
                self.push(inst, Some(op));
                let needed = self.needed_after(data);
                self.push(inst, needed);
                if data.opcode.is_call_site() && data.opcode.is_terminator() {
                    let edge = self.edge(block, function.targets(inst)[0]).map_err(|reason| refused(self, reason))?;
                    self.push(inst, Some(Op::Continue { edge }));
                }
            }
            blocks.push(first);
        }
        Ok(blocks)
    }

    /// Adds an operation of an instruction.
    pub(super) fn push(&mut self, inst: Inst, op: Option<Op>) {
        self.insts.extend(op.is_some().then_some(inst));
        self.ops.extend(op);
    }

    /// The phis of each block, with their registers.
    fn phis(&self) -> Vec<Vec<(Inst, Registers)>> {
        let function = self.function;
        let of_block = |block| {
            let phis = function.block_instructions(block).take_while(|&inst| is_phi(function, inst));
            phis.map(|inst| (inst, self.out(&function.instructions[inst]))).collect()
        };
        function.blocks.keys().map(of_block).collect()
    }

    /// The edge to a block, with what its phis take.
    pub(super) fn edge(&mut self, from: Block, target: Block) -> Result<EdgeIndex> {
        let function = self.function;
        let first_move = self.moves.len();
        for inst in function.block_instructions(target).take_while(|&inst| is_phi(function, inst)) {
            let data = &function.instructions[inst];
            let incoming =
                function.operands(inst).iter().zip(function.targets(inst)).find(|(_, block)| **block == from);
            let Some((&value, _)) = incoming else { return Err("a phi has no value for a predecessor".to_string()) };
            let operand = self.operand(value)?;
            let out = self.out(data);
            let moves = (0..out.count).map(|part| Move { from: operand.part(part as usize, 1), to: out.start + part });
            self.moves.extend(moves);
        }
        let moves = &self.moves[first_move..];
        let written = |register: u32| moves.iter().any(|step| step.to == register);
        let parallel =
            moves.iter().any(|step| step.from.register().is_some_and(|from| from != step.to && written(from)));
        self.edges.push(Edge {
            from: from.index() as u32,
            target: target.index() as u32,
            first_move: first_move as u32,
            last_move: self.moves.len() as u32,
            parallel,
        });
        Ok(self.edges.len() as EdgeIndex - 1)
    }

    fn instruction(&mut self, block: Block, inst: Inst, data: &InstData) -> Result<Op> {
        let function = self.function;
        let values = function.operands(inst);
        if data.opcode.is_call_site() {
            return self.call(inst, data);
        }
        if data.opcode.is_terminator() {
            return self.terminator(block, inst, data);
        }
        let out = self.out(data);
        let element = |decoder: &Self, value: Value| {
            decoder.shape(decoder.ty(value)).map(|shape| shape.first().copied().unwrap_or(Scalar::Integer(1)))
        };
        Ok(match data.opcode {
            opcode if opcode.is_binary() => Op::Binary {
                opcode,
                flags: data.flags,
                scalar: element(self, values[0])?,
                a: self.operand(values[0])?,
                b: self.operand(values[1])?,
                out,
            },
            Opcode::FNeg => {
                Op::Negate { scalar: element(self, values[0])?, flags: data.flags, a: self.operand(values[0])?, out }
            }
            Opcode::ICmp | Opcode::FCmp => {
                let Extra::Predicate(predicate) = data.extra else { return Err("a comparison of nothing".into()) };
                Op::Compare {
                    opcode: data.opcode,
                    predicate,
                    flags: data.flags,
                    scalar: element(self, values[0])?,
                    a: self.operand(values[0])?,
                    b: self.operand(values[1])?,
                    out,
                }
            }
            Opcode::Select => Op::Select {
                shape: self.shape(data.ty)?,
                flags: data.flags,
                condition: self.operand(values[0])?,
                a: self.operand(values[1])?,
                b: self.operand(values[2])?,
                out,
            },
            Opcode::Freeze => Op::Freeze { a: self.operand(values[0])?, out },
            Opcode::BitCast => {
                let (from, to) = (self.shape(self.ty(values[0]))?, self.shape(data.ty)?);
                let a = self.operand(values[0])?;
                if from == to { same(a, out) } else { Op::BitCast { from, to, a, out } }
            }
            Opcode::AddrSpaceCast => same(self.operand(values[0])?, out),
            Opcode::PtrToInt | Opcode::PtrToAddr => {
                let bits = self.pointer_bits(self.ty(values[0]))?;
                let to = self.shape(data.ty)?.first().copied().unwrap_or(Scalar::Integer(64));
                Op::ToInteger { bits, to, a: self.operand(values[0])?, out }
            }
            Opcode::IntToPtr => {
                let bits = self.pointer_bits(data.ty)?;
                Op::FromInteger { bits, from: element(self, values[0])?, a: self.operand(values[0])?, out }
            }
            opcode if opcode.is_cast() => Op::Cast {
                opcode,
                flags: data.flags,
                from: element(self, values[0])?,
                to: self.shape(data.ty)?.first().copied().unwrap_or(Scalar::Integer(1)),
                a: self.operand(values[0])?,
                out,
            },
            Opcode::ExtractElement | Opcode::InsertElement => self.element_operation(data, values, out)?,
            Opcode::ShuffleVector => self.shuffle(values, out)?,
            Opcode::ExtractValue | Opcode::InsertValue => self.aggregate_operation(data, values, out)?,
            Opcode::GetElementPtr => self.address(data, values, out)?,
            Opcode::Alloca => self.alloca(data, values, out)?,
            Opcode::Load => {
                if let Some(query) = self.builtin_variable(data, values[0])? {
                    return Ok(Op::Query { query: Box::new(query), arguments: Box::default(), out });
                }
                let (memory, layout) = self.access(data)?;
                self.note_access(data, &memory, values[0]);
                Op::Load { address: self.operand(values[0])?, layout, atomic: memory.ordering, out }
            }
            Opcode::Store => {
                let (memory, layout) = self.access(data)?;
                self.note_access(data, &memory, values[1]);
                let value = self.operand(values[0])?;
                Op::Store { address: self.operand(values[1])?, layout, atomic: memory.ordering, value }
            }
            Opcode::AtomicRmw => {
                let (memory, layout) = self.access(data)?;
                self.note_sharing(values[0]);
                let Some(operation) = memory.operation else { return Err("an atomicrmw of nothing".into()) };
                Op::AtomicRmw {
                    operation,
                    scalar: self.only_scalar(self.ty(values[1]))?,
                    layout,
                    ordering: memory.ordering.unwrap_or(Ordering::Monotonic),
                    address: self.operand(values[0])?,
                    value: self.operand(values[1])?,
                    out,
                }
            }
            Opcode::CmpXchg => {
                let (memory, layout) = self.access(data)?;
                self.note_sharing(values[0]);
                self.only_scalar(self.ty(values[1]))?;
                Op::CompareExchange {
                    layout,
                    ordering: memory.ordering.unwrap_or(Ordering::Monotonic),
                    address: self.operand(values[0])?,
                    expected: self.operand(values[1])?,
                    desired: self.operand(values[2])?,
                    out,
                }
            }
            Opcode::Fence => {
                let Extra::Memory(memory) = data.extra else { return Err("a fence of nothing".into()) };
                Op::Fence { ordering: function.memory[memory].ordering.unwrap_or(Ordering::SeqCst) }
            }
            _ => self.exception(inst, data, values, out)?,
        })
    }

    /// What a load of a variable that stands for the thread or the launch asks.
    fn builtin_variable(&self, data: &InstData, address: Value) -> Result<Option<crate::operations::Query>> {
        let Definition::Constant(ConstantData::Global(symbol)) = self.function.values[address].definition else {
            return Ok(None);
        };
        let name = self.module.symbol_name(symbol);
        let shape = self.shape(data.ty)?;
        Ok(std::str::from_utf8(&name).ok().and_then(|name| crate::operations::recognise_variable(name, &shape)))
    }

    fn terminator(&mut self, block: Block, inst: Inst, data: &InstData) -> Result<Op> {
        let function = self.function;
        let values = function.operands(inst);
        let targets = function.targets(inst);
        Ok(match data.opcode {
            Opcode::Ret => Op::Return {
                value: match values.first() {
                    Some(&value) => self.operand(value)?,
                    None => Operand::none(),
                },
            },
            Opcode::Br => match *targets {
                [then, otherwise] => Op::Branch {
                    condition: self.operand(values[0])?,
                    then: self.edge(block, then)?,
                    otherwise: self.edge(block, otherwise)?,
                },
                [target] => Op::Jump { edge: self.edge(block, target)? },
                _ => return Err("a branch to nowhere".into()),
            },
            Opcode::Switch => {
                let default = self.edge(block, targets[0])?;
                let mut cases = Vec::new();
                for (&case, &target) in values[1..].iter().zip(&targets[1..]) {
                    cases.push((self.operand(case)?, self.edge(block, target)?));
                }
                Op::Switch { value: self.operand(values[0])?, cases: cases.into(), default: Some(default) }
            }
            Opcode::IndirectBr => {
                let symbol = self.module.functions[self.id].symbol;
                let mut cases = Vec::new();
                for &target in targets {
                    let name = BlockName::of(self.module, function.blocks[target].name);
                    let address = Component::Block(BlockAddress { function: symbol, block: name });
                    cases.push((self.components(vec![address]), self.edge(block, target)?));
                }
                Op::Switch { value: self.operand(values[0])?, cases: cases.into(), default: None }
            }
            Opcode::Unreachable => Op::Unreachable,
            _ => {
                let out = self.out(data);
                self.exception(inst, data, values, out)?
            }
        })
    }

    /// The token operand of a call, if it has one.
    pub(super) fn token(&mut self, inst: Inst) -> Result<Option<TokenUse>> {
        let function = self.function;
        let Extra::Call(call) = function.instructions[inst].extra else { return Ok(None) };
        for bundle in function.bundles(call) {
            if !bundle.is_convergence_control {
                continue;
            }
            if let [token] = *function.list(bundle.operands)
                && let Definition::Instruction(definition) = function.values[token].definition
            {
                let register = self.operand(token)?.register();
                // Definitions dominate uses, but may stand behind them in the text.
                return Ok(register.map(|token| TokenUse { token, definition: definition.as_u32() }));
            }
            return Err("this is no convergence token".to_string());
        }
        Ok(None)
    }
}

fn is_phi(function: &Function, inst: Inst) -> bool {
    function.instructions[inst].opcode == Opcode::Phi
}

/// The same components.
pub(super) fn same(from: Operand, out: Registers) -> Op {
    moves(out, |part| from.part(part, 1))
}

fn moves(out: Registers, from: impl Fn(usize) -> Operand) -> Op {
    Op::Move { moves: (0..out.count).map(|part| Move { from: from(part as usize), to: out.start + part }).collect() }
}

/// The slot of a constant.
pub(super) fn constant_slot(resolved: crate::constants::Resolved) -> Slot {
    let mut slot = Slot::splat(resolved.bits);
    if resolved.poison {
        slot.poison = crate::value::Mask::MAX;
    }
    if resolved.undefined != 0 {
        slot.undefined = Some(Box::new([resolved.undefined; crate::value::WIDTH]));
    }
    slot
}
