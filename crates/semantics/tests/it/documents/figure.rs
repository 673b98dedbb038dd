//! A graph with named nodes, and printed tables to compare with.
//!
//! A row of a printed table is a thread. `.` is an empty cell; `[Q S]` are steps that the document elides (`...`).

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Digraph, Node, hierarchies};
use reconverge_semantics::{
    ConvergenceOrder, Extent, Model, Place, Skeleton, StaticInstance, Table, Trace, check_paths, occurrence_numbers,
};

pub(crate) struct Figure {
    pub(crate) names: Vec<String>,
    pub(crate) skeleton: Skeleton,
}

/// A cell of a printed table.
struct Printed {
    /// As the document has it; none for what it elides.
    name: Option<String>,
    column: usize,
    node: Node,
}

/// A printed table, its keys, and their order.
pub(crate) struct Reproduced {
    printed: Vec<Vec<Printed>>,
    order: ConvergenceOrder,
    pub(crate) table: Table,
}

impl Figure {
    /// Each row names a node, then its successors; the first one is the entry.
    pub(crate) fn new(rows: &[&str]) -> Figure {
        let mut names: Vec<String> = Vec::new();
        for name in rows.iter().flat_map(|row| row.split(' ')) {
            if !names.iter().any(|other| other == name) {
                names.push(name.to_owned());
            }
        }
        let place = |name: &str| Node::new(names.iter().position(|other| other == name).expect("a node"));
        let edges: Vec<(Node, Node)> = rows
            .iter()
            .flat_map(|row| {
                let (from, to) = row.split_once(' ').expect("a node and its successors");
                to.split(' ').map(move |to| (place(from), place(to)))
            })
            .collect();
        let skeleton = Skeleton::of_graph(Digraph::from_edges(names.len(), Node::new(0), &edges));
        Figure { names, skeleton }
    }

    pub(crate) fn node(&self, name: &str) -> Node {
        Node::new(self.names.iter().position(|other| other == name).unwrap_or_else(|| panic!("no node {name}")))
    }

