//! The files that describe targets.
//!
//! A file is checked twice: by its grammar, which `serde` knows (a key that is not one, a value of another type), and by
//! what it means (a target that does not exist, a name that is there twice). Both kinds of error say line and key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge_operations::Known;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use toml::Spanned;

use super::data::{Target, Words};
use reconverge_operations::facts::{
    CallFacts, Degree, LoadFacts, Meeting, MemoryKind, MotionFacts, OperandSet, Operation, ResultFacts, Scope,
};

macro_rules! built_in_files {
    ($($name:literal $path:literal;)*) => {
        [$(($name, concat!("targets/", $path), include_str!(concat!("../../../../targets/", $path)))),*]
    };
}

/// The tables of calls that a target's `tables` can name. Those in `generated` are written by `cargo xtask probe-targets`.
const TABLES: [(&str, &str, &str); 14] = built_in_files! {
    "generated-llvm" "generated/llvm.toml";
    "generated-amdgcn" "generated/amdgcn.toml";
    "generated-nvvm" "generated/nvvm.toml";
    "generated-spv" "generated/spv.toml";
    "generated-dx" "generated/dx.toml";
    "llvm" "calls/llvm.toml";
    "amdgcn" "calls/amdgcn.toml";
    "nvvm" "calls/nvvm.toml";
    "spv" "calls/spv.toml";
    "dx" "calls/dx.toml";
    "opencl" "calls/opencl.toml";
    "spirv-builtins" "calls/spirv-builtins.toml";
    "device-libs" "calls/device-libs.toml";
    "cuda" "calls/cuda.toml";
};

/// What is wrong with a target file.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// It cannot be read.
    #[error("cannot read the target file {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not as it has to be.
    #[error("{}:{line}:{column}: {}{message}", path.display(), if key.is_empty() { String::new() } else { format!("`{key}`: ") })]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, in bytes from 1.
        column: usize,
        /// The key, with the table it is in: `call.names`; empty outside of any.
        key: String,
        /// What is wrong.
        message: String,
    },
}

/// A file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<Spanned<String>>,
    extends: Option<Spanned<String>>,
    tables: Option<Vec<Spanned<String>>>,
    triples: Option<Vec<String>>,
    subgroup_size: Option<Spanned<u32>>,
    kernel_conventions: Option<Vec<String>>,
    kernel_attributes: Option<Vec<String>>,
    uniform_registers: Option<Vec<String>>,
    #[serde(default)]
    parameters: Parameters,
    #[serde(default)]
    memory: Vec<Memory>,
    #[serde(default)]
    call: Vec<Call>,
}

/// `[parameters]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    kernel: Option<Scope>,
    #[serde(default)]
    attributes: BTreeMap<String, Scope>,
}

/// `[[memory]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    /// Where it is left out: all address spaces that are not listed.
    spaces: Option<Vec<Spanned<u32>>>,
    kind: MemoryKind,
    load: Option<Scope>,
    atomic_load: Option<Scope>,
}

/// `[[call]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    names: Spanned<Vec<Spanned<String>>>,
    uniform: Option<Scope>,
    operands: Option<Scope>,
    on: Option<Spanned<Vec<u8>>>,
    only_if: Option<Spanned<OnlyIf>>,
    pure: Option<Spanned<bool>>,
    #[serde(default)]
    loads: bool,
    degree: Option<Degree>,
    barrier: Option<Scope>,
    crosslane: Option<Spanned<Scope>>,
    quad: Option<Spanned<bool>>,
    partial: Option<Spanned<bool>>,
    mask_operand: Option<Spanned<u8>>,
    scope_operand: Option<u8>,
    result_only: Option<Spanned<bool>>,
    hoist: Option<Spanned<bool>>,
    sink: Option<Spanned<bool>>,
    speculate: Option<Spanned<bool>>,
    agree: Option<Scope>,
}

/// `only_if = { operand = 3, is = 31 }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnlyIf {
    operand: u8,
    is: i64,
}

/// The rows of a table that come from the table of operations.
fn operations(table: &str) -> impl Iterator<Item = (String, CallFacts)> {
    let of_table = move |known: &Known| {
        let family = match known.spelling.name.split('.').nth(1) {
            Some("r600") => "amdgcn",
            Some(family) => family,
            None if known.spelling.name.starts_with("__") => "cuda",
            None => "opencl",
        };
        family == table
    };
    reconverge_operations::spellings().filter(of_table).map(|known| (known.spelling.name.to_owned(), known.facts()))
}

