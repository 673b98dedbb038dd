//! Exchanges through the memory of a workgroup with no barrier in between (RC0212).
//!
//! What races is the definition of `certainty::races`. Threads of one subgroup that do are reported where the target schedules them independently: they execute in lock-step
//! on AMD GPUs. Threads of several are a finding of workgroups that have several. It is always a warning: what a launch shows is what happens if nobody
//! relies on more than the languages promise.
//!
//! **Which barrier.** One of the workgroup where threads of several subgroups race; and where threads of one do, if others race at the same read or the same write, or from the same block to the same block, so that one barrier is to order
//! all of these, unless both accesses are where not all threads of the workgroup come. Else one of the subgroup. What needs different ones is several findings.

use reconverge_findings::control::{Assumption, Between, Example, Hazard, HazardBreach};
use reconverge_findings::{Anchor, Code, Finding, Kind};
use reconverge_graph::Node;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Function, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{FunctionId, FunctionReader, Module, ReadError, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Finder, control};
use crate::between::between;
use crate::certainty::{self, Place, Race, Shared, Tile};
use crate::target::{Degree, MemoryKind, Scope, Target};

/// A variable whose size the launch says has no more bytes than this.
const MOST_BYTES: u64 = 1 << 20;

fn named_shared<'a>(
    module: &'a Module<'_>,
    target: &'a Target,
    function: &'a Function,
) -> impl Iterator<Item = Symbol> + 'a {
    let is_shared = move |ty| match module.types[ty] {
        TypeData::Pointer { address_space, .. } => target.load_from(address_space).kind == MemoryKind::Shared,
        _ => false,
    };
    function.values.values().filter_map(move |value| match value.definition {
        Definition::Constant(ConstantData::Global(symbol)) if is_shared(value.ty) => Some(symbol),
        _ => None,
    })
}

/// Whether the variable that is named behind a text, which ends with the type of its address, is in no memory of a workgroup.
pub(super) fn is_elsewhere(target: &Target, before: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b" ") else { return false };
    let address_space = if before.ends_with(b"ptr") {
        Some(0)
    } else {
        let number = before.strip_suffix(b")").and_then(|rest| rest.rsplit(|&byte| byte == b'(').next());
        number.and_then(|number| std::str::from_utf8(number).ok()?.parse().ok())
    };
    address_space.is_some_and(|number| target.load_from(number).kind != MemoryKind::Shared)
}

/// Whether a function writes something, and names memory of a workgroup.
pub(super) fn exchanges(module: &Module<'_>, target: &Target, function: &Function) -> bool {
    let writes = |opcode| matches!(opcode, Opcode::Store | Opcode::Call | Opcode::AtomicRmw);
    function.instructions.values().any(|data| writes(data.opcode))
        && named_shared(module, target, function).next().is_some()
}

/// The rows of a type, if it is an array of numbers or structures, or of arrays of these.
fn tile(module: &Module<'_>, ty: Type, size_of: impl Fn(Type) -> Option<u64>) -> Option<Tile> {
    let array = |ty| match module.types[ty] {
        TypeData::Array { length, element } => Some((u32::try_from(length).ok()?, element)),
        _ => None,
    };
    let (length, row) = array(ty)?;
    let (rows, columns, element) = match array(row) {
        Some((columns, element)) => (length, columns, element),
        None => (1, length, row),
    };
    let is_single = !matches!(module.types[element], TypeData::Array { .. });
    Some(Tile { rows, columns, element: size_of(element).filter(|_| is_single)? })
}

