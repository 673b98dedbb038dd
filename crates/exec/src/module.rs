//! What a module offers to be run.

use std::sync::atomic::{AtomicBool, AtomicU64};

use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::lower::ModuleFacts;
use reconverge_ir::{Module, text};

use crate::launch::{Launch, Outcome};

/// A module that can be run.
#[derive(Debug)]
pub struct Program {
    kernels: Vec<KernelInfo>,
}

/// A kernel, seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelInfo {
    /// Its name, without sigil.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<ParameterInfo>,
    /// The size of workgroups that it requires, where it does.
    pub required_block: Option<[u32; 3]>,
    /// Whether it, or a function that it calls, has convergence tokens.
    pub has_tokens: bool,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInfo {
    /// Its name, without sigil; its number where it has none.
    pub name: String,
    /// Its type, as in the text.
    pub ty: String,
    /// Whether it is a pointer.
    pub is_pointer: bool,
    /// Whether it points to memory of a workgroup.
    pub is_local: bool,
}

/// Why a module cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct PrepareError(String);

/// Why a launch is none.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct LaunchError(String);

/// What is shared with a run while it goes on.
#[derive(Debug, Default)]
pub struct Control {
    /// Set from outside to end the run early.
    pub cancel: AtomicBool,
    /// Instructions so far, counted once for each thread.
    pub instructions: AtomicU64,
    /// Workgroups that have come to their end.
    pub workgroups_done: AtomicU64,
}

impl Program {
    /// Reads a module.
    ///
    /// # Errors
    /// When it is not LLVM IR.
    pub fn prepare(module_text: &[u8], path: &str, target: Option<&Target>) -> Result<Program, PrepareError> {
        let module = Module::read(module_text, reconverge_ir::BodyEnds::ByBrackets).map_err(|error| {
            let position = text::position(module_text, error.offset);
            PrepareError(format!("{path}:{}:{}: {}", position.line, position.column, error.message))
        })?;
        let triple = module.target_triple();
        let target = target.unwrap_or_else(|| Target::for_triple(&triple));
        let facts = ModuleFacts::new(&module, target);
        let ids = target.kernels(&module);
        let kernels = module.definitions().filter(|id| ids.contains(id)).map(|id| {
            let function = &module.functions[id];
            let parameters = function.parameters.iter().enumerate().map(|(index, parameter)| {
                let ty = module.display_type(parameter.ty);
                ParameterInfo {
                    name: parameter.name.map_or_else(|| index.to_string(), |name| module.local_name(name)),
                    is_pointer: ty.starts_with("ptr"),
                    is_local: ty == "ptr addrspace(3)",
                    ty,
                }
            });
            KernelInfo {
                name: String::from_utf8_lossy(&module.symbol_name(function.symbol)).into_owned(),
                parameters: parameters.collect(),
                required_block: match facts.launch(&module, id).extents {
                    [Some(x), Some(y), Some(z)] => Some([x, y, z]),
                    _ => None,
                },
                has_tokens: module.has_convergence_control(),
            }
        });
        Ok(Program { kernels: kernels.collect() })
    }

    /// The kernels, in the order of the text.
    pub fn kernels(&self) -> Vec<KernelInfo> {
        self.kernels.clone()
    }
}

/// Runs a kernel.
///
/// # Errors
/// When the launch does not fit the kernel.
pub fn run(_program: &Program, launch: &Launch, _control: &Control) -> Result<Outcome, LaunchError> {
    Err(LaunchError(format!("@{} cannot be run yet", launch.kernel)))
}
