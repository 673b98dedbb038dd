//! *Converged-with* and *convergence-before* over all dynamic instances of some threads.
//!
//! **Definition** ("Convergence"). *Convergence-before* is the transitive closure of: `P → Q` when the same thread executes `P`
//! before `Q`; `P → Q2` when the thread of `P` executes `Q1` after it, and `Q1` is converged with `Q2`; `P1 → Q` when
//! `P1` is converged with `P2`, and the thread of `P2` executes `Q` after it. It has to be a strict partial order, and
//! *converged-with* relates instances of different threads only.
//!
//! **Here.** *Converged-with* is transitive, so the instances fall into *classes* (equal keys), and `P → Q` iff a chain of
//! steps of any threads leads from the class of `P` to that of `Q`. The closure above, read literally, lacks `P → Q` when
//! the thread that orders the two classes executes neither `P` nor `Q` but only what is converged with each; it is cyclic iff
//! this one is (`tests/it/random.rs`), and which instances are maximally converged is the same by either.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::keys::Key;

/// A dynamic instance: the thread, and the position among its instances, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The thread.
    pub thread: usize,
    /// The position.
    pub position: usize,
}

/// Why keys are no converged-with relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contradiction {
    /// Two instances of one thread have the same key.
    SameThread {
        /// The earlier one.
        first: Place,
        /// The later one.
        second: Place,
    },
    /// Convergence-before has a cycle: each is before something that is converged with the next, and the last with the first.
    Cycle(Vec<Place>),
}

impl fmt::Display for Contradiction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::SameThread { first, .. } => {
                write!(formatter, "thread {} would be converged with itself", first.thread + 1)
            }
            Contradiction::Cycle(_) => formatter.write_str("convergence-before is cyclic"),
        }
    }
}

impl std::error::Error for Contradiction {}

/// Converged-with and convergence-before of some dynamic instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvergenceOrder {
    /// By thread and position: the class. Classes are numbered in an order that convergence-before allows.
    pub classes: Vec<Vec<u32>>,
    /// By class: the instances in it, by thread; at most one each.
    pub members: Vec<Vec<Place>>,
}

impl ConvergenceOrder {
    /// From the keys of the dynamic instances of each thread, in the order of execution. O(instances · log instances). Of the classes that
    /// could come next, the one that the first thread is at comes first.
    pub fn new(threads: &[Vec<Key>]) -> Result<ConvergenceOrder, Contradiction> {
        let (mut classes, mut members) = classes(threads)?;
        let mut waiting_for: Vec<usize> = vec![0; members.len()];
        for thread in &classes {
            thread.iter().skip(1).for_each(|&class| waiting_for[class as usize] += 1);
        }
        let mut ready: std::collections::BTreeSet<(Place, u32)> = (0..)
            .zip(&waiting_for)
            .filter(|&(_, &count)| count == 0)
            .map(|(class, _)| (members[class as usize][0], class))
            .collect();
        let mut rank = vec![u32::MAX; members.len()];
        let mut ranked = 0;
        while let Some((_, class)) = ready.pop_first() {
            rank[class as usize] = ranked;
            ranked += 1;
            for place in &members[class as usize] {
                let Some(&next) = classes[place.thread].get(place.position + 1) else { continue };
                waiting_for[next as usize] -= 1;
                if waiting_for[next as usize] == 0 {
                    ready.insert((members[next as usize][0], next));
                }
            }
        }
        if (ranked as usize) < members.len() {
            return Err(Contradiction::Cycle(cycle(&classes, &members, &rank)));
        }
        classes.iter_mut().flatten().for_each(|class| *class = rank[*class as usize]);
        members.sort_by_cached_key(|places| classes[places[0].thread][places[0].position]);
        Ok(ConvergenceOrder { classes, members })
    }

    /// The class of an instance.
    pub fn class(&self, place: Place) -> u32 {
        self.classes[place.thread][place.position]
    }

    /// Whether two instances of different threads are converged.
    pub fn is_converged_with(&self, one: Place, other: Place) -> bool {
        one.thread != other.thread && self.class(one) == self.class(other)
    }

