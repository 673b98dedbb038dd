//! From IR to what the rules see: which calls are convergent operations, and where their tokens come from.
//!
//! A call-site is *convergent* when it calls a convergent function directly, or has the `convergent`
//! attribute or a `convergencectrl` bundle ("Convergent Operations" in the LLVM document).

use cranelift_entity::EntityRef;
use reconverge_findings::{Anchor, Code, Finding, Kind, TokenBreach};
use reconverge_graph::Node;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, BundleData, CallData, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module};
use smallvec::SmallVec;

use crate::flow::{
    ConvergentOperation, FlowFunction, NotAToken, OperationIndex, OperationKind, TokenBundle, TokenSource,
};
use crate::rules::Violation;

/// A function for the rules, and the way back to its text.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// What the rules see.
    pub flow: FlowFunction,
    /// The instruction of each operation of `flow`; ascending.
    pub instructions: Vec<Inst>,
}

impl Lowered {
    /// A breach as a finding. It points at the bundle that names the token, where there is one.
    pub(crate) fn finding(
        &self,
        module: &Module<'_>,
        id: FunctionId,
        function: &Function,
        violation: Violation,
    ) -> Finding {
        let Violation { rule, operation, definition, other, path, bundle, operand } = violation;
        let inst = self.instructions[operation as usize];
        let bundle = match rule {
            Code::RC0107 | Code::RC0108 | Code::RC0109 => Some(bundle.unwrap_or(0)),
            Code::RC0111 | Code::RC0113 | Code::RC0114 | Code::RC0115 | Code::RC0116 | Code::RC0117 => {
                let token = definition.map(TokenSource::Operation);
                let bundles = &self.flow.operations[operation as usize].bundles;
                let names_token = |bundle: &TokenBundle| bundle.iter().any(|source| Some(*source) == token);
                bundles.iter().position(names_token).map(|index| index as u32)
            }
            _ => None,
        };
        let mut at = Anchor::inst(id, function, inst);
        if let (Some(index), Extra::Call(call)) = (bundle, function.instructions[inst].extra)
            && let Some(bundle) = function.token_bundles(&function.calls[call]).nth(index as usize)
        {
            at.span = module.bundle_span(&function.instructions[inst], bundle);
        }
        let inst_of = |operation: Option<OperationIndex>| Some(self.instructions[operation? as usize]);
        let path = path.iter().map(|node| Block::new(node.index())).collect();
        let breach = TokenBreach { definition: inst_of(definition), other: inst_of(other), path, bundle, operand };
        Finding::new(rule, at, Kind::Tokens(breach))
    }
}

/// Lowers a function; O(instructions + edges).
pub fn lower(module: &Module<'_>, id: FunctionId, function: &Function) -> Lowered {
    let instructions: Vec<Inst> = convergent_calls(module, function).map(|(inst, _)| inst).collect();
    lower_operations(module, id, function, instructions)
}

/// The convergent operations of a function, in the order of the text.
pub fn convergent_operations<'f>(module: &'f Module<'_>, function: &'f Function) -> impl Iterator<Item = Inst> {
    convergent_calls(module, function).map(|(inst, _)| inst)
}

/// The convergent operations of a function, in the order of the text.
pub(crate) fn convergent_calls<'f>(
    module: &'f Module<'_>,
    function: &'f Function,
) -> impl Iterator<Item = (Inst, &'f CallData)> {
    function.instructions.iter().filter_map(move |(inst, data)| {
        let Extra::Call(call) = data.extra else { return None };
        let call = &function.calls[call];
        is_convergent(module, function, call).then_some((inst, call))
    })
}

fn is_convergent(module: &Module<'_>, function: &Function, call: &CallData) -> bool {
    call.convergent
        || call.callee.expand().is_some_and(|callee| module.is_convergent(callee))
        || function.token_bundles(call).next().is_some()
}

pub(crate) fn kind_of(module: &Module<'_>, call: &CallData) -> OperationKind {
    match call.callee.expand().and_then(|callee| module.convergence_intrinsic(callee)) {
        Some(ConvergenceIntrinsic::Entry) => OperationKind::Entry,
        Some(ConvergenceIntrinsic::Loop) => OperationKind::Loop,
        Some(ConvergenceIntrinsic::Anchor) => OperationKind::Anchor,
        None => OperationKind::Call,
    }
}

/// Lowers a function whose convergent operations are known.
pub(crate) fn lower_operations(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    instructions: Vec<Inst>,
) -> Lowered {
    let source = |value: Value| match function.values[value].definition {
        Definition::Instruction(inst) => match instructions.binary_search(&inst) {
            Ok(operation) => TokenSource::Operation(operation as u32),
            Err(_) => TokenSource::Other(match function.instructions[inst].opcode {
                Opcode::Phi => NotAToken::Phi,
                Opcode::Select => NotAToken::Select,
                _ => NotAToken::Instruction,
            }),
        },
        Definition::Parameter(_) => TokenSource::Other(NotAToken::Argument),
        Definition::Constant(ConstantData::Poison) => TokenSource::Other(NotAToken::Poison),
        Definition::Constant(ConstantData::Undef) => TokenSource::Other(NotAToken::Undef),
        Definition::Constant(_) | Definition::Pending(_) => TokenSource::Other(NotAToken::Constant),
    };
    let operation = |&inst: &Inst| {
        let data = &function.instructions[inst];
        let (kind, bundles) = match data.extra {
            Extra::Call(call) => {
                let call = &function.calls[call];
                let bundle = |bundle: &BundleData| -> TokenBundle {
                    function.list(bundle.operands).iter().copied().map(source).collect()
                };
                (kind_of(module, call), function.token_bundles(call).map(bundle).collect())
            }
            _ => (OperationKind::Call, SmallVec::new()),
        };
        ConvergentOperation {
            block: Node::new(data.block.index()),
            position: (inst.index() - function.blocks[data.block].first.index()) as u32,
            kind,
            bundles,
        }
    };
    let operations = instructions.iter().map(operation).collect();
    let is_convergent = module.functions[id].convergent;
    Lowered { flow: FlowFunction { graph: function.control_flow_graph(), is_convergent, operations }, instructions }
}
