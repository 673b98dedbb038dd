//! Any bytes, read as source. The first byte says which language, target and text that defines convergence; how many others there are, what is done about what is not understood.

use std::path::Path;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_lang::lower::{LowerOptions, Lowered};
use reconverge_lang::options::{Dialect, LowerTarget, Options, Reading, SourceModel};
use reconverge_lang::translate::translate;

const DIALECTS: [Dialect; 5] = [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp];
const TARGETS: [LowerTarget; 4] = [LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx, LowerTarget::Generic];
const READINGS: [Reading; 4] = [Reading::Whole, Reading::Kernels, Reading::Parts, Reading::WithHost];
const MODELS: [SourceModel; 3] = [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08];

/// Translates a text as the first byte says, and reads what it is lowered to; gives whether it is a program.
///
/// # Panics
/// When a diagnostic is outside of its file, or what is written does not read.
pub fn survives(bytes: &[u8]) -> bool {
    let Some((&how, text)) = bytes.split_first() else { return false };
    let how = usize::from(how);
    let dialect = DIALECTS[how % 5];
    let target = if how >= 128 { LowerTarget::for_dialect(dialect) } else { TARGETS[how / 5 % 4] };
    let reading = READINGS[text.len() % READINGS.len()];
    let options = Options { target, reading, ..Options::new(dialect) };
    // No file of the machine is read: the folder is nowhere.
    let translation = translate(Path::new("/nowhere/fuzz"), text.to_vec(), &options, MODELS[how % 3]);
    for diagnostic in &translation.diagnostics {
        assert!(!diagnostic.message.contains('\n'), "a message has several lines: {diagnostic:?}");
        if let Some((file, offset)) = translation.sources.find(diagnostic.location) {
            assert!(offset <= translation.sources.files()[file].text.len(), "outside of the file: {diagnostic:?}");
        }
    }
    let options = LowerOptions { tokens: how % 2 == 0, markers: false, debug: true, origins: true, nsw: false };
    let Some(Lowered { text: ir, .. }) = translation.lower(&options) else { return false };
    if let Err(error) = check(&ir, &CheckOptions::default()) {
        panic!("what the front end writes does not read: {error}\n{}", String::from_utf8_lossy(&ir));
    }
    true
}
