//! Our uniformity analysis against LLVM's, on every value and branch of the corpora.
//!
//! LLVM's time to print a verdict grows with the number of functions in the module, so each module is cut into parts of some
//! functions each. With `RECONVERGE_ROUNDS` of 10 or more the OpenCL libraries are compared, too.
//!
//! The tables say how precise each side is, by corpus and `-O` level.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cranelift_entity::EntityRef;
use rayon::prelude::*;
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::lower::{Input, Lowered, Lowerer, LoweringOptions, ModuleFacts, Summaries};
use reconverge_analysis::uniformity::refinements::{RefinementKind, Settings};
use reconverge_analysis::uniformity::{Element, Options, Uniformity, analyze};
use reconverge_graph::{DepthFirst, SuccessorOrder};
use reconverge_ir::function::{Block, Function, Inst, LocalName};
use reconverge_ir::text::unquote;
use reconverge_ir::{BodyEnds, FunctionId, FunctionReader, Module};
use reconverge_testing::corpus::{self, Corpus, ensure_corpus};
use reconverge_testing::llvm::{self, Tools};
use reconverge_testing::rounds::is_long;
use reconverge_testing::uniformity::{BlockShape, BlockVerdict, Counts, Place, Shape, Verdict, compare};

/// The most functions, and about the most bytes of them, in one part.
const PART: (usize, usize) = (200, 400_000);

/// Some functions of a module, as a module of their own: with everything that is not a function, and without the bodies of the
/// other functions that they need.
struct Part {
    text: String,
    /// The functions with a body, in the order of the text; whether it is the body of the original.
    functions: Vec<(FunctionId, bool)>,
}

/// Cuts a module into parts that LLVM can judge.
fn parts(module: &Module<'_>) -> Vec<Part> {
    let text = |range: std::ops::Range<usize>| std::str::from_utf8(&module.text[range]).expect("the text is UTF-8");
    let whole = |id: FunctionId| {
        let function = &module.functions[id];
        function.header.range().start..function.body.map_or(function.header.range().end, |body| body.range().end)
    };
    let mut skeleton = String::new();
    let mut end = 0;
    for id in module.functions.keys() {
        let range = whole(id);
        skeleton
            .extend(text(end..range.start).lines().filter(|line| !line.starts_with(';')).flat_map(|line| [line, "\n"]));
        end = range.end;
    }
    skeleton.push_str(text(end..module.text.len()));
    let needed_by_all = mentioned(module, &skeleton);

    let mut parts = Vec::new();
    let definitions: Vec<FunctionId> = module.definitions().collect();
    let mut rest = definitions.as_slice();
    while !rest.is_empty() {
        let mut size = 0;
        let fits = |&&id: &&FunctionId| {
            let before = size;
            size += whole(id).len();
            before < PART.1
        };
        let (mine, others) = rest.split_at(rest.iter().take(PART.0).take_while(fits).count());
        rest = others;
        let mut needed = needed_by_all.clone();
        for &id in mine {
            needed.extend(mentioned(module, text(whole(id))));
            needed.insert(id);
        }
        let mut part = Part { text: skeleton.clone(), functions: Vec::new() };
        for &id in &needed {
            part.text.push('\n');
            if mine.contains(&id) {
                part.text.push_str(text(whole(id)));
            } else {
                part.text.push_str(text(module.functions[id].header.range()));
                part.text.push_str(if module.functions[id].body.is_some() { "{\n  unreachable\n}\n" } else { "\n" });
            }
            if module.functions[id].body.is_some() {
                part.functions.push((id, mine.contains(&id)));
            }
        }
        parts.push(part);
    }
    parts
}

