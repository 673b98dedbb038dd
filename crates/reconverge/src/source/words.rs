//! What a program is called in the files that it was written in: their texts, and what its instructions are there.

use std::sync::{Arc, OnceLock};

use reconverge_findings::Scene;
use reconverge_ir::DebugLocation;
use reconverge_ir::origin::{FunctionOrigins, Origins, Place};
use rustc_hash::FxHashMap;

use super::SourceFiles;
use super::debugged::KnownFunctions;

/// The files that a program was written in, and what its IR is there.
#[derive(Debug)]
#[non_exhaustive]
pub struct SourceWords {
    /// The files.
    pub files: SourceFiles,
    /// What the instructions of the IR are; of IR that says nothing else, its debug information does.
    pub(crate) origins: Option<Origins>,
    /// Of IR that was read: the functions whose files were found.
    pub(super) known: Option<KnownFunctions>,
    /// What is called at a file, line and column, once somebody has asked.
    calls: OnceLock<FxHashMap<(String, u32, u32), Arc<str>>>,
}

impl SourceWords {
    /// Those of source.
    pub(super) fn new(files: SourceFiles, origins: Option<Origins>) -> SourceWords {
        SourceWords { files, origins, known: None, calls: OnceLock::new() }
    }

    /// Those of IR, for the functions that are known.
    pub(super) fn of_ir(files: SourceFiles, origins: Option<Origins>, known: KnownFunctions) -> SourceWords {
        SourceWords { known: Some(known), ..SourceWords::new(files, origins) }
    }

    /// Whether they are of IR that was read, and not made from source.
    pub(crate) fn is_of_ir(&self) -> bool {
        self.known.is_some()
    }

    /// Whether the files have what the IR of a function was made from. The first time O(instructions), then O(1).
    pub(crate) fn knows(&self, scene: &Scene<'_, '_>) -> bool {
        self.known.as_ref().is_none_or(|known| known.has(scene, &self.files))
    }

    /// The name of a parameter of IR of which debug information says nothing.
    pub(crate) fn parameter(&self, scene: &Scene<'_, '_>, index: u32) -> Option<&str> {
        self.known.as_ref().filter(|_| self.knows(scene))?.parameter(scene, index as usize)
    }

    /// Where something is for the user: what was inlined from a file that our front end has not read, as a header of the compiler, is where that is called.
    pub(crate) fn place(&self, location: DebugLocation) -> DebugLocation {
        if !self.is_of_ir() {
            return location;
        }
        let files = || self.origins.iter().flat_map(|origins| origins.files().values());
        let is_read = |place: &&DebugLocation| files().any(|file| self.files.is_of(&file.path, &place.file));
        let outer = [&location].into_iter().chain(&location.inlined_at).position(|place| is_read(&place));
        match outer {
            None | Some(0) => location,
            Some(number) => {
                let inlined_at = location.inlined_at[number..].to_vec();
                DebugLocation { inlined_at, ..location.inlined_at[number - 1].clone() }
            }
        }
    }

    /// What the parts of a function are.
    pub(crate) fn origins_in<'a, 't>(&'a self, scene: &Scene<'a, 't>) -> FunctionOrigins<'a, 't> {
        FunctionOrigins::new(scene.module, scene.id, scene.function, self.origins.as_ref())
    }

    /// What is called at a place, as it is written: by the origins of the IR, else by the text that is there. The first time O(calls), then O(1).
    pub fn called_at(&self, place: &DebugLocation) -> Option<String> {
        let calls = self.calls.get_or_init(|| {
            let origins = self.origins.iter().flat_map(Origins::calls);
            let at = |place: &Place| Some((place.file.path.display().to_string(), place.line()?));
            let calls = origins.filter_map(|(place, name)| Some((at(&place)?, Arc::clone(name))));
            calls.map(|((file, (line, column)), name)| ((file, line, column), name)).collect()
        });
        let noted = calls.get(&(place.file.clone(), place.line, place.column));
        noted.map(|name| name.to_string()).or_else(|| self.files.called_at(place))
    }
}
