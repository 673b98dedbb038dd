//! Metadata and attribute groups: what stands at the end of the text, each thing once.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::text;
use crate::source::{LineTable, Location, Sources};
use crate::typed::FunctionData;

/// The metadata of the module so far.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    text: Vec<u8>,
    count: u32,
}

impl Metadata {
    /// Adds a node, and gives its number.
    pub(super) fn add(&mut self, node: &str) -> u32 {
        self.text.push(b'!');
        text::unsigned(&mut self.text, u64::from(self.count));
        self.text.extend_from_slice(b" = ");
        self.text.extend_from_slice(node.as_bytes());
        self.text.push(b'\n');
        self.count += 1;
        self.count - 1
    }

    /// All nodes as text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Groups of attributes, each with a number.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    numbers: FxHashMap<String, u32>,
    list: Vec<String>,
}

impl Attributes {
    /// The number of a group.
    pub(super) fn group(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.list.push(text.to_owned());
        number
    }

    /// Writes all groups.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        for (number, text) in self.list.iter().enumerate() {
            to.extend_from_slice(format!("attributes #{number} = {{ {text} }}\n").as_bytes());
        }
    }
}

/// Debug information: files, functions and lines. Lines are those where the text was written; a macro's are where it was used.
#[derive(Debug)]
pub(super) struct Lines {
    table: LineTable,
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
    latest: (Location, u32),
}

impl Lines {
    /// Writes down the files; nothing where there are none.
    pub(super) fn new(sources: &Sources, is_cpp: bool, metadata: &mut Metadata) -> Option<Lines> {
        let file = |path: &std::path::Path| {
            let mut node = b"!DIFile(filename: ".to_vec();
            text::string(&mut node, path.to_string_lossy().as_bytes());
            node.extend_from_slice(b", directory: \"\")");
            String::from_utf8_lossy(&node).into_owned()
        };
        let files: Vec<u32> = sources.files().iter().map(|source| metadata.add(&file(&source.path))).collect();
        let language = if is_cpp { "DW_LANG_C_plus_plus_14" } else { "DW_LANG_C11" };
        let first = *files.first()?;
        let unit = metadata.add(&format!(
            "distinct !DICompileUnit(language: {language}, file: !{first}, producer: \"reconverge\", isOptimized: false, \
             runtimeVersion: 0, emissionKind: LineTablesOnly)"
        ));
        let nothing = metadata.add("!{}");
        let signature = metadata.add(&format!("!DISubroutineType(types: !{nothing})"));
        Some(Lines {
            table: LineTable::new(sources),
            unit,
            signature,
            files,
            scope: (0, 0),
            fallback: 0,
            scopes: FxHashMap::default(),
            known: FxHashMap::default(),
            latest: (Location::NONE, 0),
        })
    }

    /// The unit's number.
    pub(super) fn unit(&self) -> u32 {
        self.unit
    }

    /// Starts a function, and gives the number of its node.
    pub(super) fn start(&mut self, function: &FunctionData, metadata: &mut Metadata) -> u32 {
        let (file, line, _) = self.table.line(function.location).unwrap_or((0, 0, 0));
        let mut node = b"distinct !DISubprogram(name: ".to_vec();
        text::string(&mut node, function.name.as_bytes());
        node.extend_from_slice(b", linkageName: ");
        text::string(&mut node, function.linkage_name.as_bytes());
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
        self.latest = (Location::NONE, self.fallback);
        subprogram
    }

    /// The number of a place in the function being written.
    pub(super) fn location(&mut self, location: Location, metadata: &mut Metadata) -> u32 {
        if location == self.latest.0 {
            return self.latest.1;
        }
        let number = match self.table.line(location) {
            Some((file, line, column)) => self.place(file, line, column.min(65535), metadata),
            None => self.fallback,
        };
        self.latest = (location, number);
        number
    }

    fn place(&mut self, file: usize, line: u32, column: u32, metadata: &mut Metadata) -> u32 {
        let (subprogram, own_file) = self.scope;
        let scope = if file == own_file {
            subprogram
        } else {
            let node = self.files[file];
            let add =
                || metadata.add(&format!("!DILexicalBlockFile(scope: !{subprogram}, file: !{node}, discriminator: 0)"));
            *self.scopes.entry(file).or_insert_with(add)
        };
        let add = || metadata.add(&format!("!DILocation(line: {line}, column: {column}, scope: !{scope})"));
        *self.known.entry((line, column, scope)).or_insert_with(add)
    }
}
