//! How fast parsing is: `cargo test --release -p reconverge-lang --test syntax -- --ignored --nocapture speed`.

use std::time::Instant;

use reconverge_lang::options::Dialect;
use reconverge_lang::syntax;
use reconverge_lang::token::Symbols;

use crate::cases::kernels;
use crate::support::{parse, tokenize};

/// The seconds that this thread has run: other programs on the machine do not count.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

#[test]
#[ignore = "measures, and is of use in a release build only"]
fn speed() {
    let mut text = String::new();
    let kernels: Vec<String> = kernels()
        .into_iter()
        .filter(|(_, dialect)| *dialect == Dialect::OpenCl)
        .map(|(path, _)| std::fs::read_to_string(path).expect("a kernel"))
        .map(|text| text.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect())
        .filter(|text: &String| parse(text, Dialect::OpenCl).0.diagnostics.is_empty())
        .collect();
    let size = std::env::var("SPEED_SIZE").map_or(20_000_000, |text| text.parse().expect("a number"));
    while text.len() < size {
        kernels.iter().for_each(|kernel| text += kernel);
    }
    println!("sizes {} {}", size_of::<reconverge_lang::tree::ExprData>(), size_of::<reconverge_lang::tree::StmtData>());
    let mut symbols = Symbols::default();
    let tokens = tokenize(&text, &mut symbols);
    for _ in 0..3 {
        let (begin, begin_cpu) = (Instant::now(), processor_time());
        let parsed = syntax::parse(&tokens, &mut symbols, Dialect::OpenCl);
        let wall = begin.elapsed().as_secs_f64();
        let seconds = processor_time().zip(begin_cpu).map_or(wall, |(end, begin)| end - begin);
        println!(
            "{:.0} MB/s, {:.0} ns for each of {} tokens, {} expressions, {} messages",
            text.len() as f64 / seconds / 1e6,
            seconds * 1e9 / tokens.len() as f64,
            tokens.len(),
            parsed.tree.expressions.len(),
            parsed.diagnostics.len()
        );
    }
}
