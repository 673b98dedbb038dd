//! How fast source is read: `cargo run --release -p reconverge-lang --example front_end -- [MEGABYTES [FILE]]`; the
//! text is written to the file.
//!
//! The text is one file of kernels of our own (`tests/cases/{run,opencl}`), each many times under other names, and random kernels with all kinds of
//! statements. Each step is timed on one thread, the best of several times; where the system tells it, the time is that of the processor, so that
//! what else runs on the machine matters less.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use reconverge_lang::check::check;
use reconverge_lang::convergence::analyze_and_plan;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::outline::of_body;
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::syntax::parse;
use reconverge_lang::token::Symbols;
use reconverge_lang::translate::translate_here;
use reconverge_testing::corpus;
use reconverge_testing::random::source::SourceKernel;

const TIMES: usize = 5;

/// The time that this thread has been running, in Linux's clock of the scheduler; elsewhere, the time of day.
fn now(start: Instant) -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let running = status.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    running.map_or(start.elapsed(), Duration::from_nanos)
}

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    let text = text(megabytes * 1_000_000);
    if let Some(path) = std::env::args().nth(2) {
        std::fs::write(path, &text).expect("the text can be written");
    }
    let body = move || measure(&text);
    std::thread::Builder::new().stack_size(1 << 30).spawn(body).expect("a thread").join().expect("it ends");
}

/// Kernels, over and over, each time under other names.
fn text(size: usize) -> String {
    let mut pieces: Vec<(Vec<String>, String)> = Vec::new();
    for folder in ["run", "opencl"] {
        for path in corpus::cases(folder, "cl").expect("there are cases") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            // Names of types and macros could not be given again.
            if ["struct", "typedef", "enum", "#define", "sampler_t"].iter().any(|word| text.contains(word)) {
                continue;
            }
            let translation = translate_here(
                &path,
                text.clone().into_bytes(),
                &Options::new(Dialect::OpenCl),
                SourceModel::default(),
            );
            let Some(program) = translation.program.filter(|_| translation.diagnostics.is_empty()) else { continue };
            let functions = program
                .functions
                .values()
                .filter(|function| function.body.is_some())
                .map(|function| function.name.clone());
            let globals =
                program.globals.values().filter(|global| !global.name.contains('.')).map(|global| global.name.clone());
            pieces.push((functions.chain(globals).collect(), text));
        }
    }
    let mut output = String::new();
    for copy in 0.. {
        for (index, (names, text)) in pieces.iter().enumerate() {
            for name in names {
                let _ = writeln!(output, "#define {name} {name}_{copy}_{index}");
            }
            output.push_str(text);
            for name in names {
                let _ = writeln!(output, "#undef {name}");
            }
        }
        for seed in 0..20 {
            let kernel = SourceKernel::random(copy * 20 + seed).text;
            let (head, rest) = kernel.split_once("kernel void k(").expect("a kernel is named k");
            if copy == 0 && seed == 0 {
                output.push_str(head);
            }
            let _ = write!(output, "kernel void k{copy}_{seed}({rest}");
        }
        if output.len() >= size {
            break;
        }
    }
    output
}

fn measure(text: &str) {
    let options = Options::new(Dialect::OpenCl);
    let mut best = [Duration::MAX; 4];
    let (mut tokens, mut functions, mut statements, mut size) = (0, 0, 0, 0);
    let began = Instant::now();
    for _ in 0..TIMES {
        let mut symbols = Symbols::default();
        let bytes = text.as_bytes().to_vec();
        let mut start = now(began);
        let mut lap = |step: usize| {
            best[step] = best[step].min(now(began) - start);
            start = now(began);
        };
        let preprocessed = preprocess(Path::new("kernels.cl"), bytes, &options, &mut symbols);
        lap(0);
        let parsed = parse(&preprocessed.tokens, &mut symbols, options.dialect);
        lap(1);
        let checked = check(&parsed.tree, &symbols, &options);
        lap(2);
        let problems = [preprocessed.diagnostics, parsed.diagnostics, checked.diagnostics].concat();
        assert!(problems.is_empty(), "{:?}", problems[0]);
        (functions, statements) = (0, 0);
        let start = now(began);
        for function in checked.program.functions.values() {
            let Some(body) = &function.body else { continue };
            let (outline, _) = of_body(&checked.program, body);
            std::hint::black_box(analyze_and_plan(&outline, SourceModel::default()));
            functions += 1;
            statements += body.statements.len();
        }
        best[3] = best[3].min(now(began) - start);
        tokens = preprocessed.tokens.len();
        // What the preprocessor leaves: tokens, and a space between any two of a line.
        size = preprocessed.tokens.iter().map(|token| symbols.text(token.symbol).len() + 1).sum();
    }
    let megabytes = size as f64 / 1e6;
    println!(
        "{:.1} MB of text; after preprocessing {megabytes:.1} MB, {tokens} tokens, {functions} functions, {statements} statements",
        text.len() as f64 / 1e6
    );
    for (name, time) in ["preprocess", "parse", "check types", "outline, plan, analyse"].iter().zip(best) {
        println!("{name:>24}: {:7.1} ms, {:6.1} MB/s", time.as_secs_f64() * 1e3, megabytes / time.as_secs_f64());
    }
    let total: f64 = best.iter().map(Duration::as_secs_f64).sum();
    println!("{:>24}: {:7.1} ms, {:6.1} MB/s", "all", total * 1e3, megabytes / total);
}
