//! IR that a compiler of the caller's made of a file which our front end has read, too: in the terms of that file.
//!
//! **Definition.** A *file of the user's* is one that our front end has opened; its own headers are none, and those of the compiler and of an SDK that take their place are
//! not opened. A function that is written elsewhere is an operation: calls of it are inlined at the place of the call, so that `threadIdx.x` is the register that an
//! accessor reads, and a barrier deep in a header is at the line of the user. What cannot be inlined stays a call.
//!
//! An instruction is the innermost expression around its place, for compilers put it at the name or the operator of what it computes. Where several expressions
//! have their place in one name (`a` and `a[i]`), what the instruction does with its operands decides. What is found nowhere has what debug information says.
//!
//! It can be wrong where one place has two meanings for our front end, as in the instances of a template: a name is the one of the first.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::PathBuf;

use reconverge_ir::function::{Definition, Inst, Value};
use reconverge_ir::module::FunctionData;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::origin::{FileId, OriginId, Origins, Record, What};
use reconverge_ir::{BodyEnds, Function, FunctionId, FunctionReader, Module, Span};
use reconverge_lang::source::{BUILT_IN_HEADERS, Sources};
use reconverge_transform::{Edits, InlineOptions, inline};
use reconverge_valid::read_functions;
use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{SourceFiles, is_same_file};

/// How much larger IR may become by what is inlined, and that of a function.
const GROWTH: usize = 8;
const LARGEST_FUNCTION: usize = 50_000;

/// The IR with the functions inlined that are not written in files of the user's, and without them. What is no IR stays as it is: who reads it next says why.
pub(super) fn with_operations(ir: Vec<u8>, sources: &Sources) -> Vec<u8> {
    let functions = operations(&ir, sources);
    if functions.is_empty() {
        return ir;
    }
    let options = InlineOptions { functions, function_limit: LARGEST_FUNCTION, growth: GROWTH, at_call: true };
    match inline(&ir, &options) {
        Ok(inlined) => without_unused(inlined.edits.apply(&ir), &options.functions),
        Err(_) => ir,
    }
}

/// The IR without those of some functions that nothing mentions any more but others of them. O(text).
fn without_unused(ir: Vec<u8>, functions: &[String]) -> Vec<u8> {
    let Ok(module) = Module::read(&ir, BodyEnds::ByBrackets) else { return ir };
    let functions: FxHashSet<&str> = functions.iter().map(String::as_str).collect();
    let mut unused: FxHashMap<Vec<u8>, Range<usize>> = FxHashMap::default();
    let mut rest = 0;
    let mut mentioned = Vec::new();
    for id in module.definitions() {
        let FunctionData { symbol, header, body: Some(body), .. } = &module.functions[id] else { continue };
        let span = header.range().start..body.range().end;
        if functions.contains(&*module.function_name(id)) {
            mentioned.extend(mentioned_in(&ir[rest..span.start]));
            rest = span.end;
            unused.insert(module.symbol_name(*symbol).into_owned(), span);
        }
    }
    mentioned.extend(mentioned_in(&ir[rest..]));
    while let Some(name) = mentioned.pop() {
        let used = unused.remove(&name);
        mentioned.extend(used.into_iter().flat_map(|span| mentioned_in(&ir[span])));
    }
    let mut edits = Edits::default();
    unused.into_values().for_each(|span| edits.delete(span));
    edits.apply(&ir)
}

