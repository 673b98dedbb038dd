//! What the lowering of each function needs to know of its module, found once.

use std::sync::OnceLock;

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Inst, Value, ValueData};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Symbol};
use reconverge_operations::{Axis, Does, Item, Known, Role as Operand, SegmentMode};
use rustc_hash::{FxHashMap, FxHashSet};

use super::by_value::{self, OwnMemory};
use super::instructions::call_of;
use super::launch::{self, Attributes, Launch, StatedLaunch};
use super::private::{self, Bodies, Parameters};
use crate::target::{CallFacts, Degree, OperandSet, Operation, ResultFacts, Scope, Target};

/// What is known of the functions of a module by name and header, for one target.
#[derive(Debug)]
pub struct ModuleFacts<'a> {
    /// The target.
    pub target: &'a Target,
    callees: SecondaryMap<Symbol, Callee>,
    groups: FxHashMap<u32, Attributes>,
    kernels: FxHashSet<FunctionId>,
    has_thread_ids: bool,
    has_butterflies: bool,
    /// The size of subgroups where functions do not say.
    subgroup: Option<u32>,
    /// The size of workgroups where functions do not say.
    block: Option<[u32; 3]>,
    /// Whether functions that are no kernels are in workgroups of that size only.
    is_for_all: bool,
    /// Blocks in which kernels are launched, perhaps among others.
    launched: FxHashMap<FunctionId, [u32; 3]>,
    reads_x_only: OnceLock<bool>,
    private_escapes: OnceLock<bool>,
    own_memory: OnceLock<OwnMemory>,
    layout: OnceLock<Option<DataLayout>>,
    parameters: Parameters,
}

/// What is known of a function that is called directly.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Callee {
    /// Nothing for a function that the target does not know.
    pub(super) facts: Option<CallFacts>,
    pub(super) role: Role,
}

/// Functions that lowering knows more about than a table of results can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Role {
    #[default]
    None,
    /// `llvm.lifetime.start`, `llvm.lifetime.end`
    LifetimeMarker,
    /// The number of a thread in one dimension of its workgroup.
    ThreadId(u8),
    /// The same, in the dimension that the argument says.
    ThreadIdOf,
    /// The number of a thread in its workgroup, all dimensions together.
    FlatThreadId,
    /// The number of a thread in its subgroup.
    LaneId,
    /// How many threads a workgroup has in one dimension.
    Extent(u8),
    /// The same, in the dimension that the argument says.
    ExtentOf,
    /// How many threads a subgroup has that is not the last one.
    SubgroupSize,
    /// `llvm.read_register`
    ReadRegister,
    /// Intrinsics of structured control flow whose results are a condition and a mask: the mask is a register of the
    /// subgroup.
    MaskedBranch,
    /// The result is the first operand, as far as it matters where a pointer points.
    SamePointer,
    /// A function of its arguments and of nothing else, of which nothing more is known.
    Computed,
    /// `llvm.amdgcn.ds.bpermute`: each lane names the one that it reads.
    LaneRead,
    /// A mask of lanes, a value, a distance and a segment: each lane gets the value of the lane at that distance. The segment is a width, or PTX's `c`.
    Butterfly { by_width: bool },
}

impl Role {
    pub(super) fn is_thread_number(self) -> bool {
        matches!(self, Role::ThreadId(_) | Role::ThreadIdOf | Role::FlatThreadId | Role::LaneId)
    }
}

