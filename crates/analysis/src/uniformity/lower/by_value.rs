//! Which arguments that kernels are given by value nobody writes, though their addresses go through memory and calls, and which pointers that are read from memory, that
//! functions return or that are a part of a struct point to no memory that each thread has its own copy of, though such addresses are in memory, too: in the object of a lambda (refinement 7).
//! Such arguments count as no memory of this kind: the copies are equal.
//!
//! **Definition.** Objects are such arguments, variables (`alloca`), values of structs and arrays, and one for all that lies outside of the threads' own memory. A *place* is an object
//! and an offset in bytes, or any offset. What a pointer may point to, and what pointers may be in a place, are the least sets that all instructions of the functions
//! that kernels reach keep, in no order and for all calls of a function together (Andersen's analysis). An object *escapes* where a place of it gets outside, into a number, or into a
//! function that is not seen; a number that is as large as a pointer may be any that has escaped. An argument is not written if it does not escape, and no store, copy or atomic operation has a pointer that may point to it.
//!
//! A function that returns a part of what one of its parameters points to, and nothing else (`int &operator[](int i) { return data[i]; }`), is told apart by its calls: each returns a part of what it is given there.
//!
//! This is a may-analysis: what is not understood escapes. Where sets grow too large, all arguments are taken to be written.

mod accessors;
mod sets;

use std::rc::Rc;

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instructions::{address_space, call_of};
use super::private::{Bodies, Passed, by_name};
use crate::leaves::{constant_offset, is_aggregate};
use accessors::Part;
use sets::{ESCAPED, Node, OUT, OUTSIDE, Object, Place, Sets};

/// How many members all sets may have together.
const MOST_PLACES: usize = 400_000;
/// The beginnings of names of functions that give addresses in memory of the thread.
const OF_THE_STACK: [&[u8]; 5] =
    [b"llvm.frameaddress", b"llvm.addressofreturnaddress", b"llvm.localaddress", b"llvm.stacksave", b"llvm.sponentry"];
/// The parameters of a function, with their types.
type Parameters = Rc<[(Value, Type)]>;
/// What a set or an object is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Value(FunctionId, Value),
    Returned(FunctionId),
}

struct Solver<'a> {
    module: &'a Module<'a>,
    layout: &'a DataLayout,
    bodies: Bodies,
    points: Sets,
    nodes: FxHashMap<Key, Node>,
    wholes: FxHashMap<Key, Object>,
    /// Those of functions that are called; none for those that cannot be read.
    parameters: FxHashMap<FunctionId, Option<Parameters>>,
    /// What functions return a part of.
    parts: FxHashMap<FunctionId, Option<Part>>,
    /// Functions that are reached, and those of them that were not looked at.
    reached: FxHashSet<FunctionId>,
    pending: Vec<FunctionId>,
    /// Functions that may be called by their addresses, and the types of the results and arguments of calls of addresses.
    called_by_address: FxHashSet<FunctionId>,
    calls_of_addresses: FxHashSet<(Option<Type>, Box<[Type]>)>,
    /// Whether functions are named by another name.
    has_aliases: bool,
}

/// What is known of memory that each thread has its own copy of.
#[derive(Debug, Default)]
pub(super) struct OwnMemory {
    /// The arguments of kernels that nobody writes, by kernel and number.
    pub(super) unwritten: FxHashSet<(FunctionId, u32)>,
    /// The pointers that were loaded, returned by functions that are seen, or a part of a struct, in functions that kernels reach, and that point to no such memory,
    /// or only to such arguments.
    pub(super) outside: FxHashSet<(FunctionId, Value)>,
}

