//! The steps of a function, block by block.

use cranelift_entity::EntityRef;
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::opcode::Opcode;

use super::computes::{Computes, is_division};
use super::{Coder, Edge, Instead, Mask, Meeting, Named, Order, Register, Step, To, What, constant};
use crate::integers::mask;

impl Coder<'_, '_> {
    pub(super) fn step(&mut self, what: What) {
        self.code.steps.push(Step { cost: std::mem::take(&mut self.cost), what });
    }

    fn note(&mut self, value: Value) {
        let Some(slot) = self.asked.and_then(|asked| asked.questions.compared.place(value)) else {
            return;
        };
        let (register, width) = (self.register(value), self.kept(self.function.values[value].ty));
        self.step(What::Note(slot, register, width));
    }

    pub(super) fn emit(&mut self) {
        let function = self.function;
        for &parameter in &function.parameters {
            let first = self.code.parameter_count;
            self.code.parameter_count += self.widths(parameter).len();
            if self.matters[parameter.index()] {
                let targets = self.targets(parameter).into_iter();
                self.code.parameters.extend((first..).zip(targets).map(|(index, to)| (index, to.register, to.width)));
            }
        }
        let mut starts = Vec::with_capacity(function.blocks.len());
        let mut edges: Vec<Block> = Vec::new();
        for block in function.blocks.keys() {
            starts.push(self.code.steps.len() as u32);
            self.cost = 0;
            if block.index() == 0 {
                function.parameters.iter().for_each(|&parameter| self.note(parameter));
            }
            let phis = |inst: &Inst| function.instructions[*inst].opcode == Opcode::Phi;
            for inst in function.block_instructions(block).take_while(phis) {
                function.instructions[inst].result.expand().into_iter().for_each(|result| self.note(result));
            }
            for inst in function.block_instructions(block).skip_while(phis) {
                self.cost += 1;
                match function.instructions[inst].opcode {
                    opcode if opcode.is_terminator() => self.terminator(inst, &mut edges),
                    _ => self.instruction(inst),
                }
            }
        }
        for (edge, target) in self.code.edges.iter_mut().zip(edges) {
            edge.target = starts[target.index()];
        }
    }

    fn instruction(&mut self, inst: Inst) {
        let function = self.function;
        let data = &function.instructions[inst];
        let operands = function.operands(inst);
        match data.opcode {
            Opcode::Phi => return self.step(What::Unclear),
            Opcode::Store => {
                if let Some((variable, first)) = self.variables.accessed(operands[1])
                    && self.matters[variable.index()]
                {
                    let (count, [from, to]) = (self.widths(operands[0]).len(), self.registers([operands[0], variable]));
                    for leaf in 0..count as Register {
                        let register = to + first as Register + leaf;
                        self.step(What::Move(To { register, width: 64 }, from + leaf));
                    }
                }
                return self.access(inst);
            }
            Opcode::Load => self.access(inst),
            Opcode::Fence if self.accesses && self.is_of_barrier(inst) => {}
            Opcode::AtomicRmw if self.accesses && self.updated(inst).is_some() => self.access(inst),
            Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Fence if self.accesses => self.step(What::Order(Order::Some)),
            opcode if is_division(opcode) && self.matters[operands[1].index()] => {
                let divisor = self.register(operands[1]);
                self.step(What::Divisor(divisor));
            }
            Opcode::Call if self.never_returns(inst) => return self.step(What::Unclear),
            Opcode::Call => {
                self.access(inst);
                self.visits(inst);
            }
            _ => {}
        }
        let result = data.result.expand();
        self.compute(inst, result.filter(|result| self.matters[result.index()]));
        result.into_iter().for_each(|result| self.note(result));
    }

