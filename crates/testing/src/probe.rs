//! What LLVM's uniformity analysis says of calls, one call at a time.
//!
//! A call is written as in IR, but with types alone where its operands are variable: `i32 @llvm.amdgcn.readlane(i32, i32)`,
//! `float @llvm.amdgcn.interp.p1(float, i32 0, i32 0, i32)`. It is asked twice: in a kernel, whose parameters are
//! uniform, and in a function of another kind, whose are divergent. `print<uniformity>` takes time that grows with the
//! square of the module, so a module holds few calls.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};

use crate::llvm::{Input, Tools, run};

/// How LLVM takes the result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Uniform, whatever the operands are.
    Uniform,
    /// Uniform when the operands are.
    Operands,
    /// Divergent, whatever the operands are.
    Source,
}

/// How many calls one module holds.
const BATCH: usize = 40;

/// Asks LLVM about calls, for a triple and with the calling convention that kernels have there. Nothing for a call that
/// LLVM does not take for one of an intrinsic (its types are not those of the definition).
///
/// # Errors
///
/// When `opt` cannot be run, or says something that is not understood.
pub fn verdicts(tools: &Tools, triple: &str, kernel: &str, calls: &[&str]) -> Result<Vec<Option<Verdict>>> {
    let mut verdicts = vec![None; calls.len()];
    let mut pending: Vec<usize> = (0..calls.len()).collect();
    while !pending.is_empty() {
        let batch = &pending[..pending.len().min(BATCH)];
        match ask(tools, triple, kernel, batch.iter().map(|&index| calls[index]))? {
            Ok(said) => {
                batch.iter().zip(said).for_each(|(&index, verdict)| verdicts[index] = Some(verdict));
                pending.drain(..batch.len());
            }
            Err(rejected) => drop(pending.remove(rejected)),
        }
    }
    Ok(verdicts)
}

/// The verdicts on a few calls, or the first that is rejected.
fn ask<'c>(
    tools: &Tools,
    triple: &str,
    kernel: &str,
    calls: impl Iterator<Item = &'c str>,
) -> Result<Result<Vec<Verdict>, usize>> {
    /// How many lines each call has in the module.
    const LINES: usize = 2 * 4;
    let mut module = String::new();
    let mut count = 0;
    for (index, call) in calls.enumerate() {
        let (parameters, call) = with_operands(call)?;
        for (convention, name) in [(kernel, "u"), ("", "d")] {
            write!(
                module,
                "define {convention} void @{name}{index}({parameters}) {{\n%r = call {call}\nret void\n}}\n"
            )?;
        }
        count += 1;
    }
    let input = Input::new(module.as_bytes())?;
    let triple = format!("-mtriple={triple}");
    let arguments = ["-passes=print<uniformity>", "-disable-output", "-disable-verify", &triple];
    let output = run(&tools.opt, arguments.iter().map(AsRef::as_ref).chain([input.path.as_os_str()]))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let line = text.split(".ll:").nth(1).and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        let line = line.with_context(|| format!("opt says: {text}"))?;
        return Ok(Err((line - 1) / LINES));
    }
    let mut divergent = vec![[false; 2]; count];
    let mut function = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("UniformityInfo for function '") {
            let name = name.trim_end_matches("':");
            let index: usize = name[1..].parse()?;
            function = Some((index, usize::from(name.starts_with('d'))));
        } else if line.contains("DIVERGENT:") && line.contains("%r = ") {
            let (index, which) = function.context("a value before the first function")?;
            divergent[index][which] = true;
        }
    }
    let verdict = |&said: &[bool; 2]| match said {
        [false, false] => Ok(Verdict::Uniform),
        [false, true] => Ok(Verdict::Operands),
        [true, true] => Ok(Verdict::Source),
        [true, false] => bail!("divergent with uniform operands, uniform with divergent ones"),
    };
    let said: Vec<Verdict> = divergent.iter().map(verdict).collect::<Result<_>>()?;
    ensure!(said.len() == count, "not every function was printed");
    Ok(Ok(said))
}

/// The parameters for the operands that are types alone, and the call with them.
fn with_operands(call: &str) -> Result<(String, String)> {
    // The types before the callee can hold parentheses, and so can assembly.
    let callee = call.rfind('"').or(call.find('@')).context("a call names a function, or is of assembly")?;
    let open = callee + call[callee..].find('(').context("a call has operands in parentheses")?;
    let (callee, operands) = (&call[..open], &call[open + 1..]);
    let operands = operands.strip_suffix(')').context("a call ends in a parenthesis")?;
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for operand in operands.split(", ").filter(|operand| !operand.is_empty()) {
        let is_constant = operand.rsplit(' ').next().is_some_and(|last| {
            operand.contains(' ') && last.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
        });
        if is_constant {
            arguments.push(operand.to_owned());
        } else {
            arguments.push(format!("{operand} %a{}", parameters.len()));
            parameters.push(arguments[arguments.len() - 1].clone());
        }
    }
    Ok((parameters.join(", "), format!("{callee}({})", arguments.join(", "))))
}
