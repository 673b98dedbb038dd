//! The table beside the text of a module.
//!
//! **Invariant.** Marks are in the order of the text, one for each place that has an origin, so a lookup is a binary search. Instructions of
//! one expression share its record: 24 bytes for an expression, 8 for an instruction.

use std::sync::Arc;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, entity_impl};

use super::{Extent, Origin, Place, SourceFile, What};
use crate::text::Span;

/// A file of [`Origins`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A name of [`Origins`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(u32);
entity_impl!(NameId, "name");

/// A part of the source that [`Origins`] knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OriginId(u32);
entity_impl!(OriginId, "origin");

/// A part of the source, as [`Origins`] keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub what: What<NameId>,
    /// The file it is in.
    pub file: FileId,
    /// Its bytes in the text of that file.
    pub range: Span,
    /// The call by which the function around it was inlined.
    pub inlined_at: PackedOption<OriginId>,
}

const _: () = assert!(size_of::<Record>() <= 24);

/// For the places of a module's text, what they are in the source.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    files: PrimaryMap<FileId, Arc<SourceFile>>,
    names: PrimaryMap<NameId, Arc<str>>,
    records: PrimaryMap<OriginId, Record>,
    /// Where instructions, names of parameters and of global variables, and functions begin.
    marks: Vec<(u32, OriginId)>,
    /// Whether debug information says what they lack.
    is_partial: bool,
}

impl Origins {
    /// The same, of a module with debug information, which is asked about what is not marked.
    pub fn of_debugged(self) -> Origins {
        Origins { is_partial: true, ..self }
    }

    /// Whether debug information is asked about what is not marked.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The same parts of the source, of another module, none of whose places is marked yet.
    pub fn unmarked(self) -> Origins {
        Origins { marks: Vec::new(), ..self }
    }

    /// Adds the parts of the source that others have; marks of theirs are of another text, and are left out.
    pub fn append(&mut self, others: Origins) {
        let (files, names, records) = (self.files.len(), self.names.len(), self.records.len());
        self.files.extend(others.files.into_iter().map(|(_, file)| file));
        self.names.extend(others.names.into_iter().map(|(_, name)| name));
        let name = |name: NameId| NameId::from_u32(name.as_u32() + names as u32);
        for (_, record) in others.records {
            let inlined_at = record.inlined_at.expand().map(|call| OriginId::from_u32(call.as_u32() + records as u32));
            self.records.push(Record {
                what: match record.what {
                    What::Variable(of) => What::Variable(name(of)),
                    What::Function(of) => What::Function(name(of)),
                    What::Call(of) => What::Call(name(of)),
                    What::Expression => What::Expression,
                    What::Condition(condition) => What::Condition(condition),
                },
                file: FileId::from_u32(record.file.as_u32() + files as u32),
                inlined_at: inlined_at.into(),
                ..record
            });
        }
    }

    /// The files.
    pub fn files(&self) -> &PrimaryMap<FileId, Arc<SourceFile>> {
        &self.files
    }

    /// The parts of the source.
    pub fn records(&self) -> &PrimaryMap<OriginId, Record> {
        &self.records
    }

    /// Adds a file.
    pub fn add_file(&mut self, file: SourceFile) -> FileId {
        self.files.push(Arc::new(file))
    }

    /// Adds a name. Who says one again and again keeps its number.
    pub fn add_name(&mut self, name: &str) -> NameId {
        self.names.push(name.into())
    }

    /// Adds a part of the source.
    pub fn add(&mut self, record: Record) -> OriginId {
        self.records.push(record)
    }

    /// Says what begins at a byte of the module's text: an instruction (its result, if it has one), the name of a parameter (behind the `%`) or of a
    /// global variable (behind the `@`), or a function (`define`, `declare`). `offset` is behind those of all marks before.
    pub fn mark(&mut self, offset: u32, origin: OriginId) {
        assert!(self.marks.last().is_none_or(|&(before, _)| before < offset), "marks are in the order of the text");
        self.marks.push((offset, origin));
    }

    /// What begins at a byte of the module's text. O(log marks), and the length of the chain of calls that were inlined.
    pub fn at(&self, offset: u32) -> Option<Origin> {
        let index = self.marks.binary_search_by_key(&offset, |&(at, _)| at).ok()?;
        let record = &self.records[self.marks[index].1];
        let mut inlined_at = Vec::new();
        let mut next = record.inlined_at.expand();
        // A call is added before what is inlined by it, so the chain goes down and ends.
        while let Some(call) = next {
            inlined_at.push(self.place(&self.records[call]));
            next = self.records[call].inlined_at.expand().filter(|&outer| outer < call);
        }
        let what = match record.what {
            What::Variable(name) => What::Variable(self.names[name].clone()),
            What::Function(name) => What::Function(self.names[name].clone()),
            What::Call(name) => What::Call(self.names[name].clone()),
            What::Expression => What::Expression,
            What::Condition(condition) => What::Condition(condition),
        };
        Some(Origin { what, place: self.place(record), inlined_at })
    }

    /// The calls, in the order in which they were added: where they are, and what they are written as. O(records).
    pub fn calls(&self) -> impl Iterator<Item = (Place, &Arc<str>)> {
        self.records.values().filter_map(|record| match record.what {
            What::Call(name) => Some((self.place(record), &self.names[name])),
            _ => None,
        })
    }

    fn place(&self, record: &Record) -> Place {
        let range = record.range.start..record.range.end;
        Place { file: self.files[record.file].clone(), extent: Extent::Bytes(range) }
    }

    /// The places of the text that have an origin, in their order.
    pub fn offsets(&self) -> impl ExactSizeIterator<Item = u32> {
        self.marks.iter().map(|&(offset, _)| offset)
    }

    /// Whether no place has an origin.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }
}
