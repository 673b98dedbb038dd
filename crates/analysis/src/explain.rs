//! From a [`Violation`] to what a user is told.

use reconverge_ir::function::Inst;
use reconverge_ir::{Function, FunctionId, Module};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Related};
use crate::flow::{NotAToken, OperationIndex, OperationKind, TokenSource};
use crate::lower::Lowered;
use crate::place::Place;
use crate::rules::Violation;

/// Describes a violation.
pub(crate) fn violation(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    lowered: &Lowered,
    violation: &Violation,
) -> Diagnostic {
    Explanation { place: Place { module, id, function }, lowered, violation }.diagnostic()
}

struct Explanation<'e, 't> {
    place: Place<'e, 't>,
    lowered: &'e Lowered,
    violation: &'e Violation,
}

impl Explanation<'_, '_> {
    fn diagnostic(&self) -> Diagnostic {
        let (message, label) = self.message();
        let mut diagnostic = self.place.diagnostic(self.violation.rule, self.inst(), message, label);
        if let Some(index) = self.bundle() {
            diagnostic.span = self.place.bundle(self.inst(), index);
        }
        diagnostic.related = self.related();
        if !self.violation.path.is_empty() {
            let closed = self.violation.rule != Code::RC0117;
            let what = if closed { "closed path" } else { "path on which the region is live" };
            diagnostic.notes.insert(0, format!("{what}: {}", self.place.path(&self.violation.path, closed)));
        }
        diagnostic
    }

    fn inst(&self) -> Inst {
        self.inst_of(self.violation.operation)
    }

    fn inst_of(&self, operation: OperationIndex) -> Inst {
        self.lowered.instructions[operation as usize]
    }

    fn name_of(&self, operation: Option<OperationIndex>) -> String {
        operation.map_or_else(|| "a token".to_string(), |operation| self.place.name(self.inst_of(operation)))
    }

