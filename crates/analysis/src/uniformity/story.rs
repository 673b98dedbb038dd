//! Chains of causes: from something divergent back to a source, one rule a step, each with its place.
//!
//! A [`Step`] is data; the words for it are made by `reconverge_findings`. [`why`] is the first step alone, for listings: without
//! looking for the paths that threads take apart.

use cranelift_entity::EntityRef;
use reconverge_findings::Anchor;
use reconverge_findings::control::{GivenUp, LoadSource, Relation, Source, Step, Subject as Named, Why};
use reconverge_graph::{CycleForest, DepthFirst, Node, SuccessorOrder};
use reconverge_ir::Symbol;
use reconverge_ir::function::{Block, Definition, Extra, Inst, InstData, LocalName};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::TypeData;

use super::lower::{Origin, Refinement};
use super::m_converged::{Failure, not_m_converged};
use super::report::{Analysis, Subject};
use super::{Cause, Element, ValueIndex, exit_paths, join_paths, region_of_irreducible_cycle};
use crate::target::{Degree, Dependence, MemoryKind, Scope};

/// The shortest chain from something divergent back to a source, itself first; empty for what is uniform.
pub fn tell(analysis: &Analysis<'_, '_>, element: Element) -> Vec<Step> {
    let teller = Teller { analysis };
    let step = |(element, cause)| {
        let mut step = teller.step(element, cause);
        step.paths = teller.paths(element, cause);
        if let (Why::AssumedDivergent { because, .. }, Cause::AssumedDivergent { header, branch }) =
            (&mut step.why, cause)
        {
            *because = Some(teller.given_up(header, branch));
        }
        step
    };
    analysis.uniformity.chain(element).into_iter().map(step).collect()
}

/// Why something is divergent, without paths and without the reason why a cycle was given up; nothing for what is uniform. O(1).
pub fn why(analysis: &Analysis<'_, '_>, element: Element) -> Option<Step> {
    let cause = match element {
        Element::Value(value) => analysis.uniformity.values[value as usize],
        Element::Branch(node) => analysis.uniformity.branches[node.index()],
    };
    Some(Teller { analysis }.step(element, cause?))
}

#[derive(Clone, Copy)]
struct Teller<'a, 's, 't> {
    analysis: &'a Analysis<'s, 't>,
}

