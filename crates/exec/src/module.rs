//! What a module offers to be run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use reconverge_analysis::lower::lower;
use reconverge_analysis::rules;
use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::lower::ModuleFacts;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::{FunctionId, Module, SymbolKind, text};
use reconverge_valid::Checked;

use crate::launch::{Launch, Outcome};
use crate::layout::shape;
use crate::linked::Linked;
use crate::machine::observer::Observer;
use crate::parameters::{Members, Passed, PassedMember, in_memory, passed};
use crate::program::{Executable, LOCAL_SPACE, Unsupported, link};
use crate::statements::Statements;

/// A module that can be run.
#[derive(Debug)]
pub struct Program<'t> {
    module: Checked<'t>,
    /// Decided once: that which was asked for, else that of the triple.
    target: &'t Target,
    path: String,
    kernels: Vec<KernelInfo>,
    statements: Option<Statements<'t>>,
    members: Members,
    is_of_source: bool,
}

/// A kernel, seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelInfo {
    /// Its name, without sigil.
    pub name: String,
    /// Its parameters, in order; behind them the buffers that it finds by their bindings.
    pub parameters: Vec<ParameterInfo>,
    /// The size of workgroups that it requires, where it does.
    pub required_block: Option<[u32; 3]>,
    /// The most threads that a workgroup of it may have, where it says so.
    pub most_threads: Option<u32>,
    /// Whether it, or a function that it calls, has convergence tokens.
    pub has_tokens: bool,
}

/// A parameter of a kernel, a member of one that is a struct with pointers, or a buffer that it finds by its binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInfo {
    /// Its name, without sigil; its number where it has none.
    pub name: String,
    /// Its type, as in the text.
    pub ty: String,
    /// Whether it is a pointer.
    pub is_pointer: bool,
    /// Of a struct that is passed in memory: of how many numbers it consists.
    pub numbers: Option<usize>,
    /// Whether it points to memory of a workgroup.
    pub is_local: bool,
    /// Whether it is no parameter: the kernel asks for a buffer at a binding.
    pub is_resource: bool,
}

/// Why a module cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{path}:{}:{}: {message}", position.line, position.column)]
#[non_exhaustive]
pub struct PrepareError {
    /// What the module is called.
    pub path: String,
    /// The place.
    pub position: text::Position,
    /// What is wrong there.
    pub message: String,
}

/// Why a launch is none.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct LaunchError(String);

impl LaunchError {
    pub(crate) fn new(message: impl Into<String>) -> LaunchError {
        LaunchError(message.into())
    }
}

/// Whom a run tells how far it is.
pub type Watcher = Box<dyn Fn(&Control) + Send + Sync>;

/// What is shared with a run while it goes on.
#[derive(Default)]
pub struct Control {
    /// Set from outside to end the run early.
    pub cancel: Arc<AtomicBool>,
    /// Instructions so far, counted once for each thread.
    pub instructions: AtomicU64,
    /// Workgroups that have come to their end.
    pub workgroups_done: AtomicU64,
    /// Told now and then that these numbers are others, by any thread of the run.
    pub watcher: Option<Watcher>,
}

impl Control {
    /// Tells whoever watches.
    pub(crate) fn tell(&self) {
        if let Some(watcher) = &self.watcher {
            watcher(self);
        }
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Control { cancel, instructions, workgroups_done, watcher: _ } = self;
        let mut shown = formatter.debug_struct("Control");
        shown.field("cancel", cancel).field("instructions", instructions).field("workgroups_done", workgroups_done);
        shown.finish_non_exhaustive()
    }
}

