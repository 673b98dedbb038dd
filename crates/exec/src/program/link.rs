//! A kernel with all that it needs: the functions that it may reach, the globals, and constants with addresses.
//!
//! Reached are the functions that are called by name or whose address is taken, in a body or in the initializer of a variable that is
//! reached. Variables are allocated in the order in which they were met, so that their addresses are the same in each run.

use cranelift_entity::{EntityRef, PrimaryMap};
use reconverge_analysis::target::{MemoryKind, Target};
use reconverge_graph::{CycleForest, hierarchies};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::module::SymbolKind;
use reconverge_ir::opcode::Linkage;
use reconverge_ir::{FunctionId, FunctionReader, Module, Symbol};
use reconverge_valid::Checked;
use rustc_hash::FxHashMap;

use super::code::{Code, CodeId};
use super::decode::{Unlinked, Unsupported, constant_slot, decode};
use super::resources::{Resource, resources};
use crate::constants::{self, Addresses, BlockAddress, Combination, Component, Image, image};
use crate::memory::{Access, Address, GlobalMemory, Initial, Memory, OutOfMemory, Segment, Workgroup};
use crate::parameters::Members;
use crate::statements::Statements;
use crate::value::{Mask, Slot, low_bits};

/// The address space of the memory of a workgroup, which all targets number alike.
pub(crate) const LOCAL_SPACE: u32 = 3;

/// A kernel that can be run.
#[derive(Debug)]
pub(crate) struct Executable<'t> {
    pub(crate) module: &'t Module<'t>,
    pub(crate) target: &'t Target,
    /// What the program was made from, where that is known.
    pub(crate) statements: Option<&'t Statements<'t>>,
    /// What members of structs are called that a launch gives, where that is known.
    pub(crate) members: Option<&'t Members>,
    pub(crate) layout: DataLayout,
    pub(crate) kernel: CodeId,
    pub(crate) codes: PrimaryMap<CodeId, Code>,
    /// The functions, by their number in the module: what an indirect call finds.
    pub(crate) by_function: FxHashMap<FunctionId, CodeId>,
    /// The variables, in the order of their allocation.
    pub(crate) variables: Vec<GlobalVariable>,
    /// Where they are.
    pub(crate) addresses: SymbolAddresses,
    /// Whether workgroups can see each other: some function changes global memory atomically.
    pub(crate) shares: bool,
    /// The buffers that it finds by their bindings.
    pub(crate) resources: Vec<Resource>,
}

/// A variable that is reached.
#[derive(Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) symbol: Symbol,
    pub(crate) name: String,
    pub(crate) image: Image,
    pub(crate) constant: bool,
    /// Who has one of their own: the launch, each workgroup, or each thread.
    pub(crate) segment: Segment,
    /// Whether something outside of the module can see what is written to it.
    pub(crate) visible: bool,
    pub(crate) alignment: u64,
    /// Whether nothing says what it holds.
    pub(crate) undefined: bool,
}

/// Where variables and functions are.
#[derive(Debug, Default)]
pub(crate) struct SymbolAddresses {
    symbols: FxHashMap<Symbol, u64>,
    /// The numbers of the blocks whose address is taken.
    blocks: FxHashMap<BlockAddress, u32>,
}

impl Addresses for SymbolAddresses {
    fn address(&self, symbol: Symbol, _space: u32) -> u64 {
        self.symbols.get(&symbol).copied().unwrap_or(0)
    }

    fn block(&self, block: &BlockAddress) -> u64 {
        self.blocks.get(block).map_or(0, |&number| Address::block(number).0)
    }

    fn cast(&self, _from: u32, _to: u32, address: u64) -> u64 {
        address
    }
}

/// Collects what a kernel reaches.
pub(super) struct Linker<'m, 't> {
    pub(super) module: &'m Module<'t>,
    pub(super) layout: DataLayout,
    target: &'t Target,
    ids: FxHashMap<FunctionId, CodeId>,
    order: PrimaryMap<CodeId, FunctionId>,
    variables: Vec<Symbol>,
    known: FxHashMap<Symbol, ()>,
    blocks: FxHashMap<BlockAddress, u32>,
    /// Whether something changes memory atomically that other workgroups may see.
    pub(super) shares: bool,
}

