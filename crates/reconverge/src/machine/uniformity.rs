//! Uniformity of machine functions: which virtual registers and branches differ between the threads of a subgroup, and why.

use cranelift_entity::EntityRef;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::m_converged::not_m_converged;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::{Cause, Uniformity as Found, ValueIndex, analyze};
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_mir::{BlockIndex, Definition, Function, Lowered, Machine, ReadError, lower};

use super::{MachineAnswer, MachineModule, function_name};
use crate::lines::Lines;
use crate::m_converged::of_cycles;
use crate::{
    Detail, Divergent, DivergentCycles, Error, ErrorKind, FunctionUniformity, Reason, Terminators, Uniformity,
    UniformityOptions,
};

/// The uniformity of machine functions, for the threads of a subgroup; see [`uniformity()`](crate::uniformity()).
///
/// # Errors
/// When the YAML documents are not understood, when nothing is known of the registers of the target, and for options that are about LLVM IR.
pub fn machine_uniformity(
    module: &MachineModule,
    options: &UniformityOptions,
) -> Result<MachineAnswer<Uniformity>, Error> {
    let refuse = |kind, message: String| Err(Error::new(kind, module.name(), message));
    if options.scope != Scope::Subgroup {
        let message = "machine IR says which registers a subgroup has one of, and nothing of larger sets of threads; expected --scope subgroup";
        return refuse(ErrorKind::Options, message.to_owned());
    }
    for (is_asked, option) in [(!options.explain.is_empty(), "--explain"), (options.refinements, "--refinements")] {
        if is_asked {
            return refuse(ErrorKind::Options, format!("{option} is not supported for machine IR"));
        }
    }
    let Some(machine) = module.machine() else {
        let message = format!(
            "nothing is known of the machine registers of target `{}`; --target amdgpu analyses the code as that of an AMD GPU",
            module.target().name()
        );
        return refuse(ErrorKind::Unsupported, message);
    };
    let answer = module.each(options.function.as_deref(), |function, lines| {
        of_function(module, machine, options.detail, function, lines)
    })?;
    let mut found = Uniformity::default();
    found.function_count = answer.found.len();
    found.functions = answer.found;
    Ok(MachineAnswer { found, left_out: answer.left_out })
}

fn of_function(
    module: &MachineModule,
    machine: &Machine,
    detail: Detail,
    function: &Function<'_>,
    lines: &Lines<'_>,
) -> Result<FunctionUniformity, ReadError> {
    let lowered = lower(function, machine, module.target(), false)?;
    let found = analyze(&lowered.problem, &Settings::refined().analysis);
    let listing = Listing { function, lowered: &lowered, found: &found };
    Ok(listing.list(module.target().name(), detail, lines.position(function.offset).line))
}

/// A function, and what was found in it.
struct Listing<'l, 't> {
    function: &'l Function<'t>,
    lowered: &'l Lowered,
    found: &'l Found,
}

impl Listing<'_, '_> {
    fn list(&self, target: &str, detail: Detail, line: usize) -> FunctionUniformity {
        let Listing { function, lowered, found } = *self;
        let graph = &lowered.problem.graph;
        let divergent: Vec<&Definition> =
            lowered.definitions.iter().filter(|definition| found.values[definition.value as usize].is_some()).collect();
        let blocks = 0..lowered.blocks as BlockIndex;
        let branches = blocks.clone().filter(|&block| graph.successors(Node::from_u32(block)).len() > 1).count();
        let divergent_branches: Vec<BlockIndex> =
            blocks.filter(|&block| found.branches[block as usize].is_some()).collect();
        let named = |names: Vec<String>| if detail >= Detail::Names { names } else { Vec::new() };
        let headers = found.divergent_exits.iter().map(|exit| exit.header);
        FunctionUniformity {
            name: function_name(function),
            line,
            target: target.to_owned(),
            scope: Scope::Subgroup,
            values: Divergent {
                total: lowered.definitions.len(),
                count: divergent.len(),
                divergent: named(divergent.iter().map(|one| function.register_name(one.register)).collect()),
            },
            parameters: Divergent::default(),
            terminators: Terminators {
                total: lowered.blocks,
                branches,
                count: divergent_branches.len(),
                divergent: named(divergent_branches.iter().map(|&block| function.block_name(block)).collect()),
            },
            cycles: DivergentCycles {
                assumed_divergent: named(self.blocks(found.assumed_divergent.iter().copied())),
                divergent_exit: named(self.blocks(headers)),
            },
            not_m_converged: self.not_m_converged(),
            refinements: None,
            reasons: (detail >= Detail::Reasons).then(|| self.reasons(&divergent, &divergent_branches)),
            source: None,
        }
    }

