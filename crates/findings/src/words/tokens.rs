//! Breaches of the static rules of convergence control, in words.

use reconverge_ir::ConvergenceIntrinsic;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;

use super::{Said, Words, arrows};
use crate::codes::Code;
use crate::finding::{Finding, TokenBreach};
use crate::scene::Scene;

impl Words<'_, '_> {
    pub(super) fn tokens(&self, finding: &Finding, breach: &TokenBreach, scene: Scene<'_, '_>) -> Said {
        let Some(inst) = finding.at.inst else { return Said::new(finding.code.title(), "") };
        let Some(data) = scene.function.instructions.get(inst) else { return Said::new(finding.code.title(), "") };
        let block = data.block;
        let (message, label) = Breach { words: self, scene, breach, code: finding.code, inst, block }.message();
        let other = match finding.code {
            Code::RC0103 => "the first one",
            Code::RC0104 | Code::RC0105 => "convergent operation that comes first",
            Code::RC0112 => "controlled convergent operation",
            Code::RC0114 | Code::RC0115 => "first use",
            Code::RC0117 => "the region starts here",
            _ => "see also",
        };
        let definition =
            breach.definition.map(|inst| (inst, format!("{} is defined here", self.voice.instruction(&scene, inst))));
        let other = breach.other.map(|inst| (inst, other.to_owned()));
        let related = definition.into_iter().chain(other).map(|(inst, what)| self.related(scene.anchor(inst), what));
        let closed = finding.code != Code::RC0117;
        let what = if closed { "closed path" } else { "path on which the region is live" };
        let path = (!breach.path.is_empty()).then(|| {
            let closing = if closed { breach.path.first() } else { None };
            let blocks = breach.path.iter().chain(closing);
            let names: Vec<String> = blocks.map(|&block| self.voice.block(&scene, block)).collect();
            format!("{what}: {}", arrows(&names))
        });
        Said { related: related.collect(), path, ..Said::new(message, label) }
    }
}

struct Breach<'w, 'm, 't> {
    words: &'w Words<'m, 't>,
    scene: Scene<'w, 't>,
    breach: &'w TokenBreach,
    code: Code,
    inst: Inst,
    block: Block,
}

impl Breach<'_, '_, '_> {
    fn name_of(&self, inst: Option<Inst>) -> String {
        inst.map_or_else(|| "a token".to_owned(), |inst| self.words.voice.instruction(&self.scene, inst))
    }

    fn kind(&self) -> &'static str {
        match self.scene.intrinsic(self.inst) {
            Some(ConvergenceIntrinsic::Entry) => "entry intrinsic",
            Some(ConvergenceIntrinsic::Loop) => "loop intrinsic",
            Some(ConvergenceIntrinsic::Anchor) => "anchor intrinsic",
            None => "call",
        }
    }

    fn message(&self) -> (String, String) {
        let token = || self.name_of(self.breach.definition);
        let other = || self.name_of(self.breach.other);
        let operation = self.words.voice.instruction(&self.scene, self.inst);
        let function = self.words.symbol(self.scene.module.functions[self.scene.id].symbol);
        let block = self.words.voice.block(&self.scene, self.block);
        match self.code {
            Code::RC0101 => (
                format!("entry intrinsic in {function}, which is not convergent"),
                "only a convergent function gets its threads from its caller".to_owned(),
            ),
            Code::RC0102 => (
                format!("entry intrinsic in block '{block}', which is not the entry block"),
                "belongs at the start of the entry block".to_owned(),
            ),
            Code::RC0103 => ("entry intrinsic occurs more than once".to_owned(), "this one is superfluous".to_owned()),
            Code::RC0104 | Code::RC0105 => (
                format!("{} comes after another convergent operation of block '{block}'", self.kind()),
                "must come first".to_owned(),
            ),
            Code::RC0106 => (
                "loop intrinsic without a convergencectrl bundle".to_owned(),
                "needs the token of the operation outside the cycle that it counts for".to_owned(),
            ),
            Code::RC0107 => (
                format!("{} with a convergencectrl bundle", self.kind()),
                "this intrinsic starts from no token".to_owned(),
            ),
            Code::RC0108 => self.malformed_bundle(),
            Code::RC0109 => (
                format!("the operand of convergencectrl is {}, not a convergence token", self.not_a_token()),
                "only the entry, loop and anchor intrinsics produce convergence tokens".to_owned(),
            ),
            Code::RC0111 => (
                format!("token {} does not dominate this use", token()),
                "can be reached without executing the definition".to_owned(),
            ),
            Code::RC0112 => (
                format!("uncontrolled convergent operation in {function}, which has controlled ones"),
                "has no convergencectrl bundle".to_owned(),
            ),
            Code::RC0113 => (
                format!("{operation} uses token {} in a cycle that does not contain its definition", token()),
                "only a loop intrinsic may use a token from outside the cycle".to_owned(),
            ),
            Code::RC0114 => (
                format!("token {} is used twice on a closed path that does not contain its definition", token()),
                "second use".to_owned(),
            ),
            Code::RC0115 => (
                format!("two tokens are used on a closed path that contains the definition of neither {}", token()),
                "use of a second token".to_owned(),
            ),
            Code::RC0116 => (
                format!("{operation} uses token {} on a closed path that it does not dominate", token()),
                match self.scene.intrinsic(self.inst) {
                    Some(ConvergenceIntrinsic::Loop) => "a heart belongs in the header of a reducible cycle".to_owned(),
                    _ => "does not dominate every block of the path".to_owned(),
                },
            ),
            Code::RC0117 => (
                format!(
                    "convergence regions are not well nested: token {} is used inside the region of {}",
                    token(),
                    other()
                ),
                format!("{} is still used after this", other()),
            ),
            code => (code.title().to_owned(), String::new()),
        }
    }

    /// The operands of each `convergencectrl` bundle.
    fn bundles(&self) -> Vec<&[Value]> {
        let function = self.scene.function;
        let Extra::Call(call) = function.instructions[self.inst].extra else { return Vec::new() };
        function.token_bundles(&function.calls[call]).map(|bundle| function.list(bundle.operands)).collect()
    }

    fn malformed_bundle(&self) -> (String, String) {
        let bundles = self.bundles();
        let index = self.breach.bundle.map_or(0, |bundle| bundle as usize);
        match bundles.get(index).map(|bundle| bundle.len()) {
            Some(count) if count != 1 => {
                (format!("convergencectrl bundle with {count} operands"), "takes exactly one token".to_owned())
            }
            _ => (
                format!("{} with {} convergencectrl bundles", self.kind(), bundles.len()),
                "a call has at most one".to_owned(),
            ),
        }
    }

    fn not_a_token(&self) -> &'static str {
        let at = |index: Option<u32>| index.map_or(0, |index| index as usize);
        let bundles = self.bundles();
        let operand = bundles.get(at(self.breach.bundle)).and_then(|bundle| bundle.get(at(self.breach.operand)));
        match operand.map(|&value| self.scene.function.values[value].definition) {
            Some(Definition::Constant(ConstantData::Poison)) => "poison",
            Some(Definition::Constant(ConstantData::Undef)) => "undef",
            Some(Definition::Parameter(_)) => "a parameter",
            Some(Definition::Constant(_)) => "a constant",
            Some(Definition::Instruction(_)) if self.breach.definition.is_some() => "the result of another call",
            Some(Definition::Instruction(inst)) => match self.scene.function.instructions[inst].opcode {
                Opcode::Phi => "a phi",
                Opcode::Select => "a select",
                _ => "the result of another instruction",
            },
            Some(Definition::Pending(_)) | None => "the result of another call",
        }
    }
}
