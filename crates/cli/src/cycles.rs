//! `reconverge cycles`: cycle hierarchies.

use std::fmt::Write;
use std::time::Instant;

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, Node, SuccessorOrder, hierarchies};
use reconverge_ir::function::Block;
use reconverge_ir::{Function, FunctionId, Module};
use reconverge_valid::read_functions;
use serde::Serialize;

use crate::arguments::{Cycles, Format};
use crate::exit::Status;
use crate::input::Problem;
use crate::json::{Files, Functions};
use crate::lines::Lines;
use crate::output::printable;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

/// A function's cycles, in the format that was asked for.
enum Answer {
    Text(String),
    Json(FunctionCycles),
}

#[derive(Serialize)]
struct FunctionCycles {
    name: String,
    #[serde(flatten)]
    cycles: Hierarchy,
    /// Whether there are no more hierarchies than these.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Hierarchy {
    Cycles(Vec<CycleReport>),
    Hierarchies(Vec<Vec<CycleReport>>),
}

#[derive(Serialize)]
struct CycleReport {
    header: String,
    entries: Vec<String>,
    blocks: Vec<String>,
    depth: u32,
    reducible: bool,
    /// The place of the cycle around it in the same list.
    parent: Option<usize>,
}

/// What the last line counts.
#[derive(Default, Clone, Copy)]
struct Counts {
    functions: usize,
    with_cycles: usize,
    cycles: usize,
    irreducible: usize,
    depth: u32,
}

