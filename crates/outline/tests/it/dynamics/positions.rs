//! Positions of running threads: who is together is what the keys of whole walks say, and who can come is who has a way.

use reconverge_outline::convergence::analyze;
use reconverge_outline::dynamics::{Keys, Model, Position, Positions, Rules};
use reconverge_outline::{Node, NodeKind, Outline};
use reconverge_semantics::Key;
use reconverge_testing::rounds::{is_one_seed, seeds};
use rustc_hash::FxHashMap;

use crate::dynamics::random::Case;

/// A run says nothing of some nodes.
fn is_told(outline: &Outline, node: Node) -> bool {
    !matches!(outline.kind(node), NodeKind::Compound | NodeKind::Simple(_))
}

/// So many steps an oracle goes on, and so many places it looks at.
const STEPS: usize = 40;
const PLACES: usize = 3000;

/// What the tests need of a case under a model.
struct Walked<'c> {
    positions: Positions<'c>,
    body: usize,
    /// By thread: each step that is told, with the place in the walk and the key by the whole walk.
    steps: Vec<Vec<(Position, usize, Key)>>,
}

fn walked(case: &Case, model: Model) -> Walked<'_> {
    let analysis = analyze(&case.outline, model.source());
    let rules = Rules::new(&case.outline, &analysis, model);
    let mut keys = Keys::new(&rules);
    let mut positions = Positions::new();
    let body = positions.add(&case.outline, &analysis, model, is_told);
    let mut steps = Vec::new();
    for (number, walk) in (0..).zip(&case.walks) {
        let mut at = positions.start(body, 0, number);
        let mut passed = Vec::new();
        for (place, (&node, key)) in walk.iter().zip(keys.walk(0, walk)).enumerate() {
            if is_told(&case.outline, node) {
                at = positions.pass(at, node).expect("it is a walk");
                passed.push((at, place, key));
            }
        }
        steps.push(passed);
    }
    Walked { positions, body, steps }
}

#[test]
fn positions_have_equal_keys_where_walks_have() {
    for seed in seeds(200) {
        let case = Case::new(seed, 4);
        for model in Model::ALL {
            let Walked { positions, steps, .. } = walked(&case, model);
            let (mut by_walk, mut by_position) = (FxHashMap::default(), FxHashMap::default());
            for &(at, _, key) in steps.iter().flatten() {
                let of_position = positions.key(at).expect("a step has a key");
                let pair = (*by_walk.entry(key).or_insert(of_position), *by_position.entry(of_position).or_insert(key));
                assert_eq!(pair, (of_position, key), "{model:?}\n{}", case.describe(seed));
            }
        }
    }
}

/// The keys that come later on a walk can be come to; and what can be come to, some way through the statements leads to.
#[test]
fn who_can_come_is_who_has_a_way() {
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    for seed in seeds(125) {
        let case = Case::new(seed, 2);
        for model in Model::ALL {
            let Walked { mut positions, body, steps } = walked(&case, model);
            let describe = || format!("{model:?}\n{}", case.describe(seed));
            let [one, other] = &steps[..] else { unreachable!("two threads") };
            for (index, &(from, place, _)) in one.iter().enumerate().step_by(3) {
                for &(to, there, key) in other.iter().step_by(5) {
                    let can_come = positions.can_come(from, to);
                    let comes = one[index + 1..].iter().any(|&(_, _, later)| later == key);
                    assert!(can_come || !comes, "{place} comes to {there}\n{}", describe());
                    // A thread that is where it wants to be has to go round for it.
                    match can_come {
                        false => no += 1,
                        true if comes => yes += 1,
                        true => match finds_way(&case, &mut positions, from, to) {
                            Some(true) => yes += 1,
                            Some(false) => panic!("{place} has no way to {there}\n{}", describe()),
                            None => unknown += 1,
                        },
                    }
                }
            }
            let start = positions.start(body, 1, 9);
            for &(to, ..) in other {
                assert!(!positions.can_come(start, to), "another execution of the body\n{}", describe());
            }
        }
    }
    println!("{yes} can come, {no} cannot; of {unknown} that can the way is long");
    assert!(is_one_seed() || yes > no / 20 && no > yes / 20 && unknown * 4 < yes, "{yes} {no} {unknown}");
}

/// Whether one of the next places of a thread has the key that another position has; unknown where the search ends before all ways do.
fn finds_way(case: &Case, positions: &mut Positions<'_>, from: Position, to: Position) -> Option<bool> {
    let wanted = positions.key(to);
    let mut last: FxHashMap<Position, Node> = FxHashMap::default();
    let mut pending = vec![from];
    let mut is_whole = true;
    for _ in 0..STEPS {
        let mut next = Vec::new();
        for at in pending.drain(..) {
            for node in case.outline.nodes.keys().filter(|&node| is_told(&case.outline, node)) {
                let Some(there) = positions.pass(at, node) else { continue };
                if positions.key(there) == wanted {
                    return Some(true);
                }
                if last.len() < PLACES && last.insert(there, node).is_none() {
                    next.push(there);
                } else {
                    is_whole &= last.contains_key(&there);
                }
            }
        }
        pending = next;
    }
    (is_whole && pending.is_empty()).then_some(false)
}