    /// The questions about an operation.
    fn visits(&mut self, inst: Inst) {
        if let Some(order) = self.order(inst) {
            self.step(What::Order(order));
        }
        if let Some(meeting) = self.meeting(inst).filter(|&meeting| meeting != Meeting::OneCall) {
            self.code.arrivals.push((inst, meeting));
            self.step(What::Arrive);
        }
        let Some(asked) = self.asked else {
            if self.is_passed(inst) {
                let agreed = self.list(&self.agreed(inst));
                self.step(What::Pass(inst, agreed));
            }
            return;
        };
        let questions = asked.questions;
        for &index in questions.named_by(inst) {
            if let Some(Mask { named: Named::By { where_true, .. }, .. }) = questions.all[index as usize].mask {
                let condition = where_true.map(|value| self.register(value));
                self.step(What::Name(index, condition));
            }
        }
        for &index in questions.about(inst) {
            let argument = questions.all[index as usize].argument;
            let argument = argument.and_then(|at| self.arguments(inst).get(at as usize).copied());
            let argument = argument.map(|argument| self.register(argument));
            self.step(What::Visit(index, argument));
        }
    }

    /// The steps that compute a result, if it matters.
    fn compute(&mut self, inst: Inst, result: Option<Value>) {
        let computes = self.computes(inst);
        let targets = result.map(|result| self.targets(result)).unwrap_or_default();
        if let Computes::Call(id) = computes
            && (result.is_some() || self.is_followed(inst))
        {
            let arguments = self.list(self.arguments(inst));
            let site = self.site(inst, 0);
            let to = targets.first().map(|to| (to.register, targets.len() as u32));
            return self.step(What::Call(to, id, arguments, site));
        }
        for (leaf, &to) in (0..).zip(&targets) {
            let what = self.leaf(inst, &computes, leaf, to);
            self.step(what);
        }
    }

    /// The step that computes one leaf of a result.
    fn leaf(&mut self, inst: Inst, computes: &Computes, leaf: u32, to: To) -> What {
        match *computes {
            Computes::Move(of, first) => What::Move(to, self.register(of) + first as Register + leaf),
            Computes::Insert([of, value], first) => {
                let inserted = (leaf as usize).checked_sub(first).filter(|&at| at < self.widths(value).len());
                What::Move(
                    to,
                    match inserted {
                        Some(at) => self.register(value) + at as Register,
                        None => self.register(of) + leaf,
                    },
                )
            }
            Computes::SignExtend(of, width) => What::SignExtend(to, self.register(of), width),
            Computes::Select(of) => {
                let [condition, yes, no] = self.registers(of);
                What::Select(to, [condition, yes + leaf, no + leaf])
            }
            Computes::Compare(of, predicate, width) => {
                What::Compare(to, self.registers(of), predicate, width, self.site(inst, leaf))
            }
            Computes::Binary(of) => {
                What::Binary(to, self.registers(of), self.function.instructions[inst].opcode, self.site(inst, leaf))
            }
            Computes::Overflow(of, overflow) => match leaf {
                0 => What::Binary(to, self.registers(of), overflow.opcode, self.site(inst, leaf)),
                _ => What::Overflow(to, self.registers(of), overflow, self.kept(self.function.values[of[0]].ty)),
            },
            Computes::Element(ref element) => {
                let mut base = self.register(element.base);
                for &(index, width, bytes) in &element.indices {
                    let index = self.register(index);
                    self.step(What::Address(to, [base, index], width, bytes));
                    base = to.register;
                }
                What::Shift(to, base, element.offset)
            }
            Computes::Query(item, axis) => {
                let arguments = self.list(self.arguments(inst));
                What::Query(to, item, axis, arguments, self.site(inst, leaf))
            }
            Computes::Intrinsic(intrinsic) => What::Intrinsic(to, intrinsic, self.list(self.arguments(inst))),
            Computes::Phi | Computes::Call(_) | Computes::Anything => What::MakeUp(to, self.site(inst, leaf)),
        }
    }