/// Reads the text of a file that can extend some targets; `path` is its name in errors.
pub(super) fn parse(path: &Path, text: &str, bases: &[Target]) -> Result<Target, TargetError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut target = Target::NOTHING;
    let reader = Reader { path, text, bases };
    let file = reader.parse()?;
    reader.apply(file, &mut target)?;
    if target.name.is_empty() {
        target.name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()).into();
    }
    Ok(target)
}

/// One file on its way into a target.
struct Reader<'t> {
    path: &'t Path,
    text: &'t str,
    bases: &'t [Target],
}

impl Reader<'_> {
    fn parse(&self) -> Result<File, TargetError> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(self.error(0, "a target file is shorter than 4 GiB"));
        }
        toml::from_str(self.text).map_err(|error| {
            let offset = error.span().map_or(self.text.len(), |span| span.start);
            self.error(offset, error.message())
        })
    }

    /// Puts what the file says over what is in the target.
    fn apply(&self, file: File, target: &mut Target) -> Result<(), TargetError> {
        if let Some(base) = &file.extends {
            let Some(found) = self.bases.iter().find(|target| target.name == *base.get_ref()) else {
                let known: Vec<&str> = self.bases.iter().map(|target| &*target.name).collect();
                let message = format!("there is no target `{}`, only {}", base.get_ref(), known.join(", "));
                return Err(self.error(base.span().start, &message));
            };
            *target = found.clone();
            target.triples = Cow::Borrowed(&[]);
        }
        for table in file.tables.iter().flatten() {
            let Some((_, path, text)) = TABLES.iter().find(|(name, ..)| name == table.get_ref()) else {
                let known: Vec<&str> = TABLES.iter().map(|file| file.0).collect();
                let message = format!("there is no table `{}`, only {}", table.get_ref(), known.join(", "));
                return Err(self.error(table.span().start, &message));
            };
            let reader = Reader { path: Path::new(path), text, bases: self.bases };
            reader.apply(reader.parse()?, target)?;
            target.calls.extend(operations(table.get_ref()));
        }
        if let Some(name) = file.name {
            if name.get_ref().is_empty() {
                return Err(self.error(name.span().start, "a target has a name"));
            }
            target.name = name.into_inner().into();
        }
        if let Some(size) = file.subgroup_size {
            if !size.get_ref().is_power_of_two() {
                return Err(self.error(size.span().start, "the size of a subgroup is a power of two"));
            }
            target.subgroup_size = Some(size.into_inner());
        }
        replace(&mut target.triples, file.triples);
        replace(&mut target.kernel_conventions, file.kernel_conventions);
        replace(&mut target.kernel_attributes, file.kernel_attributes);
        replace(&mut target.uniform_registers, file.uniform_registers);
        target.kernel_parameters = file.parameters.kernel.or(target.kernel_parameters);
        for (attribute, scope) in file.parameters.attributes {
            let attributes = target.parameter_attributes.to_mut();
            attributes.retain(|(known, _)| *known != attribute);
            attributes.push((attribute.into(), scope));
        }
        self.apply_memory(file.memory, target)?;
        self.apply_calls(file.call, target)
    }

    fn apply_memory(&self, rows: Vec<Memory>, target: &mut Target) -> Result<(), TargetError> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        for row in rows {
            let facts = LoadFacts { kind: row.kind, uniform: row.load, atomic: row.atomic_load.min(row.load) };
            let Some(spaces) = row.spaces else {
                target.other_memory = facts;
                continue;
            };
            for space in spaces {
                if !seen.insert(*space.get_ref()) {
                    return Err(self.error(space.span().start, "this address space is listed twice"));
                }
                let memory = target.memory.to_mut();
                memory.retain(|(known, _)| known != space.get_ref());
                memory.push((space.into_inner(), facts));
            }
        }
        Ok(())
    }

    fn apply_calls(&self, rows: Vec<Call>, target: &mut Target) -> Result<(), TargetError> {
        let mut seen: FxHashMap<String, CallFacts> = FxHashMap::default();
        for row in rows {
            let facts = self.facts(&row)?;
            if row.names.get_ref().is_empty() {
                return Err(self.error(row.names.span().start, "there is no name"));
            }
            for name in row.names.into_inner() {
                let start = name.span().start;
                let name = name.into_inner();
                let stem = name.strip_suffix('*').unwrap_or(&name);
                if stem.is_empty() || stem.contains(['*', ' ', '@']) {
                    let message = format!("`{name}` is no name: letters, perhaps with one `*` at the end");
                    return Err(self.error(start, &message));
                }
                if seen.insert(name.clone(), facts).is_some() {
                    return Err(self.error(start, &format!("`{name}` is listed twice in this file")));
                }
            }
        }
        if !seen.is_empty() {
            target.calls.extend(seen);
        }
        Ok(())
    }

    fn facts(&self, row: &Call) -> Result<CallFacts, TargetError> {
        let is = |flag: &Option<Spanned<bool>>| flag.as_ref().is_some_and(|flag| *flag.get_ref());
        let pure = is(&row.pure);
        let operations = [
            row.barrier.map(Operation::Barrier),
            row.crosslane.as_ref().map(|scope| Operation::Crosslane(*scope.get_ref())),
            is(&row.quad).then_some(Operation::QuadCrosslane),
        ];
        let mut operations = operations.into_iter().flatten();
        let operation = operations.next().unwrap_or_default();
        if operations.next().is_some() {
            let second = row.quad.as_ref().map(Spanned::span).or(row.crosslane.as_ref().map(Spanned::span));
            let start = second.map_or(row.names.span().start, |span| span.start);
            return Err(self.error(start, "a call is a barrier, crosslane or of quads: one of them"));
        }
        if let (true, true, Some(flag)) = (pure, operation != Operation::None, &row.pure) {
            return Err(self.error(flag.span().start, "an operation of several threads is not pure"));
        }
        if let (true, Operation::None, Some(flag)) = (is(&row.partial), operation, &row.partial) {
            return Err(self.error(flag.span().start, "only operations of several threads can be partial"));
        }
        if let (false, Some(operand)) = (is(&row.partial), &row.mask_operand) {
            return Err(self.error(operand.span().start, "only a partial operation has a mask of its threads"));
        }
        let limits = row.on.as_ref().map(Spanned::span).or(row.only_if.as_ref().map(Spanned::span));
        if let (None, Some(span)) = (row.operands, limits) {
            return Err(self.error(span.start, "this limits `operands`, which is missing"));
        }
        let motion = self.motion(row, operation)?;
        let result = ResultFacts {
            uniform: row.uniform,
            operands: if pure { Some(Scope::Grid) } else { row.operands },
            on: row.on.as_ref().map_or(OperandSet::ALL, |on| on.get_ref().iter().copied().collect()),
            only_if: row.only_if.as_ref().map(|only| (only.get_ref().operand, only.get_ref().is)),
            pure,
            loads: row.loads,
            degree: row.degree.unwrap_or_default(),
        };
        Ok(CallFacts {
            result,
            operation,
            partial: is(&row.partial),
            mask_operand: row.mask_operand.as_ref().map(|operand| *operand.get_ref()),
            scope_operand: row.scope_operand,
            motion,
            agree: row.agree.map(|scope| (scope, OperandSet::ALL)),
            meeting: Meeting::OneCall,
        })
    }

    /// The facts about moves.
    fn motion(&self, row: &Call, operation: Operation) -> Result<MotionFacts, TargetError> {
        let set = |flag: &Option<Spanned<bool>>| flag.as_ref().filter(|flag| *flag.get_ref()).map(Spanned::span);
        let moves = [set(&row.hoist), set(&row.sink), set(&row.speculate)];
        if let (Operation::None, Some(span)) = (operation, moves.iter().flatten().next()) {
            return Err(self.error(span.start, "only operations of several threads are bound to a place"));
        }
        if let (Operation::Barrier(_), Some(span)) = (operation, set(&row.result_only)) {
            return Err(self.error(span.start, "a barrier does more than give its result"));
        }
        let [hoist, sink, speculate] = moves.map(|flag| flag.is_some());
        Ok(MotionFacts { result_only: set(&row.result_only).is_some(), hoist, sink, speculate })
    }

    fn error(&self, offset: usize, message: &str) -> TargetError {
        let (line, column, key) = place(self.text, offset);
        TargetError::Malformed { path: self.path.to_owned(), line, column, key, message: message.to_owned() }
    }
}

fn replace(place: &mut Words, value: Option<Vec<String>>) {
    if let Some(value) = value {
        *place = value.into_iter().map(Cow::Owned).collect();
    }
}

/// The line, the column and the key, with its table, of a byte of a file.
fn place(text: &str, offset: usize) -> (usize, usize, String) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let (mut table, mut key) = ("", "");
    for line in text[..end].lines() {
        let line = line.trim_start();
        if line.starts_with('[') && !line.contains(['=', '"']) {
            (table, key) = (line.trim_start_matches('[').split(']').next().unwrap_or_default().trim(), "");
        } else if let Some((name, _)) = line.split_once('=')
            && !name.trim_end().is_empty()
            && name.trim_end().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        {
            key = name.trim_end();
        }
    }
    let path: Vec<&str> = [table, key].into_iter().filter(|part| !part.is_empty()).collect();
    (before.matches('\n').count() + 1, before.len() - start + 1, path.join("."))
}