/// The functions whose names are in a text, in the order of the module.
fn mentioned(module: &Module<'_>, text: &str) -> BTreeSet<FunctionId> {
    let names = text.split('@').skip(1).map(|rest| {
        let end = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map_or(rest.len(), |end| end + 2),
            None => rest.find(|c: char| !c.is_ascii_alphanumeric() && !"$._-".contains(c)).unwrap_or(rest.len()),
        };
        unquote(&rest.as_bytes()[..end])
    });
    names.filter_map(|name| module.function_of(module.symbol_named(&name)?)).collect()
}

/// What is compared of a function.
fn shape(module: &Module<'_>, function: &Function) -> Shape {
    let search = DepthFirst::compute(&function.control_flow_graph(), SuccessorOrder::Forward);
    let block = |block: Block| BlockShape {
        reachable: search.is_reachable(reconverge_graph::Node::new(block.index())),
        values: results(function, block).count(),
        successors: function.successors(block).len(),
    };
    Shape {
        arguments: (0..function.parameters.len()).map(|index| argument_name(module, function, index)).collect(),
        blocks: function.blocks.keys().map(block).collect(),
    }
}

/// The instructions of a block that have a result, but for the terminator.
fn results(function: &Function, block: Block) -> impl Iterator<Item = Inst> + '_ {
    let terminator = function.terminator(block);
    function
        .block_instructions(block)
        .filter(move |&inst| inst != terminator && function.instructions[inst].result.is_some())
}

/// The name that LLVM gives to a parameter: of those without one, the numbers are consecutive.
fn argument_name(module: &Module<'_>, function: &Function, index: usize) -> String {
    match function.parameter_names[index] {
        LocalName::Text(span) => String::from_utf8_lossy(&unquote(span.of(module.text))).into_owned(),
        LocalName::Number(_) => {
            let is_unnamed = |name: &&LocalName| matches!(name, LocalName::Number(_));
            function.parameter_names[..index].iter().filter(is_unnamed).count().to_string()
        }
    }
}

/// The ways to analyse that are counted, each with a name: with all refinements, without any, and without each of them.
fn variants() -> Vec<(&'static str, Settings)> {
    let without = RefinementKind::ALL.into_iter().map(|kind| (kind.name(), Settings::refined().with(kind, false)));
    [("all", Settings::refined()), ("none", Settings::unrefined())].into_iter().chain(without).collect()
}

/// A module, and what there is to know before its functions are analysed in one way.
struct Analysis<'a> {
    module: &'a Module<'a>,
    facts: &'a ModuleFacts<'a>,
    options: LoweringOptions,
    analysis: &'a Options,
    summaries: Summaries,
}