pub(crate) fn run(session: &mut Session<'_>, arguments: &Cycles) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut files = Files::new();
    let mut counts = Counts::default();
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let start = Instant::now();
            let lines = Lines::new(text);
            let (_, answers) = read_functions(text, |module, id, function| {
                session::is_asked_for(arguments.function.as_deref(), module, id)
                    .then(|| answer(arguments, &name, &lines, module, id, function))
            })
            .map_err(|error| Problem::not_ir(&name, text, &error))?;
            session.detail(|| {
                let speed = session::speed(text.len(), start.elapsed().as_secs_f64());
                format!("{name}: {}: read, cycles found: {speed}", counted(answers.len(), "function"))
            });
            Ok(answers.into_iter().flatten().collect::<Vec<_>>())
        });
        let mut functions = Vec::new();
        let result = result.map(|answers| {
            for (answer, of_function) in answers {
                counts.add(of_function);
                functions.push(answer);
            }
        });
        if result.is_err() {
            status = Status::Unusable;
        }
        let mut reports = Functions::default();
        for answer in functions {
            match answer {
                Answer::Text(text) => session.print(&text)?,
                Answer::Json(report) => reports.functions.push(report),
            }
        }
        files.push(name, result.map(|()| reports));
    }
    if let (Some(function), 0) = (&arguments.function, counts.functions) {
        session::complain_missing(session, function, &arguments.inputs);
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if counts.functions == 0 && status == Status::Unusable => {}
        Format::Text => session.note(&counts.summary()),
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

fn answer(
    arguments: &Cycles,
    path: &str,
    lines: &Lines<'_>,
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
) -> (Answer, Counts) {
    let graph = function.control_flow_graph();
    let (forests, complete) = if arguments.all_hierarchies {
        let all = hierarchies(&graph, arguments.max_hierarchies as usize);
        let complete = all.is_complete();
        (all.collect(), complete)
    } else {
        (vec![CycleForest::compute(&graph, SuccessorOrder::Reverse)], true)
    };
    let counts = forests.first().map(Counts::of).unwrap_or_default();
    let names = Names { module, function };
    let answer = match arguments.format {
        Format::Json => {
            let reports = forests.iter().map(|forest| names.report(forest));
            let cycles = if arguments.all_hierarchies {
                Hierarchy::Hierarchies(reports.collect())
            } else {
                Hierarchy::Cycles(reports.flatten().collect())
            };
            let complete = arguments.all_hierarchies.then_some(complete);
            Answer::Json(FunctionCycles { name: module.function_name(id), cycles, complete })
        }
        // In a module of thousands of functions, those without cycles are noise.
        Format::Text if counts.cycles == 0 && arguments.function.is_none() => Answer::Text(String::new()),
        Format::Text => {
            let line = lines.position(module.functions[id].header.range().start).line;
            let mut text = format!("{} ({path}:{line})\n", module.function_name(id));
            names.describe_all(&forests, complete, &mut text);
            Answer::Text(text + "\n")
        }
    };
    (answer, counts)
}

impl Counts {
    fn of(forest: &CycleForest) -> Counts {
        Counts {
            functions: 1,
            with_cycles: usize::from(!forest.cycles.is_empty()),
            cycles: forest.cycles.len(),
            irreducible: forest.cycles.keys().filter(|&cycle| !forest.is_reducible(cycle)).count(),
            depth: forest.cycles.values().map(|cycle| cycle.depth).max().unwrap_or(0),
        }
    }

    fn add(&mut self, other: Counts) {
        self.functions += other.functions;
        self.with_cycles += other.with_cycles;
        self.cycles += other.cycles;
        self.irreducible += other.irreducible;
        self.depth = self.depth.max(other.depth);
    }

    fn summary(&self) -> String {
        if self.cycles == 0 {
            return format!("no cycles in {}", counted(self.functions, "function"));
        }
        format!(
            "{} ({} irreducible, greatest depth {}) in {} of {}",
            counted(self.cycles, "cycle"),
            self.irreducible,
            self.depth,
            self.with_cycles,
            counted(self.functions, "function"),
        )
    }
}

/// For naming blocks.
struct Names<'n, 't> {
    module: &'n Module<'t>,
    function: &'n Function,
}

impl Names<'_, '_> {
    fn block(&self, node: Node) -> String {
        self.module.local_name(self.function.blocks[Block::new(node.index())].name)
    }

    fn blocks(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.block(node)).collect()
    }

    fn report(&self, forest: &CycleForest) -> Vec<CycleReport> {
        let report = |cycle: Cycle| {
            let data = &forest.cycles[cycle];
            let mut nodes = forest.nodes(cycle).to_vec();
            nodes.sort_unstable();
            CycleReport {
                header: self.block(data.header),
                entries: self.blocks(data.entries.iter().copied()),
                blocks: self.blocks(nodes),
                depth: data.depth,
                reducible: forest.is_reducible(cycle),
                parent: data.parent.map(EntityRef::index),
            }
        };
        forest.cycles.keys().map(report).collect()
    }

    fn describe_all(&self, forests: &[CycleForest], complete: bool, text: &mut String) {
        for (forest, number) in forests.iter().zip(1..) {
            if forests.len() > 1 || !complete {
                let _ = writeln!(text, "  hierarchy {number}");
            }
            if forest.cycles.is_empty() {
                text.push_str("  no cycles\n");
            }
            self.describe(forest, text);
        }
        if !complete {
            let _ = writeln!(text, "  cut off after {} of them: there may be more", forests.len());
        }
    }

    /// Lists each block once, with the innermost cycle that it is in, so that deep nests stay readable.
    fn describe(&self, forest: &CycleForest, text: &mut String) {
        /// Deeper cycles are no further to the right.
        const DEEPEST_INDENT: usize = 20;
        for (cycle, data) in &forest.cycles {
            let indent = 2 * (data.depth as usize).min(DEEPEST_INDENT);
            let kind = if forest.is_reducible(cycle) {
                "reducible".to_owned()
            } else {
                format!("irreducible, entries {}", self.blocks(data.entries.iter().copied()).join(" "))
            };
            let mut own: Vec<Node> =
                forest.nodes(cycle).iter().copied().take_while(|&node| forest.innermost(node) == Some(cycle)).collect();
            own.sort_unstable();
            let inner = data.node_count() - own.len();
            let more = if inner == 0 { String::new() } else { format!(" + {inner} in inner cycles") };
            let line = format!(
                "cycle {} (depth {}, {kind}): {}{more}",
                self.block(data.header),
                data.depth,
                self.blocks(own).join(" ")
            );
            let _ = writeln!(text, "{:indent$}{}", "", printable(&line));
        }
    }
}
