//! One thread of a launch, followed from the start of a function to its end.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Symbol};
use reconverge_operations::{Axis, Does, Item};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arithmetic::{binary, compare, intrinsic, mask, signed};
use super::launches::{Launch, mixed};
use super::{Place, Question};

/// So many instructions are executed by one thread.
const MOST_STEPS: usize = 4000;

/// Calls are followed so deep.
const DEPTH: usize = 8;

/// The questions, by what they are about.
pub(super) struct Questions<'q> {
    questions: &'q [Question],
    of_inst: FxHashMap<Inst, Vec<usize>>,
    decided_by: FxHashMap<Block, Vec<usize>>,
    compared: FxHashMap<Value, Vec<(usize, usize)>>,
    /// By value: whether it is in `compared`.
    is_compared: Vec<bool>,
}

/// What a thread did.
pub(super) struct Followed {
    /// By question.
    pub(super) visits: Vec<Visits>,
    /// By question, by what it compares with: the first value.
    pub(super) compared: Vec<Vec<Option<i64>>>,
    /// Whether all that decided where it goes is known, or the same in all threads.
    pub(super) is_exact: bool,
}

/// How often an operation was executed, and with which arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Visits {
    pub(super) count: u32,
    arguments: u64,
    /// Whether a deciding branch, or the argument, depends on something open.
    is_open: bool,
}

impl Visits {
    /// What threads that do the same agree on.
    pub(super) fn executed(self) -> (u32, u64) {
        (self.count, self.arguments)
    }

    pub(super) fn is_exact(self) -> bool {
        !self.is_open
    }
}

/// A value of a thread.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    bits: u64,
    /// Whether other threads may have another one, in a way that is not known.
    is_open: bool,
}

/// Why following ended early: the launch says nothing.
struct Unclear;

/// A function, and what is known of it on its own.
struct Body {
    id: FunctionId,
    function: Rc<Function>,
    /// By value: whether it is an `alloca` that is only loaded from and stored to as a whole.
    is_variable: Vec<bool>,
}

/// Follows threads of one function.
pub(super) struct Threads<'a, 't> {
    place: Place<'a, 't>,
    questions: &'a Questions<'a>,
    differs: &'a dyn Fn(Value) -> bool,
    root: Rc<Body>,
    bodies: FxHashMap<FunctionId, Option<Rc<Body>>>,
    callees: FxHashMap<Symbol, Rc<Callee>>,
}

/// A function without a body.
struct Callee {
    does: Option<Does>,
    /// Of an LLVM intrinsic or a function of CUDA's library: its name without `llvm.` and types, or without `__nv_`.
    stem: Option<String>,
}