impl<'t> Program<'t> {
    /// Reads a module; `path` is what messages call it, `target` is instead of that which the triple says.
    ///
    /// # Errors
    /// When it is not LLVM IR, or not valid.
    pub fn prepare(module_text: &'t [u8], path: &str, target: Option<&'t Target>) -> Result<Program<'t>, PrepareError> {
        let module = Checked::read(module_text).map_err(|error| {
            let position = text::position(module_text, error.offset);
            PrepareError { path: path.to_owned(), position, message: error.message }
        })?;
        let triple = module.target_triple();
        let target = target.unwrap_or_else(|| Target::for_triple(&triple));
        let facts = ModuleFacts::new(&module, target);
        let ids = target.kernels(&module);
        let members = Members::default();
        let kernels = module.definitions().filter(|id| ids.contains(id));
        let kernels = kernels.map(|id| kernel_info(&module, &facts, &members, id)).collect();
        let path = path.to_owned();
        Ok(Program { module, target, path, kernels, statements: None, members, is_of_source: false })
    }

    /// The same, where it is known what members of structs are called: a launch gives those of a struct that is passed by value and has pointers, one by one.
    #[must_use]
    pub fn with_members(mut self, members: Members) -> Program<'t> {
        if members.is_empty() {
            return self;
        }
        let facts = ModuleFacts::new(&self.module, self.target);
        let ids: Vec<FunctionId> = self.kernels.iter().filter_map(|kernel| self.find(&kernel.name)).collect();
        self.kernels = ids.into_iter().map(|id| kernel_info(&self.module, &facts, &members, id)).collect();
        self.members = members;
        self
    }

    /// The same as a translation of source: messages say places there.
    #[must_use]
    pub fn of_source(self, is_of_source: bool) -> Program<'t> {
        Program { is_of_source, ..self }
    }

    /// The same with what it was made from, to be run by [`Model::Statements`](crate::launch::Model::Statements).
    #[must_use]
    pub fn with_statements(self, statements: Statements<'t>) -> Program<'t> {
        Program { statements: Some(statements), ..self }
    }

    /// Whether it is known what it was made from.
    pub fn has_statements(&self) -> bool {
        self.statements.is_some()
    }

    /// The kernels, in the order of the text.
    pub fn kernels(&self) -> Vec<KernelInfo> {
        self.kernels.clone()
    }

    /// Any function with a body, seen as a kernel.
    pub fn function(&self, name: &str) -> Option<KernelInfo> {
        let id = self.find(name)?;
        let facts = ModuleFacts::new(&self.module, self.target);
        Some(kernel_info(&self.module, &facts, &self.members, id))
    }

    /// The target.
    pub fn target(&self) -> &'t Target {
        self.target
    }

    /// The text of the module.
    pub fn text(&self) -> &'t [u8] {
        self.module.text
    }

    /// The module.
    pub fn module(&self) -> &Module<'t> {
        &self.module
    }

    pub(crate) fn passed(&self, id: FunctionId) -> Vec<Passed> {
        let layout = DataLayout::of(&self.module).unwrap_or_default();
        passed(&self.module, &layout, Some(&self.members), id)
    }

    fn find(&self, name: &str) -> Option<FunctionId> {
        let symbol = self.module.symbol_named(name.as_bytes())?;
        match self.module.symbols[symbol].kind {
            SymbolKind::Function(id) if self.module.functions[id].body.is_some() => Some(id),
            _ => None,
        }
    }

    /// Links a function with a body, as a kernel, for any number of launches.
    ///
    /// # Errors
    /// When there is none with this name, or it needs something that cannot be run.
    pub fn link(&self, kernel: &str) -> Result<Linked<'_>, LaunchError> {
        let id = self
            .find(kernel)
            .ok_or_else(|| LaunchError(format!("{}: there is no function @{kernel} with a body", self.path)))?;
        let executable = link(&self.module, self.target, id).map_err(|refused| self.refusal(&refused))?;
        let tokens = self.check_tokens(&executable);
        Ok(Linked::new(
            Executable { statements: self.statements.as_ref(), members: Some(&self.members), ..executable },
            tokens,
        ))
    }

    /// Why something cannot be run, at its place in the source where the module was made from that.
    fn refusal(&self, refused: &Unsupported) -> LaunchError {
        let Unsupported { offset, reason, instruction } = refused;
        // Who reads source has not called the function of a library that is behind an operation.
        let called =
            reason.split_once(" is not supported: ").filter(|(name, _)| self.is_of_source && name.starts_with('@'));
        let reason = &called.map_or_else(|| reason.clone(), |(_, what)| format!("this call is not supported: {what}"));
        let written = instruction.as_ref().and_then(|&(_, place)| self.module.debug_location(place?));
        LaunchError(match (written.filter(|_| self.is_of_source), instruction) {
            (Some(place), _) => format!("{}:{}:{}: {reason}", place.file, place.line, place.column),
            // The kernel itself, of which the text is not the user's.
            (None, None) if self.is_of_source => format!("{}: {reason}", self.path),
            (None, instruction) => {
                let position = self.module.position(*offset);
                let instruction = instruction.iter().map(|(text, _)| format!(": `{text}`")).collect::<String>();
                format!("{}:{}:{}: {reason}{instruction}", self.path, position.line, position.column)
            }
        })
    }

    /// Tokens mean something only where the static rules are kept.
    fn check_tokens(&self, executable: &Executable<'_>) -> Result<(), LaunchError> {
        for code in executable.codes.values().filter(|code| !code.token_definitions.is_empty()) {
            let lowered = lower(&self.module, code.id, &code.ir);
            if let Some(violation) = rules::check(&lowered.flow).first() {
                return Err(LaunchError(format!(
                    "{}: @{} breaks {} ({}), so its tokens mean nothing; see reconverge check",
                    self.path,
                    code.name,
                    violation.rule.name(),
                    violation.rule.title()
                )));
            }
        }
        Ok(())
    }
}