impl<'a> Analysis<'a> {
    fn new(module: &'a Module<'a>, facts: &'a ModuleFacts<'a>, settings: &'a Settings) -> Analysis<'a> {
        let options = LoweringOptions { refinements: settings.lowering, ..LoweringOptions::new(Scope::Subgroup) };
        let summaries = Summaries::compute(module, facts, &options, &settings.analysis).expect("the module reads");
        Analysis { module, facts, options, analysis: &settings.analysis, summaries }
    }

    fn analyze(&self, lowerer: &mut Lowerer, id: FunctionId, function: &Function) -> (Lowered, Uniformity) {
        let Analysis { module, facts, options, analysis, summaries } = self;
        let lowered = lowerer.lower(Input { module, facts, id, function, summaries }, options);
        let uniformity = analyze(&lowered.problem, analysis);
        (lowered, uniformity)
    }

    /// Our verdict, and the chain of each thing that is divergent.
    fn verdict(&self, lowerer: &mut Lowerer, id: FunctionId, function: &Function) -> Verdict {
        let (lowered, uniformity) = self.analyze(lowerer, id, function);
        let is_divergent =
            |value| lowered.index_of(value).is_some_and(|index| uniformity.values[index as usize].is_some());
        let arguments = function.parameters.iter().enumerate().filter(|&(_, &value)| is_divergent(value));
        let block = |block: Block| BlockVerdict {
            values: results(function, block)
                .map(|inst| is_divergent(function.instructions[inst].result.expect("there is one")))
                .collect(),
            terminator: uniformity.branches[lowered.node_of(function, function.terminator(block)).index()].is_some(),
        };
        Verdict {
            arguments: arguments.map(|(index, _)| argument_name(self.module, function, index)).collect(),
            blocks: function.blocks.keys().map(block).collect(),
        }
    }

    /// What we say of a place: the text there, and the chain back to a source.
    fn explain(&self, id: FunctionId, function: &Function, place: &Place) -> String {
        let (lowered, uniformity) = self.analyze(&mut Lowerer::default(), id, function);
        let text = |inst: Inst| String::from_utf8_lossy(function.instructions[inst].span.of(self.module.text));
        let result = |inst: Inst| function.instructions[inst].result.expect("there is one");
        let index = |value| Element::Value(lowered.index_of(value).expect("it has a verdict"));
        let (what, element) = match place {
            Place::Argument(name) => {
                let is_it = |&at: &usize| argument_name(self.module, function, at) == *name;
                let at = (0..function.parameters.len()).find(is_it).expect("it is there");
                (format!("%{name}").into(), index(function.parameters[at]))
            }
            &Place::Value(block, at) => {
                let inst = results(function, Block::new(block)).nth(at).expect("it is there");
                (text(inst), index(result(inst)))
            }
            &Place::Terminator(block) => {
                let inst = function.terminator(Block::new(block));
                (text(inst), Element::Branch(lowered.node_of(function, inst)))
            }
        };
        let name = self.module.function_name(id);
        format!("{name}: {what}\n      {:?}", uniformity.chain(element))
    }
}

/// The name of the row that a file counts for: `opencl amdgpu O1`, `libclc nvptx64--`.
fn row(path: &Path) -> String {
    let kind = path.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
    let stem = path.file_stem().expect("a file").to_string_lossy();
    match stem.split_once('.') {
        Some((_, variant)) => format!("{kind} {}", variant.replace('.', " ")),
        None => format!("{kind} {stem}"),
    }
}

/// By row of the table: one count for each variant.
type Table = BTreeMap<String, Vec<Counts>>;

/// Compares the functions of a module: the counts by variant, and what LLVM alone calls uniform, with our reasons. Nothing when
/// LLVM knows no divergence on the target.
fn compare_text(tools: &Tools, path: &Path, text: &str) -> Option<(Vec<Counts>, Vec<String>)> {
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the module reads");
    let facts = ModuleFacts::new(&module, Target::for_triple(&module.target_triple()));
    let variants = variants();
    let parts = parts(&module);
    let analyses: Vec<Analysis> =
        variants.iter().map(|(_, settings)| Analysis::new(&module, &facts, settings)).collect();
    let compared = parts.par_iter().map(|part| compare_part(tools, path, &analyses, part));
    let compared: Option<Vec<(Vec<Counts>, Vec<String>)>> = compared.collect();
    let (mut sum, mut wrong) = (vec![Counts::default(); variants.len()], Vec::new());
    for (counts, more_wrong) in compared? {
        sum.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += counts);
        wrong.extend(more_wrong);
    }
    Some((sum, wrong))
}

fn compare_part(tools: &Tools, path: &Path, analyses: &[Analysis], part: &Part) -> Option<(Vec<Counts>, Vec<String>)> {
    let verdicts = tools.uniformity(&part.text).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()))?;
    assert_eq!(verdicts.len(), part.functions.len(), "{}", path.display());
    let module = analyses[0].module;
    let (mut reader, mut function, mut lowerer) =
        (FunctionReader::new(module), Function::default(), Lowerer::default());
    let (mut counts, mut wrong) = (vec![Counts::default(); analyses.len()], Vec::new());
    for (llvm, &(id, is_whole)) in verdicts.iter().zip(&part.functions) {
        let name = String::from_utf8_lossy(&module.symbol_name(module.functions[id].symbol)).into_owned();
        assert!(llvm.function == name || llvm.function.is_empty(), "{name} is {}", llvm.function);
        if !is_whole {
            continue;
        }
        reader.read_into(id, &mut function).expect("the body reads");
        let shape = shape(module, &function);
        for (index, analysis) in analyses.iter().enumerate() {
            let ours = analysis.verdict(&mut lowerer, id, &function);
            let (count, places) = compare(&shape, &llvm.verdict, &ours)
                .unwrap_or_else(|error| panic!("{}: {name}: {error:#}", path.display()));
            counts[index] += count;
            if index == 0 {
                wrong.extend(places.iter().map(|place| analysis.explain(id, &function, place)));
            }
        }
    }
    Some((counts, wrong))
}