impl<'q> Questions<'q> {
    pub(super) fn new(questions: &'q [Question]) -> Questions<'q> {
        let mut all = Questions {
            questions,
            of_inst: FxHashMap::default(),
            decided_by: FxHashMap::default(),
            compared: FxHashMap::default(),
            is_compared: Vec::new(),
        };
        for (index, question) in questions.iter().enumerate() {
            all.of_inst.entry(question.inst).or_default().push(index);
            for &block in &question.deciding {
                all.decided_by.entry(block).or_default().push(index);
            }
            for (place, &value) in question.compared.iter().enumerate() {
                all.compared.entry(value).or_default().push((index, place));
                all.is_compared.resize(all.is_compared.len().max(value.index() + 1), false);
                all.is_compared[value.index()] = true;
            }
        }
        all
    }
}

impl Body {
    fn new(module: &Module<'_>, id: FunctionId, function: Rc<Function>) -> Body {
        let mut variables: FxHashSet<Value> = FxHashSet::default();
        for data in function.instructions.values().filter(|data| data.opcode == Opcode::Alloca) {
            variables.extend(data.result.expand());
        }
        let mut types: FxHashMap<Value, Type> = FxHashMap::default();
        for (inst, data) in &function.instructions {
            for (index, operand) in function.operands(inst).iter().enumerate() {
                let accessed = match (data.opcode, index, data.extra) {
                    (Opcode::Load, 0, Extra::Memory(memory)) | (Opcode::Store, 1, Extra::Memory(memory)) => {
                        Some(function.memory[memory].ty)
                    }
                    _ => None,
                };
                let is_one = accessed.is_some_and(|ty| *types.entry(*operand).or_insert(ty) == ty);
                if !is_one && !is_marker(module, &function, inst) {
                    variables.remove(operand);
                }
            }
        }
        let is_variable = function.values.keys().map(|value| variables.contains(&value)).collect();
        Body { id, function, is_variable }
    }
}

/// Whether it is a call that marks where the memory of a variable is in use.
fn is_marker(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let name = function.calls[call].callee.expand().map(|callee| module.symbol_name(callee));
    name.is_some_and(|name| name.starts_with(b"llvm.lifetime."))
}

/// The dimensions whose sizes or numbers of threads a function reads, or what it calls; the first one always.
pub(super) fn dimensions_read(place: Place<'_, '_>) -> [bool; 3] {
    let module = place.module;
    let mut read = [true, false, false];
    let mut seen = FxHashSet::from_iter([place.id]);
    let mut stack = Vec::new();
    let mut scan = |function: &Function, stack: &mut Vec<FunctionId>| {
        for (inst, data) in &function.instructions {
            let Extra::Call(call) = data.extra else { continue };
            let Some(callee) = function.calls[call].callee.expand() else { continue };
            if let Some(id) = module.function_of(callee)
                && module.functions[id].body.is_some()
            {
                stack.push(id);
                continue;
            }
            match operation(module, callee) {
                Some(Does::Query(Item::LocalId | Item::LocalSize | Item::GlobalId, Axis::Fixed(dimension @ 0..3))) => {
                    read[usize::from(dimension)] = true;
                }
                Some(Does::Query(Item::LocalId | Item::LocalSize | Item::GlobalId, Axis::Operand)) => {
                    match constant(function, function.operands(inst).first().copied()) {
                        Some(dimension @ 0..3) => read[dimension as usize] = true,
                        _ => read = [true; 3],
                    }
                }
                Some(Does::Query(Item::LocalLinearId | Item::GlobalLinearId, _)) => read = [true; 3],
                _ => {}
            }
        }
    };
    scan(place.function, &mut stack);
    let mut reader = FunctionReader::new(module);
    while let Some(id) = stack.pop() {
        if seen.insert(id)
            && let Ok(function) = reader.read(id)
        {
            scan(&function, &mut stack);
        }
    }
    read
}

/// What a function without a body does, by its name.
fn operation(module: &Module<'_>, symbol: Symbol) -> Option<Does> {
    let name = module.symbol_name(symbol);
    Some(reconverge_operations::find(std::str::from_utf8(&name).ok()?)?.does)
}

fn constant(function: &Function, value: Option<Value>) -> Option<u64> {
    match function.values[value?].definition {
        Definition::Constant(ConstantData::Integer(number)) => Some(number.cast_unsigned()),
        Definition::Constant(ConstantData::Zero | ConstantData::Null) => Some(0),
        _ => None,
    }
}

impl<'a, 't> Threads<'a, 't> {
    pub(super) fn new(
        place: Place<'a, 't>,
        questions: &'a Questions<'a>,
        differs: &'a dyn Fn(Value) -> bool,
    ) -> Threads<'a, 't> {
        let root = Rc::new(Body::new(place.module, place.id, Rc::new(place.function.clone())));
        Threads { place, questions, differs, root, bodies: FxHashMap::default(), callees: FxHashMap::default() }
    }