/// Whether kernels may ask for buffers at bindings.
fn has_resources(module: &Module<'_>) -> bool {
    let names = module.symbols.keys().map(|symbol| module.symbol_name(symbol));
    names.into_iter().any(|name| name.starts_with(b"llvm.spv.resource.") || name.starts_with(b"llvm.dx.resource."))
}

fn kernel_info(module: &Checked<'_>, facts: &ModuleFacts<'_>, members: &Members, id: FunctionId) -> KernelInfo {
    let (function, launch) = (&module.functions[id], facts.launch(module, id));
    // Without a layout nothing can be run.
    let layout = DataLayout::of(module).unwrap_or_default();
    let numbers = |passed: &Passed| {
        let of_struct =
            in_memory(module, &function.parameters[passed.parameter]).filter(|_| passed.member.is_none())?;
        Some(shape(module, &layout, of_struct).ok()?.len())
    };
    let parameters = passed(module, &layout, Some(members), id).into_iter().map(|passed| {
        let of_whole = || module.display_type(function.parameters[passed.parameter].ty);
        let ty = passed.member.map_or_else(of_whole, PassedMember::ty);
        ParameterInfo {
            is_pointer: ty.starts_with("ptr"),
            numbers: numbers(&passed),
            name: passed.name,
            is_local: ty == format!("ptr addrspace({LOCAL_SPACE})"),
            is_resource: false,
            ty,
        }
    });
    let executable = has_resources(module).then(|| link(module, facts.target, id).ok()).flatten();
    let resources = executable.iter().flat_map(|executable| &executable.resources).map(|resource| ParameterInfo {
        name: resource.name.clone(),
        ty: module.display_type(resource.ty),
        is_pointer: true,
        numbers: None,
        is_local: false,
        is_resource: true,
    });
    KernelInfo {
        name: String::from_utf8_lossy(&module.symbol_name(function.symbol)).into_owned(),
        parameters: parameters.chain(resources).collect(),
        required_block: match launch.extents {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            _ => None,
        },
        most_threads: launch.workgroup_limit(),
        has_tokens: module.has_convergence_control(),
    }
}

/// Runs a kernel.
///
/// # Errors
/// When the launch does not fit the kernel, or the kernel needs something that cannot be run.
pub fn run(program: &Program<'_>, launch: &Launch, control: &Control) -> Result<Outcome, LaunchError> {
    program.link(&launch.kernel)?.run(launch, control)
}

/// Runs a kernel, its workgroups one after the other, and tells an observer what threads compute.
///
/// # Errors
/// As [`run`].
pub fn run_observed(
    program: &Program<'_>,
    launch: &Launch,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Outcome, LaunchError> {
    program.link(&launch.kernel)?.run_observed(launch, control, observer)
}
