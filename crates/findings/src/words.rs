//! All sentences about findings.
//!
//! [`Words`] makes a [`Diagnostic`] of a [`Finding`]: it reads the functions that the finding is about once more, and asks its [`Voice`] what things
//! are called. A module for each kind of finding: `tokens`, `control` (with the chains), `attributes`, `run`, `change`; what to do about
//! them is `remedy`, and `comments`, for what is wrong about comments that allow findings.

mod attributes;
mod change;
mod comments;
mod control;
mod remedy;
mod run;
mod tokens;

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use reconverge_ir::{Function, FunctionId, FunctionReader, Module, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::anchor::Anchor;
use crate::change::Change;
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Related};
use crate::finding::{Finding, Kind};
use crate::fingerprint::Fingerprint;
use crate::scene::{Scene, describe_location};
use crate::voice::{IrVoice, Voice};

pub use comments::CommentBreach;
pub use control::{ChainWords, arrows, requirement};

/// So many bodies are kept: findings come function by function, and those of a run are in a few.
const KEPT: usize = 64;

/// Words findings of one module.
pub struct Words<'m, 't> {
    module: &'m Module<'t>,
    voice: Box<dyn Voice + 'm>,
    bodies: RefCell<FxHashMap<FunctionId, Rc<Function>>>,
}

/// The parts of a diagnostic that are words.
#[derive(Debug, Default)]
struct Said {
    message: String,
    label: String,
    related: Vec<Related>,
    /// The path that shows it.
    path: Option<String>,
    notes: Vec<String>,
}

impl Said {
    fn new(message: impl Into<String>, label: impl Into<String>) -> Said {
        Said { message: message.into(), label: label.into(), ..Said::default() }
    }
}

/// That the threads of an operation are up to the implementation, and why.
pub fn up_to_implementation(operation: &str, why: &str) -> String {
    format!("which threads execute {operation} together is up to the implementation: {why}")
}

/// A place of the file that a finding of source is in.
fn in_file(span: Span, what: &str) -> Related {
    Related { span: span.range(), message: what.to_owned(), source: None, extent: None, is_step: false }
}

/// The findings of a module in the names of its IR, with numbers that tell equals apart.
pub fn in_ir(module: &Module<'_>, findings: &[Finding]) -> Vec<Diagnostic> {
    let words = Words::new(module, IrVoice);
    let mut diagnostics: Vec<Diagnostic> = findings.iter().map(|finding| words.diagnostic(finding)).collect();
    crate::fingerprint::number(&mut diagnostics);
    diagnostics
}

impl<'m, 't> Words<'m, 't> {
    /// For findings of a module.
    pub fn new(module: &'m Module<'t>, voice: impl Voice + 'm) -> Words<'m, 't> {
        Words { module, voice: Box::new(voice), bodies: RefCell::default() }
    }

