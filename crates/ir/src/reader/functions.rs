//! Reading every function of a module.

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
    // The fast index is right for everything that LLVM prints, and the exact one for everything. Where both fail, the
    // one that got further has understood more of the text.
    visit_all(text, BodyEnds::AtLineStart, &visit).or_else(|fast| {
        let exact = visit_all(text, BodyEnds::ByBrackets, &visit);
        exact.map_err(|exact| if exact.offset > fast.offset { exact } else { fast })
    })
}

fn visit_all<'t, R: Send>(
    text: &'t [u8],
    ends: BodyEnds,
    visit: &(impl Fn(&Module<'t>, FunctionId, &Function) -> R + Sync),
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    let module = Module::read(text, ends)?;
    let definitions: Vec<FunctionId> = module.definitions().collect();
    let results: Vec<Result<R, ReadError>> = definitions
        .par_iter()
        .map_init(
            || (FunctionReader::new(&module), Function::default()),
            |(reader, function), &id| {
                reader.read_into(id, function)?;
                Ok(visit(&module, id, function))
            },
        )
        .collect();
    let results = results.into_iter().collect::<Result<Vec<R>, ReadError>>()?;
    Ok((module, results))
}
