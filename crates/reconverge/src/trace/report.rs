//! The table of one model.

use reconverge_semantics::{
    Contradiction, ConvergenceOrder, DynamicInstance, Key, Model, OperationKind, Place, Table, Trace,
};
use serde::Serialize;

use super::hierarchies::HierarchyReport;
use super::{Subject, is_shown};

/// What a model says of the paths.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ModelReport {
    /// The model: `maximal`, `controlled` or `ipdom`.
    pub model: &'static str,
    /// The cycle hierarchy, of a model that depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchyReport>,
    /// What each thread executes.
    pub threads: Vec<TraceThread>,
    /// Why the keys are no converged-with relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<String>,
    /// The model in words.
    #[serde(skip)]
    pub title: &'static str,
    /// The blocks and, if any have to do with tokens, the operations.
    #[serde(skip)]
    pub tables: Option<(Table, Option<Table>)>,
    /// The operations alone, where they have an order and the blocks have none.
    #[serde(skip)]
    pub operations_alone: Option<Table>,
}

/// What a thread executes.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TraceThread {
    /// Blocks.
    pub instances: Vec<TraceInstance>,
    /// Operations that have to do with tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<TraceOperation>,
}

/// An execution of a block.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TraceInstance {
    /// The block.
    pub block: String,
    /// Equal to that of another thread's instance iff they are converged.
    pub key: u32,
    /// Its name, with a number where it may be executed more than once.
    pub name: String,
    /// The column of the table, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

/// An execution of an operation.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TraceOperation {
    /// Its result, or what is called.
    pub operation: String,
    /// `entry`, `loop`, `anchor` or `call`.
    pub kind: &'static str,
    /// Its line.
    pub line: usize,
    /// The execution.
    #[serde(flatten)]
    pub instance: TraceInstance,
}

impl ModelReport {
    pub(super) fn new(
        subject: &Subject<'_>,
        model: &'static str,
        title: &'static str,
        rules: Model<'_>,
        hierarchy: Option<HierarchyReport>,
    ) -> ModelReport {
        let skeleton = subject.skeleton;
        let trace = subject.trace(rules);
        let order = ConvergenceOrder::new(&trace.keys());
        let tables = order.as_ref().ok().map(|order| {
            let table = |of_operations: bool| {
                Table::new(order, |place: Place| {
                    let instance = trace.threads[place.thread][place.position].instance;
                    let is_in = skeleton.operation(instance).is_some() == of_operations && is_shown(skeleton, instance);
                    is_in.then(|| subject.instance_names.get(place.thread, place.position).to_owned())
                })
            };
            (table(false), skeleton.has_tokens().then(|| table(true)).filter(|table| !table.classes.is_empty()))
        });
        let alone = order.is_err().then(|| operations_alone(subject, &trace)).flatten();
        let column = |place: Place, of_operations: bool| {
            if let (Some(alone), true) = (&alone, of_operations) {
                return alone.column(place);
            }
            let class = order.as_ref().ok()?.class(place);
            let (blocks, operations) = tables.as_ref()?;
            let table = if of_operations { operations.as_ref()? } else { blocks };
            table.classes.binary_search(&class).ok().map(|index| index + 1)
        };
        let row = |(thread, row): (usize, &Vec<DynamicInstance>)| {
            let (mut instances, mut operations) = (Vec::new(), Vec::new());
            for (position, one) in row.iter().enumerate().filter(|(_, one)| is_shown(skeleton, one.instance)) {
                let operation = skeleton.operation(one.instance);
                let instance = TraceInstance {
                    block: subject.names.block(skeleton.block_of(one.instance)),
                    key: one.key.0,
                    name: subject.instance_names.get(thread, position).to_owned(),
                    column: column(Place { thread, position }, operation.is_some()),
                };
                match operation {
                    None => instances.push(instance),
                    Some(operation) => operations.push(TraceOperation {
                        operation: subject.names.operation(operation).to_owned(),
                        kind: match skeleton.operations[operation as usize].kind {
                            OperationKind::Entry => "entry",
                            OperationKind::Loop { .. } => "loop",
                            OperationKind::Anchor => "anchor",
                            OperationKind::Controlled { .. } | OperationKind::Plain => "call",
                        },
                        line: subject.names.line(operation),
                        instance,
                    }),
                }
            }
            TraceThread { instances, operations }
        };
        let threads = trace.threads.iter().enumerate().map(row).collect();
        let contradiction = order.err().map(|contradiction| describe(subject, &contradiction));
        let operations_alone = alone.map(|alone| alone.table);
        ModelReport { model, hierarchy, threads, contradiction, title, tables, operations_alone }
    }
}

/// The operations of a trace without its blocks: what is left of a function in which a heart counts its own executions and not the iterations of a loop.
struct OperationsAlone {
    table: Table,
    order: ConvergenceOrder,
    /// By thread: the positions of operations among all instances.
    positions: Vec<Vec<usize>>,
}

/// The operations that have to do with tokens alone, if these have an order.
fn operations_alone(subject: &Subject<'_>, trace: &Trace) -> Option<OperationsAlone> {
    let skeleton = subject.skeleton;
    if !skeleton.has_tokens() {
        return None;
    }
    let is_operation = |instance| skeleton.operation(instance).is_some() && is_shown(skeleton, instance);
    let operations = |row: &Vec<DynamicInstance>| -> Vec<usize> {
        (0..row.len()).filter(|&position| is_operation(row[position].instance)).collect()
    };
    let positions: Vec<Vec<usize>> = trace.threads.iter().map(operations).collect();
    let keys = trace.threads.iter().zip(&positions);
    let keys: Vec<Vec<Key>> = keys.map(|(row, all)| all.iter().map(|&position| row[position].key).collect()).collect();
    let order = ConvergenceOrder::new(&keys).ok()?;
    let name = |place: Place| {
        let position = positions[place.thread][place.position];
        Some(subject.instance_names.get(place.thread, position).to_owned())
    };
    Some(OperationsAlone { table: Table::new(&order, name), order, positions })
}

impl OperationsAlone {
    /// The column of an operation, counted from 1.
    fn column(&self, place: Place) -> Option<usize> {
        let position = self.positions[place.thread].binary_search(&place.position).ok()?;
        let class = self.order.class(Place { position, ..place });
        self.table.classes.binary_search(&class).ok().map(|index| index + 1)
    }
}

fn describe(subject: &Subject<'_>, contradiction: &Contradiction) -> String {
    let name = |place: &Place| subject.instance_names.get(place.thread, place.position);
    match contradiction {
        Contradiction::SameThread { first, second } => format!(
            "{} and {} of thread {} would be converged with each other",
            name(first),
            name(second),
            first.thread + 1
        ),
        Contradiction::Cycle(places) => {
            let steps: Vec<String> =
                places.iter().map(|place| format!("{} (thread {})", name(place), place.thread + 1)).collect();
            format!(
                "each of these would be convergence-before the next, and the last before the first: {}",
                steps.join(", ")
            )
        }
    }
}
