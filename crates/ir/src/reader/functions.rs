//! Reading every function of a module.

use std::cmp::Reverse;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::error::ReadError;
use super::{BodyEnds, FunctionReader};
use crate::function::Function;
use crate::module::{FunctionId, Module};

/// Reads a module and hands each defined function to `visit`, on the threads of the current `rayon` pool. The results
/// are in the order of the text. A function lives only as long as its visit, so memory does not
/// grow with the module.
///
/// # Errors
/// When the text is not LLVM IR: the first error in the order of the text.
///
/// ```
/// let text = b"define void @f() {\n  ret void\n}\n";
/// let (module, blocks) = reconverge_ir::read_functions(text, |_, _, function| function.blocks.len()).unwrap();
/// assert_eq!(blocks, [1]);
/// assert_eq!(module.functions.len(), 1);
/// ```
pub fn read_functions<'t, R: Send>(
    text: &'t [u8],
    visit: impl Fn(&Module<'t>, FunctionId, &Function) -> R + Sync,
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    let prepare = |_: &Module<'t>| Ok(());
    read_functions_with(text, prepare, |module, (), (): &mut (), id, function| visit(module, id, function))
}

/// The same for visits that need something: `prepare` makes from the module what they share, and each thread has a
/// workspace that it keeps from visit to visit.
///
/// # Errors
/// When the text is not LLVM IR, or `prepare` says so.
pub fn read_functions_with<'t, S: Send + Sync, W: Default, R: Send>(
    text: &'t [u8],
    prepare: impl Fn(&Module<'t>) -> Result<S, ReadError> + Sync,
    visit: impl Fn(&Module<'t>, &S, &mut W, FunctionId, &Function) -> R + Sync,
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    read_functions_unless(text, prepare, |_, _, _| None, visit)
}

/// The same, but what `pass_over` has an answer for is not read.
///
/// # Errors
/// As [`read_functions_with`]; bodies that are passed over have no errors.
pub fn read_functions_unless<'t, S: Send + Sync, W: Default, R: Send>(
    text: &'t [u8],
    prepare: impl Fn(&Module<'t>) -> Result<S, ReadError> + Sync,
    pass_over: impl Fn(&Module<'t>, &S, FunctionId) -> Option<R> + Sync,
    visit: impl Fn(&Module<'t>, &S, &mut W, FunctionId, &Function) -> R + Sync,
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    // The fast index is right for everything that LLVM prints, and the exact one for everything. Where both fail, the
    // one that got further has understood more of the text.
    visit_all(text, BodyEnds::AtLineStart, &prepare, &pass_over, &visit).or_else(|fast| {
        let exact = visit_all(text, BodyEnds::ByBrackets, &prepare, &pass_over, &visit);
        exact.map_err(|exact| if exact.offset > fast.offset { exact } else { fast })
    })
}

fn visit_all<'t, S: Send + Sync, W: Default, R: Send>(
    text: &'t [u8],
    ends: BodyEnds,
    prepare: &(impl Fn(&Module<'t>) -> Result<S, ReadError> + Sync),
    pass_over: &(impl Fn(&Module<'t>, &S, FunctionId) -> Option<R> + Sync),
    visit: &(impl Fn(&Module<'t>, &S, &mut W, FunctionId, &Function) -> R + Sync),
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    let module = Module::read(text, ends)?;
    let definitions: Vec<FunctionId> = module.definitions().collect();
    // The longest body is read while the rest is prepared.
    let longest =
        definitions.iter().copied().max_by_key(|&id| module.functions[id].body.map(|body| body.range().len()));
    let read = |id: FunctionId| {
        let mut function = Function::default();
        FunctionReader::new(&module).read_into(id, &mut function).ok().map(|()| function)
    };
    let (shared, ahead) = rayon::join(|| prepare(&module), || longest.and_then(read));
    let shared = shared.map_err(|error| {
        // It may have looked at a later function first.
        let mut reader = FunctionReader::new(&module);
        let first = definitions.iter().find_map(|&id| reader.read_into(id, &mut Function::default()).err());
        first.unwrap_or(error)
    })?;
    // Long bodies first: what is left at the end is short, and no thread waits long for another.
    let mut order: Vec<usize> = (0..definitions.len()).collect();
    order.sort_by_key(|&index| Reverse(module.functions[definitions[index]].body.map(|body| body.range().len())));
    let next = AtomicUsize::new(0);
    let work = |_| {
        let (mut reader, mut function) = (FunctionReader::new(&module), Function::default());
        let mut workspace = W::default();
        let taken = iter::from_fn(|| order.get(next.fetch_add(1, Ordering::Relaxed)).copied());
        let done = taken.map(|index| {
            let id = definitions[index];
            if let Some(passed) = pass_over(&module, &shared, id) {
                return (index, Ok(passed));
            }
            if let (Some(ahead), true) = (&ahead, longest == Some(id)) {
                return (index, Ok(visit(&module, &shared, &mut workspace, id, ahead)));
            }
            let read = reader.read_into(id, &mut function);
            (index, read.map(|()| visit(&module, &shared, &mut workspace, id, &function)))
        });
        done.collect::<Vec<_>>()
    };
    let workers = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
    let mut results: Vec<(usize, Result<R, ReadError>)> = workers.flat_map_iter(work).collect();
    results.sort_unstable_by_key(|&(index, _)| index);
    let results = results.into_iter().map(|(_, result)| result);
    let results = results.collect::<Result<Vec<R>, ReadError>>()?;
    Ok((module, results))
}