/// The names of functions and globals in a text, and what looks like them.
fn mentioned_in(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let name = |at: usize| {
        let rest = &text[at + 1..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
        let length = match rest.strip_prefix(b"\"") {
            Some(quoted) => memchr::memchr(b'"', quoted).map_or(rest.len(), |end| end + 2),
            None => rest.iter().take_while(is_part).count(),
        };
        reconverge_ir::text::unquote(&rest[..length]).into_owned()
    };
    memchr::memchr_iter(b'@', text).map(name)
}

/// The functions with a body that are not written in files of the user's.
fn operations(ir: &[u8], sources: &Sources) -> Vec<String> {
    let mut known: FxHashMap<PathBuf, bool> = FxHashMap::default();
    let Ok(module) = Module::read(ir, BodyEnds::ByBrackets) else { return Vec::new() };
    let mut is_of_user = |id: FunctionId| {
        let Some(origin) = module.function_origin(id, None) else { return true };
        let path = &origin.place.file.path;
        *known.entry(path.clone()).or_insert_with(|| {
            let of_user = sources.files().iter().filter(|file| !file.path.starts_with(BUILT_IN_HEADERS));
            of_user.into_iter().any(|file| is_same_file(&file.path, path))
        })
    };
    let definitions: Vec<FunctionId> = module.definitions().collect();
    definitions.into_iter().filter(|&id| !is_of_user(id)).map(|id| module.function_name(id)).collect()
}

/// What the instructions of the IR are, by what our front end says of the source: the origins of its own IR.
pub(super) fn matched(ir: &[u8], of_ours: Origins) -> Origins {
    let written = Written::new(&of_ours, None);
    let read = read_functions(ir, |module, _, function| Matching::new(&written, module, function).marks());
    let marks: Vec<(u32, OriginId)> = read.map(|(_, found)| found.concat()).unwrap_or_default();
    marked(of_ours, marks)
}

/// The same of a module whose debug information names files that were looked for. Of functions that are in those of ours, one after the other: whoever asks may be one of many threads.
pub(super) fn matched_in(module: &Module<'_>, of_ours: Origins, files: &SourceFiles) -> Origins {
    let written = Written::new(&of_ours, Some(files));
    let mut marks = Vec::new();
    let mut reader = FunctionReader::new(module);
    for id in module.definitions() {
        let origin = module.function_origin(id, None);
        let path = origin.map(|origin| origin.place.file.path.display().to_string());
        if path.is_some_and(|path| written.file(&path).is_some())
            && let Ok(function) = reader.read(id)
        {
            marks.extend(Matching::new(&written, module, &function).marks());
        }
    }
    marked(of_ours, marks)
}

fn marked(of_ours: Origins, mut marks: Vec<(u32, OriginId)>) -> Origins {
    marks.sort_unstable();
    let mut origins = of_ours.unmarked().of_debugged();
    marks.into_iter().for_each(|(offset, origin)| origins.mark(offset, origin));
    origins
}

/// The expressions of the user's files, by place.
struct Written<'o> {
    origins: &'o Origins,
    /// Where the files are that debug information names, where that is not its own.
    found: Option<&'o SourceFiles>,
    /// Of each file, its expressions by where they start, larger ones first, each with the one around it.
    expressions: FxHashMap<FileId, Vec<(OriginId, Option<usize>)>>,
    /// Decisions, by file and extent.
    conditions: FxHashMap<(FileId, Span), OriginId>,
}

impl<'o> Written<'o> {
    /// O(n log n) in the records.
    fn new(origins: &'o Origins, found: Option<&'o SourceFiles>) -> Written<'o> {
        let (expressions, conditions) = (FxHashMap::default(), FxHashMap::default());
        let mut written = Written { origins, found, expressions, conditions };
        for (id, record) in origins.records() {
            match record.what {
                What::Condition(_) => {
                    written.conditions.entry((record.file, record.range)).or_insert(id);
                }
                What::Function(_) => {}
                What::Variable(_) | What::Call(_) | What::Expression => {
                    written.expressions.entry(record.file).or_default().push((id, None));
                }
            }
        }
        let range = |id: OriginId| origins.records()[id].range;
        for expressions in written.expressions.values_mut() {
            expressions.sort_by_key(|&(id, _)| (range(id).start, Reverse(range(id).end), id));
            expressions.dedup_by_key(|&mut (id, _)| range(id));
            let mut around: Vec<usize> = Vec::new();
            for index in 0..expressions.len() {
                let of_this = range(expressions[index].0);
                while around.pop_if(|&mut outer| range(expressions[outer].0).end < of_this.end).is_some() {}
                expressions[index].1 = around.last().copied();
                around.push(index);
            }
        }
        written
    }

    fn record(&self, id: OriginId) -> &Record {
        &self.origins.records()[id]
    }

    /// The expressions around a byte, the innermost first.
    fn around(&self, file: FileId, offset: u32) -> impl Iterator<Item = OriginId> {
        let expressions = self.expressions.get(&file).map_or(&[][..], |expressions| expressions);
        let behind = expressions.partition_point(|&(id, _)| self.record(id).range.start <= offset);
        let chain = std::iter::successors(behind.checked_sub(1), |&index| expressions[index].1);
        chain.map(|index| expressions[index].0).filter(move |&id| offset < self.record(id).range.end)
    }

    /// The file that debug information calls so.
    fn file(&self, path: &str) -> Option<FileId> {
        let path = match self.found {
            Some(files) => files.found(path)?.0,
            None => PathBuf::from(path),
        };
        let files = self.origins.files().iter();
        let mut files = files.filter(|(_, file)| !file.path.starts_with(BUILT_IN_HEADERS));
        files.find(|(_, file)| is_same_file(&file.path, &path)).map(|(id, _)| id)
    }
}

