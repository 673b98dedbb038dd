//! What blocks, operations and their executions are called.

use cranelift_entity::EntityRef;
use reconverge_analysis::lower::Lowered;
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_ir::function::{Extra, Inst};
use reconverge_ir::{Function, Module, text};
use reconverge_semantics::{OperationIndex, Skeleton, StaticInstance, occurrence_numbers};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lines::Lines;
use crate::visible::visible as printable;

/// The names in a function.
pub(super) struct Names<'n> {
    blocks: Vec<String>,
    operations: Vec<String>,
    lines: &'n Lines<'n>,
    function: &'n Function,
    lowered: &'n Lowered,
}

impl<'n> Names<'n> {
    pub(super) fn new(
        lines: &'n Lines<'n>,
        module: &Module<'_>,
        function: &'n Function,
        lowered: &'n Lowered,
    ) -> Names<'n> {
        let blocks = function.blocks.values().map(|block| printable(&module.local_name(block.name)).into_owned());
        let mut names = Names { blocks: blocks.collect(), operations: Vec::new(), lines, function, lowered };
        let operation = |&inst: &Inst| {
            let data = &function.instructions[inst];
            let Extra::Call(call) = data.extra else { return "(operation)".to_owned() };
            match (data.result.is_none(), function.calls[call].callee.expand()) {
                (true, None) => "(indirect call)".to_owned(),
                (true, Some(callee)) => format!("@{}", text::display(&module.symbol_name(callee))),
                (false, _) => format!("%{}", module.local_name(data.name)),
            }
        };
        let plain: Vec<String> = lowered.instructions.iter().map(operation).collect();
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        plain.iter().for_each(|name| *uses.entry(name).or_insert(0) += 1);
        let distinct = |(operation, name): (OperationIndex, &String)| {
            let is_ambiguous = uses[name.as_str()] > 1;
            let name = if is_ambiguous { format!("{name}:{}", names.line(operation)) } else { name.clone() };
            printable(&name).into_owned()
        };
        names.operations = (0..).zip(&plain).map(distinct).collect();
        names
    }

    pub(super) fn block(&self, node: Node) -> String {
        self.blocks[node.index()].clone()
    }

    pub(super) fn blocks(&self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|&node| self.block(node)).collect()
    }

    /// The result or callee of an operation; with its line where that alone would not tell which one it is.
    pub(super) fn operation(&self, operation: OperationIndex) -> &str {
        &self.operations[operation as usize]
    }

    pub(super) fn line(&self, operation: OperationIndex) -> usize {
        let inst = self.lowered.instructions[operation as usize];
        self.lines.position(self.function.instructions[inst].span.range().start).line
    }

    /// The names of the headers of a hierarchy, outermost cycles first.
    pub(super) fn headers(&self, forest: &CycleForest) -> Vec<String> {
        forest.cycles.values().map(|cycle| self.block(cycle.header)).collect()
    }
}

/// The names of the dynamic instances of some threads: by thread and position, as in a trace of them.
pub(super) struct InstanceNames {
    names: Vec<Vec<String>>,
}

impl InstanceNames {
    /// What is in no cycle is executed at most once by each thread and has no number. Where a number would look like a part of some
    /// name, all stand behind a `#`.
    pub(super) fn new(names: &Names<'_>, skeleton: &Skeleton, paths: &[Vec<Node>]) -> InstanceNames {
        let forest = CycleForest::compute(&skeleton.graph, SuccessorOrder::Forward);
        let instances: Vec<Vec<StaticInstance>> = paths
            .iter()
            .map(|path| {
                let of_block = |&block: &Node| {
                    let operations = skeleton.operations_of(block);
                    let operations = operations.map(|operation| skeleton.operation_instance(operation));
                    std::iter::once(skeleton.block_instance(block)).chain(operations)
                };
                path.iter().flat_map(of_block).collect()
            })
            .collect();
        let plain = |instance: StaticInstance| match skeleton.operation(instance) {
            Some(operation) => names.operation(operation).to_owned(),
            None => names.block(skeleton.block_of(instance)),
        };
        let is_numbered = |instance: StaticInstance| forest.innermost(skeleton.block_of(instance)).is_some();
        let mut all: Vec<StaticInstance> = instances.concat();
        all.sort_unstable();
        all.dedup();
        let numbered: FxHashSet<String> =
            all.iter().filter(|&&instance| is_numbered(instance)).map(|&instance| plain(instance)).collect();
        let is_confusing = |&instance: &StaticInstance| {
            let name = plain(instance);
            let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            stem.len() < name.len() && (numbered.contains(&name) || numbered.contains(stem))
        };
        let separator = if all.iter().any(is_confusing) { "#" } else { "" };
        let name = |(&instance, &number): (&StaticInstance, &u32)| {
            if is_numbered(instance) { format!("{}{separator}{number}", plain(instance)) } else { plain(instance) }
        };
        let numbers = occurrence_numbers(&instances);
        let row = |(row, numbers): (&Vec<StaticInstance>, &Vec<u32>)| row.iter().zip(numbers).map(name).collect();
        InstanceNames { names: instances.iter().zip(&numbers).map(row).collect() }
    }

    pub(super) fn get(&self, thread: usize, position: usize) -> &str {
        &self.names[thread][position]
    }
}