    fn terminator(&mut self, inst: Inst, edges: &mut Vec<Block>) {
        let function = self.function;
        let data = &function.instructions[inst];
        let (operands, targets) = (function.operands(inst), function.targets(inst));
        let from = data.block;
        let decides = self.asked.and_then(|asked| asked.questions.deciding.place(from));
        if matches!(data.opcode, Opcode::Br | Opcode::Switch) && !operands.is_empty() {
            let instead = match self.relevance.instead_of(from) {
                Some(Instead::Block(block)) => self.edge_without_phis(block, edges).map(What::Jump),
                Some(Instead::End) => Some(What::Return(0..0)),
                None => None,
            };
            if let Some(instead) = instead {
                return self.step(instead);
            }
        }
        let what = match (data.opcode, operands, targets) {
            (Opcode::Ret, ..) if self.asked.is_some() => What::Return(0..0),
            (Opcode::Ret, ..) => What::Return(self.list(operands)),
            (Opcode::Br, [], &[target]) => self.edge(from, target, edges).map_or(What::Unclear, What::Jump),
            (Opcode::Br, &[condition], &[yes, no]) => match (self.edge(from, yes, edges), self.edge(from, no, edges)) {
                (Some(yes), Some(no)) => What::Branch(self.register(condition), [yes, no], decides),
                _ => What::Unclear,
            },
            (Opcode::Switch, &[on, ref cases @ ..], &[other, ref targets @ ..]) => {
                let width = self.kept(function.values[on].ty);
                let start = self.code.cases.len() as u32;
                for (&case, &target) in cases.iter().zip(targets) {
                    if let Some((case, edge)) = constant(function, Some(case)).zip(self.edge(from, target, edges)) {
                        self.code.cases.push((case & mask(width), edge));
                    }
                }
                let cases = start..self.code.cases.len() as u32;
                match self.edge(from, other, edges) {
                    Some(other) => What::Switch(self.register(on), other, cases, decides),
                    None => What::Unclear,
                }
            }
            (Opcode::Invoke, _, &[target, ..]) => {
                self.visits(inst);
                let result = data.result.expand().filter(|result| self.matters[result.index()]);
                self.compute(inst, result);
                self.edge(from, target, edges).map_or(What::Unclear, What::Jump)
            }
            _ => What::Unclear,
        };
        self.step(what);
    }

    /// An edge to a block in which no `phi` matters.
    fn edge_without_phis(&mut self, target: Block, edges: &mut Vec<Block>) -> Option<u32> {
        let function = self.function;
        let phis = function.block_instructions(target).map(|inst| &function.instructions[inst]);
        let mut phis = phis.take_while(|data| data.opcode == Opcode::Phi);
        let matters = |result: Option<Value>| result.is_some_and(|result| self.matters[result.index()]);
        if phis.any(|data| matters(data.result.expand())) {
            return None;
        }
        edges.push(target);
        let start = self.code.moves.len() as u32;
        self.code.edges.push(Edge { moves: start..start, is_ordered: true, cost: 0, target: 0 });
        Some(self.code.edges.len() as u32 - 1)
    }

    /// An edge, with what its `phi`s take; nothing where they take nothing from there.
    fn edge(&mut self, from: Block, target: Block, edges: &mut Vec<Block>) -> Option<u32> {
        let function = self.function;
        let start = self.code.moves.len() as u32;
        let (mut cost, mut is_ordered) = (0, true);
        for inst in function.block_instructions(target) {
            let data = &function.instructions[inst];
            if data.opcode != Opcode::Phi {
                break;
            }
            cost += 1;
            let source = function.targets(inst).iter().position(|&source| source == from)?;
            let Some(result) = data.result.expand().filter(|result| self.matters[result.index()]) else { continue };
            let [to, of] = self.registers([result, function.operands(inst)[source]]);
            for leaf in 0..self.widths(result).len() as Register {
                is_ordered &= self.code.moves[start as usize..].iter().all(|&(earlier, _)| earlier != of + leaf);
                self.code.moves.push((to + leaf, of + leaf));
            }
        }
        edges.push(target);
        let moves = start..self.code.moves.len() as u32;
        self.code.edges.push(Edge { moves, is_ordered, cost, target: 0 });
        Some(self.code.edges.len() as u32 - 1)
    }
}