/// What follows from all that kernels reach. O(text) and what the sets cost.
pub(super) fn own_memory(
    module: &Module<'_>,
    layout: &DataLayout,
    bodies: Bodies,
    kernels: impl Iterator<Item = FunctionId>,
) -> OwnMemory {
    let mut given: Vec<(FunctionId, Value)> = Vec::new();
    let mut solver = Solver::new(module, layout, bodies);
    let mut arguments: Vec<(FunctionId, u32, Object)> = Vec::new();
    for kernel in kernels.filter(|&id| module.functions[id].body.is_some()) {
        let Ok(function) = FunctionReader::new(module).read(kernel) else { return OwnMemory::default() };
        for (index, &parameter) in function.parameters.iter().enumerate() {
            if !solver.is_by_value(kernel, index) {
                solver.give_outside(kernel, &function, parameter);
                continue;
            }
            let object = solver.own_copy(kernel, parameter);
            let any = solver.points.cell(object, None);
            solver.points.add(any, Place { object: OUTSIDE, at: None });
            solver.points.objects[object as usize].is_constant = solver.has(kernel, index, b"readonly");
            arguments.push((kernel, index as u32, object));
        }
        solver.reach(kernel);
    }
    let (mut reader, mut function) = (FunctionReader::new(module), Function::default());
    loop {
        while let Some(id) = solver.pending.pop() {
            if reader.read_into(id, &mut function).is_err() {
                return OwnMemory::default();
            }
            for (inst, data) in &function.instructions {
                solver.instruction(id, &function, inst);
                let is_given =
                    matches!(data.opcode, Opcode::Load | Opcode::ExtractValue) || solver.is_seen_call(&function, inst);
                let result = data.result.expand().filter(|_| is_given);
                given.extend(result.filter(|&of| solver.is_pointer(function.values[of].ty)).map(|of| (id, of)));
            }
        }
        let Some((node, place)) = solver.points.work.pop() else { break };
        if solver.points.count > MOST_PLACES {
            return OwnMemory::default();
        }
        solver.points.place(node, place);
    }
    arguments.retain(|&(_, _, object)| !solver.points.objects[object as usize].is_written);
    let unwritten = arguments.iter().map(|&(kernel, index, _)| (kernel, index)).collect();
    // A copy of an argument that nobody writes has the same in it for each thread.
    let mut is_shared = vec![false; solver.points.objects.len()];
    is_shared[OUTSIDE as usize] = true;
    arguments.iter().for_each(|&(_, _, object)| is_shared[object as usize] = true);
    let is_outside = |&(id, value): &(FunctionId, Value)| {
        let node = solver.nodes.get(&Key::Value(id, value));
        node.is_some_and(|&node| {
            solver.points.sets[node as usize].places.iter().all(|place| is_shared[place.object as usize])
        })
    };
    given.retain(|given| !solver.has_aliases && is_outside(given));
    OwnMemory { unwritten, outside: given.into_iter().collect() }
}

