//! Barriers after an early exit; `hazards` has the definition.

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Node};
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;

use super::{Finder, Need};
use crate::uniformity::control::{MOST_PARTING, Parted};
use crate::uniformity::lower::Lowered;

/// Where threads of a kernel go from a node.
pub(super) struct Exits<'l> {
    graph: &'l Digraph,
    /// Whether to operations that all threads of a set have to execute, by node; empty for a function whose end is not that of the threads.
    leads_to_operation: Vec<bool>,
    /// Whether to the end of the kernel.
    leads_to_end: Vec<bool>,
    /// Whether to something that others see and that threads do behind an operation that some miss: those that do it, too, have not ended.
    leads_back: Vec<bool>,
}

impl<'l> Exits<'l> {
    /// `needs` are all of the function, `missed` those that are not met.
    pub(super) fn new(
        finder: &Finder<'_, '_>,
        needs: &[&Need],
        missed: impl Iterator<Item = Inst>,
        lowered: &'l Lowered,
    ) -> Exits<'l> {
        let graph = &lowered.problem.graph;
        if !finder.facts.is_body_of_kernel(finder.module, finder.id) {
            let none = || Vec::new();
            return Exits { graph, leads_to_operation: none(), leads_to_end: none(), leads_back: none() };
        }
        let closure = |mut stack: Vec<Node>, next: fn(&Digraph, Node) -> &[Node]| {
            let mut reached = vec![false; graph.node_count()];
            while let Some(node) = stack.pop() {
                if !std::mem::replace(&mut reached[node.index()], true) {
                    stack.extend_from_slice(next(graph, node));
                }
            }
            reached
        };
        let leading_to = |nodes: Vec<Node>| closure(nodes, Digraph::predecessors);
        let node_of = |inst: Inst| lowered.node_of(finder.function, inst);
        let operations = needs.iter().filter(|need| need.what.is_entry()).map(|need| node_of(need.inst)).collect();
        let ends = graph.nodes().filter(|&node| graph.successors(node).is_empty()).collect();
        let behind = closure(
            missed.flat_map(|inst| graph.successors(node_of(inst)).iter().copied()).collect(),
            Digraph::successors,
        );
        let seen = finder.function.instructions.keys().filter(|&inst| finder.is_seen(inst)).map(node_of);
        let leads_back = leading_to(seen.filter(|node| behind[node.index()]).collect());
        Exits { graph, leads_to_operation: leading_to(operations), leads_to_end: leading_to(ends), leads_back }
    }

    /// Whether threads that are parted in these ways, and do not come to an operation, only end.
    pub(super) fn are_all_that_parts(&self, parting: &[Parted]) -> bool {
        let only_ends = |node: Node| {
            let at = node.index();
            !self.leads_to_operation[at] && self.leads_to_end[at] && !self.leads_back[at]
        };
        !self.leads_to_operation.is_empty()
            && parting.len() < MOST_PARTING
            && parting.iter().all(|parted| match *parted {
                Parted::Branch(branch) => {
                    self.graph.successors(branch).iter().filter(|&&next| !only_ends(next)).count() <= 1
                }
                Parted::Exit(exit, _) => only_ends(exit.edge.1),
            })
    }
}

impl Finder<'_, '_> {
    /// Whether an instruction does what other threads can see: writes memory that is not a variable of its own, or calls something that may.
    fn is_seen(&self, inst: Inst) -> bool {
        let data = &self.function.instructions[inst];
        let operands = self.function.operands(inst);
        match data.opcode {
            Opcode::Store => operands.get(1).is_none_or(|&address| !self.is_of_variable(address)),
            Opcode::AtomicRmw | Opcode::CmpXchg => true,
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => {
                let Extra::Call(call) = data.extra else { return true };
                let Some(callee) = self.function.calls[call].callee.expand() else { return true };
                let name = self.module.symbol_name(callee);
                let is_intrinsic = name.starts_with(b"llvm.");
                let has_effect = |words: &[u8]| memchr::memmem::find(&name, words).is_some();
                !is_intrinsic || has_effect(b"mem") || has_effect(b"atomic")
            }
            _ => false,
        }
    }

    /// Whether an address is in a variable of the function, by the instructions that it is computed by.
    fn is_of_variable(&self, mut address: Value) -> bool {
        const MOST: usize = 16;
        for _ in 0..MOST {
            let Definition::Instruction(inst) = self.function.values[address].definition else { return false };
            match self.function.instructions[inst].opcode {
                Opcode::Alloca => return true,
                Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                    address = self.function.operands(inst)[0];
                }
                _ => return false,
            }
        }
        false
    }
}
