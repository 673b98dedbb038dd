//! The reader, the printer, cycles and `check`, against an installed LLVM.
//!
//! With `RECONVERGE_ROUNDS` of 10 or more the corpora include the OpenCL libraries, and every kernel is printed.

#[path = "../../../analysis/tests/it/oracle/mod.rs"]
#[allow(dead_code, reason = "the oracle has more than its verdict")]
mod oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use oracle::Oracle;
use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::flow::FlowFunction;
use reconverge_analysis::lower::lower;
use reconverge_graph::{CycleForest, SuccessorOrder};
use reconverge_ir::text::unquote;
use reconverge_ir::{Function, FunctionId, Module, print_module, read_functions};
use reconverge_testing::corpus::{Corpus, ensure_corpus};
use reconverge_testing::llvm::{self, Tools};
use reconverge_testing::rounds::{is_long, is_part, seeds, stride};
use reconverge_testing::{corpus, random, verdicts};

/// The corpora, and our own assembly files. Every file in a long run, else the kernels.
fn inputs(tools: &Tools) -> Vec<PathBuf> {
    let corpus = if is_long() { Corpus::Full } else { Corpus::Small };
    let mut files = ensure_corpus(tools, corpus).expect("the corpus builds");
    files.extend(corpus::cases("ir", "ll").expect("the cases are there"));
    files.extend(corpus::examples().expect("the examples are there"));
    files
}

/// A text reads; what is printed of it assembles to the same module, in the eyes of `llvm-diff` and of
/// the disassembler, which sees everything.
#[test]
fn what_is_printed_is_the_same_module() {
    let Some(tools) = llvm::tools() else { return };
    let every = if is_long() { 1 } else { stride(12) };
    let files: Vec<PathBuf> = inputs(tools)
        .into_iter()
        .enumerate()
        .filter(|(index, file)| index % every == 0 || file.starts_with(corpus::workspace().join("tests/cases")))
        .map(|(_, file)| file)
        .collect();
    files.par_iter().for_each(|file| assert_round_trip(tools, file));
    println!("{} files printed and assembled to the same module", files.len());
}

fn assert_round_trip(tools: &Tools, file: &Path) {
    let text = fs::read_to_string(file).expect("the file is text");
    let (module, bodies) = read(&text, |_, id, function| (id, function.clone()));
    let bodies: BTreeMap<FunctionId, Function> = bodies.into_iter().collect();
    let printed = String::from_utf8(print_module(&module, |id| &bodies[&id])).expect("text goes in, text comes out");
    let canonical = |text: &str| {
        let bitcode = tools.assemble(text).expect("llvm-as runs");
        let bitcode = bitcode.unwrap_or_else(|message| panic!("{}: {message}", file.display()));
        tools.disassemble(&bitcode).map(|text| without_file_names(&text))
    };
    if tools.assemble(&text).expect("llvm-as runs").is_err() {
        assert!(is_example(file), "llvm-as rejects {}", file.display());
        return;
    }
    match (canonical(&text), canonical(&printed)) {
        (Ok(before), Ok(after)) => assert!(before == after, "{}: not the same after printing", file.display()),
        // LLVM 22 writes bitcode for some attributes that it does not read back; then `llvm-diff` alone has to do.
        (Err(before), Err(after)) => assert_eq!(before.to_string(), after.to_string()),
        (before, after) => panic!("{}: {:?} {:?}", file.display(), before.err(), after.err()),
    }
    // `llvm-diff` finds differences between some modules and themselves, which then say nothing.
    let diff = |other: &str| tools.diff(&text, other).expect("llvm-diff runs");
    if diff(&text).is_ok() {
        assert_eq!(diff(&printed), Ok(()), "{}", file.display());
    }
}

/// Without the lines that name the file that was assembled.
fn without_file_names(text: &str) -> String {
    let is_name =
        |line: &&str| ["; ModuleID", "source_filename", "^0 = module:"].iter().any(|start| line.starts_with(start));
    text.lines().filter(|line| !is_name(line)).collect::<Vec<_>>().join("\n")
}