    /// What one thread does; nothing where that is not clear. `steps` is what may be executed by all threads, and becomes less.
    pub(super) fn follow(&mut self, launch: &Launch<'_>, thread: usize, steps: &mut usize) -> Option<Followed> {
        let questions = self.questions.questions;
        let followed = Followed {
            visits: vec![Visits::default(); questions.len()],
            compared: questions.iter().map(|question| vec![None; question.compared.len()]).collect(),
            is_exact: true,
        };
        let most = MOST_STEPS.min(*steps);
        let mut run = Run {
            threads: self,
            launch,
            thread,
            id: launch.shape.id_of(thread),
            left: most,
            occurrences: FxHashMap::default(),
            followed,
        };
        let root = run.threads.root.clone();
        let arguments: Vec<Word> = (0..root.function.parameters.len())
            .map(|index| Word { bits: launch.value_of((0u8, index)), is_open: false })
            .collect();
        let ended = run.call(&root, &arguments, 0);
        let (left, followed) = (run.left, run.followed);
        *steps -= most - left;
        ended.ok().map(|_| followed)
    }

    fn body(&mut self, callee: Symbol) -> Option<Rc<Body>> {
        let module = self.place.module;
        let SymbolKind::Function(id) = module.symbols[callee].kind else { return None };
        let body = self.bodies.entry(id).or_insert_with(|| {
            let is_known = module.functions[id].body.is_some() && module.functions[id].has_exact_definition();
            let function = FunctionReader::new(module).read(id).ok().filter(|_| is_known)?;
            Some(Rc::new(Body::new(module, id, Rc::new(function))))
        });
        body.clone()
    }

    fn callee(&mut self, callee: Symbol) -> Rc<Callee> {
        let module = self.place.module;
        let new = || {
            let name = module.symbol_name(callee);
            let name = std::str::from_utf8(&name).ok();
            let intrinsic = name.and_then(|name| name.strip_prefix("llvm.").or_else(|| name.strip_prefix("__nv_")));
            let stem = intrinsic.and_then(|name| name.split('.').next()).map(str::to_owned);
            Rc::new(Callee { does: operation(module, callee), stem })
        };
        self.callees.entry(callee).or_insert_with(new).clone()
    }
}

/// A thread on its way.
struct Run<'r, 'a, 't> {
    threads: &'r mut Threads<'a, 't>,
    launch: &'r Launch<'r>,
    /// Its linear number, and the ones in each dimension.
    thread: usize,
    id: [u32; 3],
    left: usize,
    /// How often something was made up at a place.
    occurrences: FxHashMap<(FunctionId, Inst), u32>,
    followed: Followed,
}

/// The values of one activation.
struct Frame {
    body: Rc<Body>,
    /// By value; of variables, what they hold.
    values: Vec<Word>,
    is_root: bool,
    depth: usize,
}