    fn kind(&self) -> &'static str {
        match self.lowered.flow.operations[self.violation.operation as usize].kind {
            OperationKind::Entry => "entry intrinsic",
            OperationKind::Loop => "loop intrinsic",
            OperationKind::Anchor => "anchor intrinsic",
            OperationKind::Call => "call",
        }
    }

    /// The bundle to point at, for rules about bundles and uses.
    fn bundle(&self) -> Option<usize> {
        let operation = &self.lowered.flow.operations[self.violation.operation as usize];
        match self.violation.rule {
            Code::RC0107 | Code::RC0108 | Code::RC0109 => {
                Some(self.violation.bundle.map_or(0, |bundle| bundle as usize))
            }
            Code::RC0111 | Code::RC0113 | Code::RC0114 | Code::RC0115 | Code::RC0116 | Code::RC0117 => {
                let token = self.violation.definition.map(TokenSource::Operation);
                let names_token =
                    |bundle: &crate::flow::TokenBundle| bundle.iter().any(|source| Some(*source) == token);
                operation.bundles.iter().position(names_token)
            }
            _ => None,
        }
    }

    fn message(&self) -> (String, String) {
        let token = || self.name_of(self.violation.definition);
        let operation = self.place.name(self.inst());
        let function = self.place.module.function_name(self.place.id);
        let block = self.place.block_name(self.place.function.instructions[self.inst()].block);
        match self.violation.rule {
            Code::RC0101 => (
                format!("entry intrinsic in {function}, which is not convergent"),
                "only a convergent function gets its threads from its caller".to_string(),
            ),
            Code::RC0102 => (
                format!("entry intrinsic in block '{block}', which is not the entry block"),
                "belongs at the start of the entry block".to_string(),
            ),
            Code::RC0103 => {
                ("entry intrinsic occurs more than once".to_string(), "this one is superfluous".to_string())
            }
            Code::RC0104 | Code::RC0105 => (
                format!("{} comes after another convergent operation of block '{block}'", self.kind()),
                "must come first".to_string(),
            ),
            Code::RC0106 => (
                "loop intrinsic without a convergencectrl bundle".to_string(),
                "needs the token of the operation outside the cycle that it counts for".to_string(),
            ),
            Code::RC0107 => (
                format!("{} with a convergencectrl bundle", self.kind()),
                "this intrinsic starts from no token".to_string(),
            ),
            Code::RC0108 => self.malformed_bundle(),
            Code::RC0109 => (
                format!("the operand of convergencectrl is {}, not a convergence token", self.not_a_token()),
                "only the entry, loop and anchor intrinsics produce convergence tokens".to_string(),
            ),
            Code::RC0111 => (
                format!("token {} does not dominate this use", token()),
                "can be reached without executing the definition".to_string(),
            ),
            Code::RC0112 => (
                format!("uncontrolled convergent operation in {function}, which has controlled ones"),
                "has no convergencectrl bundle".to_string(),
            ),
            Code::RC0113 => (
                format!("{operation} uses token {} in a cycle that does not contain its definition", token()),
                "only a loop intrinsic may use a token from outside the cycle".to_string(),
            ),
            Code::RC0114 => (
                format!("token {} is used twice on a closed path that does not contain its definition", token()),
                "second use".to_string(),
            ),
            Code::RC0115 => (
                format!("two tokens are used on a closed path that contains the definition of neither {}", token()),
                "use of a second token".to_string(),
            ),
            Code::RC0116 => (
                format!("{operation} uses token {} on a closed path that it does not dominate", token()),
                match self.lowered.flow.operations[self.violation.operation as usize].kind {
                    OperationKind::Loop => "a heart belongs in the header of a reducible cycle".to_string(),
                    _ => "does not dominate every block of the path".to_string(),
                },
            ),
            Code::RC0117 => (
                format!(
                    "convergence regions are not well nested: token {} is used inside the region of {}",
                    token(),
                    self.name_of(self.violation.other)
                ),
                format!("{} is still used after this", self.name_of(self.violation.other)),
            ),
            code => (code.title().to_string(), String::new()),
        }
    }

    fn malformed_bundle(&self) -> (String, String) {
        let operation = &self.lowered.flow.operations[self.violation.operation as usize];
        let index = self.violation.bundle.map_or(0, |bundle| bundle as usize);
        match operation.bundles.get(index).map(|bundle| bundle.len()) {
            Some(count) if count != 1 => {
                (format!("convergencectrl bundle with {count} operands"), "takes exactly one token".to_string())
            }
            _ => (
                format!("{} with {} convergencectrl bundles", self.kind(), operation.bundles.len()),
                "a call has at most one".to_string(),
            ),
        }
    }

    fn not_a_token(&self) -> &'static str {
        let operation = &self.lowered.flow.operations[self.violation.operation as usize];
        let bundle = operation.bundles.get(self.violation.bundle.map_or(0, |bundle| bundle as usize));
        match bundle.and_then(|bundle| bundle.get(self.violation.operand.map_or(0, |operand| operand as usize))) {
            Some(TokenSource::Other(NotAToken::Poison)) => "poison",
            Some(TokenSource::Other(NotAToken::Undef)) => "undef",
            Some(TokenSource::Other(NotAToken::Argument)) => "a parameter",
            Some(TokenSource::Other(NotAToken::Phi)) => "a phi",
            Some(TokenSource::Other(NotAToken::Select)) => "a select",
            Some(TokenSource::Other(NotAToken::Constant)) => "a constant",
            Some(TokenSource::Other(NotAToken::Instruction)) => "the result of another instruction",
            Some(TokenSource::Operation(_)) | None => "the result of another call",
        }
    }

    fn related(&self) -> Vec<Related> {
        let point = |operation: Option<OperationIndex>, message: String| {
            operation.map(|operation| self.place.related(self.inst_of(operation), message))
        };
        let definition =
            point(self.violation.definition, format!("{} is defined here", self.name_of(self.violation.definition)));
        let other = match self.violation.rule {
            Code::RC0103 => "the first one",
            Code::RC0104 | Code::RC0105 => "convergent operation that comes first",
            Code::RC0112 => "controlled convergent operation",
            Code::RC0114 | Code::RC0115 => "first use",
            Code::RC0117 => "the region starts here",
            _ => "see also",
        };
        definition.into_iter().chain(point(self.violation.other, other.to_string())).collect()
    }
}
