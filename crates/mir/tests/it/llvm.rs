//! What is said of machine code against what LLVM says, on every definition and branch.
//!
//! Taken as LLVM takes instructions, and without refinements, both say the same. With all of ours, what is uniform here and divergent there
//! is because of a refinement, and what is divergent here and uniform there is because of an instruction that LLVM calls uniform although threads differ.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::analyze;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_graph::{DepthFirst, Node, SuccessorOrder};
use reconverge_mir::{BlockIndex, File, Function, Machine, lower};
use reconverge_testing::machine::{MachineVerdict, llc};

fn amdgpu() -> (&'static Machine, &'static Target) {
    let machine = Machine::find("amdgpu", None).expect("it is built in");
    (machine, Target::named("amdgpu").expect("it is built in"))
}

/// What was compared.
#[derive(Debug, Default)]
struct Comparison {
    functions: usize,
    values: usize,
    branches: usize,
    divergent: usize,
    /// Divergent here by an instruction of which LLVM says that it is uniform, and what follows from that: function and register.
    unlike_llvm: BTreeSet<String>,
}

/// Compares all functions of a text.
fn compare(text: &str) -> Result<Comparison> {
    let llc = llc().context("asked for before")?;
    let verdicts = llc.uniformity(text)?;
    let file = File::read(text)?;
    ensure!(
        file.documents.len() == verdicts.len(),
        "{} functions, and {} of LLVM",
        file.documents.len(),
        verdicts.len()
    );
    let mut comparison = Comparison::default();
    for (document, verdict) in file.documents.iter().zip(&verdicts) {
        let function = document.read().with_context(|| verdict.function.clone())?;
        ensure!(function.name == verdict.function, "{} is {} of LLVM", function.name, verdict.function);
        compare_function(&function, verdict, &mut comparison).with_context(|| verdict.function.clone())?;
    }
    Ok(comparison)
}

fn compare_function(function: &Function<'_>, verdict: &MachineVerdict, comparison: &mut Comparison) -> Result<()> {
    let (machine, target) = amdgpu();
    let as_llvm = lower(function, machine, target, true)?;
    let unrefined = analyze(&as_llvm.problem, &Settings::unrefined().analysis);
    let ours = lower(function, machine, target, false)?;
    let refined = analyze(&ours.problem, &Settings::refined().analysis);
    let search = DepthFirst::compute(&as_llvm.problem.graph, SuccessorOrder::Forward);
    let is_all_uniform = verdict.blocks.is_empty();
    ensure!(
        is_all_uniform || verdict.blocks.len() == function.blocks.len(),
        "LLVM lists {} blocks",
        verdict.blocks.len()
    );
    comparison.functions += 1;

    let mut next = vec![0; function.blocks.len()];
    for (index, definition) in as_llvm.definitions.iter().enumerate() {
        let block = definition.block as usize;
        let place = next[block];
        next[block] += 1;
        let theirs = match is_all_uniform {
            true => false,
            false => *verdict.blocks[block].values.get(place).context("LLVM lists fewer definitions")?,
        };
        if !search.is_reachable(Node::from_u32(definition.block)) {
            continue;
        }
        comparison.values += 1;
        comparison.divergent += usize::from(theirs);
        let name = function.register_name(definition.register);
        let here = unrefined.values[definition.value as usize].is_some();
        ensure!(theirs == here, "{name}: divergent in LLVM: {theirs}; here, as LLVM takes instructions: {here}");
        if refined.values[ours.definitions[index].value as usize].is_some() && !theirs {
            comparison.unlike_llvm.insert(format!("{} {name}", function.name));
        }
    }
    for (block, &count) in next.iter().enumerate() {
        ensure!(
            is_all_uniform || verdict.blocks[block].values.len() == count,
            "LLVM lists more definitions in block {block}"
        );
    }
    for block in 0..as_llvm.blocks {
        let node = Node::from_u32(block as u32);
        if !search.is_reachable(node) || as_llvm.problem.graph.successors(node).len() < 2 {
            continue;
        }
        comparison.branches += 1;
        let theirs = !is_all_uniform && verdict.blocks[block].terminator;
        let here = unrefined.branches[block].is_some();
        ensure!(theirs == here, "branch of block {block}: divergent in LLVM: {theirs}; here: {here}");
        if refined.branches[block].is_some() && !theirs {
            comparison.unlike_llvm.insert(format!("{} {}", function.name, function.block_name(block as u32)));
        }
    }
    let index =
        |number: &u32| verdict.blocks.iter().position(|block| block.number == *number).map(|at| at as BlockIndex);
    let theirs: BTreeSet<BlockIndex> = verdict.divergent_exits.iter().filter_map(index).collect();
    let exits: BTreeSet<BlockIndex> = unrefined.divergent_exits.iter().map(|exit| exit.header.as_u32()).collect();
    if unrefined.assumed_divergent.is_empty() && verdict.assumed_divergent.is_empty() {
        // LLVM lists the outermost cycle of those that are left together.
        ensure!(theirs.is_subset(&exits), "cycles with divergent exits: {theirs:?} in LLVM, {exits:?} here");
        ensure!(
            theirs.is_empty() == exits.is_empty(),
            "cycles with divergent exits: {theirs:?} in LLVM, {exits:?} here"
        );
    } else {
        ensure!(!unrefined.assumed_divergent.is_empty(), "only LLVM assumes that cycles are divergent");
        ensure!(!verdict.assumed_divergent.is_empty(), "LLVM does not assume that cycles are divergent");
    }
    Ok(())
}

fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn own_programs() {
    if llc().is_none() {
        return;
    }
    for (name, functions, divergent) in [("selected.mir", 6, 15), ("generic.mir", 8, 46), ("guessed.mir", 1, 3)] {
        let found = compare(&program(name)).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert_eq!((found.functions, found.divergent), (functions, divergent), "{name}");
        assert_eq!(found.unlike_llvm, BTreeSet::new(), "{name}");
    }
}

/// Each of these differences is explained in `docs/llvm-differences.md`.
#[test]
fn what_llvm_calls_uniform_where_threads_differ() {
    if llc().is_none() {
        return;
    }
    let found = compare(&program("sources_unlike_llvm.mir")).unwrap_or_else(|error| panic!("{error:#}"));
    let expected = [
        "mask_of_lanes %2",
        "mask_of_lanes %3",
        "mask_of_lanes %5",
        "number_of_the_lane %0",
        "number_of_the_lane %1",
        "number_of_the_lane %2",
        "private_memory %1",
        "private_memory %2",
    ];
    assert_eq!(found.unlike_llvm.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

/// The machine code that LLVM makes of our own LLVM IR for AMD GPUs, by both of its instruction selectors.
#[test]
fn what_instruction_selection_makes() {
    let Some(llc) = llc() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir");
    let mut total = Comparison::default();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let ir = std::fs::read_to_string(&path).unwrap();
        for (stop_after, flags) in [
            ("finalize-isel", &["-global-isel=0", "-O2"][..]),
            ("finalize-isel", &["-global-isel=0", "-O0"]),
            ("irtranslator", &["-global-isel", "-O2"]),
            ("legalizer", &["-global-isel", "-O2"]),
            ("regbankselect", &["-global-isel", "-O2"]),
            ("instruction-select", &["-global-isel", "-O2"]),
        ] {
            let what = || format!("{}, up to {stop_after}, {flags:?}", path.display());
            let machine_code = match llc.machine_code(&ir, stop_after, flags) {
                Ok(machine_code) => machine_code,
                Err(error) => panic!("{}: {error:#}", what()),
            };
            let found = compare(&machine_code).unwrap_or_else(|error| panic!("{}: {error:#}", what()));
            for unlike in &found.unlike_llvm {
                // A select by a mask of lanes, which is in scalar registers.
                assert!(unlike.starts_with("lanes "), "{}: {unlike}", what());
            }
            total.functions += found.functions;
            total.values += found.values;
            total.branches += found.branches;
            total.divergent += found.divergent;
        }
    }
    eprintln!("{total:?}");
    assert!(total.functions > 30 && total.values > 500 && total.branches > 50, "{total:?}");
}
