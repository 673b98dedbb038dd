//! The keys of [`instances`](crate::uniformity::instances), found by looking back along the path, against those of the semantics crate, whose
//! tests have the tables of the documents.

use reconverge_analysis::uniformity::Problem;
use reconverge_graph::hierarchies;
use reconverge_semantics::{AnchorPolicy, Model, Operation, OperationIndex, OperationKind, Regions, Skeleton, Trace};
use reconverge_testing::rounds::{is_one_seed, seeds};

use crate::uniformity::draft::{Random, random_draft, random_draft_with_regions};
use crate::uniformity::instances::{Instances, paths};

/// A skeleton with an anchor for each region, in the node of its definition.
fn skeleton(problem: &Problem) -> Skeleton {
    let mut regions: Vec<_> = problem.regions.iter().collect();
    regions.sort_by_key(|region| region.definition);
    let around = |node| -> Regions {
        let all = (0 as OperationIndex..).zip(&regions);
        all.filter(|(_, region)| region.nodes.contains(&node)).map(|(definition, _)| definition).collect()
    };
    let anchor = |node| Operation { block: node, kind: OperationKind::Anchor, regions: around(node) };
    let anchors = regions.iter().map(|region| anchor(region.definition)).collect();
    Skeleton::new(problem.graph.clone(), anchors, problem.graph.nodes().map(around).collect())
}

#[test]
fn keys_are_those_of_the_semantics() {
    let mut compared = 0;
    for seed in seeds(400) {
        let mut random = Random(seed);
        let draft =
            if seed % 2 == 0 { random_draft(&mut random, 7) } else { random_draft_with_regions(&mut random, 7) };
        let problem = draft.problem();
        let Some(paths) = paths(&problem, 2, 200) else { continue };
        let skeleton = skeleton(&problem);
        for forest in hierarchies(&problem.graph, 8) {
            let mut instances = Instances::new(&problem, &forest);
            let trace = Trace::compute(&skeleton, Model::Controlled(&forest, AnchorPolicy::Maximal), &paths);
            let mut both: Vec<_> = Vec::new();
            for (path, thread) in paths.iter().zip(&trace.threads) {
                let blocks = thread.iter().filter(|one| skeleton.operation(one.instance).is_none());
                let looked_back = instances.run(0, path);
                both.extend(looked_back.iter().map(|one| one.key).zip(blocks.map(|one| one.key)));
            }
            compared += both.len();
            both.sort_unstable();
            both.dedup();
            // Each key of one kind goes with one of the other.
            assert!(both.windows(2).all(|pair| pair[0].0 != pair[1].0), "seed {seed}: {draft:?}");
            both.sort_unstable_by_key(|pair| pair.1);
            assert!(both.windows(2).all(|pair| pair[0].1 != pair[1].1), "seed {seed}: {draft:?}");
        }
    }
    assert!(is_one_seed() || compared > 10_000);
}
