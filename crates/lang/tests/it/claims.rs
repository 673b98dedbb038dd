//! What the three documents say of their examples, asserted of ours (`tests/cases/source`).
//!
//! A file has lines that begin with `//` and
//!
//! - `MODEL: text`: the text that is meant; without one, that of April 2025;
//! - `CLAIM: A => B`: threads that are converged at `A`, and both come to `B`, are converged there. Where a cycle contains both, coming to `B`
//!   counts up to the next `A`. Asserted on random walks under every choice that an implementation has;
//! - `UNDEFINED: A B`: which threads are together there is up to the implementation; at all other evaluations it is not. Asserted of the analysis, and, where
//!   the walks show it, of the choices: some two of them differ.
//!
//! An evaluation is named after the function that it calls.

use std::path::{Path, PathBuf};

use reconverge_graph::SuccessorOrder;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate_here;
use reconverge_outline::convergence::Analysis;
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{Choice, Keys, Model, Rules, Unrelated};
use reconverge_outline::{Node, Outline};
use reconverge_semantics::Key;
use reconverge_testing::random::SplitMix64;

const WALKS: usize = 60;
const LONGEST: usize = 120;

/// What a file says.
struct Claims {
    model: SourceModel,
    claims: Vec<(String, String)>,
    undefined: Vec<String>,
}

impl Claims {
    fn of(text: &str) -> Claims {
        let lines =
            |mark: &'static str| text.lines().filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(mark));
        let model = match lines("MODEL: ").next() {
            None | Some("clang-2025-04") => SourceModel::Clang2025_04,
            Some("tangles-2024-10") => SourceModel::Tangles2024_10,
            Some("clang-2025-08") => SourceModel::Clang2025_08,
            Some(other) => panic!("no model {other}"),
        };
        let claim = |line: &str| {
            let (one, other) = line.split_once(" => ").expect("A => B");
            (one.to_owned(), other.to_owned())
        };
        let undefined = lines("UNDEFINED: ").flat_map(str::split_whitespace).map(str::to_owned).collect();
        Claims { model, claims: lines("CLAIM: ").map(claim).collect(), undefined }
    }
}

/// The models with every choice that the text leaves.
fn choices(text: SourceModel) -> Vec<Model> {
    let orders = [SuccessorOrder::Forward, SuccessorOrder::Reverse];
    let choices = [Choice::Solo, Choice::Maximal(orders[0]), Choice::Maximal(orders[1])];
    match text {
        SourceModel::Clang2025_04 => choices.map(Model::Clang2025_04).to_vec(),
        SourceModel::Clang2025_08 => choices.map(Model::Clang2025_08).to_vec(),
        SourceModel::Tangles2024_10 => {
            let united = orders.map(Unrelated::United);
            [Unrelated::Apart, united[0], united[1]].map(Model::Tangles2024_10).to_vec()
        }
    }
}

/// The evaluation that calls a function.
fn named(outline: &Outline, name: &str) -> Node {
    let calls = |node: &Node| outline.operation(*node).is_some_and(|operation| operation.name == name);
    outline.nodes.keys().find(calls).unwrap_or_else(|| panic!("nothing calls {name}"))
}

/// Whether some cycle contains both.
fn share_a_cycle(analysis: &Analysis, one: Node, other: Node) -> bool {
    analysis.cycles.values().any(|cycle| [one, other].iter().all(|node| (cycle.first..=cycle.last).contains(node)))
}

/// The steps at which a walk comes from `one` to `other`: pairs of positions.
fn ways(walk: &[Node], one: Node, other: Node, again: bool) -> Vec<(usize, usize)> {
    let starts = (0..walk.len()).filter(|&step| walk[step] == one);
    let way = |start: usize| {
        let mut after = (start + 1..walk.len()).take_while(|&step| !again || walk[step] != one || one == other);
        Some((start, after.find(|&step| walk[step] == other)?))
    };
    starts.filter_map(way).collect()
}

