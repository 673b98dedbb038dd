//! What makes a module invalid, as findings (RC0001 to RC0006). What is valid says `reconverge_valid`.

use reconverge_ir::{Function, FunctionId};
use reconverge_valid::{Breach, Rule};

use reconverge_findings::{Anchor, Code, Finding, Kind};

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
pub(crate) fn in_function(id: FunctionId, function: &Function, breach: &Breach) -> Finding {
    let at = match breach.inst {
        Some(inst) => Anchor::inst(id, function, inst),
        None => Anchor::part(id, breach.span),
    };
    finding(at, breach)
}

/// A breach outside of functions.
pub(crate) fn outside_functions(breach: &Breach) -> Finding {
    finding(Anchor::outside(breach.span), breach)
}

fn finding(at: Anchor, breach: &Breach) -> Finding {
    let definition = breach.definition.filter(|&definition| Some(definition) != breach.inst);
    Finding::new(code(breach.rule), at, Kind::Invalid { what: breach.message.clone(), definition })
}
