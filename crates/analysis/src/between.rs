//! What is between two accesses of one place in memory, where threads race for it.
//!
//! **Definition.** An *iteration* of two instructions is a path that does not enter the header of a cycle which contains both. They are on different [sides](Between::Sides) of a branch where none
//! leads from one to the other; of different [iterations](Between::Iterations) where each that does passes a barrier, and a longer path passes none. All else is a [path](Between::Path).
//! A barrier is one of the threads that race, or of more; a call of a function that begins with one is, too.

use cranelift_entity::EntityRef;
use reconverge_findings::Anchor;
use reconverge_findings::control::Between;
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_ir::assembly::integer;
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::{Function, FunctionReader, Module};
use rustc_hash::FxHashSet;

use crate::target::{Operation, Scope, Target};

/// Barriers are looked for so deep in calls.
const DEPTH: usize = 4;

/// What is between a read and a write, or two writes, by threads of one `scope`. O(function).
pub fn between(module: &Module<'_>, target: &Target, [one, other]: [Anchor; 2], scope: Scope) -> Between {
    let instructions = || Some((one.function.filter(|&id| other.function == Some(id))?, one.inst?, other.inst?));
    let Some((id, one, other)) = instructions().filter(|(_, one, other)| one != other) else { return Between::Path };
    let Ok(function) = FunctionReader::new(module).read(id) else { return Between::Path };
    let walk = Walk::new(Barriers { module, target, scope }, &function, [one, other]);
    let [there, back] = [walk.within(one, other), walk.within(other, one)];
    let barrier = there.barrier.or(back.barrier);
    match barrier {
        _ if there.is_free || back.is_free => Between::Path,
        None if there.is_reached || back.is_reached => Between::Path,
        None => Between::Sides,
        Some(barrier) => {
            let at = Anchor::inst(id, &function, barrier);
            if walk.around(one, other).is_free {
                Between::Iterations { first_is_later: false, barrier: at }
            } else if walk.around(other, one).is_free {
                Between::Iterations { first_is_later: true, barrier: at }
            } else {
                Between::Path
            }
        }
    }
}

/// Which instructions are barriers.
#[derive(Clone, Copy)]
struct Barriers<'a, 't> {
    module: &'a Module<'t>,
    target: &'a Target,
    scope: Scope,
}

impl Barriers<'_, '_> {
    fn is_one(self, function: &Function, inst: Inst, depth: usize) -> bool {
        let Barriers { module, target, .. } = self;
        let Extra::Call(call) = function.instructions[inst].extra else { return false };
        let of_scope = |operation| matches!(operation, Operation::Barrier(scope) if scope >= self.scope);
        let Some(callee) = function.calls[call].callee.expand() else {
            let facts_of = |name: &str| target.call(name.as_bytes()).copied();
            return module
                .operations_of_assembly(function, inst, facts_of)
                .iter()
                .any(|one| of_scope(one.facts.operation));
        };
        let id = module.function_of(callee).filter(|&id| module.functions[id].body.is_some());
        let Some(id) = id else {
            let arguments = &function.operands(inst)[..function.calls[call].argument_count as usize];
            let number = |index: u8| integer(function, *arguments.get(usize::from(index))?);
            let facts = target.call(&module.symbol_name(callee));
            return facts.is_some_and(|facts| of_scope(facts.of_call(number).operation));
        };
        let body = (depth > 0).then(|| FunctionReader::new(module).read(id).ok()).flatten();
        let begins_with_one = |body: &Function| {
            let entry = body.blocks.keys().next();
            entry.is_some_and(|entry| body.block_instructions(entry).any(|inst| self.is_one(body, inst, depth - 1)))
        };
        body.is_some_and(|body| begins_with_one(&body))
    }
}

/// What paths from one instruction to another have on them.
struct Paths {
    is_reached: bool,
    /// Whether one passes no barrier.
    is_free: bool,
    /// The first barrier that one passes.
    barrier: Option<Inst>,
}

struct Walk<'f> {
    function: &'f Function,
    /// The barriers, by block, in order.
    barriers: Vec<Vec<Inst>>,
    /// The headers of the cycles that contain both instructions.
    headers: FxHashSet<Block>,
}

impl<'f> Walk<'f> {
    fn new(barriers: Barriers<'_, '_>, function: &'f Function, both: [Inst; 2]) -> Walk<'f> {
        let forest = CycleForest::compute(&function.control_flow_graph(), SuccessorOrder::Forward);
        let [one, other] = both.map(|inst| Node::new(function.instructions[inst].block.index()));
        let common = forest.containing(one).filter(|&cycle| forest.contains(cycle, other));
        let headers = common.map(|cycle| Block::new(forest.cycles[cycle].header.index())).collect();
        let of_block =
            |block| function.block_instructions(block).filter(|&inst| barriers.is_one(function, inst, DEPTH)).collect();
        Walk { function, barriers: function.blocks.keys().map(of_block).collect(), headers }
    }

    /// Paths of one iteration.
    fn within(&self, from: Inst, to: Inst) -> Paths {
        self.follow(from, to, &self.headers)
    }

    /// Paths of any number.
    fn around(&self, from: Inst, to: Inst) -> Paths {
        self.follow(from, to, &FxHashSet::default())
    }

    fn follow(&self, from: Inst, to: Inst, closed: &FxHashSet<Block>) -> Paths {
        let block_of = |inst: Inst| self.function.instructions[inst].block;
        let barriers = |block: Block| self.barriers[block.index()].iter().copied();
        let mut found = Paths { is_reached: false, is_free: false, barrier: None };
        let (start, end) = (block_of(from), block_of(to));
        let mut seen: FxHashSet<(Block, bool)> = FxHashSet::default();
        // The block that is entered, and whether a barrier was passed.
        let mut stack: Vec<(Block, Option<Inst>)> = Vec::new();
        let leave = |block: Block, passed: Option<Inst>, stack: &mut Vec<(Block, Option<Inst>)>| {
            let open = self.function.successors(block).iter().filter(|next| !closed.contains(next));
            stack.extend(open.map(|&next| (next, passed)));
        };
        if start == end && from < to {
            let passed = barriers(start).find(|&barrier| from < barrier && barrier < to);
            return Paths { is_reached: true, is_free: passed.is_none(), barrier: passed };
        }
        leave(start, barriers(start).find(|&barrier| barrier > from), &mut stack);
        while let Some((block, passed)) = stack.pop() {
            if !seen.insert((block, passed.is_some())) {
                continue;
            }
            if block == end {
                let passed = passed.or_else(|| barriers(block).find(|&barrier| barrier < to));
                found.is_reached = true;
                found.is_free |= passed.is_none();
                found.barrier = found.barrier.or(passed);
            }
            leave(block, passed.or_else(|| barriers(block).next()), &mut stack);
        }
        found
    }
}
