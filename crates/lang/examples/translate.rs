//! Translates files and lowers them: `cargo run --release -p reconverge-lang --example translate -- FILE…` prints, for each, how large it
//! is, what is said of it, how long each part takes, and the most memory that was in use so far. `-` and `-plain` instead print the IR of the
//! next file, with tokens and without; `-spirv`, `-amdgpu`, `-nvptx` and `-generic` choose the target of all that follow, and after `-origins` it is also written
//! what their instructions are in the source.

use std::path::Path;
use std::time::Instant;

use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, LowerTarget, Options, SourceModel};
use reconverge_lang::translate::translate;

fn main() {
    let (mut prints, mut target, mut origins) = (None, None, false);
    for argument in std::env::args().skip(1) {
        match &*argument {
            "-" => prints = Some(true),
            "-plain" => prints = Some(false),
            "-spirv" => target = Some(LowerTarget::Spirv),
            "-amdgpu" => target = Some(LowerTarget::Amdgpu),
            "-nvptx" => target = Some(LowerTarget::Nvptx),
            "-generic" => target = Some(LowerTarget::Generic),
            "-origins" => origins = true,
            path => translate_file(path, target, prints.take(), origins),
        }
    }
}

/// Prints the IR of a file, with tokens or without, or else how long it takes.
fn translate_file(argument: &str, target: Option<LowerTarget>, prints: Option<bool>, origins: bool) {
    let path = Path::new(argument);
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) => {
            println!("{argument}: {error}");
            return;
        }
    };
    let dialect = match path.extension().and_then(|extension| extension.to_str()) {
        Some("cl") => Dialect::OpenCl,
        Some("cu") => Dialect::Cuda,
        Some("hip") => Dialect::Hip,
        Some("cpp" | "cc") => Dialect::Cpp,
        _ => Dialect::C,
    };
    let options = Options { target: target.unwrap_or(LowerTarget::for_dialect(dialect)), ..Options::new(dialect) };
    let (length, start) = (text.len(), Instant::now());
    let translation = translate(path, text, &options, SourceModel::default());
    let translated = start.elapsed();
    let sizes = [true, false].map(|tokens| {
        let options = LowerOptions { tokens, markers: false, debug: true, origins, nsw: false };
        let text = translation.lower(&options).map(|lowered| lowered.text);
        if let Some(text) = text.as_ref().filter(|_| prints == Some(tokens)) {
            print!("{}", String::from_utf8_lossy(text));
        }
        text.map_or(0, |text| text.len())
    });
    let lowered = start.elapsed() - translated;
    if prints.is_none() {
        println!(
            "{argument}: {length} bytes, translated in {translated:.1?}, lowered in {lowered:.1?} to {sizes:?} bytes; {}",
            memory()
        );
    }
    for diagnostic in translation.diagnostics.iter().take(3) {
        let place = translation.sources.position(diagnostic.location);
        let place = place.map_or("nowhere".into(), |place| format!("{}:{}", place.line, place.column));
        eprintln!("  {place}: {:?}: {}", diagnostic.severity, diagnostic.message.chars().take(150).collect::<String>());
    }
    let more = translation.diagnostics.len().saturating_sub(3);
    if more > 0 {
        eprintln!("  and {more} more");
    }
}

/// The most memory that this process had, as Linux says.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or(String::new(), |peak| format!("peak {}", peak.trim()))
}