impl Run<'_, '_, '_> {
    /// Executes a function.
    fn call(&mut self, body: &Rc<Body>, arguments: &[Word], depth: usize) -> Result<Word, Unclear> {
        let function = body.function.clone();
        let mut values = vec![Word::default(); function.values.len()];
        for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
            let bits =
                self.width(function.values[parameter].ty).map_or(argument.bits, |width| argument.bits & mask(width));
            values[parameter.index()] = Word { bits, ..argument };
        }
        let mut frame = Frame { body: body.clone(), values, is_root: depth == 0, depth };
        for &parameter in &function.parameters {
            let word = frame.values[parameter.index()];
            self.note(&function, &frame, parameter, word);
        }
        let (mut block, mut from) = (Block::new(0), None);
        loop {
            match self.block(&function, &mut frame, block, from)? {
                Next::Block(next) => (block, from) = (next, Some(block)),
                Next::Return(word) => return Ok(word),
            }
        }
    }

    fn block(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        block: Block,
        from: Option<Block>,
    ) -> Result<Next, Unclear> {
        let mut phis: Vec<(Value, Word)> = Vec::new();
        for inst in function.block_instructions(block) {
            self.left = self.left.checked_sub(1).ok_or(Unclear)?;
            let data = &function.instructions[inst];
            let operands = function.operands(inst);
            if data.opcode == Opcode::Phi {
                let edge = function.targets(inst).iter().position(|&source| Some(source) == from).ok_or(Unclear)?;
                phis.extend(data.result.expand().map(|result| (result, self.value(function, frame, operands[edge]))));
                continue;
            }
            for (result, word) in phis.drain(..) {
                frame.values[result.index()] = word;
                self.note(function, frame, result, word);
            }
            if data.opcode.is_terminator() {
                return self.terminator(function, frame, inst);
            }
            if data.opcode == Opcode::Store {
                let word = self.value(function, frame, operands[0]);
                if frame.body.is_variable[operands[1].index()] {
                    frame.values[operands[1].index()] = word;
                }
                continue;
            }
            let word = self.instruction(function, frame, inst)?;
            if let Some(result) = data.result.expand() {
                let bits = self.width(data.ty).map_or(word.bits, |width| word.bits & mask(width));
                let word = Word { bits, ..word };
                frame.values[result.index()] = word;
                self.note(function, frame, result, word);
            }
        }
        Err(Unclear)
    }

    /// Keeps the first value of what a question compares with.
    fn note(&mut self, function: &Function, frame: &Frame, value: Value, word: Word) {
        if !frame.is_root || !self.threads.questions.is_compared.get(value.index()).is_some_and(|&compared| compared) {
            return;
        }
        for &(question, place) in self.threads.questions.compared.get(&value).into_iter().flatten() {
            let width = self.width(function.values[value].ty).unwrap_or(64);
            self.followed.compared[question][place].get_or_insert(signed(word.bits, width));
        }
    }

    fn terminator(&mut self, function: &Function, frame: &mut Frame, inst: Inst) -> Result<Next, Unclear> {
        let data = &function.instructions[inst];
        let (operands, targets) = (function.operands(inst), function.targets(inst));
        Ok(Next::Block(match data.opcode {
            Opcode::Ret => {
                let word = operands.first().map(|&value| self.value(function, frame, value));
                return Ok(Next::Return(word.unwrap_or_default()));
            }
            Opcode::Br => match (operands.first(), targets) {
                (None, &[target]) => target,
                (Some(&condition), &[yes, no]) => {
                    let word = self.decides(function, frame, data.block, condition);
                    if word & 1 == 1 { yes } else { no }
                }
                _ => return Err(Unclear),
            },
            Opcode::Switch => {
                let word = self.decides(function, frame, data.block, operands[0]);
                let width = self.width(function.values[operands[0]].ty).unwrap_or(64);
                let is_it =
                    |&case: &Value| constant(function, Some(case)).is_some_and(|case| case & mask(width) == word);
                let case = operands[1..].iter().position(is_it);
                targets[case.map_or(0, |case| case + 1)]
            }
            Opcode::Invoke => {
                let word = self.instruction(function, frame, inst)?;
                if let Some(result) = data.result.expand() {
                    frame.values[result.index()] = word;
                }
                targets[0]
            }
            _ => return Err(Unclear),
        }))
    }

    /// The value that decides where the thread goes.
    fn decides(&mut self, function: &Function, frame: &Frame, block: Block, value: Value) -> u64 {
        let word = self.value(function, frame, value);
        self.followed.is_exact &= !word.is_open;
        if word.is_open && frame.is_root {
            for &question in self.threads.questions.decided_by.get(&block).into_iter().flatten() {
                self.followed.visits[question].is_open = true;
            }
        }
        word.bits
    }

    fn width(&self, ty: Type) -> Option<u32> {
        match self.threads.place.module.types[ty] {
            TypeData::Integer(bits @ 1..=64) => Some(bits),
            _ => None,
        }
    }

    fn value(&self, function: &Function, frame: &Frame, value: Value) -> Word {
        let data = &function.values[value];
        let Definition::Constant(constant) = data.definition else { return frame.values[value.index()] };
        let bits = match constant {
            ConstantData::Integer(number) => number.cast_unsigned(),
            ConstantData::Null | ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => 0,
            ConstantData::Global(symbol) => mixed(symbol.as_u32().into()),
            _ => self.launch.value_of((1u8, frame.body.id, value)),
        };
        Word { bits: self.width(data.ty).map_or(bits, |width| bits & mask(width)), is_open: false }
    }

    /// A value that is not known: the same in all threads that come here as often.
    fn made_up(&mut self, frame: &Frame, inst: Inst, is_open: bool) -> Word {
        let occurrence = self.occurrences.entry((frame.body.id, inst)).or_default();
        *occurrence += 1;
        Word { bits: self.launch.value_of((2u8, frame.body.id, inst, *occurrence)), is_open }
    }

    /// Whether threads may get different results from an instruction that is not understood.
    fn is_open(&self, function: &Function, frame: &Frame, inst: Inst) -> bool {
        let result = function.instructions[inst].result.expand();
        !frame.is_root || result.is_some_and(|result| (self.threads.differs)(result))
    }

    fn instruction(&mut self, function: &Function, frame: &mut Frame, inst: Inst) -> Result<Word, Unclear> {
        let data = &function.instructions[inst];
        let operands = function.operands(inst);
        let word = |index: usize| self.value(function, frame, operands[index]);
        let exact = match data.opcode {
            Opcode::Call | Opcode::Invoke => return self.call_of(function, frame, inst),
            Opcode::Load if frame.body.is_variable[operands[0].index()] => return Ok(frame.values[operands[0].index()]),
            Opcode::ZExt | Opcode::Trunc | Opcode::Freeze if self.width(data.ty).is_some() => Some(word(0)),
            Opcode::SExt => {
                let width = self.width(function.values[operands[0]].ty);
                width.map(|width| Word { bits: signed(word(0).bits, width).cast_unsigned(), ..word(0) })
            }
            Opcode::Select => {
                let (condition, yes, no) = (word(0), word(1), word(2));
                let is_scalar = self.width(function.values[operands[0]].ty) == Some(1);
                let chosen = if condition.bits & 1 == 1 { yes } else { no };
                is_scalar.then_some(Word { bits: chosen.bits, is_open: chosen.is_open || condition.is_open })
            }
            Opcode::ICmp => {
                let Extra::Predicate(predicate) = data.extra else { return Err(Unclear) };
                let ty = function.values[operands[0]].ty;
                let is_pointer = matches!(self.threads.place.module.types[ty], TypeData::Pointer { .. });
                let width = self.width(ty).or(is_pointer.then_some(64));
                width.and_then(|width| {
                    let (a, b) = (word(0), word(1));
                    let holds = compare(predicate, a.bits, b.bits, width)?;
                    Some(Word { bits: holds.into(), is_open: a.is_open || b.is_open })
                })
            }
            Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem if word(1).bits == 0 => return Err(Unclear),
            opcode => match (self.width(data.ty), operands) {
                (Some(width), &[_, _]) => {
                    let (a, b) = (word(0), word(1));
                    let is_open = a.is_open || b.is_open;
                    binary(opcode, a.bits, b.bits, width).map(|bits| Word { bits, is_open })
                }
                _ => None,
            },
        };
        match exact {
            Some(word) => Ok(word),
            None => {
                let is_open = self.is_open(function, frame, inst);
                Ok(self.made_up(frame, inst, is_open))
            }
        }
    }

    fn call_of(&mut self, function: &Function, frame: &mut Frame, inst: Inst) -> Result<Word, Unclear> {
        let Extra::Call(call) = function.instructions[inst].extra else { return Err(Unclear) };
        let call = &function.calls[call];
        let arguments: Vec<Word> = function.operands(inst)[..call.argument_count as usize]
            .iter()
            .map(|&argument| self.value(function, frame, argument))
            .collect();
        if frame.is_root {
            self.visit(inst, &arguments);
        }
        let is_open = self.is_open(function, frame, inst);
        let Some(callee) = call.callee.expand() else { return Ok(self.made_up(frame, inst, is_open)) };
        if let Some(body) = self.threads.body(callee)
            && body.function.parameters.len() == arguments.len()
        {
            return if frame.depth < DEPTH { self.call(&body, &arguments, frame.depth + 1) } else { Err(Unclear) };
        }
        let callee = self.threads.callee(callee);
        if let Some(Does::Query(item, axis)) = callee.does
            && let Some(word) = self.query(item, axis, &arguments)
        {
            return Ok(word);
        }
        let width = self.width(function.instructions[inst].ty);
        let bits: Vec<u64> = arguments.iter().map(|argument| argument.bits).collect();
        if let Some(found) = callee.stem.as_deref().zip(width).and_then(|(stem, width)| intrinsic(stem, &bits, width)) {
            return Ok(Word { bits: found, is_open: arguments.iter().any(|argument| argument.is_open) });
        }
        Ok(self.made_up(frame, inst, is_open))
    }

    fn visit(&mut self, inst: Inst, arguments: &[Word]) {
        for &question in self.threads.questions.of_inst.get(&inst).into_iter().flatten() {
            let argument = self.threads.questions.questions[question].argument;
            let argument = argument.and_then(|index| arguments.get(index as usize));
            let is_open = argument.is_some_and(|argument| argument.is_open);
            self.followed.is_exact &= !is_open;
            let visits = &mut self.followed.visits[question];
            visits.count += 1;
            visits.is_open |= is_open;
            visits.arguments = mixed(visits.arguments ^ argument.map_or(0, |argument| argument.bits));
        }
    }

    /// What a thread is told of itself, its groups and the launch.
    fn query(&self, item: Item, axis: Axis, arguments: &[Word]) -> Option<Word> {
        let shape = self.launch.shape;
        let dimension = match axis {
            Axis::Fixed(dimension) => usize::from(dimension),
            Axis::Operand => arguments.first()?.bits as usize,
            Axis::None => 0,
        };
        let in_shape = |of: [u32; 3], beyond: u64| of.get(dimension).map_or(beyond, |&number| number.into());
        let group = |dimension: usize| self.launch.group(dimension);
        let groups = |dimension: usize| group(dimension) + 1 + self.launch.value_of((4u8, dimension)) % 64;
        let (thread, size, count) = (self.thread as u64, shape.subgroup as u64, shape.threads() as u64);
        let lane = thread % size;
        let bits = match item {
            Item::LocalId => in_shape(self.id, 0),
            Item::LocalSize => in_shape(shape.extents, 1),
            Item::GroupId => group(dimension),
            Item::GroupCount => groups(dimension),
            Item::GlobalId => group(dimension) * in_shape(shape.extents, 1) + in_shape(self.id, 0),
            Item::GlobalSize => groups(dimension) * in_shape(shape.extents, 1),
            Item::GlobalOffset => 0,
            Item::LocalLinearId => thread,
            Item::GroupLinearId => group(0),
            Item::GlobalLinearId => group(0) * count + thread,
            Item::Lane => lane,
            Item::SubgroupId => thread / size,
            Item::SubgroupMaxSize => size,
            Item::SubgroupSize => size.min(count - thread / size * size),
            Item::SubgroupCount => count.div_ceil(size),
            Item::MaskedCount { from } => {
                let below = mask_below(lane.saturating_sub(from.into()).min(32));
                let [of, more] = [arguments.first()?.bits, arguments.get(1)?.bits];
                u64::from((of & below).count_ones()) + more
            }
            _ => return None,
        };
        let is_open = arguments.iter().any(|argument| argument.is_open);
        Some(Word { bits, is_open })
    }
}

/// So many low bits.
fn mask_below(count: u64) -> u64 {
    (1 << count) - 1
}

/// Where a thread goes from a block.
enum Next {
    Block(Block),
    Return(Word),
}