/// Links a kernel.
pub(crate) fn link<'t>(
    module: &'t Checked<'t>,
    target: &'t Target,
    kernel: FunctionId,
) -> Result<Executable<'t>, Unsupported> {
    let start = module.functions[kernel].header.start as usize;
    let at_start = |reason: String| Unsupported::new(start, reason);
    if let Some([x, y, z]) = module.cluster_size(&module.functions[kernel]).filter(|size| size.iter().any(|&n| n > 1)) {
        return Err(at_start(format!("clusters of {x}x{y}x{z} are not supported, only those of 1x1x1")));
    }
    let layout = DataLayout::of(module).map_err(|error| at_start(error.to_string()))?;
    let mut linker = Linker {
        module,
        layout,
        target,
        ids: FxHashMap::default(),
        order: PrimaryMap::new(),
        variables: Vec::new(),
        known: FxHashMap::default(),
        blocks: FxHashMap::default(),
        shares: false,
    };
    let kernel = linker.code_of(kernel);
    let mut unlinked: PrimaryMap<CodeId, Unlinked> = PrimaryMap::new();
    let mut variables: Vec<GlobalVariable> = Vec::new();
    let mut reader = FunctionReader::new(module);
    loop {
        if let Some((_, &id)) = linker.order.iter().nth(unlinked.len()) {
            let function = reader.read(id).map_err(|error| Unsupported::new(error.offset, error.message))?;
            unlinked.push(decode(&mut linker, id, function)?);
        } else if let Some(&symbol) = linker.variables.get(variables.len()) {
            let variable = linker.variable(symbol)?;
            for relocation in &variable.image.relocations {
                linker.mention(&relocation.value);
            }
            variables.push(variable);
        } else {
            break;
        }
    }
    let Linker { layout, ids, shares, blocks, .. } = linker;
    let mut executable = Executable {
        statements: None,
        members: None,
        module,
        target,
        layout,
        kernel,
        codes: PrimaryMap::new(),
        by_function: ids,
        variables,
        addresses: SymbolAddresses::default(),
        shares,
        resources: Vec::new(),
    };
    let symbols = executable.find_addresses().map_err(|error| at_start(error.to_string()))?;
    executable.addresses = SymbolAddresses { symbols, blocks };
    let mut first_site = 0;
    for (_, Unlinked { mut code, constants }) in unlinked {
        code.constants =
            constants.iter().map(|constant| constant_slot(resolved(constant, &executable.addresses))).collect();
        code.first_site = first_site;
        first_site += code.ops.len() as u32;
        executable.codes.push(code);
    }
    executable.resources = resources(module, &executable.layout, &executable.codes)?;
    Ok(executable)
}

/// The number that a constant is. A narrow pointer becomes a whole address again: registers hold nothing else.
fn resolved(constant: &Component, addresses: &SymbolAddresses) -> constants::Resolved {
    match constant {
        Component::Address(constants::Address { symbol, offset, bits, .. }) if *bits < 64 => {
            let whole = addresses.address(*symbol, 0);
            let low = low_bits(*bits);
            let bits = whole & !low | whole.wrapping_add_signed(*offset) & low;
            constants::Resolved { bits, ..constants::Resolved::default() }
        }
        _ => constant.resolve(addresses),
    }
}

impl Linker<'_, '_> {
    /// The code that a function will have.
    pub(super) fn code_of(&mut self, id: FunctionId) -> CodeId {
        let order = &mut self.order;
        *self.ids.entry(id).or_insert_with(|| order.push(id))
    }

    /// Notes what a constant refers to.
    pub(super) fn mention(&mut self, component: &Component) {
        match component {
            Component::Address(address) => self.mention_symbol(address.symbol),
            Component::Block(block) => {
                let number = self.blocks.len() as u32;
                self.blocks.entry(block.clone()).or_insert(number);
            }
            Component::Combination(combination) => match &**combination {
                Combination::Cast { operand, .. } | Combination::Low { operand, .. } => self.mention(operand),
                Combination::Binary { left, right, .. } => {
                    self.mention(left);
                    self.mention(right);
                }
            },
            _ => {}
        }
    }

