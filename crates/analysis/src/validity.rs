//! What makes a module invalid, as findings (RC0001 to RC0006). What is valid says `reconverge_valid`.

use reconverge_ir::{Function, FunctionId, Module};
use reconverge_valid::{Breach, Rule};

use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::place::Place;

/// The code of a rule.
fn code(rule: Rule) -> Code {
    match rule {
        Rule::Types => Code::RC0001,
        Rule::Dominance => Code::RC0002,
        Rule::TokenDominance => Code::RC0111,
        Rule::Intrinsic => Code::RC0003,
        Rule::Unsized => Code::RC0004,
        Rule::Call => Code::RC0005,
        Rule::Structure => Code::RC0006,
    }
}

/// A breach in a function.
pub(crate) fn diagnostic(module: &Module<'_>, id: FunctionId, function: &Function, breach: &Breach) -> Diagnostic {
    let place = Place { module, id, function };
    let mut diagnostic = match breach.inst {
        Some(inst) => place.diagnostic(code(breach.rule), inst, breach.message.clone(), ""),
        None => Diagnostic { function: Some(module.function_name(id)), ..outside_functions(breach) },
    };
    let defined = breach.definition.filter(|&definition| Some(definition) != breach.inst);
    diagnostic.related.extend(defined.map(|definition| place.related(definition, "defined here")));
    diagnostic.notes.push(format!(
        "this is not valid LLVM IR; whether threads diverge in {} was not checked",
        module.function_name(id)
    ));
    diagnostic
}

/// A breach outside of functions.
pub(crate) fn outside_functions(breach: &Breach) -> Diagnostic {
    let code = code(breach.rule);
    Diagnostic {
        code,
        severity: code.severity(),
        message: breach.message.clone(),
        function: None,
        block: None,
        span: breach.span.range(),
        label: String::new(),
        source: None,
        related: Vec::new(),
        instances: Vec::new(),
        notes: Vec::new(),
    }
}