impl<'a> ModuleFacts<'a> {
    /// Looks up every function name of the module, and reads short functions; O(symbols + attribute groups + functions).
    pub fn new(module: &Module<'_>, target: &'a Target) -> ModuleFacts<'a> {
        let mut callees: SecondaryMap<Symbol, Callee> = SecondaryMap::with_capacity(module.symbols.len());
        for (symbol, data) in &module.symbols {
            let without_body = match data.kind {
                SymbolKind::Function(id) => module.functions[id].body.is_none(),
                SymbolKind::UndeclaredIntrinsic { .. } => true,
                _ => false,
            };
            if without_body {
                let name = module.symbol_name(symbol);
                let facts = target.call(&name).copied();
                callees[symbol] = Callee { facts, role: role_of(&name, facts.is_some()) };
            }
        }
        let has_thread_ids = callees.values().any(|callee| callee.role.is_thread_number());
        let has_butterflies = callees.values().any(|callee| matches!(callee.role, Role::Butterfly { .. }));
        if has_thread_ids {
            for (symbol, role) in thread_numbers_returned(module, &callees) {
                callees[symbol].role = role;
            }
        }
        let no_groups = FxHashMap::default();
        let groups = module.attribute_groups.iter();
        let groups = groups.map(|(&number, group)| (number, Attributes::read(module, group.span, &no_groups)));
        // What LLVM takes for an AMD processor that is not named.
        let triple = module.target_triple();
        let default = (triple.starts_with(b"amdgcn") || triple.starts_with(b"amdgpu")).then_some(64);
        ModuleFacts {
            target,
            callees,
            groups: groups.collect(),
            kernels: target.kernels(module),
            has_thread_ids,
            has_butterflies,
            subgroup: target.subgroup_size().or(default),
            block: None,
            is_for_all: false,
            launched: FxHashMap::default(),
            reads_x_only: OnceLock::new(),
            private_escapes: OnceLock::new(),
            own_memory: OnceLock::new(),
            layout: OnceLock::new(),
            parameters: Parameters::default(),
        }
    }

    /// Whether a function is one without a body in which threads do something together.
    pub(crate) fn is_operation(&self, symbol: Symbol) -> bool {
        self.operation_of(symbol).is_some()
    }

    /// What is known of such a function.
    pub(crate) fn operation_of(&self, symbol: Symbol) -> Option<CallFacts> {
        self.callees[symbol].facts.filter(|facts| facts.operation != Operation::None)
    }

    /// The arguments of such a function that threads of a set have to agree on.
    pub(crate) fn agree(&self, symbol: Symbol) -> Option<(Scope, OperandSet)> {
        self.callees[symbol].facts?.agree
    }

    pub(super) fn callee(&self, symbol: Symbol) -> Callee {
        self.callees[symbol]
    }

    /// Whether an instruction is a call that gives the number of threads of a subgroup.
    pub(super) fn is_subgroup_size(&self, function: &Function, inst: Inst) -> bool {
        let callee = call_of(function, inst).and_then(|call| call.callee.expand());
        callee.is_some_and(|callee| self.callees[callee].role == Role::SubgroupSize)
    }

    /// The content of a global variable that stands for a built-in one.
    pub(super) fn variable(&self, module: &Module<'_>, symbol: Symbol) -> Option<ResultFacts> {
        self.target.variable(&module.symbol_name(symbol))
    }

    /// Whether a function is started by a launch.
    pub fn is_kernel(&self, id: FunctionId) -> bool {
        self.kernels.contains(&id)
    }

    /// Whether a function is what a kernel does: it, or the [body](kernel_of_body) that clang has beside it.
    pub(crate) fn is_body_of_kernel(&self, module: &Module<'_>, id: FunctionId) -> bool {
        self.is_kernel(id) || kernel_of_body(module, id).is_some_and(|kernel| self.is_kernel(kernel))
    }

    /// The same, where it is known how kernels are launched that do not say so themselves. Other functions are in these launches, too, if all kernels allow them.
    #[must_use]
    pub fn launched_so(mut self, module: &Module<'_>, stated: StatedLaunch) -> ModuleFacts<'a> {
        self.subgroup = stated.subgroup.or(self.subgroup);
        self.block = stated.block;
        let is_allowed = |&kernel: &FunctionId| {
            self.launch(module, kernel).extents == stated.block.map_or([None; 3], |block| block.map(Some))
        };
        self.is_for_all = self.kernels.iter().all(is_allowed);
        self
    }

    /// The same, where a body says what a call does if all definitions of the function mean the same. That may be wrong of what is undefined in it, so it is for what is told of a program, and
    /// not for changing it.
    #[must_use]
    pub(crate) fn with_bodies_of_same_meaning(mut self) -> ModuleFacts<'a> {
        self.parameters.bodies = Bodies::OfSameMeaning;
        self
    }

    /// The same, with a block in which each of these kernels is launched, perhaps among others.
    #[must_use]
    pub(crate) fn launched_in(mut self, module: &Module<'_>, launched: &[(&str, [u32; 3])]) -> ModuleFacts<'a> {
        let function = |name: &str| module.function_of(module.symbol_named(name.as_bytes())?);
        self.launched = launched.iter().filter_map(|&(name, block)| Some((function(name)?, block))).collect();
        self
    }

    /// A block in which a kernel is launched, perhaps among others.
    pub(crate) fn launched_block(&self, id: FunctionId) -> Option<[u32; 3]> {
        self.launched.get(&id).copied()
    }

    /// What is known of the launches that a function is executed in.
    pub fn launch(&self, module: &Module<'_>, id: FunctionId) -> Launch {
        let mut launch = launch::launch_of(module, &module.functions[id], &self.groups, self.subgroup);
        let threads = |block: [u32; 3]| block.iter().try_fold(1u32, |product, &extent| product.checked_mul(extent));
        if let Some(block) = self.block
            && launch.extents == [None; 3]
            && threads(block).is_some_and(|threads| launch.most_threads.is_none_or(|most| threads <= most))
            && (self.is_for_all || self.is_body_of_kernel(module, id))
        {
            launch.extents = block.map(Some);
        }
        launch
    }

    /// Whether the module declares shuffles of lanes with their partners.
    pub(super) fn has_butterflies(&self) -> bool {
        self.has_butterflies
    }

    /// Whether the module calls a function that gives the number of a thread.
    pub(super) fn has_thread_ids(&self) -> bool {
        self.has_thread_ids
    }

    /// How large types are; nothing where the module does not say it in a way that is understood.
    pub(crate) fn layout(&self, module: &Module<'_>) -> Option<&DataLayout> {
        self.layout.get_or_init(|| DataLayout::of(module).ok()).as_ref()
    }

    /// Whether the module has kernels and reads numbers of threads, of all that it knows only those in the first dimension of the
    /// workgroup. Without kernels, nothing is known of those that call its functions.
    pub(crate) fn reads_x_only(&self, module: &Module<'_>) -> bool {
        self.has_thread_ids
            && !self.kernels.is_empty()
            && *self.reads_x_only.get_or_init(|| {
                let of_symbols = module.symbols.keys().all(|symbol| {
                    let Callee { facts, role } = self.callees[symbol];
                    let result = match facts {
                        Some(facts) if facts.operation == Operation::None => Some(facts.result),
                        Some(_) => None,
                        None => self.variable(module, symbol),
                    };
                    match role {
                        Role::ThreadId(dimension) => dimension == 0,
                        Role::LaneId => true,
                        _ if result.is_none_or(|result| result.degree < Degree::Certain) => true,
                        _ => {
                            let name = module.symbol_name(symbol);
                            let has = |word: &&[u8]| memchr::memmem::find(&name, word).is_some();
                            let of_subgroup = [&b"lane"[..], b"mbcnt", b"sub_group", b"Subgroup"].iter().any(has);
                            of_subgroup || is_called_with_zero(module, symbol, &name)
                        }
                    }
                });
                let others = [&b"%tid.y"[..], b"%tid.z"];
                of_symbols && !others.iter().any(|name| module.mentions_special_register(name))
            })
    }

    /// Whether what is read from memory may be an address of memory that each thread has its own copy of. Without kernels, nothing is known of
    /// those that call the module's functions, and of what they have put into memory.
    fn private_escapes(&self, module: &Module<'_>) -> bool {
        *self.private_escapes.get_or_init(|| {
            self.kernels.is_empty()
                || module.has_thread_locals
                || private::any_escapes(module, self.bodies(), |id| self.is_kernel(id))
        })
    }

    /// Whether nobody writes to an argument that a kernel is given by value.
    pub(super) fn is_unwritten(&self, module: &Module<'_>, kernel: FunctionId, index: u32) -> bool {
        self.own_memory(module).unwritten.contains(&(kernel, index))
    }

    /// Whether a pointer that a load of a function has read points to no memory that each thread has its own copy of.
    pub(super) fn points_outside(&self, module: &Module<'_>, id: FunctionId, read: Value) -> bool {
        !self.private_escapes(module) || self.own_memory(module).outside.contains(&(id, read))
    }

    /// The same for a pointer that a function returns or that is a part of a struct, which need not have been in memory.
    pub(super) fn is_given_outside(&self, module: &Module<'_>, id: FunctionId, given: Value) -> bool {
        self.own_memory(module).outside.contains(&(id, given))
    }

    fn own_memory(&self, module: &Module<'_>) -> &OwnMemory {
        self.own_memory.get_or_init(|| {
            let Some(layout) = self.layout(module) else { return OwnMemory::default() };
            let known = by_value::own_memory(module, layout, self.bodies(), self.kernels.iter().copied());
            // Where there are many loads, or variables of one thread have names, only arguments count.
            match private::is_small(module) && !module.has_thread_locals {
                true => known,
                false => OwnMemory { outside: FxHashSet::default(), ..known },
            }
        })
    }

    /// Which bodies say what a call of their function does.
    fn bodies(&self) -> Bodies {
        self.parameters.bodies
    }

    /// Whether the body of a function says what a call of it does.
    pub(crate) fn has_body(&self, module: &Module<'_>, id: FunctionId) -> bool {
        self.bodies().contain(module, id)
    }

    /// What functions do with their parameters.
    pub(super) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What attributes say, as in the text.
    pub(super) fn attributes(&self, module: &Module<'_>, attributes: reconverge_ir::Span) -> Attributes {
        Attributes::read(module, attributes, &self.groups)
    }
}

