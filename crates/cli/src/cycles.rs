//! `reconverge cycles`: cycle hierarchies.

use std::fmt::Write;
use std::time::Instant;

use reconverge::{Cycle, CyclesOptions, FunctionCycles, MachineAnswer, machine_cycles};

use crate::arguments::{Cycles, Format, Hierarchy};
use crate::exit::Status;
use crate::input::Opened;
use crate::json::Files;
use crate::near::Near;
use crate::output::printable;
use crate::session::{self, Session, counted};
use crate::source::Wanted;

/// What the last line counts.
#[derive(Default, Clone, Copy)]
struct Counts {
    functions: usize,
    with_cycles: usize,
    cycles: usize,
    irreducible: usize,
    depth: u32,
}

pub(crate) fn run(session: &Session<'_>, arguments: &Cycles) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    // Of machine IR, functions that are not understood.
    let mut is_left_out = false;
    let mut near = Near::default();
    let mut files = Files::new();
    let mut counts = Counts::default();
    let options = CyclesOptions {
        function: arguments.function.clone(),
        hierarchy: match arguments.hierarchy {
            Hierarchy::Number(number) => number,
            Hierarchy::All => 1,
        },
        all_hierarchies: (arguments.all_hierarchies || arguments.hierarchy == Hierarchy::All)
            .then_some(arguments.max_hierarchies as usize),
        nested_blocks: arguments.format == Format::Json,
    };
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let result = session.with_opened(&candidate, &arguments.inputs, Wanted::analysis(), |opened| {
            let start = Instant::now();
            let (found, bytes) = match opened {
                Opened::Module(content) => {
                    status = status.max(Status::of_coverage(content, session.global.strict));
                    (reconverge::cycles(content, &options)?, content.ir().len())
                }
                Opened::Machine(content) => {
                    let MachineAnswer { found, left_out, .. } = machine_cycles(content, &options)?;
                    is_left_out |= session.complain_left_out(&left_out);
                    (found, content.text().len())
                }
            };
            if let (Some(asked), true) = (&arguments.function, found.functions.is_empty()) {
                near.merge(asked, opened.functions_near(asked));
            }
            session.detail(|| {
                let speed = session::speed(bytes, start.elapsed().as_secs_f64());
                format!("{name}: {}: read, cycles found: {speed}", counted(found.functions.len(), "function"))
            });
            Ok(found)
        });
        if let Ok(found) = &result {
            for function in &found.functions {
                let of_function = Counts::of(function);
                counts.add(of_function);
                // In a module of thousands of functions, those without cycles are noise.
                let is_shown = of_function.cycles > 0 || arguments.function.is_some();
                if arguments.format == Format::Text && is_shown {
                    session.print(&describe(function, &name))?;
                }
            }
        } else {
            status = Status::Unusable;
        }
        files.push(
            session,
            name,
            result.map(|found| if arguments.format == Format::Json { found } else { Default::default() }),
        );
    }
    if is_left_out {
        status = Status::Unusable;
    }
    if let (Some(function), 0, false) = (&arguments.function, counts.functions, is_left_out) {
        session::complain_missing(session, function, &near, &arguments.inputs);
        status = Status::Unusable;
    }
    match arguments.format {
        Format::Text if counts.functions == 0 && status == Status::Unusable => {}
        Format::Text => session.note(&counts.summary()),
        Format::Json => session.print_json(&files)?,
    }
    Ok(status)
}

impl Counts {
    /// Of the first hierarchy.
    fn of(function: &FunctionCycles) -> Counts {
        let cycles = function.cycles.iter().next().unwrap_or_default();
        Counts {
            functions: 1,
            with_cycles: usize::from(!cycles.is_empty()),
            cycles: cycles.len(),
            irreducible: cycles.iter().filter(|cycle| !cycle.reducible).count(),
            depth: cycles.iter().map(|cycle| cycle.depth).max().unwrap_or(0),
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

fn describe(function: &FunctionCycles, path: &str) -> String {
    let mut text = match &function.source {
        Some(source) => format!("`{}` ({}:{})\n", printable(&source.name), printable(&source.file), source.line),
        None => format!("{} ({path}:{})\n", function.name, function.line),
    };
    let complete = function.complete.unwrap_or(true);
    let count = function.cycles.iter().count();
    for (number, cycles) in (1..).zip(function.cycles.iter()) {
        if count > 1 || !complete {
            let _ = writeln!(text, "  hierarchy {number}");
        }
        if cycles.is_empty() {
            text.push_str("  no cycles\n");
        }
        cycles.iter().for_each(|cycle| describe_cycle(cycle, &mut text));
    }
    if !complete {
        let _ = writeln!(text, "  cut off after {count} of them: there may be more");
    }
    text + "\n"
}

/// Lists each block once, with the innermost cycle that it is in, so that deep nests stay readable.
fn describe_cycle(cycle: &Cycle, text: &mut String) {
    /// Deeper cycles are no further to the right.
    const DEEPEST_INDENT: usize = 20;
    let indent = 2 * (cycle.depth as usize).min(DEEPEST_INDENT);
    let kind = match cycle.reducible {
        true => "reducible".to_owned(),
        false => {
            let is_known = cycle.not_m_converged.is_none() && !cycle.m_converged_unknown;
            let agree = if is_known { ", m-converged" } else { "" };
            format!("irreducible, entries {}{agree}", cycle.entries.join(" "))
        }
    };
    if let Some(lines) = &cycle.source {
        let kind = match cycle.source_entries.as_slice() {
            [] => format!("depth {}", cycle.depth),
            entries => {
                let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
                let agree = if cycle.not_m_converged.is_none() { ", m-converged" } else { "" };
                format!("depth {}, irreducible, entered at lines {}{agree}", cycle.depth, entries.join(" and "))
            }
        };
        let what = if cycle.reducible { "loop" } else { "cycle" };
        let line = format!("{what} at {lines} ({kind}): {}", lines.text);
        let _ = writeln!(text, "{:indent$}{}", "", printable(&line));
        describe_not_m_converged(cycle, indent, text);
        return;
    }
    let inner = cycle.block_count - cycle.blocks.len();
    let more = if inner == 0 { String::new() } else { format!(" + {inner} in inner cycles") };
    let line = format!("cycle {} (depth {}, {kind}): {}{more}", cycle.header, cycle.depth, cycle.blocks.join(" "));
    let _ = writeln!(text, "{:indent$}{}", "", printable(&line));
    describe_not_m_converged(cycle, indent, text);
}

/// Why it depends on the hierarchy who is converged in a cycle.
fn describe_not_m_converged(cycle: &Cycle, indent: usize, text: &mut String) {
    if let Some(failed) = &cycle.not_m_converged {
        let line = format!("not m-converged ({}): {}", failed.criterion, failed.reason);
        let _ = writeln!(text, "{:indent$}  {}", "", printable(&line));
    }
}
