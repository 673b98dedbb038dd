//! LLVM's verdict on each function of a module of many.
//!
//! `opt -passes=verify` checks every function of a module before it gives up, and prints, per finding, a line with the
//! message followed by the values it is about. The findings do not name the function. They can still be told apart
//! when the functions are written as [`crate::random`] writes them: function `f17`, every SSA name and block name in it
//! starting with `f17_`, and every call without a result carrying an integer of `17 * STRIDE` up to `18 * STRIDE`.
//! One process then judges thousands of functions: some 8 000 a second. The cost of a finding grows with the
//! module, so for tens of thousands [`llvm_verdicts_in_batches`] uses one process per [`BATCH`].

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use crate::llvm::Tools;
use crate::random;

/// How many unique integer arguments a function has for its calls: function *n* uses `n * STRIDE ..  (n + 1) * STRIDE`.
pub const STRIDE: usize = 1000;

/// LLVM's verdict on the functions of a module written in the convention of this module.
#[derive(Debug, Clone, Default)]
pub struct Verdicts {
    rejected: HashMap<usize, Vec<String>>,
}

impl Verdicts {
    /// The messages about function `f{index}`, in order and with repetitions: empty when it was accepted.
    pub fn messages(&self, index: usize) -> &[String] {
        self.rejected.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Whether function `f{index}` was accepted.
    pub fn accepts(&self, index: usize) -> bool {
        !self.rejected.contains_key(&index)
    }

    /// The functions that were rejected, in no order.
    pub fn rejected(&self) -> impl Iterator<Item = (usize, &[String])> {
        self.rejected.iter().map(|(&index, messages)| (index, messages.as_slice()))
    }
}

/// Runs LLVM's verifier once on the module and sorts its findings by function. Linear in the size of the module.
///
/// # Errors
///
/// When the module does not parse, or a finding names no function of the convention.
pub fn llvm_verdicts(tools: &Tools, module: &str) -> Result<Verdicts> {
    let verdict = tools.verify(module)?;
    let mut verdicts = Verdicts::default();
    if verdict.accepted {
        return Ok(verdicts);
    }
    for (message, values) in findings(&verdict.output) {
        let index = values
            .iter()
            .find_map(|line| function_of(line))
            .with_context(|| format!("finding of no known function: {message} {values:?}"))?;
        verdicts.rejected.entry(index).or_default().push(message.to_owned());
    }
    if verdicts.rejected.is_empty() {
        bail!("module rejected without a finding: {}", verdict.output);
    }
    Ok(verdicts)
}

/// How many functions one process judges in [`llvm_verdicts_in_batches`].
pub const BATCH: usize = 2000;

/// [`llvm_verdicts`] of any number of functions from [`crate::random::functions`], on all cores. Linear in their number.
///
/// # Errors
///
/// As [`llvm_verdicts`].
pub fn llvm_verdicts_in_batches(tools: &Tools, functions: &[String]) -> Result<Verdicts> {
    let batches: Vec<&[String]> = functions.chunks(BATCH).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut rejected = HashMap::new();
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            rejected.extend(llvm_verdicts(tools, &random::module_of(batch))?.rejected);
        }
        Ok(rejected)
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut verdicts = Verdicts::default();
        for handle in handles {
            let part: Result<HashMap<usize, Vec<String>>> = handle.join().expect("a worker does not panic");
            verdicts.rejected.extend(part?);
        }
        Ok(verdicts)
    })
}

/// Splits the verifier's output into messages and the lines that follow each.
fn findings(output: &str) -> Vec<(&str, Vec<&str>)> {
    let mut findings: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in output.lines().filter(|line| !line.trim().is_empty()) {
        if line.contains("error: input module is broken") {
            continue;
        }
        match findings.last_mut() {
            Some((_, values)) if !is_message(line) => values.push(line),
            _ => findings.push((line, Vec::new())),
        }
    }
    findings
}

/// Messages start at the margin with a capital letter (or an article); instructions are indented, other values start
/// with their type, a cycle with `depth=`.
fn is_message(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_uppercase()) && !line.starts_with("Token: ")
}

/// The function that a printed value belongs to: the first `f17` or `f17_...` name, else the first unique integer.
fn function_of(line: &str) -> Option<usize> {
    named_function(line).or_else(|| {
        let digits = line.split_once("(i32 ")?.1;
        let end = digits.find(|c: char| !c.is_ascii_digit())?;
        Some(digits[..end].parse::<usize>().ok()? / STRIDE)
    })
}

/// The number in the first `%f17`, `@f17` or `(f17_` of the line.
fn named_function(line: &str) -> Option<usize> {
    line.match_indices('f').find_map(|(at, _)| {
        let before = line[..at].chars().next_back();
        if !before.is_none_or(|c| matches!(c, '%' | '@' | '(' | ' ')) {
            return None;
        }
        let rest = &line[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let named = rest[end..].chars().next().is_none_or(|c| !c.is_ascii_alphanumeric());
        if named { rest[..end].parse().ok() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    #[test]
    fn each_function_gets_its_own_messages() {
        let Some(tools) = llvm::tools() else { return };
        let module = "
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.anchor()
declare void @op(i32) convergent
define void @f0() convergent {
  %f0_t = call token @llvm.experimental.convergence.entry()
  ret void
}
define void @f1() {
  %f1_t = call token @llvm.experimental.convergence.entry()
  ret void
}
define void @f2() {
f2_b0:
  %f2_t = call token @llvm.experimental.convergence.anchor()
  call void @op(i32 2000) [ \"convergencectrl\"(token %f2_t) ]
  call void @op(i32 2001)
  br label %f2_b1
f2_b1:
  call void @op(i32 2002) [ \"convergencectrl\"(token %f2_t) ]
  br label %f2_b1
}
define void @f13() {
  call void @op(i32 13000) [ \"convergencectrl\"(token poison) ]
  ret void
}
";
        let verdicts = llvm_verdicts(tools, module).unwrap();
        assert!(verdicts.accepts(0));
        assert_eq!(verdicts.messages(0), [] as [&str; 0]);
        assert_eq!(verdicts.messages(1), ["Entry intrinsic can occur only in a convergent function."]);
        assert_eq!(verdicts.messages(2).len(), 2, "{verdicts:?}");
        assert_eq!(verdicts.messages(13).len(), 1);
        assert_eq!(verdicts.rejected().count(), 3);
    }

    /// The verdict in a batch is the verdict alone.
    #[test]
    fn a_batch_agrees_with_single_modules() {
        let Some(tools) = llvm::tools() else { return };
        let batch = random::functions(7, 40, &random::Options::default());
        let verdicts = llvm_verdicts(tools, &random::module_of(&batch)).unwrap();
        for (index, function) in batch.iter().enumerate() {
            let alone = tools.verify(&random::module_of(std::slice::from_ref(function))).unwrap();
            assert_eq!(alone.accepted, verdicts.accepts(index), "{function}\n{}", alone.output);
        }
    }

    #[test]
    fn batches_agree_with_one_run() {
        let Some(tools) = llvm::tools() else { return };
        let functions = random::functions(9, BATCH + 500, &random::Options::default());
        let together = llvm_verdicts(tools, &random::module_of(&functions)).unwrap();
        let batched = llvm_verdicts_in_batches(tools, &functions).unwrap();
        assert_eq!(together.rejected, batched.rejected);
    }
}
