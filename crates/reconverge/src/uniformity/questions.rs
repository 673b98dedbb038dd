//! What a question is about: of IR, a name or bytes of its text; of source, a variable or a line.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use reconverge_analysis::uniformity::explanation::{Point, Question, find, names};
use reconverge_findings::Scene;
use reconverge_ir::function::Function;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::origin::{Extent, FunctionOrigins, Origin, Place, SourceFile, What};
use reconverge_ir::{FunctionId, Module as Index};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::Module;
use crate::lines::Lines;
use crate::source::SourceWords;

/// A question, as it is asked of one input.
pub(super) enum Asked<'m> {
    /// Of IR; where that has debug information, its variables have names, too.
    Ir { question: Question, variable: Option<(&'m SourceWords, About)> },
    /// Of source, by what its instructions are there.
    Source { words: &'m SourceWords, about: About },
}

/// What a question about source names.
pub(super) enum About {
    /// What reads a variable, or is a parameter.
    Variable(String),
    /// What is computed or decided in a line. The end of the file's path is enough.
    Line { file: String, line: u32 },
}

impl<'m> Asked<'m> {
    /// The question of a user about an input; `lines` are of its IR.
    pub(super) fn new(asked: &str, module: &'m Module, lines: &Lines<'_>) -> Asked<'m> {
        let line = line_of_question(asked);
        let name = asked.strip_prefix("br ").unwrap_or(asked).trim();
        if let Some(source) = module.source() {
            let about = match line {
                Some(("" | "-", line)) => About::Line { file: module.name().to_owned(), line },
                Some((file, line)) => About::Line { file: file.to_owned(), line },
                None => About::Variable(name.to_owned()),
            };
            return Asked::Source { words: &source.words, about };
        }
        let variable = line.is_none() && !name.starts_with('%');
        let variable = module.words().filter(|_| variable).map(|words| (words, About::Variable(name.to_owned())));
        let question = match line {
            Some((file, line)) if matches!(file, "" | "-") || is_end_of(file, module.name()) => {
                Question::Bytes(line.checked_sub(1).and_then(|line| lines.get(line as usize)).unwrap_or(0..0))
            }
            Some((file, line)) => Question::SourceLine { file: file.to_owned(), line },
            None => Question::Name(name.strip_prefix('%').unwrap_or(name).to_owned()),
        };
        Asked::Ir { question, variable }
    }

    /// The name that is asked for, if it is one.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Asked::Ir { question: Question::Name(name), .. } | Asked::Source { about: About::Variable(name), .. } => {
                Some(name)
            }
            Asked::Ir { .. } | Asked::Source { .. } => None,
        }
    }

    /// The names that a function has for what can be asked for.
    pub(super) fn names(&self, module: &Index<'_>, id: FunctionId, function: &Function) -> Vec<String> {
        let variables = |words: &SourceWords| {
            let variable = |(_, origin): (Point, Origin)| match origin.what {
                What::Variable(name) => Some(name.to_string()),
                _ => None,
            };
            let known = Known::new(&Scene { module, id, function }, words);
            known.all.into_iter().filter_map(variable).collect::<Vec<String>>()
        };
        match self {
            Asked::Ir { variable, .. } => {
                let names = names(function).map(|(_, name)| module.local_name(name));
                names.chain(variable.iter().flat_map(|(words, _)| variables(words))).collect()
            }
            Asked::Source { words, .. } => variables(words),
        }
    }

    /// All points of a function that it is about, in the order of the text; `known` is what words know of it.
    pub(super) fn points(&self, module: &Index<'_>, id: FunctionId, function: &Function, known: &Known) -> Vec<Point> {
        let in_source = |about: &About| {
            let found = known.candidates(about).filter(|(_, origin)| about.is(origin));
            one_for_each_place(found.cloned().collect()).into_iter().map(|(point, _)| point).collect()
        };
        match self {
            Asked::Ir { question, variable } => {
                let found = find(module, id, function, question);
                match variable {
                    Some((_, about)) if found.is_empty() => in_source(about),
                    _ => found,
                }
            }
            Asked::Source { about, .. } => in_source(about),
        }
    }
}

