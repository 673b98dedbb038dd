//! Random functions: the analysis against all consistent pairs of paths.

use rayon::prelude::*;
use reconverge_testing::rounds::{is_one_seed, is_part, seeds};

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::{Branch, Options, Problem, Rule, ValueIndex, analyze};
use reconverge_graph::{CycleForest, SuccessorOrder, hierarchies};

use crate::uniformity::draft::{Draft, Random, random_draft, random_draft_with_regions};
use crate::uniformity::instances::{by_enumeration, paths};
use crate::uniformity::pairs::{Pairs, Target, Verdict, Witness};

/// More hierarchies than this are not looked at; such a function is left out.
const MOST_HIERARCHIES: usize = 64;

/// What differs in some hierarchy.
pub(crate) struct Oracle {
    pub(crate) forests: Vec<CycleForest>,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) union: Verdict,
}

impl Oracle {
    pub(crate) fn new(problem: &Problem) -> Option<Oracle> {
        let mut all = hierarchies(&problem.graph, MOST_HIERARCHIES);
        let forests: Vec<CycleForest> = all.by_ref().collect();
        if !all.is_complete() {
            return None;
        }
        let mut verdicts = Vec::new();
        for forest in &forests {
            verdicts.push(Pairs::new(problem, forest)?.verdict());
        }
        let mut union = verdicts[0].clone();
        for verdict in &verdicts {
            union.values.iter_mut().zip(&verdict.values).for_each(|(all, one)| *all |= one);
            union.branches.iter_mut().zip(&verdict.branches).for_each(|(all, one)| *all |= one);
        }
        Some(Oracle { forests, verdicts, union })
    }

    /// Two paths that show that the target is divergent, in some hierarchy, if the given branches are.
    pub(crate) fn witness(&self, problem: &Problem, target: Target, divergent: &[bool]) -> Option<Witness> {
        let is_it = |verdict: &Verdict| match target {
            Target::Value(value) => verdict.values[value as usize],
            Target::Branch(node) => verdict.branches[node.index()],
        };
        self.forests.iter().zip(&self.verdicts).filter(|(_, verdict)| is_it(verdict)).find_map(|(forest, verdict)| {
            let both: Vec<bool> = verdict.branches.iter().zip(divergent).map(|(&a, &b)| a && b).collect();
            Pairs::new(problem, forest)?.witness(target, &both)
        })
    }
}

/// The analysis' answer.
fn answer(problem: &Problem, options: &Options) -> Verdict {
    let uniformity = analyze(problem, options);
    Verdict {
        values: uniformity.values.iter().map(Option::is_some).collect(),
        branches: uniformity.branches.iter().map(Option::is_some).collect(),
    }
}

fn differing(problem: &Problem, a: &Verdict, b: &Verdict) -> Vec<Target> {
    let nodes = problem.graph.nodes().filter(|node| a.branches[node.index()] && !b.branches[node.index()]);
    let values = (0..a.values.len()).filter(|&value| a.values[value] && !b.values[value]);
    nodes.map(Target::Branch).chain(values.map(|value| Target::Value(value as ValueIndex))).collect()
}

/// A wrong answer.
#[derive(Debug)]
enum Fault {
    /// It is called uniform, and two paths show that it is not.
    Unsound(Target, Witness),
    /// It is called divergent, and no two paths show it.
    Imprecise(Target),
}

/// What a function showed.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    functions: u64,
    values: u64,
    divergent: u64,
    /// Called divergent without need: phis, other values, branches.
    imprecise_phis: u64,
    imprecise_others: u64,
    imprecise_branches: u64,
    /// Called uniform, possibly divergent, and no witness was found.
    undecided: u64,
    skipped: u64,
}

