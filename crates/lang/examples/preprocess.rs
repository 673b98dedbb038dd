//! Preprocesses a file and prints its tokens, one line for each line; with `--time`, says how fast that is instead.
//!
//! `cargo run -p reconverge-lang --example preprocess -- [--time] FILE [-I FOLDER | -D MACRO]…`

use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::token::{Symbols, TokenKind};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut is_timed, mut file, mut include, mut define) = (false, String::new(), Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time" => is_timed = true,
            "-I" => include.extend(arguments.next().map(Into::into)),
            "-D" => define.extend(arguments.next()),
            _ => file = argument,
        }
    }
    let path = Path::new(&file);
    let dialect = match path.extension().and_then(|extension| extension.to_str()) {
        Some("cl") => Dialect::OpenCl,
        Some("cu") => Dialect::Cuda,
        Some("hip") => Dialect::Hip,
        Some("c" | "h") => Dialect::C,
        _ => Dialect::Cpp,
    };
    let options = Options { include, define, ..Options::new(dialect) };
    let text = std::fs::read(path)?;
    let bytes = text.len();
    let mut symbols = Symbols::default();
    let start = Instant::now();
    let result = preprocess(path, text, &options, &mut symbols);
    let seconds = start.elapsed().as_secs_f64();

    let mut out = std::io::stdout().lock();
    if is_timed {
        let speed = bytes as f64 / 1e6 / seconds;
        writeln!(out, "{bytes} bytes, {} tokens, {seconds:.3} s, {speed:.1} MB/s", result.tokens.len())?;
    } else {
        for token in &result.tokens {
            let separator = if token.starts_line { "\n" } else { " " };
            let pragma = if token.kind == TokenKind::Pragma { "#pragma " } else { "" };
            write!(out, "{separator}{pragma}{}", symbols.text(token.symbol))?;
        }
        writeln!(out)?;
    }
    for diagnostic in &result.diagnostics {
        let place = |location| match result.sources.position(location) {
            Some(position) => format!("{}:{}:{}", position.path.display(), position.line, position.column),
            None => "nowhere".to_owned(),
        };
        eprintln!("{}: {:?}: {}", place(diagnostic.location), diagnostic.severity, diagnostic.message);
        for (location, message) in &diagnostic.related {
            eprintln!("  {}: {message}", place(*location));
        }
    }
    Ok(())
}
