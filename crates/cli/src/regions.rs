//! `reconverge regions`: where each convergence token is live.

use std::fmt::Write;
use std::time::Instant;

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{OperationIndex, OperationKind};
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_analysis::regions::{ConvergenceRegion, RegionBlock, RegionEnd, RegionStart, convergence_regions};
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Extra, Inst};
use reconverge_ir::{Function, FunctionId, Module, text};
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
    block: String,
    uses: Vec<Use>,
    blocks: Vec<Part>,
    /// The place in the same list of the innermost region that the definition is in.
    parent: Option<usize>,
}

#[derive(Serialize)]
struct Use {
    line: usize,
    block: String,
    /// What is called, or the result of a convergence control intrinsic.
    operation: String,
}

/// The part of a block that is in a region.
#[derive(Serialize)]
struct Part {
    block: String,
    /// The line of the definition that the part begins behind; none when it begins with the block.
    after_line: Option<usize>,
    /// The line of the use that the part ends with; none when it ends with the block.
    up_to_line: Option<usize>,
}

pub(crate) fn run(session: &mut Session<'_>, arguments: &Regions) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut files = Files::new();
    let (mut function_count, mut region_count) = (0, 0);
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let result = session.with_content(&candidate, &arguments.inputs, Wanted::default(), |content| {
            let text = &content.ir[..];
            let start = Instant::now();
            let lines = Lines::new(text);
            let (_, reports) = read_functions(text, |module, id, function| {
                session::is_asked_for(arguments.function.as_deref(), module, id)
                    .then(|| report(&lines, module, id, function))
            })
            .map_err(|error| Problem::not_ir(&name, text, &error))?;
            session.detail(|| {
                let speed = session::speed(text.len(), start.elapsed().as_secs_f64());
                format!("{name}: {}: read, regions found: {speed}", counted(reports.len(), "function"))
            });
            Ok(Functions { functions: reports.into_iter().flatten().collect::<Vec<_>>() })
        });
        let Ok(reports) = &result else {
            status = Status::Unusable;
            files.push(name, result);
            continue;
        };
        function_count += reports.functions.len();
        for function in &reports.functions {
            region_count += function.regions.len();
            let is_worth_showing = !function.regions.is_empty() || arguments.function.is_some();
            if arguments.format == Format::Text && is_worth_showing {
                session.print(&function.describe(&name))?;
            }
        }
        files.push(name, result);
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

fn report(lines: &Lines<'_>, module: &Module<'_>, id: FunctionId, function: &Function) -> FunctionRegions {
    let line = lines.position(module.functions[id].header.range().start).line;
    let mut report = FunctionRegions { name: module.function_name(id), line, regions: Vec::new() };
    let lowered = lower(module, id, function);
    if lowered.flow.operations.iter().any(|operation| operation.kind.defines_token()) {
        let regions = convergence_regions(&lowered.flow);
        let names = Names { lines, module, function, lowered: &lowered };
        report.regions = regions.iter().map(|region| names.region(region, &regions)).collect();
    }
    report
}

/// For naming what is in a function.
struct Names<'n, 't> {
    lines: &'n Lines<'n>,
    module: &'n Module<'t>,
    function: &'n Function,
    lowered: &'n Lowered,
}

impl Names<'_, '_> {
    fn region(&self, region: &ConvergenceRegion, all: &[ConvergenceRegion]) -> Region {
        let definition = region.definition;
        let inst = self.inst(definition);
        // Regions are in the order of their definitions.
        let parent =
            region.parent.and_then(|parent| all.binary_search_by_key(&parent, |region| region.definition).ok());
        Region {
            token: self.result(inst),
            kind: match self.lowered.flow.operations[definition as usize].kind {
                OperationKind::Entry => "entry",
                OperationKind::Loop => "loop",
                OperationKind::Anchor => "anchor",
                OperationKind::Call => "call",
            },
            line: self.line(definition),
            block: self.block(self.lowered.flow.block_of(definition)),
            uses: region.uses.iter().map(|&operation| self.token_use(operation)).collect(),
            blocks: region.blocks.iter().map(|part| self.part(region, part)).collect(),
            parent,
        }
    }

    fn token_use(&self, operation: OperationIndex) -> Use {
        let inst = self.inst(operation);
        let defines_token = self.lowered.flow.operations[operation as usize].kind.defines_token();
        let name = if defines_token { self.result(inst) } else { self.callee(inst) };
        Use { line: self.line(operation), block: self.block(self.lowered.flow.block_of(operation)), operation: name }
    }

    fn part(&self, region: &ConvergenceRegion, part: &RegionBlock) -> Part {
        Part {
            block: self.block(part.block),
            after_line: match part.start {
                RegionStart::Block => None,
                RegionStart::Definition => Some(self.line(region.definition)),
            },
            up_to_line: match part.end {
                RegionEnd::Block => None,
                RegionEnd::Use(operation) => Some(self.line(operation)),
            },
        }
    }

    fn inst(&self, operation: OperationIndex) -> Inst {
        self.lowered.instructions[operation as usize]
    }

    fn line(&self, operation: OperationIndex) -> usize {
        self.lines.position(self.function.instructions[self.inst(operation)].span.range().start).line
    }

    fn block(&self, node: Node) -> String {
        self.module.local_name(self.function.blocks[Block::new(node.index())].name)
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
                format!("@{}", text::display(self.module.symbols[symbol].name.of(self.module.text)))
            }
            None => "(indirect call)".to_owned(),
        }
    }
}

