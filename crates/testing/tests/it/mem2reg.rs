//! Unoptimised code gets the answer of its promoted form (refinement 8): allocas are analysed as the values that LLVM's
//! `mem2reg` makes of them. Every value that is there before and after the pass has the same verdict.

use std::collections::HashMap;
use std::path::PathBuf;

use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::lower::{
    Input, Lowerer, LoweringOptions, ModuleFacts, Origin, Refinements, Summaries,
};
use reconverge_analysis::uniformity::{Options, analyze};
use reconverge_ir::{BodyEnds, Function, FunctionReader, Module};
use reconverge_testing::corpus::{Corpus, ensure_corpus};
use reconverge_testing::llvm;
use reconverge_testing::rounds::{is_long, is_part, stride};

/// Which values are divergent, by function and name.
fn verdicts(text: &str) -> HashMap<(String, String), bool> {
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("LLVM printed it");
    let facts = ModuleFacts::new(&module, Target::for_triple(&module.target_triple()));
    // Provenance follows pointers through promoted variables, too.
    let refinements = Refinements { promotable_allocas: true, provenance: true, ..Refinements::NONE };
    let options = LoweringOptions { refinements, ..LoweringOptions::new(Scope::Subgroup) };
    let mut reader = FunctionReader::new(&module);
    let mut function = Function::default();
    let mut lowerer = Lowerer::default();
    let mut verdicts = HashMap::new();
    for id in module.definitions() {
        reader.read_into(id, &mut function).expect("LLVM printed it");
        let input = Input { module: &module, facts: &facts, id, function: &function, summaries: &Summaries::none() };
        let lowered = lowerer.lower(input, &options);
        let uniformity = analyze(&lowered.problem, &Options::default());
        for (origin, cause) in lowered.origins.iter().zip(&uniformity.values) {
            if let Origin::Value(value) = *origin
                && let Some(name) = function.name(value)
            {
                verdicts.insert((module.function_name(id), module.local_name(name)), cause.is_some());
            }
        }
    }
    verdicts
}

#[test]
fn as_after_mem2reg() {
    let Some(tools) = llvm::tools() else { return };
    let files = ensure_corpus(tools, Corpus::Small).expect("the corpus builds");
    let unoptimised = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".O0.ll") || name.ends_with(".raw.ll")
    };
    let mut common = 0;
    let mut promoted = 0;
    let mut differences = Vec::new();
    let every = if is_long() { 1 } else { stride(3) };
    for path in files.iter().filter(unoptimised).step_by(every) {
        // Passes leave alone what is `optnone`.
        let text = std::fs::read_to_string(path).expect("the corpus is there").replace(" optnone", "");
        let transformed = |passes: &str| tools.transform(&text, passes).expect("LLVM takes its own output");
        let before = verdicts(&transformed("function(instnamer)"));
        let after = verdicts(&transformed("function(instnamer,mem2reg)"));
        for (value, divergent) in &before {
            match after.get(value) {
                Some(other) if other == divergent => common += 1,
                Some(_) => differences.push(format!("{}: {value:?} divergent: {divergent} before", path.display())),
                None => promoted += 1,
            }
        }
    }
    assert!(differences.is_empty(), "{} of {common}:\n{}", differences.len(), differences.join("\n"));
    assert!(is_part() || common > 1000 && promoted > 1000, "{common} values, {promoted} promoted");
}
