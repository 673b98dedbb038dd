//! The definitions of converged-with, transcribed rule by rule: a fixed point over all dynamic instances.
//!
//! Nothing is related at first. Whatever the rules derive from what is related already is added, until nothing changes.
//! So nothing is ever derived from itself ("without assuming that X1 is converged with X2").

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Node};
use reconverge_semantics::{AnchorPolicy, OperationIndex, OperationKind, Skeleton, StaticInstance};

/// A set of dynamic instances.
pub(crate) type Set = u128;

/// A dynamic instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instance {
    pub(crate) thread: usize,
    pub(crate) position: usize,
    pub(crate) what: StaticInstance,
}

/// A converged-with relation: by dynamic instance, those that it is converged with.
pub(crate) type Related = Vec<Set>;

/// Which rules.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rules {
    Maximal,
    ControlledMaximal(AnchorPolicy),
}

pub(crate) struct Definition<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) forest: &'a CycleForest,
    pub(crate) rules: Rules,
    /// Thread by thread, each in the order of execution.
    pub(crate) instances: Vec<Instance>,
    /// By dynamic instance: what the same thread executes strictly after it.
    later: Vec<Set>,
}

/// The dynamic instances in a set.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(member)
    })
}

impl<'a> Definition<'a> {
    /// For at most 128 dynamic instances.
    pub(crate) fn new(skeleton: &'a Skeleton, forest: &'a CycleForest, rules: Rules, paths: &[Vec<Node>]) -> Self {
        let mut instances = Vec::new();
        for (thread, path) in paths.iter().enumerate() {
            let executed = path.iter().flat_map(|&block| {
                let operations = skeleton.operations_of(block).map(|operation| skeleton.operation_instance(operation));
                std::iter::once(skeleton.block_instance(block)).chain(operations)
            });
            instances.extend(executed.enumerate().map(|(position, what)| Instance { thread, position, what }));
        }
        assert!(instances.len() <= Set::BITS as usize, "a set has room for all instances");
        let later = |(index, one): (usize, &Instance)| {
            let after = (index + 1..instances.len()).filter(|&other| instances[other].thread == one.thread);
            after.fold(0, |set, other| set | 1 << other)
        };
        let later = instances.iter().enumerate().map(later).collect();
        Definition { skeleton, forest, rules, instances, later }
    }

    /// Whether the same thread executes `p` strictly before `q`.
    fn precedes(&self, p: usize, q: usize) -> bool {
        self.later[p] >> q & 1 == 1
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.instances.len()
    }

    /// The transitive closure of the three rules of convergence-before; by dynamic instance, what it is before.
    pub(crate) fn convergence_before(&self, converged: &Related) -> Vec<Set> {
        let mut before: Vec<Set> = vec![0; self.instances.len()];
        for p in self.all() {
            let later = self.later[p];
            before[p] |= later;
            members(later).for_each(|q1| before[p] |= converged[q1]);
            members(converged[p]).for_each(|p1| before[p1] |= later);
        }
        for middle in self.all() {
            for p in self.all() {
                if before[p] >> middle & 1 == 1 {
                    before[p] |= before[middle];
                }
            }
        }
        before
    }

    /// The latest execution of `definition` before `x` in the same thread.
    fn token(&self, definition: OperationIndex, x: usize) -> Option<usize> {
        let what = self.skeleton.operation_instance(definition);
        self.all().rfind(|&one| self.precedes(one, x) && self.instances[one].what == what)
    }

    /// Whether the latest executions of `definition` before both are converged.
    fn same_token(&self, definition: OperationIndex, x1: usize, x2: usize, converged: &Related) -> bool {
        match (self.token(definition, x1), self.token(definition, x2)) {
            (Some(d1), Some(d2)) => converged[d1] >> d2 & 1 == 1,
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// How often the thread of heart `x` has executed it with the token that it has there.
    fn executions(&self, definition: OperationIndex, x: usize) -> usize {
        let what = self.instances[x].what;
        let token = self.token(definition, x);
        let earlier = self.all().filter(|&one| self.precedes(one, x) && self.instances[one].what == what);
        1 + earlier.filter(|&one| self.token(definition, one) == token).count()
    }

    /// The rule of maximal convergence for two instances of `X`.
    fn maximal(&self, x1: usize, x2: usize, before: &[Set]) -> bool {
        let block = self.skeleton.block_of(self.instances[x1].what);
        self.forest.containing(block).all(|cycle| {
            let header = StaticInstance::new(self.forest.cycles[cycle].header.index());
            self.all().filter(|&h| self.instances[h].what == header).all(|h| {
                (!self.precedes(h, x1) || before[h] >> x2 & 1 == 1)
                    && (!self.precedes(h, x2) || before[h] >> x1 & 1 == 1)
            })
        })
    }

    /// Whether the rules relate two instances of one static instance, by different threads.
    pub(crate) fn is_related(&self, x1: usize, x2: usize, converged: &Related, before: &[Set]) -> bool {
        let what = self.instances[x1].what;
        let anchors = match self.rules {
            Rules::Maximal => return self.maximal(x1, x2, before),
            Rules::ControlledMaximal(anchors) => anchors,
        };
        let kind = self.skeleton.operation(what).map(|operation| self.skeleton.operations[operation as usize].kind);
        match kind {
            Some(OperationKind::Entry) => true,
            Some(OperationKind::Controlled { token }) => self.same_token(token, x1, x2, converged),
            Some(OperationKind::Loop { token }) => {
                self.same_token(token, x1, x2, converged) && self.executions(token, x1) == self.executions(token, x2)
            }
            Some(OperationKind::Anchor) if anchors == AnchorPolicy::Solo => false,
            _ => {
                let regions = self.skeleton.regions_of(what);
                regions.iter().all(|&definition| self.same_token(definition, x1, x2, converged))
                    && self.maximal(x1, x2, before)
            }
        }
    }

    /// The pairs that could be related.
    pub(crate) fn candidates(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for x1 in self.all() {
            for x2 in x1 + 1..self.instances.len() {
                let (one, other) = (self.instances[x1], self.instances[x2]);
                if one.thread != other.thread && one.what == other.what {
                    pairs.push((x1, x2));
                }
            }
        }
        pairs
    }

    /// The least relation that the rules ask for.
    pub(crate) fn converged_with(&self) -> Related {
        let mut converged: Related = vec![0; self.instances.len()];
        let mut open = self.candidates();
        loop {
            let before = self.convergence_before(&converged);
            let (found, rest): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|&(x1, x2)| self.is_related(x1, x2, &converged, &before));
            if found.is_empty() {
                return converged;
            }
            for (x1, x2) in found {
                converged[x1] |= 1 << x2;
                converged[x2] |= 1 << x1;
            }
            open = rest;
        }
    }
}