/// Nothing that LLVM calls uniform is divergent for us; what is uniform for us alone is counted, by refinement.
#[test]
fn never_less_precise_than_llvm() {
    let Some(tools) = llvm::tools() else { return };
    let files = ensure_corpus(tools, if is_long() { Corpus::Full } else { Corpus::Small }).expect("the corpus builds");
    let compared: Vec<(&PathBuf, _)> = files
        .par_iter()
        .map(|path| {
            let text = fs::read_to_string(path).expect("the file is text");
            (path, compare_text(tools, path, &text))
        })
        .collect();
    let (mut table, mut wrong, mut without) = (Table::new(), Vec::new(), BTreeSet::new());
    for (path, result) in compared {
        let Some((counts, places)) = result else {
            without.insert(row(path));
            continue;
        };
        let sum = table.entry(row(path)).or_insert_with(|| vec![Counts::default(); counts.len()]);
        sum.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += counts);
        wrong.extend(places.into_iter().map(|place| format!("{}: {place}", path.display())));
    }
    print(&table, &without);
    assert!(table.values().map(|counts| counts[0].functions).sum::<usize>() > 600);
    assert!(
        wrong.is_empty(),
        "{} places that LLVM alone calls uniform:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(50)].join("\n")
    );
}

fn print(table: &Table, without: &BTreeSet<String>) {
    println!("{}", Counts::HEAD);
    for (row, counts) in table {
        println!("{}", counts[0].row(row));
    }
    println!("\nvalues and branches that are uniform for us alone; with no refinement; and how many fewer without one");
    let only = |counts: &Counts| counts.values.uniform_in_ours_only + counts.branches.uniform_in_ours_only;
    print!("{:30} ", "corpus");
    variants().iter().for_each(|(name, _)| print!(" {name:>20}"));
    println!();
    for (row, counts) in table {
        print!("{row:30} ");
        for (index, count) in counts.iter().enumerate() {
            let number = if index < 2 { only(count) } else { only(&counts[0]).saturating_sub(only(count)) };
            print!(" {number:>20}");
        }
        println!();
    }
    println!("\nLLVM knows no divergence for: {}", without.iter().cloned().collect::<Vec<_>>().join(", "));
}