    fn mention_symbol(&mut self, symbol: Symbol) {
        if self.known.insert(symbol, ()).is_none() {
            match self.module.symbols[symbol].kind {
                SymbolKind::Function(id) if self.module.functions[id].body.is_some() => {
                    self.code_of(id);
                }
                SymbolKind::Variable => self.variables.push(symbol),
                _ => {}
            }
        }
    }

    /// What an alias of a function stands for.
    pub(super) fn resolve_alias(&self, mut symbol: Symbol) -> Symbol {
        for _ in 0..100 {
            if self.module.symbols[symbol].kind != SymbolKind::Alias {
                break;
            }
            let Ok(Some(alias)) = self.module.alias(symbol) else { break };
            let constant = constants::evaluate(self.module, &self.layout, &alias.tables, alias.aliasee);
            match constant.ok().and_then(|constant| constant.components.into_iter().next()) {
                Some(Component::Address(address)) if address.offset == 0 => symbol = address.symbol,
                _ => break,
            }
        }
        symbol
    }

    fn variable(&self, symbol: Symbol) -> Result<GlobalVariable, Unsupported> {
        let offset = self.module.symbols[symbol].name.start as usize;
        let error = |reason: String| Unsupported::new(offset, reason);
        let variable = self.module.variable(symbol).map_err(|e| error(e.message))?;
        let variable = variable.ok_or_else(|| error("this is no variable".to_string()))?;
        let image = image(self.module, &self.layout, &variable).map_err(|e| error(e.to_string()))?;
        let natural = self.layout.alignment(self.module, variable.ty).map_err(|e| error(e.to_string()))?;
        let space = self.layout.address_space(&self.module.types[variable.pointer]).unwrap_or(0);
        let segment = match space {
            LOCAL_SPACE => Segment::Local,
            // A constant is the same for all threads wherever it is.
            _ if !variable.constant && self.target.load_from(space).kind == MemoryKind::Private => Segment::Private,
            _ => Segment::Global,
        };
        Ok(GlobalVariable {
            symbol,
            name: String::from_utf8_lossy(&self.module.symbol_name(symbol)).into_owned(),
            image,
            constant: variable.constant,
            segment,
            visible: !variable.constant
                && segment == Segment::Global
                && !matches!(variable.linkage, Linkage::Internal | Linkage::Private),
            alignment: variable.alignment.unwrap_or(natural).max(1),
            undefined: variable.initializer.is_none(),
        })
    }
}