/// The functions that do no more than return the number of a thread, as unoptimised code has them.
fn thread_numbers_returned(module: &Module<'_>, callees: &SecondaryMap<Symbol, Callee>) -> Vec<(Symbol, Role)> {
    const MOST_BYTES: usize = 512;
    let role_in = |function: &Function| {
        if function.blocks.len() != 1 {
            return None;
        }
        let inst = function.terminator(Block::new(0));
        let &[returned] = function.operands(inst) else { return None };
        let Definition::Instruction(call) = function.values[returned].definition else { return None };
        let role = callees[call_of(function, call)?.callee.expand()?].role;
        let is_returned = function.instructions[inst].opcode == Opcode::Ret;
        (is_returned && matches!(role, Role::ThreadId(_) | Role::FlatThreadId | Role::LaneId)).then_some(role)
    };
    let (mut reader, mut function) = (FunctionReader::new(module), Function::default());
    let is_short = |id: &FunctionId| {
        let body = module.functions[*id].body;
        body.is_some_and(|body| body.range().len() < MOST_BYTES) && module.functions[*id].has_exact_definition()
    };
    let role_of = |id: FunctionId| {
        // What cannot be read is reported where the body is needed.
        reader.read_into(id, &mut function).ok()?;
        Some((module.functions[id].symbol, role_in(&function)?))
    };
    module.definitions().filter(is_short).filter_map(role_of).collect()
}