/// The broken examples do not get past LLVM's verifier.
fn is_example(file: &Path) -> bool {
    file.starts_with(corpus::workspace().join("examples"))
}

fn read<'t, R: Send>(
    text: &'t str,
    visit: impl Fn(&Module<'t>, FunctionId, &Function) -> R + Sync,
) -> (Module<'t>, Vec<R>) {
    read_functions(text.as_bytes(), visit).unwrap_or_else(|error| {
        let position = error.position(text.as_bytes());
        panic!("{}:{}: {error}", position.line, position.column)
    })
}

/// Depth, header, entries, blocks.
type Cycle = (u32, String, BTreeSet<String>, BTreeSet<String>);

#[test]
fn cycles_are_those_of_llvm() {
    let Some(tools) = llvm::tools() else { return };
    let files = inputs(tools);
    let every = if is_long() { 1 } else { stride(3) };
    let counts: Vec<(usize, usize)> =
        files.par_iter().step_by(every).map(|file| assert_same_cycles(tools, file)).collect();
    let (functions, cycles) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    println!("{} files, {functions} functions, {cycles} cycles, all as LLVM has them", counts.len());
    assert!(is_part() || cycles > 100);
}

fn assert_same_cycles(tools: &Tools, file: &Path) -> (usize, usize) {
    let text = fs::read_to_string(file).expect("the file is text");
    let Ok(theirs) = tools.cycles_of_file(file) else {
        // LLVM prints names as they are, and a name with a line break in it is more than its output can bear.
        assert!(is_example(file) || file.ends_with("tests/cases/ir/misc.ll"), "opt rejects {}", file.display());
        return (0, 0);
    };
    let (_, ours) = read(&text, |module, id, function| {
        let name = module.symbol_name(module.functions[id].symbol);
        // LLVM prints no name for a function that has only a number.
        let name =
            if name.iter().all(u8::is_ascii_digit) { String::new() } else { String::from_utf8_lossy(&name).into() };
        (name, our_cycles(module, function))
    });
    let ours: BTreeMap<String, BTreeSet<Cycle>> = ours.into_iter().collect();
    let mut count = 0;
    for function in &theirs {
        let cycles: BTreeSet<Cycle> = function
            .cycles
            .iter()
            .map(|cycle| {
                let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
                (cycle.depth, cycle.header.clone(), set(&cycle.entries), set(&cycle.blocks))
            })
            .collect();
        count += cycles.len();
        assert_eq!(ours.get(&function.function), Some(&cycles), "{}: @{}", file.display(), function.function);
    }
    assert_eq!(theirs.len(), ours.len(), "{}", file.display());
    (theirs.len(), count)
}

fn our_cycles(module: &Module<'_>, function: &Function) -> BTreeSet<Cycle> {
    let forest = CycleForest::compute(&function.control_flow_graph(), SuccessorOrder::Reverse);
    let names = block_names(module, function);
    let name = |node: reconverge_graph::Node| names[node.as_u32() as usize].clone();
    let cycle = |(cycle, data): (reconverge_graph::Cycle, &reconverge_graph::CycleData)| {
        let entries = data.entries.iter().map(|&node| name(node)).collect();
        (data.depth, name(data.header), entries, forest.nodes(cycle).iter().map(|&node| name(node)).collect())
    };
    forest.cycles.iter().map(cycle).collect()
}

