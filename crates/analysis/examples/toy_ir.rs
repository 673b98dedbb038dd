//! The analyses for an IR of one's own: blocks, values and branches, and not a line of LLVM's text.
//!
//! ```text
//! entry:  id = thread
//!         branch loop
//! loop:   i = phi [entry: 0, loop: next]
//!         next = i + 1
//!         more = next < id
//!         branch more ? loop : done
//! done:   last = next * 2
//!         return
//! ```
//!
//! Within the loop all threads that are still there have the same `next`. They leave it in different iterations, so they have different ones
//! afterwards: `last` is divergent, and `i` is not.

use reconverge_analysis::uniformity::{
    Branch, Cause, Element, Options, Problem, Rule, Uniformity, ValueIndex, analyze,
};
use reconverge_graph::{CycleForest, Digraph, Node, SuccessorOrder};
use reconverge_semantics::{ConvergenceOrder, Model, Place, Skeleton, Table, Trace};

/// A function: blocks in the order of the text, the first is the entry.
struct Function {
    blocks: Vec<Block>,
}

struct Block {
    name: &'static str,
    values: Vec<Value>,
    end: End,
}

struct Value {
    name: &'static str,
    how: How,
}

/// How a value is computed. Operands are names of values, or numbers.
enum How {
    Thread,
    Phi(Vec<(usize, &'static str)>),
    Apply(&'static [&'static str]),
}

enum End {
    Return,
    Branch(usize),
    Choose { on: &'static str, then: usize, otherwise: usize },
}

impl Function {
    fn graph(&self) -> Digraph {
        let mut edges = Vec::new();
        for (from, block) in (0..).map(Node::from_u32).zip(&self.blocks) {
            let targets = match block.end {
                End::Return => vec![],
                End::Branch(target) => vec![target],
                End::Choose { then, otherwise, .. } => vec![then, otherwise],
            };
            edges.extend(targets.into_iter().map(|target| (from, Node::from_u32(target as u32))));
        }
        Digraph::from_edges(self.blocks.len(), Node::from_u32(0), &edges)
    }

    /// What the uniformity analysis has to know of it, with the names of its values.
    fn problem(&self) -> (Problem, Vec<&'static str>) {
        let mut problem = Problem::new(self.graph());
        let mut names: Vec<&'static str> = Vec::new();
        let operands = self.blocks.iter().flat_map(|block| &block.values).flat_map(|value| match &value.how {
            How::Thread => vec![],
            How::Phi(incoming) => incoming.iter().map(|&(_, name)| name).collect(),
            How::Apply(operands) => operands.to_vec(),
        });
        for constant in operands.filter(|name| name.parse::<i64>().is_ok()) {
            if !names.contains(&constant) {
                problem.input(Rule::Constant);
                names.push(constant);
            }
        }
        let find = |names: &[&str], name: &str| {
            names.iter().position(|known| *known == name).expect("operands are defined") as ValueIndex
        };
        for (node, block) in (0..).map(Node::from_u32).zip(&self.blocks) {
            for value in &block.values {
                match &value.how {
                    How::Thread => problem.value(node, Rule::Source, &[]),
                    How::Phi(_) => problem.phi(node),
                    How::Apply(operands) => {
                        let operands: Vec<ValueIndex> = operands.iter().map(|name| find(&names, name)).collect();
                        problem.value(node, Rule::Pure, &operands)
                    }
                };
                names.push(value.name);
            }
            if let End::Choose { on, .. } = block.end {
                problem.set_branch(node, Branch::On(find(&names, on)));
            }
        }
        for value in self.blocks.iter().flat_map(|block| &block.values) {
            if let How::Phi(incoming) = &value.how {
                let from = |&(block, name): &(usize, &str)| (Node::from_u32(block as u32), find(&names, name));
                let incoming: Vec<(Node, ValueIndex)> = incoming.iter().map(from).collect();
                problem.set_incoming(find(&names, value.name), &incoming);
            }
        }
        (problem, names)
    }
}

fn example() -> Function {
    let value = |name, how| Value { name, how };
    Function {
        blocks: vec![
            Block { name: "entry", values: vec![value("id", How::Thread)], end: End::Branch(1) },
            Block {
                name: "loop",
                values: vec![
                    value("i", How::Phi(vec![(0, "0"), (1, "next")])),
                    value("next", How::Apply(&["i", "1"])),
                    value("more", How::Apply(&["next", "id"])),
                ],
                end: End::Choose { on: "more", then: 1, otherwise: 2 },
            },
            Block { name: "done", values: vec![value("last", How::Apply(&["next", "2"]))], end: End::Return },
        ],
    }
}

/// The values that differ between threads, and why each does.
fn divergent(problem: &Problem, names: &[&str], found: &Uniformity) -> Vec<String> {
    let name = |value: ValueIndex| names[value as usize];
    let why = |value: ValueIndex| match found.chain(Element::Value(value)).first()?.1 {
        Cause::Source => Some("it is the number of the thread".to_owned()),
        Cause::Operand(operand) => Some(format!("{} does", name(operand))),
        Cause::Temporal { value, .. } => {
            Some(format!("threads leave the loop with {} of different iterations", name(value)))
        }
        Cause::Join { .. } | Cause::AssumedDivergent { .. } => Some("threads come over different edges".to_owned()),
    };
    let values = 0..problem.values.len() as ValueIndex;
    values.filter_map(|value| Some(format!("{} differs: {}", name(value), why(value)?))).collect()
}

/// Who is converged with whom, for two threads of which the second stays for one iteration more.
fn table(function: &Function) -> String {
    let skeleton = Skeleton::of_graph(function.graph());
    let cycles = CycleForest::compute(&skeleton.graph, SuccessorOrder::Forward);
    let paths = [&[0, 1, 2][..], &[0, 1, 1, 2]].map(|path| path.iter().copied().map(Node::from_u32).collect());
    let trace = Trace::compute(&skeleton, Model::Maximal(&cycles), &paths);
    let order = ConvergenceOrder::new(&trace.keys()).expect("maximal convergence has an order");
    let name = |place: Place| {
        let block = skeleton.block_of(trace.threads[place.thread][place.position].instance);
        Some(function.blocks[block.as_u32() as usize].name.to_owned())
    };
    Table::new(&order, name).text()
}

fn main() {
    let function = example();
    let (problem, names) = function.problem();
    let found = analyze(&problem, &Options::default());
    divergent(&problem, &names, &found).iter().for_each(|line| println!("{line}"));
    print!("{}", table(&function));
}

#[test]
fn what_is_said() {
    let function = example();
    let (problem, names) = function.problem();
    let found = analyze(&problem, &Options::default());
    assert_eq!(
        divergent(&problem, &names, &found),
        [
            "id differs: it is the number of the thread",
            "more differs: id does",
            "last differs: threads leave the loop with next of different iterations",
        ]
    );
    let table = table(&function);
    let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
    assert_eq!(
        lines,
        [
            "         | 1     | 2    | 3    | 4",
            "thread 1 | entry | loop |      | done",
            "thread 2 | entry | loop | loop | done",
        ]
    );
}