/// What a function computes and decides, by the lines of all files: a report asks for each line of each.
#[derive(Default)]
pub(super) struct Known {
    all: Vec<(Point, Origin)>,
    by_line: FxHashMap<u32, Vec<usize>>,
}

impl Known {
    /// That of a function, as it is told in these words. In IR, what an expression of its source computes may be a variable, too.
    pub(super) fn new(scene: &Scene<'_, '_>, words: &SourceWords) -> Known {
        let Scene { module, id, function } = *scene;
        let mut all = origins_of(function, &words.origins_in(scene));
        if words.is_of_ir() {
            all.extend(origins_of(function, &FunctionOrigins::new(module, id, function, None)));
        }
        let mut by_line: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (number, (_, origin)) in all.iter().enumerate() {
            if let Some((line, _)) = origin.place.line() {
                by_line.entry(line).or_default().push(number);
            }
        }
        Known { all, by_line }
    }

    /// Those among which everything is that a question is about, in the order of the text.
    fn candidates(&self, about: &About) -> impl Iterator<Item = &(Point, Origin)> {
        let (all, of_line) = match about {
            About::Variable(_) => (&self.all[..], &[][..]),
            About::Line { line, .. } => (&[][..], self.by_line.get(line).map_or(&[][..], Vec::as_slice)),
        };
        all.iter().chain(of_line.iter().map(|&number| &self.all[number]))
    }
}

impl About {
    fn is(&self, origin: &Origin) -> bool {
        match (self, &origin.what) {
            (About::Variable(asked), What::Variable(name)) => **name == **asked,
            (About::Variable(_), _) => false,
            (About::Line { file, line }, _) => {
                origin.place.line().is_some_and(|(start, _)| start == *line)
                    && is_end_of(file, &origin.place.file.path.display().to_string())
            }
        }
    }
}

/// What is computed or decided in a function and has an origin. The address of a variable is not: nobody asks whether that differs.
pub(super) fn origins_of(function: &Function, origins: &FunctionOrigins<'_, '_>) -> Vec<(Point, Origin)> {
    let parameters = function.parameters.iter().enumerate();
    let mut found: Vec<(Point, Origin)> =
        parameters.filter_map(|(index, &value)| Some((Point::Value(value), origins.of_parameter(index)?))).collect();
    for (inst, data) in &function.instructions {
        let decides = data.opcode.is_terminator() && function.successors(data.block).len() > 1;
        let point = match data.result.expand() {
            Some(_) if data.opcode == Opcode::Alloca => None,
            Some(result) => Some(Point::Value(result)),
            None => decides.then_some(Point::Terminator(data.block)),
        };
        found.extend(point.and_then(|point| Some((point, origins.of_instruction(inst)?))));
    }
    found
}

/// Of several instructions that are one expression, the last one computes its value, or decides by it.
pub(super) fn one_for_each_place(found: Vec<(Point, Origin)>) -> Vec<(Point, Origin)> {
    let mut points = Vec::with_capacity(found.len());
    // Few, and mostly one: to hash a path for each origin would take longer.
    let mut files: Vec<Arc<SourceFile>> = Vec::new();
    let mut numbers: FxHashMap<(usize, Extent), usize> =
        FxHashMap::with_capacity_and_hasher(found.len(), FxBuildHasher);
    for (point, origin) in found {
        let Place { file, extent } = &origin.place;
        let known = files.iter().position(|known| Arc::ptr_eq(known, file) || known.path == file.path);
        let file = known.unwrap_or_else(|| {
            files.push(file.clone());
            files.len() - 1
        });
        match numbers.entry((file, extent.clone())) {
            Entry::Occupied(number) => points[*number.get()] = (point, origin),
            Entry::Vacant(place) => {
                place.insert(points.len());
                points.push((point, origin));
            }
        }
    }
    points
}

/// Whether a path ends in a file's name or path.
fn is_end_of(file: &str, path: &str) -> bool {
    path.strip_suffix(file).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// The file and line that a question about a line asks for.
pub fn line_of_question(asked: &str) -> Option<(&str, u32)> {
    let (file, line) = asked.rsplit_once(':')?;
    (!asked.starts_with('%')).then_some(())?;
    Some((file, line.parse().ok()?))
}