/// The names of blocks as LLVM prints them: it numbers afresh, without the gaps that a text may have.
fn block_names(module: &Module<'_>, function: &Function) -> Vec<String> {
    use reconverge_ir::function::LocalName;
    let mut next = 0;
    let mut number = |name: LocalName| match name {
        LocalName::Text(span) => String::from_utf8_lossy(&unquote(span.of(module.text))).into_owned(),
        LocalName::Number(_) => {
            next += 1;
            (next - 1).to_string()
        }
    };
    for &name in &function.parameter_names {
        number(name);
    }
    let mut names = Vec::new();
    for (block, data) in &function.blocks {
        names.push(number(data.name));
        for inst in function.block_instructions(block) {
            let inst = &function.instructions[inst];
            if inst.result.is_some() {
                number(inst.name);
            }
        }
    }
    names
}

/// How many random programs the everyday suite takes: `BATCHES` modules of `BATCH` functions.
const BATCHES: u64 = 4;
const BATCH: usize = 500;

/// The ways in which LLVM's verifier is known to differ from the rules. Each is explained in
/// `docs/llvm-differences.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// LLVM counts a convergence control intrinsic without a bundle as controlled; the text does not.
    IntrinsicsBesideUncontrolled,
    /// LLVM walks the blocks once, so what retreating edges bring to a block comes too late for its nesting check.
    NestingOverRetreatingEdges,
    /// LLVM forbids parameters of type `token`, used or not, for reasons that are not about convergence.
    TokenParameter,
}

#[test]
fn verdicts_on_random_programs_are_those_of_llvm() {
    let Some(tools) = llvm::tools() else { return };
    let batches = seeds(BATCHES);
    let found: Vec<(usize, Vec<Difference>)> =
        batches.clone().into_par_iter().map(|seed| compare_verdicts(tools, seed)).collect();
    let mut differences: BTreeMap<Difference, usize> = BTreeMap::new();
    found.iter().flat_map(|(_, found)| found).for_each(|difference| *differences.entry(*difference).or_default() += 1);
    let valid: usize = found.iter().map(|(valid, _)| valid).sum();
    let programs = (batches.end - batches.start) * BATCH as u64;
    println!("{programs} random programs, seeds {batches:?}: {valid} valid; differences from LLVM: {differences:?}");
    assert!(valid > 0 && (valid as u64) < programs);
}

/// How many functions are valid, and every difference.
fn compare_verdicts(tools: &Tools, seed: u64) -> (usize, Vec<Difference>) {
    let text = random::module(seed, BATCH);
    let theirs = verdicts::llvm_verdicts(tools, &text).expect("opt judges the module");
    let report = check(text.as_bytes(), &CheckOptions::default()).expect("the module reads");
    let mut ours: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for diagnostic in report.diagnostics().iter().filter(|diagnostic| diagnostic.code.name().starts_with("RC01")) {
        ours.entry(diagnostic.function.clone().unwrap_or_default()).or_default().insert(diagnostic.code.name());
    }
    let (_, flows) = read(&text, |module, id, function| lower(module, id, function).flow);
    let mut differences = Vec::new();
    for (index, flow) in flows.iter().enumerate() {
        let codes = ours.get(&format!("@f{index}")).cloned().unwrap_or_default();
        if codes.is_empty() == theirs.accepts(index) {
            continue;
        }
        let place = format!("seed {seed}, function {index}: ours {codes:?}, LLVM {:?}", theirs.messages(index));
        let difference = classify(&codes, theirs.messages(index), flow);
        differences.push(difference.unwrap_or_else(|| panic!("unexplained difference: {place}")));
        assert_eq!(Oracle::new(flow).breaches().is_empty(), codes.is_empty(), "the definition disagrees: {place}");
    }
    (BATCH - ours.len(), differences)
}

fn classify(ours: &BTreeSet<&str>, theirs: &[String], flow: &FlowFunction) -> Option<Difference> {
    let only = |message: &str| !theirs.is_empty() && theirs.iter().all(|found| found.contains(message));
    let controlled = flow.operations.iter().any(|operation| operation.is_controlled());
    if ours.is_empty() && only("Cannot mix controlled and uncontrolled convergence") && !controlled {
        Some(Difference::IntrinsicsBesideUncontrolled)
    } else if ours.is_empty() && only("Function takes token but isn't an intrinsic") {
        Some(Difference::TokenParameter)
    } else if theirs.is_empty() && ours.iter().eq(["RC0117"].iter()) {
        let forest = CycleForest::compute(&flow.graph, SuccessorOrder::Reverse);
        (!forest.cycles.is_empty()).then_some(Difference::NestingOverRetreatingEdges)
    } else {
        None
    }
}

