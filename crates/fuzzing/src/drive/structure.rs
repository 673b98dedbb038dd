//! The verbs that look at the structure of IR: check, uniformity, cycles, regions, trace.

use cranelift_entity::EntityRef;
use reconverge_analysis::check::{CheckOptions, check as check_text};
use reconverge_analysis::lower::lower;
use reconverge_analysis::regions::convergence_regions;
use reconverge_analysis::skeleton::skeleton;
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::explanation::{Explainer, Question, find, names};
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene};
use reconverge_graph::{CycleForest, Digraph, Node, PostDominators, SuccessorOrder, hierarchies};
use reconverge_ir::{Function, Module, read_functions};
use reconverge_semantics::{AnchorPolicy, ConvergenceOrder, Extent, Model, Trace, check_path};
use reconverge_testing::random::SplitMix64;

use super::{Outcome, assert_findings, ir_of, unread};
use crate::input::Input;

pub(super) const SCOPES: [Scope; 3] = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];

/// A target that is asked for, or that of the triple.
pub(super) fn target(rng: &mut SplitMix64) -> Option<&'static Target> {
    let names: Vec<&str> = Target::names().collect();
    if rng.percent(50) { None } else { rng.pick(&names).and_then(|name| Target::named(name)) }
}

pub(super) fn check(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let text = &input.text[..];
    let options = CheckOptions { hints: rng.percent(50), target: target(rng), ..CheckOptions::default() };
    let mut outcome = Outcome::default();
    let report = match check_text(text, &options) {
        Ok(report) => report,
        Err(error) => return unread(text, &error),
    };
    outcome.past_reader = true;
    let diagnostics = report.diagnostics();
    assert_findings(text, &diagnostics);
    outcome.finds(&diagnostics);
    let codes = |diagnostics: &[reconverge_findings::Diagnostic]| {
        let mut codes: Vec<_> = diagnostics.iter().map(|found| (found.code.name(), found.function.clone())).collect();
        codes.sort();
        codes
    };
    let printed = crate::targets::reader::print(text);
    match check_text(&printed, &options) {
        Ok(again) => {
            assert_eq!(codes(&diagnostics), codes(&again.diagnostics()), "findings before and after printing")
        }
        Err(error) => panic!("printed text does not read: {error}"),
    }
    assert!(crate::targets::reader::print(&printed) == printed, "printing twice is not the same as printing once");
    see_opcodes(text, &mut outcome);
    outcome
}

/// Notes the opcodes of a module, and what it calls.
fn see_opcodes(text: &[u8], outcome: &mut Outcome) {
    let of_function = |module: &Module<'_>, _, function: &Function| {
        let mut seen: Vec<String> = Vec::new();
        for data in function.instructions.values() {
            seen.push(format!("{} {}", data.opcode.keyword(), module.display_type(data.ty)));
            if let reconverge_ir::function::Extra::Call(call) = data.extra
                && let Some(symbol) = function.calls[call].callee.expand()
            {
                let name = module.symbol_name(symbol);
                if name.starts_with(b"llvm.") || name.starts_with(b"_Z") {
                    seen.push(String::from_utf8_lossy(&name).into_owned());
                }
            }
        }
        seen
    };
    if let Ok((_, seen)) = read_functions(text, of_function) {
        seen.iter().flatten().for_each(|word| outcome.saw(word));
    }
}

pub(super) fn uniformity(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let text = &input.text[..];
    let target = target(rng);
    let scope = SCOPES[rng.below(3)];
    let options = ReportOptions { target, scopes: &SCOPES };
    let explained = rng.percent(60);
    let choices = rng.next_u64();
    let answers = analyze_functions(
        text,
        &options,
        |_, _| true,
        |subject, lowerer| {
            let mut rng = SplitMix64::new(choices);
            let mut explainer = Explainer::new(subject, lowerer, scope);
            let answer = explainer.analysis().answer();
            let mut said = format!("{:?} {:?}", answer.divergent_values, answer.divergent_branches);
            if explained {
                if rng.percent(20) {
                    said.push_str(&format!("{:?}", subject.refinement_counts(lowerer, scope)));
                }
                let mut points: Vec<_> = names(subject.function).map(|(point, _)| point).collect();
                let start = rng.below(text.len() + 1);
                let end = start + rng.below(text.len() - start + 1).min(200);
                let bytes = find(subject.module, subject.id, subject.function, &Question::Bytes(start..end));
                let named = find(subject.module, subject.id, subject.function, &Question::Name("x".to_owned()));
                let line = rng.below(40) as u32;
                let source = Question::SourceLine { file: "seed".to_owned(), line };
                let of_line = find(subject.module, subject.id, subject.function, &source);
                for _ in 0..points.len().min(3) {
                    let at = rng.below(points.len());
                    points.swap(0, at);
                    let explanation = explainer.explain(lowerer, points[0]);
                    let end = explanation.at.span.range().end;
                    assert!(end <= text.len(), "an explanation outside of the text: {explanation:?}");
                    let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
                    let words = ChainWords { scene, voice: &IrVoice };
                    explanation.chain.iter().for_each(|step| said.push_str(&words.why(step)));
                    said.push_str(&format!("{explanation:?}"));
                }
                for point in bytes.into_iter().chain(named).chain(of_line).take(3) {
                    said.push_str(&format!("{:?}", explainer.explain(lowerer, point)));
                }
            }
            (answer.divergent_values.len() + answer.divergent_branches.len(), said)
        },
    );
    let mut outcome = Outcome::default();
    match answers {
        Err(error) => return unread(text, &error),
        Ok((_, answers)) => {
            for (divergent, said) in answers.into_iter().flatten() {
                outcome.findings += divergent;
                outcome.answers(&said);
            }
        }
    }
    outcome.past_reader = true;
    outcome
}

