//! Values that were statically uniform and are no longer ("Preservation of Uniformity at Use", property VT.3).
//!
//! *Correspondence* (VT.1) is by name: a result of an instruction before and one after are the same static instance where their functions
//! have the same name, they have the same name in the text, and the same opcode and type. Numbered values change theirs with
//! everything around them, so nothing is said of those. Parameters correspond by their place.

use cranelift_entity::EntityRef;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_exec::Program;
use reconverge_findings::change::Change;
use reconverge_findings::{Anchor, Code, Finding, Kind};
use reconverge_ir::function::{Definition, LocalName};
use reconverge_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

/// A value that has a name.
#[derive(Debug, Clone)]
struct Known {
    opcode: Opcode,
    ty: String,
    divergent: bool,
    at: Anchor,
}

/// By function and name.
type Values = FxHashMap<(String, String), Known>;

/// A finding for each value that was uniform in a subgroup and is divergent now.
pub(crate) fn no_longer_uniform(before: &Program<'_>, after: &Program<'_>, functions: &[String]) -> Vec<Finding> {
    let (Some(one), Some(other)) = (values(before, functions), values(after, functions)) else { return Vec::new() };
    let mut found: Vec<Finding> = Vec::new();
    for ((function, name), now) in &other {
        let Some(then) = one.get(&(function.clone(), name.clone())) else { continue };
        if then.divergent || !now.divergent || then.opcode != now.opcode || then.ty != now.ty {
            continue;
        }
        let Some(inst) = now.at.inst else { continue };
        found.push(Finding::new(Code::RC0605, now.at, Kind::Change(Change::NoLongerUniform(inst))));
    }
    found.sort_by_key(|finding| finding.at.span.start);
    found
}

fn values(program: &Program<'_>, functions: &[String]) -> Option<Values> {
    let options = ReportOptions { target: None, scopes: &[Scope::Subgroup] };
    let wanted = |module: &reconverge_ir::Module<'_>, id: reconverge_ir::FunctionId| {
        functions.iter().any(|name| *module.symbol_name(module.functions[id].symbol) == *name.as_bytes())
    };
    let (_, all) = analyze_functions(program.text(), &options, wanted, |subject, lowerer| {
        let answer = subject.analyze(lowerer, Scope::Subgroup, &Settings::refined()).answer();
        let (module, function) = (subject.module, subject.function);
        let name = String::from_utf8_lossy(&module.symbol_name(module.functions[subject.id].symbol)).into_owned();
        let mut divergent = vec![false; function.values.len()];
        for value in &answer.divergent_values {
            divergent[value.index()] = true;
        }
        let mut values: Vec<((String, String), Known)> = Vec::new();
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
            values.push(((name.clone(), module.local_name(inst.name)), known));
        }
        values
    })
    .ok()?;
    Some(all.into_iter().flatten().flatten().collect())
}
