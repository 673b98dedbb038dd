//! What must hold of every sequence of bytes, read as LLVM IR.

use std::collections::BTreeMap;
use std::ops::Range;

use reconverge_analysis::check::{CheckOptions, CheckReport, check};
use reconverge_analysis::lower::lower;
use reconverge_analysis::regions::convergence_regions;
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::lower::{Input, Lowerer, LoweringOptions, ModuleFacts, Summaries};
use reconverge_analysis::uniformity::{Options, Problem, Rule, analyze};
use reconverge_graph::{CycleForest, SuccessorOrder};
use reconverge_ir::{Function, FunctionId, print_module, read_functions};

/// Checks a text, hints included, and uses everything that the libraries offer for what reads. Gives whether it reads.
///
/// # Panics
/// When one of the libraries panics, a place lies outside of the text, or the printed module is another one.
pub fn survives(text: &[u8]) -> bool {
    let report = match check(text, &CheckOptions { hints: true, ..CheckOptions::default() }) {
        Ok(report) => report,
        Err(error) => {
            assert!(error.offset <= text.len(), "the error '{error}' is at {}", error.offset);
            assert!(!error.message.contains('\n'), "the message has more than one line: {error}");
            error.position(text);
            return false;
        }
    };
    assert_places(&report);
    let printed = print(text);
    let again = match check(&printed, &CheckOptions { hints: true, ..CheckOptions::default() }) {
        Ok(again) => again,
        Err(error) => {
            let position = error.position(&printed);
            let printed = String::from_utf8_lossy(&printed);
            panic!("printed text does not read: {}:{}: {error}\n{printed}", position.line, position.column)
        }
    };
    assert_eq!(codes(&report), codes(&again), "findings before and after printing");
    assert!(print(&printed) == printed, "printing twice is not the same as printing once");
    for (target, scope) in [("amdgpu", Scope::Subgroup), ("nvptx", Scope::Workgroup), ("generic", Scope::Grid)] {
        uniformity(text, Target::named(target).expect("it is built in"), scope);
    }
    true
}

/// Analyses every function, and checks that what is analysed is as `Problem` says.
fn uniformity(text: &[u8], target: &Target, scope: Scope) {
    let (module, functions) = read_functions(text, |_, id, function| (id, function.clone())).expect("it was read");
    let facts = ModuleFacts::new(&module, target);
    let options = LoweringOptions::new(scope);
    let summaries = Summaries::compute(&module, &facts, &options, &Options::default()).expect("it was read");
    let mut lowerer = Lowerer::default();
    for (id, function) in &functions {
        let input = Input { module: &module, facts: &facts, id: *id, function, summaries: &summaries };
        let lowered = lowerer.lower(input, &options);
        let Problem { graph, values, operands, sources, branches, regions } = &lowered.problem;
        assert_eq!((operands.len(), branches.len()), (sources.len(), graph.node_count()));
        assert_eq!(lowered.origins.len(), values.len());
        assert!(values.is_sorted_by_key(|value| value.node.is_some()), "constants and parameters come first");
        for (index, value) in (0..).zip(values) {
            assert!(value.node.is_none_or(|node| (node.as_u32() as usize) < graph.node_count()));
            assert!(lowered.problem.operands(index).iter().all(|&operand| (operand as usize) < values.len()));
            if let (Rule::Phi, Some(node)) = (value.rule, value.node) {
                assert!(lowered.problem.sources(index).iter().all(|source| graph.predecessors(node).contains(source)));
            }
        }
        assert!(
            regions.iter().flat_map(|region| &region.nodes).all(|node| (node.as_u32() as usize) < graph.node_count())
        );
        let answer = analyze(&lowered.problem, &Options::default());
        assert_eq!((answer.values.len(), answer.branches.len()), (values.len(), branches.len()));
    }
}

/// Every place is in the text.
fn assert_places(report: &CheckReport<'_>) {
    let inside = |span: &Range<usize>| span.start <= span.end && span.end <= report.module.text.len();
    let diagnostics = report.diagnostics();
    for diagnostic in &diagnostics {
        assert!(inside(&diagnostic.span), "{diagnostic:?}");
        assert!(diagnostic.related.iter().all(|related| inside(&related.span)), "{diagnostic:?}");
    }
    // Finding a line takes time in the length of the text, so not for each of what may be many findings.
    for diagnostic in diagnostics.first().into_iter().chain(diagnostics.last()) {
        report.module.position(diagnostic.span.start);
    }
}

/// What was found, without places; in the order of the names.
fn codes(report: &CheckReport<'_>) -> Vec<(&'static str, Option<String>)> {
    let found = |diagnostic: &reconverge_findings::Diagnostic| (diagnostic.code.name(), diagnostic.function.clone());
    let mut codes: Vec<_> = report.diagnostics().iter().map(found).collect();
    codes.sort();
    codes
}

/// Prints a text that reads; on the way, analyses of its functions.
pub(crate) fn print(text: &[u8]) -> Vec<u8> {
    let (module, bodies) = read_functions(text, |module, id, function| {
        let lowered = lower(module, id, function);
        for region in convergence_regions(&lowered.flow) {
            assert!((region.definition as usize) < lowered.instructions.len());
        }
        for order in [SuccessorOrder::Forward, SuccessorOrder::Reverse] {
            CycleForest::compute(&lowered.flow.graph, order);
        }
        for data in function.instructions.values() {
            data.debug_location.expand().and_then(|node| module.debug_location(node));
        }
        (id, function.clone())
    })
    .expect("what was checked reads");
    let bodies: BTreeMap<FunctionId, Function> = bodies.into_iter().collect();
    print_module(&module, |id| &bodies[&id])
}
