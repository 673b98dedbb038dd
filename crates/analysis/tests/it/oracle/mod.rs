//! The static rules and convergence regions, transcribed from the definitions as slowly and obviously as they can be.
//!
//! Shares nothing with the implementation but the data it reads: own reachability, dominance by removal, own
//! enumeration of closed paths, regions by reachability of points one at a time. Only for small functions.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{FlowFunction, OperationKind, TokenSource};
use reconverge_findings::Code;

/// Rule, operation, definition, other, bundle, operand.
pub(crate) type Breach = (Code, u32, Option<u32>, Option<u32>, Option<u32>, Option<u32>);

/// A place before an operation, or at the start of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Point {
    Start(usize),
    Operation(usize),
}

pub(crate) struct Oracle<'a> {
    pub(crate) function: &'a FlowFunction,
    /// All (operation, definition) pairs such that the operation names the token of the definition.
    pub(crate) uses: BTreeSet<(usize, usize)>,
    pub(crate) closed_paths: Vec<Vec<usize>>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(function: &'a FlowFunction) -> Oracle<'a> {
        let mut oracle = Oracle { function, uses: BTreeSet::new(), closed_paths: Vec::new() };
        for (user, operation) in function.operations.iter().enumerate() {
            for source in operation.bundles.iter().flatten() {
                if oracle.is_token(*source)
                    && let TokenSource::Operation(definition) = *source
                {
                    oracle.uses.insert((user, definition as usize));
                }
            }
        }
        for first in 0..function.graph.node_count() {
            if oracle.reaches(Point::Start(0), Point::Start(first), None) {
                oracle.extend_closed_path(&mut vec![first]);
            }
        }
        oracle
    }

    fn is_token(&self, source: TokenSource) -> bool {
        match source {
            TokenSource::Operation(index) => self
                .function
                .operations
                .get(index as usize)
                .is_some_and(|operation| operation.kind != OperationKind::Call),
            TokenSource::Other(_) => false,
        }
    }

    pub(crate) fn block(&self, operation: usize) -> usize {
        self.function.operations[operation].block.index()
    }

    pub(crate) fn successors(&self, block: usize) -> Vec<usize> {
        let graph = &self.function.graph;
        graph.successors(cranelift_entity::EntityRef::new(block)).iter().map(|node| node.index()).collect()
    }

    /// A closed path is written from its smallest block on.
    fn extend_closed_path(&mut self, path: &mut Vec<usize>) {
        let next: BTreeSet<usize> = self.successors(*path.last().unwrap()).into_iter().collect();
        for block in next {
            if block == path[0] {
                self.closed_paths.push(path.clone());
            } else if block > path[0] && !path.contains(&block) {
                path.push(block);
                self.extend_closed_path(path);
                path.pop();
            }
        }
    }

    fn next_points(&self, point: Point) -> Vec<Point> {
        let operations = &self.function.operations;
        let (block, from) = match point {
            Point::Start(block) => (block, 0),
            Point::Operation(operation) => (self.block(operation), operation + 1),
        };
        match (from..operations.len()).find(|&operation| self.block(operation) == block) {
            Some(operation) => vec![Point::Operation(operation)],
            None => self.successors(block).into_iter().map(Point::Start).collect(),
        }
    }

    /// Whether there is a path of zero or more steps that neither starts at, passes nor ends at `without`.
    pub(crate) fn reaches(&self, from: Point, to: Point, without: Option<Point>) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(point) = work.pop() {
            if Some(point) == without || !seen.insert(point) {
                continue;
            }
            if point == to {
                return true;
            }
            work.extend(self.next_points(point));
        }
        false
    }

    pub(crate) fn is_reachable(&self, point: Point) -> bool {
        self.reaches(Point::Start(0), point, None)
    }

    /// For a reachable `point`.
    pub(crate) fn strictly_dominates(&self, definition: usize, point: Point) -> bool {
        let definition = Point::Operation(definition);
        definition != point && !self.reaches(Point::Start(0), point, Some(definition))
    }

    fn block_dominates(&self, a: usize, b: usize) -> bool {
        !self.reaches(Point::Start(0), Point::Start(b), Some(Point::Start(a)))
    }

    /// The uses of the token that its definition dominates.
    pub(crate) fn dominated_uses(&self, definition: usize) -> Vec<usize> {
        let of_definition = self.uses.iter().filter(|&&(_, used)| used == definition).map(|&(user, _)| user);
        of_definition
            .filter(|&user| {
                self.is_reachable(Point::Operation(user)) && self.strictly_dominates(definition, Point::Operation(user))
            })
            .collect()
    }

    pub(crate) fn in_region(&self, definition: usize, point: Point) -> bool {
        self.is_reachable(point)
            && self.strictly_dominates(definition, point)
            && self
                .dominated_uses(definition)
                .into_iter()
                .any(|user| self.reaches(point, Point::Operation(user), Some(Point::Operation(definition))))
    }

    pub(crate) fn definitions(&self) -> Vec<usize> {
        let operations = &self.function.operations;
        (0..operations.len()).filter(|&index| operations[index].kind != OperationKind::Call).collect()
    }

    /// The innermost of the definitions for which `holds`, all of which dominate `point`.
    pub(crate) fn innermost(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let all: Vec<usize> = self.definitions().into_iter().filter(|&definition| holds(definition)).collect();
        all.iter().copied().find(|&inner| {
            all.iter().all(|&outer| outer == inner || self.strictly_dominates(outer, Point::Operation(inner)))
        })
    }

    pub(crate) fn breaches(&self) -> Vec<Breach> {
        let mut breaches = Vec::new();
        self.local(&mut breaches);
        self.closed(&mut breaches);
        self.nesting(&mut breaches);
        breaches.sort();
        breaches
    }

    fn local(&self, breaches: &mut Vec<Breach>) {
        use OperationKind::{Anchor, Call, Entry, Loop};
        let operations = &self.function.operations;
        let of_kind = |kind| (0..operations.len()).filter(move |&index| operations[index].kind == kind);
        let before = |index: usize| {
            (0..index).rev().find(|&other| self.block(other) == self.block(index)).map(|other| other as u32)
        };
        let mut push = |rule, operation: usize, other| breaches.push((rule, operation as u32, None, other, None, None));
        for entry in of_kind(Entry) {
            if !self.function.is_convergent {
                push(Code::RC0101, entry, None);
            }
            if self.block(entry) != 0 {
                push(Code::RC0102, entry, None);
            }
            let first = of_kind(Entry).next().unwrap();
            if entry != first {
                push(Code::RC0103, entry, Some(first as u32));
            }
            if before(entry).is_some() {
                push(Code::RC0104, entry, before(entry));
            }
        }
        for heart in of_kind(Loop) {
            if before(heart).is_some() {
                push(Code::RC0105, heart, before(heart));
            }
            if operations[heart].bundles.is_empty() {
                push(Code::RC0106, heart, None);
            }
        }
        for operation in of_kind(Entry).chain(of_kind(Anchor)) {
            if !operations[operation].bundles.is_empty() {
                push(Code::RC0107, operation, None);
            }
        }
        if let Some(controlled) = (0..operations.len()).find(|&index| !operations[index].bundles.is_empty()) {
            for call in of_kind(Call).filter(|&call| operations[call].bundles.is_empty()) {
                push(Code::RC0112, call, Some(controlled as u32));
            }
        }
        for &(user, definition) in &self.uses {
            let point = Point::Operation(user);
            if self.is_reachable(point) && !self.strictly_dominates(definition, point) {
                breaches.push((Code::RC0111, user as u32, Some(definition as u32), None, None, None));
            }
        }
        for (index, operation) in operations.iter().enumerate() {
            for (bundle, operands) in operation.bundles.iter().enumerate() {
                if bundle > 0 || operands.len() != 1 {
                    breaches.push((Code::RC0108, index as u32, None, None, Some(bundle as u32), None));
                }
                for (operand, &source) in operands.iter().enumerate() {
                    if !self.is_token(source) {
                        let producer = match source {
                            TokenSource::Operation(producer) => Some(producer),
                            TokenSource::Other(_) => None,
                        };
                        let place = (Some(bundle as u32), Some(operand as u32));
                        breaches.push((Code::RC0109, index as u32, producer, None, place.0, place.1));
                    }
                }
            }
        }
    }

    /// Whether the use is on the path and the definition is not.
    fn exposes(&self, path: &[usize], (user, definition): (usize, usize)) -> bool {
        path.contains(&self.block(user)) && !path.contains(&self.block(definition))
    }

    /// Whether this closed path breaks the rule for this use (and, for rules 2 and 3, that other one).
    pub(crate) fn breaks(
        &self,
        rule: Code,
        path: &[usize],
        one: (usize, usize),
        other: Option<(usize, usize)>,
    ) -> bool {
        if !self.exposes(path, one) {
            return false;
        }
        match (rule, other) {
            (Code::RC0113, None) => self.function.operations[one.0].kind != OperationKind::Loop,
            (Code::RC0116, None) => !path.iter().all(|&block| self.block_dominates(self.block(one.0), block)),
            (Code::RC0114, Some(other)) => one.0 != other.0 && one.1 == other.1 && self.exposes(path, other),
            (Code::RC0115, Some(other)) => {
                one.1 != other.1
                    && path.contains(&self.block(other.0))
                    && !path.contains(&self.block(one.1))
                    && !path.contains(&self.block(other.1))
            }
            _ => panic!("{rule:?} is not about closed paths"),
        }
    }

    fn closed(&self, breaches: &mut Vec<Breach>) {
        for &one in &self.uses {
            let mut push = |rule, other: Option<(usize, usize)>| {
                let other = other.map(|(user, _)| user as u32);
                breaches.push((rule, one.0 as u32, Some(one.1 as u32), other, None, None));
            };
            for rule in [Code::RC0113, Code::RC0116] {
                if self.closed_paths.iter().any(|path| self.breaks(rule, path, one, None)) {
                    push(rule, None);
                }
            }
            for rule in [Code::RC0114, Code::RC0115] {
                let earlier = self.uses.iter().copied().filter(|&other| other < one);
                let mut broken = earlier
                    .filter(|&other| self.closed_paths.iter().any(|path| self.breaks(rule, path, one, Some(other))));
                if let Some(first) = broken.next() {
                    push(rule, Some(first));
                }
            }
        }
    }

    fn nesting(&self, breaches: &mut Vec<Breach>) {
        for &(user, definition) in &self.uses {
            if !self.dominated_uses(definition).contains(&user) {
                continue;
            }
            // Regions that contain the use and not the definition.
            let broken = |region: usize| {
                region != definition
                    && self.in_region(region, Point::Operation(user))
                    && !self.in_region(region, Point::Operation(definition))
            };
            if let Some(region) = self.innermost(broken) {
                breaches.push((Code::RC0117, user as u32, Some(definition as u32), Some(region as u32), None, None));
            }
        }
    }
}
