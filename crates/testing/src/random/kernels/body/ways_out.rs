//! How blocks come to the end of a function.

use super::super::super::graph::Facts;

/// Lets every block have a way to the end.
pub(super) fn add_ways_out(successors: &mut Vec<Vec<usize>>) {
    loop {
        let distances = distances(successors);
        let Some(stuck) = distances.iter().position(Option::is_none) else { return };
        let end = match successors.iter().position(Vec::is_empty) {
            Some(end) => end,
            None => {
                successors.push(Vec::new());
                successors.len() - 1
            }
        };
        successors[stuck].push(end);
    }
}

/// How many edges each block is from the end.
fn distances(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut distances: Vec<Option<usize>> = successors.iter().map(|to| to.is_empty().then_some(0)).collect();
    for _ in 0..successors.len() {
        for block in 0..successors.len() {
            let next = successors[block].iter().filter_map(|&to| distances[to]).min();
            if let (None, Some(next)) = (distances[block], next) {
                distances[block] = Some(next + 1);
            }
        }
    }
    distances
}

pub(super) fn ways_out(successors: &[Vec<usize>], facts: &Facts) -> Vec<Option<usize>> {
    let distances = distances(successors);
    let closest =
        |block: usize| successors[block].iter().copied().min_by_key(|&to| distances[to].unwrap_or(usize::MAX));
    let has_choice = |block: usize| successors[block].iter().any(|&to| to != successors[block][0]);
    (0..successors.len())
        .map(|block| if has_choice(block) && facts.reaches(block, block) { closest(block) } else { None })
        .collect()
}

/// Whether every cycle is a natural loop.
pub(super) fn is_reducible(successors: &[Vec<usize>], facts: &Facts) -> bool {
    let forward: Vec<Vec<usize>> = (0..successors.len())
        .map(|from| successors[from].iter().copied().filter(|&to| !facts.dominates(to, from)).collect())
        .collect();
    let facts = Facts::of(&forward);
    (0..successors.len()).all(|block| !facts.reaches(block, block))
}