impl FunctionRegions {
    fn describe(&self, path: &str) -> String {
        /// Deeper regions are no further to the right.
        const DEEPEST_INDENT: usize = 20;
        let mut text = format!("{} ({}:{})\n", printable(&self.name), printable(path), self.line);
        if self.regions.is_empty() {
            text.push_str("  no tokens\n");
        }
        // Regions are in the order of the text, and a parent may stand below its child there.
        let mut depths = vec![0_usize; self.regions.len()];
        for (place, region) in self.regions.iter().enumerate() {
            let mut chain = vec![place];
            let mut outer = region.parent;
            while let Some(parent) = outer.filter(|&parent| depths[parent] == 0) {
                chain.push(parent);
                outer = self.regions[parent].parent;
            }
            let base = outer.map_or(0, |parent| depths[parent]);
            for (member, depth) in chain.into_iter().rev().zip(base + 1..) {
                depths[member] = depth;
            }
        }
        for (region, &depth) in self.regions.iter().zip(&depths) {
            let indent = 2 * depth.min(DEEPEST_INDENT);
            for line in region.describe() {
                let _ = writeln!(text, "{:indent$}{}", "", printable(&line));
            }
        }
        text.push('\n');
        text
    }
}

impl Region {
    fn describe(&self) -> Vec<String> {
        let title = format!("{} = {} (line {}, block {})", self.token, self.kind, self.line, self.block);
        if self.uses.is_empty() {
            return vec![format!("{title}: not used")];
        }
        let uses: Vec<String> =
            self.uses.iter().map(|used| format!("{} (line {})", used.operation, used.line)).collect();
        let blocks: Vec<String> = self.blocks.iter().map(Part::describe).collect();
        vec![title, format!("    used by {}", uses.join(", ")), format!("    live in {}", blocks.join(", "))]
    }
}

impl Part {
    fn describe(&self) -> String {
        match (self.after_line, self.up_to_line) {
            (None, None) => self.block.clone(),
            (Some(after), None) => format!("{} (after line {after})", self.block),
            (None, Some(up_to)) => format!("{} (up to line {up_to})", self.block),
            (Some(after), Some(up_to)) => format!("{} (lines {} to {up_to})", self.block, after + 1),
        }
    }
}
