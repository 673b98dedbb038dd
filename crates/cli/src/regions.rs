//! `reconverge regions`: where each convergence token is live.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{OperationIndex, OperationKind};
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_analysis::regions::{
    ConvergenceRegion, RegionBlock, RegionEnd, RegionStart, Regions as ConvergenceRegions,
};
use reconverge_graph::Node;
use reconverge_ir::function::{Extra, Inst};
use reconverge_ir::{Function, FunctionId, Module};
use reconverge_valid::read_functions;
use serde::Serialize;

use crate::arguments::{Format, Regions};
use crate::exit::Status;
use crate::input::Problem;
use crate::json::{Files, Functions};
use crate::lines::Lines;
use crate::output::printable;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

/// What is said of a function.
struct Report {
    region_count: usize,
    said: Said,
    /// The line of the definition whose region was one too many, and the function's name.
    exceeded: Option<(usize, String)>,
}

/// In which form it is said. Regions together can be quadratic in the size of the function, so nothing is kept of one but that.
enum Said {
    Text(String),
    Json(FunctionRegions),
}

#[derive(Serialize)]
struct FunctionRegions {
    name: String,
    line: usize,
    regions: Vec<Region>,
}

#[derive(Serialize)]
struct Region {
    /// The value that holds the token.
    token: String,
    /// `entry`, `loop` or `anchor`.
    kind: &'static str,
    line: usize,
    block: Arc<str>,
    uses: Vec<Use>,
    blocks: Vec<Part>,
    /// The place in the same list of the innermost region that the definition is in.
    parent: Option<usize>,
}

#[derive(Serialize)]
struct Use {
    line: usize,
    block: Arc<str>,
    /// What is called, or the result of a convergence control intrinsic.
    operation: String,
}

/// The part of a block that is in a region.
#[derive(Serialize)]
struct Part {
    block: Arc<str>,
    /// The line of the definition that the part begins behind; none when it begins with the block.
    after_line: Option<u32>,
    /// The line of the use that the part ends with; none when it ends with the block.
    up_to_line: Option<u32>,
}