impl Counts {
    fn add(self, other: Counts) -> Counts {
        Counts {
            functions: self.functions + other.functions,
            values: self.values + other.values,
            divergent: self.divergent + other.divergent,
            imprecise_phis: self.imprecise_phis + other.imprecise_phis,
            imprecise_others: self.imprecise_others + other.imprecise_others,
            imprecise_branches: self.imprecise_branches + other.imprecise_branches,
            undecided: self.undecided + other.undecided,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// Compares; an imprecise answer is a fault only when the answer has to be exact.
fn compare(problem: &Problem, options: &Options, is_exact: bool, counts: &mut Counts) -> Option<Fault> {
    let Some(oracle) = Oracle::new(problem) else {
        counts.skipped += 1;
        return None;
    };
    let found = answer(problem, options);
    counts.functions += 1;
    counts.values += problem.values.iter().filter(|value| value.node.is_some()).count() as u64;
    counts.divergent += oracle.union.values.iter().filter(|&&is_divergent| is_divergent).count() as u64;
    for target in differing(problem, &oracle.union, &found) {
        // Only by branches that the answer has, too: the others are wrong answers of their own.
        match oracle.witness(problem, target, &found.branches) {
            Some(witness) => return Some(Fault::Unsound(target, witness)),
            None => counts.undecided += 1,
        }
    }
    let imprecise = differing(problem, &found, &oracle.union);
    if is_exact && let Some(&target) = imprecise.first() {
        return Some(Fault::Imprecise(target));
    }
    for target in imprecise {
        let is_phi = |value| problem.values[value as usize].rule == Rule::Phi;
        let kind = match target {
            Target::Value(value) if is_phi(value) => &mut counts.imprecise_phis,
            Target::Value(_) => &mut counts.imprecise_others,
            Target::Branch(_) => &mut counts.imprecise_branches,
        };
        *kind += 1;
    }
    None
}

/// What is expected of the analysis depends on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Reducible, and no phi has a phi as an operand: the answer has to be exact.
    Reducible,
    /// Reducible. Which edge an operand's phi was entered over may be tied to which edge the phi is entered over.
    ReducibleWithPhisOfPhis,
    Irreducible,
}

impl Class {
    pub(crate) const ALL: [Class; 3] = [Class::Reducible, Class::ReducibleWithPhisOfPhis, Class::Irreducible];

    pub(crate) fn of(problem: &Problem) -> Class {
        let forest = CycleForest::compute(&problem.graph, SuccessorOrder::Forward);
        let is_phi = |value: ValueIndex| problem.values[value as usize].rule == Rule::Phi;
        let mut phis = (0..problem.values.len() as ValueIndex).filter(|&value| is_phi(value));
        if !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
            Class::Irreducible
        } else if phis.any(|phi| problem.operands(phi).iter().any(|&operand| is_phi(operand))) {
            Class::ReducibleWithPhisOfPhis
        } else {
            Class::Reducible
        }
    }
}

/// What a person needs to understand a fault.
fn report(seed: u64, draft: &Draft, options: &Options, exact: &[Class]) -> String {
    let fault = |draft: &Draft| {
        let problem = draft.problem();
        compare(&problem, options, exact.contains(&Class::of(&problem)), &mut Counts::default())
    };
    let original = fault(draft).expect("there is a fault");
    let class = Class::of(&draft.problem());
    let smallest = draft.shrink(|smaller| {
        Class::of(&smaller.problem()) == class
            && fault(smaller).is_some_and(|one| std::mem::discriminant(&one) == std::mem::discriminant(&original))
    });
    let explanation = match fault(&smallest).expect("shrinking keeps a fault") {
        Fault::Unsound(target, witness) => format!("{target:?} is divergent:\n{}", witness.table),
        Fault::Imprecise(target) => format!("{target:?} is uniform, and called divergent"),
    };
    format!("RECONVERGE_SEED={seed}\n{smallest}{explanation}\n{options:?}")
}

/// Runs many seeds; returns the counts by class. `exact` are the classes where the answer has to be exact. Fails
/// with the first fault, made small.
fn run(
    functions: u64,
    exact: &[Class],
    make: impl Fn(&mut Random) -> (Draft, Options) + Sync,
) -> [Counts; Class::ALL.len()] {
    let outcome = seeds(functions)
        .into_par_iter()
        .map(|seed| {
            let (draft, options) = make(&mut Random(seed));
            let problem = draft.problem();
            let class = Class::of(&problem);
            let mut counts = [Counts::default(); Class::ALL.len()];
            match compare(&problem, &options, exact.contains(&class), &mut counts[class as usize]) {
                Some(_) => Err((seed, draft, options)),
                None => Ok(counts),
            }
        })
        .try_reduce(Default::default, |a, b| Ok(std::array::from_fn(|class| a[class].add(b[class]))));
    match outcome {
        Ok(counts) => {
            for class in Class::ALL {
                println!("{class:?}: {:?}", counts[class as usize]);
            }
            counts
        }
        Err((seed, draft, options)) => panic!("{}", report(seed, &draft, &options, exact)),
    }
}

// conformance: uniformity/14, 15, 16a, 20
#[test]
fn random_functions() {
    let counts = run(3_000, &[Class::Reducible], |random| (random_draft(random, 9), Options::default()));
    for counts in counts {
        let share = counts.divergent * 100 / counts.values.max(1);
        assert!(is_part() || (5..95).contains(&share), "both verdicts are well represented");
        assert!(is_one_seed() || counts.skipped * 20 < counts.functions && counts.undecided * 500 < counts.values);
    }
}

// conformance: uniformity/27a
#[test]
fn random_functions_with_tokens() {
    let counts = run(2_000, &[Class::Reducible], |random| (random_draft_with_regions(random, 9), Options::default()));
    let reducible = counts[Class::Reducible as usize];
    assert!(is_part() || reducible.functions > 500 && reducible.undecided * 500 < reducible.values);
}

/// Whatever is turned off, the answer is sound; but for regions, which also keep threads apart.
#[test]
fn random_functions_and_options() {
    let counts = run(2_000, &[], |random| {
        let draft = if random.percent(30) { random_draft_with_regions(random, 9) } else { random_draft(random, 9) };
        let options = Options {
            edge_joins: random.percent(50),
            divergent_exits_only: random.percent(50),
            cycle_invariants: random.percent(50),
            most_hierarchies: random.below(3),
        };
        (draft, options)
    });
    assert!(
        is_one_seed() || counts.iter().all(|counts| counts.divergent > 50 && counts.undecided * 500 < counts.values)
    );
}

/// The oracle itself: the finite graph of states against the enumeration of paths, and every divergent value has a witness.
fn check_oracle(functions: u64, make: impl Fn(&mut Random) -> Draft + Sync) {
    let counts = seeds(functions).into_par_iter().map(|seed| {
        let draft = make(&mut Random(seed));
        assert!(draft.is_valid(), "RECONVERGE_SEED={seed}\n{draft}");
        let problem = draft.problem();
        let Some(oracle) = Oracle::new(&problem) else { return [0; 4] };
        let (mut known, mut witnessed, mut enumerated, mut enumerable) = (0, 0, 0, 0);
        let bounded = paths(&problem, 3, 300);
        for (forest, verdict) in oracle.forests.iter().zip(&oracle.verdicts) {
            let nothing = Verdict {
                values: vec![false; problem.values.len()],
                branches: problem.branches.iter().map(|&branch| branch == Branch::Source).collect(),
            };
            let targets: Vec<Target> = differing(&problem, verdict, &nothing)
                .into_iter()
                .filter(
                    |target| !matches!(target, Target::Value(value) if problem.values[*value as usize].node.is_none()),
                )
                .collect();
            let pairs = Pairs::new(&problem, forest).expect("not too large");
            known += targets.len();
            witnessed += targets.iter().filter(|&&target| pairs.witness(target, &verdict.branches).is_some()).count();
            if let Some(paths) = &bounded {
                let (values, branches) = by_enumeration(&problem, forest, paths);
                let by_paths = Verdict { values, branches };
                let missed = differing(&problem, &by_paths, verdict);
                assert!(missed.is_empty(), "{missed:?} by enumeration only\nRECONVERGE_SEED={seed}\n{draft}");
                let longer = differing(&problem, verdict, &by_paths);
                enumerated += targets.len() - longer.len();
                enumerable += targets.len();
            }
        }
        [known, witnessed, enumerated, enumerable]
    });
    let [known, witnessed, enumerated, enumerable] =
        counts.reduce(|| [0; 4], |a, b| std::array::from_fn(|index| a[index] + b[index]));
    println!("{known} divergent, {witnessed} with a witness; {enumerated} of {enumerable} by short paths, too");
    assert!(witnessed * 200 >= known * 199 && enumerated * 200 >= enumerable * 199);
    assert!(is_part() || enumerable > 200);
}

#[test]
fn the_oracle_is_the_definition() {
    check_oracle(600, |random| random_draft(random, 7));
}

#[test]
fn the_oracle_is_the_definition_with_tokens() {
    check_oracle(400, |random| random_draft_with_regions(random, 7));
}