pub(super) fn cycles(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let text = &input.text[..];
    let most = [1, 2, 8, 64][rng.below(4)];
    let of_function = |_: &Module<'_>, _, function: &Function| {
        let graph = function.control_flow_graph();
        let forest = CycleForest::compute(&graph, SuccessorOrder::Reverse);
        let all = hierarchies(&graph, most);
        let forests: Vec<CycleForest> = all.collect();
        assert!(forests.len() <= most, "{} hierarchies, {most} were asked for", forests.len());
        for forest in forests.iter().chain([&forest]) {
            for (cycle, data) in &forest.cycles {
                assert!(data.depth >= 1, "{cycle:?} {data:?}");
            }
        }
        (forests.len(), format!("{forest:?} {forests:?}"))
    };
    let mut outcome = Outcome::default();
    match read_functions(text, of_function) {
        Err(error) => return unread(text, &error),
        Ok((_, answers)) => answers.iter().for_each(|(count, said)| {
            outcome.findings += count;
            outcome.answers(said);
        }),
    }
    outcome.past_reader = true;
    outcome
}

pub(super) fn regions(input: &Input) -> Outcome {
    let text = &input.text[..];
    let of_function = |module: &Module<'_>, id, function: &Function| {
        let lowered = lower(module, id, function);
        let regions = convergence_regions(&lowered.flow);
        for region in &regions {
            assert!((region.definition as usize) < lowered.instructions.len(), "{region:?}");
            assert!(region.blocks.is_empty() == region.uses.is_empty(), "{region:?}");
        }
        format!("{regions:?}")
    };
    let mut outcome = Outcome::default();
    match read_functions(text, of_function) {
        Err(error) => return unread(text, &error),
        Ok((_, answers)) => answers.iter().for_each(|said| {
            outcome.findings += said.matches("definition").count();
            outcome.answers(said);
        }),
    }
    outcome.past_reader = true;
    outcome
}

pub(super) fn trace(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let mut outcome = Outcome::default();
    let Some(text) = ir_of(input, rng) else { return outcome };
    let choices = rng.next_u64();
    let of_function = |module: &Module<'_>, id, function: &Function| {
        let mut rng = SplitMix64::new(choices);
        let lowered = lower(module, id, function);
        let skeleton = skeleton(&lowered.flow);
        let graph = &skeleton.graph;
        let paths: Vec<Vec<Node>> = (0..1 + rng.below(4)).map(|_| path(graph, &mut rng)).collect();
        let extent = if rng.percent(70) { Extent::Whole } else { Extent::Part };
        let problem = paths.iter().find_map(|path| check_path(graph, path, extent).err());
        if let Some(problem) = problem {
            return Err(problem.to_string());
        }
        let order = if rng.percent(50) { SuccessorOrder::Forward } else { SuccessorOrder::Reverse };
        let forest = CycleForest::compute(graph, order);
        let anchors = if rng.percent(50) { AnchorPolicy::Maximal } else { AnchorPolicy::Solo };
        let post_dominators = PostDominators::compute(graph);
        let models = [
            Model::Maximal(&forest),
            Model::Controlled(&forest, anchors),
            Model::ImmediatePostDominator(&post_dominators),
        ];
        let mut said = String::new();
        for model in models {
            let trace = Trace::compute(&skeleton, model, &paths);
            let keys = trace.keys();
            match ConvergenceOrder::new(&keys) {
                Ok(order) => {
                    let table = reconverge_semantics::Table::new(&order, |place| Some(format!("{}", place.position)));
                    said.push_str(&table.text());
                }
                // Maximal convergence always has an order.
                Err(contradiction) => {
                    assert!(!matches!(model, Model::Maximal(_)), "{contradiction:?} of {paths:?}");
                    said.push_str(&format!("{contradiction:?}"));
                }
            }
        }
        Ok(said)
    };
    match read_functions(&text, of_function) {
        Err(error) => return unread(&text, &error),
        Ok((_, answers)) => {
            for answer in answers {
                match answer {
                    Ok(said) => outcome.answers(&said),
                    Err(problem) => outcome.refuses(&problem),
                }
            }
        }
    }
    outcome.past_reader = true;
    outcome
}

/// A walk from the entry, mostly one that a thread can take.
fn path(graph: &Digraph, rng: &mut SplitMix64) -> Vec<Node> {
    let mut path = vec![Node::new(0)];
    let longest = [3, 10, 40][rng.below(3)];
    while path.len() < longest {
        let Some(&last) = path.last() else { break };
        let Some(&next) = rng.pick(graph.successors(last)) else { return path };
        path.push(next);
    }
    if rng.percent(10) {
        let (at, count) = (rng.below(path.len()), graph.node_count());
        path[at] = Node::new(rng.below(count));
        return path;
    }
    // To an end, on the shortest way.
    let mut next = vec![None; graph.node_count()];
    let mut queue: std::collections::VecDeque<Node> =
        graph.nodes().filter(|&node| graph.successors(node).is_empty()).collect();
    let mut seen: std::collections::BTreeSet<u32> = queue.iter().map(|node| node.as_u32()).collect();
    while let Some(node) = queue.pop_front() {
        for &before in graph.predecessors(node) {
            if seen.insert(before.as_u32()) {
                next[before.as_u32() as usize] = Some(node);
                queue.push_back(before);
            }
        }
    }
    while let Some(node) = path.last().and_then(|last| next[last.as_u32() as usize]) {
        path.push(node);
    }
    path
}