/// Whether the last argument in all calls of a function is the constant 0, and it is used in no other way. Reads the bodies that have its
/// name.
fn is_called_with_zero(module: &Module<'_>, symbol: Symbol, name: &[u8]) -> bool {
    let is_zero = |function: &Function, value: Value| match function.values[value].definition {
        Definition::Constant(constant) => matches!(constant, ConstantData::Integer(0) | ConstantData::Zero),
        _ => false,
    };
    let (mut reader, mut function) = (FunctionReader::new(module), Function::default());
    let mut only_zero = |id: FunctionId| {
        if module.mentions(id).all(|mentioned| *mentioned != *name) {
            return true;
        }
        if reader.read_into(id, &mut function).is_err() {
            return false;
        }
        let uses = |value: &ValueData| matches!(value.definition, Definition::Constant(ConstantData::Global(used)) if used == symbol);
        let uses = function.values.values().filter(|value| uses(value)).count();
        let with_zero = |inst: Inst| {
            let call = call_of(&function, inst).filter(|call| call.callee.expand() == Some(symbol));
            let arguments = call.map(|call| &function.operands(inst)[..call.argument_count as usize]);
            arguments.and_then(|arguments| arguments.last()).is_some_and(|&last| is_zero(&function, last))
        };
        // Each use is a value of its own.
        function.instructions.keys().filter(|&inst| with_zero(inst)).count() == uses
    };
    let is_function = !matches!(module.symbols[symbol].kind, SymbolKind::Variable);
    let is_elsewhere = module.top_level_uses.iter().any(|&(used, _)| used == symbol);
    is_function && !is_elsewhere && module.definitions().all(&mut only_zero)
}