/// What LLVM alone calls uniform in the one function of a program, and what we alone do.
fn differences(tools: &Tools, program: &str) -> [Vec<String>; 2] {
    let module = Module::read(program.as_bytes(), BodyEnds::AtLineStart).expect("the program reads");
    let facts = ModuleFacts::new(&module, Target::for_triple(&module.target_triple()));
    let settings = Settings::refined();
    let id = module.definitions().next().expect("there is a function");
    let mut function = Function::default();
    FunctionReader::new(&module).read_into(id, &mut function).expect("the body reads");
    let ours = Analysis::new(&module, &facts, &settings).verdict(&mut Lowerer::default(), id, &function);
    let mut theirs = tools.uniformity(program).expect("opt judges the program").expect("LLVM knows the target");
    let mut theirs = theirs.remove(0).verdict;
    let shape = shape(&module, &function);
    if theirs.blocks.is_empty() {
        let is_uniform = |block: &BlockShape| BlockVerdict { values: vec![false; block.values], terminator: false };
        theirs.blocks = shape.blocks.iter().map(is_uniform).collect();
    }
    [(&theirs, &ours), (&ours, &theirs)].map(|(one, other)| {
        let (_, places) = compare(&shape, one, other).expect("both are verdicts on the function");
        let text = |inst: Inst| String::from_utf8_lossy(function.instructions[inst].span.of(module.text)).into_owned();
        let name = |place: &Place| match place {
            Place::Argument(name) => format!("%{name}"),
            &Place::Value(block, at) => {
                let inst = results(&function, Block::new(block)).nth(at).expect("it is there");
                text(inst).split(" =").next().expect("a first part").to_owned()
            }
            &Place::Terminator(block) => match function.blocks[Block::new(block)].name {
                LocalName::Text(span) => String::from_utf8_lossy(span.of(module.text)).into_owned(),
                LocalName::Number(number) => number.to_string(),
            },
        };
        places.iter().map(name).collect()
    })
}

/// The programs of `docs/llvm-differences.md` about uniformity show what the page says they show.
#[test]
fn documented_differences_are_real() {
    let Some(tools) = llvm::tools() else { return };
    let page = corpus::workspace().join("docs/llvm-differences.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let programs = page.split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next());
    let programs: Vec<&str> = programs.filter(|program| program.starts_with("; uniform in LLVM only: ")).collect();
    assert!(programs.len() >= 8);
    for program in programs {
        let found = differences(tools, program);
        for (key, names) in ["; uniform in LLVM only: ", "; uniform in ours only: "].into_iter().zip(found) {
            let stated = program.lines().find_map(|line| line.strip_prefix(key)).expect("both are stated");
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            assert_eq!(names, stated, "{key}\n{program}");
        }
    }
}

/// What LLVM says of a function does not depend on which other functions are in the part.
#[test]
fn a_part_is_judged_like_the_whole() {
    let Some(tools) = llvm::tools() else { return };
    let mut text = String::from(
        "target triple = \"amdgcn-amd-amdhsa\"\n$shared = comdat any\n%pair = type { i32, i32 }\n\
         @table = constant [2 x ptr] [ptr @f3, ptr @\"odd name\"]\n",
    );
    let count = 2 * PART.0 + 50;
    for index in 0..count {
        let (linkage, comdat) = [("", ""), ("internal ", ""), ("linkonce_odr ", " comdat($shared)")][index % 3];
        let other = (index * 7 + 3) % count;
        text.push_str(&format!(
            "; Function Attrs: nounwind\ndefine {linkage}i32 @f{index}(i32 inreg %a, %pair %b) #0{comdat} !kind !0 {{\n  \
             %c = add i32 %a, {index}\n  %d = call i32 @f{other}(i32 %c, %pair %b)\n  %e = call i32 @\"odd name\"(i32 %d)\n  \
             %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %d), !range !1\n  ret i32 %f\n}}\n"
        ));
    }
    text.push_str(
        "declare i32 @\"odd name\"(i32)\ndeclare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n\
         attributes #0 = { nounwind }\n!0 = !{}\n!1 = !{i32 0, i32 9}\n",
    );
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the module reads");
    let parts = parts(&module);
    assert_eq!(parts.len(), 3);
    let mut cut = Vec::new();
    for part in &parts {
        let verdicts = tools.uniformity(&part.text).unwrap().unwrap();
        assert_eq!(verdicts.len(), part.functions.len());
        cut.extend(
            verdicts.into_iter().zip(&part.functions).filter(|(_, (_, whole))| *whole).map(|(verdict, _)| verdict),
        );
    }
    let whole = tools.uniformity(&text).unwrap().unwrap();
    assert_eq!(cut, whole);
    let block = BlockVerdict { values: vec![false, true, true, false], terminator: false };
    assert!(whole.iter().all(|function| function.verdict.blocks == [block.clone()]));
}
