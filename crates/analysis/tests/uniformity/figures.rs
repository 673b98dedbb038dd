//! The figures of the text and the tables to them: which dynamic instances are converged under which headers.
//!
//! A table has a row for each thread. Instances in one column are converged, all others are not; `.` is an empty cell.

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Node, hierarchies};

use crate::draft::Draft;
use crate::instances::Instances;

const LOOP: &[&str] = &["E H", "H B L", "B L", "L H X"];

/// A closed path P, Q, R, S with a short cut from Q to S, that is entered at P or R.
const TWO_ENTRIES: &[&str] = &["E P R", "P Q", "Q R S", "R S", "S P X"];

struct Figure {
    draft: Draft,
    names: Vec<char>,
}

impl Figure {
    /// Each row names a node, then its successors; the first one is the entry.
    fn new(rows: &[&str]) -> Figure {
        let mut names: Vec<char> = Vec::new();
        for name in rows.iter().flat_map(|row| row.chars()).filter(|name| name.is_alphabetic()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut successors = vec![Vec::new(); names.len()];
        for row in rows {
            let mut nodes =
                row.split(' ').map(|name| names.iter().position(|&other| name == other.to_string()).expect("a name"));
            let from = nodes.next().expect("a node");
            successors[from].extend(nodes);
        }
        Figure { draft: Draft::new(successors), names }
    }

    /// The hierarchies, and the names of their headers, sorted.
    fn hierarchies(&self) -> Vec<(String, CycleForest)> {
        let graph = self.draft.graph();
        let named = hierarchies(&graph, usize::MAX).map(|forest| {
            let mut headers: Vec<char> = forest.cycles.values().map(|data| self.names[data.header.index()]).collect();
            headers.sort_unstable();
            (headers.into_iter().collect(), forest)
        });
        let mut all: Vec<(String, CycleForest)> = named.collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    /// Fails unless exactly the instances of one column are converged.
    fn check(&self, headers: &str, table: &[&str]) {
        let problem = self.draft.problem();
        let all = self.hierarchies();
        let (_, forest) = all.iter().find(|(names, _)| names == headers).expect("there is such a hierarchy");
        let mut instances = Instances::new(&problem, forest);
        let mut cells = Vec::new();
        for (thread, row) in table.iter().enumerate() {
            let filled = row.split(' ').enumerate().filter(|&(_, name)| name != ".");
            let (columns, path): (Vec<usize>, Vec<Node>) = filled
                .map(|(column, name)| {
                    let node = self.names.iter().position(|&other| name == other.to_string());
                    (column, Node::new(node.expect("a name")))
                })
                .unzip();
            for edge in path.windows(2) {
                assert!(problem.graph.successors(edge[0]).contains(&edge[1]), "{row} is a path");
            }
            for (column, instance) in columns.into_iter().zip(instances.run(thread, &path)) {
                cells.push((thread, column, instance));
            }
        }
        for (thread, column, instance) in &cells {
            for (other_thread, other_column, other) in &cells {
                if thread < other_thread {
                    let name = self.names[instance.node.index()];
                    assert_eq!(
                        column == other_column,
                        instance.key == other.key,
                        "headers {headers}: {name} of threads {thread} and {other_thread}, columns {column} and {other_column}"
                    );
                }
            }
        }
        let order = Order::new(table);
        assert!(order.is_strict(), "{table:?}");
    }
}

/// *Convergence-before* on the cells of a table: its transitive closure.
struct Order {
    before: Vec<Vec<bool>>,
    cells: Vec<(usize, usize)>,
}

impl Order {
    fn new(table: &[&str]) -> Order {
        let mut cells = Vec::new();
        for (thread, row) in table.iter().enumerate() {
            let filled = row.split(' ').enumerate().filter(|&(_, name)| name != ".");
            cells.extend(filled.map(|(column, _)| (thread, column)));
        }
        let direct = |&(thread, column): &(usize, usize), &(other_thread, other_column): &(usize, usize)| {
            // Executed before it in its thread, or before what is converged with it, or converged with what is before it.
            let follows = column < other_column;
            follows
                && (thread == other_thread
                    || cells.contains(&(thread, other_column))
                    || cells.contains(&(other_thread, column)))
        };
        let mut before: Vec<Vec<bool>> =
            cells.iter().map(|one| cells.iter().map(|other| direct(one, other)).collect()).collect();
        for middle in 0..cells.len() {
            for one in 0..cells.len() {
                if before[one][middle] {
                    let after = before[middle].clone();
                    before[one].iter_mut().zip(after).for_each(|(is_before, also)| *is_before |= also);
                }
            }
        }
        Order { before, cells }
    }

    fn is_strict(&self) -> bool {
        (0..self.cells.len()).all(|cell| !self.before[cell][cell])
    }

    fn is_before(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let place = |cell| self.cells.iter().position(|&other| other == cell).expect("a cell");
        self.before[place(one)][place(other)]
    }
}

#[test]
fn natural_loop() {
    Figure::new(LOOP).check("H", &["E H B L H . L . . . X", "E H . L H B L H B L X"]);
}

#[test]
fn convergence_order() {
    let order = Order::new(&["E . . . . S T X", "E . . Q R S . X", "E . P Q . . . ."]);
    let [p, q1, q2, r, t] = [(2, 2), (2, 3), (1, 3), (1, 4), (0, 6)];
    for (one, other) in [(p, q2), (q1, r), (p, r), (p, t)] {
        assert!(order.is_before(one, other) && !order.is_before(other, one));
    }
    assert!(!order.is_before(q1, q2) && order.is_strict());
}

#[test]
fn the_closed_path_has_two_hierarchies() {
    let figure = Figure::new(TWO_ENTRIES);
    let all = figure.hierarchies();
    let names: Vec<&str> = all.iter().map(|(names, _)| names.as_str()).collect();
    assert_eq!(names, ["P", "RS"]);
    let nested = &all[1].1;
    let [outer, inner] = ['R', 'S'].map(|name| {
        let data = nested.cycles.iter().find(|(_, data)| figure.names[data.header.index()] == name);
        data.expect("a cycle of that header").0
    });
    assert!(nested.contains_cycle(outer, inner) && outer != inner);
    assert_eq!((nested.nodes(outer).len(), nested.nodes(inner).len()), (4, 3));
}

#[test]
fn nested_cycles_that_diverge_in_both() {
    let table = ["E P Q S P Q R S X", "E P Q . . . R S X", "E . . . . . R S X"];
    Figure::new(TWO_ENTRIES).check("RS", &table);
}

#[test]
fn divergent_branch_inside() {
    let figure = Figure::new(TWO_ENTRIES);
    figure.check("RS", &["E P Q . . . R S P Q S X", "E P Q S P Q R S . . . X"]);
    figure.check("P", &["E P Q R S P Q R S X", "E P Q . S P Q R S X"]);
}

#[test]
fn diverged_paths_from_outside() {
    let figure = Figure::new(TWO_ENTRIES);
    figure.check("P", &["E . . P Q R S P Q . S X", "E R S P Q . S P Q R S X"]);
    figure.check("RS", &["E P Q R S P Q S . . . X", "E . . R S P Q S P Q S X"]);
}