/// What more is known of a function by its name; `is_known` where the target has facts about it.
pub(super) fn role_of(name: &[u8], is_known: bool) -> Role {
    let intrinsic = |stem: &[u8]| name == stem || name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(b"."));
    let operation = std::str::from_utf8(name).ok().filter(|_| is_known).and_then(reconverge_operations::find);
    if let Some(Known { does: Does::Shuffle(SegmentMode::Butterfly, false), spelling }) = operation {
        return match spelling.operands {
            [Operand::Mask, Operand::Value, Operand::Lane, Operand::Clamp] => Role::Butterfly { by_width: false },
            [Operand::Mask, Operand::Value, Operand::Lane, Operand::Width] => Role::Butterfly { by_width: true },
            _ => Role::None,
        };
    }
    if let Some(Does::Query(item, axis)) = operation.map(|operation| operation.does) {
        return match (item, axis) {
            (Item::LocalId, Axis::Fixed(dimension @ 0..3)) => Role::ThreadId(dimension),
            (Item::LocalId, Axis::Operand) => Role::ThreadIdOf,
            (Item::LocalLinearId, _) => Role::FlatThreadId,
            (Item::Lane, _) => Role::LaneId,
            (Item::LocalSize, Axis::Fixed(dimension @ 0..3)) => Role::Extent(dimension),
            (Item::LocalSize, Axis::Operand) => Role::ExtentOf,
            (Item::SubgroupMaxSize, _) => Role::SubgroupSize,
            _ => Role::None,
        };
    }
    match name {
        _ if intrinsic(b"llvm.lifetime.start") || intrinsic(b"llvm.lifetime.end") => Role::LifetimeMarker,
        _ if intrinsic(b"llvm.read_register") => Role::ReadRegister,
        _ if intrinsic(b"llvm.amdgcn.ds.bpermute") => Role::LaneRead,
        _ if intrinsic(b"llvm.amdgcn.if") || intrinsic(b"llvm.amdgcn.else") => Role::MaskedBranch,
        _ if intrinsic(b"llvm.ptrmask")
            || intrinsic(b"llvm.launder.invariant.group")
            || intrinsic(b"llvm.strip.invariant.group")
            || intrinsic(b"llvm.amdgcn.addrspacecast.nonnull") =>
        {
            Role::SamePointer
        }
        _ if is_computed(name) => Role::Computed,
        _ => Role::None,
    }
}

/// Whether a call stands for something that a front end does not know, and that is made of the arguments alone.
pub(super) fn is_computed(name: &[u8]) -> bool {
    name.starts_with(b"reconverge.unknown.computed.")
}

/// What the name of the function starts with in which clang has the body of a kernel of OpenCL, for calls of it by other kernels. The kernel calls it,
/// or has a copy of it.
const BODY_OF_KERNEL: &[u8] = b"__clang_ocl_kern_imp_";

/// The kernel that a function has the body of, where clang has made two of one.
pub fn kernel_of_body(module: &Module<'_>, id: FunctionId) -> Option<FunctionId> {
    let name = module.symbol_name(module.functions[id].symbol);
    module.function_of(module.symbol_named(name.strip_prefix(BODY_OF_KERNEL)?)?)
}

/// The other way round.
pub fn body_of_kernel(module: &Module<'_>, kernel: FunctionId) -> Option<FunctionId> {
    let name = module.symbol_name(module.functions[kernel].symbol);
    module.function_of(module.symbol_named(&[BODY_OF_KERNEL, &name].concat())?)
}
