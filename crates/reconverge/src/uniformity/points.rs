//! All that a module computes and decides, each with the widest set of threads in which it is uniform.
//!
//! **Definition.** A *point* is a parameter, the result of an instruction, or a branch with several successors. Of source, what has no origin is none, nor is the address
//! of a variable; instructions that are one expression are one point, which says of the last of them.
//!
//! These are the points that [`uniformity()`](crate::uniformity()) explains when it is asked about every line, with the same answers, without why: three analyses of each function.

use std::ops::Range;

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::explanation::{Explainer, Point as At, Question, find};
use reconverge_analysis::uniformity::report::{ReportOptions, Subject, analyze_functions};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene, Voice};
use reconverge_ir::function::{Definition, LocalName};
use reconverge_ir::origin::{Extent, FunctionOrigins, Place};

use super::explain::named;
use super::questions::{one_for_each_place, origins_of};
use crate::lines::Lines;
use crate::source::Source;
use crate::{Error, Module, Progress};

/// A function, and what it computes and decides.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FunctionPoints {
    /// The function, with its sigil.
    pub name: String,
    /// The function, as the input writes it.
    pub written: String,
    /// Whether launches start it.
    pub is_kernel: bool,
    /// Where it is: its name in the source, its header in IR. None where nobody knows.
    pub span: Option<FileSpan>,
    /// All of it, of IR.
    pub extent: Option<Range<usize>>,
    /// The points that a path leads to, in the order of the IR.
    pub points: Vec<Point>,
    /// What a set of threads is called, from the narrowest: a subgroup, a workgroup, the grid.
    pub sets: [String; 3],
}

/// A value or a branch.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Point {
    /// What it is called.
    pub name: String,
    /// Whether it decides where threads go next.
    pub is_branch: bool,
    /// Where it is.
    pub span: FileSpan,
    /// The widest set in which it is uniform.
    pub uniform_in: Option<Scope>,
}

/// Bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileSpan {
    /// The file; none for the IR that was read.
    pub file: Option<String>,
    /// From the first byte to behind the last one; a word, where only the start is known.
    pub bytes: Range<usize>,
}

/// What the functions of a module compute and decide. Almost linear in the text.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{Input, Scope, Settings, points};
/// let kernel = "kernel void k(global int *a, int n) { a[n + 1] = (int)get_local_id(0); }";
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
/// let [function] = &points(&module)?[..] else { panic!("one function") };
/// let set = |text| function.points.iter().find(|point| &kernel[point.span.bytes.clone()] == text).map(|point| point.uniform_in);
/// assert_eq!((set("n + 1"), set("get_local_id(0)")), (Some(Some(Scope::Grid)), Some(None)));
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn points(module: &Module) -> Result<Vec<FunctionPoints>, Error> {
    let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
    let options = ReportOptions { target: Some(module.target()), scopes: &all };
    let wanted = |_: &reconverge_ir::Module<'_>, _| !module.control.is_cancelled();
    let (_, functions) = analyze_functions(module.ir(), &options, wanted, |subject, lowerer| {
        let places = Places { subject: *subject, source: module.source() };
        let mut explainer = Explainer::new(subject, lowerer, Scope::Subgroup);
        let voice = module.source().map(Source::voice);
        let voice = voice.as_ref().map_or(&IrVoice as &dyn Voice, |voice| voice);
        let words = ChainWords { scene: places.scene(), voice };
        let mut points = Vec::new();
        for (at, span) in places.points() {
            if !explainer.is_reachable(at) {
                continue;
            }
            let (name, uniform_in) = (words.subject(named(at)), explainer.widest(lowerer, at));
            points.push(Point { name, is_branch: matches!(at, At::Terminator(_)), span, uniform_in });
        }
        module.control.tell(Progress::Function);
        let name = subject.module.function_name(subject.id);
        FunctionPoints {
            written: voice.written(name.strip_prefix('@').unwrap_or(&name)).into_owned(),
            is_kernel: subject.facts.is_kernel(subject.id),
            span: places.function(),
            extent: places.extent(),
            points,
            sets: all.map(|scope| voice.set(scope)),
            name,
        }
    })
    .map_err(|error| module.not_ir(&error))?;
    module.unless_cancelled(functions.into_iter().flatten().collect())
}

/// Where things of one function are.
struct Places<'a, 't> {
    subject: Subject<'a, 't>,
    source: Option<&'a Source>,
}

impl<'a, 't> Places<'a, 't> {
    fn scene(&self) -> Scene<'a, 't> {
        let Subject { module, id, function, .. } = self.subject;
        Scene { module, id, function }
    }

    fn origins(&self, source: &'a Source) -> FunctionOrigins<'a, 't> {
        let Subject { module, id, function, .. } = self.subject;
        FunctionOrigins::new(module, id, function, source.words.origins.as_ref())
    }

    /// All points, in the order of the text.
    fn points(&self) -> Vec<(At, FileSpan)> {
        let Subject { module, id, function, .. } = self.subject;
        if let Some(source) = self.source {
            let origins = origins_of(function, &self.origins(source));
            let points = one_for_each_place(origins).into_iter();
            return points.filter_map(|(at, origin)| Some((at, in_source(source, &origin.place)?))).collect();
        }
        let everything = Question::Bytes(self.extent().unwrap_or(0..0));
        let span = |at: &At| match *at {
            At::Terminator(block) => function.instructions[function.terminator(block)].span,
            At::Value(value) => match (function.values[value].definition, function.name(value)) {
                (Definition::Instruction(inst), _) => function.instructions[inst].span,
                (_, Some(LocalName::Text(name))) => name,
                _ => module.functions[id].header,
            },
        };
        let points = find(module, id, function, &everything).into_iter();
        points.map(|at| (at, FileSpan { file: None, bytes: span(&at).range() })).collect()
    }

    fn function(&self) -> Option<FileSpan> {
        let Subject { module, id, .. } = self.subject;
        match self.source {
            Some(source) => in_source(source, &self.origins(source).of_function()?.place),
            None => Some(FileSpan { file: None, bytes: module.functions[id].header.range() }),
        }
    }

    fn extent(&self) -> Option<Range<usize>> {
        let function = &self.subject.module.functions[self.subject.id];
        let header = function.header.range();
        let end = function.body.map_or(header.end, |body| body.range().end);
        self.source.is_none().then_some(header.start..end)
    }
}

/// A place in the source, if its file can be read.
fn in_source(source: &Source, place: &Place) -> Option<FileSpan> {
    let file = place.file.path.display().to_string();
    let bytes = match &place.extent {
        Extent::Bytes(bytes) => bytes.start as usize..bytes.end as usize,
        &Extent::Line { line, column } => {
            let text = source.words.files.text(&file)?;
            let line = Lines::new(&text).get((line as usize).checked_sub(1)?)?;
            let start = (line.start + (column as usize).saturating_sub(1)).min(line.end);
            let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            start..start + text[start..line.end].iter().take_while(is_word).count()
        }
    };
    Some(FileSpan { file: Some(file), bytes })
}