impl Finder<'_, '_> {
    /// What races in a kernel: a finding for each variable and [barrier](self), at the first read, with the places of the others.
    pub(super) fn races(&self) -> Result<Vec<Finding>, ReadError> {
        let Finder { module, facts, id, function, codes, .. } = *self;
        if !facts.is_body_of_kernel(module, id) || facts.launch(module, id).is_single_thread() {
            return Ok(Vec::new());
        }
        let shared = |symbol: Symbol| {
            let variable = module.variable(symbol).ok()??;
            let size = facts.layout(module)?.alloc_size(module, variable.ty).ok()?;
            let tile = tile(module, variable.ty, |ty| facts.layout(module)?.alloc_size(module, ty).ok());
            Some(Shared { symbol, size: if size == 0 { MOST_BYTES } else { size }, tile })
        };
        let shared: Vec<Shared> = self.shared_variables()?.into_iter().filter_map(shared).collect();
        if shared.is_empty() {
            return Ok(Vec::new());
        }
        let maybe = self.analyze(Scope::Workgroup, false)?;
        let differs = |value: Value| {
            maybe.lowered.index_of(value).is_some_and(|index| maybe.uniformity.values[index as usize].is_some())
        };
        let in_lock_step = facts.target.name() == "amdgpu";
        let races = certainty::races(Place { module, facts, id, function, codes }, &shared, in_lock_step, &differs);
        let across = || races.iter().filter(|race| race.is_across);
        let reads: FxHashSet<_> = across().map(|race| race.read).collect();
        let writes: FxHashSet<_> = across().map(|race| race.write).collect();
        // What is written in one block and read in another one has one barrier in between, whichever variable it is.
        let block = |(of, inst): (FunctionId, Inst)| (of, (of == id).then(|| function.instructions[inst].block));
        let blocks: FxHashSet<_> = across().map(|race| [block(race.read), block(race.write)]).collect();
        let control = control(function, &maybe.lowered, &maybe.uniformity);
        let mut divergent: FxHashMap<Node, bool> = FxHashMap::default();
        let mut is_divergent = |(of, inst): (FunctionId, Inst)| {
            if of != id {
                return false;
            }
            let node = maybe.lowered.node_of(function, inst);
            *divergent.entry(node).or_insert_with(|| !control.parting(node).is_empty())
        };
        let mut findings: Vec<(Symbol, Scope, Finding)> = Vec::new();
        for race in &races {
            let (Some(read), Some(write)) = (self.anchor_of(race.read), self.anchor_of(race.write)) else { continue };
            let shares = reads.contains(&race.read)
                || writes.contains(&race.write)
                || race.read.0 == id && blocks.contains(&[block(race.read), block(race.write)]);
            let is_across = race.is_across || shares && !(is_divergent(race.read) && is_divergent(race.write));
            let barrier = if is_across { Scope::Workgroup } else { Scope::Subgroup };
            let known = findings.iter_mut().find(|known| known.0 == race.variable && known.1 == barrier);
            match known {
                Some((.., finding)) if finding.at == read || finding.also.contains(&read) => {}
                Some((.., finding)) => finding.also.push(read),
                None => {
                    let between = between(module, facts.target, [read, write], race_scope(race));
                    findings.push((race.variable, barrier, finding(race, read, write, barrier, between)));
                }
            }
        }
        Ok(findings.into_iter().map(|(.., finding)| finding).collect())
    }

    /// Variables in the memory of a workgroup that the function names, or what it calls.
    fn shared_variables(&self) -> Result<Vec<Symbol>, ReadError> {
        let mut found: Vec<Symbol> = Vec::new();
        let mut add = |function: &Function| {
            for symbol in named_shared(self.module, self.facts.target, function) {
                if !found.contains(&symbol) {
                    found.push(symbol);
                }
            }
        };
        add(self.function);
        let mut reader = FunctionReader::new(self.module);
        let mut seen = FxHashSet::from_iter([self.id]);
        let mut stack = vec![self.id];
        while let Some(calls) = stack.pop().map(|id| self.calls.get(&id)) {
            for &callee in calls.into_iter().flat_map(|calls| &calls.callees).filter(|&&callee| seen.insert(callee)) {
                stack.push(callee);
                if self.calls.get(&callee).is_some_and(|calls| calls.exchanges) {
                    add(&reader.read(callee)?);
                }
            }
        }
        Ok(found)
    }

    fn anchor_of(&self, (id, inst): (FunctionId, Inst)) -> Option<Anchor> {
        if id == self.id {
            return Some(self.anchor(inst));
        }
        let function = FunctionReader::new(self.module).read(id).ok()?;
        Some(Anchor::inst(id, &function, inst))
    }
}

/// The smallest set in which threads race.
fn race_scope(race: &Race) -> Scope {
    if race.is_in_subgroup { Scope::Subgroup } else { Scope::Workgroup }
}

fn finding(race: &Race, read: Anchor, write: Anchor, barrier: Scope, between: Between) -> Finding {
    let [with, without] = race.threads;
    let scope = race_scope(race);
    let assumptions = if race.is_in_subgroup { Vec::new() } else { vec![Assumption::SeveralSubgroups] };
    let hazard = Hazard {
        scope,
        requirement: None,
        breach: HazardBreach::Unordered { variable: race.variable, write, barrier, between, update: race.update },
        is_sure: true,
        example: Some(Example { extents: race.extents, with, without, times: [1; 2] }),
        assumptions,
        others: Vec::new(),
        after_exit: None,
    };
    Finding { certainty: Degree::Certain, ..Finding::new(Code::RC0212, read, Kind::Hazard(hazard)) }
}
