//! Any bytes, read as LLVM IR, linked, and run for a few instructions. The first byte says with how many threads and under which model.

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MaskReading, Model, Outcome, Schedule,
};
use reconverge_exec::{Control, NeedKind, Program};
use reconverge_findings::words::in_ir;

const MODELS: [Model; 3] = [Model::Maximal { hierarchy: 0 }, Model::Controlled, Model::ImmediatePostDominator];

/// Runs every function of a text that links; gives whether one did.
///
/// # Panics
/// When a finding is outside of the text.
pub fn survives(bytes: &[u8]) -> bool {
    let Some((&how, text)) = bytes.split_first() else { return false };
    let how = u32::from(how);
    let Ok(program) = Program::prepare(text, "fuzz", None) else { return false };
    let module = program.module();
    let names: Vec<String> = module
        .definitions()
        .take(4)
        .map(|id| String::from_utf8_lossy(&module.symbol_name(module.functions[id].symbol)).into_owned())
        .collect();
    let mut any = false;
    for name in names {
        let Ok(linked) = program.link(&name) else { continue };
        any = true;
        let arguments = linked.needs().into_iter().filter_map(|need| {
            let argument = match need.kind {
                NeedKind::Value(shape) if shape.len() == 1 => Argument::Scalar((how % 7).to_string()),
                NeedKind::Value(shape) => Argument::Scalar(format!("{{{}}}", vec!["1"; shape.len()].join(","))),
                NeedKind::Buffer | NeedKind::Local | NeedKind::Resource { .. } => {
                    let contents = if how.is_multiple_of(2) { Contents::Zero } else { Contents::Uninitialised };
                    Argument::Buffer { element: Element::U32, length: 64, contents }
                }
                NeedKind::Unknown => return None,
            };
            Some((need.name, argument))
        });
        let launch = Launch {
            kernel: name,
            grid: [1 + how % 2, 1, 1],
            block: [1 + how % 9, 1, 1],
            subgroup: 4,
            arguments: arguments.collect(),
            model: MODELS[how as usize % 3],
            schedule: if how < 128 { Schedule::Lockstep } else { Schedule::Fair },
            anchors: AnchorPolicy::Active,
            entry: Entry::Converged,
            masks: MaskReading::Partition,
            limits: Limits { instructions: 3_000, stack: 1 << 14, memory: 1 << 16, calls: 20, ..Limits::default() },
            threads: 1,
            max_events: 4,
            races: true,
        };
        if let Ok(Outcome { findings, .. }) = linked.run(&launch, &Control::default()) {
            for found in in_ir(program.module(), &findings) {
                assert!(found.span.end <= text.len(), "a finding outside of the text: {found:?}");
            }
        }
    }
    any
}