impl<'a> Solver<'a> {
    fn new(module: &'a Module<'a>, layout: &'a DataLayout, bodies: Bodies) -> Solver<'a> {
        Solver {
            module,
            layout,
            bodies,
            points: Sets::new(),
            nodes: FxHashMap::default(),
            wholes: FxHashMap::default(),
            parameters: FxHashMap::default(),
            parts: FxHashMap::default(),
            reached: FxHashSet::default(),
            pending: Vec::new(),
            called_by_address: FxHashSet::default(),
            calls_of_addresses: FxHashSet::default(),
            has_aliases: false,
        }
    }

    fn size_of(&self, ty: Type) -> Option<i64> {
        self.layout.alloc_size(self.module, ty).ok().and_then(|size| i64::try_from(size).ok())
    }

    fn node(&mut self, key: Key) -> Node {
        if let Some(&node) = self.nodes.get(&key) {
            return node;
        }
        let node = self.points.set();
        self.nodes.insert(key, node);
        node
    }

    /// The object that a value of a struct or array is.
    fn whole(&mut self, key: Key, ty: Type) -> Object {
        if let Some(&object) = self.wholes.get(&key) {
            return object;
        }
        let object = self.points.object(self.size_of(ty));
        self.wholes.insert(key, object);
        object
    }

    fn is_pointer(&self, ty: Type) -> bool {
        address_space(self.module, ty).is_some()
    }

    /// The set of a pointer; none for one that points nowhere.
    fn pointer(&mut self, id: FunctionId, function: &Function, value: Value) -> Option<Node> {
        match function.values[value].definition {
            Definition::Constant(
                ConstantData::Null | ConstantData::Zero | ConstantData::Undef | ConstantData::Poison,
            ) => None,
            Definition::Constant(constant) => {
                if let ConstantData::Global(symbol) = constant {
                    match self.module.symbols[symbol].kind {
                        SymbolKind::Function(named) => self.is_called_by_address(named),
                        SymbolKind::Alias | SymbolKind::IFunc => self.has_aliases = true,
                        _ => {}
                    }
                }
                Some(OUT)
            }
            _ => Some(self.node(Key::Value(id, value))),
        }
    }

    /// The object of a value that is a struct or an array. Pointers in constants are those of variables of the module.
    fn aggregate(&mut self, id: FunctionId, function: &Function, value: Value) -> Object {
        let data = &function.values[value];
        let object = self.whole(Key::Value(id, value), data.ty);
        if let Definition::Constant(_) = data.definition {
            let any = self.points.cell(object, None);
            self.points.edge(OUT, any, Some(0));
        }
        object
    }

    /// Whether a parameter is a pointer to a copy of what is passed.
    fn is_by_value(&self, id: FunctionId, index: usize) -> bool {
        self.has(id, index, b"byval")
    }

    /// Whether a parameter has an attribute.
    fn has(&self, id: FunctionId, index: usize, attribute: &[u8]) -> bool {
        let parameter = self.module.functions[id].parameters.get(index);
        parameter.is_some_and(|parameter| self.module.attribute(parameter.attributes, attribute).is_some())
    }

    /// The copy that a parameter points to.
    fn own_copy(&mut self, id: FunctionId, parameter: Value) -> Object {
        let key = Key::Value(id, parameter);
        if let Some(&object) = self.wholes.get(&key) {
            return object;
        }
        let (object, node) = (self.points.object(None), self.node(key));
        self.wholes.insert(key, object);
        self.points.add(node, Place { object, at: Some(0) });
        object
    }

    /// A value comes from outside.
    fn give_outside(&mut self, id: FunctionId, function: &Function, value: Value) {
        self.give_any(Key::Value(id, value), function.values[value].ty);
    }

    /// Something may be whatever is outside, or has escaped.
    fn give_any(&mut self, to: Key, ty: Type) {
        let node = if self.is_pointer(ty) {
            self.node(to)
        } else if is_aggregate(self.module, ty) {
            let object = self.whole(to, ty);
            self.points.cell(object, None)
        } else {
            return;
        };
        self.points.edge(OUT, node, Some(0));
        self.points.edge(ESCAPED, node, None);
    }

    /// A function is called by its address: with what has escaped, and what it returns does.
    fn is_called_by_address(&mut self, id: FunctionId) {
        let is_seen = self.bodies.contain(self.module, id) && !self.module.functions[id].variadic;
        if !is_seen || !self.called_by_address.insert(id) {
            return;
        }
        for (index, &(parameter, ty)) in self.parameters_of(id).iter().flat_map(|all| all.iter()).enumerate() {
            if self.is_by_value(id, index) {
                let copy = self.own_copy(id, parameter);
                let any = self.points.cell(copy, None);
                self.points.edge(OUT, any, Some(0));
                self.points.edge(ESCAPED, any, None);
            } else {
                self.give_any(Key::Value(id, parameter), ty);
            }
        }
        let result = self.module.functions[id].result;
        if self.is_pointer(result) {
            let node = self.node(Key::Returned(id));
            self.points.edge(node, ESCAPED, Some(0));
        } else if is_aggregate(self.module, result) {
            let object = self.whole(Key::Returned(id), result);
            self.points.read(Place { object, at: None }, ESCAPED);
        }
        self.reach(id);
    }

    /// What is at an address is called: any function of these types.
    fn address_is_called(&mut self, result: Option<Type>, arguments: Box<[Type]>) {
        if !self.calls_of_addresses.insert((result, arguments.clone())) {
            return;
        }
        let module = self.module;
        for id in module.definitions() {
            let parameters = &module.functions[id].parameters;
            let is_result = match result {
                Some(result) => module.functions[id].result == result,
                None => matches!(module.types[module.functions[id].result], TypeData::Void),
            };
            if is_result && parameters.iter().map(|of| of.ty).eq(arguments.iter().copied()) {
                self.is_called_by_address(id);
            }
        }
    }

    fn escape(&mut self, id: FunctionId, function: &Function, value: Value) {
        let ty = function.values[value].ty;
        if is_aggregate(self.module, ty) {
            let object = self.aggregate(id, function, value);
            self.points.read(Place { object, at: None }, ESCAPED);
        } else if self.is_pointer(ty)
            && let Some(node) = self.pointer(id, function, value)
        {
            self.points.edge(node, ESCAPED, Some(0));
        }
    }

    fn reach(&mut self, id: FunctionId) {
        if self.reached.insert(id) {
            self.pending.push(id);
        }
    }

    /// A value of a function gets what another one has.
    fn assign(&mut self, from: (FunctionId, &Function, Value), to: Key, ty: Type) {
        let (id, function, value) = from;
        if is_aggregate(self.module, ty) {
            let (from, to) = (self.aggregate(id, function, value), self.whole(to, ty));
            self.points.copy_object(from, to, Some(0));
        } else if self.is_pointer(ty)
            && let Some(from) = self.pointer(id, function, value)
        {
            let to = self.node(to);
            self.points.edge(from, to, Some(0));
        }
    }

    fn instruction(&mut self, id: FunctionId, function: &Function, inst: Inst) {
        let data = &function.instructions[inst];
        let operands = function.operands(inst);
        let result = data.result.expand();
        let ty = |value: Value| function.values[value].ty;
        match data.opcode {
            Opcode::Alloca => {
                let Some(result) = result else { return };
                let size = match data.extra {
                    // One of several of a type has the offsets of one.
                    Extra::Memory(memory) if operands.is_empty() => self.size_of(function.memory[memory].ty),
                    _ => None,
                };
                let (object, node) = (self.points.object(size), self.node(Key::Value(id, result)));
                self.points.add(node, Place { object, at: Some(0) });
            }
            Opcode::GetElementPtr => {
                let (Some(result), Some(&base)) = (result, operands.first()) else { return };
                if !self.is_pointer(ty(result)) {
                    operands.iter().for_each(|&operand| self.escape(id, function, operand));
                    return;
                }
                let shift = constant_offset(self.module, self.layout, function, inst);
                let shift = shift.and_then(|shift| i64::try_from(shift).ok());
                if let Some(base) = self.pointer(id, function, base) {
                    let to = self.node(Key::Value(id, result));
                    self.points.edge(base, to, shift);
                }
            }
            Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze | Opcode::Phi | Opcode::Select => {
                let Some(result) = result else { return };
                for &operand in operands {
                    // A condition of a `select`, and numbers, have nothing to do with it.
                    match self.is_pointer(ty(operand)) == self.is_pointer(ty(result)) {
                        true if ty(operand) == ty(result) || self.is_pointer(ty(result)) => {
                            self.assign((id, function, operand), Key::Value(id, result), ty(result));
                        }
                        _ => self.escape(id, function, operand),
                    }
                }
            }
            Opcode::Load => {
                let (Some(result), Some(&address)) = (result, operands.first()) else { return };
                let Some(address) = self.pointer(id, function, address) else { return };
                if self.is_pointer(ty(result)) {
                    let to = self.node(Key::Value(id, result));
                    self.points.with(address, |set| set.reads.push(to));
                } else if is_aggregate(self.module, ty(result)) {
                    let object = self.whole(Key::Value(id, result), ty(result));
                    self.points.with(address, |set| set.read_whole.push(object));
                } else if self.may_hold_pointer(ty(result)) {
                    // A pointer that is read as a number.
                    self.points.with(address, |set| set.reads.push(ESCAPED));
                }
            }
            Opcode::Store => {
                let &[value, address, ..] = operands else { return };
                let Some(address) = self.pointer(id, function, address) else { return };
                self.points.with(address, |set| set.is_written = true);
                if is_aggregate(self.module, ty(value)) {
                    let object = self.aggregate(id, function, value);
                    self.points.with(address, |set| set.stored_whole.push(object));
                } else if self.is_pointer(ty(value))
                    && let Some(value) = self.pointer(id, function, value)
                {
                    self.points.with(address, |set| set.stores.push(value));
                } else if self.may_be_pointer(function, value) {
                    self.points.with(address, |set| set.stores.push(ESCAPED));
                }
            }
            Opcode::ExtractValue | Opcode::InsertValue => self.part(id, function, inst),
            Opcode::ICmp => {}
            Opcode::Ret => {
                if let Some(&value) = operands.first() {
                    self.assign((id, function, value), Key::Returned(id), ty(value));
                }
            }
            Opcode::Call | Opcode::Invoke => self.call(id, function, inst),
            Opcode::AtomicRmw | Opcode::CmpXchg => {
                if let Some(address) = operands.first().and_then(|&address| self.pointer(id, function, address)) {
                    self.points.with(address, |set| {
                        set.is_written = true;
                        set.reads.push(ESCAPED);
                    });
                }
                operands[1..].iter().for_each(|&operand| self.escape(id, function, operand));
                result.into_iter().for_each(|result| self.give_outside(id, function, result));
            }
            _ => {
                operands.iter().for_each(|&operand| self.escape(id, function, operand));
                result.into_iter().for_each(|result| self.give_outside(id, function, result));
            }
        }
    }

    fn may_hold_pointer(&self, ty: Type) -> bool {
        match self.module.types[ty] {
            // Byte by byte, the first one is enough.
            TypeData::Integer(bits) => bits >= 8,
            TypeData::Vector { .. } | TypeData::Double => true,
            _ => false,
        }
    }

    /// Whether a number may be a pointer as a whole: any that has escaped.
    fn may_be_pointer(&self, function: &Function, value: Value) -> bool {
        let data = &function.values[value];
        let size = self.layout.size_in_bits(self.module, data.ty);
        !matches!(data.definition, Definition::Constant(_))
            && self.may_hold_pointer(data.ty)
            && size.is_ok_and(|size| size >= u64::from(self.layout.pointer(0).bits))
    }

    fn part(&mut self, id: FunctionId, function: &Function, inst: Inst) {
        let data = &function.instructions[inst];
        let operands = function.operands(inst);
        let (Some(result), Extra::Indices(indices)) = (data.result.expand(), data.extra) else { return };
        let of = operands[0];
        let mut part = function.values[of].ty;
        let mut offset = Some(0i64);
        for &index in function.indices(indices) {
            match self.layout.element(self.module, part, index.into()) {
                Ok((element, beyond)) => {
                    part = element;
                    offset = offset.and_then(|offset| offset.checked_add(i64::try_from(beyond).ok()?));
                }
                Err(_) => {
                    operands.iter().for_each(|&operand| self.escape(id, function, operand));
                    return self.give_outside(id, function, result);
                }
            }
        }
        let whole = self.aggregate(id, function, of);
        if data.opcode == Opcode::ExtractValue {
            if self.is_pointer(part) {
                let to = self.node(Key::Value(id, result));
                self.points.read(Place { object: whole, at: offset }, to);
            } else if is_aggregate(self.module, part) {
                let to = self.whole(Key::Value(id, result), part);
                self.points.copy_object(whole, to, offset.map(|offset| -offset));
            }
            return;
        }
        let to = self.whole(Key::Value(id, result), function.values[result].ty);
        self.points.copy_object(whole, to, Some(0));
        let Some(&value) = operands.get(1) else { return };
        if self.is_pointer(part)
            && let Some(from) = self.pointer(id, function, value)
        {
            let cell = self.points.cell(to, offset);
            self.points.edge(from, cell, Some(0));
        } else if is_aggregate(self.module, part) {
            let from = self.aggregate(id, function, value);
            self.points.copy_object(from, to, offset);
        } else if self.may_be_pointer(function, value) {
            let cell = self.points.cell(to, offset);
            self.points.edge(ESCAPED, cell, Some(0));
        }
    }

    fn parameters_of(&mut self, id: FunctionId) -> Option<Parameters> {
        let read = || {
            let function = FunctionReader::new(self.module).read(id).ok()?;
            Some(function.parameters.iter().map(|&parameter| (parameter, function.values[parameter].ty)).collect())
        };
        self.parameters.entry(id).or_insert_with(read).clone()
    }

    /// The function that a call is of, if it is one whose body says what it does.
    fn seen(&self, callee: Symbol) -> Option<FunctionId> {
        let SymbolKind::Function(callee) = self.module.symbols[callee].kind else { return None };
        let is_seen = self.bodies.contain(self.module, callee) && !self.module.functions[callee].variadic;
        is_seen.then_some(callee)
    }

    fn is_seen_call(&self, function: &Function, inst: Inst) -> bool {
        let callee = call_of(function, inst).and_then(|call| call.callee.expand());
        callee.is_some_and(|callee| self.seen(callee).is_some())
    }

    fn call(&mut self, id: FunctionId, function: &Function, inst: Inst) {
        let result = function.instructions[inst].result.expand();
        let operands = function.operands(inst);
        let call = call_of(function, inst);
        let Some((call, callee)) = call.and_then(|call| Some((call, call.callee.expand()?))) else {
            if let Some(call) = call_of(function, inst).filter(|_| self.module.assembly(function, inst).is_none()) {
                let arguments = operands[..call.argument_count as usize].iter();
                let arguments = arguments.map(|&argument| function.values[argument].ty);
                self.address_is_called(result.map(|result| function.values[result].ty), arguments.collect());
            }
            operands.iter().for_each(|&operand| self.escape(id, function, operand));
            result.into_iter().for_each(|result| self.give_outside(id, function, result));
            return;
        };
        let arguments = &operands[..call.argument_count as usize];
        if let Some(callee) = self.seen(callee)
            && let Some(parameters) = self.parameters_of(callee)
        {
            for (index, (&argument, &(parameter, ty))) in arguments.iter().zip(&*parameters).enumerate() {
                if self.is_by_value(callee, index) {
                    let copy = self.own_copy(callee, parameter);
                    if let Some(argument) = self.pointer(id, function, argument) {
                        self.points.with(argument, |set| set.read_whole.push(copy));
                    }
                } else {
                    self.assign((id, function, argument), Key::Value(callee, parameter), ty);
                }
            }
            if let Some(result) = result {
                let ty = function.values[result].ty;
                if is_aggregate(self.module, ty) {
                    let (from, to) = (self.whole(Key::Returned(callee), ty), self.whole(Key::Value(id, result), ty));
                    self.points.copy_object(from, to, Some(0));
                } else if self.is_pointer(ty) {
                    let to = self.node(Key::Value(id, result));
                    // A call may pass less than the function takes.
                    let part = self.part_of(callee).and_then(|part| Some((part.shift, *arguments.get(part.of)?)));
                    let (from, shift) = match part {
                        Some((shift, argument)) => (self.pointer(id, function, argument), shift),
                        None => (Some(self.node(Key::Returned(callee))), Some(0)),
                    };
                    if let Some(from) = from {
                        self.points.edge(from, to, shift);
                    }
                }
            }
            return self.reach(callee);
        }
        self.has_aliases |= matches!(self.module.symbols[callee].kind, SymbolKind::Alias | SymbolKind::IFunc);
        let name = self.module.symbol_name(callee);
        let is_copy = name.starts_with(b"llvm.memcpy.") || name.starts_with(b"llvm.memmove.");
        if is_copy && let &[to, from, ..] = arguments {
            let (to, from) = (self.pointer(id, function, to), self.pointer(id, function, from));
            if let Some(to) = to {
                self.points.with(to, |set| set.is_written = true);
                if let Some(from) = from {
                    // Through an object of its own.
                    let between = self.points.object(None);
                    self.points.with(from, |set| set.read_whole.push(between));
                    self.points.with(to, |set| set.stored_whole.push(between));
                }
            }
            return;
        }
        for (index, &argument) in arguments.iter().enumerate() {
            match by_name(&name, index as u32, false) {
                Passed::Read => {}
                Passed::Filled | Passed::Written { .. } => {
                    if let Some(argument) = self.pointer(id, function, argument) {
                        self.points.with(argument, |set| set.is_written = true);
                    }
                }
                Passed::Returned | Passed::Escapes => self.escape(id, function, argument),
            }
        }
        let Some(result) = result else { return };
        if OF_THE_STACK.iter().any(|of| name.starts_with(of)) {
            self.own_copy(id, result);
        }
        self.give_outside(id, function, result);
    }
}