    /// The hierarchies, and the names of their headers, sorted.
    pub(crate) fn hierarchies(&self) -> Vec<(String, CycleForest)> {
        let named = hierarchies(&self.skeleton.graph, usize::MAX).map(|forest| {
            let headers = forest.cycles.values().map(|data| self.names[data.header.index()].as_str());
            let mut headers: Vec<&str> = headers.collect();
            headers.sort_unstable();
            (headers.join(" "), forest)
        });
        let mut all: Vec<_> = named.collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    pub(crate) fn hierarchy(&self, headers: &str) -> CycleForest {
        let found = self.hierarchies().into_iter().find(|(names, _)| names == headers);
        found.unwrap_or_else(|| panic!("no hierarchy has the headers {headers}")).1
    }

    /// What we call the instances of threads: blocks that are in a cycle have numbers.
    fn instance_names(&self, forest: &CycleForest, paths: &[Vec<Node>]) -> Vec<Vec<String>> {
        let instances = |path: &Vec<Node>| path.iter().map(|&node| StaticInstance::new(node.index())).collect();
        let numbers = occurrence_numbers(&paths.iter().map(instances).collect::<Vec<Vec<_>>>());
        let name = |(&node, number): (&Node, &u32)| match forest.innermost(node) {
            Some(_) => format!("{}{number}", self.names[node.index()]),
            None => self.names[node.index()].clone(),
        };
        paths.iter().zip(&numbers).map(|(path, numbers)| path.iter().zip(numbers).map(name).collect()).collect()
    }

    /// The table of some paths under these headers.
    pub(crate) fn table(&self, headers: &str, paths: &[&str]) -> String {
        let paths: Vec<Vec<Node>> =
            paths.iter().map(|path| path.split(' ').map(|name| self.node(name)).collect()).collect();
        check_paths(&self.skeleton.graph, &paths, Extent::Whole).expect("threads can execute this");
        let forest = self.hierarchy(headers);
        let names = self.instance_names(&forest, &paths);
        let trace = Trace::compute(&self.skeleton, Model::Maximal(&forest), &paths);
        let order = ConvergenceOrder::new(&trace.keys()).expect("convergence-before is an order");
        Table::new(&order, |place| Some(names[place.thread][place.position].clone())).text()
    }

    fn parse(&self, row: &str) -> Vec<Printed> {
        let (mut column, mut is_elided) = (0, false);
        let mut cells = Vec::new();
        for word in row.split(' ') {
            is_elided |= word.starts_with('[');
            let name = word.trim_matches(['[', ']']);
            if word != "." {
                let node = self.node(name.trim_end_matches(|c: char| c.is_ascii_digit()));
                cells.push(Printed { name: (!is_elided).then(|| name.to_owned()), column, node });
            }
            is_elided &= !word.ends_with(']');
            column += usize::from(!is_elided);
        }
        cells
    }

    /// Fails unless exactly the instances of one printed column are converged, the columns are in an order that
    /// convergence-before allows, and exactly these `differences` are between the printed names and ours.
    pub(crate) fn reproduce(&self, headers: &str, extent: Extent, rows: &[&str], differences: &[&str]) -> Reproduced {
        let forest = self.hierarchy(headers);
        let printed: Vec<Vec<Printed>> = rows.iter().map(|row| self.parse(row)).collect();
        let paths: Vec<Vec<Node>> = printed.iter().map(|row| row.iter().map(|cell| cell.node).collect()).collect();
        check_paths(&self.skeleton.graph, &paths, extent).expect("threads can execute what is printed");
        let trace = Trace::compute(&self.skeleton, Model::Maximal(&forest), &paths);
        let order = ConvergenceOrder::new(&trace.keys()).expect("convergence-before is an order");
        let names = self.instance_names(&forest, &paths);
        let table = Table::new(&order, |place| Some(names[place.thread][place.position].clone()));

        let places = || {
            let row = |(thread, row): (usize, &Vec<Printed>)| {
                (0..row.len()).map(move |position| Place { thread, position }).collect::<Vec<_>>()
            };
            printed.iter().enumerate().flat_map(row)
        };
        let cell = |place: Place| &printed[place.thread][place.position];
        for one in places() {
            for other in places().filter(|other| other.thread > one.thread) {
                let is_one_column =
                    cell(one).column == cell(other).column && cell(one).name.is_some() && cell(other).name.is_some();
                let names = (&names[one.thread][one.position], &names[other.thread][other.position]);
                assert_eq!(is_one_column, order.is_converged_with(one, other), "headers {headers}: {names:?}");
                if order.is_convergence_before(one, other) {
                    assert!(cell(one).column <= cell(other).column, "headers {headers}: {names:?}");
                }
            }
        }
        let mut found = Vec::new();
        for place in places() {
            let ours = &names[place.thread][place.position];
            if let Some(printed) = cell(place).name.as_ref().filter(|&printed| printed != ours) {
                found.push(format!("thread {}: {printed} is {ours}", place.thread + 1));
            }
        }
        assert_eq!(found, differences, "headers {headers}");
        Reproduced { printed, order, table }
    }
}

impl Reproduced {
    /// The place of a printed name, which is the only one of its name.
    pub(crate) fn place(&self, name: &str) -> Place {
        let mut found = self.printed.iter().enumerate().flat_map(|(thread, row)| {
            let positions = row.iter().enumerate().filter(|(_, cell)| cell.name.as_deref() == Some(name));
            positions.map(move |(position, _)| Place { thread, position })
        });
        let place = found.next().unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(found.next(), None, "one {name}");
        place
    }

    /// `A == B`: they are converged; `A != B`: they are not; `A -> B`: A is convergence-before B; `A -/> B`: it is not.
    pub(crate) fn claims(&self, claims: &[&str]) {
        for claim in claims {
            let words: Vec<&str> = claim.split(' ').collect();
            let [one, relation, other] = words[..] else { panic!("{claim}") };
            let (one, other) = (self.place(one), self.place(other));
            let holds = match relation {
                "==" => self.order.is_converged_with(one, other),
                "!=" => !self.order.is_converged_with(one, other),
                "->" => self.order.is_convergence_before(one, other),
                "-/>" => !self.order.is_convergence_before(one, other),
                _ => panic!("{claim}"),
            };
            assert!(holds, "{claim}");
        }
    }
}
