//! A [`Problem`] that is easy to make, change, shrink and print.
//!
//! Invariants (those of [`Problem`], and): every node is reachable and node 0 is the entry, without predecessors; a phi
//! has one operand for each edge into its node, the same for parallel edges; what is used is defined on every path.

use std::fmt::{self, Display, Formatter};

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::{Branch, Problem, Region, Rule, ValueData, ValueIndex};
use reconverge_graph::{CycleForest, Digraph, Dominators, Node, SuccessorOrder};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A value; the operands of phis come with the predecessor that they belong to, others with their own node.
#[derive(Debug, Clone)]
pub(crate) struct DraftValue {
    pub(crate) node: Option<usize>,
    pub(crate) rule: Rule,
    pub(crate) operands: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) values: Vec<DraftValue>,
    pub(crate) branches: Vec<Branch>,
    /// Where tokens are defined and where they are used, outside of the innermost cycle of their definition.
    pub(crate) tokens: Vec<(usize, usize)>,
}

impl Draft {
    pub(crate) fn new(successors: Vec<Vec<usize>>) -> Draft {
        let branches = vec![Branch::Uniform; successors.len()];
        Draft { successors, values: Vec::new(), branches, tokens: Vec::new() }
    }

    pub(crate) fn graph(&self) -> Digraph {
        let row = |(from, row): (usize, &Vec<usize>)| row.iter().map(move |&to| (from, to)).collect::<Vec<_>>();
        let edges = self.successors.iter().enumerate().flat_map(row);
        let edges: Vec<_> = edges.map(|(from, to)| (Node::new(from), Node::new(to))).collect();
        Digraph::from_edges(self.successors.len(), Node::new(0), &edges)
    }

    /// Appends a value.
    pub(crate) fn value(&mut self, node: Option<usize>, rule: Rule, operands: Vec<(usize, usize)>) -> usize {
        self.values.push(DraftValue { node, rule, operands });
        self.values.len() - 1
    }

    pub(crate) fn problem(&self) -> Problem {
        let mut problem = Problem {
            graph: self.graph(),
            values: Vec::new(),
            operands: Vec::new(),
            sources: Vec::new(),
            branches: self.branches.clone(),
            regions: Vec::new(),
        };
        for value in &self.values {
            let start = problem.operands.len() as u32;
            problem.operands.extend(value.operands.iter().map(|&(operand, _)| operand as ValueIndex));
            problem.sources.extend(value.operands.iter().map(|&(_, source)| Node::new(source)));
            let operands = start..problem.operands.len() as u32;
            problem.values.push(ValueData { node: value.node.map(Node::new), rule: value.rule, operands });
        }
        problem.regions.extend(self.tokens.iter().map(|&(definition, user)| Region {
            definition: Node::new(definition),
            nodes: region(&problem.graph, definition, user),
        }));
        problem
    }

    /// Whether the invariants hold.
    pub(crate) fn is_valid(&self) -> bool {
        let graph = self.graph();
        let dominators = Dominators::compute(&graph);
        let dominates = |a: usize, b: usize| dominators.dominates(Node::new(a), Node::new(b));
        let is_fine =
            |value: &DraftValue| {
                let Some(node) = value.node else { return true };
                value.operands.iter().all(|&(operand, source)| {
                    self.values[operand].node.is_none_or(|defined| dominates(defined, source))
                }) && (value.rule != Rule::Phi || {
                    let mut sources: Vec<usize> = value.operands.iter().map(|&(_, source)| source).collect();
                    sources.sort_unstable();
                    let mut expected: Vec<usize> =
                        graph.predecessors(Node::new(node)).iter().map(|node| node.index()).collect();
                    expected.sort_unstable();
                    sources == expected && !sources.is_empty()
                })
            };
        graph.nodes().all(|node| dominators.is_reachable(node))
            && graph.predecessors(Node::new(0)).is_empty()
            && self.values.iter().all(is_fine)
            && self.branches.iter().enumerate().all(|(node, &branch)| match branch {
                Branch::On(value) => self.values[value as usize].node.is_none_or(|defined| dominates(defined, node)),
                Branch::Uniform => self.successors[node].len() < 2,
                Branch::Source => true,
            })
            && self.tokens.iter().all(|&(definition, user)| may_use(&graph, definition, user))
    }

