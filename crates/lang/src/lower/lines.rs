//! Lines of the source in debug information. They are those where the text was written; a macro's are where it was used.

use reconverge_ir::emit::{DebugLines, Metadata};

use crate::source::{Location, Sources};
use crate::typed::FunctionData;

/// The lines of a module.
#[derive(Debug)]
pub(super) struct Lines {
    debug: DebugLines,
    latest: (Location, u32),
}

impl Lines {
    /// Writes down the files; nothing where there are none.
    pub(super) fn new(sources: &Sources, is_cpp: bool, metadata: &mut Metadata) -> Option<Lines> {
        let files = sources.files().iter().map(|file| file.path.as_path());
        let language = if is_cpp { "DW_LANG_C_plus_plus_14" } else { "DW_LANG_C11" };
        let debug = DebugLines::new(files, language, metadata)?;
        Some(Lines { debug, latest: (Location::NONE, 0) })
    }

    /// The unit's number.
    pub(super) fn unit(&self) -> u32 {
        self.debug.unit()
    }

    /// Starts a function, and gives the number of its node.
    pub(super) fn start(&mut self, function: &FunctionData, sources: &Sources, metadata: &mut Metadata) -> u32 {
        let (file, line, _) = sources.line(function.location).unwrap_or((0, 0, 0));
        let subprogram = self.debug.start_function((&function.name, &function.linkage_name), (file, line), metadata);
        self.latest = (Location::NONE, self.debug.no_location());
        subprogram
    }

    /// The number of a place in the function being written.
    #[inline]
    pub(super) fn location(&mut self, location: Location, sources: &Sources, metadata: &mut Metadata) -> u32 {
        if location == self.latest.0 {
            return self.latest.1;
        }
        let number = match sources.line(location) {
            Some((file, line, column)) => self.debug.location(file, line, column, metadata),
            None => self.debug.no_location(),
        };
        self.latest = (location, number);
        number
    }
}
