//! Random kernels with all statements and jumps: accepted by LLVM and by our rules, and, without tokens, the same results as with
//! the IR that clang makes.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MaskReading, Model, Schedule,
};
use reconverge_exec::{Control, Program};
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::translate::translate;
use reconverge_testing::llvm::{self, Tools};
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds::seeds;

use crate::translate::support::{PLAIN, TOKENS, lowered, objections, targets, wrong};

/// The IR of a random kernel for a target, with tokens or without.
fn ir_of(kernel: &SourceKernel, target: LowerTarget, lower: LowerOptions) -> Result<String, String> {
    let options = Options { target, ..Options::new(Dialect::OpenCl) };
    let translation = translate(Path::new("k.cl"), kernel.text.clone().into(), &options, SourceModel::default());
    match wrong(&translation) {
        text if text.is_empty() => Ok(lowered(&translation, lower)),
        text => Err(text),
    }
}

#[test]
fn accepted() {
    let seeds = seeds(160);
    println!("seeds {seeds:?}");
    let tools = llvm::tools();
    let check = |seed: u64| {
        let kernel = SourceKernel::random(seed);
        let mut found = Vec::new();
        let all = targets(Dialect::OpenCl);
        let target = all[seed as usize / 2 % all.len()];
        for options in [TOKENS, PLAIN] {
            let options = LowerOptions { markers: seed.is_multiple_of(3), ..options };
            match ir_of(&kernel, target, options) {
                // LLVM takes its time to start: a sixteenth.
                Ok(ir) => found.extend(objections(&ir, tools.filter(|_| seed.is_multiple_of(16) || seed % 16 == 9))),
                Err(text) => found.push(text),
            }
        }
        (!found.is_empty()).then(|| format!("seed {seed}: {}", found.join("\n")))
    };
    let problems: Vec<String> = seeds.into_par_iter().filter_map(check).collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.into_iter().take(5).collect::<String>());
}

/// What clang makes of a kernel.
fn clang(kernel: &SourceKernel, tools: &Tools) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cl");
    std::fs::write(&path, &kernel.text).expect("a file");
    let flags = "-x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target spir64 -O0 -fno-discard-value-names -w -emit-llvm -S -o -";
    let output = llvm::output(Command::new(&tools.clang).args(flags.split(' ')).arg(&path)).expect("clang runs");
    assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), kernel.text);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What is in `out` after a launch.
fn run(ir: &str, kernel: &SourceKernel, seed: u64, model: Model) -> Result<Vec<u8>, String> {
    let program = Program::prepare(ir.as_bytes(), "kernel.ll", None).map_err(|error| error.to_string())?;
    let bytes = kernel.data(seed).into_iter().flat_map(u32::to_le_bytes).collect();
    let length = u64::from(kernel.threads);
    let buffer = |contents| Argument::Buffer { element: Element::U32, length, contents };
    let launch = Launch {
        kernel: "k".into(),
        grid: [1; 3],
        block: [kernel.threads, 1, 1],
        subgroup: kernel.threads,
        arguments: vec![("data".into(), buffer(Contents::Bytes(bytes))), ("out".into(), buffer(Contents::Zero))],
        model,
        schedule: Schedule::Lockstep,
        anchors: AnchorPolicy::Maximal,
        entry: Entry::Converged,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 10_000_000, ..Limits::default() },
        threads: 1,
        max_events: 0,
        races: false,
    };
    let outcome = reconverge_exec::run(&program, &launch, &Control::default()).map_err(|error| error.to_string())?;
    if !outcome.completed || !outcome.findings.is_empty() {
        let words: Vec<&str> = outcome.findings.iter().map(|found| found.code.title()).collect();
        return Err(format!("completed: {}, found: {}", outcome.completed, words.join("; ")));
    }
    let out = outcome.buffers.into_iter().find(|buffer| buffer.name == "out").ok_or("no buffer `out`")?;
    Ok(out.bytes)
}

#[test]
fn compute_what_clang_makes_of_them() {
    let Some(tools) = llvm::tools() else { return };
    let seeds = seeds(24);
    println!("seeds {seeds:?}");
    let runs = AtomicUsize::new(0);
    let check = |seed: u64| {
        let kernel = SourceKernel::random(seed);
        let theirs = clang(&kernel, tools);
        let target = if seed % 4 < 2 { LowerTarget::Spirv } else { LowerTarget::Amdgpu };
        let texts = [TOKENS, PLAIN].map(|options| ir_of(&kernel, target, options));
        let mut found = Vec::new();
        for data in 0..3 {
            let maximal = Model::Maximal { hierarchy: 0 };
            let expected = run(&theirs, &kernel, data, maximal);
            for (ir, model) in texts.iter().zip([Model::Controlled, maximal]) {
                runs.fetch_add(1, Ordering::Relaxed);
                let ours = ir.clone().and_then(|ir| run(&ir, &kernel, data, model));
                if expected.is_err() || ours != expected {
                    found.push(format!("seed {seed}, data {data}: {expected:?}, ours, {model:?}: {ours:?}\n"));
                }
            }
        }
        found
    };
    let problems: Vec<String> = seeds.into_par_iter().flat_map_iter(check).collect();
    println!("{} runs", runs.load(Ordering::Relaxed));
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.into_iter().take(5).collect::<String>());
}