    /// The smallest draft that one gets by leaving things out while `fails` stays true.
    pub(crate) fn shrink(&self, fails: impl Fn(&Draft) -> bool) -> Draft {
        let mut best = self.clone();
        'again: loop {
            for smaller in best.smaller() {
                if smaller.is_valid() && fails(&smaller) {
                    best = smaller;
                    continue 'again;
                }
            }
            return best;
        }
    }

    /// What can be left out, one thing each. Not all are valid.
    fn smaller(&self) -> Vec<Draft> {
        let mut all = Vec::new();
        for node in 1..self.successors.len() {
            // A node with one successor: its predecessors go there.
            if let [only] = self.successors[node][..]
                && only != node
            {
                let mut smaller = self.clone();
                for row in &mut smaller.successors {
                    row.iter_mut().filter(|to| **to == node).for_each(|to| *to = only);
                }
                all.extend(smaller.repaired(Some((node, only))));
            }
        }
        for node in 0..self.successors.len() {
            for edge in 0..self.successors[node].len() {
                let mut smaller = self.clone();
                smaller.successors[node].remove(edge);
                if smaller.successors[node].len() < 2 {
                    smaller.branches[node] = Branch::Uniform;
                }
                all.extend(smaller.repaired(None));
            }
        }
        for token in 0..self.tokens.len() {
            let mut smaller = self.clone();
            smaller.tokens.remove(token);
            all.push(smaller);
        }
        for value in (0..self.values.len()).rev() {
            if !self.is_used(value) {
                let mut smaller = self.clone();
                smaller.values.remove(value);
                smaller.renumber(|old| if old > value { old - 1 } else { old });
                all.push(smaller);
            }
            for replacement in 0..value {
                // Elsewhere, use an earlier value instead.
                if self.is_used(value) {
                    let mut smaller = self.clone();
                    smaller.renumber(|old| if old == value { replacement } else { old });
                    all.push(smaller);
                }
            }
            if !matches!(self.values[value].rule, Rule::Phi | Rule::Constant) {
                for operand in 0..self.values[value].operands.len() {
                    let mut smaller = self.clone();
                    smaller.values[value].operands.remove(operand);
                    all.push(smaller);
                }
            }
        }
        for node in 0..self.successors.len() {
            if let Branch::On(value) = self.branches[node] {
                let constant = self.values.iter().position(|value| value.rule == Rule::Constant);
                let simpler = constant.filter(|&constant| constant != value as usize);
                let simpler = simpler.map(|constant| Branch::On(constant as ValueIndex));
                let source = (self.values[value as usize].rule != Rule::Constant).then_some(Branch::Source);
                for branch in simpler.into_iter().chain(source) {
                    let mut smaller = self.clone();
                    smaller.branches[node] = branch;
                    all.push(smaller);
                }
            }
        }
        all
    }

    fn is_used(&self, value: usize) -> bool {
        self.branches.contains(&Branch::On(value as ValueIndex))
            || self.values.iter().any(|user| user.operands.iter().any(|&(operand, _)| operand == value))
    }

    /// Replaces the uses of values.
    fn renumber(&mut self, new: impl Fn(usize) -> usize) {
        for value in &mut self.values {
            value.operands.iter_mut().for_each(|(operand, _)| *operand = new(*operand));
        }
        for branch in &mut self.branches {
            if let Branch::On(value) = branch {
                *value = new(*value as usize) as ValueIndex;
            }
        }
    }

    /// After edges were taken away or moved from `bypassed.0` to `bypassed.1`: drops what is unreachable, and
    /// the operands of phis without an edge. A phi that needs new operands gets those of the edge from the bypassed node.
    fn repaired(&self, bypassed: Option<(usize, usize)>) -> Option<Draft> {
        let graph = self.graph();
        let dominators = Dominators::compute(&graph);
        let kept: Vec<usize> =
            (0..self.successors.len()).filter(|&node| dominators.is_reachable(Node::new(node))).collect();
        let place = |node: usize| kept.binary_search(&node).ok();
        let mut repaired = Draft::new(Vec::new());
        repaired.branches.clear();
        for &node in &kept {
            repaired.successors.push(self.successors[node].iter().filter_map(|&to| place(to)).collect());
            repaired.branches.push(self.branches[node]);
        }
        let mut new_index = vec![None; self.values.len()];
        let mut next = 0;
        for (index, value) in self.values.iter().enumerate() {
            if value.node.is_none_or(|node| place(node).is_some()) {
                new_index[index] = Some(next);
                next += 1;
            }
        }
        for value in &self.values {
            if value.node.is_some_and(|node| place(node).is_none()) {
                continue;
            }
            let mut operands = Vec::new();
            if value.rule == Rule::Phi {
                let node = value.node?;
                for &from in graph.predecessors(Node::new(node)) {
                    let from = from.index();
                    let of = |source| value.operands.iter().find(|operand| operand.1 == source);
                    let operand = of(from).or_else(|| of(bypassed.filter(|&(_, to)| to == node)?.0))?.0;
                    if place(from).is_some() {
                        operands.push((new_index[operand]?, place(from)?));
                    }
                }
                if operands.is_empty() {
                    return None;
                }
            } else {
                for &(operand, source) in &value.operands {
                    operands.push((new_index[operand]?, place(source)?));
                }
            }
            repaired.value(value.node.and_then(place), value.rule, operands);
        }
        for branch in &mut repaired.branches {
            if let Branch::On(value) = branch {
                *value = new_index[*value as usize]? as ValueIndex;
            }
        }
        for &(definition, user) in &self.tokens {
            repaired.tokens.push((place(definition)?, place(user)?));
        }
        Some(repaired)
    }
}