fn check(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let claims = Claims::of(&text);
    if claims.claims.is_empty() && claims.undefined.is_empty() {
        return Vec::new();
    }
    let translation = translate_here(path, text.into_bytes(), &Options::new(Dialect::OpenCl), claims.model);
    assert!(translation.diagnostics.is_empty(), "{}: {:?}", path.display(), translation.diagnostics);
    let program = translation.program.as_ref().expect("a program without errors");
    let (kernel, _) = program.functions.iter().find(|(_, data)| data.is_kernel).expect("a kernel");
    let outline = &translation.plans[kernel].as_ref().expect("kernels have bodies").outline;
    let analysis = translation.analyses[kernel].as_ref().expect("kernels have bodies");

    let mut problems = Vec::new();
    let mut say = |what: String| problems.push(format!("{}: {what}", path.display()));
    let undefined: Vec<Node> = claims.undefined.iter().map(|name| named(outline, name)).collect();
    for node in outline.nodes.keys().filter(|&node| outline.operation(node).is_some()) {
        if analysis.is_defined(node) == undefined.contains(&node) {
            say(format!("{}: defined is {}", outline.operations(node)[0].name, analysis.is_defined(node)));
        }
    }
    let mut rng = SplitMix64::new(1);
    let flow = Flow::new(outline);
    let walks: Vec<Vec<Node>> = (0..WALKS).map(|_| flow.walk(LONGEST, |ways| rng.below(ways))).collect();
    let keys_of = |model: Model| -> Vec<Vec<Key>> {
        let rules = Rules::new(outline, analysis, model);
        let mut keys = Keys::new(&rules);
        walks.iter().map(|walk| keys.walk(0, walk)).collect()
    };
    let all_keys: Vec<(Model, Vec<Vec<Key>>)> =
        choices(claims.model).into_iter().map(|model| (model, keys_of(model))).collect();
    for (one, other) in &claims.claims {
        let (from, to) = (named(outline, one), named(outline, other));
        let again = share_a_cycle(analysis, from, to);
        let (mut seen, mut broken) = (0, None);
        for (model, keys) in &all_keys {
            let ways: Vec<(usize, Vec<(usize, usize)>)> =
                walks.iter().map(|walk| ways(walk, from, to, again)).enumerate().collect();
            for (first, first_ways) in &ways {
                for (second, second_ways) in &ways[first + 1..] {
                    for &(start, end) in first_ways {
                        for &(other_start, other_end) in second_ways {
                            if keys[*first][start] == keys[*second][other_start] {
                                seen += 1;
                                if keys[*first][end] != keys[*second][other_end] {
                                    broken = Some(*model);
                                }
                            }
                        }
                    }
                }
            }
        }
        match broken {
            Some(model) => say(format!("{one} => {other} does not hold under {model:?}")),
            None if seen == 0 => say(format!("{one} => {other} was never put to the test")),
            None => {}
        }
    }
    // An implementation that keeps all threads apart there, and one that does not.
    for &node in &undefined {
        let together = |keys: &[Vec<Key>]| {
            let mut seen: Vec<(Key, usize)> = Vec::new();
            for (thread, (walk, keys)) in walks.iter().zip(keys).enumerate() {
                seen.extend(walk.iter().zip(keys).filter(|(step, _)| **step == node).map(|(_, &key)| (key, thread)));
            }
            seen.sort_unstable();
            seen.windows(2).filter(|pair| pair[0].0 == pair[1].0).count()
        };
        let counts: Vec<usize> = all_keys.iter().map(|(_, keys)| together(keys)).collect();
        if counts.windows(2).all(|pair| pair[0] == pair[1]) {
            say(format!("{}: no two choices differ", outline.operations(node)[0].name));
        }
    }
    problems
}

#[test]
fn the_examples_are_as_the_documents_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/source");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("there are cases")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    let problems: Vec<String> = files.iter().flat_map(|path| check(path)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(files.len() > 15);
}
