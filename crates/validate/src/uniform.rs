//! What corresponds in a program and a change of it, and what was statically uniform there and is no longer ("Preservation of Uniformity at Use").
//!
//! *Values* correspond (VT.1) by name: a result of an instruction before and one after are the same static instance where their functions
//! have the same name, they have the same name in the text, and the same opcode and type.
//! *Uses* correspond (VT.2) by their users, whatever their operands are called: an instruction that communicates, stores, branches or returns is the same one where both functions have one of its kind, with as
//! many operands. Of other uses nothing is said: passes exchange operands of arithmetic.
//! What corresponds and was uniform is to be so (VT.3), where it is computed and at each use: what threads have from different iterations of a cycle is divergent where it is used, if not where
//! it is computed. That executions correspond, too, and get what they got, is what comparing runs is about.

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::OperationKind;
use reconverge_analysis::lower::lower;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_exec::Program;
use reconverge_findings::change::Change;
use reconverge_findings::{Anchor, Code, Finding, Kind};
use reconverge_ir::function::{Definition, Extra, Function, Inst, LocalName, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::report::{Correspondence, Counted};

/// A value that has a name.
#[derive(Debug, Clone)]
struct Known {
    opcode: Opcode,
    ty: String,
    divergent: bool,
    at: Anchor,
}

/// An operand of a user.
#[derive(Debug, Clone, Copy)]
struct Used {
    divergent: bool,
    constant: bool,
    /// Where it is computed, if an instruction does.
    at: Option<Anchor>,
}

/// What is known of a program.
#[derive(Default)]
struct Facts {
    /// Values by function and name.
    values: FxHashMap<(String, String), Known>,
    /// Operands of users by function and kind; none where there are several of a kind.
    users: FxHashMap<(String, String), Option<Vec<Used>>>,
}

/// What corresponds, and a finding for each value that was uniform in a subgroup, where it is computed or used, and is divergent now.
pub(crate) fn correspondence(
    before: &Program<'_>,
    after: &Program<'_>,
    functions: &[String],
) -> (Option<Correspondence>, Vec<Finding>) {
    let (Some(one), Some(other)) = (facts(before, functions), facts(after, functions)) else {
        return (None, Vec::new());
    };
    let mut correspondence = Correspondence::default();
    let mut lost: Vec<Anchor> = Vec::new();
    for (name, now) in &other.values {
        let Some(then) = one.values.get(name) else { continue };
        if then.opcode != now.opcode || then.ty != now.ty {
            continue;
        }
        if !count(&mut correspondence.values, then.divergent, now.divergent) {
            lost.push(now.at);
        }
    }
    for (user, now) in &other.users {
        let (Some(now), Some(Some(then))) = (now, one.users.get(user)) else { continue };
        if then.len() != now.len() {
            continue;
        }
        for (then, now) in then.iter().zip(now) {
            if !then.constant && !count(&mut correspondence.uses, then.divergent, now.divergent) {
                lost.extend(now.at);
            }
        }
    }
    let mut found: Vec<Finding> = Vec::new();
    for at in lost {
        let Some(inst) = at.inst.filter(|_| found.iter().all(|finding| finding.at != at)) else { continue };
        found.push(Finding::new(Code::RC0605, at, Kind::Change(Change::NoLongerUniform(inst))));
    }
    found.sort_by_key(|finding| finding.at.span.start);
    (Some(correspondence), found)
}

/// Counts what corresponds. Whether it is still uniform, if it was.
fn count(counted: &mut Counted, was_divergent: bool, is_divergent: bool) -> bool {
    counted.all += 1;
    counted.uniform += u64::from(!was_divergent);
    counted.kept += u64::from(!was_divergent && !is_divergent);
    was_divergent || !is_divergent
}

fn facts(program: &Program<'_>, functions: &[String]) -> Option<Facts> {
    let options = ReportOptions { target: None, scopes: &[Scope::Subgroup] };
    let wanted = |module: &Module<'_>, id: FunctionId| {
        functions.iter().any(|name| *module.symbol_name(module.functions[id].symbol) == *name.as_bytes())
    };
    let (_, all) = analyze_functions(program.text(), &options, wanted, |subject, lowerer| {
        let (module, function) = (subject.module, subject.function);
        let users = users(module, subject.id, function);
        let uses =
            users.iter().flat_map(|&(_, inst)| used_by(function, inst).iter().map(move |&operand| (inst, operand)));
        let uses: Vec<(Inst, Value)> = uses.collect();
        let (analysis, divergent_uses) = subject.analyze_uses(lowerer, Scope::Subgroup, &Settings::refined(), &uses);
        let answer = analysis.answer();
        let name = String::from_utf8_lossy(&module.symbol_name(module.functions[subject.id].symbol)).into_owned();
        let mut divergent = vec![false; function.values.len()];
        for value in &answer.divergent_values {
            divergent[value.index()] = true;
        }
        let mut facts = Facts::default();
        for (value, data) in &function.values {
            let Definition::Instruction(index) = data.definition else { continue };
            let inst = &function.instructions[index];
            if !matches!(inst.name, LocalName::Text(_)) {
                continue;
            }
            let known = Known {
                opcode: inst.opcode,
                ty: module.display_type(data.ty),
                divergent: divergent[value.index()],
                at: Anchor::inst(subject.id, function, index),
            };
            facts.values.insert((name.clone(), module.local_name(inst.name)), known);
        }
        let mut divergent_uses = divergent_uses.into_iter();
        for (kind, inst) in users {
            let used = used_by(function, inst).iter().zip(divergent_uses.by_ref()).map(|(&operand, divergent)| {
                let definition = function.values[operand].definition;
                let at = match definition {
                    Definition::Instruction(index) => Some(Anchor::inst(subject.id, function, index)),
                    _ => None,
                };
                let constant = matches!(definition, Definition::Constant(_));
                Used { divergent, constant, at }
            });
            let used = used.collect();
            facts.users.entry((name.clone(), kind)).and_modify(|known| *known = None).or_insert(Some(used));
        }
        facts
    })
    .ok()?;
    let mut facts = Facts::default();
    for one in all.into_iter().flatten() {
        facts.values.extend(one.values);
        facts.users.extend(one.users);
    }
    Some(facts)
}

/// The operands of a user: of a call, its arguments.
fn used_by(function: &Function, inst: Inst) -> &[Value] {
    let operands = function.operands(inst);
    match function.instructions[inst].extra {
        Extra::Call(call) => &operands[..(function.calls[call].argument_count as usize).min(operands.len())],
        _ => operands,
    }
}

/// Instructions that are known by what they do, by the kind that they are of.
fn users(module: &Module<'_>, id: FunctionId, function: &Function) -> Vec<(String, Inst)> {
    let lowered = lower(module, id, function);
    let operations = lowered.flow.operations.iter().zip(&lowered.instructions);
    let calls = operations.filter(|(operation, _)| operation.kind == OperationKind::Call).filter_map(|(_, &inst)| {
        let Extra::Call(call) = function.instructions[inst].extra else { return None };
        let callee = function.calls[call].callee.expand()?;
        Some((format!("call {}", String::from_utf8_lossy(&module.symbol_name(callee))), inst))
    });
    let others = function.instructions.iter().filter_map(|(inst, data)| {
        let is_user = matches!(data.opcode, Opcode::Store | Opcode::Ret | Opcode::Br | Opcode::Switch);
        (is_user && !function.operands(inst).is_empty()).then(|| (format!("{:?}", data.opcode), inst))
    });
    calls.chain(others).collect()
}
