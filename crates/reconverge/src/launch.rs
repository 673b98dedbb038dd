//! What is said of a launch: `exec::launch_grammar` reads it, `bind` fits it to a kernel.

pub(crate) mod bind;
pub(crate) mod command;

use reconverge_exec::launch_grammar::extent::Extent;
use reconverge_exec::{KernelInfo, Program};
use reconverge_ir::text;
use reconverge_lang::builtins::mangle::as_written;

use crate::module::{functions_near, is_called};
use crate::{Error, ErrorKind};

/// Something that cannot be asked of a kernel.
pub(crate) fn refuse(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Launch, "", message)
}

/// How many there are in x, y and z, from `X[,Y[,Z]]`.
///
/// # Errors
/// What was expected, in words.
pub fn extent(text: &str) -> Result<[u32; 3], String> {
    text.parse().map(|Extent(extent)| extent)
}

/// A kernel by its name, which may have its sigil and quotes; or any function with a body.
///
/// # Errors
/// When there is none, with what may have been meant.
pub(crate) fn kernel_named(program: &Program<'_>, asked: &str) -> Result<KernelInfo, Error> {
    let kernels = program.kernels();
    let called: Vec<&KernelInfo> = kernels.iter().filter(|kernel| is_called(kernel.name.as_bytes(), asked)).collect();
    match called[..] {
        [kernel] => return Ok(kernel.clone()),
        [] => {}
        [..] => {
            let called: Vec<KernelInfo> = called.into_iter().cloned().collect();
            let message = format!("several kernels are called `{asked}`: {}", list(&called));
            return Err(Error::new(ErrorKind::Name, "", message));
        }
    }
    let name = text::unquote(asked.strip_prefix('@').unwrap_or(asked).as_bytes());
    let name = String::from_utf8_lossy(&name);
    if let Some(function) = program.function(&name) {
        return Ok(function);
    }
    let is_mangled = |kernel: &KernelInfo| as_written(&kernel.name) != kernel.name;
    let near = functions_near(program.module(), &name).of_source(kernels.iter().any(is_mangled));
    let mut message = near.instead_of_function(&name);
    if !kernels.is_empty() {
        let end = if near.names().next().is_some() { " The" } else { "; the" };
        message.push_str(&format!("{end} kernels are {}", list(&kernels)));
    }
    Err(Error::new(ErrorKind::Name, "", message))
}

/// What a kernel is asked for by: its name as it is written, where that is the name of no other one.
pub(crate) fn asked_as(program: &Program<'_>, name: &str) -> String {
    let written = as_written(name);
    let is_it = kernel_named(program, &written).is_ok_and(|kernel| kernel.name == name);
    if is_it { written.into_owned() } else { name.to_owned() }
}

/// A function in a message: one that a compiler has mangled as it is written, which is how it can be asked for, too.
pub(crate) fn said(name: &str) -> String {
    let written = as_written(name);
    if written == name { format!("@{name}") } else { format!("`{written}`") }
}

/// `@a, @b`; kernels that are written alike by the names that tell them apart.
pub(crate) fn list(kernels: &[KernelInfo]) -> String {
    let is_alone = |name: &str| kernels.iter().filter(|other| as_written(&other.name) == as_written(name)).count() == 1;
    let name = |kernel: &KernelInfo| match is_alone(&kernel.name) {
        true => said(&kernel.name),
        false => format!("@{}", kernel.name),
    };
    kernels.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The kernel to run: the one that is asked for, which may be any function with a body; else the only one.
///
/// # Errors
/// When there is none, or there are several.
pub(crate) fn choose(asked: Option<&str>, program: &Program<'_>) -> Result<KernelInfo, Error> {
    if let Some(asked) = asked {
        return kernel_named(program, asked);
    }
    let name = |message: String| Error::new(ErrorKind::Name, "", message);
    match &program.kernels()[..] {
        [kernel] => Ok(kernel.clone()),
        [] => Err(name("there is no kernel here; --kernel runs any function with a body as one".to_owned())),
        several => Err(name(format!("there are several kernels, choose one with --kernel: {}", list(several)))),
    }
}
