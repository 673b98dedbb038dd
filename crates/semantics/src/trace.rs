//! The dynamic instances of threads, with keys.
//!
//! **Invariant.** Each thread's instances are in the order of execution: for each step of its path the block, then the
//! operations in it.

use reconverge_graph::Node;
use rustc_hash::FxHashMap;

use crate::keys::{Key, Keys, Model};
use crate::skeleton::{Skeleton, StaticInstance};

/// An execution of a static instance by a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicInstance {
    /// What is executed.
    pub instance: StaticInstance,
    /// The step of the thread's path, counted from 0.
    pub step: u32,
    /// Equal to that of another thread's instance iff they are converged.
    pub key: Key,
}

/// What threads execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The dynamic instances of each thread.
    pub threads: Vec<Vec<DynamicInstance>>,
}

impl Trace {
    /// The dynamic instances of threads that execute these paths. O(1) amortised for each, plus the number of regions it is in.
    ///
    /// # Panics
    /// When a path has a block that is not in the graph; see [`check_path`](crate::check_path) for the rest.
    pub fn compute(skeleton: &Skeleton, model: Model<'_>, paths: &[Vec<Node>]) -> Trace {
        let mut keys = Keys::new(skeleton, model);
        let execute = |path: &Vec<Node>| {
            let mut thread = keys.thread();
            let mut instances = Vec::with_capacity(path.len());
            for (&block, step) in path.iter().zip(0..) {
                keys.execute(&mut thread, block, |instance, key| {
                    instances.push(DynamicInstance { instance, step, key });
                });
            }
            instances
        };
        Trace { threads: paths.iter().map(execute).collect() }
    }

    /// The same threads, had none begun together with another one: then nobody is converged with anybody.
    pub fn apart(mut self) -> Trace {
        let mut number = 0;
        for thread in &mut self.threads {
            let mut keys: FxHashMap<Key, Key> = FxHashMap::default();
            for instance in thread {
                instance.key = *keys.entry(instance.key).or_insert_with(|| {
                    number += 1;
                    Key(number - 1)
                });
            }
        }
        self
    }

    /// The keys alone.
    pub fn keys(&self) -> Vec<Vec<Key>> {
        self.threads.iter().map(|thread| thread.iter().map(|instance| instance.key).collect()).collect()
    }
}