impl Display for Draft {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (node, successors) in self.successors.iter().enumerate() {
            write!(f, "  {node} -> {successors:?}")?;
            match self.branches[node] {
                Branch::On(value) => writeln!(f, " on v{value}")?,
                Branch::Source => writeln!(f, " divergent")?,
                Branch::Uniform => writeln!(f)?,
            }
        }
        for (index, value) in self.values.iter().enumerate() {
            write!(f, "  v{index} = {:?}", value.rule)?;
            for &(operand, source) in &value.operands {
                match value.rule {
                    Rule::Phi => write!(f, " [v{operand} from {source}]")?,
                    _ => write!(f, " v{operand}")?,
                }
            }
            match value.node {
                Some(node) => writeln!(f, " in {node}")?,
                None => writeln!(f)?,
            }
        }
        for &(definition, user) in &self.tokens {
            writeln!(f, "  a token of {definition} is used in {user}")?;
        }
        Ok(())
    }
}

/// A random graph of 4 to `most` nodes.
pub(crate) fn random_graph(random: &mut Random, most: usize) -> Vec<Vec<usize>> {
    let nodes = 4 + random.below(most - 3);
    let (ahead, back) = (15 + random.below(45) as u64, random.below(60) as u64);
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (node, row) in successors.iter_mut().enumerate() {
        if node + 1 < nodes && random.percent(90) {
            row.push(node + 1);
        }
        for _ in 0..2 {
            if node + 1 < nodes && random.percent(ahead) {
                row.push(node + 1 + random.below(nodes - node - 1));
            }
        }
        if node > 0 && random.percent(back) {
            row.push(1 + random.below(node));
        }
        if row.is_empty() && node + 1 < nodes && random.percent(70) {
            row.push(node + 1 + random.below(nodes - node - 1));
        }
        row.truncate(3);
        if random.percent(50) {
            row.reverse();
        }
    }
    // Only what is reachable.
    let mut reached = vec![false; nodes];
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            stack.extend(&successors[node]);
        }
    }
    let kept: Vec<usize> = (0..nodes).filter(|&node| reached[node]).collect();
    let place = |node: &usize| kept.binary_search(node).expect("a successor is reached");
    kept.iter().map(|&node| successors[node].iter().map(place).collect()).collect()
}