    /// Whether one instance is convergence-before the other; O(instances between).
    pub fn is_convergence_before(&self, one: Place, other: Place) -> bool {
        let (start, end) = (self.class(one), self.class(other));
        let mut seen = vec![false; self.members.len()];
        let mut work = vec![start];
        while let Some(class) = work.pop() {
            for place in &self.members[class as usize] {
                let Some(&next) = self.classes[place.thread].get(place.position + 1) else { continue };
                if next == end {
                    return true;
                }
                if next < end && !std::mem::replace(&mut seen[next as usize], true) {
                    work.push(next);
                }
            }
        }
        false
    }
}

type Classes = (Vec<Vec<u32>>, Vec<Vec<Place>>);

/// Numbers the keys.
fn classes(threads: &[Vec<Key>]) -> Result<Classes, Contradiction> {
    let mut class_of: FxHashMap<Key, u32> = FxHashMap::default();
    let mut members: Vec<Vec<Place>> = Vec::new();
    let mut classes = Vec::with_capacity(threads.len());
    for (thread, keys) in threads.iter().enumerate() {
        let mut row = Vec::with_capacity(keys.len());
        for (position, &key) in keys.iter().enumerate() {
            let class = *class_of.entry(key).or_insert(members.len() as u32);
            if class as usize == members.len() {
                members.push(Vec::new());
            }
            let places = &mut members[class as usize];
            let place = Place { thread, position };
            if let Some(&first) = places.last().filter(|last| last.thread == thread) {
                return Err(Contradiction::SameThread { first, second: place });
            }
            places.push(place);
            row.push(class);
        }
        classes.push(row);
    }
    Ok((classes, members))
}

/// A cycle among the classes without a rank, each of which has one of them before it.
fn cycle(classes: &[Vec<u32>], members: &[Vec<Place>], rank: &[u32]) -> Vec<Place> {
    let is_left = |class: u32| rank[class as usize] == u32::MAX;
    let before = |class: u32| {
        members[class as usize]
            .iter()
            .filter_map(|place| Some(Place { thread: place.thread, position: place.position.checked_sub(1)? }))
            .find(|place| is_left(classes[place.thread][place.position]))
            .expect("what is not ranked waits for something that is not ranked")
    };
    let mut found_at = vec![usize::MAX; members.len()];
    let mut walk: Vec<Place> = Vec::new();
    let mut class = (0..members.len() as u32).find(|&class| is_left(class)).expect("something is not ranked");
    while found_at[class as usize] == usize::MAX {
        found_at[class as usize] = walk.len();
        let place = before(class);
        walk.push(place);
        class = classes[place.thread][place.position];
    }
    let mut cycle = walk.split_off(found_at[class as usize]);
    cycle.reverse();
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(threads: &[&str]) -> Result<ConvergenceOrder, Contradiction> {
        let keys: Vec<Vec<Key>> =
            threads.iter().map(|row| row.bytes().map(|byte| Key(byte.into())).collect()).collect();
        ConvergenceOrder::new(&keys)
    }

    fn place(thread: usize, position: usize) -> Place {
        Place { thread, position }
    }

    #[test]
    fn classes_are_in_order() {
        let order = order(&["abd", "acd", "cx"]).expect("an order");
        assert_eq!(order.classes, [vec![0, 1, 3], vec![0, 2, 3], vec![2, 4]]);
        assert_eq!(order.members[2], [place(1, 1), place(2, 0)]);
        assert!(order.is_converged_with(place(1, 1), place(2, 0)));
        assert!(!order.is_converged_with(place(1, 1), place(1, 1)));
        assert!(order.is_convergence_before(place(0, 0), place(2, 1)), "by way of thread 2");
        assert!(!order.is_convergence_before(place(0, 1), place(2, 1)));
        assert!(!order.is_convergence_before(place(1, 1), place(2, 0)));
    }

    #[test]
    fn contradictions() {
        assert_eq!(order(&["x", "aba"]), Err(Contradiction::SameThread { first: place(1, 0), second: place(1, 2) }));
        assert_eq!(order(&["xab", "xba"]), Err(Contradiction::Cycle(vec![place(0, 1), place(1, 1)])));
        assert_eq!(
            order(&["ab", "bc", "ca"]).map_err(|error| error.to_string()),
            Err("convergence-before is cyclic".into())
        );
        assert!(order(&[]).is_ok_and(|order| order.members.is_empty()));
    }
}