    /// The names of some blocks, each once, in the order of the text.
    fn blocks(&self, nodes: impl Iterator<Item = Node>) -> Vec<String> {
        let mut nodes: Vec<Node> = nodes.collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.into_iter().map(|node| self.block(node)).collect()
    }

    fn block(&self, node: Node) -> String {
        self.function.block_name(node.as_u32())
    }

    fn not_m_converged(&self) -> Vec<crate::NotMConverged> {
        let graph = &self.lowered.problem.graph;
        let forest = CycleForest::compute(graph, SuccessorOrder::Reverse);
        let failures = not_m_converged(graph, &forest, |node| self.found.branches[node.index()].is_some());
        let block = |node: Node| self.block(node);
        of_cycles(&forest, &failures, &block, &block)
    }

    /// Why what is divergent is so, in the order of the text.
    fn reasons(&self, divergent: &[&Definition], branches: &[BlockIndex]) -> Vec<Reason> {
        let mut reasons: Vec<(BlockIndex, Reason)> = Vec::with_capacity(divergent.len() + branches.len());
        for definition in divergent {
            let reason = match self.found.values[definition.value as usize] {
                Some(Cause::Source) => format!("source: {}", self.lowered.source(self.function, definition)),
                Some(cause) => self.reason(cause),
                None => continue,
            };
            let value = Some(self.function.register_name(definition.register));
            let block = Some(self.function.block_name(definition.block));
            reasons.push((definition.block, Reason { block, value, reason }));
        }
        for &block in branches {
            let reason = match self.found.branches[block as usize] {
                Some(Cause::Source) => format!("source: {}", self.lowered.branch_source(self.function, block)),
                Some(cause) => self.reason(cause),
                None => continue,
            };
            reasons.push((block, Reason { block: Some(self.function.block_name(block)), value: None, reason }));
        }
        // The branch of a block is behind its values.
        reasons.sort_by_key(|&(block, _)| block);
        reasons.into_iter().map(|(_, reason)| reason).collect()
    }

    /// The rule that applied, and what it applied to.
    fn reason(&self, cause: Cause) -> String {
        match cause {
            Cause::Source => "source".to_owned(),
            Cause::Operand(value) => match self.register(value) {
                Some(register) => format!("operand: {register}"),
                // Several registers decide together: the one that is divergent is said.
                None => self.found.values[value as usize].map_or_else(String::new, |cause| match cause {
                    Cause::Operand(value) => format!("operand: {}", self.register(value).unwrap_or_default()),
                    cause => self.reason(cause),
                }),
            },
            Cause::Join { branch } => format!("join: of the branch of {}", self.block(branch)),
            Cause::Temporal { value, exit, .. } => {
                let register = self.register(value).unwrap_or_default();
                format!("temporal: {register} from the cycle at {}", self.block(exit.header))
            }
            Cause::AssumedDivergent { header, .. } => {
                format!("assumed-divergent: by the cycle at {}", self.block(header))
            }
        }
    }

    fn register(&self, value: ValueIndex) -> Option<String> {
        self.lowered.register(value).map(|register| self.function.register_name(register))
    }
}