/// A random function: in each join block a phi of distinct constants, and random other values.
pub(crate) fn random_draft(random: &mut Random, most_nodes: usize) -> Draft {
    let mut draft = Draft::new(random_graph(random, most_nodes));
    let graph = draft.graph();
    let dominators = Dominators::compute(&graph);
    let nodes = draft.successors.len();
    let predecessors =
        |node: usize| -> Vec<usize> { graph.predecessors(Node::new(node)).iter().map(|node| node.index()).collect() };
    let most_constants = (0..nodes).map(|node| predecessors(node).len()).max().unwrap_or(0).max(2);
    for _ in 0..most_constants {
        draft.value(None, Rule::Constant, Vec::new());
    }
    if random.percent(15) {
        draft.value(None, Rule::Source, Vec::new());
    }
    let parameters = draft.values.len();

    // First all values without operands, so that phis may use values that come later.
    for node in 0..nodes {
        if predecessors(node).len() > 1 {
            draft.value(Some(node), Rule::Phi, Vec::new());
        }
    }
    let plain_phis = draft.values.len();
    for _ in 0..random.below(6) {
        let node = random.below(nodes);
        let rule = match random.below(10) {
            0..=3 if !predecessors(node).is_empty() => Rule::Phi,
            0..=5 => Rule::Pure,
            6..=7 => Rule::Varying,
            8 => Rule::Uniform,
            _ if random.percent(40) => Rule::Source,
            _ => Rule::Pure,
        };
        draft.value(Some(node), rule, Vec::new());
    }
    let available = |draft: &Draft, user: Option<usize>, at: usize| -> Vec<usize> {
        (0..draft.values.len())
            .filter(|&value| match draft.values[value].node {
                None => true,
                Some(node) if node == at => user.is_none_or(|user| value < user),
                Some(node) => dominators.dominates(Node::new(node), Node::new(at)),
            })
            .collect()
    };
    for value in parameters..draft.values.len() {
        let DraftValue { node, rule, .. } = draft.values[value];
        let node = node.expect("computed");
        let mut operands: Vec<(usize, usize)> = Vec::new();
        if rule == Rule::Phi {
            let rotation = random.below(most_constants);
            for (position, from) in predecessors(node).into_iter().enumerate() {
                let same_edge = operands.iter().find(|operand| operand.1 == from);
                let operand = match same_edge {
                    Some(&(operand, _)) => operand,
                    None if value < plain_phis => (position + rotation) % most_constants,
                    None if random.percent(40) => random.below(2),
                    None => random.pick(&available(&draft, None, from)),
                };
                operands.push((operand, from));
            }
        } else if rule != Rule::Uniform && rule != Rule::Source {
            // Values of one node are computed in the order of their indices; phis come first.
            let mut all = available(&draft, Some(value), node);
            all.extend(
                (value..draft.values.len())
                    .filter(|&other| draft.values[other].node == Some(node) && draft.values[other].rule == Rule::Phi),
            );
            for _ in 0..random.below(3) {
                let computed: Vec<usize> = all.iter().copied().filter(|&value| value >= parameters).collect();
                let pool = if computed.is_empty() || random.percent(20) { &all } else { &computed };
                operands.push((random.pick(pool), node));
            }
        }
        draft.values[value].operands = operands;
    }
    let divergent = 15 + random.below(50) as u64;
    for node in 0..nodes {
        if draft.successors[node].len() > 1 {
            draft.branches[node] = if random.percent(divergent) {
                Branch::Source
            } else if random.percent(30) {
                Branch::On(0)
            } else {
                Branch::On(random.pick(&available(&draft, None, node)) as ValueIndex)
            };
        }
    }
    draft
}

/// The region of a token that `definition` produces and `user` takes: what `definition` dominates and what reaches
/// `user` without passing it.
fn region(graph: &Digraph, definition: usize, user: usize) -> Vec<Node> {
    let dominators = Dominators::compute(graph);
    let definition = Node::new(definition);
    let mut region = vec![Node::new(user)];
    let mut next = 0;
    while let Some(&node) = region.get(next) {
        next += 1;
        for &before in graph.predecessors(node) {
            if before != definition && dominators.dominates(definition, before) && !region.contains(&before) {
                region.push(before);
            }
        }
    }
    region.sort_unstable();
    region
}

/// Whether a token may be used there, outside of the innermost cycle of its definition: the definition dominates the
/// user, and where the user is in a cycle without the definition, it is its heart.
fn may_use(graph: &Digraph, definition: usize, user: usize) -> bool {
    let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
    let (definition, user) = (Node::new(definition), Node::new(user));
    let mut apart = forest.containing(user).filter(|&cycle| !forest.contains(cycle, definition));
    apart.next().is_none_or(|cycle| forest.cycles[cycle].header == user)
        && apart.next().is_none()
        && forest.innermost(definition).is_some_and(|innermost| !forest.contains(innermost, user))
        && Dominators::compute(graph).dominates(definition, user)
}

/// A random reducible function with one or two tokens that are used outside of the cycle of their definition. Regions
/// nest or are disjoint.
pub(crate) fn random_draft_with_regions(random: &mut Random, most_nodes: usize) -> Draft {
    loop {
        let mut draft = random_draft(random, most_nodes);
        let graph = draft.graph();
        let forest = CycleForest::compute(&graph, SuccessorOrder::Forward);
        if !forest.cycles.keys().all(|cycle| forest.is_reducible(cycle)) {
            continue;
        }
        let nodes = draft.successors.len();
        let pairs = (0..nodes).flat_map(|definition| (0..nodes).map(move |user| (definition, user)));
        let candidates: Vec<_> = pairs.filter(|&(definition, user)| may_use(&graph, definition, user)).collect();
        if candidates.is_empty() {
            continue;
        }
        draft.tokens.push(random.pick(&candidates));
        let second = random.pick(&candidates);
        let [inner, outer] = [draft.tokens[0], second].map(|(definition, user)| {
            let mut all = region(&graph, definition, user);
            all.push(Node::new(definition));
            all
        });
        let common = inner.iter().filter(|node| outer.contains(node)).count();
        if second.0 != draft.tokens[0].0 && (common == 0 || common == inner.len() || common == outer.len()) {
            draft.tokens.push(second);
        }
        return draft;
    }
}
