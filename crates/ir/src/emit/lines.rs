//! Debug information as line tables: files, functions, and the places of instructions.

use std::fmt::Write as _;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::Metadata;
use super::spelling;

/// The nodes of a module, and those of the function that is being written.
#[derive(Debug)]
pub struct DebugLines {
    unit: u32,
    signature: u32,
    /// The nodes of files, by index.
    files: Vec<u32>,
    /// The function being written, and the file it is in.
    scope: (u32, usize),
    /// Where instructions are that have no place.
    fallback: u32,
    /// The scopes of the function in other files.
    scopes: FxHashMap<usize, u32>,
    known: FxHashMap<(u32, u32, u32), u32>,
}

impl DebugLines {
    /// Writes down the files, of which the first is the main one; nothing where there are none. `language` is a `DW_LANG_…`.
    pub fn new<'p>(
        files: impl IntoIterator<Item = &'p Path>,
        language: &str,
        metadata: &mut Metadata,
    ) -> Option<DebugLines> {
        let file = |path: &Path| {
            let mut node = b"!DIFile(filename: ".to_vec();
            spelling::string(&mut node, path.to_string_lossy().as_bytes());
            node.extend_from_slice(b", directory: \"\")");
            String::from_utf8_lossy(&node).into_owned()
        };
        let files: Vec<u32> = files.into_iter().map(|path| metadata.add(&file(path))).collect();
        let first = *files.first()?;
        let unit = metadata.add(&format!(
            "distinct !DICompileUnit(language: {language}, file: !{first}, producer: \"reconverge\", isOptimized: false, \
             runtimeVersion: 0, emissionKind: LineTablesOnly)"
        ));
        let nothing = metadata.add("!{}");
        let signature = metadata.add(&format!("!DISubroutineType(types: !{nothing})"));
        Some(DebugLines {
            unit,
            signature,
            files,
            scope: (0, 0),
            fallback: 0,
            scopes: FxHashMap::default(),
            known: FxHashMap::default(),
        })
    }

    /// The unit's number.
    pub fn unit(&self) -> u32 {
        self.unit
    }

    /// Starts a function that is declared at a line of a file, given by its index, and gives the number of its node.
    pub fn start_function(
        &mut self,
        (name, linkage_name): (&str, &str),
        (file, line): (usize, u32),
        metadata: &mut Metadata,
    ) -> u32 {
        let mut node = b"distinct !DISubprogram(name: ".to_vec();
        spelling::string(&mut node, name.as_bytes());
        node.extend_from_slice(b", linkageName: ");
        spelling::string(&mut node, linkage_name.as_bytes());
        let mut node = String::from_utf8_lossy(&node).into_owned();
        let (file_node, signature, unit) = (self.files[file], self.signature, self.unit);
        let _ = write!(
            node,
            ", scope: !{file_node}, file: !{file_node}, line: {line}, type: !{signature}, scopeLine: {line}, \
             spFlags: DISPFlagDefinition, unit: !{unit})"
        );
        let subprogram = metadata.add(&node);
        self.scope = (subprogram, file);
        self.scopes.clear();
        self.known.clear();
        self.fallback = metadata.add(&format!("!DILocation(line: {line}, scope: !{subprogram})"));
        subprogram
    }

    /// The number of the place of what has none in the function being written: that of the function.
    pub fn no_location(&self) -> u32 {
        self.fallback
    }

    /// The number of a place in the function being written. LLVM has no columns above 65535.
    pub fn location(&mut self, file: usize, line: u32, column: u32, metadata: &mut Metadata) -> u32 {
        let column = column.min(65535);
        let (subprogram, own_file) = self.scope;
        let scope = if file == own_file {
            subprogram
        } else {
            let node = self.files[file];
            let add =
                || metadata.add(&format!("!DILexicalBlockFile(scope: !{subprogram}, file: !{node}, discriminator: 0)"));
            *self.scopes.entry(file).or_insert_with(add)
        };
        // There is one for nearly each instruction: what formats took a tenth of the time in which source becomes IR.
        let write = |text: &mut Vec<u8>| {
            for (before, number) in [("!DILocation(line: ", line), (", column: ", column), (", scope: !", scope)] {
                text.extend_from_slice(before.as_bytes());
                spelling::unsigned(text, number.into());
            }
            text.push(b')');
        };
        *self.known.entry((line, column, scope)).or_insert_with(|| metadata.add_written(write))
    }
}
