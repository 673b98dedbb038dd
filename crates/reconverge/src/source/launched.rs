//! In which blocks a file launches its own kernels: made-up launches have them, too, where nothing else says a size.

use reconverge_lang::translate::Translation;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The size of the blocks in which a file launches a kernel, the same in all its launches. Other files may launch it otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StatedBlock {
    /// The threads in each dimension.
    pub block: [u32; 3],
    /// The file of the first launch.
    pub path: String,
    /// Its line there.
    pub line: usize,
}

/// Those of a file, by the names of the kernels in IR.
pub(super) fn stated_blocks(translation: &Translation) -> FxHashMap<String, StatedBlock> {
    let stated = &translation.stated_blocks;
    if stated.is_empty() {
        return FxHashMap::default();
    }
    let functions = translation.program.iter().flat_map(|program| program.functions.values());
    let kernels = functions.filter(|data| data.is_kernel && data.body.is_some());
    let of_kernel = kernels.filter_map(|data| {
        let name = data.name.split('<').next()?.rsplit("::").next()?;
        let stated = stated.iter().find(|stated| stated.kernel == name)?;
        let at = translation.sources.position(stated.location)?;
        let (path, line) = (at.path.display().to_string(), at.line as usize);
        Some((data.linkage_name.clone(), StatedBlock { block: stated.block, path, line }))
    });
    of_kernel.collect()
}