/// Random programs without breaches still break the rule about nesting where LLVM does not look, unless they are asked not to.
#[test]
fn regions_are_nested_throughout_on_request() {
    let broken = |nested_throughout: bool| -> usize {
        let options = random::Options { broken_percent: 0, nested_throughout, ..random::Options::default() };
        let text = random::module_with(3, 4_000, &options);
        let report = check(text.as_bytes(), &CheckOptions::default()).expect("the module reads");
        let rules = report.findings.iter().map(|diagnostic| diagnostic.code.name());
        rules.filter(|rule| rule.starts_with("RC01")).count()
    };
    assert_ne!(broken(false), 0);
    assert_eq!(broken(true), 0);
}

/// The programs of `docs/llvm-differences.md` about the rules show what the page says they show.
#[test]
fn documented_differences_are_real() {
    let Some(tools) = llvm::tools() else { return };
    let page = fs::read_to_string(corpus::workspace().join("docs/llvm-differences.md")).expect("the page is there");
    let programs = page.split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next());
    // The others are about uniformity, and tested with that.
    let programs: Vec<&str> = programs.filter(|program| program.starts_with("; LLVM: ")).collect();
    assert!(programs.len() >= 8);
    for program in programs {
        let stated = |key: &str| {
            let line = program.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_else(|| panic!("no line '{key}' in\n{program}"))
        };
        let verdict = tools.verify(program).expect("opt runs");
        assert_eq!(if verdict.accepted { "accepts" } else { "rejects" }, stated("; LLVM: "), "{program}");
        let report = check(program.as_bytes(), &CheckOptions::default()).expect("the program reads");
        let codes: BTreeSet<&str> = report.findings.iter().map(|diagnostic| diagnostic.code.name()).collect();
        let codes: Vec<&str> = codes.into_iter().filter(|code| code.starts_with("RC01")).collect();
        assert_eq!(
            if codes.is_empty() { "none".to_string() } else { codes.join(" ") },
            stated("; rules: "),
            "{program}"
        );
        let (_, flows) = read(program, |module, id, function| lower(module, id, function).flow);
        let oracle: BTreeSet<&str> =
            flows.iter().flat_map(|flow| Oracle::new(flow).breaches()).map(|breach| breach.0.name()).collect();
        assert!(oracle.into_iter().eq(codes), "the definition disagrees:\n{program}");
    }
}

/// The programs of `docs/llvm-differences.md` that a pass breaks are accepted before that pass, by LLVM and by us, and not behind it.
#[test]
fn documented_breaking_passes_are_real() {
    let Some(tools) = llvm::tools() else { return };
    let page = fs::read_to_string(corpus::workspace().join("docs/llvm-differences.md")).expect("the page is there");
    let programs = page.split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next());
    let programs: Vec<&str> = programs.filter(|program| program.starts_with("; broken by: ")).collect();
    assert!(!programs.is_empty());
    for program in programs {
        let stated = |key: &str| program.lines().find_map(|line| line.strip_prefix(key)).expect("both are stated");
        assert!(tools.verify(program).expect("opt runs").accepted, "{program}");
        let report = check(program.as_bytes(), &CheckOptions::default()).expect("the program reads");
        assert!(report.findings.iter().all(|found| !found.code.name().starts_with("RC01")), "{program}");
        let error = tools.transform(program, stated("; broken by: ")).expect_err("the result is rejected");
        assert!(format!("{error:#}").contains(stated("; breach: ")), "{error:#}");
    }
}
