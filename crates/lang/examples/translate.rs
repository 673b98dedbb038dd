//! Translates files and lowers them: `cargo run --release -p reconverge-lang --example translate -- FILE…` prints, for each, how large it
//! is, what is said of it, how long each part takes, and the most memory that was in use so far. `-` instead prints the IR of the next file.

use std::path::Path;
use std::time::Instant;

use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate;

fn main() {
    let mut prints = false;
    for argument in std::env::args().skip(1) {
        if argument == "-" {
            prints = true;
            continue;
        }
        let path = Path::new(&argument);
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => {
                println!("{argument}: {error}");
                continue;
            }
        };
        let dialect = match path.extension().and_then(|extension| extension.to_str()) {
            Some("cl") => Dialect::OpenCl,
            Some("cu") => Dialect::Cuda,
            Some("hip") => Dialect::Hip,
            Some("cpp" | "cc") => Dialect::Cpp,
            _ => Dialect::C,
        };
        let (length, start) = (text.len(), Instant::now());
        let translation = translate(path, text, &Options::new(dialect), SourceModel::default());
        let translated = start.elapsed();
        let sizes = [true, false].map(|tokens| {
            let options = LowerOptions { tokens, markers: false, debug: true };
            let text = translation.lower(&options);
            if let Some(text) = text.as_ref().filter(|_| prints && tokens) {
                print!("{}", String::from_utf8_lossy(text));
            }
            text.map_or(0, |text| text.len())
        });
        let lowered = start.elapsed() - translated;
        if !prints {
            println!(
                "{argument}: {length} bytes, translated in {translated:.1?}, lowered in {lowered:.1?} to {sizes:?} bytes; {}",
                memory()
            );
        }
        prints = false;
        for diagnostic in translation.diagnostics.iter().take(3) {
            let place = translation.sources.position(diagnostic.location);
            let place = place.map_or("nowhere".into(), |place| format!("{}:{}", place.line, place.column));
            eprintln!(
                "  {place}: {:?}: {}",
                diagnostic.severity,
                diagnostic.message.chars().take(150).collect::<String>()
            );
        }
        let more = translation.diagnostics.len().saturating_sub(3);
        if more > 0 {
            eprintln!("  and {more} more");
        }
    }
}

/// The most memory that this process had, as Linux says.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or(String::new(), |peak| format!("peak {}", peak.trim()))
}