/// A function of the compiler's IR.
struct Matching<'w, 'm, 't> {
    written: &'w Written<'w>,
    module: &'m Module<'t>,
    function: &'m Function,
    files: FxHashMap<String, Option<FileId>>,
    found: FxHashMap<Inst, OriginId>,
}

impl<'w, 'm, 't> Matching<'w, 'm, 't> {
    fn new(written: &'w Written<'w>, module: &'m Module<'t>, function: &'m Function) -> Self {
        Matching { written, module, function, files: FxHashMap::default(), found: FxHashMap::default() }
    }

    /// Where its instructions begin that are found, with what they are.
    fn marks(mut self) -> Vec<(u32, OriginId)> {
        let function = self.function;
        for inst in function.instructions.keys() {
            if let Some(origin) = self.of_instruction(inst) {
                self.found.insert(inst, origin);
            }
        }
        let found = self.found.iter();
        found.map(|(&inst, &origin)| (function.instructions[inst].span.start, origin)).collect()
    }

    /// Where an instruction is, in a file of the user's: what was inlined from elsewhere is an operation there.
    fn place(&mut self, inst: Inst) -> Option<(FileId, u32)> {
        let node = self.function.instructions[inst].debug_location.expand()?;
        let place = self.module.debug_location(node)?;
        let written = self.written;
        let mut known = |path: &String| *self.files.entry(path.clone()).or_insert_with_key(|path| written.file(path));
        let mut places = [&place].into_iter().chain(&place.inlined_at);
        let (place, file) = places.find_map(|place| Some((place, known(&place.file)?)))?;
        let offset = written.origins.files()[file].offset(place.line, place.column)?;
        Some((file, offset))
    }

    fn of_instruction(&mut self, inst: Inst) -> Option<OriginId> {
        let data = &self.function.instructions[inst];
        if data.opcode.is_terminator() {
            let written = self.written;
            let condition = |id| {
                let Record { file, range, .. } = *written.record(id);
                written.conditions.get(&(file, range)).copied()
            };
            // What it asks may have been computed elsewhere, where it was inlined.
            let of_operand = self.operand(inst, 0).and_then(condition);
            let (file, offset) = match of_operand {
                Some(found) => return Some(found),
                None => self.place(inst)?,
            };
            return written.around(file, offset).find_map(condition);
        }
        let (file, offset) = self.place(inst)?;
        let innermost = self.written.around(file, offset).next()?;
        let is_name = matches!(self.written.record(innermost).what, What::Variable(_));
        let end = self.written.record(innermost).range.end;
        match (data.opcode, self.operand_here(inst, offset)) {
            (Opcode::Call | Opcode::Invoke, _) => Some(innermost),
            (Opcode::GetElementPtr, Some(base)) => Some(self.indexed(base).unwrap_or(base)),
            (Opcode::GetElementPtr, None) if is_name => Some(self.indexed(innermost).unwrap_or(innermost)),
            // What is made of an operand at its own place is a conversion of it, or what lies there.
            (_, Some(operand)) if is_name || self.written.record(operand).range.end >= end => Some(operand),
            _ => Some(innermost),
        }
    }

    /// What an operand is.
    fn operand(&self, inst: Inst, index: usize) -> Option<OriginId> {
        self.of_value(*self.function.operands(inst).get(index)?)
    }

    fn of_value(&self, value: Value) -> Option<OriginId> {
        match self.function.values[value].definition {
            Definition::Instruction(inst) => self.found.get(&inst).copied(),
            _ => None,
        }
    }

    /// What the first operand is that begins where the instruction is.
    fn operand_here(&self, inst: Inst, offset: u32) -> Option<OriginId> {
        let operands = self.function.operands(inst).iter();
        let mut known = operands.filter_map(|&operand| self.of_value(operand));
        known.find(|&origin| self.written.record(origin).range.start == offset)
    }

    /// The element that is found by an index of this.
    fn indexed(&self, base: OriginId) -> Option<OriginId> {
        let Record { file, range, .. } = *self.written.record(base);
        let is_element = |&id: &OriginId| {
            let Record { what, range: outer, .. } = *self.written.record(id);
            let text = self.written.origins.files()[file].text.as_ref().map(|text| text.as_bytes());
            let ends_so = text.and_then(|text| text.get(outer.end as usize - 1)) == Some(&b']');
            what == What::Expression && outer.end > range.end && ends_so
        };
        let mut starts_here =
            self.written.around(file, range.start).filter(|&id| self.written.record(id).range.start == range.start);
        starts_here.find(is_element)
    }
}