impl Teller<'_, '_, '_> {
    fn step(self, element: Element, cause: Cause) -> Step {
        let Subject { id, function, .. } = self.analysis.subject;
        let inst = self.instruction(element);
        Step {
            subject: self.subject(element),
            why: self.why(element, cause),
            at: inst.map_or_else(|| self.parameter(element), |inst| Anchor::inst(id, function, inst)),
            block: inst.map(|inst| function.instructions[inst].block),
            paths: None,
            threads: self.analysis.scope,
        }
    }

    fn paths(self, element: Element, cause: Cause) -> Option<[Vec<Block>; 2]> {
        let problem = &self.analysis.lowered.problem;
        let paths = match (cause, element) {
            (Cause::Join { branch }, Element::Value(phi)) => join_paths(problem, branch, phi),
            (Cause::Temporal { exit, branch, .. }, _) => exit_paths(problem, branch, exit),
            _ => None,
        };
        paths.map(|paths| paths.map(|path| self.path(&path)))
    }

    fn why(self, element: Element, cause: Cause) -> Why {
        match cause {
            Cause::Source => Why::Source(self.source(element)),
            Cause::Operand(value) => Why::Operand(self.relation(element, value), self.value(value)),
            Cause::Join { branch } => Why::Join { branch: self.block(branch) },
            Cause::Temporal { value, exit, branch } => Why::Temporal {
                value: self.value(value),
                header: self.block(exit.header),
                branch: self.block(branch),
                exit: [self.block(exit.edge.0), self.block(exit.edge.1)],
            },
            Cause::AssumedDivergent { header, .. } => {
                Why::AssumedDivergent { header: self.block(header), because: None }
            }
        }
    }

    fn relation(self, element: Element, operand: ValueIndex) -> Relation {
        let lowered = &self.analysis.lowered;
        let is_written = |value: ValueIndex| matches!(lowered.origins[value as usize], Origin::Written { .. });
        match element {
            Element::Branch(_) => Relation::Condition,
            Element::Value(user) if is_written(user) => Relation::Written,
            Element::Value(user)
                if lowered.refinement_of(user) == Some(Refinement::PromotableAllocas) && !is_written(operand) =>
            {
                Relation::Stored
            }
            Element::Value(_) => match self.instruction(element).map(|inst| self.data(inst).opcode) {
                Some(Opcode::Phi) => Relation::Phi,
                Some(Opcode::Load) => Relation::Load,
                _ => Relation::Computed,
            },
        }
    }

    /// Which criterion fails for a cycle that was given up.
    fn given_up(self, header: Node, branch: Node) -> GivenUp {
        let graph = &self.analysis.lowered.problem.graph;
        let search = DepthFirst::compute(graph, SuccessorOrder::Forward);
        let forest = CycleForest::from_depth_first(graph, &search);
        if region_of_irreducible_cycle(&self.analysis.lowered.problem, &forest) == Some(header) {
            return GivenUp::Region;
        }
        let branches = &self.analysis.uniformity.branches;
        let failures = not_m_converged(graph, &forest, |node| branches[node.index()].is_some());
        let failure = failures.into_iter().find(|&(cycle, _)| forest.cycles[cycle].header == header);
        match failure {
            Some((_, Failure::DivergedEntry { branch, join })) => {
                GivenUp::Entry { branch: self.block(branch), join: self.block(join) }
            }
            Some((_, Failure::DivergedOutside { branch })) => GivenUp::Outside { branch: self.block(branch) },
            None => GivenUp::Branch { branch: self.block(branch) },
        }
    }

    /// Why something is divergent by itself.
    fn source(self, element: Element) -> Source {
        let Subject { facts, module, id, function, .. } = self.analysis.subject;
        match element {
            Element::Branch(_) => match self.instruction(element).map(|inst| (inst, self.data(inst).opcode)) {
                Some((_, Opcode::Invoke)) => Source::Exception,
                Some((inst, Opcode::CallBr)) if module.assembly(function, inst).is_some() => Source::AssemblyJump,
                Some((_, opcode)) => Source::Terminator(opcode),
                None => Source::Nothing,
            },
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => match function.values[value].definition {
                    Definition::Instruction(inst) => self.instruction_source(inst),
                    _ => Source::Parameter { of_kernel: facts.is_kernel(id) },
                },
                Origin::Written { by, .. } => self.written_source(by),
                // Everything else follows from something.
                _ => Source::Nothing,
            },
        }
    }

    fn instruction_source(self, inst: Inst) -> Source {
        let data = self.data(inst);
        match data.opcode {
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => self.call_source(inst, data),
            Opcode::Load => Source::Load(self.load_source(inst, data)),
            Opcode::AtomicRmw | Opcode::CmpXchg => Source::Atomic,
            Opcode::AddrSpaceCast => Source::PrivateAddress,
            Opcode::Phi => Source::StrayPhi,
            opcode => Source::Instruction(opcode),
        }
    }

    /// Why what an instruction writes to a variable may differ, whatever is passed to it.
    fn written_source(self, inst: Inst) -> Source {
        let Subject { module, function, .. } = self.analysis.subject;
        let callee = match self.data(inst).extra {
            Extra::Call(call) => function.calls[call].callee.expand(),
            _ => None,
        };
        let has_body =
            |&symbol: &Symbol| module.function_of(symbol).is_some_and(|id| module.functions[id].body.is_some());
        callee.filter(has_body).map_or(Source::Copied, Source::Written)
    }

    fn load_source(self, inst: Inst, data: &InstData) -> LoadSource {
        let Subject { module, facts, function, .. } = self.analysis.subject;
        let address = function.operands(inst)[0];
        let TypeData::Pointer { address_space } = module.types[module.types.scalar(function.values[address].ty)] else {
            return LoadSource::Nowhere;
        };
        let load = facts.target.load_from(address_space);
        if load.uniform >= Some(self.scope()) {
            return if data.flags.contains(Flags::ATOMIC) { LoadSource::Atomic } else { LoadSource::Volatile };
        }
        match load.kind {
            MemoryKind::Private => LoadSource::Private,
            MemoryKind::Shared => LoadSource::Shared,
            MemoryKind::Flat => LoadSource::Generic,
            _ => LoadSource::Unknown { address_space },
        }
    }

    fn call_source(self, inst: Inst, data: &InstData) -> Source {
        let Subject { module, facts, function, .. } = self.analysis.subject;
        let Extra::Call(call) = data.extra else { return Source::Nothing };
        let Some(symbol) = function.calls[call].callee.expand() else {
            return if module.assembly(function, inst).is_some() { Source::Assembly } else { Source::IndirectCall };
        };
        if module.function_of(symbol).is_some_and(|id| module.functions[id].body.is_some()) {
            return Source::Returned(symbol);
        }
        let dependence =
            facts.target.call(&module.symbol_name(symbol)).map(|facts| facts.result.dependence(self.scope()));
        let degree = dependence.map(|dependence| match dependence {
            Dependence::Thread(degree) => degree,
            _ => Degree::Possible,
        });
        Source::Operation { symbol, degree, target: facts.target.name().to_owned() }
    }

    /// The set of threads that the rules of calls and loads are for.
    fn scope(self) -> Scope {
        let Subject { module, facts, id, .. } = self.analysis.subject;
        match self.analysis.scope {
            Scope::Workgroup if facts.launch(module, id).is_single_subgroup() => Scope::Subgroup,
            scope => scope,
        }
    }

    fn data(&self, inst: Inst) -> &InstData {
        &self.analysis.subject.function.instructions[inst]
    }

    /// The instruction that something is, or begins with.
    fn instruction(self, element: Element) -> Option<Inst> {
        let function = self.analysis.subject.function;
        match element {
            Element::Branch(node) => Some(function.terminator(self.block(node)?)),
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => match function.values[value].definition {
                    Definition::Instruction(inst) => Some(inst),
                    _ => None,
                },
                Origin::Variable { block, .. } => Some(function.blocks[block].first),
                Origin::Argument(inst) | Origin::Written { by: inst, .. } => Some(inst),
                Origin::Returned | Origin::Pointee(_) => None,
            },
        }
    }

    /// The place of what is no instruction: the name of a parameter, else the function.
    fn parameter(self, element: Element) -> Anchor {
        let Subject { module, id, function, .. } = self.analysis.subject;
        let name = match element {
            Element::Value(index) => match self.analysis.lowered.origins[index as usize] {
                Origin::Value(value) => function.name(value),
                _ => None,
            },
            Element::Branch(_) => None,
        };
        let span = match name {
            Some(LocalName::Text(span)) => span,
            _ => module.functions[id].header,
        };
        Anchor::part(id, span)
    }

    fn subject(self, element: Element) -> Named {
        match element {
            Element::Value(index) => self.value(index),
            Element::Branch(node) => Named::Branch(self.block(node)),
        }
    }

    fn value(self, index: ValueIndex) -> Named {
        match self.analysis.lowered.origins[index as usize] {
            Origin::Value(value) => Named::Value(value),
            Origin::Variable { alloca, block } => Named::Stored { variable: alloca, block },
            Origin::Written { alloca, .. } => Named::Written { variable: alloca },
            Origin::Returned => Named::Returned,
            Origin::Pointee(parameter) => Named::Value(parameter),
            Origin::Argument(inst) => Named::Argument(inst),
        }
    }

    fn block(self, node: Node) -> Option<Block> {
        Some(self.analysis.lowered.block_of(node)?.0)
    }

    /// The blocks of a path; parts of a block that follow each other are one.
    fn path(self, path: &[Node]) -> Vec<Block> {
        let mut blocks = Vec::with_capacity(path.len());
        let mut before: Option<(Block, usize)> = None;
        for part in path.iter().filter_map(|&node| self.analysis.lowered.block_of(node)) {
            if before.is_none_or(|(block, index)| (block, index + 1) != part) {
                blocks.push(part.0);
            }
            before = Some(part);
        }
        blocks
    }
}
