//! What a command line says of a launch: `exec::launch_grammar` reads it, `bind` fits it to a kernel, `choose` finds that, `refusal` says
//! what cannot be.

pub(crate) mod bind;
pub(crate) mod refusal;

pub(crate) use reconverge_exec::launch_grammar::extent;
use reconverge_exec::{KernelInfo, Program};
use reconverge_ir::text;

use crate::near::Near;
use refusal::Refusal;

/// A kernel by its name, which may have its sigil and quotes; or any function with a body.
///
/// # Errors
/// When there is none, with what may have been meant.
pub(crate) fn kernel_named(program: &Program<'_>, asked: &str) -> Result<KernelInfo, Refusal> {
    let kernels = program.kernels();
    let name = text::unquote(asked.strip_prefix('@').unwrap_or(asked).as_bytes());
    let name = String::from_utf8_lossy(&name);
    if let Some(kernel) = kernels.iter().find(|kernel| kernel.name == name) {
        return Ok(kernel.clone());
    }
    if let Some(function) = program.function(&name) {
        return Ok(function);
    }
    let mut near = Near::default();
    kernels.iter().for_each(|kernel| near.consider(&name, &kernel.name));
    let mut message = format!("no function @{name} has a body here");
    if let Some(near) = near.names().next() {
        message.push_str(&format!("; did you mean @{near}?"));
    }
    if !kernels.is_empty() {
        message.push_str(&format!(" The kernels are {}", list(&kernels)));
    }
    Err(Refusal::new(message))
}

/// `@a, @b`
pub(crate) fn list(kernels: &[KernelInfo]) -> String {
    let names: Vec<String> = kernels.iter().map(|kernel| format!("@{}", kernel.name)).collect();
    names.join(", ")
}