impl Executable<'_> {
    /// The variables in a kind of memory, in the order of their allocation.
    pub(crate) fn variables_in(&self, segment: Segment) -> impl Iterator<Item = &GlobalVariable> {
        self.variables.iter().filter(move |variable| variable.segment == segment)
    }

    /// The variables that have a place in global memory: what threads have of their own, too, for what it holds at first.
    pub(crate) fn outside_workgroups(&self) -> impl Iterator<Item = &GlobalVariable> {
        self.variables.iter().filter(|variable| variable.segment != Segment::Local)
    }

    /// How many cycle hierarchies it has, each a choice of one for each function, if these are fewer than `limit`; otherwise `limit`.
    pub(crate) fn hierarchies(&self, limit: usize) -> usize {
        let of = |code: &Code| hierarchies(&code.graph, limit).take(limit).count();
        self.codes.values().fold(1, |product: usize, code| product.saturating_mul(of(code)).min(limit))
    }

    /// Which hierarchy each function has in the one with a number; how many there are if that is none of them. The first numbers are those of the kernel, where the
    /// others have their first one.
    pub(crate) fn hierarchy(&self, number: usize) -> Result<Vec<CycleForest>, usize> {
        let (mut left, mut product) = (number, 1);
        let mut chosen = Vec::with_capacity(self.codes.len());
        for code in self.codes.values() {
            let all = || hierarchies(&code.graph, left + 1);
            let count = all().count();
            chosen.extend(all().nth(left % count));
            left /= count;
            product *= count;
        }
        if left == 0 { Ok(chosen) } else { Err(product) }
    }

    /// Allocates the variables of the launch.
    pub(crate) fn allocate(&self, memory: &mut GlobalMemory) -> Result<Vec<Address>, OutOfMemory> {
        self.outside_workgroups()
            .map(|variable| {
                let bytes = variable.image.bytes.len() as u64;
                let initial =
                    if variable.undefined { Initial::Uninitialised } else { Initial::Bytes(&variable.image.bytes) };
                memory.allocate(&variable.name, bytes, initial, variable.constant)
            })
            .collect()
    }

    /// Fills in what depends on addresses.
    pub(crate) fn relocate(&self, memory: &GlobalMemory, addresses: &[Address]) {
        for (variable, address) in self.outside_workgroups().zip(addresses) {
            let at = |offset: u64| Address(address.0 + offset);
            for relocation in &variable.image.relocations {
                let number = resolved(&relocation.value, &self.addresses).bits;
                let number = memory.to_integer(number, relocation.bits);
                memory.write(at(relocation.offset), &number.to_le_bytes()[..(relocation.bits / 8) as usize]);
            }
            for range in &variable.image.undefined {
                for bit in range.clone() {
                    memory.write_undefined(at(bit / 8), &[1 << (bit % 8)]);
                }
            }
            for range in &variable.image.poison {
                memory.write_poison(at(range.start / 8), (range.end - range.start).div_ceil(8));
            }
        }
    }

    /// Allocates the variables of a workgroup. `dynamic`: how many bytes those have whose size the launch says.
    pub(crate) fn allocate_local(
        &self,
        memory: &mut Memory<'_>,
        dynamic: &FxHashMap<Symbol, u64>,
    ) -> Result<Vec<(Symbol, Address)>, OutOfMemory> {
        // Those of unknown size come last, so that they do not move the others.
        let (fixed, sized): (Vec<_>, Vec<_>) =
            self.variables_in(Segment::Local).partition(|variable| !variable.image.bytes.is_empty());
        let mut addresses = Vec::new();
        for variable in fixed.into_iter().chain(sized) {
            let bytes = dynamic.get(&variable.symbol).copied().unwrap_or(variable.image.bytes.len() as u64);
            addresses.push((variable.symbol, memory.allocate_local(&variable.name, bytes, variable.alignment)?));
        }
        Ok(addresses)
    }

    /// Allocates what each of some threads of a wave has of its own, before its stack, and copies there what the variables hold at first. `images`: where that is.
    /// The error names the lanes that have no room.
    pub(crate) fn allocate_private(
        &self,
        memory: &mut Memory<'_>,
        (wave, lanes): (usize, Mask),
        images: &[Address],
    ) -> Result<Vec<(Symbol, Address)>, Mask> {
        let mut addresses = Vec::new();
        for (variable, image) in self.variables_in(Segment::Private).zip(images) {
            let bytes = variable.image.bytes.len() as u64;
            let address = memory.allocate_private(wave, lanes, bytes, variable.alignment, 0)?;
            let [to, from, length] = [address.0, image.0, bytes].map(Slot::splat);
            memory.copy(wave, &to, &from, &length, lanes, Access::plain(0));
            addresses.push((variable.symbol, address));
        }
        Ok(addresses)
    }

    /// Where variables and functions will be in each run.
    fn find_addresses(&self) -> Result<FxHashMap<Symbol, u64>, OutOfMemory> {
        let mut global = GlobalMemory::new(u64::MAX, true);
        let mut addresses = FxHashMap::default();
        let mut images = Vec::new();
        for variable in self.outside_workgroups() {
            let bytes = variable.image.bytes.len() as u64;
            let address = global.allocate(&variable.name, bytes, Initial::Uninitialised, variable.constant)?;
            addresses.insert(variable.symbol, address.0);
            if variable.segment == Segment::Private {
                images.push(address);
            }
        }
        let shape =
            Workgroup { number: 0, threads: 1, wave: 1, stack: u64::MAX, local: u64::MAX, races: false, subgroup: 1 };
        let mut local = Memory::new(&global, &shape);
        for (symbol, address) in self.allocate_local(&mut local, &FxHashMap::default())? {
            addresses.insert(symbol, address.0);
        }
        let no_room = |_| OutOfMemory { wanted: u64::MAX, limit: u64::from(u32::MAX) };
        for (symbol, address) in self.allocate_private(&mut local, (0, 1), &images).map_err(no_room)? {
            addresses.insert(symbol, address.0);
        }
        for (symbol, data) in &self.module.symbols {
            if let SymbolKind::Function(id) = data.kind {
                addresses.insert(symbol, Address::function(id.index() as u32).0);
            }
        }
        Ok(addresses)
    }
}
