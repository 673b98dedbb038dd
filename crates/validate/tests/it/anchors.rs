//! Threads that executed an anchor together, and how a change divides them: random changes against the definition, thread by thread.
//!
//! Before, all operations are under one anchor. After, each is in a group of its own with others, under an anchor there: for all
//! threads, for those with a bit in their number and the others apart, or for those with the bit only.

use std::fmt::Write;

use reconverge_exec::Program;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{is_one_seed, seeds};
use reconverge_validate::{Difference, Model, Options, Verdict, compare_by_running};

const THREADS: u32 = 8;

const START: &str = "target triple = \"amdgcn-amd-amdhsa\"
declare token @llvm.experimental.convergence.anchor() convergent
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @ask(i32) convergent nounwind willreturn memory(none)
define amdgpu_kernel void @k() convergent {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
";

/// Who executes a group of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    All,
    Both(u32),
    Only(u32),
}

impl Group {
    fn random(rng: &mut SplitMix64) -> Group {
        let bit = 1 << rng.below(3);
        match rng.below(5) {
            0..2 => Group::All,
            2 => Group::Both(bit),
            _ => Group::Only(bit),
        }
    }

    /// Whether two threads are together; nothing if neither is there.
    fn together(self, one: u32, other: u32) -> Option<bool> {
        match self {
            Group::All => Some(true),
            Group::Both(bit) => Some(one & bit == other & bit),
            Group::Only(bit) => (one & bit != 0 || other & bit != 0).then_some(one & other & bit != 0),
        }
    }
}

fn operations(text: &mut String, name: &str, from: usize, count: usize) {
    let _ = writeln!(text, "  %t{name} = call token @llvm.experimental.convergence.anchor()");
    for number in from..from + count {
        let _ =
            writeln!(text, "  %x{name}.{number} = call i32 @ask(i32 {number}) [ \"convergencectrl\"(token %t{name}) ]");
    }
}

fn before(count: usize) -> String {
    let mut text = START.to_owned();
    operations(&mut text, "", 0, count);
    text + "  ret void\n}\n"
}

fn after(groups: &[(Group, usize)]) -> String {
    let mut text = START.to_owned();
    let mut number = 0;
    for (index, &(group, count)) in groups.iter().enumerate() {
        match group {
            Group::All => operations(&mut text, &format!("a{index}"), number, count),
            Group::Both(bit) | Group::Only(bit) => {
                let _ = write!(
                    text,
                    "  %b{index} = and i32 %tid, {bit}\n  %c{index} = icmp ne i32 %b{index}, 0\n  \
                     br i1 %c{index}, label %then{index}, label %else{index}\nthen{index}:\n"
                );
                operations(&mut text, &format!("t{index}"), number, count);
                let _ = write!(text, "  br label %end{index}\nelse{index}:\n");
                if matches!(group, Group::Both(_)) {
                    operations(&mut text, &format!("e{index}"), number, count);
                }
                let _ = write!(text, "  br label %end{index}\nend{index}:\n");
            }
        }
        number += count;
    }
    text + "  ret void\n}\n"
}

/// The definition: there are two threads that can be together in one operation and not in another. Where they come together to two anchors,
/// an implementation may part them at one of these alone.
fn is_forbidden(groups: &[(Group, usize)]) -> bool {
    (0..THREADS).any(|one| {
        (0..THREADS).filter(|&other| other != one).any(|other| {
            let count =
                |wanted: bool| groups.iter().filter(|(group, _)| group.together(one, other) == Some(wanted)).count();
            count(true) > 0 && count(false) > 0 || count(true) > 1
        })
    })
}

#[test]
fn threads_of_an_anchor_are_divided_in_one_way() {
    let mut counts = [0; 2];
    for seed in seeds(60) {
        let mut rng = SplitMix64::new(seed);
        let groups: Vec<(Group, usize)> =
            (0..1 + rng.below(3)).map(|_| (Group::random(&mut rng), 1 + rng.below(2))).collect();
        let count = groups.iter().map(|(_, count)| count).sum();
        let texts = [before(count), after(&groups)];
        let [one, other] =
            texts.each_ref().map(|text| Program::prepare(text.as_bytes(), "k.ll", None).expect("it is IR"));
        let options = Options {
            models: vec![Model::Controlled],
            runs: 20,
            seed,
            arguments: Vec::new(),
            grid: Some([1, 1, 1]),
            block: Some([THREADS, 1, 1]),
            subgroup: Some(THREADS),
            limits: reconverge_validate::launch_limits(100_000),
            hierarchy: None,
            minimise: false,
        };
        let verdict = compare_by_running(&one, &other, "k", &options, &|_| {}).verdict;
        let found = match &verdict {
            Verdict::Equal => false,
            Verdict::Different(witness) if matches!(witness.difference, Difference::Threads { .. }) => true,
            verdict => panic!("seed {seed}: {verdict:?}"),
        };
        assert_eq!(found, is_forbidden(&groups), "seed {seed}: {groups:?} {verdict:#?}\n{}", texts[1]);
        counts[usize::from(found)] += 1;
    }
    let [allowed, forbidden] = counts;
    println!("{allowed} changes allowed, {forbidden} forbidden");
    assert!(is_one_seed() || allowed > 0 && forbidden > 0);
}