    /// A finding in words. Reads the functions that it is about, unless they were read for one of the last findings.
    pub fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        let Anchor { function, inst, span, location } = finding.at;
        let body = function.map(|id| (id, self.body(id)));
        let scene = body.as_ref().map(|(id, function)| Scene { module: self.module, id: *id, function });
        let said = self.say(finding, scene);
        // What two programs differ in may be a function as a whole.
        let is_whole = inst.is_none() && matches!(finding.kind, Kind::Change(_));
        let declared = || function.filter(|_| is_whole).and_then(|id| self.module.declared_at(id));
        let source = location.and_then(|node| self.module.debug_location(node)).or_else(declared);
        // Where a run or a change shows something, the place is what was executed.
        let is_static = !matches!(finding.kind, Kind::Run(_) | Kind::Change(_));
        let place = source.as_ref().filter(|_| is_static && self.voice.speaks_ir());
        let place = place.map(|source| format!("in the source: {}", describe_location(source)));
        let block = scene
            .zip(inst)
            .and_then(|(scene, inst)| Some(scene.block_name(scene.function.instructions.get(inst)?.block)));
        Diagnostic {
            code: finding.code,
            severity: finding.severity,
            fingerprint: self.fingerprint(finding, scene),
            message: said.message,
            function: self.function(finding),
            instances: finding.instances.iter().map(|&id| self.module.function_name(id)).collect(),
            inputs: Vec::new(),
            block,
            span: span.range(),
            label: said.label,
            source,
            ir: None,
            extent: self.extent(finding.at),
            also: self.also(finding),
            related: said.related,
            notes: said.path.into_iter().chain(place).chain(said.notes).collect(),
            remedy: self.remedy(finding, scene),
            suppression: None,
        }
    }

    /// Runs `say` on the function that a finding is in.
    pub fn scene<R>(&self, finding: &Finding, say: impl FnOnce(Scene<'_, '_>) -> R) -> Option<R> {
        self.there(finding.at, say)
    }

    /// The other places with the same cause. One call of the source may be many instructions: it is one place.
    fn also(&self, finding: &Finding) -> Vec<Related> {
        let mut known = FxHashSet::default();
        if self.voice.speaks_ir() {
            return finding.also.iter().map(|&at| self.related(at, self.there_too(at))).collect();
        }
        let mut is_new = |at: Anchor| {
            let source = at.location.and_then(|node| self.module.debug_location(node));
            let place = self.extent(at).zip(source.as_ref().map(|source| source.file.clone()));
            place.is_none_or(|place| known.insert(place))
        };
        is_new(finding.at);
        let places = finding.also.iter().filter(|&&at| is_new(at));
        places.map(|&at| self.related(at, self.there_too(at))).collect()
    }

    /// What stands at another place with the same cause.
    fn there_too(&self, at: Anchor) -> String {
        let callee = self.there(at, |scene| self.voice.callee(&scene, at.inst?)).flatten();
        format!("the same goes for {}", callee.as_deref().unwrap_or("this"))
    }

    /// What is wrong, in one sentence without a full stop.
    pub fn message(&self, finding: &Finding) -> String {
        self.diagnostic(finding).message
    }

    fn say(&self, finding: &Finding, scene: Option<Scene<'_, '_>>) -> Said {
        match (&finding.kind, scene) {
            (Kind::Invalid { what, definition }, scene) => {
                let mut said = Said::new(what.clone(), "");
                if let Some(scene) = scene {
                    said.related.extend(definition.map(|inst| self.related(scene.anchor(inst), "defined here")));
                    let name = self.voice.symbol(self.module, self.module.functions[scene.id].symbol);
                    said.notes
                        .push(format!("this is not valid LLVM IR; whether threads diverge in {name} was not checked"));
                }
                said
            }
            (Kind::AddressTaken(intrinsic), _) => {
                Said::new(format!("the address of @{} is taken", intrinsic.name()), "not a direct call")
            }
            (Kind::Statement(statement), _) => {
                let message = up_to_implementation(&statement.operation, statement.why);
                let related = statement.places.iter().map(|&(span, what)| in_file(span, what));
                Said { related: related.collect(), ..Said::new(message, "") }
            }
            (Kind::Breach(breach), _) => {
                let related = breach.places.iter().map(|(span, what)| in_file(*span, what));
                let not_checked = |function| format!("whether threads diverge in `{function}` was not checked");
                let notes = breach.function.iter().map(not_checked).collect();
                Said { related: related.collect(), notes, ..Said::new(&breach.what, "") }
            }
            (Kind::Run(trouble), _) => self.trouble(finding.at, trouble),
            (Kind::Change(change), scene) => self.change(change, scene),
            (Kind::Tokens(breach), Some(scene)) => self.tokens(finding, breach, scene),
            (Kind::Hazard(hazard), Some(scene)) => self.hazard(finding, hazard, scene),
            (Kind::Hierarchies(hierarchies), Some(scene)) => self.hierarchies(finding, hierarchies, scene),
            (Kind::Attribute(breach), Some(scene)) => self.attribute(finding, *breach, scene),
            (Kind::Tokens(_) | Kind::Hazard(_) | Kind::Hierarchies(_) | Kind::Attribute(_), None) => {
                Said::new(finding.code.title(), "")
            }
        }
    }

    /// The function that a finding is in, with its sigil.
    fn function(&self, finding: &Finding) -> Option<String> {
        match (&finding.kind, finding.at.function) {
            (_, Some(id)) => Some(self.module.function_name(id)),
            (Kind::Statement(statement), None) => Some(format!("@{}", statement.function)),
            (Kind::Breach(breach), None) => breach.function.as_ref().map(|function| format!("@{function}")),
            (Kind::Change(Change::NotCompared { kernel, .. }), None) => Some(format!("@{kernel}")),
            (_, None) => None,
        }
    }

    fn fingerprint(&self, finding: &Finding, scene: Option<Scene<'_, '_>>) -> Fingerprint {
        let function = self.function(finding).unwrap_or_default();
        let inst = scene.zip(finding.at.inst);
        let opcode = inst.and_then(|(scene, inst)| Some(scene.function.instructions.get(inst)?.opcode.keyword()));
        let callee = inst.and_then(|(scene, inst)| scene.callee(inst)).map(|symbol| self.module.symbol_name(symbol));
        let operation = match &finding.kind {
            Kind::Statement(statement) => statement.operation.as_bytes(),
            _ => callee.as_deref().unwrap_or_default(),
        };
        Fingerprint::of(&[
            finding.code.name().as_bytes(),
            function.as_bytes(),
            opcode.unwrap_or_default().as_bytes(),
            operation,
        ])
    }

    /// The body of a function. That of one which cannot be read is empty; there are no findings in it.
    fn body(&self, id: FunctionId) -> Rc<Function> {
        let mut bodies = self.bodies.borrow_mut();
        if let Some(body) = bodies.get(&id) {
            return body.clone();
        }
        if bodies.len() >= KEPT {
            bodies.clear();
        }
        let body = Rc::new(FunctionReader::new(self.module).read(id).unwrap_or_default());
        bodies.insert(id, body.clone());
        body
    }

    /// Runs `say` on the function that a place is in.
    fn there<R>(&self, at: Anchor, say: impl FnOnce(Scene<'_, '_>) -> R) -> Option<R> {
        let id = at.function?;
        let function = self.body(id);
        Some(say(Scene { module: self.module, id, function: &function }))
    }

    fn extent(&self, at: Anchor) -> Option<Range<usize>> {
        self.there(at, |scene| self.voice.extent(&scene, at.inst?))?
    }

    fn symbol(&self, symbol: Symbol) -> String {
        self.voice.symbol(self.module, symbol)
    }

    fn related(&self, at: Anchor, message: impl Into<String>) -> Related {
        let source = at.location.and_then(|node| self.module.debug_location(node));
        Related { span: at.span.range(), message: message.into(), source, extent: self.extent(at), is_step: false }
    }

    /// A place in a few words: in the source, or by the line of the IR.
    fn place(&self, at: Anchor) -> String {
        match at.location.and_then(|node| self.module.debug_location(node)) {
            Some(location) => describe_location(&location),
            None => format!("line {}", self.module.position(at.span.start as usize).line),
        }
    }
}

impl Code {
    /// Whether it is about what threads take part in, in functions that several copies of code may share.
    pub fn is_about_threads(self) -> bool {
        (Code::RC0201..=Code::RC0301).contains(&self)
    }
}