pub(crate) fn run(session: &mut Session<'_>, arguments: &Regions) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut files = Files::new();
    let (mut function_count, mut region_count) = (0, 0);
    let wanted = Wanting {
        is_text: arguments.format == Format::Text,
        with_empty: arguments.function.is_some(),
        most_parts: session.limits.region_parts,
    };
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let start = Instant::now();
            let lines = Lines::new(text);
            let (_, reports) = read_functions(text, |module, id, function| {
                session::is_asked_for(arguments.function.as_deref(), module, id)
                    .then(|| wanted.report(&name, &lines, module, id, function))
            })
            .map_err(|error| Problem::not_ir(&name, text, &error))?;
            session.detail(|| {
                let speed = session::speed(text.len(), start.elapsed().as_secs_f64());
                format!("{name}: {}: read, regions found: {speed}", counted(reports.len(), "function"))
            });
            Ok(reports.into_iter().flatten().collect::<Vec<_>>())
        });
        let reports = match result {
            Ok(reports) => reports,
            Err(problem) => {
                status = Status::Unusable;
                files.push(name, Err(problem));
                continue;
            }
        };
        let mut functions = Vec::new();
        for report in reports {
            function_count += 1;
            region_count += report.region_count;
            match report.said {
                Said::Text(text) => session.print(&text)?,
                Said::Json(function) => functions.push(function),
            }
            if let Some((line, function)) = report.exceeded {
                status = Status::Unusable;
                let message = format!(
                    "the regions of {function} have more than {} parts of blocks: this one and the rest are not shown (--limit region-parts=N raises this)",
                    wanted.most_parts
                );
                let position = Some((line, 1));
                session.complain(&Problem { path: name.clone(), position, message, shown: Vec::new() });
            }
        }
        files.push(name, Ok(Functions { functions }));
    }
    if let (Some(function), 0) = (&arguments.function, function_count) {
        session::complain_missing(session, function, &arguments.inputs);
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if function_count == 0 && status == Status::Unusable => {}
        Format::Text => {
            let (regions, functions) = (counted(region_count, "region"), counted(function_count, "function"));
            session.note(&format!("{regions} in {functions}"));
        }
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

/// How much is to be said of functions.
#[derive(Clone, Copy)]
struct Wanting {
    is_text: bool,
    /// Whether functions without regions are named.
    with_empty: bool,
    /// Parts of blocks in all regions of a function.
    most_parts: usize,
}

impl Wanting {
    fn report(self, path: &str, lines: &Lines<'_>, module: &Module<'_>, id: FunctionId, function: &Function) -> Report {
        let line = lines.position(module.functions[id].header.range().start).line;
        let name = module.function_name(id);
        let lowered = lower(module, id, function);
        let mut report = Report { region_count: 0, said: Said::Text(String::new()), exceeded: None };
        let mut listed = FunctionRegions { name, line, regions: Vec::new() };
        let mut text = format!("{} ({}:{line})\n", printable(&listed.name), printable(path));
        if lowered.flow.operations.iter().any(|operation| operation.kind.defines_token()) {
            let regions = ConvergenceRegions::new(&lowered.flow);
            let blocks = function.blocks.values().map(|block| module.local_name(block.name).into()).collect();
            let names = Names { lines, module, function, lowered: &lowered, blocks };
            let depths = depths(&regions);
            let mut parts = 0;
            for (&definition, &depth) in regions.definitions().iter().zip(&depths) {
                let region = regions.region(definition);
                parts += region.blocks.len();
                if parts > self.most_parts {
                    report.exceeded = Some((names.line(definition), listed.name.clone()));
                    break;
                }
                report.region_count += 1;
                let region = names.region(&region, regions.parent(definition));
                match self.is_text {
                    true => region.describe(depth, &mut text),
                    false => listed.regions.push(region),
                }
            }
        } else if self.with_empty {
            text.push_str("  no tokens\n");
        } else {
            text.clear();
        }
        match self.is_text {
            true if text.is_empty() => {}
            true => report.said = Said::Text(text + "\n"),
            false => report.said = Said::Json(listed),
        }
        report
    }
}

/// How deep each region is nested. They are in the order of the text, and a parent may stand below its child there.
fn depths(regions: &ConvergenceRegions<'_>) -> Vec<usize> {
    let parents: Vec<Option<usize>> =
        regions.definitions().iter().map(|&definition| regions.parent(definition)).collect();
    let mut depths = vec![0_usize; parents.len()];
    for place in 0..parents.len() {
        let mut chain = vec![place];
        let mut outer = parents[place];
        while let Some(parent) = outer.filter(|&parent| depths[parent] == 0) {
            chain.push(parent);
            outer = parents[parent];
        }
        let base = outer.map_or(0, |parent| depths[parent]);
        for (member, depth) in chain.into_iter().rev().zip(base + 1..) {
            depths[member] = depth;
        }
    }
    depths
}

/// For naming what is in a function.
struct Names<'n, 't> {
    lines: &'n Lines<'n>,
    module: &'n Module<'t>,
    function: &'n Function,
    lowered: &'n Lowered,
    /// The blocks, by their numbers: each is named in many regions.
    blocks: Vec<Arc<str>>,
}

impl Names<'_, '_> {
    fn region(&self, region: &ConvergenceRegion, parent: Option<usize>) -> Region {
        let definition = region.definition;
        let inst = self.inst(definition);
        let definition_line = self.line(definition);
        Region {
            token: self.result(inst),
            kind: match self.lowered.flow.operations[definition as usize].kind {
                OperationKind::Entry => "entry",
                OperationKind::Loop => "loop",
                OperationKind::Anchor => "anchor",
                OperationKind::Call => "call",
            },
            line: definition_line,
            block: self.block(self.lowered.flow.block_of(definition)),
            uses: region.uses.iter().map(|&operation| self.token_use(operation)).collect(),
            blocks: region.blocks.iter().map(|part| self.part(definition_line, part)).collect(),
            parent,
        }
    }

    fn token_use(&self, operation: OperationIndex) -> Use {
        let inst = self.inst(operation);
        let defines_token = self.lowered.flow.operations[operation as usize].kind.defines_token();
        let name = if defines_token { self.result(inst) } else { self.callee(inst) };
        Use { line: self.line(operation), block: self.block(self.lowered.flow.block_of(operation)), operation: name }
    }

    fn part(&self, definition_line: usize, part: &RegionBlock) -> Part {
        Part {
            block: self.block(part.block),
            after_line: match part.start {
                RegionStart::Block => None,
                RegionStart::Definition => Some(definition_line as u32),
            },
            up_to_line: match part.end {
                RegionEnd::Block => None,
                RegionEnd::Use(operation) => Some(self.line(operation) as u32),
            },
        }
    }

    fn inst(&self, operation: OperationIndex) -> Inst {
        self.lowered.instructions[operation as usize]
    }

    fn line(&self, operation: OperationIndex) -> usize {
        self.lines.position(self.function.instructions[self.inst(operation)].span.range().start).line
    }

    fn block(&self, node: Node) -> Arc<str> {
        self.blocks[node.index()].clone()
    }

    fn result(&self, inst: Inst) -> String {
        let data = &self.function.instructions[inst];
        if data.result.is_none() {
            return "(unused)".to_owned();
        }
        format!("%{}", self.module.local_name(data.name))
    }

    fn callee(&self, inst: Inst) -> String {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return String::new() };
        match self.function.calls[call].callee.expand() {
            Some(symbol) => {
                format!("@{}", self.module.display_symbol(symbol))
            }
            None => "(indirect call)".to_owned(),
        }
    }
}

impl Region {
    /// Appends its lines.
    fn describe(&self, depth: usize, text: &mut String) {
        /// Deeper regions are no further to the right.
        const DEEPEST_INDENT: usize = 20;
        let indent = 2 * depth.min(DEEPEST_INDENT);
        let title = format!("{} = {} (line {}, block {})", self.token, self.kind, self.line, self.block);
        let _ = write!(text, "{:indent$}{}", "", printable(&title));
        if self.uses.is_empty() {
            text.push_str(": not used\n");
            return;
        }
        let _ = write!(text, "\n{:indent$}    used by ", "");
        for (index, used) in self.uses.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{} (line {})", printable(&used.operation), used.line);
        }
        let _ = write!(text, "\n{:indent$}    live in ", "");
        for (index, part) in self.blocks.iter().enumerate() {
            text.push_str(if index > 0 { ", " } else { "" });
            part.describe(text);
        }
        text.push('\n');
    }
}

impl Part {
    fn describe(&self, text: &mut String) {
        text.push_str(&printable(&self.block));
        let _ = match (self.after_line, self.up_to_line) {
            (None, None) => Ok(()),
            (Some(after), None) => write!(text, " (after line {after})"),
            (None, Some(up_to)) => write!(text, " (up to line {up_to})"),
            (Some(after), Some(up_to)) => write!(text, " (lines {} to {up_to})", after + 1),
        };
    }
}
